// SPDX-License-Identifier: MIT
// A BVH file's text: words, names and numbers, and the line of each.
#ifndef SINEWI_BVH_TEXT_H
#define SINEWI_BVH_TEXT_H

#include <sinew/base.h>

typedef struct sinewi_bvh_text {
    const char *cursor, *end;
    const char *line_start; // of the lines counted so far: the cursor of the last count
    int line;               // of line_start, from 1
} sinewi_bvh_text;

// A word, not terminated. Whitespace and colons separate words, so "Frames:30" is two. Braces are words. Comments from
// "#" or "//" to the end of the line are skipped.
typedef struct sinewi_bvh_word {
    const char *text;
    size_t length; // 0 at the end of the file
} sinewi_bvh_word;

sinewi_bvh_text sinewi_bvh_text_begin(const void *data, size_t size);

sinewi_bvh_word sinewi_bvh_next_word(sinewi_bvh_text *text);

// The same without advancing.
sinewi_bvh_word sinewi_bvh_peek_word(const sinewi_bvh_text *text);

// Compares without case.
bool sinewi_bvh_word_is(sinewi_bvh_word word, const char *expected);

// Reads the rest of the line up to an opening brace, without whitespace at the ends. Names may contain spaces.
sinewi_bvh_word sinewi_bvh_next_name(sinewi_bvh_text *text);

// Reads a word as a number: digits with an optional point and exponent. Returns false for any other word, and for
// numbers beyond the range of a double.
bool sinewi_bvh_read_number(sinewi_bvh_word word, double *number);

// The line of the last word, from 1.
int sinewi_bvh_line(sinewi_bvh_text *text, sinewi_bvh_word word);

#endif
