// SPDX-License-Identifier: MIT
// Frames points, and computes camera and light matrices.
#include "render/camera.h"

#include <sinew/humanoid/vrm.h>
#include <sinew/scene/camera.h>

#include <math.h>

static const sinew_vec3 UP = {0.0f, 1.0f, 0.0f};
static const float VIEW_ANGLE = 0.488692191f; // 28 degrees, for the picture's height
static const float INNER = 1.14f;             // room around most of the points
static const float OUTER = 1.08f;             // room around all points
static const float MOST = 1.75f;              // standard deviations; a bar with even density ends at 1.73

// ---- Axes ----------------------------------------------------------------------------------------------------

// A camera's axes: right, up and back, which is opposite to the view direction.
typedef struct axes {
    sinew_vec3 right, up, back;
} axes;

static axes axes_of(sinew_vec3 back) {
    sinew_vec3 right = sinew_vec3_normalize(sinew_vec3_cross(UP, back));
    return (axes){right, sinew_vec3_cross(back, right), back};
}

// ---- Framing -------------------------------------------------------------------------------------------------

draw_framing draw_framing_start(float aspect, float yaw, float pitch) {
    const float slope = draw_camera_slope();
    const sinew_vec3 back = {sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch)};
    return (draw_framing){.back = back, .width_slope = slope * aspect, .height_slope = slope, .empty = true};
}

// Computes how far out each side of a pyramid with its tip at the origin must move to contain a point.
static void needs(const draw_framing *framing, float margin, float x, float y, float z, float *out) {
    const float across = framing->width_slope / margin * z, along = framing->height_slope / margin * z;
    out[0] = across + x;
    out[1] = across - x;
    out[2] = along + y;
    out[3] = along - y;
}

static void add_needs(draw_framing *framing, const float *outer, const float *inner) {
    framing->count += 1.0;
    for (int i = 0; i < 4; i++) {
        double more = (double)(inner[i] - framing->first[i]);
        framing->outer[i] = fmaxf(framing->outer[i], outer[i]);
        framing->inner[i] = fmaxf(framing->inner[i], inner[i]);
        framing->sums[i] += more;
        framing->squares[i] += more * more;
    }
}

static void add_point(draw_framing *framing, const axes *a, sinew_vec3 p) {
    float x = sinew_vec3_dot(a->right, p), y = sinew_vec3_dot(a->up, p), z = sinew_vec3_dot(a->back, p);
    float outer[4], inner[4];
    needs(framing, OUTER, x, y, z, outer);
    needs(framing, INNER, x, y, z, inner);
    if (framing->empty) {
        framing->empty = false;
        framing->least = framing->most = p;
        framing->nearest = framing->farthest = z;
        for (int i = 0; i < 4; i++) {
            framing->first[i] = framing->inner[i] = inner[i];
            framing->outer[i] = outer[i];
        }
    }
    add_needs(framing, outer, inner);
    framing->nearest = fmaxf(framing->nearest, z);
    framing->farthest = fminf(framing->farthest, z);
    framing->least =
        (sinew_vec3){fminf(framing->least.x, p.x), fminf(framing->least.y, p.y), fminf(framing->least.z, p.z)};
    framing->most =
        (sinew_vec3){fmaxf(framing->most.x, p.x), fmaxf(framing->most.y, p.y), fmaxf(framing->most.z, p.z)};
}

void draw_framing_add(draw_framing *framing, const float *points, int32_t count) {
    const axes a = axes_of(framing->back);
    for (size_t i = 0; i < (size_t)count; i++) {
        sinew_vec3 p = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
        if (isfinite(p.x) && isfinite(p.y) && isfinite(p.z)) add_point(framing, &a, p);
    }
}

float draw_framing_radius(const draw_framing *framing) {
    float radius = 0.5f * sinew_vec3_length(sinew_vec3_subtract(framing->most, framing->least));
    return radius > 0.0f && isfinite(radius) ? radius : 1.0f;
}

sinew_vec3 draw_framing_center(const draw_framing *framing) {
    return sinew_vec3_lerp(framing->least, framing->most, 0.5f);
}

float draw_ground_height(float lowest, float highest) {
    const float height = highest - lowest;
    return lowest > -0.25f * height && lowest < height ? 0.0f : lowest;
}

float draw_framing_add_ground(draw_framing *framing) {
    sinew_vec3 below = draw_framing_center(framing);
    below.y = draw_ground_height(framing->least.y, framing->most.y);
    if (below.y < framing->least.y) draw_framing_add(framing, &below.x, 1);
    return below.y;
}

// ---- Matrices ------------------------------------------------------------------------------------------------

// Returns how far out most points are on one side, but no farther than all of them.
static float most_of(const draw_framing *framing, int side) {
    double mean = framing->sums[side] / framing->count;
    double variance = fmax(framing->squares[side] / framing->count - mean * mean, 0.0);
    return fminf(framing->inner[side], framing->first[side] + (float)(mean + (double)MOST * sqrt(variance)));
}

// What a pyramid needs along one axis. With its tip at (x, z), it contains points that need at most slope * z + x on
// one side and slope * z - x on the other.
typedef struct need {
    float slope, plus, minus;
} need;

// Returns how far away the tip must be. Both pyramids must fit, and also each one's side combined with the other's
// opposite side.
static float least_distance(need outer, need inner) {
    float distance =
        fmaxf((outer.plus + outer.minus) / (2.0f * outer.slope), (inner.plus + inner.minus) / (2.0f * inner.slope));
    distance = fmaxf(distance, (outer.plus + inner.minus) / (outer.slope + inner.slope));
    return fmaxf(distance, (inner.plus + outer.minus) / (outer.slope + inner.slope));
}

// Returns the tip's sideways position at that distance: centered on most points, unless that would cut off others.
static float middle(need outer, need inner, float distance) {
    float least = fmaxf(outer.plus - outer.slope * distance, inner.plus - inner.slope * distance);
    float most = fminf(outer.slope * distance - outer.minus, inner.slope * distance - inner.minus);
    float wanted = 0.5f * (inner.plus - inner.minus);
    return least < most ? fminf(fmaxf(wanted, least), most) : 0.5f * (least + most);
}

draw_camera draw_framing_camera(const draw_framing *framing) {
    const axes a = axes_of(framing->back);
    const float radius = draw_framing_radius(framing);
    need outer[2], inner[2];
    for (int i = 0; i < 2; i++) {
        float slope = i == 0 ? framing->width_slope : framing->height_slope;
        const float *sides = framing->outer + (i == 0 ? 0 : 2);
        outer[i] = (need){slope / OUTER, sides[0], sides[1]};
        inner[i] = (need){slope / INNER, most_of(framing, 2 * i), most_of(framing, 2 * i + 1)};
    }
    float distance = fmaxf(least_distance(outer[0], inner[0]), least_distance(outer[1], inner[1]));
    distance = fmaxf(distance, framing->nearest + 0.5f * radius);
    float across = middle(outer[0], inner[0], distance), along = middle(outer[1], inner[1], distance);
    sinew_vec3 eye = {a.right.x * across + a.up.x * along + a.back.x * distance,
                      a.right.y * across + a.up.y * along + a.back.y * distance,
                      a.right.z * across + a.up.z * along + a.back.z * distance};
    float near = (distance - framing->nearest) * 0.5f;
    float far = distance - framing->farthest + 8.0f * radius; // includes the ground behind
    const float aspect = framing->width_slope / framing->height_slope;
    return draw_camera_look(eye, sinew_vec3_subtract(eye, a.back), aspect, near, far);
}

draw_camera draw_framing_close_up(const draw_framing *framing, sinew_vec3 target, float height) {
    const sinew_vec3 back = framing->back;
    const float distance = 0.5f * height / framing->height_slope;
    const sinew_vec3 eye = sinew_vec3_add(target, sinew_vec3_scale(back, distance));
    const float far = distance + 10.0f * draw_framing_radius(framing); // includes the ground behind
    return draw_camera_look(eye, target, framing->width_slope / framing->height_slope, 0.05f * distance, far);
}

float draw_framing_aspect(const draw_framing *framing) {
    float across = (framing->outer[0] + framing->outer[1]) / framing->width_slope;
    float along = (framing->outer[2] + framing->outer[3]) / framing->height_slope;
    float aspect = framing->width_slope / framing->height_slope * across / along;
    return isfinite(aspect) && aspect > 0.0f ? aspect : 1.0f;
}

bool draw_camera_project(const draw_camera *camera, sinew_vec3 p, float *x, float *y) {
    const float *m = camera->view_projection.m;
    float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    *x = 0.5f + 0.5f * (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w;
    *y = 0.5f - 0.5f * (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w;
    return w > 0.0f && isfinite(*x) && isfinite(*y);
}

void draw_camera_lift(draw_camera *camera, float part) {
    float *m = camera->view_projection.m;
    for (int column = 0; column < 16; column += 4)
        m[column + 1] = m[column + 1] * (1.0f - part) + m[column + 3] * part;
}

// With +Z up, maps (x, y, z) to (x, z, -y).
sinew_affine draw_upright(const sinew_asset *asset) {
    const bool is_turned = asset->vrm && asset->vrm->version == SINEW_VRM_VERSION_0;
    const float front = is_turned ? -1.0f : 1.0f;
    if (asset->up == SINEW_UP_Y)
        return (sinew_affine){{{front, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, front, 0.0f}}};
    return (sinew_affine){{{front, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}, {0.0f, -front, 0.0f, 0.0f}}};
}

draw_camera draw_camera_of(const sinew_camera *camera, sinew_up up, sinew_affine node, float aspect) {
    const sinew_mat4 projection = sinew_camera_projection(camera, aspect);
    const sinew_mat4 view = sinew_mat4_from_affine(sinew_camera_view(up, node));
    return (draw_camera){{node.m[0][3], node.m[1][3], node.m[2][3]}, sinew_mat4_multiply(projection, view)};
}

// Returns the normal of the plane through the eye and one column or row of the picture.
static sinew_vec3 plane_of(const float *m, int row, float at) {
    return (sinew_vec3){m[row] - at * m[3], m[4 + row] - at * m[7], m[8 + row] - at * m[11]};
}

sinew_ray draw_camera_ray(const draw_camera *camera, float x, float y) {
    const float *m = camera->view_projection.m;
    sinew_vec3 along = sinew_vec3_cross(plane_of(m, 0, 2.0f * x - 1.0f), plane_of(m, 1, 1.0f - 2.0f * y));
    const float ahead = m[3] * along.x + m[7] * along.y + m[11] * along.z;
    if (ahead < 0.0f) along = sinew_vec3_scale(along, -1.0f);
    return (sinew_ray){camera->eye, along};
}

float draw_camera_slope(void) {
    return tanf(0.5f * VIEW_ANGLE);
}

draw_camera draw_camera_look(sinew_vec3 eye, sinew_vec3 target, float aspect, float near, float far) {
    sinew_mat4 projection = sinew_mat4_perspective(VIEW_ANGLE, aspect, near, far, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    return (draw_camera){eye, sinew_mat4_multiply(projection, sinew_mat4_look_at(eye, target, UP))};
}

sinew_mat4 draw_framing_light(const draw_framing *framing, sinew_vec3 toward_light, float *width) {
    const float radius = draw_framing_radius(framing) * 1.02f;
    const sinew_vec3 center = draw_framing_center(framing);
    sinew_mat4 view = sinew_mat4_look_at(center, sinew_vec3_subtract(center, toward_light), UP);
    sinew_mat4 projection = sinew_mat4_orthographic(radius, radius, -radius, radius, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    *width = 2.0f * radius;
    return sinew_mat4_multiply(projection, view);
}
