// SPDX-License-Identifier: MIT
// Writes a clip's channels with the keys that were given. Curves go into the extras. Property curves
// (KHR_animation_pointer) become one channel for all components again.
//
// A clip can be longer than its last key, and constant channels have one key at 0 s. Then one channel gets a key at the
// clip's end, a constant one if possible. This makes the animation as long as the clip.
#include "write/animation.h"

#include <stdlib.h>
#include <string.h>

// A channel's keys, with room for one more.
typedef struct channel_keys {
    float *times, *values;
    int32_t count, width; // width: floats per key
} channel_keys;

static bool read_keys(const sinew_clip *clip, int32_t channel, channel_keys *keys) {
    keys->count = sinew_clip_channel_keys(clip, channel, NULL, NULL);
    keys->width = sinew_clip_key_width(clip, channel);
    keys->times = malloc(((size_t)keys->count + 1) * sizeof(float));
    keys->values = malloc(((size_t)keys->count + 1) * (size_t)keys->width * sizeof(float));
    if (!keys->times || !keys->values) return false;
    sinew_clip_channel_keys(clip, channel, keys->times, keys->values);
    return true;
}

static void free_keys(channel_keys *keys) {
    free(keys->times);
    free(keys->values);
}

// Adds a key that holds the last one until `time`. The tangents between them are 0.
static void hold_last_key(channel_keys *keys, sinew_interpolation interpolation, float time) {
    float *last = keys->values + ((size_t)keys->count - 1) * (size_t)keys->width, *held = last + keys->width;
    memcpy(held, last, (size_t)keys->width * sizeof(float));
    if (interpolation == SINEW_INTERPOLATION_CUBICSPLINE) {
        const size_t third = (size_t)keys->width / 3;
        memset(last + 2 * third, 0, third * sizeof(float));
        memset(held, 0, third * sizeof(float));
        memset(held + 2 * third, 0, third * sizeof(float));
    }
    keys->times[keys->count++] = time;
}

// Returns the time of the last key in any channel.
static float last_key_time(const sinew_clip *clip) {
    float last = 0.0f;
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        const float time = sinew_timeline_time(&clip->timelines[i], clip->timelines[i].key_count - 1);
        if (time > last) last = time;
    }
    return last;
}

// Which channels to write.
typedef struct kept_channels {
    write_keeps_channel keeps; // NULL for all
    void *user;
} kept_channels;

static bool is_kept(const kept_channels *kept, const sinew_channel *channel) {
    return !kept->keeps || kept->keeps(channel, kept->user);
}

// Returns the channel that gets a key at the clip's end, or -1 if that isn't needed.
static int32_t find_held_channel(const sinew_clip *clip, const kept_channels *kept) {
    int32_t first = -1;
    if (last_key_time(clip) >= clip->duration) return -1;
    for (int32_t i = clip->channel_count - 1; i >= 0; i--) {
        if (!is_kept(kept, &clip->channels[i])) continue;
        const bool is_constant = clip->channels[i].timeline < 0;
        if (is_constant || first < 0 || clip->channels[first].timeline >= 0) first = i;
    }
    return first;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void append_string(const char *text, lint_text *out) {
    lint_append(out, "\"", 1);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') lint_append(out, "\\", 1);
        if (c < 0x20) {
            lint_append_format(out, "\\u%04x", c);
        } else {
            lint_append(out, text, 1);
        }
    }
    lint_append(out, "\"", 1);
}

static void append_markers(const sinew_clip *clip, lint_text *out) {
    lint_append_format(out, "\"markers\":[");
    for (int32_t i = 0; i < clip->marker_count; i++) {
        lint_append_format(out, "%s{\"name\":", i > 0 ? "," : "");
        append_string(clip->markers[i].name, out);
        lint_append_format(out, ",\"time\":%.9g}", (double)clip->markers[i].time);
    }
    lint_append(out, "]", 1);
}

static const char *const interpolation_names[] = {"STEP", "LINEAR", "CUBICSPLINE"};

static void append_numbers(const char *key, const float *numbers, int32_t count, lint_text *out) {
    lint_append_format(out, "\"%s\":[", key);
    for (int32_t i = 0; i < count; i++) lint_append_format(out, "%s%.9g", i > 0 ? "," : "", (double)numbers[i]);
    lint_append(out, "]", 1);
}

static bool append_curve(const sinew_clip *clip, int32_t index, bool held, lint_text *out) {
    const sinew_channel *channel = &clip->channels[index];
    channel_keys keys = {0};
    const bool good = read_keys(clip, index, &keys);
    if (good) {
        if (held) hold_last_key(&keys, channel->interpolation, clip->duration);
        append_string(clip->skeleton->curve_names[channel->node], out);
        lint_append(out, ":{", 2);
        append_numbers("times", keys.times, keys.count, out);
        lint_append(out, ",", 1);
        append_numbers("values", keys.values, keys.count * keys.width, out);
        lint_append_format(out, ",\"interpolation\":\"%s\"}", interpolation_names[channel->interpolation]);
    }
    free_keys(&keys);
    return good;
}

// Finds, for each curve, the property that it's a component of.
static const sinew_animated_property **find_properties(const sinew_clip *clip, const sinew_asset *asset) {
    const sinew_animated_property **of_curve = calloc(
        (size_t)clip->skeleton->curve_count + 1, sizeof *of_curve); // NOLINT(bugprone-sizeof-expression): pointers
    for (int32_t i = 0; of_curve && asset && i < asset->animated_property_count; i++) {
        const sinew_animated_property *property = &asset->animated_properties[i];
        for (int32_t k = 0; k < property->component_count; k++) of_curve[property->first_curve + k] = property;
    }
    return of_curve;
}

// Returns the property that a channel animates a component of, or NULL.
static const sinew_animated_property *property_of(const sinew_animated_property *const *of_curve,
                                                  const sinew_channel *channel) {
    return channel->target == SINEW_TARGET_CURVE ? of_curve[channel->node] : NULL;
}

static bool is_in_extras(const sinew_animated_property *const *of_curve, const sinew_channel *channel) {
    return channel->target == SINEW_TARGET_CURVE && !property_of(of_curve, channel);
}

// Appends the markers, and the curves that aren't properties.
static bool append_extras(const sinew_clip *clip, const sinew_animated_property *const *of_curve, int32_t held,
                          lint_text *out) {
    int32_t curves = 0;
    for (int32_t i = 0; i < clip->channel_count; i++) curves += is_in_extras(of_curve, &clip->channels[i]);
    if (clip->marker_count + curves == 0) return true;
    lint_append_format(out, ",\"extras\":{");
    if (clip->marker_count > 0) append_markers(clip, out);
    const char *separator = clip->marker_count > 0 ? ",\"curves\":{" : "\"curves\":{";
    for (int32_t i = 0; i < clip->channel_count; i++) {
        if (!is_in_extras(of_curve, &clip->channels[i])) continue;
        lint_append(out, separator, strlen(separator));
        separator = ",";
        if (!append_curve(clip, i, i == held, out)) return false;
    }
    lint_append(out, "}}", curves > 0 ? 2 : 1);
    return true;
}

// Returns false if memory runs out.
static bool append_sampler(sinew_interpolation interpolation, int32_t times, int32_t values, write_animation *to) {
    if (to->sampler_count == to->sampler_capacity) {
        const int32_t capacity = to->sampler_capacity > 0 ? 2 * to->sampler_capacity : 64;
        write_sampler *samplers = realloc(to->samplers, (size_t)capacity * sizeof *samplers);
        if (!samplers) return false;
        to->samplers = samplers;
        to->sampler_capacity = capacity;
    }
    to->samplers[to->sampler_count++] = (write_sampler){times, values, interpolation};
    return true;
}

static void append_channel(const sinew_clip *clip, const sinew_channel *channel, write_animation *to) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    lint_append_format(&to->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                       to->channels.size > 0 ? "," : "", (int)to->sampler_count - 1,
                       (int)clip->skeleton->source_of_node[channel->node], paths[channel->target]);
}

static void append_pointer(const char *pointer, write_animation *to) {
    lint_append_format(&to->channels,
                       "%s{\"sampler\":%d,\"target\":{\"path\":\"pointer\",\"extensions\":"
                       "{\"KHR_animation_pointer\":{\"pointer\":",
                       to->channels.size > 0 ? "," : "", (int)to->sampler_count - 1);
    append_string(pointer, &to->channels);
    lint_append_format(&to->channels, "}}}}");
}

// Adds the keys of a node's channel.
static bool add_channel(const sinew_clip *clip, int32_t index, bool held, write_animation *to) {
    const sinew_channel *channel = &clip->channels[index];
    channel_keys keys = {0};
    bool good = channel->target <= SINEW_TARGET_WEIGHTS && read_keys(clip, index, &keys);
    if (good) {
        if (held) hold_last_key(&keys, channel->interpolation, clip->duration);
        static const int32_t components[] = {3, 4, 3, 1};
        const int32_t width = components[channel->target];
        const int32_t times = write_add_accessor(&to->accessors, keys.times, keys.count, 1, true);
        const int32_t values =
            write_add_accessor(&to->accessors, keys.values, keys.count * (keys.width / width), width, false);
        good = append_sampler(channel->interpolation, times, values, to);
        append_channel(clip, channel, to);
    }
    free_keys(&keys);
    return good;
}

// ---- Properties ----------------------------------------------------------------------------------------------------

// The keys of a property's components, which share one sampler. A component without a channel has its rest value, and a
// constant one its value.
typedef struct property_keys {
    channel_keys all; // [count × parts × components]
    sinew_interpolation interpolation;
    int32_t parts;
} property_keys;

// Returns the channel with the most keys among a property's channels, starting at `first`. The others have its times or
// one key.
static int32_t find_longest(const sinew_clip *clip, const sinew_animated_property *property, int32_t first) {
    int32_t longest = first;
    const int32_t end = property->first_curve + property->component_count;
    for (int32_t i = first; i < clip->channel_count && clip->channels[i].node < end; i++) {
        const bool is_longer =
            sinew_clip_channel_keys(clip, i, NULL, NULL) > sinew_clip_channel_keys(clip, longest, NULL, NULL);
        if (is_longer || clip->channels[longest].timeline < 0) longest = i;
    }
    return longest;
}

static void set_component(property_keys *to, int32_t components, int32_t component, const channel_keys *from,
                          float constant) {
    for (int32_t i = 0; i < to->all.count * to->parts; i++) {
        const bool is_tangent = to->parts == 3 && i % 3 != 1;
        float value = is_tangent ? 0.0f : constant;
        if (from) value = from->values[i];
        to->all.values[i * components + component] = value;
    }
}

// Reads a property's channels, starting at `first`. Returns false if memory runs out or components have different
// times.
static bool read_property(const sinew_clip *clip, const sinew_animated_property *property, int32_t first,
                          property_keys *to) {
    const int32_t components = property->component_count, longest = find_longest(clip, property, first);
    channel_keys times = {0}, keys = {0};
    to->interpolation = clip->channels[longest].interpolation;
    to->parts = to->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    if (!read_keys(clip, longest, &times)) {
        free_keys(&times);
        return false;
    }
    to->all = (channel_keys){.times = times.times, .count = times.count, .width = components * to->parts};
    to->all.values = calloc((size_t)times.count + 1, (size_t)to->all.width * sizeof(float));
    free(times.values);
    if (!to->all.values) return false;
    for (int32_t k = 0; k < components; k++) {
        set_component(to, components, k, NULL, clip->skeleton->rest_curves[property->first_curve + k]);
    }
    bool good = true;
    for (int32_t i = first; i < clip->channel_count && good; i++) {
        const sinew_channel *channel = &clip->channels[i];
        const int32_t k = channel->node - property->first_curve;
        if (k >= components) break;
        good = read_keys(clip, i, &keys);
        const bool is_constant = channel->timeline < 0;
        good =
            good && (is_constant || (channel->interpolation == to->interpolation && keys.count == to->all.count &&
                                     memcmp(keys.times, to->all.times, (size_t)keys.count * sizeof(float)) == 0));
        if (good) set_component(to, components, k, is_constant ? NULL : &keys, keys.values[keys.width / 2]);
        free_keys(&keys);
    }
    return good;
}

static int32_t add_bools(const channel_keys *keys, write_accessors *accessors) {
    uint8_t *bytes = malloc((size_t)keys->count);
    int32_t index = 0;
    accessors->failed |= !bytes;
    for (int32_t i = 0; bytes && i < keys->count; i++) bytes[i] = keys->values[i] >= 0.5f;
    if (bytes) index = write_add_bytes(accessors, bytes, keys->count);
    free(bytes);
    return index;
}

// Adds the keys of all of a property's components.
static bool add_property(const sinew_clip *clip, const sinew_animated_property *property, int32_t first, bool held,
                         write_animation *to) {
    property_keys keys = {0};
    bool good = read_property(clip, property, first, &keys);
    if (good) {
        if (held) hold_last_key(&keys.all, keys.interpolation, clip->duration);
        const bool is_list = property->component_count > 4;
        const int32_t width = is_list ? 1 : property->component_count;
        const int32_t times = write_add_accessor(&to->accessors, keys.all.times, keys.all.count, 1, true);
        const int32_t values = property->is_bool
                                   ? add_bools(&keys.all, &to->accessors)
                                   : write_add_accessor(&to->accessors, keys.all.values,
                                                        keys.all.count * (keys.all.width / width), width, false);
        good = append_sampler(property->is_bool ? SINEW_INTERPOLATION_STEP : keys.interpolation, times, values, to);
        append_pointer(property->pointer, to);
    }
    free_keys(&keys.all);
    return good;
}

// ---- The animation -------------------------------------------------------------------------------------------------

// Adds the channels of nodes and properties. The channels of a property's components are consecutive.
static bool add_channels(const sinew_clip *clip, const sinew_animated_property *const *of_curve,
                         const kept_channels *kept, int32_t held, write_animation *to) {
    const sinew_animated_property *previous = NULL;
    const sinew_animated_property *held_property = held < 0 ? NULL : property_of(of_curve, &clip->channels[held]);
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_animated_property *property = property_of(of_curve, &clip->channels[i]);
        const bool is_added = property && property == previous;
        if (!is_kept(kept, &clip->channels[i])) continue;
        previous = property;
        if (is_added || is_in_extras(of_curve, &clip->channels[i])) continue;
        if (!(property ? add_property(clip, property, i, property == held_property, to)
                       : add_channel(clip, i, i == held, to)))
            return false;
    }
    return true;
}

bool write_animation_make(write_animation *to, const sinew_clip *clip, const sinew_asset *asset,
                          write_keeps_channel keeps, void *user) {
    *to = (write_animation){0};
    const kept_channels kept = {keeps, user};
    const int32_t held = find_held_channel(clip, &kept);
    const sinew_animated_property **of_curve = find_properties(clip, asset);
    const bool good = of_curve &&
                      add_channels(clip, (const sinew_animated_property *const *)of_curve, &kept, held, to) &&
                      append_extras(clip, (const sinew_animated_property *const *)of_curve, held, &to->extras);
    free((void *)of_curve);
    return good && !to->channels.failed && !to->extras.failed && !to->accessors.failed;
}

void write_animation_json(const write_animation *animation, const char *name, const int32_t *numbers,
                          lint_text *out) {
    lint_append_format(out, "{\"name\":");
    append_string(name, out);
    lint_append_format(out, ",\"samplers\":[");
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        const write_sampler *sampler = &animation->samplers[i];
        lint_append_format(out, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", i > 0 ? "," : "",
                           (int)numbers[sampler->times], (int)numbers[sampler->values],
                           interpolation_names[sampler->interpolation]);
    }
    lint_append_format(out, "],\"channels\":[");
    lint_append(out, animation->channels.data, animation->channels.size);
    lint_append(out, "]", 1);
    lint_append(out, animation->extras.data, animation->extras.size);
    lint_append(out, "}", 1);
}

void write_animation_free(write_animation *animation) {
    free(animation->samplers);
    lint_text_free(&animation->channels);
    lint_text_free(&animation->extras);
    write_accessors_free(&animation->accessors);
    *animation = (write_animation){0};
}
