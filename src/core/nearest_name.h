// SPDX-License-Identifier: MIT
// Finds the name that a misspelled name was meant to be, for error messages.
#ifndef SINEW_NEAREST_NAME_H
#define SINEW_NEAREST_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Longer names are not compared.
#define SINEW_NEAREST_MAX_LENGTH 96

typedef struct sinew_nearest {
    const char *text; // the misspelled name, not terminated
    size_t length;
    int distance;                            // of `name`
    char name[SINEW_NEAREST_MAX_LENGTH + 1]; // the nearest so far; "" if none is near enough
} sinew_nearest;

sinew_nearest sinew_nearest_begin(const char *text, size_t length);

// Takes a candidate if it is nearer than those before: by the number of characters that are inserted, deleted, replaced
// or swapped with the next one, at most a third of the longer name. Upper and lower case are equal. Returns whether it is
// taken.
bool sinew_nearest_try(sinew_nearest *nearest, const char *candidate);

// What an error about a misspelled name ends with: "; did you mean 'Head'?", or "" if no candidate is near.
typedef struct sinew_nearest_hint {
    char text[SINEW_NEAREST_MAX_LENGTH + 24];
} sinew_nearest_hint;
sinew_nearest_hint sinew_nearest_in(const char *text, const char *const *names, int32_t count);

#endif
