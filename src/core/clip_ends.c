// SPDX-License-Identifier: MIT
#include "core/clip_ends.h"
#include "core/clip_build.h"

#include <string.h>

static bool is_of_way(sinew_channel_target target) {
    return target == SINEW_TARGET_TRANSLATION || target == SINEW_TARGET_ROTATION;
}

// Returns the translation or rotation in a transform.
static float *value_in(sinew_transform *transform, sinew_channel_target target) {
    return target == SINEW_TARGET_ROTATION ? &transform->rotation.x : &transform->translation.x;
}

// ---- Finding -------------------------------------------------------------------------------------------------

static sinewi_exact_end make_end(const sinew_clip *exact, int32_t node, sinew_channel_target target) {
    sinewi_exact_end end = {.node = node, .target = target};
    const size_t size = (size_t)sinewi_target_width(target) * sizeof(float);
    sinew_transform first, last;
    sinewi_clip_sample_ends(exact, node, &first, &last);
    memcpy(end.first, value_in(&first, target), size);
    memcpy(end.last, value_in(&last, target), size);
    return end;
}

sinewi_exact_end *sinewi_clip_find_ends(const sinew_clip *exact, sinewi_arena *scratch, int32_t *count) {
    const sinew_skeleton *skeleton = exact->skeleton;
    sinewi_exact_end *ends = sinewi_arena_array(scratch, sinewi_exact_end, (size_t)exact->channel_count);
    uint8_t *moves =
        sinewi_arena_zeros(scratch, uint8_t, (size_t)skeleton->node_count); // or a parent. One bit per target.
    const sinew_channel *channel = exact->channels, *end = channel + exact->channel_count;
    *count = 0;
    if (!ends || !moves) return NULL;
    for (int32_t node = 0; node < skeleton->node_count; node++) {
        const int32_t parent = skeleton->parents[node];
        const uint8_t above = parent == SINEW_NO_NODE ? 0 : moves[parent];
        moves[node] = above;
        for (; channel < end && channel->node == node && channel->target != SINEW_TARGET_CURVE; channel++) {
            const uint8_t bit = (uint8_t)(1u << channel->target);
            if (channel->timeline < 0 || !is_of_way(channel->target)) continue;
            moves[node] |= bit;
            if ((above & bit) == 0) ends[(*count)++] = make_end(exact, node, channel->target);
        }
    }
    return ends;
}

// ---- Using ---------------------------------------------------------------------------------------------------

void sinewi_clip_sample_ends(const sinew_clip *clip, int32_t node, sinew_transform *first, sinew_transform *last) {
    *first = sinew_clip_sample_node(clip, 0.0f, node);
    *last = sinew_clip_sample_node(clip, clip->duration, node);
    for (int32_t i = 0; i < clip->data->end_count; i++) {
        const sinewi_exact_end *end = &clip->data->ends[i];
        if (end->node != node) continue;
        const size_t size = (size_t)sinewi_target_width(end->target) * sizeof(float);
        memcpy(value_in(first, end->target), end->first, size);
        memcpy(value_in(last, end->target), end->last, size);
    }
}

// The key must stay in the same hemisphere, because its sign selects the arc to the next key.
static void replace(float *key, const float *by, sinew_channel_target target) {
    const size_t width = (size_t)sinewi_target_width(target);
    float dot = 0.0f;
    for (size_t i = 0; i < width; i++) dot += key[i] * by[i];
    const bool negates = target == SINEW_TARGET_ROTATION && dot < 0.0f;
    for (size_t i = 0; i < width; i++) key[i] = negates ? -by[i] : by[i];
}

void sinewi_clip_restore_ends(const sinew_clip *clip, const sinew_channel *channel, float *values) {
    for (int32_t i = 0; i < clip->data->end_count; i++) {
        const sinewi_exact_end *end = &clip->data->ends[i];
        if (end->node != channel->node || end->target != channel->target) continue;
        const bool is_spline = channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
        if (is_spline && end->target == SINEW_TARGET_ROTATION) continue; // its keys may have any length
        const size_t width = (size_t)sinewi_target_width(end->target), key = is_spline ? 3 * width : width;
        float *first = values + (is_spline ? width : 0);
        replace(first, end->first, end->target);
        replace(first + (size_t)(channel->key_count - 1) * key, end->last, end->target);
    }
}
