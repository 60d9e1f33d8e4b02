// SPDX-License-Identifier: MIT
// Joint limits (body/ik_chain_limit.h).
#include "body/ik_chain_limit.h"

static ik_half_angle half_angle_of(float angle) {
    float tangent = ik_half_tangent(fabsf(angle)), cosine = 1.0f / sqrtf(1.0f + tangent * tangent);
    return (ik_half_angle){angle < 0.0f ? -tangent * cosine : tangent * cosine, cosine};
}

ik_limit sinewi_ik_limit_from(const sinew_ik_limit *def) {
    const float none = 3.14f;
    ik_limit limit = {.kind = SINEW_IK_LIMIT_FREE, .rest = {0, 0, 0, 1}};
    float axis2 = ik_dot(def->axis, def->axis), rest2 = ik_quat_square(def->rest);
    bool is_finite = isfinite(def->cone + def->angle_min + def->angle_max);
    if (!is_finite || !ik_is_normalizable(axis2) || !ik_is_normalizable(rest2)) return limit;
    limit.kind = def->kind;
    limit.rest = ik_quat_scale_to_unit(def->rest, rest2);
    limit.axis = ik_scale(def->axis, 1.0f / sqrtf(axis2));
    limit.axis_in_parent = ik_rotate(limit.rest, limit.axis);
    limit.limits_swing = def->cone < none;
    limit.limits_twist = def->angle_min > -none || def->angle_max < none;
    limit.cone = half_angle_of(def->cone > 0.0f && limit.limits_swing ? def->cone : 0.0f);
    limit.least = half_angle_of(def->angle_min < -none ? -none : def->angle_min < 0.0f ? def->angle_min : 0.0f);
    limit.most = half_angle_of(def->angle_max > none ? none : def->angle_max > 0.0f ? def->angle_max : 0.0f);
    return limit;
}

// ---- The nearest rotation ------------------------------------------------------------------------------------

// Whether the angle of `a` is at least the angle of `b`. Compares the sine of half their difference.
SINEWI_INLINE bool is_at_or_above(ik_half_angle a, ik_half_angle b) {
    return a.sine * b.cosine >= b.sine * a.cosine;
}

// Twist of a rotation relative to the rest rotation, from -pi to pi.
SINEWI_INLINE ik_half_angle twist_of(sinew_vec3 axis, sinew_quat r) {
    float sine = axis.x * r.x + axis.y * r.y + axis.z * r.z, cosine = r.w;
    float square = sine * sine + cosine * cosine;
    if (!(square > 1e-12f)) return (ik_half_angle){0.0f, 1.0f}; // a half-turn swing, for which any twist is as good
    float factor = (cosine < 0.0f ? -1.0f : 1.0f) / sqrtf(square);
    return (ik_half_angle){sine * factor, cosine * factor};
}

static int clamp_twist(const ik_limit *limit, ik_half_angle *twist) {
    if (!limit->limits_twist) return 0;
    int at = 0;
    if (is_at_or_above(*twist, limit->most)) *twist = limit->most, at |= IK_AT_MOST;
    if (is_at_or_above(limit->least, *twist)) *twist = limit->least, at |= IK_AT_LEAST;
    return at;
}

static int clamp_swing(const ik_limit *limit, sinew_quat *swing) {
    if (!limit->limits_swing) return 0;
    if (swing->w < 0.0f) *swing = (sinew_quat){-swing->x, -swing->y, -swing->z, -swing->w};
    if (swing->w > limit->cone.cosine) return 0;
    sinew_vec3 across = {swing->x, swing->y, swing->z};
    float sine = ik_length(across), factor = sine > 0.0f ? limit->cone.sine / sine : 0.0f;
    *swing = ik_axis_quat(across, factor, limit->cone.cosine);
    return IK_AT_CONE;
}

int sinewi_ik_limit_apply(const ik_limit *limit, sinew_quat *rotation) {
    if (limit->kind == SINEW_IK_LIMIT_FREE) return 0;
    sinew_quat r = ik_multiply(ik_inverse(limit->rest), *rotation), swing = ik_identity;
    ik_half_angle twist = twist_of(limit->axis, r);
    if (limit->kind == SINEW_IK_LIMIT_CONE)
        swing = ik_multiply(r, ik_axis_quat(limit->axis, -twist.sine, twist.cosine));
    int at = clamp_twist(limit, &twist) | clamp_swing(limit, &swing);
    if (at == 0 && limit->kind == SINEW_IK_LIMIT_CONE) return 0;
    sinew_quat q = ik_multiply(swing, ik_axis_quat(limit->axis, twist.sine, twist.cosine));
    *rotation = ik_quat_normalize(ik_multiply(limit->rest, q));
    return at;
}

// ---- Other rotations within the limits -----------------------------------------------------------------------

static sinew_quat choose_twist(const ik_limit *limit, float u) {
    ik_half_angle a = limit->least, b = limit->most;
    if (!limit->limits_twist) a = (ik_half_angle){-0.7f, 0.7f}, b = (ik_half_angle){0.7f, 0.7f};
    sinew_quat twist =
        ik_axis_quat(limit->axis, a.sine + u * (b.sine - a.sine), a.cosine + u * (b.cosine - a.cosine));
    return ik_quat_normalize(twist);
}

static sinew_quat choose_swing(const ik_limit *limit, float u, float v) {
    sinew_vec3 across = ik_perpendicular(limit->axis), other = ik_cross(limit->axis, across);
    sinew_vec3 swing = ik_add(ik_scale(across, 2.0f * u - 1.0f), ik_scale(other, 2.0f * v - 1.0f));
    float tangent = limit->limits_swing ? limit->cone.sine / limit->cone.cosine : 1.0f;
    return ik_quat_normalize(ik_axis_quat(swing, tangent, 1.0f));
}

sinew_quat sinewi_ik_limit_choose(const ik_limit *limit, sinew_quat rotation, float u, float v, float w) {
    if (limit->kind == SINEW_IK_LIMIT_FREE) {
        sinew_vec3 r = {2.0f * u - 1.0f, 2.0f * v - 1.0f, 2.0f * w - 1.0f};
        return ik_quat_normalize(ik_multiply(sinewi_rotation_exponential(r), rotation));
    }
    sinew_quat q = choose_twist(limit, w);
    if (limit->kind == SINEW_IK_LIMIT_CONE) q = ik_multiply(choose_swing(limit, u, v), q);
    q = ik_quat_normalize(ik_multiply(limit->rest, q));
    (void)sinewi_ik_limit_apply(limit, &q);
    return q;
}
