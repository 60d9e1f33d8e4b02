// SPDX-License-Identifier: MIT
// The roles of an asset whose rest pose may contradict them.
//
// Names are checked against positions: first in the rest pose, then in the bind pose, then by where the nodes are on
// average over all frames, seen from the hips. On average, striding legs and swinging arms are at the body's sides, and
// an animal's back is as level as it really is.
#include "base/fail.h"
#include "base/memory.h"
#include "humanoid/humanoid_shape.h"
#include "humanoid/reference_frames.h"
#include "humanoid/reference_score.h"

typedef struct role_search {
    const sinew_asset *asset;
    const sinew_allocator *allocator;
    sinew_pose *pose;
    rt_similarity *model;  // [node_count]
    rt_vec *sums;          // [node_count]
    sinew_vec3 *positions; // [node_count]
} role_search;

static bool allocate(role_search *s, sinewi_arena *scratch) {
    const size_t count = (size_t)s->asset->skeleton->node_count;
    s->model = sinewi_arena_array(scratch, rt_similarity, count);
    s->sums = sinewi_arena_zeros(scratch, rt_vec, count);
    s->positions = sinewi_arena_array(scratch, sinew_vec3, count);
    return s->model && s->sums && s->positions &&
           sinew_pose_create(s->asset->skeleton, s->allocator, &s->pose) == SINEW_OK;
}

static sinew_vec3 round_vec(rt_vec v) {
    return (sinew_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static sinew_result guess(const role_search *s, sinew_humanoid *humanoid, sinew_humanoid_report *report) {
    return sinewi_humanoid_guess_in(s->asset->skeleton, s->positions, s->asset->up, s->allocator, humanoid, report,
                                    NULL);
}

// Guesses by the bind pose.
static sinew_result guess_bound(role_search *s, sinew_humanoid *humanoid, sinew_humanoid_report *report) {
    bool differs;
    const sinew_result result = sinew_reference_bind_pose(s->asset, s->allocator, s->pose, &differs, NULL);
    if (result != SINEW_OK) return result;
    sinewi_reference_models(s->pose, s->model);
    for (int32_t i = 0; i < s->asset->skeleton->node_count; i++) s->positions[i] = round_vec(s->model[i].position);
    return differs ? guess(s, humanoid, report) : SINEW_ERROR_UNSUPPORTED;
}

// Adds the positions of a frame's nodes, with the hips above the origin and the upper legs side by side along X.
static void add_frame(role_search *s, const sinew_humanoid *named) {
    const rt_vec up = rt_up(s->asset->up), along = rt_make_vec(1, 0, 0);
    const rt_similarity *model = s->model;
    const rt_vec hips = rt_reject(model[named->nodes[SINEW_HUMANOID_HIPS]].position, up);
    const rt_vec across = rt_subtract(model[named->nodes[SINEW_HUMANOID_LEFT_UPPER_LEG]].position,
                                      model[named->nodes[SINEW_HUMANOID_RIGHT_UPPER_LEG]].position);
    const rt_quat turn = rt_about(up, rt_reject(across, up), along);
    for (int32_t i = 0; i < s->asset->skeleton->node_count; i++)
        s->sums[i] = rt_add(s->sums[i], rt_rotate(turn, rt_subtract(model[i].position, hips)));
}

// Guesses by the mean of the frames. `named` has the roles by name.
static sinew_result guess_moving(role_search *s, const sinew_humanoid *named, sinew_humanoid *humanoid,
                                 sinew_humanoid_report *report) {
    const int32_t count = sinewi_reference_frame_count(s->asset);
    if (count == 0) return SINEW_ERROR_UNSUPPORTED;
    for (int32_t i = 0; i < count; i++) {
        sinewi_reference_sample(s->asset, sinewi_reference_frame_at(s->asset, i), s->pose);
        sinewi_reference_models(s->pose, s->model);
        add_frame(s, named);
    }
    for (int32_t i = 0; i < s->asset->skeleton->node_count; i++)
        s->positions[i] = round_vec(rt_scale(s->sums[i], 1.0 / (double)count));
    return guess(s, humanoid, report);
}

// Whether names give all required roles, so only the rest pose contradicts them.
static bool is_named(const sinew_humanoid *humanoid) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (sinew_humanoid_is_required(role) && humanoid->nodes[role] == SINEW_NO_NODE) return false;
    return true;
}

// Checks the names against other poses than the rest pose.
static sinew_result guess_otherwise(const sinew_asset *asset, const sinew_allocator *allocator,
                                    sinew_humanoid *humanoid, sinew_humanoid_report *report) {
    role_search s = {.asset = asset, .allocator = allocator};
    sinew_humanoid roles;
    sinew_humanoid_report checked;
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, allocator);
    if (allocate(&s, &scratch)) {
        result = guess_bound(&s, &roles, &checked);
        if (result == SINEW_ERROR_UNSUPPORTED) result = guess_moving(&s, humanoid, &roles, &checked);
    }
    sinew_pose_destroy(s.pose);
    sinewi_arena_free(&scratch);
    if (result == SINEW_OK) *humanoid = roles, *report = checked;
    return result;
}

sinew_result sinew_humanoid_find(const sinew_asset *asset, const sinew_allocator *allocator,
                                 sinew_humanoid *humanoid, sinew_humanoid_report *report, sinew_error *error) {
    sinew_humanoid_report unused;
    if (!report) report = &unused;
    if (asset->humanoid) {
        *humanoid = *asset->humanoid;
        return sinew_humanoid_check(asset->skeleton, asset->up, humanoid, report, error);
    }
    sinew_error refused; // the caller's error is only written on failure
    sinew_result result = sinew_humanoid_guess(asset->skeleton, asset->up, allocator, humanoid, report, &refused);
    if (result == SINEW_ERROR_UNSUPPORTED && is_named(humanoid))
        result = guess_otherwise(asset, allocator, humanoid, report);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(error);
    return result == SINEW_OK ? SINEW_OK : sinewi_fail(error, result, "%s", refused.message);
}
