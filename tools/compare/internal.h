// SPDX-License-Identifier: MIT
// Functions that the comparison's files share.
#ifndef COMPARE_INTERNAL_H
#define COMPARE_INTERNAL_H

#include "compare/compare.h"

// Bounds of a quantity over a time interval: of its norm, and of its first and second derivatives' norms. For A, for B,
// for the difference A - B, and for how much that changes in a viewer that doesn't normalize rotations.
typedef struct compare_jet {
    double a[3], b[3], d[3], e[3];
} compare_jet;

// Bounds of a node's transform: of its 3x3 (with the spectral norm) and of its translation.
typedef struct compare_motion {
    compare_jet linear, translation;
} compare_motion;

typedef struct compare_interval {
    const compare_body *body;
    const ref_channel *const *channels[2]; // [side][4 × node + path]; may be NULL
    const ref_pose *starts, *ends;         // [2]; poses at the start and just before the end
    double start, end;                     // there's no key in between
    double keys_apart;                     // length of the interval between keys that contains this one
    const double *stretches[2];            // [side][node]; see compare_stored; NULL if rotations are unit
    double *weights[2];                    // [4 × weights]; a buffer for compare_bound_motions
} compare_interval;

// How a viewer shows a clip if it uses rotations as they're stored. A's rotations that are far from unit count as glTF
// defines them. So do B's if they're the same. See stored.c.
typedef struct compare_stored {
    bool differs[2];      // a rotation on this side isn't unit
    bool *as_stored[2];   // [nodes]; the rotation is used as it's stored
    double *stretches[2]; // [nodes]; how far a key's length is from 1 at most; 0 if that changes nothing
    const int32_t *back;  // [nodes of B]; A's node, or -1
} compare_stored;

bool compare_stored_begin(compare_stored *s, const compare_body *body);

// Reads two clips' rotations. `channels` is compare_interval's.
void compare_stored_read(compare_stored *s, const compare_body *body, const ref_channel *const *channels[2]);

// Makes the pose that such a viewer shows for one side, from glTF's pose at that time.
void compare_stored_pose(const compare_stored *s, const compare_body *body, int side,
                         const ref_channel *const *channels, double time, const ref_pose *pose, ref_pose *out);

// Bounds the transforms of all matched nodes, in motions[nodes of A] and others[nodes of B] (only .b is set there).
void compare_bound_motions(const compare_interval *interval, compare_motion *motions, compare_motion *others);

// Bounds the second derivative of the displacement of a group's points.
double compare_bound_group(const compare_interval *interval, const compare_motion *motions,
                           const compare_group *group);

// Matches nodes in out[nodes of A], see compare_match. Returns false if memory runs out.
bool compare_match_nodes(sinewi_arena *arena, const ref_model *a, const ref_model *b, int32_t *out);

// Sets body->unfolded. It's `rest` itself if no scale is near 0. Returns false if memory runs out.
bool compare_unfold(compare_body *body, const ref_pose *rest);

// Sets body->size and its source from A's measured vertices and nodes. Returns false if memory runs out.
bool compare_measure_size(compare_body *body);

// A bone that moves a vertex, with its weight in both files.
typedef struct compare_influence {
    int32_t bone;
    double weights[2];
} compare_influence;

int32_t compare_influence_count(const compare_part *part);
compare_influence compare_influence_of(const compare_part *part, int32_t vertex, int32_t index);

// Writes a vertex with its morph targets. Without a pose, leaves them out.
void compare_morphed(const compare_body *body, const compare_part *part, int side, const ref_pose *pose,
                     int32_t vertex, double out[3]);

// Writes B's primitive with its vertices in A's order to `sorted`, or NULL if some don't correspond. Corresponding
// vertices are at most `radius` apart in the rest pose. Returns false if memory runs out.
bool compare_sort_vertices(compare_body *body, const compare_part *part, const ref_pose rest[2], double radius,
                           const ref_primitive **sorted);

double compare_distance(const double a[3], const double b[3]);

// Computes matrix × point. NULL is the identity.
void compare_transform(const double *matrix, const double point[3], double out[3]);

#endif
