// SPDX-License-Identifier: MIT
// How much each step of the graph's rig applies.
#include "motion/animator_state.h"
#include "motion/graph_condition.h"

#include <sinew/motion/rig.h>

#include <assert.h>

// Clamps, and treats NaN as 0.
static float unit(double value) {
    return value > 0.0 ? (float)(value < 1.0 ? value : 1.0) : 0.0f;
}

static float weight_of(const sinew_animator *animator, int32_t step, const sinewi_condition_input *input) {
    const sinew_graph *graph = animator_graph(animator);
    const sinewi_graph_steps when = graph->data->step_conditions[step];
    if (!sinewi_condition_is_true(when.steps, when.count, input)) return 0.0f;
    const int32_t parameter = graph->steps[step].weight_parameter;
    const int8_t curve = graph->data->step_curves[step]; // or SINEW_GRAPH_NONE
    double weight = (double)graph->steps[step].weight;
    if (parameter != SINEW_GRAPH_NONE) weight *= input->parameters[parameter][0];
    if (curve >= 0) weight *= (double)input->curves[curve];
    return unit(weight);
}

void sinewi_animator_weigh_steps(const sinew_animator *animator, int32_t first, int32_t end, float *weights) {
    const sinew_graph *graph = animator_graph(animator);
    const float *pose_curves = sinew_mixer_curves(animator->mixer);
    double values[SINEW_MAX_GRAPH_PARAMETERS][2];
    uint64_t active[SINEW_MAX_GRAPH_STATES / 64];
    float curves[SINEW_MAX_GRAPH_CURVES];
    sinewi_animator_read_values(animator, values);
    for (int32_t i = 0; i < graph->curve_count; i++) curves[i] = pose_curves[animator->binding->curves[i]];
    sinewi_condition_input input;
    input.parameters = (const double(*)[2])values;
    input.curves = curves;
    input.tags = sinewi_animator_active(animator, active);
    input.active = active;
    for (int32_t i = first; i < end; i++) weights[i] = weight_of(animator, i, &input);
}

void sinew_animator_step_weights(const sinew_animator *animator, float *weights) {
    assert(animator && weights);
    sinewi_animator_weigh_steps(animator, 0, animator_graph(animator)->step_count, weights);
}
