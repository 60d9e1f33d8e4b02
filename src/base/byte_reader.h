// SPDX-License-Identifier: MIT
// Reads little-endian numbers from untrusted bytes.
#ifndef SINEWI_BYTE_READER_H
#define SINEWI_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sinewi_byte_reader {
    const uint8_t *bytes;
    size_t size, at;
    bool is_cut; // the bytes ended during a read. It and all later ones return zeros.
} sinewi_byte_reader;

// Reads a number of 1 to 8 bytes.
static inline uint64_t sinewi_read_number(sinewi_byte_reader *in, int bytes) {
    if (in->size - in->at < (size_t)bytes) in->is_cut = true;
    if (in->is_cut) return 0;
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)in->bytes[in->at++] << 8 * i;
    return number;
}

static inline int32_t sinewi_read_i32(sinewi_byte_reader *in) {
    uint32_t bits = (uint32_t)sinewi_read_number(in, 4);
    int32_t number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline float sinewi_read_float(sinewi_byte_reader *in) {
    uint32_t bits = (uint32_t)sinewi_read_number(in, 4);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline double sinewi_read_double(sinewi_byte_reader *in) {
    uint64_t bits = sinewi_read_number(in, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#endif
