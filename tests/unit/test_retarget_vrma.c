// SPDX-License-Identifier: MIT
// A .vrma file retargeted to other characters: its roles come from its own data, whatever its nodes are called.
#include "support/gltf_builder.h"
#include "support/retarget_rig.h"

#include <stdio.h>

// ---- The file --------------------------------------------------------------------------------------------------

typedef struct bone {
    const char *role;
    int parent; // -1: none
    sinew_vec3 position;
} bone;

enum { BONES = 15, LEFT_UPPER_ARM = 9, LEFT_LOWER_ARM = 10, HAPPY = BONES };

// A T-pose that faces +Z, in the order of a skeleton.
static const bone bones[BONES] = {
    {"hips", -1, {0, 1, 0}},
    {"leftUpperLeg", 0, {0.1f, -0.1f, 0}},
    {"leftLowerLeg", 1, {0, -0.4f, 0}},
    {"leftFoot", 2, {0, -0.4f, 0}},
    {"rightUpperLeg", 0, {-0.1f, -0.1f, 0}},
    {"rightLowerLeg", 4, {0, -0.4f, 0}},
    {"rightFoot", 5, {0, -0.4f, 0}},
    {"spine", 0, {0, 0.2f, 0}},
    {"head", 7, {0, 0.4f, 0}},
    {"leftUpperArm", 7, {0.2f, 0.3f, 0}},
    {"leftLowerArm", 9, {0.25f, 0, 0}},
    {"leftHand", 10, {0.25f, 0, 0}},
    {"rightUpperArm", 7, {-0.2f, 0.3f, 0}},
    {"rightLowerArm", 12, {-0.25f, 0, 0}},
    {"rightHand", 13, {-0.25f, 0, 0}},
};

static void add_nodes(gltf_builder *b) {
    char nodes[4096] = "", roles[1024] = "";
    for (int i = 0; i < BONES; i++) {
        char children[64] = "";
        for (int k = i + 1; k < BONES; k++) {
            if (bones[k].parent != i) continue;
            snprintf(children + strlen(children), sizeof children - strlen(children), "%s%d",
                     children[0] ? "," : "", k);
        }
        const sinew_vec3 p = bones[i].position;
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "{'name':'n%d','translation':[%g,%g,%g]%s%s%s},", i, (double)p.x, (double)p.y, (double)p.z,
                 children[0] ? ",'children':[" : "", children, children[0] ? "]" : "");
        snprintf(roles + strlen(roles), sizeof roles - strlen(roles), "%s'%s':{'node':%d}", i ? "," : "",
                 bones[i].role, i);
    }
    gltf_section(b,
                 "'nodes':[%s{'name':'happy'}],'extensions':{'VRMC_vrm_animation':{'specVersion':'1.0','humanoid':{"
                 "'humanBones':{%s}},'expressions':{'preset':{'happy':{'node':%d}}}}}",
                 nodes, roles, HAPPY);
}

// A second long: the left arm is lowered by 1 rad, the hips move 0.5 m forward, and the face gets happy.
static sinew_asset *make_motion(void) {
    const sinew_quat lowered = about_z(-1);
    gltf_builder b = gltf_begin();
    add_nodes(&b);
    int times = gltf_floats(&b, "SCALAR", 2, (float[2]){0, 1});
    int arm = gltf_floats(&b, "VEC4", 2, (float[8]){0, 0, 0, 1, 0, 0, lowered.z, lowered.w});
    int hips = gltf_floats(&b, "VEC3", 2, (float[6]){0, 1, 0, 0, 1, 0.5f});
    int happy = gltf_floats(&b, "VEC3", 2, (float[6]){0, 0, 0, 1, 0, 0});
    gltf_section(
        &b,
        "'animations':[{'samplers':[{'input':%d,'output':%d},{'input':%d,'output':%d},{'input':%d,'output':%d}],"
        "'channels':[{'sampler':0,'target':{'node':%d,'path':'rotation'}},{'sampler':1,'target':{'node':0,"
        "'path':'translation'}},{'sampler':2,'target':{'node':%d,'path':'translation'}}]}]",
        times, arm, times, hips, times, happy, LEFT_UPPER_ARM, HAPPY);
    return gltf_load(&b, NULL);
}

// ---- Onto a character --------------------------------------------------------------------------------------------

static exact_vec3 arm_of(const exact_node *model, const sinew_humanoid *humanoid) {
    exact_vec3 from = exact_position(&model[humanoid->nodes[SINEW_HUMANOID_LEFT_UPPER_ARM]]);
    return exact_add(exact_position(&model[humanoid->nodes[SINEW_HUMANOID_LEFT_LOWER_ARM]]), from, -1);
}

static void check_onto(const sinew_asset *motion, const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                       exact_quat facing) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = motion->skeleton;
    def.source_humanoid = motion->humanoid;
    def.target = skeleton;
    def.target_humanoid = humanoid;
    sinew_retarget *map;
    sinew_error error = {0};
    if (sinew_retarget_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_retarget_clip_def how = sinew_retarget_clip_default();
    how.limbs = false;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_retarget(map, &motion->clips[0], &how, &clip, NULL), SINEW_OK);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    exact_vec3 hips[2];
    for (int k = 0; k < 2; k++) {
        sinew_clip_sample(clip, (float)k, pose);
        exact_node *model = exact_model(pose);
        const exact_vec3 expected = exact_rotate(facing, (exact_vec3){cos(k), -sin(k), 0});
        assert_true(angle_of_directions(arm_of(model, humanoid), expected) < 1e-4);
        hips[k] = exact_position(&model[humanoid->nodes[SINEW_HUMANOID_HIPS]]);
        free(model);
    }
    const exact_vec3 moved = exact_rotate(facing, (exact_vec3){0, 0, 0.5 * (double)map->scale});
    assert_true(exact_length(exact_add(exact_add(hips[1], hips[0], -1), moved, -1)) < 1e-4 * (double)map->scale);
    for (int32_t i = 0; i < clip->channel_count; i++) { // no node of an expression
        assert_int_not_equal(sinew_humanoid_role_of(humanoid, clip->channels[i].node), SINEW_NO_ROLE);
    }
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_retarget_destroy(map);
}

static void test_onto_characters(void **state) {
    (void)state;
    static const rig_change back = {.scale = 2, .faces_back = true, .other_axes = true, .renamed = true};
    sinew_asset *motion = make_motion();
    assert_non_null(motion->humanoid);
    assert_int_equal(motion->humanoid->source, SINEW_HUMANOID_SOURCE_VRM_1);
    for (int kind = 0; kind < HUMANOIDS; kind++) {
        character c;
        if (!load_character((character_kind)kind, &c)) continue;
        check_onto(motion, c.skeleton, &c.humanoid, (exact_quat){0, 0, 0, 1});
        derived_rig rig = derive_rig(c.skeleton, &c.humanoid, &back);
        check_onto(motion, rig.skeleton, &rig.humanoid, rig.facing);
        free_derived(&rig);
        free_character(&c);
    }
    sinew_asset_destroy(motion);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_onto_characters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
