// The asset behind its public face: what the importer fills and sinew_asset_destroy frees.
#ifndef SINEW_ASSET_DATA_H
#define SINEW_ASSET_DATA_H

#include <sinew/asset.h>

#include "core/memory.h"

// Counts what several arenas hold together against one limit. It stands between them and the caller's allocator.
typedef struct sinew_budget {
    sinew_allocator allocator; // the caller's
    size_t used;
    size_t limit;
    bool limited; // something was refused because of the limit
} sinew_budget;

typedef struct sinew_asset_data {
    sinew_asset asset; // first, so that a pointer to it is a pointer to this
    sinew_budget budget;
    sinew_arena arena;                // what the asset points to, but for the insides of the objects below
    struct sinew_asset_block *blocks; // the skeleton's, clips' and skins'
} sinew_asset_data;

// Whether a mesh is to be drawn where it is.
static inline bool sinew_is_drawn(const sinew_mesh_instance *instance) {
    return instance->in_scene && instance->visible;
}

// An empty asset whose arena may grow to `limit` bytes; NULL when there is no memory. Free it with
// sinew_asset_destroy.
sinew_asset_data *sinew_asset_data_create(const sinew_allocator *allocator, size_t limit);

// Takes `size` bytes that somebody else holds into account; false when the limit would be passed.
bool sinew_budget_reserve(sinew_budget *budget, size_t size);
void sinew_budget_give_back(sinew_budget *budget, size_t size);

// An allocator that takes from the budget's own and counts. The budget must outlive what is made with it.
sinew_allocator sinew_budget_allocator(sinew_budget *budget);

// An allocator for objects that live in the asset and are never destroyed themselves: what they release while they
// are made is freed at once, what they keep is freed with the asset.
sinew_allocator sinew_asset_allocator(sinew_asset_data *data);

#endif
