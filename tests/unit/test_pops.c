// SPDX-License-Identifier: MIT
// `sinew continuity`: the frames and causes that it prints for the hero's recordings: test_pops SINEW
#include "support/recorded_command.h"

static const char *command;
static sinew_asset *hero;

enum { FRAMES = 60 };

static int set_up(void **state) {
    (void)state;
    return sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &hero, NULL) == SINEW_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    sinew_asset_destroy(hero);
    return 0;
}

// What happens in frame 30 of a walk.
typedef void change(sinew_mixer *mixer, sinew_action walk);

static void write_walk(const char *path, change *make_change) {
    recorded r = {0};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = hero->skeleton;
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_action walk = sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(hero, "Walk")), NULL);
    for (int i = 0; i < FRAMES; i++) {
        if (i == 30 && make_change) make_change(mixer, walk);
        sinew_mixer_update(mixer, 1.0f / 60.0f);
    }
    sinew_mixer_destroy(mixer);
    write_recording(path, r.bytes, r.size);
    free(r.bytes);
}

// What it prints, errors too, is in `printed`.
static int run(const char *arguments, char printed[8192]) {
    return run_command(command, "continuity", arguments, printed);
}

static void seek(sinew_mixer *mixer, sinew_action walk) {
    sinew_action_set_time(mixer, walk, 0.0f);
}

static void seek_slightly(sinew_mixer *mixer, sinew_action walk) {
    sinew_action_set_time(mixer, walk, sinew_action_time(mixer, walk) + 0.1f);
}

static void cut(sinew_mixer *mixer, sinew_action walk) {
    (void)walk;
    sinew_transition transition = sinew_transition_default();
    transition.duration = 0.0f;
    sinew_mixer_transition_to(mixer, sinew_clip_source(sinew_asset_find_clip(hero, "Attack")), &transition, NULL);
}

static void cross_fade(sinew_mixer *mixer, sinew_action walk) {
    (void)walk;
    sinew_transition transition = sinew_transition_default();
    transition.duration = 0.3f;
    transition.easing = SINEW_EASING_SMOOTHSTEP;
    sinew_mixer_transition_to(mixer, sinew_clip_source(sinew_asset_find_clip(hero, "Run")), &transition, NULL);
}

static void test_a_walk_and_a_fade_do_not_pop(void **state) {
    (void)state;
    static change *const changes[] = {NULL, cross_fade};
    char printed[8192];
    for (int i = 0; i < 2; i++) {
        write_walk("even.rec", changes[i]);
        int status = run("even.rec " SINEW_MODELS "/hero.glb", printed);
        if (status != 0) fail_msg("%s", printed);
        check_prints(printed, "60 frames over 1.0000 s; the model's height is 1.72 m");
        check_prints(printed, "\nframes that pop: 0; frames where a clip itself jumps: 0\n");
    }
}

static void test_a_seek_and_a_cut_pop(void **state) {
    (void)state;
    char printed[8192];
    write_walk("seek.rec", seek);
    assert_int_equal(run("seek.rec " SINEW_MODELS "/hero.glb", printed), 1);
    check_prints(printed, "\nframes that pop: 1; frames where a clip itself jumps: 0\n");
    check_prints(printed, "      30     0.5167  pop ");
    check_prints(printed, "call 61: set_time 0x101 0\n");
    check_prints(printed, "sinew: seek.rec: 1 frame pops\n");
    write_walk("cut.rec", cut);
    assert_int_equal(run("cut.rec " SINEW_MODELS "/hero.glb --worst 1", printed), 1);
    check_prints(printed, "call 61: transition_to 'Attack' by fade 0 s\n");
    write_walk("small.rec", seek_slightly);
    assert_int_equal(run("small.rec " SINEW_MODELS "/hero.glb", printed), 1);
    assert_int_equal(run("small.rec " SINEW_MODELS "/hero.glb --degrees 60", printed), 0);
}

static void fade_fast(sinew_mixer *mixer, sinew_action walk) {
    (void)walk;
    sinew_transition transition = sinew_transition_default();
    transition.duration = 0.06f;
    sinew_mixer_transition_to(mixer, sinew_clip_source(sinew_asset_find_clip(hero, "Run")), &transition, NULL);
}

// The steps of its three or four frames are large, and all in one direction.
static void test_a_fast_fade_does_not_pop(void **state) {
    (void)state;
    char printed[8192];
    write_walk("fast.rec", fade_fast);
    int status = run("fast.rec " SINEW_MODELS "/hero.glb", printed);
    if (status != 0) fail_msg("%s", printed);
}

// Both steps are equally large, but the second leads back, as far as the clip moves in that time.
static void test_a_pose_of_one_frame_pops(void **state) {
    (void)state;
    char printed[8192];
    recorded r = {0};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = hero->skeleton;
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_action walk = sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(hero, "Walk")), NULL);
    for (int i = 0; i < FRAMES; i++) {
        if (i == 30) sinew_action_set_time(mixer, walk, sinew_action_time(mixer, walk) + 0.4f);
        if (i == 31) sinew_action_set_time(mixer, walk, sinew_action_time(mixer, walk) - 0.4f);
        sinew_mixer_update(mixer, 1.0f / 60.0f);
    }
    sinew_mixer_destroy(mixer);
    write_recording("flash.rec", r.bytes, r.size);
    free(r.bytes);
    assert_int_equal(run("flash.rec " SINEW_MODELS "/hero.glb", printed), 1);
    check_prints(printed, "\nframes that pop: 1; frames where a clip itself jumps: 1\n");
}

static void test_json(void **state) {
    (void)state;
    char printed[8192];
    write_walk("seek.rec", seek);
    assert_int_equal(run("seek.rec " SINEW_MODELS "/hero.glb --json", printed), 1);
    check_prints(printed, "{\"frames\":60,\"seconds\":1.0000000");
    check_prints(printed, "\"degrees\":3,\"pops\":1,\"clipJumps\":0,\"accelerations\":[");
    check_prints(printed, "\n{\"frame\":30,\"seconds\":0.51666");
    check_prints(printed, "\"kind\":\"pop\",\"part\":\"node\",\"node\":");
    check_prints(printed,
                 "\"clip\":\"Walk\",\"callCount\":1,\"calls\":[{\"call\":61,\"text\":\"set_time 0x101 0\"}]}");
}

// A clip whose end doesn't match its start: half of the walk, repeated.
static void test_a_clips_own_jump_is_no_pop(void **state) {
    (void)state;
    char printed[8192];
    recorded r = {0};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = hero->skeleton;
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(hero, "Attack")), NULL);
    for (int i = 0; i < 90; i++) sinew_mixer_update(mixer, 1.0f / 60.0f);
    sinew_mixer_destroy(mixer);
    FILE *file = fopen("attack.rec", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(r.bytes, 1, r.size, file), r.size);
    assert_int_equal(fclose(file), 0);
    free(r.bytes);
    int status = run("attack.rec " SINEW_MODELS "/hero.glb", printed);
    if (status != 0) fail_msg("%s", printed);
    check_prints(printed, "\nframes that pop: 0; frames where a clip itself jumps: ");
    check_prints(printed, "no call: clip 'Attack' itself\n");
}

static void test_wrong_input(void **state) {
    (void)state;
    char printed[8192];
    write_walk("walk.rec", NULL);
    assert_int_equal(run("none.rec " SINEW_MODELS "/hero.glb", printed), 1);
    assert_string_equal(printed, "sinew: none.rec: there is no such file\n");
    assert_int_equal(run("walk.rec " SINEW_MODELS "/sword.glb", printed), 1);
    check_prints(printed, "use the model that it was made with");
    assert_int_equal(run("walk.rec", printed), 2);
}

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    command = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_walk_and_a_fade_do_not_pop),
        cmocka_unit_test(test_a_seek_and_a_cut_pop),
        cmocka_unit_test(test_a_fast_fade_does_not_pop),
        cmocka_unit_test(test_a_pose_of_one_frame_pops),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_a_clips_own_jump_is_no_pop),
        cmocka_unit_test(test_wrong_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
