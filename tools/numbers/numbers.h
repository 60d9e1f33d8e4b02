// SPDX-License-Identifier: MIT
// Reads numbers that people type, in any locale: 5, -1, .5, 1., 1e-3. They can't be hexadecimal or infinite or contain
// white space.
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdbool.h>

// Reads a number at the start of *text and moves *text past it. Two dots end a number: 0..1 starts with 0. If there's
// no number, returns false and leaves *text unchanged.
bool numbers_read(const char **text, double *number);

// Like numbers_read, but reads a float between two limits.
bool numbers_read_float(const char **text, float least, float most, float *number);

// Like numbers_read_float, but reads an integer: a sign and digits.
bool numbers_read_whole(const char **text, int least, int most, int *number);

// Reads up to `most` numbers with a separator between them. Returns how many. Returns 0 if there aren't any, or none
// follows a separator.
int numbers_read_list(const char **text, char separator, float *numbers, int most);

// Reads A..B, A.. or ..B, and nothing else. An end that's left out stays unchanged.
bool numbers_read_range(const char *text, float *start, float *end);

// Reads two integers from 1 to `most`, such as 640x480, and nothing else.
bool numbers_read_size(const char *text, int most, int *width, int *height);

#endif
