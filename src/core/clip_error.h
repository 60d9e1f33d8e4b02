// SPDX-License-Identifier: MIT
// Measures the error of a clip that stores keys inexactly.
#ifndef SINEWI_CLIP_ERROR_H
#define SINEWI_CLIP_ERROR_H

#include "core/clip_error_tracks.h"

// Options for comparing two clips.
typedef struct sinewi_error_measure {
    float point_distance; // from each node to the points that move with it, in meters
    float limit;          // in meters. A larger error stops the measurement.
    bool decides;         // only decide whether the error is within the limit, so the bound can be loose
    double *worst_time;   // in seconds. Looks here first, then holds the time of the largest error. NULL starts
                          // anywhere.
} sinewi_error_measure;

// Bounds the largest distance over all times between a point on a node in `clip` and the same point in `exact`, in
// meters in model space. Also covers the difference of any morph weight or curve. `clip` must have the timelines of
// `exact`, or fewer.
//
// The bound is roughly 1% above the largest distance. It is looser for clips with few bytes that move very many nodes.
// Above the limit, the result is just some number above it. Can fail with SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinewi_clip_measure_error(sinewi_exact_clip *exact, const sinew_clip *clip,
                                       const sinewi_error_measure *measure, float *error);

#endif
