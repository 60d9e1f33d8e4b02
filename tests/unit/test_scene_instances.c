// SPDX-License-Identifier: MIT
// Files placed in a scene: what's attached to their joints, shared poses, edits and solvers, what's invisible, and
// out of memory.
//
// Mistakes: a sword that's where the hand was a frame ago; armour that lags behind its body, or is removed with it; a
// character that jumps back to where it was last seen.
#include "support/scene_order.h"
#include "support/small_rig.h"
#include "scene/scene_state.h"

static const sinew_scene_node none = {0, 0, 0};
static const float dt = 1.0f / 60.0f;

static sinew_asset *hero, *sword, *windmill;

static sinew_scene *make_scene(int32_t max_nodes, bool skip_unseen) {
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = max_nodes;
    def.skip_unseen = skip_unseen;
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&def, &scene, NULL), SINEW_OK);
    return scene;
}

static sinew_scene_node place(sinew_scene *scene, const sinew_instance_def *def) {
    sinew_scene_node node;
    sinew_error error = {0};
    if (sinew_scene_add_instance(scene, def, &node, &error) != SINEW_OK) fail_msg("%s", error.message);
    return node;
}

static sinew_instance_def def_of(const sinew_asset *asset, sinew_instance_pose pose) {
    sinew_instance_def def = sinew_instance_default();
    def.asset = asset;
    def.pose = pose;
    return def;
}

static sinew_scene_node place_at(sinew_scene *scene, const sinew_asset *asset, sinew_transform at) {
    sinew_instance_def def = def_of(asset, SINEW_INSTANCE_POSE_OWN);
    def.node.transform = at;
    return place(scene, &def);
}

static sinew_scene_node place_sharing(sinew_scene *scene, const sinew_asset *asset, sinew_scene_node with) {
    sinew_instance_def def = def_of(asset, SINEW_INSTANCE_POSE_SHARE);
    def.share = with;
    return place(scene, &def);
}

static sinew_transform somewhere(uint64_t seed) {
    sinew_transform t = {.rotation = random_quat(&seed), .scale = {1.5f, 1.5f, 1.5f}};
    for (int i = 0; i < 3; i++) (&t.translation.x)[i] = random_float(&seed, -5, 5);
    return t;
}

static void play(sinew_mixer *mixer, const sinew_asset *asset, const char *clip) {
    assert_non_null(sinew_asset_find_clip(asset, clip));
    sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(asset, clip)), NULL);
}

// A mixer that no scene knows of.
static sinew_mixer *make_twin(const sinew_asset *asset) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static void check_bits(sinew_affine actual, sinew_affine expected) {
    assert_memory_equal(&actual, &expected, sizeof actual);
}

static void check_pose(const sinew_affine *actual, const sinew_affine *expected, const sinew_asset *asset) {
    assert_memory_equal(actual, expected, (size_t)asset->skeleton->node_count * sizeof *actual);
}

// ---- In the hand ---------------------------------------------------------------------------------------------

// A hero at a place cross-fades with a sword in its hand, a windmill on the sword's node and one on the windmill's sails,
// and by hand the same products are made from a mixer of the test's own.
static void follow_the_hand(sinew_transform at) {
    sinew_scene *scene = make_scene(16, false);
    sinew_scene_node first_mill = place_at(scene, windmill, somewhere(1)),
                     mill = place_at(scene, windmill, somewhere(2));
    sinew_scene_node blade = place_at(scene, sword, somewhere(3)), who = place_at(scene, hero, at);
    sinew_transform offset = somewhere(4), on_sword = somewhere(5), on_axle = somewhere(6);
    assert_int_equal(sinew_scene_attach(scene, first_mill, mill, "Axle", on_axle, NULL), SINEW_OK);
    assert_int_equal(sinew_scene_attach(scene, mill, blade, "Sword", on_sword, NULL), SINEW_OK);
    assert_int_equal(sinew_scene_attach(scene, blade, who, "Hand_R", offset, NULL), SINEW_OK);
    sinew_mixer *twin = make_twin(hero), *twin_mill = make_twin(windmill), *mixer = sinew_scene_mixer(scene, who);
    play(mixer, hero, "Walk");
    play(twin, hero, "Walk");
    play(sinew_scene_mixer(scene, mill), windmill, "Turn");
    play(twin_mill, windmill, "Turn");
    int32_t hand = sinew_skeleton_find(hero->skeleton, "Hand_R"),
            axle = sinew_skeleton_find(windmill->skeleton, "Axle");
    sinew_affine before = sinew_affine_identity();
    for (int frame = 0; frame < 90; frame++) {
        if (frame == 20)
            sinew_mixer_crossfade_to(mixer, sinew_clip_source(sinew_asset_find_clip(hero, "Run")), 0.5f, NULL);
        if (frame == 20)
            sinew_mixer_crossfade_to(twin, sinew_clip_source(sinew_asset_find_clip(hero, "Run")), 0.5f, NULL);
        sinew_scene_update(scene, dt);
        sinew_mixer_update(twin, dt);
        sinew_mixer_update(twin_mill, dt);
        sinew_affine in_hand =
            sinew_affine_multiply(sinew_mixer_model_matrices(twin)[hand], sinew_affine_from_transform(offset));
        assert_memory_not_equal(&in_hand, &before, sizeof before); // each frame differs: one frame late is seen
        before = in_hand;
        sinew_affine expected = sinew_affine_multiply(sinew_affine_from_transform(at), in_hand);
        check_bits(sinew_scene_world(scene, blade), expected);
        if (at.scale.x == 1.0f) check_bits(sinew_scene_world(scene, blade), in_hand); // it stands at the origin
        sinew_affine on_blade = sinew_affine_multiply(sinew_scene_model_matrices(scene, blade)[0],
                                                      sinew_affine_from_transform(on_sword));
        expected = sinew_affine_multiply(expected, on_blade);
        check_bits(sinew_scene_world(scene, mill), expected);
        const sinew_affine *turned = &sinew_mixer_model_matrices(twin_mill)[axle];
        check_bits(sinew_scene_world(scene, sinew_scene_joint(mill, axle)),
                   sinew_affine_multiply(expected, *turned));
        sinew_affine on_sails = sinew_affine_multiply(*turned, sinew_affine_from_transform(on_axle));
        check_bits(sinew_scene_world(scene, first_mill), sinew_affine_multiply(expected, on_sails));
    }
    sinew_mixer_destroy(twin);
    sinew_mixer_destroy(twin_mill);
    sinew_scene_destroy(scene);
}

static void test_a_sword_is_where_the_hand_is(void **state) {
    (void)state;
    follow_the_hand(sinew_transform_identity());
    follow_the_hand(somewhere(7));
}

static void test_a_place_below_what_is_flat_is_not_kept(void **state) {
    (void)state;
    sinew_scene *scene = make_scene(4, false);
    sinew_scene_node_def def = sinew_scene_node_default();
    sinew_scene_node flat, node, child;
    def.transform.scale.y = 0;
    assert_int_equal(sinew_scene_add_node(scene, &def, &flat, NULL), SINEW_OK);
    def.transform = somewhere(1);
    assert_int_equal(sinew_scene_add_node(scene, &def, &node, NULL), SINEW_OK);
    def.parent = flat;
    assert_int_equal(sinew_scene_add_node(scene, &def, &child, NULL), SINEW_OK);
    sinew_scene_update(scene, 0);
    sinew_affine world = sinew_scene_world(scene, node), pressed = sinew_scene_world(scene, child);
    assert_int_equal(sinew_scene_set_parent(scene, node, flat, SINEW_REPARENT_KEEP_WORLD, NULL),
                     SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_scene_parent(scene, node).generation, 0);
    sinew_scene_update(scene, 0);
    check_bits(sinew_scene_world(scene, node), world);
    sinew_scene_detach(scene, child, SINEW_REPARENT_KEEP_WORLD); // to the top there is always a way
    sinew_scene_update(scene, 0);
    check_bits(sinew_scene_world(scene, child), pressed);
    sinew_scene_set_inherits_scale(scene, node, false); // without its scale it is not flat
    assert_int_equal(sinew_scene_set_parent(scene, node, flat, SINEW_REPARENT_KEEP_WORLD, NULL), SINEW_OK);
    sinew_scene_update(scene, 0);
    for (int i = 0; i < 12; i++) {
        check_near(sinew_scene_world(scene, node).m[i / 4][i % 4], world.m[i / 4][i % 4], 2e-6);
    }
    sinew_scene_destroy(scene);
}

static void test_what_is_new_is_somewhere_at_once(void **state) {
    (void)state;
    sinew_scene *scene = make_scene(4, true);
    sinew_transform at = somewhere(8), offset = somewhere(9);
    sinew_scene_node who = place_at(scene, hero, at);
    sinew_instance_def def = def_of(sword, SINEW_INSTANCE_POSE_REST);
    int32_t hand = sinew_skeleton_find(hero->skeleton, "Hand_R");
    def.node.parent = sinew_scene_joint(who, hand);
    def.node.transform = offset;
    sinew_scene_node blade = place(scene, &def);
    sinew_affine in_hand =
        sinew_affine_multiply(sinew_scene_model_matrices(scene, who)[hand], sinew_affine_from_transform(offset));
    check_bits(sinew_scene_world(scene, blade), sinew_affine_multiply(sinew_affine_from_transform(at), in_hand));
    sinew_box box = sinew_scene_bounds(scene, blade), after;
    assert_false(sinew_box_is_empty(box));
    sinew_scene_update(scene, 0);
    after = sinew_scene_bounds(scene, blade);
    assert_memory_equal(&after, &box, sizeof box);
    sinew_scene_destroy(scene);
}

// ---- Sharing -------------------------------------------------------------------------------------------------

static void test_instances_of_one_asset_share_all(void **state) {
    (void)state;
    sinew_scene *scene = make_scene(4, false);
    sinew_scene_node body = place_at(scene, hero, somewhere(1)), hair = place_sharing(scene, hero, body);
    sinew_scene_node armour = place_sharing(scene, hero, hair);
    const sinew_scene_node all[2] = {hair, armour};
    sinew_mixer *mixer = sinew_scene_mixer(scene, body), *twin = make_twin(hero);
    for (int i = 0; i < 2; i++) {
        assert_ptr_equal(sinew_scene_mixer(scene, all[i]), mixer);
        assert_ptr_equal(sinew_scene_model_matrices(scene, all[i]), sinew_scene_model_matrices(scene, body));
        assert_ptr_equal(sinew_scene_weights(scene, all[i]), sinew_scene_weights(scene, body));
        assert_ptr_equal(sinew_scene_palette(scene, all[i], 0), sinew_scene_palette(scene, body, 0));
    }
    play(mixer, hero, "Run");
    play(twin, hero, "Run");
    size_t size = (size_t)hero->skins[0].joint_count * sizeof(sinew_affine);
    sinew_affine *palette = malloc(size);
    for (int frame = 0; frame < 40; frame++) {
        if (frame == 10) sinew_scene_remove(scene, body); // it leads no more, and its pose lives on
        if (frame == 30) sinew_scene_remove(scene, hair);
        sinew_scene_update(scene, dt);
        sinew_mixer_update(twin, dt);
        check_pose(sinew_scene_model_matrices(scene, armour), sinew_mixer_model_matrices(twin), hero);
        sinew_skin_palette(&hero->skins[0], sinew_mixer_model_matrices(twin), palette);
        assert_memory_equal(sinew_scene_palette(scene, armour, 0), palette, size);
        check_order(scene);
    }
    free(palette);
    sinew_mixer_destroy(twin);
    sinew_scene_destroy(scene);
}

// Two handmade skeletons. The second has two of the first one's names, in another order and with other parents, and
// two new ones.
typedef struct dressed {
    sinew_skeleton *body_skeleton, *coat_skeleton;
    sinew_skin *skin;
    sinew_clip *slide;
    sinew_asset body, coat;
} dressed;

enum { COAT_ROOT, COAT_UPPER, COAT_TAIL, COAT_LOWER, COAT_NODES };

static void make_dressed(dressed *d) {
    d->body_skeleton = make_chain(4);
    sinew_node_def nodes[COAT_NODES] = {{.name = "own", .parent = -1, .rest = somewhere(1)},
                                        {.name = "n3", .parent = COAT_ROOT, .rest = somewhere(2)},
                                        {.name = "", .parent = COAT_UPPER, .rest = somewhere(3)},
                                        {.name = "n1", .parent = COAT_UPPER, .rest = somewhere(4)}};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = COAT_NODES;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &d->coat_skeleton, NULL), SINEW_OK);
    static const int32_t joints[2] = {COAT_TAIL, COAT_LOWER};
    sinew_skin_def skin = sinew_skin_default();
    skin.skeleton = d->coat_skeleton;
    skin.joints = joints;
    skin.joint_count = 2;
    assert_int_equal(sinew_skin_create(&skin, &d->skin, NULL), SINEW_OK);
    d->slide = make_slide(d->body_skeleton, "slide", 1, 2.0f, 3.0f);
    d->body = (sinew_asset){.skeleton = d->body_skeleton};
    d->coat = (sinew_asset){.skeleton = d->coat_skeleton, .skin_count = 1, .skins = d->skin};
}

static void free_dressed(dressed *d) {
    sinew_clip_destroy(d->slide);
    sinew_skin_destroy(d->skin);
    sinew_skeleton_destroy(d->coat_skeleton);
    sinew_skeleton_destroy(d->body_skeleton);
}

static void check_coat(const sinew_scene *scene, sinew_scene_node coat, const sinew_affine *body) {
    const sinew_affine *model = sinew_scene_model_matrices(scene, coat);
    check_bits(model[COAT_ROOT], sinew_affine_from_transform(somewhere(1)));
    check_bits(model[COAT_UPPER], body[3]);
    check_bits(model[COAT_LOWER], body[1]);
    check_bits(model[COAT_TAIL], sinew_affine_multiply(body[3], sinew_affine_from_transform(somewhere(3))));
    const sinew_affine *palette = sinew_scene_palette(scene, coat, 0);
    check_bits(palette[0], model[COAT_TAIL]); // without inverse bind matrices
    check_bits(palette[1], model[COAT_LOWER]);
}

static void test_another_asset_follows_by_names(void **state) {
    (void)state;
    dressed d;
    make_dressed(&d);
    sinew_scene *scene = make_scene(4, false);
    sinew_scene_node body = place_at(scene, &d.body, somewhere(5)), coat = place_sharing(scene, &d.coat, body);
    sinew_scene_node lining = place_sharing(scene, &d.coat, coat), under = place_sharing(scene, &d.body, coat);
    assert_ptr_equal(sinew_scene_model_matrices(scene, lining), sinew_scene_model_matrices(scene, coat));
    assert_ptr_equal(sinew_scene_model_matrices(scene, under), sinew_scene_model_matrices(scene, body));
    sinew_mixer *mixer = sinew_scene_mixer(scene, body), *twin = make_twin(&d.body);
    assert_ptr_equal(sinew_scene_mixer(scene, coat), mixer);
    check_coat(scene, coat, sinew_mixer_model_matrices(twin)); // immediately
    sinew_mixer_play(mixer, sinew_clip_source(d.slide), NULL);
    sinew_mixer_play(twin, sinew_clip_source(d.slide), NULL);
    for (int frame = 0; frame < 40; frame++) {
        if (frame == 10) sinew_scene_remove(scene, body);
        if (frame == 20) sinew_scene_remove(scene, under);
        if (frame == 30) sinew_scene_remove(scene, coat);
        sinew_scene_update(scene, dt);
        sinew_mixer_update(twin, dt);
        check_coat(scene, lining, sinew_mixer_model_matrices(twin));
        check_order(scene);
    }
    assert_ptr_equal(sinew_scene_mixer(scene, lining), mixer);
    sinew_mixer_destroy(twin);
    sinew_scene_destroy(scene);
    free_dressed(&d);
}

// The glove of the right hand follows the right hand, though the left one has the same name.
static void test_parents_tell_equal_names_apart(void **state) {
    (void)state;
    static const small_node body_nodes[] = {{"Root", NULL, {1, 2, 3}, 0},    {"Left", "Root", {4, 5, 6}, 0},
                                            {"Hand", "Left", {7, 8, 9}, 0},  {"Right", "Root", {3, 2, 1}, 0},
                                            {"Hand", "Right", {6, 5, 4}, 0}, {0}};
    static const small_node glove_nodes[] = {{"Root", NULL, {0, 0, 0}, 0},    {"Right", "Root", {0, 0, 0}, 0},
                                             {"Hand", "Right", {0, 0, 0}, 0}, {"Left", "Root", {0, 0, 0}, 0},
                                             {"Hand", "Left", {0, 0, 0}, 0},  {0}};
    sinew_skeleton *body_skeleton = make_small_rig(body_nodes), *glove_skeleton = make_small_rig(glove_nodes);
    const sinew_asset body = {.skeleton = body_skeleton}, glove = {.skeleton = glove_skeleton};
    sinew_scene *scene = make_scene(2, false);
    const sinew_scene_node wearer = place_at(scene, &body, somewhere(5)),
                           worn = place_sharing(scene, &glove, wearer);
    const sinew_affine *of_body = sinew_scene_model_matrices(scene, wearer);
    const sinew_affine *of_glove = sinew_scene_model_matrices(scene, worn);
    check_bits(of_glove[2], of_body[4]);
    check_bits(of_glove[4], of_body[2]);
    sinew_scene_destroy(scene);
    sinew_skeleton_destroy(body_skeleton);
    sinew_skeleton_destroy(glove_skeleton);
}

// Each coat keeps a pose alive although its body is gone: there are twice as many poses as nodes.
static void test_a_full_scene_of_coats_without_bodies(void **state) {
    (void)state;
    enum { COATS = 40 };
    dressed d;
    make_dressed(&d);
    sinew_scene *scene = make_scene(COATS + 1, false);
    sinew_scene_node coats[COATS];
    sinew_mixer *twin = make_twin(&d.body);
    sinew_mixer_play(twin, sinew_clip_source(d.slide), NULL);
    for (int i = 0; i < COATS; i++) {
        sinew_scene_node body = place_at(scene, &d.body, somewhere(5));
        sinew_mixer_play(sinew_scene_mixer(scene, body), sinew_clip_source(d.slide), NULL);
        coats[i] = place_sharing(scene, &d.coat, body);
        sinew_scene_remove(scene, body);
        check_order(scene);
    }
    for (int frame = 0; frame < 10; frame++) {
        sinew_scene_update(scene, dt);
        sinew_mixer_update(twin, dt);
        for (int i = 0; i < COATS; i++) check_coat(scene, coats[i], sinew_mixer_model_matrices(twin));
    }
    sinew_mixer_destroy(twin);
    sinew_scene_destroy(scene);
    free_dressed(&d);
}

static void test_nothing_is_shared_with_what_rests(void **state) {
    (void)state;
    sinew_scene *scene = make_scene(4, false);
    sinew_instance_def def = def_of(hero, SINEW_INSTANCE_POSE_REST);
    sinew_scene_node still = place(scene, &def), made;
    assert_null(sinew_scene_mixer(scene, still));
    def = def_of(hero, SINEW_INSTANCE_POSE_SHARE);
    def.share = still;
    sinew_error error = {0};
    assert_int_equal(sinew_scene_add_instance(scene, &def, &made, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "share"));
    assert_int_equal(made.generation, 0);
    assert_int_equal(sinewi_scene_node_count(scene), 1);
    sinew_scene_destroy(scene);
}

// ---- Edits and solvers ---------------------------------------------------------------------------------------

typedef struct edited {
    sinew_scene_node node;
    int calls;
    bool keeps; // what the edit returns
    bool mends; // brings the model matrices up to date itself
} edited;

static sinew_affine expected_model[256];

static bool raise_hips(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model,
                       float seconds, void *user) {
    edited *e = user;
    (void)scene;
    assert_true(sinew_scene_node_equals(instance, e->node) && seconds == dt);
    sinew_pose_to_model(pose, expected_model);
    check_pose(model, expected_model, hero); // they are what the pose says
    int32_t hips = sinew_skeleton_find(hero->skeleton, "Hips");
    sinew_transform t = sinew_pose_get(pose, hips);
    t.translation.x += 0.25f;
    sinew_pose_set(pose, hips, t);
    if (e->mends) sinew_pose_to_model(pose, model);
    if (!e->keeps || e->mends) sinew_pose_to_model(pose, expected_model);
    e->calls++;
    return e->keeps;
}

static void check_edit(bool keeps, bool mends) {
    sinew_scene *scene = make_scene(2, false);
    edited e = {.keeps = keeps, .mends = mends};
    sinew_instance_def def = def_of(hero, SINEW_INSTANCE_POSE_OWN);
    def.edit = raise_hips;
    def.node.user = &e;
    e.node = place(scene, &def);
    play(sinew_scene_mixer(scene, e.node), hero, "Walk");
    for (int frame = 1; frame <= 20; frame++) {
        sinew_scene_update(scene, dt);
        assert_int_equal(e.calls, frame);
        check_pose(sinew_scene_model_matrices(scene, e.node), expected_model, hero);
    }
    sinew_scene_destroy(scene);
}

static void test_poses_are_edited(void **state) {
    (void)state;
    check_edit(false, false); // the model is made again
    check_edit(true, true);   // it is left
    check_edit(true, false);  // also where that is not so
}

// Springs for the ponytail of the hero.
static sinew_springs *make_ponytail(const sinew_skeleton *skeleton) {
    sinew_spring_joint joints[2] = {sinew_spring_joint_default(), sinew_spring_joint_default()};
    joints[0].node = sinew_skeleton_find(skeleton, "Hair1");
    joints[1].node = sinew_skeleton_find(skeleton, "Hair2");
    sinew_spring_chain chain = sinew_spring_chain_default();
    chain.joints = joints;
    chain.joint_count = 2;
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = skeleton;
    def.chains = &chain;
    def.chain_count = 1;
    sinew_springs *springs;
    assert_int_equal(sinew_springs_create(&def, &springs, NULL), SINEW_OK);
    return springs;
}

// A scene solves springs with the world matrix of this frame, as a program does without one.
static void test_springs_follow_the_instance(void **state) {
    (void)state;
    sinew_springs *springs = make_ponytail(hero->skeleton);
    const size_t size = sinew_springs_state_size(springs);
    sinew_scene *scene = make_scene(2, false);
    sinew_instance_def def = def_of(hero, SINEW_INSTANCE_POSE_OWN);
    def.springs = springs;
    sinew_scene_node node = place(scene, &def);
    play(sinew_scene_mixer(scene, node), hero, "Walk");
    const sinew_vec3 wind = {1, 0, 2};
    sinew_scene_set_wind(scene, wind);

    sinew_mixer_def mixer_def = sinew_mixer_default();
    mixer_def.skeleton = hero->skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&mixer_def, &mixer, NULL), SINEW_OK);
    play(mixer, hero, "Walk");
    sinew_spring_state *own = malloc(size);
    sinew_springs_reset(springs, own);
    sinew_affine model[256];
    for (int frame = 0; frame < 60; frame++) {
        sinew_transform t = sinew_transform_identity();
        t.translation.x = 0.05f * (float)frame;
        sinew_scene_set_transform(scene, node, t);
        sinew_scene_update(scene, dt);

        sinew_mixer_advance(mixer, dt);
        sinew_mixer_evaluate(mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_pose_to_model(pose, model);
        sinew_springs_input input = sinew_springs_input_default();
        input.world = sinew_affine_from_transform(t);
        input.wind = wind;
        sinew_springs_solve(springs, &input, dt, own, pose, model);
        check_pose(sinew_scene_model_matrices(scene, node), model, hero);
    }
    sinew_scene_destroy(scene);
    sinew_mixer_destroy(mixer);
    sinew_springs_destroy(springs);
    free(own);
}

static void test_springs_of_another_skeleton_are_refused(void **state) {
    (void)state;
    sinew_springs *springs = make_ponytail(hero->skeleton);
    sinew_scene *scene = make_scene(2, false);
    sinew_instance_def def = def_of(sword, SINEW_INSTANCE_POSE_OWN);
    def.springs = springs;
    sinew_scene_node node;
    sinew_error error = {0};
    assert_int_equal(sinew_scene_add_instance(scene, &def, &node, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "scene: the instance's springs belong to a different skeleton");
    sinew_scene_destroy(scene);
    sinew_springs_destroy(springs);
}

// The hips go up in the edit, and the hand is at its target all the same: solvers come behind. So is the sword in it.
static void test_solvers_bring_the_hand_to_its_target_at_once(void **state) {
    (void)state;
    const sinew_skeleton *skeleton = hero->skeleton;
    int32_t upper = sinew_skeleton_find(skeleton, "UpperArm_R"),
            lower = sinew_skeleton_find(skeleton, "LowerArm_R");
    int32_t hand = sinew_skeleton_find(skeleton, "Hand_R");
    sinew_ik ik = {.kind = SINEW_IK_TWO_BONE,
                   .two_bone = sinew_ik_two_bone_from_rest(skeleton, upper, lower, hand)};
    sinew_scene *scene = make_scene(2, false);
    edited e = {.keeps = false};
    sinew_instance_def def = def_of(hero, SINEW_INSTANCE_POSE_OWN);
    def.edit = raise_hips;
    def.node.user = &e;
    def.node.transform = somewhere(1);
    def.solvers = &ik;
    def.solver_count = 1;
    e.node = place(scene, &def);
    sinew_scene_node blade = place_at(scene, sword, somewhere(2));
    sinew_transform offset = somewhere(3);
    assert_int_equal(sinew_scene_attach(scene, blade, e.node, "Hand_R", offset, NULL), SINEW_OK);
    play(sinew_scene_mixer(scene, e.node), hero, "Walk");
    sinew_scene_update(scene, dt);
    for (int frame = 0; frame < 30; frame++) {
        const sinew_affine *model = sinew_scene_model_matrices(scene, e.node);
        sinew_vec3 at = {model[upper].m[0][3], model[upper].m[1][3], model[upper].m[2][3]};
        ik.two_bone.target = (sinew_vec3){at.x + 0.01f * (float)frame, at.y + 0.1f, at.z + 0.25f};
        sinew_scene_update(scene, dt);
        sinew_vec3 to = ik.two_bone.target;
        check_vec3(sinew_affine_point(model[hand], (sinew_vec3){0, 0, 0}), to.x, to.y, to.z, 1e-5);
        sinew_affine in_hand = sinew_affine_multiply(model[hand], sinew_affine_from_transform(offset));
        check_bits(sinew_scene_world(scene, blade),
                   sinew_affine_multiply(sinew_scene_world(scene, e.node), in_hand));
    }
    sinew_scene_destroy(scene);
}

// ---- What is not seen ----------------------------------------------------------------------------------------

// All that has x below 50, or above.
static sinew_frustum half_of_space(bool below) {
    sinew_frustum frustum = {{{below ? -1.0f : 1.0f, 0, 0, below ? 50.0f : -50.0f}}};
    return frustum;
}

static sinew_transform far_away(void) {
    sinew_transform t = sinew_transform_identity();
    t.translation.x = 100;
    return t;
}

static void test_what_is_not_seen_goes_on_in_time(void **state) {
    (void)state;
    sinew_scene *scene = make_scene(8, true);
    const sinew_scene_node seen = place_at(scene, hero, sinew_transform_identity()),
                           unseen = place_at(scene, hero, far_away());
    const sinew_scene_node both[2] = {seen, unseen};
    sinew_mixer *mixers[2];
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    once.speed = 4.0f;
    for (int i = 0; i < 2; i++) {
        mixers[i] = sinew_scene_mixer(scene, both[i]);
        play(mixers[i], hero, "Run");
    }
    sinew_scene_update(scene, dt); // what has just been placed is up to date once
    check_pose(sinew_scene_model_matrices(scene, unseen), sinew_scene_model_matrices(scene, seen), hero);
    size_t size = (size_t)hero->skeleton->node_count * sizeof(sinew_affine);
    sinew_affine *kept = malloc(size);
    memcpy(kept, sinew_scene_model_matrices(scene, unseen), size);
    sinew_frustum near = half_of_space(true), far = half_of_space(false);
    for (int frame = 0; frame < 200; frame++) {
        const uint32_t *visible = sinew_scene_cull(scene, &near);
        assert_true(sinew_is_visible(visible, 0) && !sinew_is_visible(visible, 1));
        for (int i = 0; i < 2 && frame == 100; i++) { // a clip that will have ended meanwhile
            sinew_mixer_crossfade_to(mixers[i], sinew_clip_source(sinew_asset_find_clip(hero, "Wave")), 0.2f,
                                     &once);
        }
        sinew_scene_update(scene, dt);
        check_pose(sinew_scene_model_matrices(scene, unseen), kept, hero);
        assert_true(sinew_mixer_hash(mixers[0]) == sinew_mixer_hash(mixers[1]));
    }
    assert_memory_not_equal(sinew_scene_model_matrices(scene, seen), kept, size);
    sinew_scene_cull(scene, &far);
    sinew_scene_update(scene, 0.0f);
    check_pose(sinew_scene_model_matrices(scene, unseen), sinew_scene_model_matrices(scene, seen), hero);
    free(kept);
    sinew_scene_destroy(scene);
}

static int times_called;

static bool count_calls(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model,
                        float seconds, void *user) {
    (void)scene, (void)instance, (void)pose, (void)model, (void)seconds, (void)user;
    times_called++;
    return true;
}

// A hero far away holds a rod, and at the rod's end, through a node between, hangs a sword that is seen.
static void test_who_carries_what_is_seen_is_kept_up_to_date(void **state) {
    (void)state;
    sinew_scene *scene = make_scene(8, true);
    sinew_instance_def def = def_of(hero, SINEW_INSTANCE_POSE_OWN);
    def.node.transform = far_away();
    def.edit = count_calls;
    sinew_scene_node who = place(scene, &def), alone = place(scene, &def),
                     blade = place_at(scene, sword, far_away());
    sinew_scene_node_def rod = sinew_scene_node_default();
    rod.parent = sinew_scene_find_joint(scene, who, "Hand_R");
    sinew_scene_node held;
    assert_int_equal(sinew_scene_add_node(scene, &rod, &held, NULL), SINEW_OK);
    assert_int_equal(sinew_scene_set_parent(scene, blade, held, SINEW_REPARENT_KEEP_WORLD, NULL), SINEW_OK);
    sinew_mixer *twin = make_twin(hero);
    play(sinew_scene_mixer(scene, who), hero, "Wave");
    play(twin, hero, "Wave");
    sinew_frustum near = half_of_space(true);
    for (int frame = 0; frame < 30; frame++) {
        sinew_transform to_origin = sinew_transform_identity();
        to_origin.translation.x = -100; // the sword is seen while the hand is not
        to_origin = frame < 20 ? to_origin : sinew_transform_identity();
        sinew_scene_set_transform(scene, blade, to_origin);
        sinew_scene_update_world(scene);
        sinew_affine hand = sinew_scene_world(scene, held);
        sinew_affine at = sinew_affine_identity();
        at.m[0][3] = frame < 20 ? 0.0f : 100.0f;
        sinew_scene_set_matrix(scene, blade, sinew_affine_multiply(sinew_affine_inverse(hand), at));
        sinew_scene_update_world(scene);
        sinew_scene_cull(scene, &near);
        times_called = 0;
        sinew_scene_update(scene, dt);
        sinew_mixer_update(twin, dt);
        assert_int_equal(times_called, frame < 20 ? 1 : 0); // `alone` is left, and in the end they all are
        if (frame < 20) check_pose(sinew_scene_model_matrices(scene, who), sinew_mixer_model_matrices(twin), hero);
    }
    assert_true(sinew_scene_has(scene, alone));
    sinew_mixer_destroy(twin);
    sinew_scene_destroy(scene);
}

// What is seen may get another carrier once the camera has looked: one that was left out until then is not any longer.
static void test_who_is_given_what_is_seen_is_brought_up_to_date(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        sinew_scene *scene = make_scene(8, true);
        sinew_scene_node who = place_at(scene, hero, far_away()),
                         blade = place_at(scene, sword, sinew_transform_identity()), rod, other;
        sinew_scene_node_def def = sinew_scene_node_default();
        assert_int_equal(sinew_scene_add_node(scene, &def, &rod, NULL), SINEW_OK); // itself, it is never seen
        def.parent = sinew_scene_find_joint(scene, who, "Hand_R");
        assert_int_equal(sinew_scene_add_node(scene, &def, &other, NULL), SINEW_OK);
        assert_int_equal(sinew_scene_set_parent(scene, blade, rod, SINEW_REPARENT_KEEP_LOCAL, NULL), SINEW_OK);
        sinew_mixer *twin = make_twin(hero);
        play(sinew_scene_mixer(scene, who), hero, "Wave");
        play(twin, hero, "Wave");
        sinew_frustum near = half_of_space(true);
        sinew_scene_update_world(scene);
        sinew_scene_cull(scene, &near);
        for (int frame = 0; frame < 20; frame++) {
            if (frame == 10 && way == 0)
                sinew_scene_attach(scene, blade, who, "Hand_R", sinew_transform_identity(), NULL);
            if (frame == 10 && way == 1)
                sinew_scene_set_parent(scene, rod, def.parent, SINEW_REPARENT_KEEP_WORLD, NULL);
            if (frame == 10 && way == 2) sinew_scene_swap(scene, other, rod, NULL);
            sinew_scene_update(scene, dt);
            sinew_mixer_update(twin, dt);
            bool is_current = memcmp(sinew_scene_model_matrices(scene, who), sinew_mixer_model_matrices(twin),
                                     (size_t)hero->skeleton->node_count * sizeof(sinew_affine)) == 0;
            assert_int_equal(is_current, frame >= 10);
        }
        sinew_mixer_destroy(twin);
        sinew_scene_destroy(scene);
    }
}

// One body stands far away, and what shares its pose is seen; later something new does.
static void test_a_shared_pose_is_seen_where_anybody_shows_it(void **state) {
    (void)state;
    sinew_scene *scene = make_scene(8, true);
    sinew_scene_node body = place_at(scene, hero, far_away()), shown = place_sharing(scene, hero, body);
    sinew_mixer *twin = make_twin(hero);
    play(sinew_scene_mixer(scene, body), hero, "Run");
    play(twin, hero, "Run");
    sinew_frustum near = half_of_space(true);
    for (int frame = 0; frame < 30; frame++) {
        if (frame == 10) sinew_scene_remove(scene, shown);
        sinew_scene_cull(scene, &near);
        if (frame == 20) place_sharing(scene, hero, body); // just placed counts as seen
        sinew_scene_update(scene, dt);
        sinew_mixer_update(twin, dt);
        bool is_seen = frame < 10 || frame >= 20;
        size_t size = (size_t)hero->skeleton->node_count * sizeof(sinew_affine);
        int differs = memcmp(sinew_scene_model_matrices(scene, body), sinew_mixer_model_matrices(twin), size);
        assert_int_equal(differs == 0, is_seen);
    }
    sinew_mixer_destroy(twin);
    sinew_scene_destroy(scene);
}

// ---- Where memory runs out -----------------------------------------------------------------------------------

static void test_a_scene_without_memory(void **state) {
    (void)state;
    counting counted = {.fail_at = 1};
    sinew_scene_def def = sinew_scene_default();
    def.allocator = counting_allocator(&counted);
    sinew_scene *scene = (sinew_scene *)&counted;
    assert_int_equal(sinew_scene_create(&def, &scene, NULL), SINEW_ERROR_OUT_OF_MEMORY);
    assert_null(scene);
    assert_int_equal(counted.live, 0);
    def.max_nodes = 0;
    assert_int_equal(sinew_scene_create(&def, &scene, NULL), SINEW_ERROR_ARGUMENT);
    def.max_nodes = SINEW_MAX_NODES + 1;
    assert_int_equal(sinew_scene_create(&def, &scene, NULL), SINEW_ERROR_ARGUMENT);
    sinew_scene_destroy(NULL);
}

// Each allocation fails once; the scene is then as it was, and the next try succeeds. Returns how many there are.
static int place_without_memory(sinew_scene *scene, const sinew_instance_def *def, counting *counted) {
    int32_t nodes = sinewi_scene_node_count(scene), instances = sinew_scene_instance_count(scene);
    for (int failing = 1;; failing++) {
        sinew_scene_node made = {7, 7, 7};
        sinew_error error = {0};
        counted->allocations = 0;
        counted->fail_at = failing;
        counted->fail_once = true;
        sinew_result result = sinew_scene_add_instance(scene, def, &made, &error);
        counted->fail_at = 0;
        check_order(scene);
        if (result == SINEW_OK) return failing - 1;
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_true(error.message[0] != '\0');
        assert_int_equal(made.generation, 0);
        assert_int_equal(sinewi_scene_node_count(scene), nodes);
        assert_int_equal(sinew_scene_instance_count(scene), instances);
        sinew_scene_update(scene, dt);
    }
}

static void test_placing_without_memory(void **state) {
    (void)state;
    dressed d;
    make_dressed(&d);
    counting counted = {0};
    sinew_scene_def scene_def = sinew_scene_default();
    scene_def.allocator = counting_allocator(&counted);
    scene_def.max_nodes = 8;
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&scene_def, &scene, NULL), SINEW_OK);
    sinew_scene_node body = place_at(scene, &d.body, somewhere(1));
    sinew_instance_def def = def_of(sword, SINEW_INSTANCE_POSE_REST);
    assert_int_equal(place_without_memory(scene, &def, &counted),
                     2); // room to pick in, which stays, and its figure
    def = def_of(hero, SINEW_INSTANCE_POSE_OWN);
    assert_int_equal(place_without_memory(scene, &def, &counted), 2); // more room, and a mixer
    assert_int_equal(place_without_memory(scene, &def, &counted), 2); // a mixer and a figure
    def = def_of(&d.coat, SINEW_INSTANCE_POSE_SHARE);
    def.share = body;
    assert_int_equal(place_without_memory(scene, &def, &counted), 1);
    def.asset = &d.body;
    assert_int_equal(place_without_memory(scene, &def, &counted), 0);
    sinew_scene_destroy(scene);
    assert_int_equal(counted.live, 0);
    free_dressed(&d);
}

static void test_a_mixer_that_is_not_valid_is_refused(void **state) {
    (void)state;
    counting counted = {0};
    sinew_scene_def scene_def = sinew_scene_default();
    scene_def.allocator = counting_allocator(&counted);
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&scene_def, &scene, NULL), SINEW_OK);
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.max_actions = -1;
    sinew_instance_def def = def_of(&(sinew_asset){.skeleton = hero->skeleton}, SINEW_INSTANCE_POSE_OWN);
    def.mixer = &mixer;
    sinew_scene_node node;
    sinew_error error = {0};
    assert_int_equal(sinew_scene_add_instance(scene, &def, &node, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "mixer"));
    assert_int_equal(sinewi_scene_node_count(scene), 0);
    def.asset = NULL;
    assert_int_equal(sinew_scene_add_instance(scene, &def, &node, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "asset"));
    assert_true(sinew_scene_node_equals(node, none));
    assert_int_equal(counted.live, 1);
    sinew_scene_destroy(scene);
    assert_int_equal(counted.live, 0);
}

// ---- Files ---------------------------------------------------------------------------------------------------

static int begin(void **state) {
    (void)state;
    return sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &hero, NULL) != SINEW_OK ||
           sinew_gltf_load_file(SINEW_MODELS "/sword.glb", NULL, &sword, NULL) != SINEW_OK ||
           sinew_gltf_load_file(SINEW_MODELS "/windmill.glb", NULL, &windmill, NULL) != SINEW_OK;
}

static int end(void **state) {
    (void)state;
    sinew_asset_destroy(hero);
    sinew_asset_destroy(sword);
    sinew_asset_destroy(windmill);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sword_is_where_the_hand_is),
        cmocka_unit_test(test_a_place_below_what_is_flat_is_not_kept),
        cmocka_unit_test(test_what_is_new_is_somewhere_at_once),
        cmocka_unit_test(test_instances_of_one_asset_share_all),
        cmocka_unit_test(test_another_asset_follows_by_names),
        cmocka_unit_test(test_parents_tell_equal_names_apart),
        cmocka_unit_test(test_a_full_scene_of_coats_without_bodies),
        cmocka_unit_test(test_nothing_is_shared_with_what_rests),
        cmocka_unit_test(test_poses_are_edited),
        cmocka_unit_test(test_springs_follow_the_instance),
        cmocka_unit_test(test_springs_of_another_skeleton_are_refused),
        cmocka_unit_test(test_solvers_bring_the_hand_to_its_target_at_once),
        cmocka_unit_test(test_what_is_not_seen_goes_on_in_time),
        cmocka_unit_test(test_who_carries_what_is_seen_is_kept_up_to_date),
        cmocka_unit_test(test_who_is_given_what_is_seen_is_brought_up_to_date),
        cmocka_unit_test(test_a_shared_pose_is_seen_where_anybody_shows_it),
        cmocka_unit_test(test_a_scene_without_memory),
        cmocka_unit_test(test_placing_without_memory),
        cmocka_unit_test(test_a_mixer_that_is_not_valid_is_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
