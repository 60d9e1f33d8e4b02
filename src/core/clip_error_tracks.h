// SPDX-License-Identifier: MIT
// Two clips' keys side by side, in double: the poses of both, and bounds for how their difference bends.
#ifndef SINEWI_ERROR_TRACKS_H
#define SINEWI_ERROR_TRACKS_H

#include "core/clip_build.h"

// How much a mode weight is rounded between keys. It is rounded to an integer, from a float that was already rounded.
#define SINEWI_ERROR_HALF_STEP 0.505

// Keeps at most this many bytes of poses per byte of a clip.
#define SINEWI_ERROR_POSE_BYTES 32.0

// One property of a node in the exact clip (0) and in the other one (1).
typedef struct sinewi_error_track {
    const float *keys[2]; // [key][part][width]: a constant property only has its value
    bool moves[2];
    uint8_t width;
    uint8_t interpolation;
    int32_t timeline; // in the exact clip. -1 if constant in both.
    bool equal;       // the same in both clips
    bool projects;    // the other clip is straight between projections of its keys from `center`
    float center[4];  // a unit quaternion
    // Modes with weights that are rounded between keys: [part_count][3], how far one unit of each weight moves the
    // value or projection. Their weights start at `first_part` in the weights of all the clip's modes.
    const double *parts;
    int32_t first_part, part_count;
    double steps; // the most that all rounding errors together move it
} sinewi_error_track;

// A time on a timeline: a fraction u of the interval after `key`. `key` is -1 before the first key.
typedef struct sinewi_error_moment {
    int32_t key;
    double u;
} sinewi_error_moment;

// The 3x3 row by row, and the translation.
typedef struct sinewi_error_matrix {
    double linear[9], translation[3];
} sinewi_error_matrix;

// The exact clip. Keeps what is known about it, for comparing with several clips.
typedef struct sinewi_exact_clip {
    const sinew_clip *clip;
    sinewi_arena arena;
    const float **keys; // [channel_count]: keys of each channel
    double *times;      // [time_count]: all key times, sorted
    size_t time_count;
    sinewi_error_matrix
        *models; // [time_count][node_count]: poses at known times. NULL if they would take too much memory.
    bool *known; // [time_count]
} sinewi_exact_clip;

typedef struct sinewi_error_tracks {
    const sinew_clip *exact;
    sinewi_error_track *of_nodes; // [SINEWI_GROUPS × node_count]
    int32_t *nodes;               // [count]: nodes that differ, and those above them, parents first
    int32_t count;
    int32_t part_count;  // number of mode weights in all rows
    double weight_error; // largest difference of a morph weight or curve over all times
} sinewi_error_tracks;

// Bounds for a quantity over an interval: its norm and the norms of its first and second derivatives, relative to the
// interval. It has both clips and their difference without rounded weights. `steps` bounds what rounding the mode
// weights adds for fixed errors up to SINEWI_ERROR_HALF_STEP, and is proportional to them. `rest` bounds the remainder.
typedef struct sinewi_error_jet {
    double sides[2][3], apart[3], steps[3], rest;
} sinewi_error_jet;

// Bounds for a transform's 3x3 and translation.
typedef struct sinewi_error_motion {
    sinewi_error_jet linear, translation;
} sinewi_error_motion;

// A node of the other clip at a time. Its matrix is translation × rotation × scale × shear.
typedef struct sinewi_error_joint {
    double rotation[9], scale[3], translation[3];
    sinewi_error_matrix shear;
    double rates[3][3]; // how fast the rotation turns as each component of its projection moves. Zeros without a
                        // projection.
} sinewi_error_joint;

// Reads an exact clip. You must free it even if this fails. Returns false if memory runs out.
bool sinewi_exact_clip_read(sinewi_exact_clip *exact, const sinew_clip *clip, const sinew_allocator *allocator);

void sinewi_exact_clip_free(sinewi_exact_clip *exact);

// Sorts times and removes duplicates, which changes their number. Returns the array, or NULL if memory runs out.
double *sinewi_error_sort_times(double *times, size_t *count, sinewi_arena *arena);

// Reads the other clip, which must have the timelines of `exact`, or fewer. The memory comes from the arena. Returns
// false if memory runs out.
bool sinewi_error_tracks_read(sinewi_error_tracks *tracks, const sinewi_exact_clip *exact, const sinew_clip *clip,
                              sinewi_arena *arena);

// Returns a node's local transform in one of the clips. moments [timeline_count].
sinewi_error_matrix sinewi_error_local(const sinewi_error_tracks *tracks, int32_t node, int side,
                                       const sinewi_error_moment *moments);

sinewi_error_joint sinewi_error_joint_at(const sinewi_error_tracks *tracks, int32_t node,
                                         const sinewi_error_moment *moments);

// Bounds a node's local transform over an interval of `length` seconds, starting at `moments`. No key may be inside.
// NULL bounds it over all times, without derivatives.
sinewi_error_motion sinewi_error_bound(const sinewi_error_tracks *tracks, int32_t node,
                                       const sinewi_error_moment *moments, double length);

// Returns whether the arc after a key is sampled in two halves. Where they meet, 16-bit rotations change their rate
// abruptly.
bool sinewi_error_is_halved(const sinewi_error_track *track, int32_t key);

sinewi_error_matrix sinewi_error_multiply(const sinewi_error_matrix *a, const sinewi_error_matrix *b);

sinewi_error_jet sinewi_error_sum(const sinewi_error_jet *x, const sinewi_error_jet *y);

// Bounds the product of two matrices, or of a matrix and a vector.
sinewi_error_jet sinewi_error_product(const sinewi_error_jet *x, const sinewi_error_jet *y);

#endif
