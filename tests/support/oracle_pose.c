// SPDX-License-Identifier: MIT
// The poses of the mixer oracle: blends of its entries, and the offsets of an inertialization.
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
    double seconds = extrapolated_seconds(entry->moved + dt, entry->duration) -
                     extrapolated_seconds(entry->moved, entry->duration);
    for (int32_t i = 0; i < o->skeleton->node_count; i++)
        entry->is.nodes[i] = transform_moved(&entry->was.nodes[i], &entry->velocity[i], seconds);
}

// ---- Evaluation ----------------------------------------------------------------------------------------------

static double proportion(const oracle_entry *entry, const oracle_layer *layer, double seconds) {
    return fade_after(layer->additive ? &entry->weight : &entry->share, seconds);
}

layer_sum oracle_sum_layer(const mixer_oracle *o, int layer, moment at) {
    layer_sum sum = {.count = 0};
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer)) continue;
        double share = proportion(entry, &o->layers[layer], at.share_seconds);
        if (!(share > 0.0)) continue;
        int place = sum.count++;
        for (; place > 0 && sum.entries[place - 1]->age > entry->age; place--) {
            sum.entries[place] = sum.entries[place - 1];
            sum.poses[place] = sum.poses[place - 1];
            sum.shares[place] = sum.shares[place - 1];
        }
        sum.entries[place] = entry;
        sum.poses[place] = at.poses_after ? &entry->is : &entry->was;
        sum.shares[place] = share;
        sum.sum += share;
    }
    return sum;
}

static void add_transform(local_transform *sum, const local_transform *one, double share) {
    for (int c = 0; c < 3; c++) sum->t[c] += share * one->t[c], sum->s[c] += share * one->s[c];
    for (int c = 0; c < 4; c++) sum->q[c] += share * one->q[c];
}

local_transform oracle_blend_node(const layer_sum *sum, int32_t node) {
    if (sum->count == 1) return sum->poses[0]->nodes[node];
    local_transform out = {{0}, {0}, {0}};
    for (int i = 0; i < sum->count; i++)
        add_transform(&out, &sum->poses[i]->nodes[node], sum->shares[i] / sum->sum);
    quat_unit(out.q);
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

// The base: divided by the sum, or filled up to 1 with the rest pose.
static void evaluate_base(const mixer_oracle *o, moment at, oracle_pose *out) {
    layer_sum sum = oracle_sum_layer(o, 0, at);
    double rest = o->fills_with_rest ? fmax(0.0, 1.0 - sum.sum) : 0.0;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (sum.count == 0) {
            out->nodes[i] = o->rest.nodes[i];
            continue;
        }
        local_transform blend = oracle_blend_node(&sum, i);
        if (rest > 0.0) {
            local_transform filler = o->rest.nodes[i];
            give_sign(filler.q, blend.q);
            blend = mix(&blend, &filler, rest);
        }
        out->nodes[i] = blend;
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        out->weights[i] = sum.count > 0 ? (1.0 - rest) * blend_weight(&sum, i) : 0.0;
        out->weights[i] += (sum.count > 0 ? rest : 1.0) * o->rest.weights[i];
    }
}

static void apply_override(const mixer_oracle *o, const layer_sum *sum, const oracle_layer *layer, double strength,
                           oracle_pose *out) {
    double factor = fmin(1.0, strength) * fmin(1.0, sum->sum);
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        double part = factor * (layer->mask ? (double)layer->mask->nodes[i] : 1.0);
        if (part == 0.0) continue;
        local_transform over = oracle_blend_node(sum, i);
        out->nodes[i] = mix(&out->nodes[i], &over, part);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        double part = factor * (layer->mask ? (double)layer->mask->weights[i] : 1.0);
        out->weights[i] += part * (blend_weight(sum, i) - out->weights[i]);
    }
}

static void apply_additive(const mixer_oracle *o, const layer_sum *sum, const oracle_layer *layer, double strength,
                           oracle_pose *out) {
    for (int k = 0; k < sum->count; k++) {
        double factor = strength * sum->shares[k];
        for (int32_t i = 0; i < o->skeleton->node_count; i++) {
            double part = factor * (layer->mask ? (double)layer->mask->nodes[i] : 1.0);
            if (part != 0.0) add_difference(&out->nodes[i], &sum->poses[k]->nodes[i], part);
        }
        for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
            double part = factor * (layer->mask ? (double)layer->mask->weights[i] : 1.0);
            out->weights[i] += part * sum->poses[k]->weights[i];
        }
    }
}

void oracle_evaluate(const mixer_oracle *o, int layers, moment at, oracle_pose *base, oracle_pose *out) {
    evaluate_base(o, at, out);
    if (base) oracle_copy_pose(o, out, base);
    for (int l = 1; l < layers; l++) {
        const oracle_layer *layer = &o->layers[l];
        layer_sum sum = oracle_sum_layer(o, l, at);
        double strength = fade_after(&layer->strength, at.share_seconds);
        if (sum.count == 0 || strength == 0.0) continue;
        (layer->additive ? apply_additive : apply_override)(o, &sum, layer, strength, out);
    }
}

// ---- Offsets of inertialization ------------------------------------------------------------------------------

offset_factors oracle_offset_after(const mixer_oracle *o, double seconds) {
    double s = fmin(1.0, (o->offset_elapsed + seconds) / o->offset_duration), left = pow(1.0 - s, 3.0);
    double velocity = left * (s + 1.5 * s * s) * o->offset_duration;
    return (offset_factors){left * (1.0 + 3.0 * s + 2.25 * s * s), velocity};
}

void oracle_add_offsets(const mixer_oracle *o, offset_factors by, const oracle_pose *from, oracle_pose *to) {
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        local_motion offset = motion_scaled(&o->offset[i], by.start);
        const local_motion *velocity = &o->offset_velocity[i];
        for (int c = 0; c < 3; c++) {
            offset.t[c] += by.velocity * velocity->t[c];
            offset.r[c] += by.velocity * velocity->r[c];
            offset.s[c] += by.velocity * velocity->s[c];
        }
        to->nodes[i] = transform_moved(&from->nodes[i], &offset, 1.0);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        double target = from->weights[i], source = o->weight_source[i];
        double weight = target + by.start * o->weight_offset[i] + by.velocity * o->weight_offset_velocity[i];
        to->weights[i] = fmax(fmin(target, source), fmin(fmax(target, source), weight));
    }
}

static double vector_length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void oracle_limit_velocity(local_motion *velocity, const local_transform *from, double seconds) {
    double turn = vector_length(velocity->r), most = 0.5 * PI / seconds;
    for (int c = 0; c < 3; c++) {
        if (turn > most) velocity->r[c] *= most / turn;
        double scale = 0.5 * fabs(from->s[c]) / seconds;
        velocity->s[c] = fmax(-scale, fmin(scale, velocity->s[c]));
    }
}

static void larger_vector(const double a[3], const double b[3], double out[3]) {
    memcpy(out, vector_length(a) > vector_length(b) ? a : b, 3 * sizeof *out);
}

local_motion oracle_larger_motion(const local_motion *a, const local_motion *b) {
    local_motion out;
    larger_vector(a->t, b->t, out.t);
    larger_vector(a->r, b->r, out.r);
    larger_vector(a->s, b->s, out.s);
    return out;
}

// The change of an offset in a frame: by the motion of the old pose in the last frame or in the next one, and by that
// of the new pose. The larger one, since the velocity of what is shown lies between.
static local_motion offset_change(const local_transform old[3], const local_transform *now,
                                  const local_transform *next) {
    local_motion start = motion_between(now, &old[1]), minus = motion_scaled(&start, -1.0);
    local_motion before = motion_near(now, &old[0], &start), ahead = motion_near(now, &old[2], &start);
    local_motion after = motion_near(next, &old[1], &start);
    before = motion_scaled(&before, -1.0);
    local_motion of_new = motion_sum(&after, &minus), last = motion_sum(&start, &before),
                 coming = motion_sum(&ahead, &minus);
    last = motion_sum(&last, &of_new);
    coming = motion_sum(&coming, &of_new);
    return oracle_larger_motion(&last, &coming);
}

void oracle_capture_offsets(mixer_oracle *o, const oracle_pose *now, const oracle_pose *next) {
    double rate = 1.0 / o->dt, d = o->offset_duration;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        const local_transform old[3] = {o->shown_before.nodes[i], o->shown.nodes[i], o->ahead.nodes[i]};
        local_motion change = offset_change(old, &now->nodes[i], &next->nodes[i]);
        local_motion *start = &o->offset[i], *velocity = &o->offset_velocity[i];
        *start = motion_between(&now->nodes[i], &o->shown.nodes[i]);
        *velocity = motion_scaled(&change, rate);
        oracle_limit_velocity(velocity, &o->shown.nodes[i], d * 0.1493);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        double old = o->shown.weights[i] - o->shown_before.weights[i], new = next->weights[i] - now->weights[i];
        o->weight_offset[i] = o->shown.weights[i] - now->weights[i];
        double most = -2.5 * o->weight_offset[i] / d; // the offset only shrinks
        double velocity = (old - new) * rate;
        o->weight_offset_velocity[i] = most < 0.0 ? fmax(most, fmin(0.0, velocity)) : fmin(most, fmax(0.0, velocity));
        o->weight_source[i] = o->shown.weights[i];
    }
    o->offset_elapsed = 0.0;
    o->offset_is_new = false;
}
