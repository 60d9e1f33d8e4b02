// The camera of pictures: where it must stand to see everything, and its matrices.
#ifndef CLI_CAMERA_H
#define CLI_CAMERA_H

#include <sinew/math.h>

typedef struct cli_camera {
    sinew_vec3 eye;
    sinew_mat4 view_projection;
} cli_camera;

// Everything that is to be seen, taken up point by point. The direction of view is fixed, so that each plane of the
// view's pyramid is pushed outward by the points as they come, and none need be kept.
typedef struct cli_framing {
    float width_slope, height_slope; // half the picture's width and height at distance 1
    float planes[4];                 // how far out each side of the pyramid must lie: right, left, up, down
    float nearest, farthest;         // along the direction to the camera
    sinew_vec3 least, most;          // the box around all points
    bool empty;
} cli_framing;

// For pictures of that shape, width / height.
cli_framing cli_framing_start(float aspect);

// `count` points of 3 floats; those that are not finite are left out.
void cli_framing_add(cli_framing *framing, const float *points, int32_t count);

// Half the diagonal of the box around all points; never 0.
float cli_framing_radius(const cli_framing *framing);
sinew_vec3 cli_framing_center(const cli_framing *framing);

// The camera that sees all points as large as they fit, three quarters from the front and a little from above.
cli_camera cli_framing_camera(const cli_framing *framing);

// A light's view of the box, for a shadow map: an orthographic matrix; `toward_light` is of unit length. `width` is
// the width of its square view, in metres.
sinew_mat4 cli_framing_light(const cli_framing *framing, sinew_vec3 toward_light, float *width);

#endif
