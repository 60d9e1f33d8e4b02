// SPDX-License-Identifier: MIT
// Aiming: rotates one node to point a line from its tip at a target (sinew/body/ik.h, sinew_ik_aim).
//
// Vectors are in the local space of the node's parent, relative to the node's position, unless a comment says
// otherwise. In that space the tip and its pointing line, which runs along `forward`, rotate rigidly about the node.
// Take the sphere around the node that passes through the target: the line intersects it at the aim point. The rotation
// moves the aim point onto the target. If the tip is the node itself, the aim point is straight ahead. `s` is the line.
//
// Without a limit, the node rotates by the shortest arc. That isn't continuous for a target straight behind.
//
// With a limit, directions are points of the plane perpendicular to the limit's axis a. The length of a point p is the
// tangent of half the angle between a and its direction. q(p) = (a × p, 1), normalized, rotates a to that direction
// without roll about a: it's the swing to p. The node rotates by q(p) q(f)^-1, from the pose's own forward direction f
// straight to p, which is smooth in both. So clamping, weighting and smoothing all happen in the plane. The region
// within the limit is convex: the line between two of its points stays within the limit and in front, and no two points
// are 180 degrees apart. `v` is the limits.
//
// How far can the node rotate for a small rotation of the target, with the tip at the node? Let T be the tangent of
// half the limit, o the angle between a and the pose's forward, and O the tangent of half of o. Let k be T over the
// tangent of half the smallest pitch limit, h = (k + 1 / k) / 2, and r = min(1, 2 cos(limit / 2)).
//
//   - q(p) rotates by at most 2 |dp| / sqrt(1 + |p|^2), and a direction at p moves by 2 |dp| / (1 + |p|^2).
//   - Within the limit the node rotates by at most 1 + T^2 times as much.
//   - Beyond the limit, p is scaled down onto an ellipse with half axes T and T / k. There it moves by at most h T per
//     angle about a. That angle is the target's own angle over sin b, with b the angle from straight behind. In the
//     last 60 degrees (or less) the weight is W = 2 sin(b / 2) / r. So W h T / sin b is at most h T / (r cos 30), and
//     dW times the difference to the pose's forward is at most (T + O) / r. The first is for a step about a, the second
//     for a step towards it.
//
// So the node rotates by at most max(h (1 + T^2), (2 / r) sqrt((1.16 h T)^2 + (T + O)^2)) times the target's rotation.
// That is 3 for a limit up to 1.2, pitch limits of at least half of it, and o up to 40 degrees.
//
// More bounds. The whole rotation, and therefore the tilt of `up`, is at most max(limit, o) + o, because the goal lies
// between the pose's forward and the limit. If a resting target jumps and the parent rests, the node follows at up to
// 1.5 (T + O) / settle_time radians per second. All bounds hold for up_weight 0.
//
// Between calls, smoothed goals are directions in model space, where most targets rest while the body moves. Each call
// carries them into the plane, smooths them there and carries them out again. If the parent rests, they come back as
// they were, so smoothing is still a matter of the plane. If the parent rotates by a small angle, the goals rotate back
// by the same angle. Within the limit, that rotates the node by at most 1 + T^2 times as much, like a target's rotation.
// The parent can also take them beyond the limit. They are eased there, to half-angle tangents of less than 1.25 times
// the limit's, and the node rotates by at most h (1 + 4 T^2) times as much as the parent.
//
// A character that walks or turns moves the goal of a target that rests in the world. The smoothed goals move along at
// once: each call shifts them in the plane by the same vector. Smoothing is linear there, so what is left to smooth is
// the rest of the target's motion, as if the character had stood still. The head would stop abruptly when the goal
// reaches the limit, so it's shifted by less and less over the second half of the limit.
#include <sinew/body/ik.h>

#include "body/ik_math.h"
#include "core/skeleton_object.h"
#include "base/decay.h"
#include "base/def_cookie.h"

#include <assert.h>

// The pointing line and the target, in the local space of the node's parent, relative to the node's position.
typedef struct aim_line {
    ik_matrix into; // from model space to the parent's local space
    sinew_vec3 target;
    sinew_vec3 forward;   // of any length
    sinew_vec3 aim_point; // point on the pointing line that the rotation moves onto the target
} aim_line;

// 1, or -1 if the parent mirrors. Directions that `into` transforms have its determinant's sign.
SINEWI_INLINE float side_of(aim_line s) {
    return s.into.determinant < 0.0f ? -1.0f : 1.0f;
}

SINEWI_INLINE bool starts_at_node(const sinew_ik_aim *def) {
    return def->tip == def->node && def->origin.x == 0.0f && def->origin.y == 0.0f && def->origin.z == 0.0f;
}

// The point on the pointing line that is as far from the node as the target, or as close to that as possible. It's the
// forward root of |origin + x forward| = |target|.
SINEWI_NOINLINE sinew_vec3 find_aim_point(const sinew_ik_aim *def, const sinew_affine *model, aim_line s) {
    sinew_vec3 from = ik_subtract(ik_point(&model[def->tip], def->origin), ik_position(&model[def->node]));
    sinew_vec3 origin = ik_transform(s.into, from);
    float forward2 = ik_dot(s.forward, s.forward), ahead = ik_dot(origin, s.forward);
    float square = ahead * ahead + forward2 * (ik_dot(s.target, s.target) - ik_dot(origin, origin));
    float along = (square > 0.0f ? sqrtf(square) : 0.0f) - ahead;
    return ik_add(origin, ik_scale(s.forward, (along > 0.0f ? along : 0.0f) / forward2));
}

// Takes the tip's line and the target out of model space.
SINEWI_INLINE aim_line make_line(const sinew_ik_aim *def, const sinew_affine *model, const sinew_pose *pose) {
    aim_line s = {.into = ik_to_local(model, pose->skeleton->parents[def->node])};
    s.target = ik_transform(s.into, ik_subtract(def->target, ik_position(&model[def->node])));
    s.forward = ik_transform(s.into, ik_direction(&model[def->tip], def->forward));
    s.aim_point = starts_at_node(def) ? s.forward : find_aim_point(def, model, s);
    return s;
}

// ---- Up ------------------------------------------------------------------------------------------------------

// 0 for a vector parallel to a line, rising to 1 at 30 degrees from it (the square of sin 30 is 1/4). `rejected` is the
// part of `v` perpendicular to the line.
static float ease_near_line(sinew_vec3 v, sinew_vec3 rejected) {
    return ik_clamp01(4.0f * ik_dot(rejected, rejected) / ik_dot(v, v));
}

typedef enum up_mode {
    UP_FULL, // by the given part
    UP_EASED // by less if either direction is near the line, where the rotation isn't continuous
} up_mode;

// Adds to `turn` a rotation about the line from the node to the target. It brings `up` towards `world_up` by the
// fraction `part`. Returns zeros if there is no solution.
SINEWI_NOINLINE sinew_quat apply_up(const sinew_ik_aim *def, const sinew_affine *model, aim_line s, sinew_quat turn,
                                    float part, up_mode mode) {
    turn = ik_quat_normalize(turn);
    sinew_vec3 line = ik_normalize(ik_rotate(turn, s.aim_point));
    sinew_vec3 up = ik_rotate(turn, ik_transform(s.into, ik_direction(&model[def->tip], def->up)));
    sinew_vec3 world_up = ik_transform(s.into, def->world_up);
    sinew_vec3 from = ik_reject(up, line), to = ik_reject(world_up, line);
    if (!isfinite(ik_dot(up, up) + ik_dot(world_up, world_up))) return (sinew_quat){0, 0, 0, 0}; // no solution
    if (ik_is_parallel(up, from) || ik_is_parallel(world_up, to)) return turn;
    if (mode == UP_EASED) part *= ease_near_line(up, from) * ease_near_line(world_up, to);
    return ik_multiply(ik_twist(line, from, to, part), turn);
}

// ---- Without a limit -----------------------------------------------------------------------------------------

// The shortest rotation from the aim point to the target, not normalized.
SINEWI_INLINE sinew_quat rotation_to_target(aim_line s) {
    float lengths = sqrtf(ik_dot(s.aim_point, s.aim_point) * ik_dot(s.target, s.target));
    return ik_rotation_between(s.aim_point, s.target, lengths, ik_perpendicular(s.aim_point));
}

// Rotates a node in its parent's local space by a weighted rotation of any length. Zeros and non-finite
// numbers are a no-op.
SINEWI_INLINE void rotate_node(sinew_pose *pose, int32_t node, sinew_quat turn, float weight) {
    turn = ik_multiply(turn, ik_get_rotation(pose, node));
    float square = ik_quat_square(turn);
    if (ik_is_normalizable(square)) ik_set_rotation(pose, node, ik_quat_scale_to_unit(turn, square), weight);
}

// ---- Limits --------------------------------------------------------------------------------------------------

// Unit directions in the local space of the node's parent, without its reflection. Limits are half-angle tangents.
typedef struct aim_limits {
    sinew_vec3 axis;       // of the limits
    sinew_vec3 pitch_axis; // of positive pitch, perpendicular to `axis`
    float yaw, pitch_up, pitch_down;
    float reach;              // the weight is 1 from this far off straight behind, measured on the unit sphere
    sinew_vec3 target;        // from the node
    sinew_vec3 forward_point; // the pose's own forward direction in the plane
    sinew_vec3 aim_point;     // from the node, after rotating forward to the axis
    float weight;             // below 1 if the pose's own forward is nearly straight behind
} aim_limits;

// A point of the plane, times its weight, and the weight.
typedef struct aim_goal {
    sinew_vec3 point;
    float weight;
} aim_goal;

SINEWI_INLINE bool is_limited(const sinew_ik_aim *def) {
    const float none = 3.14f; // NaN counts as a limit, and find_limits rejects it
    return !(def->limit >= none) || !(def->pitch_up >= none) || !(def->pitch_down >= none);
}

// Tangent of half a limit. Wider limits count as 150 degrees.
static float limit_tangent(float angle) {
    const float widest = 2.61799388f, least = 1e-6f; // 150 degrees; keeps the divisor above 0
    float tangent = ik_half_tangent(angle < widest ? angle : widest);
    return tangent > least ? tangent : least;
}

// Converts the definition's limits from radians to half-angle tangents. Caps pitch limits at the yaw limit.
static void set_limits(const sinew_ik_aim *def, aim_limits *v) {
    v->axis = ik_normalize(def->limit_axis);
    v->yaw = limit_tangent(def->limit);
    v->pitch_up = limit_tangent(def->pitch_up);
    v->pitch_down = limit_tangent(def->pitch_down);
    if (v->pitch_up > v->yaw) v->pitch_up = v->yaw;
    if (v->pitch_down > v->yaw) v->pitch_down = v->yaw;
    v->pitch_axis = ik_normalize(ik_reject(def->limit_up, v->axis));
    v->reach = 2.0f / sqrtf(1.0f + v->yaw * v->yaw);
    if (v->reach > 1.0f) v->reach = 1.0f;
}

// q(p) for a point of the plane, not normalized.
SINEWI_INLINE sinew_quat swing(const aim_limits *v, sinew_vec3 point) {
    return ik_axis_quat(ik_cross(v->axis, point), 1.0f, 1.0f);
}

static bool try_normalize(sinew_vec3 *v) {
    float square = ik_dot(*v, *v);
    if (!ik_is_normalizable(square)) return false;
    *v = ik_scale(*v, 1.0f / sqrtf(square));
    return true;
}

// Converts the limits and the pose's own forward to the plane. Returns false if an angle is NaN, a direction has zero
// length, or the pose's own forward is straight behind.
static bool find_limits(const sinew_ik_aim *def, aim_line s, aim_limits *v) {
    if (isnan(def->limit + def->pitch_up + def->pitch_down)) return false;
    float side = side_of(s);
    sinew_vec3 forward = ik_scale(s.forward, side), aim_point = ik_scale(s.aim_point, side);
    v->target = ik_scale(s.target, side);
    if (!try_normalize(&forward) || !try_normalize(&aim_point) || !try_normalize(&v->target)) return false;
    set_limits(def, v);

    // A unit direction f becomes its part perpendicular to a, divided by 1 + a . f = |f + a|^2 / 2. The length of f + a
    // is the distance of f from straight behind on the unit sphere.
    sinew_vec3 from_behind = ik_add(forward, v->axis);
    float square = ik_dot(from_behind, from_behind);
    v->forward_point = ik_scale(ik_reject(forward, v->axis), 2.0f / square);
    v->weight = ik_clamp01(sqrtf(square) / v->reach);
    sinew_quat back = ik_inverse(ik_quat_normalize(swing(v, v->forward_point)));
    v->aim_point = starts_at_node(def) ? v->axis : ik_rotate(back, aim_point);
    return v->weight > 0.0f;
}

// Length of a plane vector relative to the limit's ellipse, whose half axes are the yaw and pitch tangents.
// It's 1 on the ellipse.
static float length_over_limit(const aim_limits *v, sinew_vec3 p) {
    if (v->pitch_up == v->yaw && v->pitch_down == v->yaw) return ik_length(p) / v->yaw;
    float up = ik_dot(p, v->pitch_axis), across = ik_dot(p, ik_cross(v->pitch_axis, v->axis));
    across /= v->yaw, up /= up < 0.0f ? v->pitch_down : v->pitch_up;
    return sqrtf(across * across + up * up);
}

// The plane point across / ahead. Beyond `from` it's eased towards `most`, both relative to the limit. Returns the origin
// for the direction straight behind, which is on no side.
static sinew_vec3 clamp_point(const aim_limits *v, sinew_vec3 across, float ahead, float from, float most) {
    const float max_tangent = 1e6f;
    float length = length_over_limit(v, across);
    if (length == 0.0f) return (sinew_vec3){0, 0, 0};
    float tangent = max_tangent * ahead > length ? length / ahead : max_tangent;
    float clamped = ik_soften(tangent, from, most);
    return ik_scale(across, clamped < tangent ? clamped / length : 1.0f / ahead);
}

// The plane point to rotate to, clamped to the limit, times its weight. The swing to p moves aim_point onto the
// target for p = (target - aim_point) / (a . (target + aim_point)), with the numerator's part perpendicular to a.
// Both vanish only if the target mirrors aim_point behind the node. With the tip at the node, that's straight behind.
// The weight is 0 there.
static aim_goal find_goal(const sinew_ik_aim *def, const aim_limits *v) {
    sinew_vec3 across = ik_reject(ik_subtract(v->target, v->aim_point), v->axis);
    float ahead = ik_dot(v->axis, ik_add(v->target, v->aim_point));
    sinew_vec3 point = clamp_point(v, across, ahead, 1.0f - ik_clamp01(def->softness), 1.0f);

    sinew_vec3 mirrored = ik_subtract(v->aim_point, ik_scale(v->axis, 2.0f * ik_dot(v->axis, v->aim_point)));
    float weight = ik_clamp01(ik_length(ik_subtract(v->target, mirrored)) / v->reach);
    return (aim_goal){ik_scale(point, weight), weight};
}

// Rotates the node from the pose's own forward to the goal, by the product of both weights.
static void rotate_to_goal(const sinew_ik_aim *def, const sinew_affine *model, aim_line s, const aim_limits *v,
                           aim_goal goal, sinew_pose *pose) {
    float weight = ik_clamp01(def->weight) * v->weight, total_weight = weight * goal.weight;
    if (!(total_weight > 0.0f)) return;
    sinew_vec3 from = v->forward_point;
    sinew_vec3 change = ik_subtract(goal.point, ik_scale(from, goal.weight)),
               to = ik_add(from, ik_scale(change, weight));
    sinew_quat turn = ik_multiply(swing(v, to), ik_inverse(swing(v, from)));
    if (def->up_weight > 0.0f)
        turn = apply_up(def, model, s, turn, ik_clamp01(def->up_weight) * total_weight, UP_EASED);
    rotate_node(pose, def->node, turn, 1.0f);
}

SINEWI_NOINLINE void solve_limited(const sinew_ik_aim *def, const sinew_affine *model, sinew_pose *pose) {
    aim_line s = make_line(def, model, pose);
    aim_limits v;
    if (find_limits(def, s, &v)) rotate_to_goal(def, model, s, &v, find_goal(def, &v), pose);
}

// ---- Solving -------------------------------------------------------------------------------------------------

// Asserts that the definition comes from its default function and that the nodes are valid. Returns the former.
static bool check_arguments(const sinew_ik_aim *def, const sinew_affine *model, const sinew_pose *pose) {
    assert(def && model && pose);
    bool is_def = SINEWI_IS_DEF(def, "sinew_ik_aim: start from sinew_ik_aim_from_rest()");
    bool is_chain = is_def && ik_is_at_or_below(pose->skeleton, def->tip, def->node);
    assert(is_chain);
    (void)model;
    return is_chain;
}

// Rotates the node to the target immediately, with or without a limit.
void sinew_ik_aim_solve(const sinew_ik_aim *def, sinew_pose *pose, const sinew_affine *model) {
    if (!check_arguments(def, model, pose)) return;
    float weight = ik_clamp01(def->weight);
    if (!(weight > 0.0f)) return;

    if (is_limited(def)) {
        solve_limited(def, model, pose);
        return;
    }
    aim_line s = make_line(def, model, pose);
    sinew_quat turn = rotation_to_target(s);
    if (def->up_weight > 0.0f) turn = apply_up(def, model, s, turn, ik_clamp01(def->up_weight), UP_FULL);
    rotate_node(pose, def->node, turn, weight);
}

// ---- Following -----------------------------------------------------------------------------------------------

// Two low-pass filters in series, over a step whose input moves linearly from `last` to `to`. `once` is the output of
// the first filter, `twice` of the second. `time_constants` is the step's length, and `decay` is e^-time_constants. The
// solution is exact, so the frame rate only matters if the input isn't linear.
static void smooth(float *last, float *once, float *twice, float to, double time_constants, double decay) {
    double slope_lag = ((double)to - (double)*last) / time_constants;
    double first = (double)*once - (double)*last + slope_lag,
           second = (double)*twice - (double)*last + 2.0 * slope_lag;
    *once = (float)((double)to - slope_lag + first * decay);
    *twice = (float)((double)to - 2.0 * slope_lag + (first * time_constants + second) * decay);
    *last = to;
}

static bool is_finite(sinew_vec3 v) {
    return isfinite(v.x + v.y + v.z);
}

// The goals of a sinew_ik_aim_state in this frame's plane.
typedef struct aim_goals {
    aim_goal last, once, twice;
} aim_goals;

// In a step of fewer time constants, no time passes.
static const double no_time = 1e-6;

// Smooths each number of the goal. With a settle time of 0, the goals become the new one. In a step that takes no time,
// only the input does.
static void smooth_goals(aim_goals *goals, aim_goal to, double time_constants) {
    const double all = 700.0;
    aim_goal *last = &goals->last, *once = &goals->once, *twice = &goals->twice;
    if (!(time_constants < all)) {
        *last = *once = *twice = to;
        return;
    }
    if (time_constants < no_time) { // the target jumped
        *last = to;
        return;
    }
    double decay = sinewi_decay(time_constants);
    smooth(&last->point.x, &once->point.x, &twice->point.x, to.point.x, time_constants, decay);
    smooth(&last->point.y, &once->point.y, &twice->point.y, to.point.y, time_constants, decay);
    smooth(&last->point.z, &once->point.z, &twice->point.z, to.point.z, time_constants, decay);
    smooth(&last->weight, &once->weight, &twice->weight, to.weight, time_constants, decay);
}

// The point of a model-space direction d is its part perpendicular to a, divided by 1 + a . d. It's clamped, because a
// parent that turns fast could take it so far out that it's long in coming back.
static aim_goal carry_in(const aim_limits *v, aim_line s, sinew_ik_aim_goal goal) {
    const float most = 2.0f; // relative to the limit
    sinew_vec3 direction = ik_scale(ik_transform(s.into, goal.direction), side_of(s));
    float ahead = ik_length(direction) + ik_dot(direction, v->axis);
    sinew_vec3 point = clamp_point(v, ik_reject(direction, v->axis), ahead, most, most);
    return (aim_goal){ik_scale(point, goal.weight), goal.weight};
}

// Eases a goal that the parent has turned beyond the limit. A hard stop there would be visible.
static aim_goal ease_at_limit(const aim_limits *v, aim_goal goal) {
    const float from = 1.0001f, most = 1.25f; // relative to the limit; goals at the limit keep their bits
    if (!(length_over_limit(v, goal.point) > from * goal.weight)) return goal;
    sinew_vec3 point = clamp_point(v, goal.point, goal.weight, from, most);
    return (aim_goal){ik_scale(point, goal.weight), goal.weight};
}

// A point p has the direction 2 p + (1 - |p|^2) a, of length 1 + |p|^2. Here it's multiplied by the weight's square.
// `parent` is the parent's model matrix, or NULL for a root.
static sinew_ik_aim_goal carry_out(const aim_limits *v, const sinew_affine *parent, aim_goal goal) {
    float along = goal.weight * goal.weight - ik_dot(goal.point, goal.point);
    sinew_vec3 direction = ik_add(ik_scale(goal.point, 2.0f * goal.weight), ik_scale(v->axis, along));
    if (parent) direction = ik_direction(parent, direction);
    if (!try_normalize(&direction)) direction = (sinew_vec3){0, 0, 0};
    return (sinew_ik_aim_goal){direction, goal.weight};
}

// The part of the character's own motion that moved the target in model space, from 0 to 1. It's 1 for a target that
// rests in the world, and 0 for one that comes along.
static float resting_part(const sinew_ik_aim *def, const sinew_ik_aim_state *state) {
    sinew_vec3 own = def->own_motion, moved = ik_subtract(def->target, state->target);
    return ik_clamp01(ik_dot(moved, own) / ik_dot(own, own));
}

// A goal's point without its weight. Over the second half of the limit it slows down, to a stop at the limit.
static sinew_vec3 slowed_point(const aim_limits *v, aim_goal goal) {
    if (!(goal.weight > 0.0f)) return (sinew_vec3){0, 0, 0};
    sinew_vec3 point = ik_scale(goal.point, 1.0f / goal.weight);
    float length = length_over_limit(v, point), further = length - 0.5f;
    return further > 0.0f ? ik_scale(point, 1.0f - further * further / length) : point;
}

static void shift_goal(aim_goal *goal, sinew_vec3 shift) {
    goal->point = ik_add(goal->point, ik_scale(shift, goal->weight));
}

// Shifts the smoothed goals by how far the character's own motion has moved the goal. The shift fades out while the
// target is nearly behind, where the goal swings through the front.
static void follow_own_motion(const sinew_ik_aim *def, const sinew_ik_aim_state *state, const sinew_pose *pose,
                              const sinew_affine *model, aim_goal to, aim_goals *goals) {
    const sinew_vec3 own = def->own_motion;
    if (own.x == 0.0f && own.y == 0.0f && own.z == 0.0f) return;
    sinew_ik_aim unmoved = *def;
    unmoved.target = ik_subtract(def->target, ik_scale(own, resting_part(def, state)));
    aim_limits v;
    if (!find_limits(&unmoved, make_line(&unmoved, model, pose), &v)) return;
    aim_goal from = find_goal(&unmoved, &v);
    float weight = from.weight < to.weight ? from.weight : to.weight;
    sinew_vec3 shift = ik_subtract(slowed_point(&v, to), slowed_point(&v, from));
    shift = ik_scale(shift, weight * weight);
    shift_goal(&goals->last, shift);
    shift_goal(&goals->once, shift);
    shift_goal(&goals->twice, shift);
}

// Follows a moving target: rotates the node, within its limits, towards a goal that is smoothed over time. With a
// settle time of 0, it follows immediately. In a step that takes no time, the smoothed goals keep their bits.
void sinew_ik_aim_follow(const sinew_ik_aim *def, float dt, sinew_ik_aim_state *state, sinew_pose *pose,
                         const sinew_affine *model) {
    bool is_def = check_arguments(def, model, pose);
    assert(dt >= 0.0f && state);
    if (!is_def) return;
    aim_line s = make_line(def, model, pose);
    aim_limits v;
    if (!find_limits(def, s, &v)) return;
    aim_goal goal = find_goal(def, &v);
    if (!is_finite(goal.point) || !is_finite(def->own_motion)) return;

    double time_constants = def->settle_time > 0.0f ? (double)dt / (double)def->settle_time : (double)INFINITY;
    aim_goals goals = {carry_in(&v, s, state->last), carry_in(&v, s, state->once), carry_in(&v, s, state->twice)};
    if (time_constants >= no_time) follow_own_motion(def, state, pose, model, goal, &goals);
    smooth_goals(&goals, goal, time_constants);
    rotate_to_goal(def, model, s, &v, ease_at_limit(&v, goals.twice), pose);

    int32_t node = pose->skeleton->parents[def->node];
    const sinew_affine *parent = node == SINEW_NO_NODE ? NULL : &model[node];
    state->last = carry_out(&v, parent, goals.last);
    state->target = def->target;
    if (time_constants < no_time) return;
    state->once = carry_out(&v, parent, goals.once);
    state->twice = carry_out(&v, parent, goals.twice);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

// Model space +Y at rest, in the local space of a node's parent.
static sinew_vec3 rest_up_in_parent(const sinew_skeleton *skeleton, int32_t parent) {
    const sinew_vec3 up = {0, 1, 0};
    if (parent == SINEW_NO_NODE) return up;
    sinew_affine model = sinewi_skeleton_rest_local(skeleton, parent);
    while ((parent = skeleton->parents[parent]) != SINEW_NO_NODE) {
        model = sinew_affine_multiply(sinewi_skeleton_rest_local(skeleton, parent), model);
    }
    ik_matrix into = ik_to_local(&model, 0);
    return ik_scale(ik_transform(into, up), into.determinant < 0.0f ? -1.0f : 1.0f);
}

// The limit's axis is the direction of `forward` at rest, in the local space of the node's parent.
sinew_ik_aim sinew_ik_aim_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t tip, sinew_vec3 forward) {
    assert(skeleton);
    if (!ik_is_at_or_below(skeleton, tip, node)) return (sinew_ik_aim){.node = SINEW_NO_NODE, .tip = SINEW_NO_NODE};
    sinew_vec3 limit_axis = forward;
    for (int32_t i = tip; i != skeleton->parents[node]; i = skeleton->parents[i]) {
        limit_axis = sinew_affine_direction(sinewi_skeleton_rest_local(skeleton, i), limit_axis);
    }
    return (sinew_ik_aim){
        .node = node,
        .tip = tip,
        .forward = forward,
        .up = {0, 1, 0},
        .world_up = {0, 1, 0},
        .limit = 3.14159265f,
        .pitch_up = 3.14159265f,
        .pitch_down = 3.14159265f,
        .limit_axis = limit_axis,
        .weight = 1.0f,
        .limit_up = rest_up_in_parent(skeleton, skeleton->parents[node]),
        .settle_time = 0.15f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}
