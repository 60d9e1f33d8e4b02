// SPDX-License-Identifier: MIT
// Wrong arguments, for everything but the mixer. Each case runs in a child process. A build with asserts must stop.
// If the headers define the case, a build without asserts must do what they say.
#include <sinew/all.h>

#include "support/in_child.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- The stage -----------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *slide;
    sinew_pose *pose;
    sinew_mask *mask;
    sinew_blend_space *space;
    sinew_skin *skin;
    sinew_affine model[3];
    sinew_asset asset;
    sinew_scene *scene;
    sinew_scene_node hero, rod;
} stage;

static stage s;

static int set_up(void **state) {
    (void)state;
    s.skeleton = make_chain(3);
    s.slide = make_slide(s.skeleton, "slide", 1, 1, 2);
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &s.pose), SINEW_OK);
    assert_int_equal(sinew_mask_create(s.skeleton, 1, NULL, &s.mask), SINEW_OK);
    sinew_pose_to_model(s.pose, s.model);
    sinew_blend_sample samples[1] = {{s.slide, 0, 0, 1}};
    sinew_blend_space_def space = sinew_blend_space_default();
    space.skeleton = s.skeleton, space.samples = samples, space.sample_count = 1;
    assert_int_equal(sinew_blend_space_create(&space, &s.space, NULL), SINEW_OK);
    const int32_t joints[1] = {1};
    sinew_skin_def skin = sinew_skin_default();
    skin.skeleton = s.skeleton, skin.joints = joints, skin.joint_count = 1;
    assert_int_equal(sinew_skin_create(&skin, &s.skin, NULL), SINEW_OK);
    s.asset.skeleton = s.skeleton;
    sinew_scene_def scene = sinew_scene_default();
    scene.max_nodes = 3;
    assert_int_equal(sinew_scene_create(&scene, &s.scene, NULL), SINEW_OK);
    sinew_instance_def hero = sinew_instance_default();
    hero.asset = &s.asset;
    assert_int_equal(sinew_scene_add_instance(s.scene, &hero, &s.hero, NULL), SINEW_OK);
    sinew_scene_node_def rod = sinew_scene_node_default();
    assert_int_equal(sinew_scene_add_node(s.scene, &rod, &s.rod, NULL), SINEW_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_scene_destroy(s.scene);
    sinew_skin_destroy(s.skin);
    sinew_blend_space_destroy(s.space);
    sinew_mask_destroy(s.mask);
    sinew_pose_destroy(s.pose);
    sinew_clip_destroy(s.slide);
    sinew_skeleton_destroy(s.skeleton);
    return 0;
}

#ifdef NDEBUG
static const bool has_asserts = false;
#else
static const bool has_asserts = true;
#endif

// ---- Asserted ------------------------------------------------------------------------------------------------

typedef struct wrong_case {
    const char *name;
    int (*call)(void *data); // 0: without asserts it went as the header says
} wrong_case;

#define COUNT(cases) ((int)(sizeof(cases) / sizeof *(cases)))

#define CASE(name)                                                                                                 \
    { #name, name }

#define WRONG(name, call)                                                                                          \
    static int name(void *data) {                                                                                  \
        (void)data;                                                                                                \
        call;                                                                                                      \
        return 0;                                                                                                  \
    }

static const sinew_frustum frustum;
static const sinew_ray ray = {{0, 0, 5}, {0, 0, -1}};
static sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
static sinew_blend_parameter parameter;
static sinew_scene_hit hit;
static uint32_t visible[1];

WRONG(pose_none, sinew_pose_get(NULL, 0))
WRONG(pose_node_3, sinew_pose_get(s.pose, 3))
WRONG(pose_blend_nan, sinew_pose_blend(s.pose, s.pose, s.pose, NAN, NULL))
WRONG(pose_add_infinite, sinew_pose_add(s.pose, s.pose, s.pose, INFINITY, NULL))
WRONG(pose_no_model, sinew_pose_to_model(s.pose, NULL))
WRONG(pose_create_no_skeleton, sinew_pose_create(NULL, NULL, &s.pose))
WRONG(sample_no_clip, sinew_clip_sample(NULL, 0, s.pose))
WRONG(find_no_name, sinew_skeleton_find(s.skeleton, NULL))
WRONG(find_clip_no_name, sinew_asset_find_clip(&s.asset, NULL))
WRONG(mask_none, sinew_mask_set(NULL, 0, 1))
WRONG(mask_node_negative, sinew_mask_set(s.mask, -1, 1))
WRONG(mask_create_no_skeleton, sinew_mask_create(NULL, 1, NULL, &s.mask))
WRONG(space_none, sinew_blend_space_weights(NULL, 0, 0, weights))
WRONG(space_no_weights, sinew_blend_space_weights(s.space, 0, 0, NULL))
WRONG(space_nan, sinew_blend_space_weights(s.space, NAN, 0, weights))
WRONG(follow_nothing, sinew_blend_parameter_follow(NULL, s.space, 0, 0, 0.1f))
WRONG(follow_back, sinew_blend_parameter_follow(&parameter, s.space, 0, 0, -1))
WRONG(palette_no_skin, sinew_skin_palette(NULL, s.model, s.model))
WRONG(palette_no_room, sinew_skin_palette(s.skin, s.model, NULL))
WRONG(cull_no_frustum, sinew_cull_boxes(NULL, &(sinew_boxes){0}, 0, 1, visible))
WRONG(cull_first_1, sinew_cull_boxes(&frustum, &(sinew_boxes){0}, 1, 1, visible))
WRONG(frustum_depth_2, sinew_frustum_from_matrix((sinew_mat4){{0}}, (sinew_depth_range)2))
WRONG(visible_negative, sinew_is_visible(visible, -1))
WRONG(batch_none, sinew_batch_update(NULL, 0, 1, 0.1f))
WRONG(batch_no_mixer, sinew_batch_update(&(sinew_batch_item){0}, 0, 1, 0.1f))
WRONG(solve_no_solvers, sinew_ik_solve(NULL, 1, s.pose, s.model))
WRONG(solve_no_pose, sinew_ik_solve(NULL, 0, NULL, s.model))
WRONG(solve_kind_2, sinew_ik_solve(&(sinew_ik){.kind = (sinew_ik_kind)2}, 1, s.pose, s.model))
WRONG(limb_no_skeleton, sinew_ik_two_bone_from_rest(NULL, 0, 1, 2))
WRONG(scene_none, sinew_scene_update(NULL, 0.1f))
WRONG(scene_has_none, sinew_scene_has(NULL, s.rod))
WRONG(scene_cull_nothing, sinew_scene_cull(s.scene, NULL))
WRONG(scene_pick_by_2, sinew_scene_pick(s.scene, ray, (sinew_pick_mode)2, &hit))
WRONG(scene_pick_no_hit, sinew_scene_pick(s.scene, ray, SINEW_PICK_BOUNDS, NULL))

static const wrong_case asserted[] = {
    CASE(pose_none),         CASE(pose_node_3),        CASE(pose_blend_nan),
    CASE(pose_add_infinite), CASE(pose_no_model),      CASE(pose_create_no_skeleton),
    CASE(sample_no_clip),    CASE(find_no_name),       CASE(find_clip_no_name),
    CASE(mask_none),         CASE(mask_node_negative), CASE(mask_create_no_skeleton),
    CASE(space_none),        CASE(space_no_weights),   CASE(space_nan),
    CASE(follow_nothing),    CASE(follow_back),        CASE(palette_no_skin),
    CASE(palette_no_room),   CASE(cull_no_frustum),    CASE(cull_first_1),
    CASE(frustum_depth_2),   CASE(visible_negative),   CASE(batch_none),
    CASE(batch_no_mixer),    CASE(solve_no_solvers),   CASE(solve_no_pose),
    CASE(solve_kind_2),      CASE(limb_no_skeleton),   CASE(scene_none),
    CASE(scene_has_none),    CASE(scene_cull_nothing), CASE(scene_pick_by_2),
    CASE(scene_pick_no_hit),
};

static void run_cases(const wrong_case *cases, int count, int expected) {
    int faults = 0;
    for (int i = 0; i < count; i++) {
        int end = run_in_child(cases[i].call, NULL);
        if (end == expected) continue;
        print_error("%s: ended with %d, not %d\n", cases[i].name, end, expected);
        faults++;
    }
    assert_int_equal(faults, 0);
}

static void test_wrong_arguments_are_asserted(void **state) {
    (void)state;
    if (!has_asserts) skip(); // undefined there
    run_cases(asserted, COUNT(asserted), -SIGABRT);
}

// ---- Safe without asserts ------------------------------------------------------------------------------------

// Whether the rod is where it was.
static int rod_stays(void) {
    sinew_scene_update(s.scene, 0.1f);
    sinew_affine world = sinew_scene_world(s.scene, s.rod), none = sinew_affine_identity();
    return memcmp(&world, &none, sizeof none) != 0;
}

static int transform_nan(void *data) {
    (void)data;
    sinew_transform transform = sinew_transform_identity();
    transform.translation.y = NAN;
    sinew_scene_set_transform(s.scene, s.rod, transform);
    return rod_stays();
}

static int matrix_infinite(void *data) {
    (void)data;
    sinew_affine matrix = sinew_affine_identity();
    matrix.m[2][1] = INFINITY;
    sinew_scene_set_matrix(s.scene, s.rod, matrix);
    return rod_stays();
}

static int remove_joint(void *data) {
    (void)data;
    sinew_scene_remove(s.scene, sinew_scene_joint(s.hero, 1));
    return !sinew_scene_has(s.scene, s.hero);
}

static int move_joint(void *data) {
    (void)data;
    sinew_scene_set_matrix(s.scene, sinew_scene_joint(s.hero, 1), (sinew_affine){{{0}}});
    sinew_scene_update(s.scene, 0.1f);
    return sinew_scene_world(s.scene, s.hero).m[0][0] != 1.0f;
}

static int instance_7(void *data) {
    (void)data;
    return sinew_scene_instance(s.scene, 7).generation != 0;
}

static int palette_of_skin_2(void *data) {
    (void)data;
    return sinew_scene_palette(s.scene, s.hero, 2) != NULL;
}

static int update_nan(void *data) {
    (void)data;
    sinew_mixer_play(sinew_scene_mixer(s.scene, s.hero), sinew_clip_source(s.slide), NULL);
    sinew_scene_update(s.scene, NAN);
    return !isfinite(sinew_scene_world(s.scene, sinew_scene_joint(s.hero, 2)).m[0][3]);
}

static const wrong_case safe[] = {
    CASE(transform_nan), CASE(matrix_infinite),   CASE(remove_joint), CASE(move_joint),
    CASE(instance_7),    CASE(palette_of_skin_2), CASE(update_nan),
};

static void test_wrong_arguments_of_a_scene_are_safe_without_asserts(void **state) {
    (void)state;
    run_cases(safe, COUNT(safe), has_asserts ? -SIGABRT : 0);
}

// ---- Results -------------------------------------------------------------------------------------------------

static sinew_error error;

static void check_refused(sinew_result result, sinew_result expected, const char *message) {
    assert_int_equal(result, expected);
    assert_int_equal(error.result, expected);
    assert_string_equal(error.message, message);
    error = (sinew_error){0};
}

static void test_a_scene_that_is_refused_says_why(void **state) {
    (void)state;
    sinew_scene *scene;
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = 0;
    check_refused(sinew_scene_create(&def, &scene, &error), SINEW_ERROR_ARGUMENT,
                  "scene: max_nodes is 0; it must be 1 to 1000000");
    assert_null(scene);
}

static void test_a_node_that_is_refused_says_why(void **state) {
    (void)state;
    sinew_scene_node node, gone;
    sinew_scene_node_def def = sinew_scene_node_default();
    assert_int_equal(sinew_scene_add_node(s.scene, &def, &gone, NULL), SINEW_OK);
    check_refused(sinew_scene_add_node(s.scene, &def, &node, &error), SINEW_ERROR_LIMIT,
                  "scene: all 3 nodes are in use; raise max_nodes");
    assert_int_equal(node.generation, 0);
    sinew_scene_remove(s.scene, gone);
    def.parent = gone;
    check_refused(sinew_scene_add_node(s.scene, &def, &node, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the parent is gone, or belongs to a different scene");
    def = sinew_scene_node_default();
    def.transform.scale.z = NAN;
    check_refused(sinew_scene_add_node(s.scene, &def, &node, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the node's transform is not finite");
}

static void test_a_parent_that_is_refused_says_why(void **state) {
    (void)state;
    sinew_scene_node joint = sinew_scene_joint(s.hero, 1), gone = {7, 1, SINEW_NO_NODE};
    sinew_scene *in = s.scene;
    check_refused(sinew_scene_set_parent(in, gone, s.hero, SINEW_REPARENT_KEEP_LOCAL, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the node is gone, or belongs to a different scene");
    check_refused(sinew_scene_set_parent(in, s.rod, gone, SINEW_REPARENT_KEEP_LOCAL, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the parent is gone, or belongs to a different scene");
    check_refused(sinew_scene_set_parent(in, joint, s.rod, SINEW_REPARENT_KEEP_LOCAL, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the node is joint 1 of an instance; a joint keeps its parent, so move the instance");
    check_refused(sinew_scene_set_parent(in, s.hero, joint, SINEW_REPARENT_KEEP_LOCAL, &error),
                  SINEW_ERROR_ARGUMENT, "scene: the parent is the node itself or one of its descendants");
    check_refused(sinew_scene_set_parent(in, s.rod, joint, (sinew_reparent_mode)9, &error), SINEW_ERROR_ARGUMENT,
                  "scene: mode is 9; it must be SINEW_REPARENT_KEEP_LOCAL or SINEW_REPARENT_KEEP_WORLD");
    check_refused(
        sinew_scene_swap(in, s.rod, joint, &error), SINEW_ERROR_ARGUMENT,
        "scene: the second node is joint 1 of an instance; a joint keeps its parent, so move the instance");
    assert_int_equal(sinew_scene_set_parent(in, s.rod, joint, SINEW_REPARENT_KEEP_LOCAL, &error), SINEW_OK);
    check_refused(sinew_scene_swap(in, s.rod, s.hero, &error), SINEW_ERROR_ARGUMENT,
                  "scene: one of the two nodes is a descendant of the other");
    sinew_scene_detach(in, s.rod, SINEW_REPARENT_KEEP_LOCAL);
}

static void test_an_instance_that_is_refused_says_why(void **state) {
    (void)state;
    sinew_scene_node node;
    sinew_instance_def def = sinew_instance_default();
    check_refused(sinew_scene_add_instance(s.scene, &def, &node, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the instance's asset is NULL");
    def.asset = &s.asset;
    def.pose = (sinew_instance_pose)3;
    check_refused(sinew_scene_add_instance(s.scene, &def, &node, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the instance's pose is 3; it must be a sinew_instance_pose");
    def.pose = SINEW_INSTANCE_POSE_OWN;
    def.solver_count = 2;
    check_refused(sinew_scene_add_instance(s.scene, &def, &node, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the instance's solver_count is 2, but solvers is NULL");
    def.solver_count = 0;
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.max_actions = 99;
    def.mixer = &mixer;
    check_refused(sinew_scene_add_instance(s.scene, &def, &node, &error), SINEW_ERROR_ARGUMENT,
                  "mixer: max_actions is 99; it must be 1 to 64");
    check_refused(sinew_scene_set_mixer(s.scene, s.hero, &mixer, &error), SINEW_ERROR_ARGUMENT,
                  "mixer: max_actions is 99; it must be 1 to 64");
    sinew_transform offset = sinew_transform_identity();
    check_refused(sinew_scene_attach(s.scene, s.rod, s.hero, NULL, offset, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the joint's name is NULL");
    offset.scale.x = INFINITY;
    check_refused(sinew_scene_attach(s.scene, s.rod, s.hero, "1", offset, &error), SINEW_ERROR_ARGUMENT,
                  "scene: the offset is not finite");
}

static void write_nothing(const void *bytes, size_t size, void *user) {
    (void)bytes, (void)size, (void)user;
}

static void test_a_recording_that_is_refused_says_why(void **state) {
    (void)state;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_mixer_record(mixer, write_nothing, NULL, &error), SINEW_OK);
    check_refused(sinew_mixer_record(mixer, write_nothing, NULL, &error), SINEW_ERROR_ARGUMENT,
                  "recording: the mixer is already being recorded; stop that first");
    assert_int_equal(sinew_mixer_record(mixer, NULL, NULL, &error), SINEW_OK);
    sinew_mixer_play(mixer, sinew_clip_source(s.slide), NULL);
    check_refused(sinew_mixer_record(mixer, write_nothing, NULL, &error), SINEW_ERROR_ARGUMENT,
                  "recording: the mixer has played, advanced or changed a layer; start before that; for an "
                  "animator's mixer, set write_recording in sinew_animator_def");
    check_refused(sinew_mixer_record(NULL, write_nothing, NULL, &error), SINEW_ERROR_ARGUMENT,
                  "recording: mixer is NULL");
    sinew_mixer_destroy(mixer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_arguments_are_asserted),
        cmocka_unit_test(test_wrong_arguments_of_a_scene_are_safe_without_asserts),
        cmocka_unit_test(test_a_scene_that_is_refused_says_why),
        cmocka_unit_test(test_a_node_that_is_refused_says_why),
        cmocka_unit_test(test_a_parent_that_is_refused_says_why),
        cmocka_unit_test(test_an_instance_that_is_refused_says_why),
        cmocka_unit_test(test_a_recording_that_is_refused_says_why),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
