// SPDX-License-Identifier: MIT
// The loading of a file: a generated library of clips in the form of exporters, and the reading of its bytes from a cold
// disk.
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <sinew/io/baked_asset.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_LIBRARY_JOINTS = 60 };

// A .glb of `clips` clips in which translation, rotation and scale of every joint move. Each channel has its own accessor
// and buffer view; about 0.2 MB a clip, a quarter of it JSON. From bench_allocate.
typedef struct bench_library {
    uint8_t *data;
    size_t size;
} bench_library;

bench_library bench_library_create(int32_t clips);
void bench_library_destroy(bench_library *library);

// Loads the library from memory. Returns false, with the reason in `why`, if that fails.
bool bench_library_load(const bench_library *library, const char **why);

// The same library as a baked asset, to be freed with sinew_baked_asset_destroy; NULL, with the reason in `why`, if that
// fails.
sinew_baked_asset *bench_library_bake(const bench_library *library, const char **why);

// Loads a baked asset that borrows its bytes, trusted or not. Returns false, with the reason in `why`, if that fails.
bool bench_baked_load(const sinew_baked_asset *baked, bool trusted, const char **why);

// The nanoseconds of mapping a file of these bytes, which the system has in memory, of loading it without a copy, and of
// unmapping it; 0 if that is not possible.
double bench_baked_map(const sinew_baked_asset *baked);

// The nanoseconds of reading a file of these bytes after it was dropped from the system's cache; 0 if that is not
// possible.
double bench_library_read_cold(const bench_library *library);

#endif
