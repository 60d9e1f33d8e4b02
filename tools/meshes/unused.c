// SPDX-License-Identifier: MIT
// Finds attributes that no material needs: texture coordinates without a texture, and tangents without a normal map.
#include "meshes/internal.h"

#include "lint/subject.h"

#include <stdio.h>
#include <string.h>

// What a primitive's materials need.
typedef struct material_needs {
    uint32_t sets; // one bit per set of texture coordinates
    bool tangents;
} material_needs;

enum { SETS = 32 };

static bool has_text(const sinewi_json *json, sinewi_json_value key, const char *text) {
    size_t length;
    const char *raw = sinewi_json_raw_string(json, key, &length);
    const size_t size = strlen(text);
    for (size_t i = 0; raw && i + size <= length; i++) {
        if (memcmp(raw + i, text, size) == 0) return true;
    }
    return false;
}

static void need_set(material_needs *needs, double set) {
    needs->sets |= set >= 0.0 && set < SETS ? UINT32_C(1) << (int)set : UINT32_MAX;
}

// Adds what the texture infos of a material and its extensions need: objects whose key names a texture. Normal maps and
// anisotropy need tangents.
static void add_material(ref_document *document, sinewi_json_value material, material_needs *needs) {
    const sinewi_json *json = &document->json;
    for (sinewi_json_value v = material + 1; v < json->nodes[material].next; v++) {
        const sinewi_json_value info = v + 1;
        if (!json->nodes[v].key || json->nodes[info].kind != SINEWI_JSON_OBJECT) continue;
        needs->tangents |= has_text(json, v, "ormalTexture") || has_text(json, v, "nisotropy");
        if (!has_text(json, v, "exture")) continue;
        need_set(needs, ref_number(document, info, "texCoord", 0.0));
        const sinewi_json_value transform = lint_extension(document, info, "KHR_texture_transform");
        if (sinewi_json_get(json, transform, "texCoord") != SINEWI_JSON_ABSENT)
            need_set(needs, ref_number(document, transform, "texCoord", 0.0));
    }
}

static void add_index(ref_document *document, sinewi_json_value object, material_needs *needs) {
    const int32_t index = lint_index(document, object, "material", document->materials.count);
    if (index >= 0) add_material(document, document->materials.values[index], needs);
}

static material_needs needs_of(ref_document *document, sinewi_json_value primitive) {
    material_needs needs = {0, false};
    const ref_list variants =
        ref_elements(document, lint_extension(document, primitive, "KHR_materials_variants"), "mappings");
    add_index(document, primitive, &needs);
    for (int32_t i = 0; i < variants.count; i++) add_index(document, variants.values[i], &needs);
    return needs;
}

// Returns whether the materials don't need an attribute.
static bool is_unused(const sinewi_json *json, sinewi_json_value key, const material_needs *needs) {
    char name[32];
    if (sinewi_json_equals(json, key, "TANGENT")) return !needs->tangents;
    for (int i = 0; i < SETS; i++) {
        snprintf(name, sizeof name, "TEXCOORD_%d", i);
        if (sinewi_json_equals(json, key, name)) return !(needs->sets >> i & 1);
    }
    return false;
}

static void drop_members(const mesh_coder *c, sinewi_json_value object, const material_needs *needs) {
    const sinewi_json *json = &c->def->document->json;
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) return;
    for (sinewi_json_value k = object + 1; k < json->nodes[object].next; k = sinewi_json_next(json, k)) {
        if (json->nodes[k + 1].kind != SINEWI_JSON_NUMBER || !is_unused(json, k, needs)) continue;
        c->dropped[k] = true;
        c->out->dropped_count++;
    }
}

static void drop_primitive(const mesh_coder *c, sinewi_json_value primitive) {
    ref_document *document = c->def->document;
    const material_needs needs = needs_of(document, primitive);
    const ref_list targets = ref_elements(document, primitive, "targets");
    if (lint_extension(document, primitive, "KHR_draco_mesh_compression") != SINEWI_JSON_ABSENT ||
        sinewi_json_get(&document->json, primitive, "extras") != SINEWI_JSON_ABSENT)
        return;
    drop_members(c, sinewi_json_get(&document->json, primitive, "attributes"), &needs);
    for (int32_t i = 0; i < targets.count; i++) drop_members(c, targets.values[i], &needs);
}

bool mesh_drop_unused(mesh_coder *c) {
    ref_document *document = c->def->document;
    lint_subject s;
    c->dropped = sinewi_arena_zeros(c->arena, bool, (size_t)document->json.node_count);
    if (!c->dropped || !lint_read_subject(&s, document, c->arena, NULL)) return false;
    for (int32_t m = 0; !s.opaque && m < document->meshes.count; m++) {
        const sinewi_json_value mesh = document->meshes.values[m];
        const ref_list primitives = ref_elements(document, mesh, "primitives");
        for (int32_t p = 0; mesh_has_only_names(&document->json, mesh) && p < primitives.count; p++)
            drop_primitive(c, primitives.values[p]);
    }
    c->out->dropped = c->dropped;
    return true;
}
