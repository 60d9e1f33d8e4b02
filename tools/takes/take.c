// SPDX-License-Identifier: MIT
// A take: a clip's poses at all of its key times, and a clip made from changed poses.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEYS  ((size_t)1 << 20)
#define MAX_BYTES ((size_t)1 << 30) // for all poses

// ---- Times ---------------------------------------------------------------------------------------------------

static int compare_times(const void *a, const void *b) {
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

static bool is_step(const sinew_clip *clip, int32_t timeline) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->timeline == timeline && channel->interpolation == SINEW_INTERPOLATION_STEP) return true;
    }
    return false;
}

// Collects all key times and the moments before steps, sorted and without duplicates, from 0 to the end. Returns NULL
// if memory runs out.
static float *collect_times(const sinew_clip *clip, size_t *count) {
    size_t most = 2, n = 0;
    for (int32_t i = 0; i < clip->timeline_count; i++) most += 2 * (size_t)clip->timelines[i].key_count;
    float *times = malloc(most * sizeof *times);
    if (!times) return NULL;
    times[n++] = 0.0f;
    times[n++] = clip->duration;
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        const bool steps = is_step(clip, i);
        for (int32_t k = 0; k < clip->timelines[i].key_count; k++) {
            const float time = sinew_timeline_time(&clip->timelines[i], k);
            times[n++] = time;
            if (steps && time > 0.0f) times[n++] = nextafterf(time, 0.0f);
        }
    }
    qsort(times, n, sizeof *times, compare_times);
    *count = 1;
    for (size_t i = 1; i < n; i++)
        if (times[i] > times[*count - 1]) times[(*count)++] = times[i];
    return times;
}

static size_t steps_between(float from, float to, double rate) {
    const double steps = ceil(((double)to - (double)from) * rate - 1e-3);
    return steps < 1.0 ? 1 : steps > (double)MAX_KEYS ? MAX_KEYS : (size_t)steps;
}

static sinew_result make_times(take *t, double rate, sinew_error *error) {
    size_t key_count, count = 1;
    float *keys = collect_times(t->clip, &key_count);
    if (!keys) return takes_fail_memory(error);
    for (size_t i = 1; i < key_count && count <= MAX_KEYS; i++) count += steps_between(keys[i - 1], keys[i], rate);
    const size_t frame_bytes = ((size_t)t->skeleton->node_count + 1) * sizeof *t->transforms;
    const bool is_long = count > MAX_KEYS || count * frame_bytes > MAX_BYTES;
    if (!is_long) t->times = malloc((count + 1) * sizeof *t->times);
    if (is_long || !t->times) {
        free(keys);
        return is_long ? takes_fail(error, SINEW_ERROR_LIMIT, "has too many keys; use --range")
                       : takes_fail_memory(error);
    }
    t->times[t->count++] = keys[0];
    for (size_t i = 1; i < key_count; i++) {
        const size_t steps = steps_between(keys[i - 1], keys[i], rate);
        const double from = (double)keys[i - 1], step = ((double)keys[i] - from) / (double)steps;
        for (size_t k = 1; k < steps; k++) t->times[t->count++] = (float)(from + (double)k * step);
        t->times[t->count++] = keys[i];
    }
    free(keys);
    return SINEW_OK;
}

// ---- Poses ---------------------------------------------------------------------------------------------------

sinew_transform *take_transform(const take *t, int32_t frame, int32_t node) {
    return &t->transforms[(size_t)frame * (size_t)t->skeleton->node_count + (size_t)node];
}

sinew_result take_open(take *t, const sinew_clip *clip, double rate, sinew_error *error) {
    *t = (take){.clip = clip, .skeleton = clip->skeleton};
    if (clip->additive)
        return takes_fail(error, SINEW_ERROR_ARGUMENT, "is additive; prepare the clip it was made from");
    if (!(clip->duration > 0.0f)) return takes_fail(error, SINEW_ERROR_ARGUMENT, "is a single pose");
    const sinew_result result = make_times(t, rate, error);
    if (result != SINEW_OK) return result;
    const size_t nodes = (size_t)t->skeleton->node_count;
    t->transforms = malloc(((size_t)t->count * nodes + 1) * sizeof *t->transforms);
    t->changed = calloc(nodes + 1, sizeof *t->changed);
    t->model = malloc((nodes + 1) * sizeof *t->model);
    if (!t->transforms || !t->changed || !t->model || sinew_pose_create(t->skeleton, NULL, &t->pose) != SINEW_OK)
        return takes_fail_memory(error);
    for (int32_t f = 0; f < t->count; f++) {
        sinew_clip_sample(clip, t->times[f], t->pose);
        for (int32_t n = 0; n < t->skeleton->node_count; n++) *take_transform(t, f, n) = sinew_pose_get(t->pose, n);
    }
    return SINEW_OK;
}

void take_close(take *t) {
    free(t->times);
    free(t->transforms);
    free(t->weights);
    free(t->changed);
    free(t->model);
    sinew_pose_destroy(t->pose);
    *t = (take){0};
}

void take_pose(take *t, int32_t frame) {
    for (int32_t n = 0; n < t->skeleton->node_count; n++) sinew_pose_set(t->pose, n, *take_transform(t, frame, n));
    sinew_pose_to_model(t->pose, t->model);
}

void take_keep(take *t, int32_t frame, int32_t node, sinew_channel_target changed) {
    *take_transform(t, frame, node) = sinew_pose_get(t->pose, node);
    t->changed[node] |= (uint8_t)(1U << changed);
}

void take_move(take *t, int32_t frame, int32_t node, sinew_vec3 by) {
    const int32_t parent = t->skeleton->parents[node];
    sinew_transform *transform = take_transform(t, frame, node);
    if (parent != SINEW_NO_NODE) by = sinew_affine_direction(sinew_affine_inverse(t->model[parent]), by);
    transform->translation = sinew_vec3_add(transform->translation, by);
    t->changed[node] |= 1U << SINEW_TARGET_TRANSLATION;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

typedef struct clip_maker {
    const take *take;
    sinew_channel_def *channels;
    int32_t count;
    float **blocks; // [count]; to be freed
} clip_maker;

static bool is_changed(const take *t, int32_t node, sinew_channel_target target) {
    return target != SINEW_TARGET_CURVE && (t->changed[node] & (1U << target)) != 0;
}

static const float *part_of(const sinew_transform *transform, sinew_channel_target target) {
    if (target == SINEW_TARGET_TRANSLATION) return &transform->translation.x;
    return target == SINEW_TARGET_ROTATION ? &transform->rotation.x : &transform->scale.x;
}

static size_t value_count(const sinew_skeleton *s) {
    return (size_t)s->weight_count + (size_t)s->curve_count;
}

// Returns a channel's floats in a frame, and how many there are.
static const float *values_at(const take *t, int32_t frame, int32_t node, sinew_channel_target target,
                              size_t *width) {
    const sinew_skeleton *s = t->skeleton;
    *width = target == SINEW_TARGET_ROTATION ? 4 : 3;
    if (target < SINEW_TARGET_WEIGHTS) return part_of(take_transform(t, frame, node), target);
    const float *values = t->weights + (size_t)frame * value_count(s);
    *width = 1;
    if (target == SINEW_TARGET_CURVE) return values + s->weight_count + node;
    *width = (size_t)(s->weight_offsets[node + 1] - s->weight_offsets[node]);
    return values + s->weight_offsets[node];
}

static bool add_frames(clip_maker *m, int32_t node, sinew_channel_target target) {
    const take *t = m->take;
    size_t width;
    const float *first = values_at(t, 0, node, target, &width);
    float *values = malloc((size_t)t->count * width * sizeof *values + 1);
    if (!values) return false;
    bool is_constant = true;
    for (int32_t f = 0; f < t->count; f++) {
        const float *from = values_at(t, f, node, target, &width);
        memcpy(values + (size_t)f * width, from, width * sizeof *values);
        is_constant = is_constant && memcmp(from, first, width * sizeof *values) == 0;
    }
    m->blocks[m->count] = values;
    m->channels[m->count++] =
        (sinew_channel_def){node, target, SINEW_INTERPOLATION_LINEAR, is_constant ? 1 : t->count, t->times, values};
    return true;
}

static bool add_authored(clip_maker *m, int32_t index) {
    const sinew_clip *clip = m->take->clip;
    const sinew_channel *c = &clip->channels[index];
    const size_t keys = (size_t)sinew_clip_channel_keys(clip, index, NULL, NULL);
    const size_t width = (size_t)sinew_clip_key_width(clip, index);
    float *block = malloc(keys * (width + 1) * sizeof *block);
    if (!block) return false;
    sinew_clip_channel_keys(clip, index, block, block + keys);
    m->blocks[m->count] = block;
    m->channels[m->count++] =
        (sinew_channel_def){c->node, c->target, c->interpolation, (int32_t)keys, block, block + keys};
    return true;
}

static bool has_channel(const sinew_clip *clip, int32_t node, sinew_channel_target target) {
    for (int32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].node == node && clip->channels[i].target == target) return true;
    return false;
}

// Adds the clip's channels, and new ones for nodes that were moved.
static bool add_channels(clip_maker *m) {
    const take *t = m->take;
    const sinew_clip *clip = t->clip;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *c = &clip->channels[i];
        const bool is_new = is_changed(t, c->node, c->target) || (t->is_resampled && c->timeline >= 0);
        if (!(is_new ? add_frames(m, c->node, c->target) : add_authored(m, i))) return false;
    }
    for (int32_t node = 0; node < t->skeleton->node_count; node++) {
        for (int target = 0; target <= SINEW_TARGET_SCALE; target++) {
            const sinew_channel_target one = (sinew_channel_target)target;
            if (!is_changed(t, node, one) || has_channel(clip, node, one)) continue;
            if (!add_frames(m, node, one)) return false;
        }
    }
    return true;
}

sinew_result take_create_clip(const take *t, const char *name, sinew_clip **clip, sinew_error *error) {
    const size_t most = (size_t)t->clip->channel_count + 3 * (size_t)t->skeleton->node_count + 1;
    clip_maker m = {.take = t};
    m.channels = calloc(most, sizeof *m.channels);
    m.blocks = calloc(most, sizeof *m.blocks); // NOLINT(bugprone-sizeof-expression): pointers
    *clip = NULL;
    const bool good = m.channels && m.blocks && add_channels(&m);
    sinew_clip_def def = sinew_clip_default();
    def.name = name ? name : t->clip->name;
    def.skeleton = t->skeleton;
    def.channel_count = m.count;
    def.channels = m.channels;
    def.duration = t->clip->duration;
    def.markers = t->clip->markers;
    def.marker_count = t->clip->marker_count;
    const sinew_result result = good ? sinew_clip_create(&def, clip, error) : takes_fail_memory(error);
    for (int32_t i = 0; i < m.count; i++) free(m.blocks[i]);
    free(m.blocks);
    free(m.channels);
    return result;
}
