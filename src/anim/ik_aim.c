// Aiming.
//
// As the node's parent sees it, the eye's place and its line of sight turn rigidly about the node. Where that line leaves
// the sphere about the node on which the target lies, the place that the turn brings onto the target is found; for an eye
// at the node's own place that is simply ahead.
#include <sinew/ik.h>

#include "anim/ik_math.h"

#include <assert.h>

// As the node's parent sees it, from the node's place.
typedef struct sight {
    ik_matrix into; // model space to the parent's
    sinew_vec3 target;
    sinew_vec3 forward; // of any length
    sinew_vec3 seen;    // the place on the line of sight that is to be brought onto the target
} sight;

SINEW_INLINE bool starts_at_node(const sinew_aim *def) {
    return def->eye == def->node && def->origin.x == 0.0f && def->origin.y == 0.0f && def->origin.z == 0.0f;
}

// What is as far away as the target, or as near to that as can be.
SINEW_APART sinew_vec3 seen_from_aside(const sinew_aim *def, const sinew_affine *model, sight s) {
    sinew_vec3 from = ik_minus(ik_point(&model[def->eye], def->origin), ik_place(&model[def->node]));
    sinew_vec3 origin = ik_times(s.into, from);
    float forward2 = ik_dot(s.forward, s.forward), ahead = ik_dot(origin, s.forward);
    float square = ahead * ahead + forward2 * (ik_dot(s.target, s.target) - ik_dot(origin, origin));
    float along = (square > 0.0f ? sqrtf(square) : 0.0f) - ahead;
    return ik_plus(origin, ik_scaled(s.forward, (along > 0.0f ? along : 0.0f) / forward2));
}

SINEW_INLINE sight sight_of(const sinew_aim *def, const sinew_affine *model, const sinew_pose *pose) {
    sight s = {.into = ik_into(model, pose->skeleton->parents[def->node])};
    s.target = ik_times(s.into, ik_minus(def->target, ik_place(&model[def->node])));
    s.forward = ik_times(s.into, ik_direction(&model[def->eye], def->forward));
    s.seen = starts_at_node(def) ? s.forward : seen_from_aside(def, model, s);
    return s;
}

SINEW_INLINE sinew_quat onto_target(sight s) {
    float lengths = sqrtf(ik_dot(s.seen, s.seen) * ik_dot(s.target, s.target));
    return ik_arc(s.seen, s.target, lengths, ik_perpendicular(s.seen));
}

// ---- Limits --------------------------------------------------------------------------------------------------

static bool is_limited(const sinew_aim *def) {
    const float all_round = 3.14f; // the tangent of whose half is 1256
    return def->limit < all_round;
}

// What brings a unit direction back to within the limit. The tangent of half its angle is s / (1 + c), which grows without
// end towards what lies behind, and so nears the limit without end. `*let_go` is 1 but for what lies behind, and 0
// right behind.
static sinew_quat back_to_limit(const sinew_aim *def, sinew_vec3 forward, float *let_go) {
    const float behind = 0.133975f; // 1 - cos 30 degrees
    sinew_vec3 middle = ik_unit(def->middle), beside = ik_beside(forward, middle);
    float c = ik_dot(middle, forward), s = ik_length(beside), limit = ik_half_tangent(def->limit);
    *let_go = ik_clamp01((1.0f + c) / behind);
    if (!(s > 0.0f) || !(*let_go > 0.0f)) return ik_no_turn;
    float tangent = s / (1.0f + c), held = ik_soften(tangent, limit * (1.0f - ik_clamp01(def->softness)), limit);
    if (!(held < tangent)) return ik_no_turn;
    float scale = 1.0f / (1.0f + held * held);
    sinew_vec3 back =
        ik_plus(ik_scaled(middle, (1.0f - held * held) * scale), ik_scaled(beside, 2.0f * held * scale / s));
    return ik_arc(forward, back, 1.0f, ik_perpendicular(forward));
}

SINEW_APART sinew_quat limited(const sinew_aim *def, sight s, sinew_quat turn, float *let_go) {
    turn = ik_normalized(turn);
    sinew_vec3 forward = ik_unit(ik_rotate(turn, s.forward));
    if (s.into.determinant < 0.0f) forward = ik_scaled(forward, -1.0f);
    return ik_multiply(back_to_limit(def, forward, let_go), turn);
}

// ---- Up ------------------------------------------------------------------------------------------------------

// Turns on about what goes from the node to what is seen, which stays seen.
SINEW_APART sinew_quat upright(const sinew_aim *def, const sinew_affine *model, sight s, sinew_quat turn) {
    turn = ik_normalized(turn);
    sinew_vec3 line = ik_unit(ik_rotate(turn, s.seen));
    sinew_vec3 up = ik_rotate(turn, ik_times(s.into, ik_direction(&model[def->eye], def->up)));
    sinew_vec3 sky = ik_times(s.into, def->sky);
    sinew_vec3 beside_up = ik_beside(up, line), beside_sky = ik_beside(sky, line);
    if (ik_is_in_line(up, beside_up) || ik_is_in_line(sky, beside_sky)) return turn;
    return ik_multiply(ik_twist(line, beside_up, beside_sky, ik_clamp01(def->up_weight)), turn);
}

// ---- All of it -----------------------------------------------------------------------------------------------

void sinew_aim_solve(const sinew_aim *def, const sinew_affine *model, sinew_pose *pose) {
    assert(def->node >= 0 && (def->eye == def->node || ik_is_below(pose->skeleton, def->eye, def->node)));
    float weight = ik_clamp01(def->weight), let_go = 1.0f;
    if (!(weight > 0.0f)) return;

    sight s = sight_of(def, model, pose);
    sinew_quat turn = onto_target(s);
    if (is_limited(def)) turn = limited(def, s, turn, &let_go);
    if (def->up_weight > 0.0f) turn = upright(def, model, s, turn);
    turn = ik_multiply(turn, ik_rotation(pose, def->node));
    float square = ik_square(turn);
    if (!ik_is_answer(square) || !(let_go > 0.0f)) return;
    ik_set_rotation(pose, def->node, ik_divided(turn, square), weight * let_go);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

sinew_aim sinew_aim_default(const sinew_skeleton *skeleton, int32_t node, int32_t eye, sinew_vec3 forward) {
    assert(node >= 0 && (eye == node || ik_is_below(skeleton, eye, node)));
    sinew_vec3 middle = forward;
    for (int32_t i = eye; i != skeleton->parents[node]; i = skeleton->parents[i]) {
        middle = sinew_affine_direction(sinew_affine_from_transform(skeleton->rest[i]), middle);
    }
    return (sinew_aim){
        .node = node,
        .eye = eye,
        .forward = forward,
        .up = {0, 1, 0},
        .sky = {0, 1, 0},
        .limit = 3.14159265f,
        .middle = middle,
        .weight = 1.0f,
    };
}
