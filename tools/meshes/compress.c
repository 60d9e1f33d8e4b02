// SPDX-License-Identifier: MIT
// Compresses meshes' accessors. All vertices with one format share a buffer view, and so do indices.
#include "meshes/internal.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

// A view whose elements are being collected.
typedef struct vertex_stream {
    mesh_format format;
    size_t size;    // of all elements
    uint8_t *bytes; // [size]
    int32_t view;   // in the file
    bool binds;     // inverse bind matrices
} vertex_stream;

typedef struct compressor {
    mesh_coder *c;
    optimize_view *views;         // [accessors]
    optimize_accessor *accessors; // [accessors]
    vertex_stream *streams;       // [accessors]
    int32_t view_count, accessor_count, stream_count;
} compressor;

// ---- Vertices ------------------------------------------------------------------------------------------------------

// Finds the smallest and largest positions and displacements, because glTF requires them.
static bool find_bounds(const compressor *k, const mesh_accessor *accessor, optimize_accessor *out) {
    const size_t width = (size_t)accessor->components;
    if (!accessor->values || (accessor->use != MESH_POSITION && accessor->use != MESH_DISPLACEMENT)) return true;
    double *bounds = sinewi_arena_array(k->c->arena, double, 2 * width);
    if (!bounds) return false;
    for (size_t i = 0; i < width; i++) {
        bounds[i] = bounds[width + i] = mesh_stored(accessor, i);
        for (size_t v = 1; v < (size_t)accessor->count; v++) {
            bounds[i] = fmin(bounds[i], mesh_stored(accessor, width * v + i));
            bounds[width + i] = fmax(bounds[width + i], mesh_stored(accessor, width * v + i));
        }
    }
    out->bounds = bounds;
    return true;
}

static vertex_stream *stream_of(compressor *k, const mesh_accessor *accessor) {
    const mesh_format *format = &accessor->format;
    const bool binds = accessor->use == MESH_BINDS;
    for (int32_t i = 0; i < k->stream_count; i++) {
        vertex_stream *stream = &k->streams[i];
        if (stream->format.stride == format->stride && stream->format.filter == format->filter &&
            stream->binds == binds)
            return stream;
    }
    k->streams[k->stream_count] = (vertex_stream){.format = *format, .view = k->view_count++, .binds = binds};
    return &k->streams[k->stream_count++];
}

// Returns an accessor with the same matrices, or NULL.
static const optimize_accessor *find_equal(const compressor *k, const mesh_accessor *accessor) {
    for (int32_t i = 0; accessor->use == MESH_BINDS && i < k->accessor_count - 1; i++) {
        const mesh_accessor *other = &k->c->accessors[k->accessors[i].accessor];
        if (other->use == MESH_BINDS && other->count == accessor->count && other->unit == accessor->unit &&
            memcmp(other->values, accessor->values, 16 * (size_t)other->count * sizeof *other->values) == 0)
            return &k->accessors[i];
    }
    return NULL;
}

// Lists an accessor with vertices at the end of its stream.
static bool add_vertices(compressor *k, int32_t index) {
    mesh_accessor *accessor = &k->c->accessors[index];
    const mesh_format *format = &accessor->format;
    vertex_stream *stream = stream_of(k, accessor);
    optimize_accessor *added = &k->accessors[k->accessor_count++];
    *added = (optimize_accessor){.accessor = index,
                                 .view = stream->view,
                                 .offset = stream->size,
                                 .component_type = format->component_type,
                                 .normalized = format->normalized,
                                 .exact = !accessor->values && !format->filter,
                                 .count = accessor->stored,
                                 .components = accessor->components,
                                 .places = accessor->places};
    const optimize_accessor *equal = find_equal(k, accessor);
    if (equal) added->offset = equal->offset;
    if (!equal) stream->size += format->stride * (size_t)accessor->stored;
    k->c->out->bytes[0] += accessor->size * (size_t)accessor->count;
    const bool integers = accessor->values && accessor->unit > 0.0 && accessor->use != MESH_BINDS;
    k->c->out->has_integers |= integers || (!accessor->values && format->filter);
    return find_bounds(k, accessor, added);
}

static bool fill_streams(compressor *k) {
    for (int32_t i = 0; i < k->stream_count; i++) {
        k->streams[i].bytes = sinewi_arena_zeros(k->c->arena, uint8_t, k->streams[i].size);
        if (!k->streams[i].bytes) return false;
    }
    for (int32_t i = 0; i < k->accessor_count; i++) {
        const mesh_accessor *accessor = &k->c->accessors[k->accessors[i].accessor];
        mesh_write_elements(accessor, stream_of(k, accessor)->bytes + k->accessors[i].offset);
    }
    return true;
}

// Moves the bytes to the view.
static bool set_bytes(compressor *k, optimize_view *view, optimize_bytes bytes) {
    view->bytes = bytes.size > 0 ? sinewi_arena_string(k->c->arena, (const char *)bytes.data, bytes.size) : NULL;
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
                            .target = stream->binds ? 0 : OPTIMIZE_VERTICES,
                            .stride = stride,
                            .count = count};
    return set_bytes(k, view, optimize_encode_vertices(stream->bytes, count, stride));
}

// ---- Indices -------------------------------------------------------------------------------------------------------

// A view's indices: lists with one size, as triangles or as sequences.
typedef struct index_stream {
    bool triangles, small; // small: 16 bits
    uint32_t *indices;     // [count]
    size_t count, size;    // size: the authored lists' bytes
    bool changed;          // lists contain other indices than the authored ones
    int32_t lists;
} index_stream;

static bool is_in(const compressor *k, int32_t index, const index_stream *stream, const uint32_t *indices) {
    const mesh_accessor *accessor = &k->c->accessors[index];
    const bool small =
        mesh_largest_index(indices, (size_t)accessor->count) < UINT16_MAX; // glTF doesn't allow that index
    return mesh_has_triangles(accessor) == stream->triangles && small == stream->small;
}

static const uint32_t *indices_of(const mesh_accessor *accessor) {
    return accessor->indices ? accessor->indices : accessor->authored;
}

// Returns whether to write a list of indices. Added ones are only written with merged vertices.
static bool is_listed(const mesh_accessor *accessor) {
    return mesh_is_index(accessor) && !accessor->kept && (accessor->indices || !accessor->added);
}

static void append_list(compressor *k, index_stream *stream, int32_t index) {
    const mesh_accessor *accessor = &k->c->accessors[index];
    const size_t count = (size_t)accessor->count;
    k->accessors[k->accessor_count + stream->lists++] =
        (optimize_accessor){.accessor = accessor->added ? -1 : index,
                            .mesh = accessor->mesh,
                            .primitive = accessor->primitive,
                            .view = k->view_count,
                            .offset = stream->count * (stream->small ? 2 : 4),
                            .count = accessor->count,
                            .component_type = stream->small ? REF_U16 : REF_U32,
                            .exact = !accessor->indices,
                            .components = 1};
    memcpy(stream->indices + stream->count, indices_of(accessor), count * sizeof *stream->indices);
    stream->count += count;
    stream->size += accessor->added ? 0 : count * accessor->size;
    stream->changed |= accessor->indices != NULL;
}

static bool add_index_view(compressor *k, const index_stream *stream, optimize_bytes bytes) {
    k->views[k->view_count++] = (optimize_view){.mode = stream->triangles ? "TRIANGLES" : "INDICES",
                                                .target = OPTIMIZE_INDICES,
                                                .stride = stream->small ? 2 : 4,
                                                .count = stream->count};
    k->accessor_count += stream->lists;
    k->c->out->bytes[0] += stream->size;
    return set_bytes(k, &k->views[k->view_count - 1], bytes);
}

static void keep_lists(compressor *k, const index_stream *stream) {
    for (int32_t i = 0; i < stream->lists; i++) {
        const int32_t index = k->accessors[k->accessor_count + i].accessor;
        if (index >= 0) k->c->accessors[index].kept = "it would not get smaller";
    }
}

// Adds a view with the lists if it's smaller than they are.
static bool add_index_stream(compressor *k, index_stream *stream) {
    for (int32_t i = 0; i < k->c->accessor_count; i++) {
        mesh_accessor *accessor = &k->c->accessors[i];
        if (!is_listed(accessor)) continue;
        if (!accessor->authored) accessor->authored = mesh_read_indices(accessor, k->c->arena);
        if (!accessor->authored) return false;
        if (is_in(k, i, stream, indices_of(accessor))) append_list(k, stream, i);
    }
    if (stream->count == 0) return true;
    const optimize_bytes bytes = mesh_encode_indices(stream->indices, stream->count, stream->triangles);
    if (bytes.size > 0 && (stream->changed || bytes.size + OPTIMIZE_VIEW_JSON < stream->size))
        return add_index_view(k, stream, bytes);
    free(bytes.data);
    keep_lists(k, stream);
    return bytes.size > 0;
}

static bool add_indices(compressor *k) {
    size_t room = 0;
    for (int32_t i = 0; i < k->c->accessor_count; i++)
        room += is_listed(&k->c->accessors[i]) ? (size_t)k->c->accessors[i].count : 0;
    uint32_t *indices = malloc((room + 1) * sizeof *indices);
    bool good = indices != NULL;
    for (int i = 0; good && i < 4; i++)
        good = add_index_stream(k, &(index_stream){.triangles = i < 2, .small = i % 2 == 0, .indices = indices});
    free(indices);
    return good;
}

// ---- The views -----------------------------------------------------------------------------------------------------

// Adds all views. Vertices are sorted by use, so neighbors in a stream are similar.
static bool add_all(compressor *k) {
    const int32_t count = k->c->def->document->accessors.count;
    for (int use = MESH_POSITION; use <= MESH_OTHER; use++) {
        for (int32_t i = 0; i < count; i++) {
            const mesh_accessor *accessor = &k->c->accessors[i];
            if ((int)accessor->use != use || accessor->kept || (use == MESH_BINDS && !accessor->values)) continue;
            if (!add_vertices(k, i)) return false;
        }
    }
    if (!fill_streams(k)) return false;
    for (int32_t i = 0; i < k->stream_count; i++) {
        if (!compress_stream(k, &k->streams[i])) return false;
    }
    return add_indices(k);
}

bool mesh_compress(mesh_coder *c) {
    const size_t count = (size_t)c->accessor_count + 4; // four views are for indices
    compressor k = {.c = c,
                    .views = sinewi_arena_array(c->arena, optimize_view, count),
                    .accessors = sinewi_arena_array(c->arena, optimize_accessor, count),
                    .streams = sinewi_arena_array(c->arena, vertex_stream, count)};
    if (!k.views || !k.accessors || !k.streams || !add_all(&k)) return false;
    c->out->bytes[1] += (size_t)OPTIMIZE_VIEW_JSON * (size_t)k.view_count;
    c->out->views = k.views;
    c->out->accessors = k.accessors;
    c->out->view_count = k.view_count;
    c->out->accessor_count = k.accessor_count;
    return true;
}
