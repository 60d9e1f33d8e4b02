// SPDX-License-Identifier: MIT
// sinew.manifest makes arguments and paths UTF-8, on Windows 10 since May 2019.
#include "system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

// The progress bar moves the cursor with escape sequences, which older consoles would print.
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

// ---- Threads -----------------------------------------------------------------------------------------------------

enum { MAX_THREADS = 256, STACK = 8 << 20 };

int system_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    const int count = (int)info.dwNumberOfProcessors;
    return count < 1 ? 1 : count < MAX_THREADS ? count : MAX_THREADS;
}

typedef struct thread_run {
    void (*run)(void *user);
    void *user;
} thread_run;

static DWORD WINAPI start(LPVOID data) {
    const thread_run *r = data;
    r->run(r->user);
    return 0;
}

void system_run_threads(int count, void (*run)(void *user), void *user) {
    thread_run r = {run, user};
    HANDLE threads[MAX_THREADS];
    int started = 0;
    while (started < count - 1 && started < MAX_THREADS) {
        threads[started] = CreateThread(NULL, STACK, start, &r, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
        if (!threads[started]) break;
        started++;
    }
    run(user);
    for (int i = 0; i < started; i++) {
        (void)WaitForSingleObject(threads[i], INFINITE);
        CloseHandle(threads[i]);
    }
}

struct system_lock {
    CRITICAL_SECTION section;
    CONDITION_VARIABLE event;
};

system_lock *system_lock_create(void) {
    system_lock *lock = malloc(sizeof *lock);
    if (!lock) return NULL;
    InitializeCriticalSection(&lock->section);
    InitializeConditionVariable(&lock->event);
    return lock;
}

void system_lock_destroy(system_lock *lock) {
    if (!lock) return;
    DeleteCriticalSection(&lock->section);
    free(lock);
}

void system_lock_take(system_lock *lock) {
    EnterCriticalSection(&lock->section);
}

void system_lock_release(system_lock *lock) {
    LeaveCriticalSection(&lock->section);
}

void system_lock_wait(system_lock *lock) {
    (void)SleepConditionVariableCS(&lock->event, &lock->section, INFINITE);
}

void system_lock_wake(system_lock *lock) {
    WakeAllConditionVariable(&lock->event);
}

// ---- Folders and files -------------------------------------------------------------------------------------------

bool system_is_folder(const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

bool system_make_folder(const char *path) {
    if (system_is_folder(path) || CreateDirectoryA(path, NULL)) return true;
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
    return false;
}

bool system_list_folder(const char *path, bool (*visit)(const char *name, void *user), void *user) {
    char pattern[4096];
    if (snprintf(pattern, sizeof pattern, "%s\\*", path) >= (int)sizeof pattern) {
        errno = ENAMETOOLONG;
        return false;
    }
    WIN32_FIND_DATAA entry;
    const HANDLE search = FindFirstFileA(pattern, &entry);
    if (search == INVALID_HANDLE_VALUE) {
        errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
        return false;
    }
    while (visit(entry.cFileName, user) && FindNextFileA(search, &entry)) continue;
    FindClose(search);
    return true;
}

FILE *system_open_scratch(void) {
    char folder[MAX_PATH + 1], path[MAX_PATH + 1];
    errno = EIO;
    if (!GetTempPathA(sizeof folder, folder) || !GetTempFileNameA(folder, "sin", 0, path)) return NULL;
    const HANDLE file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    const int descriptor = file == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)file, _O_RDWR | _O_BINARY);
    return descriptor < 0 ? NULL : _fdopen(descriptor, "w+b");
}
