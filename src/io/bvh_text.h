// SPDX-License-Identifier: MIT
// The text of a BVH file: words, names and numbers, with the line of each.
#ifndef SINEWI_BVH_TEXT_H
#define SINEWI_BVH_TEXT_H

#include <sinew/base.h>

typedef struct sinewi_bvh_text {
    const char *cursor, *end;
    const char *line_start; // of lines that were counted: the cursor of the last count
    int line;               // of line_start, from 1
} sinewi_bvh_text;

// A word, not terminated. Words are separated by white space and colons, so that "Frames:30" is two; braces are words. Comments
// from "#" or "//" to the end of the line are skipped.
typedef struct sinewi_bvh_word {
    const char *text;
    size_t length; // 0: the end of the file
} sinewi_bvh_word;

sinewi_bvh_text sinewi_bvh_text_begin(const void *data, size_t size);

sinewi_bvh_word sinewi_bvh_next_word(sinewi_bvh_text *text);

// The same, without reading on.
sinewi_bvh_word sinewi_bvh_peek_word(const sinewi_bvh_text *text);

// Upper and lower case are equal.
bool sinewi_bvh_word_is(sinewi_bvh_word word, const char *expected);

// Reads the rest of the line up to an opening brace, without white space at both ends: names may have spaces.
sinewi_bvh_word sinewi_bvh_next_name(sinewi_bvh_text *text);

// Reads a word as a number: digits with a point, and with an exponent. False for any other word, and for a number beyond
// the range of a double.
bool sinewi_bvh_read_number(sinewi_bvh_word word, double *number);

// The line of the last word, from 1.
int sinewi_bvh_line(sinewi_bvh_text *text, sinewi_bvh_word word);

#endif
