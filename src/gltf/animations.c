// SPDX-License-Identifier: MIT
// Animations (glTF 2.0, section 5.5 and appendix C): each becomes a clip.
//
// A channel animates one property of a node, its target: glTF's `path`, translation, rotation, scale or weights. Its
// sampler has an input accessor, the key times in seconds, an output accessor, the key values, and an interpolation.
// `a` is the animation, `s` a sampler. `source` is the file's index of a node, `node` the skeleton's.
//
// `g` is the import in progress (gltf/import.h): the options, the JSON, the asset being made, and the error. Functions
// return false once the error is set.
#include "clip/clip_build.h"
#include "gltf/import.h"

typedef struct sampler {
    sinew_json_value input_location, output_location;
    int32_t input, output;
    sinew_interpolation interpolation;
} sampler;

typedef int32_t node_targets[4]; // one number for each path of a node

// An animation while it is read.
typedef struct animation {
    int32_t index;
    sinew_json_value value;
    int32_t sampler_count;
    const sampler *samplers;
    sinew_channel_def *channels;
    int32_t channel_count;
    node_targets *last_animation_with; // [node]: the last animation that has such a channel, plus 1
} animation;

// ---- Samplers ------------------------------------------------------------------------------------------------------

// Reads a sampler's accessors and interpolation. The locations are noted once, for errors of its channels.
static bool read_sampler(sinew_import *g, sinew_json_value value, sampler *s) {
    static const char *const words[] = {"STEP", "LINEAR", "CUBICSPLINE", NULL};
    int word = SINEW_INTERPOLATION_LINEAR;
    bool read = sinew_gltf_get_required(g, value, "input", &s->input_location) &&
                sinew_gltf_check_index(g, s->input_location, g->accessor_count, "accessors", &s->input) &&
                sinew_gltf_get_required(g, value, "output", &s->output_location) &&
                sinew_gltf_check_index(g, s->output_location, g->accessor_count, "accessors", &s->output) &&
                sinew_gltf_get_word(g, value, "interpolation", words, &word);
    if (!read) return false;
    if (word < 0)
        return sinew_gltf_fail(g, value, SINEW_ERROR_FORMAT, "interpolation is not STEP, LINEAR or CUBICSPLINE");
    s->interpolation = (sinew_interpolation)word;
    return true;
}

static bool read_samplers(sinew_import *g, animation *a) {
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, a->value, "samplers", SINEW_JSON_OBJECT, &list)) return false;
    sampler *samplers = sinew_gltf_array(g, &g->scratch, sampler, (size_t)list.count);
    if (!samplers) return false;
    for (int32_t i = 0; i < list.count; i++)
        if (!read_sampler(g, list.values[i], &samplers[i])) return false;
    a->samplers = samplers;
    a->sampler_count = list.count;
    return true;
}

static bool check_times(sinew_import *g, sinew_json_value location, const float *times, int32_t count) {
    if (count == 0) return sinew_gltf_fail(g, location, SINEW_ERROR_FORMAT, "the accessor has no keys");
    if (times[0] < 0.0f)
        return sinew_gltf_fail(g, location, SINEW_ERROR_FORMAT, "key 0 is at %.9g s, before 0", (double)times[0]);
    for (int32_t i = 1; i < count; i++)
        if (!(times[i] > times[i - 1]))
            return sinew_gltf_fail(g, location, SINEW_ERROR_FORMAT,
                                   "key %d is at %.9g s, not after key %d at %.9g s", (int)i, (double)times[i],
                                   (int)(i - 1), (double)times[i - 1]);
    return true;
}

// Reads and checks key times. Many channels often share them: they are read and checked once.
static bool read_times(sinew_import *g, const sampler *s, sinew_channel_def *channel) {
    sinew_gltf_accessor *input = &g->accessors[s->input];
    sinew_json_value location = s->input_location; // looked up once per sampler
    if (!sinew_gltf_expect_type(g, location, s->input, SINEW_GLTF_SCALAR)) return false;
    if (!sinew_gltf_read_floats(g, s->input, SINEW_GLTF_FOR_IMPORT, &channel->times)) return false;
    if (!input->increasing && !check_times(g, location, channel->times, input->count)) return false;
    input->increasing = true;
    channel->key_count = input->count;
    return true;
}

// Reads key values. The specification counts each morph weight as an element: the accessor has keys × targets of them.
static bool read_values(sinew_import *g, const sampler *s, sinew_channel_def *channel) {
    static const sinew_gltf_type types[] = {SINEW_GLTF_VEC3, SINEW_GLTF_VEC4, SINEW_GLTF_VEC3,
                                            SINEW_GLTF_SCALAR}; // [path]
    static const sinew_gltf_use uses[] = {SINEW_GLTF_FOR_KEYS, SINEW_GLTF_FOR_KEYS, SINEW_GLTF_FOR_SCALES,
                                          SINEW_GLTF_FOR_IMPORT};
    const int32_t *offsets = g->asset->skeleton->weight_offsets + channel->node;
    int64_t per_key = channel->target == SINEW_TARGET_WEIGHTS ? offsets[1] - offsets[0] : 1;
    if (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) per_key *= 3;
    sinew_json_value location = s->output_location;
    if (!sinew_gltf_expect_type(g, location, s->output, types[channel->target])) return false;
    int32_t found = g->accessors[s->output].count;
    if (found != per_key * channel->key_count)
        return sinew_gltf_fail(g, location, SINEW_ERROR_FORMAT, "%d values do not make %d keys of %d each",
                               (int)found, (int)channel->key_count, (int)per_key);
    int64_t numbers = (int64_t)found * sinew_gltf_component_count(g->accessors[s->output].type);
    return sinew_gltf_spend(g, location, "channels share their keys", (uint64_t)(numbers + channel->key_count)) &&
           sinew_gltf_read_floats(g, s->output, uses[channel->target], &channel->values);
}

// ---- Channels ------------------------------------------------------------------------------------------------------

static const char *const path_names[] = {"translation", "rotation", "scale", "weights", NULL};

// Reads the node and path that a channel animates. `*ignored` is set for a target that is unknown, absent or not
// loaded.
static bool read_target(sinew_import *g, const animation *a, int32_t index, sinew_json_value channel, int32_t *node,
                        int *path, bool *ignored) {
    sinew_json_value target;
    int32_t source;
    *ignored = true;
    if (!sinew_gltf_get_object(g, channel, "target", &target)) return false;
    if (!sinew_gltf_get_index(g, target, "node", g->node_values.count, "nodes", &source)) return false;
    *path = -1;
    if (!sinew_gltf_get_word(g, target, "path", path_names, path)) return false;
    if (*path < 0) {
        sinew_gltf_log(g, "animations[%d].channels[%d]: ignored, because its path is unknown", (int)a->index,
                       (int)index);
        return true;
    }
    if (source < 0) return true; // the specification says to ignore it
    sinew_gltf_part needed = *path == SINEW_TARGET_WEIGHTS ? SINEW_GLTF_PART_ALL : SINEW_GLTF_PART_TRANSFORM;
    if (sinew_gltf_part_of(g, source) < needed) return true;
    *node = g->asset->skeleton->node_of_source[source];
    *ignored = false;
    return true;
}

static bool lacks_morph_weights(const sinew_import *g, int32_t node, int path) {
    const int32_t *offsets = g->asset->skeleton->weight_offsets + node;
    return path == SINEW_TARGET_WEIGHTS && offsets[0] == offsets[1];
}

// Whether the clip will limit the keys of a channel (clip_keys.c), so that every pose is finite.
static bool is_limited(const sinew_import *g, const sinew_channel_def *channel) {
    if (channel->target == SINEW_TARGET_ROTATION) return false; // normalized, which changes no rotation
    size_t width = (size_t)sinew_channel_width(g->asset->skeleton, channel->node, channel->target);
    return sinew_key_limits_of(channel, width, 0, width, g->options.key_format == SINEW_KEYS_U16).needed;
}

// Adds a channel to the animation, unless it is ignored: the log says why. Of several channels with one target the
// first counts.
static bool read_channel(sinew_import *g, animation *a, int32_t index, sinew_json_value value) {
    int32_t sampler_index, node;
    int path;
    bool ignored;
    if (!sinew_gltf_get_required_index(g, value, "sampler", a->sampler_count, "samplers in this animation",
                                       &sampler_index))
        return false;
    if (!read_target(g, a, index, value, &node, &path, &ignored)) return false;
    if (ignored) return true;
    if (lacks_morph_weights(g, node, path)) {
        sinew_gltf_log(g, "animations[%d].channels[%d]: ignored, because its node has no morph targets",
                       (int)a->index, (int)index);
        return true;
    }
    if (a->last_animation_with[node][path] == a->index + 1) {
        sinew_gltf_log(g, "animations[%d].channels[%d]: ignored, because an earlier channel has the same target",
                       (int)a->index, (int)index);
        return true;
    }
    a->last_animation_with[node][path] = a->index + 1;

    const sampler *s = &a->samplers[sampler_index];
    sinew_channel_def *channel = &a->channels[a->channel_count++];
    *channel =
        (sinew_channel_def){.node = node, .target = (sinew_channel_target)path, .interpolation = s->interpolation};
    if (!read_times(g, s, channel) || !read_values(g, s, channel)) return false;
    if (is_limited(g, channel))
        sinew_gltf_log(g, "animations[%d].channels[%d]: keys beyond the range of floats are limited", (int)a->index,
                       (int)index);
    return true;
}

static bool read_channels(sinew_import *g, animation *a) {
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, a->value, "channels", SINEW_JSON_OBJECT, &list)) return false;
    a->channels = sinew_gltf_array(g, &g->scratch, sinew_channel_def, (size_t)list.count);
    if (!a->channels) return false;
    for (int32_t i = 0; i < list.count; i++)
        if (!read_channel(g, a, i, list.values[i])) return false;
    return true;
}

// ---- Clips ---------------------------------------------------------------------------------------------------------

// The last key of all channels: the clip's duration.
static float find_last_key_time(const animation *a) {
    float last = 0.0f;
    for (int32_t i = 0; i < a->channel_count; i++) {
        const sinew_channel_def *channel = &a->channels[i];
        if (channel->times[channel->key_count - 1] > last) last = channel->times[channel->key_count - 1];
    }
    return last;
}

// Creates the clip of an animation whose channels were read, with its markers.
static bool make_clip(sinew_import *g, const animation *a, sinew_clip *out) {
    sinew_clip_def def = sinew_clip_default();
    bool read = sinew_gltf_get_string(g, a->value, "name", &g->scratch, &def.name) &&
                sinew_gltf_read_markers(g, a->index, a->value, find_last_key_time(a), &def);
    if (!read) return false;
    def.skeleton = g->asset->skeleton;
    def.channel_count = a->channel_count;
    def.channels = a->channels;
    def.key_format = g->options.key_format;
    def.allocator = sinew_asset_allocator(g->data);
    sinew_clip *clip;
    sinew_error inner;
    if (sinew_clip_create_compressed(&def, g->options.compress_error, &clip, &inner) != SINEW_OK)
        return sinew_gltf_fail_with(g, &inner, "animations[%d]", (int)a->index);
    *out = *clip; // its arrays belong to the asset
    return true;
}

bool sinew_gltf_read_animations(sinew_import *g) {
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, 0, "animations", SINEW_JSON_OBJECT, &list)) return false;
    sinew_clip *clips = sinew_gltf_zeros(g, g->arena, sinew_clip, (size_t)list.count);
    int32_t count = 0;
    animation a = {0};
    a.last_animation_with = sinew_gltf_zeros(g, &g->scratch, node_targets, (size_t)g->node_values.count);
    if (!clips || !a.last_animation_with || !sinew_gltf_open_markers(g, &list)) return false;
    for (int32_t i = 0; i < list.count; i++) {
        a.index = i;
        a.value = list.values[i];
        a.channel_count = 0;
        g->current = a.value;
        if (!read_samplers(g, &a) || !read_channels(g, &a)) return false;
        if (g->parts && a.channel_count == 0) continue; // it animates no loaded node
        if (!make_clip(g, &a, &clips[count++])) return false;
    }
    g->asset->clips = clips;
    g->asset->clip_count = count;
    return true;
}
