// SPDX-License-Identifier: MIT
// VRM data in files: what's read, the order of constraints, expressions and their overrides, spring bones,
// first-person flags, .vrma animations, and faulty files.
#include "support/asset_use.h"
#include "support/gltf_builder.h"
#include "support/gltf_samples.h"
#include "support/avatar.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static sinew_asset *load_sample(const char *name, sinew_up up) {
    for (int i = 0; i < gltf_sample_count; i++) {
        if (strcmp(gltf_samples[i].name, name) != 0) continue;
        gltf_builder b = gltf_samples[i].make();
        return gltf_load_turned(&b, up);
    }
    fail_msg("no sample %s", name);
    return NULL;
}

static int32_t source_of(const sinew_asset *asset, int32_t node) {
    return node == SINEW_NO_NODE ? SINEW_NO_NODE : asset->skeleton->source_of_node[node];
}

static void check_vec(sinew_vec3 v, float x, float y, float z) {
    const float found[3] = {v.x, v.y, v.z}, expected[3] = {x, y, z};
    check_floats(found, expected, 3, 1e-6f);
}

// ---- Everything that is read ---------------------------------------------------------------------------------

static void test_avatar(void **state) {
    (void)state;
    sinew_asset *asset = load_sample("vrm-1", SINEW_UP_Y);
    const sinew_vrm *vrm = asset->vrm;
    assert_int_equal(vrm->version, SINEW_VRM_VERSION_1);
    assert_string_equal(vrm->meta.name, "n");
    assert_string_equal(vrm->meta.version, "1");
    assert_int_equal(vrm->meta.author_count, 2);
    assert_string_equal(vrm->meta.authors[1], "b");
    assert_string_equal(vrm->meta.license, "u");
    assert_string_equal(vrm->meta.contact, "");

    assert_int_equal(vrm->look_at.type, SINEW_VRM_LOOK_AT_BONE);
    assert_int_equal(source_of(asset, vrm->look_at.head), 2);
    assert_int_equal(source_of(asset, vrm->look_at.left_eye.node), 3);
    assert_int_equal(source_of(asset, vrm->look_at.right_eye.node), 4);
    check_vec(vrm->look_at.offset, 0, 0.1f, 0);
    check_near(vrm->look_at.horizontal_inner.input_max, PI / 3, 1e-6);
    check_near(vrm->look_at.horizontal_inner.output, 8 * PI / 180, 1e-6);
    check_near(vrm->look_at.vertical_up.input_max, PI / 2, 1e-6); // defaults
    check_near(vrm->look_at.vertical_up.output, PI / 18, 1e-6);

    assert_int_equal(vrm->expression_count, 4);
    const sinew_vrm_expression *happy = &vrm->expressions[0], *wink = &vrm->expressions[3];
    assert_string_equal(happy->name, "happy");
    assert_int_equal(happy->preset, SINEW_VRM_PRESET_HAPPY);
    assert_true(happy->binary && !wink->binary);
    assert_int_equal(happy->override_blink, SINEW_VRM_OVERRIDE_BLOCK);
    assert_int_equal(happy->override_mouth, SINEW_VRM_OVERRIDE_BLEND);
    assert_int_equal(happy->override_look_at, SINEW_VRM_OVERRIDE_NONE);
    assert_int_equal(happy->morph_count, 2);
    assert_int_equal(source_of(asset, happy->morphs[0].node), 0);
    assert_int_equal(happy->morphs[0].target, 1);
    check_near(happy->morphs[0].weight, 0.5, 0);
    check_near(happy->morphs[1].weight, 1, 0);
    assert_string_equal(wink->name, "wink");
    assert_int_equal(wink->preset, SINEW_VRM_PRESET_CUSTOM);
    assert_int_equal(wink->color_count, 1);
    assert_int_equal(wink->colors[0].target, SINEW_VRM_COLOR_TARGET_BASE);
    check_floats(wink->colors[0].value, (float[4]){1, 0, 0, 1}, 4, 0);
    assert_int_equal(wink->texture_count, 1);
    check_floats(wink->textures[0].scale, (float[2]){1, 2}, 2, 0);
    check_floats(wink->textures[0].offset, (float[2]){0.5f, 0}, 2, 0);
    assert_int_equal(vrm->expression_of_preset[SINEW_VRM_PRESET_HAPPY], 0);
    assert_int_equal(vrm->expression_of_preset[SINEW_VRM_PRESET_SAD], SINEW_NO_EXPRESSION);
    assert_int_equal(vrm->expression_of_preset[SINEW_VRM_PRESET_CUSTOM], SINEW_NO_EXPRESSION);
    assert_int_equal(sinew_vrm_find_expression(vrm, "wink"), 3);
    assert_int_equal(sinew_vrm_find_expression(vrm, "Wink"), SINEW_NO_EXPRESSION);

    assert_int_equal(asset->mesh_node_count, 2);
    assert_int_equal(vrm->first_person[0], SINEW_VRM_FIRST_PERSON_AUTO);
    assert_int_equal(vrm->first_person[1], SINEW_VRM_FIRST_PERSON_THIRD_PERSON_ONLY);

    assert_int_equal(vrm->collider_count, 4);
    assert_int_equal(vrm->colliders[0].shape, SINEW_VRM_COLLIDER_SHAPE_SPHERE);
    check_vec(vrm->colliders[0].tail, 0, 0.1f, 0);
    check_near(vrm->colliders[0].radius, 0.2, 1e-7);
    assert_int_equal(vrm->colliders[1].shape, SINEW_VRM_COLLIDER_SHAPE_CAPSULE);
    check_vec(vrm->colliders[1].offset, 0, 0, 0);
    check_vec(vrm->colliders[1].tail, 0, 1, 0);
    assert_int_equal(vrm->colliders[2].shape, SINEW_VRM_COLLIDER_SHAPE_PLANE); // the extension's shape
    check_vec(vrm->colliders[2].offset, 0, 1, 0);
    check_vec(vrm->colliders[2].normal, 1, 0, 0);
    check_near(vrm->colliders[2].radius, 0, 0);
    assert_int_equal(vrm->colliders[3].shape, SINEW_VRM_COLLIDER_SHAPE_SPHERE);
    assert_true(vrm->colliders[3].inside);
    check_near(vrm->colliders[3].radius, 0.5, 0);
    assert_int_equal(vrm->collider_group_count, 1);
    assert_int_equal(vrm->collider_groups[0].collider_count, 2);
    assert_int_equal(vrm->collider_groups[0].colliders[1], 1);
    assert_int_equal(vrm->spring_count, 1);
    const sinew_vrm_spring *spring = &vrm->springs[0];
    assert_string_equal(spring->name, "s");
    assert_false(spring->subtrees);
    assert_int_equal(source_of(asset, spring->center), 2);
    assert_int_equal(spring->joint_count, 2);
    assert_int_equal(source_of(asset, spring->joints[1].node), 6);
    check_near(spring->joints[0].stiffness, 2, 0);
    check_near(spring->joints[0].drag, 0.4, 1e-7);
    check_near(spring->joints[0].hit_radius, 0.02, 1e-7);
    check_near(spring->joints[0].gravity_power, 0.1, 1e-7);
    check_near(spring->joints[1].stiffness, 1, 0); // defaults
    check_near(spring->joints[1].drag, 0.5, 0);
    check_vec(spring->joints[1].gravity, 0, -1, 0);
    assert_int_equal(spring->group_count, 1);
    sinew_asset_destroy(asset);
}

static void test_avatar_0(void **state) {
    (void)state;
    sinew_asset *asset = load_sample("vrm-0", SINEW_UP_Y);
    const sinew_vrm *vrm = asset->vrm;
    assert_int_equal(vrm->version, SINEW_VRM_VERSION_0);
    assert_string_equal(vrm->meta.name, "n");
    assert_string_equal(vrm->meta.license, "CC0");
    assert_int_equal(vrm->meta.author_count, 1);
    assert_string_equal(vrm->meta.authors[0], "a");
    assert_int_equal(vrm->look_at.type, SINEW_VRM_LOOK_AT_EXPRESSION);
    check_vec(vrm->look_at.offset, 0, 0.1f, -0.2f); // z has the other sign in VRM 0.x
    check_near(vrm->look_at.vertical_up.input_max, PI / 4, 1e-6);
    check_near(vrm->look_at.vertical_up.output, 1, 0);
    assert_int_equal(vrm->look_at.right_eye.node, SINEW_NO_NODE);

    assert_int_equal(vrm->expression_count, 2);
    assert_string_equal(vrm->expressions[0].name, "happy");
    assert_true(vrm->expressions[0].binary);
    assert_int_equal(vrm->expressions[0].morph_count, 2); // both nodes have the mesh
    assert_int_equal(source_of(asset, vrm->expressions[0].morphs[0].node), 0);
    assert_int_equal(source_of(asset, vrm->expressions[0].morphs[1].node), 4);
    check_near(vrm->expressions[0].morphs[1].weight, 0.5, 1e-7);
    assert_string_equal(vrm->expressions[1].name, "Own");
    assert_int_equal(vrm->first_person[0], SINEW_VRM_FIRST_PERSON_BOTH);
    assert_int_equal(vrm->first_person[1], SINEW_VRM_FIRST_PERSON_BOTH);

    assert_int_equal(vrm->collider_count, 1);
    check_vec(vrm->colliders[0].offset, 0, 1, -2);
    assert_true(vrm->springs[0].subtrees);
    assert_int_equal(vrm->springs[0].center, SINEW_NO_NODE);
    assert_string_equal(vrm->springs[0].name, "c");
    assert_int_equal(source_of(asset, vrm->springs[0].joints[0].node), 5);
    sinew_asset_destroy(asset);

    // With +Z up, vectors are converted: (x, y, z) becomes (x, -z, y).
    asset = load_sample("vrm-0", SINEW_UP_Z);
    check_vec(asset->vrm->look_at.offset, 0, 0.2f, 0.1f);
    check_vec(asset->vrm->colliders[0].offset, 0, 2, 1);
    check_vec(asset->vrm->springs[0].joints[0].gravity, 0, 0, -1);
    sinew_asset_destroy(asset);
}

// The presets of VRM 0.x in both spellings; a second one of a preset is ignored.
static void test_presets_0(void **state) {
    (void)state;
    static const char *const names_0[] = {"Joy",    "angry",    "Sorrow",   "fun",       "A",       "i",
                                          "U",      "e",        "O",        "Blink",     "Blink_L", "blink_r",
                                          "LookUp", "lookdown", "LookLeft", "lookright", "Neutral"};
    static const char *const names_1[] = {"happy",  "angry",    "sad",      "relaxed",   "aa",        "ih",
                                          "ou",     "ee",       "oh",       "blink",     "blinkLeft", "blinkRight",
                                          "lookUp", "lookDown", "lookLeft", "lookRight", "neutral"};
    for (size_t i = 0; i < COUNT(names_0); i++) {
        gltf_builder b = gltf_begin();
        gltf_lines lines = {.count = 0};
        gltf_section(&b,
                     "'extensions':{'VRM':{'blendShapeMaster':{'blendShapeGroups':[{'name':'x','presetName':'%s'},{"
                     "'name':'y','presetName':'%s'},{'name':'z','presetName':'unknown'},{'name':'z'}]}}}",
                     names_0[i], names_0[i]);
        sinew_asset *asset = gltf_load(&b, &lines);
        assert_int_equal(asset->vrm->expression_count, 3);
        assert_string_equal(asset->vrm->expressions[0].name, names_1[i]);
        assert_string_equal(asset->vrm->expressions[1].name, "z");
        assert_int_equal(asset->vrm->expression_of_preset[asset->vrm->expressions[0].preset], 0);
        check_contains(lines.text, "appears again and is ignored");
        sinew_asset_destroy(asset);
    }
}

static void test_motion(void **state) {
    (void)state;
    for (int up = 0; up < 2; up++) {
        sinew_asset *asset = load_sample("vrm-motion", (sinew_up)up);
        const sinew_vrm *vrm = asset->vrm;
        assert_int_equal(vrm->version, SINEW_VRM_VERSION_NONE);
        assert_non_null(asset->humanoid);
        assert_int_equal(source_of(asset, asset->humanoid->nodes[SINEW_HUMANOID_HIPS]), 0);
        assert_int_equal(vrm->animation.track_count, 2);
        assert_string_equal(vrm->animation.tracks[0].name, "happy");
        assert_int_equal(vrm->animation.tracks[0].preset, SINEW_VRM_PRESET_HAPPY);
        assert_string_equal(vrm->animation.tracks[1].name, "wink");
        sinew_pose *pose;
        assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
        sinew_clip_sample(&asset->clips[0], 0.5f, pose); // from 0 to 1.5, clamped
        check_near(sinew_vrm_track_weight(&vrm->animation.tracks[0], pose), 0.75, 1e-6);
        sinew_clip_sample(&asset->clips[0], 1.0f, pose);
        check_near(sinew_vrm_track_weight(&vrm->animation.tracks[0], pose), 1, 0);
        const sinew_vrm_gaze gaze = sinew_vrm_track_gaze(vrm, pose); // about +Y by 2 asin 0.6
        check_near(gaze.yaw, 2 * asin(0.6), 1e-6);
        check_near(gaze.pitch, 0, 1e-6);
        sinew_pose_destroy(pose);
        sinew_asset_destroy(asset);
    }
}

// Expressions of a .vrma file on an avatar, by their names.
static void test_motion_on_avatar(void **state) {
    (void)state;
    sinew_asset *assets[2] = {load_sample("vrm-motion", SINEW_UP_Y), load_sample("vrm-1", SINEW_UP_Y)};
    const sinew_vrm *motion = assets[0]->vrm, *avatar = assets[1]->vrm;
    float weights[4] = {0};
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(motion->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(&assets[0]->clips[0], 0.5f, pose);
    for (int32_t i = 0; i < motion->animation.track_count; i++) {
        const sinew_vrm_track *track = &motion->animation.tracks[i];
        const int32_t expression = sinew_vrm_find_expression(avatar, track->name);
        if (expression != SINEW_NO_EXPRESSION) weights[expression] = sinew_vrm_track_weight(track, pose);
    }
    const sinew_vrm_gaze gaze = sinew_vrm_track_gaze(motion, pose);
    check_floats(weights, (float[4]){0.75f, 0, 0, 0}, 4, 1e-6f);
    check_near(gaze.yaw, asin(0.6), 1e-5);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(assets[0]);
    sinew_asset_destroy(assets[1]);
}

// The gaze of any rotation is its Euler angles in the order extrinsic ZXY: roll, then pitch, then yaw.
static void test_gaze_track(void **state) {
    (void)state;
    sinew_asset *asset = load_sample("vrm-motion", SINEW_UP_Y);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    for (int i = 0; i < 300; i++) {
        const int column = i % 20, row = i / 20;
        const double yaw = (column - 9.5) * 0.3, pitch = (row - 7) * 0.2, roll = 0.1 * (i % 7);
        const sinew_quat q = sinew_quat_multiply(about_y(yaw), sinew_quat_multiply(about_x(pitch), about_z(roll)));
        const int32_t node = asset->vrm->animation.gaze_node;
        pose->rx[node] = q.x, pose->ry[node] = q.y, pose->rz[node] = q.z, pose->rw[node] = q.w;
        const sinew_vrm_gaze gaze = sinew_vrm_track_gaze(asset->vrm, pose);
        check_near(gaze.yaw, yaw, 1e-5);
        check_near(gaze.pitch, pitch, 1e-5);
    }
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

// ---- The order of constraints --------------------------------------------------------------------------------

#define CONSTRAINT(text) "'extensions':{'VRMC_node_constraint':{'constraint':{" text "}}}"

// Loads nodes and returns the file's indices of the constrained ones, in their order, as text.
static const char *order_of(const char *nodes, gltf_lines *lines) {
    static char text[256];
    size_t size = 0;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[%s]", nodes);
    sinew_asset *asset = gltf_load(&b, lines);
    text[0] = '\0';
    for (int32_t i = 0; asset->vrm && i < asset->vrm->constraint_count; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%d", i ? " " : "",
                                 source_of(asset, asset->vrm->constraints[i].node));
    sinew_asset_destroy(asset);
    return text;
}

static void test_order(void **state) {
    (void)state;
    // A chain of sources: the last node of the file is free.
    assert_string_equal(
        order_of("{" CONSTRAINT("'rotation':{'source':1}") "},{" CONSTRAINT(
                     "'roll':{'source':2,'rollAxis':'X'}") "},{" CONSTRAINT("'rotation':{'source':3}") "},{}",
                 NULL),
        "2 1 0");
    // The source's ancestor is constrained: an aim depends on it, a rotation does not.
    static const char ancestor[] =
        "{%s},{'children':[2]," CONSTRAINT("'rotation':{'source':3}") "},{},{},{'children':[]}";
    char nodes[512];
    snprintf(nodes, sizeof nodes, ancestor, CONSTRAINT("'aim':{'source':2,'aimAxis':'PositiveX'}"));
    assert_string_equal(order_of(nodes, NULL), "1 0");
    snprintf(nodes, sizeof nodes, ancestor, CONSTRAINT("'rotation':{'source':2}"));
    assert_string_equal(order_of(nodes, NULL), "0 1");
    // The aiming node's own ancestor is constrained, by a chain that takes longer than the aim's source.
    assert_string_equal(
        order_of(
            "{" CONSTRAINT("'aim':{'source':3,'aimAxis':'PositiveX'}") "},{'children':[0]," CONSTRAINT(
                "'rotat"
                "ion':{"
                "'sourc"
                "e':4}") "},{},{},{" CONSTRAINT("'rotation':{'source':5}") "},{" CONSTRAINT("'rotation':{'source':"
                                                                                            "6}") "},{" CONSTRAINT("'rota"
                                                                                                                   "tion'"
                                                                                                                   ":{'"
                                                                                                                   "sourc"
                                                                                                                   "e':"
                                                                                                                   "2}") "}",
            NULL),
        "6 5 4 1 0");
}

static void test_circles(void **state) {
    (void)state;
    gltf_lines lines = {.count = 0};
    // Of itself; of two; and one that depends on a circle. Others stay.
    assert_string_equal(
        order_of(
            "{" CONSTRAINT("'rotation':{'source':0}") "},{" CONSTRAINT("'rotation':{'source':2}") "},{" CONSTRAINT(
                "'roll':{'source':1,'rollAxis':'Y'}") "},{" CONSTRAINT("'rotation':{'source':2}") "},{" CONSTRAINT("'rotation':{'source':5}") "},{}",
            &lines),
        "4");
    assert_int_equal(lines.count, 4);
    check_contains(lines.text, "nodes[2]: the constraint is ignored, because it depends on itself");
    // An aim at a node below the aiming one.
    lines.count = 0;
    assert_string_equal(
        order_of("{'children':[1]," CONSTRAINT("'aim':{'source':1,'aimAxis':'PositiveX'}") "},{}", &lines), "");
    assert_int_equal(lines.count, 1);
}

// A deep hierarchy where every node aims is sorted in linear time. Quadratic time would take minutes.
static void test_many(void **state) {
    (void)state;
    enum { MANY = 60000 };
    gltf_builder b = gltf_begin();
    gltf_text nodes = {NULL, 0, 0};
    for (int i = 0; i < MANY; i++) {
        char text[256];
        const int size = snprintf(text, sizeof text,
                                  "%s{'children':[%d]," CONSTRAINT("'aim':{'source':%d,'aimAxis':'PositiveX'}") "}",
                                  i ? "," : "", i + 1, MANY + 1);
        gltf_append(&nodes, text, (size_t)size);
    }
    gltf_section(&b, "'nodes':[%s,{},{}]", nodes.data);
    free(nodes.data);
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->vrm->constraint_count, MANY);
    for (int32_t i = 0; i < MANY; i++) assert_int_equal(source_of(asset, asset->vrm->constraints[i].node), i);
    sinew_asset_destroy(asset);
}

// The constraints of a chain are applied in one call: node 0 copies node 1, which copies node 2.
static void test_chain_is_applied(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(
        &b, "'nodes':[{" CONSTRAINT("'rotation':{'source':1}") "},{" CONSTRAINT("'rotation':{'source':2}") "},{}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_transform t = sinew_pose_get(pose, 2);
    t.rotation = about_x(0.7);
    sinew_pose_set(pose, 2, t);
    sinew_vrm_constraints_apply(asset->vrm, pose);
    check_near(angle_between(sinew_pose_get(pose, 0).rotation, about_x(0.7)), 0, 1e-6);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

// ---- Expressions ---------------------------------------------------------------------------------------------

// happy blends blink and blocks the mouth; angry blends blink; blink overrides blink, which is ignored, and blends the
// gaze; surprised is binary and blocks blink; aa is binary.
static const char expressions[] =
    "'extensions':{'VRMC_vrm':{'expressions':{'preset':{"
    "'happy':{'overrideBlink':'blend','overrideMouth':'block'},'angry':{'overrideBlink':'blend'},"
    "'blink':{'overrideBlink':'block','overrideLookAt':'blend'},'surprised':{'isBinary':true,'overrideBlink':'"
    "block'},"
    "'aa':{'isBinary':true},'oh':{},'lookUp':{},'relaxed':{'overrideMouth':'blend'}},'custom':{'own':{}}}}}";

static void test_overrides(void **state) {
    (void)state;
    enum { HAPPY, ANGRY, BLINK, SURPRISED, AA, OH, LOOK_UP, RELAXED, OWN, ALL };
    static const struct {
        float in[ALL], out[ALL];
    } cases[] = {
        {{0}, {0}},
        {{[BLINK] = 0.8f, [OWN] = 0.3f}, {[BLINK] = 0.8f, [OWN] = 0.3f}},       // own override is ignored
        {{[HAPPY] = 0.25f, [BLINK] = 0.8f}, {[HAPPY] = 0.25f, [BLINK] = 0.6f}}, // blend: × (1 - 0.25)
        {{[HAPPY] = 0.25f, [ANGRY] = 0.5f, [BLINK] = 1}, {[HAPPY] = 0.25f, [ANGRY] = 0.5f, [BLINK] = 0.25f}},
        {{[HAPPY] = 0.75f, [ANGRY] = 0.5f, [BLINK] = 1}, {[HAPPY] = 0.75f, [ANGRY] = 0.5f}}, // saturated
        {{[HAPPY] = 0.01f, [OH] = 1}, {[HAPPY] = 0.01f}},                                    // block above 0
        {{[SURPRISED] = 0.5f, [BLINK] = 0.4f}, {[BLINK] = 0.4f}},                            // 0.5 is not above 0.5
        {{[SURPRISED] = 0.6f, [BLINK] = 0.4f}, {[SURPRISED] = 1}}, // the binary output overrides
        {{[AA] = 0.6f, [OH] = 0.5f}, {[AA] = 1, [OH] = 0.5f}},
        {{[RELAXED] = 0.25f, [AA] = 1, [OH] = 1}, {[RELAXED] = 0.25f, [OH] = 0.75f}}, // binary: suppressed
        {{[BLINK] = 0.25f, [LOOK_UP] = 1}, {[BLINK] = 0.25f, [LOOK_UP] = 0.75f}},
        {{[HAPPY] = 7, [OWN] = -2, [BLINK] = 1}, {[HAPPY] = 1}}, // clamped
        {{[OWN] = NAN, [HAPPY] = NAN, [BLINK] = 1}, {[BLINK] = 1}},
    };
    gltf_builder b = gltf_begin();
    gltf_section(&b, "%s", expressions);
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->vrm->expression_count, ALL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        float out[ALL], same[ALL];
        sinew_vrm_expressions_resolve(asset->vrm, cases[i].in, out);
        check_floats(out, cases[i].out, ALL, 1e-6f);
        memcpy(same, cases[i].in, sizeof same);
        sinew_vrm_expressions_resolve(asset->vrm, same, same);
        assert_memory_equal(same, out, sizeof same);
    }
    sinew_asset_destroy(asset);
}

// Morph weights: the sum over the expressions; others keep theirs.
static void test_morphs(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const int moves = gltf_floats(&b, "VEC3", 3, (float[9]){0, 0, 1, 0, 1, 0, -1, 0, 0});
    char targets[128];
    gltf_lines lines = {.count = 0};
    snprintf(targets, sizeof targets, ",'targets':[{'POSITION':%d},{'POSITION':%d},{'POSITION':%d}]", moves, moves,
             moves);
    gltf_triangle_mesh(&b, "", targets);
    gltf_section(
        &b, "'nodes':[{},{'mesh':0,'weights':[0.5,0.5,0.5]}],'extensions':{'VRMC_vrm':{'expressions':{'preset':{"
            "'happy':{'overrideMouth':'blend','morphTargetBinds':[{'node':1,'index':0,'weight':0.5},{'node':1,"
            "'index':2}]},'aa':{'morphTargetBinds':[{'node':1,'index':0},{'node':1,'index':3},{'node':0,'index':"
            "0}]}}}}}");
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(lines.count, 2);
    check_contains(lines.text, "nodes[1] has 3 morph targets, so index 3 is out of range");
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_vrm_expressions_apply(asset->vrm, (float[2]){0.5f, 0.8f}, pose);
    check_floats(pose->weights, (float[3]){0.5f * 0.5f + 0.8f * 0.5f, 0.5f, 0.5f}, 3, 1e-6f);
    sinew_vrm_expressions_apply(asset->vrm, (float[2]){0, 1}, pose); // once more: it does not pile up
    check_floats(pose->weights, (float[3]){1, 0.5f, 0}, 3, 1e-6f);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

// ---- Files with faults ---------------------------------------------------------------------------------------

// Loads without VRM data; a log line says why.
static void check_left_out(gltf_builder *b, const char *text) {
    gltf_lines lines;
    sinew_asset *asset = gltf_load(b, &lines);
    check_contains(lines.text, text);
    assert_null(asset->vrm);
    assert_int_equal(asset->skeleton->node_count, 2);
    sinew_asset_destroy(asset);
}

static void test_bad_data_is_left_out(void **state) {
    (void)state;
    static const struct {
        const char *extensions, *text;
    } cases[] = {
        {"'VRMC_vrm':[]", "extensions.VRMC_vrm: "},
        {"'VRM':3", "extensions.VRM: "},
        {"'VRMC_vrm':{'meta':{'authors':[1]}}", "meta.authors[0]: "},
        {"'VRMC_vrm':{'meta':{'name':1}}", "meta.name: "},
        {"'VRMC_vrm':{'firstPerson':{'meshAnnotations':[{'type':'both'}]}}", "meshAnnotations[0]: node is missing"},
        {"'VRMC_vrm':{'firstPerson':{'meshAnnotations':[{'node':2}]}}",
         "meshAnnotations[0].node: 2 is out of range"},
        {"'VRMC_vrm':{'expressions':{'preset':{'happy':1}}}", "preset.happy: is not an object"},
        {"'VRMC_vrm':{'expressions':{'preset':{'happy':{'isBinary':1}}}}", "happy.isBinary: "},
        {"'VRMC_vrm':{'expressions':{'custom':{'x':{'morphTargetBinds':[{'index':0}]}}}}", "node is missing"},
        {"'VRMC_vrm':{'expressions':{'custom':{'x':{'morphTargetBinds':[{'node':0}]}}}}", "index is missing"},
        {"'VRMC_vrm':{'expressions':{'custom':{'x':{'morphTargetBinds':[{'node':0,'index':-1}]}}}}", "[0].index: "},
        {"'VRMC_vrm':{'expressions':{'custom':{'x':{'morphTargetBinds':[{'node':0,'index':0,'weight':1e40}]}}}}",
         "[0].weight: "},
        {"'VRMC_vrm':{'expressions':{'custom':{'x':{'materialColorBinds':[{'material':0,'type':'color'}]}}}}",
         "[0].material: 0 is out of range"},
        {"'VRMC_vrm':{'humanoid':{'humanBones':{'head':{'node':0}}},'lookAt':{'offsetFromHeadBone':[1]}}",
         "lookAt.offsetFromHeadBone: has 1 numbers"},
        {"'VRMC_vrm':{'humanoid':{'humanBones':{'head':{'node':0}}},'lookAt':{'rangeMapVerticalUp':3}}",
         "lookAt.rangeMapVerticalUp: "},
        {"'VRM':{'blendShapeMaster':{'blendShapeGroups':[{'binds':[{'mesh':0,'index':0}]}]}}", "binds[0].mesh: "},
        {"'VRM':{'blendShapeMaster':{'blendShapeGroups':[{'binds':[{'mesh':-1}]}]}}", "index is missing"},
        {"'VRM':{'secondaryAnimation':{'boneGroups':[{'bones':[2]}]}}", "bones[0]: 2 is out of range"},
        {"'VRM':{'secondaryAnimation':{'boneGroups':[{'colliderGroups':[0]}]}}",
         "colliderGroups[0]: 0 is out of range"},
        {"'VRM':{'secondaryAnimation':{'colliderGroups':[{'colliders':[{'offset':[0,0,0]}]}]}}", "offset: "},
        {"'VRMC_springBone':{'colliders':[{'shape':{}}]}", "colliders[0]: node is missing"},
        {"'VRMC_springBone':{'colliderGroups':[{'colliders':[0]}]}", "colliders[0]: 0 is out of range"},
        {"'VRMC_springBone':{'springs':[{'joints':[{}]}]}", "joints[0]: node is missing"},
        {"'VRMC_springBone':{'springs':[{'center':7}]}", "springs[0].center: 7 is out of range"},
        {"'VRMC_vrm_animation':{'expressions':{'preset':{'happy':{'node':9}}}}", "happy.node: 9 is out of range"},
        {"'VRMC_vrm_animation':{'expressions':{'custom':{'x':[]}}}", "custom.x: is not an object"},
        {"'VRMC_vrm_animation':{'lookAt':{'node':2}}", "lookAt.node: 2 is out of range"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        gltf_builder b = gltf_begin();
        gltf_section(&b, "'nodes':[{},{}],'extensions':{%s}", cases[i].extensions);
        check_left_out(&b, cases[i].text);
    }
    static const struct {
        const char *constraint, *text;
    } constraints[] = {
        {"'roll':{'rollAxis':'X'}", "constraint.roll: source is missing"},
        {"'roll':{'source':1}", "rollAxis is not X, Y or Z"},
        {"'roll':{'source':1,'rollAxis':'W'}", "rollAxis is not X, Y or Z"},
        {"'aim':{'source':1,'aimAxis':'X'}", "aimAxis is not PositiveX"},
        {"'rotation':{'source':2}", "source: 2 is out of range"},
        {"'rotation':[]", "constraint.rotation: "},
        {"'rotation':{'source':1,'weight':'1'}", "rotation.weight: "},
    };
    for (size_t i = 0; i < COUNT(constraints); i++) {
        gltf_builder b = gltf_begin();
        gltf_section(&b, "'nodes':[{'extensions':{'VRMC_node_constraint':{'constraint':{%s}}}},{}]",
                     constraints[i].constraint);
        check_left_out(&b, constraints[i].text);
    }
}

// What is ignored, with a log line, and what a file without VRM data has.
static void test_ignored(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_lines lines = {.count = 0};
    gltf_section(
        &b,
        "'nodes':[{'extensions':{'VRMC_node_constraint':{'constraint':{'rotation':{'source':1,'weight':1.5}}}}},{"
        "'extensions':{'VRMC_node_constraint':{'constraint':{}}}}],'extensions':{'VRMC_vrm':{'expressions':{"
        "'preset':{'wink':{},'sad':{},'sad':{}},'custom':{'happy':{},'own':{}}}},'VRMC_springBone':{'colliders':"
        "[{'node':0,'shape':{'plane':{}}},{'node':1,'shape':{'sphere':{}}}],'colliderGroups':[{'colliders':[0,1"
        "]}],'springs':[{'joints':[{'node':0},{'node':1}]}]}}");
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(lines.count, 5);
    check_contains(lines.text, "nodes[0]: the constraint's weight, 1.5, is clamped to [0, 1]");
    check_contains(lines.text, "the expression wink is ignored: unknown preset");
    check_contains(lines.text, "the expression sad appears again and is ignored");
    check_contains(lines.text, "the expression happy is ignored: a custom expression must not use a preset's name");
    check_contains(lines.text, "a spring has nodes[1] after nodes[0], which is not its ancestor");
    assert_int_equal(asset->vrm->constraint_count, 1);
    check_near(asset->vrm->constraints[0].weight, 1, 0);
    assert_int_equal(asset->vrm->expression_count, 2);
    assert_int_equal(asset->vrm->collider_count, 1); // a plane is of an extension that is not read
    assert_int_equal(asset->vrm->collider_groups[0].collider_count, 1);
    sinew_asset_destroy(asset);

    asset = load_sample("everything", SINEW_UP_Y);
    assert_null(asset->vrm);
    sinew_asset_destroy(asset);
}

// A loaded subset has the data of its nodes, and no others.
static void test_subset(void **state) {
    (void)state;
    for (int i = 0; i < gltf_sample_count; i++) {
        if (strncmp(gltf_samples[i].name, "vrm-", 4) != 0) continue;
        gltf_builder b = gltf_samples[i].make();
        size_t size;
        uint8_t *glb = gltf_write_glb(&b, &size);
        for (int node = 0; node < 3; node++) {
            char name[8];
            sinew_gltf_options options = *with_avatars();
            sinew_result result;
            snprintf(name, sizeof name, "#%d", node);
            options.only_subtree = name;
            const char *fault = asset_try(glb, size, &options, NULL, &result);
            if (fault) fail_msg("%s, node %d: %s", gltf_samples[i].name, node, fault);
            assert_int_equal(result, SINEW_OK);
        }
        free(glb);
        gltf_end(&b);
    }
}

// Every allocation fails once; the load then fails with an error and gives everything back.
static void test_memory(void **state) {
    (void)state;
    for (int i = 0; i < gltf_sample_count; i++) {
        if (strncmp(gltf_samples[i].name, "vrm-", 4) != 0) continue;
        gltf_builder b = gltf_samples[i].make();
        size_t size;
        uint8_t *glb = gltf_write_glb(&b, &size);
        sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
        int fail_at = 0;
        while (result != SINEW_OK) {
            asset_memory memory = {.fail_at = ++fail_at};
            const char *fault = asset_try(glb, size, NULL, &memory, &result);
            if (fault) fail_msg("%s, allocation %d: %s", gltf_samples[i].name, fail_at, fault);
            assert_true(result == SINEW_OK || result == SINEW_ERROR_OUT_OF_MEMORY);
        }
        assert_true(fail_at > 5);
        free(glb);
        gltf_end(&b);
    }
}

// A mesh of many nodes that many binds name: the work is limited in proportion to the file.
static void test_shared_mesh(void **state) {
    (void)state;
    enum { MANY = 20000 };
    gltf_builder b = gltf_begin();
    const int moves = gltf_floats(&b, "VEC3", 3, (float[9]){0, 0, 1, 0, 1, 0, -1, 0, 0});
    char targets[64];
    snprintf(targets, sizeof targets, ",'targets':[{'POSITION':%d}]", moves);
    gltf_triangle_mesh(&b, "", targets);
    gltf_text nodes = {NULL, 0, 0}, binds = {NULL, 0, 0};
    for (int i = 0; i < MANY; i++) {
        gltf_append(&nodes, &",{'mesh':0}"[i == 0], 11 - (i == 0));
        gltf_append(&binds, &",{'mesh':0,'index':0}"[i == 0], 21 - (i == 0));
    }
    gltf_section(
        &b,
        "'nodes':[%s],'extensions':{'VRM':{'blendShapeMaster':{'blendShapeGroups':[{'name':'x','binds':[%s]}]}}}",
        nodes.data, binds.data);
    free(nodes.data);
    free(binds.data);
    gltf_refuse(&b, SINEW_ERROR_LIMIT, "nodes share the mesh of a bind too often");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_avatar),
        cmocka_unit_test(test_avatar_0),
        cmocka_unit_test(test_presets_0),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_motion_on_avatar),
        cmocka_unit_test(test_gaze_track),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_circles),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_chain_is_applied),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_morphs),
        cmocka_unit_test(test_bad_data_is_left_out),
        cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_subset),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_shared_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
