// SPDX-License-Identifier: MIT
// sprite_vrm.c - the sprite's VRM 1.0 data: roles, expressions, gaze, first person, a constraint for each forearm, springs.
#include "spring_bones.h"
#include "sprite.h"

#include <stdio.h>
#include <string.h>

static void say_comma(buffer *b, bool *first) {
    if (!*first) {
        say(b, ",");
    }
    *first = false;
}

// ---- meta and roles ----

static void say_meta(buffer *b) {
    say(b, "\"meta\":{\"name\":\"Sprite\",\"version\":\"1.0\",\"authors\":[\"The authors of Sinew\"],"
           "\"copyrightInformation\":\"MIT License\",\"licenseUrl\":\"https://vrm.dev/licenses/1.0/\","
           "\"otherLicenseUrl\":\"https://opensource.org/license/mit\",\"avatarPermission\":\"everyone\","
           "\"commercialUsage\":\"corporation\",\"creditNotation\":\"unnecessary\",\"allowRedistribution\":true,"
           "\"modification\":\"allowModificationRedistribution\"}");
}

static const char *const middle_roles[][2] = {{"hips", "Hips"},   {"spine", "Spine"},
                                              {"chest", "Chest"}, {"upperChest", "UpperChest"},
                                              {"neck", "Neck"},   {"head", "Head"}};
static const char *const side_roles[][2] = {{"Eye", "Eye"},
                                            {"Shoulder", "Shoulder"},
                                            {"UpperArm", "UpperArm"},
                                            {"LowerArm", "LowerArm"},
                                            {"Hand", "Hand"},
                                            {"UpperLeg", "UpperLeg"},
                                            {"LowerLeg", "LowerLeg"},
                                            {"Foot", "Foot"},
                                            {"Toes", "Toes"},
                                            {"ThumbMetacarpal", "Thumb1"},
                                            {"ThumbProximal", "Thumb2"},
                                            {"ThumbDistal", "Thumb3"},
                                            {"IndexProximal", "Index1"},
                                            {"IndexIntermediate", "Index2"},
                                            {"IndexDistal", "Index3"},
                                            {"MiddleProximal", "Middle1"},
                                            {"MiddleIntermediate", "Middle2"},
                                            {"MiddleDistal", "Middle3"},
                                            {"RingProximal", "Ring1"},
                                            {"RingIntermediate", "Ring2"},
                                            {"RingDistal", "Ring3"},
                                            {"LittleProximal", "Pinky1"},
                                            {"LittleIntermediate", "Pinky2"},
                                            {"LittleDistal", "Pinky3"}};

static void say_roles(buffer *b, const rig *r, const int *nodes) {
    bool first = true;
    say(b, ",\"humanoid\":{\"humanBones\":{");
    for (size_t i = 0; i < sizeof middle_roles / sizeof *middle_roles; i++) {
        say_comma(b, &first);
        say(b, "\"%s\":{\"node\":%d}", middle_roles[i][0], nodes[rig_find(r, middle_roles[i][1], CENTER)]);
    }
    for (size_t i = 0; i < sizeof side_roles / sizeof *side_roles; i++) {
        for (int s = 0; s < 2; s++) {
            say(b, ",\"%s%s\":{\"node\":%d}", s == 0 ? "left" : "right", side_roles[i][0],
                nodes[rig_find(r, side_roles[i][1], sides[s])]);
        }
    }
    say(b, "}}");
}

// ---- expressions ----

enum { BINDS_MAX = 4 };

typedef struct expression {
    const char *name;
    struct {
        enum sprite_morph morph;
        double weight; ///< 0: there is no bind
    } binds[BINDS_MAX];
    const char *blink, *mouth; ///< overrides, or NULL
} expression;

static const expression expressions[] = {
    {"happy", {{SMILE_L, 1}, {SMILE_R, 1}, {MOUTH_SMILE, 1}, {BROWS_UP, 0.5}}, "block", "blend"},
    {"angry", {{BROWS_ANGRY, 1}, {MOUTH_SAD, 0.8}}, NULL, NULL},
    {"sad", {{BROWS_SAD, 1}, {MOUTH_SAD, 1}}, NULL, NULL},
    {"relaxed", {{BLINK_L, 0.35}, {BLINK_R, 0.35}, {MOUTH_SMILE, 0.5}}, "blend", NULL},
    {"surprised", {{BROWS_UP, 1}, {VOWEL_O, 0.7}}, NULL, "block"},
    {"aa", {{VOWEL_A, 1}}, NULL, NULL},
    {"ih", {{VOWEL_I, 1}}, NULL, NULL},
    {"ou", {{VOWEL_U, 1}}, NULL, NULL},
    {"ee", {{VOWEL_E, 1}}, NULL, NULL},
    {"oh", {{VOWEL_O, 1}}, NULL, NULL},
    {"blink", {{BLINK_L, 1}, {BLINK_R, 1}}, NULL, NULL},
    {"blinkLeft", {{BLINK_L, 1}}, NULL, NULL},
    {"blinkRight", {{BLINK_R, 1}}, NULL, NULL},
    {"neutral", {{BLINK_L, 0}}, NULL, NULL},
};

static void say_expression(buffer *b, const expression *e, int face) {
    say(b,
        "\"%s\":{\"isBinary\":false,\"overrideBlink\":\"%s\",\"overrideLookAt\":\"none\",\"overrideMouth\":\"%s\"",
        e->name, e->blink ? e->blink : "none", e->mouth ? e->mouth : "none");
    for (int i = 0; i < BINDS_MAX && e->binds[i].weight > 0.0; i++) {
        say(b, "%s{\"node\":%d,\"index\":%d,\"weight\":%.6g}", i == 0 ? ",\"morphTargetBinds\":[" : ",", face,
            (int)e->binds[i].morph, e->binds[i].weight);
    }
    say(b, e->binds[0].weight > 0.0 ? "]}" : "}");
}

static void say_expressions(buffer *b, int face) {
    bool first = true;
    say(b, ",\"expressions\":{\"preset\":{");
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        say_comma(b, &first);
        say_expression(b, &expressions[i], face);
    }
    say(b, "},\"custom\":{");
    static const expression wink = {"wink", {{SMILE_R, 1}, {MOUTH_SMILE, 0.7}}, "block", NULL};
    say_expression(b, &wink, face);
    say(b, "}}");
}

// ---- gaze and first person ----

static void say_look_at(buffer *b) {
    static const char *const ranges[] = {"HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"};
    static const double degrees[] = {8, 10, 8, 8};
    say(b, ",\"lookAt\":{\"type\":\"bone\",\"offsetFromHeadBone\":[0,0.122,0.06]");
    for (int i = 0; i < 4; i++) {
        say(b, ",\"rangeMap%s\":{\"inputMaxValue\":90,\"outputScale\":%.6g}", ranges[i], degrees[i]);
    }
    say(b, "}");
}

static void say_first_person(buffer *b, const int *meshes) {
    static const char *const types[SPRITE_MESHES] = {"auto", "thirdPersonOnly", "thirdPersonOnly"};
    bool first = true;
    say(b, ",\"firstPerson\":{\"meshAnnotations\":[");
    for (int i = 0; i < SPRITE_MESHES; i++) {
        say_comma(b, &first);
        say(b, "{\"node\":%d,\"type\":\"%s\"}", meshes[i], types[i]);
    }
    say(b, "]}");
}

// ---- springs ----

static const spring_collider colliders[] = {
    {"Head", CENTER, {0, 0.150, -0.005}, {0, 0.150, -0.005}, 0.140},
    {"Chest", CENTER, {0, 0.010, 0}, {0, 0.080, -0.008}, 0.062},
    {"Hips", CENTER, {0, 0, 0.005}, {0, 0.050, 0.005}, 0.080},
    {"UpperLeg", LEFT, {0, -0.020, 0}, {0.003, -0.126, 0.006}, 0.045},
    {"UpperLeg", RIGHT, {0, -0.020, 0}, {-0.003, -0.126, 0.006}, 0.045},
};

static const spring_group groups[] = {{"Head", 0, 1}, {"Body", 1, 4}};

static const spring_bone bones[] = {
    {"Ear left", "Ear", LEFT, 3, 0.02, 2.0, 0.0, 0.4, NULL},
    {"Ear right", "Ear", RIGHT, 3, 0.02, 2.0, 0.0, 0.4, NULL},
    {"Hair left", "HairSide", LEFT, 3, 0.02, 0.6, 0.3, 0.4, "[0,1]"},
    {"Hair right", "HairSide", RIGHT, 3, 0.02, 0.6, 0.3, 0.4, "[0,1]"},
    {"Tail", "Tail", CENTER, 5, 0.05, 0.9, 0.1, 0.3, "[1]"},
};

static const spring_bones springs = {colliders,
                                     groups,
                                     bones,
                                     sizeof colliders / sizeof *colliders,
                                     sizeof groups / sizeof *groups,
                                     sizeof bones / sizeof *bones};

// ---- the whole ----

/// Half of the roll of a hand, about the forearm, is that of the forearm's twist joint.
static void add_constraints(glb *g, const rig *r, const int *nodes) {
    for (int i = 0; i < 2; i++) {
        char text[160];
        snprintf(
            text, sizeof text,
            "{\"specVersion\":\"1.0\",\"constraint\":{\"roll\":{\"source\":%d,\"rollAxis\":\"X\",\"weight\":0.5}}}",
            nodes[rig_find(r, "Hand", sides[i])]);
        glb_node_extension(g, nodes[rig_find(r, "LowerArmTwist", sides[i])], "VRMC_node_constraint", text);
    }
}

void sprite_add_vrm(glb *g, const rig *r, const int *nodes, const int *meshes) {
    buffer vrm = {0};
    say(&vrm, "{\"specVersion\":\"1.0\",");
    say_meta(&vrm);
    say_roles(&vrm, r, nodes);
    say_expressions(&vrm, meshes[SPRITE_FACE]);
    say_look_at(&vrm);
    say_first_person(&vrm, meshes);
    say(&vrm, "}");
    put(&vrm, "", 1);
    glb_extension(g, "VRMC_vrm", vrm.data);
    free_buffer(&vrm);
    spring_bones_add(g, &springs, r, nodes);
    add_constraints(g, r, nodes);
}
