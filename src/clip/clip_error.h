// SPDX-License-Identifier: MIT
// The error of a clip that stores keys inexactly.
#ifndef SINEW_CLIP_ERROR_H
#define SINEW_CLIP_ERROR_H

#include <sinew/clip.h>

// Where two clips are compared.
typedef struct sinew_error_measure {
    float point_distance;   // metres, from each node to its three virtual points
    int32_t times_of_a_key; // evaluated from each key to the next
    float limit;            // metres: a larger error ends the measurement
} sinew_error_measure;

// Measures the largest distance, in metres in model space, between a point on a node in `clip` and the same point in
// `exact`, a clip of the same timelines: up to the limit; above it, some distance above it. SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinew_clip_measure_error(const sinew_clip *exact, const sinew_clip *clip,
                                      const sinew_error_measure *measure, const sinew_allocator *allocator,
                                      float *error);

#endif
