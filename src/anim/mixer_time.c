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

// What one step did to an action.
typedef struct step {
    int32_t loops; // ends that were passed
    bool finished;
} step;

// How many ends are reached on the way, an end being a multiple of the duration. `from` itself does not count: it was
// reached before.
static double ends_reached(double from, double to, double duration) {
    if (to > from) return floor(to / duration) - floor(from / duration);
    return ceil(from / duration) - ceil(to / duration);
}

// The count-th end reached from `from`.
static double end_reached(double from, bool forward, int32_t count, double duration) {
    return forward ? (floor(from / duration) + count) * duration : (ceil(from / duration) - count) * duration;
}

// Into [0, period): exactly the period is 0 again. Rounding may put `phase` a hair outside.
static double wrapped(double phase, double period) {
    double rest = phase - period * floor(phase / period);
    return rest > 0.0 && rest < period ? rest : 0.0;
}

static step finish(action_state *state, double phase, int32_t loops) {
    state->phase = phase;
    state->flags |= ACTION_FINISHED;
    state->loops_done += loops;
    return (step){loops - 1, true};
}

static step advance_once(action_state *state, double delta) {
    double duration = (double)state->clip->duration, to = state->phase + delta;
    if (delta > 0.0 && to >= duration) return finish(state, duration, 1);
    if (delta < 0.0 && to <= 0.0) return finish(state, 0.0, 1);
    state->phase = to;
    return (step){0, false};
}

// A clip of no duration is at its end wherever it is: it finishes if it ever would, and else goes round unseen.
static step advance_instant(action_state *state) {
    state->phase = 0.0;
    if (state->loop != SINEW_LOOP_ONCE && state->loop_count == SINEW_FOREVER) return (step){0, false};
    state->flags |= ACTION_FINISHED;
    return (step){0, true};
}

static step advance_loops(action_state *state, double delta) {
    double duration = (double)state->clip->duration;
    bool ping_pong = state->loop == SINEW_LOOP_PING_PONG;
    double period = ping_pong ? 2.0 * duration : duration;
    double from = state->phase, to = from + delta;
    double reached = ends_reached(from, to, duration);

    int32_t left = state->loop_count == SINEW_FOREVER ? INT32_MAX : state->loop_count - state->loops_done;
    if (state->loop_count != SINEW_FOREVER && reached >= (double)left) {
        double end = wrapped(end_reached(from, delta > 0.0, left, duration), period);
        // The last loop's end holds the clip's last pose, not the first pose of a loop that does not come.
        if (!ping_pong && delta > 0.0) end = duration;
        return finish(state, end, left);
    }
    int32_t room = INT32_MAX - state->loops_done;
    int32_t loops = reached < (double)room ? (int32_t)reached : room;
    state->loops_done += loops;
    state->phase = wrapped(to, period);
    return (step){loops, false};
}

static step advance_phase(action_state *state, double delta) {
    if ((state->flags & (ACTION_PAUSED | ACTION_FINISHED)) != 0) return (step){0, false};
    if (!(state->clip->duration > 0.0f)) return advance_instant(state);
    if (delta == 0.0) return (step){0, false};
    return state->loop == SINEW_LOOP_ONCE ? advance_once(state, delta) : advance_loops(state, delta);
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
// frame rate. True when the fade was one after which the action stops, and it is over.
static bool advance_fade(action_state *state, double dt) {
    if (!(state->fade_duration > 0.0f)) return false;
    state->fade_elapsed += dt;
    double share = state->fade_elapsed / (double)state->fade_duration;
    if (share < 1.0) {
        state->weight = (float)((double)state->fade_from + (double)(state->fade_to - state->fade_from) * share);
        return false;
    }
    state->fade_duration = 0.0f;
    state->weight = state->fade_to;
    return (state->flags & ACTION_STOP_AFTER_FADE) != 0;
}

// ---- Advancing -----------------------------------------------------------------------------------------------

static void add_event(sinew_mixer *mixer, sinew_event_type type, const action_state *action, int32_t count) {
    mixer->events[mixer->state->event_count++] =
        (sinew_event){type, sinew_mixer_handle(mixer, action), action->clip, count};
}

static void advance_action(sinew_mixer *mixer, action_state *action, double dt) {
    step done = advance_phase(action, dt * (double)action->speed);
    if (done.loops > 0) add_event(mixer, SINEW_EVENT_LOOPED, action, done.loops);
    if (done.finished) add_event(mixer, SINEW_EVENT_FINISHED, action, 1);
    if (advance_fade(action, dt)) sinew_action_end(mixer, action);
}

void sinew_mixer_advance(sinew_mixer *mixer, float dt) {
    assert(dt >= 0.0f && isfinite(dt));
    mixer->state->event_count = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (action->clip) advance_action(mixer, action, (double)dt);
    }
    if (!mixer->def.on_event) return;
    for (int32_t i = 0; i < mixer->state->event_count; i++) {
        mixer->def.on_event(&mixer->events[i], mixer->def.user);
    }
}

const sinew_event *sinew_mixer_events(const sinew_mixer *mixer, int32_t *count) {
    *count = mixer->state->event_count;
    return mixer->events;
}
