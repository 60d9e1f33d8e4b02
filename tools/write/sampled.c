// SPDX-License-Identifier: MIT
// Stores poses and makes a clip's channels from them.
#include "write/sampled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A pose's curves come after its morph weights.
static size_t value_count(const sinew_skeleton *skeleton) {
    return (size_t)skeleton->weight_count + (size_t)skeleton->curve_count;
}

static bool grow(sampled_poses *p) {
    const int32_t capacity = p->capacity > 0 ? 2 * p->capacity : 256;
    const size_t nodes = (size_t)p->skeleton->node_count + 1, weights = value_count(p->skeleton) + 1;
    float *times = realloc(p->times, (size_t)capacity * sizeof *times);
    if (times) p->times = times;
    sinew_transform *transforms = realloc(p->transforms, (size_t)capacity * nodes * sizeof *transforms);
    if (transforms) p->transforms = transforms;
    float *values = realloc(p->weights, (size_t)capacity * weights * sizeof *values);
    if (values) p->weights = values;
    if (!times || !transforms || !values) return false;
    p->capacity = capacity;
    return true;
}

bool sampled_add(sampled_poses *p, float time, const sinew_pose *pose) {
    if (p->count > 0 && !(time > p->times[p->count - 1])) return true;
    if (p->count == p->capacity && !grow(p)) return false;
    const size_t nodes = (size_t)p->skeleton->node_count, weights = value_count(p->skeleton);
    sinew_transform *transforms = p->transforms + (size_t)p->count * nodes;
    for (size_t i = 0; i < nodes; i++) transforms[i] = sinew_pose_get(pose, (int32_t)i);
    if (weights > 0) memcpy(p->weights + (size_t)p->count * weights, pose->weights, weights * sizeof(float));
    p->times[p->count++] = time;
    return true;
}

// ---- Channels ------------------------------------------------------------------------------------------------

typedef struct channel_maker {
    const sampled_poses *poses;
    sinew_channel_def *channels;
    int32_t count;
    float **values; // [count]; to be freed
    bool failed;
} channel_maker;

static int32_t width_of(const sinew_skeleton *skeleton, int32_t node, sinew_channel_target target) {
    if (target == SINEW_TARGET_CURVE) return 1;
    if (target == SINEW_TARGET_WEIGHTS) return skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
    return target == SINEW_TARGET_ROTATION ? 4 : 3;
}

static const float *part_of(const sinew_transform *transform, sinew_channel_target target) {
    if (target == SINEW_TARGET_TRANSLATION) return &transform->translation.x;
    return target == SINEW_TARGET_ROTATION ? &transform->rotation.x : &transform->scale.x;
}

// Returns the floats of a node's target, or of a curve, in pose k. k = -1 is the rest pose.
static const float *values_of(const sampled_poses *p, int32_t k, int32_t node, sinew_channel_target target) {
    const sinew_skeleton *s = p->skeleton;
    const size_t nodes = (size_t)s->node_count, weights = value_count(s);
    if (target == SINEW_TARGET_CURVE) {
        return k < 0 ? &s->rest_curves[node] : p->weights + (size_t)k * weights + s->weight_count + node;
    }
    if (target == SINEW_TARGET_WEIGHTS) {
        return (k < 0 ? s->rest_weights : p->weights + (size_t)k * weights) + s->weight_offsets[node];
    }
    return part_of(k < 0 ? &s->rest[node] : &p->transforms[(size_t)k * nodes + (size_t)node], target);
}

static void make_channel(channel_maker *m, int32_t node, sinew_channel_target target) {
    const sampled_poses *p = m->poses;
    const size_t width = (size_t)width_of(p->skeleton, node, target);
    float *values = malloc((size_t)p->count * (width + 1) * sizeof *values);
    bool rests = true;
    m->failed |= !values;
    if (!values || width == 0) {
        free(values);
        return;
    }
    for (int32_t k = 0; k < p->count; k++) {
        const float *from = values_of(p, k, node, target);
        memcpy(values + (size_t)k * width, from, width * sizeof(float));
        rests = rests && memcmp(from, values_of(p, -1, node, target), width * sizeof(float)) == 0;
    }
    if (rests) {
        free(values);
        return;
    }
    m->values[m->count] = values;
    m->channels[m->count++] =
        (sinew_channel_def){node, target, SINEW_INTERPOLATION_LINEAR, p->count, p->times, values};
}

static sinew_result fail_memory(sinew_error *error) {
    error->result = SINEW_ERROR_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory");
    return error->result;
}

sinew_result sampled_create(const sampled_poses *poses, const char *name, sinew_clip **clip, sinew_error *error) {
    const size_t most = 4 * (size_t)poses->skeleton->node_count + (size_t)poses->skeleton->curve_count + 1;
    channel_maker m = {
        .poses = poses, .channels = calloc(most, sizeof *m.channels), .values = calloc(most, sizeof *m.values)};
    *clip = NULL;
    m.failed = !m.channels || !m.values;
    for (int32_t node = 0; node < poses->skeleton->node_count && !m.failed; node++) {
        for (int target = 0; target <= SINEW_TARGET_WEIGHTS; target++) {
            make_channel(&m, node, (sinew_channel_target)target);
        }
    }
    for (int32_t curve = 0; curve < poses->skeleton->curve_count && !m.failed; curve++) {
        make_channel(&m, curve, SINEW_TARGET_CURVE);
    }
    sinew_clip_def def = sinew_clip_default();
    def.name = name;
    def.skeleton = poses->skeleton;
    def.channel_count = m.count;
    def.channels = m.channels;
    def.duration = poses->count > 0 ? poses->times[poses->count - 1] : 0.0f;
    const sinew_result result = m.failed ? fail_memory(error) : sinew_clip_create(&def, clip, error);
    for (int32_t i = 0; i < m.count; i++) free(m.values[i]);
    free(m.values);
    free(m.channels);
    return result;
}

void sampled_free(sampled_poses *poses) {
    free(poses->times);
    free(poses->transforms);
    free(poses->weights);
    *poses = (sampled_poses){0};
}
