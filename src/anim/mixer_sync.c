// Synchronisation: actions that keep step, and blend spaces, whose samples do.
#include "anim/blend_space_data.h"
#include "anim/mixer_state.h"

// ---- Who keeps step with whom --------------------------------------------------------------------------------

#define MOST_SYNCED (SINEW_MOST_ACTIONS + SINEW_MOST_SPACES * SINEW_BLEND_SPACE_MOST)

typedef struct synced_set {
    sinew_synced members[MOST_SYNCED];
    int32_t count;
    float weight; // of them all
} synced_set;

static bool keeps_step(const action_state *state) {
    bool stands = (state->flags & (ACTION_PAUSED | ACTION_FINISHED)) != 0;
    return state->clip && !stands && state->loop == SINEW_LOOP_REPEAT && (state->sync || state->space);
}

static bool are_together(const action_state *a, const action_state *b) {
    return a == b || (a->sync != 0 && a->sync == b->sync && keeps_step(b));
}

static void add_member(synced_set *set, const sinew_clip *clip, sinew_steps steps, float weight, float speed) {
    set->members[set->count++] = (sinew_synced){clip, steps, weight, speed};
    set->weight += weight;
}

static void add_action(const sinew_mixer *mixer, const action_state *state, synced_set *set) {
    float speed = state->speed * state->warp.value;
    if (!state->space) {
        add_member(set, state->clip, state->steps, state->weight.value, speed);
        return;
    }
    const sinew_blend_space *space = sinew_action_space(mixer, state)->space;
    sinew_blend_weight weights[SINEW_BLEND_SPACE_MOST];
    int32_t count = sinew_space_weights(sinew_action_space(mixer, state), weights);
    for (int32_t i = 0; i < count; i++) {
        const sinew_blend_sample *sample = &space->samples[weights[i].sample];
        add_member(set, sample->clip, space->data->steps[weights[i].sample],
                   state->weight.value * weights[i].weight, speed * sample->speed);
    }
}

// Where none of them has a weight, as before a fade, they go on as if this one had it all.
static void gather(const sinew_mixer *mixer, const action_state *state, synced_set *set) {
    set->count = 0;
    set->weight = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        if (are_together(state, &mixer->actions[i])) add_action(mixer, &mixer->actions[i], set);
    }
    if (set->weight > 0.0f) return;
    action_state alone = *state;
    alone.weight.value = 1.0f;
    set->count = 0;
    add_action(mixer, &alone, set);
}

// ---- How far -------------------------------------------------------------------------------------------------

static double beat_of(const action_state *state) {
    if (state->space) return state->phase;
    return sinew_steps_beat(state->clip, &state->steps, (double)sinew_action_clip_time(state));
}

void sinew_mixer_sync(const sinew_mixer *mixer, double dt, synced_step *step) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        step->seconds[i] = step->beats[i] = 0.0;
        if (!keeps_step(state)) continue;
        synced_set set;
        gather(mixer, state, &set);
        double beat = beat_of(state);
        step->starts[i] = beat;
        step->beats[i] = sinew_steps_advance(set.members, set.count, beat, sinew_action_life_left(state, dt));
        step->seconds[i] = sinew_steps_seconds(state->clip, &state->steps, beat, step->beats[i]);
    }
}

// Divides clips without marks by the pace of those in the group that have them.
static void divide_group(const sinew_mixer *mixer, uint8_t group) {
    double beats = 0.0, seconds = 0.0;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!state->clip || state->sync != group || state->steps.marks == 0) continue;
        beats += (double)state->steps.count;
        seconds += (double)state->clip->duration;
    }
    if (!(seconds > 0.0)) return;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!state->clip || state->sync != group || state->space) continue;
        sinew_steps_divide(state->clip, &state->steps, beats / seconds, mixer->def.sync_name_count);
    }
}

void sinew_action_join(const sinew_mixer *mixer, action_state *state) {
    if (!keeps_step(state)) return;
    divide_group(mixer, state->sync);
    const action_state *leader = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *other = &mixer->actions[i];
        if (other == state || !other->clip || other->sync != state->sync || !keeps_step(other)) continue;
        if (!leader || other->weight.value > leader->weight.value) leader = other;
    }
    if (!leader) return;
    double beat = beat_of(leader);
    state->phase = state->space ? beat : sinew_steps_time(state->clip, &state->steps, beat);
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

int32_t sinew_space_weights(const space_state *space, sinew_blend_weight weights[SINEW_BLEND_SPACE_MOST]) {
    return sinew_blend_space_weights(space->space, (float)space->at.x, (float)space->at.y, weights);
}

void sinew_space_advance(const sinew_mixer *mixer, action_state *state, double dt) {
    space_state *space = sinew_action_space(mixer, state);
    sinew_blend_parameter_follow(&space->at, space->space, space->x, space->y, (float)dt);
    sinew_blend_weight weights[SINEW_BLEND_SPACE_MOST];
    int32_t count = sinew_space_weights(space, weights), most = 0;
    for (int32_t i = 1; i < count; i++) {
        if (weights[i].weight > weights[most].weight) most = i;
    }
    state->clip = space->space->samples[weights[most].sample].clip;
    state->steps = space->space->data->steps[weights[most].sample];
}

// Beats a second, now.
static double pace(const sinew_mixer *mixer, const action_state *state) {
    const space_state *space = sinew_action_space(mixer, state);
    sinew_blend_weight weights[SINEW_BLEND_SPACE_MOST];
    int32_t count = sinew_space_weights(space, weights);
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const sinew_blend_sample *sample = &space->space->samples[weights[i].sample];
        const sinew_steps *steps = &space->space->data->steps[weights[i].sample];
        double rate = sinew_steps_rate(sample->clip, steps, state->phase);
        sum += (double)weights[i].weight * (double)sample->speed * rate;
    }
    return sum * (double)state->speed * (double)state->warp.value;
}

float sinew_space_time(const sinew_mixer *mixer, const action_state *state, int32_t sample, double seconds) {
    const sinew_blend_space *space = sinew_action_space(mixer, state)->space;
    const sinew_clip *clip = space->samples[sample].clip;
    const sinew_steps *steps = &space->data->steps[sample];
    double time = sinew_steps_time(clip, steps, state->phase);
    double rate = seconds != 0.0 ? sinew_steps_rate(clip, steps, state->phase) : 0.0;
    bool stands = (state->flags & ACTION_PAUSED) != 0;
    // Not past an end: what is asked for is the way that it goes.
    if (rate > 0.0 && !stands) time += seconds * pace(mixer, state) / rate;
    if (!(time > 0.0)) return 0.0f;
    return time < (double)clip->duration ? (float)time : clip->duration;
}
