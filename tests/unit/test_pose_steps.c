// SPDX-License-Identifier: MIT
// A program's own steps on a mixer's evaluated pose, with fades, layers, root motion, inertialization, snapshots and
// scenes: mirroring, one pose for several characters, pose warps and aim offsets.
#include "support/check.h"

enum { FPS = 60 };

static sinew_asset *asset;
static const sinew_skeleton *skeleton;
static sinew_humanoid roles;
static sinew_mirror *mirror;

static int set_up(void **state) {
    (void)state;
    asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    skeleton = asset->skeleton;
    assert_int_equal(sinew_humanoid_guess(skeleton, asset->up, NULL, &roles, NULL, NULL), SINEW_OK);
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton, def.humanoid = &roles;
    assert_int_equal(sinew_mirror_create(&def, &mirror, NULL), SINEW_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_mirror_destroy(mirror);
    sinew_asset_destroy(asset);
    return 0;
}

static int32_t node_of(const char *name) {
    int32_t node = sinew_skeleton_find(skeleton, name);
    assert_true(node != SINEW_NO_NODE);
    return node;
}

static sinew_mixer *make_mixer(void) {
    sinew_root_motion_def motion = sinew_root_motion_default();
    motion.skeleton = skeleton, motion.node = node_of("Hero");
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton, def.root_motion = &motion;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

// The largest distance of two poses' nodes in model space, of the nodes that are mirrored.
static double distance_of(const sinew_affine *a, const sinew_affine *b) {
    double most = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (mirror->counterparts[i] == SINEW_NO_NODE) continue;
        double square = 0;
        for (int k = 0; k < 3; k++) square += pow(a[i].m[k][3] - b[i].m[k][3], 2);
        most = fmax(most, sqrt(square));
    }
    return most;
}

// ---- Mirroring -----------------------------------------------------------------------------------------------

// A mix with a fade and a layer, mirrored in each frame, beside a mixer that plays the mirrored clips.
static void test_mirrored_mix(void **state) {
    (void)state;
    const char *names[3] = {"Turn", "Run", "Wave"};
    const sinew_clip *clips[2][3];
    sinew_clip *mirrored[3];
    sinew_mask *masks[2];
    sinew_mixer *mixers[2];
    const char *shoulders[2] = {"Shoulder_L", "Shoulder_R"};
    for (int i = 0; i < 3; i++) {
        clips[0][i] = sinew_asset_find_clip(asset, names[i]);
        assert_int_equal(sinew_clip_mirror(mirror, clips[0][i], NULL, NULL, &mirrored[i], NULL), SINEW_OK);
        clips[1][i] = mirrored[i];
    }
    for (int side = 0; side < 2; side++) {
        const sinew_mask_part part = {.name = shoulders[side], .factor = 1};
        assert_int_equal(sinew_mask_from_names(skeleton, 0, &part, 1, NULL, &masks[side], NULL), SINEW_OK);
        mixers[side] = make_mixer();
        sinew_layer_set_mask(mixers[side], 1, masks[side]);
        sinew_play_def wave = sinew_play_default();
        wave.layer = 1, wave.fade = 0.5f;
        sinew_mixer_play(mixers[side], sinew_clip_source(clips[side][0]), NULL);
        sinew_mixer_play(mixers[side], sinew_clip_source(clips[side][2]), &wave);
    }
    double most = 0, most_yaw = 0;
    for (int frame = 0; frame < 2 * FPS; frame++) {
        for (int side = 0; side < 2; side++) {
            if (frame == 20) sinew_mixer_transition_to(mixers[side], sinew_clip_source(clips[side][1]), NULL, NULL);
            sinew_mixer_advance(mixers[side], 1.0f / FPS);
            sinew_mixer_evaluate(mixers[side]);
        }
        sinew_pose *pose = sinew_mixer_edit_pose(mixers[0]);
        sinew_mirror_pose(mirror, pose, pose);
        for (int side = 0; side < 2; side++) sinew_mixer_to_model(mixers[side]);
        most =
            fmax(most, distance_of(sinew_mixer_model_matrices(mixers[0]), sinew_mixer_model_matrices(mixers[1])));
        sinew_root_delta a = sinew_mirror_root_delta(mirror, sinew_mixer_root_delta(mixers[0]));
        most_yaw = fmax(most_yaw, fabs((double)a.yaw - sinew_mixer_root_delta(mixers[1]).yaw));
    }
    print_message("a mirrored mix is off by %.2g m, its root by %.2g rad\n", most, most_yaw);
    assert_true(most < 1e-5 && most_yaw < 1e-6);
    for (int side = 0; side < 2; side++) sinew_mixer_destroy(mixers[side]), sinew_mask_destroy(masks[side]);
    for (int i = 0; i < 3; i++) sinew_clip_destroy(mirrored[i]);
}

// ---- Switching a step on and off -----------------------------------------------------------------------------

typedef void (*pose_step)(sinew_mixer *mixer, sinew_pose *pose);

static void mirror_step(sinew_mixer *mixer, sinew_pose *pose) {
    (void)mixer;
    sinew_mirror_pose(mirror, pose, pose);
}

static sinew_mixer *leader;

// The pose of another character that is evaluated once.
static void share_step(sinew_mixer *mixer, sinew_pose *pose) {
    (void)mixer;
    sinew_pose_blend(pose, pose, sinew_mixer_pose(leader), 1, NULL);
}

static sinew_orientation_warp orientation_of(void) {
    sinew_orientation_warp warp = sinew_orientation_warp_default();
    warp.hips = node_of("Hips");
    warp.spine[0] = node_of("Spine"), warp.spine[1] = node_of("Chest"), warp.spine[2] = node_of("UpperChest");
    warp.spine_count = 3;
    return warp;
}

static void turn_step(sinew_mixer *mixer, sinew_pose *pose) {
    (void)mixer;
    sinew_affine *model = malloc((size_t)skeleton->node_count * sizeof *model);
    sinew_orientation_warp warp = orientation_of();
    sinew_pose_to_model(pose, model);
    sinew_orientation_warp_state state = {0, 0};
    sinew_orientation_warp_solve(&warp, 1.2f, INFINITY, &state, pose, model);
    free(model);
}

// With sinew_mixer_inertialize before the change and sinew_mixer_finish_pose, the pose does not jump.
static void check_switching(pose_step step, const char *name) {
    double jumps[2];
    for (int smooth = 0; smooth < 2; smooth++) {
        sinew_mixer *mixer = make_mixer();
        leader = make_mixer();
        sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(asset, "Walk")), NULL);
        sinew_mixer_play(leader, sinew_clip_source(sinew_asset_find_clip(asset, "Run")), NULL);
        size_t size = (size_t)skeleton->node_count * sizeof(sinew_affine);
        sinew_affine *last = malloc(size);
        jumps[smooth] = 0;
        for (int frame = 0; frame < 4 * FPS; frame++) {
            bool changes = frame == FPS || frame == 2 * FPS;
            if (changes && smooth) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.3f);
            sinew_mixer_update(leader, 1.0f / 240);
            sinew_mixer_advance(mixer, 1.0f / 240);
            sinew_mixer_evaluate(mixer);
            sinew_pose *pose = sinew_mixer_edit_pose(mixer);
            if (frame >= FPS && frame < 2 * FPS) step(mixer, pose);
            sinew_mixer_finish_pose(mixer);
            const sinew_affine *now = sinew_mixer_model_matrices(mixer);
            if (frame > 0) jumps[smooth] = fmax(jumps[smooth], distance_of(now, last));
            memcpy(last, now, size);
        }
        free(last);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(leader);
    }
    print_message("%s switched on and off: %.3f m in a frame, %.3f smoothed\n", name, jumps[0], jumps[1]);
    assert_true(jumps[0] > 0.1 && jumps[1] < 0.05);
}

static void test_switching(void **state) {
    (void)state;
    check_switching(mirror_step, "mirroring");
    check_switching(share_step, "a shared pose");
    check_switching(turn_step, "an orientation warp");
}

// A frame that inertializes its edit, the warp.
static void inertialized_frame(sinew_mixer *mixer, bool inertializes, bool turns) {
    if (inertializes) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.3f);
    sinew_mixer_advance(mixer, 1.0f / FPS);
    sinew_mixer_evaluate(mixer);
    if (turns) turn_step(mixer, sinew_mixer_edit_pose(mixer));
    sinew_mixer_finish_pose(mixer);
}

// A snapshot has the finished pose, and an inertialization in the next frame starts from it. Restores it in another
// mixer with a different pose of its own, with and without edits before it.
static void test_snapshots_of_finished_poses(void **state) {
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        sinew_mixer *mixer = make_mixer(), *other = make_mixer();
        sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(asset, "Walk")), NULL);
        for (int frame = 0; frame < 20; frame++) inertialized_frame(mixer, false, turns);
        size_t size = sinew_mixer_snapshot_size(mixer);
        void *saved = malloc(size);
        const size_t written = sinew_mixer_save(mixer, saved);
        assert_true(written < size / 2);
        memset((char *)saved + written, 0xcd, size - written);
        sinew_mixer_play(other, sinew_clip_source(sinew_asset_find_clip(asset, "Jump")), NULL);
        for (int frame = 0; frame < 50; frame++) inertialized_frame(other, false, !turns);
        assert_true(sinew_mixer_restore(other, saved, size));
        for (int frame = 0; frame < 30; frame++) {
            inertialized_frame(mixer, frame == 0, frame > 10);
            inertialized_frame(other, frame == 0, frame > 10);
            assert_memory_equal(sinew_mixer_model_matrices(mixer), sinew_mixer_model_matrices(other),
                                (size_t)skeleton->node_count * sizeof(sinew_affine));
        }
        free(saved);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(other);
    }
}

// ---- One pose for several characters -------------------------------------------------------------------------

// A follower of weight 1 has the leader's bits, and its own fades continue. With a mask and a weight, it has the
// blend.
static void test_shared_pose(void **state) {
    (void)state;
    sinew_mixer *one = make_mixer(), *follower = make_mixer();
    const sinew_mask_part part = {.name = "Spine", .factor = 1};
    sinew_mask *mask;
    assert_int_equal(sinew_mask_from_names(skeleton, 0, &part, 1, NULL, &mask, NULL), SINEW_OK);
    sinew_pose *expected;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &expected), SINEW_OK);
    sinew_mixer_play(one, sinew_clip_source(sinew_asset_find_clip(asset, "Run")), NULL);
    sinew_mixer_play(follower, sinew_clip_source(sinew_asset_find_clip(asset, "Idle")), NULL);
    for (int frame = 0; frame < FPS; frame++) {
        sinew_mixer_update(one, 1.0f / FPS);
        sinew_mixer_advance(follower, 1.0f / FPS);
        sinew_mixer_evaluate(follower);
        const sinew_pose *pose = sinew_mixer_pose(one);
        sinew_pose_blend(expected, sinew_mixer_pose(follower), pose, 0.5f, mask->nodes);
        sinew_pose *edit = sinew_mixer_edit_pose(follower);
        if (frame % 2) {
            sinew_pose_blend(edit, edit, pose, 0.5f, mask->nodes);
            assert_memory_equal(edit->rx, expected->rx, (size_t)skeleton->node_count * sizeof(float));
        } else {
            sinew_pose_copy(edit, pose);
            sinew_mixer_to_model(follower);
            assert_memory_equal(sinew_mixer_model_matrices(follower), sinew_mixer_model_matrices(one),
                                (size_t)skeleton->node_count * sizeof(sinew_affine));
        }
    }
    sinew_pose_destroy(expected);
    sinew_mask_destroy(mask);
    sinew_mixer_destroy(one);
    sinew_mixer_destroy(follower);
}

// ---- Rollback ------------------------------------------------------------------------------------------------

typedef struct walker {
    sinew_mixer *mixer;
    sinew_orientation_warp turn;
    sinew_orientation_warp_state turning;
    sinew_foot legs[2];
    sinew_stride_warp stride;
    sinew_stride_warp_state steps;
    sinew_aim_offset *aim;
    sinew_affine *model;
} walker;

static void make_walker(walker *w) {
    static const char *const names[2][4] = {{"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"},
                                            {"UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R"}};
    *w = (walker){.mixer = make_mixer(), .turn = orientation_of(), .stride = sinew_stride_warp_default()};
    for (int i = 0; i < 2; i++) {
        w->legs[i] = sinew_foot_from_rest(skeleton, node_of(names[i][0]), node_of(names[i][1]),
                                          node_of(names[i][2]), node_of(names[i][3]), (sinew_vec3){0, 1, 0});
    }
    w->stride.pelvis = node_of("Hips"), w->stride.feet = w->legs, w->stride.foot_count = 2;
    const sinew_clip *clip = sinew_asset_find_clip(asset, "Attack");
    sinew_aim_offset_def def = sinew_aim_offset_default();
    def.skeleton = skeleton, def.clips = &clip;
    assert_int_equal(sinew_aim_offset_create(&def, &w->aim, NULL), SINEW_OK);
    w->model = calloc((size_t)skeleton->node_count, sizeof *w->model);
    sinew_mixer_play(w->mixer, sinew_clip_source(sinew_asset_find_clip(asset, "Walk")), NULL);
}

static void free_walker(walker *w) {
    sinew_mixer_destroy(w->mixer);
    sinew_aim_offset_destroy(w->aim);
    free(w->model);
}

static void edit(walker *w, sinew_pose *pose, sinew_affine *model, double time, float dt) {
    sinew_orientation_warp_solve(&w->turn, (float)sin(3 * time), dt, &w->turning, pose, model);
    sinew_stride_warp_solve(&w->stride, 1.2f + 0.2f * (float)cos(time), dt, &w->steps, pose, model);
    sinew_aim_offset_apply(w->aim, 0, 0, 0.3f, pose, model);
}

static void walk(walker *w, int from, int to) {
    for (int frame = from; frame < to; frame++) {
        if (frame == 45)
            sinew_mixer_crossfade_to(w->mixer, sinew_clip_source(sinew_asset_find_clip(asset, "Run")), 0.3f, NULL);
        sinew_mixer_advance(w->mixer, 1.0f / FPS);
        sinew_mixer_evaluate(w->mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(w->mixer);
        sinew_pose_to_model(pose, w->model);
        edit(w, pose, w->model, (double)frame / FPS, 1.0f / FPS);
        sinew_mixer_finish_pose(w->mixer);
        assert_memory_equal(w->model, sinew_mixer_model_matrices(w->mixer),
                            (size_t)skeleton->node_count * sizeof *w->model);
    }
}

static void test_rollback(void **state) {
    (void)state;
    walker w;
    make_walker(&w);
    walk(&w, 0, 30);
    size_t room = sinew_mixer_snapshot_size(w.mixer), size = (size_t)skeleton->node_count * sizeof *w.model;
    void *saved = malloc(room);
    sinew_affine *first = malloc(size);
    room = sinew_mixer_save(w.mixer, saved);
    sinew_orientation_warp_state turning = w.turning;
    sinew_stride_warp_state steps = w.steps;
    walk(&w, 30, 90);
    memcpy(first, w.model, size);
    assert_true(sinew_mixer_restore(w.mixer, saved, room));
    w.turning = turning, w.steps = steps;
    walk(&w, 30, 90);
    assert_memory_equal(first, w.model, size);
    free(first), free(saved);
    free_walker(&w);
}

// ---- In a scene ----------------------------------------------------------------------------------------------

static bool edit_instance(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model,
                          float dt, void *user) {
    (void)scene, (void)instance;
    edit(user, pose, model, 1, dt);
    return true;
}

// The scene gives the same matrices as the calls of a program.
static void test_in_a_scene(void **state) {
    (void)state;
    walker w, other;
    make_walker(&w), make_walker(&other);
    sinew_scene_def scene_def = sinew_scene_default();
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&scene_def, &scene, NULL), SINEW_OK);
    sinew_instance_def def = sinew_instance_default();
    def.asset = asset, def.edit = edit_instance, def.node.user = &w;
    sinew_scene_node hero;
    assert_int_equal(sinew_scene_add_instance(scene, &def, &hero, NULL), SINEW_OK);
    sinew_mixer_play(sinew_scene_mixer(scene, hero), sinew_clip_source(sinew_asset_find_clip(asset, "Walk")), NULL);
    for (int frame = 0; frame < 30; frame++) {
        sinew_scene_update(scene, 1.0f / FPS);
        sinew_mixer_advance(other.mixer, 1.0f / FPS);
        sinew_mixer_evaluate(other.mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(other.mixer);
        sinew_pose_to_model(pose, other.model);
        edit(&other, pose, other.model, 1, 1.0f / FPS);
    }
    const sinew_affine *model = sinew_mixer_model_matrices(sinew_scene_mixer(scene, hero));
    assert_memory_equal(model, other.model, (size_t)skeleton->node_count * sizeof *model);
    sinew_scene_destroy(scene);
    free_walker(&w), free_walker(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirrored_mix),
        cmocka_unit_test(test_switching),

        cmocka_unit_test(test_snapshots_of_finished_poses),
        cmocka_unit_test(test_shared_pose),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_in_a_scene),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
