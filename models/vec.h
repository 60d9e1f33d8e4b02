// SPDX-License-Identifier: MIT
// vec.h - vector and quaternion functions of the models.
//
// Right-handed, metres and radians; quaternions are x, y, z, w. All numbers are double. The writer
// converts them to float.
#ifndef MODELS_VEC_H
#define MODELS_VEC_H

#include <math.h>

#define PI  3.14159265358979323846
#define DEG (PI / 180.0)

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct quat {
    double x, y, z, w;
} quat;

/// A rotation and then a translation: the local transform of a joint without scale.
typedef struct rigid {
    quat r;
    vec3 t;
} rigid;

static inline vec3 v3(double x, double y, double z) {
    return (vec3){x, y, z};
}
static inline vec3 v3_add(vec3 a, vec3 b) {
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vec3 v3_sub(vec3 a, vec3 b) {
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline vec3 v3_mul(vec3 a, double s) {
    return v3(a.x * s, a.y * s, a.z * s);
}
static inline vec3 v3_mad(vec3 a, vec3 d, double s) {
    return v3_add(a, v3_mul(d, s));
}
static inline vec3 v3_lerp(vec3 a, vec3 b, double t) {
    return v3_mad(a, v3_sub(b, a), t);
}
static inline double v3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double v3_length(vec3 a) {
    return sqrt(v3_dot(a, a));
}
static inline double v3_distance(vec3 a, vec3 b) {
    return v3_length(v3_sub(a, b));
}

static inline vec3 v3_cross(vec3 a, vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline vec3 v3_unit(vec3 a) {
    double length = v3_length(a);
    return length > 0.0 ? v3_mul(a, 1.0 / length) : v3(0, 1, 0);
}

/// The normalised component of `a` perpendicular to the unit vector `axis`.
static inline vec3 v3_across(vec3 a, vec3 axis) {
    return v3_unit(v3_mad(a, axis, -v3_dot(a, axis)));
}

/// The mirrored point on the other side of the body.
static inline vec3 v3_mirror(vec3 a) {
    return v3(-a.x, a.y, a.z);
}

static inline quat q_identity(void) {
    return (quat){0, 0, 0, 1};
}
static inline quat q_inverse(quat q) {
    return (quat){-q.x, -q.y, -q.z, q.w};
}
static inline quat q_negate(quat q) {
    return (quat){-q.x, -q.y, -q.z, -q.w};
}
static inline double q_dot(quat a, quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static inline quat q_unit(quat q) {
    double s = 1.0 / sqrt(q_dot(q, q));
    return (quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline quat q_mul(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline vec3 q_turn(quat q, vec3 v) {
    vec3 u = v3(q.x, q.y, q.z);
    vec3 c = v3_mul(v3_cross(u, v), 2.0);
    return v3_add(v3_mad(v, c, q.w), v3_cross(u, c));
}

static inline quat q_axis(vec3 axis, double angle) {
    vec3 u = v3_mul(v3_unit(axis), sin(angle * 0.5));
    return (quat){u.x, u.y, u.z, cos(angle * 0.5)};
}

static inline quat q_x(double angle) {
    return q_axis(v3(1, 0, 0), angle);
}
static inline quat q_y(double angle) {
    return q_axis(v3(0, 1, 0), angle);
}
static inline quat q_z(double angle) {
    return q_axis(v3(0, 0, 1), angle);
}

/// Slerp along the shorter arc.
static inline quat q_slerp(quat a, quat b, double t) {
    double d = q_dot(a, b);
    if (d < 0.0) {
        b = q_negate(b);
        d = -d;
    }
    double wa = 1.0 - t, wb = t;
    if (d < 0.9995) {
        double angle = acos(d);
        wa = sin((1.0 - t) * angle) / sin(angle);
        wb = sin(t * angle) / sin(angle);
    }
    return q_unit((quat){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w});
}

/// The fraction `t` of a rotation.
static inline quat q_share(quat q, double t) {
    return q_slerp(q_identity(), q, t);
}

/// The shortest rotation from one unit vector to another (not to its opposite).
static inline quat q_between(vec3 from, vec3 to) {
    vec3 c = v3_cross(from, to);
    return q_unit((quat){c.x, c.y, c.z, 1.0 + v3_dot(from, to)});
}

/// The twist of `q`: its rotation about the unit vector `axis`.
static inline quat q_twist(quat q, vec3 axis) {
    double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
    quat twist = {axis.x * along, axis.y * along, axis.z * along, q.w};
    if (q_dot(twist, twist) < 1e-12) {
        return q_identity();
    }
    return q_unit(twist);
}

/// The rotation whose columns are three unit vectors at right angles (x = y cross z).
static inline quat q_columns(vec3 x, vec3 y, vec3 z) {
    double trace = x.x + y.y + z.z;
    quat q;
    if (trace > 0.0) {
        q = (quat){y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace};
    } else if (x.x > y.y && x.x > z.z) {
        q = (quat){1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y};
    } else if (y.y > z.z) {
        q = (quat){y.x + x.y, 1.0 + y.y - x.x - z.z, z.y + y.z, z.x - x.z};
    } else {
        q = (quat){z.x + x.z, z.y + y.z, 1.0 + z.z - x.x - y.y, x.y - y.x};
    }
    return q_unit(q);
}

/// The frame with +Y along `y` and +Z as close to `z` as possible.
static inline quat q_frame(vec3 y, vec3 z) {
    y = v3_unit(y);
    z = v3_across(z, y);
    return q_columns(v3_cross(y, z), y, z);
}

static inline rigid rigid_mul(rigid a, rigid b) {
    return (rigid){q_mul(a.r, b.r), v3_add(a.t, q_turn(a.r, b.t))};
}

static inline rigid rigid_inverse(rigid a) {
    quat r = q_inverse(a.r);
    return (rigid){r, v3_mul(q_turn(r, a.t), -1.0)};
}

static inline rigid rigid_identity(void) {
    return (rigid){q_identity(), {0, 0, 0}};
}
static inline rigid rigid_shift(double x, double y, double z) {
    return (rigid){q_identity(), {x, y, z}};
}
static inline vec3 rigid_point(rigid a, vec3 p) {
    return v3_add(a.t, q_turn(a.r, p));
}

static inline double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}
static inline double mix(double a, double b, double t) {
    return a + (b - a) * t;
}
static inline double smooth(double t) {
    t = clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

#endif
