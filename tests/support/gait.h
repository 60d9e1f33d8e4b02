// SPDX-License-Identifier: MIT
// A walking character's skeleton and clip, from formulas in double precision, for tests of root motion.
#ifndef GAIT_H
#define GAIT_H

#include "support/check.h"

#include "core/root_motion.h"

// ---- Double, by hand -----------------------------------------------------------------------------------------

typedef struct place {
    double x, y, z;
} place;

typedef struct rotation {
    double x, y, z, w;
} rotation;

rotation times(rotation a, rotation b);
rotation opposite(rotation q);
place rotate(rotation q, place p);

// Rotates by `radians` about a unit axis.
rotation about(double x, double y, double z, double radians);

sinew_quat quat_of(rotation q);

// ---- A character that goes ----------------------------------------------------------------------------------

// How a node moves over the ground in model space, +Y up: its position and rotation.
typedef struct gait {
    double speed;    // metres per second, the way it faces
    double turning;  // radians per second
    double aside;    // metres per second to its left, +x when it faces +z
    double sway;     // how far it swings up and tilts and returns, once per clip
    double duration; // seconds
    place start;
} gait;

typedef struct stand {
    place at;
    rotation turn; // without the tilt
    rotation tilt;
} stand;

// The node at a time. It walks a circle if it turns: the integral of facing (sin h, cos h).
stand stand_at(const gait *g, double time);

extern const gait straight, circle, drifting, strafe;

// The time of a key. Keys are on the curve; between them the clip is linear.
double key_time(const gait *g, int key);

// The node above: none; turned and scaled like in Blender and Mixamo; or arbitrary.
typedef struct above {
    rotation turn;
    place at;
    double scale;
} above;

extern const above nothing;

typedef struct actor {
    sinew_skeleton *skeleton;
    sinew_clip *clip;
    sinewi_root root;
} actor;

enum { HIPS = 1, KEYS = 65 };

sinew_skeleton *make_body(above a);

// A gait's keys, relative to the node's parent.
sinew_clip *make_gait(const sinew_skeleton *skeleton, const gait *g, above a);

// Extracts the hips' x, z and yaw.
sinew_root_motion_def def_of(const sinew_skeleton *skeleton);
sinewi_root root_of(const sinew_root_motion_def *def);

actor make_actor(const gait *g, above a);
void free_actor(actor *a);

sinew_asset *load_file(const char *folder, const char *name);

// ---- Journeys ------------------------------------------------------------------------------------------------

// The motion of the character's own origin, relative to its start. It carries the node rigidly.
typedef struct journey {
    double x, z, heading;
} journey;

journey journey_at(const gait *g, double time);

// `a`, then `b` relative to its end.
journey then(journey a, journey b);
journey back(journey a);

// Adds a delta like a game does.
journey and_delta(journey j, sinew_root_delta delta);

void check_journey(journey j, journey expected, double tolerance);

// ---- Motions -------------------------------------------------------------------------------------------------

sinewi_motion motion_on(const actor *a, double from, double to, bool backward, sinew_loop loop);
sinew_root_delta delta_on(const actor *a, double from, double to, bool backward, sinew_loop loop);

// Up is y.
sinewi_motion motion(double ahead, double aside, double up, double yaw);
void check_motions(sinewi_motion a, sinewi_motion b, double tolerance);

#endif
