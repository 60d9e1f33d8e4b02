// SPDX-License-Identifier: MIT
// Springs: swings against closed forms, energy, half-lives, balances, limits, colliders, frame rates, and bad input.
#include "support/random_rig.h"
#include "support/small_rig.h"

#define STEP (1.0f / 60.0f)
enum { STEPS_A_SECOND = 60, MAX_JOINTS = 8 };

static const double gravity = 9.81;

// ---- A character of one chain --------------------------------------------------------------------------------

// `root` at the origin, and below it joints of 1 m along -Y each, the last with a virtual tail. The joints are nodes 1 to
// joint_count.
typedef struct swing {
    sinew_skeleton *skeleton;
    sinew_pose *pose;
    sinew_springs *springs;
    sinew_spring_state *state;
    sinew_springs_def def;
    sinew_spring_chain chain;
    sinew_spring_joint joints[MAX_JOINTS];
    sinew_spring_collider colliders[4];
    int32_t indices[4];
    sinew_springs_input input;
    float dt;
    sinew_affine model[MAX_JOINTS + 2];
} swing;

static sinew_skeleton *make_rope(int32_t joint_count) {
    static const char *const names[] = {"root", "a", "b", "c", "d", "e", "f", "g", "h"};
    small_node rows[MAX_JOINTS + 2] = {{"root", NULL, {0, 0, 0}, 0}};
    for (int32_t i = 1; i <= joint_count; i++) {
        rows[i] = (small_node){names[i], names[i - 1], {0, i > 1 ? -1.0f : 0.0f, 0}, 0};
    }
    return make_small_rig(rows);
}

// A chain without any force but gravity, and without limits.
static void begin(swing *s, int32_t joint_count) {
    memset(s, 0, sizeof *s);
    s->skeleton = make_rope(joint_count);
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &s->pose), SINEW_OK);
    for (int32_t i = 0; i < joint_count; i++) {
        s->joints[i] = sinew_spring_joint_default();
        s->joints[i].node = i + 1;
        s->joints[i].stiffness = 0;
        s->joints[i].damping = s->joints[i].drag = INFINITY;
    }
    s->chain = sinew_spring_chain_default();
    s->chain.joints = s->joints;
    s->chain.joint_count = joint_count;
    s->chain.tail = (sinew_vec3){0, -1, 0};
    s->chain.colliders = s->indices;
    s->def = sinew_springs_default();
    s->def.skeleton = s->skeleton;
    s->def.chains = &s->chain;
    s->def.chain_count = 1;
    s->def.colliders = s->colliders;
    s->input = sinew_springs_input_default();
    s->dt = STEP;
    for (int32_t i = 0; i < 4; i++) s->indices[i] = i;
}

// Creates the springs of the definition, at rest in the pose.
static void create(swing *s) {
    sinew_error error = {0};
    if (sinew_springs_create(&s->def, &s->springs, &error) != SINEW_OK) fail_msg("%s", error.message);
    s->state = malloc(sinew_springs_state_size(s->springs));
    sinew_springs_reset(s->springs, s->state);
}

static void end(swing *s) {
    free(s->state);
    sinew_springs_destroy(s->springs);
    sinew_pose_destroy(s->pose);
    sinew_skeleton_destroy(s->skeleton);
}

static void solve_pose(swing *s) {
    sinew_pose_to_model(s->pose, s->model);
    sinew_springs_solve(s->springs, &s->input, s->dt, s->state, s->pose, s->model);
}

static void turn_joint(swing *s, int32_t node, sinew_quat q) {
    sinew_transform t = sinew_pose_get(s->pose, node);
    t.rotation = q;
    sinew_pose_set(s->pose, node, t);
}

// A frame with the pose's first joint at an angle about Z.
static void frame_at(swing *s, double angle) {
    sinew_pose_reset(s->pose);
    turn_joint(s, 1, about_z(angle));
    solve_pose(s);
}

// A joint's tail in the world.
static sinew_vec3 tail_of(const swing *s, int32_t node) {
    return sinew_affine_point(s->input.world, sinew_affine_point(s->model[node], (sinew_vec3){0, -1, 0}));
}

// The angle of the first bone from straight down, about Z.
static double angle_of(const swing *s) {
    const sinew_vec3 head =
        sinew_affine_point(s->input.world, sinew_affine_point(s->model[1], (sinew_vec3){0, 0, 0}));
    const sinew_vec3 bone = sinew_vec3_subtract(tail_of(s, 1), head);
    return atan2((double)bone.x, (double)-bone.y);
}

// ---- The free pendulum ---------------------------------------------------------------------------------------

// 2 pi sqrt(L / g) / agm(1, cos(a / 2)), for the amplitude a.
static double period_of(double acceleration, double amplitude) {
    double a = 1, b = cos(amplitude / 2);
    for (int i = 0; i < 20; i++) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * acos(-1.0) / sqrt(acceleration) / a;
}

// The mean period over `seconds`, from the crossings of the lowest point.
static double measure_period(swing *s, double amplitude, int seconds) {
    double first = -1, last = -1, before = amplitude;
    int crossings = 0;
    s->dt = 0;
    frame_at(s, amplitude);
    s->dt = STEP;
    for (int i = 1; i <= seconds * STEPS_A_SECOND; i++) {
        frame_at(s, amplitude);
        const double now = angle_of(s);
        if ((before > 0) != (now > 0)) {
            last = (i - now / (now - before)) / STEPS_A_SECOND;
            if (first < 0)
                first = last;
            else
                crossings++;
        }
        before = now;
    }
    assert_true(crossings > 4);
    return 2 * (last - first) / crossings;
}

static void test_free_pendulum_has_the_period_of_the_closed_form(void **state) {
    (void)state;
    const double amplitudes[] = {0.02, 0.5, 1.0, 2.0, 2.8};
    for (int i = 0; i < 5; i++) {
        swing s;
        begin(&s, 1);
        create(&s);
        const double expected = period_of(gravity, amplitudes[i]);
        check_near(measure_period(&s, amplitudes[i], 40) / expected, 1, 1e-3);
        end(&s);
    }
}

static void test_stiffness_is_a_gravity_towards_the_pose(void **state) {
    (void)state;
    swing s;
    begin(&s, 1);
    s.joints[0].stiffness = 30;
    s.joints[0].gravity = (sinew_vec3){0, 0, 0};
    create(&s);
    s.dt = 0;
    frame_at(&s, 0.7);
    s.dt = STEP;
    double before = 0.7, first = -1, last = -1;
    int crossings = 0;
    for (int i = 1; i <= 1200; i++) { // the pose is straight down now
        frame_at(&s, 0);
        const double now = angle_of(&s);
        if ((before > 0) != (now > 0)) {
            last = (i - now / (now - before)) / STEPS_A_SECOND;
            if (first < 0)
                first = last;
            else
                crossings++;
        }
        before = now;
    }
    check_near(2 * (last - first) / crossings / period_of(30, 0.7), 1, 2e-3);
    end(&s);
}

// Of a bone of 1 m: half of the square of its angular velocity, and the height in the middle of the step.
static double energy_between(double a, double b) {
    const double turn = remainder(b - a, 2 * acos(-1.0)), speed = turn / (double)STEP;
    return 0.5 * speed * speed - gravity * cos(a + turn / 2);
}

// 60 s of a swing from an angle; half-lives of the two kinds of friction.
static void check_energy(double angle, float damping, float drag, bool is_kept) {
    swing s;
    begin(&s, 1);
    s.joints[0].damping = damping;
    s.joints[0].drag = drag;
    create(&s);
    s.dt = 0;
    frame_at(&s, angle);
    s.dt = STEP;
    double before = angle_of(&s);
    const double start = -gravity * cos(before);
    double energy = start, most = start;
    for (int i = 0; i < 60 * STEPS_A_SECOND; i++) {
        frame_at(&s, angle);
        const double now = angle_of(&s);
        energy = energy_between(before, now);
        if (energy > most) most = energy;
        before = now;
    }
    assert_true(most <= start + 4e-3 * 2 * gravity); // of the step, where the bone is fastest; it does not add up
    if (is_kept)
        check_near(energy, start, 5e-3 * gravity);
    else
        check_near(energy, -gravity, 1e-3 * gravity);
    end(&s);
}

static void test_energy_never_grows(void **state) {
    (void)state;
    check_energy(0.3, INFINITY, INFINITY, true);
    check_energy(1.5, INFINITY, INFINITY, true);
    check_energy(3.0, INFINITY, INFINITY, true);
    check_energy(1.5, 0.5f, INFINITY, false);
    check_energy(3.0, INFINITY, 0.5f, false);
}

// Of a small swing the amplitude has twice the half-life of the velocity's.
static void check_half_life(float damping, float drag) {
    swing s;
    begin(&s, 1);
    s.joints[0].damping = damping;
    s.joints[0].drag = drag;
    create(&s);
    s.dt = 0;
    frame_at(&s, 0.05);
    s.dt = STEP;
    double largest = 0;
    const double period = period_of(gravity, 0.05);
    for (int i = 1; i <= 4.2 * STEPS_A_SECOND; i++) {
        frame_at(&s, 0.05);
        if (i > (4.0 - period / 2) * STEPS_A_SECOND && fabs(angle_of(&s)) > largest) largest = fabs(angle_of(&s));
    }
    // The largest angle is at an extreme between 4 s - period / 2 and 4.2 s.
    assert_true(largest < 0.05 * exp2(-(4.0 - period / 2 - 0.05) / 2) && largest > 0.05 * exp2(-4.2 / 2));
    end(&s);
}

static void test_friction_has_its_half_life(void **state) {
    (void)state;
    check_half_life(1.0f, INFINITY);
    check_half_life(INFINITY, 1.0f);
}

static void test_balance_is_along_the_sum_of_the_forces(void **state) {
    (void)state;
    swing s;
    begin(&s, 1);
    s.joints[0].stiffness = 14;
    s.joints[0].damping = 0.1f;
    create(&s);
    for (int i = 0; i < 1200; i++) frame_at(&s, acos(-1.0) / 2); // horizontal in the pose
    check_near(angle_of(&s), atan2(14, gravity), 1e-4);
    end(&s);
}

static void test_wind_pushes_by_drag(void **state) {
    (void)state;
    swing s;
    begin(&s, 1);
    s.joints[0].drag = 0.2f;
    s.joints[0].wind = 0.5f;
    create(&s);
    s.input.wind = (sinew_vec3){4, 0, 0};
    for (int i = 0; i < 1200; i++) frame_at(&s, 0);
    // The friction is ln 2 / half-life × the wind that reaches the joint.
    check_near(angle_of(&s), atan2(log(2) / 0.2 * 2, gravity), 1e-3);
    end(&s);
}

static void test_without_half_life_the_tail_follows_the_pose(void **state) {
    (void)state;
    swing s;
    begin(&s, 1);
    s.joints[0].gravity = (sinew_vec3){0, 0, 0};
    s.joints[0].damping = 0;
    create(&s);
    s.dt = 0;
    frame_at(&s, 0);
    s.dt = STEP;
    for (int i = 1; i <= 60; i++) {
        frame_at(&s, 0.01 * i);
        check_near(angle_of(&s), 0.01 * i, 1e-3);
    }
    end(&s);
}

// ---- Limits and colliders ------------------------------------------------------------------------------------

static void test_limit_holds(void **state) {
    (void)state;
    swing s;
    begin(&s, 3);
    for (int i = 0; i < 3; i++) s.joints[i].limit = 0.4f;
    create(&s);
    uint64_t random = 1;
    for (int i = 0; i < 2000; i++) {
        s.input.world.m[0][3] = random_float(&random, -1, 1);
        s.dt = random_float(&random, 0, 0.1f);
        sinew_pose_reset(s.pose);
        const sinew_quat turned = random_quat(&random);
        turn_joint(&s, 1, turned);
        solve_pose(&s);
        check_near(fmax(0.4, angle_between(sinew_pose_get(s.pose, 1).rotation, turned)), 0.4, 2e-6);
        for (int node = 2; node <= 3; node++) {
            check_near(fmax(0.4, angle_between(sinew_pose_get(s.pose, node).rotation, (sinew_quat){0, 0, 0, 1})),
                       0.4, 2e-6);
        }
    }
    end(&s);
}

// The depth of a sphere in a collider, in double.
static double depth_in(const sinew_spring_collider *c, const sinew_affine *matrix, sinew_vec3 tail, double radius) {
    const sinew_vec3 offset = sinew_affine_point(*matrix, c->offset);
    const sinew_vec3 d = sinew_vec3_subtract(tail, offset);
    if (c->shape == SINEW_SPRING_SHAPE_PLANE)
        return radius - (double)sinew_vec3_dot(d, sinew_vec3_normalize(sinew_affine_direction(*matrix, c->normal)));
    const sinew_vec3 axis = c->shape == SINEW_SPRING_SHAPE_CAPSULE
                                ? sinew_vec3_subtract(sinew_affine_point(*matrix, c->tail), offset)
                                : (sinew_vec3){0, 0, 0};
    double along = 0, square = (double)sinew_vec3_dot(axis, axis);
    if (square > 0) along = fmin(1, fmax(0, (double)sinew_vec3_dot(d, axis) / square));
    const double distance =
        sqrt(pow(d.x - along * axis.x, 2) + pow(d.y - along * axis.y, 2) + pow(d.z - along * axis.z, 2));
    return c->inside ? distance - ((double)c->radius - radius) : (double)c->radius + radius - distance;
}

// A collider of each kind, which leaves room for a bone of 1 m at the root's joint.
static sinew_spring_collider make_collider(int kind) {
    sinew_spring_collider c = sinew_spring_collider_default();
    c.offset = (sinew_vec3){0.5f, -0.8f, 0.2f};
    c.radius = 0.5f;
    if (kind == 1) {
        c.shape = SINEW_SPRING_SHAPE_CAPSULE;
        c.tail = (sinew_vec3){-0.3f, -0.9f, 0.4f};
        c.radius = 0.3f;
    } else if (kind == 2) {
        c.shape = SINEW_SPRING_SHAPE_PLANE;
        c.normal = (sinew_vec3){0.3f, 2.0f, 0.1f};
    } else if (kind == 3) {
        c.inside = true;
        c.radius = 0.7f;
    } else if (kind == 4) {
        c.shape = SINEW_SPRING_SHAPE_CAPSULE;
        c.tail = (sinew_vec3){-0.5f, -0.8f, 0.1f};
        c.inside = true;
        c.radius = 0.6f;
    }
    return c;
}

// A `node` of SINEW_NO_NODE means in the world, else on the root.
static void check_collider(int kind, int32_t node) {
    swing s;
    begin(&s, 1);
    s.joints[0].radius = 0.05f;
    s.joints[0].damping = 2;
    s.joints[0].drag = 0.3f;
    s.colliders[0] = make_collider(kind);
    s.colliders[0].node = node;
    s.def.collider_count = s.chain.collider_count = 1;
    create(&s);
    uint64_t random = 5;
    int touched = 0;
    for (int i = 0; i < 6000; i++) {
        if (i % 30 == 0 && node != SINEW_NO_NODE) {
            s.input.world.m[0][3] = random_float(&random, -1, 1);
            s.input.world.m[2][3] = random_float(&random, -1, 1);
        }
        if (i % 60 == 0) s.input.wind = (sinew_vec3){random_float(&random, -9, 9), 0, random_float(&random, -9, 9)};
        s.dt = random_float(&random, 0, 0.05f);
        frame_at(&s, 0.3 * sin(0.01 * i));
        const sinew_affine matrix = node == SINEW_NO_NODE ? sinew_affine_identity() : s.input.world;
        const double depth = depth_in(&s.colliders[0], &matrix, tail_of(&s, 1), 0.05);
        assert_true(depth <= 1e-4);
        touched += depth > -1e-3;
    }
    assert_true(touched > 200);
    end(&s);
}

static void test_tails_stay_out_of_colliders(void **state) {
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        check_collider(kind, SINEW_NO_NODE);
        check_collider(kind, 0);
    }
}

// Bones that start along the line into a sphere, or almost: where they turn to is as exact as for others.
static void test_bones_that_point_into_a_collider_turn_out_of_it(void **state) {
    (void)state;
    uint64_t random = 12;
    for (int i = 0; i < 2000; i++) {
        swing s;
        begin(&s, 1);
        s.colliders[0] = make_collider(0);
        s.colliders[0].offset = sinew_quat_rotate(random_quat(&random), (sinew_vec3){0, -0.8f, 0});
        s.def.collider_count = s.chain.collider_count = 1;
        create(&s);
        const sinew_vec3 side = {random_float(&random, -1, 1), random_float(&random, -1, 1),
                                 random_float(&random, -1, 1)};
        const float part = powf(10, random_float(&random, -4, -1));
        const sinew_vec3 along = sinew_vec3_add(s.colliders[0].offset, sinew_vec3_scale(side, part));
        sinew_pose_reset(s.pose);
        turn_joint(&s, 1, sinew_quat_between((sinew_vec3){0, -1, 0}, sinew_vec3_normalize(along)));
        solve_pose(&s);
        const sinew_affine world = sinew_affine_identity();
        check_near(depth_in(&s.colliders[0], &world, tail_of(&s, 1), 0), 0, 2e-6);
        end(&s);
    }
}

// ---- Frames --------------------------------------------------------------------------------------------------

static sinew_quat root_at(double t) {
    return sinew_quat_multiply(about_z(0.8 * sin(3.1 * t)), about_y(0.6 * sin(1.7 * t)));
}

static void frame_of_dance(swing *s, double t) {
    sinew_pose_reset(s->pose);
    turn_joint(s, 0, root_at(t));
    s->input.world.m[0][3] = (float)(0.5 * sin(2.3 * t));
    s->input.world.m[1][3] = (float)(0.2 * sin(5.3 * t));
    solve_pose(s);
}

static void begin_dance(swing *s) {
    begin(s, 4);
    for (int i = 0; i < 4; i++) {
        s->joints[i].stiffness = 12;
        s->joints[i].damping = 0.2f;
        s->joints[i].drag = 0.6f;
    }
    create(s);
}

static void test_frame_rates_agree(void **state) {
    (void)state;
    swing slow, fast;
    begin_dance(&slow);
    begin_dance(&fast);
    slow.dt = fast.dt = 0;
    frame_of_dance(&slow, 0);
    frame_of_dance(&fast, 0);
    slow.dt = 1.0f / 30;
    fast.dt = 1.0f / 240;
    double largest = 0;
    for (int i = 1; i <= 300; i++) {
        frame_of_dance(&slow, i / 30.0);
        for (int k = 1; k <= 8; k++) frame_of_dance(&fast, (i - 1) / 30.0 + k / 240.0);
        for (int node = 1; node <= 4; node++) {
            const sinew_vec3 d = sinew_vec3_subtract(tail_of(&slow, node), tail_of(&fast, node));
            largest = fmax(largest, (double)sinew_vec3_length(d));
        }
    }
    assert_true(largest < 0.02 * 4); // of the chain's length, at each frame
    end(&slow);
    end(&fast);
}

// A frame between two steps is between their poses: at 1000 Hz no tail moves by more than its speed allows.
static void test_frames_between_steps_are_smooth(void **state) {
    (void)state;
    swing s;
    begin(&s, 1);
    create(&s);
    s.dt = 0;
    frame_at(&s, 1);
    s.dt = 0.001f;
    double before = 1, largest = 0;
    for (int i = 0; i < 3000; i++) {
        frame_at(&s, 1);
        largest = fmax(largest, fabs(angle_of(&s) - before));
        before = angle_of(&s);
    }
    const double fastest = sqrt(2 * gravity * (1 - cos(1.0))) * 0.001;
    assert_true(largest < 1.1 * fastest && largest > 0.9 * fastest);
    end(&s);
}

// 10,000 frames of 0 to 5 s. The character is teleported in each, and its root takes a random rotation. Angle limits hold, and
// without limits colliders do: see spring.h.
static void check_teleports(float limit, int collider_kind, int32_t collider_node) {
    swing s;
    begin(&s, 4);
    for (int i = 0; i < 4; i++) {
        s.joints[i].stiffness = 12;
        s.joints[i].limit = limit;
        s.joints[i].radius = 0.05f;
    }
    if (collider_kind >= 0) {
        s.colliders[0] = make_collider(collider_kind);
        s.colliders[0].node = collider_node;
        s.def.collider_count = s.chain.collider_count = 1;
    }
    create(&s);
    uint64_t random = 7;
    int touched = 0;
    for (int i = 0; i < 10000; i++) {
        for (int k = 0; k < 3; k++) s.input.world.m[k][3] = random_float(&random, -80, 80);
        if (collider_node == SINEW_NO_NODE) s.input.world.m[1][3] = random_float(&random, 0, 5);
        s.dt = random_next(&random) % 2 ? random_float(&random, 0, 5) : random_float(&random, 0, 0.03f);
        sinew_pose_reset(s.pose);
        turn_joint(&s, 0, random_quat(&random));
        solve_pose(&s);
        const sinew_affine matrix = sinew_affine_multiply(s.input.world, s.model[0]);
        for (int node = 1; node <= 4; node++) {
            const sinew_quat q = sinew_pose_get(s.pose, node).rotation;
            assert_true(angle_between(q, (sinew_quat){0, 0, 0, 1}) < (double)limit + 2e-6); // NaN fails
            const sinew_vec3 tail = tail_of(&s, node);
            assert_true(isfinite(tail.x) && isfinite(tail.y) && isfinite(tail.z));
            if (collider_kind < 0) continue;
            const sinew_affine world = sinew_affine_identity();
            const double depth =
                depth_in(&s.colliders[0], collider_node == SINEW_NO_NODE ? &world : &matrix, tail, 0.05);
            touched += depth > -1e-3;
            if (limit > 3) assert_true(depth < 1e-4);
        }
    }
    assert_true(collider_kind < 0 || touched > 200);
    end(&s);
}

static void test_teleports_and_long_frames(void **state) {
    (void)state;
    check_teleports(1.0f, -1, SINEW_NO_NODE);
    check_teleports(4.0f, -1, SINEW_NO_NODE);
    check_teleports(1.0f, 2, SINEW_NO_NODE);
    for (int kind = 0; kind < 3; kind++) {
        check_teleports(1.0f, kind, 0);
        check_teleports(4.0f, kind, 0);
    }
}

// A teleport keeps the shape: nothing is thrown.
static void test_teleport_keeps_the_shape(void **state) {
    (void)state;
    swing s;
    begin(&s, 1);
    s.joints[0].damping = 0.1f;
    create(&s);
    for (int i = 0; i < 600; i++) frame_at(&s, 0);
    s.input.world = sinew_affine_from_transform((sinew_transform){{50, 3, 20}, about_y(2), {1, 1, 1}});
    frame_at(&s, 0);
    const sinew_vec3 tail = tail_of(&s, 1);
    check_near(tail.x, 50, 1e-4);
    check_near(tail.y, 2, 1e-4);
    check_near(tail.z, 20, 1e-4);
    end(&s);
}

// A chain in the space of its center is not thrown by the character's motion.
static void test_center_takes_the_motion_out(void **state) {
    (void)state;
    swing s;
    begin(&s, 1);
    s.joints[0].drag = s.joints[0].damping = INFINITY;
    s.chain.center = 0;
    create(&s);
    for (int i = 0; i < 300; i++) {
        s.input.world.m[0][3] = (float)sin(0.1 * i);
        frame_at(&s, 0);
        check_near(angle_of(&s), 0, 1e-4);
    }
    end(&s);
}

// ---- Sleep, weights, state -----------------------------------------------------------------------------------

static void test_a_chain_at_rest_keeps_its_bits(void **state) {
    (void)state;
    swing s;
    begin(&s, 3);
    for (int i = 0; i < 3; i++) s.joints[i].stiffness = 12, s.joints[i].damping = 0.1f;
    create(&s);
    for (int i = 0; i < 1200; i++) frame_at(&s, 0.9);
    sinew_affine rest[5];
    memcpy(rest, s.model, sizeof rest);
    const size_t size = sinew_springs_state_size(s.springs);
    void *asleep = malloc(size);
    memcpy(asleep, s.state, size);
    for (int i = 0; i < 60; i++) {
        frame_at(&s, 0.9);
        assert_memory_equal(rest, s.model, 4 * sizeof *rest);
        assert_memory_equal(asleep, s.state, size);
    }
    frame_at(&s, 0.6); // wakes
    for (int i = 0; i < 60; i++) frame_at(&s, 0.6);
    assert_memory_not_equal(rest, s.model, 4 * sizeof *rest);
    free(asleep);
    end(&s);
}

// What changes in a frame without a step, here of 0 seconds, wakes a chain like any other change.
static void test_a_change_between_steps_wakes(void **state) {
    (void)state;
    swing s;
    begin(&s, 3);
    for (int i = 0; i < 3; i++) s.joints[i].stiffness = 12, s.joints[i].damping = 0.1f, s.joints[i].drag = 0.2f;
    create(&s);
    for (int change = 0; change < 2; change++) {
        const double angle = change == 0 ? 0.5 : 0.0;
        s.input.wind.x = 4;
        for (int i = 0; i < 1200; i++) frame_at(&s, angle);
        const double asleep = angle_of(&s);
        s.input.wind.x = change == 0 ? 4 : -4; // the pose, then the wind
        s.dt = 0;
        frame_at(&s, -angle);
        s.dt = STEP;
        for (int i = 0; i < 600; i++) frame_at(&s, -angle);
        assert_true(fabs(angle_of(&s) - asleep) > 0.3);
    }
    end(&s);
}

// A lock of hair of eight joints, 20 times as large as a real one and 30 m from the origin: rounding at its root, which each joint
// swings out further, must not keep its tip moving.
static void test_long_hair_comes_to_rest(void **state) {
    (void)state;
    swing s;
    begin(&s, 8);
    for (int i = 0; i < 8; i++) {
        s.joints[i] = sinew_spring_joint_default();
        s.joints[i].node = i + 1;
        s.joints[i].stiffness = 400;
        s.joints[i].gravity = (sinew_vec3){0, -196, 0};
    }
    s.input.world.m[0][3] = 20, s.input.world.m[1][3] = 30;
    create(&s);
    sinew_vec3 tip = {0, 0, 0};
    for (int i = 0; i < 1800; i++) {
        frame_at(&s, 0.4 + 0.3 * (i < 100));
        if (i == 1500) tip = tail_of(&s, 8);
        if (i > 1500) assert_true(sinew_vec3_length(sinew_vec3_subtract(tail_of(&s, 8), tip)) < 1e-5f);
    }
    end(&s);
}

static void test_weight_0_keeps_the_bits_of_the_pose(void **state) {
    (void)state;
    swing s;
    begin_dance(&s);
    uint64_t random = 3;
    for (int i = 0; i < 100; i++) {
        s.input.weight = i % 10 < 5 ? 0 : i % 10 < 7 ? NAN : -1;
        for (int node = 0; node < 5; node++) turn_joint(&s, node, random_quat(&random));
        const uint64_t before = add_bits_of_pose(BITS_NONE, s.pose);
        solve_pose(&s);
        assert_int_equal(add_bits_of_pose(BITS_NONE, s.pose), before);
    }
    end(&s);
}

// Half of the weight rotates by half, for a single joint.
static void test_weight_blends(void **state) {
    (void)state;
    swing a, b;
    begin(&a, 1);
    begin(&b, 1);
    create(&a);
    create(&b);
    b.input.weight = 0.5f;
    for (int i = 0; i < 40; i++) {
        frame_at(&a, 1);
        frame_at(&b, 1);
    }
    check_near(angle_of(&b), (angle_of(&a) + 1) / 2, 0.02);
    end(&a);
    end(&b);
}

static void test_a_copy_of_the_state_is_a_snapshot(void **state) {
    (void)state;
    swing s;
    begin_dance(&s);
    const size_t size = sinew_springs_state_size(s.springs);
    void *copy = malloc(size);
    s.dt = 0.011f;
    for (int i = 0; i < 100; i++) frame_of_dance(&s, 0.011 * i);
    memcpy(copy, s.state, size);
    uint64_t first = BITS_NONE, second = BITS_NONE;
    for (int i = 100; i < 200; i++) {
        frame_of_dance(&s, 0.011 * i);
        first = add_bits_of_pose(first, s.pose);
    }
    memcpy(s.state, copy, size);
    for (int i = 100; i < 200; i++) {
        frame_of_dance(&s, 0.011 * i);
        second = add_bits_of_pose(second, s.pose);
    }
    assert_int_equal(first, second);
    free(copy);
    end(&s);
}

// ---- Scale, bad poses and bad definitions --------------------------------------------------------------------

// With any scale above it, a bone keeps its length in the node's space, and model matrices match the pose.
static void test_scale_of_ancestors(void **state) {
    (void)state;
    const sinew_vec3 scales[] = {{2, 2, 2}, {-1, 1, 1}, {1, 3, 0.5f},  {-2, -1, 0.3f},
                                 {0, 1, 1}, {0, 0, 0},  {1e-20f, 1, 1}};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        swing s;
        begin_dance(&s);
        for (int i = 0; i < 200; i++) {
            sinew_pose_reset(s.pose);
            sinew_transform t = {{0, 0, 0}, root_at(i / 60.0), scales[k]};
            sinew_pose_set(s.pose, 0, t);
            turn_joint(&s, 2, (sinew_quat){0.3f, 0.2f, 0.5f, 3.0f}); // not unit
            solve_pose(&s);
            sinew_affine model[6];
            sinew_pose_to_model(s.pose, model);
            assert_memory_equal(model, s.model, 5 * sizeof *model);
            for (int node = 1; node <= 4; node++) {
                const sinew_quat q = sinew_pose_get(s.pose, node).rotation;
                const double norm =
                    sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
                if (node != 2 || k < 4) check_near(norm, 1, 1e-6);
            }
        }
        end(&s);
    }
}

// A mirrored character swings as the mirror image.
static void test_mirrored_character(void **state) {
    (void)state;
    swing a, b;
    begin(&a, 2);
    begin(&b, 2);
    create(&a);
    create(&b);
    b.input.world.m[0][0] = -1;
    for (int i = 0; i < 100; i++) {
        frame_at(&a, 1);
        frame_at(&b, 1);
        for (int node = 1; node <= 2; node++) {
            check_near(tail_of(&a, node).x, -tail_of(&b, node).x, 1e-5);
            check_near(tail_of(&a, node).y, tail_of(&b, node).y, 1e-5);
        }
    }
    end(&a);
    end(&b);
}

static void test_input_that_is_not_finite(void **state) {
    (void)state;
    swing s;
    begin_dance(&s);
    for (int i = 0; i < 50; i++) frame_of_dance(&s, i / 60.0);
    const size_t size = sinew_springs_state_size(s.springs);
    void *copy = malloc(size);
    memcpy(copy, s.state, size);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 12; i++) {
        sinew_springs_input good = s.input;
        if (i < 3)
            s.dt = bad[i];
        else if (i < 6)
            s.input.wind.y = bad[i - 3];
        else if (i < 9)
            s.input.world.m[1][2] = bad[i - 6];
        else
            s.dt = -0.1f;
        sinew_pose_reset(s.pose);
        const uint64_t bits = add_bits_of_pose(BITS_NONE, s.pose);
        solve_pose(&s);
        assert_int_equal(add_bits_of_pose(BITS_NONE, s.pose), bits);
        assert_memory_equal(copy, s.state, size);
        s.input = good;
    }
    for (int i = 0; i < 3; i++) { // in the pose: the chain starts again
        frame_of_dance(&s, 1);
        sinew_transform t = sinew_pose_get(s.pose, 2);
        t.rotation.x = bad[i];
        sinew_pose_set(s.pose, 2, t);
        solve_pose(&s);
        for (int k = 0; k < 5; k++) frame_of_dance(&s, 1);
        for (int node = 1; node <= 4; node++) assert_true(isfinite(tail_of(&s, node).x));
    }
    free(copy);
    end(&s);
}

static void check_refused(const swing *s, const char *message) {
    sinew_springs *springs;
    sinew_error error = {0};
    assert_int_equal(sinew_springs_create(&s->def, &springs, &error), SINEW_ERROR_ARGUMENT);
    assert_null(springs);
    assert_string_equal(error.message, message);
}

static void test_bad_definitions_are_refused(void **state) {
    (void)state;
    swing s, good;
    begin(&good, 3);
#define REFUSED(change, message)                                                                                   \
    s = good, s.chain.joints = s.joints, s.chain.colliders = s.indices, s.def.chains = &s.chain,                   \
    s.def.colliders = s.colliders, s.colliders[0] = sinew_spring_collider_default(), s.def.collider_count = 1;     \
    change;                                                                                                        \
    check_refused(&s, message)
    REFUSED(s.def.skeleton = NULL, "springs: skeleton is NULL");
    REFUSED(s.def.step = 0, "springs: step is 0 s; it must be 0.001 to 0.1");
    REFUSED(s.def.max_steps = 0, "springs: max_steps is 0; it must be 1 to 1000");
    REFUSED(s.def.teleport_distance = NAN, "springs: teleport_distance must be 0 or more");
    REFUSED(s.def.chains = NULL, "springs: chain_count is negative, or chains is NULL");
    REFUSED(s.chain.joint_count = 0, "springs: chain 0: it needs at least one joint");
    REFUSED(s.chain.center = 9, "springs: chain 0: center is not in the skeleton");
    REFUSED(s.chain.center = 1, "springs: chain 0: a chain must not move its center");
    REFUSED(s.chain.weight = NAN, "springs: chain 0: weight must be finite");
    REFUSED((s.chain.collider_count = 1, s.indices[0] = 1),
            "springs: chain 0: an index in colliders is out of range");
    REFUSED(s.joints[1].node = 4, "springs: chain 0: joint 1: node is not in the skeleton");
    REFUSED(s.joints[1].node = 1,
            "springs: chain 0: joint 1: its node must be a descendant of the previous joint's node");
    REFUSED(s.joints[2].stiffness = -1, "springs: chain 0: joint 2: stiffness must be 0 or more");
    REFUSED(s.joints[2].damping = NAN, "springs: chain 0: joint 2: damping must be 0 or more, or INFINITY");
    REFUSED(s.joints[0].cookie = 0, "springs: chain 0: joint 0: start from sinew_spring_joint_default()");
    REFUSED(s.colliders[0].radius = -1, "springs: collider 0: radius must be 0 or more");
    REFUSED((s.colliders[0].shape = SINEW_SPRING_SHAPE_PLANE, s.colliders[0].normal.y = 0),
            "springs: collider 0: normal must be finite and not 0");
    sinew_spring_chain twice[2] = {good.chain, good.chain};
    REFUSED((twice[0].joints = twice[1].joints = s.joints, s.def.chains = twice, s.def.chain_count = 2),
            "springs: chain 1: node 3 (\"c\") is in two chains");
#undef REFUSED
    sinew_pose_destroy(good.pose);
    sinew_skeleton_destroy(good.skeleton);
}

static void test_every_allocation_can_fail(void **state) {
    (void)state;
    swing s;
    begin(&s, 3);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    s.def.allocator = counting_allocator(&c);
    while (fail_next(&c, result)) {
        sinew_springs *springs;
        result = sinew_springs_create(&s.def, &springs, NULL);
        assert_int_equal(springs != NULL, result == SINEW_OK);
        sinew_springs_destroy(springs);
    }
    assert_int_equal(c.fail_at, 4);
    sinew_pose_destroy(s.pose);
    sinew_skeleton_destroy(s.skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_pendulum_has_the_period_of_the_closed_form),
        cmocka_unit_test(test_stiffness_is_a_gravity_towards_the_pose),
        cmocka_unit_test(test_energy_never_grows),
        cmocka_unit_test(test_friction_has_its_half_life),
        cmocka_unit_test(test_balance_is_along_the_sum_of_the_forces),
        cmocka_unit_test(test_wind_pushes_by_drag),
        cmocka_unit_test(test_without_half_life_the_tail_follows_the_pose),
        cmocka_unit_test(test_limit_holds),
        cmocka_unit_test(test_tails_stay_out_of_colliders),
        cmocka_unit_test(test_bones_that_point_into_a_collider_turn_out_of_it),
        cmocka_unit_test(test_frame_rates_agree),
        cmocka_unit_test(test_frames_between_steps_are_smooth),
        cmocka_unit_test(test_teleports_and_long_frames),
        cmocka_unit_test(test_teleport_keeps_the_shape),
        cmocka_unit_test(test_center_takes_the_motion_out),
        cmocka_unit_test(test_a_chain_at_rest_keeps_its_bits),
        cmocka_unit_test(test_a_change_between_steps_wakes),
        cmocka_unit_test(test_long_hair_comes_to_rest),
        cmocka_unit_test(test_weight_0_keeps_the_bits_of_the_pose),
        cmocka_unit_test(test_weight_blends),
        cmocka_unit_test(test_a_copy_of_the_state_is_a_snapshot),
        cmocka_unit_test(test_scale_of_ancestors),
        cmocka_unit_test(test_mirrored_character),
        cmocka_unit_test(test_input_that_is_not_finite),
        cmocka_unit_test(test_bad_definitions_are_refused),
        cmocka_unit_test(test_every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
