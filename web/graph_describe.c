// SPDX-License-Identifier: MIT
// Writes a graph's content as JSON, in the terms of its file (docs/graph.md). JavaScript reads it once.
#include "text.h"
#include "web.h"

#include <math.h>

static void add_key(web_text *to, const char *key) {
    web_text_add(to, ",\"%s\":", key);
}

// Appends a string, or null.
static void add_name(web_text *to, const char *key, const char *name) {
    add_key(to, key);
    if (name) {
        web_text_add_string(to, name);
    } else {
        web_text_add(to, "null");
    }
}

static void add_number(web_text *to, const char *key, double number) {
    web_text_add(to, ",\"%s\":%.9g", key, number);
}

// Appends a range's limit. An infinite limit is null.
static void add_limit(web_text *to, const char *key, double limit) {
    add_key(to, key);
    if (isinf(limit)) {
        web_text_add(to, "null");
    } else {
        web_text_add(to, "%.17g", limit);
    }
}

static void add_parameter_name(web_text *to, const char *key, const sinew_graph *graph, int32_t parameter) {
    add_name(to, key, parameter == SINEW_GRAPH_NONE ? NULL : graph->parameters[parameter].name);
}

// ---- Parameters and layers -----------------------------------------------------------------------------------

static void add_numbers(web_text *to, const double *numbers, int count) {
    for (int i = 0; i < count; i++) web_text_add(to, "%s%.17g", i > 0 ? "," : "[", numbers[i]);
    web_text_add(to, "]");
}

static void add_default(web_text *to, const sinew_graph_parameter *p) {
    switch (p->type) {
    case SINEW_PARAMETER_BOOL:
        web_text_add(to, "%s", web_truth(p->initial[0] != 0.0));
        break;
    case SINEW_PARAMETER_TRIGGER:
        web_text_add(to, "false");
        break;
    case SINEW_PARAMETER_VECTOR2:
        add_numbers(to, p->initial, 2);
        break;
    case SINEW_PARAMETER_VECTOR3:
        add_numbers(to, p->initial, 3);
        break;
    case SINEW_PARAMETER_TRANSFORM:
        web_text_add(to, "{\"position\":");
        add_numbers(to, p->initial, 3);
        web_text_add(to, ",\"rotation\":");
        add_numbers(to, p->initial + 3, 4);
        web_text_add(to, "}");
        break;
    default:
        web_text_add(to, "%.17g", p->initial[0]);
    }
}

static void add_parameters(web_text *to, const sinew_graph *graph) {
    static const char *const types[] = {"float", "int", "bool", "trigger", "vector2", "vector3", "transform"};
    static const char *const spaces[] = {"world", "model"};
    web_text_add(to, "\"parameters\":[");
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        const sinew_graph_parameter *p = &graph->parameters[i];
        web_text_add(to, "%s{\"type\":\"%s\"", web_comma(i), types[p->type]);
        add_name(to, "name", p->name);
        add_key(to, "default");
        add_default(to, p);
        add_limit(to, "min", p->min);
        add_limit(to, "max", p->max);
        add_number(to, "damping", (double)p->damping);
        add_number(to, "hold", (double)p->hold);
        web_text_add(to, ",\"space\":\"%s\",\"line\":%d}", spaces[p->space], (int)p->line);
    }
    web_text_add(to, "]");
}

static void add_layers(web_text *to, const sinew_graph *graph) {
    static const char *const modes[] = {"override", "additive"};
    web_text_add(to, ",\"layers\":[");
    for (int32_t i = 0; i < graph->layer_count; i++) {
        const sinew_graph_layer *layer = &graph->layers[i];
        web_text_add(to, "%s{\"machine\":%d,\"mode\":\"%s\"", web_comma(i), (int)layer->machine,
                     modes[layer->mode]);
        add_name(to, "name", layer->name);
        add_number(to, "weight", (double)layer->weight);
        add_parameter_name(to, "weightParameter", graph, layer->weight_parameter);
        add_name(to, "weightCurve", layer->weight_curve);
        add_name(to, "reference", layer->reference);
        web_text_add(to, ",\"line\":%d}", (int)layer->line);
    }
    web_text_add(to, "],\"machines\":[");
    for (int32_t i = 0; i < graph->machine_count; i++) {
        web_text_add(to, "%s{\"entry\":%d,\"state\":%d}", web_comma(i), (int)graph->machines[i].entry,
                     (int)sinew_graph_machine_state(graph, i));
    }
    web_text_add(to, "]");
}

// ---- States --------------------------------------------------------------------------------------------------

static void add_blend(web_text *to, const sinew_graph *graph, const sinew_graph_blend *blend) {
    static const char *const kinds[] = {"line", "triangles", "directional"};
    web_text_add(to, "{\"kind\":\"%s\"", kinds[blend->kind]);
    add_parameter_name(to, "x", graph, blend->x_parameter);
    add_parameter_name(to, "y", graph, blend->y_parameter);
    add_number(to, "damping", (double)blend->damping);
    if (blend->match_speed) {
        web_text_add(to, ",\"matchSpeed\":[%.9g,%.9g]", (double)blend->min_rate, (double)blend->max_rate);
    } else {
        web_text_add(to, ",\"matchSpeed\":false");
    }
    web_text_add(to, ",\"samples\":[");
    for (int32_t i = 0; i < blend->sample_count; i++) {
        const sinew_graph_sample *sample = &blend->samples[i];
        web_text_add(to, "%s{\"x\":%.9g,\"y\":%.9g,\"speed\":%.9g", web_comma(i), (double)sample->x,
                     (double)sample->y, (double)sample->speed);
        add_name(to, "clip", sample->clip);
        web_text_add(to, "}");
    }
    web_text_add(to, "]}");
}

static void add_tags(web_text *to, int32_t count, const char *const *tags) {
    web_text_add(to, ",\"tags\":[");
    for (int32_t i = 0; i < count; i++) {
        web_text_add(to, "%s", web_comma(i));
        web_text_add_string(to, tags[i]);
    }
    web_text_add(to, "]");
}

static void add_state(web_text *to, const sinew_graph *graph, int32_t index) {
    static const char *const kinds[] = {"empty", "clip", "blend", "machine"};
    static const char *const loops[] = {"once", "repeat", "pingPong"};
    const sinew_graph_state *state = &graph->states[index];
    web_text_add(to, "{\"kind\":\"%s\",\"loop\":\"%s\"", kinds[state->kind], loops[state->loop]);
    web_text_add(to, ",\"machine\":%d,\"submachine\":%d,\"layer\":%d,\"loopCount\":%d", (int)state->machine,
                 (int)state->submachine, (int)sinew_graph_state_layer(graph, index), (int)state->loop_count);
    add_name(to, "name", state->name);
    add_name(to, "clip", state->clip);
    add_key(to, "blend");
    if (state->blend) {
        add_blend(to, graph, state->blend);
    } else {
        web_text_add(to, "null");
    }
    add_number(to, "speed", (double)state->speed);
    add_parameter_name(to, "speedParameter", graph, state->speed_parameter);
    add_name(to, "sync", state->sync);
    add_tags(to, state->tag_count, state->tags);
    web_text_add(to, ",\"line\":%d}", (int)state->line);
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static void add_transition(web_text *to, const sinew_graph_transition *t) {
    static const char *const kinds[] = {"fade", "inertialize", "deadBlend"};
    static const char *const interrupts[] = {"always", "anyState", "never"};
    const sinew_transition *transition = &t->transition;
    const char *easing = transition->easing == SINEW_EASING_LINEAR       ? "linear"
                         : transition->easing == SINEW_EASING_SMOOTHSTEP ? "smoothstep"
                                                                         : "auto";
    web_text_add(to, "{\"machine\":%d,\"from\":%d,\"to\":%d", (int)t->machine, (int)t->from, (int)t->to);
    add_name(to, "when", t->when);
    web_text_add(to, ",\"kind\":\"%s\",\"easing\":\"%s\"", kinds[transition->kind], easing);
    web_text_add(to, ",\"matchRate\":%s,\"interrupt\":\"%s\",\"toSelf\":%s", web_truth(transition->match_rate),
                 interrupts[t->interrupt], web_truth(t->to_self));
    add_number(to, "duration", (double)transition->duration);
    add_number(to, "offset", (double)t->offset);
    web_text_add(to, ",\"line\":%d}", (int)t->line);
}

// ---- Rigs ----------------------------------------------------------------------------------------------------

static void add_steps(web_text *to, const sinew_graph *graph) {
    static const char *const kinds[] = {"rootWarp",      "aimOffset", "orientationWarp", "strideWarp", "footLock",
                                        "footPlacement", "limb",      "chain",           "body",       "aim",
                                        "springs",       "callback"};
    web_text_add(to, ",\"steps\":[");
    for (int32_t i = 0; i < graph->step_count; i++) {
        const sinew_rig_step *step = &graph->steps[i];
        web_text_add(to, "%s{\"kind\":\"%s\"", web_comma(i), kinds[step->kind]);
        add_name(to, "name", step->name);
        add_name(to, "when", step->when);
        add_number(to, "weight", (double)step->weight);
        add_parameter_name(to, "weightParameter", graph, step->weight_parameter);
        add_name(to, "weightCurve", step->weight_curve);
        add_number(to, "damping", (double)step->damping);
        add_number(to, "significance", (double)step->significance);
        web_text_add(to, ",\"line\":%d}", (int)step->line);
    }
    web_text_add(to, "]");
}

char *web_graph_describe(const sinew_graph *graph) {
    web_text to = {0};
    web_text_add(&to, "{");
    add_parameters(&to, graph);
    add_layers(&to, graph);
    web_text_add(&to, ",\"states\":[");
    for (int32_t i = 0; i < graph->state_count; i++) {
        web_text_add(&to, "%s", web_comma(i));
        add_state(&to, graph, i);
    }
    web_text_add(&to, "],\"transitions\":[");
    for (int32_t i = 0; i < graph->transition_count; i++) {
        web_text_add(&to, "%s", web_comma(i));
        add_transition(&to, &graph->transitions[i]);
    }
    web_text_add(&to, "]");
    add_steps(&to, graph);
    add_tags(&to, graph->tag_count, graph->tags);
    web_text_add(&to, ",\"memory\":%zu}", graph->memory);
    return web_text_end(&to);
}
