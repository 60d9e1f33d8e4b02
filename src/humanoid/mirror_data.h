// SPDX-License-Identifier: MIT
// The private data of a mirror map.
#ifndef SINEWI_MIRROR_DATA_H
#define SINEWI_MIRROR_DATA_H

#include <sinew/humanoid/mirror.h>

#include "core/pose_block.h"
#include "humanoid/retarget_math.h"

// How a node is computed from its counterpart. A reflection is minus a rotation by half a turn, so for
// Q(i) = R(i)^-1 M R(i') there is a unit quaternion q(i) with Q(i) = -q(i).
typedef struct mirror_node {
    rt_quat above, own; // q of the parent, or of model space, and q of the node
    rt_vec offset;      // translation = offset - above × translation(i')
    sinew_vec3 scale;   // the ratio of the references, of the axes below
    uint8_t axes[3];    // the axis of the counterpart that is nearest to each axis of the node
} mirror_node;

typedef struct sinew_mirror_data {
    const mirror_node *nodes; // [node_count], where the node has a counterpart
    // [weight_count + curve_count], the weight of the counterpart that a weight takes; each exchanges with that one.
    // Weights of a node and of its counterpart are exchanged with each other, or both keep theirs. A curve exchanges with
    // that of the mirror name.
    const int32_t *weights;
} sinew_mirror_data;

// Return what a node has for a translation, without `offset`, a rotation and a scale of its counterpart.
rt_vec sinewi_mirror_translation(const mirror_node *node, rt_vec translation);
rt_quat sinewi_mirror_rotation(const mirror_node *node, rt_quat rotation);
sinew_vec3 sinewi_mirror_scale(const mirror_node *node, sinew_vec3 scale);

// Finds the counterpart of each node, SINEW_NO_NODE for those that keep their transforms.
sinew_result sinewi_mirror_find_counterparts(const sinew_mirror_def *def, sinewi_arena *scratch,
                                             int32_t *counterparts, sinew_error *error);

// Finds the weight that each weight is exchanged with, and the curve for each curve. False if there is no memory.
bool sinewi_mirror_find_weights(const sinew_mirror_def *def, const int32_t *counterparts, sinewi_arena *scratch,
                                int32_t *weights);

// Returns a name with left and right exchanged, in memory of the arena; NULL if memory runs out.
char *sinewi_mirror_name_in(sinewi_arena *arena, const char *name);

// The side that the first word with a side names.
bool sinewi_mirror_is_left(const char *name);

#endif
