// SPDX-License-Identifier: MIT
/// Vectors, quaternions, transforms and matrices for animation, cameras and picking.
///
/// Coordinates are right-handed, with lengths in meters and angles in radians. Vectors are columns, so `a × b`
/// applies b first. Quaternions are (x, y, z, w), and rotations must be unit quaternions. Cameras look along -Z,
/// with +X right and +Y up (glTF 2.0, section 3.10). This is true even in a +Z-up world: pass the world's up axis
/// to sinew_mat4_look_at (scene/camera.h).
///
/// All functions are pure, can't fail, and can be called from any thread. Unless noted otherwise, non-finite input
/// gives non-finite output. Results have the same bits on every machine, because Sinew doesn't use the C library's
/// trigonometry functions.
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

/// A rotation. The rotation by angle t about the unit axis a is (a sin(t/2), cos(t/2)). q and -q are the same
/// rotation.
typedef struct sinew_quat {
    float x, y, z, w; ///< components; w is the cosine of half the angle
} sinew_quat;

/// A translation, rotation and scale. Scale applies first, then rotation, then translation (glTF 2.0, section 3.5.3
/// "Transformations").
typedef struct sinew_transform {
    sinew_vec3 translation; ///< in meters
    sinew_quat rotation;    ///< unit quaternion
    sinew_vec3 scale;       ///< one factor per axis
} sinew_transform;

/// A row-major 3x4 matrix. The fourth row, (0, 0, 0, 1), isn't stored.
typedef struct sinew_affine {
    float m[3][4]; ///< [row][column]; column 3 is the translation in meters
} sinew_affine;

/// A column-major 4x4 matrix, the layout used by glTF and GPUs.
typedef struct sinew_mat4 {
    float m[16]; ///< [4 × column + row]; elements 12, 13 and 14 are the translation
} sinew_mat4;

/// An asset's up axis. You choose it when you load the asset, for example with `up` in sinew_gltf_options (gltf.h).
/// SINEW_UP_Z converts everything, including each node's local space: (x, y, z) becomes (x, -z, y). A character
/// that faces +Z in the file then faces -Y. A camera node then looks along its +Y axis with +Z up, instead of along
/// -Z with +Y up (see sinew_camera_view in scene/camera.h).
typedef enum sinew_up {
    SINEW_UP_Y, ///< +Y, like in every glTF file
    SINEW_UP_Z  ///< +Z; (x, y, z) in the file becomes (x, -z, y)
} sinew_up;

/// The depth range in clip space, for w > 0. It's the same for reversed projections, which swap near and far. In
/// both ranges, y points up. For Vulkan, where y points down, negate the second row of the projection.
typedef enum sinew_depth_range {
    SINEW_DEPTH_MINUS_ONE_TO_ONE, ///< z ranges from -w to w: OpenGL
    SINEW_DEPTH_ZERO_TO_ONE       ///< z ranges from 0 to w: Direct3D, Vulkan, Metal, WebGPU
} sinew_depth_range;

// ---- Vectors ---------------------------------------------------------------------------------------------------

/// Returns a + b.
SINEW_API sinew_vec3 sinew_vec3_add(sinew_vec3 a, sinew_vec3 b);

/// Returns a - b, the vector from b to a.
SINEW_API sinew_vec3 sinew_vec3_subtract(sinew_vec3 a, sinew_vec3 b);

/// Returns v × factor.
SINEW_API sinew_vec3 sinew_vec3_scale(sinew_vec3 v, float factor);

/// Returns the dot product: |a| |b| times the cosine of the angle between them.
SINEW_API float sinew_vec3_dot(sinew_vec3 a, sinew_vec3 b);

/// Returns the right-handed cross product: x × y is z. Its length is |a| |b| times the sine of the angle between
/// them.
SINEW_API sinew_vec3 sinew_vec3_cross(sinew_vec3 a, sinew_vec3 b);

/// Returns the length, computed in double precision to avoid overflow and underflow.
SINEW_API float sinew_vec3_length(sinew_vec3 v);

/// Returns v divided by its length, or v if the length is 0.
SINEW_API sinew_vec3 sinew_vec3_normalize(sinew_vec3 v);

/// Returns (1 - t) a + t b. For finite vectors, the result is exactly a at t = 0 and b at t = 1. t isn't clamped.
SINEW_API sinew_vec3 sinew_vec3_lerp(sinew_vec3 a, sinew_vec3 b, float t);

// ---- Quaternions -----------------------------------------------------------------------------------------------

/// Returns the rotation by `angle` radians about `axis`. It's counter-clockwise if the axis points at the viewer.
/// You don't have to normalize the axis. A zero axis gives (0, 0, 0, 1). Components are within 1e-7 of exact for
/// angles up to 1e6.
SINEW_API sinew_quat sinew_quat_from_axis_angle(sinew_vec3 axis, float angle);

/// Returns the shortest rotation from one direction to another. You don't have to normalize the vectors. A zero
/// vector gives (0, 0, 0, 1). Opposite directions give a half turn about an arbitrary perpendicular axis.
/// Components are within 2e-7 of exact.
SINEW_API sinew_quat sinew_quat_between(sinew_vec3 from, sinew_vec3 to);

/// Returns the inverse of a unit quaternion: (-x, -y, -z, w).
SINEW_API sinew_quat sinew_quat_conjugate(sinew_quat q);

/// Returns a × b: rotates by b, then by a.
SINEW_API sinew_quat sinew_quat_multiply(sinew_quat a, sinew_quat b);

/// Returns q divided by its length, or (0, 0, 0, 1) if the length is 0.
SINEW_API sinew_quat sinew_quat_normalize(sinew_quat q);

/// Interpolates between unit quaternions along the shorter arc (glTF 2.0, appendix C.4). t must be in [0, 1]. This
/// isn't checked, and the result is undefined outside that range. The result is within 1e-6 radians of exact. At t
/// = 0 and t = 1, it equals a and b within rounding, but b may have the opposite sign. If the rotations are half a
/// turn apart, the result can follow either arc.
SINEW_API sinew_quat sinew_quat_slerp(sinew_quat a, sinew_quat b, float t);

/// Rotates a vector by a unit quaternion.
SINEW_API sinew_vec3 sinew_quat_rotate(sinew_quat q, sinew_vec3 v);

// ---- Transforms and 3x4 matrices -------------------------------------------------------------------------------

/// Returns the identity: no translation, no rotation, scale 1.
SINEW_API sinew_transform sinew_transform_identity(void);

/// Returns the identity matrix.
SINEW_API sinew_affine sinew_affine_identity(void);

/// Returns a transform's matrix, T R S, which applies scale first. The rotation must be a unit quaternion. This
/// isn't checked.
SINEW_API sinew_affine sinew_affine_from_transform(sinew_transform transform);

/// Splits a matrix into translation, rotation and scale. The scales are the column lengths. If the matrix is
/// mirrored, the x scale is negative. sinew_affine_from_transform rebuilds the same matrix within rounding. A
/// transform can't represent shear, so the rotation of a sheared matrix is only approximate. A column of length 0
/// gets a scale of 0 and an arbitrary perpendicular direction.
SINEW_API sinew_transform sinew_affine_decompose(sinew_affine matrix);

/// Returns a × b: applies b first, then a.
SINEW_API sinew_affine sinew_affine_multiply(sinew_affine a, sinew_affine b);

/// Returns the inverse, computed in double precision. If the determinant is 0, no element is finite.
SINEW_API sinew_affine sinew_affine_inverse(sinew_affine matrix);

/// Transforms a position: matrix × (point, 1).
SINEW_API sinew_vec3 sinew_affine_point(sinew_affine matrix, sinew_vec3 point);

/// Transforms a direction: matrix × (direction, 0), without translation. Scale changes its length. For normals
/// under non-uniform scale, use the inverse transpose instead.
SINEW_API sinew_vec3 sinew_affine_direction(sinew_affine matrix, sinew_vec3 direction);

// ---- 4x4 matrices ----------------------------------------------------------------------------------------------

/// Converts a matrix to 4x4. The fourth row is (0, 0, 0, 1).
SINEW_API sinew_mat4 sinew_mat4_from_affine(sinew_affine matrix);

/// Returns the top three rows of a 4x4 matrix. The fourth row is ignored.
SINEW_API sinew_affine sinew_affine_from_mat4(sinew_mat4 matrix);

#ifdef __cplusplus
}
#endif
#endif
