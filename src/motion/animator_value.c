// SPDX-License-Identifier: MIT
// An animator's parameters: setting, damping, reading.
#include "motion/animator_state.h"
#include "base/authored.h"
#include "base/critical_spring.h"

#include <assert.h>
#include <math.h>

// One coordinate's word of the value that the graph uses.
static animator_value *value_of(const sinew_animator *animator, int32_t parameter, int32_t coordinate) {
    return animator_values(animator) + animator_graph(animator)->data->values[parameter].value + coordinate;
}

// One coordinate's word of the value that the program sets.
static animator_value *target_of(const sinew_animator *animator, int32_t parameter, int32_t coordinate) {
    return animator_values(animator) + animator_graph(animator)->data->values[parameter].target + coordinate;
}

static bool has_type(const sinew_animator *animator, int32_t parameter, sinew_parameter_type type) {
    assert(animator);
    const sinew_graph *graph = animator_graph(animator);
    bool exists = parameter >= 0 && parameter < graph->parameter_count && graph->parameters[parameter].type == type;
    assert(exists && "no parameter of that type has this index: a misspelled name?");
    return exists;
}

static float finite_or_zero(float value) {
    assert(isfinite(value));
    return isfinite(value) ? value : 0.0f;
}

static float clamp_float(const sinew_graph_parameter *parameter, float value) {
    double v = (double)finite_or_zero(value);
    if (v < parameter->min) v = parameter->min;
    if (v > parameter->max) v = parameter->max;
    return (float)v;
}

// ---- Setting -------------------------------------------------------------------------------------------------

void sinewi_animator_init_values(sinew_animator *animator) {
    const sinew_graph *graph = animator_graph(animator);
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        const sinew_graph_parameter *parameter = &graph->parameters[i];
        bool is_integer = parameter->type == SINEW_PARAMETER_INT || parameter->type == SINEW_PARAMETER_BOOL;
        if (parameter->type == SINEW_PARAMETER_TRIGGER) continue;
        for (int32_t k = 0; k < graph->data->values[i].width; k++) {
            animator_value value = {.number = (float)parameter->initial[k]};
            if (is_integer) value.integer = (int32_t)parameter->initial[k];
            *target_of(animator, i, k) = *value_of(animator, i, k) = value;
        }
    }
}

// Sets the words of the value that the program sets. `width` is the parameter's. Setters pass it as a constant, so the
// compiler unrolls the loop.
static inline void set_words(sinew_animator *animator, int32_t parameter, int32_t width,
                             const animator_value *values) {
    animator_value *words = target_of(animator, parameter, 0);
    bool changes = false;
    for (int32_t i = 0; i < width; i++) {
        changes = changes || words[i].integer != values[i].integer;
        words[i] = values[i];
    }
    if (changes && sinewi_animator_is_recorded(animator)) sinewi_animator_record_parameter(animator, parameter);
}

// Clamps the coordinates of a value of floats and sets them.
static inline void set_floats(sinew_animator *animator, int32_t parameter, int32_t width,
                              const float *coordinates) {
    const sinew_graph_parameter *p = &animator_graph(animator)->parameters[parameter];
    animator_value words[SINEWI_MAX_COORDINATES] = {{0}};
    for (int32_t i = 0; i < width; i++) words[i].number = clamp_float(p, coordinates[i]);
    set_words(animator, parameter, width, words);
}

void sinew_animator_set_float(sinew_animator *animator, int32_t parameter, float value) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_FLOAT)) return;
    set_floats(animator, parameter, 1, &value);
}

void sinew_animator_set_int(sinew_animator *animator, int32_t parameter, int32_t value) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_INT)) return;
    const sinew_graph_parameter *p = &animator_graph(animator)->parameters[parameter];
    if (value < p->min) value = (int32_t)ceil(p->min);
    if (value > p->max) value = (int32_t)floor(p->max);
    animator_value word;
    word.integer = value;
    set_words(animator, parameter, 1, &word);
}

void sinew_animator_set_bool(sinew_animator *animator, int32_t parameter, bool value) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_BOOL)) return;
    animator_value word;
    word.integer = value;
    set_words(animator, parameter, 1, &word);
}

void sinew_animator_set_vector2(sinew_animator *animator, int32_t parameter, float x, float y) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_VECTOR2)) return;
    const float coordinates[] = {x, y};
    set_floats(animator, parameter, 2, coordinates);
}

void sinew_animator_set_vector3(sinew_animator *animator, int32_t parameter, sinew_vec3 value) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_VECTOR3)) return;
    const float coordinates[] = {value.x, value.y, value.z};
    set_floats(animator, parameter, 3, coordinates);
}

static sinew_quat rotation_at(const animator_value *words) {
    return (sinew_quat){words[0].number, words[1].number, words[2].number, words[3].number};
}

static float dot(sinew_quat a, sinew_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static sinew_quat unit_rotation(sinew_quat q) {
    q = (sinew_quat){finite_or_zero(q.x), finite_or_zero(q.y), finite_or_zero(q.z), finite_or_zero(q.w)};
    assert((q.x != 0.0f || q.y != 0.0f || q.z != 0.0f || q.w != 0.0f) && "a rotation's length must not be 0");
    return sinewi_quat_as_authored(q);
}

// A damped rotation keeps the sign of its target, or its coordinates would go the long way to a rotation nearby.
void sinew_animator_set_transform(sinew_animator *animator, int32_t parameter, sinew_vec3 position,
                                  sinew_quat rotation) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_TRANSFORM)) return;
    sinew_quat q = unit_rotation(rotation);
    const bool flips = animator_graph(animator)->data->values[parameter].is_damped &&
                       dot(q, rotation_at(target_of(animator, parameter, SINEWI_TRANSFORM_ROTATION))) < 0.0f;
    if (flips) q = (sinew_quat){-q.x, -q.y, -q.z, -q.w};
    const float coordinates[] = {position.x, position.y, position.z, q.x, q.y, q.z, q.w};
    set_floats(animator, parameter, SINEWI_MAX_COORDINATES, coordinates);
}

void sinew_animator_fire(sinew_animator *animator, int32_t parameter) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_TRIGGER)) return;
    animator->triggers |= UINT64_C(1) << parameter;
    target_of(animator, parameter, 0)->number = animator_graph(animator)->parameters[parameter].hold;
    if (sinewi_animator_is_recorded(animator)) sinewi_animator_record_parameter(animator, parameter);
}

void sinew_animator_cancel(sinew_animator *animator, int32_t parameter) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_TRIGGER)) return;
    bool was_set = (animator->triggers >> parameter & 1) != 0;
    animator->triggers &= ~(UINT64_C(1) << parameter);
    target_of(animator, parameter, 0)->number = 0.0f;
    if (was_set && sinewi_animator_is_recorded(animator)) sinewi_animator_record_parameter(animator, parameter);
}

void sinewi_animator_adopt_floats(sinew_animator *animator, int32_t parameter, const sinew_animator *other,
                                  int32_t from) {
    const sinewi_graph_value own = animator_graph(animator)->data->values[parameter],
                             old = animator_graph(other)->data->values[from];
    const sinew_graph_parameter *p = &animator_graph(animator)->parameters[parameter];
    set_floats(animator, parameter, own.width, &target_of(other, from, 0)->number);
    if (!own.is_damped) return;
    for (int32_t k = 0; k < own.width; k++) {
        const float velocity = old.is_damped ? target_of(other, from, k)[(ptrdiff_t)2 * old.width].number : 0.0f;
        value_of(animator, parameter, k)->number = clamp_float(p, value_of(other, from, k)->number);
        target_of(animator, parameter, k)[(ptrdiff_t)2 * own.width].number = velocity;
    }
}

// ---- Reading -------------------------------------------------------------------------------------------------

float sinewi_animator_coordinate(const sinew_animator *animator, int32_t parameter, int32_t coordinate) {
    const animator_value *value = value_of(animator, parameter, coordinate);
    bool is_integer = animator_graph(animator)->parameters[parameter].type == SINEW_PARAMETER_INT;
    return is_integer ? (float)value->integer : value->number;
}

float sinew_animator_float(const sinew_animator *animator, int32_t parameter) {
    return has_type(animator, parameter, SINEW_PARAMETER_FLOAT) ? value_of(animator, parameter, 0)->number : 0.0f;
}

int32_t sinew_animator_int(const sinew_animator *animator, int32_t parameter) {
    return has_type(animator, parameter, SINEW_PARAMETER_INT) ? value_of(animator, parameter, 0)->integer : 0;
}

bool sinew_animator_bool(const sinew_animator *animator, int32_t parameter) {
    return has_type(animator, parameter, SINEW_PARAMETER_BOOL) && value_of(animator, parameter, 0)->integer != 0;
}

bool sinew_animator_trigger(const sinew_animator *animator, int32_t parameter) {
    return has_type(animator, parameter, SINEW_PARAMETER_TRIGGER) && (animator->triggers >> parameter & 1) != 0;
}

void sinew_animator_vector2(const sinew_animator *animator, int32_t parameter, float *x, float *y) {
    bool exists = has_type(animator, parameter, SINEW_PARAMETER_VECTOR2);
    *x = exists ? value_of(animator, parameter, 0)->number : 0.0f;
    *y = exists ? value_of(animator, parameter, 1)->number : 0.0f;
}

static sinew_vec3 position_at(const animator_value *words) {
    return (sinew_vec3){words[0].number, words[1].number, words[2].number};
}

sinew_vec3 sinew_animator_vector3(const sinew_animator *animator, int32_t parameter) {
    if (!has_type(animator, parameter, SINEW_PARAMETER_VECTOR3)) return (sinew_vec3){0};
    return position_at(value_of(animator, parameter, 0));
}

// A damped rotation isn't a unit quaternion on its way. It's the target's if it passes so close to 0 that it has no
// direction.
sinew_transform sinew_animator_transform(const sinew_animator *animator, int32_t parameter) {
    sinew_transform transform = sinew_transform_identity();
    if (!has_type(animator, parameter, SINEW_PARAMETER_TRANSFORM)) return transform;
    const sinew_quat q = rotation_at(value_of(animator, parameter, SINEWI_TRANSFORM_ROTATION));
    const bool has_direction = dot(q, q) >= 1e-12f;
    transform.translation = position_at(value_of(animator, parameter, 0));
    transform.rotation = has_direction ? sinewi_quat_as_authored(q)
                                       : rotation_at(target_of(animator, parameter, SINEWI_TRANSFORM_ROTATION));
    return transform;
}

// ---- Each frame ----------------------------------------------------------------------------------------------

// A value has arrived when it's within 2^-20 of its target, or of 1 if the target is smaller.
static void follow_word(animator_value *words, int32_t width, sinewi_critical_spring *spring) {
    double target = (double)words[0].number, value = (double)words[width].number;
    double velocity = (double)words[(ptrdiff_t)2 * width].number;
    spring->near = fmax(1.0, fabs(target)) * 0x1p-20;
    sinewi_critical_spring_follow(spring, target, &value, &velocity);
    words[width].number = (float)value;
    words[(ptrdiff_t)2 * width].number = (float)velocity;
}

static void follow_parameter(sinew_animator *animator, int32_t parameter, float dt) {
    const sinew_graph_parameter *p = &animator_graph(animator)->parameters[parameter];
    sinewi_critical_spring spring = {.pull = SINEWI_CRITICAL_SPRING_HALF_WAY / (double)p->damping,
                                     .dt = (double)dt};
    spring.decay = sinewi_decay(spring.pull * spring.dt);
    int32_t width = animator_graph(animator)->data->values[parameter].width;
    for (int32_t k = 0; k < width; k++) follow_word(target_of(animator, parameter, k), width, &spring);
}

void sinewi_animator_follow(sinew_animator *animator, float dt, double (*values)[2]) {
    const sinew_graph *graph = animator_graph(animator);
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        if (graph->data->values[i].is_damped) follow_parameter(animator, i, dt);
    }
    sinewi_animator_read_values(animator, values);
}

void sinewi_animator_read_values(const sinew_animator *animator, double (*values)[2]) {
    const sinew_graph *graph = animator_graph(animator);
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        const sinewi_graph_value place = graph->data->values[i];
        const animator_value *value = animator_values(animator) + place.value;
        if (place.width > 2) continue; // conditions can't read positions and rotations
        if (place.type == SINEW_PARAMETER_TRIGGER) {
            values[i][0] = (double)(animator->triggers >> i & 1);
        } else if (place.type == SINEW_PARAMETER_INT || place.type == SINEW_PARAMETER_BOOL) {
            values[i][0] = (double)value->integer;
        } else {
            values[i][0] = (double)value->number;
            if (place.width == 2) values[i][1] = (double)value[1].number;
        }
    }
}
