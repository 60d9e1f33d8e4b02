// SPDX-License-Identifier: MIT
// The import of a BVH file in progress. Functions return false once the error is set.
#ifndef SINEW_BVH_READ_H
#define SINEW_BVH_READ_H

#include <sinew/bvh.h>

#include "asset/asset.h"
#include "bvh/bvh_text.h"
#include "core/fail.h"
#include "core/float_rules.h"

// At most three positions and three rotations.
#define SINEW_BVH_CHANNELS 6

typedef enum sinew_bvh_channel {
    SINEW_BVH_POSITION_X,
    SINEW_BVH_POSITION_Y,
    SINEW_BVH_POSITION_Z,
    SINEW_BVH_ROTATION_X,
    SINEW_BVH_ROTATION_Y,
    SINEW_BVH_ROTATION_Z
} sinew_bvh_channel;

typedef struct sinew_bvh_joint {
    const char *name;
    int32_t parent;
    double offset[3]; // units of the file
    bool has_offset;
    bool is_tip; // an End Site
    uint8_t channel_count;
    uint8_t channels[SINEW_BVH_CHANNELS]; // sinew_bvh_channel, in the order of the file
} sinew_bvh_joint;

// The keys of a joint's channels, which grow frame by frame.
typedef struct sinew_bvh_keys {
    sinew_vec3 *translations; // [frame_count]; NULL without position channels
    sinew_quat *rotations;    // [frame_count]; NULL without rotation channels
} sinew_bvh_keys;

typedef struct sinew_bvh_motion {
    int32_t frame_count;
    double frame_time;    // seconds
    float *times;         // [frame_count]
    sinew_bvh_keys *keys; // [joint_count]
} sinew_bvh_motion;

typedef struct sinew_bvh_import {
    sinew_bvh_options options;
    sinew_bvh_text text;
    sinew_asset_data *data;
    sinew_arena scratch;
    sinew_bvh_joint *joints; // [joint_count], parents first
    int32_t joint_count, joint_capacity;
    size_t channel_count; // of all joints
    double scale;         // metres per unit
    double raised;        // units of the file: see sinew_bvh_place_root
    sinew_bvh_motion motion;
    const char *clip_name;
    sinew_error *error;
} sinew_bvh_import;

// Sets the error, with the line of a word in front, and returns false.
bool sinew_bvh_fail(sinew_bvh_import *b, sinew_bvh_word word, sinew_result result, const char *format, ...)
    SINEW_PRINTF(4, 5);

// The same for a word that is not what was expected: "expected OFFSET, found 'OFSET'".
bool sinew_bvh_fail_expected(sinew_bvh_import *b, sinew_bvh_word word, const char *expected);

// The same for an allocation that failed: SINEW_ERROR_LIMIT if the limit refused it.
bool sinew_bvh_fail_memory(sinew_bvh_import *b);

void sinew_bvh_note(const sinew_bvh_import *b, const char *format, ...) SINEW_PRINTF(2, 3);

// Reads a word as a number.
bool sinew_bvh_next_number(sinew_bvh_import *b, double *number);

// Reads the joints up to MOTION.
bool sinew_bvh_read_hierarchy(sinew_bvh_import *b);

// Chooses the unit.
bool sinew_bvh_choose_scale(sinew_bvh_import *b);

// Turns a motion that is upright along +Z, unless the options say which axis points up.
bool sinew_bvh_find_up(sinew_bvh_import *b);

// Raises a root whose OFFSET is 0 0 0 until the rest pose is on the ground of the motion.
bool sinew_bvh_place_root(sinew_bvh_import *b);

// Creates the skeleton, whose nodes' source indices are those of the joints.
bool sinew_bvh_make_skeleton(sinew_bvh_import *b);

// Reads the frames.
bool sinew_bvh_read_motion(sinew_bvh_import *b);

// Creates the clip, if there are frames.
bool sinew_bvh_make_clip(sinew_bvh_import *b);

// Converts a vector of the file to the asset's axes.
static inline sinew_vec3 sinew_bvh_turned(const sinew_bvh_import *b, double x, double y, double z) {
    if (b->options.file_up == b->options.up) return (sinew_vec3){(float)x, (float)y, (float)z};
    if (b->options.up == SINEW_UP_Z) return (sinew_vec3){(float)x, (float)(0.0 - z), (float)y};
    return (sinew_vec3){(float)x, (float)z, (float)(0.0 - y)};
}

// A joint's translation in the rest pose, in the asset's axes and metres.
static inline sinew_vec3 sinew_bvh_rest_translation(const sinew_bvh_import *b, int32_t joint) {
    const double *o = b->joints[joint].offset;
    double offset[3] = {o[0], o[1], o[2]};
    if (joint == 0) offset[b->options.file_up == SINEW_UP_Z ? 2 : 1] += b->raised;
    return sinew_bvh_turned(b, b->scale * offset[0], b->scale * offset[1], b->scale * offset[2]);
}

#endif
