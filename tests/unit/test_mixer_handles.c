// SPDX-License-Identifier: MIT
// Which handles and which snapshots are valid.
#include "core/mixer_data.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *slide;
    sinew_mixer *mixer, *other; // made from one definition
} stage;

static sinew_mixer_def mixer_def(const stage *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    return def;
}

static stage make_stage(void) {
    stage s = {.skeleton = make_chain(3)};
    s.slide = make_slide(s.skeleton, "slide", 1, 1, 2);
    sinew_mixer_def def = mixer_def(&s);
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_mixer_create(&def, &s.other, NULL), SINEW_OK);
    return s;
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    sinew_mixer_destroy(s->other);
    sinew_clip_destroy(s->slide);
    sinew_skeleton_destroy(s->skeleton);
}

// ---- Handles -------------------------------------------------------------------------------------------------

static void test_a_handle_of_another_mixer_is_stale(void **state) {
    (void)state;
    stage s = make_stage();
    sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL);
    sinew_action own = sinew_mixer_play(s.other, sinew_clip_source(s.slide), NULL);
    assert_true(sinew_action_is_active(s.mixer, action));
    assert_false(sinew_action_is_active(s.other, action));
    uint64_t before = sinew_mixer_hash(s.other);
    sinew_action_stop(s.other, action);
    sinew_action_set_speed(s.other, action, 3);
    sinew_action_queue(s.other, action, sinew_clip_source(s.slide), NULL, NULL);
    assert_true(sinew_mixer_hash(s.other) == before);
    assert_true(sinew_action_is_active(s.other, own));
    free_stage(&s);
}

// A mixer that takes the place of a destroyed one in memory is another mixer.
static void test_a_handle_of_a_mixer_that_is_gone_is_stale(void **state) {
    (void)state;
    stage s = make_stage();
    sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL);
    sinew_mixer_def def = mixer_def(&s);
    for (int i = 0; i < 8; i++) {
        sinew_mixer_destroy(s.mixer);
        assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
        sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL);
        assert_false(sinew_action_is_active(s.mixer, action));
    }
    free_stage(&s);
}

// As if so many actions had been played and stopped.
static void skip_plays(sinew_mixer *mixer, uint32_t count) {
    mixer->state->next_serial += count;
}

static void test_a_stale_handle_stays_stale_after_many_plays(void **state) {
    (void)state;
    stage s = make_stage();
    sinew_action first = sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL);
    sinew_action_stop(s.mixer, first);
    for (uint32_t bits = 8; bits < 32; bits++) {
        stage t = make_stage();
        sinew_action old = sinew_mixer_play(t.mixer, sinew_clip_source(t.slide), NULL);
        sinew_action_stop(t.mixer, old);
        skip_plays(t.mixer, (1u << bits) - 1);
        sinew_action now = sinew_mixer_play(t.mixer, sinew_clip_source(t.slide), NULL);
        assert_true(sinew_action_is_active(t.mixer, now));
        if (sinew_action_is_active(t.mixer, old)) fail_msg("valid again after 2^%u plays", (unsigned)bits);
        free_stage(&t);
    }
    free_stage(&s);
}

// After 2^32 plays, serials restart at 1: 0 isn't an action's.
static void test_serials_that_start_again_are_listed(void **state) {
    (void)state;
    stage s = make_stage();
    skip_plays(s.mixer, UINT32_MAX);
    sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL), listed = {0};
    assert_true(sinew_action_is_active(s.mixer, action));
    assert_int_equal(sinew_mixer_actions(s.mixer, &listed, 1), 1);
    assert_true(listed.id == action.id);
    free_stage(&s);
}

// ---- Snapshots -----------------------------------------------------------------------------------------------

static void test_a_snapshot_brings_its_handles(void **state) {
    (void)state;
    stage s = make_stage();
    size_t size = sinew_mixer_snapshot_size(s.mixer);
    char *memory = malloc(size);
    sinew_action action = sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL);
    size_t saved = sinew_mixer_save(s.mixer, memory);
    assert_true(sinew_mixer_restore(s.other, memory, saved));
    assert_true(sinew_action_is_active(s.other, action));
    free(memory);
    free_stage(&s);
}

// Tries to restore: nothing may change.
static void check_refused(sinew_mixer *mixer, const void *memory, size_t size) {
    uint64_t before = sinew_mixer_hash(mixer);
    assert_false(sinew_mixer_restore(mixer, memory, size));
    assert_true(sinew_mixer_hash(mixer) == before);
}

static void test_what_is_no_snapshot_is_refused(void **state) {
    (void)state;
    stage s = make_stage();
    size_t size = sinew_mixer_snapshot_size(s.mixer);
    unsigned char *memory = malloc(size);
    sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL);
    const int fills[3] = {0, 0xcd, 0xff};
    for (int i = 0; i < 3; i++) {
        memset(memory, fills[i], size);
        check_refused(s.mixer, memory, size);
    }
    check_refused(s.mixer, NULL, size);
    check_refused(s.mixer, memory, 0);
    size_t saved = sinew_mixer_save(s.mixer, memory);
    for (size_t cut = 0; cut < saved; cut += 7) {
        unsigned char *part = malloc(cut + 1); // so a sanitizer finds reads past the cut
        memcpy(part, memory, cut);
        check_refused(s.mixer, part, cut);
        free(part);
    }
    assert_true(sinew_mixer_restore(s.mixer, memory, saved));
    free(memory);
    free_stage(&s);
}

static void four_actions(sinew_mixer_def *def) {
    def->max_actions = 4;
}
static void three_layers(sinew_mixer_def *def) {
    def->layer_count = 3;
}
static void two_hints(sinew_mixer_def *def) {
    def->hints_per_action = 2;
}
static void no_spaces(sinew_mixer_def *def) {
    def->max_blend_spaces = 0;
}
static void no_inertialization(sinew_mixer_def *def) {
    def->inertialization = false;
}
static void a_subtree(sinew_mixer_def *def) {
    def->root = 1;
}
static void rest_fills(sinew_mixer_def *def) {
    def->underweight = SINEW_UNDERWEIGHT_REST;
}

static void test_a_snapshot_of_another_definition_is_refused(void **state) {
    (void)state;
    void (*const changes[])(sinew_mixer_def * def) = {four_actions, three_layers,       two_hints, no_spaces,
                                                      a_subtree,    no_inertialization, rest_fills};
    stage s = make_stage(), elsewhere = make_stage();
    const size_t size = 1 << 20;
    char *memory = malloc(size);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sinew_mixer_def def = mixer_def(&s);
        changes[i](&def);
        sinew_mixer *unlike;
        assert_int_equal(sinew_mixer_create(&def, &unlike, NULL), SINEW_OK);
        sinew_mixer_save(unlike, memory);
        check_refused(s.mixer, memory, size);
        sinew_mixer_save(s.mixer, memory);
        check_refused(unlike, memory, size);
        sinew_mixer_destroy(unlike);
    }
    sinew_mixer_save(elsewhere.mixer, memory); // another skeleton of the same shape
    check_refused(s.mixer, memory, size);
    free(memory);
    free_stage(&elsewhere);
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_handle_of_another_mixer_is_stale),
        cmocka_unit_test(test_a_handle_of_a_mixer_that_is_gone_is_stale),
        cmocka_unit_test(test_a_stale_handle_stays_stale_after_many_plays),
        cmocka_unit_test(test_serials_that_start_again_are_listed),
        cmocka_unit_test(test_a_snapshot_brings_its_handles),
        cmocka_unit_test(test_what_is_no_snapshot_is_refused),
        cmocka_unit_test(test_a_snapshot_of_another_definition_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
