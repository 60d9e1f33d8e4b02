// SPDX-License-Identifier: MIT
// A walking character as a skeleton and a clip, from formulas in double precision, for tests of root motion.
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

// By `radians` about an axis of length 1.
rotation about(double x, double y, double z, double radians);

sinew_quat quat_of(rotation q);

// ---- A character that goes ----------------------------------------------------------------------------------

// How a node goes over the ground in model space, +Y up: where it is and how it is turned.
typedef struct gait {
    double speed;    // metres a second, the way it faces
    double turning;  // radians a second
    double aside;    // metres a second to its left, +x where it faces +z
    double sway;     // how far it swings up and tilts, and comes back, once a clip
    double duration; // seconds
    place start;
} gait;

typedef struct stand {
    place at;
    rotation turn; // without the tilt
    rotation tilt;
} stand;

// The node at a time. A circle where it turns: facing (sin h, cos h), it goes by the integral of that.
stand stand_at(const gait *g, double time);

extern const gait straight, circle, drifting, strafe;

// The time of a key of its clip, where the clip lies on the curve: between keys lines are straight.
double key_time(const gait *g, int key);

// What stands above the node: nothing; turned and scaled as Blender and Mixamo do it; or anyhow.
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

// The keys of a gait, as the parent of the node sees it.
sinew_clip *make_gait(const sinew_skeleton *skeleton, const gait *g, above a);

// x, z and yaw of the hips.
sinew_root_motion_def def_of(const sinew_skeleton *skeleton);
sinewi_root root_of(const sinew_root_motion_def *def);

actor make_actor(const gait *g, above a);
void free_actor(actor *a);

sinew_asset *load_file(const char *folder, const char *name);

// ---- Journeys ------------------------------------------------------------------------------------------------

// What the character's own origin does, seen from its start: it carries the node along, rigidly.
typedef struct journey {
    double x, z, heading;
} journey;

journey journey_at(const gait *g, double time);

// First `a`, then `b` from there.
journey then(journey a, journey b);
journey back(journey a);

// A game adds up what it is handed.
journey and_delta(journey j, sinew_root_delta delta);

void check_journey(journey j, journey expected, double tolerance);

// ---- Motions -------------------------------------------------------------------------------------------------

sinewi_motion motion_on(const actor *a, double from, double to, bool backward, sinew_loop loop);
sinew_root_delta delta_on(const actor *a, double from, double to, bool backward, sinew_loop loop);

// Up is y.
sinewi_motion motion(double ahead, double aside, double up, double yaw);
void check_motions(sinewi_motion a, sinewi_motion b, double tolerance);

#endif
