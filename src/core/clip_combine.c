// SPDX-License-Identifier: MIT
// Combines clips that move different nodes to one clip per duration. The longest is for a mixer's base layer. The
// others are differences from the rest pose, for an additive layer.
//
// A slot is anything that a channel can animate (see clip_build.h). A clip is chosen unless it moves a slot that an
// earlier clip already moves. A part has the chosen clips with the same duration.
#include "core/clip_build.h"
#include "base/fail.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// You can't divide by rest pose scales below this. The base uses 1 instead, and the difference is relative to 1.
#define LEAST_SCALE 1e-6f

// A mixer's maximum number of actions. More parts couldn't play at once.
#define MAX_PARTS 64

// Owner of a slot that no clip animates.
#define NO_CLIP (-1)

typedef struct combiner {
    const sinew_clip *const *clips;
    int32_t clip_count;
    const sinew_skeleton *skeleton;
    const sinew_allocator *allocator;
    sinewi_arena scratch; // for one part
    int32_t *owners;      // [sinewi_channel_slots]: clip whose channel is used, or NO_CLIP
    bool *chosen, *taken; // [clip_count]. taken: already in a part.
    float longest;
    sinew_error *error;
} combiner;

static size_t slot_of(const combiner *c, const sinew_channel *channel) {
    return sinewi_channel_slot(c->skeleton, channel->node, channel->target);
}

static bool moves(const sinew_clip *clip) {
    for (int32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].timeline >= 0) return true;
    return false;
}

// ---- Choosing ------------------------------------------------------------------------------------------------

static bool is_free(const combiner *c, const sinew_clip *clip) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->timeline >= 0 && c->owners[slot_of(c, channel)] != NO_CLIP) return false;
    }
    return !clip->additive;
}

// Makes a clip the owner of the slots that it moves, or of the unowned slots that it keeps constant.
static void own(const combiner *c, int32_t index, bool constant) {
    const sinew_clip *clip = c->clips[index];
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        int32_t *owner = &c->owners[slot_of(c, channel)];
        if ((channel->timeline < 0) == constant && *owner == NO_CLIP) *owner = index;
    }
}

// Moving a slot takes precedence over keeping it constant.
static void choose(combiner *c) {
    for (size_t i = 0; i < sinewi_channel_slots(c->skeleton); i++) c->owners[i] = NO_CLIP;
    for (int32_t i = 0; i < c->clip_count; i++) {
        c->chosen[i] = is_free(c, c->clips[i]);
        if (!c->chosen[i]) continue;
        own(c, i, false);
        if (moves(c->clips[i])) c->longest = fmaxf(c->longest, c->clips[i]->duration);
    }
    for (int32_t i = 0; i < c->clip_count; i++)
        if (c->chosen[i]) own(c, i, true);
}

// Returns whether a clip is in the part with this duration. A clip that doesn't move is in the base.
static bool is_in_part(const combiner *c, int32_t index, float duration) {
    const sinew_clip *clip = c->clips[index];
    if (!c->chosen[index]) return false;
    return moves(clip) ? clip->duration == duration : duration == c->longest;
}

// ---- Channels ------------------------------------------------------------------------------------------------

typedef struct clip_part {
    const sinew_clip *first;
    int32_t clip_count;
    sinew_channel_def *channels;
    int32_t channel_count;
    sinew_marker *markers;
    int32_t marker_count;
    float max_error;
} clip_part;

static bool make_room(combiner *c, float duration, clip_part *part) {
    size_t markers = 0;
    for (int32_t i = 0; i < c->clip_count; i++)
        if (is_in_part(c, i, duration)) markers += (size_t)c->clips[i]->marker_count;
    part->channels = sinewi_arena_array(&c->scratch, sinew_channel_def, sinewi_channel_slots(c->skeleton));
    part->markers = sinewi_arena_array(&c->scratch, sinew_marker, markers);
    return part->channels && part->markers;
}

static bool collect_clip(combiner *c, int32_t index, clip_part *part) {
    const sinew_clip *clip = c->clips[index];
    for (int32_t i = 0; i < clip->channel_count; i++) {
        if (c->owners[slot_of(c, &clip->channels[i])] != index) continue;
        if (!sinewi_clip_read_channel(clip, i, &c->scratch, &part->channels[part->channel_count++])) return false;
    }
    for (int32_t i = 0; i < clip->marker_count; i++) {
        if (clip->markers[i].time > c->longest) continue; // from a clip that doesn't move
        part->markers[part->marker_count++] = clip->markers[i];
    }
    if (part->clip_count++ == 0) part->first = clip;
    part->max_error += clip->max_error;
    c->taken[index] = true;
    return true;
}

static bool collect_part(combiner *c, float duration, clip_part *part) {
    if (!make_room(c, duration, part)) return false;
    for (int32_t i = 0; i < c->clip_count; i++)
        if (is_in_part(c, i, duration) && !collect_clip(c, i, part)) return false;
    return true;
}

static bool has_small_scale(sinew_vec3 scale) {
    return fabsf(scale.x) < LEAST_SCALE || fabsf(scale.y) < LEAST_SCALE || fabsf(scale.z) < LEAST_SCALE;
}

static sinew_vec3 enlarged(sinew_vec3 scale) {
    return (sinew_vec3){fabsf(scale.x) < LEAST_SCALE ? 1.0f : scale.x,
                        fabsf(scale.y) < LEAST_SCALE ? 1.0f : scale.y,
                        fabsf(scale.z) < LEAST_SCALE ? 1.0f : scale.z};
}

// Returns whether a difference has this node's scale but can't divide by the rest pose's.
static bool needs_scale(const combiner *c, int32_t node) {
    const int32_t owner = c->owners[sinewi_channel_slot(c->skeleton, node, SINEW_TARGET_SCALE)];
    return owner != NO_CLIP && !is_in_part(c, owner, c->longest) && has_small_scale(c->skeleton->rest[node].scale);
}

// Adds the scales that the differences are relative to.
static bool add_scales(combiner *c, clip_part *base) {
    static const float start = 0.0f;
    for (int32_t i = 0; i < c->skeleton->node_count; i++) {
        if (!needs_scale(c, i)) continue;
        sinew_vec3 *scale = sinewi_arena_array(&c->scratch, sinew_vec3, 1);
        if (!scale) return false;
        *scale = enlarged(c->skeleton->rest[i].scale);
        base->channels[base->channel_count++] =
            (sinew_channel_def){i, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_STEP, 1, &start, &scale->x};
    }
    return true;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static sinew_result build_part(const combiner *c, const clip_part *part, float duration, sinew_clip **clip) {
    char name[160];
    snprintf(name, sizeof name, "%.100s and %d more", part->first->name, (int)(part->clip_count - 1));
    sinew_clip_def def = sinew_clip_default();
    def.name = part->clip_count > 1 ? name : part->first->name;
    def.skeleton = c->skeleton;
    def.channel_count = part->channel_count;
    def.channels = part->channels;
    def.duration = duration;
    def.marker_count = part->marker_count;
    def.markers = part->markers;
    def.key_format = part->first->key_format;
    if (c->allocator) def.allocator = *c->allocator;
    const sinew_result result = sinewi_clip_build(&def, part->first, clip, c->error);
    if (result == SINEW_OK) (*clip)->max_error += part->max_error - part->first->max_error;
    return result;
}

// Makes the difference between a part's clip and the rest pose.
static sinew_result make_difference(const combiner *c, const sinew_clip *clip, sinew_clip **difference) {
    sinew_pose *rest;
    if (sinew_pose_create(c->skeleton, c->allocator, &rest) != SINEW_OK) return sinewi_fail_memory(c->error);
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->target != SINEW_TARGET_SCALE || !needs_scale(c, channel->node)) continue;
        sinew_transform t = sinew_pose_get(rest, channel->node);
        t.scale = enlarged(t.scale);
        sinew_pose_set(rest, channel->node, t);
    }
    const sinew_result result = sinew_clip_make_additive(clip, rest, c->allocator, difference, c->error);
    sinew_pose_destroy(rest);
    return result;
}

static sinew_result make_part(combiner *c, float duration, sinew_clip **clip) {
    const bool is_base = duration == c->longest;
    clip_part part;
    memset(&part, 0, sizeof part);
    sinewi_arena_init(&c->scratch, c->allocator);
    const bool good = collect_part(c, duration, &part) && (!is_base || add_scales(c, &part));
    sinew_clip *whole = NULL;
    sinew_result result = good ? build_part(c, &part, duration, &whole) : sinewi_fail_memory(c->error);
    sinewi_arena_free(&c->scratch);
    if (whole && !is_base) {
        result = make_difference(c, whole, clip);
        sinew_clip_destroy(whole);
    } else {
        *clip = whole;
    }
    return result;
}

// Makes the base first, then the other parts in the order of their first clips.
static sinew_result make_parts(combiner *c, sinew_clip **combined, int32_t *count) {
    for (int32_t i = -1; i < c->clip_count; i++) {
        if (i >= 0 && (!c->chosen[i] || c->taken[i])) continue;
        const sinew_result result = make_part(c, i < 0 ? c->longest : c->clips[i]->duration, &combined[*count]);
        if (result != SINEW_OK) return result;
        ++*count;
    }
    return SINEW_OK;
}

static sinew_result check_clips(const combiner *c) {
    for (int32_t i = 1; i < c->clip_count; i++) {
        if (c->clips[i]->skeleton == c->skeleton) continue;
        return sinewi_fail(c->error, SINEW_ERROR_ARGUMENT,
                           "clips[%d] '%.100s' belongs to a different skeleton than clips[0]", (int)i,
                           c->clips[i]->name);
    }
    return SINEW_OK;
}

static bool has_chosen(const combiner *c) {
    for (int32_t i = 0; i < c->clip_count; i++)
        if (c->chosen[i]) return true;
    return false;
}

// Checks this before building anything, because each part needs memory for a clip of all nodes.
static sinew_result check_durations(const combiner *c) {
    float found[MAX_PARTS];
    int32_t count = 0;
    for (int32_t i = 0; i < c->clip_count; i++) {
        const float duration = c->clips[i]->duration;
        if (!c->chosen[i] || !moves(c->clips[i])) continue;
        int32_t k = 0;
        while (k < count && found[k] != duration) k++;
        if (k == MAX_PARTS) {
            return sinewi_fail(
                c->error, SINEW_ERROR_LIMIT,
                "clips[%d] '%.100s': more than %d clips with different durations cannot play together", (int)i,
                c->clips[i]->name, MAX_PARTS);
        }
        if (k == count) found[count++] = duration;
    }
    return SINEW_OK;
}

static sinew_result combine(combiner *c, sinewi_arena *arena, sinew_clip **combined, int32_t *count) {
    c->owners = sinewi_arena_array(arena, int32_t, sinewi_channel_slots(c->skeleton));
    c->chosen = sinewi_arena_zeros(arena, bool, (size_t)c->clip_count);
    c->taken = sinewi_arena_zeros(arena, bool, (size_t)c->clip_count);
    if (!c->owners || !c->chosen || !c->taken) return sinewi_fail_memory(c->error);
    choose(c);
    const sinew_result result = check_durations(c);
    return result == SINEW_OK && has_chosen(c) ? make_parts(c, combined, count) : result;
}

sinew_result sinew_clip_combine(const sinew_clip *const *clips, int32_t clip_count,
                                const sinew_allocator *allocator, sinew_clip **combined, int32_t *combined_count,
                                bool *left_out, sinew_error *error) {
    assert(clip_count == 0 || (clips && combined));
    assert(combined_count);
    *combined_count = 0;
    if (clip_count <= 0) return SINEW_OK;
    combiner c;
    memset(&c, 0, sizeof c);
    c.clips = clips;
    c.clip_count = clip_count;
    c.skeleton = clips[0]->skeleton;
    c.allocator = allocator;
    c.error = error;
    sinew_result result = check_clips(&c);
    if (result != SINEW_OK) return result;
    sinewi_arena arena;
    sinewi_arena_init(&arena, allocator);
    result = combine(&c, &arena, combined, combined_count);
    for (int32_t i = 0; result == SINEW_OK && left_out && i < clip_count; i++) left_out[i] = !c.chosen[i];
    while (result != SINEW_OK && *combined_count > 0) sinew_clip_destroy(combined[--*combined_count]);
    sinewi_arena_free(&arena);
    return result;
}
