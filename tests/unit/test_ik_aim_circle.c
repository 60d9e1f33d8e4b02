// SPDX-License-Identifier: MIT
// Aims with limits while the target circles the character: the node turns by at most the multiple of the target's
// angle that ik.h states, and stays upright.
#include "support/ik_rig.h"

static const sinew_vec3 ahead = {0, 0, 1};

// ---- The stated multiple -------------------------------------------------------------------------------------

static double half_tangent(double angle) {
    return tan(angle / 2.0);
}

// The formula of ik.h, for a forward `o` away from the limit's axis.
static double stated_multiple(const sinew_ik_aim *aim, double o) {
    double limit = fmin((double)aim->limit, 2.617993), t = half_tangent(limit);
    double pitch = half_tangent(fmin(limit, fmin((double)aim->pitch_up, (double)aim->pitch_down)));
    double k = t / pitch, h = 0.5 * (k + 1.0 / k), r = fmin(1.0, 2.0 * cos(0.5 * limit));
    double ahead_of_back = h * (1.0 + t * t), behind = 2.0 / r * hypot(1.16 * h * t, t + half_tangent(o));
    return fmax(ahead_of_back, behind);
}

// ---- The hero ------------------------------------------------------------------------------------------------

enum { HEIGHTS = 25, STEPS = 1440, NODES = 128, CHAIN = 3 };

typedef struct character {
    sinew_asset *asset;
    const sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_affine clip_model[NODES], model[NODES];
    int32_t chest, neck, head;
    sinew_quat clip_rotations[CHAIN];
} character;

static character make_hero(void) {
    character c = {0};
    c.asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    c.skeleton = c.asset->skeleton;
    assert_true(c.skeleton->node_count <= NODES && c.asset->clip_count >= 5);
    assert_int_equal(sinew_pose_create(c.skeleton, NULL, &c.pose), SINEW_OK);
    c.chest = sinew_skeleton_find(c.skeleton, "UpperChest");
    c.neck = sinew_skeleton_find(c.skeleton, "Neck");
    c.head = sinew_skeleton_find(c.skeleton, "Head");
    return c;
}

static void free_hero(character *c) {
    sinew_pose_destroy(c->pose);
    sinew_asset_destroy(c->asset);
}

static int32_t chain_node(const character *c, int i) {
    return i == 0 ? c->chest : i == 1 ? c->neck : c->head;
}

static void show_clip(character *c, const sinew_clip *clip, double part) {
    sinew_clip_sample(clip, (float)part * clip->duration, c->pose);
    sinew_pose_to_model(c->pose, c->clip_model);
    for (int i = 0; i < CHAIN; i++) c->clip_rotations[i] = sinew_pose_get(c->pose, chain_node(c, i)).rotation;
}

static void show_clip_again(character *c) {
    for (int i = 0; i < CHAIN; i++) {
        sinew_transform t = sinew_pose_get(c->pose, chain_node(c, i));
        t.rotation = c->clip_rotations[i];
        sinew_pose_set(c->pose, chain_node(c, i), t);
    }
    memcpy(c->model, c->clip_model, sizeof c->model);
}

static sinew_ik_aim head_aim(const character *c) {
    sinew_ik_aim aim = sinew_ik_aim_from_rest(c->skeleton, c->head, c->head, ahead);
    aim.limit = 1.2f;
    aim.softness = 0.3f;
    return aim;
}

static sinew_vec3 on_circle(int height, int step) {
    double a = 2.0 * PI * step / STEPS;
    return (sinew_vec3){(float)(2.0 * sin(a)), 0.35f * (float)height, (float)(2.0 * cos(a))};
}

// From the parent of the head, which a head alone does not move.
static place in_neck(const character *c, place model_direction) {
    sinew_affine into = sinew_affine_inverse(c->clip_model[c->neck]);
    return direction(&into, model_direction);
}

typedef struct circle_result {
    double multiple; // the most that the head turned for an angle of the target
    double up_y;     // the least of the head's up
    double tilt;     // the most that up turned away from the clip's, radians
} circle_result;

// Solves for a target on a circle of 2 m, in steps of a quarter of a degree, and measures the head in model space.
static void measure_circle(character *c, sinew_ik *solvers, int count, int height, circle_result *result) {
    sinew_quat last = {0, 0, 0, 1};
    place last_target = {0, 0, 0}, head = place_of(&c->clip_model[c->head]);
    place clip_up = direction(&c->clip_model[c->head], (place){0, 1, 0});
    for (int step = 0; step <= STEPS; step++) {
        show_clip_again(c);
        sinew_vec3 target = on_circle(height, step);
        for (int i = 0; i < count; i++) solvers[i].aim.target = target;
        sinew_ik_solve(solvers, count, c->pose, c->model);
        sinew_quat now = sinew_affine_decompose(c->model[c->head]).rotation;
        place up = direction(&c->model[c->head], (place){0, 1, 0}), to = minus(wide(target), head);
        if (step > 0)
            result->multiple = fmax(result->multiple, angle_between(last, now) / angle_of(to, last_target));
        result->up_y = fmin(result->up_y, up.y);
        result->tilt = fmax(result->tilt, angle_of(clip_up, up));
        last = now, last_target = to;
    }
}

// All clips of the hero, circles from the feet to 8.4 m up.
static void test_a_head_turns_by_the_stated_multiple(void **state) {
    (void)state;
    character c = make_hero();
    sinew_ik solver = {.kind = SINEW_IK_AIM, .aim = head_aim(&c)};
    circle_result worst = {0.0, 1.0, 0.0};
    for (int32_t clip = 0; clip < c.asset->clip_count; clip++) {
        show_clip(&c, &c.asset->clips[clip], 0.37);
        double o =
            angle_of(in_neck(&c, direction(&c.clip_model[c.head], (place){0, 0, 1})), wide(solver.aim.limit_axis));
        assert_true(o < 40.0 * PI / 180.0);
        circle_result result = {0.0, 1.0, 0.0};
        for (int height = 0; height < HEIGHTS; height++) measure_circle(&c, &solver, 1, height, &result);
        assert_true(result.tilt < fmax(1.2, o) + o + 1e-4);
        worst.multiple = fmax(worst.multiple, result.multiple), worst.up_y = fmin(worst.up_y, result.up_y);
    }
    print_message("head: %.2f times, up's y %.2f or more\n", worst.multiple, worst.up_y);
    assert_true(worst.multiple < 3.0 && worst.up_y > 0.0);
    free_hero(&c);
}

// The gaze of docs/howto/ik.md, and the numbers that it states.
static void test_the_gaze_of_the_how_to(void **state) {
    (void)state;
    static const float weights[CHAIN] = {0.2f, 0.3f, 1.0f}, limits[CHAIN] = {0.6f, 0.8f, 1.0f};
    character c = make_hero();
    sinew_ik solvers[CHAIN];
    for (int i = 0; i < CHAIN; i++) {
        solvers[i].kind = SINEW_IK_AIM;
        solvers[i].aim = sinew_ik_aim_from_rest(c.skeleton, chain_node(&c, i), c.head, ahead);
        solvers[i].aim.weight = weights[i];
        solvers[i].aim.limit = limits[i];
        solvers[i].aim.pitch_up = 0.6f;
        solvers[i].aim.pitch_down = 0.5f;
        solvers[i].aim.softness = 0.3f;
    }
    for (int with_up = 0; with_up < 2; with_up++) {
        circle_result worst = {0.0, 1.0, 0.0};
        for (int32_t clip = 0; clip < c.asset->clip_count; clip++) {
            show_clip(&c, &c.asset->clips[clip], 0.37);
            for (int i = 0; i < CHAIN; i++) solvers[i].aim.up_weight = (float)with_up;
            for (int height = 0; height < HEIGHTS; height++) measure_circle(&c, solvers, CHAIN, height, &worst);
        }
        print_message("gaze, up_weight %d: %.2f times, up's y %.2f or more, tilted by %.0f degrees at most\n",
                      with_up, worst.multiple, worst.up_y, worst.tilt * 180.0 / PI);
        assert_true(worst.multiple < 4.0 && worst.up_y > 0.4 && worst.tilt < 60.0 * PI / 180.0);
    }
    free_hero(&c);
}

// The clip has turned the head 45 degrees to the right, and the target goes round on the left: the head stays upright.
static void test_a_target_behind_a_turned_head(void **state) {
    (void)state;
    character c = make_hero();
    sinew_ik solver = {.kind = SINEW_IK_AIM, .aim = head_aim(&c)};
    sinew_pose_reset(c.pose);
    sinew_transform t = sinew_pose_get(c.pose, c.head);
    t.rotation = sinew_quat_multiply(t.rotation, about_y(-0.25 * PI));
    sinew_pose_set(c.pose, c.head, t);
    sinew_pose_to_model(c.pose, c.clip_model);
    for (int i = 0; i < CHAIN; i++) c.clip_rotations[i] = sinew_pose_get(c.pose, chain_node(&c, i)).rotation;
    place head = place_of(&c.clip_model[c.head]);
    for (int degrees = 0; degrees < 360; degrees++) {
        double a = degrees * PI / 180.0;
        show_clip_again(&c);
        solver.aim.target = narrow(plus(head, (place){sin(a), 0, cos(a)}, 5.0));
        sinew_ik_solve(&solver, 1, c.pose, c.model);
        check_near(direction(&c.model[c.head], (place){0, 1, 0}).y, 1.0,
                   0.01); // the neck's axes are not quite level
    }
    free_hero(&c);
}

// ---- Random rigs ---------------------------------------------------------------------------------------------

// A direction at right angles to a unit one.
static place random_beside(uint64_t *seed, place d) {
    place e = random_direction(seed);
    e = plus(e, d, -dot(e, d));
    return length(e) > 0.1 ? unit(e) : random_beside(seed, d);
}

static place turned(place d, place beside, double angle) {
    return plus(plus((place){0, 0, 0}, d, cos(angle)), beside, sin(angle));
}

static sinew_ik_aim random_limits(const rig *r, uint64_t *seed) {
    sinew_ik_aim aim = sinew_ik_aim_from_rest(r->skeleton, LOWER, LOWER, ahead);
    aim.limit = random_float(seed, 0.2f, 2.6f);
    aim.pitch_up = aim.limit * random_float(seed, 0.3f, 1.2f);
    aim.pitch_down = aim.limit * random_float(seed, 0.3f, 1.2f);
    aim.softness = random_next(seed) % 2 ? random_float(seed, 0, 1) : 0.0f;
    aim.weight = random_next(seed) % 3 ? 1.0f : random_float(seed, 0, 1);
    aim.limit_axis = narrow(random_direction(seed));
    aim.limit_up = narrow(random_direction(seed));
    return aim;
}

// Brings a direction, as the node's parent sees it, in front of the node.
static sinew_vec3 target_at(const rig *r, place in_parent) {
    return narrow(plus(place_of(&r->model[LOWER]), direction(&r->model[TWIST], in_parent), 3.0));
}

// The pose's own forward `o` away from the limit's axis.
static void turn_away(rig *r, const sinew_ik_aim *aim, double o, uint64_t *seed) {
    place axis = unit(wide(aim->limit_axis));
    sinew_ik_aim free_aim = sinew_ik_aim_from_rest(r->skeleton, LOWER, LOWER, ahead);
    free_aim.target = target_at(r, turned(axis, random_beside(seed, axis), o));
    sinew_ik_aim_solve(&free_aim, r->pose, r->model);
    to_model(r);
}

static sinew_quat aimed(rig *r, const sinew_ik_aim *aim, sinew_quat before) {
    set_rotation(r, LOWER, before);
    sinew_ik_aim_solve(aim, r->pose, r->model);
    return sinew_pose_get(r->pose, LOWER).rotation;
}

// Targets on all sides, half of them about straight behind: the multiple over small steps is within the formula. In the
// parent's space, which scales the model unevenly or mirrors it.
static void test_random_limits_keep_the_formula(void **state) {
    (void)state;
    const double small = 2e-3, rounding = 1e-3;
    uint64_t seed = 21;
    double closest = 0.0;
    for (int i = 0; i < 300; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = random_limits(&r, &seed);
        double o = random_float(&seed, 0.0f, 1.7f);
        turn_away(&r, &aim, o, &seed);
        sinew_quat before = sinew_pose_get(r.pose, LOWER).rotation;
        place axis = unit(wide(aim.limit_axis));
        double stated = stated_multiple(&aim, o);
        for (int k = 0; k < 600; k++) {
            place d = random_direction(&seed);
            if (k % 2) d = turned(axis, random_beside(&seed, axis), PI - random_float(&seed, 0, 1.2f));
            place beside = random_beside(&seed, d);
            aim.target = target_at(&r, d);
            sinew_quat first = aimed(&r, &aim, before);
            aim.target = target_at(&r, turned(d, beside, small));
            double multiple = angle_between(first, aimed(&r, &aim, before)) / small;
            assert_true(multiple < stated * (1.0 + rounding) + rounding);
            closest = fmax(closest, multiple / stated);
        }
        free_rig(&r);
    }
    print_message("%.2f of the stated multiple\n", closest);
    assert_true(closest > 0.9); // the formula is tight
}

// An eye away from the node, up to 0.4 of the target's distance: no jump on all sides either.
static void test_an_eye_aside_is_continuous(void **state) {
    (void)state;
    const double small = 5e-4;
    uint64_t seed = 22;
    for (int i = 0; i < 200; i++) {
        rig r = make_rig(i % 2 ? ABOVE_MIRRORED : ABOVE_NOT, &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
        aim.limit = random_float(&seed, 0.3f, 1.4f);
        double scale = length(direction(&r.model[LOWER], (place){1, 0, 0}));
        aim.origin =
            narrow(plus((place){0, 0, 0}, random_direction(&seed), random_float(&seed, 0, 0.4f) * 3.0 / scale));
        sinew_quat before = sinew_pose_get(r.pose, LOWER).rotation;
        place axis = unit(direction(&r.model[TWIST], wide(aim.limit_axis))), node = place_of(&r.model[LOWER]);
        for (int k = 0; k < 600; k++) {
            place d = turned(axis, random_beside(&seed, axis), PI - random_float(&seed, 0, 1.6f));
            place next = turned(d, random_beside(&seed, d), small);
            aim.target = narrow(plus(node, d, 3.0));
            sinew_quat first = aimed(&r, &aim, before);
            aim.target = narrow(plus(node, next, 3.0));
            assert_true(angle_between(first, aimed(&r, &aim, before)) < 3.0 * small + 1e-6);
        }
        free_rig(&r);
    }
}

// Within the limit, the line of sight meets the target, wherever the eye is and whatever the pose.
static void test_it_hits_within_the_limit(void **state) {
    (void)state;
    uint64_t seed = 23;
    for (int i = 0; i < 2000; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, i % 2 ? LOWER : END, ahead);
        aim.limit = 1.5f;
        aim.origin = narrow(plus((place){0, 0, 0}, random_direction(&seed), 0.1));
        sinew_transform t = sinew_pose_get(r.pose, LOWER);
        set_rotation(&r, LOWER, sinew_quat_multiply(t.rotation, about_x(random_float(&seed, -0.6f, 0.6f))));
        place axis = unit(wide(aim.limit_axis)),
              to = turned(axis, random_beside(&seed, axis), random_float(&seed, 0, 1));
        place away = direction(&r.model[TWIST], to);
        place eye = wide(sinew_affine_point(r.model[aim.tip], aim.origin));
        double distance_to_eye = distance(eye, place_of(&r.model[LOWER]));
        aim.target = narrow(plus(place_of(&r.model[LOWER]), unit(away), 20.0 * distance_to_eye + 1.0));
        sinew_ik_aim_solve(&aim, r.pose, r.model);
        to_model(&r);
        eye = wide(sinew_affine_point(r.model[aim.tip], aim.origin));
        place sight = direction(&r.model[aim.tip], wide(ahead));
        check_near(angle_of(sight, minus(wide(aim.target), eye)), 0.0, 1e-4);
        free_rig(&r);
    }
}

// With a limit and up_weight 1, up turns towards the sky, but less within 30 degrees of the line of sight, so it
// doesn't jump there.
static void test_up_with_a_limit(void **state) {
    (void)state;
    const double small = 1e-3, near_line = PI / 6.0;
    uint64_t seed = 28;
    int upright = 0;
    for (int i = 0; i < 4000; i++) {
        rig r = make_rig(i % 2 ? ABOVE_MIRRORED : ABOVE_NOT, &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
        aim.limit = 1.3f, aim.up_weight = 1.0f;
        sinew_quat before = sinew_pose_get(r.pose, LOWER).rotation;
        place axis = unit(wide(aim.limit_axis)),
              to = turned(axis, random_beside(&seed, axis), random_float(&seed, 0, 1.25f));
        place line = unit(direction(&r.model[TWIST], to));
        double off = random_float(&seed, 0.0f, 1.5f);
        aim.world_up = narrow(turned(line, random_beside(&seed, line), off));
        aim.target = target_at(&r, to);
        sinew_quat first = aimed(&r, &aim, before);
        to_model(&r);
        place up = direction(&r.model[LOWER], (place){0, 1, 0}), sky = wide(aim.world_up);
        up = plus(up, line, -dot(up, line)), sky = plus(sky, line, -dot(sky, line));
        if (off > near_line + 0.01) {
            check_near(angle_of(up, sky), 0.0, 1e-4);
            upright++;
        }
        aim.world_up = narrow(plus(wide(aim.world_up), random_direction(&seed), small));
        if (angle_of(up, sky) < 0.5) assert_true(angle_between(first, aimed(&r, &aim, before)) < 12.0 * small);
        free_rig(&r);
    }
    assert_true(upright > 1000);
}

// ---- Yaw and pitch -------------------------------------------------------------------------------------------

// A node that looks along +z, its limits measured along +y.
static double angle_reached(rig *r, const sinew_ik_aim *aim, place to, place *sight) {
    sinew_ik_aim at = *aim;
    for (int32_t n = 0; n < RIG_NODES; n++) sinew_pose_set(r->pose, n, sinew_transform_identity());
    to_model(r);
    at.target = narrow(plus((place){0, 0, 0}, to, 3.0));
    sinew_ik_aim_solve(&at, r->pose, r->model);
    to_model(r);
    *sight = unit(direction(&r->model[LOWER], (place){0, 0, 1}));
    return angle_of((place){0, 0, 1}, *sight);
}

// Sideways the yaw limit, up and down the two of pitch; in between on an ellipse of tangents of half angles, on the
// target's side.
static void test_yaw_and_pitch_have_limits_of_their_own(void **state) {
    (void)state;
    uint64_t seed = 24;
    rig r = make_rig(ABOVE_NOT, &seed);
    sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
    aim.limit_axis = ahead, aim.limit_up = (sinew_vec3){0, 2, 1}; // neither unit nor at right angles
    aim.limit = 1.2f, aim.pitch_up = 0.7f, aim.pitch_down = 0.4f;
    for (int side = 0; side < 360; side += 5) {
        double s = side * PI / 180.0, up = sin(s) < 0.0 ? aim.pitch_down : aim.pitch_up;
        double inverse = hypot(cos(s) / half_tangent(aim.limit), sin(s) / half_tangent(up));
        double expected = 2.0 * atan(1.0 / inverse);
        place sight, to = {sin(1.9) * cos(s), sin(1.9) * sin(s), cos(1.9)};
        check_near(angle_reached(&r, &aim, to, &sight), expected, 1e-5);
        check_near(angle_of((place){sight.x, sight.y, 0}, (place){to.x, to.y, 0}), 0.0, 1e-4);
        double within = 0.9 * expected;
        to = (place){sin(within) * cos(s), sin(within) * sin(s), cos(within)};
        check_near(angle_reached(&r, &aim, to, &sight), within, 1e-5);
    }
    free_rig(&r);
}

// Above the model in the rest pose, wherever the parent is turned to and however it is scaled or mirrored.
static void test_pitch_is_measured_against_the_models_up(void **state) {
    (void)state;
    uint64_t seed = 25;
    for (int i = 0; i < 400; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        sinew_ik_aim aim = sinew_ik_aim_from_rest(r.skeleton, LOWER, END, ahead);
        check_near(angle_of(direction(&r.model[TWIST], wide(aim.limit_up)), (place){0, 1, 0}), 0.0, 1e-4);
        free_rig(&r);
    }
}

// ---- Hostile input -------------------------------------------------------------------------------------------

static float hostile_float(uint64_t *seed) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-38f, 1e-45f, 0.0f, -0.0f, 1e20f};
    uint32_t which = random_next(seed) % 40;
    return which < sizeof odd / sizeof *odd ? odd[which] : random_float(seed, -4, 4);
}

static sinew_vec3 hostile_vec3(uint64_t *seed) {
    float x = hostile_float(seed), y = hostile_float(seed), z = hostile_float(seed);
    return (sinew_vec3){x, y, z};
}

static sinew_ik_aim hostile_aim(const rig *r, uint64_t *seed) {
    sinew_ik_aim aim =
        sinew_ik_aim_from_rest(r->skeleton, LOWER, random_next(seed) % 2 ? LOWER : END, hostile_vec3(seed));
    aim.origin = hostile_vec3(seed);
    aim.target = hostile_vec3(seed);
    aim.up = hostile_vec3(seed), aim.world_up = hostile_vec3(seed);
    aim.up_weight = hostile_float(seed), aim.softness = hostile_float(seed), aim.weight = hostile_float(seed);
    aim.limit = hostile_float(seed), aim.pitch_up = hostile_float(seed), aim.pitch_down = hostile_float(seed);
    if (random_next(seed) % 2) aim.limit_axis = hostile_vec3(seed);
    aim.limit_up = hostile_vec3(seed);
    aim.settle_time = hostile_float(seed);
    return aim;
}

// Whatever comes in, a rotation is unit or the one that was there.
static void test_hostile_input_leaves_a_rotation(void **state) {
    (void)state;
    uint64_t seed = 26;
    for (int i = 0; i < 30000; i++) {
        rig r = make_rig((above)(i % ABOVE_KINDS), &seed);
        if (i % 8 == 0) {
            sinew_transform t = sinew_pose_get(r.pose, BASE);
            t.scale = i % 16 ? (sinew_vec3){0, 0, 0} : (sinew_vec3){1, 0, hostile_float(&seed)};
            sinew_pose_set(r.pose, BASE, t);
            to_model(&r);
        }
        sinew_ik_aim aim = hostile_aim(&r, &seed);
        sinew_ik_aim_state follow = {0};
        sinew_quat before = sinew_pose_get(r.pose, LOWER).rotation;
        for (int k = 0; k < 3; k++) {
            if (i % 2) sinew_ik_aim_follow(&aim, fabsf(random_float(&seed, 0, 0.1f)), &follow, r.pose, r.model);
            if (i % 2 == 0) sinew_ik_aim_solve(&aim, r.pose, r.model);
            sinew_quat q = sinew_pose_get(r.pose, LOWER).rotation;
            if (memcmp(&q, &before, sizeof q) != 0)
                check_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, 1e-5);
            aim.target = hostile_vec3(&seed);
        }
        free_rig(&r);
    }
}

static void test_limits_without_an_answer(void **state) {
    (void)state;
    uint64_t seed = 27;
    rig r = make_rig(ABOVE_NOT, &seed);
    rotations before = rotations_of(&r);
    sinew_ik_aim aims[8];
    for (int i = 0; i < 8; i++) {
        aims[i] = sinew_ik_aim_from_rest(r.skeleton, LOWER, LOWER, ahead);
        aims[i].target = (sinew_vec3){1, 2, 3};
        aims[i].limit = 1.2f, aims[i].pitch_up = 0.8f;
        aims[i].up_weight = 1.0f;
    }
    aims[0].limit = NAN;
    aims[1].pitch_up = NAN;
    aims[2].pitch_down = NAN;
    aims[3].limit_up = (sinew_vec3){0, 0, 0};
    aims[4].limit_axis.y = INFINITY;
    aims[5].world_up.z = NAN;
    aims[6].up.x = INFINITY;
    aims[7].weight = 0.0f;
    for (int i = 0; i < 8; i++) {
        sinew_ik_aim_solve(&aims[i], r.pose, r.model);
        check_unchanged(&r, &before);
    }
    free_rig(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_head_turns_by_the_stated_multiple),
        cmocka_unit_test(test_the_gaze_of_the_how_to),
        cmocka_unit_test(test_a_target_behind_a_turned_head),
        cmocka_unit_test(test_random_limits_keep_the_formula),
        cmocka_unit_test(test_an_eye_aside_is_continuous),
        cmocka_unit_test(test_it_hits_within_the_limit),
        cmocka_unit_test(test_up_with_a_limit),
        cmocka_unit_test(test_yaw_and_pitch_have_limits_of_their_own),
        cmocka_unit_test(test_pitch_is_measured_against_the_models_up),
        cmocka_unit_test(test_hostile_input_leaves_a_rotation),
        cmocka_unit_test(test_limits_without_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
