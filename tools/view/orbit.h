// SPDX-License-Identifier: MIT
// The window's orbit camera: circles a center and eases to its goal.
#ifndef VIEWER_ORBIT_H
#define VIEWER_ORBIT_H

#include "render/camera.h"

// A position of the camera.
typedef struct view_orbit_position {
    float yaw, pitch; // radians: from the front (+Z) toward +X, and upward
    float distance;   // metres from the centre
    sinew_vec3 center;
} view_orbit_position;

typedef struct view_orbit {
    view_orbit_position now, goal;
    float radius;           // of the framed box; limits the distance
    float aspect;           // width / height of the picture
    float wide, high;       // the part of the picture without panels, as factors of its width and height
    float shift_x, shift_y; // that part's center, from -1 to 1 to the right and upward
} view_orbit;

// The default camera: a three-quarter view, slightly from above.
view_orbit view_orbit_start(void);

// Sets the size of the picture, and the pixels at its `left` and `bottom` that panels cover.
void view_orbit_set_picture(view_orbit *orbit, int width, int height, int left, int bottom);

// Mouse controls. Distances are in heights of the picture, to the right and downward; a step of the wheel away from the
// user is 1.
void view_orbit_turn(view_orbit *orbit, float dx, float dy);
void view_orbit_pan(view_orbit *orbit, float dx, float dy);
void view_orbit_zoom(view_orbit *orbit, float steps);

// Sets the goal so that a whole box is visible from the current direction.
void view_orbit_frame(view_orbit *orbit, sinew_vec3 least, sinew_vec3 most);

// Moves the camera to its goal, at once.
void view_orbit_finish(view_orbit *orbit);

// Eases the camera to its goal; false once it is there. Independent of the frame rate.
bool view_orbit_ease(view_orbit *orbit, float dt);

// Whether the camera is at its goal.
bool view_orbit_is_still(const view_orbit *orbit);

draw_camera view_orbit_camera(const view_orbit *orbit);

#endif
