// What moves in a scene: mixers, edits and solvers, those that follow another's joints, and palettes.
#include "scene/scene_state.h"

#include "mixer/mixer_data.h"
#include "pose/skeleton_object.h"
#include "core/fail.h"

// ---- Making ----------------------------------------------------------------------------------------------------

// With a model of its own where it has no mixer, and the nodes of a leader where it has one.
static scene_figure *lay_out(sinew_layout *layout, const sinew_asset *asset, bool is_posed,
                             const scene_figure *leader, scene_figure *fields) {
    size_t nodes = (size_t)asset->skeleton->node_count, skins = (size_t)asset->skin_count;
    scene_figure *f = sinew_layout_array(layout, scene_figure, 1, SINEW_ALIGNMENT);
    fields->palettes = sinew_layout_array(layout, sinew_affine *, skins, SINEW_ALIGNMENT);
    sinew_affine *model = sinew_layout_array(layout, sinew_affine, is_posed ? 0 : nodes, SINEW_ALIGNMENT);
    fields->own_model = is_posed ? NULL : model;
    fields->leader_nodes = sinew_layout_array(layout, int32_t, leader ? nodes : 0, SINEW_ALIGNMENT);
    for (size_t i = 0; i < skins; i++) {
        size_t joints = (size_t)asset->skins[i].joint_count;
        sinew_affine *palette = sinew_layout_array(layout, sinew_affine, joints, SINEW_ALIGNMENT);
        if (layout->base) fields->palettes[i] = palette;
    }
    return f;
}

static sinew_result make_mixer(const sinew_scene *scene, const sinew_asset *asset, const sinew_mixer_def *def,
                               sinew_mixer **mixer, sinew_error *error) {
    sinew_mixer_def mixer_def = def ? *def : sinew_mixer_default();
    mixer_def.skeleton = asset->skeleton;
    mixer_def.allocator = scene->def.allocator;
    return sinew_mixer_create(&mixer_def, mixer, error);
}

static void find_leader_nodes(scene_figure *f) {
    const sinew_skeleton *own = f->asset->skeleton, *led_by = f->leader->asset->skeleton;
    for (int32_t i = 0; i < own->node_count; i++) {
        bool is_named = own->names[i][0] != '\0';
        f->leader_nodes[i] = is_named ? sinew_skeleton_find(led_by, own->names[i]) : SINEW_NO_NODE;
    }
}

// Where a node is at rest, below its parent as that is.
static void rest(const sinew_skeleton *skeleton, int32_t node, sinew_affine *model) {
    sinew_affine local = sinew_skeleton_rest_local(skeleton, node);
    int32_t parent = skeleton->parents[node];
    model[node] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(model[parent], local);
}

static void rest_all(const sinew_skeleton *skeleton, sinew_affine *model) {
    for (int32_t i = 0; i < skeleton->node_count; i++) rest(skeleton, i, model);
}

static void follow(const scene_figure *f, sinew_affine *model) {
    for (int32_t i = 0; i < f->asset->skeleton->node_count; i++) {
        if (f->leader_nodes[i] == SINEW_NO_NODE) {
            rest(f->asset->skeleton, i, model);
        } else {
            model[i] = f->leader->model[f->leader_nodes[i]];
        }
    }
}

// What a new pose brings with it; the palettes from `first` on.
static void show(scene_figure *f, int32_t first) {
    const sinew_asset *asset = f->asset;
    for (int32_t i = first; i < asset->skin_count; i++) {
        sinew_skin_palette(&asset->skins[i], f->model, f->palettes[i]);
    }
    f->box = sinew_box_empty();
    if (asset->bounds) sinew_bounds_pose(asset->bounds, f->model, f->weights, &f->box, NULL);
    f->has_changed = true;
}

static void take_pose(scene_figure *f) {
    f->model = f->mixer ? sinew_mixer_model_matrices(f->mixer) : f->own_model;
    f->weights = f->mixer ? sinew_mixer_weights(f->mixer) : f->asset->skeleton->rest_weights;
}

static void enter(sinew_scene *scene, scene_figure *f) {
    if (f->mixer || f->leader) {
        f->index = scene->figure_count;
        scene->figures[scene->figure_count++] = f;
    }
    take_pose(f);
    if (f->leader) {
        f->leader->users++;
        find_leader_nodes(f);
        follow(f, f->own_model);
    } else if (f->own_model) {
        rest_all(f->asset->skeleton, f->own_model);
    }
    show(f, 0);
}

sinew_result sinew_figure_create(sinew_scene *scene, const sinew_instance_def *def, scene_figure *shared,
                                 scene_figure **made, sinew_error *error) {
    scene_figure fields = {
        .asset = def->asset, .leader = shared, .index = NOTHING, .first = NOTHING, .node = NOTHING};
    bool has_mixer = def->pose == SINEW_INSTANCE_POSE_OWN;
    if (has_mixer) {
        sinew_result result = make_mixer(scene, def->asset, def->mixer, &fields.mixer, error);
        if (result != SINEW_OK) return result;
        fields.edit = def->edit;
        fields.solvers = def->solvers;
        fields.solver_count = def->solver_count;
    }
    sinew_layout measure = {0};
    lay_out(&measure, def->asset, has_mixer, shared, &fields);
    sinew_layout layout = {(char *)sinew_allocate(&scene->def.allocator, measure.size, SINEW_ALIGNMENT), 0};
    if (!layout.base) {
        sinew_mixer_destroy(fields.mixer);
        return sinew_fail_memory(error);
    }
    *made = lay_out(&layout, def->asset, has_mixer, shared, &fields);
    fields.size = measure.size;
    **made = fields;
    enter(scene, *made);
    return SINEW_OK;
}

static void take_off(sinew_scene *scene, const scene_figure *f) {
    scene->figures[f->index] = scene->figures[--scene->figure_count];
    scene->figures[f->index]->index = f->index;
}

void sinew_figure_release(sinew_scene *scene, scene_figure *f) {
    while (f && --f->users == 0) {
        scene_figure *leader = f->leader;
        if (f->index != NOTHING) take_off(scene, f);
        sinew_mixer_destroy(f->mixer);
        sinew_release(&scene->def.allocator, f, f->size, SINEW_ALIGNMENT);
        f = leader;
    }
}

// ---- Moving ----------------------------------------------------------------------------------------------------

// A pose that is changed between evaluating it and showing it.
static void pose_by_hand(sinew_scene *scene, scene_figure *f, float dt) {
    sinew_mixer *mixer = f->mixer;
    sinew_mixer_advance(mixer, dt);
    sinew_mixer_evaluate(mixer);
    sinew_pose *pose = sinew_mixer_edit_pose(mixer);
    sinew_mixer_to_model(mixer);
    sinew_scene_node node = sinew_scene_handle(scene, f->node, SINEW_NO_NODE);
    if (f->edit && !f->edit(scene, node, pose, mixer->model, dt, scene->nodes[f->node].user)) {
        sinew_mixer_to_model(mixer);
    }
    sinew_ik_solve(f->solvers, f->solver_count, pose, mixer->model);
    show(f, 0);
}

// Those of which nothing but the palette is wanted go through the batch, side by side.
static void collect(sinew_scene *scene, scene_figure *f, int32_t *count) {
    const sinew_skin *skin = f->asset->skin_count > 0 ? &f->asset->skins[0] : NULL;
    scene->item_figures[*count] = f;
    scene->items[(*count)++] =
        (sinew_batch_item){.mixer = f->mixer, .skin = skin, .palette = skin ? f->palettes[0] : NULL};
}

static void move_figures(sinew_scene *scene, float dt) {
    int32_t count = 0;
    for (int32_t i = 0; i < scene->figure_count; i++) {
        scene_figure *f = scene->figures[i];
        f->has_changed = false;
        if (!f->mixer) continue;
        if (scene->def.skip_unseen && f->seen != scene->cullings) {
            sinew_mixer_advance(f->mixer, dt);
        } else if (f->node != NOTHING && (f->edit || f->solver_count > 0)) {
            pose_by_hand(scene, f, dt);
        } else {
            collect(scene, f, &count);
        }
    }
    sinew_batch_update(scene->items, 0, count, dt);
    for (int32_t i = 0; i < count; i++) {
        if (scene->items[i].changed) show(scene->item_figures[i], 1);
    }
}

static void follow_leaders(sinew_scene *scene) {
    for (int32_t i = 0; i < scene->figure_count; i++) {
        scene_figure *f = scene->figures[i];
        if (!f->leader || !f->leader->has_changed) continue;
        follow(f, f->own_model);
        show(f, 0);
    }
}

// What hangs on the joints of an instance has moved. Returns the next one that shows the same.
static int32_t move_attached(sinew_scene *scene, int32_t index) {
    scene_instance *moved = &scene->instances[scene->nodes[index].instance];
    sinew_scene_list_moved(scene, moved);
    int32_t child = scene->nodes[index].first_child;
    for (; child != NOTHING; child = scene->nodes[child].next) {
        if (scene->nodes[child].joint != SINEW_NO_NODE) sinew_scene_mark(scene, child);
    }
    return moved->next;
}

static void move_attached_to_changed(sinew_scene *scene) {
    for (int32_t i = 0; i < scene->figure_count; i++) {
        const scene_figure *f = scene->figures[i];
        int32_t index = f->has_changed ? f->first : NOTHING;
        while (index != NOTHING) index = move_attached(scene, index);
    }
}

// Those who show or follow it, at once: what is asked before the next update is of the new mixer's pose.
sinew_result sinew_figure_set_mixer(sinew_scene *scene, scene_figure *f, const sinew_mixer_def *def,
                                    sinew_error *error) {
    sinew_mixer *made;
    sinew_result result = make_mixer(scene, f->asset, def, &made, error);
    if (result != SINEW_OK) return result;
    sinew_mixer_destroy(f->mixer);
    f->mixer = made;
    take_pose(f);
    for (int32_t i = 0; i < scene->figure_count; i++) scene->figures[i]->has_changed = false;
    show(f, 0);
    follow_leaders(scene);
    move_attached_to_changed(scene);
    return SINEW_OK;
}

void sinew_scene_update_figures(sinew_scene *scene, float dt) {
    move_figures(scene, dt);
    follow_leaders(scene);
    move_attached_to_changed(scene);
}
