// SPDX-License-Identifier: MIT
// Orientation and stride warping. The hero's torso must keep facing ahead while hips and legs turn. A runner's gaits
// are formulas, so the test knows which foot is on the ground and how fast.
#include "support/runner.h"

// ---- The hero ------------------------------------------------------------------------------------------------

enum { SPINE_NODES = 3, FOOT_COUNT = 2 };

typedef struct hero {
    sinew_asset *asset;
    const sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine *model, *before;
    sinew_orientation_warp warp;
    int32_t feet[FOOT_COUNT];
} hero;

static hero h;

static int32_t node_of(const char *name) {
    int32_t node = sinew_skeleton_find(h.skeleton, name);
    assert_true(node != SINEW_NO_NODE);
    return node;
}

static int set_up(void **state) {
    (void)state;
    h.asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    h.skeleton = h.asset->skeleton;
    assert_int_equal(sinew_pose_create(h.skeleton, NULL, &h.pose), SINEW_OK);
    h.model = calloc((size_t)h.skeleton->node_count, sizeof *h.model);
    h.before = calloc((size_t)h.skeleton->node_count, sizeof *h.before);
    h.warp = sinew_orientation_warp_default();
    h.warp.hips = node_of("Hips");
    h.warp.spine[0] = node_of("Spine"), h.warp.spine[1] = node_of("Chest"), h.warp.spine[2] = node_of("UpperChest");
    h.warp.spine_count = SPINE_NODES;
    h.feet[0] = node_of("Foot_L"), h.feet[1] = node_of("Foot_R");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_pose_destroy(h.pose);
    sinew_asset_destroy(h.asset);
    free(h.model);
    free(h.before);
    return 0;
}

static void show(const char *name, double time) {
    sinew_clip_sample(sinew_asset_find_clip(h.asset, name), (float)time, h.pose);
    sinew_pose_to_model(h.pose, h.model);
    memcpy(h.before, h.model, (size_t)h.skeleton->node_count * sizeof *h.model);
}

// The matrices after an edit are those that the pose gives, to the bit.
static void check_model(sinew_pose *pose, const sinew_affine *model) {
    size_t size = (size_t)pose->skeleton->node_count * sizeof *model;
    sinew_affine *expected = malloc(size);
    sinew_pose_to_model(pose, expected);
    assert_memory_equal(model, expected, size);
    free(expected);
}

static vec position_of(const sinew_affine *m) {
    return (vec){m->m[0][3], m->m[1][3], m->m[2][3]};
}

// A position turned about the vertical line through another one, in double.
static vec turned(vec p, vec about, double angle) {
    double x = p.x - about.x, z = p.z - about.z;
    return (vec){about.x + cos(angle) * x + sin(angle) * z, p.y, about.z + cos(angle) * z - sin(angle) * x};
}

// Without smoothing.
static void turn_at_once(const sinew_orientation_warp *warp, float angle, sinew_pose *pose, sinew_affine *model) {
    sinew_orientation_warp_state state = {0, 0};
    sinew_orientation_warp_solve(warp, angle, INFINITY, &state, pose, model);
}

static double largest_difference(const sinew_affine *a, const sinew_affine *b) {
    double most = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) most = fmax(most, fabs((double)a->m[i][j] - (double)b->m[i][j]));
    }
    return most;
}

// ---- Orientation warping -------------------------------------------------------------------------------------

static void test_torso_keeps_facing(void **state) {
    (void)state;
    static const char *const clips[] = {"Walk", "Run", "Attack", "WalkBack"};
    static const char *const kept[] = {"UpperChest", "Head", "Hand_L", "Hand_R"};
    double most = 0, most_foot = 0;
    for (int clip = 0; clip < 4; clip++) {
        for (int tenths = 0; tenths <= 10; tenths++) {
            for (int eighths = -4; eighths <= 4; eighths++) {
                const double time = 0.1 * tenths, angle = PI / 8 * eighths;
                show(clips[clip], time);
                turn_at_once(&h.warp, (float)angle, h.pose, h.model);
                check_model(h.pose, h.model);
                for (int i = 0; i < 4; i++) {
                    int32_t node = node_of(kept[i]);
                    most = fmax(most, largest_difference(&h.model[node], &h.before[node]));
                }
                vec hips = position_of(&h.before[h.warp.hips]);
                for (int i = 0; i < FOOT_COUNT; i++) {
                    vec expected = turned(position_of(&h.before[h.feet[i]]), hips, angle);
                    most_foot = fmax(most_foot, distance(position_of(&h.model[h.feet[i]]), expected));
                }
                check_near(distance(position_of(&h.model[h.warp.hips]), hips), 0, 0);
            }
        }
    }
    print_message("torso off by %.2g, feet by %.2g m\n", most, most_foot);
    assert_true(most < 3e-6 && most_foot < 3e-6);
}

// Each spine node takes an equal part.
static void test_spine_is_shared(void **state) {
    (void)state;
    show("Walk", 0.3);
    turn_at_once(&h.warp, 1.2f, h.pose, h.model);
    for (int i = 0; i < SPINE_NODES; i++) {
        sinew_affine at = h.model[h.warp.spine[i]], was = h.before[h.warp.spine[i]];
        sinew_quat turn = sinew_quat_multiply(sinew_affine_decompose(at).rotation,
                                              sinew_quat_conjugate(sinew_affine_decompose(was).rotation));
        check_near(angle_between(turn, about_y(1.2 * (1 - (i + 1) / 3.0))), 0, 3e-6);
    }
}

static void test_no_angle_keeps_the_bits(void **state) {
    (void)state;
    sinew_pose *copy;
    assert_int_equal(sinew_pose_create(h.skeleton, NULL, &copy), SINEW_OK);
    show("Run", 0.3);
    sinew_pose_copy(copy, h.pose);
    sinew_orientation_warp warp = h.warp;
    turn_at_once(&warp, 0, h.pose, h.model);
    turn_at_once(&warp, NAN, h.pose, h.model);
    warp.weight = 0;
    turn_at_once(&warp, 1, h.pose, h.model);
    for (int32_t i = 0; i < h.skeleton->node_count; i++) {
        sinew_transform a = sinew_pose_get(copy, i), b = sinew_pose_get(h.pose, i);
        assert_memory_equal(&a, &b, sizeof a);
    }
    sinew_pose_destroy(copy);
}

static double hips_turn(void) {
    sinew_quat turn =
        sinew_quat_multiply(sinew_affine_decompose(h.model[h.warp.hips]).rotation,
                            sinew_quat_conjugate(sinew_affine_decompose(h.before[h.warp.hips]).rotation));
    return 2 * atan2((double)turn.y, (double)turn.w);
}

static void test_limits_and_weight(void **state) {
    (void)state;
    sinew_orientation_warp warp = h.warp;
    show("Walk", 0.2);
    turn_at_once(&warp, 3, h.pose, h.model);
    check_near(hips_turn(), PI / 2, 1e-6);
    show("Walk", 0.2);
    warp.weight = 0.5f;
    turn_at_once(&warp, -1, h.pose, h.model);
    check_near(hips_turn(), -0.5, 1e-6);
}

// The critically damped spring in closed form, and the same at every rate.
static void test_follow(void **state) {
    (void)state;
    for (int rate = 30; rate <= 240; rate *= 2) {
        sinew_orientation_warp_state follow = {0, 0};
        for (int frame = 1; frame <= rate; frame++) {
            show("Walk", 0.2);
            sinew_orientation_warp_solve(&h.warp, 1, 1.0f / (float)rate, &follow, h.pose, h.model);
            double a = 10.0 * frame / rate;
            check_near(follow.angle, 1 - (1 + a) * exp(-a), 1e-4);
            check_near(hips_turn(), follow.angle, 2e-6);
        }
    }
    sinew_orientation_warp warp = h.warp;
    sinew_orientation_warp_state follow = {0, 0};
    warp.settle_time = 0;
    sinew_orientation_warp_solve(&warp, 9, 0.01f, &follow, h.pose, h.model);
    check_near(follow.angle, PI / 2, 1e-6);
}

static void test_angle_between_directions(void **state) {
    (void)state;
    sinew_vec3 up = {0, 1, 0};
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 20; k++) {
            const double a = -3 + 0.1 * i, b = -3 + 0.3 * k;
            sinew_vec3 from = {(float)(2 * sin(b)), 7, (float)(2 * cos(b))};
            sinew_vec3 to = {(float)(0.1 * sin(a + b)), -3, (float)(0.1 * cos(a + b))};
            check_near(sinew_orientation_warp_angle(from, to, up), a, 2e-5);
        }
    }
    check_near(sinew_orientation_warp_angle((sinew_vec3){0, 1, 0}, (sinew_vec3){0, 0, 1}, up), 0, 0);
    check_near(sinew_orientation_warp_angle((sinew_vec3){1, 0, 0}, (sinew_vec3){0, 0, 0}, up), 0, 0);
    check_near(sinew_orientation_warp_angle((sinew_vec3){NAN, 0, 0}, (sinew_vec3){0, 0, 1}, up), 0, 0);
}

// Under ancestors that turn, scale and mirror.
static void test_orientation_below_ancestors(void **state) {
    (void)state;
    sinew_transform top = {{1, 2, 3}, about_x(-PI / 2), {-2, 2, 2}};
    sinew_skeleton *skeleton = make_runner(top);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    sinew_affine model[RUNNER_NODES], before[RUNNER_NODES];
    sinew_pose_to_model(pose, before);
    sinew_pose_to_model(pose, model);
    sinew_orientation_warp warp = sinew_orientation_warp_default();
    warp.hips = HIPS;
    warp.spine_count = 1;
    warp.spine[0] = THIGH_L; // as a spine
    turn_at_once(&warp, 0.7f, pose, model);
    vec hips = position_of(&before[HIPS]);
    check_near(distance(position_of(&model[FOOT_R]), turned(position_of(&before[FOOT_R]), hips, 0.7)), 0, 1e-5);
    check_near(largest_difference(&model[THIGH_L], &before[THIGH_L]), 0, 1e-5);
    check_near(largest_difference(&model[TOES_L], &before[TOES_L]), 0, 1e-5);
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(skeleton);
}

// ---- Stride warping ------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clip;
    sinew_pose *pose;
    sinew_foot legs[2];
    sinew_stride_warp warp;
    sinew_stride_warp_state state;
    sinew_affine model[RUNNER_NODES];
} stage;

static stage make_stage(gait g) {
    stage s = {.skeleton = make_runner(sinew_transform_identity())};
    g.in_place = true;
    s.clip = make_gait(s.skeleton, &g, true);
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &s.pose), SINEW_OK);
    make_legs(s.skeleton, false, s.legs);
    s.warp = sinew_stride_warp_default();
    s.warp.pelvis = HIPS;
    s.warp.foot_count = 2;
    return s;
}

static void free_stage(stage *s) {
    sinew_pose_destroy(s->pose);
    sinew_clip_destroy(s->clip);
    sinew_skeleton_destroy(s->skeleton);
}

static void solve(stage *s, double time, double scale, double dt) {
    s->warp.feet = s->legs;
    sinew_clip_sample(s->clip, (float)(time - floor(time / s->clip->duration) * s->clip->duration), s->pose);
    sinew_pose_to_model(s->pose, s->model);
    sinew_stride_warp_solve(&s->warp, (float)scale, (float)dt, &s->state, s->pose, s->model);
    check_model(s->pose, s->model);
}

// A character that moves at the scale times the clip's speed: feet on the ground stay, and the others are where the formula
// says, its distance from the hips scaled.
static void test_planted_feet_stay(void **state) {
    (void)state;
    const gait *gaits[2] = {&walk_gait, &run_gait};
    double fastest = 0, most = 0, deepest = 0;
    for (int g = 0; g < 2; g++) {
        stage s = make_stage(*gaits[g]);
        for (int eighths = 4; eighths <= 12; eighths++) {
            const double scale = 0.125 * eighths, dt = 1.0 / 240;
            vec last[2] = {{0}};
            for (int frame = 0; frame < 960; frame++) {
                double time = frame * dt;
                solve(&s, time, scale, dt);
                if (frame < 480) continue; // the pelvis sinks
                deepest = fmax(deepest, hip_height - s.model[HIPS].m[1][3]);
                for (int i = 0; i < 2; i++) {
                    vec foot = foot_from_hips(gaits[g], time, i), now = position_of(&s.model[i ? FOOT_R : FOOT_L]);
                    vec expected = {i ? -half_width : half_width, foot.y, scale * foot.z};
                    most = fmax(most, distance(now, expected));
                    now.z += scale * gaits[g]->speed * time;
                    bool down = is_down(gaits[g], time, i) && is_down(gaits[g], time - dt, i);
                    if (frame > 480 && down) fastest = fmax(fastest, level_distance(now, last[i]) / dt);
                    last[i] = now;
                }
            }
        }
        free_stage(&s);
    }
    print_message("feet off by %.2g m, planted ones move at %.2g m/s; hips sink by %.3f m\n", most, fastest,
                  deepest);
    assert_true(most < 2e-3); // between keys
    assert_true(fastest <= 0.02);
    assert_true(deepest > 0.01 && deepest < 0.3);
}

// Without a pelvis a leg that cannot reach stays short; with one it reaches.
static void test_pelvis(void **state) {
    (void)state;
    stage s = make_stage(walk_gait);
    s.warp.pelvis_time = 0; // without damping
    solve(&s, 0, 1.5, 0);   // the left foot is ahead
    vec with = position_of(&s.model[FOOT_L]);
    double goal = 1.5 * foot_from_hips(&walk_gait, 0, 0).z;
    check_near(with.z, goal, 1e-4);
    assert_true(s.model[HIPS].m[1][3] < hip_height - 0.01);
    s.warp.pelvis = SINEW_NO_NODE;
    solve(&s, 0, 1.5, 0);
    assert_true(position_of(&s.model[FOOT_L]).z < goal);
    check_near(s.model[HIPS].m[1][3], hip_height, 1e-6);
    free_stage(&s);
}

// The pelvis sinks over the first steps and then stays low: it moves hardly more than in the clip, where it does not move.
// It comes back with the scale.
static void test_pelvis_does_not_bob(void **state) {
    (void)state;
    for (int rate = 60; rate <= 240; rate *= 4) {
        stage s = make_stage(run_gait);
        double before = hip_height, before_speed = 0, sinking = 0, bobbing = 0, jump = 0;
        for (int frame = 0; frame < 4 * rate; frame++) {
            double time = (double)frame / rate, scale = time < 0.4 ? 1 + 0.75 * time : 1.3;
            solve(&s, time, scale, 1.0 / rate);
            double now = s.model[HIPS].m[1][3], speed = (now - before) * rate;
            if (time > 1.5) bobbing = fmax(bobbing, fabs(speed));
            if (frame > 0) jump = fmax(jump, fabs(speed - before_speed) * rate / 240);
            sinking = fmax(sinking, fabs(speed)), before = now, before_speed = speed;
        }
        double low = hip_height - before;
        for (int frame = 0; frame < 2 * rate; frame++) solve(&s, 4 + (double)frame / rate, 1, 1.0 / rate);
        print_message(
            "%d Hz: sinks by %.3f m at up to %.2f m/s, then moves at %.3f m/s; jumps of %.3f m/s in 1/240 s\n",
            rate, low, sinking, bobbing, jump);
        assert_true(low > 0.02 && sinking < 1 && bobbing < 0.15 && jump < 0.1);
        check_near(s.model[HIPS].m[1][3], hip_height, 1e-6);
        assert_true(s.state.lowered == 0 && s.state.needed == 0);
        free_stage(&s);
    }
}

static void test_stride_that_changes_nothing(void **state) {
    (void)state;
    stage s = make_stage(run_gait);
    sinew_affine expected[RUNNER_NODES];
    sinew_clip_sample(s.clip, 0.3f, s.pose);
    sinew_pose_to_model(s.pose, expected);
    static const double scales[] = {1, (double)NAN, 1.4, 1.4};
    for (int i = 0; i < 4; i++) {
        if (i == 2) s.warp.weight = 0;
        if (i == 3) s.warp.weight = 1, s.warp.direction = (sinew_vec3){0, 2, 0};
        solve(&s, 0.3, scales[i], 0.01);
        assert_memory_equal(s.model, expected, sizeof expected);
    }
    // Close to 1, the pose is also close.
    s.warp.direction = (sinew_vec3){0, 0, 1};
    solve(&s, 0.3, 1.0001, 1);
    for (int i = 0; i < RUNNER_NODES; i++) {
        check_near(distance(position_of(&s.model[i]), position_of(&expected[i])), 0, 2e-4);
    }
    free_stage(&s);
}

static void test_scale_is_limited(void **state) {
    (void)state;
    static const double pairs[][2] = {{9, 1.5}, {0.1, 0.5}, {-INFINITY, 0.5}};
    stage s = make_stage(walk_gait);
    for (int i = 0; i < 3; i++) {
        sinew_affine beyond[RUNNER_NODES];
        s.state = (sinew_stride_warp_state){0};
        solve(&s, 0.3, pairs[i][0], 0.01);
        memcpy(beyond, s.model, sizeof beyond);
        s.state = (sinew_stride_warp_state){0};
        solve(&s, 0.3, pairs[i][1], 0.01);
        assert_memory_equal(s.model, beyond, sizeof beyond);
    }
    free_stage(&s);
}

// ---- With a blend space --------------------------------------------------------------------------------------

// Faster than the run and its largest playback rate: the strides do the rest.
static void test_stride_of_a_blend_space(void **state) {
    (void)state;
    stage s = make_stage(run_gait);
    gait walk = walk_gait;
    walk.in_place = true;
    sinew_clip *slow = make_gait(s.skeleton, &walk, true);
    sinew_blend_sample samples[2] = {{slow, 1.4f, 0, 1}, {s.clip, 3.6f, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s.skeleton, def.samples = samples, def.sample_count = 2, def.match_speed = true;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    const double wished = 5.4, rate = 240;
    sinew_blend_stride stride = sinew_blend_space_stride(space, (float)wished, 0);
    check_near(stride.length, wished / (3.6 * 1.25), 1e-5);
    sinew_mixer_def mixer_def = sinew_mixer_default();
    mixer_def.skeleton = s.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&mixer_def, &mixer, NULL), SINEW_OK);
    sinew_action action = sinew_mixer_play(mixer, sinew_blend_space_source(space, (float)wished, 0), NULL);
    s.warp.feet = s.legs;
    double fastest = 0;
    long planted = 0;
    vec last[2] = {{0}};
    bool down_before[2] = {false, false};
    for (int frame = 0; frame < 960; frame++) {
        sinew_mixer_advance(mixer, (float)(1 / rate));
        sinew_mixer_evaluate(mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_pose_to_model(pose, s.model);
        sinew_stride_warp_solve(&s.warp, stride.length, (float)(1 / rate), &s.state, pose, s.model);
        for (int i = 0; i < 2; i++) {
            vec now = position_of(&s.model[i ? FOOT_R : FOOT_L]);
            bool down = is_down(&run_gait, sinew_action_time(mixer, action), i);
            now.z += wished * frame / rate;
            if (frame > 480 && down && down_before[i])
                fastest = fmax(fastest, level_distance(now, last[i]) * rate), planted++;
            last[i] = now, down_before[i] = down;
        }
    }
    print_message("a blend space at %.1f m/s: planted feet slide at %.3f m/s at most\n", wished, fastest);
    assert_true(planted > 100 && fastest <= 0.02);
    sinew_mixer_destroy(mixer);
    sinew_blend_space_destroy(space);
    sinew_clip_destroy(slow);
    free_stage(&s);
}

// ---- On a slope ----------------------------------------------------------------------------------------------

static bool slope(sinew_vec3 point, sinew_foot_ground *ground, void *user) {
    (void)user;
    *ground = (sinew_foot_ground){0.3f * point.z, sinew_vec3_normalize((sinew_vec3){0, 1, -0.3f})};
    return true;
}

// Foot placement after a stride warp: soles that are on the ground in the clip are on the slope, and none is below it.
static void test_stride_on_a_slope(void **state) {
    (void)state;
    stage s = make_stage(walk_gait);
    sinew_foot_placement placement = sinew_foot_placement_default();
    sinew_foot_placement_state feet = {.started = false};
    placement.pelvis = HIPS, placement.feet = s.legs, placement.foot_count = 2, placement.ground = slope;
    double lowest = 1, highest = -1;
    for (int frame = 0; frame < 240; frame++) {
        double time = frame / 60.0;
        solve(&s, time, 1.3, 1.0 / 60);
        sinew_foot_placement_solve(&placement, 1.0f / 60, &feet, s.pose, s.model);
        for (int i = 0; i < 2; i++) {
            vec foot = position_of(&s.model[i ? FOOT_R : FOOT_L]);
            double above = foot.y - 0.3 * foot.z;
            lowest = fmin(lowest, above);
            if (frame > 30 && is_down(&walk_gait, time, i)) highest = fmax(highest, above);
        }
    }
    print_message("on a slope: soles at %.4f to %.4f m\n", lowest, highest);
    assert_true(lowest > -2e-3 && highest < 0.02); // the pelvis comes down in the first strides
    free_stage(&s);
}

// ---- Locked feet ---------------------------------------------------------------------------------------------

typedef struct slides {
    double sum, most;
    double count;
} slides;

// A walk with a warped root, over two of its cycles, to a goal further ahead, to the side and turned. How fast do
// planted feet on the ground slide in the world?
static slides slide(double ahead, double aside, double turn, bool locked, int rate) {
    sinew_skeleton *skeleton = make_runner(sinew_transform_identity());
    sinew_clip *clip = make_gait(skeleton, &walk_gait, true);
    sinew_root_motion_def motion = sinew_root_motion_default();
    motion.skeleton = skeleton, motion.node = HIPS;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton, def.root_motion = &motion;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
    sinew_root_warp_def warp_def = sinew_root_warp_default();
    warp_def.clip = clip, warp_def.root_motion = &motion;
    warp_def.start = 0.1f, warp_def.end = 1.1f;

    sinew_foot legs[2];
    make_legs(skeleton, false, legs);
    sinew_foot_lock lock = sinew_foot_lock_default();
    lock.feet = legs, lock.foot_count = 2, lock.weight = locked ? 1.0f : 0.0f;
    sinew_foot_lock_state feet = {0};
    sinew_root_warp_transform here = {{0, 0, 0}, {0, 0, 0, 1}};
    sinew_root_warp warp = {0};
    sinew_affine model[RUNNER_NODES];
    slides all = {0, 0, 0};
    vec last[2] = {{0}};
    bool down_before[2] = {false, false};
    for (int frame = 0; frame < 3 * rate; frame++) {
        float dt = 1.0f / (float)rate, before = sinew_action_time(mixer, action);
        if (frame == 0 || before < dt) { // each cycle has its own warp
            sinew_root_warp_transform goal = here;
            sinew_vec3 far = {(float)aside, 0, (float)(walk_gait.speed * (double)(1.1f - before) + ahead)};
            goal.position = sinew_vec3_add(goal.position, sinew_quat_rotate(here.facing, far));
            goal.facing = sinew_quat_multiply(here.facing, about_y(turn));
            assert_int_equal(sinew_root_warp_begin(&warp_def, before, here, goal, &warp, NULL), SINEW_OK);
        }
        sinew_mixer_advance(mixer, dt);
        sinew_mixer_evaluate(mixer);
        float after = before + dt; // also into the next loop
        sinew_root_delta delta = sinew_root_warp_delta(&warp_def, &warp, before, after);
        here.position = sinew_vec3_add(here.position, sinew_quat_rotate(here.facing, delta.translation));
        here.facing = sinew_quat_normalize(sinew_quat_multiply(here.facing, delta.rotation));
        sinew_affine world = sinew_affine_from_transform((sinew_transform){here.position, here.facing, {1, 1, 1}});
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_pose_to_model(pose, model);
        double time = sinew_action_time(mixer, action);
        float contacts[2];
        bool down[2];
        for (int i = 0; i < 2; i++) down[i] = is_down(&walk_gait, time, i), contacts[i] = down[i] ? 1.0f : 0.0f;
        sinew_foot_lock_solve(&lock, &world, contacts, dt, &feet, pose, model);
        for (int i = 0; i < 2; i++) {
            vec now = vec_of(sinew_affine_point(world, (sinew_vec3){model[i ? FOOT_R : FOOT_L].m[0][3],
                                                                    model[i ? FOOT_R : FOOT_L].m[1][3],
                                                                    model[i ? FOOT_R : FOOT_L].m[2][3]}));
            bool low = now.y < 0.02 && last[i].y < 0.02;
            if (frame > 0 && down[i] && down_before[i] && low) {
                double speed = level_distance(now, last[i]) * rate;
                all.sum += speed, all.most = fmax(all.most, speed), all.count++;
            }
            last[i] = now, down_before[i] = down[i];
        }
    }
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    return all;
}

static void test_locked_feet_do_not_slide(void **state) {
    (void)state;
    static const double goals[][3] = {{0.3, 0, 0}, {-0.3, 0, 0}, {0, 0.3, 0}, {0.1, 0.1, 0.5}, {0, 0, -0.6}};
    for (int i = 0; i < 5; i++) {
        for (int rate = 60; rate <= 240; rate *= 4) {
            slides free = slide(goals[i][0], goals[i][1], goals[i][2], false, rate);
            slides locked = slide(goals[i][0], goals[i][1], goals[i][2], true, rate);
            print_message(
                "%+.1f m ahead, %+.1f aside, %+.1f rad, %d Hz: %.3f m/s free, %.4f locked, at most %.3f\n",
                goals[i][0], goals[i][1], goals[i][2], rate, free.sum / free.count, locked.sum / locked.count,
                locked.most);
            assert_true(free.sum / free.count > 0.05);
            assert_true(locked.sum / locked.count <= 0.02);
            assert_true(locked.count > free.count / 2);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torso_keeps_facing),
        cmocka_unit_test(test_spine_is_shared),
        cmocka_unit_test(test_no_angle_keeps_the_bits),
        cmocka_unit_test(test_limits_and_weight),
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_angle_between_directions),
        cmocka_unit_test(test_orientation_below_ancestors),
        cmocka_unit_test(test_scale_is_limited),
        cmocka_unit_test(test_planted_feet_stay),
        cmocka_unit_test(test_pelvis),
        cmocka_unit_test(test_pelvis_does_not_bob),
        cmocka_unit_test(test_stride_that_changes_nothing),
        cmocka_unit_test(test_stride_of_a_blend_space),
        cmocka_unit_test(test_stride_on_a_slope),
        cmocka_unit_test(test_locked_feet_do_not_slide),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
