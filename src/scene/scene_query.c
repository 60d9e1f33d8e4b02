// SPDX-License-Identifier: MIT
// Queries the hierarchy of a scene: parents, children and siblings, names, and nodes by name or path.
//
// The hierarchy includes joints. An instance's children are its skeleton's root joints, then the nodes attached to the
// instance itself. A joint's children are its child joints, then the nodes attached to it. `index` is the node's index
// in the scene, and `joint` is SINEW_NO_NODE for the node itself.
#include "scene/scene_state.h"

#include <assert.h>
#include <string.h>

// ---- Nodes -----------------------------------------------------------------------------------------------------

bool sinew_scene_has(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    return sinewi_scene_index(scene, node) != NO_INDEX;
}

bool sinew_scene_node_equals(sinew_scene_node a, sinew_scene_node b) {
    return a.index == b.index && a.generation == b.generation && a.joint == b.joint;
}

int32_t sinewi_scene_node_count(const sinew_scene *scene) {
    assert(scene);
    return scene->node_count;
}

sinew_scene_node sinew_scene_joint(sinew_scene_node instance, int32_t joint) {
    return (sinew_scene_node){instance.index, instance.generation, joint};
}

const char *sinew_scene_name(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinewi_scene_index(scene, node);
    if (index == NO_INDEX) return "";
    if (node.joint != SINEW_NO_NODE) return sinewi_scene_skeleton(scene, index)->names[node.joint];
    return scene->nodes[index].name;
}

void *sinew_scene_user(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinewi_scene_index(scene, node);
    return index == NO_INDEX ? NULL : scene->nodes[index].user;
}

// ---- The hierarchy ---------------------------------------------------------------------------------------------

// The first node attached to `joint`, from the sibling `index` on. SINEW_NO_NODE stands for the parent itself.
static sinew_scene_node find_attached(const sinew_scene *scene, int32_t index, int32_t joint) {
    while (index != NO_INDEX && scene->nodes[index].joint != joint) index = scene->nodes[index].next;
    return sinewi_scene_handle(scene, index, SINEW_NO_NODE);
}

// `joint`, if it's a child of `parent` in the skeleton. Otherwise the first node that is attached to `parent`.
static sinew_scene_node find_joint_or_attached(const sinew_scene *scene, int32_t index, int32_t joint,
                                               int32_t parent) {
    const sinew_skeleton *skeleton = sinewi_scene_skeleton(scene, index);
    bool is_joint = skeleton && joint < skeleton->node_count && skeleton->parents[joint] == parent;
    if (is_joint) return sinewi_scene_handle(scene, index, joint);
    return find_attached(scene, scene->nodes[index].first_child, parent);
}

sinew_scene_node sinew_scene_parent(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinewi_scene_index(scene, node);
    if (index == NO_INDEX) return sinewi_scene_handle(scene, NO_INDEX, 0);
    if (node.joint != SINEW_NO_NODE) {
        return sinewi_scene_handle(scene, index, sinewi_scene_skeleton(scene, index)->parents[node.joint]);
    }
    return sinewi_scene_handle(scene, scene->nodes[index].parent, scene->nodes[index].joint);
}

// Children are the joints, then the nodes in the order they were added. Without a node (generation 0), returns the
// scene's first root. SINEW_NO_NODE is -1, so node.joint + 1 is the first joint in depth-first order below the
// joint or the instance.
static sinew_scene_node find_first_child(const sinew_scene *scene, sinew_scene_node node) {
    if (node.generation == 0) return sinewi_scene_handle(scene, scene->first_root, SINEW_NO_NODE);
    int32_t index = sinewi_scene_index(scene, node);
    if (index == NO_INDEX) return sinewi_scene_handle(scene, NO_INDEX, 0);
    return find_joint_or_attached(scene, index, node.joint + 1, node.joint);
}

// The next joint below the same parent, then the nodes attached to that parent.
static sinew_scene_node find_next_sibling(const sinew_scene *scene, sinew_scene_node node) {
    int32_t index = sinewi_scene_index(scene, node);
    if (index == NO_INDEX) return sinewi_scene_handle(scene, NO_INDEX, 0);
    if (node.joint != SINEW_NO_NODE) {
        const sinew_skeleton *skeleton = sinewi_scene_skeleton(scene, index);
        return find_joint_or_attached(scene, index, skeleton->subtree_ends[node.joint],
                                      skeleton->parents[node.joint]);
    }
    return find_attached(scene, scene->nodes[index].next, scene->nodes[index].joint);
}

// ---- By name ---------------------------------------------------------------------------------------------------

// The node after `node` in depth-first order below `top`. Returns generation 0 after the last.
static sinew_scene_node find_next_below(const sinew_scene *scene, sinew_scene_node top, sinew_scene_node node) {
    sinew_scene_node next = find_first_child(scene, node);
    while (next.generation == 0 && node.generation != 0 && !sinew_scene_node_equals(node, top)) {
        next = find_next_sibling(scene, node);
        node = sinew_scene_parent(scene, node);
    }
    return next;
}

// The first descendant of `top` with this name, in depth-first order. Includes joints.
sinew_scene_node sinew_scene_find(const sinew_scene *scene, sinew_scene_node top, const char *name) {
    assert(scene && name);
    sinew_scene_node node = find_first_child(scene, top);
    while (node.generation != 0 && strcmp(sinew_scene_name(scene, node), name) != 0) {
        node = find_next_below(scene, top, node);
    }
    return node;
}

sinew_scene_node sinew_scene_find_joint(const sinew_scene *scene, sinew_scene_node instance, const char *name) {
    assert(scene && name);
    int32_t index = sinewi_scene_index(scene, instance);
    const sinew_skeleton *skeleton = index == NO_INDEX ? NULL : sinewi_scene_skeleton(scene, index);
    int32_t joint = skeleton ? sinew_skeleton_find(skeleton, name) : SINEW_NO_NODE;
    return sinewi_scene_handle(scene, joint == SINEW_NO_NODE ? NO_INDEX : index, joint);
}
