// How far the library is from the evaluator of reference/, over every clip of a file.
#ifndef CLI_VERIFY_ERRORS_H
#define CLI_VERIFY_ERRORS_H

#include "cli/cli.h"

#include "reference/evaluate.h"

// The largest error of its kind, and the first pose that had it. What is not finite on either side is infinitely off.
typedef struct cli_worst {
    double error;
    int32_t clip; // -1: the rest pose
    float time;
    int32_t vertex;
} cli_worst;

typedef struct cli_node_errors {
    cli_worst place;  // of its origin in the scene: a distance
    cli_worst matrix; // of its rotation and scale in the scene: an element of that 3x3
    double reach;     // the largest coordinate of its origin in any pose
    double scale;     // the largest element of that 3x3 in any pose
} cli_node_errors;

// Of the vertices of one primitive on one node.
typedef struct cli_mesh_errors {
    int32_t node, mesh, primitive; // the file's numbers
    int32_t vertex_count;
    cli_worst position; // a distance
    // Of the unit vectors: the length of the difference, times what is left of the vector (see ref_vertices).
    cli_worst normal, tangent;
    double scale; // the largest element of any rotation and scale that moved a vertex
} cli_mesh_errors;

// Errors are as they were measured; the functions below relate them to what they are errors of.
typedef struct cli_errors {
    ref_document document;
    ref_model model;
    sinew_asset *asset;
    double size;            // the largest coordinate of any joint or vertex in any pose, at least 1
    int32_t pose_count;     // that were compared
    int32_t all_poses;      // of the file
    cli_node_errors *nodes; // [model.node_count], in the file's order
    cli_mesh_errors *meshes;
    int32_t mesh_count;
} cli_errors;

// Loads a file twice and compares: at every key, between keys, beyond the first and the last, and at rest. False, with
// the reason printed, when that cannot be done. Freed with cli_errors_free in both cases.
bool cli_errors_measure(cli_errors *errors, const char *path);
void cli_errors_free(cli_errors *errors);

// Relative to the model's size, or to how far the node itself gets where that is more.
double cli_place_error(const cli_errors *errors, const cli_node_errors *node);

// Relative to the largest element of the node's rotation and scale.
double cli_matrix_error(const cli_node_errors *node);

// Relative to the model's size.
double cli_position_error(const cli_errors *errors, const cli_mesh_errors *mesh);

// The largest of all these, and of normals and tangents.
double cli_errors_largest(const cli_errors *errors);

#endif
