// SPDX-License-Identifier: MIT
// The window's state: loads and drops files, lays out panels and advances time.
#include "view/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float MESSAGE_SECONDS = 7.0f, MESSAGE_FADE = 1.0f;
static const float MAX_DT = 0.1f; // seconds; limits the first step after a wait

bool view_state_create(view_state *state, view_loader load) {
    const view_settings settings = view_default_settings();
    *state = (view_state){.load = load,
                          .joint = SINEW_NO_NODE,
                          .orbit = view_orbit_start(),
                          .toggles = {.ground = true},
                          .changed = true,
                          .scale = 1.0f};
    state->scene = calloc(1, sizeof *state->scene);
    if (!state->scene) return false;
    state->scene->player = view_player_empty(&settings);
    return true;
}

static void free_scene(view_scene *scene) {
    if (scene) view_scene_free(scene);
    free(scene);
}

void view_state_free(view_state *state) {
    free_scene(state->scene);
    free_scene(state->pending);
    *state = (view_state){0};
}

bool view_state_has_file(const view_state *state) {
    return state->scene->scene != NULL;
}

// ---- Messages ------------------------------------------------------------------------------------------------

void view_state_show_message(view_state *state, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(state->message, sizeof state->message, format, arguments);
    va_end(arguments);
    state->message_left = MESSAGE_SECONDS;
    state->changed = true;
}

float view_state_message_strength(const view_state *state) {
    float strength = state->message_left / MESSAGE_FADE;
    return strength < 0.0f ? 0.0f : strength > 1.0f ? 1.0f : strength;
}

// ---- Files ---------------------------------------------------------------------------------------------------

static bool create_crowd(view_state *state, view_scene *scene, bool strict, sinew_error *error) {
    if (view_scene_create_crowd(scene, error)) return true;
    if (!strict) view_state_show_message(state, "no crowd: %s", error->message);
    return !strict;
}

bool view_state_load(view_state *state, const char *path, bool strict, sinew_error *error) {
    view_scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
        return false;
    }
    const bool good =
        view_scene_load(scene, state->load, &state->motion, path, &state->scene->player.settings, error) &&
        create_crowd(state, scene, strict, error);
    free_scene(good ? state->pending : scene);
    if (good) state->pending = scene;
    state->changed = true;
    return good;
}

bool view_state_set_motion(view_state *state, const char *path) {
    if (strlen(path) >= sizeof state->motion.path) return false;
    memcpy(state->motion.path, path, strlen(path) + 1);
    return true;
}

// Loads the current file again with another file's motion.
static bool play_motion(view_state *state, const char *path, sinew_error *error) {
    const view_motion before = state->motion;
    if (!view_state_set_motion(state, path)) {
        error->result = SINEW_ERROR_IO;
        snprintf(error->message, sizeof error->message, "%.200s...: the path is longer than %d bytes", path,
                 VIEW_PATH - 1);
        return false;
    }
    if (view_state_load(state, state->scene->path, false, error)) return true;
    state->motion = before;
    return false;
}

// Loads another file. It only plays its own clips, and no graph.
static bool take_file(view_state *state, const char *path, sinew_error *error) {
    const bool is_motion = state->motion.is_motion && state->motion.is_motion(path);
    if (is_motion && view_state_has_file(state)) return play_motion(state, path, error);
    const view_motion before = state->motion;
    view_settings *settings = &state->scene->player.settings;
    const view_act *act = settings->act;
    state->motion.path[0] = '\0';
    settings->act = NULL;
    if (view_state_load(state, path, false, error)) return true;
    state->motion = before;
    settings->act = act;
    return false;
}

static void show_fault(view_state *state, const char *path, const sinew_error *error) {
    // The message starts with the file's path. Leave out the folder, to make it shorter.
    const size_t folder = (size_t)(view_file_name(path) - path);
    const bool begins = strncmp(error->message, path, folder) == 0;
    view_state_show_message(state, "%s", error->message + (begins ? folder : 0));
}

void view_state_drop(view_state *state, const char *path) {
    sinew_error error;
    state->message_left = 0.0f;
    if (!take_file(state, path, &error)) show_fault(state, path, &error);
}

void view_state_accept(view_state *state) {
    if (!state->pending) return;
    const bool is_same = strcmp(state->pending->path, state->scene->path) == 0;
    free_scene(state->scene);
    state->scene = state->pending;
    state->pending = NULL;
    state->joint = SINEW_NO_NODE;
    state->drag = VIEW_DRAG_NONE;
    state->changed = true;
    if (!is_same) state->scroll = 0;
    view_state_arrange(state);
    if (is_same) return;
    view_state_frame(state);
    view_orbit_finish(&state->orbit);
}

void view_state_refuse(view_state *state, const char *reason) {
    free_scene(state->pending);
    state->pending = NULL;
    view_state_show_message(state, "%s", reason);
}

static bool are_equal(const files_version *a, const files_version *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

void view_state_watch(view_state *state) {
    view_scene *scene = state->scene;
    files_version now;
    if (!view_state_has_file(state) || state->pending || !files_find_version(scene->path, &now)) return;
    const bool is_settled = are_equal(&now, &state->seen);
    state->seen = now;
    if (!is_settled || are_equal(&now, &scene->version)) return;
    scene->version = now; // set even if loading fails, to show the fault only once
    state->message_left = 0.0f;
    sinew_error error;
    if (view_state_load(state, scene->path, false, &error)) {
        view_player_resume(&state->pending->player, &scene->player);
    } else {
        show_fault(state, scene->path, &error);
    }
}

// ---- The picture ---------------------------------------------------------------------------------------------

static bool has_markers(const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->clip_count; i++) {
        if (asset->clips[i].marker_count > 0) return true;
    }
    return false;
}

void view_state_arrange(view_state *state) {
    const bool has_file = view_state_has_file(state);
    const view_layout_def def = {.width = state->width,
                                 .height = state->height,
                                 .scale = state->scale,
                                 .has_file = has_file,
                                 .clip_count = has_file ? state->scene->asset->clip_count : 0,
                                 .has_markers = has_file && has_markers(state->scene->asset),
                                 .widest_name = state->widest_name,
                                 .scroll = state->scroll};
    state->layout = view_layout_make(&def);
    state->scroll = state->layout.first;
    const view_layout *l = &state->layout;
    const int left = has_file ? l->list.x + l->list.width : 0, bottom = has_file ? l->height - l->timeline.y : 0;
    view_orbit_set_picture(&state->orbit, state->width, state->height, left, bottom);
    state->changed = true;
}

// Arranges the panels. A framed scene stays framed in the part of the picture that they leave free.
static void arrange_and_frame(view_state *state) {
    view_state_arrange(state);
    if (!state->framed) return;
    view_state_frame(state);
    view_orbit_finish(&state->orbit);
}

void view_state_resize(view_state *state, int width, int height, float scale) {
    if (width == state->width && height == state->height && scale == state->scale) return;
    state->width = width;
    state->height = height;
    state->scale = scale;
    arrange_and_frame(state);
}

void view_state_set_names(view_state *state, int widest_name) {
    if (widest_name == state->widest_name) return;
    state->widest_name = widest_name;
    arrange_and_frame(state);
}

void view_state_frame(view_state *state) {
    const sinew_box box = view_scene_box(state->scene);
    if (view_state_has_file(state)) view_orbit_frame(&state->orbit, box.min, box.max);
    state->framed = true;
    state->changed = true;
}

// ---- Time ----------------------------------------------------------------------------------------------------

bool view_state_moves(const view_state *state) {
    return state->pending || state->message_left > 0.0f || !view_orbit_is_still(&state->orbit) ||
           view_scene_moves(state->scene);
}

void view_state_advance(view_state *state, float dt) {
    if (!(dt > 0.0f)) dt = 0.0f;
    if (dt > MAX_DT) dt = MAX_DT;
    if (state->message_left > 0.0f) state->message_left -= dt;
    view_orbit_ease(&state->orbit, dt);
    view_scene_advance(state->scene, dt);
}
