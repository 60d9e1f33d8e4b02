// SPDX-License-Identifier: MIT
// Makes additive clips, which store the differences of a clip's keys from a reference pose.
//
// Translations, morph weights and curves are subtracted, and scales are divided. A rotation's difference is reference⁻¹
// × key in the node's local space. Adding the difference to the reference with sinew_pose_add and weight 1 gives the
// key. `target` is a node's translation, rotation, scale or weights, or a curve. A target without a channel has the
// rest pose's value.
#include "core/pose_block.h"
#include "core/clip_build.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

// The state while making an additive clip.
typedef struct additive_maker {
    const sinew_clip *clip;
    const sinew_pose *rest, *reference;
    sinewi_arena *scratch;
    sinew_channel_def *channels;
    int32_t channel_count;
    sinew_error *error;
} additive_maker;

// ---- Poses ---------------------------------------------------------------------------------------------------

// Reads a component of a node's property.
static float read_component(const sinew_pose *pose, int32_t node, sinew_channel_target target, int32_t component) {
    if (sinewi_has_weight_lanes(target))
        return pose->weights[sinewi_first_weight(pose->skeleton, node, target) + component];
    return sinewi_pose_planes(pose).plane[sinewi_target_plane(target) + component][node];
}

// Returns whether a node's property has the same value in two poses.
static bool is_equal(const sinew_pose *a, const sinew_pose *b, int32_t node, sinew_channel_target target) {
    int32_t width = sinewi_channel_width(a->skeleton, node, target);
    for (int32_t i = 0; i < width; i++) {
        if (read_component(a, node, target, i) != read_component(b, node, target, i)) return false;
    }
    return true;
}

// ---- Differences ---------------------------------------------------------------------------------------------

// q = reference⁻¹ × q, in double precision, so each component is rounded once. The reference itself gives exactly the
// identity. Dividing by the squared length gives the exact inverse, even if the reference isn't quite a unit
// quaternion.
static void subtract_rotation(const float reference[4], float q[4]) {
    double x = (double)reference[0], y = (double)reference[1], z = (double)reference[2], w = (double)reference[3];
    double qx = (double)q[0], qy = (double)q[1], qz = (double)q[2], qw = (double)q[3];
    double square = x * x + y * y + z * z + w * w;
    q[0] = (float)(((w * qx - x * qw) - (y * qz - z * qy)) / square);
    q[1] = (float)(((w * qy - y * qw) - (z * qx - x * qz)) / square);
    q[2] = (float)(((w * qz - z * qw) - (x * qy - y * qx)) / square);
    q[3] = (float)((x * qx + y * qy + z * qz + w * qw) / square);
}

// Subtracts the reference from one value of a key. Tangents are slopes, so subtracting a constant doesn't change them.
// Those of rotations and scales are multiplied like values.
static void subtract(sinew_channel_target target, const float *reference, int32_t width, bool is_tangent,
                     float *value) {
    if (target == SINEW_TARGET_ROTATION) {
        subtract_rotation(reference, value);
        return;
    }
    for (int32_t i = 0; i < width; i++) {
        if (target == SINEW_TARGET_SCALE) {
            value[i] /= reference[i];
        } else if (!is_tangent) {
            value[i] -= reference[i];
        }
    }
}

// Fails if a scale was divided by 0.
static sinew_result check_finite(const additive_maker *m, const sinew_channel_def *channel, const float *reference,
                                 const float *value, int32_t width) {
    static const char *const target_names[] = {"translation", "rotation", "scale", "weights", "curve"};
    const sinew_skeleton *skeleton = m->clip->skeleton;
    const char *const *names = channel->target == SINEW_TARGET_CURVE ? skeleton->curve_names : skeleton->names;
    const char *name = names[channel->node];
    for (int32_t i = 0; i < width; i++) {
        if (isfinite(value[i])) continue;
        return sinewi_fail(m->error, SINEW_ERROR_ARGUMENT,
                           "clip '%s': node %d '%s': %s[%d] is %g in the reference, so no difference can give the "
                           "clip's value; use a different reference",
                           m->clip->name, channel->node, name, target_names[channel->target], i,
                           (double)reference[i]);
    }
    return SINEW_OK;
}

// Converts a channel's values to differences in place.
static sinew_result subtract_reference(const additive_maker *m, const sinew_channel_def *channel, float *values) {
    int32_t width = sinewi_channel_width(m->clip->skeleton, channel->node, channel->target);
    int32_t parts = sinewi_parts(channel->interpolation);
    float *reference = sinewi_arena_array(m->scratch, float, (size_t)width);
    if (!reference) return sinewi_fail_memory(m->error);
    for (int32_t i = 0; i < width; i++) {
        reference[i] = read_component(m->reference, channel->node, channel->target, i);
    }
    for (int64_t i = 0; i < (int64_t)channel->key_count * parts; i++, values += width) {
        subtract(channel->target, reference, width, parts == 3 && i % 3 != 1, values);
        sinew_result result = check_finite(m, channel, reference, values, width);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

// ---- Channels ------------------------------------------------------------------------------------------------

// Makes a constant channel with the rest pose's values, for a target without a channel. Returns these values.
static float *make_rest_channel(const additive_maker *m, int32_t node, sinew_channel_target target,
                                sinew_channel_def *out) {
    static const float start = 0.0f;
    int32_t width = sinewi_channel_width(m->clip->skeleton, node, target);
    float *values = sinewi_arena_array(m->scratch, float, (size_t)width);
    if (!values) return NULL;
    for (int32_t i = 0; i < width; i++) values[i] = read_component(m->rest, node, target, i);
    *out = (sinew_channel_def){.node = node,
                               .target = target,
                               .interpolation = SINEW_INTERPOLATION_STEP,
                               .key_count = 1,
                               .times = &start,
                               .values = values};
    return values;
}

// Makes the channels of the additive clip. It has one for each of the clip's channels, which are sorted by node and
// target. It also has a constant one for each target without a channel if the rest pose differs from the reference.
static sinew_result collect_channels(additive_maker *m) {
    int32_t next = 0;
    for (size_t slot = 0; slot < sinewi_channel_slots(m->clip->skeleton); slot++) {
        sinewi_slot_target at = sinewi_target_of_slot(m->clip->skeleton, slot);
        const sinew_channel *from = &m->clip->channels[next];
        bool has_channel = next < m->clip->channel_count && from->node == at.node && from->target == at.target;
        if (!has_channel && is_equal(m->rest, m->reference, at.node, at.target)) continue;
        sinew_channel_def *channel = &m->channels[m->channel_count++];
        float *values = has_channel ? sinewi_clip_read_channel(m->clip, next++, m->scratch, channel)
                                    : make_rest_channel(m, at.node, at.target, channel);
        if (!values) return sinewi_fail_memory(m->error);
        sinew_result result = subtract_reference(m, channel, values);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

// Returns an upper bound for the number of channels. It may count a target twice, for its channel and for its rest
// value.
static size_t count_channels(const additive_maker *m) {
    size_t count = (size_t)m->clip->channel_count;
    for (size_t slot = 0; slot < sinewi_channel_slots(m->clip->skeleton); slot++) {
        sinewi_slot_target at = sinewi_target_of_slot(m->clip->skeleton, slot);
        count += !is_equal(m->rest, m->reference, at.node, at.target);
    }
    return count;
}

// ---- Creating ------------------------------------------------------------------------------------------------

// Builds the clip of differences. Duration and markers stay the same.
static sinew_result make_additive(additive_maker *m, const sinew_allocator *allocator, sinew_clip **additive) {
    m->channels = sinewi_arena_array(m->scratch, sinew_channel_def, count_channels(m));
    if (!m->channels) return sinewi_fail_memory(m->error);
    sinew_result result = collect_channels(m);
    if (result != SINEW_OK) return result;
    sinew_clip_def def = {
        .name = m->clip->name,
        .skeleton = m->clip->skeleton,
        .channel_count = m->channel_count,
        .channels = m->channels,
        .duration = m->clip->duration,
        .marker_count = m->clip->marker_count,
        .markers = m->clip->markers,
        .key_format = m->clip->key_format,
        .additive = true,
    };
    if (allocator) def.allocator = *allocator;
    return sinewi_clip_build(&def, m->clip, additive, m->error);
}

sinew_result sinew_clip_make_additive(const sinew_clip *clip, const sinew_pose *reference,
                                      const sinew_allocator *allocator, sinew_clip **additive, sinew_error *error) {
    *additive = NULL;
    if (clip->additive) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clip '%s' is already additive", clip->name);
    }
    if (reference && reference->skeleton != clip->skeleton) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clip '%s': the reference belongs to a different skeleton",
                           clip->name);
    }
    sinew_pose *rest;
    if (sinew_pose_create(clip->skeleton, allocator, &rest) != SINEW_OK) return sinewi_fail_memory(error);
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, allocator);
    additive_maker m = {
        .clip = clip,
        .rest = rest,
        .reference = reference ? reference : rest,
        .scratch = &scratch,
        .error = error,
    };
    sinew_result result = make_additive(&m, allocator, additive);
    sinewi_arena_free(&scratch);
    sinew_pose_destroy(rest);
    return result;
}
