// SPDX-License-Identifier: MIT
// What systems do differently, for the command: posix.c and windows.c. Files are those of files/files.h and cli/temporary.h,
// each with a version for Windows.
#ifndef SYSTEM_H
#define SYSTEM_H

// Prepares standard output and the console: on Windows bytes are written as they are, and text is UTF-8. The first call of
// main.
void system_start(void);

// Seconds since some moment, which never go back.
double system_seconds(void);

#endif
