// SPDX-License-Identifier: MIT
// The keys of two clips side by side, in double: the poses of both, and bounds of how their difference bends.
#ifndef SINEWI_ERROR_TRACKS_H
#define SINEWI_ERROR_TRACKS_H

#include "core/clip_build.h"

// By how much a weight of a mode is rounded between keys: to the nearest integer, and by the float that it was before.
#define SINEWI_ERROR_HALF_STEP 0.505

// The most bytes of poses that are kept for each byte of a clip.
#define SINEWI_ERROR_POSE_BYTES 32.0

// One property of one node in the exact clip (0) and in the other one (1).
typedef struct sinewi_error_track {
    const float *keys[2]; // [key][part][width]; where the property is constant, its value
    bool moves[2];
    uint8_t width;
    uint8_t interpolation;
    int32_t timeline; // of the exact clip; -1: constant in both
    bool equal;       // in both clips
    bool projects;    // the other clip is straight between projections of its keys from `center`
    float center[4];  // unit
    // Of modes whose weights are rounded between keys: [part_count][3], by how much a unit of each moves the value or
    // projection. The first of them is the weight `first_part` among those of all modes of the clip.
    const double *parts;
    int32_t first_part, part_count;
    double steps; // the most by which all roundings together move it
} sinewi_error_track;

// Where a time is on a timeline: after `key`, which is -1 before the first one, by a fraction u of the interval.
typedef struct sinewi_error_moment {
    int32_t key;
    double u;
} sinewi_error_moment;

// The 3x3, row by row, and the translation.
typedef struct sinewi_error_matrix {
    double linear[9], translation[3];
} sinewi_error_matrix;

// An exact clip that others are compared with: what is known of it is kept.
typedef struct sinewi_exact_clip {
    const sinew_clip *clip;
    sinewi_arena arena;
    const float **keys; // [channel_count], of each channel
    double *times;      // [time_count], of all keys, sorted
    size_t time_count;
    sinewi_error_matrix
        *models; // [time_count][node_count], of the times that are known; NULL: they would be too many
    bool *known; // [time_count]
} sinewi_exact_clip;

typedef struct sinewi_error_tracks {
    const sinew_clip *exact;
    sinewi_error_track *of_nodes; // [SINEWI_GROUPS × node_count]
    int32_t *nodes;               // [count]: those that differ, and those above them; parents first
    int32_t count;
    int32_t part_count;  // the weights of modes of all rows
    double weight_error; // the largest difference of a morph weight or curve, at any time
} sinewi_error_tracks;

// Bounds of a quantity over an interval: of its norm, and of those of its first and second derivatives by the fraction of the
// interval; in both clips, and of their difference with weights that are not rounded. `steps` bounds what rounding the
// weights of modes adds by any fixed numbers up to SINEWI_ERROR_HALF_STEP, in proportion to them, and `rest` what else.
typedef struct sinewi_error_jet {
    double sides[2][3], apart[3], steps[3], rest;
} sinewi_error_jet;

// Bounds of a transform: of its 3x3 and of its translation.
typedef struct sinewi_error_motion {
    sinewi_error_jet linear, translation;
} sinewi_error_motion;

// A node of the other clip at a time: its matrix is translation × rotation × scale × shear.
typedef struct sinewi_error_joint {
    double rotation[9], scale[3], translation[3];
    sinewi_error_matrix shear;
    double rates[3][3]; // the rate at which the rotation turns, as each component of its projection moves; or zeros
} sinewi_error_joint;

// Reads an exact clip; free it in any case. Returns false if there is no memory.
bool sinewi_exact_clip_read(sinewi_exact_clip *exact, const sinew_clip *clip, const sinew_allocator *allocator);

void sinewi_exact_clip_free(sinewi_exact_clip *exact);

// Sorts times and drops repeated ones, which changes their number. Returns the array; NULL if there is no memory.
double *sinewi_error_sort_times(double *times, size_t *count, sinewi_arena *arena);

// Reads the other clip, which has the timelines of `exact`, or fewer. Memory is the arena's. Returns false if there is none.
bool sinewi_error_tracks_read(sinewi_error_tracks *tracks, const sinewi_exact_clip *exact, const sinew_clip *clip,
                              sinewi_arena *arena);

// The local transform of a node in one of the clips. moments [timeline_count].
sinewi_error_matrix sinewi_error_local(const sinewi_error_tracks *tracks, int32_t node, int side,
                                       const sinewi_error_moment *moments);

sinewi_error_joint sinewi_error_joint_at(const sinewi_error_tracks *tracks, int32_t node,
                                         const sinewi_error_moment *moments);

// Bounds the local transform of a node over an interval of `length` seconds without a key inside, from `moments` on. NULL:
// over all time, without derivatives.
sinewi_error_motion sinewi_error_bound(const sinewi_error_tracks *tracks, int32_t node,
                                       const sinewi_error_moment *moments, double length);

// Whether an arc after a key is sampled in two halves: where they meet, rotations of 16 bits change their rate at once.
bool sinewi_error_is_halved(const sinewi_error_track *track, int32_t key);

sinewi_error_matrix sinewi_error_multiply(const sinewi_error_matrix *a, const sinewi_error_matrix *b);

sinewi_error_jet sinewi_error_sum(const sinewi_error_jet *x, const sinewi_error_jet *y);

// The bounds of a product of two matrices, or of a matrix and a vector.
sinewi_error_jet sinewi_error_product(const sinewi_error_jet *x, const sinewi_error_jet *y);

#endif
