// SPDX-License-Identifier: MIT
// The words of a name, and which of them mean left or right.
#ifndef SINEWI_SIDE_WORD_H
#define SINEWI_SIDE_WORD_H

#include <sinew/base.h>

typedef enum sinewi_body_side { SINEWI_SIDE_NONE, SINEWI_SIDE_LEFT, SINEWI_SIDE_RIGHT } sinewi_body_side;

// Whether a character is an ASCII letter. Names are split at all others.
bool sinewi_is_letter(char c);

// Whether a word starts at name[i], which must be a letter. "LeftArm" has two words, and so has "LHip".
bool sinewi_starts_word(const char *name, size_t i);

// A side that a word names.
typedef struct sinewi_side_word {
    sinewi_body_side side;
    size_t length;        // number of letters that name it, from the start of the word
    const char *opposite; // the other side's letters, in lower case
} sinewi_side_word;

// Returns the side of a word with `length` letters of any case. The word is a side, like "l" and "Left", or starts with
// left or right, like "leftarm".
sinewi_side_word sinewi_side_word_read(const char *word, size_t length);

#endif
