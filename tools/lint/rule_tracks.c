// SPDX-License-Identifier: MIT
// Wasteful tracks: redundant, constant or duplicate ones, tracks with more keys than needed, and clips that start late.
#include "lint/keys.h"

#include <float.h>
#include <math.h>

// The tolerances for keys-dense: the length of a quaternion difference (0.01 degrees), and a fraction of the model's
// size (translations) or of 1 (scales, weights).
#define DENSE_ROTATION 8.7e-5
#define DENSE_FRACTION 1e-4

// Timelines with fewer keys and arrays with fewer bytes aren't reported.
#define MIN_KEYS  8
#define MIN_BYTES 64

static const char *sampler_place(lint_subject *s, const lint_sampler *sampler, const char *member) {
    return lint_location(s, "animations[%d].samplers[%d]%s", (int)sampler->animation, (int)sampler->index, member);
}

static const char *path_name(sinew_channel_target path) {
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    return names[path];
}

// ---- Single tracks ----------------------------------------------------------------------------------------------------

static void check_start(lint_subject *s, int32_t index) {
    const lint_animation *animation = &s->animations[index];
    if (animation->start < -2.0 * (double)FLT_MIN) // above that, the first of several keys at 0 are moved
        lint_add(s, LINT_TIMES_NEGATIVE, 0, lint_location(s, "animations[%d]", (int)index),
                 "%s has a key at %.6g s", lint_clip_label(s, index), animation->start);
    if (!(animation->start > 0.0) || !isfinite(animation->start)) return;
    lint_add(s, LINT_TIMES_START, 0, lint_location(s, "animations[%d]", (int)index),
             "%s starts at %.6g s and ends at %.6g s; trim it with 'sinew bake FILE --clip \"#%d\" --range %.9g.. "
             "-o OUT.glb'",
             lint_clip_label(s, index), animation->start, animation->end, (int)index, animation->start);
}

// Reports an animation's first one, because samplers often share their times.
static void check_repeated(lint_subject *s, const lint_animation *animation) {
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (sampler->key_count == 0 || sampler->repeated < 0) continue;
        lint_add(s, LINT_TIMES_REPEATED, 0, sampler_place(s, sampler, ".input"),
                 "keys %d and %d are both at %.6g s", (int)sampler->repeated, (int)sampler->repeated + 1,
                 sampler->times[sampler->repeated + 1]);
        return;
    }
}

static void check_single_spline(lint_subject *s, const lint_sampler *sampler) {
    if (sampler->parts != 3 || sampler->key_count != 1) return;
    lint_add(s, LINT_SPLINE_SINGLE_KEY, 0, sampler_place(s, sampler, ""), "CUBICSPLINE with one key at %.6g s",
             sampler->times[0]);
}

// Doesn't report constant tracks with two keys, because exporters write constants like that.
static void check_constant(lint_subject *s, const lint_sampler *sampler) {
    if (sampler->key_count < 3 || !lint_is_constant(sampler)) return;
    lint_add(s, LINT_TRACK_CONSTANT, (size_t)(sampler->key_count - 2) * lint_key_size(sampler),
             sampler_place(s, sampler, ".output"), "%s of %s: all %d keys are equal", path_name(sampler->path),
             lint_node_label(s, sampler->node), (int)sampler->key_count);
}

static void check_redundant(lint_subject *s, int32_t index, bool *marks) {
    const lint_animation *animation = &s->animations[index];
    if (!lint_mark_redundant(s, animation, marks)) return;
    for (int32_t i = 0; i < animation->channel_count; i++) {
        if (!marks[i]) continue;
        const lint_channel *channel = &animation->channels[i];
        const lint_sampler *sampler = &animation->samplers[channel->sampler];
        size_t bytes = sampler->channels == 1 ? (size_t)sampler->key_count * lint_key_size(sampler) : 0;
        lint_add(s, LINT_TRACK_REDUNDANT, bytes,
                 lint_location(s, "animations[%d].channels[%d]", (int)index, (int)i), "%s of %s: %d key%s",
                 path_name(channel->path), lint_node_label(s, channel->node), (int)sampler->key_count,
                 sampler->key_count == 1 ? "" : "s");
    }
}

// ---- Duplicates ----------------------------------------------------------------------------------------------------

// Where an accessor's bytes start.
typedef struct bytes_start {
    int32_t view;
    double offset;
} bytes_start;

// Finds where every accessor starts. Does it once, because many accessors may equal the same one.
static const bytes_start *find_bytes(lint_subject *s) {
    ref_document *document = s->document;
    bytes_start *starts = lint_array(s, bytes_start, document->accessors.count);
    for (int32_t i = 0; starts && i < document->accessors.count; i++) {
        sinewi_json_value value = document->accessors.values[i];
        starts[i] =
            (bytes_start){ref_index(document, value, "bufferView"), ref_number(document, value, "byteOffset", 0.0)};
    }
    return starts;
}

// Two accessors over the same bytes don't waste any.
static bool same_bytes(const bytes_start *a, const bytes_start *b) {
    return a->view == b->view && a->offset == b->offset;
}

static void check_duplicate(lint_subject *s, const lint_sampler *sampler, lint_rule_id rule, const char *member,
                            int32_t accessor, int32_t first, size_t bytes) {
    if (bytes < MIN_BYTES) return;
    lint_add(s, rule, bytes, sampler_place(s, sampler, member), "accessors[%d] equals accessors[%d]", (int)accessor,
             (int)first);
}

static void check_duplicates(lint_subject *s, const int32_t *firsts) {
    bool *visited = lint_array(s, bool, s->document->accessors.count);
    const bytes_start *starts = find_bytes(s);
    for (int32_t i = 0; visited && starts && i < s->animation_count; i++) {
        for (int32_t k = 0; k < s->animations[i].sampler_count; k++) {
            const lint_sampler *sampler = &s->animations[i].samplers[k];
            if (sampler->node < 0) continue;
            int32_t input = sampler->input, output = sampler->output;
            size_t keys = (size_t)sampler->key_count;
            if (!visited[input] && firsts[input] != input && !same_bytes(&starts[input], &starts[firsts[input]])) {
                check_duplicate(s, sampler, LINT_TIMES_DUPLICATE, ".input", input, firsts[input],
                                keys * sizeof(float));
            }
            if (!visited[output] && firsts[output] != output &&
                !same_bytes(&starts[output], &starts[firsts[output]])) {
                check_duplicate(s, sampler, LINT_TRACK_DUPLICATE, ".output", output, firsts[output],
                                keys * lint_key_size(sampler));
            }
            visited[input] = visited[output] = true;
        }
    }
}

// ---- Dense keys ----------------------------------------------------------------------------------------------------

static double dense_tolerance(const lint_subject *s, const lint_sampler *sampler) {
    if (sampler->path == SINEW_TARGET_ROTATION) return DENSE_ROTATION;
    if (sampler->path != SINEW_TARGET_TRANSLATION) return DENSE_FRACTION;
    return DENSE_FRACTION * s->size / lint_scale_above(s, sampler->node);
}

// The search for timelines in all animations.
typedef struct timelines {
    const int32_t *firsts;      // [accessors]; the first one with equal times
    int32_t *animation;         // [accessors]; 1 + the last animation with samplers on it
    int32_t *first, *last;      // [accessors]; that animation's samplers on it
    int32_t *next;              // [largest sampler count]; next sampler on the same times, or -1
    const lint_sampler **group; // [largest sampler count]
    double *tolerances;         // [largest sampler count]
} timelines;

static bool begin_timelines(lint_subject *s, const int32_t *firsts, timelines *t) {
    int32_t accessors = s->document->accessors.count, most = 0;
    for (int32_t i = 0; i < s->animation_count; i++) {
        if (most < s->animations[i].sampler_count) most = s->animations[i].sampler_count;
    }
    t->firsts = firsts;
    t->animation = lint_array(s, int32_t, accessors);
    t->first = lint_array(s, int32_t, accessors);
    t->last = lint_array(s, int32_t, accessors);
    t->next = lint_array(s, int32_t, most);
    t->group = lint_array(s, const lint_sampler *, most);
    t->tolerances = lint_array(s, double, most);
    return !s->out_of_memory;
}

static bool may_be_dense(const lint_sampler *sampler) {
    return sampler->node >= 0 && sampler->interpolation == SINEW_INTERPOLATION_LINEAR &&
           sampler->key_count >= MIN_KEYS;
}

// Lists an animation's LINEAR samplers by their times.
static void list_timelines(const lint_animation *animation, int32_t index, timelines *t) {
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (!may_be_dense(sampler)) continue;
        int32_t input = t->firsts[sampler->input];
        t->next[i] = -1;
        if (t->animation[input] == index + 1) {
            t->next[t->last[input]] = i;
        } else {
            t->animation[input] = index + 1;
            t->first[input] = i;
        }
        t->last[input] = i;
    }
}

// Checks an animation's samplers on one timeline, except constant ones.
static void check_timeline(lint_subject *s, const lint_animation *animation, const timelines *t, int32_t first) {
    const lint_sampler *leader = &animation->samplers[first];
    int32_t count = 0;
    size_t key_size = sizeof(float);
    for (int32_t i = first; i >= 0; i = t->next[i]) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (lint_is_constant(sampler)) continue;
        t->group[count] = sampler;
        t->tolerances[count++] = dense_tolerance(s, sampler);
        key_size += lint_key_size(sampler);
    }
    bool *keep = count > 0 ? lint_array(s, bool, leader->key_count) : NULL;
    if (!keep) return;
    int32_t needless = leader->key_count - lint_mark_needed_keys(t->group, t->tolerances, count, keep);
    if (2 * needless < leader->key_count) return;
    lint_add(s, LINT_KEYS_DENSE, (size_t)needless * key_size, sampler_place(s, t->group[0], ".input"),
             "%d of %d keys are not needed in %d track%s", (int)needless, (int)leader->key_count, (int)count,
             count == 1 ? "" : "s");
}

static void check_dense(lint_subject *s, int32_t index, timelines *t) {
    const lint_animation *animation = &s->animations[index];
    list_timelines(animation, index, t);
    for (int32_t i = 0; !s->out_of_memory && i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (may_be_dense(sampler) && t->first[t->firsts[sampler->input]] == i) check_timeline(s, animation, t, i);
    }
}

// ---- The rules -----------------------------------------------------------------------------------------------------

static void check_animation(lint_subject *s, int32_t index, timelines *t) {
    const lint_animation *animation = &s->animations[index];
    bool *redundant = lint_array(s, bool, animation->channel_count);
    if (s->out_of_memory) return;
    check_start(s, index);
    check_repeated(s, animation);
    check_redundant(s, index, redundant);
    bool *redundant_sampler = lint_array(s, bool, animation->sampler_count); // its only channel is redundant
    for (int32_t i = 0; redundant_sampler && i < animation->channel_count; i++) {
        const lint_channel *channel = &animation->channels[i];
        if (redundant[i] && animation->samplers[channel->sampler].channels == 1)
            redundant_sampler[channel->sampler] = true;
    }
    for (int32_t i = 0; redundant_sampler && i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (sampler->node < 0) continue;
        check_single_spline(s, sampler);
        if (!redundant_sampler[i]) check_constant(s, sampler);
    }
    check_dense(s, index, t);
}

void lint_check_tracks(lint_subject *s) {
    const int32_t *firsts = lint_find_duplicates(s);
    timelines t;
    if (!firsts || !begin_timelines(s, firsts, &t)) return;
    for (int32_t i = 0; i < s->animation_count; i++) check_animation(s, i, &t);
    check_duplicates(s, firsts);
}
