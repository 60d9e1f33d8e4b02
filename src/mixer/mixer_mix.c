// Mixing: who has a share of the pose, and evaluating the shares into a pose and model matrices.
#include "record/mixer_call.h"
#include "mixer/mixer_state.h"
#include "pose/skeleton_object.h"
#include "core/simd.h"

#include <assert.h>

// ---- Who has a share -----------------------------------------------------------------------------------------

// Those that have a share of one layer, being put in order. Shares themselves are written but once, straight to their
// place, field by field: what is put together and then moved as one makes whoever reads it wait.
typedef struct claim {
    float weight;
    uint32_t serial;
    uint8_t slot, sample;
} claim;

typedef struct claims {
    claim of[SINEW_MAX_SHARES];
    int32_t count;
    bool by_age;
    float sum;
} claims;

// Heaviest first, then oldest first, whatever slot each sits in: a rotation is added on the hemisphere of the sum so
// far. Differences, which are not summed up, go by age alone: they must not change places while they fade.
SINEW_INLINE bool comes_before(const claim *a, const claim *b, bool by_age) {
    if (!by_age && a->weight != b->weight) return a->weight > b->weight;
    return a->serial != b->serial ? a->serial < b->serial : a->sample < b->sample;
}

SINEW_INLINE void put_in(claims *all, float weight, uint32_t serial, uint8_t slot, uint8_t sample) {
    claim own = {weight, serial, slot, sample};
    int32_t place = all->count++;
    for (; place > 0 && comes_before(&own, &all->of[place - 1], all->by_age); place--) {
        all->of[place] = all->of[place - 1];
    }
    all->of[place] = own;
}

SINEW_INLINE float weight_after(const sinew_mixer *mixer, const sinew_fade *fade, double seconds,
                                mixer_sight sight) {
    if (seconds == 0.0) return fade->value;
    if (sight == SEEN_ACTIONS) return sinew_fade_seen_after(mixer, fade, seconds);
    return sinew_fade_after(mixer, fade, seconds);
}

static void put_samples(const sinew_mixer *mixer, const action_state *action, float weight, uint8_t slot,
                        claims *all) {
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_space_weights(sinew_action_space(mixer, action), weights);
    for (int32_t i = 0; i < count; i++) {
        put_in(all, weight * weights[i].weight, action->serial, slot, (uint8_t)weights[i].sample);
    }
}

SINEW_INLINE void put_actions(const sinew_mixer *mixer, int32_t layer, double seconds, mixer_sight sight,
                              claims *all) {
    int32_t end = mixer->state->slot_end;
    for (int32_t i = 0; i < end; i++) {
        const action_state *action = &mixer->actions[i];
        if (!action->clip || action->layer != layer) continue;
        if (sight == SEEN_ACTIONS && (action->flags & ACTION_UNSEEN) != 0) continue;
        float weight = weight_after(mixer, &action->weight, seconds, sight);
        if (!(weight > 0.0f)) continue;
        if (action->space) {
            put_samples(mixer, action, weight, (uint8_t)i, all);
        } else {
            put_in(all, weight, action->serial, (uint8_t)i, 0);
        }
    }
}

// The held pose fades with what comes for it; in the base it also stands where nothing else does.
SINEW_INLINE void put_held(const sinew_mixer *mixer, int32_t layer, double seconds, mixer_sight sight,
                           claims *all) {
    float weight = weight_after(mixer, &mixer->layers[layer].held, seconds, sight);
    if (layer == 0 && all->count == 0) weight = 1.0f;
    if (weight > 0.0f) put_in(all, weight, 0, SINEW_HELD_SLOT, 0);
}

SINEW_INLINE void sum_up(claims *all) {
    all->sum = 0.0f;
    for (int32_t i = 0; i < all->count; i++) all->sum += all->of[i].weight;
}

// Fills weights that sum to less than 1 up with the rest pose, which takes its place by its weight.
SINEW_INLINE void put_rest(const sinew_mixer *mixer, claims *all) {
    if (mixer->def.underweight != SINEW_UNDERWEIGHT_REST || !(all->sum < 1.0f)) return;
    put_in(all, 1.0f - all->sum, 0, SINEW_REST_SLOT, 0);
    all->sum = 1.0f;
}

static float held_time(const sinew_mixer *mixer, int32_t layer, double seconds) {
    const decay_state *moving = &mixer->state->moving;
    return layer == 0 && moving->duration > 0.0f ? (float)(moving->elapsed + seconds) : 0.0f;
}

// How far an action goes in so many seconds.
SINEW_INLINE double way_of(const sinew_mixer *mixer, const action_state *action, double seconds,
                           mixer_sight sight) {
    if (seconds == 0.0) return 0.0;
    double rate = sight == SEEN_ACTIONS ? (double)action->seen_rate : sinew_action_rate(mixer, action);
    return rate * seconds;
}

SINEW_INLINE float action_time(const sinew_mixer *mixer, const claim *of, double seconds, mixer_sight sight) {
    const action_state *action = &mixer->actions[of->slot];
    double way = way_of(mixer, action, seconds, sight);
    if (action->space) return sinew_space_time(mixer, action, of->sample, way);
    return way == 0.0 ? sinew_action_clip_time(action) : sinew_action_clip_time_after(action, way);
}

// Makes a claim a share; true where another one lay there.
SINEW_INLINE bool settle(const claim *of, int32_t layer, float time, mixer_share *share) {
    bool stands = share->time == time && share->weight == of->weight && share->serial == of->serial &&
                  share->slot == of->slot && share->layer == layer && share->sample == of->sample;
    share->time = time;
    share->weight = of->weight;
    share->serial = of->serial;
    share->slot = of->slot;
    share->layer = (uint8_t)layer;
    share->sample = of->sample;
    return !stands;
}

// Puts a layer's shares behind those that are there.
SINEW_INLINE bool share_out_layer(const sinew_mixer *mixer, int32_t l, float strength, double seconds,
                                  mixer_sight sight, mixer_shares *out) {
    const layer_state *layer = &mixer->layers[l];
    double then = seconds;
    claims all;
    all.count = 0;
    all.by_age = layer->mode == SINEW_LAYER_ADDITIVE;
    put_actions(mixer, l, then, sight, &all);
    // All of the base that goes until then will be held as it is.
    if (l == 0 && seconds > 0.0 && all.count == 0) put_actions(mixer, l, then = 0.0, sight, &all);
    put_held(mixer, l, seconds, sight, &all);
    sum_up(&all);
    if (l == 0) put_rest(mixer, &all);
    int32_t count = l > 0 ? out->ends[l - 1] : 0;
    bool changed = out->ends[l] != count + all.count || out->strengths[l] != strength;
    for (int32_t i = 0; i < all.count; i++) {
        const claim *of = &all.of[i];
        float time = of->slot < SINEW_REST_SLOT    ? action_time(mixer, of, then, sight)
                     : of->slot == SINEW_HELD_SLOT ? held_time(mixer, l, seconds)
                                                   : 0.0f;
        changed |= settle(of, l, time, &out->shares[count++]);
    }
    out->ends[l] = count;
    out->sums[l] = all.sum;
    out->strengths[l] = strength;
    return changed;
}

// The same for a layer over the base, which shows nothing where it has nothing or no weight.
static bool share_out_upper(const sinew_mixer *mixer, int32_t l, double seconds, mixer_sight sight,
                            mixer_shares *out) {
    const layer_state *layer = &mixer->layers[l];
    bool has_any = layer->action_count > 0 || layer->held.value > 0.0f;
    float strength = has_any ? weight_after(mixer, &layer->weight, seconds, sight) : 0.0f;
    if (strength > 0.0f) return share_out_layer(mixer, l, strength, seconds, sight, out);
    bool changed = out->ends[l] != out->ends[l - 1];
    out->ends[l] = out->ends[l - 1];
    return changed;
}

// Inline, so that what each frame looks at, all actions now, is compiled for itself.
SINEW_INLINE bool share_out_at(const sinew_mixer *mixer, double seconds, mixer_sight sight, mixer_shares *out) {
    bool changed = share_out_layer(mixer, 0, 1.0f, seconds, sight, out);
    for (int32_t l = 1; l < mixer->def.layer_count; l++) changed |= share_out_upper(mixer, l, seconds, sight, out);
    int32_t count = out->ends[mixer->def.layer_count - 1];
    changed |= out->count != count;
    out->count = count;
    return changed;
}

bool sinew_mixer_share_out(const sinew_mixer *mixer, double seconds, mixer_sight sight, mixer_shares *out) {
    return share_out_at(mixer, seconds, sight, out);
}

// ---- For the kernels -----------------------------------------------------------------------------------------

// The clip of a share, and the hints for its timelines: what is not an action's has none, and a blend space has no hints.
static const sinew_clip_data *clip_of(const sinew_mixer *mixer, const mixer_share *share, uint32_t **hints) {
    *hints = NULL;
    if (share->slot == SINEW_REST_SLOT) return sinew_skeleton_rest(mixer->def.skeleton);
    if (share->slot == SINEW_HELD_SLOT) return &mixer->held[share->layer].data;
    const action_state *action = &mixer->actions[share->slot];
    if (action->space) return sinew_action_space(mixer, action)->space->samples[share->sample].clip->data;
    *hints = mixer->hints + (ptrdiff_t)share->slot * mixer->def.hints_per_action;
    return action->clip->data;
}

// Of an overriding layer the shares sum to 1. A difference counts by its own weight and its layer's. Returns how many
// keys have been found.
static int32_t make_shares_ready(const sinew_mixer *mixer, const mixer_shares *shares, int32_t l, int32_t keys,
                                 sinew_ready_mix *ready) {
    const layer_state *layer = &mixer->layers[l];
    bool adds = layer->mode == SINEW_LAYER_ADDITIVE;
    for (int32_t i = l > 0 ? shares->ends[l - 1] : 0; i < shares->ends[l]; i++) {
        const mixer_share *from = &shares->shares[i];
        sinew_mix_input *share = &ready->shares[i];
        uint32_t *hints;
        share->clip = clip_of(mixer, from, &hints);
        share->time = from->time;
        share->weight = adds ? from->weight * shares->strengths[l] : from->weight / shares->sums[l];
        share->held = from->slot == SINEW_HELD_SLOT && layer->held_is_sum;
        keys += sinew_mix_input_find_keys(share, ready->keys + keys, SINEW_MIX_KEYS - keys, hints,
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
    *to = (sinew_mix_layer){.inputs = ready->shares + first, .count = count};
    to->additive = layer->mode == SINEW_LAYER_ADDITIVE;
    float most = shares->strengths[l] < 1.0f ? shares->strengths[l] : 1.0f;
    to->weight = shares->sums[l] < 1.0f ? most * shares->sums[l] : most;
    if (!layer->mask) return;
    to->node_mask = layer->mask->nodes;
    to->weight_mask = layer->mask->weights;
}

void sinew_mixer_make_ready(const sinew_mixer *mixer, const mixer_shares *shares, sinew_ready_mix *ready) {
    ready->mix.keys_found = true;
    ready->mix.inputs = ready->shares;
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
    part.mix.inputs = of->ready.shares + first;
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
    sinew_kernels_fast()->mix_to_pose(&part->mix, block, block + 1, planes);
    bool of_base = part->first < part->of->room.all.ends[0]; // what is taken out is taken out of that
    if (!mixer->root || !of_base || (size_t)mixer->root->root.node / SINEW_LANES != block) return;
    sinew_transform left = sinew_mixer_root_left(mixer, &part->of->room.all, part->first, part->end);
    float values[SINEW_PLANES];
    sinew_transform_to_planes(left, values);
    for (int i = 0; i < SINEW_PLANES; i++) out->lane[i][mixer->root->root.node % SINEW_LANES] = values[i];
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
    mixer->pose_is_edited = false;
    mixer->state->set.is_current = false;
}

void sinew_mixer_catch_up(sinew_mixer *mixer) {
    if (mixer->pose_is_behind) evaluate_pose(mixer);
}

// Brings the shares up to what plays now; false where that is what it was.
static bool share_out(sinew_mixer *mixer) {
    sinew_mixer_leave_set(mixer);
    bool changed = share_out_at(mixer, 0.0, ALL_ACTIONS, &mixer->shown) || mixer->is_touched;
    mixer->is_touched = mixer->state->offsets.duration > 0.0f;
    return changed;
}

void sinew_mixer_evaluate(sinew_mixer *mixer) {
    assert(mixer);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_EVALUATE});
    share_out(mixer);
    evaluate_pose(mixer);
    mixer->shown_as = SHOWN_NOT_AT_ALL;
}

void sinew_mixer_to_model(sinew_mixer *mixer) {
    assert(mixer);
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_TO_MODEL});
    sinew_mixer_catch_up(mixer);
    sinew_pose_to_local(&mixer->pose, mixer->lanes, mixer->model);
    sinew_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    mixer->shown_as = SHOWN_BY_MODEL;
}

bool sinew_mixer_prepare(sinew_mixer *mixer, mixer_output wanted, sinew_ready_mix *ready) {
    if (mixer->recorder) sinew_note(mixer, (mixer_call){.kind = CALL_SHOW});
    bool changed = share_out(mixer);
    if (!changed && mixer->shown_as >= wanted && !mixer->pose_is_edited) return false;
    mixer->shown_as = wanted;
    sinew_mixer_make_ready(mixer, &mixer->shown, ready);
    return true;
}

void sinew_mixer_mix_to_local(sinew_mixer *mixer, const sinew_ready_mix *ready, sinew_affine *local) {
    // Offsets, and a held pose that moves, go on with the next step: the pose cannot be worked out behind it.
    if (mixer->state->offsets.duration > 0.0f || mixer->state->moving.duration > 0.0f) {
        evaluate_pose(mixer);
        sinew_pose_to_local(&mixer->pose, mixer->lanes, local);
        return;
    }
    sinew_mixer_move_held(mixer, 0.0);
    sinew_mix_to_local(&ready->mix, mixer->lanes, local);
    if (mixer->root) {
        sinew_transform left = root_left(mixer);
        local[mixer->root->root.node] = sinew_affine_from_transform(left);
    }
    sinew_mix_to_weights(&ready->mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    mixer->pose_is_behind = true;
    mixer->pose_is_edited = false;
    mixer->state->set.is_current = false;
}

bool sinew_mixer_update(sinew_mixer *mixer, float dt) {
    sinew_mixer_advance(mixer, dt);
    return sinew_mixer_show(mixer);
}

bool sinew_mixer_show(sinew_mixer *mixer) {
    sinew_ready_mix ready;
    if (!sinew_mixer_prepare(mixer, SHOWN_BY_MODEL, &ready)) return false;
    sinew_mixer_mix_to_local(mixer, &ready, mixer->model);
    sinew_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    return true;
}
