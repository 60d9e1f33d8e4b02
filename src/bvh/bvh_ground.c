// SPDX-License-Identifier: MIT
// Most files have OFFSET 0 0 0 at the root: their motion says where the hips are, and their rest pose is sunk into the ground
// up to the hips. What measures heights by the rest pose, such as retargeting, would take the height of the hips twice. The
// motion itself says where the ground is: at the lowest node, in most frames.
#include "bvh/bvh_read.h"
#include "core/merge_sort.h"

#include <math.h>

// The part of the frames whose lowest node is below the ground: in the others the character may be in the air.
#define GROUND_PART 0.25

static int axis_up(const sinew_bvh_import *b) {
    return b->options.up == SINEW_UP_Z ? 2 : 1;
}

static float component(sinew_vec3 v, int axis) {
    return axis == 2 ? v.z : v.y;
}

// A root at 0 0 0, whose position is in the motion.
static bool is_sunk(const sinew_bvh_import *b) {
    const sinew_bvh_joint *root = &b->joints[0];
    bool moves[3] = {false, false, false};
    for (int i = 0; i < root->channel_count; i++)
        if (root->channels[i] < SINEW_BVH_ROTATION_X) moves[root->channels[i]] = true;
    const bool is_at_zero = root->offset[0] == 0.0 && root->offset[1] == 0.0 && root->offset[2] == 0.0;
    return is_at_zero && moves[0] && moves[1] && moves[2] && b->motion.frame_count > 0;
}

// A joint's transform in a frame, or in the rest pose if `frame` is less than 0.
static sinew_transform local_at(const sinew_bvh_import *b, int32_t joint, int32_t frame) {
    const sinew_bvh_joint *j = &b->joints[joint];
    const sinew_bvh_keys *keys = &b->motion.keys[joint];
    sinew_transform t = sinew_transform_identity();
    t.translation = sinew_bvh_turned(b, b->scale * j->offset[0], b->scale * j->offset[1], b->scale * j->offset[2]);
    if (frame < 0) return t;
    if (keys->translations) t.translation = keys->translations[frame];
    if (keys->rotations) t.rotation = keys->rotations[frame];
    return t;
}

// The height of the lowest node; `model` [joint_count] is overwritten.
static float lowest_at(const sinew_bvh_import *b, int32_t frame, sinew_affine *model) {
    float lowest = 0.0f;
    for (int32_t i = 0; i < b->joint_count; i++) {
        const int32_t parent = b->joints[i].parent;
        const sinew_affine local = sinew_affine_from_transform(local_at(b, i, frame));
        model[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(model[parent], local);
        const float height =
            component((sinew_vec3){model[i].m[0][3], model[i].m[1][3], model[i].m[2][3]}, axis_up(b));
        if (i == 0 || height < lowest) lowest = height;
    }
    return lowest;
}

static int compare_heights(const void *a, const void *b, const void *context) {
    (void)context;
    const float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

bool sinew_bvh_place_root(sinew_bvh_import *b) {
    if (!is_sunk(b)) return true;
    const size_t frames = (size_t)b->motion.frame_count;
    float *heights = sinew_arena_array(&b->scratch, float, frames);
    float *other = sinew_arena_array(&b->scratch, float, frames);
    sinew_affine *model = sinew_arena_array(&b->scratch, sinew_affine, (size_t)b->joint_count);
    if (!heights || !other || !model) return sinew_bvh_fail_memory(b);
    for (size_t f = 0; f < frames; f++) heights[f] = lowest_at(b, (int32_t)f, model);
    const float *sorted =
        (const float *)sinew_merge_sort(heights, other, frames, sizeof *heights, compare_heights, NULL);
    const double ground = (double)sorted[(size_t)(GROUND_PART * (double)(frames - 1))];
    const double raised = (ground - (double)lowest_at(b, -1, model)) / b->scale;
    if (!isfinite(raised)) return true; // numbers near the limit of floats
    b->raised = raised;
    sinew_bvh_note(b, "the root's OFFSET is 0 0 0: its rest pose is on the motion's ground, %g m above", ground);
    return true;
}
