// Held poses: what actions showed when they went, so that nothing that is to fade can jump.
#include "mixer/mixer_state.h"
#include "pose/skeleton_object.h"

#include <string.h>

// ---- Memory --------------------------------------------------------------------------------------------------

void sinew_mixer_held_lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields) {
    size_t layers = (size_t)def->layer_count, blocks = sinew_block_count(def->skeleton->node_count);
    sinew_block *poses = sinew_layout_array(layout, sinew_block, layers * blocks, SINEW_ALIGNMENT);
    size_t lanes = sinew_padded(def->skeleton->weight_count);
    float *weights = sinew_layout_array(layout, float, layers *lanes, SINEW_ALIGNMENT);
    if (def->inertialization) {
        size_t weight_blocks = lanes / SINEW_LANES;
        fields->moving.blocks = sinew_layout_array(layout, sinew_held_block, blocks, SINEW_ALIGNMENT);
        fields->moving.weights =
            sinew_layout_array(layout, sinew_held_weight_block, weight_blocks, SINEW_ALIGNMENT);
        fields->offsets.blocks = sinew_layout_array(layout, offset_block, blocks, SINEW_ALIGNMENT);
        fields->offsets.weights = sinew_layout_array(layout, weight_offset_block, weight_blocks, SINEW_ALIGNMENT);
    }
    fields->held = sinew_layout_array(layout, held_pose, layers, sizeof(void *));
    fields->not_plain = sinew_layout_array(layout, uint8_t, blocks, 1);
    if (!layout->base) return;
    fields->head_size = (size_t)((char *)poses - (char *)fields->state);
    fields->state_size = (size_t)((char *)fields->held - (char *)fields->state);
    for (size_t i = 0; i < layers; i++) {
        held_pose *held = &fields->held[i];
        *held = (held_pose){poses + i * blocks, weights + i * lanes, *sinew_skeleton_rest(def->skeleton)};
        held->data.base = held->blocks;
        held->data.base_weights = held->weights;
        held->data.fast_paths = fields->not_plain;
    }
}

static void rest_in(const sinew_mixer *mixer, int32_t layer) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    const sinew_clip_data *rest = sinew_skeleton_rest(skeleton);
    const held_pose *held = &mixer->held[layer];
    memcpy(held->blocks, rest->base, sinew_block_count(skeleton->node_count) * sizeof *held->blocks);
    size_t size = sinew_padded(skeleton->weight_count) * sizeof(float);
    if (size > 0) memcpy(held->weights, rest->base_weights, size);
}

void sinew_mixer_held_reset(sinew_mixer *mixer) {
    for (int32_t i = 0; i < mixer->def.layer_count; i++) rest_in(mixer, i);
}

// ---- Adding to one -------------------------------------------------------------------------------------------

// What is to be added to a held pose: a mix with a weight; and what is shown, which says on which side rotations are.
typedef struct addition {
    mixer_part what, shown;
    float weight;
    float before; // the weight of what is held already
} addition;

static float side_of(const sinew_block *rotation, const sinew_block *shown, int lane) {
    float cosine = 0.0f;
    for (int i = SINEW_RX; i <= SINEW_RW; i++) cosine += rotation->lane[i][lane] * shown->lane[i][lane];
    return cosine < 0.0f ? -1.0f : 1.0f;
}

// Rotations are added up and not made unit: the sum counts for as much as its parts would.
static void add_block(sinew_block *held, const sinew_block *what, const sinew_block *shown, const addition *add) {
    float sum = add->before + add->weight, kept = add->before / sum, added = add->weight / sum;
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        float old_side = side_of(held, shown, lane), new_side = side_of(what, shown, lane);
        for (int i = 0; i < SINEW_PLANES; i++) {
            bool turns = i >= SINEW_RX && i <= SINEW_RW;
            float a = turns ? kept * old_side : kept, b = turns ? added * new_side : added;
            held->lane[i][lane] = a * held->lane[i][lane] + b * what->lane[i][lane];
        }
    }
}

static void add_weights(const sinew_mixer *mixer, const held_pose *held, const addition *add) {
    float sum = add->before + add->weight, lanes[SINEW_LANES];
    for (size_t b = 0; b < sinew_block_count(mixer->def.skeleton->weight_count); b++) {
        sinew_kernels_used()->mix_weights(&add->what.mix, b, b + 1, lanes);
        float *to = held->weights + b * SINEW_LANES;
        for (int i = 0; i < SINEW_LANES; i++) to[i] = (add->before * to[i] + add->weight * lanes[i]) / sum;
    }
}

static void add_to_held(sinew_mixer *mixer, int32_t layer, const addition *add) {
    const held_pose *held = &mixer->held[layer];
    size_t end = sinew_block_count(mixer->nodes.end);
    for (size_t b = (size_t)mixer->nodes.first / SINEW_LANES; b < end; b++) {
        sinew_block what, shown;
        sinew_mixer_blend_block(mixer, &add->what, b, &what);
        if (add->before > 0.0f) {
            sinew_mixer_blend_block(mixer, &add->shown, b, &shown);
            add_block(&held->blocks[b], &what, &shown, add);
        } else {
            held->blocks[b] = what;
        }
    }
    add_weights(mixer, held, add);
    mixer->layers[layer].held_is_sum = add->before > 0.0f;
    if (layer == 0) mixer->state->moving.duration = 0.0f;
    mixer->is_touched = true;
}

// ---- When ----------------------------------------------------------------------------------------------------

// All that plays and was shown.
static void look_up(sinew_mixer *mixer, mixer_moment *now) {
    sinew_mixer_catch_up(mixer); // it may need what is held until now
    sinew_mixer_look_up(mixer, 0.0, SEEN_ACTIONS, now);
    sinew_mixer_move_held(mixer, 0.0);
}

// Holds the pose of the base as it is, by so much more.
static void hold_base(sinew_mixer *mixer, float before, float weight) {
    mixer_moment now;
    look_up(mixer, &now);
    mixer_part all = sinew_mixer_part(&now, 0, now.room.all.ends[0]);
    addition add = {all, all, weight, before};
    add_to_held(mixer, 0, &add);
}

void sinew_mixer_hold(sinew_mixer *mixer) {
    if (mixer->state->set.is_current) {
        sinew_mixer_hold_set(mixer);
    } else {
        hold_base(mixer, 0.0f, 1.0f);
    }
    mixer->layers[0].held = sinew_fade_at(0.0f);
}

void sinew_mixer_hold_faded(sinew_mixer *mixer) {
    bool to_rest = mixer->def.underweight == SINEW_UNDERWEIGHT_REST && !(mixer->layers[0].held.value > 0.0f);
    sinew_mixer_hold(mixer);
    if (to_rest) rest_in(mixer, 0);
}

// Weights that cross over sum to 1 but for rounding, which is nothing to hold a pose for.
#define ROUNDING 1e-5f

static void let_go(const sinew_mixer *mixer, layer_state *layer, float weight, float duration, uint8_t curve) {
    layer->held = sinew_fade_at(weight);
    sinew_fade_begin(mixer, &layer->held, 0.0f, duration, curve);
}

void sinew_mixer_hold_missing(sinew_mixer *mixer, const action_state *comes, float duration, uint8_t curve) {
    if (!mixer->state->has_advanced) return; // there is no pose yet that could be missed
    layer_state *base = &mixer->layers[0];
    float others = 0.0f;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        if (action->clip && action->layer == 0 && action != comes) others += action->weight.value;
    }
    float own = comes->weight.value;
    if (!(others + own > 0.0f)) { // what is held is what is seen
        let_go(mixer, base, 1.0f, duration, curve);
        return;
    }
    bool alone = !(others + base->held.value > 0.0f); // its share is all, whatever its weight
    if (alone || mixer->def.underweight == SINEW_UNDERWEIGHT_REST) return;
    float missing = 1.0f - others - own - base->held.value;
    if (!(missing > ROUNDING)) return;
    float before = base->held.value;
    hold_base(mixer, before, missing);
    let_go(mixer, base, before + missing, duration, curve);
}

// Leaves of a moment what one action shows.
static void leave_only(const sinew_mixer *mixer, const action_state *goes, mixer_moment *now) {
    mixer_shares *all = &now->room.all;
    int32_t count = 0;
    float sum = 0.0f;
    for (int32_t i = 0; i < all->count; i++) {
        if (all->shares[i].serial != goes->serial) continue;
        sum += all->shares[i].weight;
        all->shares[count++] = all->shares[i];
    }
    all->count = count;
    for (int32_t l = 0; l < mixer->def.layer_count; l++) all->ends[l] = l < goes->layer ? 0 : count;
    all->sums[goes->layer] = sum;
    sinew_mixer_make_ready(mixer, all, &now->ready);
}

void sinew_mixer_fold(sinew_mixer *mixer, action_state *goes, float duration, uint8_t curve) {
    layer_state *layer = &mixer->layers[goes->layer];
    if (!(duration > 0.0f) || !(goes->weight.value > 0.0f)) return;
    mixer_moment now, its;
    look_up(mixer, &now);
    const mixer_shares *all = &now.room.all;
    sinew_mixer_look_up(mixer, 0.0, SEEN_ACTIONS, &its);
    leave_only(mixer, goes, &its);
    if (its.room.all.count == 0) return; // it was never shown, or its layer does not show
    int32_t first = goes->layer > 0 ? all->ends[goes->layer - 1] : 0;
    addition add = {
        .what = sinew_mixer_part(&its, 0, its.room.all.count),
        .shown = sinew_mixer_part(&now, first, all->ends[goes->layer]),
        .weight = goes->weight.value,
        .before = layer->held.value,
    };
    add_to_held(mixer, goes->layer, &add);
    let_go(mixer, layer, add.before + add.weight, duration, curve);
    goes->weight = sinew_fade_at(0.0f); // or what is held when it ends would have it twice
}
