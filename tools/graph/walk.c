// SPDX-License-Identifier: MIT
// Random walks over parameters. They only use sums, products, quotients and square roots of doubles, so a seed gives the
// same walk everywhere.
#include "graph/walk.h"

#include <sinew/motion/rig.h>

#include <math.h>
#include <stdint.h>

#define POSITION_MARGIN 3.0 // meters around the default
#define REACH_MARGIN    0.2 // of what a limb, chain or body reaches for
#define REACH_TURN      0.3 // of a random rotation added to its default
#define SPEED           2.0 // meters per second of a position without damping
#define REACH_SPEED     0.5 // of one that a limb, chain or body reaches for, or points an elbow or knee at
#define TURN_SPEED      0.5 // of a rotation without damping: about a radian per second

// ---- Ranges --------------------------------------------------------------------------------------------------

static void add_value(graph_walk_range *range, double value) {
    for (int32_t i = 0; i < range->value_count; i++) {
        if (!(range->values[i] < value) && !(range->values[i] > value)) return;
    }
    if (range->value_count < GRAPH_WALK_VALUES) range->values[range->value_count++] = value;
}

static bool names_parameter(const sinew_condition *condition, int32_t parameter) {
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        bool is_parameter = node->op == SINEW_CONDITION_PARAMETER || node->op == SINEW_CONDITION_PARAMETER_Y;
        if (is_parameter && node->index == parameter) return true;
    }
    return false;
}

// Adds the numbers in conditions that name a parameter, with both signs. It doesn't matter which ones it's compared
// with.
static void add_numbers(graph_walk_range *range, const sinew_graph *graph, int32_t parameter) {
    for (int32_t i = 0; i < graph->transition_count; i++) {
        const sinew_condition *condition = &graph->conditions[i];
        if (!names_parameter(condition, parameter)) continue;
        for (int32_t k = 0; k < condition->node_count; k++) {
            if (condition->nodes[k].op != SINEW_CONDITION_NUMBER) continue;
            add_value(range, condition->nodes[k].number);
            add_value(range, -condition->nodes[k].number);
        }
    }
}

static void add_samples(graph_walk_range *range, const sinew_graph_blend *blend, int32_t parameter) {
    for (int32_t i = 0; i < blend->sample_count; i++) {
        if (blend->x_parameter == parameter) add_value(range, (double)blend->samples[i].x);
        bool gives_y = blend->y_parameter == parameter ||
                       (blend->x_parameter == parameter && blend->y_parameter == SINEW_GRAPH_NONE);
        if (gives_y) add_value(range, (double)blend->samples[i].y);
    }
}

static bool is_position(sinew_parameter_type type) {
    return type == SINEW_PARAMETER_VECTOR3 || type == SINEW_PARAMETER_TRANSFORM;
}

static bool step_reaches_for(const sinew_rig_step *step, int32_t parameter) {
    if (step->kind == SINEW_RIG_LIMB || step->kind == SINEW_RIG_CHAIN)
        return step->goal.parameter == parameter || step->pole.parameter == parameter;
    const int32_t effectors = step->kind == SINEW_RIG_BODY ? step->body.effector_count : 0;
    for (int32_t i = 0; i < effectors; i++) {
        if (step->body.effectors[i].goal.parameter == parameter) return true;
    }
    return false;
}

static bool is_reached_for(const sinew_graph *graph, int32_t parameter) {
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (step_reaches_for(&graph->steps[i], parameter)) return true;
    }
    return false;
}

// Sets limits for a parameter without any: a little beyond all values.
static void widen(graph_walk_range *range) {
    double least = range->values[0], most = range->values[0];
    for (int32_t i = 1; i < range->value_count; i++) {
        least = fmin(least, range->values[i]);
        most = fmax(most, range->values[i]);
    }
    if (!isfinite(range->min)) range->min = fmin(least - 1.0, range->max);
    if (!isfinite(range->max)) range->max = fmax(most + 1.0, range->min);
}

void graph_walk_ranges(const sinew_graph *graph, graph_walk_range *ranges) {
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        const sinew_graph_parameter *parameter = &graph->parameters[i];
        graph_walk_range *range = &ranges[i];
        *range = (graph_walk_range){.min = parameter->min, .max = parameter->max};
        if (is_position(parameter->type) && isinf(range->min) && isinf(range->max)) {
            const bool is_reach = is_reached_for(graph, i);
            const double margin = is_reach ? REACH_MARGIN : POSITION_MARGIN;
            *range = (graph_walk_range){-margin, margin, .value_count = 1, .is_offset = true, .is_reach = is_reach};
            continue;
        }
        add_value(range, parameter->initial[0]);
        add_value(range, parameter->initial[1]);
        add_numbers(range, graph, i);
        for (int32_t s = 0; s < graph->state_count; s++) {
            if (graph->states[s].blend) add_samples(range, graph->states[s].blend, i);
        }
        widen(range);
    }
}

// ---- Random numbers ------------------------------------------------------------------------------------------

// Returns a random number from 0 to 1 (splitmix64).
static double draw(graph_walk *walk) {
    uint64_t z = walk->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static bool draw_chance(graph_walk *walk, double chance) {
    return draw(walk) < chance;
}

// Returns the seconds until the next choice: often few, sometimes many.
static double draw_seconds(graph_walk *walk) {
    double u = draw(walk);
    return (0.05 + 4.0 * u * u * u) * walk->patience;
}

// Returns a number that a condition compares with, one slightly next to it, or any number in the range.
static double draw_value(graph_walk *walk, const graph_walk_range *range, bool is_integer) {
    double step = is_integer ? 1.0 : 0.01 * (range->max - range->min), value;
    if (draw_chance(walk, 0.5)) {
        int32_t index = (int32_t)(draw(walk) * range->value_count);
        value = range->values[index] + step * floor(draw(walk) * 3.0 - 1.0);
    } else {
        value = range->min + draw(walk) * (range->max - range->min + (is_integer ? 1.0 : 0.0));
    }
    return fmin(fmax(is_integer ? floor(value) : value, range->min), range->max);
}

// Finds a random rotation that isn't normalized. Its sign is the one nearer to the coordinates' rotation.
static void draw_rotation(graph_walk *walk, const graph_walk_coordinate *from, double *rotation) {
    double square, cosine;
    do {
        square = cosine = 0.0;
        for (int k = 0; k < 4; k++) {
            rotation[k] = 2.0 * draw(walk) - 1.0;
            square += rotation[k] * rotation[k];
            cosine += rotation[k] * from[k].value;
        }
    } while (square < 0.01 || square > 1.0);
    for (int k = 0; k < 4 && cosine < 0.0; k++) rotation[k] = -rotation[k];
}

// ---- Walking -------------------------------------------------------------------------------------------------

void graph_walk_start(graph_walk *walk, const sinew_graph *graph, const graph_walk_range *ranges, uint64_t seed) {
    *walk = (graph_walk){.graph = graph, .ranges = ranges, .random = seed * 0xd1342543de82ef95u};
    walk->patience = 0.25 + 1.5 * draw(walk);
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        for (int k = 0; k < 7; k++) {
            double value = graph->parameters[i].initial[k];
            walk->parameters[i].coordinates[k] = (graph_walk_coordinate){value, value, 0.0};
        }
        walk->parameters[i].left = draw_seconds(walk);
    }
}

// Makes a coordinate reach its target in `seconds`. If that's 0, it jumps.
static void move_to(graph_walk_coordinate *c, double target, double seconds) {
    c->target = target;
    c->slope = seconds > 0.0 ? (target - c->value) / seconds : 0.0;
    if (c->slope < 0.0 || c->slope > 0.0) return;
    c->value = target;
}

// Draws the numbers that a parameter has next.
static void draw_targets(graph_walk *walk, int32_t index, double targets[7]) {
    const sinew_graph_parameter *about = &walk->graph->parameters[index];
    const graph_walk_range *range = &walk->ranges[index];
    const graph_walk_coordinate *now = walk->parameters[index].coordinates;
    for (int k = 0; k < 7; k++) targets[k] = now[k].value;
    for (int k = 0; k < (is_position(about->type) ? 3 : 2); k++) {
        targets[k] = about->type == SINEW_PARAMETER_BOOL
                         ? 1.0 - now[k].value
                         : draw_value(walk, range, about->type == SINEW_PARAMETER_INT);
        if (range->is_offset) targets[k] += about->initial[k];
    }
    if (about->type != SINEW_PARAMETER_TRANSFORM) return;
    draw_rotation(walk, now + 3, targets + 3);
    for (int k = 3; k < 7 && range->is_reach; k++) targets[k] = about->initial[k] + REACH_TURN * targets[k];
}

static double distance(const graph_walk_coordinate *from, const double *to, int count) {
    double square = 0.0;
    for (int k = 0; k < count; k++) square += (to[k] - from[k].value) * (to[k] - from[k].value);
    return sqrt(square);
}

// Returns how many seconds a program needs at least to move a position there.
static double seconds_to(const graph_walk *walk, int32_t index, const double targets[7]) {
    const graph_walk_coordinate *now = walk->parameters[index].coordinates;
    const double speed = walk->ranges[index].is_reach ? REACH_SPEED : SPEED;
    return fmax(distance(now, targets, 3) / speed, distance(now + 3, targets + 3, 4) / TURN_SPEED);
}

// Makes a parameter jump, or ramp to its next value until the next choice. A position without damping never jumps.
static void choose(graph_walk *walk, int32_t index) {
    const sinew_graph_parameter *about = &walk->graph->parameters[index];
    graph_walk_parameter *parameter = &walk->parameters[index];
    double targets[7];
    parameter->left = draw_seconds(walk);
    bool ramps =
        about->type != SINEW_PARAMETER_INT && draw_chance(walk, 0.4) && about->type != SINEW_PARAMETER_BOOL;
    draw_targets(walk, index, targets);
    if (is_position(about->type) && !(about->damping > 0.0f)) {
        ramps = true;
        parameter->left = fmax(parameter->left, seconds_to(walk, index, targets));
    }
    for (int k = 0; k < 7; k++) move_to(&parameter->coordinates[k], targets[k], ramps ? parameter->left : 0.0);
}

static void follow(graph_walk_coordinate *c, double dt) {
    double value = c->value + c->slope * dt;
    bool arrives = c->slope > 0.0 ? value > c->target : value < c->target;
    c->value = arrives ? c->target : value;
}

// Whether a parameter moves along with a walking character.
static bool comes_along(const sinew_graph_parameter *parameter) {
    return is_position(parameter->type) && parameter->space == SINEW_PARAMETER_SPACE_WORLD;
}

static void set_parameter(const graph_walk *walk, sinew_animator *animator, int32_t index) {
    const graph_walk_coordinate *c = walk->parameters[index].coordinates;
    const sinew_graph_parameter *parameter = &walk->graph->parameters[index];
    sinew_vec3 position = {(float)c[0].value, (float)c[1].value, (float)c[2].value};
    if (comes_along(parameter)) position = sinew_vec3_add(position, walk->walked);
    switch (parameter->type) {
    case SINEW_PARAMETER_FLOAT:
        sinew_animator_set_float(animator, index, (float)c[0].value);
        break;
    case SINEW_PARAMETER_INT:
        sinew_animator_set_int(animator, index, (int32_t)fmin(fmax(c[0].value, INT32_MIN), INT32_MAX));
        break;
    case SINEW_PARAMETER_BOOL:
        sinew_animator_set_bool(animator, index, c[0].value > 0.5);
        break;
    case SINEW_PARAMETER_VECTOR2:
        sinew_animator_set_vector2(animator, index, position.x, position.y);
        break;
    case SINEW_PARAMETER_VECTOR3:
        sinew_animator_set_vector3(animator, index, position);
        break;
    case SINEW_PARAMETER_TRANSFORM:
        sinew_animator_set_transform(
            animator, index, position,
            (sinew_quat){(float)c[3].value, (float)c[4].value, (float)c[5].value, (float)c[6].value});
        break;
    case SINEW_PARAMETER_TRIGGER:
        break;
    }
}

static void step_parameter(graph_walk *walk, sinew_animator *animator, int32_t index, double dt) {
    graph_walk_parameter *parameter = &walk->parameters[index];
    bool is_trigger = walk->graph->parameters[index].type == SINEW_PARAMETER_TRIGGER;
    if (walk->ranges[index].is_kept) {
        if (comes_along(&walk->graph->parameters[index])) set_parameter(walk, animator, index);
        return;
    }
    parameter->left -= dt;
    if (is_trigger && parameter->left <= 0.0) {
        sinew_animator_fire(animator, index);
        parameter->left = draw_seconds(walk);
    }
    if (is_trigger) return;
    for (int k = 0; k < 7; k++) follow(&parameter->coordinates[k], dt);
    if (parameter->left <= 0.0) choose(walk, index);
    set_parameter(walk, animator, index);
}

float graph_walk_step(graph_walk *walk, sinew_animator *animator) {
    float dt = (float)((0.85 + 0.3 * draw(walk)) / 60.0);
    for (int32_t i = 0; i < walk->graph->parameter_count; i++) step_parameter(walk, animator, i, (double)dt);
    return dt;
}
