// SPDX-License-Identifier: MIT
/// View and projection matrices, for your own cameras and for the cameras of an asset (asset.h).
///
/// World space is right-handed. In camera space +X is right, +Y is up and the camera looks along -Z. Angles are
/// radians, lengths metres. All functions are safe to call from any thread. They don't allocate and can't fail.
#ifndef SINEW_CAMERA_H
#define SINEW_CAMERA_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- The program's cameras -------------------------------------------------------------------------------------

/// Returns the view matrix (world to camera space) of a camera at `eye` that looks at `target`, with +Y as close
/// as possible to `up`. If `target` equals `eye`, the camera looks along -Z. Other degenerate input is handled
/// like in sinew_quat_look_at. Computed in double precision.
SINEW_API sinew_mat4 sinew_mat4_look_at(sinew_vec3 eye, sinew_vec3 target, sinew_vec3 up);

/// Returns a perspective projection (glTF 2.0, sections 3.10.3.3 and 3.10.3.4). `vertical_fov` is the full
/// vertical angle of view in radians, above 0 and below pi. `aspect` is width / height, above 0. `znear` and
/// `zfar` are distances in front of the camera, 0 < znear < zfar. A zfar of INFINITY gives an infinite
/// projection. Other values are undefined. The relative error is below 1e-6 up to a vertical_fov of 3 radians.
///
/// For reversed depth, use SINEW_DEPTH_ZERO_TO_ONE and replace two elements: m[10] by znear / (zfar - znear) and
/// m[14] by zfar × znear / (zfar - znear). For an infinite projection, replace them by 0 and znear.
SINEW_API sinew_mat4 sinew_mat4_perspective(float vertical_fov, float aspect, float znear, float zfar,
                                            sinew_depth_range depth);

/// Returns an orthographic projection (glTF 2.0, section 3.10.3.5). `half_width` and `half_height` are half the
/// view's size in metres, above 0. `znear` and `zfar` are distances in front of the camera, znear < zfar;
/// negative distances are behind it. Other values are undefined.
SINEW_API sinew_mat4 sinew_mat4_orthographic(float half_width, float half_height, float znear, float zfar,
                                             sinew_depth_range depth);

/// Returns a × b, which applies b first. For sinew_frustum_from_matrix, pass projection × view.
SINEW_API sinew_mat4 sinew_mat4_multiply(sinew_mat4 a, sinew_mat4 b);

// ---- Cameras and lights of an asset ----------------------------------------------------------------------------

/// Returns the view matrix (model to camera space) of a camera on a node. `node` is the node's model matrix and
/// `up` the asset's. Camera space is the same for both values of `up`. The node's scale is ignored (glTF 2.0,
/// section 3.10). For a world-space view matrix, pass the instance's world matrix × the model matrix. The result
/// isn't finite if an axis of `node` has zero length.
SINEW_API sinew_affine sinew_camera_view(sinew_up up, sinew_affine node);

/// Returns a camera's projection matrix (glTF 2.0, section 3.10.3) for OpenGL's clip space, with z from -w to w.
/// For z from 0 to w, replace the third row by half the sum of the third and fourth rows. `aspect` is the
/// viewport's width / height, and must be above 0 (asserted). The image is never stretched. If the aspect ratios
/// differ, the camera's whole image is visible, and more at two sides. It calls tanf, so its bits can differ
/// between machines.
SINEW_API sinew_mat4 sinew_camera_projection(const sinew_camera *camera, float aspect);

/// Returns the direction that a directional light or a spot on a node shines in, a unit vector in model space.
/// `node` is the node's model matrix and `up` the asset's. The result isn't finite if an axis of `node` has zero
/// length.
SINEW_API sinew_vec3 sinew_light_direction(sinew_up up, sinew_affine node);

#ifdef __cplusplus
}
#endif
#endif
