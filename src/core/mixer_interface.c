// SPDX-License-Identifier: MIT
// The public functions of mixer.h. Each one checks its arguments, reports a change to the recorder if there is one, and
// calls control. mixer_pose.c and motion/mixer_snapshot.c do the same. No other mixer file checks or records, or calls
// these functions.
//
// Arguments are asserted. Without asserts, a wrong pointer, enum, layer, group or pose makes the call a no-op. A wrong
// number is replaced with a safe one, so poses always stay finite. A NULL mixer is undefined.
#include "core/mixer_checks.h"
#include "core/mixer_interface.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <float.h>
#include <string.h>

// ---- Checks: numbers, enums and layers -----------------------------------------------------------------------

static float checked_number(float value, float otherwise) {
    assert(isfinite(value));
    return isfinite(value) ? value : otherwise;
}

// Weights below 0 count as 0.
static float checked_weight(float weight) {
    assert(weight <= SINEW_MAX_WEIGHT);
    if (!(weight > 0.0f)) return 0.0f;
    return weight < SINEW_MAX_WEIGHT ? weight : SINEW_MAX_WEIGHT;
}

static bool loop_exists(sinew_loop loop) {
    return (int)loop >= SINEW_LOOP_ONCE && (int)loop <= SINEW_LOOP_PING_PONG;
}

static bool easing_exists(sinew_easing easing) {
    return (int)easing >= SINEW_EASING_LINEAR && (int)easing <= UINT8_MAX;
}

// ---- Checks: what is played ----------------------------------------------------------------------------------

static bool has_source(const sinew_mixer *mixer, const sinew_source *source) {
    if (source->clip) return !source->blend_space && source->clip->skeleton == mixer->def.skeleton;
    return source->blend_space && source->blend_space->skeleton == mixer->def.skeleton;
}

static bool is_def_valid(const sinew_mixer *mixer, const sinew_play_def *def) {
    if (!def) return true;
    if (def->cookie != SINEWI_DEF_COOKIE) return false;
    if (!sinewi_layer_exists(mixer, def->layer)) return false;
    if (def->sync < 0 || def->sync > UINT8_MAX) return false;
    return loop_exists(def->loop) && easing_exists(def->easing);
}

static bool is_transition_valid(const sinew_transition *transition) {
    if (!transition) return true;
    if (transition->cookie != SINEWI_DEF_COOKIE) return false;
    bool is_kind =
        (int)transition->kind >= SINEW_TRANSITION_FADE && (int)transition->kind <= SINEW_TRANSITION_DEAD_BLEND;
    return is_kind && easing_exists(transition->easing);
}

static bool space_is_additive(const sinew_blend_space *space, bool additive) {
    for (int32_t i = 0; i < space->sample_count; i++) {
        if (space->samples[i].clip->additive != additive) return false;
    }
    return true;
}

// Additive clips need an additive layer, and other clips an override layer.
static bool fits_layer(const sinew_mixer *mixer, play_request request) {
    int32_t layer = request.def ? request.def->layer : request.default_layer;
    bool additive = mixer->layers[layer].mode == SINEW_LAYER_ADDITIVE;
    const sinew_source *source = request.source;
    return source->clip ? source->clip->additive == additive : space_is_additive(source->blend_space, additive);
}

bool sinewi_may_play(const sinew_mixer *mixer, play_request request) {
    return has_source(mixer, request.source) && is_def_valid(mixer, request.def) &&
           is_transition_valid(request.transition) && fits_layer(mixer, request);
}

static bool check_transition(const sinew_transition *transition) {
    assert((!transition || transition->cookie == SINEWI_DEF_COOKIE) &&
           "sinew_transition: start from sinew_transition_default()");
    assert(is_transition_valid(transition) && "kind or easing of the sinew_transition is out of range");
    return is_transition_valid(transition);
}

static bool check_play(const sinew_mixer *mixer, play_request request) {
    assert(mixer);
    assert((request.source->clip || request.source->blend_space) &&
           "the clip or blend space is NULL: a misspelled name?");
    assert(!(request.source->clip && request.source->blend_space) &&
           "a source must be a clip or a blend space, not both");
    assert(has_source(mixer, request.source) &&
           "the clip or blend space belongs to a different skeleton; use sinew_clip_bind");
    assert((!request.def || request.def->cookie == SINEWI_DEF_COOKIE) &&
           "sinew_play_def: start from sinew_play_default()");
    assert(is_def_valid(mixer, request.def) && "layer, sync, loop or easing of the sinew_play_def is out of range");
    check_transition(request.transition);
    assert(fits_layer(mixer, request) && "an additive clip in an overriding layer, or vice versa");
    return sinewi_may_play(mixer, request);
}

static sinew_source checked_source(sinew_source source) {
    source.x = checked_number(source.x, 0.0f);
    source.y = checked_number(source.y, 0.0f);
    return source;
}

static sinew_play_def checked_play_def(const sinew_play_def *def) {
    sinew_play_def checked = *def;
    checked.time = checked_number(def->time, SINEW_TIME_AUTO);
    checked.speed = checked_number(def->speed, 0.0f);
    checked.weight = checked_weight(def->weight);
    checked.fade = sinewi_checked_duration(def->fade);
    if (def->easing == SINEW_EASING_AUTO) checked.easing = SINEW_EASING_LINEAR;
    return checked;
}

static sinew_transition checked_transition(const sinew_transition *transition) {
    sinew_transition checked = *transition;
    checked.duration = sinewi_checked_duration(transition->duration);
    return checked;
}

// ---- Defaults and sources ------------------------------------------------------------------------------------

sinew_play_def sinew_play_default(void) {
    return (sinew_play_def){
        .time = SINEW_TIME_AUTO,
        .speed = 1.0f,
        .weight = 1.0f,
        .loop = SINEW_LOOP_REPEAT,
        .loop_count = SINEW_FOREVER,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

sinew_source sinew_clip_source(const sinew_clip *clip) {
    return (sinew_source){.clip = clip};
}

sinew_source sinew_blend_space_source(const sinew_blend_space *space, float x, float y) {
    return (sinew_source){.blend_space = space, .x = x, .y = y};
}

sinew_transition sinew_transition_default(void) {
    return (sinew_transition){.duration = 0.2f, .easing = SINEW_EASING_AUTO, .cookie = SINEWI_DEF_COOKIE};
}

// ---- Finding actions -----------------------------------------------------------------------------------------

sinew_action sinew_mixer_find(const sinew_mixer *mixer, sinew_source source, int32_t layer) {
    assert(mixer && (layer == SINEW_ALL_LAYERS || sinewi_layer_exists(mixer, layer)));
    if (layer != SINEW_ALL_LAYERS && !sinewi_layer_exists(mixer, layer)) return (sinew_action){0};
    const action_state *state = sinewi_mixer_find_source(mixer, &source, layer);
    return state ? sinewi_mixer_handle(mixer, state) : (sinew_action){0};
}

// Returns the active action with the lowest serial above `serial`, or NULL.
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
        if (count < capacity) actions[count] = sinewi_mixer_handle(mixer, s);
        count++;
    }
    return count;
}

// ---- Playing -------------------------------------------------------------------------------------------------

sinew_action sinew_mixer_play(sinew_mixer *mixer, sinew_source source, const sinew_play_def *def) {
    source = checked_source(source);
    if (!check_play(mixer, (play_request){.source = &source, .def = def})) return (sinew_action){0};
    sinew_play_def own = def ? checked_play_def(def) : sinew_play_default();
    SINEWI_NOTE_CALL(mixer, .kind = source.blend_space ? CALL_PLAY_SPACE : CALL_PLAY, .clip = source.clip,
                     .space = source.blend_space, .def = def ? &own : NULL, .x = source.x, .y = source.y);
    if (own.fade == 0.0f) sinewi_mixer_leave_changes(mixer);
    sinewi_mixer_begin_seam(mixer, own.fade);
    sinew_action action = sinewi_mixer_start(mixer, &source, &own);
    sinewi_mixer_end_seam(mixer);
    return action;
}

sinew_action sinew_mixer_transition_to(sinew_mixer *mixer, sinew_source source, const sinew_transition *transition,
                                       const sinew_play_def *def) {
    source = checked_source(source);
    if (!check_play(mixer, (play_request){&source, transition, def, 0})) return (sinew_action){0};
    sinew_transition own_transition = transition ? checked_transition(transition) : sinew_transition_default();
    sinew_play_def own = def ? checked_play_def(def) : sinew_play_default();
    SINEWI_NOTE_CALL(mixer, .kind = source.blend_space ? CALL_PLAY_SPACE : CALL_TRANSITION_TO, .clip = source.clip,
                     .space = source.blend_space, .transition = &own_transition, .def = def ? &own : NULL,
                     .x = source.x, .y = source.y);
    sinewi_mixer_begin_seam(mixer, own_transition.duration);
    sinew_action action = sinewi_mixer_start_transition(mixer, &source, &own_transition, &own);
    sinewi_mixer_end_seam(mixer);
    return action;
}

sinew_action sinew_mixer_crossfade_to(sinew_mixer *mixer, sinew_source source, float duration,
                                      const sinew_play_def *def) {
    sinew_transition transition = sinew_transition_default();
    transition.duration = duration;
    if (def) transition.easing = def->easing;
    return sinew_mixer_transition_to(mixer, source, &transition, def);
}

void sinew_mixer_stop_all(sinew_mixer *mixer) {
    assert(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_STOP_ALL);
    if (sinewi_mixer_base_is_visible(mixer, NULL)) sinewi_mixer_leave_changes(mixer);
    sinewi_mixer_end_all(mixer);
    sinewi_mixer_choose_sides(mixer);
}

// ---- Changing an action --------------------------------------------------------------------------------------

// Call this before a call that acts immediately on the current pose. Earlier changes are inertialized without it.
static void act_at_once(sinew_mixer *mixer, const action_state *state) {
    if ((state->flags & ACTION_NEW) == 0) sinewi_mixer_leave_changes(mixer);
}

void sinew_action_stop(sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_STOP, .action = action);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (state) act_at_once(mixer, state);
    if (state) sinewi_action_remove(mixer, state);
    sinewi_mixer_choose_sides(mixer);
}

// How many seconds a resumed action takes to reach its sync group.
#define RESUME_SECONDS 0.2f

static void resume(sinew_mixer *mixer, action_state *state) {
    const float time = sinewi_action_clip_time(state);
    sinewi_mixer_begin_seam(mixer, RESUME_SECONDS);
    state->flags &= (uint8_t)~ACTION_PAUSED;
    sinewi_action_join_group(mixer, state, NULL);
    if (sinewi_action_clip_time(state) != time) sinewi_action_lose_side_after_jump(mixer, state);
    sinewi_mixer_end_seam(mixer);
}

void sinew_action_set_paused(sinew_mixer *mixer, sinew_action action, bool paused) {
    assert(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = paused ? CALL_PAUSE : CALL_RESUME, .action = action);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) return;
    if (paused)
        state->flags |= ACTION_PAUSED;
    else if ((state->flags & ACTION_PAUSED) != 0)
        resume(mixer, state);
}

void sinew_action_reset(sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_RESET, .action = action);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) return;
    act_at_once(mixer, state);
    sinewi_action_seek(state, sinewi_clip_start_time(state->clip, SINEW_TIME_AUTO, state->speed));
    state->loops_done = 0;
    state->flags &= (uint8_t)~ACTION_FINISHED;
    sinewi_action_align_group(mixer, state);
}

void sinew_action_fade_to(sinew_mixer *mixer, sinew_action action, float weight, float duration) {
    assert(mixer);
    weight = checked_weight(weight);
    duration = sinewi_checked_duration(duration);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_FADE_TO, .action = action, .x = weight, .y = duration);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (state && duration == 0.0f) act_at_once(mixer, state);
    sinewi_mixer_begin_seam(mixer, duration);
    if (state) sinewi_action_begin_fade(mixer, state, weight, duration, state->easing, false);
    sinewi_mixer_end_seam(mixer);
}

void sinew_action_fade_in(sinew_mixer *mixer, sinew_action action, float duration) {
    assert(mixer);
    duration = sinewi_checked_duration(duration);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_FADE_IN, .action = action, .x = duration);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (state && duration == 0.0f) act_at_once(mixer, state);
    sinewi_mixer_begin_seam(mixer, duration);
    if (state) sinewi_action_begin_fade(mixer, state, state->target_weight, duration, state->easing, false);
    sinewi_mixer_end_seam(mixer);
}

void sinew_action_fade_out(sinew_mixer *mixer, sinew_action action, float duration) {
    assert(mixer);
    duration = sinewi_checked_duration(duration);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_FADE_OUT, .action = action, .x = duration);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (state && duration == 0.0f) act_at_once(mixer, state);
    sinewi_mixer_begin_seam(mixer, duration);
    if (state) sinewi_action_begin_fade(mixer, state, 0.0f, duration, state->easing, true);
    sinewi_mixer_end_seam(mixer);
}

void sinew_action_set_time(sinew_mixer *mixer, sinew_action action, float time) {
    assert(mixer);
    time = checked_number(time, 0.0f);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SET_TIME, .action = action, .x = time);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) return;
    act_at_once(mixer, state);
    sinewi_action_unfinish(state);
    float not_auto = time > 0.0f ? time : 0.0f;
    sinewi_action_seek(state, sinewi_clip_start_time(state->clip, not_auto, state->speed));
    sinewi_action_align_group(mixer, state);
}

void sinew_action_set_speed(sinew_mixer *mixer, sinew_action action, float speed) {
    assert(mixer);
    speed = checked_number(speed, 0.0f);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SET_SPEED, .action = action, .x = speed);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) sinewi_mixer_set_previous_speed(mixer, action, speed);
    if (!state) return;
    if ((speed < 0.0f) != (state->speed < 0.0f)) sinewi_action_unfinish(state);
    state->speed = speed;
}

void sinew_action_set_weight(sinew_mixer *mixer, sinew_action action, float weight) {
    sinew_action_fade_to(mixer, action, weight, 0.0f);
}

void sinew_action_set_loop(sinew_mixer *mixer, sinew_action action, sinew_loop loop, int32_t loop_count) {
    assert(mixer && loop_exists(loop));
    if (!loop_exists(loop)) return;
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SET_LOOP, .action = action, .choice = (int32_t)loop, .number = loop_count);
    action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state || state->space) return;
    bool enters = state->loop != SINEW_LOOP_REPEAT;
    sinewi_action_change_loop(state, loop, loop_count);
    if (enters) sinewi_action_join_group(mixer, state, NULL);
}

void sinew_action_set_parameter(sinew_mixer *mixer, sinew_action action, float x, float y) {
    assert(mixer);
    x = checked_number(x, 0.0f);
    y = checked_number(y, 0.0f);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SET_PARAMETER, .action = action, .x = x, .y = y);
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) sinewi_mixer_set_previous_parameter(mixer, action, x, y);
    if (!state || !state->space) return;
    space_state *space = sinewi_action_space(mixer, state);
    space->x = x;
    space->y = y;
}

// ---- Reading an action ---------------------------------------------------------------------------------------

bool sinew_action_is_active(const sinew_mixer *mixer, sinew_action action) {
    return sinewi_mixer_action_state(mixer, action) != NULL;
}

bool sinew_action_is_finished(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    return state && (state->flags & ACTION_FINISHED) != 0;
}

float sinew_action_time(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    return state ? sinewi_action_clip_time(state) : 0.0f;
}

float sinew_action_weight(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    return state ? state->weight.value : 0.0f;
}

sinew_action_state sinew_action_get(const sinew_mixer *mixer, sinew_action action) {
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) return (sinew_action_state){.layer = -1};
    sinew_action_state got = {
        .clip = state->clip,
        .source = sinew_clip_source(state->clip),
        .layer = state->layer,
        .time = sinewi_action_clip_time(state),
        .speed = state->speed,
        .weight = state->weight.value,
        .loop = (sinew_loop)state->loop,
        .loops_done = state->loops_done,
        .paused = (state->flags & ACTION_PAUSED) != 0,
        .finished = (state->flags & ACTION_FINISHED) != 0,
    };
    const space_state *space = sinewi_action_space(mixer, state);
    if (space) {
        got.source = sinew_blend_space_source(space->space, space->x, space->y);
        got.parameter = space->parameter;
    }
    return got;
}

// ---- Queues --------------------------------------------------------------------------------------------------

void sinew_action_queue(sinew_mixer *mixer, sinew_action action, sinew_source source,
                        const sinew_transition *transition, const sinew_play_def *def) {
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) return;
    source = checked_source(source);
    bool plays = source.clip || source.blend_space;
    if (plays && !check_play(mixer, (play_request){&source, transition, def, state->layer})) return;
    sinew_transition own = transition ? checked_transition(transition) : sinew_transition_default();
    previous_source target = {.source = source, .def = def ? checked_play_def(def) : sinew_play_default()};
    SINEWI_NOTE_CALL(mixer, .kind = source.blend_space ? CALL_QUEUE_SPACE : CALL_QUEUE, .action = action,
                     .clip = source.clip, .space = source.blend_space, .transition = transition ? &own : NULL,
                     .def = def ? &target.def : NULL, .x = source.x, .y = source.y);
    if (!def) target.def.layer = state->layer;
    sinewi_action_set_queued(mixer, state, plays ? QUEUED_SOURCE : QUEUED_NOTHING, &target, &own);
}

bool sinew_action_queue_previous(sinew_mixer *mixer, sinew_action action, const sinew_transition *transition) {
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) return false;
    const previous_source *previous = &mixer->previous[state->layer];
    if (!previous->source.clip && !previous->source.blend_space) return false;
    // The layer's mode may have changed since then.
    bool fits = sinewi_may_play(mixer, (play_request){.source = &previous->source, .def = &previous->def});
    if (!check_transition(transition) || !fits) return false;
    sinew_transition own = transition ? checked_transition(transition) : sinew_transition_default();
    SINEWI_NOTE_CALL(mixer, .kind = CALL_QUEUE_PREVIOUS, .action = action, .transition = transition ? &own : NULL);
    sinewi_action_set_queued(mixer, state, QUEUED_PREVIOUS, previous, &own);
    return true;
}

void sinew_action_queue_fade_out(sinew_mixer *mixer, sinew_action action, float duration) {
    assert(mixer);
    sinew_transition own = {.duration = sinewi_checked_duration(duration)};
    SINEWI_NOTE_CALL(mixer, .kind = CALL_QUEUE_FADE_OUT, .action = action, .x = own.duration);
    const action_state *state = sinewi_mixer_action_state(mixer, action);
    if (!state) return;
    const previous_source nothing = {.source = {NULL, NULL, 0, 0}};
    sinewi_action_set_queued(mixer, state, QUEUED_FADE_OUT, &nothing, &own);
}

// ---- Layers --------------------------------------------------------------------------------------------------

float sinew_layer_weight(const sinew_mixer *mixer, int32_t layer) {
    assert(mixer && sinewi_layer_exists(mixer, layer));
    return sinewi_layer_exists(mixer, layer) ? mixer->layers[layer].weight.value : 0.0f;
}

void sinew_layer_fade_to(sinew_mixer *mixer, int32_t layer, float weight, float duration, sinew_easing easing) {
    assert(easing_exists(easing));
    if (!sinewi_check_upper_layer(mixer, layer) || !easing_exists(easing)) return;
    weight = checked_weight(weight);
    duration = sinewi_checked_duration(duration);
    if (easing == SINEW_EASING_AUTO) easing = SINEW_EASING_LINEAR;
    SINEWI_NOTE_CALL(mixer, .kind = CALL_LAYER_FADE_TO, .layer = layer, .x = weight, .y = duration,
                     .choice = (int32_t)easing);
    if (duration == 0.0f) sinewi_mixer_leave_changes(mixer);
    sinewi_mixer_begin_seam(mixer, duration);
    bool starts = !(mixer->layers[layer].weight.value > 0.0f), fades = duration > 0.0f;
    if (starts) sinewi_mixer_lose_layer_sides(mixer, layer, fades ? layer + 1 : mixer->def.layer_count);
    sinewi_fade_begin(mixer, &mixer->layers[layer].weight, weight, duration, (uint8_t)easing);
    sinewi_mixer_end_seam(mixer);
}

void sinew_layer_set_weight(sinew_mixer *mixer, int32_t layer, float weight) {
    sinew_layer_fade_to(mixer, layer, weight, 0.0f, SINEW_EASING_LINEAR);
}

void sinew_layer_set_mask(sinew_mixer *mixer, int32_t layer, const sinew_mask *mask) {
    if (!sinewi_check_upper_layer(mixer, layer)) return;
    assert(!mask || mask->skeleton == mixer->def.skeleton);
    if (mask && mask->skeleton != mixer->def.skeleton) return;
    SINEWI_NOTE_CALL(mixer, .kind = CALL_LAYER_SET_MASK, .layer = layer, .mask = mask);
    sinewi_mixer_leave_changes(mixer);
    sinewi_mixer_refresh_pose(mixer); // with the old mask
    mixer->layers[layer].mask = mask;
    sinewi_mixer_lose_layer_sides(mixer, layer, mixer->def.layer_count);
    sinewi_mixer_choose_sides(mixer);
    mixer->is_dirty = true;
}

void sinew_layer_set_mode(sinew_mixer *mixer, int32_t layer, sinew_layer_mode mode) {
    bool is_mode = mode == SINEW_LAYER_OVERRIDE || mode == SINEW_LAYER_ADDITIVE;
    assert(is_mode);
    if (!sinewi_check_upper_layer(mixer, layer) || !is_mode) return;
    SINEWI_NOTE_CALL(mixer, .kind = CALL_LAYER_SET_MODE, .layer = layer, .choice = (int32_t)mode);
    sinewi_mixer_refresh_pose(mixer); // with the old mode
    mixer->layers[layer].mode = (uint8_t)mode;
    sinewi_mixer_lose_layer_sides(mixer, layer, mixer->def.layer_count);
    sinewi_mixer_choose_sides(mixer);
    mixer->is_dirty = true;
}

// ---- Each frame ----------------------------------------------------------------------------------------------

void sinewi_mixer_step(sinew_mixer *mixer, float dt) {
    assert(dt >= 0.0f);
    dt = sinewi_checked_duration(dt);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_ADVANCE, .x = dt);
    mixer->is_evaluated = false;
    sinewi_mixer_advance_time(mixer, (double)dt);
    sinewi_mixer_choose_sides(mixer);
    if (!mixer->def.on_event) return;
    mixer->in_event = true;
    for (int32_t i = 0; i < mixer->state->event_count; i++) {
        mixer->def.on_event(&mixer->events[i], mixer->def.user);
    }
    mixer->in_event = false;
}

bool sinew_mixer_update(sinew_mixer *mixer, float dt) {
    assert(mixer);
    if (!SINEWI_MIXER_IS_IDLE(mixer, "sinew_mixer_update")) return false;
    sinewi_mixer_step(mixer, dt);
    return sinewi_mixer_show(mixer);
}

bool sinewi_mixer_begin_show(sinew_mixer *mixer, mixer_output output, sinewi_kernel_input *input) {
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SHOW);
    sinewi_mixer_leave_set_pose(mixer);
    return sinewi_mixer_prepare_output(mixer, output, input);
}

bool sinewi_mixer_show(sinew_mixer *mixer) {
    sinewi_kernel_input input;
    if (!sinewi_mixer_begin_show(mixer, OUTPUT_MODEL, &input)) return false;
    sinewi_mixer_mix_to_local(mixer, &input, mixer->model);
    sinewi_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    return true;
}

// ---- Results -------------------------------------------------------------------------------------------------

const sinew_pose *sinew_mixer_pose(sinew_mixer *mixer) {
    assert(mixer);
    sinewi_mixer_refresh_pose(mixer);
    return &mixer->pose;
}

const float *sinew_mixer_morph_weights(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->pose.weights;
}

const float *sinew_mixer_curves(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->pose.curves;
}

const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->model;
}

sinew_root_delta sinew_mixer_root_delta(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->root ? mixer->root->delta : (sinew_root_delta){.rotation = {0, 0, 0, 1}};
}

sinew_events sinew_mixer_events(const sinew_mixer *mixer) {
    assert(mixer);
    const mixer_state *state = mixer->state;
    return (sinew_events){mixer->events, state->event_count, state->dropped_event_count};
}
