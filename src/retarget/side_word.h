// SPDX-License-Identifier: MIT
// The words of a name, and those that say left or right.
#ifndef SINEW_SIDE_WORD_H
#define SINEW_SIDE_WORD_H

#include <sinew/base.h>

typedef enum sinew_body_side { SINEW_SIDE_NONE, SINEW_SIDE_LEFT, SINEW_SIDE_RIGHT } sinew_body_side;

// Whether a character is an ASCII letter: names are split at all others.
bool sinew_is_letter(char c);

// Whether a word starts at name[i], a letter: "LeftArm" has two, and so has "LHip".
bool sinew_starts_word(const char *name, size_t i);

// A side that a word names.
typedef struct sinew_side_word {
    sinew_body_side side;
    size_t length;        // of the letters that name it, from the start of the word
    const char *opposite; // the letters of the other side, in lower case
} sinew_side_word;

// Returns the side of a word of `length` letters of any case: it is one, as "l" and "Left", or starts with left or right,
// as "leftarm".
sinew_side_word sinew_side_word_read(const char *word, size_t length);

#endif
