// The window's camera: it goes round a point, and eases to where it is sent.
#ifndef VIEWER_ORBIT_H
#define VIEWER_ORBIT_H

#include "render/camera.h"

// Where a camera stands.
typedef struct view_stand {
    float yaw, pitch; // radians: from the front (+Z) toward +X, and upward
    float distance;   // metres from the centre
    sinew_vec3 center;
} view_stand;

typedef struct view_orbit {
    view_stand now, goal;
    float radius;           // of what is looked at: bounds how near and far the camera goes
    float aspect;           // width / height of the picture
    float wide, high;       // the part of the picture that nothing covers, as factors of its width and height
    float shift_x, shift_y; // that part's middle, from -1 to 1 to the right and upward
} view_orbit;

// Three quarters from the front and a little from above.
view_orbit view_orbit_start(void);

// Tells it the picture, and what of it is free: `left`, `right` and `bottom` pixels of it are covered.
void view_orbit_set_picture(view_orbit *orbit, int width, int height, int left, int right, int bottom);

// What the mouse does. Distances are in heights of the picture, to the right and downward; a step of the wheel
// toward the picture is 1.
void view_orbit_turn(view_orbit *orbit, float dx, float dy);
void view_orbit_pan(view_orbit *orbit, float dx, float dy);
void view_orbit_zoom(view_orbit *orbit, float steps);

// Moves it with what it looks at, at once.
void view_orbit_follow(view_orbit *orbit, sinew_vec3 way);

// Sends it to where it sees a whole box from its present direction.
void view_orbit_frame(view_orbit *orbit, sinew_vec3 least, sinew_vec3 most);

// Puts it where it was sent, at once.
void view_orbit_arrive(view_orbit *orbit);

// Brings it nearer to its goal; false once it is there. How near depends on the time and not on the frame rate.
bool view_orbit_ease(view_orbit *orbit, float dt);

// Whether it is where it was sent.
bool view_orbit_rests(const view_orbit *orbit);

draw_camera view_orbit_camera(const view_orbit *orbit);

#endif
