// SPDX-License-Identifier: MIT
// Measures the error of a clip with 16-bit keys or modes: the largest distance, in metres in model space, between a point
// on a node in the clip and the same point in an exact clip.
#include "clip/clip_error.h"
#include "clip/clip_build.h"

#include <math.h>

// The nodes that are evaluated, in all, for each byte of a clip.
#define MAX_NODES_PER_BYTE 1

// What two clips are evaluated with.
typedef struct clip_comparison {
    const sinew_clip *exact, *clip;
    const sinew_error_measure *measure;
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

// Node by node: a program that only samples clips needs no kernels of matrices, whose bits are the same.
static void sample_model_matrices(const clip_comparison *t, const sinew_clip *clip, float time,
                                  sinew_affine *model) {
    const sinew_skeleton *skeleton = clip->skeleton;
    const sinew_range all = {0, skeleton->node_count};
    sinew_clip_sample(clip, time, t->pose);
    if (clip->additive) sinew_pose_add(t->pose, t->rest, t->pose, 1.0f, NULL);
    for (int32_t i = 0; i < all.end; i++) model[i] = sinew_affine_from_transform(sinew_pose_get(t->pose, i));
    sinew_apply_shears(skeleton, all, &model, 1);
    for (int32_t i = 0; i < all.end; i++) {
        const int32_t parent = skeleton->parents[i]; // comes before
        if (parent != SINEW_NO_NODE) model[i] = sinew_affine_multiply(model[parent], model[i]);
    }
}

// The largest distance of a point on any node, at one time. Each node is compared at its origin and at three virtual
// points, which move with its rotation like an attachment.
static float error_at_time(const clip_comparison *t, float time) {
    size_t nodes = (size_t)t->clip->skeleton->node_count;
    sample_model_matrices(t, t->exact, time, t->model);
    sample_model_matrices(t, t->clip, time, t->model + nodes);
    const float d = t->measure->point_distance;
    const sinew_vec3 points[4] = {{0, 0, 0}, {d, 0, 0}, {0, d, 0}, {0, 0, d}};
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
static int32_t evaluated_key_step(const clip_comparison *t) {
    uint64_t keys = 0, most = MAX_NODES_PER_BYTE * (uint64_t)t->exact->memory;
    for (int32_t r = 0; r < t->exact->data->row_count; r++) keys += (uint64_t)t->exact->data->rows[r].key_count;
    return (int32_t)(2 * keys * (uint64_t)t->clip->skeleton->node_count / most) + 1;
}

// Compares from each key that is in rows to the next, up to the first error above the limit. Keys on tracks are floats and
// have no error.
static float largest_error(const clip_comparison *t) {
    float most = 0.0f;
    const int32_t step = evaluated_key_step(t), times = t->measure->times_of_a_key;
    if (t->exact->data->row_count == 0) return error_at_time(t, 0.0f); // of constants
    for (int32_t r = 0; r < t->exact->data->row_count; r++) {
        const sinew_rows *rows = &t->exact->data->rows[r];
        for (int32_t k = 0; k < rows->key_count; k += step) {
            float next = rows->times[k + 1 < rows->key_count ? k + 1 : k];
            for (int32_t i = 0; i < times; i++) {
                float u = (float)i / (float)times, error = error_at_time(t, (1.0f - u) * rows->times[k] + u * next);
                if (error > most) most = error;
                if (most > t->measure->limit) return most;
            }
        }
    }
    return most;
}

sinew_result sinew_clip_measure_error(const sinew_clip *exact, const sinew_clip *clip,
                                      const sinew_error_measure *measure, const sinew_allocator *allocator,
                                      float *error) {
    clip_comparison t = {.exact = exact, .clip = clip, .measure = measure};
    t.model_size = 2 * (size_t)clip->skeleton->node_count * sizeof(sinew_affine);
    sinew_result result = sinew_pose_create(clip->skeleton, allocator, &t.pose);
    if (result == SINEW_OK) result = sinew_pose_create(clip->skeleton, allocator, &t.rest);
    t.model = (sinew_affine *)sinew_allocate(allocator, t.model_size, SINEW_ALIGNMENT);
    if (result == SINEW_OK && !t.model) result = SINEW_ERROR_OUT_OF_MEMORY;
    if (result == SINEW_OK) *error = largest_error(&t);
    sinew_release(allocator, t.model, t.model_size, SINEW_ALIGNMENT);
    sinew_pose_destroy(t.rest);
    sinew_pose_destroy(t.pose);
    return result;
}
