// SPDX-License-Identifier: MIT
// Rigs: each poses one or more instances of an asset. A rig has a mixer with edits and solvers, or copies another rig
// (its leader) node by node by name, or shows the caller's model matrices, or stays in the rest pose.
//
// A rig has model matrices, a palette for each skin, and the bounds of its pose, all in the asset's model space.
// Solvers are inverse kinematics (sinew/body/ik.h), and springs run after them (sinew/body/spring.h). A rig lives as
// long as its users: instances, and rigs that follow it.
#include <sinew/mixer_pose.h>

#include "scene/scene_state.h"
#include "core/mixer_data.h"
#include "core/skeleton_object.h"
#include "base/fail.h"

#include <string.h>

// ---- Poses -----------------------------------------------------------------------------------------------------

// Computes a node's model matrix from its parent's and its own rest transform.
static void compute_rest_model(const sinew_skeleton *skeleton, int32_t node, sinew_affine *model) {
    sinew_affine local = sinewi_skeleton_rest_local(skeleton, node);
    int32_t parent = skeleton->parents[node];
    model[node] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(model[parent], local);
}

// Copies the leader's model matrices for nodes with the same name. Other nodes keep their rest transform
// below their parent.
static void copy_leader_pose(const scene_rig *rig) {
    for (int32_t i = 0; i < rig->asset->skeleton->node_count; i++) {
        if (rig->leader_nodes[i] == SINEW_NO_NODE) {
            compute_rest_model(rig->asset->skeleton, i, rig->own_model);
        } else {
            rig->own_model[i] = rig->leader->model[rig->leader_nodes[i]];
        }
    }
}

// Computes everything that depends on the pose: the palettes from `first_skin` on, and the bounds. Marks
// the rig as changed.
static void update_from_pose(scene_rig *rig, int32_t first_skin) {
    const sinew_asset *asset = rig->asset;
    for (int32_t i = first_skin; i < asset->skin_count; i++) {
        sinew_skin_palette(&asset->skins[i], rig->model, rig->palettes[i]);
    }
    rig->box = sinew_box_empty();
    if (asset->bounds) sinew_bounds_pose(asset->bounds, rig->model, rig->weights, &rig->box, NULL);
    rig->has_changed = true;
}

// Chooses between the mixer's matrices and weights and the rig's own.
static void set_pose_source(scene_rig *rig) {
    rig->model = rig->mixer ? sinew_mixer_model_matrices(rig->mixer) : rig->own_model;
    rig->weights = rig->mixer ? sinew_mixer_morph_weights(rig->mixer) : rig->asset->skeleton->rest_weights;
}

// ---- Making and releasing --------------------------------------------------------------------------------------

// A rig without a mixer has its own model matrices. A rig with a leader has the leader's nodes.
static scene_rig *lay_out(sinewi_layout *layout, const sinew_asset *asset, bool has_mixer, bool has_leader,
                          scene_rig *fields) {
    size_t nodes = (size_t)asset->skeleton->node_count, skins = (size_t)asset->skin_count;
    scene_rig *rig = sinewi_layout_array(layout, scene_rig, 1, SINEWI_ALIGNMENT);
    fields->palettes = sinewi_layout_array(layout, sinew_affine *, skins, SINEWI_ALIGNMENT);
    sinew_affine *model = sinewi_layout_array(layout, sinew_affine, has_mixer ? 0 : nodes, SINEWI_ALIGNMENT);
    fields->own_model = has_mixer ? NULL : model;
    fields->leader_nodes = sinewi_layout_array(layout, int32_t, has_leader ? nodes : 0, SINEWI_ALIGNMENT);
    size_t state_size = fields->springs ? sinew_springs_state_size(fields->springs) : 0;
    fields->spring_state = (sinew_spring_state *)sinewi_layout_take(layout, state_size, 1, SINEWI_ALIGNMENT);
    if (!fields->springs) fields->spring_state = NULL;
    for (size_t i = 0; i < skins; i++) {
        size_t joints = (size_t)asset->skins[i].joint_count;
        sinew_affine *palette = sinewi_layout_array(layout, sinew_affine, joints, SINEWI_ALIGNMENT);
        if (layout->base) fields->palettes[i] = palette;
    }
    return rig;
}

// Creates a mixer for the asset's skeleton with the scene's allocator. `def` may be NULL.
static sinew_result make_mixer(const sinew_scene *scene, const sinew_asset *asset, const sinew_mixer_def *def,
                               sinew_mixer **mixer, sinew_error *error) {
    sinew_mixer_def mixer_def = def ? *def : sinew_mixer_default();
    mixer_def.skeleton = asset->skeleton;
    mixer_def.allocator = scene->def.allocator;
    return sinew_mixer_create(&mixer_def, mixer, error);
}

// The leader's node with the same name. If there are several, it's the one below the parent's
// counterpart, or the first.
static int32_t find_leader_node(const scene_rig *rig, int32_t node) {
    const sinew_skeleton *own = rig->asset->skeleton, *leader = rig->leader->asset->skeleton;
    const char *name = own->names[node];
    const int32_t first = name[0] != '\0' ? sinew_skeleton_find(leader, name) : SINEW_NO_NODE;
    const int32_t parent = own->parents[node], above = parent < 0 ? SINEW_NO_NODE : rig->leader_nodes[parent];
    if (first == SINEW_NO_NODE || above == SINEW_NO_NODE) return first;
    for (int32_t i = above + 1; i < leader->subtree_ends[above]; i = leader->subtree_ends[i]) {
        if (strcmp(leader->names[i], name) == 0) return i;
    }
    return first;
}

static void find_leader_nodes(scene_rig *rig) {
    for (int32_t i = 0; i < rig->asset->skeleton->node_count; i++) rig->leader_nodes[i] = find_leader_node(rig, i);
}

// Adds a rig to the moving rigs, if it isn't one of them.
static void add_to_moving(sinew_scene *scene, scene_rig *rig) {
    if (rig->index != NO_INDEX) return;
    rig->index = scene->rig_count;
    scene->rigs[scene->rig_count++] = rig;
}

// Computes a rig's first pose.
static void start_rig(sinew_scene *scene, scene_rig *rig) {
    if (rig->mixer || rig->leader) add_to_moving(scene, rig);
    set_pose_source(rig);
    if (rig->leader) {
        rig->leader->users++;
        find_leader_nodes(rig);
        copy_leader_pose(rig);
    } else if (rig->own_model) {
        for (int32_t i = 0; i < rig->asset->skeleton->node_count; i++) {
            compute_rest_model(rig->asset->skeleton, i, rig->own_model);
        }
    }
    update_from_pose(rig, 0);
}

// Creates a rig for an instance: with a mixer, following a leader, or in the rest pose.
sinew_result sinewi_rig_create(sinew_scene *scene, const sinew_instance_def *def, scene_rig *leader,
                               scene_rig **rig, sinew_error *error) {
    scene_rig fields = {
        .asset = def->asset, .leader = leader, .index = NO_INDEX, .first_instance = NO_INDEX, .owner = NO_INDEX};
    bool has_mixer = def->pose == SINEW_INSTANCE_POSE_OWN;
    if (has_mixer) {
        sinew_result result = make_mixer(scene, def->asset, def->mixer, &fields.mixer, error);
        if (result != SINEW_OK) return result;
        fields.edit = def->edit;
        fields.solvers = def->solvers;
        fields.solver_count = def->solver_count;
        fields.springs = def->springs;
    }
    sinewi_layout measure = {0};
    lay_out(&measure, def->asset, has_mixer, leader != NULL, &fields);
    sinewi_layout layout = {(char *)sinewi_allocate(&scene->def.allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) {
        sinew_mixer_destroy(fields.mixer);
        return sinewi_fail_memory(error);
    }
    *rig = lay_out(&layout, def->asset, has_mixer, leader != NULL, &fields);
    fields.size = measure.size;
    **rig = fields;
    if (fields.springs) sinew_springs_reset(fields.springs, fields.spring_state);
    start_rig(scene, *rig);
    return SINEW_OK;
}

// Leaves a borrowed mixer alone.
static void destroy_mixer(scene_rig *rig) {
    if (!rig->mixer_is_borrowed) sinew_mixer_destroy(rig->mixer);
}

// Removes a user from a rig. A rig that loses its last user is freed, and its leader loses a user.
void sinewi_rig_release(sinew_scene *scene, scene_rig *rig) {
    while (rig && --rig->users == 0) {
        scene_rig *leader = rig->leader;
        if (rig->index != NO_INDEX) {
            scene->rigs[rig->index] = scene->rigs[--scene->rig_count];
            scene->rigs[rig->index]->index = rig->index;
        }
        destroy_mixer(rig);
        sinewi_release(&scene->def.allocator, rig, rig->size, SINEWI_ALIGNMENT);
        rig = leader;
    }
}

// ---- Updating --------------------------------------------------------------------------------------------------

// Solves a rig's springs. They need the instance's world matrix, so it's updated first.
static void solve_springs(sinew_scene *scene, scene_rig *rig, sinew_pose *pose, sinew_affine *model, float dt) {
    sinew_scene_update_world(scene);
    if (rig->springs_are_stale) sinew_springs_reset(rig->springs, rig->spring_state);
    rig->springs_are_stale = false;
    sinew_springs_input input = sinew_springs_input_default();
    input.world = scene->nodes[rig->owner].world;
    input.wind = scene->wind;
    sinew_springs_solve(rig->springs, &input, dt, rig->spring_state, pose, model);
}

// Updates a rig that has an edit, solvers or springs. They run between evaluation and palettes.
static void update_edited_rig(sinew_scene *scene, scene_rig *rig, float dt) {
    sinew_mixer *mixer = rig->mixer;
    sinew_mixer_advance(mixer, dt);
    sinew_mixer_evaluate(mixer);
    sinew_pose *pose = sinew_mixer_edit_pose(mixer);
    sinew_affine *model = sinew_mixer_edit_model(mixer);
    sinew_scene_node node = sinewi_scene_handle(scene, rig->owner, SINEW_NO_NODE);
    if (rig->edit && !rig->edit(scene, node, pose, model, dt, scene->nodes[rig->owner].user)) {
        sinew_mixer_to_model(mixer);
    }
    sinew_ik_solve(rig->solvers, rig->solver_count, pose, model);
    sinew_mixer_finish_pose(mixer);
    if (rig->springs) solve_springs(scene, rig, pose, model, dt);
    update_from_pose(rig, 0);
}

// Updates the rigs that have a mixer or show the caller's matrices. Mixers without an edit, solvers and springs run as
// one batch, which also computes their first skin's palette.
static void update_leaders(sinew_scene *scene, float dt) {
    int32_t count = 0;
    for (int32_t i = 0; i < scene->rig_count; i++) {
        scene_rig *rig = scene->rigs[i];
        const bool is_skipped = scene->def.skip_unseen && rig->last_visible != scene->cullings;
        rig->has_changed = false;
        if (rig->model_is_borrowed && !is_skipped) update_from_pose(rig, 0);
        if (!rig->mixer) continue;
        if (is_skipped) {
            sinew_mixer_advance(rig->mixer, dt);
            rig->springs_are_stale = true;
        } else if (rig->owner != NO_INDEX && (rig->edit || rig->solver_count > 0 || rig->springs)) {
            update_edited_rig(scene, rig, dt);
        } else {
            const sinew_skin *skin = rig->asset->skin_count > 0 ? &rig->asset->skins[0] : NULL;
            scene->item_rigs[count] = rig;
            scene->items[count++] =
                (sinew_batch_item){.mixer = rig->mixer, .skin = skin, .palette = skin ? rig->palettes[0] : NULL};
        }
    }
    sinew_batch_update(scene->items, 0, count, dt);
    for (int32_t i = 0; i < count; i++) {
        if (scene->items[i].changed) update_from_pose(scene->item_rigs[i], 1);
    }
}

// Updates the rigs whose leader has changed.
static void update_followers(sinew_scene *scene) {
    for (int32_t i = 0; i < scene->rig_count; i++) {
        scene_rig *rig = scene->rigs[i];
        if (!rig->leader || !rig->leader->has_changed) continue;
        copy_leader_pose(rig);
        update_from_pose(rig, 0);
    }
}

// Marks the instances of changed rigs, and the nodes attached to their joints.
static void mark_moved_instances(sinew_scene *scene) {
    for (int32_t i = 0; i < scene->rig_count; i++) {
        int32_t index = scene->rigs[i]->has_changed ? scene->rigs[i]->first_instance : NO_INDEX;
        while (index != NO_INDEX) {
            scene_instance *instance = &scene->instances[scene->nodes[index].instance];
            sinewi_scene_mark_moved(scene, instance);
            int32_t child = scene->nodes[index].first_child;
            for (; child != NO_INDEX; child = scene->nodes[child].next) {
                if (scene->nodes[child].joint != SINEW_NO_NODE) sinewi_scene_mark_dirty(scene, child);
            }
            index = instance->next;
        }
    }
}

// Shows a rig's new matrices and weights on everything that uses or follows it.
static void show_new_source(sinew_scene *scene, scene_rig *rig) {
    for (int32_t i = 0; i < scene->rig_count; i++) scene->rigs[i]->has_changed = false;
    update_from_pose(rig, 0);
    update_followers(scene);
    mark_moved_instances(scene);
}

static void replace_mixer(sinew_scene *scene, scene_rig *rig, sinew_mixer *mixer, bool is_borrowed) {
    destroy_mixer(rig);
    rig->mixer = mixer;
    rig->mixer_is_borrowed = is_borrowed;
    set_pose_source(rig);
    show_new_source(scene, rig);
}

sinew_result sinewi_rig_set_mixer(sinew_scene *scene, scene_rig *rig, const sinew_mixer_def *def,
                                  sinew_error *error) {
    sinew_mixer *mixer;
    sinew_result result = make_mixer(scene, rig->asset, def, &mixer, error);
    if (result != SINEW_OK) return result;
    replace_mixer(scene, rig, mixer, false);
    return SINEW_OK;
}

sinew_result sinewi_rig_use_mixer(sinew_scene *scene, scene_rig *rig, sinew_mixer *mixer, sinew_error *error) {
    if (!mixer || mixer->def.skeleton != rig->asset->skeleton) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the mixer is NULL, or belongs to a different skeleton than the instance");
    }
    for (int32_t i = 0; i < scene->rig_count; i++) {
        if (scene->rigs[i] != rig && scene->rigs[i]->mixer == mixer) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the mixer already poses another instance");
        }
    }
    if (rig->mixer != mixer) replace_mixer(scene, rig, mixer, true);
    return SINEW_OK;
}

void sinewi_rig_use_model(sinew_scene *scene, scene_rig *rig, const sinew_affine *model, const float *weights) {
    set_pose_source(rig);
    if (model) rig->model = model;
    if (model && weights) rig->weights = weights;
    rig->model_is_borrowed = model != NULL;
    add_to_moving(scene, rig);
    show_new_source(scene, rig);
}

void sinewi_scene_update_rigs(sinew_scene *scene, float dt) {
    update_leaders(scene, dt);
    update_followers(scene);
    mark_moved_instances(scene);
}
