// What the three fuzz targets share: what an input is, and what is done with it.
//
// An input that begins with "glTF" is a .glb file. Any other is a JSON text up to its first zero byte; what stands
// behind that zero is what every external uri of the text leads to, but those that begin with x: there is nothing. Where
// it begins with {, it is the markers beside the text, too.
#ifndef FUZZ_H
#define FUZZ_H

#include <sinew/sinew.h>

// Called by libFuzzer, or by replay.c, with each input. Ends the program when something is wrong.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Options for hostile input: what an input may take is little, so that each is quick.
sinew_gltf_options fuzz_options(void);

// Loads an input with these options, through a reader that serves its second part, and uses what it holds. Aborts,
// after a message, where a promise is broken or something that was lent is not given back.
void fuzz_load(const uint8_t *data, size_t size, sinew_gltf_options options);

// Where the JSON text of such an input ends.
size_t fuzz_text_size(const uint8_t *data, size_t size);

#endif
