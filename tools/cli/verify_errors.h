// SPDX-License-Identifier: MIT
// The differences between the library and the evaluator of tools/reference, over every clip of a file.
#ifndef CLI_VERIFY_ERRORS_H
#define CLI_VERIFY_ERRORS_H

#include "cli/cli.h"

#include "reference/evaluate.h"

// The largest error of its kind, and the first pose that has it. A value that is not finite on either side is an
// infinite error.
typedef struct cli_worst {
    double error;
    int32_t clip; // -1: the rest pose
    float time;
    int32_t vertex;
} cli_worst;

typedef struct cli_node_errors {
    cli_worst position; // of its origin in the scene: a distance
    cli_worst matrix;   // of its rotation and scale in the scene: an element of that 3x3
    double reach;       // the largest coordinate of its origin in any pose
    double scale;       // the largest element of that 3x3 in any pose
} cli_node_errors;

// Of the vertices of one primitive on one node.
typedef struct cli_mesh_errors {
    int32_t node, mesh, primitive; // the file's numbers
    int32_t vertex_count;
    cli_worst position; // a distance
    // Of the unit vectors: the length of the difference, times the remainder of the vector (see ref_vertices).
    cli_worst normal, tangent;
    double scale; // the largest element of any rotation and scale that moved a vertex
} cli_mesh_errors;

// Errors are absolute; the functions below make them relative.
typedef struct cli_errors {
    ref_document document;
    ref_model model;
    sinew_asset *asset;
    double size;            // the largest coordinate of any joint or vertex in any pose, at least 1
    int32_t pose_count;     // compared
    int32_t all_poses;      // of the file
    cli_node_errors *nodes; // [model.node_count], in the file's order
    cli_mesh_errors *meshes;
    int32_t mesh_count;
} cli_errors;

// Loads a file twice and compares: at every key, between keys, before the first and after the last, and in the rest
// pose. Returns false, with the reason printed, if that fails. Freed with cli_errors_free in both cases.
bool cli_errors_measure(cli_errors *errors, const char *path);
void cli_errors_free(cli_errors *errors);

// Relative to the model's size, or to the node's largest coordinate if that is larger.
double cli_node_position_error(const cli_errors *errors, const cli_node_errors *node);

// Relative to the largest element of the node's rotation and scale.
double cli_matrix_error(const cli_node_errors *node);

// Relative to the model's size.
double cli_position_error(const cli_errors *errors, const cli_mesh_errors *mesh);

// The largest of all these, and of normals and tangents.
double cli_errors_largest(const cli_errors *errors);

#endif
