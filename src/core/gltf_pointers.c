// SPDX-License-Identifier: MIT
// JSON pointers in animation channels (KHR_animation_pointer, glTF 2.0 Asset Object Model, RFC 6901). Finds out what a
// pointer animates, and this property's value in the file.
//
// Node transforms and morph weights are animated by ordinary channels. Everything else is animated by curves, one per
// component. A property listed in the table may be missing in the file if it has a default value and the object it
// belongs to exists. In extras and in unlisted extensions, the file must have the property, and its JSON value gives
// the type.
//
// A token is the part of a pointer between two slashes.
#include "core/gltf_import.h"

#include <string.h>

#define MAX_TOKENS 16

// A pointer that is being resolved.
typedef struct pointer_text {
    sinewi_json_value location; // of its string, for errors
    const char *text;
    int32_t count;
    const char *tokens[MAX_TOKENS]; // unescaped
} pointer_text;

// ---- Properties -------------------------------------------------------------------------------------------------

typedef enum property_type {
    PROPERTY_FLOAT = 1,
    PROPERTY_FLOAT2,
    PROPERTY_FLOAT3,
    PROPERTY_FLOAT4,
    PROPERTY_BOOL
} property_type; // for floats, their number

typedef struct property_row {
    const char *pattern; // "{}" is an index
    property_type type;
    bool has_default;
    float value[4]; // the default
} property_row;

// The mutable properties of core glTF and ratified extensions. The default values come from the schemas.
static const property_row property_rows[] = {
    {"cameras/{}/orthographic/xmag", PROPERTY_FLOAT, false, {0}},
    {"cameras/{}/orthographic/ymag", PROPERTY_FLOAT, false, {0}},
    {"cameras/{}/orthographic/zfar", PROPERTY_FLOAT, false, {0}},
    {"cameras/{}/orthographic/znear", PROPERTY_FLOAT, false, {0}},
    {"cameras/{}/perspective/aspectRatio", PROPERTY_FLOAT, false, {0}},
    {"cameras/{}/perspective/yfov", PROPERTY_FLOAT, false, {0}},
    {"cameras/{}/perspective/zfar", PROPERTY_FLOAT, false, {0}},
    {"cameras/{}/perspective/znear", PROPERTY_FLOAT, false, {0}},
    {"extensions/KHR_lights_punctual/lights/{}/color", PROPERTY_FLOAT3, true, {1, 1, 1}},
    {"extensions/KHR_lights_punctual/lights/{}/intensity", PROPERTY_FLOAT, true, {1}},
    {"extensions/KHR_lights_punctual/lights/{}/range", PROPERTY_FLOAT, false, {0}},
    {"extensions/KHR_lights_punctual/lights/{}/spot/innerConeAngle", PROPERTY_FLOAT, true, {0}},
    {"extensions/KHR_lights_punctual/lights/{}/spot/outerConeAngle", PROPERTY_FLOAT, true, {0.785398163f}},
    {"materials/{}/alphaCutoff", PROPERTY_FLOAT, true, {0.5f}},
    {"materials/{}/emissiveFactor", PROPERTY_FLOAT3, true, {0, 0, 0}},
    {"materials/{}/normalTexture/scale", PROPERTY_FLOAT, true, {1}},
    {"materials/{}/occlusionTexture/strength", PROPERTY_FLOAT, true, {1}},
    {"materials/{}/pbrMetallicRoughness/baseColorFactor", PROPERTY_FLOAT4, true, {1, 1, 1, 1}},
    {"materials/{}/pbrMetallicRoughness/metallicFactor", PROPERTY_FLOAT, true, {1}},
    {"materials/{}/pbrMetallicRoughness/roughnessFactor", PROPERTY_FLOAT, true, {1}},
    {"materials/{}/extensions/KHR_materials_anisotropy/anisotropyStrength", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_anisotropy/anisotropyRotation", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_clearcoat/clearcoatFactor", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale", PROPERTY_FLOAT, true, {1}},
    {"materials/{}/extensions/KHR_materials_dispersion/dispersion", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_emissive_strength/emissiveStrength", PROPERTY_FLOAT, true, {1}},
    {"materials/{}/extensions/KHR_materials_ior/ior", PROPERTY_FLOAT, true, {1.5f}},
    {"materials/{}/extensions/KHR_materials_iridescence/iridescenceFactor", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_iridescence/iridescenceIor", PROPERTY_FLOAT, true, {1.3f}},
    {"materials/{}/extensions/KHR_materials_iridescence/iridescenceThicknessMinimum", PROPERTY_FLOAT, true, {100}},
    {"materials/{}/extensions/KHR_materials_iridescence/iridescenceThicknessMaximum", PROPERTY_FLOAT, true, {400}},
    {"materials/{}/extensions/KHR_materials_sheen/sheenColorFactor", PROPERTY_FLOAT3, true, {0, 0, 0}},
    {"materials/{}/extensions/KHR_materials_sheen/sheenRoughnessFactor", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_specular/specularFactor", PROPERTY_FLOAT, true, {1}},
    {"materials/{}/extensions/KHR_materials_specular/specularColorFactor", PROPERTY_FLOAT3, true, {1, 1, 1}},
    {"materials/{}/extensions/KHR_materials_transmission/transmissionFactor", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_volume/thicknessFactor", PROPERTY_FLOAT, true, {0}},
    {"materials/{}/extensions/KHR_materials_volume/attenuationDistance", PROPERTY_FLOAT, false, {0}},
    {"materials/{}/extensions/KHR_materials_volume/attenuationColor", PROPERTY_FLOAT3, true, {1, 1, 1}},
    {"nodes/{}/extensions/KHR_node_visibility/visible", PROPERTY_BOOL, true, {1}},
};
enum { ROW_COUNT = sizeof property_rows / sizeof property_rows[0] };

// KHR_texture_transform, which can be on every texture of a material.
static const property_row texture_rows[] = {{"offset", PROPERTY_FLOAT2, true, {0, 0}},
                                            {"rotation", PROPERTY_FLOAT, true, {0}},
                                            {"scale", PROPERTY_FLOAT2, true, {1, 1}}};

// Parses an array index without leading zeros. Returns -1 for other tokens.
static int32_t index_of(const char *token) {
    if (token[0] == '\0' || (token[0] == '0' && token[1] != '\0') || strlen(token) > 9) return -1;
    int32_t index = 0;
    for (; *token; token++) {
        if (*token < '0' || *token > '9') return -1;
        index = 10 * index + (*token - '0');
    }
    return index;
}

static bool matches(const pointer_text *p, const char *pattern) {
    for (int32_t i = 0; i < p->count; i++) {
        const char *end = strchr(pattern, '/');
        const size_t length = end ? (size_t)(end - pattern) : strlen(pattern);
        const bool is_index = length == 2 && pattern[0] == '{';
        const bool same = strlen(p->tokens[i]) == length && strncmp(p->tokens[i], pattern, length) == 0;
        if (!(is_index ? index_of(p->tokens[i]) >= 0 : same)) return false;
        if (!end) return i == p->count - 1;
        pattern = end + 1;
    }
    return false;
}

// Returns a pointer's row in the table, or NULL.
static const property_row *find_row(const pointer_text *p) {
    for (int i = 0; i < ROW_COUNT; i++) {
        if (matches(p, property_rows[i].pattern)) return &property_rows[i];
    }
    const bool is_texture_transform = p->count >= 6 && strcmp(p->tokens[0], "materials") == 0 &&
                                      strcmp(p->tokens[p->count - 3], "extensions") == 0 &&
                                      strcmp(p->tokens[p->count - 2], "KHR_texture_transform") == 0;
    for (int i = 0; is_texture_transform && i < 3; i++) {
        if (strcmp(p->tokens[p->count - 1], texture_rows[i].pattern) == 0) return &texture_rows[i];
    }
    return NULL;
}

// Returns whether the table lists properties of an extension.
static bool is_listed(const char *extension) {
    const size_t length = strlen(extension);
    if (strcmp(extension, "KHR_texture_transform") == 0) return true;
    for (int i = 0; i < ROW_COUNT; i++) {
        const char *found = strstr(property_rows[i].pattern, extension);
        if (length > 0 && found && found > property_rows[i].pattern && found[-1] == '/' && found[length] == '/')
            return true;
    }
    return false;
}

// Returns whether a pointer leads into extras, or into an extension that the table doesn't list.
static bool is_open(const pointer_text *p, bool *in_extras) {
    *in_extras = false;
    for (int32_t i = 0; i + 1 < p->count; i++) {
        *in_extras = strcmp(p->tokens[i], "extras") == 0;
        if (*in_extras || (strcmp(p->tokens[i], "extensions") == 0 && !is_listed(p->tokens[i + 1]))) return true;
    }
    return false;
}

// ---- Tokens -----------------------------------------------------------------------------------------------------

// Decodes ~0 and ~1. Returns false for other escapes.
static bool unescape(char *token) {
    char *to = token;
    for (const char *from = token; *from; from++) {
        if (*from == '~') {
            from++;
            if (*from != '0' && *from != '1') return false;
            *to++ = *from == '0' ? '~' : '/';
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return true;
}

static bool split(sinewi_import *g, pointer_text *p) {
    char *copy = sinewi_arena_string(&g->scratch, p->text, strlen(p->text));
    if (!copy) return sinewi_gltf_fail_memory(g);
    if (copy[0] != '/')
        return sinewi_gltf_fail(g, p->location, SINEW_ERROR_FORMAT,
                                "a pointer must start with '/', as in /nodes/0/scale");
    for (char *at = copy; at;) {
        char *token = at + 1;
        at = strchr(token, '/');
        if (at) *at = '\0';
        if (p->count == MAX_TOKENS)
            return sinewi_gltf_fail(g, p->location, SINEW_ERROR_UNSUPPORTED, "the pointer has more than %d parts",
                                    MAX_TOKENS);
        if (!unescape(token))
            return sinewi_gltf_fail(g, p->location, SINEW_ERROR_FORMAT, "a '~' in a pointer must be ~0 or ~1");
        p->tokens[p->count++] = token;
    }
    return true;
}

// ---- Values -----------------------------------------------------------------------------------------------------

// Returns the elements of one of the file's arrays that have already been listed. NULL for other arrays.
static const sinewi_json_value *find_list(const sinewi_import *g, const pointer_text *p, int32_t depth,
                                          int32_t *count) {
    const sinewi_gltf_values *values = NULL;
    if (depth == 1 && strcmp(p->tokens[0], "nodes") == 0) {
        *count = g->node_values.count;
        return g->node_values.values;
    }
    if (depth == 1 && strcmp(p->tokens[0], "materials") == 0) values = &g->material_values;
    if (depth == 1 && strcmp(p->tokens[0], "meshes") == 0) values = &g->mesh_values;
    if (depth == 1 && strcmp(p->tokens[0], "cameras") == 0) values = &g->camera_values;
    if (depth == 3 && strcmp(p->tokens[0], "extensions") == 0 && strcmp(p->tokens[1], "KHR_lights_punctual") == 0 &&
        strcmp(p->tokens[2], "lights") == 0) {
        values = &g->light_values;
    }
    if (!values) return NULL;
    *count = values->count;
    return values->values;
}

// Finds the value that the first `depth` tokens lead to. It may be ABSENT.
static bool find_value(sinewi_import *g, const pointer_text *p, int32_t depth, sinewi_json_value *out) {
    sinewi_json_value value = 0;
    for (int32_t i = 0; i < depth && value != SINEWI_JSON_ABSENT; i++) {
        int32_t count = 0;
        uint64_t steps = 1;
        const sinewi_json_value *list = find_list(g, p, i, &count);
        const sinewi_json_kind kind = sinewi_json_kind_of(&g->json, value);
        const int32_t index = kind == SINEWI_JSON_ARRAY ? index_of(p->tokens[i]) : -1;
        if (list) {
            value = index >= 0 && index < count ? list[index] : SINEWI_JSON_ABSENT;
        } else if (kind == SINEWI_JSON_ARRAY) {
            sinewi_json_value e = index >= 0 ? sinewi_json_first(&g->json, value) : SINEWI_JSON_ABSENT;
            for (int32_t k = 0; k < index && e != SINEWI_JSON_ABSENT; k++, steps++)
                e = sinewi_json_following(&g->json, e);
            value = e;
        } else {
            steps += kind == SINEWI_JSON_OBJECT ? (uint64_t)(g->json.nodes[value].next - value) : 0;
            value = sinewi_json_get(&g->json, value, p->tokens[i]);
        }
        if (!sinewi_gltf_spend(g, p->location, "pointers share their objects", steps)) return false;
    }
    *out = value;
    return true;
}

static bool fail_pointer(sinewi_import *g, const pointer_text *p, const char *message) {
    return sinewi_gltf_fail(g, p->location, SINEW_ERROR_FORMAT, "'%.120s' %s", p->text, message);
}

// ---- Elements ---------------------------------------------------------------------------------------------------

// Sets the element with the property, and the rest of the pointer as the property's name. Returns false if the element
// isn't loaded.
static bool find_element(const sinewi_import *g, const pointer_text *p, sinew_animated_property *out) {
    int32_t depth = 2;
    const int32_t index = p->count > 1 ? index_of(p->tokens[1]) : -1;
    out->target = SINEW_PROPERTY_OTHER;
    out->index = -1;
    if (strcmp(p->tokens[0], "materials") == 0 && index >= 0) {
        out->target = SINEW_PROPERTY_MATERIAL;
        out->index = sinewi_gltf_loaded_index(&g->material_values, index);
    } else if (strcmp(p->tokens[0], "cameras") == 0 && index >= 0) {
        out->target = SINEW_PROPERTY_CAMERA;
        out->index = sinewi_gltf_loaded_index(&g->camera_values, index);
    } else if (strcmp(p->tokens[0], "nodes") == 0 && index >= 0) {
        out->target = SINEW_PROPERTY_NODE;
        out->index = sinewi_gltf_part_of(g, index) == SINEWI_GLTF_PART_NONE ? -1 : index; // still the file's index
    } else if (p->count > 4 && strcmp(p->tokens[1], "KHR_lights_punctual") == 0) {
        out->target = SINEW_PROPERTY_LIGHT;
        out->index = sinewi_gltf_loaded_index(&g->light_values, index_of(p->tokens[3]));
        depth = 4;
    } else {
        depth = 0;
    }
    out->name = out->pointer + 1;
    for (; depth > 0; depth--) out->name = strchr(out->name, '/') + 1;
    return out->target == SINEW_PROPERTY_OTHER || out->index >= 0;
}

// ---- Properties -------------------------------------------------------------------------------------------------

// Reads a listed property's value from the file, or uses the default.
static bool read_listed(sinewi_import *g, const pointer_text *p, const property_row *row, sinewi_json_value parent,
                        sinewi_gltf_pointer *out) {
    const char *key = p->tokens[p->count - 1];
    const bool present = sinewi_json_get(&g->json, parent, key) != SINEWI_JSON_ABSENT;
    if (!present && !row->has_default) return fail_pointer(g, p, "is not in the file, and has no default value");
    float *rest = sinewi_gltf_array(g, &g->scratch, float, 4);
    if (!rest) return false;
    memcpy(rest, row->value, sizeof row->value);
    out->rest = rest;
    out->property.is_bool = row->type == PROPERTY_BOOL;
    out->property.component_count = row->type == PROPERTY_BOOL ? 1 : (int32_t)row->type;
    if (row->type == PROPERTY_BOOL) {
        bool value = row->value[0] != 0.0f;
        if (!sinewi_gltf_get_bool(g, parent, key, &value)) return false;
        rest[0] = value ? 1.0f : 0.0f;
        return true;
    }
    if (row->type == PROPERTY_FLOAT) return sinewi_gltf_get_float(g, parent, key, rest);
    return sinewi_gltf_get_floats(g, parent, key, (int32_t)row->type, rest);
}

// Reads an unlisted property's value. Sets `*found` if it is a number, an array of numbers, or a boolean.
static bool read_unlisted(sinewi_import *g, sinewi_json_value value, sinewi_gltf_pointer *out, bool *found) {
    const sinewi_json_kind kind = sinewi_json_kind_of(&g->json, value);
    const bool is_bool = kind == SINEWI_JSON_TRUE || kind == SINEWI_JSON_FALSE, is_list = kind == SINEWI_JSON_ARRAY;
    const int32_t count = is_list ? sinewi_json_count(&g->json, value) : 1;
    *found = false;
    if ((!is_bool && !is_list && kind != SINEWI_JSON_NUMBER) || count == 0) return true;
    if (!sinewi_gltf_spend(g, value, "pointers share their objects", (uint64_t)count)) return false;
    float *rest = sinewi_gltf_array(g, &g->scratch, float, (size_t)count);
    if (!rest) return false;
    rest[0] = kind == SINEWI_JSON_TRUE ? 1.0f : 0.0f;
    sinewi_json_value e = is_list ? sinewi_json_first(&g->json, value) : value;
    for (int32_t i = 0; i < count && !is_bool; i++) {
        if (sinewi_json_kind_of(&g->json, e) != SINEWI_JSON_NUMBER) return true;
        if (!sinewi_gltf_check_float(g, e, &rest[i])) return false;
        if (is_list) e = sinewi_json_following(&g->json, e);
    }
    *found = true;
    out->rest = rest;
    out->may_be_list = is_list;
    out->property.is_bool = is_bool;
    out->property.component_count = count;
    return true;
}

static bool resolve_property(sinewi_import *g, const pointer_text *p, sinewi_gltf_pointer *out) {
    const property_row *row = find_row(p);
    bool in_extras;
    if (!row && !is_open(p, &in_extras)) return fail_pointer(g, p, "isn't a property that can be animated");
    sinewi_json_value value;
    if (!find_value(g, p, row ? p->count - 1 : p->count, &value)) return false;
    if (row && sinewi_json_kind_of(&g->json, value) != SINEWI_JSON_OBJECT)
        return fail_pointer(g, p, "points to an object that isn't in the file");
    bool found = true;
    if (!(row ? read_listed(g, p, row, value, out) : read_unlisted(g, value, out, &found))) return false;
    out->is_unknown = !found;
    if (!found) return true;
    if (find_element(g, p, &out->property)) out->kind = SINEWI_GLTF_POINTER_PROPERTY;
    return true;
}

// ---- Nodes and meshes -------------------------------------------------------------------------------------------

// Resolves pointers that ordinary channels can animate: node transforms and weights, and mesh weights. Sets `*is_one`
// for these.
static bool resolve_channel(sinewi_import *g, const pointer_text *p, sinewi_gltf_pointer *out, bool *is_one) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const bool of_node = strcmp(p->tokens[0], "nodes") == 0;
    *is_one = false;
    if ((!of_node && strcmp(p->tokens[0], "meshes") != 0) || p->count < 3 || p->count > 4) return true;
    int path = of_node ? SINEW_TARGET_TRANSLATION : SINEW_TARGET_WEIGHTS;
    while (path <= SINEW_TARGET_WEIGHTS && strcmp(p->tokens[2], paths[path]) != 0) path++;
    if (path > SINEW_TARGET_WEIGHTS || (p->count == 4 && path != SINEW_TARGET_WEIGHTS)) return true;
    *is_one = true;
    sinewi_json_value element;
    if (!find_value(g, p, 2, &element)) return false;
    if (element == SINEWI_JSON_ABSENT) return fail_pointer(g, p, "points to an object that isn't in the file");
    out->kind = of_node ? SINEWI_GLTF_POINTER_NODE : SINEWI_GLTF_POINTER_MESH;
    out->source = index_of(p->tokens[1]);
    out->path = path;
    out->element = p->count == 4 ? index_of(p->tokens[3]) : -1;
    return p->count == 3 || out->element >= 0 || fail_pointer(g, p, "needs a weight's index");
}

bool sinewi_gltf_has_pointer(const sinewi_import *g, sinewi_json_value target) {
    const sinewi_json_value path = sinewi_json_get(&g->json, target, "path");
    return sinewi_json_kind_of(&g->json, path) == SINEWI_JSON_STRING &&
           sinewi_json_equals(&g->json, path, "pointer") &&
           sinewi_gltf_get_extension(g, target, "KHR_animation_pointer") != SINEWI_JSON_ABSENT;
}

bool sinewi_gltf_resolve_pointer(sinewi_import *g, sinewi_json_value target, sinewi_gltf_pointer *out) {
    const sinewi_json_value extension = sinewi_gltf_get_extension(g, target, "KHR_animation_pointer");
    pointer_text p = {.count = 0};
    *out = (sinewi_gltf_pointer){.kind = SINEWI_GLTF_POINTER_IGNORED, .element = -1};
    if (!sinewi_gltf_get_required(g, extension, "pointer", &p.location) ||
        !sinewi_gltf_get_string(g, extension, "pointer", &g->scratch, &p.text) || !split(g, &p))
        return false;
    out->property.pointer = p.text;
    bool is_channel;
    if (!resolve_channel(g, &p, out, &is_channel)) return false;
    return is_channel || resolve_property(g, &p, out);
}
