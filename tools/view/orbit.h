// SPDX-License-Identifier: MIT
// The window's orbit camera. It circles a center and eases to its goal.
#ifndef VIEWER_ORBIT_H
#define VIEWER_ORBIT_H

#include "render/camera.h"

typedef struct view_orbit_position {
    float yaw, pitch; // from the front (+Z) toward +X, and upward; in radians
    float distance;   // meters from the center
    sinew_vec3 center;
} view_orbit_position;

typedef struct view_orbit {
    view_orbit_position now, goal;
    float radius;           // the framed box's; limits the distance
    float aspect;           // the picture's width / height
    float wide, high;       // size of the part without panels, as fractions of the picture's width and height
    float shift_x, shift_y; // that part's center, from -1 to 1 to the right and up
} view_orbit;

// Returns the default camera: a three-quarter view, slightly from above.
view_orbit view_orbit_start(void);

// Sets the picture's size, and how many pixels on its `left` and `bottom` panels cover.
void view_orbit_set_picture(view_orbit *orbit, int width, int height, int left, int bottom);

// Mouse controls. Distances are in picture heights, to the right and down. One wheel step away from the user is 1.
void view_orbit_turn(view_orbit *orbit, float dx, float dy);
void view_orbit_pan(view_orbit *orbit, float dx, float dy);
void view_orbit_zoom(view_orbit *orbit, float steps);

// Sets the goal to show a whole box from the current direction.
void view_orbit_frame(view_orbit *orbit, sinew_vec3 least, sinew_vec3 most);

// Moves the camera to its goal at once.
void view_orbit_finish(view_orbit *orbit);

// Eases the camera to its goal, independent of the frame rate. Returns false once it's there.
bool view_orbit_ease(view_orbit *orbit, float dt);

// Returns whether the camera is at its goal.
bool view_orbit_is_still(const view_orbit *orbit);

draw_camera view_orbit_camera(const view_orbit *orbit);

#endif
