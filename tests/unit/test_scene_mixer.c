// SPDX-License-Identifier: MIT
// Replacing an instance's mixer: attachments stay, and whoever shares its pose follows.
#include "support/check.h"

// The hero, and a second instance that has its pose, with something in its hand.
typedef struct stage {
    counting heap;
    sinew_asset *asset;
    sinew_scene *scene;
    sinew_scene_node hero, shares, sword;
} stage;

static void set_up(stage *s) {
    sinew_error error;
    *s = (stage){.asset = NULL};
    if (sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &s->asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_scene_def scene_def = sinew_scene_default();
    scene_def.allocator = counting_allocator(&s->heap);
    assert_int_equal(sinew_scene_create(&scene_def, &s->scene, NULL), SINEW_OK);
    sinew_instance_def def = sinew_instance_default();
    def.asset = s->asset;
    assert_int_equal(sinew_scene_add_instance(s->scene, &def, &s->hero, &error), SINEW_OK);
    def.pose = SINEW_INSTANCE_POSE_SHARE;
    def.share = s->hero;
    assert_int_equal(sinew_scene_add_instance(s->scene, &def, &s->shares, &error), SINEW_OK);
    sinew_scene_node_def node = sinew_scene_node_default();
    node.parent = sinew_scene_find_joint(s->scene, s->shares, "Grip_R");
    assert_int_equal(sinew_scene_add_node(s->scene, &node, &s->sword, NULL), SINEW_OK);
    sinew_mixer_play(sinew_scene_mixer(s->scene, s->hero), sinew_clip_source(&s->asset->clips[3]), NULL);
    sinew_scene_update(s->scene, 0.4f);
}

static void tear_down(stage *s) {
    sinew_scene_destroy(s->scene);
    sinew_asset_destroy(s->asset);
    assert_int_equal(s->heap.live, 0);
}

static sinew_mixer_def with_root(const stage *s, sinew_root_motion_def *root) {
    sinew_mixer_def def = sinew_mixer_default();
    *root = sinew_root_motion_default();
    root->skeleton = s->asset->skeleton;
    root->node = sinew_skeleton_find(s->asset->skeleton, "Hips");
    def.root_motion = root;
    return def;
}

// Catches an instance that keeps the old mixer's matrices, palettes or bounds, and what hangs on a joint and stays behind
// or is lost.
static void the_new_mixer_is_shown(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    const sinew_affine struck = sinew_scene_world(s.scene, s.sword);
    sinew_root_motion_def root;
    const sinew_mixer_def def = with_root(&s, &root);
    assert_int_equal(sinew_scene_set_mixer(s.scene, s.hero, &def, NULL), SINEW_OK);
    sinew_mixer *mixer = sinew_scene_mixer(s.scene, s.shares);
    assert_ptr_equal(mixer, sinew_scene_mixer(s.scene, s.hero));
    assert_int_equal(sinew_mixer_actions(mixer, NULL, 0), 0);
    assert_ptr_equal(sinew_scene_model_matrices(s.scene, s.shares), sinew_mixer_model_matrices(mixer));
    assert_ptr_equal(sinew_scene_weights(s.scene, s.hero), sinew_mixer_morph_weights(mixer));
    sinew_scene_update_world(s.scene);
    const int32_t hand = sinew_skeleton_find(s.asset->skeleton, "Grip_R");
    const sinew_affine held = sinew_scene_world(s.scene, s.sword);
    assert_memory_equal(&held, &sinew_mixer_model_matrices(mixer)[hand], sizeof held);
    assert_true(fabsf(held.m[1][3] - struck.m[1][3]) + fabsf(held.m[0][3] - struck.m[0][3]) > 0.05f);
    sinew_affine *palette = malloc((size_t)s.asset->skins[0].joint_count * sizeof *palette);
    assert_non_null(palette);
    sinew_skin_palette(&s.asset->skins[0], sinew_mixer_model_matrices(mixer), palette);
    assert_memory_equal(palette, sinew_scene_palette(s.scene, s.shares, 0),
                        (size_t)s.asset->skins[0].joint_count * sizeof *palette);
    free(palette);
    sinew_box box;
    sinew_bounds_pose(s.asset->bounds, sinew_mixer_model_matrices(mixer), sinew_mixer_morph_weights(mixer), &box,
                      NULL);
    const sinew_box shown = sinew_scene_bounds(s.scene, s.shares);
    check_near(shown.max.y, box.max.y, 1e-6);
    check_near(shown.min.x, box.min.x, 1e-6);
    sinew_mixer_play(mixer, sinew_clip_source(&s.asset->clips[1]), NULL); // and it moves, with root motion
    sinew_scene_update(s.scene, 0.25f);
    assert_true(sinew_mixer_root_delta(mixer).translation.z != 0.0f);
    const sinew_affine walks = sinew_scene_world(s.scene, s.sword);
    assert_memory_equal(&walks, &sinew_mixer_model_matrices(mixer)[hand], sizeof walks);
    tear_down(&s);
}

// Catches a definition that cannot be and takes the old mixer with it, and instances without one of their own.
static void what_cannot_be_changes_nothing(void **state) {
    (void)state;
    stage s;
    sinew_error error;
    set_up(&s);
    sinew_mixer *mixer = sinew_scene_mixer(s.scene, s.hero);
    sinew_mixer_def def = sinew_mixer_default();
    def.max_actions = -1;
    assert_int_equal(sinew_scene_set_mixer(s.scene, s.hero, &def, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "mixer"));
    def = sinew_mixer_default();
    s.heap.fail_at = s.heap.allocations + 1;
    assert_int_equal(sinew_scene_set_mixer(s.scene, s.hero, &def, &error), SINEW_ERROR_OUT_OF_MEMORY);
    s.heap.fail_at = 0;
    assert_ptr_equal(sinew_scene_mixer(s.scene, s.hero), mixer);
    assert_int_equal(sinew_mixer_actions(mixer, NULL, 0), 1);
    assert_int_equal(sinew_scene_set_mixer(s.scene, s.sword, &def, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "instance"));
    assert_int_equal(sinew_scene_set_mixer(s.scene, (sinew_scene_node){0, 0, 0}, &def, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_set_mixer(s.scene, s.shares, &def, NULL), SINEW_ERROR_ARGUMENT);
    assert_ptr_equal(sinew_scene_mixer(s.scene, s.hero), mixer);
    tear_down(&s);
}

static sinew_mixer *make_mixer(const sinew_skeleton *skeleton) {
    sinew_mixer_def def = sinew_mixer_default();
    sinew_mixer *mixer;
    def.skeleton = skeleton;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

// Catches a mixer of the caller that the scene does not advance, shows late, or destroys.
static void a_mixer_of_the_caller_poses_the_instance(void **state) {
    (void)state;
    stage s;
    set_up(&s);
    sinew_mixer *mixer = make_mixer(s.asset->skeleton);
    const sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(&s.asset->clips[1]), NULL);
    assert_int_equal(sinew_scene_use_mixer(s.scene, s.hero, mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_scene_use_mixer(s.scene, s.hero, mixer, NULL), SINEW_OK); // again: a no-op
    assert_ptr_equal(sinew_scene_mixer(s.scene, s.shares), mixer);
    sinew_scene_update(s.scene, 0.25f);
    check_near(sinew_action_time(mixer, action), 0.25, 1e-6);
    const int32_t hand = sinew_skeleton_find(s.asset->skeleton, "Grip_R");
    const sinew_affine held = sinew_scene_world(s.scene, s.sword);
    assert_memory_equal(&held, &sinew_mixer_model_matrices(mixer)[hand], sizeof held);
    assert_int_equal(sinew_scene_set_mixer(s.scene, s.hero, NULL, NULL), SINEW_OK); // one of the scene again
    sinew_scene_update(s.scene, 0.25f);
    check_near(sinew_action_time(mixer, action), 0.25, 1e-6);
    assert_int_equal(sinew_scene_use_mixer(s.scene, s.hero, mixer, NULL), SINEW_OK);
    sinew_scene_remove(s.scene, s.shares);
    sinew_scene_remove(s.scene, s.hero);
    check_near(sinew_action_time(mixer, action), 0.25, 1e-6);
    tear_down(&s);
    sinew_mixer_destroy(mixer);
}

// Catches a mixer that would be advanced twice, or poses nodes that it does not have.
static void a_mixer_that_does_not_fit_is_refused(void **state) {
    (void)state;
    stage s;
    sinew_error error;
    set_up(&s);
    sinew_asset *other;
    assert_int_equal(sinew_gltf_load_file(SINEW_MODELS "/windmill.glb", NULL, &other, &error), SINEW_OK);
    sinew_instance_def def = sinew_instance_default();
    sinew_scene_node second;
    def.asset = s.asset;
    assert_int_equal(sinew_scene_add_instance(s.scene, &def, &second, &error), SINEW_OK);
    sinew_mixer *own = sinew_scene_mixer(s.scene, s.hero), *mixer = make_mixer(other->skeleton);
    assert_int_equal(sinew_scene_use_mixer(s.scene, s.hero, mixer, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "skeleton"));
    assert_int_equal(sinew_scene_use_mixer(s.scene, s.hero, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_use_mixer(s.scene, second, own, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "another instance"));
    assert_int_equal(sinew_scene_use_mixer(s.scene, s.sword, own, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_use_mixer(s.scene, s.shares, own, &error), SINEW_ERROR_ARGUMENT);
    assert_ptr_equal(sinew_scene_mixer(s.scene, s.hero), own);
    tear_down(&s);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_new_mixer_is_shown),
        cmocka_unit_test(what_cannot_be_changes_nothing),
        cmocka_unit_test(a_mixer_of_the_caller_poses_the_instance),
        cmocka_unit_test(a_mixer_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
