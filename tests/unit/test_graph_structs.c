// SPDX-License-Identifier: MIT
// Graphs that a program makes from structs: the defaults of parameters, layers, states and transitions, and what is refused.
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
        cmocka_unit_test(test_defaults_play_and_clamp_nothing),  cmocka_unit_test(test_zeroed_elements_are_refused),
        cmocka_unit_test(test_a_transition_must_lead_somewhere), cmocka_unit_test(test_a_sample_must_move),
        cmocka_unit_test(test_arrays_of_a_graph_make_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
