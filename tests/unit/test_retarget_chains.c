// SPDX-License-Identifier: MIT
// Retargeting without roles: animals with other sizes and headings, by chains and by names. The rigs are similar, or
// a formula gives their feet's positions.
#include "support/retarget_rig.h"
#include "support/small_rig.h"

#include <stdio.h>

// ---- Rigs ----------------------------------------------------------------------------------------------------

// A quadruped that faces +Z at heading 0, of a size, with other proportions and with feet of inverse kinematics.
typedef struct body {
    double size, heading;
    double shin;        // the length of the lower part of a leg relative to the other's
    bool has_free_feet; // children of the root where the legs end
    bool is_z_up;
    const char *prefix; // of all names
} body;

enum {
    HIPS = 1,
    CHEST,
    HEAD,
    LEGS,
    LEG_NODES = 3,
    LEG_COUNT = 4,
    FEET = LEGS + LEG_NODES * LEG_COUNT,
    MOST = FEET + 4
};

typedef struct animal {
    sinew_skeleton *skeleton;
    sinew_humanoid_chains chains;
    sinew_humanoid_chain list[LEG_COUNT + 1];
    int32_t nodes[LEG_COUNT + 1][LEG_NODES];
    body body;
} animal;

static exact_vec3 turn(exact_vec3 v, double radians) {
    return (exact_vec3){cos(radians) * v.x + sin(radians) * v.z, v.y, cos(radians) * v.z - sin(radians) * v.x};
}

// A vector of the rig at heading 0 and size 1, in model space.
static exact_vec3 placed(const body *b, exact_vec3 v) {
    const exact_vec3 turned = exact_scaled(turn(v, b->heading), b->size);
    return b->is_z_up ? (exact_vec3){turned.x, -turned.z, turned.y} : turned;
}

static const char *const leg_names[LEG_COUNT] = {"frontLeftLeg", "frontRightLeg", "backLeftLeg", "backRightLeg"};

static void add_node(sinew_node_def *nodes, char (*names)[32], int32_t i, const body *b, const char *name,
                     int32_t parent, exact_vec3 from_parent) {
    const exact_vec3 at = placed(b, from_parent);
    snprintf(names[i], 32, "%s%s", b->prefix, name);
    nodes[i] = (sinew_node_def){.name = names[i], .parent = parent, .rest = sinew_transform_identity()};
    nodes[i].rest.translation = (sinew_vec3){(float)at.x, (float)at.y, (float)at.z};
}

// The way from the hips' or chest's leg to the ground: 0.1 down, then thigh and shin, which bend.
static exact_vec3 leg_part(const body *b, int leg, int part) {
    const double side = leg % 2 == 0 ? 1 : -1, bend = leg < 2 ? -1 : 1;
    const exact_vec3 parts[LEG_NODES] = {
        {0.2 * side, -0.1, 0}, {0, -0.45, 0.1 * bend}, {0, -0.45 * b->shin, -0.1 * bend}};
    return parts[part];
}

static animal make_animal(body b) {
    sinew_node_def nodes[MOST];
    static char names[MOST][32];
    const double height = 0.1 + 0.45 + 0.45 * b.shin;
    add_node(nodes, names, 0, &b, "root", SINEW_NO_NODE, (exact_vec3){0, 0, 0});
    add_node(nodes, names, HIPS, &b, "hips", 0, (exact_vec3){0, height, -0.6});
    add_node(nodes, names, CHEST, &b, "chest", HIPS, (exact_vec3){0, 0, 1.1});
    add_node(nodes, names, HEAD, &b, "head", CHEST, (exact_vec3){0, 0.5, 0.4});
    animal a = {.body = b};
    for (int leg = 0; leg < LEG_COUNT; leg++) {
        exact_vec3 foot = {0, height, leg < 2 ? 0.5 : -0.6};
        for (int part = 0; part < LEG_NODES; part++) {
            char name[16];
            const int32_t node = LEGS + LEG_NODES * leg + part, above = leg < 2 ? CHEST : HIPS;
            snprintf(name, sizeof name, "leg%d.%d", leg, part);
            add_node(nodes, names, node, &b, name, part == 0 ? above : node - 1, leg_part(&b, leg, part));
            foot = exact_add(foot, leg_part(&b, leg, part), 1);
            a.nodes[leg][part] = node;
        }
        char name[16];
        snprintf(name, sizeof name, "foot%d", leg);
        add_node(nodes, names, FEET + leg, &b, name, 0, foot);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = b.has_free_feet ? MOST : FEET;
    assert_int_equal(sinew_skeleton_create(&def, &a.skeleton, NULL), SINEW_OK);
    return a;
}

// Names the chains. Converts the definition's nodes to the skeleton's.
static void name_chains(animal *a) {
    for (int leg = 0; leg <= LEG_COUNT; leg++) {
        const int count = leg < LEG_COUNT ? LEG_NODES : 1;
        if (leg == LEG_COUNT) a->nodes[leg][0] = HIPS;
        for (int i = 0; i < count; i++) a->nodes[leg][i] = a->skeleton->node_of_source[a->nodes[leg][i]];
        a->list[leg] = (sinew_humanoid_chain){leg < LEG_COUNT ? leg_names[leg] : "hips", a->nodes[leg], count};
    }
    a->chains = (sinew_humanoid_chains){LEG_COUNT + 1, a->list};
}

static int32_t node_at(const animal *a, int32_t node) {
    return a->skeleton->node_of_source[node];
}

typedef struct stage {
    animal from, to;
    sinew_retarget_def def;
    sinew_retarget *map;
    sinew_pose *source, *target;
    exact_node *source_model, *source_rest, *target_rest;
} stage;

static void begin(stage *s, body from, body to) {
    memset(s, 0, sizeof *s);
    s->from = make_animal(from);
    s->to = make_animal(to);
    name_chains(&s->from);
    name_chains(&s->to);
    s->def = sinew_retarget_default();
    s->def.source = s->from.skeleton;
    s->def.target = s->to.skeleton;
    s->def.source_up = from.is_z_up ? SINEW_UP_Z : SINEW_UP_Y;
    s->def.target_up = to.is_z_up ? SINEW_UP_Z : SINEW_UP_Y;
    s->def.source_chains = &s->from.chains;
    s->def.target_chains = &s->to.chains;
    assert_int_equal(sinew_pose_create(s->from.skeleton, NULL, &s->source), SINEW_OK);
    assert_int_equal(sinew_pose_create(s->to.skeleton, NULL, &s->target), SINEW_OK);
    s->source_rest = exact_model(s->source);
    s->target_rest = exact_model(s->target);
}

static void make_map(stage *s) {
    sinew_error error = {0};
    if (sinew_retarget_create(&s->def, &s->map, &error) != SINEW_OK) fail_msg("%s", error.message);
}

static void end(stage *s) {
    sinew_retarget_destroy(s->map);
    sinew_pose_destroy(s->source);
    sinew_pose_destroy(s->target);
    free(s->source_model);
    free(s->source_rest);
    free(s->target_rest);
    sinew_skeleton_destroy(s->from.skeleton);
    sinew_skeleton_destroy(s->to.skeleton);
}

static void rotate(sinew_pose *pose, int32_t node, sinew_quat rotation) {
    sinew_transform t = sinew_pose_get(pose, node);
    t.rotation = rotation;
    sinew_pose_set(pose, node, t);
}

// The source crouches, leans, looks and swings its legs: of a Y-up rig at heading 0.
static void pose_source(stage *s, double crouch, double twist) {
    const animal *a = &s->from;
    sinew_transform hips = sinew_pose_get(s->source, node_at(a, HIPS));
    hips.translation.y -= (float)crouch;
    hips.translation.z += 0.3f;
    hips.rotation = about_x(-0.1);
    sinew_pose_set(s->source, node_at(a, HIPS), hips);
    rotate(s->source, node_at(a, CHEST), about_y(twist));
    rotate(s->source, node_at(a, HEAD), about_z(0.4));
    for (int leg = 0; leg < LEG_COUNT; leg++) {
        rotate(s->source, a->nodes[leg][0], about_x(0.3 * (leg - 1.5)));
        rotate(s->source, a->nodes[leg][1], about_x((leg < 2 ? 1 : -1) * 0.35));
    }
    s->source_model = exact_model(s->source);
}

static exact_node *retarget(stage *s) {
    sinew_affine source[MOST], target[MOST];
    sinew_retarget_pose(s->map, s->source, s->target);
    sinew_pose_to_model(s->source, source);
    sinew_pose_to_model(s->target, target);
    sinew_retarget_limbs(s->map, source, s->target, target);
    return exact_model(s->target);
}

static void check_position(exact_vec3 found, exact_vec3 expected, double tolerance, const char *name) {
    const double away = exact_length(exact_add(found, expected, -1));
    if (!(away <= tolerance))
        fail_msg("%s is at %g %g %g, %g from %g %g %g", name, found.x, found.y, found.z, away, expected.x,
                 expected.y, expected.z);
}

// ---- Similar bodies ------------------------------------------------------------------------------------------

// For a similar rig, each position is the source's, turned and scaled.
static void check_similar(body to, bool by_names) {
    stage s;
    begin(&s, (body){.size = 1, .shin = 1, .prefix = ""}, to);
    if (by_names) s.def.source_chains = s.def.target_chains = NULL;
    make_map(&s);
    check_near(s.map->scale, to.size, 1e-5);
    pose_source(&s, 0.05, 0.2);
    exact_node *model = retarget(&s);
    for (int32_t i = 0; i < FEET; i++) {
        if (!by_names && i == HEAD) continue; // neither has it in a chain
        const exact_vec3 source = exact_position(&s.source_model[node_at(&s.from, i)]);
        check_position(exact_position(&model[node_at(&s.to, i)]), placed(&to, source), 2e-5 * to.size,
                       s.to.skeleton->names[node_at(&s.to, i)]);
    }
    free(model);
    end(&s);
}

static void test_similar_animals(void **state) {
    (void)state;
    static const double headings[] = {0, PI / 2, PI, -PI / 2, 0.7, 3.0 * PI / 4};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        for (int z_up = 0; z_up < 2; z_up++) {
            const body to = {.size = 2.5, .heading = headings[i], .shin = 1, .prefix = "other ", .is_z_up = z_up};
            check_similar(to, false);
        }
    }
}

// Without chains, by equal names: no feet are placed, which similar rigs don't need.
static void test_similar_animals_by_names(void **state) {
    (void)state;
    check_similar((body){.size = 0.3, .heading = PI / 2, .shin = 1, .prefix = ""}, true);
    check_similar((body){.size = 3, .heading = PI, .shin = 1, .prefix = "", .is_z_up = true}, true);
    check_similar((body){.size = 1, .heading = 0, .shin = 1, .prefix = ""}, true);
}

// Characters face along an axis though their joints are not quite symmetrical: 5 degrees are not a heading.
static void test_headings_snap_to_quarters(void **state) {
    (void)state;
    static const double headings[] = {0.09, PI / 2 - 0.09, -PI / 2 + 0.09, PI - 0.09};
    static const double expected[] = {0, PI / 2, -PI / 2, PI};
    for (int i = 0; i < 4; i++) {
        stage s;
        begin(&s, (body){.size = 1, .shin = 1, .prefix = ""},
              (body){.size = 1, .heading = headings[i], .shin = 1, .prefix = "b "});
        make_map(&s);
        assert_true(angle_between(s.map->rotation, about_y(expected[i])) < 1e-6);
        end(&s);
    }
}

// ---- Feet ----------------------------------------------------------------------------------------------------

// Where a foot of the target must be: as far from its place in the rest pose as the source's, turned and scaled.
static exact_vec3 expected_foot(const stage *s, int32_t source, int32_t target) {
    const exact_vec3 now = exact_position(&s->source_model[source]), was = exact_position(&s->source_rest[source]);
    const body turned = {.size = s->map->scale, .heading = s->to.body.heading, .is_z_up = s->to.body.is_z_up};
    return exact_add(exact_position(&s->target_rest[target]), placed(&turned, exact_add(now, was, -1)), 1);
}

// The ratio of the legs: 0.1 and two parts. All four are alike.
static double leg_length(const body *b) {
    return b->size * (sqrt(0.45 * 0.45 + 0.01) + sqrt(0.45 * 0.45 * b->shin * b->shin + 0.01));
}

static void check_feet(body from, body to, double crouch) {
    stage s;
    begin(&s, from, to);
    make_map(&s);
    check_near(s.map->scale, leg_length(&to) / leg_length(&from), 1e-5);
    pose_source(&s, crouch, 0);
    exact_node *model = retarget(&s);
    for (int leg = 0; leg < LEG_COUNT; leg++) {
        const int32_t tip = s.to.nodes[leg][2], source = s.from.nodes[leg][2];
        const int32_t foot = to.has_free_feet ? node_at(&s.to, FEET + leg) : tip;
        check_position(exact_position(&model[foot]), expected_foot(&s, source, foot), 1e-4, leg_names[leg]);
        check_position(exact_position(&model[tip]), exact_position(&model[foot]), 1e-4, "a tip");
    }
    free(model);
    end(&s);
}

static void test_feet_are_where_the_source_has_them(void **state) {
    (void)state;
    const body from = {.size = 1, .shin = 1, .prefix = ""};
    check_feet(from, (body){.size = 0.5, .shin = 1.4, .heading = 0, .prefix = "b "}, 0.1);
    check_feet(from, (body){.size = 2, .shin = 0.7, .heading = PI / 2, .prefix = "b "}, 0.1);
    check_feet(from, (body){.size = 2, .shin = 0.7, .heading = PI, .prefix = "b ", .is_z_up = true}, 0.1);
}

// If the source turns with all that it does, so does the target: also what its feet are wider apart.
static void test_feet_turn_with_the_animal(void **state) {
    (void)state;
    stage s;
    exact_vec3 before[LEG_COUNT];
    begin(&s, (body){.size = 1, .shin = 1, .prefix = ""}, (body){.size = 2, .shin = 0.8, .prefix = "b "});
    make_map(&s);
    pose_source(&s, 0.1, 0);
    for (int turned = 0; turned < 2; turned++) {
        rotate(s.source, node_at(&s.from, 0), about_y(turned * 2.1));
        exact_node *model = retarget(&s);
        for (int leg = 0; leg < LEG_COUNT; leg++) {
            const exact_vec3 foot = exact_position(&model[s.to.nodes[leg][2]]);
            if (!turned) before[leg] = foot;
            if (turned) check_position(foot, turn(before[leg], 2.1), 1e-4, leg_names[leg]);
        }
        free(model);
    }
    end(&s);
}

// A foot that is not below its leg moves with the leg's tip, whether the source has such feet or not.
static void test_feet_of_inverse_kinematics(void **state) {
    (void)state;
    const body from = {.size = 1, .shin = 1, .prefix = ""};
    check_feet(from, (body){.size = 2, .shin = 1.3, .heading = PI / 2, .prefix = "b ", .has_free_feet = true}, 0.1);
}

// Without the placement the tips keep the directions of the bones, and miss.
static void test_no_feet_with_a_weight_of_0(void **state) {
    (void)state;
    stage s;
    begin(&s, (body){.size = 1, .shin = 1, .prefix = ""}, (body){.size = 1, .shin = 1.4, .prefix = "b "});
    s.def.foot_weight = 0;
    make_map(&s);
    pose_source(&s, 0.1, 0);
    exact_node *model = retarget(&s);
    for (int leg = 0; leg < LEG_COUNT; leg++) {
        const int32_t upper = s.to.nodes[leg][0], tip = s.to.nodes[leg][2];
        const exact_vec3 away =
            exact_add(exact_position(&model[tip]), expected_foot(&s, s.from.nodes[leg][2], tip), -1);
        assert_true(exact_length(away) > 0.02);
        const exact_quat turned = s.source_model[s.from.nodes[leg][0]].rotation;
        const exact_vec3 bone = exact_add(exact_position(&s.target_rest[s.to.nodes[leg][1]]),
                                          exact_position(&s.target_rest[upper]), -1);
        check_position(exact_add(exact_position(&model[s.to.nodes[leg][1]]), exact_position(&model[upper]), -1),
                       exact_rotate(turned, bone), 1e-5, "a bone");
    }
    free(model);
    end(&s);
}

// A two-legged body with a shoulder to the side. Its shins have the given length.
static sinew_skeleton *make_shouldered(float shin) {
    const float height = 0.55f + shin;
    const small_node rows[] = {{"body", NULL, {0, height, 0}, 0},     {"S.L", "body", {0.02f, -0.1f, 0}, 0},
                               {"U.L", "S.L", {0.15f, 0, 0}, 0},      {"K.L", "U.L", {0, -0.45f, 0.05f}, 0},
                               {"F.L", "K.L", {0, -shin, -0.05f}, 0}, {"S.R", "body", {-0.02f, -0.1f, 0}, 0},
                               {"U.R", "S.R", {-0.15f, 0, 0}, 0},     {"K.R", "U.R", {0, -0.45f, 0.05f}, 0},
                               {"F.R", "K.R", {0, -shin, -0.05f}, 0}, {NULL, NULL, {0, 0, 0}, 0}};
    return make_small_rig(rows);
}

// Legs bend in their own plane: a crouch straight down doesn't move a knee to the side, whatever the shoulder.
static void test_shoulders_do_not_bend(void **state) {
    (void)state;
    static const int32_t left[] = {1, 2, 3, 4}, right[] = {5, 6, 7, 8};
    const sinew_humanoid_chain list[] = {{"left", left, 4}, {"right", right, 4}};
    const sinew_humanoid_chains chains = {2, list};
    sinew_skeleton *from = make_shouldered(0.45f), *to = make_shouldered(0.7f);
    sinew_retarget_def def = sinew_retarget_default();
    sinew_retarget *map;
    sinew_pose *source, *target;
    sinew_affine source_model[9], model[9];
    def.source = from, def.target = to;
    def.source_chains = def.target_chains = &chains;
    def.chains = &(sinew_retarget_chain){(const int32_t[]){0}, 1, (const int32_t[]){0}, 1}, def.chain_count = 1;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(from, NULL, &source), SINEW_OK);
    assert_int_equal(sinew_pose_create(to, NULL, &target), SINEW_OK);
    for (int side = 0; side < 2; side++) { // thighs back and shins forward: the feet rise, and the body stays
        rotate(source, 2 + 4 * side, about_x(-0.5));
        rotate(source, 3 + 4 * side, about_x(0.9));
    }
    sinew_retarget_pose(map, source, target);
    sinew_pose_to_model(source, source_model);
    sinew_pose_to_model(target, model);
    sinew_retarget_limbs(map, source_model, target, model);
    for (int side = 0; side < 2; side++) {
        const double x = side ? -0.17 : 0.17;
        for (int i = 2; i < 5; i++) check_near(model[i + 4 * side].m[0][3], x, 1e-5);
        const double rise = (double)source_model[4 + 4 * side].m[1][3];
        check_near(model[4 + 4 * side].m[1][3], (double)map->scale * rise, 1e-4);
    }
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_retarget_destroy(map);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

// ---- Chains --------------------------------------------------------------------------------------------------

static const small_node bent_tail[] = {{"root", NULL, {0, 1, 0}, 0},
                                       {"t1", "root", {0, 0, -0.2f}, 0},
                                       {"t2", "t1", {0, 0, -0.5f}, 0},
                                       {"t3", "t2", {0, 0, -0.5f}, 0},
                                       {NULL, NULL, {0, 0, 0}, 0}};
static const small_node raised_tail[] = {{"base", NULL, {0, 1, 0}, 0},
                                         {"u1", "base", {0, 0, -0.2f}, 0},
                                         {"u2", "u1", {0, 0.3f, -0.4f}, 0},
                                         {"u3", "u2", {0, 0.3f, -0.4f}, 0},
                                         {NULL, NULL, {0, 0, 0}, 0}};

// Listed chains get the directions of the source; named ones keep their own posture, changed like the source's.
static void test_named_chains_keep_their_posture(void **state) {
    (void)state;
    static const int32_t nodes[3] = {1, 2, 3};
    sinew_skeleton *from = make_small_rig(bent_tail), *to = make_small_rig(raised_tail);
    const sinew_retarget_chain listed = {nodes, 3, nodes, 3};
    const sinew_humanoid_chain named = {"tail", nodes, 3};
    const sinew_humanoid_chains chains = {1, &named};
    for (int is_named = 0; is_named < 2; is_named++) {
        sinew_retarget_def def = sinew_retarget_default();
        sinew_retarget *map;
        sinew_pose *source, *target;
        def.source = from, def.target = to;
        if (is_named) def.source_chains = def.target_chains = &chains;
        if (!is_named) def.chains = &listed, def.chain_count = 1;
        assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
        assert_int_equal(sinew_pose_create(from, NULL, &source), SINEW_OK);
        assert_int_equal(sinew_pose_create(to, NULL, &target), SINEW_OK);
        check_near(map->scale, 1, 1e-6); // both tails have bones of 0.5
        rotate(source, 1, about_y(0.6));
        sinew_retarget_pose(map, source, target);
        exact_node *model = exact_model(target);
        const exact_vec3 bone = is_named ? (exact_vec3){0, 0.3, -0.4} : (exact_vec3){0, 0, -0.5};
        for (int i = 1; i < 3; i++)
            check_position(exact_add(exact_position(&model[i + 1]), exact_position(&model[i]), -1), turn(bone, 0.6),
                           1e-6, to->names[i]);
        free(model);
        sinew_pose_destroy(source);
        sinew_pose_destroy(target);
        sinew_retarget_destroy(map);
    }
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static int32_t source_of(const sinew_retarget *map, int32_t target) {
    for (int32_t i = 0; i < map->pair_count; i++)
        if (map->pairs[i].target == target) return map->pairs[i].source;
    return SINEW_NO_NODE;
}

// A listed chain comes before a named one with the same nodes. A name that one side lacks isn't a pair.
static void test_listed_chains_take_precedence(void **state) {
    (void)state;
    static const int32_t nodes[3] = {1, 2, 3}, last[1] = {3}, first[1] = {1};
    sinew_skeleton *from = make_small_rig(bent_tail), *to = make_small_rig(raised_tail);
    const sinew_humanoid_chain source_list[2] = {{"tail", nodes, 3}, {"nose", first, 1}};
    const sinew_humanoid_chain target_list[2] = {{"horn", first, 1}, {"tail", nodes, 3}};
    const sinew_humanoid_chains source_chains = {2, source_list}, target_chains = {2, target_list};
    const sinew_retarget_chain listed = {first, 1, last, 1};
    sinew_retarget_def def = sinew_retarget_default();
    sinew_retarget *map;
    def.source = from, def.target = to;
    def.source_chains = &source_chains, def.target_chains = &target_chains;
    def.chains = &listed, def.chain_count = 1;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    assert_int_equal(map->pair_count, 3);
    assert_int_equal(source_of(map, 1), 1);
    assert_int_equal(source_of(map, 2), 2);
    assert_int_equal(source_of(map, 3), 1);
    sinew_retarget_destroy(map);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_wrong_named_chains(void **state) {
    (void)state;
    static const int32_t turned[2] = {3, 1}, beyond[1] = {4}, good[1] = {1};
    static const sinew_humanoid_chain wrong[] = {
        {"tail", turned, 2}, {"tail", beyond, 1}, {"tail", good, 0}, {"tail", NULL, 1}};
    const sinew_humanoid_chain right = {"tail", good, 1};
    sinew_skeleton *from = make_small_rig(bent_tail), *to = make_small_rig(raised_tail);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (int side = 0; side < 2; side++) {
            const sinew_humanoid_chains bad = {1, &wrong[i]}, chains = {1, &right};
            sinew_retarget_def def = sinew_retarget_default();
            sinew_retarget *map;
            def.source = from, def.target = to;
            def.source_chains = side ? &bad : &chains;
            def.target_chains = side ? &chains : &bad;
            assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_ERROR_ARGUMENT);
            assert_null(map);
        }
    }
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_no_memory(void **state) {
    (void)state;
    stage s;
    begin(&s, (body){.size = 1, .shin = 1, .prefix = ""},
          (body){.size = 2, .shin = 1, .prefix = "b ", .has_free_feet = true});
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    s.def.allocator = counting_allocator(&c);
    while (fail_next(&c, result)) {
        result = sinew_retarget_create(&s.def, &s.map, NULL);
        assert_int_equal(s.map != NULL, result == SINEW_OK);
        sinew_retarget_destroy(s.map);
        s.map = NULL;
    }
    assert_true(c.fail_at > 5);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_similar_animals),
        cmocka_unit_test(test_similar_animals_by_names),
        cmocka_unit_test(test_headings_snap_to_quarters),
        cmocka_unit_test(test_feet_are_where_the_source_has_them),
        cmocka_unit_test(test_feet_turn_with_the_animal),
        cmocka_unit_test(test_feet_of_inverse_kinematics),
        cmocka_unit_test(test_no_feet_with_a_weight_of_0),
        cmocka_unit_test(test_shoulders_do_not_bend),
        cmocka_unit_test(test_named_chains_keep_their_posture),
        cmocka_unit_test(test_listed_chains_take_precedence),
        cmocka_unit_test(test_wrong_named_chains),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
