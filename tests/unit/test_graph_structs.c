// SPDX-License-Identifier: MIT
// Graphs from structs: defaults of parameters, layers, states and transitions, and what's refused.
#include "support/check.h"

#include <sinew/sinew.h>

#include <math.h>

// A graph of one float, one layer, an empty state and one with a clip, and a transition between them.
typedef struct structs {
    sinew_graph_parameter parameter;
    sinew_graph_layer layer;
    sinew_graph_machine machine;
    sinew_graph_state states[2];
    sinew_graph_transition transition;
    sinew_graph_def def;
} structs;

static void fill(structs *s) {
    *s = (structs){.parameter = sinew_graph_parameter_default(),
                   .layer = sinew_graph_layer_default(),
                   .machine = {.entry = 0},
                   .states = {sinew_graph_state_default(), sinew_graph_state_default()},
                   .transition = sinew_graph_transition_default(),
                   .def = sinew_graph_default()};
    s->parameter.name = "pace";
    s->layer.name = "Base";
    s->states[0].name = "Wait";
    s->states[1].name = "Go";
    s->states[1].kind = SINEW_GRAPH_STATE_CLIP;
    s->states[1].clip = "slide";
    s->transition.to = 1;
    s->transition.when = "pace > 2";
    s->def.parameter_count = s->def.layer_count = s->def.machine_count = s->def.transition_count = 1;
    s->def.state_count = 2;
    s->def.parameters = &s->parameter;
    s->def.layers = &s->layer;
    s->def.machines = &s->machine;
    s->def.states = s->states;
    s->def.transitions = &s->transition;
}

static void test_defaults_play_and_clamp_nothing(void **state) {
    (void)state;
    structs s;
    fill(&s);
    sinew_skeleton *skeleton = make_chain(2);
    sinew_clip *slide = make_slide(skeleton, "slide", 1, 1.0f, 2.0f);
    sinew_graph *graph;
    assert_int_equal(sinew_graph_create(&s.def, &graph, NULL), SINEW_OK);
    sinew_graph_binding_def binding_def = sinew_graph_binding_default();
    binding_def.graph = graph;
    binding_def.skeleton = skeleton;
    binding_def.clips = slide;
    binding_def.clip_count = 1;
    sinew_graph_binding *binding;
    assert_int_equal(sinew_graph_bind(&binding_def, &binding, NULL), SINEW_OK);
    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    sinew_animator *animator;
    assert_int_equal(sinew_animator_create(&def, &animator, NULL), SINEW_OK);

    sinew_animator_set_float(animator, 0, 3e30f);
    sinew_animator_advance(animator, 0.25f);
    assert_true(sinew_animator_float(animator, 0) == 3e30f);
    assert_int_equal(sinew_animator_state(animator, 0), 1);
    sinew_mixer_update(sinew_animator_mixer(animator), 0.25f);
    const sinew_action action = sinew_animator_action(animator, 0);
    const sinew_mixer *mixer = sinew_animator_mixer(animator);
    check_near(sinew_action_time(mixer, action), 0.25, 0);
    assert_int_equal(sinew_action_get(mixer, action).loop, SINEW_LOOP_REPEAT);

    sinew_animator_destroy(animator);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
    sinew_clip_destroy(slide);
    sinew_skeleton_destroy(skeleton);
}

static void expect_refused(const structs *s, const char *message) {
    sinew_graph *graph;
    sinew_error error;
    assert_int_equal(sinew_graph_create(&s->def, &graph, &error), SINEW_ERROR_ARGUMENT);
    assert_null(graph);
    assert_string_equal(error.message, message);
}

// Fields of 0 would clamp every value to 0, hide a layer, freeze a state and name the first parameter.
static void test_zeroed_elements_are_refused(void **state) {
    (void)state;
    structs s;
    fill(&s);
    s.parameter = (sinew_graph_parameter){.name = "pace"};
    expect_refused(&s, "parameters[0]: start from sinew_graph_parameter_default()");
    fill(&s);
    s.layer = (sinew_graph_layer){.name = "Base", .weight = 1, .weight_parameter = SINEW_GRAPH_NONE};
    expect_refused(&s, "layers[0]: start from sinew_graph_layer_default()");
    fill(&s);
    s.states[1] = (sinew_graph_state){.name = "Go", .kind = SINEW_GRAPH_STATE_CLIP, .clip = "slide"};
    expect_refused(&s, "states[1]: start from sinew_graph_state_default()");
    fill(&s);
    s.transition = (sinew_graph_transition){.to = 1, .transition = sinew_transition_default()};
    expect_refused(&s, "transitions[0]: start from sinew_graph_transition_default()");
}

static void test_a_transition_must_lead_somewhere(void **state) {
    (void)state;
    structs s;
    fill(&s);
    s.transition.to = sinew_graph_transition_default().to;
    expect_refused(&s, "transitions[0]: to, state -1, isn't in its machine");
}

static void test_a_sample_must_move(void **state) {
    (void)state;
    structs s;
    fill(&s);
    const sinew_graph_sample samples[2] = {{"slide", 0, 0, 1}, {.clip = "slide", .x = 1}};
    const sinew_graph_blend blend = {.sample_count = 2, .samples = samples, .y_parameter = SINEW_GRAPH_NONE};
    s.states[1].kind = SINEW_GRAPH_STATE_BLEND_SPACE;
    s.states[1].blend = &blend;
    expect_refused(&s, "states[1]: the speed of sample \"slide\" must not be 0; it is usually 1");
}

// The rotation of a transform is normalized; it has no range.
static void test_transforms(void **state) {
    (void)state;
    structs s;
    fill(&s);
    s.parameter.type = SINEW_PARAMETER_TRANSFORM;
    s.parameter.min = 5;
    s.parameter.max = 4;
    s.transition.when = NULL;
    const double rotation[4] = {0.4999, 0.5001, -0.5, 0.5003};
    memcpy(&s.parameter.initial[3], rotation, sizeof rotation);
    s.parameter.initial[0] = 7;
    sinew_graph *graph;
    assert_int_equal(sinew_graph_create(&s.def, &graph, NULL), SINEW_OK);
    const sinew_graph_parameter *p = &graph->parameters[0];
    double square = 0;
    for (int k = 3; k < 7; k++) {
        square += p->initial[k] * p->initial[k];
        check_near(p->initial[k], rotation[k - 3], 2e-4);
    }
    check_near(square, 1, 2e-7);
    check_near(p->initial[0], 7, 0);
    assert_true(p->min == -(double)INFINITY && p->max == (double)INFINITY);
    sinew_graph_destroy(graph);
}

static void test_wrong_positions_and_rotations_are_refused(void **state) {
    (void)state;
    structs s;
    fill(&s);
    s.transition.when = NULL;
    s.parameter.type = SINEW_PARAMETER_TRANSFORM;
    s.parameter.initial[6] = 0.9985;
    expect_refused(&s, "parameters[0]: the default rotation's length is 0.9985; it must be 1");
    s.parameter.initial[6] = (double)NAN;
    expect_refused(&s, "parameters[0]: the default nan is not a value in its range");
    s.parameter.initial[6] = 1;
    s.parameter.initial[2] = 1e39;
    expect_refused(&s, "parameters[0]: the default 1e+39 is not a value in its range");
    s.parameter.type = SINEW_PARAMETER_VECTOR3;
    s.parameter.initial[2] = 3;
    s.parameter.max = 2;
    expect_refused(&s, "parameters[0]: the default 3 is not a value in its range");
    s.parameter.min = 4;
    expect_refused(&s, "parameters[0]: the range is 4 to 2");
    s.parameter.type = (sinew_parameter_type)7;
    expect_refused(&s, "parameters[0]: unknown type 7");
}

static void test_only_positions_have_a_space(void **state) {
    (void)state;
    structs s;
    fill(&s);
    s.parameter.space = SINEW_PARAMETER_SPACE_MODEL;
    expect_refused(&s, "parameters[0]: only vector3s and transforms can be in model space");
    s.parameter.space = (sinew_parameter_space)2;
    expect_refused(&s, "parameters[0]: unknown space 2");
}

// What a state, a layer and a blend space use is a number.
static void test_positions_are_no_numbers(void **state) {
    (void)state;
    for (int i = SINEW_PARAMETER_VECTOR3; i <= SINEW_PARAMETER_TRANSFORM; i++) {
        structs s;
        fill(&s);
        s.parameter.type = (sinew_parameter_type)i;
        expect_refused(&s, i == SINEW_PARAMETER_VECTOR3
                               ? "transitions[0].when: column 1: pace is a vector3; conditions cannot read it"
                               : "transitions[0].when: column 1: pace is a transform; conditions cannot read it");
        s.transition.when = NULL;
        s.states[1].speed_parameter = 0;
        expect_refused(&s, "states[1]: the speed's parameter must be a float");
        s.states[1].speed_parameter = SINEW_GRAPH_NONE;
        const sinew_graph_sample sample = {"slide", 0, 0, 1};
        const sinew_graph_blend blend = {.sample_count = 1, .samples = &sample, .y_parameter = SINEW_GRAPH_NONE};
        s.states[1].kind = SINEW_GRAPH_STATE_BLEND_SPACE;
        s.states[1].blend = &blend;
        expect_refused(&s, "states[1]: the blend space's x must be a float, int or vector2");
    }
}

// The arrays of a graph make an equal one.
static void test_arrays_of_a_graph_make_another(void **state) {
    (void)state;
    structs s;
    fill(&s);
    sinew_graph *graph, *copy;
    assert_int_equal(sinew_graph_create(&s.def, &graph, NULL), SINEW_OK);
    s.def.parameters = graph->parameters;
    s.def.layers = graph->layers;
    s.def.machines = graph->machines;
    s.def.states = graph->states;
    s.def.transitions = graph->transitions;
    assert_int_equal(sinew_graph_create(&s.def, &copy, NULL), SINEW_OK);
    assert_int_equal(copy->memory, graph->memory);
    sinew_graph_destroy(copy);
    sinew_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_play_and_clamp_nothing),
        cmocka_unit_test(test_zeroed_elements_are_refused),
        cmocka_unit_test(test_a_transition_must_lead_somewhere),
        cmocka_unit_test(test_a_sample_must_move),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_wrong_positions_and_rotations_are_refused),
        cmocka_unit_test(test_only_positions_have_a_space),
        cmocka_unit_test(test_positions_are_no_numbers),
        cmocka_unit_test(test_arrays_of_a_graph_make_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
