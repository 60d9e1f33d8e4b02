// Limbs of two bones.
//
// The lower node's rotation is rigid as its parent sees it, in what is called inner space here, and the upper node's as
// its own parent does, in outer space. What lies between scales evenly but for odd rigs, and then the one is the other
// turned, and larger or smaller: in inner space the bend is found from the lengths of the bones, by the law of cosines, and
// so is the swing of the whole limb towards the target. Where it does not, the bend is looked for in steps, and the swing
// is found in outer space.
//
// Roots and divisions are most of what a limb costs. So there are squares of lengths, vectors of any length, and
// for the arc from v to w the rotation (v × w, |v| |w| + v · w), made unit at the end.
#include <sinew/ik.h>

#include "anim/ik_math.h"

#include <assert.h>

// A limb as it is, in inner space.
typedef struct limb {
    ik_vec upper, lower; // the bones
    ik_vec across;       // at right angles to the upper one: the way in which the lower one bends
    double a2, b2;       // the squares of the bones' lengths
    double across2;      // and of that of `across`
} limb;

// The lower bone as it is to be, as parts of the upper bone and of `across`.
typedef struct bend {
    double along, across;
    double reach2; // the square of how far the end is from the start
} bend;

// The plane of the bend and what the whole limb is swung by, inner or outer; places are from the limb's start.
typedef struct stand {
    ik_vec upper, across, target, pole;
} stand;

// ---- As it is ------------------------------------------------------------------------------------------------

// The axis of the bend: what is wanted; where that goes along the upper bone, that of the bend there is; or any.
SINEW_INLINE ik_vec across_of(limb l, ik_vec axis) {
    const double nothing = 1e-6; // the square of a sine
    ik_vec across = ik_cross(axis, l.upper);
    if (ik_dot(across, across) > nothing * l.a2 * ik_dot(axis, axis)) return across;
    axis = ik_cross(l.upper, l.lower);
    if (!(ik_dot(axis, axis) > nothing * l.a2 * l.b2)) axis = ik_perpendicular(ik_unit(l.upper));
    return ik_cross(axis, l.upper);
}

SINEW_INLINE limb limb_of(const sinew_two_bone *def, const sinew_affine *model, const sinew_pose *pose,
                          ik_matrix into_inner) {
    sinew_vec3 middle = ik_place(&model[def->lower]);
    limb l;
    l.upper = ik_times(into_inner, ik_between(ik_place(&model[def->upper]), middle));
    l.lower = ik_times(into_inner, ik_between(middle, ik_place(&model[def->end])));
    l.a2 = ik_dot(l.upper, l.upper), l.b2 = ik_dot(l.lower, l.lower);
    // Of one bone that has no length, there is nothing to bend.
    if (!(l.a2 > 0.0)) l.upper = l.lower, l.a2 = l.b2, l.b2 = 0.0;
    l.across = across_of(l, ik_wide(ik_rotate_narrow(pose, def->lower, def->bend_axis)));
    l.across2 = ik_dot(l.across, l.across);
    return l;
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

// Where the end is so far from the start, as a square. By the law of cosines that is a² + b² + 2 a b cos of the angle of the
// bend, for bones of the lengths a and b.
SINEW_INLINE bend bent(limb l, double distance2) {
    double sum = l.a2 + l.b2, twice_dot = distance2 - sum, most2 = 4.0 * l.a2 * l.b2;
    if (twice_dot * twice_dot > most2) twice_dot = twice_dot > 0.0 ? sqrt(most2) : -sqrt(most2); // straight, folded
    double beside2 = most2 - twice_dot * twice_dot, factor = 0.5 / (l.a2 * l.across2);
    if (beside2 < 0.0) beside2 = 0.0;
    return (bend){twice_dot * factor * l.across2, sqrt(0.5 * factor * beside2), sum + twice_dot};
}

SINEW_INLINE ik_vec lower_of(ik_vec upper, ik_vec across, bend lower) {
    return ik_plus(ik_scaled(upper, lower.along), ik_scaled(across, lower.across));
}

// How far from the start the end is to be, as a square.
SINEW_APART double softened2(double a2, double b2, double distance2, double softness) {
    double a = sqrt(a2), b = sqrt(b2), longest = a + b, shortest = fabs(a - b);
    double from = longest * (1.0 - softness);
    double reach = ik_soften(sqrt(distance2), from > shortest ? from : shortest, longest);
    return reach * reach;
}

// ---- The bend, uneven ----------------------------------------------------------------------------------------

// The bend whose half has the tangent t / (1 - t): straight at 0 and folded at 1.
static bend bent_by(limb l, double t) {
    double c = (1.0 - t) * (1.0 - t), s = t * t, factor = sqrt(l.b2 / l.a2) / (c + s);
    return (bend){(c - s) * factor, 2.0 * t * (1.0 - t) * factor * sqrt(l.a2 / l.across2), 0.0};
}

SINEW_INLINE ik_vec end_of(stand s, bend lower) {
    return ik_plus(s.upper, lower_of(s.upper, s.across, lower));
}

static double too_far(limb l, stand s, double t) {
    return ik_length(end_of(s, bent_by(l, t))) - ik_length(s.target);
}

// Between two bends of which one is too far and the other is not.
static bend between(limb l, stand s, double from, double to) {
    bool first = too_far(l, s, from) > 0.0;
    for (int i = 0; i < 30; i++) {
        double middle = 0.5 * (from + to);
        if ((too_far(l, s, middle) > 0.0) == first)
            from = middle;
        else
            to = middle;
    }
    return bent_by(l, from);
}

// Between two bends neither of which may be near enough.
static bend nearest(limb l, stand s, double from, double to) {
    for (int i = 0; i < 50; i++) {
        double first = from + (to - from) / 3.0, second = to - (to - from) / 3.0;
        if (fabs(too_far(l, s, first)) < fabs(too_far(l, s, second)))
            to = second;
        else
            from = first;
    }
    return bent_by(l, from);
}

// The first bend in steps from straight that passes the distance, or what comes nearest to it.
static bend search(limb l, stand s) {
    const int steps = 64;
    const double step = 1.0 / (double)steps;
    double best = 0.0, before = too_far(l, s, 0.0), least = fabs(before);
    for (int i = 1; i <= steps; i++) {
        double t = step * (double)i, miss = too_far(l, s, t);
        if ((miss > 0.0) != (before > 0.0)) return between(l, s, t - step, t);
        if (fabs(miss) < least) best = t, least = fabs(miss);
    }
    return nearest(l, s, best > step ? best - step : 0.0, best < 1.0 - step ? best + step : 1.0);
}

static bend look_for_bend(limb l, stand s) {
    bend lower = search(l, s);
    ik_vec end = end_of(s, lower);
    lower.reach2 = ik_dot(end, end);
    return lower;
}

// ---- The turns -----------------------------------------------------------------------------------------------

// The arc from one place to another about the limb's start, given the product of their distances; half round about an axis,
// where they are opposite.
SINEW_INLINE ik_quat arc(ik_vec from, ik_vec to, double distances, ik_vec axis) {
    double w = distances + ik_dot(from, to);
    if (ik_is_opposite(w, distances)) return ik_about(ik_unit(axis), 1.0, 0.0);
    return ik_about(ik_cross(from, to), 1.0, w);
}

// How far the pole has a say: not where it lies on the line that it turns the limb about.
static double pole_part(ik_vec pole, ik_vec beside) {
    const double sine = 0.1;
    return ik_clamp01(ik_dot(beside, beside) / (sine * sine * ik_dot(pole, pole)));
}

// Turns on about the line from the start to the end, as far as the pole wants.
SINEW_APART ik_quat turn_to_pole(limb l, stand s, bend lower, ik_quat turn, double pole_weight) {
    turn = ik_normalized(turn);
    ik_vec line = ik_unit(ik_rotate(turn, end_of(s, lower))), beside = ik_beside(s.pole, line);
    // The side on which the middle is; of a straight limb, that to which it would go.
    ik_vec side =
        ik_minus(ik_scaled(s.upper, lower.across * l.across2), ik_scaled(s.across, (1.0 + lower.along) * l.a2));
    side = ik_beside(ik_rotate(turn, side), line);
    return ik_multiply(ik_twist(line, side, beside, pole_weight * pole_part(s.pole, beside)), turn);
}

// The turn of the whole limb that brings its end to the target and its middle towards the pole.
SINEW_INLINE ik_quat swing(const sinew_two_bone *def, limb l, stand s, bend lower) {
    const ik_vec end = end_of(s, lower);
    double target2 = ik_dot(s.target, s.target);
    double distances = lower.reach2 == target2 ? target2 : sqrt(lower.reach2 * target2);
    ik_quat turn = distances == 0.0 ? ik_no_turn : arc(end, s.target, distances, ik_cross(s.upper, s.across));
    double pole_weight = ik_clamp01((double)def->pole_weight);
    return pole_weight > 0.0 ? turn_to_pole(l, s, lower, turn, pole_weight) : turn;
}

// A turn that the node right above the lower one sees, as the upper one's parent does, behind the upper one's rotation.
SINEW_INLINE ik_quat turned_upper(const sinew_two_bone *def, const sinew_pose *pose, ik_quat turn) {
    for (int32_t node = pose->skeleton->parents[def->lower]; node != def->upper;
         node = pose->skeleton->parents[node]) {
        ik_quat q = ik_rotation(pose, node);
        turn = ik_multiply(ik_multiply(q, turn), ik_inverse_of(q));
    }
    return ik_multiply(ik_rotation(pose, def->upper), turn);
}

// ---- The end -------------------------------------------------------------------------------------------------

// How a node's parent is turned, outer: the product of the rotations from the limb's start on.
static ik_quat turn_above(const sinew_pose *pose, int32_t upper, int32_t node) {
    ik_quat turn = ik_no_turn;
    while (node != upper) {
        node = pose->skeleton->parents[node];
        turn = ik_multiply(ik_rotation(pose, node), turn);
    }
    return turn;
}

// A rotation that sinew_affine_decompose has told, outer. It lays mirrors into x, on the far side of the rotation: what
// is seen through one is turned about y and z the other way round.
static ik_quat rotation_into(const sinew_affine *model, int32_t outer, sinew_quat rotation) {
    ik_quat told = {(double)rotation.x, (double)rotation.y, (double)rotation.z, (double)rotation.w};
    if (outer == SINEW_NO_NODE) return told;
    sinew_transform space = sinew_affine_decompose(model[outer]);
    ik_quat q = {(double)space.rotation.x, (double)space.rotation.y, (double)space.rotation.z,
                 (double)space.rotation.w};
    q = ik_multiply(ik_inverse_of(q), told);
    return space.scale.x < 0.0f ? (ik_quat){q.x, -q.y, -q.z, q.w} : q;
}

// How the end is to be turned, outer.
static ik_quat wanted_end(const sinew_two_bone *def, const sinew_affine *model, const sinew_pose *pose,
                          double weight) {
    ik_quat is = ik_multiply(turn_above(pose, def->upper, def->end), ik_rotation(pose, def->end));
    if (def->end_mode != SINEW_LIMB_END_FACES) return is;
    ik_quat wanted = rotation_into(model, pose->skeleton->parents[def->upper], def->end_rotation);
    return ik_blend(is, wanted, weight);
}

// ---- All of it -----------------------------------------------------------------------------------------------

// Both nodes' rotations as they are to be, of any length.
typedef struct solved {
    ik_quat upper, lower;
} solved;

SINEW_INLINE ik_quat turned_lower(const sinew_two_bone *def, const sinew_pose *pose, limb l, bend lower) {
    ik_quat before = ik_rotation(pose, def->lower);
    if (!(l.b2 > 0.0)) return before;
    ik_vec wanted = lower_of(l.upper, l.across, lower);
    return ik_multiply(arc(l.lower, wanted, l.b2, ik_cross(l.upper, l.across)), before);
}

SINEW_INLINE stand stand_of(const sinew_two_bone *def, const sinew_affine *model, ik_matrix into) {
    sinew_vec3 start = ik_place(&model[def->upper]);
    stand s = {.target = ik_times(into, ik_between(start, def->target))};
    if (def->pole_weight > 0.0f) s.pole = ik_times(into, ik_between(start, def->pole));
    return s;
}

SINEW_INLINE solved solve_evenly(const sinew_two_bone *def, const sinew_affine *model, const sinew_pose *pose) {
    ik_matrix into = ik_into(model, pose->skeleton->parents[def->lower]);
    limb l = limb_of(def, model, pose, into);
    stand s = stand_of(def, model, into);
    s.upper = l.upper, s.across = l.across;
    double distance2 = ik_dot(s.target, s.target), softness = ik_clamp01((double)def->softness);
    bend lower = bent(l, softness > 0.0 ? softened2(l.a2, l.b2, distance2, softness) : distance2);
    ik_quat turn = swing(def, l, s, lower);
    return (solved){turned_upper(def, pose, turn), turned_lower(def, pose, l, lower)};
}

SINEW_APART solved solve_unevenly(const sinew_two_bone *def, const sinew_affine *model, const sinew_pose *pose) {
    int32_t inner = pose->skeleton->parents[def->lower];
    ik_matrix into_inner = ik_into(model, inner), into = ik_into(model, pose->skeleton->parents[def->upper]);
    limb l = limb_of(def, model, pose, into_inner);
    stand s = stand_of(def, model, into);
    double factor = 1.0 / (double)into_inner.determinant;
    s.upper = ik_times(into, ik_direction(&model[inner], ik_narrow(ik_scaled(l.upper, factor))));
    s.across = ik_times(into, ik_direction(&model[inner], ik_narrow(ik_scaled(l.across, factor))));
    bend lower = look_for_bend(l, s);
    ik_quat turn = ik_multiply(swing(def, l, s, lower), ik_rotation(pose, def->upper));
    return (solved){turn, turned_lower(def, pose, l, lower)};
}

void sinew_two_bone_solve(const sinew_two_bone *def, const sinew_affine *model, sinew_pose *pose) {
    assert(def->upper >= 0 && ik_is_below(pose->skeleton, def->lower, def->upper));
    assert(ik_is_below(pose->skeleton, def->end, def->lower));
    double weight = ik_clamp01((double)def->weight);
    if (!(weight > 0.0)) return;

    bool even = all_scale_evenly(pose, def->upper, pose->skeleton->parents[def->lower]);
    solved q = even ? solve_evenly(def, model, pose) : solve_unevenly(def, model, pose);
    q = (solved){ik_normalized(q.upper), ik_normalized(q.lower)};
    bool turns_end = def->end_mode != SINEW_LIMB_END_FOLLOWS;
    ik_quat end = turns_end ? wanted_end(def, model, pose, weight) : ik_no_turn;
    if (!ik_are_finite(q.upper, q.lower) || !ik_are_finite(end, end)) return;

    ik_set_rotation(pose, def->upper, q.upper, weight);
    ik_set_rotation(pose, def->lower, q.lower, weight);
    if (!turns_end) return;
    ik_quat above = turn_above(pose, def->upper, def->end);
    ik_set_rotation(pose, def->end, ik_normalized(ik_multiply(ik_inverse_of(above), end)), 1.0);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

// A node's rest pose as an ancestor's parent has it.
static sinew_affine rest_below(const sinew_skeleton *skeleton, int32_t above, int32_t node) {
    sinew_affine matrix = sinew_affine_from_transform(skeleton->rest[node]);
    while (node != above) {
        node = skeleton->parents[node];
        matrix = sinew_affine_multiply(sinew_affine_from_transform(skeleton->rest[node]), matrix);
    }
    return matrix;
}

// The axis about which the rest pose bends, in the lower node's own axes.
static sinew_vec3 rest_bend_axis(const sinew_skeleton *skeleton, int32_t upper, int32_t lower, int32_t end) {
    const double one_degree = 0.0175;
    sinew_affine inner = rest_below(skeleton, upper, skeleton->parents[lower]);
    sinew_affine nodes[3] = {rest_below(skeleton, upper, upper), rest_below(skeleton, upper, lower),
                             rest_below(skeleton, upper, end)};
    ik_matrix into = ik_into(&inner, 0);
    ik_vec a = ik_times(into, ik_between(ik_place(&nodes[0]), ik_place(&nodes[1])));
    ik_vec b = ik_times(into, ik_between(ik_place(&nodes[1]), ik_place(&nodes[2])));
    ik_vec axis = ik_cross(a, b);
    double least = one_degree * ik_length(a) * ik_length(b);
    if (!(ik_dot(axis, axis) > least * least)) return (sinew_vec3){0, 0, 0};
    sinew_quat rest = skeleton->rest[lower].rotation;
    ik_quat back = {(double)-rest.x, (double)-rest.y, (double)-rest.z, (double)rest.w};
    return ik_narrow(ik_rotate(back, ik_unit(axis)));
}

sinew_two_bone sinew_two_bone_default(const sinew_skeleton *skeleton, int32_t upper, int32_t lower, int32_t end) {
    assert(upper >= 0 && ik_is_below(skeleton, lower, upper) && ik_is_below(skeleton, end, lower));
    return (sinew_two_bone){
        .upper = upper,
        .lower = lower,
        .end = end,
        .bend_axis = rest_bend_axis(skeleton, upper, lower, end),
        .weight = 1.0f,
        .end_mode = SINEW_LIMB_END_FOLLOWS,
        .end_rotation = {0, 0, 0, 1},
    };
}
