// SPDX-License-Identifier: MIT
// What systems do differently, for the command: posix.c and windows.c. Files are those of files/files.h and cli/temporary.h,
// each with a version for Windows.
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stddef.h>

// Prepares standard output and the console: on Windows bytes are written as they are, and text is UTF-8. The first call of
// main.
void system_start(void);

// Seconds since some moment, which never go back.
double system_seconds(void);

// Memory at a multiple of 64 bytes, to be freed by system_free; NULL if there is too little.
void *system_allocate(size_t size);
void system_free(void *memory);

#endif
