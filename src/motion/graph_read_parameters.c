// SPDX-License-Identifier: MIT
// Reads a graph's parameters, and references to them.
#include "motion/graph_create.h"
#include "motion/graph_data.h"
#include "motion/graph_read.h"

static const char *const type_words[] = {"float",   "int",     "bool",      "trigger",
                                         "vector2", "vector3", "transform", NULL};
static const char *const space_words[] = {"world", "model", NULL};

enum { PARAMETER_TYPE, PARAMETER_DEFAULT, PARAMETER_RANGE, PARAMETER_DAMPING, PARAMETER_HOLD, PARAMETER_SPACE };
static const sinewi_graph_keys parameter_keys = {"a parameter",
                                                 {"type", "default", "range", "damping", "hold", "space"}};

enum { TRANSFORM_POSITION, TRANSFORM_ROTATION };
static const sinewi_graph_keys transform_keys = {"a transform", {"position", "rotation"}};

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

// Reads an array of two to four coordinates.
static bool read_coordinates(sinewi_graph_reader *r, sinewi_json_value value, sinew_parameter_type type, int count,
                             double *out) {
    static const char *const expected[] = {"an array of two numbers", "an array of three numbers",
                                           "an array of four numbers"};
    if (value == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_count(&r->text.json, value) != count)
        return sinewi_graph_fail_type(&r->text, value, expected[count - 2]);
    sinewi_json_value element = sinewi_graph_first(r, value);
    for (int i = 0; i < count; i++, element = sinewi_graph_next(r, element))
        if (!read_coordinate(r, element, type, &out[i])) return false;
    return true;
}

static bool read_transform(sinewi_graph_reader *r, sinewi_json_value value, double *initial) {
    sinewi_graph_members m;
    double *rotation = initial + SINEWI_TRANSFORM_ROTATION;
    if (!sinewi_graph_is(&r->text, value, SINEWI_JSON_OBJECT))
        return sinewi_graph_fail_type(&r->text, value, "an object with \"position\" and \"rotation\"");
    if (!sinewi_graph_read_members(&r->text, value, &transform_keys, &m) ||
        !read_coordinates(r, m.values[TRANSFORM_POSITION], SINEW_PARAMETER_TRANSFORM, 3, initial) ||
        !read_coordinates(r, m.values[TRANSFORM_ROTATION], SINEW_PARAMETER_TRANSFORM, 4, rotation))
        return false;
    const double length = sinewi_graph_rotation_length(rotation);
    return sinewi_graph_is_rotation(length) ||
           sinewi_graph_fail(&r->text, m.values[TRANSFORM_ROTATION], "the rotation's length is %g; it must be 1",
                             length);
}

static bool read_initial(sinewi_graph_reader *r, sinewi_json_value value, sinew_graph_parameter *parameter) {
    const sinew_parameter_type type = parameter->type;
    if (value == SINEWI_JSON_ABSENT) return true;
    if (type == SINEW_PARAMETER_TRANSFORM) return read_transform(r, value, parameter->initial);
    if (type == SINEW_PARAMETER_VECTOR2 || type == SINEW_PARAMETER_VECTOR3)
        return read_coordinates(r, value, type, sinewi_parameter_width(type), parameter->initial);
    if (type != SINEW_PARAMETER_BOOL) return read_coordinate(r, value, type, &parameter->initial[0]);
    bool initial = false;
    if (!sinewi_graph_read_bool(&r->text, value, &initial)) return false;
    parameter->initial[0] = initial ? 1.0 : 0.0;
    return true;
}

static bool read_range(sinewi_graph_reader *r, sinewi_json_value value, sinew_graph_parameter *parameter) {
    double range[2] = {parameter->min, parameter->max};
    if (!read_coordinates(r, value, parameter->type, 2, range)) return false;
    parameter->min = range[0];
    parameter->max = range[1];
    return true;
}

static bool read_space(sinewi_graph_reader *r, sinewi_json_value value, sinew_graph_parameter *parameter) {
    int space = SINEW_PARAMETER_SPACE_WORLD;
    if (!sinewi_graph_read_word(&r->text, value, space_words, &space)) return false;
    parameter->space = (sinew_parameter_space)space;
    return true;
}

// Fails for keys that a parameter's type can't have.
static bool check_parameter_keys(sinewi_graph_text *t, const sinewi_graph_members *m, int type) {
    const bool is_trigger = type == SINEW_PARAMETER_TRIGGER,
               is_logical = is_trigger || type == SINEW_PARAMETER_BOOL;
    const bool is_transform = type == SINEW_PARAMETER_TRANSFORM;
    const bool has_space = is_transform || type == SINEW_PARAMETER_VECTOR3;
    const bool is_smooth = !is_logical && type != SINEW_PARAMETER_INT;
    return sinewi_graph_allow(t, m, PARAMETER_DEFAULT, !is_trigger,
                              "a float, int, bool, vector2, vector3 or transform") &&
           sinewi_graph_allow(t, m, PARAMETER_RANGE, !is_logical && !is_transform,
                              "a float, int, vector2 or vector3") &&
           sinewi_graph_allow(t, m, PARAMETER_DAMPING, is_smooth, "a float, vector2, vector3 or transform") &&
           sinewi_graph_allow(t, m, PARAMETER_HOLD, is_trigger, "a trigger") &&
           sinewi_graph_allow(t, m, PARAMETER_SPACE, has_space, "a vector3 or transform");
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
    *parameter = sinew_graph_parameter_default();
    parameter->name = name->name;
    parameter->type = (sinew_parameter_type)type;
    parameter->line = sinewi_graph_line(t, name->key);
    return check_parameter_keys(t, &m, type) && read_initial(r, m.values[PARAMETER_DEFAULT], parameter) &&
           read_range(r, m.values[PARAMETER_RANGE], parameter) &&
           sinewi_graph_read_seconds(t, m.values[PARAMETER_DAMPING], &parameter->damping) &&
           sinewi_graph_read_seconds(t, m.values[PARAMETER_HOLD], &parameter->hold) &&
           read_space(r, m.values[PARAMETER_SPACE], parameter);
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
