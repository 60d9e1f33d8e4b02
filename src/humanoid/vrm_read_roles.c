// SPDX-License-Identifier: MIT
// Humanoid roles: VRM 1.0 (VRMC_vrm, humanoid.md; VRMC_vrm_animation) and VRM 0.x (VRM). A node index out of range is
// an error, like everywhere in a glTF file. Unknown bones are ignored. So are bones and nodes that occur twice, which
// the specification forbids but some files have. Each gets a log line.
//
// `g` is the import in progress (core/gltf_import.h): the options, the JSON, the asset under construction, and the
// error. Functions return false once the error is set.
#include "humanoid/vrm_read.h"

#include <string.h>

// VRM 0.x names the thumb's joints differently: proximal, intermediate, distal.
static const char *const vrm0_thumbs[] = {"leftThumbProximal", "leftThumbIntermediate", "rightThumbProximal",
                                          "rightThumbIntermediate"};
static const int32_t vrm0_thumb_roles[] = {SINEW_HUMANOID_LEFT_THUMB_METACARPAL, SINEW_HUMANOID_LEFT_THUMB_PROXIMAL,
                                           SINEW_HUMANOID_RIGHT_THUMB_METACARPAL,
                                           SINEW_HUMANOID_RIGHT_THUMB_PROXIMAL};

// Returns the role of a string in the file. SINEW_NO_ROLE if it's unknown.
static int32_t role_of_string(const sinewi_import *g, sinewi_json_value name, sinew_humanoid_source source) {
    for (int32_t i = 0; i < 4 && source == SINEW_HUMANOID_SOURCE_VRM_0; i++)
        if (sinewi_json_equals(&g->json, name, vrm0_thumbs[i])) return vrm0_thumb_roles[i];
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (sinewi_json_equals(&g->json, name, sinew_humanoid_role_name(role))) return role;
    return SINEW_NO_ROLE;
}

// Gives a role to a node, by the file's index. Nodes that aren't loaded get none.
static void set_role(const sinewi_import *g, sinew_humanoid *humanoid, int32_t role, int32_t index) {
    const int32_t node = g->asset->skeleton->node_of_source[index];
    if (node == SINEW_NO_NODE) return;
    const int32_t other = sinew_humanoid_role_of(humanoid, node);
    if (humanoid->nodes[role] != SINEW_NO_NODE) {
        sinewi_gltf_log(g, "VRM: %s appears again and is ignored", sinew_humanoid_role_name(role));
    } else if (other != SINEW_NO_ROLE) {
        sinewi_gltf_log(g, "VRM: nodes[%d] is already %s; %s is ignored", (int)index,
                        sinew_humanoid_role_name(other), sinew_humanoid_role_name(role));
    } else {
        humanoid->nodes[role] = node;
    }
}

// Reads a bone. VRM 0.x files have -1 for bones that the model doesn't have.
static bool read_bone(sinewi_import *g, sinew_humanoid *humanoid, sinewi_json_value name, sinewi_json_value bone) {
    int64_t index;
    const int64_t min = humanoid->source == SINEW_HUMANOID_SOURCE_VRM_0 ? -1 : 0;
    if (sinewi_json_kind_of(&g->json, bone) != SINEWI_JSON_OBJECT)
        return sinewi_gltf_fail(g, bone, SINEW_ERROR_FORMAT, "is not an object");
    if (!sinewi_gltf_get_required_integer(g, bone, "node", min, g->node_values.count - 1, &index)) return false;
    const int32_t role = role_of_string(g, name, humanoid->source);
    if (role == SINEW_NO_ROLE) {
        char quote[64];
        sinewi_json_quote(&g->json, name, quote, sizeof quote);
        sinewi_gltf_log(g, "VRM: the unknown bone %s is ignored", quote);
    } else if (index >= 0) {
        set_role(g, humanoid, role, (int32_t)index);
    }
    return true;
}

// VRM 1.0: an object with one member per bone.
static bool read_vrm_1(sinewi_import *g, sinewi_json_value bones, sinew_humanoid *humanoid) {
    sinewi_json_value key = sinewi_json_first_key(&g->json, bones);
    for (; key != SINEWI_JSON_ABSENT; key = sinewi_json_following(&g->json, key))
        if (!read_bone(g, humanoid, key, key + 1)) return false;
    return true;
}

// VRM 0.x: an array of named bones.
static bool read_vrm_0(sinewi_import *g, sinewi_json_value object, sinew_humanoid *humanoid) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, object, "humanBones", SINEWI_JSON_OBJECT, &list)) return false;
    for (int32_t i = 0; i < list.count; i++) {
        const sinewi_json_value name = sinewi_json_get(&g->json, list.values[i], "bone");
        if (sinewi_json_kind_of(&g->json, name) != SINEWI_JSON_STRING)
            return sinewi_gltf_fail(g, list.values[i], SINEW_ERROR_FORMAT, "bone is missing or not a string");
        if (!read_bone(g, humanoid, name, list.values[i])) return false;
    }
    return true;
}

// Reads an extension. A file may have both versions, because UniVRM's migration keeps VRM 0.x data.
static bool read_version(sinewi_import *g, const char *extension, sinew_humanoid_source source,
                         sinew_humanoid *humanoid) {
    sinewi_json_value object, bones;
    humanoid->source = source;
    if (!sinewi_gltf_get_object(g, sinewi_gltf_get_extension(g, 0, extension), "humanoid", &object)) return false;
    if (source == SINEW_HUMANOID_SOURCE_VRM_0) return read_vrm_0(g, object, humanoid);
    return sinewi_gltf_get_object(g, object, "humanBones", &bones) && read_vrm_1(g, bones, humanoid);
}

static bool has_roles(const sinew_humanoid *humanoid) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (humanoid->nodes[role] != SINEW_NO_NODE) return true;
    return false;
}

static bool read_humanoid(sinewi_import *g) {
    sinew_humanoid humanoid = sinew_humanoid_empty();
    static const struct version {
        const char *extension;
        sinew_humanoid_source source;
    } versions[] = {{"VRMC_vrm", SINEW_HUMANOID_SOURCE_VRM_1},
                    {"VRMC_vrm_animation", SINEW_HUMANOID_SOURCE_VRM_1},
                    {"VRM", SINEW_HUMANOID_SOURCE_VRM_0}};
    for (int i = 0; i < 3 && !has_roles(&humanoid); i++)
        if (!read_version(g, versions[i].extension, versions[i].source, &humanoid)) return false;
    if (!has_roles(&humanoid)) return true;
    sinew_humanoid *copy = sinewi_gltf_array(g, g->arena, sinew_humanoid, 1);
    if (!copy) return false;
    *copy = humanoid;
    g->asset->humanoid = copy;
    return true;
}

// If the roles have a fault, they are dropped.
bool sinewi_gltf_read_humanoid(sinewi_import *g) {
    return read_humanoid(g) || sinewi_gltf_leave_out(g, "extensions: the humanoid");
}
