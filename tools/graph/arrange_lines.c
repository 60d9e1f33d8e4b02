// SPDX-License-Identifier: MIT
// Writes the text of states' boxes and transitions' labels.
#include "graph/arrange.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WRAP = 44 };

void graph_add_line(graph_lines *box, const char *format, ...) {
    if (box->count == GRAPH_MAX_LINES) return;
    char *line = box->lines[box->count++];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, GRAPH_LINE_SIZE, format, arguments);
    va_end(arguments);
    if (length < GRAPH_LINE_SIZE) return;
    size_t end = GRAPH_LINE_SIZE - 4;
    while (end > 0 && ((unsigned char)line[end] & 0xc0) == 0x80) end--;
    memcpy(line + end, "...", 4);
}

void graph_clean_lines(graph_lines *box) {
    for (int32_t i = 0; i < box->count; i++) {
        for (char *c = box->lines[i]; *c; c++) {
            if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
        }
    }
}

// Returns where a condition's line ends: before && or ||, or at a space.
static size_t line_end(const char *text) {
    size_t length = strlen(text), end = 0;
    if (length <= WRAP) return length;
    for (size_t i = 1; i < WRAP; i++) {
        const bool joins = (text[i] == '&' && text[i + 1] == '&') || (text[i] == '|' && text[i + 1] == '|');
        if (joins) end = i;
    }
    for (size_t i = WRAP; end == 0 && i > 0; i--) {
        if (text[i] == ' ') end = i;
    }
    return end > 0 ? end : GRAPH_LINE_SIZE - 8;
}

static void add_condition(graph_lines *box, const char *when) {
    while (when && *when && box->count < GRAPH_MAX_LINES - 1) {
        const size_t end = line_end(when);
        const size_t length = end < strlen(when) ? end : strlen(when);
        graph_add_line(box, "%.*s", (int)length, when);
        when += length;
        while (*when == ' ') when++;
    }
    if (when && *when) graph_add_line(box, "...");
}

graph_lines graph_transition_lines(const sinew_graph *graph, int32_t index, int32_t priority) {
    static const char *const kinds[] = {"fade", "inertialize", "dead blend"};
    static const char *const interrupts[] = {"", ", any state interrupts", ", not interrupted"};
    const sinew_graph_transition *t = &graph->transitions[index];
    graph_lines box = {0};
    if (t->when) {
        add_condition(&box, t->when);
    } else {
        graph_add_line(&box, "always");
    }
    char first[16] = "", offset[32] = "";
    if (priority > 0) snprintf(first, sizeof first, "%d: ", (int)priority);
    if (t->offset > 0.0f) snprintf(offset, sizeof offset, ", from %.4g", (double)t->offset);
    const bool cuts = !(t->transition.duration > 0.0f);
    if (cuts) {
        graph_add_line(&box, "%scut%s%s%s", first, offset, interrupts[t->interrupt],
                       t->to_self ? ", to itself" : "");
    } else {
        graph_add_line(&box, "%s%s %.4g s%s%s%s", first, kinds[t->transition.kind], (double)t->transition.duration,
                       offset, interrupts[t->interrupt], t->to_self ? ", to itself" : "");
    }
    graph_clean_lines(&box);
    return box;
}

static void add_blend(graph_lines *box, const sinew_graph *graph, const sinew_graph_blend *blend) {
    const char *y = blend->y_parameter == SINEW_GRAPH_NONE ? NULL : graph->parameters[blend->y_parameter].name;
    graph_add_line(box, "%d clips by %s%s%s", (int)blend->sample_count, graph->parameters[blend->x_parameter].name,
                   y ? ", " : "", y ? y : "");
    char names[GRAPH_LINE_SIZE] = "";
    size_t length = 0;
    for (int32_t i = 0; i < blend->sample_count && length < 40; i++) {
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%.40s", i ? ", " : "",
                                   blend->samples[i].clip);
        if (length >= sizeof names) length = sizeof names - 1;
        if (length >= 40 && i + 1 < blend->sample_count) snprintf(names + length, sizeof names - length, ", ...");
    }
    graph_add_line(box, "%s", names);
}

graph_lines graph_state_lines(const sinew_graph *graph, int32_t index) {
    static const char *const loops[] = {", once", "", ", ping-pong"};
    graph_lines box = {0};
    if (index == GRAPH_ANY_STATE) {
        graph_add_line(&box, "any state");
        return box;
    }
    const sinew_graph_state *state = &graph->states[index];
    graph_add_line(&box, "%s", state->name);
    if (state->kind == SINEW_GRAPH_STATE_EMPTY) graph_add_line(&box, "empty");
    if (state->clip) graph_add_line(&box, "%s%s", state->clip, loops[state->loop]);
    if (state->blend) add_blend(&box, graph, state->blend);
    const bool has_speed = state->speed < 1.0f || state->speed > 1.0f;
    const bool plays = state->clip || state->blend;
    if (plays && state->speed_parameter != SINEW_GRAPH_NONE)
        graph_add_line(&box, "speed %.4g x %s", (double)state->speed,
                       graph->parameters[state->speed_parameter].name);
    else if (plays && has_speed)
        graph_add_line(&box, "speed %.4g", (double)state->speed);
    if (state->sync) graph_add_line(&box, "sync %s", state->sync);
    char tags[GRAPH_LINE_SIZE] = "";
    size_t length = 0;
    for (int32_t i = 0; i < state->tag_count && length + 4 < sizeof tags; i++)
        length += (size_t)snprintf(tags + length, sizeof tags - length, "%s#%.40s", i ? " " : "", state->tags[i]);
    if (state->tag_count > 0) graph_add_line(&box, "%s", tags);
    graph_clean_lines(&box);
    return box;
}
