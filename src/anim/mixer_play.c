// Playing: starting, fading and changing actions, and asking about them.
#include "anim/mixer_state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Handles -------------------------------------------------------------------------------------------------

action_state *sinew_mixer_slot(const sinew_mixer *mixer, sinew_action action) {
    uint32_t slot = (action.id & 0xff) - 1;
    if (slot >= (uint32_t)mixer->def.max_actions) return NULL;
    action_state *state = &mixer->actions[slot];
    if (!state->clip || (state->serial << 8 | (slot + 1)) != action.id) return NULL;
    return state;
}

// The newest action that plays the clip.
static action_state *find_clip(const sinew_mixer *mixer, const sinew_clip *clip) {
    action_state *newest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (state->clip == clip && (!newest || state->serial > newest->serial)) newest = state;
    }
    return newest;
}

sinew_action sinew_mixer_find(const sinew_mixer *mixer, const sinew_clip *clip) {
    const action_state *state = clip ? find_clip(mixer, clip) : NULL;
    return state ? sinew_mixer_handle(mixer, state) : (sinew_action){0};
}

// The active action started first after `serial`, or NULL.
static const action_state *next_started(const sinew_mixer *mixer, uint32_t serial) {
    const action_state *next = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->serial <= serial) continue;
        if (!next || state->serial < next->serial) next = state;
    }
    return next;
}

int32_t sinew_mixer_actions(const sinew_mixer *mixer, sinew_action *actions, int32_t capacity) {
    int32_t count = 0;
    for (const action_state *s = next_started(mixer, 0); s; s = next_started(mixer, s->serial)) {
        if (count < capacity) actions[count] = sinew_mixer_handle(mixer, s);
        count++;
    }
    return count;
}

// ---- Starting ------------------------------------------------------------------------------------------------

sinew_play_def sinew_play_default_def(void) {
    return (sinew_play_def){
        .time = SINEW_TIME_AUTO,
        .speed = 1.0f,
        .weight = 1.0f,
        .loop = SINEW_LOOP_REPEAT,
        .loop_count = SINEW_FOREVER,
    };
}

static float not_negative(float value) {
    return value > 0.0f ? value : 0.0f;
}

static int32_t valid_loop_count(int32_t count) {
    return count == SINEW_FOREVER || count >= 1 ? count : 1;
}

static bool fades_out(const action_state *state) {
    return (state->flags & ACTION_STOP_AFTER_FADE) != 0;
}

// A free slot, else that of the weakest action that is on its way out anyway, else NULL.
static action_state *take_slot(sinew_mixer *mixer) {
    action_state *weakest = NULL;
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip) return state;
        if (fades_out(state) && (!weakest || state->weight < weakest->weight)) weakest = state;
    }
    return weakest;
}

static action_state *start(sinew_mixer *mixer, const sinew_clip *clip, const sinew_play_def *def) {
    action_state *state = take_slot(mixer);
    if (!state) return NULL;
    if (state->clip) sinew_action_end(mixer, state);
    int32_t slot = (int32_t)(state - mixer->actions);
    if (mixer->state->slot_end <= slot) mixer->state->slot_end = slot + 1;
    *state = (action_state){
        .clip = clip,
        .phase = sinew_action_start(clip, def->time, def->speed),
        .speed = def->speed,
        .loop_count = valid_loop_count(def->loop_count),
        .serial = ++mixer->state->next_serial,
        .loop = (uint8_t)def->loop,
        .flags = ACTION_FRESH,
    };
    size_t hints = (size_t)mixer->def.hints_per_action;
    memset(&mixer->hints[(size_t)slot * hints], 0, hints * sizeof *mixer->hints);
    return state;
}

// Plays on from there, if it had finished.
static void unfinish(action_state *state) {
    if (!(state->flags & ACTION_FINISHED)) return;
    state->flags &= (uint8_t)~ACTION_FINISHED;
    state->loops_done = 0;
}

static void set_phase(action_state *state, double phase) {
    state->phase = phase;
    state->flags |= ACTION_FRESH;
}

static void set_loop(action_state *state, sinew_loop loop, int32_t loop_count) {
    state->phase = (double)sinew_action_clip_time(state); // a ping-pong on its way back goes on forward
    state->loop = (uint8_t)loop;
    state->loop_count = valid_loop_count(loop_count);
    state->loops_done = 0;
    state->flags &= (uint8_t)~ACTION_FINISHED;
}

static void play_on(action_state *state, const sinew_play_def *def) {
    bool restart = (state->flags & ACTION_FINISHED) != 0 || def->time != SINEW_TIME_AUTO;
    unfinish(state);
    state->flags &= (uint8_t)~ACTION_PAUSED;
    state->speed = def->speed;
    if (restart) set_phase(state, sinew_action_start(state->clip, def->time, def->speed));
    if (state->loop != (uint8_t)def->loop) set_loop(state, def->loop, def->loop_count);
    state->loop_count = valid_loop_count(def->loop_count);
}

// Starts the clip or lets it play on, without a look at its weight.
static action_state *begin(sinew_mixer *mixer, const sinew_clip *clip, const sinew_play_def *def) {
    assert(clip && clip->skeleton == mixer->def.skeleton);
    action_state *state = def->separate ? NULL : find_clip(mixer, clip);
    if (state) {
        play_on(state, def);
    } else {
        state = start(mixer, clip, def);
    }
    if (state) state->full_weight = not_negative(def->weight);
    return state;
}

sinew_action sinew_mixer_play(sinew_mixer *mixer, const sinew_clip *clip, const sinew_play_def *def) {
    sinew_play_def defaults = sinew_play_default_def();
    if (!def) def = &defaults;
    action_state *state = begin(mixer, clip, def);
    if (!state) return (sinew_action){0};
    sinew_action_begin_fade(mixer, state, state->full_weight, def->fade, false);
    return sinew_mixer_handle(mixer, state);
}

static void fade_out_others(sinew_mixer *mixer, const action_state *but, float duration) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (state->clip && state != but) sinew_action_begin_fade(mixer, state, 0.0f, duration, true);
    }
}

sinew_action sinew_mixer_crossfade_to(sinew_mixer *mixer, const sinew_clip *clip, float duration,
                                      const sinew_play_def *def) {
    sinew_play_def defaults = sinew_play_default_def();
    if (!def) def = &defaults;
    // The others first: what fades out can make room, so this never fails for want of a slot.
    fade_out_others(mixer, def->separate ? NULL : find_clip(mixer, clip), duration);
    action_state *state = begin(mixer, clip, def);
    sinew_action_begin_fade(mixer, state, state->full_weight, duration, false);
    return sinew_mixer_handle(mixer, state);
}

void sinew_mixer_crossfade(sinew_mixer *mixer, sinew_action from, sinew_action to, float duration) {
    sinew_action_fade_out(mixer, from, duration);
    sinew_action_fade_in(mixer, to, duration);
}

void sinew_mixer_stop_all(sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) sinew_action_end(mixer, &mixer->actions[i]);
}

// ---- One action: changing ------------------------------------------------------------------------------------

void sinew_action_stop(sinew_mixer *mixer, sinew_action action) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_end(mixer, state);
}

void sinew_action_pause(sinew_mixer *mixer, sinew_action action) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) state->flags |= ACTION_PAUSED;
}

void sinew_action_resume(sinew_mixer *mixer, sinew_action action) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) state->flags &= (uint8_t)~ACTION_PAUSED;
}

void sinew_action_reset(sinew_mixer *mixer, sinew_action action) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    set_phase(state, sinew_action_start(state->clip, SINEW_TIME_AUTO, state->speed));
    state->loops_done = 0;
    state->flags &= (uint8_t)~ACTION_FINISHED;
}

void sinew_action_fade_to(sinew_mixer *mixer, sinew_action action, float weight, float duration) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_begin_fade(mixer, state, not_negative(weight), duration, false);
}

void sinew_action_fade_in(sinew_mixer *mixer, sinew_action action, float duration) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_begin_fade(mixer, state, state->full_weight, duration, false);
}

void sinew_action_fade_out(sinew_mixer *mixer, sinew_action action, float duration) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_begin_fade(mixer, state, 0.0f, duration, true);
}

void sinew_action_set_time(sinew_mixer *mixer, sinew_action action, float time) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    unfinish(state);
    set_phase(state, sinew_action_start(state->clip, not_negative(time), state->speed));
}

void sinew_action_set_speed(sinew_mixer *mixer, sinew_action action, float speed) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    if ((speed < 0.0f) != (state->speed < 0.0f)) unfinish(state);
    state->speed = speed;
}

void sinew_action_set_weight(sinew_mixer *mixer, sinew_action action, float weight) {
    sinew_action_fade_to(mixer, action, weight, 0.0f);
}

void sinew_action_set_loop(sinew_mixer *mixer, sinew_action action, sinew_loop loop, int32_t loop_count) {
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) set_loop(state, loop, loop_count);
}

// ---- One action: asking --------------------------------------------------------------------------------------

bool sinew_action_is_active(const sinew_mixer *mixer, sinew_action action) {
    return sinew_mixer_slot(mixer, action) != NULL;
}

bool sinew_action_is_paused(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state && (state->flags & ACTION_PAUSED) != 0;
}

bool sinew_action_is_finished(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state && (state->flags & ACTION_FINISHED) != 0;
}

const sinew_clip *sinew_action_clip(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? state->clip : NULL;
}

float sinew_action_time(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? sinew_action_clip_time(state) : 0.0f;
}

float sinew_action_speed(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? state->speed : 0.0f;
}

float sinew_action_weight(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? state->weight : 0.0f;
}

sinew_loop sinew_action_loop(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? (sinew_loop)state->loop : SINEW_LOOP_ONCE;
}

int32_t sinew_action_loops_done(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? state->loops_done : 0;
}
