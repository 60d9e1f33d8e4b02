// SPDX-License-Identifier: MIT
// A recording's calls with their fields, and the fingerprints that identify clips and skeletons.
//
// A fingerprint is a hash of the content (FNV-1a), the same on every machine. It's written to recordings, so what it
// covers must never change.
#include "motion/recording_format.h"
#include "core/clip_build.h"
#include "base/fnv.h"

#include <string.h>

const mixer_call_shape sinewi_call_shapes[CALL_KINDS] = {
#define SINEWI_CALL_SHAPE(kind, name, fields, replay) {name, fields},
    SINEWI_MIXER_CALLS(SINEWI_CALL_SHAPE)
#undef SINEWI_CALL_SHAPE
};

// ---- Fingerprints --------------------------------------------------------------------------------------------

static void hash_transform(uint64_t *hash, sinew_transform t) {
    float values[SINEWI_PLANES];
    sinewi_transform_to_planes(t, values);
    for (int i = 0; i < SINEWI_PLANES; i++) sinewi_fnv_float(hash, values[i]);
}

uint64_t sinewi_skeleton_fingerprint(const sinew_skeleton *skeleton) {
    uint64_t hash = SINEWI_FNV_START;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinewi_fnv_string(&hash, skeleton->names[i]);
        sinewi_fnv_number(&hash, (uint32_t)skeleton->parents[i]);
        sinewi_fnv_number(&hash, (uint32_t)skeleton->weight_offsets[i + 1]);
        hash_transform(&hash, skeleton->rest[i]);
    }
    for (int32_t i = 0; i < skeleton->shear_count; i++) {
        sinewi_fnv_number(&hash, (uint32_t)skeleton->shear_nodes[i]);
        for (int k = 0; k < 12; k++) sinewi_fnv_float(&hash, skeleton->shears[i].m[k / 4][k % 4]);
    }
    for (int32_t i = 0; i < skeleton->curve_count; i++) {
        sinewi_fnv_string(&hash, skeleton->curve_names[i]);
        sinewi_fnv_float(&hash, skeleton->rest_curves[i]);
    }
    return hash;
}

// Adds a curve's first, middle and last key, which stand for the others.
static void hash_curve(uint64_t *hash, const sinew_clip *clip, int32_t channel) {
    const int32_t last = clip->channels[channel].key_count - 1, keys[3] = {0, last / 2, last};
    for (int i = 0; i < 3; i++) {
        float value[3];
        const int32_t parts = sinewi_clip_read_curve_key(clip, channel, keys[i], value);
        for (int32_t part = 0; part < parts; part++) sinewi_fnv_float(hash, value[part]);
    }
}

// Adds the channels, and the animated nodes at five times, which stand for the keys.
static void hash_motion(uint64_t *hash, const sinew_clip *clip) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        sinewi_fnv_number(hash, (uint32_t)channel->node);
        sinewi_fnv_number(hash, (uint32_t)channel->target);
        sinewi_fnv_number(hash, (uint32_t)channel->interpolation);
        sinewi_fnv_number(hash, (uint32_t)channel->key_count);
        if (channel->target == SINEW_TARGET_CURVE) {
            hash_curve(hash, clip, i);
            continue;
        }
        if (i > 0 && channel[-1].node == channel->node) continue;
        for (int step = 0; step <= 4; step++) {
            float time = 0.25f * (float)step * clip->duration;
            hash_transform(hash, sinew_clip_sample_node(clip, time, channel->node));
        }
    }
}

uint64_t sinewi_clip_fingerprint(const sinew_clip *clip) {
    uint64_t hash = SINEWI_FNV_START;
    sinewi_fnv_string(&hash, clip->name);
    sinewi_fnv_float(&hash, clip->duration);
    sinewi_fnv_number(&hash, clip->additive);
    hash_motion(&hash, clip);
    for (int32_t i = 0; i < clip->marker_count; i++) {
        sinewi_fnv_string(&hash, clip->markers[i].name);
        sinewi_fnv_float(&hash, clip->markers[i].time);
    }
    return hash;
}
