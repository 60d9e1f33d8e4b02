// SPDX-License-Identifier: MIT
// Chooses a reference pose: the bind pose, the rest pose, or a frame.
#include <sinew/humanoid/reference.h>

#include "base/fail.h"
#include "base/memory.h"
#include "humanoid/reference_frames.h"
#include "humanoid/reference_score.h"

#include <assert.h>

// ---- The search ----------------------------------------------------------------------------------------------

// Searches for the pose with the best score.
typedef struct search {
    const sinew_asset *asset;
    const sinew_humanoid *humanoid;
    sinew_pose *work, *best; // the pose being scored, and the best one so far
    rt_similarity *model;    // [node_count]
    sinew_reference found;
    const char *fault; // of the best pose; NULL before the first
} search;

// Takes the pose in `work` if it beats the best by more than rounding.
static void consider(search *s, sinew_reference_kind kind, reference_frame frame) {
    sinewi_reference_models(s->work, s->model);
    const reference_body body = sinewi_reference_read_body(s->humanoid, s->model, s->asset->up);
    const reference_score score = sinewi_reference_judge(&body);
    if (s->fault && !(score.score > s->found.score + 1e-3f)) return;
    s->found = (sinew_reference){.kind = kind, .clip = frame.clip, .time = frame.time, .score = score.score};
    s->fault = score.fault;
    sinew_pose_copy(s->best, s->work);
}

static bool is_good(const search *s) {
    return s->fault && s->found.score >= SINEW_REFERENCE_GOOD_SCORE;
}

// Returns false if memory runs out.
static bool consider_bind(search *s, const sinew_allocator *allocator) {
    const reference_frame none = {0, 0.0f};
    bool differs;
    const sinew_result result = sinew_reference_bind_pose(s->asset, allocator, s->work, &differs, NULL);
    if (result == SINEW_OK && differs) consider(s, SINEW_REFERENCE_BIND, none);
    return result != SINEW_ERROR_OUT_OF_MEMORY;
}

static bool look(search *s, const sinew_allocator *allocator) {
    const reference_frame none = {0, 0.0f};
    if (!consider_bind(s, allocator)) return false;
    if (is_good(s)) return true;
    sinew_pose_reset(s->work);
    consider(s, SINEW_REFERENCE_REST, none);
    if (is_good(s)) return true;
    for (int32_t i = 0; i < sinewi_reference_frame_count(s->asset); i++) {
        const reference_frame frame = sinewi_reference_frame_at(s->asset, i);
        sinewi_reference_sample(s->asset, frame, s->work);
        consider(s, SINEW_REFERENCE_CLIP, frame);
    }
    return true;
}

// Puts the nodes above the hips at rest, and moves what they do in the frame to the hips.
static void rest_above(search *s, int32_t hips) {
    const rt_similarity placed = s->model[hips];
    for (int32_t i = s->asset->skeleton->parents[hips]; i != SINEW_NO_NODE; i = s->asset->skeleton->parents[i])
        sinew_pose_set(s->best, i, s->asset->skeleton->rest[i]);
    sinewi_reference_models(s->best, s->model);
    sinewi_reference_place(s->best, s->model, hips, placed.position, placed.rotation);
}

// Brings a frame to where rest poses are: the hips above the origin, the trunk upright, facing glTF's +Z.
static void center(search *s) {
    const rt_vec up = rt_up(s->asset->up);
    const rt_vec forward = s->asset->up == SINEW_UP_Z ? rt_make_vec(0, -1, 0) : rt_make_vec(0, 0, 1);
    const int32_t hips = s->humanoid->nodes[SINEW_HUMANOID_HIPS];
    sinewi_reference_models(s->best, s->model);
    const reference_body body = sinewi_reference_read_body(s->humanoid, s->model, s->asset->up);
    rest_above(s, hips);
    sinewi_reference_models(s->best, s->model);
    const rt_quat upright = rt_between(sinewi_reference_trunk(&body), up);
    const rt_quat turn = rt_multiply(rt_about(up, sinewi_reference_ahead(&body), forward), upright);
    const rt_vec above = rt_scale(up, rt_dot(s->model[hips].position, up));
    sinewi_reference_place(s->best, s->model, hips, above, rt_multiply(turn, s->model[hips].rotation));
}

static sinew_result refuse(const search *s, sinew_error *error) {
    static const char *const kinds[] = {"the bind pose", "the rest pose", "a frame"};
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                       "no pose works as a reference: the best one, %s, scores %.2f but needs %.2f: %s",
                       kinds[s->found.kind], (double)s->found.score, (double)SINEW_REFERENCE_MIN_SCORE, s->fault);
}

static sinew_result find(search *s, const sinew_allocator *allocator, sinew_error *error) {
    if (!s->model || !look(s, allocator)) return sinewi_fail_memory(error);
    if (s->found.score < SINEW_REFERENCE_MIN_SCORE) return refuse(s, error);
    if (s->found.kind == SINEW_REFERENCE_CLIP && s->humanoid->nodes[SINEW_HUMANOID_HIPS] != SINEW_NO_NODE)
        center(s);
    sinewi_reference_plant(s->asset, s->humanoid, s->work, s->model, s->best, &s->found);
    return SINEW_OK;
}

sinew_result sinew_reference_find(const sinew_asset *asset, const sinew_humanoid *humanoid,
                                  const sinew_allocator *allocator, sinew_pose *pose, sinew_reference *reference,
                                  sinew_error *error) {
    assert(asset && humanoid && pose && pose->skeleton == asset->skeleton);
    search s = {.asset = asset, .humanoid = humanoid, .best = pose};
    sinew_pose_reset(pose);
    if (sinew_pose_create(asset->skeleton, allocator, &s.work) != SINEW_OK) return sinewi_fail_memory(error);
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, allocator);
    s.model = sinewi_arena_array(&scratch, rt_similarity, (size_t)asset->skeleton->node_count);
    const sinew_result result = find(&s, allocator, error);
    sinewi_arena_free(&scratch);
    sinew_pose_destroy(s.work);
    if (reference) *reference = s.found;
    return result;
}
