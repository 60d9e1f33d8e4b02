// Poses and vertices of a model at any time, as glTF 2.0 defines them: step by step, in double, with the C library's
// trigonometry. Where the specification leaves a choice, it is the one that docs/guide.md states.
#ifndef REFERENCE_EVALUATE_H
#define REFERENCE_EVALUATE_H

#include "reference/model.h"

// 4x4 matrices are 16 numbers, column after column.
typedef struct ref_pose {
    double *locals;  // [nodes × 10]: translation, rotation, scale; not those of nodes with a matrix
    double *worlds;  // [nodes × 16]
    double *weights; // morph weights of all nodes
} ref_pose;

// From the arena; NULL pointers and false when there is no memory.
bool ref_make_pose(sinew_arena *arena, const ref_model *model, ref_pose *pose);

// The pose of an animation at a time in seconds; without one, the rest pose.
void ref_evaluate(const ref_model *model, const ref_animation *animation, double time, ref_pose *pose);

// world × inverse bind of each joint (section 3.7.3.1), into [joint_count × 16].
void ref_palette(const ref_skin *skin, const ref_pose *pose, double *palette);

// Where a pose brings the vertices of a primitive. All but the positions are NULL where they are not wanted.
typedef struct ref_vertices {
    double *positions; // [3 × vertices]
    double *normals;   // [3 × vertices], unit, or 0 where nothing is left of one
    double *tangents;  // [4 × vertices], the same; the fourth is the handedness
    // [vertices], the length of a normal before it is made unit, relative to the lengths of the terms that it is the sum
    // of (the base and its displacements, and the influences' matrices). Rounding of the input is enlarged by the
    // inverse. At most 1.
    double *normal_remainders;
    double *tangent_remainders; // the same of a tangent
    double *volumes;            // [vertices], by how much its matrix multiplies a volume; 0 where that leaves none
    double *scales;             // [vertices], the largest element of the rotation and scale in its matrix
} ref_vertices;

// Morphs and skins the vertices of a primitive of a node. `palette` is that of the node's skin; it is not read where
// the node has none.
void ref_move_vertices(const ref_model *model, const ref_pose *pose, int32_t node, const ref_primitive *primitive,
                       const double *palette, const ref_vertices *out);

#endif
