// SPDX-License-Identifier: MIT
// Fades and phases: everything in a mixer that changes over time, at any moment. Part of evaluation. Nothing here moves
// an action.
//
// The actions of a sync group and the samples of a blend space share a phase (see blend_space_phase.h). Together they
// have one rate, which is the mean of their own rates weighted by their weights.
#include "core/blend_space_data.h"
#include "core/mixer_evaluation.h"
#include "base/wrap.h"

#include <assert.h>
#include <string.h>

// ---- Fades ---------------------------------------------------------------------------------------------------

// A user's easing may overshoot. Values above this are a bug and could make a weight overflow.
#define MAX_EASED 1e6f

double sinewi_fade_ease(const sinew_mixer *mixer, uint8_t easing, double u) {
    if (easing == SINEW_EASING_SMOOTHSTEP) return u * u * (3.0 - 2.0 * u);
    if (easing == SINEW_EASING_LINEAR || !mixer->def.easing) return u;
    *mixer->in_easing = true;
    float eased = mixer->def.easing(easing - SINEW_EASING_USER, (float)u, mixer->def.user);
    *mixer->in_easing = false;
    assert(fabsf(eased) <= MAX_EASED);
    return fabsf(eased) <= MAX_EASED ? (double)eased : u;
}

static float slope_between(float from, float to) {
    return (float)((double)(to - from) / SINEWI_VELOCITY_SECONDS);
}

// Returns the value's slope in the last step. A fade that hasn't had a step doesn't change it.
static float last_slope(const sinew_mixer *mixer, const sinewi_fade *fade) {
    if (fade->elapsed == 0.0) return fade->slope;
    return slope_between(sinewi_fade_value_after(mixer, fade, -SINEWI_VELOCITY_SECONDS), fade->value);
}

void sinewi_fade_begin(const sinew_mixer *mixer, sinewi_fade *fade, float to, float duration, uint8_t easing) {
    bool at_once = !(duration > 0.0f);
    *fade = (sinewi_fade){
        .value = at_once ? to : fade->value,
        .from = fade->value,
        .to = to,
        .duration = at_once ? 0.0f : duration,
        .slope = at_once ? 0.0f : last_slope(mixer, fade),
        .easing = easing,
    };
}

float sinewi_fade_extrapolate(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds) {
    double start = fade->elapsed + seconds;
    if (fade->elapsed > 0.0 && !(start < 0.0)) return sinewi_fade_value_after(mixer, fade, seconds);
    if (fade->elapsed > 0.0) { // before it starts, it continues as it moves now
        float value = 2.0f * fade->value - sinewi_fade_value_after(mixer, fade, -seconds);
        return value > 0.0f ? value : 0.0f;
    }
    double value = (double)fade->value + (double)fade->slope * seconds;
    return value > 0.0 ? (float)value : 0.0f;
}

// Returns an easing's slope. Measures it for a user's easing.
static double ease_slope(const sinew_mixer *mixer, uint8_t easing, double u) {
    if (easing == SINEW_EASING_LINEAR) return 1.0;
    if (easing == SINEW_EASING_SMOOTHSTEP) return 6.0 * u * (1.0 - u);
    double h = 1.0 / 1024;
    return (sinewi_fade_ease(mixer, easing, fmin(u + h, 1.0)) - sinewi_fade_ease(mixer, easing, u)) / h;
}

float sinewi_fade_on_line(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds) {
    if (!sinewi_fade_is_active(fade)) return fade->value;
    double duration = (double)fade->duration, u = fade->elapsed / duration;
    double slope = (double)(fade->to - fade->from) * ease_slope(mixer, fade->easing, u) / duration;
    double value = (double)fade->value + slope * seconds;
    return value > 0.0 ? (float)value : 0.0f;
}

void sinewi_fade_set_initial_slope(const sinew_mixer *mixer, sinewi_fade *fade) {
    if (fade->elapsed > 0.0) return;
    fade->slope = slope_between(fade->value, sinewi_fade_value_after(mixer, fade, SINEWI_VELOCITY_SECONDS));
}

double sinewi_fade_mean(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds) {
    double left = (double)fade->duration - fade->elapsed;
    if (!sinewi_fade_is_active(fade) || !(seconds > left))
        return (double)sinewi_fade_value_after(mixer, fade, 0.5 * seconds);
    double middle = (double)sinewi_fade_value_after(mixer, fade, 0.5 * left);
    return (middle * left + (double)fade->to * (seconds - left)) / seconds;
}

double sinewi_fade_integral(const sinewi_fade *fade, double seconds) {
    double left = (double)fade->duration - fade->elapsed, fading = seconds < left ? seconds : left;
    double slope = (double)(fade->to - fade->from) / (double)fade->duration;
    double start = (double)fade->from + slope * fade->elapsed, end = start + slope * fading;
    return 0.5 * (start + end) * fading + (double)fade->to * (seconds - fading);
}

// ---- Time ----------------------------------------------------------------------------------------------------

float sinewi_action_clip_time_after(const action_state *state, double delta) {
    double duration = (double)state->clip->duration, time = sinewi_action_exact_time(state) + delta;
    if (state->loop == SINEW_LOOP_PING_PONG && duration > 0.0) {
        time = sinewi_wrapped(time, 2.0 * duration);
        return (float)(time > duration ? 2.0 * duration - time : time);
    }
    if (!(time > 0.0)) return 0.0f;
    return time < duration ? (float)time : state->clip->duration;
}

// ---- Sync groups ---------------------------------------------------------------------------------------------

#define MAX_SYNCED (SINEW_MAX_ACTIONS + SINEWI_MAX_SPACES * SINEW_MAX_BLEND_WEIGHTS)

// The clips that share a phase with an action.
typedef struct synced_set {
    sinewi_sync_member members[MAX_SYNCED];
    int32_t count;
    float weight; // sum of the weights
} synced_set;

bool sinewi_action_is_synced(const action_state *state) {
    bool repeats = state->clip && state->loop == SINEW_LOOP_REPEAT && !sinewi_action_is_frozen(state);
    return repeats && (state->sync || state->space);
}

bool sinewi_action_shares_phase(const action_state *a, const action_state *b) {
    return a == b || (a->sync != 0 && a->sync == b->sync && sinewi_action_is_synced(b));
}

double sinewi_action_phase(const action_state *state) {
    return state->space ? state->phase : sinewi_sync_phase_at_time(state->clip, &state->intervals, state->phase);
}

static void add_member(synced_set *set, sinewi_sync_member member) {
    set->members[set->count++] = member;
    set->weight += member.weight;
}

// Returns how much an action weighs in its group, which may span several layers. This is its proportion in its layer
// times the sum of the layer's weights. Unless proportions fade, it is the action's weight.
static float sync_weight(const sinew_mixer *mixer, const action_state *state, double seconds) {
    if (!mixer->layers[state->layer].proportions_fade)
        return (float)sinewi_fade_mean(mixer, &state->weight, seconds);
    double weights = 0.0, proportions = 0.0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *other = &mixer->actions[i];
        if (!other->clip || other->layer != state->layer) continue;
        weights += sinewi_fade_mean(mixer, &other->weight, seconds);
        proportions += sinewi_fade_mean(mixer, &other->proportion, seconds);
    }
    double factor = proportions > 0.0 ? weights / proportions : 0.0;
    return (float)(sinewi_fade_mean(mixer, &state->proportion, seconds) * factor);
}

// Adds an action's clips. The action's phase is `phase_ahead` of the set's. Uses weights, warps and parameters in the
// middle of the next `seconds`, or the current ones for 0. With `equal`, each action has weight 1.
static void add_action(const sinew_mixer *mixer, const action_state *state, double phase_ahead, double seconds,
                       bool equal, synced_set *set) {
    float weight = equal ? 1.0f : sync_weight(mixer, state, seconds);
    float speed = state->speed * (float)sinewi_fade_mean(mixer, &state->warp, seconds);
    if (!state->space) {
        add_member(set, (sinewi_sync_member){state->clip, state->intervals, weight, speed, phase_ahead});
        return;
    }
    space_state then = sinewi_space_state_after(sinewi_action_space(mixer, state), 0.5 * seconds);
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinewi_space_weights(mixer, state, &then, weights);
    if (then.space->match_speed) {
        float x = (float)then.parameter.x, y = (float)then.parameter.y;
        speed *= sinewi_blend_stride(then.space, x, y, weights, count).rate;
    }
    for (int32_t i = 0; i < count; i++) {
        const sinew_blend_sample *sample = &then.space->samples[weights[i].sample];
        sinewi_sync_intervals intervals = then.space->data->intervals[weights[i].sample];
        add_member(set, (sinewi_sync_member){sample->clip, intervals, weight * weights[i].weight,
                                             speed * sample->speed, phase_ahead});
    }
}

// Adds an action and all others that share its phase. Returns the number of actions.
static int32_t add_all(const sinew_mixer *mixer, const action_state *state, double seconds, bool equal,
                       synced_set *set) {
    set->count = 0;
    set->weight = 0.0f;
    double phase = sinewi_action_phase(state);
    int32_t actions = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *other = &mixer->actions[i];
        if (!sinewi_action_shares_phase(state, other)) continue;
        add_action(mixer, other, floor(sinewi_action_phase(other) - phase + 0.5), seconds, equal, set);
        actions++;
    }
    return actions;
}

// Collects an action's set. If no member has a weight, for example before a fade, all count equally.
static int32_t collect_synced(const sinew_mixer *mixer, const action_state *state, double seconds,
                              synced_set *set) {
    int32_t actions = add_all(mixer, state, seconds, false, set);
    return set->weight > 0.0f ? actions : add_all(mixer, state, seconds, true, set);
}

// Snaps a phase to a whole number if only rounding separates them, so all clips reach their markers together.
static double snapped(double from, double to) {
    const double tolerance = 1e-9;
    double whole = floor(to + 0.5), remainder = to > from ? whole - to : to - whole;
    return to != from && remainder > 0.0 && remainder < tolerance ? whole : to;
}

double sinewi_action_active_seconds(const action_state *state, double dt) {
    double left = (double)state->weight.duration - state->weight.elapsed;
    return sinewi_action_is_fading_out(state) && left < dt ? left : dt;
}

// Computes how far an action moves in dt seconds. It moves by its phase if it shares this phase.
static void compute_step(const sinew_mixer *mixer, const action_state *state, double dt, action_step *step) {
    *step = (action_step){.by_phase = false};
    if (!sinewi_action_is_synced(state)) return;
    double seconds = sinewi_action_active_seconds(state, dt);
    synced_set set;
    int32_t actions = collect_synced(mixer, state, seconds, &set);
    if (actions == 1 && !state->space) return;
    step->by_phase = true;
    step->from = sinewi_action_phase(state);
    sinewi_sync_motion motion = sinewi_sync_advance(set.members, set.count, step->from, seconds);
    step->to = snapped(step->from, step->from + motion.phase_delta);
    if (!state->space) return;
    bool is_whole = step->to == floor(step->to); // a whole phase belongs to the interval that starts there
    step->rate = is_whole ? sinewi_sync_rate(set.members, set.count, step->to) : motion.rate;
}

void sinewi_mixer_compute_sync_step(const sinew_mixer *mixer, double dt, sync_step *step) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++)
        compute_step(mixer, &mixer->actions[i], dt, &step->actions[i]);
}

bool sinewi_action_changes_rate(const sinew_mixer *mixer, const action_state *state) {
    action_step step;
    compute_step(mixer, state, 0.0, &step);
    return step.by_phase || sinewi_fade_is_active(&state->warp);
}

double sinewi_action_clip_motion(const sinew_mixer *mixer, const action_state *state, double seconds) {
    action_step step;
    compute_step(mixer, state, seconds, &step);
    if (!step.by_phase) {
        const sinewi_fade *warp = &state->warp;
        double factor =
            sinewi_fade_is_active(warp) ? sinewi_fade_integral(warp, seconds) : (double)warp->value * seconds;
        return factor * fabs((double)state->speed);
    }
    double moved = sinewi_sync_seconds(state->clip, &state->intervals, step.from, step.to - step.from);
    return state->speed < 0.0f ? -moved : moved;
}

double sinewi_action_phase_rate(const sinew_mixer *mixer, const action_state *state) {
    synced_set set;
    collect_synced(mixer, state, 0.0, &set);
    return sinewi_sync_rate(set.members, set.count, sinewi_action_phase(state));
}

double sinewi_action_own_phase_rate(const sinew_mixer *mixer, const action_state *state) {
    synced_set set = {.count = 0};
    add_action(mixer, state, 0.0, 0.0, true, &set);
    return sinewi_sync_rate(set.members, set.count, sinewi_action_phase(state));
}

double sinewi_action_rate(const sinew_mixer *mixer, const action_state *state) {
    if (sinewi_action_is_frozen(state)) return 0.0;
    if (state->space) return sinewi_action_phase_rate(mixer, state);
    double own = (double)state->warp.value * (double)state->speed;
    if (!sinewi_action_is_synced(state) || !(state->clip->duration > 0.0f))
        return sinewi_action_is_returning(state) ? -own : own;
    return sinewi_action_phase_rate(mixer, state) /
           sinewi_sync_clip_rate(state->clip, &state->intervals, sinewi_action_phase(state));
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

// Returns the action's kept weights if they are for this parameter. Compares its bits, because weights at 0 and -0 may
// differ.
static const kept_weights *find_kept(const sinew_mixer *mixer, const action_state *state,
                                     const space_state *space) {
    const kept_weights *kept = &mixer->weights[state->space - 1];
    const float point[2] = {(float)space->parameter.x, (float)space->parameter.y};
    const bool is_same = kept->serial == state->serial && kept->space == space->space;
    return is_same && memcmp(kept->point, point, sizeof point) == 0 ? kept : NULL;
}

int32_t sinewi_space_weights_within_step(const sinew_mixer *mixer, const action_state *state,
                                         const space_state *space,
                                         sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]) {
    const kept_weights *kept = find_kept(mixer, state, space);
    const float x = (float)space->parameter.x, y = (float)space->parameter.y;
    if (!kept) return sinew_blend_space_weights(space->space, x, y, weights);
    memcpy(weights, kept->weights, (size_t)kept->count * sizeof *weights);
    return kept->count;
}

int32_t sinewi_space_weights(const sinew_mixer *mixer, const action_state *state, const space_state *space,
                             sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]) {
    const int32_t count = sinewi_space_weights_within_step(mixer, state, space, weights);
    if (find_kept(mixer, state, space)) return count;
    kept_weights *kept = &mixer->weights[state->space - 1];
    *kept = (kept_weights){.space = space->space,
                           .serial = state->serial,
                           .point = {(float)space->parameter.x, (float)space->parameter.y},
                           .count = count};
    memcpy(kept->weights, weights, (size_t)count * sizeof *weights);
    return count;
}

static bool has_same_samples(const sinew_blend_weight *a, const sinew_blend_weight *b, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (a[i].sample != b[i].sample) return false;
    return true;
}

int32_t sinewi_space_weights_on_line(const sinew_mixer *mixer, const action_state *state, double seconds,
                                     sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]) {
    const space_state *space = sinewi_action_space(mixer, state);
    const int32_t count = sinewi_space_weights(mixer, state, space, weights);
    if (seconds == 0.0 || (space->parameter.vx == 0.0 && space->parameter.vy == 0.0)) return count;
    sinew_blend_weight moved[SINEW_MAX_BLEND_WEIGHTS];
    space_state then = *space;
    then.parameter.x += then.parameter.vx * seconds;
    then.parameter.y += then.parameter.vy * seconds;
    if (sinewi_space_weights(mixer, state, &then, moved) != count || !has_same_samples(weights, moved, count))
        return count;
    memcpy(weights, moved, (size_t)count * sizeof *moved);
    return count;
}

space_state sinewi_space_state_after(const space_state *space, double seconds) {
    space_state then = *space;
    sinew_blend_parameter_follow(&then.parameter, then.space, then.x, then.y, (float)seconds);
    return then;
}

float sinewi_space_time(const sinew_mixer *mixer, const action_state *state, int32_t sample, double phase_change) {
    const sinew_blend_space *space = sinewi_action_space(mixer, state)->space;
    const sinew_clip *clip = space->samples[sample].clip;
    const sinewi_sync_intervals *intervals = &space->data->intervals[sample];
    double time = sinewi_sync_time_at_phase(clip, intervals, state->phase);
    double rate = phase_change != 0.0 ? sinewi_sync_clip_rate(clip, intervals, state->phase) : 0.0;
    if (rate > 0.0) time += phase_change / rate;
    if (!(time > 0.0)) return 0.0f;
    return time < (double)clip->duration ? (float)time : clip->duration;
}
