// SPDX-License-Identifier: MIT
// Computes what a mixer should show from the calls made on it: weights, held poses and transitions.
#include "support/mixer_oracle.h"
#include "support/check.h"

#define STEP (1.0 / 120.0) // seconds, the interval that velocities are measured over

// ---- Fades ---------------------------------------------------------------------------------------------------

static double fade_after(const oracle_fade *fade, double seconds) {
    if (fade->duration == 0.0) return fade->to;
    double u = fmin(1.0, fmax(0.0, (fade->elapsed + seconds) / fade->duration));
    if (fade->curve == SINEW_CURVE_SMOOTHSTEP) u = u * u * (3.0 - 2.0 * u);
    return fade->from + (fade->to - fade->from) * u;
}

static void fade_begin(oracle_fade *fade, double to, double duration, int curve) {
    double now = fade_after(fade, 0.0), slope = fade->slope;
    if (fade->elapsed > 0.0) slope = (now - fade_after(fade, -STEP)) / STEP;
    *fade = (oracle_fade){now, to, 0.0, duration, slope, curve};
}

static bool fade_advance(oracle_fade *fade, double seconds) {
    if (fade->duration == 0.0) return false;
    fade->elapsed += seconds;
    if (fade->elapsed < fade->duration) return false;
    fade->duration = 0.0;
    return true;
}

static oracle_fade fade_at(double value) {
    return (oracle_fade){.to = value};
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void *zeros(size_t count, size_t size) {
    void *memory = calloc(count, size);
    assert_non_null(memory);
    return memory;
}

void oracle_create(mixer_oracle *a, const sinew_skeleton *skeleton) {
    size_t n = (size_t)skeleton->node_count;
    *a = (mixer_oracle){.skeleton = skeleton};
    assert_int_equal(sinew_pose_create(skeleton, NULL, &a->pose), SINEW_OK);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        a->actions[i].was = zeros(n, sizeof(local_transform));
        a->actions[i].is = zeros(n, sizeof(local_transform));
    }
    for (int i = 0; i < ORACLE_LAYERS; i++) {
        a->layers[i].held = zeros(n, sizeof(local_transform));
        a->layers[i].uncertainty = zeros(n, sizeof(transform_bound));
        a->layers[i].speed = zeros(n, sizeof(transform_bound));
    }
    a->offset = zeros(n, sizeof(transform_bound));
    a->offset_speed = zeros(n, sizeof(transform_bound));
    a->nodes = zeros(n, sizeof(blend_change));
    a->moved = zeros(n, sizeof(transform_bound));
    a->uncertainty = zeros(n, sizeof(transform_bound));
    a->before = zeros(n, sizeof(local_transform));
    a->is_regrouped = zeros(n, sizeof(bool));
}

void oracle_destroy(mixer_oracle *a) {
    sinew_pose_destroy(a->pose);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) free(a->actions[i].was), free(a->actions[i].is);
    for (int i = 0; i < ORACLE_LAYERS; i++) {
        free(a->layers[i].held), free(a->layers[i].uncertainty), free(a->layers[i].speed);
    }
    free(a->offset), free(a->offset_speed), free(a->nodes), free(a->moved), free(a->uncertainty), free(a->before);
    free(a->is_regrouped);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static void read_pose(const sinew_pose *pose, local_transform *out) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        out[i] = (local_transform){{pose->tx[i], pose->ty[i], pose->tz[i]},
                                   {pose->rx[i], pose->ry[i], pose->rz[i], pose->rw[i]},
                                   {pose->sx[i], pose->sy[i], pose->sz[i]}};
    }
}

// The largest speed of each node. Samples are closer together than keys, and 2 % are added for curves between them.
transform_bound *oracle_max_speed(const sinew_clip *clip) {
    enum { SAMPLES_A_SECOND = 480 };
    size_t n = (size_t)clip->skeleton->node_count;
    transform_bound *max_speed = zeros(n, sizeof *max_speed);
    local_transform *poses[2] = {zeros(n, sizeof(local_transform)), zeros(n, sizeof(local_transform))};
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    int samples = (int)((double)clip->duration * SAMPLES_A_SECOND) + 2;
    double interval = (double)clip->duration / (samples - 1);
    for (int k = 0; k < samples; k++) {
        sinew_clip_sample(clip, (float)(interval * k), pose);
        read_pose(pose, poses[k % 2]);
        for (size_t i = 0; k > 0 && interval > 0.0 && i < n; i++) {
            transform_bound speed = bound_scale(bound_between(&poses[0][i], &poses[1][i]), 1.02 / interval);
            max_speed[i].t = fmax(max_speed[i].t, speed.t);
            max_speed[i].r = fmax(max_speed[i].r, speed.r);
            max_speed[i].s = fmax(max_speed[i].s, speed.s);
        }
    }
    sinew_pose_destroy(pose);
    free(poses[0]), free(poses[1]);
    return max_speed;
}

static void sample(const mixer_oracle *a, const oracle_action *action, local_transform *out) {
    sinew_clip_sample(action->clip->clip, action->time, a->pose);
    read_pose(a->pose, out);
}

static double rate_at(const oracle_action *action, double speed) {
    return fabs(speed) * action->warp;
}

static double rate_of(const oracle_action *action) {
    return rate_at(action, action->speed);
}

static transform_bound least(transform_bound a, transform_bound b) {
    return (transform_bound){fmin(a.t, b.t), fmin(a.r, b.r), fmin(a.s, b.s)};
}

static transform_bound most(transform_bound a, transform_bound b) {
    return (transform_bound){fmax(a.t, b.t), fmax(a.r, b.r), fmax(a.s, b.s)};
}

// ---- Contributions -------------------------------------------------------------------------------------------

// A time relative to now at which the model is evaluated; negative in the past.
typedef struct time_offset {
    double seconds;
    bool is_known; // the poses at that time are the actions' `is`
    bool as_shown; // ignores calls since the last frame, which no frame has shown
} time_offset;

static double weight_after(const oracle_fade *fade, time_offset at) {
    bool is_new = at.as_shown && fade->elapsed == 0.0;
    return is_new ? fmax(0.0, fade_after(fade, 0.0) + fade->slope * at.seconds) : fade_after(fade, at.seconds);
}

// The weight of an action, or of the held pose, in its layer.
typedef struct layer_weight {
    const oracle_action *action; // NULL: the held pose
    double from, to;
} layer_weight;

typedef struct layer_weights {
    layer_weight entries[ORACLE_MAX_ACTIONS + 1];
    int count;
    double sum_from, sum_to;
} layer_weights;

static bool plays_in(const oracle_action *action, int layer) {
    return action->handle.id != 0 && action->layer == layer;
}

static layer_weights weights_of_layer(const mixer_oracle *a, int l, time_offset at) {
    layer_weights s = {.count = 0};
    const oracle_layer *layer = &a->layers[l];
    double held_from = fade_after(&layer->held_weight, 0.0), held_to = weight_after(&layer->held_weight, at);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (!plays_in(action, l) || (at.as_shown && !action->is_shown)) continue;
        layer_weight one = {action, fade_after(&action->weight, 0.0), weight_after(&action->weight, at)};
        int place = s.count++;
        for (; place > 0 && s.entries[place - 1].action->age > action->age; place--) {
            s.entries[place] = s.entries[place - 1];
        }
        s.entries[place] = one;
        s.sum_from += one.from, s.sum_to += one.to;
    }
    if (l == 0 && s.sum_to == 0.0 && at.seconds > 0.0) { // the current pose is held
        for (int i = 0; i < s.count; i++) s.entries[i].to = s.entries[i].from;
        s.sum_to = s.sum_from;
    }
    if (l == 0 && s.sum_from == 0.0) held_from = 1.0;
    if (l == 0 && s.sum_to == 0.0) held_to = 1.0;
    if (l == 0 || held_from > 0.0 || held_to > 0.0) { // the oldest
        memmove(s.entries + 1, s.entries, (size_t)s.count++ * sizeof *s.entries);
        s.entries[0] = (layer_weight){NULL, held_from, held_to};
        s.sum_from += held_from, s.sum_to += held_to;
    }
    return s;
}

// The seconds at full speed that a decelerating held pose has moved for.
static double extrapolated_seconds(const oracle_layer *layer, double seconds) {
    double d = layer->duration, t = fmax(0.0, layer->moved + seconds);
    if (d == 0.0) return 0.0;
    double left = t < d ? 1.0 - t / d : 0.0;
    return d / 3.0 * (1.0 - left * left * left);
}

static contribution held_contribution(const oracle_layer *layer, time_offset at, int32_t node) {
    double now = extrapolated_seconds(layer, 0.0), then = extrapolated_seconds(layer, at.seconds);
    transform_bound uncertainty =
        bound_add(layer->uncertainty[node], bound_scale(layer->speed[node], fmax(now, then)));
    return (contribution){.from = layer->held[node],
                          .to = layer->held[node],
                          .moved = bound_scale(layer->speed[node], fabs(then - now)),
                          .uncertainty = uncertainty,
                          .is_known = at.is_known};
}

static contribution action_contribution(const oracle_action *action, time_offset at, int32_t node) {
    contribution p = {.from = action->was[node], .to = action->was[node], .is_known = at.is_known};
    if (at.is_known) {
        p.to = action->is[node];
        p.moved = bound_between(&p.from, &p.to);
    } else {
        double speed = at.as_shown ? action->speed_shown : action->speed;
        p.moved = bound_scale(action->clip->max_speed[node], rate_at(action, speed) * fabs(at.seconds));
    }
    return p;
}

static contribution contribution_of(const mixer_oracle *a, int layer, const layer_weight *one, time_offset at,
                                    int32_t node) {
    return one->action ? action_contribution(one->action, at, node)
                       : held_contribution(&a->layers[layer], at, node);
}

static blend_change blend_layer(const mixer_oracle *a, int l, const layer_weights *s, time_offset at,
                                int32_t node) {
    contribution parts[ORACLE_MAX_ACTIONS + 1];
    for (int i = 0; i < s->count; i++) {
        parts[i] = contribution_of(a, l, &s->entries[i], at, node);
        parts[i].weight_from = s->sum_from > 0.0 ? s->entries[i].from / s->sum_from : 1.0 / s->count;
        parts[i].weight_to = s->sum_to > 0.0 ? s->entries[i].to / s->sum_to : parts[i].weight_from;
        if (s->sum_from == 0.0) parts[i].weight_from = parts[i].weight_to;
    }
    return blend(parts, s->count);
}

static blend_change apply_layer(const mixer_oracle *a, int l, const layer_weights *s, const blend_change *below,
                                time_offset at, int32_t node) {
    const oracle_layer *layer = &a->layers[l];
    double cover = layer->mask ? (double)layer->mask->nodes[node] : 1.0;
    double from = cover * fade_after(&layer->strength, 0.0), to = cover * weight_after(&layer->strength, at);
    if (s->count == 0 || (from == 0.0 && to == 0.0)) return *below;
    if (!layer->additive) {
        blend_change over = blend_layer(a, l, s, at, node);
        return apply_override(below, &over, from * fmin(1.0, s->sum_from), to * fmin(1.0, s->sum_to));
    }
    blend_change out = *below;
    for (int i = 0; i < s->count; i++) {
        contribution p = contribution_of(a, l, &s->entries[i], at, node);
        out = apply_additive(&out, &p, from * s->entries[i].from, to * s->entries[i].to);
    }
    return out;
}

// The weights of the first `layers` layers at a time.
typedef struct layer_view {
    time_offset at;
    int layers;
    layer_weights shares[ORACLE_LAYERS];
} layer_view;

static layer_view view_layers(const mixer_oracle *a, int layers, time_offset at) {
    layer_view v = {.at = at, .layers = layers};
    for (int l = 0; l < layers; l++) v.shares[l] = weights_of_layer(a, l, at);
    return v;
}

static blend_change evaluate_node(const mixer_oracle *a, const layer_view *v, int32_t node) {
    blend_change out = blend_layer(a, 0, &v->shares[0], v->at, node);
    for (int l = 1; l < v->layers; l++) out = apply_layer(a, l, &v->shares[l], &out, v->at, node);
    return out;
}

static void evaluate_layers(const mixer_oracle *a, time_offset at, blend_change *out) {
    layer_view all = view_layers(a, ORACLE_LAYERS, at);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) out[i] = evaluate_node(a, &all, i);
}

// Returns whether an action may have started within the last STEP. A ping-pong action may turn at either end.
static bool may_start_within_step(const mixer_oracle *a, const oracle_action *action) {
    double start = action->time, end = action->clip->clip->duration - action->time;
    double way = action->speed_shown < 0.0 ? end : start;
    if (sinew_action_loop(a->mixer, action->handle) == SINEW_LOOP_PING_PONG) way = fmin(start, end);
    return way <= rate_at(action, action->speed_shown) * STEP;
}

static bool any_starts_within_step(const mixer_oracle *a) {
    if (a->offset_duration > 0.0 && a->offset_elapsed < STEP) return true;
    if (a->layers[0].duration > 0.0 && a->layers[0].moved < STEP) return true;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (action->handle.id != 0 && action->is_shown && may_start_within_step(a, action)) return true;
    }
    return false;
}

// The current pose, and how far it moved in the last STEP. If an action started within it, the next STEP counts too.
static void evaluate_velocity(const mixer_oracle *a, int layers, blend_change *out) {
    layer_view back = view_layers(a, layers, (time_offset){.seconds = -STEP, .as_shown = true});
    layer_view ahead = view_layers(a, layers, (time_offset){.seconds = STEP, .as_shown = true});
    bool looks_ahead = any_starts_within_step(a);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        out[i] = evaluate_node(a, &back, i);
        if (looks_ahead) out[i].moved = most(out[i].moved, evaluate_node(a, &ahead, i).moved);
    }
}

// ---- Held poses ----------------------------------------------------------------------------------------------

static void fade_out_held(oracle_layer *layer, double weight, double duration, int curve) {
    layer->held_weight = fade_at(weight);
    fade_begin(&layer->held_weight, 0.0, duration, curve);
}

static double cosine_between(const local_transform *a, const local_transform *b) {
    double cosine = 0.0;
    for (int c = 0; c < 4; c++) cosine += a->q[c] * b->q[c];
    return cosine;
}

// Adds a pose to a layer's held pose in proportion to their weights. Both rotations take the sign of the current
// pose.
static void hold_node(oracle_layer *layer, int32_t node, double before, double weight, const local_transform *what,
                      const blend_change *shown, transform_bound uncertainty) {
    local_transform *held = &layer->held[node];
    transform_bound held_uncertainty = held_contribution(layer, (time_offset){.is_known = true}, node).uncertainty;
    if (before == 0.0) {
        *held = *what;
        layer->uncertainty[node] = uncertainty;
        return;
    }
    double old = before / (before + weight), new = weight / (before + weight);
    double old_cosine = cosine_between(held, &shown->from), new_cosine = cosine_between(what, &shown->from);
    double old_side = old_cosine < 0.0 ? -1.0 : 1.0, new_side = new_cosine < 0.0 ? -1.0 : 1.0;
    double unsure =
        0.02 + shown->uncertainty.r + fmax(held_uncertainty.r, uncertainty.r); // how far a cosine may be off
    for (int c = 0; c < 3; c++) {
        held->t[c] = old * held->t[c] + new * what->t[c];
        held->s[c] = old * held->s[c] + new * what->s[c];
    }
    for (int c = 0; c < 4; c++) held->q[c] = old * old_side * held->q[c] + new *new_side * what->q[c];
    layer->uncertainty[node] = bound_add(bound_scale(held_uncertainty, old), bound_scale(uncertainty, new));
    if (fmin(fabs(old_cosine), fabs(new_cosine)) < unsure) layer->uncertainty[node].r += 2.0 * fmin(old, new);
}

static void stop_extrapolation(const mixer_oracle *a, oracle_layer *layer) {
    memset(layer->speed, 0, (size_t)a->skeleton->node_count * sizeof *layer->speed);
    layer->moved = layer->duration = 0.0;
}

// Adds the current pose of a layer, or the pose of one action, to its held pose. Rotations more than half a turn
// apart may be summed with another sign afterwards, so their nodes are marked.
static void hold_layer(mixer_oracle *a, int l, const oracle_action *only, double before, double weight) {
    oracle_layer *layer = &a->layers[l];
    time_offset now = {.as_shown = true};
    layer_weights s = weights_of_layer(a, l, now);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        blend_change shown = blend_layer(a, l, &s, now, i);
        const local_transform *what = only ? &only->was[i] : &shown.from;
        a->is_regrouped[i] |= shown.is_ambiguous;
        hold_node(layer, i, before, weight, what, &shown, only ? (transform_bound){0, 0, 0} : shown.uncertainty);
    }
    stop_extrapolation(a, layer);
}

static void hold_missing_weight(mixer_oracle *a, const oracle_action *comes, double duration, int curve) {
    oracle_layer *base = &a->layers[0];
    double sum = 0.0, held = fade_after(&base->held_weight, 0.0), own = fade_after(&comes->weight, 0.0);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        if (plays_in(&a->actions[i], 0)) sum += fade_after(&a->actions[i].weight, 0.0);
    }
    if (sum == 0.0) {
        fade_out_held(base, 1.0, duration, curve);
        return;
    }
    if (sum + held - own <= 0.0 || sum + held >= 1.0 - 1e-5) return; // the only action, or weights that sum to 1
    hold_layer(a, 0, NULL, held, 1.0 - sum - held);
    fade_out_held(base, 1.0 - sum, duration, curve);
}

// ---- Calls ---------------------------------------------------------------------------------------------------

static oracle_action *find(mixer_oracle *a, sinew_action handle) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        if (a->actions[i].handle.id == handle.id && handle.id != 0) return &a->actions[i];
    }
    return NULL;
}

oracle_action *oracle_any(mixer_oracle *a, uint32_t number) {
    int count = 0;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) count += a->actions[i].handle.id != 0;
    if (count == 0) return NULL;
    int left = (int)(number % (uint32_t)count);
    for (int i = 0;; i++) {
        if (a->actions[i].handle.id != 0 && left-- == 0) return &a->actions[i];
    }
}

static void begin_fade(mixer_oracle *a, oracle_action *action, double weight, double duration, int curve,
                       bool stops) {
    if (action->layer == 0 && weight > fade_after(&action->weight, 0.0))
        hold_missing_weight(a, action, duration, curve);
    fade_begin(&action->weight, weight, duration, curve);
    action->stops = stops;
}

// Adds the pose of an evicted action to the held pose, which fades out.
static void bake_into_held(mixer_oracle *a, oracle_action *goes, double duration) {
    oracle_layer *layer = &a->layers[goes->layer];
    double weight = fade_after(&goes->weight, 0.0), before = fade_after(&layer->held_weight, 0.0);
    if (goes->stops) duration = goes->weight.duration - goes->weight.elapsed;
    bool shows = fade_after(&layer->strength, 0.0) > 0.0;
    if (weight > 0.0 && shows) {
        hold_layer(a, goes->layer, goes, before, weight);
        fade_out_held(layer, before + weight, duration, goes->curve);
    }
    goes->handle.id = 0;
}

static void end_evicted(mixer_oracle *a, double duration) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (action->handle.id == 0 || sinew_action_is_active(a->mixer, action->handle)) continue;
        bake_into_held(a, action, duration);
    }
}

// Returns the model of a handle, which is new or exists already.
static oracle_action *add_action(mixer_oracle *a, sinew_action handle, const oracle_clip *clip,
                                 const sinew_play_def *def) {
    oracle_action *action = find(a, handle);
    for (int i = 0; !action && i < ORACLE_MAX_ACTIONS; i++) {
        if (a->actions[i].handle.id != 0) continue;
        action = &a->actions[i];
        *action = (oracle_action){.handle = handle,
                                  .clip = clip,
                                  .was = action->was,
                                  .is = action->is,
                                  .layer = def->layer,
                                  .age = ++a->ages,
                                  .warp = 1.0};
    }
    assert_non_null(action);
    action->full_weight = def->weight;
    action->curve = (int)def->curve;
    action->speed = def->speed;
    action->time = sinew_action_time(a->mixer, handle);
    sample(a, action, action->was);
    return action;
}

void oracle_begin(mixer_oracle *a, sinew_mixer *mixer, const oracle_clip *clip, sinew_action action) {
    a->mixer = mixer;
    a->ages = 0;
    a->offset_duration = 0.0;
    a->wrong = NULL;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) a->actions[i].handle.id = 0;
    for (int i = 0; i < ORACLE_LAYERS; i++) {
        oracle_layer *layer = &a->layers[i];
        layer->strength = fade_at(1.0);
        layer->held_weight = fade_at(0.0);
        sinew_pose_reset(a->pose);
        read_pose(a->pose, layer->held);
        memset(layer->uncertainty, 0, (size_t)a->skeleton->node_count * sizeof *layer->uncertainty);
        stop_extrapolation(a, layer);
    }
    sinew_play_def def = sinew_play_default();
    oracle_action *first = add_action(a, action, clip, &def);
    first->weight = fade_at(1.0);
    first->is_shown = true;
    first->speed_shown = first->speed;
}

void oracle_fade_to(mixer_oracle *a, oracle_action *action, double weight, float duration) {
    sinew_action_fade_to(a->mixer, action->handle, (float)weight, duration);
    begin_fade(a, action, weight, duration, action->curve, false);
}

void oracle_fade_out(mixer_oracle *a, oracle_action *action, float duration) {
    sinew_action_fade_out(a->mixer, action->handle, duration);
    begin_fade(a, action, 0.0, duration, action->curve, true);
}

void oracle_set_speed(mixer_oracle *a, oracle_action *action, float speed) {
    sinew_action_set_speed(a->mixer, action->handle, speed);
    action->speed = speed;
}

void oracle_layer_fade(mixer_oracle *a, int layer, float weight, float duration, sinew_curve curve) {
    sinew_layer_fade_to(a->mixer, layer, weight, duration, curve);
    fade_begin(&a->layers[layer].strength, weight, duration, (int)curve);
}

// Returns the newest action that plays a clip in a layer, or NULL.
static const oracle_action *newest(const mixer_oracle *a, const oracle_clip *clip, int layer) {
    const oracle_action *found = NULL;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (!plays_in(action, layer) || action->clip != clip) continue;
        if (!found || action->age > found->age) found = action;
    }
    return found;
}

void oracle_play(mixer_oracle *a, const oracle_clip *clip, const sinew_play_def *def) {
    const oracle_action *old = def->allow_duplicate ? NULL : newest(a, clip, def->layer);
    sinew_action handle = sinew_mixer_play(a->mixer, sinew_clip_source(clip->clip), def), replaced = {0};
    if (handle.id == 0) return;
    if (old && old->handle.id != handle.id) replaced = old->handle;
    end_evicted(a, def->fade);
    oracle_action *fades = find(a, replaced);
    if (fades && !fades->stops) begin_fade(a, fades, 0.0, def->fade, (int)def->curve, true);
    oracle_action *action = add_action(a, handle, clip, def);
    begin_fade(a, action, def->weight, def->fade, action->curve, false);
}

// ---- Transitions ---------------------------------------------------------------------------------------------

// Bounds the warp of a layer's actions: each may play as many cycles per second as the fastest of them.
static void warp_layer(mixer_oracle *a, int layer) {
    double max_speed = 0.0;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (plays_in(action, layer)) max_speed = fmax(max_speed, rate_of(action) / action->clip->clip->duration);
    }
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (!plays_in(action, layer)) continue;
        double rounds = fabs(action->speed) / action->clip->clip->duration;
        action->warp = fmax(action->warp, max_speed / rounds);
    }
}

static void cross_fade(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def, sinew_action handle) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (!plays_in(action, def->layer) || action->handle.id == handle.id) continue;
        begin_fade(a, action, 0.0, transition->duration, (int)transition->curve, true);
    }
    end_evicted(a, transition->duration);
    oracle_action *action = add_action(a, handle, clip, def);
    if (transition->warp) warp_layer(a, def->layer);
    begin_fade(a, action, def->weight, transition->duration, (int)transition->curve, false);
}

static void clear_layer(mixer_oracle *a, int layer, sinew_action but) {
    a->layers[layer].held_weight = fade_at(0.0);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (!plays_in(action, layer)) continue;
        action->weight = fade_at(0.0);
        if (action->handle.id != but.id) action->handle.id = 0;
    }
}

// The largest velocity of an extrapolation that lasts `seconds`: a quarter turn (an arc of PI / 4) and half of the
// scale.
static transform_bound velocity_limit(const local_transform *node, double seconds) {
    double scale = fmax(fabs(node->s[0]), fmax(fabs(node->s[1]), fabs(node->s[2])));
    return (transform_bound){HUGE_VAL, PI / 4.0 / seconds, 0.5 * scale / seconds};
}

static void dead_blend(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def, sinew_action handle) {
    oracle_layer *base = &a->layers[0];
    evaluate_velocity(a, 1, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const blend_change *node = &a->nodes[i];
        base->held[i] = node->from;
        base->uncertainty[i] = node->uncertainty;
        base->speed[i] =
            least(bound_scale(node->moved, 1.0 / STEP), velocity_limit(&node->from, transition->duration / 3.0));
    }
    base->moved = 0.0;
    base->duration = transition->duration;
    clear_layer(a, 0, handle);
    end_evicted(a, transition->duration);
    begin_fade(a, add_action(a, handle, clip, def), def->weight, transition->duration, (int)transition->curve,
               false);
}

// ---- Inertialization -----------------------------------------------------------------------------------------

// The bound of an offset after `elapsed` seconds. kernels/transition.h has the curve, docs/mixing.md derives the
// bounds.
static transform_bound offset_at(const mixer_oracle *a, int32_t node, double elapsed) {
    if (!(elapsed < a->offset_duration)) return (transform_bound){0, 0, 0};
    double d = a->offset_duration, s = elapsed / d, left = (1.0 - s) * (1.0 - s) * (1.0 - s) * (1.0 - s);
    return bound_add(bound_scale(a->offset[node], left * (1.0 + 4.0 * s)),
                     bound_scale(a->offset_speed[node], left * elapsed));
}

// The bound of |d/dt| of one component of an offset.
static double rate(double start, double velocity, double d, double s) {
    double p = fmax(s, 0.25), q = 1.0 - p, own = (1.0 - s) * (1.0 - s) * (1.0 - s) * fabs(1.0 - 5.0 * s);
    if (s < 0.4) own = fmax(own, 0.216);
    return 20.0 * p * q * q * q * fmax(start / d, velocity / 5.0) + own * velocity;
}

static transform_bound offset_rate(const mixer_oracle *a, int32_t node, double elapsed) {
    if (a->offset_duration == 0.0 || elapsed >= a->offset_duration) return (transform_bound){0, 0, 0};
    double d = a->offset_duration, s = fmax(0.0, elapsed) / d;
    transform_bound x = a->offset[node], v = a->offset_speed[node];
    return (transform_bound){rate(x.t, v.t, d, s), rate(x.r, v.r, d, s), rate(x.s, v.s, d, s)};
}

// The largest ratio of the difference of two rotation vectors to the angle between the rotations.
static double vector_stretch(double arc) {
    arc = fmin(arc, 0.6 * PI);
    return arc > 0.0 ? arc / sin(arc) : 1.0;
}

static void mark_fade_shown(oracle_fade *fade) {
    if (fade->elapsed == 0.0) fade->slope = (fade_after(fade, STEP) - fade_after(fade, 0.0)) / STEP;
}

// Marks all actions and fades as shown: with the offsets, the pose is continuous at the start of an inertialization.
static void mark_all_shown(mixer_oracle *a) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        a->actions[i].is_shown = true;
        a->actions[i].speed_shown = a->actions[i].speed;
        mark_fade_shown(&a->actions[i].weight);
    }
    for (int l = 0; l < ORACLE_LAYERS; l++) {
        mark_fade_shown(&a->layers[l].strength);
        mark_fade_shown(&a->layers[l].held_weight);
    }
}

static void inertialize(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *transition,
                        const sinew_play_def *def, sinew_action handle) {
    evaluate_velocity(a, ORACLE_LAYERS, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const blend_change *node = &a->nodes[i];
        a->before[i] = node->from;
        transform_bound speed = bound_scale(node->moved, 1.0 / STEP);
        a->moved[i] = bound_add(speed, offset_rate(a, i, a->offset_elapsed - STEP));
        a->uncertainty[i] = bound_add(node->uncertainty, offset_at(a, i, a->offset_elapsed));
    }
    clear_layer(a, def->layer, handle);
    end_evicted(a, transition->duration);
    oracle_action *action = add_action(a, handle, clip, def);
    action->weight = fade_at(def->weight);
    action->stops = false;
    mark_all_shown(a);
    evaluate_layers(a, (time_offset){.seconds = STEP}, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const blend_change *node = &a->nodes[i];
        transform_bound start =
            bound_add(bound_add(bound_between(&a->before[i], &node->from), node->uncertainty), a->uncertainty[i]);
        start.r = fmin(start.r, PI / 2.0);
        transform_bound speed = bound_add(a->moved[i], bound_scale(node->moved, 1.0 / STEP));
        speed.r *= vector_stretch(start.r + speed.r * STEP);
        transform_bound limit = velocity_limit(&a->before[i], transition->duration * 256.0 / 3125.0);
        limit.s += 0.5 * a->uncertainty[i].s / (transition->duration * 256.0 / 3125.0);
        a->offset[i] = start;
        a->offset_speed[i] = least(speed, limit);
    }
    a->offset_elapsed = 0.0;
    a->offset_duration = transition->duration;
}

void oracle_transition(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def) {
    sinew_action handle = sinew_mixer_transition_to(a->mixer, sinew_clip_source(clip->clip), transition, def);
    bool dead_blends = transition->kind == SINEW_TRANSITION_DEAD_BLEND && def->layer == 0;
    if (handle.id == 0) return; // no slot was free, and the call was a no-op
    if (dead_blends) {
        dead_blend(a, clip, transition, def, handle);
    } else if (transition->kind == SINEW_TRANSITION_INERTIALIZE) {
        inertialize(a, clip, transition, def, handle);
    } else {
        cross_fade(a, clip, transition, def, handle);
    }
}

bool oracle_is_inertial(const mixer_oracle *a) {
    return a->offset_duration > 0.0 || a->layers[0].duration > 0.0;
}

// ---- A step --------------------------------------------------------------------------------------------------

// Returns whether all actions of the base fade out within the step. Their last pose is held then.
static bool base_fades_out(const mixer_oracle *a, double dt) {
    double now = 0.0, then = 0.0;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (!plays_in(action, 0)) continue;
        now += fade_after(&action->weight, 0.0);
        then += fade_after(&action->weight, dt) + (action->weight.duration > 0.0 ? action->weight.to : 0.0);
    }
    return now > 0.0 && then == 0.0;
}

static void hold_base(mixer_oracle *a, double dt) {
    hold_layer(a, 0, NULL, 0.0, 1.0);
    a->layers[0].held_weight = fade_at(0.0);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (!plays_in(action, 0) || action->weight.elapsed + dt < action->weight.duration) continue;
        action->weight = fade_at(0.0);
        if (action->stops) action->handle.id = 0;
    }
}

// The seconds of the clip between two of its times, across the loop if that is shorter.
static double clip_distance(const oracle_action *action, const sinew_mixer *mixer, double from, double to) {
    double way = fabs(to - from), duration = action->clip->clip->duration;
    if (sinew_action_loop(mixer, action->handle) != SINEW_LOOP_REPEAT) return way;
    return fmin(way, fabs(duration - way));
}

static void step_action(mixer_oracle *a, oracle_action *action, double dt) {
    size_t size = (size_t)a->skeleton->node_count * sizeof *action->is;
    bool lives = sinew_action_is_active(a->mixer, action->handle);
    bool ends = action->stops && action->weight.elapsed + dt >= action->weight.duration;
    if (lives == ends) a->wrong = lives ? "an action outlives its fade" : "an action ended before its fade";
    if (!lives) {
        memcpy(action->is, action->was, size);
        return;
    }
    float time = sinew_action_time(a->mixer, action->handle);
    double way = clip_distance(action, a->mixer, action->time, time);
    if (way > rate_of(action) * dt * 1.001 + 1e-5) a->wrong = "an action advanced further than its speed allows";
    action->time = time;
    sample(a, action, action->is);
}

static void advance_fades(mixer_oracle *a, double dt) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (action->handle.id == 0) continue;
        action->is_shown = true;
        action->speed_shown = action->speed;
        if (fade_advance(&action->weight, dt) && action->stops) action->handle.id = 0;
        local_transform *was = action->was;
        action->was = action->is;
        action->is = was;
    }
    for (int l = 0; l < ORACLE_LAYERS; l++) {
        fade_advance(&a->layers[l].strength, dt);
        fade_advance(&a->layers[l].held_weight, dt);
        a->layers[l].moved += dt;
    }
}

// The bound of an offset's motion in a step: at most its rate times dt, and at most its length before and after.
static transform_bound offset_step(const mixer_oracle *a, int32_t node, double dt) {
    transform_bound by_rate = bound_scale(offset_rate(a, node, a->offset_elapsed), dt);
    return least(by_rate,
                 bound_add(offset_at(a, node, a->offset_elapsed), offset_at(a, node, a->offset_elapsed + dt)));
}

void oracle_step(mixer_oracle *a, float dt) {
    if (base_fades_out(a, dt)) hold_base(a, dt);
    sinew_mixer_update(a->mixer, dt);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        if (a->actions[i].handle.id != 0) step_action(a, &a->actions[i], dt);
    }
    evaluate_layers(a, (time_offset){.seconds = dt, .is_known = true}, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const blend_change *node = &a->nodes[i];
        a->moved[i] = bound_add(node->moved, offset_step(a, i, dt));
        if (a->is_regrouped[i]) a->moved[i].r = BOUND_ANY_ARC;
        a->nodes[i].is_ambiguous |= a->is_regrouped[i];
        a->is_regrouped[i] = false;
        transform_bound now = offset_at(a, i, a->offset_elapsed),
                        then = offset_at(a, i, a->offset_elapsed + (double)dt);
        a->uncertainty[i] = bound_add(node->uncertainty, most(now, then));
    }
    advance_fades(a, dt);
    a->offset_elapsed += dt;
    if (a->offset_elapsed >= a->offset_duration) a->offset_duration = 0.0;
}
