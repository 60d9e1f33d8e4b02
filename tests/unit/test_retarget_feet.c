// SPDX-License-Identifier: MIT
// Feet that stand on the source stand on the target: how fast soles slide, and how far they are from the ground, for
// each pair of characters, with limbs.
//
// A sole has a heel below the ankle and a ball below the toes' joint, both at height 0 in the rest pose. The lower of
// the two stands if its height is at most 1 % of a leg. A clip may run in place, so a standing point has the ground's
// velocity, and the target's point must have the same, scaled. If either character has no toes, heels are compared.
// Moments when the target's leg is stretched are measured separately: the hips are lowered then.
#include "support/retarget_rig.h"

#include <stdio.h>

enum { HEEL, BALL, POINTS };

static const double step = 1.0 / 240;

// ---- Soles ---------------------------------------------------------------------------------------------------

typedef struct sole {
    int32_t foot;
    exact_vec3 points[POINTS]; // in the foot's local space
} sole;

typedef struct body {
    const char *name;
    character c;
    derived_rig rig; // of the long-footed hero
    double leg;      // the mean length of a thigh and a shin
    sole soles[2];
    bool has_toes;
} body;

// A position in the local space of a node.
static exact_vec3 to_local(const exact_node *node, exact_vec3 position) {
    double scale =
        sqrt(node->m[0][0] * node->m[0][0] + node->m[1][0] * node->m[1][0] + node->m[2][0] * node->m[2][0]);
    exact_vec3 v = exact_rotate(exact_conjugate(node->rotation), exact_add(position, exact_position(node), -1));
    return exact_add((exact_vec3){0, 0, 0}, v, 1 / scale);
}

static exact_vec3 to_model(const exact_node *node, exact_vec3 p) {
    double out[3];
    for (int row = 0; row < 3; row++) {
        out[row] = node->m[row][0] * p.x + node->m[row][1] * p.y + node->m[row][2] * p.z + node->m[row][3];
    }
    return (exact_vec3){out[0], out[1], out[2]};
}

static double distance(const exact_node *a, const exact_node *b) {
    return exact_length(exact_add(exact_position(a), exact_position(b), -1));
}

enum { LONG_FOOTED = HUMANOIDS, BODIES };

// False if its file is missing.
static bool load_body(int kind, body *b) {
    static const int32_t uppers[2] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_RIGHT_UPPER_LEG};
    static const rig_change long_feet = {.scale = 0.6, .foot_length = 1.8};
    bool is_derived = kind == LONG_FOOTED;
    if (!load_character(is_derived ? HERO : (character_kind)kind, &b->c)) return false;
    b->name = is_derived ? "long-footed hero" : character_names[kind];
    if (is_derived) {
        b->rig = derive_rig(b->c.skeleton, &b->c.humanoid, &long_feet);
        b->c.skeleton = b->rig.skeleton;
        b->c.humanoid = b->rig.humanoid;
    }
    sinew_pose *rest;
    assert_int_equal(sinew_pose_create(b->c.skeleton, NULL, &rest), SINEW_OK);
    exact_node *model = exact_model(rest);
    b->leg = 0;
    b->has_toes = b->c.humanoid.nodes[SINEW_HUMANOID_LEFT_TOES] != SINEW_NO_NODE;
    for (int side = 0; side < 2; side++) {
        const int32_t *leg = &b->c.humanoid.nodes[uppers[side]];
        b->leg += 0.5 * (distance(&model[leg[0]], &model[leg[1]]) + distance(&model[leg[1]], &model[leg[2]]));
        for (int i = 0; i < POINTS; i++) {
            int32_t above = i == BALL && leg[3] != SINEW_NO_NODE ? leg[3] : leg[2];
            exact_vec3 position = exact_position(&model[above]);
            position.y = 0;
            b->soles[side].points[i] = to_local(&model[leg[2]], position);
        }
        b->soles[side].foot = leg[2];
    }
    free(model);
    sinew_pose_destroy(rest);
    return true;
}

// ---- Motion --------------------------------------------------------------------------------------------------

// The points of both soles at one time.
typedef struct footing {
    exact_vec3 points[2][POINTS];
} footing;

typedef struct stage {
    const body *from, *to;
    sinew_retarget *map;
    sinew_pose *source, *target;
    sinew_affine *source_model, *model;
} stage;

static footing footing_of(const body *b, const sinew_pose *pose) {
    footing f;
    exact_node *model = exact_model(pose);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < POINTS; i++) {
            f.points[side][i] = to_model(&model[b->soles[side].foot], b->soles[side].points[i]);
        }
    }
    free(model);
    return f;
}

static void footings_at(stage *s, const sinew_clip *clip, double time, footing *source, footing *target) {
    sinew_clip_sample(clip, (float)time, s->source);
    sinew_retarget_pose(s->map, s->source, s->target);
    sinew_pose_to_model(s->source, s->source_model);
    sinew_pose_to_model(s->target, s->model);
    sinew_retarget_limbs(s->map, s->source_model, s->target, s->model);
    *source = footing_of(s->from, s->source);
    *target = footing_of(s->to, s->target);
}

// Whether a leg of the target is stretched.
static bool is_stretched(const stage *s, int side) {
    const int32_t *leg =
        &s->to->c.humanoid.nodes[side ? SINEW_HUMANOID_RIGHT_UPPER_LEG : SINEW_HUMANOID_LEFT_UPPER_LEG];
    exact_node *model = exact_model(s->target);
    double bones = distance(&model[leg[0]], &model[leg[1]]) + distance(&model[leg[1]], &model[leg[2]]);
    double reach = distance(&model[leg[0]], &model[leg[2]]);
    free(model);
    return reach > 0.9995 * bones;
}

// What a clip gives at most, of points that stand: with bent legs, or with stretched ones.
typedef struct slide {
    double speed;  // level, against the source's, metres a second per metre of leg
    double height; // against the source's, per leg
    int count;
} slide;

// The point of a sole that may stand.
static int lower_point(const stage *s, const exact_vec3 points[POINTS]) {
    if (!s->from->has_toes || !s->to->has_toes) return HEEL;
    return points[HEEL].y <= points[BALL].y ? HEEL : BALL;
}

static void add_slide(const stage *s, int side, const footing before[2], const footing now[2], slide *worst) {
    const exact_vec3 *source = now[0].points[side], *target = now[1].points[side];
    double ratio = s->to->leg / s->from->leg;
    int low = lower_point(s, source);
    if (source[low].y > 0.01 * s->from->leg) return;
    worst->count++;
    worst->height = fmax(worst->height, fabs(target[low].y - source[low].y * ratio) / s->to->leg);
    exact_vec3 source_move = exact_add(source[low], before[0].points[side][low], -1);
    exact_vec3 move = exact_add(target[low], before[1].points[side][low], -1);
    double speed = hypot(move.x - ratio * source_move.x, move.z - ratio * source_move.z) / step / s->to->leg;
    worst->speed = fmax(worst->speed, speed);
}

static void measure(stage *s, const sinew_clip *clip, slide *bent, slide *stretched) {
    footing before[2], now[2];
    bool was_stretched[2] = {false, false};
    footings_at(s, clip, 0, &before[0], &before[1]);
    for (int k = 1; k * step <= clip->duration; k++) {
        footings_at(s, clip, k * step, &now[0], &now[1]);
        for (int side = 0; side < 2; side++) {
            bool is_now = is_stretched(s, side);
            add_slide(s, side, before, now, is_now || was_stretched[side] ? stretched : bent);
            was_stretched[side] = is_now;
        }
        before[0] = now[0], before[1] = now[1];
    }
}

static stage make_stage_with_hands(const body *from, const body *to, float hand_weight) {
    stage s = {.from = from, .to = to};
    sinew_retarget_def def = sinew_retarget_default();
    def.source = from->c.skeleton;
    def.target = to->c.skeleton;
    def.source_humanoid = &from->c.humanoid;
    def.target_humanoid = &to->c.humanoid;
    def.hand_weight = hand_weight;
    sinew_error error = {0};
    if (sinew_retarget_create(&def, &s.map, &error) != SINEW_OK) fail_msg("%s", error.message);
    check_near(s.map->scale, to->leg / from->leg, 1e-6 * s.map->scale);
    assert_int_equal(sinew_pose_create(def.source, NULL, &s.source), SINEW_OK);
    assert_int_equal(sinew_pose_create(def.target, NULL, &s.target), SINEW_OK);
    s.source_model = calloc((size_t)def.source->node_count, sizeof *s.source_model);
    s.model = calloc((size_t)def.target->node_count, sizeof *s.model);
    return s;
}

static stage make_stage(const body *from, const body *to) {
    return make_stage_with_hands(from, to, 0.0f);
}

static void free_stage(stage *s) {
    sinew_retarget_destroy(s->map);
    sinew_pose_destroy(s->source);
    sinew_pose_destroy(s->target);
    free(s->source_model);
    free(s->model);
}

// ---- Tests ---------------------------------------------------------------------------------------------------

static const char *const gaits[HUMANOIDS][2] = {{"Walk", "Run"},        {"Walking_A", "Running_A"},
                                                {"Walking", "Running"}, {"Walk", "Run"},
                                                {"Walk", "Run"},        {"Walk", "Run"}};

static int count_faults(const body *from, const body *to, const char *clip_name) {
    stage s = make_stage(from, to);
    slide bent = {0, 0, 0}, stretched = {0, 0, 0};
    measure(&s, clip_named(&from->c, clip_name), &bent, &stretched);
    free_stage(&s);
    print_message("%s of %s onto %s: %d moments, slide %.2g, height %.2g; %d stretched, slide %.2g, height %.2g\n",
                  clip_name, from->name, to->name, bent.count, bent.speed, bent.height, stretched.count,
                  stretched.speed, stretched.height);
    return !(bent.speed <= 0.03 && bent.height <= 0.02 && bent.count > 10 && stretched.speed <= 0.03 &&
             stretched.height <= 0.02);
}

// All ordered pairs, and onto the hero with longer feet. Those without gaits of their own have the hero's.
static void test_standing_feet_stand(void **state) {
    (void)state;
    body bodies[BODIES] = {{0}};
    bool is_loaded[BODIES];
    int faults = 0;
    for (int i = 0; i < BODIES; i++) is_loaded[i] = load_body(i, &bodies[i]);
    for (int i = GAIT_HUMANOIDS; i < HUMANOIDS; i++) borrow_clips(&bodies[i].c, &bodies[HERO].c);
    for (int i = 0; i < HUMANOIDS * BODIES; i++) {
        int from = i / BODIES, to = i % BODIES;
        if (!is_loaded[from] || !is_loaded[to]) continue;
        for (int gait = 0; gait < 2; gait++) faults += count_faults(&bodies[from], &bodies[to], gaits[from][gait]);
    }
    for (int i = 0; i < BODIES; i++) {
        if (is_loaded[i]) free_character(&bodies[i].c);
    }
    free_derived(&bodies[LONG_FOOTED].rig);
    assert_int_equal(faults, 0);
}

// ---- Detached feet -------------------------------------------------------------------------------------------

// The node below the shin that is nearest to a detached foot at rest.
static int32_t tip_of(const body *b, int32_t lower, int32_t foot) {
    sinew_pose *rest;
    int32_t nearest = SINEW_NO_NODE;
    double least = (double)INFINITY;
    assert_int_equal(sinew_pose_create(b->c.skeleton, NULL, &rest), SINEW_OK);
    exact_node *model = exact_model(rest);
    for (int32_t i = lower + 1; i < b->c.skeleton->subtree_ends[lower]; i++)
        if (distance(&model[i], &model[foot]) < least) nearest = i, least = distance(&model[i], &model[foot]);
    free(model);
    sinew_pose_destroy(rest);
    return nearest;
}

// RobotExpressive's feet hang from its root: they stay at the ends of the legs, also where the hips are lowered and where the
// source's legs are longer than the robot can reach.
static void test_detached_feet_stay_at_the_legs(void **state) {
    (void)state;
    body from, to;
    if (!load_body(HERO, &from) || !load_body(ROBOT, &to)) {
        print_message("SINEW_ASSETS is not set\n");
        skip();
    }
    stage s = make_stage(&from, &to);
    const int32_t *leg = &to.c.humanoid.nodes[SINEW_HUMANOID_LEFT_UPPER_LEG];
    const int32_t tip = tip_of(&to, leg[1], leg[2]);
    double least = (double)INFINITY, most = 0.0;
    for (int k = 0; k < 60; k++) {
        sinew_clip_sample(clip_named(&from.c, "Run"), 0.0125f * (float)k, s.source);
        sinew_transform hips = sinew_pose_get(s.source, from.c.humanoid.nodes[SINEW_HUMANOID_HIPS]);
        hips.translation.y += 0.01f * (float)(k % 20);
        sinew_pose_set(s.source, from.c.humanoid.nodes[SINEW_HUMANOID_HIPS], hips);
        sinew_retarget_pose(s.map, s.source, s.target);
        sinew_pose_to_model(s.source, s.source_model);
        sinew_pose_to_model(s.target, s.model);
        sinew_retarget_limbs(s.map, s.source_model, s.target, s.model);
        exact_node *model = exact_model(s.target);
        least = fmin(least, distance(&model[tip], &model[leg[2]]));
        most = fmax(most, distance(&model[tip], &model[leg[2]]));
        free(model);
    }
    print_message("detached feet: %.2g to %.2g of a leg from its end\n", least / to.leg, most / to.leg);
    assert_true(most - least < 1e-3 * to.leg);
    free_stage(&s);
    free_character(&from.c), free_character(&to.c);
}

// ---- Turning -------------------------------------------------------------------------------------------------

static void turn_source(stage *s, double angle) {
    const sinew_transform top = sinew_pose_get(s->source, 0);
    const double c = cos(angle), n = sin(angle), x = (double)top.translation.x, z = (double)top.translation.z;
    const sinew_vec3 at = {(float)(c * x + n * z), top.translation.y, (float)(c * z - n * x)};
    sinew_pose_set(s->source, 0,
                   (sinew_transform){at, sinew_quat_multiply(about_y(angle), top.rotation), top.scale});
}

// The position of a node of the target, with limbs, while the source has turned: seen from the turned character.
static exact_vec3 position_turned(stage *s, const sinew_clip *clip, double time, double angle, int32_t node) {
    sinew_clip_sample(clip, (float)time, s->source);
    turn_source(s, angle);
    sinew_retarget_pose(s->map, s->source, s->target);
    sinew_pose_to_model(s->source, s->source_model);
    sinew_pose_to_model(s->target, s->model);
    sinew_retarget_limbs(s->map, s->source_model, s->target, s->model);
    const double c = cos(angle), n = sin(angle), x = (double)s->model[node].m[0][3],
                 z = (double)s->model[node].m[2][3];
    return (exact_vec3){c * x - n * z, (double)s->model[node].m[1][3], c * z + n * x};
}

// A character that turns moves its limbs alike at every heading: offsets of feet and hands turn with it.
static void test_limbs_do_not_know_the_heading(void **state) {
    (void)state;
    static const int32_t ends[] = {SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_RIGHT_FOOT,
                                   SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_LEFT_HAND,
                                   SINEW_HUMANOID_RIGHT_LOWER_ARM};
    body from, to;
    if (!load_body(HERO, &from) || !load_body(GOLEM, &to)) return;
    stage s = make_stage(&from, &to);
    double most = 0.0;
    for (int k = 0; k < 20; k++)
        for (int quarter = 1; quarter < 8; quarter++)
            for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
                const int32_t node = to.c.humanoid.nodes[ends[i]];
                const exact_vec3 a = position_turned(&s, clip_named(&from.c, "Walk"), 0.05 * k, 0.0, node);
                const exact_vec3 b =
                    position_turned(&s, clip_named(&from.c, "Walk"), 0.05 * k, 0.25 * PI * quarter, node);
                most = fmax(most, exact_length(exact_add(a, b, -1)));
            }
    print_message("at other headings: %.2g m\n", most);
    assert_true(most < 3e-4); // knees that are nearly straight magnify rounding
    free_stage(&s);
    free_character(&from.c), free_character(&to.c);
}

// ---- Hands ---------------------------------------------------------------------------------------------------

// Moves a hand of the source to a place in front of its hips.
static void reach_out(stage *s, int32_t upper_role, sinew_vec3 from_hips) {
    const int32_t *arm = &s->from->c.humanoid.nodes[upper_role];
    const sinew_affine *hips = &s->source_model[s->from->c.humanoid.nodes[SINEW_HUMANOID_HIPS]];
    sinew_ik_two_bone solver = sinew_ik_two_bone_from_rest(s->from->c.skeleton, arm[0], arm[1], arm[2]);
    solver.target =
        (sinew_vec3){hips->m[0][3] + from_hips.x, hips->m[1][3] + from_hips.y, hips->m[2][3] + from_hips.z};
    sinew_ik_two_bone_solve(&solver, s->source, s->source_model);
    sinew_pose_to_model(s->source, s->source_model);
}

// Hands that touch on the source touch on a target with arms of another length, at every heading.
static void test_hands_that_touch_still_do(void **state) {
    (void)state;
    body from, to;
    if (!load_body(HERO, &from) || !load_body(GOLEM, &to)) return;
    stage s = make_stage_with_hands(&from, &to, 1.0f);
    for (int quarter = 0; quarter < 8; quarter++) {
        sinew_clip_sample(clip_named(&from.c, "Idle"), 0.0f, s.source);
        sinew_pose_to_model(s.source, s.source_model);
        reach_out(&s, SINEW_HUMANOID_LEFT_UPPER_ARM, (sinew_vec3){0.0f, 0.3f, 0.3f});
        reach_out(&s, SINEW_HUMANOID_RIGHT_UPPER_ARM, (sinew_vec3){0.0f, 0.3f, 0.3f});
        turn_source(&s, 0.25 * PI * quarter);
        sinew_pose_to_model(s.source, s.source_model);
        sinew_retarget_pose(s.map, s.source, s.target);
        sinew_pose_to_model(s.target, s.model);
        sinew_retarget_limbs(s.map, s.source_model, s.target, s.model);
        const sinew_affine *left = &s.model[to.c.humanoid.nodes[SINEW_HUMANOID_LEFT_HAND]];
        const sinew_affine *right = &s.model[to.c.humanoid.nodes[SINEW_HUMANOID_RIGHT_HAND]];
        double square = 0.0;
        for (int i = 0; i < 3; i++) square += pow((double)left->m[i][3] - (double)right->m[i][3], 2.0);
        if (quarter == 0) print_message("touching hands: %.2g m apart\n", sqrt(square));
        assert_true(sqrt(square) < 2e-3);
    }
    free_stage(&s);
    free_character(&from.c), free_character(&to.c);
}

// ---- Bend axes -----------------------------------------------------------------------------------------------

// The hero with shins that are bent by an angle in the rest pose: a negative one is natural.
static sinew_skeleton *bend_shins(const character *hero, double angle) {
    const sinew_skeleton *from = hero->skeleton;
    sinew_node_def *nodes = calloc((size_t)from->node_count, sizeof *nodes);
    for (int32_t i = 0; i < from->node_count; i++) {
        nodes[i] = (sinew_node_def){.name = from->names[i], .parent = from->parents[i], .rest = from->rest[i]};
        if (i != hero->humanoid.nodes[SINEW_HUMANOID_LEFT_LOWER_LEG] &&
            i != hero->humanoid.nodes[SINEW_HUMANOID_RIGHT_LOWER_LEG]) {
            continue;
        }
        nodes[i].rest.rotation = sinew_quat_multiply(nodes[i].rest.rotation, about_x(angle));
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = from->node_count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    free(nodes);
    return skeleton;
}

// How far the left knee is in front of the line from the hip to the ankle, metres.
static double knee_in_front(const sinew_affine *model, const sinew_humanoid *humanoid) {
    const sinew_affine *hip = &model[humanoid->nodes[SINEW_HUMANOID_LEFT_UPPER_LEG]];
    const sinew_affine *knee = &model[humanoid->nodes[SINEW_HUMANOID_LEFT_LOWER_LEG]];
    const sinew_affine *ankle = &model[humanoid->nodes[SINEW_HUMANOID_LEFT_FOOT]];
    double t = (double)(hip->m[1][3] - knee->m[1][3]) / (double)(hip->m[1][3] - ankle->m[1][3]);
    return (double)knee->m[2][3] - (1 - t) * (double)hip->m[2][3] - t * (double)ankle->m[2][3];
}

// The target's rest pose has knees that bend backward; its reference says how they bend. The source's feet are
// raised, so the legs bend far.
static void test_knees_bend_as_in_the_reference(void **state) {
    (void)state;
    character hero;
    load_character(HERO, &hero);
    sinew_skeleton *skeleton = bend_shins(&hero, 0.5);
    sinew_pose *reference, *source, *target;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &reference), SINEW_OK);
    assert_int_equal(sinew_pose_create(hero.skeleton, NULL, &source), SINEW_OK);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &target), SINEW_OK);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinew_transform t = hero.skeleton->rest[i];
        if (i == hero.humanoid.nodes[SINEW_HUMANOID_LEFT_LOWER_LEG]) {
            t.rotation = sinew_quat_multiply(t.rotation, about_x(-0.3));
        }
        sinew_pose_set(reference, i, t);
    }
    sinew_retarget_def def = sinew_retarget_default();
    def.source = hero.skeleton;
    def.target = skeleton;
    def.source_humanoid = def.target_humanoid = &hero.humanoid;
    def.target_reference = reference;
    def.scale = 1;
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    sinew_affine *from = calloc((size_t)skeleton->node_count, sizeof *from),
                 *to = calloc((size_t)skeleton->node_count, sizeof *to);
    source->ty[hero.humanoid.nodes[SINEW_HUMANOID_HIPS]] -= 0.15f;
    sinew_pose_to_model(source, from);
    for (int side = 0; side < 2; side++) { // the feet stay, as if the knees had bent
        int32_t foot = hero.humanoid.nodes[side ? SINEW_HUMANOID_RIGHT_FOOT : SINEW_HUMANOID_LEFT_FOOT];
        for (int32_t i = foot; i < skeleton->subtree_ends[foot]; i++) from[i].m[1][3] += 0.15f;
    }
    sinew_retarget_pose(map, source, target);
    sinew_pose_to_model(target, to);
    sinew_retarget_limbs(map, from, target, to);
    assert_true(knee_in_front(to, &hero.humanoid) > 0.1);
    free(from);
    free(to);
    sinew_retarget_destroy(map);
    sinew_pose *const poses[] = {reference, source, target};
    for (int i = 0; i < 3; i++) sinew_pose_destroy(poses[i]);
    sinew_skeleton_destroy(skeleton);
    free_character(&hero);
}

// How far a hand must be moved forward for the elbow to be on the line from the shoulder to it: negative for an elbow
// behind that line. By the characters' +Z.
static double elbow_in_front(const sinew_affine *model, const int32_t *arm) {
    const sinew_affine *shoulder = &model[arm[0]], *elbow = &model[arm[1]], *hand = &model[arm[2]];
    double line[3], to_elbow[3], along = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        line[i] = (double)(hand->m[i][3] - shoulder->m[i][3]);
        to_elbow[i] = (double)(elbow->m[i][3] - shoulder->m[i][3]);
        along += line[i] * to_elbow[i], square += line[i] * line[i];
    }
    return to_elbow[2] - along / square * line[2];
}

// Arms that are straight in the rest pose, and nearly straight in the pose, to any side. The hand comes nearer, and
// the elbow must go back. Without its own side, it would go wherever the pose has it.
static void test_straight_elbows_go_back(void **state) {
    (void)state;
    character hero, sprite;
    load_character(HERO, &hero);
    load_character(SPRITE, &sprite);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = hero.skeleton, def.target = sprite.skeleton;
    def.source_humanoid = &hero.humanoid, def.target_humanoid = &sprite.humanoid;
    def.hand_weight = 1;
    sinew_retarget *map;
    sinew_pose *source, *target;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(hero.skeleton, NULL, &source), SINEW_OK);
    assert_int_equal(sinew_pose_create(sprite.skeleton, NULL, &target), SINEW_OK);
    sinew_affine *from = calloc((size_t)hero.skeleton->node_count, sizeof *from),
                 *to = calloc((size_t)sprite.skeleton->node_count, sizeof *to);
    for (int i = 0; i < 2 * 16; i++) {
        int first = i % 2 ? SINEW_HUMANOID_RIGHT_UPPER_ARM : SINEW_HUMANOID_LEFT_UPPER_ARM;
        const int32_t *arm = &sprite.humanoid.nodes[first], *own = &hero.humanoid.nodes[first];
        sinew_pose_to_model(source, from);
        for (int row = 0; row < 3; row++) { // the hand comes nearer by a third
            from[own[2]].m[row][3] += (from[own[0]].m[row][3] - from[own[2]].m[row][3]) / 3;
        }
        sinew_retarget_pose(map, source, target);
        double angle = i * PI / 16;
        sinew_quat turn = sinew_quat_multiply(about_y(0.03 * sin(angle)), about_z(0.03 * cos(angle)));
        sinew_transform lower = sinew_pose_get(target, arm[1]);
        lower.rotation = sinew_quat_multiply(turn, sprite.skeleton->rest[arm[1]].rotation);
        sinew_pose_set(target, arm[1], lower);
        sinew_pose_to_model(target, to);
        sinew_retarget_limbs(map, from, target, to);
        assert_true(elbow_in_front(to, arm) < -0.01);
    }
    free(from);
    free(to);
    sinew_retarget_destroy(map);
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    free_character(&hero);
    free_character(&sprite);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knees_bend_as_in_the_reference),
        cmocka_unit_test(test_straight_elbows_go_back),
        cmocka_unit_test(test_standing_feet_stand),
        cmocka_unit_test(test_detached_feet_stay_at_the_legs),
        cmocka_unit_test(test_limbs_do_not_know_the_heading),
        cmocka_unit_test(test_hands_that_touch_still_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
