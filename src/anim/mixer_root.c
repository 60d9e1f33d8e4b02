// Root motion of a mixer: what its actions move together, and what is left in the pose.
#include "anim/blend_space_data.h"
#include "anim/mixer_state.h"

void sinew_mixer_root_lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    if (!def->root_motion) return;
    size_t actions = (size_t)def->max_actions;
    size_t shares = actions + (size_t)def->max_blend_spaces * SINEW_BLEND_SPACE_MOST + 2;
    fields->root = sinew_layout_array(layout, mixer_root, 1, sizeof(double));
    sinew_motion *motions = sinew_layout_array(layout, sinew_motion, actions, sizeof(double));
    float *weights = sinew_layout_array(layout, float, actions, sizeof(float));
    sinew_root_clip *clips = sinew_layout_array(layout, sinew_root_clip, shares, sizeof(void *));
    sinew_root_share *of_shares = sinew_layout_array(layout, sinew_root_share, shares, sizeof(void *));
    if (!layout->base) return;
    *fields->root = (mixer_root){.motions = motions, .weights = weights, .clips = clips, .shares = of_shares};
    fields->root->delta = sinew_root_delta_identity();
}

// ---- A step --------------------------------------------------------------------------------------------------

void sinew_mixer_root_begin(sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->def.max_actions; i++) mixer->root->weights[i] = 0.0f;
}

static sinew_motion motion_on(const sinew_mixer *mixer, const sinew_clip *clip, sinew_root_way way) {
    sinew_root_clip of = sinew_root_clip_of(&mixer->root->root, clip);
    return sinew_root_motion_on(&mixer->root->root, &of, &way);
}

// The samples of a blend space go each through its own clip, by as many beats.
static sinew_motion motion_of_space(const sinew_mixer *mixer, const action_state *state, const synced_step *step) {
    double beat = step->starts[state - mixer->actions], beats = step->beats[state - mixer->actions];
    const space_state *space = sinew_action_space(mixer, state);
    sinew_blend_weight weights[SINEW_BLEND_SPACE_MOST];
    int32_t count = sinew_space_weights(space, weights);
    sinew_motion_sum sum = {0};
    for (int32_t i = 0; i < count; i++) {
        const sinew_clip *clip = space->space->samples[weights[i].sample].clip;
        const sinew_steps *steps = &space->space->data->steps[weights[i].sample];
        double from = sinew_steps_time(clip, steps, beat);
        double seconds = sinew_steps_seconds(clip, steps, beat, beats);
        sinew_root_way way = {from, from + seconds, false, SINEW_LOOP_REPEAT};
        if (seconds < 0.0) way = (sinew_root_way){-from, -from - seconds, true, SINEW_LOOP_REPEAT};
        sinew_motion_add(&sum, motion_on(mixer, clip, way), weights[i].weight);
    }
    return sinew_motion_mean(&sum);
}

// By the weight that an action has in the middle of the step.
void sinew_mixer_root_pass(sinew_mixer *mixer, const action_state *state, const clip_way *way,
                           const synced_step *step, double seconds) {
    if (state->layer != 0) return;
    size_t slot = (size_t)(state - mixer->actions);
    sinew_root_way on = {way->from, way->to, way->backward, (sinew_loop)state->loop};
    mixer->root->motions[slot] =
        state->space ? motion_of_space(mixer, state, step) : motion_on(mixer, state->clip, on);
    mixer->root->weights[slot] = sinew_fade_after(mixer, &state->weight, 0.5 * seconds);
}

// The next slot behind those of this weight and age, heaviest first; -1 where there is none.
static int32_t next_slot(const sinew_mixer *mixer, int32_t last) {
    const float *weights = mixer->root->weights;
    int32_t next = -1;
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        if (!(weights[i] > 0.0f)) continue;
        uint32_t serial = mixer->actions[i].serial;
        if (last >= 0) {
            bool was = weights[i] > weights[last] ||
                       (weights[i] == weights[last] && serial <= mixer->actions[last].serial);
            if (was) continue;
        }
        bool is_before = next < 0 || weights[i] > weights[next] ||
                         (weights[i] == weights[next] && serial < mixer->actions[next].serial);
        if (is_before) next = i;
    }
    return next;
}

// What stands has its part: actions that did not move, and what is held.
static float standing_weight(const sinew_mixer *mixer) {
    float weight = mixer->layers[0].held.value;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool stands = state->clip && state->layer == 0 && !(mixer->root->weights[i] > 0.0f);
        if (stands) weight += state->weight.value;
    }
    return weight;
}

void sinew_mixer_root_end(sinew_mixer *mixer) {
    sinew_motion_sum sum = {0};
    float weight = 0.0f, standing = standing_weight(mixer);
    for (int32_t i = next_slot(mixer, -1); i >= 0; i = next_slot(mixer, i)) {
        sinew_motion_add(&sum, mixer->root->motions[i], mixer->root->weights[i]);
        weight += mixer->root->weights[i];
    }
    bool fills = mixer->def.underweight == SINEW_UNDERWEIGHT_REST && weight + standing < 1.0f;
    if (fills) standing = 1.0f - weight;
    if (standing > 0.0f) sinew_motion_add(&sum, sinew_motion_identity(), standing);
    sinew_root_delta delta = sinew_root_delta_of(&mixer->root->root, sinew_motion_mean(&sum));
    mixer->root->delta = sinew_root_delta_compose(mixer->root->delta, delta);
}

sinew_root_delta sinew_mixer_root_delta(const sinew_mixer *mixer) {
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
        sinew_quat_normalize(q),
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
