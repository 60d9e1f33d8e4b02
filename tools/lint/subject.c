// SPDX-License-Identifier: MIT
// The subject: animations with their samplers and channels. Reads all parts in order.
#include "lint/subject.h"

#include "files/load.h"

#include <math.h>
#include <string.h>

const double *lint_key(const lint_sampler *sampler, int32_t key) {
    size_t parts = (size_t)sampler->parts, middle = sampler->parts == 3 ? 1 : 0;
    return sampler->values + ((size_t)key * parts + middle) * (size_t)sampler->width;
}

static sinew_interpolation interpolation_of(ref_document *document, sinewi_json_value sampler) {
    static const char *const words[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    sinewi_json_value word = sinewi_json_get(&document->json, sampler, "interpolation");
    if (sinewi_json_kind_of(&document->json, word) != SINEWI_JSON_STRING) return SINEW_INTERPOLATION_LINEAR;
    for (int i = SINEW_INTERPOLATION_STEP; i <= SINEW_INTERPOLATION_CUBICSPLINE; i++) {
        if (sinewi_json_equals(&document->json, word, words[i])) return (sinew_interpolation)i;
    }
    return SINEW_INTERPOLATION_LINEAR;
}

static void read_sampler(lint_subject *s, lint_sampler *sampler) {
    ref_document *document = s->document;
    ref_accessor input, output;
    sampler->interpolation = interpolation_of(document, sampler->value);
    sampler->parts = sampler->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    sampler->input = lint_index(document, sampler->value, "input", document->accessors.count);
    sampler->output = lint_index(document, sampler->value, "output", document->accessors.count);
    sampler->node = -1;
    if (!ref_read_times(document, sampler->input, &input, &sampler->repeated)) return;
    if (!ref_read_accessor(document, sampler->output, &output)) return;
    // The library doesn't read samplers without a channel, so these may be invalid.
    int64_t numbers = (int64_t)output.count * output.components, keys = (int64_t)input.count * sampler->parts;
    if (input.components != 1 || input.count == 0 || numbers == 0 || numbers % keys != 0) return;
    sampler->key_count = input.count;
    sampler->width = (int32_t)(numbers / keys);
    sampler->component_type = output.component_type;
    sampler->times = input.values;
    sampler->values = output.values;
}

static int path_of(ref_document *document, sinewi_json_value target) {
    static const char *const words[] = {"translation", "rotation", "scale", "weights"};
    sinewi_json_value word = sinewi_json_get(&document->json, target, "path");
    if (sinewi_json_kind_of(&document->json, word) != SINEWI_JSON_STRING) return -1;
    for (int i = 0; i < 4; i++) {
        if (sinewi_json_equals(&document->json, word, words[i])) return i;
    }
    return -1;
}

typedef int32_t paths_taken[4]; // [path]; 1 + the current animation's channel that animates it

static void read_channel(lint_subject *s, int32_t index, lint_animation *animation, lint_channel *channel,
                         paths_taken *taken) {
    ref_document *document = s->document;
    channel->sampler = lint_index(document, channel->value, "sampler", animation->sampler_count);
    channel->node = -1;
    if (channel->sampler < 0) return;
    lint_sampler *sampler = &animation->samplers[channel->sampler];
    sampler->channels++;
    sinewi_json_value target = sinewi_json_get(&document->json, channel->value, "target");
    int32_t node = lint_index(document, target, "node", s->node_count);
    int path = path_of(document, target);
    if (node < 0 || path < 0 || sampler->key_count == 0) return;
    if (taken[node][path] > 0) {
        animation->channels[taken[node][path] - 1].repeated = true;
        if (s->report) {
            lint_add(s, LINT_CHANNEL_REPEATED, 0,
                     lint_location(s, "animations[%d].channels[%d]", (int)index, (int)channel->index),
                     "has the same target as channels[%d]", (int)taken[node][path] - 1);
        }
        return;
    }
    taken[node][path] = channel->index + 1;
    channel->node = node;
    channel->path = (sinew_channel_target)path;
    s->nodes[node].animated = true;
    if (sampler->node < 0) {
        sampler->node = node;
        sampler->path = channel->path;
    }
    animation->start = fmin(animation->start, sampler->times[0]);
    animation->end = fmax(animation->end, sampler->times[sampler->key_count - 1]);
}

static void clear_taken(const lint_subject *s, const lint_animation *animation, paths_taken *taken) {
    for (int32_t i = 0; i < animation->channel_count; i++) {
        sinewi_json_value target = sinewi_json_get(&s->document->json, animation->channels[i].value, "target");
        int32_t node = lint_index(s->document, target, "node", s->node_count);
        for (int path = 0; node >= 0 && path < 4; path++) taken[node][path] = 0;
    }
}

// Includes a translation track's positions in the model's size.
static void measure(lint_subject *s, const lint_sampler *sampler) {
    if (sampler->node < 0 || sampler->path != SINEW_TARGET_TRANSLATION || sampler->width != 3) return;
    double scale = lint_scale_above(s, sampler->node);
    for (int32_t k = 0; k < sampler->key_count; k++) {
        const double *position = lint_key(sampler, k);
        for (int i = 0; i < 3; i++) {
            if (isfinite(position[i])) s->size = fmax(s->size, scale * fabs(position[i]));
        }
    }
}

static void read_animation(lint_subject *s, int32_t index, paths_taken *taken) {
    ref_document *document = s->document;
    lint_animation *animation = &s->animations[index];
    animation->value = document->animations.values[index];
    animation->name = ref_string(document, animation->value, "name");
    ref_list samplers = ref_elements(document, animation->value, "samplers");
    ref_list channels = ref_elements(document, animation->value, "channels");
    animation->samplers = lint_array(s, lint_sampler, samplers.count);
    animation->channels = lint_array(s, lint_channel, channels.count);
    if (s->out_of_memory) return;
    animation->sampler_count = samplers.count;
    animation->channel_count = channels.count;
    animation->start = HUGE_VAL;
    for (int32_t i = 0; i < samplers.count; i++) {
        animation->samplers[i] = (lint_sampler){.value = samplers.values[i], .animation = index, .index = i};
        read_sampler(s, &animation->samplers[i]);
    }
    for (int32_t i = 0; i < channels.count; i++) {
        animation->channels[i] = (lint_channel){.value = channels.values[i], .index = i};
        read_channel(s, index, animation, &animation->channels[i], taken);
    }
    clear_taken(s, animation, taken);
    for (int32_t i = 0; i < samplers.count; i++) measure(s, &animation->samplers[i]);
}

void lint_read_animations(lint_subject *s) {
    s->animation_count = s->document->animations.count;
    s->animations = lint_array(s, lint_animation, s->animation_count);
    paths_taken *taken = lint_array(s, paths_taken, s->node_count);
    for (int32_t i = 0; i < s->animation_count && !s->out_of_memory; i++) read_animation(s, i, taken);
}

// ---- The subject ----------------------------------------------------------------------------------------------------

bool lint_read_subject(lint_subject *s, ref_document *document, sinewi_arena *arena, lint_report *report) {
    memset(s, 0, sizeof *s);
    s->document = document;
    s->arena = arena;
    s->report = report;
    lint_read_nodes(s);
    if (!s->out_of_memory) lint_read_animations(s);
    if (!s->out_of_memory) lint_read_references(s);
    return !s->out_of_memory && ref_within_budget(document);
}

static void *take_note(lint_notes *notes, size_t count, size_t size) {
    void *memory = sinewi_arena_zeroed(notes->arena, count, size, alignof(max_align_t));
    if (!memory) notes->out_of_memory = true;
    return memory;
}

static const char *copy_note(lint_notes *notes, const char *text) {
    const char *copy = sinewi_arena_string(notes->arena, text, strlen(text));
    if (!copy) notes->out_of_memory = true;
    return copy;
}

static void note_line(const char *message, void *user) {
    lint_notes *notes = (lint_notes *)user;
    if (notes->line_count == notes->line_capacity) {
        const int32_t capacity = notes->line_capacity > 0 ? 2 * notes->line_capacity : 16;
        const char **lines = (const char **)take_note(notes, (size_t)capacity, sizeof *lines);
        if (!lines) return;
        if (notes->line_count > 0) memcpy(lines, notes->lines, (size_t)notes->line_count * sizeof *lines);
        notes->lines = lines;
        notes->line_capacity = capacity;
    }
    const char *line = copy_note(notes, message);
    if (line) notes->lines[notes->line_count++] = line;
}

// Returns whether a curve's channel ever differs from the rest value. A constant channel has one key. A spline's key
// has the value between two tangents.
static bool moves_curve(const sinew_clip *clip, int32_t channel) {
    float key[3];
    if (sinew_clip_channel_keys(clip, channel, NULL, NULL) != 1) return true;
    sinew_clip_channel_keys(clip, channel, NULL, key);
    const float value = key[sinew_clip_key_width(clip, channel) / 2];
    const float rest = clip->skeleton->rest_curves[clip->channels[channel].node];
    return value < rest || value > rest;
}

// Records curves that clips have but don't move. Names starting with '/' are properties. Their keys may be meant for a
// variant of the file.
static void note_still_curves(lint_notes *notes, const sinew_asset *asset) {
    const int32_t count = asset->skeleton->curve_count;
    int32_t *clips = (int32_t *)take_note(notes, (size_t)count, sizeof *clips); // 1 + the first clip with a channel
    bool *moves = (bool *)take_note(notes, (size_t)count, sizeof *moves);
    notes->still = (lint_still_curve *)take_note(notes, (size_t)count, sizeof *notes->still);
    if (!clips || !moves || !notes->still) return;
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i];
        for (int32_t k = 0; k < clip->channel_count; k++) {
            if (clip->channels[k].target != SINEW_TARGET_CURVE) continue;
            const int32_t curve = clip->channels[k].node;
            if (clips[curve] == 0) clips[curve] = i + 1;
            moves[curve] = moves[curve] || moves_curve(clip, k);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        const char *name = asset->skeleton->curve_names[i];
        if (clips[i] == 0 || moves[i] || name[0] == '/') continue;
        const lint_still_curve still = {copy_note(notes, name), asset->skeleton->rest_curves[i], clips[i] - 1};
        if (still.name) notes->still[notes->still_count++] = still;
    }
}

sinew_result lint_try_to_load(const char *path, sinew_meshopt_decode decode, void *decode_user, lint_notes *notes,
                              sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = lint_avatar_extension();
    options.meshopt_decode = decode;
    options.meshopt_user = decode_user;
    options.key_growth = 0.0f;
    if (notes) options.log = (sinew_log){note_line, notes};
    sinew_asset *asset;
    sinew_result result = files_load_gltf(path, &options, &asset, error);
    if (notes && result == SINEW_OK) note_still_curves(notes, asset);
    sinew_asset_destroy(asset);
    return result;
}
