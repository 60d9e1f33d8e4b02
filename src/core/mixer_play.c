// SPDX-License-Identifier: MIT
// Playing: starts actions, evicts them, and runs transitions and queued transitions. Part of control.
#include "core/mixer_control.h"

#include <stddef.h>
#include <string.h>

// ---- Finding -------------------------------------------------------------------------------------------------

static bool plays(const sinew_mixer *mixer, const action_state *state, const sinew_source *source) {
    if (!state->clip) return false;
    const space_state *space = sinewi_action_space(mixer, state);
    return source->clip ? !space && state->clip == source->clip : space && space->space == source->blend_space;
}

action_state *sinewi_mixer_find_source(const sinew_mixer *mixer, const sinew_source *source, int32_t layer) {
    if (!source->clip && !source->blend_space) return NULL;
    action_state *newest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!plays(mixer, state, source) || (layer != SINEW_ALL_LAYERS && state->layer != layer)) continue;
        if (!newest || state->serial > newest->serial) newest = state;
    }
    return newest;
}

// ---- Slots ---------------------------------------------------------------------------------------------------

static action_state *free_slot(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        if (!mixer->actions[i].clip) return &mixer->actions[i];
    }
    return NULL;
}

// Returns whether to evict `a` before `b`. Fading actions go first, then lighter ones.
static bool is_evicted_before(const action_state *a, const action_state *b) {
    if (sinewi_action_is_fading_out(a) != sinewi_action_is_fading_out(b)) return sinewi_action_is_fading_out(a);
    return a->weight.value < b->weight.value;
}

typedef enum evictable { ANY_ACTION, BLEND_SPACES } evictable;

// Returns the action to evict, or NULL. Actions in additive layers can't be held.
static action_state *find_evictable(const sinew_mixer *mixer, evictable kind) {
    action_state *first = NULL;
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || (kind == BLEND_SPACES && !state->space)) continue;
        if (mixer->layers[state->layer].mode == SINEW_LAYER_ADDITIVE) continue;
        if (!first || is_evicted_before(state, first)) first = state;
    }
    return first;
}

// Ends an action. If a cut in another layer evicts it, its own layer doesn't jump.
static void evict(sinew_mixer *mixer, action_state *state, const sinew_play_def *def) {
    const bool is_cut = !mixer->seam.is_open && state->layer != def->layer;
    if (is_cut) sinewi_mixer_begin_seam(mixer, mixer->def.smoothing);
    sinewi_action_remove(mixer, state);
    if (!is_cut) return;
    sinewi_mixer_end_seam(mixer);
    sinewi_mixer_leave_changes(mixer);
}

// Returns a free slot. Evicts an action if all slots are in use. NULL if nothing can be evicted.
static action_state *take_slot(sinew_mixer *mixer, const sinew_play_def *def) {
    action_state *slot = free_slot(mixer);
    if (slot) return slot;
    slot = find_evictable(mixer, ANY_ACTION);
    if (slot) evict(mixer, slot, def);
    return slot;
}

// Returns the number of a free space state, starting from 1, or 0.
static uint8_t free_space(const sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->def.max_blend_spaces; i++) {
        if (!mixer->spaces[i].space) return (uint8_t)(i + 1);
    }
    return 0;
}

// Returns a free space state. Evicts an action if all are in use. 0 if nothing can be evicted.
static uint8_t take_space(sinew_mixer *mixer, const sinew_play_def *def) {
    uint8_t number = free_space(mixer);
    if (number) return number;
    action_state *state = find_evictable(mixer, BLEND_SPACES);
    if (state) evict(mixer, state, def);
    return free_space(mixer);
}

// ---- Starting ------------------------------------------------------------------------------------------------

static void start_space(sinew_mixer *mixer, action_state *state, uint8_t number, const sinew_source *source) {
    mixer->spaces[number - 1] = (space_state){.space = source->blend_space,
                                              .parameter = {(double)source->x, (double)source->y, 0.0, 0.0},
                                              .x = source->x,
                                              .y = source->y};
    state->space = number;
    state->loop = SINEW_LOOP_REPEAT;
    state->loop_count = SINEW_FOREVER;
    sinewi_space_advance(mixer, state, 0.0);
    sinewi_action_seek(state, 0.0);
    const bool is_backward = sinewi_action_phase_rate(mixer, state) < 0.0;
    sinewi_action_seek(state, is_backward ? (double)state->clip->duration : 0.0);
}

// Serials are never 0, even after 2^32 plays.
static uint32_t next_serial(sinew_mixer *mixer) {
    uint32_t *serial = &mixer->state->next_serial;
    if (++*serial == 0) *serial = 1;
    return *serial;
}

// Starts a new action with weight 0. Returns NULL if no slot can be used.
static action_state *start_action(sinew_mixer *mixer, const sinew_source *source, const sinew_play_def *def) {
    uint8_t space = source->blend_space ? take_space(mixer, def) : 0;
    if (source->blend_space && !space) return NULL;
    action_state *state = take_slot(mixer, def);
    if (!state) return NULL;
    const sinew_clip *clip = source->clip;
    int32_t slot = (int32_t)(state - mixer->actions);
    if (mixer->state->slot_end <= slot) mixer->state->slot_end = slot + 1;
    *state = (action_state){
        .clip = clip,
        .phase = clip ? sinewi_clip_start_time(clip, def->time, def->speed) : 0.0,
        .speed = def->speed,
        .serial = next_serial(mixer),
        .loop = (uint8_t)def->loop,
        .flags = ACTION_SEEKED | ACTION_NEW,
        .layer = (uint8_t)def->layer,
        .loop_count = sinewi_valid_loop_count(def->loop_count),
        .warp = sinewi_fade_constant(1.0f),
    };
    if (space) {
        start_space(mixer, state, space, source);
    } else {
        state->intervals = sinewi_sync_find_intervals(clip, mixer->def.sync_names, mixer->def.sync_name_count);
    }
    layer_state *layer = &mixer->layers[def->layer];
    bool starts_layer = layer->action_count++ == 0;
    if (starts_layer) sinewi_mixer_lose_layer_sides(mixer, def->layer, def->layer + 1);
    sinewi_action_lose_side(mixer, state);
    mixer->queued[slot].kind = QUEUED_NOTHING;
    size_t hints = (size_t)mixer->def.hints_per_action;
    memset(&mixer->hints[(size_t)slot * hints], 0, hints * sizeof *mixer->hints);
    return state;
}

// Returns whether an action that already plays the source starts over instead of continuing. See sinew_play_def.
static bool starts_again(const action_state *state, const sinew_play_def *def) {
    if (state->space) return false;
    if (def->restart || def->time != SINEW_TIME_AUTO) return true;
    if ((state->flags & ACTION_FINISHED) != 0) return true;
    return state->loop == SINEW_LOOP_ONCE && sinewi_action_is_fading_out(state);
}

// Returns whether an action is synced with its group and stays in it.
static bool remains_synced(const action_state *state, const sinew_play_def *def) {
    bool repeats = state->loop == SINEW_LOOP_REPEAT && def->loop == SINEW_LOOP_REPEAT;
    return def->sync != 0 && state->sync == def->sync && repeats && !sinewi_action_is_frozen(state);
}

// Returns whether an action that starts over is replaced by a new one and fades out. Without a fade the same action
// starts over. So does a synced action, and its group moves with it.
static bool is_replaced(const action_state *state, const sinew_play_def *def, bool fades) {
    return fades && starts_again(state, def) && !remains_synced(state, def);
}

static void continue_action(action_state *state, const sinew_play_def *def) {
    bool restart = starts_again(state, def);
    sinewi_action_unfinish(state);
    state->flags &= (uint8_t)~ACTION_PAUSED;
    state->speed = def->speed;
    if (restart) {
        sinewi_action_seek(state, sinewi_clip_start_time(state->clip, def->time, def->speed));
        state->loops_done = 0;
    }
    if (state->loop != (uint8_t)def->loop) sinewi_action_change_loop(state, def->loop, def->loop_count);
    state->loop_count = sinewi_valid_loop_count(def->loop_count);
}

// Returns the action to continue instead of starting a new one, or NULL.
static action_state *find_continued(const sinew_mixer *mixer, const sinew_source *source,
                                    const sinew_play_def *def) {
    return def->allow_duplicate ? NULL : sinewi_mixer_find_source(mixer, source, def->layer);
}

static void set_sync(sinew_mixer *mixer, action_state *state, uint8_t group, bool enters,
                     action_state *old_leader) {
    bool joins = group != 0 && (state->sync != group || enters), was = state->sync || state->space;
    state->sync = group;
    mixer->state->synced_count += (state->sync || state->space) - was;
    if (joins) sinewi_action_join_group(mixer, state, old_leader);
}

// Starts a source, or continues the action `state` that already plays it. Doesn't change the weight. `leader` led the
// sync group before any action ended. With a fade, no visible action jumps to another phase. Returns NULL if no slot
// can be used.
static action_state *begin(sinew_mixer *mixer, const sinew_source *source, const sinew_play_def *def,
                           action_state *state, action_state *leader) {
    bool enters = !state || sinewi_action_is_frozen(state) || state->loop != SINEW_LOOP_REPEAT;
    bool seeks = !enters && starts_again(state, def);
    const action_state *continued = state;
    const float time = state ? sinewi_action_clip_time(state) : 0.0f;
    if (state && state->space) {
        space_state *space = sinewi_action_space(mixer, state);
        space->x = source->x;
        space->y = source->y;
        sinewi_space_advance(mixer, state, 0.0); // without damping, the parameter is there immediately
        state->speed = def->speed;
        state->flags &= (uint8_t)~ACTION_PAUSED;
    } else if (state) {
        continue_action(state, def);
    } else {
        state = start_action(mixer, source, def);
        if (state) mixer->state->synced_count += state->space != 0;
    }
    if (!state) return NULL;
    state->target_weight = def->weight;
    state->easing = (uint8_t)def->easing;
    set_sync(mixer, state, (uint8_t)def->sync, enters, leader);
    if (continued && sinewi_action_clip_time(state) != time) sinewi_action_lose_side_after_jump(mixer, state);
    if (seeks) sinewi_action_align_group(mixer, state);
    return state;
}

sinew_action sinewi_mixer_start(sinew_mixer *mixer, const sinew_source *source, const sinew_play_def *def) {
    action_state *old = find_continued(mixer, source, def);
    bool replaces = old && is_replaced(old, def, def->fade > 0.0f);
    action_state leader = sinewi_mixer_copy_leader(mixer, def->sync);
    action_state *state = begin(mixer, source, def, replaces ? NULL : old, &leader);
    if (!state) return (sinew_action){0};
    bool fade_old = replaces && old != state && !sinewi_action_is_fading_out(old); // it may have been evicted
    if (fade_old) sinewi_action_begin_fade(mixer, old, 0.0f, def->fade, state->easing, true);
    sinewi_action_begin_fade(mixer, state, state->target_weight, def->fade, state->easing, false);
    return sinewi_mixer_handle(mixer, state);
}

// ---- Warping -------------------------------------------------------------------------------------------------

#define MAX_WARP 1e6

// Returns the clip's cycles per second. 0 if the action doesn't move.
static double cycle_rate(const action_state *state) {
    if (!(state->clip->duration > 0.0f)) return 0.0;
    return fabs((double)state->speed) * (double)state->warp.value / (double)state->clip->duration;
}

// Returns the warp that gives an action this cycle rate. Limits it for actions that hardly move.
static float warp_for(const action_state *state, double rate) {
    double factor = (double)state->warp.value * rate / cycle_rate(state);
    return factor < MAX_WARP ? (float)factor : (float)MAX_WARP;
}

static bool is_moving(const action_state *state) {
    return cycle_rate(state) > 0.0 && (state->flags & (ACTION_PAUSED | ACTION_FINISHED)) == 0;
}

// Returns whether an action fades out for another one in its layer.
static bool fades_out_for(const action_state *state, const action_state *fading_in) {
    return state->clip && state != fading_in && state->layer == fading_in->layer && is_moving(state) &&
           sinewi_action_is_fading_out(state);
}

// Warps an action and the ones that fade out for it to the same cycle rate.
static void warp_speeds(sinew_mixer *mixer, action_state *fading_in, float duration) {
    if (!is_moving(fading_in)) return;
    const action_state *heaviest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!fades_out_for(state, fading_in)) continue;
        if (!heaviest || state->weight.value > heaviest->weight.value) heaviest = state;
    }
    if (!heaviest) return;
    double now = cycle_rate(heaviest), then = cycle_rate(fading_in) / (double)fading_in->warp.value;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!fades_out_for(state, fading_in)) continue;
        sinewi_fade_begin(mixer, &state->warp, warp_for(state, then), duration, SINEW_EASING_LINEAR);
    }
    if (!(fading_in->weight.value > 0.0f)) fading_in->warp = sinewi_fade_constant(warp_for(fading_in, now));
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static void fade_out_others(sinew_mixer *mixer, const action_state *except, int32_t layer,
                            const sinew_transition *transition) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || state == except || state->layer != layer) continue;
        sinewi_action_begin_fade(mixer, state, 0.0f, transition->duration, (uint8_t)transition->easing, true);
    }
}

static bool layer_plays_space(const sinew_mixer *mixer, int32_t layer) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state->clip && state->space && state->layer == layer) return true;
    }
    return false;
}

// Returns whether a transition can start a new action. With `at_once`, the layer's other actions end first.
static bool can_start(const sinew_mixer *mixer, const sinew_source *source, const sinew_play_def *def,
                      bool at_once) {
    bool clears_space = at_once && layer_plays_space(mixer, def->layer);
    if (source->blend_space && !free_space(mixer) && !clears_space && !find_evictable(mixer, BLEND_SPACES))
        return false;
    if (at_once && mixer->layers[def->layer].action_count > 0) return true;
    return free_slot(mixer) || find_evictable(mixer, ANY_ACTION);
}

// A transition that is about to start.
typedef struct change {
    const sinew_source *source;
    const sinew_transition *transition;
    const sinew_play_def *def;
    action_state *continued; // the action that already plays the source and continues, or NULL
    action_state leader;     // of the sync group before any action ends. A new action joins at its phase.
    double group_rate;       // of the group at this time, in phases per second
} change;

static action_state *begin_change(sinew_mixer *mixer, change *c) {
    return begin(mixer, c->source, c->def, c->continued, &c->leader);
}

static void fade_in(sinew_mixer *mixer, action_state *state, const sinew_transition *transition) {
    sinewi_action_begin_fade(mixer, state, state->target_weight, transition->duration, (uint8_t)transition->easing,
                             false);
}

// Ends a layer's other actions and sets the continued action's weight to 0, without a fade.
static void clear_layer(sinew_mixer *mixer, int32_t layer, const action_state *continued) {
    if (layer == 0) mixer->state->held_proportion = sinewi_fade_constant(0.0f);
    mixer->layers[layer].proportions_fade = mixer->layers[layer].weights_changed = false;
    mixer->layers[layer].change_duration = 0.0f;
    for (int32_t i = mixer->state->slot_end; i-- > 0;) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != layer) continue;
        state->weight = state->proportion = sinewi_fade_constant(0.0f);
        state->flags &= (uint8_t)~ACTION_FADE_ASKED;
        if (state != continued) sinewi_action_end(mixer, state);
    }
}

// Returns the group's rate if the action had this warp.
static double group_rate_at(const sinew_mixer *mixer, action_state *state, float warp) {
    state->warp = sinewi_fade_constant(warp);
    return sinewi_action_phase_rate(mixer, state);
}

// Without the old actions, a sync group's rate would change immediately. So the new action starts with a warp that
// keeps the group's old rate, including actions in other layers. Like in a fade, it reaches its own rate at the end of
// the transition. If no member has a weight, all count equally. Then this action makes up for slower ones only up to
// the old rate, because nothing shows that they are slower, and they may end before it does.
static void start_at_group_rate(const sinew_mixer *mixer, action_state *state, const change *c) {
    state->warp = sinewi_fade_constant(1.0f);
    if (!c->leader.clip || !sinewi_action_is_synced(state)) return;
    double others = group_rate_at(mixer, state, 0.0f), own = group_rate_at(mixer, state, 1.0f) - others;
    double factor = own != 0.0 ? (c->group_rate - others) / own : 0.0;
    if (!(state->weight.value > 0.0f))
        factor = fmin(factor, c->group_rate / sinewi_action_own_phase_rate(mixer, state));
    if (factor > 0.0 && factor < MAX_WARP) state->warp = sinewi_fade_constant((float)factor);
}

static sinew_action fade(sinew_mixer *mixer, change *c) {
    fade_out_others(mixer, c->continued, c->def->layer, c->transition); // first, because fading actions are evicted
                                                                        // first
    action_state *state = begin_change(mixer, c);
    bool evicts_leader = c->leader.clip && !sinewi_action_still_plays(mixer, &c->leader);
    if (evicts_leader && c->transition->duration > 0.0f) start_at_group_rate(mixer, state, c);
    if (c->transition->match_rate) warp_speeds(mixer, state, c->transition->duration);
    fade_in(mixer, state, c->transition);
    return sinewi_mixer_handle(mixer, state);
}

static sinew_action inertialize(sinew_mixer *mixer, change *c) {
    sinewi_mixer_capture_shown(mixer);
    clear_layer(mixer, c->def->layer, c->continued);
    if (c->def->layer == 0) sinewi_mixer_replace_base(mixer);
    sinewi_mixer_lose_layer_sides(mixer, c->def->layer, mixer->def.layer_count);
    if (c->def->layer == 0) sinewi_mixer_lose_rest_side(mixer);
    action_state *state = begin_change(mixer, c);
    state->weight = state->proportion = sinewi_fade_constant(state->target_weight);
    start_at_group_rate(mixer, state, c);
    sinewi_fade_begin(mixer, &state->warp, 1.0f, c->transition->duration, SINEW_EASING_LINEAR);
    state->flags &= (uint8_t)~ACTION_STOP_AFTER_FADE;
    return sinewi_mixer_handle(mixer, state);
}

static sinew_action dead_blend(sinew_mixer *mixer, change *c) {
    sinewi_mixer_begin_extrapolation(mixer, c->transition->duration);
    clear_layer(mixer, c->def->layer, c->continued);
    sinewi_mixer_restart_seam(mixer); // this pose was shown, and is now held
    if (mixer->state->offsets.duration > 0.0f) sinewi_mixer_capture_shown(mixer);
    action_state *state = begin_change(mixer, c);
    start_at_group_rate(mixer, state, c);
    fade_in(mixer, state, c->transition);
    return sinewi_mixer_handle(mixer, state);
}

static void keep_transition(sinew_transition *to, const sinew_transition *from) {
    memset(to, 0, sizeof *to);
    // Copy up to the last field before the cookie. The padding after it would end up in snapshots.
    memcpy(to, from, offsetof(sinew_transition, match_rate) + sizeof from->match_rate);
    to->cookie = from->cookie;
}

// Call this before a transition in a layer. Stores the target for sinew_action_queue_previous, which is the heaviest
// action that the transition replaces. If something is queued after that action, it becomes the target instead, so an
// interrupted one-shot doesn't resume.
static void store_previous(sinew_mixer *mixer, int32_t layer, const action_state *continued) {
    const action_state *heaviest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->layer != layer || state == continued) continue;
        if (sinewi_action_is_fading_out(state)) continue;
        if (!heaviest || state->weight.value > heaviest->weight.value) heaviest = state;
    }
    if (!heaviest) return;
    const queued_state *queued = &mixer->queued[heaviest - mixer->actions];
    bool has_target = queued->kind == QUEUED_SOURCE || queued->kind == QUEUED_PREVIOUS;
    if (has_target && queued->target.def.layer == layer) {
        sinewi_mixer_keep_source(&mixer->previous[layer], &queued->target);
    } else if (queued->kind != QUEUED_FADE_OUT) {
        const previous_source own = sinewi_action_source_state(mixer, heaviest);
        sinewi_mixer_keep_source(&mixer->previous[layer], &own);
    }
}

sinew_action sinewi_mixer_start_transition(sinew_mixer *mixer, const sinew_source *source,
                                           const sinew_transition *transition, const sinew_play_def *def) {
    sinew_play_def own = *def;
    sinew_transition own_transition = *transition;
    transition = &own_transition;
    own.fade = transition->duration;
    bool keeps_velocity = mixer->def.inertialization && transition->duration >= SINEWI_MIN_TRANSITION_SECONDS &&
                          mixer->state->has_advanced;
    bool inertializes = keeps_velocity && transition->kind == SINEW_TRANSITION_INERTIALIZE;
    bool dead_blends = keeps_velocity && transition->kind == SINEW_TRANSITION_DEAD_BLEND && own.layer == 0;
    if (own_transition.easing == SINEW_EASING_AUTO)
        own_transition.easing = dead_blends ? SINEW_EASING_SMOOTHSTEP : SINEW_EASING_LINEAR;
    bool cuts = !(transition->duration > 0.0f), at_once = cuts || inertializes || dead_blends;
    action_state *continued = find_continued(mixer, source, &own);
    if (continued && is_replaced(continued, &own, !at_once)) continued = NULL;
    if (!continued && !can_start(mixer, source, &own, at_once)) return (sinew_action){0};
    if (cuts && own.layer == 0) sinewi_mixer_drop_offsets(mixer);
    store_previous(mixer, own.layer, continued);
    change c = {source, transition, &own, continued, sinewi_mixer_copy_leader(mixer, own.sync), 0.0};
    if (c.leader.clip) c.group_rate = sinewi_action_phase_rate(mixer, &c.leader);
    if (inertializes) return inertialize(mixer, &c);
    if (dead_blends) return dead_blend(mixer, &c);
    return fade(mixer, &c);
}

// ---- Queued transitions --------------------------------------------------------------------------------------

void sinewi_action_set_queued(sinew_mixer *mixer, const action_state *state, queued_kind kind,
                              const previous_source *target, const sinew_transition *transition) {
    queued_state *queued = &mixer->queued[state - mixer->actions];
    queued->kind = kind;
    keep_transition(&queued->transition, transition);
    sinewi_mixer_keep_source(&queued->target, target);
    mixer->state->queued_count++;
}

// Returns the clip seconds until an action finishes, or HUGE_VAL if it never does.
static double clip_seconds_left(const action_state *state) {
    if ((state->flags & ACTION_FINISHED) != 0) return 0.0;
    double duration = (double)state->clip->duration, phase = state->phase;
    bool backward = state->speed < 0.0f;
    if (state->loop == SINEW_LOOP_ONCE) return backward ? phase : duration - phase;
    if (state->loop_count == SINEW_FOREVER || state->space) return HUGE_VAL;
    double within = state->loop == SINEW_LOOP_PING_PONG && phase >= duration ? phase - duration : phase;
    double cycles = sinewi_action_cycles_left(state) - 1.0;
    return (backward && within > 0.0 ? within : duration - within) + cycles * duration;
}

// Returns how many seconds an action needs to move by `rest` clip seconds, at most `limit`. HUGE_VAL if it takes
// longer.
static double seconds_to_move(const sinew_mixer *mixer, const action_state *state, double rest, double limit) {
    if (!sinewi_action_changes_rate(mixer, state)) {
        double rate = fabs((double)state->speed) * (double)state->warp.value;
        return rate > 0.0 ? rest / rate : HUGE_VAL;
    }
    if (sinewi_action_clip_motion(mixer, state, limit) < rest) return HUGE_VAL;
    double before = 0.0, after = limit, middle = 0.5 * limit; // bisects down to two adjacent numbers
    while (middle > before && middle < after) {
        bool reaches = sinewi_action_clip_motion(mixer, state, middle) >= rest;
        *(reaches ? &after : &before) = middle;
        middle = 0.5 * (before + after);
    }
    return after;
}

// Returns the seconds until something queued starts, if less than `left`. A fade ends when the action finishes. Other
// transitions start at this point.
static double seconds_to_queued(const sinew_mixer *mixer, const action_state *state,
                                const sinew_transition *transition, double left) {
    double rest = clip_seconds_left(state);
    double ahead = transition->kind == SINEW_TRANSITION_FADE ? (double)transition->duration : 0.0;
    if (rest == 0.0) return 0.0;
    if (rest == HUGE_VAL) return HUGE_VAL;
    double seconds = seconds_to_move(mixer, state, rest, left + ahead) - ahead;
    return seconds > 0.0 ? seconds : 0.0;
}

double sinewi_mixer_next_queued(sinew_mixer *mixer, double left, action_state **ending) {
    double soonest = HUGE_VAL;
    *ending = NULL;
    mixer->state->queued_count = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        const queued_state *queued = &mixer->queued[i];
        if (!state->clip || queued->kind == QUEUED_NOTHING) continue;
        mixer->state->queued_count++;
        if ((state->flags & (ACTION_PAUSED | ACTION_STOP_AFTER_FADE)) != 0) continue;
        double seconds = seconds_to_queued(mixer, state, &queued->transition, left);
        if (seconds >= soonest) continue;
        soonest = seconds;
        *ending = state;
    }
    return soonest;
}

// Returns a queued transition's target. A previous action that still plays continues with its current parameters.
static previous_source target_of(const sinew_mixer *mixer, const queued_state *queued) {
    const action_state *state = NULL;
    if (queued->kind == QUEUED_PREVIOUS) state = sinewi_mixer_action_state(mixer, queued->target.action);
    return state ? sinewi_action_source_state(mixer, state) : queued->target;
}

void sinewi_mixer_play_queued(sinew_mixer *mixer, action_state *ending) {
    queued_state queued = mixer->queued[ending - mixer->actions];
    mixer->queued[ending - mixer->actions].kind = QUEUED_NOTHING;
    if (queued.kind == QUEUED_FADE_OUT) {
        sinewi_action_begin_fade(mixer, ending, 0.0f, queued.transition.duration, ending->easing, true);
        return;
    }
    previous_source target = target_of(mixer, &queued);
    target.def.restart |= target.source.clip == ending->clip && !ending->space; // a clip queued after itself
    previous_source before = mixer->previous[target.def.layer];
    int32_t layer = ending->layer;
    sinewi_mixer_start_transition(mixer, &target.source, &queued.transition, &target.def);
    if (target.def.layer == layer) sinewi_mixer_keep_source(&mixer->previous[layer], &before); // it led to this one
}
