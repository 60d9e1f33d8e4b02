// SPDX-License-Identifier: MIT
/// Vectors, quaternions, transforms and matrices: what animation, cameras and picking need, and no more.
///
/// Conventions: right-handed coordinates; metres and radians. Vectors are columns, so a matrix is on the left of what
/// it transforms and `a × b` applies b first. Quaternions are (x, y, z, w) and must be unit to be rotations. A camera
/// looks along its -Z, with +X to the right and +Y up (glTF 2.0, section 3.10), also in a +Z-up world: pass the
/// world's up to sinew_mat4_look_at (scene/camera.h).
///
/// All values are passed by value. All functions are pure, may be called from any thread, and cannot fail. Input that
/// is not finite gives a result that is not finite, unless a comment says otherwise. The functions call no
/// trigonometry of the C library, so they give the same bits on every machine.
#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Types -----------------------------------------------------------------------------------------------------

/// A position, a direction or three scale factors.
typedef struct sinew_vec3 {
    float x, y, z; ///< components
} sinew_vec3;

/// A rotation. About the unit axis a by the angle t it is (a sin(t/2), cos(t/2)). q and -q are the same rotation.
typedef struct sinew_quat {
    float x, y, z, w; ///< components; w is the cosine of half the angle
} sinew_quat;

/// Scale, then rotation, then translation (glTF 2.0, section 3.5.3 "Transformations").
typedef struct sinew_transform {
    sinew_vec3 translation; ///< metres
    sinew_quat rotation;    ///< unit
    sinew_vec3 scale;       ///< one factor per axis
} sinew_transform;

/// The upper three rows of a 4x4 matrix, row-major. The fourth row is (0, 0, 0, 1) and is not stored.
typedef struct sinew_affine {
    float m[3][4]; ///< [row][column]; column 3 is the translation, metres
} sinew_affine;

/// A 4x4 matrix, column-major, as glTF stores matrices and GPUs read them.
typedef struct sinew_mat4 {
    float m[16]; ///< [4 × column + row]; elements 12, 13 and 14 are the translation
} sinew_mat4;

/// Which axis points up in an asset, chosen when it is loaded: `up` of sinew_gltf_options (gltf.h). SINEW_UP_Z
/// converts everything, the local spaces of nodes included: (x, y, z) becomes (x, -z, y). So a character that faces
/// +Z in the file faces -Y, and a camera node that looks along its -Z with +Y up looks along its +Y with +Z up (see
/// sinew_camera_view in scene/camera.h).
typedef enum sinew_up {
    SINEW_UP_Y, ///< +Y, as in every glTF file
    SINEW_UP_Z  ///< +Z: (x, y, z) of the file became (x, -z, y)
} sinew_up;

/// The range of depth in clip space, for w > 0. A reversed projection, which exchanges the depths of the near and the
/// far plane, has the same range. Only depth differs between the two: y points up in clip space in both, and a
/// program for Vulkan, in which it points down, negates the projection's second row.
typedef enum sinew_depth_range {
    SINEW_DEPTH_MINUS_ONE_TO_ONE, ///< z from -w to w: OpenGL
    SINEW_DEPTH_ZERO_TO_ONE       ///< z from 0 to w: Direct3D, Vulkan, Metal, WebGPU
} sinew_depth_range;

// ---- Vectors ---------------------------------------------------------------------------------------------------

/// a + b.
SINEW_API sinew_vec3 sinew_vec3_add(sinew_vec3 a, sinew_vec3 b);

/// a - b: the vector from b to a.
SINEW_API sinew_vec3 sinew_vec3_subtract(sinew_vec3 a, sinew_vec3 b);

/// v × factor.
SINEW_API sinew_vec3 sinew_vec3_scale(sinew_vec3 v, float factor);

/// The dot product: |a| |b| times the cosine of the angle between them.
SINEW_API float sinew_vec3_dot(sinew_vec3 a, sinew_vec3 b);

/// The cross product, by the right-hand rule: x × y is z. Its length is |a| |b| times the sine of the angle.
SINEW_API sinew_vec3 sinew_vec3_cross(sinew_vec3 a, sinew_vec3 b);

/// The length. It is computed in double precision, so no intermediate result overflows or underflows.
SINEW_API float sinew_vec3_length(sinew_vec3 v);

/// v divided by its length. A vector of length 0 is returned unchanged.
SINEW_API sinew_vec3 sinew_vec3_normalize(sinew_vec3 v);

/// (1 - t) a + t b; exactly a at t = 0 and b at t = 1, for finite vectors. t may be outside of [0, 1].
SINEW_API sinew_vec3 sinew_vec3_lerp(sinew_vec3 a, sinew_vec3 b, float t);

// ---- Quaternions -----------------------------------------------------------------------------------------------

/// The rotation about `axis` by `angle` radians, counter-clockwise if the axis points at the viewer. The axis need
/// not be unit; an axis of length 0 gives (0, 0, 0, 1). Components are within 1e-7 of exact for angles up to 1e6.
SINEW_API sinew_quat sinew_quat_from_axis_angle(sinew_vec3 axis, float angle);

/// The shortest rotation from the direction of `from` to that of `to`, neither of which need be unit. Opposite
/// directions give a half turn about an axis perpendicular to them. A vector of length 0 gives (0, 0, 0, 1).
/// Components are within 2e-7 of exact.
SINEW_API sinew_quat sinew_quat_between(sinew_vec3 from, sinew_vec3 to);

/// The rotation that turns -Z to the direction `forward` and +Y as near as possible to `up`: that of a camera or a
/// light. For a character of a +Y-up asset, which faces +Z, pass the opposite direction. For one of a +Z-up asset,
/// which faces -Y, multiply the result for the opposite direction by that of a quarter turn on the right:
/// sinew_quat_from_axis_angle((1, 0, 0), -pi / 2). Neither vector need be unit. A `forward` of length 0 counts as -Z;
/// an `up` of length 0 or parallel to `forward` is replaced by some perpendicular direction. Components are within
/// 2e-7 of exact, unless `up` is within a thousandth of a radian of parallel.
SINEW_API sinew_quat sinew_quat_look_at(sinew_vec3 forward, sinew_vec3 up);

/// The inverse of a unit quaternion: (-x, -y, -z, w).
SINEW_API sinew_quat sinew_quat_conjugate(sinew_quat q);

/// a × b: the rotation b, then a.
SINEW_API sinew_quat sinew_quat_multiply(sinew_quat a, sinew_quat b);

/// q divided by its length, so that it is a rotation. One of length 0 gives (0, 0, 0, 1).
SINEW_API sinew_quat sinew_quat_normalize(sinew_quat q);

/// Spherical interpolation along the shorter arc between unit quaternions (glTF 2.0, appendix C.4). Within 1e-6 rad
/// of the exact result for t in [0, 1], which is not checked; outside, the result is undefined. At t = 0 and 1 it is
/// a and b within rounding, and b may have the opposite sign. Rotations half a turn apart have two shorter arcs, of
/// which either is taken.
SINEW_API sinew_quat sinew_quat_slerp(sinew_quat a, sinew_quat b, float t);

/// Rotates a vector by a unit quaternion.
SINEW_API sinew_vec3 sinew_quat_rotate(sinew_quat q, sinew_vec3 v);

// ---- Transforms and 3x4 matrices -------------------------------------------------------------------------------

/// No translation, no rotation, scale 1.
SINEW_API sinew_transform sinew_transform_identity(void);

/// The identity matrix.
SINEW_API sinew_affine sinew_affine_identity(void);

/// The matrix T R S of a transform: scale is applied first. `transform.rotation` must be unit, which is not checked.
SINEW_API sinew_affine sinew_affine_from_transform(sinew_transform transform);

/// Splits a matrix into translation, rotation and scale. The scales are the lengths of its columns, and that of x is
/// negative in a mirrored matrix. sinew_affine_from_transform of the result is the matrix again, within rounding,
/// unless it has shear: a transform cannot represent shear, and the rotation is then approximate. Columns of length 0
/// keep scale 0, and the rotation is completed by directions perpendicular to the other columns.
SINEW_API sinew_transform sinew_affine_decompose(sinew_affine matrix);

/// a × b: b is applied first, then a.
SINEW_API sinew_affine sinew_affine_multiply(sinew_affine a, sinew_affine b);

/// The inverse, computed in double precision. Of a singular matrix (its determinant is 0) no element is finite.
SINEW_API sinew_affine sinew_affine_inverse(sinew_affine matrix);

/// Transforms a position: matrix × (point, 1).
SINEW_API sinew_vec3 sinew_affine_point(sinew_affine matrix, sinew_vec3 point);

/// Transforms a direction: matrix × (direction, 0), without the translation. The matrix's scale changes its length.
/// For the normals of surfaces under non-uniform scale, use the inverse transpose instead.
SINEW_API sinew_vec3 sinew_affine_direction(sinew_affine matrix, sinew_vec3 direction);

// ---- 4x4 matrices ----------------------------------------------------------------------------------------------

/// The 4x4 matrix with the fourth row (0, 0, 0, 1).
SINEW_API sinew_mat4 sinew_mat4_from_affine(sinew_affine matrix);

/// The upper three rows. The fourth row of `matrix` is ignored.
SINEW_API sinew_affine sinew_affine_from_mat4(sinew_mat4 matrix);

#ifdef __cplusplus
}
#endif
#endif
