// Synchronisation: actions that keep step, and blend spaces, whose samples do.
#include "blend_space/blend_space_data.h"
#include "mixer/mixer_state.h"

#include <math.h>

// ---- Who keeps step with whom --------------------------------------------------------------------------------

#define MOST_SYNCED (SINEW_MAX_ACTIONS + SINEW_MAX_SPACES * SINEW_MAX_BLEND_WEIGHTS)

typedef struct synced_set {
    sinew_sync_member members[MOST_SYNCED];
    int32_t count;
    float weight; // of them all
} synced_set;

static bool keeps_step(const action_state *state) {
    bool goes_round = state->clip && state->loop == SINEW_LOOP_REPEAT && !sinew_action_stands(state);
    return goes_round && (state->sync || state->space);
}

static bool are_together(const action_state *a, const action_state *b) {
    return a == b || (a->sync != 0 && a->sync == b->sync && keeps_step(b));
}

static double beat_of(const action_state *state) {
    return state->space ? state->phase : sinew_sync_phase_at_time(state->clip, &state->intervals, state->phase);
}

static void add_member(synced_set *set, sinew_sync_member member) {
    set->members[set->count++] = member;
    set->weight += member.weight;
}

// By the weights, warps and parameters that there are in the middle of the seconds to come, or now where those are none.
static void add_action(const sinew_mixer *mixer, const action_state *state, double ahead, double seconds,
                       bool alike, synced_set *set) {
    float weight = alike ? 1.0f : (float)sinew_fade_mean(mixer, &state->weight, seconds);
    float speed = state->speed * (float)sinew_fade_mean(mixer, &state->warp, seconds);
    if (!state->space) {
        add_member(set, (sinew_sync_member){state->clip, state->intervals, weight, speed, ahead});
        return;
    }
    space_state there = sinew_space_after(sinew_action_space(mixer, state), 0.5 * seconds);
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_space_weights(&there, weights);
    for (int32_t i = 0; i < count; i++) {
        const sinew_blend_sample *sample = &there.space->samples[weights[i].sample];
        sinew_sync_intervals steps = there.space->data->intervals[weights[i].sample];
        add_member(set, (sinew_sync_member){sample->clip, steps, weight * weights[i].weight, speed * sample->speed,
                                            ahead});
    }
}

// An action and those that keep step with it; returns how many they are.
static int32_t add_all(const sinew_mixer *mixer, const action_state *state, double seconds, bool alike,
                       synced_set *set) {
    set->count = 0;
    set->weight = 0.0f;
    double beat = beat_of(state);
    int32_t actions = 0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *other = &mixer->actions[i];
        if (!are_together(state, other)) continue;
        add_action(mixer, other, floor(beat_of(other) - beat + 0.5), seconds, alike, set);
        actions++;
    }
    return actions;
}

// Where none of them has a weight, as before a fade, they count alike: they are in step when they have one.
static int32_t gather(const sinew_mixer *mixer, const action_state *state, double seconds, synced_set *set) {
    int32_t actions = add_all(mixer, state, seconds, false, set);
    return set->weight > 0.0f ? actions : add_all(mixer, state, seconds, true, set);
}

// ---- How far -------------------------------------------------------------------------------------------------

// A whole beat that is only missed by rounding is reached: the foot is down in all clips at once.
static double landed(double from, double to) {
    const double hair = 1e-9;
    double whole = floor(to + 0.5), missing = to > from ? whole - to : to - whole;
    return to != from && missing > 0.0 && missing < hair ? whole : to;
}

static void step_on(const sinew_mixer *mixer, const action_state *state, double dt, action_step *step) {
    *step = (action_step){.by_beats = false};
    if (!keeps_step(state)) return;
    double seconds = sinew_action_life_left(state, dt);
    synced_set set;
    int32_t actions = gather(mixer, state, seconds, &set);
    if (actions == 1 && !state->space) return;
    step->by_beats = true;
    step->from = beat_of(state);
    sinew_sync_motion stride = sinew_sync_advance(set.members, set.count, step->from, seconds);
    step->to = landed(step->from, step->from + stride.phase_delta);
    if (!state->space) return;
    bool on_the_beat = step->to == floor(step->to); // which is in the step that it begins
    step->rate = on_the_beat ? sinew_sync_rate(set.members, set.count, step->to) : stride.rate;
}

void sinew_mixer_sync(const sinew_mixer *mixer, double dt, synced_step *step) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) step_on(mixer, &mixer->actions[i], dt, &step->actions[i]);
}

// Beats a second, now.
static double pace(const sinew_mixer *mixer, const action_state *state) {
    synced_set set;
    gather(mixer, state, 0.0, &set);
    return sinew_sync_rate(set.members, set.count, beat_of(state));
}

double sinew_action_rate(const sinew_mixer *mixer, const action_state *state) {
    if (sinew_action_stands(state)) return 0.0;
    if (state->space) return pace(mixer, state);
    double own = (double)state->warp.value * (double)state->speed;
    if (!keeps_step(state) || !(state->clip->duration > 0.0f)) return sinew_action_goes_back(state) ? -own : own;
    return pace(mixer, state) / sinew_sync_clip_rate(state->clip, &state->intervals, beat_of(state));
}

// Divides clips without marks by the pace of those in the group that have them.
static void divide_group(const sinew_mixer *mixer, uint8_t group) {
    double beats = 0.0, seconds = 0.0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->sync != group || state->intervals.marker_bits == 0) continue;
        beats += (double)state->intervals.count;
        seconds += (double)state->clip->duration;
    }
    if (!(seconds > 0.0)) return;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || state->sync != group || state->space) continue;
        sinew_sync_divide(state->clip, &state->intervals, beats / seconds, mixer->def.sync_name_count);
    }
}

// The action whose beat a group goes by: the heaviest, but for one; of those that have marks, if there are any.
static const action_state *leader_of(const sinew_mixer *mixer, uint8_t group, const action_state *but) {
    const action_state *leader = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state == but || state->sync != group || !keeps_step(state)) continue;
        bool marks = state->intervals.marker_bits != 0, has_better = leader && leader->intervals.marker_bits != 0;
        bool leads = !leader || (marks != has_better ? marks : state->weight.value > leader->weight.value);
        if (leads) leader = state;
    }
    return leader;
}

static void fall_in(action_state *state, double beat) {
    state->phase = state->space ? beat : sinew_sync_time_at_phase(state->clip, &state->intervals, beat);
}

void sinew_action_join(const sinew_mixer *mixer, action_state *state) {
    if (!state->sync || !keeps_step(state)) return;
    divide_group(mixer, state->sync);
    const action_state *leader = leader_of(mixer, state->sync, state);
    if (leader) fall_in(state, beat_of(leader));
}

void sinew_action_lead(const sinew_mixer *mixer, const action_state *leader) {
    if (!leader->sync || !keeps_step(leader)) return;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (state != leader && are_together(leader, state)) fall_in(state, beat_of(leader));
    }
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

int32_t sinew_space_weights(const space_state *space, sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]) {
    return sinew_blend_space_weights(space->space, (float)space->at.x, (float)space->at.y, weights);
}

space_state sinew_space_after(const space_state *space, double seconds) {
    space_state there = *space;
    sinew_blend_parameter_follow(&there.at, there.space, there.x, there.y, (float)seconds);
    return there;
}

void sinew_space_advance(const sinew_mixer *mixer, action_state *state, double dt) {
    space_state *space = sinew_action_space(mixer, state);
    *space = sinew_space_after(space, dt);
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_space_weights(space, weights), most = 0;
    for (int32_t i = 1; i < count; i++) {
        if (weights[i].weight > weights[most].weight) most = i;
    }
    state->clip = space->space->samples[weights[most].sample].clip;
    state->intervals = space->space->data->intervals[weights[most].sample];
}

float sinew_space_time(const sinew_mixer *mixer, const action_state *state, int32_t sample, double beats) {
    const sinew_blend_space *space = sinew_action_space(mixer, state)->space;
    const sinew_clip *clip = space->samples[sample].clip;
    const sinew_sync_intervals *steps = &space->data->intervals[sample];
    double time = sinew_sync_time_at_phase(clip, steps, state->phase);
    double rate = beats != 0.0 ? sinew_sync_clip_rate(clip, steps, state->phase) : 0.0;
    // Not past an end: what is asked for is the way that it goes.
    if (rate > 0.0) time += beats / rate;
    if (!(time > 0.0)) return 0.0f;
    return time < (double)clip->duration ? (float)time : clip->duration;
}
