// SPDX-License-Identifier: MIT
// Poses in double precision, and how far their virtual points move: what the continuity contract is measured with.
//
// Each node has four points: its origin, and one on each of its local axes, a tenth of the model's height away in the
// rest pose. They are fixed to the node, so that they show its rotation and its scale.
#ifndef POSE_BOUNDS_H
#define POSE_BOUNDS_H

#include <sinew/sinew.h>

// A local transform. Rotations are unit.
typedef struct local_transform {
    double t[3], q[4], s[3];
} local_transform;

// A local transform's change: metres, a rotation vector in radians in the parent's space, and the change of the scale.
typedef struct local_motion {
    double t[3], r[3], s[3];
} local_motion;

enum { NODE_POINTS = 4 };

typedef struct node_points {
    double at[NODE_POINTS][3]; // in model space; the origin first
} node_points;

// ---- Rotations -----------------------------------------------------------------------------------------------

double quat_dot(const double a[4], const double b[4]);
void quat_product(const double a[4], const double b[4], double out[4]);
void quat_negate(double q[4]);

// Makes a quaternion unit; the identity if it is 0.
void quat_unit(double q[4]);

// The angle between two rotations in radians, in [0, pi].
double quat_angle(const double a[4], const double b[4]);

// ---- Transforms ----------------------------------------------------------------------------------------------

// Copies a pose. Rotations are made unit.
void read_pose(const sinew_pose *pose, local_transform *out);

// Returns the motion from one transform to another, by the shorter arc.
local_motion motion_between(const local_transform *from, const local_transform *to);

// The same with the rotation vector that is closest to `near`: the longer arc, if the angle has passed half a turn.
local_motion motion_near(const local_transform *from, const local_transform *to, const local_motion *near);

// Adds `factor` times a motion to a transform.
local_transform transform_moved(const local_transform *from, const local_motion *by, double factor);

local_motion motion_scaled(const local_motion *a, double factor);
local_motion motion_sum(const local_motion *a, const local_motion *b);

// ---- Points --------------------------------------------------------------------------------------------------

// A skeleton and the sizes of its rest pose.
typedef struct pose_points {
    const sinew_skeleton *skeleton;
    double height;       // of the box around all origins, its longest side; 1 if it is 0
    double (*axis)[3];   // [nodes], the factors by which the columns of model matrices are multiplied
    double (*model)[12]; // [nodes], scratch
} pose_points;

void pose_points_create(pose_points *points, const sinew_skeleton *skeleton);
void pose_points_destroy(pose_points *points);

// Computes the points of all nodes.
void points_of_pose(const pose_points *points, const local_transform *pose, node_points *out);
void points_of_model(const pose_points *points, const sinew_affine *model, node_points *out);

double points_distance(const double a[3], const double b[3]);

#endif
