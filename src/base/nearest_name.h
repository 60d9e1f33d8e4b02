// SPDX-License-Identifier: MIT
// Finds the name that a misspelled name was meant to be, for error messages.
#ifndef SINEWI_NEAREST_NAME_H
#define SINEWI_NEAREST_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Longer names are not compared.
#define SINEWI_NEAREST_MAX_LENGTH 96

typedef struct sinewi_nearest {
    const char *text; // the misspelled name, not terminated
    size_t length;
    int distance;                             // of `name`
    char name[SINEWI_NEAREST_MAX_LENGTH + 1]; // the nearest so far; "" if none is near enough
} sinewi_nearest;

sinewi_nearest sinewi_nearest_begin(const char *text, size_t length);

// Takes a candidate if it is nearer than those before: by the number of characters that are inserted, deleted, replaced
// or swapped with the next one, at most a third of the longer name. Upper and lower case are equal. Returns whether it is
// taken.
bool sinewi_nearest_try(sinewi_nearest *nearest, const char *candidate);

// What an error about a misspelled name ends with: "; did you mean 'Head'?", or "" if no candidate is near.
typedef struct sinewi_nearest_hint {
    char text[SINEWI_NEAREST_MAX_LENGTH + 24];
} sinewi_nearest_hint;
sinewi_nearest_hint sinewi_nearest_in(const char *text, const char *const *names, int32_t count);

#endif
