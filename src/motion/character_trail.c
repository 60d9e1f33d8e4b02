// SPDX-License-Identifier: MIT
// Nodes between two updates, for the trail of a sword.
#include "motion/character_state.h"
#include "base/float_rules.h"

#include <assert.h>

static sinew_transform blend(sinew_transform a, sinew_transform b, float t) {
    return (sinew_transform){sinew_vec3_lerp(a.translation, b.translation, t),
                             sinew_quat_slerp(a.rotation, b.rotation, t), sinew_vec3_lerp(a.scale, b.scale, t)};
}

sinew_affine sinew_character_node_between(const sinew_character *character, int32_t node, float t) {
    assert(character && character->last_pose && "set `trails` in the definition");
    assert(node >= 0 && node < character->def.rig->binding->skeleton->node_count);
    if (!character->last_pose || node < 0 || node >= character->last_pose->skeleton->node_count)
        return sinew_affine_identity();
    const sinew_pose *last = character->last_pose, *now = sinew_mixer_pose(character->mixer);
    t = t > 0.0f ? (t < 1.0f ? t : 1.0f) : 0.0f;
    sinew_affine at = sinew_affine_identity();
    for (int32_t i = node; i != SINEW_NO_NODE; i = last->skeleton->parents[i]) {
        const sinew_transform local = blend(sinew_pose_get(last, i), sinew_pose_get(now, i), t);
        at = sinew_affine_multiply(sinew_affine_from_transform(local), at);
    }
    const sinew_transform world = blend(character->last_world, character->place.shown, t);
    return sinew_affine_multiply(sinew_affine_from_transform(world), at);
}
