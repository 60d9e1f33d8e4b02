// SPDX-License-Identifier: MIT
// The window's state: loading, dropping, layout and time.
#include "view/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float MESSAGE_SECONDS = 7.0f, MESSAGE_FADE = 1.0f;
static const float MAX_DT = 0.1f; // seconds; limits the step of the first frame after a wait

bool view_state_create(view_state *state, view_loader load) {
    *state = (view_state){.load = load, .orbit = view_orbit_start(), .changed = true, .scale = 1.0f};
    state->toggles = (view_toggles){.ground = true};
    state->scene = calloc(1, sizeof *state->scene);
    if (!state->scene) return false;
    state->scene->player =
        (view_player){.chosen = -1, .settings = view_default_settings(), .layer.clip = -1, .root = SINEW_NO_NODE};
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

static bool copy_text(char *to, size_t room, const char *text) {
    if (strlen(text) >= room) return false;
    memcpy(to, text, strlen(text) + 1);
    return true;
}

bool view_state_add_attachment(view_state *state, const char *path, const char *node) {
    if (state->attachment_count == VIEW_MAX_ACTORS - 1) return false;
    view_attachment *attachment = &state->attachments[state->attachment_count];
    if (!copy_text(attachment->path, sizeof attachment->path, path) ||
        !copy_text(attachment->node, sizeof attachment->node, node)) {
        return false;
    }
    state->attachment_count++;
    return true;
}

static bool attach_all(view_state *state, view_scene *scene, bool strict, sinew_error *error) {
    for (int i = 0; i < state->attachment_count; i++) {
        const view_attachment *attachment = &state->attachments[i];
        sinew_error reason;
        if (view_scene_attach(scene, state->load, attachment->path, attachment->node, &reason)) continue;
        if (strict) {
            *error = reason;
            return false;
        }
        view_state_show_message(state, "%s: not attached: %s", view_file_name(attachment->path), reason.message);
    }
    return true;
}

// A setting that the file cannot have is skipped, unless `strict`.
static bool apply_settings(view_state *state, view_scene *scene, bool strict, sinew_error *error) {
    const char *name = view_file_name(scene->actors[0].path);
    sinew_error reason;
    if (view_scene_apply_settings(scene, &reason)) return true;
    if (!strict) {
        view_state_show_message(state, "%s: %s", name, reason.message);
        return true;
    }
    error->result = reason.result;
    snprintf(error->message, sizeof error->message, "%.100s: %.300s", scene->actors[0].path, reason.message);
    return false;
}

static bool start_graph(view_state *state, view_scene *scene, bool strict, sinew_error *error) {
    sinew_error reason;
    if (view_scene_start_graph(scene, &reason)) return true;
    if (strict) *error = reason;
    if (!strict) view_state_show_message(state, "%s", view_graph_message(&scene->player, &reason));
    return !strict;
}

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
    bool good = view_scene_load(scene, state->load, &state->motion, path, &state->scene->player.settings, error) &&
                attach_all(state, scene, strict, error) && apply_settings(state, scene, strict, error) &&
                start_graph(state, scene, strict, error) && create_crowd(state, scene, strict, error);
    if (good) {
        free_scene(state->pending);
        state->pending = scene;
    } else {
        free_scene(scene);
    }
    state->changed = true;
    return good;
}

// Adds a file next to the others and selects it.
static bool add_file(view_state *state, const char *path, sinew_error *error) {
    view_scene *scene = state->scene;
    if (!view_scene_add(scene, state->load, path, error)) return false;
    state->before = state->selected;
    state->selected = scene->actors[scene->shown_count - 1].node;
    if (state->framed) view_state_frame(state);
    state->changed = true;
    return true;
}

bool view_state_set_motion(view_state *state, const char *path) {
    return copy_text(state->motion.path, sizeof state->motion.path, path);
}

// Loads the first file anew with the motion of another one.
static bool play_motion(view_state *state, const char *path, sinew_error *error) {
    view_motion before = state->motion;
    if (!view_state_set_motion(state, path)) {
        error->result = SINEW_ERROR_IO;
        snprintf(error->message, sizeof error->message, "%.200s...: the path is longer than %d bytes", path,
                 VIEW_PATH - 1);
        return false;
    }
    if (view_state_load(state, state->scene->actors[0].path, false, error)) return true;
    state->motion = before;
    return false;
}

static bool take_file(view_state *state, const char *path, sinew_error *error) {
    if (state->scene->actor_count == 0) return view_state_load(state, path, false, error);
    if (state->motion.is_motion && state->motion.is_motion(path)) return play_motion(state, path, error);
    return add_file(state, path, error);
}

void view_state_drop(view_state *state, const char *path) {
    sinew_error error;
    state->message_left = 0.0f;
    if (take_file(state, path, &error)) return;
    // The message starts with the file's name; its folder would only make it longer.
    const size_t folder = (size_t)(view_file_name(path) - path);
    const bool begins = strncmp(error.message, path, folder) == 0;
    view_state_show_message(state, "%s", error.message + (begins ? folder : 0));
}

void view_state_accept(view_state *state) {
    if (!state->pending) return;
    free_scene(state->scene);
    state->scene = state->pending;
    state->pending = NULL;
    state->selected = state->before = state->joint = (sinew_scene_node){0, 0, 0};
    state->scroll = 0;
    state->drag = VIEW_DRAG_NONE;
    state->changed = true;
    view_state_arrange(state);
    view_state_frame(state);
    view_orbit_finish(&state->orbit);
}

void view_state_refuse(view_state *state, const char *reason) {
    free_scene(state->pending);
    state->pending = NULL;
    view_state_show_message(state, "%s", reason);
}

// A slider that is being dragged may be another one's now.
void view_state_watch_graph(view_state *state) {
    view_player *player = &state->scene->player;
    sinew_error error;
    const view_reload reload = view_scene_reload_graph(state->scene, &error);
    if (reload == VIEW_RELOAD_SAME) return;
    if (reload == VIEW_RELOAD_FAULT) view_state_show_message(state, "%s", view_graph_message(player, &error));
    if (reload == VIEW_RELOAD_DONE)
        view_state_show_message(state, "%s loaded", view_file_name(player->settings.graph));
    if (state->drag == VIEW_DRAG_GRAPH) state->drag = VIEW_DRAG_NONE;
    view_state_arrange(state);
}

// ---- The picture ---------------------------------------------------------------------------------------------

static bool has_markers(const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->clip_count; i++) {
        if (asset->clips[i].marker_count > 0) return true;
    }
    return false;
}

static view_pad pad_of(const view_scene *scene) {
    if (!scene->player.space) return VIEW_PAD_NONE;
    return scene->player.space->kind == SINEW_BLEND_SPACE_LINE ? VIEW_PAD_LINE : VIEW_PAD_PLANE;
}

void view_state_arrange(view_state *state) {
    const bool has_file = state->scene->actor_count > 0;
    const view_layout_def def = {.width = state->width,
                                 .height = state->height,
                                 .scale = state->scale,
                                 .has_file = has_file,
                                 .clip_count = has_file ? state->scene->actors[0].asset->clip_count : 0,
                                 .has_markers = has_file && has_markers(state->scene->actors[0].asset),
                                 .widest_name = state->widest_name,
                                 .scroll = state->scroll,
                                 .mixing = state->toggles.mixing,
                                 .attachments = state->toggles.attachments,
                                 .body = state->toggles.body,
                                 .curve_count = has_file ? state->scene->actors[0].asset->skeleton->curve_count : 0,
                                 .graph = state->toggles.graph && view_player_has_graph(&state->scene->player),
                                 .graph_row_count = state->scene->player.graph.version.row_count,
                                 .graph_scroll = state->graph_scroll,
                                 .pad = pad_of(state->scene)};
    state->layout = view_layout_make(&def);
    state->scroll = state->layout.first;
    state->graph_scroll = state->layout.graph_first;
    const view_layout *l = &state->layout;
    const int left = has_file ? l->list.x + l->list.width : 0;
    const int right = l->width - view_layout_right(l);
    const int bottom = has_file ? l->height - l->timeline.y : 0;
    view_orbit_set_picture(&state->orbit, state->width, state->height, left, right, bottom);
    state->changed = true;
}

// A framed scene stays framed in the part of the picture that the panels leave free.
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

static void show_panel(view_state *state, bool *toggle, bool shown) {
    view_toggles *toggles = &state->toggles;
    if (shown == *toggle) return;
    toggles->mixing = toggles->attachments = toggles->graph = toggles->body = false;
    *toggle = shown;
    arrange_and_frame(state);
}

void view_state_show_mixing(view_state *state, bool shown) {
    show_panel(state, &state->toggles.mixing, shown);
}

void view_state_show_attachments(view_state *state, bool shown) {
    show_panel(state, &state->toggles.attachments, shown);
}

void view_state_show_graph(view_state *state, bool shown) {
    show_panel(state, &state->toggles.graph, shown);
}

void view_state_show_body(view_state *state, bool shown) {
    show_panel(state, &state->toggles.body, shown);
}

void view_state_frame(view_state *state) {
    const view_scene *scene = state->scene;
    const sinew_box box = view_scene_box(scene);
    if (scene->actor_count > 0) view_orbit_frame(&state->orbit, box.min, box.max);
    state->framed = true;
    state->changed = true;
}

// ---- Time ----------------------------------------------------------------------------------------------------

bool view_state_moves(const view_state *state) {
    return state->pending || state->message_left > 0.0f || !view_orbit_is_still(&state->orbit) ||
           view_scene_moves(state->scene);
}

static sinew_vec3 first_position(const view_scene *scene) {
    if (scene->actor_count == 0) return (sinew_vec3){0.0f, 0.0f, 0.0f};
    return view_scene_position(scene, 0, scene->player.walks[0].at);
}

// The camera follows the character's root motion, but not a warp, whose start and goal stay in the picture.
void view_state_advance(view_state *state, float dt) {
    if (!(dt > 0.0f)) dt = 0.0f;
    if (dt > MAX_DT) dt = MAX_DT;
    if (state->message_left > 0.0f) state->message_left -= dt;
    view_orbit_ease(&state->orbit, dt);
    const sinew_vec3 before = first_position(state->scene);
    view_scene_advance(state->scene, dt);
    if (state->scene->player.warp.acts) return;
    view_orbit_follow(&state->orbit, sinew_vec3_subtract(first_position(state->scene), before));
}
