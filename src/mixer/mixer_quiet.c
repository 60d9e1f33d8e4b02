// SPDX-License-Identifier: MIT
// The time in which a mixer certainly reports no event, so that it need not be advanced.
#include "mixer/mixer_evaluation.h"

// Rounding may move an event to either side of a moment: the quiet time ends before it.
#define MARGIN 1e-5f

// The distance to the next marker or end, in seconds of the clip, in the direction of playback.
static double distance_to_event(const action_state *state, bool is_backward) {
    const sinew_clip *clip = state->clip;
    double time = sinew_action_exact_time(state), nearest = is_backward ? time : (double)clip->duration - time;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        double marker = (double)clip->markers[i].time, distance = is_backward ? time - marker : marker - time;
        if (distance > 0.0 && distance < nearest) nearest = distance;
    }
    return nearest;
}

// Whether an action moves at a constant speed, by itself.
static bool is_simple(const action_state *state) {
    return !sinew_action_is_synced(state) && !state->space && !sinew_fade_is_active(&state->warp) &&
           (state->flags & (ACTION_SEEKED | ACTION_NEW)) == 0 && state->clip->duration > 0.0f;
}

static double quiet_seconds_of(const action_state *state) {
    if (sinew_action_is_frozen(state)) return HUGE_VAL;
    if (!is_simple(state)) return 0.0;
    double rate = (double)state->speed * (double)state->warp.value;
    if (rate == 0.0) return HUGE_VAL;
    bool is_backward = (rate < 0.0) != sinew_action_is_returning(state);
    return distance_to_event(state, is_backward) / fabs(rate);
}

float sinew_mixer_quiet_seconds(const sinew_mixer *mixer) {
    const mixer_state *state = mixer->state;
    if (mixer->root || state->queued_count > 0 || state->set_pose.is_kept) return 0.0f;
    double quiet = (double)SINEW_MAX_QUIET_SECONDS;
    for (int32_t i = 0; i < state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        double seconds = action->clip ? quiet_seconds_of(action) : HUGE_VAL;
        if (seconds < quiet) quiet = seconds;
    }
    return (1.0f - MARGIN) * (float)quiet - MARGIN;
}
