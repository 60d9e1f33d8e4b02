// SPDX-License-Identifier: MIT
// Batches within a budget: which characters are posed this frame, which only advance, and which wait.
//
// A first walk over the items counts them by level of priority. The second walk poses the highest levels, as many
// characters as fit, in memory order.
#include <sinew/mixer_pose.h>
#include <sinew/motion/crowd.h>

#include "core/batch_pass.h"
#include "motion/crowd_select.h"
#include "base/callback.h"
#include "base/def_cookie.h"

// ---- Priorities ----------------------------------------------------------------------------------------------

static int32_t level_of(const sinew_batch_item *item) {
    const batch_wait wait = sinewi_batch_get_wait(item);
    return sinewi_crowd_level(item->significance, wait.frames);
}

static sinewi_crowd_selection select_items(const sinew_batch_item *items, int32_t count, int32_t capacity) {
    int32_t counts[SINEWI_CROWD_LEVELS] = {0};
    for (int32_t i = 0; i < count; i++) counts[level_of(&items[i])]++;
    return sinewi_crowd_select(counts, capacity);
}

// ---- Items ---------------------------------------------------------------------------------------------------

// Lets time pass for a character without touching its mixer. Only drops the previous frame's events.
static void let_wait(sinew_batch_item *item, batch_wait *wait, float dt) {
    item->advanced = item->changed = false;
    wait->seconds += (double)dt;
    if (!wait->has_events) return;
    item->mixer->state->event_count = item->mixer->state->dropped_event_count = 0;
    wait->has_events = false;
}

static bool may_wait(const batch_wait *wait, float dt) {
    return wait->seconds + (double)dt < (double)wait->quiet_seconds;
}

static void count_frame(batch_wait *wait, bool poses) {
    if (poses) {
        wait->frames = 1;
    } else if (wait->frames < SINEWI_MAX_WAITED_FRAMES) {
        wait->frames++;
    }
}

// Takes one long step if no event is near. Otherwise the last frame gets its own step, so moments, weights and root
// deltas belong to that frame.
static batch_step step_of(sinew_batch_item *item, batch_wait *wait, bool poses, float dt) {
    if (may_wait(wait, dt)) return (batch_step){item, 0.0f, sinewi_batch_take_seconds(wait, dt), poses};
    return (batch_step){item, sinewi_batch_take_seconds(wait, 0.0f), dt, poses};
}

// Poses an item, only advances it, or lets it wait.
static void update_item(batch_pass *pass, sinew_batch_item *item, bool poses, float dt) {
    batch_wait wait = sinewi_batch_get_wait(item);
    count_frame(&wait, poses);
    if (!poses && may_wait(&wait, dt)) {
        let_wait(item, &wait, dt);
        sinewi_batch_set_wait(item, wait);
        return;
    }
    const batch_step step = step_of(item, &wait, poses, dt);
    sinewi_batch_set_wait(item, wait);
    sinewi_batch_pass_add(pass, step);
}

// ---- The interface -------------------------------------------------------------------------------------------

sinew_batch_budget sinew_batch_budget_default(void) {
    return (sinew_batch_budget){.max_poses = INT32_MAX, .cookie = SINEWI_DEF_COOKIE};
}

void sinew_batch_update_within(sinew_batch_budget *budget, sinew_batch_item *items, int32_t first, int32_t count,
                               float dt) {
    assert(budget && (count <= 0 || (items && first >= 0)));
    if (!SINEWI_IS_DEF(budget, "sinew_batch_budget: start from sinew_batch_budget_default()")) return;
    budget->poses = 0;
    budget->used = 0.0f;
    if (count <= 0) return;
    items += first;
    SINEWI_BATCH_MARK(items, 0, count, true);
    sinewi_crowd_clock clock = sinewi_crowd_start(budget);
    sinewi_crowd_selection selected = select_items(items, count, sinewi_crowd_capacity(budget));
    batch_pass pass;
    sinewi_batch_pass_begin(&pass, count, true);
    for (int32_t i = 0; i < count; i++) {
        int32_t level = level_of(&items[i]);
        bool poses = sinewi_crowd_take(&selected, level) && (level == SINEWI_CROWD_LAST_LEVEL || !clock.is_over);
        update_item(&pass, &items[i], poses, dt);
        if (!poses) continue;
        budget->poses++;
        sinewi_crowd_check(&clock, (double)i / (double)count);
    }
    sinewi_batch_pass_end(&pass);
    SINEWI_BATCH_MARK(items, 0, count, false);
    sinewi_crowd_stop(&clock);
}

void sinew_batch_catch_up(sinew_batch_item *item) {
    assert(item);
    if (!SINEWI_IS_IDLE(item->mixer->in_batch,
                        "sinew_batch_catch_up in sinew_batch_update: defer it until after the update"))
        return;
    batch_wait wait = sinewi_batch_get_wait(item);
    const float seconds = sinewi_batch_take_seconds(&wait, 0.0f);
    wait.quiet_seconds = 0.0f; // the program may be about to change the mixer
    sinewi_batch_set_wait(item, wait);
    if (seconds > 0.0f) sinew_mixer_advance(item->mixer, seconds);
}
