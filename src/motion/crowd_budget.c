// SPDX-License-Identifier: MIT
// Batches within a budget: which characters are posed this frame, which only advance, and which wait.
//
// A character's priority is its significance times the frames since its last pose, so its pose rate is proportional to
// its significance. A first walk over the items counts them by level of priority. The second walk poses the highest
// levels, as many characters as fit, in memory order.
#include <sinew/mixer_pose.h>
#include <sinew/motion/crowd.h>

#include "core/batch_pass.h"
#include "base/callback.h"
#include "base/def_cookie.h"

#include <float.h>
#include <string.h>

// ---- Priorities ----------------------------------------------------------------------------------------------

// A level is an eighth of an octave of priority: a float's exponent and three bits of its mantissa. Level 0 is never
// posed, and the last level always is.
enum { LEVEL_SHIFT = 20, LAST_LEVEL = (0x7f800000 >> LEVEL_SHIFT) + 1, LEVELS = LAST_LEVEL + 1 };

static int32_t level_of(const sinew_batch_item *item) {
    const batch_wait wait = sinewi_batch_get_wait(item);
    if (wait.frames == 0) return LAST_LEVEL; // its palette hasn't been written yet
    float priority = item->significance * (float)wait.frames;
    if (!(priority > 0.0f)) return 0; // also NaN
    if (isinf(item->significance)) return LAST_LEVEL;
    if (priority > FLT_MAX) priority = FLT_MAX;
    uint32_t bits;
    memcpy(&bits, &priority, sizeof bits);
    return (int32_t)(bits >> LEVEL_SHIFT) + 1;
}

// The characters to pose: those above `level`, and the first `left` at that level.
typedef struct selection {
    int32_t level, left;
} selection;

static selection select_items(const sinew_batch_item *items, int32_t count, int32_t capacity) {
    int32_t counts[LEVELS] = {0};
    for (int32_t i = 0; i < count; i++) counts[level_of(&items[i])]++;
    selection s = {.level = LAST_LEVEL - 1, .left = capacity - counts[LAST_LEVEL]};
    while (s.level > 0 && counts[s.level] <= s.left) s.left -= counts[s.level--];
    return s;
}

static bool take(selection *s, int32_t level) {
    if (level != s->level || level == 0) return level > s->level;
    return s->left > 0 && s->left-- > 0;
}

// ---- Time ----------------------------------------------------------------------------------------------------

// The part of a frame's time that is planned for. Then the parts after which no more characters are posed, at the
// first and at the last item of the walk. The rest is for events of later items, and for a core that is slower than
// in previous frames.
#define PLANNED       0.9
#define STOP_AT_FIRST 0.75
#define STOP_AT_LAST  0.95

// Characters posed between two readings of the clock.
#define READ_EACH 16

// Weight of the last frame in the mean cost of a pose, and how many poses it takes to measure that cost.
#define COST_GAIN          0.125f
#define MIN_MEASURED_POSES 8

// Timing of the current frame.
typedef struct frame_clock {
    sinew_batch_budget *budget;
    double start;
    bool is_over;
} frame_clock;

static double seconds_since_start(const frame_clock *clock) {
    return clock->budget->clock(clock->budget->user) - clock->start;
}

static frame_clock start_clock(sinew_batch_budget *budget) {
    return (frame_clock){budget, budget->clock ? budget->clock(budget->user) : 0.0, false};
}

static int32_t capacity_of(const sinew_batch_budget *budget) {
    int32_t most = budget->max_poses > 0 ? budget->max_poses : 0;
    if (!budget->clock || !(budget->pose_cost > 0.0f)) return most;
    double fitting = PLANNED * (double)budget->seconds / (double)budget->pose_cost;
    if (!(fitting > 0.0)) return 0; // also NaN
    return fitting < (double)most ? (int32_t)fitting : most;
}

// Reads the clock now and then. `part` is how much of the items the frame has already walked over.
static void check_clock(frame_clock *clock, double part) {
    const sinew_batch_budget *budget = clock->budget;
    if (!budget->clock || clock->is_over || budget->poses % READ_EACH != 0) return;
    double allowed = (double)budget->seconds * (STOP_AT_FIRST + (STOP_AT_LAST - STOP_AT_FIRST) * part);
    double next = READ_EACH * (double)budget->pose_cost;
    clock->is_over = !(seconds_since_start(clock) + next < allowed);
}

static void stop_clock(const frame_clock *clock) {
    sinew_batch_budget *budget = clock->budget;
    budget->used = budget->clock ? (float)seconds_since_start(clock) : 0.0f;
    if (!budget->clock || budget->poses < MIN_MEASURED_POSES) return;
    float cost = budget->used / (float)budget->poses;
    bool is_first = !(budget->pose_cost > 0.0f);
    budget->pose_cost = is_first ? cost : budget->pose_cost + COST_GAIN * (cost - budget->pose_cost);
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
    frame_clock clock = start_clock(budget);
    selection selected = select_items(items, count, capacity_of(budget));
    batch_pass pass;
    sinewi_batch_pass_begin(&pass, count, true);
    for (int32_t i = 0; i < count; i++) {
        int32_t level = level_of(&items[i]);
        bool poses = take(&selected, level) && (level == LAST_LEVEL || !clock.is_over);
        update_item(&pass, &items[i], poses, dt);
        if (!poses) continue;
        budget->poses++;
        check_clock(&clock, (double)i / (double)count);
    }
    sinewi_batch_pass_end(&pass);
    SINEWI_BATCH_MARK(items, 0, count, false);
    stop_clock(&clock);
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
