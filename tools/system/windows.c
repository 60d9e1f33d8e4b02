// SPDX-License-Identifier: MIT
// Arguments and paths are UTF-8 by sinew.manifest, from Windows 10 of May 2019 on.
#include "system/system.h"

#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <stdio.h>
#include <windows.h>

// The progress bar moves the cursor by escape sequences, which older consoles would print.
static void allow_escapes(DWORD stream) {
    DWORD mode;
    const HANDLE console = GetStdHandle(stream);
    if (GetConsoleMode(console, &mode)) (void)SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

void system_start(void) {
    (void)_setmode(_fileno(stdin), _O_BINARY);
    (void)_setmode(_fileno(stdout), _O_BINARY);
    (void)_setmode(_fileno(stderr), _O_BINARY);
    (void)SetConsoleOutputCP(CP_UTF8);
    allow_escapes(STD_OUTPUT_HANDLE);
    allow_escapes(STD_ERROR_HANDLE);
}

double system_seconds(void) {
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

void *system_allocate(size_t size) {
    return _aligned_malloc(size, 64);
}

void system_free(void *memory) {
    _aligned_free(memory);
}
