// SPDX-License-Identifier: MIT
// The rows of the graph panel and its keys.
#include "view/graph_rows.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <string.h>

static const float STEER = 0.05f;       // of a range
static const float STEP = 1.0f / 30.0f; // seconds

static view_graph *graph_of(const view_state *state) {
    return &state->scene->player.graph;
}

const view_graph_row *view_graph_row_of(const view_state *state, int number) {
    const view_graph_version *version = &graph_of(state)->version;
    return number >= 0 && number < version->row_count ? &version->rows[number] : NULL;
}

// ---- Parameters ----------------------------------------------------------------------------------------------

static float fraction_of(const sinew_graph_parameter *parameter, float value) {
    float least, most;
    view_graph_range(parameter, &least, &most);
    if (!(most > least)) return 0.0f;
    const float fraction = (value - least) / (most - least);
    return fraction < 0.0f ? 0.0f : fraction > 1.0f ? 1.0f : fraction;
}

// The key of a row; "" for none.
static void find_key(const sinew_graph *graph, const view_graph_row *row, char *key, size_t size) {
    int axis = 0;
    key[0] = '\0';
    for (int number = 1; number <= 9; number++) {
        if (view_graph_pressed_by(graph, number) == row->index) snprintf(key, size, "%d", number);
    }
    if (view_graph_steered_by(graph, true, &axis) == row->index && axis == row->axis) snprintf(key, size, "← →");
    if (view_graph_steered_by(graph, false, &axis) == row->index && axis == row->axis) snprintf(key, size, "↑ ↓");
}

static void describe_number(const view_graph *graph, const view_graph_row *row, view_graph_line *line) {
    const sinew_graph_parameter *parameter = &graph->version.graph->parameters[row->index];
    const float target = graph->targets[row->index][row->axis];
    const float damped = view_graph_value(graph, row->index, row->axis);
    line->control = VIEW_CONTROL_SLIDER;
    line->target = fraction_of(parameter, target);
    line->damped = fraction_of(parameter, damped);
    line->zero = fraction_of(parameter, 0.0f);
    const bool is_int = parameter->type == SINEW_PARAMETER_INT;
    snprintf(line->value, sizeof line->value, is_int ? "%.0f" : "%.2f", (double)damped + 0.0);
    if (parameter->type != SINEW_PARAMETER_VECTOR2) return;
    snprintf(line->label, sizeof line->label, "%.80s.%c", parameter->name, row->axis == 0 ? 'x' : 'y');
}

static void describe_parameter(const view_graph *graph, const view_graph_row *row, view_graph_line *line) {
    const sinew_graph_parameter *parameter = &graph->version.graph->parameters[row->index];
    snprintf(line->label, sizeof line->label, "%.80s", parameter->name);
    find_key(graph->version.graph, row, line->key, sizeof line->key);
    if (parameter->type != SINEW_PARAMETER_BOOL && parameter->type != SINEW_PARAMETER_TRIGGER) {
        describe_number(graph, row, line);
        return;
    }
    const bool is_bool = parameter->type == SINEW_PARAMETER_BOOL;
    line->on =
        is_bool ? graph->targets[row->index][0] != 0.0f : sinew_animator_trigger(graph->animator, row->index);
    line->control = is_bool ? VIEW_CONTROL_SWITCH : VIEW_CONTROL_BUTTON;
    snprintf(line->value, sizeof line->value, "%s", !is_bool ? "fire" : line->on ? "on" : "off");
}

// ---- Layers and states ---------------------------------------------------------------------------------------

// The path of a state without the layer's name.
static void short_path(const sinew_graph *graph, int32_t state, char *text, size_t size) {
    char path[VIEW_GRAPH_PATH];
    sinew_graph_state_path(graph, state, path, sizeof path);
    const char *slash = strchr(path, '/');
    snprintf(text, size, "%s", slash ? slash + 1 : path);
}

// The current path, or the running transition.
static void describe_layer(const view_graph *graph, int32_t layer, view_graph_line *line) {
    const sinew_graph *data = graph->version.graph;
    const int32_t transition = sinew_animator_transition(graph->animator, layer);
    char path[VIEW_GRAPH_PATH];
    short_path(data, sinew_animator_state(graph->animator, layer), path, sizeof path);
    snprintf(line->label, sizeof line->label, "%.80s", data->layers[layer].name);
    line->progress = sinew_animator_progress(graph->animator, layer);
    line->on = line->progress < 1.0f;
    if (!line->on) {
        snprintf(line->value, sizeof line->value, "%s", path);
    } else if (transition == SINEW_GRAPH_NONE) {
        snprintf(line->value, sizeof line->value, "→ %s", path);
    } else {
        const int32_t from = data->transitions[transition].from;
        const char *name = from == SINEW_ANY_STATE ? "any" : data->states[from].name;
        snprintf(line->value, sizeof line->value, "%.80s → %s", name, path);
    }
}

static void describe_state(const view_graph *graph, int32_t state, view_graph_line *line) {
    snprintf(line->label, sizeof line->label, "%.80s", graph->version.graph->states[state].name);
    line->on = sinew_animator_is_active(graph->animator, state);
    if (!line->on) return;
    const float elapsed = sinew_animator_elapsed(graph->animator, state);
    snprintf(line->value, sizeof line->value, "%.1f s", (double)elapsed);
}

void view_graph_describe(const view_state *state, const view_graph_row *row, view_graph_line *line) {
    const view_graph *graph = graph_of(state);
    *line = (view_graph_line){.control = VIEW_CONTROL_NONE, .progress = 1.0f};
    if (row->kind == VIEW_GRAPH_PARAMETER) describe_parameter(graph, row, line);
    if (row->kind == VIEW_GRAPH_LAYER) describe_layer(graph, row->index, line);
    if (row->kind == VIEW_GRAPH_STATE) describe_state(graph, row->index, line);
}

// ---- The pointer ---------------------------------------------------------------------------------------------

void view_graph_drag(view_state *state) {
    const view_graph_row *row = view_graph_row_of(state, state->graph_row);
    float across, up, least, most;
    if (!row || row->kind != VIEW_GRAPH_PARAMETER) return;
    view_rect_fraction(state->layout.graph_slider, state->x, state->y, &across, &up);
    view_graph_range(&graph_of(state)->version.graph->parameters[row->index], &least, &most);
    view_graph_set(graph_of(state), row->index, row->axis, least + across * (most - least));
}

void view_graph_click(view_state *state, int number) {
    const view_graph_row *row = view_graph_row_of(state, number);
    view_graph_line line;
    if (!row) return;
    view_graph_describe(state, row, &line);
    if (row->kind == VIEW_GRAPH_STATE) {
        view_player_force_state(&state->scene->player, row->index);
    } else if (line.control == VIEW_CONTROL_SLIDER) {
        state->drag = VIEW_DRAG_GRAPH;
        state->graph_row = number;
    } else if (line.control != VIEW_CONTROL_NONE) {
        view_graph_press(graph_of(state), row->index);
    }
}

// ---- Keys ----------------------------------------------------------------------------------------------------

bool view_graph_refuses(view_state *state, const char *what) {
    if (!view_player_has_graph(&state->scene->player)) return false;
    view_state_show_message(state, "The graph %s: change its parameters, or click a state in its panel.", what);
    return true;
}

// Changes a parameter by an arrow key.
static void steer(view_state *state, bool across, int direction) {
    view_graph *graph = graph_of(state);
    int axis;
    const int32_t parameter = view_graph_steered_by(graph->version.graph, across, &axis);
    if (parameter == SINEW_GRAPH_NONE) return;
    const sinew_graph_parameter *changed = &graph->version.graph->parameters[parameter];
    float least, most;
    view_graph_range(changed, &least, &most);
    const float step = changed->type == SINEW_PARAMETER_INT ? 1.0f : STEER * (most - least);
    const float value = graph->targets[parameter][axis] + (float)direction * step;
    view_graph_set(graph, parameter, axis, value > -0.5f * step && value < 0.5f * step ? 0.0f : value);
}

static bool steering_key(view_state *state, int key) {
    switch (key) {
    case GLFW_KEY_LEFT:
        steer(state, true, -1);
        return true;
    case GLFW_KEY_RIGHT:
        steer(state, true, 1);
        return true;
    case GLFW_KEY_UP:
        steer(state, false, 1);
        return true;
    case GLFW_KEY_DOWN:
        steer(state, false, -1);
        return true;
    default:
        return false;
    }
}

// With Control the arrows step and change the speed. A graph cannot be stepped backward.
static bool stepping_key(view_state *state, int key) {
    view_player *player = &state->scene->player;
    if (key == GLFW_KEY_LEFT) return view_graph_refuses(state, "cannot step backward");
    if (key != GLFW_KEY_RIGHT) return false;
    player->paused = false;
    view_scene_advance(state->scene, STEP);
    player->paused = true;
    return true;
}

static bool digit_key(view_state *state, int key) {
    const int first = key >= GLFW_KEY_KP_0 ? GLFW_KEY_KP_0 : GLFW_KEY_0;
    view_graph *graph = graph_of(state);
    if (key < first || key > first + 9) return false;
    const int32_t parameter = view_graph_pressed_by(graph->version.graph, key - first);
    if (key == first) {
        view_graph_reset(graph);
    } else if (parameter != SINEW_GRAPH_NONE) {
        view_graph_press(graph, parameter);
    }
    return true;
}

static void restart(view_state *state) {
    sinew_error error;
    if (!view_player_restart_graph(&state->scene->player, &error))
        view_state_show_message(state, "%s", error.message);
}

bool view_graph_key(view_state *state, int key, int modifiers) {
    if (!view_player_has_graph(&state->scene->player)) return false;
    if (key == GLFW_KEY_M) {
        view_state_show_graph(state, !state->toggles.graph);
    } else if (key == GLFW_KEY_HOME) {
        restart(state);
    } else if (key == GLFW_KEY_R || key == GLFW_KEY_L) {
        view_graph_refuses(state, "sets direction and loops");
    } else if (key == GLFW_KEY_LEFT_BRACKET || key == GLFW_KEY_RIGHT_BRACKET) {
        view_graph_refuses(state, "sets the durations of transitions");
    } else if (modifiers & GLFW_MOD_CONTROL) {
        return stepping_key(state, key);
    } else {
        return digit_key(state, key) || steering_key(state, key);
    }
    return true;
}
