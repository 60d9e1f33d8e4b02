// SPDX-License-Identifier: MIT
// Random characters, and their vertices skinned on the CPU.
#ifndef GL_CHARACTER_H
#define GL_CHARACTER_H

#include <sinew/asset.h>

// The largest allowed difference between CPU and GPU vertices, relative to the model's size.
#define VERTEX_TOLERANCE 2e-5f

enum {
    MOST_VERTICES = 5001, // a multiple of 3: whole triangles
    MOST_JOINTS = 5000,
    MOST_INFLUENCES = 8,
    MOST_CHARACTERS = 5,
    TARGETS = 5,
    WEIGHTS = 11,     // weights of all the character's meshes
    FIRST_WEIGHT = 3, // this mesh's first weight
};

typedef enum scale_kind {
    SCALE_UNIFORM,
    SCALE_NON_UNIFORM,
    SCALE_MIRRORED,         // every other joint, and some characters
    SCALE_MIRRORED_UNIFORM, // the same, by -1 in x, y and z
    SCALE_COUNT
} scale_kind;

typedef struct random_crowd {
    int vertex_count, joint_count;
    float positions[MOST_VERTICES * 3], normals[MOST_VERTICES * 3], tangents[MOST_VERTICES * 4];
    uint16_t joints[MOST_VERTICES * MOST_INFLUENCES];
    float weights[MOST_VERTICES * MOST_INFLUENCES];
    uint32_t indices[MOST_VERTICES]; // from the last vertex to the first
    float deltas[3][TARGETS][MOST_VERTICES * 3];
    const float *target_arrays[3][TARGETS]; // positions, normals, tangents; one of the normals is missing
    sinew_primitive primitive;

    sinew_affine places[MOST_CHARACTERS];
    sinew_affine palettes[MOST_CHARACTERS][MOST_JOINTS];
    float morph_weights[MOST_CHARACTERS][WEIGHTS];
} random_crowd;

// Makes vertices, each moved by some joints. Either all or none of a vertex's joints are mirrored.
void make_vertices(random_crowd *crowd, int vertex_count, int joint_count, int influences, bool morph);

// Makes all characters' joints, places and morph weights.
void make_poses(random_crowd *crowd, scale_kind scale);

typedef struct skinned_vertices {
    float positions[MOST_VERTICES * 3], normals[MOST_VERTICES * 3], tangents[MOST_VERTICES * 4];
} skinned_vertices;

// A character's vertices from sinew_morph and sinew_skin_vertices.
void skin_on_cpu(const random_crowd *crowd, int character, bool placed, skinned_vertices *out);

// The largest coordinate of its joints and vertices, at least 1.
float size_of(const random_crowd *crowd, int character, bool placed, const skinned_vertices *vertices);

#endif
