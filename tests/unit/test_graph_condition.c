// SPDX-License-Identifier: MIT
// Conditions in animation graphs: words, precedence, types, messages, limits and hostile texts.
#include "support/check.h"
#include "support/condition_use.h"

#include <stdio.h>

// ---- Values --------------------------------------------------------------------------------------------------------

// What conditions read, with the parameters in the order of condition_graph.
typedef struct situation {
    double parameters[PARAMETERS][2];
    uint64_t active[1];
    sinewi_condition_input input;
} situation;

static void begin(situation *s) {
    *s = (situation){.parameters = {[PARAMETER_SPEED] = {(double)0.1f}, [PARAMETER_COUNT] = {16777217}}};
    s->input.parameters = (const double(*)[2])s->parameters;
    s->input.active = s->active;
    s->input.plays = true;
}

// The markers "Left" and "Right" have the indices 0 and 1.
static bool is_true(const situation *s, const char *text) {
    condition_markers markers = {.count = 2, .limit = 64, .names = {"Left", "Right"}};
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem = {.what = ""};
    int32_t count = condition_compile(text, &markers, nodes, &problem);
    if (count == 0) fail_msg("%s: column %d: %s", text, problem.column, problem.what);
    return condition_is_true(nodes, count, &s->input);
}

#define check_true(s, text)  check_value(s, text, true, __FILE__, __LINE__)
#define check_false(s, text) check_value(s, text, false, __FILE__, __LINE__)

static void check_value(const situation *s, const char *text, bool expected, const char *file, int line) {
    if (is_true(s, text) == expected) return;
    print_error("%s is not %s\n", text, expected ? "true" : "false");
    _fail(file, line);
}

static void test_numbers(void **state) {
    (void)state;
    situation s;
    begin(&s);
    check_true(&s, "speed == 0.1"); // rounded to float, as the parameter is
    check_true(&s, "speed == 1e-1");
    check_true(&s, "speed == 1.0E-1");
    check_true(&s, "count == 16777217"); // an integer is exact
    check_false(&s, "count == 16777216");
    check_true(&s, "16777217.0 == 16777216");
    check_true(&s, "16777217e0 == 16777216");
    check_true(&s, "007 == 7");
    check_true(&s, "1e+2 == 100");
    check_true(&s, "-1 < 0");
    check_true(&s, "- -1 == 1");
    check_true(&s, "--1 == 1");
    check_true(&s, "0 == -0");
    check_true(&s, "340282346638528859811704183484516925440 > 3.4e38"); // the largest float
}

static void test_parameters(void **state) {
    (void)state;
    situation s;
    begin(&s);
    s.parameters[PARAMETER_MOVE][0] = -1;
    s.parameters[PARAMETER_MOVE][1] = 2;
    check_true(&s, "move.x == -1 && move.y == 2");
    check_true(&s, "move . x == -1");
    check_false(&s, "grounded");
    check_false(&s, "jump");
    s.parameters[PARAMETER_GROUNDED][0] = 1;
    check_true(&s, "grounded");
    check_true(&s, "grounded != jump");
    check_true(&s, "grounded == true && jump == false");
    s.parameters[PARAMETER_JUMP][0] = 1;
    check_true(&s, "jump && grounded == jump");
}

static void test_words(void **state) {
    (void)state;
    situation s;
    begin(&s);
    check_true(&s, "true");
    check_false(&s, "false");
    check_true(&s, "time == 0 && fraction == 0 && elapsed == 0 && loops == 0");
    check_false(&s, "finished || past(0.6) || marker('Left') || in_tag('low') || in_state('Base/Move')");
    s.input.time = 1;
    s.input.fraction = 2;
    s.input.elapsed = 3;
    s.input.loops = 4;
    check_true(&s, "time == 1 && fraction == 2 && elapsed == 3 && loops == 4");
    s.input.finished = true;
    check_true(&s, "finished");
}

static void test_past(void **state) {
    (void)state;
    situation s;
    begin(&s);
    s.input.fraction = (double)0.6f;
    check_true(&s, "past(0.6)");
    check_true(&s, "past(0)");
    check_false(&s, "past(0.61)");
    check_false(&s, "past(1)");
    s.input.looped = true;
    check_true(&s, "past(1)");
    s.input.looped = false;
    s.input.fraction = 1;
    check_true(&s, "past(1.0)");
    s.input.plays = false; // an empty state
    check_false(&s, "past(0)");
}

static void test_sets(void **state) {
    (void)state;
    situation s;
    begin(&s);
    s.input.markers = 2;
    check_false(&s, "marker('Left')");
    check_true(&s, "marker(\"Right\")");
    check_false(&s, "marker('right')");
    const float curves[4] = {[2] = 0.25f, [3] = -1.0f}; // after the markers of is_true
    s.input.curves = curves;
    check_true(&s, "curve('Grip') == 0.25 && curve('Reach') < 0 && -curve(\"Reach\") == 1");
    check_false(&s, "curve('Grip') > 0.25 || curve('Reach') >= curve('Grip')");
    s.input.tags = 1 << TAG_ATTACK;
    check_true(&s, "in_tag('attack')");
    check_false(&s, "in_tag('airborne') || in_tag('low')");
    s.active[0] = 1 << STATE_COMBO | 1 << STATE_SECOND;
    check_true(&s, "in_state('Upper/Combo') && in_state('Upper/Combo/Second')");
    check_false(&s, "in_state('Upper/Combo/First') || in_state('Base/Move') || in_state('Base/Jump')");
}

// Bits beyond the first word, which the small graph does not have.
static void test_high_bits(void **state) {
    (void)state;
    const uint64_t active[64] = {[63] = UINT64_C(1) << 63};
    const sinewi_condition_input input = {
        .markers = UINT64_C(1) << 63, .tags = UINT64_C(1) << 40, .active = active};
    static const struct {
        sinew_condition_op op;
        int32_t index;
        bool expected;
    } cases[] = {
        {SINEW_CONDITION_MARKER, 63, true},     {SINEW_CONDITION_MARKER, 62, false},
        {SINEW_CONDITION_IN_TAG, 40, true},     {SINEW_CONDITION_IN_TAG, 8, false},
        {SINEW_CONDITION_IN_STATE, 4095, true}, {SINEW_CONDITION_IN_STATE, 4094, false},
        {SINEW_CONDITION_IN_STATE, 63, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const sinew_condition_node node = {cases[i].op, cases[i].index, -1, -1, 0, 1};
        assert_int_equal(condition_is_true(&node, 1, &input), cases[i].expected);
    }
}

static void test_no_condition_is_true(void **state) {
    (void)state;
    const sinew_condition condition = {0, NULL};
    const sinewi_condition_input input = {.time = 0};
    assert_true(condition_is_true(NULL, 0, &input));
    assert_true(sinewi_condition_triggers(&condition, &condition_graph) == 0);
}

static void test_precedence(void **state) {
    (void)state;
    situation s;
    begin(&s);
    check_true(&s, "true || true && false");
    check_false(&s, "(true || true) && false");
    check_true(&s, "false && false || true");
    check_false(&s, "false && (false || true)");
    check_false(&s, "!true || false");
    check_false(&s, "!(true || false)");
    check_true(&s, "!false && true");
    check_true(&s, "!false == true");
    check_false(&s, "!(false != true)");
    check_true(&s, "1 < 2 && 2 < 3");
    check_true(&s, "-1 < -0.5");
    check_true(&s, "(1 < 2) == (2 < 3)");
    check_true(&s, "\t(\n( 1<2 )\r)&&!  !true ");
}

static void test_comparisons(void **state) {
    (void)state;
    situation s;
    begin(&s);
    static const char *const symbols[] = {"<", "<=", ">", ">=", "==", "!="};
    static const bool expected[6][3] = {{1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}, {1, 0, 1}};
    for (int i = 0; i < 6; i++) {
        for (int right = 0; right < 3; right++) {
            char text[32];
            snprintf(text, sizeof text, "1 %s %d", symbols[i], 2 - right);
            check_value(&s, text, expected[i][right], __FILE__, __LINE__);
        }
    }
}

// ---- Operations ----------------------------------------------------------------------------------------------------

static void test_operations(void **state) {
    (void)state;
    static const sinew_condition_node expected[] = {
        {SINEW_CONDITION_PARAMETER, PARAMETER_JUMP, -1, -1, 0, 1},
        {SINEW_CONDITION_PARAMETER_Y, PARAMETER_MOVE, -1, -1, 0, 10},
        {SINEW_CONDITION_NEGATE, -1, 1, -1, 0, 9},
        {SINEW_CONDITION_NUMBER, -1, -1, -1, 2, 19},
        {SINEW_CONDITION_GREATER_EQUAL, -1, 2, 3, 0, 16},
        {SINEW_CONDITION_AND, -1, 0, 4, 0, 6},
        {SINEW_CONDITION_PAST, -1, -1, -1, 0.5, 26},
        {SINEW_CONDITION_NOT, -1, 6, -1, 0, 24},
        {SINEW_CONDITION_OR, -1, 5, 7, 0, 21},
    };
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem;
    condition_markers markers = {.limit = 64};
    int32_t count = condition_compile("jump && -move.y>= 2 || !(past(0.5))", &markers, nodes, &problem);
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    for (int32_t i = 0; i < count; i++) {
        const sinew_condition_node *e = &expected[i];
        assert_int_equal(nodes[i].op, e->op);
        assert_int_equal(nodes[i].index, e->index);
        assert_int_equal(nodes[i].left, e->left);
        assert_int_equal(nodes[i].right, e->right);
        assert_true(nodes[i].number == e->number);
        assert_int_equal(nodes[i].column, e->column);
    }
}

// A comparison of a parameter with a constant is one step, in any layout of the text.
static void test_steps(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int32_t count;
    } cases[] = {{"speed > 1", 1},         {"( speed )>=( 2.5 )", 1}, {"grounded == true", 1},
                 {"speed > 1 && jump", 3}, {"1 < speed", 3},          {"move.y > 1", 3},
                 {"move.x < 1", 1},        {"-speed > 1", 4},         {"speed > -1", 4},
                 {"speed > count", 3},     {"elapsed > 1", 3},        {"jump && (speed > 1 || count == 2)", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
        sinewi_condition_step steps[SINEW_MAX_CONDITION_NODES];
        sinewi_condition_problem problem;
        condition_markers markers = {.limit = 64};
        sinew_condition condition = {condition_compile(cases[i].text, &markers, nodes, &problem), nodes};
        assert_true(condition.node_count > 0);
        assert_int_equal(sinewi_condition_prepare(&condition, steps), cases[i].count);
    }
}

static uint8_t reads_of(const char *text) {
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem;
    condition_markers markers = {.limit = 64};
    sinew_condition condition = {condition_compile(text, &markers, nodes, &problem), nodes};
    assert_true(condition.node_count > 0);
    return sinewi_condition_reads(&condition);
}

static void test_reads(void **state) {
    (void)state;
    assert_int_equal(reads_of("jump && elapsed > speed || marker('Hit') || in_tag('low') && true"), 0);
    assert_int_equal(reads_of("time > 1"), SINEWI_CONDITION_READS_TIME);
    assert_int_equal(reads_of("jump || fraction > 0.5"), SINEWI_CONDITION_READS_TIME);
    assert_int_equal(reads_of("!past(0.5)"), SINEWI_CONDITION_READS_TIME);
    assert_int_equal(reads_of("-loops < 1"), SINEWI_CONDITION_READS_LOOPS);
    assert_int_equal(reads_of("finished"), SINEWI_CONDITION_READS_FINISHED);
    assert_int_equal(reads_of("finished && loops > 1 && time < 2"), 7);
}

static uint64_t triggers_of(const char *text) {
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem;
    condition_markers markers = {.limit = 64};
    sinew_condition condition = {condition_compile(text, &markers, nodes, &problem), nodes};
    assert_true(condition.node_count > 0);
    return sinewi_condition_triggers(&condition, &condition_graph);
}

static void test_triggers(void **state) {
    (void)state;
    assert_true(triggers_of("jump && grounded") == 1 << PARAMETER_JUMP);
    assert_true(triggers_of("speed > 1 || !(jump == true)") == 1 << PARAMETER_JUMP);
    assert_true(triggers_of("move.x < move.y && grounded || in_state('Base/Jump')") == 0);
}

static void test_reserved_words(void **state) {
    (void)state;
    static const char *const words[] = {"true", "false",  "time",   "fraction", "elapsed", "loops", "finished",
                                        "past", "marker", "in_tag", "in_state", "and",     "or",    "not"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) assert_true(sinewi_condition_is_word(words[i]));
    static const char *const others[] = {"speed", "True", "times", "tim", "x", "y", "in", "_", ""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) assert_false(sinewi_condition_is_word(others[i]));
}

// ---- Problems ------------------------------------------------------------------------------------------------------

static const struct {
    const char *text;
    int32_t column;
    const char *what;
} problems[] = {
    {"", 1, "the condition is empty"},
    {"   ", 1, "the condition is empty"},
    {"speed", 1, "a condition must be a boolean, but speed is a number: compare it, such as speed > 0"},
    {"1", 1, "a condition must be a boolean, but 1 is a number"},
    {"sped > 1", 1, "no parameter is named \"sped\"; did you mean \"speed\"?"},
    {"finsihed", 1, "no parameter is named \"finsihed\"; did you mean \"finished\"?"},
    {"airborne", 1, "no parameter is named \"airborne\"; write in_tag('airborne') for the tag"},
    {"Jump", 1, "no parameter is named \"Jump\"; did you mean \"jump\"?"},
    {"speed = 1", 7, "write == instead of ="},
    {"speed > 1 and grounded", 11, "write && instead of and"},
    {"not grounded", 1, "write ! instead of not"},
    {"grounded & jump", 10, "write && instead of &"},
    {"0 < speed < 1", 11, "comparisons cannot be chained: write 0 < speed && speed < ..."},
    {"speed > 1 == grounded", 11, "comparisons cannot be chained: write (speed > 1) == ..."},
    {"grounded == 1", 1,
     "== compares two numbers or two booleans, but grounded is a boolean: write grounded or !grounded"},
    {"1 == grounded", 6,
     "== compares two numbers or two booleans, but grounded is a boolean: write grounded or !grounded"},
    {"grounded > 0", 1, "> compares two numbers, but grounded is a boolean: write grounded or !grounded"},
    {"(grounded || jump) > 0", 1,
     "> compares two numbers, but (grounded || jump) is a boolean: write (grounded || jump) or !(grounded || "
     "jump)"},
    {"!speed > 1", 2, "! needs a boolean, but speed is a number: write !(speed > ...)"},
    {"!speed", 2, "! needs a boolean, but speed is a number: compare it, such as speed > 0"},
    {"-grounded", 2, "- needs a number, but grounded is a boolean: write grounded or !grounded"},
    {"move > 1", 1, "move is a vector2: write move.x or move.y"},
    {"move.z > 1", 6, "expected the coordinate x or y, found \"z\""},
    {"speed > 1 && goal", 14, "goal is a transform; conditions cannot read it"},
    {"target.x > 1", 1, "target is a vector3; conditions cannot read it"},
    {"-(target) > 1", 3, "target is a vector3; conditions cannot read it"},
    {"goal(1)", 1, "goal is a transform; conditions cannot read it"},
    {"speed.x > 1", 6, "speed has no coordinates; only a vector2 has them"},
    {"time.x > 1", 5, "time has no coordinates; only a vector2 has them"},
    {"time() > 1", 5, "time is not a function: write it without parentheses"},
    {"speed(1) > 1", 6, "speed is not a function: write it without parentheses"},
    {"past(x)", 6, "expected a number from 0 to 1, found \"x\""},
    {"past", 5, "past needs an argument: past(0.6)"},
    {"past(2)", 6, "past needs a number from 0 to 1, not 2"},
    {"past(-1)", 6, "expected a number from 0 to 1, found \"-\""},
    {"past('x')", 6, "expected a number from 0 to 1, found \"'x'\""},
    {"marker(Hit)", 8, "the name needs quotes: write marker('Hit')"},
    {"marker()", 8, "expected a name in quotes, found \")\""},
    {"marker('')", 8, "the name of a marker is empty"},
    {"marker('Hit'", 13, "expected \")\" after the argument, found the end"},
    {"marker('Hit", 8, "the string has no closing '"},
    {"marker(\xE2\x80\x98Hit\xE2\x80\x99)", 8, "write ' instead of \xE2\x80\x98"},
    {"in_tag('airbone')", 8, "no state has the tag \"airbone\"; did you mean \"airborne\"?"},
    {"in_tag('xxx')", 8, "no state has the tag \"xxx\""},
    {"in_state('Jump')", 10, "no state has the path \"Jump\"; did you mean \"Base/Jump\"?"},
    {"in_state('Base')", 10, "no state has the path \"Base\""},
    {"in_state('base/jmp')", 10, "no state has the path \"base/jmp\"; did you mean \"Base/Jump\"?"},
    {"in_state('Second')", 10, "no state has the path \"Second\"; did you mean \"Upper/Combo/Second\"?"},
    {"in_state('Upper/Comba/Secnd')", 10,
     "no state has the path \"Upper/Comba/Secnd\"; did you mean \"Upper/Combo/Second\"?"},
    {"in_state('Upper/Second')", 10,
     "no state has the path \"Upper/Second\"; did you mean \"Upper/Combo/Second\"?"},
    {"in_state('Uper/Second/x')", 10, "no state has the path \"Uper/Second/x\""},
    {"'airborne'", 1, "a string can only be an argument of curve, marker, in_tag or in_state"},
    {"(speed > 1", 11, "expected an operator, or \")\" for the \"(\" in column 1, found the end"},
    {"speed > 1)", 10, "\")\" without \"(\""},
    {"speed > 1 grounded", 11, "expected an operator or the end, found \"grounded\""},
    {"speed > 1s", 9, "\"1s\" is not a number: numbers are like 2, 0.5 and 1e3"},
    {"speed > .5", 9, "\".5\" is not a number: numbers are like 2, 0.5 and 1e3"},
    {"speed > 1e", 9, "\"1e\" is not a number: numbers are like 2, 0.5 and 1e3"},
    {"speed > 1e39", 9, "the number 1e39 is too large"},
    {"speed > 99999999999999999999999999999999999999999999", 9,
     "the number 99999999999999999999999999999999999999999999 is too large"},
    {"speed > 1 + 2", 11, "expected an operator or the end, found \"+\": conditions have no arithmetic"},
    {"speed - 1 > 2", 7, "expected an operator or the end, found \"-\": conditions have no arithmetic"},
    {"speed > ", 9, "expected a name, a number, \"!\", \"-\" or \"(\", found the end"},
    {"> 1", 1, "expected a name, a number, \"!\", \"-\" or \"(\", found \">\""},
    {"speed => 1", 7, "write >= instead of =>"},
    {"speed >> 1", 8, "expected a name, a number, \"!\", \"-\" or \"(\", found \">\""},
    {"grounded === jump", 10, "write == instead of ==="},
    {"grounded <> jump", 10, "write != instead of <>"},
    {"marke('x')", 1, "no function is named \"marke\"; did you mean \"marker\"?"},
    {"foo(1)", 1, "no function is named \"foo\""},
    {"grounded ? 1 : 2", 10, "expected an operator or the end, found \"?\""},
    {"speed > 1;", 10, "expected an operator or the end, found \";\""},
    {"True", 1, "no parameter is named \"True\"; did you mean \"true\"?"},
    {"grounded && speed", 13, "&& needs booleans, but speed is a number: compare it, such as speed > 0"},
    {"1 || grounded", 1, "|| needs booleans, but 1 is a number"},
    {"speed || grounded", 1, "|| needs booleans, but speed is a number: compare it, such as speed > 0"},
    {"move.x", 1, "a condition must be a boolean, but move.x is a number: compare it, such as move.x > 0"},
    {"!'a'", 2, "a string can only be an argument of curve, marker, in_tag or in_state"},
    {"a_very_long_name_that_is_not_a_parameter_at_all_and_goes_on_and_on > 1", 1,
     "no parameter is named \"a_very_long_name_that_is_not_a_parameter_at_...\""},
    {"speed == true", 1,
     "== compares two numbers or two booleans, but speed is a number: compare it, such as speed > 0"},
    {"true == speed", 9,
     "== compares two numbers or two booleans, but speed is a number: compare it, such as speed > 0"},
    {"grounded > false", 1, "> compares two numbers, but grounded is a boolean: write grounded or !grounded"},
    {"speed > true", 1, "> compares two numbers, but speed is a number: compare it, such as speed > 0"},
    {"Second", 1, "no parameter is named \"Second\"; write in_state('Upper/Combo/Second') for the state"},
    {"Combo && grounded", 1, "no parameter is named \"Combo\"; write in_state('Upper/Combo') for the state"},
    {"(move.x) && grounded", 1, "&& needs booleans, but (move.x) is a number: compare it, such as (move.x) > 0"},
    {"marker(\xE2\x80\x9CHit\xE2\x80\x9D)", 8, "write \" instead of \xE2\x80\x9C"},
    {"move.", 6, "expected the coordinate x or y, found the end"},
    {"move. > 1", 7, "expected the coordinate x or y, found \">\""},
    {"move.x.y > 1", 7, "expected an operator or the end, found \".\""},
    {"past()", 6, "expected a number from 0 to 1, found \")\""},
    {"past(0.6", 9, "expected \")\" after the argument, found the end"},
    {"(and)", 2, "write && instead of and"},
    {"()", 2, "expected a name, a number, \"!\", \"-\" or \"(\", found \")\""},
    {"jump &&", 8, "expected a name, a number, \"!\", \"-\" or \"(\", found the end"},
    {"jump grounded", 6, "expected an operator or the end, found \"grounded\""},
    {"(jump grounded", 7, "expected an operator, or \")\" for the \"(\" in column 1, found \"grounded\""},
    {"((jump)", 8, "expected an operator, or \")\" for the \"(\" in column 1, found the end"},
    {"!", 2, "expected a name, a number, \"!\", \"-\" or \"(\", found the end"},
    {"\xC3\xA9 > 1", 1, "expected a name, a number, \"!\", \"-\" or \"(\", found \"\xC3\xA9\""},
    {"jump \xC3\xA9", 6, "expected an operator or the end, found \"\xC3\xA9\""},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9",
     1, "no parameter is named \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""},
    {"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9'"
     " > 1",
     1, "a string can only be an argument of curve, marker, in_tag or in_state"},
    {"in_tag('"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9'"
     ")",
     8, "no state has the tag \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\""},
    {"in_tag('Low')", 8, "no state has the tag \"Low\"; did you mean \"low\"?"},
    {"in_tag(airborne)", 8, "the name needs quotes: write in_tag('airborne')"},
    {"in_state()", 10, "expected a name in quotes, found \")\""},
    {"in_state('')", 10, "no state has the path \"\""},
    {"in_state('Base/')", 10, "no state has the path \"Base/\""},
    {"in_state('/Move')", 10, "no state has the path \"/Move\"; did you mean \"Base/Move\"?"},
    {"in_state('Base/Move/Jump')", 10, "no state has the path \"Base/Move/Jump\"; did you mean \"Base/Jump\"?"},
    {"in_state('Base/Moev/x')", 10, "no state has the path \"Base/Moev/x\""},
    {"in_state('Uppr/Como/Secnd')", 10,
     "no state has the path \"Uppr/Como/Secnd\"; did you mean \"Upper/Combo/Second\"?"},
    {"in_tag('')", 8, "no state has the tag \"\""},
    {"jump == 1 == 2", 11, "comparisons cannot be chained: write (jump == 1) == ..."},
    {"1 < 2 <= speed > 3", 7, "comparisons cannot be chained: write 1 < 2 && 2 <= ..."},
    {"1 == 2 < 3", 8, "comparisons cannot be chained: write 1 == 2 && 2 < ..."},
    {"jump != grounded != jump", 18, "comparisons cannot be chained: write (jump != grounded) != ..."},
    {"-true < 1", 2, "- needs a number, but true is a boolean"},
    {"jump < grounded", 1, "< compares two numbers, but jump is a boolean: write jump or !jump"},
    {"jump && !1", 10, "! needs a boolean, but 1 is a number"},
    {"speeed(1)", 1, "no function is named \"speeed\""},
    {"pats(1)", 1, "no function is named \"pats\"; did you mean \"past\"?"},
    {"(speed) > (1", 13, "expected an operator, or \")\" for the \"(\" in column 11, found the end"},
    {"true.x", 5, "true has no coordinates; only a vector2 has them"},
    {"finished()", 9, "finished is not a function: write it without parentheses"},
    {"marker = 1", 8, "marker needs an argument: marker('Hit')"},
    {"curve > 1", 7, "curve needs an argument: curve('Grip')"},
    {"curve(Grip) > 1", 7, "the name needs quotes: write curve('Grip')"},
    {"curve('') > 1", 7, "the name of a curve is empty"},
    {"curve('Grip')", 1,
     "a condition must be a boolean, but curve('Grip') is a number: compare it, such as curve('Grip') > 0"},
    {"!curve('Grip')", 2,
     "! needs a boolean, but curve('Grip') is a number: compare it, such as curve('Grip') > 0"},
    {"curves('Grip') > 1", 1, "no function is named \"curves\"; did you mean \"curve\"?"},
    {"@", 1, "expected a name, a number, \"!\", \"-\" or \"(\", found \"@\""},
    {"1.", 1, "\"1.\" is not a number: numbers are like 2, 0.5 and 1e3"},
    {"1..2 > 1", 1, "\"1..2\" is not a number: numbers are like 2, 0.5 and 1e3"},
    {"0x10 > 1", 1, "\"0x10\" is not a number: numbers are like 2, 0.5 and 1e3"},
    {"1e999 > 1", 1, "the number 1e999 is too large"},
    {"100000000000000000000000000000000000000000 > 1", 1,
     "the number 100000000000000000000000000000000000000000 is too large"},
    {" \t\r\n", 1, "the condition is empty"},
    {"\x01", 1, "expected a name, a number, \"!\", \"-\" or \"(\", found \"\x01\""},
};

static void check_problem(const char *text, sinew_result result, int32_t column, const char *what) {
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem = {.what = ""};
    condition_markers markers = {.limit = 64};
    if (condition_compile(text, &markers, nodes, &problem) != 0) fail_msg("%s is accepted", text);
    if (problem.result == result && problem.column == column && strcmp(problem.what, what) == 0) return;
    fail_msg("%s\nresult %d, column %d: %s\nnot %d, %d: %s", text, problem.result, problem.column, problem.what,
             result, column, what);
}

static void test_problems(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
        check_problem(problems[i].text, SINEW_ERROR_ARGUMENT, problems[i].column, problems[i].what);
}

// ---- Limits --------------------------------------------------------------------------------------------------------

// A text of `count` copies of a part before another one, and `count` copies of a third after it.
static const char *repeat(const char *before, int count, const char *middle, const char *after) {
    static char text[1 << 20];
    size_t length = 0;
    for (int i = 0; i < count; i++) length += (size_t)snprintf(text + length, sizeof text - length, "%s", before);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s", middle);
    for (int i = 0; i < count; i++) length += (size_t)snprintf(text + length, sizeof text - length, "%s", after);
    return text;
}

static int32_t count_nodes(const char *text) {
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem;
    condition_markers markers = {.limit = 64};
    return condition_compile(text, &markers, nodes, &problem);
}

static void test_number_of_operations(void **state) {
    (void)state;
    assert_int_equal(count_nodes(repeat("!", 63, "jump", "")), 64);
    check_problem(repeat("!", 64, "jump", ""), SINEW_ERROR_LIMIT, 65, "more than 64 operations");
    assert_int_equal(count_nodes(repeat("jump || ", 31, "!jump", "")), 64);
    check_problem(repeat("jump||", 32, "jump", ""), SINEW_ERROR_LIMIT, 193, "more than 64 operations");
    check_problem(repeat("past(1)&&", 31, "1 < 2", ""), SINEW_ERROR_LIMIT, 284, "more than 64 operations");
    check_problem(repeat("!", 500000, "jump", ""), SINEW_ERROR_LIMIT, 65, "more than 64 operations");
    check_problem(repeat("jump&&(", 60, "jump", ")"), SINEW_ERROR_LIMIT, 225, "more than 64 operations");
}

static void test_deep_parentheses(void **state) {
    (void)state;
    static const char message[] = "more than 64 nested parentheses";
    assert_int_equal(count_nodes(repeat("(", 64, "jump", ")")), 1);
    check_problem(repeat("(", 65, "jump", ")"), SINEW_ERROR_LIMIT, 65, message);
    check_problem(repeat("(", 500000, "jump", ")"), SINEW_ERROR_LIMIT, 65, message);
    check_problem(repeat("(", 500000, "", ""), SINEW_ERROR_LIMIT, 65, message);
    assert_int_equal(count_nodes(repeat("!(", 63, "jump", ")")), 64);
}

// Parentheses that are closed do not count.
static void test_many_parentheses(void **state) {
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s", repeat("(", 60, "jump", ")"));
    size_t length = strlen(text);
    for (int i = 0; i < 10; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "||%s", repeat("(", 60, "jump", ")"));
    assert_int_equal(count_nodes(text), 21);
}

static void test_number_of_markers(void **state) {
    (void)state;
    sinew_condition_node nodes[SINEW_MAX_CONDITION_NODES];
    sinewi_condition_problem problem;
    condition_markers markers = {.limit = 2};
    assert_int_equal(condition_compile("marker('a') || marker('b') || marker('a')", &markers, nodes, &problem), 5);
    assert_int_equal(markers.count, 2);
    assert_int_equal(nodes[3].index, 0);
    assert_int_equal(condition_compile("marker('b')", &markers, nodes, &problem), 1);
    assert_int_equal(nodes[0].index, 1);
    assert_int_equal(condition_compile("jump || marker('c')", &markers, nodes, &problem), 0);
    assert_int_equal(problem.result, SINEW_ERROR_LIMIT);
    assert_int_equal(problem.column, 16);
    assert_string_equal(problem.what, "more than 64 markers in a graph's conditions");
}

// ---- Random expressions --------------------------------------------------------------------------------------------

// Writes expressions and computes their values from their meaning, not from their text.
typedef struct writer {
    uint64_t random;
    char text[1 << 16];
    size_t length;
    int operations;
    situation situation;
} writer;

static uint32_t draw(writer *w, uint32_t count) {
    return random_next(&w->random) % count;
}

static void put(writer *w, const char *token) {
    static const char *const spaces[] = {"", "", "", " ", " ", "  ", "\t", "\n", "\r\n"};
    int written = snprintf(w->text + w->length, sizeof w->text - w->length, "%s%s", token, spaces[draw(w, 9)]);
    w->length += (size_t)written;
    assert_true(w->length < sizeof w->text);
}

// How much an expression binds, as in the table of docs/graph.md.
enum { LEVEL_OR, LEVEL_AND, LEVEL_COMPARISON, LEVEL_PREFIX, LEVEL_PRIMARY };

// Parentheses that an expression of a level needs where one of `least` is expected, and others.
static int open_parentheses(writer *w, int level, int least) {
    int count = (level < least) + (draw(w, 6) == 0) + (draw(w, 20) == 0);
    for (int i = 0; i < count; i++) put(w, "(");
    return count;
}

static void close_parentheses(writer *w, int count) {
    while (count-- > 0) put(w, ")");
}

static double write_constant(writer *w) {
    static const struct {
        const char *text;
        double value;
    } constants[] = {{"0", 0},   {"1", 1},   {"2", 2},      {"3", 3},     {"0.5", 0.5},  {"0.1", (double)0.1f},
                     {"1.0", 1}, {"2e0", 2}, {"5e-1", 0.5}, {"10E-1", 1}, {"0.25", 0.25}};
    uint32_t i = draw(w, sizeof constants / sizeof constants[0]);
    put(w, constants[i].text);
    return constants[i].value;
}

static double write_variable(writer *w) {
    const situation *s = &w->situation;
    const struct {
        const char *text;
        double value;
    } variables[] = {{"speed", s->parameters[PARAMETER_SPEED][0]},
                     {"count", s->parameters[PARAMETER_COUNT][0]},
                     {"move.x", s->parameters[PARAMETER_MOVE][0]},
                     {"move.y", s->parameters[PARAMETER_MOVE][1]},
                     {"time", s->input.time},
                     {"fraction", s->input.fraction},
                     {"elapsed", s->input.elapsed},
                     {"loops", s->input.loops}};
    uint32_t i = draw(w, sizeof variables / sizeof variables[0]);
    put(w, variables[i].text);
    return variables[i].value;
}

static double write_number(writer *w, int depth) {
    bool negates = depth > 0 && draw(w, 4) == 0;
    w->operations++;
    int parentheses = open_parentheses(w, negates ? LEVEL_PREFIX : LEVEL_PRIMARY, LEVEL_PREFIX);
    double value;
    if (negates) {
        put(w, "-");
        value = -write_number(w, depth - 1);
    } else {
        value = draw(w, 2) ? write_constant(w) : write_variable(w);
    }
    close_parentheses(w, parentheses);
    return value;
}

static bool write_call(writer *w, const char *function, const char *argument, bool value) {
    char quoted[64];
    put(w, function);
    put(w, "(");
    snprintf(quoted, sizeof quoted, draw(w, 2) ? "'%s'" : "\"%s\"", argument);
    put(w, quoted);
    put(w, ")");
    return value;
}

static bool write_past(writer *w) {
    put(w, "past");
    put(w, "(");
    put(w, "0.5");
    put(w, ")");
    return w->situation.input.looped || w->situation.input.fraction >= 0.5;
}

static bool write_word(writer *w, const char *name, bool value) {
    put(w, name);
    return value;
}

static bool write_boolean_primary(writer *w) {
    const situation *s = &w->situation;
    switch (draw(w, 10)) {
    case 0:
        return write_word(w, "true", true);
    case 1:
        return write_word(w, "false", false);
    case 2:
        return write_word(w, "finished", s->input.finished);
    case 3:
        return write_word(w, "jump", s->parameters[PARAMETER_JUMP][0] == 1);
    case 4:
        return write_past(w);
    case 5:
        return write_call(w, "marker", "Left", s->input.markers & 1);
    case 6:
        return write_call(w, "marker", "Right", s->input.markers & 2);
    case 7:
        return write_call(w, "in_tag", "attack", s->input.tags & 1 << TAG_ATTACK);
    case 8:
        return write_call(w, "in_state", "Upper/Combo/First", s->active[0] & 1 << STATE_FIRST);
    default:
        return write_word(w, "grounded", s->parameters[PARAMETER_GROUNDED][0] == 1);
    }
}

static const char *const symbols[] = {"==", "!=", "<", "<=", ">", ">="};

static bool compare(uint32_t symbol, double left, double right) {
    const bool results[] = {left == right, left != right, left<right, left <= right, left> right, left >= right};
    return results[symbol];
}

static bool write_boolean(writer *w, int depth, int least);

static bool write_comparison(writer *w, int depth) {
    if (draw(w, 4) == 0) {
        bool left = write_boolean(w, depth, LEVEL_PREFIX);
        bool is_equal = draw(w, 2);
        put(w, is_equal ? "==" : "!=");
        return (left == write_boolean(w, depth, LEVEL_PREFIX)) == is_equal;
    }
    double left = write_number(w, depth);
    uint32_t symbol = draw(w, 6);
    put(w, symbols[symbol]);
    return compare(symbol, left, write_number(w, depth));
}

static bool write_boolean(writer *w, int depth, int least) {
    static const int levels[] = {LEVEL_OR,         LEVEL_OR,         LEVEL_AND,    LEVEL_AND,
                                 LEVEL_COMPARISON, LEVEL_COMPARISON, LEVEL_PREFIX, LEVEL_PRIMARY};
    int level = depth > 0 ? levels[draw(w, 8)] : LEVEL_PRIMARY;
    w->operations++;
    int parentheses = open_parentheses(w, level, least);
    bool value;
    if (level == LEVEL_PRIMARY) {
        value = write_boolean_primary(w);
    } else if (level == LEVEL_PREFIX) {
        put(w, "!");
        value = !write_boolean(w, depth - 1, LEVEL_PREFIX);
    } else if (level == LEVEL_COMPARISON) {
        value = write_comparison(w, depth - 1);
    } else {
        bool left = write_boolean(w, depth - 1, level);
        put(w, level == LEVEL_OR ? "||" : "&&");
        bool right = write_boolean(w, depth - 1, level);
        value = level == LEVEL_OR ? left || right : left && right;
    }
    close_parentheses(w, parentheses);
    return value;
}

static double draw_value(writer *w) {
    static const double values[] = {-1, -0.5, 0, 0.25, 0.5, (double)0.1f, 1, 2, 3};
    return values[draw(w, sizeof values / sizeof values[0])];
}

static void draw_situation(writer *w) {
    situation *s = &w->situation;
    begin(s);
    s->parameters[PARAMETER_SPEED][0] = draw_value(w);
    s->parameters[PARAMETER_COUNT][0] = draw(w, 4);
    s->parameters[PARAMETER_GROUNDED][0] = draw(w, 2);
    s->parameters[PARAMETER_JUMP][0] = draw(w, 2);
    s->parameters[PARAMETER_MOVE][0] = draw_value(w);
    s->parameters[PARAMETER_MOVE][1] = draw_value(w);
    s->active[0] = draw(w, 1 << STATES);
    s->input.time = draw_value(w);
    s->input.fraction = draw(w, 5) / 4.0;
    s->input.elapsed = draw_value(w);
    s->input.loops = draw(w, 3);
    s->input.finished = draw(w, 2);
    s->input.looped = draw(w, 2);
    s->input.markers = draw(w, 4);
    s->input.tags = draw(w, 1 << TAGS);
}

static void test_random_expressions(void **state) {
    (void)state;
    static writer w;
    int counts[3] = {0, 0, 0}; // false, true, too many operations
    for (uint64_t seed = 1; seed <= 50000; seed++) {
        w.random = seed * 7919;
        w.length = 0;
        w.operations = 0;
        draw_situation(&w);
        put(&w, "");
        bool expected = write_boolean(&w, 1 + (int)draw(&w, 10), LEVEL_OR);
        if (w.operations > SINEW_MAX_CONDITION_NODES) {
            assert_int_equal(count_nodes(w.text), 0);
            counts[2]++;
            continue;
        }
        assert_int_equal(count_nodes(w.text), w.operations);
        check_value(&w.situation, w.text, expected, __FILE__, __LINE__);
        counts[expected]++;
    }
    for (int i = 0; i < 3; i++) assert_true(counts[i] > 1000); // the expressions are of all kinds
}

// ---- Hostile texts -------------------------------------------------------------------------------------------------

static const char *const samples[] = {
    "speed > 0.1 && grounded && !jump",
    "jump && (past(0.6) || marker('Land'))",
    "finished || elapsed > 2.5e0 && !in_tag('airborne')",
    "in_state(\"Upper/Combo/Second\") == (move.x <= -move.y)",
    "\t!(!jump)!= true\r\n|| loops >= 3 && 1==1.0",
};
#define SAMPLE_COUNT (sizeof samples / sizeof samples[0])

static void check_any(const char *text) {
    const char *fault = condition_try(text);
    if (fault) fail_msg("%s: %s", text, fault);
}

static void test_truncated(void **state) {
    (void)state;
    char text[128];
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        for (size_t length = 0; length <= strlen(samples[i]); length++) {
            snprintf(text, sizeof text, "%.*s", (int)length, samples[i]);
            check_any(text);
        }
    }
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        for (size_t length = 0; length <= strlen(problems[i].text); length++) {
            snprintf(text, sizeof text, "%.*s", (int)length, problems[i].text);
            check_any(text);
        }
    }
}

static void test_replaced(void **state) {
    (void)state;
    char text[128];
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        for (size_t k = 0; samples[i][k]; k++) {
            snprintf(text, sizeof text, "%s", samples[i]);
            for (int byte = 1; byte < 256; byte++) {
                text[k] = (char)byte;
                check_any(text);
            }
        }
    }
}

static void test_inserted_and_deleted(void **state) {
    (void)state;
    static const char *const parts[] = {"(", ")", "!", "-", ".", "'",    "\"",  "&&",
                                        "<", "=", "1", "a", " ", "\xE2", "\x80"};
    char text[128];
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        for (size_t k = 0; k <= strlen(samples[i]); k++) {
            for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
                snprintf(text, sizeof text, "%.*s%s%s", (int)k, samples[i], parts[p], samples[i] + k);
                check_any(text);
            }
            if (samples[i][k] == '\0') continue;
            snprintf(text, sizeof text, "%.*s%s", (int)k, samples[i], samples[i] + k + 1);
            check_any(text);
        }
    }
}

// A name of 200,000 characters, and a string; messages are cut between characters.
static void test_long_tokens(void **state) {
    (void)state;
    check_any(repeat("a", 200000, "", ""));
    check_any(repeat("1", 200000, " > 2", ""));
    check_any(repeat(" ", 200000, "jump", " "));
    char text[4096];
    snprintf(text, sizeof text, "in_tag('%s')", repeat("\xC3\xA9", 1000, "", ""));
    check_problem(
        text, SINEW_ERROR_ARGUMENT, 8,
        "no state has the tag \"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
        "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9...\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_past),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_high_bits),
        cmocka_unit_test(test_no_condition_is_true),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_triggers),
        cmocka_unit_test(test_reserved_words),
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_number_of_operations),
        cmocka_unit_test(test_deep_parentheses),
        cmocka_unit_test(test_many_parentheses),
        cmocka_unit_test(test_number_of_markers),
        cmocka_unit_test(test_random_expressions),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_inserted_and_deleted),
        cmocka_unit_test(test_long_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
