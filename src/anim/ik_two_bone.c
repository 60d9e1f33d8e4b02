// Limbs of two bones.
//
// The lower node's rotation is rigid as its parent sees it, the upper node's as its own parent does. So the bend is
// found in the first of these spaces, inner, from the lengths of the bones there, by the law of cosines; and the swing of
// the whole limb towards the target in the second, outer. What lies between, the matrix from inner to outer, scales evenly
// but for odd rigs, and then lengths in one are those in the other times a factor. Where it does not, the factor depends
// on the bend, and is looked for.
#include <sinew/ik.h>

#include "anim/ik_math.h"

#include <assert.h>

// A limb as it is before it is turned.
typedef struct limb {
    ik_vec upper, lower; // the bones, inner
    double a, b;         // their lengths
    ik_vec along,
        across;   // the upper bone's direction, and at right angles to it the way in which the lower one bends
    ik_vec hinge; // the axis of the bend, at right angles to both
    const sinew_affine *from; // inner to model space; NULL where it is that
    ik_matrix into_outer;     // model space to outer
    ik_vec target;            // from the limb's start, outer
} limb;

// ---- As it is ------------------------------------------------------------------------------------------------

static ik_vec hinge_of(const limb *l, ik_vec wanted) {
    const double least = 1e-3; // the sine of an angle below which a direction says nothing
    ik_vec beside = ik_beside(wanted, l->along);
    if (ik_dot(beside, beside) > least * least * ik_dot(wanted, wanted)) return ik_unit(beside);
    ik_vec bent = ik_cross(l->along, l->lower);
    if (ik_dot(bent, bent) > least * least * l->b * l->b) return ik_unit(bent);
    return ik_perpendicular(l->along);
}

static limb limb_of(const sinew_two_bone *def, const sinew_affine *model, const sinew_pose *pose) {
    const int32_t *parents = pose->skeleton->parents;
    int32_t inner = parents[def->lower], outer = parents[def->upper];
    ik_vec start = ik_place(&model[def->upper]), middle = ik_place(&model[def->lower]);
    ik_matrix into_inner = ik_into(model, inner);
    limb l = {.from = &model[inner], .into_outer = ik_into(model, outer)};
    l.upper = ik_times(&into_inner, ik_minus(middle, start));
    l.lower = ik_times(&into_inner, ik_minus(ik_place(&model[def->end]), middle));
    l.a = ik_length(l.upper), l.b = ik_length(l.lower);
    l.along = ik_unit(l.a > 0.0 ? l.upper : l.lower);
    l.hinge = hinge_of(&l, ik_rotate(ik_rotation(pose, def->lower), ik_wide(def->bend_axis)));
    l.across = ik_cross(l.hinge, l.along);
    l.target = ik_times(&l.into_outer, ik_minus(ik_wide(def->target), start));
    return l;
}

static ik_vec outer_of(const limb *l, ik_vec inner) {
    return ik_times(&l->into_outer, ik_direction(l->from, inner));
}

// ---- The bend ------------------------------------------------------------------------------------------------

// The lower bone where the end is so far from the start. The half angle's squares of cosine and sine are products, which
// are exact where the angle is small, and the angle's own cosine is not.
static ik_vec bent(const limb *l, double reach) {
    double product = 4.0 * l->a * l->b, sum = l->a + l->b, difference = l->a - l->b;
    if (!(product > 0.0)) return l->lower;
    double cos2 = ik_clamp01((reach - difference) * (reach + difference) / product);
    double sin2 = ik_clamp01((sum - reach) * (sum + reach) / product);
    return ik_plus(ik_scaled(l->along, l->b * (cos2 - sin2)), ik_scaled(l->across, l->b * 2.0 * sqrt(cos2 * sin2)));
}

// How far from the start the end is to be, inner, for a target so far away.
static double reach_for(const limb *l, double distance, double softness) {
    double longest = l->a + l->b, shortest = fabs(l->a - l->b);
    double from = longest * (1.0 - softness);
    double reach = ik_soften(distance, from > shortest ? from : shortest, longest);
    return reach > longest ? longest : reach > shortest ? reach : shortest;
}

// The lower bone as it is to be. Where scale is uneven, the factor between the spaces is that of the last attempt.
static ik_vec bend(const limb *l, double softness) {
    const int most_attempts = 12;
    double distance = ik_length(l->target), factor = ik_length(outer_of(l, l->along));
    ik_vec lower = l->lower;
    for (int attempt = 0; attempt < most_attempts; attempt++) {
        double reach = reach_for(l, distance / factor, softness);
        lower = bent(l, reach);
        ik_vec end = ik_plus(l->upper, lower);
        double length = ik_length(end), is = ik_length(outer_of(l, end));
        if (!(fabs(is - reach * factor) > 1e-6 * is)) break;
        factor = is / length;
    }
    return lower;
}

// ---- The swing -----------------------------------------------------------------------------------------------

// How far the pole has a say: not where it lies on the line that it turns the limb about.
static double pole_part(ik_vec pole, ik_vec beside) {
    const double sine = 0.1;
    return ik_clamp01(ik_dot(beside, beside) / (sine * sine * ik_dot(pole, pole)));
}

// The turn of the whole limb, outer, that brings its end to the target and its middle towards the pole.
static ik_quat swing(const limb *l, const sinew_two_bone *def, const sinew_affine *model, ik_vec lower) {
    ik_vec inner_end = ik_plus(l->upper, lower), end = outer_of(l, inner_end);
    double length = ik_length(end), distance = ik_length(l->target);
    if (!(length > 0.0)) return ik_no_turn;
    ik_vec line = ik_scaled(end, 1.0 / length);
    // The side on which the middle is; of a straight limb, that to which it would go.
    ik_vec side = ik_beside(outer_of(l, ik_cross(inner_end, l->hinge)), line);
    ik_quat turn = ik_no_turn;
    if (distance > 0.0) {
        ik_vec towards = ik_scaled(l->target, 1.0 / distance);
        turn = ik_arc(line, towards, ik_cross(side, line));
        line = towards;
    }
    double part = ik_clamp01((double)def->pole_weight);
    if (!(part > 0.0)) return turn;
    ik_vec pole = ik_times(&l->into_outer, ik_minus(ik_wide(def->pole), ik_place(&model[def->upper])));
    ik_vec beside = ik_beside(pole, line);
    ik_quat twist = ik_twist(line, ik_rotate(turn, side), beside, part * pole_part(pole, beside));
    return ik_multiply(twist, turn);
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

void sinew_two_bone_solve(const sinew_two_bone *def, const sinew_affine *model, sinew_pose *pose) {
    assert(def->upper >= 0 && ik_is_below(pose->skeleton, def->lower, def->upper));
    assert(ik_is_below(pose->skeleton, def->end, def->lower));
    double weight = ik_clamp01((double)def->weight);
    if (!(weight > 0.0)) return;

    limb l = limb_of(def, model, pose);
    ik_vec lower = bend(&l, ik_clamp01((double)def->softness));
    ik_quat of_lower =
        l.b > 0.0 ? ik_arc(ik_scaled(l.lower, 1.0 / l.b), ik_scaled(lower, 1.0 / l.b), l.hinge) : ik_no_turn;
    ik_quat of_upper = swing(&l, def, model, lower);
    bool turns_end = def->end_mode != SINEW_LIMB_END_FOLLOWS;
    ik_quat end = turns_end ? wanted_end(def, model, pose, weight) : ik_no_turn;
    if (!ik_is_finite(of_lower) || !ik_is_finite(of_upper) || !ik_is_finite(end)) return;

    ik_turn(pose, def->upper, of_upper, weight);
    ik_turn(pose, def->lower, of_lower, weight);
    if (!turns_end) return;
    ik_quat above = turn_above(pose, def->upper, def->end);
    ik_set_rotation(pose, def->end, ik_normalized(ik_multiply(ik_inverse_of(above), end)));
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
    ik_vec a = ik_times(&into, ik_minus(ik_place(&nodes[1]), ik_place(&nodes[0])));
    ik_vec b = ik_times(&into, ik_minus(ik_place(&nodes[2]), ik_place(&nodes[1])));
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
