// SPDX-License-Identifier: MIT
// Proportions: how much each action contributes while its layer fades. Part of control.
//
// Fades move proportions. An action's weight is what the program asked for, but its contribution is weighted by its
// proportion. The proportion moves evenly from its current value to its value after the fade:
//
//     target proportion = target weight / divisor of all target weights in the layer
//
// The divisor is the sum of the weights. It is at least 1 if the layer leaves the rest to the layers below or to the
// rest pose when the sum is below 1. Fading the weights directly would be uneven: a fade from weight 1 to a clip of
// weight 0.1 would do half of its change in its last tenth.
//
// If nothing in a layer fades, the proportions are the weights, because they get divided by their sum anyway. The
// targets are computed once for all simultaneous changes, before the next step or evaluation. So two calls that
// cross-fade two actions are one change. Contributions of an additive layer aren't divided by anything, so their
// proportions are always their weights.
#include "core/mixer_control.h"

// Differences between targets below this are rounding.
#define SAME_PROPORTION 1e-6f

// Differences between the ends of fades below this are rounding, in seconds.
#define SAME_TIME 1e-6f

static bool leaves_remainder(const sinew_mixer *mixer, int32_t layer) {
    return layer > 0 || mixer->def.underweight == SINEW_UNDERWEIGHT_REST;
}

static float divisor(const sinew_mixer *mixer, int32_t layer, float sum) {
    return leaves_remainder(mixer, layer) && sum < 1.0f ? 1.0f : sum;
}

static float end_of(const sinewi_fade *fade) {
    return sinewi_fade_is_active(fade) ? fade->to : fade->value;
}

static void scale(sinewi_fade *fade, float factor) {
    fade->value *= factor;
    fade->from *= factor;
    fade->to *= factor;
    fade->slope *= factor;
}

static bool plays_in(const action_state *state, int32_t layer) {
    return state->clip && state->layer == layer;
}

static void scale_layer(sinew_mixer *mixer, int32_t layer, float factor) {
    if (factor == 1.0f) return;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (plays_in(state, layer)) scale(&state->proportion, factor);
    }
    if (layer == 0) scale(&mixer->state->held_proportion, factor);
}

// Divides a layer's proportions by their divisor, so they compare with targets.
static void divide_proportions(sinew_mixer *mixer, int32_t layer) {
    float sum = layer == 0 ? mixer->state->held_proportion.value : 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (plays_in(&mixer->actions[i], layer)) sum += mixer->actions[i].proportion.value;
    }
    float by = divisor(mixer, layer, sum);
    if (by > 0.0f) scale_layer(mixer, layer, 1.0f / by);
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

// If all base actions fade out, the target is the pose of the ones that end last.
static void find_last_targets(const sinew_mixer *mixer, float *targets) {
    float last = 0.0f, sum = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool counts = plays_in(state, 0) && state->proportion.value > 0.0f;
        if (counts && sinewi_fade_seconds_left(&state->weight) > last)
            last = sinewi_fade_seconds_left(&state->weight);
    }
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool is_last = plays_in(state, 0) && sinewi_fade_seconds_left(&state->weight) >= last - SAME_TIME;
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

static const sinewi_fade *own_fade(const action_state *state) {
    if ((state->flags & ACTION_FADE_ASKED) != 0) return &state->weight;
    return sinewi_fade_is_active(&state->proportion) ? &state->proportion : NULL;
}

static bool changes_target(const action_state *state, float target) {
    return fabsf(target - end_of(&state->proportion)) > SAME_PROPORTION;
}

// Returns how long an action's proportion takes to reach its target. It takes as long as the action's own fade, if one
// was requested or if the action ends with it. Otherwise it takes as long as the fade that changes its target. If it is
// already moving, it takes at least its remaining time, because the rest of a fade-in may be too short for another
// action's change.
static float own_duration(const action_state *state, const layer_state *layer, float target) {
    bool ends = sinewi_action_is_fading_out(state) && sinewi_fade_is_active(&state->weight);
    if (ends || (state->flags & ACTION_FADE_ASKED) != 0) return sinewi_fade_seconds_left(&state->weight);
    float left = sinewi_fade_seconds_left(&state->proportion);
    return changes_target(state, target) && layer->change_duration > left ? layer->change_duration : left;
}

static target_proportions compute_targets(const sinew_mixer *mixer, int32_t l) {
    const layer_state *layer = &mixer->layers[l];
    target_proportions all = {.longest_fall =
                                  l == 0 ? sinewi_fade_seconds_left(&mixer->state->held_proportion) : 0.0f};
    find_targets(mixer, l, all.targets);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!plays_in(state, l) || !(all.targets[i] < state->proportion.value)) continue;
        float own = own_duration(state, layer, all.targets[i]);
        if (own > all.longest_fall) all.longest_fall = own;
    }
    return all;
}

// Starts a proportion's fade, unless it already moves to this target. A rising one doesn't take longer than the falling
// ones. Otherwise the sum would become small, and the end of a falling proportion, divided by this sum, would be steep.
static void begin_proportion(const sinew_mixer *mixer, action_state *state, const target_proportions *all) {
    const layer_state *layer = &mixer->layers[state->layer];
    const sinewi_fade *own = own_fade(state);
    float target = all->targets[state - mixer->actions], duration = own_duration(state, layer, target);
    uint8_t easing = own ? own->easing : layer->change_easing;
    bool rises = target > state->proportion.value && !leaves_remainder(mixer, state->layer);
    bool is_late = rises && all->longest_fall > 0.0f && all->longest_fall < duration;
    bool is_asked = (state->flags & ACTION_FADE_ASKED) != 0;
    if (!is_asked && !changes_target(state, target) && !is_late) return;
    sinewi_fade_begin(mixer, &state->proportion, target, is_late ? all->longest_fall : duration, easing);
}

static void begin_layer(sinew_mixer *mixer, int32_t l) {
    divide_proportions(mixer, l);
    target_proportions all = compute_targets(mixer, l);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!plays_in(state, l)) continue;
        begin_proportion(mixer, state, &all);
    }
}

static void forget_changes(sinew_mixer *mixer, int32_t l) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (plays_in(state, l)) state->flags &= (uint8_t)~ACTION_FADE_ASKED;
    }
    mixer->layers[l].weights_changed = false;
    mixer->layers[l].change_duration = 0.0f;
}

void sinewi_mixer_begin_proportions(sinew_mixer *mixer) {
    for (int32_t l = 0; l < mixer->def.layer_count; l++) {
        if (!mixer->layers[l].weights_changed) continue;
        begin_layer(mixer, l);
        forget_changes(mixer, l);
    }
}

void sinewi_mixer_preview_proportions(sinew_mixer *mixer, proportion_fades *before) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) before->actions[i] = mixer->actions[i].proportion;
    before->held = mixer->state->held_proportion;
    for (int32_t l = 0; l < mixer->def.layer_count; l++)
        if (mixer->layers[l].weights_changed) begin_layer(mixer, l);
}

void sinewi_mixer_restore_proportions(sinew_mixer *mixer, const proportion_fades *before) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) mixer->actions[i].proportion = before->actions[i];
    mixer->state->held_proportion = before->held;
}

// Returns whether the rest pose is part of the base now. If not, it joins with the next change.
static bool rest_contributes(const sinew_mixer *mixer) {
    if (mixer->def.underweight != SINEW_UNDERWEIGHT_REST) return true;
    float sum = mixer->state->held_proportion.value;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (plays_in(&mixer->actions[i], 0)) sum += mixer->actions[i].proportion.value;
    }
    return sum < 1.0f - SAME_PROPORTION;
}

void sinewi_mixer_prepare_rest(const sinew_mixer *mixer) {
    if (!rest_contributes(mixer)) sinewi_mixer_lose_rest_side(mixer);
}

void sinewi_layer_change_weights(sinew_mixer *mixer, int32_t l, float duration, uint8_t easing) {
    layer_state *layer = &mixer->layers[l];
    if (l == 0) sinewi_mixer_prepare_rest(mixer);
    layer->proportions_fade = layer->weights_changed = true;
    if (!(duration > layer->change_duration)) return;
    layer->change_duration = duration;
    layer->change_easing = easing;
}

// ---- Weights -------------------------------------------------------------------------------------------------

// Returns the proportions of a layer's other actions, divided by their weights.
static float proportion_of_weight(const sinew_mixer *mixer, const action_state *except) {
    float proportions = 0.0f, weights = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state == except || !plays_in(state, except->layer)) continue;
        proportions += state->proportion.value;
        weights += state->weight.value;
    }
    return proportions > 0.0f && weights > 0.0f ? proportions / weights : 1.0f;
}

static float longest_fade(const sinew_mixer *mixer, const action_state *except) {
    float longest = except->layer == 0 ? sinewi_fade_seconds_left(&mixer->state->held_proportion) : 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state == except || !plays_in(state, except->layer)) continue;
        float left = sinewi_fade_seconds_left(&state->weight);
        if (left > longest) longest = left;
    }
    return longest;
}

// Makes a layer immediately cover the layers below, or the rest pose, as far as its weights say.
static void cover_at_once(sinew_mixer *mixer, int32_t layer) {
    if (!leaves_remainder(mixer, layer)) return;
    float proportions = layer == 0 ? mixer->state->held_proportion.value : 0.0f, weights = proportions;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (!plays_in(&mixer->actions[i], layer)) continue;
        proportions += mixer->actions[i].proportion.value;
        weights += mixer->actions[i].weight.value;
    }
    if (weights > 1.0f) weights = 1.0f;
    const bool differs = fabsf(weights - proportions) > SAME_PROPORTION;
    if (differs && proportions > 0.0f) scale_layer(mixer, layer, weights / proportions);
}

// Sets a weight without a fade. The action immediately counts by its weight, and the layer's others by their current
// weights. Anything that still fades is planned again from here.
static void set_weight(sinew_mixer *mixer, action_state *state, float weight) {
    sinewi_mixer_begin_proportions(mixer);
    state->weight = state->proportion = sinewi_fade_constant(weight);
    if (!mixer->layers[state->layer].proportions_fade) return;
    state->proportion = sinewi_fade_constant(weight * proportion_of_weight(mixer, state));
    cover_at_once(mixer, state->layer);
    sinewi_layer_change_weights(mixer, state->layer, longest_fade(mixer, state), SINEW_EASING_LINEAR);
}

void sinewi_action_fade_weight(sinew_mixer *mixer, action_state *state, float weight, float duration,
                               uint8_t easing) {
    if (weight > 0.0f && !(state->proportion.value > 0.0f)) sinewi_action_lose_side(mixer, state);
    if (state->layer == 0) sinewi_mixer_prepare_rest(mixer);
    bool adds = mixer->layers[state->layer].mode == SINEW_LAYER_ADDITIVE;
    if (adds) {
        sinewi_fade_begin(mixer, &state->weight, weight, duration, easing);
        state->proportion = state->weight;
    } else if (duration > 0.0f) {
        sinewi_fade_begin(mixer, &state->weight, weight, duration, easing);
        state->flags |= ACTION_FADE_ASKED;
        sinewi_layer_change_weights(mixer, state->layer, duration, easing);
    } else {
        set_weight(mixer, state, weight);
    }
}

void sinewi_mixer_begin_held_fade(sinew_mixer *mixer, float duration, uint8_t easing) {
    mixer->state->held_proportion = sinewi_fade_constant(1.0f);
    sinewi_fade_begin(mixer, &mixer->state->held_proportion, 0.0f, duration, easing);
    mixer->layers[0].proportions_fade = true;
}

// ---- The end of all fades ------------------------------------------------------------------------------------

static bool layer_fades(const sinew_mixer *mixer, int32_t layer) {
    if (layer == 0 && sinewi_fade_is_active(&mixer->state->held_proportion)) return true;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!plays_in(state, layer)) continue;
        if (sinewi_fade_is_active(&state->weight) || sinewi_fade_is_active(&state->proportion)) return true;
    }
    return false;
}

bool sinewi_layer_has_settled(const sinew_mixer *mixer, int32_t layer) {
    const layer_state *fading = &mixer->layers[layer];
    return fading->proportions_fade && !fading->weights_changed && !layer_fades(mixer, layer);
}

void sinewi_layer_settle_proportions(sinew_mixer *mixer, int32_t layer) {
    if (!sinewi_layer_has_settled(mixer, layer)) return;
    mixer->layers[layer].proportions_fade = false;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (plays_in(state, layer)) state->proportion = sinewi_fade_constant(state->weight.value);
    }
}
