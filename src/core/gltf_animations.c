// SPDX-License-Identifier: MIT
// Turns each animation (glTF 2.0, section 5.5 and appendix C) into a clip.
//
// A channel animates one property of a node, its target. glTF's `path` is translation, rotation, scale or weights. The
// channel's sampler has an input accessor with key times in seconds, an output accessor with key values, and an
// interpolation. A target can also be a pointer (KHR_animation_pointer, see gltf_pointers.c). Curves can come from the
// extras (see gltf_curves.c). `a` is the animation and `s` a sampler. `source` is a node's index in the file, `node` in
// the skeleton.
#include "core/clip_build.h"
#include "core/gltf_import.h"

#include <stdio.h>
#include <string.h>

typedef struct sampler {
    sinewi_json_value input_location, output_location;
    int32_t input, output;
    sinew_interpolation interpolation;
} sampler;

typedef int32_t node_targets[4]; // one number per path of a node

// The channel for a node whose weights are animated separately.
typedef struct weight_channel {
    int32_t animation; // plus 1
    int32_t channel, sampler_input;
    bool *is_set; // [the node's weights]
} weight_channel;

// An animation being read.
typedef struct animation {
    int32_t index;
    sinewi_json_value value;
    int32_t sampler_count;
    const sampler *samplers;
    sinew_channel_def *channels;
    int32_t channel_count, channel_capacity;
    node_targets *last_animation_with; // [node]: last animation that has a channel like this, plus 1
    int32_t *last_animation_of_curve;  // [curve]: the same
    weight_channel *weight_channels;   // [node]: channels made from single weights. NULL if there aren't any yet.
} animation;

// ---- Samplers ------------------------------------------------------------------------------------------------------

// Reads a sampler's accessors and interpolation. Stores their JSON values, so errors of its channels don't look them up
// again.
static bool read_sampler(sinewi_import *g, const animation *a, int32_t index, sinewi_json_value value, sampler *s) {
    char location[64];
    snprintf(location, sizeof location, "animations[%d].samplers[%d]", (int)a->index, (int)index);
    s->interpolation = sinewi_gltf_get_interpolation(g, value, location);
    return sinewi_gltf_get_required(g, value, "input", &s->input_location) &&
           sinewi_gltf_check_index(g, s->input_location, g->accessor_count, "accessors", &s->input) &&
           sinewi_gltf_get_required(g, value, "output", &s->output_location) &&
           sinewi_gltf_check_index(g, s->output_location, g->accessor_count, "accessors", &s->output);
}

static bool read_samplers(sinewi_import *g, animation *a) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, a->value, "samplers", SINEWI_JSON_OBJECT, &list)) return false;
    sampler *samplers = sinewi_gltf_array(g, &g->scratch, sampler, (size_t)list.count);
    if (!samplers) return false;
    for (int32_t i = 0; i < list.count; i++)
        if (!read_sampler(g, a, i, list.values[i], &samplers[i])) return false;
    a->samplers = samplers;
    a->sampler_count = list.count;
    return true;
}

// Reads and checks key times. Channels often share them, so they are only read and checked once.
static bool read_times(sinewi_import *g, const sampler *s, sinew_channel_def *channel) {
    sinewi_gltf_accessor *input = &g->accessors[s->input];
    sinewi_json_value location = s->input_location; // looked up once per sampler
    if (!sinewi_gltf_expect_type(g, location, s->input, SINEWI_GLTF_SCALAR)) return false;
    if (!input->key_times) {
        if (!sinewi_gltf_read_floats(g, s->input, SINEWI_GLTF_FOR_IMPORT, &channel->times) ||
            !sinewi_gltf_separate_times(g, location, &channel->times, input->count))
            return false;
        input->key_times = channel->times;
    }
    channel->times = input->key_times;
    channel->key_count = input->count;
    return true;
}

// Reads key values. glTF counts each morph weight as an element, so the accessor has keys × targets of them.
static bool read_values(sinewi_import *g, const sampler *s, sinew_channel_def *channel) {
    static const sinewi_gltf_type types[] = {SINEWI_GLTF_VEC3, SINEWI_GLTF_VEC4, SINEWI_GLTF_VEC3,
                                             SINEWI_GLTF_SCALAR}; // [path]
    static const sinewi_gltf_use uses[] = {SINEWI_GLTF_FOR_KEYS, SINEWI_GLTF_FOR_KEYS, SINEWI_GLTF_FOR_SCALES,
                                           SINEWI_GLTF_FOR_IMPORT};
    const int32_t *offsets = g->asset->skeleton->weight_offsets + channel->node;
    int64_t per_key = channel->target == SINEW_TARGET_WEIGHTS ? offsets[1] - offsets[0] : 1;
    if (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) per_key *= 3;
    sinewi_json_value location = s->output_location;
    if (!sinewi_gltf_expect_type(g, location, s->output, types[channel->target])) return false;
    int32_t found = g->accessors[s->output].count;
    if (found != per_key * channel->key_count)
        return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "%d values do not make %d keys of %d each",
                                (int)found, (int)channel->key_count, (int)per_key);
    int64_t numbers = (int64_t)found * sinewi_gltf_component_count(g->accessors[s->output].type);
    return sinewi_gltf_spend(g, location, "channels share their keys", (uint64_t)(numbers + channel->key_count)) &&
           sinewi_gltf_read_floats(g, s->output, uses[channel->target], &channel->values);
}

// ---- Channels ------------------------------------------------------------------------------------------------------

static const char *const path_names[] = {"translation", "rotation", "scale", "weights", "pointer", NULL};

enum { PATH_POINTER = 4 }; // KHR_animation_pointer

// Reads a channel's node and path. Sets `*ignored` if the target is unknown, absent or not loaded. Pointers have
// PATH_POINTER as path.
static bool read_target(sinewi_import *g, const animation *a, int32_t index, sinewi_json_value channel,
                        int32_t *node, int *path, bool *ignored) {
    sinewi_json_value target;
    int32_t source;
    *ignored = true;
    if (!sinewi_gltf_get_object(g, channel, "target", &target)) return false;
    if (!sinewi_gltf_get_index(g, target, "node", g->node_values.count, "nodes", &source)) return false;
    *path = -1;
    if (!sinewi_gltf_get_word(g, target, "path", path_names, path)) return false;
    if (*path < 0 || (*path == PATH_POINTER && !sinewi_gltf_has_pointer(g, target))) {
        *path = -1;
        sinewi_gltf_log(g, "animations[%d].channels[%d]: ignored, because its path is unknown", (int)a->index,
                        (int)index);
        return true;
    }
    if (*path == PATH_POINTER) return true;
    if (source < 0) return true; // glTF says to ignore it
    sinewi_gltf_part needed = *path == SINEW_TARGET_WEIGHTS ? SINEWI_GLTF_PART_ALL : SINEWI_GLTF_PART_TRANSFORM;
    if (sinewi_gltf_part_of(g, source) < needed) return true;
    *node = g->asset->skeleton->node_of_source[source];
    *ignored = false;
    return true;
}

static bool lacks_morph_weights(const sinewi_import *g, int32_t node, int path) {
    const int32_t *offsets = g->asset->skeleton->weight_offsets + node;
    return path == SINEW_TARGET_WEIGHTS && offsets[0] == offsets[1];
}

// Returns whether the clip will limit a channel's keys (clip_keys.c) to keep every pose finite.
static bool is_limited(const sinewi_import *g, const sinew_channel_def *channel) {
    if (channel->target == SINEW_TARGET_ROTATION) return false; // normalized, which doesn't change any rotation
    size_t width = (size_t)sinewi_channel_width(g->asset->skeleton, channel->node, channel->target);
    return sinewi_key_limits_of(channel, width, 0, width, g->options.key_format == SINEW_KEYS_U16).needed;
}

// Appends a new channel. Returns NULL if memory runs out.
static sinew_channel_def *add_channel(sinewi_import *g, animation *a) {
    if (a->channel_count == a->channel_capacity) {
        const int32_t capacity = a->channel_capacity < 8 ? 8 : 2 * a->channel_capacity;
        sinew_channel_def *channels = sinewi_gltf_array(g, &g->scratch, sinew_channel_def, (size_t)capacity);
        if (!channels) return NULL;
        if (a->channel_count > 0) memcpy(channels, a->channels, (size_t)a->channel_count * sizeof *channels);
        a->channels = channels;
        a->channel_capacity = capacity;
    }
    return &a->channels[a->channel_count++];
}

// Returns whether this animation already animates a target, and logs it. If several channels have the same target, the
// first that can be read wins.
static bool is_taken(sinewi_import *g, const animation *a, int32_t index, int32_t last) {
    if (last != a->index + 1) return false;
    sinewi_gltf_log(g, "animations[%d].channels[%d]: ignored, because an earlier channel has the same target",
                    (int)a->index, (int)index);
    return true;
}

static bool is_without_weights(sinewi_import *g, const animation *a, int32_t index, int32_t node, int path) {
    if (!lacks_morph_weights(g, node, path)) return false;
    sinewi_gltf_log(g, "animations[%d].channels[%d]: ignored, because its node has no morph targets", (int)a->index,
                    (int)index);
    return true;
}

// Adds a channel of a node. If the channel is ignored, logs the reason.
static bool add_node_channel(sinewi_import *g, animation *a, int32_t index, const sampler *s, int32_t node,
                             int path) {
    if (is_without_weights(g, a, index, node, path)) return true;
    if (is_taken(g, a, index, a->last_animation_with[node][path])) return true;
    sinew_channel_def read = {
        .node = node, .target = (sinew_channel_target)path, .interpolation = s->interpolation};
    if (!read_times(g, s, &read) || !read_values(g, s, &read)) return false;
    sinew_channel_def *channel = add_channel(g, a);
    if (!channel) return false;
    *channel = read;
    a->last_animation_with[node][path] = a->index + 1;
    if (is_limited(g, channel))
        sinewi_gltf_log(g, "animations[%d].channels[%d]: keys outside the range of a float are clamped",
                        (int)a->index, (int)index);
    return true;
}

// ---- Pointers ------------------------------------------------------------------------------------------------------

// Reads the keys that a pointer animates: `count` components per key, and `parts` times as many with tangents.
static bool read_pointer_keys(sinewi_import *g, const sampler *s, int32_t count, bool may_be_list,
                              bool must_be_list, sinew_channel_def *channel, const float **values) {
    static const sinewi_gltf_type types[] = {SINEWI_GLTF_SCALAR, SINEWI_GLTF_VEC2, SINEWI_GLTF_VEC3,
                                             SINEWI_GLTF_VEC4};
    const sinewi_gltf_accessor *output = &g->accessors[s->output];
    const bool is_list = must_be_list || (may_be_list && output->type == SINEWI_GLTF_SCALAR) || count > 4;
    channel->interpolation = s->interpolation;
    if (!read_times(g, s, channel)) return false;
    if (!sinewi_gltf_expect_type(g, s->output_location, s->output, types[is_list ? 0 : count - 1])) return false;
    int64_t per_key = is_list ? count : 1;
    if (s->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) per_key *= 3;
    if (output->count != per_key * channel->key_count)
        return sinewi_gltf_fail(g, s->output_location, SINEW_ERROR_FORMAT,
                                "%d values do not make %d keys of %d each", (int)output->count,
                                (int)channel->key_count, (int)per_key);
    const uint64_t numbers =
        (uint64_t)channel->key_count * (uint64_t)sinewi_parts(s->interpolation) * (uint64_t)count;
    return sinewi_gltf_spend(g, s->output_location, "channels share their keys", numbers) &&
           sinewi_gltf_read_floats(g, s->output, SINEWI_GLTF_FOR_IMPORT, values);
}

// Boolean keys are bytes without interpolation (KHR_animation_pointer, "Output Accessor Component Types").
static bool check_bool_keys(sinewi_import *g, const sampler *s) {
    const sinewi_gltf_accessor *output = &g->accessors[s->output];
    if (output->component != SINEWI_GLTF_U8 || output->normalized)
        return sinewi_gltf_fail(g, s->output_location, SINEW_ERROR_FORMAT,
                                "boolean keys must be unsigned bytes that are not normalized");
    return s->interpolation == SINEW_INTERPOLATION_STEP ||
           sinewi_gltf_fail(g, s->output_location, SINEW_ERROR_FORMAT, "boolean keys need STEP interpolation");
}

// Adds a curve channel for each component of a property.
static bool add_property_channels(sinewi_import *g, animation *a, int32_t index, const sampler *s,
                                  const sinewi_gltf_pointer *pointer) {
    const sinew_animated_property *property = &pointer->property;
    const char *name = sinewi_gltf_curve_name(g, property, 0);
    if (!name) return false;
    const int32_t first = sinew_skeleton_find_curve(g->asset->skeleton, name), width = property->component_count;
    if (is_taken(g, a, index, a->last_animation_of_curve[first])) return true;
    sinew_channel_def keys = {.target = SINEW_TARGET_CURVE};
    const float *from;
    if (property->is_bool && !check_bool_keys(g, s)) return false;
    if (!read_pointer_keys(g, s, width, pointer->may_be_list, false, &keys, &from)) return false;
    const size_t count = (size_t)keys.key_count * (size_t)sinewi_parts(keys.interpolation);
    for (int32_t k = 0; k < width; k++) {
        sinew_channel_def *channel = add_channel(g, a);
        float *values = sinewi_gltf_array(g, &g->scratch, float, count);
        if (!channel || !values) return false;
        for (size_t i = 0; i < count; i++) {
            const float value = from[i * (size_t)width + (size_t)k];
            values[i] = property->is_bool && value != 0.0f ? 1.0f : value;
        }
        a->last_animation_of_curve[first + k] = a->index + 1;
        *channel = keys;
        channel->node = first + k;
        channel->values = values;
    }
    return true;
}

// Makes the channel that single weights of a node share. Weights without a channel keep their rest pose value.
static bool begin_weight_channel(sinewi_import *g, animation *a, int32_t node, const sampler *s,
                                 const sinew_channel_def *keys) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    const int32_t first = skeleton->weight_offsets[node], width = skeleton->weight_offsets[node + 1] - first;
    const size_t parts = (size_t)sinewi_parts(keys->interpolation), count = (size_t)keys->key_count;
    weight_channel *w = &a->weight_channels[node];
    if (!sinewi_gltf_spend(g, s->output_location, "channels share their keys",
                           (uint64_t)count * parts * (uint64_t)width))
        return false;
    float *values = sinewi_gltf_zeros(g, &g->scratch, float, count *parts *(size_t)width);
    sinew_channel_def *channel = add_channel(g, a);
    *w = (weight_channel){a->index + 1, a->channel_count - 1, s->input,
                          sinewi_gltf_zeros(g, &g->scratch, bool, (size_t)width)};
    if (!values || !channel || !w->is_set) return false;
    for (size_t k = 0; k < count; k++) {
        float *value = values + (k * parts + parts / 2) * (size_t)width; // between the tangents
        for (int32_t i = 0; i < width; i++) value[i] = skeleton->rest_weights[first + i];
    }
    *channel = *keys;
    channel->node = node;
    channel->target = SINEW_TARGET_WEIGHTS;
    channel->values = values;
    return true;
}

// Adds a single weight's keys to the channel for the node's weights.
static bool add_weight(sinewi_import *g, animation *a, int32_t index, const sampler *s, int32_t node,
                       int32_t element) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    const int32_t width = skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
    if (!a->weight_channels)
        a->weight_channels = sinewi_gltf_zeros(g, &g->scratch, weight_channel, (size_t)skeleton->node_count);
    if (!a->weight_channels) return false;
    weight_channel *w = &a->weight_channels[node];
    if (element >= width)
        return sinewi_gltf_fail(g, g->current, SINEW_ERROR_FORMAT,
                                "the pointer points to weight %d, but there are %d", (int)element, (int)width);
    sinew_channel_def keys = {.node = node};
    const float *from;
    if (!read_pointer_keys(g, s, 1, false, false, &keys, &from)) return false;
    if (w->animation != a->index + 1) {
        if (is_taken(g, a, index, a->last_animation_with[node][SINEW_TARGET_WEIGHTS])) return true;
        a->last_animation_with[node][SINEW_TARGET_WEIGHTS] = a->index + 1;
        if (!begin_weight_channel(g, a, node, s, &keys)) return false;
    }
    const sinew_channel_def *channel = &a->channels[w->channel];
    if (w->is_set[element] || w->sampler_input != s->input || channel->interpolation != s->interpolation) {
        sinewi_gltf_log(g,
                        "animations[%d].channels[%d]: ignored, because a node's weights that are animated one by "
                        "one need the same key times and interpolation, and one channel each",
                        (int)a->index, (int)index);
        return true;
    }
    w->is_set[element] = true;
    float *values = (float *)(uintptr_t)channel->values; // from begin_weight_channel
    const size_t count = (size_t)keys.key_count * (size_t)sinewi_parts(keys.interpolation);
    for (size_t i = 0; i < count; i++) values[i * (size_t)width + (size_t)element] = from[i];
    return true;
}

static bool add_node_pointer(sinewi_import *g, animation *a, int32_t index, const sampler *s,
                             const sinewi_gltf_pointer *pointer, int32_t source) {
    const sinewi_gltf_part needed =
        pointer->path == SINEW_TARGET_WEIGHTS ? SINEWI_GLTF_PART_ALL : SINEWI_GLTF_PART_TRANSFORM;
    if (sinewi_gltf_part_of(g, source) < needed) return true;
    const int32_t node = g->asset->skeleton->node_of_source[source];
    if (pointer->element < 0) return add_node_channel(g, a, index, s, node, pointer->path);
    return is_without_weights(g, a, index, node, pointer->path) ||
           add_weight(g, a, index, s, node, pointer->element);
}

// A mesh's weights only apply to its nodes without weights.
static bool add_mesh_pointer(sinewi_import *g, animation *a, int32_t index, const sampler *s,
                             const sinewi_gltf_pointer *pointer) {
    if (!sinewi_gltf_spend(g, g->current, "pointers share their meshes", (uint64_t)g->node_values.count))
        return false;
    for (int32_t i = 0; i < g->node_values.count; i++) {
        int32_t mesh;
        const sinewi_json_value node = g->node_values.values[i];
        if (!sinewi_gltf_get_index(g, node, "mesh", g->mesh_values.count, "meshes", &mesh)) return false;
        if (mesh != pointer->source || sinewi_json_get(&g->json, node, "weights") != SINEWI_JSON_ABSENT) continue;
        if (!add_node_pointer(g, a, index, s, pointer, i)) return false;
    }
    return true;
}

static bool add_pointer(sinewi_import *g, animation *a, int32_t index, sinewi_json_value value, const sampler *s) {
    sinewi_gltf_pointer pointer;
    g->current = value;
    if (!sinewi_gltf_resolve_pointer(g, sinewi_json_get(&g->json, value, "target"), &pointer)) return false;
    bool read = true;
    switch (pointer.kind) {
    case SINEWI_GLTF_POINTER_NODE:
        read = add_node_pointer(g, a, index, s, &pointer, pointer.source);
        break;
    case SINEWI_GLTF_POINTER_MESH:
        read = add_mesh_pointer(g, a, index, s, &pointer);
        break;
    case SINEWI_GLTF_POINTER_PROPERTY:
        read = add_property_channels(g, a, index, s, &pointer);
        break;
    case SINEWI_GLTF_POINTER_IGNORED:
        if (pointer.is_unknown)
            sinewi_gltf_log(
                g, "animations[%d].channels[%d]: ignored, because the file has no number or boolean at '%.120s'",
                (int)a->index, (int)index, pointer.property.pointer);
        break;
    }
    return read;
}

// A pointer that leads nowhere or has keys of the wrong type animates nothing. The rest of the file still works.
static bool read_pointer_channel(sinewi_import *g, animation *a, int32_t index, sinewi_json_value value,
                                 const sampler *s) {
    const sinewi_json_value outer = g->current;
    const bool go_on = add_pointer(g, a, index, value, s) ||
                       sinewi_gltf_leave_out(g, "animations[%d].channels[%d]", (int)a->index, (int)index);
    if (go_on) g->current = outer;
    return go_on;
}

// ---- Reading channels ----------------------------------------------------------------------------------------------

// A channel without keys animates nothing. The rest of the file still works.
static bool is_without_keys(sinewi_import *g, const animation *a, int32_t index, const sampler *s) {
    if (g->accessors[s->input].count > 0) return false;
    sinewi_gltf_log(g, "animations[%d].channels[%d]: ignored, because it has no keys", (int)a->index, (int)index);
    return true;
}

static bool read_channel(sinewi_import *g, animation *a, int32_t index, sinewi_json_value value) {
    int32_t sampler_index, node = SINEW_NO_NODE;
    int path;
    bool ignored;
    if (!sinewi_gltf_get_required_index(g, value, "sampler", a->sampler_count, "samplers in this animation",
                                        &sampler_index))
        return false;
    const sampler *s = &a->samplers[sampler_index];
    if (!read_target(g, a, index, value, &node, &path, &ignored)) return false;
    if (is_without_keys(g, a, index, s)) return true;
    if (path == PATH_POINTER) return read_pointer_channel(g, a, index, value, s);
    return ignored || add_node_channel(g, a, index, s, node, path);
}

static bool read_channels(sinewi_import *g, animation *a) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, a->value, "channels", SINEWI_JSON_OBJECT, &list)) return false;
    for (int32_t i = 0; i < list.count; i++)
        if (!read_channel(g, a, i, list.values[i])) return false;
    return true;
}

// ---- Clips ---------------------------------------------------------------------------------------------------------

// Returns the last key time of all channels, which is the clip's duration.
static float find_last_key_time(const animation *a) {
    float last = 0.0f;
    for (int32_t i = 0; i < a->channel_count; i++) {
        const sinew_channel_def *channel = &a->channels[i];
        if (channel->times[channel->key_count - 1] > last) last = channel->times[channel->key_count - 1];
    }
    return last;
}

// Adds the curve channels from the sidecar file and the extras.
static bool read_curves(sinewi_import *g, animation *a) {
    const int32_t count = sinewi_gltf_count_curves(g, a->index, a->value);
    if (count == 0) return true;
    sinew_channel_def *channels =
        sinewi_gltf_array(g, &g->scratch, sinew_channel_def, (size_t)(a->channel_count + count));
    if (!channels) return false;
    if (a->channel_count > 0) memcpy(channels, a->channels, (size_t)a->channel_count * sizeof *channels);
    a->channels = channels;
    a->channel_capacity = a->channel_count + count;
    return sinewi_gltf_read_curves(g, a->index, a->value, a->last_animation_of_curve, channels, &a->channel_count);
}

// Creates a clip following the options. If adding keys would exceed the limits, creates it without them.
static sinew_result create_clip(sinewi_import *g, const sinew_clip_def *def, sinew_clip **clip,
                                sinew_error *error) {
    const float compress_error = g->options.compress_error, growth = g->options.key_growth;
    if (compress_error != 0.0f || !(growth > 0.0f))
        return sinewi_clip_create_compressed(def, compress_error, clip, error);
    const sinew_result result = sinew_clip_create_filled(def, growth, clip, error);
    if (result != SINEW_ERROR_OUT_OF_MEMORY || !g->data->budget.limited) return result;
    g->data->budget.limited = false;
    return sinew_clip_create(def, clip, error);
}

// Creates an animation's clip from its channels, with its markers.
static bool make_clip(sinewi_import *g, const animation *a, sinew_clip *out) {
    sinew_clip_def def = sinew_clip_default();
    if (!sinewi_gltf_drop_early_keys(g, a->index, a->channels, a->channel_count)) return false;
    bool read = sinewi_gltf_get_string(g, a->value, "name", &g->scratch, &def.name) &&
                sinewi_gltf_read_markers(g, a->index, a->value, find_last_key_time(a), &def);
    if (!read) return false;
    def.skeleton = g->asset->skeleton;
    def.channel_count = a->channel_count;
    def.channels = a->channels;
    def.key_format = g->options.key_format;
    def.allocator = sinewi_asset_allocator(g->data);
    sinew_clip *clip;
    sinew_error inner;
    if (create_clip(g, &def, &clip, &inner) != SINEW_OK)
        return sinewi_gltf_fail_with(g, &inner, "animations[%d]", (int)a->index);
    *out = *clip; // its arrays belong to the asset
    return true;
}

bool sinewi_gltf_read_animations(sinewi_import *g) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, 0, "animations", SINEWI_JSON_OBJECT, &list)) return false;
    sinew_clip *clips = sinewi_gltf_zeros(g, g->arena, sinew_clip, (size_t)list.count);
    int32_t count = 0;
    animation a = {0};
    const size_t node_count = (size_t)g->node_values.count;
    a.last_animation_with = sinewi_gltf_zeros(g, &g->scratch, node_targets, node_count);
    a.last_animation_of_curve = sinewi_gltf_zeros(g, &g->scratch, int32_t, (size_t)g->asset->skeleton->curve_count);
    if (!clips || !a.last_animation_with || !a.last_animation_of_curve) return false;
    for (int32_t i = 0; i < list.count; i++) {
        a.index = i;
        a.value = list.values[i];
        a.channels = NULL;
        a.channel_count = a.channel_capacity = 0;
        g->current = a.value;
        if (!read_samplers(g, &a) || !read_channels(g, &a)) return false;
        if (g->parts && a.channel_count == 0) continue; // it animates nothing that is loaded
        if (!read_curves(g, &a)) return false;
        if (!make_clip(g, &a, &clips[count++])) return false;
    }
    g->asset->clips = clips;
    g->asset->clip_count = count;
    return true;
}
