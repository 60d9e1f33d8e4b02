// SPDX-License-Identifier: MIT
// Uses a file as a program would: loads it, plays and fades every clip, poses, morphs and skins.
// For tests with damaged files and for fuzzing.
#ifndef ASSET_USE_H
#define ASSET_USE_H

#include <sinew/all.h>

// What is wrong with an asset that was loaded: an index out of range, a parent behind its child, weights that do not
// sum to 1, ...; NULL when it keeps what <sinew/asset.h> promises.
const char *asset_fault(const sinew_asset *asset);

// Reads all of an asset, and moves it with numbers that games do not use, too: huge steps, times before 0. Of every
// primitive a few hundred vertices are skinned. Memory comes from `allocator` (NULL: the heap); where there is none
// the rest is left out.
void asset_use(const sinew_asset *asset, const sinew_allocator *allocator);

// An allocator whose blocks are exactly as long as requested, so that a sanitizer catches the first byte past the
// end.
typedef struct asset_memory {
    int fail_at; // the allocation of this number (from 1) fails; 0: none
    int taken;   // allocations so far
    int live;
    size_t bytes, peak; // live, and the most that ever were
} asset_memory;

sinew_allocator asset_memory_allocator(asset_memory *memory);

// Loads a copy of `size` bytes that is exactly that long, and uses what it holds. Whatever the bytes are, there is an
// asset, or an error with a message of one line, and no memory is kept. Returns what is wrong, NULL as a rule. Memory
// is `memory`'s (NULL: nobody asks), whatever the options say; `*result` is that of the load.
const char *asset_try(const void *data, size_t size, const sinew_gltf_options *options, asset_memory *memory,
                      sinew_result *result);

// The same for a BVH file.
const char *asset_try_bvh(const void *data, size_t size, const sinew_bvh_options *options, asset_memory *memory,
                          sinew_result *result);

// The same for a baked asset that borrows a copy, whose memory ends with its last byte. If it is `trusted`, numbers
// may be any, so what <sinew/asset.h> promises is not checked.
const char *asset_try_baked(const void *data, size_t size, bool trusted, asset_memory *memory,
                            sinew_result *result);

#endif
