// SPDX-License-Identifier: MIT
// Checksum of a memory block, to detect damage. The value depends on the machine's byte order.
#ifndef SINEWI_CHECKSUM_H
#define SINEWI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// `sum` catches any damage within one word. `order` accumulates the sums, so it catches swapped words. Its rotation
// keeps two flips of the top bit from canceling out.
typedef struct sinewi_checksum_lane {
    uint64_t sum, order;
} sinewi_checksum_lane;

static inline sinewi_checksum_lane sinewi_checksum_add(sinewi_checksum_lane lane, const char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    lane.sum += word;
    lane.order = (lane.order << 1 | lane.order >> 63) + lane.sum;
    return lane;
}

// For a fixed checksum, different words give different results.
static inline uint64_t sinewi_checksum_join(uint64_t checksum, uint64_t word) {
    checksum ^= word;
    return (checksum << 29 | checksum >> 35) * UINT64_C(0x9e3779b97f4a7c15);
}

// `size` must be a multiple of 8. The lanes are independent, which lets the processor add several words at a time.
static inline uint64_t sinewi_checksum(const void *bytes, size_t size) {
    const char *at = (const char *)bytes, *end = at + size;
    sinewi_checksum_lane a = {0, 0}, b = {0, 0}, c = {0, 0}, d = {0, 0};
    for (; end - at >= 32; at += 32) {
        a = sinewi_checksum_add(a, at);
        b = sinewi_checksum_add(b, at + 8);
        c = sinewi_checksum_add(c, at + 16);
        d = sinewi_checksum_add(d, at + 24);
    }
    for (; end - at >= 8; at += 8) a = sinewi_checksum_add(a, at);
    const uint64_t results[] = {a.sum, a.order, b.sum, b.order, c.sum, c.order, d.sum, d.order};
    uint64_t checksum = size;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        checksum = sinewi_checksum_join(checksum, results[i]);
    return checksum;
}

#endif
