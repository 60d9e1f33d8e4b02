// SPDX-License-Identifier: MIT
// The camera for pictures: finds the position that shows everything, and computes its matrices.
#ifndef DRAW_CAMERA_H
#define DRAW_CAMERA_H

#include <sinew/asset.h>
#include <sinew/scene/pick.h>

typedef struct draw_camera {
    sinew_vec3 eye;
    sinew_mat4 view_projection;
} draw_camera;

// Collects the points that a picture must show. The view direction is fixed at the start, so each plane of the view
// pyramid only moves outward point by point, and points aren't stored.
//
// There are two pyramids. The outer one contains every point with a small margin, and the inner one most points with a
// larger margin. A sword or tail can reach into the margin without making its character smaller.
typedef struct draw_framing {
    sinew_vec3 back;                 // direction to the camera, unit length
    float width_slope, height_slope; // half the picture's width and height at distance 1
    float outer[4];                  // distance of each of the outer pyramid's sides: right, left, up, down
    float inner[4];                  // distances of the inner pyramid's sides if it contained every point
    double sums[4], squares[4];      // of each point's distance for the inner pyramid, minus the first point's
    double count;
    float first[4];
    float nearest, farthest; // along the direction to the camera
    sinew_vec3 least, most;  // box around all points
    bool empty;
} draw_framing;

// Starts framing for pictures with an aspect ratio of width / height. `yaw` is in radians from the front (+Z) toward
// the character's left hand (+X). `pitch` is in radians from above, less than a right angle.
draw_framing draw_framing_start(float aspect, float yaw, float pitch);

// Adds `count` points of 3 floats. Ignores points that aren't finite.
void draw_framing_add(draw_framing *framing, const float *points, int32_t count);

// Returns half the diagonal of the box around all points. Never 0.
float draw_framing_radius(const draw_framing *framing);
sinew_vec3 draw_framing_center(const draw_framing *framing);

// Returns the ground's height. This is 0 if the lowest point is near it, from a quarter of the points' height below to
// their full height above, like for a floating character. Otherwise it's the lowest point's height.
float draw_ground_height(float lowest, float highest);

// Like draw_ground_height, but for all points. Also adds the ground below them.
float draw_framing_add_ground(draw_framing *framing);

// Returns the camera that shows all points as large as possible.
draw_camera draw_framing_camera(const draw_framing *framing);

// Returns a camera in the same direction with `target` in the center. The picture is `height` meters high there.
draw_camera draw_framing_close_up(const draw_framing *framing, sinew_vec3 target, float height);

// Returns the aspect ratio, width / height, of all points together.
float draw_framing_aspect(const draw_framing *framing);

// Projects a point to the picture, from (0, 0) in the upper left corner to (1, 1). Returns false if it's behind the
// camera.
bool draw_camera_project(const draw_camera *camera, sinew_vec3 point, float *x, float *y);

// Moves the view up and scales it, to leave the lowest `part` of the picture free.
void draw_camera_lift(draw_camera *camera, float part);

// Returns a camera at `eye` that looks at `target`, with +Y up, this aspect ratio and a depth range from `near` to
// `far`. Its field of view is the framing camera's.
draw_camera draw_camera_look(sinew_vec3 eye, sinew_vec3 target, float aspect, float near, float far);

// Returns the matrix of an upright instance of an asset. In pictures, +Y is up and characters face +Z. VRM 0.x
// characters face -Z in their files, so they're turned around.
sinew_affine draw_upright(const sinew_asset *asset);

// Returns the view of an asset's camera. `node` is its node's world matrix, and `aspect` is width / height.
draw_camera draw_camera_of(const sinew_camera *camera, sinew_up up, sinew_affine node, float aspect);

// Returns the ray from a perspective camera's eye through a point in the picture, from (0, 0) in the upper left corner
// to (1, 1). Its direction isn't normalized.
sinew_ray draw_camera_ray(const draw_camera *camera, float x, float y);

// Returns half the height of a camera's view at distance 1.
float draw_camera_slope(void);

// Returns the orthographic matrix of a light's view of the box, for a shadow map. `toward_light` has unit length.
// `width` receives the width of the square view in meters.
sinew_mat4 draw_framing_light(const draw_framing *framing, sinew_vec3 toward_light, float *width);

#endif
