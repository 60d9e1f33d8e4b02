// SPDX-License-Identifier: MIT
// Meshes' accessors, what uses them, and their new values.
#ifndef MESHES_INTERNAL_H
#define MESHES_INTERNAL_H

#include "meshes/meshes.h"

// What an accessor is used for. If it has several uses, it's MESH_OTHER.
typedef enum mesh_use {
    MESH_UNUSED,
    MESH_POSITION,
    MESH_NORMAL,
    MESH_TANGENT,
    MESH_TEXCOORD,
    MESH_JOINTS,
    MESH_WEIGHTS,
    MESH_DISPLACEMENT, // a morph target's, for positions
    MESH_DIRECTION,    // displacements of normals and tangents
    MESH_BINDS,        // inverse bind matrices
    MESH_OTHER,        // vertices that stay exact
    MESH_TRIANGLES,
    MESH_INDICES // for points and lines
} mesh_use;

// How an accessor's elements are stored.
typedef struct mesh_format {
    const char *filter; // may be NULL
    size_t stride;
    int component_type;
    bool normalized;
} mesh_format;

typedef struct mesh_accessor {
    mesh_use use;
    const char *kept;    // why it stays as it is; NULL if it's compressed
    bool exact;          // its values don't change
    const uint8_t *data; // where the first element starts
    size_t stride, size; // bytes of a stored element
    int32_t count, components, component_type;
    int32_t stored;          // elements in the result: fewer if equal vertices are merged
    bool added;              // indices for a primitive that has none: each vertex in order
    int32_t mesh, primitive; // for added indices
    bool normalized;
    double scale;           // largest scale of its positions in the rest pose; for matrices, of the joints
    double reach;           // for matrices: largest distance of a position
    int exponent;           // values have steps of 2^exponent
    int offset_exponent;    // for matrices' last column
    double grid_scale;      // if above 0, positions may be integers and matrices in their unit; their shared scale
    double grid_reach;      // largest magnitude of these positions
    double unit;            // of integers, and the matrices are multiplied by it; 0 for floats
    const double *values;   // [count × components]; rounded, or NULL if exact
    const uint16_t *joints; // [count × 4]; in another order, or NULL for the authored ones
    mesh_format format;     // of vertices, once the values are chosen
    // Reordered or merged. NULL for the authored ones.
    const uint32_t *order;    // [stored]; an authored vertex for each stored one
    const uint32_t *places;   // [count]; stored vertex for each authored one; UINT32_MAX if not in a triangle
    const uint32_t *indices;  // [count]; stored vertices
    const uint32_t *authored; // [count]; the authored indices once they're read; for equal vertices, the first one
} mesh_accessor;

typedef struct mesh_coder {
    const optimize_meshes_def *def;
    optimize_meshes *out;
    sinewi_arena *arena;      // for `out`
    mesh_accessor *accessors; // [accessor_count]; the file's, then added indices
    int32_t accessor_count;
    bool *dropped; // [JSON nodes]; keys of attributes to drop
} mesh_coder;

// Returns a member's accessor, or NULL.
mesh_accessor *mesh_member(const mesh_coder *c, sinewi_json_value object, const char *key);

// Returns the accessor that a member's value refers to, or NULL.
mesh_accessor *mesh_accessor_at(const mesh_coder *c, sinewi_json_value value);

// Returns whether a mesh's extras only contain its targets' names.
bool mesh_has_only_names(const sinewi_json *json, sinewi_json_value mesh);

// Finds attributes that no material needs, and marks them to be dropped. Returns false if memory runs out.
bool mesh_drop_unused(mesh_coder *c);

// Finds the accessors that may be compressed. Call mesh_drop_unused first. Returns false if memory runs out.
bool mesh_find_uses(mesh_coder *c);

// Returns the number at an index in an accessor of floats.
double mesh_float(const mesh_accessor *accessor, size_t index);

// Returns whether all of an accessor's values can be rounded to steps of 2^exponent.
bool mesh_may_round(const mesh_accessor *accessor, int exponent);

// Quantizes the values to steps of 2^exponent. Returns false if memory runs out.
bool mesh_round(mesh_accessor *accessor, int exponent, sinewi_arena *arena);

// Quantizes the values to integers in the accessor's unit. Returns false if memory runs out.
bool mesh_round_to_integers(mesh_accessor *accessor, sinewi_arena *arena);

// Returns the rounded value at an index, in the accessor's unit as it's stored.
double mesh_stored(const mesh_accessor *accessor, size_t index);

int mesh_exponent(const mesh_accessor *accessor, size_t component);

// Quantizes matrices with the accessor's exponents. Returns false if memory runs out. Sets no values if they can't be
// rounded.
bool mesh_round_matrices(mesh_accessor *accessor, sinewi_arena *arena);

// Quantizes weights to steps of 2^-bits, or to bytes in steps of 1/255 with 8 bits. Each vertex's sum is 1, or 0 if
// readers ignore its weights.
bool mesh_round_weights(mesh_accessor *accessor, int bits, sinewi_arena *arena);

// Returns whether weights are stored as bytes.
bool mesh_has_byte_weights(const mesh_accessor *accessor);

// Returns whether normals are unit, and tangents have a handedness of -1 or 1.
bool mesh_are_directions(const mesh_accessor *accessor);

// Finds the skinned positions that may be integers (grid_scale). Their scales must be known. Returns false if memory
// runs out.
bool mesh_find_grids(const mesh_coder *c);

// Returns a skin's inverse bind matrices, or NULL.
mesh_accessor *mesh_binds_of(const mesh_coder *c, int32_t skin);

// Returns whether this is an accessor's only use and its values may be rounded.
bool mesh_is_rounded(const mesh_accessor *accessor, mesh_use use);

// Returns whether positions or displacements may be rounded.
bool mesh_may_move(const mesh_accessor *accessor);

// Returns whether inverse bind matrices may be rounded.
bool mesh_are_binds(const mesh_accessor *accessor);

// Returns the root of a set of joined elements. Each element has a parent.
int32_t mesh_root(int32_t *parents, int32_t index);

// Chooses the steps of all values that keep the displacement within half of the error. Returns false if memory runs
// out.
bool mesh_choose(mesh_coder *c);

// Sorts joints and rounded weights that are used together. Call mesh_choose first. Returns false if memory runs out.
bool mesh_sort_influences(mesh_coder *c);

// Chooses the formats of all vertices. Call mesh_sort_influences first.
void mesh_choose_formats(const mesh_coder *c);

// Writes the elements in order to out[count × stride], which must be zeroed.
void mesh_write_elements(const mesh_accessor *accessor, uint8_t *out);

bool mesh_is_index(const mesh_accessor *accessor);

// Returns whether it's stored as triangles instead of a sequence of indices.
bool mesh_has_triangles(const mesh_accessor *accessor);

// Reads the authored indices. Returns NULL if memory runs out.
uint32_t *mesh_read_indices(const mesh_accessor *accessor, sinewi_arena *arena);

uint32_t mesh_largest_index(const uint32_t *indices, size_t count);

// Encodes indices as triangles or as a sequence.
optimize_bytes mesh_encode_indices(const uint32_t *indices, size_t count, bool triangles);

// Sorts triangles. If possible, each one shares an edge and vertices, or else a position, with recent triangles.
// indices[count] are less than `vertex_count`. position[vertex_count] is the first vertex at the same position. Returns
// NULL if memory runs out.
uint32_t *mesh_sort_triangles(const uint32_t *indices, size_t count, const uint32_t *position, size_t vertex_count,
                              sinewi_arena *arena);

// Merges equal vertices in accessors that are used together. equal[vertices] is the first vertex with the same bytes,
// or with the same position if only those are compared. `next` lists the accessors starting at `first`; the last one
// has -1. Returns false if memory runs out.
bool mesh_merge(const mesh_coder *c, int32_t first, const int32_t *next, bool only_positions, uint32_t *equal);

// Chooses the order of vertices and triangles, and merges equal vertices. Returns false if memory runs out.
bool mesh_choose_order(mesh_coder *c);

// Compresses the accessors. Returns false if memory runs out.
bool mesh_compress(mesh_coder *c);

#endif
