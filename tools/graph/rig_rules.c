// SPDX-License-Identifier: MIT
// The rules about single steps of a rig.
#include "graph/rig.h"

#include <math.h>
#include <string.h>

// ---- The weight ----------------------------------------------------------------------------------------------------

static bool animates(const graph_model *m, const char *name, int32_t curve) {
    const sinew_clip *clip = graph_find_clip(m, name);
    for (int32_t i = 0; clip && i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->target == SINEW_TARGET_CURVE && channel->node == curve) return true;
    }
    return !clip; // a missing clip is a fault of its own
}

// Returns whether a curve can be above 0: without clips, or because a clip that the graph plays has it. Also true
// without a character, or if the file lacks the curve, because that's a different fault.
static bool can_curve_rise(const graph_model *m, const char *name) {
    const int32_t curve = graph_find_name(&m->curve_names, name);
    if (curve == SINEW_GRAPH_NONE || m->graph->layer_count == 0) return true;
    if (m->clips->skeleton->rest_curves[curve] > 0) return true;
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        const sinew_graph_state *state = &m->graph->states[i];
        if (state->kind == SINEW_GRAPH_STATE_CLIP && animates(m, state->clip, curve)) return true;
        const int32_t samples = state->kind == SINEW_GRAPH_STATE_BLEND_SPACE ? state->blend->sample_count : 0;
        for (int32_t k = 0; k < samples; k++) {
            if (animates(m, state->blend->samples[k].clip, curve)) return true;
        }
    }
    return false;
}

// Fills in why a step is always off. Returns false if it can be on.
static bool find_why_never(graph_model *m, int32_t index, const graph_step_cases *cases, graph_finding *finding) {
    const sinew_rig_step *step = &m->graph->steps[index];
    finding->advice = "Give it another weight, or remove the step.";
    if (!(step->weight > 0)) {
        finding->message = "The weight is 0.";
    } else if (!graph_weight_can_rise(m->graph, index)) {
        const sinew_graph_parameter *parameter = &m->graph->parameters[step->weight_parameter];
        finding->message = graph_text(m, "The range of '%.200s', which multiplies the weight, ends at %.9g.",
                                      parameter->name, parameter->max);
        finding->advice = "End the parameter's range above 0, such as at 1.";
    } else if (cases->is_known && !cases->both) {
        finding->message = "The condition is false for all values.";
        finding->advice = "Check it against the parameter ranges and the states, or remove the step.";
    } else if (step->weight_curve && !can_curve_rise(m, step->weight_curve)) {
        finding->message = graph_text(
            m, "No clip in the graph has the curve '%.200s', which multiplies the weight.", step->weight_curve);
        finding->advice = "Add the curve to a clip, or leave out \"weightCurve\".";
    } else {
        return false;
    }
    return true;
}

static void check_weight(graph_model *m, int32_t index) {
    const graph_step_cases cases = graph_compare_steps(m, index, index);
    graph_finding finding = graph_about_step(m, GRAPH_STEP_NEVER, index);
    if (find_why_never(m, index, &cases, &finding)) {
        graph_add(m, &finding);
        return;
    }
    if (!cases.is_known || cases.neither || !m->graph->steps[index].when) return;
    finding = graph_about_step(m, GRAPH_CONDITION_ALWAYS_TRUE, index);
    finding.message = "The condition is true for all values.";
    finding.advice = "Remove \"when\" if that's intended. Otherwise, fix the condition.";
    graph_add(m, &finding);
}

// ---- Goals ---------------------------------------------------------------------------------------------------------

static bool is_zero(sinew_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool is_at_origin(const graph_model *m, const sinew_rig_goal *goal) {
    if (goal->parameter == SINEW_GRAPH_NONE || !is_zero(goal->offset)) return false;
    const double *initial = m->graph->parameters[goal->parameter].initial;
    return initial[0] == 0 && initial[1] == 0 && initial[2] == 0;
}

// Returns a step's first goal that's at the origin before the program sets it, or NULL.
static const sinew_rig_goal *find_goal_at_origin(const graph_model *m, const sinew_rig_step *step) {
    const int32_t effectors = step->kind == SINEW_RIG_BODY ? step->body.effector_count : 0;
    for (int32_t i = 0; i < effectors; i++) {
        const sinew_rig_effector *effector = &step->body.effectors[i];
        if (!effector->pin && is_at_origin(m, &effector->goal)) return &effector->goal;
    }
    return is_at_origin(m, &step->goal) ? &step->goal : NULL;
}

// Returns whether the base starts with a root warp's clip.
static bool starts_with(const graph_model *m, const char *clip) {
    if (m->graph->layer_count == 0) return false;
    const int32_t entry = graph_entry_leaf(m, m->graph->machines[m->graph->layers[0].machine].entry);
    const sinew_graph_state *state = &m->graph->states[entry];
    return state->kind == SINEW_GRAPH_STATE_CLIP && strcmp(state->clip, clip) == 0;
}

static void check_goal(graph_model *m, int32_t index) {
    const sinew_rig_step *step = &m->graph->steps[index];
    const sinew_rig_goal *goal = find_goal_at_origin(m, step);
    if (!goal || !graph_step_starts_on(m, index)) return;
    if (step->kind == SINEW_RIG_ROOT_WARP && !starts_with(m, step->root_warp.clip)) return;
    const sinew_graph_parameter *parameter = &m->graph->parameters[goal->parameter];
    const char *where =
        parameter->space == SINEW_PARAMETER_SPACE_MODEL ? "between the character's feet" : "at the world's origin";
    graph_finding finding = graph_about_step(m, GRAPH_GOAL_AT_ORIGIN, index);
    finding.message = graph_text(m, "The step is on from the start, but '%.200s' is %s until your program sets it.",
                                 parameter->name, where);
    finding.advice = "Give the parameter a default, or the step a condition that's false until then.";
    graph_add(m, &finding);
}

// ---- Limits and ranges ---------------------------------------------------------------------------------------------

#define NO_LIMIT 3.14f // see sinew_ik_aim

static void check_aim(graph_model *m, int32_t index) {
    const sinew_rig_step *step = &m->graph->steps[index];
    if (step->kind != SINEW_RIG_AIM || step->aim.limit < NO_LIMIT) return;
    graph_finding finding = graph_about_step(m, GRAPH_AIM_UNLIMITED, index);
    finding.message =
        graph_text(m, "The aim turns '%.200s' by up to 150 degrees, so it can look backward.", step->nodes[0]);
    finding.advice = "Set \"limit\" in radians, such as 1.2 for a head.";
    graph_add(m, &finding);
}

// Limits for a warp's input.
typedef struct limits {
    double min, max;        // what the warp applies
    double lowest, highest; // a range beyond these is a mistake
    double still;           // the input that has no effect
} limits;

static limits limits_of(const sinew_rig_step *step) {
    static const double turn = 6.2831854; // a whole turn; more may be degrees
    if (step->kind == SINEW_RIG_ORIENTATION_WARP) {
        const double limit = (double)step->orientation_warp.limit;
        return (limits){-limit, limit, -turn, turn, 0};
    }
    const double min = (double)step->stride_warp.min_scale, max = (double)step->stride_warp.max_scale;
    return (limits){min, max, 0, 2 * max, 1};
}

// Fills in what's wrong with an input. Returns false if nothing is.
static bool find_input_fault(graph_model *m, const sinew_graph_parameter *p, const limits *l,
                             graph_finding *finding) {
    finding->advice = graph_text(m, "Give it \"range\": [%.3g, %.3g].", l->min, l->max);
    if (isinf(p->min) || isinf(p->max)) {
        finding->message = graph_text(m, "'%.200s' has no range, but the warp is limited to %.3g to %.3g.", p->name,
                                      l->min, l->max);
    } else if (p->min < l->lowest || p->max > l->highest || p->min > l->max || p->max < l->min) {
        finding->message =
            graph_text(m, "The range of '%.200s' is %.4g to %.4g, but the warp is limited to %.3g to %.3g.",
                       p->name, p->min, p->max, l->min, l->max);
    } else if (p->initial[0] < l->min || p->initial[0] > l->max) {
        finding->message = graph_text(m, "'%.200s' starts at %.3g, but the warp is limited to %.3g to %.3g.",
                                      p->name, p->initial[0], l->min, l->max);
        finding->advice = graph_text(m, "Give it \"default\": %.3g, which changes nothing.", l->still);
    } else {
        return false;
    }
    return true;
}

static void check_input(graph_model *m, int32_t index) {
    const sinew_rig_step *step = &m->graph->steps[index];
    if (step->kind != SINEW_RIG_ORIENTATION_WARP && step->kind != SINEW_RIG_STRIDE_WARP) return;
    const limits l = limits_of(step);
    graph_finding finding = graph_about_step(m, GRAPH_INPUT_RANGE, index);
    if (find_input_fault(m, &m->graph->parameters[step->input], &l, &finding)) graph_add(m, &finding);
}

// ---- Root warps ----------------------------------------------------------------------------------------------------

static bool is_in_blend_space(const sinew_graph_state *state, const char *clip) {
    const int32_t count = state->kind == SINEW_GRAPH_STATE_BLEND_SPACE ? state->blend->sample_count : 0;
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(state->blend->samples[i].clip, clip) == 0) return true;
    }
    return false;
}

static void check_root_warp(graph_model *m, int32_t index) {
    const sinew_rig_step *step = &m->graph->steps[index];
    bool is_blended = false;
    if (step->kind != SINEW_RIG_ROOT_WARP || m->graph->layer_count == 0) return;
    for (int32_t i = 0; i < m->graph->state_count; i++) {
        const sinew_graph_state *state = &m->graph->states[i];
        if (m->layers[i] != 0 || !m->entered[i]) continue;
        if (state->kind == SINEW_GRAPH_STATE_CLIP && strcmp(state->clip, step->root_warp.clip) == 0) return;
        is_blended = is_blended || is_in_blend_space(state, step->root_warp.clip);
    }
    graph_finding finding = graph_about_step(m, GRAPH_WARP_UNPLAYED, index);
    finding.message =
        graph_text(m,
                   is_blended ? "The base only plays '%.200s' in a blend space, which a root warp ignores."
                              : "No state of the base plays '%.200s'.",
                   step->root_warp.clip);
    finding.advice = "Play the clip in a state of the base, or name one that it plays.";
    graph_add(m, &finding);
}

// ---- All of them ---------------------------------------------------------------------------------------------------

static bool read_rig(graph_model *m) {
    m->rig = graph_array(m, graph_rig, 1);
    if (!m->rig) return false;
    m->rig->steps = graph_array(m, graph_step_nodes, m->graph->step_count);
    if (!m->rig->steps || !graph_read_step_cases(m)) return false;
    graph_read_step_nodes(m);
    return !m->out_of_memory;
}

void graph_check_rig(graph_model *m) {
    if (m->graph->step_count == 0 || !read_rig(m)) return;
    for (int32_t i = 0; i < m->graph->step_count; i++) {
        check_weight(m, i);
        check_goal(m, i);
        check_aim(m, i);
        check_input(m, i);
        check_root_warp(m, i);
    }
    graph_check_step_pairs(m);
    if (m->clips && !m->out_of_memory) graph_check_created_rig(m);
}
