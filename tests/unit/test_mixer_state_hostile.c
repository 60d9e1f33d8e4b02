// SPDX-License-Identifier: MIT
// Hostile written states: cut off at each byte and damaged in each, also with a matching checksum. Reading either
// fails and changes nothing, or gives a state where everything works. Also out of memory.
#include "support/recorded.h"
#include "support/state_file.h"
#include "support/trials.h"

#include <math.h>

static session s;
static state_lists lists;

static int set_up(void **state) {
    (void)state;
    session_open(&s);
    lists = state_lists_of(&s);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    session_close(&s);
    return 0;
}

static void go(sinew_mixer *mixer, session_caller *caller, int frames) {
    for (int i = 0; i < frames; i++) {
        session_call(&s, mixer, caller);
        if (i % 9 == 5) state_touch_pose(mixer, &caller->seed);
        sinew_mixer_update(mixer, 1.0f / 64.0f);
    }
}

// ---- Moments -------------------------------------------------------------------------------------------------

typedef enum moment { PLAYING, INERTIALIZING, DEAD_BLENDING, SET_POSES, REQUESTED, HOLDING, MOMENTS } moment;

// Brings a mixer to a moment that has what no other has.
static void enter(sinew_mixer *mixer, moment where) {
    session_caller caller = {.seed = 500 + (uint64_t)where};
    sinew_transition how = sinew_transition_default();
    how.duration = 0.5f;
    how.kind = where == DEAD_BLENDING ? SINEW_TRANSITION_DEAD_BLEND : SINEW_TRANSITION_INERTIALIZE;
    go(mixer, &caller, 60);
    const sinew_action action =
        sinew_mixer_transition_to(mixer, sinew_blend_space_source(s.spaces[1], 0.5f, 0.3f), NULL, NULL);
    sinew_action_set_parameter(mixer, action, 1, -1);
    sinew_layer_set_mask(mixer, 1, s.masks[1]);
    sinew_mixer_update(mixer, 0.05f);
    switch (where) {
    case INERTIALIZING:
    case DEAD_BLENDING:
        sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[1]), &how, NULL);
        sinew_mixer_update(mixer, 0.05f);
        break;
    case SET_POSES:
        sinew_mixer_set_pose(mixer, sinew_mixer_edit_pose(mixer));
        break;
    case REQUESTED:
        sinew_mixer_edit_pose(mixer)->tx[2] += 1;
        sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.4f);
        break;
    case HOLDING:
        sinew_mixer_stop_all(mixer);
        sinew_mixer_update(mixer, 0.05f);
        break;
    default:
        break;
    }
}

static state_bytes write_moment(moment where) {
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    enter(mixer, where);
    const state_bytes bytes = state_write(mixer, &lists.names);
    sinew_mixer_destroy(mixer);
    return bytes;
}

// ---- Damage --------------------------------------------------------------------------------------------------

static int refused, accepted;

static void count_unknown(const char *kind, const char *name, void *user) {
    assert_true(kind && name);
    ++*(int *)user;
}

// A mixer whose layers already have their modes, so no state can change them.
static sinew_mixer *make_ready(void) {
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_layer_set_mode(mixer, 2, SINEW_LAYER_ADDITIVE);
    return mixer;
}

// Reads the bytes from memory that is exactly as long. Returns whether they were read.
static bool try_read(sinew_mixer *mixer, const uint8_t *bytes, size_t size) {
    int unknown = 0;
    const sinew_state_report report = {count_unknown, &unknown};
    const uint64_t hash = sinew_mixer_hash(mixer);
    sinew_error error = {SINEW_OK, ""};
    uint8_t *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    if (size > 0) memcpy(exact, bytes, size);
    const sinew_result result = sinew_mixer_read(mixer, &lists.names, exact, size, &report, &error);
    free(exact);
    if (result == SINEW_OK) return true;
    assert_int_equal(result, error.result);
    assert_memory_equal(error.message, "state: ", 7);
    assert_int_equal(unknown, 0); // nothing is reported before everything has been checked
    if (sinew_mixer_hash(mixer) != hash) fail_msg("changed by: %s", error.message);
    return false;
}

static void try_and_go_on(sinew_mixer *mixer, state_bytes damaged, session_caller *caller) {
    if (!try_read(mixer, damaged.bytes, damaged.size)) {
        refused++;
        return;
    }
    accepted++;
    go(mixer, caller, 50);
    const state_bytes again = state_write(mixer, &lists.names);
    free(again.bytes);
}

static void test_a_state_that_is_cut_off_is_refused(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    const state_bytes whole = write_moment(REQUESTED);
    for (size_t size = 0; size < whole.size; size += TRIALS(1, 3)) {
        assert_false(try_read(mixer, whole.bytes, size));
        state_bytes cut = {malloc(size + 1), size};
        memcpy(cut.bytes, whole.bytes, size);
        state_repair(cut); // also with the size in its header
        if (try_read(mixer, cut.bytes, size)) fail_msg("%zu of %zu bytes", size, whole.size);
        free(cut.bytes);
    }
    free(whole.bytes);
    sinew_mixer_destroy(mixer);
}

static void test_a_damaged_byte_is_found_by_the_checksum(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    const state_bytes bytes = write_moment(SET_POSES);
    for (size_t i = 0; i < bytes.size; i += TRIALS(1, 7)) {
        bytes.bytes[i] ^= (uint8_t)(1 << i % 8);
        if (try_read(mixer, bytes.bytes, bytes.size)) fail_msg("byte %zu", i);
        bytes.bytes[i] ^= (uint8_t)(1 << i % 8);
    }
    assert_true(try_read(mixer, bytes.bytes, bytes.size));
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
}

static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};

// Changes every byte, and gives the bytes a checksum that fits.
static void test_damage_with_a_checksum_that_fits(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int where = 0; where < MOMENTS; where++) {
        const state_bytes bytes = write_moment((moment)where);
        sinew_mixer *mixer = make_ready();
        session_caller caller = {.seed = 9};
        for (size_t i = 24; i < bytes.size; i += 1 + random_next(&random) % TRIALS(3, 23)) {
            const uint8_t was = bytes.bytes[i];
            bytes.bytes[i] = i % 2 == 0 ? (uint8_t)(was ^ 1u << random_next(&random) % 8)
                                        : values[random_next(&random) % sizeof values];
            state_repair(bytes);
            try_and_go_on(mixer, bytes, &caller);
            bytes.bytes[i] = was;
        }
        sinew_mixer_destroy(mixer);
        free(bytes.bytes);
    }
    print_message("%d refused, %d read\n", refused, accepted);
    assert_true(refused > 100 && accepted > 100);
}

// Changes several bytes of one state, or replaces a part with one of another state.
static void test_more_damage(void **state) {
    (void)state;
    uint64_t random = 4;
    state_bytes all[MOMENTS];
    for (int i = 0; i < MOMENTS; i++) all[i] = write_moment((moment)i);
    sinew_mixer *mixer = make_ready();
    session_caller caller = {.seed = 10};
    for (size_t trial = 0; trial < TRIALS(3000, 300); trial++) {
        const state_bytes *from = &all[random_next(&random) % MOMENTS],
                          *other = &all[random_next(&random) % MOMENTS];
        state_bytes damaged = {malloc(from->size), from->size};
        memcpy(damaged.bytes, from->bytes, from->size);
        for (size_t k = random_next(&random) % 4; k > 0; k--)
            damaged.bytes[24 + random_next(&random) % 400 % (from->size - 24)] = (uint8_t)random_next(&random);
        const size_t at = 24 + random_next(&random) % 300, count = random_next(&random) % 64;
        if (trial % 3 == 0 && at + count < from->size && at + count < other->size)
            memcpy(damaged.bytes + at, other->bytes + at, count);
        state_repair(damaged);
        try_and_go_on(mixer, damaged, &caller);
        free(damaged.bytes);
    }
    for (int i = 0; i < MOMENTS; i++) free(all[i].bytes);
    sinew_mixer_destroy(mixer);
}

static void test_messages(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    state_bytes bytes = write_moment(PLAYING);
    sinew_error error;
    assert_int_equal(sinew_mixer_read(mixer, NULL, NULL, 0, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state: bytes is NULL");
    assert_int_equal(sinew_mixer_read(mixer, NULL, "SnwR", 4, NULL, &error), SINEW_ERROR_FORMAT);
    assert_string_equal(error.message, "state: not a written state: it must begin with 'SnwT'");
    assert_int_equal(sinew_mixer_read(mixer, NULL, bytes.bytes, 100, NULL, &error), SINEW_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "state: it has 100 bytes, but its header says "));
    bytes.bytes[4] = 2;
    assert_int_equal(sinew_mixer_read(mixer, NULL, bytes.bytes, bytes.size, NULL, &error), SINEW_ERROR_UNSUPPORTED);
    assert_string_equal(error.message,
                        "state: version 2, but this library reads version 1; use the library that wrote it");
    bytes.bytes[4] = 1;
    bytes.bytes[40] ^= 1;
    assert_int_equal(sinew_mixer_read(mixer, NULL, bytes.bytes, bytes.size, NULL, &error), SINEW_ERROR_FORMAT);
    assert_string_equal(error.message, "state: damaged: the checksum of its bytes is wrong");
    bytes.bytes[40] ^= 1;
    bytes.bytes[24] = 'X'; // a section that the reader doesn't know
    state_repair(bytes);
    assert_int_equal(sinew_mixer_read(mixer, NULL, bytes.bytes, bytes.size, NULL, &error), SINEW_ERROR_FORMAT);
    assert_string_equal(error.message, "state: before byte 0: the section MIXR is missing");
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
}

// ---- What is checked -----------------------------------------------------------------------------------------

// Where a section's content starts.
static size_t find_section(state_bytes in, const char *tag) {
    size_t at = 24;
    while (at + 8 <= in.size) {
        uint32_t size = 0;
        for (int i = 0; i < 4; i++) size |= (uint32_t)in.bytes[at + 4 + (size_t)i] << 8 * i;
        if (memcmp(in.bytes + at, tag, 4) == 0) return at + 8;
        at += 8 + size;
    }
    fail_msg("no section %s", tag);
    return 0;
}

static void put(state_bytes to, size_t at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) to.bytes[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static uint64_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A wrong field: its section, its place there, and the message about it.
typedef struct wrong_field {
    const char *section;
    size_t at;
    uint64_t value;
    int bytes;
    const char *problem;
} wrong_field;

// An action starts with its slot, object, serial number (4 bytes), flags, layer, loop, easing, sync group, intervals,
// loop count (4) and loops, and then its phase (8). Both actions here have constant fades, and nothing queued.
static const size_t action_0 = 1, action_1 = 1 + 41;

static void test_wrong_fields_are_named(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def), *there = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), NULL);
    sinew_mixer_update(mixer, 0.1f);
    const state_bytes whole = state_write(mixer, &lists.names);
    const size_t actions = find_section(whole, "ACTN");
    assert_int_equal(whole.bytes[actions + action_1], 1); // the slot of the second
    const wrong_field fields[] = {
        {"MIXR", 0, 0, 4, "a tag that isn't from 1 to 16777215"},
        {"MIXR", 0, 0x1000000, 4, "a tag that isn't from 1 to 16777215"},
        {"MIXR", 4, 1, 4, "an action newer than the newest"},
        {"MIXR", 8, 8, 1, "a number that is too large, or an unknown choice or flag"},
        {"ACTN", action_0, 64, 1, "a number that is too large, or an unknown choice or flag"},
        {"ACTN", action_0, 1, 1, "actions out of order"},
        {"ACTN", action_0 + 1, 0, 1, "an action that plays nothing"},
        {"ACTN", action_0 + 1, 100, 1, "a count or number that is too large"},
        {"ACTN", action_0 + 2, 2, 4, "two actions with the same serial number"},
        {"ACTN", action_0 + 2, 0, 4, "an action without a serial number or without sync intervals"},
        {"ACTN", action_0 + 6, 4, 1, "an action that ends with a fade that it doesn't have"},
        {"ACTN", action_0 + 7, 7, 1, "a layer that doesn't exist"},
        {"ACTN", action_0 + 8, 3, 1, "a number that is too large, or an unknown choice or flag"},
        {"ACTN", action_0 + 9, 255, 1, "a number that is too large, or an unknown choice or flag"},
        {"ACTN", action_0 + 11, 0, 1, "an action without a serial number or without sync intervals"},
        {"ACTN", action_0 + 12, 0, 4, "an action without loops"},
        {"ACTN", action_0 + 12, 0xfffffffe, 4, "an action without loops"},
        {"ACTN", action_0 + 17, double_bits(-0.001), 8, "a time outside of the clip"},
        {"ACTN", action_0 + 17, double_bits(2.001), 8, "a time outside of the clip"},
        {"ACTN", action_0 + 17, double_bits(NAN), 8, "a number that isn't finite"},
        {"ACTN", action_0 + 25, 4, 1, "a number that is too large, or an unknown choice or flag"},
        {"ACTN", action_0 + 28, float_bits(-1), 4, "a weight, duration or time that is negative or too large"},
        {"ACTN", action_0 + 28, float_bits(2e9f), 4, "a weight, duration or time that is negative or too large"},
        {"ACTN", action_0 + 32, float_bits(INFINITY), 4, "a number that isn't finite"},
        {"ACTN", action_0 + 40, 4, 1, "a number that is too large, or an unknown choice or flag"},
        {"LAYR", 0, 0, 1, "no layers"},
        {"LAYR", 0, 9, 1, "a count or number that is too large"},
        {"LAYR", 3, 8, 1, "a base with a mask, a mode or a weight"},
        {"LAYR", 4, 0, 1, "a base with a mask, a mode or a weight"},
        {"OBJS", 1, 3, 1, "a number that is too large, or an unknown choice or flag"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const wrong_field *field = &fields[i];
        const state_bytes damaged = {malloc(whole.size), whole.size};
        memcpy(damaged.bytes, whole.bytes, whole.size);
        put(damaged, find_section(damaged, field->section) + field->at, field->value, field->bytes);
        state_repair(damaged);
        sinew_error error = {SINEW_OK, ""};
        if (sinew_mixer_read(there, &lists.names, damaged.bytes, damaged.size, NULL, &error) == SINEW_OK)
            fail_msg("field %zu was read", i);
        if (!strstr(error.message, field->problem)) fail_msg("field %zu: %s", i, error.message);
        free(damaged.bytes);
    }
    free(whole.bytes);
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(there);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_state_that_is_cut_off_is_refused),
        cmocka_unit_test(test_a_damaged_byte_is_found_by_the_checksum),
        cmocka_unit_test(test_damage_with_a_checksum_that_fits),
        cmocka_unit_test(test_more_damage),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_wrong_fields_are_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
