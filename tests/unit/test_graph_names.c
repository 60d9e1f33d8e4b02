// SPDX-License-Identifier: MIT
// Names and paths in graphs: the nearest name against a plain edit distance, paths against the small graph.
#include "support/check.h"
#include "support/condition_use.h"

#include "motion/graph_find.h"
#include "base/nearest_name.h"

#include <stdio.h>

// ---- The nearest name ----------------------------------------------------------------------------------------------

static int smallest(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

// By its definition: the last characters are equal, replaced, deleted, inserted, or swapped.
static int plain_distance(const char *a, int a_length, const char *b, int b_length) {
    if (a_length == 0 || b_length == 0) return a_length + b_length;
    bool are_equal = a[a_length - 1] == b[b_length - 1];
    int distance = smallest(plain_distance(a, a_length - 1, b, b_length - 1) + !are_equal,
                            plain_distance(a, a_length - 1, b, b_length) + 1,
                            plain_distance(a, a_length, b, b_length - 1) + 1);
    bool are_swapped =
        a_length > 1 && b_length > 1 && a[a_length - 1] == b[b_length - 2] && a[a_length - 2] == b[b_length - 1];
    if (!are_swapped) return distance;
    int swapped = plain_distance(a, a_length - 2, b, b_length - 2) + 1;
    return swapped < distance ? swapped : distance;
}

static void draw_name(uint64_t *random, char name[8]) {
    size_t length = 1 + random_next(random) % 6;
    for (size_t i = 0; i < length; i++) name[i] = (char)('a' + random_next(random) % 3);
    name[length] = '\0';
}

static void test_nearest_of_random_names(void **state) {
    (void)state;
    uint64_t random = 11;
    int found = 0;
    for (int i = 0; i < 2000; i++) {
        char text[8], names[6][8];
        draw_name(&random, text);
        int length = (int)strlen(text), best = -1, best_distance = 100;
        sinewi_nearest nearest = sinewi_nearest_begin(text, strlen(text));
        for (int k = 0; k < 6; k++) {
            draw_name(&random, names[k]);
            sinewi_nearest_try(&nearest, names[k]);
            int name_length = (int)strlen(names[k]), longer = name_length > length ? name_length : length;
            int distance = plain_distance(text, length, names[k], name_length);
            if (distance * 3 > longer || distance >= best_distance) continue;
            best = k;
            best_distance = distance;
        }
        assert_string_equal(nearest.name, best < 0 ? "" : names[best]);
        found += best >= 0;
    }
    assert_true(found > 500 && found < 1900);
}

static const char *nearest_of(const char *text, const char *candidate) {
    static sinewi_nearest nearest;
    nearest = sinewi_nearest_begin(text, strlen(text));
    sinewi_nearest_try(&nearest, candidate);
    return nearest.name;
}

static void test_case_and_length(void **state) {
    (void)state;
    assert_string_equal(nearest_of("SPEED", "speed"), "speed");
    assert_string_equal(nearest_of("speed", "Sped"), "Sped");
    assert_string_equal(nearest_of("a", "b"), "");
    assert_string_equal(nearest_of("", "b"), "");
    assert_string_equal(nearest_of("", ""), "");
    char longest[SINEWI_NEAREST_MAX_LENGTH + 2];
    memset(longest, 'x', sizeof longest);
    longest[SINEWI_NEAREST_MAX_LENGTH] = '\0';
    assert_string_equal(nearest_of(longest, longest), longest);
    assert_string_equal(nearest_of(longest + 9, longest), longest);
    longest[SINEWI_NEAREST_MAX_LENGTH] = 'x';
    longest[SINEWI_NEAREST_MAX_LENGTH + 1] = '\0';
    assert_string_equal(nearest_of(longest, longest), ""); // is not compared
    assert_string_equal(nearest_of(longest + 1, longest), "");
}

// ---- Paths ---------------------------------------------------------------------------------------------------------

static const char *const paths[STATES] = {"Base/Move", "Base/Jump", "Upper/Combo", "Upper/Combo/First",
                                          "Upper/Combo/Second"};

static int32_t find_path(const char *path) {
    return sinewi_graph_state_at_path(&condition_graph, path, strlen(path));
}

static void test_paths(void **state) {
    (void)state;
    for (int32_t i = 0; i < STATES; i++) {
        assert_int_equal(find_path(paths[i]), i);
        char path[64];
        assert_int_equal(sinewi_graph_write_path(&condition_graph, i, path, sizeof path), strlen(paths[i]));
        assert_string_equal(path, paths[i]);
    }
    static const char *const others[] = {"",
                                         "/",
                                         "Base",
                                         "Base/",
                                         "/Move",
                                         "Move",
                                         "Base/Move/",
                                         "Base//Move",
                                         "base/Move",
                                         "Base/Movee",
                                         "Base/Mov",
                                         "Base/Move/Move",
                                         "Base/Move/Combo",
                                         "Base/Combo",
                                         "Upper/First",
                                         "Upper/Combo/Second/First"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(find_path(others[i]), SINEW_GRAPH_NONE);
}

static void test_truncated_paths(void **state) {
    (void)state;
    for (int32_t i = 0; i < STATES; i++) {
        for (size_t size = 1; size < 24; size++) {
            char expected[24], path[24];
            memset(path, '#', sizeof path);
            snprintf(expected, size, "%s", paths[i]);
            assert_int_equal(sinewi_graph_write_path(&condition_graph, i, path, size), strlen(paths[i]));
            assert_string_equal(path, expected);
            assert_true(path[size] == '#');
        }
    }
}

static void check_suggestion(const char *path, const char *expected) {
    char suggestion[32];
    sinewi_graph_suggest_path(&condition_graph, path, strlen(path), suggestion, sizeof suggestion);
    if (strcmp(suggestion, expected) != 0) fail_msg("%s: %s, not %s", path, suggestion, expected);
}

// A suggestion is always the path of a state, or a part of one that is too long for its memory.
static void test_suggestions(void **state) {
    (void)state;
    check_suggestion("Second", "Upper/Combo/Second");
    check_suggestion("Base/Second", "Upper/Combo/Second");
    check_suggestion("Upper/Combo/Frst", "Upper/Combo/First");
    check_suggestion("uper/kombo/frist", "Upper/Combo/First");
    check_suggestion("Upper/Kombo", "Upper/Combo");
    check_suggestion("Base", "");
    check_suggestion("", "");
    check_suggestion("Bse/Walk", "");
    check_suggestion("Base/Move/Frst", "");
    check_suggestion("Base/a very long name that fits into no suggestion", "");
    char path[8];
    sinewi_graph_suggest_path(&condition_graph, "Second", 6, path, sizeof path);
    assert_string_equal(path, "Upper/C");
    sinewi_graph_suggest_path(&condition_graph, "Bas/Jmp", 7, path, sizeof path); // a longer one does not fit
    assert_string_equal(path, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_of_random_names),
        cmocka_unit_test(test_case_and_length),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_truncated_paths),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
