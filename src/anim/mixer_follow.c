// Chains: what comes when an action ends, without anyone waiting for it.
#include "anim/mixer_call.h"
#include "anim/mixer_check.h"
#include "anim/mixer_state.h"

#include <math.h>

static bool is_nothing(const mixer_source *what) {
    return !what->clip && !what->space;
}

// ---- Asking for it -------------------------------------------------------------------------------------------

void sinew_action_then_play(sinew_mixer *mixer, sinew_action action, const sinew_clip *clip,
                            const sinew_transition *how, const sinew_play_def *def) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    follow_state next = {.what = {.clip = clip}};
    if (clip && !sinew_check_play(mixer, &(play_request){&next.what, how, def, state->layer})) return;
    next.how = how ? sinew_checked_transition(how) : sinew_transition_default();
    next.def = def ? sinew_checked_play_def(def) : sinew_play_default_def();
    if (mixer->recorder)
        sinew_note(mixer, (mixer_call){.kind = CALL_THEN_PLAY,
                                       .action = action,
                                       .clip = clip,
                                       .how = how ? &next.how : NULL,
                                       .def = def ? &next.def : NULL});
    if (!def) next.def.layer = state->layer;
    mixer->follows[state - mixer->actions] = next;
    mixer->state->followed++;
}

bool sinew_action_then_return(sinew_mixer *mixer, sinew_action action, const sinew_transition *how) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return false;
    const left_state *left = &mixer->left[state->layer];
    if (is_nothing(&left->what)) return false;
    // The layer may have got another mode since.
    bool fits = sinew_may_play(mixer, &(play_request){.source = &left->what, .def = &left->def});
    if (!sinew_check_transition(how) || !fits) return false;
    sinew_transition transition = how ? sinew_checked_transition(how) : sinew_transition_default();
    if (mixer->recorder)
        sinew_note(mixer,
                   (mixer_call){.kind = CALL_THEN_RETURN, .action = action, .how = how ? &transition : NULL});
    follow_state *follow = &mixer->follows[state - mixer->actions];
    *follow = (follow_state){left->what, transition, left->def};
    mixer->state->followed++;
    return true;
}

// ---- When it comes -------------------------------------------------------------------------------------------

// The clip's seconds to the last end of an action; HUGE_VAL where it has none.
static double way_left(const action_state *state) {
    if ((state->flags & ACTION_FINISHED) != 0) return 0.0;
    double duration = (double)state->clip->duration, phase = state->phase;
    bool backward = state->speed < 0.0f;
    if (state->loop == SINEW_LOOP_ONCE) return backward ? phase : duration - phase;
    if (state->loop_count == SINEW_FOREVER || state->space) return HUGE_VAL;
    double within = state->loop == SINEW_LOOP_PING_PONG && phase >= duration ? phase - duration : phase;
    double loops = sinew_action_ends_left(state) - 1.0;
    return (backward && within > 0.0 ? within : duration - within) + loops * duration;
}

// A fade is to be over at the end; the other kinds take what is shown there.
static double seconds_left(const action_state *state, const sinew_transition *how) {
    double way = way_left(state), pace = fabs((double)state->speed) * (double)state->warp.value;
    double lead = how->kind == SINEW_TRANSITION_FADE ? (double)how->duration : 0.0;
    if (way == 0.0) return 0.0;
    double left = pace > 0.0 ? way / pace - lead : HUGE_VAL;
    return left > 0.0 ? left : 0.0;
}

double sinew_mixer_next_follow(sinew_mixer *mixer, action_state **ends) {
    double soonest = HUGE_VAL;
    *ends = NULL;
    mixer->state->followed = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        const follow_state *follow = &mixer->follows[i];
        if (!state->clip || is_nothing(&follow->what)) continue;
        mixer->state->followed++;
        if ((state->flags & (ACTION_PAUSED | ACTION_STOP_AFTER_FADE)) != 0) continue;
        double left = seconds_left(state, &follow->how);
        if (left >= soonest) continue;
        soonest = left;
        *ends = state;
    }
    return soonest;
}

void sinew_mixer_follow(sinew_mixer *mixer, action_state *ends) {
    follow_state follow = mixer->follows[ends - mixer->actions];
    mixer->follows[ends - mixer->actions].what = (mixer_source){.clip = NULL};
    sinew_mixer_change_to(mixer, &follow.what, &follow.how, &follow.def);
}
