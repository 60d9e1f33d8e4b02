// SPDX-License-Identifier: MIT
// Proportions: the part of the pose that each action of a layer contributes while the layer fades. Control.
//
// A fade moves proportions. The weight of an action is the one that the program has asked for. Its contribution is
// weighted by its proportion, which moves evenly from its current value to its value after the fade:
//
//     target proportion = target weight / divisor of all target weights in the layer
//
// The divisor is the sum of the weights. A layer that leaves a remainder to the layers below, or to the rest pose,
// while the sum is less than 1, has a divisor of at least 1. Fading the weights themselves would not be even: a fade
// from weight 1 to a clip of weight 0.1 would make half of its change in its last tenth.
//
// In a layer in which nothing fades, the proportions are the weights, since they are divided by their sum in any case.
// Contributions of an additive layer are not divided by anything, and their proportions are always their weights.
#include "mixer/mixer_control.h"

// Differences of targets that are rounding.
#define SAME_PROPORTION 1e-6f

static bool leaves_remainder(const sinew_mixer *mixer, int32_t layer) {
    return layer > 0 || mixer->def.underweight == SINEW_UNDERWEIGHT_REST;
}

static float divisor(const sinew_mixer *mixer, int32_t layer, float sum) {
    return leaves_remainder(mixer, layer) && sum < 1.0f ? 1.0f : sum;
}

static float end_of(const sinew_fade *fade) {
    return sinew_fade_is_active(fade) ? fade->to : fade->value;
}

static float time_left(const sinew_fade *fade) {
    return sinew_fade_is_active(fade) ? (float)((double)fade->duration - fade->elapsed) : 0.0f;
}

static void scale(sinew_fade *fade, float factor) {
    fade->value *= factor;
    fade->from *= factor;
    fade->to *= factor;
    fade->slope *= factor;
}

static bool plays_in(const action_state *state, int32_t layer) {
    return state->clip && state->layer == layer;
}

static void scale_layer(sinew_mixer *mixer, int32_t layer, float factor, const action_state *except) {
    if (factor == 1.0f) return;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (plays_in(state, layer) && state != except) scale(&state->proportion, factor);
    }
    scale(&mixer->layers[layer].held_proportion, factor);
}

// Divides the proportions of a layer by their divisor, so that they can be compared with targets.
static void divide_proportions(sinew_mixer *mixer, int32_t layer) {
    float sum = mixer->layers[layer].held_proportion.value;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (plays_in(&mixer->actions[i], layer)) sum += mixer->actions[i].proportion.value;
    }
    float by = divisor(mixer, layer, sum);
    if (by > 0.0f) scale_layer(mixer, layer, 1.0f / by, NULL);
}

static float sum_targets(const sinew_mixer *mixer, int32_t layer) {
    float sum = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (plays_in(&mixer->actions[i], layer)) sum += end_of(&mixer->actions[i].weight);
    }
    return sum;
}

// ---- Targets -------------------------------------------------------------------------------------------------

// The target proportions of a layer's actions by slot, and their fades.
typedef struct target_proportions {
    float targets[SINEW_MAX_ACTIONS];
    float longest_fall; // seconds until the last falling proportion, or the held pose, has ended
} target_proportions;

// If all actions of the base fade out, the target is the pose of those that end last.
static void find_last_targets(const sinew_mixer *mixer, float *targets) {
    float last = 0.0f, sum = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool counts = plays_in(state, 0) && state->proportion.value > 0.0f;
        if (counts && time_left(&state->weight) > last) last = time_left(&state->weight);
    }
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool is_last = plays_in(state, 0) && time_left(&state->weight) >= last - SAME_PROPORTION;
        targets[i] = is_last ? state->proportion.value : 0.0f;
        sum += targets[i];
    }
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (sum > 0.0f) targets[i] /= sum;
    }
}

static void find_targets(const sinew_mixer *mixer, int32_t layer, float *targets) {
    float by = divisor(mixer, layer, sum_targets(mixer, layer));
    if (!(by > 0.0f)) {
        find_last_targets(mixer, targets);
        return;
    }
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        targets[i] = plays_in(state, layer) ? end_of(&state->weight) / by : 0.0f;
    }
}

// Whether the proportion of an action starts a fade to a target: it changes, or the program has changed its weight.
static bool starts_fade(const action_state *state, float target, const action_state *changed) {
    return state == changed || fabsf(target - end_of(&state->proportion)) > SAME_PROPORTION;
}

// How long the proportion of an action takes to its target: as long as the action's own fade. Without one, or if the fade
// that changed the target is longer, it takes as long as that: the rest of a fade-in may be too short for a change that
// another action makes. An action that fades out has no longer than its fade.
static float proportion_duration(const action_state *state, const action_state *changed, float duration) {
    float left = time_left(&state->weight);
    bool is_own = left > 0.0f && (state == changed || sinew_action_is_fading_out(state));
    return is_own || left > duration ? left : duration;
}

static target_proportions compute_targets(const sinew_mixer *mixer, int32_t layer, const action_state *changed,
                                          float duration) {
    target_proportions all = {.longest_fall = time_left(&mixer->layers[layer].held_proportion)};
    find_targets(mixer, layer, all.targets);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!plays_in(state, layer) || !(all.targets[i] < state->proportion.value)) continue;
        bool starts = starts_fade(state, all.targets[i], changed);
        float own = starts ? proportion_duration(state, changed, duration) : time_left(&state->proportion);
        if (own > all.longest_fall) all.longest_fall = own;
    }
    return all;
}

// Starts the fade of a proportion. One that rises does not take longer than those that fall, whose place it takes:
// otherwise the last part of theirs would be as steep as their sum is small.
static void begin_proportion(const sinew_mixer *mixer, action_state *state, const target_proportions *all,
                             float own, uint8_t curve) {
    float target = all->targets[state - mixer->actions];
    bool rises = target > state->proportion.value, is_hurried = rises && !leaves_remainder(mixer, state->layer);
    if (is_hurried && all->longest_fall > 0.0f && all->longest_fall < own) own = all->longest_fall;
    uint8_t own_curve = sinew_fade_is_active(&state->weight) ? state->weight.curve : curve;
    sinew_fade_begin(mixer, &state->proportion, target, own, own_curve);
}

void sinew_layer_begin_proportions(sinew_mixer *mixer, int32_t layer, const action_state *changed, float duration,
                                   uint8_t curve) {
    mixer->layers[layer].proportions_fade = true;
    divide_proportions(mixer, layer);
    target_proportions all = compute_targets(mixer, layer, changed, duration);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!plays_in(state, layer) || !starts_fade(state, all.targets[i], changed)) continue;
        begin_proportion(mixer, state, &all, proportion_duration(state, changed, duration), curve);
    }
}

// ---- Weights -------------------------------------------------------------------------------------------------

// Sets a weight without a fade. The other proportions keep their proportions, and their fades.
static void set_weight(sinew_mixer *mixer, action_state *state, float weight) {
    int32_t layer = state->layer;
    float before = divisor(mixer, layer, sum_targets(mixer, layer));
    state->weight = sinew_fade_constant(weight);
    float after = divisor(mixer, layer, sum_targets(mixer, layer));
    if (!mixer->layers[layer].proportions_fade) {
        state->proportion = state->weight;
        return;
    }
    divide_proportions(mixer, layer);
    if (before > 0.0f && after > 0.0f) scale_layer(mixer, layer, before / after, state);
    state->proportion = sinew_fade_constant(after > 0.0f ? weight / after : 0.0f);
    if (before > 0.0f || !(after > 0.0f)) return;
    // All others fade out, and those that end last were to be the whole pose. Now they end at 0.
    state->proportion = sinew_fade_constant(0.0f);
    sinew_layer_begin_proportions(mixer, layer, NULL, 0.0f, SINEW_CURVE_LINEAR);
}

void sinew_action_fade_weight(sinew_mixer *mixer, action_state *state, float weight, float duration,
                              uint8_t curve) {
    if (weight > 0.0f && !(state->proportion.value > 0.0f)) sinew_action_lose_side(mixer, state);
    if (state->layer == 0) sinew_mixer_lose_rest_side(mixer);
    bool adds = mixer->layers[state->layer].mode == SINEW_LAYER_ADDITIVE;
    if (adds) {
        sinew_fade_begin(mixer, &state->weight, weight, duration, curve);
        state->proportion = state->weight;
    } else if (duration > 0.0f) {
        sinew_fade_begin(mixer, &state->weight, weight, duration, curve);
        sinew_layer_begin_proportions(mixer, state->layer, state, duration, curve);
    } else {
        set_weight(mixer, state, weight);
    }
}

void sinew_layer_hold_proportion(sinew_mixer *mixer, int32_t layer, float proportion, float duration,
                                 uint8_t curve) {
    layer_state *held = &mixer->layers[layer];
    held->held_proportion = sinew_fade_constant(proportion);
    sinew_fade_begin(mixer, &held->held_proportion, 0.0f, duration, curve);
    held->proportions_fade = true;
}

// ---- The end of all fades ------------------------------------------------------------------------------------

static bool layer_fades(const sinew_mixer *mixer, int32_t layer) {
    if (sinew_fade_is_active(&mixer->layers[layer].held_proportion)) return true;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!plays_in(state, layer)) continue;
        if (sinew_fade_is_active(&state->weight) || sinew_fade_is_active(&state->proportion)) return true;
    }
    return false;
}

void sinew_layer_settle_proportions(sinew_mixer *mixer, int32_t layer) {
    if (!mixer->layers[layer].proportions_fade || layer_fades(mixer, layer)) return;
    mixer->layers[layer].proportions_fade = false;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (plays_in(state, layer)) state->proportion = sinew_fade_constant(state->weight.value);
    }
}
