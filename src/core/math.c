// SPDX-License-Identifier: MIT
// Vectors, quaternions and matrices, one at a time. These are the functions in sinew/math.h. src/kernels has the loops
// over many.
//
// A quaternion is (x, y, z, w), where w is the scalar. An affine matrix is 3x4 and row-major: m[row][column], and
// column 3 is the translation. A mat4 is 4x4 and column-major: m[4 * column + row]. Setup functions keep intermediate
// results in double precision (dvec3). Functions that poses depend on use float operations in a fixed order, so all
// machines compute the same bits.
#include "core/math_camera.h"

#include "base/angle.h"
#include "base/authored.h"
#include "base/slerp.h"

#include <float.h>
#include <math.h>

// ---- Vectors -------------------------------------------------------------------------------------------------

sinew_vec3 sinew_vec3_add(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

sinew_vec3 sinew_vec3_subtract(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

sinew_vec3 sinew_vec3_scale(sinew_vec3 v, float factor) {
    return (sinew_vec3){v.x * factor, v.y * factor, v.z * factor};
}

float sinew_vec3_dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

sinew_vec3 sinew_vec3_cross(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

sinew_vec3 sinew_vec3_lerp(sinew_vec3 a, sinew_vec3 b, float t) {
    float s = 1.0f - t;
    return (sinew_vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

typedef sinewi_dvec3 dvec3;

static dvec3 dvec3_from(sinew_vec3 v) {
    return (dvec3){(double)v.x, (double)v.y, (double)v.z};
}

static dvec3 dvec3_cross(dvec3 a, dvec3 b) {
    return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dvec3_dot(dvec3 a, dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static dvec3 dvec3_scaled(dvec3 a, double factor) {
    return (dvec3){a.x * factor, a.y * factor, a.z * factor};
}

static double dvec3_length(dvec3 v) {
    return sqrt(dvec3_dot(v, v));
}

// Returns a unit vector perpendicular to a unit vector.
static dvec3 perpendicular(dvec3 a) {
    dvec3 other = fabs(a.x) < 0.5 ? (dvec3){1, 0, 0} : (dvec3){0, 1, 0};
    dvec3 c = dvec3_cross(a, other);
    return dvec3_scaled(c, 1.0 / dvec3_length(c));
}

float sinew_vec3_length(sinew_vec3 v) {
    return (float)dvec3_length(dvec3_from(v));
}

// Normalizes in double precision, so no length overflows or underflows. A vector of length 0 is returned unchanged.
sinew_vec3 sinew_vec3_normalize(sinew_vec3 v) {
    double length = dvec3_length(dvec3_from(v));
    if (length == 0.0) return v;
    return (sinew_vec3){(float)((double)v.x / length), (float)((double)v.y / length),
                        (float)((double)v.z / length)};
}

// ---- Quaternions ---------------------------------------------------------------------------------------------

static float quat_dot(sinew_quat a, sinew_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// The terms are in cyclic order because of gcc. If signs alternate from line to line, its vectorizer makes fused
// instructions even with -ffp-contract=off. Those round once instead of twice.
sinew_quat sinew_quat_multiply(sinew_quat a, sinew_quat b) {
    return (sinew_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

// Scales a quaternion to make its largest component about 1. The factor is a power of two, so nothing gets rounded.
static sinew_quat quat_rescale(sinew_quat q) {
    float largest = fmaxf(fmaxf(fabsf(q.x), fabsf(q.y)), fmaxf(fabsf(q.z), fabsf(q.w)));
    if (!(largest > 0.0f && largest <= FLT_MAX)) return q;
    int exponent;
    frexpf(largest, &exponent);
    return (sinew_quat){ldexpf(q.x, -exponent), ldexpf(q.y, -exponent), ldexpf(q.z, -exponent),
                        ldexpf(q.w, -exponent)};
}

// A quaternion of length 0 becomes the identity.
sinew_quat sinew_quat_normalize(sinew_quat q) {
    float square = quat_dot(q, q);
    if (!(square >= FLT_MIN && square <= FLT_MAX)) { // too short or too long to square
        q = quat_rescale(q);
        square = quat_dot(q, q);
    }
    float length = sqrtf(square);
    if (length == 0.0f) return (sinew_quat){0, 0, 0, 1};
    return (sinew_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

// Returns the unit quaternion in the direction (x, y, z, w). Its length must not be 0.
static sinew_quat unit_quat(double x, double y, double z, double w) {
    double length = sqrt(x * x + y * y + z * z + w * w);
    return (sinew_quat){(float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length)};
}

sinew_quat sinew_quat_from_axis_angle(sinew_vec3 axis, float angle) {
    double length = dvec3_length(dvec3_from(axis));
    if (length == 0.0) return (sinew_quat){0, 0, 0, 1};
    sinewi_sine_cosine half = sinewi_sine_cosine_of(0.5 * (double)angle);
    dvec3 v = dvec3_scaled(dvec3_from(axis), half.sine / length);
    return (sinew_quat){(float)v.x, (float)v.y, (float)v.z, (float)half.cosine};
}

// (a × b, |a| |b| + a · b) is the shortest rotation from a to b. Its length is 2 |a| |b| cos(t/2). Near opposite
// directions the sum cancels out, so it is computed as |a × b|² / (|a| |b| - a · b).
sinew_quat sinew_quat_between(sinew_vec3 from, sinew_vec3 to) {
    dvec3 a = dvec3_from(from), b = dvec3_from(to), c = dvec3_cross(a, b);
    double lengths = dvec3_length(a) * dvec3_length(b), d = dvec3_dot(a, b), w = lengths + d;
    if (lengths == 0.0) return (sinew_quat){0, 0, 0, 1};
    if (w < 0.25 * lengths) {
        double square = dvec3_dot(c, c);
        w = square / (lengths - d);
        if (square <= 1e-30 * lengths * lengths) { // opposite, within rounding
            c = perpendicular(dvec3_scaled(a, 1.0 / dvec3_length(a)));
            w = 0.0;
        }
    }
    return unit_quat(c.x, c.y, c.z, w);
}

// A normalized lerp that doesn't pick the shorter arc.
static sinew_quat quat_lerp(sinew_quat a, sinew_quat b, float t) {
    float s = 1.0f - t;
    return sinew_quat_normalize(
        (sinew_quat){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w});
}

// Slerps using base/slerp.h. The cosine must be at least SINEWI_SLERP_MIN_COSINE.
static sinew_quat slerp_near(sinew_quat a, sinew_quat b, float t) {
    sinewi_slerp_parameter parameter = sinewi_slerp_parameter_at(t);
    return quat_lerp(a, b, sinewi_slerp_corrected(&parameter, quat_dot(a, b)));
}

// Takes the shorter arc. If the quaternions are too far apart for slerp_near, splits the arc at the normalized sum.
sinew_quat sinew_quat_slerp(sinew_quat a, sinew_quat b, float t) {
    float d = quat_dot(a, b);
    if (d < 0.0f) {
        d = -d;
        b = (sinew_quat){-b.x, -b.y, -b.z, -b.w};
    }
    if (d >= SINEWI_SLERP_MIN_COSINE) return slerp_near(a, b, t);
    sinew_quat middle = quat_lerp(a, b, 0.5f);
    return t < 0.5f ? slerp_near(a, middle, 2.0f * t) : slerp_near(middle, b, 2.0f * t - 1.0f);
}

sinew_quat sinew_quat_conjugate(sinew_quat q) {
    return (sinew_quat){-q.x, -q.y, -q.z, q.w};
}

// v + 2 u × (u × v + w v), where u is the vector part of q and c = u × v + w v.
sinew_vec3 sinew_quat_rotate(sinew_quat q, sinew_vec3 v) {
    float cx = q.y * v.z - q.z * v.y + q.w * v.x;
    float cy = q.z * v.x - q.x * v.z + q.w * v.y;
    float cz = q.x * v.y - q.y * v.x + q.w * v.z;
    return (sinew_vec3){
        v.x + 2.0f * (q.y * cz - q.z * cy),
        v.y + 2.0f * (q.z * cx - q.x * cz),
        v.z + 2.0f * (q.x * cy - q.y * cx),
    };
}

// ---- Matrices ------------------------------------------------------------------------------------------------

sinew_transform sinew_transform_identity(void) {
    return (sinew_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
}

sinew_affine sinew_affine_identity(void) {
    return (sinew_affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

// The rotation must be a unit quaternion. Column j is the rotation matrix's column j times component j of the scale.
sinew_affine sinew_affine_from_transform(sinew_transform transform) {
    sinew_vec3 t = transform.translation, s = transform.scale;
    sinew_quat q = transform.rotation;
    float double_x = q.x + q.x, double_y = q.y + q.y, double_z = q.z + q.z;
    float xx = q.x * double_x, yy = q.y * double_y, zz = q.z * double_z;
    float xy = q.x * double_y, xz = q.x * double_z, yz = q.y * double_z;
    float wx = q.w * double_x, wy = q.w * double_y, wz = q.w * double_z;
    // xx is 2 x x, xy is 2 x y, and so on. The diagonal is (1 - yy) - zz instead of 1 - (yy + zz). The sum yy + zz may
    // exceed 1, where a float has one bit less. With a scale of 100 you'd notice the difference.
    return (sinew_affine){{
        {(1.0f - yy - zz) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t.x},
        {(xy + wz) * s.x, (1.0f - xx - zz) * s.y, (yz - wx) * s.z, t.y},
        {(xz - wy) * s.x, (yz + wx) * s.y, (1.0f - xx - yy) * s.z, t.z},
    }};
}

// The kernels add in the same order, so both compute the same bits.
sinew_affine sinew_affine_multiply(sinew_affine a, sinew_affine b) {
    sinew_affine c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            float last = a.m[i][2] * b.m[2][j];
            if (j == 3) last += a.m[i][3];
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + last;
        }
    }
    return c;
}

// Transforms a direction, without the translation.
sinew_vec3 sinew_affine_direction(sinew_affine a, sinew_vec3 v) {
    return (sinew_vec3){
        a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
        a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
        a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z,
    };
}

// Transforms a position, with the translation.
sinew_vec3 sinew_affine_point(sinew_affine a, sinew_vec3 p) {
    sinew_vec3 v = sinew_affine_direction(a, p);
    return (sinew_vec3){v.x + a.m[0][3], v.y + a.m[1][3], v.z + a.m[2][3]};
}

// Inverts a matrix by cofactors in double precision. A bind pose is inverted once, and its error stays in every vertex.
sinew_affine sinew_affine_inverse(sinew_affine matrix) {
    double a[3][3], c[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a[i][j] = (double)matrix.m[i][j];
    }
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
        }
    }
    double determinant = a[0][0] * c[0][0] + a[0][1] * c[0][1] + a[0][2] * c[0][2];
    sinew_affine inverse;
    for (int i = 0; i < 3; i++) {
        double translation = 0.0;
        for (int j = 0; j < 3; j++) {
            double element = c[j][i] / determinant;
            inverse.m[i][j] = (float)element;
            translation -= element * (double)matrix.m[j][3];
        }
        inverse.m[i][3] = (float)translation;
    }
    return inverse;
}

sinew_mat4 sinew_mat4_from_affine(sinew_affine a) {
    sinew_mat4 out;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++) out.m[4 * column + row] = a.m[row][column];
        out.m[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
    }
    return out;
}

sinew_affine sinew_affine_from_mat4(sinew_mat4 matrix) {
    sinew_affine out;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++) out.m[row][column] = matrix.m[4 * column + row];
    }
    return out;
}

// ---- Rotations from axes -------------------------------------------------------------------------------------

// Computes axes of length 0 from the others to make all three perpendicular.
static void complete_axes(dvec3 axes[3], const double lengths[3]) {
    int known = 0, first = 0, missing = 0;
    for (int i = 2; i >= 0; i--) {
        if (lengths[i] > 0.0) {
            known++;
            first = i;
        } else {
            missing = i;
        }
    }
    if (known == 3) return;
    if (known == 0) {
        axes[0] = (dvec3){1, 0, 0}, axes[1] = (dvec3){0, 1, 0}, axes[2] = (dvec3){0, 0, 1};
        return;
    }
    if (known == 1) {
        missing = (first + 2) % 3;
        axes[(first + 1) % 3] = perpendicular(axes[first]);
    }
    axes[missing] = dvec3_cross(axes[(missing + 1) % 3], axes[(missing + 2) % 3]);
}

// Returns the quaternion for a rotation matrix, given its columns. Starts with the largest component, so the divisor is
// never near 0 (Shepperd, "Quaternion from Rotation Matrix", 1978).
sinew_quat sinewi_quat_from_axes(const dvec3 a[3]) {
    double xx = a[0].x, yy = a[1].y, zz = a[2].z;
    double x, y, z, w;
    if (xx + yy + zz > 0.0) {
        w = 1.0 + xx + yy + zz, x = a[1].z - a[2].y, y = a[2].x - a[0].z, z = a[0].y - a[1].x;
    } else if (xx >= yy && xx >= zz) {
        x = 1.0 + xx - yy - zz, y = a[0].y + a[1].x, z = a[0].z + a[2].x, w = a[1].z - a[2].y;
    } else if (yy >= zz) {
        y = 1.0 + yy - xx - zz, x = a[0].y + a[1].x, z = a[1].z + a[2].y, w = a[2].x - a[0].z;
    } else {
        z = 1.0 + zz - xx - yy, x = a[0].z + a[2].x, y = a[1].z + a[2].y, w = a[0].y - a[1].x;
    }
    return unit_quat(x, y, z, w);
}

// The scale is the length of each column. If the matrix mirrors, the x scale is negative. Sheared columns are
// normalized but not made perpendicular, so the rotation only comes close to them.
sinew_transform sinew_affine_decompose(sinew_affine matrix) {
    dvec3 axes[3];
    double lengths[3];
    for (int i = 0; i < 3; i++) {
        axes[i] = (dvec3){(double)matrix.m[0][i], (double)matrix.m[1][i], (double)matrix.m[2][i]};
        lengths[i] = dvec3_length(axes[i]);
        if (lengths[i] > 0.0) axes[i] = dvec3_scaled(axes[i], 1.0 / lengths[i]);
    }
    complete_axes(axes, lengths);
    if (dvec3_dot(dvec3_cross(axes[0], axes[1]), axes[2]) < 0.0) {
        axes[0] = dvec3_scaled(axes[0], -1.0);
        lengths[0] = -lengths[0];
    }
    return (sinew_transform){
        {matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]},
        sinewi_quat_from_axes(axes),
        {(float)lengths[0], (float)lengths[1], (float)lengths[2]},
    };
}

// ---- Looking at -------------------------------------------------------------------------------------------------

// Returns a camera's unit axes in the space of `forward` and `up`. +X points right, +Y up, and +Z opposite to the view
// direction. If `up` has length 0 or is parallel to `forward`, picks an arbitrary right axis.
void sinewi_camera_axes(sinew_vec3 forward, sinew_vec3 up, dvec3 axes[3]) {
    double length = dvec3_length(dvec3_from(forward));
    dvec3 back = length == 0.0 ? (dvec3){0, 0, 1} : dvec3_scaled(dvec3_from(forward), -1.0 / length);
    dvec3 wanted_up = dvec3_from(up), right = dvec3_cross(wanted_up, back);
    double square = dvec3_dot(right, right);
    bool parallel = square <= 1e-12 * dvec3_dot(wanted_up, wanted_up);
    axes[0] = parallel ? perpendicular(back) : dvec3_scaled(right, 1.0 / sqrt(square));
    axes[1] = dvec3_cross(back, axes[0]);
    axes[2] = back;
}
