// SPDX-License-Identifier: MIT
// Characters' recordings: another character repeats whatever a program did, bit for bit, without the program.
#include "support/character_player.h"

#include <stdio.h>

#define GRAPH_FILE SINEW_GRAPHS "/character.graph.json"
#define FRAMES     600

static player_stage s;
static recorded all; // of a game
static uint64_t hashes[FRAMES];

static int set_up(void **state) {
    (void)state;
    player_stage_open(&s, GRAPH_FILE);
    all = player_record(&s, hashes, FRAMES, true);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(all.bytes);
    player_stage_close(&s);
    return 0;
}

static sinew_character_replay *open_character_replay(recorded r) {
    static sinew_state_names names;
    names = player_names(&s);
    const sinew_character_replay_def def = player_replay_def(&s, &names, r);
    sinew_character_replay *replay;
    sinew_error error = {0};
    if (sinew_character_replay_create(&def, &replay, &error) != SINEW_OK) fail_msg("%s", error.message);
    return replay;
}

static void replay_step(sinew_character_replay *replay) {
    sinew_error error = {0};
    if (sinew_character_replay_step(replay, &error) != SINEW_OK) fail_msg("%s", error.message);
}

// ---- Tests ---------------------------------------------------------------------------------------------------

static void test_a_replay_does_the_same(void **state) {
    (void)state;
    sinew_character_replay *replay = open_character_replay(all);
    assert_int_equal(replay->update_count, FRAMES);
    assert_true(replay->complete);
    char text[512];
    for (int i = 0; i < FRAMES; i++) {
        replay_step(replay);
        sinew_character_replay_describe(replay, text, sizeof text);
        if (sinew_character_hash(replay->character) != hashes[i]) fail_msg("update %d: %s", i, text);
        assert_int_equal(replay->first_mismatch, -1);
    }
    assert_int_equal(replay->updates_made, FRAMES);
    replay_step(replay); // a no-op
    sinew_character_replay_destroy(replay);
}

// Opens the stage with another text in its graph, of the same length.
static void open_changed_stage(player_stage *stage, const char *find, const char *put) {
    char text[16384];
    FILE *file = fopen(GRAPH_FILE, "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[size] = '\0';
    char *at = strstr(text, find);
    assert_non_null(at);
    memcpy(at, put, strlen(put));
    player_stage_open(stage, text);
}

// A step without a state only shows in the pose.
static void test_another_setting_of_a_step_is_a_mismatch(void **state) {
    (void)state;
    player_stage other;
    open_changed_stage(&other, "\"offset\": [0, 0, 0.3]", "\"offset\": [0, 0, 0.2]");
    const sinew_state_names names = player_names(&s);
    sinew_character_replay_def def = player_replay_def(&s, &names, all);
    def.rig = other.rig;
    sinew_character_replay *replay;
    sinew_error error = {0};
    if (sinew_character_replay_create(&def, &replay, &error) != SINEW_OK) fail_msg("%s", error.message);
    while (replay->updates_made < replay->update_count && replay->first_mismatch < 0) replay_step(replay);
    assert_true(replay->first_mismatch >= 0);
    sinew_character_replay_destroy(replay);
    player_stage_close(&other);
}

static void test_recording_changes_nothing(void **state) {
    (void)state;
    player p;
    player_start(&p, &s, NULL, true);
    for (int i = 0; i < 20; i++) player_play_frame(&p);
    for (int i = 0; i < FRAMES; i++) {
        player_play_frame(&p);
        assert_true(sinew_character_hash(p.character) == hashes[i]);
    }
    player_stop(&p);
}

static void test_a_description_says_what_changed(void **state) {
    (void)state;
    recorded r = {0};
    player p;
    player_start(&p, &s, NULL, false);
    sinew_animator *animator = sinew_character_animator(p.character);
    assert_int_equal(sinew_character_record(p.character, NULL, record_bytes, &r, NULL), SINEW_OK);
    sinew_character_update(p.character, 0.25f);
    sinew_animator_set_vector2(animator, sinew_graph_find_parameter(s.graph, "move"), 0, 1.5f);
    sinew_animator_fire(animator, sinew_graph_find_parameter(s.graph, "jump"));
    sinew_character_set_wind(p.character, (sinew_vec3){1, 0, 2});
    sinew_character_update(p.character, 0.5f);
    const sinew_transform platform = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};
    sinew_character_ride(p.character, platform);
    sinew_mixer_play(sinew_character_mixer(p.character), sinew_clip_source(sinew_asset_find_clip(s.asset, "Wave")),
                     NULL);
    sinew_character_update(p.character, 0.25f);
    sinew_character_destroy(p.character); // also ends the recording
    free(p.saved);
    static const char *const expected[] = {"0.25 s; 18 grounds",
                                           "0.5 s; move 0 1.5; fire jump; wind 1 0 2; enters 'Jump'; 28 grounds",
                                           "0.25 s; ride 1 2 3 0 0 0 1; play 'Wave'; 28 grounds"};
    sinew_character_replay *replay = open_character_replay(r);
    char text[256], short_text[8];
    sinew_character_replay_describe(replay, text, sizeof text);
    assert_string_equal(text, "");
    for (int i = 0; i < 3; i++) {
        replay_step(replay);
        sinew_character_replay_describe(replay, text, sizeof text);
        assert_string_equal(text, expected[i]);
    }
    sinew_character_replay_describe(replay, short_text, sizeof short_text);
    assert_string_equal(short_text, "0.25 s;");
    assert_true(replay->complete && replay->first_mismatch == -1);
    assert_true(replay->seconds == 1);
    sinew_character_replay_destroy(replay);
    free(r.bytes);
}

static void test_a_change_is_found_at_its_update(void **state) {
    (void)state;
    sinew_character_replay *replay = open_character_replay(all);
    while (replay->updates_made < 123) replay_step(replay);
    sinew_character_set_wind(replay->character, (sinew_vec3){0, 0.125f, 0});
    while (replay->updates_made < replay->update_count) {
        if (sinew_character_replay_step(replay, NULL) != SINEW_OK) break; // a change may no longer fit
    }
    assert_int_equal(replay->first_mismatch, 123);
    sinew_character_replay_destroy(replay);
}

// If the program crashes in an update, what it changed before that is in the file already.
static void test_an_update_without_its_end_is_made(void **state) {
    (void)state;
    recorded r = {0};
    player p;
    player_start(&p, &s, NULL, false);
    assert_int_equal(sinew_character_record(p.character, NULL, record_bytes, &r, NULL), SINEW_OK);
    for (int i = 0; i < 3; i++) sinew_character_update(p.character, 0.1f);
    sinew_animator_set_bool(sinew_character_animator(p.character), 2, true);
    sinew_character_begin(p.character, 0.1f);
    recorded cut = {.size = r.size, .bytes = malloc(r.size)};
    memcpy(cut.bytes, r.bytes, r.size);
    sinew_character_end(p.character);
    sinew_character_replay *replay = open_character_replay(cut);
    assert_int_equal(replay->update_count, 4);
    assert_false(replay->complete);
    while (replay->updates_made < 4) replay_step(replay);
    assert_int_equal(replay->first_mismatch, -1);
    assert_true(sinew_animator_bool(sinew_character_animator(replay->character), 2));
    sinew_character_replay_destroy(replay);
    player_stop(&p);
    free(cut.bytes);
    free(r.bytes);
}

static void test_a_recording_starts_between_updates(void **state) {
    (void)state;
    recorded r = {0};
    player p;
    player_start(&p, &s, NULL, false);
    sinew_error error = {0};
    sinew_character_begin(p.character, 0.1f);
    assert_int_equal(sinew_character_record(p.character, NULL, record_bytes, &r, &error), SINEW_ERROR_ARGUMENT);
    sinew_character_end(p.character);
    assert_int_equal(sinew_character_record(p.character, NULL, record_bytes, &r, &error), SINEW_OK);
    assert_int_equal(sinew_character_record(p.character, NULL, record_bytes, &r, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_character_record(p.character, NULL, NULL, NULL, &error), SINEW_OK);
    assert_int_equal(sinew_character_record(p.character, NULL, NULL, NULL, &error), SINEW_OK); // isn't recorded
    assert_int_equal(sinew_character_record(NULL, NULL, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
    player_stop(&p);
    free(r.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_replay_does_the_same),
        cmocka_unit_test(test_another_setting_of_a_step_is_a_mismatch),
        cmocka_unit_test(test_recording_changes_nothing),
        cmocka_unit_test(test_a_description_says_what_changed),
        cmocka_unit_test(test_a_change_is_found_at_its_update),
        cmocka_unit_test(test_an_update_without_its_end_is_made),
        cmocka_unit_test(test_a_recording_starts_between_updates),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
