// SPDX-License-Identifier: MIT
// What root motion leaves in the pose, its blends, and the pose of a single node.
#include "support/files.h"
#include "support/gait.h"
#include "support/random_rig.h"

// ---- One node ------------------------------------------------------------------------------------------------

static void check_node(const sinew_clip *clip, float time, const sinew_pose *pose, int32_t node) {
    sinew_transform alone = sinew_clip_sample_node(clip, time, node), among = sinew_pose_get(pose, node);
    assert_memory_equal(&alone, &among, sizeof alone);
}

static void check_nodes(const sinew_clip *clip, uint64_t *random, int samples) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(clip->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i < samples; i++) {
        float time = i == 0 ? 0.0f : i == 1 ? clip->duration : random_float(random, -0.1f, clip->duration + 0.1f);
        sinew_clip_sample(clip, time, pose);
        for (int32_t node = 0; node < clip->skeleton->node_count; node++) check_node(clip, time, pose, node);
    }
    sinew_pose_destroy(pose);
}

static void test_a_node_alone_has_the_bits_of_the_pose(void **state) {
    (void)state;
    uint64_t random = 11;
    for (int i = 0; i < 300; i++) {
        bool extreme = i % 4 == 0;
        sinew_skeleton *skeleton = draw_skeleton(&random, draw_count(&random, 1, 70), extreme);
        random_clip_options wish = {draw_count(&random, 0, 3), draw_count(&random, 0, 3) * 40, extreme,
                                    i % 5 == 0 ? SINEW_KEYS_U16 : SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_clip(&random, skeleton, wish);
        check_nodes(clip, &random, 8);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
}

static void check_file(const char *folder, const char *name) {
    sinew_asset *asset = load_file(folder, name);
    uint64_t random = 12;
    for (int32_t i = 0; i < asset->clip_count; i++) check_nodes(&asset->clips[i], &random, 20);
    sinew_asset_destroy(asset);
}

static void test_the_hero_node_by_node(void **state) {
    (void)state;
    check_file(SINEW_MODELS, "hero.glb");
    check_file(SINEW_MODELS, "windmill.glb");
}

static void test_other_peoples_files_node_by_node(void **state) {
    (void)state;
    const char *folder = other_peoples_files();
    check_file(folder, "bevy/Fox.glb");
    check_file(folder, "robotexpressive/RobotExpressive.glb");
    check_file(folder, "raylib/greenman.glb");
    check_file(folder, "khronos-samples-2017/RiggedFigure.glb");
}

// ---- What is left --------------------------------------------------------------------------------------------

static sinew_transform left_at(const sinewi_root *root, const sinew_clip *clip, float time, bool repeats) {
    sinewi_root_clip of_root = sinewi_root_clip_of(root, clip);
    return sinewi_root_remainder(root, &of_root, time, repeats);
}

static void check_transform(sinew_transform t, sinew_transform expected, double tolerance) {
    check_vec3(t.translation, expected.translation.x, expected.translation.y, expected.translation.z, tolerance);
    check_near(angle_between(t.rotation, expected.rotation), 0, tolerance);
    check_vec3(t.scale, expected.scale.x, expected.scale.y, expected.scale.z, tolerance);
}

static void test_the_pose_loses_what_was_taken_out(void **state) {
    (void)state;
    above blender = {about(1, 0, 0, -PI / 2), {0, 0, 0}, 0.01};
    const gait *gaits[] = {&straight, &circle, &drifting, &strafe};
    for (int i = 0; i < 4; i++) {
        const gait *g = gaits[i];
        actor a = make_actor(g, blender);
        for (int key = 0; key < KEYS; key++) {
            stand s = stand_at(g, key_time(g, key));
            sinew_transform left = left_at(&a.root, a.clip, (float)key_time(g, key), false);
            place local = {left.translation.x, left.translation.y, left.translation.z};
            place at = rotate(blender.turn, local); // in centimetres
            check_near(at.x * 0.01, g->start.x, 1e-6);
            check_near(at.y * 0.01, s.at.y, 1e-6);
            check_near(at.z * 0.01, g->start.z, 1e-6);
            rotation q = times(opposite(blender.turn), s.tilt); // what is left of the turn is the tilt
            check_near(angle_between(left.rotation, quat_of(q)), 0, 1e-6);
        }
        free_actor(&a);
    }
}

static sinew_affine affine_of(sinew_root_delta delta) {
    return sinew_affine_from_transform(
        (sinew_transform){.translation = delta.translation, .rotation = delta.rotation, .scale = {1, 1, 1}});
}

// A chain with anything above the node, evenly scaled, some of it mirrored; the last node is the one.
static sinew_skeleton *draw_even(uint64_t *random, int32_t count) {
    sinew_node_def nodes[8] = {{0}};
    for (int32_t i = 0; i < count; i++) {
        float s = random_float(random, 0.5f, 2);
        nodes[i].parent = i - 1;
        nodes[i].rest.translation = (sinew_vec3){random_float(random, -1, 1), random_float(random, -1, 1), 0.5f};
        nodes[i].rest.rotation = random_quat(random);
        nodes[i].rest.scale = (sinew_vec3){random_next(random) % 3 == 0 ? -s : s, s, s};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// A P = M A P': the extracted part and the rest make up the clip, whatever is extracted from whatever moves.
static void test_what_is_taken_out_and_what_is_left_are_the_clip(void **state) {
    (void)state;
    uint64_t random = 31;
    for (int i = 0; i < 2000; i++) {
        int32_t count = draw_count(&random, 1, 8);
        sinew_skeleton *skeleton = draw_even(&random, count);
        random_clip_options wish = {draw_count(&random, 0, 3), 80, false, SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_clip(&random, skeleton, wish);
        sinew_root_motion_def def = sinew_root_motion_default();
        def.skeleton = skeleton;
        def.node = count - 1;
        def.x = random_next(&random) % 2;
        def.y = random_next(&random) % 2;
        def.z = random_next(&random) % 2;
        def.yaw = random_next(&random) % 4 > 0;
        def.up = random_next(&random) % 2 ? SINEW_UP_Y : SINEW_UP_Z;
        actor a = {skeleton, clip, root_of(&def)};
        float time = random_float(&random, 0, clip->duration);
        sinew_affine motion = affine_of(delta_on(&a, 0, (double)time, false, SINEW_LOOP_ONCE));
        sinew_affine left = sinew_affine_from_transform(left_at(&a.root, clip, time, false));
        sinew_affine shown = sinew_affine_from_transform(sinew_clip_sample_node(clip, time, def.node));
        for (int32_t node = skeleton->parents[def.node]; node != SINEW_NO_NODE; node = skeleton->parents[node]) {
            sinew_affine rest = sinew_affine_from_transform(skeleton->rest[node]);
            left = sinew_affine_multiply(rest, left);
            shown = sinew_affine_multiply(rest, shown);
        }
        sinew_affine both = sinew_affine_multiply(motion, left);
        double size = 1;
        for (int k = 0; k < 12; k++) size = fmax(size, fabs((double)shown.m[k / 4][k % 4]));
        for (int k = 0; k < 12; k++) check_near(both.m[k / 4][k % 4], shown.m[k / 4][k % 4], 2e-6 * size);
        free_actor(&a);
    }
}

static void test_the_first_pose_stays_as_it_is(void **state) {
    (void)state; // and where nothing is taken out every pose does, bit for bit
    above blender = {about(1, 0, 0, -PI / 2), {0, 0, 0}, 0.01};
    actor a = make_actor(&circle, blender);
    check_transform(left_at(&a.root, a.clip, 0, true), sinew_clip_sample_node(a.clip, 0, HIPS), 1e-6);
    sinew_root_motion_def def = def_of(a.skeleton);
    def.x = def.z = def.yaw = false;
    a.root = root_of(&def);
    for (int i = 0; i < 16; i++) {
        const float time = 0.0625f * (float)i;
        sinew_transform left = left_at(&a.root, a.clip, time, true);
        sinew_transform shown = sinew_clip_sample_node(a.clip, time, HIPS);
        assert_memory_equal(&left, &shown, sizeof left);
    }
    free_actor(&a);
}

static void check_somersault(rotation start) {
    static const float key_times[] = {0, 1, 2};
    float turns[12];
    for (int k = 0; k < 3; k++) {
        sinew_quat q = quat_of(times(about(0.6, 0, 0.8, PI * k), start));
        memcpy(&turns[(ptrdiff_t)4 * k], &q, sizeof q);
    }
    sinew_skeleton *skeleton = make_body(nothing);
    sinew_channel_def channel = {HIPS, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, key_times, turns};
    sinew_root_motion_def def = def_of(skeleton);
    actor a = {skeleton, make_clip(skeleton, "somersault", &channel, 1), root_of(&def)};
    for (int i = 0; i <= 16; i++) {
        check_near(delta_on(&a, 0, i / 8.0, false, SINEW_LOOP_ONCE).yaw, 0, 1e-5);
        check_transform(left_at(&a.root, a.clip, (float)i / 8, false),
                        sinew_clip_sample_node(a.clip, (float)i / 8, HIPS), 1e-5);
    }
    free_actor(&a);
}

static void test_a_somersault_has_no_heading_halfway(void **state) {
    (void)state; // twist is not defined there; what comes out is the tilt's, and not the rounding's
    for (int i = 0; i < 20; i++) check_somersault(about(0, 0.6, 0.8, 0.3 * i));
}

// ---- Closing loops -------------------------------------------------------------------------------------------

static void test_a_closed_loop_ends_as_it_began(void **state) {
    (void)state; // taken out: z. Drifting aside, and turning, stay in the pose, and are taken back
    actor a = make_actor(&drifting, nothing);
    sinew_root_motion_def def = def_of(a.skeleton);
    def.x = def.yaw = false;
    double length = (double)a.clip->duration, t = key_time(&drifting, 32);
    stand middle = stand_at(&drifting, t), end = stand_at(&drifting, length);
    for (int closed = 0; closed < 2; closed++) {
        def.close_loops = closed;
        a.root = root_of(&def);
        double keeps = closed ? 0 : 1;
        sinew_transform first = left_at(&a.root, a.clip, 0, true);
        sinew_transform last = left_at(&a.root, a.clip, a.clip->duration, true);
        sinew_transform half = left_at(&a.root, a.clip, (float)t, true);
        check_near(last.translation.x - first.translation.x, keeps * (end.at.x - drifting.start.x), 1e-6);
        check_near(angle_between(first.rotation, last.rotation), keeps * drifting.turning * length, 1e-6);
        double gained = (end.at.x - drifting.start.x) / 2; // by the middle of the clip
        check_near(half.translation.x, middle.at.x - (1 - keeps) * gained, 1e-6);
        rotation turned = closed ? about(0, 1, 0, drifting.turning * (t - length / 2)) : middle.turn;
        rotation q = times(turned, middle.tilt);
        check_near(angle_between(half.rotation, quat_of(q)), 0, 1e-6);
        // What is taken out is the same.
        sinew_root_delta delta = delta_on(&a, 0, 10 * length, false, SINEW_LOOP_REPEAT);
        check_vec3(delta.translation, 0, 0, 10 * (end.at.z - drifting.start.z), 1e-5);
        check_near(delta.yaw, 0, 0);
    }
    free_actor(&a);
}

static void test_only_what_repeats_is_closed(void **state) {
    (void)state; // who falls and lies there is not to be lifted up
    actor a = make_actor(&drifting, nothing);
    sinew_root_motion_def def = def_of(a.skeleton);
    def.x = def.z = def.yaw = false;
    def.close_loops = true;
    a.root = root_of(&def);
    sinew_transform once = left_at(&a.root, a.clip, 0.5f, false),
                    shown = sinew_clip_sample_node(a.clip, 0.5f, HIPS);
    assert_memory_equal(&once, &shown, sizeof once);
    free_actor(&a);
}

static void test_closing_with_a_turn_taken_out(void **state) {
    (void)state; // the way stays in the pose, seen by who turns: it ends where it began there
    actor a = make_actor(&circle, nothing);
    sinew_root_motion_def def = def_of(a.skeleton);
    def.x = def.z = false;
    def.close_loops = true;
    a.root = root_of(&def);
    check_transform(left_at(&a.root, a.clip, a.clip->duration, true), left_at(&a.root, a.clip, 0, true), 1e-6);
    double length = (double)a.clip->duration;
    check_near(delta_on(&a, 0, length, false, SINEW_LOOP_REPEAT).yaw, circle.turning * length, 1e-6);
    free_actor(&a);
}

// ---- Blends --------------------------------------------------------------------------------------------------

static void test_motions_are_blended_by_their_weights(void **state) {
    (void)state;
    sinewi_motion_sum sum = {0};
    check_motions(sinewi_motion_mean(&sum), sinewi_motion_identity(), 0); // nothing plays
    sinewi_motion_add(&sum, motion(4, 1, 0, 0.2), 0);
    check_motions(sinewi_motion_mean(&sum), sinewi_motion_identity(), 0);
    sinewi_motion_add(&sum, motion(1, 0, 0.5, 0.1), 0.75f);
    check_motions(sinewi_motion_mean(&sum), motion(1, 0, 0.5, 0.1), 1e-15); // a single one, whatever its weight
    sinewi_motion_add(&sum, motion(3, -1, 0.5, 0.1), 0.25f);
    check_motions(sinewi_motion_mean(&sum), motion(1.5, -0.25, 0.5, 0.1), 1e-15);

    sum = (sinewi_motion_sum){0};
    sinewi_motion_add(&sum, motion(0, 0, 0, 0.4), 2);
    sinewi_motion_add(&sum, motion(0, 0, 0, -0.2), 2);
    check_motions(sinewi_motion_mean(&sum), motion(0, 0, 0, 0.1), 1e-15); // halfway
    sum = (sinewi_motion_sum){0};
    sinewi_motion_add(&sum, motion(0, 0, 0, 3.1), 1);
    sinewi_motion_add(&sum, motion(0, 0, 0, -3.1), 1);
    check_motions(sinewi_motion_mean(&sum), motion(0, 0, 0, PI), 1e-12); // behind, where the two are near
}

// Two walks together move as fast as their weights say, and their poses lose what each had extracted.
static void test_two_walks_at_once(void **state) {
    (void)state;
    gait slow = straight;
    slow.speed = 0.5, slow.start = (place){0.3, 1, 0.1};
    actor a = make_actor(&straight, nothing);
    sinew_clip *other = make_gait(a.skeleton, &slow, nothing);
    sinewi_root_clip fast_root = sinewi_root_clip_of(&a.root, a.clip),
                     slow_root = sinewi_root_clip_of(&a.root, other);
    sinewi_motion_sum sum = {0};
    sinewi_root_path way = {0.2, 3.2, false, SINEWI_ROOT_REPEAT};
    sinewi_motion_add(&sum, sinewi_root_motion_on(&a.root, &fast_root, &way), 0.3f);
    sinewi_motion_add(&sum, sinewi_root_motion_on(&a.root, &slow_root, &way), 0.1f);
    sinew_root_delta delta = sinewi_root_delta_of(&a.root, sinewi_motion_mean(&sum));
    check_vec3(delta.translation, 0, 0, 0.75 * 3 * 1.5 + 0.25 * 3 * 0.5, 1e-5);

    sinewi_root_contribution shares[3] = {{sinewi_root_remainder(&a.root, &fast_root, 0.4f, true), 0.3f},
                                          {sinewi_root_remainder(&a.root, &slow_root, 0.7f, true), 0.1f},
                                          {a.root.rest, 0.1f}};
    double w0 = 0.75, w1 = 0.25, phase = 2 * PI / straight.duration;
    double y = 1 + straight.sway * (w0 * sin(phase * 0.4) + w1 * sin(phase * 0.7));
    sinew_transform left = sinewi_root_mix(shares, 2);
    double near_curve = 1e-4; // between keys
    check_vec3(left.translation, w0 * 0.1 + w1 * 0.3, y, w0 * -0.3 + w1 * 0.1, near_curve);
    left = sinewi_root_mix(shares, 3); // a fifth of the rest pose, at 0
    check_vec3(left.translation, 0.8 * (w0 * 0.1 + w1 * 0.3), 0.8 * y, 0.8 * (w0 * -0.3 + w1 * 0.1), near_curve);
    sinew_clip_destroy(other);
    free_actor(&a);
}

static sinew_clip *make_turned(const sinew_skeleton *skeleton, rotation q, float sign) {
    static const float start = 0;
    float values[4] = {sign * (float)q.x, sign * (float)q.y, sign * (float)q.z, sign * (float)q.w};
    sinew_channel_def channel = {HIPS, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 1, &start, values};
    return make_clip(skeleton, "turned", &channel, 1);
}

static void test_what_is_left_is_mixed_on_one_hemisphere(void **state) {
    (void)state; // a quaternion and its opposite are one rotation
    sinew_skeleton *skeleton = make_body(nothing);
    sinew_root_motion_def def = def_of(skeleton);
    sinewi_root root = root_of(&def);
    sinew_clip *one = make_turned(skeleton, about(1, 0, 0, 0.2), 1);
    sinew_clip *other = make_turned(skeleton, about(1, 0, 0, 0.4), -1);
    sinewi_root_clip roots[2] = {sinewi_root_clip_of(&root, one), sinewi_root_clip_of(&root, other)};
    sinewi_root_contribution shares[2] = {{sinewi_root_remainder(&root, &roots[0], 0, true), 1},
                                          {sinewi_root_remainder(&root, &roots[1], 0, true), 1}};
    check_near(angle_between(sinewi_root_mix(shares, 2).rotation, about_x(0.3)), 0, 1e-6);
    sinew_clip_destroy(one);
    sinew_clip_destroy(other);
    sinew_skeleton_destroy(skeleton);
}

// Without extraction, a mix is the mixer's, whatever plays. The weights put the rest pose last.
static void check_mixer(const sinew_asset *asset, uint64_t *random, int32_t count, sinew_underweight underweight) {
    static const float weights[3] = {0.4f, 0.3f, 0.2f};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.underweight = underweight;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    const sinew_clip *clips[3];
    float start[3];
    for (int32_t i = 0; i < count; i++) {
        clips[i] = &asset->clips[draw_count(random, 0, asset->clip_count - 1)];
        sinew_play_def play_def = sinew_play_default();
        play_def.allow_duplicate = true;
        play_def.weight = weights[i];
        play_def.time = start[i] = random_float(random, 0, clips[i]->duration);
        sinew_mixer_play(mixer, sinew_clip_source(clips[i]), &play_def);
    }
    sinew_mixer_evaluate(mixer);
    for (int32_t node = 0; node < asset->skeleton->node_count; node++) {
        sinew_root_motion_def none = sinew_root_motion_default();
        none.skeleton = asset->skeleton;
        none.node = node;
        none.x = false;
        none.z = false;
        none.yaw = false;
        sinewi_root root = root_of(&none);
        sinewi_root_contribution shares[4];
        for (int32_t i = 0; i < count; i++) {
            sinewi_root_clip clip = sinewi_root_clip_of(&root, clips[i]);
            shares[i] = (sinewi_root_contribution){sinewi_root_remainder(&root, &clip, start[i], true), weights[i]};
        }
        shares[count] = (sinewi_root_contribution){root.rest, 0.1f};
        int32_t rest = underweight == SINEW_UNDERWEIGHT_REST ? 1 : 0;
        check_transform(sinewi_root_mix(shares, count + rest), sinew_pose_get(sinew_mixer_pose(mixer), node), 2e-6);
    }
    sinew_mixer_destroy(mixer);
}

static void test_mixing_is_the_mixers(void **state) {
    (void)state;
    sinew_asset *asset = load_file(SINEW_MODELS, "hero.glb");
    uint64_t random = 41;
    for (int i = 0; i < 30; i++) {
        check_mixer(asset, &random, 1 + i % 3, SINEW_UNDERWEIGHT_NORMALIZE);
        check_mixer(asset, &random, 3, SINEW_UNDERWEIGHT_REST);
    }
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_node_alone_has_the_bits_of_the_pose),
        cmocka_unit_test(test_the_hero_node_by_node),
        cmocka_unit_test(test_other_peoples_files_node_by_node),
        cmocka_unit_test(test_the_pose_loses_what_was_taken_out),
        cmocka_unit_test(test_what_is_taken_out_and_what_is_left_are_the_clip),
        cmocka_unit_test(test_the_first_pose_stays_as_it_is),
        cmocka_unit_test(test_a_somersault_has_no_heading_halfway),
        cmocka_unit_test(test_a_closed_loop_ends_as_it_began),
        cmocka_unit_test(test_only_what_repeats_is_closed),
        cmocka_unit_test(test_closing_with_a_turn_taken_out),
        cmocka_unit_test(test_motions_are_blended_by_their_weights),
        cmocka_unit_test(test_two_walks_at_once),
        cmocka_unit_test(test_what_is_left_is_mixed_on_one_hemisphere),
        cmocka_unit_test(test_mixing_is_the_mixers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
