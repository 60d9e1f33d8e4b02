// Rotations: on the near side of the key before, and of length 1.
#include "lint/keys.h"

#include <math.h>

static const char *output_key(lint_subject *s, const lint_sampler *sampler, int32_t key) {
    return lint_place(s, "animations[%d].samplers[%d].output: key %d", (int)sampler->animation, (int)sampler->index,
                      (int)key);
}

static void check_sides(lint_subject *s, const lint_sampler *sampler) {
    int32_t first = -1, count = 0;
    for (int32_t k = 1; k < sampler->key_count; k++) {
        if (!lint_on_far_side(lint_key(sampler, k - 1), lint_key(sampler, k))) continue;
        if (first < 0) first = k;
        count++;
    }
    if (first < 0) return;
    double dot = lint_dot4(lint_key(sampler, first - 1), lint_key(sampler, first));
    lint_add(s, sampler->how == SINEW_INTERPOLATION_CUBICSPLINE ? LINT_SPLINE_FLIP : LINT_ROTATION_FLIP, 0,
             output_key(s, sampler, first), "the dot product with key %d is %.3f; %d such key%s here",
             (int)first - 1, dot, (int)count, count == 1 ? "" : "s");
}

static void check_lengths(lint_subject *s, const lint_sampler *sampler) {
    double worst = 0.0;
    int32_t at = -1, count = 0;
    for (int32_t k = 0; k < sampler->key_count; k++) {
        const double *q = lint_key(sampler, k);
        double length = sqrt(lint_dot4(q, q));
        if (lint_is_unit(length, sampler->component_type)) continue;
        count++;
        if (fabs(length - 1.0) <= worst) continue;
        worst = fabs(length - 1.0);
        at = k;
    }
    if (at < 0) return;
    const double *q = lint_key(sampler, at);
    lint_add(s, LINT_ROTATION_NOT_UNIT, 0, output_key(s, sampler, at),
             "its length is %.6g; %d of %d keys here are off", sqrt(lint_dot4(q, q)), (int)count,
             (int)sampler->key_count);
}

static void check_node(lint_subject *s, int32_t index) {
    const lint_node *node = &s->nodes[index];
    const double *q = node->rest[SINEW_TARGET_ROTATION];
    double length = sqrt(lint_dot4(q, q));
    if (lint_is_unit(length, 5126)) return;
    lint_add(s, LINT_ROTATION_NOT_UNIT, 0, lint_place(s, "nodes[%d].rotation", (int)index), "its length is %.6g",
             length);
}

void lint_check_rotations(lint_subject *s) {
    for (int32_t i = 0; i < s->node_count; i++) check_node(s, i);
    for (int32_t i = 0; i < s->animation_count; i++) {
        for (int32_t k = 0; k < s->animations[i].sampler_count; k++) {
            const lint_sampler *sampler = &s->animations[i].samplers[k];
            if (sampler->node < 0 || sampler->path != SINEW_TARGET_ROTATION || sampler->width != 4) continue;
            if (sampler->how != SINEW_INTERPOLATION_STEP) check_sides(s, sampler);
            check_lengths(s, sampler);
        }
    }
}
