// SPDX-License-Identifier: MIT
// Guesses which name a misspelled one was meant to be, for error messages.
#ifndef SINEWI_NEAREST_NAME_H
#define SINEWI_NEAREST_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Longer names are skipped.
#define SINEWI_NEAREST_MAX_LENGTH 96

typedef struct sinewi_nearest {
    const char *text; // the misspelled name, without a terminating zero
    size_t length;
    int distance;                             // edit distance of `name`
    char name[SINEWI_NEAREST_MAX_LENGTH + 1]; // the nearest so far, "" if none is near enough
} sinewi_nearest;

sinewi_nearest sinewi_nearest_begin(const char *text, size_t length);

// Keeps a candidate if it is nearer than the previous ones. The distance counts inserted, deleted and replaced
// characters and swapped neighbors. It must not exceed a third of the longer name's length. Upper and lower case
// compare equal. Returns true if the candidate was kept.
bool sinewi_nearest_try(sinewi_nearest *nearest, const char *candidate);

// The hint that ends an error message: "; did you mean 'Head'?", or "" if no candidate is near.
typedef struct sinewi_nearest_hint {
    char text[SINEWI_NEAREST_MAX_LENGTH + 24];
} sinewi_nearest_hint;
sinewi_nearest_hint sinewi_nearest_in(const char *text, const char *const *names, int32_t count);

#endif
