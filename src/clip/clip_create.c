// SPDX-License-Identifier: MIT
// Creates clips, and measures the quantization error of those with 16-bit keys (SINEW_KEYS_U16).
//
// The error is the largest distance, in metres in model space, between a point on a node in the clip and the same point
// in its exact twin, the same clip with keys of floats. SINEW_NO_KEYS_U16 leaves out 16-bit keys.
#include "clip/clip_build.h"
#include "core/def_cookie.h"
#include "core/fail.h"

#include <math.h>

// ---- The quantization error ----------------------------------------------------------------------------------

#ifndef SINEW_NO_KEYS_U16

// Each node is compared at its origin and at three points this far from it, in metres, which move with its rotation like
// an attachment.
#define ATTACHMENT_DISTANCE 0.1f

// The nodes that are evaluated, in all, for each byte of a clip.
#define MAX_NODES_PER_BYTE 1

// What two clips are evaluated with.
typedef struct clip_comparison {
    sinew_clip *exact;
    sinew_pose *pose;
    sinew_pose *rest;    // an additive clip is added to it
    sinew_affine *model; // [2 × node_count]: of the exact clip, then of the other
    size_t model_size;
} clip_comparison;

static float measure_distance(const sinew_affine *a, const sinew_affine *b, sinew_vec3 point) {
    sinew_vec3 p = sinew_affine_point(*a, point), q = sinew_affine_point(*b, point);
    float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return sqrtf(x * x + y * y + z * z);
}

static void sample_model_matrices(const clip_comparison *t, const sinew_clip *clip, float time,
                                  sinew_affine *model) {
    sinew_clip_sample(clip, time, t->pose);
    if (clip->additive) sinew_pose_add(t->pose, t->rest, t->pose, 1.0f, NULL);
    sinew_pose_to_model(t->pose, model);
}

// The largest distance of a point on any node between the exact clip and the quantized one, at one time.
static float error_at_time(const clip_comparison *t, const sinew_clip *clip, float time) {
    size_t nodes = (size_t)clip->skeleton->node_count;
    sample_model_matrices(t, t->exact, time, t->model);
    sample_model_matrices(t, clip, time, t->model + nodes);
    const sinew_vec3 points[4] = {
        {0, 0, 0}, {ATTACHMENT_DISTANCE, 0, 0}, {0, ATTACHMENT_DISTANCE, 0}, {0, 0, ATTACHMENT_DISTANCE}};
    float most = 0.0f;
    for (size_t i = 0; i < nodes; i++) {
        for (int p = 0; p < 4; p++) {
            float error = measure_distance(&t->model[i], &t->model[nodes + i], points[p]);
            if (error > most) most = error;
        }
    }
    return most;
}

// The step from one evaluated key to the next: 1, except for few channels with very many keys on a skeleton of very
// many nodes. There it keeps the work in proportion to the clip's bytes.
static int32_t evaluated_key_step(const sinew_clip *clip) {
    uint64_t keys = 0, most = MAX_NODES_PER_BYTE * (uint64_t)clip->memory;
    for (int32_t r = 0; r < clip->data->row_count; r++) keys += (uint64_t)clip->data->rows[r].key_count;
    return (int32_t)(2 * keys * (uint64_t)clip->skeleton->node_count / most) + 1;
}

// Compares at every key that is in rows, and in the middle of each two. Keys on tracks are floats and have no error.
static float largest_error(const clip_comparison *t, const sinew_clip *clip) {
    float most = 0.0f;
    int32_t stride = evaluated_key_step(clip);
    for (int32_t r = 0; r < clip->data->row_count; r++) {
        const sinew_rows *rows = &clip->data->rows[r];
        for (int32_t k = 0; k < rows->key_count; k += stride) {
            float next = rows->times[k + 1 < rows->key_count ? k + 1 : k];
            most = fmaxf(most, error_at_time(t, clip, rows->times[k]));
            most = fmaxf(most, error_at_time(t, clip, 0.5f * rows->times[k] + 0.5f * next));
        }
    }
    return most;
}

// Builds the exact twin and sets the clip's quantization_error.
static sinew_result measure_quantization(const sinew_clip_def *def, const sinew_clip *source, sinew_clip *clip,
                                         sinew_error *error) {
    sinew_clip_def exact_def = *def;
    exact_def.key_format = SINEW_KEYS_FLOAT;
    clip_comparison t = {.model_size = 2 * (size_t)def->skeleton->node_count * sizeof(sinew_affine)};
    sinew_result result = sinew_clip_build_keys(&exact_def, source, &t.exact, error);
    if (result == SINEW_OK) {
        result = sinew_pose_create(def->skeleton, &def->allocator, &t.pose);
        if (result == SINEW_OK) result = sinew_pose_create(def->skeleton, &def->allocator, &t.rest);
        t.model = (sinew_affine *)sinew_allocate(&def->allocator, t.model_size, SINEW_ALIGNMENT);
        if (result != SINEW_OK || !t.model) result = sinew_fail_memory(error);
    }
    if (result == SINEW_OK && t.model) clip->quantization_error = largest_error(&t, clip);
    sinew_release(&def->allocator, t.model, t.model_size, SINEW_ALIGNMENT);
    sinew_pose_destroy(t.rest);
    sinew_pose_destroy(t.pose);
    sinew_clip_destroy(t.exact);
    return result;
}

#endif

// ---- Creating ------------------------------------------------------------------------------------------------

static sinew_result measure_if_quantized(const sinew_clip_def *def, const sinew_clip *source, sinew_clip *clip,
                                         sinew_error *error) {
#ifdef SINEW_NO_KEYS_U16
    (void)source, (void)clip;
    if (def->key_format == SINEW_KEYS_FLOAT) return SINEW_OK;
    return sinew_fail(error, SINEW_ERROR_UNSUPPORTED, "clip: SINEW_KEYS_U16 is not part of this build");
#else
    if (def->key_format == SINEW_KEYS_FLOAT || clip->data->row_count == 0) return SINEW_OK;
    return measure_quantization(def, source, clip, error);
#endif
}

// `source` is the clip that the channels were read back from; NULL: none.
sinew_result sinew_clip_build(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                              sinew_error *error) {
    sinew_result result = sinew_clip_build_keys(def, source, clip, error);
    if (result == SINEW_OK) result = measure_if_quantized(def, source, *clip, error);
    if (result == SINEW_OK) {
        if (source) (*clip)->quantization_error += source->quantization_error; // its keys have that error already
        return SINEW_OK;
    }
    sinew_clip_destroy(*clip);
    *clip = NULL;
    return result;
}

sinew_result sinew_clip_create(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error) {
    *clip = NULL;
    sinew_result result = SINEW_CHECK_DEF(def, "sinew_clip_def: start from sinew_clip_default()", error);
    return result == SINEW_OK ? sinew_clip_build(def, NULL, clip, error) : result;
}
