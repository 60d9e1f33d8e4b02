// What is behind a blend space's public face, shared by the files that make it and that weigh its samples.
#ifndef SINEW_BLEND_SPACE_DATA_H
#define SINEW_BLEND_SPACE_DATA_H

#include <sinew/blend_space.h>

#include "blend_space/sync_phase.h"

// Where a velocity is by length and direction, and the way from one such place to another.
typedef struct strip_place {
    double along;  // its length, in mean lengths
    double around; // its angle from (1, 0), counter-clockwise, in half radians
} strip_place;

// A sample of a directional space that is not at (0, 0).
typedef struct blend_velocity {
    int32_t sample;
    double length; // above 0
    strip_place place;
} blend_velocity;

// A side of a triangle that no other one has; the triangle is to its left.
typedef struct blend_edge {
    int32_t from, to; // samples
} blend_edge;

typedef struct sinew_blend_space_data {
    const sinew_sync_intervals *intervals; // [sample_count], by the sync names
    const char *const *sync_names;         // [sync_name_count]
    int32_t sync_name_count;
    double extent; // the longer side of the box around all samples
    double pull;   // of the spring that a parameter hangs on, 1/s; 0: it follows at once

    // LINE
    const int32_t *by_x; // [sample_count], the samples from left to right

    // TRIANGLES
    const blend_edge *outline; // [outline_count]
    int32_t outline_count;

    // DIRECTIONAL
    const blend_velocity *velocities; // [sample_count - 1]
    int32_t still;                    // the sample at (0, 0)
    double shortest, longest;         // of the velocities
    double mean_length;

    sinew_allocator allocator;
} sinew_blend_space_data;

// The triangles of Delaunay of points that differ, at most 2 × sample_count; returns how many, 0 where all points
// lie on a line. `ranks` is room for sample_count numbers.
int32_t sinew_blend_triangulate(const sinew_blend_sample *samples, int32_t sample_count,
                                sinew_blend_triangle *triangles, int32_t *ranks);

// The edges around all triangles, at most as many as there are samples; returns how many.
int32_t sinew_blend_outline(const sinew_blend_triangle *triangles, int32_t triangle_count, blend_edge *outline);

// Shares of the samples, all of them 0 before, in proportion to each other.
void sinew_blend_triangle_shares(const sinew_blend_space *space, float x, float y, double *shares);
void sinew_blend_direction_shares(const sinew_blend_space *space, float x, float y, double *shares);

// Fills the velocities and what goes with them. False, with the samples in `a` and `b`, where two have the same
// angle and length.
bool sinew_blend_find_velocities(const sinew_blend_sample *samples, int32_t sample_count,
                                 blend_velocity *velocities, sinew_blend_space_data *data, int32_t *a, int32_t *b);

#endif
