// SPDX-License-Identifier: MIT
// Puts the target's feet and hands where the source has them, scaled.
//
// A foot has two points on the ground below it in the reference: the heel below the ankle, and the ball below the toe
// joint. The source's lower point decides where the target's foot goes. So a foot that rolls over its ball keeps the
// ball in place, even if the two feet differ in length. retarget_soles.c handles the points of shoes, which stay above
// the ground. If a leg is too short for a foot on the ground, the hips come down.
#include "humanoid/retarget_data.h"

#include <assert.h>

// ---- Building ------------------------------------------------------------------------------------------------

// A limb's roles, from its start to its end, and the point at its tip.
typedef struct limb_roles {
    int32_t upper, lower, end, tip;
} limb_roles;

// A position, moved along `up` to a height.
static rt_vec at_height(rt_vec position, rt_vec up, double height) {
    return rt_add(position, rt_scale(up, height - rt_dot(position, up)));
}

// The descendant of `above` that is nearest to a position, or RT_NONE.
static int32_t nearest_below(const rt_builder *b, int32_t above, rt_vec position) {
    int32_t nearest = RT_NONE;
    double least = (double)INFINITY;
    for (int32_t i = above + 1; i < b->def->target->subtree_ends[above]; i++) {
        double distance = rt_length(rt_subtract(b->target_reference[i].position, position));
        if (distance < least) nearest = i, least = distance;
    }
    return nearest;
}

// Points of both references, in the target's model space.
typedef struct limb_points {
    rt_vec source[2], target[2];
    rt_vec end; // in the target
} limb_points;

// The horizontal direction that the character faces in the target's reference, from the thighs and the upper arms. 0 if
// all of them are in the middle.
static rt_vec reference_forward(const rt_builder *b) {
    static const int32_t roles[2][2] = {{SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG},
                                        {SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_RIGHT_UPPER_ARM}};
    rt_vec to_left = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        int32_t left = sinewi_retarget_role_target(b, roles[i][0]);
        int32_t right = sinewi_retarget_role_target(b, roles[i][1]);
        if (left == RT_NONE || right == RT_NONE) continue;
        rt_vec apart = rt_subtract(b->target_reference[left].position, b->target_reference[right].position);
        to_left = rt_add(to_left, apart);
    }
    return rt_cross(to_left, rt_up(b->def->target_up));
}

// The ball of a target's foot is below the toe joint. Without toes, it's on the foot's sole, or below the ankle if
// the sole isn't known.
static rt_vec ball_of(const rt_builder *b, int32_t toes, int32_t foot) {
    if (toes != RT_NONE) return sinewi_retarget_aligned_position(b, toes);
    const sinew_foot *sole = sinewi_retarget_sole(b, foot);
    return sole ? sinewi_retarget_sole_ball(b, foot, sole, reference_forward(b))
                : sinewi_retarget_aligned_position(b, foot);
}

// The points of a sole: below the ankle and below the ball. The ankle keeps its height from the target's own reference.
static limb_points sole_of(const rt_builder *b, const limb_roles *roles, const rt_limb *limb) {
    const sinew_humanoid *source = b->def->source_humanoid;
    const rt_vec up = rt_up(b->def->target_up);
    const double source_ground = sinewi_retarget_ground_height(source, b->source_reference, up);
    const double target_ground = sinewi_retarget_sole_height(b);
    const int32_t toes = sinewi_retarget_role_target(b, roles->tip), source_toes = source->nodes[roles->tip];
    const bool has_ball = source_toes != SINEW_NO_NODE && (toes != RT_NONE || limb->sole_count > 0);
    limb_points points;
    for (int i = 0; i < 2; i++) {
        const bool is_ball = i == 1 && has_ball;
        const rt_vec from = b->source_reference[is_ball ? source_toes : limb->source].position;
        const rt_vec to =
            is_ball ? ball_of(b, toes, limb->target) : sinewi_retarget_aligned_position(b, limb->target);
        points.source[i] = at_height(from, up, source_ground);
        points.target[i] = at_height(to, up, target_ground);
    }
    points.end = at_height(sinewi_retarget_aligned_position(b, limb->target), up,
                           rt_dot(b->target_reference[limb->target].position, up));
    return points;
}

static limb_points palm_of(const rt_builder *b, const rt_limb *limb) {
    limb_points points;
    points.end = sinewi_retarget_aligned_position(b, limb->target);
    for (int i = 0; i < 2; i++) {
        points.source[i] = b->source_reference[limb->source].position;
        points.target[i] = points.end;
    }
    return points;
}

// Converts points to the ends' local spaces.
static void set_points(const rt_builder *b, const limb_points *points, rt_limb *limb) {
    rt_similarity end = b->target_reference[limb->target];
    end.rotation = rt_multiply(b->links[limb->target].aligned, end.rotation);
    end.position = points->end;
    for (int i = 0; i < 2; i++) {
        limb->source_points[i] = rt_point_to_local(&b->source_reference[limb->source], points->source[i]);
        limb->target_points[i] = rt_point_to_local(&end, points->target[i]);
    }
}

// Two horizontal directions at right angles.
static rt_vec level_direction(rt_vec up, int number) {
    const rt_vec first = rt_make_vec(1, 0, 0);
    return number == 0 ? first : rt_cross(up, first);
}

// Offsets from the source's points to the target's in the reference, because characters differ in foot length and
// stance width. Hands get no offset, so hands that touch each other or the hips still do.
static void set_sole_offsets(const rt_builder *b, int32_t toes, const limb_points *points, rt_vec moved,
                             rt_limb *limb) {
    const rt_vec up = rt_up(b->def->target_up);
    for (int i = 0; i < 2; i++) {
        const rt_vec raised = rt_add(points->target[i], rt_scale(up, b->sole_raise));
        limb->offsets[i] = rt_subtract(rt_subtract(raised, rt_scale(points->source[i], b->scale)), moved);
        limb->turns_with[i] = i == 1 && toes != SINEW_NO_NODE ? toes : limb->source;
        for (int k = 0; k < 2; k++)
            limb->level[i][k] =
                rt_rotate_back(b->source_reference[limb->turns_with[i]].rotation, level_direction(up, k));
    }
}

// The vector from the source's hips, scaled, to the target's in the aligned reference, raised by `shift`.
static rt_vec hips_moved(const rt_builder *b, double shift) {
    const int32_t hips = sinewi_retarget_role_target(b, SINEW_HUMANOID_HIPS);
    if (hips == RT_NONE) return rt_make_vec(0, 0, 0);
    const rt_vec source = b->source_reference[b->def->source_humanoid->nodes[SINEW_HUMANOID_HIPS]].position;
    const rt_vec raised = rt_scale(rt_up(b->def->target_up), shift);
    const rt_vec target = rt_add(sinewi_retarget_aligned_position(b, hips), raised);
    return rt_subtract(target, rt_scale(source, b->scale));
}

// The unit axis about which a limb bends in the target's reference, in the local space of its lower node. Returns
// `otherwise` if the limb is straight there to within a degree.
static sinew_vec3 reference_bend_axis(const rt_builder *b, const sinew_ik_two_bone *limb, sinew_vec3 otherwise) {
    const double one_degree = 0.0175;
    const rt_similarity *reference = b->target_reference, *lower = &reference[limb->lower];
    rt_vec from = rt_subtract(lower->position, reference[limb->upper].position);
    rt_vec to = rt_subtract(reference[limb->end].position, lower->position);
    rt_vec axis = rt_cross(from, to);
    double length = rt_length(axis);
    if (!(length > one_degree * rt_length(from) * rt_length(to))) return otherwise;
    axis = rt_scale(rt_rotate_back(lower->rotation, axis), 1.0 / length);
    return (sinew_vec3){(float)axis.x, (float)axis.y, (float)axis.z};
}

// The axis about which a straight limb bends, given its role: a forearm moves forward, a shin back. {0} if the limb
// itself points that way.
static sinew_vec3 role_bend_axis(const rt_builder *b, const sinew_ik_two_bone *limb, bool is_leg) {
    const rt_similarity *reference = b->target_reference, *lower = &reference[limb->lower];
    rt_vec along = rt_subtract(reference[limb->end].position, reference[limb->upper].position);
    rt_vec ahead = reference_forward(b), axis = is_leg ? rt_cross(ahead, along) : rt_cross(along, ahead);
    double length = rt_length(axis);
    if (!(length > 0.1 * rt_length(along) * rt_length(ahead))) return (sinew_vec3){0, 0, 0};
    axis = rt_scale(rt_rotate_back(lower->rotation, axis), 1.0 / length);
    return (sinew_vec3){(float)axis.x, (float)axis.y, (float)axis.z};
}

static bool has_bend_axis(const sinew_ik_two_bone *limb) {
    return limb->bend_axis.x != 0.0f || limb->bend_axis.y != 0.0f || limb->bend_axis.z != 0.0f;
}

// Fills a limb. Returns false if a role is missing.
static bool make_limb(const rt_builder *b, const limb_roles *roles, bool is_leg, rt_vec moved, rt_limb *limb) {
    int32_t upper = sinewi_retarget_role_target(b, roles->upper),
            lower = sinewi_retarget_role_target(b, roles->lower);
    int32_t end = sinewi_retarget_role_target(b, roles->end);
    const sinew_skeleton *target = b->def->target;
    if (upper == RT_NONE || lower == RT_NONE || end == RT_NONE || !rt_is_below(target, lower, upper)) return false;
    limb->source = b->def->source_humanoid->nodes[roles->end];
    limb->target = end;
    limb->detached = !rt_is_below(target, end, lower);
    int32_t tip = limb->detached ? nearest_below(b, lower, b->target_reference[end].position) : end;
    if (tip == RT_NONE) return false;
    limb->solver = sinew_ik_two_bone_from_rest(target, upper, lower, tip);
    limb->solver.end_mode = SINEW_IK_LIMB_END_KEEP;
    if (b->def->target_reference) {
        limb->solver.bend_axis = reference_bend_axis(b, &limb->solver, limb->solver.bend_axis);
    }
    if (!has_bend_axis(&limb->solver)) limb->solver.bend_axis = role_bend_axis(b, &limb->solver, is_leg);
    limb->weight = limb->solver.weight = is_leg ? b->def->foot_weight : b->def->hand_weight;
    sinewi_retarget_set_sole(is_leg ? sinewi_retarget_sole(b, end) : NULL, limb);
    limb_points points = is_leg ? sole_of(b, roles, limb) : palm_of(b, limb);
    set_points(b, &points, limb);
    if (is_leg) set_sole_offsets(b, b->def->source_humanoid->nodes[roles->tip], &points, moved, limb);
    limb->is_leg = is_leg;
    limb->ground = rt_dot(points.source[0], rt_up(b->def->target_up));
    limb->floor = rt_dot(points.target[0], rt_up(b->def->target_up)) + b->sole_raise;
    limb->length =
        rt_length(rt_subtract(b->target_reference[lower].position, b->target_reference[upper].position)) +
        rt_length(rt_subtract(b->target_reference[end].position, b->target_reference[lower].position));
    limb->blend_height = 0.01 * sinewi_retarget_leg_length(b->def->source_humanoid, b->source_reference);
    return true;
}

// Foot points of a leg without roles: on the ground below its end and its ball. Without a ball, it's the leg's end
// twice, because a shank tilts and a point below it wouldn't stay on the ground.
static limb_points foot_of(const rt_builder *b, const rt_leg *leg) {
    const rt_vec up = rt_up(b->def->target_up);
    const int32_t sources[2] = {leg->source_end, leg->source_ball}, targets[2] = {leg->end, leg->ball};
    const bool has_ball = leg->ball != RT_NONE;
    limb_points points;
    points.end = at_height(sinewi_retarget_aligned_position(b, leg->end), up,
                           rt_dot(b->target_reference[leg->end].position, up));
    for (int i = 0; i < 2; i++) {
        points.source[i] = b->source_reference[sources[has_ball ? i : 0]].position;
        points.target[i] = points.end;
        if (!has_ball) continue;
        const rt_vec away =
            rt_subtract(b->target_reference[targets[i]].position, b->target_reference[leg->end].position);
        points.source[i] = at_height(points.source[i], up, leg->source_ground);
        points.target[i] = at_height(rt_add(points.end, away), up, leg->ground);
    }
    return points;
}

// A leg without roles. Its end keeps its distance from the source's end, scaled.
static void make_leg(const rt_builder *b, const rt_leg *leg, rt_limb *limb) {
    const rt_vec up = rt_up(b->def->target_up), still = rt_make_vec(0, 0, 0);
    limb->source = leg->source_end;
    limb->target = leg->end;
    limb->detached = limb->is_at_tip = leg->end != leg->tip;
    limb->solver = sinew_ik_two_bone_from_rest(b->def->target, leg->upper, leg->lower, leg->tip);
    limb->solver.end_mode = SINEW_IK_LIMB_END_KEEP;
    if (b->def->target_reference)
        limb->solver.bend_axis = reference_bend_axis(b, &limb->solver, limb->solver.bend_axis);
    limb->weight = limb->solver.weight = b->def->foot_weight;
    const limb_points points = foot_of(b, leg);
    set_points(b, &points, limb);
    set_sole_offsets(b, leg->source_ball, &points, still, limb);
    limb->is_leg = true;
    limb->ground = rt_dot(points.source[0], up);
    limb->length =
        rt_length(rt_subtract(b->target_reference[leg->lower].position, b->target_reference[leg->upper].position)) +
        rt_length(rt_subtract(b->target_reference[leg->tip].position, b->target_reference[leg->lower].position));
    limb->blend_height = 0.02 * leg->source_length;
}

static void make_legs(const rt_builder *b, sinew_retarget_data *data) {
    data->hips = b->hips;
    if (b->def->foot_weight == 0.0f) return;
    for (int32_t i = 0; i < b->leg_count; i++) make_leg(b, &b->legs[i], &data->limbs[data->limb_count++]);
}

void sinewi_retarget_make_limbs(const rt_builder *b, double shift, sinew_retarget_data *data) {
    static const limb_roles limbs[4] = {
        {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_LEFT_FOOT,
         SINEW_HUMANOID_LEFT_TOES},
        {SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG, SINEW_HUMANOID_RIGHT_FOOT,
         SINEW_HUMANOID_RIGHT_TOES},
        {SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_LEFT_LOWER_ARM, SINEW_HUMANOID_LEFT_HAND, SINEW_NO_ROLE},
        {SINEW_HUMANOID_RIGHT_UPPER_ARM, SINEW_HUMANOID_RIGHT_LOWER_ARM, SINEW_HUMANOID_RIGHT_HAND, SINEW_NO_ROLE},
    };
    data->hips = RT_NONE;
    if (!b->def->source_humanoid) {
        make_legs(b, data);
        return;
    }
    data->hips = sinewi_retarget_role_target(b, SINEW_HUMANOID_HIPS);
    data->moved = hips_moved(b, shift);
    for (int i = 0; i < 4; i++) {
        bool is_leg = i < 2;
        rt_limb *limb = &data->limbs[data->limb_count];
        if ((is_leg ? b->def->foot_weight : b->def->hand_weight) == 0.0f) continue;
        if (make_limb(b, &limbs[i], is_leg, data->moved, limb)) data->limb_count++;
    }
}

// ---- A frame -------------------------------------------------------------------------------------------------

static rt_vec affine_direction(const sinew_affine *a, rt_vec v) {
    return rt_make_vec((double)a->m[0][0] * v.x + (double)a->m[0][1] * v.y + (double)a->m[0][2] * v.z,
                       (double)a->m[1][0] * v.x + (double)a->m[1][1] * v.y + (double)a->m[1][2] * v.z,
                       (double)a->m[2][0] * v.x + (double)a->m[2][1] * v.y + (double)a->m[2][2] * v.z);
}

static rt_vec affine_position(const sinew_affine *a) {
    return rt_make_vec((double)a->m[0][3], (double)a->m[1][3], (double)a->m[2][3]);
}

static double clamp01(double x) {
    return x > 1.0 ? 1.0 : x > 0.0 ? x : 0.0; // NaN becomes 0
}

// A rotation about the vertical, by its cosine and sine.
typedef struct rt_turn {
    double cosine, sine;
} rt_turn;

// How far the foot or the toes have turned since the reference. It's the turn that best restores their horizontal
// directions. Upside down they have no direction, so offsets fade.
static rt_turn find_turn(const sinew_retarget_data *data, const rt_limb *limb, int point,
                         const sinew_affine *source_model) {
    const sinew_affine *node = &source_model[limb->turns_with[point]];
    rt_turn turn = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        const rt_vec was = level_direction(data->up, i);
        const rt_vec now = rt_rotate(data->rotation, affine_direction(node, limb->level[point][i]));
        const double length = rt_length(now);
        if (!(length > 0.0)) continue;
        turn.cosine += rt_dot(was, now) / length;
        turn.sine += rt_dot(data->up, rt_cross(was, now)) / length;
    }
    const double size = sqrt(turn.cosine * turn.cosine + turn.sine * turn.sine), by = size > 0.5 ? 1.0 / size : 2.0;
    return (rt_turn){turn.cosine * by, turn.sine * by};
}

static rt_vec turn_offset(rt_vec offset, rt_turn turn, rt_vec up) {
    const rt_vec vertical = rt_scale(up, rt_dot(offset, up)), level = rt_subtract(offset, vertical);
    return rt_add(vertical, rt_add(rt_scale(level, turn.cosine), rt_scale(rt_cross(up, level), turn.sine)));
}

// A limb's points on the source, in the target's model space.
static void source_points(const sinew_retarget_data *data, const rt_limb *limb, const sinew_affine *source_model,
                          rt_vec points[2]) {
    const sinew_affine *from = &source_model[limb->source];
    for (int i = 0; i < 2; i++) {
        rt_vec point = rt_add(affine_position(from), affine_direction(from, limb->source_points[i]));
        points[i] = rt_rotate(data->rotation, point);
    }
}

static double smooth_step(double t) {
    t = clamp01(t);
    return t * t * (3.0 - 2.0 * t);
}

// Height of a known sole's lowest point.
static double lowest_of_sole(const rt_limb *limb, rt_vec up, const sinew_affine *model) {
    double lowest = (double)INFINITY;
    for (int32_t i = 0; i < limb->sole_count; i++) {
        const sinew_affine *node = &model[limb->sole[i].node];
        const sinew_vec3 p = limb->sole[i].point;
        const rt_vec offset = affine_direction(node, rt_make_vec((double)p.x, (double)p.y, (double)p.z));
        const double height = rt_dot(rt_add(affine_position(node), offset), up);
        if (height < lowest) lowest = height;
    }
    return lowest;
}

// Where a limb's end should be: decided by the lower of the two points, or by both if they are level.
static rt_vec goal_of(const sinew_retarget_data *data, const rt_limb *limb, const rt_vec points[2],
                      const sinew_affine *source_model, const sinew_affine *model) {
    rt_vec goals[2];
    double lowest = (double)INFINITY;
    for (int i = 0; i < 2; i++) {
        rt_vec offset = limb->offsets[i];
        if (limb->is_leg) offset = turn_offset(offset, find_turn(data, limb, i, source_model), data->up);
        rt_vec point = rt_add(rt_add(rt_scale(points[i], data->scale), data->moved), offset);
        const double height = rt_dot(point, data->up);
        if (height < lowest) lowest = height;
        goals[i] = rt_subtract(point, affine_direction(&model[limb->target], limb->target_points[i]));
    }
    double raised = rt_dot(rt_subtract(points[0], points[1]), data->up);
    double part = smooth_step(0.5 + 0.5 * raised / limb->blend_height);
    const rt_vec goal = rt_add(rt_scale(goals[0], 1.0 - part), rt_scale(goals[1], part));
    if (limb->sole_count == 0) return goal;
    // Keeps the sole above the ground, or at most as deep as the lower of the two points.
    const double floor = lowest < limb->floor ? lowest : limb->floor;
    const double moved = rt_dot(rt_subtract(goal, affine_position(&model[limb->target])), data->up);
    const double sunk = floor - (lowest_of_sole(limb, data->up, model) + moved);
    return sunk > 0.0 ? rt_add(goal, rt_scale(data->up, sunk)) : goal;
}

// Moves a node and its descendants, in model space.
static void move_node(sinew_pose *pose, sinew_affine *model, int32_t node, rt_vec away) {
    int32_t parent = pose->skeleton->parents[node];
    rt_vec position = rt_add(affine_position(&model[node]), away);
    sinew_vec3 local = {(float)position.x, (float)position.y, (float)position.z};
    if (parent != SINEW_NO_NODE) local = sinew_affine_point(sinew_affine_inverse(model[parent]), local);
    pose->tx[node] = local.x, pose->ty[node] = local.y, pose->tz[node] = local.z;
    sinew_pose_to_model_below(pose, node, model);
}

// ---- The hips ------------------------------------------------------------------------------------------------

// How much of a foot is on the ground in the source: 1 up to a height of 2% of its leg, falling to 0 at 8%.
static double planted_part(const rt_limb *limb, const rt_vec points[2], rt_vec up) {
    double heel = rt_dot(points[0], up), ball = rt_dot(points[1], up), leg = 50.0 * limb->blend_height;
    double height = (heel < ball ? heel : ball) - limb->ground;
    return 1.0 - smooth_step((height / leg - 0.02) / 0.06);
}

// How much too high the start of a leg is for its end to reach the goal. 0 if it isn't.
static double excess_height(const rt_limb *limb, rt_vec away, rt_vec up, const sinew_affine *model) {
    const double rounding = 1e-5;
    rt_vec goal = rt_add(affine_position(&model[limb->solver.end]), away);
    rt_vec leg = rt_subtract(affine_position(&model[limb->solver.upper]), goal);
    double height = rt_dot(leg, up), reach = limb->length * limb->length,
           level = rt_dot(leg, leg) - height * height;
    double highest = level < reach ? sqrt(reach - level) : 0.0;
    return height > highest + rounding * limb->length ? height - highest : 0.0;
}

// Lowers the hips until the feet that are on the ground in the source reach it, by at most a fifth of a leg.
static void lower_hips(const sinew_retarget_data *data, const sinew_affine *source_model, sinew_pose *pose,
                       sinew_affine *model) {
    double drop = 0.0;
    for (int32_t i = 0; i < data->limb_count; i++) {
        const rt_limb *limb = &data->limbs[i];
        if (!limb->is_leg || !rt_is_below(pose->skeleton, limb->solver.upper, data->hips)) continue;
        rt_vec points[2];
        source_points(data, limb, source_model, points);
        rt_vec away =
            rt_subtract(goal_of(data, limb, points, source_model, model), affine_position(&model[limb->target]));
        double excess = excess_height(limb, away, data->up, model), most = 0.2 * limb->length;
        excess = (excess < most ? excess : most) * planted_part(limb, points, data->up) * (double)limb->weight;
        if (excess > drop) drop = excess;
    }
    if (!(drop > 0.0)) return;
    const rt_vec down = rt_scale(data->up, -drop);
    move_node(pose, model, data->hips, down);
    for (int32_t i = 0; i < data->limb_count; i++) {
        const rt_limb *limb = &data->limbs[i];
        const bool stays = limb->is_leg && limb->detached && !rt_is_below(pose->skeleton, limb->target, data->hips);
        if (stays) move_node(pose, model, limb->target, down);
    }
}

// ---- The limbs -----------------------------------------------------------------------------------------------

// Whether an end is already at its goal, within the rounding of model matrices. Then the limb keeps its bits. A
// straight limb magnifies the remainder: a millionth of its length bends the knee by a thousandth.
static bool is_at(const rt_limb *limb, rt_vec position, rt_vec away) {
    const double rounding = 2e-6;
    double distance = rounding * (limb->length + rt_length(position));
    return rt_dot(away, away) <= distance * distance;
}

// A detached foot moves with the tip of its limb, so it stays there when out of reach. A foot without a role is
// moved to the tip first.
static void move_limb(const rt_limb *limb, rt_vec away, sinew_pose *pose, sinew_affine *model) {
    sinew_ik_two_bone solver = limb->solver;
    const rt_vec from = affine_position(&model[limb->is_at_tip ? limb->target : solver.end]);
    const rt_vec goal = rt_add(from, away);
    solver.target = (sinew_vec3){(float)goal.x, (float)goal.y, (float)goal.z};
    sinew_ik_two_bone_solve(&solver, pose, model);
    sinew_pose_to_model_below(pose, solver.upper, model);
    if (limb->detached)
        move_node(pose, model, limb->target, rt_subtract(affine_position(&model[solver.end]), from));
}

void sinew_retarget_limbs(const sinew_retarget *map, const sinew_affine *source_model, sinew_pose *pose,
                          sinew_affine *model) {
    assert(map && source_model && pose && model);
    assert(pose->skeleton == map->target);
    const sinew_retarget_data *data = map->data;
    if (data->hips != RT_NONE) lower_hips(data, source_model, pose, model);
    for (int32_t i = 0; i < data->limb_count; i++) {
        const rt_limb *limb = &data->limbs[i];
        rt_vec points[2], position = affine_position(&model[limb->target]);
        source_points(data, limb, source_model, points);
        rt_vec away = rt_subtract(goal_of(data, limb, points, source_model, model), position);
        if (!is_at(limb, position, away)) move_limb(limb, away, pose, model);
    }
}
