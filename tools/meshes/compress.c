// SPDX-License-Identifier: MIT
// Compresses the accessors of meshes. Vertices of one format are one buffer view; each list of indices has its own.
#include "meshes/internal.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

// A view while its elements are collected.
typedef struct vertex_stream {
    mesh_format format;
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

static vertex_stream *stream_of(compressor *k, const mesh_format *format) {
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
    const mesh_format *format = &accessor->format;
    vertex_stream *stream = stream_of(k, format);
    optimize_accessor *added = &k->accessors[k->accessor_count++];
    *added = (optimize_accessor){.accessor = index,
                                 .view = stream->view,
                                 .offset = stream->size,
                                 .component_type = format->component_type,
                                 .normalized = format->normalized,
                                 .exact = !accessor->values && !format->filter,
                                 .components = accessor->components,
                                 .order = accessor->order};
    stream->size += format->stride * (size_t)accessor->count;
    k->c->out->bytes[0] += accessor->size * (size_t)accessor->count;
    k->c->out->has_bytes |= !accessor->values && format->filter;
    return find_bounds(k, accessor, added);
}

static bool fill_streams(compressor *k) {
    for (int32_t i = 0; i < k->stream_count; i++) {
        k->streams[i].bytes = sinew_arena_zeros(k->c->arena, uint8_t, k->streams[i].size);
        if (!k->streams[i].bytes) return false;
    }
    for (int32_t i = 0; i < k->accessor_count; i++) {
        const mesh_accessor *accessor = &k->c->accessors[k->accessors[i].accessor];
        mesh_write_elements(accessor, stream_of(k, &accessor->format)->bytes + k->accessors[i].offset);
    }
    return true;
}

// Moves the bytes to the view.
static bool set_bytes(compressor *k, optimize_view *view, optimize_bytes bytes) {
    view->bytes = bytes.size > 0 ? sinew_arena_string(k->c->arena, (const char *)bytes.data, bytes.size) : NULL;
    view->size = bytes.size;
    k->c->out->bytes[1] += bytes.size;
    free(bytes.data);
    return view->bytes;
}

static bool compress_stream(compressor *k, const vertex_stream *stream) {
    const size_t stride = stream->format.stride, count = stream->size / stride;
    optimize_view *view = &k->views[stream->view];
    *view = (optimize_view){.mode = "ATTRIBUTES",
                            .filter = stream->format.filter,
                            .target = OPTIMIZE_VERTICES,
                            .stride = stride,
                            .count = count};
    return set_bytes(k, view, optimize_encode_vertices(stream->bytes, count, stride));
}

// ---- Indices -------------------------------------------------------------------------------------------------------

static bool add_index_view(compressor *k, int32_t index, uint32_t largest, optimize_bytes bytes) {
    const mesh_accessor *accessor = &k->c->accessors[index];
    const bool small = largest < UINT16_MAX; // which glTF does not allow
    optimize_view *view = &k->views[k->view_count];
    *view = (optimize_view){.mode = mesh_has_triangles(accessor) ? "TRIANGLES" : "INDICES",
                            .target = OPTIMIZE_INDICES,
                            .stride = small ? 2 : 4,
                            .count = (size_t)accessor->count};
    k->accessors[k->accessor_count++] = (optimize_accessor){.accessor = index,
                                                            .view = k->view_count++,
                                                            .component_type = small ? REF_U16 : REF_U32,
                                                            .exact = !accessor->indices,
                                                            .components = 1};
    k->c->out->bytes[0] += (size_t)accessor->count * accessor->size;
    return set_bytes(k, view, bytes);
}

// Adds a view of indices if it is smaller than they are.
static bool add_indices(compressor *k, int32_t index) {
    mesh_accessor *accessor = &k->c->accessors[index];
    const size_t count = (size_t)accessor->count;
    const uint32_t *indices = accessor->indices ? accessor->indices : mesh_read_indices(accessor, k->c->arena);
    if (!indices) return false;
    const optimize_bytes bytes = mesh_encode_indices(accessor, indices);
    if (bytes.size == 0) {
        free(bytes.data);
        return false;
    }
    if (accessor->indices || bytes.size + OPTIMIZE_VIEW_JSON < count * accessor->size)
        return add_index_view(k, index, mesh_largest_index(indices, count), bytes);
    accessor->kept = "it would not be smaller";
    free(bytes.data);
    return true;
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
        if (mesh_is_index(accessor) && !accessor->kept && !add_indices(k, i)) return false;
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
    c->out->bytes[1] += (size_t)OPTIMIZE_VIEW_JSON * (size_t)k.view_count;
    c->out->views = k.views;
    c->out->accessors = k.accessors;
    c->out->view_count = k.view_count;
    c->out->accessor_count = k.accessor_count;
    return true;
}
