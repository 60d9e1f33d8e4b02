// SPDX-License-Identifier: MIT
// Checks a graph's definition, element by element, before anything is copied.
#include "motion/graph_condition.h"
#include "motion/graph_condition_token.h"
#include "motion/graph_create.h"
#include "motion/graph_step.h"
#include "motion/graph_data.h"
#include "base/def_cookie.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool has_text(const char *text) {
    return text && text[0] != '\0';
}

static bool is_name(const char *name) {
    return has_text(name) && !strchr(name, '/');
}

static bool is_in(int32_t index, int32_t count) {
    return index >= 0 && index < count;
}

static bool is_duration(float seconds) {
    return seconds >= 0.0f && isfinite(seconds);
}

// ---- Counts --------------------------------------------------------------------------------------------------

typedef struct graph_count {
    const char *name;
    int32_t count, least, most;
    const void *array;
} graph_count;

static bool check_graph_counts(const sinew_graph_def *def, sinewi_graph_problem *problem) {
    const int32_t least = def->step_count > 0 && def->layer_count == 0 ? 0 : 1; // a rig may stand alone
    const graph_count counts[] = {
        {"parameters", def->parameter_count, 0, SINEW_MAX_GRAPH_PARAMETERS, def->parameters},
        {"layers", def->layer_count, least, SINEW_MAX_GRAPH_LAYERS, def->layers},
        {"machines", def->machine_count, least, SINEW_MAX_GRAPH_STATES, def->machines},
        {"states", def->state_count, least, SINEW_MAX_GRAPH_STATES, def->states},
        {"transitions", def->transition_count, 0, SINEW_MAX_GRAPH_TRANSITIONS, def->transitions},
        {"sync markers", def->sync_name_count, 0, 64, def->sync_names},
        {"rig steps", def->step_count, 0, SINEW_MAX_RIG_STEPS, def->steps},
        {"feet", def->foot_count, 0, SINEW_MAX_FEET, def->feet},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const graph_count *c = &counts[i];
        if (c->count >= c->least && c->count <= c->most && (c->count == 0 || c->array)) continue;
        sinewi_graph_fault(problem, SINEWI_GRAPH_PART_WHOLE, 0, "%d %s%s; there must be %d to %d", (int)c->count,
                           c->name, c->array || c->count == 0 ? "" : ", but the array is NULL", (int)c->least,
                           (int)c->most);
        if (c->count > c->most) problem->result = SINEW_ERROR_LIMIT;
        return false;
    }
    for (int32_t i = 0; i < def->sync_name_count; i++) {
        if (!has_text(def->sync_names[i]))
            return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_WHOLE, 0, "sync marker %d has no name", (int)i);
        for (int32_t j = 0; j < i; j++) {
            if (strcmp(def->sync_names[j], def->sync_names[i]) != 0) continue;
            return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_WHOLE, 0, "two sync markers are named \"%s\"",
                                      def->sync_names[i]);
        }
    }
    return true;
}

// ---- Parameters ----------------------------------------------------------------------------------------------

// Whether conditions read the name as one word.
static bool is_identifier(const char *name) {
    if (!name) return false;
    const condition_token token = sinewi_condition_next_token(name);
    return token.kind == CONDITION_TOKEN_NAME && token.text == name && name[token.length] == '\0';
}

static bool check_parameter_name(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const char *name = def->parameters[i].name;
    if (!is_identifier(name)) {
        return sinewi_graph_fault(
            problem, SINEWI_GRAPH_PART_PARAMETER, i,
            "the name \"%s\" must be an identifier: letters, digits and _, not starting with a digit",
            name ? name : "");
    }
    if (sinewi_condition_is_word(name)) {
        return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_PARAMETER, i,
                                  "\"%s\" is a keyword in conditions; choose a different name", name);
    }
    for (int32_t j = 0; j < i; j++) {
        if (strcmp(def->parameters[j].name, name) != 0) continue;
        return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_PARAMETER, i, "two parameters are named \"%s\"", name);
    }
    return true;
}

// Whether a value fits the parameter's type and is in its range.
static bool is_value(const sinew_graph_parameter *parameter, double value) {
    switch (parameter->type) {
    case SINEW_PARAMETER_BOOL:
        return value == 0.0 || value == 1.0;
    case SINEW_PARAMETER_INT:
        if (!(value >= -2147483648.0 && value <= 2147483647.0) || value != floor(value)) return false;
        break;
    default:
        if (!(fabs(value) <= (double)FLT_MAX)) return false;
    }
    if (parameter->type == SINEW_PARAMETER_TRANSFORM) return true;
    return value >= parameter->min && value <= parameter->max;
}

static bool check_initial(const sinew_graph_parameter *p, int32_t i, sinewi_graph_problem *problem) {
    const sinewi_graph_part part = SINEWI_GRAPH_PART_PARAMETER;
    if (p->type == SINEW_PARAMETER_TRIGGER) return true;
    for (int32_t k = 0; k < sinewi_parameter_width(p->type); k++) {
        if (!is_value(p, p->initial[k]))
            return sinewi_graph_fault(problem, part, i, "the default %g is not a value in its range",
                                      p->initial[k]);
    }
    if (p->type != SINEW_PARAMETER_TRANSFORM) return true;
    const double length = sinewi_graph_rotation_length(&p->initial[SINEWI_TRANSFORM_ROTATION]);
    return sinewi_graph_is_rotation(length) ||
           sinewi_graph_fault(problem, part, i, "the default rotation's length is %g; it must be 1", length);
}

static bool check_space(const sinew_graph_parameter *p, int32_t i, sinewi_graph_problem *problem) {
    const sinewi_graph_part part = SINEWI_GRAPH_PART_PARAMETER;
    const bool has_space = p->type == SINEW_PARAMETER_VECTOR3 || p->type == SINEW_PARAMETER_TRANSFORM;
    if (p->space != SINEW_PARAMETER_SPACE_WORLD && p->space != SINEW_PARAMETER_SPACE_MODEL)
        return sinewi_graph_fault(problem, part, i, "unknown space %d", (int)p->space);
    return has_space || p->space == SINEW_PARAMETER_SPACE_WORLD ||
           sinewi_graph_fault(problem, part, i, "only vector3s and transforms can be in model space");
}

static bool check_parameter(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_graph_parameter *p = &def->parameters[i];
    const sinewi_graph_part part = SINEWI_GRAPH_PART_PARAMETER;
    if (p->cookie != SINEWI_DEF_COOKIE)
        return sinewi_graph_fault(problem, part, i, "start from sinew_graph_parameter_default()");
    if (!check_parameter_name(def, i, problem)) return false;
    if ((int)p->type < SINEW_PARAMETER_FLOAT || (int)p->type > SINEW_PARAMETER_TRANSFORM)
        return sinewi_graph_fault(problem, part, i, "unknown type %d", (int)p->type);
    bool is_logical = p->type == SINEW_PARAMETER_BOOL || p->type == SINEW_PARAMETER_TRIGGER;
    bool is_smooth = !is_logical && p->type != SINEW_PARAMETER_INT;
    bool has_range = !is_logical && p->type != SINEW_PARAMETER_TRANSFORM;
    if (has_range && !(p->min <= p->max))
        return sinewi_graph_fault(problem, part, i, "the range is %g to %g", p->min, p->max);
    if (!check_initial(p, i, problem) || !check_space(p, i, problem)) return false;
    if (!is_duration(p->damping) || (!is_smooth && p->damping != 0.0f))
        return sinewi_graph_fault(
            problem, part, i,
            "damping is %g s; it must be 0 or more, and only floats, vectors and transforms can have it",
            (double)p->damping);
    bool is_trigger = p->type == SINEW_PARAMETER_TRIGGER;
    if (!is_duration(p->hold) || (!is_trigger && p->hold != 0.0f))
        return sinewi_graph_fault(
            problem, part, i, "hold is %g s; it must be 0 or more, and only triggers can have it", (double)p->hold);
    return true;
}

static bool is_float(const sinew_graph_def *def, int32_t parameter) {
    return is_in(parameter, def->parameter_count) && def->parameters[parameter].type == SINEW_PARAMETER_FLOAT;
}

static bool is_number(const sinew_graph_def *def, int32_t parameter) {
    return is_float(def, parameter) ||
           (is_in(parameter, def->parameter_count) && def->parameters[parameter].type == SINEW_PARAMETER_INT);
}

// ---- Layers and machines -------------------------------------------------------------------------------------

// The base covers all nodes with weight 1.
static bool is_base_layer(const sinew_graph_layer *layer) {
    return layer->mode == SINEW_LAYER_OVERRIDE && layer->part_count == 0 && layer->weight == 1.0f &&
           layer->weight_parameter == SINEW_GRAPH_NONE && !layer->weight_curve;
}

static bool check_graph_layer(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_graph_layer *layer = &def->layers[i];
    const sinewi_graph_part part = SINEWI_GRAPH_PART_LAYER;
    if (layer->cookie != SINEWI_DEF_COOKIE)
        return sinewi_graph_fault(problem, part, i, "start from sinew_graph_layer_default()");
    if (!is_name(layer->name))
        return sinewi_graph_fault(problem, part, i, "a layer's name must not be empty or contain '/'");
    for (int32_t j = 0; j < i; j++) {
        if (strcmp(def->layers[j].name, layer->name) == 0)
            return sinewi_graph_fault(problem, part, i, "two layers are named \"%s\"", layer->name);
    }
    if (!is_in(layer->machine, def->machine_count))
        return sinewi_graph_fault(problem, part, i, "there is no machine %d", (int)layer->machine);
    if ((int)layer->mode < SINEW_LAYER_OVERRIDE || (int)layer->mode > SINEW_LAYER_ADDITIVE)
        return sinewi_graph_fault(problem, part, i, "unknown mode %d", (int)layer->mode);
    if (!(layer->weight >= 0.0f && layer->weight <= SINEW_MAX_WEIGHT))
        return sinewi_graph_fault(problem, part, i, "the weight is %g; it must be 0 or more",
                                  (double)layer->weight);
    if (layer->weight_parameter != SINEW_GRAPH_NONE && !is_float(def, layer->weight_parameter))
        return sinewi_graph_fault(problem, part, i, "the weight's parameter must be a float");
    if (layer->weight_curve && layer->weight_curve[0] == '\0')
        return sinewi_graph_fault(problem, part, i, "the name of the weight's curve is empty");
    if (layer->reference && layer->mode != SINEW_LAYER_ADDITIVE)
        return sinewi_graph_fault(problem, part, i, "only an additive layer can have a reference");
    if (i == 0 && !is_base_layer(layer))
        return sinewi_graph_fault(problem, part, i,
                                  "the first layer is the base; it must override all nodes with weight 1");
    return sinewi_graph_check_parts(layer->parts, layer->part_count, SINEWI_GRAPH_PART_LAYER, i, problem);
}

static bool check_machine(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    int32_t entry = def->machines[i].entry, uses = 0;
    if (!is_in(entry, def->state_count) || def->states[entry].machine != i)
        return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_MACHINE, i,
                                  "its entry, state %d, isn't one of its states", (int)entry);
    for (int32_t k = 0; k < def->layer_count; k++) uses += def->layers[k].machine == i;
    for (int32_t k = 0; k < def->state_count; k++)
        uses += def->states[k].kind == SINEW_GRAPH_STATE_MACHINE && def->states[k].submachine == i;
    if (uses == 1) return true;
    return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_MACHINE, i,
                              "%d layers and states use it; exactly one must", (int)uses);
}

// The state that contains a machine, or NONE for a layer's machine. Exactly one state or layer names
// it (check_machine).
static int32_t owner_of(const sinew_graph_def *def, int32_t machine) {
    for (int32_t k = 0; k < def->state_count; k++) {
        if (def->states[k].kind == SINEW_GRAPH_STATE_MACHINE && def->states[k].submachine == machine) return k;
    }
    return SINEW_GRAPH_NONE;
}

static bool check_depth(const sinew_graph_def *def, int32_t machine, sinewi_graph_problem *problem) {
    int32_t depth = 1;
    for (int32_t state = owner_of(def, machine); state != SINEW_GRAPH_NONE; depth++) {
        if (depth == SINEW_MAX_GRAPH_DEPTH) {
            sinewi_graph_fault(problem, SINEWI_GRAPH_PART_STATE, owner_of(def, machine),
                               "machines are nested more than %d deep, or one contains itself",
                               SINEW_MAX_GRAPH_DEPTH);
            problem->result = SINEW_ERROR_LIMIT;
            return false;
        }
        state = owner_of(def, def->states[state].machine);
    }
    return true;
}

// ---- States --------------------------------------------------------------------------------------------------

static bool check_graph_blend(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_graph_blend *blend = def->states[i].blend;
    const sinewi_graph_part part = SINEWI_GRAPH_PART_STATE;
    if (!blend) return sinewi_graph_fault(problem, part, i, "no blend space");
    if ((int)blend->kind < SINEW_BLEND_SPACE_LINE || (int)blend->kind > SINEW_BLEND_SPACE_DIRECTIONAL)
        return sinewi_graph_fault(problem, part, i, "unknown blend space kind %d", (int)blend->kind);
    if (blend->sample_count < 1 || blend->sample_count > SINEW_MAX_BLEND_SAMPLES || !blend->samples)
        return sinewi_graph_fault(problem, part, i, "%d samples; there must be 1 to %d", (int)blend->sample_count,
                                  SINEW_MAX_BLEND_SAMPLES);
    for (int32_t k = 0; k < blend->sample_count; k++) {
        const sinew_graph_sample *sample = &blend->samples[k];
        if (!has_text(sample->clip)) return sinewi_graph_fault(problem, part, i, "sample %d has no clip", (int)k);
        if (!isfinite(sample->x) || !isfinite(sample->y) || !isfinite(sample->speed))
            return sinewi_graph_fault(problem, part, i, "x, y or speed of sample \"%s\" is not finite",
                                      sample->clip);
        if (sample->speed == 0.0f)
            return sinewi_graph_fault(problem, part, i, "the speed of sample \"%s\" must not be 0; it is usually 1",
                                      sample->clip);
    }
    if (!is_duration(blend->damping))
        return sinewi_graph_fault(problem, part, i, "damping is %g s; it must be 0 or more",
                                  (double)blend->damping);
    if (blend->match_speed && !(blend->min_rate > 0.0f && blend->min_rate <= 1.0f))
        return sinewi_graph_fault(problem, part, i,
                                  "min_rate is %g; with match_speed it must be above 0 and at most 1",
                                  (double)blend->min_rate);
    if (blend->match_speed && !(blend->max_rate >= 1.0f && isfinite(blend->max_rate)))
        return sinewi_graph_fault(problem, part, i, "max_rate is %g; with match_speed it must be 1 or more",
                                  (double)blend->max_rate);
    bool is_vector = is_in(blend->x_parameter, def->parameter_count) &&
                     def->parameters[blend->x_parameter].type == SINEW_PARAMETER_VECTOR2;
    if (!is_vector && !is_number(def, blend->x_parameter))
        return sinewi_graph_fault(problem, part, i, "the blend space's x must be a float, int or vector2");
    bool needs_y = !is_vector && blend->kind != SINEW_BLEND_SPACE_LINE;
    if (needs_y && !is_number(def, blend->y_parameter))
        return sinewi_graph_fault(problem, part, i, "the blend space's y must be a float or int");
    if (!needs_y && blend->y_parameter != SINEW_GRAPH_NONE)
        return sinewi_graph_fault(problem, part, i,
                                  "the blend space cannot have a y, because it is a line or its x is a vector2");
    return true;
}

static bool check_clip_state(const sinew_graph_state *state, int32_t i, sinewi_graph_problem *problem) {
    const sinewi_graph_part part = SINEWI_GRAPH_PART_STATE;
    if (!has_text(state->clip)) return sinewi_graph_fault(problem, part, i, "no clip");
    if ((int)state->loop < SINEW_LOOP_ONCE || (int)state->loop > SINEW_LOOP_PING_PONG)
        return sinewi_graph_fault(problem, part, i, "unknown loop %d", (int)state->loop);
    if (state->loop != SINEW_LOOP_ONCE && state->loop_count < 1 && state->loop_count != SINEW_FOREVER)
        return sinewi_graph_fault(problem, part, i, "the loop count is %d; it must be 1 or more, or SINEW_FOREVER",
                                  (int)state->loop_count);
    return true;
}

static bool check_state_name(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_graph_state *state = &def->states[i];
    const sinewi_graph_part part = SINEWI_GRAPH_PART_STATE;
    if (!is_name(state->name) || strcmp(state->name, "*") == 0)
        return sinewi_graph_fault(problem, part, i, "a state's name must not be empty or \"*\", or contain '/'");
    if (!is_in(state->machine, def->machine_count))
        return sinewi_graph_fault(problem, part, i, "there is no machine %d", (int)state->machine);
    for (int32_t j = 0; j < i; j++) {
        if (def->states[j].machine == state->machine && strcmp(def->states[j].name, state->name) == 0)
            return sinewi_graph_fault(problem, part, i, "two states in the same machine are named \"%s\"",
                                      state->name);
    }
    if (state->tag_count < 0 || (state->tag_count > 0 && !state->tags))
        return sinewi_graph_fault(problem, part, i, "%d tags%s", (int)state->tag_count,
                                  state->tags ? "" : ", but the array is NULL");
    for (int32_t k = 0; k < state->tag_count; k++) {
        if (!has_text(state->tags[k])) return sinewi_graph_fault(problem, part, i, "tag %d is empty", (int)k);
    }
    return true;
}

static bool check_state_kind(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_graph_state *state = &def->states[i];
    switch (state->kind) {
    case SINEW_GRAPH_STATE_EMPTY:
        return true;
    case SINEW_GRAPH_STATE_CLIP:
        return check_clip_state(state, i, problem);
    case SINEW_GRAPH_STATE_BLEND_SPACE:
        return check_graph_blend(def, i, problem);
    case SINEW_GRAPH_STATE_MACHINE:
        if (is_in(state->submachine, def->machine_count)) return true;
        return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_STATE, i, "there is no machine %d",
                                  (int)state->submachine);
    }
    return sinewi_graph_fault(problem, SINEWI_GRAPH_PART_STATE, i, "unknown state kind %d", (int)state->kind);
}

static bool check_graph_state(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_graph_state *state = &def->states[i];
    const sinewi_graph_part part = SINEWI_GRAPH_PART_STATE;
    if (state->cookie != SINEWI_DEF_COOKIE)
        return sinewi_graph_fault(problem, part, i, "start from sinew_graph_state_default()");
    if (!check_state_name(def, i, problem) || !check_state_kind(def, i, problem)) return false;
    bool plays = state->kind == SINEW_GRAPH_STATE_CLIP || state->kind == SINEW_GRAPH_STATE_BLEND_SPACE;
    if (!plays) return true;
    if (!isfinite(state->speed)) return sinewi_graph_fault(problem, part, i, "the speed must be finite");
    if (state->speed_parameter != SINEW_GRAPH_NONE && !is_float(def, state->speed_parameter))
        return sinewi_graph_fault(problem, part, i, "the speed's parameter must be a float");
    if (state->sync && !has_text(state->sync))
        return sinewi_graph_fault(problem, part, i, "the sync group has no name");
    return true;
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static bool check_graph_transition(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_graph_transition *t = &def->transitions[i];
    const sinew_transition *kind = &t->transition;
    const sinewi_graph_part part = SINEWI_GRAPH_PART_TRANSITION;
    if (t->cookie != SINEWI_DEF_COOKIE)
        return sinewi_graph_fault(problem, part, i, "start from sinew_graph_transition_default()");
    if (!is_in(t->machine, def->machine_count))
        return sinewi_graph_fault(problem, part, i, "there is no machine %d", (int)t->machine);
    bool from_exists = t->from == SINEW_ANY_STATE ||
                       (is_in(t->from, def->state_count) && def->states[t->from].machine == t->machine);
    if (!from_exists)
        return sinewi_graph_fault(problem, part, i, "from, state %d, isn't in its machine", (int)t->from);
    if (!is_in(t->to, def->state_count) || def->states[t->to].machine != t->machine)
        return sinewi_graph_fault(problem, part, i, "to, state %d, isn't in its machine", (int)t->to);
    if (kind->cookie != SINEWI_DEF_COOKIE)
        return sinewi_graph_fault(problem, part, i, "sinew_transition: start from sinew_transition_default()");
    if ((int)kind->kind < SINEW_TRANSITION_FADE || (int)kind->kind > SINEW_TRANSITION_DEAD_BLEND)
        return sinewi_graph_fault(problem, part, i, "unknown transition kind %d", (int)kind->kind);
    if ((int)kind->easing < SINEW_EASING_LINEAR || (int)kind->easing > SINEW_EASING_AUTO)
        return sinewi_graph_fault(problem, part, i, "unknown easing %d", (int)kind->easing);
    if (!is_duration(kind->duration))
        return sinewi_graph_fault(problem, part, i, "the duration is %g s; it must be 0 or more",
                                  (double)kind->duration);
    if (!(t->offset >= 0.0f && t->offset <= 1.0f))
        return sinewi_graph_fault(problem, part, i, "the offset is %g; it must be 0 to 1", (double)t->offset);
    if ((int)t->interrupt < SINEW_GRAPH_INTERRUPT_ALWAYS || (int)t->interrupt > SINEW_GRAPH_INTERRUPT_NEVER)
        return sinewi_graph_fault(problem, part, i, "unknown interrupt %d", (int)t->interrupt);
    return true;
}

// ---- The whole -----------------------------------------------------------------------------------------------

bool sinewi_graph_check_def(const sinew_graph_def *def, sinewi_graph_problem *problem) {
    if (!check_graph_counts(def, problem)) return false;
    for (int32_t i = 0; i < def->parameter_count; i++) {
        if (!check_parameter(def, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->layer_count; i++) {
        if (!check_graph_layer(def, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->state_count; i++) {
        if (!check_graph_state(def, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->machine_count; i++) {
        if (!check_machine(def, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->machine_count; i++) {
        if (!check_depth(def, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->transition_count; i++) {
        if (!check_graph_transition(def, i, problem)) return false;
    }
    return sinewi_graph_check_steps(def, problem);
}
