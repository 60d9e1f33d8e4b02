// SPDX-License-Identifier: MIT
// Reads numbers that people type.
#include "numbers/numbers.h"

#include "json/decimal.h"

#include <math.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text) {
    size_t count = 0;
    while (is_digit(text[count])) count++;
    return count;
}

// Returns the length of an exponent such as "e-3", or 0 if there isn't one.
static size_t exponent_length(const char *text) {
    if (*text != 'e' && *text != 'E') return 0;
    const size_t sign = text[1] == '-' || text[1] == '+' ? 1 : 0, digits = count_digits(text + 1 + sign);
    return digits > 0 ? 1 + sign + digits : 0;
}

bool numbers_read(const char **text, double *number) {
    enum { LONGEST = 64 };
    const char *from = *text;
    const bool is_negative = *from == '-';
    if (*from == '-' || *from == '+') from++;
    const size_t whole = count_digits(from);
    const bool has_point = from[whole] == '.' && from[whole + 1] != '.';
    const size_t part = has_point ? count_digits(from + whole + 1) : 0;
    const size_t point = whole + (has_point ? 1 : 0) + part, exponent = exponent_length(from + point);
    if (whole + part == 0 || point + exponent > LONGEST) return false;

    // As JSON requires it, with digits on both sides of the point.
    char plain[LONGEST + 3] = "0";
    size_t size = whole > 0 ? 0 : 1;
    memcpy(plain + size, from, whole + (part > 0 ? 1 + part : 0));
    size += whole + (part > 0 ? 1 + part : 0);
    memcpy(plain + size, from + point, exponent);
    const double value = sinewi_decimal_read(plain, size + exponent);
    if (!isfinite(value)) return false;
    *number = is_negative ? -value : value;
    *text = from + point + exponent;
    return true;
}

bool numbers_read_float(const char **text, float least, float most, float *number) {
    const char *end = *text;
    double value;
    if (!numbers_read(&end, &value) || !((float)value >= least && (float)value <= most)) return false;
    *number = (float)value;
    *text = end;
    return true;
}

bool numbers_read_whole(const char **text, int least, int most, int *number) {
    const char *end = *text;
    const bool is_negative = *end == '-';
    if (*end == '-' || *end == '+') end++;
    const size_t digits = count_digits(end);
    if (digits == 0 || digits > 15) return false;
    long long value = 0;
    for (size_t i = 0; i < digits; i++) value = 10 * value + (*end++ - '0');
    if (is_negative) value = -value;
    if (value < least || value > most) return false;
    *number = (int)value;
    *text = end;
    return true;
}

int numbers_read_list(const char **text, char separator, float *numbers, int most) {
    for (int count = 0;;) {
        if (!numbers_read_float(text, -HUGE_VALF, HUGE_VALF, &numbers[count]) || !isfinite(numbers[count]))
            return 0;
        count++;
        if (**text != separator || count == most) return count;
        ++*text;
    }
}

bool numbers_read_range(const char *text, float *start, float *end) {
    const bool has_start = strncmp(text, "..", 2) != 0;
    if (has_start && !numbers_read_float(&text, 0.0f, 1e9f, start)) return false;
    if (strncmp(text, "..", 2) != 0) return false;
    text += 2;
    if (*text == '\0') return has_start;
    return numbers_read_float(&text, 0.0f, 1e9f, end) && *text == '\0' && *end > (has_start ? *start : 0.0f);
}

bool numbers_read_size(const char *text, int most, int *width, int *height) {
    return numbers_read_whole(&text, 1, most, width) && *text++ == 'x' &&
           numbers_read_whole(&text, 1, most, height) && *text == '\0';
}
