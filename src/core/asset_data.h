// SPDX-License-Identifier: MIT
// The private part of an asset. The importer fills its memory, and sinew_asset_destroy frees it.
#ifndef SINEWI_ASSET_DATA_H
#define SINEWI_ASSET_DATA_H

#include <sinew/asset.h>

#include "base/memory.h"

// A memory limit that several arenas share. It counts bytes and then calls the caller's allocator.
typedef struct sinewi_budget {
    sinew_allocator allocator; // the caller's
    size_t used;
    size_t limit;
    bool limited; // the limit caused an allocation to fail
} sinewi_budget;

typedef struct sinewi_asset_data {
    sinew_asset asset; // must come first, so you can cast a pointer to it to this struct
    sinewi_budget budget;
    sinewi_arena arena;                // the asset's arrays
    struct sinewi_asset_block *blocks; // memory of the skeleton, clips, skins and bounds
} sinewi_asset_data;

// Returns whether a mesh gets drawn.
static inline bool sinewi_is_drawn(const sinew_mesh_node *mesh_node) {
    return mesh_node->in_scene && mesh_node->visible;
}

// Creates an empty asset whose arena may grow to `limit` bytes. Returns NULL if memory runs out. Free it with
// sinew_asset_destroy.
sinewi_asset_data *sinewi_asset_data_create(const sinew_allocator *allocator, size_t limit);

// Counts `size` bytes that the caller's reader holds. Returns false if they exceed the limit.
bool sinewi_budget_reserve(sinewi_budget *budget, size_t size);
void sinewi_budget_give_back(sinewi_budget *budget, size_t size);

// Returns an allocator that counts bytes and uses the budget's own allocator. The budget must outlive its allocations.
sinew_allocator sinewi_budget_allocator(sinewi_budget *budget);

// Returns an allocator for objects that live as long as the asset. Memory that they release during creation is freed
// immediately. The rest is freed with the asset.
sinew_allocator sinewi_asset_allocator(sinewi_asset_data *data);

#endif
