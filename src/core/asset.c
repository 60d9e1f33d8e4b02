// SPDX-License-Identifier: MIT
// The asset: one object with one memory budget, freed as a whole.
//
// The budget counts the bytes of the asset and of the importer's scratch memory, and enforces a limit. A block is the
// memory of an object that the asset owns, such as a skeleton. All blocks are in a list, so destroying the asset frees
// them. The asset's arrays are in an arena.
#include "core/asset_data.h"

#include <assert.h>
#include <string.h>

// ---- The budget ----------------------------------------------------------------------------------------------

// Returns false if `size` more bytes exceed the limit. Also records this in `limited`.
bool sinewi_budget_reserve(sinewi_budget *budget, size_t size) {
    if (budget->used > budget->limit || size > budget->limit - budget->used) {
        budget->limited = true;
        return false;
    }
    budget->used += size;
    return true;
}

void sinewi_budget_give_back(sinewi_budget *budget, size_t size) {
    budget->used -= size;
}

// The budget's allocator functions. `user` is the budget.
static void *budget_allocate(size_t size, size_t alignment, void *user) {
    sinewi_budget *budget = (sinewi_budget *)user;
    if (!sinewi_budget_reserve(budget, size)) return NULL;
    void *memory = sinewi_allocate(&budget->allocator, size, alignment);
    if (!memory) sinewi_budget_give_back(budget, size);
    return memory;
}

static void budget_release(void *memory, size_t size, size_t alignment, void *user) {
    sinewi_budget *budget = (sinewi_budget *)user;
    sinewi_release(&budget->allocator, memory, size, alignment);
    sinewi_budget_give_back(budget, size);
}

sinew_allocator sinewi_budget_allocator(sinewi_budget *budget) {
    return (sinew_allocator){budget_allocate, budget_release, budget};
}

// ---- Blocks --------------------------------------------------------------------------------------------------

// Header of a block. The headers form a list, which sinew_asset_destroy frees.
typedef struct sinewi_asset_block {
    struct sinewi_asset_block *next, *previous;
    size_t size; // whole block, including this header
} asset_block;

#define BLOCK_HEADER_SIZE SINEWI_ALIGNMENT // keeps the memory after the header aligned

// The asset's allocator functions. They keep every block in the list. `user` is the asset's data.
static void *block_allocate(size_t size, size_t alignment, void *user) {
    (void)alignment; // every block already has the largest alignment
    sinewi_asset_data *data = (sinewi_asset_data *)user;
    if (size > SIZE_MAX - BLOCK_HEADER_SIZE) return NULL;
    asset_block *block = (asset_block *)budget_allocate(size + BLOCK_HEADER_SIZE, SINEWI_ALIGNMENT, &data->budget);
    if (!block) return NULL;
    *block = (asset_block){.next = data->blocks, .size = size + BLOCK_HEADER_SIZE};
    if (block->next) block->next->previous = block;
    data->blocks = block;
    return (char *)block + BLOCK_HEADER_SIZE;
}

static void block_release(void *memory, size_t size, size_t alignment, void *user) {
    (void)size, (void)alignment;
    sinewi_asset_data *data = (sinewi_asset_data *)user;
    asset_block *block = (asset_block *)(void *)((char *)memory - BLOCK_HEADER_SIZE);
    if (block->next) block->next->previous = block->previous;
    if (block->previous) block->previous->next = block->next;
    if (data->blocks == block) data->blocks = block->next;
    budget_release(block, block->size, SINEWI_ALIGNMENT, &data->budget);
}

sinew_allocator sinewi_asset_allocator(sinewi_asset_data *data) {
    return (sinew_allocator){block_allocate, block_release, data};
}

// ---- The asset -----------------------------------------------------------------------------------------------

// Creates an empty asset that may use up to `limit` bytes.
sinewi_asset_data *sinewi_asset_data_create(const sinew_allocator *allocator, size_t limit) {
    sinewi_asset_data *data = (sinewi_asset_data *)sinewi_allocate(allocator, sizeof *data, SINEWI_ALIGNMENT);
    if (!data) return NULL;
    memset(data, 0, sizeof *data);
    if (allocator) data->budget.allocator = *allocator;
    data->budget.limit = limit;
    sinew_allocator counted = sinewi_budget_allocator(&data->budget);
    sinewi_arena_init(&data->arena, &counted); // the budget enforces the limit
    return data;
}

void sinew_asset_destroy(sinew_asset *asset) {
    if (!asset) return;
    sinewi_asset_data *data = (sinewi_asset_data *)asset;
    while (data->blocks) block_release((char *)data->blocks + BLOCK_HEADER_SIZE, 0, 0, data);
    sinewi_arena_free(&data->arena);
    sinew_allocator allocator = data->budget.allocator; // copy it, because it is in the memory being released
    sinewi_release(&allocator, data, sizeof *data, SINEWI_ALIGNMENT);
}

#ifndef SINEW_NO_SKINNING
sinew_skin_job sinew_primitive_skin_job(const sinew_primitive *primitive) {
    assert(primitive);
    sinew_skin_job job = sinew_skin_job_default();
    if (primitive->influences > 0) job.influences = primitive->influences;
    job.joints = primitive->joints;
    job.weights = primitive->weights;
    job.positions = primitive->positions;
    job.normals = primitive->normals;
    job.tangents = primitive->tangents;
    return job;
}
#endif

const sinew_clip *sinew_asset_find_clip(const sinew_asset *asset, const char *name) {
    assert(asset && name);
    for (int32_t i = 0; i < asset->clip_count; i++)
        if (strcmp(asset->clips[i].name, name) == 0) return &asset->clips[i];
    return NULL;
}
