// SPDX-License-Identifier: MIT
// A .vrma file's face on VRM characters: in the written file, expressions become morph weights and the gaze turns the
// eyes. Expected numbers are worked out by hand from the specifications.
#include "support/gltf_builder.h"
#include "support/avatar.h"

#include "retargeting/retargeting.h"

#include <stdio.h>

enum { HEAD = 8, BONES = 17, LEFT_EYE = 15, RIGHT_EYE, FACE, TRACKS = 6, GAZE = BONES + TRACKS, TARGETS = 3 };

static const double yaw = 20.0; // degrees, of the gaze at the end

// ---- The files -------------------------------------------------------------------------------------------------

typedef struct bone {
    const char *role;
    int parent; // -1: none
    float x, y, z;
} bone;

static const bone bones[BONES] = {
    {"hips", -1, 0, 1, 0},
    {"leftUpperLeg", 0, 0.1f, -0.1f, 0},
    {"leftLowerLeg", 1, 0, -0.4f, 0},
    {"leftFoot", 2, 0, -0.4f, 0},
    {"rightUpperLeg", 0, -0.1f, -0.1f, 0},
    {"rightLowerLeg", 4, 0, -0.4f, 0},
    {"rightFoot", 5, 0, -0.4f, 0},
    {"spine", 0, 0, 0.2f, 0},
    {"head", 7, 0, 0.4f, 0},
    {"leftUpperArm", 7, 0.2f, 0.3f, 0},
    {"leftLowerArm", 9, 0.25f, 0, 0},
    {"leftHand", 10, 0.25f, 0, 0},
    {"rightUpperArm", 7, -0.2f, 0.3f, 0},
    {"rightLowerArm", 12, -0.25f, 0, 0},
    {"rightHand", 13, -0.25f, 0, 0},
    {"leftEye", 8, 0.03f, 0.1f, 0.05f},
    {"rightEye", 8, -0.03f, 0.1f, 0.05f},
};

// Nodes of a T-pose that faces +Z, or -Z with a `side` of -1, and `more`.
static void add_nodes(gltf_builder *b, float side, const char *more) {
    char nodes[4096] = "";
    for (int i = 0; i < BONES; i++) {
        char children[64] = "";
        for (int k = i + 1; k < BONES; k++) {
            if (bones[k].parent != i) continue;
            snprintf(children + strlen(children), sizeof children - strlen(children), "%s%d",
                     children[0] ? "," : ",'children':[", k);
        }
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "{'name':'n%d','translation':[%g,%g,%g]%s%s},", i, (double)(side * bones[i].x), (double)bones[i].y,
                 (double)(side * bones[i].z), children, children[0] ? "]" : "");
    }
    gltf_section(b, "'nodes':[%s%s]", nodes, more);
}

// An object of VRM 1.0, or an array of VRM 0.x.
static const char *roles(int count, bool is_0) {
    static char text[2048];
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 is_0 ? "%s{'bone':'%s','node':%d}" : "%s'%s':{'node':%d}", i ? "," : "", bones[i].role, i);
    return text;
}

static const struct {
    const char *kind, *name;
    float end; // its weight rises from 0 to this in a second
} tracks[TRACKS] = {{"preset", "happy", 1}, {"preset", "aa", 2},   {"preset", "blink", 1},
                    {"preset", "sad", 1},   {"custom", "puff", 1}, {"custom", "smirk", 1}};

static void add_animation(gltf_builder *b) {
    char samplers[1024], channels[1024];
    const float half = (float)(0.5 * yaw * PI / 180);
    const int times = gltf_floats(b, "SCALAR", 2, (float[2]){0, 1});
    const int look = gltf_floats(b, "VEC4", 2, (float[8]){0, 0, 0, 1, 0, sinf(half), 0, cosf(half)});
    snprintf(samplers, sizeof samplers, "{'input':%d,'output':%d}", times, look);
    snprintf(
        channels, sizeof channels,
        "{'sampler':0,'target':{'node':%d,'path':'rotation'}},{'sampler':0,'target':{'node':%d,'path':'rotation'}}",
        GAZE, HEAD);
    for (int i = 0; i < TRACKS; i++) {
        const int output = gltf_floats(b, "VEC3", 2, (float[6]){0, 0, 0, tracks[i].end, 0, 0});
        snprintf(samplers + strlen(samplers), sizeof samplers - strlen(samplers), ",{'input':%d,'output':%d}",
                 times, output);
        snprintf(channels + strlen(channels), sizeof channels - strlen(channels),
                 ",{'sampler':%d,'target':{'node':%d,'path':'translation'}}", i + 1, BONES + i);
    }
    gltf_section(b, "'animations':[{'name':'Smile','samplers':[%s],'channels':[%s]}]", samplers, channels);
}

// A .vrma file.
static sinew_asset *make_motion(void) {
    char presets[256] = "", customs[256] = "";
    gltf_builder b = gltf_begin();
    add_nodes(
        &b, 1,
        "{'name':'t0'},{'name':'t1'},{'name':'t2'},{'name':'t3'},{'name':'t4'},{'name':'t5'},{'name':'gaze'}");
    for (int i = 0; i < TRACKS; i++) {
        char *to = tracks[i].kind[0] == 'p' ? presets : customs;
        snprintf(to + strlen(to), 256 - strlen(to), "%s'%s':{'node':%d}", to[0] ? "," : "", tracks[i].name,
                 BONES + i);
    }
    gltf_section(&b,
                 "'extensions':{'VRMC_vrm_animation':{'specVersion':'1.0','humanoid':{'humanBones':{%s}},"
                 "'expressions':{'preset':{%s},'custom':{%s}},'lookAt':{'node':%d}}}",
                 roles(LEFT_EYE, false), presets, customs, GAZE);
    add_animation(&b);
    return gltf_load(&b, NULL);
}

// A character with three morph targets on the node of its face.
static void begin_character(gltf_builder *b, float side) {
    char members[128];
    static const float deltas[9] = {0, 0, 0.1f, 0, 0, 0.1f, 0, 0, 0.1f};
    *b = gltf_begin();
    const int delta = gltf_floats(b, "VEC3", 3, deltas);
    snprintf(members, sizeof members, ",'targets':[{'POSITION':%d},{'POSITION':%d},{'POSITION':%d}]", delta, delta,
             delta);
    gltf_triangle_mesh(b, "", members);
    add_nodes(b, side, "{'name':'face','mesh':0}");
}

// VRM 1.0. `aa` has target 0, `happy` half of target 1, `blink`, which is binary, target 2; `sad` moves none.
static void add_vrm_1(gltf_builder *b, const char *look_at) {
    gltf_section(
        b,
        "'extensions':{'VRMC_vrm':{'specVersion':'1.0','meta':{},'humanoid':{'humanBones':{%s}},'lookAt':%s,"
        "'expressions':{'preset':{'aa':{'morphTargetBinds':[{'node':%d,'index':0,'weight':1}]},"
        "'happy':{'morphTargetBinds':[{'node':%d,'index':1,'weight':0.5}]},"
        "'blink':{'isBinary':true,'morphTargetBinds':[{'node':%d,'index':2,'weight':1}]},'sad':{},"
        "'lookLeft':{'morphTargetBinds':[{'node':%d,'index':2,'weight':1}]}},"
        "'custom':{'puff':{'morphTargetBinds':[{'node':%d,'index':1,'weight':0.25}]}}}}}",
        roles(BONES, false), look_at, FACE, FACE, FACE, FACE, FACE);
}

// The same by VRM 0.x.
static void add_vrm_0(gltf_builder *b) {
    gltf_section(
        b,
        "'extensions':{'VRM':{'humanoid':{'humanBones':[%s]},'firstPerson':{'lookAtTypeName':'Bone'},"
        "'blendShapeMaster':{'blendShapeGroups':["
        "{'name':'A','presetName':'a','binds':[{'mesh':0,'index':0,'weight':100}]},"
        "{'name':'Joy','presetName':'joy','binds':[{'mesh':0,'index':1,'weight':50}]},"
        "{'name':'Blink','presetName':'blink','isBinary':true,'binds':[{'mesh':0,'index':2,'weight':100}]},"
        "{'name':'puff','presetName':'unknown','binds':[{'mesh':0,'index':1,'weight':25}]}]}}}",
        roles(BONES, true));
}

// ---- Retargeting -----------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_asset *motion, *target, *written;
    retargeting_roles source_roles, target_roles;
    retargeting work;
    sinew_pose *pose;
} stage;

// Retargets the motion onto a file, writes it, and loads what was written.
static void set_up(stage *s, gltf_builder *character) {
    sinew_error error;
    gltf_save_glb(character, "face.glb");
    s->motion = make_motion();
    if (sinew_gltf_load_file("face.glb", with_avatars(), &s->target, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_true(retargeting_find_roles(&s->source_roles, s->motion));
    assert_true(retargeting_find_roles(&s->target_roles, s->target));
    const retargeting_def def = {.source = {"face.vrma", s->motion, &s->source_roles.humanoid, NULL, NULL},
                                 .target = {"face.glb", s->target, &s->target_roles.humanoid, NULL, NULL},
                                 .feet = true,
                                 .rate = 30};
    const sinew_clip *clip = &s->motion->clips[0];
    const bool is_made = retargeting_begin(&s->work, &def) && retargeting_make_clips(&s->work, &clip, 1, NULL) &&
                         retargeting_write(&s->work, false, NULL, NULL);
    if (!is_made) fail_msg("%s", s->work.error);
    if (sinew_gltf_load_memory(s->work.written.glb, s->work.written.size, with_avatars(), &s->written, &error) !=
        SINEW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(sinew_pose_create(s->written->skeleton, NULL, &s->pose), SINEW_OK);
}

static void tear_down(stage *s) {
    sinew_pose_destroy(s->pose);
    sinew_asset_destroy(s->written);
    retargeting_end(&s->work);
    sinew_asset_destroy(s->target);
    sinew_asset_destroy(s->motion);
}

static void check_weights(stage *s, float time, const float expected[TARGETS]) {
    assert_int_equal(s->written->clip_count, 1);
    sinew_clip_sample(&s->written->clips[0], time, s->pose);
    assert_int_equal(s->written->skeleton->weight_count, TARGETS);
    check_floats(s->pose->weights, expected, TARGETS, 1e-6f);
}

// Eyes turn by a ninth of the yaw about the vertical, by the default ranges: 90 degrees to 10.
static void check_eyes(stage *s) {
    sinew_clip_sample(&s->written->clips[0], 1.0f, s->pose);
    const double half = 0.5 * yaw / 9 * PI / 180;
    for (int eye = LEFT_EYE; eye <= RIGHT_EYE; eye++) {
        const sinew_quat q = sinew_pose_get(s->pose, s->written->skeleton->node_of_source[eye]).rotation;
        check_near(q.y, sin(half), 1e-6);
        check_near(q.w, cos(half), 1e-6);
    }
}

static void check_dropped(const stage *s, const char *const *expected) {
    const retargeting_face face = retargeting_face_of(&s->work);
    int32_t next = 0;
    for (; *expected; expected++) {
        const char *name = retargeting_dropped(&face, &next);
        assert_non_null(name);
        assert_string_equal(name, *expected);
    }
    assert_null(retargeting_dropped(&face, &next));
    assert_null(retargeting_dropped(&face, &next));
}

// happy and puff share a target: 0.5 t + 0.25 t; aa is clamped at 1, and blink jumps at 0.5.
static void check_face(stage *s) {
    check_weights(s, 0.0f, (float[]){0, 0, 0});
    check_weights(s, 0.25f, (float[]){0.5f, 0.1875f, 0});
    check_weights(s, 0.75f, (float[]){1, 0.5625f, 1});
    check_weights(s, 1.0f, (float[]){1, 0.75f, 1});
    check_eyes(s);
}

static void test_vrm_1(void **state) {
    (void)state;
    stage s = {0};
    gltf_builder b;
    begin_character(&b, 1);
    add_vrm_1(&b, "{'type':'bone'}");
    set_up(&s, &b);
    check_face(&s);
    check_dropped(&s, (const char *const[]){"sad", "smirk", NULL});
    tear_down(&s);
}

static void test_vrm_0(void **state) {
    (void)state;
    stage s = {0};
    gltf_builder b;
    begin_character(&b, -1);
    add_vrm_0(&b);
    set_up(&s, &b);
    check_face(&s);
    check_dropped(&s, (const char *const[]){"sad", "smirk", NULL});
    tear_down(&s);
}

// lookLeft has the target of blink: both are added.
static void test_a_gaze_by_expressions(void **state) {
    (void)state;
    stage s = {0};
    gltf_builder b;
    begin_character(&b, 1);
    add_vrm_1(&b, "{'type':'expression'}");
    set_up(&s, &b);
    check_weights(&s, 1.0f, (float[]){1, 0.75f, (float)(1 + yaw / 90)});
    tear_down(&s);
}

static void test_a_character_without_a_face(void **state) {
    (void)state;
    stage s = {0};
    gltf_builder b;
    begin_character(&b, 1);
    gltf_section(&b, "'extensions':{'VRMC_vrm':{'specVersion':'1.0','meta':{},'humanoid':{'humanBones':{%s}}}}",
                 roles(LEFT_EYE, false));
    set_up(&s, &b);
    check_dropped(&s, (const char *const[]){"happy", "aa", "blink", "sad", "puff", "smirk", "lookAt", NULL});
    check_weights(&s, 1.0f, (float[]){0, 0, 0});
    lint_text json = {0};
    retargeting_append_json(&s.work, &json);
    lint_append(&json, "", 1);
    check_contains(json.data, "\"dropped\":[\"happy\",\"aa\",\"blink\",\"sad\",\"puff\",\"smirk\",\"lookAt\"]");
    lint_text_free(&json);
    tear_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vrm_1),
        cmocka_unit_test(test_vrm_0),
        cmocka_unit_test(test_a_gaze_by_expressions),
        cmocka_unit_test(test_a_character_without_a_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
