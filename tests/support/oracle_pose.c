// SPDX-License-Identifier: MIT
// The poses of the mixer oracle: blends of its entries.
#include "support/oracle_parts.h"

// ---- Poses ----------------------------------------------------------------------------------------------------

void oracle_copy_pose(const mixer_oracle *o, const oracle_pose *from, oracle_pose *to) {
    memcpy(to->nodes, from->nodes, (size_t)o->skeleton->node_count * sizeof *to->nodes);
    memcpy(to->weights, from->weights, (size_t)o->skeleton->weight_count * sizeof *to->weights);
}

void oracle_read_pose(const mixer_oracle *o, const sinew_pose *pose, oracle_pose *out) {
    read_pose(pose, out->nodes);
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) out->weights[i] = (double)pose->weights[i];
}

void oracle_sample_at(const mixer_oracle *o, const sinew_clip *clip, float time, oracle_pose *out) {
    sinew_clip_sample(clip, time, o->pose);
    oracle_read_pose(o, o->pose, out);
    if (o->root.node == SINEW_NO_NODE) return;
    sinew_vec3 start = sinew_clip_sample_node(clip, 0.0f, o->root.node).translation;
    out->nodes[o->root.node].t[0] = (double)start.x;
    out->nodes[o->root.node].t[2] = (double)start.z;
}

void oracle_sample(const mixer_oracle *o, const oracle_entry *entry, oracle_pose *out) {
    oracle_sample_at(o, entry->clip, entry->time, out);
}

void oracle_move_root(const mixer_oracle *o, oracle_entry *entry) {
    if (o->root.node == SINEW_NO_NODE) return;
    double duration = (double)entry->clip->duration, rate = entry->moved / o->dt;
    sinew_vec3 start = sinew_clip_sample_node(entry->clip, 0.0f, o->root.node).translation;
    sinew_vec3 end = sinew_clip_sample_node(entry->clip, entry->clip->duration, o->root.node).translation;
    entry->root[0] = rate * (double)(end.x - start.x) / duration;
    entry->root[1] = rate * (double)(end.z - start.z) / duration;
}

// The seconds at full speed that a decelerating held pose has moved for.
static double extrapolated_seconds(double elapsed, double duration) {
    double left = elapsed < duration ? 1.0 - elapsed / duration : 0.0;
    return duration / 3.0 * (1.0 - left * left * left);
}

void oracle_move_held(const mixer_oracle *o, oracle_entry *entry, double dt) {
    if (entry->duration == 0.0) return;
    int which = entry->velocity > 0;
    double seconds = extrapolated_seconds(entry->moved + dt, entry->duration) -
                     extrapolated_seconds(entry->moved, entry->duration);
    for (int32_t i = 0; i < o->skeleton->node_count; i++)
        entry->is.nodes[i] = transform_moved(&entry->was.nodes[i], &entry->velocities[which][i], seconds);
}

void oracle_move_held_on_line(const mixer_oracle *o, const oracle_entry *entry, double seconds, oracle_pose *out) {
    double left = entry->moved < entry->duration ? 1.0 - entry->moved / entry->duration : 0.0;
    int which = entry->velocity > 0;
    for (int32_t i = 0; i < o->skeleton->node_count; i++)
        out->nodes[i] = transform_moved(&entry->was.nodes[i], &entry->velocities[which][i], left * left * seconds);
}

// ---- Evaluation ----------------------------------------------------------------------------------------------

static double value_at(const oracle_fade *fade, moment at) {
    if (at.motion == AS_BEFORE) return fade_as_before(fade, at.share_seconds);
    return at.motion == ON_LINES ? fade_on_line(fade, at.share_seconds) : fade_after(fade, at.share_seconds);
}

layer_sum oracle_sum_layer(const mixer_oracle *o, int layer, moment at) {
    layer_sum sum = {.count = 0};
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer)) continue;
        double share = value_at(o->layers[layer].additive ? &entry->weight : &entry->share, at);
        if (!(share > 0.0)) continue;
        int place = sum.count++;
        for (; place > 0 && sum.entries[place - 1]->age > entry->age; place--) {
            sum.entries[place] = sum.entries[place - 1];
            sum.poses[place] = sum.poses[place - 1];
            sum.shares[place] = sum.shares[place - 1];
        }
        sum.entries[place] = entry;
        sum.poses[place] = at.poses == BEFORE_FRAME  ? &entry->was
                           : at.poses == AFTER_FRAME ? &entry->is
                                                     : &entry->next;
        sum.shares[place] = share;
        sum.sum += share;
    }
    return sum;
}

static void add_transform(local_transform *sum, const local_transform *one, double share) {
    for (int c = 0; c < 3; c++) sum->t[c] += share * one->t[c], sum->s[c] += share * one->s[c];
    for (int c = 0; c < 4; c++) sum->q[c] += share * one->q[c];
}

// The length below which a sum of rotations is 0 to the rounding of their floats.
#define CANCELLED 1e-5

// Makes a sum of rotations unit. Rotations of the same proportion that have turned a full turn against each other cancel
// out, and no rotation is their mean rather than another: the mixer's is taken.
static void make_unit(const mixer_oracle *o, double q[4], int32_t node) {
    if (quat_dot(q, q) < CANCELLED * CANCELLED) {
        const sinew_pose *pose = sinew_mixer_pose(o->mixer);
        const double seen[4] = {pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
        memcpy(q, seen, sizeof seen);
    }
    quat_unit(q);
}

local_transform oracle_blend_node(const mixer_oracle *o, const layer_sum *sum, int32_t node) {
    if (sum->count == 1) return sum->poses[0]->nodes[node];
    local_transform out = {{0}, {0}, {0}};
    for (int i = 0; i < sum->count; i++)
        add_transform(&out, &sum->poses[i]->nodes[node], sum->shares[i] / sum->sum);
    make_unit(o, out.q, node);
    return out;
}

static double blend_weight(const layer_sum *sum, int32_t weight) {
    double out = 0.0;
    for (int i = 0; i < sum->count; i++) out += sum->shares[i] / sum->sum * sum->poses[i]->weights[weight];
    return out;
}

// Goes from `a` to `b`. The two rotations have the signs that they are to be added with.
static local_transform mix(const local_transform *a, const local_transform *b, double factor) {
    local_transform out = {{0}, {0}, {0}};
    add_transform(&out, a, 1.0 - factor);
    add_transform(&out, b, factor);
    quat_unit(out.q);
    return out;
}

static void add_difference(local_transform *below, const local_transform *difference, double factor) {
    static const local_transform none = {.q = {0, 0, 0, 1}, .s = {1, 1, 1}};
    local_transform part = mix(&none, difference, factor), out;
    quat_product(below->q, part.q, out.q);
    for (int c = 0; c < 3; c++) {
        out.t[c] = below->t[c] + factor * difference->t[c];
        out.s[c] = below->s[c] * (1.0 + factor * (difference->s[c] - 1.0));
    }
    *below = out;
}

oracle_view oracle_view_layers(const mixer_oracle *o, int layers, moment at) {
    oracle_view view = {.layers = layers};
    for (int l = 0; l < layers; l++) {
        view.sums[l] = oracle_sum_layer(o, l, at);
        view.strengths[l] = value_at(&o->layers[l].strength, at);
    }
    return view;
}

// The proportion of the rest pose in the base.
static double rest_of(const mixer_oracle *o, const layer_sum *base) {
    if (base->count == 0) return 1.0;
    return o->fills_with_rest ? fmax(0.0, 1.0 - base->sum) : 0.0;
}

// The base: divided by the sum, or filled up to 1 with the rest pose, as one more contribution.
static local_transform evaluate_base(const mixer_oracle *o, const layer_sum *sum, int32_t node) {
    local_transform filler = o->rest.nodes[node];
    if (sum->count == 0) return filler;
    double rest = rest_of(o, sum);
    if (rest == 0.0) return oracle_blend_node(o, sum, node);
    if (o->rest_is_opposite[node]) quat_negate(filler.q);
    local_transform out = {{0}, {0}, {0}};
    for (int i = 0; i < sum->count; i++) add_transform(&out, &sum->poses[i]->nodes[node], sum->shares[i]);
    add_transform(&out, &filler, rest);
    make_unit(o, out.q, node);
    return out;
}

static void apply_override(const mixer_oracle *o, const oracle_layer *layer, const layer_sum *sum, double strength,
                           int32_t node, local_transform *below) {
    double part =
        fmin(1.0, strength) * fmin(1.0, sum->sum) * (layer->mask ? (double)layer->mask->nodes[node] : 1.0);
    if (part == 0.0) return;
    local_transform over = oracle_blend_node(o, sum, node);
    if (layer->is_opposite[node]) quat_negate(over.q);
    *below = mix(below, &over, part);
}

static void apply_additive(const oracle_layer *layer, const layer_sum *sum, double strength, int32_t node,
                           local_transform *below) {
    double part = strength * (layer->mask ? (double)layer->mask->nodes[node] : 1.0);
    for (int k = 0; k < sum->count && part != 0.0; k++)
        add_difference(below, &sum->poses[k]->nodes[node], part * sum->shares[k]);
}

static void apply_upper(const mixer_oracle *o, const oracle_view *view, int32_t node, local_transform *out) {
    for (int l = 1; l < view->layers; l++) {
        const layer_sum *sum = &view->sums[l];
        if (sum->count == 0 || view->strengths[l] == 0.0) continue;
        if (o->layers[l].additive)
            apply_additive(&o->layers[l], sum, view->strengths[l], node, out);
        else
            apply_override(o, &o->layers[l], sum, view->strengths[l], node, out);
    }
}

local_transform oracle_evaluate_node(const mixer_oracle *o, const oracle_view *view, int32_t node) {
    local_transform out = evaluate_base(o, &view->sums[0], node);
    apply_upper(o, view, node, &out);
    return out;
}

static double evaluate_weight(const mixer_oracle *o, const oracle_view *view, int32_t i) {
    const layer_sum *base = &view->sums[0];
    double rest = rest_of(o, base), out = rest * o->rest.weights[i];
    if (base->count > 0) out += (1.0 - rest) * blend_weight(base, i);
    for (int l = 1; l < view->layers; l++) {
        const layer_sum *sum = &view->sums[l];
        const sinew_mask *mask = o->layers[l].mask;
        double part = view->strengths[l] * (mask ? (double)mask->weights[i] : 1.0);
        if (sum->count == 0) continue;
        if (!o->layers[l].additive) {
            out += fmin(1.0, part) * fmin(1.0, sum->sum) * (blend_weight(sum, i) - out);
            continue;
        }
        for (int k = 0; k < sum->count; k++) out += part * sum->shares[k] * sum->poses[k]->weights[i];
    }
    return out;
}

void oracle_evaluate(const mixer_oracle *o, int layers, moment at, oracle_pose *base, oracle_pose *out) {
    oracle_view view = oracle_view_layers(o, layers, at);
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        out->nodes[i] = evaluate_base(o, &view.sums[0], i);
        if (base) base->nodes[i] = out->nodes[i];
        apply_upper(o, &view, i, &out->nodes[i]);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) out->weights[i] = evaluate_weight(o, &view, i);
    view.layers = 1;
    for (int32_t i = 0; base && i < o->skeleton->weight_count; i++) base->weights[i] = evaluate_weight(o, &view, i);
}
