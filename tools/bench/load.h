// SPDX-License-Identifier: MIT
// Measures loading: a generated library of clips in the form that exporters write, and reading its bytes from a cold
// disk.
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <sinew/io/baked_asset.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_LIBRARY_JOINTS = 60 };

// A .glb of `clips` clips that move every joint's translation, rotation and scale. Each channel has its own accessor
// and buffer view. A clip takes about 0.2 MB, and a quarter of that is JSON. Allocated with bench_allocate.
typedef struct bench_library {
    uint8_t *data;
    size_t size;
} bench_library;

bench_library bench_library_create(int32_t clips);
void bench_library_destroy(bench_library *library);

// Loads the library from memory. On failure, returns false with the reason in `why`.
bool bench_library_load(const bench_library *library, const char **why);

// Returns the same library as a baked asset. Free it with sinew_baked_asset_destroy. On failure, returns NULL with the
// reason in `why`.
sinew_baked_asset *bench_library_bake(const bench_library *library, const char **why);

// Loads a baked asset that borrows its bytes, trusted or not. On failure, returns false with the reason in `why`.
bool bench_baked_load(const sinew_baked_asset *baked, bool trusted, const char **why);

// Returns how many nanoseconds it takes to map a file with these bytes that's already in memory, load it without a
// copy, and unmap it. 0 if that isn't possible.
double bench_baked_map(const sinew_baked_asset *baked);

// Returns how many nanoseconds it takes to read a file with these bytes after dropping it from the system's cache. 0 if
// that isn't possible.
double bench_library_read_cold(const bench_library *library);

#endif
