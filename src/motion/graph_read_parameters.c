// SPDX-License-Identifier: MIT
// Reads a graph's parameters, and references to them.
#include "motion/graph_read.h"

#include <math.h>

static const char *const type_words[] = {"float", "int", "bool", "trigger", "vector2", NULL};

enum { PARAMETER_TYPE, PARAMETER_DEFAULT, PARAMETER_RANGE, PARAMETER_DAMPING, PARAMETER_HOLD };
static const sinewi_graph_keys parameter_keys = {"a parameter", {"type", "default", "range", "damping", "hold"}};

// Reads a coordinate. Rounds float values to float here, so they equal the same number in a condition.
static bool read_coordinate(sinewi_graph_reader *r, sinewi_json_value value, sinew_parameter_type type,
                            double *out) {
    float number = 0.0f;
    int32_t integer = 0;
    if (type == SINEW_PARAMETER_INT) {
        if (!sinewi_graph_read_integer(&r->text, value, INT32_MIN, &integer)) return false;
        *out = (double)integer;
        return true;
    }
    if (!sinewi_graph_read_float(&r->text, value, &number)) return false;
    *out = (double)number;
    return true;
}

static bool read_pair(sinewi_graph_reader *r, sinewi_json_value value, sinew_parameter_type type, double *first,
                      double *second) {
    if (value == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_count(&r->text.json, value) != 2)
        return sinewi_graph_fail_type(&r->text, value, "an array of two numbers");
    sinewi_json_value element = sinewi_graph_first(r, value);
    return read_coordinate(r, element, type, first) &&
           read_coordinate(r, sinewi_graph_next(r, element), type, second);
}

static bool read_initial(sinewi_graph_reader *r, sinewi_json_value value, sinew_graph_parameter *parameter) {
    if (value == SINEWI_JSON_ABSENT) return true;
    if (parameter->type == SINEW_PARAMETER_VECTOR2)
        return read_pair(r, value, parameter->type, &parameter->initial[0], &parameter->initial[1]);
    if (parameter->type != SINEW_PARAMETER_BOOL)
        return read_coordinate(r, value, parameter->type, &parameter->initial[0]);
    bool initial = false;
    if (!sinewi_graph_read_bool(&r->text, value, &initial)) return false;
    parameter->initial[0] = initial ? 1.0 : 0.0;
    return true;
}

static bool read_parameter(sinewi_graph_reader *r, const sinewi_graph_name *name,
                           sinew_graph_parameter *parameter) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    int type = 0;
    if (!sinewi_graph_read_members(t, name->key + 1, &parameter_keys, &m) ||
        !sinewi_graph_require(t, &m, PARAMETER_TYPE) ||
        !sinewi_graph_read_word(t, m.values[PARAMETER_TYPE], type_words, &type))
        return false;
    const bool is_trigger = type == SINEW_PARAMETER_TRIGGER, is_bool = type == SINEW_PARAMETER_BOOL;
    const bool is_smooth = type == SINEW_PARAMETER_FLOAT || type == SINEW_PARAMETER_VECTOR2;
    *parameter = sinew_graph_parameter_default();
    parameter->name = name->name;
    parameter->type = (sinew_parameter_type)type;
    parameter->line = sinewi_graph_line(t, name->key);
    return sinewi_graph_allow(t, &m, PARAMETER_DEFAULT, !is_trigger, "a float, int, bool or vector2") &&
           sinewi_graph_allow(t, &m, PARAMETER_RANGE, !is_trigger && !is_bool, "a float, int or vector2") &&
           sinewi_graph_allow(t, &m, PARAMETER_DAMPING, is_smooth, "a float or vector2") &&
           sinewi_graph_allow(t, &m, PARAMETER_HOLD, is_trigger, "a trigger") &&
           read_initial(r, m.values[PARAMETER_DEFAULT], parameter) &&
           read_pair(r, m.values[PARAMETER_RANGE], parameter->type, &parameter->min, &parameter->max) &&
           sinewi_graph_read_seconds(t, m.values[PARAMETER_DAMPING], &parameter->damping) &&
           sinewi_graph_read_seconds(t, m.values[PARAMETER_HOLD], &parameter->hold);
}

bool sinewi_graph_read_parameters(sinewi_graph_reader *r, sinewi_json_value object) {
    if (!sinewi_graph_read_names(&r->text, object, "parameter", &r->parameter_names)) return false;
    const int32_t count = r->parameter_names.count;
    if (count > SINEW_MAX_GRAPH_PARAMETERS)
        return sinewi_graph_fail_limit(&r->text, r->parameter_names.in_order[SINEW_MAX_GRAPH_PARAMETERS].key,
                                       "a graph can have at most %d parameters", SINEW_MAX_GRAPH_PARAMETERS);
    r->parameters = sinewi_graph_scratch(&r->text, sinew_graph_parameter, (size_t)count);
    if (!r->parameters) return false;
    for (int32_t i = 0; i < count; i++)
        if (!read_parameter(r, &r->parameter_names.in_order[i], &r->parameters[i])) return false;
    r->def.parameter_count = count;
    return true;
}

bool sinewi_graph_read_reference(sinewi_graph_reader *r, sinewi_json_value value, int types, const char *expected,
                                 int32_t *index) {
    if (value == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_find_name(&r->text, &r->parameter_names, value, index)) return false;
    const sinew_graph_parameter *parameter = &r->parameters[*index];
    return (types >> parameter->type & 1) != 0 ||
           sinewi_graph_fail(&r->text, value, "\"%s\" is of type %s; expected %s", parameter->name,
                             type_words[parameter->type], expected);
}
