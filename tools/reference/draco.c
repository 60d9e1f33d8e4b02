// SPDX-License-Identifier: MIT
// Decodes primitives compressed with KHR_draco_mesh_compression. The decoded attributes become their accessors'
// content.
#include "reference/internal.h"

#include <stdio.h>
#include <string.h>

// The attributes that the evaluator reads: POSITION, NORMAL, TANGENT, and eight sets of joints and weights.
enum { MAX_SETS = 8, MAX_ATTRIBUTES = 3 + 2 * MAX_SETS };

typedef struct compressed {
    int32_t count;
    int32_t accessors[MAX_ATTRIBUTES];
    sinew_draco_attribute attributes[MAX_ATTRIBUTES];
} compressed;

static bool find_attribute(ref_document *document, sinewi_json_value attributes, sinewi_json_value ids,
                           const char *name, int32_t vertex_count, compressed *c) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", NULL};
    int32_t index = ref_index(document, attributes, name);
    int64_t id = ref_whole(document, ids, name, -1);
    if (index < 0 || id < 0) return true;
    if (index >= document->accessors.count || id > UINT32_MAX)
        return ref_fail(document, ids, "%s is out of range", name);
    sinewi_json_value accessor = document->accessors.values[index];
    int type = ref_word(document, accessor, "type", types, -1);
    int64_t component = ref_whole(document, accessor, "componentType", -1), size = ref_component_size(component);
    if (type < 0 || size == 0 || ref_whole(document, accessor, "count", -1) != vertex_count)
        return ref_fail(document, accessor, "the accessor does not match %s with %d vertices", name,
                        (int)vertex_count);
    void *out = sinewi_arena_take(&document->arena, (size_t)vertex_count, (size_t)size * (size_t)(type + 1), 4);
    if (!out) return ref_fail_memory(document, accessor);
    c->accessors[c->count] = index;
    c->attributes[c->count++] = (sinew_draco_attribute){(uint32_t)id, (int32_t)component, type + 1, out};
    return true;
}

static bool find_attributes(ref_document *document, sinewi_json_value attributes, sinewi_json_value ids,
                            int32_t vertex_count, compressed *c) {
    static const char *const single[] = {"POSITION", "NORMAL", "TANGENT"};
    for (int i = 0; i < 3; i++) {
        if (!find_attribute(document, attributes, ids, single[i], vertex_count, c)) return false;
    }
    for (int set = 0; set < MAX_SETS; set++) {
        char joints[24], weights[24];
        snprintf(joints, sizeof joints, "JOINTS_%d", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", set);
        if (!find_attribute(document, attributes, ids, joints, vertex_count, c)) return false;
        if (!find_attribute(document, attributes, ids, weights, vertex_count, c)) return false;
    }
    return true;
}

// Returns the bits of a number that the decoder wrote in the machine's byte order.
static uint32_t bits_at(const void *numbers, size_t index, int64_t size) {
    uint32_t wide;
    uint16_t half;
    if (size == 1) return ((const uint8_t *)numbers)[index];
    if (size == 2) {
        memcpy(&half, (const uint8_t *)numbers + 2 * index, sizeof half);
        return half;
    }
    memcpy(&wide, (const uint8_t *)numbers + 4 * index, sizeof wide);
    return wide;
}

static bool keep(ref_document *document, int32_t index, const sinew_draco_attribute *attribute,
                 int32_t vertex_count) {
    bool normalized = ref_flag(document, document->accessors.values[index], "normalized");
    int64_t size = ref_component_size(attribute->component_type);
    size_t count = (size_t)vertex_count * (size_t)attribute->component_count;
    double *values = sinewi_arena_array(&document->arena, double, count);
    if (!values) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = bits_at(attribute->out, i, size);
        const uint8_t bytes[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                                  (uint8_t)(bits >> 24)};
        values[i] = ref_number_at(bytes, attribute->component_type, normalized);
    }
    document->read[index] =
        (ref_accessor){vertex_count, attribute->component_count, attribute->component_type, normalized, values};
    return true;
}

static bool decode(ref_document *document, sinewi_json_value extension, int32_t view, int32_t vertex_count,
                   int32_t index_count, const compressed *c) {
    uint32_t *indices = sinewi_arena_array(&document->arena, uint32_t, (size_t)index_count);
    if (!indices) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    const ref_bytes bytes = document->view_bytes[view];
    const sinew_draco_mesh mesh = {bytes.data,    bytes.size,  vertex_count, c->count,
                                   c->attributes, index_count, indices};
    if (!bytes.data || !document->draco_decode(&mesh, document->draco_user))
        return ref_fail(document, extension, "the compressed data cannot be decoded");
    for (int32_t i = 0; i < c->count; i++) {
        if (!keep(document, c->accessors[i], &c->attributes[i], vertex_count)) return false;
    }
    return true;
}

bool ref_decode_draco(ref_document *document, sinewi_json_value primitive, bool *empty) {
    enum { TRIANGLES = 4 };
    sinewi_json_value extension = ref_extension(document, primitive, "KHR_draco_mesh_compression");
    sinewi_json_value attributes = sinewi_json_get(&document->json, primitive, "attributes");
    int32_t positions = ref_index(document, attributes, "POSITION");
    int32_t indices = ref_index(document, primitive, "indices"),
            view = ref_index(document, extension, "bufferView");
    const ref_list *accessors = &document->accessors;
    if (extension == SINEWI_JSON_ABSENT || positions < 0) return true;
    if (positions >= accessors->count || indices >= accessors->count || view >= document->views.count)
        return ref_fail(document, primitive, "an index is out of range");
    sinewi_json_value accessor = accessors->values[positions];
    if (!document->draco_decode) {
        *empty = sinewi_json_get(&document->json, accessor, "bufferView") == SINEWI_JSON_ABSENT;
        return true;
    }
    *empty = ref_whole(document, primitive, "mode", TRIANGLES) != TRIANGLES;
    if (*empty) return true;
    if (indices < 0 || view < 0) return ref_fail(document, extension, "the bufferView or the indices are missing");
    int64_t count = ref_whole(document, accessor, "count", -1);
    int64_t index_count = ref_whole(document, accessors->values[indices], "count", -1);
    if (count < 0 || count > REF_MAX_SIZE / 256 || index_count < 0 || index_count > REF_MAX_SIZE / 4)
        return ref_fail(document, extension, "the counts of its accessors are out of range");
    compressed c = {0};
    sinewi_json_value ids = sinewi_json_get(&document->json, extension, "attributes");
    return count == 0 || (find_attributes(document, attributes, ids, (int32_t)count, &c) &&
                          decode(document, extension, view, (int32_t)count, (int32_t)index_count, &c));
}
