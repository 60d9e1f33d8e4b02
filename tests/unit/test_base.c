// SPDX-License-Identifier: MIT
// Results, the version, layouts and arenas.
#include "support/check.h"

#include "base/fail.h"
#include "base/memory.h"

static void test_results_have_words(void **state) {
    (void)state;
    for (int i = SINEW_OK; i <= SINEW_ERROR_UNSUPPORTED; i++) {
        const char *words = sinew_result_string((sinew_result)i);
        assert_true(strlen(words) > 3);
        for (int j = SINEW_OK; j < i; j++) assert_string_not_equal(words, sinew_result_string((sinew_result)j));
    }
    assert_non_null(sinew_result_string((sinew_result)99));
    assert_int_equal(sinew_version(),
                     SINEW_VERSION_MAJOR * 10000 + SINEW_VERSION_MINOR * 100 + SINEW_VERSION_PATCH);
}

static void test_errors_are_cut_to_their_size(void **state) {
    (void)state;
    sinew_error error;
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(sinewi_fail(&error, SINEW_ERROR_IO, "%s", text), SINEW_ERROR_IO);
    assert_int_equal(error.result, SINEW_ERROR_IO);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(sinewi_fail(NULL, SINEW_ERROR_FORMAT, "nobody listens"), SINEW_ERROR_FORMAT);
}

static void test_the_heap_aligns(void **state) {
    (void)state;
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        for (size_t size = 1; size < 200; size += 13) {
            void *memory = sinewi_allocate(NULL, size, alignment);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            memset(memory, 1, size);
            sinewi_release(NULL, memory, size, alignment);
        }
    }
    assert_null(sinewi_allocate(NULL, 0, 8));
    assert_null(sinewi_allocate(NULL, SIZE_MAX, 8));
    assert_null(sinewi_allocate(NULL, SIZE_MAX - 8, 8));
    sinewi_release(NULL, NULL, 1, 8);
}

static void test_a_layout_measures_what_it_places(void **state) {
    (void)state;
    sinewi_layout measure = {0};
    sinewi_layout_take(&measure, 3, 1, 1);
    sinewi_layout_take(&measure, 5, 4, 64);
    assert_null(sinewi_layout_string(&measure, "abc"));
    assert_int_equal(measure.size, 64 + 20 + 4);

    char *block = sinewi_allocate(NULL, measure.size, 64);
    sinewi_layout layout = {block, 0};
    assert_ptr_equal(sinewi_layout_take(&layout, 3, 1, 1), block);
    assert_ptr_equal(sinewi_layout_take(&layout, 5, 4, 64), block + 64);
    assert_string_equal(sinewi_layout_string(&layout, "abc"), "abc");
    assert_int_equal(layout.size, measure.size);
    sinewi_release(NULL, block, measure.size, 64);
}

static void test_a_layout_that_overflows_stays_overflown(void **state) {
    (void)state;
    sinewi_layout layout = {0};
    sinewi_layout_take(&layout, 1, 1, 1);
    sinewi_layout_take(&layout, SIZE_MAX / 4, 8, 8);
    assert_true(layout.size == SIZE_MAX);
    sinewi_layout_take(&layout, 1, 1, 1);
    assert_true(layout.size == SIZE_MAX);
    assert_null(sinewi_allocate(NULL, layout.size, 64));
}

static void test_an_arena_frees_all(void **state) {
    (void)state;
    counting c = {0};
    sinew_allocator allocator = counting_allocator(&c);
    sinewi_arena arena;
    sinewi_arena_init(&arena, &allocator);
    uint64_t random = 7;
    for (int i = 0; i < 200; i++) {
        size_t size = random_next(&random) % 3000;
        unsigned char *memory = sinewi_arena_take(&arena, size, 1, 64);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        memset(memory, i, size);
    }
    assert_non_null(sinewi_arena_take(&arena, 100000, 1, 64)); // its own chunk
    assert_string_equal(sinewi_arena_string(&arena, "abcdef", 3), "abc");
    unsigned char *zeroed = sinewi_arena_zeroed(&arena, 100, 1, 1);
    for (int i = 0; i < 100; i++) assert_int_equal(zeroed[i], 0);
    assert_null(sinewi_arena_take(&arena, SIZE_MAX / 2, 8, 1)); // more than there can be
    assert_non_null(sinewi_arena_take(&arena, 0, 8, 8));
    c.fail_at = 1;
    assert_null(sinewi_arena_take(&arena, 1 << 20, 1, 1));
    assert_non_null(sinewi_arena_take(&arena, 8, 1, 1)); // the chunk that still has room stays in front

    sinewi_arena_free(&arena);
    assert_int_equal(c.live, 0);
    assert_int_equal(c.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_have_words),
        cmocka_unit_test(test_errors_are_cut_to_their_size),
        cmocka_unit_test(test_the_heap_aligns),
        cmocka_unit_test(test_a_layout_measures_what_it_places),
        cmocka_unit_test(test_a_layout_that_overflows_stays_overflown),
        cmocka_unit_test(test_an_arena_frees_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
