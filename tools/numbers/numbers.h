// SPDX-License-Identifier: MIT
// Numbers that people type, in any locale: 5, -1, .5, 1., 1e-3. Not hexadecimal, not infinite, without white space.
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdbool.h>

// Reads a number at the start of *text, and moves *text behind it. Two dots end a number: 0..1 starts with 0. False,
// with *text unchanged, if there is no number.
bool numbers_read(const char **text, double *number);

// The same as a float, between two limits.
bool numbers_read_float(const char **text, float least, float most, float *number);

// The same for a whole number: digits, after a sign.
bool numbers_read_whole(const char **text, int least, int most, int *number);

// Reads up to `most` numbers with a separator between them. Returns how many; 0 if there is none, or none after a
// separator.
int numbers_read_list(const char **text, char separator, float *numbers, int most);

// Reads A..B, A.. or ..B, and nothing else. What is left out stays as it is.
bool numbers_read_range(const char *text, float *start, float *end);

// Reads a pair of whole numbers from 1 to `most`, such as 640x480, and nothing else.
bool numbers_read_size(const char *text, int most, int *width, int *height);

#endif
