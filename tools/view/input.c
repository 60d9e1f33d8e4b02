// SPDX-License-Identifier: MIT
// Handles keys and the mouse.
#include "view/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>

const view_key_help view_keys[] = {
    {"1 … 9, click", "play a clip"},
    {"Space", "pause, play"},
    {"←  →", "step 1/30 s (Shift: 1/4 s)"},
    {"↑  ↓", "faster, slower"},
    {"R", "backward, forward"},
    {"L", "repeat, ping-pong, once"},
    {"Home", "back to the start"},
    {"drag the bar", "scrub"},
    {"T", "times and weights"},
    {"U", "springs on, off"},
    {"Z", "spring colliders"},
    {"-  +", "wind weaker, stronger"},
    {"H", "this help"},
    {"drag", "orbit"},
    {"right drag", "pan (or Shift and drag)"},
    {"wheel", "zoom"},
    {"F", "frame the scene"},
    {"click", "name the joint"},
    {"S", "skeleton"},
    {"B", "bounds"},
    {"N", "normals"},
    {"W", "wireframe"},
    {"G", "ground"},
    {"drop a file", "open it, or play its motion"},
    {"Esc", "quit"},
    {0},
};

// ---- Keys ----------------------------------------------------------------------------------------------------

static const float STEP = 1.0f / 30.0f, LONG_STEP = 0.25f;

static void choose(view_state *state, int clip) {
    view_player_choose(&state->scene->player, clip);
    if (clip < state->layout.clip_count) state->scroll = view_layout_reveal(&state->layout, clip);
    view_state_arrange(state);
}

static void switch_springs(view_state *state) {
    const view_scene *scene = state->scene;
    bool *keyed = &state->scene->player.settings.keyed;
    if (scene->springs.springs)
        *keyed = !*keyed;
    else if (view_state_has_file(state))
        view_state_show_message(state, "%s has no spring bones (VRMC_springBone).", view_file_name(scene->path));
}

// Handles a key for playback or springs. Returns false for other keys.
static bool player_key(view_state *state, int key, int modifiers) {
    view_player *player = &state->scene->player;
    const float step = modifiers & GLFW_MOD_SHIFT ? LONG_STEP : STEP;
    switch (key) {
    case GLFW_KEY_SPACE:
        player->paused = !player->paused;
        return true;
    case GLFW_KEY_LEFT:
        view_player_scrub(player, -step);
        return true;
    case GLFW_KEY_RIGHT:
        view_player_scrub(player, step);
        return true;
    case GLFW_KEY_UP:
        view_player_change_speed(player, 1);
        return true;
    case GLFW_KEY_DOWN:
        view_player_change_speed(player, -1);
        return true;
    case GLFW_KEY_R:
        view_player_reverse(player);
        return true;
    case GLFW_KEY_HOME:
        view_player_restart(player);
        return true;
    case GLFW_KEY_L:
        view_player_cycle_loop(player);
        return true;
    case GLFW_KEY_U:
        switch_springs(state);
        return true;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
        view_player_change_wind(player, -1);
        return true;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
        view_player_change_wind(player, 1);
        return true;
    default:
        return false;
    }
}

static bool *toggle_of(view_toggles *toggles, int key) {
    switch (key) {
    case GLFW_KEY_S:
        return &toggles->skeleton;
    case GLFW_KEY_G:
        return &toggles->ground;
    case GLFW_KEY_W:
        return &toggles->wireframe;
    case GLFW_KEY_B:
        return &toggles->bounds;
    case GLFW_KEY_N:
        return &toggles->normals;
    case GLFW_KEY_Z:
        return &toggles->colliders;
    case GLFW_KEY_H:
        return &toggles->help;
    case GLFW_KEY_T:
        return &toggles->status;
    default:
        return NULL;
    }
}

static void number_key(view_state *state, int key) {
    const int first = key >= GLFW_KEY_KP_1 ? GLFW_KEY_KP_1 : GLFW_KEY_1;
    if (key >= first && key <= first + 8) choose(state, key - first);
}

void view_key(view_state *state, int key, int modifiers) {
    bool *toggle = toggle_of(&state->toggles, key);
    state->changed = true;
    if (toggle)
        *toggle = !*toggle;
    else if (key == GLFW_KEY_F)
        view_state_frame(state);
    else if (key == GLFW_KEY_ESCAPE)
        state->quit = true;
    else if (!player_key(state, key, modifiers))
        number_key(state, key);
}

// ---- The mouse -----------------------------------------------------------------------------------------------

static void scrub_to_pointer(view_state *state) {
    view_player_seek(&state->scene->player, view_layout_fraction(&state->layout, state->x));
}

static view_drag drag_in_picture(int button, int modifiers) {
    if (button == GLFW_MOUSE_BUTTON_LEFT) return modifiers & GLFW_MOD_SHIFT ? VIEW_DRAG_PAN : VIEW_DRAG_TURN;
    return button == GLFW_MOUSE_BUTTON_MIDDLE || button == GLFW_MOUSE_BUTTON_RIGHT ? VIEW_DRAG_PAN : VIEW_DRAG_NONE;
}

static void press(view_state *state, int button, int modifiers) {
    int clip = 0;
    const view_area area = view_layout_at(&state->layout, state->x, state->y, &clip);
    const bool is_left = button == GLFW_MOUSE_BUTTON_LEFT;
    state->drag_button = button;
    state->press_x = state->x;
    state->press_y = state->y;
    if (area == VIEW_PICTURE) state->drag = drag_in_picture(button, modifiers);
    if (area == VIEW_CLIP && is_left) choose(state, clip);
    if (area != VIEW_BAR || !is_left) return;
    state->drag = VIEW_DRAG_SCRUB;
    scrub_to_pointer(state);
}

// Returns whether the button was released within 3 pixels (of an unscaled screen) of where it was pressed.
static bool is_click(const view_state *state) {
    static const float slack = 3.0f;
    const bool in_picture = state->drag == VIEW_DRAG_TURN || state->drag == VIEW_DRAG_PAN;
    const float distance = fabsf(state->x - state->press_x) + fabsf(state->y - state->press_y);
    return in_picture && state->drag_button == GLFW_MOUSE_BUTTON_LEFT && distance <= slack * state->scale;
}

// Remembers the joint under the pointer, or none off the mesh.
static void pick(view_state *state) {
    const draw_camera camera = view_orbit_camera(&state->orbit);
    const sinew_ray ray = draw_camera_ray(&camera, state->x / (float)state->width, state->y / (float)state->height);
    sinew_scene_hit hit;
    state->joint = SINEW_NO_NODE;
    if (!view_state_has_file(state)) return;
    if (sinew_scene_pick(state->scene->scene, ray, SINEW_PICK_TRIANGLES, &hit)) state->joint = hit.node.joint;
}

// Handles a button. A second button during a drag doesn't change or end it.
void view_button(view_state *state, int button, bool down, int modifiers) {
    state->changed = true;
    if (down && state->drag == VIEW_DRAG_NONE) press(state, button, modifiers);
    if (down || button != state->drag_button) return;
    if (is_click(state)) pick(state);
    state->drag = VIEW_DRAG_NONE;
}

void view_move(view_state *state, float x, float y) {
    const float height = (float)(state->height > 0 ? state->height : 1);
    const float dx = (x - state->x) / height, dy = (y - state->y) / height;
    state->x = x;
    state->y = y;
    state->changed = true; // the row under the pointer gets highlighted
    if (state->drag == VIEW_DRAG_TURN) view_orbit_turn(&state->orbit, dx, dy);
    if (state->drag == VIEW_DRAG_PAN) view_orbit_pan(&state->orbit, dx, dy);
    if (state->drag == VIEW_DRAG_PAN) state->framed = false;
    if (state->drag == VIEW_DRAG_SCRUB) scrub_to_pointer(state);
}

void view_wheel(view_state *state, float steps) {
    static const float rows_a_step = 3.0f;
    state->changed = true;
    if (view_rect_has(state->layout.timeline, state->x, state->y)) return;
    if (!view_rect_has(state->layout.list, state->x, state->y)) {
        view_orbit_zoom(&state->orbit, steps);
        state->framed = false;
        return;
    }
    // Touch pads send many small steps.
    state->wheel -= steps * rows_a_step;
    const int rows = (int)state->wheel;
    state->wheel -= (float)rows;
    state->scroll += rows;
    view_state_arrange(state);
}
