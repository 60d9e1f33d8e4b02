// SPDX-License-Identifier: MIT
// The state of a scene, shared by this folder's files.
//
// Files only call those below them: scene > scene_instance > scene_rig > scene_nodes. All but the last may also call
// scene_world and scene_query, which only call scene_nodes.
#ifndef SINEWI_SCENE_STATE_H
#define SINEWI_SCENE_STATE_H

#include <sinew/batch.h>
#include <sinew/scene/scene.h>

#include "base/float_rules.h"
#include "base/memory.h"

#define NO_INDEX (-1) // no node, instance or slot

// A scene node, plain or with an instance. Nodes refer to each other by index.
typedef struct scene_node {
    sinew_affine local, world;
    sinew_transform transform; // source of `local`, unless `local_is_matrix`
    bool local_is_matrix;      // `local` was set as a matrix
    bool ignores_parent_scale; // see sinew_scene_set_inherits_scale
    uint32_t generation;       // increases when the node is removed; a handle is valid while its generation matches
    int32_t slot;              // in the update order; NO_INDEX if the node is free
    int32_t parent;            // NO_INDEX for roots
    int32_t joint;             // the parent's joint it is attached to; SINEW_NO_NODE: the parent itself
    int32_t first_child, last_child;
    int32_t previous, next; // siblings, attached to any joint; `next` also links the free nodes
    int32_t instance;       // index of its instance; NO_INDEX for a plain node
    const char *name;
    void *user;
} scene_node;

// An asset's nodes, pose and palettes in the scene. Instances that share a pose share a rig.
typedef struct scene_rig {
    const sinew_asset *asset;
    sinew_mixer *mixer;        // NULL in the rest pose or when following a leader
    bool mixer_is_borrowed;    // the caller destroys it
    struct scene_rig *leader;  // copies the pose of this rig's nodes with the same names; may be NULL
    int32_t *leader_nodes;     // [nodes], SINEW_NO_NODE where the leader has no node with that name
    sinew_affine *own_model;   // [nodes]; NULL if the mixer's are used
    const sinew_affine *model; // the mixer's, the caller's, or own_model
    const float *weights;
    bool model_is_borrowed;  // the caller changes it between updates
    sinew_affine **palettes; // [skins]
    sinew_box box;           // bounds of the pose, in model space
    int32_t index;           // in the scene's list of moving rigs; NO_INDEX if it has always been in the rest pose
    int32_t first_instance;  // node of the first instance that uses it, or NO_INDEX
    int32_t users;           // instances that use it, plus rigs that follow it
    int32_t owner;           // node of the instance it was made for; NO_INDEX once that is removed
    bool has_changed;        // in the current update
    uint32_t last_visible;   // number of the last culling that saw one of its instances
    sinew_instance_edit edit;
    const sinew_ik *solvers;
    int32_t solver_count;
    const sinew_springs *springs;
    sinew_spring_state *spring_state; // NULL without springs
    bool springs_are_stale;           // the rig wasn't posed in the last update, so springs start at rest
    size_t size;                      // bytes
} scene_rig;

typedef struct scene_instance {
    int32_t node;
    scene_rig *rig;
    int32_t previous, next; // nodes of instances that use the same rig
    bool has_moved;         // whether it's in the list of moved instances
} scene_instance;

// A bit for each slot whose node needs a new world matrix, and a bit for each nonzero word.
typedef struct dirty_slots {
    uint64_t *words;
    uint64_t *summary;
} dirty_slots;

struct sinew_scene {
    sinew_scene_def def;
    size_t size;       // bytes
    bool is_updating;  // the program's callbacks may be running
    scene_node *nodes; // [max_nodes]
    int32_t node_count, free_node;
    int32_t first_root, last_root;

    // The update order: each node's slot comes after its parent's. A node that must go further back takes a slot at the
    // end and leaves a gap. When there is no slot left at the end, the gaps are closed.
    int32_t *order; // [2 × max_nodes], node indices; NO_INDEX for a gap
    int32_t order_end;
    dirty_slots dirty;

    scene_instance *instances; // [max_nodes]
    int32_t instance_count;
    scene_rig **rigs; // moving ones: [2 × max_nodes], because a rig with followers may outlive its instances
    int32_t rig_count;
    sinew_batch_item *items;  // [max_nodes], rigs without an edit, solvers or springs
    scene_rig **item_rigs;    // [max_nodes], each item's rig
    int32_t *moved_instances; // [max_nodes], nodes of instances whose bounds are out of date
    int32_t moved_count;

    sinew_boxes boxes; // world bounds of the instances, for culling
    sinew_box *bounds; // [max_nodes], the same boxes
    uint32_t *visible; // a bit for each instance, from the last culling
    uint32_t cullings; // number of the last culling
    void *pick_memory; // scratch memory for picking, enough for the largest asset
    size_t pick_size;  // bytes
    sinew_vec3 wind;   // for springs
};

// ---- Nodes (scene_nodes.c) -------------------------------------------------------------------------------------

// The index of a handle's node, or NO_INDEX if the handle isn't valid.
int32_t sinewi_scene_index(const sinew_scene *scene, sinew_scene_node node);

// The handle of a node, or of one of its joints.
sinew_scene_node sinewi_scene_handle(const sinew_scene *scene, int32_t index, int32_t joint);

// A node's rig. NULL if the node isn't an instance.
static inline scene_rig *sinewi_scene_rig(const sinew_scene *scene, int32_t index) {
    int32_t i = scene->nodes[index].instance;
    return i == NO_INDEX ? NULL : scene->instances[i].rig;
}

// A node's skeleton. NULL if the node isn't an instance.
const sinew_skeleton *sinewi_scene_skeleton(const sinew_scene *scene, int32_t index);

// Frees every node.
void sinewi_scene_init_nodes(sinew_scene *scene);

// Takes a free node and makes it the last child of `parent`. There must be a free node.
int32_t sinewi_scene_take_node(sinew_scene *scene, int32_t parent, int32_t joint);

// Returns a node without children to the free list. Handles to it become invalid.
void sinewi_scene_free_node(sinew_scene *scene, int32_t index);

// Makes a node the last child of another parent, and moves its subtree behind that parent in the update order.
void sinewi_scene_move_node(sinew_scene *scene, int32_t index, int32_t parent, int32_t joint);

// Whether a node is `ancestor` or one of its descendants.
bool sinewi_scene_is_in_subtree(const sinew_scene *scene, int32_t node, int32_t ancestor);

// The node after `index` in the subtree of `top`, parents before children. NO_INDEX after the last.
int32_t sinewi_scene_next_in_subtree(const sinew_scene *scene, int32_t top, int32_t index);

// Makes the next update recompute the world matrices of a node and its descendants.
void sinewi_scene_mark_dirty(sinew_scene *scene, int32_t index);

// Clears the mark of the first marked node in the update order and returns the node, or NO_INDEX if there is none.
// Start with `position` 0. Each call advances it. Nodes that you mark in between must come later in the order.
int32_t sinewi_scene_take_dirty(sinew_scene *scene, int32_t *position);

// Makes the next update recompute an instance's bounds.
void sinewi_scene_mark_moved(sinew_scene *scene, scene_instance *instance);

// ---- World matrices and bounds (scene_world.c) -----------------------------------------------------------------

// World matrix of a node or of one of its joints, from the last update.
sinew_affine sinewi_scene_world_of(const sinew_scene *scene, int32_t index, int32_t joint);

// Returns the matrix with a scale of 1.
sinew_affine sinewi_scene_without_scale(sinew_affine matrix);

// Computes a node's world matrix from its parent's, and marks its children.
void sinewi_scene_compute_world(sinew_scene *scene, int32_t index);

// Computes an instance's bounds, by its index.
void sinewi_scene_compute_bounds(sinew_scene *scene, int32_t instance);

// ---- Rigs (scene_rig.c) ----------------------------------------------------------------------------------------

// Creates a rig for an instance. `leader` may be NULL.
sinew_result sinewi_rig_create(sinew_scene *scene, const sinew_instance_def *def, scene_rig *leader,
                               scene_rig **rig, sinew_error *error);

// Gives a rig with a mixer a new one. Everything that uses or follows the rig shows the new mixer's pose right away.
sinew_result sinewi_rig_set_mixer(sinew_scene *scene, scene_rig *rig, const sinew_mixer_def *def,
                                  sinew_error *error);

// Makes the caller's mixer pose a rig that has a mixer. On failure the scene doesn't change.
sinew_result sinewi_rig_use_mixer(sinew_scene *scene, scene_rig *rig, sinew_mixer *mixer, sinew_error *error);

// Shows the caller's matrices and weights on a rig without a mixer or leader. If `model` is NULL, shows the rest pose.
void sinewi_rig_use_model(sinew_scene *scene, scene_rig *rig, const sinew_affine *model, const float *weights);

// Removes a user from a rig. The last one frees the rig.
void sinewi_rig_release(sinew_scene *scene, scene_rig *rig);

// Updates the poses and palettes of all rigs, and marks the instances and attachments that move with them.
void sinewi_scene_update_rigs(sinew_scene *scene, float dt);

// ---- Instances (scene_instance.c) ------------------------------------------------------------------------------

// Checks a definition, finds the rig whose pose it shares (may be NULL), and allocates the memory that picking needs.
sinew_result sinewi_scene_check_instance(sinew_scene *scene, const sinew_instance_def *def, scene_rig **shared,
                                         sinew_error *error);

// Makes a node an instance. `shared` comes from sinewi_scene_check_instance.
sinew_result sinewi_scene_make_instance(sinew_scene *scene, int32_t index, const sinew_instance_def *def,
                                        scene_rig *shared, sinew_error *error);

// Makes an instance a plain node.
void sinewi_scene_free_instance(sinew_scene *scene, int32_t index);

// Counts a node's ancestors as visible if the node or one of its descendants is.
void sinewi_scene_mark_ancestors_visible(const sinew_scene *scene, int32_t index);

// Number of nodes, including instances but not joints.
int32_t sinewi_scene_node_count(const sinew_scene *scene);

#endif
