// SPDX-License-Identifier: MIT
#include "system/system.h"

#include <stdlib.h>
#include <time.h>

void system_start(void) {}

double system_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void *system_allocate(size_t size) {
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

void system_free(void *memory) {
    free(memory);
}
