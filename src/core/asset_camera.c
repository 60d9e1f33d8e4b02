// SPDX-License-Identifier: MIT
// View and projection matrices of cameras, and directions of lights (glTF 2.0, section 3.10; KHR_lights_punctual).
//
// `node` is a node's model or world matrix. Cameras and lights look along the node's -Z, or its +Y in an asset with +Z
// up; `back` is the opposite direction. The lengths of axes are computed in double, so that no scale of a node under-
// or overflows. Sums are ordered so that converting an asset to Z up and then computing its camera gives the same bits
// as the other order.
#include <sinew/asset.h>

#include "base/float_rules.h"

#include <assert.h>
#include <math.h>

typedef struct dvec3 {
    double x, y, z;
} dvec3;

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

// The unit direction opposite to that in which a camera or light on the node looks.
static dvec3 find_back(sinew_up up, const sinew_affine *node) {
    if (up != SINEW_UP_Z) return normalize(get_column(node, 2));
    dvec3 forward = get_column(node, 1);
    return normalize((dvec3){-forward.x, -forward.y, -forward.z});
}

sinew_vec3 sinew_light_direction(sinew_up up, sinew_affine node) {
    dvec3 back = find_back(up, &node);
    return (sinew_vec3){(float)-back.x, (float)-back.y, (float)-back.z};
}

// Sets a row of a view matrix: the coordinate, along one axis of the camera, of a point relative to the camera's
// position.
static void set_row(float row[4], dvec3 axis, dvec3 position) {
    row[0] = (float)axis.x;
    row[1] = (float)axis.y;
    row[2] = (float)axis.z;
    row[3] = (float)-dot(axis, position);
}

// World space to the camera's space, which has +X to the right, +Y up and looks along -Z. If ancestors shear the axes,
// the view direction is kept and the others are made orthogonal; the image is never mirrored.
sinew_affine sinew_camera_view(sinew_up up, sinew_affine node) {
    dvec3 back = find_back(up, &node), position = get_column(&node, 3);
    dvec3 right = normalize(cross(get_column(&node, up == SINEW_UP_Z ? 2 : 1), back));
    sinew_affine view;
    set_row(view.m[0], right, position);
    set_row(view.m[1], cross(back, right), position);
    set_row(view.m[2], back, position);
    return view;
}

// The projection of the glTF specification (section 3.10.3), with depths of OpenGL, -w to w. `half_width` and
// `half_height` are those of the frustum at distance 1. An infinite zfar is allowed. Elements are out.m[4 * column +
// row].
static sinew_mat4 make_perspective(float half_width, float half_height, float znear, float zfar) {
    sinew_mat4 out = {{0}};
    out.m[0] = 1.0f / half_width;
    out.m[5] = 1.0f / half_height;
    out.m[10] = isinf(zfar) ? -1.0f : (zfar + znear) / (znear - zfar);
    out.m[11] = -1.0f;
    out.m[14] = isinf(zfar) ? -2.0f * znear : 2.0f * zfar * znear / (znear - zfar);
    return out;
}

// The projection of the glTF specification for an orthographic camera, with depths of OpenGL, -1 to 1. `half_width` and
// `half_height` are those of the image, in metres.
static sinew_mat4 make_orthographic(float half_width, float half_height, float znear, float zfar) {
    sinew_mat4 out = {{0}};
    out.m[0] = 1.0f / half_width;
    out.m[5] = 1.0f / half_height;
    out.m[10] = 2.0f / (znear - zfar);
    out.m[14] = (zfar + znear) / (znear - zfar);
    out.m[15] = 1.0f;
    return out;
}

// `aspect` is the image's width over its height. An image of another shape than the camera's shows more at the sides,
// or above and below, and nothing less.
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
