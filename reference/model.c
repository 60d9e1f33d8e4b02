// Nodes, skins and animations.
#include "reference/internal.h"
#include "reference/model.h"

#include <string.h>

// ---- Nodes (sections 3.5 and 5.25) ---------------------------------------------------------------------------------

// Makes the order, roots first, by which every node comes behind its parent.
static bool order_nodes(ref_document *document, ref_model *model, ref_node *nodes) {
    const sinew_json *json = &document->json;
    int32_t *order = sinew_arena_array(&document->arena, int32_t, (size_t)model->node_count), used = 0;
    if (!order) return ref_fail_memory(document);
    for (int32_t i = 0; i < model->node_count; i++) nodes[i].parent = -1;
    for (int32_t i = 0; i < model->node_count; i++) {
        ref_list children = ref_elements(document, document->nodes.values[i], "children");
        for (int32_t c = 0; c < children.count; c++) {
            double child = sinew_json_kind_of(json, children.values[c]) == SINEW_JSON_NUMBER
                               ? sinew_json_number(json, children.values[c])
                               : -1.0;
            if (!(child >= 0.0 && child < model->node_count) || nodes[(int32_t)child].parent != -1)
                return ref_fail(document, children.values[c], "there is no such node, or it has a parent already");
            nodes[(int32_t)child].parent = i;
        }
    }
    for (int32_t i = 0; i < model->node_count; i++) {
        if (nodes[i].parent == -1) order[used++] = i;
    }
    for (int32_t at = 0; at < used; at++) {
        ref_list children = ref_elements(document, document->nodes.values[order[at]], "children");
        for (int32_t c = 0; c < children.count; c++) {
            order[used++] = (int32_t)sinew_json_number(json, children.values[c]);
        }
    }
    model->order = order;
    return used == model->node_count ||
           ref_fail(document, SINEW_JSON_ABSENT, "nodes: some are their own ancestors");
}

static void read_transform(const ref_document *document, sinew_json_value value, ref_node *node) {
    static const double rest[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    memcpy(node->translation, rest, sizeof node->translation);
    memcpy(node->rotation, rest + 3, sizeof node->rotation);
    memcpy(node->scale, rest + 7, sizeof node->scale);
    node->has_matrix = ref_numbers(document, value, "matrix", 16, node->matrix);
    ref_numbers(document, value, "translation", 3, node->translation);
    ref_numbers(document, value, "rotation", 4, node->rotation);
    ref_numbers(document, value, "scale", 3, node->scale);
}

// The node's own weights, else its mesh's (section 3.7.2.2), else zeros.
static void read_rest_weights(ref_document *document, const ref_node *node, sinew_json_value value, double *out) {
    ref_list weights = ref_elements(document, value, "weights");
    if (weights.count == 0) weights = ref_elements(document, document->meshes.values[node->mesh], "weights");
    for (int32_t i = 0; i < node->weight_count && i < weights.count; i++) {
        if (sinew_json_kind_of(&document->json, weights.values[i]) == SINEW_JSON_NUMBER)
            out[i] = sinew_json_number(&document->json, weights.values[i]);
    }
}

static bool read_nodes(ref_document *document, ref_model *model) {
    model->node_count = document->nodes.count;
    ref_node *nodes = sinew_arena_zeros(&document->arena, ref_node, (size_t)model->node_count);
    if (!nodes) return ref_fail_memory(document);
    for (int32_t i = 0; i < model->node_count; i++) {
        sinew_json_value value = document->nodes.values[i];
        ref_node *node = &nodes[i];
        node->name = ref_string(document, value, "name");
        node->mesh = ref_index(document, value, "mesh");
        node->skin = ref_index(document, value, "skin");
        if (node->mesh >= model->mesh_count || node->skin >= document->skins.count)
            return ref_fail(document, value, "its mesh or skin is out of range");
        read_transform(document, value, node);
        node->first_weight = model->weight_count;
        if (node->mesh >= 0) node->weight_count = model->meshes[node->mesh].target_count;
        if (node->weight_count > INT32_MAX - model->weight_count)
            return ref_fail(document, value, "there are too many morph weights");
        model->weight_count += node->weight_count;
    }
    double *weights = sinew_arena_zeros(&document->arena, double, (size_t)model->weight_count);
    if (!weights) return ref_fail_memory(document);
    for (int32_t i = 0; i < model->node_count; i++) {
        if (nodes[i].mesh >= 0)
            read_rest_weights(document, &nodes[i], document->nodes.values[i], weights + nodes[i].first_weight);
    }
    model->nodes = nodes;
    model->rest_weights = weights;
    return order_nodes(document, model, nodes);
}

// ---- Skins (sections 3.7.3.1 and 5.28) -----------------------------------------------------------------------------

// Without an accessor they are identities. Their fourth row, which must be 0 0 0 1, is made so.
static bool read_inverse_binds(ref_document *document, sinew_json_value value, ref_skin *skin) {
    ref_accessor accessor = {0};
    int32_t index = ref_index(document, value, "inverseBindMatrices");
    if (index >= 0 && !ref_read_accessor(document, index, &accessor)) return false;
    if (index >= 0 && (accessor.components != 16 || accessor.count < skin->joint_count))
        return ref_fail(document, value, "inverseBindMatrices: accessors[%d] is not a matrix for each joint",
                        index);
    double *matrices = sinew_arena_zeros(&document->arena, double, (size_t)skin->joint_count * 16);
    if (!matrices) return ref_fail_memory(document);
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

static bool read_skin(ref_document *document, const ref_model *model, sinew_json_value value, ref_skin *skin) {
    ref_list list = ref_elements(document, value, "joints");
    int32_t *joints = sinew_arena_array(&document->arena, int32_t, (size_t)list.count);
    if (!joints) return ref_fail_memory(document);
    for (int32_t i = 0; i < list.count; i++) {
        bool number = sinew_json_kind_of(&document->json, list.values[i]) == SINEW_JSON_NUMBER;
        double joint = number ? sinew_json_number(&document->json, list.values[i]) : -1.0;
        if (!(joint >= 0.0 && joint < model->node_count))
            return ref_fail(document, list.values[i], "there is no such node");
        joints[i] = (int32_t)joint;
    }
    skin->joint_count = list.count;
    skin->joints = joints;
    return read_inverse_binds(document, value, skin);
}

static bool read_skins(ref_document *document, ref_model *model) {
    model->skin_count = document->skins.count;
    ref_skin *skins = sinew_arena_zeros(&document->arena, ref_skin, (size_t)model->skin_count);
    if (!skins) return ref_fail_memory(document);
    for (int32_t i = 0; i < model->skin_count; i++) {
        if (!read_skin(document, model, document->skins.values[i], &skins[i])) return false;
    }
    model->skins = skins;
    return true;
}

// ---- Animations (sections 3.11 and 5.5) ----------------------------------------------------------------------------

static int32_t width_of(const ref_node *node, ref_path path) {
    if (path == REF_WEIGHTS) return node->weight_count;
    return path == REF_ROTATION ? 4 : 3;
}

static bool read_sampler(ref_document *document, sinew_json_value sampler, ref_channel *channel) {
    static const char *const words[] = {"STEP", "LINEAR", "CUBICSPLINE", NULL};
    ref_accessor input, output;
    int how = ref_word(document, sampler, "interpolation", words, REF_LINEAR);
    if (how < 0) return ref_fail(document, sampler, "interpolation is not STEP, LINEAR or CUBICSPLINE");
    if (!ref_read_accessor(document, ref_index(document, sampler, "input"), &input)) return false;
    if (!ref_read_accessor(document, ref_index(document, sampler, "output"), &output)) return false;
    int64_t numbers = (int64_t)input.count * channel->width * (how == REF_CUBICSPLINE ? 3 : 1);
    if (input.components != 1 || input.count == 0 || (int64_t)output.count * output.components != numbers)
        return ref_fail(document, sampler, "its input and output do not fit together");
    channel->interpolation = (ref_interpolation)how;
    channel->key_count = input.count;
    channel->times = input.values;
    channel->values = output.values;
    return true;
}

// What moves nothing is to be ignored; what moves the same a second time must not be there. Both are left out.
static bool is_moved(const ref_model *model, const ref_channel *channels, int32_t count, int32_t node, int path) {
    if (node < 0 || node >= model->node_count || path < 0) return false;
    const ref_node *moved = &model->nodes[node];
    if (path == REF_WEIGHTS && moved->weight_count == 0) return false;
    for (int32_t i = 0; i < count; i++) {
        if (channels[i].node == node && (int)channels[i].path == path) return false;
    }
    return true;
}

static bool read_animation(ref_document *document, const ref_model *model, sinew_json_value value,
                           ref_animation *animation) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights", NULL};
    ref_list samplers = ref_elements(document, value, "samplers"), list = ref_elements(document, value, "channels");
    ref_channel *channels = sinew_arena_zeros(&document->arena, ref_channel, (size_t)list.count);
    if (!channels) return ref_fail_memory(document);
    for (int32_t i = 0; i < list.count; i++) {
        sinew_json_value target = sinew_json_get(&document->json, list.values[i], "target");
        int32_t node = ref_index(document, target, "node"),
                sampler = ref_index(document, list.values[i], "sampler");
        int path = ref_word(document, target, "path", paths, -1);
        if (!is_moved(model, channels, animation->channel_count, node, path)) continue;
        if (model->nodes[node].has_matrix && path != REF_WEIGHTS) // section 3.5.3
            return ref_fail(document, list.values[i],
                            "it moves nodes[%d], which has a matrix and must not be moved", (int)node);
        if (sampler < 0 || sampler >= samplers.count)
            return ref_fail(document, list.values[i], "it has no sampler");
        ref_channel *channel = &channels[animation->channel_count++];
        *channel = (ref_channel){.node = node, .path = (ref_path)path};
        channel->width = width_of(&model->nodes[node], channel->path);
        if (!read_sampler(document, samplers.values[sampler], channel)) return false;
    }
    animation->name = ref_string(document, value, "name");
    animation->channels = channels;
    return true;
}

static bool read_animations(ref_document *document, ref_model *model) {
    model->animation_count = document->animations.count;
    ref_animation *animations = sinew_arena_zeros(&document->arena, ref_animation, (size_t)model->animation_count);
    if (!animations) return ref_fail_memory(document);
    for (int32_t i = 0; i < model->animation_count; i++) {
        if (!read_animation(document, model, document->animations.values[i], &animations[i])) return false;
    }
    model->animations = animations;
    return true;
}

// A palette may be read where weights say so without another look.
static bool check_joints(ref_document *document, const ref_model *model) {
    for (int32_t i = 0; i < model->node_count; i++) {
        const ref_node *node = &model->nodes[i];
        const ref_mesh *mesh = node->mesh >= 0 && node->skin >= 0 ? &model->meshes[node->mesh] : NULL;
        for (int32_t p = 0; mesh && p < mesh->primitive_count; p++) {
            if (mesh->primitives[p].largest_joint >= model->skins[node->skin].joint_count)
                return ref_fail(document, document->nodes.values[i], "its mesh uses a joint that its skin has not");
        }
    }
    return true;
}

// ---- All of it ---------------------------------------------------------------------------------------------------

bool ref_read_model(ref_document *document, ref_model *model) {
    *model = (ref_model){0};
    return ref_read_meshes(document, model) && read_nodes(document, model) && read_skins(document, model) &&
           check_joints(document, model) && read_animations(document, model);
}
