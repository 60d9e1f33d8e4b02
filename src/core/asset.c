// SPDX-License-Identifier: MIT
// The asset: one object with one memory budget, freed as a whole.
//
// The budget counts the bytes of the asset and of the import's scratch memory, and refuses more than its limit. A block
// is memory of an object that the asset owns, such as a skeleton: all blocks are in a list, so that destroying the
// asset frees them. Arrays of the asset are in an arena.
#include "core/asset_data.h"

#include <assert.h>
#include <string.h>

// ---- The budget ----------------------------------------------------------------------------------------------

// Returns false, and notes that the limit was reached, if `size` more bytes would exceed it.
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

// The functions of the budget's allocator; `user` is the budget.
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

// The header of a block: a list of all blocks, which sinew_asset_destroy frees.
typedef struct sinewi_asset_block {
    struct sinewi_asset_block *next, *previous;
    size_t size; // of the whole block, with this header
} asset_block;

#define BLOCK_HEADER_SIZE SINEWI_ALIGNMENT // so that the memory after the header is aligned

// The functions of the asset's allocator, which adds each block to the list; `user` is the asset's data.
static void *block_allocate(size_t size, size_t alignment, void *user) {
    (void)alignment; // every block has the largest alignment
    sinewi_asset_data *data = (sinewi_asset_data *)user;
    if (size > SIZE_MAX - BLOCK_HEADER_SIZE) return NULL;
    asset_block *block = (asset_block *)budget_allocate(size + BLOCK_HEADER_SIZE, SINEWI_ALIGNMENT, &data->budget);
    if (!block) return NULL;
    *block = (asset_block){.next = data->blocks, .size = size + BLOCK_HEADER_SIZE};
    if (block->next) block->next->previous = block;
    data->blocks = block;
    return (char *)block + BLOCK_HEADER_SIZE;
}

// Removes a block from the list and frees it.
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

// Creates an empty asset whose memory may not exceed `limit` bytes.
sinewi_asset_data *sinewi_asset_data_create(const sinew_allocator *allocator, size_t limit) {
    sinewi_asset_data *data = (sinewi_asset_data *)sinewi_allocate(allocator, sizeof *data, SINEWI_ALIGNMENT);
    if (!data) return NULL;
    memset(data, 0, sizeof *data);
    if (allocator) data->budget.allocator = *allocator;
    data->budget.limit = limit;
    sinew_allocator counted = sinewi_budget_allocator(&data->budget);
    sinewi_arena_init(&data->arena, &counted); // the budget is the limit
    return data;
}

void sinew_asset_destroy(sinew_asset *asset) {
    if (!asset) return;
    sinewi_asset_data *data = (sinewi_asset_data *)asset;
    while (data->blocks) block_release((char *)data->blocks + BLOCK_HEADER_SIZE, 0, 0, data);
    sinewi_arena_free(&data->arena);
    sinew_allocator allocator = data->budget.allocator; // a copy: it is part of the memory that it releases
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
