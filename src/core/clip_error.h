// SPDX-License-Identifier: MIT
// The error of a clip that stores keys inexactly.
#ifndef SINEWI_CLIP_ERROR_H
#define SINEWI_CLIP_ERROR_H

#include "core/clip_error_tracks.h"

// How two clips are compared.
typedef struct sinewi_error_measure {
    float point_distance; // metres, from each node to the points that move with it
    float limit;          // metres: a larger error ends the measurement
    bool decides;         // only whether the error is within the limit: the bound need not be close
    double
        *worst_time; // seconds: where to look first, and then the time of the largest error found; NULL: anywhere
} sinewi_error_measure;

// Bounds the distance, in metres in model space, at any time, between a point on a node in `clip` and the same point in `exact`,
// and the difference of any morph weight or curve. `clip` has the timelines of `exact`, or fewer. The bound is about 1 %
// above the largest distance, but looser for clips with few bytes that move very many nodes. Above the limit, it is some
// number above it. SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinewi_clip_measure_error(sinewi_exact_clip *exact, const sinew_clip *clip,
                                       const sinewi_error_measure *measure, float *error);

#endif
