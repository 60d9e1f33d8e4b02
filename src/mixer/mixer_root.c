// Root motion of a mixer: what its actions move together, and what is left in the pose.
#include "blend_space/blend_space_data.h"
#include "mixer/mixer_state.h"

#include <assert.h>

void sinew_mixer_root_lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    if (!def->root_motion) return;
    size_t actions = (size_t)def->max_actions;
    size_t shares = actions + (size_t)def->max_blend_spaces * SINEW_MAX_BLEND_WEIGHTS + 2;
    fields->root = sinew_layout_array(layout, mixer_root, 1, sizeof(double));
    root_passage *passages = sinew_layout_array(layout, root_passage, actions, sizeof(double));
    float *weights = sinew_layout_array(layout, float, actions, sizeof(float));
    sinew_root_clip *clips = sinew_layout_array(layout, sinew_root_clip, shares, sizeof(void *));
    sinew_root_share *of_shares = sinew_layout_array(layout, sinew_root_share, shares, sizeof(void *));
    if (!layout->base) return;
    *fields->root = (mixer_root){.passages = passages, .weights = weights, .clips = clips, .shares = of_shares};
    fields->root->delta = sinew_root_delta_identity();
}

// ---- A step --------------------------------------------------------------------------------------------------

void sinew_mixer_root_begin(sinew_mixer *mixer, const synced_step *step) {
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        const action_state *state = &mixer->actions[i];
        root_passage *passage = &mixer->root->passages[i];
        *passage = (root_passage){.clip = state->layer == 0 ? state->clip : NULL};
        if (!passage->clip) continue;
        passage->weight = state->weight;
        passage->serial = state->serial;
        if (!step || !state->space) continue;
        passage->space = *sinew_action_space(mixer, state);
        passage->beats = step->actions[i];
    }
}

void sinew_mixer_root_pass(sinew_mixer *mixer, const action_state *state, const clip_way *way, double seconds) {
    if (state->layer != 0) return;
    root_passage *passage = &mixer->root->passages[state - mixer->actions];
    passage->way = (sinew_root_way){way->from, way->to, way->backward, (sinew_loop)state->loop};
    passage->rate = way->rate;
    passage->seconds = seconds;
}

static sinew_motion motion_on(const sinew_mixer *mixer, const sinew_clip *clip, sinew_root_way way) {
    sinew_root_clip of = sinew_root_clip_of(&mixer->root->root, clip);
    return sinew_root_motion_on(&mixer->root->root, &of, &way);
}

static double place_at(const root_passage *passage, double time) {
    double gone = passage->rate * time;
    bool there = time >= passage->seconds || gone > passage->way.to - passage->way.from;
    return there ? passage->way.to : passage->way.from + gone;
}

static double beat_at(const root_passage *passage, double time) {
    double part = time < passage->seconds ? time / passage->seconds : 1.0;
    return passage->beats.from + part * (passage->beats.to - passage->beats.from);
}

// The samples of a blend space go each through its own clip, by as many beats; with the weights of the middle.
static sinew_motion motion_of_space(const sinew_mixer *mixer, const root_passage *passage, double from, double to) {
    double beat = beat_at(passage, from), beats = beat_at(passage, to) - beat;
    space_state there = sinew_space_after(&passage->space, 0.5 * (from + to));
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_space_weights(&there, weights);
    sinew_motion_sum sum = {0};
    for (int32_t i = 0; i < count; i++) {
        const sinew_clip *clip = there.space->samples[weights[i].sample].clip;
        const sinew_sync_intervals *steps = &there.space->data->intervals[weights[i].sample];
        double time = sinew_sync_time_at_phase(clip, steps, beat),
               seconds = sinew_sync_seconds(clip, steps, beat, beats);
        sinew_root_way way = {time, time + seconds, false, SINEW_LOOP_REPEAT};
        if (seconds < 0.0) way = (sinew_root_way){-time, -time - seconds, true, SINEW_LOOP_REPEAT};
        sinew_motion_add(&sum, motion_on(mixer, clip, way), weights[i].weight);
    }
    return sinew_motion_mean(&sum);
}

static sinew_motion motion_between(const sinew_mixer *mixer, const root_passage *passage, double from, double to) {
    if (passage->space.space) return motion_of_space(mixer, passage, from, to);
    sinew_root_way way = passage->way;
    way.from = place_at(passage, from);
    way.to = place_at(passage, to);
    return motion_on(mixer, passage->clip, way);
}

// The next slot behind those of this weight and age, heaviest first; -1 where there is none.
static int32_t next_slot(const sinew_mixer *mixer, int32_t last) {
    const float *weights = mixer->root->weights;
    const root_passage *passages = mixer->root->passages;
    int32_t next = -1;
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        if (!(weights[i] > 0.0f)) continue;
        uint32_t serial = passages[i].serial;
        if (last >= 0) {
            bool was =
                weights[i] > weights[last] || (weights[i] == weights[last] && serial <= passages[last].serial);
            if (was) continue;
        }
        bool is_before = next < 0 || weights[i] > weights[next] ||
                         (weights[i] == weights[next] && serial < passages[next].serial);
        if (is_before) next = i;
    }
    return next;
}

// The mean of a part of the step, by the weights in its middle. What stands has its part: actions that do not move, and
// what is held.
static sinew_motion mean_between(const sinew_mixer *mixer, double from, double to) {
    const mixer_root *root = mixer->root;
    double middle = 0.5 * (from + to);
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        const root_passage *passage = &root->passages[i];
        root->weights[i] = passage->clip ? sinew_fade_after(mixer, &passage->weight, middle) : 0.0f;
    }
    sinew_motion_sum sum = {0};
    float weight = 0.0f, standing = sinew_fade_after(mixer, &mixer->layers[0].held, middle);
    for (int32_t i = next_slot(mixer, -1); i >= 0; i = next_slot(mixer, i)) {
        weight += root->weights[i];
        bool stands = !(root->passages[i].seconds > 0.0);
        sinew_motion motion =
            stands ? sinew_motion_identity() : motion_between(mixer, &root->passages[i], from, to);
        sinew_motion_add(&sum, motion, root->weights[i]);
    }
    bool fills = mixer->def.underweight == SINEW_UNDERWEIGHT_REST && weight + standing < 1.0f;
    if (fills) standing = 1.0f - weight;
    if (standing > 0.0f) sinew_motion_add(&sum, sinew_motion_identity(), standing);
    return sinew_motion_mean(&sum);
}

static double end_between(const sinew_fade *fade, double from, double to) {
    double end = (double)fade->duration - fade->elapsed;
    return sinew_fade_runs(fade) && end > from && end < to ? end : to;
}

// A step goes in parts, from one end of a fade to the next.
void sinew_mixer_root_end(sinew_mixer *mixer, double dt) {
    if (!mixer->root) return;
    sinew_motion motion = sinew_motion_identity();
    double from = 0.0;
    while (from < dt) {
        double to = end_between(&mixer->layers[0].held, from, dt);
        for (int32_t i = 0; i < mixer->def.max_actions; i++) {
            const root_passage *passage = &mixer->root->passages[i];
            if (passage->clip) to = end_between(&passage->weight, from, to);
        }
        motion = sinew_motion_then(motion, mean_between(mixer, from, to));
        from = to;
    }
    mixer->root->delta = sinew_root_delta_of(&mixer->root->root, motion);
}

sinew_root_delta sinew_mixer_root_delta(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->root ? mixer->root->delta : sinew_root_delta_identity();
}

// ---- What is left --------------------------------------------------------------------------------------------

static const sinew_clip *clip_of(const sinew_mixer *mixer, const mixer_share *share) {
    const action_state *action = &mixer->actions[share->slot];
    if (!action->space) return action->clip;
    return sinew_action_space(mixer, action)->space->samples[share->sample].clip;
}

static sinew_transform held_transform(const sinew_mixer *mixer) {
    int32_t node = mixer->root->root.node, lane = node % SINEW_LANES;
    const sinew_block *block = &mixer->held[0].blocks[node / SINEW_LANES];
    sinew_quat q = {block->lane[SINEW_RX][lane], block->lane[SINEW_RY][lane], block->lane[SINEW_RZ][lane],
                    block->lane[SINEW_RW][lane]};
    return (sinew_transform){
        {block->lane[SINEW_TX][lane], block->lane[SINEW_TY][lane], block->lane[SINEW_TZ][lane]},
        mixer->layers[0].held_is_sum ? sinew_quat_normalize(q) : q, // else its bits stay what they are
        {block->lane[SINEW_SX][lane], block->lane[SINEW_SY][lane], block->lane[SINEW_SZ][lane]},
    };
}

sinew_transform sinew_mixer_root_left(const sinew_mixer *mixer, const mixer_shares *shares, int32_t first,
                                      int32_t end) {
    mixer_root *root = mixer->root;
    sinew_transform held = held_transform(mixer);
    for (int32_t i = first; i < end; i++) {
        const mixer_share *from = &shares->shares[i];
        sinew_root_share *share = &root->shares[i - first];
        *share = (sinew_root_share){.time = from->time, .weight = from->weight};
        if (from->slot == SINEW_HELD_SLOT) share->stays = &held;
        if (from->slot >= SINEW_REST_SLOT) continue;
        root->clips[i - first] = sinew_root_clip_of(&root->root, clip_of(mixer, from));
        share->clip = &root->clips[i - first];
        share->repeats = mixer->actions[from->slot].loop == SINEW_LOOP_REPEAT;
    }
    return sinew_root_mix(&root->root, root->shares, end - first);
}
