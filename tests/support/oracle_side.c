// SPDX-License-Identifier: MIT
// What the mixer oracle reads from the mixer's pose: on which side a rotation is added, and which of two velocities a
// transition took over.
//
// A contribution may start on either side: two rotations have two arcs between them, and each is even. The side is read
// from the mixer's pose as soon as both differ enough, and kept from then on. A mixer that changes a side later leaves
// the model's path.
#include "support/oracle_parts.h"

enum { MAX_CHOICES = 4 }; // of a node in one frame; others follow the sum

#define DISTINCT_DEGREES         1.0  // between the two poses, to tell them apart
#define DISTINCT_OFFSETS_DEGREES 20.0 // with an inertialization, whose velocity the model knows less exactly

// A side that is not known.
typedef struct choice {
    oracle_entry *entry; // NULL: of a layer, or of the rest pose
    bool *is_opposite, *has_no_side;
} choice;

void oracle_forget_sides(const mixer_oracle *o, oracle_entry *entry) {
    memset(entry->has_no_side, 1, (size_t)o->skeleton->node_count * sizeof(bool));
}

void oracle_forget_layer_sides(mixer_oracle *o, int layer) {
    size_t size = (size_t)o->skeleton->node_count * sizeof(bool);
    if (layer == 0) memset(o->rest_has_no_side, 1, size);
    for (int l = layer; l < ORACLE_MAX_LAYERS; l++) memset(o->layers[l].has_no_side, 1, size);
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

// Takes the sides whose pose is the closest to the mixer's. Those whose other pose is not close are known.
static void choose(mixer_oracle *o, const oracle_view *view, int32_t node, const double seen[4], double distinct) {
    choice choices[MAX_CHOICES];
    int count = list_choices(o, view, node, choices), best = 0;
    if (count == 0) return;
    double poses[1 << MAX_CHOICES][4], least = HUGE_VAL;
    for (int bits = 0; bits < 1 << count; bits++) {
        change_sides(choices, count, bits, node);
        local_transform pose = oracle_evaluate_node(o, view, node);
        change_sides(choices, count, bits, node);
        memcpy(poses[bits], pose.q, sizeof pose.q);
        double angle = quat_angle(pose.q, seen);
        if (angle < least - 1e-6) least = angle, best = bits;
    }
    change_sides(choices, count, best, node);
    for (int i = 0; i < count; i++) {
        double apart = quat_angle(poses[best], poses[best ^ 1 << i]);
        if (apart > distinct * PI / 180.0 && least < 0.25 * apart) *choices[i].has_no_side = false;
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

void oracle_read_sides(mixer_oracle *o, double dt) {
    const sinew_pose *pose = NULL;
    oracle_view view = {.layers = 0};
    double distinct = o->offset_duration > 0.0 ? DISTINCT_OFFSETS_DEGREES : DISTINCT_DEGREES;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (!any_side_is_missing(o, i)) continue;
        if (!pose) {
            pose = sinew_mixer_pose(o->mixer);
            view = oracle_view_layers(o, o->layer_count, (moment){true, dt, false});
        }
        double seen[4];
        read_rotation(o, pose, dt, i, seen);
        choose(o, &view, i, seen, distinct);
    }
}
