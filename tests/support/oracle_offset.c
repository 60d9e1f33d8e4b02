// SPDX-License-Identifier: MIT
// The offsets of an inertialization in the mixer oracle.
#include "support/oracle_parts.h"

#define MAX_OVERSHOOT 0.1493 // of an offset, for a duration of 1 s and a velocity of 1

// ---- Decay ---------------------------------------------------------------------------------------------------

offset_factors oracle_offset_after(const mixer_oracle *o, double seconds) {
    double s = fmin(1.0, (o->offset_elapsed + seconds) / o->offset_duration), left = 1.0 - s;
    double cube = left * left * left, d = o->offset_duration;
    return (offset_factors){cube * (1.0 + 3.0 * s + 2.25 * s * s), cube * d * (s + 1.5 * s * s)};
}

offset_factors oracle_offset_on_line(const mixer_oracle *o, double seconds) {
    double h = 1e-4 * o->offset_duration, rate = seconds / (2.0 * h);
    offset_factors now = oracle_offset_after(o, 0.0), before = oracle_offset_after(o, -h);
    offset_factors after = oracle_offset_after(o, h);
    return (offset_factors){now.start + rate * (after.start - before.start),
                            now.velocity + rate * (after.velocity - before.velocity)};
}

local_motion oracle_offset_of(const mixer_oracle *o, const offset_start *start, offset_factors by) {
    local_motion difference = motion_scaled(&start->difference, by.start);
    local_motion velocity = motion_scaled(&start->velocities[o->offset_velocity > 0], by.velocity);
    return motion_sum(&difference, &velocity);
}

void oracle_add_offsets(const mixer_oracle *o, offset_factors by, const oracle_pose *from, oracle_pose *to) {
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        local_motion offset = oracle_offset_of(o, oracle_offset_start(o, i), by);
        to->nodes[i] = transform_moved(&from->nodes[i], &offset, 1.0);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++)
        to->weights[i] =
            from->weights[i] + by.start * o->weight_offset[i] + by.velocity * o->weight_offset_velocity[i];
}

// ---- Start ---------------------------------------------------------------------------------------------------

static double vector_length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void oracle_limit_velocity(local_motion *velocity, const local_transform *from, double seconds) {
    double turn = vector_length(velocity->r), most = 0.5 * PI / seconds;
    for (int c = 0; c < 3; c++) {
        if (turn > most) velocity->r[c] *= most / turn;
        double scale = 0.5 * fabs(from->s[c]) / seconds;
        velocity->s[c] = fmax(-scale, fmin(scale, velocity->s[c]));
    }
}

// The change of an offset in LOOK_SECONDS: by the motion of the old pose, and by that of the new one. `from` and `to` are the
// old pose at the start and the end of that time, one of which is now.
static local_motion offset_change(const local_transform *from, const local_transform *to,
                                  const local_transform *old, const local_transform *now,
                                  const local_motion *of_new) {
    local_motion start = motion_between(now, old);
    local_motion before = motion_near(now, from, &start), after = motion_near(now, to, &start);
    before = motion_scaled(&before, -1.0);
    local_motion of_old = motion_sum(&after, &before);
    return motion_sum(&of_old, of_new);
}

// The change of an offset in LOOK_SECONDS by the motion of the new pose.
static local_motion new_change(const local_transform *old, const local_transform *now,
                               const local_transform *next) {
    local_motion start = motion_between(now, old), minus = motion_scaled(&start, -1.0);
    local_motion after = motion_near(next, old, &start);
    return motion_sum(&after, &minus);
}

// The new pose before the frame, and LOOK_SECONDS later.
typedef struct target_views {
    oracle_view now, next;
} target_views;

static offset_start start_offset(const mixer_oracle *o, const target_views *target, int32_t i) {
    local_transform now = oracle_evaluate_node(o, &target->now, i),
                    next = oracle_evaluate_node(o, &target->next, i);
    const local_transform *old = &o->shown.nodes[i];
    local_motion of_new = new_change(old, &now, &next);
    local_motion changes[2] = {offset_change(&o->near[0].nodes[i], old, old, &now, &of_new),
                               offset_change(old, &o->near[1].nodes[i], old, &now, &of_new)};
    offset_start start = {.difference = motion_between(&now, old)};
    for (int k = 0; k < 2; k++) {
        start.velocities[k] = motion_scaled(&changes[k], 1.0 / LOOK_SECONDS);
        oracle_limit_velocity(&start.velocities[k], old, MAX_OVERSHOOT * o->offset_duration);
    }
    return start;
}

// Starts the offset of a node for each choice of the sides that its target has.
static void start_options(mixer_oracle *o, const target_views *target, int32_t node) {
    side_choice choices[ORACLE_MAX_CHOICES];
    offset_options *options = &o->offsets[node];
    options->count = oracle_list_sides(o, &target->next, node, choices);
    options->taken = 0;
    oracle_keep_definers(o, &target->next, node);
    for (int i = 0; i < options->count; i++) {
        options->sides[i] = choices[i].has_no_side;
        *choices[i].has_no_side = NO_SIDE_AT_OFFSET;
    }
    for (int bits = 0; bits < 1 << options->count; bits++) {
        oracle_change_sides(choices, options->count, bits, node);
        options->starts[bits] = start_offset(o, target, node);
        oracle_change_sides(choices, options->count, bits, node);
    }
}

void oracle_capture_offsets(mixer_oracle *o) {
    const moment now = {BEFORE_FRAME, 0.0, BY_FADES}, next = {NEXT_MOMENT, LOOK_SECONDS, ON_LINES};
    target_views target = {oracle_view_layers(o, o->layer_count, now), oracle_view_layers(o, o->layer_count, next)};
    double rate = 1.0 / LOOK_SECONDS;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) start_options(o, &target, i);
    oracle_evaluate(o, o->layer_count, now, NULL, &o->clips_moved);
    oracle_evaluate(o, o->layer_count, next, NULL, &o->shares_moved);
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        double old = o->shown.weights[i] - o->near[0].weights[i];
        double new = o->shares_moved.weights[i] - o->clips_moved.weights[i];
        o->weight_offset[i] = o->shown.weights[i] - o->clips_moved.weights[i];
        o->weight_offset_velocity[i] = (old - new) * rate;
    }
    o->offset_elapsed = 0.0;
}
