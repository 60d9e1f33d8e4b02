// SPDX-License-Identifier: MIT
// The sprite and the scout: the conventions they stand for, the sprite's VRM data, and the scout's clip.
#include "support/model_file.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static file sprite, scout;

static int open_files(void **state) {
    (void)state;
    open_file(&sprite, "sprite.vrm");
    open_file(&scout, "scout.glb");
    return 0;
}

static int close_files(void **state) {
    (void)state;
    close_file(&sprite);
    close_file(&scout);
    return 0;
}

// ---- Both -------------------------------------------------------------------------------------------------------

static int32_t node_of(const file *f, const char *name) {
    int32_t node = sinew_skeleton_find(f->asset->skeleton, name);
    if (node < 0) fail_msg("there is no node %s", name);
    return node;
}

// Model transforms of a clip at a time, or of the rest pose; to be freed.
static sinew_affine *model_at(const file *f, const sinew_clip *clip, double time) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(f->asset->skeleton, NULL, &pose), SINEW_OK);
    if (clip) sinew_clip_sample(clip, (float)time, pose);
    sinew_affine *model = aligned_alloc(64, (size_t)(f->asset->skeleton->node_count + 3) / 4 * 4 * sizeof *model);
    sinew_pose_to_model(pose, model);
    sinew_pose_destroy(pose);
    return model;
}

static sinew_vec3 position(const sinew_affine *m) {
    return (sinew_vec3){m->m[0][3], m->m[1][3], m->m[2][3]};
}

static void check_position(const sinew_affine *m, sinew_vec3 expected, double tolerance) {
    check_near(m->m[0][3], expected.x, tolerance);
    check_near(m->m[1][3], expected.y, tolerance);
    check_near(m->m[2][3], expected.z, tolerance);
}

// Skinned meshes' vertices are in the rest pose: they're in model space as stored.
static void check_meshes(const file *f, double height, int vertex_count) {
    double low = 1e9, high = -1e9;
    int count = 0;
    for (int32_t i = 0; i < f->asset->mesh_count; i++) {
        const sinew_primitive *p = &f->asset->meshes[i].primitives[0];
        assert_int_equal(f->asset->meshes[i].primitive_count, 1);
        for (int32_t v = 0; v < p->vertex_count; v++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += (double)p->weights[4 * v + k];
            check_near(sum, 1, 1e-6);
            low = fmin(low, (double)p->positions[3 * v + 1]), high = fmax(high, (double)p->positions[3 * v + 1]);
        }
        count += p->vertex_count;
    }
    check_near(low, 0, 0.004);
    check_near(high, height, 0.01);
    assert_true(count < vertex_count);
    assert_int_equal(f->log_lines, 0);
    assert_true(f->size < 300000);
    const sinew_skin *skin = &f->asset->skins[0];
    sinew_affine *model = model_at(f, NULL, 0), palette[128];
    assert_true(skin->joint_count <= COUNT(palette));
    sinew_skin_palette(skin, model, palette);
    for (int32_t i = 0; i < skin->joint_count; i++) {
        for (int k = 0; k < 12; k++) check_near(palette[i].m[k / 4][k % 4], k % 5 == 0 ? 1 : 0, 2e-5);
    }
    free(model);
}

static void test_meshes(void **state) {
    (void)state;
    check_meshes(&sprite, 1.02, 5500);
    check_meshes(&scout, 1.962, 5500);
}

// Pairs of joints mirror each other.
static void check_symmetry(const file *f, const char *left, const char *right) {
    const sinew_skeleton *skeleton = f->asset->skeleton;
    sinew_affine *model = model_at(f, NULL, 0);
    int pairs = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const char *at = strstr(skeleton->names[i], left);
        if (!at) continue;
        char name[64];
        const int before = (int)(at - skeleton->names[i]);
        snprintf(name, sizeof name, "%.*s%s%s", before, skeleton->names[i], right, at + strlen(left));
        sinew_vec3 p = position(&model[i]);
        check_position(&model[node_of(f, name)], (sinew_vec3){-p.x, p.y, p.z}, 1e-5);
        pairs++;
    }
    assert_true(pairs > 20);
    free(model);
}

static void test_symmetry(void **state) {
    (void)state;
    check_symmetry(&sprite, "_L_", "_R_");
    check_symmetry(&scout, "_l", "_r");
}

// ---- The sprite -------------------------------------------------------------------------------------------------

// A T-pose that faces +Z, of joints without rotations.
static void test_sprite_rest_pose(void **state) {
    (void)state;
    const sinew_skeleton *skeleton = sprite.asset->skeleton;
    sinew_affine *model = model_at(&sprite, NULL, 0);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        for (int k = 0; k < 12; k++) {
            if (k % 4 != 3) check_near(model[i].m[k / 4][k % 4], k % 5 == 0 ? 1 : 0, 1e-6);
        }
    }
    static const char *const arm[] = {"J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand"};
    sinew_vec3 shoulder = position(&model[node_of(&sprite, arm[0])]);
    for (int i = 1; i < COUNT(arm); i++) {
        sinew_vec3 at = position(&model[node_of(&sprite, arm[i])]);
        assert_true(at.x > shoulder.x + 0.09f);
        check_near(at.y, shoulder.y, 1e-6);
        check_near(at.z, shoulder.z, 1e-6);
    }
    assert_true(position(&model[node_of(&sprite, "J_Bip_L_ToeBase")]).z >
                position(&model[node_of(&sprite, "J_Bip_L_Foot")]).z);
    free(model);
}

static void test_sprite_roles(void **state) {
    (void)state;
    const sinew_humanoid *humanoid = sprite.asset->humanoid;
    assert_non_null(humanoid);
    assert_int_equal(humanoid->source, SINEW_HUMANOID_SOURCE_VRM_1);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        assert_int_equal(humanoid->nodes[role] == SINEW_NO_NODE, role == SINEW_HUMANOID_JAW);
    }
    sinew_humanoid_report report;
    assert_int_equal(sinew_humanoid_check(sprite.asset->skeleton, SINEW_UP_Y, humanoid, &report, NULL), SINEW_OK);
    check_near(report.score, 1, 0);
    check_near(report.forward.z, 1, 1e-4);
}

static const sinew_primitive *face_of(const file *f) {
    for (int32_t i = 0; i < f->asset->mesh_count; i++) {
        if (strcmp(f->asset->meshes[i].name, "Face") == 0) return &f->asset->meshes[i].primitives[0];
    }
    fail_msg("there is no face");
    return NULL;
}

// The height of the vertices of an eye under the morph weights of an expression.
static double height_of_eye(const char *joint, const char *expression) {
    const sinew_primitive *p = face_of(&sprite);
    const sinew_vrm *vrm = sprite.asset->vrm;
    const int32_t index = expression ? sinew_vrm_find_expression(vrm, expression) : SINEW_NO_EXPRESSION;
    const int32_t eye = node_of(&sprite, joint);
    double low = 1e9, high = -1e9;
    for (int32_t v = 0; v < p->vertex_count; v++) {
        if (sprite.asset->skins[0].joints[p->joints[(ptrdiff_t)4 * v]] != eye) continue;
        double y = (double)p->positions[3 * v + 1];
        for (int32_t k = 0; index >= 0 && k < vrm->expressions[index].morph_count; k++) {
            const sinew_vrm_morph_bind *bind = &vrm->expressions[index].morphs[k];
            y += (double)bind->weight * (double)p->target_positions[bind->target][3 * v + 1];
        }
        low = fmin(low, y), high = fmax(high, y);
    }
    return high - low;
}

static void test_sprite_eyes_close(void **state) {
    (void)state;
    static const char *const eyes[2] = {"J_Adj_L_FaceEye", "J_Adj_R_FaceEye"};
    for (int i = 0; i < 2; i++) {
        const double open = height_of_eye(eyes[i], NULL);
        assert_true(open > 0.09 && open < 0.11);
        assert_true(height_of_eye(eyes[i], "blink") < 0.2 * open);
        assert_true(height_of_eye(eyes[i], "happy") < 0.3 * open);
        check_near(height_of_eye(eyes[i], i ? "blinkLeft" : "blinkRight"), open, 1e-6);
        check_near(height_of_eye(eyes[i], "aa"), open, 1e-6);
    }
}

// Every bind moves vertices, by less than a head.
static void test_sprite_expressions(void **state) {
    (void)state;
    const sinew_vrm *vrm = sprite.asset->vrm;
    const sinew_primitive *p = face_of(&sprite);
    assert_int_equal(vrm->expression_count, 15);
    for (int32_t preset = SINEW_VRM_PRESET_HAPPY; preset <= SINEW_VRM_PRESET_BLINK_RIGHT; preset++) {
        assert_int_not_equal(vrm->expression_of_preset[preset], SINEW_NO_EXPRESSION);
    }
    for (int32_t i = 0; i < vrm->expression_count; i++) {
        const sinew_vrm_expression *e = &vrm->expressions[i];
        assert_int_equal(e->morph_count == 0, strcmp(e->name, "neutral") == 0);
        for (int32_t k = 0; k < e->morph_count; k++) {
            double most = 0;
            for (int32_t c = 0; c < 3 * p->vertex_count; c++) {
                most = fmax(most, fabs((double)p->target_positions[e->morphs[k].target][c]));
            }
            assert_true(most > 0.004 && most < 0.09);
        }
    }
    assert_int_equal(vrm->expressions[vrm->expression_of_preset[SINEW_VRM_PRESET_HAPPY]].override_blink,
                     SINEW_VRM_OVERRIDE_BLOCK);
}

// The roll of a hand turns the forearm's twist joint by half.
static void test_sprite_constraints(void **state) {
    (void)state;
    const sinew_vrm *vrm = sprite.asset->vrm;
    sinew_pose *pose;
    assert_int_equal(vrm->constraint_count, 2);
    assert_int_equal(sinew_pose_create(sprite.asset->skeleton, NULL, &pose), SINEW_OK);
    for (int side = 0; side < 2; side++) {
        const int32_t hand = node_of(&sprite, side ? "J_Bip_R_Hand" : "J_Bip_L_Hand");
        const int32_t twist = node_of(&sprite, side ? "J_Sec_R_LowerArmTwist" : "J_Sec_L_LowerArmTwist");
        sinew_transform t = sinew_pose_get(pose, hand);
        t.rotation = sinew_quat_from_axis_angle((sinew_vec3){1, 0, 0}, 1.0f);
        sinew_pose_set(pose, hand, t);
        sinew_vrm_constraints_apply(vrm, pose);
        check_near(sinew_pose_get(pose, twist).rotation.x, sin(0.25), 1e-5);
        check_near(sinew_pose_get(pose, twist).rotation.w, cos(0.25), 1e-5);
    }
    sinew_pose_destroy(pose);
}

static void test_sprite_gaze_springs_and_meta(void **state) {
    (void)state;
    const sinew_vrm *vrm = sprite.asset->vrm;
    assert_int_equal(vrm->version, SINEW_VRM_VERSION_1);
    assert_string_equal(vrm->meta.license, "https://vrm.dev/licenses/1.0/");
    assert_int_equal(vrm->look_at.type, SINEW_VRM_LOOK_AT_BONE);
    // The gaze starts between the eyes: level with them, and before the face's middle.
    sinew_affine *model = model_at(&sprite, NULL, 0);
    sinew_vec3 eye = position(&model[vrm->look_at.left_eye.node]);
    sinew_vec3 from = sinew_affine_point(model[vrm->look_at.head], vrm->look_at.offset);
    check_near(from.x, 0, 1e-6);
    check_near(from.y, eye.y, 0.002);
    assert_true(eye.x > 0.05f);
    free(model);
    for (int32_t i = 0; i < sprite.asset->mesh_node_count; i++) {
        const bool is_body = strcmp(sprite.asset->meshes[sprite.asset->mesh_nodes[i].mesh].name, "Body") == 0;
        assert_int_equal(vrm->first_person[i],
                         is_body ? SINEW_VRM_FIRST_PERSON_AUTO : SINEW_VRM_FIRST_PERSON_THIRD_PERSON_ONLY);
    }
    assert_int_equal(vrm->spring_count, 5);
    assert_int_equal(vrm->collider_count, 5);
    for (int32_t i = 0; i < vrm->spring_count; i++) {
        const sinew_vrm_spring *s = &vrm->springs[i];
        assert_true(s->joint_count >= 3);
        for (int32_t k = 1; k < s->joint_count; k++) {
            assert_int_equal(sprite.asset->skeleton->parents[s->joints[k].node], s->joints[k - 1].node);
        }
    }
}

// ---- The scout --------------------------------------------------------------------------------------------------

// Bones point along their joints' X: arms along +X on the left, legs along -X. The right side has the opposite signs.
static void test_scout_axes(void **state) {
    (void)state;
    static const struct {
        const char *node;
        int sign;
    } bones[] = {{"spine_02", 1},  {"head", 1},  {"lowerarm", 1}, {"hand", 1},  {"index_02", 1},
                 {"middle_03", 1}, {"calf", -1}, {"foot", -1},    {"ball", -1}, {"upperarm", 1}};
    sinew_pose *rest;
    assert_int_equal(sinew_pose_create(scout.asset->skeleton, NULL, &rest), SINEW_OK);
    for (int i = 0; i < COUNT(bones); i++) {
        const bool is_paired = strcmp(bones[i].node, "spine_02") != 0 && strcmp(bones[i].node, "head") != 0;
        for (int side = 0; side < (is_paired ? 2 : 1); side++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", bones[i].node, !is_paired ? "" : side ? "_r" : "_l");
            sinew_vec3 t = sinew_pose_get(rest, node_of(&scout, name)).translation;
            const double along = (side ? -1 : 1) * bones[i].sign * (double)t.x;
            if (!(along > 0.97 * sqrt((double)(t.x * t.x + t.y * t.y + t.z * t.z))))
                fail_msg("%s is at %g, %g, %g", name, (double)t.x, (double)t.y, (double)t.z);
        }
    }
    sinew_pose_destroy(rest);
}

// The nodes for inverse kinematics are where hands and feet are.
static void test_scout_targets(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"ik_hand_l", "hand_l"},
                                           {"ik_hand_r", "hand_r"},
                                           {"ik_foot_l", "foot_l"},
                                           {"ik_foot_r", "foot_r"},
                                           {"ik_hand_gun", "hand_r"}};
    sinew_affine *model = model_at(&scout, NULL, 0);
    for (int i = 0; i < COUNT(pairs); i++) {
        const sinew_affine *a = &model[node_of(&scout, pairs[i][0])], *b = &model[node_of(&scout, pairs[i][1])];
        for (int k = 0; k < 12; k++) check_near(a->m[k / 4][k % 4], b->m[k / 4][k % 4], 1e-5);
    }
    // Centimetres below an armature of 0.01.
    check_near(model[node_of(&scout, "pelvis")].m[1][3], 1.015, 1e-5);
    free(model);
}

static void test_scout_idle(void **state) {
    (void)state;
    const sinew_clip *clip = sinew_asset_find_clip(scout.asset, "Idle");
    assert_int_equal(scout.asset->clip_count, 1);
    check_near(clip->duration, 4, 1e-5);
    sinew_affine *first = model_at(&scout, clip, 0);
    for (int k = 0; k <= 96; k++) {
        sinew_affine *model = model_at(&scout, clip, k / 24.0);
        static const char *const feet[] = {"foot_l", "foot_r", "ball_l", "ball_r"};
        for (int i = 0; i < COUNT(feet); i++) {
            const int32_t foot = node_of(&scout, feet[i]);
            check_position(&model[foot], position(&first[foot]), 0.0015);
        }
        for (int32_t i = 0; k == 96 && i < scout.asset->skeleton->node_count; i++) {
            check_position(&model[i], position(&first[i]), 1e-5);
        }
        free(model);
    }
    free(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_sprite_rest_pose),
        cmocka_unit_test(test_sprite_roles),
        cmocka_unit_test(test_sprite_eyes_close),
        cmocka_unit_test(test_sprite_expressions),
        cmocka_unit_test(test_sprite_constraints),
        cmocka_unit_test(test_sprite_gaze_springs_and_meta),
        cmocka_unit_test(test_scout_axes),
        cmocka_unit_test(test_scout_targets),
        cmocka_unit_test(test_scout_idle),
    };
    return cmocka_run_group_tests(tests, open_files, close_files);
}
