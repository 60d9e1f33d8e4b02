// SPDX-License-Identifier: MIT
// The filters of EXT_meshopt_compression, appendix B.
#include <meshoptimizer.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The signed integer of so many bits that is nearest to a number from -1 to 1, halves away from 0.
static int quantize(float number, int bits) {
    const float limited = fmaxf(-1.0f, fminf(1.0f, number)), scale = (float)((1 << (bits - 1)) - 1);
    return (int)(limited * scale + (number >= 0.0f ? 0.5f : -0.5f));
}

// ---- Directions ----------------------------------------------------------------------------------------------------

// Components of 8 or 16 bits.
static void read_components(const void *from, size_t stride, int components[4]) {
    int8_t bytes[4];
    int16_t words[4];
    memcpy(stride == 4 ? (void *)bytes : words, from, stride);
    for (int i = 0; i < 4; i++) components[i] = stride == 4 ? bytes[i] : words[i];
}

static void write_components(void *to, size_t stride, const int components[4]) {
    int8_t bytes[4];
    int16_t words[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (int8_t)components[i];
        words[i] = (int16_t)components[i];
    }
    memcpy(to, stride == 4 ? (void *)bytes : words, stride);
}

// The octahedron |x| + |y| + |z| = 1 is unfolded to a square: its lower half is outside of the upper one.
void meshopt_encodeFilterOct(void *destination, size_t count, size_t stride, int bits, const float *data) {
    for (size_t k = 0; k < count; k++) {
        const float *n = data + 4 * k, sum = fabsf(n[0]) + fabsf(n[1]) + fabsf(n[2]);
        const float factor = sum == 0.0f ? 0.0f : 1.0f / sum, x = n[0] * factor, y = n[1] * factor;
        const bool is_lower = n[2] < 0.0f;
        const float u = is_lower ? (1.0f - fabsf(y)) * (x >= 0.0f ? 1.0f : -1.0f) : x;
        const float v = is_lower ? (1.0f - fabsf(x)) * (y >= 0.0f ? 1.0f : -1.0f) : y;
        const int stored[4] = {quantize(u, bits), quantize(v, bits), quantize(1.0f, bits),
                               quantize(n[3], (int)stride * 2)};
        write_components((char *)destination + stride * k, stride, stored);
    }
}

// The third component is that of 1. The sum of the squares and the rounding are those of the library's vector code.
void meshopt_decodeFilterOct(void *buffer, size_t count, size_t stride) {
    const float scale = stride == 4 ? 127.0f : 32767.0f;
    for (size_t k = 0; k < count; k++) {
        int stored[4];
        read_components((char *)buffer + stride * k, stride, stored);
        float x = (float)stored[0], y = (float)stored[1];
        const float z = (float)stored[2] - (fabsf(x) + fabsf(y)), outside = fminf(z, 0.0f);
        x += x < 0.0f ? -outside : outside;
        y += y < 0.0f ? -outside : outside;
        const float factor = scale / sqrtf(x * x + (y * y + z * z));
        const int read[4] = {(int)lrintf(x * factor), (int)lrintf(y * factor), (int)lrintf(z * factor), stored[3]};
        write_components((char *)buffer + stride * k, stride, read);
    }
}

// ---- Quaternions ---------------------------------------------------------------------------------------------------

static int largest_component(const float q[4]) {
    int largest = 0;
    for (int i = 1; i < 4; i++) {
        if (fabsf(q[i]) > fabsf(q[largest])) largest = i;
    }
    return largest;
}

// The three components after the largest one, cyclically, on the side where that one is positive; then the scale, with
// the index of the largest in its lowest two bits.
void meshopt_encodeFilterQuat(void *destination, size_t count, size_t stride, int bits, const float *data) {
    const float root = sqrtf(2.0f);
    (void)stride;
    for (size_t k = 0; k < count; k++) {
        const float *q = data + 4 * k;
        const int largest = largest_component(q);
        const float side = q[largest] < 0.0f ? -1.0f : 1.0f;
        int16_t stored[4];
        for (int i = 0; i < 3; i++) stored[i] = (int16_t)quantize(q[(largest + 1 + i) & 3] * root * side, bits);
        stored[3] = (int16_t)((quantize(1.0f, bits) & ~3) | largest);
        memcpy((char *)destination + 8 * k, stored, sizeof stored);
    }
}

// The sum of the squares and the rounding are those of the library's vector code.
void meshopt_decodeFilterQuat(void *buffer, size_t count, size_t stride) {
    const float scale = 1.0f / sqrtf(2.0f);
    (void)stride;
    for (size_t k = 0; k < count; k++) {
        int16_t stored[4], read[4];
        memcpy(stored, (char *)buffer + 8 * k, sizeof stored);
        const float step = scale / (float)(stored[3] | 3);
        const float x = (float)stored[0] * step, y = (float)stored[1] * step, z = (float)stored[2] * step;
        const float square = 1.0f - (x * x + (y * y + z * z));
        const float numbers[4] = {sqrtf(square > 0.0f ? square : 0.0f), x, y, z};
        for (int i = 0; i < 4; i++) read[(stored[3] + i) & 3] = (int16_t)lrintf(numbers[i] * 32767.0f);
        memcpy((char *)buffer + 8 * k, read, sizeof read);
    }
}

// ---- Floats --------------------------------------------------------------------------------------------------------

void meshopt_decodeFilterExp(void *buffer, size_t count, size_t stride) {
    for (size_t i = 0; i < count * (stride / 4); i++) {
        uint32_t stored;
        memcpy(&stored, (char *)buffer + 4 * i, sizeof stored);
        const int32_t exponent = (int32_t)stored >> 24, mantissa = (int32_t)(stored << 8) >> 8;
        const float number = ldexpf((float)mantissa, exponent);
        memcpy((char *)buffer + 4 * i, &number, sizeof number);
    }
}
