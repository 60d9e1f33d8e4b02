// SPDX-License-Identifier: MIT
// Queries of a scene's hierarchy: parents, children and siblings, names, and nodes by name or path.
//
// The hierarchy has joints, too: the children of an instance are the root joints of its skeleton, then the nodes
// attached to the instance itself; the children of a joint are its child joints, then the nodes attached to it. `index`
// is the node's in the scene, `joint` SINEW_NO_NODE for the node itself.
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

// The first node, from the sibling `index` on, that is attached to `joint`; SINEW_NO_NODE: to the parent itself.
static sinew_scene_node find_attached(const sinew_scene *scene, int32_t index, int32_t joint) {
    while (index != NO_INDEX && scene->nodes[index].joint != joint) index = scene->nodes[index].next;
    return sinewi_scene_handle(scene, index, SINEW_NO_NODE);
}

// `joint` if the skeleton has it as a child of `parent`, or else the first node that is attached to `parent`.
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

// Children are the joints, then the nodes in the order in which they were added. Of no node (a generation of 0) the first is the scene's first root. SINEW_NO_NODE is -1: node.joint + 1 is the first joint
// in depth-first order below the joint, or below the instance.
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

// The node after `node` in depth-first order below `top`; none after the last.
static sinew_scene_node find_next_below(const sinew_scene *scene, sinew_scene_node top, sinew_scene_node node) {
    sinew_scene_node next = find_first_child(scene, node);
    while (next.generation == 0 && node.generation != 0 && !sinew_scene_node_equals(node, top)) {
        next = find_next_sibling(scene, node);
        node = sinew_scene_parent(scene, node);
    }
    return next;
}

// The first descendant of `top` with the name, in depth-first order, joints included.
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
