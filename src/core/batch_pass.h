// SPDX-License-Identifier: MIT
// One pass over characters of a batch, in a pipeline of three stages: while one character is mixed, the keys of the
// next one are found, and the memory of the one after it is prefetched.
#ifndef SINEWI_BATCH_PASS_H
#define SINEWI_BATCH_PASS_H

#include <sinew/batch.h>

#include "core/mixer_interface.h"

#include <assert.h>
#include <string.h>

// The largest number of characters whose matrix products are interleaved.
#define SINEWI_MAX_GROUP 4

// Characters whose local matrices have been computed.
typedef struct batch_group {
    sinew_batch_item *items[SINEWI_MAX_GROUP];
    sinew_affine *models[SINEWI_MAX_GROUP]; // of each: where its matrices are computed
    const sinew_mixer
        *lenders[SINEWI_MAX_GROUP]; // of each: the mixer whose memory is used if only the palette is needed
    int32_t count;
    bool streams; // a palette was written past the caches
} batch_group;

// A character in the pipeline.
typedef struct batch_step {
    sinew_batch_item *item; // NULL: none
    float waited;           // the time that it is behind, in which it has no event
    float seconds;          // by which it is advanced then
    bool poses;             // false: it is only advanced
} batch_step;

// The characters that are in the pipeline. Apart from the rest, so that it stays in registers.
typedef struct batch_pipeline {
    batch_step fetched; // the last one added
    batch_step begun;   // the one before it, which is mixed next
    int32_t input;      // that of `begun`
    bool fetches;       // memory is prefetched
    bool finds_quiet;   // computes the time for which each mixer may wait
} batch_pipeline;

typedef struct batch_pass {
    batch_pipeline pipeline;
    batch_group group;
    sinewi_kernel_input inputs[2];
} batch_pass;

// Starts a pass over about `count` characters.
void sinewi_batch_pass_begin(batch_pass *pass, int32_t count, bool finds_quiet);

// Adds a character; its results are complete after sinewi_batch_pass_end.
void sinewi_batch_pass_add(batch_pass *pass, batch_step step);
void sinewi_batch_pass_end(batch_pass *pass);

// The last frames without a pose that are counted.
#define SINEWI_MAX_WAITED_FRAMES 0x7fffffffu

// What an item remembers between updates: its `memory`.
typedef struct batch_wait {
    double seconds; // that the mixer is behind
    // Of the last pose.
    const sinew_node_lod *lod;
    const sinew_skin *skin;
    const sinew_affine *palette;
    float quiet_seconds;     // for which the mixer may wait: it has no event
    uint32_t frames : 31;    // since the last pose; 0: never posed
    uint32_t has_events : 1; // the mixer has events of a frame before
} batch_wait;

static_assert(sizeof(batch_wait) <= sizeof(((sinew_batch_item *)NULL)->memory), "an item's memory is too small");

static inline batch_wait sinewi_batch_get_wait(const sinew_batch_item *item) {
    batch_wait wait;
    memcpy(&wait, item->memory, sizeof wait);
    return wait;
}

static inline void sinewi_batch_set_wait(sinew_batch_item *item, batch_wait wait) {
    memcpy(item->memory, &wait, sizeof wait);
}

// The step of an item by `dt` and the time that it has waited. What a float cannot hold of it waits for the next one.
static inline float sinewi_batch_take_seconds(batch_wait *wait, float dt) {
    double seconds = wait->seconds + (double)dt;
    float step = seconds > 0.0 ? (float)seconds : 0.0f;
    wait->seconds = seconds - (double)step;
    return step;
}

// With assertions: the mixers of a batch know that it is being updated. Until then only the batch may advance them, and
// none may be destroyed.
#ifdef NDEBUG
#define SINEWI_BATCH_MARK(items, first, count, in_batch) ((void)0)
#else
#define SINEWI_BATCH_MARK(items, first, count, in_batch) sinewi_batch_mark(items, first, count, in_batch)
static inline void sinewi_batch_mark(const sinew_batch_item *items, int32_t first, int32_t count, bool in_batch) {
    for (int32_t i = first; i < first + count; i++) {
        assert(items[i].mixer && "an item of a batch without a mixer");
        assert(!(in_batch && items[i].mixer->in_batch) &&
               "sinew_batch_update in on_event or `clock` of the same batch, or a mixer in two items");
        items[i].mixer->in_batch = in_batch;
    }
}
#endif

#endif
