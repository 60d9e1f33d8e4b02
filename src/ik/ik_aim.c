// Aiming.
//
// As the node's parent sees it, the eye's place and its line of sight turn rigidly about the node. Where that line leaves
// the sphere about the node on which the target lies, the place that the turn brings onto the target is found; for an eye
// at the node's own place that is simply ahead.
//
// Without a limit the node turns by the shortest arc, which has no continuous answer for a target right behind.
//
// With a limit, directions are points of the plane at right angles to the limit's axis a: the length of p is the tangent
// of half the angle between a and the direction. q(p) = (a x p, 1), normalised, turns a there without rolling about a. The
// node turns by q(p) q(forward)^-1, from the pose's own forward to p in one rotation, which is a smooth function of both.
// So p is clamped, weighted and smoothed in the plane. The region within the limit is convex: the line between two of its
// points stays within the limit and goes round the front, and no two points are half a turn apart.
//
// The largest angle of the node for a small angle of the target, with the eye at the node: T is the tangent of half the
// limit, O that of half the angle o between a and the pose's forward, h = (k + 1 / k) / 2 where k is T over the tangent of
// half the least pitch limit, and r = min(1, 2 cos(limit / 2)).
//
// - q(p) turns by at most 2 |dp| / sqrt(1 + |p|^2), and a direction at p moves by 2 |dp| / (1 + |p|^2).
// - Within the limit that is at most 1 + T^2 times.
// - Beyond the limit p is scaled down onto an ellipse of half axes T and T / k. There it moves by at most h T for an angle
//   about a, which is the target's own angle over the sine of b, the angle from straight behind. In the last 60 degrees (or
//   less) the weight is W = 2 sin(b / 2) / r. So W h T / sin b is at most h T / (r cos 30), and dW times the difference to
//   the pose's forward is at most (T + O) / r; one is for a step about a, the other for a step towards it.
//
// So it is at most max(h (1 + T^2), (2 / r) sqrt((1.16 h T)^2 + (T + O)^2)).
#include <sinew/ik.h>

#include "ik/ik_math.h"
#include "pose/skeleton_object.h"
#include "core/decay.h"
#include "core/def_cookie.h"

#include <assert.h>

// As the node's parent sees it, from the node's place.
typedef struct sight {
    ik_matrix into; // model space to the parent's
    sinew_vec3 target;
    sinew_vec3 forward; // of any length
    sinew_vec3 seen;    // the place on the line of sight that is to be brought onto the target
} sight;

SINEW_INLINE bool starts_at_node(const sinew_ik_aim *def) {
    return def->tip == def->node && def->origin.x == 0.0f && def->origin.y == 0.0f && def->origin.z == 0.0f;
}

// What is as far away as the target, or as near to that as can be.
SINEW_NOINLINE sinew_vec3 seen_from_aside(const sinew_ik_aim *def, const sinew_affine *model, sight s) {
    sinew_vec3 from = ik_minus(ik_point(&model[def->tip], def->origin), ik_place(&model[def->node]));
    sinew_vec3 origin = ik_times(s.into, from);
    float forward2 = ik_dot(s.forward, s.forward), ahead = ik_dot(origin, s.forward);
    float square = ahead * ahead + forward2 * (ik_dot(s.target, s.target) - ik_dot(origin, origin));
    float along = (square > 0.0f ? sqrtf(square) : 0.0f) - ahead;
    return ik_plus(origin, ik_scaled(s.forward, (along > 0.0f ? along : 0.0f) / forward2));
}

SINEW_INLINE sight sight_of(const sinew_ik_aim *def, const sinew_affine *model, const sinew_pose *pose) {
    sight s = {.into = ik_into(model, pose->skeleton->parents[def->node])};
    s.target = ik_times(s.into, ik_minus(def->target, ik_place(&model[def->node])));
    s.forward = ik_times(s.into, ik_direction(&model[def->tip], def->forward));
    s.seen = starts_at_node(def) ? s.forward : seen_from_aside(def, model, s);
    return s;
}

// ---- Up ------------------------------------------------------------------------------------------------------

// 0 for a vector in a line, and 1 from 30 degrees off it.
static float off_line(sinew_vec3 v, sinew_vec3 beside) {
    return ik_clamp01(4.0f * ik_dot(beside, beside) / ik_dot(v, v));
}

// Turns on about what goes from the node to what is seen, which stays seen. With a limit (`eases`), less near the line.
SINEW_NOINLINE sinew_quat upright(const sinew_ik_aim *def, const sinew_affine *model, sight s, sinew_quat turn,
                                  float part, bool eases) {
    turn = ik_normalized(turn);
    sinew_vec3 line = ik_unit(ik_rotate(turn, s.seen));
    sinew_vec3 up = ik_rotate(turn, ik_times(s.into, ik_direction(&model[def->tip], def->up)));
    sinew_vec3 sky = ik_times(s.into, def->world_up);
    sinew_vec3 beside_up = ik_beside(up, line), beside_sky = ik_beside(sky, line);
    if (!isfinite(ik_dot(up, up) + ik_dot(sky, sky))) return (sinew_quat){0, 0, 0, 0}; // no answer
    if (ik_is_in_line(up, beside_up) || ik_is_in_line(sky, beside_sky)) return turn;
    if (eases) part *= off_line(up, beside_up) * off_line(sky, beside_sky);
    return ik_multiply(ik_twist(line, beside_up, beside_sky, part), turn);
}

// ---- Without a limit -----------------------------------------------------------------------------------------

SINEW_INLINE sinew_quat onto_target(sight s) {
    float lengths = sqrtf(ik_dot(s.seen, s.seen) * ik_dot(s.target, s.target));
    return ik_arc(s.seen, s.target, lengths, ik_perpendicular(s.seen));
}

SINEW_INLINE void turn_node(sinew_pose *pose, int32_t node, sinew_quat turn, float weight) {
    turn = ik_multiply(turn, ik_rotation(pose, node));
    float square = ik_square(turn);
    if (ik_is_answer(square)) ik_set_rotation(pose, node, ik_divided(turn, square), weight);
}

// ---- Limits --------------------------------------------------------------------------------------------------

// Unit directions in the parent's space, not mirrored, and the limits as tangents of half angles.
typedef struct view {
    sinew_vec3 axis;       // of the limits
    sinew_vec3 pitch_axis; // of positive pitch, at right angles to `axis`
    float yaw, pitch_up, pitch_down;
    float reach;              // the weight is 1 from this distance to straight behind on, on the unit sphere
    sinew_vec3 target;        // from the node
    sinew_vec3 forward_point; // of the pose's own forward
    sinew_vec3 seen;          // from the node, when forward is turned to the axis
    float weight;             // below 1 if the pose's own forward is near straight behind
} view;

SINEW_INLINE bool is_limited(const sinew_ik_aim *def) {
    const float all_round = 3.14f; // NaN is a limit, which make_view rejects
    return !(def->limit >= all_round) || !(def->pitch_up >= all_round) || !(def->pitch_down >= all_round);
}

static float limit_tangent(float angle) {
    const float widest = 2.61799388f, least = 1e-6f; // 150 degrees; a divisor that is not 0
    float tangent = ik_half_tangent(angle < widest ? angle : widest);
    return tangent > least ? tangent : least;
}

static void set_limits(const sinew_ik_aim *def, view *v) {
    v->axis = ik_unit(def->limit_axis);
    v->yaw = limit_tangent(def->limit);
    v->pitch_up = limit_tangent(def->pitch_up);
    v->pitch_down = limit_tangent(def->pitch_down);
    if (v->pitch_up > v->yaw) v->pitch_up = v->yaw;
    if (v->pitch_down > v->yaw) v->pitch_down = v->yaw;
    v->pitch_axis = ik_unit(ik_beside(def->limit_up, v->axis));
    v->reach = 2.0f / sqrtf(1.0f + v->yaw * v->yaw);
    if (v->reach > 1.0f) v->reach = 1.0f;
}

// q(p), of any length.
SINEW_INLINE sinew_quat swing(const view *v, sinew_vec3 point) {
    return ik_about(ik_cross(v->axis, point), 1.0f, 1.0f);
}

static bool make_unit(sinew_vec3 *v) {
    float square = ik_dot(*v, *v);
    if (!ik_is_answer(square)) return false;
    *v = ik_scaled(*v, 1.0f / sqrtf(square));
    return true;
}

// Returns false if an angle is NaN, a direction has no length, or the pose's own forward is straight behind.
static bool make_view(const sinew_ik_aim *def, sight s, view *v) {
    if (isnan(def->limit + def->pitch_up + def->pitch_down)) return false;
    float side = s.into.determinant < 0.0f ? -1.0f : 1.0f;
    sinew_vec3 forward = ik_scaled(s.forward, side), seen = ik_scaled(s.seen, side);
    v->target = ik_scaled(s.target, side);
    if (!make_unit(&forward) || !make_unit(&seen) || !make_unit(&v->target)) return false;
    set_limits(def, v);

    sinew_vec3 from_behind = ik_plus(forward, v->axis);
    float square = ik_dot(from_behind, from_behind);
    v->forward_point = ik_scaled(ik_beside(forward, v->axis), 2.0f / square);
    v->weight = ik_clamp01(sqrtf(square) / v->reach);
    sinew_quat back = ik_inverse(ik_normalized(swing(v, v->forward_point)));
    v->seen = starts_at_node(def) ? v->axis : ik_rotate(back, seen);
    return v->weight > 0.0f;
}

// The length of a vector of the plane, where that of the limit's ellipse is 1.
static float over_limit(const view *v, sinew_vec3 p) {
    if (v->pitch_up == v->yaw && v->pitch_down == v->yaw) return ik_length(p) / v->yaw;
    float up = ik_dot(p, v->pitch_axis), across = ik_dot(p, ik_cross(v->pitch_axis, v->axis));
    across /= v->yaw, up /= up < 0.0f ? v->pitch_down : v->pitch_up;
    return sqrtf(across * across + up * up);
}

// Clamps the target. The swing to the point p brings `seen` onto the target for p = (target - seen) / (a . (target +
// seen)), the numerator at right angles to a. Both vanish only if the target is the mirror image of `seen` behind, which for
// an eye at the node is straight behind. The weight vanishes there, too.
static sinew_ik_aim_goal find_goal(const sinew_ik_aim *def, const view *v) {
    const float most = 1e6f;
    sinew_vec3 across = ik_beside(ik_minus(v->target, v->seen), v->axis);
    float ahead = ik_dot(v->axis, ik_plus(v->target, v->seen)), length = over_limit(v, across);
    float tangent = most * ahead > length ? length / ahead : most;
    float held = ik_soften(tangent, 1.0f - ik_clamp01(def->softness), 1.0f);
    sinew_vec3 point = ik_scaled(across, held < tangent ? held / length : 1.0f / ahead);

    sinew_vec3 mirrored = ik_minus(v->seen, ik_scaled(v->axis, 2.0f * ik_dot(v->axis, v->seen)));
    float weight = ik_clamp01(ik_length(ik_minus(v->target, mirrored)) / v->reach);
    return (sinew_ik_aim_goal){ik_scaled(point, weight), weight};
}

static void turn_to_goal(const sinew_ik_aim *def, const sinew_affine *model, sight s, const view *v,
                         sinew_ik_aim_goal goal, sinew_pose *pose) {
    float weight = ik_clamp01(def->weight) * v->weight, whole = weight * goal.weight;
    if (!(whole > 0.0f)) return;
    sinew_vec3 from = v->forward_point;
    sinew_vec3 way = ik_minus(goal.point, ik_scaled(from, goal.weight)), to = ik_plus(from, ik_scaled(way, weight));
    sinew_quat turn = ik_multiply(swing(v, to), ik_inverse(swing(v, from)));
    if (def->up_weight > 0.0f) turn = upright(def, model, s, turn, ik_clamp01(def->up_weight) * whole, true);
    turn_node(pose, def->node, turn, 1.0f);
}

SINEW_NOINLINE void solve_limited(const sinew_ik_aim *def, const sinew_affine *model, sinew_pose *pose) {
    sight s = sight_of(def, model, pose);
    view v;
    if (make_view(def, s, &v)) turn_to_goal(def, model, s, &v, find_goal(def, &v), pose);
}

// ---- All of it -----------------------------------------------------------------------------------------------

static bool check_aim(const sinew_ik_aim *def, const sinew_affine *model, const sinew_pose *pose) {
    assert(def && model && pose);
    bool is_def = SINEW_IS_DEF(def, "sinew_ik_aim: start from sinew_ik_aim_from_rest()");
    assert(def->node >= 0 && (def->tip == def->node || ik_is_below(pose->skeleton, def->tip, def->node)));
    (void)model, (void)pose;
    return is_def;
}

void sinew_ik_aim_solve(const sinew_ik_aim *def, const sinew_affine *model, sinew_pose *pose) {
    if (!check_aim(def, model, pose)) return;
    float weight = ik_clamp01(def->weight);
    if (!(weight > 0.0f)) return;

    if (is_limited(def)) {
        solve_limited(def, model, pose);
        return;
    }
    sight s = sight_of(def, model, pose);
    sinew_quat turn = onto_target(s);
    if (def->up_weight > 0.0f) turn = upright(def, model, s, turn, ik_clamp01(def->up_weight), false);
    turn_node(pose, def->node, turn, weight);
}

// ---- Following -----------------------------------------------------------------------------------------------

// Two low-passes in a row, over a step in which the input goes linearly from `last` to `to`. `steps` is the length of the
// step in time constants and `left` is e^-steps. The solution is exact, so frame rates differ only if the input is not
// linear.
static void smooth(float *last, float *once, float *twice, float to, double steps, double left) {
    double lag = ((double)to - (double)*last) / steps;
    double first = (double)*once - (double)*last + lag, second = (double)*twice - (double)*last + 2.0 * lag;
    *once = (float)((double)to - lag + first * left);
    *twice = (float)((double)to - 2.0 * lag + (first * steps + second) * left);
    *last = to;
}

static void smooth_goal(sinew_ik_aim_state *state, sinew_ik_aim_goal to, double steps) {
    const double none = 1e-6, all = 700.0;
    sinew_ik_aim_goal *last = &state->last, *once = &state->once, *twice = &state->twice;
    if (!(steps < all)) {
        *last = *once = *twice = to;
        return;
    }
    if (steps < none) { // the target has jumped
        *last = to;
        return;
    }
    double left = sinew_decay(steps);
    smooth(&last->point.x, &once->point.x, &twice->point.x, to.point.x, steps, left);
    smooth(&last->point.y, &once->point.y, &twice->point.y, to.point.y, steps, left);
    smooth(&last->point.z, &once->point.z, &twice->point.z, to.point.z, steps, left);
    smooth(&last->weight, &once->weight, &twice->weight, to.weight, steps, left);
}

static double time_constants(float dt, float settle_time) {
    return settle_time > 0.0f ? (double)dt / (double)settle_time : (double)INFINITY;
}

void sinew_ik_aim_follow(const sinew_ik_aim *def, float dt, sinew_ik_aim_state *state, const sinew_affine *model,
                         sinew_pose *pose) {
    bool is_def = check_aim(def, model, pose);
    assert(dt >= 0.0f && state);
    if (!is_def) return;
    sight s = sight_of(def, model, pose);
    view v;
    if (!make_view(def, s, &v)) return;
    sinew_ik_aim_goal goal = find_goal(def, &v);
    if (!isfinite(goal.point.x + goal.point.y + goal.point.z)) return;
    smooth_goal(state, goal, time_constants(dt, def->settle_time));
    turn_to_goal(def, model, s, &v, state->twice, pose);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

// Model space's +Y in the rest pose, as a node's parent sees it.
static sinew_vec3 rest_up(const sinew_skeleton *skeleton, int32_t parent) {
    const sinew_vec3 up = {0, 1, 0};
    if (parent == SINEW_NO_NODE) return up;
    sinew_affine model = sinew_skeleton_rest_local(skeleton, parent);
    while ((parent = skeleton->parents[parent]) != SINEW_NO_NODE) {
        model = sinew_affine_multiply(sinew_skeleton_rest_local(skeleton, parent), model);
    }
    ik_matrix into = ik_into(&model, 0);
    return ik_scaled(ik_times(into, up), into.determinant < 0.0f ? -1.0f : 1.0f);
}

sinew_ik_aim sinew_ik_aim_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t eye, sinew_vec3 forward) {
    assert(skeleton);
    assert(node >= 0 && (eye == node || ik_is_below(skeleton, eye, node)));
    sinew_vec3 middle = forward;
    for (int32_t i = eye; i != skeleton->parents[node]; i = skeleton->parents[i]) {
        middle = sinew_affine_direction(sinew_skeleton_rest_local(skeleton, i), middle);
    }
    return (sinew_ik_aim){
        .node = node,
        .tip = eye,
        .forward = forward,
        .up = {0, 1, 0},
        .world_up = {0, 1, 0},
        .limit = 3.14159265f,
        .pitch_up = 3.14159265f,
        .pitch_down = 3.14159265f,
        .limit_axis = middle,
        .weight = 1.0f,
        .limit_up = rest_up(skeleton, skeleton->parents[node]),
        .settle_time = 0.15f,
        .cookie = SINEW_DEF_COOKIE,
    };
}
