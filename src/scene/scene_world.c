// SPDX-License-Identifier: MIT
// Transforms of a scene's nodes: local matrices, world matrices, and the instances' world bounds.
//
// A local matrix is relative to the parent or, for an attachment, to the parent's joint. World matrices are from the
// last update. The local transform that a local matrix was made from is kept, unless the matrix was set directly
// (local_is_matrix). A changed node is marked dirty (scene_nodes.c), and the next update recomputes its world matrix
// and its descendants'.
#include "scene/scene_state.h"

#include "base/finite.h"

#include <assert.h>

// ---- World matrices --------------------------------------------------------------------------------------------

sinew_affine sinewi_scene_without_scale(sinew_affine matrix) {
    sinew_transform transform = sinew_affine_decompose(matrix);
    transform.scale = (sinew_vec3){1.0f, 1.0f, 1.0f};
    return sinew_affine_from_transform(transform);
}

// A node's world matrix from its parent's: parent × joint's model matrix × local. The first two lose their scale if
// the node ignores it.
static sinew_affine compute_child_world(const sinew_scene *scene, const scene_node *node, sinew_affine parent) {
    bool is_on_joint = node->joint != SINEW_NO_NODE;
    const sinew_affine *joint = is_on_joint ? &sinewi_scene_rig(scene, node->parent)->model[node->joint] : NULL;
    if (node->ignores_parent_scale) {
        sinew_affine base = sinewi_scene_without_scale(joint ? sinew_affine_multiply(parent, *joint) : parent);
        return sinew_affine_multiply(base, node->local);
    }
    return sinew_affine_multiply(parent, joint ? sinew_affine_multiply(*joint, node->local) : node->local);
}

// Computes a node's world matrix from its parent's, and marks its children dirty.
void sinewi_scene_compute_world(sinew_scene *scene, int32_t index) {
    scene_node *node = &scene->nodes[index];
    node->world =
        node->parent == NO_INDEX ? node->local : compute_child_world(scene, node, scene->nodes[node->parent].world);
    if (node->instance != NO_INDEX) sinewi_scene_mark_moved(scene, &scene->instances[node->instance]);
    for (int32_t child = node->first_child; child != NO_INDEX; child = scene->nodes[child].next) {
        sinewi_scene_mark_dirty(scene, child);
    }
}

void sinewi_scene_compute_bounds(sinew_scene *scene, int32_t instance) {
    const scene_instance *i = &scene->instances[instance];
    scene->bounds[instance] = sinew_box_transform(i->rig->box, scene->nodes[i->node].world);
    sinew_boxes_set(&scene->boxes, instance, scene->bounds[instance]);
}

// Computes the world matrices of dirty nodes in update order, and the bounds of instances that moved.
void sinew_scene_update_world(sinew_scene *scene) {
    assert(scene);
    int32_t position = 0, index;
    while ((index = sinewi_scene_take_dirty(scene, &position)) != NO_INDEX)
        sinewi_scene_compute_world(scene, index);
    for (int32_t i = 0; i < scene->moved_count; i++) {
        int32_t instance = scene->nodes[scene->moved_instances[i]].instance;
        scene->instances[instance].has_moved = false;
        sinewi_scene_compute_bounds(scene, instance);
    }
    scene->moved_count = 0;
}

sinew_affine sinewi_scene_world_of(const sinew_scene *scene, int32_t index, int32_t joint) {
    const sinew_affine *world = &scene->nodes[index].world;
    if (joint == SINEW_NO_NODE) return *world;
    return sinew_affine_multiply(*world, sinewi_scene_rig(scene, index)->model[joint]);
}

// ---- Local transforms ------------------------------------------------------------------------------------------

// Returns a handle's node and marks it dirty. NULL if the handle isn't valid or is a joint, which is asserted.
static scene_node *find_node_to_change(sinew_scene *scene, sinew_scene_node node) {
    assert(scene && (node.joint == SINEW_NO_NODE || node.generation == 0));
    int32_t index = sinewi_scene_index(scene, node);
    if (index == NO_INDEX || node.joint != SINEW_NO_NODE) return NULL;
    sinewi_scene_mark_dirty(scene, index);
    return &scene->nodes[index];
}

void sinew_scene_set_transform(sinew_scene *scene, sinew_scene_node node, sinew_transform transform) {
    assert(sinewi_transform_is_finite(&transform));
    scene_node *n = sinewi_transform_is_finite(&transform) ? find_node_to_change(scene, node) : NULL;
    if (!n) return;
    n->transform = transform;
    n->local = sinew_affine_from_transform(transform);
    n->local_is_matrix = false;
}

void sinew_scene_set_matrix(sinew_scene *scene, sinew_scene_node node, sinew_affine matrix) {
    assert(sinewi_affine_is_finite(&matrix));
    scene_node *n = sinewi_affine_is_finite(&matrix) ? find_node_to_change(scene, node) : NULL;
    if (!n) return;
    n->local = matrix;
    n->local_is_matrix = true;
}

void sinew_scene_set_inherits_scale(sinew_scene *scene, sinew_scene_node node, bool inherits) {
    scene_node *n = find_node_to_change(scene, node);
    if (n) n->ignores_parent_scale = !inherits;
}

// A joint's local matrix, from its own and its parent's model matrices.
static sinew_affine compute_joint_local(const scene_rig *rig, int32_t joint) {
    int32_t parent = rig->asset->skeleton->parents[joint];
    if (parent == SINEW_NO_NODE) return rig->model[joint];
    return sinew_affine_multiply(sinew_affine_inverse(rig->model[parent]), rig->model[joint]);
}

// ---- Queries ---------------------------------------------------------------------------------------------------

sinew_transform sinew_scene_transform(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinewi_scene_index(scene, node);
    if (index == NO_INDEX) return sinew_transform_identity();
    const scene_node *n = &scene->nodes[index];
    if (node.joint != SINEW_NO_NODE) {
        return sinew_affine_decompose(compute_joint_local(sinewi_scene_rig(scene, index), node.joint));
    }
    return n->local_is_matrix ? sinew_affine_decompose(n->local) : n->transform;
}

sinew_affine sinew_scene_world(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinewi_scene_index(scene, node);
    if (index == NO_INDEX) return sinew_affine_identity();
    return sinewi_scene_world_of(scene, index, node.joint);
}

sinew_box sinew_scene_bounds(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    int32_t index = sinewi_scene_index(scene, instance);
    int32_t i = index == NO_INDEX ? NO_INDEX : scene->nodes[index].instance;
    return i == NO_INDEX ? sinew_box_empty() : scene->bounds[i];
}
