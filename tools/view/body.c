// SPDX-License-Identifier: MIT
// The rows of the body panel, and dragging.
#include "view/body.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>

// ---- Rows ----------------------------------------------------------------------------------------------------

static void describe_springs(const view_state *state, view_body_line *line) {
    const view_springs *springs = &state->scene->springs;
    line->on = springs->springs && !state->scene->player.settings.keyed;
    if (!springs->springs)
        snprintf(line->value, sizeof line->value, "none in the file");
    else
        snprintf(line->value, sizeof line->value, "%s, %d joints", line->on ? "on" : "off: keyed",
                 (int)sinew_springs_joint_count(springs->springs));
}

static void describe_colliders(const view_state *state, view_body_line *line) {
    const sinew_vrm *vrm = state->scene->actors[0].asset->vrm;
    const int count = vrm ? (int)vrm->collider_count : 0;
    line->on = count > 0 && state->toggles.colliders;
    snprintf(line->value, sizeof line->value, "%d, %s", count, state->toggles.colliders ? "drawn" : "hidden");
}

static void describe_effectors(const view_state *state, view_body_line *line) {
    line->on = view_effectors_exist(&state->scene->effectors);
    snprintf(line->value, sizeof line->value, line->on ? "drag a ring" : "no humanoid roles");
}

static void describe_warp(const view_state *state, view_body_line *line) {
    const view_warp *warp = &state->scene->player.warp;
    char name[VIEW_WARP_NAME];
    line->on = warp->acts;
    if (!warp->acts) {
        snprintf(line->value, sizeof line->value, warp->is_on ? "no clip with root motion" : "off");
        return;
    }
    view_warp_describe(warp, name);
    if (warp->warp.missed_distance > 0.0005f)
        snprintf(line->value, sizeof line->value, "%.2f m short: %s", (double)warp->warp.missed_distance, name);
    else
        snprintf(line->value, sizeof line->value, "%s", name);
}

void view_body_describe(const view_state *state, view_body_row row, view_body_line *line) {
    static const char *const labels[][2] = {
        [VIEW_BODY_SPRINGS] = {"Springs", "U"},    [VIEW_BODY_COLLIDERS] = {"Colliders", "Z"},
        [VIEW_BODY_WIND] = {"Wind", "- +"},        [VIEW_BODY_WIND_FROM] = {"From", ""},
        [VIEW_BODY_EFFECTORS] = {"Effectors", ""}, [VIEW_BODY_WARP] = {"Warp", "Tab"},
    };
    const view_settings *settings = &state->scene->player.settings;
    *line = (view_body_line){.label = labels[row][0], .key = labels[row][1], .on = true};
    switch (row) {
    case VIEW_BODY_SPRINGS:
        describe_springs(state, line);
        break;
    case VIEW_BODY_COLLIDERS:
        describe_colliders(state, line);
        break;
    case VIEW_BODY_WIND:
        line->fraction = settings->wind / (float)VIEW_MAX_WIND;
        line->on = settings->wind > 0.0f;
        snprintf(line->value, sizeof line->value, "%.1f m/s", (double)settings->wind);
        break;
    case VIEW_BODY_WIND_FROM:
        line->fraction = settings->wind_from / 360.0f + 0.5f;
        line->on = settings->wind > 0.0f;
        snprintf(line->value, sizeof line->value, "%.0f°", (double)settings->wind_from);
        break;
    case VIEW_BODY_EFFECTORS:
        describe_effectors(state, line);
        break;
    case VIEW_BODY_WARP:
        describe_warp(state, line);
        break;
    case VIEW_BODY_ROWS:
        break;
    }
}

// A warp needs root motion: without it, that of the topmost joint.
static void switch_warp(view_state *state) {
    view_player *player = &state->scene->player;
    sinew_error error = {0};
    const int32_t node = view_scene_root(state->scene);
    if (!player->warp.is_on && player->root == SINEW_NO_NODE && node != SINEW_NO_NODE &&
        !view_scene_set_root(state->scene, node, &error)) {
        view_state_show_message(state, "%s", error.message);
        return;
    }
    view_player_switch_warp(player);
    view_scene_advance(state->scene, 0.0f);
    if (state->framed) view_state_frame(state);
    if (player->warp.is_on && !player->warp.acts)
        view_state_show_message(state, "A warp needs a clip, with root motion, without a graph or a blend space.");
}

void view_body_act(view_state *state, view_body_row row, bool less) {
    view_player *player = &state->scene->player;
    if (state->scene->actor_count == 0) return;
    view_state_show_body(state, true);
    state->changed = true;
    if (row == VIEW_BODY_SPRINGS && !state->scene->springs.springs)
        view_state_show_message(state, "%s has no spring bones (VRMC_springBone).",
                                view_file_name(state->scene->actors[0].path));
    else if (row == VIEW_BODY_SPRINGS)
        player->settings.keyed = !player->settings.keyed;
    if (row == VIEW_BODY_COLLIDERS) state->toggles.colliders = !state->toggles.colliders;
    if (row == VIEW_BODY_WIND) view_player_change_wind(player, less ? -1 : 1);
    if (row == VIEW_BODY_WARP) switch_warp(state);
}

bool view_body_key(view_state *state, int key) {
    switch (key) {
    case GLFW_KEY_Q:
        view_state_show_body(state, !state->toggles.body);
        return true;
    case GLFW_KEY_U:
        view_body_act(state, VIEW_BODY_SPRINGS, false);
        return true;
    case GLFW_KEY_Z:
        view_body_act(state, VIEW_BODY_COLLIDERS, false);
        return true;
    case GLFW_KEY_TAB:
        view_body_act(state, VIEW_BODY_WARP, false);
        return true;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
        view_body_act(state, VIEW_BODY_WIND, true);
        return true;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
        view_body_act(state, VIEW_BODY_WIND, false);
        return true;
    default:
        return false;
    }
}

void view_body_slide(view_state *state) {
    view_settings *settings = &state->scene->player.settings;
    float across, up;
    view_rect_fraction(view_layout_body_slider(&state->layout, state->body_row), state->x, state->y, &across, &up);
    if (state->body_row == VIEW_BODY_WIND) settings->wind = across * (float)VIEW_MAX_WIND;
    if (state->body_row == VIEW_BODY_WIND_FROM) settings->wind_from = 360.0f * across - 180.0f;
}

// ---- Effectors -----------------------------------------------------------------------------------------------

sinew_vec3 view_body_position(const view_state *state, int effector) {
    const view_scene *scene = state->scene;
    return view_scene_node_position(scene, &scene->actors[0], scene->effectors.all[effector].node);
}

int view_body_effector_at(const view_state *state, float x, float y) {
    if (!state->toggles.body || state->scene->actor_count == 0 || !view_effectors_exist(&state->scene->effectors))
        return -1;
    const draw_camera camera = view_orbit_camera(&state->orbit);
    float nearest = VIEW_RING * state->scale + 3.0f;
    int found = -1;
    for (int i = 0; i < VIEW_EFFECTORS; i++) {
        float across, down;
        if (!draw_camera_project(&camera, view_body_position(state, i), &across, &down)) continue;
        const float away = hypotf(across * (float)state->width - x, down * (float)state->height - y);
        if (away >= nearest) continue;
        nearest = away;
        found = i;
    }
    return found;
}

// The point under the pointer in the plane through `at` that faces the camera; `at` where the ray misses the
// plane.
static sinew_vec3 point_in_plane(const view_state *state, sinew_vec3 at) {
    const draw_camera camera = view_orbit_camera(&state->orbit);
    const sinew_ray ray = draw_camera_ray(&camera, state->x / (float)state->width, state->y / (float)state->height);
    const sinew_vec3 normal = draw_camera_ray(&camera, 0.5f, 0.5f).direction;
    const float slope = sinew_vec3_dot(normal, ray.direction);
    const float distance = sinew_vec3_dot(normal, sinew_vec3_subtract(at, ray.origin)) / slope;
    const sinew_vec3 point = sinew_vec3_add(ray.origin, sinew_vec3_scale(ray.direction, distance));
    return isfinite(point.x) && isfinite(point.y) && isfinite(point.z) ? point : at;
}

// A ring that is grabbed next to its middle does not jump to the pointer.
void view_body_grab(view_state *state, int effector) {
    const sinew_vec3 at = view_body_position(state, effector);
    state->effector = effector;
    state->grabbed = at;
    state->grab_offset = sinew_vec3_subtract(at, point_in_plane(state, at));
    view_body_drag(state);
}

void view_body_drag(view_state *state) {
    if (state->scene->actor_count == 0) return; // the file was removed
    const sinew_vec3 target = sinew_vec3_add(point_in_plane(state, state->grabbed), state->grab_offset);
    view_effectors_hold(&state->scene->effectors, state->effector, view_scene_to_model(state->scene, target));
}

void view_body_release(view_state *state) {
    view_effectors_release(&state->scene->effectors);
}

// ---- The goal of a warp --------------------------------------------------------------------------------------

sinew_vec3 view_body_goal(const view_state *state) {
    const view_scene *scene = state->scene;
    sinew_vec3 at = view_scene_position(scene, 0, scene->player.warp.goal);
    at.y += scene->ground;
    return at;
}

bool view_body_goal_is_at(const view_state *state, float x, float y) {
    if (!state->toggles.body || state->scene->actor_count == 0 || !state->scene->player.warp.acts) return false;
    const draw_camera camera = view_orbit_camera(&state->orbit);
    float across, down;
    if (!draw_camera_project(&camera, view_body_goal(state), &across, &down)) return false;
    return hypotf(across * (float)state->width - x, down * (float)state->height - y) <
           VIEW_RING * state->scale + 3.0f;
}

// The point under the pointer in the horizontal plane through `at`; `at` for a ray that does not go down to it.
static sinew_vec3 point_on_ground(const view_state *state, sinew_vec3 at) {
    const draw_camera camera = view_orbit_camera(&state->orbit);
    const sinew_ray ray = draw_camera_ray(&camera, state->x / (float)state->width, state->y / (float)state->height);
    const float distance = (at.y - ray.origin.y) / ray.direction.y;
    const sinew_vec3 point = sinew_vec3_add(ray.origin, sinew_vec3_scale(ray.direction, distance));
    const bool is_near = distance > 0.0f && distance < 100.0f * state->orbit.radius; // not towards the horizon
    return is_near ? point : at;
}

void view_body_grab_goal(view_state *state) {
    state->grabbed = view_body_goal(state);
    state->grab_offset = sinew_vec3_subtract(state->grabbed, point_on_ground(state, state->grabbed));
}

void view_body_drag_goal(view_state *state) {
    if (state->scene->actor_count == 0) return; // the file was removed
    sinew_vec3 goal = sinew_vec3_add(point_on_ground(state, state->grabbed), state->grab_offset);
    goal.y -= state->scene->ground;
    view_warp_set_goal(&state->scene->player.warp, view_scene_to_root(state->scene, goal));
    view_scene_advance(state->scene, 0.0f);
}
