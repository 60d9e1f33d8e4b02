// SPDX-License-Identifier: MIT
// Batches: while one character is mixed, the keys of the next one are found and its memory is prefetched; the matrix
// products of a few characters are interleaved.
#include <sinew/batch.h>

#include "mixer/mixer_interface.h"
#include "pose/skeleton_object.h"

#include <assert.h>

// The number of characters whose products are interleaved, and the mean number of nodes per level of the hierarchy
// from which a single skeleton keeps the processor busy: in a narrower one each product waits for the one before.
#define MAX_GROUP  4
#define WIDE_LEVEL 6

// The number of characters from which their outputs no longer stay in the nearer caches from frame to frame.
#define MANY 512

// ---- Memory --------------------------------------------------------------------------------------------------

// Prefetches memory that is about to be written.
static void fetch(const void *memory, size_t size) {
#if defined(__GNUC__)
    for (size_t i = 0; i < size; i += SINEW_ALIGNMENT) __builtin_prefetch((const char *)memory + i, 1, 0);
#else
    (void)memory, (void)size;
#endif
}

// Prefetches what a frame reads of a mixer: the mixer, the first contributions after it, and the state with its
// layers and first actions. Their offsets are those of another mixer, which is usually alike: to read them would be
// a cache miss.
#define FEW 2

static void fetch_state(const sinew_batch_item *item, const sinew_mixer *like) {
    fetch(item->mixer, sizeof(sinew_mixer) + SINEW_ALIGNMENT);
    const char *start = (const char *)like, *state = (const char *)like->state;
    fetch((const char *)item->mixer + (state - start), (size_t)((const char *)(like->actions + FEW) - state));
}

static void fetch_model(const sinew_batch_item *item) {
    if (item->palette_only) return;
    const sinew_mixer *mixer = item->mixer;
    fetch(mixer->model + mixer->nodes.first,
          (size_t)(mixer->nodes.end - mixer->nodes.first) * sizeof(sinew_affine));
}

static void fetch_palette(const sinew_batch_item *item) {
    if (item->skin) fetch(item->palette, (size_t)item->skin->joint_count * sizeof(sinew_affine));
}

// ---- Characters ----------------------------------------------------------------------------------------------

// Characters whose local matrices have been computed.
typedef struct group {
    sinew_batch_item *items[MAX_GROUP];
    sinew_affine *models[MAX_GROUP];       // of each: where its matrices are computed
    const sinew_mixer *lenders[MAX_GROUP]; // of each: the mixer whose memory is used if only the palette is needed
    int32_t count;
} group;

// Whether two mixers have the same animated nodes of the same skeleton.
static bool are_alike(const sinew_mixer *a, const sinew_mixer *b) {
    return a->def.skeleton == b->def.skeleton && a->def.root == b->def.root;
}

static bool belongs(const group *g, const sinew_mixer *mixer) {
    return g->count == 0 || are_alike(g->items[0]->mixer, mixer);
}

// Where a character's matrices are computed. If only the palette is needed, that is the memory of a character
// before it, which is in the cache.
static sinew_affine *model_memory(group *g, const sinew_batch_item *item) {
    if (!item->palette_only) return item->mixer->model;
    const sinew_mixer **lender = &g->lenders[g->count];
    if (!*lender || !are_alike(*lender, item->mixer)) *lender = item->mixer;
    return (*lender)->model;
}

static int32_t group_size(const sinew_mixer *mixer) {
    const sinew_skeleton_object *skeleton = (const sinew_skeleton_object *)mixer->def.skeleton;
    return skeleton->link_count < WIDE_LEVEL * skeleton->depth ? MAX_GROUP : 1;
}

static void finish(group *g) {
    if (g->count == 0) return;
    const sinew_mixer *first = g->items[0]->mixer;
    sinew_local_to_model(first->def.skeleton, first->nodes, g->models, g->count);
    for (int32_t i = 0; i < g->count; i++) {
        const sinew_batch_item *item = g->items[i];
        if (item->skin) sinew_skin_palette(item->skin, g->models[i], item->palette);
    }
    g->count = 0;
}

static void begin(sinew_batch_item *item, float dt, sinew_kernel_input *input) {
    sinew_mixer_advance(item->mixer, dt);
    item->changed = sinew_mixer_begin_show(item->mixer, item->palette_only ? OUTPUT_PALETTE : OUTPUT_MODEL, input);
}

void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt) {
    assert(count <= 0 || (items && first >= 0));
    if (count <= 0) return;
    items += first;
    group g = {.lenders = {NULL}};
    sinew_kernel_input input[2];
    begin(&items[0], dt, &input[0]);
    for (int32_t i = 0; i < count; i++) {
        if (count >= MANY && i + 2 < count) fetch_state(&items[i + 2], items[i].mixer);
        if (i + 1 < count) begin(&items[i + 1], dt, &input[(i + 1) % 2]);
        if (count >= MANY && i + 1 < count) fetch_model(&items[i + 1]);
        if (items[i].changed) {
            if (!belongs(&g, items[i].mixer)) finish(&g);
            g.items[g.count] = &items[i];
            g.models[g.count] = model_memory(&g, &items[i]);
            sinew_mixer_mix_to_local(items[i].mixer, &input[i % 2], g.models[g.count++]);
        }
        if (count >= MANY && i + 1 < count) fetch_palette(&items[i + 1]);
        if (g.count > 0 && g.count == group_size(items[i].mixer)) finish(&g);
    }
    finish(&g);
}
