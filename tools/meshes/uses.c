// SPDX-License-Identifier: MIT
// Finds which of the meshes' accessors may be compressed, and what each is used for.
#include "meshes/internal.h"

#include "lint/ranges.h"

#include <string.h>

// The maximum size of an element in the vertex codec.
#define MAX_STRIDE 256

mesh_accessor *mesh_member(const mesh_coder *c, sinewi_json_value object, const char *key) {
    const int32_t index = lint_index(c->def->document, object, key, c->def->document->accessors.count);
    return index >= 0 ? &c->accessors[index] : NULL;
}

// ---- Uses ----------------------------------------------------------------------------------------------------------

static bool begins_with(const sinewi_json *json, sinewi_json_value key, const char *start) {
    size_t length;
    const char *text = sinewi_json_raw_string(json, key, &length);
    return text && length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static mesh_use use_of(const sinewi_json *json, sinewi_json_value key, bool target) {
    if (sinewi_json_equals(json, key, "POSITION")) return target ? MESH_DISPLACEMENT : MESH_POSITION;
    if (sinewi_json_equals(json, key, "NORMAL")) return target ? MESH_DIRECTION : MESH_NORMAL;
    if (sinewi_json_equals(json, key, "TANGENT")) return target ? MESH_DIRECTION : MESH_TANGENT;
    if (begins_with(json, key, "TEXCOORD_")) return target ? MESH_OTHER : MESH_TEXCOORD;
    if (begins_with(json, key, "JOINTS_")) return target ? MESH_OTHER : MESH_JOINTS;
    if (begins_with(json, key, "WEIGHTS_")) return target ? MESH_OTHER : MESH_WEIGHTS;
    return MESH_OTHER;
}

static bool is_index(mesh_use use) {
    return use == MESH_TRIANGLES || use == MESH_INDICES;
}

static void note_use(mesh_accessor *accessor, mesh_use use) {
    if (accessor->use == use) return;
    if (accessor->use == MESH_UNUSED) {
        accessor->use = use;
    } else if (is_index(accessor->use) && is_index(use)) {
        accessor->use = MESH_INDICES;
    } else {
        if (is_index(accessor->use) || is_index(use)) accessor->kept = "it has both indices and vertices";
        accessor->use = MESH_OTHER;
    }
}

mesh_accessor *mesh_accessor_at(const mesh_coder *c, sinewi_json_value value) {
    const sinewi_json *json = &c->def->document->json;
    if (sinewi_json_kind_of(json, value) != SINEWI_JSON_NUMBER) return NULL;
    const double number = sinewi_json_number(json, value);
    return number >= 0.0 && number < c->def->document->accessors.count ? &c->accessors[(int32_t)number] : NULL;
}

// Records what attributes are used for, or keeps their accessors for a reason.
static void note_members(const mesh_coder *c, sinewi_json_value object, bool target, const char *kept) {
    const sinewi_json *json = &c->def->document->json;
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) return;
    for (sinewi_json_value k = object + 1; k < json->nodes[object].next; k = sinewi_json_next(json, k)) {
        mesh_accessor *accessor = mesh_accessor_at(c, k + 1);
        if (!accessor || c->dropped[k]) continue;
        note_use(accessor, use_of(json, k, target));
        if (kept) accessor->kept = kept;
    }
}

static void note_primitive(const mesh_coder *c, sinewi_json_value primitive) {
    ref_document *document = c->def->document;
    const bool draco = lint_extension(document, primitive, "KHR_draco_mesh_compression") != SINEWI_JSON_ABSENT;
    const char *kept = draco ? "Draco compresses it" : NULL;
    note_members(c, sinewi_json_get(&document->json, primitive, "attributes"), false, kept);
    const ref_list targets = ref_elements(document, primitive, "targets");
    for (int32_t i = 0; i < targets.count; i++) note_members(c, targets.values[i], true, NULL);
    mesh_accessor *indices = mesh_member(c, primitive, "indices");
    if (!indices) return;
    note_use(indices, ref_number(document, primitive, "mode", 4.0) == 4.0 ? MESH_TRIANGLES : MESH_INDICES);
    if (kept) indices->kept = kept;
}

// Keeps weights exact if there's more than one set, because they add up to 1 together.
static void keep_sets(const mesh_coder *c, sinewi_json_value attributes) {
    mesh_accessor *first = mesh_member(c, attributes, "WEIGHTS_0"),
                  *second = mesh_member(c, attributes, "WEIGHTS_1");
    if (!first || !second) return;
    first->exact = second->exact = true;
}

bool mesh_has_only_names(const sinewi_json *json, sinewi_json_value mesh) {
    const sinewi_json_value extras = sinewi_json_get(json, mesh, "extras");
    if (extras == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_kind_of(json, extras) != SINEWI_JSON_OBJECT) return false;
    for (sinewi_json_value k = extras + 1; k < json->nodes[extras].next; k = sinewi_json_next(json, k)) {
        if (!sinewi_json_equals(json, k, "targetNames")) return false;
    }
    return true;
}

mesh_accessor *mesh_binds_of(const mesh_coder *c, int32_t skin) {
    mesh_accessor *binds = mesh_member(c, c->def->document->skins.values[skin], "inverseBindMatrices");
    return binds && binds->use == MESH_BINDS ? binds : NULL;
}

// ---- What may be rounded ------------------------------------------------------------------------------------------

bool mesh_is_rounded(const mesh_accessor *accessor, mesh_use use) {
    return accessor->use == use && !accessor->kept && !accessor->exact;
}

// Vertices in meshes that no node uses stay exact. They aren't measured, so their scale is 0.
bool mesh_may_move(const mesh_accessor *accessor) {
    return (mesh_is_rounded(accessor, MESH_POSITION) || mesh_is_rounded(accessor, MESH_DISPLACEMENT)) &&
           accessor->scale > 0.0;
}

bool mesh_are_binds(const mesh_accessor *accessor) {
    return mesh_is_rounded(accessor, MESH_BINDS) && accessor->components == 16 && accessor->scale > 0.0 &&
           accessor->reach > 0.0;
}

int32_t mesh_root(int32_t *parents, int32_t index) {
    while (parents[index] != index) index = parents[index] = parents[parents[index]];
    return index;
}

// ---- Data ----------------------------------------------------------------------------------------------------------

// Stores all elements of a sparse accessor of floats. Readers also have them in memory. Returns false if it stays
// unchanged.
static bool fill_sparse(const mesh_coder *c, int32_t index, mesh_accessor *accessor) {
    ref_document *document = c->def->document;
    const sinewi_json_value value = document->accessors.values[index];
    ref_accessor read;
    if (ref_index(document, value, "componentType") != REF_F32 || accessor->use == MESH_BINDS ||
        sinewi_json_get(&document->json, value, "extensions") != SINEWI_JSON_ABSENT ||
        !ref_read_accessor(document, index, &read) || read.count < 1 || read.components > 4)
        return false;
    const size_t count = (size_t)read.count * (size_t)read.components;
    float *numbers = sinewi_arena_array(c->arena, float, count);
    for (size_t i = 0; numbers && i < count; i++) numbers[i] = (float)read.values[i];
    accessor->data = (const uint8_t *)numbers;
    accessor->count = read.count;
    accessor->components = read.components;
    accessor->size = accessor->stride = sizeof(float) * (size_t)read.components;
    accessor->component_type = REF_F32;
    return numbers;
}

// Finds where an accessor's elements are. Returns why it stays as it is, or NULL.
static const char *locate(const mesh_coder *c, int32_t index, mesh_accessor *accessor) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    ref_document *document = c->def->document;
    const sinewi_json_value value = document->accessors.values[index];
    const int32_t view = lint_index(document, value, "bufferView", document->views.count);
    const double count = ref_number(document, value, "count", 0.0);
    if (sinewi_json_get(&document->json, value, "sparse") != SINEWI_JSON_ABSENT)
        return fill_sparse(c, index, accessor) ? NULL : "it is sparse";
    if (view < 0 || !(count >= 1.0)) return "it has no buffer view";
    if (lint_meshopt(document, document->views.values[view]) != SINEWI_JSON_ABSENT)
        return "it is already compressed";
    if (!lint_is_plain(document, document->views.values[view]) ||
        sinewi_json_get(&document->json, value, "extensions") != SINEWI_JSON_ABSENT)
        return "it or its buffer view has extras or extensions";
    accessor->count = (int32_t)count;
    accessor->size = lint_accessor_size(document, index) / (size_t)accessor->count;
    accessor->stride = document->view_strides[view] > 0 ? (size_t)document->view_strides[view] : accessor->size;
    accessor->component_type = ref_index(document, value, "componentType");
    accessor->normalized = ref_flag(document, value, "normalized");
    for (int i = 0; i < 4; i++) {
        if (strcmp(ref_string(document, value, "type"), types[i]) == 0) accessor->components = i + 1;
    }
    if (strcmp(ref_string(document, value, "type"), "MAT4") == 0) accessor->components = 16;
    const ref_bytes bytes = document->view_bytes[view];
    const double offset = ref_number(document, value, "byteOffset", 0.0),
                 end = offset + (count - 1.0) * (double)accessor->stride + (double)accessor->size;
    if (!bytes.data || accessor->size == 0 || !(end <= (double)bytes.size)) return "its bytes cannot be read";
    if (accessor->size > MAX_STRIDE) return "its elements are too large";
    accessor->data = bytes.data + (size_t)offset;
    return NULL;
}

// Keeps accessors if anything but a mesh refers to them. Keeps all of them if an extension is unknown.
static bool keep_others(const mesh_coder *c) {
    lint_subject s;
    if (!lint_read_subject(&s, c->def->document, c->arena, NULL)) return false;
    for (int32_t i = 0; i < s.reference_count; i++) {
        const lint_kind from = s.references[i].from;
        if (s.references[i].kind != LINT_ACCESSOR || from == LINT_MESH) continue;
        mesh_accessor *accessor = &c->accessors[s.references[i].target];
        if (from != LINT_SKIN || accessor->use != MESH_BINDS)
            accessor->kept = "something other than a mesh uses it";
    }
    for (int32_t i = 0; s.opaque && i < c->def->document->accessors.count; i++)
        c->accessors[i].kept = "an unknown extension may use it";
    return true;
}

// Accessors may take this many times the file's size, because they may overlap. Any file may use the free bytes.
#define MAX_OVERLAP 4.0
#define FREE_BYTES  4194304.0

static void keep_overlapping(mesh_coder *c) {
    double total = 0.0;
    for (int32_t i = 0; i < c->accessor_count; i++) {
        const mesh_accessor *accessor = &c->accessors[i];
        if (accessor->use != MESH_UNUSED && !accessor->kept)
            total += (double)accessor->count * (double)(accessor->size + 3);
    }
    if (total <= FREE_BYTES + MAX_OVERLAP * (double)c->def->document->budget.bytes_read) return;
    c->accessor_count = c->def->document->accessors.count;
    for (int32_t i = 0; i < c->def->document->accessors.count; i++)
        c->accessors[i].kept = "the file's accessors overlap too much";
}

// ---- Primitives without indices ------------------------------------------------------------------------------------

static void add_indices_of(mesh_coder *c, int32_t mesh, int32_t primitive, sinewi_json_value value) {
    ref_document *document = c->def->document;
    const mesh_accessor *positions =
        mesh_member(c, sinewi_json_get(&document->json, value, "attributes"), "POSITION");
    if (!positions || positions->kept || positions->use != MESH_POSITION || positions->count % 3 != 0 ||
        ref_number(document, value, "mode", 4.0) != 4.0 ||
        sinewi_json_get(&document->json, value, "indices") != SINEWI_JSON_ABSENT)
        return;
    c->accessors[c->accessor_count++] = (mesh_accessor){.use = MESH_TRIANGLES,
                                                        .size = sizeof(uint32_t),
                                                        .count = positions->count,
                                                        .components = 1,
                                                        .component_type = REF_U32,
                                                        .added = true,
                                                        .mesh = mesh,
                                                        .primitive = primitive};
}

// Adds indices to triangle primitives that have none, because then vertices can be merged.
static void add_indices(mesh_coder *c) {
    ref_document *document = c->def->document;
    for (int32_t m = 0; m < document->meshes.count; m++) {
        const ref_list primitives = ref_elements(document, document->meshes.values[m], "primitives");
        for (int32_t p = 0; p < primitives.count; p++) add_indices_of(c, m, p, primitives.values[p]);
    }
}

static size_t count_primitives(ref_document *document) {
    size_t count = 0;
    for (int32_t m = 0; m < document->meshes.count; m++)
        count += (size_t)ref_elements(document, document->meshes.values[m], "primitives").count;
    return count;
}

bool mesh_find_uses(mesh_coder *c) {
    ref_document *document = c->def->document;
    const size_t room = (size_t)document->accessors.count + count_primitives(document);
    c->accessors = sinewi_arena_zeros(c->arena, mesh_accessor, room);
    c->accessor_count = document->accessors.count;
    if (!c->accessors) return false;
    for (int32_t m = 0; m < document->meshes.count; m++) {
        const ref_list primitives = ref_elements(document, document->meshes.values[m], "primitives");
        for (int32_t p = 0; p < primitives.count; p++) {
            note_primitive(c, primitives.values[p]);
            keep_sets(c, sinewi_json_get(&document->json, primitives.values[p], "attributes"));
        }
    }
    for (int32_t i = 0; i < document->skins.count; i++) {
        mesh_accessor *binds = mesh_member(c, document->skins.values[i], "inverseBindMatrices");
        if (binds) note_use(binds, MESH_BINDS);
    }
    for (int32_t i = 0; i < document->accessors.count; i++) {
        mesh_accessor *accessor = &c->accessors[i];
        if (accessor->use == MESH_UNUSED) continue;
        const char *kept = locate(c, i, accessor);
        if (!accessor->kept) accessor->kept = kept;
        accessor->exact |= accessor->component_type != REF_F32;
    }
    if (!keep_others(c)) return false;
    add_indices(c);
    keep_overlapping(c);
    return true;
}
