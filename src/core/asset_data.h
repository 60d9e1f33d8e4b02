// SPDX-License-Identifier: MIT
// The private part of an asset: the memory that the importer fills and sinew_asset_destroy frees.
#ifndef SINEWI_ASSET_DATA_H
#define SINEWI_ASSET_DATA_H

#include <sinew/asset.h>

#include "base/memory.h"

// A memory limit shared by several arenas: an allocator that counts and then uses the caller's allocator.
typedef struct sinewi_budget {
    sinew_allocator allocator; // the caller's
    size_t used;
    size_t limit;
    bool limited; // an allocation was refused because of the limit
} sinewi_budget;

typedef struct sinewi_asset_data {
    sinew_asset asset; // first member: a pointer to it is a pointer to this struct
    sinewi_budget budget;
    sinewi_arena arena;                // the asset's arrays
    struct sinewi_asset_block *blocks; // the memory of the skeleton, clips, skins and bounds
} sinewi_asset_data;

// Whether a mesh is drawn.
static inline bool sinewi_is_drawn(const sinew_mesh_node *mesh_node) {
    return mesh_node->in_scene && mesh_node->visible;
}

// Creates an empty asset whose arena may grow to `limit` bytes; NULL if memory runs out. Free it with
// sinew_asset_destroy.
sinewi_asset_data *sinewi_asset_data_create(const sinew_allocator *allocator, size_t limit);

// Counts `size` bytes that the caller's reader holds; returns false if the limit would be exceeded.
bool sinewi_budget_reserve(sinewi_budget *budget, size_t size);
void sinewi_budget_give_back(sinewi_budget *budget, size_t size);

// Returns an allocator that counts and then uses the budget's own. The budget must outlive its allocations.
sinew_allocator sinewi_budget_allocator(sinewi_budget *budget);

// Returns an allocator for objects of the asset that are never destroyed one by one. Memory that they release during
// their creation is freed at once; the rest is freed with the asset.
sinew_allocator sinewi_asset_allocator(sinewi_asset_data *data);

#endif
