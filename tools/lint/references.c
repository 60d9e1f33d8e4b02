// SPDX-License-Identifier: MIT
// Finds all references: every index in the file that belongs to glTF 2.0 or the extensions below.
#include "lint/subject.h"

#include <string.h>

ref_list lint_list(const ref_document *document, lint_kind kind) {
    const ref_list *const lists[LINT_KIND_COUNT] = {&document->buffers, &document->views,     &document->accessors,
                                                    &document->images,  &document->textures,  &document->materials,
                                                    &document->meshes,  &document->skins,     &document->cameras,
                                                    &document->nodes,   &document->animations};
    return *lists[kind];
}

const char *lint_kind_name(lint_kind kind) {
    static const char *const names[LINT_KIND_COUNT] = {"buffers",  "bufferViews", "accessors", "images",
                                                       "textures", "materials",   "meshes",    "skins",
                                                       "cameras",  "nodes",       "animations"};
    return names[kind];
}

int32_t lint_index(const ref_document *document, sinewi_json_value object, const char *key, int32_t count) {
    int32_t index = ref_index(document, object, key);
    return index < count ? index : -1;
}

sinewi_json_value lint_extension(const ref_document *document, sinewi_json_value object, const char *name) {
    return sinewi_json_get(&document->json, sinewi_json_get(&document->json, object, "extensions"), name);
}

sinewi_json_value lint_meshopt(const ref_document *document, sinewi_json_value view) {
    sinewi_json_value extension = lint_extension(document, view, "EXT_meshopt_compression");
    if (extension != SINEWI_JSON_ABSENT) return extension;
    return lint_extension(document, view, "KHR_meshopt_compression");
}

// ---- Collecting ----------------------------------------------------------------------------------------------------

// The object whose references are being collected.
typedef struct owner {
    lint_subject *s;
    lint_kind kind;
    int32_t index;
} owner;

static void add_value(const owner *o, lint_kind kind, sinewi_json_value value) {
    lint_subject *s = o->s;
    if (sinewi_json_kind_of(&s->document->json, value) != SINEWI_JSON_NUMBER) return;
    double number = sinewi_json_number(&s->document->json, value);
    if (!(number >= 0.0 && number < lint_list(s->document, kind).count)) return;
    if (s->reference_count == s->reference_capacity) {
        int32_t capacity = s->reference_capacity > 0 ? 2 * s->reference_capacity : 256;
        lint_reference *references = lint_array(s, lint_reference, capacity);
        if (!references) return;
        if (s->reference_count > 0) {
            memcpy(references, s->references, (size_t)s->reference_count * sizeof *references);
        }
        s->references = references;
        s->reference_capacity = capacity;
    }
    s->references[s->reference_count++] = (lint_reference){kind, (int32_t)number, value, o->kind, o->index};
}

static void add(const owner *o, lint_kind kind, sinewi_json_value object, const char *key) {
    add_value(o, kind, sinewi_json_get(&o->s->document->json, object, key));
}

// Adds every member of an object, such as a primitive's attributes.
static void add_members(const owner *o, lint_kind kind, sinewi_json_value object) {
    const sinewi_json *json = &o->s->document->json;
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) return;
    for (sinewi_json_value k = object + 1; k < json->nodes[object].next; k = sinewi_json_next(json, k)) {
        add_value(o, kind, k + 1);
    }
}

static void add_elements(const owner *o, lint_kind kind, sinewi_json_value object, const char *key) {
    ref_list list = ref_elements(o->s->document, object, key);
    for (int32_t i = 0; i < list.count; i++) add_value(o, kind, list.values[i]);
}

static void add_primitive(const owner *o, sinewi_json_value primitive) {
    ref_document *document = o->s->document;
    const sinewi_json *json = &document->json;
    add_members(o, LINT_ACCESSOR, sinewi_json_get(json, primitive, "attributes"));
    ref_list targets = ref_elements(document, primitive, "targets");
    for (int32_t i = 0; i < targets.count; i++) add_members(o, LINT_ACCESSOR, targets.values[i]);
    add(o, LINT_ACCESSOR, primitive, "indices");
    add(o, LINT_MATERIAL, primitive, "material");
    add(o, LINT_VIEW, lint_extension(document, primitive, "KHR_draco_mesh_compression"), "bufferView");
    ref_list variants =
        ref_elements(document, lint_extension(document, primitive, "KHR_materials_variants"), "mappings");
    for (int32_t i = 0; i < variants.count; i++) add(o, LINT_MATERIAL, variants.values[i], "material");
}

static bool ends_with_texture(const sinewi_json *json, sinewi_json_value key) {
    size_t length;
    const char *text = sinewi_json_raw_string(json, key, &length);
    return text && length >= 7 && (memcmp(text + length - 7, "Texture", 7) == 0);
}

// Adds the texture infos of a material and its extensions: objects whose key ends with Texture.
static void add_textures(const owner *o, sinewi_json_value material) {
    const sinewi_json *json = &o->s->document->json;
    for (sinewi_json_value v = material; v < json->nodes[material].next; v++) {
        int32_t key = sinewi_json_key_of(json, v);
        if (json->nodes[v].kind != SINEWI_JSON_OBJECT || v == material) continue;
        if (key != SINEWI_JSON_ABSENT && ends_with_texture(json, key)) {
            add(o, LINT_TEXTURE, v, "index");
        }
    }
}

static void add_texture(const owner *o, sinewi_json_value texture) {
    const sinewi_json *json = &o->s->document->json;
    add(o, LINT_IMAGE, texture, "source");
    sinewi_json_value extensions = sinewi_json_get(json, texture, "extensions");
    if (sinewi_json_kind_of(json, extensions) != SINEWI_JSON_OBJECT) return;
    for (sinewi_json_value k = extensions + 1; k < json->nodes[extensions].next; k = sinewi_json_next(json, k)) {
        add(o, LINT_IMAGE, k + 1, "source");
    }
}

static void add_accessor(const owner *o, sinewi_json_value accessor) {
    const sinewi_json *json = &o->s->document->json;
    sinewi_json_value sparse = sinewi_json_get(json, accessor, "sparse");
    add(o, LINT_VIEW, accessor, "bufferView");
    add(o, LINT_VIEW, sinewi_json_get(json, sparse, "indices"), "bufferView");
    add(o, LINT_VIEW, sinewi_json_get(json, sparse, "values"), "bufferView");
}

static void add_node(const owner *o, sinewi_json_value node) {
    ref_document *document = o->s->document;
    add(o, LINT_MESH, node, "mesh");
    add(o, LINT_SKIN, node, "skin");
    add(o, LINT_CAMERA, node, "camera");
    add_elements(o, LINT_NODE, node, "children");
    sinewi_json_value instancing = lint_extension(document, node, "EXT_mesh_gpu_instancing");
    add_members(o, LINT_ACCESSOR, sinewi_json_get(&document->json, instancing, "attributes"));
}

static void add_animation(const owner *o, sinewi_json_value animation) {
    ref_document *document = o->s->document;
    ref_list samplers = ref_elements(document, animation, "samplers");
    for (int32_t i = 0; i < samplers.count; i++) {
        add(o, LINT_ACCESSOR, samplers.values[i], "input");
        add(o, LINT_ACCESSOR, samplers.values[i], "output");
    }
}

static void add_of(const owner *o, sinewi_json_value value) {
    ref_document *document = o->s->document;
    ref_list primitives;
    switch (o->kind) {
    case LINT_VIEW:
        add(o, LINT_BUFFER, value, "buffer");
        add(o, LINT_BUFFER, lint_meshopt(document, value), "buffer");
        return;
    case LINT_ACCESSOR:
        add_accessor(o, value);
        return;
    case LINT_IMAGE:
        add(o, LINT_VIEW, value, "bufferView");
        return;
    case LINT_TEXTURE:
        add_texture(o, value);
        return;
    case LINT_MATERIAL:
        add_textures(o, value);
        return;
    case LINT_MESH:
        primitives = ref_elements(document, value, "primitives");
        for (int32_t i = 0; i < primitives.count; i++) add_primitive(o, primitives.values[i]);
        return;
    case LINT_SKIN:
        add(o, LINT_ACCESSOR, value, "inverseBindMatrices");
        add_elements(o, LINT_NODE, value, "joints");
        return;
    case LINT_NODE:
        add_node(o, value);
        return;
    case LINT_ANIMATION:
        add_animation(o, value);
        return;
    case LINT_BUFFER:
    case LINT_CAMERA:
    case LINT_KIND_COUNT:
        return;
    }
}

// ---- Extensions ----------------------------------------------------------------------------------------------------

// Returns whether all of an extension's references to accessors and views are collected above, or it has none.
static bool is_known(const char *name) {
    static const char *const known[] = {"KHR_texture_transform",
                                        "KHR_mesh_quantization",
                                        "EXT_meshopt_compression",
                                        "KHR_meshopt_compression",
                                        "KHR_lights_punctual",
                                        "KHR_texture_basisu",
                                        "EXT_texture_webp",
                                        "EXT_texture_avif",
                                        "MSFT_texture_dds",
                                        "KHR_node_visibility",
                                        "KHR_node_selectability",
                                        "KHR_node_hoverability",
                                        "KHR_animation_pointer",
                                        "KHR_xmp_json_ld",
                                        "KHR_xmp",
                                        "EXT_mesh_gpu_instancing",
                                        "KHR_draco_mesh_compression",
                                        "VRMC_springBone", // this and the next four only refer to nodes
                                        "VRMC_springBone_extended_collider",
                                        "VRMC_springBone_limit",
                                        "VRMC_node_constraint",
                                        "VRMC_vrm_animation",
                                        NULL};
    if (strncmp(name, "KHR_materials_", 14) == 0) return true;
    for (int i = 0; known[i]; i++) {
        if (strcmp(name, known[i]) == 0) return true;
    }
    return false;
}

static void find_opaque(lint_subject *s) {
    const sinewi_json *json = &s->document->json;
    for (sinewi_json_value v = 1; v < json->node_count && !s->opaque; v++) {
        int32_t key = sinewi_json_key_of(json, v);
        if (json->nodes[v].kind != SINEWI_JSON_OBJECT || key == SINEWI_JSON_ABSENT) continue;
        if (!sinewi_json_equals(json, key, "extensions")) continue;
        for (sinewi_json_value k = v + 1; k < json->nodes[v].next; k = sinewi_json_next(json, k)) {
            const char *name = sinewi_json_string(json, k, s->arena, NULL);
            if (name && !is_known(name)) s->opaque = name;
        }
    }
}

void lint_read_references(lint_subject *s) {
    for (int kind = 0; kind < LINT_KIND_COUNT; kind++) {
        ref_list list = lint_list(s->document, (lint_kind)kind);
        for (int32_t i = 0; i < list.count; i++) {
            owner o = {s, (lint_kind)kind, i};
            add_of(&o, list.values[i]);
        }
    }
    find_opaque(s);
}
