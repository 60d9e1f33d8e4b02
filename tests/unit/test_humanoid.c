// SPDX-License-Identifier: MIT
// Humanoid roles: the role table, guesses from each convention's names, damaged and ambiguous rigs, files, and
// memory.
#include "support/check.h"
#include "support/humanoid_rigs.h"
#include "humanoid/humanoid_name.h"

#include <stdio.h>

static const rig_variant plain = {.order = 0, .scale = 1.0f, .up = SINEW_UP_Y};

// ---- Roles ---------------------------------------------------------------------------------------------------

static void test_roles(void **state) {
    (void)state;
    // From the tables of VRMC_vrm-1.0/humanoid.md.
    static const struct {
        int32_t role, parent;
        const char *name;
        bool required;
    } expected[] = {
        {SINEW_HUMANOID_HIPS, SINEW_NO_ROLE, "hips", true},
        {SINEW_HUMANOID_UPPER_CHEST, SINEW_HUMANOID_CHEST, "upperChest", false},
        {SINEW_HUMANOID_NECK, SINEW_HUMANOID_UPPER_CHEST, "neck", false},
        {SINEW_HUMANOID_HEAD, SINEW_HUMANOID_NECK, "head", true},
        {SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_HIPS, "rightUpperLeg", true},
        {SINEW_HUMANOID_LEFT_TOES, SINEW_HUMANOID_LEFT_FOOT, "leftToes", false},
        {SINEW_HUMANOID_RIGHT_SHOULDER, SINEW_HUMANOID_UPPER_CHEST, "rightShoulder", false},
        {SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_LEFT_SHOULDER, "leftUpperArm", true},
        {SINEW_HUMANOID_RIGHT_THUMB_METACARPAL, SINEW_HUMANOID_RIGHT_HAND, "rightThumbMetacarpal", false},
        {SINEW_HUMANOID_LEFT_RING_DISTAL, SINEW_HUMANOID_LEFT_RING_INTERMEDIATE, "leftRingDistal", false},
        {54, SINEW_HUMANOID_RIGHT_LITTLE_INTERMEDIATE, "rightLittleDistal", false}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_string_equal(sinew_humanoid_role_name(expected[i].role), expected[i].name);
        assert_int_equal(sinew_humanoid_role_parent(expected[i].role), expected[i].parent);
        assert_int_equal(sinew_humanoid_is_required(expected[i].role), expected[i].required);
    }
    int required = 0, sided = 0;
    const sinew_humanoid empty = sinew_humanoid_empty();
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const int32_t parent = sinew_humanoid_role_parent(role), mirror = sinewi_humanoid_role_mirror(role);
        assert_int_equal(sinew_humanoid_find_role(sinew_humanoid_role_name(role)), role);
        assert_true(parent < role);
        assert_int_equal(sinewi_humanoid_role_mirror(mirror), role);
        assert_int_equal(empty.nodes[role], SINEW_NO_NODE);
        if (mirror != role)
            assert_true(parent == SINEW_NO_ROLE ||
                        sinewi_humanoid_role_mirror(parent) == sinew_humanoid_role_parent(mirror));
        required += sinew_humanoid_is_required(role);
        sided += mirror != role;
    }
    assert_int_equal(required, 15);
    assert_int_equal(sided, 55 - 7); // hips, spine, chest, upper chest, neck, head and jaw have none
    assert_int_equal(sinew_humanoid_find_role("Hips"), SINEW_NO_ROLE);
    assert_int_equal(sinew_humanoid_find_role("leftThumbIntermediate"), SINEW_NO_ROLE); // of VRM 0.x
    assert_int_equal(sinew_humanoid_role_of(&empty, SINEW_NO_NODE), SINEW_NO_ROLE);
}

// The chest stands in for the upper chest, and the spine for both. Nothing stands in for other roles.
static void test_nodes_of_roles(void **state) {
    (void)state;
    sinew_humanoid humanoid;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) humanoid.nodes[role] = 100 + role;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        assert_int_equal(sinew_humanoid_node_of(&humanoid, role), 100 + role);
        sinew_humanoid without = humanoid;
        without.nodes[role] = SINEW_NO_NODE;
        const bool is_chest = role == SINEW_HUMANOID_CHEST || role == SINEW_HUMANOID_UPPER_CHEST;
        assert_int_equal(sinew_humanoid_node_of(&without, role), is_chest ? 99 + role : SINEW_NO_NODE);
    }
    humanoid.nodes[SINEW_HUMANOID_CHEST] = humanoid.nodes[SINEW_HUMANOID_UPPER_CHEST] = SINEW_NO_NODE;
    assert_int_equal(sinew_humanoid_node_of(&humanoid, SINEW_HUMANOID_UPPER_CHEST), 100 + SINEW_HUMANOID_SPINE);
    humanoid.nodes[SINEW_HUMANOID_SPINE] = SINEW_NO_NODE; // the hips would take the legs with them
    assert_int_equal(sinew_humanoid_node_of(&humanoid, SINEW_HUMANOID_UPPER_CHEST), SINEW_NO_NODE);
}

// ---- Conventions ---------------------------------------------------------------------------------------------

static sinew_result guess(const sinew_skeleton *skeleton, sinew_up up, sinew_humanoid *humanoid,
                          sinew_humanoid_report *report, sinew_error *error) {
    memset(error, 0, sizeof *error);
    return sinew_humanoid_guess(skeleton, up, NULL, humanoid, report, error);
}

// Compares each role with the rig.
static void check_roles(const char *what, const rig *r, const int32_t *sources, const sinew_skeleton *skeleton,
                        const sinew_humanoid *humanoid) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const char *expected = "none";
        int32_t node = SINEW_NO_NODE;
        for (int32_t i = 0; i < r->count; i++) {
            if (r->nodes[i].role != role) continue;
            expected = r->nodes[i].name;
            node = skeleton->node_of_source[sources[i]];
        }
        const int32_t found = humanoid->nodes[role];
        if (found != node)
            fail_msg("%s: %s is %s, not %s", what, sinew_humanoid_role_name(role),
                     found == SINEW_NO_NODE ? "none" : skeleton->names[found], expected);
    }
}

static bool has_detached_legs(const rig_convention *convention) {
    return strcmp(convention->name, "legs at the root") == 0;
}

// The score where every required role has its name: all but those that the convention does not name. Upper legs that are not
// below the hips count half.
static float expected_score(const rig_convention *convention) {
    if (has_detached_legs(convention)) return 14.0f / 15.0f;
    if (strcmp(convention->name, "metarig") == 0 || strcmp(convention->name, "Rigify") == 0) return 14.0f / 15.0f;
    return strcmp(convention->name, "Quaternius") == 0 ? 14.5f / 15.0f : 1.0f;
}

static void check_convention(const rig_convention *convention, const rig_variant *variant) {
    const rig r = rig_of(convention);
    int32_t sources[MAX_RIG_NODES];
    sinew_humanoid humanoid;
    sinew_humanoid_report report;
    sinew_error error;
    sinew_skeleton *skeleton = rig_skeleton(&r, variant, sources);
    if (guess(skeleton, variant->up, &humanoid, &report, &error) != SINEW_OK)
        fail_msg("%s: %s", convention->name, error.message);
    check_roles(convention->name, &r, sources, skeleton, &humanoid);
    assert_int_equal(humanoid.source, SINEW_HUMANOID_SOURCE_GUESS);
    check_near(report.score, expected_score(convention), 1e-6);
    assert_int_equal(report.finding_count, has_detached_legs(convention) ? 2 : 0);
    const float ahead = variant->turned ? -1.0f : 1.0f;
    if (variant->up == SINEW_UP_Z) {
        check_vec3(report.forward, 0, -ahead, 0, 1e-4);
    } else {
        check_vec3(report.forward, 0, 0, ahead, 1e-4);
    }
    sinew_skeleton_destroy(skeleton);
}

static void test_conventions(void **state) {
    (void)state;
    assert_int_equal(rig_convention_count, 21);
    for (int32_t i = 0; i < rig_convention_count; i++) {
        check_convention(&rig_conventions[i], &plain);
        for (uint64_t seed = 1; seed <= 8; seed++) {
            const rig_variant variant = {.order = seed,
                                         .turned = seed & 1,
                                         .rotated = seed & 2,
                                         .scale = seed & 4 ? 100.0f : 0.01f,
                                         .up = seed % 3 == 0 ? SINEW_UP_Z : SINEW_UP_Y};
            check_convention(&rig_conventions[i], &variant);
        }
    }
}

static void set_name(char *name, const char *text) {
    const size_t size = strlen(text) + 1;
    assert_true(size <= sizeof((rig_node *)NULL)->name);
    memcpy(name, text, size);
}

static const rig_convention *convention_of(const char *name) {
    for (int32_t i = 0; i < rig_convention_count; i++)
        if (strcmp(rig_conventions[i].name, name) == 0) return &rig_conventions[i];
    fail_msg("no convention %s", name);
    return NULL;
}

// A prefix that nobody knows, and the same names in other spellings.
static void test_prefixes(void **state) {
    (void)state;
    static const char *const formats[] = {"hero_%s", "Armature|%s", "ns:rig:%s", "character1_%s_014", "%s_jnt"};
    static const char *const conventions[] = {"Mixamo", "Unreal 4", "Rigify", "Biped", "Daz Genesis 8"};
    for (size_t k = 0; k < sizeof conventions / sizeof *conventions; k++) {
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            if (f >= 3 && strcmp(conventions[k], "Biped") == 0) continue; // its digits are names
            rig r = rig_of(convention_of(conventions[k]));
            int32_t sources[MAX_RIG_NODES];
            for (int32_t i = 0; i < r.count; i++) {
                char renamed[2][128];
                snprintf(renamed[0], sizeof renamed[0], formats[f], r.nodes[i].name);
                snprintf(renamed[1], sizeof renamed[1], formats[f], r.nodes[i].parent);
                assert_true(strlen(renamed[0]) < sizeof r.nodes[i].name);
                set_name(r.nodes[i].name, renamed[0]);
                set_name(r.nodes[i].parent, r.nodes[i].parent[0] ? renamed[1] : "");
            }
            sinew_humanoid humanoid;
            sinew_error error;
            sinew_skeleton *skeleton = rig_skeleton(&r, &plain, sources);
            if (guess(skeleton, SINEW_UP_Y, &humanoid, NULL, &error) != SINEW_OK)
                fail_msg("%s as %s: %s", conventions[k], formats[f], error.message);
            check_roles(formats[f], &r, sources, skeleton, &humanoid);
            sinew_skeleton_destroy(skeleton);
        }
    }
}

// ---- Spines --------------------------------------------------------------------------------------------------

// 1 to 6 joints: which of them, from the hips, are the spine, the chest and the upper chest.
static void test_spines(void **state) {
    (void)state;
    static const int expected[6][3] = {{1, 0, 0}, {1, 2, 0}, {1, 2, 3}, {1, 3, 4}, {1, 3, 5}, {1, 4, 6}};
    for (int count = 1; count <= 6; count++) {
        rig r = rig_of(convention_of("LAFAN1 BVH"));
        rig_remove(&r, "Spine1");
        rig_remove(&r, "Spine2");
        strcpy(r.nodes[rig_find(&r, "Spine")].name, "spine1");
        for (int i = 2; i <= count; i++) {
            rig_node *joint = &r.nodes[r.count++];
            *joint = (rig_node){.role = SINEW_NO_ROLE};
            snprintf(joint->name, sizeof joint->name, "spine%d", i);
            snprintf(joint->parent, sizeof joint->parent, "spine%d", i - 1);
        }
        for (int32_t i = 0; i < r.count; i++) {
            if (strcmp(r.nodes[i].parent, "Spine") == 0)
                snprintf(r.nodes[i].parent, sizeof r.nodes[i].parent, "spine%d", count);
            for (int part = 0; part < 3; part++) {
                char name[16];
                snprintf(name, sizeof name, "spine%d", expected[count - 1][part]);
                if (strcmp(r.nodes[i].name, name) == 0) r.nodes[i].role = SINEW_HUMANOID_SPINE + part;
            }
        }
        int32_t sources[MAX_RIG_NODES];
        sinew_humanoid humanoid;
        sinew_error error;
        sinew_skeleton *skeleton = rig_skeleton(&r, &plain, sources);
        if (guess(skeleton, SINEW_UP_Y, &humanoid, NULL, &error) != SINEW_OK)
            fail_msg("%d joints: %s", count, error.message);
        check_roles("spine", &r, sources, skeleton, &humanoid);
        sinew_skeleton_destroy(skeleton);
    }
}

// ---- Without names -------------------------------------------------------------------------------------------

// By shape alone: limbs and trunk, but no fingers and eyes.
static void test_unnamed(void **state) {
    (void)state;
    static const char *const conventions[] = {"LAFAN1 BVH", "Mixamo", "Unity and VRM"};
    for (int k = 0; k < 3; k++) {
        for (uint64_t seed = 0; seed < 8; seed++) {
            rig r = rig_of(convention_of(conventions[k]));
            for (int32_t i = 0; i < r.count; i++) {
                if (r.nodes[i].role >= SINEW_HUMANOID_LEFT_THUMB_METACARPAL || strstr(r.nodes[i].name, "Eye") ||
                    strcmp(r.nodes[i].name, "Jaw") == 0)
                    r.nodes[i].role = SINEW_NO_ROLE;
            }
            const rig_variant variant = {.order = seed,
                                         .turned = seed & 1,
                                         .rotated = seed & 2,
                                         .scale = seed & 4 ? 100.0f : 1.0f,
                                         .up = seed % 3 == 0 ? SINEW_UP_Z : SINEW_UP_Y};
            if (k == 0 && seed == 0) { // hands above the head; +Z is up
                r.nodes[rig_find(&r, "LeftHand")].move = (sinew_vec3){-0.25f, 0, 0.4f};
                r.nodes[rig_find(&r, "RightHand")].move = (sinew_vec3){0.25f, 0, 0.4f};
            }
            rig unnamed = r;
            for (int32_t i = 0; i < r.count; i++) {
                snprintf(unnamed.nodes[i].name, sizeof unnamed.nodes[i].name, "n%d", (int)i);
                if (r.nodes[i].parent[0])
                    snprintf(unnamed.nodes[i].parent, sizeof unnamed.nodes[i].parent, "n%d",
                             (int)rig_find(&r, r.nodes[i].parent));
            }
            int32_t sources[MAX_RIG_NODES];
            sinew_humanoid humanoid;
            sinew_humanoid_report report;
            sinew_error error;
            sinew_skeleton *skeleton = rig_skeleton(&unnamed, &variant, sources);
            assert_int_equal(guess(skeleton, variant.up, &humanoid, &report, &error), SINEW_ERROR_UNSUPPORTED);
            check_roles(conventions[k], &unnamed, sources, skeleton, &humanoid);
            check_near(report.score, 0.5, 0);
            sinew_skeleton_destroy(skeleton);
        }
    }
}

// ---- Damage --------------------------------------------------------------------------------------------------

static void rename_node(rig *r, const char *from, const char *to) {
    for (int32_t i = 0; i < r->count; i++) {
        if (strcmp(r->nodes[i].name, from) == 0) set_name(r->nodes[i].name, to);
        if (strcmp(r->nodes[i].parent, from) == 0) set_name(r->nodes[i].parent, to);
    }
}

static void swap_side(char *name, const char *part) {
    char other[96];
    const char *left = strstr(name, "Left"), *right = strstr(name, "Right");
    if (!strstr(name, part) || (!left && !right)) return;
    const char *side = left ? left : right;
    snprintf(other, sizeof other, "%.*s%s%s", (int)(side - name), name, left ? "Right" : "Left",
             side + (left ? 4 : 5));
    set_name(name, other);
}

// Swaps both sides' joint names that contain `part` ("" for all).
static void swap_sides(rig *r, const char *part) {
    for (int32_t i = 0; i < r->count; i++) {
        swap_side(r->nodes[i].name, part);
        swap_side(r->nodes[i].parent, part);
    }
}

// Guesses a rig that must be refused with a message that contains `text`.
static sinew_humanoid_report refuse(const rig *r, const char *text) {
    int32_t sources[MAX_RIG_NODES];
    sinew_humanoid humanoid;
    sinew_humanoid_report report;
    sinew_error error;
    sinew_skeleton *skeleton = rig_skeleton(r, &plain, sources);
    assert_int_equal(guess(skeleton, SINEW_UP_Y, &humanoid, &report, &error), SINEW_ERROR_UNSUPPORTED);
    if (!strstr(error.message, text)) fail_msg("'%s' does not say '%s'", error.message, text);
    sinew_skeleton_destroy(skeleton);
    return report;
}

static bool reports(const sinew_humanoid_report *report, sinew_humanoid_finding_kind kind, int32_t role) {
    for (int32_t i = 0; i < report->finding_count; i++)
        if (report->findings[i].kind == kind && report->findings[i].role == role) return true;
    return false;
}

static void test_swapped_sides(void **state) {
    (void)state;
    rig r = rig_of(convention_of("Mixamo"));
    swap_sides(&r, "");
    sinew_humanoid_report report = refuse(&r, "left and right are swapped");
    assert_true(reports(&report, SINEW_HUMANOID_FINDING_SWAPPED, SINEW_HUMANOID_HIPS));
    check_near(report.score, 3.0 / 15.0, 1e-6); // hips, spine and head have no side

    r = rig_of(convention_of("Mixamo"));                          // the arms only
    static const char *const arm[] = {"Shoulder", "Arm", "Hand"}; // also "ForeArm" and the fingers
    for (int i = 0; i < 3; i++) swap_sides(&r, arm[i]);
    report = refuse(&r, "on the side of");
    assert_true(reports(&report, SINEW_HUMANOID_FINDING_SIDE, SINEW_HUMANOID_LEFT_UPPER_ARM));
    assert_false(reports(&report, SINEW_HUMANOID_FINDING_SWAPPED, SINEW_HUMANOID_HIPS));

    // Without toes nothing tells where the front is: the names are believed.
    r = rig_of(convention_of("LAFAN1 BVH"));
    rig_remove(&r, "LeftToe");
    rig_remove(&r, "RightToe");
    swap_sides(&r, "");
    int32_t sources[MAX_RIG_NODES];
    sinew_humanoid humanoid;
    sinew_error error;
    sinew_skeleton *skeleton = rig_skeleton(&r, &plain, sources);
    assert_int_equal(guess(skeleton, SINEW_UP_Y, &humanoid, &report, &error), SINEW_OK);
    check_vec3(report.forward, 0, 0, -1, 1e-4);
    sinew_skeleton_destroy(skeleton);
}

static void test_missing(void **state) {
    (void)state;
    rig r = rig_of(convention_of("Mixamo"));
    rig_remove(&r, "mixamorig:Hips"); // now legs and spine are roots
    sinew_humanoid_report report = refuse(&r, "missing hips");
    assert_true(reports(&report, SINEW_HUMANOID_FINDING_MISSING, SINEW_HUMANOID_HIPS));

    r = rig_of(convention_of("Mixamo"));
    rig_remove(&r, "mixamorig:LeftForeArm");
    rig_remove(&r, "mixamorig:RightLeg");
    refuse(&r, "missing rightLowerLeg, leftLowerArm");

    // Without a name for the hips, they are where legs and spine meet.
    r = rig_of(convention_of("Mixamo"));
    rename_node(&r, "mixamorig:Hips", "thing");
    int32_t sources[MAX_RIG_NODES];
    sinew_humanoid humanoid;
    sinew_error error;
    sinew_skeleton *skeleton = rig_skeleton(&r, &plain, sources);
    assert_int_equal(guess(skeleton, SINEW_UP_Y, &humanoid, &report, &error), SINEW_OK);
    check_roles("hips by shape", &r, sources, skeleton, &humanoid);
    assert_int_equal(report.evidence[SINEW_HUMANOID_HIPS], SINEW_HUMANOID_EVIDENCE_SHAPE);
    check_near(report.confidences[SINEW_HUMANOID_HIPS], 0.5, 0);
    sinew_skeleton_destroy(skeleton);
}

static void test_shape(void **state) {
    (void)state;
    static const struct {
        const char *node;
        sinew_vec3 by;
        sinew_humanoid_finding_kind kind;
        int32_t role;
        sinew_result result;
    } cases[] = {
        // Legs above the hips, an animal's spine, a lower leg of length 0, and one that is too long.
        {"LeftLeg", {0, 1.5f, 0}, SINEW_HUMANOID_FINDING_BELOW, SINEW_HUMANOID_LEFT_FOOT, SINEW_ERROR_UNSUPPORTED},
        {"Spine", {0, -0.2f, 0.6f}, SINEW_HUMANOID_FINDING_LYING, SINEW_HUMANOID_HIPS, SINEW_ERROR_UNSUPPORTED},
        {"LeftLeg", {0, 0.45f, -0.01f}, SINEW_HUMANOID_FINDING_UNEQUAL, SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_OK},
        {"RightHand", {-0.1f, 0, 0}, SINEW_HUMANOID_FINDING_UNEQUAL, SINEW_HUMANOID_LEFT_HAND, SINEW_OK},
        {"LeftHand", {-1.5f, 0, 0}, SINEW_HUMANOID_FINDING_SIDE, SINEW_HUMANOID_LEFT_HAND, SINEW_ERROR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig r = rig_of(convention_of("LAFAN1 BVH"));
        r.nodes[rig_find(&r, cases[i].node)].move = cases[i].by; // its children move along
        int32_t sources[MAX_RIG_NODES];
        sinew_humanoid humanoid;
        sinew_humanoid_report report, again;
        sinew_error error;
        sinew_skeleton *skeleton = rig_skeleton(&r, &plain, sources);
        assert_int_equal(guess(skeleton, SINEW_UP_Y, &humanoid, &report, &error), cases[i].result);
        assert_true(reports(&report, cases[i].kind, cases[i].role));
        assert_true(report.score < 1.0f);
        check_roles("damaged", &r, sources, skeleton, &humanoid); // what was found is kept
        assert_int_equal(sinew_humanoid_check(skeleton, SINEW_UP_Y, &humanoid, &again, NULL), SINEW_OK);
        assert_int_equal(again.finding_count, report.finding_count);
        check_near(again.score, report.score, 0);
        assert_int_equal(again.evidence[SINEW_HUMANOID_HIPS], SINEW_HUMANOID_EVIDENCE_GIVEN);
        char text[200], cut[20];
        const size_t length = sinew_humanoid_finding_text(skeleton, &report.findings[0], text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_int_equal(sinew_humanoid_finding_text(skeleton, &report.findings[0], cut, sizeof cut), length);
        assert_int_equal(strncmp(text, cut, strlen(cut)), 0);
        sinew_skeleton_destroy(skeleton);
    }
}

// Rigs with names in an impossible order, or without what identifies the trunk.
enum { MOST_NODES = 8 };
static const struct {
    const char *names[MOST_NODES];
    int32_t parents[MOST_NODES];
    int32_t roles[MOST_NODES]; // SINEW_NO_ROLE: none
} confusing_rigs[] = {
    {{"LeftLeg", "Spine", "Head", "LeftUpLeg", "LeftLeg", "RightUpLeg"},
     {-1, 0, 1, 0, 3, 0},
     {SINEW_HUMANOID_HIPS, SINEW_HUMANOID_NECK, SINEW_HUMANOID_HEAD, SINEW_HUMANOID_LEFT_UPPER_LEG,
      SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG}},
    {{"LeftUpLeg", "RightUpLeg", "Spine", "Head"},
     {-1, 0, 0, 2},
     {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_NECK, SINEW_HUMANOID_HEAD}},
    {{"LeftArm", "LeftUpperArm", "LeftLowerArm"},
     {-1, 0, 1},
     {SINEW_NO_ROLE, SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_LEFT_LOWER_ARM}},
    {{"LeftLowerLeg", "LeftLeg", "LeftLeg", "LeftFoot"},
     {-1, 0, 1, 2},
     {SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_NO_ROLE, SINEW_NO_ROLE, SINEW_HUMANOID_LEFT_FOOT}},
    {{"LeftForeArm", "LeftThumb1", "LeftUpLeg", "RightUpLeg", "Head", "LeftThumb2"},
     {-1, 0, 1, 1, 1, 1},
     {SINEW_HUMANOID_LEFT_LOWER_ARM, SINEW_HUMANOID_HIPS, SINEW_HUMANOID_LEFT_UPPER_LEG,
      SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_HEAD, SINEW_HUMANOID_LEFT_THUMB_METACARPAL}},
    {{"x", "LeftArm", "RightArm", "Neck", "LeftUpLeg", "RightUpLeg"},
     {-1, 0, 0, 0, 3, 3},
     {SINEW_NO_ROLE, SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_RIGHT_UPPER_ARM, SINEW_HUMANOID_HEAD,
      SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG}},
};

// A node whose names and shape suggest several roles gets one. Catches a lower leg above its upper leg, a hand above
// the arm, and hips, a head or a finger with a second role.
static void test_one_role_a_node(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof confusing_rigs / sizeof *confusing_rigs; k++) {
        sinew_node_def nodes[MOST_NODES];
        sinew_skeleton_def def = sinew_skeleton_default();
        for (def.node_count = 0; def.node_count < MOST_NODES && confusing_rigs[k].names[def.node_count];
             def.node_count++)
            nodes[def.node_count] = (sinew_node_def){.name = confusing_rigs[k].names[def.node_count],
                                                     .parent = confusing_rigs[k].parents[def.node_count],
                                                     .rest = sinew_transform_identity()};
        def.nodes = nodes;
        sinew_skeleton *skeleton;
        sinew_humanoid humanoid;
        sinew_humanoid_report report;
        sinew_error error;
        assert_int_equal(sinew_skeleton_create(&def, &skeleton, &error), SINEW_OK);
        assert_int_equal(guess(skeleton, SINEW_UP_Y, &humanoid, &report, &error), SINEW_ERROR_UNSUPPORTED);
        for (int32_t i = 0; i < def.node_count; i++) {
            const int32_t role = sinew_humanoid_role_of(&humanoid, i), expected = confusing_rigs[k].roles[i];
            if (role != expected)
                fail_msg("rig %zu, node %d: role %d, not %d", k, (int)i, (int)role, (int)expected);
        }
        if (sinew_humanoid_check(skeleton, SINEW_UP_Y, &humanoid, &report, &error) != SINEW_OK)
            fail_msg("rig %zu: %s", k, error.message);
        sinew_skeleton_destroy(skeleton);
    }
}

// Two characters in one file: the roles are all of the first, and the report says that there is another.
static void test_two_characters(void **state) {
    (void)state;
    rig r = rig_of(convention_of("LAFAN1 BVH"));
    const int32_t count = r.count;
    for (int32_t i = 0; i < count; i++) {
        const rig_node *node = &r.nodes[i];
        rig_node *copy = &r.nodes[r.count++];
        char name[96], parent[96];
        snprintf(name, sizeof name, "b:%s", node->name);
        snprintf(parent, sizeof parent, "%s%s", node->parent[0] ? "b:" : "", node->parent);
        *copy = *node;
        copy->role = SINEW_NO_ROLE;
        set_name(copy->name, name);
        set_name(copy->parent, parent);
    }
    for (uint64_t order = 0; order < 6; order++) {
        rig_variant variant = plain;
        variant.order = order;
        int32_t sources[MAX_RIG_NODES];
        sinew_humanoid humanoid;
        sinew_humanoid_report report;
        sinew_error error;
        sinew_skeleton *skeleton = rig_skeleton(&r, &variant, sources);
        guess(skeleton, SINEW_UP_Y, &humanoid, &report, &error);
        const int32_t hips = humanoid.nodes[SINEW_HUMANOID_HIPS];
        assert_true(hips == 0 || hips == count);
        for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
            const int32_t node = humanoid.nodes[role];
            assert_true(node == SINEW_NO_NODE || (node >= hips && node < hips + count));
        }
        assert_true(reports(&report, SINEW_HUMANOID_FINDING_AMBIGUOUS, SINEW_HUMANOID_LEFT_UPPER_LEG));
        sinew_skeleton_destroy(skeleton);
    }
}

static void test_arguments(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(3);
    sinew_humanoid humanoid = sinew_humanoid_empty();
    sinew_humanoid_report report;
    sinew_error error;
    humanoid.nodes[SINEW_HUMANOID_HEAD] = 3;
    assert_int_equal(sinew_humanoid_check(skeleton, SINEW_UP_Y, &humanoid, &report, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "head: node 3, but the skeleton has 3 nodes");
    humanoid.nodes[SINEW_HUMANOID_HEAD] = -2;
    assert_int_equal(sinew_humanoid_check(skeleton, SINEW_UP_Y, &humanoid, &report, NULL), SINEW_ERROR_ARGUMENT);
    humanoid.nodes[SINEW_HUMANOID_HEAD] = humanoid.nodes[SINEW_HUMANOID_SPINE] = 1;
    assert_int_equal(sinew_humanoid_check(skeleton, SINEW_UP_Y, &humanoid, &report, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "head: node 1 is also spine");
    sinew_skeleton_destroy(skeleton);
    skeleton = make_chain(0);
    assert_int_equal(guess(skeleton, SINEW_UP_Y, &humanoid, &report, &error), SINEW_ERROR_UNSUPPORTED);
    assert_int_equal(report.finding_count, 15);
    check_near(report.score, 0, 0);
    sinew_skeleton_destroy(skeleton);
}

// Guesses with each allocation failing, until none does; `expected` is the result without failures.
static void fail_allocations(const sinew_skeleton *skeleton, sinew_result expected, int least) {
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        const sinew_allocator allocator = counting_allocator(&c);
        sinew_humanoid humanoid;
        sinew_error error;
        result = sinew_humanoid_guess(skeleton, SINEW_UP_Y, &allocator, &humanoid, NULL, &error);
        if (result == expected) result = SINEW_OK;
        if (result != SINEW_OK) assert_string_equal(error.message, "out of memory");
    }
    assert_true(c.fail_at > least);
}

static void test_every_allocation_fails(void **state) {
    (void)state;
    const rig r = rig_of(convention_of("Mixamo"));
    int32_t sources[MAX_RIG_NODES];
    sinew_skeleton *skeleton = rig_skeleton(&r, &plain, sources);
    fail_allocations(skeleton, SINEW_OK, 1);
    sinew_skeleton_destroy(skeleton);
    skeleton = make_chain(5000); // names without meaning; larger than one chunk of memory
    fail_allocations(skeleton, SINEW_ERROR_UNSUPPORTED, 3);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_of_roles),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_conventions),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_spines),
        cmocka_unit_test(test_unnamed),
        cmocka_unit_test(test_swapped_sides),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_one_role_a_node),
        cmocka_unit_test(test_two_characters),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
