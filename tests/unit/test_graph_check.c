// SPDX-License-Identifier: MIT
// The checker for animation graphs: it finds each planted fault at its position, and nothing else. Sound graphs have
// no findings. test_graph_check_brute.c checks the exploration against the animator.
#include "support/graph_stage.h"

#include "graph/check.h"

#include <stdio.h>

static bool reported_rules[GRAPH_RULE_COUNT];

// Texts have ' for " of JSON, and ` for a quote in a condition.
static sinew_graph *graph_of(const char *text) {
    char json[8192];
    const size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i] == '`' ? '\'' : text[i];
    return read_graph(json);
}

static void print_findings(const graph_report *report) {
    for (int32_t i = 0; i < report->count; i++) {
        const graph_finding *finding = &report->findings[i];
        print_error("%s: line %d: %s: %s %s\n", graph_rules[finding->rule].id, (int)finding->line,
                    finding->location, finding->message, finding->advice);
    }
}

typedef struct expected {
    graph_rule_id rule;
    const char *location, *message;
} expected;

#define MAX_EXPECTED 4

static bool is_expected(const graph_finding *finding, const expected *e) {
    const bool is_sentence = finding->message[strlen(finding->message) - 1] == '.' && strlen(finding->advice) > 0;
    return finding->rule == e->rule && strcmp(finding->location, e->location) == 0 &&
           strstr(finding->message, e->message) && is_sentence;
}

// Checks a graph with the clips of the stage, or without clips.
static void expect_all(const char *text, bool with_clips, const expected *all, int32_t count) {
    graph_stage stage = {0};
    make_graph_clips(&stage);
    const sinew_graph_binding_def clips = stage_binding_def(&stage);
    stage.graph = graph_of(text);
    graph_report report;
    assert_true(graph_check(&report, stage.graph, with_clips ? &clips : NULL));
    bool good = report.count == count && report.approximate_layers == 0;
    for (int32_t i = 0; good && i < count; i++) {
        good = is_expected(&report.findings[i], &all[i]);
        reported_rules[all[i].rule] = true;
    }
    if (!good) {
        print_findings(&report);
        for (int32_t i = 0; i < count; i++) {
            print_error("expected %s: %s: ...%s...\n", graph_rules[all[i].rule].id, all[i].location,
                        all[i].message);
        }
        fail_msg("%s", text);
    }
    graph_report_end(&report);
    free_graph_stage(&stage);
}

#define EXPECT(text, ...)                                                                                          \
    do {                                                                                                           \
        const expected all[] = {__VA_ARGS__};                                                                      \
        expect_all(text, true, all, (int32_t)(sizeof all / sizeof *all));                                          \
    } while (0)

static void expect_nothing(const char *text) {
    expect_all(text, true, NULL, 0);
    expect_all(text, false, NULL, 0);
}

// Graphs of one layer, Base, with the parameters, states and transitions given.
#define GRAPH(parameters, states, transitions)                                                                     \
    "{'sinewGraph':1,'parameters':{" parameters "},\n'layers':[{'name':'Base','states':{" states                   \
    "},'transitions':[" transitions "]}]}"

#define SPEED "'speed':{'type':'float','range':[0,6]}"
#define GO    "'go':{'type':'trigger'}"
#define BACK  "'back':{'type':'trigger'}"
#define IDLE  "'Idle':{'clip':'idle'}"
#define WALK  "'Walk':{'clip':'walk'}"
#define MOVE                                                                                                       \
    "'Move':{'blend':{'x':'speed','samples':[{'clip':'idle','x':0},{'clip':'walk','x':1},{'clip':'run','x':3}]}}"
#define WAVE           "'Wave':{'clip':'wave','loop':'once'}"
#define EMPTY          "'None':{}"
#define TO(a, b, when) "{'from':'" a "','to':'" b "','when':'" when "'}"
#define STARTS         TO("Idle", "Walk", "speed > 0.1") "," TO("Walk", "Idle", "speed <= 0.1")

// ---- Names ---------------------------------------------------------------------------------------------------

// The skeleton of the stage has no curves: one finding for each that is named.
static void test_curves(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED, IDLE "," WALK,
                 TO("Idle", "Walk", "speed > 1") ",\n" TO("Walk", "Idle", "speed <= 1 && curve(`Grip`) > 0.5")),
           {GRAPH_CURVE_MISSING, "Base/Walk -> Idle", "Column 15: the file doesn't have a curve named 'Grip'."});
    EXPECT("{'sinewGraph':1,'layers':[{'name':'Base','states':{" IDLE "}},{'name':'Upper','mask':{'curve':'Grip'},"
           "'weightCurve':'Reach','states':{" WALK "}}]}",
           {GRAPH_CURVE_MISSING, "Upper", "The file doesn't have a curve named 'Grip', which the mask uses."},
           {GRAPH_CURVE_MISSING, "Upper", "The file doesn't have a curve named 'Reach', which weightCurve uses."});
}

// A curve has any value, and the same one in all conditions of a frame.
static void test_values_of_curves(void **state) {
    (void)state;
    const char *text =
        GRAPH(SPEED, IDLE "," WALK,
              TO("Idle", "Walk", "curve(`Grip`) > 0.5 && speed > 1") "," TO(
                  "Walk", "Idle", "curve(`Grip`) <= 0.5") "," TO("Walk", "Idle", "curve(`Grip`) < -9"));
    const expected shadowed[] = {{GRAPH_TRANSITION_SHADOWED, "Base/Walk -> Idle", "An earlier transition"}};
    expect_all(text, false, shadowed, 1);
    text = GRAPH(SPEED, IDLE "," WALK,
                 TO("Idle", "Walk", "curve(`Grip`) > 0.5 && curve(`Grip`) < 0.5") "," TO(
                     "Idle", "Walk", "speed > curve(`Grip`)") "," TO("Walk", "Idle", "curve(`Grip`) > speed"));
    const expected never[] = {{GRAPH_TRANSITION_NEVER, "Base/Idle -> Walk", "false for all values"}};
    expect_all(text, false, never, 1);
    text =
        GRAPH(SPEED, IDLE "," WALK, TO("Idle", "Walk", "curve(`Grip`) > 0.5") "," TO("Walk", "Idle", "speed < 1"));
    const expected cycle[] = {{GRAPH_CYCLE_IN_FRAME, "Base/Idle -> Walk", "With curve('Grip') = 1.5, speed = 0, "}};
    expect_all(text, false, cycle, 1);
}

static void test_clips(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED, IDLE ",\n'Walk':{'clip':'wallk'}", STARTS),
           {GRAPH_CLIP_MISSING, "Base/Walk", "clip named 'wallk'"});
    EXPECT(GRAPH(SPEED, "'Move':{'blend':{'x':'speed','samples':[{'clip':'idle'},{'clip':'fly','x':1}]}}", ""),
           {GRAPH_CLIP_MISSING, "Base/Move", "clip named 'fly'"});
    EXPECT("{'sinewGraph':1,'layers':[{'name':'Base','states':{" IDLE "}},{'name':'Add','mode':'additive',"
           "'reference':'rest','states':{" WALK "}}]}",
           {GRAPH_CLIP_MISSING, "Add", "clip named 'rest'"});
}

static void test_advice_names_the_nearest_clip(void **state) {
    (void)state;
    graph_stage stage = {0};
    make_graph_clips(&stage);
    sinew_graph_binding_def clips = stage_binding_def(&stage);
    clips.clips = stage.clips[1];
    clips.clip_count = 1;
    stage.graph = graph_of(GRAPH(SPEED, IDLE ",\n'Walk':{'clip':'Wallk'}", STARTS));
    graph_report report;
    assert_true(graph_check(&report, stage.graph, &clips));
    assert_int_equal(report.count, 1);
    assert_string_equal(report.findings[0].advice, "Did you mean 'walk'?");
    assert_int_equal(report.findings[0].line, 3);
    assert_int_equal(report.findings[0].state, sinew_graph_find_state(stage.graph, "Base/Walk"));
    graph_report_end(&report);
    free_graph_stage(&stage);
}

static void test_nodes(void **state) {
    (void)state;
    EXPECT("{'sinewGraph':1,'layers':[{'name':'Base','states':{" IDLE "}},{'name':'Upper','mask':{'node':'spine'},"
           "'states':{" WALK "}}]}",
           {GRAPH_NODE_MISSING, "Upper", "the node 'spine'"});
}

static void test_blend_spaces(void **state) {
    (void)state;
    EXPECT(GRAPH("'v':{'type':'vector2','range':[-1,1]}",
                 "'Move':{'blend':{'kind':'directional','x':'v','samples':[{'clip':'walk','y':1},{'clip':'run','y':"
                 "2}]}}",
                 ""),
           {GRAPH_BLEND_SPACE_REFUSED, "Base/Move", "cannot be created"});
}

static void test_markers(void **state) {
    (void)state;
    EXPECT(GRAPH(GO, IDLE "," WAVE, TO("Idle", "Wave", "go") "," TO("Wave", "Idle", "marker(`Hot`)")),
           {GRAPH_MARKER_MISSING, "Base/Wave -> Idle", "marker named 'Hot'"});
    // One of the states from which it starts has the marker.
    expect_nothing(
        GRAPH(GO, IDLE "," WAVE "," WALK,
              TO("Idle", "Wave", "go") "," TO("*", "Walk", "marker(`Hit`)") "," TO("Walk", "Idle", "go")));
}

// ---- States --------------------------------------------------------------------------------------------------

static void test_unreachable(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED, IDLE "," WALK "," WAVE, STARTS "," TO("Wave", "Idle", "finished")),
           {GRAPH_STATE_UNREACHABLE, "Base/Wave", "No transition leads"});
    // Both of a pair are unreachable; transitions of theirs are not reported.
    EXPECT(GRAPH(SPEED, IDLE "," WALK "," WAVE ",'Run':{'clip':'run'}",
                 STARTS "," TO("Wave", "Run", "finished") "," TO("Run", "Wave", "speed > 9")),
           {GRAPH_STATE_UNREACHABLE, "Base/Wave", "Only states that are never entered"},
           {GRAPH_STATE_UNREACHABLE, "Base/Run", "Only states that are never entered"});
    // The states of a machine are unreachable with it.
    EXPECT(GRAPH(SPEED, IDLE "," WALK ",'Combo':{'states':{'A':{'clip':'wave'},'B':{'clip':'run'}}}", STARTS),
           {GRAPH_STATE_UNREACHABLE, "Base/Combo", "No transition leads"});
    EXPECT(GRAPH(SPEED, IDLE ",'Combo':{'states':{'A':{'clip':'wave'},'B':{'clip':'run'}}}",
                 TO("Idle", "Combo", "speed > 0.1") "," TO("Combo", "Idle", "speed <= 0.1")),
           {GRAPH_STATE_UNREACHABLE, "Base/Combo/B", "No transition leads"});
}

// A state that can only be reached by a transition without effect has two findings: the transition's says why.
static void test_unreachable_since_never(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED, IDLE "," WALK "," WAVE,
                 STARTS "," TO("Idle", "Wave", "speed > 6") "," TO("Wave", "Idle", "finished")),
           {GRAPH_STATE_UNREACHABLE, "Base/Wave", "ever taken"},
           {GRAPH_TRANSITION_NEVER, "Base/Idle -> Wave", "false for all values"});
    EXPECT(GRAPH(SPEED, IDLE "," WALK "," WAVE,
                 STARTS "," TO("Idle", "Wave", "speed > 1") "," TO("Wave", "Idle", "finished")),
           {GRAPH_STATE_UNREACHABLE, "Base/Wave", "ever taken"},
           {GRAPH_TRANSITION_SHADOWED, "Base/Idle -> Wave", "Base/Idle -> Walk, line 2"});
}

static void test_exits(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED "," GO, IDLE "," WALK "," WAVE, STARTS "," TO("Idle", "Wave", "go")),
           {GRAPH_STATE_WITHOUT_EXIT, "Base/Wave", "No transition leads out"});
    expect_nothing(GRAPH(SPEED "," GO, IDLE "," WALK ",'Death':{'clip':'wave','loop':'once','tags':['final']}",
                         STARTS "," TO("*", "Death", "go")));
    // A transition of the machine around it leads out; entering itself does not.
    expect_nothing(GRAPH(GO "," BACK,
                         IDLE ",'Combo':{'states':{'A':{'clip':'wave'},'B':{'clip':'run'}},"
                              "'transitions':[" TO("A", "B", "past(0.5)") "]}",
                         TO("Idle", "Combo", "go") "," TO("Combo", "Idle", "back")));
    EXPECT(GRAPH(GO,
                 IDLE ",'Combo':{'states':{'A':{'clip':'wave'},'B':{'clip':'run'}},"
                      "'transitions':[" TO("A", "B", "past(0.5)") "," TO("B", "A", "past(0.5)") "]}",
                 TO("Idle", "Combo", "go") "," TO("Combo", "Combo", "go")),
           {GRAPH_STATE_WITHOUT_EXIT, "Base/Combo", "No transition leads out"});
    EXPECT(GRAPH(GO, IDLE "," WALK, TO("Idle", "Walk", "go") ",{'from':'*','to':'Walk','toSelf':true,'when':'go'}"),
           {GRAPH_STATE_WITHOUT_EXIT, "Base/Walk", "No transition leads out"},
           {GRAPH_TRANSITION_SHADOWED, "Base/Idle -> Walk", "Base/* -> Walk"});
    expect_nothing(GRAPH("", IDLE, ""));
}

// ---- Transitions ---------------------------------------------------------------------------------------------

#define NEVER(parameters, from, when, text)                                                                        \
    EXPECT(GRAPH(parameters "," BACK, from ",'End':{'clip':'run'}",                                                \
                 "{'from':'*','to':'End','when':'back'}," TO("End", "X", "back") "," TO("X", "End", when)),        \
           {GRAPH_TRANSITION_NEVER, "Base/X -> End", text})

#define CLIP_X  "'X':{'clip':'walk'}"
#define ONCE_X  "'X':{'clip':'walk','loop':'once'}"
#define EMPTY_X "'X':{}"

static void test_never_by_parameters(void **state) {
    (void)state;
    NEVER(SPEED, CLIP_X, "speed > 6", "false for all values");
    NEVER(SPEED, CLIP_X, "speed < 0", "false for all values");
    NEVER(SPEED, CLIP_X, "-speed > 0", "false for all values");
    NEVER(SPEED, CLIP_X, "speed < 1 && speed > 2", "false for all values");
    NEVER(SPEED, CLIP_X, "speed > 1 && !(speed >= 1)", "false for all values");
    NEVER("'n':{'type':'int','range':[0,9]}", CLIP_X, "n > 3 && n < 4", "false for all values");
    NEVER("'b':{'type':'bool'}", CLIP_X, "b && !b", "false for all values");
    NEVER("'b':{'type':'bool'}", CLIP_X, "(b == true) != b", "false for all values");
    NEVER("'a':{'type':'float'},'b':{'type':'float'}", CLIP_X, "a < b && b < a", "false for all values");
    NEVER("'a':{'type':'float'},'b':{'type':'float'}", CLIP_X, "a < 1 && b > 1 && a > b", "false for all values");
    NEVER("'a':{'type':'float'},'b':{'type':'float'},'c':{'type':'float'}", CLIP_X, "a < b && b < c && c < a",
          "false for all values");
    NEVER("'a':{'type':'float'},'b':{'type':'float'}", CLIP_X, "a < 0 && b < 0 && -a < b", "false for all values");
    NEVER("'v':{'type':'vector2','range':[-1,1]}", CLIP_X, "v.x > 0.5 && v.y > 1", "false for all values");
}

static void test_never_by_clips(void **state) {
    (void)state;
    NEVER(SPEED, CLIP_X, "finished && speed > 1", "repeats without a limit");
    NEVER(SPEED, "'X':{'blend':{'x':'speed','samples':[{'clip':'walk'}]}}", "finished && speed > 1",
          "blend space never finishes");
    NEVER(SPEED, EMPTY_X, "past(0) && speed > 1", "The state is empty");
    NEVER(SPEED, EMPTY_X, "marker(`Hit`) && speed > 1", "The state is empty");
    NEVER(SPEED, EMPTY_X, "time > 0 && speed > 1", "The state is empty");
    NEVER(SPEED, CLIP_X, "fraction > 1 && speed > 1", "false for all values");
    NEVER(SPEED, CLIP_X, "elapsed < 0 && speed > 1", "false for all values");
    NEVER(SPEED, CLIP_X, "loops < 0 && speed > 1", "false for all values");
    NEVER(SPEED, CLIP_X, "fraction >= 0.6 && !past(0.6) && speed > 1", "false for all values");
    NEVER(SPEED, CLIP_X, "time > 1 && speed > 1", "false for all values"); // it lasts 1 s
    NEVER(SPEED, CLIP_X, "time > 0.7 && fraction < 0.6 && speed > 1", "false for all values");
    NEVER(SPEED, "'X':{'clip':'walk','speed':-1}", "time > 0.7 && fraction > 0.6 && speed > 1",
          "false for all values");
    NEVER(SPEED, ONCE_X, "finished && fraction < 1 && speed > 1", "false for all values");
    NEVER(SPEED, "'X':{'clip':'walk','loopCount':3}", "loops > 3 && speed > 1", "false for all values");
}

// The same conditions one step away from the limit, and without the clips.
static void test_not_never(void **state) {
    (void)state;
    static const char *const conditions[] = {"speed >= 6",
                                             "speed <= 0",
                                             "a < b && a > 1 && b < 2",
                                             "time >= 1 && a > b",
                                             "fraction >= 1 && a > b",
                                             "past(1) && a > b",
                                             "loops > 3 && a > b",
                                             "time > 0.7 && fraction > 0.6 && a > b",
                                             "-a < b && a < b",
                                             "finished && fraction == 1 && a > b",
                                             "elapsed > a && elapsed < b"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char text[1024];
        const char *loop = strstr(conditions[i], "finished") ? ",'loop':'once'" : "";
        snprintf(text, sizeof text,
                 GRAPH(SPEED "," BACK ",'a':{'type':'float'},'b':{'type':'float'}",
                       "'End':{'clip':'run'},'X':{'clip':'walk'%s}",
                       TO("End", "X", "back && (speed > 1 || a > b)") "," TO("X", "End", "%s && back")),
                 loop, conditions[i]);
        expect_nothing(text);
    }
    // Without its clip, its duration is unknown.
    const char *late =
        GRAPH(BACK, "'End':{'clip':'run'}," CLIP_X, TO("End", "X", "back") "," TO("X", "End", "time > 1"));
    expect_all(late, false, NULL, 0);
}

static void test_never_from_any(void **state) {
    (void)state;
    EXPECT(
        GRAPH(GO "," BACK, IDLE "," WALK,
              TO("Idle", "Walk", "go") "," TO("Walk", "Idle", "back") ","
                                                                      "{'from':'*','to':'Idle','when':'finished'}"),
        {GRAPH_TRANSITION_NEVER, "Base/* -> Idle", "repeats without a limit"});
}

static void test_shadowed(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED, IDLE "," WALK ",'Run':{'clip':'run'}",
                 STARTS ",\n" TO("Idle", "Run", "speed > 3") "," TO("Walk", "Run", "speed > 3") "," TO(
                     "Run", "Idle", "speed < 3")),
           {GRAPH_TRANSITION_SHADOWED, "Base/Idle -> Run", "Base/Idle -> Walk, line 2"});
    // By a transition from any state.
    EXPECT(GRAPH(GO "," BACK, IDLE "," WALK "," WAVE,
                 TO("Idle", "Walk", "go") "," TO("Walk", "Idle", "back") "," TO("Wave", "Idle", "finished") "," TO(
                     "*", "Wave", "go")),
           {GRAPH_STATE_UNREACHABLE, "Base/Walk", "ever taken"},
           {GRAPH_TRANSITION_SHADOWED, "Base/Idle -> Walk", "Base/* -> Wave"});
}

// No single transition precedes it in all cases, but two together do.
static void test_shadowed_by_two(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED "," GO, IDLE "," WALK ",'Run':{'clip':'run'}," WAVE,
                 TO("Idle", "Walk", "speed > 0 && speed <= 3") "," TO("Idle", "Run", "speed > 2") "," TO(
                     "Idle", "Wave",
                     "speed > 1") "," TO("Walk", "Wave",
                                         "go") "," TO("Wave", "Idle",
                                                      "finished") "," TO("Walk", "Idle",
                                                                         "speed <= 0") "," TO("Run", "Idle",
                                                                                              "speed <= 0")),
           {GRAPH_TRANSITION_SHADOWED, "Base/Idle -> Wave", "Base/Idle -> Walk"});
}

static void test_always_true(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED "," GO, IDLE "," WALK, TO("Idle", "Walk", "speed >= 0") "," TO("Walk", "Idle", "go")),
           {GRAPH_CONDITION_ALWAYS_TRUE, "Base/Idle -> Walk", "true for all values"});
    EXPECT(GRAPH(GO, IDLE "," WALK, TO("Idle", "Walk", "elapsed >= 0") "," TO("Walk", "Idle", "go")),
           {GRAPH_CONDITION_ALWAYS_TRUE, "Base/Idle -> Walk", "true for all values"});
    EXPECT(GRAPH(GO, IDLE "," WALK, TO("Idle", "Walk", "!finished") "," TO("Walk", "Idle", "go")),
           {GRAPH_CONDITION_ALWAYS_TRUE, "Base/Idle -> Walk", "true for all values"});
    // Without a condition that is intended. In the state's first frame it is false.
    expect_nothing(GRAPH(GO, IDLE "," WALK, "{'from':'Idle','to':'Walk'}," TO("Walk", "Idle", "go")));
    expect_nothing(
        GRAPH(GO, IDLE "," WALK, TO("Idle", "Walk", "in_state(`Base/Idle`)") "," TO("Walk", "Idle", "go")));
}

// ---- Cycles --------------------------------------------------------------------------------------------------

static void test_cycles(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED, IDLE "," WALK, TO("Idle", "Walk", "speed > 1") "," TO("Walk", "Idle", "speed < 2")),
           {GRAPH_CYCLE_IN_FRAME, "Base/Idle -> Walk", "Idle -> Walk -> Idle repeats within a frame"});
    EXPECT(GRAPH("'hit':{'type':'bool'}", IDLE "," WALK,
                 "{'from':'*','to':'Walk','toSelf':true,'when':'hit'}," TO("Walk", "Idle", "!hit")),
           {GRAPH_CYCLE_IN_FRAME, "Base/* -> Walk", "With hit = true"});
    // A new state has an `elapsed` of 0 and hasn't finished. It continues in the next frame.
    expect_nothing(GRAPH(SPEED, IDLE "," WALK,
                         TO("Idle", "Walk", "speed > 1 && elapsed > 0") "," TO("Walk", "Idle", "speed < 2")));
    expect_nothing(
        GRAPH(GO, IDLE "," WAVE, TO("Idle", "Wave", "go || past(0.5)") "," TO("Wave", "Idle", "finished")));
    // A trigger is consumed; `never` ends the frame.
    expect_nothing(GRAPH(GO, IDLE "," WALK, TO("Idle", "Walk", "go") "," TO("Walk", "Idle", "go")));
    expect_nothing(GRAPH(
        SPEED, IDLE "," WALK,
        TO("Idle", "Walk", "speed > 1") ","
                                        "{'from':'Walk','to':'Idle','when':'speed < 2','interrupt':'never'}"));
}

#define CHAIN(a, b) "{'from':'" a "','to':'" b "'}"

static void test_long_chain(void **state) {
    (void)state;
    EXPECT(
        GRAPH(GO, "'A':{'clip':'idle'},'B':{},'C':{},'D':{},'E':{},'F':{},'G':{},'H':{},'I':{},'J':{'clip':'run'}",
              TO("A", "B", "go") "," CHAIN("B", "C") "," CHAIN("C", "D") "," CHAIN("D", "E") "," CHAIN(
                  "E", "F") "," CHAIN("F", "G") "," CHAIN("G", "H") "," CHAIN("H",
                                                                              "I") "," CHAIN("I",
                                                                                             "J") "," TO("J", "A",
                                                                                                         "go")),
        {GRAPH_CYCLE_IN_FRAME, "Base/A -> B", "the limit is 8 transitions"});
}

// ---- Parameters ----------------------------------------------------------------------------------------------

static void test_parameters(void **state) {
    (void)state;
    EXPECT(GRAPH(SPEED ",\n" GO, IDLE "," WALK, STARTS), {GRAPH_PARAMETER_UNUSED, "go", "No condition"});
    EXPECT(GRAPH(SPEED "," GO, IDLE "," WALK,
                 TO("Idle", "Walk", "speed > 1 && !go") "," TO("Walk", "Idle", "speed <= 1")),
           {GRAPH_TRIGGER_NOT_CONSUMED, "go", "No condition needs the trigger"});
    // States and transitions can't use positions and rotations, which the program reads.
    expect_nothing(GRAPH(SPEED ",'look':{'type':'vector3','range':[-1,1]},'hand':{'type':'transform'}",
                         IDLE "," WALK, STARTS));
    // The speed of a state, a blend space and the weight of a layer use parameters.
    expect_nothing("{'sinewGraph':1,'parameters':{" SPEED ",'rate':{'type':'float'},'weight':{'type':'float'}},"
                   "'layers':[{'name':'Base','states':{" MOVE "}},{'name':'Upper','weightParameter':'weight',"
                   "'states':{'Walk':{'clip':'walk','speedParameter':'rate'}}}]}");
}

// ---- Layers --------------------------------------------------------------------------------------------------

#define TWO_LAYERS(when)                                                                                           \
    "{'sinewGraph':1,'parameters':{" SPEED "," GO "},'layers':["                                                   \
    "{'name':'Base','states':{" IDLE ",'Walk':{'clip':'walk','tags':['moves']}},'transitions':[" STARTS "]},"      \
    "{'name':'Upper','states':{" EMPTY "," WAVE                                                                    \
    "},'transitions':[" TO("None", "Wave", when) "," TO("Wave", "None", "finished") "]}]}"

static void test_layers(void **state) {
    (void)state;
    expect_nothing(TWO_LAYERS("go && in_tag(`moves`)"));
    expect_nothing(TWO_LAYERS("go && !in_state(`Base/Walk`)"));
    EXPECT(TWO_LAYERS("go && in_state(`Base/Walk`) && in_state(`Base/Idle`)"),
           {GRAPH_STATE_UNREACHABLE, "Upper/Wave", "ever taken"},
           {GRAPH_TRANSITION_NEVER, "Upper/None -> Wave", "false for all values"});
}

// ---- Sound graphs --------------------------------------------------------------------------------------------

static void test_sound_controller(void **state) {
    (void)state;
    expect_nothing(
        "{'sinewGraph':1,'parameters':{" SPEED ",'grounded':{'type':'bool','default':true},"
        "'jump':{'type':'trigger','hold':0.15},'wave':{'type':'trigger'},'dead':{'type':'bool'}},'layers':["
        "{'name':'Base','states':{" MOVE ",'Jump':{'clip':'jump','loop':'once','tags':['airborne']},"
        "'Fall':{'clip':'jump','speed':0.5,'tags':['airborne']},"
        "'Death':{'clip':'wave','loop':'once','tags':['final']}},'transitions':["
        "{'from':'*','to':'Death','when':'dead','interrupt':'never'}," TO("Move", "Jump", "jump && grounded") "," TO("Move", "Fall", "!grounded && elapsed > 0.1") "," TO(
            "Jump", "Fall",
            "finished && !grounded") "," TO("Jump", "Move",
                                            "past(0.6) && grounded") "," TO("Fall", "Move",
                                                                            "grounded") "]},"
                                                                                        "{'name':'Upper','"
                                                                                        "mask':{'node':'n1'"
                                                                                        "},'states':{" EMPTY
                                                                                        "," WAVE "},'transitions':"
                                                                                        "[" TO(
                                                                                            "None", "Wave",
                                                                                            "wave && "
                                                                                            "!in_tag(`airborne`"
                                                                                            ")") "," TO("Wave",
                                                                                                        "None",
                                                                                                        "finishe"
                                                                                                        "d || "
                                                                                                        "in_tag("
                                                                                                        "`"
                                                                                                        "airborn"
                                                                                                        "e`)") "]}]"
                                                                                                               "}");
}

static void test_sound_combo(void **state) {
    (void)state;
    expect_nothing(GRAPH(
        GO "," SPEED,
        IDLE "," WALK ",'Combo':{'states':{'First':{'clip':'wave','loop':'once'},"
             "'Second':{'clip':'jump','loop':'once'},'Third':{'clip':'run','loopCount':2}},'transitions':[" TO(
                 "First", "Second", "go && past(0.4)") "," TO("Second", "Third", "go && fraction > 0.5") "]}",
        STARTS "," TO("Idle", "Combo", "go") "," TO("Combo", "Idle", "finished || elapsed > 5 && marker(`Hit`)")));
}

// The example of docs/graph.md, with the clips of the stage.
static void test_sound_example(void **state) {
    (void)state;
    expect_nothing(GRAPH(SPEED ",'grounded':{'type':'bool','default':true},'jump':{'type':'trigger','hold':0.15}",
                         MOVE ",'Jump':{'clip':'jump','loop':'once','tags':['airborne']}",
                         TO("Move", "Jump", "jump && grounded") "," TO("Jump", "Move", "finished && grounded")));
}

// ---- Limits --------------------------------------------------------------------------------------------------

// 30 switches that all have to be read: a layer with so many combinations is checked approximately.
static void test_many_combinations(void **state) {
    (void)state;
    char text[8192] = "{\"sinewGraph\":1,\"parameters\":{";
    for (int i = 0; i < 30; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\"b%d\":{\"type\":\"bool\"}", i ? "," : "", i);
    }
    char nested[512] = "((((((((((((((((((((((((((((b0"; // comparisons are not chained
    for (int i = 1; i < 30; i++) {
        snprintf(nested + strlen(nested), sizeof nested - strlen(nested), "%s == b%d", i > 1 ? ")" : "", i);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "},\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{},\"B\":{},\"C\":{}},\"transitions\":["
             "{\"from\":\"A\",\"to\":\"B\",\"when\":\"%s\"},{\"from\":\"B\",\"to\":\"A\",\"when\":\"!(%s)\"}]}]}",
             nested, nested);
    sinew_graph *graph = read_graph(text);
    graph_report report;
    assert_true(graph_check(&report, graph, NULL));
    print_findings(&report);
    assert_int_equal(report.approximate_layers, 1);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.findings[0].rule, GRAPH_STATE_UNREACHABLE);
    assert_string_equal(report.findings[0].location, "Base/C");
    graph_report_end(&report);
    sinew_graph_destroy(graph);
}

// 17 parameters in one order: comparisons of so many with one another are not decided.
static void test_many_related(void **state) {
    (void)state;
    char text[4096] = "{\"sinewGraph\":1,\"parameters\":{", when[512] = "p0 < p1";
    for (int i = 0; i < 17; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\"p%d\":{\"type\":\"float\"}", i ? "," : "",
                 i);
        if (i > 1) snprintf(when + strlen(when), sizeof when - strlen(when), " && p%d < p%d", i - 1, i);
    }
    snprintf(
        text + strlen(text), sizeof text - strlen(text),
        "},\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{},\"B\":{}},\"transitions\":["
        "{\"from\":\"A\",\"to\":\"B\",\"when\":\"%s\"},{\"from\":\"B\",\"to\":\"A\",\"when\":\"p16 < p0\"}]}]}",
        when);
    sinew_graph *graph = read_graph(text);
    graph_report report;
    assert_true(graph_check(&report, graph, NULL));
    print_findings(&report);
    assert_int_equal(report.approximate_layers, 1);
    assert_int_equal(report.count, 0);
    graph_report_end(&report);
    sinew_graph_destroy(graph);
}

// Runs last.
static void test_all_rules(void **state) {
    (void)state;
    for (int i = 0; i < GRAPH_STEP_REFUSED; i++) { // test_graph_check_rig.c has the rigs'
        if (!reported_rules[i]) fail_msg("no graph has the fault %s", graph_rules[i].id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_advice_names_the_nearest_clip),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_values_of_curves),
        cmocka_unit_test(test_blend_spaces),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_unreachable),
        cmocka_unit_test(test_unreachable_since_never),
        cmocka_unit_test(test_exits),
        cmocka_unit_test(test_never_by_parameters),
        cmocka_unit_test(test_never_by_clips),
        cmocka_unit_test(test_not_never),
        cmocka_unit_test(test_never_from_any),
        cmocka_unit_test(test_shadowed),
        cmocka_unit_test(test_shadowed_by_two),
        cmocka_unit_test(test_always_true),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_sound_controller),
        cmocka_unit_test(test_sound_combo),
        cmocka_unit_test(test_sound_example),
        cmocka_unit_test(test_many_combinations),
        cmocka_unit_test(test_many_related),
        cmocka_unit_test(test_all_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
