// SPDX-License-Identifier: MIT
// Computes the edit distance by optimal string alignment. The table has a row for each character of the text, but only
// the last three rows are kept.
#include "base/nearest_name.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

// Both lengths must be at most SINEWI_NEAREST_MAX_LENGTH.
static int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    int rows[3][SINEWI_NEAREST_MAX_LENGTH + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) above[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            char from = lower(a[i - 1]), to = lower(b[j - 1]);
            row[j] = smaller(above[j - 1] + (from != to), smaller(above[j], row[j - 1]) + 1);
            if (i < 2 || j < 2 || from != lower(b[j - 2]) || to != lower(a[i - 2])) continue;
            row[j] = smaller(row[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[b_length];
}

sinewi_nearest sinewi_nearest_begin(const char *text, size_t length) {
    return (sinewi_nearest){.text = text, .length = length, .distance = INT_MAX};
}

bool sinewi_nearest_try(sinewi_nearest *nearest, const char *candidate) {
    size_t length = strlen(candidate), longer = length > nearest->length ? length : nearest->length;
    size_t shorter = length + nearest->length - longer;
    if (longer > SINEWI_NEAREST_MAX_LENGTH || (longer - shorter) * 3 > longer) return false;
    int distance = edit_distance(nearest->text, nearest->length, candidate, length);
    if (distance >= nearest->distance || (size_t)distance * 3 > longer) return false;
    nearest->distance = distance;
    memcpy(nearest->name, candidate, length + 1);
    return true;
}

sinewi_nearest_hint sinewi_nearest_in(const char *text, const char *const *names, int32_t count) {
    sinewi_nearest_hint hint = {""};
    sinewi_nearest nearest = sinewi_nearest_begin(text, strlen(text));
    for (int32_t i = 0; i < count; i++) sinewi_nearest_try(&nearest, names[i]);
    if (nearest.name[0] != '\0') (void)snprintf(hint.text, sizeof hint.text, "; did you mean '%s'?", nearest.name);
    return hint;
}
