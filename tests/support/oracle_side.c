// SPDX-License-Identifier: MIT
// What the mixer oracle reads from the mixer's pose: on which side a rotation is added, and which of two velocities a
// transition took over.
//
// A contribution may start on either side: two rotations have two arcs between them, and each is even. The side is read
// from the mixer's pose as soon as both differ enough, and kept from then on. A mixer that changes a side later leaves
// the model's path.
#include "support/oracle_parts.h"

#define DISTINCT_DEGREES         1.0  // between the two poses, to tell them apart
#define DISTINCT_OFFSETS_DEGREES 3.0  // with an inertialization, whose velocity the model knows less exactly
#define ROUNDED_ANGLE            1e-5 // between a rotation in double and one of the mixer's floats

void oracle_forget_sides(const mixer_oracle *o, oracle_entry *entry) {
    memset(entry->has_no_side, NO_SIDE, (size_t)o->skeleton->node_count);
}

void oracle_forget_layer_sides(mixer_oracle *o, int layer) {
    size_t size = (size_t)o->skeleton->node_count;
    if (layer == 0) memset(o->rest_has_no_side, NO_SIDE, size);
    for (int l = layer; l < ORACLE_MAX_LAYERS; l++) memset(o->layers[l].has_no_side, NO_SIDE, size);
}

// Whether the rest pose is one of the base's contributions with a known side.
static bool fills_known(const mixer_oracle *o, const layer_sum *sum, int32_t node) {
    return sum->entries[0]->layer == 0 && o->fills_with_rest && sum->sum < 1.0 && !o->rest_has_no_side[node];
}

// Whether the sign of a layer's sum may be chosen, because the sides that are relative to it are choices, too: for the base
// those of the layers above, for another layer its own.
static bool may_define_sign(const mixer_oracle *o, const layer_sum *sum, int32_t node) {
    for (int k = 0; k < sum->count; k++) {
        if (sum->entries[k]->has_no_side[node] == HAS_SIDE) return false;
    }
    int l = sum->entries[0]->layer;
    if (l > 0) return !o->layers[l].additive && o->layers[l].has_no_side[node];
    for (int above = 1; above < o->layer_count; above++) {
        if (!o->layers[above].has_no_side[node]) return false;
    }
    return !fills_known(o, sum, node);
}

// The larger of what an entry has of a layer and what it is to have of it.
static double greatest_share(const layer_sum *sum, int item) {
    return fmax(sum->shares[item], sum->entries[item]->share.to);
}

// The heaviest entry without a known side that is not listed yet, or -1: a small part hardly depends on its side.
static int find_heaviest(const layer_sum *sum, int32_t node, const bool *is_listed, bool with_offsets) {
    int heaviest = -1;
    for (int k = 0; k < sum->count; k++) {
        uint8_t has_no_side = sum->entries[k]->has_no_side[node];
        if (is_listed[k] || has_no_side == HAS_SIDE || (has_no_side == NO_SIDE_AT_OFFSET && !with_offsets))
            continue;
        if (heaviest < 0 || greatest_share(sum, k) > greatest_share(sum, heaviest)) heaviest = k;
    }
    return heaviest;
}

// The entry that defines the sign of the sum if no side is known: where an offset depends on sides, that of its start.
static int find_definer(const layer_sum *sum, int32_t node) {
    for (int k = 0; k < sum->count; k++) {
        if (sum->entries[k]->has_no_side[node] == DEFINES_SIGN) return k;
    }
    const bool is_listed[ORACLE_MAX_ENTRIES] = {false};
    int definer = find_heaviest(sum, node, is_listed, false);
    return definer < 0 ? find_heaviest(sum, node, is_listed, true) : definer;
}

void oracle_keep_definers(mixer_oracle *o, const oracle_view *view, int32_t node) {
    for (int l = 0; l < view->layers; l++) {
        const layer_sum *sum = &view->sums[l];
        if (sum->count == 0 || !may_define_sign(o, sum, node)) continue;
        o->entries[sum->entries[find_definer(sum, node)] - o->entries].has_no_side[node] = DEFINES_SIGN;
    }
}

static int list_entries(mixer_oracle *o, const layer_sum *sum, int32_t node, side_choice *choices, int count) {
    bool is_listed[ORACLE_MAX_ENTRIES] = {false};
    if (may_define_sign(o, sum, node)) is_listed[find_definer(sum, node)] = true;
    for (; count < ORACLE_MAX_CHOICES; count++) {
        int heaviest = find_heaviest(sum, node, is_listed, true);
        if (heaviest < 0) break;
        is_listed[heaviest] = true;
        oracle_entry *entry = &o->entries[sum->entries[heaviest] - o->entries];
        choices[count] = (side_choice){entry, NULL, &entry->has_no_side[node]};
    }
    return count;
}

int oracle_list_sides(mixer_oracle *o, const oracle_view *view, int32_t node,
                      side_choice choices[ORACLE_MAX_CHOICES]) {
    int count = 0;
    for (int l = 0; l < view->layers; l++) {
        const layer_sum *sum = &view->sums[l];
        if (sum->count == 0) continue;
        count = list_entries(o, sum, node, choices, count);
        oracle_layer *layer = &o->layers[l];
        bool is_override = l > 0 && !layer->additive && view->strengths[l] > 0.0;
        if (is_override && layer->has_no_side[node] && count < ORACLE_MAX_CHOICES)
            choices[count++] = (side_choice){NULL, &layer->is_opposite[node], &layer->has_no_side[node]};
    }
    bool fills = o->fills_with_rest && view->sums[0].count > 0 && view->sums[0].sum < 1.0;
    if (fills && o->rest_has_no_side[node] && count < ORACLE_MAX_CHOICES)
        choices[count++] = (side_choice){NULL, &o->rest_is_opposite[node], &o->rest_has_no_side[node]};
    return count;
}

static void change_side(const side_choice *one, int32_t node) {
    if (one->entry) {
        quat_negate(one->entry->was.nodes[node].q);
        quat_negate(one->entry->next.nodes[node].q);
        quat_negate(one->entry->is.nodes[node].q);
    } else {
        *one->is_opposite = !*one->is_opposite;
    }
}

void oracle_change_sides(const side_choice *choices, int count, int bits, int32_t node) {
    for (int i = 0; i < count; i++) {
        if ((bits >> i & 1) != 0) change_side(&choices[i], node);
    }
}

// The choices of a node's sides in a frame, and the rotations that the mixer shows for each, as bits.
typedef struct candidates {
    side_choice choices[ORACLE_MAX_CHOICES];
    int count, best;
    double shown[1 << ORACLE_MAX_CHOICES][4];
    double least, kept; // angles from the mixer's rotation: to the best one, and to that with the sides as they are
} candidates;

// The offset that belongs to some choices: a number of an offset's options.
static int option_of(const offset_options *options, const candidates *all, int bits) {
    int option = options->taken;
    for (int i = 0; i < all->count; i++) {
        bool depends = (bits >> i & 1) != 0 && *all->choices[i].has_no_side == NO_SIDE_AT_OFFSET;
        for (int k = 0; k < options->count && depends; k++) {
            if (options->sides[k] == all->choices[i].has_no_side) option ^= 1 << k;
        }
    }
    return option;
}

static void show_candidate(const mixer_oracle *o, const oracle_view *view, double dt, int32_t node, int bits,
                           candidates *all) {
    oracle_change_sides(all->choices, all->count, bits, node);
    local_transform pose = oracle_evaluate_node(o, view, node);
    oracle_change_sides(all->choices, all->count, bits, node);
    if (o->offset_duration > 0.0) {
        const offset_options *options = &o->offsets[node];
        local_motion offset =
            oracle_offset_of(o, &options->starts[option_of(options, all, bits)], oracle_offset_after(o, dt));
        pose = transform_moved(&pose, &offset, 1.0);
    }
    memcpy(all->shown[bits], pose.q, sizeof pose.q);
}

// Finds the sides whose pose is the closest to the mixer's.
static void find_candidates(mixer_oracle *o, const oracle_view *view, int32_t node, double dt, candidates *all) {
    const sinew_pose *pose = sinew_mixer_pose(o->mixer);
    double seen[4] = {pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
    quat_unit(seen);
    all->count = oracle_list_sides(o, view, node, all->choices);
    all->best = 0;
    all->least = HUGE_VAL;
    for (int bits = 0; bits < 1 << all->count; bits++) {
        show_candidate(o, view, dt, node, bits, all);
        double angle = quat_angle(all->shown[bits], seen);
        if (bits == 0) all->kept = angle;
        if (angle < all->least - 1e-6) all->least = angle, all->best = bits;
    }
}

// How far the best pose is from all those that have the other side of a choice.
static double distance_to_other_side(const candidates *all, int i) {
    double least = HUGE_VAL;
    for (int bits = 0; bits < 1 << all->count; bits++) {
        if (((bits ^ all->best) >> i & 1) == 0) continue;
        least = fmin(least, quat_angle(all->shown[all->best], all->shown[bits]));
    }
    return least;
}

// Takes the sides whose pose is clearly the closest to the mixer's. Those whose other poses are not close are known.
static void choose(mixer_oracle *o, const oracle_view *view, int32_t node, double dt) {
    candidates all;
    find_candidates(o, view, node, dt, &all);
    bool is_better = all.kept > ROUNDED_ANGLE && all.least <= 0.5 * all.kept;
    if (!is_better) all.best = 0, all.least = all.kept;
    bool has_offset = o->offset_duration > 0.0;
    double distinct = (has_offset ? DISTINCT_OFFSETS_DEGREES : DISTINCT_DEGREES) * PI / 180.0;
    oracle_change_sides(all.choices, all.count, all.best, node);
    if (has_offset) o->offsets[node].taken = option_of(&o->offsets[node], &all, all.best);
    for (int i = 0; i < all.count; i++) {
        double apart = distance_to_other_side(&all, i);
        if (apart > distinct && all.least < 0.25 * apart) *all.choices[i].has_no_side = HAS_SIDE;
    }
}

static bool any_side_is_missing(const mixer_oracle *o, int32_t node) {
    if (o->rest_has_no_side[node] && o->fills_with_rest) return true;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (o->entries[i].is_used && o->entries[i].has_no_side[node]) return true;
    }
    for (int l = 1; l < o->layer_count; l++) {
        if (o->layers[l].has_no_side[node]) return true;
    }
    return false;
}

#define MAX_ANGLE (3.0 * PI / 180.0) // so that no node decides alone

double oracle_difference(mixer_oracle *o, double dt) {
    oracle_view view = oracle_view_layers(o, o->layer_count, (moment){AFTER_FRAME, dt, BY_FADES});
    double sum = 0.0;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        candidates all;
        find_candidates(o, &view, i, dt, &all);
        double angle = fmin(all.least, MAX_ANGLE);
        sum += angle * angle;
    }
    return sum;
}

// ---- The shorter arc -----------------------------------------------------------------------------------------

// Takes the side of the shorter arc from `reference` to `own`. It is known if that is clear and the reference is known.
static void take_shorter(side_choice one, const double reference[4], const double own[4], bool is_known,
                         int32_t node) {
    double cosine = quat_dot(reference, own);
    if (cosine < 0.0) change_side(&one, node);
    if (is_known && fabs(cosine) > CLEAR_COSINE) *one.has_no_side = HAS_SIDE;
}

static void add_item(layer_sum *to, const layer_sum *from, int item) {
    to->entries[to->count] = from->entries[item];
    to->poses[to->count] = from->poses[item];
    to->shares[to->count++] = from->shares[item];
    to->sum += from->shares[item];
}

// The contributions of a layer whose sides are known, or else the heaviest, which defines the side of the sum.
static layer_sum select_reference(const layer_sum *all, int32_t node) {
    layer_sum known = {.count = 0}, heaviest = {.count = 0};
    int most = 0;
    for (int k = 0; k < all->count; k++) {
        if (!all->entries[k]->has_no_side[node]) add_item(&known, all, k);
        if (all->shares[k] > all->shares[most]) most = k;
    }
    if (known.count > 0) return known;
    add_item(&heaviest, all, most);
    return heaviest;
}

// Adds it to a reference, or makes it the reference if no other side is known.
static void add_rest_to(const mixer_oracle *o, const layer_sum *known, double rest, int32_t node,
                        local_transform *reference) {
    bool is_known = known->entries[0]->has_no_side[node] == HAS_SIDE;
    double sign = o->rest_is_opposite[node] ? -1.0 : 1.0, sum = is_known ? known->sum : 0.0;
    for (int c = 0; c < 4; c++) reference->q[c] = sum * reference->q[c] + sign * rest * o->rest.nodes[node].q[c];
    quat_unit(reference->q);
}

// The number of contributions of a layer, the rest pose among them, whose sides are not known.
static int count_unknown(const mixer_oracle *o, const layer_sum *sum, int32_t node) {
    int count = 0;
    for (int k = 0; k < sum->count; k++) count += sum->entries[k]->has_no_side[node] != HAS_SIDE;
    bool fills = sum->entries[0]->layer == 0 && o->fills_with_rest && sum->sum < 1.0;
    return count + (fills && o->rest_has_no_side[node] != HAS_SIDE);
}

// Whether a fade started with nothing: the side was chosen for its middle.
static bool has_started(const oracle_fade *fade) {
    return fade->duration > 0.0 && fade->from == 0.0;
}

static void take_shorter_in_layer(mixer_oracle *o, const layer_sum *sum, bool is_clear, int32_t node) {
    layer_sum known = select_reference(sum, node);
    local_transform reference = oracle_blend_node(o, &known, node);
    bool others_are_known = is_clear && count_unknown(o, sum, node) <= 1;
    if (fills_known(o, sum, node)) add_rest_to(o, &known, 1.0 - sum->sum, node, &reference);
    for (int k = 0; k < sum->count; k++) {
        oracle_entry *entry = &o->entries[sum->entries[k] - o->entries];
        if (entry->has_no_side[node] != NO_SIDE) continue;
        take_shorter((side_choice){entry, NULL, &entry->has_no_side[node]}, reference.q, entry->was.nodes[node].q,
                     others_are_known && !has_started(&entry->share), node);
    }
}

static void take_shorter_to_layer(mixer_oracle *o, const oracle_view *view, int l, bool below_is_known,
                                  int32_t node) {
    oracle_layer *layer = &o->layers[l];
    oracle_view below = *view;
    below.layers = l;
    local_transform reference = oracle_evaluate_node(o, &below, node),
                    own = oracle_blend_node(o, &view->sums[l], node);
    if (layer->is_opposite[node]) quat_negate(own.q);
    bool is_known = below_is_known && count_unknown(o, &view->sums[l], node) == 0 && !has_started(&layer->strength);
    take_shorter((side_choice){NULL, &layer->is_opposite[node], &layer->has_no_side[node]}, reference.q, own.q,
                 is_known, node);
}

// Whether a contribution starts with a fade: sides are chosen in the middle of that.
static bool any_starts(const mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (is_action(entry) && entry->share.duration > 0.0 && fade_after(&entry->share, 0.0) == 0.0) return true;
    }
    return false;
}

// Takes the sides on the shorter arcs, which transitions without a fade are added on.
void oracle_take_shorter_sides(mixer_oracle *o) {
    bool starts = any_starts(o);
    oracle_view view = oracle_view_layers(o, o->layer_count, (moment){BEFORE_FRAME, 0.0, BY_FADES});
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (!any_side_is_missing(o, i)) continue;
        bool any_starts_here = starts || (o->fills_with_rest && o->rest_has_no_side[i]);
        bool below_is_known = !any_starts_here;
        for (int l = 0; l < o->layer_count; l++) {
            const layer_sum *sum = &view.sums[l];
            oracle_layer *layer = &o->layers[l];
            if (sum->count == 0) continue;
            if (!layer->additive) take_shorter_in_layer(o, sum, !any_starts_here, i);
            bool is_shown = l > 0 && !layer->additive && view.strengths[l] > 0.0;
            if (is_shown && layer->has_no_side[i] == NO_SIDE) take_shorter_to_layer(o, &view, l, below_is_known, i);
            below_is_known &= count_unknown(o, sum, i) == 0 && (!is_shown || layer->has_no_side[i] == HAS_SIDE);
        }
    }
}

static void note_unread(uint8_t *has_no_side) {
    if (*has_no_side == NO_SIDE) *has_no_side = UNREAD_SIDE;
}

static void note_unread_sides(mixer_oracle *o, int32_t node) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (o->entries[i].is_used) note_unread(&o->entries[i].has_no_side[node]);
    }
    for (int l = 1; l < o->layer_count; l++) note_unread(&o->layers[l].has_no_side[node]);
    note_unread(&o->rest_has_no_side[node]);
}

void oracle_read_sides(mixer_oracle *o, double dt) {
    oracle_view view = oracle_view_layers(o, o->layer_count, (moment){AFTER_FRAME, dt, BY_FADES});
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (any_side_is_missing(o, i)) choose(o, &view, i, dt);
        note_unread_sides(o, i);
    }
}
