// SPDX-License-Identifier: MIT
// What the mixer oracle reads from the mixer's pose: on which side a rotation is added, and which of two velocities a
// transition took over.
//
// A contribution may start on either side: two rotations have two arcs between them, and each is even. The side is read
// from the mixer's pose as soon as both differ enough, and kept from then on. A mixer that changes a side later leaves
// the model's path.
#include "support/oracle_parts.h"

enum { MAX_CHOICES = 4 }; // of a node in one frame; others follow the sum

#define DISTINCT_DEGREES         1.0 // between the two poses, to tell them apart
#define DISTINCT_OFFSETS_DEGREES 3.0 // with an inertialization, whose velocity the model knows less exactly

// A side that is not known.
typedef struct choice {
    oracle_entry *entry; // NULL: of a layer, or of the rest pose
    bool *is_opposite;
    uint8_t *has_no_side;
} choice;

void oracle_forget_sides(const mixer_oracle *o, oracle_entry *entry) {
    memset(entry->has_no_side, NO_SIDE, (size_t)o->skeleton->node_count);
}

void oracle_forget_layer_sides(mixer_oracle *o, int layer) {
    size_t size = (size_t)o->skeleton->node_count;
    if (layer == 0) memset(o->rest_has_no_side, NO_SIDE, size);
    for (int l = layer; l < ORACLE_MAX_LAYERS; l++) memset(o->layers[l].has_no_side, NO_SIDE, size);
}

// Lists the sides of a node that are not known and matter.
static int list_choices(mixer_oracle *o, const oracle_view *view, int32_t node, choice *choices) {
    int count = 0;
    for (int l = 0; l < view->layers; l++) {
        const layer_sum *sum = &view->sums[l];
        if (sum->count == 0) continue;
        for (int k = 0; k < sum->count && count < MAX_CHOICES; k++) {
            oracle_entry *entry = &o->entries[sum->entries[k] - o->entries];
            if (entry->has_no_side[node]) choices[count++] = (choice){entry, NULL, &entry->has_no_side[node]};
        }
        oracle_layer *layer = &o->layers[l];
        bool is_override = l > 0 && !layer->additive && view->strengths[l] > 0.0;
        if (is_override && layer->has_no_side[node] && count < MAX_CHOICES)
            choices[count++] = (choice){NULL, &layer->is_opposite[node], &layer->has_no_side[node]};
    }
    bool fills = o->fills_with_rest && view->sums[0].count > 0 && view->sums[0].sum < 1.0;
    if (fills && o->rest_has_no_side[node] && count < MAX_CHOICES)
        choices[count++] = (choice){NULL, &o->rest_is_opposite[node], &o->rest_has_no_side[node]};
    return count;
}

static void change_side(const choice *one, int32_t node) {
    if (one->entry) {
        quat_negate(one->entry->was.nodes[node].q);
        quat_negate(one->entry->is.nodes[node].q);
    } else {
        *one->is_opposite = !*one->is_opposite;
    }
}

static void change_sides(const choice *choices, int count, int bits, int32_t node) {
    for (int i = 0; i < count; i++) {
        if ((bits >> i & 1) != 0) change_side(&choices[i], node);
    }
}

// The offset that an inertialization to the pose of other sides has: its start differs as that pose does from the present
// one, so that it ends there.
static local_motion offset_to_side(const mixer_oracle *o, const double present[4], const double other[4],
                                   int32_t node) {
    local_transform from = o->offset_from[node];
    double back[4] = {-present[0], -present[1], -present[2], present[3]}, change[4];
    quat_product(other, back, change);
    quat_product(change, o->offset_from[node].q, from.q);
    return motion_between(&from, &o->offset_to[node]);
}

// The rotations that the mixer shows for each choice of sides.
typedef struct candidates {
    double without[1 << MAX_CHOICES][4], shown[1 << MAX_CHOICES][4]; // offsets of an inertialization
    int at_offset; // bits of the choices that its offset depends on
} candidates;

static void add_offset_to_side(const mixer_oracle *o, candidates *all, int bits, double dt, int32_t node) {
    offset_factors by = oracle_offset_after(o, dt);
    local_motion now = oracle_offset_of(o, by, node), start = o->offset[node];
    if ((bits & all->at_offset) != 0)
        start = offset_to_side(o, all->without[0], all->without[bits & all->at_offset], node);
    local_transform pose = {.q = {0, 0, 0, 1}};
    memcpy(pose.q, all->without[bits], sizeof pose.q);
    for (int c = 0; c < 3; c++) now.r[c] += by.start * (start.r[c] - o->offset[node].r[c]);
    pose = transform_moved(&pose, &now, 1.0);
    memcpy(all->shown[bits], pose.q, sizeof pose.q);
}

// Takes the sides whose pose is the closest to the mixer's. Those whose other pose is not close are known.
static void choose(mixer_oracle *o, const oracle_view *view, int32_t node, const double seen[4], double dt) {
    choice choices[MAX_CHOICES];
    candidates all = {.at_offset = 0};
    int count = list_choices(o, view, node, choices), best = 0;
    bool has_offset = o->offset_duration > 0.0;
    if (count == 0) return;
    double distinct = (has_offset ? DISTINCT_OFFSETS_DEGREES : DISTINCT_DEGREES) * PI / 180.0, least = HUGE_VAL;
    for (int i = 0; i < count; i++) all.at_offset |= (*choices[i].has_no_side == NO_SIDE_AT_OFFSET) << i;
    for (int bits = 0; bits < 1 << count; bits++) {
        change_sides(choices, count, bits, node);
        local_transform pose = oracle_evaluate_node(o, view, node);
        change_sides(choices, count, bits, node);
        memcpy(all.without[bits], pose.q, sizeof pose.q);
        memcpy(all.shown[bits], pose.q, sizeof pose.q);
        if (has_offset) add_offset_to_side(o, &all, bits, dt, node);
        double angle = quat_angle(all.shown[bits], seen);
        if (angle < least - 1e-6) least = angle, best = bits;
    }
    change_sides(choices, count, best, node);
    if (has_offset && (best & all.at_offset) != 0)
        o->offset[node] = offset_to_side(o, all.without[0], all.without[best & all.at_offset], node);
    for (int i = 0; i < count; i++) {
        double apart = quat_angle(all.shown[best], all.shown[best ^ 1 << i]);
        if (apart > distinct && least < 0.25 * apart) *choices[i].has_no_side = HAS_SIDE;
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

// The mixer's rotation of a node without the offset of an inertialization.
static void read_rotation(const mixer_oracle *o, const sinew_pose *pose, double dt, int32_t node, double out[4]) {
    const double shown[4] = {pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
    static const local_transform identity = {.q = {0, 0, 0, 1}};
    memcpy(out, shown, sizeof shown);
    quat_unit(out);
    if (o->offset_duration == 0.0) return;
    local_motion offset = oracle_offset_of(o, oracle_offset_after(o, dt), node);
    local_transform back = transform_moved(&identity, &offset, -1.0);
    double rotation[4];
    quat_product(back.q, out, rotation);
    memcpy(out, rotation, sizeof rotation);
}

// How far the model is from the mixer's pose: the sum of the squares of all angles.
static double difference(const mixer_oracle *o, double dt) {
    const sinew_pose *pose = sinew_mixer_pose(o->mixer);
    oracle_view view = oracle_view_layers(o, o->layer_count, (moment){true, dt, false});
    double sum = 0.0;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        double seen[4];
        read_rotation(o, pose, dt, i, seen);
        local_transform node = oracle_evaluate_node(o, &view, i);
        double angle = quat_angle(node.q, seen);
        sum += angle * angle;
    }
    return sum;
}

void oracle_read_held_velocity(mixer_oracle *o, oracle_entry *held, double dt) {
    double differences[2];
    for (int k = 0; k < 2; k++) {
        held->velocity = k;
        oracle_move_held(o, held, dt);
        differences[k] = difference(o, dt);
    }
    held->velocity = differences[1] < differences[0];
}

void oracle_read_offset_velocity(mixer_oracle *o, double dt) {
    double differences[2];
    for (int k = 0; k < 2; k++) {
        o->offset_velocity = k;
        differences[k] = difference(o, dt);
    }
    o->offset_velocity = differences[1] < differences[0];
}

// ---- The shorter arc -----------------------------------------------------------------------------------------

// Takes the side of the shorter arc from `reference` to `own`.
static void take_shorter(choice one, const double reference[4], const double own[4], int32_t node) {
    double cosine = quat_dot(reference, own);
    if (cosine < 0.0) change_side(&one, node);
    if (fabs(cosine) > CLEAR_COSINE) *one.has_no_side = HAS_SIDE;
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

// Whether the rest pose is one of the base's contributions with a known side.
static bool fills_known(const mixer_oracle *o, const layer_sum *sum, int32_t node) {
    return sum->entries[0]->layer == 0 && o->fills_with_rest && sum->sum < 1.0 && !o->rest_has_no_side[node];
}

// Adds it to a reference, or makes it the reference if no other side is known.
static void add_rest_to(const mixer_oracle *o, const layer_sum *known, double rest, int32_t node,
                        local_transform *reference) {
    bool is_known = known->entries[0]->has_no_side[node] == HAS_SIDE;
    double sign = o->rest_is_opposite[node] ? -1.0 : 1.0, sum = is_known ? known->sum : 0.0;
    for (int c = 0; c < 4; c++) reference->q[c] = sum * reference->q[c] + sign * rest * o->rest.nodes[node].q[c];
    quat_unit(reference->q);
}

static void take_shorter_in_layer(mixer_oracle *o, const layer_sum *sum, int32_t node) {
    layer_sum known = select_reference(sum, node);
    local_transform reference = oracle_blend_node(&known, node);
    if (fills_known(o, sum, node)) add_rest_to(o, &known, 1.0 - sum->sum, node, &reference);
    for (int k = 0; k < sum->count; k++) {
        oracle_entry *entry = &o->entries[sum->entries[k] - o->entries];
        if (!entry->has_no_side[node]) continue;
        take_shorter((choice){entry, NULL, &entry->has_no_side[node]}, reference.q, entry->was.nodes[node].q, node);
    }
}

// Takes the sides on the shorter arcs, which transitions without a fade are added on.
void oracle_take_shorter_sides(mixer_oracle *o) {
    oracle_view view = oracle_view_layers(o, o->layer_count, (moment){false, 0.0, false});
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (!any_side_is_missing(o, i)) continue;
        for (int l = 0; l < o->layer_count; l++) {
            const layer_sum *sum = &view.sums[l];
            oracle_layer *layer = &o->layers[l];
            if (sum->count == 0 || layer->additive) continue;
            take_shorter_in_layer(o, sum, i);
            if (l == 0 || !layer->has_no_side[i] || view.strengths[l] == 0.0) continue;
            oracle_view below = view;
            below.layers = l;
            local_transform reference = oracle_evaluate_node(o, &below, i), own = oracle_blend_node(sum, i);
            if (layer->is_opposite[i]) quat_negate(own.q);
            take_shorter((choice){NULL, &layer->is_opposite[i], &layer->has_no_side[i]}, reference.q, own.q, i);
        }
        choice left[MAX_CHOICES];
        int count = list_choices(o, &view, i, left);
        for (int k = 0; k < count; k++) *left[k].has_no_side = NO_SIDE_AT_OFFSET;
    }
}

void oracle_read_sides(mixer_oracle *o, double dt) {
    const sinew_pose *pose = NULL;
    oracle_view view = {.layers = 0};
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (!any_side_is_missing(o, i)) continue;
        if (!pose) {
            pose = sinew_mixer_pose(o->mixer);
            view = oracle_view_layers(o, o->layer_count, (moment){true, dt, false});
        }
        double seen[4] = {pose->rx[i], pose->ry[i], pose->rz[i], pose->rw[i]};
        quat_unit(seen);
        choose(o, &view, i, seen, dt);
    }
}
