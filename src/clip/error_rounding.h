// SPDX-License-Identifier: MIT
// How far the rounding of the weights of modes moves a point.
#ifndef SINEW_ERROR_ROUNDING_H
#define SINEW_ERROR_ROUNDING_H

#include "clip/error_tracks.h"

// The joints of the other clip at one time.
typedef struct sinew_error_rounding {
    sinew_error_joint *joints;  // [node_count]
    sinew_error_matrix *models; // [node_count]
    double *moved;              // [SINEW_ERROR_VECTORS][3][part_count]
} sinew_error_rounding;

// A node's position, and the columns of its 3x3.
#define SINEW_ERROR_VECTORS 4

// Takes memory from the arena. Returns false if there is none.
bool sinew_error_rounding_make(sinew_error_rounding *rounding, const sinew_error_tracks *tracks,
                               sinew_arena *arena);

// Poses the joints.
void sinew_error_rounding_pose(sinew_error_rounding *rounding, const sinew_error_tracks *tracks,
                               const sinew_error_moment *moments);

// Bounds the displacement of any point up to a distance from a node, in metres in model space, by roundings of all weights
// up to SINEW_ERROR_HALF_STEP each, in proportion to them.
double sinew_error_rounding_of(sinew_error_rounding *rounding, const sinew_error_tracks *tracks, int32_t node,
                               double distance);

#endif
