// SPDX-License-Identifier: MIT
// Chooses sides: whether a contribution's rotations are negated before adding them. Part of control.
//
// A quaternion q and its negative are the same rotation. The sum of two rotations is on the shorter arc between them if
// they are on the same side, which means that their dot product isn't negative. A contribution chooses its side once,
// when it starts, and keeps it. If it chose every frame, the pose would flip when two clips pass half a turn. See
// sinewi_mix_input for how sides are stored.
//
// A contribution starts on the same side as the sum of its layer's other contributions, taken in the middle of its
// fade. So the sum never changes its own sign. A difference in an additive layer starts on the identity's side. An
// override layer starts on the side of the layers below it.
#include "core/mixer_control.h"

// ---- Blend spaces --------------------------------------------------------------------------------------------

static bool has_weight(int32_t sample, const sinew_blend_weight *weights, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (weights[i].sample == sample) return true;
    }
    return false;
}

static bool has_entry(const space_state *space, int32_t sample) {
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++) {
        if (space->samples[i] == sample + 1) return true;
    }
    return false;
}

void sinewi_space_enter_samples(const sinew_mixer *mixer, space_state *space, const sinew_blend_weight *weights,
                                int32_t count) {
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++) {
        if (space->samples[i] != 0 && !has_weight(space->samples[i] - 1, weights, count)) space->samples[i] = 0;
    }
    int32_t entry = 0;
    for (int32_t i = 0; i < count; i++) {
        if (has_entry(space, weights[i].sample)) continue;
        while (space->samples[entry] != 0) entry++;
        space->samples[entry] = (uint8_t)(weights[i].sample + 1);
        space->sideless |= (uint32_t)1 << entry;
        space->odd_loops &= ~((uint32_t)1 << entry);
        mixer->state->has_sideless = true;
    }
}

// ---- Selecting contributions ---------------------------------------------------------------------------------

// The current contributions, including those without sides.
typedef struct side_choice {
    sinew_mixer *mixer;
    double seconds; // from now to their moment
    mixer_moment all;
    mixer_moment reference, own; // the selected contributions, each evaluated as a blend
} side_choice;

static bool has_side(const sinew_mixer *mixer, const contribution *item) {
    if (item->slot == SINEWI_HELD_SLOT) return true;
    if (item->slot == SINEWI_REST_SLOT) return !mixer->state->rest_is_sideless;
    const action_state *action = &mixer->actions[item->slot];
    if (!action->space) return (action->flags & ACTION_SIDELESS) == 0;
    return (sinewi_action_space(mixer, action)->sideless >> (item->side & ~SIDE_ODD_LOOPS) & 1) == 0;
}

static int32_t first_of(const side_choice *c, int32_t layer) {
    return layer > 0 ? c->all.buffer.all.ends[layer - 1] : 0;
}

// Selects one contribution as if it were in the base. The first one starts a new selection.
static void select_item(const side_choice *c, int32_t item, bool is_first, mixer_moment *to) {
    const contribution *from = &c->all.buffer.all.items[item];
    contributions *some = &to->buffer.all;
    if (is_first) *some = (contributions){.items = to->buffer.items};
    some->items[some->count++] = *from;
    some->sums[0] += from->weight;
    for (int32_t l = 0; l < c->mixer->def.layer_count; l++) some->ends[l] = some->count;
}

static void select_all_of(const side_choice *c, int32_t layer, mixer_moment *to) {
    for (int32_t i = first_of(c, layer); i < c->all.buffer.all.ends[layer]; i++) {
        select_item(c, i, i == first_of(c, layer), to);
    }
    sinewi_mixer_build_input(c->mixer, &to->buffer.all, &to->input);
}

// Selects all layers below one, unchanged.
static void select_below(const side_choice *c, int32_t layer, mixer_moment *to) {
    contributions *some = &to->buffer.all;
    *some = c->all.buffer.all;
    some->items = to->buffer.items;
    some->count = first_of(c, layer);
    for (int32_t i = 0; i < some->count; i++) some->items[i] = c->all.buffer.all.items[i];
    for (int32_t l = layer; l < c->mixer->def.layer_count; l++) some->ends[l] = some->count;
    sinewi_mixer_build_input(c->mixer, some, &to->input);
}

// Selects a layer's contributions that have sides, or else the heaviest one. Returns the heaviest one in this case,
// otherwise -1.
static int32_t select_reference(side_choice *c, int32_t layer) {
    int32_t first = first_of(c, layer), end = c->all.buffer.all.ends[layer], heaviest = first;
    bool has_any = false;
    for (int32_t i = first; i < end; i++) {
        const contribution *item = &c->all.buffer.all.items[i];
        if (item->weight > c->all.buffer.all.items[heaviest].weight) heaviest = i;
        if (!has_side(c->mixer, item)) continue;
        select_item(c, i, !has_any, &c->reference);
        has_any = true;
    }
    if (!has_any) select_item(c, heaviest, true, &c->reference);
    sinewi_mixer_build_input(c->mixer, &c->reference.buffer.all, &c->reference.input);
    return has_any ? -1 : heaviest;
}

// ---- Choosing ------------------------------------------------------------------------------------------------

static void evaluate_block(const mixer_moment *moment, size_t block, sinewi_block *out) {
    float *planes[SINEWI_PLANES];
    for (int i = 0; i < SINEWI_PLANES; i++) planes[i] = out->lane[i];
    sinewi_mix_kernels_used()->mix_to_pose(&moment->input.mix, block, block + 1, planes);
}

static uint16_t compare_blocks(const sinewi_block *reference, const sinewi_block *own) {
    uint32_t bits = 0;
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        float cosine = 0.0f;
        for (int i = SINEWI_RX; i <= SINEWI_RW; i++) cosine += reference->lane[i][lane] * own->lane[i][lane];
        bits |= (uint32_t)(cosine < 0.0f) << lane;
    }
    return (uint16_t)bits;
}

// Sets a row to the lanes where the two selected poses are on opposite sides.
static void compare(const side_choice *c, uint16_t *row) {
    for (size_t b = 0; b < sinewi_mixer_block_end(c->mixer); b++) {
        sinewi_block reference, own;
        evaluate_block(&c->reference, b, &reference);
        evaluate_block(&c->own, b, &own);
        row[b] = compare_blocks(&reference, &own);
    }
}

// Sets a row to the lanes where a difference is opposite to the identity.
static void compare_with_identity(const side_choice *c, uint16_t *row) {
    for (size_t b = 0; b < sinewi_mixer_block_end(c->mixer); b++) {
        sinewi_block own;
        evaluate_block(&c->own, b, &own);
        uint32_t bits = 0;
        for (int lane = 0; lane < SINEW_LANES; lane++) bits |= (uint32_t)(own.lane[SINEWI_RW][lane] < 0.0f) << lane;
        row[b] = (uint16_t)bits;
    }
}

// Returns a contribution's row, which counts as chosen from now on. The rest pose counts once all have been chosen.
static uint16_t *take_row(const sinew_mixer *mixer, const contribution *item) {
    if (item->slot == SINEWI_REST_SLOT) return sinewi_side_row(mixer, sinewi_side_row_of_rest(&mixer->def));
    action_state *action = &mixer->actions[item->slot];
    action->flags &= (uint8_t) ~(ACTION_SIDELESS | ACTION_ODD_LOOPS);
    if (!action->space) return sinewi_side_row(mixer, item->slot);
    space_state *space = sinewi_action_space(mixer, action);
    int32_t entry = item->side & ~SIDE_ODD_LOOPS;
    space->sideless &= ~((uint32_t)1 << entry);
    space->odd_loops &= ~((uint32_t)1 << entry);
    return sinewi_side_row(mixer, sinewi_side_row_of_space(&mixer->def, action->space - 1, entry));
}

// What to compare a contribution with. The first one in a layer is added as it is.
typedef enum side_of { AS_IT_IS, SELECTED_REFERENCE, IDENTITY } side_of;

static void choose_side(side_choice *c, int32_t item, side_of what) {
    contribution *from = &c->all.buffer.all.items[item];
    uint16_t *row = take_row(c->mixer, from);
    from->side &= (uint8_t)~SIDE_ODD_LOOPS;
    for (size_t b = 0; b < sinewi_mixer_block_end(c->mixer); b++) row[b] = 0;
    if (what == AS_IT_IS) return;
    select_item(c, item, true, &c->own);
    sinewi_mixer_build_input(c->mixer, &c->own.buffer.all, &c->own.input);
    if (what == IDENTITY) {
        compare_with_identity(c, row);
    } else {
        compare(c, row);
    }
}

// Selects the contributions of an item's action that have sides. Returns false if there aren't any.
static bool select_of_action(side_choice *c, int32_t l, int32_t item) {
    const contribution *items = c->all.buffer.all.items;
    bool has_any = false;
    for (int32_t i = first_of(c, l); i < c->all.buffer.all.ends[l]; i++) {
        if (items[i].slot != items[item].slot || !has_side(c->mixer, &items[i])) continue;
        select_item(c, i, !has_any, &c->reference);
        has_any = true;
    }
    if (has_any) sinewi_mixer_build_input(c->mixer, &c->reference.buffer.all, &c->reference.input);
    return has_any;
}

// Chooses the side of a difference. A blend space blends its differences before adding them. The first goes to the
// identity's side, and the others to the side of the first.
static void choose_difference(side_choice *c, int32_t l, int32_t item) {
    choose_side(c, item, select_of_action(c, l, item) ? SELECTED_REFERENCE : IDENTITY);
}

// Returns whether an action's contribution has a weight right from its start.
static bool starts_at_once(const side_choice *c, int32_t item) {
    const contribution *from = &c->all.buffer.all.items[item];
    bool is_visible = c->mixer->layers[from->layer].weight.value > 0.0f;
    return is_visible && c->mixer->actions[from->slot].proportion.value > 0.0f;
}

static void gather_choice(side_choice *c, double seconds) {
    c->seconds = seconds;
    sinewi_mixer_extrapolate_held(c->mixer, seconds);
    sinewi_mixer_gather_moment(c->mixer, seconds, SIDELESS_ACTIONS, &c->all);
}

// Chooses the sides for a layer's contributions without sides. If none has a side, the heaviest one defines the side of
// the sum, and layers must choose their sides again. These are all layers above the base. For another layer it is just
// that layer, and the layers above it if its pose changes abruptly. Then gathers again, because layers with sides only
// count by their weights.
static void choose_in_layer(side_choice *c, int32_t l) {
    int32_t first = first_of(c, l), end = c->all.buffer.all.ends[l];
    bool adds = c->mixer->layers[l].mode == SINEW_LAYER_ADDITIVE;
    if (first == end) return;
    int32_t defining = adds ? -1 : select_reference(c, l);
    if (defining >= 0) {
        choose_side(c, defining, AS_IT_IS);
        select_reference(c, l);
        bool jumps = l == 0 || starts_at_once(c, defining); // above the base, all are actions
        sinewi_mixer_lose_layer_sides(c->mixer, l > 0 ? l : 1, jumps ? c->mixer->def.layer_count : l + 1);
        gather_choice(c, c->seconds);
    }
    for (int32_t i = first; i < end; i++) {
        if (has_side(c->mixer, &c->all.buffer.all.items[i])) continue;
        if (adds) {
            choose_difference(c, l, i);
        } else {
            choose_side(c, i, SELECTED_REFERENCE);
        }
    }
}

// Chooses an override layer's side against the layers below it.
static void choose_for_layer(side_choice *c, int32_t l) {
    layer_state *layer = &c->mixer->layers[l];
    bool contributes = c->all.buffer.all.ends[l] > first_of(c, l);
    if (!layer->is_sideless || !contributes || layer->mode == SINEW_LAYER_ADDITIVE) return;
    layer->is_sideless = false;
    select_below(c, l, &c->reference);
    select_all_of(c, l, &c->own);
    compare(c, sinewi_side_row(c->mixer, sinewi_side_row_of_layer(&c->mixer->def, l)));
}

// Returns the seconds until the middle of the fades that start contributions without sides. Two poses have equal
// weights there, and the side matters most.
static double middle_of_fades(const sinew_mixer *mixer) {
    float longest = 0.0f;
    bool rest_starts = mixer->def.underweight == SINEW_UNDERWEIGHT_REST && mixer->state->rest_is_sideless;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        bool starts = (state->flags & ACTION_SIDELESS) != 0 && !(state->proportion.value > 0.0f);
        starts |= rest_starts && state->layer == 0;
        if (state->clip && starts && state->proportion.duration > longest) longest = state->proportion.duration;
    }
    for (int32_t l = 1; l < mixer->def.layer_count; l++) {
        const layer_state *layer = &mixer->layers[l];
        bool starts = layer->is_sideless && !(layer->weight.value > 0.0f); // or it already covers the layers below
        if (starts && layer->weight.duration > longest) longest = layer->weight.duration;
    }
    return 0.5 * (double)longest;
}

// Returns whether each contribution without a side has one with a side to compare with.
static bool has_references(const side_choice *c) {
    for (int32_t l = 0; l < c->mixer->def.layer_count; l++) {
        int32_t first = first_of(c, l), end = c->all.buffer.all.ends[l], with_side = 0;
        for (int32_t i = first; i < end; i++) with_side += has_side(c->mixer, &c->all.buffer.all.items[i]);
        if (with_side == 0 && end > first) return false;
    }
    return true;
}

void sinewi_mixer_choose_missing_sides(sinew_mixer *mixer) {
    side_choice c;
    proportion_fades before;
    c.mixer = mixer;
    sinewi_mixer_preview_proportions(mixer, &before);
    double middle = middle_of_fades(mixer);
    sinewi_mixer_refresh_pose(mixer); // with the old sides
    gather_choice(&c, middle);
    if (middle > 0.0 && !has_references(&c)) gather_choice(&c, 0.0); // they will have ended by then
    for (int32_t l = 0; l < mixer->def.layer_count; l++) {
        choose_in_layer(&c, l);
        if (l > 0) choose_for_layer(&c, l);
    }
    sinewi_mixer_restore_proportions(mixer, &before);
    mixer->state->has_sideless = mixer->state->rest_is_sideless = false;
    mixer->is_dirty = true;
}
