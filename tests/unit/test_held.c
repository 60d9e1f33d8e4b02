// SPDX-License-Identifier: MIT
// Dead blending: a held pose that keeps moving, against the curve in double.
#include "support/exact.h"
#include "support/pose_blocks.h"

#include "base/rotation_vector.h"

#define NODES    37
#define DURATION 0.5
#define STEP     (1.0 / 60.0)

// ---- Poses ---------------------------------------------------------------------------------------------------

typedef struct fixture {
    sinew_skeleton *skeleton;
    sinew_pose *now, *before, *out;
    struct {
        sinewi_held_block *nodes;
        sinewi_held_weight_block *weights;
    } held;
} fixture;

static fixture make_fixture(uint64_t *state) {
    fixture f = {.skeleton = make_skeleton(state, NODES)};
    f.now = make_pose(f.skeleton), f.before = make_pose(f.skeleton), f.out = make_pose(f.skeleton);
    f.held.nodes = take_blocks(sinewi_block_count(NODES), sizeof *f.held.nodes);
    f.held.weights = take_blocks(sinewi_block_count(f.skeleton->weight_count), sizeof *f.held.weights);
    return f;
}

static void free_fixture(fixture *f) {
    sinew_pose_destroy(f->now);
    sinew_pose_destroy(f->before);
    sinew_pose_destroy(f->out);
    size_t weight_blocks = sinewi_block_count(f->skeleton->weight_count);
    sinewi_release(NULL, f->held.nodes, sinewi_block_count(NODES) * sizeof *f->held.nodes, SINEWI_ALIGNMENT);
    sinewi_release(NULL, f->held.weights, weight_blocks * sizeof *f->held.weights, SINEWI_ALIGNMENT);
    sinew_skeleton_destroy(f->skeleton);
}

static void begin_from(const fixture *f, const sinew_pose *before) {
    const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
    float reach = sinewi_held_tau((float)DURATION, (float)DURATION);
    for (size_t b = 0; b < sinewi_block_count(NODES); b++) {
        sinewi_block block = block_of(before, b);
        f->held.nodes[b].pose = block_of(f->now, b);
        kernels->start_held(&block, (float)-STEP, reach, &f->held.nodes[b]);
    }
    for (size_t b = 0; b < sinewi_block_count(f->skeleton->weight_count); b++) {
        sinewi_held_weight_block *block = &f->held.weights[b];
        memcpy(block->weight, f->now->weights + b * SINEW_LANES, sizeof block->weight);
        kernels->start_held_weights(before->weights + b * SINEW_LANES, (float)-STEP, reach, block);
    }
}

static void begin(const fixture *f) {
    begin_from(f, f->before);
}

static void extrapolate(const fixture *f, double t) {
    const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
    float tau = sinewi_held_tau((float)t, (float)DURATION);
    sinewi_planes planes = sinewi_pose_planes(f->out);
    kernels->extrapolate(f->held.nodes, tau, 0, sinewi_block_count(NODES), planes.plane);
    kernels->extrapolate_weights(f->held.weights, tau, 0, sinewi_block_count(f->skeleton->weight_count),
                                 f->out->weights);
}

static sinew_vec3 draw_vec(uint64_t *state, float most) {
    return (sinew_vec3){random_float(state, -most, most), random_float(state, -most, most),
                        random_float(state, -most, most)};
}

static exact_vec3 velocity_between(sinew_vec3 now, sinew_vec3 before) {
    exact_vec3 step = exact_add(exact_vec(now), exact_vec(before), -1);
    return exact_add((exact_vec3){0, 0, 0}, step, 1 / STEP);
}

// In a frame, nodes move by at most 5 cm an axis, turn by 0.04 rad, and grow by 1%: no limit is reached.
static void draw_poses(const fixture *f, uint64_t *state) {
    for (int32_t i = 0; i < NODES; i++) {
        sinew_transform t = {draw_vec(state, 2), random_quat(state), {1, random_float(state, 0.5f, 2), -1}};
        sinew_pose_set(f->before, i, t);
        sinew_vec3 step = draw_vec(state, 0.05f), growth = draw_vec(state, 0.005f);
        exact_vec3 turn = exact_vec(draw_vec(state, 0.02f));
        exact_quat rotation = exact_multiply(exact_exponential(turn), exact_rotation(t.rotation));
        t.translation = vec3_along(exact_add(exact_vec(t.translation), exact_vec(step), 1), 1);
        t.scale = vec3_along(exact_add(exact_vec(t.scale), exact_vec(growth), 1), 1);
        t.rotation = rounded(rotation);
        sinew_pose_set(f->now, i, t);
    }
    for (int32_t i = 0; i < f->skeleton->weight_count; i++) {
        f->before->weights[i] = random_float(state, 0.3f, 0.7f);
        f->now->weights[i] = f->before->weights[i] + random_float(state, -0.01f, 0.01f);
    }
}

// ---- The curve -----------------------------------------------------------------------------------------------

// The speed that is left falls to 0 at the duration, and its own speed with it: what it adds up to, in small steps.
static void the_velocity_falls_smoothly_to_nothing(void **unused) {
    (void)unused;
    double tau = 0;
    const int steps = 5000;
    for (int i = 0; i < steps; i++) {
        double t = DURATION * i / steps, middle = (i + 0.5) / steps;
        check_near(sinewi_held_tau((float)t, (float)DURATION), tau, 1e-6);
        tau += (1 - middle) * (1 - middle) * DURATION / steps;
    }
    check_near(tau, DURATION / 3, 1e-6);
    for (int i = 0; i < 5; i++) {
        check_near(sinewi_held_tau((float)(DURATION * (1 + i)), (float)DURATION), DURATION / 3, 1e-7);
    }
    assert_true(sinewi_held_tau(0, 0) == 0);
}

static double tau_at(double t) {
    double left = t < DURATION ? 1 - t / DURATION : 0;
    return DURATION / 3 * (1 - left * left * left);
}

// By how much the velocities of floats, over a third of the duration, may be off.
#define TOLERANCE (1e-6 / STEP * DURATION / 3 + 1e-6)

static void check_node(const fixture *f, int32_t node, double t) {
    sinew_transform now = sinew_pose_get(f->now, node), before = sinew_pose_get(f->before, node);
    sinew_transform out = sinew_pose_get(f->out, node);
    double tau = tau_at(t);
    exact_vec3 place =
        exact_add(exact_vec(now.translation), velocity_between(now.translation, before.translation), tau);
    exact_vec3 size = exact_add(exact_vec(now.scale), velocity_between(now.scale, before.scale), tau);
    check_near(exact_length(exact_add(exact_vec(out.translation), place, -1)), 0, TOLERANCE);
    check_near(exact_length(exact_add(exact_vec(out.scale), size, -1)), 0, TOLERANCE);

    exact_quat from = exact_rotation(now.rotation);
    exact_quat step = exact_multiply(from, exact_conjugate(exact_rotation(before.rotation)));
    exact_vec3 turn = exact_add((exact_vec3){0, 0, 0}, exact_logarithm(step), tau / STEP);
    exact_quat wanted = exact_multiply(exact_exponential(turn), from);
    check_near(exact_angle(exact_rotation(out.rotation), wanted), 0, TOLERANCE);
    check_near(exact_norm(exact_rotation(out.rotation)), 1, 1e-6);
}

static void a_held_pose_goes_on(void **unused) {
    (void)unused;
    uint64_t state = 1;
    for (int round = 0; round < 30; round++) {
        fixture f = make_fixture(&state);
        draw_poses(&f, &state);
        begin(&f);
        for (int step = 0; step * 0.031 < DURATION * 1.3; step++) {
            const double t = step * 0.031;
            extrapolate(&f, t);
            for (int32_t i = 0; i < NODES; i++) check_node(&f, i, t);
            for (int32_t i = 0; i < f.skeleton->weight_count; i++) {
                double velocity = ((double)f.now->weights[i] - f.before->weights[i]) / STEP;
                check_near(f.out->weights[i], f.now->weights[i] + velocity * tau_at(t), TOLERANCE);
            }
        }
        free_fixture(&f);
    }
}

static void assert_is_now(const fixture *f) {
    sinewi_planes now = sinewi_pose_planes(f->now), out = sinewi_pose_planes(f->out);
    for (int i = 0; i < SINEWI_PLANES; i++) {
        assert_memory_equal(now.plane[i], out.plane[i], sinewi_padded(NODES) * sizeof(float));
    }
    size_t weights = sinewi_padded(f->skeleton->weight_count);
    assert_memory_equal(f->now->weights, f->out->weights, weights * sizeof(float));
}

static void at_first_it_is_the_pose(void **unused) {
    (void)unused;
    uint64_t state = 2;
    fixture f = make_fixture(&state);
    draw_poses(&f, &state);
    begin(&f);
    extrapolate(&f, 0);
    assert_is_now(&f);
    free_fixture(&f);
}

static void without_a_pose_before_it_stays(void **unused) {
    (void)unused;
    uint64_t state = 3;
    fixture f = make_fixture(&state);
    draw_poses(&f, &state);
    begin(&f); // velocities that must be gone
    begin_from(&f, f.now);
    extrapolate(&f, DURATION);
    assert_is_now(&f);
    free_fixture(&f);
}

// The kernels use base/rotation_vector.h's exponential.
static void a_turn_from_nothing_is_the_exponential(void **unused) {
    (void)unused;
    uint64_t state = 6;
    fixture f = make_fixture(&state);
    sinew_pose_reset(f.now);
    for (int32_t i = 0; i < NODES; i++) f.now->rx[i] = f.now->ry[i] = f.now->rz[i] = 0, f.now->rw[i] = 1;
    begin_from(&f, f.now);
    float tau = sinewi_held_tau((float)DURATION, (float)DURATION);
    sinew_quat wanted[NODES];
    for (int32_t i = 0; i < NODES; i++) {
        sinew_vec3 velocity = draw_vec(&state, 10);
        sinewi_held_block *block = &f.held.nodes[i / SINEW_LANES];
        block->rotation_velocity[0][i % SINEW_LANES] = velocity.x;
        block->rotation_velocity[1][i % SINEW_LANES] = velocity.y;
        block->rotation_velocity[2][i % SINEW_LANES] = velocity.z;
        wanted[i] = sinewi_rotation_exponential((sinew_vec3){velocity.x * tau, velocity.y * tau, velocity.z * tau});
    }
    extrapolate(&f, DURATION);
    for (int32_t i = 0; i < NODES; i++) {
        sinew_quat got = sinew_pose_get(f.out, i).rotation;
        assert_memory_equal(&got, &wanted[i], sizeof got);
    }
    free_fixture(&f);
}

// ---- Lengths -------------------------------------------------------------------------------------------------

static void rotations_keep_their_length(void **unused) {
    (void)unused;
    uint64_t state = 4;
    fixture f = make_fixture(&state);
    draw_poses(&f, &state);
    begin(&f);
    for (int32_t i = 0; i < NODES; i++) {
        sinewi_block *pose = &f.held.nodes[i / SINEW_LANES].pose;
        for (int p = SINEWI_RX; p <= SINEWI_RW; p++) pose->lane[p][i % SINEW_LANES] *= 0.03125f * (float)i;
    }
    for (int step = 0; step * 0.07 < DURATION * 1.2; step++) {
        const double t = step * 0.07;
        extrapolate(&f, t);
        for (int32_t i = 0; i < NODES; i++) {
            exact_quat got = exact_rotation(sinew_pose_get(f.out, i).rotation);
            check_near(exact_norm(got), 0.03125 * i, 0.03125 * i * 1e-6);
        }
    }
    free_fixture(&f);
}

// ---- Limits --------------------------------------------------------------------------------------------------

static void jumps_are_not_taken_for_speeds(void **unused) {
    (void)unused;
    uint64_t state = 5;
    fixture f = make_fixture(&state);
    for (int round = 0; round < 30; round++) {
        double turned = 0;
        for (int32_t i = 0; i < NODES; i++) {
            sinew_transform now = {draw_vec(&state, 2), random_quat(&state), draw_vec(&state, 2)};
            sinew_transform before = {draw_vec(&state, 2), random_quat(&state), draw_vec(&state, 2)};
            if (i % 5 == 0) now.scale.x = 0;
            sinew_pose_set(f.now, i, now);
            sinew_pose_set(f.before, i, before);
        }
        for (int32_t i = 0; i < f.skeleton->weight_count; i++) {
            f.now->weights[i] = i % 4 == 0 ? random_float(&state, -1, 2) : random_float(&state, 0, 1);
            f.before->weights[i] = random_float(&state, -1, 2);
        }
        begin(&f);
        extrapolate(&f, DURATION);
        for (int32_t i = 0; i < NODES; i++) {
            sinew_transform now = sinew_pose_get(f.now, i), out = sinew_pose_get(f.out, i);
            turned = fmax(turned, exact_angle(exact_rotation(out.rotation), exact_rotation(now.rotation)));
            check_near(out.scale.x, now.scale.x, fabs((double)now.scale.x) * 0.500001);
            check_near(out.scale.y, now.scale.y, fabs((double)now.scale.y) * 0.500001);
            check_near(out.scale.z, now.scale.z, fabs((double)now.scale.z) * 0.500001);
        }
        check_near(turned, PI / 2, 1e-3);
        for (int32_t i = 0; i < f.skeleton->weight_count; i++) {
            float now = f.now->weights[i], low = fminf(now, 0), high = fmaxf(now, 1);
            assert_true(f.out->weights[i] >= low - 1e-6f && f.out->weights[i] <= high + 1e-6f);
        }
    }
    free_fixture(&f);
}

// ---- Bits ----------------------------------------------------------------------------------------------------

static void the_bits_are_the_same_everywhere(void **unused) {
    (void)unused;
    uint64_t state = 7, bits = BITS_NONE;
    fixture f = make_fixture(&state);
    for (int round = 0; round < 10; round++) {
        draw_pose(f.now, &state), draw_pose(f.before, &state);
        begin(&f);
        for (int i = 0; i < 10; i++) {
            extrapolate(&f, i * 0.0625);
            bits = add_bits_of_pose(bits, f.out);
        }
    }
    check_bits(bits, UINT64_C(0x3b3fdc395460fa8d));
    free_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_velocity_falls_smoothly_to_nothing),
        cmocka_unit_test(a_held_pose_goes_on),
        cmocka_unit_test(at_first_it_is_the_pose),
        cmocka_unit_test(without_a_pose_before_it_stays),
        cmocka_unit_test(a_turn_from_nothing_is_the_exponential),
        cmocka_unit_test(rotations_keep_their_length),
        cmocka_unit_test(jumps_are_not_taken_for_speeds),
        cmocka_unit_test(the_bits_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
