// The camera of pictures: where it must stand to see everything, and its matrices.
#ifndef DRAW_CAMERA_H
#define DRAW_CAMERA_H

#include <sinew/math.h>

typedef struct draw_camera {
    sinew_vec3 eye;
    sinew_mat4 view_projection;
} draw_camera;

// Everything that is to be seen, taken up point by point. The direction of view is fixed, so that each plane of the
// view's pyramid is pushed outward by the points as they come, and none need be kept.
typedef struct draw_framing {
    float width_slope, height_slope; // half the picture's width and height at distance 1
    float planes[4];                 // how far out each side of the pyramid must lie: right, left, up, down
    float nearest, farthest;         // along the direction to the camera
    sinew_vec3 least, most;          // the box around all points
    bool empty;
} draw_framing;

// For pictures of that shape, width / height.
draw_framing draw_framing_start(float aspect);

// `count` points of 3 floats; those that are not finite are left out.
void draw_framing_add(draw_framing *framing, const float *points, int32_t count);

// Half the diagonal of the box around all points; never 0.
float draw_framing_radius(const draw_framing *framing);
sinew_vec3 draw_framing_center(const draw_framing *framing);

// The camera that sees all points as large as they fit, three quarters from the front and a little from above.
draw_camera draw_framing_camera(const draw_framing *framing);

// A light's view of the box, for a shadow map: an orthographic matrix; `toward_light` is of unit length. `width` is
// the width of its square view, in metres.
sinew_mat4 draw_framing_light(const draw_framing *framing, sinew_vec3 toward_light, float *width);

#endif
