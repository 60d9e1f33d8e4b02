// SPDX-License-Identifier: MIT
// Reads an animator's parameters from a written state. A parameter has words for its targets and, if it's damped, also
// for its values and their velocities. This doesn't depend on what a type's words mean, apart from integers.
#include "motion/animator_snapshot_format.h"

#include <math.h>
#include <string.h>

// The most words of a parameter: targets, values and velocities.
#define MAX_WIDTH 32

// A parameter that is being read.
typedef struct parameter_words {
    animator_value words[3 * MAX_WIDTH];
    int32_t width;
    bool is_damped, is_set;
} parameter_words;

// Rounding may leave a damped value slightly outside of its range.
static double slack_of(double limit) {
    return 1e-3 * (1.0 + fabs(limit));
}

static float clamped_float(const sinew_graph_parameter *p, float value, bool has_slack) {
    const double v = (double)value, low = has_slack ? slack_of(p->min) : 0.0,
                 high = has_slack ? slack_of(p->max) : 0.0;
    if (v < p->min - low) return (float)p->min;
    return v > p->max + high ? (float)p->max : value;
}

static int32_t clamped_integer(const sinew_graph_parameter *p, int32_t value) {
    if (p->type == SINEW_PARAMETER_BOOL) return value != 0;
    if (value < p->min) return (int32_t)ceil(p->min);
    return value > p->max ? (int32_t)floor(p->max) : value;
}

static bool is_integer(sinew_parameter_type type) {
    return type == SINEW_PARAMETER_INT || type == SINEW_PARAMETER_BOOL;
}

static void write_words(sinew_animator *animator, int32_t parameter, const parameter_words *read) {
    const sinew_graph_parameter *p = &animator_graph(animator)->parameters[parameter];
    const sinewi_graph_value place = animator_graph(animator)->data->values[parameter];
    animator_value *words = animator_values(animator) + place.target;
    if (read->is_set && p->type == SINEW_PARAMETER_TRIGGER) animator->triggers |= UINT64_C(1) << parameter;
    for (int32_t k = 0; k < place.width; k++) {
        const animator_value target = read->words[k], value = read->words[read->is_damped ? read->width + k : k];
        if (is_integer(p->type)) {
            words[k].integer = clamped_integer(p, target.integer);
        } else if (p->type == SINEW_PARAMETER_TRIGGER) {
            words[k] = target; // the time that is left
        } else {
            words[k].number = clamped_float(p, target.number, false);
        }
        if (!place.is_damped) continue;
        words[place.width + k].number = clamped_float(p, value.number, true);
        words[2 * place.width + k].number = read->is_damped ? read->words[2 * read->width + k].number : 0.0f;
    }
}

static void read_words(state_reader *in, sinew_parameter_type type, parameter_words *read) {
    const int32_t count = read->is_damped ? 3 * read->width : read->width;
    for (int32_t k = 0; k < count; k++) {
        if (is_integer(type)) {
            read->words[k].integer = sinewi_read_i32(&in->in);
        } else {
            read->words[k].number = sinewi_state_float(in);
        }
    }
}

static int32_t find_parameter(const sinew_graph *graph, const char *name, int32_t type, int32_t width) {
    const int32_t parameter = sinew_graph_find_parameter(graph, name);
    if (parameter == SINEW_GRAPH_NONE) return SINEW_GRAPH_NONE;
    const sinewi_graph_value place = graph->data->values[parameter];
    return place.type == type && place.width == width ? parameter : SINEW_GRAPH_NONE;
}

static void read_parameter(state_reader *in, sinew_animator *animator, bool writes) {
    const char *name = sinewi_state_string(in);
    const int32_t type = (int32_t)sinewi_state_byte(in, UINT8_MAX);
    parameter_words read;
    read.width = (int32_t)sinewi_state_byte(in, MAX_WIDTH);
    const uint32_t flags = sinewi_state_byte(in, 3);
    read.is_damped = (flags & 1) != 0;
    read.is_set = (flags & 2) != 0;
    if (!name) sinewi_state_fail(in, "a parameter without a name");
    if (in->in.is_cut) return;
    const int32_t parameter = find_parameter(animator_graph(animator), name, type, read.width);
    read_words(in, (sinew_parameter_type)type, &read);
    if (parameter == SINEW_GRAPH_NONE) {
        sinewi_state_report_unknown(in->file, "parameter", name);
    } else if (writes && !in->in.is_cut) {
        write_words(animator, parameter, &read);
    }
}

void sinewi_animator_read_parameters(state_file *file, sinew_animator *animator, bool writes) {
    const sinew_graph *graph = animator_graph(animator);
    if (writes) {
        animator->triggers = 0;
        memset(animator_values(animator), 0, (size_t)graph->data->value_count * sizeof(animator_value));
        sinewi_animator_init_values(animator);
    }
    state_reader in = sinewi_state_read_section(file, SECTION_PARAMETERS);
    const int32_t count = (int32_t)sinewi_state_count(&in, SINEW_MAX_GRAPH_PARAMETERS);
    for (int32_t i = 0; i < count && !in.in.is_cut; i++) read_parameter(&in, animator, writes);
    sinewi_state_close_section(&in);
}
