// Time: how actions move through their clips, how fades move, and what happens on the way.
#include "record/mixer_call.h"
#include "mixer/mixer_check.h"
#include "mixer/mixer_state.h"
#include "core/wrap.h"

#include <assert.h>
#include <math.h>

// ---- Phase ---------------------------------------------------------------------------------------------------

double sinew_action_start(const sinew_clip *clip, float time, float speed) {
    if (time == SINEW_TIME_AUTO) return speed < 0.0f ? (double)clip->duration : 0.0;
    if (!(time > 0.0f)) return 0.0;
    return time < clip->duration ? (double)time : (double)clip->duration;
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

static void reach_ends(action_state *state, clip_way *way, double reached, double duration) {
    double left = sinew_action_ends_left(state);
    if (reached >= left) {
        reached = left;
        stop_at_last_end(way, reached, duration);
        state->flags |= ACTION_FINISHED;
    }
    int32_t room = INT32_MAX - state->loops_done;
    state->loops_done += reached < (double)room ? (int32_t)reached : room;
}

// The way of `delta` seconds of the clip, back where it is negative, at such a rate.
static clip_way way_of(const action_state *state, double delta, double rate) {
    clip_way way = {.rate = rate, .backward = delta < 0.0};
    way.from = way.backward ? -state->phase : state->phase;
    way.to = way.from + fabs(delta);
    return way;
}

// The same to where it ends at a time of the clip that is known better: the next step starts there.
static clip_way way_to(const action_state *state, double delta, double seconds, double time) {
    clip_way way = way_of(state, delta, fabs(delta) / seconds);
    double duration = (double)state->clip->duration, end = way.backward ? -time : time;
    if (duration > 0.0) way.to = end + duration * floor((way.to - end) / duration + 0.5);
    return way;
}

// Goes a way, and no further than it can: `way` is what that comes to.
static inline void go_on(action_state *state, clip_way *way) {
    double duration = (double)state->clip->duration;
    bool once = state->loop == SINEW_LOOP_ONCE;
    way->first = once ? (way->backward ? -1.0 : 0.0) : stretch_at(way->from, duration);
    way->last = once ? way->first : stretch_at(way->to, duration);
    double reached = ends_reached(state, way, duration);
    if (reached > 0.0) reach_ends(state, way, reached, duration);
    double phase = way->backward ? -way->to : way->to;
    if (state->loop == SINEW_LOOP_PING_PONG) {
        phase = sinew_wrapped(phase, 2.0 * duration);
    } else if (way->finishes) { // the last pose of the clip, not the first of a loop that does not come
        phase = way->backward ? 0.0 : duration;
    } else if (state->loop == SINEW_LOOP_REPEAT) {
        phase = sinew_wrapped(phase, duration);
    }
    state->phase = phase;
}

// A clip of no duration is at its end wherever it is: it finishes if it ever would, and else goes round unseen.
static clip_way stay(action_state *state) {
    clip_way way = {.finishes = state->loop == SINEW_LOOP_ONCE || state->loop_count != SINEW_FOREVER};
    state->phase = 0.0;
    if (way.finishes) state->flags |= ACTION_FINISHED;
    return way;
}

// The way of so many seconds at an action's own pace, which changes where it is warped.
static clip_way own_way(const action_state *state, double seconds) {
    double speed = (double)state->speed, factor = (double)state->warp.value;
    if (!sinew_fade_runs(&state->warp)) return way_of(state, factor * seconds * speed, fabs(factor * speed));
    double delta = sinew_fade_integral(&state->warp, seconds) * speed;
    return way_of(state, delta, fabs(delta) / seconds);
}

// False where no marker lies on a way, which is most often so and seen at a glance where it leads forward from the
// clip's start.
static bool may_pass_marker(const action_state *state, const clip_way *way) {
    const sinew_clip *clip = state->clip;
    if (clip->marker_count == 0) return false;
    if (way->backward || way->first != 0.0 || state->loop == SINEW_LOOP_PING_PONG) return true;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        double time = (double)clip->markers[i].time;
        if (time >= way->from) return time <= way->to;
    }
    return false;
}

// Goes such a way through a clip in so many seconds, and tells what is passed.
static inline void pass_through(sinew_mixer *mixer, action_state *state, clip_way *way, double seconds) {
    if (state->clip->duration > 0.0f) {
        go_on(state, way);
    } else {
        *way = stay(state);
    }
    if (mixer->root) sinew_mixer_root_pass(mixer, state, way, seconds);
    if (way->finishes || way->first < way->last || may_pass_marker(state, way)) {
        sinew_action_add_events(mixer, state, way);
    }
    state->flags &= (uint8_t)~ACTION_FRESH;
}

// From one beat to another; a blend space through its heaviest clip, as far as events are concerned.
static void keep_step(sinew_mixer *mixer, action_state *state, action_step *step, double seconds) {
    if (step->to == step->from) return;
    if (state->space) state->phase = sinew_sync_time_at_phase(state->clip, &state->intervals, step->from);
    double delta = sinew_sync_seconds(state->clip, &state->intervals, step->from, step->to - step->from);
    double time = sinew_sync_time_at_phase(state->clip, &state->intervals, step->to);
    clip_way way = way_to(state, delta, seconds, time);
    if (!state->space) step->rate = way.backward ? -way.rate : way.rate;
    pass_through(mixer, state, &way, seconds);
    if ((state->flags & ACTION_FINISHED) == 0) state->phase = state->space ? step->to : time;
}

static inline void advance_phase(sinew_mixer *mixer, action_state *state, action_step *step, double seconds) {
    if (sinew_action_stands(state)) return;
    if (step && step->by_beats) {
        keep_step(mixer, state, step, seconds);
        return;
    }
    clip_way way = own_way(state, seconds);
    if (way.from != way.to || !(state->clip->duration > 0.0f)) pass_through(mixer, state, &way, seconds);
}

// Not past an end at which the clip would start again: what is asked for is the way that it goes.
float sinew_action_clip_time_after(const action_state *state, double way) {
    double duration = (double)state->clip->duration, there = sinew_action_place(state) + way;
    if (state->loop == SINEW_LOOP_PING_PONG && duration > 0.0) {
        there = sinew_wrapped(there, 2.0 * duration);
        return (float)(there > duration ? 2.0 * duration - there : there);
    }
    if (!(there > 0.0)) return 0.0f;
    return there < duration ? (float)there : state->clip->duration;
}

// ---- Ending --------------------------------------------------------------------------------------------------

static bool shows_in_base(const action_state *state) {
    return state->clip && state->layer == 0 && state->weight.value > 0.0f && (state->flags & ACTION_UNSEEN) == 0;
}

bool sinew_mixer_base_shows(const sinew_mixer *mixer, const action_state *but) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state != but && shows_in_base(state)) return true;
    }
    return false;
}

// Whether it is the only one that the base shows.
static bool stands_alone(const sinew_mixer *mixer, const action_state *state) {
    return shows_in_base(state) && !sinew_mixer_base_shows(mixer, state);
}

void sinew_action_end(sinew_mixer *mixer, action_state *state) {
    if (!state->clip) return;
    if (stands_alone(mixer, state)) sinew_mixer_hold(mixer);
    sinew_mixer_catch_up(mixer);
    sinew_mixer_leave(mixer, state);
    state->clip = NULL;
    mixer->layers[state->layer].action_count--;
    mixer->state->synced -= state->sync || state->space;
    if (state->space) sinew_action_space(mixer, state)->space = NULL;
    int32_t *end = &mixer->state->slot_end;
    while (*end > 0 && !mixer->actions[*end - 1].clip) (*end)--;
}

// Whether the base has an action whose weight stays, or goes to more than 0.
static bool base_stays(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != 0) continue;
        if ((sinew_fade_runs(&state->weight) ? state->weight.to : state->weight.value) > 0.0f) return true;
    }
    return false;
}

// Whether all of the base that has a weight loses it within a step.
static bool base_goes(const sinew_mixer *mixer, double dt) {
    if (base_stays(mixer)) return false;
    bool any = false;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != 0) continue;
        if (sinew_fade_after(mixer, &state->weight, dt) > 0.0f) return false;
        any |= state->weight.value > 0.0f;
    }
    return any;
}

// ---- Fades ---------------------------------------------------------------------------------------------------

#define NEXT_TO_NOTHING 1e-30f

// A cut: what is held has no part in it.
static void cut_to(sinew_mixer *mixer, const action_state *state, float weight) {
    if (state->layer != 0 || sinew_mixer_base_shows(mixer, state)) return;
    if (weight > 0.0f) {
        mixer->layers[0].held = sinew_fade_at(0.0f);
    } else if (stands_alone(mixer, state)) {
        sinew_mixer_hold(mixer);
    }
}

void sinew_action_begin_fade(sinew_mixer *mixer, action_state *state, float weight, float duration, uint8_t curve,
                             bool stop_after) {
    bool fades = duration > 0.0f;
    sinew_mixer_start_from_set(mixer, duration);
    if (!fades) cut_to(mixer, state, weight);
    if (fades && state->layer == 0 && weight > state->weight.value) {
        sinew_mixer_hold_missing(mixer, state, duration, curve);
        // Next to nothing is all where nothing else is: the first frame shows the clip, even one that takes no time.
        if (!mixer->state->has_advanced && state->weight.value == 0.0f) state->weight.value = NEXT_TO_NOTHING;
    }
    sinew_fade_begin(mixer, &state->weight, weight, duration, curve);
    // What comes back gets the speed back that it had been played with.
    bool warps = sinew_fade_runs(&state->warp) || state->warp.value != 1.0f;
    if (warps && !stop_after) sinew_fade_begin(mixer, &state->warp, 1.0f, duration, SINEW_CURVE_LINEAR);
    state->flags = (uint8_t)(stop_after ? state->flags | ACTION_STOP_AFTER_FADE
                                        : state->flags & ~(unsigned)ACTION_STOP_AFTER_FADE);
    if (!fades && stop_after) sinew_action_end(mixer, state);
}

// ---- Advancing -----------------------------------------------------------------------------------------------

double sinew_action_life_left(const action_state *state, double dt) {
    double left = (double)state->weight.duration - state->weight.elapsed;
    return sinew_action_fades_out(state) && left < dt ? left : dt;
}

// How fast a step has left an action going.
static float rate_behind(const action_state *action, const action_step *step) {
    if (sinew_action_stands(action)) return 0.0f;
    if (step && step->by_beats) return (float)step->rate;
    float own = action->warp.value * action->speed;
    return sinew_action_goes_back(action) ? -own : own;
}

static inline void advance_action(sinew_mixer *mixer, action_state *action, synced_step *steps, double dt) {
    action_step *step = steps ? &steps->actions[action - mixer->actions] : NULL;
    action->flags &= (uint8_t)~ACTION_UNSEEN;
    advance_phase(mixer, action, step, sinew_action_life_left(action, dt));
    if (action->space) sinew_space_advance(mixer, action, dt);
    sinew_fade_advance(mixer, &action->warp, dt);
    if (dt > 0.0) action->seen_rate = rate_behind(action, step); // a step of no time shows no other way
    bool ends = sinew_action_fades_out(action);
    if (sinew_fade_advance(mixer, &action->weight, dt) && ends) sinew_action_end(mixer, action);
}

static void advance_layers(sinew_mixer *mixer, double dt) {
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        sinew_fade_advance(mixer, &mixer->layers[i].weight, dt);
        sinew_fade_advance(mixer, &mixer->layers[i].held, dt);
    }
}

// One step, in which nothing follows anything.
static void make_step(sinew_mixer *mixer, double dt) {
    if (base_goes(mixer, dt)) sinew_mixer_hold_faded(mixer);
    synced_step steps, *step = mixer->state->synced > 0 ? &steps : NULL;
    if (step) sinew_mixer_sync(mixer, dt, step);
    if (mixer->root) sinew_mixer_root_begin(mixer, step);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *action = &mixer->actions[i];
        if (action->clip) advance_action(mixer, action, step, dt);
    }
    if (mixer->root) sinew_mixer_root_end(mixer, dt);
    advance_layers(mixer, dt);
    const mixer_state *state = mixer->state;
    if (state->moving.duration > 0.0f || state->offsets.duration > 0.0f) sinew_mixer_die_away(mixer, dt);
    mixer->state->has_advanced = true;
}

// Goes from one moment at which something follows to the next, and returns what is left of the time. Each turn takes one
// of those that wait, and what comes has nothing behind it yet.
static double step_by_step(sinew_mixer *mixer, double left) {
    for (;;) {
        action_state *ends;
        double next = sinew_mixer_next_follow(mixer, &ends);
        if (!ends || next > left) return left;
        double rate = sinew_action_rate(mixer, ends);
        make_step(mixer, next);
        if ((ends->flags & ACTION_FINISHED) != 0) ends->seen_rate = (float)rate; // it has gone up to this moment
        mixer->step_start += next;
        left -= next;
        if (ends->clip) sinew_mixer_follow(mixer, ends);
    }
}

void sinew_mixer_advance(sinew_mixer *mixer, float dt) {
    assert(mixer && dt >= 0.0f);
    dt = sinew_checked_duration(dt);
    if (mixer->recorder)
        sinew_note(mixer, (mixer_call){.kind = CALL_ADVANCE, .x = dt, .hash = sinew_mixer_hash(mixer)});
    mixer->state->event_count = mixer->state->dropped_event_count = 0;
    mixer->step_start = 0.0;
    sinew_mixer_leave_set(mixer);
    if (mixer->root) mixer->root->delta = sinew_root_delta_identity();
    double left = mixer->state->followed > 0 ? step_by_step(mixer, (double)dt) : (double)dt;
    make_step(mixer, left);
    if (mixer->state->set.is_kept) sinew_mixer_age_set(mixer, (double)dt);
    if (!mixer->def.on_event) return;
    for (int32_t i = 0; i < mixer->state->event_count; i++) {
        mixer->def.on_event(&mixer->events[i], mixer->def.user);
    }
}
