// SPDX-License-Identifier: MIT
// The continuity contract: random sequences of transitions, the same ones on every machine. In no frame a virtual
// point moves further than the clips move it, plus the even share of the transitions, plus 3 degrees of joint rotation.
//
//     test_soak [SEQUENCES [FIRST]]
//
// With one sequence it prints what was done in it. docs/mixing.md has the contract; mixer_oracle.c computes the bounds.
#include "support/mixer_oracle.h"
#include "continuity/continuity.h"
#include "support/random_rig.h"

#include <stdio.h>
#include <time.h>

enum { MAX_CLIPS = 64, SEQUENCES = 400, FLIPS = 100, LOG_LINES = 12, MAX_BAD = 40, HERTZ = 60 };

#define DT (1.0f / (float)HERTZ)

// ---- Files ---------------------------------------------------------------------------------------------------

typedef enum kind { FADES, WARPS, INERTIALIZATIONS, DEAD_BLENDS, SYNCED, LAYERED, ALL, ROOTED, KINDS } kind;
static const char *const kind_names[KINDS] = {"fades",   "warped", "inertialized", "dead-blended",
                                              "in sync", "layers", "all of them",  "root motion"};

// The ways in which the contract is violated.
typedef enum violation {
    TIME, // of an action: it ran too fast, ended too early or too late
    SYNC, // an action left the phase of its group
    SIDE, // rotations more than half a turn apart changed sides
    PROPORTION,
    EVICTION,
    VELOCITY, // an inertialization
    ROOT,     // its velocity jumped, or left the range of the clips
    MORPH,
    OTHER,
    VIOLATIONS
} violation;
static const char *const violation_names[VIOLATIONS] = {"time",     "sync", "side",  "proportion", "eviction",
                                                        "velocity", "root", "morph", "other"};

typedef struct tally {
    long sequences, frames, bad_sequences, points, violations[VIOLATIONS];
    double slack, worst; // sums of (bound - step), and the largest (step - bound), in model sizes
} tally;

typedef struct subject {
    const char *name;
    sinew_asset *asset;
    const sinew_skeleton *skeleton; // NULL: not loaded
    const sinew_clip *clips[MAX_CLIPS];
    sinew_clip *differences[MAX_CLIPS];
    int clip_count;
    bool is_ours;
    mixer_oracle oracle;
    node_points *before, *now;
    float *weights_before;
    double size;
    tally tallies[KINDS];
} subject;

static subject subjects[] = {
    {.name = "hero.glb", .is_ours = true},
    {.name = "bevy/Fox.glb"},
    {.name = "kaykit/Knight.glb"},
    {.name = "robotexpressive/RobotExpressive.glb"},
};
#define SUBJECTS ((int)(sizeof subjects / sizeof *subjects))

// A rig whose clips travel at a constant speed, for root motion.
static subject walker = {.name = "a walking rig"};
static sinew_skeleton *walker_skeleton;
static sinew_clip *walker_clips[5];

static void add_clip(subject *s, const sinew_clip *clip) {
    if (!(clip->duration > 0.3f) || s->clip_count == MAX_CLIPS) return;
    sinew_clip_sample(clip, 0.0f, s->oracle.pose);
    assert_int_equal(sinew_clip_make_additive(clip, s->oracle.pose, NULL, &s->differences[s->clip_count], NULL),
                     SINEW_OK);
    s->clips[s->clip_count++] = clip;
}

static void prepare(subject *s, const sinew_skeleton *skeleton) {
    size_t n = (size_t)skeleton->node_count;
    s->skeleton = skeleton;
    oracle_create(&s->oracle, skeleton);
    s->before = calloc(n, sizeof *s->before);
    s->now = calloc(n, sizeof *s->now);
    s->weights_before = calloc((size_t)skeleton->weight_count + 1, sizeof *s->weights_before);
    sinew_continuity *continuity;
    assert_int_equal(sinew_continuity_create(skeleton, NULL, &continuity), SINEW_OK);
    s->size = (double)sinew_continuity_size(continuity);
    sinew_continuity_destroy(continuity);
}

static void open_subject(subject *s) {
    char path[1024];
    const char *folder = s->is_ours ? SINEW_MODELS : getenv("SINEW_ASSETS");
    if (!folder) {
        print_message("SINEW_ASSETS is not set: %s is skipped\n", s->name);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", folder, s->name);
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, NULL, &s->asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    prepare(s, s->asset->skeleton);
    for (int32_t i = 0; i < s->asset->clip_count; i++) add_clip(s, &s->asset->clips[i]);
}

static sinew_clip *make_walk(const char *name, float duration, float x, float z) {
    float times[3] = {0, duration / 2, duration}, way[9] = {0, 1, 0, x / 2, 1, z / 2, x, 1, z}, turns[2][12];
    for (int k = 0; k < 3; k++) {
        sinew_quat swing = about_x(0.6 * (double)z * (k == 1 ? -1.0 : 1.0)), lean = about_z(0.2 * (double)duration);
        memcpy(turns[0] + (ptrdiff_t)4 * k, (float[4]){swing.x, swing.y, swing.z, swing.w}, 4 * sizeof(float));
        memcpy(turns[1] + (ptrdiff_t)4 * k, (float[4]){lean.x, lean.y, lean.z, lean.w}, 4 * sizeof(float));
    }
    const sinew_channel_def channels[3] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, times, way},
        {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, turns[0]},
        {2, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, turns[1]},
    };
    return make_clip(walker_skeleton, name, channels, 3);
}

static void open_walker(void) {
    walker_skeleton = make_chain(3);
    walker_clips[0] = make_walk("idle", 2.0f, 0, 0);
    walker_clips[1] = make_walk("walk", 1.0f, 0, 1.2f);
    walker_clips[2] = make_walk("run", 0.7f, 0, 2.45f);
    walker_clips[3] = make_walk("back", 0.8f, 0, -0.8f);
    walker_clips[4] = make_walk("strafe", 0.6f, 0.9f, 0.3f);
    prepare(&walker, walker_skeleton);
    for (int i = 0; i < 5; i++) walker.clips[walker.clip_count++] = walker_clips[i];
}

static void close_subject(subject *s) {
    if (!s->skeleton) return;
    for (int i = 0; i < s->clip_count; i++) sinew_clip_destroy(s->differences[i]);
    oracle_destroy(&s->oracle);
    free(s->before), free(s->now), free(s->weights_before);
    sinew_asset_destroy(s->asset);
}

// ---- A run ---------------------------------------------------------------------------------------------------

// One sequence, and the last calls made in it.
typedef struct run {
    subject *on;
    kind kind;
    uint64_t number, random;
    int frame, layer_count;
    sinew_mask *masks[ORACLE_MAX_LAYERS]; // of the layers; NULL: none
    char log[LOG_LINES][160];
    int lines;
    bool is_told, is_bad, is_weighted; // some weights were not 1, or faded one by one
    bool warps;                        // of ALL: warps, or else sync groups
    int last_frame;                    // of a violation
    violation last_cause;
} run;

static void note(run *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *line = r->log[r->lines++ % LOG_LINES];
    int length = snprintf(line, sizeof r->log[0], "frame %d: ", r->frame);
    vsnprintf(line + length, sizeof r->log[0] - (size_t)length, format, arguments);
    va_end(arguments);
    if (r->is_told) print_message("%s\n", line);
}

static void violate(run *r, violation what, double excess, const char *format, ...) {
    tally *t = &r->on->tallies[r->kind];
    t->violations[what]++;
    t->worst = fmax(t->worst, excess);
    r->is_bad = true;
    if (!r->is_told) return;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_message("frame %d: VIOLATION (%s): %s\n", r->frame, violation_names[what], text);
}

// ---- Drawing -------------------------------------------------------------------------------------------------

static bool draw_chance(run *r, double chance) {
    return (double)random_float(&r->random, 0, 1) < chance;
}

static float draw_duration(run *r) {
    return draw_chance(r, 0.1) ? random_float(&r->random, 0.03f, 0.08f) : random_float(&r->random, 0.08f, 0.8f);
}

static sinew_curve draw_curve(run *r) {
    return (sinew_curve)draw_count(&r->random, SINEW_CURVE_LINEAR, SINEW_CURVE_SMOOTHSTEP);
}

static float draw_speed(run *r) {
    float speed = draw_chance(r, 0.5) ? 1.0f : random_float(&r->random, 0.25f, 2.0f);
    return draw_chance(r, 0.1) && r->kind != SYNCED ? -speed : speed;
}

// From 0.05 to 2, as often below 0.3 as above it.
static float draw_weight(run *r) {
    if (draw_chance(r, 0.4)) return 1.0f;
    r->is_weighted = true;
    return 0.05f * powf(40.0f, random_float(&r->random, 0, 1));
}

static int draw_layer(run *r) {
    bool is_upper = (r->kind == ALL && draw_chance(r, 0.4)) || (r->kind == LAYERED && draw_chance(r, 0.7));
    return is_upper && r->layer_count > 1 ? draw_count(&r->random, 1, r->layer_count - 1) : 0;
}

// Any clip, and often one that plays in the layer.
static const sinew_clip *draw_clip_for(run *r, int layer) {
    subject *s = r->on;
    const oracle_entry *there = draw_chance(r, 0.3) ? oracle_any(&s->oracle, random_next(&r->random)) : NULL;
    if (there && there->layer == layer) return there->clip;
    int i = draw_count(&r->random, 0, s->clip_count - 1);
    return s->oracle.layers[layer].additive ? s->differences[i] : s->clips[i];
}

static sinew_play_def draw_def(run *r, int layer) {
    sinew_play_def def = sinew_play_default();
    def.speed = draw_speed(r);
    def.curve = draw_curve(r);
    def.layer = layer;
    def.loop = (sinew_loop)draw_count(&r->random, SINEW_LOOP_ONCE, SINEW_LOOP_PING_PONG);
    if (draw_chance(r, 0.6) || r->kind == SYNCED) def.loop = SINEW_LOOP_REPEAT;
    bool may_sync = r->kind == SYNCED || (r->kind == ALL && !r->warps && draw_chance(r, 0.3));
    if (def.loop == SINEW_LOOP_REPEAT && may_sync) def.sync = 1;
    def.weight = draw_weight(r);
    def.allow_duplicate = draw_chance(r, 0.2);
    def.restart = draw_chance(r, 0.1);
    return def;
}

static sinew_transition_kind draw_transition_kind(run *r) {
    if (r->kind == INERTIALIZATIONS)
        return draw_chance(r, 0.7) ? SINEW_TRANSITION_INERTIALIZE : SINEW_TRANSITION_FADE;
    if (r->kind == DEAD_BLENDS) return draw_chance(r, 0.7) ? SINEW_TRANSITION_DEAD_BLEND : SINEW_TRANSITION_FADE;
    if (r->kind < SYNCED) return SINEW_TRANSITION_FADE;
    return (sinew_transition_kind)draw_count(&r->random, SINEW_TRANSITION_FADE, SINEW_TRANSITION_DEAD_BLEND);
}

static void change_clip(run *r) {
    static const char *const names[] = {"fade", "inertialize", "dead blend"};
    int layer = draw_layer(r);
    const sinew_clip *clip = draw_clip_for(r, layer);
    sinew_play_def def = draw_def(r, layer);
    sinew_transition transition = sinew_transition_default();
    transition.kind = draw_transition_kind(r);
    transition.duration = draw_duration(r);
    transition.curve = draw_curve(r);
    bool may_warp = transition.kind == SINEW_TRANSITION_FADE && (r->kind == WARPS || (r->kind == ALL && r->warps));
    transition.warp = may_warp && draw_chance(r, 0.7);
    note(r, "%s%s to %s in layer %d over %g s, weight %g, speed %g, loop %d, curve %d%s%s%s",
         transition.warp ? "warped " : "", names[transition.kind], clip->name, layer, (double)transition.duration,
         (double)def.weight, (double)def.speed, (int)def.loop, (int)transition.curve, def.sync ? ", sync" : "",
         def.allow_duplicate ? ", duplicate" : "", def.restart ? ", restart" : "");
    oracle_transition(&r->on->oracle, clip, &transition, &def);
}

static void play_another(run *r) {
    int layer = draw_layer(r);
    r->is_weighted = true;
    const sinew_clip *clip = draw_clip_for(r, layer);
    sinew_play_def def = draw_def(r, layer);
    def.fade = draw_duration(r);
    note(r, "play %s in layer %d, fade %g s, weight %g, speed %g, loop %d, curve %d%s%s%s", clip->name, layer,
         (double)def.fade, (double)def.weight, (double)def.speed, (int)def.loop, (int)def.curve,
         def.sync ? ", sync" : "", def.allow_duplicate ? ", duplicate" : "", def.restart ? ", restart" : "");
    oracle_play(&r->on->oracle, clip, &def);
}

static void seek(run *r, oracle_entry *entry, float duration) {
    float time = random_float(&r->random, 0, entry->clip->duration);
    note(r, "seek %s to %g s, inertialized over %g s", entry->clip->name, (double)time, (double)duration);
    oracle_seek(&r->on->oracle, entry, time, duration);
}

static void change_action(run *r) {
    oracle_entry *entry = oracle_any(&r->on->oracle, random_next(&r->random));
    if (!entry) return;
    const char *name = entry->clip->name;
    float duration = draw_duration(r), speed = draw_speed(r), weight = draw_weight(r);
    switch (draw_count(&r->random, 0, 4)) {
    case 0:
        note(r, "fade %s out over %g s", name, (double)duration);
        oracle_fade_out(&r->on->oracle, entry, duration);
        return;
    case 1:
        note(r, "fade %s in over %g s", name, (double)duration);
        oracle_fade_to(&r->on->oracle, entry, (float)entry->full_weight, duration);
        return;
    case 2:
        if (draw_chance(r, 0.2)) weight = 0.0f;
        note(r, "fade %s to %g over %g s", name, (double)weight, (double)duration);
        oracle_fade_to(&r->on->oracle, entry, weight, duration);
        return;
    case 3:
        seek(r, entry, duration);
        return;
    default:
        if (entry->sync || r->on->oracle.requests > 0) return; // a transition keeps the speed of its start
        note(r, "%s at speed %g", name, (double)speed);
        oracle_set_speed(&r->on->oracle, entry, speed);
    }
}

static void fade_layer(run *r) {
    float weight = draw_chance(r, 0.3) ? 0.0f : random_float(&r->random, 0, 1), duration = draw_duration(r);
    int layer = draw_count(&r->random, 1, r->layer_count - 1);
    note(r, "layer %d to %g over %g s", layer, (double)weight, (double)duration);
    oracle_layer_fade(&r->on->oracle, layer, weight, duration, draw_curve(r));
}

static void change_mask(run *r) {
    float duration = draw_duration(r);
    int layer = draw_count(&r->random, 1, r->layer_count - 1);
    const sinew_mask *mask = draw_chance(r, 0.3) ? NULL : r->masks[draw_count(&r->random, 1, r->layer_count - 1)];
    note(r, "another mask of layer %d, inertialized over %g s", layer, (double)duration);
    oracle_set_mask(&r->on->oracle, layer, mask, duration);
}

static void make_call(run *r) {
    if (r->layer_count > 1 && draw_chance(r, 0.15)) {
        fade_layer(r);
    } else if (r->layer_count > 1 && draw_chance(r, 0.1)) {
        change_mask(r);
    } else if (draw_chance(r, 0.5)) {
        change_clip(r);
    } else if (draw_chance(r, 0.5)) {
        play_another(r);
    } else {
        change_action(r);
    }
}

// ---- The contract --------------------------------------------------------------------------------------------

// The worst point of a frame.
typedef struct excess {
    double most, step;
    int32_t node;
    int point;
} excess;

static excess measure_points(run *r) {
    subject *s = r->on;
    tally *t = &s->tallies[r->kind];
    excess worst = {.most = -HUGE_VAL, .node = -1};
    for (int32_t i = 0; i < s->skeleton->node_count; i++) {
        for (int p = 0; p < NODE_POINTS; p++) {
            double step = points_distance(s->before[i].at[p], s->now[i].at[p]);
            double left = s->oracle.bounds[i].sum[p] - step;
            t->slack += fabs(left) / s->size;
            if (!(-left > worst.most)) continue;
            worst = (excess){-left, step, i, p};
        }
    }
    t->points += (long)s->skeleton->node_count * NODE_POINTS;
    return worst;
}

// The joint of a chain that differs most from the model's: the origin of a violation.
typedef struct origin {
    int32_t joint;
    double degrees, apart; // of the model's rotation, and between its contributions
} origin;

static origin find_origin(const run *r, int32_t node) {
    const subject *s = r->on;
    const sinew_pose *pose = sinew_mixer_pose(s->oracle.mixer);
    origin out = {.joint = SINEW_NO_NODE, .degrees = -1.0};
    for (int32_t i = node; i != SINEW_NO_NODE; i = s->skeleton->parents[i]) {
        double q[4] = {pose->rx[i], pose->ry[i], pose->rz[i], pose->rw[i]};
        quat_unit(q);
        double degrees = quat_angle(q, s->oracle.shown.nodes[i].q) * 180.0 / PI;
        if (degrees > out.degrees) out = (origin){.joint = i, .degrees = degrees};
    }
    out.apart = oracle_apart(&s->oracle, out.joint) * 180.0 / PI;
    return out;
}

static bool any_evicted(const mixer_oracle *o) {
    for (int i = 0; i < ORACLE_MAX_ENTRIES; i++) {
        if (o->entries[i].is_used && o->entries[i].is_evicted) return true;
    }
    return o->evictions > 0;
}

static violation find_cause(const run *r, const origin *from) {
    const mixer_oracle *o = &r->on->oracle;
    if (o->lost_phase) return SYNC;
    if (from->apart > 165.0 || (from->apart > 120.0 && from->degrees > 30.0)) return SIDE;
    if (any_evicted(o)) return EVICTION;
    if (oracle_is_uneven(o)) return PROPORTION;
    if (oracle_keeps_velocity(o)) return VELOCITY;
    if (r->last_frame >= r->frame - 2) return r->last_cause; // the pose returns from another one
    return r->is_weighted ? PROPORTION : OTHER;
}

static void check_points(run *r) {
    subject *s = r->on;
    excess worst = measure_points(r);
    if (!(worst.most > 0.0)) return;
    const point_bounds *bounds = &s->oracle.bounds[worst.node];
    origin from = find_origin(r, worst.node);
    r->last_cause = find_cause(r, &from);
    r->last_frame = r->frame;
    violate(r, r->last_cause, worst.most / s->size,
            "point %d of node %d (%s) moved %.4f m; bound %.4f m (clips %.4f, transitions %.4f)", worst.point,
            worst.node, s->skeleton->names[worst.node], worst.step, bounds->sum[worst.point],
            bounds->clips[worst.point], bounds->even[worst.point]);
    if (!r->is_told) return;
    print_message(
        "    the rotation of %s is %.1f degrees from the model's; its contributions are up to %.0f apart\n",
        s->skeleton->names[from.joint], from.degrees, from.apart);
}

static void check_weights(run *r) {
    const subject *s = r->on;
    const float *weights = sinew_mixer_weights(s->oracle.mixer);
    for (int32_t i = 0; i < s->skeleton->weight_count; i++) {
        double step = fabs((double)weights[i] - (double)s->weights_before[i]), bound = s->oracle.weight_bounds[i];
        if (step > bound) {
            violate(r, MORPH, 0.0, "morph weight %d moved by %g, not %g", i, step, bound);
            return;
        }
    }
}

static void check_root(run *r) {
    const oracle_root *root = &r->on->oracle.root;
    if (root->node == SINEW_NO_NODE) return;
    if (root->change > root->largest) {
        violate(r, ROOT, 0.0, "the root's velocity changed by %.3f m/s, not %.3f", root->change, root->largest);
    } else if (root->is_outside) {
        violate(r, ROOT, 0.0, "the root's velocity (%.3f, %.3f) m/s is not between %.3f and %.3f, %.3f and %.3f",
                root->shown[0], root->shown[1], root->low[0], root->high[0], root->low[1], root->high[1]);
    }
}

static void keep_frame(subject *s) {
    size_t n = (size_t)s->skeleton->node_count, m = (size_t)s->skeleton->weight_count;
    memcpy(s->before, s->now, n * sizeof *s->before);
    if (m > 0) memcpy(s->weights_before, sinew_mixer_weights(s->oracle.mixer), m * sizeof(float));
}

static void step(run *r) {
    subject *s = r->on;
    oracle_step(&s->oracle, DT);
    points_of_model(&s->oracle.points, sinew_mixer_model_matrices(s->oracle.mixer), s->now);
    if (s->oracle.wrong) violate(r, TIME, 0.0, "%s", s->oracle.wrong);
    s->oracle.wrong = NULL;
    if (s->oracle.lost_phase) violate(r, SYNC, 0.0, "an action is not in its group's phase");
    check_points(r);
    check_weights(r);
    check_root(r);
    keep_frame(s);
    s->tallies[r->kind].frames++;
    s->oracle.lost_phase = false;
    s->oracle.evictions = s->oracle.requests = 0;
}

// ---- Sequences -----------------------------------------------------------------------------------------------

static sinew_mask *draw_mask(run *r, const sinew_skeleton *skeleton) {
    sinew_mask *mask;
    float all = draw_chance(r, 0.5) ? 0 : random_float(&r->random, 0, 1);
    assert_int_equal(sinew_mask_create(skeleton, all, NULL, &mask), SINEW_OK);
    for (int i = 0; i < 2; i++) {
        int32_t node = draw_count(&r->random, 0, skeleton->node_count - 1);
        sinew_mask_set_subtree(mask, node, random_float(&r->random, 0, 1), draw_count(&r->random, 0, 3));
    }
    return mask;
}

static void set_layer(run *r, sinew_mixer *mixer, int layer, const sinew_mask *mask, bool additive) {
    r->on->oracle.layers[layer].mask = mask;
    r->on->oracle.layers[layer].additive = additive;
    sinew_layer_set_mask(mixer, layer, mask);
    sinew_layer_set_mode(mixer, layer, additive ? SINEW_LAYER_ADDITIVE : SINEW_LAYER_OVERRIDE);
    note(r, "layer %d is %s%s", layer, additive ? "additive" : "override", mask ? ", with a mask" : "");
}

// The first clip plays at full weight for two frames, which is a cut.
static sinew_mixer *begin_run(run *r) {
    subject *s = r->on;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.max_actions = draw_chance(r, 0.5) ? 16 : draw_count(&r->random, 1, 6);
    def.layer_count = r->layer_count;
    if (draw_chance(r, 0.1)) def.underweight = SINEW_UNDERWEIGHT_REST;
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = s->skeleton;
    root.node = 0;
    root.yaw = false;
    if (r->kind == ROOTED) def.root_motion = &root;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    const sinew_clip *clip = s->clips[draw_count(&r->random, 0, s->clip_count - 1)];
    sinew_play_def play = sinew_play_default();
    play.time = random_float(&r->random, 0, clip->duration);
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(clip), &play);
    sinew_mixer_update(mixer, DT);
    sinew_mixer_update(mixer, DT);
    oracle_begin(&s->oracle, mixer, &def, clip, action, (double)DT);
    points_of_model(&s->oracle.points, sinew_mixer_model_matrices(mixer), s->now);
    keep_frame(s);
    note(r, "%s plays %s from %g s; %d actions at most%s", s->name, clip->name, (double)play.time, def.max_actions,
         def.underweight == SINEW_UNDERWEIGHT_REST ? "; fills with the rest pose" : "");
    return mixer;
}

// The first sequences that violate the contract.
static uint64_t bad_numbers[MAX_BAD];
static int bad_count;

static void run_sequence(uint64_t number, bool is_told) {
    run r = {.on = &subjects[number % SUBJECTS], .kind = (kind)(number / SUBJECTS % KINDS), .number = number};
    if (r.kind == ROOTED) r.on = &walker;
    if (!r.on->skeleton) return;
    r.random = number * UINT64_C(0x9e3779b97f4a7c15);
    r.last_frame = -HERTZ;
    r.is_told = is_told;
    r.layer_count =
        r.kind == LAYERED || r.kind == ALL ? draw_count(&r.random, 1 + (r.kind == LAYERED), ORACLE_MAX_LAYERS) : 1;
    bool busy = draw_chance(&r, 0.2);
    r.warps = draw_chance(&r, 0.5);
    sinew_mixer *mixer = begin_run(&r);
    for (int l = 1; l < r.layer_count; l++) {
        if (draw_chance(&r, 0.7)) r.masks[l] = draw_mask(&r, r.on->skeleton);
        set_layer(&r, mixer, l, r.masks[l], draw_chance(&r, 0.3));
    }
    int frames = draw_count(&r.random, 20, 60);
    for (r.frame = 1; r.frame <= frames; r.frame++) {
        while (draw_chance(&r, busy ? 0.3 : 0.08)) make_call(&r);
        step(&r);
    }
    r.on->tallies[r.kind].sequences++;
    r.on->tallies[r.kind].bad_sequences += r.is_bad;
    if (r.is_bad && bad_count < MAX_BAD) bad_numbers[bad_count++] = number;
    oracle_end(&r.on->oracle);
    sinew_mixer_destroy(mixer);
    for (int l = 1; l < r.layer_count; l++) sinew_mask_destroy(r.masks[l]);
}

static void add_tally(tally *sum, const tally *one) {
    sum->sequences += one->sequences;
    sum->frames += one->frames;
    sum->bad_sequences += one->bad_sequences;
    sum->points += one->points;
    sum->slack += one->slack;
    sum->worst = fmax(sum->worst, one->worst);
    for (int i = 0; i < VIOLATIONS; i++) sum->violations[i] += one->violations[i];
}

static void print_tally(const char *file, const char *name, const tally *t) {
    print_message("%-36s %-12s %9ld %9ld %8ld %7.2f%% %7.1f%%", file, name, t->sequences, t->frames,
                  t->bad_sequences, t->points > 0 ? 100.0 * t->slack / (double)t->points : 0.0, 100.0 * t->worst);
    for (int i = 0; i < VIOLATIONS; i++) print_message(" %9ld", t->violations[i]);
    print_message("\n");
}

static tally tell(void) {
    tally of_kinds[KINDS] = {{0}}, all = {0};
    print_message("%-36s %-12s %9s %9s %8s %8s %8s", "file", "sequences of", "number", "frames", "bad", "slack",
                  "worst");
    for (int i = 0; i < VIOLATIONS; i++) print_message(" %9s", violation_names[i]);
    print_message("\n");
    for (int i = 0; i <= SUBJECTS; i++) {
        const subject *s = i < SUBJECTS ? &subjects[i] : &walker;
        for (int k = 0; k < KINDS; k++) {
            const tally *t = &s->tallies[k];
            if (t->sequences == 0) continue;
            print_tally(s->name, kind_names[k], t);
            add_tally(&of_kinds[k], t);
            add_tally(&all, t);
        }
    }
    for (int k = 0; k < KINDS; k++) print_tally("all files", kind_names[k], &of_kinds[k]);
    print_tally("all files", "every kind", &all);
    return all;
}

static uint64_t sequences = SEQUENCES, first;

static void test_no_point_moves_further_than_its_bound(void **state) {
    (void)state;
    time_t last = time(NULL);
    for (uint64_t i = 0; i < sequences; i++) {
        run_sequence(first + i, sequences == 1);
        if (time(NULL) < last + 10) continue;
        last = time(NULL);
        print_message("%llu of %llu sequences\n", (unsigned long long)i, (unsigned long long)sequences);
    }
    tally all = tell();
    assert_true(sequences == 1 || all.points == 0 || all.slack / (double)all.points < 0.02);
    if (all.bad_sequences == 0) return;
    for (int i = 0; i < bad_count; i++) print_message("test_soak 1 %llu\n", (unsigned long long)bad_numbers[i]);
    fail_msg("%ld sequences violate the contract; these commands print the first", all.bad_sequences);
}

// ---- Flips ---------------------------------------------------------------------------------------------------

enum { FLIP_FRAMES = 19, BEFORE = 4 };

// A transition of 0.25 s between two clips at random times, and the rotations of three frames.
typedef struct flip_run {
    subject *on;
    const sinew_clip *clips[2];
    double times[2]; // of the clips at the last frame
    sinew_mixer *mixer;
    local_transform *shown[4], *own[2][2]; // [nodes], the last frames; the clips' in the last two
} flip_run;

static double wrap(double time, double duration) {
    return time - duration * floor(time / duration);
}

static void sample_own(const flip_run *f, int clip, double seconds, local_transform *out) {
    const sinew_clip *of = f->clips[clip];
    sinew_clip_sample(of, (float)wrap(f->times[clip] + seconds, (double)of->duration), f->on->oracle.pose);
    read_pose(f->on->oracle.pose, out);
}

// By how much the middle step of three is longer than those beside it and than the clips' own, in degrees.
static double longest_flip(const flip_run *f) {
    double longest = 0.0;
    for (int32_t i = 0; i < f->on->skeleton->node_count; i++) {
        double steps[3], own = 0.0;
        for (int k = 0; k < 3; k++) steps[k] = quat_angle(f->shown[k][i].q, f->shown[k + 1][i].q);
        if (steps[1] < steps[0] || steps[1] < steps[2]) continue;
        for (int c = 0; c < 2; c++) own = fmax(own, quat_angle(f->own[c][0][i].q, f->own[c][1][i].q));
        longest = fmax(longest, steps[1] - fmax(steps[0], steps[2]) - own);
    }
    return longest * 180.0 / PI;
}

static void show_frame(flip_run *f) {
    local_transform *oldest = f->shown[0];
    memmove(f->shown, f->shown + 1, 3 * sizeof *f->shown); // NOLINT(bugprone-sizeof-expression): pointers
    f->shown[3] = oldest;
    read_pose(sinew_mixer_pose(f->mixer), oldest);
}

static double run_flip(flip_run *f, sinew_transition_kind transition_kind, uint64_t *random) {
    subject *s = f->on;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    assert_int_equal(sinew_mixer_create(&def, &f->mixer, NULL), SINEW_OK);
    sinew_play_def play = sinew_play_default();
    for (int c = 0; c < 2; c++) {
        f->clips[c] = s->clips[draw_count(random, 0, s->clip_count - 1)];
        f->times[c] = (double)random_float(random, 0, f->clips[c]->duration);
    }
    play.time = (float)f->times[0];
    sinew_mixer_play(f->mixer, sinew_clip_source(f->clips[0]), &play);
    for (int i = 0; i < BEFORE; i++) sinew_mixer_update(f->mixer, DT);
    f->times[0] += BEFORE * (double)DT;
    for (int i = 0; i < 4; i++) show_frame(f);
    sinew_transition transition = sinew_transition_default();
    transition.kind = transition_kind;
    transition.duration = 0.25f;
    transition.curve = SINEW_CURVE_SMOOTHSTEP;
    play.time = (float)f->times[1];
    play.allow_duplicate = true;
    sinew_mixer_transition_to(f->mixer, sinew_clip_source(f->clips[1]), &transition, &play);
    double longest = 0.0;
    for (int frame = 1; frame <= FLIP_FRAMES; frame++) {
        sinew_mixer_update(f->mixer, DT);
        show_frame(f);
        if (frame < 3) continue;
        for (int c = 0; c < 2; c++) {
            sample_own(f, c, (frame - 2) * (double)DT, f->own[c][0]);
            sample_own(f, c, (frame - 1) * (double)DT, f->own[c][1]);
        }
        longest = fmax(longest, longest_flip(f));
    }
    sinew_mixer_destroy(f->mixer);
    return longest;
}

// Returns the part of a number of transitions in which a joint flips by more than 10 degrees in one frame.
static double count_flips(subject *s, sinew_transition_kind transition_kind, int count) {
    size_t n = (size_t)s->skeleton->node_count;
    local_transform *memory = calloc(8 * n, sizeof *memory);
    assert_non_null(memory);
    flip_run f = {.on = s};
    for (int i = 0; i < 4; i++) f.shown[i] = memory + (size_t)i * n;
    for (int i = 0; i < 4; i++) f.own[i / 2][i % 2] = memory + (size_t)(4 + i) * n;
    uint64_t random = 77;
    int flips = 0;
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        double longest = run_flip(&f, transition_kind, &random);
        flips += longest > 10.0;
        worst = fmax(worst, longest);
    }
    free(memory);
    print_message("%-36s %-12s flips of more than 10 degrees: %d of %d (%.2f %%), the largest %.0f degrees\n",
                  s->name, transition_kind == SINEW_TRANSITION_FADE ? "fade" : "dead blend", flips, count,
                  100.0 * flips / count, worst);
    return (double)flips / count;
}

static void test_no_joint_flips_in_one_frame(void **state) {
    (void)state;
    int count = sequences > SEQUENCES ? 4000 : FLIPS;
    double most = 0.0;
    for (int i = 0; i < SUBJECTS && sequences > 1; i++) {
        if (!subjects[i].skeleton) continue;
        most = fmax(most, count_flips(&subjects[i], SINEW_TRANSITION_FADE, count));
        most = fmax(most, count_flips(&subjects[i], SINEW_TRANSITION_DEAD_BLEND, count));
    }
    if (most > 0.001) fail_msg("more than 0.1 %% of the transitions flip");
}

static int begin(void **state) {
    (void)state;
    for (int i = 0; i < SUBJECTS; i++) open_subject(&subjects[i]);
    open_walker();
    return 0;
}

static int end(void **state) {
    (void)state;
    for (int i = 0; i < SUBJECTS; i++) close_subject(&subjects[i]);
    close_subject(&walker);
    for (int i = 0; i < 5; i++) sinew_clip_destroy(walker_clips[i]);
    sinew_skeleton_destroy(walker_skeleton);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) sequences = strtoull(argv[1], NULL, 10);
    if (argc > 2) first = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_point_moves_further_than_its_bound),
        cmocka_unit_test(test_no_joint_flips_in_one_frame),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
