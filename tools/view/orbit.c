// SPDX-License-Identifier: MIT
// The orbit camera.
#include "view/orbit.h"

#include <math.h>

static const float RATE = 16.0f; // of the easing: the distance left shrinks to 1/e in 1/16 s
static const float TURN = 4.5f;  // radians when dragging over the picture's whole height
static const float MAX_PITCH = 1.55f;
static const float ZOOM_STEP = 0.88f;
static const float MARGIN = 1.12f; // around a framed box

view_orbit view_orbit_start(void) {
    view_orbit orbit = {.radius = 1.0f, .aspect = 1.0f, .wide = 1.0f, .high = 1.0f};
    orbit.goal =
        (view_orbit_position){.yaw = 0.56f, .pitch = 0.22f, .distance = 4.0f, .center = {0.0f, 0.8f, 0.0f}};
    orbit.now = orbit.goal;
    return orbit;
}

void view_orbit_set_picture(view_orbit *orbit, int width, int height, int left, int bottom) {
    const float w = (float)(width > 0 ? width : 1), h = (float)(height > 0 ? height : 1);
    orbit->aspect = w / h;
    orbit->wide = fmaxf(1.0f - (float)left / w, 0.2f);
    orbit->high = fmaxf(1.0f - (float)bottom / h, 0.2f);
    orbit->shift_x = (float)left / w;
    orbit->shift_y = 1.0f - orbit->high;
}

// ---- Directions ----------------------------------------------------------------------------------------------

static sinew_vec3 back_of(const view_orbit_position *stand) {
    return (sinew_vec3){sinf(stand->yaw) * cosf(stand->pitch), sinf(stand->pitch),
                        cosf(stand->yaw) * cosf(stand->pitch)};
}

static sinew_vec3 right_of(const view_orbit_position *stand) {
    return (sinew_vec3){cosf(stand->yaw), 0.0f, -sinf(stand->yaw)};
}

static sinew_vec3 up_of(const view_orbit_position *stand) {
    return sinew_vec3_cross(back_of(stand), right_of(stand));
}

// ---- The mouse -----------------------------------------------------------------------------------------------

void view_orbit_turn(view_orbit *orbit, float dx, float dy) {
    view_orbit_position *goal = &orbit->goal;
    goal->yaw -= dx * TURN;
    goal->pitch = fminf(fmaxf(goal->pitch + dy * TURN, -MAX_PITCH), MAX_PITCH);
}

// Pans. A point at the center's depth stays under the pointer.
void view_orbit_pan(view_orbit *orbit, float dx, float dy) {
    view_orbit_position *goal = &orbit->goal;
    const float height = 2.0f * draw_camera_slope() * goal->distance;
    goal->center = sinew_vec3_add(goal->center, sinew_vec3_scale(right_of(goal), -dx * height));
    goal->center = sinew_vec3_add(goal->center, sinew_vec3_scale(up_of(goal), dy * height));
}

void view_orbit_zoom(view_orbit *orbit, float steps) {
    const float distance = orbit->goal.distance * powf(ZOOM_STEP, steps);
    orbit->goal.distance = fminf(fmaxf(distance, 0.05f * orbit->radius), 60.0f * orbit->radius);
}

// ---- Framing -------------------------------------------------------------------------------------------------

// Frames a box. A corner is visible if |x| <= slope * (distance - z), and likewise for y. The goal is the largest
// distance that a corner needs.
void view_orbit_frame(view_orbit *orbit, sinew_vec3 least, sinew_vec3 most) {
    view_orbit_position *goal = &orbit->goal;
    const sinew_vec3 half = sinew_vec3_scale(sinew_vec3_subtract(most, least), 0.5f);
    const sinew_vec3 back = back_of(goal), right = right_of(goal), up = up_of(goal);
    const float height_slope = draw_camera_slope() * orbit->high / MARGIN;
    const float width_slope = draw_camera_slope() * orbit->aspect * orbit->wide / MARGIN;
    float distance = 0.0f;
    for (int i = 0; i < 8; i++) {
        sinew_vec3 corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
        float x = fabsf(sinew_vec3_dot(corner, right)), y = fabsf(sinew_vec3_dot(corner, up)),
              z = sinew_vec3_dot(corner, back);
        distance = fmaxf(distance, fmaxf(x / width_slope, y / height_slope) + z);
    }
    const float radius = sinew_vec3_length(half);
    if (!(radius > 0.0f) || !isfinite(radius)) return;
    orbit->radius = radius;
    goal->distance = distance;
    goal->center = sinew_vec3_add(least, half);
}

void view_orbit_finish(view_orbit *orbit) {
    orbit->now = orbit->goal;
}

// ---- Easing --------------------------------------------------------------------------------------------------

// Returns the distance left to the goal: angles in radians, lengths relative to the camera's distance.
static float remaining(const view_orbit *orbit) {
    const view_orbit_position *now = &orbit->now, *goal = &orbit->goal;
    return fabsf(goal->yaw - now->yaw) + fabsf(goal->pitch - now->pitch) +
           fabsf(goal->distance / now->distance - 1.0f) +
           sinew_vec3_length(sinew_vec3_subtract(goal->center, now->center)) / now->distance;
}

bool view_orbit_is_still(const view_orbit *orbit) {
    return remaining(orbit) == 0.0f;
}

bool view_orbit_ease(view_orbit *orbit, float dt) {
    view_orbit_position *now = &orbit->now;
    const view_orbit_position *goal = &orbit->goal;
    const float t = 1.0f - expf(-RATE * dt);
    now->yaw += (goal->yaw - now->yaw) * t;
    now->pitch += (goal->pitch - now->pitch) * t;
    now->distance *= powf(goal->distance / now->distance, t); // exponential, to make zooming look even
    now->center = sinew_vec3_lerp(now->center, goal->center, t);
    if (remaining(orbit) > 0.0005f) return true;
    view_orbit_finish(orbit);
    return false;
}

// ---- The camera ----------------------------------------------------------------------------------------------

draw_camera view_orbit_camera(const view_orbit *orbit) {
    const view_orbit_position *now = &orbit->now;
    const sinew_vec3 eye = sinew_vec3_add(now->center, sinew_vec3_scale(back_of(now), now->distance));
    const float reach = 8.0f * orbit->radius;
    const float near = fmaxf(now->distance - reach, 0.02f * now->distance);
    draw_camera camera = draw_camera_look(eye, now->center, orbit->aspect, near, now->distance + 2.0f * reach);
    // Shift the picture to the part without panels: x += shift * w, where w is the last row.
    for (float *column = camera.view_projection.m; column < camera.view_projection.m + 16; column += 4) {
        column[0] += orbit->shift_x * column[3];
        column[1] += orbit->shift_y * column[3];
    }
    return camera;
}
