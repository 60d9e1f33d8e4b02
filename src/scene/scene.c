// SPDX-License-Identifier: MIT
// The scene: its memory, adding and removing nodes, parents and attachments, and the frame update.
//
// A node has an index into the scene's arrays. A sinew_scene_node is a handle: the index, a generation that tells a
// removed node from its successor, and a joint. A joint is a node of an instance's skeleton and has no index of its
// own. An instance is a node with an asset, and its rig poses it (scene_rig.c). An attachment is a node whose parent is
// a joint. Matrices are 3x4, relative to the parent or to the world, in meters.
#include "scene/scene_state.h"

#include "base/callback.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/finite.h"

#include <assert.h>
#include <string.h>

// ---- Creating and destroying -----------------------------------------------------------------------------------

sinew_scene_def sinew_scene_default(void) {
    return (sinew_scene_def){.max_nodes = 1024, .cookie = SINEWI_DEF_COOKIE};
}

static void lay_out_boxes(sinewi_layout *layout, sinew_boxes *boxes, size_t count) {
    float **planes[6] = {&boxes->center_x, &boxes->center_y, &boxes->center_z,
                         &boxes->extent_x, &boxes->extent_y, &boxes->extent_z};
    for (int i = 0; i < 6; i++) *planes[i] = sinewi_layout_array(layout, float, count, SINEWI_ALIGNMENT);
}

// Computes the addresses of the scene's arrays in its memory block, into `fields`. They stay NULL while
// the size is measured.
static sinew_scene *lay_out(sinewi_layout *layout, sinew_scene *fields) {
    size_t nodes = (size_t)fields->def.max_nodes, slots = 2 * nodes, words = (slots + 63) / 64;
    sinew_scene *scene = sinewi_layout_array(layout, sinew_scene, 1, SINEWI_ALIGNMENT);
    fields->nodes = sinewi_layout_array(layout, scene_node, nodes, SINEWI_ALIGNMENT);
    fields->order = sinewi_layout_array(layout, int32_t, slots, SINEWI_ALIGNMENT);
    fields->dirty.words = sinewi_layout_array(layout, uint64_t, words, SINEWI_ALIGNMENT);
    fields->dirty.summary = sinewi_layout_array(layout, uint64_t, (words + 63) / 64, SINEWI_ALIGNMENT);
    fields->instances = sinewi_layout_array(layout, scene_instance, nodes, SINEWI_ALIGNMENT);
    fields->rigs = sinewi_layout_array(layout, scene_rig *, 2 * nodes, SINEWI_ALIGNMENT);
    fields->items = sinewi_layout_array(layout, sinew_batch_item, nodes, SINEWI_ALIGNMENT);
    fields->item_rigs = sinewi_layout_array(layout, scene_rig *, nodes, SINEWI_ALIGNMENT);
    fields->moved_instances = sinewi_layout_array(layout, int32_t, nodes, SINEWI_ALIGNMENT);
    lay_out_boxes(layout, &fields->boxes, nodes);
    fields->bounds = sinewi_layout_array(layout, sinew_box, nodes, SINEWI_ALIGNMENT);
    fields->visible = sinewi_layout_array(layout, uint32_t, (size_t)SINEW_VISIBLE_WORDS(nodes), SINEWI_ALIGNMENT);
    return scene;
}

sinew_result sinew_scene_create(const sinew_scene_def *def, sinew_scene **scene, sinew_error *error) {
    assert(scene);
    *scene = NULL;
    const sinew_scene_def default_def = sinew_scene_default();
    if (!def) def = &default_def;
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_scene_def: start from sinew_scene_default()", error);
    if (result != SINEW_OK) return result;
    if (def->max_nodes < 1 || def->max_nodes > SINEW_MAX_NODES) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: max_nodes is %d; it must be 1 to %d",
                           (int)def->max_nodes, SINEW_MAX_NODES);
    }
    sinew_scene fields = {.def = *def, .first_root = NO_INDEX, .last_root = NO_INDEX};
    sinewi_layout measure = {0};
    lay_out(&measure, &fields);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    memset(layout.base, 0, measure.size);
    *scene = lay_out(&layout, &fields);
    fields.size = measure.size;
    **scene = fields;
    sinewi_scene_init_nodes(*scene);
    return SINEW_OK;
}

void sinew_scene_destroy(sinew_scene *scene) {
    if (!scene ||
        !SINEWI_IS_IDLE(scene->is_updating,
                        "sinew_scene_destroy in on_event or an edit: defer it until after sinew_scene_update"))
        return;
    while (scene->first_root != NO_INDEX) {
        sinew_scene_remove(scene, sinewi_scene_handle(scene, scene->first_root, SINEW_NO_NODE));
    }
    sinew_allocator allocator = scene->def.allocator;
    sinewi_release(&allocator, scene->pick_memory, scene->pick_size, SINEWI_ALIGNMENT);
    sinewi_release(&allocator, scene, scene->size, SINEWI_ALIGNMENT);
}

void sinew_scene_update(sinew_scene *scene, float dt) {
    assert(scene && dt >= 0.0f && isfinite(dt));
    if (!(dt >= 0.0f && isfinite(dt))) dt = 0.0f;
    if (!SINEWI_IS_IDLE(scene->is_updating,
                        "sinew_scene_update in on_event or an edit: defer it until after sinew_scene_update"))
        return;
    scene->is_updating = true;
    sinewi_scene_update_rigs(scene, dt);
    scene->is_updating = false;
    sinew_scene_update_world(scene);
}

void sinew_scene_set_wind(sinew_scene *scene, sinew_vec3 wind) {
    assert(scene);
    const bool is_finite = isfinite(wind.x) && isfinite(wind.y) && isfinite(wind.z);
    assert(is_finite);
    if (is_finite) scene->wind = wind;
}

// ---- Adding and removing ---------------------------------------------------------------------------------------

sinew_scene_node_def sinew_scene_node_default(void) {
    return (sinew_scene_node_def){.transform = sinew_transform_identity(), .cookie = SINEWI_DEF_COOKIE};
}

// Takes a free node, puts it below its parent and computes its world matrix right away.
sinew_result sinew_scene_add_node(sinew_scene *scene, const sinew_scene_node_def *def, sinew_scene_node *node,
                                  sinew_error *error) {
    assert(scene && node);
    *node = (sinew_scene_node){0, 0, 0};
    const sinew_scene_node_def default_def = sinew_scene_node_default();
    if (!def) def = &default_def;
    sinew_result result =
        SINEWI_CHECK_DEF(def, "sinew_scene_node_def: start from sinew_scene_node_default()", error);
    if (result == SINEW_OK)
        result = SINEWI_CHECK_IDLE(
            scene->is_updating,
            "sinew_scene_add_node in on_event or an edit: defer it until after sinew_scene_update", error);
    if (result != SINEW_OK) return result;
    if (!sinewi_transform_is_finite(&def->transform)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the node's transform is not finite");
    }
    int32_t parent = sinewi_scene_index(scene, def->parent);
    if (parent == NO_INDEX && def->parent.generation != 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the parent is gone, or belongs to a different scene");
    }
    if (scene->node_count == scene->def.max_nodes) {
        return sinewi_fail(error, SINEW_ERROR_LIMIT, "scene: all %d nodes are in use; raise max_nodes",
                           (int)scene->def.max_nodes);
    }
    int32_t index = sinewi_scene_take_node(scene, parent, parent == NO_INDEX ? SINEW_NO_NODE : def->parent.joint);
    scene->nodes[index].name = def->name ? def->name : "";
    scene->nodes[index].user = def->user;
    *node = sinewi_scene_handle(scene, index, SINEW_NO_NODE);
    sinew_scene_set_transform(scene, *node, def->transform);
    sinewi_scene_compute_world(scene, index);
    return SINEW_OK;
}

sinew_instance_def sinew_instance_default(void) {
    return (sinew_instance_def){.node = sinew_scene_node_default(), .cookie = SINEWI_DEF_COOKIE};
}

// Adds a node and makes it an instance. If that fails, the node is removed again.
sinew_result sinew_scene_add_instance(sinew_scene *scene, const sinew_instance_def *def, sinew_scene_node *instance,
                                      sinew_error *error) {
    assert(scene && instance);
    *instance = (sinew_scene_node){0, 0, 0};
    scene_rig *shared;
    sinew_result result = SINEWI_CHECK_IDLE(
        scene->is_updating,
        "sinew_scene_add_instance in on_event or an edit: defer it until after sinew_scene_update", error);
    if (result == SINEW_OK) result = sinewi_scene_check_instance(scene, def, &shared, error);
    if (result == SINEW_OK) result = sinew_scene_add_node(scene, &def->node, instance, error);
    if (result != SINEW_OK) return result;
    result = sinewi_scene_make_instance(scene, (int32_t)instance->index, def, shared, error);
    if (result == SINEW_OK) return SINEW_OK;
    sinew_scene_remove(scene, *instance);
    *instance = (sinew_scene_node){0, 0, 0};
    return result;
}

// Removes a node with all its descendants, children before parents.
void sinew_scene_remove(sinew_scene *scene, sinew_scene_node node) {
    int32_t top = sinewi_scene_index(scene, node);
    if (top == NO_INDEX ||
        !SINEWI_IS_IDLE(scene->is_updating,
                        "sinew_scene_remove in on_event or an edit: defer it until after sinew_scene_update"))
        return;
    assert(node.joint == SINEW_NO_NODE);
    if (node.joint != SINEW_NO_NODE) return;
    for (int32_t index = top;;) { // from leaf to leaf
        while (scene->nodes[index].first_child != NO_INDEX) index = scene->nodes[index].first_child;
        int32_t parent = scene->nodes[index].parent;
        if (scene->nodes[index].instance != NO_INDEX) sinewi_scene_free_instance(scene, index);
        sinewi_scene_free_node(scene, index);
        if (index == top) return;
        index = parent;
    }
}

// ---- Parents ---------------------------------------------------------------------------------------------------

// Gives a node another parent, or another of the parent's joints. If the node is visible, its new ancestors
// must be updated too.
static void move_to_parent(sinew_scene *scene, int32_t index, int32_t parent, int32_t joint) {
    sinewi_scene_move_node(scene, index, parent, joint);
    sinewi_scene_mark_ancestors_visible(scene, index);
}

// The local matrix that keeps a node's world matrix below another parent. Returns false if the parent is scaled to 0,
// because there isn't one.
static bool find_local_for_parent(const sinew_scene *scene, int32_t index, int32_t parent, int32_t joint,
                                  sinew_affine *local) {
    const scene_node *node = &scene->nodes[index];
    *local = node->world;
    if (parent == NO_INDEX) return true;
    sinew_affine base = sinewi_scene_world_of(scene, parent, joint);
    if (node->ignores_parent_scale) base = sinewi_scene_without_scale(base);
    *local = sinew_affine_multiply(sinew_affine_inverse(base), node->world);
    return sinewi_affine_is_finite(local);
}

// Checks that a handle is valid and isn't a joint. `name` is what the error calls the node.
static sinew_result check_movable(int32_t index, sinew_scene_node node, const char *name, sinew_error *error) {
    if (index == NO_INDEX) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: %s is gone, or belongs to a different scene", name);
    }
    if (node.joint == SINEW_NO_NODE) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                       "scene: %s is joint %d of an instance; a joint keeps its parent, so move the instance", name,
                       (int)node.joint);
}

// Checks that a parent is valid or none, and that it makes no cycle.
static sinew_result check_parent(const sinew_scene *scene, int32_t index, int32_t parent_index,
                                 sinew_scene_node parent, sinew_error *error) {
    if (parent_index == NO_INDEX && parent.generation != 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the parent is gone, or belongs to a different scene");
    }
    if (parent_index == NO_INDEX || !sinewi_scene_is_in_subtree(scene, parent_index, index)) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                       "scene: the parent is the node itself or one of its descendants");
}

// Keeps the local transform, or computes a new local matrix that keeps the world matrix.
sinew_result sinew_scene_set_parent(sinew_scene *scene, sinew_scene_node node, sinew_scene_node parent,
                                    sinew_reparent_mode mode, sinew_error *error) {
    int32_t index = sinewi_scene_index(scene, node), parent_index = sinewi_scene_index(scene, parent);
    sinew_result result = SINEWI_CHECK_IDLE(
        scene->is_updating,
        "sinew_scene_set_parent in on_event or an edit: defer it until after sinew_scene_update", error);
    if (result == SINEW_OK) result = check_movable(index, node, "the node", error);
    if (result == SINEW_OK) result = check_parent(scene, index, parent_index, parent, error);
    if (result != SINEW_OK) return result;
    if (mode != SINEW_REPARENT_KEEP_LOCAL && mode != SINEW_REPARENT_KEEP_WORLD) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: mode is %d; it must be SINEW_REPARENT_KEEP_LOCAL or SINEW_REPARENT_KEEP_WORLD",
                           (int)mode);
    }
    int32_t joint = parent_index == NO_INDEX ? SINEW_NO_NODE : parent.joint;
    if (mode == SINEW_REPARENT_KEEP_LOCAL) {
        move_to_parent(scene, index, parent_index, joint);
        return SINEW_OK;
    }
    sinew_scene_update_world(scene);
    sinew_affine local;
    if (!find_local_for_parent(scene, index, parent_index, joint, &local)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the parent is scaled to 0 along an axis, so the world transform cannot be kept; "
                           "use SINEW_REPARENT_KEEP_LOCAL");
    }
    move_to_parent(scene, index, parent_index, joint);
    scene->nodes[index].local = local;
    scene->nodes[index].local_is_matrix = true;
    return SINEW_OK;
}

// ---- Attachments -----------------------------------------------------------------------------------------------

sinew_result sinew_scene_attach(sinew_scene *scene, sinew_scene_node object, sinew_scene_node instance,
                                const char *joint, sinew_transform offset, sinew_error *error) {
    assert(scene);
    sinew_result idle = SINEWI_CHECK_IDLE(
        scene->is_updating, "sinew_scene_attach in on_event or an edit: defer it until after sinew_scene_update",
        error);
    if (idle != SINEW_OK) return idle;
    if (!joint) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the joint's name is NULL");
    if (!sinewi_transform_is_finite(&offset)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the offset is not finite");
    }
    if (!sinew_scene_has(scene, object)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the object is gone, or belongs to a different scene");
    }
    if (!sinew_scene_asset(scene, instance)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the instance is gone, or is a plain node");
    }
    sinew_scene_node parent = sinew_scene_find_joint(scene, instance, joint);
    if (!sinew_scene_has(scene, parent)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the instance has no joint named \"%s\"", joint);
    }
    sinew_result result = sinew_scene_set_parent(scene, object, parent, SINEW_REPARENT_KEEP_LOCAL, error);
    if (result != SINEW_OK) return result;
    sinew_scene_set_transform(scene, object, offset);
    return SINEW_OK;
}

void sinew_scene_detach(sinew_scene *scene, sinew_scene_node object, sinew_reparent_mode mode) {
    assert(scene);
    if (!SINEWI_IS_IDLE(scene->is_updating,
                        "sinew_scene_detach in on_event or an edit: defer it until after sinew_scene_update"))
        return;
    sinew_scene_set_parent(scene, object, (sinew_scene_node){0, 0, 0}, mode, NULL);
}

// Swaps two nodes in the hierarchy: their parents and local transforms. Their children go with them.
sinew_result sinew_scene_swap(sinew_scene *scene, sinew_scene_node a, sinew_scene_node b, sinew_error *error) {
    int32_t i = sinewi_scene_index(scene, a), j = sinewi_scene_index(scene, b);
    sinew_result result = SINEWI_CHECK_IDLE(
        scene->is_updating, "sinew_scene_swap in on_event or an edit: defer it until after sinew_scene_update",
        error);
    if (result == SINEW_OK) result = check_movable(i, a, "the first node", error);
    if (result == SINEW_OK) result = check_movable(j, b, "the second node", error);
    if (result != SINEW_OK || i == j) return result;
    if (sinewi_scene_is_in_subtree(scene, i, j) || sinewi_scene_is_in_subtree(scene, j, i)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: one of the two nodes is a descendant of the other");
    }
    scene_node *x = &scene->nodes[i], *y = &scene->nodes[j], old = *x;
    x->local = y->local, x->transform = y->transform;
    x->local_is_matrix = y->local_is_matrix, x->ignores_parent_scale = y->ignores_parent_scale;
    y->local = old.local, y->transform = old.transform;
    y->local_is_matrix = old.local_is_matrix, y->ignores_parent_scale = old.ignores_parent_scale;
    int32_t parent = y->parent, joint = y->joint;
    move_to_parent(scene, j, old.parent, old.joint);
    move_to_parent(scene, i, parent, joint);
    return SINEW_OK;
}
