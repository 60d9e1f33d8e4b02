// SPDX-License-Identifier: MIT
// Reads a graph's machines: their states, including blend spaces, and their transitions.
#include "motion/graph_read.h"

// ---- Blend spaces --------------------------------------------------------------------------------------------

static const char *const blend_words[] = {"line", "triangles", "directional", NULL};

enum { SAMPLE_CLIP, SAMPLE_X, SAMPLE_Y, SAMPLE_SPEED };
static const sinewi_graph_keys sample_keys = {"a sample", {"clip", "x", "y", "speed"}};

static bool read_sample(sinewi_graph_reader *r, sinewi_json_value value, sinew_graph_sample *sample) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    *sample = (sinew_graph_sample){.clip = NULL, .speed = 1.0f};
    return sinewi_graph_read_members(t, value, &sample_keys, &m) && sinewi_graph_require(t, &m, SAMPLE_CLIP) &&
           sinewi_graph_read_string(t, m.values[SAMPLE_CLIP], &sample->clip) &&
           sinewi_graph_read_float(t, m.values[SAMPLE_X], &sample->x) &&
           sinewi_graph_read_float(t, m.values[SAMPLE_Y], &sample->y) &&
           sinewi_graph_read_float(t, m.values[SAMPLE_SPEED], &sample->speed) &&
           (sample->speed != 0.0f ||
            sinewi_graph_fail(t, m.values[SAMPLE_SPEED],
                              "a sample's speed must not be 0, because its clip would stand still"));
}

static bool read_samples(sinewi_graph_reader *r, sinewi_json_value array, sinew_graph_blend *blend) {
    int32_t count;
    if (!sinewi_graph_check_array(&r->text, array, "an array of samples", &count)) return false;
    const bool is_directional = blend->kind == SINEW_BLEND_SPACE_DIRECTIONAL;
    const int32_t max = is_directional ? SINEW_MAX_BLEND_WEIGHTS : SINEW_MAX_BLEND_SAMPLES;
    if (count > max)
        return sinewi_graph_fail_limit(&r->text, array, "%d samples; this blend space can have at most %d",
                                       (int)count, (int)max);
    sinew_graph_sample *samples = sinewi_graph_scratch(&r->text, sinew_graph_sample, (size_t)count);
    if (!samples) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element))
        if (!read_sample(r, element, &samples[i])) return false;
    blend->sample_count = count;
    blend->samples = samples;
    return true;
}

enum { BLEND_KIND, BLEND_SAMPLES, BLEND_X, BLEND_Y, BLEND_DAMPING, BLEND_MATCH_SPEED };
static const sinewi_graph_keys blend_keys = {"a blend space",
                                             {"kind", "samples", "x", "y", "damping", "matchSpeed"}};

// true, false, or limits for the playback rate.
static bool read_match_speed(sinewi_graph_reader *r, sinewi_json_value value, sinew_graph_blend *blend) {
    sinewi_graph_text *t = &r->text;
    static const char expected[] = "true, false or [min, max], two playback rates around 1";
    if (!sinewi_graph_is(t, value, SINEWI_JSON_ARRAY)) {
        const bool is_bool = value == SINEWI_JSON_ABSENT || sinewi_graph_is(t, value, SINEWI_JSON_TRUE) ||
                             sinewi_graph_is(t, value, SINEWI_JSON_FALSE);
        if (!is_bool) return sinewi_graph_fail_type(t, value, expected);
        return sinewi_graph_read_bool(t, value, &blend->match_speed);
    }
    int32_t count;
    if (!sinewi_graph_check_array(t, value, expected, &count)) return false;
    if (count != 2) return sinewi_graph_fail_type(t, value, expected);
    const sinewi_json_value min = sinewi_graph_first(r, value), max = sinewi_graph_next(r, min);
    if (!sinewi_graph_read_float(t, min, &blend->min_rate) || !sinewi_graph_read_float(t, max, &blend->max_rate))
        return false;
    blend->match_speed = true;
    if (!(blend->min_rate > 0.0f && blend->min_rate <= 1.0f))
        return sinewi_graph_fail(t, min, "the lowest playback rate must be above 0 and at most 1, not %g",
                                 (double)blend->min_rate);
    if (!(blend->max_rate >= 1.0f))
        return sinewi_graph_fail(t, max, "the highest playback rate must be 1 or more, not %g",
                                 (double)blend->max_rate);
    return true;
}

static bool read_axes(sinewi_graph_reader *r, const sinewi_graph_members *m, sinew_graph_blend *blend) {
    if (!sinewi_graph_read_reference(r, m->values[BLEND_X], SINEWI_COORDINATES, "a float, int or vector2",
                                     &blend->x_parameter))
        return false;
    const bool is_vector = r->parameters[blend->x_parameter].type == SINEW_PARAMETER_VECTOR2;
    const bool needs_y = !is_vector && blend->kind != SINEW_BLEND_SPACE_LINE;
    if (needs_y && !sinewi_graph_require(&r->text, m, BLEND_Y)) return false;
    return sinewi_graph_allow(&r->text, m, BLEND_Y, needs_y,
                              is_vector ? "an x that is a float or int" : "triangles or directional") &&
           sinewi_graph_read_reference(r, m->values[BLEND_Y], SINEWI_NUMBERS, "a float or int",
                                       &blend->y_parameter);
}

static bool read_blend(sinewi_graph_reader *r, sinewi_json_value value, sinew_graph_state *state) {
    sinewi_graph_text *t = &r->text;
    sinew_graph_blend *blend = sinewi_graph_scratch(t, sinew_graph_blend, 1);
    sinewi_graph_members m;
    int kind = SINEW_BLEND_SPACE_LINE;
    if (!blend || !sinewi_graph_read_members(t, value, &blend_keys, &m) ||
        !sinewi_graph_require(t, &m, BLEND_SAMPLES) || !sinewi_graph_require(t, &m, BLEND_X) ||
        !sinewi_graph_read_word(t, m.values[BLEND_KIND], blend_words, &kind))
        return false;
    const sinew_blend_space_def defaults = sinew_blend_space_default();
    *blend = (sinew_graph_blend){.kind = (sinew_blend_space_kind)kind,
                                 .y_parameter = SINEW_GRAPH_NONE,
                                 .damping = defaults.damping,
                                 .min_rate = defaults.min_rate,
                                 .max_rate = defaults.max_rate};
    state->blend = blend;
    return read_axes(r, &m, blend) && read_samples(r, m.values[BLEND_SAMPLES], blend) &&
           sinewi_graph_read_seconds(t, m.values[BLEND_DAMPING], &blend->damping) &&
           read_match_speed(r, m.values[BLEND_MATCH_SPEED], blend);
}

// ---- States --------------------------------------------------------------------------------------------------

static const char *const loop_words[] = {"once", "repeat", "pingPong", NULL};

enum {
    STATE_CLIP = SINEWI_MACHINE_KEY_COUNT,
    STATE_LOOP,
    STATE_LOOP_COUNT,
    STATE_BLEND,
    STATE_SPEED,
    STATE_SPEED_PARAMETER,
    STATE_SYNC,
    STATE_TAGS
};
static const sinewi_graph_keys state_keys = {"a state",
                                             {"entry", "states", "transitions", "clip", "loop", "loopCount",
                                              "blend", "speed", "speedParameter", "sync", "tags"}};

// Finds what a state plays. It has at most one of `clip`, `blend` and `states`.
static bool find_state_kind(sinewi_graph_reader *r, const sinewi_graph_members *m, sinew_graph_state_kind *kind) {
    static const struct {
        int key;
        sinew_graph_state_kind kind;
    } contents[] = {{STATE_CLIP, SINEW_GRAPH_STATE_CLIP},
                    {STATE_BLEND, SINEW_GRAPH_STATE_BLEND_SPACE},
                    {SINEWI_MACHINE_STATES, SINEW_GRAPH_STATE_MACHINE}};
    *kind = SINEW_GRAPH_STATE_EMPTY;
    for (int i = 0; i < 3; i++) {
        sinewi_json_value value = m->values[contents[i].key];
        if (value == SINEWI_JSON_ABSENT) continue;
        if (*kind != SINEW_GRAPH_STATE_EMPTY)
            return sinewi_graph_fail(&r->text, value - 1,
                                     "a state can have only one of \"clip\", \"blend\" and \"states\"");
        *kind = contents[i].kind;
    }
    return true;
}

// Fails if a state has a key that its kind doesn't have.
static bool check_state_keys(sinewi_graph_reader *r, const sinewi_graph_members *m, sinew_graph_state_kind kind) {
    sinewi_graph_text *t = &r->text;
    const bool is_clip = kind == SINEW_GRAPH_STATE_CLIP, is_machine = kind == SINEW_GRAPH_STATE_MACHINE;
    const bool plays = is_clip || kind == SINEW_GRAPH_STATE_BLEND_SPACE;
    static const char clip[] = "a state with \"clip\"", play[] = "a state with \"clip\" or \"blend\"",
                      machine[] = "a state with \"states\"";
    return sinewi_graph_allow(t, m, STATE_LOOP, is_clip, clip) &&
           sinewi_graph_allow(t, m, STATE_LOOP_COUNT, is_clip, clip) &&
           sinewi_graph_allow(t, m, STATE_SPEED, plays, play) &&
           sinewi_graph_allow(t, m, STATE_SPEED_PARAMETER, plays, play) &&
           sinewi_graph_allow(t, m, STATE_SYNC, plays, play) &&
           sinewi_graph_allow(t, m, SINEWI_MACHINE_ENTRY, is_machine, machine) &&
           sinewi_graph_allow(t, m, SINEWI_MACHINE_TRANSITIONS, is_machine, machine);
}

static bool read_clip(sinewi_graph_reader *r, const sinewi_graph_members *m, sinew_graph_state *state) {
    sinewi_graph_text *t = &r->text;
    int loop = SINEW_LOOP_REPEAT;
    if (!sinewi_graph_read_string(t, m->values[STATE_CLIP], &state->clip) ||
        !sinewi_graph_read_word(t, m->values[STATE_LOOP], loop_words, &loop))
        return false;
    state->loop = (sinew_loop)loop;
    return sinewi_graph_allow(t, m, STATE_LOOP_COUNT, loop != SINEW_LOOP_ONCE, "\"repeat\" and \"pingPong\"") &&
           sinewi_graph_read_integer(t, m->values[STATE_LOOP_COUNT], 1, &state->loop_count);
}

// Reads what a state plays.
static bool read_content(sinewi_graph_reader *r, const sinewi_graph_members *m, sinew_graph_state *state) {
    switch (state->kind) {
    case SINEW_GRAPH_STATE_EMPTY:
        break;
    case SINEW_GRAPH_STATE_CLIP:
        return read_clip(r, m, state);
    case SINEW_GRAPH_STATE_BLEND_SPACE:
        return read_blend(r, m->values[STATE_BLEND], state);
    case SINEW_GRAPH_STATE_MACHINE:
        return sinewi_graph_add_machine(r, m, r->machine_texts[state->machine].depth + 1, &state->submachine);
    }
    return true;
}

static bool read_state(sinewi_graph_reader *r, const sinewi_graph_name *name, int32_t machine,
                       sinew_graph_state *state) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    *state = sinew_graph_state_default();
    state->name = name->name;
    state->machine = machine;
    state->line = sinewi_graph_line(t, name->key);
    return sinewi_graph_read_members(t, name->key + 1, &state_keys, &m) && find_state_kind(r, &m, &state->kind) &&
           check_state_keys(r, &m, state->kind) && read_content(r, &m, state) &&
           sinewi_graph_read_float(t, m.values[STATE_SPEED], &state->speed) &&
           sinewi_graph_read_reference(r, m.values[STATE_SPEED_PARAMETER], SINEWI_FLOATS, "a float",
                                       &state->speed_parameter) &&
           sinewi_graph_read_string(t, m.values[STATE_SYNC], &state->sync) &&
           sinewi_graph_read_strings(t, m.values[STATE_TAGS], &state->tag_count, &state->tags);
}

static bool read_states(sinewi_graph_reader *r, const sinewi_graph_names *names, int32_t machine) {
    const int32_t room = SINEW_MAX_GRAPH_STATES - r->def.state_count;
    if (names->count > room)
        return sinewi_graph_fail_limit(&r->text, names->in_order[room].key, "a graph can have at most %d states",
                                       SINEW_MAX_GRAPH_STATES);
    for (int32_t i = 0; i < names->count; i++) {
        r->state_keys[r->def.state_count] = names->in_order[i].key;
        if (!read_state(r, &names->in_order[i], machine, &r->states[r->def.state_count++])) return false;
    }
    return true;
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static const char *const kind_words[] = {"fade", "inertialize", "deadBlend", NULL};
static const char *const easing_words[] = {"linear", "smoothstep", "auto", NULL};
static const char *const interrupt_words[] = {"always", "anyState", "never", NULL};

enum {
    TRANSITION_FROM,
    TRANSITION_TO,
    TRANSITION_WHEN,
    TRANSITION_KIND,
    TRANSITION_DURATION,
    TRANSITION_EASING,
    TRANSITION_MATCH_RATE,
    TRANSITION_OFFSET,
    TRANSITION_INTERRUPT,
    TRANSITION_TO_SELF
};
static const sinewi_graph_keys transition_keys = {
    "a transition",
    {"from", "to", "when", "kind", "duration", "easing", "matchRate", "offset", "interrupt", "toSelf"}};

// The states of the machine whose transitions are being read: their names, and the index of the first.
typedef struct machine_states {
    sinewi_graph_names names;
    int32_t first;
} machine_states;

static bool find_state(sinewi_graph_reader *r, const machine_states *states, sinewi_json_value value,
                       int32_t *state) {
    int32_t position = 0;
    if (!sinewi_graph_find_name(&r->text, &states->names, value, &position)) return false;
    *state = states->first + position;
    return true;
}

// Reads how a transition moves from clip to clip.
static bool read_blending(sinewi_graph_reader *r, const sinewi_graph_members *m, sinew_transition *transition) {
    sinewi_graph_text *t = &r->text;
    static const sinew_easing easings[] = {SINEW_EASING_LINEAR, SINEW_EASING_SMOOTHSTEP, SINEW_EASING_AUTO};
    int kind = SINEW_TRANSITION_FADE, easing = 2;
    if (!sinewi_graph_read_word(t, m->values[TRANSITION_KIND], kind_words, &kind) ||
        !sinewi_graph_read_word(t, m->values[TRANSITION_EASING], easing_words, &easing))
        return false;
    transition->kind = (sinew_transition_kind)kind;
    transition->easing = easings[easing];
    return sinewi_graph_allow(t, m, TRANSITION_MATCH_RATE, kind == SINEW_TRANSITION_FADE, "a fade") &&
           sinewi_graph_read_seconds(t, m->values[TRANSITION_DURATION], &transition->duration) &&
           sinewi_graph_read_bool(t, m->values[TRANSITION_MATCH_RATE], &transition->match_rate);
}

// Adds a transition from each state in an array, from a single state, or from any.
static bool add_transitions(sinewi_graph_reader *r, const sinewi_graph_members *m, const machine_states *states,
                            sinew_graph_transition transition) {
    const sinewi_json_value from = m->values[TRANSITION_FROM];
    const bool is_array = sinewi_graph_is(&r->text, from, SINEWI_JSON_ARRAY);
    int32_t count = 1;
    if (is_array && !sinewi_graph_check_array(&r->text, from, "a state's name, an array of names or \"*\"", &count))
        return false;
    sinewi_json_value element = is_array ? sinewi_graph_first(r, from) : from;
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (r->def.transition_count == SINEW_MAX_GRAPH_TRANSITIONS)
            return sinewi_graph_fail_limit(&r->text, element, "a graph can have at most %d transitions",
                                           SINEW_MAX_GRAPH_TRANSITIONS);
        if (transition.from != SINEW_ANY_STATE && !find_state(r, states, element, &transition.from)) return false;
        r->transition_values[r->def.transition_count] = m->object;
        r->transitions[r->def.transition_count++] = transition;
    }
    return true;
}

static bool read_transition(sinewi_graph_reader *r, sinewi_json_value value, int32_t machine,
                            const machine_states *states) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    if (!sinewi_graph_read_members(t, value, &transition_keys, &m) ||
        !sinewi_graph_require(t, &m, TRANSITION_FROM) || !sinewi_graph_require(t, &m, TRANSITION_TO))
        return false;
    const sinewi_json_value from = m.values[TRANSITION_FROM];
    const bool is_any = sinewi_graph_is(t, from, SINEWI_JSON_STRING) && sinewi_json_equals(&t->json, from, "*");
    sinew_graph_transition transition = sinew_graph_transition_default();
    transition.machine = machine;
    transition.from = is_any ? SINEW_ANY_STATE : 0;
    transition.line = sinewi_graph_line(t, value);
    int interrupt = SINEW_GRAPH_INTERRUPT_ALWAYS;
    if (!find_state(r, states, m.values[TRANSITION_TO], &transition.to) ||
        !sinewi_graph_read_string(t, m.values[TRANSITION_WHEN], &transition.when) ||
        !read_blending(r, &m, &transition.transition) ||
        !sinewi_graph_read_unit(t, m.values[TRANSITION_OFFSET], &transition.offset) ||
        !sinewi_graph_read_word(t, m.values[TRANSITION_INTERRUPT], interrupt_words, &interrupt) ||
        !sinewi_graph_allow(t, &m, TRANSITION_TO_SELF, is_any, "a transition from \"*\"") ||
        !sinewi_graph_read_bool(t, m.values[TRANSITION_TO_SELF], &transition.to_self))
        return false;
    transition.interrupt = (sinew_graph_interrupt)interrupt;
    return add_transitions(r, &m, states, transition);
}

static bool read_transitions(sinewi_graph_reader *r, sinewi_json_value array, int32_t machine,
                             const machine_states *states) {
    if (array == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_is(&r->text, array, SINEWI_JSON_ARRAY))
        return sinewi_graph_fail_type(&r->text, array, "an array of transitions");
    for (sinewi_json_value e = sinewi_graph_first(r, array); e != SINEWI_JSON_ABSENT; e = sinewi_graph_next(r, e))
        if (!read_transition(r, e, machine, states)) return false;
    return true;
}

// ---- Machines ------------------------------------------------------------------------------------------------

bool sinewi_graph_add_machine(sinewi_graph_reader *r, const sinewi_graph_members *m, int32_t depth,
                              int32_t *machine) {
    if (depth > SINEW_MAX_GRAPH_DEPTH)
        return sinewi_graph_fail_limit(&r->text, m->values[SINEWI_MACHINE_STATES] - 1,
                                       "machines can be nested at most %d deep", SINEW_MAX_GRAPH_DEPTH);
    *machine = r->def.machine_count++;
    r->machine_texts[*machine] = (sinewi_machine_text){.owner = m->object,
                                                       .entry = m->values[SINEWI_MACHINE_ENTRY],
                                                       .states = m->values[SINEWI_MACHINE_STATES],
                                                       .transitions = m->values[SINEWI_MACHINE_TRANSITIONS],
                                                       .depth = depth};
    return true;
}

static bool read_machine(sinewi_graph_reader *r, int32_t machine) {
    const sinewi_machine_text text = r->machine_texts[machine];
    machine_states states = {.first = r->def.state_count};
    if (!sinewi_graph_read_names(&r->text, text.states, "state of this machine", &states.names)) return false;
    if (states.names.count == 0) return sinewi_graph_fail(&r->text, text.states, "expected at least one state");
    r->machines[machine].entry = states.first;
    return read_states(r, &states.names, machine) &&
           (text.entry == SINEWI_JSON_ABSENT || find_state(r, &states, text.entry, &r->machines[machine].entry)) &&
           read_transitions(r, text.transitions, machine, &states);
}

// The list grows while it's read.
bool sinewi_graph_read_machines(sinewi_graph_reader *r) {
    for (int32_t i = 0; i < r->def.machine_count; i++)
        if (!read_machine(r, i)) return false;
    return true;
}
