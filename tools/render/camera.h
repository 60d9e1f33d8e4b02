// The camera of pictures: where it must stand to see everything, and its matrices.
#ifndef DRAW_CAMERA_H
#define DRAW_CAMERA_H

#include <sinew/pick.h>

typedef struct draw_camera {
    sinew_vec3 eye;
    sinew_mat4 view_projection;
} draw_camera;

// Everything that is to be seen, taken up point by point. The direction of view is given first, so that each plane of the
// view's pyramid is pushed outward by the points as they come, and none need be kept.
// There are two pyramids. The outer one holds every point, with hardly any margin; the inner one holds what most of
// the points lie in, with a comfortable margin. So a sword or a tail may reach into the margin, and does not make
// whom it belongs to small.
typedef struct draw_framing {
    sinew_vec3 back;                 // the direction to whoever looks, of unit length
    float width_slope, height_slope; // half the picture's width and height at distance 1
    float outer[4];                  // how far out each side must lie: right, left, up, down
    float inner[4];                  // the same for every point and the inner pyramid
    double sums[4], squares[4];      // of each point's need in the inner pyramid, less the first point's
    double count;
    float first[4];
    float nearest, farthest; // along the direction to the camera
    sinew_vec3 least, most;  // the box around all points
    bool empty;
} draw_framing;

// For pictures of that shape, width / height, seen from `yaw` radians round the model, from the front (+Z) toward the
// character's left hand (+X), and `pitch` radians from above, which is less than a right angle.
draw_framing draw_framing_start(float aspect, float yaw, float pitch);

// `count` points of 3 floats; those that are not finite are left out.
void draw_framing_add(draw_framing *framing, const float *points, int32_t count);

// Half the diagonal of the box around all points; never 0.
float draw_framing_radius(const draw_framing *framing);
sinew_vec3 draw_framing_center(const draw_framing *framing);

// The camera that sees all points as large as they fit.
draw_camera draw_framing_camera(const draw_framing *framing);

// A camera on the same side that has `target` in the middle and shows `height` from top to bottom there.
draw_camera draw_framing_close_up(const draw_framing *framing, sinew_vec3 target, float height);

// The shape of picture, width / height, that all points together would fill.
float draw_framing_aspect(const draw_framing *framing);

// Where in the picture a point is: from (0, 0) in its upper left corner to (1, 1). False when it is behind the camera.
bool draw_camera_project(const draw_camera *camera, sinew_vec3 point, float *x, float *y);

// Moves what the camera sees up and makes it less tall, so that the lowest `part` of the picture stays free.
void draw_camera_lift(draw_camera *camera, float part);

// A camera that stands at `eye` and looks at `target`, +Y up, for pictures of that shape; it sees what is from `near`
// to `far` away. Its view is as wide as that of the framing's camera.
draw_camera draw_camera_look(sinew_vec3 eye, sinew_vec3 target, float aspect, float near, float far);

// Pictures have +Y up: where the instance of an asset with that axis up (sinew_asset.up) stands, so that it is upright.
sinew_affine draw_upright(sinew_up up);

// What a camera of an asset sees whose node's world matrix is `node`, in a picture of that shape, width / height.
draw_camera draw_camera_of(const sinew_camera *camera, sinew_up up, sinew_affine node, float aspect);

// From the eye of a camera with perspective through a point of the picture, from (0, 0) in its upper left corner to
// (1, 1). Its direction is not unit.
sinew_ray draw_camera_ray(const draw_camera *camera, float x, float y);

// Half of what a camera sees from top to bottom at distance 1.
float draw_camera_slope(void);

// A light's view of the box, for a shadow map: an orthographic matrix; `toward_light` is of unit length. `width` is
// the width of its square view, in metres.
sinew_mat4 draw_framing_light(const draw_framing *framing, sinew_vec3 toward_light, float *width);

#endif
