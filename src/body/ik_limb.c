// SPDX-License-Identifier: MIT
// Two-bone limbs: rotates an upper and a lower node until the limb's end reaches a target (sinew/body/ik.h,
// sinew_ik_two_bone).
//
// First the limb bends: the lower node rotates until the end is as far from the start as the target. Then the whole
// limb swings: the upper node rotates until the end is at the target. Other nodes may lie between the two, and between
// the lower one and the end.
//
// Inner space is the local space of the lower node's parent, where the lower node rotates rigidly. Outer space is the
// local space of the upper node's parent. If the scale between them is uniform, as in all but odd rigs, they differ by
// a rotation and a scale. Then both the bend (by the law of cosines) and the swing are computed in inner space. With
// non-uniform scale, the bend is found by iteration and the swing is computed in outer space.
//
// `l` is the limb with its bones as vectors: u runs from the upper joint to the lower joint, v from there to the end.
// Names that end in 2 are squares: a2 is |u|² and b2 is |v|². `s` is the plane of the bend. `into` is a matrix from
// model space to a local space (body/ik_math.h).
//
// Square roots and divisions are most of a limb's cost. So lengths stay squared, vectors aren't normalized, and
// rotations are normalized at the end. Non-finite numbers propagate until then.
#include <sinew/body/ik.h>

#include "body/ik_math.h"
#include "core/skeleton_object.h"
#include "base/def_cookie.h"

#include <assert.h>

// A limb in its current pose, in inner space.
typedef struct limb {
    sinew_vec3 upper, lower; // the bones
    sinew_vec3 across;       // where the lower bone bends to, perpendicular to the upper bone
    float a2, b2;            // squared lengths of the bones
    float across2;           // squared length of `across`
} limb;

// The lower bone after bending: along × upper bone + across × `across`. Variables of this type are called `lower`.
typedef struct bend {
    float along, across;
    float reach2; // squared distance from the limb's start to its end
} bend;

// The plane of the bend and the target of the swing. In inner or outer space, relative to the limb's start.
typedef struct bend_plane {
    sinew_vec3 upper, across, target;
} bend_plane;

// ---- The current limb ----------------------------------------------------------------------------------------

// Returns `across`. If that is 0 except for rounding (a straight limb without a bend axis), returns an
// arbitrary direction.
SINEWI_INLINE sinew_vec3 bend_direction_or_any(limb l, sinew_vec3 across) {
    const float nothing = 1e-6f; // the square of a sine
    bool is_any = !(ik_dot(across, across) > nothing * l.b2);
    return is_any ? ik_cross(ik_perpendicular(l.upper), l.upper) : across;
}

// Adds `amount` of `forward` to `across`. Not inlined, because few limbs need it.
SINEWI_NOINLINE sinew_vec3 bend_direction_towards(limb l, sinew_vec3 across, sinew_vec3 forward, float amount) {
    return bend_direction_or_any(l, ik_add(across, ik_scale(forward, amount)));
}

// The direction that the limb bends to, perpendicular to the upper bone and not normalized. `axis` is the bend axis in
// the space of the limb's vectors, and `forward` is where the lower bone moves about it.
//
// A limb that bends forward keeps its direction, so a limb whose end is at its target keeps its pose. If a limb is
// straight or bent backward, the component along `forward` is reflected at the threshold. The further the limb is from
// bending forward, the more of `forward` is added.
SINEWI_INLINE sinew_vec3 bend_direction(limb l, sinew_vec3 axis) {
    const float straight_sine2 = 0.01f; // squared sine below which a limb counts as straight: 6 degrees
    float inverse_a2 = 1.0f / l.a2, axis2 = ik_dot(axis, axis), threshold2 = straight_sine2 * l.a2 * l.b2 * axis2;
    sinew_vec3 across = ik_subtract(l.lower, ik_scale(l.upper, ik_dot(l.upper, l.lower) * inverse_a2));
    sinew_vec3 forward = ik_cross(axis, l.upper);
    float along_forward = ik_dot(forward, l.lower);
    if (along_forward > 0.0f && along_forward * along_forward > threshold2) return across;
    if (!(axis2 > 0.0f)) return bend_direction_or_any(l, across);
    float missing = 2.0f * (sqrtf(threshold2) - along_forward);
    return bend_direction_towards(l, across, forward, missing * inverse_a2 / axis2);
}

// Builds the limb from the current pose. `into_inner` goes from model space to inner space.
SINEWI_INLINE limb make_limb(const sinew_ik_two_bone *def, const sinew_affine *model, const sinew_pose *pose,
                             ik_matrix into_inner) {
    sinew_vec3 middle = ik_position(&model[def->lower]);
    limb l;
    l.upper = ik_transform(into_inner, ik_subtract(middle, ik_position(&model[def->upper])));
    l.lower = ik_transform(into_inner, ik_subtract(ik_position(&model[def->end]), middle));
    l.a2 = ik_dot(l.upper, l.upper), l.b2 = ik_dot(l.lower, l.lower);
    // If the upper bone has zero length, use the lower one in its place. Then there's nothing to bend.
    if (!(l.a2 > 0.0f)) l.upper = l.lower, l.a2 = l.b2, l.b2 = 0.0f, l.lower = (sinew_vec3){0, 0, 0};
    l.across = bend_direction(l, ik_rotate(ik_get_rotation(pose, def->lower), def->bend_axis));
    l.across2 = ik_dot(l.across, l.across);
    return l;
}

// Converts a model-space position to `into`'s space, relative to the limb's start.
SINEWI_INLINE sinew_vec3 relative_to_start(const sinew_ik_two_bone *def, const sinew_affine *model, ik_matrix into,
                                           sinew_vec3 position) {
    return ik_transform(into, ik_subtract(position, ik_position(&model[def->upper])));
}

SINEWI_INLINE bool has_uniform_scale(const sinew_pose *pose, int32_t node) {
    const float rounding = 1e-10f; // as a square
    float x = pose->sx[node], y = pose->sy[node] - x, z = pose->sz[node] - x;
    return y * y + z * z <= rounding * x * x;
}

// Whether scale is uniform on all nodes from `inner` up to `upper`.
SINEWI_INLINE bool nodes_have_uniform_scale(const sinew_pose *pose, int32_t upper, int32_t inner) {
    for (int32_t node = inner; node != upper; node = pose->skeleton->parents[node]) {
        if (!has_uniform_scale(pose, node)) return false;
    }
    return has_uniform_scale(pose, upper);
}

// ---- The bend ------------------------------------------------------------------------------------------------

// The bend for the given products of u and v: twice u · v, and |u × v|². `along` is u · v / a², and `across` is
// u × v| / (a |across|). One division serves both.
SINEWI_INLINE bend make_bend(limb l, float twice_dot, float cross2, float reach2) {
    float factor = 0.5f / (l.a2 * l.across2);
    return (bend){twice_dot * factor * l.across2, sqrtf(2.0f * factor * cross2), reach2};
}

// Squared length in double precision.
static double square_of(sinew_vec3 v) {
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return x * x + y * y + z * z;
}

// Does the work of bend_for_distance in double precision, for limbs that are nearly straight or folded. There |u × v|
// is the root of a small difference between large numbers.
SINEWI_NOINLINE bend bend_near_limit(limb l, sinew_vec3 target, float scale) {
    double a2 = square_of(l.upper), b2 = square_of(l.lower), sum = a2 + b2, max_dot = sqrt(a2 * b2);
    double dot = 0.5 * (square_of(target) * (double)scale * (double)scale - sum),
           cross2 = (max_dot - dot) * (max_dot + dot);
    if (cross2 < 0.0) cross2 = 0.0, dot = dot > 0.0 ? max_dot : -max_dot; // straight or folded
    return make_bend(l, (float)(2.0 * dot), (float)cross2, (float)(sum + 2.0 * dot));
}

// The bend that puts the end as far from the start as the target is, times `scale`. By the law of cosines that distance
// squared is a² + b² + 2 u · v, where a and b are the lengths of u and v.
SINEWI_INLINE bend bend_for_distance(limb l, sinew_vec3 target, float scale) {
    const float near_straight2 = 0.004f; // squared sine of 3.6 degrees
    float reach2 = ik_dot(target, target);
    if (scale != 1.0f) reach2 *= scale * scale;
    float sum = l.a2 + l.b2, twice_dot = reach2 - sum, max_dot2 = l.a2 * l.b2;
    float cross2 = max_dot2 - 0.25f * twice_dot * twice_dot;
    if (cross2 > near_straight2 * max_dot2) return make_bend(l, twice_dot, cross2, reach2);
    if (cross2 > -near_straight2 * max_dot2 || twice_dot < 0.0f) return bend_near_limit(l, target, scale);
    float twice_max_dot = 2.0f * sqrtf(max_dot2); // straight: the target is far out of reach
    return make_bend(l, twice_max_dot, 0.0f, sum + twice_max_dot);
}

// The lower bone after bending.
SINEWI_INLINE sinew_vec3 bent_lower_bone(sinew_vec3 upper, sinew_vec3 across, bend lower) {
    return ik_add(ik_scale(upper, lower.along), ik_scale(across, lower.across));
}

// Position of the limb's end after bending, relative to its start.
SINEWI_INLINE sinew_vec3 bent_end(bend_plane s, bend lower) {
    return ik_add(s.upper, bent_lower_bone(s.upper, s.across, lower));
}

// Scales the target's distance for softness. The limb approaches the last part of its length more and more slowly, so
// it doesn't snap straight. Softness never starts before the pose's own extension. Otherwise it would bend a limb that
// is already at its target.
SINEWI_NOINLINE float soft_scale(limb l, sinew_vec3 target, float softness) {
    float a = sqrtf(l.a2), b = sqrtf(l.b2), longest = a + b, from = longest * (1.0f - softness);
    float far = ik_length(target), own = ik_length(ik_add(l.upper, l.lower));
    if (!(far > 0.0f)) return 1.0f;
    return ik_soften(far, from > own ? from : own, longest > own ? longest : own) / far;
}

// ---- The bend with non-uniform scale -------------------------------------------------------------------------

// The bend whose half angle has the tangent t / (1 - t). Straight at t = 0, folded at t = 1.
static bend bend_at_half_angle(limb l, float t) {
    float c = (1.0f - t) * (1.0f - t), s = t * t, factor = sqrtf(l.b2 / l.a2) / (c + s);
    return (bend){(c - s) * factor, 2.0f * t * (1.0f - t) * factor * sqrtf(l.a2 / l.across2), 0.0f};
}

// How much too far from the start a bend puts the end.
static float distance_error(limb l, bend_plane s, float t) {
    return ik_length(bent_end(s, bend_at_half_angle(l, t))) - ik_length(s.target);
}

// Bisects between two bends: one puts the end too far away, the other doesn't. `from` and `to` are t of
// bend_at_half_angle.
static bend bisect_bend(limb l, bend_plane s, float from, float to) {
    bool first = distance_error(l, s, from) > 0.0f;
    for (int i = 0; i < 24; i++) {
        float middle = 0.5f * (from + to);
        if ((distance_error(l, s, middle) > 0.0f) == first)
            from = middle;
        else
            to = middle;
    }
    return bend_at_half_angle(l, from);
}

// Finds the bend with the smallest error between two bends, by ternary search. The target may be out of reach.
static bend minimize_error(limb l, bend_plane s, float from, float to) {
    for (int i = 0; i < 40; i++) {
        float first = from + (to - from) / 3.0f, second = to - (to - from) / 3.0f;
        if (fabsf(distance_error(l, s, first)) < fabsf(distance_error(l, s, second)))
            to = second;
        else
            from = first;
    }
    return bend_at_half_angle(l, from);
}

// Starting from straight, finds the first bend that reaches the target's distance. If none does, returns the one with
// the smallest error.
static bend find_bend(limb l, bend_plane s) {
    const int steps = 64;
    const float step = 1.0f / (float)steps;
    float best = 0.0f, before = distance_error(l, s, 0.0f), least = fabsf(before);
    for (int i = 1; i <= steps; i++) {
        float t = step * (float)i, error = distance_error(l, s, t);
        if ((error > 0.0f) != (before > 0.0f)) return bisect_bend(l, s, t - step, t);
        if (fabsf(error) < least) best = t, least = fabsf(error);
    }
    return minimize_error(l, s, best > step ? best - step : 0.0f, best < 1.0f - step ? best + step : 1.0f);
}

// ---- The swing -----------------------------------------------------------------------------------------------

// Adds a rotation about the line from the start to the end that turns the middle joint towards the pole.
SINEWI_NOINLINE sinew_quat rotate_to_pole(limb l, bend_plane s, bend lower, sinew_quat turn, sinew_vec3 pole,
                                          float part) {
    turn = ik_quat_normalize(turn);
    sinew_vec3 line = ik_normalize(ik_rotate(turn, bent_end(s, lower))), to = ik_reject(pole, line);
    if (ik_is_parallel(pole, to)) return turn;
    // Direction from the line to the middle joint. For a straight limb it's where the joint would bend to.
    sinew_vec3 side =
        ik_subtract(ik_scale(s.upper, lower.across * l.across2 / l.a2), ik_scale(s.across, 1.0f + lower.along));
    return ik_multiply(ik_twist(line, ik_reject(ik_rotate(turn, side), line), to, part), turn);
}

// Rotation of a node's parent in outer space: the product of local rotations from the limb's start on.
static sinew_quat rotation_of_parent(const sinew_pose *pose, int32_t upper, int32_t node) {
    sinew_quat turn = ik_identity;
    while (node != upper) {
        node = pose->skeleton->parents[node];
        turn = ik_multiply(ik_get_rotation(pose, node), turn);
    }
    return turn;
}

// A node's rest matrix in the local space of the parent of its ancestor `above`.
static sinew_affine rest_matrix_below(const sinew_skeleton *skeleton, int32_t above, int32_t node) {
    sinew_affine matrix = sinewi_skeleton_rest_local(skeleton, node);
    while (node != above) {
        node = skeleton->parents[node];
        matrix = sinew_affine_multiply(sinewi_skeleton_rest_local(skeleton, node), matrix);
    }
    return matrix;
}

// The middle of the directions that the limb can point in, from its rest pose. It's halfway between the rest direction
// and the side the limb bends to. In outer space, unit length.
static sinew_vec3 middle_direction(const sinew_ik_two_bone *def, const sinew_skeleton *skeleton) {
    sinew_affine start = rest_matrix_below(skeleton, def->upper, def->upper);
    sinew_affine lower = rest_matrix_below(skeleton, def->upper, def->lower);
    sinew_affine end = rest_matrix_below(skeleton, def->upper, def->end);
    sinew_vec3 along = ik_normalize(ik_subtract(ik_position(&end), ik_position(&start)));
    sinew_vec3 side = ik_cross(ik_direction(&lower, def->bend_axis), along);
    float length = ik_length(side);
    return length > 0.0f ? ik_normalize(ik_add(along, ik_scale(side, 1.0f / length))) : along;
}

static sinew_quat unit_rotation_between(sinew_vec3 from, sinew_vec3 to) {
    sinew_quat q = ik_rotation_between(from, to, 1.0f, ik_perpendicular(from));
    return ik_quat_normalize(q);
}

// The shortest rotation isn't continuous where the limb points away from its target: a tiny movement flips its axis.
// From a right angle on, blend towards a detour over a direction 60 degrees from the target, towards `middle`. The
// detour flips too, but only where the limb points away from that direction. Arms and legs don't do that.
SINEWI_NOINLINE sinew_quat swing_far(bend_plane s, sinew_vec3 end, sinew_quat shortest, sinew_vec3 middle) {
    const float cosine = 0.5f, sine = 0.8660254f; // of 60 degrees
    const float all = 0.4226183f;                 // negated cosine of 115 degrees
    sinew_vec3 from = ik_normalize(end), to = ik_normalize(s.target), aside = ik_reject(middle, to);
    float length = ik_length(aside);
    if (!(length > 1e-3f)) return shortest;
    sinew_vec3 over = ik_add(ik_scale(to, cosine), ik_scale(aside, sine / length));
    if (ik_dot(middle, to) > cosine) over = middle;
    sinew_quat around = ik_multiply(unit_rotation_between(over, to), unit_rotation_between(from, over));
    float part = ik_clamp01(-ik_dot(from, to) / all);
    return ik_blend(ik_quat_normalize(shortest), around, part * part * (3.0f - 2.0f * part));
}

// Rotates the whole limb to bring its end to the target. Returns the identity if the target is at the start. Sets
// `is_far` if the end is more than a right angle from the target.
SINEWI_INLINE sinew_quat swing_to_target(bend_plane s, bend lower, bool *is_far) {
    float target2 = ik_dot(s.target, s.target);
    float lengths = lower.reach2 == target2 ? target2 : sqrtf(lower.reach2 * target2);
    *is_far = false;
    if (lengths == 0.0f) return ik_identity;
    sinew_vec3 end = bent_end(s, lower);
    *is_far = ik_dot(end, s.target) < 0.0f;
    return ik_rotation_between(end, s.target, lengths, ik_cross(s.upper, s.across));
}

// ---- The end -------------------------------------------------------------------------------------------------

// Converts a model-space rotation, as from sinew_affine_decompose, to outer space. That function puts a reflection into
// the x scale, which applies before the rotation. It negates rotations about y and z.
static sinew_quat rotation_to_outer(const sinew_affine *model, int32_t outer, sinew_quat decomposed) {
    if (outer == SINEW_NO_NODE) return decomposed;
    sinew_transform space = sinew_affine_decompose(model[outer]);
    sinew_quat q = ik_multiply(ik_inverse(space.rotation), decomposed);
    return space.scale.x < 0.0f ? (sinew_quat){q.x, -q.y, -q.z, q.w} : q;
}

// The rotation that the end should have in outer space: the given one, weighted, or its current one.
static sinew_quat find_end_goal(const sinew_ik_two_bone *def, const sinew_affine *model, const sinew_pose *pose,
                                float weight) {
    sinew_quat current =
        ik_multiply(rotation_of_parent(pose, def->upper, def->end), ik_get_rotation(pose, def->end));
    if (def->end_mode != SINEW_IK_LIMB_END_ROTATE) return current;
    sinew_quat goal = rotation_to_outer(model, pose->skeleton->parents[def->upper], def->end_rotation);
    return ik_blend(current, goal, weight);
}

// Sets the end's local rotation to give it the rotation `wanted` in outer space.
static void rotate_end(const sinew_ik_two_bone *def, sinew_pose *pose, sinew_quat wanted) {
    sinew_quat q = ik_multiply(ik_inverse(rotation_of_parent(pose, def->upper, def->end)), wanted);
    float square = ik_quat_square(q);
    if (ik_is_normalizable(square)) ik_set_rotation(pose, def->end, ik_quat_scale_to_unit(q, square), 1.0f);
}

// ---- Solving -------------------------------------------------------------------------------------------------

// The new local rotations of both nodes, not normalized.
typedef struct solved {
    sinew_quat upper, lower;
} solved;

// The lower node's local rotation that bends the limb, not normalized.
SINEWI_INLINE sinew_quat find_lower_rotation(const sinew_ik_two_bone *def, const sinew_pose *pose, limb l,
                                             bend lower) {
    sinew_vec3 wanted = bent_lower_bone(l.upper, l.across, lower);
    sinew_quat turn = ik_rotation_between(l.lower, wanted, l.b2, ik_cross(l.upper, l.across));
    return ik_multiply(turn, ik_get_rotation(pose, def->lower));
}

// The upper node's local rotation that swings the limb, not normalized. `turn` is the swing in inner space. It has to
// go in front of the rotations of all nodes from the upper one to the lower one's parent.
SINEWI_INLINE sinew_quat find_upper_rotation(const sinew_ik_two_bone *def, const sinew_pose *pose,
                                             sinew_quat turn) {
    const int32_t *parents = pose->skeleton->parents;
    for (int32_t node = parents[def->lower]; node != def->upper; node = parents[node]) {
        sinew_quat q = ik_get_rotation(pose, node);
        turn = ik_multiply(ik_multiply(q, turn), ik_inverse(q));
    }
    return ik_multiply(ik_get_rotation(pose, def->upper), turn);
}

// In a mirrored space, the determinant of ik_to_local negates the limb's vectors.
static sinew_vec3 mirror_vector(float determinant, sinew_vec3 v) {
    return determinant < 0.0f ? ik_scale(v, -1.0f) : v;
}

SINEWI_NOINLINE sinew_vec3 middle_in_inner_space(const sinew_ik_two_bone *def, const sinew_pose *pose,
                                                 float determinant) {
    sinew_quat turn = rotation_of_parent(pose, def->upper, def->lower);
    sinew_vec3 middle = ik_rotate(ik_inverse(turn), middle_direction(def, pose->skeleton));
    return mirror_vector(determinant, middle);
}

// Solves bend and swing in inner space.
SINEWI_INLINE solved solve_uniform(const sinew_ik_two_bone *def, const sinew_affine *model,
                                   const sinew_pose *pose) {
    ik_matrix into = ik_to_local(model, pose->skeleton->parents[def->lower]);
    limb l = make_limb(def, model, pose, into);
    bend_plane s = {l.upper, l.across, relative_to_start(def, model, into, def->target)};
    float softness = ik_clamp01(def->softness);
    bend lower = bend_for_distance(l, s.target, softness > 0.0f ? soft_scale(l, s.target, softness) : 1.0f);
    bool is_far;
    sinew_quat turn = swing_to_target(s, lower, &is_far);
    if (is_far) turn = swing_far(s, bent_end(s, lower), turn, middle_in_inner_space(def, pose, into.determinant));
    float pole_weight = ik_clamp01(def->pole_weight);
    if (pole_weight > 0.0f)
        turn = rotate_to_pole(l, s, lower, turn, relative_to_start(def, model, into, def->pole), pole_weight);
    return (solved){find_upper_rotation(def, pose, turn), find_lower_rotation(def, pose, l, lower)};
}

// Solves the bend by iteration, and the swing in outer space.
SINEWI_NOINLINE solved solve_non_uniform(const sinew_ik_two_bone *def, const sinew_affine *model,
                                         const sinew_pose *pose) {
    int32_t inner = pose->skeleton->parents[def->lower];
    ik_matrix into_inner = ik_to_local(model, inner),
              into = ik_to_local(model, pose->skeleton->parents[def->upper]);
    limb l = make_limb(def, model, pose, into_inner);
    bend_plane s = {.target = relative_to_start(def, model, into, def->target)};
    float factor = 1.0f / into_inner.determinant;
    s.upper = ik_transform(into, ik_direction(&model[inner], ik_scale(l.upper, factor)));
    s.across = ik_transform(into, ik_direction(&model[inner], ik_scale(l.across, factor)));
    bend lower = find_bend(l, s);
    sinew_vec3 end = bent_end(s, lower);
    lower.reach2 = ik_dot(end, end);
    bool is_far;
    sinew_quat turn = swing_to_target(s, lower, &is_far);
    if (is_far)
        turn = swing_far(s, end, turn, mirror_vector(into.determinant, middle_direction(def, pose->skeleton)));
    float pole_weight = ik_clamp01(def->pole_weight);
    if (pole_weight > 0.0f)
        turn = rotate_to_pole(l, s, lower, turn, relative_to_start(def, model, into, def->pole), pole_weight);
    return (solved){ik_multiply(turn, ik_get_rotation(pose, def->upper)), find_lower_rotation(def, pose, l, lower)};
}

// Bends and swings the limb by the weight, then rotates its end depending on the mode. Results that aren't
// finite change nothing.
void sinew_ik_two_bone_solve(const sinew_ik_two_bone *def, sinew_pose *pose, const sinew_affine *model) {
    assert(def && model && pose);
    bool is_def = SINEWI_IS_DEF(def, "sinew_ik_two_bone: start from sinew_ik_two_bone_from_rest()");
    bool is_limb = is_def && ik_is_descendant(pose->skeleton, def->lower, def->upper) &&
                   ik_is_descendant(pose->skeleton, def->end, def->lower);
    assert(is_limb);
    float weight = ik_clamp01(def->weight);
    if (!(weight > 0.0f) || !is_limb) return;

    bool is_uniform = nodes_have_uniform_scale(pose, def->upper, pose->skeleton->parents[def->lower]);
    solved q = is_uniform ? solve_uniform(def, model, pose) : solve_non_uniform(def, model, pose);
    float upper2 = ik_quat_square(q.upper), lower2 = ik_quat_square(q.lower);
    if (!ik_is_normalizable(upper2)) return;
    bool rotates_end = def->end_mode != SINEW_IK_LIMB_END_FOLLOW;
    sinew_quat end = rotates_end ? find_end_goal(def, model, pose, weight) : ik_identity;

    ik_set_rotation(pose, def->upper, ik_quat_scale_to_unit(q.upper, upper2), weight);
    if (ik_is_normalizable(lower2))
        ik_set_rotation(pose, def->lower, ik_quat_scale_to_unit(q.lower, lower2), weight);
    if (rotates_end) rotate_end(def, pose, end);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

// The axis about which the limb bends in the rest pose, in the lower node's local space. Unit length, or 0 if the limb
// is straight to within a degree.
static sinew_vec3 rest_bend_axis(const sinew_skeleton *skeleton, int32_t upper, int32_t lower, int32_t end) {
    const float one_degree = 0.0175f;
    sinew_affine inner = rest_matrix_below(skeleton, upper, skeleton->parents[lower]);
    sinew_affine nodes[3] = {rest_matrix_below(skeleton, upper, upper), rest_matrix_below(skeleton, upper, lower),
                             rest_matrix_below(skeleton, upper, end)};
    ik_matrix into = ik_to_local(&inner, 0);
    sinew_vec3 a = ik_transform(into, ik_subtract(ik_position(&nodes[1]), ik_position(&nodes[0])));
    sinew_vec3 b = ik_transform(into, ik_subtract(ik_position(&nodes[2]), ik_position(&nodes[1])));
    sinew_vec3 axis = ik_cross(a, b);
    float least = one_degree * ik_length(a) * ik_length(b);
    if (!(ik_dot(axis, axis) > least * least)) return (sinew_vec3){0, 0, 0};
    return ik_rotate(ik_inverse(skeleton->rest[lower].rotation), ik_normalize(axis));
}

sinew_ik_two_bone sinew_ik_two_bone_from_rest(const sinew_skeleton *skeleton, int32_t upper, int32_t lower,
                                              int32_t end) {
    assert(skeleton);
    bool is_limb = ik_is_descendant(skeleton, lower, upper) && ik_is_descendant(skeleton, end, lower);
    if (!is_limb) return (sinew_ik_two_bone){.upper = SINEW_NO_NODE, .lower = SINEW_NO_NODE, .end = SINEW_NO_NODE};
    return (sinew_ik_two_bone){
        .upper = upper,
        .lower = lower,
        .end = end,
        .bend_axis = rest_bend_axis(skeleton, upper, lower, end),
        .weight = 1.0f,
        .end_mode = SINEW_IK_LIMB_END_FOLLOW,
        .end_rotation = {0, 0, 0, 1},
        .cookie = SINEWI_DEF_COOKIE,
    };
}
