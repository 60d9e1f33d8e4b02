// SPDX-License-Identifier: MIT
// Finds out how long a mixer certainly won't report any event and doesn't have to be advanced.
#include "core/mixer_evaluation.h"

// Rounding may move an event to either side of a moment, so the quiet time ends slightly earlier.
#define MARGIN 1e-5f

// Returns the distance to the next marker or end in clip seconds, in the direction of playback.
static double distance_to_event(const action_state *state, bool is_backward) {
    const sinew_clip *clip = state->clip;
    double time = (double)sinewi_action_clip_time(state);
    double nearest = is_backward ? time : (double)clip->duration - time;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        double marker = (double)clip->markers[i].time, distance = is_backward ? time - marker : marker - time;
        if (distance > 0.0 && distance < nearest) nearest = distance;
    }
    return nearest;
}

// ---- Actions that move by themselves -------------------------------------------------------------------------

static double own_quiet_seconds(const action_state *state) {
    if (sinewi_fade_is_active(&state->warp)) return 0.0;
    double rate = (double)state->speed * (double)state->warp.value;
    if (rate == 0.0) return HUGE_VAL;
    bool is_backward = (rate < 0.0) != sinewi_action_is_returning(state);
    return distance_to_event(state, is_backward) / fabs(rate);
}

// ---- Actions that share a phase ------------------------------------------------------------------------------

static bool has_arrived(const space_state *space) {
    space_state then = sinewi_space_state_after(space, SINEWI_VELOCITY_SECONDS);
    return then.parameter.x == space->parameter.x && then.parameter.y == space->parameter.y;
}

// Returns whether all phases have constant rates until they are whole. No weight, warp or parameter may change.
static bool has_constant_rates(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip) continue;
        bool fades = sinewi_fade_is_active(&state->weight) || sinewi_fade_is_active(&state->proportion) ||
                     sinewi_fade_is_active(&state->warp);
        if (fades || (state->space && !has_arrived(sinewi_action_space(mixer, state)))) return false;
    }
    return true;
}

// The rate may change at a whole phase.
static double phase_quiet_seconds(const sinew_mixer *mixer, const action_state *state) {
    if (!has_constant_rates(mixer)) return 0.0;
    double phase = sinewi_action_phase(state), rate = sinewi_action_phase_rate(mixer, state);
    if (rate == 0.0) return HUGE_VAL;
    double to_whole = rate < 0.0 ? phase - (ceil(phase) - 1.0) : floor(phase) + 1.0 - phase;
    double clip_rate = fabs(rate) / sinewi_sync_clip_rate(state->clip, &state->intervals, phase);
    double event = distance_to_event(state, rate < 0.0) / clip_rate, whole = to_whole / fabs(rate);
    return event < whole ? event : whole;
}

// ---- All actions ---------------------------------------------------------------------------------------------

static double quiet_seconds_of(const sinew_mixer *mixer, const action_state *state) {
    if (sinewi_action_is_frozen(state)) return HUGE_VAL;
    bool starts = (state->flags & (ACTION_SEEKED | ACTION_NEW)) != 0;
    if (starts || !(state->clip->duration > 0.0f)) return 0.0;
    return sinewi_action_is_synced(state) ? phase_quiet_seconds(mixer, state) : own_quiet_seconds(state);
}

float sinewi_mixer_quiet_seconds(const sinew_mixer *mixer) {
    const mixer_state *state = mixer->state;
    if (mixer->root || state->queued_count > 0 || state->set_pose.is_kept) return 0.0f;
    double quiet = (double)SINEWI_MAX_QUIET_SECONDS;
    for (int32_t i = 0; i < state->slot_end && quiet > 0.0; i++) {
        const action_state *action = &mixer->actions[i];
        double seconds = action->clip ? quiet_seconds_of(mixer, action) : HUGE_VAL;
        if (seconds < quiet) quiet = seconds;
    }
    return (1.0f - MARGIN) * (float)quiet - MARGIN;
}
