// SPDX-License-Identifier: MIT
// Curves in animation graphs: which pose a condition reads, even if the program doesn't evaluate it, and layer
// weights. tests/graph also compares random graphs with an interpreter written from the documentation.
#include "support/check.h"
#include "core/mixer_interface.h"

#include <sinew/all.h>

#include <stdio.h>

#define STEP 0x1p-6f // seconds; times are multiples of it, so sums are exact

enum { GRIP, REACH, CURVES };
enum { IDLE, HOLD, SLIDE, REACHING, CLIPS };

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[CLIPS];
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *animator;
} stage;

static sinew_skeleton *make_skeleton(void) {
    static const char *const curves[CURVES] = {"Grip", "Reach"};
    static const float rest[CURVES] = {0.0f, 0.25f};
    const sinew_node_def nodes[2] = {{.name = "Root", .parent = -1, .rest = sinew_transform_identity()},
                                     {.name = "Hand", .parent = 0, .rest = sinew_transform_identity()}};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 2;
    def.nodes = nodes;
    def.curve_count = CURVES;
    def.curve_names = curves;
    def.rest_curves = rest;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// A clip of 1 second that slides the root and has one curve of two keys.
static sinew_clip *make_curve_clip(const sinew_skeleton *skeleton, const char *name, int32_t curve,
                                   sinew_interpolation interpolation, float turn, float last) {
    const float ends[2] = {0.0f, 1.0f}, slide[6] = {0, 0, 0, 1, 0, 0}, times[2] = {0.0f, turn},
                keys[2] = {0.0f, last};
    const sinew_channel_def channels[2] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, ends, slide},
        {curve, SINEW_TARGET_CURVE, interpolation, 2, times, keys},
    };
    sinew_clip_def def = sinew_clip_default();
    def.name = name;
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = last != 0.0f ? 2 : 1;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

// Texts have ' for " of JSON, and ` for a quote in a condition.
static sinew_result read_text(const char *text, sinew_graph **graph, sinew_error *error) {
    char json[4096];
    const size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i] == '`' ? '\'' : text[i];
    return sinew_graph_load_memory(json, length, NULL, graph, error);
}

static const sinew_clip *find_clip(const char *name, void *user) {
    const stage *s = (const stage *)user;
    for (int i = 0; i < CLIPS; i++)
        if (strcmp(s->clips[i]->name, name) == 0) return s->clips[i];
    return NULL;
}

static sinew_graph_binding_def binding_def_of(const stage *s) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = s->graph;
    def.skeleton = s->skeleton;
    def.find_clip = find_clip;
    def.user = (void *)(uintptr_t)s;
    return def;
}

static sinew_animator *make_animator(const stage *s) {
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.inertialization = true;
    sinew_animator_def def = sinew_animator_default();
    def.binding = s->binding;
    def.mixer = &mixer;
    sinew_animator *animator;
    sinew_error error;
    if (sinew_animator_create(&def, &animator, &error) != SINEW_OK) fail_msg("%s", error.message);
    return animator;
}

static stage *make_stage(const char *text) {
    stage *s = (stage *)calloc(1, sizeof *s);
    s->skeleton = make_skeleton();
    s->clips[IDLE] = make_curve_clip(s->skeleton, "idle", GRIP, SINEW_INTERPOLATION_STEP, 0.5f, 0.0f);
    s->clips[HOLD] = make_curve_clip(s->skeleton, "hold", GRIP, SINEW_INTERPOLATION_STEP, 0.5f, 1.0f);
    s->clips[SLIDE] = make_curve_clip(s->skeleton, "slide", GRIP, SINEW_INTERPOLATION_LINEAR, 1.0f, 1.0f);
    s->clips[REACHING] = make_curve_clip(s->skeleton, "reach", REACH, SINEW_INTERPOLATION_LINEAR, 1.0f, -1.0f);
    sinew_error error;
    if (read_text(text, &s->graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_graph_binding_def def = binding_def_of(s);
    if (sinew_graph_bind(&def, &s->binding, &error) != SINEW_OK) fail_msg("%s", error.message);
    s->animator = make_animator(s);
    return s;
}

static void free_stage(stage *s) {
    sinew_animator_destroy(s->animator);
    sinew_graph_binding_destroy(s->binding);
    sinew_graph_destroy(s->graph);
    for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
    free(s);
}

static sinew_mixer *mixer_of(const sinew_animator *animator) {
    return sinew_animator_mixer(animator);
}

// A frame of a program that draws, and of one that does not.
static void draw_frame(sinew_animator *animator) {
    sinew_animator_update(animator, STEP);
}

static void serve_frame(sinew_animator *animator) {
    sinew_animator_advance(animator, STEP);
    sinew_mixer_advance(mixer_of(animator), STEP);
}

// The number of frames until a layer's leaf changes; -1: 256 are not enough.
static int frames_until_change(sinew_animator *animator, void (*frame)(sinew_animator *animator)) {
    const int32_t first = sinew_animator_state(animator, 0);
    for (int i = 1; i <= 256; i++) {
        frame(animator);
        if (sinew_animator_state(animator, 0) != first) return i;
    }
    return -1;
}

static float weight_of_upper(const sinew_animator *animator) {
    return sinew_layer_weight(mixer_of(animator), 1);
}

#define BASE(states, transitions)                                                                                  \
    "{'sinewGraph':1,'layers':[{'name':'Base','states':{" states "},'transitions':[" transitions "]}]}"

// ---- Which pose ----------------------------------------------------------------------------------------------

// Frame 32 reaches the key at 0.5 s and draws it. The conditions of frame 33 see it, like a marker.
static void test_the_frame_after_the_pose_has_the_value(void **state) {
    (void)state;
    stage *s = make_stage(
        BASE("'A':{'clip':'hold'},'B':{'clip':'idle'}", "{'from':'A','to':'B','when':'curve(`Grip`) == 1'}"));
    assert_int_equal(frames_until_change(s->animator, draw_frame), 33);
    free_stage(s);
}

static void test_a_server_takes_the_same_transitions(void **state) {
    (void)state;
    stage *s = make_stage(
        BASE("'A':{'clip':'hold'},'B':{'clip':'idle'}", "{'from':'A','to':'B','when':'curve(`Grip`) == 1'}"));
    assert_int_equal(frames_until_change(s->animator, serve_frame), 33);
    free_stage(s);
}

// Before the first step, the pose is the entry state's start.
static void test_the_first_frame_has_the_pose_of_the_entry(void **state) {
    (void)state;
    stage *s = make_stage(BASE("'A':{'clip':'slide','speed':-1},'B':{'clip':'idle'}",
                               "{'from':'A','to':'B','when':'curve(`Grip`) == 1'}"));
    assert_int_equal(frames_until_change(s->animator, draw_frame), 1);
    free_stage(s);
}

// After 8 of 16 frames of a linear fade the value is half of 1: the pose of frame 9 from the state's entry has 0.5.
static void test_a_fade_is_read_as_it_is_drawn(void **state) {
    (void)state;
    stage *s = make_stage(BASE("'A':{'clip':'idle'},'B':{'clip':'hold','speed':0},'C':{'clip':'idle'}",
                               "{'from':'A','to':'B','duration':0.25,'easing':'linear','offset':0.5},"
                               "{'from':'B','to':'C','when':'curve(`Grip`) >= 0.5'}"));
    draw_frame(s->animator);
    assert_int_equal(frames_until_change(s->animator, draw_frame), 8);
    check_near(sinew_mixer_curves(mixer_of(s->animator))[GRIP] > 0.4f, 1, 0);
    free_stage(s);
}

// The program's changes of the pose count, and are in a snapshot.
static void test_a_curve_that_the_program_writes(void **state) {
    (void)state;
    stage *s = make_stage(
        BASE("'A':{'clip':'idle'},'B':{'clip':'idle'}", "{'from':'A','to':'B','when':'curve(`Grip`) > 0'}"));
    sinew_animator *other = make_animator(s);
    draw_frame(s->animator);
    sinew_mixer_edit_pose(mixer_of(s->animator))->curves[GRIP] = 1.0f;
    const size_t size = sinew_animator_snapshot_size(s->animator);
    void *memory = malloc(size);
    const size_t used = sinew_animator_save(s->animator, memory);
    draw_frame(s->animator);
    assert_int_equal(sinew_animator_state(s->animator, 0), 1);
    for (int i = 0; i < 2; i++) { // a restored animator, drawn before its next frame or not
        assert_true(sinew_animator_restore(other, memory, used));
        if (i == 1) sinew_mixer_evaluate(mixer_of(other));
        draw_frame(other);
        assert_int_equal(sinew_animator_state(other, 0), 1);
        assert_true(sinew_animator_hash(other) == sinew_animator_hash(s->animator));
    }
    free(memory);
    sinew_animator_destroy(other);
    free_stage(s);
}

// A forced state replaces the pose only from the next step on.
static void test_a_forced_state_comes_after_the_pose(void **state) {
    (void)state;
    static void (*const frames[2])(sinew_animator * animator) = {draw_frame, serve_frame};
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0.0f;
    for (int i = 0; i < 2; i++) {
        stage *s = make_stage(BASE("'A':{'clip':'hold'},'B':{'clip':'idle'},'C':{'clip':'idle'}",
                                   "{'from':'B','to':'C','when':'curve(`Grip`) == 1'}"));
        for (int k = 0; k < 40; k++) frames[i](s->animator);
        sinew_animator_force_state(s->animator, 1, &cut);
        frames[i](s->animator); // sees the last pose of "hold"
        assert_int_equal(sinew_animator_state(s->animator, 0), 2);
        sinew_animator_force_state(s->animator, 1, &cut);
        frames[i](s->animator); // and this one "idle"'s
        assert_int_equal(sinew_animator_state(s->animator, 0), 1);
        free_stage(s);
    }
}

// A pose that the program has set is the current pose: reading a curve does not replace it by an evaluated one.
static void test_a_set_pose_stays_current(void **state) {
    (void)state;
    stage *s = make_stage(
        BASE("'A':{'clip':'idle'},'B':{'clip':'idle'}", "{'from':'A','to':'B','when':'curve(`Grip`) == 2'}"));
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &pose), SINEW_OK);
    serve_frame(s->animator);
    pose->curves[GRIP] = 2.0f;
    pose->tx[0] = 5.0f;
    sinew_mixer_set_pose(mixer_of(s->animator), pose);
    assert_true(sinewi_mixer_is_evaluated(mixer_of(s->animator)));
    draw_frame(s->animator);
    assert_int_equal(sinew_animator_state(s->animator, 0), 1);
    assert_true(sinew_mixer_pose(mixer_of(s->animator))->tx[0] > 2.5f); // the transition starts from the set pose
    sinew_pose_destroy(pose);
    free_stage(s);
}

static void test_when_a_pose_is_evaluated(void **state) {
    (void)state;
    stage *s = make_stage(BASE("'A':{'clip':'idle'}", ""));
    sinew_mixer *mixer = mixer_of(s->animator);
    void *memory = malloc(sinew_mixer_snapshot_size(mixer));
    const size_t size = sinew_mixer_save(mixer, memory);
    assert_false(sinewi_mixer_is_evaluated(mixer));
    sinew_mixer_evaluate(mixer);
    assert_true(sinewi_mixer_is_evaluated(mixer));
    sinew_mixer_advance(mixer, STEP);
    assert_false(sinewi_mixer_is_evaluated(mixer));
    sinew_mixer_update(mixer, 0.0f); // nothing has changed
    assert_true(sinewi_mixer_is_evaluated(mixer));
    assert_true(sinew_mixer_restore(mixer, memory, size));
    assert_false(sinewi_mixer_is_evaluated(mixer));
    free(memory);
    free_stage(s);
}

// ---- Weights of layers ---------------------------------------------------------------------------------------

#define UPPER(more, transitions)                                                                                   \
    "{'sinewGraph':1,'parameters':{'part':{'type':'float','default':0.5}},'layers':["                              \
    "{'name':'Base','states':{'A':{'clip':'slide'},'B':{'clip':'reach'}},'transitions':[" transitions "]},"        \
    "{'name':'Upper'," more "'mask':{'node':'Hand'},'states':{'W':{'clip':'idle'}}}]}"

static void test_a_weight_follows_its_curve(void **state) {
    (void)state;
    stage *s = make_stage(UPPER("'weightCurve':'Grip','weight':0.5,'weightParameter':'part',", ""));
    check_near(weight_of_upper(s->animator), 0.0, 0.0); // at first, the rest value's
    for (int i = 0; i < 32; i++) draw_frame(s->animator);
    check_near(weight_of_upper(s->animator), 0.5 * 0.5 * 31.0 * STEP, 1e-6); // the pose of the frame before
    free_stage(s);
    s = make_stage(UPPER("'weightCurve':'Reach',", ""));
    check_near(weight_of_upper(s->animator), 0.25, 0.0);
    draw_frame(s->animator);
    check_near(weight_of_upper(s->animator), 0.25, 0.0); // no clip moves it
    free_stage(s);
}

static void test_a_weight_is_not_negative(void **state) {
    (void)state;
    stage *s = make_stage(UPPER("'weightCurve':'Reach',", "{'from':'A','to':'B','duration':0}"));
    for (int i = 0; i < 32; i++) draw_frame(s->animator);
    assert_true(sinew_mixer_curves(mixer_of(s->animator))[REACH] < -0.4f);
    check_near(weight_of_upper(s->animator), 0.0, 0.0);
    free_stage(s);
}

// ---- Errors --------------------------------------------------------------------------------------------------

static void check_bind_error(const stage *s, const char *text, const char *expected) {
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_error error;
    if (read_text(text, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_graph_binding_def def = binding_def_of(s);
    def.graph = graph;
    assert_int_equal(sinew_graph_bind(&def, &binding, &error), SINEW_ERROR_ARGUMENT);
    assert_null(binding);
    assert_string_equal(error.message, expected);
    sinew_graph_destroy(graph);
}

static void test_a_missing_curve_is_named(void **state) {
    (void)state;
    stage *s = make_stage(BASE("'A':{'clip':'idle'}", ""));
    check_bind_error(
        s, BASE("'A':{'clip':'idle'},'B':{}", "\n{'from':'A','to':'B','when':'elapsed > 1 && curve(`Grp`) > 0'}"),
        "line 2: Base/A -> B: when: column 16: the skeleton has no curve \"Grp\"; did you mean \"Grip\"?");
    check_bind_error(s, BASE("'A':{'clip':'idle'},'B':{}", "{'from':'*','to':'B','when':'curve(`Nothing`) > 0'}"),
                     "line 1: Base/* -> B: when: column 1: the skeleton has no curve \"Nothing\"");
    check_bind_error(
        s, UPPER("'weightCurve':'Rech',", ""),
        "line 1: layer Upper: weightCurve: the skeleton has no curve \"Rech\"; did you mean \"Reach\"?");
    free_stage(s);
}

static void test_too_many_curves(void **state) {
    (void)state;
    for (int count = SINEW_MAX_GRAPH_CURVES; count <= SINEW_MAX_GRAPH_CURVES + 1; count++) {
        char text[1 << 13] =
            "{\"sinewGraph\":1,\"layers\":[{\"name\":\"B\",\"states\":{\"A\":{},\"C\":{}},\"transitions\":[";
        size_t length = strlen(text);
        for (int i = 0; i < count; i++)
            length +=
                (size_t)snprintf(text + length, sizeof text - length,
                                 "%s{\"from\":\"A\",\"to\":\"C\",\"when\":\"curve('%d')>0\"}", i ? "," : "", i);
        length += (size_t)snprintf(text + length, sizeof text - length, "]}]}");
        sinew_graph *graph;
        sinew_error error;
        const bool fits = count == SINEW_MAX_GRAPH_CURVES;
        assert_int_equal(sinew_graph_load_memory(text, length, NULL, &graph, &error),
                         fits ? SINEW_OK : SINEW_ERROR_LIMIT);
        if (fits) assert_int_equal(graph->curve_count, count);
        if (!fits) assert_non_null(strstr(error.message, "more than 64 curves in a graph's conditions"));
        sinew_graph_destroy(graph);
    }
}

static void test_every_allocation_can_fail(void **state) {
    (void)state;
    stage *s = make_stage(UPPER("'weightCurve':'Reach',", "{'from':'A','to':'B','when':'curve(`Grip`) > 0.5'}"));
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_graph_def def = sinew_graph_default();
        def.allocator = counting_allocator(&c);
        def.parameter_count = s->graph->parameter_count;
        def.parameters = s->graph->parameters;
        def.layer_count = s->graph->layer_count;
        def.layers = s->graph->layers;
        def.machine_count = s->graph->machine_count;
        def.machines = s->graph->machines;
        def.state_count = s->graph->state_count;
        def.states = s->graph->states;
        def.transition_count = s->graph->transition_count;
        def.transitions = s->graph->transitions;
        sinew_graph *graph;
        result = sinew_graph_create(&def, &graph, NULL);
        if (result == SINEW_OK) assert_int_equal(graph->curve_count, 2);
        sinew_graph_destroy(graph);
    }
    free_stage(s);
}

// ---- Crowds and recordings -----------------------------------------------------------------------------------

#define LOOP                                                                                                       \
    BASE("'A':{'clip':'hold'},'B':{'clip':'slide'}",                                                               \
         "{'from':'A','to':'B','when':'curve(`Grip`) > 0.75 && elapsed > 0.375','duration':0.25},"                 \
         "{'from':'B','to':'A','when':'curve(`Grip`) > 0.9 && elapsed > 0.5','kind':'inertialize'}")

// Characters that wait for their pose take the transitions that they take alone.
static void test_a_crowd_within_a_budget(void **state) {
    (void)state;
    enum { COUNT = 5 };
    stage *s = make_stage(LOOP);
    sinew_animator *crowd[COUNT];
    sinew_batch_item items[COUNT] = {{0}};
    for (int i = 0; i < COUNT; i++) {
        crowd[i] = make_animator(s);
        items[i].mixer = mixer_of(crowd[i]);
        items[i].significance = 1.0f;
    }
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 1;
    int changes = 0, waits = 0;
    for (int frame = 0; frame < 2000; frame++) {
        const int32_t before = sinew_animator_state(s->animator, 0);
        for (int i = 0; i < COUNT; i++) sinew_batch_catch_up(&items[i]);
        for (int i = 0; i < COUNT; i++) sinew_animator_advance(crowd[i], STEP);
        sinew_batch_update_within(&budget, items, 0, COUNT, STEP);
        draw_frame(s->animator);
        changes += sinew_animator_state(s->animator, 0) != before;
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(sinew_animator_state(crowd[i], 0), sinew_animator_state(s->animator, 0));
            waits += !items[i].changed;
        }
    }
    assert_true(changes > 10 && waits > 1000);
    for (int i = 0; i < COUNT; i++) sinew_animator_destroy(crowd[i]);
    free_stage(s);
}

// Rollback in each frame, of an animator that is drawn and of one that is not, gives the hashes of one that is not rolled
// back; and what is drawn in the end has the same bits.
static void test_rollback(void **state) {
    (void)state;
    stage *s = make_stage(LOOP);
    sinew_animator *others[2] = {make_animator(s), make_animator(s)};
    void (*const frames[2])(sinew_animator * animator) = {draw_frame, serve_frame};
    const size_t size = sinew_animator_snapshot_size(s->animator);
    void *memory = malloc(size);
    for (int frame = 0; frame < 300; frame++) {
        draw_frame(s->animator);
        for (int i = 0; i < 2; i++) {
            const size_t used = sinew_animator_save(others[i], memory);
            for (int k = 0; k < 5; k++) frames[1 - i](others[i]);
            assert_true(sinew_animator_restore(others[i], memory, used));
            frames[i](others[i]);
            assert_int_equal(sinew_animator_state(others[i], 0), sinew_animator_state(s->animator, 0));
        }
    }
    for (int i = 0; i < 2; i++) {
        sinew_mixer_evaluate(mixer_of(others[i]));
        assert_memory_equal(sinew_mixer_curves(mixer_of(others[i])), sinew_mixer_curves(mixer_of(s->animator)),
                            CURVES * sizeof(float));
        assert_true(sinew_animator_hash(others[i]) == sinew_animator_hash(s->animator));
        sinew_animator_destroy(others[i]);
    }
    free(memory);
    free_stage(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_frame_after_the_pose_has_the_value),
        cmocka_unit_test(test_a_server_takes_the_same_transitions),
        cmocka_unit_test(test_the_first_frame_has_the_pose_of_the_entry),
        cmocka_unit_test(test_a_fade_is_read_as_it_is_drawn),
        cmocka_unit_test(test_a_curve_that_the_program_writes),
        cmocka_unit_test(test_a_forced_state_comes_after_the_pose),
        cmocka_unit_test(test_a_set_pose_stays_current),
        cmocka_unit_test(test_when_a_pose_is_evaluated),
        cmocka_unit_test(test_a_weight_follows_its_curve),
        cmocka_unit_test(test_a_weight_is_not_negative),
        cmocka_unit_test(test_a_missing_curve_is_named),
        cmocka_unit_test(test_too_many_curves),
        cmocka_unit_test(test_every_allocation_can_fail),
        cmocka_unit_test(test_a_crowd_within_a_budget),
        cmocka_unit_test(test_rollback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
