// SPDX-License-Identifier: MIT
// Reference poses. A person in a T pose squats with flat soles. Rigs with a misleading rest pose get the same motion.
// Retargeting to the hero must give the same result as from the honest rig.
#include "support/retarget_rig.h"

#include <sinew/humanoid/reference.h>

// ---- The person ----------------------------------------------------------------------------------------------

enum { JOINTS = 19, FRAMES = 81, HIPS = 0 };

static const struct {
    const char *name, *role;
    int32_t parent;
    sinew_vec3 offset;
} person[JOINTS] = {
    {"Hips", "hips", SINEW_NO_NODE, {0, 1.0f, 0}},
    {"Spine", "spine", 0, {0, 0.1f, 0}},
    {"Chest", "chest", 1, {0, 0.2f, 0}},
    {"Neck", "neck", 2, {0, 0.2f, 0}},
    {"Head", "head", 3, {0, 0.1f, 0}},
    {"LeftArm", "leftUpperArm", 2, {0.2f, 0.15f, 0}},
    {"LeftForeArm", "leftLowerArm", 5, {0.3f, 0, 0}},
    {"LeftHand", "leftHand", 6, {0.25f, 0, 0}},
    {"RightArm", "rightUpperArm", 2, {-0.2f, 0.15f, 0}},
    {"RightForeArm", "rightLowerArm", 8, {-0.3f, 0, 0}},
    {"RightHand", "rightHand", 9, {-0.25f, 0, 0}},
    {"LeftUpLeg", "leftUpperLeg", 0, {0.1f, 0, 0}},
    {"LeftLeg", "leftLowerLeg", 11, {0, -0.45f, 0}},
    {"LeftFoot", "leftFoot", 12, {0, -0.45f, 0}},
    {"LeftToeBase", "leftToes", 13, {0, -0.08f, 0.13f}},
    {"RightUpLeg", "rightUpperLeg", 0, {-0.1f, 0, 0}},
    {"RightLeg", "rightLowerLeg", 15, {0, -0.45f, 0}},
    {"RightFoot", "rightFoot", 16, {0, -0.45f, 0}},
    {"RightToeBase", "rightToes", 17, {0, -0.08f, 0.13f}},
};

enum {
    LEFT_ARM = 5,
    RIGHT_ARM = 8,
    LEFT_LEG = 11,
    LEFT_FOOT = 13,
    LEFT_TOES,
    RIGHT_LEG,
    RIGHT_FOOT = 17,
    RIGHT_TOES
};

// The angles of a frame: thighs forward by `bend`, shins back by twice as much, and feet level again; arms down.
static double bend_at(int frame) {
    return 0.6 * 0.5 * (1 - cos(2 * PI * frame / (FRAMES - 1)));
}

static exact_quat about(double x, double z) {
    return (exact_quat){sin(0.5 * x) * cos(0.5 * z), 0, sin(0.5 * z) * cos(0.5 * x), cos(0.5 * x) * cos(0.5 * z)};
}

// The local rotation of a joint of the honest rig; x or z only.
static exact_quat honest_rotation(int joint, int frame) {
    const double bend = bend_at(frame), arm = 1.2 * frame / (FRAMES - 1);
    switch (joint) {
    case LEFT_ARM:
        return about(0, -arm);
    case RIGHT_ARM:
        return about(0, arm);
    case LEFT_LEG:
    case RIGHT_LEG:
        return about(-bend, 0);
    case LEFT_LEG + 1:
    case RIGHT_LEG + 1:
        return about(2 * bend, 0);
    case LEFT_FOOT:
    case RIGHT_FOOT:
        return about(-bend, 0);
    default:
        return about(0, 0);
    }
}

// The hips of a frame: with the knees bent, the ankles stay where they are.
static exact_vec3 honest_hips(int frame) {
    return (exact_vec3){0, 0.1 + 0.9 * cos(bend_at(frame)), 0};
}

// ---- Rigs ----------------------------------------------------------------------------------------------------

// What the rest pose of a rig lies about.
typedef struct lie {
    exact_quat axes[JOINTS]; // each node's, in the honest rig's: rest rotations are the identity in both
    exact_vec3 moved;        // the rest pose of the hips
    double heading;          // of the motion, radians about +Y
} lie;

typedef struct rig {
    sinew_skeleton *skeleton;
    sinew_clip *clip;
    sinew_humanoid humanoid;
    sinew_asset asset;
} rig;

static lie honest(void) {
    lie none = {.heading = 0};
    for (int i = 0; i < JOINTS; i++) none.axes[i] = (exact_quat){0, 0, 0, 1};
    return none;
}

static exact_quat axes_above(const lie *of, int joint) {
    return person[joint].parent == SINEW_NO_NODE ? (exact_quat){0, 0, 0, 1} : of->axes[person[joint].parent];
}

static void make_skeleton(rig *r, const lie *of) {
    sinew_node_def nodes[JOINTS] = {0};
    for (int i = 0; i < JOINTS; i++) {
        const exact_vec3 offset = exact_rotate(exact_conjugate(axes_above(of, i)), exact_vec(person[i].offset));
        nodes[i] = (sinew_node_def){
            .name = person[i].name, .parent = person[i].parent, .rest = sinew_transform_identity()};
        nodes[i].rest.translation = vec3_along(offset, 1);
    }
    nodes[HIPS].rest.translation = vec3_along(exact_add(exact_vec(nodes[HIPS].rest.translation), of->moved, 1), 1);
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = JOINTS;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &r->skeleton, NULL), SINEW_OK);
    r->humanoid = sinew_humanoid_empty();
    for (int i = 0; i < JOINTS; i++) set_role(&r->humanoid, r->skeleton, person[i].role, person[i].name);
}

static void make_motion(rig *r, const lie *of) {
    static float times[FRAMES], rotations[JOINTS][FRAMES][4], positions[FRAMES][3];
    const exact_quat turn = {0, sin(0.5 * of->heading), 0, cos(0.5 * of->heading)};
    sinew_channel_def channels[JOINTS + 1];
    for (int f = 0; f < FRAMES; f++) {
        times[f] = (float)f / 120.0f;
        const exact_vec3 hips = exact_rotate(turn, honest_hips(f));
        memcpy(positions[f], (float[3]){(float)hips.x, (float)hips.y, (float)hips.z}, sizeof positions[f]);
        for (int i = 0; i < JOINTS; i++) {
            exact_quat q = exact_multiply(exact_conjugate(axes_above(of, i)),
                                          exact_multiply(honest_rotation(i, f), of->axes[i]));
            if (i == HIPS) q = exact_multiply(turn, q);
            const sinew_quat key = rounded(q);
            memcpy(rotations[i][f], &key, sizeof rotations[i][f]);
        }
    }
    for (int i = 0; i < JOINTS; i++)
        channels[i] = (sinew_channel_def){r->skeleton->node_of_source[i],
                                          SINEW_TARGET_ROTATION,
                                          SINEW_INTERPOLATION_LINEAR,
                                          FRAMES,
                                          times,
                                          &rotations[i][0][0]};
    channels[JOINTS] = (sinew_channel_def){r->skeleton->node_of_source[HIPS],
                                           SINEW_TARGET_TRANSLATION,
                                           SINEW_INTERPOLATION_LINEAR,
                                           FRAMES,
                                           times,
                                           &positions[0][0]};
    sinew_clip_def def = sinew_clip_default();
    def.name = "Squat";
    def.skeleton = r->skeleton;
    def.channel_count = JOINTS + 1;
    def.channels = channels;
    assert_int_equal(sinew_clip_create(&def, &r->clip, NULL), SINEW_OK);
}

static rig make_rig(const lie *of) {
    rig r;
    make_skeleton(&r, of);
    make_motion(&r, of);
    r.asset = (sinew_asset){.skeleton = r.skeleton, .clips = r.clip, .clip_count = 1};
    return r;
}

static void free_rig(rig *r) {
    sinew_clip_destroy(r->clip);
    sinew_skeleton_destroy(r->skeleton);
}

// ---- Retargeting ---------------------------------------------------------------------------------------------

// The joints of the hero that are compared.
static const int32_t compared[] = {SINEW_HUMANOID_HIPS,
                                   SINEW_HUMANOID_HEAD,
                                   SINEW_HUMANOID_LEFT_HAND,
                                   SINEW_HUMANOID_RIGHT_HAND,
                                   SINEW_HUMANOID_LEFT_LOWER_LEG,
                                   SINEW_HUMANOID_LEFT_FOOT,
                                   SINEW_HUMANOID_RIGHT_LOWER_LEG,
                                   SINEW_HUMANOID_RIGHT_FOOT,
                                   SINEW_HUMANOID_LEFT_TOES};
enum { COMPARED = sizeof compared / sizeof *compared };

typedef struct motion {
    exact_vec3 at[FRAMES][COMPARED];
    sinew_reference reference;
} motion;

// The positions of the hero in each frame of a rig's clip.
static void retarget(const rig *r, const character *hero, motion *out) {
    sinew_pose *reference, *source, *target;
    assert_int_equal(sinew_pose_create(r->skeleton, NULL, &reference), SINEW_OK);
    assert_int_equal(sinew_pose_create(r->skeleton, NULL, &source), SINEW_OK);
    assert_int_equal(sinew_pose_create(hero->skeleton, NULL, &target), SINEW_OK);
    sinew_error error;
    if (sinew_reference_find(&r->asset, &r->humanoid, NULL, reference, &out->reference, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = r->skeleton, def.target = hero->skeleton;
    def.source_humanoid = &r->humanoid, def.target_humanoid = &hero->humanoid;
    def.source_reference = reference;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    sinew_affine *source_model = calloc(JOINTS, sizeof *source_model);
    sinew_affine *model = calloc((size_t)hero->skeleton->node_count, sizeof *model);
    for (int f = 0; f < FRAMES; f++) {
        sinew_clip_sample(r->clip, (float)f / 120.0f, source);
        sinew_retarget_pose(map, source, target);
        sinew_pose_to_model(source, source_model);
        sinew_pose_to_model(target, model);
        sinew_retarget_limbs(map, source_model, target, model);
        exact_node *nodes = exact_model(target);
        for (int i = 0; i < COMPARED; i++)
            out->at[f][i] = exact_position(&nodes[hero->humanoid.nodes[compared[i]]]);
        free(nodes);
    }
    free(model);
    free(source_model);
    sinew_retarget_destroy(map);
    sinew_pose_destroy(target);
    sinew_pose_destroy(source);
    sinew_pose_destroy(reference);
}

// The largest distance between two motions, the second one turned back by a heading. Knees that are nearly straight count a
// fifth: they magnify rounding.
static double difference(const motion *a, const motion *b, double heading) {
    const exact_quat back = {0, sin(-0.5 * heading), 0, cos(-0.5 * heading)};
    double most = 0;
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < COMPARED; i++) {
            const bool is_knee =
                compared[i] == SINEW_HUMANOID_LEFT_LOWER_LEG || compared[i] == SINEW_HUMANOID_RIGHT_LOWER_LEG;
            const exact_vec3 apart = exact_add(a->at[f][i], exact_rotate(back, b->at[f][i]), -1);
            most = fmax(most, (is_knee ? 0.2 : 1.0) * exact_length(apart));
        }
    }
    return most;
}

typedef struct stage {
    character hero;
    motion honest;
} stage;

static int set_up(void **state) {
    static stage s;
    assert_true(load_character(HERO, &s.hero));
    const lie none = honest();
    rig r = make_rig(&none);
    retarget(&r, &s.hero, &s.honest);
    assert_int_equal(s.honest.reference.kind, SINEW_REFERENCE_REST);
    free_rig(&r);
    *state = &s;
    return 0;
}

static int tear_down(void **state) {
    free_character(&((stage *)*state)->hero);
    return 0;
}

// Retargets the motion of a rig that lies, and compares it with the honest one's.
static sinew_reference check_lie(stage *s, const lie *of) {
    static motion lied;
    rig r = make_rig(of);
    retarget(&r, &s->hero, &lied);
    const double most = difference(&s->honest, &lied, of->heading);
    if (most > 1e-4) fail_msg("%g m from the honest rig's motion", most);
    free_rig(&r);
    return lied.reference;
}

// ---- Tests ---------------------------------------------------------------------------------------------------

static void test_a_squat_bends_the_knees(void **state) {
    const stage *s = *state;
    const exact_vec3 *first = s->honest.at[0], *lowest = s->honest.at[FRAMES / 2];
    assert_true(first[0].y - lowest[0].y > 0.1); // hips
    check_near(first[5].y, lowest[5].y, 1e-3);   // left foot
    check_near(first[5].x, lowest[5].x, 1e-3);
}

static void test_axes_of_the_rest_pose_do_not_matter(void **state) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        uint64_t random = seed;
        lie scrambled = honest();
        for (int i = 0; i < JOINTS; i++) scrambled.axes[i] = exact_unit(exact_rotation(random_quat(&random)));
        const sinew_reference found = check_lie(*state, &scrambled);
        assert_int_equal(found.kind, SINEW_REFERENCE_CLIP);
        assert_true(found.score >= SINEW_REFERENCE_GOOD_SCORE);
    }
}

static void test_soles_are_level_where_they_are_planted(void **state) {
    for (int sign = -1; sign <= 1; sign += 2) {
        lie pointed = honest();
        for (int i = LEFT_FOOT; i <= RIGHT_TOES; i++)
            if (i != RIGHT_LEG && i != RIGHT_LEG + 1) pointed.axes[i] = about(sign * 0.7, 0);
        const sinew_reference found = check_lie(*state, &pointed);
        assert_int_equal(found.kind, SINEW_REFERENCE_REST);
        assert_true(found.levels_feet);
    }
}

static void test_the_ground_is_that_of_the_motion(void **state) {
    const double moved[] = {-1, 0.3, 5};
    for (int i = 0; i < 3; i++) {
        lie sunk = honest();
        sunk.moved.y = moved[i];
        check_near(check_lie(*state, &sunk).raised, -moved[i], 1e-3);
    }
}

static void test_headings_stay(void **state) {
    uint64_t random = 5;
    for (int quarter = 1; quarter < 4; quarter++) {
        lie turned = honest();
        turned.heading = quarter * PI / 2;
        (void)check_lie(*state, &turned);
        for (int i = 0; i < JOINTS; i++) turned.axes[i] = exact_unit(exact_rotation(random_quat(&random)));
        (void)check_lie(*state, &turned);
    }
}

static void test_roles_are_found_in_frames(void **state) {
    (void)state;
    uint64_t random = 9;
    lie scrambled = honest();
    for (int i = 0; i < JOINTS; i++) scrambled.axes[i] = exact_unit(exact_rotation(random_quat(&random)));
    rig r = make_rig(&scrambled);
    sinew_humanoid guessed;
    sinew_error error = {0};
    assert_int_equal(sinew_humanoid_guess(r.skeleton, SINEW_UP_Y, NULL, &guessed, NULL, NULL),
                     SINEW_ERROR_UNSUPPORTED);
    assert_int_equal(sinew_humanoid_find(&r.asset, NULL, &guessed, NULL, &error), SINEW_OK);
    assert_memory_equal(guessed.nodes, r.humanoid.nodes, sizeof guessed.nodes);
    r.asset.clip_count = 0; // without frames there is only the rest pose
    assert_int_equal(sinew_humanoid_find(&r.asset, NULL, &guessed, NULL, &error), SINEW_ERROR_UNSUPPORTED);
    assert_true(strlen(error.message) > 0);
    free_rig(&r);
}

static float score_with(const rig *r, int joint, exact_quat rotation) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(r->skeleton, NULL, &pose), SINEW_OK);
    sinew_transform local = sinew_pose_get(pose, r->skeleton->node_of_source[joint]);
    local.rotation = rounded(rotation);
    sinew_pose_set(pose, r->skeleton->node_of_source[joint], local);
    const float score = sinew_reference_score(&r->humanoid, pose, SINEW_UP_Y);
    sinew_pose_destroy(pose);
    return score;
}

static void test_scores_fall_with_what_is_wrong(void **state) {
    (void)state;
    const lie none = honest();
    rig r = make_rig(&none);
    assert_true(score_with(&r, HIPS, about(0, 0)) > 0.999f);                            // T
    assert_true(score_with(&r, LEFT_ARM, about(0, -0.8)) > 0.999f);                     // A
    assert_true(score_with(&r, LEFT_ARM, about(0, 1.4)) < SINEW_REFERENCE_GOOD_SCORE);  // an arm up
    assert_true(score_with(&r, LEFT_LEG, about(-1.5, 0)) < SINEW_REFERENCE_GOOD_SCORE); // a leg ahead
    assert_true(score_with(&r, HIPS, about(PI / 2, 0)) < SINEW_REFERENCE_MIN_SCORE);    // lying
    assert_true(score_with(&r, HIPS, about(PI, 0)) < SINEW_REFERENCE_MIN_SCORE);        // upside down
    float last = 1;
    for (int step = 1; step <= 4; step++) {
        const float now = score_with(&r, LEFT_LEG, about(-0.35 * step, 0));
        assert_true(now < last);
        last = now;
    }
    free_rig(&r);
}

static void test_a_body_that_lies_is_refused(void **state) {
    (void)state;
    const lie none = honest();
    rig r = make_rig(&none);
    sinew_pose *pose;
    sinew_reference found;
    sinew_error error;
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &pose), SINEW_OK);
    r.asset.up = SINEW_UP_Z; // it lies on its back, in all frames
    assert_int_equal(sinew_reference_find(&r.asset, &r.humanoid, NULL, pose, &found, &error),
                     SINEW_ERROR_UNSUPPORTED);
    assert_true(found.score < SINEW_REFERENCE_MIN_SCORE);
    assert_true(strlen(error.message) > 0);
    sinew_humanoid guessed;
    assert_int_equal(sinew_humanoid_find(&r.asset, NULL, &guessed, NULL, NULL), SINEW_ERROR_UNSUPPORTED);
    sinew_pose_destroy(pose);
    free_rig(&r);
}

// The hero with other rest rotations, and its own skins: the bind pose is the hero's.
static void test_bind_poses_come_from_the_skins(void **state) {
    const stage *s = *state;
    const sinew_asset *hero = s->hero.asset;
    const int32_t count = hero->skeleton->node_count;
    sinew_node_def *nodes = calloc((size_t)count, sizeof *nodes);
    for (int32_t i = 0; i < count; i++) {
        const int32_t parent = hero->skeleton->parents[i];
        nodes[i] =
            (sinew_node_def){.name = hero->skeleton->names[i], .parent = parent, .rest = hero->skeleton->rest[i]};
    }
    static const int32_t posed[] = {SINEW_HUMANOID_HIPS, SINEW_HUMANOID_LEFT_UPPER_LEG,
                                    SINEW_HUMANOID_RIGHT_UPPER_ARM, SINEW_HUMANOID_SPINE,
                                    SINEW_HUMANOID_LEFT_LOWER_ARM};
    for (int i = 0; i < 5; i++) {
        sinew_quat *rest = &nodes[s->hero.humanoid.nodes[posed[i]]].rest.rotation;
        *rest = rounded(exact_multiply(exact_rotation(*rest), about(1.2 + 0.1 * i, 0)));
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count, def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    sinew_skin skin = hero->skins[0];
    skin.skeleton = skeleton;
    const sinew_asset asset = {.skeleton = skeleton, .skins = &skin, .skin_count = 1};
    sinew_pose *pose;
    sinew_reference found;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    assert_int_equal(sinew_reference_find(&asset, &s->hero.humanoid, NULL, pose, &found, NULL), SINEW_OK);
    assert_int_equal(found.kind, SINEW_REFERENCE_BIND);
    for (int32_t i = 0; i < count; i++) {
        const sinew_transform is = sinew_pose_get(pose, i), rest = hero->skeleton->rest[i];
        check_vec3(is.translation, rest.translation.x, rest.translation.y, rest.translation.z, 1e-4);
        assert_true(angle_between(is.rotation, rest.rotation) < 1e-3);
    }
    bool differs = true;
    sinew_pose *own;
    assert_int_equal(sinew_pose_create(hero->skeleton, NULL, &own), SINEW_OK);
    assert_int_equal(sinew_reference_bind_pose(hero, NULL, own, &differs, NULL), SINEW_OK);
    assert_false(differs);
    sinew_pose_destroy(own);
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(skeleton);
    free(nodes);
}

static void test_soles_without_memory_are_an_error(void **state) {
    const stage *s = *state;
    sinew_pose *pose;
    sinew_feet feet;
    assert_int_equal(sinew_pose_create(s->hero.skeleton, NULL, &pose), SINEW_OK);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    const sinew_allocator allocator = counting_allocator(&c);
    while (fail_next(&c, result)) {
        result = sinew_reference_find_soles(s->hero.asset, &s->hero.humanoid, pose, &allocator, &feet, NULL);
    }
    assert_true(c.fail_at < 100);
    assert_int_equal(feet.foot_count, 2);
    for (int i = 0; i < 2; i++) { // they have their legs
        const int32_t *leg =
            &s->hero.humanoid.nodes[i ? SINEW_HUMANOID_RIGHT_UPPER_LEG : SINEW_HUMANOID_LEFT_UPPER_LEG];
        const sinew_foot *foot = &feet.feet[i];
        assert_int_equal(foot->node, leg[2]);
        assert_true(foot->leg.upper == leg[0] && foot->leg.lower == leg[1] && foot->leg.end == leg[2]);
        assert_true(foot->leg.weight == 1); // as sinew_ik_two_bone_from_rest makes it
    }
    sinew_pose_destroy(pose);
}

static void test_memory_that_runs_out_is_an_error(void **state) {
    (void)state;
    uint64_t random = 3;
    lie scrambled = honest();
    for (int i = 0; i < JOINTS; i++) scrambled.axes[i] = exact_unit(exact_rotation(random_quat(&random)));
    rig r = make_rig(&scrambled);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(r.skeleton, NULL, &pose), SINEW_OK);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    const sinew_allocator allocator = counting_allocator(&c);
    while (fail_next(&c, result)) {
        sinew_humanoid humanoid;
        result = sinew_humanoid_find(&r.asset, &allocator, &humanoid, NULL, NULL);
        if (result == SINEW_OK) result = sinew_reference_find(&r.asset, &humanoid, &allocator, pose, NULL, NULL);
    }
    assert_true(c.fail_at < 10000);
    sinew_pose_destroy(pose);
    free_rig(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_squat_bends_the_knees),
        cmocka_unit_test(test_axes_of_the_rest_pose_do_not_matter),
        cmocka_unit_test(test_soles_are_level_where_they_are_planted),
        cmocka_unit_test(test_the_ground_is_that_of_the_motion),
        cmocka_unit_test(test_headings_stay),
        cmocka_unit_test(test_roles_are_found_in_frames),
        cmocka_unit_test(test_scores_fall_with_what_is_wrong),
        cmocka_unit_test(test_a_body_that_lies_is_refused),
        cmocka_unit_test(test_bind_poses_come_from_the_skins),
        cmocka_unit_test(test_soles_without_memory_are_an_error),
        cmocka_unit_test(test_memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
