// How fast a file becomes an asset: a library of motions as exporters write them, made here, and the reading of its
// bytes from a disk that has not seen them lately.
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_LIBRARY_JOINTS = 60 };

// A .glb of `clips` clips in which translation, rotation and scale of every joint move, each channel with an accessor
// and a buffer view of its own; about 0.2 MB a clip, a quarter of it JSON. From bench_allocate.
typedef struct bench_library {
    uint8_t *data;
    size_t size;
} bench_library;

bench_library bench_library_create(int32_t clips);
void bench_library_destroy(bench_library *library);

// Loads the library from memory. Returns false, with `why` filled in, when that fails.
bool bench_library_load(const bench_library *library, const char **why);

// Nanoseconds in which a file of these bytes is read after the system was asked to forget it; 0 where that cannot be
// done.
double bench_library_read_cold(const bench_library *library);

#endif
