// SPDX-License-Identifier: MIT
#include "humanoid/humanoid_side.h"

#include <string.h>

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

bool sinewi_is_letter(char c) {
    return is_upper(c) || is_lower(c);
}

bool sinewi_starts_word(const char *name, size_t i) {
    if (i == 0 || !sinewi_is_letter(name[i - 1])) return true;
    if (!is_upper(name[i])) return false;
    return is_lower(name[i - 1]) || is_lower(name[i + 1]);
}

// Whether letters of any case equal `lower`.
static bool are_letters(const char *letters, size_t length, const char *lower) {
    if (strlen(lower) != length) return false;
    for (size_t i = 0; i < length; i++) {
        const char c = is_upper(letters[i]) ? (char)(letters[i] - 'A' + 'a') : letters[i];
        if (c != lower[i]) return false;
    }
    return true;
}

sinewi_side_word sinewi_side_word_read(const char *word, size_t length) {
    static const char *const words[][2] = {{"l", "r"}, {"left", "right"}, {"lf", "rt"}, {"lft", "rgt"}};
    static const sinewi_body_side sides[2] = {SINEWI_SIDE_LEFT, SINEWI_SIDE_RIGHT};
    const int joined = 1; // the row whose words may start another word
    for (int row = 0; row < 4; row++) {
        for (int side = 0; side < 2; side++) {
            const size_t size = strlen(words[row][side]);
            if (length != size && (row != joined || length < size)) continue;
            if (!are_letters(word, size, words[row][side])) continue;
            return (sinewi_side_word){sides[side], size, words[row][1 - side]};
        }
    }
    return (sinewi_side_word){SINEWI_SIDE_NONE, 0, ""};
}
