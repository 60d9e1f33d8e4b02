// SPDX-License-Identifier: MIT
// A BVH import in progress. Functions return false once the error is set.
#ifndef SINEWI_BVH_READ_H
#define SINEWI_BVH_READ_H

#include <sinew/io/bvh.h>

#include "core/asset_data.h"
#include "io/bvh_text.h"
#include "base/fail.h"
#include "base/float_rules.h"

// At most three positions and three rotations.
#define SINEWI_BVH_CHANNELS 6

typedef enum sinewi_bvh_channel {
    SINEWI_BVH_POSITION_X,
    SINEWI_BVH_POSITION_Y,
    SINEWI_BVH_POSITION_Z,
    SINEWI_BVH_ROTATION_X,
    SINEWI_BVH_ROTATION_Y,
    SINEWI_BVH_ROTATION_Z
} sinewi_bvh_channel;

typedef struct sinewi_bvh_joint {
    const char *name;
    int32_t parent;
    double offset[3]; // in the file's units
    bool has_offset;
    bool is_tip; // an End Site
    uint8_t channel_count;
    uint8_t channels[SINEWI_BVH_CHANNELS]; // sinewi_bvh_channel, in the file's order
} sinewi_bvh_joint;

// The keys of a joint's channels. They grow frame by frame.
typedef struct sinewi_bvh_keys {
    sinew_vec3 *translations; // [frame_count], or NULL without position channels
    sinew_quat *rotations;    // [frame_count], or NULL without rotation channels
} sinewi_bvh_keys;

typedef struct sinewi_bvh_motion {
    int32_t frame_count;
    double frame_time;     // seconds
    float *times;          // [frame_count]
    sinewi_bvh_keys *keys; // [joint_count]
} sinewi_bvh_motion;

typedef struct sinewi_bvh_import {
    sinew_bvh_options options;
    sinewi_bvh_text text;
    sinewi_asset_data *data;
    sinewi_arena scratch;
    sinewi_bvh_joint *joints; // [joint_count], parents first
    int32_t joint_count, joint_capacity;
    size_t channel_count; // over all joints
    double scale;         // meters per unit
    double raised;        // in the file's units; see sinewi_bvh_place_root
    sinewi_bvh_motion motion;
    const char *clip_name;
    sinew_error *error;
} sinewi_bvh_import;

// Sets the error, prefixed with a word's line, and returns false.
bool sinewi_bvh_fail(sinewi_bvh_import *b, sinewi_bvh_word word, sinew_result result, const char *format, ...)
    SINEWI_PRINTF(4, 5);

// The same for an unexpected word: "expected OFFSET, found 'OFSET'".
bool sinewi_bvh_fail_expected(sinewi_bvh_import *b, sinewi_bvh_word word, const char *expected);

// The same for a failed allocation: SINEW_ERROR_LIMIT if it exceeded the limit.
bool sinewi_bvh_fail_memory(sinewi_bvh_import *b);

void sinewi_bvh_note(const sinewi_bvh_import *b, const char *format, ...) SINEWI_PRINTF(2, 3);

// Reads a word as a number.
bool sinewi_bvh_next_number(sinewi_bvh_import *b, double *number);

// Reads the joints up to MOTION.
bool sinewi_bvh_read_hierarchy(sinewi_bvh_import *b);

// Chooses the unit.
bool sinewi_bvh_choose_scale(sinewi_bvh_import *b);

// Turns a motion that is upright along +Z, unless the options specify the up axis.
bool sinewi_bvh_find_up(sinewi_bvh_import *b);

// Raises a root with OFFSET 0 0 0 until the rest pose stands on the motion's ground.
bool sinewi_bvh_place_root(sinewi_bvh_import *b);

// Creates the skeleton. A node's source index is its joint's index.
bool sinewi_bvh_make_skeleton(sinewi_bvh_import *b);

// Reads the frames.
bool sinewi_bvh_read_motion(sinewi_bvh_import *b);

// Creates the clip, if there are frames.
bool sinewi_bvh_make_clip(sinewi_bvh_import *b);

// Converts a vector from the file to the asset's axes.
static inline sinew_vec3 sinewi_bvh_turned(const sinewi_bvh_import *b, double x, double y, double z) {
    if (b->options.file_up == b->options.up) return (sinew_vec3){(float)x, (float)y, (float)z};
    if (b->options.up == SINEW_UP_Z) return (sinew_vec3){(float)x, (float)(0.0 - z), (float)y};
    return (sinew_vec3){(float)x, (float)z, (float)(0.0 - y)};
}

// A joint's translation in the rest pose, in the asset's axes and meters.
static inline sinew_vec3 sinewi_bvh_rest_translation(const sinewi_bvh_import *b, int32_t joint) {
    const double *o = b->joints[joint].offset;
    double offset[3] = {o[0], o[1], o[2]};
    if (joint == 0) offset[b->options.file_up == SINEW_UP_Z ? 2 : 1] += b->raised;
    return sinewi_bvh_turned(b, b->scale * offset[0], b->scale * offset[1], b->scale * offset[2]);
}

#endif
