// SPDX-License-Identifier: MIT
// Parameters that are positions and rotations: how they're stored, how damped ones move, and how snapshots, other
// versions of the graph and wrong calls treat them.
#include "support/graph_stage.h"
#include "support/in_child.h"

#include <math.h>

#define STEP 0x1p-6f // seconds

// Transitions read a float that comes after them.
#define GOALS                                                                                                      \
    "{'sinewGraph':1,'parameters':{'look':{'type':'vector3','default':[1,-2,0.1],'range':[-3,3]},"                 \
    "'hand':{'type':'transform','space':'model','default':{'position':[9,0,-9],'rotation':[0,0,0.6,0.8003]}},"     \
    "'plain':{'type':'transform'},'slow':{'type':'vector3','damping':0.5,'range':[-2,20]},"                        \
    "'turn':{'type':'transform','damping':0.25},'speed':{'type':'float'}},'layers':[{'name':'Base','states':{"     \
    "'A':{'clip':'idle'},'B':{'clip':'walk'}},'transitions':[{'from':'A','to':'B','when':'speed > 1'}]}]}"

static graph_stage stage_of(const char *text) {
    char json[2048];
    size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i];
    return make_graph_stage(json);
}

static void advance(const graph_stage *s, int steps) {
    for (int i = 0; i < steps; i++) sinew_animator_advance(s->animator, STEP);
}

static sinew_vec3 vector_of(const graph_stage *s, const char *name) {
    return sinew_animator_vector3(s->animator, parameter_of(s, name));
}

static sinew_transform transform_of(const graph_stage *s, const char *name) {
    return sinew_animator_transform(s->animator, parameter_of(s, name));
}

static void set_vector(const graph_stage *s, const char *name, float x, float y, float z) {
    sinew_animator_set_vector3(s->animator, parameter_of(s, name), (sinew_vec3){x, y, z});
}

static void set_rotation(const graph_stage *s, const char *name, sinew_quat rotation) {
    sinew_animator_set_transform(s->animator, parameter_of(s, name), (sinew_vec3){0}, rotation);
}

static void check_quat(sinew_quat q, double x, double y, double z, double w, double tolerance) {
    check_near(q.x, x, tolerance);
    check_near(q.y, y, tolerance);
    check_near(q.z, z, tolerance);
    check_near(q.w, w, tolerance);
}

static sinew_quat negated(sinew_quat q) {
    return (sinew_quat){-q.x, -q.y, -q.z, -q.w};
}

// The rotation by an angle in degrees about z.
static sinew_quat z_turn(double degrees) {
    return about_z(degrees * (acos(-1) / 180));
}

// ---- Values --------------------------------------------------------------------------------------------------

static void test_initial_values(void **state) {
    (void)state;
    graph_stage s = stage_of(GOALS);
    const double length = sqrt(0.6 * 0.6 + 0.8003 * 0.8003);
    check_vec3(vector_of(&s, "look"), 1, -2, 0.1f, 0);
    check_vec3(vector_of(&s, "slow"), 0, 0, 0, 0);
    const sinew_transform hand = transform_of(&s, "hand"), plain = transform_of(&s, "plain");
    check_vec3(hand.translation, 9, 0, -9, 0);
    check_vec3(hand.scale, 1, 1, 1, 0);
    check_quat(hand.rotation, 0, 0, 0.6 / length, 0.8003 / length, 1e-7);
    check_vec3(plain.translation, 0, 0, 0, 0);
    check_quat(plain.rotation, 0, 0, 0, 1, 0);
    const sinew_graph_parameter *p = &s.graph->parameters[parameter_of(&s, "hand")];
    check_near(p->initial[6], hand.rotation.w, 0);
    assert_int_equal(p->space, SINEW_PARAMETER_SPACE_MODEL);
    assert_int_equal(s.graph->parameters[parameter_of(&s, "plain")].space, SINEW_PARAMETER_SPACE_WORLD);
    free_graph_stage(&s);
}

// The range is for positions. An undamped rotation keeps its sign, and a unit quaternion its bits.
static void test_setting(void **state) {
    (void)state;
    graph_stage s = stage_of(GOALS);
    set_vector(&s, "look", -4, 0.1f, 3.5f);
    check_vec3(vector_of(&s, "look"), -3, 0.1f, 3, 0);
    const int32_t hand = parameter_of(&s, "hand");
    sinew_animator_set_transform(s.animator, hand, (sinew_vec3){-1e9f, 2, 3}, (sinew_quat){0, -6, 0, -8});
    check_vec3(transform_of(&s, "hand").translation, -1e9f, 2, 3, 0);
    check_quat(transform_of(&s, "hand").rotation, 0, -0.6, 0, -0.8, 1e-7);
    set_rotation(&s, "hand", (sinew_quat){3e-30f, 0, 4e-30f, 0});
    check_quat(transform_of(&s, "hand").rotation, 0.6, 0, 0.8, 0, 1e-7);
    set_rotation(&s, "hand", (sinew_quat){0, 3e30f, 0, -4e30f});
    check_quat(transform_of(&s, "hand").rotation, 0, 0.6, 0, -0.8, 1e-7);
    uint64_t random = 11;
    for (int i = 0; i < 1000; i++) {
        const sinew_quat q = sinew_quat_normalize(random_quat(&random));
        set_rotation(&s, "hand", q);
        const sinew_quat stored = transform_of(&s, "hand").rotation;
        assert_memory_equal(&stored, &q, sizeof q);
    }
    free_graph_stage(&s);
}

// Conditions read the parameter they name, whatever comes before it.
static void test_other_parameters_are_read(void **state) {
    (void)state;
    graph_stage s = stage_of(GOALS);
    set_vector(&s, "look", 3, 3, 3);
    sinew_animator_set_transform(s.animator, parameter_of(&s, "turn"), (sinew_vec3){5, 5, 5}, z_turn(40));
    advance(&s, 4);
    check_leaf(&s, 0, "Base/A");
    sinew_animator_set_float(s.animator, parameter_of(&s, "speed"), 2);
    advance(&s, 1);
    check_leaf(&s, 0, "Base/B");
    free_graph_stage(&s);
}

// ---- Damping -------------------------------------------------------------------------------------------------

// A critically damped spring that starts at rest has (1 + a) e^-a of its way left, where a grows with time, and is such
// that half is left after the half-life.
static double part_left(double seconds, double half_life) {
    double low = 0, high = 10;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if ((1 + middle) * exp(-middle) > 0.5) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double a = low * seconds / half_life;
    return (1 + a) * exp(-a);
}

static void test_a_damped_position(void **state) {
    (void)state;
    graph_stage s = stage_of(GOALS);
    set_vector(&s, "slow", 10, -5, 0); // y is clamped to -2
    sinew_animator_set_transform(s.animator, parameter_of(&s, "turn"), (sinew_vec3){1, 0, -4}, z_turn(0));
    for (int i = 1; i <= 64; i++) {
        advance(&s, 1);
        const double left = part_left((double)i * (double)STEP, 0.5),
                     left_of_turn = part_left((double)i * (double)STEP, 0.25);
        check_vec3(vector_of(&s, "slow"), 10 * (1 - left), -2 * (1 - left), 0, 1e-5);
        check_vec3(transform_of(&s, "turn").translation, 1 - left_of_turn, 0, -4 * (1 - left_of_turn), 1e-5);
    }
    advance(&s, 1000);
    check_vec3(vector_of(&s, "slow"), 10, -2, 0, 0);
    free_graph_stage(&s);
}

// The coordinates are damped one by one. The result is normalized.
static void test_a_damped_rotation(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        graph_stage s = stage_of(GOALS);
        const sinew_quat target = z_turn(100);
        set_rotation(&s, "turn", sign < 0 ? negated(target) : target);
        check_quat(transform_of(&s, "turn").rotation, 0, 0, 0, 1, 0);
        for (int i = 1; i <= 64; i++) {
            advance(&s, 1);
            const double left = part_left((double)i * (double)STEP, 0.25);
            const double z = (double)target.z * (1 - left), w = left + (double)target.w * (1 - left);
            check_quat(transform_of(&s, "turn").rotation, 0, 0, z / hypot(z, w), w / hypot(z, w), 1e-5);
        }
        advance(&s, 1000);
        const sinew_quat end = transform_of(&s, "turn").rotation;
        assert_memory_equal(&end, &target, sizeof end);
        free_graph_stage(&s);
    }
}

// Turns all around in steps of 40 degrees. Each target has the sign nearest to the last one, not to the value, which is far
// behind. So the coordinates pass near 0, and the rotation is a unit quaternion all the same.
static void test_targets_follow_each_other(void **state) {
    (void)state;
    graph_stage s = stage_of(GOALS);
    for (int i = 1; i <= 9; i++) set_rotation(&s, "turn", i % 2 == 0 ? z_turn(40 * i) : negated(z_turn(40 * i)));
    for (int i = 1; i <= 64; i++) {
        advance(&s, 1);
        const double left = part_left((double)i * (double)STEP, 0.25), w = left - (1 - left);
        const sinew_quat q = transform_of(&s, "turn").rotation;
        check_quat(q, 0, 0, 0, w < 1e-6 ? -1 : 1, 1e-5);
    }
    free_graph_stage(&s);
}

// Half of the way from a rotation to its negative is 0, which has no direction: the target's rotation is given.
static void test_a_rotation_without_direction(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'parameters':{'turn':{'type':'transform','damping':0.25}},'layers':[{"
                             "'name':'Base','states':{'A':{}}}]}");
    const size_t size = sinew_animator_snapshot_size(s.animator);
    char *memory = malloc(size);
    for (int i = 1; i <= 3; i++) set_rotation(&s, "turn", z_turn(120 * i)); // the target is -1
    double low = 0, high = 1;
    for (int i = 0; i < 40; i++) { // times when w is 0
        const double middle = (low + high) / 2;
        if (part_left(middle, 0.25) > 0.5) {
            low = middle;
        } else {
            high = middle;
        }
    }
    sinew_animator_save(s.animator, memory);
    for (int i = -6; i <= 6; i++) {
        assert_true(sinew_animator_restore(s.animator, memory, size));
        float time = (float)low;
        for (int k = 0; k < abs(i); k++) time = nextafterf(time, i < 0 ? 0.0f : 1.0f);
        sinew_animator_advance(s.animator, time);
        const sinew_quat q = transform_of(&s, "turn").rotation;
        check_quat(q, 0, 0, 0, -1, 1e-6);
    }
    free(memory);
    free_graph_stage(&s);
}

// ---- Snapshots, hashes and adopting --------------------------------------------------------------------------

static void set_inputs(const graph_stage *s, uint64_t *random) {
    set_vector(s, "look", random_float(random, -3, 3), 1, random_float(random, -3, 3));
    set_vector(s, "slow", random_float(random, -3, 3), random_float(random, -3, 3), 2);
    const sinew_vec3 at = {random_float(random, -3, 3), 0, random_float(random, -3, 3)};
    sinew_animator_set_transform(s->animator, parameter_of(s, "hand"), at, random_quat(random));
    sinew_animator_set_transform(s->animator, parameter_of(s, "turn"), at, random_quat(random));
}

static void test_a_snapshot_has_them(void **state) {
    (void)state;
    graph_stage s = stage_of(GOALS);
    const size_t size = sinew_animator_snapshot_size(s.animator);
    char *memory = malloc(size);
    uint64_t random = 7;
    set_inputs(&s, &random);
    advance(&s, 3);
    sinew_animator_save(s.animator, memory);
    const uint64_t saved = sinew_animator_hash(s.animator);
    const sinew_transform turn = transform_of(&s, "turn");
    const sinew_vec3 look = vector_of(&s, "look");
    advance(&s, 5);
    const uint64_t later = sinew_animator_hash(s.animator);
    set_inputs(&s, &random);
    advance(&s, 3);
    assert_true(sinew_animator_restore(s.animator, memory, size));
    assert_true(sinew_animator_hash(s.animator) == saved);
    const sinew_transform restored = transform_of(&s, "turn");
    const sinew_vec3 restored_look = vector_of(&s, "look");
    assert_memory_equal(&restored, &turn, sizeof turn);
    assert_memory_equal(&restored_look, &look, sizeof look);
    advance(&s, 5);
    assert_true(sinew_animator_hash(s.animator) == later);
    free(memory);
    free_graph_stage(&s);
}

static void test_every_number_is_hashed(void **state) {
    (void)state;
    graph_stage s = stage_of(GOALS);
    const int32_t hand = parameter_of(&s, "hand");
    sinew_vec3 at = {1, 2, 3};
    sinew_quat turn = {0.5f, 0.5f, 0.5f, 0.5f};
    float *const numbers[7] = {&at.x, &at.y, &at.z, &turn.x, &turn.y, &turn.z, &turn.w};
    sinew_animator_set_transform(s.animator, hand, at, turn);
    const uint64_t hash = sinew_animator_hash(s.animator);
    for (int i = 0; i < 7; i++) {
        *numbers[i] = -*numbers[i];
        sinew_animator_set_transform(s.animator, hand, at, turn);
        assert_true(sinew_animator_hash(s.animator) != hash);
        *numbers[i] = -*numbers[i];
        sinew_animator_set_transform(s.animator, hand, at, turn);
        assert_true(sinew_animator_hash(s.animator) == hash);
    }
    set_vector(&s, "look", 1, -2, 0.2f); // was 0.1
    assert_true(sinew_animator_hash(s.animator) != hash);
    free_graph_stage(&s);
}

// A snapshot belongs to a graph with the same spaces.
static void test_spaces_are_in_the_fingerprint(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'parameters':{'p':{'type':'vector3','space':'world'}},'layers':[{"
                             "'name':'Base','states':{'A':{}}}]}"),
                other = stage_of("{'sinewGraph':1,'parameters':{'p':{'type':'vector3','space':'model'}},'layers':"
                                 "[{'name':'Base','states':{'A':{}}}]}");
    assert_true(sinew_animator_hash(s.animator) != sinew_animator_hash(other.animator));
    free_graph_stage(&s);
    free_graph_stage(&other);
}

// Another version of the graph: goals of the same name and type continue in place, with their velocities. The target
// of "turn" keeps the sign from the last turn. With the other sign, it would go the long way.
static void test_adopting(void **state) {
    (void)state;
    graph_stage old = stage_of(GOALS);
    set_vector(&old, "look", 2, 0, -1);
    set_vector(&old, "slow", 8, 1, -1);
    sinew_animator_set_transform(old.animator, parameter_of(&old, "hand"), (sinew_vec3){1, 2, 3}, z_turn(77));
    for (int i = 1; i <= 8; i++) set_rotation(&old, "turn", z_turn(40 * i));
    advance(&old, 30);
    graph_stage s = old;
    s.animator = make_animator(s.binding);
    sinew_animator_adopt(s.animator, old.animator, 0.1f);
    check_vec3(vector_of(&s, "look"), 2, 0, -1, 0);
    for (int i = 0; i < 30; i++) {
        const sinew_vec3 slow = vector_of(&old, "slow");
        const sinew_transform hand = transform_of(&old, "hand"), turn = transform_of(&old, "turn");
        check_vec3(vector_of(&s, "slow"), slow.x, slow.y, slow.z, 0);
        const sinew_transform own = transform_of(&s, "hand");
        assert_memory_equal(&own, &hand, sizeof hand);
        const sinew_transform own_turn = transform_of(&s, "turn");
        assert_memory_equal(&own_turn, &turn, sizeof turn);
        advance(&s, 1);
        advance(&old, 1);
    }
    sinew_animator_destroy(s.animator);
    free_graph_stage(&old);
}

// ---- Wrong calls ---------------------------------------------------------------------------------------------

typedef struct wrong_call {
    const graph_stage *stage;
    const char *parameter;
    sinew_vec3 position, expected;
    sinew_quat rotation, expected_rotation;
} wrong_call;

static bool is_equal(const float *a, const float *b, int count) {
    for (int i = 0; i < count; i++)
        if (!(a[i] == b[i])) return false;
    return true;
}

static int set_wrong_transform(void *data) {
    const wrong_call *call = data;
    sinew_animator *animator = call->stage->animator;
    const int32_t parameter = parameter_of(call->stage, call->parameter);
    sinew_animator_set_transform(animator, parameter, call->position, call->rotation);
    const sinew_transform t = sinew_animator_transform(animator, parameter);
    return is_equal(&t.translation.x, &call->expected.x, 3) &&
                   is_equal(&t.rotation.x, &call->expected_rotation.x, 4)
               ? 0
               : 1;
}

static int set_wrong_vector(void *data) {
    const wrong_call *call = data;
    sinew_animator *animator = call->stage->animator;
    const int32_t parameter = parameter_of(call->stage, call->parameter);
    sinew_animator_set_vector3(animator, parameter, call->position);
    const sinew_vec3 v = sinew_animator_vector3(animator, parameter);
    return is_equal(&v.x, &call->expected.x, 3) ? 0 : 1;
}

static void test_wrong_calls(void **state) {
    (void)state;
#ifdef NDEBUG
    const int expected = 0;
#else
    const int expected = -SIGABRT;
#endif
    graph_stage s = stage_of(GOALS);
    const sinew_quat identity = {0, 0, 0, 1}, half = {0.5f, 0.5f, 0.5f, 0.5f};
    const wrong_call transforms[] = {
        {&s, "plain", {NAN, 1, 2}, {0, 1, 2}, half, half},
        {&s, "plain", {1, -INFINITY, NAN}, {1, 0, 0}, half, half},
        {&s, "plain", {1, 2, 3}, {1, 2, 3}, {0, 0, 0, 0}, identity},
        {&s, "plain", {1, 2, 3}, {1, 2, 3}, {NAN, NAN, NAN, NAN}, identity},
        {&s, "plain", {1, 2, 3}, {1, 2, 3}, {INFINITY, 0, -1, 0}, {0, 0, -1, 0}},
        {&s, "look", {1, 2, 3}, {0, 0, 0}, half, identity},
    };
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++) {
        wrong_call call = transforms[i];
        assert_int_equal(run_in_child(set_wrong_transform, &call), expected);
    }
    const wrong_call vectors[] = {
        {.stage = &s, .parameter = "look", .position = {1, NAN, 2}, .expected = {1, 0, 2}},
        {.stage = &s, .parameter = "look", .position = {INFINITY, 1, 2}, .expected = {0, 1, 2}},
        {.stage = &s, .parameter = "plain", .position = {1, 1, 2}, .expected = {0, 0, 0}},
        {.stage = &s, .parameter = "speed", .position = {1, 1, 2}, .expected = {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        wrong_call call = vectors[i];
        assert_int_equal(run_in_child(set_wrong_vector, &call), expected);
    }
    free_graph_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_setting),
        cmocka_unit_test(test_other_parameters_are_read),
        cmocka_unit_test(test_a_damped_position),
        cmocka_unit_test(test_a_damped_rotation),
        cmocka_unit_test(test_targets_follow_each_other),
        cmocka_unit_test(test_a_rotation_without_direction),
        cmocka_unit_test(test_a_snapshot_has_them),
        cmocka_unit_test(test_every_number_is_hashed),
        cmocka_unit_test(test_spaces_are_in_the_fingerprint),
        cmocka_unit_test(test_adopting),
        cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
