// SPDX-License-Identifier: MIT
// Animal files retargeted to each other: chains found by shape, a map between files with different names, and feet on
// the ground.
#include "retargeting/chains.h"
#include "support/retarget_rig.h"
#include "support/small_rig.h"

#include <stdio.h>

// ---- Chains by shape -----------------------------------------------------------------------------------------

// An animal with a trunk, a head, a tail, two ears and four legs, which faces +Z. Names tell only the head.
static const small_node quadruped[] = {{"root", NULL, {0, 0, 0}, 0},
                                       {"pelvis", "root", {0, 1, -0.5f}, 0},
                                       {"chest", "pelvis", {0, 0, 1}, 0},
                                       {"neck", "chest", {0, 0.3f, 0.2f}, 0},
                                       {"head", "neck", {0, 0.3f, 0.2f}, 0},
                                       {"Ear.A", "head", {0.1f, 0.1f, 0}, 0},
                                       {"Ear.A2", "Ear.A", {0.05f, 0.1f, 0}, 0},
                                       {"Ear.B", "head", {-0.1f, 0.1f, 0}, 0},
                                       {"Ear.B2", "Ear.B", {-0.05f, 0.1f, 0}, 0},
                                       {"t1", "pelvis", {0, 0, -0.2f}, 0},
                                       {"t2", "t1", {0, -0.1f, -0.3f}, 0},
                                       {"a1", "chest", {0.2f, -0.1f, 0}, 0},
                                       {"a2", "a1", {0, -0.45f, -0.1f}, 0},
                                       {"a3", "a2", {0, -0.45f, 0.1f}, 0},
                                       {"b1", "chest", {-0.2f, -0.1f, 0}, 0},
                                       {"b2", "b1", {0, -0.45f, -0.1f}, 0},
                                       {"b3", "b2", {0, -0.45f, 0.1f}, 0},
                                       {"c1", "pelvis", {0.2f, -0.1f, 0}, 0},
                                       {"c2", "c1", {0, -0.45f, 0.1f}, 0},
                                       {"c3", "c2", {0, -0.45f, -0.1f}, 0},
                                       {"d1", "pelvis", {-0.2f, -0.1f, 0}, 0},
                                       {"d2", "d1", {0, -0.45f, 0.1f}, 0},
                                       {"d3", "d2", {0, -0.45f, -0.1f}, 0},
                                       {NULL, NULL, {0, 0, 0}, 0}};

typedef struct expected_chain {
    const char *name, *first, *last;
    int32_t count;
} expected_chain;

static const sinew_humanoid_chain *chain_named(const sinew_humanoid_chains *chains, const char *name) {
    for (int32_t i = 0; i < chains->count; i++)
        if (strcmp(chains->chains[i].name, name) == 0) return &chains->chains[i];
    fail_msg("no chain %s", name);
    return NULL;
}

static void check_chains(const retargeting_chains *chains, const sinew_skeleton *skeleton,
                         const expected_chain *expected, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const sinew_humanoid_chain *chain = chain_named(&chains->list, expected[i].name);
        assert_int_equal(chain->node_count, expected[i].count);
        assert_string_equal(skeleton->names[chain->nodes[0]], expected[i].first);
        assert_string_equal(skeleton->names[chain->nodes[chain->node_count - 1]], expected[i].last);
    }
    assert_int_equal(chains->list.count, count);
}

// Turns a rig by quarter turns about Y, or to Z up.
static void turn_rows(small_node *rows, int quarters, bool is_z_up) {
    memcpy(rows, quadruped, sizeof quadruped);
    for (int i = 0; rows[i].name; i++) {
        sinew_vec3 p = rows[i].position;
        for (int k = 0; k < quarters; k++) p = (sinew_vec3){p.z, p.y, -p.x};
        rows[i].position = is_z_up ? (sinew_vec3){p.x, -p.z, p.y} : p;
    }
}

static void test_chains_of_a_quadruped(void **state) {
    (void)state;
    static const expected_chain expected[] = {
        {"hips", "pelvis", "pelvis", 1}, {"spine", "chest", "chest", 1},  {"neck", "neck", "head", 2},
        {"tail", "t1", "t2", 2},         {"frontLeftLeg", "a1", "a3", 3}, {"frontRightLeg", "b1", "b3", 3},
        {"backLeftLeg", "c1", "c3", 3},  {"backRightLeg", "d1", "d3", 3}, {"leftEarA", "Ear.A", "Ear.A2", 2}};
    for (int quarters = 0; quarters < 4; quarters++) {
        for (int z_up = 0; z_up < 2; z_up++) {
            small_node rows[sizeof quadruped / sizeof *quadruped];
            turn_rows(rows, quarters, z_up);
            for (int i = 0; rows[i].name; i++) // both ears are "Ear", and the sides come from the shape
                if (strncmp(rows[i].name, "Ear.B", 5) == 0) rows[i].name = rows[i].name[5] ? "b" : "B";
            for (int i = 0; rows[i].name; i++)
                if (rows[i].parent && strcmp(rows[i].parent, "Ear.B") == 0) rows[i].parent = "B";
            sinew_asset asset = {.skeleton = make_small_rig(rows), .up = z_up ? SINEW_UP_Z : SINEW_UP_Y};
            retargeting_chains chains;
            assert_true(retargeting_guess_chains(&chains, &asset));
            assert_int_equal(chains.leg_count, 4);
            check_chains(&chains, asset.skeleton, expected, sizeof expected / sizeof *expected);
            retargeting_free_chains(&chains);
            sinew_skeleton_destroy((sinew_skeleton *)(uintptr_t)asset.skeleton);
        }
    }
}

static sinew_asset *load(const char *variable, const char *name) {
    const char *folder = getenv(variable);
    char path[512];
    if (!folder) {
        print_message("%s is not set: %s is not tried\n", variable, name);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return load_gltf(path, NULL);
}

// What isn't an animal has no chains: a humanoid has two legs.
static void test_others_are_no_animals(void **state) {
    (void)state;
    static const char *const names[] = {"hero.glb", "golem.glb", "windmill.glb", "sword.glb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        retargeting_chains chains;
        snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, names[i]);
        sinew_asset *asset = load_gltf(path, NULL);
        assert_true(retargeting_guess_chains(&chains, asset));
        assert_true(chains.leg_count <= 2);
        retargeting_free_chains(&chains);
        sinew_asset_destroy(asset);
    }
}

static void test_chains_of_a_fox(void **state) {
    (void)state;
    static const expected_chain expected[] = {
        {"hips", "b_Hip_01", "b_Hip_01", 1},
        {"spine", "b_Spine01_02", "b_Spine02_03", 2},
        {"neck", "b_Neck_04", "b_Head_05", 2},
        {"tail", "b_Tail01_012", "b_Tail03_014", 3},
        {"frontLeftLeg", "b_LeftUpperArm_09", "b_LeftHand_011", 3},
        {"frontRightLeg", "b_RightUpperArm_06", "b_RightHand_08", 3},
        {"backLeftLeg", "b_LeftLeg01_015", "b_LeftFoot02_018", 4},
        {"backRightLeg", "b_RightLeg01_019", "b_RightFoot02_022", 4},
    };
    sinew_asset *asset = load("SINEW_ASSETS", "bevy/Fox.glb");
    if (!asset) skip();
    retargeting_chains chains;
    sinew_humanoid humanoid;
    assert_true(retargeting_guess_chains(&chains, asset));
    check_chains(&chains, asset->skeleton, expected, sizeof expected / sizeof *expected);
    assert_int_equal(sinew_humanoid_guess(asset->skeleton, asset->up, NULL, &humanoid, NULL, NULL),
                     SINEW_ERROR_UNSUPPORTED); // chains make it no humanoid
    retargeting_free_chains(&chains);
    sinew_asset_destroy(asset);
}

// ---- Wolf and horse ------------------------------------------------------------------------------------------

// Their feet are children of the armature, and their legs end there.
typedef struct foot {
    const char *ankle, *toes, *end, *upper, *tip;
} foot;

static const foot feet[] = {
    {"IKFrontLeg.L", "FF.L", "FF.L_end", "FrontShoulder.L", "FrontLowerLeg.L_end"},
    {"IKFrontLeg.R", "FF.R", "FF.R_end", "FrontShoulder.R", "FrontLowerLeg.R_end"},
    {"IKBackLeg.L", "FFB.L", "FFB.L_end", "BackShoulder.L", "BackLowerLeg.L_end"},
    {"IKBackLeg.R", "FFB.R", "FFB.R_end", "BackShoulder.R", "BackLowerLeg.R_end"},
};

static exact_vec3 position_of(const sinew_skeleton *skeleton, const exact_node *model, const char *name) {
    const int32_t node = sinew_skeleton_find(skeleton, name);
    assert_int_not_equal(node, SINEW_NO_NODE);
    return exact_position(&model[node]);
}

// The height of the ankle, and of the lowest point of the foot.
typedef struct heights {
    double ankle, sole;
} heights;

static heights heights_of(const sinew_skeleton *skeleton, const exact_node *model, const foot *f) {
    const double toes = position_of(skeleton, model, f->toes).y, end = position_of(skeleton, model, f->end).y;
    return (heights){position_of(skeleton, model, f->ankle).y, toes < end ? toes : end};
}

// The largest errors over frames, relative to the target's leg.
typedef struct errors {
    double planted; // of the height of a sole that is on the ground on the source
    double sunk;    // of how far a sole is below the ground, beyond the source's
    double apart;   // between a leg's tip and its foot
    int frames;     // when a foot is on the ground
} errors;

static double most(double a, double b) {
    return a > b ? a : b;
}

static void compare_foot(const foot *f, const sinew_asset *source, const exact_node *source_rest,
                         const exact_node *source_now, const sinew_asset *target, const exact_node *target_rest,
                         const exact_node *target_now, errors *e) {
    const sinew_skeleton *from = source->skeleton, *to = target->skeleton;
    const double source_leg = exact_length(
        exact_add(position_of(from, source_rest, f->upper), position_of(from, source_rest, f->tip), -1));
    const double leg =
        exact_length(exact_add(position_of(to, target_rest, f->upper), position_of(to, target_rest, f->tip), -1));
    const heights was = heights_of(from, source_rest, f), now = heights_of(from, source_now, f);
    const heights rest = heights_of(to, target_rest, f), found = heights_of(to, target_now, f);
    const double above = (found.sole - rest.sole) / leg, source_above = (now.sole - was.sole) / source_leg;
    if (fabs(now.ankle - was.ankle) < 0.01 * source_leg && fabs(source_above) < 0.01) {
        e->planted = most(e->planted, fabs(above));
        e->frames++;
    }
    e->sunk = most(e->sunk, -above - most(0, -source_above));
    const exact_vec3 gap =
        exact_add(position_of(to, target_now, f->tip), position_of(to, target_now, f->ankle), -1);
    e->apart = most(e->apart, exact_length(gap) / leg);
}

static sinew_retarget *map_between(const sinew_asset *source, const sinew_asset *target) {
    retargeting_chains source_chains, target_chains;
    sinew_retarget *map;
    sinew_error error;
    assert_true(retargeting_guess_chains(&source_chains, source));
    assert_true(retargeting_guess_chains(&target_chains, target));
    sinew_retarget_def def = sinew_retarget_default();
    def.source = source->skeleton;
    def.target = target->skeleton;
    def.source_chains = &source_chains.list;
    def.target_chains = &target_chains.list;
    if (sinew_retarget_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    retargeting_free_chains(&source_chains);
    retargeting_free_chains(&target_chains);
    return map;
}

static errors compare_clip(const sinew_asset *source, const sinew_asset *target, const char *name) {
    enum { FRAMES = 40 };
    errors e = {0};
    sinew_retarget *map = map_between(source, target);
    const sinew_clip *clip = sinew_asset_find_clip(source, name);
    assert_non_null(clip);
    sinew_pose *from, *to;
    assert_int_equal(sinew_pose_create(source->skeleton, NULL, &from), SINEW_OK);
    assert_int_equal(sinew_pose_create(target->skeleton, NULL, &to), SINEW_OK);
    exact_node *source_rest = exact_model(from), *target_rest = exact_model(to);
    sinew_affine *source_model = malloc((size_t)source->skeleton->node_count * sizeof *source_model);
    sinew_affine *target_model = malloc((size_t)target->skeleton->node_count * sizeof *target_model);
    for (int i = 0; i < FRAMES; i++) {
        sinew_clip_sample(clip, clip->duration * (float)i / FRAMES, from);
        sinew_retarget_pose(map, from, to);
        sinew_pose_to_model(from, source_model);
        sinew_pose_to_model(to, target_model);
        sinew_retarget_limbs(map, source_model, to, target_model);
        exact_node *source_now = exact_model(from), *target_now = exact_model(to);
        for (size_t k = 0; k < sizeof feet / sizeof *feet; k++)
            compare_foot(&feet[k], source, source_rest, source_now, target, target_rest, target_now, &e);
        free(source_now);
        free(target_now);
    }
    free(source_rest);
    free(target_rest);
    free(source_model);
    free(target_model);
    sinew_pose_destroy(from);
    sinew_pose_destroy(to);
    sinew_retarget_destroy(map);
    return e;
}

static void test_wolf_and_horse(void **state) {
    (void)state;
    static const char *const clips[] = {"AnimalArmature|Walk", "AnimalArmature|Gallop", "AnimalArmature|Idle"};
    sinew_asset *wolf = load("SINEW_CORPUS", "characters/Q_Wolf.glb");
    if (!wolf) skip();
    sinew_asset *horse = load("SINEW_CORPUS", "characters/Q_Horse.glb");
    for (int back = 0; back < 2; back++) {
        for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
            const errors e = compare_clip(back ? horse : wolf, back ? wolf : horse, clips[i]);
            print_message("%s to %s, %s: %d planted, %.4f of a leg, sunk %.4f, apart %.4f\n",
                          back ? "horse" : "wolf", back ? "wolf" : "horse", clips[i], e.frames, e.planted, e.sunk,
                          e.apart);
            assert_true(e.frames > 0);
            assert_true(e.planted < 0.03);
            assert_true(e.sunk < 0.03);
            assert_true(e.apart < 0.03);
        }
    }
    sinew_asset_destroy(wolf);
    sinew_asset_destroy(horse);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains_of_a_quadruped),
        cmocka_unit_test(test_others_are_no_animals),
        cmocka_unit_test(test_chains_of_a_fox),
        cmocka_unit_test(test_wolf_and_horse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
