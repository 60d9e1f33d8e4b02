// SPDX-License-Identifier: MIT
// Measures the difference between the library and tools/reference, over every clip in a file.
#ifndef CLI_VERIFY_ERRORS_H
#define CLI_VERIFY_ERRORS_H

#include "cli/cli.h"

#include "reference/evaluate.h"

// The largest error of one kind, and the first pose that has it. If either value isn't finite, the error is infinite.
typedef struct cli_worst {
    double error;
    int32_t clip; // -1 for the rest pose
    float time;
    int32_t vertex;
} cli_worst;

typedef struct cli_node_errors {
    cli_worst position; // distance between the node's origins in the scene
    cli_worst matrix;   // largest difference between elements of its 3x3 rotation and scale in the scene
    double reach;       // largest coordinate of its origin in any pose
    double scale;       // largest element of that 3x3 in any pose
} cli_node_errors;

// Errors of one primitive's vertices on one node.
typedef struct cli_mesh_errors {
    int32_t node, mesh, primitive; // numbers in the file
    int32_t vertex_count;
    cli_worst position; // distance
    // Unit vectors: the length of their difference times the vector's remainder (see ref_vertices).
    cli_worst normal, tangent;
    double scale; // largest element of any rotation and scale that moved a vertex
} cli_mesh_errors;

// Errors are absolute. The functions below make them relative.
typedef struct cli_errors {
    ref_document document;
    ref_model model;
    sinew_asset *asset;
    double size;            // largest coordinate of any joint or vertex in any pose, at least 1
    int32_t pose_count;     // number of poses compared
    int32_t all_poses;      // number of poses in the file
    cli_node_errors *nodes; // [model.node_count]; in the file's order
    cli_mesh_errors *meshes;
    int32_t mesh_count;
} cli_errors;

// Loads a file in both and compares them at every key, between keys, before the first, after the last, and in the rest
// pose. On failure, prints the reason and returns false. Call cli_errors_free either way.
bool cli_errors_measure(cli_errors *errors, const char *path);
void cli_errors_free(cli_errors *errors);

// Returns the error relative to the model's size, or to the node's largest coordinate if that's larger.
double cli_node_position_error(const cli_errors *errors, const cli_node_errors *node);

// Returns the error relative to the largest element of the node's rotation and scale.
double cli_matrix_error(const cli_node_errors *node);

// Returns the error relative to the model's size.
double cli_position_error(const cli_errors *errors, const cli_mesh_errors *mesh);

// Returns the largest of all these errors, including normals and tangents.
double cli_errors_largest(const cli_errors *errors);

#endif
