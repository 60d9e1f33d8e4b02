// Mixing: who has a share of the pose, and evaluating the shares into a pose and model matrices.
#include "anim/mixer_call.h"
#include "anim/mixer_state.h"
#include "anim/skeleton_object.h"

// ---- Who has a share -----------------------------------------------------------------------------------------

// Shares that are being put in order: those of one layer.
typedef struct sorted_shares {
    mixer_share shares[SINEW_MOST_SHARES];
    int32_t first, count;
    bool by_age;
    float sum;
} sorted_shares;

// Heaviest first, then oldest first, whatever slot each sits in: a rotation is added on the hemisphere of the sum so
// far. Differences, which are not summed up, go by age alone: they must not change places while they fade.
static bool comes_before(const mixer_share *a, const mixer_share *b, bool by_age) {
    if (!by_age && a->weight != b->weight) return a->weight > b->weight;
    return a->serial != b->serial ? a->serial < b->serial : a->sample < b->sample;
}

static void put_in(sorted_shares *sorted, mixer_share share) {
    int32_t place = sorted->count++;
    for (; place > sorted->first && comes_before(&share, &sorted->shares[place - 1], sorted->by_age); place--) {
        sorted->shares[place] = sorted->shares[place - 1];
    }
    sorted->shares[place] = share;
}

static float weight_after(const sinew_mixer *mixer, const sinew_fade *fade, double seconds, mixer_sight sight) {
    if (seconds == 0.0) return fade->value;
    if (sight == SEEN_ACTIONS) return sinew_fade_seen_after(mixer, fade, seconds);
    return sinew_fade_after(mixer, fade, seconds);
}

// How far an action goes in so many seconds.
static double way_of(const sinew_mixer *mixer, const action_state *action, double seconds, mixer_sight sight) {
    if (seconds == 0.0) return 0.0;
    double rate = sight == SEEN_ACTIONS ? (double)action->seen_rate : sinew_action_rate(mixer, action);
    return rate * seconds;
}

static void put_samples(const sinew_mixer *mixer, const action_state *action, mixer_share share, double beats,
                        sorted_shares *sorted) {
    sinew_blend_weight weights[SINEW_BLEND_SPACE_MOST];
    int32_t count = sinew_space_weights(sinew_action_space(mixer, action), weights);
    float all = share.weight;
    for (int32_t i = 0; i < count; i++) {
        share.sample = (uint8_t)weights[i].sample;
        share.weight = all * weights[i].weight;
        share.time = sinew_space_time(mixer, action, share.sample, beats);
        put_in(sorted, share);
    }
}

static void put_actions(const sinew_mixer *mixer, uint8_t layer, double seconds, mixer_sight sight,
                        sorted_shares *sorted) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        if (!action->clip || action->layer != layer) continue;
        if (sight == SEEN_ACTIONS && (action->flags & ACTION_UNSEEN) != 0) continue;
        float weight = weight_after(mixer, &action->weight, seconds, sight);
        if (!(weight > 0.0f)) continue;
        mixer_share share = {0.0f, weight, action->serial, (uint8_t)i, layer, 0};
        double way = way_of(mixer, action, seconds, sight);
        if (action->space) {
            put_samples(mixer, action, share, way, sorted);
            continue;
        }
        share.time = way == 0.0 ? sinew_action_clip_time(action) : sinew_action_clip_time_after(action, way);
        put_in(sorted, share);
    }
}

// The held pose fades with what comes for it; in the base it also stands where nothing else does.
static void put_held(const sinew_mixer *mixer, uint8_t layer, double seconds, mixer_sight sight,
                     sorted_shares *sorted) {
    float weight = weight_after(mixer, &mixer->layers[layer].held, seconds, sight);
    bool alone = sorted->count == sorted->first;
    if (layer == 0 && alone) weight = 1.0f;
    const decay_state *moving = &mixer->state->moving;
    float time = layer == 0 && moving->duration > 0.0f ? (float)(moving->elapsed + seconds) : 0.0f;
    if (weight > 0.0f) put_in(sorted, (mixer_share){time, weight, 0, SINEW_HELD_SLOT, layer, 0});
}

// Fills weights that sum to less than 1 up with the rest pose, which takes its place by its weight.
static void put_rest(const sinew_mixer *mixer, sorted_shares *sorted) {
    if (mixer->def.underweight != SINEW_UNDERWEIGHT_REST || !(sorted->sum < 1.0f)) return;
    put_in(sorted, (mixer_share){0.0f, 1.0f - sorted->sum, 0, SINEW_REST_SLOT, 0, 0});
    sorted->sum = 1.0f;
}

static void sum_up(sorted_shares *sorted) {
    sorted->sum = 0.0f;
    for (int32_t i = sorted->first; i < sorted->count; i++) sorted->sum += sorted->shares[i].weight;
}

static bool is_same(const mixer_share *a, const mixer_share *b) {
    return a->time == b->time && a->weight == b->weight && a->serial == b->serial && a->slot == b->slot &&
           a->layer == b->layer && a->sample == b->sample;
}

bool sinew_mixer_share_out(const sinew_mixer *mixer, double seconds, mixer_sight sight, mixer_shares *out) {
    sorted_shares sorted;
    sorted.count = 0;
    bool changed = false;
    for (int32_t l = 0; l < mixer->def.layer_count; l++) {
        const layer_state *layer = &mixer->layers[l];
        sorted.first = sorted.count;
        sorted.by_age = layer->mode == SINEW_LAYER_ADDITIVE;
        float strength = weight_after(mixer, &layer->weight, seconds, sight);
        bool shows = strength > 0.0f && (l == 0 || layer->action_count > 0 || layer->held.value > 0.0f);
        if (shows) put_actions(mixer, (uint8_t)l, seconds, sight, &sorted);
        // All of the base that goes until then will be held as it is.
        if (l == 0 && seconds > 0.0 && sorted.count == 0) put_actions(mixer, 0, 0.0, sight, &sorted);
        if (shows) put_held(mixer, (uint8_t)l, seconds, sight, &sorted);
        sum_up(&sorted);
        if (l == 0) put_rest(mixer, &sorted);
        changed |= out->ends[l] != sorted.count || out->strengths[l] != strength;
        out->ends[l] = sorted.count;
        out->sums[l] = sorted.sum;
        out->strengths[l] = strength;
    }
    changed |= out->count != sorted.count;
    for (int32_t i = 0; i < sorted.count; i++) {
        if (!changed) changed = !is_same(&out->shares[i], &sorted.shares[i]);
        out->shares[i] = sorted.shares[i];
    }
    out->count = sorted.count;
    return changed;
}

// ---- For the kernels -----------------------------------------------------------------------------------------

static const sinew_clip_data *clip_of_action(const sinew_mixer *mixer, const mixer_share *share) {
    const action_state *action = &mixer->actions[share->slot];
    if (!action->space) return action->clip->data;
    return sinew_action_space(mixer, action)->space->samples[share->sample].clip->data;
}

// What is not an action's has no timelines.
static const sinew_clip_data *clip_of(const sinew_mixer *mixer, const mixer_share *share) {
    if (share->slot < SINEW_REST_SLOT) return clip_of_action(mixer, share);
    bool rests = share->slot == SINEW_REST_SLOT;
    return rests ? sinew_skeleton_rest(mixer->def.skeleton) : &mixer->held[share->layer].data;
}

// The hints of an action's clip; a blend space has none.
static uint32_t *hints_of(const sinew_mixer *mixer, const mixer_share *share) {
    if (share->slot >= SINEW_REST_SLOT || mixer->actions[share->slot].space) return NULL;
    return mixer->hints + (ptrdiff_t)share->slot * mixer->def.hints_per_action;
}

// Of an overriding layer the shares sum to 1. A difference counts by its own weight and its layer's. Returns how many
// keys have been found.
static int32_t make_shares_ready(const sinew_mixer *mixer, const mixer_shares *shares, int32_t l, int32_t keys,
                                 sinew_ready_mix *ready) {
    const layer_state *layer = &mixer->layers[l];
    bool adds = layer->mode == SINEW_LAYER_ADDITIVE;
    for (int32_t i = l > 0 ? shares->ends[l - 1] : 0; i < shares->ends[l]; i++) {
        const mixer_share *from = &shares->shares[i];
        sinew_share *share = &ready->shares[i];
        share->clip = clip_of(mixer, from);
        share->time = from->time;
        share->weight = adds ? from->weight * shares->strengths[l] : from->weight / shares->sums[l];
        share->held = from->slot == SINEW_HELD_SLOT && layer->held_is_sum;
        keys += sinew_share_find_keys(share, ready->keys + keys, SINEW_MIX_KEYS - keys, hints_of(mixer, from),
                                      mixer->def.hints_per_action);
        if (share->key_count < share->clip->row_count) ready->mix.keys_found = false;
    }
    return keys;
}

// What a layer's shares lack of 1 it leaves to the layers below.
static void make_layer_ready(const sinew_mixer *mixer, const mixer_shares *shares, int32_t l,
                             sinew_ready_mix *ready) {
    int32_t first = shares->ends[l - 1], count = shares->ends[l] - first;
    const layer_state *layer = &mixer->layers[l];
    sinew_mix_layer *to = &ready->layers[ready->mix.layer_count++];
    *to = (sinew_mix_layer){.shares = ready->shares + first, .count = count};
    to->additive = layer->mode == SINEW_LAYER_ADDITIVE;
    float most = shares->strengths[l] < 1.0f ? shares->strengths[l] : 1.0f;
    to->weight = shares->sums[l] < 1.0f ? most * shares->sums[l] : most;
    if (!layer->mask) return;
    to->node_mask = layer->mask->nodes;
    to->weight_mask = layer->mask->weights;
}

void sinew_mixer_make_ready(const sinew_mixer *mixer, const mixer_shares *shares, sinew_ready_mix *ready) {
    ready->mix.keys_found = true;
    ready->mix.shares = ready->shares;
    ready->mix.count = shares->ends[0];
    ready->mix.total = shares->count;
    ready->mix.layers = ready->layers;
    ready->mix.layer_count = 0;
    int32_t keys = make_shares_ready(mixer, shares, 0, 0, ready);
    for (int32_t l = 1; l < mixer->def.layer_count; l++) {
        if (shares->ends[l] == shares->ends[l - 1]) continue;
        keys = make_shares_ready(mixer, shares, l, keys, ready);
        make_layer_ready(mixer, shares, l, ready);
    }
}

void sinew_mixer_look_up(const sinew_mixer *mixer, double seconds, mixer_sight sight, mixer_moment *then) {
    then->room.all = (mixer_shares){.shares = then->room.shares};
    sinew_mixer_share_out(mixer, seconds, sight, &then->room.all);
    sinew_mixer_make_ready(mixer, &then->room.all, &then->ready);
}

mixer_part sinew_mixer_part(const mixer_moment *of, int32_t first, int32_t end) {
    mixer_part part = {.of = of, .first = first, .end = end};
    part.mix.shares = of->ready.shares + first;
    part.mix.count = part.mix.total = end - first;
    part.mix.keys_found = of->ready.mix.keys_found;
    return part;
}

mixer_part sinew_mixer_whole(const mixer_moment *of) {
    return (mixer_part){of, of->ready.mix, 0, of->room.all.ends[0]};
}

void sinew_mixer_blend_block(const sinew_mixer *mixer, const mixer_part *part, size_t block, sinew_block *out) {
    float *planes[SINEW_PLANES];
    for (int i = 0; i < SINEW_PLANES; i++) planes[i] = out->lane[i];
    sinew_kernels_used()->mix_to_pose(&part->mix, block, block + 1, planes);
    bool of_base = part->first < part->of->room.all.ends[0]; // what is taken out is taken out of that
    if (!mixer->root || !of_base || (size_t)mixer->root->root.node / SINEW_LANES != block) return;
    sinew_transform left = sinew_mixer_root_left(mixer, &part->of->room.all, part->first, part->end);
    const float floats[SINEW_PLANES] = {left.translation.x, left.translation.y, left.translation.z, left.rotation.x,
                                        left.rotation.y,    left.rotation.z,    left.rotation.w,    left.scale.x,
                                        left.scale.y,       left.scale.z};
    for (int i = 0; i < SINEW_PLANES; i++) out->lane[i][mixer->root->root.node % SINEW_LANES] = floats[i];
}

// ---- Evaluating ----------------------------------------------------------------------------------------------

static sinew_transform root_left(const sinew_mixer *mixer) {
    return sinew_mixer_root_left(mixer, &mixer->shown, 0, mixer->shown.ends[0]);
}

static void evaluate_pose(sinew_mixer *mixer) {
    sinew_ready_mix ready;
    sinew_mixer_make_ready(mixer, &mixer->shown, &ready);
    sinew_mixer_move_held(mixer, 0.0);
    sinew_mix_to_pose(&ready.mix, mixer->lanes, &mixer->pose);
    sinew_mix_to_weights(&ready.mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    if (mixer->root) sinew_pose_set(&mixer->pose, mixer->root->root.node, root_left(mixer));
    sinew_mixer_add_offsets(mixer);
    mixer->pose_is_behind = false;
}

void sinew_mixer_catch_up(sinew_mixer *mixer) {
    if (mixer->pose_is_behind) evaluate_pose(mixer);
}

// Brings the shares up to what plays now; false where that is what it was.
static bool share_out(sinew_mixer *mixer) {
    bool changed = sinew_mixer_share_out(mixer, 0.0, ALL_ACTIONS, &mixer->shown) || mixer->is_touched;
    mixer->is_touched = mixer->state->offsets.duration > 0.0f;
    return changed;
}

void sinew_mixer_evaluate(sinew_mixer *mixer) {
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_EVALUATE});
    share_out(mixer);
    evaluate_pose(mixer);
    mixer->model_is_current = false;
}

void sinew_mixer_to_model(sinew_mixer *mixer) {
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_TO_MODEL});
    sinew_mixer_catch_up(mixer);
    sinew_pose_to_local(&mixer->pose, mixer->lanes, mixer->model);
    sinew_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    mixer->model_is_current = true;
}

bool sinew_mixer_prepare(sinew_mixer *mixer, sinew_ready_mix *ready) {
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_SHOW});
    bool changed = share_out(mixer);
    if (!changed && mixer->model_is_current && !mixer->pose_is_out) return false;
    mixer->model_is_current = true;
    sinew_mixer_make_ready(mixer, &mixer->shown, ready);
    return true;
}

void sinew_mixer_mix_to_local(sinew_mixer *mixer, const sinew_ready_mix *ready) {
    // Offsets, and a held pose that moves, go on with the next step: the pose cannot be worked out behind it.
    if (mixer->state->offsets.duration > 0.0f || mixer->state->moving.duration > 0.0f) {
        evaluate_pose(mixer);
        sinew_pose_to_local(&mixer->pose, mixer->lanes, mixer->model);
        return;
    }
    sinew_mixer_move_held(mixer, 0.0);
    sinew_mix_to_local(&ready->mix, mixer->lanes, mixer->model);
    if (mixer->root) {
        sinew_transform left = root_left(mixer);
        mixer->model[mixer->root->root.node] = sinew_affine_from_transform(left);
    }
    sinew_mix_to_weights(&ready->mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    mixer->pose_is_behind = true;
}

bool sinew_mixer_update(sinew_mixer *mixer, float dt) {
    sinew_mixer_advance(mixer, dt);
    return sinew_mixer_show(mixer);
}

bool sinew_mixer_show(sinew_mixer *mixer) {
    sinew_ready_mix ready;
    if (!sinew_mixer_prepare(mixer, &ready)) return false;
    sinew_mixer_mix_to_local(mixer, &ready);
    sinew_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    return true;
}

// ---- What came out -------------------------------------------------------------------------------------------

sinew_pose *sinew_mixer_pose(sinew_mixer *mixer) {
    sinew_mixer_catch_up(mixer);
    mixer->pose_is_out = true;
    return &mixer->pose;
}

const float *sinew_mixer_weights(const sinew_mixer *mixer) {
    return mixer->pose.weights;
}

const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer) {
    return mixer->model;
}
