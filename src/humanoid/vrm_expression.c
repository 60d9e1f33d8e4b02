// SPDX-License-Identifier: MIT
// Expressions (VRMC_vrm 1.0, expressions.md): names, weights after isBinary and overrides, and morph weights.
#include <sinew/humanoid/vrm.h>

#include "base/float_rules.h"

#include <assert.h>
#include <string.h>

int32_t sinew_vrm_find_expression(const sinew_vrm *vrm, const char *name) {
    assert(vrm && name);
    for (int32_t i = 0; i < vrm->expression_count; i++)
        if (strcmp(vrm->expressions[i].name, name) == 0) return i;
    return SINEW_NO_EXPRESSION;
}

// ---- Overrides -----------------------------------------------------------------------------------------------

// The groups of presets that can be overridden.
typedef enum group { GROUP_NONE, GROUP_MOUTH, GROUP_BLINK, GROUP_LOOK_AT, GROUP_COUNT } group;

static group group_of(sinew_vrm_preset preset) {
    if (preset >= SINEW_VRM_PRESET_AA && preset <= SINEW_VRM_PRESET_OH) return GROUP_MOUTH;
    if (preset >= SINEW_VRM_PRESET_BLINK && preset <= SINEW_VRM_PRESET_BLINK_RIGHT) return GROUP_BLINK;
    if (preset >= SINEW_VRM_PRESET_LOOK_UP && preset <= SINEW_VRM_PRESET_LOOK_RIGHT) return GROUP_LOOK_AT;
    return GROUP_NONE;
}

static float clamp01(float x) {
    return x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; // NaN becomes 0
}

// The weight before overrides. This also determines how much it overrides the others.
static float get_output(const sinew_vrm_expression *e, float weight) {
    return e->binary ? (weight > 0.5f ? 1.0f : 0.0f) : clamp01(weight);
}

static float get_override(sinew_vrm_override override, float output) {
    if (override == SINEW_VRM_OVERRIDE_BLOCK) return output > 0.0f ? 1.0f : 0.0f;
    return override == SINEW_VRM_OVERRIDE_BLEND ? output : 0.0f;
}

// The share of the weight that each group keeps.
typedef struct shares {
    float kept[GROUP_COUNT];
} shares;

static shares find_shares(const sinew_vrm *vrm, const float *weights) {
    float sums[GROUP_COUNT] = {0.0f};
    for (int32_t i = 0; i < vrm->expression_count; i++) {
        const sinew_vrm_expression *e = &vrm->expressions[i];
        const float output = get_output(e, weights[i]);
        const group own = group_of(e->preset);
        if (own != GROUP_MOUTH) sums[GROUP_MOUTH] += get_override(e->override_mouth, output);
        if (own != GROUP_BLINK) sums[GROUP_BLINK] += get_override(e->override_blink, output);
        if (own != GROUP_LOOK_AT) sums[GROUP_LOOK_AT] += get_override(e->override_look_at, output);
    }
    shares s;
    for (int i = 0; i < GROUP_COUNT; i++) s.kept[i] = 1.0f - clamp01(sums[i]);
    return s;
}

static float resolve(const sinew_vrm_expression *e, float weight, const shares *s) {
    const float kept = s->kept[group_of(e->preset)];
    if (e->binary && kept < 1.0f) return 0.0f;
    return get_output(e, weight) * kept;
}

void sinew_vrm_expressions_resolve(const sinew_vrm *vrm, const float *weights, float *resolved) {
    assert(vrm && ((weights && resolved) || vrm->expression_count == 0));
    const shares s = find_shares(vrm, weights);
    for (int32_t i = 0; i < vrm->expression_count; i++) resolved[i] = resolve(&vrm->expressions[i], weights[i], &s);
}

// ---- Morph weights -------------------------------------------------------------------------------------------

static float *morph_weight_of(const sinew_vrm_morph_bind *bind, const sinew_pose *pose) {
    return &pose->weights[pose->skeleton->weight_offsets[bind->node] + bind->target];
}

void sinew_vrm_expressions_apply(const sinew_vrm *vrm, const float *weights, sinew_pose *pose) {
    assert(vrm && pose && pose->skeleton == vrm->skeleton && (weights || vrm->expression_count == 0));
    const shares s = find_shares(vrm, weights);
    for (int32_t i = 0; i < vrm->expression_count; i++) {
        const sinew_vrm_expression *e = &vrm->expressions[i];
        for (int32_t k = 0; k < e->morph_count; k++) *morph_weight_of(&e->morphs[k], pose) = 0.0f;
    }
    for (int32_t i = 0; i < vrm->expression_count; i++) {
        const sinew_vrm_expression *e = &vrm->expressions[i];
        const float weight = resolve(e, weights[i], &s);
        for (int32_t k = 0; k < e->morph_count; k++)
            *morph_weight_of(&e->morphs[k], pose) += weight * e->morphs[k].weight;
    }
}

float sinew_vrm_track_weight(const sinew_vrm_track *track, const sinew_pose *pose) {
    assert(track && pose && track->node >= 0 && track->node < pose->skeleton->node_count);
    return clamp01(pose->tx[track->node]);
}
