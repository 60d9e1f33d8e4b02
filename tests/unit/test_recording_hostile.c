// SPDX-License-Identifier: MIT
// Recordings that are cut off, damaged or made up: each is refused with a reason or replays to its end, nothing
// asserts, and all memory is released. With sanitizers, tries three values for each damaged byte, or all of them with
// an argument.
#include "support/recorded.h"
#include "support/trials.h"

#include <stdio.h>

static bool all_values = TRIALS(true, false);

static session s;
static const sinew_clip *clips[SESSION_CLIPS + 1];

static int set_up(void **state) {
    (void)state;
    session_open(&s);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    session_close(&s);
    return 0;
}

// A session with everything in it that a recording may have.
static recorded record_session(int calls) {
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    char *memory = malloc(sinew_mixer_snapshot_size(mixer));
    session_caller caller = {.seed = 21};
    for (int i = 0; i < calls; i++) {
        session_call(&s, mixer, &caller);
        if (i % 40 == 10) sinew_mixer_save(mixer, memory);
        if (i % 40 == 20) sinew_mixer_note(mixer, "a note");
        if (i % 40 == 30) assert_true(sinew_mixer_restore(mixer, memory, sinew_mixer_snapshot_size(mixer)));
    }
    sinew_mixer_destroy(mixer);
    free(memory);
    return r;
}

typedef struct outcome {
    sinew_result result;
    sinew_error error;
    bool complete;
    int64_t calls, first_mismatch;
} outcome;

// What comes of some bytes, with no more memory than is promised, and none of it kept.
static outcome try_bytes(const uint8_t *bytes, size_t size) {
    counting counted = {0};
    recorded r = {.size = size,
                  .bytes = malloc(size + 1)}; // its own block, so a sanitizer finds reads past the end
    if (bytes) memcpy(r.bytes, bytes, size);
    sinew_replay_def def = replay_def(&s, clips, r);
    def.allocator = counting_allocator(&counted);
    sinew_replay *replay;
    outcome out = {.result = SINEW_OK};
    out.result = sinew_replay_create(&def, &replay, &out.error);
    assert_true((out.result == SINEW_OK) == (replay != NULL));
    if (replay) {
        replay_all(replay);
        out.complete = replay->complete;
        out.calls = replay->calls_made;
        out.first_mismatch = replay->first_mismatch;
    } else {
        assert_int_equal(out.error.result, out.result);
        assert_true(strlen(out.error.message) > 10);
    }
    sinew_replay_destroy(replay);
    assert_int_equal(counted.live, 0);
    assert_true(counted.peak <= 4000000 + 128 * size); // the first part is a mixer with all that one can have
    free(r.bytes);
    return out;
}

// ---- Cut off -------------------------------------------------------------------------------------------------

static void test_a_recording_that_is_cut_off_replays_as_far_as_it_goes(void **state) {
    (void)state;
    recorded r = record_session(120);
    outcome whole = try_bytes(r.bytes, r.size);
    assert_true(whole.complete);
    int64_t most = 0;
    for (size_t size = 0; size < r.size; size++) {
        outcome cut = try_bytes(r.bytes, size);
        if (cut.result != SINEW_OK) {
            assert_int_equal(most, 0); // only where the cut is before the first call
            assert_int_equal(cut.result, SINEW_ERROR_FORMAT);
            continue;
        }
        assert_false(cut.complete);
        assert_int_equal(cut.first_mismatch, -1);
        assert_true(cut.calls >= most && cut.calls <= most + 1); // byte by byte, call by call
        most = cut.calls;
    }
    assert_int_equal(most, whole.calls);
    free(r.bytes);
}

// ---- Damaged -------------------------------------------------------------------------------------------------

static void test_damaged_bytes_do_no_harm(void **state) {
    (void)state;
    static const uint8_t values[] = {1, 0x80, 0xff};
    recorded r = record_session(80);
    int refused = 0, replayed = 0;
    for (size_t at = 0; at < r.size; at++) {
        for (size_t v = 0; v < sizeof values; v++) {
            if (!all_values && v != at % sizeof values) continue;
            uint8_t old = r.bytes[at];
            r.bytes[at] = v == 2 ? (uint8_t)~old : values[v];
            outcome damaged = try_bytes(r.bytes, r.size);
            if (damaged.result == SINEW_OK) replayed++;
            if (damaged.result != SINEW_OK) refused++;
            r.bytes[at] = old;
        }
    }
    print_message("%d refused, %d replayed\n", refused, replayed);
    assert_true(refused > 200 && replayed > 200); // both happen
    free(r.bytes);
}

static void test_bytes_at_random_do_no_harm(void **state) {
    (void)state;
    recorded r = record_session(200);
    uint64_t random = 17;
    for (int i = 0; i < 800; i++) {
        uint8_t *copy = malloc(r.size);
        memcpy(copy, r.bytes, r.size);
        int changes = draw_count(&random, 1, 12);
        for (int c = 0; c < changes; c++) { // some bytes, or a stretch from elsewhere
            size_t at = random_next(&random) % r.size, from = random_next(&random) % r.size;
            size_t length = random_next(&random) % 20;
            if (at + length > r.size || from + length > r.size || random_next(&random) % 2) length = 0;
            memmove(copy + at, r.bytes + from, length);
            if (length == 0) copy[at] = (uint8_t)random_next(&random);
        }
        try_bytes(copy, r.size - random_next(&random) % 3);
        free(copy);
    }
    free(r.bytes);
}

// ---- Made up -------------------------------------------------------------------------------------------------

// A head, and what it is followed by.
static recorded with_head(const uint8_t *calls, size_t size) {
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_layer_set_mask(mixer, 1, s.masks[0]); // thing 1 is a mask
    recorded head = {0};
    record_bytes(r.bytes, r.size, &head);
    sinew_mixer_destroy(mixer);
    free(r.bytes);
    record_bytes(calls, size, &head);
    return head;
}

static void check_reason(const uint8_t *calls, size_t size, const char *reason) {
    recorded r = with_head(calls, size);
    outcome out = try_bytes(r.bytes, r.size);
    assert_int_equal(out.result, SINEW_ERROR_FORMAT);
    char expected[300];
    snprintf(expected, sizeof expected, "recording: before byte %zu: %s", r.size, reason);
    if (strcmp(out.error.message, expected) != 0) fail_msg("'%s', not '%s'", out.error.message, expected);
    free(r.bytes);
}

#define REFUSED(reason, ...)                                                                                       \
    do {                                                                                                           \
        const uint8_t bytes[] = {__VA_ARGS__};                                                                     \
        check_reason(bytes, sizeof bytes, reason);                                                                 \
    } while (0)

static void test_what_the_mixer_would_assert_is_refused(void **state) {
    (void)state;
    REFUSED("an unknown call", 38);
    REFUSED("an unknown call", 255);
    REFUSED("a clip, mask or blend space that has not been defined yet", 4, 0, 0);
    REFUSED("a clip, mask or blend space that has not been defined yet", 4, 2, 0);
    REFUSED("a clip, mask or blend space of the wrong kind", 4, 1, 0);
    REFUSED("a clip, mask or blend space of the wrong kind", 6, 1, 0);
    REFUSED("a layer above the base that the mixer does not have", 22, 0);
    REFUSED("a layer above the base that the mixer does not have", 22, 3);
    REFUSED("an unknown mode of a layer", 23, 1, 2);
    REFUSED("an unknown sinew_loop", 17, 1, 1, 0, 0, 0, 0, 0, 0, 3);
    REFUSED("a number that is not finite, or beyond 1e9", 16, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0x7f); // NaN
    REFUSED("a number that is not finite, or beyond 1e9", 26, 0, 0, 0x80, 0x7f);                         // infinity
    REFUSED("a number that is not finite, or beyond 1e9", 18, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80,
            0xff); // y
    REFUSED("a weight or duration beyond 1e9", 12, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x7f);
    REFUSED("a step back in time", 26, 0, 0, 0x80, 0xbf);
    REFUSED("a snapshot that has not been saved yet", 25, 0, 0, 0, 0);
    REFUSED("a snapshot that has not been saved yet", 24, 25, 1, 0, 0, 0);
    REFUSED("a snapshot that has not been saved yet", 24, 25, 0xff, 0xff, 0xff, 0xff);
    REFUSED("a note with a zero byte in it", 36, 2, 'a', 0);
    REFUSED("an invalid sinew_transition", 20, 1, 1, 0, 0, 0, 0, 0, 0, 2);
    REFUSED("an unknown kind of transition", 20, 1, 1, 0, 0, 0, 0, 0, 0, 1, 3);
    REFUSED("an unknown kind of blend space", 3, 3);
    REFUSED("a clip, mask or blend space of the wrong kind", 30, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0);
    REFUSED("a number that is not finite, or beyond 1e9", 32, 0, 0, 0xc0, 0x7f);             // x of node 0
    REFUSED("a number that is not finite, or beyond 1e9", 32, 0, 0, 0, 0, 0, 0, 0x80, 0x7f); // y of node 0
}

// The smallest and largest numbers that are let through, together: nothing becomes infinite on the way.
static void test_numbers_at_their_ends_are_played(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_play_def play = sinew_play_default();
    sinew_transition how = sinew_transition_default();
    how.duration = 1;
    how.match_rate = true;
    play.sync = 1;
    play.speed = 1e-38f;
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), &play);
    sinew_mixer_update(mixer, 0.1f);
    play.speed = 1e9f;
    play.weight = 1e9f;
    sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[2]), &how, &play);
    sinew_mixer_update(mixer, 0.5f);
    how = sinew_transition_default();
    how.kind = SINEW_TRANSITION_DEAD_BLEND;
    how.duration = 1e-45f;
    sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[0]), &how, NULL);
    sinew_mixer_update(mixer, 1e9f);
    how.duration = 1e9f;
    sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[1]), &how, NULL);
    sinew_mixer_update(mixer, 1e9f);
    sinew_mixer_destroy(mixer);
    outcome out = try_bytes(r.bytes, r.size);
    assert_true(out.complete && out.first_mismatch < 0);
    free(r.bytes);
}

static void test_nothing_follows_the_end(void **state) {
    (void)state;
    recorded r = record_session(10);
    record_bytes("x", 1, &r);
    outcome out = try_bytes(r.bytes, r.size);
    assert_int_equal(out.result, SINEW_ERROR_FORMAT);
    assert_non_null(strstr(out.error.message, "bytes after the end of the recording"));
    free(r.bytes);
}

// Space 2 cannot be made: why, is said in the words of who would have to make it.
static void test_a_blend_space_that_cannot_be_is_refused(void **state) {
    (void)state;
#define RATES 0, 0xcd, 0xcc, 0x4c, 0x3f, 0, 0, 0xa0, 0x3f // no match_speed, 0.8 and 1.25
    REFUSED("a blend space sample without a clip", 3, 0, 0, 0, 0, 0, RATES, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0);
    REFUSED("blend space: no samples; it needs at least one", 3, 0, 0, 0, 0, 0, RATES, 0, 0);
    REFUSED("too many samples in a blend space", 3, 0, 0, 0, 0, 0, RATES, 0, 65);
    REFUSED("match_speed that is neither 0 nor 1", 3, 0, 0, 0, 0, 0, 2);
}

static void check_head(size_t at, uint8_t byte, sinew_result result, const char *message) {
    recorded r = with_head(NULL, 0);
    if (r.bytes && at < r.size) r.bytes[at] = byte; // else it is not refused
    outcome out = try_bytes(r.bytes, r.size);
    assert_int_equal(out.result, result);
    if (strcmp(out.error.message, message) != 0) fail_msg("'%s', not '%s'", out.error.message, message);
    free(r.bytes);
}

static void test_other_files_and_versions_are_refused(void **state) {
    (void)state;
    check_head(0, 'g', SINEW_ERROR_FORMAT, "not a mixer recording: it must begin with 'SnwR'");
    check_head(4, 1, SINEW_ERROR_UNSUPPORTED,
               "recording: version 1, but this library replays version 7; use the library that wrote it");
    check_head(22, 65, SINEW_ERROR_FORMAT, // of actions
               "recording: damaged in its first 59 bytes: mixer: max_actions is 65; it must be 1 to 64");
    outcome nothing = try_bytes((const uint8_t *)"", 0);
    assert_int_equal(nothing.result, SINEW_ERROR_FORMAT);
    sinew_replay_def def = sinew_replay_default();
    sinew_replay *replay;
    assert_int_equal(sinew_replay_create(&def, &replay, NULL), SINEW_ERROR_ARGUMENT);
    sinew_replay_destroy(NULL);
}

// Snapshots are kept for as long as they are needed, and no more than 256 of them.
static void test_too_many_snapshots_at_once_are_refused(void **state) {
    (void)state;
    for (int count = 256; count <= 257; count++) {
        recorded r = with_head(NULL, 0);
        const uint8_t save = 24;
        for (int i = 0; i < count; i++) record_bytes(&save, 1, &r);
        for (int i = 0; i < count; i++) {
            const uint8_t restore[] = {25, (uint8_t)i, (uint8_t)(i >> 8), 0, 0};
            record_bytes(restore, sizeof restore, &r);
        }
        sinew_replay_def def = replay_def(&s, clips, r);
        sinew_replay *replay = open_replay(&def);
        sinew_result result = SINEW_OK;
        while (result == SINEW_OK && replay->calls_made < replay->call_count) result = sinew_replay_step(replay);
        assert_int_equal(result, count == 256 ? SINEW_OK : SINEW_ERROR_LIMIT);
        assert_int_equal(replay->calls_made, count == 256 ? 1 + 2 * count : 257);
        sinew_replay_destroy(replay);
        free(r.bytes);
    }
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) all_values = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recording_that_is_cut_off_replays_as_far_as_it_goes),
        cmocka_unit_test(test_damaged_bytes_do_no_harm),
        cmocka_unit_test(test_bytes_at_random_do_no_harm),
        cmocka_unit_test(test_what_the_mixer_would_assert_is_refused),
        cmocka_unit_test(test_numbers_at_their_ends_are_played),
        cmocka_unit_test(test_nothing_follows_the_end),
        cmocka_unit_test(test_a_blend_space_that_cannot_be_is_refused),
        cmocka_unit_test(test_other_files_and_versions_are_refused),
        cmocka_unit_test(test_too_many_snapshots_at_once_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
