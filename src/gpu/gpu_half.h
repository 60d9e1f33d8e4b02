// SPDX-License-Identifier: MIT
// 16-bit floats (IEEE 754 binary16). Conversion only uses integers, so all machines get the same bits.
#ifndef SINEWI_HALF_H
#define SINEWI_HALF_H

#include "base/float_rules.h"

#include <stdint.h>
#include <string.h>

typedef uint16_t sinewi_half;

// The smallest float that rounds to infinity.
#define SINEWI_HALF_OVERFLOW 65520.0f

// The nearest half, ties to even. The absolute value must be below SINEWI_HALF_OVERFLOW.
static inline sinewi_half sinewi_half_from_float(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    if (size >= 0x38800000u) { // 2^-14, the smallest normal number; its exponent is 112 less
        uint32_t nearest = size + 0xfffu + (size >> 13 & 1u);
        return (sinewi_half)(sign | (nearest - 0x38000000u) >> 13);
    }
    uint32_t shift = 126u - (size >> 23); // to multiples of 2^-24
    if (shift > 24u) return (sinewi_half)sign;
    uint32_t digits = (size & 0x7fffffu) | 0x800000u;
    uint32_t nearest = digits + (1u << (shift - 1u)) - 1u + (digits >> shift & 1u);
    return (sinewi_half)(sign | nearest >> shift);
}

// Converts exactly. For results of sinewi_half_from_float.
static inline float sinewi_float_from_half(sinewi_half half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16, size = half & 0x7fffu;
    if (size < 0x400u) {
        float small = (float)size * 0x1p-24f;
        return sign ? -small : small;
    }
    uint32_t bits = sign | ((size << 13) + 0x38000000u);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#endif
