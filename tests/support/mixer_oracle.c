// SPDX-License-Identifier: MIT
// Computes what an even transition shows from the calls made on a mixer.
#include "support/mixer_oracle.h"
#include "support/check.h"

#define DEGREES_ALLOWED 3.0  // of joint rotation, in a frame
#define LEVER_ALLOWED   0.1  // of the model's height: the length that it turns
#define WEIGHT_ALLOWED  0.02 // of a morph weight, in a frame

// ---- Fades ---------------------------------------------------------------------------------------------------

static double fade_after(const oracle_fade *fade, double seconds) {
    if (fade->duration == 0.0) return fade->to;
    double u = fmin(1.0, fmax(0.0, (fade->elapsed + seconds) / fade->duration));
    if (fade->curve == SINEW_CURVE_SMOOTHSTEP) u = u * u * (3.0 - 2.0 * u);
    return fade->from + (fade->to - fade->from) * u;
}

static void fade_begin(oracle_fade *fade, double to, double duration, int curve) {
    *fade = (oracle_fade){fade_after(fade, 0.0), to, 0.0, duration, curve};
}

static double fade_left(const oracle_fade *fade) {
    return fade->duration == 0.0 ? 0.0 : fade->duration - fade->elapsed;
}

static bool fade_advance(oracle_fade *fade, double seconds) {
    if (fade->duration == 0.0) return false;
    fade->elapsed += seconds;
    if (fade->elapsed < fade->duration - 1e-9) return false;
    fade->duration = 0.0;
    return true;
}

static oracle_fade fade_at(double value) {
    return (oracle_fade){.to = value};
}

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

static void copy_pose(const mixer_oracle *o, const oracle_pose *from, oracle_pose *to) {
    memcpy(to->nodes, from->nodes, (size_t)o->skeleton->node_count * sizeof *to->nodes);
    memcpy(to->weights, from->weights, (size_t)o->skeleton->weight_count * sizeof *to->weights);
}

static void read_from(const mixer_oracle *o, const sinew_pose *pose, oracle_pose *out) {
    read_pose(pose, out->nodes);
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) out->weights[i] = (double)pose->weights[i];
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
    o->offset_closes = zeros(n, sizeof *o->offset_closes);
    o->weight_offset = zeros(m, sizeof *o->weight_offset);
    o->weight_offset_velocity = zeros(m, sizeof *o->weight_offset_velocity);
    o->before = zeros(n, sizeof *o->before);
    for (int i = 0; i < ORACLE_STEPS; i++) o->after[i] = zeros(n, sizeof *o->after[i]);
    o->bounds = zeros(n, sizeof *o->bounds);
    o->weight_bounds = zeros(m, sizeof *o->weight_bounds);
    sinew_pose_reset(o->pose);
    read_from(o, o->pose, &o->rest);
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
    free(o->offset), free(o->offset_velocity), free(o->offset_closes), free(o->weight_offset),
        free(o->weight_offset_velocity);
    free(o->before), free(o->bounds), free(o->weight_bounds);
    for (int i = 0; i < ORACLE_STEPS; i++) free(o->after[i]);
}

// ---- Entries -------------------------------------------------------------------------------------------------

static bool is_action(const oracle_entry *entry) {
    return entry->is_used && entry->handle.id != 0;
}

static bool is_in(const oracle_entry *entry, int layer) {
    return entry->is_used && entry->layer == layer;
}

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

// The free entry with its memory, cleared. If none is free, the held pose with the smallest share makes room.
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

static void give_sign(double q[4], const double reference[4]) {
    if (quat_dot(q, reference) < 0.0) quat_negate(q);
}

// Samples a clip. What root motion takes out of the pose stays as it is at the clip's start.
static void sample_at(const mixer_oracle *o, const sinew_clip *clip, float time, oracle_pose *out) {
    sinew_clip_sample(clip, time, o->pose);
    read_from(o, o->pose, out);
    if (o->root.node == SINEW_NO_NODE) return;
    sinew_vec3 start = sinew_clip_sample_node(clip, 0.0f, o->root.node).translation;
    out->nodes[o->root.node].t[0] = (double)start.x;
    out->nodes[o->root.node].t[2] = (double)start.z;
}

static void sample(const mixer_oracle *o, const oracle_entry *entry, oracle_pose *out) {
    sample_at(o, entry->clip, entry->time, out);
}

// ---- Evaluation ----------------------------------------------------------------------------------------------

// The entries of a layer with their proportions.
typedef struct layer_sum {
    const oracle_entry *entries[ORACLE_MAX_ENTRIES];
    const oracle_pose *poses[ORACLE_MAX_ENTRIES];
    double shares[ORACLE_MAX_ENTRIES];
    int count;
    double sum;
} layer_sum;

// Which poses and which proportions: those before a frame or those after it.
typedef struct moment {
    bool poses_after;
    double share_seconds;
} moment;

static double proportion(const oracle_entry *entry, const oracle_layer *layer, double seconds) {
    return fade_after(layer->additive ? &entry->weight : &entry->share, seconds);
}

static layer_sum sum_of_layer(const mixer_oracle *o, int layer, moment at) {
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

// The proportions of a layer's entries, divided by their sum. The rotation is unit.
static local_transform blend_node(const layer_sum *sum, int32_t node) {
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
    layer_sum sum = sum_of_layer(o, 0, at);
    double rest = o->fills_with_rest ? fmax(0.0, 1.0 - sum.sum) : 0.0;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        if (sum.count == 0) {
            out->nodes[i] = o->rest.nodes[i];
            continue;
        }
        local_transform blend = blend_node(&sum, i);
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
        local_transform over = blend_node(sum, i);
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

// Evaluates the first `layers` layers, without offsets. `base` may be NULL; it gets the pose of the base alone.
static void evaluate(const mixer_oracle *o, int layers, moment at, oracle_pose *base, oracle_pose *out) {
    evaluate_base(o, at, out);
    if (base) copy_pose(o, out, base);
    for (int l = 1; l < layers; l++) {
        const oracle_layer *layer = &o->layers[l];
        layer_sum sum = sum_of_layer(o, l, at);
        double strength = fade_after(&layer->strength, at.share_seconds);
        if (sum.count == 0 || strength == 0.0) continue;
        (layer->additive ? apply_additive : apply_override)(o, &sum, layer, strength, out);
    }
}

// ---- Offsets of inertialization ------------------------------------------------------------------------------

// The factors of an offset's start and velocity: x(s) = (1 - s)^4 (X0 + B s) with B = V d + 4 X0. `cut` is that of a
// velocity that would close the difference before the duration is over: the mixer may cut it short, never faster.
typedef struct offset_factors {
    double start, velocity, cut;
} offset_factors;

static offset_factors offset_after(const mixer_oracle *o, double seconds) {
    double s = fmin(1.0, (o->offset_elapsed + seconds) / o->offset_duration), left = (1.0 - s) * (1.0 - s);
    double velocity = left * left * s * o->offset_duration;
    return (offset_factors){left * left * (1.0 + 4.0 * s), velocity, velocity};
}

static void add_offsets(const mixer_oracle *o, offset_factors by, const oracle_pose *from, oracle_pose *to) {
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        const channel_flags *closes = &o->offset_closes[i];
        local_motion offset = motion_scaled(&o->offset[i], by.start);
        const local_motion *velocity = &o->offset_velocity[i];
        for (int c = 0; c < 3; c++) {
            offset.t[c] += (closes->t ? by.cut : by.velocity) * velocity->t[c];
            offset.r[c] += (closes->r ? by.cut : by.velocity) * velocity->r[c];
            offset.s[c] += (closes->s ? by.cut : by.velocity) * velocity->s[c];
        }
        to->nodes[i] = transform_moved(&from->nodes[i], &offset, 1.0);
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++)
        to->weights[i] =
            from->weights[i] + by.start * o->weight_offset[i] + by.velocity * o->weight_offset_velocity[i];
}

static double vector_length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Limits an extrapolation that lasts `seconds` to a quarter turn and to half of the scale.
static void limit_velocity(local_motion *velocity, const local_transform *from, double seconds) {
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

static local_motion larger_motion(const local_motion *a, const local_motion *b) {
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
    return larger_motion(&last, &coming);
}

static bool closes_early(const double start[3], const double velocity[3], double duration) {
    double square = start[0] * start[0] + start[1] * start[1] + start[2] * start[2];
    double closing = -(start[0] * velocity[0] + start[1] * velocity[1] + start[2] * velocity[2]);
    return closing * duration > 5.0 * square;
}

// Captures the difference of the shown pose and the new one, and of their velocities: at the end of the calls, so that
// any number of them take it over once. `now` and `next` are the new pose before and after the frame.
static void capture_offsets(mixer_oracle *o, const oracle_pose *now, const oracle_pose *next) {
    double rate = 1.0 / o->dt, d = o->offset_duration;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        const local_transform old[3] = {o->shown_before.nodes[i], o->shown.nodes[i], o->ahead.nodes[i]};
        local_motion change = offset_change(old, &now->nodes[i], &next->nodes[i]);
        local_motion *start = &o->offset[i], *velocity = &o->offset_velocity[i];
        *start = motion_between(&now->nodes[i], &o->shown.nodes[i]);
        *velocity = motion_scaled(&change, rate);
        limit_velocity(velocity, &o->shown.nodes[i], d * 256.0 / 3125.0);
        o->offset_closes[i] =
            (channel_flags){closes_early(start->t, velocity->t, d), closes_early(start->r, velocity->r, d),
                            closes_early(start->s, velocity->s, d)};
    }
    for (int32_t i = 0; i < o->skeleton->weight_count; i++) {
        double old = o->shown.weights[i] - o->shown_before.weights[i], new = next->weights[i] - now->weights[i];
        o->weight_offset[i] = o->shown.weights[i] - now->weights[i];
        o->weight_offset_velocity[i] = (old - new) * rate;
    }
    o->offset_elapsed = 0.0;
    o->offset_is_new = false;
}

// ---- Proportions ---------------------------------------------------------------------------------------------

static double weight_now(const oracle_entry *entry) {
    return fade_after(&entry->weight, 0.0);
}

// The action that shows when all of the base fade out: the one whose fade ends last; of equal ones the newest.
static const oracle_entry *last_of_base(const mixer_oracle *o) {
    const oracle_entry *last = NULL;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, 0) || !is_action(entry) || !(weight_now(entry) > 0.0)) continue;
        double left = fade_left(&entry->weight), most = last ? fade_left(&last->weight) : -1.0;
        if (left > most + 1e-9 || (left > most - 1e-9 && entry->age > last->age)) last = entry;
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
static double target_share(const mixer_oracle *o, const oracle_entry *entry, double sum, const oracle_entry *last) {
    if (entry->layer > 0 || o->fills_with_rest) return entry->target / fmax(1.0, sum);
    if (sum > 0.0) return entry->target / sum;
    if (last) return entry == last;
    return entry->handle.id == 0 && !entry->is_evicted ? 1.0 : 0.0; // nothing plays, and the pose stays held
}

// Begins a fade of every share of a layer whose target changed. Those whose fade was requested take the new duration;
// those that fade already keep the rest of theirs.
static void retarget(mixer_oracle *o, int layer, double duration, int curve) {
    const oracle_entry *last = layer == 0 ? last_of_base(o) : NULL;
    double sum = sum_of_targets(o, layer);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, layer)) continue;
        double to = target_share(o, entry, sum, last), left = fade_left(&entry->share);
        if (entry->is_requested) {
            fade_begin(&entry->share, to, duration, curve);
        } else if (fabs(to - entry->share.to) > 1e-9) {
            fade_begin(&entry->share, to, left > 0.0 ? left : duration, left > 0.0 ? entry->share.curve : curve);
        }
        entry->is_requested = false;
    }
}

static void request(oracle_entry *entry, double weight, double duration, int curve, bool stops) {
    fade_begin(&entry->weight, weight, duration, curve);
    entry->target = weight;
    entry->stops = stops;
    entry->is_requested = true;
}

// ---- Held poses ----------------------------------------------------------------------------------------------

// The seconds at full speed that a decelerating held pose has moved for.
static double extrapolated_seconds(double elapsed, double duration) {
    double left = elapsed < duration ? 1.0 - elapsed / duration : 0.0;
    return duration / 3.0 * (1.0 - left * left * left);
}

// Computes an action's root velocity from that of its clip, which is the same from start to end.
static void move_root(const mixer_oracle *o, oracle_entry *entry) {
    if (o->root.node == SINEW_NO_NODE) return;
    double duration = (double)entry->clip->duration, rate = entry->moved / o->dt;
    sinew_vec3 start = sinew_clip_sample_node(entry->clip, 0.0f, o->root.node).translation;
    sinew_vec3 end = sinew_clip_sample_node(entry->clip, entry->clip->duration, o->root.node).translation;
    entry->root[0] = rate * (double)(end.x - start.x) / duration;
    entry->root[1] = rate * (double)(end.z - start.z) / duration;
}

// Extrapolates a held pose by a frame.
static void move_held(const mixer_oracle *o, oracle_entry *entry, double dt) {
    if (entry->duration == 0.0) return;
    double seconds = extrapolated_seconds(entry->moved + dt, entry->duration) -
                     extrapolated_seconds(entry->moved, entry->duration);
    for (int32_t i = 0; i < o->skeleton->node_count; i++)
        entry->is.nodes[i] = transform_moved(&entry->was.nodes[i], &entry->velocity[i], seconds);
}

// Turns an action into a held pose.
static void hold_entry(mixer_oracle *o, oracle_entry *entry) {
    copy_pose(o, &entry->was, &entry->is);
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

// Replaces everything in the base by its current pose.
static oracle_entry *hold_base(mixer_oracle *o, bool keeps_actions) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!is_in(entry, 0)) continue;
        entry->share = fade_at(0.0);
        entry->is_used = keeps_actions && is_action(entry);
    }
    oracle_entry *held = take_entry(o);
    memcpy(held->root, o->root.shown, sizeof held->root);
    copy_pose(o, &o->base, &held->was);
    copy_pose(o, &o->base, &held->is);
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
    read_from(o, sinew_mixer_pose(o->mixer), &o->seen);
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (is_action(entry)) {
            sample_at(o, entry->clip, time_ahead(o, entry), &entry->is);
            for (int32_t k = 0; k < o->skeleton->node_count; k++)
                give_sign(entry->is.nodes[k].q, entry->was.nodes[k].q);
        } else if (entry->is_used) {
            move_held(o, entry, o->dt);
        }
    }
    evaluate(o, o->layer_count, (moment){true, o->dt}, &o->base_ahead, &o->ahead);
    if (o->offset_duration > 0.0) add_offsets(o, offset_after(o, o->dt), &o->ahead, &o->ahead);
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

// The group's phase that a member of the same mixer has; negative: none.
static double phase_of_group(const mixer_oracle *o, int sync, const oracle_entry *but) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || entry == but || sync == 0 || entry->sync != sync) continue;
        if (!sinew_action_is_active(o->mixer, entry->handle)) continue;
        return (double)(sinew_action_time(o->mixer, entry->handle) / entry->clip->duration);
    }
    return -1.0;
}

static bool is_out_of_phase(double a, double b) {
    double difference = fabs(a - b);
    return fmin(difference, fabs(1.0 - difference)) > 2e-3;
}

// Gives a new entry's rotations the sign of the pose that they are blended with: its layer's, or the layers' below.
static void give_signs(mixer_oracle *o, oracle_entry *entry) {
    static const double identity[4] = {0, 0, 0, 1};
    moment now = {false, 0.0};
    layer_sum sum = sum_of_layer(o, entry->layer, now);
    bool adds = o->layers[entry->layer].additive;
    if (!adds && sum.count == 0) evaluate(o, entry->layer, now, NULL, &o->result);
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        local_transform blend = sum.count > 0 ? blend_node(&sum, i) : o->result.nodes[i];
        give_sign(entry->was.nodes[i].q, adds ? identity : blend.q);
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
    move_root(o, entry);
    sample(o, entry, &entry->was);
    give_signs(o, entry);
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
    copy_pose(o, &o->rest, &o->base);
    sinew_play_def defaults = sinew_play_default();
    oracle_entry *first = add_action(o, action, clip, &defaults);
    first->target = 1.0;
    first->weight = first->share = fade_at(1.0);
    memcpy(first->root_before, first->root, sizeof first->root);
    memcpy(o->root.shown, first->root, sizeof first->root);
    copy_pose(o, &first->was, &o->base);
    copy_pose(o, &first->was, &o->shown);
    sinew_clip_sample(clip, (float)fmax(0.0, (double)first->time - dt), o->pose);
    read_from(o, o->pose, &o->shown_before);
    for (int32_t i = 0; i < o->skeleton->node_count; i++)
        give_sign(o->shown_before.nodes[i].q, o->shown.nodes[i].q);
    copy_pose(o, &o->shown_before, &o->base_before);
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

static double rate_of(const oracle_entry *entry) {
    return fabs(entry->speed) * entry->warp;
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
    oracle_entry *held = hold_base(o, true);
    held->duration = duration;
    for (int32_t i = 0; i < o->skeleton->node_count; i++) {
        local_motion last = motion_between(&o->base_before.nodes[i], &o->base.nodes[i]);
        local_motion next = motion_between(&o->base.nodes[i], &o->base_ahead.nodes[i]);
        local_motion moved = larger_motion(&last, &next);
        held->velocity[i] = motion_scaled(&moved, 1.0 / o->dt);
        limit_velocity(&held->velocity[i], &o->base.nodes[i], duration / 3.0);
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
    entry->share = fade_at(target_share(o, entry, weight, NULL));
    for (int32_t i = 0; def->layer == 0 && i < o->skeleton->node_count; i++)
        give_sign(entry->was.nodes[i].q, o->base.nodes[i].q);
    o->offset_is_new = true;
    o->offset_duration = (double)transition->duration;
}

void oracle_transition(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def) {
    look_ahead(o);
    double phase = phase_of_group(o, def->sync, NULL);
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
    double joined = (double)(entry->time / clip->duration);
    if (entry->sync && phase >= 0.0 && is_out_of_phase(joined, phase)) o->lost_phase = true;
}

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

static void step_action(mixer_oracle *o, oracle_entry *entry, double dt) {
    bool lives = sinew_action_is_active(o->mixer, entry->handle);
    double left = fade_left(&entry->weight);
    if (lives && entry->stops && left < dt - 1e-5) o->wrong = "an action outlives its fade";
    if (!lives && (!entry->stops || left > dt + 1e-5)) o->wrong = "an action ended before its fade";
    if (!lives) {
        copy_pose(o, &entry->was, &entry->is);
        return;
    }
    float time = sinew_action_time(o->mixer, entry->handle);
    check_time(o, entry, time, dt);
    entry->moved = (double)(time - entry->time);
    double duration = (double)entry->clip->duration;
    if (fabs(entry->moved) > 0.5 * duration) entry->moved -= copysign(duration, entry->moved);
    entry->time = time;
    move_root(o, entry);
    sample(o, entry, &entry->is);
    for (int32_t i = 0; i < o->skeleton->node_count; i++) give_sign(entry->is.nodes[i].q, entry->was.nodes[i].q);
}

static void step_entries(mixer_oracle *o, double dt) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (is_action(entry)) {
            step_action(o, entry, dt);
        } else if (entry->is_used) {
            move_held(o, entry, dt);
            entry->moved += dt;
        }
    }
}

static void check_phases(mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        if (!is_action(entry) || !entry->sync || !sinew_action_is_active(o->mixer, entry->handle)) continue;
        double phase = phase_of_group(o, entry->sync, entry);
        if (phase >= 0.0 && is_out_of_phase((double)(entry->time / entry->clip->duration), phase))
            o->lost_phase = true;
    }
}

static void advance_entry(oracle_entry *entry, double dt) {
    bool ends = fade_advance(&entry->weight, dt) && entry->stops;
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
        is_held |= !is_action(entry) && entry->share.to > 0.0;
    }
    if (sum == 0.0 && !is_held) hold_base(o, true);
}

static void advance_entries(mixer_oracle *o, double dt) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        oracle_entry *entry = &o->entries[i];
        if (!entry->is_used) continue;
        advance_entry(entry, dt);
        if (!is_action(entry)) { // the next step starts from a copy
            copy_pose(o, &entry->was, &entry->is);
        }
    }
    for (int l = 0; l < o->layer_count; l++) fade_advance(&o->layers[l].strength, dt);
    hold_last(o);
}

// Makes `new` the pose of now, and that of now the one before.
static void keep(oracle_pose *now, oracle_pose *before, oracle_pose *new) {
    oracle_pose old = *before;
    *before = *now;
    *now = *new;
    *new = old;
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
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *entry = &o->entries[i];
        bool fades = is_in(entry, 0) && entry->share.duration > 0.0;
        if (fades) shortest = fmin(shortest, entry->share.duration);
    }
    return fmin(1.0, 3.0 * dt / shortest);
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
        if (slope == 0.0) lasting[0] = lasting[1] = root->shown[c];
        for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
            oracle_entry *entry = &o->entries[i];
            if (!is_in(entry, 0)) continue;
            double change = is_action(entry) ? entry->root[c] - entry->root_before[c] : 0.0;
            extend(range, entry->root[c]);
            if (entry->is_evicted || !is_action(entry)) extend(range, 0.0);
            own = fmax(own, fabs(change));
            entry->root_before[c] = entry->root[c];
        }
        extend(lasting, range[0]), extend(lasting, range[1]);
        root->low[c] = lasting[0], root->high[c] = lasting[1];
        apart = fmax(apart, lasting[1] - lasting[0]);
        double slack = 0.02 + 0.02 * (lasting[1] - lasting[0]);
        root->is_outside |= now[c] < lasting[0] - slack || now[c] > lasting[1] + slack;
    }
    root->change = hypot(now[0] - root->shown[0], now[1] - root->shown[1]);
    root->largest = own + slope * apart + 0.02;
    memcpy(root->shown, now, sizeof now);
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

static void bound_weights(mixer_oracle *o, const oracle_pose *clips, const oracle_pose *shares,
                          const oracle_pose *result) {
    for (int32_t i = 0; i < o->skeleton->weight_count; i++)
        o->weight_bounds[i] = fabs(clips->weights[i] - o->shown.weights[i]) +
                              fabs(shares->weights[i] - clips->weights[i]) +
                              fabs(result->weights[i] - shares->weights[i]) + WEIGHT_ALLOWED;
}

// Computes the pose of the next frame, and the base's.
static void evaluate_frame(mixer_oracle *o, double dt) {
    oracle_pose base = o->base_before;
    evaluate(o, o->layer_count, (moment){true, 0.0}, NULL, &o->clips_moved);
    evaluate(o, o->layer_count, (moment){true, dt}, &base, &o->shares_moved);
    o->base_before = o->base;
    o->base = base;
}

// The steps of an inertialization: the difference decays, then the velocity. Returns the number of steps.
static int move_offsets(mixer_oracle *o, double dt, int steps) {
    double s = fmin(1.0, o->offset_elapsed / o->offset_duration), left = 1.0 - s;
    offset_factors before = offset_after(o, 0.0), after = offset_after(o, dt), part = before;
    part.start = after.start;
    add_offsets(o, part, &o->shares_moved, &o->result);
    points_of_pose(&o->points, o->result.nodes, o->after[steps++]);
    part.velocity = after.velocity;
    part.cut = before.cut + left * left * left * dt;
    add_offsets(o, part, &o->shares_moved, &o->result);
    points_of_pose(&o->points, o->result.nodes, o->after[steps++]);
    add_offsets(o, after, &o->shares_moved, &o->result);
    return steps;
}

// The frame in steps: the clips move, then the proportions, then the offsets of an inertialization.
void oracle_step(mixer_oracle *o, float seconds) {
    double dt = (double)seconds;
    bool moves_shares = any_share_moves(o), has_offsets = o->offset_duration > 0.0;
    oracle_pose new_now = o->result; // scratch until the end
    if (o->offset_is_new) evaluate(o, o->layer_count, (moment){false, 0.0}, NULL, &new_now);
    sinew_mixer_update(o->mixer, seconds);
    step_entries(o, dt);
    check_phases(o);
    step_root(o, dt);
    evaluate_frame(o, dt);
    if (o->offset_is_new) capture_offsets(o, &new_now, &o->clips_moved);
    oracle_pose clips = o->clips_moved, shares = o->shares_moved;
    if (has_offsets) {
        offset_factors now = offset_after(o, 0.0);
        clips = o->with_offsets[0], shares = o->with_offsets[1];
        add_offsets(o, now, &o->clips_moved, &clips);
        add_offsets(o, now, &o->shares_moved, &shares);
    }
    int steps = 0;
    points_of_pose(&o->points, clips.nodes, o->after[steps++]);
    if (moves_shares) points_of_pose(&o->points, shares.nodes, o->after[steps++]);
    if (has_offsets) steps = move_offsets(o, dt, steps);
    if (!has_offsets) copy_pose(o, &o->shares_moved, &o->result);
    sum_bounds(o, steps);
    bound_weights(o, &clips, &shares, &o->result);
    points_of_pose(&o->points, o->result.nodes, o->before);
    keep(&o->shown, &o->shown_before, &o->result);
    advance_entries(o, dt);
    o->has_ahead = false;
    o->offset_elapsed += dt;
    if (has_offsets && o->offset_elapsed >= o->offset_duration) o->offset_duration = 0.0;
}

double oracle_apart(const mixer_oracle *o, int32_t node) {
    double largest = 0.0;
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        const oracle_entry *a = &o->entries[i];
        if (!a->is_used || fade_after(&a->share, 0.0) < 0.001) continue;
        for (int k = 0; k < i; k++) {
            const oracle_entry *b = &o->entries[k];
            if (!b->is_used || b->layer != a->layer || fade_after(&b->share, 0.0) < 0.001) continue;
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
