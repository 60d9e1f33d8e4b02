// SPDX-License-Identifier: MIT
// Loads a file and poses it each frame.
#include "view/scene.h"

#include "render/camera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(const view_scene *scene, sinew_error *error) {
    error->result = SINEW_ERROR_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "%.200s: out of memory", scene->path);
    return false;
}

sinew_vec3 view_scene_node_position(const view_scene *scene, int32_t node) {
    const sinew_affine m = sinew_scene_world(scene->scene, sinew_scene_joint(scene->node, node));
    return (sinew_vec3){m.m[0][3], m.m[1][3], m.m[2][3]};
}

// ---- A frame -------------------------------------------------------------------------------------------------

bool view_scene_acts(const view_scene *scene) {
    return scene->playing && scene->player.chosen < 0;
}

// Poses the character if the act plays. Then the springs swing over the pose.
static bool edit_pose(sinew_scene *of, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model, float dt,
                      void *user) {
    view_scene *scene = user;
    (void)of, (void)instance, (void)dt; // view_springs_begin
    if (view_scene_acts(scene)) scene->act->pose(scene->playing, pose, model);
    if (view_scene_acts(scene) && scene->act->swings(scene->playing)) return true;
    view_springs_solve(&scene->springs, &scene->player.settings, pose, model);
    return true;
}

static void advance_crowd(view_scene *scene, float dt) {
    const view_settings *settings = &scene->player.settings;
    if (scene->player.paused || scene->crowd.def.count == 0) return;
    draw_crowd_advance(&scene->crowd, dt * settings->speed);
    view_crowd_springs_solve(&scene->crowd_springs, &scene->crowd, &scene->springs, settings, dt * settings->speed);
}

void view_scene_advance(view_scene *scene, float dt) {
    if (!scene->scene) return;
    view_springs_begin(&scene->springs, &scene->player, dt);
    if (view_scene_acts(scene) && !scene->player.paused)
        scene->act->advance(scene->playing, dt * scene->player.settings.speed);
    view_player_advance(&scene->player, dt);
    advance_crowd(scene, dt);
    view_vertices_pose(&scene->vertices, scene->scene);
    const sinew_box box = view_vertices_box(&scene->vertices, scene->scene);
    scene->least = box.min;
    scene->most = box.max;
}

void view_scene_pose_models(view_scene *scene, const sinew_mat4 *view_projection) {
    if (!scene->scene) return;
    draw_model_pose(&scene->model, scene->scene, scene->node);
    draw_models_cull(&scene->model, &scene->node, 1, scene->scene, view_projection);
    if (scene->crowd.model.records) draw_crowd_pose(&scene->crowd);
}

bool view_scene_moves(const view_scene *scene) {
    return view_player_moves(&scene->player) || scene->springs.moves ||
           (view_scene_acts(scene) && !scene->player.paused) ||
           (scene->crowd.def.count > 0 && !scene->player.paused);
}

sinew_box view_scene_box(const view_scene *scene) {
    const sinew_box own = {scene->least, scene->most};
    return scene->crowd.def.count > 0 ? sinew_box_union(own, scene->crowd.all) : own;
}

// ---- Loading -------------------------------------------------------------------------------------------------

static bool read_asset(view_scene *scene, view_loader load, const view_motion *motion, const char *path,
                       int32_t *first, sinew_error *error) {
    *first = 0;
    if (strlen(path) >= sizeof scene->path) {
        error->result = SINEW_ERROR_IO;
        snprintf(error->message, sizeof error->message, "%.200s...: the path is longer than %d bytes", path,
                 VIEW_PATH - 1);
        return false;
    }
    memcpy(scene->path, path, strlen(path) + 1);
    files_find_version(path, &scene->version);
    if (motion->path[0]) return motion->load(path, motion->path, &scene->asset, first, error);
    return load(path, &scene->asset, error);
}

// Finds the joints of all skins. Without a skin, every node counts.
static bool find_joints(view_scene *scene) {
    const sinew_asset *asset = scene->asset;
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

// Displays the file upright.
static bool add_instance(view_scene *scene) {
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = 1;
    sinew_instance_def instance = sinew_instance_default();
    instance.asset = scene->asset;
    instance.edit = edit_pose;
    instance.node.user = scene;
    if (sinew_scene_create(&def, &scene->scene, NULL) != SINEW_OK) return false;
    if (sinew_scene_add_instance(scene->scene, &instance, &scene->node, NULL) != SINEW_OK) return false;
    sinew_scene_set_matrix(scene->scene, scene->node, draw_upright(scene->asset));
    return true;
}

bool view_scene_load(view_scene *scene, view_loader load, const view_motion *motion, const char *path,
                     const view_settings *settings, sinew_error *error) {
    int32_t first;
    *scene = (view_scene){.player = view_player_empty(settings)};
    if (!read_asset(scene, load, motion, path, &first, error)) return false;
    if (!view_springs_create(&scene->springs, scene->asset, settings) || !find_joints(scene) ||
        !add_instance(scene) || !view_vertices_make_room(&scene->vertices, scene->scene) ||
        !view_player_create(&scene->player, scene->scene, scene->node, settings)) {
        return out_of_memory(scene, error);
    }
    if (settings->act) {
        scene->act = settings->act;
        scene->playing = scene->act->begin(scene->act->user, scene->asset, error);
        if (!scene->playing) return false;
    } else {
        view_player_choose(&scene->player, first);
    }
    view_scene_advance(scene, 0.0f);
    scene->ground = draw_ground_height(scene->least.y, scene->most.y);
    return true;
}

bool view_scene_create_crowd(view_scene *scene, sinew_error *error) {
    const view_settings *settings = &scene->player.settings;
    const draw_crowd_def def = {scene->asset, view_file_name(scene->path), settings->crowd, settings->baked};
    if (def.count == 0) return true;
    bool good = draw_crowd_create(&scene->crowd, &def, error);
    if (good && !view_crowd_springs_create(&scene->crowd_springs, &scene->crowd, &scene->springs))
        good = out_of_memory(scene, error);
    if (good) return true;
    view_crowd_springs_free(&scene->crowd_springs);
    draw_crowd_free(&scene->crowd);
    return false;
}

bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error) {
    return (scene->crowd.def.count == 0 || draw_crowd_upload(&scene->crowd, gl, error)) &&
           draw_model_create(&scene->model, gl, scene->asset, scene->path, error);
}

void view_scene_free(view_scene *scene) {
    const view_settings settings = scene->player.settings;
    view_crowd_springs_free(&scene->crowd_springs);
    draw_crowd_free(&scene->crowd);
    if (scene->model.gl) draw_model_free(&scene->model);
    sinew_scene_destroy(scene->scene);
    view_player_free(&scene->player);
    if (scene->playing) scene->act->end(scene->playing);
    view_springs_free(&scene->springs);
    view_vertices_free(&scene->vertices);
    sinew_asset_destroy(scene->asset);
    free(scene->is_joint);
    *scene = (view_scene){.player = view_player_empty(&settings)};
}
