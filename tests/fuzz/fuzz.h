// SPDX-License-Identifier: MIT
// The input format of the fuzz targets, and how they use it.
//
// An input that begins with "glTF" is a .glb file. Any other input is JSON text up to its first zero byte. The bytes
// after the zero are the content of each external URI, except URIs that begin with x, which have none. If those bytes
// begin with {, they're also the sidecar file with markers.
#ifndef FUZZ_H
#define FUZZ_H

#include <sinew/all.h>

// Called by libFuzzer, or by replay.c, with each input. Ends the program when something is wrong.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Options for hostile input. Low limits keep each input quick.
sinew_gltf_options fuzz_options(void);

// Loads an input with these options, through a reader that serves its second part, and uses the asset. Prints a
// message and aborts if a documented guarantee is broken or a buffer of the reader is not released.
void fuzz_load(const uint8_t *data, size_t size, sinew_gltf_options options);

// Returns the length of the JSON text of an input.
size_t fuzz_text_size(const uint8_t *data, size_t size);

#endif
