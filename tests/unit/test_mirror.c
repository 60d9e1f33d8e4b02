// SPDX-License-Identifier: MIT
// Mirrored poses: on symmetric rigs, each position is the mirror image of its counterpart's, computed in double
// precision by the test's own forward kinematics. Also counterparts, names, morph weights, root motion, and what's
// refused.
#include "support/random_rig.h"
#include "support/retarget_rig.h"
#include "support/small_rig.h"
#include "humanoid/humanoid_name.h"

#include <stdio.h>

enum { MOMENTS = 12 }; // of a clip, its end included

static float moment(const sinew_clip *clip, int k) {
    return clip->duration * (float)k / (float)(MOMENTS - 1);
}

static sinew_pose *new_pose(const sinew_skeleton *skeleton) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    return pose;
}

static sinew_mirror *mirror_with(const sinew_mirror_def *def) {
    sinew_mirror *mirror;
    sinew_error error = {0};
    if (sinew_mirror_create(def, &mirror, &error) != SINEW_OK) fail_msg("%s", error.message);
    return mirror;
}

static sinew_mirror *mirror_of(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid) {
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton;
    def.humanoid = humanoid;
    return mirror_with(&def);
}

// ---- Names ---------------------------------------------------------------------------------------------------

static void test_names_with_left_and_right_exchanged(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"Hair_L", "Hair_R"},
        {"LeftHand", "RightHand"},
        {"mixamorig:LeftHandThumb1", "mixamorig:RightHandThumb1"},
        {"Bip01 L Thigh", "Bip01 R Thigh"},
        {"lThighBend", "rThighBend"},
        {"upperarm.l", "upperarm.r"},
        {"leftarm", "rightarm"},
        {"LEFT_ARM", "RIGHT_ARM"},
        {"LEFTArm", "RIGHTArm"},
        {"FootL", "FootR"},
        {"Bone.L.001", "Bone.R.001"},
        {"Eye_Lf", "Eye_Rt"},
        {"lft-wing", "rgt-wing"},
        {"L", "R"},
        {"left left", "right right"},
        {"Left_Eye_R", "Right_Eye_L"},
        {"eyeBlinkLeft", "eyeBlinkRight"},
        {"Spine", "Spine"},
        {"Ball", "Ball"},
        {"Lip", "Lip"},
        {"Collar", "Collar"},
        {"Tail1", "Tail1"},
        {"", ""},
        {"\xc3\xa9_L", "\xc3\xa9_R"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        for (int side = 0; side < 2; side++) {
            const char *name = names[i][side], *expected = names[i][1 - side];
            assert_int_equal(sinew_mirror_name(name, text, sizeof text), strlen(expected));
            if (strcmp(text, expected) != 0) fail_msg("%s becomes %s, not %s", name, text, expected);
        }
    }
}

static void test_names_that_do_not_fit_are_truncated(void **state) {
    (void)state;
    char text[8] = "zzzzzzz";
    assert_int_equal(sinew_mirror_name("LeftHand", NULL, 0), 9);
    assert_int_equal(sinew_mirror_name("LeftHand", text, 1), 9);
    assert_string_equal(text, "");
    assert_int_equal(sinew_mirror_name("LeftHand", text, 7), 9);
    assert_string_equal(text, "RightH");
    assert_int_equal(text[7], 0);
}

// ---- Symmetric rigs --------------------------------------------------------------------------------------------

static exact_vec3 reflected(exact_vec3 position, exact_vec3 normal, double plane) {
    return exact_add(position, normal, -2 * (exact_dot(position, normal) - plane));
}

// The largest distance between a node and its counterpart's mirror image in the other pose, relative to the size.
// Leaves out nodes without a role whose reference isn't symmetric: a scarf to one side, and meshes' origins.
static double distance_of(const sinew_mirror *mirror, const sinew_humanoid *humanoid, const sinew_pose *reference,
                          const sinew_pose *pose, const sinew_pose *mirrored, exact_vec3 normal, double asymmetry) {
    exact_node *rest = exact_model(reference), *from = exact_model(pose), *to = exact_model(mirrored);
    double size = exact_size(from, pose->skeleton->node_count), worst = 0;
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        int32_t other = mirror->counterparts[i];
        if (other == SINEW_NO_NODE) continue;
        exact_vec3 image = reflected(exact_position(&rest[other]), normal, 0);
        double apart = exact_length(exact_add(exact_position(&rest[i]), image, -1));
        if (apart > 1e-5 * size + asymmetry && sinew_humanoid_role_of(humanoid, i) == SINEW_NO_ROLE) continue;
        image = reflected(exact_position(&from[other]), normal, 0);
        worst = fmax(worst, exact_length(exact_add(exact_position(&to[i]), image, -1)) / size);
    }
    free(rest);
    free(from);
    free(to);
    return worst;
}

// The largest difference of two poses, without nodes that have no counterpart.
static double difference_of(const sinew_mirror *mirror, const sinew_pose *a, const sinew_pose *b) {
    double worst = 0;
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        if (mirror->counterparts[i] == SINEW_NO_NODE) continue;
        sinew_transform t = sinew_pose_get(a, i), u = sinew_pose_get(b, i);
        worst = fmax(worst, angle_between(t.rotation, u.rotation));
        double length = fmax(1, sinew_vec3_length(t.translation));
        worst = fmax(worst, sinew_vec3_length(sinew_vec3_subtract(t.translation, u.translation)) / length);
        double size = fmax(1, sinew_vec3_length(t.scale));
        worst = fmax(worst, sinew_vec3_length(sinew_vec3_subtract(t.scale, u.scale)) / size);
    }
    for (int32_t k = 0; k < a->skeleton->weight_count; k++) {
        worst = fmax(worst, fabs((double)a->weights[k] - b->weights[k]));
    }
    return worst;
}

typedef struct mirror_errors {
    double distance, twice, in_place;
} mirror_errors;

static mirror_errors errors_of(const sinew_mirror *mirror, const sinew_humanoid *humanoid, const sinew_asset *asset,
                               const sinew_pose *reference) {
    sinew_pose *pose = new_pose(mirror->skeleton), *mirrored = new_pose(mirror->skeleton),
               *again = new_pose(mirror->skeleton);
    const exact_vec3 normal = {1, 0, 0};
    mirror_errors worst = {0, 0, 0};
    for (int32_t i = 0; i < asset->clip_count * MOMENTS; i++) {
        const sinew_clip *clip = &asset->clips[i / MOMENTS];
        sinew_clip_sample(clip, moment(clip, i % MOMENTS), pose);
        sinew_mirror_pose(mirror, pose, mirrored);
        sinew_mirror_pose(mirror, mirrored, again);
        double distance =
            distance_of(mirror, humanoid, reference, pose, mirrored, normal, (double)mirror->asymmetry);
        worst.distance = fmax(worst.distance, distance);
        worst.twice = fmax(worst.twice, difference_of(mirror, pose, again));
        sinew_mirror_pose(mirror, pose, pose);
        worst.in_place = fmax(worst.in_place, difference_of(mirror, pose, mirrored));
    }
    sinew_pose_destroy(pose);
    sinew_pose_destroy(mirrored);
    sinew_pose_destroy(again);
    return worst;
}

// Sets the joints of the first skin to the bind pose, those below other joints.
static void set_bind_pose(const sinew_asset *asset, sinew_pose *pose) {
    const sinew_skin *skin = &asset->skins[0];
    for (int32_t i = 0; i < skin->joint_count; i++) {
        for (int32_t k = 0; k < skin->joint_count; k++) {
            if (skin->joints[k] != asset->skeleton->parents[skin->joints[i]]) continue;
            sinew_affine bind = sinew_affine_inverse(skin->inverse_binds[i]);
            sinew_affine local = sinew_affine_multiply(skin->inverse_binds[k], bind);
            sinew_pose_set(pose, skin->joints[i], sinew_affine_decompose(local));
        }
    }
}

static void check_symmetric(const char *name, const sinew_asset *asset, const sinew_humanoid *humanoid,
                            bool is_bound) {
    sinew_pose *reference = new_pose(asset->skeleton);
    if (is_bound) set_bind_pose(asset, reference);
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = asset->skeleton;
    def.humanoid = humanoid;
    def.reference = reference;
    sinew_mirror *mirror = mirror_with(&def);
    check_vec3(mirror->normal, 1, 0, 0, 0);
    mirror_errors e = errors_of(mirror, humanoid, asset, reference);
    print_message("%s: asymmetry %.2g m at %s; distance %.2g, twice %.2g\n", name, (double)mirror->asymmetry,
                  mirror->asymmetric_node == SINEW_NO_NODE ? "no node"
                                                           : asset->skeleton->names[mirror->asymmetric_node],
                  e.distance, e.twice);
    assert_true(e.distance <= 2e-6 + 2 * (double)mirror->asymmetry);
    assert_true(e.twice <= 1e-6);
    assert_true(e.in_place == 0);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        int32_t node = humanoid->nodes[role], other = humanoid->nodes[sinewi_humanoid_role_mirror(role)];
        if (node != SINEW_NO_NODE && other != SINEW_NO_NODE) assert_int_equal(mirror->counterparts[node], other);
    }
    sinew_mirror_destroy(mirror);
    sinew_pose_destroy(reference);
}

static void test_positions_are_mirrored_on_symmetric_rigs(void **state) {
    (void)state;
    for (int kind = 0; kind < HUMANOIDS; kind++) {
        character c;
        if (!load_character((character_kind)kind, &c)) continue;
        check_symmetric(character_names[kind], c.asset, &c.humanoid, kind == ROBOT); // which rests in an idle pose
        free_character(&c);
    }
    sinew_humanoid humanoid;
    sinew_asset *golem = load_gltf(SINEW_MODELS "/golem.glb", NULL);
    assert_int_equal(sinew_humanoid_guess(golem->skeleton, golem->up, NULL, &humanoid, NULL, NULL), SINEW_OK);
    check_symmetric("golem", golem, &humanoid, false);
    sinew_asset_destroy(golem);
}

// ---- Derived rigs ----------------------------------------------------------------------------------------------

static sinew_retarget *map_onto(const character *c, const derived_rig *rig, const rig_change *change) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = c->skeleton;
    def.target = rig->skeleton;
    def.source_humanoid = &c->humanoid;
    def.target_humanoid = &rig->humanoid;
    def.target_up = change->z_up ? SINEW_UP_Z : SINEW_UP_Y;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    return map;
}

static const rig_change changes[] = {
    {.name = "no change", .scale = 1},
    {.name = "a tenth", .scale = 0.1},
    {.name = "armature of 0.01", .scale = 1, .armature_scale = 0.01},
    {.name = "other axes", .scale = 1, .other_axes = true},
    {.name = "joints without names", .scale = 1, .twist_joints = true},
    {.name = "extra root", .scale = 1, .extra_root = true},
    {.name = "facing -Z", .scale = 1, .faces_back = true},
    {.name = "Z up", .scale = 1, .z_up = true},
    {.name = "reversed", .scale = 1, .reversed = true},
    {.name = "arms down", .scale = 1, .arms_down = 0.7},
    {.name = "renamed", .scale = 1, .renamed = true},
    {.name = "detached feet", .scale = 1, .detached_feet = true},
    {.name = "all",
     .scale = 2.5,
     .armature_scale = 0.01,
     .extra_root = true,
     .faces_back = true,
     .z_up = true,
     .other_axes = true,
     .twist_joints = true,
     .reversed = true,
     .arms_down = 0.6},
};

// The hero on a derived rig: the mirror image there, twice, and that retargeting and mirroring commute.
static bool check_derived(const character *c, const rig_change *change) {
    derived_rig rig = derive_rig(c->skeleton, &c->humanoid, change);
    sinew_retarget *map = map_onto(c, &rig, change);
    sinew_mirror *source = mirror_of(c->skeleton, &c->humanoid), *target = mirror_of(rig.skeleton, &rig.humanoid);
    exact_vec3 normal = exact_rotate(rig.facing, (exact_vec3){1, 0, 0});
    sinew_pose *pose = new_pose(c->skeleton), *image = new_pose(c->skeleton), *first = new_pose(rig.skeleton),
               *second = new_pose(rig.skeleton), *again = new_pose(rig.skeleton), *rest = new_pose(rig.skeleton);
    double distance = 0, twice = 0, commute = 0;
    for (int32_t i = 0; i < c->asset->clip_count * MOMENTS; i++) {
        const sinew_clip *clip = &c->asset->clips[i / MOMENTS];
        sinew_clip_sample(clip, moment(clip, i % MOMENTS), pose);
        sinew_retarget_pose(map, pose, first);
        sinew_mirror_pose(target, first, second); // mirrored after retargeting
        distance = fmax(distance, distance_of(target, &rig.humanoid, rest, first, second, normal, 0));
        sinew_mirror_pose(target, second, again);
        twice = fmax(twice, difference_of(target, first, again));
        sinew_mirror_pose(source, pose, image);
        sinew_retarget_pose(map, image, again); // mirrored before
        commute = fmax(commute, difference_of(target, second, again));
    }
    bool good = distance <= 2e-6 && twice <= 1e-6 && commute <= 1e-5 &&
                fabs(fabs(exact_dot(exact_vec(target->normal), normal)) - 1) < 1e-6;
    if (!good) {
        print_error("%s: distance %.2g, twice %.2g, commute %.2g, asymmetry %.2g\n", change->name, distance, twice,
                    commute, (double)target->asymmetry);
    }
    sinew_pose *const poses[] = {pose, image, first, second, again, rest};
    for (int i = 0; i < 6; i++) sinew_pose_destroy(poses[i]);
    sinew_mirror_destroy(source);
    sinew_mirror_destroy(target);
    sinew_retarget_destroy(map);
    free_derived(&rig);
    return good;
}

static void test_rigs_with_other_axes(void **state) {
    (void)state;
    character c;
    load_character(HERO, &c);
    int faults = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) faults += !check_derived(&c, &changes[i]);
    free_character(&c);
    assert_int_equal(faults, 0);
}

// ---- Small rigs ------------------------------------------------------------------------------------------------

static int32_t node_named(const sinew_skeleton *skeleton, const char *name) {
    int32_t node = sinew_skeleton_find(skeleton, name);
    if (node == SINEW_NO_NODE) fail_msg("no node %s", name);
    return node;
}

static const small_node body[] = {{"Body", NULL, {0, 1, 0}, 4},
                                  {"Arm_L", "Body", {1, 0, 0}, 2},
                                  {"Hand_L", "Arm_L", {1, 0, 0}, 0},
                                  {"Arm_R", "Body", {-1, 0, 0}, 2},
                                  {"Hand_R", "Arm_R", {-1, 0, 0}, 0},
                                  {"Sword", "Hand_R", {0, 0, 1}, 0},
                                  {"Blade", "Sword", {0, 0, 1}, 0},
                                  {"Sheath_L", "Body", {0.2f, 0, 0}, 0},
                                  {"Tail", "Body", {0, 0, -1}, 0},
                                  {"TwinFin_L", "Tail", {0.1f, 0, 0}, 0},
                                  {"TwinFin_R", "Tail", {-0.1f, 0, 0}, 0},
                                  {"TwinFin_R", "Tail", {0, 0, 0}, 0},
                                  {NULL, NULL, {0, 0, 0}, 0}};

// The counterparts: a name, "" for a node that keeps its transform.
static void test_counterparts_by_name(void **state) {
    (void)state;
    static const char *const expected[][2] = {{"Body", "Body"},   {"Arm_L", "Arm_R"},   {"Hand_L", "Hand_R"},
                                              {"Arm_R", "Arm_L"}, {"Hand_R", "Hand_L"}, {"Sword", ""},
                                              {"Blade", ""},      {"Sheath_L", ""},     {"Tail", "Tail"},
                                              {"TwinFin_L", ""},  {"TwinFin_R", ""}};
    sinew_skeleton *skeleton = make_small_rig(body);
    sinew_mirror *mirror = mirror_of(skeleton, NULL);
    check_vec3(mirror->normal, 1, 0, 0, 0);
    check_near(mirror->asymmetry, 0, 0);
    assert_int_equal(mirror->asymmetric_node, SINEW_NO_NODE);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        int32_t found = mirror->counterparts[node_named(skeleton, expected[i][0])];
        const char *name = found == SINEW_NO_NODE ? "" : skeleton->names[found];
        if (strcmp(name, expected[i][1]) != 0)
            fail_msg("%s has '%s', not '%s'", expected[i][0], name, expected[i][1]);
    }
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// A node's transforms by hand: X changes its sign, and so do the rotations about Y and Z.
static void test_a_pose_by_hand(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_small_rig(body);
    sinew_mirror *mirror = mirror_of(skeleton, NULL);
    sinew_pose *pose = new_pose(skeleton), *mirrored = new_pose(skeleton);
    const int32_t left = node_named(skeleton, "Arm_L"), right = node_named(skeleton, "Arm_R");
    const int32_t sword = node_named(skeleton, "Sword"), tail = node_named(skeleton, "Tail");
    sinew_pose_set(pose, left, (sinew_transform){{1.5f, 2, 3}, {0.1f, 0.2f, 0.3f, 0.9273618f}, {1, 2, 3}});
    sinew_pose_set(pose, sword, (sinew_transform){{4, 5, 6}, {0.5f, 0.5f, 0.5f, 0.5f}, {2, 2, 2}});
    sinew_pose_set(pose, tail, (sinew_transform){{0.25f, 0, -1}, {0, 0.6f, 0, 0.8f}, {1, 1, 1}});
    sinew_mirror_pose(mirror, pose, mirrored);
    sinew_transform t = sinew_pose_get(mirrored, right);
    check_vec3(t.translation, -1.5, 2, 3, 1e-6);
    check_vec3(t.scale, 1, 2, 3, 1e-6);
    assert_true(angle_between(t.rotation, (sinew_quat){0.1f, -0.2f, -0.3f, 0.9273618f}) < 1e-6);
    t = sinew_pose_get(mirrored, left); // the right one was at rest
    check_vec3(t.translation, 1, 0, 0, 1e-6);
    t = sinew_pose_get(mirrored, sword); // kept
    check_vec3(t.translation, 4, 5, 6, 0);
    assert_true(angle_between(t.rotation, (sinew_quat){0.5f, 0.5f, 0.5f, 0.5f}) == 0);
    t = sinew_pose_get(mirrored, tail);
    check_vec3(t.translation, -0.25, 0, -1, 1e-6);
    assert_true(angle_between(t.rotation, (sinew_quat){0, -0.6f, 0, 0.8f}) < 1e-6);
    sinew_pose_destroy(pose);
    sinew_pose_destroy(mirrored);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// A scale follows the axes: the right arm's are turned a quarter about Z.
static void test_scales_follow_the_axes(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_small_rig(body);
    sinew_pose *reference = new_pose(skeleton), *pose = new_pose(skeleton);
    const int32_t left = node_named(skeleton, "Arm_L"), right = node_named(skeleton, "Arm_R");
    sinew_transform t = sinew_pose_get(reference, right);
    t.rotation = about_z(PI / 2);
    t.scale = (sinew_vec3){10, 10, 10};
    sinew_pose_set(reference, right, t);
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton;
    def.reference = reference;
    def.normal.x = 1;
    sinew_mirror *mirror = mirror_with(&def);
    sinew_pose_copy(pose, reference);
    t = sinew_pose_get(pose, left);
    t.scale = (sinew_vec3){1, 2, 3};
    sinew_pose_set(pose, left, t);
    sinew_mirror_pose(mirror, pose, pose);
    check_vec3(sinew_pose_get(pose, right).scale, 20, 10, 30, 1e-5);
    check_vec3(sinew_pose_get(pose, left).scale, 1, 1, 1, 1e-6);
    sinew_mirror_pose(mirror, pose, pose);
    check_vec3(sinew_pose_get(pose, left).scale, 1, 2, 3, 1e-6);
    sinew_pose_destroy(reference);
    sinew_pose_destroy(pose);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// ---- Morph weights ---------------------------------------------------------------------------------------------

static void check_weights(const sinew_skeleton *skeleton, const char *const *names, const float *expected) {
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton;
    def.weight_names = names;
    sinew_mirror *mirror = mirror_with(&def);
    sinew_pose *pose = new_pose(skeleton), *mirrored = new_pose(skeleton);
    for (int32_t k = 0; k < skeleton->weight_count; k++) pose->weights[k] = (float)(k + 1);
    sinew_mirror_pose(mirror, pose, mirrored);
    for (int32_t k = 0; k < skeleton->weight_count; k++) check_near(mirrored->weights[k], expected[k], 0);
    sinew_mirror_pose(mirror, mirrored, mirrored);
    for (int32_t k = 0; k < skeleton->weight_count; k++) check_near(mirrored->weights[k], k + 1, 0);
    sinew_pose_destroy(pose);
    sinew_pose_destroy(mirrored);
    sinew_mirror_destroy(mirror);
}

// The body has weights 1 to 4, the left arm 5 and 6, the right one 7 and 8.
static void test_morph_weights(void **state) {
    (void)state;
    static const char *const names[8] = {"blinkLeft", "smile", NULL,    "blinkRight",
                                         "bulge_L",   "flat",  "other", "bulge_R"};
    static const char *const alone[8] = {"blinkLeft", "frown_R", NULL, "smile", "a", "b", "b", "a"};
    sinew_skeleton *skeleton = make_small_rig(body);
    assert_int_equal(skeleton->weight_count, 8);
    check_weights(skeleton, NULL, (const float[8]){1, 2, 3, 4, 7, 8, 5, 6});
    check_weights(skeleton, names, (const float[8]){4, 2, 3, 1, 8, 7, 6, 5});
    check_weights(skeleton, alone, (const float[8]){1, 2, 3, 4, 8, 7, 6, 5});
    sinew_skeleton_destroy(skeleton);
}

static void test_arms_with_unlike_weights_keep_them(void **state) {
    (void)state;
    static const small_node rows[] = {{"Body", NULL, {0, 1, 0}, 0},
                                      {"Arm_L", "Body", {1, 0, 0}, 2},
                                      {"Arm_R", "Body", {-1, 0, 0}, 3},
                                      {NULL, NULL, {0, 0, 0}, 0}};
    sinew_skeleton *skeleton = make_small_rig(rows);
    check_weights(skeleton, NULL, (const float[5]){1, 2, 3, 4, 5});
    sinew_skeleton_destroy(skeleton);
}

// ---- The plane and the reference -------------------------------------------------------------------------------

static void test_an_asymmetric_rest_pose_is_measured(void **state) {
    (void)state;
    static const small_node rows[] = {{"Body", NULL, {5, 1, 0}, 0},       {"Arm_L", "Body", {1, 0, 0}, 0},
                                      {"Arm_R", "Body", {-1, 0, 0}, 0},   {"Hand_L", "Arm_L", {1, 0, 0.25f}, 0},
                                      {"Hand_R", "Arm_R", {-1, 0, 0}, 0}, {NULL, NULL, {0, 0, 0}, 0}};
    sinew_skeleton *skeleton = make_small_rig(rows);
    sinew_mirror *mirror = mirror_of(skeleton, NULL);
    check_near(mirror->asymmetry, 0.25, 1e-6);
    assert_string_equal(skeleton->names[mirror->asymmetric_node], "Hand_L");
    check_vec3(mirror->normal, 1, 0, 0, 0); // the mean is near X
    sinew_mirror_destroy(mirror);
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton;
    def.normal = (sinew_vec3){3, 0, -4};
    mirror = mirror_with(&def);
    check_vec3(mirror->normal, 0.6, 0, -0.8, 1e-7);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// ---- Root motion -----------------------------------------------------------------------------------------------

static void test_root_deltas_by_hand(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_small_rig(body);
    sinew_mirror *mirror = mirror_of(skeleton, NULL);
    const float yaw = 0.3f;
    sinew_root_delta delta = {{1, 2, 3}, about_y(yaw), yaw};
    sinew_root_delta mirrored = sinew_mirror_root_delta(mirror, delta);
    check_vec3(mirrored.translation, -1, 2, 3, 1e-6);
    assert_true(angle_between(mirrored.rotation, about_y(-yaw)) < 1e-6);
    check_near(mirrored.yaw, -yaw, 0);
    sinew_mirror_destroy(mirror);
    sinew_skeleton_destroy(skeleton);
}

// ---- What is refused -------------------------------------------------------------------------------------------

static void check_refused(const sinew_mirror_def *def, sinew_result expected, const char *message) {
    sinew_mirror *mirror = (sinew_mirror *)1;
    sinew_error error = {0};
    assert_int_equal(sinew_mirror_create(def, &mirror, &error), expected);
    assert_null(mirror);
    if (!strstr(error.message, message)) fail_msg("'%s' is not in '%s'", message, error.message);
    assert_int_equal(sinew_mirror_create(def, &mirror, NULL), expected);
}

static void test_wrong_definitions(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_small_rig(body), *chain = make_chain(3);
    sinew_pose *other = new_pose(chain);
    sinew_mirror_def def = sinew_mirror_default();
    check_refused(&def, SINEW_ERROR_ARGUMENT, "no skeleton");
    def.skeleton = chain;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "no node has a counterpart at a different position");
    def.normal.x = NAN;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "normal is not finite");
    def.normal.x = 2; // no pairs are needed
    sinew_mirror *mirror = mirror_with(&def);
    sinew_mirror_destroy(mirror);
    def = sinew_mirror_default();
    def.skeleton = skeleton;
    def.reference = other;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "reference belongs to a different skeleton");
    def.reference = NULL;
    sinew_humanoid humanoid = sinew_humanoid_empty();
    def.humanoid = &humanoid;
    humanoid.nodes[SINEW_HUMANOID_HIPS] = 99;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "humanoid: hips is node 99, but there are only 12 nodes");
    humanoid.nodes[SINEW_HUMANOID_HIPS] = -2;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "humanoid: hips is node -2");
    humanoid.nodes[SINEW_HUMANOID_HIPS] = humanoid.nodes[SINEW_HUMANOID_HEAD] = 0;
    check_refused(&def, SINEW_ERROR_ARGUMENT, "humanoid: hips and head are both 'Body'");
    sinew_pose_destroy(other);
    sinew_skeleton_destroy(skeleton);
    sinew_skeleton_destroy(chain);
}

// One side has a joint more.
static void test_unlike_hierarchies_are_refused(void **state) {
    (void)state;
    static const small_node rows[] = {{"Body", NULL, {0, 1, 0}, 0},     {"Extra", "Body", {0.5f, 0, 0}, 0},
                                      {"A", "Extra", {0.5f, 0, 0}, 0},  {"B", "Body", {-1, 0, 0}, 0},
                                      {"Side_L", "Body", {1, 0, 0}, 0}, {"C", "Side_L", {0, 1, 0}, 0},
                                      {NULL, NULL, {0, 0, 0}, 0}};
    sinew_skeleton *skeleton = make_small_rig(rows);
    sinew_humanoid humanoid = sinew_humanoid_empty();
    humanoid.nodes[SINEW_HUMANOID_HIPS] = node_named(skeleton, "Body");
    humanoid.nodes[SINEW_HUMANOID_LEFT_UPPER_ARM] = node_named(skeleton, "A");
    humanoid.nodes[SINEW_HUMANOID_RIGHT_UPPER_ARM] = node_named(skeleton, "B");
    sinew_mirror_def def = sinew_mirror_default();
    def.skeleton = skeleton;
    def.humanoid = &humanoid;
    check_refused(
        &def, SINEW_ERROR_UNSUPPORTED,
        "leftUpperArm 'A' is below 'Extra' and rightUpperArm 'B' is below 'Body', which aren't counterparts");
    humanoid.nodes[SINEW_HUMANOID_LEFT_UPPER_ARM] = SINEW_NO_NODE;
    humanoid.nodes[SINEW_HUMANOID_LEFT_UPPER_LEG] = node_named(skeleton, "Side_L");
    humanoid.nodes[SINEW_HUMANOID_HEAD] = node_named(skeleton, "C");
    check_refused(&def, SINEW_ERROR_UNSUPPORTED, "head 'C' is below 'Side_L', which is on one side");
    sinew_skeleton_destroy(skeleton);
}

static void test_failing_allocations(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_small_rig(body);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_mirror_def def = sinew_mirror_default();
        def.skeleton = skeleton;
        def.allocator = counting_allocator(&c);
        sinew_mirror *mirror;
        result = sinew_mirror_create(&def, &mirror, NULL);
        assert_int_equal(c.live, result == SINEW_OK); // one block
        sinew_mirror_destroy(mirror);
    }
    assert_true(c.fail_at >= 4);
    sinew_mirror_destroy(NULL);
    sinew_skeleton_destroy(skeleton);
}

// ---- Bits ------------------------------------------------------------------------------------------------------

static void test_poses_have_the_same_bits_everywhere(void **state) {
    (void)state;
    character c;
    load_character(HERO, &c);
    sinew_mirror *mirror = mirror_of(c.skeleton, &c.humanoid);
    sinew_pose *pose = new_pose(c.skeleton);
    uint64_t bits = BITS_NONE;
    for (int32_t i = 0; i < c.asset->clip_count * MOMENTS; i++) {
        const sinew_clip *clip = &c.asset->clips[i / MOMENTS];
        sinew_clip_sample(clip, moment(clip, i % MOMENTS), pose);
        sinew_mirror_pose(mirror, pose, pose);
        bits = add_bits_of_pose(bits, pose);
    }
    sinew_pose_destroy(pose);
    sinew_mirror_destroy(mirror);
    free_character(&c);
    check_bits(bits, UINT64_C(0x573ee76a1b2cc222));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_with_left_and_right_exchanged),
        cmocka_unit_test(test_names_that_do_not_fit_are_truncated),
        cmocka_unit_test(test_positions_are_mirrored_on_symmetric_rigs),
        cmocka_unit_test(test_rigs_with_other_axes),
        cmocka_unit_test(test_counterparts_by_name),
        cmocka_unit_test(test_a_pose_by_hand),
        cmocka_unit_test(test_scales_follow_the_axes),
        cmocka_unit_test(test_morph_weights),
        cmocka_unit_test(test_arms_with_unlike_weights_keep_them),
        cmocka_unit_test(test_an_asymmetric_rest_pose_is_measured),
        cmocka_unit_test(test_root_deltas_by_hand),
        cmocka_unit_test(test_wrong_definitions),
        cmocka_unit_test(test_unlike_hierarchies_are_refused),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_poses_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
