// SPDX-License-Identifier: MIT
// A file's meshes with smaller vertices and indices, for optimize_file to write. tools/meshes makes them.
#ifndef OPTIMIZE_MESHES_H
#define OPTIMIZE_MESHES_H

#include "reference/model.h"

// Buffer view targets, with glTF's numbers.
enum { OPTIMIZE_VERTICES = 34962, OPTIMIZE_INDICES };

// Bytes on the heap. A size of 0 means that memory ran out.
typedef struct optimize_bytes {
    unsigned char *data;
    size_t size;
} optimize_bytes;

// The size of a compressed view's JSON.
#define OPTIMIZE_VIEW_JSON 200

// Compresses elements with the codec version that EXT_meshopt_compression allows. `stride` must be a multiple of 4.
// Implemented in items.c.
optimize_bytes optimize_encode_vertices(const void *elements, size_t count, size_t stride);

// A compressed buffer view.
typedef struct optimize_view {
    const char *mode, *filter; // of the extension; `filter` may be NULL
    int target;                // 0 if it's neither vertices nor indices
    size_t stride, count;      // of the elements
    const void *bytes;         // [size]; compressed
    size_t size;
} optimize_view;

// An accessor's new content, or indices for a primitive that had none.
typedef struct optimize_accessor {
    int32_t accessor;        // in the file; -1 if added
    int32_t mesh, primitive; // for added indices
    int32_t view;            // index into optimize_meshes's views
    size_t offset;           // in the view, in bytes
    int32_t count;           // number of elements
    int32_t component_type;
    bool normalized, exact; // exact: the values don't change
    int32_t components;
    const double *bounds;   // [2 × components]; smallest and largest values, or NULL if not required
    const uint32_t *places; // [authored vertices]; new index or UINT32_MAX; NULL for the authored order
} optimize_accessor;

// A mesh accessor that stays as it is.
typedef struct optimize_kept {
    int32_t accessor; // of the file
    const char *why;
} optimize_kept;

typedef struct optimize_meshes {
    sinewi_arena arena;     // holds everything else
    const ref_model *model; // has the vertices as they'll be read; NULL if no mesh changes
    double error;           // the authored animation displaces no vertex by more than this; in the file's unit
    double step;            // smallest position step in the mesh's unit; 0 if positions are exact
    int weight_bits;        // 0 if weights are exact
    size_t bytes[2];        // size of the compressed accessors: in the file, and compressed
    int32_t reordered;      // number of reordered vertices
    int32_t merged;         // number of removed vertices, because others are equal or no triangle uses them
    const char *exact;      // why positions aren't rounded, or NULL if they may be
    bool has_integers;      // positions, normals or tangents are integers (KHR_mesh_quantization)
    const bool *dropped;    // [JSON nodes]; keys of attributes that no material needs; may be NULL
    int32_t dropped_count;
    int32_t view_count, accessor_count, kept_count;
    const optimize_view *views;
    const optimize_accessor *accessors;
    const optimize_kept *kept;
} optimize_meshes;

typedef struct optimize_meshes_def {
    ref_document *document;
    const ref_model *model; // of the document
    double error;           // for the animation and the meshes, as a fraction of the size (compare_body)
    double max_numbers;     // for one measurement (compare_measure)
} optimize_meshes_def;

// Encodes a file's meshes in meshes->arena, which must be initialized. Returns false if memory runs out.
typedef bool (*optimize_code_meshes)(optimize_meshes *meshes, const optimize_meshes_def *def);

#endif
