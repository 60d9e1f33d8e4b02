// SPDX-License-Identifier: MIT
// Retargeting to rigs derived from the source's. The derivation tells what the pose must be, computed in double
// precision with the test's own forward kinematics.
#include "support/random_rig.h"
#include "support/retarget_rig.h"

#include <stdio.h>

enum { MOMENTS = 20 }; // of a clip, its end included

static float moment(const sinew_clip *clip, int k) {
    return clip->duration * (float)k / (float)(MOMENTS - 1);
}

static sinew_retarget *map_with(const sinew_retarget_def *def) {
    sinew_retarget *map;
    sinew_error error = {0};
    if (sinew_retarget_create(def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    return map;
}

static sinew_pose *new_pose(const sinew_skeleton *skeleton) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    return pose;
}

static void move_limbs(const sinew_retarget *map, const sinew_pose *from, sinew_pose *to) {
    sinew_affine *source_model = calloc((size_t)map->source->node_count, sizeof *source_model);
    sinew_affine *model = calloc((size_t)map->target->node_count, sizeof *model);
    sinew_pose_to_model(from, source_model);
    sinew_pose_to_model(to, model);
    sinew_retarget_limbs(map, source_model, to, model);
    free(source_model);
    free(model);
}

// ---- The same rig --------------------------------------------------------------------------------------------

// The largest difference of two poses of one skeleton: of rotations, scales and weights, and of positions relative to the
// model's size.
static double difference_of(const sinew_pose *a, const sinew_pose *b) {
    int32_t count = a->skeleton->node_count;
    exact_node *of_a = exact_model(a), *of_b = exact_model(b);
    double size = exact_size(of_a, count), worst = 0;
    for (int32_t i = 0; i < count; i++) {
        sinew_transform t = sinew_pose_get(a, i), u = sinew_pose_get(b, i);
        worst = fmax(worst, angle_between(t.rotation, u.rotation));
        worst = fmax(worst, fabs((double)t.scale.x - u.scale.x) / fmax(1, fabs((double)t.scale.x)));
        worst = fmax(worst, fabs((double)t.scale.y - u.scale.y) / fmax(1, fabs((double)t.scale.y)));
        worst = fmax(worst, fabs((double)t.scale.z - u.scale.z) / fmax(1, fabs((double)t.scale.z)));
        exact_vec3 apart = exact_add(exact_position(&of_a[i]), exact_position(&of_b[i]), -1);
        worst = fmax(worst, exact_length(apart) / size);
    }
    for (int32_t k = 0; k < a->skeleton->weight_count; k++) {
        worst = fmax(worst, fabs((double)a->weights[k] - b->weights[k]));
    }
    free(of_a);
    free(of_b);
    return worst;
}

static double identity_error(const character *c, bool roles, bool limbs) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = c->skeleton;
    if (roles) def.source_humanoid = def.target_humanoid = &c->humanoid;
    def.hand_weight = 1;
    sinew_retarget *map = map_with(&def);
    sinew_pose *source = new_pose(c->skeleton), *target = new_pose(c->skeleton);
    double worst = 0;
    for (int32_t i = 0; i < c->asset->clip_count; i++) {
        for (int k = 0; k < MOMENTS; k++) {
            const sinew_clip *clip = &c->asset->clips[i];
            sinew_clip_sample(clip, moment(clip, k), source);
            sinew_retarget_pose(map, source, target);
            if (limbs) move_limbs(map, source, target);
            double error = difference_of(source, target);
            if (error > 1e-6 && error > worst) {
                print_error("%s at %g s: %.3g\n", clip->name, (double)moment(clip, k), error);
            }
            worst = fmax(worst, error);
        }
    }
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
    return worst;
}

static void test_equal_skeletons_give_the_source_pose(void **state) {
    (void)state;
    for (int kind = 0; kind < CHARACTERS; kind++) {
        character c;
        if (!load_character((character_kind)kind, &c)) continue;
        bool is_humanoid = kind < HUMANOIDS, has_names = kind != ROBOT; // some of its nodes share names
        double roles = is_humanoid ? identity_error(&c, true, false) : 0;
        double limbs = is_humanoid ? identity_error(&c, true, true) : 0;
        double names = has_names ? identity_error(&c, false, false) : 0;
        print_message("%s: roles %.2g, limbs %.2g, names %.2g\n", character_names[kind], roles, limbs, names);
        assert_true(roles <= 1e-6 && limbs <= 1e-6 && names <= 1e-6);
        free_character(&c);
    }
}

// ---- Derived rigs --------------------------------------------------------------------------------------------

// What differs on a derived rig, at most.
typedef struct errors {
    double direction; // of bones, radians
    double position;  // of roles, relative to the model's size
    double rotation;  // of roles, radians
} errors;

// The nearest role above that the humanoid has, or SINEW_NO_ROLE.
static int32_t role_above(const sinew_humanoid *humanoid, int32_t role) {
    do role = sinew_humanoid_role_parent(role);
    while (role != SINEW_NO_ROLE && humanoid->nodes[role] == SINEW_NO_NODE);
    return role;
}

// Adds the errors of a pose of a derived rig: it is the source's, rotated and scaled as a whole.
static void add_errors(const derived_rig *rig, const rig_change *change, const sinew_humanoid *humanoid,
                       const exact_node *source, const exact_node *target, double size, errors *worst) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (humanoid->nodes[role] == SINEW_NO_NODE) continue;
        const exact_node *from = &source[humanoid->nodes[role]], *to = &target[rig->humanoid.nodes[role]];
        exact_vec3 expected = exact_rotate(rig->facing, exact_position(from));
        exact_vec3 apart = exact_add(exact_position(to), expected, -change->scale);
        worst->position = fmax(worst->position, exact_length(apart) / (size * change->scale));
        exact_quat rotation =
            exact_multiply(exact_multiply(rig->facing, from->rotation), rig->axes[humanoid->nodes[role]]);
        worst->rotation = fmax(worst->rotation, exact_angle(exact_unit(rotation), exact_unit(to->rotation)));
        int32_t above = role_above(humanoid, role);
        if (above == SINEW_NO_ROLE) continue;
        exact_vec3 bone = exact_add(exact_position(from), exact_position(&source[humanoid->nodes[above]]), -1);
        exact_vec3 other = exact_add(exact_position(to), exact_position(&target[rig->humanoid.nodes[above]]), -1);
        if (exact_length(bone) < 1e-3 * size) continue; // no direction
        double angle = angle_of_directions(exact_rotate(rig->facing, bone), other);
        worst->direction = fmax(worst->direction, angle);
    }
}

static sinew_retarget *map_onto(const character *c, const derived_rig *rig, const rig_change *change) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = c->skeleton;
    def.target = rig->skeleton;
    def.source_humanoid = &c->humanoid;
    def.target_humanoid = &rig->humanoid;
    def.target_up = change->z_up ? SINEW_UP_Z : SINEW_UP_Y;
    def.hand_weight = 1;
    // Detached feet must follow the legs, although the source's do not move against them.
    if (change->detached_feet) def.translations = SINEW_RETARGET_TRANSLATIONS_FIXED;
    return map_with(&def);
}

static errors errors_on(const character *c, const rig_change *change, bool limbs) {
    derived_rig rig = derive_rig(c->skeleton, &c->humanoid, change);
    sinew_retarget *map = map_onto(c, &rig, change);
    check_near(map->scale, change->scale, 1e-5 * change->scale);
    sinew_pose *source = new_pose(c->skeleton), *target = new_pose(rig.skeleton);
    errors worst = {0, 0, 0};
    for (int32_t i = 0; i < c->asset->clip_count; i++) {
        for (int k = 0; k < MOMENTS; k++) {
            const sinew_clip *clip = &c->asset->clips[i];
            sinew_clip_sample(clip, moment(clip, k), source);
            sinew_retarget_pose(map, source, target);
            if (limbs) move_limbs(map, source, target);
            exact_node *from = exact_model(source), *to = exact_model(target);
            add_errors(&rig, change, &c->humanoid, from, to, exact_size(from, c->skeleton->node_count), &worst);
            free(from);
            free(to);
        }
    }
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
    free_derived(&rig);
    return worst;
}

static const rig_change changes[] = {
    {.name = "no change", .scale = 1},
    {.name = "a tenth", .scale = 0.1},
    {.name = "2.5 times", .scale = 2.5},
    {.name = "armature of 0.01", .scale = 1, .armature_scale = 0.01},
    {.name = "armature of 100", .scale = 0.1, .armature_scale = 100},
    {.name = "other axes", .scale = 1, .other_axes = true},
    {.name = "twist joints", .scale = 1, .twist_joints = true},
    {.name = "renamed", .scale = 1, .renamed = true},
    {.name = "extra root", .scale = 1, .extra_root = true},
    {.name = "facing -Z", .scale = 1, .faces_back = true},
    {.name = "Z up", .scale = 1, .z_up = true},
    {.name = "reversed", .scale = 1, .reversed = true},
    {.name = "arms down", .scale = 1, .arms_down = 0.7},
    {.name = "arms crossed", .scale = 1, .arms_down = 1.5},
    {.name = "arms up", .scale = 1, .arms_down = -0.7},
    {.name = "detached feet", .scale = 1, .detached_feet = true},
    {.name = "all",
     .scale = 2.5,
     .armature_scale = 0.01,
     .extra_root = true,
     .faces_back = true,
     .z_up = true,
     .other_axes = true,
     .twist_joints = true,
     .renamed = true,
     .reversed = true,
     .arms_down = 0.6},
};

static void check_derived(character_kind kind, bool limbs) {
    character c;
    if (!load_character(kind, &c)) return;
    int faults = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (changes[i].detached_feet && kind != HERO) continue;
        errors e = errors_on(&c, &changes[i], limbs);
        if (e.direction <= 1e-4 && e.position <= 1e-5 && e.rotation <= 1e-4) continue;
        print_error("%s, %s%s: direction %.2g, position %.2g, rotation %.2g\n", character_names[kind],
                    changes[i].name, limbs ? ", limbs" : "", e.direction, e.position, e.rotation);
        faults++;
    }
    free_character(&c);
    assert_int_equal(faults, 0);
}

static void test_rigs_of_the_hero(void **state) {
    (void)state;
    check_derived(HERO, false);
    check_derived(HERO, true);
}

static void test_rigs_of_the_knight(void **state) {
    (void)state;
    check_derived(KNIGHT, false);
    check_derived(KNIGHT, true);
}

static void test_rigs_of_the_robot(void **state) {
    (void)state;
    check_derived(ROBOT, false);
    check_derived(ROBOT, true);
}

// ---- Other characters ----------------------------------------------------------------------------------------

// Bones of limbs, from a role to the next.
static const int32_t limb_bones[] = {SINEW_HUMANOID_LEFT_UPPER_ARM,  SINEW_HUMANOID_LEFT_LOWER_ARM,
                                     SINEW_HUMANOID_RIGHT_UPPER_ARM, SINEW_HUMANOID_RIGHT_LOWER_ARM,
                                     SINEW_HUMANOID_LEFT_UPPER_LEG,  SINEW_HUMANOID_LEFT_LOWER_LEG,
                                     SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG};

static exact_vec3 bone_of(const exact_node *model, const sinew_humanoid *humanoid, int32_t role) {
    exact_vec3 from = exact_position(&model[humanoid->nodes[role]]);
    return exact_add(exact_position(&model[humanoid->nodes[role + 1]]), from, -1);
}

// The largest angle between a limb's bone and the source's. A shin with a detached foot doesn't point to it.
static double angle_of_limbs(const character *from, const character *to, bool has_shins) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = from->skeleton;
    def.target = to->skeleton;
    def.source_humanoid = &from->humanoid;
    def.target_humanoid = &to->humanoid;
    def.translations = SINEW_RETARGET_TRANSLATIONS_FIXED;
    sinew_retarget *map = map_with(&def);
    sinew_pose *source = new_pose(from->skeleton), *target = new_pose(to->skeleton);
    double worst = 0;
    for (int32_t i = 0; clip_at(from, i / MOMENTS); i++) {
        const sinew_clip *clip = clip_at(from, i / MOMENTS);
        sinew_clip_sample(clip, moment(clip, i % MOMENTS), source);
        sinew_retarget_pose(map, source, target);
        exact_node *of_source = exact_model(source), *of_target = exact_model(target);
        for (int bone = 0; bone < 8; bone++) {
            if (!has_shins && bone > 4 && bone % 2) continue;
            double angle = angle_of_directions(bone_of(of_source, &from->humanoid, limb_bones[bone]),
                                               bone_of(of_target, &to->humanoid, limb_bones[bone]));
            worst = fmax(worst, angle);
        }
        free(of_source);
        free(of_target);
    }
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
    return worst;
}

// All ordered pairs: they have other proportions, axes and rest poses, and lack shoulders, necks or toes.
static void test_limbs_of_other_characters_point_as_the_source_s(void **state) {
    (void)state;
    character c[HUMANOIDS];
    bool is_loaded[HUMANOIDS];
    for (int i = 0; i < HUMANOIDS; i++) is_loaded[i] = load_character((character_kind)i, &c[i]);
    for (int i = GAIT_HUMANOIDS; i < HUMANOIDS; i++) borrow_clips(&c[i], &c[HERO]);
    int faults = 0;
    for (int i = 0; i < HUMANOIDS * HUMANOIDS; i++) {
        int from = i / HUMANOIDS, to = i % HUMANOIDS;
        if (!is_loaded[from] || !is_loaded[to]) continue;
        double angle = angle_of_limbs(&c[from], &c[to], from != ROBOT);
        if (angle <= 1e-4) continue;
        print_error("%s onto %s: %.3g rad\n", character_names[from], character_names[to], angle);
        faults++;
    }
    for (int i = 0; i < HUMANOIDS; i++) {
        if (is_loaded[i]) free_character(&c[i]);
    }
    assert_int_equal(faults, 0);
}

// ---- Fingers -------------------------------------------------------------------------------------------------

// A hand without ring and little fingers: the target's point like the middle fingers.
static void test_fingers_that_the_source_lacks_follow_the_nearest(void **state) {
    (void)state;
    character c;
    load_character(HERO, &c);
    sinew_humanoid fewer = c.humanoid;
    for (int32_t i = 0; i < 6; i++) {
        fewer.nodes[SINEW_HUMANOID_LEFT_RING_PROXIMAL + i] = SINEW_NO_NODE;
        fewer.nodes[SINEW_HUMANOID_RIGHT_RING_PROXIMAL + i] = SINEW_NO_NODE;
    }
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = c.skeleton;
    def.source_humanoid = &fewer;
    def.target_humanoid = &c.humanoid;
    def.match_names = false;
    sinew_retarget *map = map_with(&def);
    sinew_pose *source = new_pose(c.skeleton), *target = new_pose(c.skeleton);
    const sinew_clip *clip = clip_named(&c, "Attack");
    for (int k = 0; k < MOMENTS; k++) {
        sinew_clip_sample(clip, moment(clip, k), source);
        sinew_retarget_pose(map, source, target);
        exact_node *of_source = exact_model(source), *of_target = exact_model(target);
        for (int32_t i = 0; i < 12; i++) { // proximal and intermediate bones, of ring and little, of both hands
            int32_t bone = i % 2,
                    first = i / 6 ? SINEW_HUMANOID_RIGHT_MIDDLE_PROXIMAL : SINEW_HUMANOID_LEFT_MIDDLE_PROXIMAL;
            int32_t finger = i / 2 % 3; // the middle one itself, ring, little
            exact_vec3 expected = bone_of(of_source, &c.humanoid, first + bone);
            exact_vec3 found = bone_of(of_target, &c.humanoid, first + 3 * finger + bone);
            assert_true(angle_of_directions(expected, found) <= 1e-4);
        }
        free(of_source);
        free(of_target);
    }
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
    free_character(&c);
}

// ---- Bits ----------------------------------------------------------------------------------------------------

// One number for all compilers and machines: a rig that is derived without trigonometry, with limbs that move.
static void test_poses_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const rig_change change = {.scale = 0.5, .renamed = true, .reversed = true, .twist_joints = true};
    character c;
    load_character(HERO, &c);
    derived_rig rig = derive_rig(c.skeleton, &c.humanoid, &change);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = c.skeleton;
    def.target = rig.skeleton;
    def.source_humanoid = &c.humanoid;
    def.target_humanoid = &rig.humanoid;
    def.scale = 0.45f;
    def.hand_weight = 0.5f;
    sinew_retarget *map = map_with(&def);
    sinew_pose *source = new_pose(c.skeleton), *target = new_pose(rig.skeleton);
    uint64_t bits = BITS_NONE;
    for (int32_t i = 0; i < c.asset->clip_count * MOMENTS; i++) {
        const sinew_clip *clip = &c.asset->clips[i / MOMENTS];
        sinew_clip_sample(clip, moment(clip, i % MOMENTS), source);
        sinew_retarget_pose(map, source, target);
        bits = add_bits_of_pose(bits, target);
        move_limbs(map, source, target);
        bits = add_bits_of_pose(bits, target);
    }
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
    free_derived(&rig);
    free_character(&c);
    check_bits(bits, UINT64_C(0xe536afffe0167f23));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_skeletons_give_the_source_pose),
        cmocka_unit_test(test_rigs_of_the_hero),
        cmocka_unit_test(test_rigs_of_the_knight),
        cmocka_unit_test(test_rigs_of_the_robot),
        cmocka_unit_test(test_limbs_of_other_characters_point_as_the_source_s),
        cmocka_unit_test(test_fingers_that_the_source_lacks_follow_the_nearest),
        cmocka_unit_test(test_poses_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
