// SPDX-License-Identifier: MIT
// A step of the mixer oracle: the bounds of a frame.
#include "support/oracle_parts.h"

#define DEGREES_ALLOWED 3.0  // of joint rotation, in a frame
#define LEVER_ALLOWED   0.1  // of the model's height: the length that it turns
#define WEIGHT_ALLOWED  0.02 // of a morph weight, in a frame
#define ROUNDING        1e-6 // of a time in seconds

// ---- A step --------------------------------------------------------------------------------------------------

// The seconds of the clip between two of its times, across the loop if that is shorter.
static double clip_distance(const oracle_entry *entry, const sinew_mixer *mixer, double from, double to) {
    double way = fabs(to - from), duration = (double)entry->clip->duration;
    if (sinew_action_loop(mixer, entry->handle) != SINEW_LOOP_REPEAT) return way;
    return fmin(way, fabs(duration - way));
}

// An action that has no part, and gets none, is not seen.
static void check_time(mixer_oracle *o, const oracle_entry *entry, float time, double dt) {
    if (weight_now(entry) == 0.0 && entry->target == 0.0) return;
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
    bool turns = then < ROUNDING || then > duration - ROUNDING;
    if (loop == SINEW_LOOP_PING_PONG && turns) end = -moved;
    bool finished_before = loop == SINEW_LOOP_ONCE && fabs(entry->moved) < fabs(moved) - ROUNDING;
    entry->arrival = finished_before ? 0.0 : entry->moved;
    entry->moved_at_end = end;
    for (int c = 0; c < 2; c++)
        entry->root_at_end[c] = entry->moved != 0.0 ? entry->root[c] * end / entry->moved : entry->root[c];
}

// Gives rotations the signs that continue those of another pose; where both do, no side is known.
static void continue_signs(const mixer_oracle *o, const oracle_pose *from, oracle_pose *to, uint8_t *has_no_side) {
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        give_sign(to->nodes[i].q, from->nodes[i].q);
        has_no_side[i] |= quat_dot(to->nodes[i].q, from->nodes[i].q) < CLEAR_COSINE;
    }
}

// Continues the signs along the motion from `time`, in parts of at most a frame at speed 1: a joint may turn by more than
// half a turn in a frame of a fast action. `from` is a scratch pose as well, which the motion starts with and ends in.
static void continue_along(mixer_oracle *o, oracle_entry *entry, double time, double motion, oracle_pose *from) {
    const double parts = ceil(fabs(motion) / o->dt - ROUNDING);
    for (int k = 1; k < parts; k++) {
        oracle_sample_at(o, entry->clip, oracle_time_after(o, entry, time, motion * k / parts), &o->clips_moved);
        continue_signs(o, from, &o->clips_moved, entry->has_no_side);
        oracle_copy_pose(o, &o->clips_moved, from);
    }
}

// The same across the end of a clip that repeats: the pose after its start need not be that before its end, and the signs
// continue from one to the other.
static void continue_through_loop(mixer_oracle *o, oracle_entry *entry) {
    float duration = entry->clip->duration, end = entry->moved > 0.0 ? duration : 0.0f;
    double before = (double)end - (double)entry->time_before;
    continue_along(o, entry, (double)entry->time_before, before, &entry->next);
    oracle_sample_at(o, entry->clip, end, &o->clips_moved);
    continue_signs(o, &entry->next, &o->clips_moved, entry->has_no_side);
    oracle_sample_at(o, entry->clip, duration - end, &entry->next);
    continue_signs(o, &o->clips_moved, &entry->next, entry->has_no_side);
    continue_along(o, entry, (double)(duration - end), entry->moved - before, &entry->next);
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
    bool is_cut = entry->time_before + entry->moved < -1e-6 || entry->time_before + entry->moved > duration + 1e-6;
    oracle_copy_pose(o, &entry->was, &entry->next);
    if (is_cut && sinew_action_loop(o->mixer, entry->handle) == SINEW_LOOP_REPEAT) {
        continue_through_loop(o, entry);
    } else {
        continue_along(o, entry, (double)entry->time_before, entry->moved, &entry->next);
    }
    continue_signs(o, &entry->next, &entry->is, entry->has_no_side);
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

// The steepest slope of the transitions in progress, in a frame: that of a smoothstep, twice. A fade and the offset of an
// inertialization move together: the first at most by the slope of a smoothstep, 1.5 / d, the other by that of
// 1 - 3/2 u + 1/2 u^3, u = t / (0.55 d), at its start.
static double steepest(const mixer_oracle *o, double dt) {
    double shortest = HUGE_VAL, offset = o->offset_duration > 0.0 ? o->offset_duration : HUGE_VAL;
    if (o->root.stop_left > 0.0) shortest = fmin(shortest, o->root.stop_duration);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool fades = is_in(entry, 0) && entry->share.duration > 0.0;
        if (fades) shortest = fmin(shortest, entry->share.duration);
    }
    return fmin(1.0, dt * fmax(3.0 / fmin(shortest, offset), 1.5 / shortest + 1.5 / (0.55 * offset)));
}

// The weight of what plays at the end of the frame: the velocity before an inertialization has the rest.
static double weight_of_base(const mixer_oracle *o, double dt) {
    if (o->offset_duration == 0.0) return 1.0;
    double elapsed = o->offset_is_new ? dt : o->offset_elapsed + dt;
    double u = fmin(1.0, elapsed / (0.55 * o->offset_duration));
    return 1.5 * u - 0.5 * u * u * u;
}

// The velocity at the end of the frame is that of clips that have finished or turned in it.
static void add_ends(mixer_oracle *o, double dt) {
    layer_sum base = oracle_sum_layer(o, 0, (moment){AFTER_FRAME, o->dt, BY_FADES});
    double sum = o->fills_with_rest ? fmax(1.0, base.sum) : base.sum;
    for (int k = 0; k < base.count; k++) {
        const oracle_entry *entry = base.entries[k];
        for (int c = 0; c < 2 && is_action(entry); c++)
            o->root.shown[c] +=
                weight_of_base(o, dt) * base.shares[k] / sum * (entry->root_at_end[c] - entry->root[c]);
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
    add_ends(o, dt);
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
    oracle_evaluate(o, o->layer_count, (moment){AFTER_FRAME, 0.0, BY_FADES}, NULL, &o->clips_moved);
    oracle_evaluate(o, o->layer_count, (moment){AFTER_FRAME, dt, BY_FADES}, &o->base_after, &o->shares_moved);
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

static void find_next_of(const mixer_oracle *o, oracle_entry *entry) {
    oracle_copy_pose(o, &entry->was, &entry->next);
    if (!is_action(entry) && entry->duration > 0.0) {
        entry->moved -= o->dt;
        oracle_move_held_on_line(o, entry, LOOK_SECONDS, &entry->next);
        entry->moved += o->dt;
    } else if (is_action(entry)) {
        bool lives = sinew_action_is_active(o->mixer, entry->handle); // or it has not moved
        double from = (double)(lives ? entry->time_before : entry->time);
        float time = oracle_time_after(o, entry, from, LOOK_SECONDS / o->dt * entry->moved_at_start);
        oracle_sample_at(o, entry->clip, time, &entry->next);
    }
}

// Finds the poses LOOK_SECONDS after the start of the frame, at the rates of then, after the entries have moved to its end.
static void find_next(mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!entry->is_used) continue;
        find_next_of(o, entry);
        for (int32_t k = 0; k < o->skeleton->node_count; k++)
            give_sign(entry->next.nodes[k].q, entry->was.nodes[k].q);
    }
}

// The held pose whose extrapolation has just started.
static oracle_entry *find_new_extrapolation(mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (entry->is_used && !is_action(entry) && entry->duration > 0.0 && entry->velocity < 0) return entry;
    }
    return NULL;
}

// Takes some velocities of the two that an extrapolation and an inertialization may have started with; returns how far the
// pose is from the mixer's.
static double take_velocities(mixer_oracle *o, oracle_entry *held, int of_held, int of_offset, double dt) {
    if (held) {
        held->velocity = of_held;
        held->moved -= dt;
        oracle_move_held(o, held, dt);
        held->moved += dt;
    }
    if (o->offset_is_new) {
        find_next(o);
        oracle_capture_offsets(o);
        o->offset_velocity = of_offset;
    }
    return oracle_difference(o, dt);
}

// Reads from the mixer's pose which velocities transitions have started with: those just before them, or just after.
static void read_velocities(mixer_oracle *o, double dt) {
    oracle_entry *held = find_new_extrapolation(o);
    int held_count = held ? 2 : 1, offset_count = o->offset_is_new ? 2 : 1, best = 0;
    double least = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        if (k % 2 >= held_count || k / 2 >= offset_count) continue;
        double difference = held || o->offset_is_new ? take_velocities(o, held, k % 2, k / 2, dt) : 0.0;
        if (difference < least) least = difference, best = k;
    }
    if (held || o->offset_is_new) take_velocities(o, held, best % 2, best / 2, dt);
    o->offset_is_new = false;
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
        bool fades = is_in(entry, 0) && !is_action(entry) && entry->share.to == 0.0 && entry->share.duration > 0.0;
        if (!fades) continue;
        o->root.stop_duration = entry->share.duration; // the root comes to rest with the fade
        o->root.stop_left = fade_left(&entry->share) + 2.0 * o->dt;
        entry->share = fade_at(fade_after(&entry->share, 0.0));
    }
}

// Holds the base's pose before the step in which the weights of its last actions end; the root comes to rest in the time
// that they took.
static void hold_before_end(mixer_oracle *o, double dt) {
    double longest = 0.0, held_left = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool is_held = is_in(entry, 0) && !is_action(entry) && fade_after(&entry->share, dt) > 0.0;
        if (is_held) held_left = fmax(held_left, fade_left(&entry->share));
        if (!is_in(entry, 0) || !is_action(entry)) continue;
        if (entry->target > 0.0 || fade_after(&entry->weight, dt) > 1e-9) return;
        if (weight_now(entry) > 0.0) longest = fmax(longest, entry->weight.duration);
    }
    if (longest == 0.0 || (o->fills_with_rest && held_left == 0.0)) return;
    if (o->offset_is_new)
        oracle_evaluate(o, 1, (moment){BEFORE_FRAME, 0.0, BY_FADES}, &o->base, &o->result); // seeks moved it
    oracle_hold_base(o, true);
    o->root.stop_duration = o->fills_with_rest ? held_left : longest; // the held pose was to fade for that long
    o->root.stop_left = o->root.stop_duration + 2.0 * dt;
}

// Notes the rates that an inertialization starts with.
static void note_starts(mixer_oracle *o) {
    oracle_probe_rates(o);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_action(entry)) continue;
        entry->moved_at_start = entry->rate;
        double moved = entry->moved, root[2] = {entry->root[0], entry->root[1]};
        entry->moved = entry->rate;
        oracle_move_root(o, entry);
        memcpy(entry->root_before, entry->root, sizeof root);
        memcpy(entry->root, root, sizeof root);
        entry->moved = moved;
    }
}

// The frame in steps: the clips move, then the proportions, then the offsets of an inertialization.
void oracle_step(mixer_oracle *o, float seconds) {
    double dt = (double)seconds;
    oracle_begin_shares(o);
    keep_held(o);
    hold_before_end(o, dt);
    o->root.stop_left = fmax(0.0, o->root.stop_left - dt);
    bool moves_shares = any_share_moves(o), has_offsets = o->offset_duration > 0.0;
    if (o->offset_is_new) note_starts(o);
    if (o->offset_is_new) oracle_take_shorter_sides(o);
    sinew_mixer_update(o->mixer, seconds);
    step_entries(o, dt);
    check_phases(o);
    step_root(o, dt);
    read_velocities(o, dt);
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
    o->has_near = o->has_ends = false;
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
