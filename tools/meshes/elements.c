// SPDX-License-Identifier: MIT
// Writes accessors' elements as they're stored before compression, and compresses lists of indices.
#include "meshes/internal.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

// Bits per component of normals and tangents.
enum { DIRECTION_BITS = 8 };

// The codec version that EXT_meshopt_compression allows. The library's default depends on its version.
enum { INDEX_VERSION = 1 };

// ---- Formats -------------------------------------------------------------------------------------------------------

static bool is_direction(const mesh_accessor *accessor) {
    return !accessor->exact && (accessor->use == MESH_NORMAL || accessor->use == MESH_TANGENT) &&
           mesh_are_directions(accessor);
}

static uint16_t joint_of(const mesh_accessor *accessor, size_t vertex, size_t i) {
    const uint8_t *at = accessor->data + vertex * accessor->stride;
    uint16_t joint;
    if (accessor->joints) return accessor->joints[4 * vertex + i];
    if (accessor->component_type == REF_U8) return at[i];
    memcpy(&joint, at + 2 * i, sizeof joint);
    return joint;
}

static bool are_joints(const mesh_accessor *accessor) {
    return accessor->use == MESH_JOINTS && accessor->components == 4 &&
           (accessor->component_type == REF_U8 || accessor->component_type == REF_U16);
}

// Returns whether 8 bits are enough for the joints.
static bool are_small_joints(const mesh_accessor *accessor) {
    for (size_t i = 0; i < 4 * (size_t)accessor->count; i++) {
        if (joint_of(accessor, i / 4, i % 4) > UINT8_MAX) return false;
    }
    return true;
}

static bool are_integers(const mesh_accessor *accessor) {
    return accessor->values && accessor->unit > 0.0 && accessor->use != MESH_BINDS;
}

// Returns whether 8 bits are enough for integers, such as small displacements.
static bool are_bytes(const mesh_accessor *accessor) {
    if (!are_integers(accessor)) return false;
    for (size_t i = 0; i < 3 * (size_t)accessor->count; i++) {
        if (fabs(mesh_stored(accessor, i)) > INT8_MAX) return false;
    }
    return true;
}

static mesh_format format_of(const mesh_accessor *accessor) {
    if (mesh_has_byte_weights(accessor)) return (mesh_format){NULL, 4, REF_U8, true};
    if (are_bytes(accessor)) return (mesh_format){NULL, 4, REF_I8, false};
    if (are_integers(accessor)) return (mesh_format){NULL, 8, REF_I16, false};
    if (accessor->values) return (mesh_format){"EXPONENTIAL", 4 * (size_t)accessor->components, REF_F32, false};
    if (is_direction(accessor)) return (mesh_format){"OCTAHEDRAL", 4, REF_I8, true};
    if (are_joints(accessor)) {
        const bool small = are_small_joints(accessor);
        return (mesh_format){NULL, small ? 4 : 8, small ? REF_U8 : REF_U16, false};
    }
    return (mesh_format){NULL, (accessor->size + 3) / 4 * 4, accessor->component_type, accessor->normalized};
}

void mesh_choose_formats(const mesh_coder *c) {
    for (int32_t i = 0; i < c->accessor_count; i++) {
        mesh_accessor *accessor = &c->accessors[i];
        accessor->stored = accessor->count;
        if (accessor->use == MESH_UNUSED || accessor->kept || mesh_is_index(accessor)) continue;
        accessor->format = format_of(accessor);
    }
}

// ---- Elements ------------------------------------------------------------------------------------------------------

// Returns the authored vertex of a stored one.
static size_t vertex_at(const mesh_accessor *accessor, size_t stored) {
    return accessor->order ? accessor->order[stored] : stored;
}

static void write_rounded(const mesh_accessor *accessor, size_t vertex, uint8_t *out) {
    const size_t width = (size_t)accessor->components;
    for (size_t i = 0; i < width; i++) {
        const int exponent = mesh_exponent(accessor, i);
        const int32_t mantissa = (int32_t)lrint(ldexp(mesh_stored(accessor, width * vertex + i), -exponent));
        const uint32_t coded = (uint32_t)exponent << 24 | ((uint32_t)mantissa & UINT32_C(0xffffff));
        memcpy(out + 4 * i, &coded, sizeof coded);
    }
}

static void write_integers(const mesh_accessor *accessor, size_t vertex, uint8_t *out) {
    for (size_t i = 0; i < 3; i++) {
        const int16_t number = (int16_t)mesh_stored(accessor, 3 * vertex + i);
        if (accessor->format.component_type == REF_I8) {
            out[i] = (uint8_t)number;
        } else {
            memcpy(out + 2 * i, &number, sizeof number);
        }
    }
}

static void write_weights(const mesh_accessor *accessor, size_t vertex, uint8_t *out) {
    for (size_t i = 0; i < 4; i++) out[i] = (uint8_t)lrint(accessor->values[4 * vertex + i] * UINT8_MAX);
}

static void write_direction(const mesh_accessor *accessor, size_t vertex, uint8_t *out) {
    const size_t width = (size_t)accessor->components;
    float direction[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (size_t i = 0; i < width; i++) direction[i] = (float)mesh_float(accessor, width * vertex + i);
    meshopt_encodeFilterOct(out, 1, 4, DIRECTION_BITS, direction);
}

static void write_joints(const mesh_accessor *accessor, size_t vertex, uint8_t *out) {
    for (size_t i = 0; i < 4; i++) {
        const uint16_t joint = joint_of(accessor, vertex, i);
        if (accessor->format.component_type == REF_U8) {
            out[i] = (uint8_t)joint;
        } else {
            memcpy(out + 2 * i, &joint, sizeof joint);
        }
    }
}

void mesh_write_elements(const mesh_accessor *accessor, uint8_t *out) {
    const mesh_format *format = &accessor->format;
    for (size_t i = 0; i < (size_t)accessor->stored; i++, out += format->stride) {
        const size_t vertex = vertex_at(accessor, i);
        if (mesh_has_byte_weights(accessor)) {
            write_weights(accessor, vertex, out);
        } else if (are_integers(accessor)) {
            write_integers(accessor, vertex, out);
        } else if (accessor->values) {
            write_rounded(accessor, vertex, out);
        } else if (format->filter) {
            write_direction(accessor, vertex, out);
        } else if (are_joints(accessor)) {
            write_joints(accessor, vertex, out);
        } else {
            memcpy(out, accessor->data + vertex * accessor->stride, accessor->size);
        }
    }
}

// ---- Indices -------------------------------------------------------------------------------------------------------

bool mesh_is_index(const mesh_accessor *accessor) {
    return accessor->use == MESH_TRIANGLES || accessor->use == MESH_INDICES;
}

bool mesh_has_triangles(const mesh_accessor *accessor) {
    return accessor->use == MESH_TRIANGLES && accessor->count % 3 == 0;
}

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

uint32_t *mesh_read_indices(const mesh_accessor *accessor, sinewi_arena *arena) {
    uint32_t *indices = sinewi_arena_array(arena, uint32_t, (size_t)accessor->count);
    for (int32_t i = 0; indices && i < accessor->count; i++)
        indices[i] = accessor->added ? (uint32_t)i : index_at(accessor, i);
    return indices;
}

uint32_t mesh_largest_index(const uint32_t *indices, size_t count) {
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++) largest = indices[i] > largest ? indices[i] : largest;
    return largest;
}

optimize_bytes mesh_encode_indices(const uint32_t *indices, size_t count, bool triangles) {
    const size_t vertices = (size_t)mesh_largest_index(indices, count) + 1;
    const size_t room = triangles ? meshopt_encodeIndexBufferBound(count, vertices)
                                  : meshopt_encodeIndexSequenceBound(count, vertices);
    unsigned char *bytes = malloc(room + 1);
    if (!bytes) return (optimize_bytes){NULL, 0};
    meshopt_encodeIndexVersion(INDEX_VERSION);
    return (optimize_bytes){bytes, triangles ? meshopt_encodeIndexBuffer(bytes, room, indices, count)
                                             : meshopt_encodeIndexSequence(bytes, room, indices, count)};
}
