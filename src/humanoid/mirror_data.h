// SPDX-License-Identifier: MIT
// A mirror map's private data.
#ifndef SINEWI_MIRROR_DATA_H
#define SINEWI_MIRROR_DATA_H

#include <sinew/humanoid/mirror.h>

#include "core/pose_block.h"
#include "humanoid/retarget_math.h"

// How a node is computed from its counterpart. A reflection is minus a half-turn rotation. So for Q(i) = R(i)^-1 M
// R(i') there is a unit quaternion q(i) with Q(i) = -q(i).
typedef struct mirror_node {
    rt_quat above, own; // q of the parent (or of model space), and q of the node
    rt_vec offset;      // translation = offset - above × translation(i')
    sinew_vec3 scale;   // ratio of the references, along the axes below
    uint8_t axes[3];    // the counterpart's axis closest to each axis of the node
} mirror_node;

typedef struct sinew_mirror_data {
    const mirror_node *nodes; // [node_count], valid where the node has a counterpart
    // [weight_count + curve_count], the counterpart's weight that each weight takes. Swaps are mutual. Either a node
    // and its counterpart swap their weights, or both keep theirs. A curve swaps with the curve of its mirror name.
    const int32_t *weights;
} sinew_mirror_data;

// Return what a node gets for its counterpart's translation (without `offset`), rotation or scale.
rt_vec sinewi_mirror_translation(const mirror_node *node, rt_vec translation);
rt_quat sinewi_mirror_rotation(const mirror_node *node, rt_quat rotation);
sinew_vec3 sinewi_mirror_scale(const mirror_node *node, sinew_vec3 scale);

// Finds each node's counterpart. SINEW_NO_NODE for nodes that keep their transforms.
sinew_result sinewi_mirror_find_counterparts(const sinew_mirror_def *def, sinewi_arena *scratch,
                                             int32_t *counterparts, sinew_error *error);

// Finds the weight that each weight swaps with, and the same for curves. Returns false if memory runs out.
bool sinewi_mirror_find_weights(const sinew_mirror_def *def, const int32_t *counterparts, sinewi_arena *scratch,
                                int32_t *weights);

// Returns a name with left and right swapped, allocated in the arena. NULL if memory runs out.
char *sinewi_mirror_name_in(sinewi_arena *arena, const char *name);

// Whether the first word that names a side says left.
bool sinewi_mirror_is_left(const char *name);

#endif
