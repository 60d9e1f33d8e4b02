// SPDX-License-Identifier: MIT
// Mirrors transforms, poses and root motion.
#include "humanoid/mirror_data.h"

#include <assert.h>

// ---- Transforms ----------------------------------------------------------------------------------------------

rt_vec sinewi_mirror_translation(const mirror_node *node, rt_vec translation) {
    return rt_scale(rt_rotate(node->above, translation), -1.0);
}

rt_quat sinewi_mirror_rotation(const mirror_node *node, rt_quat rotation) {
    return rt_multiply(node->above, rt_multiply(rotation, rt_conjugate(node->own)));
}

sinew_vec3 sinewi_mirror_scale(const mirror_node *node, sinew_vec3 scale) {
    const float components[3] = {scale.x, scale.y, scale.z};
    return (sinew_vec3){node->scale.x * components[node->axes[0]], node->scale.y * components[node->axes[1]],
                        node->scale.z * components[node->axes[2]]};
}

// A transform in double precision.
typedef struct mirror_transform {
    rt_vec translation;
    rt_quat rotation;
    sinew_vec3 scale;
} mirror_transform;

static mirror_transform read_transform(const sinew_pose *pose, int32_t i) {
    return (mirror_transform){
        rt_pose_translation(pose, i), rt_pose_rotation(pose, i), {pose->sx[i], pose->sy[i], pose->sz[i]}};
}

// Writes the mirrored transform of a node's counterpart.
static void write_mirrored(const mirror_node *node, const mirror_transform *other, sinew_pose *pose, int32_t i) {
    const rt_vec t = rt_add(node->offset, sinewi_mirror_translation(node, other->translation));
    const rt_quat r = sinewi_mirror_rotation(node, other->rotation);
    const sinew_vec3 s = sinewi_mirror_scale(node, other->scale);
    pose->tx[i] = (float)t.x, pose->ty[i] = (float)t.y, pose->tz[i] = (float)t.z;
    pose->rx[i] = (float)r.x, pose->ry[i] = (float)r.y, pose->rz[i] = (float)r.z, pose->rw[i] = (float)r.w;
    pose->sx[i] = s.x, pose->sy[i] = s.y, pose->sz[i] = s.z;
}

// ---- Poses ---------------------------------------------------------------------------------------------------

// Both weights of a swap are read before one is written, because the poses may be the same.
static void mirror_weights(const sinew_mirror *mirror, const sinew_pose *pose, sinew_pose *mirrored) {
    for (int32_t i = 0; i < sinewi_value_count(mirror->skeleton); i++) {
        const int32_t other = mirror->data->weights[i];
        if (other < i) continue; // done
        const float own = pose->weights[i], others = pose->weights[other];
        mirrored->weights[i] = others;
        mirrored->weights[other] = own;
    }
}

void sinew_mirror_pose(const sinew_mirror *mirror, const sinew_pose *pose, sinew_pose *mirrored) {
    assert(mirror && pose && mirrored);
    assert(pose->skeleton == mirror->skeleton && mirrored->skeleton == mirror->skeleton);
    const mirror_node *nodes = mirror->data->nodes;
    for (int32_t i = 0; i < mirror->skeleton->node_count; i++) {
        const int32_t other = mirror->counterparts[i];
        if (other == SINEW_NO_NODE && pose != mirrored) sinew_pose_set(mirrored, i, sinew_pose_get(pose, i));
        if (other < i) continue; // kept, or already done
        const mirror_transform own = read_transform(pose, i), others = read_transform(pose, other);
        write_mirrored(&nodes[i], &others, mirrored, i);
        if (other != i) write_mirrored(&nodes[other], &own, mirrored, other);
    }
    mirror_weights(mirror, pose, mirrored);
}

// ---- Root motion ---------------------------------------------------------------------------------------------

sinew_root_delta sinew_mirror_root_delta(const sinew_mirror *mirror, sinew_root_delta delta) {
    assert(mirror);
    const sinew_vec3 n = mirror->normal;
    const sinew_quat half_turn = {n.x, n.y, n.z, 0};
    delta.translation = sinew_vec3_scale(sinew_quat_rotate(half_turn, delta.translation), -1.0f);
    delta.rotation =
        sinew_quat_multiply(half_turn, sinew_quat_multiply(delta.rotation, sinew_quat_conjugate(half_turn)));
    delta.yaw = -delta.yaw;
    return delta;
}
