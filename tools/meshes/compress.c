// SPDX-License-Identifier: MIT
// Compresses the accessors of meshes. Vertices of one format are one buffer view; each list of indices has its own.
#include "meshes/internal.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

// How an accessor's elements are stored.
typedef struct element_format {
    const char *filter; // NULL: none
    size_t stride;
    int component_type;
    bool normalized;
} element_format;

enum { BYTES = 5120, UNSIGNED_BYTES = 5121, UNSIGNED_SHORTS = 5123, UNSIGNED_INTS = 5125, FLOATS = 5126 };
enum { VERTICES = 34962, INDICES = 34963 };

// Bits of a component of normals and tangents.
enum { DIRECTION_BITS = 8 };

// The JSON of a compressed view.
#define VIEW_JSON 200

// A view while its elements are collected.
typedef struct vertex_stream {
    element_format format;
    size_t size;    // of all elements
    uint8_t *bytes; // [size]
    int32_t view;   // of the file
} vertex_stream;

typedef struct compressor {
    mesh_coder *c;
    optimize_view *views;         // [accessors]
    optimize_accessor *accessors; // [accessors]
    vertex_stream *streams;       // [accessors]
    int32_t view_count, accessor_count, stream_count;
} compressor;

// ---- Formats -------------------------------------------------------------------------------------------------------

static bool is_index(const mesh_accessor *accessor) {
    return accessor->use == MESH_TRIANGLES || accessor->use == MESH_INDICES;
}

static bool is_direction(const mesh_accessor *accessor) {
    return !accessor->exact && (accessor->use == MESH_NORMAL || accessor->use == MESH_TANGENT) &&
           mesh_are_directions(accessor);
}

// Whether joints that are stored as 16 bits need 8.
static bool are_small_joints(const mesh_accessor *accessor) {
    if (accessor->use != MESH_JOINTS || accessor->component_type != UNSIGNED_SHORTS) return false;
    for (int32_t v = 0; v < accessor->count; v++) {
        uint16_t joints[4];
        memcpy(joints, accessor->data + (size_t)v * accessor->stride, sizeof joints);
        if ((joints[0] | joints[1] | joints[2] | joints[3]) > UINT8_MAX) return false;
    }
    return true;
}

static element_format format_of(const mesh_accessor *accessor) {
    if (accessor->values) return (element_format){"EXPONENTIAL", 4 * (size_t)accessor->components, FLOATS, false};
    if (is_direction(accessor)) return (element_format){"OCTAHEDRAL", 4, BYTES, true};
    if (are_small_joints(accessor)) return (element_format){NULL, 4, UNSIGNED_BYTES, false};
    return (element_format){NULL, (accessor->size + 3) / 4 * 4, accessor->component_type, accessor->normalized};
}

// ---- Elements ------------------------------------------------------------------------------------------------------

static void write_rounded(const mesh_accessor *accessor, uint8_t *out) {
    for (size_t i = 0; i < (size_t)accessor->count * (size_t)accessor->components; i++) {
        const int32_t mantissa = (int32_t)ldexp(accessor->values[i], -accessor->exponent);
        const uint32_t coded = (uint32_t)accessor->exponent << 24 | ((uint32_t)mantissa & UINT32_C(0xffffff));
        memcpy(out + 4 * i, &coded, sizeof coded);
    }
}

static void write_directions(const mesh_accessor *accessor, uint8_t *out) {
    const size_t width = (size_t)accessor->components;
    for (size_t v = 0; v < (size_t)accessor->count; v++) {
        float direction[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (size_t i = 0; i < width; i++) direction[i] = (float)mesh_float(accessor, width * v + i);
        meshopt_encodeFilterOct(out + 4 * v, 1, 4, DIRECTION_BITS, direction);
    }
}

static void write_small_joints(const mesh_accessor *accessor, uint8_t *out) {
    for (size_t v = 0; v < (size_t)accessor->count; v++) {
        uint16_t joints[4];
        memcpy(joints, accessor->data + v * accessor->stride, sizeof joints);
        for (size_t i = 0; i < 4; i++) out[4 * v + i] = (uint8_t)joints[i];
    }
}

static void write_elements(const mesh_accessor *accessor, const element_format *format, uint8_t *out) {
    if (accessor->values) {
        write_rounded(accessor, out);
    } else if (format->filter) {
        write_directions(accessor, out);
    } else if (format->component_type != accessor->component_type) {
        write_small_joints(accessor, out);
    } else {
        for (size_t v = 0; v < (size_t)accessor->count; v++)
            memcpy(out + v * format->stride, accessor->data + v * accessor->stride, accessor->size);
    }
}

// ---- Vertices ------------------------------------------------------------------------------------------------------

// The least and the largest values of positions and displacements, which glTF requires.
static bool find_bounds(const compressor *k, const mesh_accessor *accessor, optimize_accessor *out) {
    const size_t width = (size_t)accessor->components;
    if (!accessor->values || (accessor->use != MESH_POSITION && accessor->use != MESH_DISPLACEMENT)) return true;
    double *bounds = sinew_arena_array(k->c->arena, double, 2 * width);
    if (!bounds) return false;
    for (size_t i = 0; i < width; i++) {
        bounds[i] = bounds[width + i] = accessor->values[i];
        for (size_t v = 1; v < (size_t)accessor->count; v++) {
            bounds[i] = fmin(bounds[i], accessor->values[width * v + i]);
            bounds[width + i] = fmax(bounds[width + i], accessor->values[width * v + i]);
        }
    }
    out->bounds = bounds;
    return true;
}

static vertex_stream *stream_of(compressor *k, const element_format *format) {
    for (int32_t i = 0; i < k->stream_count; i++) {
        vertex_stream *stream = &k->streams[i];
        if (stream->format.stride == format->stride && stream->format.filter == format->filter) return stream;
    }
    k->streams[k->stream_count] = (vertex_stream){.format = *format, .view = k->view_count++};
    return &k->streams[k->stream_count++];
}

// Lists an accessor of vertices at the end of its stream.
static bool add_vertices(compressor *k, int32_t index) {
    mesh_accessor *accessor = &k->c->accessors[index];
    const element_format format = format_of(accessor);
    vertex_stream *stream = stream_of(k, &format);
    optimize_accessor *added = &k->accessors[k->accessor_count++];
    *added = (optimize_accessor){.accessor = index,
                                 .view = stream->view,
                                 .offset = stream->size,
                                 .component_type = format.component_type,
                                 .normalized = format.normalized,
                                 .exact = !accessor->values && !format.filter,
                                 .components = accessor->components};
    stream->size += format.stride * (size_t)accessor->count;
    k->c->out->bytes[0] += accessor->size * (size_t)accessor->count;
    k->c->out->has_bytes |= !accessor->values && format.filter;
    return find_bounds(k, accessor, added);
}

static bool fill_streams(compressor *k) {
    for (int32_t i = 0; i < k->stream_count; i++) {
        k->streams[i].bytes = sinew_arena_zeros(k->c->arena, uint8_t, k->streams[i].size);
        if (!k->streams[i].bytes) return false;
    }
    for (int32_t i = 0; i < k->accessor_count; i++) {
        const mesh_accessor *accessor = &k->c->accessors[k->accessors[i].accessor];
        const element_format format = format_of(accessor);
        write_elements(accessor, &format, stream_of(k, &format)->bytes + k->accessors[i].offset);
    }
    return true;
}

static bool set_bytes(compressor *k, optimize_view *view, const unsigned char *bytes, size_t size) {
    view->bytes = sinew_arena_string(k->c->arena, (const char *)bytes, size);
    view->size = size;
    k->c->out->bytes[1] += size;
    return view->bytes && size > 0;
}

static bool compress_stream(compressor *k, const vertex_stream *stream) {
    const size_t stride = stream->format.stride, count = stream->size / stride;
    const size_t room = meshopt_encodeVertexBufferBound(count, stride);
    unsigned char *bytes = malloc(room + 1);
    if (!bytes) return false;
    const size_t size = meshopt_encodeVertexBuffer(bytes, room, stream->bytes, count, stride);
    optimize_view *view = &k->views[stream->view];
    *view = (optimize_view){.mode = "ATTRIBUTES",
                            .filter = stream->format.filter,
                            .target = VERTICES,
                            .stride = stride,
                            .count = count};
    const bool good = set_bytes(k, view, bytes, size);
    free(bytes);
    return good;
}

// ---- Indices -------------------------------------------------------------------------------------------------------

static uint32_t index_at(const mesh_accessor *accessor, int32_t i) {
    const uint8_t *at = accessor->data + (size_t)i * accessor->stride;
    uint16_t word;
    uint32_t number;
    if (accessor->size == 1) return *at;
    if (accessor->size == 2) {
        memcpy(&word, at, sizeof word);
        return word;
    }
    memcpy(&number, at, sizeof number);
    return number;
}

// Encodes indices to bytes on the heap; 0 if memory runs out.
static size_t encode_indices(const unsigned *indices, size_t count, unsigned largest, bool triangles,
                             unsigned char **bytes) {
    const size_t vertices = (size_t)largest + 1, room = triangles
                                                            ? meshopt_encodeIndexBufferBound(count, vertices)
                                                            : meshopt_encodeIndexSequenceBound(count, vertices);
    *bytes = malloc(room + 1);
    if (!*bytes) return 0;
    return triangles ? meshopt_encodeIndexBuffer(*bytes, room, indices, count)
                     : meshopt_encodeIndexSequence(*bytes, room, indices, count);
}

static bool add_index_view(compressor *k, int32_t index, unsigned largest, bool triangles,
                           const unsigned char *bytes, size_t size) {
    const mesh_accessor *accessor = &k->c->accessors[index];
    const bool small = largest < UINT16_MAX; // which glTF does not allow
    optimize_view *view = &k->views[k->view_count];
    *view = (optimize_view){.mode = triangles ? "TRIANGLES" : "INDICES",
                            .target = INDICES,
                            .stride = small ? 2 : 4,
                            .count = (size_t)accessor->count};
    k->accessors[k->accessor_count++] =
        (optimize_accessor){.accessor = index,
                            .view = k->view_count++,
                            .component_type = small ? UNSIGNED_SHORTS : UNSIGNED_INTS,
                            .exact = true,
                            .components = 1};
    k->c->out->bytes[0] += (size_t)accessor->count * accessor->size;
    return set_bytes(k, view, bytes, size);
}

// Adds a view of indices if it is smaller than they are.
static bool add_indices(compressor *k, int32_t index) {
    mesh_accessor *accessor = &k->c->accessors[index];
    const size_t count = (size_t)accessor->count;
    const bool triangles = accessor->use == MESH_TRIANGLES && count % 3 == 0;
    unsigned *indices = sinew_arena_array(k->c->arena, unsigned, count), largest = 0;
    unsigned char *bytes = NULL;
    if (!indices) return false;
    for (size_t i = 0; i < count; i++) {
        indices[i] = index_at(accessor, (int32_t)i);
        if (indices[i] > largest) largest = indices[i];
    }
    const size_t size = encode_indices(indices, count, largest, triangles, &bytes);
    bool good = size > 0;
    if (good && size + VIEW_JSON < count * accessor->size) {
        good = add_index_view(k, index, largest, triangles, bytes, size);
    } else if (good) {
        accessor->kept = "it would not be smaller";
    }
    free(bytes);
    return good;
}

// ---- The views -----------------------------------------------------------------------------------------------------

// Vertices are in order of their use, so that neighbours in a stream are alike.
static bool add_all(compressor *k) {
    const int32_t count = k->c->def->document->accessors.count;
    for (int use = MESH_POSITION; use <= MESH_OTHER; use++) {
        for (int32_t i = 0; i < count; i++) {
            const mesh_accessor *accessor = &k->c->accessors[i];
            if ((int)accessor->use == use && !accessor->kept && !add_vertices(k, i)) return false;
        }
    }
    if (!fill_streams(k)) return false;
    for (int32_t i = 0; i < k->stream_count; i++) {
        if (!compress_stream(k, &k->streams[i])) return false;
    }
    for (int32_t i = 0; i < count; i++) {
        const mesh_accessor *accessor = &k->c->accessors[i];
        if (is_index(accessor) && !accessor->kept && !add_indices(k, i)) return false;
    }
    return true;
}

bool mesh_compress(mesh_coder *c) {
    const size_t count = (size_t)c->def->document->accessors.count;
    compressor k = {.c = c,
                    .views = sinew_arena_array(c->arena, optimize_view, count),
                    .accessors = sinew_arena_array(c->arena, optimize_accessor, count),
                    .streams = sinew_arena_array(c->arena, vertex_stream, count)};
    if (!k.views || !k.accessors || !k.streams || !add_all(&k)) return false;
    c->out->bytes[1] += (size_t)VIEW_JSON * (size_t)k.view_count;
    c->out->views = k.views;
    c->out->accessors = k.accessors;
    c->out->view_count = k.view_count;
    c->out->accessor_count = k.accessor_count;
    return true;
}
