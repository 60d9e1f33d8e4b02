// SPDX-License-Identifier: MIT
// Additive clips: the differences of a clip's keys from a reference pose.
#include "pose/block.h"
#include "clip/clip_build.h"
#include "core/fail.h"

#include <math.h>
#include <string.h>

// The state of creating one additive clip.
typedef struct maker {
    const sinew_clip *clip;
    const sinew_pose *rest, *reference;
    sinew_arena *scratch;
    sinew_channel_def *channels;
    int32_t channel_count;
    sinew_error *error;
} maker;

// ---- Poses ---------------------------------------------------------------------------------------------------

// A component of a node's property in a pose.
static float component_of(const sinew_pose *pose, int32_t node, sinew_channel_target path, int32_t component) {
    if (path == SINEW_TARGET_WEIGHTS) return pose->weights[pose->skeleton->weight_offsets[node] + component];
    return sinew_pose_planes(pose).plane[sinew_target_plane(path) + component][node];
}

static bool is_same(const sinew_pose *a, const sinew_pose *b, int32_t node, sinew_channel_target path) {
    int32_t width = sinew_channel_width(a->skeleton, node, path);
    for (int32_t i = 0; i < width; i++) {
        if (component_of(a, node, path, i) != component_of(b, node, path, i)) return false;
    }
    return true;
}

// ---- Differences ---------------------------------------------------------------------------------------------

// q = reference⁻¹ × q, in double precision: each component is rounded once. The reference itself gives exactly the
// identity.
static void subtract_rotation(const float reference[4], float q[4]) {
    double x = (double)reference[0], y = (double)reference[1], z = (double)reference[2], w = (double)reference[3];
    double qx = (double)q[0], qy = (double)q[1], qz = (double)q[2], qw = (double)q[3];
    double square = x * x + y * y + z * z + w * w;
    q[0] = (float)(((w * qx - x * qw) - (y * qz - z * qy)) / square);
    q[1] = (float)(((w * qy - y * qw) - (z * qx - x * qz)) / square);
    q[2] = (float)(((w * qz - z * qw) - (x * qy - y * qx)) / square);
    q[3] = (float)((x * qx + y * qy + z * qz + w * qw) / square);
}

// Subtracts the reference from one value of a key. Tangents are slopes, which a constant difference does not
// change; those of rotations and scales are multiplied like values.
static void subtract(sinew_channel_target path, const float *reference, int32_t width, bool is_tangent,
                     float *value) {
    if (path == SINEW_TARGET_ROTATION) {
        subtract_rotation(reference, value);
        return;
    }
    for (int32_t i = 0; i < width; i++) {
        if (path == SINEW_TARGET_SCALE) {
            value[i] /= reference[i];
        } else if (!is_tangent) {
            value[i] -= reference[i];
        }
    }
}

static sinew_result check_finite(const maker *m, const sinew_channel_def *channel, const float *reference,
                                 const float *value, int32_t width) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const char *name = m->clip->skeleton->names[channel->node];
    for (int32_t i = 0; i < width; i++) {
        if (isfinite(value[i])) continue;
        return sinew_fail(
            m->error, SINEW_ERROR_ARGUMENT,
            "clip '%s': node %d '%s': %s[%d] of the reference is %g, from which no difference gives the "
            "clip's value; use another reference",
            m->clip->name, channel->node, name, paths[channel->target], i, (double)reference[i]);
    }
    return SINEW_OK;
}

// Converts the values of a channel, which are in the scratch arena, to differences.
static sinew_result subtract_reference(const maker *m, const sinew_channel_def *channel, float *values) {
    int32_t width = sinew_channel_width(m->clip->skeleton, channel->node, channel->target);
    int32_t parts = sinew_parts(channel->interpolation);
    float *reference = sinew_arena_array(m->scratch, float, (size_t)width);
    if (!reference) return sinew_fail_memory(m->error);
    for (int32_t i = 0; i < width; i++) {
        reference[i] = component_of(m->reference, channel->node, channel->target, i);
    }
    for (int64_t i = 0; i < (int64_t)channel->key_count * parts; i++, values += width) {
        subtract(channel->target, reference, width, parts == 3 && i % 3 != 1, values);
        sinew_result result = check_finite(m, channel, reference, values, width);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

// ---- Channels ------------------------------------------------------------------------------------------------

// Makes a constant channel for a target without one: the difference of the rest pose from the reference.
static float *read_rest(const maker *m, int32_t node, sinew_channel_target path, sinew_channel_def *out) {
    static const float start = 0.0f;
    int32_t width = sinew_channel_width(m->clip->skeleton, node, path);
    float *values = sinew_arena_array(m->scratch, float, (size_t)width);
    if (!values) return NULL;
    for (int32_t i = 0; i < width; i++) values[i] = component_of(m->rest, node, path, i);
    *out = (sinew_channel_def){.node = node,
                               .target = path,
                               .interpolation = SINEW_INTERPOLATION_STEP,
                               .key_count = 1,
                               .times = &start,
                               .values = values};
    return values;
}

// Collects the clip's channels, which are sorted by node, then target, and constant channels where the rest pose
// differs from the reference.
static sinew_result collect_channels(maker *m) {
    const sinew_channel *next = m->clip->channels, *end = next + m->clip->channel_count;
    for (int32_t slot = 0; slot < m->clip->skeleton->node_count * SINEW_PATHS; slot++) {
        int32_t node = slot / SINEW_PATHS;
        sinew_channel_target path = (sinew_channel_target)(slot % SINEW_PATHS);
        bool has_channel = next < end && next->node == node && next->target == path;
        if (!has_channel && is_same(m->rest, m->reference, node, path)) continue;
        sinew_channel_def *channel = &m->channels[m->channel_count++];
        float *values = has_channel ? sinew_clip_read_channel(m->clip, next++, m->scratch, channel)
                                    : read_rest(m, node, path, channel);
        if (!values) return sinew_fail_memory(m->error);
        sinew_result result = subtract_reference(m, channel, values);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

static size_t most_channels(const maker *m) {
    size_t count = (size_t)m->clip->channel_count;
    for (int32_t slot = 0; slot < m->clip->skeleton->node_count * SINEW_PATHS; slot++) {
        count += !is_same(m->rest, m->reference, slot / SINEW_PATHS, (sinew_channel_target)(slot % SINEW_PATHS));
    }
    return count;
}

// ---- Creating ------------------------------------------------------------------------------------------------

static sinew_result make_additive(maker *m, const sinew_allocator *allocator, sinew_clip **additive) {
    m->channels = sinew_arena_array(m->scratch, sinew_channel_def, most_channels(m));
    if (!m->channels) return sinew_fail_memory(m->error);
    sinew_result result = collect_channels(m);
    if (result != SINEW_OK) return result;
    sinew_clip_def def = {
        .name = m->clip->name,
        .skeleton = m->clip->skeleton,
        .channel_count = m->channel_count,
        .channels = m->channels,
        .marker_count = m->clip->marker_count,
        .markers = m->clip->markers,
        .key_format = m->clip->key_format,
        .additive = true,
    };
    if (allocator) def.allocator = *allocator;
    return sinew_clip_build(&def, m->clip, additive, m->error);
}

sinew_result sinew_clip_make_additive(const sinew_clip *clip, const sinew_pose *reference,
                                      const sinew_allocator *allocator, sinew_clip **additive, sinew_error *error) {
    *additive = NULL;
    if (clip->additive) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip '%s' is additive already", clip->name);
    }
    if (reference && reference->skeleton != clip->skeleton) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip '%s': the reference is a pose of another skeleton",
                          clip->name);
    }
    sinew_pose *rest;
    if (sinew_pose_create(clip->skeleton, allocator, &rest) != SINEW_OK) return sinew_fail_memory(error);
    sinew_arena scratch;
    sinew_arena_init(&scratch, allocator);
    maker m = {
        .clip = clip,
        .rest = rest,
        .reference = reference ? reference : rest,
        .scratch = &scratch,
        .error = error,
    };
    sinew_result result = make_additive(&m, allocator, additive);
    sinew_arena_free(&scratch);
    sinew_pose_destroy(rest);
    return result;
}
