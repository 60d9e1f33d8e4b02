// SPDX-License-Identifier: MIT
// Shoes on the ground: soles that are longer and thicker than the joints tell. The map gets them as points, or the
// tools find them among a character's vertices.
#include "support/retarget_rig.h"

#include "retargeting/retargeting.h"

#include <stdio.h>

// ---- Points that are given -------------------------------------------------------------------------------------

enum { HEEL, TIP, POINTS };

static const double thick = 0.05; // metres: below the joints' ground
static const double ahead = 0.12; // of the toes
static const int32_t foot_roles[2] = {SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_RIGHT_FOOT};

// The hero twice: the target's shoes have thick soles, and tips far ahead of the toes.
typedef struct shoes {
    character hero;
    sinew_feet soles;
    sinew_retarget *map;
    sinew_pose *source, *target;
    sinew_affine *source_model, *model;
} shoes;

static sinew_vec3 local_point(const exact_node *node, exact_vec3 position) {
    const exact_vec3 v = exact_add(position, exact_position(node), -1);
    const exact_vec3 local = exact_rotate(exact_conjugate(node->rotation), v);
    return (sinew_vec3){(float)local.x, (float)local.y, (float)local.z};
}

// The heel is below the ankle, the tip ahead of the toes. A stiff shoe: both move with the foot.
static sinew_feet make_soles(const character *c) {
    sinew_feet soles = {.skeleton = c->skeleton, .up = SINEW_UP_Y, .foot_count = 2};
    sinew_pose *rest;
    assert_int_equal(sinew_pose_create(c->skeleton, NULL, &rest), SINEW_OK);
    exact_node *model = exact_model(rest);
    for (int side = 0; side < 2; side++) {
        const int32_t foot = c->humanoid.nodes[foot_roles[side]], toes = c->humanoid.nodes[foot_roles[side] + 1];
        exact_vec3 heel = exact_position(&model[foot]), tip = exact_position(&model[toes]);
        heel.y = tip.y = -thick;
        tip.z += ahead;
        soles.feet[side] = (sinew_foot){
            .node = foot,
            .point_count = POINTS,
            .points =
                {[HEEL] = {foot, local_point(&model[foot], heel)}, [TIP] = {foot, local_point(&model[foot], tip)}},
        };
    }
    free(model);
    sinew_pose_destroy(rest);
    return soles;
}

static void set_up_shoes(shoes *s, bool gives_soles) {
    assert_true(load_character(HERO, &s->hero));
    s->soles = make_soles(&s->hero);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = s->hero.skeleton;
    def.source_humanoid = def.target_humanoid = &s->hero.humanoid;
    if (gives_soles) def.target_soles = &s->soles;
    sinew_error error = {0};
    if (sinew_retarget_create(&def, &s->map, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(sinew_pose_create(s->hero.skeleton, NULL, &s->source), SINEW_OK);
    assert_int_equal(sinew_pose_create(s->hero.skeleton, NULL, &s->target), SINEW_OK);
    s->source_model = malloc((size_t)s->hero.skeleton->node_count * sizeof *s->source_model);
    s->model = malloc((size_t)s->hero.skeleton->node_count * sizeof *s->model);
}

static void free_shoes(shoes *s) {
    free(s->model);
    free(s->source_model);
    sinew_pose_destroy(s->target);
    sinew_pose_destroy(s->source);
    sinew_retarget_destroy(s->map);
    free_character(&s->hero);
}

// Retargets the source's pose. Returns the height of the lowest point of both soles.
static double lowest_point(shoes *s) {
    sinew_retarget_pose(s->map, s->source, s->target);
    sinew_pose_to_model(s->source, s->source_model);
    sinew_pose_to_model(s->target, s->model);
    sinew_retarget_limbs(s->map, s->source_model, s->target, s->model);
    exact_node *model = exact_model(s->target);
    double lowest = INFINITY;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < POINTS; i++) {
            const sinew_foot_point *p = &s->soles.feet[side].points[i];
            double(*m)[4] = model[p->node].m;
            lowest = fmin(lowest, m[1][0] * p->point.x + m[1][1] * p->point.y + m[1][2] * p->point.z + m[1][3]);
        }
    }
    free(model);
    return lowest;
}

static void test_the_reference_stands_on_its_soles(void **state) {
    (void)state;
    shoes s = {0};
    set_up_shoes(&s, true);
    check_near(lowest_point(&s), 0.0, 1e-5);
    const int32_t hips = s.hero.humanoid.nodes[SINEW_HUMANOID_HIPS];
    exact_node *from = exact_model(s.source), *to = exact_model(s.target);
    const exact_vec3 moved = exact_add(exact_position(&to[hips]), exact_position(&from[hips]), -1);
    check_near(moved.y, thick, 1e-5);
    check_near(hypot(moved.x, moved.z), 0.0, 1e-5);
    free(from);
    free(to);
    free_shoes(&s);
}

// The lowest point over a walk that is `raised`.
static double lowest_in_walk(shoes *s, double raised) {
    const sinew_clip *walk = clip_named(&s->hero, "Walk");
    assert_true(s->hero.humanoid.nodes[SINEW_HUMANOID_HIPS] < s->hero.skeleton->subtree_ends[0]);
    double lowest = INFINITY;
    for (int i = 0; i <= 60; i++) {
        sinew_clip_sample(walk, walk->duration * (float)i / 60, s->source);
        s->source->ty[0] += (float)raised; // the root's
        lowest = fmin(lowest, lowest_point(s));
    }
    return lowest;
}

static void test_shoes_stay_above_the_ground(void **state) {
    (void)state;
    shoes s = {0};
    set_up_shoes(&s, true);
    const double sinks = lowest_in_walk(&s, 0.0); // by as much as the source's own points do
    if (!(sinks > -0.01 && sinks < 0.001)) fail_msg("the lowest point is at %g m", sinks);
    check_near(lowest_in_walk(&s, -0.5) + 0.5, sinks, 0.005); // a cellar: the ground is where the source stands
    const double above = lowest_in_walk(&s, 0.3);             // a stage
    if (!(above > 0.0)) fail_msg("on a stage the lowest point is at %g m", above);
    free_shoes(&s);
    set_up_shoes(&s, false);
    assert_true(lowest_in_walk(&s, 0.0) < -thick - 0.02); // the walk rolls over the tips
    free_shoes(&s);
}

// ---- Arguments -------------------------------------------------------------------------------------------------

static void check_refused(const character *c, const sinew_feet *soles) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = c->skeleton;
    def.source_humanoid = def.target_humanoid = &c->humanoid;
    def.target_soles = soles;
    sinew_retarget *map;
    sinew_error error = {0};
    assert_int_equal(sinew_retarget_create(&def, &map, &error), SINEW_ERROR_ARGUMENT);
    assert_null(map);
    assert_non_null(strstr(error.message, "target_soles"));
}

static void test_wrong_soles_are_refused(void **state) {
    (void)state;
    character hero;
    assert_true(load_character(HERO, &hero));
    const sinew_feet good = make_soles(&hero);
    sinew_feet soles = good;
    soles.skeleton = NULL;
    check_refused(&hero, &soles);
    soles = good;
    soles.foot_count = SINEW_MAX_FEET + 1;
    check_refused(&hero, &soles);
    soles = good;
    soles.feet[1].node = hero.skeleton->node_count;
    check_refused(&hero, &soles);
    soles = good;
    soles.feet[1].point_count = SINEW_MAX_FOOT_POINTS + 1;
    check_refused(&hero, &soles);
    soles = good;
    soles.feet[0].points[TIP].point.y = NAN;
    check_refused(&hero, &soles);
    soles = good;
    soles.feet[0].points[TIP].node = hero.humanoid.nodes[SINEW_HUMANOID_RIGHT_TOES]; // of the other foot
    check_refused(&hero, &soles);
    free_character(&hero);
}

// ---- Vertices --------------------------------------------------------------------------------------------------

static exact_vec3 transform(double m[3][4], exact_vec3 p) {
    double out[3];
    for (int row = 0; row < 3; row++) out[row] = m[row][0] * p.x + m[row][1] * p.y + m[row][2] * p.z + m[row][3];
    return (exact_vec3){out[0], out[1], out[2]};
}

static exact_vec3 transform_affine(const sinew_affine *a, exact_vec3 p) {
    double m[3][4];
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) m[row][column] = a->m[row][column];
    return transform(m, p);
}

static bool is_of_foot(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, int32_t node) {
    for (int side = 0; side < 2; side++) {
        const int32_t foot = humanoid->nodes[foot_roles[side]];
        if (node >= foot && node < skeleton->subtree_ends[foot]) return true;
    }
    return false;
}

// A vertex's height, or infinity if it mostly moves with nodes other than the feet's.
static double height_of_vertex(const sinew_asset *asset, const sinew_humanoid *humanoid,
                               const sinew_mesh_node *mesh_node, const sinew_primitive *p, int32_t vertex,
                               exact_node *model) {
    const float *v = p->positions + 3 * (size_t)vertex;
    const exact_vec3 position = {v[0], v[1], v[2]};
    if (mesh_node->skin < 0)
        return is_of_foot(asset->skeleton, humanoid, mesh_node->node)
                   ? transform(model[mesh_node->node].m, position).y
                   : INFINITY;
    const sinew_skin *skin = &asset->skins[mesh_node->skin];
    double height = 0, of_feet = 0;
    for (int32_t i = 0; i < p->influences; i++) {
        const size_t at = (size_t)vertex * (size_t)p->influences + (size_t)i;
        const int32_t joint = p->joints[at];
        const exact_vec3 local = transform_affine(&skin->inverse_binds[joint], position);
        height += p->weights[at] * transform(model[skin->joints[joint]].m, local).y;
        if (is_of_foot(asset->skeleton, humanoid, skin->joints[joint])) of_feet += p->weights[at];
    }
    return of_feet > 0.5 ? height : INFINITY;
}

// The height of the lowest vertex of the feet, skinned in double precision.
static double lowest_vertex(const sinew_asset *asset, const sinew_humanoid *humanoid, const sinew_pose *pose) {
    exact_node *model = exact_model(pose);
    double lowest = INFINITY;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            const sinew_primitive *p = &mesh->primitives[k];
            for (int32_t j = 0; j < p->vertex_count; j++)
                lowest = fmin(lowest, height_of_vertex(asset, humanoid, mesh_node, p, j, model));
        }
    }
    free(model);
    return lowest;
}

static double leg_length(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid) {
    sinew_pose *rest;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &rest), SINEW_OK);
    exact_node *model = exact_model(rest);
    double length = 0;
    for (int i = 0; i < 2; i++) {
        const int32_t *bone = &humanoid->nodes[SINEW_HUMANOID_LEFT_UPPER_LEG + i];
        length += exact_length(exact_add(exact_position(&model[bone[1]]), exact_position(&model[bone[0]]), -1));
    }
    free(model);
    sinew_pose_destroy(rest);
    return length;
}

// The hero walks: of its two feet one always stands. So must one of the target's, within a part of a leg.
static void check_walk(const character *hero, const char *name, const sinew_asset *target,
                       const sinew_humanoid *humanoid, double part) {
    const sinew_clip *walk = clip_named(hero, "Walk");
    const retargeting_def def = {.source = {"hero.glb", hero->asset, &hero->humanoid, NULL, NULL},
                                 .target = {name, target, humanoid, NULL, NULL},
                                 .feet = true,
                                 .rate = 30};
    retargeting work;
    if (!retargeting_begin(&work, &def) || !retargeting_make_clips(&work, &walk, 1, NULL))
        fail_msg("%s", work.error);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(target->skeleton, NULL, &pose), SINEW_OK);
    const double leg = leg_length(target->skeleton, humanoid);
    for (int i = 0; i <= 32; i++) {
        sinew_clip_sample(work.clips[0], walk->duration * (float)i / 32, pose);
        const double height = lowest_vertex(target, humanoid, pose) / leg;
        if (fabs(height) > part) fail_msg("%s: frame %d: the soles are at %.2f %% of a leg", name, i, 100 * height);
    }
    sinew_pose_destroy(pose);
    retargeting_end(&work);
}

static void test_shoes_of_characters(void **state) {
    (void)state;
    character hero;
    assert_true(load_character(HERO, &hero));
    for (int kind = HERO; kind < HUMANOIDS; kind++) {
        character c;
        if (!load_character((character_kind)kind, &c)) continue;
        check_walk(&hero, character_names[kind], c.asset, &c.humanoid, 0.03);
        free_character(&c);
    }
    free_character(&hero);
}

static void test_shoes_of_the_corpus(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double part;
    } files[] = {{"Q_modular_men_Swat.glb", 0.03},
                 {"Q_modular_women_Witch.glb", 0.03},
                 {"Q_platformer_game_pack_Character_Gun.glb", 0.035}}; // its soles are round
    const char *folder = getenv("SINEW_CORPUS");
    if (!folder) {
        print_message("SINEW_CORPUS is not set\n");
        skip();
    }
    character hero;
    assert_true(load_character(HERO, &hero));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/characters/%s", folder, files[i].name);
        sinew_asset *asset = load_gltf(path, NULL);
        sinew_humanoid humanoid;
        sinew_humanoid_report report;
        assert_int_equal(sinew_humanoid_guess(asset->skeleton, SINEW_UP_Y, NULL, &humanoid, &report, NULL),
                         SINEW_OK);
        check_walk(&hero, files[i].name, asset, &humanoid, files[i].part);
        sinew_asset_destroy(asset);
    }
    free_character(&hero);
}

// ---- The ground of a take --------------------------------------------------------------------------------------

static const char take_bones[] = "HIERARCHY\n"
                                 "ROOT hips\n"
                                 "{\n"
                                 " OFFSET 5 140 0\n" // the soles are 52 cm above the ground
                                 " CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                                 " JOINT spine { OFFSET 0 20 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
                                 "  JOINT head { OFFSET 0 40 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
                                 "   End Site { OFFSET 0 20 0 } } }\n";
static const char take_leg[] = " JOINT %sUpperLeg { OFFSET %d 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
                               "  JOINT %sLowerLeg { OFFSET 0 -40 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
                               "   JOINT %sFoot { OFFSET 0 -40 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
                               "    End Site { OFFSET 0 -8 12 } } } }\n";

enum { TAKE_FRAMES = 40, TAKE_ROTATIONS = 27 };

// A character that stands with its hips at a height, and jumps in a quarter of the frames.
static sinew_asset *make_take(double hips) {
    static const char *const sides[2] = {"left", "right"};
    static char text[32768];
    int n = snprintf(text, sizeof text, "%s", take_bones);
    for (int side = 0; side < 2; side++)
        n += snprintf(text + n, sizeof text - (size_t)n, take_leg, sides[side], side ? -10 : 10, sides[side],
                      sides[side]);
    n += snprintf(text + n, sizeof text - (size_t)n, "}\nMOTION\nFrames: %d\nFrame Time: 0.04\n", TAKE_FRAMES);
    for (int i = 0; i < TAKE_FRAMES; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "0 %g 0", hips + (i >= 30 ? 30.0 : 0.0));
        for (int k = 0; k < TAKE_ROTATIONS; k++) n += snprintf(text + n, sizeof text - (size_t)n, " 0");
        n += snprintf(text + n, sizeof text - (size_t)n, "\n");
    }
    sinew_asset *asset;
    sinew_error error;
    if (sinew_bvh_load_memory(text, (size_t)n, NULL, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

static sinew_humanoid roles_of_take(const sinew_asset *take) {
    static const char *const roles[] = {"hips",          "spine",         "head",
                                        "leftUpperLeg",  "leftLowerLeg",  "leftFoot",
                                        "rightUpperLeg", "rightLowerLeg", "rightFoot"};
    sinew_humanoid humanoid = sinew_humanoid_empty();
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        set_role(&humanoid, take->skeleton, roles[i], roles[i]);
    return humanoid;
}

// By how much the reference of a take is raised to stand where its feet stand.
static double raise_of(const sinew_asset *take) {
    const sinew_humanoid humanoid = roles_of_take(take);
    sinew_pose *pose;
    sinew_reference found;
    assert_int_equal(sinew_pose_create(take->skeleton, NULL, &pose), SINEW_OK);
    assert_int_equal(sinew_reference_find(take, &humanoid, NULL, pose, &found, NULL), SINEW_OK);
    sinew_pose_destroy(pose);
    return (double)found.raised;
}

static void test_a_take_stands_on_its_ground(void **state) {
    (void)state;
    sinew_asset *take = make_take(93); // soles at 5 cm
    check_near(raise_of(take), 0.05 - 0.52, 1e-5);
    sinew_asset_destroy(take);
    take = make_take(193); // on a stage
    check_near(raise_of(take), 1.05 - 0.52, 1e-5);
    sinew_asset_destroy(take);
}

static void test_a_take_on_a_character(void **state) {
    (void)state;
    character hero;
    assert_true(load_character(HERO, &hero));
    sinew_asset *take = make_take(88);
    const sinew_humanoid roles = roles_of_take(take);
    const retargeting_def def = {.source = {"take.bvh", take, &roles, NULL, NULL},
                                 .target = {"hero.glb", hero.asset, &hero.humanoid, NULL, NULL},
                                 .feet = true,
                                 .rate = 30};
    retargeting work;
    const sinew_clip *clip = &take->clips[0];
    if (!retargeting_begin(&work, &def) || !retargeting_make_clips(&work, &clip, 1, NULL))
        fail_msg("%s", work.error);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(hero.skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(work.clips[0], 0.5f, pose);
    check_near(lowest_vertex(hero.asset, &hero.humanoid, pose), 0.0, 0.005);
    sinew_pose_destroy(pose);
    retargeting_end(&work);
    sinew_asset_destroy(take);
    free_character(&hero);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_reference_stands_on_its_soles),
        cmocka_unit_test(test_shoes_stay_above_the_ground),
        cmocka_unit_test(test_wrong_soles_are_refused),
        cmocka_unit_test(test_shoes_of_characters),
        cmocka_unit_test(test_shoes_of_the_corpus),
        cmocka_unit_test(test_a_take_stands_on_its_ground),
        cmocka_unit_test(test_a_take_on_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
