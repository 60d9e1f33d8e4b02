// Poses as the kernels see them: ten planes of floats, worked on in blocks of SINEW_LANES nodes.
#ifndef SINEW_BLOCK_H
#define SINEW_BLOCK_H

#include <sinew/pose.h>

#include "base/memory.h"

// The order of the planes of a pose, of a clip's base row, and of a block.
enum { SINEW_TX, SINEW_TY, SINEW_TZ, SINEW_RX, SINEW_RY, SINEW_RZ, SINEW_RW, SINEW_SX, SINEW_SY, SINEW_SZ };
#define SINEW_PLANES 10

typedef struct sinew_planes {
    float *plane[SINEW_PLANES];
} sinew_planes;

// One block of nodes, or (in weights) one block of morph weights, in flight between rows and pose.
typedef struct sinew_block {
    float lane[SINEW_PLANES][SINEW_LANES];
} sinew_block;

static inline size_t sinew_block_count(int32_t count) {
    return ((size_t)count + SINEW_LANES - 1) / SINEW_LANES;
}

static inline size_t sinew_padded(int32_t count) {
    return sinew_block_count(count) * SINEW_LANES;
}

// Places a pose's arrays; they are valid once the layout has a base.
void sinew_pose_lay_out(sinew_layout *layout, const sinew_skeleton *skeleton, sinew_pose *pose);

sinew_planes sinew_pose_planes(const sinew_pose *pose);

// One block of the rest pose; lanes behind the last node are identities.
void sinew_block_rest(const sinew_skeleton *skeleton, size_t index, sinew_block *out);

// Model matrices of the nodes [first, end), whose parents outside that range are already there.
void sinew_pose_to_model_range(const sinew_pose *pose, int32_t first, int32_t end, sinew_affine *model);

#endif
