// SPDX-License-Identifier: MIT
// The state of the mixer oracle, and the calls that change it.
#include "support/oracle_parts.h"

#include "mixer/mixer_data.h"

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

enum { OWN_POSES = 13 };

static void own_poses(mixer_oracle *o, oracle_pose *poses[OWN_POSES]) {
    oracle_pose *all[OWN_POSES] = {&o->rest,         &o->shown,  &o->shown_before,    &o->base,
                                   &o->base_before,  &o->ahead,  &o->base_ahead,      &o->clips_moved,
                                   &o->shares_moved, &o->result, &o->with_offsets[0], &o->with_offsets[1],
                                   &o->seen};
    memcpy(poses, all, sizeof all);
}

void oracle_create(mixer_oracle *o, const sinew_skeleton *skeleton) {
    size_t n = (size_t)skeleton->node_count, m = (size_t)skeleton->weight_count;
    *o = (mixer_oracle){.skeleton = skeleton};
    pose_points_create(&o->points, skeleton);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &o->pose), SINEW_OK);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        create_pose(skeleton, &o->entries[i].was);
        create_pose(skeleton, &o->entries[i].is);
        o->entries[i].velocity = zeros(n, sizeof(local_motion));
    }
    oracle_pose *poses[OWN_POSES];
    own_poses(o, poses);
    for (int i = 0; i < OWN_POSES; i++) create_pose(skeleton, poses[i]);
    o->offset = zeros(n, sizeof *o->offset);
    o->offset_velocity = zeros(n, sizeof *o->offset_velocity);
    o->weight_source = zeros(m, sizeof *o->weight_source);
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
        destroy_pose(&o->entries[i].is);
        free(o->entries[i].velocity);
    }
    oracle_pose *poses[OWN_POSES];
    own_poses(o, poses);
    for (int i = 0; i < OWN_POSES; i++) destroy_pose(poses[i]);
    free(o->offset), free(o->offset_velocity), free(o->weight_source), free(o->weight_offset),
        free(o->weight_offset_velocity);
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
                            .is = entry->is,
                            .velocity = entry->velocity,
                            .age = ++o->ages,
                            .warp = 1.0};
    return entry;
}

// ---- Proportions ---------------------------------------------------------------------------------------------

// The actions that remain when all of the base fade out: those whose fades end last. Returns the sum of their shares.
typedef struct last_actions {
    double left, shares; // seconds; the sum of their shares
} last_actions;

static bool is_last(const oracle_entry *entry, const last_actions *last) {
    return is_in(entry, 0) && is_action(entry) && fade_left(&entry->weight) > last->left - 1e-6;
}

static last_actions last_of_base(const mixer_oracle *o) {
    last_actions last = {0.0, 0.0};
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool counts = is_in(entry, 0) && is_action(entry) && fade_after(&entry->share, 0.0) > 0.0;
        if (counts) last.left = fmax(last.left, fade_left(&entry->weight));
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_last(&o->entries[i], &last)) last.shares += fade_after(&o->entries[i].share, 0.0);
    }
    return last;
}

static double sum_of_targets(const mixer_oracle *o, int layer) {
    double sum = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_in(&o->entries[i], layer)) sum += o->entries[i].target;
    }
    return sum;
}

// The share of an entry when all fades have ended.
static double target_share(const mixer_oracle *o, const oracle_entry *entry, double sum, const last_actions *last) {
    if (entry->layer > 0 || o->fills_with_rest) return entry->target / fmax(1.0, sum);
    if (sum > 0.0) return entry->target / sum;
    if (last->shares > 0.0) return is_last(entry, last) ? fade_after(&entry->share, 0.0) / last->shares : 0.0;
    return entry->handle.id == 0 && !entry->is_evicted ? 1.0 : 0.0; // nothing plays, and the pose stays held
}

// Divides the shares of a layer by their sum, so that they can be compared with targets.
static void divide_shares(mixer_oracle *o, int layer) {
    double sum = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_in(&o->entries[i], layer)) sum += fade_after(&o->entries[i].share, 0.0);
    }
    if (layer > 0 || o->fills_with_rest) sum = fmax(1.0, sum);
    for (int i = 0; sum > 0.0 && i < ORACLE_MAX_ENTRIES; i++) {
        if (!is_in(&o->entries[i], layer)) continue;
        o->entries[i].share.from /= sum;
        o->entries[i].share.to /= sum;
    }
}

// The seconds that a share takes to its target: a fade that was requested takes the new duration, one that is in
// progress the rest of its own.
static double seconds_to_target(const oracle_entry *entry, double duration) {
    double left = fade_left(&entry->share);
    return !entry->is_requested && left > 0.0 ? left : duration;
}

// Begins a fade of every share of a layer whose target changed. In the base, divided by the sum, a share does not take
// longer to rise than the others to fall: otherwise their last part would be steep.
static void retarget(mixer_oracle *o, int layer, double duration, int curve) {
    last_actions last = layer == 0 ? last_of_base(o) : (last_actions){0.0, 0.0};
    double sum = sum_of_targets(o, layer), falls = 0.0;
    divide_shares(o, layer);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool fall = is_in(entry, layer) && target_share(o, entry, sum, &last) < fade_after(&entry->share, 0.0);
        if (fall) falls = fmax(falls, seconds_to_target(entry, duration));
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer)) continue;
        double to = target_share(o, entry, sum, &last), seconds = seconds_to_target(entry, duration);
        bool rises = layer == 0 && !o->fills_with_rest && to > fade_after(&entry->share, 0.0);
        bool is_late = rises && falls > 0.0 && seconds > falls;
        int own_curve = !entry->is_requested && fade_left(&entry->share) > 0.0 ? entry->share.curve : curve;
        if (entry->is_requested || is_late || fabs(to - entry->share.to) > 1e-6) {
            fade_begin(&entry->share, to, is_late ? falls : seconds, own_curve);
        }
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (is_in(&o->entries[i], layer)) o->entries[i].is_requested = false;
    }
}

// If a held pose is all that shows in the base, it fades out over the time of a fade-in.
static void request_held(mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (is_in(entry, 0) && is_action(entry) && fade_after(&entry->share, 0.0) > 0.0) return;
    }
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, 0) || is_action(entry)) continue;
        entry->is_requested = true;
        entry->share = fade_at(fade_after(&entry->share, 0.0));
    }
}

static void request(oracle_entry *entry, double weight, double duration, int curve, bool stops) {
    fade_begin(&entry->weight, weight, duration, curve);
    entry->target = weight;
    entry->stops = stops;
    entry->is_requested = true;
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

// Evicted actions are held and fade out, over the rest of their own fade or over that of the new action.
static void hold_evicted(mixer_oracle *o, double duration) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || sinew_action_is_active(o->mixer, entry->handle)) continue;
        double left = entry->stops ? fade_left(&entry->weight) : duration;
        bool shows = fade_after(&entry->share, 0.0) > 0.0 && left > 0.0;
        hold_entry(o, entry);
        entry->is_evicted = true;
        fade_begin(&entry->share, 0.0, left, entry->curve);
        entry->is_used = shows;
        o->evictions++;
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

// The clip's time a frame later, at the rate of the last frame.
static float time_ahead(const mixer_oracle *o, const oracle_entry *entry) {
    double time = (double)entry->time + entry->moved, duration = (double)entry->clip->duration;
    switch (sinew_action_loop(o->mixer, entry->handle)) {
    case SINEW_LOOP_REPEAT:
        time -= duration * floor(time / duration);
        break;
    case SINEW_LOOP_PING_PONG:
        time = time < 0.0 ? -time : time > duration ? 2.0 * duration - time : time;
        break;
    default:
        break;
    }
    return (float)fmin(duration, fmax(0.0, time));
}

// Evaluates the next frame as if no call were made: at the first call after a frame.
static void look_ahead(mixer_oracle *o) {
    if (o->has_ahead) return;
    o->has_ahead = true;
    o->is_anchored = false;
    oracle_read_pose(o, sinew_mixer_pose(o->mixer), &o->seen);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (is_action(entry)) {
            oracle_sample_at(o, entry->clip, time_ahead(o, entry), &entry->is);
            for (int32_t k = 0; k < o->skeleton->node_count; k++)
                give_sign(entry->is.nodes[k].q, entry->was.nodes[k].q);
        } else if (entry->is_used) {
            oracle_move_held(o, entry, o->dt);
        }
    }
    oracle_evaluate(o, o->layer_count, (moment){true, o->dt}, &o->base_ahead, &o->ahead);
    if (o->offset_duration > 0.0) oracle_add_offsets(o, oracle_offset_after(o, o->dt), &o->ahead, &o->ahead);
}

// Moves a pose and its neighbours in time to `to`.
static void move_pose(const mixer_oracle *o, const oracle_pose *to, oracle_pose *before, oracle_pose *now,
                      oracle_pose *after) {
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        local_motion back = motion_between(&now->nodes[i], &before->nodes[i]);
        local_motion ahead = motion_between(&now->nodes[i], &after->nodes[i]);
        local_transform node = to->nodes[i];
        give_sign(node.q, now->nodes[i].q);
        now->nodes[i] = node;
        before->nodes[i] = transform_moved(&node, &back, 1.0);
        after->nodes[i] = transform_moved(&node, &ahead, 1.0);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        double change = to->weights[i] - now->weights[i];
        before->weights[i] += change, now->weights[i] += change, after->weights[i] += change;
    }
}

// Takes the mixer's pose for the current one: transitions that do not evaluate the old clips start from what is shown.
// Its velocity is the model's.
static void anchor(mixer_oracle *o) {
    if (o->is_anchored) return;
    o->is_anchored = true;
    bool is_base = o->layer_count == 1 && o->offset_duration == 0.0;
    if (is_base) move_pose(o, &o->seen, &o->base_before, &o->base, &o->base_ahead);
    move_pose(o, &o->seen, &o->shown_before, &o->shown, &o->ahead);
    points_of_pose(&o->points, o->shown.nodes, o->before);
}

// The side on which the mixer adds the rotations of an action: the third fact that is read from it. Which of two arcs
// a blend follows is its choice; that it keeps to one is the contract's.
static void take_signs(mixer_oracle *o, oracle_entry *entry) {
    const sinew_mixer *mixer = o->mixer;
    const uint16_t *sides = sinew_side_row(mixer, (size_t)(entry->handle.id & 0xff) - 1);
    const uint16_t *layer = sinew_side_row(mixer, sinew_side_row_of_layer(&mixer->def, entry->layer));
    bool has_layer = entry->layer > 0 && !o->layers[entry->layer].additive;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        int bits = sides[i / SINEW_LANES] ^ (has_layer ? layer[i / SINEW_LANES] : 0);
        if ((bits >> i % SINEW_LANES & 1) != 0) quat_negate(entry->was.nodes[i].q);
    }
}

// Returns the entry of a handle, which is new or exists already.
static oracle_entry *add_action(mixer_oracle *o, sinew_action handle, const sinew_clip *clip,
                                const sinew_play_def *def) {
    oracle_entry *entry = find(o, handle);
    float time = sinew_action_time(o->mixer, handle);
    bool is_new = !entry || entry->time != time;
    if (!entry) {
        entry = take_entry(o);
        entry->handle = handle;
        entry->clip = clip;
        entry->layer = def->layer;
    }
    entry->sync = def->loop == SINEW_LOOP_REPEAT ? def->sync : 0;
    entry->full_weight = (double)def->weight;
    entry->curve = (int)def->curve;
    entry->speed = (double)def->speed;
    entry->time = time;
    if (!is_new) return entry;
    entry->moved = entry->speed * o->dt;
    oracle_move_root(o, entry);
    oracle_sample(o, entry, &entry->was);
    take_signs(o, entry);
    return entry;
}

void oracle_begin(mixer_oracle *o, sinew_mixer *mixer, const sinew_mixer_def *def, const sinew_clip *clip,
                  sinew_action action, double dt) {
    o->mixer = mixer;
    o->fills_with_rest = def->underweight == SINEW_UNDERWEIGHT_REST;
    o->layer_count = def->layer_count;
    o->ages = 0;
    o->root = (oracle_root){.node = def->root_motion ? def->root_motion->node : SINEW_NO_NODE};
    o->offset_duration = 0.0;
    o->offset_is_new = o->has_ahead = false;
    o->wrong = NULL;
    o->dt = dt;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) o->entries[i].is_used = false;
    for (int i = 0; i < ORACLE_MAX_LAYERS; i++) o->layers[i] = (oracle_layer){.strength = fade_at(1.0)};
    oracle_copy_pose(o, &o->rest, &o->base);
    sinew_play_def defaults = sinew_play_default();
    oracle_entry *first = add_action(o, action, clip, &defaults);
    first->target = 1.0;
    first->weight = first->share = fade_at(1.0);
    memcpy(first->root_before, first->root, sizeof first->root);
    memcpy(o->root.shown, first->root, sizeof first->root);
    oracle_copy_pose(o, &first->was, &o->base);
    oracle_copy_pose(o, &first->was, &o->shown);
    sinew_clip_sample(clip, (float)fmax(0.0, (double)first->time - dt), o->pose);
    oracle_read_pose(o, o->pose, &o->shown_before);
    for (int32_t i = 0; i < o->skeleton->node_count; i++)
        give_sign(o->shown_before.nodes[i].q, o->shown.nodes[i].q);
    oracle_copy_pose(o, &o->shown_before, &o->base_before);
    points_of_pose(&o->points, o->shown.nodes, o->before);
    o->evictions = o->requests = 0;
}

void oracle_fade_to(mixer_oracle *o, oracle_entry *entry, float weight, float duration) {
    look_ahead(o);
    sinew_action_fade_to(o->mixer, entry->handle, weight, duration);
    request(entry, (double)weight, (double)duration, entry->curve, false);
    retarget(o, entry->layer, (double)duration, entry->curve);
}

void oracle_fade_out(mixer_oracle *o, oracle_entry *entry, float duration) {
    look_ahead(o);
    sinew_action_fade_out(o->mixer, entry->handle, duration);
    request(entry, 0.0, (double)duration, entry->curve, true);
    retarget(o, entry->layer, (double)duration, entry->curve);
}

void oracle_set_speed(mixer_oracle *o, oracle_entry *entry, float speed) {
    look_ahead(o);
    sinew_action_set_speed(o->mixer, entry->handle, speed);
    entry->speed = (double)speed;
}

void oracle_layer_fade(mixer_oracle *o, int layer, float weight, float duration, sinew_curve curve) {
    look_ahead(o);
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

// Actions that share a rate play at most as many cycles a second as the fastest of them.
static void share_rates(mixer_oracle *o, int layer, int sync) {
    double most = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
            oracle_entry *entry = &o->entries[i];
            bool is_one = sync ? entry->sync == sync : entry->layer == layer;
            if (!is_action(entry) || !is_one) continue;
            double cycles = rate_of(entry) / (double)entry->clip->duration, own = cycles / entry->warp;
            if (pass == 0) most = fmax(most, cycles);
            if (pass == 1) entry->warp = fmax(entry->warp, most / own);
        }
    }
}

static void note_rates(mixer_oracle *o, const oracle_entry *entry, bool warps) {
    if (entry->sync) share_rates(o, entry->layer, entry->sync);
    if (warps) share_rates(o, entry->layer, 0);
}

void oracle_play(mixer_oracle *o, const sinew_clip *clip, const sinew_play_def *def) {
    look_ahead(o);
    const oracle_entry *old = def->allow_duplicate ? NULL : newest(o, clip, def->layer);
    sinew_action handle = sinew_mixer_play(o->mixer, sinew_clip_source(clip), def), replaced = {0};
    if (handle.id == 0) return;
    o->requests++;
    if (old && old->handle.id != handle.id) replaced = old->handle;
    hold_evicted(o, (double)def->fade);
    oracle_entry *fades = find(o, replaced);
    if (fades && !fades->stops) request(fades, 0.0, (double)def->fade, (int)def->curve, true);
    oracle_entry *entry = add_action(o, handle, clip, def);
    note_rates(o, entry, false);
    if (def->layer == 0) request_held(o);
    request(entry, (double)def->weight, (double)def->fade, entry->curve, false);
    retarget(o, def->layer, (double)def->fade, entry->curve);
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static void cross_fade(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def, sinew_action handle) {
    double duration = (double)transition->duration;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, def->layer) || !is_action(entry) || entry->handle.id == handle.id) continue;
        request(entry, 0.0, duration, (int)transition->curve, true);
    }
    hold_evicted(o, duration);
    oracle_entry *entry = add_action(o, handle, clip, def);
    note_rates(o, entry, transition->warp);
    if (def->layer == 0) request_held(o);
    request(entry, (double)def->weight, duration, (int)transition->curve, false);
    retarget(o, def->layer, duration, (int)transition->curve);
}

static void clear_layer(mixer_oracle *o, int layer, sinew_action but) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer)) continue;
        entry->weight = entry->share = fade_at(0.0);
        entry->target = 0.0;
        if (entry->handle.id != but.id || entry->handle.id == 0) entry->is_used = false;
    }
}

// Everything in the base is replaced by its pose, which is extrapolated and fades out.
static void dead_blend(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def, sinew_action handle) {
    double duration = (double)transition->duration;
    clear_layer(o, 0, handle);
    oracle_entry *held = oracle_hold_base(o, true);
    held->duration = duration;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        local_motion last = motion_between(&o->base_before.nodes[i], &o->base.nodes[i]);
        local_motion next = motion_between(&o->base.nodes[i], &o->base_ahead.nodes[i]);
        local_motion moved = oracle_larger_motion(&last, &next);
        held->velocity[i] = motion_scaled(&moved, 1.0 / o->dt);
        oracle_limit_velocity(&held->velocity[i], &o->base.nodes[i], duration / 3.0);
    }
    hold_evicted(o, duration);
    oracle_entry *entry = add_action(o, handle, clip, def);
    note_rates(o, entry, false);
    request(entry, (double)def->weight, duration, (int)transition->curve, false);
    held->is_requested = true;
    retarget(o, 0, duration, (int)transition->curve);
}

static void inertialize(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                        const sinew_play_def *def, sinew_action handle) {
    clear_layer(o, def->layer, handle);
    hold_evicted(o, (double)transition->duration);
    oracle_entry *entry = add_action(o, handle, clip, def);
    note_rates(o, entry, false);
    double weight = (double)def->weight;
    entry->weight = fade_at(weight);
    entry->target = weight;
    entry->stops = false;
    entry->share = fade_at(target_share(o, entry, weight, &(last_actions){0.0, 0.0}));
    for (int32_t i = 0; def->layer == 0 && i < o->skeleton->node_count; i++)
        give_sign(entry->was.nodes[i].q, o->base.nodes[i].q);
    o->offset_is_new = true;
    o->offset_duration = (double)transition->duration;
}

// The most cycles a second of a sync group's members.
static double cycles_of_group(const mixer_oracle *o, int sync) {
    double most = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || sync == 0 || entry->sync != sync) continue;
        most = fmax(most, rate_of(entry) / (double)entry->clip->duration);
    }
    return most;
}

void oracle_transition(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def) {
    look_ahead(o);
    double phase = oracle_phase_of_group(o, def->sync, NULL), cycles = cycles_of_group(o, def->sync);
    sinew_action handle = sinew_mixer_transition_to(o->mixer, sinew_clip_source(clip), transition, def);
    if (handle.id == 0) return; // no slot was free, and the call was a no-op
    o->requests++;
    if (transition->kind != SINEW_TRANSITION_FADE) anchor(o);
    if (transition->kind == SINEW_TRANSITION_DEAD_BLEND && def->layer == 0) {
        dead_blend(o, clip, transition, def, handle);
    } else if (transition->kind == SINEW_TRANSITION_INERTIALIZE) {
        inertialize(o, clip, transition, def, handle);
    } else {
        cross_fade(o, clip, transition, def, handle);
    }
    oracle_entry *entry = find(o, handle);
    if (entry->sync) { // which it starts at the rate of
        double own = fabs(entry->speed) / (double)clip->duration;
        if (own > 0.0) entry->warp = fmax(entry->warp, cycles / own);
    }
    double joined = (double)(entry->time / clip->duration);
    if (entry->sync && phase >= 0.0 && is_out_of_phase(joined, phase)) o->lost_phase = true;
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
