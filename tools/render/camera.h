// SPDX-License-Identifier: MIT
// The camera of pictures: its position that shows everything, and its matrices.
#ifndef DRAW_CAMERA_H
#define DRAW_CAMERA_H

#include <sinew/asset.h>
#include <sinew/scene/pick.h>

typedef struct draw_camera {
    sinew_vec3 eye;
    sinew_mat4 view_projection;
} draw_camera;

// Collects the points that a picture has to show. The direction of view is fixed at the start, so that each plane of the
// view pyramid moves outward point by point, and no point is stored.
// There are two pyramids. The outer one holds every point, with a small margin; the inner one holds most of the points,
// with a larger margin. A sword or a tail may thus reach into the margin without making its character smaller.
typedef struct draw_framing {
    sinew_vec3 back;                 // the direction to the camera, of unit length
    float width_slope, height_slope; // half the picture's width and height at distance 1
    float outer[4];                  // the distance of each side of the outer pyramid: right, left, up, down
    float inner[4];                  // the same for the inner pyramid, if it held every point
    double sums[4], squares[4];      // of each point's distance for the inner pyramid, minus the first point's
    double count;
    float first[4];
    float nearest, farthest; // along the direction to the camera
    sinew_vec3 least, most;  // the box around all points
    bool empty;
} draw_framing;

// Starts the framing of pictures with that aspect, width / height. `yaw` is in radians from the front (+Z) toward the
// character's left hand (+X); `pitch` in radians from above, less than a right angle.
draw_framing draw_framing_start(float aspect, float yaw, float pitch);

// Adds `count` points of 3 floats; points that are not finite are ignored.
void draw_framing_add(draw_framing *framing, const float *points, int32_t count);

// Half the diagonal of the box around all points; never 0.
float draw_framing_radius(const draw_framing *framing);
sinew_vec3 draw_framing_center(const draw_framing *framing);

// The height of the ground: 0 for points that start near it, from a quarter of their height below to their height above, as those
// of a character that floats do. Otherwise the height of the lowest point.
float draw_ground_height(float lowest, float highest);

// The same for all points; adds the ground below them.
float draw_framing_add_ground(draw_framing *framing);

// The camera that shows all points as large as possible.
draw_camera draw_framing_camera(const draw_framing *framing);

// A camera in the same direction with `target` in the center, where the picture is `height` metres high.
draw_camera draw_framing_close_up(const draw_framing *framing, sinew_vec3 target, float height);

// The aspect, width / height, that all points together fill.
float draw_framing_aspect(const draw_framing *framing);

// Projects a point to the picture: from (0, 0) in its upper left corner to (1, 1). False for a point behind the camera.
bool draw_camera_project(const draw_camera *camera, sinew_vec3 point, float *x, float *y);

// Moves the view up and scales it, so that the lowest `part` of the picture stays free.
void draw_camera_lift(draw_camera *camera, float part);

// A camera at `eye`, directed to `target`, +Y up, with that aspect and the depth range `near` to `far`. Its field of
// view is that of the framing's camera.
draw_camera draw_camera_look(sinew_vec3 eye, sinew_vec3 target, float aspect, float near, float far);

// The matrix of an upright instance of an asset. Pictures have +Y up, and characters face +Z: those of VRM 0.x, which face
// -Z in their files, are turned round.
sinew_affine draw_upright(const sinew_asset *asset);

// The view of an asset's camera whose node has the world matrix `node`, for pictures with that aspect, width / height.
draw_camera draw_camera_of(const sinew_camera *camera, sinew_up up, sinew_affine node, float aspect);

// The ray from a perspective camera's eye through a point of the picture, from (0, 0) in its upper left corner to
// (1, 1). Its direction is not of unit length.
sinew_ray draw_camera_ray(const draw_camera *camera, float x, float y);

// Half of the height of a camera's view at distance 1.
float draw_camera_slope(void);

// The orthographic matrix of a light's view of the box, for a shadow map; `toward_light` is of unit length. `width` is
// the width of its square view, in metres.
sinew_mat4 draw_framing_light(const draw_framing *framing, sinew_vec3 toward_light, float *width);

#endif
