// SPDX-License-Identifier: MIT
// Creates a rig from the steps, to find those that the library refuses and clips that never plant a foot.
#include "graph/rig.h"

#include <stdio.h>
#include <string.h>

// A rig with its graph and binding.
typedef struct trial {
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_rig *rig;
} trial;

static void end_trial(trial *t) {
    sinew_rig_destroy(t->rig);
    sinew_graph_binding_destroy(t->binding);
    sinew_graph_destroy(t->graph);
}

// Makes a graph from some of the steps. Without the layers, contacts come from all clips.
static sinew_result make_graph(const graph_model *m, const sinew_rig_step *steps, int32_t count, bool has_layers,
                               trial *t, sinew_error *error) {
    const sinew_graph *from = m->graph;
    sinew_graph_def def = sinew_graph_default();
    def.parameter_count = from->parameter_count;
    def.parameters = from->parameters;
    def.steps = steps;
    def.step_count = count;
    def.feet = from->feet;
    def.foot_count = from->foot_count;
    def.sync_names = from->sync_names;
    def.sync_name_count = from->sync_name_count;
    if (has_layers) {
        def.layer_count = from->layer_count;
        def.layers = from->layers;
        def.machine_count = from->machine_count;
        def.machines = from->machines;
        def.state_count = from->state_count;
        def.states = from->states;
    }
    return sinew_graph_create(&def, &t->graph, error);
}

static sinew_result make_trial(const graph_model *m, const sinew_rig_step *steps, int32_t count, bool has_layers,
                               trial *t, sinew_error *error) {
    *t = (trial){.graph = NULL};
    sinew_result result = make_graph(m, steps, count, has_layers, t, error);
    if (result != SINEW_OK) return result;
    sinew_graph_binding_def def = *m->clips;
    def.graph = t->graph;
    def.humanoid = &m->humanoid;
    result = sinew_graph_bind(&def, &t->binding, error);
    if (result != SINEW_OK) return result;
    sinew_rig_def rig = sinew_rig_default();
    rig.binding = t->binding;
    return sinew_rig_create(&rig, &t->rig, error);
}

// ---- Refused steps -------------------------------------------------------------------------------------------------

static const char *advice_for(const graph_model *m, const sinew_rig_step *step) {
    switch (step->kind) {
    case SINEW_RIG_ROOT_WARP:
        return step->root_warp.window ? "Add the markers to the clip, or set \"start\" and \"end\" in seconds."
                                      : "End the window before the clip ends.";
    case SINEW_RIG_LIMB:
        return "Name an end with two nodes above it, or all three in \"nodes\", from the top down.";
    case SINEW_RIG_CHAIN:
    case SINEW_RIG_AIM:
        return "Name a tip below the node.";
    case SINEW_RIG_BODY:
        return "Name a root that's above all effectors.";
    case SINEW_RIG_ORIENTATION_WARP:
        return "List the hips in \"nodes\", then the spine from the hips up.";
    case SINEW_RIG_STRIDE_WARP:
    case SINEW_RIG_FOOT_LOCK:
    case SINEW_RIG_FOOT_PLACEMENT:
        return m->graph->foot_count > 0 ? "Fix the feet in \"feet\", or name another pelvis."
                                        : "List the feet in \"feet\", with their thighs and shins.";
    case SINEW_RIG_SPRINGS:
        return "Name a tip below each root, and each node in one chain only.";
    default:
        return "Change the step's settings.";
    }
}

static void add_refused(graph_model *m, int32_t index, const char *what) {
    const sinew_rig_step *step = &m->graph->steps[index];
    char prefix[256];
    const int length = snprintf(prefix, sizeof prefix, "step %.200s: ", step->name);
    if (length > 0 && strncmp(what, prefix, (size_t)length) == 0) what += length;
    graph_finding finding = graph_about_step(m, GRAPH_STEP_REFUSED, index);
    finding.message = graph_text(m, "The step can't be created: %s.", what);
    finding.advice = advice_for(m, step);
    graph_add(m, &finding);
}

// Returns the step without what the check already looked at. Its line would be in the message.
static sinew_rig_step bare(const sinew_rig_step *step) {
    sinew_rig_step copy = *step;
    copy.when = copy.weight_curve = NULL;
    copy.line = 0;
    return copy;
}

// Returns whether to check a step. Springs without chains are the avatar's own.
static bool is_checked(const graph_model *m, int32_t index) {
    const sinew_rig_step *step = &m->graph->steps[index];
    const bool is_own = step->kind == SINEW_RIG_SPRINGS && step->springs.chain_count == 0;
    return m->rig->steps[index].is_complete && !is_own;
}

static void find_refused(graph_model *m) {
    bool feet_are_known = false;
    for (int32_t i = 0; i < m->graph->step_count && !m->out_of_memory; i++) {
        const sinew_rig_step step = bare(&m->graph->steps[i]);
        trial t;
        sinew_error error = {0};
        if (!is_checked(m, i)) continue;
        const sinew_result result = make_trial(m, &step, 1, false, &t, &error);
        end_trial(&t);
        m->out_of_memory = m->out_of_memory || result == SINEW_ERROR_OUT_OF_MEMORY;
        const bool is_of_feet = strncmp(error.message, "feet: ", 6) == 0;
        if (result == SINEW_OK || m->out_of_memory || (is_of_feet && feet_are_known)) continue;
        feet_are_known = feet_are_known || is_of_feet;
        add_refused(m, i, error.message);
    }
}

// ---- Contacts ------------------------------------------------------------------------------------------------------

static void check_contacts(graph_model *m, const sinew_foot_contacts *contacts) {
    int32_t index = 0;
    for (int32_t i = 0; i < contacts->clip_count; i++) {
        if (contacts->clips[i].contact_count > 0) return;
    }
    while (m->graph->steps[index].kind != SINEW_RIG_FOOT_LOCK) index++;
    graph_finding finding = graph_about_step(m, GRAPH_CONTACTS_MISSING, index);
    const bool has_markers = m->graph->foot_count > 0 && m->graph->feet[0].down;
    finding.message = "None of the base's clips ever has a foot on the ground, so nothing is locked.";
    finding.advice = has_markers ? "Check the names of the markers in \"feet\"."
                                 : "Check the clips' height, or give the feet markers in \"feet\".";
    graph_add(m, &finding);
}

static bool has_errors(const graph_model *m) {
    return m->report->of_severity[GRAPH_ERROR] > m->report->of_rule[GRAPH_CYCLE_IN_FRAME];
}

void graph_check_created_rig(graph_model *m) {
    sinew_rig_step *steps = graph_array(m, sinew_rig_step, m->graph->step_count);
    int32_t count = 0;
    for (int32_t i = 0; steps && i < m->graph->step_count; i++) {
        if (is_checked(m, i)) steps[count++] = bare(&m->graph->steps[i]);
    }
    if (!steps || count == 0) return;
    trial t = {.graph = NULL};
    sinew_error error;
    const bool is_bound = !has_errors(m);
    const sinew_result result = is_bound ? make_trial(m, steps, count, true, &t, &error) : SINEW_ERROR_ARGUMENT;
    if (result == SINEW_OK && t.rig->contacts) check_contacts(m, t.rig->contacts);
    end_trial(&t);
    m->out_of_memory = m->out_of_memory || result == SINEW_ERROR_OUT_OF_MEMORY;
    if (result != SINEW_OK) find_refused(m);
}
