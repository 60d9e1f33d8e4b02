// SPDX-License-Identifier: MIT
// Aligns the references of both skeletons: facing, size, and limb directions.
//
// Everything is in the target's model space. The source's reference is rotated there first.
#include "humanoid/retarget_data.h"
#include "humanoid/humanoid_name.h"

// ---- Facing --------------------------------------------------------------------------------------------------

static void compute_reference(const sinew_pose *pose, rt_similarity *reference) {
    const rt_similarity model_space = {{0, 0, 0}, {0, 0, 0, 1}, 1};
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        int32_t parent = pose->skeleton->parents[i];
        reference[i] = rt_child(parent == SINEW_NO_NODE ? &model_space : &reference[parent], pose, i);
    }
}

// Snaps a direction to an axis within 10 degrees. Characters face along an axis, and their joints aren't
// quite symmetrical.
static rt_vec snap_to_axis(rt_vec v) {
    const double near = 0.985; // its cosine
    if (fabs(v.x) > near) return rt_make_vec(v.x > 0 ? 1 : -1, 0, 0);
    if (fabs(v.y) > near) return rt_make_vec(0, v.y > 0 ? 1 : -1, 0);
    if (fabs(v.z) > near) return rt_make_vec(0, 0, v.z > 0 ? 1 : -1);
    return v;
}

// Sum of the vectors from right roles to their left ones.
static rt_vec sum_to_left(const sinew_humanoid *humanoid, const rt_similarity *reference, const int32_t *roles,
                          int32_t count) {
    rt_vec sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        int32_t left = humanoid->nodes[roles[i]], right = humanoid->nodes[sinewi_humanoid_role_mirror(roles[i])];
        if (left == SINEW_NO_NODE || right == SINEW_NO_NODE) continue;
        sum = rt_add(sum, rt_subtract(reference[left].position, reference[right].position));
    }
    return sum;
}

// The horizontal direction to the character's left. It comes from the torso's joints, so it works for any arm pose. 0
// if all of them are in the middle.
static rt_vec left_of(const sinew_humanoid *humanoid, const rt_similarity *reference, rt_vec up) {
    static const int32_t roles[] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_SHOULDER,
                                    SINEW_HUMANOID_LEFT_UPPER_ARM};
    rt_vec sum = rt_reject(sum_to_left(humanoid, reference, roles, 3), up);
    double length = rt_length(sum);
    return length > 0.0 ? snap_to_axis(rt_scale(sum, 1.0 / length)) : sum;
}

// The rotation from the source's model space to the target's.
static rt_quat facing(const rt_builder *b) {
    const sinew_retarget_def *def = b->def;
    rt_vec source_up = rt_up(def->source_up), target_up = rt_up(def->target_up);
    rt_quat upright = rt_between(source_up, target_up);
    if (!def->source_humanoid) return sinewi_retarget_chain_facing(b, upright);
    rt_vec from = left_of(def->source_humanoid, b->source_reference, source_up);
    rt_vec to = left_of(def->target_humanoid, b->target_reference, target_up);
    return rt_multiply(rt_about(target_up, rt_rotate(upright, from), to), upright);
}

// ---- Size ----------------------------------------------------------------------------------------------------

static double bone_length(const rt_similarity *reference, int32_t from, int32_t to) {
    return rt_length(rt_subtract(reference[to].position, reference[from].position));
}

// Sum of thighs and shins, or 0 if one is missing.
double sinewi_retarget_leg_length(const sinew_humanoid *humanoid, const rt_similarity *reference) {
    static const int32_t uppers[] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG};
    double sum = 0.0;
    for (int side = 0; humanoid && side < 2; side++) {
        const int32_t *leg = &humanoid->nodes[uppers[side]];
        if (leg[0] == SINEW_NO_NODE || leg[1] == SINEW_NO_NODE || leg[2] == SINEW_NO_NODE) return 0.0;
        sum += bone_length(reference, leg[0], leg[1]) + bone_length(reference, leg[1], leg[2]);
    }
    return sum;
}

static double relative_size(const rt_builder *b) {
    const sinew_retarget_def *def = b->def;
    if (def->scale > 0.0f) return (double)def->scale;
    if (!def->source_humanoid) return sinewi_retarget_chain_size(b);
    double source = sinewi_retarget_leg_length(def->source_humanoid, b->source_reference);
    double target = sinewi_retarget_leg_length(def->target_humanoid, b->target_reference);
    return source > 0.0 && target > 0.0 ? target / source : 1.0;
}

// ---- Alignment -----------------------------------------------------------------------------------------------

static rt_vec source_direction(const rt_builder *b, const rt_direction *d) {
    return rt_subtract(b->source_reference[d->source_to].position, b->source_reference[d->source_from].position);
}

static rt_vec target_direction(const rt_builder *b, const rt_direction *d) {
    return rt_subtract(b->target_reference[d->target_to].position, b->target_reference[d->target_from].position);
}

// Starts from the parent's alignment and takes the shortest rotation, so it adds no roll.
static rt_quat align_bone(const rt_builder *b, const rt_link *link, rt_quat above) {
    rt_vec from = rt_rotate(above, target_direction(b, &link->along));
    return rt_multiply(rt_between(from, source_direction(b, &link->along)), above);
}

static rt_quat align_palm(const rt_builder *b, const rt_link *link, rt_quat above) {
    rt_vec along = source_direction(b, &link->along);
    double length = rt_length(along);
    rt_quat aligned = align_bone(b, link, above);
    if (!(length > 0.0)) return aligned;
    along = rt_scale(along, 1.0 / length);
    rt_vec from = rt_reject(rt_rotate(aligned, target_direction(b, &link->across)), along);
    rt_vec to = rt_reject(source_direction(b, &link->across), along);
    return rt_multiply(rt_about(along, from, to), aligned);
}

// Only rotates about the vertical, because both references have level soles. A foot that points down or
// up has no direction.
static rt_quat align_level(const rt_builder *b, const rt_link *link) {
    rt_vec up = rt_up(b->def->target_up), from = target_direction(b, &link->along),
           to = source_direction(b, &link->along);
    rt_vec level_from = rt_reject(from, up), level_to = rt_reject(to, up);
    bool is_steep = rt_dot(level_from, level_from) < 0.1 * rt_dot(from, from) ||
                    rt_dot(level_to, level_to) < 0.1 * rt_dot(to, to);
    return is_steep ? rt_identity() : rt_about(up, level_from, level_to);
}

static rt_quat alignment_of(const rt_builder *b, const rt_link *link) {
    rt_quat above = link->parent == RT_NONE ? rt_identity() : b->links[link->parent].aligned;
    switch (link->alignment) {
    case RT_ALIGN_PARENT:
        return above;
    case RT_ALIGN_BONE:
        return align_bone(b, link, above);
    case RT_ALIGN_LEVEL:
        return align_level(b, link);
    case RT_ALIGN_PALM:
        return align_palm(b, link, above);
    default:
        return rt_identity();
    }
}

// Aligns the nodes whose parents are aligned. Returns how many, and sets `waiting` to the first of the
// others or RT_NONE.
static int32_t align_ready(rt_builder *b, int32_t *waiting) {
    int32_t count = 0;
    *waiting = RT_NONE;
    for (int32_t i = 0; i < b->def->target->node_count; i++) {
        rt_link *link = &b->links[i];
        if (link->source == RT_NONE || link->is_aligned) continue;
        if (link->parent == RT_NONE || b->links[link->parent].is_aligned) {
            link->aligned = alignment_of(b, link);
            link->is_aligned = true;
            count++;
        } else if (*waiting == RT_NONE) {
            *waiting = i;
        }
    }
    return count;
}

// Parents come first. One pass is enough except for detached nodes, whose parents may be later in the list. Nodes that
// wait for each other are a fault of the humanoid, so one of them is attached.
static void align_links(rt_builder *b) {
    for (;;) {
        int32_t waiting, count = align_ready(b, &waiting);
        if (waiting == RT_NONE) return;
        if (count == 0) sinewi_retarget_attach(b, waiting);
    }
}

void sinewi_retarget_compute_references(rt_builder *b) {
    compute_reference(b->source_pose, b->source_reference);
    compute_reference(b->target_pose, b->target_reference);
}

void sinewi_retarget_align(rt_builder *b) {
    b->rotation = facing(b);
    for (int32_t i = 0; i < b->def->source->node_count; i++) {
        rt_similarity *node = &b->source_reference[i];
        node->position = rt_rotate(b->rotation, node->position);
        node->rotation = rt_multiply(b->rotation, node->rotation);
    }
    b->scale = relative_size(b);
    align_links(b);
}

// ---- The aligned reference -----------------------------------------------------------------------------------

rt_vec sinewi_retarget_aligned_position(const rt_builder *b, int32_t target) {
    rt_vec sum = {0, 0, 0};
    for (int32_t parent = b->links[target].parent; parent != RT_NONE; parent = b->links[target = parent].parent) {
        rt_vec offset = rt_subtract(b->target_reference[target].position, b->target_reference[parent].position);
        sum = rt_add(sum, rt_rotate(b->links[parent].aligned, offset));
    }
    return rt_add(b->target_reference[target].position, sum);
}

// Lists the feet into [RT_MAX_LIMBS]. Returns how many, or 0 if one of a humanoid's is missing.
static int32_t list_feet(const rt_builder *b, int32_t *feet) {
    if (!b->def->source_humanoid) {
        for (int32_t i = 0; i < b->leg_count; i++) feet[i] = b->legs[i].end;
        return b->leg_count;
    }
    feet[0] = sinewi_retarget_role_target(b, SINEW_HUMANOID_LEFT_FOOT);
    feet[1] = sinewi_retarget_role_target(b, SINEW_HUMANOID_RIGHT_FOOT);
    return feet[0] == RT_NONE || feet[1] == RT_NONE ? 0 : 2;
}

// If the alignment bends or spreads the legs, the hips get closer to the ground.
double sinewi_retarget_hips_shift(const rt_builder *b) {
    int32_t feet[RT_MAX_LIMBS];
    const int32_t count = list_feet(b, feet);
    if (count == 0) return 0.0;
    rt_vec up = rt_up(b->def->target_up), sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        rt_vec aligned = sinewi_retarget_aligned_position(b, feet[i]);
        sum = rt_add(sum, rt_subtract(b->target_reference[feet[i]].position, aligned));
    }
    return rt_dot(sum, up) / (double)count;
}
