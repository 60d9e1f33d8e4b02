// SPDX-License-Identifier: MIT
// How far rounding the mode weights moves a point.
#ifndef SINEWI_ERROR_ROUNDING_H
#define SINEWI_ERROR_ROUNDING_H

#include "core/clip_error_tracks.h"

// The other clip's joints at one time.
typedef struct sinewi_error_rounding {
    sinewi_error_joint *joints;  // [node_count]
    sinewi_error_matrix *models; // [node_count]
    double *moved;               // [SINEWI_ERROR_VECTORS][3][part_count]
} sinewi_error_rounding;

// A node's position, and the columns of its 3x3.
#define SINEWI_ERROR_VECTORS 4

// Takes memory from the arena. Returns false if memory runs out.
bool sinewi_error_rounding_make(sinewi_error_rounding *rounding, const sinewi_error_tracks *tracks,
                                sinewi_arena *arena);

// Poses the joints.
void sinewi_error_rounding_pose(sinewi_error_rounding *rounding, const sinewi_error_tracks *tracks,
                                const sinewi_error_moment *moments);

// Bounds how far rounding moves any point within `distance` of a node, in meters in model space. Assumes that every
// weight is off by at most SINEWI_ERROR_HALF_STEP. The bound is proportional to these errors.
double sinewi_error_rounding_of(sinewi_error_rounding *rounding, const sinewi_error_tracks *tracks, int32_t node,
                                double distance);

#endif
