// SPDX-License-Identifier: MIT
// The private part of a blend space, shared by the files that create it and compute its weights.
#ifndef SINEWI_BLEND_SPACE_DATA_H
#define SINEWI_BLEND_SPACE_DATA_H

#include <sinew/blend_space.h>

#include "core/blend_space_phase.h"

// A velocity in polar coordinates, or a difference of two.
typedef struct polar_point {
    double along;  // length, relative to the mean length
    double around; // counter-clockwise angle from (1, 0) in half radians
} polar_point;

// A sample of a directional space, other than the idle one at (0, 0).
typedef struct blend_velocity {
    int32_t sample;
    double length; // above 0
    polar_point point;
} blend_velocity;

// The band from a sample to another one.
typedef struct blend_band {
    polar_point other; // relative to the sample
    double square;     // of its length
} blend_band;

// An edge that only one triangle has. The triangle is on its left.
typedef struct blend_edge {
    int32_t from, to; // samples
} blend_edge;

typedef struct sinew_blend_space_data {
    const sinewi_sync_intervals *intervals; // [sample_count], from the sync names
    const char *const *sync_names;          // [sync_name_count]
    int32_t sync_name_count;
    double extent; // the longer side of the box around all samples
    double pull;   // spring constant of the damping in 1/s. 0 without damping.

    // LINE
    const int32_t *by_x; // [sample_count]: samples from left to right

    // TRIANGLES
    const blend_edge *outline; // [outline_count]
    int32_t outline_count;

    // DIRECTIONAL
    const blend_velocity *velocities; // [sample_count - 1]
    const blend_band *bands;          // for each velocity: two to each other one, the nearest first
    int32_t idle;                     // the sample at (0, 0)
    double shortest, longest;         // of all velocities
    double mean_length;

    sinew_allocator allocator;
} sinew_blend_space_data;

// Computes the Delaunay triangles of distinct points, at most 2 × sample_count. Returns their number, or 0 if all
// points are on a line. `ranks` is scratch memory for sample_count numbers.
int32_t sinewi_blend_triangulate(const sinew_blend_sample *samples, int32_t sample_count,
                                 sinew_blend_triangle *triangles, int32_t *ranks);

// Finds the outer edges of the triangles and returns their number. There are at most as many as samples.
int32_t sinewi_blend_outline(const sinew_blend_triangle *triangles, int32_t triangle_count, blend_edge *outline);

// Compute the samples' weights without normalizing them. The weights must be 0 initially.
void sinewi_blend_triangle_weights(const sinew_blend_space *space, float x, float y, double *weights);
void sinewi_blend_direction_weights(const sinew_blend_space *space, float x, float y, double *weights);

// Computes the stride at (x, y), where the samples have these weights.
sinew_blend_stride sinewi_blend_stride(const sinew_blend_space *space, float x, float y,
                                       const sinew_blend_weight *weights, int32_t count);

// Returns how many bands a directional space has.
static inline size_t sinewi_blend_band_count(int32_t sample_count) {
    const size_t velocities = (size_t)sample_count - 1;
    return velocities * 2 * (velocities - 1);
}

// Fills the fields of a directional space. If two samples have the same angle and length, returns false and stores them
// in `a` and `b`.
bool sinewi_blend_find_velocities(const sinew_blend_sample *samples, int32_t sample_count,
                                  blend_velocity *velocities, blend_band *bands, sinew_blend_space_data *data,
                                  int32_t *a, int32_t *b);

// Reports a sample whose speed is 0.
sinew_result sinewi_blend_fail_speed(int32_t sample, sinew_error *error);

#endif
