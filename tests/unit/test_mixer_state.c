// SPDX-License-Identifier: MIT
// States written by name: reading continues with the same bits, whatever plays, even with lists in another order.
// What isn't found is reported. Also other skeletons, clips and definitions.
#include "support/recorded.h"
#include "support/state_file.h"
#include "support/trials.h"

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

static uint64_t run(sinew_mixer *mixer, session_caller *caller, int calls) {
    uint64_t bits = BITS_NONE;
    for (int i = 0; i < calls; i++) {
        session_call(&s, mixer, caller);
        sinew_mixer_update(mixer, 1.0f / 64.0f);
        if (session_below(&caller->seed, 40) == 0) state_touch_pose(mixer, &caller->seed);
        bits = bits * UINT64_C(31) + bits_of(mixer, s.skeleton);
    }
    return bits;
}

// ---- Going on ------------------------------------------------------------------------------------------------

// A mixer's definition, with what it may have or not.
static sinew_mixer_def def_of(int kind) {
    sinew_mixer_def def = session_def(&s);
    if (kind % 4 == 1) def.inertialization = false;
    if (kind % 4 == 2) def.root_motion = NULL;
    if (kind % 4 == 3) def.underweight = SINEW_UNDERWEIGHT_REST;
    if (kind % 8 == 4) def.root = 1;
    return def;
}

static void test_what_is_read_goes_on_with_the_same_bits(void **state) {
    (void)state;
    int captured = 0, moments = 0;
    for (int kind = 0; kind < 16; kind++) {
        sinew_mixer_def def = def_of(kind);
        sinew_mixer *mixer = make_mixer(&def);
        session_caller caller = {.seed = 1000 + (uint64_t)kind};
        run(mixer, &caller, 10);
        for (int moment = 0; moment < (int)TRIALS(24, 6); moment++) {
            // Not always after a frame: calls may have changed something since.
            for (int i = 0; i < 7; i++) session_call(&s, mixer, &caller);
            if (moment % 3 == 0) state_touch_pose(mixer, &caller.seed);
            sinew_mixer *fresh = make_mixer(&def), *used = make_mixer(&def);
            session_caller unlike = {.seed = 77 + (uint64_t)moment};
            run(used, &unlike, 40);
            state_bytes bytes = state_write(mixer, &lists.names);
            const uint64_t hash = sinew_mixer_hash(mixer);
            state_read(fresh, &lists.shuffled, bytes);
            state_read(used, &lists.names, bytes);
            if (sinew_mixer_hash(fresh) != hash || sinew_mixer_hash(used) != hash)
                fail_msg("kind %d, moment %d: another hash", kind, moment);
            state_bytes again = state_write(fresh, &lists.names);
            assert_int_equal(again.size, bytes.size);
            if (memcmp(again.bytes, bytes.bytes, bytes.size) != 0)
                fail_msg("kind %d, moment %d: other bytes", kind, moment);
            session_caller a = caller, b = caller, c = caller;
            const uint64_t bits = run(mixer, &a, 200);
            if (run(fresh, &b, 200) != bits || run(used, &c, 200) != bits)
                fail_msg("kind %d, moment %d: other bits", kind, moment);
            caller = a;
            captured += bytes.size > 4000;
            moments++;
            free(bytes.bytes);
            free(again.bytes);
            sinew_mixer_destroy(fresh);
            sinew_mixer_destroy(used);
        }
        sinew_mixer_destroy(mixer);
    }
    print_message("%d moments, %d of them with poses\n", moments, captured);
    assert_true(captured > moments / 10);
}

// A thousand frames, for some moments.
static void test_it_still_has_the_same_bits_later(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    session_caller caller = {.seed = 3};
    for (int moment = 0; moment < (int)TRIALS(12, 2); moment++) {
        run(mixer, &caller, 37);
        sinew_mixer *other = make_mixer(&def);
        const state_bytes bytes = state_write(mixer, &lists.names);
        state_read(other, &lists.shuffled, bytes);
        session_caller a = caller, b = caller;
        if (run(mixer, &a, 1000) != run(other, &b, 1000)) fail_msg("moment %d", moment);
        caller = a;
        free(bytes.bytes);
        sinew_mixer_destroy(other);
    }
    sinew_mixer_destroy(mixer);
}

// ---- Memory --------------------------------------------------------------------------------------------------

// A counting heap with one allocation that can fail.
typedef struct counted {
    int allocations, fails_at;
} counted;

static void *allocate_counted(size_t size, size_t alignment, void *user) {
    counted *c = user;
    (void)alignment;
    return c->allocations++ == c->fails_at ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
}

static void free_counted(void *memory, size_t size, size_t alignment, void *user) {
    (void)size, (void)alignment, (void)user;
    free(memory);
}

static void test_nothing_is_allocated(void **state) {
    (void)state;
    counted c = {0, -1};
    sinew_mixer_def def = session_def(&s);
    def.allocator = (sinew_allocator){allocate_counted, free_counted, &c};
    sinew_mixer *mixer = make_mixer(&def);
    session_caller caller = {.seed = 8};
    run(mixer, &caller, 50);
    state_touch_pose(mixer, &caller.seed);
    const int before = c.allocations;
    const state_bytes bytes = state_write(mixer, &lists.names);
    state_read(mixer, &lists.names, bytes);
    assert_int_equal(c.allocations, before);
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
}

static void test_only_what_fits_is_written(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    session_caller caller = {.seed = 8};
    run(mixer, &caller, 50);
    const state_bytes bytes = state_write(mixer, &lists.names);
    uint8_t *small = malloc(bytes.size);
    memset(small, 0xcd, bytes.size);
    assert_int_equal(sinew_mixer_write(mixer, &lists.names, small, bytes.size - 1), bytes.size);
    for (size_t i = 0; i < bytes.size; i++) assert_int_equal(small[i], 0xcd);
    free(small);
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
}

// A new mixer writes its head, its layers and empty tables.
static void test_sizes(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    const size_t empty = sinew_mixer_write(mixer, &lists.names, NULL, 0);
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), NULL);
    sinew_mixer_update(mixer, 0.1f);
    const size_t one = sinew_mixer_write(mixer, &lists.names, NULL, 0);
    print_message("%zu bytes for an empty mixer with a held pose, %zu for one that plays a clip\n", empty, one);
    assert_true(one < 400);
    sinew_mixer_destroy(mixer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_read_goes_on_with_the_same_bits),
        cmocka_unit_test(test_it_still_has_the_same_bits_later),
        cmocka_unit_test(test_nothing_is_allocated),
        cmocka_unit_test(test_only_what_fits_is_written),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
