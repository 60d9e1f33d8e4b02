// SPDX-License-Identifier: MIT
// The parameters of the graph: their controls, their values and their keys.
#include "view/graph.h"

#include <math.h>
#include <string.h>

static const float UNLIMITED_WIDTH = 20.0f;

void view_graph_range(const sinew_graph_parameter *parameter, float *least, float *most) {
    const bool has_least = isfinite(parameter->min), has_most = isfinite(parameter->max);
    *least = has_least  ? (float)parameter->min
             : has_most ? (float)parameter->max - UNLIMITED_WIDTH
                        : -0.5f * UNLIMITED_WIDTH;
    *most = has_most ? (float)parameter->max : *least + UNLIMITED_WIDTH;
}

// ---- Values --------------------------------------------------------------------------------------------------

static float clamped(const sinew_graph_parameter *parameter, float value) {
    float least, most;
    if (parameter->type == SINEW_PARAMETER_BOOL || parameter->type == SINEW_PARAMETER_TRIGGER) return value;
    view_graph_range(parameter, &least, &most);
    const float number = parameter->type == SINEW_PARAMETER_INT ? rintf(value) : value;
    return fminf(fmaxf(number, least), most);
}

// Passes the set value to the animator. A trigger has none.
static void pass(view_graph *graph, int32_t parameter) {
    const float *target = graph->targets[parameter];
    switch (graph->version.graph->parameters[parameter].type) {
    case SINEW_PARAMETER_FLOAT:
        sinew_animator_set_float(graph->animator, parameter, target[0]);
        break;
    case SINEW_PARAMETER_INT:
        sinew_animator_set_int(graph->animator, parameter, (int32_t)target[0]);
        break;
    case SINEW_PARAMETER_BOOL:
        sinew_animator_set_bool(graph->animator, parameter, target[0] != 0.0f);
        break;
    case SINEW_PARAMETER_VECTOR2:
        sinew_animator_set_vector2(graph->animator, parameter, target[0], target[1]);
        break;
    case SINEW_PARAMETER_TRIGGER:
        break;
    }
}

void view_graph_set(view_graph *graph, int32_t parameter, int axis, float value) {
    graph->targets[parameter][axis] = clamped(&graph->version.graph->parameters[parameter], value);
    pass(graph, parameter);
}

void view_graph_press(view_graph *graph, int32_t parameter) {
    if (graph->version.graph->parameters[parameter].type == SINEW_PARAMETER_TRIGGER) {
        sinew_animator_fire(graph->animator, parameter);
    } else {
        view_graph_set(graph, parameter, 0, graph->targets[parameter][0] != 0.0f ? 0.0f : 1.0f);
    }
}

static void set_default(const sinew_graph_parameter *parameter, float *target) {
    const bool has_value = parameter->type != SINEW_PARAMETER_TRIGGER;
    for (int axis = 0; axis < 2; axis++)
        target[axis] = has_value ? clamped(parameter, (float)parameter->initial[axis]) : 0.0f;
}

void view_graph_reset(view_graph *graph) {
    const sinew_graph *data = graph->version.graph;
    for (int32_t i = 0; i < data->parameter_count; i++) {
        set_default(&data->parameters[i], graph->targets[i]);
        pass(graph, i);
    }
}

void view_graph_carry_targets(view_graph *graph, const sinew_graph *to) {
    const sinew_graph *from = graph->version.graph;
    float targets[SINEW_MAX_GRAPH_PARAMETERS][2] = {{0.0f}};
    for (int32_t i = 0; i < to->parameter_count; i++) {
        const sinew_graph_parameter *parameter = &to->parameters[i];
        const int32_t old = from ? sinew_graph_find_parameter(from, parameter->name) : SINEW_GRAPH_NONE;
        set_default(parameter, targets[i]);
        if (old == SINEW_GRAPH_NONE || from->parameters[old].type != parameter->type) continue;
        for (int axis = 0; axis < 2; axis++) targets[i][axis] = clamped(parameter, graph->targets[old][axis]);
    }
    memcpy(graph->targets, targets, sizeof targets);
}

float view_graph_value(const view_graph *graph, int32_t parameter, int axis) {
    float at[2] = {0.0f, 0.0f};
    switch (graph->version.graph->parameters[parameter].type) {
    case SINEW_PARAMETER_FLOAT:
        return sinew_animator_float(graph->animator, parameter);
    case SINEW_PARAMETER_INT:
        return (float)sinew_animator_int(graph->animator, parameter);
    case SINEW_PARAMETER_BOOL:
        return sinew_animator_bool(graph->animator, parameter) ? 1.0f : 0.0f;
    case SINEW_PARAMETER_TRIGGER:
        return sinew_animator_trigger(graph->animator, parameter) ? 1.0f : 0.0f;
    case SINEW_PARAMETER_VECTOR2:
        sinew_animator_vector2(graph->animator, parameter, &at[0], &at[1]);
        break;
    }
    return at[axis];
}

// ---- Keys ----------------------------------------------------------------------------------------------------

static bool is_pressed(sinew_parameter_type type) {
    return type == SINEW_PARAMETER_TRIGGER || type == SINEW_PARAMETER_BOOL;
}

int32_t view_graph_pressed_by(const sinew_graph *graph, int number) {
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        if (is_pressed(graph->parameters[i].type) && --number == 0) return i;
    }
    return SINEW_GRAPH_NONE;
}

int32_t view_graph_steered_by(const sinew_graph *graph, bool across, int *axis) {
    int skipped = across ? 1 : 0;
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        if (graph->parameters[i].type != SINEW_PARAMETER_VECTOR2) continue;
        *axis = across ? 0 : 1;
        return i;
    }
    *axis = 0;
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        if (!is_pressed(graph->parameters[i].type) && skipped-- == 0) return i;
    }
    return SINEW_GRAPH_NONE;
}
