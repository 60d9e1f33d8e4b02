// SPDX-License-Identifier: MIT
// Actors: loading, removing, twins, and the pose of a frame.
#include "view/scene.h"

#include "render/camera.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(const char *path, sinew_error *error) {
    error->result = SINEW_ERROR_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "%.200s: out of memory", path);
    return false;
}

const view_actor *view_scene_actor(const view_scene *scene, sinew_scene_node node) {
    for (int i = 0; i < scene->shown_count; i++) {
        const sinew_scene_node own = scene->actors[i].node;
        if (own.index == node.index && own.generation == node.generation) return &scene->actors[i];
    }
    return NULL;
}

sinew_vec3 view_scene_node_position(const view_scene *scene, const view_actor *actor, int32_t node) {
    const sinew_affine m = sinew_scene_world(scene->scene, sinew_scene_joint(actor->node, node));
    return (sinew_vec3){m.m[0][3], m.m[1][3], m.m[2][3]};
}

// ---- A frame -------------------------------------------------------------------------------------------------

// The world matrix of an upright instance at a position.
static sinew_affine matrix_at(const sinew_asset *asset, sinew_vec3 at) {
    sinew_affine matrix = draw_upright(asset);
    matrix.m[0][3] = at.x;
    matrix.m[1][3] = at.y;
    matrix.m[2][3] = at.z;
    return matrix;
}

static sinew_affine side_matrix(const view_scene *scene, int side) {
    const sinew_vec3 aside = {side == 0 ? 0.0f : scene->twin_offset, 0.0f, 0.0f};
    return matrix_at(scene->actors[0].asset, aside);
}

sinew_vec3 view_scene_position(const view_scene *scene, int side, sinew_vec3 at) {
    return sinew_affine_point(side_matrix(scene, side), at);
}

sinew_vec3 view_scene_to_root(const view_scene *scene, sinew_vec3 at) {
    return sinew_affine_point(sinew_affine_inverse(side_matrix(scene, 0)), at);
}

// Moves the characters by their root motion. Their attachments follow as children.
static void move_players(view_scene *scene) {
    for (int side = 0; side < VIEW_SIDES && scene->player.mixers[side]; side++) {
        const sinew_affine walk = view_walk_matrix(&scene->player.walks[side]);
        sinew_scene_set_matrix(scene->scene, scene->player.nodes[side],
                               sinew_affine_multiply(side_matrix(scene, side), walk));
    }
    sinew_scene_update_world(scene->scene);
}

// Brings the source of the motion to the clip and the time of the character, for the same step.
static void follow_character(view_scene *scene) {
    const view_player *player = &scene->player;
    const view_actor *source = view_scene_actor(scene, scene->source);
    const sinew_clip *own = view_player_clip(player);
    const sinew_clip *clip = source && own ? sinew_asset_find_clip(source->asset, own->name) : NULL;
    if (!clip) return;
    const sinew_play_def def = view_player_def(player, clip);
    sinew_mixer *mixer = sinew_scene_mixer(scene->scene, source->node);
    const sinew_action action = sinew_mixer_crossfade_to(mixer, sinew_clip_source(clip), 0.0f, &def);
    sinew_action_set_time(mixer, action, view_player_time(player));
}

// The pose of a character after its clips: the effectors move the body, and then the springs swing.
static bool edit_pose(sinew_scene *of, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model, float dt,
                      void *user) {
    view_scene *scene = user;
    const int side = sinew_scene_node_equals(instance, scene->player.nodes[1]) ? 1 : 0;
    (void)of, (void)dt; // view_springs_begin
    if (side == 0) view_effectors_solve(&scene->effectors, pose, model);
    view_springs_solve(&scene->springs, &scene->player, side, pose, model);
    return true;
}

sinew_vec3 view_scene_to_model(const view_scene *scene, sinew_vec3 at) {
    return sinew_affine_point(sinew_affine_inverse(sinew_scene_world(scene->scene, scene->actors[0].node)), at);
}

static void advance_crowd(view_scene *scene, float dt) {
    const view_settings *settings = &scene->player.settings;
    if (scene->player.paused || scene->crowd.def.count == 0) return;
    draw_crowd_advance(&scene->crowd, dt * settings->speed);
    view_crowd_springs_solve(&scene->crowd_springs, &scene->crowd, &scene->springs, settings, dt * settings->speed);
}

void view_scene_advance(view_scene *scene, float dt) {
    if (scene->actor_count == 0) return;
    view_effectors_advance(&scene->effectors, dt);
    view_springs_begin(&scene->springs, &scene->player, dt, view_effectors_act(&scene->effectors));
    follow_character(scene);
    view_player_advance(&scene->player, dt);
    advance_crowd(scene, dt);
    move_players(scene);
    view_vertices_pose(&scene->vertices, scene->scene);
    const sinew_box box = view_vertices_box(&scene->vertices, scene->scene);
    scene->least = box.min;
    scene->most = box.max;
}

void view_scene_pose_models(view_scene *scene, const sinew_mat4 *view_projection) {
    sinew_scene_node nodes[VIEW_SIDES * VIEW_MAX_ACTORS];
    if (scene->actor_count == 0) return;
    for (int i = 0; i < scene->model_count; i++) {
        nodes[i] = scene->actors[i].node;
        draw_model_pose(&scene->models[i], scene->scene, nodes[i]);
    }
    draw_models_cull(scene->models, nodes, scene->model_count, scene->scene, view_projection);
    if (scene->crowd.model.records) draw_crowd_pose(&scene->crowd);
}

bool view_scene_moves(const view_scene *scene) {
    return view_player_moves(&scene->player) || scene->springs.moves || view_effectors_move(&scene->effectors) ||
           (scene->crowd.def.count > 0 && !scene->player.paused);
}

// A box moved to where the first character would be.
static sinew_box box_at(const view_scene *scene, sinew_box box, sinew_vec3 at) {
    const sinew_vec3 from = view_scene_position(scene, 0, scene->player.walks[0].at);
    const sinew_vec3 way = sinew_vec3_subtract(view_scene_position(scene, 0, at), from);
    return (sinew_box){sinew_vec3_add(box.min, way), sinew_vec3_add(box.max, way)};
}

// With a warp, from its start to its goal.
sinew_box view_scene_box(const view_scene *scene) {
    sinew_box own = {scene->least, scene->most};
    const view_warp *warp = &scene->player.warp;
    if (warp->acts)
        own = sinew_box_union(box_at(scene, own, (sinew_vec3){0.0f, 0.0f, 0.0f}), box_at(scene, own, warp->goal));
    return scene->crowd.def.count > 0 ? sinew_box_union(own, scene->crowd.all) : own;
}

// ---- Adding --------------------------------------------------------------------------------------------------

// The joints of all skins; without a skin, every node.
static bool find_joints(view_scene *scene) {
    const sinew_asset *asset = scene->actors[0].asset;
    const int32_t count = asset->skeleton->node_count;
    scene->is_joint = calloc((size_t)count + 1, sizeof *scene->is_joint);
    if (!scene->is_joint) return false;
    for (int32_t i = 0; i < asset->skin_count; i++) {
        const sinew_skin *skin = &asset->skins[i];
        for (int32_t k = 0; k < skin->joint_count; k++) scene->is_joint[skin->joints[k]] = true;
    }
    for (int32_t i = 0; asset->skin_count == 0 && i < count; i++) scene->is_joint[i] = true;
    return true;
}

static bool set_path(view_actor *actor, const char *path, sinew_error *error) {
    *actor = (view_actor){.asset = NULL};
    if (strlen(path) >= sizeof actor->path) {
        error->result = SINEW_ERROR_IO;
        snprintf(error->message, sizeof error->message, "%.200s...: the path is longer than %d bytes", path,
                 VIEW_PATH - 1);
        return false;
    }
    memcpy(actor->path, path, strlen(path) + 1);
    return true;
}

static bool load_asset(view_actor *actor, view_loader load, const char *path, sinew_error *error) {
    return set_path(actor, path, error) && load(path, &actor->asset, error);
}

static void count_actors(view_scene *scene) {
    scene->actor_count = 0;
    for (int i = 0; i < scene->shown_count; i++) scene->actor_count += !scene->actors[i].is_twin;
}

// Creates the instance of the actor at index shown_count and counts it.
static bool add_instance(view_scene *scene, const sinew_instance_def *def, sinew_error *error) {
    view_actor *actor = &scene->actors[scene->shown_count];
    if (sinew_scene_add_instance(scene->scene, def, &actor->node, error) != SINEW_OK) {
        return out_of_memory(actor->path, error);
    }
    if (!view_vertices_make_room(&scene->vertices, scene->scene)) {
        sinew_scene_remove(scene->scene, actor->node);
        return out_of_memory(actor->path, error);
    }
    scene->shown_count++;
    count_actors(scene);
    return true;
}

// What the first actor has after its clips: springs, effectors, and plots of its curves.
static bool create_body(view_scene *scene, const view_settings *settings) {
    const sinew_asset *asset = scene->actors[0].asset;
    view_effectors_find(&scene->effectors, asset);
    return view_springs_create(&scene->springs, asset, settings) &&
           (asset->skeleton->curve_count == 0 ||
            sinew_pose_create(asset->skeleton, NULL, &scene->plotted) == SINEW_OK);
}

static bool make_scene(view_scene *scene) {
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = VIEW_SIDES * VIEW_MAX_ACTORS;
    return sinew_scene_create(&def, &scene->scene, NULL) == SINEW_OK;
}

// Creates the scene of the first actor, whose asset is loaded.
static bool start_scene(view_scene *scene, const view_settings *settings, sinew_error *error) {
    const view_actor *actor = &scene->actors[0];
    sinew_instance_def def = sinew_instance_default();
    def.asset = actor->asset;
    def.edit = edit_pose;
    def.node.user = scene;
    if (!create_body(scene, settings) || !make_scene(scene) || !add_instance(scene, &def, error) ||
        !view_player_create(&scene->player, scene->scene, actor->node, settings) || !find_joints(scene)) {
        return out_of_memory(actor->path, error);
    }
    view_player_choose(&scene->player, 0);
    view_scene_advance(scene, 0.0f);
    scene->ground = draw_ground_height(scene->least.y, scene->most.y);
    return true;
}

void view_scene_start(view_scene *scene, int32_t clip) {
    view_player_start(&scene->player, clip);
    view_scene_advance(scene, 0.0f);
}

// Loads a file into the next actor; NULL, with the reason in `error`, if it cannot be read or there are too many.
static view_actor *load_actor(view_scene *scene, view_loader load, const char *path, sinew_error *error) {
    view_actor *actor = &scene->actors[scene->shown_count];
    if (scene->actor_count == VIEW_MAX_ACTORS || scene->shown_count == VIEW_SIDES * VIEW_MAX_ACTORS) {
        error->result = SINEW_ERROR_LIMIT;
        snprintf(error->message, sizeof error->message, "%.200s: at most %d files at once; remove one first",
                 view_file_name(path), scene->actor_count);
        return NULL;
    }
    if (load_asset(actor, load, path, error)) return actor;
    sinew_asset_destroy(actor->asset);
    return NULL;
}

bool view_scene_attach(view_scene *scene, view_loader load, const char *path, const char *node,
                       sinew_error *error) {
    const view_actor *carrier = &scene->actors[0];
    sinew_instance_def def = sinew_instance_default();
    def.node.parent = sinew_scene_find_joint(scene->scene, carrier->node, node);
    def.pose = SINEW_INSTANCE_POSE_REST;
    if (!sinew_scene_has(scene->scene, def.node.parent)) {
        error->result = SINEW_ERROR_ARGUMENT;
        snprintf(error->message, sizeof error->message, "%.200s: no node '%.100s'", view_file_name(carrier->path),
                 node);
        return false;
    }
    view_actor *actor = load_actor(scene, load, path, error);
    if (!actor) return false;
    def.asset = actor->asset;
    if (!add_instance(scene, &def, error)) {
        sinew_asset_destroy(actor->asset);
        return false;
    }
    view_scene_advance(scene, 0.0f);
    return true;
}

// Moves a new actor to the right of all others, and up if it would be below the ground.
static void move_next_to_others(view_scene *scene, const view_actor *actor) {
    const sinew_vec3 least = scene->least, most = scene->most, origin = {0.0f, 0.0f, 0.0f};
    sinew_scene_set_matrix(scene->scene, actor->node, matrix_at(actor->asset, origin));
    sinew_scene_update(scene->scene, 0.0f);
    const sinew_box own = sinew_scene_bounds(scene->scene, actor->node);
    if (!(own.min.x <= own.max.x)) return; // no vertices
    const float gap = 0.1f * (most.x - least.x + own.max.x - own.min.x);
    const float lift = own.min.y < scene->ground ? scene->ground - own.min.y : 0.0f;
    const sinew_vec3 at = {most.x + gap - own.min.x, lift, 0.5f * (least.z + most.z - own.min.z - own.max.z)};
    if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z)) return; // boxes that overflow
    sinew_scene_set_matrix(scene->scene, actor->node, matrix_at(actor->asset, at));
}

bool view_scene_add(view_scene *scene, view_loader load, const char *path, sinew_error *error) {
    view_actor *actor = load_actor(scene, load, path, error);
    sinew_instance_def def = sinew_instance_default();
    if (!actor) return false;
    def.asset = actor->asset;
    if (!add_instance(scene, &def, error)) {
        sinew_asset_destroy(actor->asset);
        return false;
    }
    if (actor->asset->clip_count > 0) {
        const sinew_play_def play = view_player_def(&scene->player, &actor->asset->clips[0]);
        sinew_mixer_play(sinew_scene_mixer(scene->scene, actor->node), sinew_clip_source(&actor->asset->clips[0]),
                         &play);
    }
    move_next_to_others(scene, actor);
    view_scene_advance(scene, 0.0f);
    return true;
}

// Adds the file whose motion the character has, and plays its first clip.
static bool add_source(view_scene *scene, view_loader load, const char *path, sinew_error *error) {
    if (!view_scene_add(scene, load, path, error)) return false;
    const view_actor *character = &scene->actors[0], *source = &scene->actors[scene->shown_count - 1];
    scene->source = source->node;
    const sinew_clip *first = sinew_asset_find_clip(character->asset, source->asset->clips[0].name);
    if (first) view_scene_start(scene, (int32_t)(first - character->asset->clips));
    return true;
}

bool view_scene_load(view_scene *scene, view_loader load, const view_motion *motion, const char *path,
                     const view_settings *settings, sinew_error *error) {
    *scene = (view_scene){.player = {.chosen = -1, .layer.clip = -1, .root = SINEW_NO_NODE}};
    view_actor *actor = &scene->actors[0];
    if (!motion->path[0]) return load_asset(actor, load, path, error) && start_scene(scene, settings, error);
    return set_path(actor, path, error) && motion->load(path, motion->path, &actor->asset, error) &&
           start_scene(scene, settings, error) && add_source(scene, load, motion->path, error);
}

// ---- Removing ------------------------------------------------------------------------------------------------

// A model is freed before its asset.
static void remove_model(view_scene *scene, int index) {
    if (index >= scene->model_count) return;
    draw_model *model = &scene->models[index];
    draw_model_free(model);
    memmove(model, model + 1, (size_t)(--scene->model_count - index) * sizeof *model);
}

// The later actors move down by one index.
static void remove_actor(view_scene *scene, int index) {
    view_actor *actor = &scene->actors[index];
    remove_model(scene, index);
    sinew_scene_remove(scene->scene, actor->node);
    if (!actor->is_twin) sinew_asset_destroy(actor->asset);
    const int behind = --scene->shown_count - index;
    memmove(actor, actor + 1, (size_t)behind * sizeof *actor);
    count_actors(scene);
}

// Removes a node and the actors that were attached to it.
static void remove_subtree(view_scene *scene, sinew_scene_node node) {
    sinew_scene_remove(scene->scene, node);
    for (int i = scene->shown_count - 1; i >= 0; i--) {
        if (!sinew_scene_has(scene->scene, scene->actors[i].node)) remove_actor(scene, i);
    }
}

void view_scene_remove(view_scene *scene, sinew_scene_node node) {
    const view_actor *actor = view_scene_actor(scene, node);
    if (!actor) return;
    if (sinew_scene_node_equals(actor->node, scene->player.nodes[1])) {
        view_scene_set_comparing(scene, false);
    } else if (actor == &scene->actors[0]) {
        const view_settings settings = scene->player.settings;
        view_scene_free(scene);
        scene->player.settings = settings;
    } else {
        remove_subtree(scene, actor->node);
        view_scene_advance(scene, 0.0f);
    }
}

// ---- Comparison ----------------------------------------------------------------------------------------------

// Adds another instance of an actor's asset with the actor's transform. Only the twin of the first actor has a mixer.
static view_actor *add_twin(view_scene *scene, int index, sinew_scene_node parent) {
    const view_actor *original = &scene->actors[index];
    view_actor *twin = &scene->actors[scene->shown_count];
    sinew_instance_def def = sinew_instance_default();
    sinew_error error;
    if (scene->shown_count == VIEW_SIDES * VIEW_MAX_ACTORS) return NULL;
    *twin = *original;
    twin->is_twin = true;
    def.asset = original->asset;
    def.node.parent = parent;
    def.node.transform = sinew_scene_transform(scene->scene, original->node);
    def.pose = index == 0 ? SINEW_INSTANCE_POSE_OWN : SINEW_INSTANCE_POSE_REST;
    def.edit = edit_pose; // of the twin of the first actor
    def.node.user = scene;
    if (index == 0) view_springs_copy(&scene->springs);
    return add_instance(scene, &def, &error) ? twin : NULL;
}

// Adds a twin of the first character, and twins of the actors that are attached to its joints.
static bool add_twins(view_scene *scene) {
    const int count = scene->shown_count;
    const view_actor *first = add_twin(scene, 0, (sinew_scene_node){0, 0, 0});
    if (!first) return false;
    scene->player.nodes[1] = first->node;
    for (int i = 1; i < count; i++) {
        const sinew_scene_node on = sinew_scene_parent(scene->scene, scene->actors[i].node);
        if (view_scene_actor(scene, on) != &scene->actors[0]) continue;
        if (!add_twin(scene, i, sinew_scene_joint(first->node, on.joint))) return false;
    }
    return true;
}

static void remove_twins(view_scene *scene) {
    for (int i = 0; i < scene->shown_count; i++) { // actors that were attached to a twin later are kept
        const view_actor *actor = &scene->actors[i];
        const sinew_scene_node on = sinew_scene_parent(scene->scene, actor->node);
        const view_actor *carrier = view_scene_actor(scene, on);
        if (!actor->is_twin && carrier && carrier->is_twin)
            sinew_scene_detach(scene->scene, actor->node, SINEW_REPARENT_KEEP_WORLD);
    }
    view_player_set_comparing(&scene->player, false);
    for (int i = scene->shown_count - 1; i >= 0; i--) {
        if (scene->actors[i].is_twin) remove_actor(scene, i);
    }
    scene->player.nodes[1] = (sinew_scene_node){0, 0, 0};
}

// A distance at which two characters do not overlap.
static float twin_distance(const view_scene *scene) {
    const sinew_vec3 size = sinew_vec3_subtract(scene->most, scene->least);
    return fmaxf(1.1f * size.x, 0.6f * size.y);
}

bool view_scene_set_comparing(view_scene *scene, bool comparing) {
    if (scene->actor_count == 0 || comparing == view_player_is_comparing(&scene->player)) return true;
    const float distance = twin_distance(scene);
    const bool good = !comparing || (add_twins(scene) && view_player_set_comparing(&scene->player, true));
    if (!comparing || !good) remove_twins(scene);
    if (comparing && good) scene->twin_offset = distance;
    view_scene_advance(scene, 0.0f);
    return good;
}

// ---- Settings ------------------------------------------------------------------------------------------------

bool view_scene_apply_settings(view_scene *scene, sinew_error *error) {
    const bool good = view_player_apply_settings(&scene->player, error);
    view_scene_advance(scene, 0.0f);
    return good;
}

bool view_scene_start_graph(view_scene *scene, sinew_error *error) {
    const bool good = view_player_start_graph(&scene->player, error);
    view_scene_advance(scene, 0.0f);
    return good;
}

view_reload view_scene_reload_graph(view_scene *scene, sinew_error *error) {
    const view_reload reload = view_player_reload_graph(&scene->player, error);
    if (reload == VIEW_RELOAD_DONE) view_scene_set_comparing(scene, false);
    return reload;
}

bool view_scene_set_root(view_scene *scene, int32_t node, sinew_error *error) {
    const bool good = view_player_set_root(&scene->player, node, error);
    if (!view_player_is_comparing(&scene->player)) remove_twins(scene);
    view_scene_advance(scene, 0.0f);
    return good;
}

bool view_scene_create_crowd(view_scene *scene, sinew_error *error) {
    const view_settings *settings = &scene->player.settings;
    const view_actor *first = &scene->actors[0];
    const draw_crowd_def def = {first->asset, view_file_name(first->path), settings->crowd, settings->baked};
    if (def.count == 0) return true;
    bool good = draw_crowd_create(&scene->crowd, &def, error);
    if (good && !view_crowd_springs_create(&scene->crowd_springs, &scene->crowd, &scene->springs)) {
        *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
        good = false;
    }
    if (good) return true;
    view_crowd_springs_free(&scene->crowd_springs);
    draw_crowd_free(&scene->crowd);
    return false;
}

// The topmost joint: the hips of most characters.
int32_t view_scene_root(const view_scene *scene) {
    const sinew_asset *asset = scene->actors[0].asset;
    for (int32_t i = 0; i < asset->skeleton->node_count; i++) {
        if (scene->is_joint[i]) return i;
    }
    return SINEW_NO_NODE;
}

// ---- Upload --------------------------------------------------------------------------------------------------

bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error) {
    const int before = scene->model_count;
    const bool has_new_crowd = scene->crowd.def.count > 0 && !scene->crowd.model.gl;
    if (has_new_crowd && !draw_crowd_upload(&scene->crowd, gl, error)) return false;
    for (int i = before; i < scene->shown_count; i++) {
        const view_actor *actor = &scene->actors[i];
        if (!draw_model_create(&scene->models[scene->model_count++], gl, actor->asset, actor->path, error)) {
            while (scene->model_count > before) draw_model_free(&scene->models[--scene->model_count]);
            return false;
        }
    }
    return true;
}

void view_scene_remove_new(view_scene *scene) {
    while (scene->shown_count > scene->model_count && scene->shown_count > 0) {
        view_scene_remove(scene, scene->actors[scene->shown_count - 1].node);
    }
}

void view_scene_free(view_scene *scene) {
    view_crowd_springs_free(&scene->crowd_springs);
    draw_crowd_free(&scene->crowd);
    for (int i = 0; i < scene->model_count; i++) draw_model_free(&scene->models[i]);
    sinew_scene_destroy(scene->scene); // first: it uses the mixer of a graph
    view_player_free(&scene->player);
    view_springs_free(&scene->springs);
    sinew_pose_destroy(scene->plotted);
    for (int i = 0; i < scene->shown_count; i++) {
        if (!scene->actors[i].is_twin) sinew_asset_destroy(scene->actors[i].asset);
    }
    if (scene->shown_count == 0) sinew_asset_destroy(scene->actors[0].asset); // loaded, but without an instance
    view_vertices_free(&scene->vertices);
    free(scene->is_joint);
    *scene = (view_scene){.player = {.chosen = -1, .layer.clip = -1, .root = SINEW_NO_NODE}};
}
