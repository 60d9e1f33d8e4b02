// SPDX-License-Identifier: MIT
// Runs through all combinations of values, but only of the variables that a run reads.
#include "graph/explorer.h"

enum { STEPS_OF_A_RUN = 16 }; // to start it

void graph_search_begin(graph_search *s, int64_t max_steps) {
    s->depth = s->length = 0;
    s->started = false;
    s->end = s->steps + max_steps;
    for (int i = 0; i < VARIABLE_COUNT; i++) s->chosen[i] = -1;
    s->overflow = false;
}

// Moves on to the next combination. The last choice that has another value gets it, and the choices after it start
// over.
static bool advance(graph_search *s) {
    s->length = s->depth;
    while (s->length > 0) {
        graph_choice *last = &s->trail[s->length - 1];
        if (++last->index < last->count) return true;
        s->length--;
    }
    return false;
}

bool graph_search_next(graph_search *s) {
    for (int32_t i = 0; s->started && i < s->depth; i++) {
        if (s->trail[i].variable < VARIABLE_COUNT) s->chosen[s->trail[i].variable] = -1;
    }
    if (s->started && !advance(s)) return false;
    if (s->steps >= s->end) {
        s->overflow = true;
        return false;
    }
    s->steps += STEPS_OF_A_RUN;
    s->started = true;
    s->depth = 0;
    return true;
}

int32_t graph_choose(graph_search *s, int32_t variable, int32_t count) {
    if (variable < VARIABLE_COUNT && s->chosen[variable] >= 0) return s->chosen[variable];
    if (s->depth == MAX_CHOICES) {
        s->overflow = true;
        return 0;
    }
    s->steps++;
    if (s->depth == s->length) s->trail[s->length++] = (graph_choice){variable, 0, count};
    const int32_t index = s->trail[s->depth++].index;
    if (variable < VARIABLE_COUNT) s->chosen[variable] = index;
    return index;
}
