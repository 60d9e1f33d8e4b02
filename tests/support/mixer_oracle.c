// SPDX-License-Identifier: MIT
// The state of the mixer oracle, and the calls that change it.
#include "support/oracle_parts.h"

// ---- Memory --------------------------------------------------------------------------------------------------

static void *zeros(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

static void create_pose(const sinew_skeleton *skeleton, oracle_pose *pose) {
    pose->nodes = zeros((size_t)skeleton->node_count, sizeof *pose->nodes);
    pose->weights = zeros((size_t)skeleton->weight_count, sizeof *pose->weights);
}

static void destroy_pose(oracle_pose *pose) {
    free(pose->nodes);
    free(pose->weights);
}

enum { OWN_POSES = 14 };

static void own_poses(mixer_oracle *o, oracle_pose *poses[OWN_POSES]) {
    oracle_pose *all[OWN_POSES] = {&o->rest,
                                   &o->shown,
                                   &o->base,
                                   &o->base_after,
                                   &o->near[0],
                                   &o->near[1],
                                   &o->base_near[0],
                                   &o->base_near[1],
                                   &o->seen,
                                   &o->clips_moved,
                                   &o->shares_moved,
                                   &o->with_offsets[0],
                                   &o->with_offsets[1],
                                   &o->result};
    memcpy(poses, all, sizeof all);
}

void oracle_create(mixer_oracle *o, const sinew_skeleton *skeleton) {
    size_t n = (size_t)skeleton->node_count, m = (size_t)skeleton->weight_count;
    *o = (mixer_oracle){.skeleton = skeleton};
    pose_points_create(&o->points, skeleton);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &o->pose), SINEW_OK);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        create_pose(skeleton, &o->entries[i].was);
        create_pose(skeleton, &o->entries[i].next);
        create_pose(skeleton, &o->entries[i].is);
        for (int k = 0; k < 2; k++) o->entries[i].velocities[k] = zeros(n, sizeof(local_motion));
        o->entries[i].has_no_side = zeros(n, sizeof(uint8_t));
    }
    for (int i = 0; i < ORACLE_MAX_LAYERS; i++) {
        o->layers[i].is_opposite = zeros(n, sizeof(bool));
        o->layers[i].has_no_side = zeros(n, sizeof(uint8_t));
    }
    o->is_covered = zeros(n, sizeof(bool));
    o->weight_is_covered = zeros(m, sizeof(bool));
    o->rest_is_opposite = zeros(n, sizeof(bool));
    o->rest_has_no_side = zeros(n, sizeof(uint8_t));
    oracle_pose *poses[OWN_POSES];
    own_poses(o, poses);
    for (int i = 0; i < OWN_POSES; i++) create_pose(skeleton, poses[i]);
    o->offsets = zeros(n, sizeof *o->offsets);
    o->weight_offset = zeros(m, sizeof *o->weight_offset);
    o->weight_offset_velocity = zeros(m, sizeof *o->weight_offset_velocity);
    o->before = zeros(n, sizeof *o->before);
    for (int i = 0; i < ORACLE_STEPS; i++) o->after[i] = zeros(n, sizeof *o->after[i]);
    o->bounds = zeros(n, sizeof *o->bounds);
    o->weight_bounds = zeros(m, sizeof *o->weight_bounds);
    sinew_pose_reset(o->pose);
    oracle_read_pose(o, o->pose, &o->rest);
}

void oracle_destroy(mixer_oracle *o) {
    pose_points_destroy(&o->points);
    sinew_pose_destroy(o->pose);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        destroy_pose(&o->entries[i].was);
        destroy_pose(&o->entries[i].next);
        destroy_pose(&o->entries[i].is);
        for (int k = 0; k < 2; k++) free(o->entries[i].velocities[k]);
        free(o->entries[i].has_no_side);
    }
    for (int i = 0; i < ORACLE_MAX_LAYERS; i++) free(o->layers[i].is_opposite), free(o->layers[i].has_no_side);
    free(o->rest_is_opposite), free(o->rest_has_no_side);
    free(o->is_covered), free(o->weight_is_covered);
    oracle_pose *poses[OWN_POSES];
    own_poses(o, poses);
    for (int i = 0; i < OWN_POSES; i++) destroy_pose(poses[i]);
    free(o->offsets), free(o->weight_offset), free(o->weight_offset_velocity);
    free(o->before), free(o->bounds), free(o->weight_bounds);
    for (int i = 0; i < ORACLE_STEPS; i++) free(o->after[i]);
}

// ---- Entries -------------------------------------------------------------------------------------------------

static oracle_entry *find(mixer_oracle *o, sinew_action handle) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_action(&o->entries[i]) && o->entries[i].handle.id == handle.id) return &o->entries[i];
    }
    return NULL;
}

oracle_entry *oracle_any(mixer_oracle *o, uint32_t number) {
    uint32_t count = 0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) count += is_action(&o->entries[i]);
    if (count == 0) return NULL;
    uint32_t left = number % count;
    for (int i = 0;; i++) {
        if (is_action(&o->entries[i]) && left-- == 0) return &o->entries[i];
    }
}

// The free entry with its memory, cleared. If none is free, the held pose with the smallest share is dropped.
static oracle_entry *take_entry(mixer_oracle *o) {
    oracle_entry *entry = NULL;
    double smallest = HUGE_VAL;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *one = &o->entries[i];
        double share = one->is_used ? fade_after(&one->share, 0.0) : -1.0;
        if (is_action(one) || share >= smallest) continue;
        entry = one;
        smallest = share;
    }
    assert_non_null(entry);
    *entry = (oracle_entry){.is_used = true,
                            .was = entry->was,
                            .next = entry->next,
                            .is = entry->is,
                            .velocities = {entry->velocities[0], entry->velocities[1]},
                            .has_no_side = entry->has_no_side,
                            .age = ++o->ages,
                            .warp = 1.0};
    memset(entry->has_no_side, 0, (size_t)o->skeleton->node_count);
    return entry;
}

// ---- Proportions ---------------------------------------------------------------------------------------------

static bool leaves_remainder(const mixer_oracle *o, int layer) {
    return layer > 0 || o->fills_with_rest;
}

static double divisor(const mixer_oracle *o, int layer, double sum) {
    return leaves_remainder(o, layer) ? fmax(1.0, sum) : sum;
}

static void scale_fade(oracle_fade *fade, double factor) {
    fade->slope *= factor;
    fade->from *= factor;
    fade->to *= factor;
}

// Divides the shares of a layer by their sum, so that they can be compared with targets.
static void divide_shares(mixer_oracle *o, int layer) {
    double sum = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_in(&o->entries[i], layer)) sum += fade_after(&o->entries[i].share, 0.0);
    }
    double by = divisor(o, layer, sum);
    for (int i = 0; i < ORACLE_MAX_ENTRIES && by > 0.0; i++) {
        if (is_in(&o->entries[i], layer)) scale_fade(&o->entries[i].share, 1.0 / by);
    }
}

// If all actions of the base fade out, those whose fades end last keep their shares, divided by their sum.
static void find_last_targets(const mixer_oracle *o, double targets[ORACLE_MAX_ENTRIES]) {
    double last = 0.0, sum = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool counts = is_in(entry, 0) && is_action(entry) && fade_after(&entry->share, 0.0) > 0.0;
        if (counts) last = fmax(last, fade_left(&entry->weight));
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool counts = is_in(entry, 0) && is_action(entry) && fade_left(&entry->weight) >= last - 1e-6;
        targets[i] = counts ? fade_after(&entry->share, 0.0) : 0.0;
        sum += targets[i];
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES && sum > 0.0; i++) targets[i] /= sum;
    // Nothing plays: the held pose stays.
    for (int i = 0; i < ORACLE_MAX_ENTRIES && sum == 0.0; i++)
        targets[i] = is_in(&o->entries[i], 0) && !is_action(&o->entries[i]) && !o->entries[i].is_evicted;
}

static void find_targets(const mixer_oracle *o, int layer, double targets[ORACLE_MAX_ENTRIES]) {
    double sum = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_in(&o->entries[i], layer)) sum += o->entries[i].target;
    }
    double by = divisor(o, layer, sum);
    if (!(by > 0.0)) {
        find_last_targets(o, targets);
        return;
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++)
        targets[i] = is_in(&o->entries[i], layer) ? o->entries[i].target / by : 0.0;
}

// The fade that an entry's share takes its time from: that of its weight if it was asked for, or else its own.
static const oracle_fade *own_fade(const oracle_entry *entry) {
    if (entry->is_requested) return &entry->weight;
    return entry->share.duration > 0.0 ? &entry->share : NULL;
}

// A fade that was asked for, and one that ends its action, take their own time. Another one takes that of the change,
// and no less than is left of its own.
static double own_duration(const oracle_entry *entry, const oracle_layer *layer, double target) {
    bool ends = entry->stops && entry->weight.duration > 0.0;
    if (ends || entry->is_requested) return fade_left(&entry->weight);
    double left = fade_left(&entry->share);
    return fabs(target - entry->share.to) > 1e-6 ? fmax(left, layer->change_duration) : left;
}

// The seconds until the last share that falls has ended.
static double longest_fall(const mixer_oracle *o, int layer, const double *targets) {
    double longest = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer)) continue;
        bool falls = is_action(entry) && targets[i] < fade_after(&entry->share, 0.0);
        if (falls) longest = fmax(longest, own_duration(entry, &o->layers[layer], targets[i]));
        if (!is_action(entry)) longest = fmax(longest, fade_left(&entry->share));
    }
    return longest;
}

// Begins the fade of a share, unless it moves to its target already. One that rises does not take longer than those that
// fall: their sum would become small, and the rest of what falls, divided by it, steep.
static void begin_share(const mixer_oracle *o, oracle_entry *entry, double target, double longest) {
    const oracle_layer *layer = &o->layers[entry->layer];
    const oracle_fade *own = own_fade(entry);
    double duration = own_duration(entry, layer, target);
    int curve = own ? own->curve : layer->change_curve;
    bool rises = target > fade_after(&entry->share, 0.0) && !leaves_remainder(o, entry->layer);
    bool is_late = rises && longest > 0.0 && longest < duration;
    bool changes = fabs(target - entry->share.to) > 1e-6;
    if (!entry->is_requested && !changes && !is_late) return;
    fade_begin(&entry->share, target, is_late ? longest : duration, curve);
}

// Begins the fades of a layer's shares, once for all changes of a frame.
static void retarget(mixer_oracle *o, int layer) {
    double targets[ORACLE_MAX_ENTRIES];
    divide_shares(o, layer);
    find_targets(o, layer, targets);
    double longest = longest_fall(o, layer, targets);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer) || !is_action(entry)) continue;
        begin_share(o, entry, targets[i], longest);
        entry->is_requested = false;
    }
    o->layers[layer].changes = false;
    o->layers[layer].change_duration = 0.0;
}

void oracle_begin_shares(mixer_oracle *o) {
    for (int l = 0; l < o->layer_count; l++) {
        if (o->layers[l].changes) retarget(o, l);
    }
}

// The longest change of a frame is that of the shares without one of their own.
static void change_layer(mixer_oracle *o, int layer, double duration, int curve) {
    oracle_layer *to = &o->layers[layer];
    to->changes = true;
    if (!(duration > to->change_duration)) return;
    to->change_duration = duration;
    to->change_curve = curve;
}

// If only held poses show in the base, they fade out while an action fades in.
static void request_held(mixer_oracle *o, double duration, int curve) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (is_in(entry, 0) && is_action(entry) && fade_after(&entry->share, 0.0) > 0.0) return;
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (is_in(entry, 0) && !is_action(entry)) fade_begin(&entry->share, 0.0, duration, curve);
    }
}

// The rest pose gets a side when it starts to contribute.
static void prepare_rest(mixer_oracle *o) {
    layer_sum base = oracle_sum_layer(o, 0, (moment){BEFORE_FRAME, 0.0, BY_FADES});
    if (!o->fills_with_rest || base.sum < 1.0 - 1e-6) return;
    memset(o->rest_has_no_side, NO_SIDE, (size_t)o->skeleton->node_count);
}

static void request(mixer_oracle *o, oracle_entry *entry, double weight, double duration, int curve, bool stops) {
    if (entry->layer == 0) prepare_rest(o);
    if (entry->layer == 0 && weight > weight_now(entry)) request_held(o, duration, curve);
    if (weight > 0.0 && !(fade_after(&entry->share, 0.0) > 0.0)) oracle_forget_sides(o, entry);
    fade_begin(&entry->weight, weight, duration, curve);
    entry->target = weight;
    entry->stops = stops;
    entry->is_requested = true;
    change_layer(o, entry->layer, duration, curve);
}

// ---- Held poses ----------------------------------------------------------------------------------------------

// Turns an action into a held pose.
static void hold_entry(mixer_oracle *o, oracle_entry *entry) {
    oracle_copy_pose(o, &entry->was, &entry->is);
    entry->handle = (sinew_action){0};
    entry->clip = NULL;
    entry->target = entry->moved = 0.0;
    entry->weight = fade_at(0.0);
    entry->stops = false;
}

// All held poses of a layer fade out together, no part faster than it was to.
static void fade_held(mixer_oracle *o, int layer, double duration, int curve) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (is_in(entry, layer) && !is_action(entry)) duration = fmax(duration, fade_left(&entry->share));
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer) || is_action(entry)) continue;
        fade_begin(&entry->share, 0.0, duration, curve);
        entry->share.slope = 0.0; // it stands still until then
    }
    change_layer(o, layer, duration, curve);
}

// What is held together with an evicted action stands still.
static void stop_held(mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_in(&o->entries[i], 0) && !is_action(&o->entries[i])) o->entries[i].duration = 0.0;
    }
}

// Whether no other action of the base has been shown.
static bool is_alone_in_base(const mixer_oracle *o, const oracle_entry *entry) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *other = &o->entries[i];
        bool is_seen = is_in(other, 0) && is_action(other) && other->is_shown && weight_now(other) > 0.0;
        if (other != entry && is_seen) return false;
    }
    return true;
}

// The held pose is the whole base: that which was shown, if it is not shown what changed since, and with held poses and
// the rest pose in it. It fades out with the longest of the fades that have been requested already.
static void hold_whole(mixer_oracle *o, oracle_entry *held) {
    const oracle_pose *pose = o->offset_is_new ? &o->shown : &o->base;
    const oracle_entry *longest = NULL;
    oracle_copy_pose(o, pose, &held->was);
    oracle_copy_pose(o, pose, &held->is);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (entry != held && is_in(entry, 0) && !is_action(entry)) entry->is_used = false;
        bool fades_in = is_in(entry, 0) && is_action(entry) && entry->weight.duration > 0.0 && entry->target > 0.0;
        if (fades_in && (!longest || entry->weight.duration > longest->weight.duration)) longest = entry;
    }
    held->share = fade_at(1.0);
    if (longest) fade_begin(&held->share, 0.0, fade_left(&longest->weight), longest->weight.curve);
}

// Evicted actions are held and fade out, over the rest of their own fade or over that of the new action.
static void hold_evicted(mixer_oracle *o, double duration) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || sinew_action_is_active(o->mixer, entry->handle)) continue;
        double left = entry->stops ? fade_left(&entry->weight) : duration;
        bool is_alone = entry->layer == 0 && is_alone_in_base(o, entry);
        bool can_show = entry->is_shown || (is_alone && o->offset_is_new); // what was shown before it
        bool shows = can_show && fade_after(&entry->share, 0.0) > 0.0 && left > 0.0, is_whole = shows && is_alone;
        o->evictions++;
        hold_entry(o, entry);
        entry->is_evicted = !is_whole;
        entry->share = fade_at(fade_after(&entry->share, 0.0));
        entry->is_used = shows;
        if (is_whole) hold_whole(o, entry);
        if (shows && !is_whole) fade_held(o, entry->layer, left, entry->curve);
        if (shows && entry->layer == 0) stop_held(o);
        if (!o->offset_is_new) o->has_near = false; // it stands still from now on
    }
}

oracle_entry *oracle_hold_base(mixer_oracle *o, bool keeps_actions) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, 0)) continue;
        entry->share = fade_at(0.0);
        entry->is_used = keeps_actions && is_action(entry);
    }
    oracle_entry *held = take_entry(o);
    memcpy(held->root, o->root.shown, sizeof held->root);
    oracle_copy_pose(o, &o->base, &held->was);
    oracle_copy_pose(o, &o->base, &held->is);
    held->share = fade_at(1.0);
    return held;
}

// ---- Calls ---------------------------------------------------------------------------------------------------

// A clip that repeats has no motion across its ends: it need not close.
float oracle_time_after(const mixer_oracle *o, const oracle_entry *entry, double time, double motion) {
    double duration = (double)entry->clip->duration;
    time += motion;
    if (sinew_action_loop(o->mixer, entry->handle) == SINEW_LOOP_PING_PONG)
        time = time < 0.0 ? -time : time > duration ? 2.0 * duration - time : time;
    return (float)fmin(duration, fmax(0.0, time));
}

// The motion over `seconds` of the clip of a mixer that looks ahead.
static double motion_ahead(const mixer_oracle *o, const oracle_entry *entry) {
    double moved =
        (double)(sinew_action_time(o->probe, entry->handle) - sinew_action_time(o->mixer, entry->handle));
    double duration = (double)entry->clip->duration;
    return fabs(moved) > 0.5 * duration ? moved - copysign(duration, moved) : moved;
}

// Whether a clip that does not repeat finishes or turns within `seconds`.
static bool ends_within(const mixer_oracle *o, const oracle_entry *entry, double seconds) {
    double reach = rate_of(entry) * seconds + 1e-6, time = (double)sinew_action_time(o->mixer, entry->handle);
    if (sinew_action_loop(o->mixer, entry->handle) != SINEW_LOOP_PING_PONG) return false;
    return time < reach || time > (double)entry->clip->duration - reach;
}

void oracle_probe_rates(mixer_oracle *o) {
    const float ahead = 1.0f / 2048.0f;
    size_t size = sinew_mixer_save(o->mixer, o->snapshot);
    assert_true(sinew_mixer_restore(o->probe, o->snapshot, size));
    sinew_mixer_advance(o->probe, ahead);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_action(entry)) continue;
        bool lives = sinew_action_is_active(o->probe, entry->handle), ends = ends_within(o, entry, (double)ahead);
        entry->rate = lives && !ends ? motion_ahead(o, entry) * o->dt / (double)ahead : entry->moved_at_end;
    }
}

// Whether a clip that plays once has finished, or does within `seconds`.
static bool is_at_end(const mixer_oracle *o, const oracle_entry *entry, double seconds) {
    double reach = rate_of(entry) * seconds, duration = (double)entry->clip->duration, time = (double)entry->time;
    if (sinew_action_loop(o->mixer, entry->handle) != SINEW_LOOP_ONCE) return false;
    return entry->speed < 0.0 ? time <= reach : time >= duration - reach;
}

// Notes the rates at the end of a frame. A clip that finishes there has moved until then.
static void note_ends(mixer_oracle *o) {
    oracle_probe_rates(o);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_action(entry)) continue;
        entry->end_rate = entry->rate;
        entry->arrival_rate = is_at_end(o, entry, LOOK_SECONDS) ? entry->arrival : entry->rate;
    }
}

// Evaluates a moment before or after the end of the last frame as if no call were made.
static void evaluate_near(mixer_oracle *o, double seconds, oracle_pose *base, oracle_pose *out) {
    double part = seconds / o->dt;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (is_action(entry)) {
            double rate = seconds < 0.0 ? entry->arrival_rate : entry->end_rate;
            oracle_sample_at(o, entry->clip, oracle_time_after(o, entry, (double)entry->time, part * rate),
                             &entry->is);
            for (int32_t k = 0; k < o->skeleton->node_count; k++)
                give_sign(entry->is.nodes[k].q, entry->was.nodes[k].q);
        } else if (entry->is_used) {
            int velocity = entry->velocity;
            if (velocity < 0) entry->velocity = seconds > 0.0;
            if (entry->duration > 0.0) oracle_move_held_on_line(o, entry, seconds, &entry->is);
            entry->velocity = velocity;
        }
    }
    oracle_evaluate(o, o->layer_count, (moment){AFTER_FRAME, seconds, AS_BEFORE}, base, out);
    if (o->offset_duration > 0.0) oracle_add_offsets(o, oracle_offset_on_line(o, seconds), out, out);
}

// Whether two numbers differ by no more than rounding, of which a float's is the largest.
static bool is_same(double a, double b) {
    return fabs(a - b) <= 1e-6 * (1.0 + fabs(a));
}

// The rotations have the same sign.
static bool is_same_transform(const local_transform *a, const local_transform *b) {
    bool is_all_same = true;
    for (int c = 0; c < 3; c++) is_all_same &= is_same(a->t[c], b->t[c]) && is_same(a->s[c], b->s[c]);
    for (int c = 0; c < 4; c++) is_all_same &= is_same(a->q[c], b->q[c]);
    return is_all_same;
}

// Finds what an override layer has a part in, or additive layers change.
static void find_covered(mixer_oracle *o) {
    oracle_pose *base = &o->clips_moved, *whole = &o->shares_moved;
    oracle_evaluate(o, o->layer_count, (moment){BEFORE_FRAME, 0.0, BY_FADES}, base, whole);
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        o->is_covered[i] = !is_same_transform(&base->nodes[i], &whole->nodes[i]);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++)
        o->weight_is_covered[i] = fabs(base->weights[i] - whole->weights[i]) > 1e-6;
    for (int l = 1; l < o->layer_count; l++) {
        const oracle_layer *layer = &o->layers[l];
        bool contributes = oracle_sum_layer(o, l, (moment){BEFORE_FRAME, 0.0, BY_FADES}).count > 0;
        if (layer->additive || !contributes || fade_after(&layer->strength, 0.0) == 0.0) continue;
        for (int32_t i = 0; i < o->skeleton->node_count; i++)
            o->is_covered[i] |= !layer->mask || layer->mask->nodes[i] > 0.0f;
        for (int32_t i = 0; i < o->skeleton->weight_count; i++)
            o->weight_is_covered[i] |= !layer->mask || layer->mask->weights[i] > 0.0f;
    }
}

// Moves a pose and its neighbours in time to `to`.
static void move_pose(const mixer_oracle *o, const oracle_pose *to, oracle_pose *now, oracle_pose near[2]) {
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        local_transform node = to->nodes[i];
        give_sign(node.q, now->nodes[i].q);
        for (int k = 0; k < 2; k++) {
            local_motion change = motion_between(&now->nodes[i], &near[k].nodes[i]);
            near[k].nodes[i] = transform_moved(&node, &change, 1.0);
        }
        now->nodes[i] = node;
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        double change = to->weights[i] - now->weights[i];
        now->weights[i] += change, near[0].weights[i] += change, near[1].weights[i] += change;
    }
}

// Reads the mixer's pose, and evaluates it just before and just after: at the first call after a frame.
static void look_around(mixer_oracle *o) {
    if (o->has_near) return;
    if (!o->has_ends) note_ends(o);
    o->has_near = o->has_ends = true;
    o->is_anchored = false;
    oracle_read_pose(o, sinew_mixer_pose(o->mixer), &o->seen);
    find_covered(o);
    evaluate_near(o, -LOOK_SECONDS, &o->base_near[0], &o->near[0]);
    evaluate_near(o, LOOK_SECONDS, &o->base_near[1], &o->near[1]);
    evaluate_near(o, 0.0, &o->base_after, &o->clips_moved);
    move_pose(o, &o->base, &o->base_after, o->base_near); // after a call of this frame they are the mixer's
    move_pose(o, &o->shown, &o->clips_moved, o->near);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (entry->is_used && !is_action(entry)) oracle_copy_pose(o, &entry->was, &entry->is);
    }
}

// Takes the mixer's pose for the current one: transitions that do not evaluate the old clips start from that pose.
// Its velocity is the model's.
static void anchor(mixer_oracle *o) {
    if (o->is_anchored) return;
    o->is_anchored = true;
    bool is_base = o->layer_count == 1 && o->offset_duration == 0.0;
    if (is_base) move_pose(o, &o->seen, &o->base, o->base_near);
    move_pose(o, &o->seen, &o->shown, o->near);
    points_of_pose(&o->points, o->shown.nodes, o->before);
}

// Gives a new entry's rotations a side: differences that of the identity; the first entry of a layer any one.
static void give_sides(mixer_oracle *o, oracle_entry *entry) {
    static const double identity[4] = {0, 0, 0, 1};
    layer_sum sum = oracle_sum_layer(o, entry->layer, (moment){BEFORE_FRAME, 0.0, BY_FADES});
    bool adds = o->layers[entry->layer].additive;
    memset(entry->has_no_side, 0, (size_t)o->skeleton->node_count);
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (adds) give_sign(entry->was.nodes[i].q, identity);
        if (!adds && entry->layer == 0) give_sign(entry->was.nodes[i].q, o->base.nodes[i].q);
    }
    if (!adds && sum.count > 0) oracle_forget_sides(o, entry);
    if (!adds && sum.count == 0) oracle_forget_layer_sides(o, entry->layer > 0 ? entry->layer : 1);
}

// An inertialization of everything that the calls of this frame change at once.
static void absorb(mixer_oracle *o, double duration) {
    anchor(o);
    o->offset_duration = o->offset_is_new ? fmax(o->offset_duration, duration) : duration;
    o->offset_is_new = true; // the velocities are those before an eviction
    o->offset_velocity = -1;
}

static void change_speed(oracle_entry *entry, double speed) {
    entry->moved_at_end *= entry->speed != 0.0 ? speed / entry->speed : 1.0;
    entry->speed = speed;
}

// Whether nothing else has a part in a layer: the layer's side is that of the entry.
static bool is_alone_in_layer(const mixer_oracle *o, const oracle_entry *entry) {
    layer_sum sum = oracle_sum_layer(o, entry->layer, (moment){BEFORE_FRAME, 0.0, BY_FADES});
    bool fills = entry->layer == 0 && o->fills_with_rest && sum.sum < 1.0;
    return !fills && sum.count == 1 && sum.entries[0] == entry;
}

// Goes to another time of the clip, which is inertialized: the rotations may change their sides.
static void jump_to(mixer_oracle *o, oracle_entry *entry, float time) {
    entry->time = time;
    entry->moved = entry->moved_at_end = entry->speed * o->dt;
    oracle_move_root(o, entry);
    oracle_sample(o, entry, &entry->was);
    oracle_forget_sides(o, entry);
    if (o->layers[entry->layer].additive) return;
    if (is_alone_in_layer(o, entry)) oracle_forget_layer_sides(o, entry->layer > 0 ? entry->layer : 1);
}

static void start_at(mixer_oracle *o, oracle_entry *entry, float time) {
    entry->time = time;
    entry->moved = entry->moved_at_end = entry->speed * o->dt;
    oracle_move_root(o, entry);
    oracle_sample(o, entry, &entry->was);
    give_sides(o, entry);
}

// The members of a sync group go to the phase of one that starts again. If that shows, it is inertialized.
static void follow_group(mixer_oracle *o, const oracle_entry *leader, double duration) {
    bool shows = false;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        bool follows = is_action(entry) && entry != leader && entry->sync != 0 && entry->sync == leader->sync;
        if (!follows || !sinew_action_is_active(o->mixer, entry->handle)) continue;
        float time = sinew_action_time(o->mixer, entry->handle);
        if (time == entry->time) continue;
        jump_to(o, entry, time);
        shows |= weight_now(entry) > 0.0;
    }
    if (shows) absorb(o, duration);
}

// Returns the entry of a handle, which is new or exists already.
static oracle_entry *add_action(mixer_oracle *o, sinew_action handle, const sinew_clip *clip,
                                const sinew_play_def *def) {
    oracle_entry *entry = find(o, handle);
    float time = sinew_action_time(o->mixer, handle);
    bool is_new = !entry, jumps = entry && entry->time != time;
    if (jumps && weight_now(entry) > 0.0) absorb(o, (double)def->fade);
    if (!entry) {
        entry = take_entry(o);
        entry->handle = handle;
        entry->clip = clip;
        entry->layer = def->layer;
    }
    entry->sync = def->loop == SINEW_LOOP_REPEAT ? def->sync : 0;
    entry->full_weight = (double)def->weight;
    entry->curve = (int)def->curve;
    bool goes_on = !is_new && entry->loop == def->loop; // or forward
    if (goes_on) change_speed(entry, (double)def->speed);
    if (!goes_on) entry->moved_at_end = (double)def->speed * o->dt;
    entry->speed = (double)def->speed;
    entry->loop = def->loop;
    if (is_new) start_at(o, entry, time);
    if (jumps) jump_to(o, entry, time);
    follow_group(o, entry, (double)def->fade);
    return entry;
}

void oracle_begin(mixer_oracle *o, sinew_mixer *mixer, const sinew_mixer_def *def, const sinew_clip *clip,
                  sinew_action action, double dt) {
    o->mixer = mixer;
    assert_int_equal(sinew_mixer_create(def, &o->probe, NULL), SINEW_OK);
    o->snapshot = zeros(sinew_mixer_snapshot_size(mixer), 1);
    o->fills_with_rest = def->underweight == SINEW_UNDERWEIGHT_REST;
    o->layer_count = def->layer_count;
    o->ages = 0;
    o->root = (oracle_root){.node = def->root_motion ? def->root_motion->node : SINEW_NO_NODE};
    o->offset_duration = 0.0;
    o->offset_is_new = o->has_near = o->has_ends = false;
    o->wrong = NULL;
    o->dt = dt;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) o->entries[i].is_used = false;
    for (int i = 0; i < ORACLE_MAX_LAYERS; i++) {
        oracle_layer *layer = &o->layers[i];
        *layer = (oracle_layer){
            .strength = fade_at(1.0), .is_opposite = layer->is_opposite, .has_no_side = layer->has_no_side};
        memset(layer->is_opposite, 0, (size_t)o->skeleton->node_count * sizeof *layer->is_opposite);
    }
    memset(o->rest_is_opposite, 0, (size_t)o->skeleton->node_count * sizeof *o->rest_is_opposite);
    oracle_forget_layer_sides(o, 0);
    oracle_copy_pose(o, &o->rest, &o->base);
    sinew_play_def defaults = sinew_play_default();
    oracle_entry *first = add_action(o, action, clip, &defaults);
    first->target = 1.0;
    first->is_shown = true;
    first->weight = first->share = fade_at(1.0);
    memcpy(first->root_before, first->root, sizeof first->root);
    memcpy(o->root.shown, first->root, sizeof first->root);
    oracle_copy_pose(o, &first->was, &o->base);
    oracle_copy_pose(o, &first->was, &o->shown);
    points_of_pose(&o->points, o->shown.nodes, o->before);
    o->evictions = o->requests = 0;
}

void oracle_end(mixer_oracle *o) {
    sinew_mixer_destroy(o->probe);
    free(o->snapshot);
}

void oracle_fade_to(mixer_oracle *o, oracle_entry *entry, float weight, float duration) {
    look_around(o);
    sinew_action_fade_to(o->mixer, entry->handle, weight, duration);
    request(o, entry, (double)weight, (double)duration, entry->curve, false);
}

void oracle_fade_out(mixer_oracle *o, oracle_entry *entry, float duration) {
    look_around(o);
    sinew_action_fade_out(o->mixer, entry->handle, duration);
    request(o, entry, 0.0, (double)duration, entry->curve, true);
}

void oracle_set_speed(mixer_oracle *o, oracle_entry *entry, float speed) {
    look_around(o);
    sinew_action_set_speed(o->mixer, entry->handle, speed);
    change_speed(entry, (double)speed);
}

void oracle_seek(mixer_oracle *o, oracle_entry *entry, float time, float duration) {
    look_around(o);
    sinew_mixer_inertialize(o->mixer, duration);
    sinew_action_set_time(o->mixer, entry->handle, time);
    jump_to(o, entry, sinew_action_time(o->mixer, entry->handle));
    follow_group(o, entry, (double)duration);
    absorb(o, (double)duration);
}

void oracle_set_mask(mixer_oracle *o, int layer, const sinew_mask *mask, float duration) {
    look_around(o);
    sinew_mixer_inertialize(o->mixer, duration);
    sinew_layer_set_mask(o->mixer, layer, mask);
    o->layers[layer].mask = mask;
    oracle_forget_layer_sides(o, layer);
    absorb(o, (double)duration);
}

void oracle_layer_fade(mixer_oracle *o, int layer, float weight, float duration, sinew_curve curve) {
    look_around(o);
    sinew_layer_fade_to(o->mixer, layer, weight, duration, curve);
    fade_begin(&o->layers[layer].strength, (double)weight, (double)duration, (int)curve);
}

// Returns the newest action that plays a clip in a layer, or NULL.
static oracle_entry *newest(mixer_oracle *o, const sinew_clip *clip, int layer) {
    oracle_entry *found = NULL;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || !is_in(entry, layer) || entry->clip != clip) continue;
        if (!found || entry->age > found->age) found = entry;
    }
    return found;
}

// The cycles a second of the fastest action of a layer or a sync group.
static double fastest_cycles(const mixer_oracle *o, int layer, int sync) {
    double most = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool is_one = sync ? entry->sync == sync : entry->layer == layer;
        if (is_action(entry) && is_one) most = fmax(most, rate_of(entry) / (double)entry->clip->duration);
    }
    return most;
}

// Allows an action a rate in cycles a second.
static void start_at_rate(oracle_entry *entry, double cycles) {
    double own = fabs(entry->speed) / (double)entry->clip->duration;
    if (entry->sync && own > 0.0) entry->warp = fmax(entry->warp, cycles / own);
}

// Actions that share a rate play at most as many cycles a second as the fastest of them.
static void share_rates(mixer_oracle *o, int layer, int sync) {
    double most = fastest_cycles(o, layer, sync);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        bool is_one = sync ? entry->sync == sync : entry->layer == layer;
        double own = is_action(entry) ? fabs(entry->speed) / (double)entry->clip->duration : 0.0;
        if (is_one && own > 0.0) entry->warp = fmax(entry->warp, most / own);
    }
}

static void allow_rates(mixer_oracle *o, const oracle_entry *entry, bool warps) {
    if (entry->sync) share_rates(o, entry->layer, entry->sync);
    if (warps) share_rates(o, entry->layer, 0);
}

void oracle_play(mixer_oracle *o, const sinew_clip *clip, const sinew_play_def *def) {
    look_around(o);
    const oracle_entry *old = def->allow_duplicate ? NULL : newest(o, clip, def->layer);
    sinew_action handle = sinew_mixer_play(o->mixer, sinew_clip_source(clip), def), replaced = {0};
    if (handle.id == 0) return;
    o->requests++;
    if (old && old->handle.id != handle.id) replaced = old->handle;
    hold_evicted(o, (double)def->fade);
    oracle_entry *fades = find(o, replaced);
    if (fades && !fades->stops) request(o, fades, 0.0, (double)def->fade, (int)def->curve, true);
    oracle_entry *entry = add_action(o, handle, clip, def);
    allow_rates(o, entry, false);
    request(o, entry, (double)def->weight, (double)def->fade, entry->curve, false);
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static void cross_fade(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def, sinew_action handle) {
    double duration = (double)transition->duration, cycles = fastest_cycles(o, def->layer, def->sync);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, def->layer) || !is_action(entry) || entry->handle.id == handle.id) continue;
        request(o, entry, 0.0, duration, (int)transition->curve, true);
    }
    hold_evicted(o, duration);
    oracle_entry *entry = add_action(o, handle, clip, def);
    allow_rates(o, entry, transition->warp);
    start_at_rate(entry, cycles);
    request(o, entry, (double)def->weight, duration, (int)transition->curve, false);
}

static void clear_layer(mixer_oracle *o, int layer, sinew_action but) {
    o->layers[layer].changes = false;
    o->layers[layer].change_duration = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer)) continue;
        entry->weight = entry->share = fade_at(0.0);
        entry->target = 0.0;
        entry->is_requested = false;
        if (entry->handle.id != but.id || entry->handle.id == 0) entry->is_used = false;
    }
}

// Whether a dead blend extrapolates the current pose, with the offsets, and not the base's own pose without them: where
// nothing covers the base, and after an inertialization that has just started, whose pose was not shown yet.
static bool takes_whole(const mixer_oracle *o, bool is_covered) {
    return o->offset_is_new || (o->offset_duration > 0.0 && !is_covered);
}

// The pose that another dead blend has held since the last frame.
static const oracle_entry *find_fresh(const mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (is_in(entry, 0) && !is_action(entry) && entry->duration > 0.0 && entry->moved == 0.0) return entry;
    }
    return NULL;
}

// One dead blend right after another holds the same pose, with velocities that both limit.
static void continue_held(const mixer_oracle *o, const oracle_entry *fresh, oracle_entry *held) {
    size_t size = (size_t)o->skeleton->node_count * sizeof *held->velocities[0];
    oracle_copy_pose(o, &o->clips_moved, &held->was);
    oracle_copy_pose(o, &o->clips_moved, &held->is);
    for (int k = 0; k < 2 && fresh != held; k++) memcpy(held->velocities[k], fresh->velocities[k], size);
}

// Holds the current transform of a node, and its velocities before and after.
static void take_motion(mixer_oracle *o, oracle_entry *held, int32_t i) {
    bool whole = takes_whole(o, o->is_covered[i]);
    const oracle_pose *now = whole ? &o->shown : &o->base, *near = whole ? o->near : o->base_near;
    local_motion before = motion_between(&near[0].nodes[i], &now->nodes[i]);
    local_motion after = motion_between(&now->nodes[i], &near[1].nodes[i]);
    held->was.nodes[i] = held->is.nodes[i] = now->nodes[i];
    held->velocities[0][i] = motion_scaled(&before, 1.0 / LOOK_SECONDS);
    held->velocities[1][i] = motion_scaled(&after, 1.0 / LOOK_SECONDS);
    if (!whole) return;
    o->offsets[i].count = o->offsets[i].taken = 0;
    o->offsets[i].starts[0] = (offset_start){.velocities = {{{0}, {0}, {0}}}};
}

// Everything in the base is replaced by its pose, which is extrapolated and fades out.
static void dead_blend(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def, sinew_action handle) {
    double duration = (double)transition->duration, cycles = fastest_cycles(o, 0, def->sync);
    const oracle_entry *fresh = o->offset_is_new ? NULL : find_fresh(o);
    if (o->offset_is_new) oracle_forget_layer_sides(o, 1);
    if (fresh) oracle_copy_pose(o, &fresh->was, &o->clips_moved); // the entry may be the new one
    clear_layer(o, 0, handle);
    oracle_entry *held = oracle_hold_base(o, true);
    held->duration = duration;
    if (fresh) continue_held(o, fresh, held);
    for (int32_t i = 0; i < o->skeleton->node_count && !fresh; i++) {
        take_motion(o, held, i);
    }
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        for (int k = 0; k < 2; k++)
            oracle_limit_velocity(&held->velocities[k][i], &held->was.nodes[i], duration / 3.0);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        if (!takes_whole(o, o->weight_is_covered[i])) continue;
        held->was.weights[i] = held->is.weights[i] = o->shown.weights[i];
        o->weight_offset[i] = o->weight_offset_velocity[i] = 0.0;
    }
    held->velocity = -1;
    hold_evicted(o, duration);
    oracle_entry *entry = add_action(o, handle, clip, def);
    allow_rates(o, entry, false);
    start_at_rate(entry, cycles);
    request(o, entry, (double)def->weight, duration, (int)transition->curve, false);
    if (!o->offset_is_new) o->has_near = false; // from now on the held pose moves
}

static void inertialize(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                        const sinew_play_def *def, sinew_action handle) {
    double cycles = fastest_cycles(o, def->layer, def->sync);
    clear_layer(o, def->layer, handle);
    absorb(o, (double)transition->duration);
    hold_evicted(o, (double)transition->duration);
    oracle_entry *entry = add_action(o, handle, clip, def);
    allow_rates(o, entry, false);
    start_at_rate(entry, cycles);
    double weight = (double)def->weight;
    entry->weight = fade_at(weight);
    entry->target = weight;
    entry->stops = false;
    entry->share = fade_at(leaves_remainder(o, def->layer) ? fmin(1.0, weight) : 1.0);
    oracle_forget_layer_sides(o, def->layer); // and that of the rest pose
}

void oracle_transition(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def) {
    look_around(o);
    double phase = oracle_phase_of_group(o, def->sync, NULL);
    sinew_action handle = sinew_mixer_transition_to(o->mixer, sinew_clip_source(clip), transition, def);
    if (handle.id == 0) return; // no slot was free, and the call was a no-op
    o->requests++;
    sinew_play_def own = *def;
    own.fade = transition->duration;
    def = &own;
    if (transition->kind != SINEW_TRANSITION_FADE) anchor(o);
    if (transition->kind == SINEW_TRANSITION_DEAD_BLEND && def->layer == 0) {
        dead_blend(o, clip, transition, def, handle);
    } else if (transition->kind == SINEW_TRANSITION_INERTIALIZE) {
        inertialize(o, clip, transition, def, handle);
    } else {
        cross_fade(o, clip, transition, def, handle);
    }
    oracle_entry *entry = find(o, handle);
    double joined = (double)(entry->time / clip->duration);
    bool joins = entry->sync && phase >= 0.0 && !def->restart; // or the group starts again with it
    if (joins && is_out_of_phase(joined, phase)) o->lost_phase = true;
}

double oracle_phase_of_group(const mixer_oracle *o, int sync, const oracle_entry *but) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || entry == but || sync == 0 || entry->sync != sync) continue;
        if (!sinew_action_is_active(o->mixer, entry->handle)) continue;
        return (double)(sinew_action_time(o->mixer, entry->handle) / entry->clip->duration);
    }
    return -1.0;
}
