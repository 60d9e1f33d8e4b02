// SPDX-License-Identifier: MIT
/// View and projection matrices: of the cameras of an asset (asset.h), and of the program's own.
///
/// World space is right-handed. In a camera's space +X is right, +Y is up and the camera looks along -Z. Angles are
/// radians, lengths metres. All functions may be called from any thread; none allocates or fails.
#ifndef SINEW_CAMERA_H
#define SINEW_CAMERA_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- The program's cameras -------------------------------------------------------------------------------------

/// The view matrix of a camera at `eye` that faces `target`: from world space to the camera's space, where it looks
/// along -Z and +Y is as near as possible to `up`. Degenerate input is handled as by sinew_quat_look_at: if
/// `target` is `eye`, the camera looks along -Z. Computed in double precision.
SINEW_API sinew_mat4 sinew_mat4_look_at(sinew_vec3 eye, sinew_vec3 target, sinew_vec3 up);

/// A perspective projection (glTF 2.0, sections 3.10.3.3 and 3.10.3.4). `vertical_fov` is the angle from the bottom
/// to the top of the view, radians, above 0 and below pi; `aspect` is width / height, above 0. `znear` and `zfar` are
/// distances in front of the camera, metres, 0 < znear < zfar; a zfar of INFINITY gives an infinite projection, with
/// finite elements. The result is undefined for other values. Elements have a relative error below 1e-6 for a
/// vertical_fov up to 3 radians.
///
/// This function makes no reversed projection. A program that needs one replaces two elements of the result for
/// SINEW_DEPTH_ZERO_TO_ONE: m[10] by znear / (zfar - znear), and m[14] by zfar × znear / (zfar - znear); of an
/// infinite projection by 0 and znear.
SINEW_API sinew_mat4 sinew_mat4_perspective(float vertical_fov, float aspect, float znear, float zfar,
                                            sinew_depth_range depth);

/// An orthographic projection (glTF 2.0, section 3.10.3.5). `half_width` and `half_height` are half of the view's
/// size, metres, above 0. `znear` and `zfar` are distances in front of the camera, metres, znear < zfar; negative
/// ones are behind it. The result is undefined for other values.
SINEW_API sinew_mat4 sinew_mat4_orthographic(float half_width, float half_height, float znear, float zfar,
                                             sinew_depth_range depth);

/// a × b: b is applied first, then a. Projection × view is what sinew_frustum_from_matrix takes.
SINEW_API sinew_mat4 sinew_mat4_multiply(sinew_mat4 a, sinew_mat4 b);

// ---- Cameras and lights of an asset ----------------------------------------------------------------------------

/// Returns the view matrix of a camera on a node: from model space to the camera's space. `node` is the node's model
/// matrix, and `up` is the asset's. In the camera's space +X is right, +Y is up and the camera looks along -Z for
/// both values of `up`. The node's scale is ignored (glTF 2.0, section 3.10). For a view matrix from world space,
/// pass the instance's world matrix × the model matrix. The result is not finite if an axis of `node` has zero
/// length. Any thread.
SINEW_API sinew_affine sinew_camera_view(sinew_up up, sinew_affine node);

/// Returns the projection matrix of a camera (glTF 2.0, section 3.10.3) for OpenGL's clip space: z from -w to w. For
/// z from 0 to w, replace the third row by half the sum of the third and the fourth row. `aspect` is the viewport's
/// width / height, more than 0 (asserted). The image is never stretched: if the viewport has another aspect ratio
/// than the camera, the whole image of the camera is visible, and more at two sides. It calls tanf of the C library,
/// so its bits may differ between machines. Any thread.
SINEW_API sinew_mat4 sinew_camera_projection(const sinew_camera *camera, float aspect);

/// Returns the direction in which a directional light or a spot on a node shines: a unit vector in model space.
/// `node` is the node's model matrix, and `up` is the asset's. The result is not finite if an axis of `node` has zero
/// length. Any thread.
SINEW_API sinew_vec3 sinew_light_direction(sinew_up up, sinew_affine node);

#ifdef __cplusplus
}
#endif
#endif
