// SPDX-License-Identifier: MIT
// Characters' recordings that are damaged, made up, cut off or from another character, and out of memory. Each is
// refused with a reason or replays to its end, and all memory is released.
#include "support/character_player.h"
#include "support/trials.h"

#include "base/fnv.h"

#include <stdio.h>

#define GRAPH_FILE SINEW_GRAPHS "/character.graph.json"

static player_stage s;
static recorded all; // of a game

static int set_up(void **state) {
    (void)state;
    player_stage_open(&s, GRAPH_FILE);
    all = player_record(&s, NULL, 12, false);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(all.bytes);
    player_stage_close(&s);
    return 0;
}

// ---- Bytes that aren't a recording of this character ---------------------------------------------------------

static sinew_result try_bytes(const uint8_t *bytes, size_t size, const sinew_rig *rig, int64_t *updates,
                              bool *is_same, sinew_error *error) {
    counting counted = {0};
    sinew_state_names names = player_names(&s);
    sinew_character_replay_def def = sinew_character_replay_default();
    def.bytes = bytes;
    def.size = size;
    def.rig = rig;
    def.names = &names;
    def.allocator = counting_allocator(&counted);
    sinew_character_replay *replay;
    *error = (sinew_error){0};
    *is_same = false;
    sinew_result result = sinew_character_replay_create(&def, &replay, error);
    if (result == SINEW_OK) {
        while (result == SINEW_OK && replay->updates_made < replay->update_count)
            result = sinew_character_replay_step(replay, error);
        *updates = replay->updates_made;
        *is_same = result == SINEW_OK && replay->complete && replay->first_mismatch < 0;
    }
    if (result != SINEW_OK) assert_true(strlen(error->message) > 10);
    sinew_character_replay_destroy(replay);
    assert_int_equal(counted.live, 0);
    return result;
}

static void test_another_definition_is_refused(void **state) {
    (void)state;
    static const char text[] =
        "{ \"sinewGraph\": 1, \"layers\": [ { \"name\": \"Base\", \"states\": { \"Walk\": { "
        "\"clip\": \"Walk\" } } } ], \"rig\": { \"steps\": [ { \"name\": \"hair\", \"springs\": {} } ] } }";
    player_stage other;
    player_stage_open(&other, text);
    int64_t updates;
    bool is_same;
    sinew_error error;
    assert_int_equal(try_bytes(all.bytes, all.size, other.rig, &updates, &is_same, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "a different graph or rig"));
    player_stage_close(&other);
}

static void test_what_the_program_plays_must_be_listed(void **state) {
    (void)state;
    recorded r = player_record(&s, NULL, 200, false);
    const sinew_character_replay_def def = player_replay_def(&s, NULL, r);
    sinew_character_replay *replay;
    sinew_error error = {0};
    sinew_result result = sinew_character_replay_create(&def, &replay, &error);
    while (result == SINEW_OK && replay->updates_made < replay->update_count)
        result = sinew_character_replay_step(replay, &error);
    assert_int_equal(result, SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "clip 'Attack', which isn't in `names`"));
    sinew_character_replay_destroy(replay);
    free(r.bytes);
}

// Each byte in turn is another one, and each end is tried.
static void test_damage_is_found(void **state) {
    (void)state;
    recorded r = player_record(&s, NULL, 12, false);
    const size_t step = TRIALS(11, 37);
    int64_t updates = 0;
    bool is_same;
    sinew_error error;
    assert_int_equal(try_bytes(r.bytes, r.size, s.rig, &updates, &is_same, &error), SINEW_OK);
    assert_true(is_same && updates == 12);
    for (size_t at = 0; at < r.size; at += step) {
        r.bytes[at] ^= (uint8_t)(1 << at % 8);
        const sinew_result result = try_bytes(r.bytes, r.size, s.rig, &updates, &is_same, &error);
        if (is_same) fail_msg("byte %zu", at);
        if (result == SINEW_ERROR_FORMAT && at >= 6) assert_non_null(strstr(error.message, "byte "));
        r.bytes[at] ^= (uint8_t)(1 << at % 8);
    }
    for (size_t size = 0; size < r.size; size += step) {
        uint8_t *part = malloc(size + 1); // its own block, so a sanitizer finds reads past the end
        memcpy(part, r.bytes, size);
        try_bytes(part, size, s.rig, &updates, &is_same, &error);
        assert_false(is_same);
        free(part);
    }
    free(r.bytes);
}

// The same with checksums that fit, so the damage gets further.
static void test_made_up_bytes_are_safe(void **state) {
    (void)state;
    recorded r = player_record(&s, NULL, 12, false);
    uint8_t *bytes = malloc(r.size);
    uint64_t random = 5;
    for (int trial = 0; trial < TRIALS(800, 200); trial++) {
        memcpy(bytes, r.bytes, r.size);
        for (int i = 0; i < 4; i++) bytes[random_next(&random) % r.size] = (uint8_t)(random_next(&random) % 256);
        for (size_t at = 6; at + 9 <= r.size;) {
            uint32_t size;
            memcpy(&size, r.bytes + at + 1, 4);
            memcpy(bytes + at, r.bytes + at, 5);
            uint64_t hash = SINEWI_FNV_START;
            sinewi_fnv_number(&hash, (uint64_t)bytes[at] << 32 | size);
            sinewi_fnv_bytes(&hash, bytes + at + 9, size);
            const uint32_t checksum = (uint32_t)(hash ^ hash >> 32);
            memcpy(bytes + at + 5, &checksum, 4);
            at += 9 + size;
        }
        int64_t updates;
        bool is_same;
        sinew_error error;
        try_bytes(bytes, r.size, s.rig, &updates, &is_same, &error);
    }
    free(bytes);
    free(r.bytes);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_each_allocation_of_a_recording_fails(void **state) {
    (void)state;
    sinew_result started = SINEW_ERROR_OUT_OF_MEMORY;
    for (int fails = 1; started != SINEW_OK; fails++) {
        counting c = {0};
        recorded r = {0};
        player p;
        const sinew_allocator allocator = counting_allocator(&c);
        player_start(&p, &s, &allocator, false);
        sinew_character *character = p.character;
        const int live = c.live;
        c.fail_at = c.allocations + fails;
        started = sinew_character_record(character, NULL, record_bytes, &r, NULL);
        if (started != SINEW_OK) {
            assert_int_equal(started, SINEW_ERROR_OUT_OF_MEMORY);
            assert_int_equal(c.live, live);
        } else {
            assert_true(fails > 7);
            const int before = c.allocations;
            for (int i = 0; i < 100; i++) sinew_character_update(character, 0.02f);
            assert_int_equal(c.allocations, before); // nothing has grown
        }
        player_stop(&p);
        assert_int_equal(c.live, 0);
        free(r.bytes);
    }
}

// A state that has grown beyond all memory ends the recording, not the game.
static void test_a_recording_that_runs_out_of_memory_ends(void **state) {
    (void)state;
    counting c = {0};
    recorded r = {0};
    player p;
    const sinew_allocator allocator = counting_allocator(&c);
    player_start(&p, &s, &allocator, false);
    sinew_character *character = p.character;
    assert_int_equal(sinew_character_record(character, NULL, record_bytes, &r, NULL), SINEW_OK);
    c.fail_at = c.allocations + 1;
    for (int i = 0; i < 20; i++) {
        sinew_character_update(character, 0.02f);
        if (i == 9) sinew_mixer_inertialize(sinew_character_mixer(character), SINEW_ALL_LAYERS, 5);
    }
    assert_int_equal(sinew_character_record(character, NULL, NULL, NULL, NULL), SINEW_ERROR_OUT_OF_MEMORY);
    int64_t updates = 0;
    bool is_same;
    sinew_error error;
    assert_int_equal(try_bytes(r.bytes, r.size, s.rig, &updates, &is_same, &error), SINEW_OK);
    assert_true(updates >= 10 && updates < 20 && !is_same);
    player_stop(&p);
    free(r.bytes);
}

static void test_each_allocation_of_a_replay_fails(void **state) {
    (void)state;
    recorded r = player_record(&s, NULL, 5, false);
    counting c = {0};
    sinew_state_names names = player_names(&s);
    sinew_character_replay_def def = sinew_character_replay_default();
    def.bytes = r.bytes;
    def.size = r.size;
    def.rig = s.rig;
    def.names = &names;
    def.allocator = counting_allocator(&c);
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_character_replay *replay;
        result = sinew_character_replay_create(&def, &replay, NULL);
        for (int i = 0; i < 5 && result == SINEW_OK; i++) result = sinew_character_replay_step(replay, NULL);
        sinew_character_replay_destroy(replay);
    }
    assert_true(c.fail_at > 6);
    free(r.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_definition_is_refused),
        cmocka_unit_test(test_what_the_program_plays_must_be_listed),
        cmocka_unit_test(test_damage_is_found),
        cmocka_unit_test(test_made_up_bytes_are_safe),
        cmocka_unit_test(test_each_allocation_of_a_recording_fails),
        cmocka_unit_test(test_a_recording_that_runs_out_of_memory_ends),
        cmocka_unit_test(test_each_allocation_of_a_replay_fails),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
