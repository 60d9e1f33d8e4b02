// SPDX-License-Identifier: MIT
// The words of a name, and those that say left or right.
#ifndef SINEWI_SIDE_WORD_H
#define SINEWI_SIDE_WORD_H

#include <sinew/base.h>

typedef enum sinewi_body_side { SINEWI_SIDE_NONE, SINEWI_SIDE_LEFT, SINEWI_SIDE_RIGHT } sinewi_body_side;

// Whether a character is an ASCII letter: names are split at all others.
bool sinewi_is_letter(char c);

// Whether a word starts at name[i], a letter: "LeftArm" has two, and so has "LHip".
bool sinewi_starts_word(const char *name, size_t i);

// A side that a word names.
typedef struct sinewi_side_word {
    sinewi_body_side side;
    size_t length;        // of the letters that name it, from the start of the word
    const char *opposite; // the letters of the other side, in lower case
} sinewi_side_word;

// Returns the side of a word of `length` letters of any case: it is one, as "l" and "Left", or starts with left or right,
// as "leftarm".
sinewi_side_word sinewi_side_word_read(const char *word, size_t length);

#endif
