// Keys and the mouse.
#include "viewer/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

const view_key_help view_keys[] = {
    {"1 … 9, click", "cross-fade to a clip"},
    {"[  ]", "shorter, longer fades"},
    {"Space", "pause, play"},
    {"←  →", "step 1/30 s (Shift: 1/4 s)"},
    {"↑  ↓", "faster, slower"},
    {"R", "backward, forward"},
    {"L", "repeat, ping-pong, once"},
    {"Home", "back to the start"},
    {"drag the bar", "scrub"},
    {"T", "times and weights"},
    {"H", "this help"},
    {"Esc", "quit"},
    {"drag", "turn"},
    {"right drag", "move (or Shift and drag)"},
    {"wheel", "nearer, farther"},
    {"F", "see all of it"},
    {"S", "skeleton"},
    {"B", "bounds"},
    {"N", "normals"},
    {"W", "wireframe"},
    {"G", "ground"},
    {"drop a file", "show that one"},
    {0},
};

// ---- Keys ----------------------------------------------------------------------------------------------------

static const float STEP = 1.0f / 30.0f, LONG_STEP = 0.25f;

static void choose(view_state *state, int clip) {
    view_player_choose(&state->scene->player, clip);
    if (clip < state->layout.clip_count) state->scroll = view_layout_reveal(&state->layout, clip);
    view_state_arrange(state);
}

// True when the key was one of those that change what plays.
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

void view_key(view_state *state, int key, int modifiers) {
    state->changed = true;
    bool *toggle = toggle_of(&state->toggles, key);
    if (toggle) {
        *toggle = !*toggle;
    } else if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9) {
        choose(state, key - GLFW_KEY_1);
    } else if (key >= GLFW_KEY_KP_1 && key <= GLFW_KEY_KP_9) {
        choose(state, key - GLFW_KEY_KP_1);
    } else if (key == GLFW_KEY_F) {
        view_state_frame(state);
    } else if (key == GLFW_KEY_ESCAPE) {
        state->quit = true;
    } else {
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

static void press(view_state *state, int button, int modifiers) {
    int clip = 0;
    const view_place place = view_layout_at(&state->layout, state->x, state->y, &clip);
    state->drag_button = button;
    if (place == VIEW_NOWHERE) {
        state->drag = drag_in_picture(button, modifiers);
    } else if (place == VIEW_CLIP && button == GLFW_MOUSE_BUTTON_LEFT) {
        choose(state, clip);
    } else if (place == VIEW_BAR && button == GLFW_MOUSE_BUTTON_LEFT) {
        state->drag = VIEW_DRAG_SCRUB;
        scrub_to_pointer(state);
    }
}

// A second button during a drag neither changes nor ends it.
void view_button(view_state *state, int button, bool down, int modifiers) {
    state->changed = true;
    if (down && state->drag == VIEW_DRAG_NONE) press(state, button, modifiers);
    if (!down && button == state->drag_button) state->drag = VIEW_DRAG_NONE;
}

void view_move(view_state *state, float x, float y) {
    const float height = (float)(state->height > 0 ? state->height : 1);
    const float dx = (x - state->x) / height, dy = (y - state->y) / height;
    state->x = x;
    state->y = y;
    state->changed = true; // the row under the pointer is lit
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
    // A touch pad sends many small steps.
    state->wheel -= steps * rows_a_step;
    const int rows = (int)state->wheel;
    state->wheel -= (float)rows;
    state->scroll += rows;
    view_state_arrange(state);
}
