// SPDX-License-Identifier: MIT
// The continuity contract: whatever is faded, warped, inertialized, dead-blended and interrupted, no node's place jumps by
// more than the clips move in that time and the fades' own share, and no frame is nearer to the rest pose than the mix
// is. Sequences are drawn at random, the same ones on every machine.
//
//     test_soak [SEQUENCES [FIRST]]
//
// With one sequence it says what was done in it. docs/mixing.md derives the bound; mixer_oracle.c is what it is made of.
#include "support/mixer_oracle.h"
#include "continuity/continuity.h"
#include "support/random_rig.h"

#include <stdio.h>
#include <time.h>

enum { MAX_CLIPS = 24, SEQUENCES = 2000, LOG_LINES = 12 };

// ---- Files ---------------------------------------------------------------------------------------------------

typedef enum kind { FADES, WARPS, INERTIALIZATIONS, DEAD_BLENDS, ALL, KINDS } kind;
static const char *const kind_names[KINDS] = {"fades", "warped", "inertialized", "dead-blended", "all of them"};

// The worst frames of a file and a kind of sequence.
typedef struct tally {
    long sequences, frames, nodes, wild, held_to;
    double worst, sum;
} tally;

typedef struct subject {
    const char *name;
    sinew_asset *asset;
    oracle_clip clips[MAX_CLIPS], differences[MAX_CLIPS];
    int clip_count;
    bool is_ours;
    mixer_oracle oracle;
    sinew_continuity *continuity;
    sinew_affine *before, *rest, *mix;
    double *bounds, *slack;
    blend_change *at_mix;
    tally tallies[KINDS];
} subject;

static subject subjects[] = {
    {.name = "hero.glb", .is_ours = true},
    {.name = "bevy/Fox.glb"},
    {.name = "raylib/greenman.glb"},
    {.name = "robotexpressive/RobotExpressive.glb"},
};
#define SUBJECTS ((int)(sizeof subjects / sizeof *subjects))

static void add_clip(subject *s, const sinew_clip *clip) {
    if (!(clip->duration > 0.0f) || s->clip_count == MAX_CLIPS) return;
    sinew_clip *difference;
    sinew_clip_sample(clip, 0.0f, s->oracle.pose);
    assert_int_equal(sinew_clip_make_additive(clip, s->oracle.pose, NULL, &difference, NULL), SINEW_OK);
    s->clips[s->clip_count] = (oracle_clip){clip, oracle_max_speed(clip)};
    s->differences[s->clip_count++] = (oracle_clip){difference, oracle_max_speed(difference)};
}

static void open_subject(subject *s) {
    char path[1024];
    const char *folder = s->is_ours ? SINEW_MODELS : getenv("SINEW_ASSETS");
    if (!folder) {
        print_message("SINEW_ASSETS is not set: %s is left out\n", s->name);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", folder, s->name);
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, NULL, &s->asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    const sinew_skeleton *skeleton = s->asset->skeleton;
    size_t n = (size_t)skeleton->node_count;
    oracle_create(&s->oracle, skeleton);
    for (int32_t i = 0; i < s->asset->clip_count; i++) add_clip(s, &s->asset->clips[i]);
    assert_int_equal(sinew_continuity_create(skeleton, NULL, &s->continuity), SINEW_OK);
    s->before = aligned_alloc(64, (n * sizeof *s->before + 63) / 64 * 64);
    s->rest = aligned_alloc(64, (n * sizeof *s->rest + 63) / 64 * 64);
    s->mix = aligned_alloc(64, (n * sizeof *s->mix + 63) / 64 * 64);
    s->bounds = calloc(n, sizeof *s->bounds);
    s->slack = calloc(n, sizeof *s->slack);
    s->at_mix = calloc(n, sizeof *s->at_mix);
    sinew_pose_reset(s->oracle.pose);
    sinew_pose_to_model(s->oracle.pose, s->rest);
}

static void close_subject(subject *s) {
    if (!s->asset) return;
    for (int i = 0; i < s->clip_count; i++) {
        free(s->clips[i].max_speed);
        free(s->differences[i].max_speed);
        sinew_clip_destroy((sinew_clip *)(uintptr_t)s->differences[i].clip);
    }
    oracle_destroy(&s->oracle);
    sinew_continuity_destroy(s->continuity);
    aligned_free(s->before), aligned_free(s->rest), aligned_free(s->mix);
    free(s->bounds), free(s->slack), free(s->at_mix);
    sinew_asset_destroy(s->asset);
}

// ---- What is going on ----------------------------------------------------------------------------------------

// One sequence, and what was done in it last.
typedef struct run {
    subject *on;
    kind kind;
    uint64_t number, random;
    int frame;
    float dt;
    char log[LOG_LINES][160];
    int lines;
    bool is_drawn, is_told;
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

static void fail_run(const run *r, const char *why, int32_t node, double value, double bound) {
    print_error("%s, sequence %llu (%s), frame %d of %g s: %s", r->on->name, (unsigned long long)r->number,
                kind_names[r->kind], r->frame, (double)r->dt, why);
    if (node >= 0)
        print_error(": node %d (%s): %g m, not %g m", node, r->on->asset->skeleton->names[node], value, bound);
    print_error("\n");
    int first = r->lines > LOG_LINES ? r->lines - LOG_LINES : 0;
    for (int i = first; !r->is_told && i < r->lines; i++) print_error("    %s\n", r->log[i % LOG_LINES]);
    if (!r->is_drawn) fail_msg("of the sequence that is this test");
    fail_msg("run it alone: test_soak 1 %llu", (unsigned long long)r->number);
}

// ---- Drawing -------------------------------------------------------------------------------------------------

static bool draw_chance(run *r, double chance) {
    return random_float(&r->random, 0, 1) < chance;
}

static float draw_duration(run *r) {
    return draw_chance(r, 0.1) ? random_float(&r->random, 0.001f, 0.03f) : random_float(&r->random, 0.05f, 0.8f);
}

static sinew_curve draw_curve(run *r) {
    return (sinew_curve)draw_count(&r->random, SINEW_CURVE_LINEAR, SINEW_CURVE_SMOOTHSTEP);
}

static float draw_speed(run *r) {
    float speed = draw_chance(r, 0.5) ? 1.0f : random_float(&r->random, 0.25f, 2.0f);
    return draw_chance(r, 0.15) ? -speed : speed;
}

// Between 1/240 and 1/5 s, as often near the one as near the other.
static float draw_dt(run *r) {
    float times = random_float(&r->random, 1, 2) * (float)(1 << draw_count(&r->random, 0, 5));
    return times < 48.0f ? times / 240.0f : 0.2f;
}

// Any clip, and often one that plays in that layer: what comes back is where mixers go wrong.
static const oracle_clip *draw_clip_for(run *r, int layer) {
    subject *s = r->on;
    const oracle_action *there = draw_chance(r, 0.3) ? oracle_any(&s->oracle, random_next(&r->random)) : NULL;
    if (there && there->layer == layer) return there->clip;
    int i = draw_count(&r->random, 0, s->clip_count - 1);
    return layer > 0 && s->oracle.layers[layer].additive ? &s->differences[i] : &s->clips[i];
}

static int draw_layer(run *r) {
    return r->kind == ALL && draw_chance(r, 0.4);
}

static sinew_play_def draw_def(run *r, int layer) {
    sinew_play_def def = sinew_play_default();
    def.speed = draw_speed(r);
    def.curve = draw_curve(r);
    def.layer = layer;
    def.loop = (sinew_loop)draw_count(&r->random, SINEW_LOOP_ONCE, SINEW_LOOP_PING_PONG);
    if (draw_chance(r, 0.5)) def.loop = SINEW_LOOP_REPEAT;
    if (draw_chance(r, 0.2)) def.weight = random_float(&r->random, 0.1f, 1);
    def.allow_duplicate = draw_chance(r, 0.2);
    def.restart = draw_chance(r, 0.2);
    return def;
}

static sinew_transition_kind draw_transition_kind(run *r) {
    if (r->kind == INERTIALIZATIONS)
        return draw_chance(r, 0.7) ? SINEW_TRANSITION_INERTIALIZE : SINEW_TRANSITION_FADE;
    if (r->kind == DEAD_BLENDS) return draw_chance(r, 0.7) ? SINEW_TRANSITION_DEAD_BLEND : SINEW_TRANSITION_FADE;
    if (r->kind != ALL) return SINEW_TRANSITION_FADE;
    return (sinew_transition_kind)draw_count(&r->random, SINEW_TRANSITION_FADE, SINEW_TRANSITION_DEAD_BLEND);
}

static void change_clip(run *r) {
    static const char *const names[] = {"fade", "inertialize", "dead blend"};
    int layer = draw_layer(r);
    const oracle_clip *clip = draw_clip_for(r, layer);
    sinew_play_def def = draw_def(r, layer);
    sinew_transition how = sinew_transition_default();
    how.kind = draw_transition_kind(r);
    how.duration = draw_duration(r);
    how.curve = draw_curve(r);
    how.warp = how.kind == SINEW_TRANSITION_FADE && (r->kind == WARPS || r->kind == ALL) && draw_chance(r, 0.7);
    note(r, "%s%s to %s in layer %d over %g s, weight %g, speed %g, loop %d, curve %d%s%s",
         how.warp ? "warped " : "", names[how.kind], clip->clip->name, layer, (double)how.duration,
         (double)def.weight, (double)def.speed, (int)def.loop, (int)how.curve,
         def.allow_duplicate ? ", separate" : "", def.restart ? ", restart" : "");
    oracle_transition(&r->on->oracle, clip, &how, &def);
}

static void play_beside(run *r) {
    int layer = draw_layer(r);
    const oracle_clip *clip = draw_clip_for(r, layer);
    sinew_play_def def = draw_def(r, layer);
    def.fade = draw_duration(r);
    note(r, "play %s in layer %d, fade %g s, weight %g, speed %g, loop %d%s%s", clip->clip->name, layer,
         (double)def.fade, (double)def.weight, (double)def.speed, (int)def.loop,
         def.allow_duplicate ? ", separate" : "", def.restart ? ", restart" : "");
    oracle_play(&r->on->oracle, clip, &def);
}

static void change_action(run *r) {
    oracle_action *action = oracle_any(&r->on->oracle, random_next(&r->random));
    if (!action) return;
    const char *name = action->clip->clip->name;
    float duration = draw_duration(r), speed = draw_speed(r), weight = random_float(&r->random, 0, 1);
    switch (draw_count(&r->random, 0, 3)) {
    case 0:
        note(r, "fade %s out over %g s", name, (double)duration);
        oracle_fade_out(&r->on->oracle, action, duration);
        return;
    case 1:
        note(r, "fade %s in over %g s", name, (double)duration);
        oracle_fade_to(&r->on->oracle, action, action->full_weight, duration);
        return;
    case 2:
        if (draw_chance(r, 0.2)) weight = 0.0f;
        note(r, "fade %s to %g over %g s", name, (double)weight, (double)duration);
        oracle_fade_to(&r->on->oracle, action, (double)weight, duration);
        return;
    default:
        note(r, "%s at speed %g", name, (double)speed);
        oracle_set_speed(&r->on->oracle, action, speed);
    }
}

static void do_something(run *r) {
    if (r->kind == ALL && draw_chance(r, 0.15)) {
        float weight = draw_chance(r, 0.3) ? 0.0f : random_float(&r->random, 0, 1), duration = draw_duration(r);
        note(r, "layer 1 to %g over %g s", (double)weight, (double)duration);
        oracle_layer_fade(&r->on->oracle, 1, weight, duration, draw_curve(r));
    } else if (draw_chance(r, 0.5)) {
        change_clip(r);
    } else if (draw_chance(r, 0.5)) {
        play_beside(r);
    } else {
        change_action(r);
    }
}

// ---- The contract --------------------------------------------------------------------------------------------

static double distance(const sinew_affine *a, const sinew_affine *b) {
    double square = 0.0;
    for (int row = 0; row < 3; row++) {
        double d = (double)a->m[row][3] - (double)b->m[row][3];
        square += d * d;
    }
    return sqrt(square);
}

// Rounding: of places as large as the model, and of what blends make of quaternions of floats.
static double tolerance(const subject *s) {
    return 2e-5 * (double)sinew_continuity_size(s->continuity);
}

static void check_steps(run *r, const sinew_affine *model) {
    subject *s = r->on;
    tally *t = &s->tallies[r->kind];
    const mixer_oracle *a = &s->oracle;
    double size = (double)sinew_continuity_size(s->continuity), allowed = tolerance(s);
    bound_positions(a->skeleton, s->before, a->nodes, a->moved, a->uncertainty, s->bounds);
    double largest = 0.0, largest_bound = 0.0;
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        double step = distance(&s->before[i], &model[i]), bound = s->bounds[i] + allowed;
        if (!(step <= bound)) fail_run(r, "jumped", i, step, bound);
        t->worst = fmax(t->worst, step / bound);
        if (step > largest) largest = step, largest_bound = bound;
        t->wild += a->nodes[i].is_ambiguous;
        t->nodes++;
    }
    sinew_jump jump = sinew_continuity_measure(s->continuity, model, r->dt);
    if (fabs((double)jump.position * size - largest) > 1e-5 * (size + largest)) {
        fail_run(r, "the measure is another", jump.position_node, (double)jump.position * size, largest);
    }
    if (largest > 1e-3 * size) t->sum += largest / largest_bound, t->held_to++;
    t->frames++;
}

// Each place is as far from the rest pose's as that of the mix is, give or take what the offsets of an inertialization
// add and what is not known of held poses.
static void check_flash(run *r, const sinew_affine *model) {
    subject *s = r->on;
    const mixer_oracle *a = &s->oracle;
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const local_transform *to = &a->nodes[i].to;
        sinew_pose_set(a->pose, i,
                       (sinew_transform){{(float)to->t[0], (float)to->t[1], (float)to->t[2]},
                                         {(float)to->q[0], (float)to->q[1], (float)to->q[2], (float)to->q[3]},
                                         {(float)to->s[0], (float)to->s[1], (float)to->s[2]}});
        s->at_mix[i] = a->nodes[i];
        s->at_mix[i].from = *to;
    }
    sinew_pose_to_model(a->pose, s->mix);
    bound_positions(a->skeleton, s->mix, s->at_mix, a->uncertainty, a->uncertainty, s->slack);
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        double shown = distance(&model[i], &s->rest[i]), mix = distance(&s->mix[i], &s->rest[i]);
        double least = mix - s->slack[i] - 5.0 * tolerance(s);
        if (!(shown >= least)) fail_run(r, "is nearer to the rest pose than the mix", i, shown, least);
    }
}

static void step(run *r) {
    subject *s = r->on;
    const sinew_affine *model = sinew_mixer_model_matrices(s->oracle.mixer);
    oracle_step(&s->oracle, r->dt);
    if (s->oracle.wrong) fail_run(r, s->oracle.wrong, -1, 0, 0);
    check_steps(r, model);
    check_flash(r, model);
    memcpy(s->before, model, (size_t)s->oracle.skeleton->node_count * sizeof *model);
}

// ---- Sequences -----------------------------------------------------------------------------------------------

static sinew_mask *draw_mask(run *r, const sinew_skeleton *skeleton) {
    sinew_mask *mask;
    assert_int_equal(
        sinew_mask_create(skeleton, draw_chance(r, 0.5) ? 0 : random_float(&r->random, 0, 1), NULL, &mask),
        SINEW_OK);
    for (int i = 0; i < 2; i++) {
        int32_t node = draw_count(&r->random, 0, skeleton->node_count - 1);
        sinew_mask_set_subtree(mask, node, random_float(&r->random, 0, 1), draw_count(&r->random, 0, 3));
    }
    return mask;
}

// The first clip plays at full weight, a cut, from the first step on.
static sinew_mixer *begin_run(run *r, const sinew_mask *mask, int max_actions, int first_clip) {
    subject *s = r->on;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->asset->skeleton;
    def.max_actions = max_actions;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    const oracle_clip *clip = &s->clips[first_clip];
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(clip->clip), NULL);
    sinew_mixer_update(mixer, r->dt);
    oracle_begin(&s->oracle, mixer, clip, action);
    s->oracle.layers[1].mask = mask;
    s->oracle.layers[1].additive = r->kind == ALL && draw_chance(r, 0.5);
    sinew_layer_set_mask(mixer, 1, mask);
    sinew_layer_set_mode(mixer, 1, s->oracle.layers[1].additive ? SINEW_LAYER_ADDITIVE : SINEW_LAYER_OVERRIDE);
    const sinew_affine *model = sinew_mixer_model_matrices(mixer);
    memcpy(s->before, model, (size_t)def.skeleton->node_count * sizeof *model);
    sinew_continuity_restart(s->continuity);
    sinew_continuity_measure(s->continuity, model, r->dt);
    note(r, "%s plays %s; %d actions at most", s->name, clip->clip->name, def.max_actions);
    return mixer;
}

static void run_sequence(uint64_t number, bool is_told) {
    run r = {.on = &subjects[number % SUBJECTS], .kind = (kind)(number / SUBJECTS % KINDS), .number = number};
    if (!r.on->asset) return;
    r.random = number * UINT64_C(0x9e3779b97f4a7c15);
    r.is_drawn = true;
    r.is_told = is_told;
    bool even = draw_chance(&r, 0.5), busy = draw_chance(&r, 0.2);
    r.dt = draw_dt(&r);
    sinew_mask *mask = r.kind == ALL && draw_chance(&r, 0.7) ? draw_mask(&r, r.on->asset->skeleton) : NULL;
    int max_actions = draw_count(&r.random, 2, 5), first_clip = draw_count(&r.random, 0, r.on->clip_count - 1);
    sinew_mixer *mixer = begin_run(&r, mask, max_actions, first_clip);
    int frames = draw_count(&r.random, 20, 60);
    for (r.frame = 1; r.frame <= frames; r.frame++) {
        if (!even) r.dt = draw_dt(&r);
        while (draw_chance(&r, busy ? 0.5 : 0.15)) do_something(&r);
        step(&r);
    }
    r.on->tallies[r.kind].sequences++;
    sinew_mixer_destroy(mixer);
    sinew_mask_destroy(mask);
}

static void tell(void) {
    print_message("%-36s %-14s %9s %10s %12s %8s %14s\n", "file", "sequences of", "number", "frames",
                  "step / bound", "mostly", "either way");
    for (int i = 0; i < SUBJECTS; i++) {
        for (int k = 0; k < KINDS; k++) {
            const tally *t = &subjects[i].tallies[k];
            if (t->sequences == 0) continue;
            print_message("%-36s %-14s %9ld %10ld %12.4f %8.3f %12.4f %%\n", subjects[i].name, kind_names[k],
                          t->sequences, t->frames, t->worst, t->sum / (double)t->held_to,
                          100.0 * (double)t->wild / (double)t->nodes);
        }
    }
}

static uint64_t sequences = SEQUENCES, first;

static void test_soak(void **state) {
    (void)state;
    time_t last = time(NULL);
    for (uint64_t i = 0; i < sequences; i++) {
        run_sequence(first + i, sequences == 1);
        if (time(NULL) < last + 10) continue;
        last = time(NULL);
        print_message("%llu of %llu sequences\n", (unsigned long long)i, (unsigned long long)sequences);
    }
    tell();
}

// ---- What is too rare to be drawn soon -----------------------------------------------------------------------

static run case_of(float dt) {
    return (run){.on = &subjects[0], .kind = INERTIALIZATIONS, .dt = dt};
}

static void inertialize_to(run *r, int clip, int layer) {
    sinew_transition how = sinew_transition_default();
    how.kind = SINEW_TRANSITION_INERTIALIZE;
    how.duration = 0.3f;
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    oracle_transition(&r->on->oracle, &r->on->clips[clip], &how, &def);
}

static void play_slowly(run *r, int clip) {
    sinew_play_def def = sinew_play_default();
    def.fade = 0.5f;
    oracle_play(&r->on->oracle, &r->on->clips[clip], &def);
}

static void go_on(run *r, int frames) {
    for (int i = 0; i < frames; i++, r->frame++) step(r);
}

// It was on its way out, is all that shows now, and is not the one that makes room without a trace.
static void test_what_inertialization_brings_back_stays(void **state) {
    (void)state;
    run r = case_of(1.0f / 60.0f);
    sinew_mixer *mixer = begin_run(&r, NULL, 2, 0);
    go_on(&r, 3);
    oracle_fade_out(&r.on->oracle, oracle_any(&r.on->oracle, 0), 0.5f);
    go_on(&r, 3);
    inertialize_to(&r, 0, 0);
    play_slowly(&r, 1);
    go_on(&r, 3);
    play_slowly(&r, 2);
    go_on(&r, 60);
    sinew_mixer_destroy(mixer);
}

// All of the base is to go within the time that velocities are taken over: it will be held as it is, and not as what was
// held before.
static void test_velocities_where_all_goes(void **state) {
    (void)state;
    run r = case_of(1.0f / 240.0f);
    sinew_mixer *mixer = begin_run(&r, NULL, 4, 0);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(r.on->asset->skeleton, 0.5f, NULL, &mask), SINEW_OK);
    sinew_layer_set_mask(mixer, 1, mask);
    r.on->oracle.layers[1].mask = mask;
    go_on(&r, 3);
    oracle_fade_to(&r.on->oracle, oracle_any(&r.on->oracle, 0), 0.0, 1.0f / 200.0f);
    inertialize_to(&r, 1, 1);
    go_on(&r, 100);
    sinew_mixer_destroy(mixer);
    sinew_mask_destroy(mask);
}

static int begin(void **state) {
    (void)state;
    for (int i = 0; i < SUBJECTS; i++) open_subject(&subjects[i]);
    return 0;
}

static int end(void **state) {
    (void)state;
    for (int i = 0; i < SUBJECTS; i++) close_subject(&subjects[i]);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) sequences = strtoull(argv[1], NULL, 10);
    if (argc > 2) first = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soak),
        cmocka_unit_test(test_what_inertialization_brings_back_stays),
        cmocka_unit_test(test_velocities_where_all_goes),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
