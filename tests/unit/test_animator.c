// SPDX-License-Identifier: MIT
// Animators: what a frame does to states, events and the mixer, and what a snapshot keeps. tests/graph also compares
// random graphs with an interpreter written from the documentation.
#include "support/graph_stage.h"

#include <stdio.h>

#define STEP 0x1p-6f // seconds; times are multiples of it, so sums are exact

#define TWO_STATES                                                                                                 \
    "{'sinewGraph':1,'parameters':{'go':{'type':'trigger'},'held':{'type':'trigger','hold':0.5},"                  \
    "'speed':{'type':'float','range':[0,4]}},'layers':[{'name':'Base','states':{"                                  \
    "'Idle':{'clip':'idle','tags':['still']},'Walk':{'clip':'walk','speedParameter':'speed'}},'transitions':["     \
    "{'from':'Idle','to':'Walk','when':'go || held','duration':0.25},"                                             \
    "{'from':'Walk','to':'Idle','when':'go && speed > 1','duration':0.25}]}]}"

// Texts of tests have ' for " of JSON, and ` for a quote in a condition.
static graph_stage stage_of(const char *text) {
    char json[4096];
    size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i] == '`' ? '\'' : text[i];
    return make_graph_stage(json);
}

static void update(const graph_stage *stage, int frames) {
    for (int i = 0; i < frames; i++) sinew_animator_update(stage->animator, STEP);
}

static void fire(const graph_stage *stage, const char *trigger) {
    sinew_animator_fire(stage->animator, parameter_of(stage, trigger));
}

static void set_float(const graph_stage *stage, const char *name, float value) {
    sinew_animator_set_float(stage->animator, parameter_of(stage, name), value);
}

static sinew_mixer *mixer_of(const graph_stage *stage) {
    return sinew_animator_mixer(stage->animator);
}

static double x_of(const graph_stage *stage) {
    return (double)sinew_mixer_pose(mixer_of(stage))->tx[0];
}

// ---- States and the mixer ------------------------------------------------------------------------------------

static void test_entry_plays_at_once(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_STATES);
    check_leaf(&s, 0, "Base/Idle");
    sinew_action action = sinew_animator_action(s.animator, 0);
    assert_true(sinew_action_get(mixer_of(&s), action).clip == s.clips[0]);
    check_near(sinew_action_weight(mixer_of(&s), action), 1.0, 0.0);
    assert_int_equal(sinew_animator_events(s.animator).count, 0);
    check_near(sinew_animator_progress(s.animator, 0), 1.0, 0.0);
    free_graph_stage(&s);
}

// The transition takes 16 steps of the mixer. In these, weights change evenly; it ends in the last one.
static void test_a_fade(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_STATES);
    set_float(&s, "speed", 1.0f);
    fire(&s, "go");
    update(&s, 1);
    check_leaf(&s, 0, "Base/Walk");
    sinew_graph_events events = sinew_animator_events(s.animator);
    const sinew_graph_event expected[] = {{SINEW_GRAPH_EVENT_STATE_LEFT, 0, 0, SINEW_GRAPH_NONE},
                                          {SINEW_GRAPH_EVENT_TRANSITION_STARTED, 0, 1, 0},
                                          {SINEW_GRAPH_EVENT_STATE_ENTERED, 0, 1, SINEW_GRAPH_NONE}};
    assert_int_equal(events.count, 3);
    assert_memory_equal(events.items, expected, sizeof expected);
    assert_int_equal(sinew_animator_transition(s.animator, 0), 0);
    check_near(sinew_animator_progress(s.animator, 0), 1.0 / 16.0, 0.0);
    update(&s, 7);
    check_near(sinew_action_weight(mixer_of(&s), sinew_animator_action(s.animator, 0)), 0.5, 1e-6);
    check_near(x_of(&s), 0.5 * 8.0 * STEP, 1e-6); // half of a walk that is 8 steps old
    update(&s, 7);
    assert_int_equal(sinew_animator_transition(s.animator, 0), 0);
    update(&s, 1);
    assert_int_equal(sinew_animator_transition(s.animator, 0), SINEW_GRAPH_NONE);
    events = sinew_animator_events(s.animator);
    assert_int_equal(events.count, 1);
    assert_int_equal(events.items[0].type, SINEW_GRAPH_EVENT_TRANSITION_ENDED);
    check_near(sinew_animator_elapsed(s.animator, 1), 16.0 * STEP, 0.0);
    check_near(sinew_animator_elapsed(s.animator, 0), 0.0, 0.0);
    free_graph_stage(&s);
}

static void test_speed_follows_its_parameter(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_STATES);
    fire(&s, "go");
    set_float(&s, "speed", 2.0f);
    update(&s, 16);
    check_near(x_of(&s), 0.5, 1e-6);
    set_float(&s, "speed", 9.0f); // clamped to 4
    update(&s, 4);
    check_near(x_of(&s), 0.75, 1e-6);
    check_near(sinew_animator_float(s.animator, parameter_of(&s, "speed")), 4.0, 0.0);
    free_graph_stage(&s);
}

static void test_triggers(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_STATES);
    sinew_animator_force_state(s.animator, 1, NULL); // `held` leads nowhere from it
    fire(&s, "held");
    update(&s, 31);
    assert_true(sinew_animator_trigger(s.animator, parameter_of(&s, "held")));
    update(&s, 1); // half a second
    assert_false(sinew_animator_trigger(s.animator, parameter_of(&s, "held")));
    fire(&s, "go");
    update(&s, 1); // the speed is 0: not taken
    assert_false(sinew_animator_trigger(s.animator, parameter_of(&s, "go")));
    check_leaf(&s, 0, "Base/Walk");
    set_float(&s, "speed", 2.0f);
    fire(&s, "held");
    update(&s, 1);
    fire(&s, "go");
    update(&s, 1); // to Idle by `go`, and on to Walk in the same frame by `held`: not by `go`, which is consumed
    check_leaf(&s, 0, "Base/Walk");
    assert_false(sinew_animator_trigger(s.animator, parameter_of(&s, "held")));
    fire(&s, "go");
    sinew_animator_cancel(s.animator, parameter_of(&s, "go"));
    update(&s, 1);
    check_leaf(&s, 0, "Base/Walk");
    free_graph_stage(&s);
}

// A state that is entered again starts its clip, also while that still fades out.
static void test_entering_starts_the_clip(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_STATES);
    set_float(&s, "speed", 2.0f);
    update(&s, 20);
    fire(&s, "go");
    update(&s, 4);
    fire(&s, "go");
    update(&s, 1);
    check_leaf(&s, 0, "Base/Idle");
    check_near(sinew_action_time(mixer_of(&s), sinew_animator_action(s.animator, 0)), STEP, 0.0);
    free_graph_stage(&s);
}

// Of the states that are entered and left in one frame only the last is played.
static void test_only_the_last_of_a_chain_plays(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'parameters':{'go':{'type':'trigger'}},'layers':[{'name':'Base',"
                             "'states':{'A':{'clip':'idle'},'B':{'clip':'run'},'C':{'clip':'walk'}},'transitions':["
                             "{'from':'A','to':'B','when':'go'},{'from':'B','to':'C'}]}]}");
    fire(&s, "go");
    update(&s, 1);
    check_leaf(&s, 0, "Base/C");
    assert_int_equal(sinew_mixer_find(mixer_of(&s), sinew_clip_source(s.clips[2]), SINEW_ALL_LAYERS).id, 0);
    assert_int_equal(sinew_mixer_actions(mixer_of(&s), NULL, 0), 2);
    free_graph_stage(&s);
}

static void test_a_cycle_is_bounded(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'idle'},"
                             "'B':{'clip':'walk'}},'transitions':[{'from':'A','to':'B','duration':0},"
                             "{'from':'B','to':'A','duration':0}]}]}");
    update(&s, 1);
    const sinew_graph_events events = sinew_animator_events(s.animator);
    int32_t cycles = 0, started = 0;
    for (int32_t i = 0; i < events.count; i++) {
        cycles += events.items[i].type == SINEW_GRAPH_EVENT_CYCLE;
        started += events.items[i].type == SINEW_GRAPH_EVENT_TRANSITION_STARTED;
    }
    assert_int_equal(cycles, 1);
    assert_int_equal(started, SINEW_MAX_GRAPH_HOPS);
    assert_int_equal(events.dropped_count, 0);
    free_graph_stage(&s);
}

// An empty state has no clip that could have been partly played.
static void test_nothing_is_past_in_an_empty_state(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{},'B':{'clip':'walk'}},"
                             "'transitions':[{'from':'A','to':'B','when':'past(0)'}]}]}");
    update(&s, 2);
    check_leaf(&s, 0, "Base/A");
    free_graph_stage(&s);
}

// ---- Layers --------------------------------------------------------------------------------------------------

#define TWO_LAYERS                                                                                                 \
    "{'sinewGraph':1,'parameters':{'wave':{'type':'trigger'},'part':{'type':'float','default':1}},'layers':["      \
    "{'name':'Base','states':{'Walk':{'clip':'walk'}}},"                                                           \
    "{'name':'Upper','weightParameter':'part','mask':{'node':'n0','factor':1},'states':{'Off':{},"                 \
    "'Wave':{'clip':'wave','loop':'once'}},'transitions':[{'from':'Off','to':'Wave','when':'wave','duration':0},"  \
    "{'from':'Wave','to':'Off','when':'marker(`Hit`)','duration':0.25}]}]}"

// The upper layer covers the base while the clip plays, lets go from its marker on, and is empty when it has faded out.
static void test_an_upper_layer_lets_go(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_LAYERS);
    update(&s, 8);
    check_near(x_of(&s), 8.0 * STEP, 1e-6);
    fire(&s, "wave");
    update(&s, 8);
    check_near(x_of(&s), 4.0 * 8.0 * STEP, 1e-6);
    update(&s, 24); // the marker is at 32 steps
    check_leaf(&s, 1, "Upper/Wave");
    update(&s, 8);
    check_leaf(&s, 1, "Upper/Off");
    check_near(x_of(&s), 0.5 * 4.0 * 40.0 * STEP + 0.5 * 48.0 * STEP, 1e-5);
    update(&s, 8);
    check_near(x_of(&s), 56.0 * STEP, 1e-6);
    assert_int_equal(sinew_mixer_actions(mixer_of(&s), NULL, 0), 1);
    free_graph_stage(&s);
}

static void test_layer_weight_follows_its_parameter(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_LAYERS);
    fire(&s, "wave");
    set_float(&s, "part", 0.25f);
    update(&s, 8);
    check_near(x_of(&s), 0.25 * 4.0 * 8.0 * STEP + 0.75 * 8.0 * STEP, 1e-6);
    free_graph_stage(&s);
}

// An additive layer adds the difference from the first frame of its reference.
static void test_an_additive_layer(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'layers':[{'name':'Base','states':{'Walk':{'clip':'walk'}}},"
                             "{'name':'Add','mode':'additive','reference':'run','states':{'R':{'clip':'run'}}}]}");
    update(&s, 16);
    check_near(x_of(&s), 16.0 * STEP * (1.0 + 4.0), 1e-6);
    free_graph_stage(&s);
}

// Mistake: a copy for each state that names a clip, so a small file needs gigabytes.
static void test_additive_clips_are_made_once_a_layer(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'layers':[{'name':'Base','states':{'W':{'clip':'walk'}}},"
                             "{'name':'Add','mode':'additive','states':{'A':{'clip':'run'},'B':{'clip':'run'},"
                             "'C':{'clip':'jump'},'D':{'blend':{'x':'p','samples':[{'clip':'run'},"
                             "{'clip':'run','x':1}]}}}},{'name':'Next','mode':'additive','reference':'walk',"
                             "'states':{'A':{'clip':'run'}}}],'parameters':{'p':{'type':'float'}}}");
    const sinew_source *sources = s.binding->sources;
    assert_ptr_equal(sources[1].clip, sources[2].clip);
    assert_ptr_not_equal(sources[1].clip, sources[3].clip);
    assert_ptr_equal(sources[4].blend_space->samples[0].clip, sources[1].clip);
    assert_ptr_equal(sources[4].blend_space->samples[1].clip, sources[1].clip);
    assert_ptr_not_equal(sources[5].clip, sources[1].clip); // another reference
    free_graph_stage(&s);
}

// Two states of one sync group: the second starts where the first one is, as a part of its cycle.
static void test_states_of_a_sync_group_stay_in_phase(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'parameters':{'go':{'type':'trigger'}},'layers':[{'name':'Base',"
                             "'states':{'Walk':{'clip':'walk','sync':'feet'},'Run':{'clip':'run','sync':'feet'}},"
                             "'transitions':[{'from':'Walk','to':'Run','when':'go','kind':'inertialize'}]}]}");
    update(&s, 16); // a quarter
    fire(&s, "go");
    sinew_animator_advance(s.animator, STEP);
    check_near(sinew_action_time(mixer_of(&s), sinew_animator_action(s.animator, 0)), 0.125, 1e-6);
    free_graph_stage(&s);
}

// The same clip in both states: it continues, and its loop count restarts.
static void test_a_clip_of_a_sync_group_continues(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'parameters':{'go':{'type':'trigger'}},'layers':[{'name':'Base',"
                             "'states':{'A':{'clip':'walk','sync':'feet'},'B':{'clip':'walk','sync':'feet'}},"
                             "'transitions':[{'from':'A','to':'B','when':'go','offset':0.5},"
                             "{'from':'B','to':'A','when':'loops > 0'}]}]}");
    update(&s, 80); // a loop and a quarter
    fire(&s, "go");
    update(&s, 1);
    check_leaf(&s, 0, "Base/B");
    check_near(sinew_action_time(mixer_of(&s), sinew_animator_action(s.animator, 0)), 17.0 * STEP, 1e-6);
    update(&s, 47);
    check_leaf(&s, 0, "Base/B");
    update(&s, 1);
    check_leaf(&s, 0, "Base/A");
    free_graph_stage(&s);
}

// A clip that plays outside of a sync group continues when a state of the group is entered; if the group plays already, it
// joins at the group's phase. Walk lasts 1 s and run 0.5 s.
static void test_a_clip_that_plays_joins_a_sync_group(void **state) {
    (void)state;
    static const char *const uppers[2] = {"", "'sync':'feet',"};
    for (int in_group = 0; in_group < 2; in_group++) {
        char text[800];
        snprintf(text, sizeof text,
                 "{'sinewGraph':1,'parameters':{'go':{'type':'trigger'}},'layers':[{'name':'Base','states':{"
                 "'A':{'clip':'walk'},'B':{'clip':'walk','sync':'feet'}},'transitions':[{'from':'A','to':'B',"
                 "'when':'go','offset':0.75}]},{'name':'Upper','states':{'C':{%s'clip':'run'}}}]}",
                 uppers[in_group]);
        graph_stage s = stage_of(text);
        update(&s, 16); // a quarter of walk, half of run
        fire(&s, "go");
        sinew_animator_advance(s.animator, STEP);
        const sinew_action walk = sinew_animator_action(s.animator, 0);
        check_near(sinew_action_time(mixer_of(&s), walk), in_group ? 0.5 : 0.25, 1e-6);
        assert_int_equal(sinew_mixer_actions(mixer_of(&s), NULL, 0), 2); // no second action of walk
        free_graph_stage(&s);
    }
}

static void test_a_blend_space_follows_a_vector(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'parameters':{'move':{'type':'vector2'}},'layers':[{'name':'Base',"
                             "'states':{'Move':{'blend':{'kind':'triangles','x':'move','damping':0,'samples':["
                             "{'clip':'idle'},{'clip':'walk','x':1},{'clip':'run','y':1}]}}}}]}");
    sinew_animator_set_vector2(s.animator, parameter_of(&s, "move"), 0.25f, 0.5f);
    update(&s, 1);
    sinew_blend_parameter at = sinew_action_get(mixer_of(&s), sinew_animator_action(s.animator, 0)).parameter;
    check_near(at.x, 0.25, 0.0);
    check_near(at.y, 0.5, 0.0);
    free_graph_stage(&s);
}

// A damped parameter covers half of the way in its time: sinew_blend_parameter_follow has the formula, and its own tests.
static void test_damping(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'parameters':{'v':{'type':'float','damping':0.5}},'layers':[{'name':"
                             "'Base','states':{'A':{'clip':'idle'},'B':{'clip':'walk'}},'transitions':["
                             "{'from':'A','to':'B','when':'v > 5'}]}]}");
    set_float(&s, "v", 10.0f);
    update(&s, 31);
    check_leaf(&s, 0, "Base/A");
    update(&s, 1);
    check_near(sinew_animator_float(s.animator, 0), 5.0, 1e-4);
    update(&s, 1);
    check_leaf(&s, 0, "Base/B");
    update(&s, 320);
    check_near(sinew_animator_float(s.animator, 0), 10.0, 0.0);
    free_graph_stage(&s);
}

// An action that the program's own plays evict counts as finished.
static void test_an_evicted_clip_has_finished(void **state) {
    (void)state;
    graph_stage s = stage_of("{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'idle'},"
                             "'B':{'clip':'walk'}},'transitions':[{'from':'A','to':'B','when':'finished'}]}]}");
    update(&s, 4);
    sinew_action_stop(mixer_of(&s), sinew_animator_action(s.animator, 0));
    update(&s, 1);
    check_leaf(&s, 0, "Base/B");
    free_graph_stage(&s);
}

// At the end of a clip that plays backward; a blend space has none.
static void test_the_end_of_an_evicted_clip(void **state) {
    (void)state;
    graph_stage s =
        stage_of("{'sinewGraph':1,'parameters':{'x':{'type':'float'}},'layers':[{'name':'Base','states':{"
                 "'A':{'clip':'walk','speed':-1},'B':{'blend':{'x':'x','samples':[{'clip':'walk'}]}},"
                 "'C':{}},'transitions':[{'from':'A','to':'B','when':'finished && time == 0 && past(1)'},"
                 "{'from':'B','to':'C','when':'finished'}]}]}");
    update(&s, 4);
    sinew_action_stop(mixer_of(&s), sinew_animator_action(s.animator, 0));
    update(&s, 1);
    check_leaf(&s, 0, "Base/B");
    sinew_action_stop(mixer_of(&s), sinew_animator_action(s.animator, 0));
    update(&s, 1);
    check_leaf(&s, 0, "Base/B");
    free_graph_stage(&s);
}

// A fraction has the direction in which the clip was played, even if the parameter changed since.
static void test_a_fraction_has_the_speed_of_the_mixer(void **state) {
    (void)state;
    graph_stage s =
        stage_of("{'sinewGraph':1,'parameters':{'speed':{'type':'float','default':1}},'layers':[{'name':"
                 "'Base','states':{'A':{'clip':'walk','speedParameter':'speed'},'B':{}},'transitions':["
                 "{'from':'A','to':'B','when':'fraction > 0.5'}]}]}");
    update(&s, 16); // a quarter
    set_float(&s, "speed", -1.0f);
    update(&s, 1);
    check_leaf(&s, 0, "Base/A");
    update(&s, 1);
    check_leaf(&s, 0, "Base/B");
    free_graph_stage(&s);
}

// `past` is true after the last end as after any other, also if the clip is back at its start.
static void test_past_the_last_end(void **state) {
    (void)state;
    graph_stage s =
        stage_of("{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'run','loop':'pingPong',"
                 "'loopCount':2},'B':{}},'transitions':[{'from':'A','to':'B',"
                 "'when':'past(1) && loops == 2 && fraction == 0'}]}]}");
    update(&s, 64);
    check_leaf(&s, 0, "Base/A");
    update(&s, 1);
    check_leaf(&s, 0, "Base/B");
    free_graph_stage(&s);
}

// ---- Machines in machines, forcing and adopting --------------------------------------------------------------

#define NESTED                                                                                                     \
    "{'sinewGraph':1,'parameters':{'hit':{'type':'trigger'},'speed':{'type':'float','default':3}},'layers':["      \
    "{'name':'Base','states':{'Move':{'clip':'walk'},'Fight':{'tags':['busy'],'states':{'One':{'clip':'run',"      \
    "'loop':'once'},'Two':{'clip':'jump','loop':'once'}},'transitions':[{'from':'One','to':'Two',"                 \
    "'when':'finished && hit'}]}},'transitions':[{'from':'Fight','to':'Move','when':'finished'}]}]}"

static void test_the_leaf_goes_before_its_machine(void **state) {
    (void)state;
    graph_stage s = stage_of(NESTED);
    sinew_animator_force_state(s.animator, sinew_graph_find_state(s.graph, "Base/Fight"), NULL);
    check_leaf(&s, 0, "Base/Fight/One");
    assert_true(sinew_animator_has_tag(s.animator, sinew_graph_find_tag(s.graph, "busy")));
    update(&s, 32);
    fire(&s, "hit");
    update(&s, 1);
    check_leaf(&s, 0, "Base/Fight/Two");
    check_near(sinew_animator_elapsed(s.animator, sinew_graph_find_state(s.graph, "Base/Fight")), 33.0 * STEP, 0.0);
    update(&s, 48);
    check_leaf(&s, 0, "Base/Move");
    assert_false(sinew_animator_has_tag(s.animator, sinew_graph_find_tag(s.graph, "busy")));
    free_graph_stage(&s);
}

static void test_forcing_an_inner_state(void **state) {
    (void)state;
    graph_stage s = stage_of(NESTED);
    int32_t two = sinew_graph_find_state(s.graph, "Base/Fight/Two"),
            fight = sinew_graph_find_state(s.graph, "Base/Fight");
    int32_t move = sinew_graph_find_state(s.graph, "Base/Move");
    sinew_animator_force_state(s.animator, two, NULL);
    const sinew_graph_events events = sinew_animator_events(s.animator);
    const sinew_graph_event expected[] = {{SINEW_GRAPH_EVENT_STATE_LEFT, 0, move, SINEW_GRAPH_NONE},
                                          {SINEW_GRAPH_EVENT_TRANSITION_STARTED, 0, two, SINEW_GRAPH_NONE},
                                          {SINEW_GRAPH_EVENT_STATE_ENTERED, 0, fight, SINEW_GRAPH_NONE},
                                          {SINEW_GRAPH_EVENT_STATE_ENTERED, 0, two, SINEW_GRAPH_NONE}};
    assert_int_equal(events.count, 4);
    assert_memory_equal(events.items, expected, sizeof expected);
    assert_true(sinew_animator_is_active(s.animator, fight));
    assert_true(sinew_action_get(mixer_of(&s), sinew_animator_action(s.animator, 0)).clip == s.clips[3]);
    free_graph_stage(&s);
}

static void test_a_forced_transition_ends_at_its_state(void **state) {
    (void)state;
    graph_stage s = stage_of(NESTED);
    int32_t fight = sinew_graph_find_state(s.graph, "Base/Fight");
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0.0f;
    sinew_animator_force_state(s.animator, fight, &cut);
    check_leaf(&s, 0, "Base/Fight/One");
    update(&s, 1);
    const sinew_graph_events events = sinew_animator_events(s.animator);
    assert_int_equal(events.count, 1);
    assert_int_equal(events.items[0].type, SINEW_GRAPH_EVENT_TRANSITION_ENDED);
    assert_int_equal(events.items[0].state, fight);
    assert_int_equal(events.items[0].transition, SINEW_GRAPH_NONE);
    free_graph_stage(&s);
}

#define WAVING(condition)                                                                                          \
    "{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'wave'},'B':{}},'transitions':["               \
    "{'from':'A','to':'B','when':'elapsed < 0.01 && " condition "'}]}]}"

// The clip starts again in the same action. The marker and the loop of the last step belong to the state that was
// left.
static void test_a_forced_state_has_no_events_yet(void **state) {
    (void)state;
    const char *const texts[2] = {WAVING("marker(`Hit`)"), WAVING("past(0.75)")};
    for (int i = 0; i < 2; i++) {
        graph_stage s = stage_of(texts[i]);
        sinew_transition cut = sinew_transition_default();
        cut.duration = 0.0f;
        update(&s, i == 0 ? 32 : 64);
        sinew_animator_force_state(s.animator, 0, &cut);
        update(&s, 1);
        check_leaf(&s, 0, "Base/A");
        free_graph_stage(&s);
    }
}

// Three one-shots of 0.75, 0.5 and 1 s after each other, as long as each frame lasts.
static void test_one_shots_hand_on_what_is_left_of_a_frame(void **state) {
    (void)state;
    static const char text[] =
        "{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'jump','loop':'once'},'B':{'clip':'run','"
        "loop':'once'},"
        "'C':{'clip':'wave','loop':'once'}},'transitions':[{'from':'A','to':'B','when':'finished','duration':0.1},"
        "{'from':'B','to':'C','when':'finished','duration':0.1},{'from':'C','to':'A','when':'finished','duration':"
        "0.1}]}]}";
    static const int rates[4] = {10, 30, 60, 144};
    for (int i = 0; i < 4; i++) {
        graph_stage s = stage_of(text);
        int entered = 0;
        const int frames = (int)(9.4 * rates[i] + 0.5);
        for (int k = 0; k < frames; k++) {
            sinew_animator_update(s.animator, 1.0f / (float)rates[i]);
            const sinew_graph_events events = sinew_animator_events(s.animator);
            for (int e = 0; e < events.count; e++)
                entered += events.items[e].type == SINEW_GRAPH_EVENT_STATE_ENTERED;
        }
        // Four rounds are 9 s, and 0.4 s into A.
        assert_int_equal(entered, 12);
        check_leaf(&s, 0, "Base/A");
        check_near(sinew_action_time(mixer_of(&s), sinew_animator_action(s.animator, 0)),
                   frames / (double)rates[i] - 9, 1e-4);
        free_graph_stage(&s);
    }
}

// Another version of the graph, with a state more and other numbers, continues in the same state at the same pose.
static void test_adopting(void **state) {
    (void)state;
    graph_stage old = stage_of(NESTED), s = stage_of(NESTED);
    sinew_animator_force_state(old.animator, sinew_graph_find_state(old.graph, "Base/Fight/Two"), NULL);
    set_float(&old, "speed", 2.5f);
    update(&old, 20);
    double x = x_of(&old);
    assert_true(x > 0.5);

    graph_stage same = old; // the same skeleton and clips
    sinew_graph_binding_def def = stage_binding_def(&old);
    def.graph = s.graph;
    assert_int_equal(sinew_graph_bind(&def, &same.binding, NULL), SINEW_OK);
    same.graph = s.graph;
    same.animator = make_animator(same.binding);
    sinew_animator_adopt(same.animator, old.animator, 0.25f);
    check_leaf(&same, 0, "Base/Fight/Two");
    check_near(sinew_animator_float(same.animator, parameter_of(&same, "speed")), 2.5, 0.0);
    sinew_animator_update(same.animator, 0.0f);
    check_near(x_of(&same), x, 1e-5);
    check_near(sinew_action_time(mixer_of(&same), sinew_animator_action(same.animator, 0)), 20.0 * STEP, 1e-6);
    sinew_animator_destroy(same.animator);
    sinew_graph_binding_destroy(same.binding);
    free_graph_stage(&s);
    free_graph_stage(&old);
}

// ---- Snapshots -----------------------------------------------------------------------------------------------

#define LIVELY                                                                                                     \
    "{'sinewGraph':1,'parameters':{'speed':{'type':'float','range':[0,4],'damping':0.2},'hop':{'type':'trigger',"  \
    "'hold':0.2},'wave':{'type':'trigger'},'high':{'type':'bool'}},'syncMarkers':['Hit'],'layers':[{'name':'Base'" \
    ","                                                                                                            \
    "'states':{'Move':{'blend':{'x':'speed','samples':[{'clip':'idle'},{'clip':'walk','x':1},{'clip':'run',"       \
    "'x':3}]}},'Air':{'states':{'Up':{'clip':'jump','loop':'once'},'Down':{'clip':'wave'}},'transitions':[{"       \
    "'from':'Up','to':'Down','when':'past(0.5) && high','kind':'deadBlend'}]}},'transitions':[{'from':'Move',"     \
    "'to':'Air','when':'hop','kind':'inertialize','duration':0.3},{'from':'Air','to':'Move','when':"               \
    "'finished || marker(`Hit`) && elapsed > 0.5','duration':0.4},{'from':'Air','to':'Move','when':"               \
    "'loops > 1'}]},{'name':'Upper','mask':[{'node':'n1'}],'states':{'Off':{},'Wave':{'clip':'wave'}},"            \
    "'transitions':[{'from':'*','to':'Wave','when':'wave','toSelf':true,'interrupt':'anyState'},{'from':'Wave',"   \
    "'to':'Off','when':'past(1) || in_state(`Base/Air/Down`)','kind':'inertialize'}]}]}"

// ---- Adopting in motion ------------------------------------------------------------------------------------------

static sinew_animator *make_moving_animator(const graph_stage *s, bool has_root) {
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = s->skeleton;
    root.node = 0;
    root.x = true;
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.root_motion = has_root ? &root : NULL;
    sinew_animator_def def = sinew_animator_default();
    def.binding = s->binding;
    def.mixer = &mixer;
    sinew_animator *animator;
    assert_int_equal(sinew_animator_create(&def, &animator, NULL), SINEW_OK);
    return animator;
}

// Metres in a step, of the root or of node 0 in the pose.
static double step_of(sinew_animator *animator, bool has_root, float dt) {
    sinew_mixer *mixer = sinew_animator_mixer(animator);
    const double before = (double)sinew_mixer_pose(mixer)->tx[0];
    sinew_animator_update(animator, dt);
    if (has_root) return (double)sinew_mixer_root_delta(mixer).translation.x;
    return (double)sinew_mixer_pose(mixer)->tx[0] - before;
}

static double damped(const graph_stage *s, const sinew_animator *animator) {
    return (double)sinew_animator_float(animator, parameter_of(s, "speed"));
}

// Adopts the same graph in the middle of a change of speed: both animators continue alike. Mistakes: a damped
// parameter restarts at its default, a blend space starts at its parameter's target, or the pose and the root stand
// still.
static void check_adopting_in_motion(bool has_root) {
    graph_stage s = stage_of(LIVELY);
    sinew_animator *animator = make_moving_animator(&s, has_root), *next = make_moving_animator(&s, has_root);
    const float dt = 1.0f / 240.0f;
    for (int frame = 0; frame < 500; frame++) {
        if (frame == 460) sinew_animator_set_float(animator, parameter_of(&s, "speed"), 3.0f);
        sinew_animator_update(animator, dt);
    }
    assert_true(damped(&s, animator) > 0.5 && damped(&s, animator) < 2.5);
    const sinew_blend_parameter at =
        sinew_action_get(sinew_animator_mixer(animator), sinew_animator_action(animator, 0)).parameter;
    assert_true(at.x > 0.1 && at.x < damped(&s, animator) - 0.1);
    sinew_animator_adopt(next, animator, 0.2f);
    check_near(sinew_action_get(sinew_animator_mixer(next), sinew_animator_action(next, 0)).parameter.x, at.x,
               1e-6);
    for (int frame = 0; frame < 120; frame++) {
        const double a = step_of(animator, has_root, dt), b = step_of(next, has_root, dt);
        check_near(damped(&s, next), damped(&s, animator), 0.0);
        check_near(b / (double)dt, a / (double)dt, frame == 0 ? 0.02 : 0.5);
    }
    sinew_animator_destroy(animator);
    sinew_animator_destroy(next);
    free_graph_stage(&s);
}

static void test_adopting_in_motion(void **state) {
    (void)state;
    check_adopting_in_motion(false);
    check_adopting_in_motion(true);
}

// Sets the inputs of a frame, the same for the same frame and state of the generator.
static void set_inputs(const graph_stage *s, uint64_t seed, int frame) {
    uint64_t random = seed + (uint64_t)frame * 7919;
    random_next(&random);
    if (random_next(&random) % 8 == 0) set_float(s, "speed", random_float(&random, 0.0f, 4.0f));
    if (random_next(&random) % 20 == 0) fire(s, "hop");
    if (random_next(&random) % 30 == 0) fire(s, "wave");
    sinew_animator_set_bool(s->animator, parameter_of(s, "high"), random_next(&random) % 3 == 0);
}

// Rolls back 8 frames at each of 1,000 frames, with another frame in between, and plays them again.
static void test_rollback(void **state) {
    (void)state;
    graph_stage s = stage_of(LIVELY);
    enum { BACK = 8, FRAMES = 1000 };
    size_t size = sinew_animator_snapshot_size(s.animator);
    char *memory = (char *)malloc(BACK * size);
    uint64_t hashes[FRAMES], taken = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int again = frame >= BACK ? frame - BACK : frame; again <= frame; again++) {
            if (again == frame - BACK) {
                assert_true(sinew_animator_restore(s.animator, memory + (size_t)(again % BACK) * size, size));
                continue;
            }
            set_inputs(&s, 5, again);
            sinew_animator_update(s.animator, 1.0f / 60.0f);
            uint64_t hash = sinew_animator_hash(s.animator);
            if (again < frame) assert_true(hash == hashes[again]);
            hashes[again] = hash;
            taken += sinew_animator_transition(s.animator, 0) != SINEW_GRAPH_NONE;
            sinew_animator_save(s.animator, memory + (size_t)(again % BACK) * size);
        }
    }
    assert_true(taken > 500);
    free(memory);
    free_graph_stage(&s);
}

// After sinew_batch_catch_up, a character that waits for its pose takes the transitions that it takes alone.
static void test_a_crowd_within_a_budget(void **state) {
    (void)state;
    graph_stage s = stage_of(TWO_LAYERS);
    enum { COUNT = 6 };
    sinew_animator *crowd[COUNT], *alone[COUNT];
    sinew_batch_item items[COUNT] = {{0}};
    for (int i = 0; i < COUNT; i++) {
        crowd[i] = make_animator(s.binding);
        alone[i] = make_animator(s.binding);
        items[i].mixer = sinew_animator_mixer(crowd[i]);
        items[i].significance = 1.0f;
    }
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 1;
    uint64_t random = 3;
    int waits = 0, changes = 0;
    for (int frame = 0; frame < 1000; frame++) {
        for (int i = 0; i < COUNT; i++) {
            sinew_batch_catch_up(&items[i]);
            if (random_next(&random) % 50 != 0) continue;
            sinew_animator_fire(crowd[i], parameter_of(&s, "wave"));
            sinew_animator_fire(alone[i], parameter_of(&s, "wave"));
        }
        for (int i = 0; i < COUNT; i++) sinew_animator_advance(crowd[i], STEP);
        sinew_batch_update_within(&budget, items, 0, COUNT, STEP);
        for (int i = 0; i < COUNT; i++) {
            sinew_animator_update(alone[i], STEP);
            const sinew_graph_events events = sinew_animator_events(crowd[i]);
            const sinew_graph_events of_alone = sinew_animator_events(alone[i]);
            assert_int_equal(events.count, of_alone.count);
            assert_memory_equal(events.items, of_alone.items, (size_t)events.count * sizeof *events.items);
            assert_int_equal(sinew_animator_state(crowd[i], 1), sinew_animator_state(alone[i], 1));
            waits += !items[i].changed;
            changes += events.count;
        }
    }
    assert_true(waits > 1000 && changes > 100);
    for (int i = 0; i < COUNT; i++) {
        sinew_animator_destroy(crowd[i]);
        sinew_animator_destroy(alone[i]);
    }
    free_graph_stage(&s);
}

// Handles of actions differ between mixers.
static void test_the_same_calls_give_the_same_hash(void **state) {
    (void)state;
    graph_stage s = stage_of(LIVELY), other = stage_of(LIVELY);
    for (int frame = 0; frame < 200; frame++) {
        graph_stage *stages[2] = {&s, &other};
        for (int i = 0; i < 2; i++) {
            set_inputs(stages[i], 5, frame);
            sinew_animator_update(stages[i]->animator, STEP);
        }
        assert_true(sinew_animator_hash(s.animator) == sinew_animator_hash(other.animator));
    }
    free_graph_stage(&s);
    free_graph_stage(&other);
}

static void test_restoring_refuses(void **state) {
    (void)state;
    graph_stage s = stage_of(LIVELY), other = stage_of(NESTED);
    size_t size = sinew_animator_snapshot_size(s.animator);
    char *memory = (char *)malloc(size);
    size_t used = sinew_animator_save(s.animator, memory);
    assert_true(used <= size);
    uint64_t hash = sinew_animator_hash(other.animator);
    assert_false(sinew_animator_restore(other.animator, memory, used));
    assert_true(sinew_animator_hash(other.animator) == hash);
    assert_false(sinew_animator_restore(s.animator, memory, used - 1));
    assert_false(sinew_animator_restore(s.animator, NULL, used));
    free(memory);
    free_graph_stage(&s);
    free_graph_stage(&other);
}

// Nothing of the bytes is used: the paths are indices, and the mixer's part has addresses.
static void test_a_damaged_snapshot_is_refused(void **state) {
    (void)state;
    graph_stage s = stage_of(LIVELY);
    sinew_animator *other = make_animator(s.binding);
    for (int frame = 0; frame < 40; frame++) {
        set_inputs(&s, 3, frame);
        sinew_animator_update(s.animator, STEP);
    }
    char *memory = (char *)malloc(sinew_animator_snapshot_size(s.animator));
    size_t used = sinew_animator_save(s.animator, memory);
    const uint64_t hash = sinew_animator_hash(s.animator), of_other = sinew_animator_hash(other);
    for (size_t i = 0; i < used; i++) {
        memory[i] ^= (char)(1 << i % 8);
        if (sinew_animator_restore(other, memory, used)) fail_msg("byte %zu of %zu", i, used);
        memory[i] ^= (char)(1 << i % 8);
    }
    assert_true(sinew_animator_hash(other) == of_other);
    assert_true(sinew_animator_restore(other, memory, used));
    assert_true(sinew_animator_hash(other) == hash);
    sinew_animator_destroy(other);
    free(memory);
    free_graph_stage(&s);
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Creates everything with the n-th allocation failing, until none fails.
static void test_every_allocation_can_fail(void **state) {
    (void)state;
    graph_stage s = stage_of(LIVELY);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_allocator allocator = counting_allocator(&c);
        sinew_mixer_def mixer = sinew_mixer_default();
        mixer.allocator = allocator;
        sinew_graph_binding_def def = stage_binding_def(&s);
        def.allocator = allocator;
        sinew_animator_def animator_def = sinew_animator_default();
        animator_def.allocator = allocator;
        animator_def.mixer = &mixer;
        sinew_graph_binding *binding;
        sinew_animator *animator = NULL;
        sinew_error error = {0};
        result = sinew_graph_bind(&def, &binding, &error);
        animator_def.binding = binding;
        if (result == SINEW_OK) result = sinew_animator_create(&animator_def, &animator, &error);
        sinew_animator_destroy(animator);
        sinew_graph_binding_destroy(binding);
        assert_int_equal(error.result, result);
    }
    assert_int_equal(c.fail_at, 1 + 5); // binding, blend space, mask, mixer and animator
    free_graph_stage(&s);
}

static void test_bind_names_what_is_missing(void **state) {
    (void)state;
    graph_stage s = stage_of(NESTED);
    sinew_graph_binding_def def = stage_binding_def(&s);
    def.find_clip = NULL;
    def.clips = s.clips[2];
    def.clip_count = 1; // "run"
    sinew_graph_binding *binding;
    sinew_error error;
    assert_int_equal(sinew_graph_bind(&def, &binding, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "line 1: Base/Move: no clip is named \"walk\"");
    assert_null(binding);
    sinew_graph *misspelled =
        read_graph("{\"sinewGraph\":1,\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{\"clip\":\"rnu\"}}}]}");
    def.graph = misspelled;
    assert_int_equal(sinew_graph_bind(&def, &binding, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "line 1: Base/A: no clip is named \"rnu\"; did you mean \"run\"?");
    sinew_graph_destroy(misspelled);
    free_graph_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entry_plays_at_once),
        cmocka_unit_test(test_a_fade),
        cmocka_unit_test(test_speed_follows_its_parameter),
        cmocka_unit_test(test_triggers),
        cmocka_unit_test(test_entering_starts_the_clip),
        cmocka_unit_test(test_only_the_last_of_a_chain_plays),
        cmocka_unit_test(test_a_cycle_is_bounded),
        cmocka_unit_test(test_nothing_is_past_in_an_empty_state),
        cmocka_unit_test(test_an_upper_layer_lets_go),
        cmocka_unit_test(test_layer_weight_follows_its_parameter),
        cmocka_unit_test(test_an_additive_layer),
        cmocka_unit_test(test_additive_clips_are_made_once_a_layer),
        cmocka_unit_test(test_states_of_a_sync_group_stay_in_phase),
        cmocka_unit_test(test_a_clip_of_a_sync_group_continues),
        cmocka_unit_test(test_a_clip_that_plays_joins_a_sync_group),
        cmocka_unit_test(test_a_blend_space_follows_a_vector),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_an_evicted_clip_has_finished),
        cmocka_unit_test(test_the_end_of_an_evicted_clip),
        cmocka_unit_test(test_a_fraction_has_the_speed_of_the_mixer),
        cmocka_unit_test(test_past_the_last_end),
        cmocka_unit_test(test_the_leaf_goes_before_its_machine),
        cmocka_unit_test(test_forcing_an_inner_state),
        cmocka_unit_test(test_a_forced_transition_ends_at_its_state),
        cmocka_unit_test(test_a_forced_state_has_no_events_yet),
        cmocka_unit_test(test_one_shots_hand_on_what_is_left_of_a_frame),
        cmocka_unit_test(test_adopting),
        cmocka_unit_test(test_adopting_in_motion),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_a_crowd_within_a_budget),
        cmocka_unit_test(test_the_same_calls_give_the_same_hash),
        cmocka_unit_test(test_restoring_refuses),
        cmocka_unit_test(test_a_damaged_snapshot_is_refused),
        cmocka_unit_test(test_every_allocation_can_fail),
        cmocka_unit_test(test_bind_names_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
