// SPDX-License-Identifier: MIT
// Functions that the files of the comparison share.
#ifndef COMPARE_INTERNAL_H
#define COMPARE_INTERNAL_H

#include "compare/compare.h"

// Bounds of a quantity over an interval of time: of its norm and of those of its first and second derivatives; in A, in B,
// of the difference A - B, and of how much that difference changes in a viewer that does not normalize rotations.
typedef struct compare_jet {
    double a[3], b[3], d[3], e[3];
} compare_jet;

// Bounds of the transform of a node: of its 3x3 (by the spectral norm) and of its translation.
typedef struct compare_motion {
    compare_jet linear, translation;
} compare_motion;

typedef struct compare_interval {
    const compare_body *body;
    const ref_channel *const *channels[2]; // [side][4 × node + path]; NULL: no channel
    const ref_pose *starts, *ends;         // [2]: the poses at the start, and just before the end
    double start, end;                     // no key is in between
    double keys_apart;                     // the length of the interval between keys that holds this one
    const double *stretches[2];            // [side][node]: see compare_stored; NULL: rotations are unit
    double *weights[2];                    // [4 × weights]: a buffer for compare_bound_motions
} compare_interval;

// How a viewer shows a clip that takes rotations as they are stored. Those of A that are far from unit count as what glTF
// means; so do those of B that are the same. stored.c.
typedef struct compare_stored {
    bool differs[2];      // some rotation of the side is not unit
    bool *as_stored[2];   // [nodes]: the rotation is taken as it is stored
    double *stretches[2]; // [nodes]: the largest difference of the length of a key from 1; 0: it changes nothing
    const int32_t *back;  // [nodes of B]: the node of A; -1: none
} compare_stored;

bool compare_stored_begin(compare_stored *s, const compare_body *body);

// Reads the rotations of two clips. `channels` is that of compare_interval.
void compare_stored_read(compare_stored *s, const compare_body *body, const ref_channel *const *channels[2]);

// Makes the pose of a side that such a viewer shows, from that of glTF at a time.
void compare_stored_pose(const compare_stored *s, const compare_body *body, int side,
                         const ref_channel *const *channels, double time, const ref_pose *pose, ref_pose *out);

// Bounds the transforms of all matched nodes. motions[nodes of A], others[nodes of B] (only .b is filled there).
void compare_bound_motions(const compare_interval *interval, compare_motion *motions, compare_motion *others);

// Bounds the second derivative of the displacement of a group's points.
double compare_bound_group(const compare_interval *interval, const compare_motion *motions,
                           const compare_group *group);

// Matches nodes in out[nodes of A]: see compare_match. Returns false if memory runs out.
bool compare_match_nodes(sinewi_arena *arena, const ref_model *a, const ref_model *b, int32_t *out);

// Sets body->unfolded: `rest` itself if no scale is near 0. Returns false if memory runs out.
bool compare_unfold(compare_body *body, const ref_pose *rest);

// Sets body->size and its source from the measured vertices and the nodes of A. Returns false if memory runs out.
bool compare_measure_size(compare_body *body);

// A bone of a vertex, with its weight in both files.
typedef struct compare_influence {
    int32_t bone;
    double weights[2];
} compare_influence;

int32_t compare_influence_count(const compare_part *part);
compare_influence compare_influence_of(const compare_part *part, int32_t vertex, int32_t index);

// Writes a vertex with its morph targets; without a pose, without them.
void compare_morphed(const compare_body *body, const compare_part *part, int side, const ref_pose *pose,
                     int32_t vertex, double out[3]);

// Writes B's primitive with its vertices in the order of those of A to `sorted`; NULL if some do not correspond. Vertices that
// correspond are at most `radius` apart in the rest pose. Returns false if memory runs out.
bool compare_sort_vertices(compare_body *body, const compare_part *part, const ref_pose rest[2], double radius,
                           const ref_primitive **sorted);

double compare_distance(const double a[3], const double b[3]);

// matrix × point; NULL: the identity.
void compare_transform(const double *matrix, const double point[3], double out[3]);

#endif
