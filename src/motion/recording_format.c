// SPDX-License-Identifier: MIT
// What all recordings share: a mixer's definition, the calls with their fields, and the fingerprints that identify clips
// and skeletons.
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

// ---- A mixer's definition ------------------------------------------------------------------------------------

enum { RECORDED_INERTIALIZATION = 1, RECORDED_UNDERWEIGHT_REST = 2, RECORDED_HAS_ROOT_MOTION = 4 };
enum { RECORDED_X = 1, RECORDED_Y = 2, RECORDED_Z = 4, RECORDED_YAW = 8, RECORDED_CLOSE = 16, RECORDED_UP_Z = 32 };

static uint8_t *put_number(uint8_t *bytes, uint32_t number, int count) {
    for (int i = 0; i < count; i++) *bytes++ = (uint8_t)(number >> 8 * i);
    return bytes;
}

void sinewi_record_mixer(const sinew_mixer_def *def, bool has_root_motion, uint8_t bytes[SINEWI_RECORDED_MIXER]) {
    const int flags = (def->inertialization ? RECORDED_INERTIALIZATION : 0) |
                      (def->underweight == SINEW_UNDERWEIGHT_REST ? RECORDED_UNDERWEIGHT_REST : 0) |
                      (has_root_motion ? RECORDED_HAS_ROOT_MOTION : 0);
    bytes = put_number(bytes, (uint32_t)def->root, 4);
    bytes = put_number(bytes, (uint32_t)def->max_actions, 1);
    bytes = put_number(bytes, (uint32_t)def->layer_count, 1);
    bytes = put_number(bytes, (uint32_t)def->hints_per_action, 1);
    bytes = put_number(bytes, (uint32_t)def->max_blend_spaces, 1);
    bytes = put_number(bytes, (uint32_t)def->max_events, 2);
    put_number(bytes, (uint32_t)flags, 1);
}

bool sinewi_read_recorded_mixer(sinewi_byte_reader *in, sinew_mixer_def *def) {
    def->root = sinewi_read_i32(in);
    def->max_actions = (int32_t)sinewi_read_number(in, 1);
    def->layer_count = (int32_t)sinewi_read_number(in, 1);
    def->hints_per_action = (int32_t)sinewi_read_number(in, 1);
    def->max_blend_spaces = (int32_t)sinewi_read_number(in, 1);
    def->max_events = (int32_t)sinewi_read_number(in, 2);
    const int flags = (int)sinewi_read_number(in, 1);
    def->inertialization = (flags & RECORDED_INERTIALIZATION) != 0;
    def->underweight = flags & RECORDED_UNDERWEIGHT_REST ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE;
    return (flags & RECORDED_HAS_ROOT_MOTION) != 0;
}

void sinewi_record_root_motion(const sinew_root_motion_def *root, uint8_t bytes[SINEWI_RECORDED_ROOT_MOTION]) {
    const int flags = (root->x ? RECORDED_X : 0) | (root->y ? RECORDED_Y : 0) | (root->z ? RECORDED_Z : 0) |
                      (root->yaw ? RECORDED_YAW : 0) | (root->close_loops ? RECORDED_CLOSE : 0) |
                      (root->up == SINEW_UP_Z ? RECORDED_UP_Z : 0);
    bytes = put_number(bytes, (uint32_t)root->node, 4);
    put_number(bytes, (uint32_t)flags, 1);
}

void sinewi_read_recorded_root_motion(sinewi_byte_reader *in, const sinew_skeleton *skeleton,
                                      sinew_root_motion_def *root) {
    *root = sinew_root_motion_default();
    root->skeleton = skeleton;
    root->node = sinewi_read_i32(in);
    const int flags = (int)sinewi_read_number(in, 1);
    root->x = (flags & RECORDED_X) != 0;
    root->y = (flags & RECORDED_Y) != 0;
    root->z = (flags & RECORDED_Z) != 0;
    root->yaw = (flags & RECORDED_YAW) != 0;
    root->close_loops = (flags & RECORDED_CLOSE) != 0;
    root->up = (flags & RECORDED_UP_Z) != 0 ? SINEW_UP_Z : SINEW_UP_Y;
}

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
