// SPDX-License-Identifier: MIT
// Batches. While one character is mixed, this finds the keys of the next one and prefetches its memory. The matrix
// products of a few characters are interleaved.
#include "core/batch_pass.h"
#include "core/batch_lod.h"
#include "kernels/kernels.h"
#include "core/skeleton_object.h"

#include <assert.h>

// If a skeleton has at least this many nodes per level on average, it can keep the processor busy alone. In a narrower
// hierarchy, each matrix product waits for the previous one.
#define WIDE_LEVEL 6

// Prefetching starts at this many characters per call. The call may cover only part of a crowd, whose memory doesn't
// stay in the nearer caches between frames.
#define MANY 16

// ---- Memory --------------------------------------------------------------------------------------------------

// Prefetches into the second-level cache what is about to be written. The first level is too small for this and for the
// character being mixed. Always inlined, like its callers, because gcc removes calls to functions that only prefetch.
SINEWI_INLINE void fetch(const void *memory, size_t size) {
#if defined(__GNUC__)
    for (size_t i = 0; i < size; i += SINEWI_ALIGNMENT) __builtin_prefetch((const char *)memory + i, 1, 2);
#else
    (void)memory, (void)size;
#endif
}

// Prefetches what a frame reads from a mixer: the mixer, the contributions right after it, and its state with layers
// and first actions. Takes the offsets from another mixer that usually looks alike, because reading them here would be
// a cache miss.
#define FEW 2

SINEWI_INLINE void fetch_state(const sinew_batch_item *item, const sinew_mixer *like) {
    fetch(item->mixer, sizeof(sinew_mixer) + SINEWI_ALIGNMENT);
    const char *start = (const char *)like, *state = (const char *)like->state;
    fetch((const char *)item->mixer + (state - start), (size_t)((const char *)(like->actions + FEW) - state));
}

static bool is_palette_only(const sinew_batch_item *item) {
    return item->palette_only || item->lod;
}

SINEWI_INLINE void fetch_model(const sinew_batch_item *item) {
    if (is_palette_only(item)) return;
    const sinew_mixer *mixer = item->mixer;
    fetch(mixer->model + mixer->nodes.first,
          (size_t)(mixer->nodes.end - mixer->nodes.first) * sizeof(sinew_affine));
}

static bool streams_palette(const sinew_batch_item *item) {
    return item->stream_palette && (uintptr_t)item->palette % 16 == 0;
}

SINEWI_INLINE void fetch_palette(const sinew_batch_item *item) {
    if (item->skin && !streams_palette(item))
        fetch(item->palette, (size_t)item->skin->joint_count * sizeof(sinew_affine));
}

// ---- Groups --------------------------------------------------------------------------------------------------

// Returns whether two mixers animate the same nodes of the same skeleton.
static bool are_alike(const sinew_mixer *a, const sinew_mixer *b) {
    return a->def.skeleton == b->def.skeleton && a->def.root == b->def.root;
}

static bool belongs(const batch_group *g, const sinew_batch_item *item) {
    return g->count == 0 || (are_alike(g->items[0]->mixer, item->mixer) && g->items[0]->lod == item->lod);
}

// Returns the memory for a character's matrices. If only its palette is needed, borrows an earlier character's memory
// that is still in the cache.
static sinew_affine *model_memory(batch_group *g, const sinew_batch_item *item) {
    if (!is_palette_only(item)) return item->mixer->model;
    const sinew_mixer **lender = &g->lenders[g->count];
    if (!*lender || !are_alike(*lender, item->mixer)) *lender = item->mixer;
    return (*lender)->model;
}

static int32_t group_size(const sinew_mixer *mixer) {
    const sinewi_skeleton_object *skeleton = (const sinewi_skeleton_object *)mixer->def.skeleton;
    return skeleton->link_count < WIDE_LEVEL * skeleton->depth ? SINEWI_MAX_GROUP : 1;
}

static void write_palette(batch_group *g, const sinew_batch_item *item, const sinew_affine *model) {
    const sinew_skin *skin = item->skin;
    if (!skin) return;
    assert(item->palette);
    const sinewi_palette_kernels *kernels = sinewi_palette_kernels_used();
    const bool streams = streams_palette(item);
    const int32_t *joints = item->lod ? item->lod->joints : skin->joints;
    const sinew_affine *binds = item->lod ? item->lod->binds : skin->inverse_binds;
    (streams ? kernels->stream_palette : kernels->palette)(joints, skin->joint_count, model, binds, item->palette);
    g->streams |= streams;
}

static void finish(batch_group *g) {
    if (g->count == 0) return;
    const sinew_mixer *first = g->items[0]->mixer;
    const sinew_node_lod *lod = g->items[0]->lod;
    if (lod) {
        sinewi_node_lod_to_model(lod, first->nodes, g->models, g->count);
    } else {
        sinewi_local_to_model(first->def.skeleton, first->nodes, g->models, g->count);
    }
    for (int32_t i = 0; i < g->count; i++) write_palette(g, g->items[i], g->models[i]);
    g->count = 0;
}

// ---- A pass --------------------------------------------------------------------------------------------------

// Advances a character. If its output changes, prepares its mix.
static inline void begin(batch_step step, bool finds_quiet, sinewi_kernel_input *input) {
    sinew_batch_item *item = step.item;
    sinew_mixer *mixer = item->mixer;
    if (step.waited > 0.0f) sinewi_mixer_step(mixer, step.waited);
    sinewi_mixer_step(mixer, step.seconds);
    item->advanced = true;
    item->changed = false;
    batch_wait wait = sinewi_batch_get_wait(item);
    if (finds_quiet) {
        wait.has_events = mixer->state->event_count > 0 || mixer->state->dropped_event_count > 0;
        wait.quiet_seconds = sinewi_mixer_quiet_seconds(mixer);
    }
    const bool is_another = wait.lod != item->lod || wait.skin != item->skin || wait.palette != item->palette;
    if (step.poses) wait.lod = item->lod, wait.skin = item->skin, wait.palette = item->palette;
    sinewi_batch_set_wait(item, wait);
    if (!step.poses) return;
    assert(!item->lod || !item->skin || item->lod->skin == item->skin);
    if (is_another) mixer->output = OUTPUT_NONE; // the palette must be rewritten
    item->changed = sinewi_mixer_begin_show(mixer, is_palette_only(item) ? OUTPUT_PALETTE : OUTPUT_MODEL, input);
}

static inline void mix(batch_group *g, sinew_batch_item *item, const sinewi_kernel_input *input) {
    if (!belongs(g, item)) finish(g);
    sinew_affine *model = model_memory(g, item);
    g->items[g->count] = item;
    g->models[g->count++] = model;
    if (item->lod) {
        sinewi_mixer_mix_parts_to_local(item->mixer, input, item->lod->parts, item->lod->part_count, model);
    } else {
        sinewi_mixer_mix_to_local(item->mixer, input, model);
    }
}

// Moves the pipeline forward by one character.
SINEWI_INLINE void move_on(batch_pipeline *line, batch_group *group, sinewi_kernel_input *inputs, batch_step step) {
    batch_step begun = line->begun, fetched = line->fetched;
    int32_t next = 1 - line->input;
    if (step.item && line->fetches && begun.item) fetch_state(step.item, begun.item->mixer);
    if (fetched.item) begin(fetched, line->finds_quiet, &inputs[next]);
    if (begun.item) {
        bool writes = line->fetches && fetched.item && fetched.poses;
        if (writes) fetch_model(fetched.item);
        if (begun.item->changed) mix(group, begun.item, &inputs[line->input]);
        if (writes) fetch_palette(fetched.item);
        if (group->count > 0 && group->count == group_size(begun.item->mixer)) finish(group);
    }
    line->begun = fetched;
    line->fetched = step;
    line->input = next;
}

static batch_pipeline start_pipeline(int32_t count, bool finds_quiet) {
    return (batch_pipeline){.fetches = count >= MANY, .finds_quiet = finds_quiet};
}

SINEWI_INLINE void drain(batch_pipeline *line, batch_group *group, sinewi_kernel_input *inputs) {
    for (int i = 0; i < 2; i++) move_on(line, group, inputs, (batch_step){.item = NULL});
    finish(group);
    if (group->streams) sinewi_palette_kernels_used()->end_palettes();
}

void sinewi_batch_pass_begin(batch_pass *pass, int32_t count, bool finds_quiet) {
    pass->pipeline = start_pipeline(count, finds_quiet);
    pass->group = (batch_group){.lenders = {NULL}};
}

void sinewi_batch_pass_add(batch_pass *pass, batch_step step) {
    move_on(&pass->pipeline, &pass->group, pass->inputs, step);
}

void sinewi_batch_pass_end(batch_pass *pass) {
    drain(&pass->pipeline, &pass->group, pass->inputs);
}

// ---- Without a budget ----------------------------------------------------------------------------------------

// Returns how long an item has waited for a budget. After this step nothing is known about the time ahead.
static inline float end_wait(sinew_batch_item *item) {
    batch_wait wait = sinewi_batch_get_wait(item);
    if (wait.quiet_seconds == 0.0f) return 0.0f;
    wait.quiet_seconds = 0.0f;
    const float waited = sinewi_batch_take_seconds(&wait, 0.0f);
    sinewi_batch_set_wait(item, wait);
    return waited;
}

void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt) {
    assert(count <= 0 || (items && first >= 0));
    if (count <= 0) return;
    SINEWI_BATCH_MARK(items, first, count, true);
    batch_pipeline line = start_pipeline(count, false);
    batch_group group = {.lenders = {NULL}};
    sinewi_kernel_input inputs[2];
    for (int32_t i = first; i < first + count; i++) {
        move_on(&line, &group, inputs, (batch_step){&items[i], end_wait(&items[i]), dt, true});
    }
    drain(&line, &group, inputs);
    SINEWI_BATCH_MARK(items, first, count, false);
}
