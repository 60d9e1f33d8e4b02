// SPDX-License-Identifier: MIT
// View and projection matrices, and directions of lights (glTF 2.0, section 3.10; KHR_lights_punctual).
//
// `node` is a node's model or world matrix. Cameras and lights look along the node's -Z, or along its +Y in a Z-up
// asset. `back` is the opposite direction. Axis lengths are computed in double, so no node scale underflows or
// overflows. Sums are ordered to give the same bits whether you convert the asset to Z up before or after
// computing its camera.
#include <sinew/scene/camera.h>

#include "base/angle.h"
#include "base/float_rules.h"
#include "core/math_camera.h"

#include <assert.h>
#include <math.h>

typedef sinewi_dvec3 dvec3;

static double dot(dvec3 a, dvec3 b) {
    return a.x * b.x + (a.y * b.y + a.z * b.z);
}

static dvec3 cross(dvec3 a, dvec3 b) {
    return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static dvec3 normalize(dvec3 v) {
    double length = sqrt(dot(v, v));
    return (dvec3){v.x / length, v.y / length, v.z / length};
}

// Columns 0 to 2 are the node's axes, column 3 is its position.
static dvec3 get_column(const sinew_affine *m, int i) {
    return (dvec3){(double)m->m[0][i], (double)m->m[1][i], (double)m->m[2][i]};
}

// The unit direction opposite to where a camera or light on the node looks.
static dvec3 find_back(sinew_up up, const sinew_affine *node) {
    if (up != SINEW_UP_Z) return normalize(get_column(node, 2));
    dvec3 forward = get_column(node, 1);
    return normalize((dvec3){-forward.x, -forward.y, -forward.z});
}

sinew_vec3 sinew_light_direction(sinew_up up, sinew_affine node) {
    dvec3 back = find_back(up, &node);
    return (sinew_vec3){(float)-back.x, (float)-back.y, (float)-back.z};
}

// Sets a row of a view matrix, which gives a point's coordinate along one of the camera's axes,
// relative to its position.
static void set_row(float row[4], dvec3 axis, dvec3 position) {
    row[0] = (float)axis.x;
    row[1] = (float)axis.y;
    row[2] = (float)axis.z;
    row[3] = (float)-dot(axis, position);
}

// World space to camera space, which has +X to the right, +Y up and looks along -Z. If ancestors shear the axes, the
// view direction stays and the others are made orthogonal. The image is never mirrored.
sinew_affine sinew_camera_view(sinew_up up, sinew_affine node) {
    dvec3 back = find_back(up, &node), position = get_column(&node, 3);
    dvec3 right = normalize(cross(get_column(&node, up == SINEW_UP_Z ? 2 : 1), back));
    sinew_affine view;
    set_row(view.m[0], right, position);
    set_row(view.m[1], cross(back, right), position);
    set_row(view.m[2], back, position);
    return view;
}

// The projection from the glTF specification (section 3.10.3), with OpenGL depths from -w to w. `half_width` and
// `half_height` describe the frustum at distance 1. zfar may be infinite. Elements are out.m[4 * column + row].
static sinew_mat4 make_perspective(float half_width, float half_height, float znear, float zfar) {
    sinew_mat4 out = {{0}};
    out.m[0] = 1.0f / half_width;
    out.m[5] = 1.0f / half_height;
    out.m[10] = isinf(zfar) ? -1.0f : (zfar + znear) / (znear - zfar);
    out.m[11] = -1.0f;
    out.m[14] = isinf(zfar) ? -2.0f * znear : 2.0f * zfar * znear / (znear - zfar);
    return out;
}

// The glTF specification's projection for an orthographic camera, with OpenGL depths from -1 to 1. `half_width` and
// `half_height` describe the image, in meters.
static sinew_mat4 make_orthographic(float half_width, float half_height, float znear, float zfar) {
    sinew_mat4 out = {{0}};
    out.m[0] = 1.0f / half_width;
    out.m[5] = 1.0f / half_height;
    out.m[10] = 2.0f / (znear - zfar);
    out.m[14] = (zfar + znear) / (znear - zfar);
    out.m[15] = 1.0f;
    return out;
}

// `aspect` is the image's width over its height. If the image's shape differs from the camera's, it shows more at the
// sides or above and below. It never shows less.
sinew_mat4 sinew_camera_projection(const sinew_camera *c, float aspect) {
    assert(aspect > 0.0f);
    float height = c->orthographic ? c->ymag : tanf(0.5f * c->yfov);
    float width = c->orthographic ? c->xmag : height * (c->aspect > 0.0f ? c->aspect : aspect);
    float own_aspect = fabsf(width / height);
    if (aspect > own_aspect) {
        width *= aspect / own_aspect;
    } else {
        height *= own_aspect / aspect;
    }
    return c->orthographic ? make_orthographic(width, height, c->znear, c->zfar)
                           : make_perspective(width, height, c->znear, c->zfar);
}

// ---- The program's own cameras ----------------------------------------------------------------------------------

sinew_mat4 sinew_mat4_multiply(sinew_mat4 a, sinew_mat4 b) {
    sinew_mat4 product;
    for (int i = 0; i < 16; i++) {
        const float *row = a.m + i % 4, *column = b.m + (ptrdiff_t)4 * (i / 4);
        product.m[i] = row[0] * column[0] + row[4] * column[1] + row[8] * column[2] + row[12] * column[3];
    }
    return product;
}

sinew_quat sinew_quat_look_at(sinew_vec3 forward, sinew_vec3 up) {
    dvec3 axes[3];
    sinewi_camera_axes(forward, up, axes);
    return sinewi_quat_from_axes(axes);
}

// The view matrix maps world space to camera space. Its rows are the camera's axes.
sinew_mat4 sinew_mat4_look_at(sinew_vec3 eye, sinew_vec3 target, sinew_vec3 up) {
    dvec3 axes[3], position = {(double)eye.x, (double)eye.y, (double)eye.z};
    sinewi_camera_axes(sinew_vec3_subtract(target, eye), up, axes);
    sinew_affine view;
    for (int i = 0; i < 3; i++) {
        view.m[i][0] = (float)axes[i].x;
        view.m[i][1] = (float)axes[i].y;
        view.m[i][2] = (float)axes[i].z;
        view.m[i][3] = (float)-(axes[i].x * position.x + axes[i].y * position.y + axes[i].z * position.z);
    }
    return sinew_mat4_from_affine(view);
}

// The camera looks along -z: clip z = depth_scale × z + depth_offset, and w = -z. For depth from 0 to w instead of -w
// to w, clip z becomes (z + w) / 2.
sinew_mat4 sinew_mat4_perspective(float vertical_fov, float aspect, float znear, float zfar,
                                  sinew_depth_range depth) {
    sinewi_sine_cosine half = sinewi_sine_cosine_of(0.5 * (double)vertical_fov);
    double height = half.cosine / half.sine, znear_d = (double)znear, zfar_d = (double)zfar;
    double depth_scale = -1.0, depth_offset = -2.0 * znear_d; // for an infinite zfar
    if (!isinf(zfar)) {
        depth_scale = (zfar_d + znear_d) / (znear_d - zfar_d);
        depth_offset = 2.0 * zfar_d * znear_d / (znear_d - zfar_d);
    }
    if (depth == SINEW_DEPTH_ZERO_TO_ONE) {
        depth_scale = isinf(zfar) ? -1.0 : zfar_d / (znear_d - zfar_d);
        depth_offset *= 0.5;
    }
    sinew_mat4 out = {{0}};
    out.m[0] = (float)(height / (double)aspect);
    out.m[5] = (float)height;
    out.m[10] = (float)depth_scale;
    out.m[11] = -1.0f;
    out.m[14] = (float)depth_offset;
    return out;
}

// The camera looks along -z, and w is 1. Depth goes from -1 to 1, or from 0 to 1.
sinew_mat4 sinew_mat4_orthographic(float half_width, float half_height, float znear, float zfar,
                                   sinew_depth_range depth) {
    double znear_d = (double)znear, zfar_d = (double)zfar, range = znear_d - zfar_d;
    bool from_zero = depth == SINEW_DEPTH_ZERO_TO_ONE;
    sinew_mat4 out = {{0}};
    out.m[0] = 1.0f / half_width;
    out.m[5] = 1.0f / half_height;
    out.m[10] = (float)((from_zero ? 1.0 : 2.0) / range);
    out.m[14] = (float)((from_zero ? znear_d : zfar_d + znear_d) / range);
    out.m[15] = 1.0f;
    return out;
}
