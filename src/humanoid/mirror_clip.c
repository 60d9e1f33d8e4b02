// SPDX-License-Identifier: MIT
// Mirrored clips. Mirroring is linear in rotations, scales and changes of translations. So it converts the values and
// tangents of keys, and the interpolation between them stays the same.
#include "core/clip_build.h"
#include "base/fail.h"
#include "humanoid/mirror_data.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct clip_mirror {
    const sinew_mirror *map;
    const sinew_clip *clip;
    sinewi_arena scratch;
    sinew_channel_def *channels; // [slot count of the skeleton]
    int32_t channel_count;
    bool *has_channel; // [slot count of the skeleton], for the mirrored clip
    sinew_marker *markers;
} clip_mirror;

// ---- Keys ----------------------------------------------------------------------------------------------------

// The node that takes a node's channels.
static int32_t taker_of(const sinew_mirror *map, int32_t node) {
    return map->counterparts[node] == SINEW_NO_NODE ? node : map->counterparts[node];
}

// The node that takes a node's morph weights: its counterpart, if they swap weights.
static int32_t weights_taker_of(const sinew_mirror *map, int32_t node) {
    const int32_t *offsets = map->skeleton->weight_offsets, first = offsets[node];
    const int32_t other = map->data->weights[first];
    return other >= first && other < offsets[node + 1] ? node : taker_of(map, node);
}

static int32_t curve_taker_of(const sinew_mirror *map, int32_t curve) {
    const int32_t first = map->skeleton->weight_count;
    return map->data->weights[first + curve] - first;
}

// Converts a value or tangent from a node's counterpart.
static void convert(const mirror_node *node, sinew_channel_target target, bool is_tangent, float *v) {
    if (target == SINEW_TARGET_TRANSLATION) {
        rt_vec t = sinewi_mirror_translation(node, rt_make_vec((double)v[0], (double)v[1], (double)v[2]));
        if (!is_tangent) t = rt_add(node->offset, t);
        v[0] = (float)t.x, v[1] = (float)t.y, v[2] = (float)t.z;
    } else if (target == SINEW_TARGET_ROTATION) {
        const rt_quat given = rt_make_quat((double)v[0], (double)v[1], (double)v[2], (double)v[3]);
        const rt_quat q = sinewi_mirror_rotation(node, given);
        v[0] = (float)q.x, v[1] = (float)q.y, v[2] = (float)q.z, v[3] = (float)q.w;
    } else {
        const sinew_vec3 s = sinewi_mirror_scale(node, (sinew_vec3){v[0], v[1], v[2]});
        v[0] = s.x, v[1] = s.y, v[2] = s.z;
    }
}

static void convert_keys(const clip_mirror *m, const sinew_channel *from, int32_t node, int32_t count,
                         float *values) {
    const int32_t parts = from->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    const int32_t width = from->target == SINEW_TARGET_ROTATION ? 4 : 3;
    for (int64_t i = 0; i < (int64_t)count * parts; i++) {
        const bool is_tangent = parts == 3 && i % 3 != 1;
        convert(&m->map->data->nodes[node], from->target, is_tangent, values + i * width);
    }
}

// Swaps morph weights. `values` holds `count` values or tangents for the weights of `from`, and
// receives those for `node`.
static bool convert_weights(clip_mirror *m, int32_t from, int32_t node, int64_t count, float *values) {
    const int32_t *offsets = m->map->skeleton->weight_offsets, *weights = m->map->data->weights;
    const int32_t width = offsets[node + 1] - offsets[node];
    float *kept = sinewi_arena_array(&m->scratch, float, (size_t)width);
    if (!kept) return false;
    for (; count > 0; count--, values += width) {
        memcpy(kept, values, (size_t)width * sizeof *kept);
        for (int32_t i = 0; i < width; i++) values[i] = kept[weights[offsets[node] + i] - offsets[from]];
    }
    return true;
}

static void add_channel(clip_mirror *m, sinew_channel_def channel) {
    m->channels[m->channel_count++] = channel;
    m->has_channel[sinewi_channel_slot(m->map->skeleton, channel.node, channel.target)] = true;
}

static bool convert_channel(clip_mirror *m, int32_t index) {
    const sinew_channel *from = &m->clip->channels[index];
    sinew_channel_def channel;
    float *values = sinewi_clip_read_channel(m->clip, index, &m->scratch, &channel);
    if (!values) return false;
    if (from->target == SINEW_TARGET_CURVE) {
        channel.node = curve_taker_of(m->map, from->node);
    } else if (from->target == SINEW_TARGET_WEIGHTS) {
        channel.node = weights_taker_of(m->map, from->node);
        const int64_t parts = from->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
        if (!convert_weights(m, from->node, channel.node, channel.key_count * parts, values)) return false;
    } else {
        channel.node = taker_of(m->map, from->node);
        if (m->map->counterparts[from->node] != SINEW_NO_NODE)
            convert_keys(m, from, channel.node, channel.key_count, values);
    }
    add_channel(m, channel);
    return true;
}

// ---- Constants -----------------------------------------------------------------------------------------------

static bool is_near(const float *a, const float *b, int32_t width) {
    const float rounding = 1e-6f;
    float difference = 0.0f, size = 0.0f;
    for (int32_t i = 0; i < width; i++) {
        difference += fabsf(a[i] - b[i]);
        size += fabsf(b[i]);
    }
    return difference <= rounding * (size > 1.0f ? size : 1.0f);
}

static bool add_constant(clip_mirror *m, int32_t node, sinew_channel_target target, const float *value,
                         const float *rest, int32_t width) {
    static const float start = 0.0f;
    const size_t slot = sinewi_channel_slot(m->map->skeleton, node, target);
    if (m->has_channel[slot] || is_near(value, rest, width)) return true;
    float *values = sinewi_arena_array(&m->scratch, float, (size_t)width);
    if (!values) return false;
    memcpy(values, value, (size_t)width * sizeof *values);
    add_channel(m, (sinew_channel_def){node, target, SINEW_INTERPOLATION_STEP, 1, &start, values});
    return true;
}

// A clip leaves everything without a channel at rest. The mirrored rest pose differs from that if the reference is
// another pose, or if the rest pose's weights aren't symmetric.
static bool add_constants(clip_mirror *m, sinew_pose *pose) {
    const sinew_skeleton *skeleton = m->map->skeleton;
    sinew_mirror_pose(m->map, pose, pose);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const sinew_transform t = sinew_pose_get(pose, i), rest = skeleton->rest[i];
        const int32_t first = skeleton->weight_offsets[i], width = skeleton->weight_offsets[i + 1] - first;
        if (!add_constant(m, i, SINEW_TARGET_TRANSLATION, &t.translation.x, &rest.translation.x, 3) ||
            !add_constant(m, i, SINEW_TARGET_ROTATION, &t.rotation.x, &rest.rotation.x, 4) ||
            !add_constant(m, i, SINEW_TARGET_SCALE, &t.scale.x, &rest.scale.x, 3) ||
            !add_constant(m, i, SINEW_TARGET_WEIGHTS, &pose->weights[first], &skeleton->rest_weights[first],
                          width)) {
            return false;
        }
    }
    for (int32_t i = 0; i < skeleton->curve_count; i++) {
        if (!add_constant(m, i, SINEW_TARGET_CURVE, &pose->curves[i], &skeleton->rest_curves[i], 1)) return false;
    }
    return true;
}

// ---- The clip ------------------------------------------------------------------------------------------------

static bool mirror_markers(clip_mirror *m) {
    m->markers = sinewi_arena_array(&m->scratch, sinew_marker, (size_t)m->clip->marker_count);
    for (int32_t i = 0; m->markers && i < m->clip->marker_count; i++) {
        m->markers[i].time = m->clip->markers[i].time;
        m->markers[i].name = sinewi_mirror_name_in(&m->scratch, m->clip->markers[i].name);
        if (!m->markers[i].name) return false;
    }
    return m->markers != NULL;
}

static bool convert_clip(clip_mirror *m, const sinew_allocator *allocator) {
    const size_t count = sinewi_channel_slots(m->map->skeleton);
    m->channels = sinewi_arena_array(&m->scratch, sinew_channel_def, count);
    m->has_channel = sinewi_arena_zeros(&m->scratch, bool, count);
    if (!m->channels || !m->has_channel || !mirror_markers(m)) return false;
    for (int32_t i = 0; i < m->clip->channel_count; i++) {
        if (!convert_channel(m, i)) return false;
    }
    sinew_pose *pose;
    if (sinew_pose_create(m->map->skeleton, allocator, &pose) != SINEW_OK) return false;
    const bool good = add_constants(m, pose);
    sinew_pose_destroy(pose);
    return good;
}

static sinew_result create_clip(const clip_mirror *m, const char *name, const sinew_allocator *allocator,
                                sinew_clip **mirrored, sinew_error *error) {
    sinew_clip_def def = sinew_clip_default();
    def.name = name ? name : m->clip->name;
    def.skeleton = m->map->skeleton;
    def.channel_count = m->channel_count;
    def.channels = m->channels;
    def.duration = m->clip->duration;
    def.marker_count = m->clip->marker_count;
    def.markers = m->markers;
    def.key_format = m->clip->key_format;
    if (allocator) def.allocator = *allocator;
    return sinewi_clip_build(&def, m->clip, mirrored, error); // keeps the side of rotations half a turn apart
}

sinew_result sinew_clip_mirror(const sinew_mirror *mirror, const sinew_clip *clip, const char *name,
                               const sinew_allocator *allocator, sinew_clip **mirrored, sinew_error *error) {
    assert(mirror && clip && mirrored);
    assert(clip->skeleton == mirror->skeleton);
    *mirrored = NULL;
    if (clip->additive) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "clip '%s' is additive; mirror the clip that it was made from, and make that additive",
                           clip->name);
    }
    clip_mirror m;
    memset(&m, 0, sizeof m);
    m.map = mirror;
    m.clip = clip;
    sinewi_arena_init(&m.scratch, allocator);
    const sinew_result result =
        convert_clip(&m, allocator) ? create_clip(&m, name, allocator, mirrored, error) : sinewi_fail_memory(error);
    sinewi_arena_free(&m.scratch);
    return result;
}
