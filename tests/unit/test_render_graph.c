// SPDX-License-Identifier: MIT
// `sinew render --graph`: what plays, when parameters are set, and what's refused. The argument is the command's
// path.
#include "support/render_run.h"

#include <sinew/all.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Two held poses of Attack: the stance, and its middle when all five parameters are set.
static const char held_poses[] = "{\"sinewGraph\":1,\"parameters\":{\"x\":{\"type\":\"float\"},\"n\":{\"type\":"
                                 "\"int\"},\"on\":{\"type\":\"bool\"},"
                                 "\"go\":{\"type\":\"trigger\",\"hold\":9},\"move\":{\"type\":\"vector2\"},"
                                 "\"look\":{\"type\":\"vector3\"},\"hand\":{\"type\":\"transform\"}},"
                                 "\"layers\":[{\"name\":\"Base\",\"states\":{"
                                 "\"A\":{\"clip\":\"Attack\",\"speed\":0},\"B\":{\"clip\":\"Attack\",\"speed\":0}},"
                                 "\"transitions\":[{\"from\":\"A\","
                                 "\"to\":\"B\",\"when\":\"x > 0.4 && n == 2 && on && go && move.x < -1 && move.y > "
                                 "1\",\"duration\":0,\"offset\":0.5}"
                                 "]}]}";

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static draw_picture hero(const char *options) {
    write_text("held.json", held_poses);
    expect_good(render("\"%s/hero.glb\" %s --background none --size 120x160 --focus Hips@2.4 -o graph.png",
                       SINEW_MODELS, options));
    return read_png("graph.png");
}

// Whether a picture of the hero shows one pose of Attack, in the stance or in its middle.
static void expect_pose(const char *options, bool is_middle) {
    draw_picture picture = hero(options), pose = hero(is_middle ? "--clip Attack --time 0.55" : "--clip Attack");
    const int differing_pixels = differing(&picture, &pose);
    if (differing_pixels > 0) fail_msg("%s: %d pixels differ", options, differing_pixels);
    draw_picture_free(&picture);
    draw_picture_free(&pose);
}

// Catches a value of any type that does not arrive, or arrives as another one.
static void parameters_are_set(void **state) {
    (void)state;
    need_gl();
    static const char *const sets[5] = {"--set x=0.5", "--set n=2", "--set on=true", "--set go",
                                        "--set move=-1.5,2"};
    for (int missing = 0; missing <= 5; missing++) {
        char options[300];
        size_t length = (size_t)snprintf(options, sizeof options, "--graph held.json --time 1");
        for (int i = 0; i < 5; i++) {
            if (i == missing) continue;
            length += (size_t)snprintf(options + length, sizeof options - length, " %s", sets[i]);
        }
        expect_pose(options, missing == 5);
    }
    expect_pose("--graph held.json --set look=1,2,-3.5 --set hand=1,2,3@0.1 --set hand=1,2,3,0,-1,0,0.5 --time 1",
                false);
}

// Catches an input that comes early, late or not at all, and inputs that are made in the order of the command line: the
// value of 1.5 s is given first.
static void inputs_come_at_their_time(void **state) {
    (void)state;
    need_gl();
#define SET "--graph held.json --set n=3@1.5 --set x=1 --set n=2@0.5 --set on=1 --set move=-2,2 --set go@"
    expect_pose(SET "0.7 --time 0.65", false);
    expect_pose(SET "0.7 --time 0.75", true);
    expect_pose(SET "1.6 --time 3", false);
#undef SET
}

// The frames of a sheet are at 0, 1, 2, 3 s: the last input at 2 s, and 2 s more. An input counts from the step after it.
static void frames_last_until_after_the_last_input(void **state) {
    (void)state;
    need_gl();
    draw_picture sheet = hero("--graph held.json --set x=1 --set n=2 --set on=1 --set move=-2,2 --set go@2 "
                              "--sheet 4x1 --no-labels");
    draw_picture poses[2] = {hero("--clip Attack"), hero("--clip Attack --time 0.55")};
    assert_int_equal(sheet.width, 4 * 120);
    for (int frame = 0; frame < 4; frame++) {
        int off[2] = {0, 0}; // pixels of the one pose and not of the other
        for (int i = 0; i < 120 * 160; i++) {
            const int x = i % 120, y = i / 120, alpha = pixel_at(&sheet, frame * 120 + x, y)[3];
            for (int k = 0; k < 2; k++) off[k] += abs(alpha - pixel_at(&poses[k], x, y)[3]) > 128;
        }
        assert_true(frame > 2 ? off[1] < off[0] / 4 : off[0] < off[1] / 4);
    }
    for (int i = 0; i < 2; i++) draw_picture_free(&poses[i]);
    draw_picture_free(&sheet);
}

// Catches labels of blend spaces, which have no name of a clip, and ghosts that play clips, or the graph without delay.
static void the_graph_of_the_hero_is_drawn(void **state) {
    (void)state;
    need_gl();
    static const char walking[] = "--graph \"" SINEW_MODELS "/hero.graph.json\" --set move=0,1.15 --set attack@1 "
                                  "--time 1.4 --from 90";
    char options[300];
    draw_picture one = hero(walking);
    snprintf(options, sizeof options, "%s --onion 1@0.3", walking);
    draw_picture ghost = hero(options);
    assert_true(differing_by(&one, &ghost, 60) > 100);
    for (int i = 0; i < 120 * 160; i++) { // ghosts are behind
        const uint8_t *pixel = pixel_at(&one, i % 120, i / 120);
        if (pixel[3] == 255) assert_int_equal(pixel_at(&ghost, i % 120, i / 120)[3], 255);
    }
    snprintf(options, sizeof options, "%s --sheet 1x1", walking);
    draw_picture labelled = hero(options);
    snprintf(options, sizeof options, "%s --sheet 1x1 --no-labels", walking);
    draw_picture plain = hero(options);
    assert_true(differing(&labelled, &plain) > 100);
    draw_picture_free(&one);
    draw_picture_free(&ghost);
    draw_picture_free(&labelled);
    draw_picture_free(&plain);
}

// ---- Rigs ----------------------------------------------------------------------------------------------------

// The stance, with a hand that reaches while `on`.
static void write_rig(void) {
    write_text("rig.json",
               "{\"sinewGraph\":1,\"parameters\":{\"on\":{\"type\":\"bool\"},\"hand\":{\"type\":\"vector3\"},"
               "\"held\":{\"type\":\"transform\",\"space\":\"model\"}},\"layers\":[{\"name\":\"Base\",\"states\":{"
               "\"A\":{\"clip\":\"Attack\",\"speed\":0}}}],\"rig\":{\"steps\":["
               "{\"name\":\"left\",\"when\":\"on\",\"limb\":{\"end\":\"role:leftHand\",\"goal\":\"hand\"}},"
               "{\"name\":\"right\",\"when\":\"on\",\"limb\":{\"end\":\"role:rightHand\",\"goal\":\"held\"}},"
               "{\"name\":\"recoil\",\"callback\":{}}]}}");
}

// Catches a rig that isn't run, goals of either type that don't arrive, and steps that are on when they must not be.
static void the_rig_moves_what_it_must(void **state) {
    (void)state;
    need_gl();
    write_rig();
    expect_pose("--graph rig.json --set hand=0.5,1.5,0.5 --time 1", false);
#define REACH "--graph rig.json --set on=true --set hand=0.5,1.5,0.3 --set held=-0.5,1.5,0.3"
    draw_picture stance = hero("--clip Attack"), both = hero(REACH " --time 1"),
                 left = hero(REACH " --set hand=0.5,0.9,0.3@0.5 --time 3"),
                 right = hero(REACH " --set held=-0.5,0.9,0.3@0.5 --time 3");
    assert_true(differing_by(&stance, &both, 60) > 300);
    assert_true(differing_by(&left, &both, 60) > 100);
    assert_true(differing_by(&right, &both, 60) > 100);
    assert_true(differing_by(&right, &left, 60) > 200);
    draw_picture_free(&stance);
    draw_picture_free(&both);
    draw_picture_free(&left);
    draw_picture_free(&right);
}

static draw_picture walking_head(const char *options) {
    expect_good(render("\"%s/hero.glb\" --graph \"%s/hero_rig.graph.json\" --set move=0,1.15 --set aware=true %s "
                       "--background none --size 120x120 --focus Head@0.35 -o graph.png",
                       SINEW_MODELS, SINEW_GRAPHS, options));
    return read_png("graph.png");
}

// The hero walks on for eight cycles of 1.067 s and still looks to the same side, so the goal has come along.
static void goals_come_along_with_who_walks(void **state) {
    (void)state;
    need_gl();
    draw_picture soon = walking_head("--set lookAt=3,1.6,0.5 --time 3"),
                 late = walking_head("--set lookAt=3,1.6,0.5 --time 11.53"),
                 ahead = walking_head("--set lookAt=0,1.6,3 --time 11.53");
    const int same = differing_by(&soon, &late, 60), other = differing_by(&ahead, &late, 60);
    if (same * 2 > other || other < 500) fail_msg("%d and %d pixels differ", same, other);
    draw_picture_free(&soon);
    draw_picture_free(&late);
    draw_picture_free(&ahead);
}

static void write_bytes(const void *bytes, size_t size, void *user) {
    assert_int_equal(fwrite(bytes, 1, size, user), size);
}

// Records a hero that stands still, turned to its left by `angle`.
static void record_turned(const char *graph_path, const char *path, float angle) {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_rig *rig;
    sinew_character *character;
    sinew_rig_def rig_def = sinew_rig_default();
    sinew_character_def def = sinew_character_default();
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &asset, NULL), SINEW_OK);
    assert_int_equal(sinew_graph_load_file(graph_path, NULL, &graph, NULL), SINEW_OK);
    rig_def.graph = graph;
    rig_def.asset = asset;
    assert_int_equal(sinew_rig_create(&rig_def, &rig, NULL), SINEW_OK);
    def.rig = rig;
    assert_int_equal(sinew_character_create(&def, &character, NULL), SINEW_OK);
    const sinew_quat turn = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, angle);
    sinew_character_set_world(character, (sinew_transform){{2, 0, 1}, turn, {1, 1, 1}});
    assert_int_equal(sinew_character_record(character, NULL, write_bytes, file, NULL), SINEW_OK);
    for (int i = 0; i < 3; i++) sinew_character_update(character, 0.1f);
    assert_int_equal(sinew_character_record(character, NULL, NULL, NULL, NULL), SINEW_OK);
    assert_int_equal(fclose(file), 0);
    sinew_character_destroy(character);
    sinew_rig_destroy(rig);
    sinew_graph_destroy(graph);
    sinew_asset_destroy(asset);
}

// The camera is in front of a recorded character, wherever it faces in its world.
static void a_recorded_character_is_seen_from_the_front(void **state) {
    (void)state;
    need_gl();
    write_text("still.json", "{\"sinewGraph\":1,\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{\"clip\":"
                             "\"Attack\",\"speed\":0}}}],\"rig\":{\"steps\":[{\"footLock\":{}}]}}");
    draw_picture ahead = {0};
    for (int i = 0; i < 3; i++) {
        record_turned("still.json", "turned.rec", 1.4f * (float)i);
        expect_good(render("\"%s/hero.glb\" --graph still.json --recording turned.rec --background none "
                           "--size 120x160 --focus Hips@2.4 -o graph.png",
                           SINEW_MODELS));
        draw_picture picture = read_png("graph.png");
        const int differing_pixels = i > 0 ? differing_by(&picture, &ahead, 60) : 0;
        if (differing_pixels > 20) fail_msg("%d pixels differ", differing_pixels);
        if (i > 0) draw_picture_free(&picture);
        if (i == 0) ahead = picture;
    }
    draw_picture_free(&ahead);
}

static void expect_bad(const char *options, int status, const char *what) {
    expect_refused(render("\"%s/hero.glb\" %s -o graph_bad.png", SINEW_MODELS, options), status, what);
    assert_false(exists("graph_bad.png"));
}

static void what_cannot_be_played_is_refused(void **state) {
    (void)state;
    write_text("held.json", held_poses);
    write_text("clips.json",
               "{\"sinewGraph\":1,\"layers\":[{\"name\":\"L\",\"states\":{\"A\":{\"clip\":\"Moonwalk\"}}}]}");
    expect_bad("--set x=1", 2, "--set needs --graph");
    expect_bad("--graph held.json --clip Walk", 2, "--clip cannot be used with --graph");
    expect_bad("--graph held.json --clips", 2, "--clips cannot be used with --graph");
    expect_bad("--graph held.json --time 3601", 2, "--time must be at most 3600 with --graph");
    expect_bad("--graph nowhere.json", 1, "nowhere.json");
    expect_bad("--graph clips.json", 1, "clips.json:1: L/A: no clip is named \"Moonwalk\"");
    expect_bad("--graph held.json --set y=1", 1, "held.json: has no parameter 'y'");
    expect_bad("--graph held.json --set x", 1, "held.json: the parameter 'x' needs a number, as in name=1.5");
    expect_bad("--graph held.json --set n=1.5", 1, "'n' needs a whole number, as in name=2");
    expect_bad("--graph held.json --set on=2", 1, "'on' needs true or false, as in name=true");
    expect_bad("--graph held.json --set go=1", 1, "'go' needs no value, because it is a trigger");
    expect_bad("--graph held.json --set move=1", 1, "'move' needs two numbers, as in name=0,1.5");
    expect_bad("--graph held.json --set move=1,2,3", 1, "'move' needs two numbers, as in name=0,1.5");
    expect_bad("--graph held.json --set look=1,2", 1, "'look' needs three numbers, as in name=0,1.5,0");
    const char *const transform =
        "'hand' needs a position, as in name=0,1.5,0, or a position and a rotation, as in "
        "name=0,1.5,0,0,0,0,1";
    expect_bad("--graph held.json --set hand=1,2,3,4", 1, transform);
    expect_bad("--graph held.json --set hand=1,2,3,0,0,0,0", 1, transform);
    write_text("refused.json", "{\"sinewGraph\":1,\"rig\":{\"steps\":[\n{\"name\":\"hair\",\"springs\":{\"chains\":"
                               "[{\"root\":\"Nose\"}]}}]}}");
    expect_bad("--graph refused.json", 1, "refused.json:2:1: step hair: the skeleton has no node");
    expect_refused(render("\"%s/hero.glb\" --graph held.json -o held.json", SINEW_MODELS), 2, "-o must end in");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_set),
        cmocka_unit_test(inputs_come_at_their_time),
        cmocka_unit_test(frames_last_until_after_the_last_input),
        cmocka_unit_test(the_graph_of_the_hero_is_drawn),
        cmocka_unit_test(the_rig_moves_what_it_must),
        cmocka_unit_test(goals_come_along_with_who_walks),
        cmocka_unit_test(a_recorded_character_is_seen_from_the_front),
        cmocka_unit_test(what_cannot_be_played_is_refused),
    };
    if (argc != 2) return 2;
    render_setup(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
