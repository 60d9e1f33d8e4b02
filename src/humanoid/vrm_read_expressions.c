// SPDX-License-Identifier: MIT
// Expressions: expressions in VRMC_vrm 1.0, blendShapeMaster in VRM 0.x, and the tracks of VRMC_vrm_animation 1.0.
//
// VRM 0.x binds a mesh's morph targets, which become binds of each node with that mesh. Its material changes aren't
// read, because they name shader properties.
//
// `g` is the import in progress (core/gltf_import.h), and `v` is the VRM data in progress (humanoid/vrm_read.h). `e` is
// an expression. Functions return false once the error is set.
#include "humanoid/vrm_read.h"

#include <string.h>

static const char *const preset_names[SINEW_VRM_PRESET_COUNT] = {
    "",   "happy", "angry",     "sad",        "relaxed", "surprised", "aa",       "ih",        "ou",      "ee",
    "oh", "blink", "blinkLeft", "blinkRight", "lookUp",  "lookDown",  "lookLeft", "lookRight", "neutral",
};

static const char *preset_name(sinew_vrm_preset preset) {
    return preset_names[preset];
}

// ---- Names ---------------------------------------------------------------------------------------------------------

sinew_vrm_preset sinewi_gltf_vrm_preset(const sinewi_import *g, sinewi_json_value name) {
    for (int i = 1; i < SINEW_VRM_PRESET_COUNT; i++)
        if (sinewi_json_equals(&g->json, name, preset_name((sinew_vrm_preset)i))) return (sinew_vrm_preset)i;
    return SINEW_VRM_PRESET_CUSTOM;
}

// The presets' names in VRM 0.x, in lower case.
static const struct preset_name_0 {
    const char *name;
    sinew_vrm_preset preset;
} preset_names_0[] = {
    {"joy", SINEW_VRM_PRESET_HAPPY},
    {"angry", SINEW_VRM_PRESET_ANGRY},
    {"sorrow", SINEW_VRM_PRESET_SAD},
    {"fun", SINEW_VRM_PRESET_RELAXED},
    {"a", SINEW_VRM_PRESET_AA},
    {"i", SINEW_VRM_PRESET_IH},
    {"u", SINEW_VRM_PRESET_OU},
    {"e", SINEW_VRM_PRESET_EE},
    {"o", SINEW_VRM_PRESET_OH},
    {"blink", SINEW_VRM_PRESET_BLINK},
    {"blink_l", SINEW_VRM_PRESET_BLINK_LEFT},
    {"blink_r", SINEW_VRM_PRESET_BLINK_RIGHT},
    {"lookup", SINEW_VRM_PRESET_LOOK_UP},
    {"lookdown", SINEW_VRM_PRESET_LOOK_DOWN},
    {"lookleft", SINEW_VRM_PRESET_LOOK_LEFT},
    {"lookright", SINEW_VRM_PRESET_LOOK_RIGHT},
    {"neutral", SINEW_VRM_PRESET_NEUTRAL},
};

// Compares without case. The specification writes "Blink_L", and exporters write "blink_l".
static bool equals_lower_case(const char *text, const char *lower) {
    for (; *text && *lower; text++, lower++) {
        const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text + 'a' - 'A') : *text;
        if (c != *lower) return false;
    }
    return *text == *lower;
}

static sinew_vrm_preset find_preset_0(const char *name) {
    for (size_t i = 0; i < sizeof preset_names_0 / sizeof preset_names_0[0]; i++)
        if (equals_lower_case(name, preset_names_0[i].name)) return preset_names_0[i].preset;
    return SINEW_VRM_PRESET_CUSTOM;
}

// Adds an expression and returns it. NULL if the preset already exists.
static sinew_vrm_expression *add_expression(const sinewi_import *g, const sinewi_gltf_vrm *v,
                                            sinew_vrm_preset preset) {
    if (preset != SINEW_VRM_PRESET_CUSTOM && v->out->expression_of_preset[preset] != SINEW_NO_EXPRESSION) {
        sinewi_gltf_log(g, "VRM: the expression %s appears again and is ignored", preset_name(preset));
        return NULL;
    }
    sinew_vrm_expression *e = &v->expressions[v->out->expression_count];
    e->preset = preset;
    e->name = preset_name(preset);
    if (preset != SINEW_VRM_PRESET_CUSTOM) v->out->expression_of_preset[preset] = v->out->expression_count;
    v->out->expression_count++;
    return e;
}

// ---- Morph targets -------------------------------------------------------------------------------------------------

// Adds a bind. Ignores a morph target that the node doesn't have.
static void add_morph(const sinewi_import *g, sinew_vrm_expression *e, sinew_vrm_morph_bind *binds,
                      sinew_vrm_morph_bind bind) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    const int32_t count = skeleton->weight_offsets[bind.node + 1] - skeleton->weight_offsets[bind.node];
    if (bind.target < count) {
        binds[e->morph_count++] = bind;
        return;
    }
    sinewi_gltf_log(g,
                    "VRM: a bind in the expression '%s' is ignored: nodes[%d] has %d morph targets, so index %d is "
                    "out of range",
                    e->name, (int)skeleton->source_of_node[bind.node], (int)count, (int)bind.target);
}

// Reads the index of a morph target.
static bool get_target(sinewi_import *g, sinewi_json_value value, int32_t *target) {
    int64_t index;
    if (!sinewi_gltf_get_required_integer(g, value, "index", 0, INT32_MAX, &index)) return false;
    *target = (int32_t)index;
    return true;
}

static bool read_morphs(sinewi_import *g, sinewi_json_value object, sinew_vrm_expression *e) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, object, "morphTargetBinds", SINEWI_JSON_OBJECT, &list)) return false;
    sinew_vrm_morph_bind *binds = sinewi_gltf_array(g, g->arena, sinew_vrm_morph_bind, (size_t)list.count);
    if (!binds) return false;
    e->morphs = binds;
    for (int32_t i = 0; i < list.count; i++) {
        sinew_vrm_morph_bind bind = {.weight = 1.0f};
        bool read = sinewi_gltf_get_node(g, list.values[i], "node", &bind.node) &&
                    get_target(g, list.values[i], &bind.target) &&
                    sinewi_gltf_get_float(g, list.values[i], "weight", &bind.weight);
        if (!read) return false;
        if (bind.node != SINEW_NO_NODE) add_morph(g, e, binds, bind);
    }
    return true;
}

// Reads the mesh of a VRM 0.x bind, as the first mesh node that has it or -1. Some files have -1.
static bool get_first_mesh_node(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value value,
                                int32_t *instance) {
    int64_t mesh = -1;
    if (!sinewi_gltf_get_integer(g, value, "mesh", -1, g->mesh_values.count - 1, &mesh)) return false;
    const int32_t loaded = sinewi_gltf_loaded_index(&g->mesh_values, (int32_t)mesh);
    *instance = loaded < 0 ? -1 : v->first_mesh_node[loaded];
    return true;
}

// Counts the binds of a VRM 0.x expression: one for each node with the mesh.
static bool count_morphs_0(sinewi_import *g, const sinewi_gltf_vrm *v, const sinewi_gltf_list *list,
                           size_t *count) {
    *count = 0;
    for (int32_t i = 0; i < list->count; i++) {
        int32_t instance;
        if (!get_first_mesh_node(g, v, list->values[i], &instance)) return false;
        const size_t before = *count;
        for (; instance >= 0; instance = v->next_mesh_node[instance]) ++*count;
        if (!sinewi_gltf_spend(g, list->values[i], "nodes share the mesh of a bind", *count - before)) return false;
    }
    return true;
}

static bool read_morphs_0(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value object,
                          sinew_vrm_expression *e) {
    sinewi_gltf_list list;
    size_t count;
    if (!sinewi_gltf_get_list(g, object, "binds", SINEWI_JSON_OBJECT, &list) ||
        !count_morphs_0(g, v, &list, &count))
        return false;
    sinew_vrm_morph_bind *binds = sinewi_gltf_array(g, g->arena, sinew_vrm_morph_bind, count);
    if (!binds) return false;
    e->morphs = binds;
    for (int32_t i = 0; i < list.count; i++) {
        sinew_vrm_morph_bind bind;
        int32_t instance;
        float percent = 100.0f;
        bool read = get_first_mesh_node(g, v, list.values[i], &instance) &&
                    get_target(g, list.values[i], &bind.target) &&
                    sinewi_gltf_get_float(g, list.values[i], "weight", &percent);
        if (!read) return false;
        bind.weight = percent / 100.0f;
        for (; instance >= 0; instance = v->next_mesh_node[instance]) {
            bind.node = g->asset->mesh_nodes[instance].node;
            add_morph(g, e, binds, bind);
        }
    }
    return true;
}

// ---- Materials -----------------------------------------------------------------------------------------------------

// Reads a required material. -1 if it isn't loaded.
static bool get_material(sinewi_import *g, sinewi_json_value value, int32_t *material) {
    int32_t index;
    if (!sinewi_gltf_get_required_index(g, value, "material", g->material_values.count, "materials", &index))
        return false;
    *material = sinewi_gltf_loaded_index(&g->material_values, index);
    return true;
}

static bool read_colors(sinewi_import *g, sinewi_json_value object, sinew_vrm_expression *e) {
    static const char *const targets[] = {"color",    "emissionColor", "shadeColor", "matcapColor",
                                          "rimColor", "outlineColor",  NULL};
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, object, "materialColorBinds", SINEWI_JSON_OBJECT, &list)) return false;
    sinew_vrm_color_bind *binds = sinewi_gltf_zeros(g, g->arena, sinew_vrm_color_bind, (size_t)list.count);
    if (!binds) return false;
    e->colors = binds;
    for (int32_t i = 0; i < list.count; i++) {
        sinew_vrm_color_bind *bind = &binds[e->color_count];
        int target = -1;
        bool read = get_material(g, list.values[i], &bind->material) &&
                    sinewi_gltf_get_word(g, list.values[i], "type", targets, &target) &&
                    sinewi_gltf_get_floats(g, list.values[i], "targetValue", 4, bind->value);
        if (!read) return false;
        bind->target = target < 0 ? SINEW_VRM_COLOR_TARGET_BASE : (sinew_vrm_color_target)target;
        if (target >= 0 && bind->material >= 0) e->color_count++; // otherwise the next one overwrites it
    }
    return true;
}

static bool read_textures(sinewi_import *g, sinewi_json_value object, sinew_vrm_expression *e) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, object, "textureTransformBinds", SINEWI_JSON_OBJECT, &list)) return false;
    sinew_vrm_texture_bind *binds = sinewi_gltf_array(g, g->arena, sinew_vrm_texture_bind, (size_t)list.count);
    if (!binds) return false;
    e->textures = binds;
    for (int32_t i = 0; i < list.count; i++) {
        sinew_vrm_texture_bind bind = {-1, {1.0f, 1.0f}, {0.0f, 0.0f}};
        bool read = get_material(g, list.values[i], &bind.material) &&
                    sinewi_gltf_get_floats(g, list.values[i], "scale", 2, bind.scale) &&
                    sinewi_gltf_get_floats(g, list.values[i], "offset", 2, bind.offset);
        if (!read) return false;
        if (bind.material >= 0) binds[e->texture_count++] = bind;
    }
    return true;
}

// ---- VRM 1.0 -------------------------------------------------------------------------------------------------------

static bool read_override(sinewi_import *g, sinewi_json_value object, const char *key, sinew_vrm_override *out) {
    static const char *const words[] = {"none", "block", "blend", NULL};
    int word = 0;
    if (!sinewi_gltf_get_word(g, object, key, words, &word)) return false;
    *out = word < 0 ? SINEW_VRM_OVERRIDE_NONE : (sinew_vrm_override)word;
    return true;
}

static bool read_expression(sinewi_import *g, sinewi_json_value object, sinew_vrm_expression *e) {
    return sinewi_gltf_get_bool(g, object, "isBinary", &e->binary) &&
           read_override(g, object, "overrideMouth", &e->override_mouth) &&
           read_override(g, object, "overrideBlink", &e->override_blink) &&
           read_override(g, object, "overrideLookAt", &e->override_look_at) && read_morphs(g, object, e) &&
           read_colors(g, object, e) && read_textures(g, object, e);
}

// Whether a member may be an expression. Logs and rejects presets with unknown names, and custom ones
// with a preset's name.
static bool has_good_name(const sinewi_import *g, sinewi_json_value key, sinew_vrm_preset preset, bool custom) {
    char quote[64];
    if ((preset == SINEW_VRM_PRESET_CUSTOM) == custom) return true;
    sinewi_json_quote(&g->json, key, quote, sizeof quote);
    sinewi_gltf_log(g, "VRM: the expression %s is ignored: %s", quote,
                    custom ? "a custom expression must not use a preset's name" : "unknown preset");
    return false;
}

// Counts the members of an object, which may be absent.
static size_t count_members(const sinewi_import *g, sinewi_json_value object) {
    size_t count = 0;
    sinewi_json_value key = sinewi_json_first_key(&g->json, object);
    for (; key != SINEWI_JSON_ABSENT; key = sinewi_json_following(&g->json, key)) count++;
    return count;
}

static bool expect_object(sinewi_import *g, sinewi_json_value value) {
    return sinewi_json_kind_of(&g->json, value) == SINEWI_JSON_OBJECT ||
           sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "is not an object");
}

// Reads the expressions in `preset` or `custom`.
static bool read_members(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value object, bool custom) {
    sinewi_json_value key = sinewi_json_first_key(&g->json, object);
    for (; key != SINEWI_JSON_ABSENT; key = sinewi_json_following(&g->json, key)) {
        const sinew_vrm_preset preset = sinewi_gltf_vrm_preset(g, key);
        if (!expect_object(g, key + 1)) return false;
        sinew_vrm_expression *e = has_good_name(g, key, preset, custom) ? add_expression(g, v, preset) : NULL;
        if (!e) continue;
        if (custom && !(e->name = sinewi_json_string(&g->json, key, g->arena, NULL)))
            return sinewi_gltf_fail_memory(g);
        if (!read_expression(g, key + 1, e)) return false;
    }
    return true;
}

static bool read_expressions_1(sinewi_import *g, sinewi_gltf_vrm *v) {
    sinewi_json_value object, presets, customs;
    if (!sinewi_gltf_get_object(g, v->avatar, "expressions", &object) ||
        !sinewi_gltf_get_object(g, object, "preset", &presets) ||
        !sinewi_gltf_get_object(g, object, "custom", &customs))
        return false;
    const size_t count = count_members(g, presets) + count_members(g, customs);
    v->expressions = sinewi_gltf_zeros(g, g->arena, sinew_vrm_expression, count);
    return v->expressions && read_members(g, v, presets, false) && read_members(g, v, customs, true);
}

// ---- VRM 0.x -------------------------------------------------------------------------------------------------------

static bool read_group_0(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value group) {
    const char *preset_name, *name;
    if (!sinewi_gltf_get_string(g, group, "presetName", &g->scratch, &preset_name) ||
        !sinewi_gltf_get_string(g, group, "name", g->arena, &name))
        return false;
    sinew_vrm_expression *e = add_expression(g, v, find_preset_0(preset_name));
    if (!e) return true;
    if (e->preset == SINEW_VRM_PRESET_CUSTOM) e->name = name;
    return sinewi_gltf_get_bool(g, group, "isBinary", &e->binary) && read_morphs_0(g, v, group, e);
}

static bool read_expressions_0(sinewi_import *g, sinewi_gltf_vrm *v) {
    sinewi_json_value object;
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_object(g, v->avatar, "blendShapeMaster", &object) ||
        !sinewi_gltf_get_list(g, object, "blendShapeGroups", SINEWI_JSON_OBJECT, &list))
        return false;
    v->expressions = sinewi_gltf_zeros(g, g->arena, sinew_vrm_expression, (size_t)list.count);
    if (!v->expressions) return false;
    for (int32_t i = 0; i < list.count; i++)
        if (!read_group_0(g, v, list.values[i])) return false;
    return true;
}

bool sinewi_gltf_read_vrm_expressions(sinewi_import *g, sinewi_gltf_vrm *v) {
    if (!(sinewi_gltf_is_vrm_0(v) ? read_expressions_0 : read_expressions_1)(g, v)) return false;
    v->out->expressions = v->expressions;
    return true;
}

// ---- VRMC_vrm_animation 1.0 ----------------------------------------------------------------------------------------

static bool read_tracks(sinewi_import *g, sinewi_json_value object, bool custom, sinew_vrm_track *tracks,
                        int32_t *count) {
    sinewi_json_value key = sinewi_json_first_key(&g->json, object);
    for (; key != SINEWI_JSON_ABSENT; key = sinewi_json_following(&g->json, key)) {
        sinew_vrm_track *track = &tracks[*count];
        track->preset = sinewi_gltf_vrm_preset(g, key);
        track->name = preset_name(track->preset);
        if (!expect_object(g, key + 1) || !sinewi_gltf_get_node(g, key + 1, "node", &track->node)) return false;
        if (!has_good_name(g, key, track->preset, custom) || track->node == SINEW_NO_NODE) continue;
        if (custom && !(track->name = sinewi_json_string(&g->json, key, g->arena, NULL)))
            return sinewi_gltf_fail_memory(g);
        ++*count;
    }
    return true;
}

static bool read_gaze_track(sinewi_import *g, sinewi_json_value animation, sinew_vrm_animation *out) {
    sinewi_json_value object;
    int32_t source;
    if (!sinewi_gltf_get_object(g, animation, "lookAt", &object) ||
        !sinewi_gltf_get_index(g, object, "node", g->node_values.count, "nodes", &source) ||
        !sinewi_gltf_get_vector(g, object, "offsetFromHeadBone", &out->offset))
        return false;
    if (source >= 0) out->gaze_node = g->asset->skeleton->node_of_source[source];
    return true;
}

bool sinewi_gltf_read_vrm_animation(sinewi_import *g, sinew_vrm *out) {
    sinewi_json_value extensions, animation, object, presets, customs;
    if (!sinewi_gltf_get_object(g, 0, "extensions", &extensions) ||
        !sinewi_gltf_get_object(g, extensions, "VRMC_vrm_animation", &animation) ||
        !sinewi_gltf_get_object(g, animation, "expressions", &object) ||
        !sinewi_gltf_get_object(g, object, "preset", &presets) ||
        !sinewi_gltf_get_object(g, object, "custom", &customs))
        return false;
    const size_t count = count_members(g, presets) + count_members(g, customs);
    sinew_vrm_track *tracks = sinewi_gltf_zeros(g, g->arena, sinew_vrm_track, count);
    if (!tracks) return false;
    out->animation.tracks = tracks;
    return read_tracks(g, presets, false, tracks, &out->animation.track_count) &&
           read_tracks(g, customs, true, tracks, &out->animation.track_count) &&
           read_gaze_track(g, animation, &out->animation);
}
