// SPDX-License-Identifier: MIT
// Animations: checks channels and key times against glTF 2.0 (sections 5.5 to 5.9), and rotation keys.
#include "lint/keys.h"

#include <math.h>
#include <string.h>

// ---- Targets -------------------------------------------------------------------------------------------------------

static bool has_targets(const lint_subject *s, const lint_node *node) {
    if (node->mesh < 0) return false;
    ref_list primitives = ref_elements(s->document, s->document->meshes.values[node->mesh], "primitives");
    return primitives.count > 0 && ref_elements(s->document, primitives.values[0], "targets").count > 0;
}

static const char *channel_place(lint_subject *s, int32_t animation, const lint_channel *channel) {
    return lint_location(s, "animations[%d].channels[%d]", (int)animation, (int)channel->index);
}

static void check_channel(lint_subject *s, int32_t animation, const lint_channel *channel) {
    static const char *const paths[] = {"translation", "rotation", "scale"};
    if (channel->node < 0) return;
    const lint_node *node = &s->nodes[channel->node];
    if (channel->path != SINEW_TARGET_WEIGHTS) {
        if (!node->has_matrix) return;
        lint_add(s, LINT_MATRIX_ANIMATED, 0, channel_place(s, animation, channel),
                 "animates the %s of %s, which has a matrix", paths[channel->path],
                 lint_node_label(s, channel->node));
        return;
    }
    if (has_targets(s, node)) return;
    lint_add(s, LINT_WEIGHTS_WITHOUT_TARGETS, 0, channel_place(s, animation, channel),
             "animates the weights of %s, which has no morph targets", lint_node_label(s, channel->node));
}

// ---- Key times -----------------------------------------------------------------------------------------------------

static void check_input(lint_subject *s, const lint_sampler *sampler) {
    const sinewi_json *json = &s->document->json;
    sinewi_json_value accessor = s->document->accessors.values[sampler->input];
    const char *location = lint_location(s, "accessors[%d]", (int)sampler->input);
    double type = ref_number(s->document, accessor, "componentType", REF_F32);
    if (type != REF_F32) {
        lint_add(s, LINT_TIMES_NOT_FLOAT, 0, location,
                 "componentType is %d, but must be 5126 for the key times of animations[%d].samplers[%d]",
                 (int)type, (int)sampler->animation, (int)sampler->index);
    }
    bool has_min = sinewi_json_get(json, accessor, "min") != SINEWI_JSON_ABSENT;
    bool has_max = sinewi_json_get(json, accessor, "max") != SINEWI_JSON_ABSENT;
    if (has_min && has_max) return;
    lint_add(s, LINT_TIMES_BOUNDS, 0, location, "has no %s, but has the key times of animations[%d].samplers[%d]",
             has_min   ? "max"
             : has_max ? "min"
                       : "min and max",
             (int)sampler->animation, (int)sampler->index);
}

// ---- Channels and samplers -----------------------------------------------------------------------------------------

static void check_all_channels(lint_subject *s) {
    bool *checked = lint_array(s, bool, s->document->accessors.count); // samplers share key times
    for (int32_t i = 0; checked && i < s->animation_count; i++) {
        const lint_animation *animation = &s->animations[i];
        for (int32_t k = 0; k < animation->channel_count; k++) check_channel(s, i, &animation->channels[k]);
        for (int32_t k = 0; k < animation->sampler_count; k++) {
            const lint_sampler *sampler = &animation->samplers[k];
            if (sampler->key_count == 0 || checked[sampler->input]) continue;
            checked[sampler->input] = true;
            check_input(s, sampler);
        }
    }
}

// ---- Rotations ------------------------------------------------------------------------------------------------------

static const char *output_key(lint_subject *s, const lint_sampler *sampler, int32_t key) {
    return lint_location(s, "animations[%d].samplers[%d].output: key %d", (int)sampler->animation,
                         (int)sampler->index, (int)key);
}

static void check_sides(lint_subject *s, const lint_sampler *sampler) {
    int32_t first = -1, count = 0;
    for (int32_t k = 1; k < sampler->key_count; k++) {
        if (!lint_flips_sign(lint_key(sampler, k - 1), lint_key(sampler, k))) continue;
        if (first < 0) first = k;
        count++;
    }
    if (first < 0) return;
    double dot = lint_dot4(lint_key(sampler, first - 1), lint_key(sampler, first));
    lint_add(s, sampler->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? LINT_SPLINE_FLIP : LINT_ROTATION_FLIP,
             0, output_key(s, sampler, first),
             "the dot product with key %d is %.3f; %d key%s like this in this sampler", (int)first - 1, dot,
             (int)count, count == 1 ? "" : "s");
}

static void check_lengths(lint_subject *s, const lint_sampler *sampler) {
    double worst = 0.0;
    int32_t worst_key = -1, count = 0;
    for (int32_t k = 0; k < sampler->key_count; k++) {
        const double *q = lint_key(sampler, k);
        double length = sqrt(lint_dot4(q, q));
        if (lint_is_unit(length, sampler->component_type)) continue;
        count++;
        if (fabs(length - 1.0) <= worst) continue;
        worst = fabs(length - 1.0);
        worst_key = k;
    }
    if (worst_key < 0) return;
    const double *q = lint_key(sampler, worst_key);
    lint_add(s, LINT_ROTATION_NOT_UNIT, 0, output_key(s, sampler, worst_key),
             "the length is %.6g; %d of %d keys are not unit length", sqrt(lint_dot4(q, q)), (int)count,
             (int)sampler->key_count);
}

static void check_node(lint_subject *s, int32_t index) {
    const lint_node *node = &s->nodes[index];
    const double *q = node->rest[SINEW_TARGET_ROTATION];
    double length = sqrt(lint_dot4(q, q));
    if (lint_is_unit(length, REF_F32)) return;
    lint_add(s, LINT_ROTATION_NOT_UNIT, 0, lint_location(s, "nodes[%d].rotation", (int)index), "the length is %.6g",
             length);
}

static void check_all_rotations(lint_subject *s) {
    for (int32_t i = 0; i < s->node_count; i++) check_node(s, i);
    for (int32_t i = 0; i < s->animation_count; i++) {
        for (int32_t k = 0; k < s->animations[i].sampler_count; k++) {
            const lint_sampler *sampler = &s->animations[i].samplers[k];
            if (sampler->node < 0 || sampler->path != SINEW_TARGET_ROTATION || sampler->width != 4) continue;
            if (sampler->interpolation != SINEW_INTERPOLATION_STEP) check_sides(s, sampler);
            check_lengths(s, sampler);
        }
    }
}

void lint_check_animations(lint_subject *s) {
    check_all_channels(s);
    check_all_rotations(s);
    lint_check_loops(s);
}
