// SPDX-License-Identifier: MIT
// How fast planted feet slide in the world while a runner goes from a walk to a run, with every kind of transition,
// at 60 and 240 Hz. The gaits' formulas, not the library, tell whether a foot is planted: the clip with the larger
// weight has it on the ground.
//
// In the walk's phase, planted feet don't move. Otherwise they must: the legs are too short to keep them in place.
// Then they step through the air, so the test also measures the speed of low feet: at most 2 cm/s.
// If the other foot is in the air, a foot slides instead, at up to 11 cm/s in a warped fade.
#include "support/runner.h"

enum { RATE = 240, PHASES = 100 };

static const double fade_time = 0.4, measured_time = 0.8, low = 0.02; // seconds; metres above the ground

typedef enum kind {
    FADE,
    FADE_IN_SYNC,
    FADE_WARPED,
    FADE_SMOOTH,
    INERTIALIZED,
    INERTIALIZED_IN_SYNC,
    DEAD_BLENDED,
    DEAD_BLENDED_IN_SYNC,
    CUT,
    CUT_IN_SYNC,
    SPACE,
    KINDS
} kind;

static const char *const kind_names[KINDS] = {
    "fade",         "fade in a sync group",         "warped fade",  "smoothstep fade in a sync group",
    "inertialized", "inertialized in a sync group", "dead blended", "dead blended in a sync group",
    "cut",          "cut in a sync group",          "blend space"};

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[2];
    sinew_blend_space *space;
    sinew_foot legs[2];
    sinew_foot_contacts *contacts;
} stage;

static stage s;

static int set_up(void **state) {
    (void)state;
    s.skeleton = make_runner(sinew_transform_identity());
    s.clips[0] = make_gait(s.skeleton, &walk_gait, true);
    s.clips[1] = make_gait(s.skeleton, &run_gait, true);
    make_legs(s.skeleton, false, s.legs);
    s.contacts = make_contacts(s.skeleton, (const sinew_clip *const *)s.clips, 2, NULL);
    sinew_blend_sample samples[2] = {{s.clips[0], 1.4f, 0, 1}, {s.clips[1], 3.6f, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.skeleton;
    def.samples = samples;
    def.sample_count = 2;
    def.sync_names = down_names;
    def.sync_name_count = 2;
    assert_int_equal(sinew_blend_space_create(&def, &s.space, NULL), SINEW_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_blend_space_destroy(s.space);
    sinew_foot_contacts_destroy(s.contacts);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(s.clips[i]);
    sinew_skeleton_destroy(s.skeleton);
    return 0;
}

// ---- One run -------------------------------------------------------------------------------------------------

typedef struct runner {
    kind kind;
    sinew_mixer *mixer;
    sinew_action walk, run;
    double way; // that the character has gone, metres
    sinew_foot_lock lock;
    sinew_foot_lock_state state;
    sinew_affine model[RUNNER_NODES + 1];
    bool down[2];
    vec feet[2];
} runner;

static bool is_in_phase(kind k) {
    return k == FADE_IN_SYNC || k == FADE_SMOOTH || k == INERTIALIZED_IN_SYNC || k == DEAD_BLENDED_IN_SYNC ||
           k == CUT_IN_SYNC || k == SPACE;
}

static sinew_play_def play_of(kind k) {
    sinew_play_def play = sinew_play_default();
    play.sync = is_in_phase(k) ? 1 : 0;
    return play;
}

static void begin(runner *r, kind k, float weight) {
    *r = (runner){.kind = k};
    sinew_root_motion_def motion = sinew_root_motion_default();
    motion.skeleton = s.skeleton;
    motion.node = HIPS;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    def.root_motion = &motion;
    def.sync_names = down_names;
    def.sync_name_count = 2;
    assert_int_equal(sinew_mixer_create(&def, &r->mixer, NULL), SINEW_OK);
    sinew_play_def play = play_of(k);
    sinew_source source = k == SPACE ? sinew_blend_space_source(s.space, 1.4f, 0) : sinew_clip_source(s.clips[0]);
    r->walk = r->run = sinew_mixer_play(r->mixer, source, &play);
    r->lock = sinew_foot_lock_default();
    r->lock.feet = s.legs;
    r->lock.foot_count = 2;
    r->lock.weight = weight;
}

static void change(runner *r) {
    sinew_transition t = sinew_transition_default();
    sinew_play_def play = play_of(r->kind);
    t.duration = r->kind == CUT || r->kind == CUT_IN_SYNC ? 0.0f : (float)fade_time;
    t.match_rate = r->kind == FADE_WARPED;
    if (r->kind == FADE_SMOOTH || r->kind == DEAD_BLENDED || r->kind == DEAD_BLENDED_IN_SYNC)
        t.easing = SINEW_EASING_SMOOTHSTEP;
    if (r->kind == INERTIALIZED || r->kind == INERTIALIZED_IN_SYNC) t.kind = SINEW_TRANSITION_INERTIALIZE;
    if (r->kind == DEAD_BLENDED || r->kind == DEAD_BLENDED_IN_SYNC) t.kind = SINEW_TRANSITION_DEAD_BLEND;
    if (r->kind == SPACE) {
        sinew_action_set_parameter(r->mixer, r->run, 3.6f, 0);
    } else {
        r->run = sinew_mixer_transition_to(r->mixer, sinew_clip_source(s.clips[1]), &t, &play);
    }
}

// Whether the clip of the larger weight, by its formula, has the foot on the ground.
static bool is_planted(const runner *r, int foot) {
    if (r->kind == SPACE) {
        bool runs = sinew_action_get(r->mixer, r->run).clip == s.clips[1];
        return is_down(runs ? &run_gait : &walk_gait, sinew_action_time(r->mixer, r->run), foot);
    }
    bool runs = sinew_action_weight(r->mixer, r->run) > sinew_action_weight(r->mixer, r->walk);
    if (!sinew_action_is_active(r->mixer, r->walk)) runs = true;
    if (r->run.id == r->walk.id) runs = false;
    return is_down(runs ? &run_gait : &walk_gait, sinew_action_time(r->mixer, runs ? r->run : r->walk), foot);
}

// How fast each foot moved over the ground in a frame, metres per second.
typedef struct foot_step {
    double speed;
    bool planted; // at both ends of the frame
    bool low;     // at one of them
} foot_step;

static void step(runner *r, foot_step steps[2], int rate) {
    sinew_mixer_advance(r->mixer, 1.0f / (float)rate);
    sinew_mixer_evaluate(r->mixer);
    r->way += sinew_mixer_root_delta(r->mixer).translation.z;
    sinew_affine world = sinew_affine_identity();
    world.m[2][3] = (float)r->way;
    sinew_pose *pose = sinew_mixer_edit_pose(r->mixer);
    sinew_pose_to_model(pose, r->model);
    float contacts[2];
    sinew_foot_contacts_evaluate(s.contacts, r->mixer, contacts);
    sinew_foot_lock_solve(&r->lock, &world, contacts, 1.0f / (float)rate, &r->state, pose, r->model);
    for (int i = 0; i < 2; i++) {
        const sinew_affine *m = &r->model[i ? FOOT_R : FOOT_L];
        vec now = {m->m[0][3], m->m[1][3], m->m[2][3] + r->way};
        bool down = is_planted(r, i);
        steps[i] = (foot_step){.speed = level_distance(now, r->feet[i]) * rate,
                               .planted = down && r->down[i],
                               .low = fmin(now.y, r->feet[i].y) < low};
        r->down[i] = down, r->feet[i] = now;
    }
}

// The mean of speeds.
typedef struct mean {
    double sum, max;
    long count;
} mean;

static void add(mean *m, double speed) {
    m->sum += speed, m->max = fmax(m->max, speed), m->count++;
}

static double of(const mean *m) {
    return m->sum / (double)m->count;
}

typedef struct sliding {
    mean planted;     // at any height
    mean planted_low; // on the ground
    mean all_low;     // on the ground, planted or not
    mean least;       // the least speed of planted feet that don't leave the ground
} sliding;

// A foot on the ground is dragged after the hips if its leg gets too long and it has been planted since the change.
// Other feet could have come down in a better position.
static double least_speed(double *z, double hips, int rate) {
    double reach = sqrt(4 * bone * bone - hip_height * hip_height), dragged = fmax(0, hips - reach - *z);
    *z += dragged;
    return dragged * rate;
}

static void measure_run(kind k, float weight, int rate, double start, sliding *all) {
    runner r;
    foot_step steps[2];
    begin(&r, k, weight);
    for (int frame = 0; frame < (int)(start * rate); frame++) step(&r, steps, rate);
    change(&r);
    double z[2] = {r.feet[0].z, r.feet[1].z};
    bool never_lifted[2] = {true, true};
    for (int frame = 0; frame < (int)(measured_time * rate); frame++) {
        step(&r, steps, rate);
        for (int foot = 0; foot < 2; foot++) {
            never_lifted[foot] = never_lifted[foot] && r.down[foot];
            double least = never_lifted[foot] ? least_speed(&z[foot], r.way, rate) : 0;
            if (steps[foot].low) add(&all->all_low, steps[foot].speed);
            if (!steps[foot].planted) continue;
            add(&all->planted, steps[foot].speed);
            add(&all->least, least);
            if (steps[foot].low) add(&all->planted_low, steps[foot].speed);
        }
    }
    sinew_mixer_destroy(r.mixer);
}

static sliding measure(kind k, float weight, int rate) {
    sliding all = {.planted = {0}};
    for (int i = 0; i < PHASES; i++) measure_run(k, weight, rate, 0.2 + 1.1 * i / PHASES, &all);
    return all;
}

static double share_low(const sliding *all) {
    return (double)all->planted_low.count / (double)all->planted.count;
}

static double most_speed(kind k) {
    if (k == FADE_WARPED) return 0.125;
    return k == INERTIALIZED || k == DEAD_BLENDED || k == CUT ? 0.06 : 0.03;
}

// Locked feet neither slide while they are low, nor are they in the air much longer than without locking.
static void check_sliding(kind k, const sliding *without, const sliding *with) {
    assert_true(of(&without->planted) > 0.2);
    assert_true(of(&with->planted_low) <= most_speed(k));
    double most = k == INERTIALIZED ? 1 : 0.5; // its feet are in the air where the new clip has them on the ground
    assert_true(of(&with->planted) <= (is_in_phase(k) ? 0.08 : most * of(&without->planted)));
    assert_true(of(&with->all_low) <= 0.95 * of(&without->all_low));
    assert_true(share_low(with) > share_low(without) - (is_in_phase(k) ? 0.01 : 0.12));
}

static void measure_kinds(int rate) {
    print_message(
        "%d Hz, m/s while planted: low, at any height, at most; all low feet; share low; least of low feet\n",
        rate);
    for (int k = 0; k < KINDS; k++) {
        sliding of_kind[2] = {measure((kind)k, 0, rate), measure((kind)k, 1, rate)};
        for (int i = 0; i < 2; i++) {
            const sliding *m = &of_kind[i];
            print_message("%-32s %-6s %.4f %.3f %5.2f; %.3f; %3.0f %%; %.3f\n", kind_names[k],
                          i ? "locked" : "clips", of(&m->planted_low), of(&m->planted), m->planted.max,
                          of(&m->all_low), 100 * share_low(m), of(&m->least));
        }
        check_sliding((kind)k, &of_kind[0], &of_kind[1]);
    }
}

static void test_planted_feet_do_not_slide(void **state) {
    (void)state;
    measure_kinds(240);
    measure_kinds(60);
}

enum { TICKS = 60 }; // a second

// The feet's positions every sixtieth of a second from the start of a transition on.
static void run_at(kind k, int rate, int phase, vec feet[TICKS][2]) {
    runner r;
    foot_step steps[2];
    begin(&r, k, 1);
    for (int frame = 0; frame < (12 + phase) * rate / 60; frame++) step(&r, steps, rate);
    change(&r);
    for (int tick = 0; tick < TICKS; tick++) {
        for (int frame = 0; frame < rate / 60; frame++) step(&r, steps, rate);
        memcpy(feet[tick], r.feet, sizeof r.feet);
    }
    sinew_mixer_destroy(r.mixer);
}

// At 60 Hz, a contact begins and ends up to a sixtieth of a second later. So a foot is planted slightly elsewhere,
// and steps slightly later.
static void test_at_60_and_240_hz(void **state) {
    (void)state;
    static vec slow[TICKS][2], fast[TICKS][2];
    for (int k = 0; k < KINDS; k++) {
        mean apart = {0};
        for (int phase = 0; phase < 66; phase += 3) {
            run_at((kind)k, 60, phase, slow);
            run_at((kind)k, 240, phase, fast);
            for (int i = 0; i < TICKS * 2; i++) add(&apart, distance(slow[i / 2][i % 2], fast[i / 2][i % 2]));
        }
        print_message("%-32s feet at 60 and 240 Hz are apart by %.1f mm, at most %.0f\n", kind_names[k],
                      1e3 * of(&apart), 1e3 * apart.max);
        assert_true(of(&apart) < 0.015);
        if (k == FADE_IN_SYNC) assert_true(apart.max < 0.035);
    }
}

// A snapshot of the mixer, with copies of the locks and of the character's position, continues as if nothing had
// happened.
static void test_snapshots(void **state) {
    (void)state;
    runner r;
    foot_step steps[2];
    begin(&r, FADE_IN_SYNC, 1);
    for (int frame = 0; frame < 100; frame++) step(&r, steps, RATE);
    change(&r);
    for (int frame = 0; frame < 30; frame++) step(&r, steps, RATE);
    size_t size = sinew_mixer_snapshot_size(r.mixer);
    void *saved = malloc(size);
    size = sinew_mixer_save(r.mixer, saved);
    runner before = r;
    sinew_affine first[RUNNER_NODES];
    for (int run = 0; run < 2; run++) {
        r = before;
        assert_true(sinew_mixer_restore(r.mixer, saved, size));
        for (int frame = 0; frame < 100; frame++) step(&r, steps, RATE);
        if (run == 0) memcpy(first, r.model, sizeof first);
    }
    assert_memory_equal(first, r.model, sizeof first);
    free(saved);
    sinew_mixer_destroy(r.mixer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_feet_do_not_slide),
        cmocka_unit_test(test_at_60_and_240_hz),
        cmocka_unit_test(test_snapshots),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
