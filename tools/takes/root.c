// SPDX-License-Identifier: MIT
// Travel along the ground: removes it from the hips, gives it to a node, or measures it from planted feet.
//
// A loop's hips sway while they travel, so only their mean velocity along the heading is removed. The path is a line,
// or an arc if the loop turns. If a node above the hips travels, or the take doesn't repeat, the whole path is removed.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>

#define TRAVELS 0.1f  // in character heights; less than this is sway
#define SLIDES  0.02f // fraction of the ground speed; less than this is measurement error

// ---- Arcs ----------------------------------------------------------------------------------------------------

// A constant velocity along a heading that turns at a constant rate.
typedef struct arc {
    double x, z;    // m/s, along the first heading
    double turning; // radians per second
} arc;

// Computes the integrals of the heading's cosine and sine up to a time.
static void integrals(double turning, double time, double *along, double *across) {
    const double angle = turning * time;
    const bool is_straight = fabs(angle) < 1e-5;
    *along = is_straight ? time : sin(angle) / turning;
    *across = is_straight ? 0.5 * angle * time : (1.0 - cos(angle)) / turning;
}

static sinew_vec3 arc_at(const arc *a, double time) {
    double along, across;
    integrals(a->turning, time, &along, &across);
    return (sinew_vec3){(float)(along * a->x + across * a->z), 0, (float)(along * a->z - across * a->x)};
}

// Finds the arc that's at `end` after a time. Returns false for whole turns, because they return to the start.
static bool find_arc(sinew_vec3 end, double turn, double time, arc *a) {
    double along, across;
    a->turning = turn / time;
    integrals(a->turning, time, &along, &across);
    const double size = along * along + across * across;
    if (!(size > 0.01 * time * time)) return false;
    a->x = (along * (double)end.x - across * (double)end.z) / size;
    a->z = (across * (double)end.x + along * (double)end.z) / size;
    return true;
}

// ---- Paths ---------------------------------------------------------------------------------------------------

static sinew_vec3 level_of(const take *t, int32_t node) {
    return (sinew_vec3){t->model[node].m[0][3], 0, t->model[node].m[2][3]};
}

static double end_of(const take *t) {
    return (double)t->times[t->count - 1];
}

// Returns how far a node turns in the whole take, adding up all steps.
static double turn_of(take *t, int32_t node) {
    double turn = 0.0;
    take_pose(t, 0);
    sinew_affine last = t->model[node];
    for (int32_t f = 1; f < t->count; f++) {
        take_pose(t, f);
        turn += takes_yaw_between(&last, &t->model[node]);
        last = t->model[node];
    }
    return turn;
}

// Fills in `path` [count], a node's level position relative to its first one. Returns the largest distance.
static float find_path(take *t, int32_t node, sinew_vec3 *path) {
    float farthest = 0.0f;
    sinew_vec3 start = {0, 0, 0};
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        if (f == 0) start = level_of(t, node);
        path[f] = sinew_vec3_subtract(level_of(t, node), start);
        farthest = fmaxf(farthest, sinew_vec3_length(path[f]));
    }
    return farthest;
}

static bool moves(const sinew_clip *clip, int32_t node) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *c = &clip->channels[i];
        if (c->node == node && c->target == SINEW_TARGET_TRANSLATION && c->timeline >= 0) return true;
    }
    return false;
}

// Returns the highest node between the root and the hips that travels. `path` receives its path.
static int32_t find_traveller(take *t, const takes_body *body, sinew_vec3 *path) {
    int32_t chain[64], count = 0;
    for (int32_t n = body->hips; n != SINEW_NO_NODE && count < (int32_t)(sizeof chain / sizeof *chain);
         n = t->skeleton->parents[n])
        if (moves(t->clip, n)) chain[count++] = n;
    while (count-- > 0)
        if (find_path(t, chain[count], path) > TRAVELS * body->feet.height) return chain[count];
    return SINEW_NO_NODE;
}

void takes_give_travel(take *t, int32_t node, const takes_travel *travel) {
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        take_move(t, f, node, travel->moved[f]);
    }
}

static void take_back(take *t, int32_t node, const takes_travel *travel) {
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        take_move(t, f, node, sinew_vec3_scale(travel->moved[f], -1.0f));
    }
}

static float length_of(const takes_travel *travel, int32_t count) {
    float length = 0.0f;
    for (int32_t f = 1; f < count; f++)
        length += sinew_vec3_length(sinew_vec3_subtract(travel->moved[f], travel->moved[f - 1]));
    return length;
}

// Returns how far the first pose's hips are from the rest pose's, along the ground, or 0 if that's only sway.
static sinew_vec3 start_of(take *t, const takes_body *body) {
    sinew_pose_reset(t->pose);
    sinew_pose_to_model(t->pose, t->model);
    const sinew_vec3 rest = level_of(t, body->hips);
    take_pose(t, 0);
    const sinew_vec3 start = sinew_vec3_subtract(level_of(t, body->hips), rest);
    return sinew_vec3_length(start) > TRAVELS * body->feet.height ? start : (sinew_vec3){0, 0, 0};
}

// Replaces the hips' path in a loop with an even arc.
static sinew_result make_even(take *t, const takes_body *body, takes_travel *travel, sinew_error *error) {
    bool is_loop;
    takes_seam seam;
    const sinew_result result = takes_is_loop(t, body, &is_loop, &seam, error);
    arc a;
    if (result != SINEW_OK || !is_loop || travel->node != body->hips) return result;
    if (!find_arc(travel->moved[t->count - 1], (double)travel->turn, end_of(t), &a)) return SINEW_OK;
    for (int32_t f = 0; f < t->count; f++) travel->moved[f] = arc_at(&a, (double)t->times[f]);
    travel->is_even = true;
    return SINEW_OK;
}

sinew_result takes_remove_travel(take *t, const takes_body *body, takes_travel *travel, sinew_error *error) {
    *travel = (takes_travel){.node = SINEW_NO_NODE};
    travel->moved = calloc((size_t)t->count, sizeof *travel->moved);
    if (!travel->moved) return takes_fail_memory(error);
    travel->node = find_traveller(t, body, travel->moved);
    travel->turn = (float)turn_of(t, body->hips);
    const bool travels = travel->node != SINEW_NO_NODE;
    const sinew_result result = travels ? make_even(t, body, travel, error) : SINEW_OK;
    if (result != SINEW_OK) return result;
    if (travels) travel->speed = length_of(travel, t->count) / (float)end_of(t);
    const sinew_vec3 start = start_of(t, body);
    travel->start = sinew_vec3_length(start);
    if (!travels && travel->start > 0.0f) travel->node = body->hips;
    for (int32_t f = 0; f < t->count; f++)
        travel->moved[f] = travels ? sinew_vec3_add(travel->moved[f], start) : start;
    if (travel->node != SINEW_NO_NODE) take_back(t, travel->node, travel);
    return SINEW_OK;
}

// ---- The measured speed --------------------------------------------------------------------------------------

// Returns the hips' mean velocity along their heading, as if they turned evenly.
static sinew_vec3 hips_velocity(take *t, const takes_body *body, double turning) {
    sinew_vec3 sum = {0, 0, 0};
    take_pose(t, 0);
    sinew_vec3 last = level_of(t, body->hips);
    for (int32_t f = 1; f < t->count; f++) {
        take_pose(t, f);
        const sinew_vec3 now = level_of(t, body->hips);
        const double middle = 0.5 * ((double)t->times[f - 1] + (double)t->times[f]);
        sum = sinew_vec3_add(sum, takes_turned(sinew_vec3_subtract(now, last), -turning * middle));
        last = now;
    }
    return sinew_vec3_scale(sum, (float)(1.0 / end_of(t)));
}

sinew_result takes_add_travel(take *t, const takes_body *body, int32_t node, takes_travel *travel,
                              sinew_error *error) {
    *travel = (takes_travel){.node = SINEW_NO_NODE, .is_even = true};
    sinew_clip_speed speed;
    sinew_clip *clip;
    sinew_result result = take_create_clip(t, NULL, &clip, error);
    if (result != SINEW_OK) return result;
    const bool has_speed = sinew_clip_measure_speed(clip, &body->feet, &speed);
    sinew_clip_destroy(clip);
    if (!has_speed) {
        return takes_fail(error, SINEW_ERROR_UNSUPPORTED,
                          "--root-motion: the planted feet don't move at a common speed, or the clip isn't a loop; "
                          "cut one with --find-loop and --range");
    }
    travel->moved = calloc((size_t)t->count, sizeof *travel->moved);
    if (!travel->moved) return takes_fail_memory(error);
    const sinew_vec3 own = hips_velocity(t, body, (double)speed.yaw_rate);
    const sinew_vec3 missing = sinew_vec3_subtract(speed.velocity, own);
    travel->turn = speed.yaw_rate * (float)end_of(t);
    travel->speed = speed.speed;
    if (speed.gait != SINEW_GAIT_MOVES || sinew_vec3_length(missing) < SLIDES * speed.speed) return SINEW_OK;
    const arc a = {(double)missing.x, (double)missing.z, (double)speed.yaw_rate};
    for (int32_t f = 0; f < t->count; f++) travel->moved[f] = arc_at(&a, (double)t->times[f]);
    travel->node = node;
    travel->speed = sinew_vec3_length(missing);
    takes_give_travel(t, node, travel);
    return SINEW_OK;
}
