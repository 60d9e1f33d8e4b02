// SPDX-License-Identifier: MIT
// A document's nodes, skins, meshes and animations in double precision. This is what evaluate.h evaluates.
#ifndef REFERENCE_MODEL_H
#define REFERENCE_MODEL_H

#include "reference/document.h"

typedef struct ref_node {
    const char *name;
    int32_t parent; // -1 if there is none
    int32_t mesh;   // -1 if there is none
    int32_t skin;   // -1 if there is none
    bool has_matrix;
    double matrix[16]; // column-major
    double translation[3], rotation[4], scale[3];
    double shear[16];                   // the matrix is T R S × shear; the node's channels replace T, R or S
    int32_t first_weight, weight_count; // range in all nodes' morph weights
} ref_node;

typedef struct ref_skin {
    int32_t joint_count;
    const int32_t *joints;       // nodes
    const double *inverse_binds; // [joint_count × 16], column-major
} ref_skin;

// Vertex attributes, which may be NULL. A morph target has displacements, and its tangents have 3 numbers.
typedef struct ref_attributes {
    const double *positions; // [3 × vertices]
    const double *normals;   // [3 × vertices]
    const double *tangents;  // [4 × vertices]
} ref_attributes;

typedef struct ref_primitive {
    int32_t vertex_count; // 0 without positions
    ref_attributes base;
    int32_t target_count;
    const ref_attributes *targets;
    int32_t influences;    // joints per vertex: 4 per set, or 0
    const int32_t *joints; // [vertices × influences]; indices into the skin's joints
    const double *weights; // [vertices × influences]; normalized to sum to 1
    int32_t largest_joint; // largest joint with a weight above 0; -1 without influences
} ref_primitive;

typedef struct ref_mesh {
    int32_t primitive_count;
    const ref_primitive *primitives;
    int32_t target_count;
    int32_t largest_joint; // of its primitives
} ref_mesh;

typedef enum ref_path { REF_TRANSLATION, REF_ROTATION, REF_SCALE, REF_WEIGHTS } ref_path;
typedef enum ref_interpolation { REF_STEP, REF_LINEAR, REF_CUBICSPLINE } ref_interpolation;

typedef struct ref_channel {
    int32_t node;
    ref_path path;
    ref_interpolation interpolation;
    int32_t key_count;    // at least 1
    int32_t width;        // numbers per value
    const double *times;  // [key_count]; seconds
    const double *values; // [key_count × width]; for CUBICSPLINE, each key's in-tangent, value and out-tangent
} ref_channel;

typedef struct ref_animation {
    const char *name;
    int32_t channel_count;
    const ref_channel *channels;
} ref_animation;

// A model. All indices are the file's.
typedef struct ref_model {
    int32_t node_count;
    const ref_node *nodes;
    const int32_t *order; // [node_count]; parents before their children
    int32_t weight_count; // morph weights in all nodes
    const double *rest_weights;
    int32_t skin_count;
    const ref_skin *skins;
    int32_t mesh_count;
    const ref_mesh *meshes;
    int32_t animation_count;
    const ref_animation *animations;
} ref_model;

// Reads a model into the document's arena. On failure, fills document->error and returns false.
bool ref_read_model(ref_document *document, ref_model *model);

// Copies a model in order to change its primitives: mesh m's are (*primitives)[m]. Attributes are shared. Returns NULL
// if memory runs out.
const ref_model *ref_copy_model(sinewi_arena *arena, const ref_model *model, ref_primitive ***primitives);

// Copies vectors of `width` numbers to the arena in another order: vector i is vectors[order[i]]. Returns NULL if
// memory runs out.
const double *ref_reorder(sinewi_arena *arena, const double *vectors, const uint32_t *order, size_t count,
                          size_t width);

// Replaces the positions in a primitive and its morph targets with copies in another order, order[vertex_count]. Its
// normals and tangents become NULL. Its joints and weights don't change. Returns false if memory runs out.
bool ref_reorder_positions(sinewi_arena *arena, ref_primitive *primitive, const uint32_t *order);

#endif
