// SPDX-License-Identifier: MIT
// Reads nodes and skins.
#include "reference/internal.h"
#include "reference/model.h"

#include <string.h>

// ---- Nodes (sections 3.5 and 5.25) ---------------------------------------------------------------------------------

// Finds parents, and an order with every node after its parent.
static bool order_nodes(ref_document *document, ref_model *model, ref_node *nodes) {
    const sinewi_json *json = &document->json;
    int32_t *order = sinewi_arena_array(&document->arena, int32_t, (size_t)model->node_count), used = 0;
    if (!order) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < model->node_count; i++) nodes[i].parent = -1;
    for (int32_t i = 0; i < model->node_count; i++) {
        ref_list children = ref_elements(document, document->nodes.values[i], "children");
        for (int32_t c = 0; c < children.count; c++) {
            double child = sinewi_json_kind_of(json, children.values[c]) == SINEWI_JSON_NUMBER
                               ? sinewi_json_number(json, children.values[c])
                               : -1.0;
            if (!(child >= 0.0 && child < model->node_count) || nodes[(int32_t)child].parent != -1)
                return ref_fail(document, children.values[c], "the node does not exist, or already has a parent");
            nodes[(int32_t)child].parent = i;
        }
    }
    for (int32_t i = 0; i < model->node_count; i++) {
        if (nodes[i].parent == -1) order[used++] = i;
    }
    for (int32_t cursor = 0; cursor < used; cursor++) {
        ref_list children = ref_elements(document, document->nodes.values[order[cursor]], "children");
        for (int32_t c = 0; c < children.count; c++) {
            order[used++] = (int32_t)sinewi_json_number(json, children.values[c]);
        }
    }
    model->order = order;
    return used == model->node_count ||
           ref_fail(document, SINEWI_JSON_ABSENT, "nodes: some are their own ancestors");
}

static void read_transform(const ref_document *document, sinewi_json_value value, ref_node *node) {
    static const double rest[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    memcpy(node->translation, rest, sizeof node->translation);
    memcpy(node->rotation, rest + 3, sizeof node->rotation);
    memcpy(node->scale, rest + 7, sizeof node->scale);
    node->has_matrix = ref_numbers(document, value, "matrix", 16, node->matrix);
    if (node->has_matrix) {
        ref_split_matrix(node);
        return;
    }
    ref_numbers(document, value, "translation", 3, node->translation);
    ref_numbers(document, value, "rotation", 4, node->rotation);
    ref_numbers(document, value, "scale", 3, node->scale);
}

// Copies an array's first `count` weights. A shorter array leaves the rest unchanged.
static void copy_weights(const sinewi_json *json, sinewi_json_value array, int32_t count, double *out) {
    sinewi_json_value e = sinewi_json_first(json, array);
    for (int32_t i = 0; i < count && e != SINEWI_JSON_ABSENT; i++, e = sinewi_json_following(json, e)) {
        if (sinewi_json_kind_of(json, e) == SINEWI_JSON_NUMBER) out[i] = sinewi_json_number(json, e);
    }
}

// Finds each mesh's weights array. Does it once, because many nodes may use one mesh.
static const sinewi_json_value *find_mesh_weights(ref_document *document) {
    size_t count = (size_t)document->meshes.count;
    sinewi_json_value *arrays = sinewi_arena_array(&document->arena, sinewi_json_value, count);
    for (size_t i = 0; arrays && i < count; i++)
        arrays[i] = sinewi_json_get(&document->json, document->meshes.values[i], "weights");
    return arrays;
}

// Reads nodes' rest weights: the node's own, its mesh's (section 3.7.2.2), or zeros.
static bool read_rest_weights(ref_document *document, ref_model *model, const ref_node *nodes) {
    const sinewi_json *json = &document->json;
    const sinewi_json_value *mesh_weights = find_mesh_weights(document);
    double *weights = sinewi_arena_zeros(&document->arena, double, (size_t)model->weight_count);
    if (!mesh_weights || !weights) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < model->node_count; i++) {
        if (nodes[i].mesh < 0) continue;
        sinewi_json_value array = sinewi_json_get(json, document->nodes.values[i], "weights");
        if (sinewi_json_first(json, array) == SINEWI_JSON_ABSENT) array = mesh_weights[nodes[i].mesh];
        copy_weights(json, array, nodes[i].weight_count, weights + nodes[i].first_weight);
    }
    model->rest_weights = weights;
    return true;
}

static bool read_nodes(ref_document *document, ref_model *model) {
    model->node_count = document->nodes.count;
    ref_node *nodes = sinewi_arena_zeros(&document->arena, ref_node, (size_t)model->node_count);
    if (!nodes) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < model->node_count; i++) {
        sinewi_json_value value = document->nodes.values[i];
        ref_node *node = &nodes[i];
        node->name = ref_string(document, value, "name");
        node->mesh = ref_index(document, value, "mesh");
        node->skin = ref_index(document, value, "skin");
        if (node->mesh >= model->mesh_count || node->skin >= document->skins.count)
            return ref_fail(document, value, "the mesh or skin is out of range");
        read_transform(document, value, node);
        node->first_weight = model->weight_count;
        if (node->mesh >= 0) node->weight_count = model->meshes[node->mesh].target_count;
        if (node->weight_count > INT32_MAX - model->weight_count)
            return ref_fail(document, value, "too many morph weights");
        model->weight_count += node->weight_count;
    }
    model->nodes = nodes;
    if (!read_rest_weights(document, model, nodes)) return false;
    return order_nodes(document, model, nodes);
}

// ---- Skins (sections 3.7.3.1 and 5.28) -----------------------------------------------------------------------------

// Reads inverse bind matrices, or identities without an accessor. Sets the fourth row to 0 0 0 1, which it must be.
static bool read_inverse_binds(ref_document *document, sinewi_json_value value, ref_skin *skin) {
    ref_accessor accessor = {0};
    int32_t index = ref_index(document, value, "inverseBindMatrices");
    if (index >= 0 && !ref_read_accessor(document, index, &accessor)) return false;
    if (index >= 0 && (accessor.components != 16 || accessor.count < skin->joint_count))
        return ref_fail(document, value, "inverseBindMatrices: accessors[%d] must have one matrix per joint",
                        index);
    double *matrices = sinewi_arena_zeros(&document->arena, double, (size_t)skin->joint_count * 16);
    if (!matrices) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < skin->joint_count; i++) {
        double *matrix = matrices + 16 * (ptrdiff_t)i;
        for (int k = 0; k < 16; k++) {
            bool given = index >= 0 && k % 4 != 3;
            matrix[k] = given ? accessor.values[16 * (ptrdiff_t)i + k] : (k % 5 == 0 ? 1.0 : 0.0);
        }
    }
    skin->inverse_binds = matrices;
    return true;
}

static bool read_skin(ref_document *document, const ref_model *model, sinewi_json_value value, ref_skin *skin) {
    ref_list list = ref_elements(document, value, "joints");
    int32_t *joints = sinewi_arena_array(&document->arena, int32_t, (size_t)list.count);
    if (!joints) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < list.count; i++) {
        bool number = sinewi_json_kind_of(&document->json, list.values[i]) == SINEWI_JSON_NUMBER;
        double joint = number ? sinewi_json_number(&document->json, list.values[i]) : -1.0;
        if (!(joint >= 0.0 && joint < model->node_count))
            return ref_fail(document, list.values[i], "the node does not exist");
        joints[i] = (int32_t)joint;
    }
    skin->joint_count = list.count;
    skin->joints = joints;
    return read_inverse_binds(document, value, skin);
}

static bool read_skins(ref_document *document, ref_model *model) {
    model->skin_count = document->skins.count;
    ref_skin *skins = sinewi_arena_zeros(&document->arena, ref_skin, (size_t)model->skin_count);
    if (!skins) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < model->skin_count; i++) {
        if (!read_skin(document, model, document->skins.values[i], &skins[i])) return false;
    }
    model->skins = skins;
    return true;
}

// Fails if a mesh uses a joint that its skin lacks. Then palettes don't need any more checks.
static bool check_joints(ref_document *document, const ref_model *model) {
    for (int32_t i = 0; i < model->node_count; i++) {
        const ref_node *node = &model->nodes[i];
        const ref_mesh *mesh = node->mesh >= 0 && node->skin >= 0 ? &model->meshes[node->mesh] : NULL;
        if (mesh && mesh->largest_joint >= model->skins[node->skin].joint_count)
            return ref_fail(document, document->nodes.values[i],
                            "the mesh uses a joint that the skin does not have");
    }
    return true;
}

// ---- The model ---------------------------------------------------------------------------------------------------

bool ref_read_model(ref_document *document, ref_model *model) {
    *model = (ref_model){0};
    return ref_read_meshes(document, model) && read_nodes(document, model) && read_skins(document, model) &&
           check_joints(document, model) && ref_read_animations(document, model) && ref_within_budget(document);
}
