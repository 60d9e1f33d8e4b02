// What 16-bit rows cost: the clip beside its exact twin, in model space.
#include "clip/clip_build.h"
#include "core/fail.h"

#include <math.h>

// How far from a node the second thing that is looked at lies: what hangs on a node feels its rotation, too. Metres.
#define ARM 0.1f

// Nodes that are looked at, in all, for each byte of a clip.
#define MOST_NODES_A_BYTE 1

typedef struct twin {
    sinew_clip *exact;
    sinew_pose *pose;
    sinew_pose *rest;    // what an additive clip is added to
    sinew_affine *model; // [2 × node_count]: of the exact one and of the other
    size_t model_size;
} twin;

static float distance_of(const sinew_affine *a, const sinew_affine *b, sinew_vec3 point) {
    sinew_vec3 p = sinew_affine_point(*a, point), q = sinew_affine_point(*b, point);
    float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return sqrtf(x * x + y * y + z * z);
}

static void sample_model(const twin *t, const sinew_clip *clip, float time, sinew_affine *model) {
    sinew_clip_sample(clip, time, t->pose);
    if (clip->additive) sinew_pose_add(t->pose, t->rest, t->pose, 1.0f, NULL);
    sinew_pose_to_model(t->pose, model);
}

static float error_at(const twin *t, const sinew_clip *clip, float time) {
    size_t nodes = (size_t)clip->skeleton->node_count;
    sample_model(t, t->exact, time, t->model);
    sample_model(t, clip, time, t->model + nodes);
    const sinew_vec3 points[4] = {{0, 0, 0}, {ARM, 0, 0}, {0, ARM, 0}, {0, 0, ARM}};
    float most = 0.0f;
    for (size_t i = 0; i < nodes; i++) {
        for (int p = 0; p < 4; p++) {
            float error = distance_of(&t->model[i], &t->model[nodes + i], points[p]);
            if (error > most) most = error;
        }
    }
    return most;
}

// How many keys further to look: 1, but where few channels with very many keys move a skeleton of very many nodes, so
// many that the work stays in proportion to the clip.
static int32_t stride_of(const sinew_clip *clip) {
    uint64_t keys = 0, most = MOST_NODES_A_BYTE * (uint64_t)clip->memory;
    for (int32_t r = 0; r < clip->data->row_count; r++) keys += (uint64_t)clip->data->rows[r].key_count;
    return (int32_t)(2 * keys * (uint64_t)clip->skeleton->node_count / most) + 1;
}

// At every key that is in rows, and half-way to the next one.
static float measure(const twin *t, const sinew_clip *clip) {
    float most = 0.0f;
    int32_t stride = stride_of(clip);
    for (int32_t r = 0; r < clip->data->row_count; r++) {
        const sinew_rows *rows = &clip->data->rows[r];
        for (int32_t k = 0; k < rows->key_count; k += stride) {
            float next = rows->times[k + 1 < rows->key_count ? k + 1 : k];
            most = fmaxf(most, error_at(t, clip, rows->times[k]));
            most = fmaxf(most, error_at(t, clip, 0.5f * rows->times[k] + 0.5f * next));
        }
    }
    return most;
}

sinew_result sinew_clip_measure_rows(const sinew_clip_def *def, const sinew_clip *source, sinew_clip *clip,
                                     sinew_error *error) {
    sinew_clip_def exact_def = *def;
    exact_def.key_format = SINEW_KEYS_FLOAT;
    twin t = {.model_size = 2 * (size_t)def->skeleton->node_count * sizeof(sinew_affine)};
    sinew_result result = sinew_clip_build(&exact_def, source, &t.exact, error);
    if (result == SINEW_OK) {
        result = sinew_pose_create(def->skeleton, &def->allocator, &t.pose);
        if (result == SINEW_OK) result = sinew_pose_create(def->skeleton, &def->allocator, &t.rest);
        t.model = (sinew_affine *)sinew_allocate(&def->allocator, t.model_size, SINEW_ALIGNMENT);
        if (result != SINEW_OK || !t.model) result = sinew_fail_memory(error);
    }
    if (result == SINEW_OK && t.model) clip->quantization_error = measure(&t, clip);
    sinew_release(&def->allocator, t.model, t.model_size, SINEW_ALIGNMENT);
    sinew_pose_destroy(t.rest);
    sinew_pose_destroy(t.pose);
    sinew_clip_destroy(t.exact);
    return result;
}
