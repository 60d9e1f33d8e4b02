// Chains: what follows an action at its end, and what a layer returns to.
#include "record/mixer_call.h"
#include "mixer/mixer_check.h"
#include "mixer/mixer_state.h"
#include "core/def_cookie.h"

#include <math.h>

// ---- What a layer returns to ---------------------------------------------------------------------------------

static bool is_nothing(const sinew_source *what) {
    return !what->clip && !what->blend_space;
}

// What an action plays and how, as it is now. A finished ONCE comes back to the pose that it holds.
static left_state left_by(const sinew_mixer *mixer, const action_state *state) {
    const space_state *space = sinew_action_space(mixer, state);
    left_state left = {.what = {.clip = state->clip}, .action = sinew_mixer_handle(mixer, state)};
    if (space) left.what = (sinew_source){NULL, space->space, space->x, space->y};
    left.def = (sinew_play_def){
        .time = SINEW_TIME_AUTO,
        .speed = state->speed,
        .weight = state->full_weight,
        .curve = (sinew_curve)state->curve,
        .layer = state->layer,
        .sync = state->sync,
        .loop = (sinew_loop)state->loop,
        .loop_count = state->loop_count,
        .cookie = SINEW_DEF_COOKIE,
    };
    bool holds = state->loop == SINEW_LOOP_ONCE && (state->flags & ACTION_FINISHED) != 0;
    if (holds) left.def.time = sinew_action_clip_time(state);
    return left;
}

// The heaviest action of a layer that a transition leads away from.
static const action_state *heaviest(const sinew_mixer *mixer, int32_t layer, const action_state *goes_on) {
    const action_state *most = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != layer || state == goes_on || sinew_action_fades_out(state)) continue;
        if (!most || state->weight.value > most->weight.value) most = state;
    }
    return most;
}

// An action that waits for a follower is on the way to that: an interrupted one-shot is not returned to.
void sinew_mixer_remember(sinew_mixer *mixer, int32_t layer, const action_state *goes_on) {
    const action_state *state = heaviest(mixer, layer, goes_on);
    if (!state) return;
    const follow_state *follow = &mixer->follows[state - mixer->actions];
    bool leads_on = follow->kind == FOLLOW_PLAY || follow->kind == FOLLOW_RETURN;
    if (leads_on && follow->to.def.layer == layer) {
        mixer->left[layer] = follow->to;
    } else if (follow->kind != FOLLOW_FADE_OUT) {
        mixer->left[layer] = left_by(mixer, state);
    }
}

// The layer's number of what is returned to, and behind those the slot's of what waits for it: all that refer to an action.
static left_state *next_reference(const sinew_mixer *mixer, sinew_action action, int32_t *next) {
    int32_t layers = mixer->def.layer_count, end = layers + mixer->state->slot_end;
    while (*next < end) {
        int32_t i = (*next)++;
        left_state *left = i < layers ? &mixer->left[i] : &mixer->follows[i - layers].to;
        bool waits = i < layers || mixer->follows[i - layers].kind == FOLLOW_RETURN;
        if (waits && action.id != 0 && left->action.id == action.id) return left;
    }
    return NULL;
}

void sinew_mixer_leave(sinew_mixer *mixer, const action_state *ends) {
    int32_t next = 0;
    sinew_action action = sinew_mixer_handle(mixer, ends);
    for (left_state *left; (left = next_reference(mixer, action, &next));) *left = left_by(mixer, ends);
}

void sinew_mixer_set_left_parameter(sinew_mixer *mixer, sinew_action action, float x, float y) {
    int32_t next = 0;
    for (left_state *left; (left = next_reference(mixer, action, &next));) {
        left->what.x = x;
        left->what.y = y;
    }
}

void sinew_mixer_set_left_speed(sinew_mixer *mixer, sinew_action action, float speed) {
    int32_t next = 0;
    for (left_state *left; (left = next_reference(mixer, action, &next));) left->def.speed = speed;
}

// ---- Asking for it -------------------------------------------------------------------------------------------

static void set_follow(sinew_mixer *mixer, const action_state *state, follow_kind kind, const left_state *to,
                       const sinew_transition *how) {
    mixer->follows[state - mixer->actions] = (follow_state){kind, *how, *to};
    mixer->state->followed++;
}

static void note_queue(const sinew_mixer *mixer, sinew_action action, const sinew_source *what,
                       const sinew_transition *transition, const sinew_play_def *def) {
    if (!mixer->recorder) return;
    sinew_note(mixer, (mixer_call){.kind = what->blend_space ? CALL_THEN_PLAY_SPACE : CALL_THEN_PLAY,
                                   .action = action,
                                   .clip = what->clip,
                                   .space = what->blend_space,
                                   .how = transition,
                                   .def = def,
                                   .x = what->x,
                                   .y = what->y});
}

void sinew_action_queue(sinew_mixer *mixer, sinew_action action, sinew_source source,
                        const sinew_transition *transition, const sinew_play_def *def) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    left_state to = {.what = sinew_checked_source(source)};
    bool plays = !is_nothing(&to.what);
    if (plays && !sinew_check_play(mixer, (play_request){&to.what, transition, def, state->layer})) return;
    sinew_transition how = transition ? sinew_checked_transition(transition) : sinew_transition_default();
    to.def = def ? sinew_checked_play_def(def) : sinew_play_default();
    note_queue(mixer, action, &to.what, transition ? &how : NULL, def ? &to.def : NULL);
    if (!def) to.def.layer = state->layer;
    set_follow(mixer, state, plays ? FOLLOW_PLAY : FOLLOW_NOTHING, &to, &how);
}

bool sinew_action_queue_previous(sinew_mixer *mixer, sinew_action action, const sinew_transition *transition) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return false;
    const left_state *left = &mixer->left[state->layer];
    if (is_nothing(&left->what)) return false;
    // The layer may have got another mode since.
    bool fits = sinew_may_play(mixer, (play_request){.source = &left->what, .def = &left->def});
    if (!sinew_check_transition(transition) || !fits) return false;
    sinew_transition how = transition ? sinew_checked_transition(transition) : sinew_transition_default();
    if (mixer->recorder)
        sinew_note(mixer,
                   (mixer_call){.kind = CALL_THEN_RETURN, .action = action, .how = transition ? &how : NULL});
    set_follow(mixer, state, FOLLOW_RETURN, left, &how);
    return true;
}

void sinew_action_queue_fade_out(sinew_mixer *mixer, sinew_action action, float duration) {
    sinew_transition how = {.duration = sinew_checked_duration(duration)};
    if (mixer->recorder)
        sinew_note(mixer, (mixer_call){.kind = CALL_THEN_FADE_OUT, .action = action, .x = how.duration});
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    const left_state nothing = {.what = {NULL, NULL, 0, 0}};
    set_follow(mixer, state, FOLLOW_FADE_OUT, &nothing, &how);
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

// A fade is to be over at the end; the other kinds start there.
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
        if (!state->clip || follow->kind == FOLLOW_NOTHING) continue;
        mixer->state->followed++;
        if ((state->flags & (ACTION_PAUSED | ACTION_STOP_AFTER_FADE)) != 0) continue;
        double left = seconds_left(state, &follow->how);
        if (left >= soonest) continue;
        soonest = left;
        *ends = state;
    }
    return soonest;
}

// What is returned to, as it is now where it still plays.
static left_state to_come(const sinew_mixer *mixer, const follow_state *follow) {
    const action_state *state = follow->kind == FOLLOW_RETURN ? sinew_mixer_slot(mixer, follow->to.action) : NULL;
    return state ? left_by(mixer, state) : follow->to;
}

void sinew_mixer_follow(sinew_mixer *mixer, action_state *ends) {
    follow_state follow = mixer->follows[ends - mixer->actions];
    mixer->follows[ends - mixer->actions].kind = FOLLOW_NOTHING;
    if (follow.kind == FOLLOW_FADE_OUT) {
        sinew_action_begin_fade(mixer, ends, 0.0f, follow.how.duration, ends->curve, true);
        return;
    }
    left_state to = to_come(mixer, &follow);
    to.def.restart |= to.what.clip == ends->clip && !ends->space; // a clip that follows itself
    left_state before = mixer->left[to.def.layer];
    int32_t layer = ends->layer;
    sinew_mixer_change_to(mixer, &to.what, &follow.how, &to.def);
    if (to.def.layer == layer) mixer->left[layer] = before; // `ends` was on its way here
}
