// SPDX-License-Identifier: MIT
// `sinew replay`: its output and exit status for the hero's recordings: test_replay SINEW
#include "support/recorded_command.h"

static const char *command;
static sinew_asset *hero;

static int set_up(void **state) {
    (void)state;
    return sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &hero, NULL) == SINEW_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    sinew_asset_destroy(hero);
    return 0;
}

// Walks, and from a frame on runs.
static void write_walk_of(const sinew_asset *of, const char *path, int frame,
                          float (*easing)(int32_t number, float u, void *user)) {
    recorded r = {0};
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = of->skeleton;
    def.easing = easing;
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_transition how = sinew_transition_default();
    how.easing = SINEW_EASING_USER;
    sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(of, "Walk")), NULL);
    for (int i = 0; i < 8; i++) {
        if (i == frame)
            sinew_mixer_transition_to(mixer, sinew_clip_source(sinew_asset_find_clip(of, "Run")), &how, NULL);
        sinew_mixer_update(mixer, 0.125f);
    }
    sinew_mixer_destroy(mixer);
    write_recording(path, r.bytes, r.size);
    free(r.bytes);
}

static void write_walk(const char *path, int frame, float (*easing)(int32_t number, float u, void *user)) {
    write_walk_of(hero, path, frame, easing);
}

// What it prints, errors too, is in `printed`.
static int run(const char *arguments, char printed[8192]) {
    return run_command(command, "replay", arguments, printed);
}

static float late(int32_t number, float u, void *user) {
    (void)number, (void)user;
    return u * u;
}

static void test_it_prints_the_calls(void **state) {
    (void)state;
    char printed[8192];
    write_walk("walk.rec", 4, NULL);
    assert_int_equal(run("walk.rec " SINEW_MODELS "/hero.glb", printed), 0);
    check_prints(printed, "       0     0.0000  play 'Walk'\n       1     0.0000  advance 0.125 from ");
    check_prints(printed, "\n       9     0.5000  transition_to 'Run' by fade 0.200000003 s easing 0\n");
    check_prints(printed, "\n18 calls over 1.0000 s, hash ");
}

static void test_what_differs_fails(void **state) {
    (void)state;
    char printed[8192];
    write_walk("late.rec", 4, late); // which the command has not
    assert_int_equal(run("late.rec " SINEW_MODELS "/hero.glb", printed), 1);
    check_prints(printed,
                 "sinew: late.rec: first mismatch: before call 12 the mixer does not match the recording\n");
    assert_int_equal(run("walk.rec " SINEW_MODELS "/sword.glb", printed), 1);
    check_prints(printed, "use the model that it was made with");
    assert_int_equal(run("none.rec " SINEW_MODELS "/hero.glb", printed), 1);
    assert_string_equal(printed, "sinew: none.rec: there is no such file\n");
    assert_int_equal(run("walk.rec " SINEW_MODELS "/hero.glb --up z", printed), 1);
    assert_int_equal(run("walk.rec", printed), 2);
}

static void test_it_finds_where_two_part(void **state) {
    (void)state;
    char printed[8192];
    write_walk("walk.rec", 4, NULL);
    write_walk("same.rec", 4, NULL);
    write_walk("later.rec", 5, NULL);
    assert_int_equal(run("walk.rec " SINEW_MODELS "/hero.glb --compare same.rec", printed), 0);
    assert_string_equal(printed, "identical: 18 calls over 1.0000 s\n");
    assert_int_equal(run("walk.rec " SINEW_MODELS "/hero.glb --compare later.rec", printed), 1);
    check_prints(printed,
                 "sinew: call 9 at 0.5000 s: walk.rec has 'transition_to 'Run' by fade 0.200000003 s easing 0', "
                 "later.rec has 'advance 0.125 from ");
}

static void test_one_that_was_cut_off_says_so(void **state) {
    (void)state;
    char printed[8192], bytes[4096];
    FILE *file = fopen("walk.rec", "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    write_recording("cut.rec", bytes, size - 9); // without its end
    assert_int_equal(run("cut.rec " SINEW_MODELS "/hero.glb", printed), 0);
    check_prints(printed, "; the recording is truncated\n");
    write_recording("cut.rec", bytes, size - 10); // nor the last call
    assert_int_equal(run("walk.rec " SINEW_MODELS "/hero.glb --compare cut.rec", printed), 1);
    assert_string_equal(printed, "sinew: walk.rec: has more calls after 17 identical ones\n");
}

#define BAKE_HERO SINEW_MODELS "/hero.glb --quiet -o hero.sinew --compress "

// A recording of clips that are compressed at load is replayed with an asset that is baked with the same error.
static void test_compressed_clips_are_baked(void **state) {
    (void)state;
    char printed[8192];
    sinew_gltf_options options = sinew_gltf_default();
    options.compress_error = 1e-3f;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", &options);
    write_walk("walk.rec", 4, NULL);
    write_walk_of(asset, "small.rec", 4, NULL);
    sinew_asset_destroy(asset);
    assert_int_equal(run("small.rec " SINEW_MODELS "/hero.glb", printed), 1);
    check_prints(printed, "loaded with the same options");
    assert_int_equal(run_command(command, "bake-asset", BAKE_HERO "1mm", printed), 0);
    assert_int_equal(run("small.rec hero.sinew", printed), 0);
    check_prints(printed, "18 calls over 1.0000 s");
    // As of the exact clips, which pop since the steps are long.
    static const char pops[] = "frames that pop: 1; frames where a clip itself jumps: 1";
    assert_int_equal(run_command(command, "continuity", "walk.rec " SINEW_MODELS "/hero.glb", printed), 1);
    check_prints(printed, pops);
    assert_int_equal(run_command(command, "continuity", "small.rec hero.sinew", printed), 1);
    check_prints(printed, pops);
    assert_int_equal(run_command(command, "bake-asset", BAKE_HERO "2mm", printed), 0);
    assert_int_equal(run("small.rec hero.sinew", printed), 1);
    remove("hero.sinew");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_prints_the_calls),        cmocka_unit_test(test_what_differs_fails),
        cmocka_unit_test(test_it_finds_where_two_part),    cmocka_unit_test(test_one_that_was_cut_off_says_so),
        cmocka_unit_test(test_compressed_clips_are_baked),
    };
    if (argc != 2) return 2;
    command = argv[1];
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
