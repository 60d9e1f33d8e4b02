// Playing: starting, fading and changing actions, and asking about them.
#include "record/mixer_call.h"
#include "mixer/mixer_check.h"
#include "mixer/mixer_state.h"
#include "core/def_cookie.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Handles -------------------------------------------------------------------------------------------------

action_state *sinew_mixer_slot(const sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    uint32_t slot = (uint32_t)(action.id & 0xff) - 1;
    if (slot >= (uint32_t)mixer->def.max_actions) return NULL;
    action_state *state = &mixer->actions[slot];
    if (!state->clip || sinew_mixer_handle(mixer, state).id != action.id) return NULL;
    return state;
}

#define ANY_LAYER (-1)

// The newest action that plays the clip.
static action_state *find_clip(const sinew_mixer *mixer, const sinew_clip *clip, int32_t layer) {
    action_state *newest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (state->clip != clip || state->space || (layer != ANY_LAYER && state->layer != layer)) continue;
        if (!newest || state->serial > newest->serial) newest = state;
    }
    return newest;
}

// The newest action that plays the space.
static action_state *find_space(const sinew_mixer *mixer, const sinew_blend_space *space, int32_t layer) {
    action_state *newest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || !state->space || (layer != ANY_LAYER && state->layer != layer)) continue;
        if (sinew_action_space(mixer, state)->space != space) continue;
        if (!newest || state->serial > newest->serial) newest = state;
    }
    return newest;
}

static sinew_action find_source(const sinew_mixer *mixer, sinew_source source, int32_t layer) {
    const action_state *state = NULL;
    if (source.clip) state = find_clip(mixer, source.clip, layer);
    if (!source.clip && source.blend_space) state = find_space(mixer, source.blend_space, layer);
    return state ? sinew_mixer_handle(mixer, state) : (sinew_action){0};
}

sinew_action sinew_mixer_find(const sinew_mixer *mixer, sinew_source source) {
    assert(mixer);
    return find_source(mixer, source, ANY_LAYER);
}

sinew_action sinew_mixer_find_in(const sinew_mixer *mixer, int32_t layer, sinew_source source) {
    assert(mixer && sinew_layer_exists(mixer, layer));
    if (!sinew_layer_exists(mixer, layer)) return (sinew_action){0};
    return find_source(mixer, source, layer);
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
    assert(mixer && capacity >= 0 && (actions || capacity == 0));
    if (!actions) capacity = 0;
    int32_t count = 0;
    for (const action_state *s = next_started(mixer, 0); s; s = next_started(mixer, s->serial)) {
        if (count < capacity) actions[count] = sinew_mixer_handle(mixer, s);
        count++;
    }
    return count;
}

// ---- Starting ------------------------------------------------------------------------------------------------

sinew_play_def sinew_play_default(void) {
    return (sinew_play_def){
        .time = SINEW_TIME_AUTO,
        .speed = 1.0f,
        .weight = 1.0f,
        .loop = SINEW_LOOP_REPEAT,
        .loop_count = SINEW_FOREVER,
        .cookie = SINEW_DEF_COOKIE,
    };
}

sinew_source sinew_clip_source(const sinew_clip *clip) {
    return (sinew_source){.clip = clip};
}

sinew_source sinew_blend_space_source(const sinew_blend_space *space, float x, float y) {
    return (sinew_source){.blend_space = space, .x = x, .y = y};
}

sinew_transition sinew_transition_default(void) {
    return (sinew_transition){.duration = 0.2f, .cookie = SINEW_DEF_COOKIE};
}

static float not_negative(float value) {
    return value > 0.0f ? value : 0.0f;
}

static int32_t valid_loop_count(int32_t count) {
    return count == SINEW_FOREVER || count >= 1 ? count : 1;
}

static action_state *free_slot(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        if (!mixer->actions[i].clip) return &mixer->actions[i];
    }
    return NULL;
}

// Whether an action is missed less than another: one that fades out anyway, or the weaker one.
static bool is_missed_less(const action_state *a, const action_state *b) {
    if (sinew_action_fades_out(a) != sinew_action_fades_out(b)) return sinew_action_fades_out(a);
    return a->weight.value < b->weight.value;
}

typedef enum evictable { ANY_ACTION, BLEND_SPACES } evictable;

// The action to evict, of those that can be held: differences cannot. NULL where there is none.
static action_state *least_missed(const sinew_mixer *mixer, evictable of) {
    action_state *least = NULL;
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || (of == BLEND_SPACES && !state->space)) continue;
        if (mixer->layers[state->layer].mode == SINEW_LAYER_ADDITIVE) continue;
        if (!least || is_missed_less(state, least)) least = state;
    }
    return least;
}

// Ends an action whose pose is held and fades out: in the time that the action has left, or over the new action's fade.
static void evict(sinew_mixer *mixer, action_state *state, const sinew_play_def *def) {
    const sinew_fade *fade = &state->weight;
    float left = sinew_action_fades_out(state) ? fade->duration - (float)fade->elapsed : def->fade;
    sinew_mixer_fold(mixer, state, left, state->curve);
    sinew_action_end(mixer, state);
}

// A free slot, after an eviction where all are in use; NULL where no action can be evicted.
static action_state *take_slot(sinew_mixer *mixer, const sinew_play_def *def) {
    action_state *slot = free_slot(mixer);
    if (slot) return slot;
    slot = least_missed(mixer, ANY_ACTION);
    if (slot) evict(mixer, slot, def);
    return slot;
}

// The number of a space state that is free, from 1; 0 where there is none.
static uint8_t free_space(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->def.max_blend_spaces; i++) {
        if (!mixer->spaces[i].space) return (uint8_t)(i + 1);
    }
    return 0;
}

// The same after an eviction where all are in use.
static uint8_t take_space(sinew_mixer *mixer, const sinew_play_def *def) {
    uint8_t number = free_space(mixer);
    if (number) return number;
    action_state *state = least_missed(mixer, BLEND_SPACES);
    if (state) evict(mixer, state, def);
    return free_space(mixer);
}

static void start_space(sinew_mixer *mixer, action_state *state, uint8_t number, const sinew_source *what) {
    mixer->spaces[number - 1] = (space_state){
        .space = what->blend_space, .at = {(double)what->x, (double)what->y, 0.0, 0.0}, .x = what->x, .y = what->y};
    state->space = number;
    state->loop = SINEW_LOOP_REPEAT;
    state->loop_count = SINEW_FOREVER;
    sinew_space_advance(mixer, state, 0.0);
    state->phase = sinew_sync_phase_at_time(state->clip, &state->intervals, 0.0);
}

// 0 is no action's.
static uint32_t next_serial(sinew_mixer *mixer) {
    uint32_t *serial = &mixer->state->next_serial;
    if (++*serial == 0) *serial = 1;
    return *serial;
}

static action_state *start(sinew_mixer *mixer, const sinew_source *what, const sinew_play_def *def) {
    uint8_t space = what->blend_space ? take_space(mixer, def) : 0;
    if (what->blend_space && !space) return NULL;
    action_state *state = take_slot(mixer, def);
    if (!state) return NULL;
    const sinew_clip *clip = what->clip;
    int32_t slot = (int32_t)(state - mixer->actions);
    if (mixer->state->slot_end <= slot) mixer->state->slot_end = slot + 1;
    *state = (action_state){
        .clip = clip,
        .phase = clip ? sinew_action_start(clip, def->time, def->speed) : 0.0,
        .speed = def->speed,
        .serial = next_serial(mixer),
        .loop = (uint8_t)def->loop,
        .flags = ACTION_FRESH | ACTION_UNSEEN,
        .layer = (uint8_t)def->layer,
        .loop_count = valid_loop_count(def->loop_count),
        .warp = sinew_fade_at(1.0f),
    };
    if (space) {
        start_space(mixer, state, space, what);
    } else {
        state->intervals = sinew_sync_find_intervals(clip, mixer->def.sync_names, mixer->def.sync_name_count);
    }
    mixer->layers[def->layer].action_count++;
    mixer->follows[slot].kind = FOLLOW_NOTHING;
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

// Whether an action starts again where its clip is played once more, instead of going on: see sinew_play_def.
static bool starts_again(const action_state *state, const sinew_play_def *def) {
    if (state->space) return false;
    if (def->restart || def->time != SINEW_TIME_AUTO) return true;
    if ((state->flags & ACTION_FINISHED) != 0) return true;
    return state->loop == SINEW_LOOP_ONCE && sinew_action_fades_out(state);
}

// Whether an action moves in step with its group now, and stays in it.
static bool stays_in_step(const action_state *state, const sinew_play_def *def) {
    bool repeats = state->loop == SINEW_LOOP_REPEAT && def->loop == SINEW_LOOP_REPEAT;
    return def->sync != 0 && state->sync == def->sync && repeats && !sinew_action_stands(state);
}

// Whether an action that starts again does so as a new one, while the old one fades out. Without a fade it starts again
// in place, and so it does in a sync group, which it takes along.
static bool is_replaced(const action_state *state, const sinew_play_def *def, bool fades) {
    return fades && starts_again(state, def) && !stays_in_step(state, def);
}

static void play_on(action_state *state, const sinew_play_def *def) {
    bool restart = starts_again(state, def);
    unfinish(state);
    state->flags &= (uint8_t)~ACTION_PAUSED;
    state->speed = def->speed;
    if (restart) set_phase(state, sinew_action_start(state->clip, def->time, def->speed));
    if (state->loop != (uint8_t)def->loop) set_loop(state, def->loop, def->loop_count);
    state->loop_count = valid_loop_count(def->loop_count);
}

// The action that a new one would only go on from.
static action_state *plays_already(const sinew_mixer *mixer, const sinew_source *what, const sinew_play_def *def) {
    if (def->allow_duplicate) return NULL;
    return what->clip ? find_clip(mixer, what->clip, def->layer) : find_space(mixer, what->blend_space, def->layer);
}

static void set_sync(sinew_mixer *mixer, action_state *state, uint8_t group, bool comes) {
    bool joins = group != 0 && (state->sync != group || comes), was = state->sync || state->space;
    state->sync = group;
    mixer->state->synced += (state->sync || state->space) - was;
    if (joins) sinew_action_join(mixer, state);
}

// Starts a clip or a blend space, or lets the action `state` that plays it go on. Its weight stays what it is.
static action_state *begin(sinew_mixer *mixer, const sinew_source *what, const sinew_play_def *def,
                           action_state *state) {
    bool comes = !state || sinew_action_stands(state) || state->loop != SINEW_LOOP_REPEAT;
    bool seeks = !comes && starts_again(state, def);
    if (state && state->space) {
        space_state *space = sinew_action_space(mixer, state);
        space->x = what->x;
        space->y = what->y;
        state->speed = def->speed;
        state->flags &= (uint8_t)~ACTION_PAUSED;
    } else if (state) {
        play_on(state, def);
    } else {
        state = start(mixer, what, def);
        if (state) mixer->state->synced += state->space != 0;
    }
    if (!state) return NULL;
    state->full_weight = def->weight;
    state->curve = (uint8_t)def->curve;
    set_sync(mixer, state, (uint8_t)def->sync, comes);
    if (seeks) sinew_action_lead(mixer, state);
    return state;
}

// A transition of NULL is none.
static void note_play(const sinew_mixer *mixer, const sinew_source *what, const sinew_transition *transition,
                      const sinew_play_def *def) {
    if (!mixer->recorder) return;
    mixer_call_kind of_clip = transition ? CALL_TRANSITION_TO : CALL_PLAY;
    sinew_note(mixer, (mixer_call){.kind = what->blend_space ? CALL_PLAY_SPACE : of_clip,
                                   .clip = what->clip,
                                   .space = what->blend_space,
                                   .how = transition,
                                   .def = def,
                                   .x = what->x,
                                   .y = what->y});
}

static sinew_action play(sinew_mixer *mixer, const sinew_source *what, const sinew_play_def *def) {
    action_state *old = plays_already(mixer, what, def);
    bool replaces = old && is_replaced(old, def, def->fade > 0.0f);
    action_state *state = begin(mixer, what, def, replaces ? NULL : old);
    if (!state) return (sinew_action){0};
    bool old_stays = replaces && old != state && !sinew_action_fades_out(old); // it may have been evicted
    if (old_stays) sinew_action_begin_fade(mixer, old, 0.0f, def->fade, state->curve, true);
    sinew_action_begin_fade(mixer, state, state->full_weight, def->fade, state->curve, false);
    return sinew_mixer_handle(mixer, state);
}

sinew_action sinew_mixer_play(sinew_mixer *mixer, sinew_source source, const sinew_play_def *def) {
    sinew_source what = sinew_checked_source(source);
    if (!sinew_check_play(mixer, (play_request){.source = &what, .def = def})) return (sinew_action){0};
    sinew_play_def own = def ? sinew_checked_play_def(def) : sinew_play_default();
    note_play(mixer, &what, NULL, def ? &own : NULL);
    return play(mixer, &what, &own);
}

static void fade_out_others(sinew_mixer *mixer, const action_state *but, int32_t layer,
                            const sinew_transition *how) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || state == but || state->layer != layer) continue;
        sinew_action_begin_fade(mixer, state, 0.0f, how->duration, (uint8_t)how->curve, true);
    }
}

static bool layer_plays_space(const sinew_mixer *mixer, int32_t layer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state->clip && state->space && state->layer == layer) return true;
    }
    return false;
}

// Whether a transition can start a new action: a fade does so while the others play, where `at_once` says that those of
// the layer end first.
static bool finds_room(const sinew_mixer *mixer, const sinew_source *what, const sinew_play_def *def,
                       bool at_once) {
    bool clears_space = at_once && layer_plays_space(mixer, def->layer);
    if (what->blend_space && !free_space(mixer) && !clears_space && !least_missed(mixer, BLEND_SPACES))
        return false;
    if (at_once && mixer->layers[def->layer].action_count > 0) return true;
    return free_slot(mixer) || least_missed(mixer, ANY_ACTION);
}

// The rest of these take the action that plays the clip or blend space already and goes on, or NULL.

static sinew_action fade(sinew_mixer *mixer, const sinew_source *what, const sinew_transition *how,
                         const sinew_play_def *def, action_state *goes_on) {
    fade_out_others(mixer, goes_on, def->layer, how); // the others first: fading actions are evicted first
    action_state *state = begin(mixer, what, def, goes_on);
    if (how->warp) sinew_action_warp(mixer, state, how->duration);
    sinew_action_begin_fade(mixer, state, state->full_weight, how->duration, (uint8_t)how->curve, false);
    return sinew_mixer_handle(mixer, state);
}

// Ends what plays in a layer, or takes its weight where it goes on: another way of showing it has been found.
static void clear_layer(sinew_mixer *mixer, int32_t layer, const action_state *goes_on) {
    mixer->layers[layer].held = sinew_fade_at(0.0f);
    for (int32_t i = mixer->state->slot_end; i-- > 0;) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != layer) continue;
        state->weight = sinew_fade_at(0.0f);
        if (state != goes_on) sinew_action_end(mixer, state);
    }
}

static sinew_action inertialize(sinew_mixer *mixer, const sinew_source *what, const sinew_transition *how,
                                const sinew_play_def *def, action_state *goes_on) {
    sinew_mixer_keep_shown(mixer);
    clear_layer(mixer, def->layer, goes_on);
    action_state *state = begin(mixer, what, def, goes_on);
    state->weight = sinew_fade_at(state->full_weight);
    state->warp = sinew_fade_at(1.0f);
    state->flags &= (uint8_t)~ACTION_STOP_AFTER_FADE; // it may have been on its way out
    sinew_mixer_inertialize(mixer, how->duration);
    return sinew_mixer_handle(mixer, state);
}

static sinew_action dead_blend(sinew_mixer *mixer, const sinew_source *what, const sinew_transition *how,
                               const sinew_play_def *def, action_state *goes_on) {
    sinew_mixer_let_move(mixer, how->duration);
    clear_layer(mixer, def->layer, goes_on);
    action_state *state = begin(mixer, what, def, goes_on);
    sinew_action_begin_fade(mixer, state, state->full_weight, how->duration, (uint8_t)how->curve, false);
    return sinew_mixer_handle(mixer, state);
}

sinew_action sinew_mixer_change_to(sinew_mixer *mixer, const sinew_source *what, const sinew_transition *how,
                                   const sinew_play_def *def) {
    sinew_play_def own = def ? *def : sinew_play_default();
    own.fade = how->duration;
    bool has_way =
        mixer->def.inertialization && how->duration >= SINEW_SHORTEST_CHANGE && mixer->state->has_advanced;
    bool inertializes = has_way && how->kind == SINEW_TRANSITION_INERTIALIZE;
    bool dead_blends = has_way && how->kind == SINEW_TRANSITION_DEAD_BLEND && own.layer == 0;
    bool cuts = !(how->duration > 0.0f), at_once = cuts || inertializes || dead_blends;
    action_state *goes_on = plays_already(mixer, what, &own);
    if (goes_on && is_replaced(goes_on, &own, !at_once)) goes_on = NULL;
    if (!goes_on && !finds_room(mixer, what, &own, at_once)) return (sinew_action){0};
    if (cuts && own.layer == 0) sinew_mixer_drop_offsets(mixer);
    sinew_mixer_remember(mixer, own.layer, goes_on);
    if (inertializes) return inertialize(mixer, what, how, &own, goes_on);
    if (dead_blends) return dead_blend(mixer, what, how, &own, goes_on);
    return fade(mixer, what, how, &own, goes_on);
}

sinew_action sinew_mixer_transition_to(sinew_mixer *mixer, sinew_source source, const sinew_transition *transition,
                                       const sinew_play_def *def) {
    sinew_source what = sinew_checked_source(source);
    if (!sinew_check_play(mixer, (play_request){&what, transition, def, 0})) return (sinew_action){0};
    sinew_transition how = transition ? sinew_checked_transition(transition) : sinew_transition_default();
    sinew_play_def own = def ? sinew_checked_play_def(def) : sinew_play_default();
    note_play(mixer, &what, &how, def ? &own : NULL);
    return sinew_mixer_change_to(mixer, &what, &how, &own);
}

sinew_action sinew_mixer_crossfade_to(sinew_mixer *mixer, sinew_source source, float duration,
                                      const sinew_play_def *def) {
    sinew_transition transition = sinew_transition_default();
    transition.duration = duration;
    if (def) transition.curve = def->curve;
    return sinew_mixer_transition_to(mixer, source, &transition, def);
}

void sinew_mixer_crossfade(sinew_mixer *mixer, sinew_action from, sinew_action to, float duration) {
    sinew_action_fade_out(mixer, from, duration);
    sinew_action_fade_in(mixer, to, duration);
}

void sinew_mixer_stop_all(sinew_mixer *mixer) {
    assert(mixer);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_STOP_ALL});
    if (sinew_mixer_base_shows(mixer, NULL)) sinew_mixer_hold(mixer);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) mixer->actions[i].weight = sinew_fade_at(0.0f);
    for (int32_t i = mixer->state->slot_end; i-- > 0;) sinew_action_end(mixer, &mixer->actions[i]);
}

// ---- One action: changing ------------------------------------------------------------------------------------

void sinew_action_stop(sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_STOP, .action = action});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_end(mixer, state);
}

void sinew_action_pause(sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_PAUSE, .action = action});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) state->flags |= ACTION_PAUSED;
}

void sinew_action_resume(sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_RESUME, .action = action});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state || (state->flags & ACTION_PAUSED) == 0) return;
    state->flags &= (uint8_t)~ACTION_PAUSED;
    sinew_action_join(mixer, state);
}

// Into the clip's seconds.
static void seek(action_state *state, double time) {
    set_phase(state, state->space ? sinew_sync_phase_at_time(state->clip, &state->intervals, time) : time);
}

void sinew_action_reset(sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_RESET, .action = action});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    seek(state, sinew_action_start(state->clip, SINEW_TIME_AUTO, state->speed));
    state->loops_done = 0;
    state->flags &= (uint8_t)~ACTION_FINISHED;
    sinew_action_lead(mixer, state);
}

void sinew_action_fade_to(sinew_mixer *mixer, sinew_action action, float weight, float duration) {
    assert(mixer);
    weight = sinew_checked_weight(weight);
    duration = sinew_checked_duration(duration);
    if (mixer->recorder)
        sinew_note(mixer, (mixer_call){.kind = CALL_FADE_TO, .action = action, .x = weight, .y = duration});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_begin_fade(mixer, state, weight, duration, state->curve, false);
}

void sinew_action_fade_in(sinew_mixer *mixer, sinew_action action, float duration) {
    assert(mixer);
    duration = sinew_checked_duration(duration);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_FADE_IN, .action = action, .x = duration});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_begin_fade(mixer, state, state->full_weight, duration, state->curve, false);
}

void sinew_action_fade_out(sinew_mixer *mixer, sinew_action action, float duration) {
    assert(mixer);
    duration = sinew_checked_duration(duration);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_FADE_OUT, .action = action, .x = duration});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (state) sinew_action_begin_fade(mixer, state, 0.0f, duration, state->curve, true);
}

void sinew_action_set_time(sinew_mixer *mixer, sinew_action action, float time) {
    assert(mixer);
    time = sinew_checked_number(time, 0.0f);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_SET_TIME, .action = action, .x = time});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return;
    unfinish(state);
    seek(state, sinew_action_start(state->clip, not_negative(time), state->speed));
    sinew_action_lead(mixer, state);
}

void sinew_action_set_speed(sinew_mixer *mixer, sinew_action action, float speed) {
    assert(mixer);
    speed = sinew_checked_number(speed, 0.0f);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_SET_SPEED, .action = action, .x = speed});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) sinew_mixer_set_left_speed(mixer, action, speed);
    if (!state) return;
    if ((speed < 0.0f) != (state->speed < 0.0f)) unfinish(state);
    state->speed = speed;
}

void sinew_action_set_weight(sinew_mixer *mixer, sinew_action action, float weight) {
    sinew_action_fade_to(mixer, action, weight, 0.0f);
}

void sinew_action_set_loop(sinew_mixer *mixer, sinew_action action, sinew_loop loop, int32_t loop_count) {
    assert(mixer && sinew_loop_exists(loop));
    if (!sinew_loop_exists(loop)) return;
    if (mixer->recorder)
        sinew_note(
            mixer,
            (mixer_call){.kind = CALL_SET_LOOP, .action = action, .choice = (int32_t)loop, .number = loop_count});
    action_state *state = sinew_mixer_slot(mixer, action);
    if (!state || state->space) return;
    bool comes = state->loop != SINEW_LOOP_REPEAT;
    set_loop(state, loop, loop_count);
    if (comes) sinew_action_join(mixer, state);
}

void sinew_action_set_parameter(sinew_mixer *mixer, sinew_action action, float x, float y) {
    assert(mixer);
    x = sinew_checked_number(x, 0.0f);
    y = sinew_checked_number(y, 0.0f);
    if (mixer->recorder)
        sinew_note(mixer, (mixer_call){.kind = CALL_SET_PARAMETER, .action = action, .x = x, .y = y});
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) sinew_mixer_set_left_parameter(mixer, action, x, y);
    if (!state || !state->space) return;
    space_state *space = sinew_action_space(mixer, state);
    space->x = x;
    space->y = y;
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

sinew_source sinew_action_source(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state) return (sinew_source){.clip = NULL};
    const space_state *space = sinew_action_space(mixer, state);
    return space ? sinew_blend_space_source(space->space, space->x, space->y) : sinew_clip_source(state->clip);
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
    return state ? state->weight.value : 0.0f;
}

sinew_loop sinew_action_loop(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? (sinew_loop)state->loop : SINEW_LOOP_ONCE;
}

int32_t sinew_action_loops_done(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    return state ? state->loops_done : 0;
}

sinew_blend_parameter sinew_action_parameter(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinew_mixer_slot(mixer, action);
    if (!state || !state->space) return (sinew_blend_parameter){0.0, 0.0, 0.0, 0.0};
    return sinew_action_space(mixer, state)->at;
}
