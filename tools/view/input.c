// SPDX-License-Identifier: MIT
// Keys and the mouse.
#include "view/input.h"

#include "view/graph_rows.h"
#include "view/mixing.h"
#include "view/attachments.h"
#include "view/body.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>

const view_key_help view_keys[] = {
    {"arrows", "steer", VIEW_KEY_GRAPH},
    {"1 … 9", "fire a trigger, switch a bool", VIEW_KEY_GRAPH},
    {"0", "default values", VIEW_KEY_GRAPH},
    {"Home", "restart the graph", VIEW_KEY_GRAPH},
    {"Ctrl + →", "step 1/30 s", VIEW_KEY_GRAPH},
    {"Ctrl + ↑  ↓", "faster, slower", VIEW_KEY_GRAPH},
    {"M", "graph panel", VIEW_KEY_GRAPH},
    {"click a state", "enter it", VIEW_KEY_GRAPH},
    {"1 … 9, click", "play a clip", VIEW_KEY_CLIPS},
    {"[  ]", "shorter, longer transitions", VIEW_KEY_CLIPS},
    {"Space", "pause, play", VIEW_KEY_ALWAYS},
    {"←  →", "step 1/30 s (Shift: 1/4 s)", VIEW_KEY_CLIPS},
    {"↑  ↓", "faster, slower", VIEW_KEY_CLIPS},
    {"R", "backward, forward", VIEW_KEY_CLIPS},
    {"L", "repeat, ping-pong, once", VIEW_KEY_CLIPS},
    {"Home", "back to the start", VIEW_KEY_CLIPS},
    {"drag the bar", "scrub", VIEW_KEY_ALWAYS},
    {"T", "times and weights", VIEW_KEY_ALWAYS},
    {"M", "mixing panel", VIEW_KEY_CLIPS},
    {"K", "transition kind", VIEW_KEY_CLIPS},
    {"C", "compare (Shift: its kind)", VIEW_KEY_CLIPS},
    {"Y", "sync by markers", VIEW_KEY_CLIPS},
    {"H", "this help", VIEW_KEY_ALWAYS},
    {"Esc", "quit", VIEW_KEY_ALWAYS},
    {"Shift + 1 … 9", "play a clip on the layer", VIEW_KEY_CLIPS},
    {"E", "layer on, off", VIEW_KEY_CLIPS},
    {"J", "layer mask", VIEW_KEY_CLIPS},
    {"A", "override, additive", VIEW_KEY_CLIPS},
    {",  .", "layer weight down, up", VIEW_KEY_CLIPS},
    {"P", "blend space", VIEW_KEY_CLIPS},
    {"Ctrl + arrows", "steer the blend space", VIEW_KEY_CLIPS},
    {"O", "root motion", VIEW_KEY_ALWAYS},
    {"Backspace", "reset the position", VIEW_KEY_ALWAYS},
    {"Q", "body panel: drag, wind, curves", VIEW_KEY_ALWAYS},
    {"U  Z", "springs on, off; colliders", VIEW_KEY_ALWAYS},
    {"-  +", "wind weaker, stronger", VIEW_KEY_ALWAYS},
    {"Tab", "root warp: drag its goal", VIEW_KEY_CLIPS},
    {"drag", "orbit", VIEW_KEY_ALWAYS},
    {"right drag", "pan (or Shift and drag)", VIEW_KEY_ALWAYS},
    {"wheel", "zoom", VIEW_KEY_ALWAYS},
    {"F", "frame the scene", VIEW_KEY_ALWAYS},
    {"S", "skeleton", VIEW_KEY_ALWAYS},
    {"B", "bounds", VIEW_KEY_ALWAYS},
    {"N", "normals", VIEW_KEY_ALWAYS},
    {"W", "wireframe", VIEW_KEY_ALWAYS},
    {"G", "ground", VIEW_KEY_ALWAYS},
    {"drop a file", "add it to the scene, or play its motion", VIEW_KEY_ALWAYS},
    {"click a file", "select it, name its joint", VIEW_KEY_ALWAYS},
    {"I", "attachments panel", VIEW_KEY_ALWAYS},
    {"V  D", "attach, detach", VIEW_KEY_ALWAYS},
    {"X", "swap the last two selected", VIEW_KEY_ALWAYS},
    {"Delete", "remove the selected file", VIEW_KEY_ALWAYS},
    {0},
};

// ---- Keys ----------------------------------------------------------------------------------------------------

static const float STEP = 1.0f / 30.0f, LONG_STEP = 0.25f;

static void choose(view_state *state, int clip) {
    if (view_graph_refuses(state, "chooses the clips")) return;
    view_player_choose(&state->scene->player, clip);
    if (clip < state->layout.clip_count) state->scroll = view_layout_reveal(&state->layout, clip);
    view_state_arrange(state);
}

static const float STEER = 0.05f; // of the samples' extent

// Steers the blend space by an arrow key; false for any other key.
static bool steering_key(view_state *state, int key) {
    view_player *player = &state->scene->player;
    switch (key) {
    case GLFW_KEY_LEFT:
        view_player_steer_by(player, -STEER, 0.0f);
        return true;
    case GLFW_KEY_RIGHT:
        view_player_steer_by(player, STEER, 0.0f);
        return true;
    case GLFW_KEY_UP:
        view_player_steer_by(player, 0.0f, STEER);
        return true;
    case GLFW_KEY_DOWN:
        view_player_steer_by(player, 0.0f, -STEER);
        return true;
    default:
        return false;
    }
}

// The row of the mixing panel that a key acts on, or VIEW_MIXING_ROWS.
static view_mixing_row mixing_row_of(int key) {
    switch (key) {
    case GLFW_KEY_K:
        return VIEW_MIXING_KIND;
    case GLFW_KEY_C:
        return VIEW_MIXING_COMPARE;
    case GLFW_KEY_Y:
        return VIEW_MIXING_SYNC;
    case GLFW_KEY_E:
        return VIEW_MIXING_LAYER;
    case GLFW_KEY_J:
        return VIEW_MIXING_MASK;
    case GLFW_KEY_A:
        return VIEW_MIXING_MODE;
    case GLFW_KEY_COMMA:
    case GLFW_KEY_PERIOD:
        return VIEW_MIXING_WEIGHT;
    case GLFW_KEY_O:
    case GLFW_KEY_BACKSPACE:
        return VIEW_MIXING_ROOT;
    case GLFW_KEY_P:
        return VIEW_MIXING_SPACE;
    default:
        return VIEW_MIXING_ROWS;
    }
}

static bool mixing_key(view_state *state, int key, int modifiers) {
    const view_mixing_row row = mixing_row_of(key);
    if (row == VIEW_MIXING_ROWS) return false;
    const bool is_other = key == GLFW_KEY_COMMA || key == GLFW_KEY_BACKSPACE;
    const bool takes_shift = row != VIEW_MIXING_WEIGHT && row != VIEW_MIXING_ROOT;
    view_mixing_act(state, row, is_other || (takes_shift && (modifiers & GLFW_MOD_SHIFT)));
    return true;
}

// Handles a key of playback; false for any other key.
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
    case GLFW_KEY_LEFT_BRACKET:
        view_player_change_fade(player, -1);
        return true;
    case GLFW_KEY_RIGHT_BRACKET:
        view_player_change_fade(player, 1);
        return true;
    default:
        return false;
    }
}

// The row of the attachments panel that a key acts on, or VIEW_ATTACHMENTS_ROWS.
static view_attachments_row attachments_row_of(int key) {
    switch (key) {
    case GLFW_KEY_V:
        return VIEW_ATTACHMENTS_ATTACH;
    case GLFW_KEY_D:
        return VIEW_ATTACHMENTS_DETACH;
    case GLFW_KEY_X:
        return VIEW_ATTACHMENTS_SWAP;
    case GLFW_KEY_DELETE:
        return VIEW_ATTACHMENTS_REMOVE;
    default:
        return VIEW_ATTACHMENTS_ROWS;
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
    case GLFW_KEY_H:
        return &toggles->help;
    case GLFW_KEY_T:
        return &toggles->status;
    default:
        return NULL;
    }
}

// A number plays a clip, or with Shift plays it on the layer.
static bool number_key(view_state *state, int key, int modifiers) {
    const int first = key >= GLFW_KEY_KP_1 ? GLFW_KEY_KP_1 : GLFW_KEY_1;
    if (key < first || key > first + 8) return false;
    if (modifiers & GLFW_MOD_SHIFT) view_mixing_toggle_layer_clip(state, key - first);
    if (!(modifiers & GLFW_MOD_SHIFT)) choose(state, key - first);
    return true;
}

void view_key(view_state *state, int key, int modifiers) {
    state->changed = true;
    bool *toggle = toggle_of(&state->toggles, key);
    if (toggle) {
        *toggle = !*toggle;
    } else if (view_graph_key(state, key, modifiers) || view_body_key(state, key)) {
        return;
    } else if (key == GLFW_KEY_M) {
        view_state_show_mixing(state, !state->toggles.mixing);
    } else if (key == GLFW_KEY_I) {
        view_state_show_attachments(state, !state->toggles.attachments);
    } else if (attachments_row_of(key) != VIEW_ATTACHMENTS_ROWS) {
        view_attachments_act(state, attachments_row_of(key));
    } else if (key == GLFW_KEY_F) {
        view_state_frame(state);
    } else if (key == GLFW_KEY_ESCAPE) {
        state->quit = true;
    } else if (!(modifiers & GLFW_MOD_CONTROL) || view_player_has_graph(&state->scene->player) ||
               !steering_key(state, key)) {
        if (!number_key(state, key, modifiers) && !mixing_key(state, key, modifiers))
            player_key(state, key, modifiers);
    }
}

// ---- The mouse -----------------------------------------------------------------------------------------------

static void scrub_to_pointer(view_state *state) {
    view_player_seek(&state->scene->player, view_layout_fraction(&state->layout, state->x));
}

static view_drag drag_in_picture(int button, int modifiers) {
    if (button == GLFW_MOUSE_BUTTON_LEFT) return modifiers & GLFW_MOD_SHIFT ? VIEW_DRAG_PAN : VIEW_DRAG_TURN;
    return button == GLFW_MOUSE_BUTTON_MIDDLE || button == GLFW_MOUSE_BUTTON_RIGHT ? VIEW_DRAG_PAN : VIEW_DRAG_NONE;
}

static void set_weight_to_pointer(view_state *state) {
    float across, up;
    view_rect_fraction(state->layout.slider, state->x, state->y, &across, &up);
    view_player_set_layer_weight(&state->scene->player, across);
}

static void steer_to_pointer(view_state *state) {
    float across, up;
    view_rect_fraction(view_layout_pad(&state->layout), state->x, state->y, &across, &up);
    view_player_steer(&state->scene->player, across, up);
}

static void drag_on(view_state *state) {
    if (state->drag == VIEW_DRAG_SCRUB) scrub_to_pointer(state);
    if (state->drag == VIEW_DRAG_WEIGHT) set_weight_to_pointer(state);
    if (state->drag == VIEW_DRAG_STEER) steer_to_pointer(state);
    if (state->drag == VIEW_DRAG_GRAPH) view_graph_drag(state);
    if (state->drag == VIEW_DRAG_SLIDER) view_body_slide(state);
    if (state->drag == VIEW_DRAG_EFFECTOR) view_body_drag(state);
    if (state->drag == VIEW_DRAG_GOAL) view_body_drag_goal(state);
}

static void press_body(view_state *state, view_body_row row) {
    state->body_row = row;
    const view_rect slider = view_layout_body_slider(&state->layout, row);
    const bool slides = row == VIEW_BODY_WIND || row == VIEW_BODY_WIND_FROM;
    if (slides && view_rect_has(slider, state->x, state->y)) state->drag = VIEW_DRAG_SLIDER;
    if (!slides) view_body_act(state, row, false);
}

// A press on the pad also starts the blend space.
static void press_panel(view_state *state, view_area area, int number, bool shift) {
    static const view_drag drags[] = {
        [VIEW_BAR] = VIEW_DRAG_SCRUB, [VIEW_SLIDER] = VIEW_DRAG_WEIGHT, [VIEW_PAD] = VIEW_DRAG_STEER};
    state->drag = drags[area];
    if (area == VIEW_CLIP && shift) view_mixing_toggle_layer_clip(state, number);
    if (area == VIEW_CLIP && !shift) choose(state, number);
    if (area == VIEW_MIXING) view_mixing_act(state, (view_mixing_row)number, shift);
    if (area == VIEW_GRAPH) view_graph_click(state, number);
    if (area == VIEW_BODY) press_body(state, (view_body_row)number);
    if (area == VIEW_ATTACHMENTS) view_attachments_act(state, (view_attachments_row)number);
    if (area == VIEW_PAD && !state->scene->player.in_space) view_player_switch_space(&state->scene->player);
    drag_on(state);
}

// Starts to drag the ring under the pointer; false if it is not on one.
static bool grab_ring(view_state *state) {
    const int effector = view_body_effector_at(state, state->x, state->y);
    if (effector >= 0) {
        state->drag = VIEW_DRAG_EFFECTOR;
        view_body_grab(state, effector);
        return true;
    }
    if (!view_body_goal_is_at(state, state->x, state->y)) return false;
    state->drag = VIEW_DRAG_GOAL;
    view_body_grab_goal(state);
    return true;
}

static void press(view_state *state, int button, int modifiers) {
    int number = 0;
    const view_area area = view_layout_at(&state->layout, state->x, state->y, &number);
    state->drag_button = button;
    state->press_x = state->x;
    state->press_y = state->y;
    if (area == VIEW_PICTURE && button == GLFW_MOUSE_BUTTON_LEFT && grab_ring(state)) return;
    if (area == VIEW_PICTURE) {
        state->drag = drag_in_picture(button, modifiers);
    } else if (button == GLFW_MOUSE_BUTTON_LEFT) {
        press_panel(state, area, number, (modifiers & GLFW_MOD_SHIFT) != 0);
    }
}

// Whether the button goes up within 3 pixels of an unscaled screen of where it went down.
static bool is_click(const view_state *state) {
    static const float slack = 3.0f;
    const bool in_picture = state->drag == VIEW_DRAG_TURN || state->drag == VIEW_DRAG_PAN;
    const float distance = fabsf(state->x - state->press_x) + fabsf(state->y - state->press_y);
    return in_picture && state->drag_button == GLFW_MOUSE_BUTTON_LEFT && distance <= slack * state->scale;
}

// A second button during a drag neither changes nor ends it.
void view_button(view_state *state, int button, bool down, int modifiers) {
    state->changed = true;
    if (down && state->drag == VIEW_DRAG_NONE) press(state, button, modifiers);
    if (down || button != state->drag_button) return;
    if (is_click(state)) view_attachments_click(state, (modifiers & GLFW_MOD_SHIFT) != 0);
    if (state->drag == VIEW_DRAG_EFFECTOR) view_body_release(state);
    if (state->drag == VIEW_DRAG_GOAL && state->framed) view_state_frame(state);
    state->drag = VIEW_DRAG_NONE;
}

void view_move(view_state *state, float x, float y) {
    const float height = (float)(state->height > 0 ? state->height : 1);
    const float dx = (x - state->x) / height, dy = (y - state->y) / height;
    state->x = x;
    state->y = y;
    state->changed = true; // the row under the pointer is highlighted
    if (state->drag == VIEW_DRAG_TURN) view_orbit_turn(&state->orbit, dx, dy);
    if (state->drag == VIEW_DRAG_PAN) view_orbit_pan(&state->orbit, dx, dy);
    if (state->drag == VIEW_DRAG_PAN) state->framed = false;
    drag_on(state);
}

void view_wheel(view_state *state, float steps) {
    static const float rows_a_step = 3.0f;
    state->changed = true;
    if (view_rect_has(state->layout.timeline, state->x, state->y)) return;
    if (view_rect_has(state->layout.mixing, state->x, state->y)) return;
    if (view_rect_has(state->layout.attachments, state->x, state->y)) return;
    if (view_rect_has(state->layout.body, state->x, state->y)) return;
    const bool in_graph = view_rect_has(state->layout.graph, state->x, state->y);
    if (!in_graph && !view_rect_has(state->layout.list, state->x, state->y)) {
        view_orbit_zoom(&state->orbit, steps);
        state->framed = false;
        return;
    }
    // A touch pad sends many small steps.
    state->wheel -= steps * rows_a_step;
    const int rows = (int)state->wheel;
    state->wheel -= (float)rows;
    *(in_graph ? &state->graph_scroll : &state->scroll) += rows;
    view_state_arrange(state);
}
