// SPDX-License-Identifier: MIT
// Removes the slips of planted feet.
//
// While a foot is planted, it's moved against the slip of its lowest sole point. It rolls from heel to toes without
// sliding. Each contact keeps its mean position. Between two contacts, the offset changes smoothly and starts with the
// contacts' velocities, so the foot doesn't jump or jerk. Then the hips are lowered where a leg wouldn't reach, and the
// legs are solved.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REACH     0.999f // of a leg's length
#define MAX_LOWER 0.2f   // in leg lengths
#define EASE      0.1    // seconds to lower the hips, and for an offset's velocity to end

typedef struct planter {
    take *take;
    const takes_body *body;
    const takes_contacts *contacts;
    bool is_loop;
    sinew_vec3 *offsets; // [TAKES_LEGS × (number of intervals + 1)]
    sinew_vec3 *ankles;  // [TAKES_LEGS × frames]; where they are in the take
    float *needs;        // [frames]; how far the hips must come down
    float *lowers;       // [frames]; how far they do
    float *scratch;      // [frames]
} planter;

// ---- Offsets -------------------------------------------------------------------------------------------------

// One leg's offsets. In a loop, frames count from an interval where its foot isn't planted.
typedef struct leg_path {
    const planter *p;
    const float *weights;    // [count]
    const sinew_vec3 *slips; // [count]
    sinew_vec3 *offsets;     // [count + 1]; frames starting at `first`
    int32_t count, first;
} leg_path;

// One end of a swing.
typedef struct path_end {
    double time;
    sinew_vec3 offset, velocity;
} path_end;

static double time_at(const leg_path *l, int32_t frame) {
    const take *t = l->p->take;
    const int32_t at = l->first + frame;
    if (at <= l->count) return (double)t->times[at];
    return (double)t->times[at - l->count] + (double)t->times[l->count];
}

static int32_t interval_at(const leg_path *l, int32_t frame) {
    return (l->first + frame) % l->count;
}

static bool is_planted(const leg_path *l, int32_t frame) {
    return frame >= 0 && frame < l->count && l->weights[interval_at(l, frame)] > 0.0f;
}

// Returns the offset's velocity in an interval.
static sinew_vec3 velocity_at(const leg_path *l, int32_t frame) {
    const int32_t i = interval_at(l, frame);
    return sinew_vec3_scale(l->slips[i], -l->weights[i]);
}

// Computes a contact's offsets, starting at frame `start`. Returns its last frame.
static int32_t fill_contact(const leg_path *l, int32_t start) {
    int32_t end = start;
    sinew_vec3 sum = {0, 0, 0};
    l->offsets[start] = sum;
    while (is_planted(l, end)) {
        const float step = (float)(time_at(l, end + 1) - time_at(l, end));
        l->offsets[end + 1] = sinew_vec3_add(l->offsets[end], sinew_vec3_scale(velocity_at(l, end), step));
        end++;
        sum = sinew_vec3_add(sum, l->offsets[end]);
    }
    const sinew_vec3 mean = sinew_vec3_scale(sum, 1.0f / (float)(end - start + 1));
    for (int32_t f = start; f <= end; f++) l->offsets[f] = sinew_vec3_subtract(l->offsets[f], mean);
    return end;
}

// Returns the end of the contact before a swing, or the start of the contact after it.
static path_end end_of(const leg_path *l, int32_t frame, bool is_start) {
    return (path_end){time_at(l, frame), l->offsets[frame], velocity_at(l, is_start ? frame : frame - 1)};
}

// Returns a motion that starts with velocity 1 and is over after `span` seconds.
static double fading(double time, double span) {
    const double left = 1.0 - time / span;
    return time < span ? time * left * left : 0.0;
}

// Interpolates from one end to the other. The ends' velocities decay within EASE seconds.
static sinew_vec3 between(const path_end *a, const path_end *b, double time) {
    const double span = b->time - a->time, ease = fmin(EASE, 0.5 * span);
    if (!(span > 0.0)) return b->offset;
    const double u = (time - a->time) / span;
    const sinew_vec3 way = sinew_vec3_lerp(a->offset, b->offset, (float)(u * u * (3.0 - 2.0 * u)));
    const sinew_vec3 out = sinew_vec3_scale(a->velocity, (float)fading(time - a->time, ease));
    const sinew_vec3 in = sinew_vec3_scale(b->velocity, (float)-fading(b->time - time, ease));
    return sinew_vec3_add(way, sinew_vec3_add(out, in));
}

static void fill_swing(const leg_path *l, int32_t from, int32_t to, path_end a, path_end b) {
    for (int32_t f = from; f < to; f++) l->offsets[f] = between(&a, &b, time_at(l, f));
}

static path_end held(double time, sinew_vec3 offset) {
    return (path_end){time, offset, {0, 0, 0}};
}

// Fills in what's before the first contact, which starts at frame `start`, and after the last one.
static void fill_ends(const leg_path *l, int32_t start, int32_t end) {
    path_end first = end_of(l, start, true), last = end_of(l, end, false);
    const double duration = time_at(l, l->count) - time_at(l, 0);
    path_end before = held(time_at(l, 0), first.offset), after = held(time_at(l, l->count), last.offset);
    if (l->p->is_loop) {
        before = last, after = first;
        before.time -= duration;
        after.time += duration;
    }
    fill_swing(l, 0, start, before, first);
    fill_swing(l, end + 1, l->count + 1, last, after);
}

static void fill_offsets(const leg_path *l) {
    int32_t first_start = -1, last_end = -1;
    for (int32_t f = 0; f < l->count; f++) {
        if (!is_planted(l, f)) continue;
        const int32_t end = fill_contact(l, f);
        if (first_start < 0) first_start = f;
        if (last_end >= 0) fill_swing(l, last_end + 1, f, end_of(l, last_end, false), end_of(l, f, true));
        last_end = f = end;
    }
    if (first_start >= 0) fill_ends(l, first_start, last_end);
}

// Returns a loop's first interval with a foot in the air, or 0.
static int32_t first_of(const planter *p, const float *weights) {
    for (int32_t i = 0; p->is_loop && i < p->contacts->count; i++)
        if (!(weights[i] > 0.0f)) return i;
    return 0;
}

static bool find_offsets(planter *p) {
    const int32_t count = p->contacts->count;
    sinew_vec3 *path = calloc((size_t)count + 1, sizeof *path);
    for (int leg = 0; path && leg < TAKES_LEGS; leg++) {
        const float *weights = p->contacts->weights + (ptrdiff_t)leg * count;
        const leg_path l = {p,    weights, p->contacts->slips + (ptrdiff_t)leg * count,
                            path, count,   first_of(p, weights)};
        sinew_vec3 *offsets = p->offsets + (ptrdiff_t)leg * (count + 1);
        memset(path, 0, ((size_t)count + 1) * sizeof *path);
        fill_offsets(&l);
        for (int32_t f = 0; f <= count; f++) {
            const int32_t at = l.first + f;
            offsets[at < count || l.first == 0 ? at : at - count] = path[f];
        }
        if (l.first > 0) offsets[count] = offsets[0];
    }
    free(path);
    return path != NULL;
}

static sinew_vec3 offset_of(const planter *p, int leg, int32_t frame) {
    return p->offsets[leg * (p->contacts->count + 1) + frame];
}

// ---- Hips ----------------------------------------------------------------------------------------------------

static sinew_vec3 position_of(const take *t, int32_t node) {
    return (sinew_vec3){t->model[node].m[0][3], t->model[node].m[1][3], t->model[node].m[2][3]};
}

static float distance(sinew_vec3 a, sinew_vec3 b) {
    return sinew_vec3_length(sinew_vec3_subtract(a, b));
}

// Returns how far the hips must come down for a leg to reach. t->model must be the frame's.
static float need_of(const planter *p, int leg, int32_t frame) {
    const sinew_ik_two_bone *limb = &p->body->feet.feet[leg].leg;
    const sinew_vec3 thigh = position_of(p->take, limb->upper), shin = position_of(p->take, limb->lower);
    const sinew_vec3 ankle = position_of(p->take, limb->end);
    const float length = REACH * (distance(thigh, shin) + distance(shin, ankle));
    const float reach = fmaxf(length, distance(thigh, ankle));
    const sinew_vec3 arm = sinew_vec3_subtract(thigh, sinew_vec3_add(ankle, offset_of(p, leg, frame)));
    const float below = reach * reach - arm.x * arm.x - arm.z * arm.z;
    const float need = below > 0.0f ? arm.y - sqrtf(below) : arm.y;
    return fminf(fmaxf(need, 0.0f), MAX_LOWER * p->body->leg_length);
}

static bool is_below(const sinew_skeleton *skeleton, int32_t node, int32_t ancestor) {
    return node > ancestor && node < skeleton->subtree_ends[ancestor];
}

static void find_needs(const planter *p) {
    take *t = p->take;
    const int32_t hips = p->body->hips;
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        p->needs[f] = 0.0f;
        for (int leg = 0; leg < TAKES_LEGS; leg++) {
            const sinew_ik_two_bone *limb = &p->body->feet.feet[leg].leg;
            p->ankles[leg * t->count + f] = position_of(t, limb->end);
            if (is_below(t->skeleton, limb->upper, hips)) p->needs[f] = fmaxf(p->needs[f], need_of(p, leg, f));
        }
    }
}

// Returns a neighboring frame, clamped to the take. A loop wraps around, because its last frame is the first.
static int32_t neighbour(const planter *p, int32_t frame) {
    const int32_t last = p->take->count - 1;
    if (p->is_loop) return ((frame % last) + last) % last;
    return frame < 0 ? 0 : frame > last ? last : frame;
}

// Takes the largest need in a window and then the mean over such a window. This is smooth and never less than needed.
static float ease_hips(const planter *p) {
    const take *t = p->take;
    const int32_t last = t->count - 1;
    const double window = ceil(EASE * (double)last / (double)t->times[last]);
    const int32_t around = window < (double)last ? (int32_t)window : last;
    float most = 0.0f;
    for (int32_t f = 0; f <= last; f++) {
        p->scratch[f] = 0.0f;
        for (int32_t k = -around; k <= around; k++)
            p->scratch[f] = fmaxf(p->scratch[f], p->needs[neighbour(p, f + k)]);
    }
    for (int32_t f = 0; f <= last; f++) {
        double sum = 0.0;
        for (int32_t k = -around; k <= around; k++) sum += (double)p->scratch[neighbour(p, f + k)];
        p->lowers[f] = (float)(sum / (double)(2 * around + 1));
        most = fmaxf(most, p->lowers[f]);
    }
    return most;
}

// ---- Legs ----------------------------------------------------------------------------------------------------

static void solve_leg(const planter *p, int leg, int32_t frame) {
    take *t = p->take;
    sinew_ik_two_bone limb = p->body->feet.feet[leg].leg;
    limb.target = sinew_vec3_add(p->ankles[leg * t->count + frame], offset_of(p, leg, frame));
    limb.end_mode = SINEW_IK_LIMB_END_KEEP;
    sinew_ik_two_bone_solve(&limb, t->pose, t->model);
    sinew_pose_to_model_below(t->pose, limb.upper, t->model);
    take_keep(t, frame, limb.upper, SINEW_TARGET_ROTATION);
    take_keep(t, frame, limb.lower, SINEW_TARGET_ROTATION);
    take_keep(t, frame, limb.end, SINEW_TARGET_ROTATION);
}

static void solve_legs(const planter *p, bool lowers) {
    take *t = p->take;
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        if (lowers) {
            take_move(t, f, p->body->hips, (sinew_vec3){0, -p->lowers[f], 0});
            take_pose(t, f);
        }
        for (int leg = 0; leg < TAKES_LEGS; leg++) solve_leg(p, leg, f);
    }
}

static bool reserve(planter *p) {
    const size_t frames = (size_t)p->take->count;
    p->offsets = calloc(TAKES_LEGS * frames, sizeof *p->offsets);
    p->ankles = calloc(TAKES_LEGS * frames, sizeof *p->ankles);
    p->needs = calloc(frames, sizeof *p->needs);
    p->lowers = calloc(frames, sizeof *p->lowers);
    p->scratch = calloc(frames, sizeof *p->scratch);
    return p->offsets && p->ankles && p->needs && p->lowers && p->scratch;
}

sinew_result takes_plant(take *t, const takes_body *body, takes_contacts *contacts, float *lowered,
                         sinew_error *error) {
    planter p = {.take = t, .body = body, .contacts = contacts};
    *lowered = 0.0f;
    sinew_result result = takes_is_loop(t, body, &p.is_loop, NULL, error);
    if (result == SINEW_OK && !(reserve(&p) && find_offsets(&p))) result = takes_fail_memory(error);
    if (result == SINEW_OK) {
        find_needs(&p);
        *lowered = ease_hips(&p);
        solve_legs(&p, *lowered > 0.0f);
        result = takes_measure_slips(contacts, t, body, error);
    }
    free(p.offsets);
    free(p.ankles);
    free(p.needs);
    free(p.lowers);
    free(p.scratch);
    return result;
}
