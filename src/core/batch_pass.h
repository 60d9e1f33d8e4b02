// SPDX-License-Identifier: MIT
// One pass over a batch's characters, in a pipeline with three stages. While one character is mixed, the next one's
// keys are found, and the memory of the one after it is prefetched.
#ifndef SINEWI_BATCH_PASS_H
#define SINEWI_BATCH_PASS_H

#include <sinew/batch.h>

#include "core/mixer_interface.h"

#include <assert.h>
#include <string.h>

// The maximum number of characters whose matrix products are interleaved.
#define SINEWI_MAX_GROUP 4

// Characters whose local matrices are ready.
typedef struct batch_group {
    sinew_batch_item *items[SINEWI_MAX_GROUP];
    sinew_affine *models[SINEWI_MAX_GROUP]; // where each character's matrices are computed
    const sinew_mixer
        *lenders[SINEWI_MAX_GROUP]; // whose memory each character borrows if it only needs the palette
    int32_t count;
    bool streams; // a palette was written with non-temporal stores
} batch_group;

// A character in the pipeline.
typedef struct batch_step {
    sinew_batch_item *item; // NULL if empty
    float waited;           // how far it is behind. It has no events in this time.
    float seconds;          // how far to advance it after that
    bool poses;             // false if it is only advanced
} batch_step;

// The characters in the pipeline. Separate from the rest, so it can stay in registers.
typedef struct batch_pipeline {
    batch_step fetched; // added last
    batch_step begun;   // added before that, and mixed next
    int32_t input;      // the input of `begun`
    bool fetches;       // prefetch memory
    bool finds_quiet;   // compute how long each mixer may wait
} batch_pipeline;

typedef struct batch_pass {
    batch_pipeline pipeline;
    batch_group group;
    sinewi_kernel_input inputs[2];
} batch_pass;

// Starts a pass over roughly `count` characters.
void sinewi_batch_pass_begin(batch_pass *pass, int32_t count, bool finds_quiet);

// Adds a character. Its results are complete after sinewi_batch_pass_end.
void sinewi_batch_pass_add(batch_pass *pass, batch_step step);
void sinewi_batch_pass_end(batch_pass *pass);

// Frames without a pose are counted up to this many.
#define SINEWI_MAX_WAITED_FRAMES 0x7fffffffu

// An item's `memory`, which keeps this between updates.
typedef struct batch_wait {
    double seconds; // how far the mixer is behind
    // The item's last pose used these.
    const sinew_node_lod *lod;
    const sinew_skin *skin;
    const sinew_affine *palette;
    float quiet_seconds;     // how long the mixer may wait before it has an event
    uint32_t frames : 31;    // since the last pose. 0 if never posed.
    uint32_t has_events : 1; // the mixer still has events of an earlier frame
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

// Returns the step for `dt` and the time that the item has waited. What doesn't fit in a float waits for the next step.
static inline float sinewi_batch_take_seconds(batch_wait *wait, float dt) {
    double seconds = wait->seconds + (double)dt;
    float step = seconds > 0.0 ? (float)seconds : 0.0f;
    wait->seconds = seconds - (double)step;
    return step;
}

// Marks the mixers of a batch while it is being updated, for assertions. Only the batch may advance them during that
// time, and you must not destroy them.
#ifdef NDEBUG
#define SINEWI_BATCH_MARK(items, first, count, in_batch) ((void)0)
#else
#define SINEWI_BATCH_MARK(items, first, count, in_batch) sinewi_batch_mark(items, first, count, in_batch)
static inline void sinewi_batch_mark(const sinew_batch_item *items, int32_t first, int32_t count, bool in_batch) {
    for (int32_t i = first; i < first + count; i++) {
        assert(items[i].mixer && "a batch item without a mixer");
        assert(!(in_batch && items[i].mixer->in_batch) &&
               "sinew_batch_update in on_event or `clock` of the same batch, or a mixer in two items");
        items[i].mixer->in_batch = in_batch;
    }
}
#endif

#endif
