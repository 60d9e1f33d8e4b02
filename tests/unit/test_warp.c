// SPDX-License-Identifier: MIT
// Root motion warping. A clip whose root follows formulas is warped to goals, and a game in double precision adds up
// the deltas. Speeds are measured from positions at close times and compared with the formulas'.
#include "support/check.h"

enum { ROOT, HIPS, NODES, KEYS = 401 };

static const double duration = 2.0, first = 0.4, last = 1.6; // the window

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clip;
    sinew_root_motion_def motion;
    sinew_root_warp_def def;
} stage;

static stage s;

// ---- A vault by formulas -------------------------------------------------------------------------------------

typedef struct point {
    double x, y, z, heading;
} point;

// Runs, stands still from 0.9 to 1.1 s, continues; rises and comes down, sways, and turns by 0.3 to the left.
static point vault_at(double t) {
    double moved = t < 0.9 ? t - 0.9 : t > 1.1 ? t - 1.1 : 0;
    double ease = moved * (1 + 0.5 * moved * moved); // from 3 to 1 m/s times 1.2
    double bump = 0.5 + 0.5 * cos(PI * fmin(1, fabs(moved) / 0.9));
    return (point){0.1 * sin(2 * moved), 0.9 + 0.5 * bump, 1.2 * ease, 0.3 * moved};
}

static sinew_clip *make_vault(const sinew_skeleton *skeleton) {
    static float times[KEYS], positions[KEYS][3], turns[KEYS][4];
    for (int k = 0; k < KEYS; k++) {
        double t = duration * k / (KEYS - 1);
        point p = vault_at(t);
        sinew_quat q = about_y(p.heading);
        times[k] = (float)t;
        positions[k][0] = (float)p.x, positions[k][1] = (float)p.y, positions[k][2] = (float)p.z;
        memcpy(turns[k], &q, sizeof q);
    }
    sinew_channel_def channels[2] = {
        {HIPS, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, positions[0]},
        {HIPS, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times, turns[0]}};
    sinew_marker markers[] = {
        {"Vault.end", 0.1f}, {"Vault", (float)first}, {"Vault.end", (float)last}, {"Land", 1.9f}};
    sinew_clip_def def = sinew_clip_default();
    def.name = "Vault";
    def.skeleton = skeleton;
    def.channel_count = 2;
    def.channels = channels;
    def.marker_count = 4;
    def.markers = markers;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static int set_up(void **state) {
    (void)state;
    sinew_node_def nodes[NODES] = {{.name = "Root", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()},
                                   {.name = "Hips", .parent = ROOT, .rest = sinew_transform_identity()}};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &s.skeleton, NULL), SINEW_OK);
    s.clip = make_vault(s.skeleton);
    s.motion = sinew_root_motion_default();
    s.motion.skeleton = s.skeleton;
    s.motion.node = HIPS;
    s.motion.y = true;
    s.def = sinew_root_warp_default();
    s.def.clip = s.clip;
    s.def.root_motion = &s.motion;
    assert_true(sinew_root_warp_window(s.clip, "Vault", &s.def.start, &s.def.end));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_clip_destroy(s.clip);
    sinew_skeleton_destroy(s.skeleton);
    return 0;
}

// ---- A game --------------------------------------------------------------------------------------------------

static point move(point p, sinew_root_delta d) {
    double c = cos(p.heading), n = sin(p.heading);
    return (point){p.x + c * d.translation.x + n * d.translation.z, p.y + d.translation.y,
                   p.z + c * d.translation.z - n * d.translation.x, p.heading + d.yaw};
}

static sinew_root_warp_transform transform_of(point p) {
    return (sinew_root_warp_transform){{(float)p.x, (float)p.y, (float)p.z}, about_y(p.heading)};
}

static double distance(point a, point b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static double apart(double a, double b) {
    return fabs(remainder(a - b, 2 * PI));
}

// Where the clip alone brings a character from `time` to `to`: by the formulas, with the gait's own origin.
static point by_clip(point p, double time, double to) {
    point a = vault_at(time), b = vault_at(to);
    // The character's origin is at the hips' position relative to the clip's start, turned about it.
    point o = vault_at(0);
    double ta = a.heading - o.heading, tb = b.heading - o.heading;
    point oa = {a.x - (cos(ta) * o.x + sin(ta) * o.z), a.y - o.y, a.z - (cos(ta) * o.z - sin(ta) * o.x), 0};
    point ob = {b.x - (cos(tb) * o.x + sin(tb) * o.z), b.y - o.y, b.z - (cos(tb) * o.z - sin(tb) * o.x), 0};
    double dx = ob.x - oa.x, dz = ob.z - oa.z;
    double heading = p.heading - ta, c = cos(heading), n = sin(heading);
    return (point){p.x + c * dx + n * dz, p.y + ob.y - oa.y, p.z + c * dz - n * dx, p.heading + tb - ta};
}

static sinew_root_warp begin(const sinew_root_warp_def *def, double time, point start, point goal) {
    sinew_root_warp warp;
    sinew_error error = {0};
    if (sinew_root_warp_begin(def, (float)time, transform_of(start), transform_of(goal), &warp, &error) !=
        SINEW_OK) {
        fail_msg("%s", error.message);
    }
    return warp;
}

static point at(const sinew_root_warp_def *def, const sinew_root_warp *warp, double time) {
    sinew_root_warp_transform t = sinew_root_warp_at(def, warp, (float)time);
    return (point){t.position.x, t.position.y, t.position.z, 2 * atan2((double)t.facing.y, (double)t.facing.w)};
}

static point random_point(uint64_t *random, point from, double far, double turn) {
    return (point){from.x + random_float(random, (float)-far, (float)far),
                   from.y + random_float(random, (float)-far / 4, (float)far / 4),
                   from.z + random_float(random, (float)-far, (float)far),
                   from.heading + random_float(random, (float)-turn, (float)turn)};
}

// ---- The goal ------------------------------------------------------------------------------------------------

// Steps of any length from before the window to after it. One step ends at the window's end, to look there.
static void test_goal_is_hit_at_any_rate(void **state) {
    (void)state;
    uint64_t random = 1;
    double most = 0, most_turn = 0;
    for (int run = 0; run < 1000; run++) {
        point here = random_point(&random, (point){0, 0, 0, 0}, run % 3 ? 20 : 200, PI);
        point goal = random_point(&random, by_clip(here, 0, last), 0.8, 1.0);
        sinew_root_warp warp = begin(&s.def, 0, here, goal);
        double longest = run % 4 == 0 ? 1.0 / 240 : run % 4 == 1 ? 1.0 / 60 : run % 4 == 2 ? 0.2 : 3.0;
        if (warp.missed_distance > 0 || warp.missed_turn != 0) continue;
        point p = here;
        float time = 0;
        while (time < (float)last) {
            float next = time + random_float(&random, 0, (float)longest);
            if (next > (float)last) next = (float)last;
            p = move(p, sinew_root_warp_delta(&s.def, &warp, time, next));
            time = next;
        }
        most = fmax(most, distance(p, goal));
        most_turn = fmax(most_turn, apart(p.heading, goal.heading));
    }
    print_message("farthest from a goal %.2g m, %.2g rad\n", most, most_turn);
    assert_true(most <= 1e-4 && most_turn <= 1e-5);
}

// Limits that are reached: the character ends as far from the goal as is said.
static void test_what_is_missed(void **state) {
    (void)state;
    uint64_t random = 2;
    int missed = 0;
    for (int run = 0; run < 500; run++) {
        point here = {1, 2, 3, 0.5}, goal = random_point(&random, by_clip(here, 0, last), 6, PI);
        sinew_root_warp_def def = s.def;
        def.max_speed = random_float(&random, 1, 2);
        def.max_turn_rate = random_float(&random, 0, 3);
        sinew_root_warp warp = begin(&def, first, by_clip(here, 0, first), goal);
        point p = at(&def, &warp, last);
        check_near(distance(p, goal), warp.missed_distance, 2e-5);
        check_near(remainder(goal.heading - p.heading, 2 * PI), warp.missed_turn, 1e-5);
        missed += warp.missed_distance > 0;
    }
    assert_true(missed > 400);
}

// ---- Speeds --------------------------------------------------------------------------------------------------

static double clip_speed(double time, double dt) {
    point start = {0, 0, 0, 0};
    return distance(by_clip(start, time - dt / 2, time + dt / 2), start) / dt;
}

typedef struct speeds {
    double over, turning; // how much a limit is exceeded at most
    double jump;          // of the velocity between steps
} speeds;

static void measure(const sinew_root_warp_def *def, const sinew_root_warp *warp, double from, double to,
                    speeds *all) {
    const double dt = duration / (KEYS - 1), clip_turn = 0.3;
    point before = {0, 0, 0, 0};
    bool has_before = false;
    // From key to key, between which the clip is linear.
    for (int key = (int)ceil(from / dt); dt * (key + 0.5) < to - dt / 2; key++) {
        const double t = dt * (key + 0.5);
        point a = at(def, warp, t - dt / 2), b = at(def, warp, t + dt / 2);
        point v = {(b.x - a.x) / dt, (b.y - a.y) / dt, (b.z - a.z) / dt,
                   remainder(b.heading - a.heading, 2 * PI) / dt};
        double speed = distance(a, b) / dt, clip = clip_speed(t, dt);
        bool is_still = t > 0.89 && t < 1.11;
        all->over = fmax(all->over, speed - (double)def->max_speed * clip - (double)def->added_speed);
        all->turning =
            fmax(all->turning, fabs(v.heading) - (is_still ? 0 : clip_turn) - (double)def->max_turn_rate);
        // The clip itself starts and stops at 0.9 and 1.1 s.
        bool has_jump = fabs(t - 0.9) < 0.01 || fabs(t - 1.1) < 0.01;
        if (has_before && !has_jump) all->jump = fmax(all->jump, distance(v, before));
        before = v, has_before = true;
    }
}

static void test_speeds_are_bounded(void **state) {
    (void)state;
    uint64_t random = 3;
    speeds all = {0, 0, 0};
    for (int run = 0; run < 60; run++) {
        sinew_root_warp_def def = s.def;
        def.max_speed = random_float(&random, 1, 3);
        def.added_speed = run % 2 ? random_float(&random, 0, 1) : 0;
        point here = {1, 2, 3, 0.5}, goal = random_point(&random, by_clip(here, 0, last), 3, PI);
        sinew_root_warp warp = begin(&def, 0, here, goal);
        measure(&def, &warp, 0.2, 1.9, &all);
    }
    print_message("over the limits by %.2g m/s, %.2g rad/s; jumps of %.2g m/s\n", all.over, all.turning, all.jump);
    assert_true(all.over < 0.01);
    assert_true(all.turning < 0.01);
    // In 5 ms: the corrections' slopes rise in a fifth of the window.
    assert_true(all.jump < 0.15);
}

// Where the clip stands still, so does the warped root; a warp without added_speed cannot move it.
static void test_stands_where_the_clip_stands(void **state) {
    (void)state;
    point here = {0, 0, 0, 0}, goal = by_clip(here, 0, last);
    goal.x += 0.7, goal.z += 0.5, goal.heading += 0.4;
    sinew_root_warp warp = begin(&s.def, 0, here, goal);
    assert_true(warp.missed_distance == 0);
    check_near(distance(at(&s.def, &warp, 0.905), at(&s.def, &warp, 1.095)), 0, 1e-4);
    sinew_root_warp_def def = s.def;
    def.start = 0.92f, def.end = 1.08f;
    warp = begin(&def, 0.92, here, (point){0.05, 0, 0, 0.1});
    check_near(warp.missed_distance, 0.05, 1e-5);
    check_near(warp.missed_turn, 0, 0);
    def.added_speed = 0.5f;
    warp = begin(&def, 0.92, here, (point){0.05, 0, 0, 0.1});
    check_near(warp.missed_distance, 0, 0);
    check_near(at(&def, &warp, 1.08).x, 0.05, 1e-6);
}

// ---- Times ---------------------------------------------------------------------------------------------------

// A goal that is where the clip leads changes nothing, and outside of the window the clip's motion is kept.
static void test_the_clip_itself(void **state) {
    (void)state;
    point here = {3, 0, -2, 1.1}, goal = by_clip(here, 0, last);
    sinew_root_warp warp = begin(&s.def, 0, here, goal);
    for (int i = 0; i <= 40; i++) {
        const double t = 0.05 * i;
        check_near(distance(at(&s.def, &warp, t), by_clip(here, 0, t)), 0, 3e-5);
    }
    goal = (point){goal.x + 0.2, goal.y, goal.z - 0.3, goal.heading - 0.5};
    warp = begin(&s.def, 0, here, goal);
    check_near(warp.missed_distance, 0, 0);
    check_near(distance(at(&s.def, &warp, 0.39), by_clip(here, 0, 0.39)), 0, 3e-5);
    for (int i = 33; i < 40; i++) {
        const double t = 0.05 * i;
        check_near(distance(at(&s.def, &warp, t), by_clip(goal, last, t)), 0, 3e-5);
    }
}

// Steps in any order: seeking back and forth leads to the same transform, and times continue in the next loop.
static void test_seeks_and_loops(void **state) {
    (void)state;
    uint64_t random = 4;
    point here = {3, 0, -2, 1.1}, goal = random_point(&random, by_clip(here, 0, last), 0.8, 1);
    sinew_root_warp warp = begin(&s.def, 0, here, goal);
    point p = here;
    float time = 0;
    for (int step = 0; step < 200; step++) {
        float next = random_float(&random, -1, 5);
        p = move(p, sinew_root_warp_delta(&s.def, &warp, time, next));
        time = next;
        check_near(distance(p, at(&s.def, &warp, time)), 0, 5e-5);
    }
    check_near(distance(at(&s.def, &warp, 2.0 + 0.3), by_clip(at(&s.def, &warp, 2.0), 0, 0.3)), 0, 5e-5);
    sinew_root_delta paused = sinew_root_warp_delta(&s.def, &warp, 1, 1);
    check_vec3(paused.translation, 0, 0, 0, 0);
}

// ---- Goals that move -----------------------------------------------------------------------------------------

// At a change of the goal the velocity does not jump, and the limits hold to the end.
static void test_changed_goals(void **state) {
    (void)state;
    uint64_t random = 5;
    speeds all = {0, 0, 0};
    double most = 0, jump = 0;
    int hit = 0;
    for (int run = 0; run < 100; run++) {
        point here = {3, 0, -2, 1.1}, goal = random_point(&random, by_clip(here, 0, last), 0.6, 0.8);
        sinew_root_warp warp = begin(&s.def, 0, here, goal);
        double from = 0;
        for (int change = 0; change < 3; change++) {
            double time = random_float(&random, 0.4f + 0.3f * (float)change, 0.7f + 0.3f * (float)change);
            measure(&s.def, &warp, from, time, &all);
            const double dt = 1e-3;
            point a = at(&s.def, &warp, time - dt), b = at(&s.def, &warp, time);
            goal = random_point(&random, goal, 0.2, 0.3);
            sinew_root_warp_set_goal(&s.def, &warp, (float)time, NULL, transform_of(goal));
            point c = at(&s.def, &warp, time), d = at(&s.def, &warp, time + dt);
            check_near(distance(b, c), 0, 2e-6);
            point v = {(b.x - a.x) / dt, (b.y - a.y) / dt, (b.z - a.z) / dt, 0};
            point u = {(d.x - c.x) / dt, (d.y - c.y) / dt, (d.z - c.z) / dt, 0};
            bool has_jump = fabs(time - 0.9) < 0.01 || fabs(time - 1.1) < 0.01;
            if (!has_jump) jump = fmax(jump, distance(u, v));
            from = time;
        }
        measure(&s.def, &warp, from, 1.9, &all);
        point end = at(&s.def, &warp, last);
        check_near(distance(end, goal), warp.missed_distance, 2e-5);
        if (warp.missed_distance == 0) most = fmax(most, distance(end, goal)), hit++;
    }
    print_message("changed goals: %d of 100 hit within %.2g m, jumps of %.2g m/s; over the limits by %.2g m/s\n",
                  hit, most, jump, all.over);
    assert_true(most <= 1e-4 && hit > 50 && jump < 0.15 && all.over < 0.01 && all.turning < 0.01);
}

// A goal that walks on at 0.3 m/s, and is followed in each frame.
static void test_goal_that_walks(void **state) {
    (void)state;
    for (int rate = 30; rate <= 240; rate *= 2) {
        point here = {0, 0, 0, 0}, goal = by_clip(here, 0, last), p = here;
        sinew_root_warp warp = begin(&s.def, 0, here, goal);
        goal.x -= 0.6, goal.z -= 0.4;
        for (int frame = 0; frame < lround(last * rate); frame++) {
            float from = (float)frame / (float)rate, to = (float)(frame + 1) / (float)rate;
            sinew_root_warp_transform now = transform_of(p);
            goal.x += 0.3 / rate;
            sinew_root_warp_set_goal(&s.def, &warp, from, &now, transform_of(goal));
            p = move(p, sinew_root_warp_delta(&s.def, &warp, from, to < (float)last ? to : (float)last));
        }
        print_message("%d Hz: %.2g m from a goal that walks\n", rate, distance(p, goal));
        assert_true(distance(p, goal) <= 1e-4);
    }
}

// ---- With a mixer --------------------------------------------------------------------------------------------

typedef struct player {
    sinew_mixer *mixer;
    sinew_action action;
    sinew_root_warp warp;
    point p;
} player;

static void step(player *r, float dt, bool warped) {
    float before = sinew_action_time(r->mixer, r->action);
    sinew_mixer_update(r->mixer, dt);
    float after = sinew_action_time(r->mixer, r->action);
    sinew_root_delta delta = sinew_mixer_root_delta(r->mixer);
    if (warped) delta = sinew_root_warp_delta(&s.def, &r->warp, before, after);
    r->p = move(r->p, delta);
}

static player start(point here, point goal, float speed) {
    player r = {.p = here, .warp = begin(&s.def, 0, here, goal)};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    def.root_motion = &s.motion;
    assert_int_equal(sinew_mixer_create(&def, &r.mixer, NULL), SINEW_OK);
    sinew_play_def play = sinew_play_default();
    play.loop = SINEW_LOOP_ONCE;
    play.speed = speed;
    r.action = sinew_mixer_play(r.mixer, sinew_clip_source(s.clip), &play);
    return r;
}

// The pose of a warped character has the bits of one that is not warped, at any speed, over a pause and a seek.
static void test_the_pose_is_not_touched(void **state) {
    (void)state;
    point here = {3, 0, -2, 1.1}, goal = by_clip(here, 0, last);
    goal.x += 0.5, goal.heading -= 0.5;
    player a = start(here, goal, 1.3f), b = start(here, goal, 1.3f);
    for (int frame = 0; frame < 300; frame++) {
        float dt = 1.0f / 60;
        if (frame == 40) sinew_action_set_speed(a.mixer, a.action, 0), sinew_action_set_speed(b.mixer, b.action, 0);
        if (frame == 50) sinew_action_set_speed(a.mixer, a.action, 1), sinew_action_set_speed(b.mixer, b.action, 1);
        if (frame == 70) { // back: the character goes back along its path
            float time = sinew_action_time(a.mixer, a.action);
            sinew_action_set_time(a.mixer, a.action, 0.6f), sinew_action_set_time(b.mixer, b.action, 0.6f);
            a.p = move(a.p, sinew_root_warp_delta(&s.def, &a.warp, time, 0.6f));
        }
        step(&a, dt, true), step(&b, dt, false);
        assert_memory_equal(sinew_mixer_model_matrices(a.mixer), sinew_mixer_model_matrices(b.mixer),
                            NODES * sizeof(sinew_affine));
        if (sinew_action_time(a.mixer, a.action) == s.clip->duration) break;
    }
    check_near(distance(a.p, by_clip(goal, last, 2.0)), 0, 1e-4);
    check_near(distance(b.p, by_clip(goal, last, 2.0)), 0.5, 0.5);
    sinew_mixer_destroy(a.mixer);
    sinew_mixer_destroy(b.mixer);
}

// A snapshot of the mixer and copies of the warp and of the position: the same frames give the same bits again.
static void test_rollback(void **state) {
    (void)state;
    point here = {3, 0, -2, 1.1}, goal = by_clip(here, 0, last);
    goal.z += 0.7;
    player r = start(here, goal, 1);
    for (int frame = 0; frame < 40; frame++) step(&r, 1.0f / 60, true);
    size_t size = sinew_mixer_snapshot_size(r.mixer);
    void *saved = malloc(size);
    size = sinew_mixer_save(r.mixer, saved);
    player copy = r;
    point ends[2];
    for (int run = 0; run < 2; run++) {
        assert_true(sinew_mixer_restore(r.mixer, saved, size));
        r.warp = copy.warp, r.p = copy.p, r.action = copy.action;
        for (int frame = 0; frame < 30; frame++) {
            step(&r, 1.0f / 60, true);
            if (frame != 10) continue;
            float time = sinew_action_time(r.mixer, r.action);
            sinew_root_warp_set_goal(&s.def, &r.warp, time, NULL, transform_of(here));
        }
        ends[run] = r.p;
    }
    assert_memory_equal(&ends[0], &ends[1], sizeof(point));
    free(saved);
    sinew_mixer_destroy(r.mixer);
}

// An interrupted warp: the delta fades from the warp's to the mixer's, and the speed doesn't jump.
static void test_fading_out(void **state) {
    (void)state;
    sinew_root_delta a = {{1, 2, 3}, about_y(3.0), 3.0f}, b = {{3, 2, 1}, about_y(-3.0), -3.0f};
    sinew_root_delta half = sinew_root_delta_blend(a, b, 0.5f);
    check_vec3(half.translation, 2, 2, 2, 1e-6);
    check_near(half.yaw, PI, 1e-5);
    check_near(angle_between(half.rotation, about_y(PI)), 0, 1e-5);
    sinew_root_delta whole = sinew_root_delta_blend(a, b, 2), none = sinew_root_delta_blend(a, b, NAN);
    assert_memory_equal(&whole, &b, sizeof b);
    assert_memory_equal(&none, &a, sizeof a);

    point here = {0, 0, 0, 0}, goal = by_clip(here, 0, last);
    goal.z += 1.2;
    player r = start(here, goal, 1);
    const float dt = 1.0f / 60;
    sinew_action idle = {0};
    point before = here;
    double speed = 0, most = 0;
    for (int frame = 0; frame < 60; frame++) {
        float time = sinew_action_time(r.mixer, r.action);
        if (frame == 35) {
            sinew_transition t = sinew_transition_default();
            t.duration = 0.25f;
            sinew_play_def play = sinew_play_default();
            play.allow_duplicate = true, play.time = 1.0f, play.speed = 0;
            idle = sinew_mixer_transition_to(r.mixer, sinew_clip_source(s.clip), &t, &play);
        }
        sinew_mixer_update(r.mixer, dt);
        float weight = idle.id == 0 ? 1 : sinew_action_weight(r.mixer, r.action);
        sinew_root_delta warped = sinew_root_warp_delta(&s.def, &r.warp, time, time + dt);
        if (weight == 0) warped = (sinew_root_delta){.rotation = {0, 0, 0, 1}};
        r.p = move(r.p, sinew_root_delta_blend(sinew_mixer_root_delta(r.mixer), warped, weight));
        double now = distance(r.p, before) / dt;
        if (frame > 2) most = fmax(most, fabs(now - speed));
        speed = now, before = r.p;
    }
    check_near(speed, 0, 1e-6);
    assert_true(most < 0.5); // of 5 m/s, in a frame of a fade over 15 frames
    sinew_mixer_destroy(r.mixer);
}

// A fade-in that lasts into the window: the delta fades from the mixer's to the warp's. The warp restarts from the
// character's transform in each frame of the fade. It reaches the goal, and the speed doesn't jump.
static void test_fading_in(void **state) {
    (void)state;
    sinew_clip *slide = make_slide(s.skeleton, "slide", HIPS, 1, 3);
    for (int rate = 30; rate <= 120; rate *= 2) {
        point here = {0, 0, 0, 0}, goal = by_clip(here, 0, last), before = here;
        goal.z += 0.3, goal.x += 0.2, goal.heading += 0.3;
        player r = start(here, goal, 1);
        sinew_mixer_stop_all(r.mixer);
        sinew_mixer_play(r.mixer, sinew_clip_source(slide), NULL);
        sinew_mixer_update(r.mixer, 0.2f);
        sinew_transition t = sinew_transition_default();
        t.duration = 0.7f;
        r.action = sinew_mixer_transition_to(r.mixer, sinew_clip_source(s.clip), &t, NULL);
        double speed = 0, jump = 0;
        for (int frame = 0; frame < lround(last * rate); frame++) {
            float time = sinew_action_time(r.mixer, r.action);
            sinew_mixer_update(r.mixer, 1.0f / (float)rate);
            float now = sinew_action_time(r.mixer, r.action), weight = sinew_action_weight(r.mixer, r.action);
            if (frame == lround(last * rate) - 1) now = (float)last; // within rounding
            sinew_root_delta warped = sinew_root_warp_delta(&s.def, &r.warp, time, now);
            r.p = move(r.p, sinew_root_delta_blend(sinew_mixer_root_delta(r.mixer), warped, weight));
            sinew_root_warp_transform at_now = transform_of(r.p);
            if (weight < 1) sinew_root_warp_set_goal(&s.def, &r.warp, now, &at_now, transform_of(goal));
            double velocity = distance(r.p, before) * rate;
            // The clip itself stops and starts at 0.9 and 1.1 s.
            bool clip_jumps = fabs(now - 0.9) < 1.5 / rate || fabs(now - 1.1) < 2.5 / rate;
            if (frame > 0 && !clip_jumps) jump = fmax(jump, fabs(velocity - speed));
            speed = velocity, before = r.p;
        }
        print_message("faded in, %d Hz: %.2g m from the goal, jumps of %.2f m/s in a frame\n", rate,
                      distance(r.p, goal), jump);
        assert_true(distance(r.p, goal) <= 1e-4 && jump * rate < 40);
        sinew_mixer_destroy(r.mixer);
    }
    sinew_clip_destroy(slide);
}

// ---- Definitions ---------------------------------------------------------------------------------------------

static void check_fault(sinew_root_warp_def def, float time, float x, const char *text) {
    sinew_root_warp warp;
    sinew_error error = {0};
    sinew_root_warp_transform start = transform_of((point){0, 0, 0, 0}), goal = start;
    goal.position.x = x;
    assert_int_equal(sinew_root_warp_begin(&def, time, start, goal, &warp, &error), SINEW_ERROR_ARGUMENT);
    if (!strstr(error.message, text)) fail_msg("'%s' lacks '%s'", error.message, text);
    sinew_root_warp zero = {0};
    assert_memory_equal(&warp, &zero, sizeof zero);
    sinew_root_delta none = sinew_root_warp_delta(&s.def, &warp, 0, 1),
                     identity = (sinew_root_delta){.rotation = {0, 0, 0, 1}};
    assert_memory_equal(&none, &identity, sizeof none);
    sinew_root_warp_set_goal(&s.def, &warp, 0.5f, NULL, goal);
    assert_memory_equal(&warp, &zero, sizeof zero);
}

static void test_faults(void **state) {
    (void)state;
    sinew_root_warp_def def = s.def;
    check_fault(def, 1.6f, 0, "must be before the window's end");
    check_fault(def, NAN, 0, "must be before the window's end");
    check_fault(def, 0, INFINITY, "not finite");
    def.clip = NULL, check_fault(def, 0, 0, "no clip"), def = s.def;
    def.root_motion = NULL, check_fault(def, 0, 0, "no root motion"), def = s.def;
    def.end = def.start, check_fault(def, 0, 0, "window"), def = s.def;
    def.end = 3, check_fault(def, 0, 0, "window"), def = s.def;
    def.max_speed = 0.5f, check_fault(def, 0, 0, "max_speed"), def = s.def;
    def.max_speed = INFINITY, check_fault(def, 0, 0, "max_speed"), def = s.def;
    def.added_speed = -1, check_fault(def, 0, 0, "added_speed"), def = s.def;
    def.max_turn_rate = NAN, check_fault(def, 0, 0, "max_turn_rate"), def = s.def;
    sinew_root_motion_def motion = s.motion;
    motion.node = 7, def.root_motion = &motion, check_fault(def, 0, 0, "root motion: node 7");
    float start = 5, end = 6;
    assert_false(sinew_root_warp_window(s.clip, "Land", &start, &end));
    assert_false(sinew_root_warp_window(s.clip, "Climb", &start, &end));
    check_near(start, 5, 0);
    check_near(s.def.start, first, 1e-6);
    check_near(s.def.end, last, 1e-6);
}

// A warp with another definition is safe.
static void test_another_definition(void **state) {
    (void)state;
    point here = {0, 0, 0, 0};
    sinew_root_warp warp = begin(&s.def, 1.0, here, by_clip(here, 1.0, last)), copy = warp;
    sinew_root_warp_def early = s.def;
    early.end = 0.9f;
    sinew_root_delta none = sinew_root_warp_delta(&early, &warp, 0, 1),
                     identity = (sinew_root_delta){.rotation = {0, 0, 0, 1}};
    assert_memory_equal(&none, &identity, sizeof none);
    sinew_root_warp_set_goal(&early, &warp, 0.5f, NULL, transform_of(here));
    assert_memory_equal(&warp, &copy, sizeof warp);
    warp.time = NAN;
    none = sinew_root_warp_delta(&s.def, &warp, 0, 1);
    assert_memory_equal(&none, &identity, sizeof none);
}

// Only extracted axes are warped, and a tilt of the goal does not count.
static void test_axes(void **state) {
    (void)state;
    sinew_root_motion_def motion = s.motion;
    motion.y = false;
    sinew_root_warp_def def = s.def;
    def.root_motion = &motion;
    point here = {0, 0, 0, 0.2}, goal = by_clip(here, 0, last);
    goal.y = 5, goal.x += 0.3;
    sinew_root_warp_transform tilted = transform_of(goal);
    tilted.facing = sinew_quat_multiply(tilted.facing, about_x(0.5));
    sinew_root_warp warp;
    assert_int_equal(sinew_root_warp_begin(&def, 0, transform_of(here), tilted, &warp, NULL), SINEW_OK);
    point end = at(&def, &warp, last);
    check_near(end.x, goal.x, 1e-5), check_near(end.z, goal.z, 1e-5), check_near(end.y, 0, 1e-6);
    check_near(end.heading, goal.heading, 1e-5);
    check_near(warp.missed_distance, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goal_is_hit_at_any_rate),
        cmocka_unit_test(test_what_is_missed),
        cmocka_unit_test(test_speeds_are_bounded),
        cmocka_unit_test(test_stands_where_the_clip_stands),
        cmocka_unit_test(test_the_clip_itself),
        cmocka_unit_test(test_seeks_and_loops),
        cmocka_unit_test(test_changed_goals),
        cmocka_unit_test(test_goal_that_walks),
        cmocka_unit_test(test_the_pose_is_not_touched),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_fading_out),
        cmocka_unit_test(test_fading_in),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_another_definition),
        cmocka_unit_test(test_axes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
