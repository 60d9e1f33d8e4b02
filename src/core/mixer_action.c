// SPDX-License-Identifier: MIT
// Single actions: seeking, staying in step with a sync group, fading and ending. Part of control.
//
// An action plays a clip or blend space in a slot of a layer. Layer 0 is the base, which always has a pose. It comes
// from its actions that have a weight, or else it is the held pose, the last pose of actions that ended. A proportion
// is how much an action or held pose contributes to its layer (mixer_proportion.c). A weight is what the program asked
// for.
#include "core/blend_space_data.h"
#include "core/mixer_control.h"
#include "base/def_cookie.h"

#include <stddef.h>
#include <string.h>

// ---- Time ----------------------------------------------------------------------------------------------------

double sinewi_clip_start_time(const sinew_clip *clip, float time, float speed) {
    if (time == SINEW_TIME_AUTO) return speed < 0.0f ? (double)clip->duration : 0.0;
    if (!(time > 0.0f)) return 0.0;
    return time < clip->duration ? (double)time : (double)clip->duration;
}

// The end of a loop has the same phase as its start. To show the end, a blend space stops this much before it, because
// phases have a relative error of about 1e-15.
#define PHASE_BEFORE_END 1e-8

void sinewi_action_seek(action_state *state, double time) {
    state->flags |= ACTION_SEEKED;
    state->phase = time;
    if (!state->space) return;
    const bool is_end = time > 0.0 && time == (double)state->clip->duration;
    state->phase =
        sinewi_sync_phase_at_time(state->clip, &state->intervals, time) - (is_end ? PHASE_BEFORE_END : 0.0);
}

void sinewi_action_unfinish(action_state *state) {
    if (!(state->flags & ACTION_FINISHED)) return;
    state->flags &= (uint8_t)~ACTION_FINISHED;
    state->loops_done = 0;
}

int32_t sinewi_valid_loop_count(int32_t count) {
    return count == SINEW_FOREVER || count >= 1 ? count : 1;
}

void sinewi_action_change_loop(action_state *state, sinew_loop loop, int32_t loop_count) {
    state->phase = (double)sinewi_action_clip_time(state); // a ping-pong on its way back continues forward
    state->loop = (uint8_t)loop;
    state->loop_count = sinewi_valid_loop_count(loop_count);
    state->loops_done = 0;
    state->flags &= (uint8_t)~ACTION_FINISHED;
}

void sinewi_space_advance(const sinew_mixer *mixer, action_state *state, double dt) {
    space_state *space = sinewi_action_space(mixer, state);
    *space = sinewi_space_state_after(space, dt);
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinewi_space_weights(mixer, state, space, weights), heaviest = 0;
    for (int32_t i = 1; i < count; i++) {
        if (weights[i].weight > weights[heaviest].weight) heaviest = i;
    }
    sinewi_space_enter_samples(mixer, space, weights, count);
    state->clip = space->space->samples[weights[heaviest].sample].clip;
    state->intervals = space->space->data->intervals[weights[heaviest].sample];
}

// ---- Sync groups ---------------------------------------------------------------------------------------------

// If an action's clip has sync markers, adds its sync intervals and their seconds.
static void count_intervals(const action_state *state, double *intervals, double *seconds) {
    if (!state->clip || state->intervals.marker_bits == 0) return;
    *intervals += (double)state->intervals.count;
    *seconds += (double)state->clip->duration;
}

// Divides the group's clips without sync markers into intervals, using the mean rate of the others. Also counts
// `old_leader`, which may be NULL.
static void divide_group(const sinew_mixer *mixer, uint8_t group, action_state *old_leader) {
    double intervals = 0.0, seconds = 0.0;
    if (old_leader) count_intervals(old_leader, &intervals, &seconds);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (mixer->actions[i].sync == group) count_intervals(&mixer->actions[i], &intervals, &seconds);
    }
    if (!(seconds > 0.0)) return;
    double rate = intervals / seconds;
    int32_t names = mixer->def.sync_name_count;
    if (old_leader && !old_leader->space) sinewi_sync_divide(old_leader->clip, &old_leader->intervals, rate, names);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || state->sync != group || state->space) continue;
        sinewi_sync_divide(state->clip, &state->intervals, rate, names);
    }
}

// Returns whether `a` should lead the group rather than `b`. Clips with sync markers come first, then the heaviest.
static bool leads_before(const action_state *a, const action_state *b) {
    bool a_marks = a->intervals.marker_bits != 0, b_marks = b->intervals.marker_bits != 0;
    return a_marks != b_marks ? a_marks : a->weight.value > b->weight.value;
}

// Returns the action that defines the group's phase.
static const action_state *leader_of(const sinew_mixer *mixer, uint8_t group, const action_state *except) {
    const action_state *leader = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state == except || state->sync != group || !sinewi_action_is_synced(state)) continue;
        if (!leader || leads_before(state, leader)) leader = state;
    }
    return leader;
}

action_state sinewi_mixer_copy_leader(const sinew_mixer *mixer, int32_t group) {
    const action_state *leader = group != 0 ? leader_of(mixer, (uint8_t)group, NULL) : NULL;
    return leader ? *leader : (action_state){.clip = NULL};
}

static void set_shared_phase(action_state *state, double phase) {
    state->phase = state->space ? phase : sinewi_sync_time_at_phase(state->clip, &state->intervals, phase);
}

bool sinewi_action_still_plays(const sinew_mixer *mixer, const action_state *copy) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (mixer->actions[i].clip && mixer->actions[i].serial == copy->serial) return true;
    }
    return false;
}

// Returns the phase that the leader's followers should use. If the leader was set to the end of its loop, they are at
// the start.
static double phase_to_follow(const action_state *leader) {
    double phase = sinewi_action_phase(leader), end = ceil(phase);
    return end - phase <= 2.0 * PHASE_BEFORE_END ? end : phase;
}

void sinewi_action_join_group(const sinew_mixer *mixer, action_state *state, action_state *old_leader) {
    if (!state->sync || !sinewi_action_is_synced(state)) return;
    if (old_leader && (!old_leader->clip || sinewi_action_still_plays(mixer, old_leader))) old_leader = NULL;
    divide_group(mixer, state->sync, old_leader);
    const action_state *leader = leader_of(mixer, state->sync, state);
    if (old_leader && (!leader || leads_before(old_leader, leader))) leader = old_leader;
    if (leader) set_shared_phase(state, phase_to_follow(leader));
}

void sinewi_action_lose_side_after_jump(const sinew_mixer *mixer, action_state *state) {
    if (mixer->seam.is_open || mixer->state->set_pose.change > 0.0f) sinewi_action_lose_side(mixer, state);
}

void sinewi_action_align_group(const sinew_mixer *mixer, action_state *leader) {
    sinewi_action_lose_side_after_jump(mixer, leader);
    if (!leader->sync || !sinewi_action_is_synced(leader)) return;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        bool follows = state != leader && sinewi_action_shares_phase(leader, state);
        if (!follows) continue;
        set_shared_phase(state, phase_to_follow(leader));
        sinewi_action_lose_side_after_jump(mixer, state);
    }
}

// ---- Previous sources ----------------------------------------------------------------------------------------

previous_source sinewi_action_source_state(const sinew_mixer *mixer, const action_state *state) {
    const space_state *space = sinewi_action_space(mixer, state);
    previous_source previous = {.source = {.clip = state->clip}, .action = sinewi_mixer_handle(mixer, state)};
    if (space) previous.source = (sinew_source){NULL, space->space, space->x, space->y};
    previous.def = (sinew_play_def){
        .time = SINEW_TIME_AUTO,
        .speed = state->speed,
        .weight = state->target_weight,
        .easing = (sinew_easing)state->easing,
        .layer = state->layer,
        .sync = state->sync,
        .loop = (sinew_loop)state->loop,
        .loop_count = state->loop_count,
        .cookie = SINEWI_DEF_COOKIE,
    };
    bool holds = state->loop == SINEW_LOOP_ONCE && (state->flags & ACTION_FINISHED) != 0;
    if (holds) previous.def.time = sinewi_action_clip_time(state); // continues with the pose that it holds
    return previous;
}

// Returns the next previous source that an action has played, first from the layers and then from queued transitions.
// *next starts at 0. Returns NULL after the last one.
static previous_source *next_reference(const sinew_mixer *mixer, sinew_action action, int32_t *next) {
    int32_t layers = mixer->def.layer_count, end = layers + mixer->state->slot_end;
    while (*next < end) {
        int32_t i = (*next)++;
        previous_source *previous = i < layers ? &mixer->previous[i] : &mixer->queued[i - layers].target;
        bool is_used = i < layers || mixer->queued[i - layers].kind == QUEUED_PREVIOUS;
        if (is_used && action.id != 0 && previous->action.id == action.id) return previous;
    }
    return NULL;
}

// The padding of public structs must be 0 in the state, because snapshots have a checksum and the program's padding may
// be uninitialized.
static void keep_play_def(sinew_play_def *to, const sinew_play_def *from) {
    memset(to, 0, sizeof *to);
    // Copy up to the last field before the cookie. The padding after it would end up in snapshots.
    memcpy(to, from, offsetof(sinew_play_def, restart) + sizeof from->restart);
    to->cookie = from->cookie;
}

void sinewi_mixer_keep_source(previous_source *to, const previous_source *from) {
    to->source = from->source;
    keep_play_def(&to->def, &from->def);
    to->action = from->action;
}

// Call this before an action ends. Stores how it played for transitions that return to it.
static void update_previous(sinew_mixer *mixer, const action_state *ending) {
    int32_t next = 0;
    sinew_action action = sinewi_mixer_handle(mixer, ending);
    for (previous_source *previous; (previous = next_reference(mixer, action, &next));) {
        const previous_source own = sinewi_action_source_state(mixer, ending);
        sinewi_mixer_keep_source(previous, &own);
    }
}

void sinewi_mixer_set_previous_parameter(sinew_mixer *mixer, sinew_action action, float x, float y) {
    int32_t next = 0;
    for (previous_source *previous; (previous = next_reference(mixer, action, &next));) {
        previous->source.x = x;
        previous->source.y = y;
    }
}

void sinewi_mixer_set_previous_speed(sinew_mixer *mixer, sinew_action action, float speed) {
    int32_t next = 0;
    for (previous_source *previous; (previous = next_reference(mixer, action, &next));) previous->def.speed = speed;
}

// ---- Ending --------------------------------------------------------------------------------------------------

// Returns whether an action is the only visible one in the base.
static bool is_alone_in_base(const sinew_mixer *mixer, const action_state *state) {
    return sinewi_action_is_visible_in_base(state) && !sinewi_mixer_base_is_visible(mixer, state);
}

// Returns the base's action with the longest fade-in, or NULL.
static const action_state *find_longest_fade_in(const sinew_mixer *mixer) {
    const action_state *longest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool fades_in =
            state->clip && state->layer == 0 && sinewi_fade_is_active(&state->weight) && state->weight.to > 0.0f;
        if (fades_in && (!longest || state->weight.duration > longest->weight.duration)) longest = state;
    }
    return longest;
}

// Fades out the held pose together with fades that are already requested.
static void fade_held_to_next(sinew_mixer *mixer) {
    const action_state *next = find_longest_fade_in(mixer);
    if (next) sinewi_mixer_fade_out_held(mixer, sinewi_fade_seconds_left(&next->weight), next->weight.easing);
}

// Holds the base's pose when its last visible action ends.
static void hold_last(sinew_mixer *mixer, action_state *state) {
    sinewi_mixer_hold_pose(mixer);
    state->weight = state->proportion = sinewi_fade_constant(0.0f);
    sinewi_mixer_restart_seam(mixer); // this pose was shown, and is now held
    fade_held_to_next(mixer);
}

void sinewi_action_end(sinew_mixer *mixer, action_state *state) {
    if (!state->clip) return;
    if (state->layer == 0 && state->proportion.value > 0.0f) sinewi_mixer_prepare_rest(mixer);
    if (is_alone_in_base(mixer, state)) hold_last(mixer, state);
    sinewi_mixer_refresh_pose(mixer);
    update_previous(mixer, state);
    state->clip = NULL;
    mixer->layers[state->layer].action_count--;
    mixer->state->synced_count -= state->sync || state->space;
    if (state->space) sinewi_action_space(mixer, state)->space = NULL;
    int32_t *end = &mixer->state->slot_end;
    while (*end > 0 && !mixer->actions[*end - 1].clip) (*end)--;
}

void sinewi_action_remove(sinew_mixer *mixer, action_state *state) {
    const bool has_replaced_base = state->layer == 0 && (state->flags & ACTION_NEW) != 0;
    if (is_alone_in_base(mixer, state)) hold_last(mixer, state);
    sinewi_action_fade_weight(mixer, state, 0.0f, 0.0f, state->easing);
    sinewi_action_end(mixer, state);
    if (!has_replaced_base) return;
    sinewi_mixer_hold_captured_pose(mixer); // the action was never shown
    fade_held_to_next(mixer);
}

void sinewi_mixer_end_all(sinew_mixer *mixer) {
    if (sinewi_mixer_base_is_visible(mixer, NULL)) sinewi_mixer_hold_pose(mixer);
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        mixer->actions[i].weight = mixer->actions[i].proportion = sinewi_fade_constant(0.0f);
    }
    for (int32_t i = mixer->state->slot_end; i-- > 0;) sinewi_action_end(mixer, &mixer->actions[i]);
}

// ---- Fades ---------------------------------------------------------------------------------------------------

// The first action's weight when its fade-in starts. Nothing else has a weight, so its clip is the whole pose.
#define SMALLEST_WEIGHT 1e-30f

// Call this before setting the weight of a base action without a fade. It only does something if no other base action
// is visible. (A visible action had a weight in the last step.) With a weight above 0, the action becomes the whole
// pose, and the held pose is dropped. With a weight of 0, a visible action leaves no other, so the current pose is
// held.
static void cut_to(sinew_mixer *mixer, action_state *state, float weight) {
    if (state->layer != 0 || sinewi_mixer_base_is_visible(mixer, state)) return;
    if (weight > 0.0f) {
        mixer->state->held_proportion = sinewi_fade_constant(0.0f);
    } else if (is_alone_in_base(mixer, state)) {
        hold_last(mixer, state);
    }
}

void sinewi_action_begin_fade(sinew_mixer *mixer, action_state *state, float weight, float duration, uint8_t easing,
                              bool stop_after) {
    bool fades = duration > 0.0f;
    if (!fades) cut_to(mixer, state, weight);
    if (fades && state->layer == 0 && weight > state->weight.value) {
        sinewi_mixer_fade_out_held(mixer, duration, easing);
        bool is_first = !mixer->state->has_advanced && state->weight.value == 0.0f;
        if (is_first) state->weight.value = state->proportion.value = SMALLEST_WEIGHT;
    }
    sinewi_action_fade_weight(mixer, state, weight, duration, easing);
    // An action that fades in again returns to its own speed.
    bool warps = sinewi_fade_is_active(&state->warp) || state->warp.value != 1.0f;
    if (warps && !stop_after) sinewi_fade_begin(mixer, &state->warp, 1.0f, duration, SINEW_EASING_LINEAR);
    state->flags = (uint8_t)(stop_after ? state->flags | ACTION_STOP_AFTER_FADE
                                        : state->flags & ~(unsigned)ACTION_STOP_AFTER_FADE);
    if (!fades && stop_after) sinewi_action_end(mixer, state);
}
