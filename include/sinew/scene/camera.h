// SPDX-License-Identifier: MIT
/// View and projection matrices for your own cameras and for cameras in an asset (asset.h).
///
/// World space is right-handed. In camera space +X is right, +Y is up, and the camera looks along -Z. Angles are in
/// radians and lengths are in meters. All functions are thread-safe. They don't allocate and they can't fail.
#ifndef SINEW_CAMERA_H
#define SINEW_CAMERA_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Your own cameras ------------------------------------------------------------------------------------------

/// Returns the rotation that turns -Z to `forward`, and +Y as close to `up` as possible. Use it for cameras and
/// lights. You don't have to normalize the vectors. A zero `forward` is treated as -Z. If `up` is zero or parallel
/// to `forward`, an arbitrary perpendicular direction is used instead. Components are within 2e-7 of exact, unless
/// `up` is within 0.001 radians of parallel.
///
/// You can also use this for characters. In a +Y-up asset they face +Z, so pass -forward. In a +Z-up asset they
/// face -Y: pass -forward, then multiply the result on the right by sinew_quat_from_axis_angle((1, 0, 0), -pi / 2).
SINEW_API sinew_quat sinew_quat_look_at(sinew_vec3 forward, sinew_vec3 up);

/// Returns a view matrix (world to camera space) for a camera at `eye` that looks at `target`. +Y points as close to
/// `up` as possible. If `target` equals `eye`, the camera looks along -Z. Other degenerate input is handled the same
/// way as in sinew_quat_look_at. This is computed in double precision.
SINEW_API sinew_mat4 sinew_mat4_look_at(sinew_vec3 eye, sinew_vec3 target, sinew_vec3 up);

/// Returns a perspective projection matrix (glTF 2.0, sections 3.10.3.3 and 3.10.3.4). `vertical_fov` is the full
/// vertical field of view in radians, above 0 and below pi. `aspect` is width / height and must be above 0. `znear` and
/// `zfar` are distances in front of the camera, with 0 < znear < zfar. Pass INFINITY for `zfar` to get an infinite
/// projection. Other values are undefined. The relative error is below 1e-6 if `vertical_fov` is at most 3 radians.
///
/// For reversed depth, use SINEW_DEPTH_ZERO_TO_ONE and replace two elements. Set m[10] to znear / (zfar - znear)
/// and m[14] to zfar × znear / (zfar - znear). If the projection is infinite, set them to 0 and znear.
SINEW_API sinew_mat4 sinew_mat4_perspective(float vertical_fov, float aspect, float znear, float zfar,
                                            sinew_depth_range depth);

/// Returns an orthographic projection matrix (glTF 2.0, section 3.10.3.5). `half_width` and `half_height` are half the
/// size of the view in meters and must be above 0. `znear` and `zfar` are distances in front of the camera, with znear
/// < zfar. They can be negative, which means behind the camera. Other values are undefined.
SINEW_API sinew_mat4 sinew_mat4_orthographic(float half_width, float half_height, float znear, float zfar,
                                             sinew_depth_range depth);

/// Returns a × b. The result applies b first. To make a matrix for sinew_frustum_from_matrix, use projection × view.
SINEW_API sinew_mat4 sinew_mat4_multiply(sinew_mat4 a, sinew_mat4 b);

// ---- Cameras and lights in an asset ----------------------------------------------------------------------------

/// Returns the view matrix (model to camera space) for a camera on a node. `node` is the node's model matrix, and `up`
/// is the asset's up axis. Camera space is the same for both values of `up`. The node's scale is ignored (glTF 2.0,
/// section 3.10). If you want a view matrix from world space, pass the instance's world matrix × the model matrix. The
/// result isn't finite if an axis of `node` has zero length.
SINEW_API sinew_affine sinew_camera_view(sinew_up up, sinew_affine node);

/// Returns a camera's projection matrix (glTF 2.0, section 3.10.3). It's for OpenGL clip space, where z goes from -w to
/// w. If you need z from 0 to w, replace the third row with half the sum of the third and fourth rows. `aspect` is the
/// viewport's width / height and must be above 0 (asserted). The image is never stretched. If the aspect ratios differ,
/// you see the camera's whole image plus some extra on two sides. This uses tanf, so the bits can vary from one machine
/// to the next.
SINEW_API sinew_mat4 sinew_camera_projection(const sinew_camera *camera, float aspect);

/// Returns the direction of a directional light or spot light on a node, as a unit vector in model space. The light
/// shines along this vector. `node` is the node's model matrix, and `up` is the asset's up axis. The result isn't
/// finite if an axis of `node` has zero length.
SINEW_API sinew_vec3 sinew_light_direction(sinew_up up, sinew_affine node);

#ifdef __cplusplus
}
#endif
#endif
