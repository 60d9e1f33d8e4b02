// SPDX-License-Identifier: MIT
// The target's twist joints: helpers between two joints of a limb that distribute the rotation about the bone over the
// mesh. Most have no counterpart in the source.
#include "humanoid/retarget_data.h"

#include <assert.h>

// ---- Finding -------------------------------------------------------------------------------------------------

static char lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Whether a name contains a lower-case word.
static bool contains(const char *name, const char *word) {
    for (; *name; name++) {
        size_t i = 0;
        while (word[i] && lower_case(name[i]) == word[i]) i++;
        if (!word[i]) return true;
    }
    return false;
}

static bool is_upper_joint(int32_t role) {
    return role == SINEW_HUMANOID_LEFT_UPPER_LEG || role == SINEW_HUMANOID_RIGHT_UPPER_LEG ||
           role == SINEW_HUMANOID_LEFT_UPPER_ARM || role == SINEW_HUMANOID_RIGHT_UPPER_ARM;
}

static bool is_lower_joint(int32_t role) {
    return role == SINEW_HUMANOID_LEFT_LOWER_LEG || role == SINEW_HUMANOID_RIGHT_LOWER_LEG ||
           role == SINEW_HUMANOID_LEFT_LOWER_ARM || role == SINEW_HUMANOID_RIGHT_LOWER_ARM;
}

int32_t sinewi_retarget_limb_end(int32_t role) {
    return is_lower_joint(role) ? role + 1 : SINEW_NO_ROLE;
}

// The next joint of the limb whose bone a twist joint is on. RT_NONE if it isn't driven.
static int32_t next_joint(const rt_builder *b, int32_t role) {
    return is_upper_joint(role) || is_lower_joint(role) ? sinewi_retarget_role_target(b, role + 1) : RT_NONE;
}

void sinewi_retarget_find_twists(rt_builder *b) {
    const sinew_skeleton *target = b->def->target;
    if (!b->def->source_humanoid) return;
    for (int32_t i = 0; i < target->node_count; i++) {
        int32_t parent = target->parents[i];
        if (parent == SINEW_NO_NODE || b->links[i].source != RT_NONE || b->links[parent].source == RT_NONE)
            continue;
        if (!contains(target->names[i], "twist") && !contains(target->names[i], "roll")) continue;
        int32_t role = b->links[parent].role;
        bool has_other = is_lower_joint(role) || (is_upper_joint(role) && b->links[parent].parent != RT_NONE);
        b->links[i].twists = has_other && next_joint(b, role) != RT_NONE;
        if (b->links[i].twists) b->links[i].parent = parent;
    }
}

// ---- Making --------------------------------------------------------------------------------------------------

static rt_quat aligned_rotation(const rt_builder *b, int32_t target) {
    return rt_multiply(b->links[target].aligned, b->target_reference[target].rotation);
}

rt_twist sinewi_retarget_make_twist(const rt_builder *b, int32_t target, int32_t end_drive) {
    int32_t limb = b->links[target].parent, next = next_joint(b, b->links[limb].role),
            above = b->links[limb].parent;
    const rt_similarity *joint = &b->target_reference[limb];
    rt_vec bone = rt_point_to_local(joint, b->target_reference[next].position);
    rt_vec offset = rt_point_to_local(joint, b->target_reference[target].position);
    double length = rt_length(bone), along = length > 0.0 ? rt_dot(bone, offset) / (length * length) : 0.0;
    rt_twist twist = {0};
    twist.end = end_drive;
    twist.limb = b->target_slot_of[limb];
    twist.above = end_drive == RT_NONE ? b->target_slot_of[above] : RT_NONE;
    rt_quat other = aligned_rotation(b, end_drive == RT_NONE ? above : next);
    twist.reference = rt_multiply(rt_conjugate(aligned_rotation(b, limb)), other);
    twist.axis = length > 0.0 ? rt_scale(bone, 1.0 / length) : rt_make_vec(0, 0, 0);
    along = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
    twist.part = end_drive == RT_NONE ? 1.0 - along : along;
    twist.rest = rt_pose_rotation(b->target_pose, target);
    return twist;
}

// ---- A frame -------------------------------------------------------------------------------------------------

// `change` is the other joint's rotation relative to the reference, in the local space of the limb's joint. Only
// its part about the axis counts, which is its projection on the axis (swing and twist). An upper joint twists
// against the joint above. Seen from there, that joint rotates in the opposite direction, so the same part of it
// turns the joint back.
rt_quat sinewi_retarget_twist_rotation(const rt_twist *twist, rt_quat limb, rt_quat other) {
    rt_quat relative = rt_multiply(rt_conjugate(limb), other);
    rt_quat change = rt_multiply(relative, rt_conjugate(twist->reference));
    double about = change.x * twist->axis.x + change.y * twist->axis.y + change.z * twist->axis.z, square;
    rt_quat turn = rt_make_quat(about * twist->axis.x, about * twist->axis.y, about * twist->axis.z, change.w);
    square = rt_quat_dot(turn, turn);
    if (!(square > 1e-12)) return twist->rest; // a half-turn swing: any twist is as good
    return rt_multiply(rt_blend(rt_identity(), rt_normalize(turn), twist->part), twist->rest);
}
