// SPDX-License-Identifier: MIT
// How far the rounding of the weights of modes moves a point.
#ifndef SINEWI_ERROR_ROUNDING_H
#define SINEWI_ERROR_ROUNDING_H

#include "core/clip_error_tracks.h"

// The joints of the other clip at one time.
typedef struct sinewi_error_rounding {
    sinewi_error_joint *joints;  // [node_count]
    sinewi_error_matrix *models; // [node_count]
    double *moved;               // [SINEWI_ERROR_VECTORS][3][part_count]
} sinewi_error_rounding;

// A node's position, and the columns of its 3x3.
#define SINEWI_ERROR_VECTORS 4

// Takes memory from the arena. Returns false if there is none.
bool sinewi_error_rounding_make(sinewi_error_rounding *rounding, const sinewi_error_tracks *tracks,
                                sinewi_arena *arena);

// Poses the joints.
void sinewi_error_rounding_pose(sinewi_error_rounding *rounding, const sinewi_error_tracks *tracks,
                                const sinewi_error_moment *moments);

// Bounds the displacement of any point up to a distance from a node, in metres in model space, by roundings of all weights
// up to SINEWI_ERROR_HALF_STEP each, in proportion to them.
double sinewi_error_rounding_of(sinewi_error_rounding *rounding, const sinewi_error_tracks *tracks, int32_t node,
                                double distance);

#endif
