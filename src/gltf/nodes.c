// SPDX-License-Identifier: MIT
// Nodes and skins (glTF 2.0, sections 5.25 and 5.28): `children` become parents, matrices become transforms, and all
// nodes become the skeleton.
//
// A node's local matrix is T R S × shear: translation, rotation, scale, and what these cannot express of a matrix in
// the file. An index of a node is the file's until the skeleton is made.
//
// `g` is the import in progress (gltf/import.h): the options, the JSON, the asset being made, and the error. Functions
// return false once the error is set.
#include "core/authored.h"
#include "gltf/import.h"
#include "pose/matrix_split.h"

#include <string.h>

// ---- The hierarchy -------------------------------------------------------------------------------------------------

// Sets the parent of a node's children. A child of two nodes is an error.
static bool set_parent_of_children(sinew_import *g, int32_t parent) {
    sinew_gltf_list children;
    sinew_json_value value = g->node_values.values[parent];
    if (!sinew_gltf_get_list(g, value, "children", SINEW_JSON_NUMBER, &children)) return false;
    for (int32_t i = 0; i < children.count; i++) {
        int32_t child;
        sinew_json_value location = children.values[i];
        if (!sinew_gltf_check_index(g, location, g->node_values.count, "nodes", &child)) return false;
        if (g->parents[child] != SINEW_NO_NODE)
            return sinew_gltf_fail(g, location, SINEW_ERROR_FORMAT, "nodes[%d] is already a child of nodes[%d]",
                                   (int)child, (int)g->parents[child]);
        g->parents[child] = parent;
    }
    return true;
}

// Fails on a cycle: walks up from every node to the first node of an earlier walk. A walk that meets itself is a
// cycle.
static bool check_cycles(sinew_import *g, int32_t count) {
    int32_t *last_walk = sinew_gltf_zeros(g, &g->scratch, int32_t, (size_t)count);
    if (!last_walk) return false;
    for (int32_t i = 0; i < count; i++) {
        int32_t node = i;
        for (; node != SINEW_NO_NODE && last_walk[node] == 0; node = g->parents[node]) last_walk[node] = i + 1;
        if (node != SINEW_NO_NODE && last_walk[node] == i + 1)
            return sinew_gltf_fail(g, g->node_values.values[node], SINEW_ERROR_FORMAT,
                                   "the node is its own ancestor");
    }
    return true;
}

bool sinew_gltf_read_parents(sinew_import *g) {
    int32_t count = g->node_values.count;
    if (count > SINEW_MAX_NODES)
        return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_LIMIT, "nodes: %d nodes exceed the limit of %d",
                               (int)count, SINEW_MAX_NODES);
    g->parents = sinew_gltf_array(g, &g->scratch, int32_t, (size_t)count);
    if (!g->parents) return false;
    for (int32_t i = 0; i < count; i++) g->parents[i] = SINEW_NO_NODE;
    for (int32_t i = 0; i < count; i++)
        if (!set_parent_of_children(g, i)) return false;
    return check_cycles(g, count);
}

// ---- One node ------------------------------------------------------------------------------------------------------

// The local matrix of a node: transform × shear.
typedef struct node_rest {
    sinew_transform transform;
    sinew_affine *shear; // NULL: none
} node_rest;

// Splits a matrix into transform and shear.
static bool read_matrix(sinew_import *g, int32_t index, node_rest *out) {
    sinew_mat4 columns;
    sinew_json_value value = g->node_values.values[index];
    if (!sinew_gltf_get_floats(g, value, "matrix", 16, columns.m)) return false;
    sinew_split_matrix split = sinew_matrix_split(sinew_affine_from_mat4(columns));
    if (!split.is_finite)
        return sinew_gltf_fail(
            g, sinew_json_get(&g->json, value, "matrix"), SINEW_ERROR_FORMAT,
            "the numbers are too large to split the matrix into translation, rotation and scale");
    out->transform = split.transform;
    if (!split.is_sheared) return true;
    out->shear = sinew_gltf_array(g, &g->scratch, sinew_affine, 1);
    if (!out->shear) return false;
    *out->shear = split.shear;
    return true;
}

static bool read_transform(sinew_import *g, int32_t index, node_rest *out) {
    sinew_json_value value = g->node_values.values[index];
    if (sinew_json_get(&g->json, value, "matrix") != SINEW_JSON_ABSENT) return read_matrix(g, index, out);
    float t[3] = {0.0f, 0.0f, 0.0f}, r[4] = {0.0f, 0.0f, 0.0f, 1.0f}, s[3] = {1.0f, 1.0f, 1.0f};
    bool read = sinew_gltf_get_floats(g, value, "translation", 3, t) &&
                sinew_gltf_get_floats(g, value, "rotation", 4, r) && sinew_gltf_get_floats(g, value, "scale", 3, s);
    if (!read) return false;
    out->transform = (sinew_transform){
        .translation = {t[0], t[1], t[2]}, .rotation = {r[0], r[1], r[2], r[3]}, .scale = {s[0], s[1], s[2]}};
    return true;
}

// Reads default morph weights; a list of another length is cut or padded with 0, with a log line.
bool sinew_gltf_read_weights(sinew_import *g, sinew_json_value object, const char *array, int32_t index,
                             int32_t count, const float **out) {
    sinew_json_value weights = sinew_json_get(&g->json, object, "weights");
    *out = NULL;
    if (weights == SINEW_JSON_ABSENT) return true;
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, object, "weights", SINEW_JSON_NUMBER, &list)) return false;
    float *read = sinew_gltf_array(g, &g->scratch, float, (size_t)list.count);
    if (!read || !sinew_gltf_get_floats(g, object, "weights", list.count, read)) return false;
    if (list.count == count) {
        *out = read;
        return true;
    }
    sinew_gltf_log(g, "%s[%d].weights: %d weights for %d morph targets are cut or padded with 0", array, (int)index,
                   (int)list.count, (int)count);
    float *fitted = sinew_gltf_zeros(g, &g->scratch, float, (size_t)count);
    if (!fitted) return false;
    memcpy(fitted, read, (size_t)(list.count < count ? list.count : count) * sizeof *fitted);
    *out = fitted;
    return true;
}

// Reads the rest weights of a node's morph targets: its own, or its mesh's.
static bool read_morph_weights(sinew_import *g, int32_t index, sinew_node_def *node) {
    sinew_json_value value = g->node_values.values[index];
    int32_t mesh;
    if (!sinew_gltf_get_index(g, value, "mesh", g->mesh_values.count, "meshes", &mesh)) return false;
    if (mesh < 0 || sinew_gltf_part_of(g, index) != SINEW_GLTF_PART_ALL) return true;
    mesh = sinew_gltf_loaded_index(&g->mesh_values, mesh);
    node->weight_count = g->asset->meshes[mesh].target_count;
    if (!sinew_gltf_read_weights(g, value, "nodes", index, node->weight_count, &node->rest_weights)) return false;
    if (!node->rest_weights) node->rest_weights = g->mesh_notes[mesh].weights;
    return true;
}

// Reads the rest transform. The rotation is normalized before the conversion to +Z up, which then is exact.
static bool read_rest(sinew_import *g, int32_t index, sinew_node_def *node) {
    node_rest rest = {.shear = NULL};
    if (!read_transform(g, index, &rest)) return false;
    if (g->options.up == SINEW_UP_Z) {
        rest.transform.rotation = sinew_quat_as_authored(rest.transform.rotation);
        rest.transform = sinew_gltf_transform_to_z_up(rest.transform);
        if (rest.shear) *rest.shear = sinew_gltf_matrix_to_z_up(*rest.shear);
    }
    node->rest = rest.transform;
    node->shear = rest.shear;
    return true;
}

// Describes a node for the skeleton. Of a node that is not loaded only the parent is read.
static bool read_node(sinew_import *g, int32_t index, sinew_node_def *node) {
    node->parent = g->parents[index];
    node->excluded = sinew_gltf_part_of(g, index) == SINEW_GLTF_PART_NONE;
    return node->excluded ||
           (sinew_gltf_get_string(g, g->node_values.values[index], "name", &g->scratch, &node->name) &&
            read_rest(g, index, node) && read_morph_weights(g, index, node));
}

// ---- The skeleton --------------------------------------------------------------------------------------------------

static bool make_skeleton(sinew_import *g, const sinew_node_def *nodes, int32_t count) {
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    def.curve_count = g->curves.count;
    def.curve_names = g->curves.names;
    def.rest_curves = g->curves.rest;
    def.allocator = sinew_asset_allocator(g->data);
    sinew_skeleton *skeleton;
    sinew_error inner;
    if (sinew_skeleton_create(&def, &skeleton, &inner) != SINEW_OK) return sinew_gltf_fail_with(g, &inner, "nodes");
    g->asset->skeleton = skeleton;
    sinew_gltf_find_property_nodes(g);
    return true;
}

bool sinew_gltf_read_nodes(sinew_import *g) {
    int32_t count = g->node_values.count;
    g->current = sinew_json_get(&g->json, 0, "nodes");
    sinew_node_def *nodes = sinew_gltf_zeros(g, &g->scratch, sinew_node_def, (size_t)count);
    if (!nodes) return false;
    for (int32_t i = 0; i < count; i++)
        if (!read_node(g, i, &nodes[i])) return false;
    return sinew_gltf_list_curves(g) && make_skeleton(g, nodes, count);
}

// ---- Skins ---------------------------------------------------------------------------------------------------------

static bool read_joints(sinew_import *g, sinew_json_value skin, int32_t *count, const int32_t **out) {
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, skin, "joints", SINEW_JSON_NUMBER, &list)) return false;
    if (list.count == 0) return sinew_gltf_fail(g, skin, SINEW_ERROR_FORMAT, "has no joints");
    int32_t *joints = sinew_gltf_array(g, &g->scratch, int32_t, (size_t)list.count);
    if (!joints) return false;
    for (int32_t i = 0; i < list.count; i++) {
        int32_t node;
        if (!sinew_gltf_check_index(g, list.values[i], g->node_values.count, "nodes", &node)) return false;
        joints[i] = g->asset->skeleton->node_of_source[node];
    }
    *count = list.count;
    *out = joints;
    return true;
}

// Reads the inverse bind matrices; NULL, which means identities, if the file has none.
static bool read_inverse_binds(sinew_import *g, sinew_json_value skin, int32_t joint_count,
                               const sinew_affine **out) {
    int32_t accessor;
    const float *floats;
    *out = NULL;
    if (!sinew_gltf_get_index(g, skin, "inverseBindMatrices", g->accessor_count, "accessors", &accessor))
        return false;
    if (accessor < 0) return true;
    sinew_json_value location = sinew_json_get(&g->json, skin, "inverseBindMatrices");
    if (!sinew_gltf_expect_type(g, location, accessor, SINEW_GLTF_MAT4)) return false;
    int32_t found = g->accessors[accessor].count;
    if (found < joint_count)
        return sinew_gltf_fail(g, location, SINEW_ERROR_FORMAT, "accessors[%d] has %d matrices for %d joints",
                               (int)accessor, (int)found, (int)joint_count);
    if (!sinew_gltf_read_floats(g, accessor, SINEW_GLTF_FOR_IMPORT, &floats)) return false;
    sinew_affine *matrices = sinew_gltf_array(g, &g->scratch, sinew_affine, (size_t)joint_count);
    if (!matrices) return false;
    for (size_t i = 0; i < (size_t)joint_count; i++) {
        sinew_mat4 columns;
        for (size_t k = 0; k < 16; k++) columns.m[k] = floats[16 * i + k];
        matrices[i] = sinew_affine_from_mat4(columns);
        if (g->options.up == SINEW_UP_Z) matrices[i] = sinew_gltf_matrix_to_z_up(matrices[i]);
    }
    *out = matrices;
    return true;
}

static bool read_skin(sinew_import *g, int32_t index, sinew_skin *out) {
    sinew_json_value value = g->skin_values.values[index];
    sinew_skin_def def = sinew_skin_default();
    g->current = value;
    def.skeleton = g->asset->skeleton;
    def.allocator = sinew_asset_allocator(g->data);
    bool read = sinew_gltf_get_string(g, value, "name", &g->scratch, &def.name) &&
                read_joints(g, value, &def.joint_count, &def.joints) &&
                read_inverse_binds(g, value, def.joint_count, &def.inverse_binds);
    if (!read) return false;
    sinew_skin *skin;
    sinew_error inner;
    if (sinew_skin_create(&def, &skin, &inner) != SINEW_OK)
        return sinew_gltf_fail_with(g, &inner, "skins[%d]", (int)index);
    *out = *skin; // its arrays belong to the asset
    return true;
}

bool sinew_gltf_read_skins(sinew_import *g) {
    const sinew_gltf_values *values = &g->skin_values;
    sinew_skin *skins = sinew_gltf_zeros(g, g->arena, sinew_skin, (size_t)values->loaded_count);
    if (!skins) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinew_gltf_loaded_index(values, i);
        if (index >= 0 && !read_skin(g, i, &skins[index])) return false;
    }
    g->asset->skins = skins;
    g->asset->skin_count = values->loaded_count;
    return true;
}
