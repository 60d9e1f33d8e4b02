// Time: how actions move through their clips, how fades move, and what happens on the way.
#include "anim/mixer_state.h"

#include <assert.h>
#include <math.h>

// ---- Phase ---------------------------------------------------------------------------------------------------

double sinew_action_start(const sinew_clip *clip, float time, float speed) {
    if (time == SINEW_TIME_AUTO) return speed < 0.0f ? (double)clip->duration : 0.0;
    if (!(time > 0.0f)) return 0.0;
    return time < clip->duration ? (double)time : (double)clip->duration;
}

float sinew_action_clip_time(const action_state *state) {
    double duration = (double)state->clip->duration;
    bool back = state->loop == SINEW_LOOP_PING_PONG && state->phase > duration;
    return (float)(back ? 2.0 * duration - state->phase : state->phase);
}

// Into [0, period): exactly the period is 0 again. Rounding may put `phase` a hair outside.
static double wrapped(double phase, double period) {
    if (phase > 0.0 && phase < period) return phase;
    double rest = phase - period * floor(phase / period);
    return rest > 0.0 && rest < period ? rest : 0.0;
}

// The ends that are left to an action until it finishes.
static double ends_left(const action_state *state) {
    if (state->loop == SINEW_LOOP_ONCE) return 1.0;
    return state->loop_count == SINEW_FOREVER ? HUGE_VAL : (double)(state->loop_count - state->loops_done);
}

// Which of the stretches between two ends has a place, the end itself belonging to the one that starts there: mostly one
// of those next to 0, which takes no division.
static double stretch_at(double place, double duration) {
    if (place >= 0.0 && place < duration) return 0.0;
    if (place < 0.0 && place >= -duration) return -1.0;
    return floor(place / duration);
}

// The ends that are reached; none where the way starts. The one at which ONCE stops is reached wherever it starts.
static double ends_reached(const action_state *state, const clip_way *way, double duration) {
    if (state->loop == SINEW_LOOP_ONCE) return way->to >= (way->backward ? 0.0 : duration) ? 1.0 : 0.0;
    return way->last - way->first;
}

static void stop_at_last_end(clip_way *way, double reached, double duration) {
    way->last = way->first + reached - 1.0;
    way->to = (way->last + 1.0) * duration;
    way->finishes = true;
}

// Goes `delta` seconds of the clip on, back where it is negative, and says which way that was.
static clip_way go_on(action_state *state, double delta) {
    double duration = (double)state->clip->duration;
    clip_way way = {.backward = delta < 0.0};
    way.from = way.backward ? -state->phase : state->phase;
    way.to = way.from + fabs(delta);
    bool once = state->loop == SINEW_LOOP_ONCE;
    way.first = once ? (way.backward ? -1.0 : 0.0) : stretch_at(way.from, duration);
    way.last = once ? way.first : stretch_at(way.to, duration);
    double reached = ends_reached(state, &way, duration);
    if (reached >= ends_left(state)) {
        reached = ends_left(state);
        stop_at_last_end(&way, reached, duration);
        state->flags |= ACTION_FINISHED;
    }
    int32_t room = INT32_MAX - state->loops_done;
    state->loops_done += reached < (double)room ? (int32_t)reached : room;

    double phase = way.backward ? -way.to : way.to;
    if (state->loop == SINEW_LOOP_PING_PONG) {
        phase = wrapped(phase, 2.0 * duration);
    } else if (way.finishes) { // the last pose of the clip, not the first of a loop that does not come
        phase = way.backward ? 0.0 : duration;
    } else if (state->loop == SINEW_LOOP_REPEAT) {
        phase = wrapped(phase, duration);
    }
    state->phase = phase;
    return way;
}

// A clip of no duration is at its end wherever it is: it finishes if it ever would, and else goes round unseen.
static clip_way stay(action_state *state) {
    clip_way way = {.finishes = state->loop == SINEW_LOOP_ONCE || state->loop_count != SINEW_FOREVER};
    state->phase = 0.0;
    if (way.finishes) state->flags |= ACTION_FINISHED;
    return way;
}

static void advance_phase(sinew_mixer *mixer, action_state *state, double seconds) {
    if ((state->flags & (ACTION_PAUSED | ACTION_FINISHED)) != 0) return;
    double delta = seconds * (double)state->speed;
    bool instant = !(state->clip->duration > 0.0f);
    if (delta == 0.0 && !instant) return;
    clip_way way = instant ? stay(state) : go_on(state, delta);
    way.rate = fabs((double)state->speed);
    bool eventful = way.finishes || way.first < way.last || state->clip->marker_count > 0;
    if (eventful) sinew_action_add_events(mixer, state, &way);
    state->flags &= (uint8_t)~ACTION_FRESH;
}

// ---- Fades ---------------------------------------------------------------------------------------------------

void sinew_action_end(sinew_mixer *mixer, action_state *state) {
    sinew_mixer_catch_up(mixer);
    state->clip = NULL;
    int32_t *end = &mixer->state->slot_end;
    while (*end > 0 && !mixer->actions[*end - 1].clip) (*end)--;
}

void sinew_action_begin_fade(sinew_mixer *mixer, action_state *state, float weight, float duration,
                             bool stop_after) {
    state->fade_from = state->weight;
    state->fade_to = weight;
    state->fade_elapsed = 0.0;
    state->fade_duration = duration;
    state->flags = (uint8_t)(stop_after ? state->flags | ACTION_STOP_AFTER_FADE
                                        : state->flags & ~(unsigned)ACTION_STOP_AFTER_FADE);
    if (duration > 0.0f) return;
    state->fade_duration = 0.0f;
    state->weight = weight;
    if (stop_after) sinew_action_end(mixer, state);
}

// The weight is computed from the time since the fade began and not added up, so that it is linear whatever the
// frame rate.
float sinew_action_weight_after(const action_state *state, double seconds) {
    if (!(state->fade_duration > 0.0f)) return state->weight;
    double share = (state->fade_elapsed + seconds) / (double)state->fade_duration;
    if (!(share < 1.0)) return state->fade_to;
    return (float)((double)state->fade_from + (double)(state->fade_to - state->fade_from) * share);
}

// True when the fade was one after which the action stops, and it is over.
static bool advance_fade(action_state *state, double dt) {
    if (!(state->fade_duration > 0.0f)) return false;
    state->weight = sinew_action_weight_after(state, dt);
    state->fade_elapsed += dt;
    if (state->fade_elapsed < (double)state->fade_duration) return false;
    state->fade_duration = 0.0f;
    return (state->flags & ACTION_STOP_AFTER_FADE) != 0;
}

// ---- Advancing -----------------------------------------------------------------------------------------------

// How much of a step an action lives to see.
static double life_left(const action_state *state, double dt) {
    bool fades_out = (state->flags & ACTION_STOP_AFTER_FADE) != 0 && state->fade_duration > 0.0f;
    double left = (double)state->fade_duration - state->fade_elapsed;
    return fades_out && left < dt ? left : dt;
}

static void advance_action(sinew_mixer *mixer, action_state *action, double dt) {
    advance_phase(mixer, action, life_left(action, dt));
    if (advance_fade(action, dt)) sinew_action_end(mixer, action);
}

void sinew_mixer_advance(sinew_mixer *mixer, float dt) {
    assert(dt >= 0.0f && isfinite(dt));
    mixer->state->event_count = mixer->state->events_lost = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (action->clip) advance_action(mixer, action, (double)dt);
    }
    if (!mixer->def.on_event) return;
    for (int32_t i = 0; i < mixer->state->event_count; i++) {
        mixer->def.on_event(&mixer->events[i], mixer->def.user);
    }
}
