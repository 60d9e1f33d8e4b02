// SPDX-License-Identifier: MIT
// Compares web/print.c, under other names, with this system's C library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int web_snprintf(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static int differences;

static void compare(const char *format, int theirs_length, const char *theirs, int ours_length, const char *ours) {
    if (theirs_length == ours_length && strcmp(theirs, ours) == 0) return;
    if (differences++ < 10) printf("%s: '%s', not '%s'\n", format, ours, theirs);
}

#define SAME(size, format, ...)                                                                                    \
    do {                                                                                                           \
        char theirs[64], ours[64];                                                                                 \
        int length = snprintf(theirs, size, format, __VA_ARGS__);                                                  \
        compare(format, length, theirs, web_snprintf(ours, size, format, __VA_ARGS__), ours);                      \
    } while (0)

static void same_number(double number) {
    SAME(64, "%.9g", number);
    SAME(64, "%g", number);
}

static void compare_numbers(void) {
    unsigned long long bits = 88172645463325252ULL;
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double number;
        float single;
        memcpy(&number, &bits, sizeof number);
        memcpy(&single, &bits, sizeof single);
        same_number(number);
        same_number((double)single);
        same_number((double)(bits % 100000) / 1000.0);
        same_number((double)(bits % 1000000000) * 10.0 + 5.0); // a tie between two of nine digits
    }
    const double special[] = {0.0, -0.0, 1.0, 0.1, 999999.5, 9999995.0, 1e-5, 1e22, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) same_number(special[i]);
}

int main(void) {
    compare_numbers();
    SAME(64, "%d %d %d", -5, 0, -2147483647 - 1);
    SAME(64, "%u %x %02x %04x %08x", ~0u, 255u, 5u, 7u, 0xdeadbeefu);
    SAME(64, "%zu %llu %lld", (size_t)77, ~0ULL, -9223372036854775807LL - 1);
    SAME(64, "%.*s|%.100s|%s", 3, "abcdef", "ghi", "");
    const char *volatile longer = "too long for it"; // or the compiler sees it
    SAME(8, "%s %d", longer, 12345);
    printf("%d differences\n", differences);
    return differences > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
