// SPDX-License-Identifier: MIT
// The caller's own model matrices in a scene: a character's pose is drawn, held, culled and shared.
#include "support/check.h"

static const char graph_text[] =
    "{ \"sinewGraph\": 1,"
    "  \"parameters\": { \"lookAt\": { \"type\": \"vector3\" } },"
    "  \"layers\": [ { \"name\": \"Base\", \"states\": { \"Walk\": { \"clip\": \"Walk\" } } } ],"
    "  \"rig\": { \"steps\": [ { \"aim\": { \"node\": \"Head\", \"goal\": \"lookAt\", \"limit\": 1 } } ] } }";

// A character, an instance that shows it, one that shares its pose, and a sword in the second one's hand.
typedef struct stage {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_rig *rig;
    sinew_character *character;
    sinew_scene *scene;
    sinew_scene_node hero, shares, sword;
} stage;

static void make_character(stage *s) {
    sinew_error error = {0};
    s->asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    if (sinew_graph_load_memory(graph_text, sizeof graph_text - 1, NULL, &s->graph, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_graph_binding_def binding = sinew_graph_binding_default();
    binding.graph = s->graph;
    binding.asset = s->asset;
    if (sinew_graph_bind(&binding, &s->binding, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_rig_def rig = sinew_rig_default();
    rig.binding = s->binding;
    if (sinew_rig_create(&rig, &s->rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_character_def def = sinew_character_default();
    def.rig = s->rig;
    if (sinew_character_create(&def, &s->character, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_animator_set_vector3(sinew_character_animator(s->character), 0, (sinew_vec3){2, 1.5f, 3});
}

static sinew_scene_node place(sinew_scene *scene, const sinew_asset *asset, sinew_instance_pose pose) {
    sinew_instance_def def = sinew_instance_default();
    sinew_scene_node node;
    sinew_error error;
    def.asset = asset;
    def.pose = pose;
    if (sinew_scene_add_instance(scene, &def, &node, &error) != SINEW_OK) fail_msg("%s", error.message);
    return node;
}

static void use_character(stage *s) {
    assert_int_equal(sinew_scene_use_model(s->scene, s->hero, sinew_character_model(s->character),
                                           sinew_mixer_morph_weights(sinew_character_mixer(s->character)), NULL),
                     SINEW_OK);
}

static void set_up(stage *s, bool skip_unseen) {
    make_character(s);
    sinew_scene_def def = sinew_scene_default();
    def.skip_unseen = skip_unseen;
    assert_int_equal(sinew_scene_create(&def, &s->scene, NULL), SINEW_OK);
    s->hero = place(s->scene, s->asset, SINEW_INSTANCE_POSE_REST);
    use_character(s);
    sinew_instance_def share = sinew_instance_default();
    share.asset = s->asset;
    share.pose = SINEW_INSTANCE_POSE_SHARE;
    share.share = s->hero;
    assert_int_equal(sinew_scene_add_instance(s->scene, &share, &s->shares, NULL), SINEW_OK);
    sinew_scene_node_def node = sinew_scene_node_default();
    node.parent = sinew_scene_find_joint(s->scene, s->shares, "Grip_R");
    assert_int_equal(sinew_scene_add_node(s->scene, &node, &s->sword, NULL), SINEW_OK);
}

static void tear_down(stage *s) {
    sinew_scene_destroy(s->scene);
    sinew_character_destroy(s->character);
    sinew_rig_destroy(s->rig);
    sinew_graph_binding_destroy(s->binding);
    sinew_graph_destroy(s->graph);
    sinew_asset_destroy(s->asset);
}

// Palettes, bounds and what hangs on a joint follow `model`.
static void check_shows(const stage *s, const sinew_affine *model) {
    const sinew_skin *skin = &s->asset->skins[0];
    const size_t size = (size_t)skin->joint_count * sizeof(sinew_affine);
    sinew_affine *palette = malloc(size);
    assert_non_null(palette);
    sinew_skin_palette(skin, model, palette);
    assert_memory_equal(palette, sinew_scene_palette(s->scene, s->hero, 0), size);
    assert_memory_equal(palette, sinew_scene_palette(s->scene, s->shares, 0), size);
    free(palette);
    const sinew_affine held = sinew_scene_world(s->scene, s->sword);
    assert_memory_equal(&held, &model[sinew_skeleton_find(s->asset->skeleton, "Grip_R")], sizeof held);
    sinew_box box;
    sinew_bounds_pose(s->asset->bounds, model, NULL, &box, NULL);
    const sinew_box shown = sinew_scene_bounds(s->scene, s->hero);
    check_near(shown.max.z, box.max.z, 1e-6);
    check_near(shown.min.x, box.min.x, 1e-6);
}

// Catches palettes, bounds and attachments that stay behind, and a frame of delay.
static void a_character_is_what_the_scene_shows(void **state) {
    (void)state;
    stage s;
    set_up(&s, false);
    const sinew_affine *model = sinew_character_model(s.character);
    assert_ptr_equal(sinew_scene_model_matrices(s.scene, s.shares), model);
    for (int frame = 0; frame < 20; frame++) {
        const sinew_affine before = sinew_scene_world(s.scene, s.sword);
        sinew_character_update(s.character, 0.05f);
        sinew_scene_update(s.scene, 0.05f);
        const sinew_affine after = sinew_scene_world(s.scene, s.sword);
        assert_memory_not_equal(&after, &before, sizeof after);
        check_shows(&s, model);
    }
    tear_down(&s);
}

// Catches an instance that never goes back to its rest pose, or only with the next update.
static void without_a_model_it_rests(void **state) {
    (void)state;
    stage s;
    set_up(&s, false);
    sinew_character_update(s.character, 0.3f);
    sinew_scene_update(s.scene, 0.3f);
    assert_int_equal(sinew_scene_use_model(s.scene, s.hero, NULL, NULL, NULL), SINEW_OK);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s.asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_affine *rest = malloc((size_t)s.asset->skeleton->node_count * sizeof *rest);
    assert_non_null(rest);
    sinew_pose_to_model(pose, rest);
    sinew_scene_update_world(s.scene);
    check_shows(&s, rest);
    sinew_character_destroy(s.character); // not needed any more
    s.character = NULL;
    sinew_scene_update(s.scene, 0.1f);
    check_shows(&s, rest);
    sinew_pose_destroy(pose);
    free(rest);
    tear_down(&s);
}

// Catches bounds without the caller's morph weights. The first target moves a vertex to z = 3.
static void morph_weights_come_along(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/conformance/morph-weights-linear.gltf", NULL);
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(NULL, &scene, NULL), SINEW_OK);
    const sinew_scene_node node = place(scene, asset, SINEW_INSTANCE_POSE_REST);
    const sinew_affine model = sinew_affine_identity();
    float weights[2] = {1, 0};
    assert_int_equal(sinew_scene_use_model(scene, node, &model, weights, NULL), SINEW_OK);
    assert_ptr_equal(sinew_scene_weights(scene, node), weights);
    sinew_scene_update_world(scene);
    check_near(sinew_scene_bounds(scene, node).max.z, 3, 1e-4);
    weights[0] = 2;
    sinew_scene_update(scene, 0.1f);
    check_near(sinew_scene_bounds(scene, node).max.z, 6, 1e-4);
    assert_int_equal(sinew_scene_use_model(scene, node, &model, NULL, NULL), SINEW_OK);
    sinew_scene_update_world(scene);
    check_near(sinew_scene_bounds(scene, node).max.z, 0, 1e-4);
    assert_ptr_equal(sinew_scene_weights(scene, node), asset->skeleton->rest_weights);
    sinew_scene_destroy(scene);
    sinew_asset_destroy(asset);
}

// Catches work for what nobody sees, and a pose that isn't caught up with.
static void what_is_not_seen_is_not_computed(void **state) {
    (void)state;
    stage s;
    set_up(&s, true);
    sinew_mat4 behind = sinew_mat4_perspective(0.5f, 1, 0.1f, 100, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    sinew_frustum frustum = sinew_frustum_from_matrix(behind, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    sinew_transform transform = sinew_transform_identity();
    transform.translation.z = 50;
    sinew_scene_set_transform(s.scene, s.hero, transform);
    sinew_scene_set_transform(s.scene, s.shares, transform);
    sinew_scene_update(s.scene, 0.1f);
    assert_false(sinew_is_visible(sinew_scene_cull(s.scene, &frustum), 0));
    const sinew_affine seen = sinew_scene_palette(s.scene, s.hero, 0)[1];
    sinew_character_update(s.character, 0.3f);
    sinew_scene_update(s.scene, 0.3f);
    assert_memory_equal(&seen, &sinew_scene_palette(s.scene, s.hero, 0)[1], sizeof seen);
    transform.translation.z = -50;
    sinew_scene_set_transform(s.scene, s.hero, transform);
    sinew_scene_update(s.scene, 0);
    assert_true(sinew_is_visible(sinew_scene_cull(s.scene, &frustum), 0));
    sinew_scene_update(s.scene, 0);
    assert_memory_not_equal(&seen, &sinew_scene_palette(s.scene, s.hero, 0)[1], sizeof seen);
    tear_down(&s);
}

// Catches a mixer that works for nothing, and a pose with two sources.
static void what_has_a_pose_is_refused(void **state) {
    (void)state;
    stage s;
    sinew_error error;
    set_up(&s, false);
    const sinew_affine *model = sinew_character_model(s.character);
    const sinew_scene_node own = place(s.scene, s.asset, SINEW_INSTANCE_POSE_OWN);
    assert_int_equal(sinew_scene_use_model(s.scene, own, model, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "SINEW_INSTANCE_POSE_REST"));
    assert_ptr_equal(sinew_scene_model_matrices(s.scene, own),
                     sinew_mixer_model_matrices(sinew_scene_mixer(s.scene, own)));
    const sinew_scene_node none[] = {s.shares, s.sword, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sinew_scene_use_model(s.scene, none[i], model, NULL, NULL), SINEW_ERROR_ARGUMENT);
    }
    const sinew_scene_node joint = sinew_scene_joint(s.hero, 3); // means its instance
    assert_int_equal(sinew_scene_use_model(s.scene, joint, model, NULL, NULL), SINEW_OK);
    sinew_scene_remove(s.scene, s.hero);
    assert_int_equal(sinew_scene_use_model(s.scene, s.hero, model, NULL, NULL), SINEW_ERROR_ARGUMENT);
    sinew_character_update(s.character, 0.1f);
    sinew_scene_update(s.scene, 0.1f); // who shares the pose still shows it
    assert_ptr_equal(sinew_scene_model_matrices(s.scene, s.shares), model);
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character_is_what_the_scene_shows),
        cmocka_unit_test(without_a_model_it_rests),
        cmocka_unit_test(morph_weights_come_along),
        cmocka_unit_test(what_is_not_seen_is_not_computed),
        cmocka_unit_test(what_has_a_pose_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
