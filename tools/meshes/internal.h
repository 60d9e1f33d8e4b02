// SPDX-License-Identifier: MIT
// The accessors of meshes, their use and their new values.
#ifndef MESHES_INTERNAL_H
#define MESHES_INTERNAL_H

#include "meshes/meshes.h"

// What an accessor is used for. Accessors of several uses are MESH_OTHER.
typedef enum mesh_use {
    MESH_UNUSED,
    MESH_POSITION,
    MESH_NORMAL,
    MESH_TANGENT,
    MESH_TEXCOORD,
    MESH_JOINTS,
    MESH_WEIGHTS,
    MESH_DISPLACEMENT, // of positions, by a morph target
    MESH_DIRECTION,    // displacements of normals and tangents
    MESH_BINDS,        // inverse bind matrices
    MESH_OTHER,        // vertices that stay exact
    MESH_TRIANGLES,
    MESH_INDICES // of points and lines
} mesh_use;

// How an accessor's elements are stored.
typedef struct mesh_format {
    const char *filter; // NULL: none
    size_t stride;
    int component_type;
    bool normalized;
} mesh_format;

typedef struct mesh_accessor {
    mesh_use use;
    const char *kept;    // why it stays as it is; NULL: it is compressed
    bool exact;          // its values stay
    const uint8_t *data; // of the first element
    size_t stride, size; // of an element as stored, bytes
    int32_t count, components, component_type;
    int32_t stored;          // elements in the result: fewer if equal vertices are merged
    bool added;              // indices of a primitive that has none: each vertex in its order
    int32_t mesh, primitive; // of added indices
    bool normalized;
    double scale;        // the largest scale of its positions in the rest pose; of matrices, of the joints
    double reach;        // of matrices: the largest distance of a position
    int exponent;        // the step of its values is 2^exponent
    int offset_exponent; // of the last column of matrices
    double grid_scale;   // above 0: positions may be integers, and matrices of their unit; the scale of all of them
    double grid_reach;   // the largest magnitude of these positions
    double unit;         // of integers, and of the matrices by which they are multiplied; 0: floats
    const double *values;   // [count × components]: rounded; NULL: exact
    const uint16_t *joints; // [count × 4]: in another order; NULL: the authored ones
    mesh_format format;     // of vertices, once the values are chosen
    // In another order or merged; NULL: the authored ones.
    const uint32_t *order;    // [stored]: an authored vertex of each stored vertex
    const uint32_t *places;   // [count]: the stored vertex of each authored one; UINT32_MAX: no triangle has it
    const uint32_t *indices;  // [count]: of stored vertices
    const uint32_t *authored; // [count]: the authored indices, once they are read; of equal vertices the first
} mesh_accessor;

typedef struct mesh_coder {
    const optimize_meshes_def *def;
    optimize_meshes *out;
    sinewi_arena *arena;      // of `out`
    mesh_accessor *accessors; // [accessor_count]: those of the file, then added indices
    int32_t accessor_count;
    bool *dropped; // [JSON nodes]: keys of attributes that go
} mesh_coder;

// The accessor of a member; NULL: none.
mesh_accessor *mesh_member(const mesh_coder *c, sinewi_json_value object, const char *key);

// The accessor that is a member's value; NULL: none.
mesh_accessor *mesh_accessor_at(const mesh_coder *c, sinewi_json_value value);

// Whether the extras of a mesh are but the names of its targets.
bool mesh_has_only_names(const sinewi_json *json, sinewi_json_value mesh);

// Finds attributes that no material needs, to be dropped. Returns false if memory runs out.
bool mesh_drop_unused(mesh_coder *c);

// Finds the accessors that may be compressed, after mesh_drop_unused. Returns false if memory runs out.
bool mesh_find_uses(mesh_coder *c);

// The number at an index of an accessor of floats.
double mesh_float(const mesh_accessor *accessor, size_t index);

// Whether all of an accessor's values can be rounded to steps of 2^exponent.
bool mesh_may_round(const mesh_accessor *accessor, int exponent);

// Quantizes the values to steps of 2^exponent. Returns false if memory runs out.
bool mesh_round(mesh_accessor *accessor, int exponent, sinewi_arena *arena);

// Quantizes the values to integers of the accessor's unit. Returns false if memory runs out.
bool mesh_round_to_integers(mesh_accessor *accessor, sinewi_arena *arena);

// The rounded value at an index, in the unit of the accessor as it is stored.
double mesh_stored(const mesh_accessor *accessor, size_t index);

// The exponent of a component.
int mesh_exponent(const mesh_accessor *accessor, size_t component);

// Quantizes matrices with the exponents of the accessor. Returns false if memory runs out, and sets no values if they cannot be
// rounded.
bool mesh_round_matrices(mesh_accessor *accessor, sinewi_arena *arena);

// Quantizes weights to steps of 2^-bits, or of 1/255 with 8 bits, which are bytes. The sum of each vertex is 1, or 0 where readers
// take its weights for none.
bool mesh_round_weights(mesh_accessor *accessor, int bits, sinewi_arena *arena);

// Whether weights are stored as bytes.
bool mesh_has_byte_weights(const mesh_accessor *accessor);

// Whether normals are unit, and tangents with a handedness of -1 or 1.
bool mesh_are_directions(const mesh_accessor *accessor);

// Finds the skinned positions that may be integers (grid_scale), after their scales. Returns false if memory runs out.
bool mesh_find_grids(const mesh_coder *c);

// The inverse bind matrices of a skin; NULL: none.
mesh_accessor *mesh_binds_of(const mesh_coder *c, int32_t skin);

// Whether an accessor has this use alone, and its values may be rounded.
bool mesh_is_rounded(const mesh_accessor *accessor, mesh_use use);

// Whether positions or displacements may be rounded.
bool mesh_may_move(const mesh_accessor *accessor);

// Whether inverse bind matrices may be rounded.
bool mesh_are_binds(const mesh_accessor *accessor);

// The root of a set of joined elements, each of which has a parent.
int32_t mesh_root(int32_t *parents, int32_t index);

// Chooses the steps of all values, so that the displacement is within half of the error. Returns
// false if memory runs out.
bool mesh_choose(mesh_coder *c);

// Sorts joints and rounded weights that are used together, after mesh_choose. Returns false if memory runs out.
bool mesh_sort_influences(mesh_coder *c);

// Chooses the formats of all vertices, after mesh_sort_influences.
void mesh_choose_formats(const mesh_coder *c);

// Writes the elements in their order to out[count × stride], which is zeroed.
void mesh_write_elements(const mesh_accessor *accessor, uint8_t *out);

bool mesh_is_index(const mesh_accessor *accessor);

// Whether it is stored as triangles, not as a sequence of indices.
bool mesh_has_triangles(const mesh_accessor *accessor);

// Reads the authored indices. NULL if memory runs out.
uint32_t *mesh_read_indices(const mesh_accessor *accessor, sinewi_arena *arena);

uint32_t mesh_largest_index(const uint32_t *indices, size_t count);

// As triangles or as a sequence.
optimize_bytes mesh_encode_indices(const uint32_t *indices, size_t count, bool triangles);

// Sorts triangles so that each has an edge and vertices, or else a position, of those shortly before it, where it can.
// indices[count] are less than `vertex_count`; position[vertex_count] is the first vertex at the same position. NULL if memory runs
// out.
uint32_t *mesh_sort_triangles(const uint32_t *indices, size_t count, const uint32_t *position, size_t vertex_count,
                              sinewi_arena *arena);

// Merges equal vertices of accessors that are used together: equal[vertices] is the first vertex whose elements are the same
// bytes, or whose positions are if only these are to be compared. `next` lists the accessors from `first` on, -1 the last. Returns
// false if memory runs out.
bool mesh_merge(const mesh_coder *c, int32_t first, const int32_t *next, bool only_positions, uint32_t *equal);

// Chooses the order of vertices and triangles, and merges equal vertices. Returns false if memory runs out.
bool mesh_choose_order(mesh_coder *c);

// Compresses the accessors. Returns false if memory runs out.
bool mesh_compress(mesh_coder *c);

#endif
