// SPDX-License-Identifier: MIT
// The parts of cmocka that our tests use, only for systems without a cmocka package. Like cmocka's header, it needs
// <setjmp.h>, <stdarg.h>, <stddef.h> and <stdint.h> before it.
#ifndef CMOCKA_SHIM_H
#define CMOCKA_SHIM_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define print_message(...) (void)(printf(__VA_ARGS__), fflush(stdout))
#define print_error(...)   (void)(fflush(stdout), fprintf(stderr, __VA_ARGS__))

typedef int (*cmocka_shim_fixture)(void **state);

struct CMUnitTest {
    const char *name;
    void (*function)(void **state);
    cmocka_shim_fixture setup, teardown;
    void *initial_state;
};

#define cmocka_unit_test(function)                                                                                 \
    { #function, function, NULL, NULL, NULL }
#define cmocka_unit_test_setup_teardown(function, setup, teardown)                                                 \
    { #function, function, setup, teardown, NULL }

enum { CMOCKA_SHIM_FAILED = 1, CMOCKA_SHIM_SKIPPED };

// Where a failing or skipped test jumps: back to the loop that runs the tests. A test file and its helpers share
// these, so a helper's assertion ends the test.
#ifdef __GNUC__
__attribute__((weak)) // one of them, however many files have them
#endif
jmp_buf cmocka_shim_end;

#define cmocka_shim_leave(how) longjmp(cmocka_shim_end, how)

static inline void cmocka_shim_fail(const char *file, int line) {
    print_error("%s:%d: failed\n", file, line);
    cmocka_shim_leave(CMOCKA_SHIM_FAILED);
}
#define _fail(file, line) cmocka_shim_fail(file, line)

#define cmocka_shim_check(condition, ...)                                                                          \
    do {                                                                                                           \
        if (!(condition)) {                                                                                        \
            print_error(__VA_ARGS__);                                                                              \
            cmocka_shim_fail(__FILE__, __LINE__);                                                                  \
        }                                                                                                          \
    } while (0)

#define skip() cmocka_shim_leave(CMOCKA_SHIM_SKIPPED)
#define fail_msg(...)                                                                                              \
    do {                                                                                                           \
        print_error(__VA_ARGS__);                                                                                  \
        print_error("\n");                                                                                         \
        cmocka_shim_fail(__FILE__, __LINE__);                                                                      \
    } while (0)

#define assert_true(condition)     cmocka_shim_check(condition, "%s is not true\n", #condition)
#define assert_false(condition)    cmocka_shim_check(!(condition), "%s is true\n", #condition)
#define assert_null(pointer)       cmocka_shim_check(!(pointer), "%s is not NULL\n", #pointer)
#define assert_non_null(pointer)   cmocka_shim_check((pointer) != NULL, "%s is NULL\n", #pointer)
#define assert_ptr_equal(a, b)     cmocka_shim_check((const void *)(a) == (const void *)(b), "%s is not %s\n", #a, #b)
#define assert_ptr_not_equal(a, b) cmocka_shim_check((const void *)(a) != (const void *)(b), "%s is %s\n", #a, #b)
#define assert_int_not_equal(a, b) cmocka_shim_check((a) != (b), "%s is %s\n", #a, #b)
#define assert_int_equal(a, b)                                                                                     \
    do {                                                                                                           \
        uintmax_t shim_a = (uintmax_t)(a), shim_b = (uintmax_t)(b);                                                \
        cmocka_shim_check(shim_a == shim_b, "%s is %" PRIdMAX ", not %" PRIdMAX "\n", #a, (intmax_t)shim_a,        \
                          (intmax_t)shim_b);                                                                       \
    } while (0)
#define assert_float_equal(a, b, epsilon)                                                                          \
    do {                                                                                                           \
        const float shim_difference = (float)(a) - (float)(b);                                                     \
        cmocka_shim_check(shim_difference <= (epsilon) && -shim_difference <= (epsilon), "%s is not %s\n", #a,     \
                          #b);                                                                                     \
    } while (0)
#define assert_in_range(value, least, most)                                                                        \
    cmocka_shim_check((value) >= (least) && (value) <= (most), "%s is out of range\n", #value)
#define assert_string_equal(a, b)     cmocka_shim_check(strcmp(a, b) == 0, "\"%s\" is not \"%s\"\n", a, b)
#define assert_string_not_equal(a, b) cmocka_shim_check(strcmp(a, b) != 0, "\"%s\" is \"%s\"\n", a, b)
#define assert_memory_equal(a, b, size)                                                                            \
    cmocka_shim_check(memcmp(a, b, size) == 0, "the bytes of %s and %s differ\n", #a, #b)
#define assert_memory_not_equal(a, b, size)                                                                        \
    cmocka_shim_check(memcmp(a, b, size) != 0, "the bytes of %s and %s are equal\n", #a, #b)

static inline int cmocka_shim_run(const struct CMUnitTest *test, void **state) {
    if (test->setup && test->setup(state) != 0) return CMOCKA_SHIM_FAILED;
    int end = setjmp(cmocka_shim_end);
    if (end == 0) test->function(state);
    if (test->teardown && test->teardown(state) != 0) return CMOCKA_SHIM_FAILED;
    return end;
}

// The number of tests that failed.
static inline int cmocka_shim_run_all(const struct CMUnitTest *tests, size_t count, cmocka_shim_fixture setup,
                                      cmocka_shim_fixture teardown) {
    static const char *const words[] = {"OK", "FAILED", "SKIPPED"};
    void *state = NULL;
    int failed = 0;
    if (setup && setup(&state) != 0) return (int)count;
    for (size_t i = 0; i < count; i++) {
        void *own = tests[i].initial_state;
        int end = cmocka_shim_run(&tests[i], own ? &own : &state);
        print_message("[ %s ] %s\n", words[end], tests[i].name);
        failed += end == CMOCKA_SHIM_FAILED;
    }
    if (teardown && teardown(&state) != 0) failed++;
    print_message("%d of %d failed\n", failed, (int)count);
    return failed;
}

#define _cmocka_run_group_tests(name, tests, count, setup, teardown)                                               \
    cmocka_shim_run_all(tests, count, setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown)                                                             \
    cmocka_shim_run_all(tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cmocka_run_group_tests(tests, setup, teardown)

#endif
