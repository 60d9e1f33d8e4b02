// What was asked of a mixer: weights, held poses and transitions, by the documentation.
#include "support/mixer_oracle.h"
#include "support/check.h"

#define STEP (1.0 / 120.0) // what velocities are taken over

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
        a->actions[i].was = zeros(n, sizeof(local));
        a->actions[i].is = zeros(n, sizeof(local));
    }
    for (int i = 0; i < ORACLE_LAYERS; i++) {
        a->layers[i].held = zeros(n, sizeof(local));
        a->layers[i].loose = zeros(n, sizeof(transform_bound));
        a->layers[i].speed = zeros(n, sizeof(transform_bound));
    }
    a->offset = zeros(n, sizeof(transform_bound));
    a->offset_speed = zeros(n, sizeof(transform_bound));
    a->nodes = zeros(n, sizeof(change));
    a->moved = zeros(n, sizeof(transform_bound));
    a->loose = zeros(n, sizeof(transform_bound));
    a->before = zeros(n, sizeof(local));
    a->is_regrouped = zeros(n, sizeof(bool));
}

void oracle_destroy(mixer_oracle *a) {
    sinew_pose_destroy(a->pose);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) free(a->actions[i].was), free(a->actions[i].is);
    for (int i = 0; i < ORACLE_LAYERS; i++) {
        free(a->layers[i].held), free(a->layers[i].loose), free(a->layers[i].speed);
    }
    free(a->offset), free(a->offset_speed), free(a->nodes), free(a->moved), free(a->loose), free(a->before);
    free(a->is_regrouped);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static void read_pose(const sinew_pose *pose, local *out) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        out[i] = (local){{pose->tx[i], pose->ty[i], pose->tz[i]},
                         {pose->rx[i], pose->ry[i], pose->rz[i], pose->rw[i]},
                         {pose->sx[i], pose->sy[i], pose->sz[i]}};
    }
}

// From samples that are closer than keys are; what they miss of a curve between them is allowed for.
transform_bound *oracle_fastest(const sinew_clip *clip) {
    enum { SAMPLES_A_SECOND = 480 };
    size_t n = (size_t)clip->skeleton->node_count;
    transform_bound *fastest = zeros(n, sizeof *fastest);
    local *poses[2] = {zeros(n, sizeof(local)), zeros(n, sizeof(local))};
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    int samples = (int)((double)clip->duration * SAMPLES_A_SECOND) + 2;
    double interval = (double)clip->duration / (samples - 1);
    for (int k = 0; k < samples; k++) {
        sinew_clip_sample(clip, (float)(interval * k), pose);
        read_pose(pose, poses[k % 2]);
        for (size_t i = 0; k > 0 && interval > 0.0 && i < n; i++) {
            transform_bound speed = bound_scale(bound_between(&poses[0][i], &poses[1][i]), 1.02 / interval);
            fastest[i].t = fmax(fastest[i].t, speed.t);
            fastest[i].r = fmax(fastest[i].r, speed.r);
            fastest[i].s = fmax(fastest[i].s, speed.s);
        }
    }
    sinew_pose_destroy(pose);
    free(poses[0]), free(poses[1]);
    return fastest;
}

static void sample(const mixer_oracle *a, const oracle_action *action, local *out) {
    sinew_clip_sample(action->clip->clip, action->time, a->pose);
    read_pose(a->pose, out);
}

static double pace_at(const oracle_action *action, double speed) {
    return fabs(speed) * action->warp;
}

static double pace_of(const oracle_action *action) {
    return pace_at(action, action->speed);
}

static transform_bound least(transform_bound a, transform_bound b) {
    return (transform_bound){fmin(a.t, b.t), fmin(a.r, b.r), fmin(a.s, b.s)};
}

static transform_bound most(transform_bound a, transform_bound b) {
    return (transform_bound){fmax(a.t, b.t), fmax(a.r, b.r), fmax(a.s, b.s)};
}

// ---- Who takes part ------------------------------------------------------------------------------------------

// A look at the model: from now to so many seconds on, or back. `is_known`: the poses then are the actions' `is`.
// `as_shown`: the way of what frames have shown, in which what was asked for since the last one has no part.
typedef struct look {
    double seconds;
    bool is_known, as_shown;
} look;

static double weight_then(const oracle_fade *fade, look at) {
    bool is_new = at.as_shown && fade->elapsed == 0.0;
    return is_new ? fmax(0.0, fade_after(fade, 0.0) + fade->slope * at.seconds) : fade_after(fade, at.seconds);
}

// What has a share in a layer, without a node: weights, and who.
typedef struct sharer {
    const oracle_action *action; // NULL: the held pose
    double from, to;
} sharer;

typedef struct sharing {
    sharer sharers[ORACLE_MAX_ACTIONS + 1];
    int count;
    double sum_from, sum_to;
} sharing;

static bool plays_in(const oracle_action *action, int layer) {
    return action->handle.id != 0 && action->layer == layer;
}

static sharing shares_of(const mixer_oracle *a, int l, look at) {
    sharing s = {.count = 0};
    const oracle_layer *layer = &a->layers[l];
    double held_from = fade_after(&layer->held_weight, 0.0), held_to = weight_then(&layer->held_weight, at);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (!plays_in(action, l) || (at.as_shown && !action->is_shown)) continue;
        sharer one = {action, fade_after(&action->weight, 0.0), weight_then(&action->weight, at)};
        int place = s.count++;
        for (; place > 0 && s.sharers[place - 1].action->age > action->age; place--) {
            s.sharers[place] = s.sharers[place - 1];
        }
        s.sharers[place] = one;
        s.sum_from += one.from, s.sum_to += one.to;
    }
    if (l == 0 && s.sum_to == 0.0 && at.seconds > 0.0) { // what goes is held as it is
        for (int i = 0; i < s.count; i++) s.sharers[i].to = s.sharers[i].from;
        s.sum_to = s.sum_from;
    }
    if (l == 0 && s.sum_from == 0.0) held_from = 1.0;
    if (l == 0 && s.sum_to == 0.0) held_to = 1.0;
    if (l == 0 || held_from > 0.0 || held_to > 0.0) { // the oldest
        memmove(s.sharers + 1, s.sharers, (size_t)s.count++ * sizeof *s.sharers);
        s.sharers[0] = (sharer){NULL, held_from, held_to};
        s.sum_from += held_from, s.sum_to += held_to;
    }
    return s;
}

// For how many seconds the speeds of a held pose have worked.
static double worked(const oracle_layer *layer, double seconds) {
    double d = layer->duration, t = fmax(0.0, layer->moved + seconds);
    if (d == 0.0) return 0.0;
    double left = t < d ? 1.0 - t / d : 0.0;
    return d / 3.0 * (1.0 - left * left * left);
}

static part held_part(const oracle_layer *layer, look at, int32_t node) {
    double now = worked(layer, 0.0), then = worked(layer, at.seconds);
    transform_bound loose = bound_add(layer->loose[node], bound_scale(layer->speed[node], fmax(now, then)));
    return (part){.from = layer->held[node],
                  .to = layer->held[node],
                  .moved = bound_scale(layer->speed[node], fabs(then - now)),
                  .loose = loose,
                  .is_known = at.is_known};
}

static part action_part(const oracle_action *action, look at, int32_t node) {
    part p = {.from = action->was[node], .to = action->was[node], .is_known = at.is_known};
    if (at.is_known) {
        p.to = action->is[node];
        p.moved = bound_between(&p.from, &p.to);
    } else {
        double speed = at.as_shown ? action->speed_shown : action->speed;
        p.moved = bound_scale(action->clip->fastest[node], pace_at(action, speed) * fabs(at.seconds));
    }
    return p;
}

static part part_of(const mixer_oracle *a, int layer, const sharer *one, look at, int32_t node) {
    return one->action ? action_part(one->action, at, node) : held_part(&a->layers[layer], at, node);
}

static change blend_layer(const mixer_oracle *a, int l, const sharing *s, look at, int32_t node) {
    part parts[ORACLE_MAX_ACTIONS + 1];
    for (int i = 0; i < s->count; i++) {
        parts[i] = part_of(a, l, &s->sharers[i], at, node);
        parts[i].share_from = s->sum_from > 0.0 ? s->sharers[i].from / s->sum_from : 1.0 / s->count;
        parts[i].share_to = s->sum_to > 0.0 ? s->sharers[i].to / s->sum_to : parts[i].share_from;
        if (s->sum_from == 0.0) parts[i].share_from = parts[i].share_to;
    }
    return blend(parts, s->count);
}

static change put_layer(const mixer_oracle *a, int l, const sharing *s, const change *below, look at,
                        int32_t node) {
    const oracle_layer *layer = &a->layers[l];
    double cover = layer->mask ? (double)layer->mask->nodes[node] : 1.0;
    double from = cover * fade_after(&layer->strength, 0.0), to = cover * weight_then(&layer->strength, at);
    if (s->count == 0 || (from == 0.0 && to == 0.0)) return *below;
    if (!layer->additive) {
        change over = blend_layer(a, l, s, at, node);
        return put_over(below, &over, from * fmin(1.0, s->sum_from), to * fmin(1.0, s->sum_to));
    }
    change out = *below;
    for (int i = 0; i < s->count; i++) {
        part p = part_of(a, l, &s->sharers[i], at, node);
        out = put_on(&out, &p, from * s->sharers[i].from, to * s->sharers[i].to);
    }
    return out;
}

// A look at some layers, from the base on.
typedef struct view {
    look at;
    int layers;
    sharing shares[ORACLE_LAYERS];
} view;

static view view_of(const mixer_oracle *a, int layers, look at) {
    view v = {.at = at, .layers = layers};
    for (int l = 0; l < layers; l++) v.shares[l] = shares_of(a, l, at);
    return v;
}

static change node_in(const mixer_oracle *a, const view *v, int32_t node) {
    change out = blend_layer(a, 0, &v->shares[0], v->at, node);
    for (int l = 1; l < v->layers; l++) out = put_layer(a, l, &v->shares[l], &out, v->at, node);
    return out;
}

static void look_at(const mixer_oracle *a, look at, change *out) {
    view all = view_of(a, ORACLE_LAYERS, at);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) out[i] = node_in(a, &all, i);
}

// Whether an action may have begun no longer ago than velocities are taken over. What goes to and fro may do so at either
// end, whatever its direction.
static bool may_have_begun(const mixer_oracle *a, const oracle_action *action) {
    double start = action->time, end = action->clip->clip->duration - action->time;
    double way = action->speed_shown < 0.0 ? end : start;
    if (sinew_action_loop(a->mixer, action->handle) == SINEW_LOOP_PING_PONG) way = fmin(start, end);
    return way <= pace_at(action, action->speed_shown) * STEP;
}

static bool began_within_step(const mixer_oracle *a) {
    if (a->offset_duration > 0.0 && a->offset_elapsed < STEP) return true;
    if (a->layers[0].duration > 0.0 && a->layers[0].moved < STEP) return true;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (action->handle.id != 0 && action->is_shown && may_have_begun(a, action)) return true;
    }
    return false;
}

// What is shown, and how far it moved in the last step; what began later than that says by its way ahead how it moves.
static void look_at_way(const mixer_oracle *a, int layers, change *out) {
    view back = view_of(a, layers, (look){.seconds = -STEP, .as_shown = true});
    view ahead = view_of(a, layers, (look){.seconds = STEP, .as_shown = true});
    bool looks_ahead = began_within_step(a);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        out[i] = node_in(a, &back, i);
        if (looks_ahead) out[i].moved = most(out[i].moved, node_in(a, &ahead, i).moved);
    }
}

// ---- Held poses ----------------------------------------------------------------------------------------------

static void let_go(oracle_layer *layer, double weight, double duration, int curve) {
    layer->held_weight = fade_at(weight);
    fade_begin(&layer->held_weight, 0.0, duration, curve);
}

static double cosine_between(const local *a, const local *b) {
    double cosine = 0.0;
    for (int c = 0; c < 4; c++) cosine += a->q[c] * b->q[c];
    return cosine;
}

// Adds a pose to a layer's held pose, in proportion, each on the side of what is shown.
static void hold_node(oracle_layer *layer, int32_t node, double before, double weight, const local *what,
                      const change *shown, transform_bound loose) {
    local *held = &layer->held[node];
    transform_bound held_loose = held_part(layer, (look){.is_known = true}, node).loose;
    if (before == 0.0) {
        *held = *what;
        layer->loose[node] = loose;
        return;
    }
    double old = before / (before + weight), new = weight / (before + weight);
    double old_cosine = cosine_between(held, &shown->from), new_cosine = cosine_between(what, &shown->from);
    double old_side = old_cosine < 0.0 ? -1.0 : 1.0, new_side = new_cosine < 0.0 ? -1.0 : 1.0;
    double unsure = 0.02 + shown->loose.r + fmax(held_loose.r, loose.r); // of a cosine, and so of its side
    for (int c = 0; c < 3; c++) {
        held->t[c] = old * held->t[c] + new * what->t[c];
        held->s[c] = old * held->s[c] + new * what->s[c];
    }
    for (int c = 0; c < 4; c++) held->q[c] = old * old_side * held->q[c] + new *new_side * what->q[c];
    layer->loose[node] = bound_add(bound_scale(held_loose, old), bound_scale(loose, new));
    if (fmin(fabs(old_cosine), fabs(new_cosine)) < unsure) layer->loose[node].r += 2.0 * fmin(old, new);
}

static void stand_still(const mixer_oracle *a, oracle_layer *layer) {
    memset(layer->speed, 0, (size_t)a->skeleton->node_count * sizeof *layer->speed);
    layer->moved = layer->duration = 0.0;
}

// Holds what a layer shows, or what one action of it does, by so much more. Rotations that may be added either way round
// may go the other way where they are grouped anew.
static void hold(mixer_oracle *a, int l, const oracle_action *only, double before, double weight) {
    oracle_layer *layer = &a->layers[l];
    look now = {.as_shown = true};
    sharing s = shares_of(a, l, now);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        change shown = blend_layer(a, l, &s, now, i);
        const local *what = only ? &only->was[i] : &shown.from;
        a->is_regrouped[i] |= shown.is_wild;
        hold_node(layer, i, before, weight, what, &shown, only ? (transform_bound){0, 0, 0} : shown.loose);
    }
    stand_still(a, layer);
}

static void hold_missing(mixer_oracle *a, const oracle_action *comes, double duration, int curve) {
    oracle_layer *base = &a->layers[0];
    double sum = 0.0, held = fade_after(&base->held_weight, 0.0), own = fade_after(&comes->weight, 0.0);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        if (plays_in(&a->actions[i], 0)) sum += fade_after(&a->actions[i].weight, 0.0);
    }
    if (sum == 0.0) {
        let_go(base, 1.0, duration, curve);
        return;
    }
    if (sum + held - own <= 0.0 || sum + held >= 1.0 - 1e-5) return; // alone, or nothing is missing
    hold(a, 0, NULL, held, 1.0 - sum - held);
    let_go(base, 1.0 - sum, duration, curve);
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
    if (action->layer == 0 && weight > fade_after(&action->weight, 0.0)) hold_missing(a, action, duration, curve);
    fade_begin(&action->weight, weight, duration, curve);
    action->stops = stops;
}

// What the mixer has ended to make room: it fades out as a part of the held pose.
static void fold(mixer_oracle *a, oracle_action *goes, double duration) {
    oracle_layer *layer = &a->layers[goes->layer];
    double weight = fade_after(&goes->weight, 0.0), before = fade_after(&layer->held_weight, 0.0);
    if (goes->stops) duration = goes->weight.duration - goes->weight.elapsed;
    bool shows = fade_after(&layer->strength, 0.0) > 0.0;
    if (weight > 0.0 && shows) {
        hold(a, goes->layer, goes, before, weight);
        let_go(layer, before + weight, duration, goes->curve);
    }
    goes->handle.id = 0;
}

static void end_evicted(mixer_oracle *a, double duration) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (action->handle.id == 0 || sinew_action_is_active(a->mixer, action->handle)) continue;
        fold(a, action, duration);
    }
}

// The model of an action that was played, a new one or the one that there is.
static oracle_action *played(mixer_oracle *a, sinew_action handle, const oracle_clip *clip,
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
        memset(layer->loose, 0, (size_t)a->skeleton->node_count * sizeof *layer->loose);
        stand_still(a, layer);
    }
    sinew_play_def def = sinew_play_default();
    oracle_action *first = played(a, action, clip, &def);
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

// The action that plays a clip in a layer; of several the newest.
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
    oracle_action *action = played(a, handle, clip, def);
    begin_fade(a, action, def->weight, def->fade, action->curve, false);
}

// ---- Transitions ---------------------------------------------------------------------------------------------

// What a layer's actions may be brought to the speed of: as many rounds a second as the fastest of them.
static void warp_layer(mixer_oracle *a, int layer) {
    double fastest = 0.0;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (plays_in(action, layer)) fastest = fmax(fastest, pace_of(action) / action->clip->clip->duration);
    }
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (!plays_in(action, layer)) continue;
        double rounds = fabs(action->speed) / action->clip->clip->duration;
        action->warp = fmax(action->warp, fastest / rounds);
    }
}

static void fade_over(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *how,
                      const sinew_play_def *def, sinew_action handle) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (!plays_in(action, def->layer) || action->handle.id == handle.id) continue;
        begin_fade(a, action, 0.0, how->duration, (int)how->curve, true);
    }
    end_evicted(a, how->duration);
    oracle_action *action = played(a, handle, clip, def);
    if (how->warp) warp_layer(a, def->layer);
    begin_fade(a, action, def->weight, how->duration, (int)how->curve, false);
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

// What velocities are limited to that work for so many seconds: a quarter turn, which is an eighth of an arc's, and
// half of a scale.
static transform_bound limit_of(const local *node, double seconds) {
    double scale = fmax(fabs(node->s[0]), fmax(fabs(node->s[1]), fabs(node->s[2])));
    return (transform_bound){HUGE_VAL, PI / 4.0 / seconds, 0.5 * scale / seconds};
}

static void dead_blend(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *how,
                       const sinew_play_def *def, sinew_action handle) {
    oracle_layer *base = &a->layers[0];
    look_at_way(a, 1, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const change *node = &a->nodes[i];
        base->held[i] = node->from;
        base->loose[i] = node->loose;
        base->speed[i] = least(bound_scale(node->moved, 1.0 / STEP), limit_of(&node->from, how->duration / 3.0));
    }
    base->moved = 0.0;
    base->duration = how->duration;
    clear_layer(a, 0, handle);
    end_evicted(a, how->duration);
    begin_fade(a, played(a, handle, clip, def), def->weight, how->duration, (int)how->curve, false);
}

// ---- Inertialization -----------------------------------------------------------------------------------------

// How large what is left of an offset is at most, and how fast it changes from then on: see kernels/transition.h for
// the curve, docs/mixing.md for the bounds.
static transform_bound offset_at(const mixer_oracle *a, int32_t node, double elapsed) {
    if (!(elapsed < a->offset_duration)) return (transform_bound){0, 0, 0};
    double d = a->offset_duration, s = elapsed / d, left = (1.0 - s) * (1.0 - s) * (1.0 - s) * (1.0 - s);
    return bound_add(bound_scale(a->offset[node], left * (1.0 + 4.0 * s)),
                     bound_scale(a->offset_speed[node], left * elapsed));
}

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

// By how much a difference of two rotation vectors may be longer than the turn between the two rotations.
static double stretch(double arc) {
    arc = fmin(arc, 0.6 * PI);
    return arc > 0.0 ? arc / sin(arc) : 1.0;
}

static void show_fade(oracle_fade *fade) {
    if (fade->elapsed == 0.0) fade->slope = (fade_after(fade, STEP) - fade_after(fade, 0.0)) / STEP;
}

// With the offsets all that is there is what was shown, and goes on as those say.
static void show_all(mixer_oracle *a) {
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        a->actions[i].is_shown = true;
        a->actions[i].speed_shown = a->actions[i].speed;
        show_fade(&a->actions[i].weight);
    }
    for (int l = 0; l < ORACLE_LAYERS; l++) {
        show_fade(&a->layers[l].strength);
        show_fade(&a->layers[l].held_weight);
    }
}

static void inertialize(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *how,
                        const sinew_play_def *def, sinew_action handle) {
    look_at_way(a, ORACLE_LAYERS, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const change *node = &a->nodes[i];
        a->before[i] = node->from;
        transform_bound speed = bound_scale(node->moved, 1.0 / STEP);
        a->moved[i] = bound_add(speed, offset_rate(a, i, a->offset_elapsed - STEP));
        a->loose[i] = bound_add(node->loose, offset_at(a, i, a->offset_elapsed));
    }
    clear_layer(a, def->layer, handle);
    end_evicted(a, how->duration);
    oracle_action *action = played(a, handle, clip, def);
    action->weight = fade_at(def->weight);
    action->stops = false;
    show_all(a);
    look_at(a, (look){.seconds = STEP}, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const change *node = &a->nodes[i];
        transform_bound start =
            bound_add(bound_add(bound_between(&a->before[i], &node->from), node->loose), a->loose[i]);
        start.r = fmin(start.r, PI / 2.0);
        transform_bound speed = bound_add(a->moved[i], bound_scale(node->moved, 1.0 / STEP));
        speed.r *= stretch(start.r + speed.r * STEP);
        transform_bound limit = limit_of(&a->before[i], how->duration * 256.0 / 3125.0);
        limit.s += 0.5 * a->loose[i].s / (how->duration * 256.0 / 3125.0);
        a->offset[i] = start;
        a->offset_speed[i] = least(speed, limit);
    }
    a->offset_elapsed = 0.0;
    a->offset_duration = how->duration;
}

void oracle_transition(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *how,
                       const sinew_play_def *def) {
    sinew_action handle = sinew_mixer_transition_to(a->mixer, sinew_clip_source(clip->clip), how, def);
    bool dead_blends = how->kind == SINEW_TRANSITION_DEAD_BLEND && def->layer == 0;
    if (handle.id == 0) return; // there was no room, and nothing happened
    if (dead_blends) {
        dead_blend(a, clip, how, def, handle);
    } else if (how->kind == SINEW_TRANSITION_INERTIALIZE) {
        inertialize(a, clip, how, def, handle);
    } else {
        fade_over(a, clip, how, def, handle);
    }
}

bool oracle_is_inertial(const mixer_oracle *a) {
    return a->offset_duration > 0.0 || a->layers[0].duration > 0.0;
}

// ---- A step --------------------------------------------------------------------------------------------------

// Whether all that the base shows goes within the step: it is held from there.
static bool base_goes(const mixer_oracle *a, double dt) {
    double now = 0.0, then = 0.0;
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        const oracle_action *action = &a->actions[i];
        if (!plays_in(action, 0)) continue;
        now += fade_after(&action->weight, 0.0);
        then += fade_after(&action->weight, dt) + (action->weight.duration > 0.0 ? action->weight.to : 0.0);
    }
    return now > 0.0 && then == 0.0;
}

static void hold_what_goes(mixer_oracle *a, double dt) {
    hold(a, 0, NULL, 0.0, 1.0);
    a->layers[0].held_weight = fade_at(0.0);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        oracle_action *action = &a->actions[i];
        if (!plays_in(action, 0) || action->weight.elapsed + dt < action->weight.duration) continue;
        action->weight = fade_at(0.0);
        if (action->stops) action->handle.id = 0;
    }
}

// The clip's seconds between two of its times, on the shorter way of a loop.
static double way_between(const oracle_action *action, const sinew_mixer *mixer, double from, double to) {
    double way = fabs(to - from), duration = action->clip->clip->duration;
    if (sinew_action_loop(mixer, action->handle) != SINEW_LOOP_REPEAT) return way;
    return fmin(way, fabs(duration - way));
}

static void step_action(mixer_oracle *a, oracle_action *action, double dt) {
    size_t size = (size_t)a->skeleton->node_count * sizeof *action->is;
    bool lives = sinew_action_is_active(a->mixer, action->handle);
    bool ends = action->stops && action->weight.elapsed + dt >= action->weight.duration;
    if (lives == ends) a->wrong = lives ? "an action outlives its fade" : "an action has ended that should play";
    if (!lives) {
        memcpy(action->is, action->was, size);
        return;
    }
    float time = sinew_action_time(a->mixer, action->handle);
    double way = way_between(action, a->mixer, action->time, time);
    if (way > pace_of(action) * dt * 1.001 + 1e-5)
        a->wrong = "an action went further in its clip than its speed allows";
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
        local *was = action->was;
        action->was = action->is;
        action->is = was;
    }
    for (int l = 0; l < ORACLE_LAYERS; l++) {
        fade_advance(&a->layers[l].strength, dt);
        fade_advance(&a->layers[l].held_weight, dt);
        a->layers[l].moved += dt;
    }
}

// An offset moves no faster than at its rate, and no further than it is long.
static transform_bound offset_step(const mixer_oracle *a, int32_t node, double dt) {
    transform_bound by_rate = bound_scale(offset_rate(a, node, a->offset_elapsed), dt);
    return least(by_rate,
                 bound_add(offset_at(a, node, a->offset_elapsed), offset_at(a, node, a->offset_elapsed + dt)));
}

void oracle_step(mixer_oracle *a, float dt) {
    if (base_goes(a, dt)) hold_what_goes(a, dt);
    sinew_mixer_update(a->mixer, dt);
    for (int i = 0; i < ORACLE_MAX_ACTIONS; i++) {
        if (a->actions[i].handle.id != 0) step_action(a, &a->actions[i], dt);
    }
    look_at(a, (look){.seconds = dt, .is_known = true}, a->nodes);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const change *node = &a->nodes[i];
        a->moved[i] = bound_add(node->moved, offset_step(a, i, dt));
        if (a->is_regrouped[i]) a->moved[i].r = BOUND_ANY_ARC;
        a->nodes[i].is_wild |= a->is_regrouped[i];
        a->is_regrouped[i] = false;
        transform_bound now = offset_at(a, i, a->offset_elapsed),
                        then = offset_at(a, i, a->offset_elapsed + (double)dt);
        a->loose[i] = bound_add(node->loose, most(now, then));
    }
    advance_fades(a, dt);
    a->offset_elapsed += dt;
    if (a->offset_elapsed >= a->offset_duration) a->offset_duration = 0.0;
}
