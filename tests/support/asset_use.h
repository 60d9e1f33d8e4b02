// SPDX-License-Identifier: MIT
// Uses a file like a program would: loads it, plays and fades every clip, poses, morphs and skins. For fuzzing and
// tests with damaged files.
#ifndef ASSET_USE_H
#define ASSET_USE_H

#include <sinew/all.h>

// What's wrong with a loaded asset: an index out of range, a parent after its child, weights that don't sum to 1, ...
// NULL if it keeps the promises of <sinew/asset.h>.
const char *asset_fault(const sinew_asset *asset);

// Reads all of an asset, and moves it even with numbers that games don't use: huge steps, times before 0. Skins a few
// hundred vertices of each primitive. Memory comes from `allocator` (NULL: the heap). If it runs out, skips the rest.
void asset_use(const sinew_asset *asset, const sinew_allocator *allocator);

// An allocator with blocks of exactly the requested length, so a sanitizer catches the first byte past the end.
typedef struct asset_memory {
    int fail_at; // index of the allocation that fails, from 1; 0: none
    int taken;   // allocations so far
    int live;
    size_t bytes, peak; // live, and the peak
} asset_memory;

sinew_allocator asset_memory_allocator(asset_memory *memory);

// Loads an exact-length copy of `size` bytes and uses the result. Any bytes must give an asset, or an error with a
// one-line message, and leave no memory behind. Returns what's wrong, usually NULL. Memory comes from `memory` (NULL:
// the heap), whatever the options say. `*result` is the load's result.
const char *asset_try(const void *data, size_t size, const sinew_gltf_options *options, asset_memory *memory,
                      sinew_result *result);

// The same for a BVH file.
const char *asset_try_bvh(const void *data, size_t size, const sinew_bvh_options *options, asset_memory *memory,
                          sinew_result *result);

// The same for a baked asset that borrows a copy, whose memory ends with its last byte. A `trusted` asset may have
// any numbers, so the promises of <sinew/asset.h> aren't checked.
const char *asset_try_baked(const void *data, size_t size, bool trusted, asset_memory *memory,
                            sinew_result *result);

#endif
