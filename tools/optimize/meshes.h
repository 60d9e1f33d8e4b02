// SPDX-License-Identifier: MIT
// The meshes of a file with smaller vertices and indices, to be written by optimize_file. tools/meshes makes them.
#ifndef OPTIMIZE_MESHES_H
#define OPTIMIZE_MESHES_H

#include "reference/model.h"

// The targets of buffer views, by glTF's numbers.
enum { OPTIMIZE_VERTICES = 34962, OPTIMIZE_INDICES };

// Bytes on the heap. Size 0: memory ran out.
typedef struct optimize_bytes {
    unsigned char *data;
    size_t size;
} optimize_bytes;

// The bytes of the JSON of a compressed view.
#define OPTIMIZE_VIEW_JSON 200

// Compresses elements by the version of the codec that EXT_meshopt_compression allows. `stride` is a multiple of 4. items.c.
optimize_bytes optimize_encode_vertices(const void *elements, size_t count, size_t stride);

// A compressed buffer view.
typedef struct optimize_view {
    const char *mode, *filter; // of the extension; filter NULL: none
    int target;                // 0: neither vertices nor indices
    size_t stride, count;      // of its elements
    const void *bytes;         // [size], compressed
    size_t size;
} optimize_view;

// The new content of an accessor, or the indices of a primitive that had none.
typedef struct optimize_accessor {
    int32_t accessor;        // of the file; -1: added
    int32_t mesh, primitive; // of added indices
    int32_t view;            // of optimize_meshes
    size_t offset;           // in the view, bytes
    int32_t count;           // of elements
    int32_t component_type;
    bool normalized, exact; // exact: has the same values
    int32_t components;
    const double *bounds;   // [2 × components]: the least and the largest values; NULL: not required
    const uint32_t *places; // [authored vertices]: where each is, UINT32_MAX: nowhere; NULL: in the authored order
} optimize_accessor;

// An accessor of a mesh that stays as it is.
typedef struct optimize_kept {
    int32_t accessor; // of the file
    const char *why;
} optimize_kept;

typedef struct optimize_meshes {
    sinewi_arena arena;     // holds the rest
    const ref_model *model; // with the vertices as they will be read; NULL: no mesh is changed
    double error;           // no vertex is displaced by more with the authored animation; in the unit of the file
    double step;            // the smallest step of positions, in the unit of the mesh; 0: they are exact
    int weight_bits;        // 0: weights are exact
    size_t bytes[2];        // of the compressed accessors: in the file, and compressed
    int32_t reordered;      // vertices in another order
    int32_t merged;         // vertices that are gone, because others are equal or no triangle has them
    const char *exact;      // why no position is rounded; NULL: they may be
    bool has_integers;      // positions, normals or tangents are integers, by KHR_mesh_quantization
    const bool *dropped;    // [JSON nodes]: keys of attributes that no material needs; NULL: none
    int32_t dropped_count;
    int32_t view_count, accessor_count, kept_count;
    const optimize_view *views;
    const optimize_accessor *accessors;
    const optimize_kept *kept;
} optimize_meshes;

typedef struct optimize_meshes_def {
    ref_document *document;
    const ref_model *model; // of the document
    double error;           // of the animation and the meshes, as a fraction of the size (compare_body)
    double max_numbers;     // of a measurement (compare_measure)
} optimize_meshes_def;

// Codes the meshes of a file in meshes->arena, which is initialized. Returns false if memory runs out.
typedef bool (*optimize_code_meshes)(optimize_meshes *meshes, const optimize_meshes_def *def);

#endif
