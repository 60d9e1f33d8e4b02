// SPDX-License-Identifier: MIT
// Evaluates poses and vertices of a model at any time, as glTF 2.0 defines them: in double, with the C library's
// trigonometry. Choices that the specification leaves open are those of docs/guide.md.
#ifndef REFERENCE_EVALUATE_H
#define REFERENCE_EVALUATE_H

#include "reference/model.h"

// A pose of all nodes. 4x4 matrices are 16 numbers, column-major.
typedef struct ref_pose {
    double *locals;  // [nodes × 10]: translation, rotation, scale
    double *worlds;  // [nodes × 16]
    double *weights; // morph weights of all nodes
} ref_pose;

// Allocates a pose from the arena; returns false if memory runs out.
bool ref_make_pose(sinewi_arena *arena, const ref_model *model, ref_pose *pose);

// Evaluates a channel at a time in seconds. Rotations are not normalized.
void ref_sample(const ref_channel *channel, double time, double *out);

// The same for a viewer that does not normalize the keys of rotations: it interpolates them as they are stored.
void ref_sample_as_stored(const ref_channel *channel, double time, double *out);

// Fills in the world matrices of a pose.
void ref_make_worlds(const ref_model *model, ref_pose *pose);

// Evaluates an animation at a time in seconds. NULL: the rest pose.
void ref_evaluate(const ref_model *model, const ref_animation *animation, double time, ref_pose *pose);

// Writes world × inverse bind of each joint (section 3.7.3.1) to palette[joint_count × 16].
void ref_palette(const ref_skin *skin, const ref_pose *pose, double *palette);

// Output arrays for the vertices of a primitive. All but `positions` may be NULL.
typedef struct ref_vertices {
    double *positions; // [3 × vertices]
    double *normals;   // [3 × vertices], unit, or 0 if the sum is 0
    double *tangents;  // [4 × vertices], unit, or 0 if the sum is 0; the fourth is the handedness
    // [vertices]: the length of a normal before normalization, relative to the sum of the lengths of its terms (the
    // base and its displacements, the influences' matrices). At most 1. Its inverse is the factor by which
    // normalization enlarges rounding errors of the input.
    double *normal_remainders;
    double *tangent_remainders; // the same for tangents
    double *volumes;            // [vertices]: |determinant| of the vertex's matrix
    double *scales;             // [vertices]: the largest element of the 3x3 of the vertex's matrix
} ref_vertices;

// Morphs and skins the vertices of a primitive on a node. `palette` is the palette of the node's skin, ignored if the
// node has none.
void ref_move_vertices(const ref_model *model, const ref_pose *pose, int32_t node, const ref_primitive *primitive,
                       const double *palette, const ref_vertices *out);

#endif
