// SPDX-License-Identifier: MIT
// Primitives compressed with KHR_draco_mesh_compression.
//
// This file checks the extension and the accessors, and the caller's decoder decompresses. The accessors then read and
// check the result like a view's bytes. `c` is the compressed primitive. Each of its attributes has a unique id in the
// compressed data. An accessor is decoded once it has the decoder's output.
#include "core/gltf_import.h"

#include <string.h>

#define EXTENSION "KHR_draco_mesh_compression"

// Attributes that the import reads. After these comes the set of texture coordinates, which depends on the material.
static const char *const attribute_names[] = {"POSITION", "NORMAL",    "TANGENT",  "COLOR_0",
                                              "JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1"};
enum { ATTRIBUTE_NAMES = sizeof attribute_names / sizeof attribute_names[0], MAX_ATTRIBUTES = ATTRIBUTE_NAMES + 1 };

typedef struct compressed_primitive {
    sinewi_json_value value; // the extension's object
    sinewi_json_value ids;   // its attributes, as unique ids by name
    int32_t view;
    int32_t vertex_count;
    int32_t attribute_count;
    sinew_draco_attribute attributes[MAX_ATTRIBUTES];
    int32_t accessors[MAX_ATTRIBUTES];
    int32_t indices; // accessor
} compressed_primitive;

// ---- Attributes and indices ----------------------------------------------------------------------------------------

static bool find_accessor(sinewi_import *g, sinewi_json_value object, const char *name, int32_t *accessor) {
    return sinewi_gltf_get_index(g, object, name, g->accessor_count, "accessors", accessor);
}

// Adds an attribute if both the primitive and the extension have it.
static bool find_attribute(sinewi_import *g, sinewi_json_value attributes, const char *name,
                           compressed_primitive *c) {
    int32_t accessor;
    int64_t id = -1;
    if (!find_accessor(g, attributes, name, &accessor)) return false;
    if (!sinewi_gltf_get_integer(g, c->ids, name, 0, UINT32_MAX, &id)) return false;
    if (accessor < 0 || id < 0) return true;
    const sinewi_gltf_accessor *a = &g->accessors[accessor];
    sinewi_json_value location = sinewi_json_get(&g->json, attributes, name);
    if (!sinewi_gltf_expect_count(g, location, accessor, c->vertex_count)) return false;
    if (a->type > SINEWI_GLTF_VEC4)
        return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT,
                                "accessors[%d] is %s, which Draco does not support", (int)accessor,
                                sinewi_gltf_type_name(a->type));
    c->accessors[c->attribute_count] = accessor;
    c->attributes[c->attribute_count++] = (sinew_draco_attribute){
        .id = (uint32_t)id,
        .component_type = (int32_t)a->component,
        .component_count = sinewi_gltf_component_count(a->type),
    };
    return true;
}

// Finds the triangle list's accessor.
static bool find_indices(sinewi_import *g, sinewi_json_value primitive, compressed_primitive *c) {
    if (!sinewi_gltf_get_required_index(g, primitive, "indices", g->accessor_count, "accessors", &c->indices))
        return false;
    const sinewi_gltf_accessor *a = &g->accessors[c->indices];
    sinewi_json_value location = sinewi_json_get(&g->json, primitive, "indices");
    if (!sinewi_gltf_expect_type(g, location, c->indices, SINEWI_GLTF_SCALAR)) return false;
    if (a->count % 3 == 0) return true;
    return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "%d indices are not a multiple of 3", (int)a->count);
}

// Lists the accessors that the decoder fills and their attributes' ids.
static bool find_attributes_and_indices(sinewi_import *g, sinewi_json_value primitive, const sinew_primitive *p,
                                        compressed_primitive *c) {
    sinewi_json_value attributes = sinewi_json_get(&g->json, primitive, "attributes");
    if (!sinewi_gltf_get_required_index(g, c->value, "bufferView", g->view_values.count, "bufferViews", &c->view))
        return false;
    if (!sinewi_gltf_get_object(g, c->value, "attributes", &c->ids)) return false;
    for (int i = 0; i < ATTRIBUTE_NAMES; i++)
        if (!find_attribute(g, attributes, attribute_names[i], c)) return false;
    sinewi_gltf_attribute_name uvs = sinewi_gltf_uv_name(g, p);
    return find_attribute(g, attributes, uvs.text, c) && find_indices(g, primitive, c);
}

// ---- Decoding ------------------------------------------------------------------------------------------------------

// Returns whether all attributes and indices are already decoded. Primitives that differ only in material often share
// them.
static bool are_all_decoded(const sinewi_import *g, const compressed_primitive *c) {
    for (int32_t i = 0; i < c->attribute_count; i++) {
        const sinewi_gltf_accessor *a = &g->accessors[c->accessors[i]];
        if (!a->decoded || a->decoded_view != c->view || a->decoded_id != c->attributes[i].id) return false;
    }
    const sinewi_gltf_accessor *indices = &g->accessors[c->indices];
    return indices->count == 0 || (indices->integers && indices->decoded_view == c->view);
}

// Allocates the decoder's outputs. They are zeroed, so no byte is undefined.
static bool allocate_outputs(sinewi_import *g, compressed_primitive *c, uint32_t **indices) {
    for (int32_t i = 0; i < c->attribute_count; i++) {
        sinew_draco_attribute *attribute = &c->attributes[i];
        size_t size = sinewi_gltf_component_size((sinewi_gltf_component)attribute->component_type);
        attribute->out = sinewi_gltf_take_zeroed(g, &g->scratch, (size_t)c->vertex_count,
                                                 size * (size_t)attribute->component_count);
        if (!attribute->out) return false;
    }
    *indices = sinewi_gltf_zeros(g, &g->scratch, uint32_t, (size_t)g->accessors[c->indices].count);
    return *indices != NULL;
}

// Drops what was read from the accessor's previous bytes.
static void clear_cache(sinewi_import *g, sinewi_gltf_accessor *a) {
    for (int i = 0; i < SINEWI_GLTF_USE_COUNT; i++) a->floats[i] = NULL;
    for (int i = 0; i < 3; i++) a->triangles[i] = NULL;
    a->integers = NULL;
    a->largest_integer = 0;
    a->sparse_count = 0;
    g->last_influences.joints = NULL;
}

// Converts the decoder's numbers from the machine's byte order to little-endian, which accessors expect.
static void convert_to_little_endian(const sinew_draco_attribute *attribute, int32_t vertex_count) {
    uint8_t *bytes = (uint8_t *)attribute->out;
    size_t size = sinewi_gltf_component_size((sinewi_gltf_component)attribute->component_type);
    size_t count = (size_t)vertex_count * (size_t)attribute->component_count;
    for (size_t i = 0; size == 2 && i < count; i++, bytes += 2) {
        uint16_t number;
        memcpy(&number, bytes, sizeof number);
        for (int k = 0; k < 2; k++) bytes[k] = (uint8_t)(number >> 8 * k);
    }
    for (size_t i = 0; size == 4 && i < count; i++, bytes += 4) {
        uint32_t number;
        memcpy(&number, bytes, sizeof number);
        for (int k = 0; k < 4; k++) bytes[k] = (uint8_t)(number >> 8 * k);
    }
}

// Gives the decoder's outputs to the accessors as their bytes.
static void store_attributes(sinewi_import *g, const compressed_primitive *c) {
    for (int32_t i = 0; i < c->attribute_count; i++) {
        sinewi_gltf_accessor *a = &g->accessors[c->accessors[i]];
        convert_to_little_endian(&c->attributes[i], c->vertex_count);
        clear_cache(g, a);
        a->decoded = (const uint8_t *)c->attributes[i].out;
        a->decoded_view = c->view;
        a->decoded_id = c->attributes[i].id;
    }
}

static void store_indices(sinewi_import *g, const compressed_primitive *c, const uint32_t *indices) {
    sinewi_gltf_accessor *a = &g->accessors[c->indices];
    clear_cache(g, a);
    for (int32_t i = 0; i < a->count; i++)
        if (indices[i] > a->largest_integer) a->largest_integer = indices[i];
    a->integers = indices;
    a->decoded_view = c->view;
}

// Calls the caller's decoder, unless the primitive is already decoded or has no vertices. The compressed bytes count as
// work.
static bool decode_primitive(sinewi_import *g, compressed_primitive *c) {
    uint32_t *indices;
    if (c->vertex_count == 0 || are_all_decoded(g, c)) return true;
    const sinewi_gltf_view *view = &g->views[c->view];
    if (!sinewi_gltf_spend(g, c->value, "meshes share their compressed data", view->length)) return false;
    if (!sinewi_gltf_load_view(g, c->view) || !allocate_outputs(g, c, &indices)) return false;
    const sinew_draco_mesh mesh = {
        .data = view->data,
        .size = view->length,
        .vertex_count = c->vertex_count,
        .attribute_count = c->attribute_count,
        .attributes = c->attributes,
        .index_count = g->accessors[c->indices].count,
        .indices = indices,
    };
    if (!g->options.draco_decode(&mesh, g->options.draco_user))
        return sinewi_gltf_fail(
            g, c->value, SINEW_ERROR_FORMAT,
            "the data cannot be decoded as a Draco mesh with %d vertices, %d indices and the accessors' attributes",
            (int)c->vertex_count, (int)mesh.index_count);
    store_attributes(g, c);
    store_indices(g, c, indices);
    return true;
}

// ---- Primitives ----------------------------------------------------------------------------------------------------

// Leaves a primitive without vertices and logs it. Nodes and clips still load.
static bool leave_empty(sinewi_import *g, const char *location, const char *why, bool *empty) {
    sinewi_gltf_log(g, "%s: " EXTENSION ": %s; the primitive is left empty", location, why);
    *empty = true;
    return true;
}

// Decodes a primitive if it has the extension. Without a decoder, uses uncompressed accessors if there are any.
// Otherwise leaves the primitive empty.
bool sinewi_gltf_decode_draco(sinewi_import *g, sinewi_json_value value, const char *location,
                              const sinew_primitive *p, bool *empty) {
    enum { TRIANGLES = 4 };
    compressed_primitive c = {.value = sinewi_gltf_get_extension(g, value, EXTENSION)};
    int32_t positions;
    int64_t mode = TRIANGLES;
    if (c.value == SINEWI_JSON_ABSENT) return true;
    if (!find_accessor(g, sinewi_json_get(&g->json, value, "attributes"), "POSITION", &positions)) return false;
    if (positions < 0) return true;
    const sinewi_gltf_accessor *a = &g->accessors[positions];
    if (!g->options.draco_decode) // an accessor with a view has uncompressed data
        return a->view >= 0 || leave_empty(g, location, "no draco_decode is set in the options", empty);
    if (!sinewi_gltf_get_integer(g, value, "mode", 0, 6, &mode)) return false;
    if (mode != TRIANGLES) return leave_empty(g, location, "only triangle lists are supported", empty);
    c.vertex_count = a->count;
    return find_attributes_and_indices(g, value, p, &c) && decode_primitive(g, &c);
}
