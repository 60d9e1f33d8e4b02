// SPDX-License-Identifier: MIT
// The pictures that `sinew graph plot` draws: test_graph_plot SINEW
#include "support/recorded_command.h"

#include <unistd.h>

static const char *command;

#define HERO       SINEW_MODELS "/hero.glb"
#define HERO_GRAPH SINEW_MODELS "/hero.graph.json"

enum { MAX_SVG = 1 << 20 };

static char svg[MAX_SVG];

static int run(const char *arguments, char printed[8192]) {
    return run_command(command, "graph", arguments, printed);
}

static void read_svg(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(svg, 1, MAX_SVG - 1, file);
    svg[size] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_true(size > 100 && strcmp(svg + size - 7, "</svg>\n") == 0);
}

static void plot(const char *arguments) {
    char printed[8192], line[512];
    snprintf(line, sizeof line, "plot %s -o plot.svg", arguments);
    int status = run(line, printed);
    if (status != 0) fail_msg("%s", printed);
    read_svg("plot.svg");
}

static int count(const char *part) {
    int found = 0;
    for (const char *at = svg; (at = strstr(at, part)); at++) found++;
    return found;
}

static void check_has(const char *part) {
    if (!strstr(svg, part)) fail_msg("the picture lacks '%s'", part);
}

// ---- Graphs --------------------------------------------------------------------------------------------------

// Counted in the file: 11 states, one of them a machine; 14 transitions, one from any state; 5 machines.
static void test_the_hero_is_drawn(void **state) {
    (void)state;
    plot(HERO_GRAPH);
    assert_int_equal(count("<rect class=\"state l0 f0\""), 10);
    assert_int_equal(count("<rect class=\"state machine l2 f2\""), 1);
    assert_int_equal(count("<rect class=\"layer "), 3);
    assert_int_equal(count("<path class=\"arrow l0\""), 13);
    assert_int_equal(count("<path class=\"arrow any l1\""), 1);
    assert_int_equal(count("<circle "), 4);
    check_has(">turn &amp;&amp; move.x &gt; -0.1 &amp;&amp; move.x &lt; 0.1 </text>");
    check_has(">1: inertialize 0.15 s</text>");
    check_has(">hit</text>");
    check_has(">fade 0.06 s, to itself</text>");
    check_has(">#airborne</text>");
    check_has(">Idle, Walk, Run, WalkBack, StrafeRight, StrafeLeft</text>");
    check_has(">additive, mask Spine, weight 1 x hurt</text>");
    check_has(">vector2 -3.1 to 3.1, damping 0.08 s</text>");
}

static void test_parameters_are_described(void **state) {
    (void)state;
    static const char text[] =
        "{\"sinewGraph\":1,\"parameters\":{\"look\":{\"type\":\"vector3\",\"range\":[-1,2],\"space\":\"model\"},"
        "\"foot\":{\"type\":\"vector3\"},\"hand\":{\"type\":\"transform\",\"damping\":0.1,\"space\":\"model\"}},"
        "\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{}}}]}";
    write_recording("goals.json", text, strlen(text));
    plot("goals.json");
    check_has(">vector3 -1 to 2, model space</text>");
    check_has(">vector3</text>");
    check_has(">transform, model space, damping 0.1 s</text>");
}

static void test_names_are_escaped(void **state) {
    (void)state;
    static const char text[] = "{\"sinewGraph\":1,\"layers\":[{\"name\":\"<script>\",\"states\":{"
                               "\"A\\u0007\\\"&<b>\":{\"clip\":\"</svg>\",\"tags\":[\"<t>\"]},\"B\":{}},"
                               "\"transitions\":[{\"from\":\"B\",\"to\":\"B\",\"when\":\"elapsed < 1\"}]}]}";
    write_recording("names.json", text, strlen(text));
    plot("names.json");
    assert_int_equal(count("<script"), 0);
    assert_int_equal(count("</svg>"), 1);
    assert_null(strchr(svg, '\a'));
    check_has(">A &quot;&amp;&lt;b&gt;</text>");
    check_has(">elapsed &lt; 1</text>");
}

static void test_standard_output(void **state) {
    (void)state;
    char printed[8192];
    plot(HERO_GRAPH);
    assert_int_equal(run("plot " HERO_GRAPH " -o - | head -c 100", printed), 0);
    assert_memory_equal(printed, svg, 100);
}

// ---- Timelines -----------------------------------------------------------------------------------------------

// Records a walk that fails: the layer's weight jumps, which isn't a cut.
static void record_walk(void) {
    static const char text[] =
        "{\"sinewGraph\":1,\"parameters\":{\"lean\":{\"type\":\"float\",\"range\":[0,1]},"
        "\"go\":{\"type\":\"trigger\"},\"on\":{\"type\":\"bool\"},\"look\":{\"type\":\"vector3\"},"
        "\"hand\":{\"type\":\"transform\"},\"foot\":{\"type\":\"vector3\",\"default\":[5,5,6],\"range\":[5,7]}},"
        "\"layers\":["
        "{\"name\":\"Base\",\"states\":{\"Walk\":{\"clip\":\"Walk\"},\"Run\":{\"clip\":\"Run\"}},\"transitions\":["
        "{\"from\":\"Walk\",\"to\":\"Run\",\"when\":\"go\"},{\"from\":\"Run\",\"to\":\"Walk\",\"when\":\"go\"}]},"
        "{\"name\":\"Upper\",\"mask\":{\"node\":\"Spine\"},\"weightParameter\":\"lean\","
        "\"states\":{\"Wave\":{\"clip\":\"Wave\"}}}]}";
    char printed[8192];
    write_recording("lean.json", text, strlen(text));
    assert_int_equal(run("test lean.json --asset " HERO " --walks 4 -o lean.rec", printed), 1);
}

static void test_steps_are_listed_in_order(void **state) {
    (void)state;
    static const char rig[] = "{\"sinewGraph\":1,\"rig\":{\"steps\":[{\"when\":\"1 < 2\",\"footLock\":{}},"
                              "{\"name\":\"Hair\",\"springs\":{}},{\"name\":\"tail\",\"springs\":{}}]}}";
    write_recording("rig.json", rig, strlen(rig));
    plot("rig.json");
    const char *const texts[] = {">1. footLock</text>", ">foot lock when 1 &lt; 2</text>", ">2. Hair</text>",
                                 ">springs</text>", ">3. tail</text>"};
    const char *at = svg;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        at = strstr(at, texts[i]);
        if (!at) fail_msg("the picture lacks '%s' in its place", texts[i]);
    }
}

static void test_a_timeline_has_states_weights_and_parameters(void **state) {
    (void)state;
    record_walk();
    plot("lean.json --recording lean.rec --asset " HERO);
    check_has("<title>lean.rec</title>");
    check_has(">Base</text>");
    check_has(">Upper</text>");
    check_has(">Walk</text>");
    check_has(">lean</text>");
    assert_true(count("<rect class=\"band ") >= 2);
    assert_true(count("<polyline class=\"line ") >= 4); // two layers, two parameters
    check_has("<polyline class=\"line l2\"");           // z of positions
    check_has("0 s</text>");
}

static void test_wrong_input(void **state) {
    (void)state;
    char printed[8192];
    record_walk();
    assert_int_equal(run("plot lean.json", printed), 2);
    check_prints(printed, "graph plot: -o is missing");
    assert_int_equal(run("plot -o x.svg", printed), 2);
    assert_int_equal(run("plot lean.json -o x.svg --recording lean.rec", printed), 2);
    check_prints(printed, "graph plot: --asset is missing");
    assert_int_equal(run("plot lean.json -o ./lean.json", printed), 2);
    check_prints(printed, "must end in .svg");
    remove("input.svg");
    assert_int_equal(link("lean.json", "input.svg"), 0);
    assert_int_equal(run("plot lean.json -o input.svg", printed), 2);
    check_prints(printed, "would overwrite the input");
    assert_int_equal(remove("input.svg"), 0);
    assert_int_equal(run("plot lean.json -o x.svg --recording lean.json --asset " HERO, printed), 1);
    check_prints(printed, "lean.json: not a mixer recording");
    recorded r = {0};
    sinew_asset *asset = load_gltf(HERO, NULL);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_mixer_note(mixer, "enter nowhere");
    sinew_mixer_update(mixer, 0.5f);
    sinew_mixer_destroy(mixer);
    write_recording("plain.rec", r.bytes, r.size);
    free(r.bytes);
    sinew_asset_destroy(asset);
    assert_int_equal(run("plot lean.json -o x.svg --recording plain.rec --asset " HERO, printed), 1);
    check_prints(printed, "plain.rec: has no notes from an animator that plays lean.json");
    FILE *file = fopen("x.svg", "rb");
    assert_null(file);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_hero_is_drawn),
        cmocka_unit_test(test_parameters_are_described),
        cmocka_unit_test(test_steps_are_listed_in_order),
        cmocka_unit_test(test_names_are_escaped),
        cmocka_unit_test(test_standard_output),
        cmocka_unit_test(test_a_timeline_has_states_weights_and_parameters),
        cmocka_unit_test(test_wrong_input),
    };
    if (argc < 2) return 1;
    command = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
