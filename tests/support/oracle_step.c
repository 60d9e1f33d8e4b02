// SPDX-License-Identifier: MIT
// A step of the mixer oracle: the bounds of a frame.
#include "support/oracle_parts.h"

#define DEGREES_ALLOWED 3.0  // of joint rotation, in a frame
#define LEVER_ALLOWED   0.1  // of the model's height: the length that it turns
#define WEIGHT_ALLOWED  0.02 // of a morph weight, in a frame

// ---- A step --------------------------------------------------------------------------------------------------

// The seconds of the clip between two of its times, across the loop if that is shorter.
static double clip_distance(const oracle_entry *entry, const sinew_mixer *mixer, double from, double to) {
    double way = fabs(to - from), duration = (double)entry->clip->duration;
    if (sinew_action_loop(mixer, entry->handle) != SINEW_LOOP_REPEAT) return way;
    return fmin(way, fabs(duration - way));
}

static void check_time(mixer_oracle *o, const oracle_entry *entry, float time, double dt) {
    double way = clip_distance(entry, o->mixer, (double)entry->time, (double)time);
    if (way > rate_of(entry) * dt * 1.001 + 1e-4) o->wrong = "an action advanced further than its speed allows";
}

// Notes the velocities after a clip that finishes or turns within the frame. Those of the frame are a mean.
static void note_end(const mixer_oracle *o, oracle_entry *entry) {
    double moved = entry->moved_at_end, end = entry->moved; // the former as of the frame before
    double duration = (double)entry->clip->duration, then = (double)entry->time_before + moved;
    sinew_loop loop = sinew_action_loop(o->mixer, entry->handle);
    bool is_at_end = entry->time == 0.0f || entry->time == entry->clip->duration;
    if (loop == SINEW_LOOP_ONCE && is_at_end) end = 0.0;
    if (loop == SINEW_LOOP_PING_PONG && (then < 0.0 || then > duration)) end = -moved;
    entry->moved_at_end = end;
    for (int c = 0; c < 2; c++)
        entry->root_at_end[c] = entry->moved != 0.0 ? entry->root[c] * end / entry->moved : entry->root[c];
}

static void step_action(mixer_oracle *o, oracle_entry *entry, double dt) {
    bool lives = sinew_action_is_active(o->mixer, entry->handle);
    double left = fade_left(&entry->weight);
    if (lives && entry->stops && left < dt - 1e-5) o->wrong = "an action outlives its fade";
    if (!lives && (!entry->stops || left > dt + 1e-5)) o->wrong = "an action ended before its fade";
    if (!lives) {
        oracle_copy_pose(o, &entry->was, &entry->is);
        return;
    }
    float time = sinew_action_time(o->mixer, entry->handle);
    check_time(o, entry, time, dt);
    entry->moved = (double)(time - entry->time);
    double duration = (double)entry->clip->duration;
    if (fabs(entry->moved) > 0.5 * duration) entry->moved -= copysign(duration, entry->moved);
    entry->time_before = entry->time;
    entry->time = time;
    oracle_move_root(o, entry);
    note_end(o, entry);
    oracle_sample(o, entry, &entry->is);
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        double *now = entry->is.nodes[i].q;
        give_sign(now, entry->was.nodes[i].q);
        entry->has_no_side[i] |=
            quat_dot(now, entry->was.nodes[i].q) < CLEAR_COSINE; // both signs continue the clip
    }
}

static void step_entries(mixer_oracle *o, double dt) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (is_action(entry)) {
            step_action(o, entry, dt);
        }
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!entry->is_used || is_action(entry)) continue;
        if (entry->duration > 0.0 && entry->velocity < 0) oracle_read_held_velocity(o, entry, dt);
        oracle_move_held(o, entry, dt);
        entry->moved += dt;
    }
}

static void check_phases(mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || !entry->sync || !sinew_action_is_active(o->mixer, entry->handle)) continue;
        double phase = oracle_phase_of_group(o, entry->sync, entry);
        if (phase >= 0.0 && is_out_of_phase((double)(entry->time / entry->clip->duration), phase))
            o->lost_phase = true;
    }
}

static void advance_entry(oracle_entry *entry, double dt) {
    bool ends = fade_advance(&entry->weight, dt) && entry->stops;
    entry->is_shown = true;
    fade_advance(&entry->share, dt);
    oracle_pose was = entry->was;
    entry->was = entry->is;
    entry->is = was;
    if (ends || (!is_action(entry) && entry->share.duration == 0.0 && entry->share.to == 0.0)) {
        entry->is_used = false;
    }
}

// After the last action of the base has faded out, its pose is held.
static void hold_last(mixer_oracle *o) {
    double sum = 0.0;
    bool is_held = false;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, 0)) continue;
        if (is_action(entry)) sum += weight_now(entry) + entry->target;
        is_held |= !is_action(entry) && fade_after(&entry->share, 0.0) > 0.0;
    }
    if (sum > 0.0 || is_held) return;
    if (o->layer_count == 1 && o->offset_duration == 0.0) {
        oracle_copy_pose(o, &o->base, &o->base_after);
        oracle_read_pose(o, sinew_mixer_pose(o->mixer), &o->base);
        for (int32_t i = 0; i < o->skeleton->node_count; i++)
            give_sign(o->base.nodes[i].q, o->base_after.nodes[i].q);
    }
    oracle_hold_base(o, true);
}

static void advance_entries(mixer_oracle *o, double dt) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!entry->is_used) continue;
        advance_entry(entry, dt);
        if (!is_action(entry)) { // the next step starts from a copy
            oracle_copy_pose(o, &entry->was, &entry->is);
        }
    }
    for (int l = 0; l < o->layer_count; l++) fade_advance(&o->layers[l].strength, dt);
    hold_last(o);
}

static void exchange(oracle_pose *a, oracle_pose *b) {
    oracle_pose old = *a;
    *a = *b;
    *b = old;
}

static double allowed(const mixer_oracle *o) {
    return 2.0 * sin(DEGREES_ALLOWED * PI / 360.0) * LEVER_ALLOWED * o->points.height;
}

static void extend(double range[2], double value) {
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

// The steepest slope of the transitions in progress, in a frame: that of a smoothstep, twice.
static double steepest(const mixer_oracle *o, double dt) {
    double shortest = o->offset_duration > 0.0 ? o->offset_duration : HUGE_VAL;
    if (o->root.stop_left > 0.0) shortest = fmin(shortest, o->root.stop_duration);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool fades = is_in(entry, 0) && entry->share.duration > 0.0;
        if (fades) shortest = fmin(shortest, entry->share.duration);
    }
    return fmin(1.0, 3.0 * dt / shortest);
}

// The velocity at the end of the frame is that of clips that have finished or turned in it.
static void add_ends(mixer_oracle *o) {
    layer_sum base = oracle_sum_layer(o, 0, (moment){true, o->dt, false});
    double sum = o->fills_with_rest ? fmax(1.0, base.sum) : base.sum;
    for (int k = 0; k < base.count; k++) {
        const oracle_entry *entry = base.entries[k];
        for (int c = 0; c < 2 && is_action(entry); c++)
            o->root.shown[c] += base.shares[k] / sum * (entry->root_at_end[c] - entry->root[c]);
    }
}

// Compares the root's velocity with its bounds: what the clips change theirs by, and the share of the transitions.
static void step_root(mixer_oracle *o, double dt) {
    oracle_root *root = &o->root;
    if (root->node == SINEW_NO_NODE) return;
    sinew_vec3 delta = sinew_mixer_root_delta(o->mixer).translation;
    double now[2] = {(double)delta.x / dt, (double)delta.z / dt}, current = steepest(o, dt);
    double slope = fmax(current, root->slope), apart = 0.0, own = 0.0; // a velocity is the mean of a frame
    root->slope = current;
    root->is_outside = false;
    for (int c = 0; c < 2; c++) {
        double range[2] = {root->shown[c], root->shown[c]}, lasting[2] = {root->low[c], root->high[c]};
        double largest = 0.0; // of the clips' own changes
        if (slope == 0.0) lasting[0] = lasting[1] = root->shown[c];
        for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
            oracle_entry *entry = &o->entries[i];
            if (!is_in(entry, 0)) continue;
            double change = is_action(entry) ? entry->root[c] - entry->root_before[c] : 0.0;
            extend(range, entry->root[c]);
            extend(range, root->shown[c] + change); // above an offset
            bool may_stop = !is_action(entry) || entry->stops || entry->target == 0.0 || o->fills_with_rest;
            if (may_stop) extend(range, 0.0);
            largest = fmax(largest, fabs(change));
            entry->root_before[c] = is_action(entry) ? entry->root_at_end[c] : entry->root[c];
        }
        own = hypot(own, largest);
        extend(lasting, range[0]), extend(lasting, range[1]);
        root->low[c] = lasting[0], root->high[c] = lasting[1];
        apart = hypot(apart, lasting[1] - lasting[0]);
        double slack = 0.02 + 0.02 * (lasting[1] - lasting[0]);
        root->is_outside |= now[c] < lasting[0] - slack || now[c] > lasting[1] + slack;
    }
    root->change = hypot(now[0] - root->shown[0], now[1] - root->shown[1]);
    root->largest = own + slope * apart + 0.02;
    memcpy(root->shown, now, sizeof now);
    add_ends(o);
}

// Adds the steps of a frame: from the shown pose to that with the clips moved, and from there on.
static void sum_bounds(mixer_oracle *o, int steps) {
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        point_bounds *to = &o->bounds[i];
        for (int p = 0; p < NODE_POINTS; p++) {
            to->clips[p] = points_distance(o->before[i].at[p], o->after[0][i].at[p]);
            to->even[p] = 0.0;
            for (int k = 1; k < steps; k++)
                to->even[p] += points_distance(o->after[k - 1][i].at[p], o->after[k][i].at[p]);
            to->sum[p] = to->clips[p] + to->even[p] + allowed(o);
        }
    }
}

static bool any_share_moves(const mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (entry->is_used && (entry->share.duration > 0.0 || entry->weight.duration > 0.0)) return true;
    }
    for (int l = 1; l < o->layer_count; l++) {
        if (o->layers[l].strength.duration > 0.0) return true;
    }
    return false;
}

static void bound_weights(mixer_oracle *o, const oracle_pose *clips, const oracle_pose *shares) {
    for (int32_t i = 0; i < o->skeleton->weight_count; i++)
        o->weight_bounds[i] = fabs(clips->weights[i] - o->shown.weights[i]) +
                              fabs(shares->weights[i] - clips->weights[i]) + WEIGHT_ALLOWED;
}

// Computes the pose of the next frame, and the base's.
static void evaluate_frame(mixer_oracle *o, double dt) {
    oracle_evaluate(o, o->layer_count, (moment){true, 0.0, false}, NULL, &o->clips_moved);
    oracle_evaluate(o, o->layer_count, (moment){true, dt, false}, &o->base_after, &o->shares_moved);
    exchange(&o->base, &o->base_after);
}

// The steps of an inertialization: the difference decays, then the velocity. Returns the number of steps.
static int move_offsets(mixer_oracle *o, double dt, int steps) {
    offset_factors before = oracle_offset_after(o, 0.0), after = oracle_offset_after(o, dt);
    oracle_add_offsets(o, (offset_factors){after.start, before.velocity}, &o->shares_moved, &o->result);
    points_of_pose(&o->points, o->result.nodes, o->after[steps++]);
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        o->weight_bounds[i] += fabs((after.start - before.start) * o->weight_offset[i]);
        o->weight_bounds[i] += fabs((after.velocity - before.velocity) * o->weight_offset_velocity[i]);
    }
    oracle_add_offsets(o, after, &o->shares_moved, &o->result);
    points_of_pose(&o->points, o->result.nodes, o->after[steps++]);
    return steps;
}

// The motion that an action has in a frame at the rate of its start. That of the frame is a mean.
static double motion_at_start(const mixer_oracle *o, const oracle_entry *entry) {
    if (!(entry->slowing > o->dt)) return entry->moved;
    double part = 0.5 * o->dt / entry->slowing;
    return (entry->moved - part * entry->speed * o->dt) / (1.0 - part);
}

// Samples the actions in the middle of the frame, as if their rates did not change, or at its end.
static void sample_entries(mixer_oracle *o, bool in_middle) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || !sinew_action_is_active(o->mixer, entry->handle)) continue;
        float middle = oracle_time_after(o, entry, (double)entry->time_before, 0.5 * motion_at_start(o, entry));
        oracle_sample_at(o, entry->clip, in_middle ? middle : entry->time, &entry->is);
        for (int32_t k = 0; k < o->skeleton->node_count; k++)
            give_sign(entry->is.nodes[k].q, entry->was.nodes[k].q);
    }
}

static void move_held_entries(mixer_oracle *o, double seconds) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!entry->is_used || is_action(entry)) continue;
        entry->moved -= o->dt;
        oracle_move_held(o, entry, seconds);
        entry->moved += o->dt;
    }
}

// Evaluates the middle of the frame, after the entries have moved to its end.
static void evaluate_middle(mixer_oracle *o, oracle_pose *out) {
    sample_entries(o, true);
    move_held_entries(o, 0.5 * o->dt);
    oracle_evaluate(o, o->layer_count, (moment){true, 0.5 * o->dt, .is_on_line = true}, NULL, out);
    sample_entries(o, false);
    move_held_entries(o, o->dt);
}

// Held poses are the base as long as no action has a part in it.
static void keep_held(mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool shows = entry->target > 0.0 || fade_after(&entry->share, 0.0) > 0.0;
        if (is_in(entry, 0) && is_action(entry) && shows) return;
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        bool fades = is_in(entry, 0) && !is_action(entry) && entry->share.to == 0.0;
        if (fades) entry->share = fade_at(fade_after(&entry->share, 0.0));
    }
}

// Holds the base's pose before the step in which the weights of its last actions end; the root comes to rest in the time
// that they took.
static void hold_before_end(mixer_oracle *o, double dt) {
    double longest = 0.0;
    bool is_held = false;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        is_held |= is_in(entry, 0) && !is_action(entry) && fade_after(&entry->share, dt) > 0.0;
        if (!is_in(entry, 0) || !is_action(entry)) continue;
        if (entry->target > 0.0 || fade_left(&entry->weight) > dt + 1e-9) return;
        if (weight_now(entry) > 0.0) longest = fmax(longest, entry->weight.duration);
    }
    if (longest == 0.0 || (o->fills_with_rest && !is_held)) return;
    if (o->offset_is_new)
        oracle_evaluate(o, 1, (moment){false, 0.0, false}, &o->base, &o->result); // seeks moved it
    oracle_hold_base(o, true);
    o->root.stop_duration = longest;
    o->root.stop_left = longest + 2.0 * dt;
}

// The frame in steps: the clips move, then the proportions, then the offsets of an inertialization.
void oracle_step(mixer_oracle *o, float seconds) {
    double dt = (double)seconds;
    oracle_begin_shares(o);
    keep_held(o);
    hold_before_end(o, dt);
    o->root.stop_left = fmax(0.0, o->root.stop_left - dt);
    bool moves_shares = any_share_moves(o), has_offsets = o->offset_duration > 0.0;
    oracle_pose new_now = o->result; // scratch until the end
    if (o->offset_is_new) oracle_take_shorter_sides(o);
    if (o->offset_is_new) oracle_evaluate(o, o->layer_count, (moment){false, 0.0, false}, NULL, &new_now);
    sinew_mixer_update(o->mixer, seconds);
    step_entries(o, dt);
    check_phases(o);
    step_root(o, dt);
    if (o->offset_is_new) {
        evaluate_middle(o, &o->clips_moved);
        oracle_capture_offsets(o, &new_now, &o->clips_moved);
        oracle_read_offset_velocity(o, dt);
    }
    oracle_read_sides(o, dt);
    evaluate_frame(o, dt);
    oracle_pose clips = o->clips_moved, shares = o->shares_moved;
    if (has_offsets) {
        offset_factors now = oracle_offset_after(o, 0.0);
        clips = o->with_offsets[0], shares = o->with_offsets[1];
        oracle_add_offsets(o, now, &o->clips_moved, &clips);
        oracle_add_offsets(o, now, &o->shares_moved, &shares);
    }
    int steps = 0;
    bound_weights(o, &clips, &shares);
    points_of_pose(&o->points, clips.nodes, o->after[steps++]);
    if (moves_shares) points_of_pose(&o->points, shares.nodes, o->after[steps++]);
    if (has_offsets) steps = move_offsets(o, dt, steps);
    if (!has_offsets) oracle_copy_pose(o, &o->shares_moved, &o->result);
    sum_bounds(o, steps);
    points_of_pose(&o->points, o->result.nodes, o->before);
    exchange(&o->shown, &o->result);
    advance_entries(o, dt);
    o->has_near = false;
    o->offset_elapsed += dt;
    if (has_offsets && o->offset_elapsed >= o->offset_duration) o->offset_duration = 0.0;
}

static bool contributes(const mixer_oracle *o, const oracle_entry *entry) {
    return entry->is_used && !o->layers[entry->layer].additive && fade_after(&entry->share, 0.0) >= 0.001;
}

double oracle_apart(const mixer_oracle *o, int32_t node) {
    double largest = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *a = &o->entries[i];
        if (!contributes(o, a)) continue;
        for (int k = 0; k < i; k++) {
            const oracle_entry *b = &o->entries[k];
            if (!contributes(o, b)) continue;
            largest = fmax(largest, quat_angle(a->was.nodes[node].q, b->was.nodes[node].q));
        }
    }
    return largest;
}

bool oracle_is_uneven(const mixer_oracle *o) {
    for (int l = 0; l < o->layer_count; l++) {
        double sum = 0.0;
        int count = 0;
        for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
            const oracle_entry *entry = &o->entries[i];
            if (!is_in(entry, l)) continue;
            sum += is_action(entry) ? weight_now(entry) : fade_after(&entry->share, 0.0);
            count++;
        }
        if (count > 1 && fabs(sum - 1.0) > 0.005) return true;
    }
    return false;
}

bool oracle_keeps_velocity(const mixer_oracle *o) {
    bool does = o->offset_duration > 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) does |= o->entries[i].is_used && o->entries[i].duration > 0.0;
    return does;
}
