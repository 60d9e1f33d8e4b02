// SPDX-License-Identifier: MIT
// Foot locking with foot placement, contacts from curves, aims, poses that the program sets, and in a scene.
#include "support/locked_runner.h"

// ---- With the other features ---------------------------------------------------------------------------------

typedef struct ground {
    const actor *actor;
    double slope, step; // rise by metre ahead; height of the steps, each 0.3 m long
} ground;

static double height_at(const ground *g, double z) {
    return g->slope * z + g->step * floor(z / 0.3 + 0.5);
}

static bool find_ground(sinew_vec3 point, sinew_foot_ground *out, void *user) {
    const ground *g = user;
    vec p = world_point(&g->actor->at, point);
    double length = sqrt(1 + g->slope * g->slope);
    out->height = (float)(height_at(g, p.z) - g->actor->at.y);
    out->normal = (sinew_vec3){0, (float)(1 / length), (float)(-g->slope / length)};
    return true;
}

// A runner that goes over slopes and stairs with a wrong speed: its planted feet stay, and on the ground.
static void test_with_foot_placement(void **state) {
    (void)state;
    static const double slopes[] = {0, 0.3, -0.3, 0, 0}, steps[] = {0, 0, 0, 0.15, -0.15};
    for (int i = 0; i < 5; i++) {
        actor a;
        make_actor(&a, sinew_transform_identity(), true);
        gait stride = walk_gait;
        stride.in_place = true;
        sinew_clip *clip = make_gait(a.skeleton, &stride, true);
        ground g = {&a, slopes[i], steps[i]};
        sinew_foot_placement placement = sinew_foot_placement_default();
        placement.pelvis = HIPS, placement.feet = a.legs, placement.foot_count = 2;
        placement.ground = find_ground, placement.user = &g;
        sinew_foot_placement_state settling = {0};
        vec was[2] = {{0}};
        double slid = 0, risen = 0, clip_slid = 0, below = 0, pose_was[2] = {0};
        for (int frame = 0; frame < 400; frame++) {
            double time = frame / 100.0;
            a.at.z = 1.2 * time;                               // the clip's is 1.4
            a.at.y = g.slope * a.at.z + g.step * a.at.z / 0.3; // a ramp over the steps
            placement.elevation = (float)a.at.y;
            for (int foot = 0; foot < 2; foot++) a.contacts[foot] = is_down(&stride, time, foot);
            sinew_clip_sample(clip, (float)(stride.duration * fraction(time / stride.duration)), a.pose);
            lock_feet(&a, 0.01);
            sinew_foot_placement_solve(&placement, 0.01f, &settling, a.pose, a.model);
            for (int foot = 0; foot < 2; foot++) {
                vec now = shown(&a, foot ? FOOT_R : FOOT_L);
                double pose_z = node_in_world(&a, a.posed, foot ? FOOT_R : FOOT_L).z;
                bool down = is_down(&stride, time, foot) && is_down(&stride, time - 0.4, foot);
                if (frame > 100 && down) { // the pelvis has come down by then
                    slid = fmax(slid, level_distance(now, was[foot]));
                    risen = fmax(risen, fabs(now.y - was[foot].y));
                    clip_slid = fmax(clip_slid, fabs(pose_z - pose_was[foot]));
                    below = fmax(below, height_at(&g, now.z) - now.y);
                }
                was[foot] = now, pose_was[foot] = pose_z;
            }
        }
        print_message("slope %.1f, steps %.2f: %.2f mm a frame, %.1f in the clip; %.1f mm below the ground\n",
                      g.slope, g.step, 1e3 * slid, 1e3 * clip_slid, 1e3 * below);
        assert_true(clip_slid > 1.5e-3);
        assert_true(slid < 5e-4 &&
                    risen < 4e-3); // a leg at its full length may lift its foot before it is released
        assert_true(below < 0.01);
        sinew_clip_destroy(clip);
        free_actor(&a);
    }
}

// A character without a clip that glides up a slope at 0.5 m/s: its feet step over the ground, and do not jump.
static void test_steps_with_foot_placement(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    ground g = {&a, 0.3, 0};
    sinew_foot_placement placement = sinew_foot_placement_default();
    placement.pelvis = HIPS, placement.feet = a.legs, placement.foot_count = 2;
    placement.ground = find_ground, placement.user = &g;
    sinew_foot_placement_state settling = {0};
    vec was = {0}, before = {0};
    double slid = 0, jolt = 0, above = 0;
    for (int frame = 0; frame < 1200; frame++) {
        a.at.z = 0.5 * frame / 240, a.at.y = 0.3 * a.at.z;
        placement.elevation = (float)a.at.y;
        stand(&a, 1.0 / 240);
        sinew_foot_placement_solve(&placement, 1.0f / 240, &settling, a.pose, a.model);
        vec now = shown(&a, FOOT_L);
        double height = now.y - height_at(&g, now.z);
        if (frame > 1) {
            above = fmax(above, height);
            assert_true(height > -0.005);
            if (height < 0.02) slid += level_distance(now, was);
            jolt = fmax(jolt, fabs(now.y - 2 * was.y + before.y) + fabs(now.z - 2 * was.z + before.z));
        }
        before = was, was = now;
    }
    print_message("on a slope, a foot slides by %.1f mm in 2.5 m, and is lifted by %.0f mm\n", 1e3 * slid,
                  1e3 * above);
    assert_true(above > 0.08 && slid < 0.1 && jolt < 0.02);
    free_actor(&a);
}

// A clip on the spot, moved by the program at the clip's speed, with contacts that were found: planted feet hardly slide without foot locking,
// and not with it.
static void test_without_root_motion(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    gait stride = run_gait;
    stride.in_place = true;
    sinew_clip *clip = make_gait(a.skeleton, &stride, false);
    sinew_foot_contacts *contacts = make_contacts(a.skeleton, (const sinew_clip *const *)&clip, 1, a.legs);
    const sinew_clip_contacts *of_clip = sinew_foot_contacts_find(contacts, clip);
    double slid = 0, most = 0;
    vec was = {0};
    bool locked = false;
    for (int frame = 0; frame < 500; frame++) {
        float time = (float)(stride.duration * fraction(frame / 100.0 / stride.duration));
        a.at.z += 0.01 * stride.speed;
        for (int foot = 0; foot < 2; foot++) a.contacts[foot] = sinew_clip_contacts_at(of_clip, foot, time);
        sinew_clip_sample(clip, time, a.pose);
        lock_feet(&a, 0.01);
        vec now = shown(&a, FOOT_L);
        if (locked && a.state.feet[0].locked && a.state.feet[0].pivot == 0)
            slid = fmax(slid, level_distance(now, was));
        if (a.state.feet[0].locked) most = fmax(most, gap(&a, FOOT_L));
        locked = a.state.feet[0].locked, was = now;
    }
    assert_true(slid < 1e-5);
    assert_true(most > 0 && most < 0.03);
    sinew_foot_contacts_destroy(contacts);
    sinew_clip_destroy(clip);
    free_actor(&a);
}

// Contacts come from curves (morph weights) that a clip animates, and are read from the mixer's pose.
static void test_contacts_from_a_curve(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    static const float times[] = {0, 1}, low[] = {0, 1, 0, 1}, high[] = {1, 1, 1, 1};
    sinew_channel_def channel = {HIPS, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 2, times, low};
    sinew_clip *first = make_clip(a.skeleton, "lifts the left foot", &channel, 1);
    channel.values = high;
    sinew_clip *second = make_clip(a.skeleton, "stands", &channel, 1);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = a.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(first), NULL);
    sinew_mixer_crossfade_to(mixer, sinew_clip_source(second), 1.0f, NULL);
    for (int frame = 0; frame < 90; frame++) {
        sinew_mixer_update(mixer, 0.01f);
        memcpy(a.contacts, sinew_mixer_morph_weights(mixer), sizeof a.contacts);
        stand(&a, 0.01);
        assert_true(a.state.feet[1].locked);
        if (frame != 49) assert_int_equal(a.state.feet[0].locked, frame > 49); // half of the fade
    }
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(first);
    sinew_clip_destroy(second);
    free_actor(&a);
}

// An aim that is solved afterwards, and a pose that the program sets.
static void test_with_an_aim_and_a_set_pose(void **state) {
    (void)state;
    actor a;
    make_actor(&a, sinew_transform_identity(), true);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = a.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_pose *set;
    assert_int_equal(sinew_pose_create(a.skeleton, NULL, &set), SINEW_OK);
    sinew_ik aim = {.kind = SINEW_IK_AIM};
    aim.aim = sinew_ik_aim_from_rest(a.skeleton, TOES_R, TOES_R, (sinew_vec3){0, 0, 1});
    vec first = {0};
    for (int frame = 0; frame < 20; frame++) {
        sinew_mixer_advance(mixer, 0.01f);
        sinew_mixer_evaluate(mixer);
        set->tz[HIPS] = 0.01f * (float)frame; // the program leans the character forward
        sinew_mixer_set_pose(mixer, set);
        sinew_pose_copy(a.pose, sinew_mixer_edit_pose(mixer));
        lock_feet(&a, 0.01);
        aim.aim.target = (sinew_vec3){0, 1, 3};
        sinew_ik_solve(&aim, 1, a.pose, a.model);
        if (frame == 0) first = shown(&a, FOOT_R);
        check_near(distance(shown(&a, FOOT_R), first), 0, 1e-5);
        sinew_affine tip = a.model[TOES_R];
        vec ahead = {tip.m[0][2], tip.m[1][2], tip.m[2][2]};
        vec to = {-tip.m[0][3], 1 - tip.m[1][3], 3 - tip.m[2][3]};
        double dot = ahead.x * to.x + ahead.y * to.y + ahead.z * to.z;
        check_near(dot / distance(to, (vec){0, 0, 0}), 1, 1e-5);
        check_matrices(&a);
    }
    assert_true(gap(&a, FOOT_R) > 0.1);
    sinew_pose_destroy(set);
    sinew_mixer_destroy(mixer);
    free_actor(&a);
}

// ---- In a scene ----------------------------------------------------------------------------------------------

typedef struct scene_actor {
    sinew_foot_lock lock;
    sinew_foot_lock_state state;
    sinew_transform transform;
} scene_actor;

static bool edit(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model, float dt,
                 void *user) {
    (void)scene, (void)instance;
    scene_actor *a = user;
    static const float contacts[2] = {1, 1};
    sinew_affine world = sinew_affine_from_transform(a->transform);
    sinew_foot_lock_solve(&a->lock, &world, contacts, dt, &a->state, pose, model);
    return true;
}

static void test_in_a_scene(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_runner(sinew_transform_identity());
    sinew_asset asset = {.skeleton = skeleton};
    sinew_foot legs[2];
    make_legs(skeleton, true, legs);
    scene_actor a = {.lock = sinew_foot_lock_default(), .transform = sinew_transform_identity()};
    a.lock.feet = legs, a.lock.foot_count = 2;
    sinew_scene_def scene_def = sinew_scene_default();
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&scene_def, &scene, NULL), SINEW_OK);
    sinew_instance_def def = sinew_instance_default();
    def.asset = &asset;
    def.node.user = &a;
    def.edit = edit;
    sinew_scene_node node;
    sinew_error error = {0};
    if (sinew_scene_add_instance(scene, &def, &node, &error) != SINEW_OK) fail_msg("%s", error.message);
    a.transform.scale = (sinew_vec3){2, 2, 2};
    sinew_affine first = sinew_affine_identity();
    for (int frame = 0; frame < 30; frame++) {
        a.transform.translation.z = 0.01f * (float)frame;
        sinew_scene_set_transform(scene, node, a.transform);
        sinew_scene_update(scene, 0.01f);
        sinew_affine foot = sinew_scene_world(scene, sinew_scene_joint(node, FOOT_L));
        if (frame == 0) first = foot;
        for (int row = 0; row < 3; row++) check_near(foot.m[row][3], first.m[row][3], 2e-5);
    }
    sinew_scene_destroy(scene);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_foot_placement),        cmocka_unit_test(test_steps_with_foot_placement),
        cmocka_unit_test(test_without_root_motion),        cmocka_unit_test(test_contacts_from_a_curve),
        cmocka_unit_test(test_with_an_aim_and_a_set_pose), cmocka_unit_test(test_in_a_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
