// SPDX-License-Identifier: MIT
// Finds what a file doesn't state but its motion shows: which axis points up, and where the ground is.
//
// Most files have OFFSET 0 0 0 at the root. Their motion says where the hips are, and their rest pose is sunk into the
// ground up to the hips. Retargeting and anything else that measures heights in the rest pose would count the hips'
// height twice. The ground is at the height of the lowest node in most frames.
#include "io/bvh_read.h"
#include "base/merge_sort.h"

#include <math.h>

// The part of the frames whose lowest node is below the ground. In the others, the character may be in the air.
#define GROUND_PART 0.25

static int axis_up(const sinewi_bvh_import *b) {
    return b->options.up == SINEW_UP_Z ? 2 : 1;
}

// ---- Poses -----------------------------------------------------------------------------------------------------

// A joint's transform in a frame, or in the rest pose if `frame` is negative.
static sinew_transform local_at(const sinewi_bvh_import *b, int32_t joint, int32_t frame) {
    const sinewi_bvh_keys *keys = &b->motion.keys[joint];
    sinew_transform t = sinew_transform_identity();
    t.translation = sinewi_bvh_rest_translation(b, joint);
    if (frame < 0) return t;
    if (keys->translations) t.translation = keys->translations[frame];
    if (keys->rotations) t.rotation = keys->rotations[frame];
    return t;
}

// Computes the positions of all nodes in a frame. `model` has [joint_count] elements.
static void pose_at(const sinewi_bvh_import *b, int32_t frame, sinew_affine *model) {
    for (int32_t i = 0; i < b->joint_count; i++) {
        const int32_t parent = b->joints[i].parent;
        const sinew_affine local = sinew_affine_from_transform(local_at(b, i, frame));
        model[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(model[parent], local);
    }
}

// The first joint with several children, because joints above it may be far from the body. The very first joint if
// there are several roots or no joint with several children.
static int32_t body_of(const sinewi_bvh_import *b) {
    int32_t first = b->joint_count;
    for (int32_t i = 1; i < b->joint_count; i++) {
        if (b->joints[i].parent == SINEW_NO_NODE) return 0;
        if (b->joints[i].parent != i - 1 && b->joints[i].parent < first) first = b->joints[i].parent;
    }
    return first < b->joint_count ? first : 0;
}

// The range of the body's nodes along an axis.
typedef struct extent {
    float low, high;
} extent;

static extent extent_of(const sinewi_bvh_import *b, const sinew_affine *model, int axis) {
    const int32_t first = body_of(b);
    extent e = {model[first].m[axis][3], model[first].m[axis][3]};
    for (int32_t i = first + 1; i < b->joint_count; i++) {
        e.low = fminf(e.low, model[i].m[axis][3]);
        e.high = fmaxf(e.high, model[i].m[axis][3]);
    }
    return e;
}

// Height of the lowest node. Overwrites `model`, which has [joint_count] elements.
static float lowest_at(const sinewi_bvh_import *b, int32_t frame, sinew_affine *model) {
    pose_at(b, frame, model);
    return extent_of(b, model, axis_up(b)).low;
}

// ---- The axis that points up -----------------------------------------------------------------------------------

#define LOOKS 64 // at most this many frames decide which axis is up

// How tall and how deep the character is in a frame, if +Y is up in the file.
static void add_size(const sinewi_bvh_import *b, int32_t frame, sinew_affine *model, double *tall, double *deep) {
    pose_at(b, frame, model);
    const extent y = extent_of(b, model, axis_up(b)), z = extent_of(b, model, 3 - axis_up(b));
    *tall += (double)y.high - (double)y.low;
    *deep += (double)z.high - (double)z.low;
}

// Turns all keys, which were read as if +Y was up in the file.
static void turn_keys(const sinewi_bvh_import *b) {
    for (int32_t j = 0; j < b->joint_count; j++) {
        const sinewi_bvh_keys *keys = &b->motion.keys[j];
        for (int32_t f = 0; f < b->motion.frame_count; f++) {
            if (keys->translations) {
                const sinew_vec3 v = keys->translations[f];
                keys->translations[f] = (sinew_vec3){v.x, v.z, 0.0f - v.y};
            }
            if (keys->rotations) {
                const sinew_quat q = keys->rotations[f];
                keys->rotations[f] = (sinew_quat){q.x, q.z, 0.0f - q.y, q.w};
            }
        }
    }
}

bool sinewi_bvh_find_up(sinewi_bvh_import *b) {
    const int32_t frames = b->motion.frame_count, step = frames / LOOKS + 1;
    if (!b->options.guess_up || b->options.file_up != SINEW_UP_Y || frames == 0) return true;
    sinew_affine *model = sinewi_arena_array(&b->scratch, sinew_affine, (size_t)b->joint_count);
    if (!model) return sinewi_bvh_fail_memory(b);
    double tall = 0.0, deep = 0.0, rest_tall = 0.0, rest_deep = 0.0;
    add_size(b, -1, model, &rest_tall, &rest_deep);
    for (int32_t f = 0; f < frames; f += step) add_size(b, f, model, &tall, &deep);
    // A character may lie on the ground in its motion, but its rest pose is upright.
    if (!(deep > 2.0 * tall && rest_deep >= rest_tall)) return true;
    turn_keys(b);
    b->options.file_up = SINEW_UP_Z;
    sinewi_bvh_note(b, "the character is upright along +Z, so +Z is assumed to be up");
    return true;
}

// ---- The ground ------------------------------------------------------------------------------------------------

// Whether the root is at 0 0 0 and the motion holds its position.
static bool is_sunk(const sinewi_bvh_import *b) {
    const sinewi_bvh_joint *root = &b->joints[0];
    bool moves[3] = {false, false, false};
    for (int i = 0; i < root->channel_count; i++)
        if (root->channels[i] < SINEWI_BVH_ROTATION_X) moves[root->channels[i]] = true;
    const bool is_at_zero = root->offset[0] == 0.0 && root->offset[1] == 0.0 && root->offset[2] == 0.0;
    return is_at_zero && moves[0] && moves[1] && moves[2] && b->motion.frame_count > 0;
}

static int compare_heights(const void *a, const void *b, const void *context) {
    (void)context;
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

bool sinewi_bvh_place_root(sinewi_bvh_import *b) {
    if (!is_sunk(b)) return true;
    const size_t frames = (size_t)b->motion.frame_count;
    float *heights = sinewi_arena_array(&b->scratch, float, frames);
    float *other = sinewi_arena_array(&b->scratch, float, frames);
    sinew_affine *model = sinewi_arena_array(&b->scratch, sinew_affine, (size_t)b->joint_count);
    if (!heights || !other || !model) return sinewi_bvh_fail_memory(b);
    for (size_t f = 0; f < frames; f++) heights[f] = lowest_at(b, (int32_t)f, model);
    const float *sorted =
        (const float *)sinewi_merge_sort(heights, other, frames, sizeof *heights, compare_heights, NULL);
    const double ground = (double)sorted[(size_t)(GROUND_PART * (double)(frames - 1))];
    const double raised = (ground - (double)lowest_at(b, -1, model)) / b->scale;
    if (!isfinite(raised)) return true; // numbers close to the float limit
    b->raised = raised;
    sinewi_bvh_note(b, "the root's OFFSET is 0 0 0, so the rest pose is placed on the motion's ground at %g m",
                    ground);
    return true;
}
