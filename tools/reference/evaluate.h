// SPDX-License-Identifier: MIT
// Evaluates a model's poses and vertices at any time as glTF 2.0 defines them: in double precision, with the C
// library's trigonometry. Where the specification leaves a choice, it follows docs/guide.md.
#ifndef REFERENCE_EVALUATE_H
#define REFERENCE_EVALUATE_H

#include "reference/model.h"

// A pose of all nodes. 4x4 matrices are 16 numbers, column-major.
typedef struct ref_pose {
    double *locals;  // [nodes × 10]; translation, rotation, scale
    double *worlds;  // [nodes × 16]
    double *weights; // all nodes' morph weights
} ref_pose;

// Allocates a pose from the arena. Returns false if memory runs out.
bool ref_make_pose(sinewi_arena *arena, const ref_model *model, ref_pose *pose);

// Evaluates a channel at a time in seconds. Doesn't normalize rotations.
void ref_sample(const ref_channel *channel, double time, double *out);

// Like ref_sample, for a viewer that interpolates rotation keys as they're stored, without normalizing them.
void ref_sample_as_stored(const ref_channel *channel, double time, double *out);

// Computes a pose's world matrices.
void ref_make_worlds(const ref_model *model, ref_pose *pose);

// Evaluates an animation at a time in seconds. NULL gives the rest pose.
void ref_evaluate(const ref_model *model, const ref_animation *animation, double time, ref_pose *pose);

// Writes each joint's world × inverse bind (section 3.7.3.1) to palette[joint_count × 16].
void ref_palette(const ref_skin *skin, const ref_pose *pose, double *palette);

// Output arrays for a primitive's vertices. All but `positions` may be NULL.
typedef struct ref_vertices {
    double *positions; // [3 × vertices]
    double *normals;   // [3 × vertices]; unit, or 0 if the sum is 0
    double *tangents;  // [4 × vertices]; unit, or 0 if the sum is 0; the fourth is the handedness
    // [vertices]; a normal's length before normalizing it, relative to the sum of its terms' lengths (the base and its
    // displacements, the influences' matrices). At most 1. Its inverse is how much normalizing enlarges rounding errors
    // in the input.
    double *normal_remainders;
    double *tangent_remainders; // the same for tangents
    double *volumes;            // [vertices]; |determinant| of the vertex's matrix
    double *scales;             // [vertices]; largest element of the 3x3 of the vertex's matrix
} ref_vertices;

// Morphs and skins a primitive's vertices on a node. `palette` belongs to the node's skin and is ignored if it has
// none.
void ref_move_vertices(const ref_model *model, const ref_pose *pose, int32_t node, const ref_primitive *primitive,
                       const double *palette, const ref_vertices *out);

#endif
