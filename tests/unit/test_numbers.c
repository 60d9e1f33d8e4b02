// SPDX-License-Identifier: MIT
// Numbers, ranges, lists and sizes as people type them. Prints the table. Results are the nearest floats, in any
// locale.
#include "numbers/numbers.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int faults;

static void check(const char *kind, const char *text, const char *found, const char *expected) {
    const int same = strcmp(found, expected) == 0;
    print_message("%-6s %-24s %s%s\n", kind, text, found, same ? "" : "  WRONG");
    faults += !same;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct row {
    const char *text, *expected;
} row;

static const row ranges[] = {
    {"0..1", "0 to 1"},    {"1..2", "1 to 2"},          {"0..0.5", "0 to 0.5"},    {"1.0..2", "1 to 2"},
    {".5..1", "0.5 to 1"}, {"0.5...75", "0.5 to 0.75"}, {"1e-3..2", "0.001 to 2"}, {"1E0..2e+0", "1 to 2"},
    {"+1..+2", "1 to 2"},  {"00..01", "0 to 1"},        {"0.5..", "0.5 to end"},   {"..2", "start to 2"},
    {"", "refused"},       {"..", "refused"},           {"...", "refused"},        {"1", "refused"},
    {"1.", "refused"},     {"1.2", "refused"},          {"1.2.3", "refused"},      {"2..1", "refused"},
    {"1..1", "refused"},   {"..0", "refused"},          {"-1..2", "refused"},      {"0..-1", "refused"},
    {"1:2", "refused"},    {"1-2", "refused"},          {"1,2", "refused"},        {"0,5..1", "refused"},
    {"0..1,5", "refused"}, {" 0..1", "refused"},        {"0 .. 1", "refused"},     {"0..1 ", "refused"},
    {"0s..1s", "refused"}, {"nan..1", "refused"},       {"0..inf", "refused"},     {"0..1e99", "refused"},
    {"0x1..2", "refused"}, {"a..b", "refused"},         {"1..2..3", "refused"},    {"1e..2", "refused"},
};

static void test_ranges(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(ranges); i++) {
        float start = -1.0f, end = -1.0f;
        char found[64] = "refused", from[24] = "start", to[24] = "end";
        if (numbers_read_range(ranges[i].text, &start, &end)) {
            if (start >= 0.0f) snprintf(from, sizeof from, "%g", (double)start);
            if (end >= 0.0f) snprintf(to, sizeof to, "%g", (double)end);
            snprintf(found, sizeof found, "%s to %s", from, to);
        }
        check("range", ranges[i].text, found, ranges[i].expected);
    }
    assert_int_equal(faults, 0);
}

static const row numbers[] = {
    {"0", "0"},
    {"-0.5", "-0.5"},
    {"+2", "2"},
    {".5", "0.5"},
    {"5.", "5"},
    {"1e-3", "0.00100000005"},
    {"1e3", "1000"},
    {"0.1", "0.100000001"},
    {"16777217", "16777216"},
    {"007", "7"},
    {"1e", "1 then 'e'"},
    {"1mm", "1 then 'mm'"},
    {"2cm", "2 then 'cm'"},
    {"0,5", "0 then ',5'"},
    {"1.5.2", "1.5 then '.2'"},
    {"1..2", "1 then '..2'"},
    {"0x10", "0 then 'x10'"},
    {"1 ", "1 then ' '"},
    {"", "refused"},
    {" 1", "refused"},
    {".", "refused"},
    {"-", "refused"},
    {"--1", "refused"},
    {"e5", "refused"},
    {"nan", "refused"},
    {"inf", "refused"},
    {"-infinity", "refused"},
    {"1e99", "refused"},
    {"-1e39", "refused"},
    {"1e999", "refused"},
    {"one", "refused"},
    {"11111111111111111111111111111111111111111111111111111111111111111111", "refused"},
};

static void test_numbers(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        float number;
        const char *end = numbers[i].text;
        char found[64] = "refused";
        if (numbers_read_float(&end, -1e38f, 1e38f, &number))
            snprintf(found, sizeof found, *end ? "%.9g then '%s'" : "%.9g", (double)number, end);
        check("number", numbers[i].text, found, numbers[i].expected);
    }
    assert_int_equal(faults, 0);
}

static const row wholes[] = {
    {"0", "0"},
    {"12", "12"},
    {"-3", "-3"},
    {"+3", "3"},
    {"010", "10"},
    {"1.5", "1 then '.5'"},
    {"1e3", "1 then 'e3'"},
    {"100000", "100000"},
    {"100001", "refused"},
    {"-100001", "refused"},
    {"99999999999999999999", "refused"},
    {"", "refused"},
    {" 1", "refused"},
    {"many", "refused"},
    {"-", "refused"},
};

static void test_whole_numbers(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(wholes); i++) {
        int number;
        const char *end = wholes[i].text;
        char found[64] = "refused";
        if (numbers_read_whole(&end, -100000, 100000, &number))
            snprintf(found, sizeof found, *end ? "%d then '%s'" : "%d", number, end);
        check("whole", wholes[i].text, found, wholes[i].expected);
    }
    assert_int_equal(faults, 0);
}

static const row lists[] = {
    {"1", "1"},
    {"1,2", "1 2"},
    {"1,-2,.5", "1 -2 0.5"},
    {"1,2,3,4", "1 2 3 then ',4'"},
    {"1,", "refused"},
    {",1", "refused"},
    {"1,,2", "refused"},
    {"1, 2", "refused"},
    {"1;2", "1 then ';2'"},
    {"", "refused"},
    {"1,nan", "refused"},
    {"1,1e99", "refused"},
};

static void test_lists(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(lists); i++) {
        float found[3];
        const char *end = lists[i].text;
        char text[64] = "refused";
        size_t length = 0;
        const int count = numbers_read_list(&end, ',', found, 3);
        for (int k = 0; k < count; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, k ? " %g" : "%g", (double)found[k]);
        if (count > 0 && *end) snprintf(text + length, sizeof text - length, " then '%s'", end);
        check("list", lists[i].text, text, lists[i].expected);
    }
    assert_int_equal(faults, 0);
}

static const row sizes[] = {
    {"640x480", "640 480"}, {"1x1", "1 1"},         {"4096x4096", "4096 4096"}, {"0x9", "refused"},
    {"9x0", "refused"},     {"4097x1", "refused"},  {"640", "refused"},         {"640x", "refused"},
    {"x480", "refused"},    {"640X480", "refused"}, {"640*480", "refused"},     {"640x480x1", "refused"},
    {"6.5x4", "refused"},   {"1e3x1", "refused"},   {"-1x1", "refused"},        {"640 x 480", "refused"},
};

static void test_sizes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        int width, height;
        char found[64] = "refused";
        if (numbers_read_size(sizes[i].text, 4096, &width, &height))
            snprintf(found, sizeof found, "%d %d", width, height);
        check("size", sizes[i].text, found, sizes[i].expected);
    }
    assert_int_equal(faults, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_numbers), cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_lists),  cmocka_unit_test(test_sizes),
    };
    (void)setlocale(LC_ALL, "de_DE.UTF-8"); // where it exists, "0,5" is a number of the C library's
    return cmocka_run_group_tests(tests, NULL, NULL);
}
