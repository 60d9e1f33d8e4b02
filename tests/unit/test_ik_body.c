// SPDX-License-Identifier: MIT
// Whole bodies: reachable targets, pinned feet, pull, stiffness, limits, scenes and snapshots.
#include "support/chain_rig.h"

// ---- A body --------------------------------------------------------------------------------------------------

// An ancestor, hips, a spine of three, a head, two arms and two legs; fingers and toes below hands and feet.
enum {
    TOP_NODE,
    HIPS,
    SPINE,
    CHEST,
    NECK,
    HEAD,
    ARM_L,
    ELBOW_L,
    HAND_L,
    FINGER_L,
    ARM_R,
    ELBOW_R,
    HAND_R,
    LEG_L,
    KNEE_L,
    FOOT_L,
    TOE_L,
    LEG_R,
    KNEE_R,
    FOOT_R,
    BODY_NODES
};

static const int32_t parents[BODY_NODES] = {-1,    TOP_NODE, HIPS,   SPINE, CHEST, NECK,    CHEST,
                                            ARM_L, ELBOW_L,  HAND_L, CHEST, ARM_R, ELBOW_R, HIPS,
                                            LEG_L, KNEE_L,   FOOT_L, HIPS,  LEG_R, KNEE_R};

static const sinew_vec3 offsets[BODY_NODES] = {
    {0, 0, 0},          {0, 0.9f, 0},        {0, 0.12f, 0},      {0, 0.15f, 0},      {0, 0.25f, 0},
    {0, 0.1f, 0.02f},   {0.18f, 0.18f, 0},   {0.27f, 0, -0.02f}, {0.25f, 0, 0.02f},  {0.1f, 0, 0},
    {-0.18f, 0.18f, 0}, {-0.27f, 0, -0.02f}, {-0.25f, 0, 0.02f}, {0.1f, -0.05f, 0},  {0, -0.41f, 0.02f},
    {0, -0.4f, -0.02f}, {0, -0.04f, 0.1f},   {-0.1f, -0.05f, 0}, {0, -0.41f, 0.02f}, {0, -0.4f, -0.02f}};

enum { HANDS_AND_FEET = 4, EFFECTORS = 6 };
static const int32_t effector_nodes[EFFECTORS] = {HAND_L, HAND_R, FOOT_L, FOOT_R, HEAD, HIPS};

typedef struct body {
    sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine model[BODY_NODES];
    sinew_ik_effector effectors[EFFECTORS];
    sinew_ik_body def;
    double size;
} body;

static void body_to_model(body *b) {
    sinew_pose_to_model(b->pose, b->model);
}

static place at_node(const body *b, int32_t node) {
    return place_of(&b->model[node]);
}

static body make_body(above kind, uint64_t *seed) {
    body b = {0};
    sinew_node_def nodes[BODY_NODES];
    for (int i = 0; i < BODY_NODES; i++)
        nodes[i] = (sinew_node_def){.parent = parents[i], .rest = {offsets[i], {0, 0, 0, 1}, {1, 1, 1}}};
    nodes[TOP_NODE].rest.scale = scale_above(kind, seed);
    nodes[TOP_NODE].rest.rotation = kind == ABOVE_NOT ? (sinew_quat){0, 0, 0, 1} : random_quat(seed);
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = BODY_NODES, def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &b.skeleton, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(b.skeleton, NULL, &b.pose), SINEW_OK);
    body_to_model(&b);
    b.size = distance(at_node(&b, HIPS), at_node(&b, FOOT_L));
    for (int i = 0; i < EFFECTORS; i++) {
        b.effectors[i] = sinew_ik_effector_default();
        b.effectors[i].node = effector_nodes[i];
        b.effectors[i].target = narrow(at_node(&b, effector_nodes[i]));
    }
    b.def = sinew_ik_body_default();
    b.def.root = HIPS;
    b.def.effector_count = HANDS_AND_FEET;
    return b;
}

// The definition points at the effectors of the body, which is returned by value.
static void solve_body(body *b) {
    b->def.effectors = b->effectors;
    sinew_ik_body_solve(&b->def, b->pose, b->model);
    body_to_model(b);
}

static void free_body(body *b) {
    sinew_pose_destroy(b->pose);
    sinew_skeleton_destroy(b->skeleton);
}

static void reset_body(body *b) {
    sinew_pose_reset(b->pose);
    body_to_model(b);
}

static double miss(const body *b, int effector) {
    return distance(at_node(b, effector_nodes[effector]), wide(b->effectors[effector].target));
}

// Rotates all nodes, bends elbows and knees, and moves the hips.
static void pose_at_random(body *b, float amount, uint64_t *seed) {
    for (int32_t n = SPINE; n < BODY_NODES; n++) {
        sinew_transform t = sinew_pose_get(b->pose, n);
        t.rotation = quat_of(turn_about(random_direction(seed), random_float(seed, 0, amount)));
        if (n == ELBOW_L || n == ELBOW_R) t.rotation = about_y((n == ELBOW_L ? -1.0 : 1.0) * (double)amount);
        if (n == KNEE_L || n == KNEE_R) t.rotation = about_x((double)amount);
        sinew_pose_set(b->pose, n, t);
    }
    sinew_transform hips = sinew_pose_get(b->pose, HIPS);
    hips.translation.y -= 0.3f * amount, hips.translation.z += random_float(seed, -0.1f, 0.1f);
    sinew_pose_set(b->pose, HIPS, hips);
    body_to_model(b);
}

// ---- Reaching ------------------------------------------------------------------------------------------------

// Hands and feet go to where another pose of the body has them.
static void test_reachable_targets_are_reached(void **state) {
    (void)state;
    uint64_t seed = 1;
    enum { POSES = 2000 };
    int missed = 0;
    double worst = 0.0;
    for (int i = 0; i < POSES; i++) {
        body b = make_body((above)(i % ABOVE_KINDS), &seed);
        pose_at_random(&b, random_float(&seed, 0.2f, 0.8f), &seed);
        for (int e = 0; e < HANDS_AND_FEET; e++) b.effectors[e].target = narrow(at_node(&b, effector_nodes[e]));
        reset_body(&b);
        solve_body(&b);
        double off = 0.0;
        for (int e = 0; e < HANDS_AND_FEET; e++) off = fmax(off, miss(&b, e) / b.size);
        missed += off > 1e-3;
        worst = fmax(worst, off);
        free_body(&b);
    }
    print_message("%d of %d poses missed by more than 1e-3 of the legs' length, the worst by %.2g\n", missed, POSES,
                  worst);
    assert_true(missed == 0);
}

static void test_pinned_feet_stay(void **state) {
    (void)state;
    uint64_t seed = 2;
    double moved = 0.0, turned_by = 0.0;
    for (int i = 0; i < 500; i++) {
        body b = make_body(ABOVE_NOT, &seed);
        pose_at_random(&b, 0.6f, &seed);
        place feet[2] = {at_node(&b, FOOT_L), at_node(&b, FOOT_R)};
        place toe = direction(&b.model[FOOT_L], (place){0, 0, 1});
        b.effectors[2].pin = b.effectors[3].pin = true;
        b.effectors[2].target = (sinew_vec3){NAN, 0, 0}; // ignored
        for (int e = 0; e < 2; e++) {
            place by = plus((place){0, 0, 0}, random_direction(&seed), random_float(&seed, 0, 0.5f));
            b.effectors[e].target = narrow(plus(at_node(&b, effector_nodes[e]), by, 1.0));
        }
        solve_body(&b);
        moved = fmax(moved, fmax(distance(feet[0], at_node(&b, FOOT_L)), distance(feet[1], at_node(&b, FOOT_R))));
        turned_by = fmax(turned_by, angle_of(toe, direction(&b.model[FOOT_L], (place){0, 0, 1})));
        free_body(&b);
    }
    print_message("pinned feet move by at most %.2g m and %.2g rad\n", moved, turned_by);
    assert_true(moved < 5e-4 && turned_by < 1e-5);
}

// Effectors' rotations: a hand's, which its node takes, and the hips', which everything else depends on.
static void test_rotations(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 200; i++) {
        body b = make_body(i % 2 ? ABOVE_MIRRORED : ABOVE_EVEN, &seed);
        b.def.effector_count = EFFECTORS;
        b.effectors[2].pin = b.effectors[3].pin = true;
        sinew_affine other = sinew_affine_from_transform(
            (sinew_transform){{0, 0, 0}, quat_of(turn_about(random_direction(&seed), 0.3)), {1, 1, 1}});
        b.effectors[5].rotation = sinew_affine_decompose(sinew_affine_multiply(b.model[HIPS], other)).rotation;
        b.effectors[0].rotation = sinew_affine_decompose(sinew_affine_multiply(b.model[HAND_L], other)).rotation;
        b.effectors[5].rotation_weight = b.effectors[0].rotation_weight = 1.0f;
        solve_body(&b);
        sinew_quat hips = sinew_affine_decompose(b.model[HIPS]).rotation;
        sinew_quat hand = sinew_affine_decompose(b.model[HAND_L]).rotation;
        assert_true(angle_between(hand, b.effectors[0].rotation) < 1e-4);
        assert_true(angle_between(hips, b.effectors[5].rotation) < 0.1);
        free_body(&b);
    }
}

static void test_weights_of_effectors(void **state) {
    (void)state;
    uint64_t seed = 4;
    body b = make_body(ABOVE_NOT, &seed);
    place hand = at_node(&b, HAND_L), by = {-0.1, 0.1, 0.15};
    b.effectors[2].pin = b.effectors[3].pin = true;
    b.effectors[0].target = narrow(plus(hand, by, 1.0));
    b.effectors[0].position_weight = 0.5f;
    solve_body(&b);
    assert_true(distance(at_node(&b, HAND_L), plus(hand, by, 0.5)) < 1e-3);
    free_body(&b);
}

// Without pull only the arm moves.
static void test_pull(void **state) {
    (void)state;
    uint64_t seed = 5;
    body b = make_body(ABOVE_NOT, &seed);
    place hand = at_node(&b, HAND_L);
    b.effectors[0].target = narrow(plus(hand, (place){-0.15, 0.1, 0.15}, 1.0));
    sinew_ik_body keep = b.def;
    solve_body(&b);
    double with = angle_between(sinew_pose_get(b.pose, CHEST).rotation, (sinew_quat){0, 0, 0, 1});
    reset_body(&b);
    b.def = keep, b.effectors[0].pull = 0.0f;
    solve_body(&b);
    double without = angle_between(sinew_pose_get(b.pose, CHEST).rotation, (sinew_quat){0, 0, 0, 1});
    assert_true(with > 0.01 && without < 1e-3 && miss(&b, 0) < 1e-4);
    free_body(&b);
}

static void test_stiffness_and_limits(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 300; i++) {
        body b = make_body((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_limit joints[5];
        const int32_t nodes[5] = {SPINE, KNEE_L, ELBOW_L, ARM_R, CHEST};
        for (int k = 0; k < 5; k++) joints[k] = sinew_ik_limit_from_rest(b.skeleton, nodes[k], nodes[k] + 1);
        joints[0].stiffness = 1.0f;
        joints[1].kind = SINEW_IK_LIMIT_HINGE, joints[1].axis = (sinew_vec3){1, 0, 0};
        joints[1].angle_min = 0, joints[1].angle_max = 2;
        joints[2].kind = SINEW_IK_LIMIT_HINGE, joints[2].axis = (sinew_vec3){0, 1, 0};
        joints[2].angle_min = -2, joints[2].angle_max = 0;
        joints[3].kind = SINEW_IK_LIMIT_CONE, joints[3].cone = 0.5f, joints[3].angle_min = -0.2f;
        joints[3].angle_max = 0.3f;
        joints[4].kind = SINEW_IK_LIMIT_CONE, joints[4].cone = 0.2f, joints[4].angle_min = joints[4].angle_max = 0;
        b.def.limits = joints, b.def.limit_count = 5;
        b.def.root_stiffness = 1.0f;
        sinew_transform hips = sinew_pose_get(b.pose, HIPS);
        for (int e = 0; e < HANDS_AND_FEET; e++) {
            place p = plus(at_node(&b, effector_nodes[e]), random_direction(&seed), random_float(&seed, 0, 0.6f));
            b.effectors[e].target = narrow(p);
        }
        solve_body(&b);
        assert_true(angle_between(sinew_pose_get(b.pose, SPINE).rotation, (sinew_quat){0, 0, 0, 1}) == 0.0);
        for (int k = 1; k < 5; k++)
            assert_true(outside(&joints[k], sinew_pose_get(b.pose, nodes[k]).rotation) < 1e-5);
        sinew_vec3 still = sinew_pose_get(b.pose, HIPS).translation;
        check_vec3(still, hips.translation.x, hips.translation.y, hips.translation.z, 0.0);
        free_body(&b);
    }
}

// ---- Speeds --------------------------------------------------------------------------------------------------

static void bend_knees(body *b) {
    reset_body(b);
    sinew_transform knee = sinew_pose_get(b->pose, KNEE_L);
    knee.rotation = about_x(0.3);
    sinew_pose_set(b->pose, KNEE_L, knee), sinew_pose_set(b->pose, KNEE_R, knee);
    body_to_model(b);
}

// Two hands circle, from over the head to below the knees; the feet are pinned.
static void test_smooth_targets_give_smooth_joints(void **state) {
    (void)state;
    enum { FRAMES = 1000 };
    uint64_t seed = 7;
    body b = make_body(ABOVE_NOT, &seed);
    place before[BODY_NODES], hand_before = {0, 0, 0};
    double fastest = 0.0, hand_fastest = 0.0;
    b.effectors[2].pin = b.effectors[3].pin = true;
    for (int frame = 0; frame <= FRAMES; frame++) {
        double a = 2.0 * PI * frame / FRAMES;
        bend_knees(&b);
        place hand = {0.2, 1.1 + 0.55 * cos(a), 0.35 + 0.15 * sin(2.0 * a)};
        b.effectors[0].target = narrow(hand);
        b.effectors[1].target = narrow((place){-hand.x, hand.y, hand.z});
        b.effectors[2].target = b.effectors[3].target = (sinew_vec3){0, 0, 0};
        solve_body(&b);
        for (int n = 0; n < BODY_NODES; n++) {
            if (frame > 0) fastest = fmax(fastest, distance(before[n], at_node(&b, n)));
            before[n] = at_node(&b, n);
        }
        if (frame > 0) hand_fastest = fmax(hand_fastest, distance(hand, hand_before));
        hand_before = hand;
    }
    print_message("a joint moves at most %.2f times as fast as the hands\n", fastest / hand_fastest);
    assert_true(fastest < 3.0 * hand_fastest);
    free_body(&b);
}

// The chest is pulled to places that it can and can't reach; the feet are pinned. No joint jumps on the way.
static void test_targets_out_of_reach_are_followed_smoothly(void **state) {
    (void)state;
    enum { PLACES = 40, STEPS = 400 };
    uint64_t seed = 11;
    body b = make_body(ABOVE_NOT, &seed);
    b.effectors[0].node = CHEST, b.effectors[2].pin = b.effectors[3].pin = true;
    b.effectors[1] = b.effectors[3], b.def.effector_count = 3;
    double worst = 0.0;
    for (int k = 0; k < PLACES; k++) {
        place from = {0}, last[BODY_NODES] = {0}, moved[BODY_NODES] = {0};
        place way = {random_float(&seed, -0.5f, 0.5f), random_float(&seed, -0.5f, 0.4f),
                     random_float(&seed, -0.5f, 0.5f)};
        for (int frame = 0; frame <= STEPS; frame++) {
            bend_knees(&b);
            if (frame == 0) from = at_node(&b, CHEST);
            b.effectors[0].target = narrow(plus(from, way, (double)frame / STEPS));
            solve_body(&b);
            for (int n = 0; n < BODY_NODES; n++) {
                place now = at_node(&b, n);
                place step = {now.x - last[n].x, now.y - last[n].y, now.z - last[n].z};
                if (frame > 1) worst = fmax(worst, distance(step, moved[n]));
                last[n] = now, moved[n] = step;
            }
        }
    }
    print_message("a joint's step changes by at most %.1f mm\n", 1e3 * worst);
    assert_true(worst < 0.02);
    free_body(&b);
}

// ---- Weights, input without a solution -----------------------------------------------------------------------

static bool has_rest_bits(const body *b) {
    sinew_pose *rest;
    assert_int_equal(sinew_pose_create(b->skeleton, NULL, &rest), SINEW_OK);
    size_t size = BODY_NODES * sizeof(float);
    bool same = !memcmp(b->pose->rx, rest->rx, size) && !memcmp(b->pose->rw, rest->rw, size) &&
                !memcmp(b->pose->ty, rest->ty, size) && !memcmp(b->pose->tz, rest->tz, size);
    sinew_pose_destroy(rest);
    return same;
}

static void test_weight_and_bad_input_leave_the_pose(void **state) {
    (void)state;
    uint64_t seed = 8;
    body b = make_body(ABOVE_NOT, &seed);
    b.effectors[0].target.y += 0.2f;
    b.def.weight = 0.0f, solve_body(&b);
    assert_true(has_rest_bits(&b));
    b.def.weight = NAN, solve_body(&b);
    assert_true(has_rest_bits(&b));
    b.def.weight = 1.0f;
    b.def.effector_count = 0, solve_body(&b);
    assert_true(has_rest_bits(&b));
    b.def.effector_count = HANDS_AND_FEET;
    b.effectors[1].target.x = NAN, solve_body(&b);
    assert_true(has_rest_bits(&b));
    b.effectors[1].target.x = INFINITY, solve_body(&b);
    assert_true(has_rest_bits(&b));
    b.effectors[1].target = narrow(at_node(&b, HAND_R));
    b.effectors[1].rotation_weight = 1.0f, b.effectors[1].rotation = (sinew_quat){0, 0, 0, 0}, solve_body(&b);
    assert_true(has_rest_bits(&b));
    b.effectors[1].rotation_weight = 0.0f;
    sinew_affine model[BODY_NODES];
    memcpy(model, b.model, sizeof model);
    model[TOP_NODE].m[0][0] = NAN;
    sinew_ik_body_solve(&b.def, b.pose, model);
    assert_true(has_rest_bits(&b));
    solve_body(&b);
    assert_false(has_rest_bits(&b));
    reset_body(&b);
    b.effectors[0].target = narrow(at_node(&b, HAND_L)); // all targets are where the nodes are
    solve_body(&b);
    assert_true(has_rest_bits(&b));
    free_body(&b);
}

// ---- Scenes, snapshots, recordings ---------------------------------------------------------------------------

enum { FRAMES = 20 };

static const sinew_clip *waving(const sinew_skeleton *skeleton, sinew_clip **clip) {
    static const float times[3] = {0, 0.5f, 1};
    static const float keys[12] = {0, 0, 0, 1, 0, 0, 0.4f, 0.9165151f, 0, 0, 0, 1};
    sinew_channel_def channel = {.node = ARM_L,
                                 .target = SINEW_TARGET_ROTATION,
                                 .interpolation = SINEW_INTERPOLATION_LINEAR,
                                 .key_count = 3,
                                 .times = times,
                                 .values = keys};
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton, def.name = "Wave", def.channels = &channel, def.channel_count = 1;
    assert_int_equal(sinew_clip_create(&def, clip, NULL), SINEW_OK);
    return *clip;
}

static void solve_frame(sinew_mixer *mixer, body *b, int frame) {
    sinew_mixer_advance(mixer, 0.05f);
    sinew_mixer_evaluate(mixer);
    sinew_pose *pose = sinew_mixer_edit_pose(mixer);
    sinew_pose_to_model(pose, b->model);
    b->effectors[1].target = (sinew_vec3){-0.3f, 1.0f + 0.02f * (float)frame, 0.3f};
    sinew_ik solver = {.kind = SINEW_IK_BODY, .body = b->def};
    solver.body.effectors = b->effectors;
    sinew_ik_solve(&solver, 1, pose, b->model);
}

// Snapshots of the mixer are enough: the solvers have no state. The recording replays the mixer's poses, and solving on
// them gives the same matrices.
typedef struct tape {
    unsigned char bytes[1 << 16];
    size_t size;
} tape;

static void write_tape(const void *bytes, size_t size, void *user) {
    tape *t = user;
    assert_true(t->size + size <= sizeof t->bytes);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static void test_rollback_and_replay(void **state) {
    (void)state;
    static tape recorded;
    uint64_t seed = 9;
    body b = make_body(ABOVE_NOT, &seed);
    sinew_clip *clip;
    waving(b.skeleton, &clip);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = b.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_mixer_record(mixer, write_tape, &recorded, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
    sinew_affine first[FRAMES][BODY_NODES];
    void *saved = NULL;
    size_t size = sinew_mixer_snapshot_size(mixer);
    saved = malloc(size);
    assert_non_null(saved);
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame == 7) sinew_mixer_save(mixer, saved);
        solve_frame(mixer, &b, frame);
        memcpy(first[frame], b.model, sizeof b.model);
    }
    assert_true(sinew_mixer_restore(mixer, saved, size));
    for (int frame = 7; frame < FRAMES; frame++) {
        solve_frame(mixer, &b, frame);
        assert_memory_equal(first[frame], b.model, sizeof b.model);
    }
    assert_int_equal(sinew_mixer_record(mixer, NULL, NULL, NULL), SINEW_OK);

    sinew_replay_def replay_def = sinew_replay_default();
    const sinew_clip *const clips[1] = {clip};
    replay_def.bytes = recorded.bytes, replay_def.size = recorded.size, replay_def.skeleton = b.skeleton;
    replay_def.clips = clips, replay_def.clip_count = 1;
    sinew_replay *replay;
    assert_int_equal(sinew_replay_create(&replay_def, &replay, NULL), SINEW_OK);
    while (replay->calls_made < replay->call_count) assert_int_equal(sinew_replay_step(replay), SINEW_OK);
    assert_int_equal(replay->first_mismatch, -1);
    sinew_pose_copy(b.pose, sinew_mixer_pose(replay->mixer));
    body_to_model(&b);
    solve_body(&b);
    assert_memory_equal(first[FRAMES - 1], b.model, sizeof b.model);
    sinew_replay_destroy(replay);
    free(saved);
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(clip);
    free_body(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reachable_targets_are_reached),
        cmocka_unit_test(test_pinned_feet_stay),
        cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_weights_of_effectors),
        cmocka_unit_test(test_pull),
        cmocka_unit_test(test_stiffness_and_limits),
        cmocka_unit_test(test_smooth_targets_give_smooth_joints),
        cmocka_unit_test(test_targets_out_of_reach_are_followed_smoothly),
        cmocka_unit_test(test_weight_and_bad_input_leave_the_pose),
        cmocka_unit_test(test_rollback_and_replay),
    };
    return cmocka_run_group_tests_name("ik_body", tests, NULL, NULL);
}
