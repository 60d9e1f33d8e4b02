// SPDX-License-Identifier: MIT
// What `sinew graph test` reports about the hero's sound and faulty graphs: test_graph_walks SINEW
#include "support/recorded_command.h"

#include <unistd.h>

static const char *command;

#define HERO           SINEW_MODELS "/hero.glb"
#define HERO_GRAPH     SINEW_MODELS "/hero.graph.json"
#define HERO_RIG       SINEW_GRAPHS "/hero_rig.graph.json"
#define HERO_CHARACTER SINEW_MODELS "/hero.character.json"

static int run(const char *arguments, char printed[8192]) {
    return run_command(command, "graph", arguments, printed);
}

// Writes a graph; ' stands for the quotes of JSON.
static void write_graph(const char *path, const char *text) {
    const size_t size = strlen(text) + 1;
    char *json = malloc(size);
    memcpy(json, text, size);
    for (char *c = json; *c; c++) {
        if (*c == '\'') *c = '"';
    }
    write_recording(path, json, strlen(json));
    free(json);
}

static bool file_exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) assert_int_equal(fclose(file), 0);
    return file != NULL;
}

// ---- Sound graphs --------------------------------------------------------------------------------------------

static void test_the_hero_passes(void **state) {
    (void)state;
    char printed[8192];
    int status = run("test " HERO_GRAPH " --asset " HERO " --walks 5 --seed 13 -o hero.rec", printed);
    if (status != 0) fail_msg("%s", printed);
    check_prints(printed, "5 walks of 10 s, seeds 13 to 17: ");
    check_prints(printed, "states entered: 11 of 11\ntransitions taken: 14 of 14\nfailed walks: 0; cycles: 0;");
    assert_false(file_exists("hero.rec"));
}

// One state cannot be reached, and one transition is never taken. The cut is intended.
static void test_what_is_never_reached_is_named(void **state) {
    (void)state;
    write_graph("never.json", "{'sinewGraph':1,'parameters':{'fast':{'type':'bool'}},'layers':[{'name':'Base',\n"
                              "'states':{'Walk':{'clip':'Walk'},'Run':{'clip':'Run'},\n"
                              "'Jump':{'clip':'Jump'}},'transitions':[\n"
                              "{'from':'Walk','to':'Run','when':'fast','duration':0},\n"
                              "{'from':'Run','to':'Walk','when':'!fast'},\n"
                              "{'from':'Run','to':'Jump','when':'fast && elapsed > 1000'}]}]}");
    char printed[8192];
    int status = run("test never.json --asset " HERO " --walks 3 --seconds 4", printed);
    if (status != 0) fail_msg("%s", printed);
    check_prints(printed, "states entered: 2 of 3\n  never: line 3: Base/Jump\n");
    check_prints(printed, "transitions taken: 2 of 3\n"
                          "  never: line 6: Base: Run -> Jump when fast && elapsed > 1000\n");
}

static void test_a_seed_gives_the_same_walks(void **state) {
    (void)state;
    char one[8192], two[8192], other[8192];
    run("test " HERO_GRAPH " --asset " HERO " --walks 2 --seconds 3 --seed 7 --json", one);
    run("test " HERO_GRAPH " --asset " HERO " --walks 2 --seconds 3 --seed 7 --json", two);
    run("test " HERO_GRAPH " --asset " HERO " --walks 2 --seconds 3 --seed 8 --json", other);
    assert_string_equal(one, two);
    assert_string_not_equal(one, other);
    check_prints(one, "\"walks\":2,\"seconds\":3,\"seed\":7,");
    check_prints(one, "\n{\"path\":\"Upper/Combo/First\",\"line\":");
    check_prints(one, "\"recording\":null}");
}

// Reads `count` numbers of the notes that set a parameter, of one walk of a graph that fails. Ramps have many notes, so it
// reads a part of them.
static int read_notes(const char *name, int count, double (*numbers)[7], int max) {
    static char printed[8192];
    char arguments[200];
    snprintf(arguments, sizeof arguments, "goals.rec " HERO " | grep -o 'note set %s .*' | awk 'NR %% 25 == 1'",
             name);
    assert_int_equal(run_command(command, "replay", arguments, printed), 0);
    int found = 0;
    for (const char *line = printed; found < max && (line = strstr(line, name)); found++) {
        const char *rest = line + strlen(name);
        for (int k = 0; k < count; k++) {
            char *end;
            numbers[found][k] = strtod(rest, &end);
            assert_true(end > rest);
            rest = end;
        }
        if (!strchr(rest, '\n')) break; // cut off
        line = rest;
    }
    return found;
}

typedef struct extent {
    double least, most;
} extent;

static extent extent_of(double (*numbers)[7], int count, int coordinate) {
    extent e = {1e9, -1e9};
    for (int i = 0; i < count; i++) {
        if (numbers[i][coordinate] < e.least) e.least = numbers[i][coordinate];
        if (numbers[i][coordinate] > e.most) e.most = numbers[i][coordinate];
    }
    return e;
}

// Positions move at up to 2 m/s; read_notes skips up to 25 frames of 19.2 ms.
static void check_moves(double (*numbers)[7], int count) {
    for (int i = 1; i < count; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += (numbers[i][k] - numbers[i - 1][k]) * (numbers[i][k] - numbers[i - 1][k]);
        assert_true(sqrt(square) < 2 * 25 * 0.0192);
    }
}

// Positions stay in their range, or within a few meters of their default. Rotations are of all kinds.
static void test_positions_and_rotations_are_walked(void **state) {
    (void)state;
    write_graph("goals.json",
                "{'sinewGraph':1,'parameters':{'look':{'type':'vector3','default':[10,1,2]},"
                "'foot':{'type':'vector3','range':[-0.5,0.25]},"
                "'hand':{'type':'transform','default':{'position':[0,-10,0],'rotation':[1,0,0,0]}}},'layers':["
                "{'name':'Base','states':{'Walk':{'clip':'Walk'},'A':{'clip':'Idle'},'B':{'clip':'Run'}},"
                "'transitions':[{'from':'Walk','to':'A','when':'elapsed > 40'},{'from':'A','to':'B'},"
                "{'from':'B','to':'A'}]}]}"); // a cycle ends the walk
    enum { MAX = 60 };
    char printed[8192];
    double look[MAX][7], foot[MAX][7], hand[MAX][7];
    assert_int_equal(run("test goals.json --asset " HERO " --walks 1 --seconds 60 -o goals.rec", printed), 1);
    const int looks = read_notes("look", 3, look, MAX), feet = read_notes("foot", 3, foot, MAX),
              hands = read_notes("hand", 7, hand, MAX);
    assert_true(looks > 10 && feet > 10 && hands > 10);
    check_moves(look, looks);
    check_moves(hand, hands);
    for (int k = 0; k < 3; k++) {
        const extent of_look = extent_of(look, looks, k), of_foot = extent_of(foot, feet, k),
                     of_hand = extent_of(hand, hands, k);
        static const double looks_at[3] = {10, 1, 2}, hand_at[3] = {0, -10, 0};
        assert_true(of_look.least >= looks_at[k] - 3 && of_look.most <= looks_at[k] + 3);
        assert_true(of_foot.least >= -0.5 && of_foot.most <= 0.25);
        assert_true(of_hand.least >= hand_at[k] - 3 && of_hand.most <= hand_at[k] + 3);
        assert_true(of_look.most - of_look.least > 0.5 && of_hand.most - of_hand.least > 0.5);
        assert_true(of_foot.most - of_foot.least > 0.05);
    }
    for (int k = 3; k < 7; k++) {
        const extent of_hand = extent_of(hand, hands, k);
        assert_true(of_hand.most - of_hand.least > 0.5);
    }
    check_near(hand[0][3], 1, 0);
    for (int i = 0; i < hands; i++) {
        double square = 0;
        for (int k = 3; k < 7; k++) square += hand[i][k] * hand[i][k];
        check_near(square, 1, 1e-6);
    }
}

// ---- Faults --------------------------------------------------------------------------------------------------

// The weight of a layer jumps with a parameter that has no damping.
static void write_jumping_weight(const char *path, const char *damping) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{'sinewGraph':1,'parameters':{'lean':{'type':'float','range':[0,1]%s}},'layers':["
        "{'name':'Base','states':{'Walk':{'clip':'Walk'}}},"
        "{'name':'Upper','mask':{'node':'Spine'},'weightParameter':'lean','states':{'Wave':{'clip':'Wave'}}}]}",
        damping);
    write_graph(path, text);
}

static void test_a_jump_of_a_layers_weight_is_found(void **state) {
    (void)state;
    char printed[8192], again[8192], arguments[200];
    write_jumping_weight("jump.json", "");
    assert_int_equal(run("test jump.json --asset " HERO " --walks 4 -o jump.rec", printed), 1);
    check_prints(printed, "at ");
    check_prints(printed, "in Base/Walk, Upper/Wave: ");
    check_prints(printed, "\n  cause: note set lean ");
    check_prints(printed, "of 4 walks fail; replay the first with 'sinew replay jump.rec " HERO "'\n");
    assert_int_equal(run_command(command, "replay", "jump.rec " HERO, again), 0);
    assert_int_equal(run_command(command, "continuity", "jump.rec " HERO, again), 1);
    check_prints(again, "frames that pop: 1;");
    const char *line = strstr(printed, "\nseed ");
    assert_non_null(line);
    char *rest;
    const int seed = (int)strtol(line + strlen("\nseed "), &rest, 10);
    check_prints(rest, ", frame ");
    const char *at = strstr(rest, " at ");
    assert_non_null(at);
    const double seconds = strtod(at + strlen(" at "), &rest);
    assert_true(strncmp(rest, " s", 2) == 0);
    snprintf(arguments, sizeof arguments, "test jump.json --asset %s --walks 1 --seed %d -o one.rec", HERO, seed);
    assert_int_equal(run(arguments, again), 1);
    check_prints(again, "\n  cause: note set lean ");
    // Also as the last frame of a walk.
    snprintf(arguments, sizeof arguments, "test jump.json --asset %s --walks 1 --seed %d --seconds %f -o one.rec",
             HERO, seed, seconds - 0.001);
    assert_int_equal(run(arguments, again), 1);
    write_jumping_weight("damped.json", ",'damping':0.1");
    int status = run("test damped.json --asset " HERO " --walks 4", printed);
    if (status != 0) fail_msg("%s", printed);
}

static void test_a_cycle_is_found(void **state) {
    (void)state;
    write_graph("cycle.json", "{'sinewGraph':1,'parameters':{'on':{'type':'bool'}},'layers':[{'name':'Base',"
                              "'states':{'Walk':{'clip':'Walk'},'Run':{'clip':'Run'}},'transitions':["
                              "{'from':'Walk','to':'Run','when':'on'},{'from':'Run','to':'Walk','when':'on'}]}]}");
    char printed[8192];
    assert_int_equal(run("test cycle.json --asset " HERO " --walks 2 -o cycle.rec", printed), 1);
    check_prints(printed, ": more than 8 transitions in one layer and frame\n");
    assert_int_equal(run_command(command, "replay", "cycle.rec " HERO " | grep cycle", printed), 0);
    check_prints(printed, "note cycle Base/");
    assert_int_equal(run("test cycle.json --asset " HERO " --walks 2 -o cycle.rec --json", printed), 1);
    check_prints(printed, "{\"kind\":\"cycle\",\"seed\":1,");
    check_prints(printed, "\"recording\":\"cycle.rec\"}");
}

// What isn't changed can't pop.
static void test_a_kept_parameter_stays(void **state) {
    (void)state;
    char printed[8192];
    write_jumping_weight("kept.json", "");
    assert_int_equal(run("test kept.json --asset " HERO " --walks 4 --keep lean -o kept.rec", printed), 0);
    assert_false(file_exists("kept.rec"));
    assert_int_equal(run("test kept.json --asset " HERO " --walks 4 --keep lead", printed), 1);
    check_prints(printed, "kept.json: has no parameter 'lead'");
    write_graph("fires.json", "{'sinewGraph':1,'parameters':{'wave':{'type':'trigger'}},'layers':[{'name':'Base',"
                              "'states':{'Idle':{'clip':'Idle'},'Wave':{'clip':'Wave'}},'transitions':["
                              "{'from':'Idle','to':'Wave','when':'wave'},{'from':'Wave','to':'Idle'}]}]}");
    assert_int_equal(run("test fires.json --asset " HERO " --walks 4", printed), 0);
    check_prints(printed, "states entered: 2 of 2\n");
    assert_int_equal(run("test fires.json --asset " HERO " --walks 4 --keep wave", printed), 0);
    check_prints(printed, "states entered: 1 of 2\n");
}

static void test_wrong_input(void **state) {
    (void)state;
    char printed[8192];
    assert_int_equal(run("test " HERO_GRAPH, printed), 2);
    check_prints(printed, "graph test: --asset is missing");
    assert_int_equal(run("test --asset " HERO, printed), 2);
    check_prints(printed, "FILE is missing");
    assert_int_equal(run("test " HERO_GRAPH " --asset " SINEW_MODELS "/windmill.glb", printed), 1);
    check_prints(printed, HERO_GRAPH ":20: Base/Move: no clip is named \"Idle\"");
    assert_int_equal(run("test nowhere.json --asset " HERO, printed), 1);
    write_jumping_weight("jump.json", "");
    assert_int_equal(run("test jump.json --asset " HERO " -o " HERO, printed), 2);
    check_prints(printed, "must end in .rec");
    remove("input.rec");
    assert_int_equal(link("jump.json", "input.rec"), 0);
    assert_int_equal(run("test jump.json --asset " HERO " -o input.rec", printed), 2);
    check_prints(printed, "would overwrite the input");
    assert_int_equal(remove("input.rec"), 0);
}

// ---- Rigs ----------------------------------------------------------------------------------------------------

// Writes the hero's graph with a rig, with `find` replaced by `put`.
static void write_rig(const char *path, const char *find, const char *put) {
    char text[8192], changed[8192];
    FILE *file = fopen(HERO_RIG, "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[size] = '\0';
    const char *at = strstr(text, find);
    assert_non_null(at);
    const int length =
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, put, at + strlen(find));
    write_recording(path, changed, (size_t)length);
}

// On level ground and on a stair: seeds are even and odd.
static void test_a_sound_rig_passes(void **state) {
    (void)state;
    char printed[8192];
    const int status = run("test " HERO_RIG " --asset " HERO " --walks 8 -o rig.rec", printed);
    if (status != 0) fail_msg("%s", printed);
    check_prints(printed, "steps on: 5 of 5\nfailed walks: 0;");
    assert_false(file_exists("rig.rec"));
}

// The sample characters, without what a program only does together with its own pose or a seat.
static void test_the_samples_pass(void **state) {
    (void)state;
    static const char *const kept[] = {HERO_CHARACTER " --keep sits",
                                       SINEW_MODELS "/game.character.json --keep limp --keep leap"};
    for (int i = 0; i < 2; i++) {
        char printed[8192], arguments[400];
        snprintf(arguments, sizeof arguments, "test %s --asset " HERO " --walks 15 -o sample.rec", kept[i]);
        if (run(arguments, printed) != 0) fail_msg("%s", printed);
    }
}

// A limb without softness snaps as it becomes straight. The clips alone don't pop.
static void test_a_pop_of_the_rig_has_its_steps(void **state) {
    (void)state;
    write_rig("snaps.json", ", \"softness\": 0.1", "");
    char printed[8192];
    assert_int_equal(run("test snaps.json --asset " HERO " --walks 1 --seed 35 -o snaps.rec", printed), 1);
    check_prints(printed, "in Base/Jump (stair ground): LowerArm_L pops: step 0.1");
    check_prints(printed, "\n  steps: ground 1.00, look 0.89, hand 1.00, hair 1.00\n"
                          "  cause: the rig; no parameter jumps\n");
    check_prints(printed,
                 "1 of 1 walks fails; replay the first with 'sinew replay snaps.rec " HERO " --graph snaps.json'");
    assert_int_equal(run_command(command, "replay", "snaps.rec " HERO " --graph snaps.json", printed), 0);
    check_prints(printed, "       1     0.0179  0.0143");
    check_prints(printed, " s; 18 grounds\n");
}

// `sinew continuity` finds the pop in the recording: the node, and what the program did before it.
static void test_a_recorded_pop_is_found(void **state) {
    (void)state;
    write_rig("snaps.json", ", \"softness\": 0.1", "");
    char printed[8192];
    assert_int_equal(run("test snaps.json --asset " HERO " --walks 1 --seed 35 -o snaps.rec", printed), 1);
    assert_int_equal(run_command(command, "continuity", "snaps.rec " HERO " --graph snaps.json --worst 1", printed),
                     1);
    check_prints(printed, "frames that pop: 2; ");
    check_prints(printed, "pop  LowerArm_L ");
    check_prints(printed, "snaps.rec: 2 frames pop");
    const char *coarse = "snaps.rec " HERO " --graph snaps.json --degrees 90 --json";
    assert_int_equal(run_command(command, "continuity", coarse, printed), 0);
    check_prints(printed, "\"pops\":0");
}

// The same recording is refused where it doesn't fit.
static void test_a_recorded_rig_needs_its_graph(void **state) {
    (void)state;
    write_rig("snaps.json", ", \"softness\": 0.1", "");
    char printed[8192];
    assert_int_equal(run("test snaps.json --asset " HERO " --walks 1 --seed 35 -o snaps.rec", printed), 1);
    assert_int_equal(run_command(command, "replay", "snaps.rec " HERO, printed), 2);
    check_prints(printed, "the recording is of a character; pass its graph with --graph GRAPH");
    assert_int_equal(run_command(command, "replay", "snaps.rec " HERO " --graph " HERO_CHARACTER, printed), 1);
    check_prints(printed, "snaps.rec: recording: made with a different graph or rig");
    assert_int_equal(run_command(command, "continuity", "snaps.rec " HERO, printed), 2);
    check_prints(printed, "the recording is of a character; pass its graph with --graph GRAPH");
    assert_int_equal(run_command(command, "bake", HERO " -o no.glb --recording snaps.rec", printed), 1);
    check_prints(printed, "snaps.rec: is the recording of a character, not of a mixer");
    const char *same = "snaps.rec " HERO " --graph snaps.json --compare snaps.rec";
    assert_int_equal(run_command(command, "replay", same, printed), 0);
    check_prints(printed, "identical: ");
}

// Programs move the goals that they don't damp, so walks don't make them jump.
static void test_a_goal_without_damping_moves(void **state) {
    (void)state;
    write_rig("moves.json", "0.35], \"damping\": 0.15", "0.35]");
    char printed[8192];
    const int status = run("test moves.json --asset " HERO " --walks 8 -o moves.rec", printed);
    if (status != 0) fail_msg("%s", printed);
}

static void test_a_parameter_that_jumps_is_named(void **state) {
    (void)state;
    write_rig("jumps.json", "\"holds\", \"damping\": 0.2", "\"holds\", \"damping\": 0");
    char printed[8192];
    assert_int_equal(run("test jumps.json --asset " HERO " --walks 2 --seed 3 --json -o jumps.rec", printed), 1);
    check_prints(printed, "{\"kind\":\"pop\",\"seed\":3,");
    check_prints(printed, "\"ground\":\"stair\",\"steps\":[{\"name\":\"planted\",\"weight\":");
    check_prints(printed, "\"ground\":\"level\",");
    check_prints(printed, "\"jumps\":[\"holds\"],");
    check_prints(printed, "{\"name\":\"hair\",\"line\":");
}

static void test_steps_that_are_never_on_are_named(void **state) {
    (void)state;
    write_rig("off.json", "\"when\": \"aware\"",
              "\"when\": \"aware && in_state('Base/Jump') && !in_tag('airborne')\"");
    char printed[8192];
    const int status = run("test off.json --asset " HERO " --walks 2 --seconds 3", printed);
    if (status != 0) fail_msg("%s", printed);
    check_prints(printed,
                 "steps on: 4 of 5\n  never: line 27: look when aware && in_state('Base/Jump') && !in_tag(");
}

// A layer with a jumping weight also pops without the rig. Then that's the cause.
static void test_a_pop_of_the_clips_stays_theirs(void **state) {
    (void)state;
    write_graph("clips.json", "{'sinewGraph':1,'parameters':{'lean':{'type':'float','range':[0,1]}},'layers':["
                              "{'name':'Base','states':{'Walk':{'clip':'Walk'}}},{'name':'Upper','mask':"
                              "{'node':'role:spine'},'weightParameter':'lean','states':{'Wave':{'clip':'Wave'}}}],"
                              "'rig':{'steps':[{'footLock':{}}]}}");
    char printed[8192];
    assert_int_equal(run("test clips.json --asset " HERO " --walks 1 --seed 2 -o clips.rec", printed), 1);
    check_prints(printed, "\n  cause: note set lean ");
    check_prints(printed, "replay the first with 'sinew replay clips.rec");
    assert_int_equal(run_command(command, "continuity", "clips.rec " HERO, printed), 1);
}

static void test_a_rig_that_cannot_be_created_is_refused(void **state) {
    (void)state;
    write_rig("refused.json", "\"root\": \"Hair1\"", "\"root\": \"Hair7\"");
    char printed[8192];
    assert_int_equal(run("test refused.json --asset " HERO, printed), 1);
    check_prints(printed, "refused.json:29:5: step hair: the skeleton has no node \"Hair7\"");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_hero_passes),
        cmocka_unit_test(test_positions_and_rotations_are_walked),
        cmocka_unit_test(test_what_is_never_reached_is_named),
        cmocka_unit_test(test_a_seed_gives_the_same_walks),
        cmocka_unit_test(test_a_jump_of_a_layers_weight_is_found),
        cmocka_unit_test(test_a_cycle_is_found),
        cmocka_unit_test(test_a_kept_parameter_stays),
        cmocka_unit_test(test_wrong_input),
        cmocka_unit_test(test_a_sound_rig_passes),
        cmocka_unit_test(test_the_samples_pass),
        cmocka_unit_test(test_a_pop_of_the_rig_has_its_steps),
        cmocka_unit_test(test_a_recorded_pop_is_found),
        cmocka_unit_test(test_a_recorded_rig_needs_its_graph),
        cmocka_unit_test(test_a_goal_without_damping_moves),
        cmocka_unit_test(test_a_parameter_that_jumps_is_named),
        cmocka_unit_test(test_steps_that_are_never_on_are_named),
        cmocka_unit_test(test_a_pop_of_the_clips_stays_theirs),
        cmocka_unit_test(test_a_rig_that_cannot_be_created_is_refused),
    };
    if (argc < 2) return 1;
    command = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
