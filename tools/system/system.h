// SPDX-License-Identifier: MIT
// What systems do differently, for the command: posix.c and windows.c. Files are those of files/files.h and cli/temporary.h,
// each with a version for Windows.
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Prepares standard output and the console: on Windows bytes are written as they are, and text is UTF-8. The first call of
// main.
void system_start(void);

// Seconds since some moment, which never go back.
double system_seconds(void);

// Memory at a multiple of 64 bytes, to be freed by system_free; NULL if there is too little.
void *system_allocate(size_t size);
void system_free(void *memory);

// ---- Threads -----------------------------------------------------------------------------------------------------

// The processors that this process may use; at least 1.
int system_processors(void);

// Runs `run` on `count` threads, one of them the caller's, and returns when all have returned. Fewer run where the system
// refuses more.
void system_run_threads(int count, void (*run)(void *user), void *user);

// A lock for threads, and an event to wait for while it is held.
typedef struct system_lock system_lock;

// Creates a lock; NULL if memory runs out.
system_lock *system_lock_create(void);
void system_lock_destroy(system_lock *lock);
void system_lock_take(system_lock *lock);
void system_lock_release(system_lock *lock);

// Releases the lock until another thread calls system_lock_wake, and takes it again. It may also return without a wake.
void system_lock_wait(system_lock *lock);
void system_lock_wake(system_lock *lock);

// ---- Folders and files -------------------------------------------------------------------------------------------

bool system_is_folder(const char *path);

// Makes a folder unless it exists. False, with the reason in errno, if that fails.
bool system_make_folder(const char *path);

// Calls `visit` with the name of each entry of a folder, in any order, until it returns false. Returns false, with the reason in
// errno, if the folder can't be read.
bool system_list_folder(const char *path, bool (*visit)(const char *name, void *user), void *user);

// A file for reading and writing that is gone when it is closed or the program ends. NULL, with the reason in errno, if
// that fails.
FILE *system_open_scratch(void);

#endif
