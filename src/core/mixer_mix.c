// SPDX-License-Identifier: MIT
// Mixing: gathers a pose's contributions and evaluates them to a pose and model matrices.
#include "core/mixer_evaluation.h"
#include "core/skeleton_object.h"
#include "base/simd.h"

// ---- Gathering -----------------------------------------------------------------------------------------------

// A layer's contributions while sorting. Their time and layer are set when they are stored.
typedef struct layer_contributions {
    contribution items[SINEWI_MAX_CONTRIBUTIONS];
    int32_t count;
    bool by_age;
    float sum;
} layer_contributions;

// Heaviest first, then oldest first, regardless of slots. Rotations are added on the hemisphere of the sum so far.
// Differences in additive layers aren't summed. They are only sorted by age, so their order doesn't change while they
// fade.
SINEWI_INLINE bool comes_before(const contribution *a, const contribution *b, bool by_age) {
    if (!by_age && a->weight != b->weight) return a->weight > b->weight;
    return a->serial != b->serial ? a->serial < b->serial : a->sample < b->sample;
}

SINEWI_INLINE void insert_sorted(layer_contributions *all, float weight, uint32_t serial, uint8_t slot,
                                 uint8_t sample, uint8_t side) {
    contribution own = {0.0f, weight, serial, slot, 0, sample, side};
    int32_t index = all->count++;
    for (; index > 0 && comes_before(&own, &all->items[index - 1], all->by_age); index--) {
        all->items[index] = all->items[index - 1];
    }
    all->items[index] = own;
}

// The weight of a contribution that is only there to choose its sides.
#define SIDELESS_WEIGHT 1e-6f

SINEWI_INLINE float weight_after(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds,
                                 action_filter filter) {
    if (seconds == 0.0) return fade->value;
    if (filter == STEPPED_ACTIONS) return sinewi_fade_extrapolate(mixer, fade, seconds);
    if (filter == ALL_ACTIONS) return sinewi_fade_on_line(mixer, fade, seconds);
    return sinewi_fade_value_after(mixer, fade, seconds);
}

// Returns a sample's blend space entry, and whether it has looped an odd number of times.
static uint8_t side_of_sample(const space_state *space, int32_t sample) {
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++) {
        if (space->samples[i] != sample + 1) continue;
        return (uint8_t)(i | ((space->odd_loops >> i & 1) != 0 ? SIDE_ODD_LOOPS : 0));
    }
    return 0;
}

static void add_samples(const sinew_mixer *mixer, const action_state *action, float weight, double seconds,
                        uint8_t slot, layer_contributions *all) {
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinewi_space_weights_on_line(mixer, action, seconds, weights);
    for (int32_t i = 0; i < count; i++) {
        uint8_t side = side_of_sample(sinewi_action_space(mixer, action), weights[i].sample);
        insert_sorted(all, weight * weights[i].weight, action->serial, slot, (uint8_t)weights[i].sample, side);
    }
}

// Returns whether an action or its layer must choose a side. The action may not contribute to the layer yet.
static bool has_sideless(const sinew_mixer *mixer, const action_state *action) {
    return (action->flags & ACTION_SIDELESS) != 0 || mixer->layers[action->layer].is_sideless;
}

SINEWI_INLINE void add_actions(const sinew_mixer *mixer, int32_t layer, double seconds, action_filter filter,
                               layer_contributions *all) {
    int32_t end = mixer->state->slot_end;
    for (int32_t i = 0; i < end; i++) {
        const action_state *action = &mixer->actions[i];
        if (!action->clip || action->layer != layer) continue;
        if (filter == STEPPED_ACTIONS && (action->flags & ACTION_NEW) != 0) continue;
        float weight = weight_after(mixer, &action->proportion, seconds, filter);
        if (filter == SIDELESS_ACTIONS && has_sideless(mixer, action) && !(weight > SIDELESS_WEIGHT))
            weight = SIDELESS_WEIGHT;
        if (!(weight > 0.0f)) continue;
        if (action->space) {
            add_samples(mixer, action, weight, seconds, (uint8_t)i, all);
        } else {
            uint8_t side = (action->flags & ACTION_ODD_LOOPS) != 0 ? SIDE_ODD_LOOPS : 0;
            insert_sorted(all, weight, action->serial, (uint8_t)i, 0, side);
        }
    }
}

// The held pose fades while actions fade in. If nothing else contributes, it is the base's whole pose.
SINEWI_INLINE void add_held(const sinew_mixer *mixer, double seconds, action_filter filter,
                            layer_contributions *all) {
    float weight = weight_after(mixer, &mixer->state->held_proportion, seconds, filter);
    if (all->count == 0) weight = 1.0f;
    if (weight > 0.0f) insert_sorted(all, weight, 0, SINEWI_HELD_SLOT, 0, 0);
}

SINEWI_INLINE void sum_weights(layer_contributions *all) {
    all->sum = 0.0f;
    for (int32_t i = 0; i < all->count; i++) all->sum += all->items[i].weight;
}

// With SINEW_UNDERWEIGHT_REST, the rest pose contributes whatever weight is missing to 1, and is sorted by this weight.
SINEWI_INLINE void add_rest(const sinew_mixer *mixer, action_filter filter, layer_contributions *all) {
    if (mixer->def.underweight != SINEW_UNDERWEIGHT_REST) return;
    float weight = 1.0f - all->sum;
    bool is_sideless = filter == SIDELESS_ACTIONS && mixer->state->rest_is_sideless;
    if (is_sideless && !(weight > SIDELESS_WEIGHT)) weight = SIDELESS_WEIGHT;
    if (!(weight > 0.0f)) return;
    insert_sorted(all, weight, 0, SINEWI_REST_SLOT, 0, 0);
    all->sum = is_sideless ? all->sum + weight : 1.0f;
}

// Returns the held pose's time. This is the extrapolation's time, so a contribution changes while the pose moves.
static float held_time(const sinew_mixer *mixer, double seconds) {
    const decay_state *extrapolation = &mixer->state->extrapolation;
    return extrapolation->duration > 0.0f ? (float)(extrapolation->elapsed + seconds) : 0.0f;
}

// Returns how far an action moves in `seconds`, in clip seconds or phases.
SINEWI_INLINE double motion_of(const sinew_mixer *mixer, const action_state *action, double seconds,
                               action_filter filter) {
    if (seconds == 0.0) return 0.0;
    double rate = filter == STEPPED_ACTIONS ? (double)action->last_rate : sinewi_action_rate(mixer, action);
    return rate * seconds;
}

SINEWI_INLINE float action_time(const sinew_mixer *mixer, const contribution *of, double seconds,
                                action_filter filter) {
    const action_state *action = &mixer->actions[of->slot];
    double motion = motion_of(mixer, action, seconds, filter);
    if (action->space) return sinewi_space_time(mixer, action, of->sample, motion);
    return motion == 0.0 ? sinewi_action_clip_time(action) : sinewi_action_clip_time_after(action, motion);
}

// Stores a contribution. Returns true if it differs from the previous one, or if `changed` is set. Then nothing is
// compared, because a new buffer has no previous one. Copies field by field, because copying a struct whose fields were
// just written would stall the next loads from it.
SINEWI_INLINE bool store(const contribution *from, int32_t layer, float time, bool changed, contribution *to) {
    bool same = !changed && to->time == time && to->weight == from->weight && to->serial == from->serial &&
                to->slot == from->slot && to->layer == layer && to->sample == from->sample &&
                to->side == from->side;
    to->time = time;
    to->weight = from->weight;
    to->serial = from->serial;
    to->slot = from->slot;
    to->layer = (uint8_t)layer;
    to->sample = from->sample;
    to->side = from->side;
    return !same;
}

// Gathers a layer's contributions, after the layers below. Returns true if anything has changed.
SINEWI_INLINE bool gather_layer(const sinew_mixer *mixer, int32_t l, float strength, double seconds,
                                action_filter filter, contributions *out) {
    const layer_state *layer = &mixer->layers[l];
    // If all base actions fade out before this moment, their current pose will be held.
    double then = seconds;
    layer_contributions all;
    all.count = 0;
    all.by_age = layer->mode == SINEW_LAYER_ADDITIVE;
    add_actions(mixer, l, then, filter, &all);
    if (l == 0 && seconds > 0.0 && all.count == 0) add_actions(mixer, l, then = 0.0, filter, &all);
    if (l == 0) add_held(mixer, seconds, filter, &all);
    sum_weights(&all);
    if (l == 0) add_rest(mixer, filter, &all);
    int32_t count = l > 0 ? out->ends[l - 1] : 0;
    bool changed = out->ends[l] != count + all.count || out->strengths[l] != strength;
    for (int32_t i = 0; i < all.count; i++) {
        const contribution *of = &all.items[i];
        float time = of->slot < SINEWI_REST_SLOT    ? action_time(mixer, of, then, filter)
                     : of->slot == SINEWI_HELD_SLOT ? held_time(mixer, seconds)
                                                    : 0.0f;
        changed = store(of, l, time, changed, &out->items[count++]);
    }
    out->ends[l] = count;
    out->sums[l] = all.sum;
    out->strengths[l] = strength;
    return changed;
}

// The same for a layer above the base. It doesn't contribute anything without actions or weight.
static bool gather_upper(const sinew_mixer *mixer, int32_t l, double seconds, action_filter filter,
                         contributions *out) {
    const layer_state *layer = &mixer->layers[l];
    bool has_any = layer->action_count > 0;
    float strength = has_any ? weight_after(mixer, &layer->weight, seconds, filter) : 0.0f;
    if (has_any && filter == SIDELESS_ACTIONS && !(strength > SIDELESS_WEIGHT)) strength = SIDELESS_WEIGHT;
    if (strength > 0.0f) return gather_layer(mixer, l, strength, seconds, filter, out);
    bool changed = out->ends[l] != out->ends[l - 1];
    out->ends[l] = out->ends[l - 1];
    return changed;
}

// Inline, so the compiler specializes the case that every frame needs: all actions now.
SINEWI_INLINE bool gather_at(const sinew_mixer *mixer, double seconds, action_filter filter, contributions *out) {
    bool changed = gather_layer(mixer, 0, 1.0f, seconds, filter, out);
    for (int32_t l = 1; l < mixer->def.layer_count; l++) changed |= gather_upper(mixer, l, seconds, filter, out);
    int32_t count = out->ends[mixer->def.layer_count - 1];
    changed |= out->count != count;
    out->count = count;
    return changed;
}

bool sinewi_mixer_gather(const sinew_mixer *mixer, double seconds, action_filter filter, contributions *out) {
    return gather_at(mixer, seconds, filter, out);
}

// ---- Input of the kernels ------------------------------------------------------------------------------------

// Returns a contribution's clip and its action's key hints. Held poses, the rest pose and blend spaces have no hints.
static const sinew_clip_data *clip_of(const sinew_mixer *mixer, const contribution *from, uint32_t **hints) {
    *hints = NULL;
    if (from->slot == SINEWI_REST_SLOT) return sinewi_skeleton_rest(mixer->def.skeleton);
    if (from->slot == SINEWI_HELD_SLOT) return &mixer->held.data;
    const action_state *action = &mixer->actions[from->slot];
    if (action->space) return sinewi_action_space(mixer, action)->space->samples[from->sample].clip->data;
    *hints = mixer->hints + (ptrdiff_t)from->slot * mixer->def.hints_per_action;
    return action->clip->data;
}

// Finds a contribution's sides. A held pose doesn't need them, because it has the sign of the sum that it came from.
static void find_sides(const sinew_mixer *mixer, const contribution *from, sinewi_mix_input *to) {
    to->sides = to->wraps = NULL;
    if (from->slot == SINEWI_HELD_SLOT) return;
    if (from->slot < SINEWI_REST_SLOT && (from->side & SIDE_ODD_LOOPS) != 0) to->wraps = to->clip->wraps;
    to->sides = sinewi_side_row(mixer, sinewi_side_row_of(mixer, from));
}

// Returns the end of one action's contributions in an additive layer, and the sum of their weights.
static int32_t end_of_action(const contributions *all, int32_t first, int32_t end, float *sum) {
    int32_t i = first;
    for (*sum = 0.0f; i < end && all->items[i].slot == all->items[first].slot; i++) *sum += all->items[i].weight;
    return i;
}

// Builds inputs whose weights sum to 1, for a whole layer or for each action of an additive layer. Returns the number
// of keys found so far.
static int32_t build_inputs(const sinew_mixer *mixer, const contributions *all, int32_t l, int32_t keys,
                            sinewi_kernel_input *input) {
    const layer_state *layer = &mixer->layers[l];
    const bool adds = layer->mode == SINEW_LAYER_ADDITIVE;
    float sum = all->sums[l];
    int32_t first = l > 0 ? all->ends[l - 1] : 0, end = first;
    for (int32_t i = first; i < all->ends[l]; i++) {
        const contribution *from = &all->items[i];
        if (adds && i == end) end = end_of_action(all, i, all->ends[l], &sum);
        sinewi_mix_input *to = &input->inputs[i];
        uint32_t *hints;
        to->clip = clip_of(mixer, from, &hints);
        find_sides(mixer, from, to);
        to->time = from->time;
        to->weight = from->weight / sum;
        keys += sinewi_mix_input_find_keys(to, input->keys + keys, SINEWI_MIX_KEYS - keys, &input->weights, hints,
                                           mixer->def.hints_per_action);
        if (to->key_count < to->clip->row_count) input->mix.keys_found = false;
    }
    return keys;
}

// Adds a layer's contributions [first, end), which are applied together.
static sinewi_mix_layer *add_layer(const sinew_mixer *mixer, int32_t l, int32_t first, int32_t end,
                                   sinewi_kernel_input *input) {
    const sinew_mask *mask = mixer->layers[l].mask;
    sinewi_mix_layer *to = &input->layers[input->mix.layer_count++];
    *to = (sinewi_mix_layer){.inputs = input->inputs + first, .count = end - first};
    if (mask) to->node_mask = mask->nodes, to->weight_mask = mask->weights;
    return to;
}

// If a layer's weights sum to less than 1, it leaves the rest to the layers below. An additive layer applies each
// action separately.
static void build_layer(const sinew_mixer *mixer, const contributions *all, int32_t l, sinewi_kernel_input *input) {
    int32_t first = all->ends[l - 1];
    float sum;
    while (mixer->layers[l].mode == SINEW_LAYER_ADDITIVE && first < all->ends[l]) {
        const int32_t end = end_of_action(all, first, all->ends[l], &sum);
        sinewi_mix_layer *to = add_layer(mixer, l, first, end, input);
        to->additive = true;
        to->weight = sum * all->strengths[l];
        first = end;
    }
    if (first == all->ends[l]) return;
    sinewi_mix_layer *to = add_layer(mixer, l, first, all->ends[l], input);
    const float strength = all->strengths[l] < 1.0f ? all->strengths[l] : 1.0f;
    to->weight = all->sums[l] < 1.0f ? strength * all->sums[l] : strength;
    to->sides = sinewi_side_row(mixer, sinewi_side_row_of_layer(&mixer->def, l));
}

void sinewi_mixer_build_input(const sinew_mixer *mixer, const contributions *from, sinewi_kernel_input *input) {
    input->mix.keys_found = true;
    input->weights.count = 0;
    input->mix.inputs = input->inputs;
    input->mix.count = from->ends[0];
    input->mix.total = from->count;
    input->mix.layers = input->layers;
    input->mix.layer_count = 0;
    int32_t keys = build_inputs(mixer, from, 0, 0, input);
    for (int32_t l = 1; l < mixer->def.layer_count; l++) {
        if (from->ends[l] == from->ends[l - 1]) continue;
        keys = build_inputs(mixer, from, l, keys, input);
        build_layer(mixer, from, l, input);
    }
}

// Builds the input for the current contributions. A single one isn't summed with anything, so its sides don't matter.
static void build_current_input(const sinew_mixer *mixer, sinewi_kernel_input *input) {
    sinewi_mixer_build_input(mixer, &mixer->current, input);
    if (mixer->current.count == 1) input->inputs[0].sides = NULL;
}

// ---- Moments -------------------------------------------------------------------------------------------------

void sinewi_mixer_gather_moment(const sinew_mixer *mixer, double seconds, action_filter filter,
                                mixer_moment *moment) {
    moment->buffer.all = (contributions){.items = moment->buffer.items};
    sinewi_mixer_gather(mixer, seconds, filter, &moment->buffer.all);
    sinewi_mixer_build_input(mixer, &moment->buffer.all, &moment->input);
}

moment_mix sinewi_mixer_mix_of(const mixer_moment *moment, int32_t first, int32_t end) {
    moment_mix mix = {.moment = moment, .first = first, .end = end};
    mix.mix.inputs = moment->input.inputs + first;
    mix.mix.count = mix.mix.total = end - first;
    mix.mix.keys_found = moment->input.mix.keys_found;
    return mix;
}

moment_mix sinewi_mixer_whole_mix(const mixer_moment *moment) {
    return (moment_mix){moment, moment->input.mix, 0, moment->buffer.all.ends[0]};
}

void sinewi_mixer_blend_block(const sinew_mixer *mixer, const moment_mix *mix, size_t block, sinewi_block *out) {
    float *planes[SINEWI_PLANES];
    for (int i = 0; i < SINEWI_PLANES; i++) planes[i] = out->lane[i];
    sinewi_mix_kernels_used()->mix_to_pose(&mix->mix, block, block + 1, planes);
    bool of_base = mix->first < mix->moment->buffer.all.ends[0]; // root motion belongs to the base
    if (!mixer->root || !of_base || (size_t)mixer->root->root.node / SINEW_LANES != block) return;
    sinew_transform rest = sinewi_mixer_root_remainder(mixer, &mix->moment->buffer.all, mix->first, mix->end);
    float values[SINEWI_PLANES];
    sinewi_transform_to_planes(rest, values);
    for (int i = 0; i < SINEWI_PLANES; i++) out->lane[i][mixer->root->root.node % SINEW_LANES] = values[i];
}

// ---- Extrapolated poses --------------------------------------------------------------------------------------

// Returns tau for moving on a line from the current position at the current velocity. This measures velocities exactly.
// Two extrapolations that start right after one another move equally fast.
static float tau_on_line(const decay_state *decay, double seconds) {
    float left = 1.0f - (float)decay->elapsed / decay->duration, rate = left > 0.0f ? left * left : 0.0f;
    return sinewi_held_tau((float)decay->elapsed, decay->duration) + rate * (float)seconds;
}

static void extrapolate_held_block(const sinew_mixer *mixer, float tau, size_t block) {
    float *planes[SINEWI_PLANES];
    for (int i = 0; i < SINEWI_PLANES; i++) planes[i] = mixer->held.blocks[block].lane[i];
    sinewi_transition_kernels_used()->extrapolate(mixer->extrapolated.blocks, tau, block, block + 1, planes);
}

static void extrapolate_held_weights(const sinew_mixer *mixer, float tau, size_t block) {
    float *to = mixer->held.weights + block * SINEW_LANES;
    sinewi_transition_kernels_used()->extrapolate_weights(mixer->extrapolated.weights, tau, block, block + 1, to);
}

void sinewi_mixer_extrapolate_blocks(const sinew_mixer *mixer, double seconds) {
    const decay_state *decay = &mixer->state->extrapolation;
    float tau = sinewi_held_tau((float)(decay->elapsed + seconds), decay->duration);
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) extrapolate_held_block(mixer, tau, b);
    for (size_t b = 0; b < sinewi_mixer_weight_block_end(mixer); b++) extrapolate_held_weights(mixer, tau, b);
}

void sinewi_mixer_blend_block_at(const sinew_mixer *mixer, const moment_mix *mix, double seconds, size_t block,
                                 sinewi_block *out) {
    const decay_state *decay = &mixer->state->extrapolation;
    if (decay->duration > 0.0f) extrapolate_held_block(mixer, tau_on_line(decay, seconds), block);
    sinewi_mixer_blend_block(mixer, mix, block, out);
}

void sinewi_mixer_blend_weights_at(const sinew_mixer *mixer, const moment_mix *mix, double seconds, size_t block,
                                   float *out) {
    const decay_state *decay = &mixer->state->extrapolation;
    if (decay->duration > 0.0f) extrapolate_held_weights(mixer, tau_on_line(decay, seconds), block);
    sinewi_mix_kernels_used()->mix_weights(&mix->mix, block, block + 1, out);
}

// ---- Offsets -------------------------------------------------------------------------------------------------

void sinewi_mixer_add_block_offsets(const sinew_mixer *mixer, size_t block, sinewi_block *pose) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    float *planes[SINEWI_PLANES];
    for (int i = 0; i < SINEWI_PLANES; i++) planes[i] = pose->lane[i];
    sinewi_transition_kernels_used()->add_offsets(&mixer->offsets.blocks->offsets, (float)offsets->elapsed, block,
                                                  block + 1, planes);
}

void sinewi_mixer_add_weight_offsets(const sinew_mixer *mixer, size_t block, float *weights) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    sinewi_transition_kernels_used()->add_weight_offsets(&mixer->offsets.weights->offsets, (float)offsets->elapsed,
                                                         block, block + 1, weights);
}

void sinewi_mixer_add_offset_motion(const sinew_mixer *mixer, double seconds, size_t block, sinewi_block *pose) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    sinewi_transition_kernels_used()->add_offsets_on_line(&mixer->offsets.blocks[block].offsets,
                                                          (float)offsets->elapsed, (float)seconds, pose);
}

void sinewi_mixer_add_weight_offset_motion(const sinew_mixer *mixer, double seconds, size_t block, float *weights) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    sinewi_transition_kernels_used()->add_weight_offsets_on_line(&mixer->offsets.weights[block].offsets,
                                                                 (float)offsets->elapsed, (float)seconds, weights);
}

// Adds the offsets to the mixer's pose.
static void add_pose_offsets(sinew_mixer *mixer) {
    const decay_state *offsets = &mixer->state->offsets;
    if (!(offsets->duration > 0.0f)) return;
    const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
    sinewi_planes planes = sinewi_pose_planes(&mixer->pose);
    size_t weight_blocks = sinewi_mixer_weight_block_end(mixer);
    kernels->add_offsets(&mixer->offsets.blocks->offsets, (float)offsets->elapsed, 0, sinewi_mixer_block_end(mixer),
                         planes.plane);
    if (weight_blocks == 0) return;
    kernels->add_weight_offsets(&mixer->offsets.weights->offsets, (float)offsets->elapsed, 0, weight_blocks,
                                mixer->pose.weights);
}

// ---- The pose ------------------------------------------------------------------------------------------------

void sinewi_mixer_read_block(const sinew_mixer *mixer, size_t block, sinewi_block *out) {
    sinewi_planes planes = sinewi_pose_planes(&mixer->pose);
    for (int i = 0; i < SINEWI_PLANES; i++) {
        memcpy(out->lane[i], planes.plane[i] + block * SINEW_LANES, sizeof out->lane[i]);
    }
}

void sinewi_mixer_write_block(sinew_mixer *mixer, size_t block, const sinewi_block *from) {
    sinewi_planes planes = sinewi_pose_planes(&mixer->pose);
    for (int i = 0; i < SINEWI_PLANES; i++) {
        memcpy(planes.plane[i] + block * SINEW_LANES, from->lane[i], sizeof from->lane[i]);
    }
}

static sinew_transform root_remainder(const sinew_mixer *mixer) {
    return sinewi_mixer_root_remainder(mixer, &mixer->current, 0, mixer->current.ends[0]);
}

// Evaluates the pose from the contributions gathered last.
static void evaluate_current(sinew_mixer *mixer) {
    sinewi_kernel_input input;
    build_current_input(mixer, &input);
    sinewi_mixer_extrapolate_held(mixer, 0.0);
    sinewi_mix_to_pose(&input.mix, mixer->lanes, &mixer->pose);
    sinewi_mix_to_weights(&input.mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    if (mixer->root) sinew_pose_set(&mixer->pose, mixer->root->root.node, root_remainder(mixer));
    add_pose_offsets(mixer);
    mixer->pose_is_stale = false;
    mixer->pose_is_edited = false;
    mixer->state->finish.is_finished = false;
    mixer->state->set_pose.is_current = false;
}

void sinewi_mixer_refresh_pose(sinew_mixer *mixer) {
    if (mixer->pose_is_stale) evaluate_current(mixer);
}

// Gathers the current contributions. Returns true if they have changed.
static bool gather_current(sinew_mixer *mixer) {
    bool changed = gather_at(mixer, 0.0, ALL_ACTIONS, &mixer->current) || mixer->is_dirty;
    mixer->is_evaluated = true;
    mixer->is_dirty = mixer->state->offsets.duration > 0.0f;
    return changed;
}

void sinewi_mixer_evaluate_pose(sinew_mixer *mixer) {
    gather_current(mixer);
    evaluate_current(mixer);
    mixer->output = OUTPUT_NONE;
}

void sinewi_mixer_compute_model(sinew_mixer *mixer) {
    sinewi_mixer_refresh_pose(mixer);
    sinewi_pose_to_local(&mixer->pose, mixer->lanes, mixer->model);
    sinewi_local_to_model(mixer->def.skeleton, mixer->nodes, &mixer->model, 1);
    mixer->output = OUTPUT_MODEL;
}

bool sinewi_mixer_prepare_output(sinew_mixer *mixer, mixer_output output, sinewi_kernel_input *input) {
    bool changed = gather_current(mixer);
    if (!changed && mixer->output >= output && !mixer->pose_is_edited) return false;
    mixer->output = output;
    build_current_input(mixer, input);
    return true;
}

// Returns the animated nodes of a part.
static sinewi_range animated_part(const sinew_mixer *mixer, sinewi_range part) {
    sinewi_range lanes = mixer->lanes;
    return (sinewi_range){part.first > lanes.first ? part.first : lanes.first,
                          part.end < lanes.end ? part.end : lanes.end};
}

// Inline, so the compiler specializes the case without parts.
SINEWI_INLINE void mix_to_local(sinew_mixer *mixer, const sinewi_kernel_input *input, const sinewi_range *parts,
                                int32_t part_count, sinew_affine *local) {
    // Offsets and extrapolations change with the next step, so the pose can't be evaluated on demand after that.
    if (mixer->state->offsets.duration > 0.0f || mixer->state->extrapolation.duration > 0.0f) {
        evaluate_current(mixer);
        sinewi_pose_to_local(&mixer->pose, mixer->lanes, local);
        return;
    }
    sinewi_mixer_extrapolate_held(mixer, 0.0);
    if (!parts) sinewi_mix_to_local(&input->mix, mixer->lanes, local);
    for (int32_t i = 0; parts && i < part_count; i++) {
        sinewi_mix_to_local(&input->mix, animated_part(mixer, parts[i]), local);
    }
    if (mixer->root) {
        sinew_transform rest = root_remainder(mixer);
        local[mixer->root->root.node] = sinew_affine_from_transform(rest);
    }
    sinewi_mix_to_weights(&input->mix, mixer->def.skeleton, mixer->nodes, mixer->pose.weights);
    mixer->pose_is_stale = true;
    mixer->pose_is_edited = false;
    mixer->state->finish.is_finished = false;
    mixer->state->set_pose.is_current = false;
}

void sinewi_mixer_mix_to_local(sinew_mixer *mixer, const sinewi_kernel_input *input, sinew_affine *local) {
    mix_to_local(mixer, input, NULL, 0, local);
}

void sinewi_mixer_mix_parts_to_local(sinew_mixer *mixer, const sinewi_kernel_input *input,
                                     const sinewi_range *parts, int32_t part_count, sinew_affine *local) {
    mix_to_local(mixer, input, parts, part_count, local);
}
