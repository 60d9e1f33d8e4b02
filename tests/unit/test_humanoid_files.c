// SPDX-License-Identifier: MIT
// Humanoid roles from files: several authors' characters, VRM data of both versions, and map files.
#include "support/files.h"
#include "support/gltf_builder.h"
#include "support/retarget_rig.h"
#include "support/avatar.h"
#include "humanoid/humanoid_name.h"

#include <stdio.h>

// ---- Characters ----------------------------------------------------------------------------------------------

typedef struct expected_role {
    const char *role, *node;
} expected_role;

// The left side of hero.glb; the right side has R for L.
static const expected_role hero_roles[] = {
    {"hips", "Hips"},
    {"spine", "Spine"},
    {"chest", "Chest"},
    {"upperChest", "UpperChest"},
    {"neck", "Neck"},
    {"head", "Head"},
    {"leftEye", "Eye_L"},
    {"leftUpperLeg", "UpperLeg_L"},
    {"leftLowerLeg", "LowerLeg_L"},
    {"leftFoot", "Foot_L"},
    {"leftToes", "Toes_L"},
    {"leftShoulder", "Shoulder_L"},
    {"leftUpperArm", "UpperArm_L"},
    {"leftLowerArm", "LowerArm_L"},
    {"leftHand", "Hand_L"},
    {"leftThumbMetacarpal", "Thumb1_L"},
    {"leftThumbProximal", "Thumb2_L"},
    {"leftThumbDistal", "Thumb3_L"},
    {"leftIndexProximal", "Index1_L"},
    {"leftIndexIntermediate", "Index2_L"},
    {"leftIndexDistal", "Index3_L"},
    {"leftMiddleProximal", "Middle1_L"},
    {"leftMiddleIntermediate", "Middle2_L"},
    {"leftMiddleDistal", "Middle3_L"},
    {"leftRingProximal", "Ring1_L"},
    {"leftRingIntermediate", "Ring2_L"},
    {"leftRingDistal", "Ring3_L"},
    {"leftLittleProximal", "Pinky1_L"},
    {"leftLittleIntermediate", "Pinky2_L"},
    {"leftLittleDistal", "Pinky3_L"},
};

static const expected_role knight_roles[] = {
    {"hips", "hips"},
    {"spine", "spine"},
    {"chest", "chest"},
    {"head", "head"},
    {"leftUpperArm", "upperarm.l"},
    {"leftLowerArm", "lowerarm.l"},
    {"leftHand", "hand.l"},
    {"leftUpperLeg", "upperleg.l"},
    {"leftLowerLeg", "lowerleg.l"},
    {"leftFoot", "foot.l"},
    {"leftToes", "toes.l"},
};

// Its hips are beside the legs, and its feet are moved by inverse kinematics. Names occur again: the joints have the lower
// indices. Three palms are where the hand is.
static const expected_role robot_roles[] = {
    {"hips", "Body"},
    {"spine", "Abdomen"},
    {"chest", "#10"},
    {"neck", "Neck"},
    {"head", "#12"},
    {"leftShoulder", "#15"},
    {"leftUpperArm", "UpperArm.L"},
    {"leftLowerArm", "LowerArm.L"},
    {"leftHand", "Palm2.L"},
    {"leftUpperLeg", "UpperLeg.L"},
    {"leftLowerLeg", "#57"},
    {"leftFoot", "#3"},
    {"leftThumbMetacarpal", "Thumb.L"},
    {"leftThumbProximal", "Thumb2.L"},
    {"leftIndexProximal", "Index.L"},
    {"leftIndexIntermediate", "Index2.L"},
    {"leftMiddleProximal", "Middle1.L"},
    {"leftMiddleIntermediate", "Middle2.L"},
    {"leftRingProximal", "Ring1.L"},
    {"leftRingIntermediate", "Ring2.L"},
    {"rightShoulder", "#35"},
    {"rightUpperArm", "UpperArm.R"},
    {"rightLowerArm", "LowerArm.R"},
    {"rightHand", "Palm2.R"},
    {"rightUpperLeg", "UpperLeg.R"},
    {"rightLowerLeg", "#62"},
    {"rightFoot", "#67"},
    {"rightThumbMetacarpal", "Thumb.R"},
    {"rightThumbProximal", "Thumb2.R"},
    {"rightIndexProximal", "Index.R"},
    {"rightIndexIntermediate", "Index2.R"},
    {"rightMiddleProximal", "Middle1.R"},
    {"rightMiddleIntermediate", "Middle2.R"},
    {"rightRingProximal", "Ring1.R"},
    {"rightRingIntermediate", "Ring2.R"},
};

// Its nodes have no names. It faces +Z, so its left is at +X.
static const expected_role figure_roles[] = {
    {"hips", "#2"},           {"spine", "#11"},         {"chest", "#12"},        {"neck", "#19"},
    {"head", "#20"},          {"leftUpperLeg", "#7"},   {"leftLowerLeg", "#8"},  {"leftFoot", "#9"},
    {"leftToes", "#10"},      {"rightUpperLeg", "#3"},  {"rightLowerLeg", "#4"}, {"rightFoot", "#5"},
    {"rightToes", "#6"},      {"leftUpperArm", "#16"},  {"leftLowerArm", "#17"}, {"leftHand", "#18"},
    {"rightUpperArm", "#13"}, {"rightLowerArm", "#14"}, {"rightHand", "#15"},
};

static int32_t find_node(const sinew_skeleton *skeleton, const char *name) {
    if (name[0] == '#') return skeleton->node_of_source[strtol(name + 1, NULL, 10)];
    const int32_t node = sinew_skeleton_find(skeleton, name);
    if (node == SINEW_NO_NODE) fail_msg("no node %s", name);
    return node;
}

// Sets a role. With `mirrored`, also sets the right side's: its node has R for the last L, or r for l.
static void expect_role(const sinew_skeleton *skeleton, const expected_role *e, bool mirrored, int32_t *nodes) {
    const int32_t role = sinew_humanoid_find_role(e->role);
    assert_int_not_equal(role, SINEW_NO_ROLE);
    nodes[role] = find_node(skeleton, e->node);
    if (!mirrored || strncmp(e->role, "left", 4) != 0) return;
    char right[64];
    const size_t last = strlen(e->node) - 1;
    snprintf(right, sizeof right, "%s", e->node);
    right[last] = right[last] == 'L' ? 'R' : 'r';
    nodes[sinewi_humanoid_role_mirror(role)] = find_node(skeleton, right);
}

static void compare_roles(const sinew_asset *asset, const sinew_humanoid *humanoid, const expected_role *expected,
                          size_t count, bool mirrored) {
    sinew_humanoid right = sinew_humanoid_empty();
    for (size_t i = 0; i < count; i++) expect_role(asset->skeleton, &expected[i], mirrored, right.nodes);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (humanoid->nodes[role] != right.nodes[role])
            fail_msg("%s is node %d, not %d", sinew_humanoid_role_name(role), (int)humanoid->nodes[role],
                     (int)right.nodes[role]);
}

static sinew_asset *load(const char *folder, const char *name, sinew_up up) {
    char path[512];
    sinew_gltf_options options = *with_avatars();
    options.up = up;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return load_gltf(path, &options);
}

static void check_character(const char *folder, const char *name, const expected_role *expected, size_t count,
                            bool mirrored, float score) {
    for (int up = 0; up < 2; up++) {
        sinew_asset *asset = load(folder, name, up ? SINEW_UP_Z : SINEW_UP_Y);
        sinew_humanoid humanoid;
        sinew_humanoid_report report;
        sinew_error error;
        assert_null(asset->humanoid);
        if (sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, &report, &error) != SINEW_OK)
            fail_msg("%s: %s", name, error.message);
        compare_roles(asset, &humanoid, expected, count, mirrored);
        check_near(report.score, score, 1e-6);
        check_near(up ? -report.forward.y : report.forward.z, 1, 1e-3); // all face +Z in their files
        sinew_asset_destroy(asset);
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_hero(void **state) {
    (void)state;
    check_character(SINEW_MODELS, "hero.glb", hero_roles, COUNT(hero_roles), true, 1.0f);
}

// The guess for the golem, the scout and the sprite without its VRM data, which agree with those.
static void test_targets_of_motion(void **state) {
    (void)state;
    for (int kind = GOLEM; kind <= SCOUT; kind++) {
        character c;
        sinew_humanoid humanoid;
        sinew_humanoid_report report;
        sinew_error error;
        assert_true(load_character((character_kind)kind, &c));
        if (sinew_humanoid_guess(c.skeleton, c.asset->up, NULL, &humanoid, &report, &error) != SINEW_OK)
            fail_msg("%s: %s", character_names[kind], error.message);
        for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
            if (humanoid.nodes[role] != c.humanoid.nodes[role])
                fail_msg("%s: %s is node %d, not %d", character_names[kind], sinew_humanoid_role_name(role),
                         (int)humanoid.nodes[role], (int)c.humanoid.nodes[role]);
            if (kind == SPRITE) assert_int_equal(c.asset->humanoid->nodes[role], c.humanoid.nodes[role]);
        }
        check_near(report.score, 1, 0);
        check_near(report.forward.z, 1, 1e-3);
        free_character(&c);
    }
}

// A file that isn't a humanoid, and its message.
static void check_refused(const char *folder, const char *name, const char *text) {
    sinew_asset *asset = load(folder, name, SINEW_UP_Y);
    sinew_humanoid humanoid;
    sinew_error error;
    assert_int_equal(sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, NULL, &error),
                     SINEW_ERROR_UNSUPPORTED);
    check_contains(error.message, text);
    sinew_asset_destroy(asset);
}

// Roles by shape alone are refused, and kept for a map file.
static void check_unnamed(const char *folder, const char *name) {
    sinew_asset *asset = load(folder, name, SINEW_UP_Y);
    sinew_humanoid humanoid, back;
    sinew_humanoid_report report;
    sinew_error error;
    assert_int_equal(sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, &report, &error),
                     SINEW_ERROR_UNSUPPORTED);
    check_contains(error.message,
                   "score 0.50: none of the names are known, so the roles are guessed from the shape");
    compare_roles(asset, &humanoid, figure_roles, COUNT(figure_roles), false);
    check_near(report.score, 0.5, 0);
    assert_int_equal(report.evidence[SINEW_HUMANOID_HIPS], SINEW_HUMANOID_EVIDENCE_SHAPE);
    char text[4096];
    const size_t size = sinew_humanoid_write(asset->skeleton, &humanoid, NULL, text, sizeof text);
    assert_int_equal(sinew_humanoid_read_memory(text, size, asset->skeleton, NULL, &back, NULL, &error), SINEW_OK);
    assert_int_equal(sinew_humanoid_check(asset->skeleton, asset->up, &back, &report, NULL), SINEW_OK);
    check_near(report.score, 1, 0); // they are given now
    sinew_asset_destroy(asset);
}

static void test_characters_of_others(void **state) {
    (void)state;
    check_refused(SINEW_MODELS, "sword.glb", "missing hips, spine, head, ");
    check_refused(SINEW_MODELS, "windmill.glb", "missing hips, spine, head, ");
    const char *folder = other_peoples_files();
    check_character(folder, "kaykit/Knight.glb", knight_roles, COUNT(knight_roles), true, 1.0f);
    // Hips by shape: 0.5; the feet are detached: 0.5 each; the hands have two rivals: 0.75 each.
    check_character(folder, "robotexpressive/RobotExpressive.glb", robot_roles, COUNT(robot_roles), false,
                    13.0f / 15.0f);
    check_unnamed(folder, "khronos-samples-2017/RiggedFigure.glb");
    check_refused(folder, "bevy/Fox.glb", "the line from hips to head is more than 45 degrees from up");
    check_refused(folder, "godot-demos/enemy.glb", "missing hips, spine, head, ");
    check_refused(folder, "raylib/greenman.glb", "missing hips, spine, head, leftLowerLeg");
    check_refused(folder, "webxr-hands/left.glb", "missing hips, spine, head, ");
    check_refused(folder, "kenney/character.glb",
                  "missing hips, spine, head, leftLowerLeg, leftFoot, rightLowerLeg, rightFoot, leftLowerArm, "
                  "leftHand, rightLowerArm, rightHand");
}

// ---- VRM -----------------------------------------------------------------------------------------------------

static sinew_asset *load_vrm(const char *extensions, gltf_lines *lines) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[{'name':'a','children':[1,2]},{'name':'b'},{'name':'c'},{'name':'d'}]");
    gltf_section(&b, "'extensions':{%s}", extensions);
    return gltf_load(&b, lines);
}

static int32_t source_of(const sinew_asset *asset, int32_t role) {
    const int32_t node = asset->humanoid->nodes[role];
    return node == SINEW_NO_NODE ? SINEW_NO_NODE : asset->skeleton->source_of_node[node];
}

static void test_vrm_1(void **state) {
    (void)state;
    gltf_lines lines = {.count = 0};
    sinew_asset *asset = load_vrm("'VRMC_vrm':{'specVersion':'1.0','humanoid':{'humanBones':{'hips':{'node':2},"
                                  "'leftThumbProximal':{'node':0},'leftThumbIntermediate':{'node':1}}}},"
                                  "'VRM':{'humanoid':{'humanBones':[{'bone':'head','node':3}]}}",
                                  &lines);
    assert_non_null(asset->humanoid);
    assert_int_equal(asset->humanoid->source, SINEW_HUMANOID_SOURCE_VRM_1);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_HIPS), 2);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_LEFT_THUMB_PROXIMAL), 0);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_LEFT_THUMB_METACARPAL), SINEW_NO_NODE);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_HEAD), SINEW_NO_NODE); // VRM 0.x data are ignored then
    assert_int_equal(lines.count, 1);
    check_contains(lines.text, "the unknown bone leftThumbIntermediate is ignored");
    sinew_asset_destroy(asset);
}

static void test_vrm_0(void **state) {
    (void)state;
    gltf_lines lines = {.count = 0};
    sinew_asset *asset =
        load_vrm("'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':2,'useDefaultValues':true},{'bone':'jaw','"
                 "node':-1},"
                 "{'bone':'leftThumbProximal','node':0},{'bone':'rightThumbIntermediate','node':1},"
                 "{'bone':'hips','node':3},{'bone':'spine','node':2},{'bone':'tail','node':3}]}}",
                 &lines);
    assert_non_null(asset->humanoid);
    assert_int_equal(asset->humanoid->source, SINEW_HUMANOID_SOURCE_VRM_0);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_HIPS), 2);
    // VRM 0.x calls the thumb's joints proximal, intermediate and distal.
    assert_int_equal(source_of(asset, SINEW_HUMANOID_LEFT_THUMB_METACARPAL), 0);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_RIGHT_THUMB_PROXIMAL), 1);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_LEFT_THUMB_PROXIMAL), SINEW_NO_NODE);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_JAW), SINEW_NO_NODE);
    assert_int_equal(source_of(asset, SINEW_HUMANOID_SPINE), SINEW_NO_NODE);
    assert_int_equal(lines.count, 3);
    check_contains(lines.text, "hips appears again and is ignored");
    check_contains(lines.text, "nodes[2] is already hips; spine is ignored");
    check_contains(lines.text, "the unknown bone tail is ignored");
    sinew_asset_destroy(asset);

    static const char *const none[] = {"'VRM':{}", "'VRMC_vrm':{'humanoid':{}}",
                                       "'VRM':{'humanoid':{'humanBones':[]}}",
                                       "'VRM':{'humanoid':{'humanBones':[{'bone':'jaw','node':-1}]}}"};
    for (size_t i = 0; i < COUNT(none); i++) {
        asset = load_vrm(none[i], NULL);
        assert_null(asset->humanoid);
        sinew_asset_destroy(asset);
    }
}

static void test_bad_vrm_is_left_out(void **state) {
    (void)state;
    static const struct {
        const char *extensions, *text;
    } cases[] = {
        {"'VRMC_vrm':{'humanoid':3}", "extensions.VRMC_vrm.humanoid: "},
        {"'VRMC_vrm':{'humanoid':{'humanBones':[]}}", "extensions.VRMC_vrm.humanoid.humanBones: "},
        {"'VRMC_vrm':{'humanoid':{'humanBones':{'hips':7}}}", "humanBones.hips: "},
        {"'VRMC_vrm':{'humanoid':{'humanBones':{'hips':{}}}}", "humanBones.hips: "},
        {"'VRMC_vrm':{'humanoid':{'humanBones':{'hips':{'node':4}}}}", "humanBones.hips.node: "},
        {"'VRMC_vrm':{'humanoid':{'humanBones':{'tail':{'node':-1}}}}", "humanBones.tail.node: "},
        {"'VRM':{'humanoid':{'humanBones':{}}}", "extensions.VRM.humanoid.humanBones: "},
        {"'VRM':{'humanoid':{'humanBones':[4]}}", "humanBones[0]: "},
        {"'VRM':{'humanoid':{'humanBones':[{'node':1}]}}", "bone is missing"},
        {"'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':-2}]}}", "humanBones[0].node: "},
        {"'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':1.5}]}}", "humanBones[0].node: "},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        gltf_builder b = gltf_begin();
        gltf_section(&b, "'nodes':[{'name':'a','children':[1,2]},{'name':'b'},{'name':'c'},{'name':'d'}]");
        gltf_section(&b, "'extensions':{%s}", cases[i].extensions);
        gltf_lines lines;
        sinew_asset *asset = gltf_load(&b, &lines);
        if (!strstr(lines.text, cases[i].text)) fail_msg("no log line has '%s': %s", cases[i].text, lines.text);
        assert_null(asset->humanoid);
        assert_int_equal(asset->skeleton->node_count, 4);
        sinew_asset_destroy(asset);
    }
}

// Of a part of a file, the roles of the loaded nodes.
static void test_vrm_of_a_subset(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[{'name':'a','children':[1]},{'name':'b'},{'name':'c'}]");
    gltf_section(&b, "'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':{'hips':{'node':2},'head':{'node':1}}}}}");
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    static const char *const parts[] = {"a", "c"};
    for (int i = 0; i < 2; i++) {
        sinew_gltf_options options = *with_avatars();
        options.only_subtree = parts[i];
        sinew_asset *asset;
        assert_int_equal(sinew_gltf_load_memory(glb, size, &options, &asset, NULL), SINEW_OK);
        assert_int_equal(source_of(asset, SINEW_HUMANOID_HIPS), i == 0 ? SINEW_NO_NODE : 2);
        assert_int_equal(source_of(asset, SINEW_HUMANOID_HEAD), i == 0 ? 1 : SINEW_NO_NODE);
        sinew_asset_destroy(asset);
    }
    free(glb);
    gltf_end(&b);
}

// ---- Map files -----------------------------------------------------------------------------------------------

static sinew_result read_map(const char *text, const sinew_skeleton *skeleton, sinew_humanoid *humanoid,
                             sinew_error *error) {
    char *json = json_quotes(text);
    const size_t size = strlen(json);
    char *exact = malloc(size + 1); // no zero follows
    memcpy(exact, json, size);      // NOLINT(bugprone-not-null-terminated-result): the size is passed on
    const sinew_result result = sinew_humanoid_read_memory(exact, size, skeleton, NULL, humanoid, NULL, error);
    free(exact);
    free(json);
    return result;
}

static sinew_skeleton *make_named(const char *const *names, int32_t count) {
    sinew_node_def nodes[16] = {0};
    for (int32_t i = 0; i < count; i++)
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = count;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

static void test_map(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "b", "#0", "", "x\"y\\z"};
    sinew_skeleton *skeleton = make_named(names, 6);
    sinew_humanoid humanoid;
    sinew_error error;
    if (read_map("{'//':'by hand','sinewHumanoid':1,'roles':{'hips':'a','//':[1,{}],'spine':'#2','head':null}}",
                 skeleton, &humanoid, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(humanoid.source, SINEW_HUMANOID_SOURCE_MAP);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        assert_int_equal(humanoid.nodes[role], role == SINEW_HUMANOID_HIPS    ? 0
                                               : role == SINEW_HUMANOID_SPINE ? 2
                                                                              : SINEW_NO_NODE);

    // Every node can be written and read back, even if its name doesn't find it.
    sinew_humanoid all = sinew_humanoid_empty(), back;
    for (int32_t i = 0; i < 6; i++) all.nodes[20 + i] = i;
    char text[2048], cut[64];
    const size_t length = sinew_humanoid_write(skeleton, &all, NULL, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(sinew_humanoid_write(skeleton, &all, NULL, cut, sizeof cut), length);
    assert_int_equal(sinew_humanoid_write(skeleton, &all, NULL, NULL, 0), length);
    assert_int_equal(strlen(cut), sizeof cut - 1);
    assert_int_equal(strncmp(cut, text, sizeof cut - 1), 0);
    check_contains(text, "\"leftHand\": \"a\",\n");
    check_contains(text, ": \"#1\",\n");
    check_contains(text, ": \"#3\",\n");
    check_contains(text, "\"x\\\"y\\\\z\"");
    check_contains(text, "\"hips\": null,\n");
    assert_null(strstr(text, "upperChest"));
    assert_int_equal(sinew_humanoid_read_memory(text, length, skeleton, NULL, &back, NULL, &error), SINEW_OK);
    assert_memory_equal(back.nodes, all.nodes, sizeof all.nodes);
    sinew_skeleton_destroy(skeleton);
}

static void test_bad_maps(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "b"};
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "1:1: "},
        {"[]", "1:1: expected an object, not an array"},
        {"{'roles':{}}", "1:1: \"sinewHumanoid\" is missing: not a map file"},
        {"{'sinewHumanoid':2,'roles':{}}", "1:18: expected 1, the format version, not 2"},
        {"{'sinewHumanoid':1}", "1:1: \"roles\" or \"chains\" is missing"},
        {"{'sinewHumanoid':1,'roles':[]}", "1:28: expected an object of roles, not an array"},
        {"{'sinewHumanoid':1,'role':{}}", "1:20: expected \"sinewHumanoid\", \"roles\" or \"chains\", not role"},
        {"{'sinewHumanoid':1,'roles':{},\n'roles':{}}", "2:1: this key appears twice"},
        {"{'sinewHumanoid':1,'roles':{\n  'Hips':'a'}}", "2:3: expected a role, such as \"hips\", not Hips"},
        {"{'sinewHumanoid':1,'roles':{'hips':3}}", "1:36: expected the name of a node, not 3"},
        {"{'sinewHumanoid':1,'roles':{'hips':'c'}}", "1:36: the skeleton has no node \"c\""},
        {"{'sinewHumanoid':1,'roles':{'hips':'b'}}",
         "1:36: 2 nodes are named \"b\"; write \"#\" and a source index, such as \"#1\""},
        {"{'sinewHumanoid':1,'roles':{'hips':'#3'}}", "1:36: the skeleton has no node with the source index 3"},
        {"{'sinewHumanoid':1,'roles':{'hips':'#99999999999'}}", "1:36: the skeleton has no node \"#99999999999\""},
        {"{'sinewHumanoid':1,'roles':{'hips':'a','hips':'#1'}}", "1:40: hips appears twice"},
        {"{'sinewHumanoid':1,'roles':{'hips':'a','head':'#0'}}", "1:47: this node is already hips"},
    };
    sinew_skeleton *skeleton = make_named(names, 3);
    for (size_t i = 0; i < COUNT(cases); i++) {
        sinew_humanoid humanoid, before;
        sinew_error error;
        memset(&humanoid, 0x5a, sizeof humanoid);
        before = humanoid;
        assert_int_equal(read_map(cases[i].text, skeleton, &humanoid, &error), SINEW_ERROR_FORMAT);
        if (strstr(error.message, cases[i].message) != error.message)
            fail_msg("'%s', not '%s'", error.message, cases[i].message);
        assert_memory_equal(&humanoid, &before, sizeof humanoid);
    }
    sinew_skeleton_destroy(skeleton);
}

// A text is read, or refused with a line and a column; `humanoid` is changed only if it is read.
static void try_map(const char *text, size_t size, const sinew_skeleton *skeleton) {
    sinew_humanoid humanoid = sinew_humanoid_empty();
    sinew_error error;
    char *exact = malloc(size ? size : 1); // no byte follows
    memcpy(exact, text, size);
    const sinew_result result = sinew_humanoid_read_memory(exact, size, skeleton, NULL, &humanoid, NULL, &error);
    free(exact);
    if (result == SINEW_OK) {
        sinew_humanoid_report report;
        assert_int_equal(humanoid.source, SINEW_HUMANOID_SOURCE_MAP);
        assert_int_equal(sinew_humanoid_check(skeleton, SINEW_UP_Y, &humanoid, &report, NULL), SINEW_OK);
        return;
    }
    assert_int_equal(result, SINEW_ERROR_FORMAT);
    char *rest;
    const long line = strtol(error.message, &rest, 10);
    const long column = *rest == ':' ? strtol(rest + 1, &rest, 10) : 0;
    assert_true(line > 0 && column > 0);
    assert_int_equal(humanoid.source, SINEW_HUMANOID_SOURCE_PROGRAM);
}

static void test_damaged_maps(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    static const char damage[] = {0, '"', '{', '}', '#', '9', '\\', ',', ':', '\n', (char)0xff};
    sinew_skeleton *skeleton = make_named(names, 3);
    char *text =
        json_quotes("{'sinewHumanoid':1,\n'//':0,'roles':{'hips':'a','spine':'#1','head':'c','jaw':null}}");
    const size_t size = strlen(text);
    for (size_t i = 0; i <= size; i++) {
        try_map(text, i, skeleton);
        const char kept = text[i];
        for (size_t k = 0; k < sizeof damage && i < size; k++) {
            text[i] = damage[k];
            try_map(text, size, skeleton);
        }
        text[i] = kept;
    }
    free(text);
    sinew_skeleton_destroy(skeleton);
}

static void test_map_file(void **state) {
    (void)state;
    sinew_asset *asset = load(SINEW_MODELS, "hero.glb", SINEW_UP_Y);
    sinew_humanoid humanoid, back;
    sinew_error error;
    assert_int_equal(sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, NULL, &error), SINEW_OK);
    char text[4096];
    const size_t size = sinew_humanoid_write(asset->skeleton, &humanoid, NULL, text, sizeof text);
    assert_true(size < sizeof text);
    FILE *file = fopen("hero.humanoid.json", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        result = sinew_humanoid_read_file("hero.humanoid.json", asset->skeleton, &allocator, &back, NULL, &error);
        if (result != SINEW_OK) assert_string_equal(error.message, "hero.humanoid.json: out of memory");
    }
    assert_true(c.fail_at > 2);
    assert_memory_equal(back.nodes, humanoid.nodes, sizeof back.nodes);
    assert_int_equal(sinew_humanoid_read_file("none.json", asset->skeleton, NULL, &back, NULL, &error),
                     SINEW_ERROR_IO);
    check_contains(error.message, "none.json: ");
    file = fopen("hero.humanoid.json", "wb");
    fputs("{\n3", file);
    fclose(file);
    assert_int_equal(sinew_humanoid_read_file("hero.humanoid.json", asset->skeleton, NULL, &back, NULL, &error),
                     SINEW_ERROR_FORMAT);
    check_contains(error.message, "hero.humanoid.json:2:1: ");
    remove("hero.humanoid.json");
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hero),
        cmocka_unit_test(test_targets_of_motion),
        cmocka_unit_test(test_characters_of_others),
        cmocka_unit_test(test_vrm_1),
        cmocka_unit_test(test_vrm_0),
        cmocka_unit_test(test_bad_vrm_is_left_out),
        cmocka_unit_test(test_vrm_of_a_subset),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_bad_maps),
        cmocka_unit_test(test_damaged_maps),
        cmocka_unit_test(test_map_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
