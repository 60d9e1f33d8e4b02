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
    ik_vec target;
    ik_vec forward; // of any length
} sight;

SINEW_INLINE sight sight_of(const sinew_aim *def, const sinew_affine *model, const sinew_pose *pose) {
    sight s = {.into = ik_into(model, pose->skeleton->parents[def->node])};
    s.target = ik_times(s.into, ik_between(ik_place(&model[def->node]), def->target));
    s.forward = ik_times(s.into, ik_direction(&model[def->eye], def->forward));
    return s;
}

SINEW_INLINE bool starts_at_node(const sinew_aim *def) {
    return def->eye == def->node && def->origin.x == 0.0f && def->origin.y == 0.0f && def->origin.z == 0.0f;
}

// The place on the line of sight that is as far away as the target, or as near to that as can be; where the line starts at
// the node's own place, any.
SINEW_INLINE ik_vec seen_at_distance(const sinew_aim *def, const sinew_affine *model, sight s, double target2) {
    if (starts_at_node(def)) return s.forward;
    sinew_vec3 from = ik_between(ik_place(&model[def->node]), ik_point(&model[def->eye], def->origin));
    ik_vec origin = ik_times(s.into, from);
    double forward2 = ik_dot(s.forward, s.forward), ahead = ik_dot(origin, s.forward);
    double square = ahead * ahead + forward2 * (target2 - ik_dot(origin, origin));
    double along = (square > 0.0 ? sqrt(square) : 0.0) - ahead;
    return ik_plus(origin, ik_scaled(s.forward, (along > 0.0 ? along : 0.0) / forward2));
}

SINEW_INLINE ik_quat onto_target(const sinew_aim *def, const sinew_affine *model, sight s) {
    double target2 = ik_dot(s.target, s.target);
    ik_vec seen = seen_at_distance(def, model, s, target2);
    double lengths = sqrt(ik_dot(seen, seen) * target2), w = lengths + ik_dot(seen, s.target);
    if (lengths == 0.0) return ik_no_turn;
    if (ik_is_opposite(w, lengths)) return ik_about(ik_perpendicular(ik_unit(seen)), 1.0, 0.0);
    return ik_about(ik_cross(seen, s.target), 1.0, w);
}

// ---- Limits --------------------------------------------------------------------------------------------------

static bool is_limited(const sinew_aim *def) {
    const float all_round = 3.14f; // the tangent of whose half is 1256
    return def->limit < all_round;
}

// What brings a unit direction back to within the limit. The tangent of half its angle is s / (1 + c), which grows without
// end towards what lies behind, and so nears the limit without end. `*let_go` is 1 but for what lies behind, and 0
// right behind.
static ik_quat back_to_limit(const sinew_aim *def, ik_vec forward, double *let_go) {
    const double behind = 0.13397; // 1 - cos 30 degrees
    ik_vec middle = ik_unit(ik_wide(def->middle)), beside = ik_beside(forward, middle);
    double c = ik_dot(middle, forward), s = ik_length(beside), limit = ik_half_tangent(def->limit);
    *let_go = ik_clamp01((1.0 + c) / behind);
    if (!(s > 0.0) || !(1.0 + c > 0.0)) return ik_no_turn;
    double tangent = s / (1.0 + c);
    double held = ik_soften(tangent, limit * (1.0 - ik_clamp01((double)def->softness)), limit);
    if (!(held < tangent)) return ik_no_turn;
    double scale = 1.0 / (1.0 + held * held);
    ik_vec back =
        ik_plus(ik_scaled(middle, (1.0 - held * held) * scale), ik_scaled(beside, 2.0 * held * scale / s));
    return ik_arc(forward, back);
}

// ---- All of it -----------------------------------------------------------------------------------------------

static ik_quat upright(const sinew_aim *def, const sinew_affine *model, sight s, ik_quat turn) {
    ik_vec line = ik_unit(ik_rotate(turn, s.forward));
    ik_vec up = ik_rotate(turn, ik_times(s.into, ik_direction(&model[def->eye], def->up)));
    ik_vec sky = ik_times(s.into, def->sky);
    return ik_twist(line, ik_beside(up, line), ik_beside(sky, line), ik_clamp01((double)def->up_weight));
}

void sinew_aim_solve(const sinew_aim *def, const sinew_affine *model, sinew_pose *pose) {
    assert(def->node >= 0 && (def->eye == def->node || ik_is_below(pose->skeleton, def->eye, def->node)));
    double weight = ik_clamp01((double)def->weight);
    if (!(weight > 0.0)) return;

    sight s = sight_of(def, model, pose);
    ik_quat turn = onto_target(def, model, s);
    if (is_limited(def)) {
        double let_go;
        turn = ik_normalized(turn);
        turn = ik_multiply(back_to_limit(def, ik_unit(ik_rotate(turn, s.forward)), &let_go), turn);
        weight *= let_go;
    }
    if (def->up_weight > 0.0f) {
        turn = ik_normalized(turn);
        turn = ik_multiply(upright(def, model, s, turn), turn);
    }
    turn = ik_normalized(ik_multiply(turn, ik_rotation(pose, def->node)));
    if (!ik_are_finite(turn, turn) || !(weight > 0.0)) return;
    ik_set_rotation(pose, def->node, turn, weight);
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
