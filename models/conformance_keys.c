// conformance_keys.c - cases about keys: interpolation, times, single keys, ignored channels.
#include "conformance.h"

/// Rotations as rows of four numbers.
static void put_quat(double *row, quat q, double sign) {
    row[0] = sign * q.x;
    row[1] = sign * q.y;
    row[2] = sign * q.z;
    row[3] = sign * q.w;
}

/// Adds a node 1 m from a rotating one, so that its position shows the rotation.
static int add_arm(document *d) {
    int pivot = add_node(d, NULL, NONE);
    move(d, add_node(d, NULL, pivot), 1, 0, 0);
    return pivot;
}

/// Adds two rotation keys at 0 s and 1 s, and an arm that they rotate.
static void add_turn(document *d, int clip_index, int times, quat from, quat to, double sign) {
    double keys[8];
    put_quat(keys, from, 1);
    put_quat(keys + 4, to, sign);
    add_channel(d, clip_index, add_arm(d), ROTATION, LINEAR, times, add_floats(d, 4, 2, keys));
}

// ---- STEP and LINEAR ----

static void step_holds(document *d) {
    double turns[12];
    for (int i = 0; i < 3; i++) {
        put_quat(turns + 4 * (size_t)i, q_axis(v3(1, 2, 2), (20 + 70 * i) * DEG), 1);
    }
    int times = add_times(d, 3, (const double[]){0.5, 1, 2}), c = add_clip(d, "steps");
    int moves = add_floats(d, 3, 3, (const double[]){1, 0, 0, 0, 2, 0, 0, 0, 3});
    int scales = add_floats(d, 3, 3, (const double[]){1, 2, 3, 2, 2, 2, 0.5, 1, 0.25});
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, STEP, times, moves);
    add_channel(d, c, add_arm(d), ROTATION, STEP, times, add_floats(d, 4, 3, turns));
    add_channel(d, c, add_node(d, NULL, NONE), SCALE, STEP, times, scales);
    expect_poses(d, c, 8, (const double[]){0, 0.5, 0.75, 0.99999994, 1, 1.5, 2, 3});
}

/// 31 keys at 25 a second, which floats cannot space evenly. Tests times at keys, and the last floats before them.
static void step_even(document *d) {
    double seconds[31], moves[93] = {0}, asked[12];
    for (int i = 0; i < 31; i++) {
        seconds[i] = i / 25.0;
        moves[3 * i] = i;
    }
    int times = add_times(d, 31, seconds), c = add_clip(d, "frames");
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, STEP, times, add_floats(d, 3, 31, moves));
    for (int i = 0; i < 6; i++) {
        float key = (float)seconds[5 * i + 3];
        asked[2 * i] = (double)nextafterf(key, 0.0F);
        asked[2 * i + 1] = (double)key;
    }
    expect_poses(d, c, 12, asked);
}

static void linear_moves(document *d) {
    int times = add_times(d, 3, (const double[]){0, 0.5, 2}), c = add_clip(d, "straight");
    int moves = add_floats(d, 3, 3, (const double[]){0, 0, 0, 1, -2, 0.5, 1, 4, -1});
    int scales = add_floats(d, 3, 3, (const double[]){1, 1, 1, 3, 0.5, 1, 1, 2, -1});
    int n = add_node(d, NULL, NONE);
    add_channel(d, c, n, TRANSLATION, LINEAR, times, moves);
    add_channel(d, c, n, SCALE, LINEAR, times, scales);
    expect_poses(d, c, 7, (const double[]){-0.25, 0, 0.125, 0.5, 1.25, 2, 5});
    expect_z_up(d, c, 0.875);
}

static void unsaid_is_linear(document *d) {
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, NULL);
    int moves = add_floats(d, 3, 2, (const double[]){0, 0, 0, 4, 0, 0});
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, UNSAID, times, moves);
    expect_poses(d, c, 3, (const double[]){0, 0.25, 1});
}

// ---- rotations ----

static void shorter_arc(document *d) {
    double keys[16];
    for (int i = 0; i < 4; i++) {
        put_quat(keys + 4 * (size_t)i, q_z(50 * i * DEG), i % 2 ? -1 : 1);
    }
    int times = add_times(d, 4, (const double[]){0, 1, 2, 3}), c = add_clip(d, "turn");
    add_channel(d, c, add_arm(d), ROTATION, LINEAR, times, add_floats(d, 4, 4, keys));
    expect_poses(d, c, 7, (const double[]){0, 0.5, 1, 1.25, 2, 2.75, 3});
}

static void no_lerp(document *d) {
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "turn");
    quat from = q_axis(v3(1, 1, 0), 20 * DEG);
    add_turn(d, c, times, from, q_mul(q_axis(v3(0, 1, 2), 170 * DEG), from), 1);
    expect_poses(d, c, 6, (const double[]){0.0625, 0.125, 0.25, 0.375, 0.625, 0.9375});
}

static void nearly_opposite(document *d) {
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "turn");
    quat from = q_axis(v3(1, 2, 3), 40 * DEG);
    add_turn(d, c, times, from, q_mul(q_z(0.001), from), -1);
    add_turn(d, c, times, from, q_mul(q_z(179 * DEG), from), 1);
    add_turn(d, c, times, from, q_mul(q_z(181 * DEG), from), 1);
    expect_poses(d, c, 4, (const double[]){0.125, 0.25, 0.5, 0.875});
}

static void nearly_equal(document *d) {
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "turn");
    quat from = q_axis(v3(2, 1, 2), 75 * DEG);
    add_turn(d, c, times, from, from, 1);
    add_turn(d, c, times, from, from, -1);
    add_turn(d, c, times, from, q_mul(q_x(1e-4), from), 1);
    add_turn(d, c, times, from, q_mul(q_x(0.01), from), 1);
    expect_poses(d, c, 3, (const double[]){0, 0.5, 0.75});
}

// ---- CUBICSPLINE: in-tangent, value, out-tangent for each key ----

static void cubic_interval(document *d) {
    const double moves[] = {0, 0, 0, 0, 0, 0, 4, 0, -2, 2, 1, 0, 1, 1, 0, 2, 0, 1, -3, 0, 0, 0, 2, 1, 0, 0, 0};
    const double scales[] = {0, 0, 0, 1, 1, 1, 2, 0, 1, 0, 1, 0, 2, 1, 1, 0, -1, 0, 1, 0, 0, 1, 2, 1, 0, 0, 0};
    int times = add_times(d, 3, (const double[]){0, 0.5, 2.5}), c = add_clip(d, "spline");
    int n = add_node(d, NULL, NONE);
    add_channel(d, c, n, TRANSLATION, CUBICSPLINE, times, add_floats(d, 3, 9, moves));
    add_channel(d, c, n, SCALE, CUBICSPLINE, times, add_floats(d, 3, 9, scales));
    expect_poses(d, c, 8, (const double[]){-1, 0, 0.125, 0.25, 0.5, 1.25, 2.5, 4});
}

static void cubic_order(document *d) {
    const double moves[] = {9, 9, 9, 0, 0, 0, 8, 0, 0, 0, -8, 0, 1, 1, 0, 7, 7, 7};
    int times = add_times(d, 2, (const double[]){1, 2}), c = add_clip(d, "spline");
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, CUBICSPLINE, times, add_floats(d, 3, 6, moves));
    expect_poses(d, c, 6, (const double[]){0, 1, 1.25, 1.5, 2, 3});
}

static void cubic_normalised(document *d) {
    double keys[24] = {0, 0, 0, 0, [8] = 2, -1, 0.5, 3, 0, 2, 1, -2};
    put_quat(keys + 4, q_axis(v3(1, 0, 1), 30 * DEG), 1);
    put_quat(keys + 16, q_axis(v3(0, 1, 1), 100 * DEG), 1);
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "spline");
    add_channel(d, c, add_arm(d), ROTATION, CUBICSPLINE, times, add_floats(d, 4, 6, keys));
    expect_poses(d, c, 5, (const double[]){0, 0.25, 0.5, 0.75, 1});
    expect_z_up(d, c, 0.25);
}

static void cubic_keeps_signs(document *d) {
    double keys[24] = {0};
    put_quat(keys + 4, q_y(20 * DEG), 1);
    put_quat(keys + 16, q_y(80 * DEG), -1);
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "spline");
    add_channel(d, c, add_arm(d), ROTATION, CUBICSPLINE, times, add_floats(d, 4, 6, keys));
    expect_poses(d, c, 5, (const double[]){0, 0.125, 0.25, 0.75, 1});
}

// ---- single keys ----

static void add_single_keys(document *d, enum interpolation interpolation, const double *moves, const double *turns,
                            const double *scales, int rows) {
    int times = add_times(d, 1, (const double[]){0.5}), c = add_clip(d, "still"), n = add_arm(d);
    add_channel(d, c, n, TRANSLATION, interpolation, times, add_floats(d, 3, rows, moves));
    add_channel(d, c, n, ROTATION, interpolation, times, add_floats(d, 4, rows, turns));
    add_channel(d, c, n, SCALE, interpolation, times, add_floats(d, 3, rows, scales));
    expect_poses(d, c, 3, (const double[]){0, 0.5, 1});
}

static void single_key_linear(document *d) {
    add_single_keys(d, LINEAR, (const double[]){1, 2, 3}, (const double[]){0, 0, 0.6, 0.8},
                    (const double[]){1, 2, 4}, 1);
}

static void single_key_step(document *d) {
    add_single_keys(d, STEP, (const double[]){3, 2, 1}, (const double[]){0.6, 0, 0, 0.8}, (const double[]){4, 2, 1},
                    1);
}

static void single_key_cubic(document *d) {
    add_single_keys(d, CUBICSPLINE, (const double[]){9, 9, 9, 1, 2, 3, 8, 8, 8},
                    (const double[]){1, 0, 0, 0, 0, 0.8, 0, 0.6, 0, 0, 1, 0},
                    (const double[]){9, 9, 9, 2, 3, 1, 8, 8, 8}, 3);
}

static void zero_length(document *d) {
    int times = add_times(d, 1, (const double[]){0}), c = add_clip(d, "pose");
    int moves = add_floats(d, 3, 1, (const double[]){1, 2, 3});
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, times, moves);
    expect_rest(d);
    expect_poses(d, c, 3, (const double[]){-1, 0, 1});
}

// ---- times ----

static void times_differ(document *d) {
    int early = add_times(d, 2, (const double[]){0.25, 1}), late = add_times(d, 2, (const double[]){0.5, 2});
    int last = add_times(d, 1, (const double[]){3}), c = add_clip(d, "ragged");
    int moves = add_floats(d, 3, 2, (const double[]){1, 0, 0, 3, 0, 0});
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, early, moves);
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, late, moves);
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, last,
                add_floats(d, 3, 1, (const double[]){0, 0, 5}));
    expect_poses(d, c, 7, (const double[]){0, 0.25, 0.5, 1, 1.5, 2, 3});
}

static void uneven_times(document *d) {
    const double seconds[] = {0, 0.0625, 0.125, 0.875, 1, 1.0625, 3, 3.25, 4};
    const double moves[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 3, 0, 0, 0, 3, 0, 1, 1, 1};
    int times = add_times(d, 9, seconds), c = add_clip(d, "uneven");
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, times, add_floats(d, 3, 9, moves));
    expect_poses(d, c, 10, (const double[]){3.125, 0.03125, 4, 0.5, 2, 0.0625, 3.75, 1.03125, 0.9375, 0});
}

static void shared_keys(document *d) {
    int times = add_times(d, 3, (const double[]){0, 0.25, 1}),
        again = add_times(d, 3, (const double[]){0, 0.25, 1});
    int other = add_times(d, 3, (const double[]){0, 0.75, 1}), c = add_clip(d, "shared");
    int moves = add_floats(d, 3, 3, (const double[]){0, 0, 0, 1, 0, 0, 0, 2, 0});
    const int given[] = {times, times, again, other};
    for (int i = 0; i < 4; i++) {
        add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, given[i], moves);
    }
    expect_poses(d, c, 5, (const double[]){0.125, 0.25, 0.5, 0.75, 0.875});
}

// ---- clips and channels ----

static void rest_without_channel(document *d) {
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "slide"), n = add_arm(d);
    move(d, n, 5, 0, 0);
    turn(d, n, q_y(60 * DEG));
    stretch(d, n, 2, 1, 1);
    int still = add_node(d, NULL, n);
    move(d, still, 0, 1, 0);
    turn(d, still, q_x(45 * DEG));
    add_channel(d, c, n, TRANSLATION, LINEAR, times, add_floats(d, 3, 2, (const double[]){0, 0, 0, 0, 4, 0}));
    int other = add_clip(d, "grow");
    add_channel(d, other, still, SCALE, LINEAR, times, add_floats(d, 3, 2, (const double[]){1, 1, 1, 3, 3, 3}));
    expect_rest(d);
    expect_poses(d, c, 2, (const double[]){0, 0.5});
    expect_poses(d, other, 2, (const double[]){0, 0.5});
}

static void without_node(document *d) {
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "half");
    int moves = add_floats(d, 3, 2, (const double[]){0, 0, 0, 0, 4, 0});
    add_node(d, NULL, NONE);
    add_channel(d, c, NONE, TRANSLATION, LINEAR, times, add_floats(d, 3, 2, (const double[]){7, 7, 7, 7, 7, 7}));
    add_channel(d, c, add_node(d, NULL, NONE), TRANSLATION, LINEAR, times, moves);
    expect_poses(d, c, 2, (const double[]){0, 0.5});
}

static const conformance_case cases[] = {
    {"step-holds-the-key-before.gltf", "STEP for T, R and S",
     "using the previous key at a key's exact time; interpolating; starting at 0", step_holds, false},
    {"step-even-keys.gltf", "STEP at evenly spaced keys and just before them",
     "rounding to the wrong key when computing it from the time", step_even, false},
    {"linear-translation-scale.gltf", "LINEAR with uneven keys, clamped outside them",
     "extrapolating; assuming even keys", linear_moves, false},
    {"interpolation-unsaid-is-linear.gltf", "a sampler without `interpolation`", "using STEP", unsaid_is_linear,
     false},
    {"slerp-shorter-arc.gltf", "quaternions that change sign from key to key", "interpolating along the longer arc",
     shorter_arc, false},
    {"slerp-is-no-lerp.gltf", "rotation keys 170 degrees apart", "using nlerp, which is up to 7 degrees off",
     no_lerp, false},
    {"slerp-nearly-opposite.gltf", "nearly opposite quaternions, and rotations around half a turn",
     "acos without a sign check; choosing lerp by the signed dot product", nearly_opposite, false},
    {"slerp-nearly-equal.gltf", "equal and nearly equal rotation keys", "dividing by the sine of 0", nearly_equal,
     false},
    {"cubic-tangents-times-interval.gltf", "CUBICSPLINE T and S with intervals of 0.5 s and 2 s",
     "not scaling tangents by the interval", cubic_interval, false},
    {"cubic-in-value-out.gltf", "the order of a CUBICSPLINE key: in-tangent, value, out-tangent",
     "swapping tangents; reading the first in-tangent or the last out-tangent", cubic_order, false},
    {"cubic-rotation-is-normalised.gltf", "a CUBICSPLINE rotation that is far from unit between keys",
     "not normalizing; using slerp", cubic_normalised, false},
    {"cubic-rotation-keeps-signs.gltf", "CUBICSPLINE rotation keys in opposite hemispheres",
     "negating a key like slerp, which its tangents don't match", cubic_keeps_signs, false},
    {"single-key-linear.gltf", "one LINEAR key", "looking for a second key", single_key_linear, false},
    {"single-key-step.gltf", "one STEP key", "using the rest pose before it; looking for a second key",
     single_key_step, false},
    {"single-key-cubic.gltf", "one CUBICSPLINE key", "reading its in-tangent", single_key_cubic, true},
    {"zero-length.gltf", "a clip whose only key is at 0 s", "dividing by the duration", zero_length, false},
    {"times-start-late-and-differ.gltf", "channels that start late, at different times",
     "stretching channels to the clip; using the first channel's duration; subtracting the start", times_differ,
     false},
    {"uneven-times-any-order.gltf", "seeks in both directions over uneven keys",
     "a cached key that only moves forward; assuming even keys", uneven_times, false},
    {"shared-samplers.gltf", "shared samplers, equal times in two accessors, times that differ in one key",
     "merging timelines by count, first and last key", shared_keys, false},
    {"rest-without-channel.gltf", "properties without a channel, also next to an animated T",
     "using identity; keeping the previous clip's value", rest_without_channel, false},
    {"channel-without-node.gltf", "a channel whose target has no node", "moving node 0", without_node, false},
};

const conformance_group key_cases = {"Keys", cases, sizeof cases / sizeof cases[0]};
