// What a scene remembers, shared by the files that link nodes, pose instances and work out where everything is.
#ifndef SINEW_SCENE_STATE_H
#define SINEW_SCENE_STATE_H

#include <sinew/batch.h>
#include <sinew/scene.h>

#include "core/float_rules.h"
#include "core/memory.h"

#define NOTHING (-1) // no node, no instance

// A node, or an instance's own. Others are named by their index.
typedef struct scene_node {
    sinew_affine local, world;
    sinew_transform transform; // what `local` was made of, unless it was given
    bool is_matrix;            // `local` was given
    bool leaves_scale;         // the parent's scale does not reach it
    uint32_t generation;       // grows when the node goes; that of a handle tells whether it is still the same
    int32_t place;             // in the order; NOTHING: nobody is here
    int32_t parent;            // NOTHING: the scene, or the list of free nodes ends here
    int32_t joint;             // of the parent that it hangs on; SINEW_NO_NODE: the parent itself
    int32_t first_child, last_child;
    int32_t previous, next; // of the same parent, whichever joint; `next` also in the list of free nodes
    int32_t instance;       // in the list of instances; NOTHING: it is none
    const char *name;
    void *user;
} scene_node;

// What moves, and what shows it: one for all instances that share a pose.
typedef struct scene_figure {
    const sinew_asset *asset;
    sinew_mixer *mixer;          // NULL: at rest, or led
    struct scene_figure *leader; // whose joints of the same name it follows; NULL: none
    int32_t *leader_nodes;       // [nodes], SINEW_NO_NODE where the leader has none of that name
    sinew_affine *own_model;     // [nodes]; NULL: the mixer's
    const sinew_affine *model;   // the mixer's, or its own
    const float *weights;
    sinew_affine **palettes; // [skins]
    sinew_box box;           // around the pose, in model space
    int32_t index;           // in the scene's list of those that move; NOTHING: it is at rest
    int32_t first;           // node of an instance that shows it; NOTHING: there is none
    int32_t users;           // instances that show it, and figures that it leads
    int32_t node;            // the instance that it was made for; NOTHING: that is gone
    bool has_changed;        // in this update
    uint32_t seen;           // the culling in which somebody who shows it was seen last
    sinew_instance_edit edit;
    const sinew_ik *solvers;
    int32_t solver_count;
    size_t size;
} scene_figure;

typedef struct scene_instance {
    int32_t node;
    scene_figure *shows;
    int32_t previous, next; // nodes of instances that show the same
    bool is_listed;         // among those whose bounds have moved
} scene_instance;

// Nodes in which something has changed, by their places in the order: a bit for each, and one for each word that has any.
typedef struct dirty_places {
    uint64_t *words;
    uint64_t *summary;
} dirty_places;

struct sinew_scene {
    sinew_scene_def def;
    size_t size;
    scene_node *nodes; // [max_nodes]
    int32_t node_count, free_node;
    int32_t first_root, last_root;

    // Every node stands behind its parent. Those that must go further back are put at the end, and leave a gap; when the
    // end is reached, the gaps are closed.
    int32_t *order; // [2 × max_nodes], NOTHING: a gap
    int32_t order_end;
    dirty_places dirty;

    scene_instance *instances; // [max_nodes]
    int32_t instance_count;
    scene_figure **figures; // those that move: [2 × max_nodes], since one that only leads has no instance any more
    int32_t figure_count;
    sinew_batch_item *items;     // [max_nodes], those that nothing is done to between evaluating and showing
    scene_figure **item_figures; // [max_nodes], whose they are
    int32_t *moved_instances;    // [max_nodes]
    int32_t moved_count;

    sinew_boxes boxes; // of the instances, to be culled
    sinew_box *bounds; // [max_nodes], the same
    uint32_t *visible; // of the instances
    uint32_t cullings; // so far: what was seen in the last one has this number
    void *pick_memory; // of its own: for the largest asset
    size_t pick_size;
};

// ---- Nodes (scene.c) -------------------------------------------------------------------------------------------

// The index of a handle's node, or NOTHING when it is gone.
int32_t sinew_scene_index(const sinew_scene *scene, sinew_scene_node node);

// The handle of a node or of one of its joints.
sinew_scene_node sinew_scene_handle(const sinew_scene *scene, int32_t index, int32_t joint);

// The skeleton of an instance's node; NULL for one that is none.
const sinew_skeleton *sinew_scene_skeleton(const sinew_scene *scene, int32_t index);

// The figure that it shows; NULL for one that is none.
static inline scene_figure *sinew_scene_figure(const sinew_scene *scene, int32_t index) {
    int32_t i = scene->nodes[index].instance;
    return i == NOTHING ? NULL : scene->instances[i].shows;
}

// ---- Places (scene_world.c) ------------------------------------------------------------------------------------

// Room for one more node in the order, behind all that are there.
int32_t sinew_scene_take_place(sinew_scene *scene, int32_t index);
void sinew_scene_leave_place(sinew_scene *scene, int32_t index);

// Puts a node with all that hangs on it behind its parent, where it is not.
void sinew_scene_put_behind_parent(sinew_scene *scene, int32_t index);

// The next of a node and all that hangs on it, each behind its parent; NOTHING behind the last.
int32_t sinew_scene_next_of_subtree(const sinew_scene *scene, int32_t top, int32_t at);

// The world matrix of a node or of one of its joints, as of the last update.
sinew_affine sinew_scene_base(const sinew_scene *scene, int32_t index, int32_t joint);

// A matrix without its scale.
sinew_affine sinew_scene_without_scale(sinew_affine matrix);

// Makes a node's world matrix from that of its parent, and marks its children.
void sinew_scene_make_world(sinew_scene *scene, int32_t index);

// Its world matrix is to be made again, and with it those of all that hangs on it.
void sinew_scene_mark(sinew_scene *scene, int32_t index);

// ---- Instances (scene_instance.c, scene_figure.c) --------------------------------------------------------------

// Takes an instance out of the list when its node goes.
void sinew_scene_drop_instance(sinew_scene *scene, int32_t index);

// What a node hangs on is seen where the node or what hangs on it is.
void sinew_scene_see_carriers(const sinew_scene *scene, int32_t index);

// An instance's bounds are to be made again.
void sinew_scene_list_moved(sinew_scene *scene, scene_instance *moved);

sinew_result sinew_figure_create(sinew_scene *scene, const sinew_instance_def *def, scene_figure *shared,
                                 scene_figure **made, sinew_error *error);
sinew_result sinew_figure_set_mixer(sinew_scene *scene, scene_figure *f, const sinew_mixer_def *def,
                                    sinew_error *error);
void sinew_figure_release(sinew_scene *scene, scene_figure *f);

// Brings all figures on, and the lists of what that has moved.
void sinew_scene_update_figures(sinew_scene *scene, float dt);

// The bounds of the instances that have moved.
void sinew_scene_update_bounds(sinew_scene *scene);

#endif
