// Limbs of two bones.
//
// The lower node's rotation is rigid as its parent sees it, in what is called inner space here, and the upper node's as
// its own parent does, in outer space. What lies between scales evenly but for odd rigs, and then the one is the other
// turned, and larger or smaller: in inner space the bend is found from the lengths of the bones, by the law of cosines, and
// so is the swing of the whole limb towards the target. Where it does not, the bend is looked for in steps, and the swing
// is found in outer space.
//
// Roots and divisions are most of what a limb costs. So there are squares of lengths and vectors of any length, and
// rotations are made unit at the end. A number that is not finite comes through to there.
#include <sinew/ik.h>

#include "ik/ik_math.h"
#include "pose/skeleton_object.h"
#include "core/def_cookie.h"

#include <assert.h>

// A limb as it is, in inner space.
typedef struct limb {
    sinew_vec3 upper, lower; // the bones
    sinew_vec3 across;       // at right angles to the upper one: the way in which the lower one bends
    float a2, b2;            // the squares of the bones' lengths
    float across2;           // and of that of `across`
} limb;

// The lower bone as it is to be, as parts of the upper bone and of `across`.
typedef struct bend {
    float along, across;
    float reach2; // the square of how far the end is from the start
} bend;

// The plane of the bend and what the whole limb is swung to, inner or outer; places are from the limb's start.
typedef struct stand {
    sinew_vec3 upper, across, target;
} stand;

// ---- As it is ------------------------------------------------------------------------------------------------

// Any side will do for a limb that is straight and told none.
SINEW_INLINE sinew_vec3 some_across(limb l, sinew_vec3 across) {
    const float nothing = 1e-6f; // the square of a sine
    bool is_any = !(ik_dot(across, across) > nothing * l.b2);
    return is_any ? ik_cross(ik_perpendicular(l.upper), l.upper) : across;
}

SINEW_NOINLINE sinew_vec3 led_across(limb l, sinew_vec3 across, sinew_vec3 right, float by) {
    return some_across(l, ik_plus(across, ik_scaled(right, by)));
}

// The side on which the lower bone is, where that is the right one: so a limb whose end is on its target stays as it is. One
// that is straight, or bent too far back, is led to the right side by the axis, ever more the less it is bent.
SINEW_INLINE sinew_vec3 across_of(limb l, sinew_vec3 axis) {
    const float bent = 0.01f; // the square of a sine
    float per_a2 = 1.0f / l.a2, axis2 = ik_dot(axis, axis), least = bent * l.a2 * l.b2 * axis2;
    sinew_vec3 across = ik_minus(l.lower, ik_scaled(l.upper, ik_dot(l.upper, l.lower) * per_a2));
    sinew_vec3 right = ik_cross(axis, l.upper);
    float rightly = ik_dot(right, l.lower);
    if (rightly > 0.0f && rightly * rightly > least) return across;
    if (!(axis2 > 0.0f)) return some_across(l, across);
    return led_across(l, across, right, 2.0f * (sqrtf(least) - rightly) * per_a2 / axis2);
}

SINEW_INLINE limb limb_of(const sinew_ik_two_bone *def, const sinew_affine *model, const sinew_pose *pose,
                          ik_matrix into_inner) {
    sinew_vec3 middle = ik_place(&model[def->lower]);
    limb l;
    l.upper = ik_times(into_inner, ik_minus(middle, ik_place(&model[def->upper])));
    l.lower = ik_times(into_inner, ik_minus(ik_place(&model[def->end]), middle));
    l.a2 = ik_dot(l.upper, l.upper), l.b2 = ik_dot(l.lower, l.lower);
    // Of one bone that has no length, there is nothing to bend.
    if (!(l.a2 > 0.0f)) l.upper = l.lower, l.a2 = l.b2, l.b2 = 0.0f, l.lower = (sinew_vec3){0, 0, 0};
    l.across = across_of(l, ik_rotate(ik_rotation(pose, def->lower), def->bend_axis));
    l.across2 = ik_dot(l.across, l.across);
    return l;
}

// A place of model space, from the limb's start.
SINEW_INLINE sinew_vec3 from_start(const sinew_ik_two_bone *def, const sinew_affine *model, ik_matrix into,
                                   sinew_vec3 place) {
    return ik_times(into, ik_minus(place, ik_place(&model[def->upper])));
}

SINEW_INLINE bool scales_evenly(const sinew_pose *pose, int32_t node) {
    const float rounding = 1e-10f; // as a square
    float x = pose->sx[node], y = pose->sy[node] - x, z = pose->sz[node] - x;
    return y * y + z * z <= rounding * x * x;
}

SINEW_INLINE bool all_scale_evenly(const sinew_pose *pose, int32_t upper, int32_t inner) {
    for (int32_t node = inner; node != upper; node = pose->skeleton->parents[node]) {
        if (!scales_evenly(pose, node)) return false;
    }
    return scales_evenly(pose, upper);
}

// ---- The bend ------------------------------------------------------------------------------------------------

// A bend where u and v, the bones, have the products u · v and, as a square, |u × v|.
SINEW_INLINE bend bend_of(limb l, float twice_dot, float cross2, float reach2) {
    float factor = 0.5f / (l.a2 * l.across2);
    return (bend){twice_dot * factor * l.across2, sqrtf(2.0f * factor * cross2), reach2};
}

// The square of a length, exact but for the rounding of a double.
static double square_of(sinew_vec3 v) {
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return x * x + y * y + z * z;
}

// As `bent`, near straight and near folded, where |u × v| is the root of a small difference of large numbers.
SINEW_NOINLINE bend bent_little(limb l, sinew_vec3 target, float scale) {
    double a2 = square_of(l.upper), b2 = square_of(l.lower), sum = a2 + b2, most = sqrt(a2 * b2);
    double dot = 0.5 * (square_of(target) * (double)scale * (double)scale - sum),
           cross2 = (most - dot) * (most + dot);
    if (cross2 < 0.0) cross2 = 0.0, dot = dot > 0.0 ? most : -most; // straight, folded
    return bend_of(l, (float)(2.0 * dot), (float)cross2, (float)(sum + 2.0 * dot));
}

// The end as far from the start as the target times `scale`. By the law of cosines that is a² + b² + 2 u · v, for
// bones u and v of the lengths a and b.
SINEW_INLINE bend bent(limb l, sinew_vec3 target, float scale) {
    const float little = 0.004f; // the square of the sine of 3.6 degrees
    float reach2 = ik_dot(target, target);
    if (scale != 1.0f) reach2 *= scale * scale;
    float sum = l.a2 + l.b2, twice_dot = reach2 - sum, most2 = l.a2 * l.b2;
    float cross2 = most2 - 0.25f * twice_dot * twice_dot;
    if (cross2 > little * most2) return bend_of(l, twice_dot, cross2, reach2);
    if (cross2 > -little * most2 || twice_dot < 0.0f) return bent_little(l, target, scale);
    float most = 2.0f * sqrtf(most2); // straight, and far from anything else
    return bend_of(l, most, 0.0f, sum + most);
}

SINEW_INLINE sinew_vec3 lower_of(sinew_vec3 upper, sinew_vec3 across, bend lower) {
    return ik_plus(ik_scaled(upper, lower.along), ik_scaled(across, lower.across));
}

SINEW_INLINE sinew_vec3 end_of(stand s, bend lower) {
    return ik_plus(s.upper, lower_of(s.upper, s.across, lower));
}

// By how much nearer than the target the end is to be.
SINEW_NOINLINE float soft_scale(limb l, sinew_vec3 target, float softness) {
    float a = sqrtf(l.a2), b = sqrtf(l.b2), longest = a + b, shortest = fabsf(a - b), far = ik_length(target);
    float from = longest * (1.0f - softness);
    return far > 0.0f ? ik_soften(far, from > shortest ? from : shortest, longest) / far : 1.0f;
}

// ---- The bend, uneven ----------------------------------------------------------------------------------------

// The bend whose half has the tangent t / (1 - t): straight at 0 and folded at 1.
static bend bent_by(limb l, float t) {
    float c = (1.0f - t) * (1.0f - t), s = t * t, factor = sqrtf(l.b2 / l.a2) / (c + s);
    return (bend){(c - s) * factor, 2.0f * t * (1.0f - t) * factor * sqrtf(l.a2 / l.across2), 0.0f};
}

static float too_far(limb l, stand s, float t) {
    return ik_length(end_of(s, bent_by(l, t))) - ik_length(s.target);
}

// Between two bends of which one is too far and the other is not.
static bend between(limb l, stand s, float from, float to) {
    bool first = too_far(l, s, from) > 0.0f;
    for (int i = 0; i < 24; i++) {
        float middle = 0.5f * (from + to);
        if ((too_far(l, s, middle) > 0.0f) == first)
            from = middle;
        else
            to = middle;
    }
    return bent_by(l, from);
}

// Between two bends neither of which may be near enough.
static bend nearest(limb l, stand s, float from, float to) {
    for (int i = 0; i < 40; i++) {
        float first = from + (to - from) / 3.0f, second = to - (to - from) / 3.0f;
        if (fabsf(too_far(l, s, first)) < fabsf(too_far(l, s, second)))
            to = second;
        else
            from = first;
    }
    return bent_by(l, from);
}

// The first bend in steps from straight that passes the distance, or what comes nearest to it.
static bend look_for_bend(limb l, stand s) {
    const int steps = 64;
    const float step = 1.0f / (float)steps;
    float best = 0.0f, before = too_far(l, s, 0.0f), least = fabsf(before);
    for (int i = 1; i <= steps; i++) {
        float t = step * (float)i, miss = too_far(l, s, t);
        if ((miss > 0.0f) != (before > 0.0f)) return between(l, s, t - step, t);
        if (fabsf(miss) < least) best = t, least = fabsf(miss);
    }
    return nearest(l, s, best > step ? best - step : 0.0f, best < 1.0f - step ? best + step : 1.0f);
}

// ---- The swing -----------------------------------------------------------------------------------------------

// Turns on about the line from the start to the end, as far as the pole wants.
SINEW_NOINLINE sinew_quat turn_to_pole(limb l, stand s, bend lower, sinew_quat turn, sinew_vec3 pole, float part) {
    turn = ik_normalized(turn);
    sinew_vec3 line = ik_unit(ik_rotate(turn, end_of(s, lower))), beside = ik_beside(pole, line);
    if (ik_is_in_line(pole, beside)) return turn;
    // The side on which the middle is; of a straight limb, that to which it would go.
    sinew_vec3 side =
        ik_minus(ik_scaled(s.upper, lower.across * l.across2 / l.a2), ik_scaled(s.across, 1.0f + lower.along));
    return ik_multiply(ik_twist(line, ik_beside(ik_rotate(turn, side), line), beside, part), turn);
}

// The turn of the whole limb that brings its end to the target. One at the start is in every direction.
SINEW_INLINE sinew_quat swing(stand s, bend lower) {
    float target2 = ik_dot(s.target, s.target);
    float lengths = lower.reach2 == target2 ? target2 : sqrtf(lower.reach2 * target2);
    if (lengths == 0.0f) return ik_no_turn;
    return ik_arc(end_of(s, lower), s.target, lengths, ik_cross(s.upper, s.across));
}

// ---- The end -------------------------------------------------------------------------------------------------

// How a node's parent is turned, outer: the product of the rotations from the limb's start on.
static sinew_quat turn_above(const sinew_pose *pose, int32_t upper, int32_t node) {
    sinew_quat turn = ik_no_turn;
    while (node != upper) {
        node = pose->skeleton->parents[node];
        turn = ik_multiply(ik_rotation(pose, node), turn);
    }
    return turn;
}

// A rotation that sinew_affine_decompose has told, outer. It lays mirrors into x, on the far side of the rotation: what
// is seen through one is turned about y and z the other way round.
static sinew_quat rotation_into(const sinew_affine *model, int32_t outer, sinew_quat told) {
    if (outer == SINEW_NO_NODE) return told;
    sinew_transform space = sinew_affine_decompose(model[outer]);
    sinew_quat q = ik_multiply(ik_inverse(space.rotation), told);
    return space.scale.x < 0.0f ? (sinew_quat){q.x, -q.y, -q.z, q.w} : q;
}

// How the end is to be turned, outer.
static sinew_quat wanted_end(const sinew_ik_two_bone *def, const sinew_affine *model, const sinew_pose *pose,
                             float weight) {
    sinew_quat is = ik_multiply(turn_above(pose, def->upper, def->end), ik_rotation(pose, def->end));
    if (def->end_mode != SINEW_IK_LIMB_END_ROTATE) return is;
    sinew_quat wanted = rotation_into(model, pose->skeleton->parents[def->upper], def->end_rotation);
    return ik_blend(is, wanted, weight);
}

static void turn_end(const sinew_ik_two_bone *def, sinew_pose *pose, sinew_quat wanted) {
    sinew_quat q = ik_multiply(ik_inverse(turn_above(pose, def->upper, def->end)), wanted);
    float square = ik_square(q);
    if (ik_is_answer(square)) ik_set_rotation(pose, def->end, ik_divided(q, square), 1.0f);
}

// ---- All of it -----------------------------------------------------------------------------------------------

// Both nodes' rotations as they are to be, of any length.
typedef struct solved {
    sinew_quat upper, lower;
} solved;

SINEW_INLINE sinew_quat turned_lower(const sinew_ik_two_bone *def, const sinew_pose *pose, limb l, bend lower) {
    sinew_vec3 wanted = lower_of(l.upper, l.across, lower);
    sinew_quat turn = ik_arc(l.lower, wanted, l.b2, ik_cross(l.upper, l.across));
    return ik_multiply(turn, ik_rotation(pose, def->lower));
}

// By a turn that the node right above the lower one sees: behind all rotations from the upper node's on to that one's.
SINEW_INLINE sinew_quat turned_upper(const sinew_ik_two_bone *def, const sinew_pose *pose, sinew_quat turn) {
    const int32_t *parents = pose->skeleton->parents;
    for (int32_t node = parents[def->lower]; node != def->upper; node = parents[node]) {
        sinew_quat q = ik_rotation(pose, node);
        turn = ik_multiply(ik_multiply(q, turn), ik_inverse(q));
    }
    return ik_multiply(ik_rotation(pose, def->upper), turn);
}

SINEW_INLINE solved solve_evenly(const sinew_ik_two_bone *def, const sinew_affine *model, const sinew_pose *pose) {
    ik_matrix into = ik_into(model, pose->skeleton->parents[def->lower]);
    limb l = limb_of(def, model, pose, into);
    stand s = {l.upper, l.across, from_start(def, model, into, def->target)};
    float softness = ik_clamp01(def->softness);
    bend lower = bent(l, s.target, softness > 0.0f ? soft_scale(l, s.target, softness) : 1.0f);
    sinew_quat turn = swing(s, lower);
    float pole_weight = ik_clamp01(def->pole_weight);
    if (pole_weight > 0.0f)
        turn = turn_to_pole(l, s, lower, turn, from_start(def, model, into, def->pole), pole_weight);
    return (solved){turned_upper(def, pose, turn), turned_lower(def, pose, l, lower)};
}

SINEW_NOINLINE solved solve_unevenly(const sinew_ik_two_bone *def, const sinew_affine *model,
                                     const sinew_pose *pose) {
    int32_t inner = pose->skeleton->parents[def->lower];
    ik_matrix into_inner = ik_into(model, inner), into = ik_into(model, pose->skeleton->parents[def->upper]);
    limb l = limb_of(def, model, pose, into_inner);
    stand s = {.target = from_start(def, model, into, def->target)};
    float factor = 1.0f / into_inner.determinant;
    s.upper = ik_times(into, ik_direction(&model[inner], ik_scaled(l.upper, factor)));
    s.across = ik_times(into, ik_direction(&model[inner], ik_scaled(l.across, factor)));
    bend lower = look_for_bend(l, s);
    sinew_vec3 end = end_of(s, lower);
    lower.reach2 = ik_dot(end, end);
    sinew_quat turn = swing(s, lower);
    float pole_weight = ik_clamp01(def->pole_weight);
    if (pole_weight > 0.0f)
        turn = turn_to_pole(l, s, lower, turn, from_start(def, model, into, def->pole), pole_weight);
    return (solved){ik_multiply(turn, ik_rotation(pose, def->upper)), turned_lower(def, pose, l, lower)};
}

void sinew_ik_two_bone_solve(const sinew_ik_two_bone *def, const sinew_affine *model, sinew_pose *pose) {
    assert(def && model && pose);
    bool is_def = SINEW_IS_DEF(def, "sinew_ik_two_bone: start from sinew_ik_two_bone_from_rest()");
    assert(def->upper >= 0 && ik_is_below(pose->skeleton, def->lower, def->upper));
    assert(ik_is_below(pose->skeleton, def->end, def->lower));
    float weight = ik_clamp01(def->weight);
    if (!(weight > 0.0f) || !is_def) return;

    bool even = all_scale_evenly(pose, def->upper, pose->skeleton->parents[def->lower]);
    solved q = even ? solve_evenly(def, model, pose) : solve_unevenly(def, model, pose);
    float upper2 = ik_square(q.upper), lower2 = ik_square(q.lower);
    if (!ik_is_answer(upper2)) return;
    bool turns_end = def->end_mode != SINEW_IK_LIMB_END_FOLLOW;
    sinew_quat end = turns_end ? wanted_end(def, model, pose, weight) : ik_no_turn;

    ik_set_rotation(pose, def->upper, ik_divided(q.upper, upper2), weight);
    if (ik_is_answer(lower2)) ik_set_rotation(pose, def->lower, ik_divided(q.lower, lower2), weight);
    if (turns_end) turn_end(def, pose, end);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

// A node's rest pose as the parent of a node above has it.
static sinew_affine rest_below(const sinew_skeleton *skeleton, int32_t above, int32_t node) {
    sinew_affine matrix = sinew_skeleton_rest_local(skeleton, node);
    while (node != above) {
        node = skeleton->parents[node];
        matrix = sinew_affine_multiply(sinew_skeleton_rest_local(skeleton, node), matrix);
    }
    return matrix;
}

// The axis about which the rest pose bends, in the lower node's own axes.
static sinew_vec3 rest_bend_axis(const sinew_skeleton *skeleton, int32_t upper, int32_t lower, int32_t end) {
    const float one_degree = 0.0175f;
    sinew_affine inner = rest_below(skeleton, upper, skeleton->parents[lower]);
    sinew_affine nodes[3] = {rest_below(skeleton, upper, upper), rest_below(skeleton, upper, lower),
                             rest_below(skeleton, upper, end)};
    ik_matrix into = ik_into(&inner, 0);
    sinew_vec3 a = ik_times(into, ik_minus(ik_place(&nodes[1]), ik_place(&nodes[0])));
    sinew_vec3 b = ik_times(into, ik_minus(ik_place(&nodes[2]), ik_place(&nodes[1])));
    sinew_vec3 axis = ik_cross(a, b);
    float least = one_degree * ik_length(a) * ik_length(b);
    if (!(ik_dot(axis, axis) > least * least)) return (sinew_vec3){0, 0, 0};
    return ik_rotate(ik_inverse(skeleton->rest[lower].rotation), ik_unit(axis));
}

sinew_ik_two_bone sinew_ik_two_bone_from_rest(const sinew_skeleton *skeleton, int32_t upper, int32_t lower,
                                              int32_t end) {
    assert(skeleton);
    assert(upper >= 0 && ik_is_below(skeleton, lower, upper) && ik_is_below(skeleton, end, lower));
    return (sinew_ik_two_bone){
        .upper = upper,
        .lower = lower,
        .end = end,
        .bend_axis = rest_bend_axis(skeleton, upper, lower, end),
        .weight = 1.0f,
        .end_mode = SINEW_IK_LIMB_END_FOLLOW,
        .end_rotation = {0, 0, 0, 1},
        .cookie = SINEW_DEF_COOKIE,
    };
}
