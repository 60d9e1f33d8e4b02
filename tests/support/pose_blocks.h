// SPDX-License-Identifier: MIT
// Poses and blocks for tests of inertialization and extrapolation. The skeleton has more than one block of morph
// weights.
#ifndef POSE_BLOCKS_H
#define POSE_BLOCKS_H

#include "support/random_rig.h"

#include "core/pose_block.h"

static inline sinew_pose *make_pose(const sinew_skeleton *skeleton) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    return pose;
}

static inline sinew_skeleton *make_skeleton(uint64_t *state, int32_t nodes) {
    for (;;) {
        sinew_skeleton *skeleton = draw_skeleton(state, nodes, false);
        if (skeleton->weight_count > SINEW_LANES) return skeleton;
        sinew_skeleton_destroy(skeleton);
    }
}

static inline void *take_blocks(size_t count, size_t size) {
    void *blocks = sinewi_allocate(NULL, count * size, SINEWI_ALIGNMENT);
    assert_non_null(blocks);
    memset(blocks, 0xcd, count * size); // nothing may depend on zeros
    return blocks;
}

static inline sinewi_block block_of(const sinew_pose *pose, size_t block) {
    sinewi_block out;
    sinewi_planes planes = sinewi_pose_planes(pose);
    for (int i = 0; i < SINEWI_PLANES; i++) {
        memcpy(out.lane[i], planes.plane[i] + block * SINEW_LANES, sizeof out.lane[i]);
    }
    return out;
}

// Random values, without libm.
static inline void draw_pose(sinew_pose *pose, uint64_t *state) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        sinew_transform t = {
            {random_float(state, -2, 2), random_float(state, -2, 2), 1}, random_quat(state), {1, 1, 1}};
        t.scale.y = random_float(state, 0.5f, 2);
        sinew_pose_set(pose, i, t);
    }
    for (int32_t i = 0; i < pose->skeleton->weight_count; i++) pose->weights[i] = random_float(state, 0, 1);
}

#endif
