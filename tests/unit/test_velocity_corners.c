// SPDX-License-Identifier: MIT
// How much the angular velocities of the hero's joints change in a transition's first frame, in degrees per second:
// the table in docs/mixing.md. Velocities are computed from the rotations shown in a frame and the one before, with
// libm in double precision. Without a transition, velocities don't change.
#include "support/exact.h"

#include <stdio.h>

enum { TRANSITIONS = 1000, BEFORE = 4, HERTZ = 60 };

typedef struct kind {
    const char *name;
    sinew_transition_kind kind;
    sinew_easing easing;
    double most; // of the 95th percentile
} kind;

// A linear fade has corners by its easing: it shows that the measurement sees them.
static const kind kinds[] = {
    {"linear fade", SINEW_TRANSITION_FADE, SINEW_EASING_LINEAR, HUGE_VAL},
    {"smoothstep fade", SINEW_TRANSITION_FADE, SINEW_EASING_SMOOTHSTEP, 96.0},
    {"inertialized", SINEW_TRANSITION_INERTIALIZE, SINEW_EASING_SMOOTHSTEP, 110.0},
    {"dead-blended", SINEW_TRANSITION_DEAD_BLEND, SINEW_EASING_SMOOTHSTEP, 96.0},
};

static sinew_asset *hero;

static int load(void **state) {
    (void)state;
    hero = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    return 0;
}

static int unload(void **state) {
    (void)state;
    sinew_asset_destroy(hero);
    return 0;
}

static const sinew_clip *draw_clip(uint64_t *random) {
    return &hero->clips[random_next(random) % (uint32_t)hero->clip_count];
}

// The rotations of three successive frames.
typedef struct frames {
    exact_quat *of[3]; // [nodes]
} frames;

static void keep(sinew_mixer *mixer, exact_quat *rotations) {
    const sinew_pose *pose = sinew_mixer_pose(mixer);
    for (int32_t i = 0; i < hero->skeleton->node_count; i++)
        rotations[i] = (exact_quat){pose->rx[i], pose->ry[i], pose->rz[i], pose->rw[i]};
}

// From one clip to another of random times: two frames before the transition, and its first.
static void run(const kind *k, uint64_t *random, const frames *shown) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = hero->skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_play_def play = sinew_play_default();
    const sinew_clip *from = draw_clip(random), *to = draw_clip(random);
    play.time = random_float(random, 0, from->duration);
    sinew_mixer_play(mixer, sinew_clip_source(from), &play);
    for (int i = 0; i < BEFORE; i++) {
        sinew_mixer_update(mixer, 1.0f / HERTZ);
        if (i >= BEFORE - 2) keep(mixer, shown->of[i - (BEFORE - 2)]);
    }
    sinew_transition transition = sinew_transition_default();
    transition.kind = k->kind;
    transition.easing = k->easing;
    transition.duration = 0.25f;
    play.time = random_float(random, 0, to->duration);
    play.allow_duplicate = true;
    sinew_mixer_transition_to(mixer, sinew_clip_source(to), &transition, &play);
    sinew_mixer_update(mixer, 1.0f / HERTZ);
    keep(mixer, shown->of[2]);
    sinew_mixer_destroy(mixer);
}

static exact_vec3 velocity(exact_quat before, exact_quat now) {
    return exact_logarithm(exact_multiply(now, exact_conjugate(before)));
}

static double corner(const frames *shown, int32_t node) {
    exact_vec3 before = velocity(shown->of[0][node], shown->of[1][node]);
    exact_vec3 now = velocity(shown->of[1][node], shown->of[2][node]);
    return exact_length(exact_add(now, before, -1.0)) * HERTZ * 180.0 / PI;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile_95(const kind *k) {
    size_t nodes = (size_t)hero->skeleton->node_count, count = TRANSITIONS * nodes;
    exact_quat *memory = calloc(3 * nodes, sizeof *memory);
    double *corners = calloc(count, sizeof *corners);
    frames shown = {{memory, memory + nodes, memory + 2 * nodes}};
    uint64_t random = 2020;
    for (size_t i = 0; i < TRANSITIONS; i++) {
        run(k, &random, &shown);
        for (size_t node = 0; node < nodes; node++) corners[i * nodes + node] = corner(&shown, (int32_t)node);
    }
    qsort(corners, count, sizeof *corners, by_size);
    double at = corners[count * 95 / 100];
    free(corners);
    free(memory);
    return at;
}

static void test_velocities_have_no_corners(void **state) {
    (void)state;
    double of_kinds[sizeof kinds / sizeof *kinds];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        of_kinds[i] = percentile_95(&kinds[i]);
        print_message("%-16s %.1f degrees a second, 95th percentile\n", kinds[i].name, of_kinds[i]);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) assert_true(of_kinds[i] <= kinds[i].most);
    assert_true(of_kinds[0] > 2.0 * of_kinds[1]);
}

// ---- No change ---------------------------------------------------------------------------------------------------

enum { STARTS = 30, FRAMES = 20 };

static sinew_mixer *start(const sinew_clip *clip, float time) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = hero->skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_play_def play = sinew_play_default();
    play.time = time;
    sinew_mixer_play(mixer, sinew_clip_source(clip), &play);
    for (int i = 0; i < BEFORE; i++) sinew_mixer_update(mixer, 1.0f / HERTZ);
    return mixer;
}

// What a program does with each pose.
typedef enum use { PLAYED, FINISHED, EDITED, USES } use;

static const char *const use_names[USES] = {"played", "finished", "edited and finished"};

// Computes the model matrices of the next frame.
static void show(sinew_mixer *mixer, use how, bool finishes, sinew_affine *matrices) {
    static const sinew_quat turn = {0.0f, 0.2588190451f, 0.0f, 0.9659258263f}; // 30 degrees
    sinew_mixer_update(mixer, 1.0f / HERTZ);
    if (how != PLAYED) {
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        for (int32_t i = 3; how == EDITED && i < 9; i++) {
            sinew_quat q =
                sinew_quat_multiply((sinew_quat){pose->rx[i], pose->ry[i], pose->rz[i], pose->rw[i]}, turn);
            pose->rx[i] = q.x, pose->ry[i] = q.y, pose->rz[i] = q.z, pose->rw[i] = q.w;
        }
        if (finishes) sinew_mixer_finish_pose(mixer);
    }
    sinew_pose_to_model(sinew_mixer_pose(mixer), matrices);
}

// The largest distance, in metres, of nodes.
static double distance_of(const sinew_affine *a, const sinew_affine *b) {
    double most = 0.0;
    for (int32_t i = 0; i < hero->skeleton->node_count; i++) {
        exact_vec3 apart = {(double)a[i].m[0][3] - (double)b[i].m[0][3],
                            (double)a[i].m[1][3] - (double)b[i].m[1][3],
                            (double)a[i].m[2][3] - (double)b[i].m[2][3]};
        most = fmax(most, exact_length(apart));
    }
    return most;
}

// How far an inertialization from a time of a clip moves a node from where it is without one.
static double moved_by_inertialization(const sinew_clip *clip, float time, use how, bool *at_end) {
    sinew_mixer *with = start(clip, time), *without = start(clip, time);
    sinew_affine *matrices = calloc(2 * (size_t)hero->skeleton->node_count, sizeof *matrices);
    sinew_affine *others = matrices + hero->skeleton->node_count;
    double most = 0.0;
    show(with, how, true, matrices);
    show(without, how, false, others);
    *at_end = sinew_action_time(with, sinew_mixer_find(with, sinew_clip_source(clip), SINEW_ALL_LAYERS)) +
                  1.0f / 1024.0f >
              clip->duration;
    sinew_mixer_inertialize(with, SINEW_ALL_LAYERS, 0.3f);
    for (int frame = 0; frame < FRAMES; frame++) {
        show(with, how, true, matrices);
        show(without, how, false, others);
        most = fmax(most, distance_of(matrices, others));
    }
    free(matrices);
    sinew_mixer_destroy(with);
    sinew_mixer_destroy(without);
    return most;
}

// The velocities before and after a call after which nothing changes are equal, also where the clip has a corner. Where it
// ends within 1/1024 s they are measured over other times.
static void test_without_a_change_the_pose_goes_on(void **state) {
    (void)state;
    uint64_t random = 2021;
    for (int how = 0; how < USES; how++) {
        double most[2] = {0.0, 0.0}; // within a clip, and at its end
        for (int i = 0; i < STARTS * hero->clip_count; i++) {
            const sinew_clip *clip = &hero->clips[i % hero->clip_count];
            bool at_end;
            double moved =
                moved_by_inertialization(clip, random_float(&random, 0, clip->duration), (use)how, &at_end);
            most[at_end] = fmax(most[at_end], moved);
        }
        print_message(
            "an inertialization without a change moves a node by up to %.2g m, at a clip's end %.2g m: %s\n",
            most[0], most[1], use_names[how]);
        assert_true(most[0] < 1e-4);
        assert_true(most[1] < 0.1);
    }
}

// ---- Interruptions -------------------------------------------------------------------------------------------

enum { INTERRUPTIONS = 400 };

// A short time, so no offset accelerates much.
#define MOMENT (1.0 / 4096.0)

static void change_clip(sinew_mixer *mixer, sinew_transition_kind transition_kind, uint64_t *random) {
    sinew_transition transition = sinew_transition_default();
    transition.kind = transition_kind;
    transition.duration = 0.25f;
    sinew_play_def play = sinew_play_default();
    const sinew_clip *to = draw_clip(random);
    play.time = random_float(random, 0, to->duration);
    play.speed = 3.0f;
    play.allow_duplicate = true;
    sinew_mixer_transition_to(mixer, sinew_clip_source(to), &transition, &play);
}

// A mixer where an inertialization between two fast clips has run for three frames.
static sinew_mixer *start_interrupted(uint64_t random) {
    sinew_mixer *mixer = start(draw_clip(&random), 0.1f);
    change_clip(mixer, SINEW_TRANSITION_INERTIALIZE, &random);
    for (int i = 0; i < 3; i++) sinew_mixer_update(mixer, 1.0f / HERTZ);
    return mixer;
}

// What a transition changes the angular velocity of each node by, in degrees a second, against the same mixer without it.
static void change_velocities(sinew_transition_kind transition_kind, uint64_t number, const frames *shown,
                              double *changes) {
    uint64_t random = 77 + number;
    sinew_mixer *with = start_interrupted(number), *without = start_interrupted(number);
    change_clip(with, transition_kind, &random);
    sinew_mixer_update(with, (float)MOMENT);
    sinew_mixer_update(without, (float)MOMENT);
    keep(with, shown->of[0]);
    keep(without, shown->of[1]);
    sinew_mixer_destroy(with);
    sinew_mixer_destroy(without);
    for (int32_t i = 0; i < hero->skeleton->node_count; i++)
        changes[i] = exact_length(velocity(shown->of[0][i], shown->of[1][i])) / MOMENT * 180.0 / PI;
}

// A joint turned by its clip and by an offset, about two axes, has another velocity a hundredth of a second later. A
// transition must start with the current one. Above the 90th percentile are keys' corners within the measured time.
static void test_an_interrupted_transition_goes_on_at_its_velocity(void **state) {
    (void)state;
    size_t nodes = (size_t)hero->skeleton->node_count, count = INTERRUPTIONS * nodes;
    exact_quat *memory = calloc(2 * nodes, sizeof *memory);
    double *changes = calloc(count, sizeof *changes);
    const frames shown = {{memory, memory + nodes}};
    for (int k = SINEW_TRANSITION_INERTIALIZE; k <= SINEW_TRANSITION_DEAD_BLEND; k++) {
        for (size_t i = 0; i < INTERRUPTIONS; i++)
            change_velocities((sinew_transition_kind)k, i, &shown, changes + i * nodes);
        qsort(changes, count, sizeof *changes, by_size);
        double at_90 = changes[count * 90 / 100], at_95 = changes[count * 95 / 100];
        print_message(
            "an interruption changes a velocity by %.1f degrees a second, 90th percentile, %.1f 95th: %s\n", at_90,
            at_95, k == SINEW_TRANSITION_INERTIALIZE ? "inertialized" : "dead-blended");
        assert_true(at_90 < 5.0 && at_95 < 25.0);
    }
    free(changes);
    free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocities_have_no_corners),
        cmocka_unit_test(test_without_a_change_the_pose_goes_on),
        cmocka_unit_test(test_an_interrupted_transition_goes_on_at_its_velocity),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
