// SPDX-License-Identifier: MIT
// Inertialization: offsets against the formula in double, and as a transition between moving poses.
#include "support/exact.h"
#include "support/pose_blocks.h"

#include "base/rotation_vector.h"

#define NODES    37
#define DURATION 0.4
#define STEP     (1.0 / 60.0)

// ---- Poses ---------------------------------------------------------------------------------------------------

typedef struct fixture {
    sinew_skeleton *skeleton;
    sinew_pose *source, *source_before, *target, *target_after, *shown;
    struct {
        sinewi_offset_block *nodes;
        sinewi_weight_offset_block *weights;
    } offsets;
} fixture;

static fixture make_fixture(uint64_t *state) {
    fixture f = {.skeleton = make_skeleton(state, NODES)};
    f.source = make_pose(f.skeleton), f.source_before = make_pose(f.skeleton);
    f.target = make_pose(f.skeleton), f.target_after = make_pose(f.skeleton);
    f.shown = make_pose(f.skeleton);
    f.offsets.nodes = take_blocks(sinewi_block_count(NODES), sizeof *f.offsets.nodes);
    f.offsets.weights = take_blocks(sinewi_block_count(f.skeleton->weight_count), sizeof *f.offsets.weights);
    return f;
}

static void free_fixture(fixture *f) {
    sinew_pose_destroy(f->source);
    sinew_pose_destroy(f->source_before);
    sinew_pose_destroy(f->target);
    sinew_pose_destroy(f->target_after);
    sinew_pose_destroy(f->shown);
    size_t weight_blocks = sinewi_block_count(f->skeleton->weight_count);
    sinewi_release(NULL, f->offsets.nodes, sinewi_block_count(NODES) * sizeof *f->offsets.nodes, SINEWI_ALIGNMENT);
    sinewi_release(NULL, f->offsets.weights, weight_blocks * sizeof *f->offsets.weights, SINEWI_ALIGNMENT);
    sinew_skeleton_destroy(f->skeleton);
}

static void begin(const fixture *f) {
    const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
    for (size_t b = 0; b < sinewi_block_count(NODES); b++) {
        sinewi_block_change change = {block_of(f->source, b), block_of(f->source_before, b), block_of(f->target, b),
                                      block_of(f->target_after, b)};
        kernels->start_offsets(&change, (float)STEP, (float)DURATION, &f->offsets.nodes[b]);
    }
    for (size_t b = 0; b < sinewi_block_count(f->skeleton->weight_count); b++) {
        sinewi_weight_change change;
        size_t at = b * SINEW_LANES, size = sizeof change.source;
        memcpy(change.source, f->source->weights + at, size);
        memcpy(change.source_before, f->source_before->weights + at, size);
        memcpy(change.target, f->target->weights + at, size);
        memcpy(change.target_after, f->target_after->weights + at, size);
        kernels->start_weight_offsets(&change, (float)STEP, (float)DURATION, &f->offsets.weights[b]);
    }
}

static double duration_of(const fixture *f, int node, sinew_channel_target path) {
    return (double)f->offsets.nodes[node / SINEW_LANES].decays[path].duration[node % SINEW_LANES];
}

// The offsets after t seconds on the pose that is shown.
static void add(const fixture *f, double t) {
    const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
    sinewi_planes planes = sinewi_pose_planes(f->shown);
    kernels->add_offsets(f->offsets.nodes, (float)t, 0, sinewi_block_count(NODES), planes.plane);
    kernels->add_weight_offsets(f->offsets.weights, (float)t, 0, sinewi_block_count(f->skeleton->weight_count),
                                f->shown->weights);
}

static void assert_same_bits(const sinew_pose *a, const sinew_pose *b) {
    sinewi_planes p = sinewi_pose_planes(a), q = sinewi_pose_planes(b);
    for (int i = 0; i < SINEWI_PLANES; i++) {
        assert_memory_equal(p.plane[i], q.plane[i], sinewi_padded(NODES) * sizeof(float));
    }
    assert_memory_equal(a->weights, b->weights, sinewi_padded(a->skeleton->weight_count) * sizeof(float));
}

// ---- Ways ----------------------------------------------------------------------------------------------------

// What a node does: it is at a place at time 0 and moves evenly.
typedef struct way {
    exact_vec3 translation, moving, turning, scale, growing;
    exact_quat rotation;
    double weight, gaining; // of a morph weight
} way;

static exact_vec3 random_vec(uint64_t *state, double size) {
    return exact_add((exact_vec3){0, 0, 0}, random_direction(state), size * (double)random_float(state, 0, 1));
}

static way random_way(uint64_t *state) {
    way w = {.translation = random_vec(state, 2), .moving = random_vec(state, 3), .turning = random_vec(state, 4)};
    w.scale = exact_add((exact_vec3){1, 1, 1}, random_vec(state, 0.3), 1);
    w.growing = random_vec(state, 0.5);
    w.rotation = exact_rotation(random_quat(state));
    w.weight = (double)random_float(state, 0, 1);
    w.gaining = (double)random_float(state, -2, 2);
    return w;
}

static exact_quat rotation_at(const way *w, double t) {
    return exact_multiply(exact_exponential(exact_add((exact_vec3){0, 0, 0}, w->turning, t)), w->rotation);
}

static sinew_transform transform_at(const way *w, double t) {
    exact_vec3 m = exact_add(w->translation, w->moving, t), s = exact_add(w->scale, w->growing, t);
    return (sinew_transform){vec3_along(m, 1), rounded(rotation_at(w, t)), vec3_along(s, 1)};
}

static void pose_at(sinew_pose *pose, const way *ways, double t) {
    for (int32_t i = 0; i < NODES; i++) sinew_pose_set(pose, i, transform_at(&ways[i], t));
    for (int32_t i = 0; i < pose->skeleton->weight_count; i++) {
        pose->weights[i] = (float)(ways[i % NODES].weight + ways[i % NODES].gaining * t);
    }
}

typedef struct scene {
    fixture f;
    way source[NODES], target[NODES];
} scene;

static void begin_scene(const scene *s) {
    pose_at(s->f.source, s->source, 0);
    pose_at(s->f.source_before, s->source, -STEP);
    pose_at(s->f.target, s->target, 0);
    pose_at(s->f.target_after, s->target, STEP);
    begin(&s->f);
}

static scene make_scene(uint64_t *state) {
    scene s = {.f = make_fixture(state)};
    for (int i = 0; i < NODES; i++) s.source[i] = random_way(state), s.target[i] = random_way(state);
    return s;
}

static void show(const scene *s, double t) {
    pose_at(s->f.shown, s->target, t);
    add(&s->f, t);
}

// Turns the source to be `angle` away from the target, turning at `speed` about the same axis.
static void set_apart(scene *s, uint64_t *state, int node, double angle, double speed) {
    exact_vec3 axis = random_direction(state), none = {0, 0, 0};
    s->target[node].turning = none;
    s->source[node].rotation =
        exact_multiply(exact_exponential(exact_add(none, axis, angle)), s->target[node].rotation);
    s->source[node].turning = exact_add(none, axis, speed);
}

// ---- The formula ---------------------------------------------------------------------------------------------

// The quintic with the given value and velocity at the start, the acceleration -3/8 (20 x + 8 v d) / d^2, and zeros for
// all three at the end: Hermite's basis of degree 5.
static double quintic(double start, double velocity, double duration, double t) {
    if (t >= duration) return 0;
    double s = t / duration, s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
    double acceleration = -3.0 / 8 * (20 * start + 8 * velocity * duration); // times d^2
    return start * (1 - 10 * s3 + 15 * s4 - 6 * s5) + velocity * duration * (s - 6 * s3 + 8 * s4 - 3 * s5) +
           acceleration * (s2 - 3 * s3 + 3 * s4 - s5) / 2;
}

static exact_vec3 quintics(exact_vec3 start, exact_vec3 velocity, double t) {
    return (exact_vec3){quintic(start.x, velocity.x, DURATION, t), quintic(start.y, velocity.y, DURATION, t),
                        quintic(start.z, velocity.z, DURATION, t)};
}

// The largest overshoot of an offset, relative to the velocity's distance in one duration: the maximum of (1 - s)^3
// (s + 3/2 s^2), where 15 s^2 + 2 s = 2.
static double most_overshoot(void) {
    double s = (sqrt(31) - 1) / 15;
    return pow(1 - s, 3) * (s + 1.5 * s * s);
}

static double distance(sinew_vec3 got, exact_vec3 wanted) {
    return exact_length(exact_add(exact_vec(got), wanted, -1));
}

// By how much the velocities of floats, divided by a frame's time, may be off.
#define VELOCITY_ROUNDING (1e-6 / STEP)

static void check_vectors(const scene *s, int node, double t) {
    const way *from = &s->source[node], *to = &s->target[node];
    sinew_transform got = sinew_pose_get(s->f.shown, node);
    exact_vec3 offset =
        quintics(exact_add(from->translation, to->translation, -1), exact_add(from->moving, to->moving, -1), t);
    exact_vec3 growth =
        quintics(exact_add(from->scale, to->scale, -1), exact_add(from->growing, to->growing, -1), t);
    double tolerance = 1e-6 + VELOCITY_ROUNDING * DURATION * most_overshoot();
    check_near(distance(got.translation, exact_add(exact_add(to->translation, to->moving, t), offset, 1)), 0,
               tolerance);
    check_near(distance(got.scale, exact_add(exact_add(to->scale, to->growing, t), growth, 1)), 0, tolerance);
}

// From the target at one time to the source at another.
static exact_vec3 turn_at(const scene *s, int node, double source, double target) {
    return exact_logarithm(exact_multiply(rotation_at(&s->source[node], source),
                                          exact_conjugate(rotation_at(&s->target[node], target))));
}

// Near half a turn, the shorter way changes sides. Another test covers that.
static bool is_near_half_a_turn(exact_vec3 turn) {
    return exact_length(turn) > PI - 0.3;
}

static void check_rotation(const scene *s, int node, double t) {
    exact_vec3 start = turn_at(s, node, 0, 0);
    if (is_near_half_a_turn(start)) return;
    exact_vec3 step = exact_add(turn_at(s, node, 0, STEP), turn_at(s, node, -STEP, 0), -1);
    exact_vec3 offset = quintics(start, exact_add((exact_vec3){0, 0, 0}, step, 1 / STEP), t);
    exact_quat wanted = exact_multiply(exact_exponential(offset), rotation_at(&s->target[node], t));
    exact_quat got = exact_rotation(sinew_pose_get(s->f.shown, node).rotation);
    check_near(exact_angle(got, wanted), 0, 1e-6 + VELOCITY_ROUNDING * DURATION * most_overshoot());
    check_near(exact_norm(got), 1, 1e-6);
}

// The velocity of a morph weight's offset: never away from the target, and at most 5/2 of the offset per duration, so
// the offset keeps shrinking.
static double closing(double start, double velocity) {
    double most = 2.5 * fabs(start) / DURATION, towards = start > 0 ? -velocity : velocity;
    double kept = fmin(fmax(towards, 0), most);
    return start > 0 ? -kept : kept;
}

static double between(double v, double a, double b) {
    return fmin(fmax(v, fmin(a, b)), fmax(a, b));
}

static void check_weights(const scene *s, double t) {
    for (int32_t i = 0; i < s->f.skeleton->weight_count; i++) {
        const way *from = &s->source[i % NODES], *to = &s->target[i % NODES];
        double start = from->weight - to->weight, target = to->weight + to->gaining * t;
        double offset = quintic(start, closing(start, from->gaining - to->gaining), DURATION, t);
        double wanted = t < DURATION ? between(target + offset, from->weight, target) : target;
        check_near(s->f.shown->weights[i], wanted, 1e-6 + VELOCITY_ROUNDING * DURATION * most_overshoot());
    }
}

static void offsets_are_those_of_the_formula(void **unused) {
    (void)unused;
    uint64_t state = 1;
    for (int round = 0; round < 30; round++) {
        scene s = make_scene(&state);
        begin_scene(&s);
        for (int step = 0; step * 0.017 < DURATION * 1.2; step++) {
            const double t = step * 0.017;
            show(&s, t);
            for (int i = 0; i < NODES; i++) check_vectors(&s, i, t), check_rotation(&s, i, t);
            check_weights(&s, t);
        }
        free_fixture(&s.f);
    }
}

// ---- Continuity ----------------------------------------------------------------------------------------------

static double pose_distance(const sinew_pose *a, const sinew_pose *b, int node) {
    sinew_transform x = sinew_pose_get(a, node), y = sinew_pose_get(b, node);
    double turn = exact_angle(exact_rotation(x.rotation), exact_rotation(y.rotation));
    return fmax(turn,
                fmax(distance(x.translation, exact_vec(y.translation)), distance(x.scale, exact_vec(y.scale))));
}

// What the source would do if it went on, and what is shown, part with the square of time: they start together, and
// with one velocity.
static void a_transition_starts_with_the_source_and_its_velocity(void **unused) {
    (void)unused;
    uint64_t state = 2;
    double worst = 0, worst_later = 0;
    for (int round = 0; round < 50; round++) {
        scene s = make_scene(&state);
        begin_scene(&s);
        show(&s, 0);
        for (int i = 0; i < NODES; i++) worst = fmax(worst, pose_distance(s.f.shown, s.f.source, i));
        for (int32_t i = 0; i < s.f.skeleton->weight_count; i++) {
            check_near(s.f.shown->weights[i], s.f.source->weights[i], 2e-7);
        }
        const double later = 1e-3;
        show(&s, later);
        pose_at(s.f.source, s.source, later);
        for (int i = 0; i < NODES; i++) worst_later = fmax(worst_later, pose_distance(s.f.shown, s.f.source, i));
        free_fixture(&s.f);
    }
    print_message("          at the start %.3g, 1 ms later %.3g\n", worst, worst_later);
    check_near(worst, 0, 2e-6);
    // They part by half of d2x/dt2 = 3/8 (20 |X0| + 8 |V0| d) / d^2 per second squared, with |X0| <= 4 and |V0| <= 8.
    // A turn's velocity is measured over STEP. There, the product of two turns of 4 rad/s changes it by half of 4 * 4
    // * STEP. A velocity that's off by 1 would part them by 1e-3.
    double parted = 0.5e-6 * 3 / 8 * (20 * 4 + 8 * 8 * DURATION) / (DURATION * DURATION);
    check_near(worst_later, 0, parted + 1e-3 * 4 * 4 * STEP / 2 + 2e-6);
}

static void a_transition_ends_on_the_bits_of_the_target(void **unused) {
    (void)unused;
    uint64_t state = 3;
    scene s = make_scene(&state);
    begin_scene(&s);
    const double over[3] = {(double)(float)DURATION, 0.41, 1e9};
    for (int i = 0; i < 3; i++) {
        show(&s, over[i]);
        pose_at(s.f.target, s.target, over[i]);
        assert_same_bits(s.f.shown, s.f.target);
    }
    // What is left shrinks with the third power, by a factor of at most |X0| (9/4 - 1) + (|V0| d + 3 |X0|) 5/2.
    show(&s, DURATION * 0.99);
    pose_at(s.f.target, s.target, DURATION * 0.99);
    double most = 1e-6 * (1.25 * 4 + 2.5 * (8 * DURATION + 3 * 4));
    for (int i = 0; i < NODES; i++) check_near(pose_distance(s.f.shown, s.f.target, i), 0, most + 1e-6);
    free_fixture(&s.f);
}

// Lanes without an offset keep their bits next to lanes that have one.
static void lanes_without_an_offset_keep_their_bits(void **unused) {
    (void)unused;
    uint64_t state = 4;
    int still = 0, active = 0;
    for (int round = 0; round < 20; round++) {
        scene s = make_scene(&state);
        for (int i = round % 3; i < NODES; i += 2) {
            s.target[i].moving = s.target[i].turning = s.target[i].growing = (exact_vec3){0, 0, 0};
            s.source[i] = s.target[i];
        }
        begin_scene(&s);
        const double t = 0.3;
        show(&s, t);
        pose_at(s.f.target, s.target, t);
        for (int i = 0; i < NODES; i++) {
            sinew_transform got = sinew_pose_get(s.f.shown, i), target = sinew_pose_get(s.f.target, i);
            bool is_still = i >= round % 3 && (i - round % 3) % 2 == 0;
            for (int k = 0; k < SINEWI_GROUPS; k++) {
                double wanted = is_still ? 0.0 : (double)(float)DURATION;
                check_near(duration_of(&s.f, i, (sinew_channel_target)k), wanted, 0);
            }
            if (is_still) assert_memory_equal(&got, &target, sizeof got);
            still += is_still;
            active += !is_still;
        }
        free_fixture(&s.f);
    }
    assert_true(still > 100 && active > 100);
}

static void without_a_difference_nothing_is_touched(void **unused) {
    (void)unused;
    uint64_t state = 5;
    scene s = make_scene(&state);
    for (int i = 0; i < NODES; i++) {
        s.target[i].moving = s.target[i].turning = s.target[i].growing = (exact_vec3){0, 0, 0};
        s.target[i].gaining = 0;
    }
    memcpy(s.source, s.target, sizeof s.source);
    begin_scene(&s);
    pose_at(s.f.shown, s.target, 0);
    s.f.shown->tx[3] = -0.0f;
    sinew_pose_copy(s.f.target, s.f.shown);
    add(&s.f, 0);
    assert_same_bits(s.f.shown, s.f.target);
    free_fixture(&s.f);
}

// ---- Overshoot -----------------------------------------------------------------------------------------------

// A target at rest in the origin, and sources at any speed. Most close the difference fast.
static void set_closing(scene *s, uint64_t *state) {
    for (int i = 0; i < NODES; i++) {
        s->target[i] = (way){.scale = {1, 1, 1}, .rotation = {0, 0, 0, 1}};
        s->source[i] = s->target[i];
        exact_vec3 turn = random_vec(state, 1);
        s->source[i].translation = random_vec(state, 2);
        s->source[i].moving = exact_add(random_vec(state, 5), s->source[i].translation, i % 2 ? -20 : 0);
        s->source[i].rotation = exact_exponential(turn);
        s->source[i].turning = exact_add((exact_vec3){0, 0, 0}, turn, i % 3 ? -14 : 2);
        s->source[i].weight = (double)random_float(state, -1, 1);
        s->source[i].gaining = (double)random_float(state, -20, 20);
    }
}

// An offset swings past its target by at most 0.1493 |V0| d, and is nowhere further away than |X0| + 0.1493 |V0| d.
static void check_swing(exact_vec3 offset, exact_vec3 start, exact_vec3 velocity) {
    double x0 = exact_length(start), past = most_overshoot() * exact_length(velocity) * DURATION;
    assert_true(exact_dot(offset, start) >= -past * x0 - 1e-5);
    assert_true(exact_length(offset) <= x0 + past + 1e-5);
}

static void offsets_swing_past_the_target_by_a_part_of_their_velocity(void **unused) {
    (void)unused;
    uint64_t state = 6;
    double most = 0;
    for (int round = 0; round < 200; round++) {
        scene s = {.f = make_fixture(&state)};
        set_closing(&s, &state);
        begin_scene(&s);
        for (int step = 0; step * 0.013 < DURATION; step++) {
            const double t = step * 0.013;
            show(&s, t);
            for (int i = 0; i < NODES; i++) {
                const way *from = &s.source[i];
                sinew_transform got = sinew_pose_get(s.f.shown, i);
                check_swing(exact_vec(got.translation), from->translation, from->moving);
                exact_vec3 turn = exact_logarithm(exact_rotation(got.rotation));
                check_swing(turn, exact_logarithm(from->rotation), from->turning);
                double past = -exact_dot(exact_vec(got.translation), from->translation) /
                              exact_dot(from->translation, from->translation);
                if (i % 2) most = fmax(most, past);
            }
            for (int32_t i = 0; i < s.f.skeleton->weight_count; i++) { // morph weights do not swing past it at all
                double source = s.source[i % NODES].weight;
                check_near(s.f.shown->weights[i], between((double)s.f.shown->weights[i], source, 0), 1e-6);
            }
        }
        free_fixture(&s.f);
    }
    // Of 20 times the difference in a second: where the velocity's part is the largest, at s = 0.3045, the start's part
    // is (1 - s)^3 (1 + 3 s + 9/4 s^2) of the difference.
    double s = (sqrt(31) - 1) / 15, start = pow(1 - s, 3) * (1 + 3 * s + 2.25 * s * s);
    assert_true(most > 20 * DURATION * most_overshoot() - start);
}

// |x| <= |X0| + 0.1493 |V0| d and |dx/dt| <= 1.730 |X0| / d + |V0|, and both are nearly reached.
static void offsets_stay_within_their_bounds(void **unused) {
    (void)unused;
    uint64_t state = 7;
    double most = 0, fastest = 0;
    const double ratios[5] = {-20, -1, 0, 1, 20}; // of velocity to distance
    for (int round = 0; round < 30; round++) {
        scene s = make_scene(&state);
        for (int i = 0; i < NODES; i++) {
            s.target[i] = (way){.scale = {1, 1, 1}, .rotation = {0, 0, 0, 1}};
            s.source[i].moving = exact_add((exact_vec3){0, 0, 0}, s.source[i].translation, ratios[i % 5]);
        }
        begin_scene(&s);
        const int frames = 100;
        exact_vec3 before[NODES];
        for (int k = 0; k <= frames; k++) {
            show(&s, DURATION * k / frames);
            for (int i = 0; i < NODES; i++) {
                double x0 = exact_length(s.source[i].translation), v0 = exact_length(s.source[i].moving);
                exact_vec3 x = exact_vec(sinew_pose_get(s.f.shown, i).translation);
                most = fmax(most, exact_length(x) / (x0 + most_overshoot() * v0 * DURATION + 1e-6));
                double speed = k > 0 ? exact_length(exact_add(x, before[i], -1)) / (DURATION / frames) : 0;
                fastest = fmax(fastest, speed / (1.730 * x0 / DURATION + v0 + 1e-3));
                before[i] = x;
            }
        }
        free_fixture(&s.f);
    }
    assert_true(most <= 1 && most > 0.9);
    assert_true(fastest <= 1 && fastest > 0.9);
}

// ---- Rotations -----------------------------------------------------------------------------------------------

// From just under half a turn to just over it, the shorter way back changes sides between the two poses.
static void half_a_turn_is_passed_at_its_speed(void **unused) {
    (void)unused;
    uint64_t state = 8;
    scene s = make_scene(&state);
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < NODES; i++) {
            double after = (double)random_float(&state, 1e-3f, 0.02f);
            set_apart(&s, &state, i, PI + after, (after + 0.02) / STEP);
        }
        begin_scene(&s);
        show(&s, 0);
        for (int i = 0; i < NODES; i++) check_near(pose_distance(s.f.shown, s.f.source, i), 0, 2e-6);
        const double later = 2e-3;
        show(&s, later);
        pose_at(s.f.source, s.source, later);
        for (int i = 0; i < NODES; i++) {
            double went = exact_length(s.source[i].turning) * later; // the wrong side: twice that, and more
            check_near(pose_distance(s.f.shown, s.f.source, i), 0,
                       0.1 * went + 20 * PI / 0.16 * 0.5 * later * later);
            check_near(exact_norm(exact_rotation(sinew_pose_get(s.f.shown, i).rotation)), 1, 1e-6);
        }
    }
    free_fixture(&s.f);
}

static void rotations_nearly_equal_or_opposite_meet(void **unused) {
    (void)unused;
    static const double angles[] = {0, 1e-30, 1e-9, 1e-7, 1e-4, PI - 1e-4, PI - 1e-7, PI, 2 * PI - 1e-6, 2 * PI};
    uint64_t state = 9;
    scene s = make_scene(&state);
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < NODES; i++) set_apart(&s, &state, i, angles[(round + i) % 10], 0);
        begin_scene(&s);
        for (int step = 0; step * 0.05 < 1.1 * DURATION; step++) {
            const double t = step * 0.05;
            show(&s, t);
            for (int i = 0; i < NODES; i++) {
                exact_quat got = exact_rotation(sinew_pose_get(s.f.shown, i).rotation);
                double part = quintic(1, 0, DURATION, t), apart = angles[(round + i) % 10];
                check_near(exact_norm(got), 1, 1e-6);
                // Still poses. Their float rotations may differ by rounding from frame to frame.
                check_near(exact_angle(got, s.target[i].rotation), part * fmin(apart, 2 * PI - apart), 1e-6);
            }
        }
        pose_at(s.f.source, s.source, 0);
        show(&s, 0);
        for (int i = 0; i < NODES; i++) check_near(pose_distance(s.f.shown, s.f.source, i), 0, 2e-6);
    }
    free_fixture(&s.f);
}

static void rotations_come_out_unit(void **unused) {
    (void)unused;
    uint64_t state = 15;
    scene s = make_scene(&state);
    begin_scene(&s);
    pose_at(s.f.shown, s.target, 0);
    for (int i = 0; i < NODES; i++) s.f.shown->rx[i] *= 1.01f, s.f.shown->rw[i] *= 0.99f;
    add(&s.f, 0.01);
    for (int i = 0; i < NODES; i++)
        check_near(exact_norm(exact_rotation(sinew_pose_get(s.f.shown, i).rotation)), 1, 1e-6);
    free_fixture(&s.f);
}

// From next to nothing to half a turn in one frame: whichever way that went, it is finite.
static void half_a_turn_from_nothing_is_finite(void **unused) {
    (void)unused;
    uint64_t state = 10;
    scene s = make_scene(&state);
    begin_scene(&s);
    for (int i = 0; i < NODES; i++) {
        s.f.target->rx[i] = s.f.target->ry[i] = s.f.target->rz[i] = 0, s.f.target->rw[i] = 1;
        s.f.source->ry[i] = s.f.source->rz[i] = s.f.source->rw[i] = 0, s.f.source->rx[i] = 1;
    }
    sinew_pose_copy(s.f.target_after, s.f.target);
    sinew_pose_copy(s.f.source_before, s.f.target);
    for (int i = 0; i < NODES; i++) s.f.source_before->rx[i] = -powf(10, (float)(-i - 1));
    begin(&s.f);
    for (int step = 0; step * 0.05 < DURATION; step++) {
        const double t = step * 0.05;
        sinew_pose_copy(s.f.shown, s.f.target);
        add(&s.f, t);
        for (int i = 0; i < NODES; i++) {
            check_near(exact_norm(exact_rotation(sinew_pose_get(s.f.shown, i).rotation)), 1, 1e-6);
        }
    }
    free_fixture(&s.f);
}

// ---- Limits --------------------------------------------------------------------------------------------------

// Source and target are the same now, and a frame ago the source was somewhere else altogether: it jumped.
static void jumps_are_not_taken_for_speeds(void **unused) {
    (void)unused;
    uint64_t state = 11;
    scene s = make_scene(&state);
    memcpy(s.source, s.target, sizeof s.source);
    for (int i = 0; i < NODES; i++) s.source[i].turning = s.source[i].growing = (exact_vec3){0, 0, 0};
    memcpy(s.target, s.source, sizeof s.source);
    begin_scene(&s);
    for (int i = 0; i < NODES; i++) {
        exact_quat jumped = exact_multiply(exact_exponential(random_vec(&state, PI)), s.source[i].rotation);
        sinew_transform t = sinew_pose_get(s.f.source_before, i);
        t.rotation = rounded(jumped);
        t.scale.y = i % 2 ? 0 : 40;
        sinew_pose_set(s.f.source_before, i, t);
    }
    for (int32_t i = 0; i < s.f.skeleton->weight_count; i++) s.f.source_before->weights[i] = i % 2 ? 9 : -9;
    begin(&s.f);
    double turned = 0, grown = 0, gained = 0;
    for (int step = 0; step < 100; step++) {
        const double t = step * (DURATION / 100);
        show(&s, t);
        for (int i = 0; i < NODES; i++) {
            sinew_transform got = sinew_pose_get(s.f.shown, i);
            turned = fmax(turned, exact_angle(exact_rotation(got.rotation), s.target[i].rotation));
            grown = fmax(grown, fabs((double)got.scale.y - s.target[i].scale.y) / s.target[i].scale.y);
        }
        for (int32_t i = 0; i < s.f.skeleton->weight_count; i++) {
            const way *w = &s.target[i % NODES];
            gained = fmax(gained, fabs((double)s.f.shown->weights[i] - w->weight - w->gaining * t));
        }
    }
    check_near(turned, PI / 2, 1e-3);
    check_near(grown, 0.5, 1e-3);
    check_near(gained, 0, 1e-6); // a weight that is its target is not moved
    free_fixture(&s.f);
}

static void without_a_way_offsets_start_at_rest(void **unused) {
    (void)unused;
    uint64_t state = 12;
    scene s = make_scene(&state);
    begin_scene(&s);
    sinew_pose_copy(s.f.source_before, s.f.source);
    sinew_pose_copy(s.f.target_after, s.f.target);
    begin(&s.f);
    show(&s, 0.1);
    for (int i = 0; i < NODES; i++) {
        exact_vec3 apart = exact_add(s.source[i].translation, s.target[i].translation, -1);
        exact_vec3 still = quintics(apart, (exact_vec3){0, 0, 0}, 0.1);
        exact_vec3 wanted = exact_add(exact_add(s.target[i].translation, s.target[i].moving, 0.1), still, 1);
        check_near(distance(sinew_pose_get(s.f.shown, i).translation, wanted), 0, 2e-6);
    }
    free_fixture(&s.f);
}

// A second transition in the middle of the first takes the shown pose for its source.
static void a_transition_interrupts_another_without_a_jump(void **unused) {
    (void)unused;
    uint64_t state = 13;
    scene s = make_scene(&state);
    for (int round = 0; round < 20; round++) {
        begin_scene(&s);
        show(&s, 0.1 - STEP);
        sinew_pose_copy(s.f.source_before, s.f.shown);
        show(&s, 0.1);
        sinew_pose_copy(s.f.source, s.f.shown);
        for (int i = 0; i < NODES; i++) s.target[i] = random_way(&state);
        pose_at(s.f.target, s.target, 0);
        pose_at(s.f.target_after, s.target, STEP);
        begin(&s.f);
        show(&s, 0);
        for (int i = 0; i < NODES; i++) check_near(pose_distance(s.f.shown, s.f.source, i), 0, 2e-6);
    }
    free_fixture(&s.f);
}

// ---- Bits ----------------------------------------------------------------------------------------------------

static void the_bits_are_the_same_everywhere(void **unused) {
    (void)unused;
    uint64_t state = 14, bits = BITS_NONE;
    fixture f = make_fixture(&state);
    for (int round = 0; round < 10; round++) {
        draw_pose(f.source, &state), draw_pose(f.source_before, &state);
        draw_pose(f.target, &state), draw_pose(f.target_after, &state);
        begin(&f);
        for (int i = 0; i < 10; i++) {
            sinew_pose_copy(f.shown, f.target);
            add(&f, i * 0.04);
            bits = add_bits_of_pose(bits, f.shown);
        }
    }
    check_bits(bits, UINT64_C(0x0fd483f0409b4edd));
    free_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_are_those_of_the_formula),
        cmocka_unit_test(a_transition_starts_with_the_source_and_its_velocity),
        cmocka_unit_test(a_transition_ends_on_the_bits_of_the_target),
        cmocka_unit_test(lanes_without_an_offset_keep_their_bits),
        cmocka_unit_test(without_a_difference_nothing_is_touched),
        cmocka_unit_test(offsets_swing_past_the_target_by_a_part_of_their_velocity),
        cmocka_unit_test(offsets_stay_within_their_bounds),
        cmocka_unit_test(half_a_turn_is_passed_at_its_speed),
        cmocka_unit_test(rotations_nearly_equal_or_opposite_meet),
        cmocka_unit_test(rotations_come_out_unit),
        cmocka_unit_test(half_a_turn_from_nothing_is_finite),
        cmocka_unit_test(jumps_are_not_taken_for_speeds),
        cmocka_unit_test(without_a_way_offsets_start_at_rest),
        cmocka_unit_test(a_transition_interrupts_another_without_a_jump),
        cmocka_unit_test(the_bits_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
