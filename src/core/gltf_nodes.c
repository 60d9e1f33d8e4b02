// SPDX-License-Identifier: MIT
// Nodes and skins (glTF 2.0, sections 5.25 and 5.28). Turns `children` into parents, matrices into transforms, and all
// nodes into the skeleton.
//
// A node's local matrix is T R S × shear: translation, rotation, scale, and whatever part of a file's matrix these
// can't express. Until the skeleton is made, node indices are the file's.
#include "base/authored.h"
#include "core/gltf_import.h"
#include "core/math_split.h"

#include <string.h>

// ---- The hierarchy -------------------------------------------------------------------------------------------------

// Sets the parent of a node's children. It is an error if a child already has one.
static bool set_parent_of_children(sinewi_import *g, int32_t parent) {
    sinewi_gltf_list children;
    sinewi_json_value value = g->node_values.values[parent];
    if (!sinewi_gltf_get_list(g, value, "children", SINEWI_JSON_NUMBER, &children)) return false;
    for (int32_t i = 0; i < children.count; i++) {
        int32_t child;
        sinewi_json_value location = children.values[i];
        if (!sinewi_gltf_check_index(g, location, g->node_values.count, "nodes", &child)) return false;
        if (g->parents[child] != SINEW_NO_NODE)
            return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "nodes[%d] is already a child of nodes[%d]",
                                    (int)child, (int)g->parents[child]);
        g->parents[child] = parent;
    }
    return true;
}

// Fails on a cycle. Walks up from every node until it reaches a node of an earlier walk. A walk that meets itself is a
// cycle.
static bool check_cycles(sinewi_import *g, int32_t count) {
    int32_t *last_walk = sinewi_gltf_zeros(g, &g->scratch, int32_t, (size_t)count);
    if (!last_walk) return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t node = i;
        for (; node != SINEW_NO_NODE && last_walk[node] == 0; node = g->parents[node]) last_walk[node] = i + 1;
        if (node != SINEW_NO_NODE && last_walk[node] == i + 1)
            return sinewi_gltf_fail(g, g->node_values.values[node], SINEW_ERROR_FORMAT,
                                    "the node is its own ancestor");
    }
    return true;
}

bool sinewi_gltf_read_parents(sinewi_import *g) {
    int32_t count = g->node_values.count;
    if (count > SINEW_MAX_NODES)
        return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_LIMIT, "nodes: %d nodes exceed the limit of %d",
                                (int)count, SINEW_MAX_NODES);
    g->parents = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)count);
    if (!g->parents) return false;
    for (int32_t i = 0; i < count; i++) g->parents[i] = SINEW_NO_NODE;
    for (int32_t i = 0; i < count; i++)
        if (!set_parent_of_children(g, i)) return false;
    return check_cycles(g, count);
}

// ---- One node ------------------------------------------------------------------------------------------------------

// A node's local matrix: transform × shear.
typedef struct node_rest {
    sinew_transform transform;
    sinew_affine *shear; // may be NULL
} node_rest;

// Splits a matrix into transform and shear.
static bool read_matrix(sinewi_import *g, int32_t index, node_rest *out) {
    sinew_mat4 columns;
    sinewi_json_value value = g->node_values.values[index];
    if (!sinewi_gltf_get_floats(g, value, "matrix", 16, columns.m)) return false;
    sinewi_split_matrix split = sinewi_matrix_split(sinew_affine_from_mat4(columns));
    if (!split.is_finite)
        return sinewi_gltf_fail(
            g, sinewi_json_get(&g->json, value, "matrix"), SINEW_ERROR_FORMAT,
            "the numbers are too large to split the matrix into translation, rotation and scale");
    out->transform = split.transform;
    if (!split.is_sheared) return true;
    out->shear = sinewi_gltf_array(g, &g->scratch, sinew_affine, 1);
    if (!out->shear) return false;
    *out->shear = split.shear;
    return true;
}

static bool read_transform(sinewi_import *g, int32_t index, node_rest *out) {
    sinewi_json_value value = g->node_values.values[index];
    if (sinewi_json_get(&g->json, value, "matrix") != SINEWI_JSON_ABSENT) return read_matrix(g, index, out);
    float t[3] = {0.0f, 0.0f, 0.0f}, r[4] = {0.0f, 0.0f, 0.0f, 1.0f}, s[3] = {1.0f, 1.0f, 1.0f};
    bool read = sinewi_gltf_get_floats(g, value, "translation", 3, t) &&
                sinewi_gltf_get_floats(g, value, "rotation", 4, r) &&
                sinewi_gltf_get_floats(g, value, "scale", 3, s);
    if (!read) return false;
    out->transform = (sinew_transform){
        .translation = {t[0], t[1], t[2]}, .rotation = {r[0], r[1], r[2], r[3]}, .scale = {s[0], s[1], s[2]}};
    return true;
}

// Reads default morph weights. Cuts a list of another length or pads it with 0, and logs it.
bool sinewi_gltf_read_weights(sinewi_import *g, sinewi_json_value object, const char *array, int32_t index,
                              int32_t count, const float **out) {
    sinewi_json_value weights = sinewi_json_get(&g->json, object, "weights");
    *out = NULL;
    if (weights == SINEWI_JSON_ABSENT) return true;
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, object, "weights", SINEWI_JSON_NUMBER, &list)) return false;
    float *read = sinewi_gltf_array(g, &g->scratch, float, (size_t)list.count);
    if (!read || !sinewi_gltf_get_floats(g, object, "weights", list.count, read)) return false;
    if (list.count == count) {
        *out = read;
        return true;
    }
    sinewi_gltf_log(g, "%s[%d].weights: %d weights for %d morph targets are cut or padded with 0", array,
                    (int)index, (int)list.count, (int)count);
    float *fitted = sinewi_gltf_zeros(g, &g->scratch, float, (size_t)count);
    if (!fitted) return false;
    memcpy(fitted, read, (size_t)(list.count < count ? list.count : count) * sizeof *fitted);
    *out = fitted;
    return true;
}

// Reads the rest weights of a node's morph targets. Uses the node's own or else the mesh's.
static bool read_morph_weights(sinewi_import *g, int32_t index, sinew_node_def *node) {
    sinewi_json_value value = g->node_values.values[index];
    int32_t mesh;
    if (!sinewi_gltf_get_index(g, value, "mesh", g->mesh_values.count, "meshes", &mesh)) return false;
    if (mesh < 0 || sinewi_gltf_part_of(g, index) != SINEWI_GLTF_PART_ALL) return true;
    mesh = sinewi_gltf_loaded_index(&g->mesh_values, mesh);
    node->weight_count = g->asset->meshes[mesh].target_count;
    if (!sinewi_gltf_read_weights(g, value, "nodes", index, node->weight_count, &node->rest_weights)) return false;
    if (!node->rest_weights) node->rest_weights = g->mesh_notes[mesh].weights;
    return true;
}

// Reads the rest transform. Normalizes the rotation before converting to +Z up, so the conversion is exact.
static bool read_rest(sinewi_import *g, int32_t index, sinew_node_def *node) {
    node_rest rest = {.shear = NULL};
    if (!read_transform(g, index, &rest)) return false;
    if (g->options.up == SINEW_UP_Z) {
        rest.transform.rotation = sinewi_quat_as_authored(rest.transform.rotation);
        rest.transform = sinewi_gltf_transform_to_z_up(rest.transform);
        if (rest.shear) *rest.shear = sinewi_gltf_matrix_to_z_up(*rest.shear);
    }
    node->rest = rest.transform;
    node->shear = rest.shear;
    return true;
}

// Describes a node for the skeleton. For a node that isn't loaded, only reads the parent.
static bool read_node(sinewi_import *g, int32_t index, sinew_node_def *node) {
    node->parent = g->parents[index];
    node->excluded = sinewi_gltf_part_of(g, index) == SINEWI_GLTF_PART_NONE;
    return node->excluded ||
           (sinewi_gltf_get_string(g, g->node_values.values[index], "name", &g->scratch, &node->name) &&
            read_rest(g, index, node) && read_morph_weights(g, index, node));
}

// ---- The skeleton --------------------------------------------------------------------------------------------------

static bool make_skeleton(sinewi_import *g, const sinew_node_def *nodes, int32_t count) {
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    def.curve_count = g->curves.count;
    def.curve_names = g->curves.names;
    def.rest_curves = g->curves.rest;
    def.allocator = sinewi_asset_allocator(g->data);
    sinew_skeleton *skeleton;
    sinew_error inner;
    if (sinew_skeleton_create(&def, &skeleton, &inner) != SINEW_OK)
        return sinewi_gltf_fail_with(g, &inner, "nodes");
    g->asset->skeleton = skeleton;
    sinewi_gltf_find_property_nodes(g);
    return true;
}

bool sinewi_gltf_read_nodes(sinewi_import *g) {
    int32_t count = g->node_values.count;
    g->current = sinewi_json_get(&g->json, 0, "nodes");
    sinew_node_def *nodes = sinewi_gltf_zeros(g, &g->scratch, sinew_node_def, (size_t)count);
    if (!nodes) return false;
    for (int32_t i = 0; i < count; i++)
        if (!read_node(g, i, &nodes[i])) return false;
    return sinewi_gltf_list_curves(g) && make_skeleton(g, nodes, count);
}

// ---- Skins ---------------------------------------------------------------------------------------------------------

static bool read_joints(sinewi_import *g, sinewi_json_value skin, int32_t *count, const int32_t **out) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, skin, "joints", SINEWI_JSON_NUMBER, &list)) return false;
    if (list.count == 0) return sinewi_gltf_fail(g, skin, SINEW_ERROR_FORMAT, "has no joints");
    int32_t *joints = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)list.count);
    if (!joints) return false;
    for (int32_t i = 0; i < list.count; i++) {
        int32_t node;
        if (!sinewi_gltf_check_index(g, list.values[i], g->node_values.count, "nodes", &node)) return false;
        joints[i] = g->asset->skeleton->node_of_source[node];
    }
    *count = list.count;
    *out = joints;
    return true;
}

// Reads the inverse bind matrices. NULL means identities, if the file has none.
static bool read_inverse_binds(sinewi_import *g, sinewi_json_value skin, int32_t joint_count,
                               const sinew_affine **out) {
    int32_t accessor;
    const float *floats;
    *out = NULL;
    if (!sinewi_gltf_get_index(g, skin, "inverseBindMatrices", g->accessor_count, "accessors", &accessor))
        return false;
    if (accessor < 0) return true;
    sinewi_json_value location = sinewi_json_get(&g->json, skin, "inverseBindMatrices");
    if (!sinewi_gltf_expect_type(g, location, accessor, SINEWI_GLTF_MAT4)) return false;
    int32_t found = g->accessors[accessor].count;
    if (found < joint_count)
        return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "accessors[%d] has %d matrices for %d joints",
                                (int)accessor, (int)found, (int)joint_count);
    if (!sinewi_gltf_read_floats(g, accessor, SINEWI_GLTF_FOR_IMPORT, &floats)) return false;
    sinew_affine *matrices = sinewi_gltf_array(g, &g->scratch, sinew_affine, (size_t)joint_count);
    if (!matrices) return false;
    for (size_t i = 0; i < (size_t)joint_count; i++) {
        sinew_mat4 columns;
        for (size_t k = 0; k < 16; k++) columns.m[k] = floats[16 * i + k];
        matrices[i] = sinew_affine_from_mat4(columns);
        if (g->options.up == SINEW_UP_Z) matrices[i] = sinewi_gltf_matrix_to_z_up(matrices[i]);
    }
    *out = matrices;
    return true;
}

static bool read_skin(sinewi_import *g, int32_t index, sinew_skin *out) {
    sinewi_json_value value = g->skin_values.values[index];
    sinew_skin_def def = sinew_skin_default();
    g->current = value;
    def.skeleton = g->asset->skeleton;
    def.allocator = sinewi_asset_allocator(g->data);
    bool read = sinewi_gltf_get_string(g, value, "name", &g->scratch, &def.name) &&
                read_joints(g, value, &def.joint_count, &def.joints) &&
                read_inverse_binds(g, value, def.joint_count, &def.inverse_binds);
    if (!read) return false;
    sinew_skin *skin;
    sinew_error inner;
    if (sinew_skin_create(&def, &skin, &inner) != SINEW_OK)
        return sinewi_gltf_fail_with(g, &inner, "skins[%d]", (int)index);
    *out = *skin; // its arrays belong to the asset
    return true;
}

bool sinewi_gltf_read_skins(sinewi_import *g) {
    const sinewi_gltf_values *values = &g->skin_values;
    sinew_skin *skins = sinewi_gltf_zeros(g, g->arena, sinew_skin, (size_t)values->loaded_count);
    if (!skins) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinewi_gltf_loaded_index(values, i);
        if (index >= 0 && !read_skin(g, i, &skins[index])) return false;
    }
    g->asset->skins = skins;
    g->asset->skin_count = values->loaded_count;
    return true;
}
