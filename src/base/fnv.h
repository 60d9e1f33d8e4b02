// SPDX-License-Identifier: MIT
// 64-bit FNV-1a. This hash has the same value on every machine.
#ifndef SINEWI_FNV_H
#define SINEWI_FNV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SINEWI_FNV_START UINT64_C(0xcbf29ce484222325)

static inline void sinewi_fnv_bytes(uint64_t *hash, const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; i++) *hash = (*hash ^ at[i]) * UINT64_C(0x100000001b3);
}

// Includes the terminating zero, so two strings in a row don't hash like their concatenation.
static inline void sinewi_fnv_string(uint64_t *hash, const char *string) {
    sinewi_fnv_bytes(hash, string, strlen(string) + 1);
}

static inline void sinewi_fnv_number(uint64_t *hash, uint64_t number) {
    for (int i = 0; i < 8; i++) *hash = (*hash ^ (number >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
}

static inline void sinewi_fnv_float(uint64_t *hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    sinewi_fnv_number(hash, bits);
}

static inline void sinewi_fnv_double(uint64_t *hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sinewi_fnv_number(hash, bits);
}

#endif
