// SPDX-License-Identifier: MIT
// VRM data: VRM 1.0 (VRMC_vrm) and VRM 0.x (VRM). This file reads the meta data and the first-person flags, and calls
// the other readers.
//
// `g` is the import in progress (core/gltf_import.h), and `v` is the VRM data in progress (humanoid/vrm_read.h).
// Functions return false once the error is set.
#include "humanoid/vrm_read.h"

// ---- Meta data -----------------------------------------------------------------------------------------------------

static bool read_authors(sinewi_import *g, sinewi_json_value meta, sinew_vrm_meta *out) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, meta, "authors", SINEWI_JSON_STRING, &list)) return false;
    const char **authors = sinewi_gltf_zeros(g, g->arena, const char *, (size_t)list.count);
    if (!authors) return false;
    for (int32_t i = 0; i < list.count; i++) {
        authors[i] = sinewi_json_string(&g->json, list.values[i], g->arena, NULL);
        if (!authors[i]) return sinewi_gltf_fail_memory(g);
    }
    out->author_count = list.count;
    out->authors = authors;
    return true;
}

// VRM 0.x has one author.
static bool read_author(sinewi_import *g, sinewi_json_value meta, sinew_vrm_meta *out) {
    const char **author = sinewi_gltf_array(g, g->arena, const char *, 1);
    if (!author || !sinewi_gltf_get_string(g, meta, "author", g->arena, author)) return false;
    out->author_count = author[0][0] != '\0';
    out->authors = author;
    return true;
}

static bool read_meta(sinewi_import *g, const sinewi_gltf_vrm *v) {
    bool is_0 = sinewi_gltf_is_vrm_0(v);
    sinewi_json_value meta;
    sinew_vrm_meta *out = &v->out->meta;
    return sinewi_gltf_get_object(g, v->avatar, "meta", &meta) &&
           sinewi_gltf_get_string(g, meta, is_0 ? "title" : "name", g->arena, &out->name) &&
           sinewi_gltf_get_string(g, meta, "version", g->arena, &out->version) &&
           sinewi_gltf_get_string(g, meta, "copyrightInformation", g->arena, &out->copyright) &&
           sinewi_gltf_get_string(g, meta, "contactInformation", g->arena, &out->contact) &&
           sinewi_gltf_get_string(g, meta, is_0 ? "licenseName" : "licenseUrl", g->arena, &out->license) &&
           sinewi_gltf_get_string(g, meta, "otherLicenseUrl", g->arena, &out->other_license) &&
           (is_0 ? read_author(g, meta, out) : read_authors(g, meta, out));
}

// ---- First-person flags --------------------------------------------------------------------------------------------

// Reads a flag. If it's absent or unknown, it's AUTO.
static bool read_flag(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value value,
                      sinew_vrm_first_person *flag) {
    static const char *const words_1[] = {"auto", "both", "thirdPersonOnly", "firstPersonOnly", NULL};
    static const char *const words_0[] = {"Auto", "Both", "ThirdPersonOnly", "FirstPersonOnly", NULL};
    bool is_0 = sinewi_gltf_is_vrm_0(v);
    int word = SINEW_VRM_FIRST_PERSON_AUTO;
    if (!sinewi_gltf_get_word(g, value, is_0 ? "firstPersonFlag" : "type", is_0 ? words_0 : words_1, &word))
        return false;
    *flag = word < 0 ? SINEW_VRM_FIRST_PERSON_AUTO : (sinew_vrm_first_person)word;
    return true;
}

// VRM 1.0 has flags for nodes.
static bool read_node_flag(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value value,
                           sinew_vrm_first_person flag) {
    int32_t node;
    if (!sinewi_gltf_get_node(g, value, "node", &node)) return false;
    int32_t instance = node == SINEW_NO_NODE ? -1 : v->mesh_node_of[node];
    if (instance >= 0) v->flags[instance] = flag;
    return true;
}

// VRM 0.x has flags for meshes. Some files have -1.
static bool read_mesh_flag(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value value,
                           sinew_vrm_first_person flag) {
    int64_t mesh = -1;
    if (!sinewi_gltf_get_integer(g, value, "mesh", -1, g->mesh_values.count - 1, &mesh)) return false;
    int32_t loaded = sinewi_gltf_loaded_index(&g->mesh_values, (int32_t)mesh);
    if (loaded < 0) return true;
    for (int32_t i = v->first_mesh_node[loaded]; i >= 0; i = v->next_mesh_node[i]) v->flags[i] = flag;
    v->first_mesh_node[loaded] = -1; // ignores a second flag, so a mesh with many nodes costs only once
    return true;
}

static bool read_first_person(sinewi_import *g, sinewi_gltf_vrm *v) {
    sinewi_json_value object;
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_object(g, v->avatar, "firstPerson", &object)) return false;
    if (!sinewi_gltf_get_list(g, object, "meshAnnotations", SINEWI_JSON_OBJECT, &list)) return false;
    for (int32_t i = 0; i < list.count; i++) {
        sinew_vrm_first_person flag;
        if (!read_flag(g, v, list.values[i], &flag)) return false;
        if (!(sinewi_gltf_is_vrm_0(v) ? read_mesh_flag : read_node_flag)(g, v, list.values[i], flag)) return false;
    }
    return true;
}

// ---- Everything ----------------------------------------------------------------------------------------------------

// Finds the mesh nodes of nodes and meshes.
static bool index_mesh_nodes(sinewi_import *g, sinewi_gltf_vrm *v) {
    const sinew_asset *asset = g->asset;
    v->mesh_node_of = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)asset->skeleton->node_count);
    v->first_mesh_node = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)asset->mesh_count);
    v->next_mesh_node = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)asset->mesh_node_count);
    if (!v->mesh_node_of || !v->first_mesh_node || !v->next_mesh_node) return false;
    for (int32_t i = 0; i < asset->skeleton->node_count; i++) v->mesh_node_of[i] = -1;
    for (int32_t i = 0; i < asset->mesh_count; i++) v->first_mesh_node[i] = -1;
    for (int32_t i = asset->mesh_node_count - 1; i >= 0; i--) { // backward, so lists start with the first node
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        v->mesh_node_of[mesh_node->node] = i;
        v->next_mesh_node[i] = v->first_mesh_node[mesh_node->mesh];
        v->first_mesh_node[mesh_node->mesh] = i;
    }
    return true;
}

// Whether the file has any VRM data other than node constraints.
static bool has_data(const sinewi_import *g) {
    static const char *const names[] = {"VRMC_vrm", "VRM", "VRMC_springBone", "VRMC_vrm_animation"};
    for (int i = 0; i < 4; i++)
        if (sinewi_gltf_get_extension(g, 0, names[i]) != SINEWI_JSON_ABSENT) return true;
    return false;
}

// Finds the avatar's data. A file may have both versions, because UniVRM's migration keeps VRM 0.x data.
static bool find_avatar(sinewi_import *g, sinewi_gltf_vrm *v) {
    sinewi_json_value extensions, avatar_0;
    if (!sinewi_gltf_get_object(g, 0, "extensions", &extensions) ||
        !sinewi_gltf_get_object(g, extensions, "VRMC_vrm", &v->avatar) ||
        !sinewi_gltf_get_object(g, extensions, "VRM", &avatar_0))
        return false;
    v->out->version = v->avatar != SINEWI_JSON_ABSENT  ? SINEW_VRM_VERSION_1
                      : avatar_0 != SINEWI_JSON_ABSENT ? SINEW_VRM_VERSION_0
                                                       : SINEW_VRM_VERSION_NONE;
    if (v->out->version == SINEW_VRM_VERSION_0) v->avatar = avatar_0;
    return true;
}

static bool read_all(sinewi_import *g, sinewi_gltf_vrm *v) {
    return find_avatar(g, v) && index_mesh_nodes(g, v) && read_meta(g, v) &&
           sinewi_gltf_read_vrm_expressions(g, v) && sinewi_gltf_read_vrm_look_at(g, v) &&
           sinewi_gltf_read_vrm_springs(g, v) && sinewi_gltf_read_vrm_animation(g, v->out) &&
           read_first_person(g, v); // last, because it empties first_mesh_node
}

// Starts with the contents of a file without data.
static sinew_vrm *make_empty(sinewi_import *g) {
    sinew_vrm *out = sinewi_gltf_zeros(g, g->arena, sinew_vrm, 1);
    if (!out) return NULL;
    out->skeleton = g->asset->skeleton;
    out->up = g->options.up;
    out->look_at.head = out->look_at.left_eye.node = out->look_at.right_eye.node = SINEW_NO_NODE;
    out->animation.gaze_node = SINEW_NO_NODE;
    for (int i = 0; i < SINEW_VRM_PRESET_COUNT; i++) out->expression_of_preset[i] = SINEW_NO_EXPRESSION;
    return out;
}

static bool read_vrm(sinewi_import *g) {
    sinewi_gltf_vrm v = {.out = make_empty(g)};
    if (!v.out || !sinewi_gltf_read_vrm_constraints(g, v.out)) return false;
    if (v.out->constraint_count == 0 && !has_data(g)) return true;
    v.flags = sinewi_gltf_zeros(g, g->arena, sinew_vrm_first_person, (size_t)g->asset->mesh_node_count);
    if (!v.flags || !read_all(g, &v)) return false;
    v.out->first_person = v.flags;
    g->asset->vrm = v.out;
    return true;
}

// A single fault drops all of the VRM data. Nodes, skins and clips don't need it.
static bool read_extension(sinewi_import *g) {
    return sinewi_gltf_read_humanoid(g) && (read_vrm(g) || sinewi_gltf_leave_out(g, "extensions: the VRM data"));
}

const sinew_gltf_extension *sinew_vrm_extension(void) {
    static const sinew_gltf_extension extension = {read_extension};
    return &extension;
}
