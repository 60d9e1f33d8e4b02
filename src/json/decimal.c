// SPDX-License-Identifier: MIT
// Converts decimal numbers to doubles with correct rounding. Doesn't depend on the C locale.
//
// A decimal number is D × 10^E with an integer D. It is computed in big integers and rounded once, at the end. For a
// negative E, dividing by 10^n has two parts. Dividing by 2^n only changes the exponent. Dividing by 5^n happens in
// steps that fit a machine word, and the remainders tell whether the quotient is exact.
//
// Most numbers in files are short and don't need big integers. D and 10^|E| are both exact doubles then, and their IEEE
// quotient is correctly rounded (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
#include "json/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// The midpoint between two doubles has at most 767 significant digits. Beyond these it only matters whether any digit
// is nonzero.
#define MAX_DIGITS 780

// Holds 780 digits, and also 5^1120 plus 64 bits, because both need less than 2700 bits.
#define MAX_WORDS 100

// A big integer, lowest word first. The highest word is nonzero.
typedef struct big_integer {
    uint32_t words[MAX_WORDS];
    int count;
} big_integer;

// number = number × factor + addend.
static void multiply_add(big_integer *number, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < number->count; i++) {
        carry += (uint64_t)number->words[i] * factor;
        number->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) number->words[number->count++] = (uint32_t)carry;
}

// Divides a number in place and returns the remainder.
static uint32_t divide(big_integer *number, uint32_t divisor) {
    uint64_t remainder = 0;
    for (int i = number->count - 1; i >= 0; i--) {
        uint64_t dividend = remainder << 32 | number->words[i];
        number->words[i] = (uint32_t)(dividend / divisor);
        remainder = dividend % divisor;
    }
    while (number->count > 0 && number->words[number->count - 1] == 0) number->count--;
    return (uint32_t)remainder;
}

static void shift_left(big_integer *number, int bits) {
    for (; bits >= 31; bits -= 31) multiply_add(number, UINT32_C(1) << 31, 0);
    multiply_add(number, UINT32_C(1) << bits, 0);
}

// Returns how many bits the number has, up to the highest set bit. 0 for 0.
static int bit_length(const big_integer *number) {
    if (number->count == 0) return 0;
    int bits = (number->count - 1) * 32;
    for (uint32_t top = number->words[number->count - 1]; top; top >>= 1) bits++;
    return bits;
}

static bool get_bit(const big_integer *number, int index) {
    return number->words[index / 32] >> (index % 32) & 1;
}

// Returns whether any of the bits below `index` is set.
static bool has_bit_below(const big_integer *number, int index) {
    for (int i = 0; i < index / 32; i++)
        if (number->words[i]) return true;
    uint32_t below = (UINT32_C(1) << (index % 32)) - 1;
    return index % 32 != 0 && (number->words[index / 32] & below) != 0;
}

// Returns the double nearest to (number + rest) × 2^exponent. If `inexact`, the rest is between 0 and 1 and the number
// must have at least 64 bits. Otherwise the rest is 0.
static double nearest_double(const big_integer *number, int exponent, bool inexact) {
    int bits = bit_length(number);
    int top = bits - 1 + exponent; // the value is in [2^top, 2^(top + 1))
    if (top > 1023) return HUGE_VAL;
    int precision = top >= -1022 ? 53 : 53 - (-1022 - top); // subnormal numbers have fewer bits
    if (precision < 0) return 0.0;

    int dropped = bits > precision ? bits - precision : 0;
    uint64_t mantissa = 0;
    for (int i = bits - 1; i >= dropped; i--) mantissa = mantissa << 1 | get_bit(number, i);
    if (dropped > 0 && get_bit(number, dropped - 1)) {
        bool above_half = inexact || has_bit_below(number, dropped - 1);
        if (above_half || (mantissa & 1)) mantissa++;
    }
    return ldexp((double)mantissa, exponent + dropped); // exact, because the mantissa fits the result
}

// D × 10^E, without the sign.
typedef struct decimal {
    big_integer digits;
    int digit_count;
    int64_t exponent;
    bool has_more_digits; // a digit after the last kept one is nonzero
} decimal;

// Drops the digits after MAX_DIGITS. Only their power of ten counts, and whether any of them is nonzero.
static void append_digit(decimal *number, char digit, bool after_point) {
    if (after_point) number->exponent--;
    if (digit == '0' && number->digit_count == 0) return;
    if (number->digit_count == MAX_DIGITS) {
        number->exponent++;
        number->has_more_digits |= digit != '0';
        return;
    }
    multiply_add(&number->digits, 10, (uint32_t)(digit - '0'));
    number->digit_count++;
}

// Reads the number after e or E. It stops growing far beyond the range of doubles, so it can't overflow.
static int64_t read_exponent(const char *cursor, const char *end) {
    bool negative = cursor < end && *cursor == '-';
    if (cursor < end && (*cursor == '-' || *cursor == '+')) cursor++;
    int64_t exponent = 0;
    for (; cursor < end; cursor++)
        if (exponent < INT64_C(100000000000)) exponent = exponent * 10 + (*cursor - '0');
    return negative ? -exponent : exponent;
}

// Reads an unsigned number in JSON's grammar to D × 10^E.
static void read_digits_and_exponent(decimal *number, const char *cursor, const char *end) {
    bool after_point = false;
    for (; cursor < end && *cursor != 'e' && *cursor != 'E'; cursor++) {
        if (*cursor == '.') {
            after_point = true;
        } else {
            append_digit(number, *cursor, after_point);
        }
    }
    if (cursor < end) number->exponent += read_exponent(cursor + 1, end);
    if (!number->has_more_digits) return;
    multiply_add(&number->digits, 10, 1); // a nonzero digit stands for the dropped ones
    number->digit_count++;
    number->exponent--;
}

// Returns base^exponent, which must fit 32 bits.
static uint32_t power_of(uint32_t base, int exponent) {
    uint32_t result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

// Returns the double nearest to D × 10^E. Destroys the digits.
static double round_to_double(decimal *number) {
    if (number->digit_count == 0) return 0.0;
    int64_t point = number->digit_count + number->exponent; // the value is in [10^(point - 1), 10^point)
    if (point > 310) return HUGE_VAL;
    if (point < -330) return 0.0;

    int exponent = (int)number->exponent;
    big_integer *digits = &number->digits;
    if (exponent >= 0) {
        for (; exponent > 0; exponent -= exponent < 9 ? exponent : 9)
            multiply_add(digits, power_of(10, exponent < 9 ? exponent : 9), 0);
        return nearest_double(digits, 0, false);
    }
    int fives = -exponent;
    int shift = 65 + fives * 7 / 3 - bit_length(digits); // 5^n has at most 7/3 n + 1 bits
    if (shift < 0) shift = 0;
    shift_left(digits, shift);
    bool inexact = false;
    for (int left = fives; left > 0; left -= left < 13 ? left : 13)
        inexact |= divide(digits, power_of(5, left < 13 ? left : 13)) != 0;
    return nearest_double(digits, exponent - shift, inexact);
}

// ---- Short numbers -------------------------------------------------------------------------------------------------

// 15 digits stay below 2^53, and powers of ten up to 10^22 are exact doubles.
#define MAX_SHORT_DIGITS 15
static const double powers_of_ten[MAX_SHORT_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                           1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

// Reads a number with at most MAX_SHORT_DIGITS digits and no exponent. Returns false for any other number.
static bool read_short(const char *cursor, const char *end, double *value) {
    uint64_t digits = 0;
    int digit_count = 0, fraction_digits = 0;
    bool after_point = false;
    for (; cursor < end; cursor++) {
        if (*cursor == '.') {
            after_point = true;
            continue;
        }
        if (*cursor < '0' || *cursor > '9' || ++digit_count > MAX_SHORT_DIGITS) return false;
        digits = digits * 10 + (uint64_t)(*cursor - '0');
        fraction_digits += after_point;
    }
    *value = fraction_digits > 0 ? (double)digits / powers_of_ten[fraction_digits] : (double)digits;
    return true;
}

// Both paths return the nearest double.
double sinewi_decimal_read(const char *text, size_t length) {
    bool negative = length > 0 && text[0] == '-';
    double short_value;
    if (read_short(text + negative, text + length, &short_value)) return negative ? -short_value : short_value;
    decimal number = {.digits = {.count = 0}};
    read_digits_and_exponent(&number, text + negative, text + length);
    double value = round_to_double(&number);
    return negative ? -value : value;
}
