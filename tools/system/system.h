// SPDX-License-Identifier: MIT
// What differs between systems, for the command: posix.c and windows.c. For files, see files/files.h and
// cli/temporary.h, which each have a Windows version.
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Prepares standard output and the console. On Windows, bytes are written unchanged and text is UTF-8. main calls this
// first.
void system_start(void);

// Returns the seconds since some moment. They never go back.
double system_seconds(void);

// Allocates memory aligned to 64 bytes. Free it with system_free. Returns NULL if there's too little.
void *system_allocate(size_t size);
void system_free(void *memory);

// ---- Threads -----------------------------------------------------------------------------------------------------

// Returns how many processors this process may use, at least 1.
int system_processors(void);

// Runs `run` on `count` threads, including the caller's, and returns when all have returned. If the system refuses
// some, runs fewer.
void system_run_threads(int count, void (*run)(void *user), void *user);

// A lock for threads, and an event to wait for while holding it.
typedef struct system_lock system_lock;

// Creates a lock. Returns NULL if memory runs out.
system_lock *system_lock_create(void);
void system_lock_destroy(system_lock *lock);
void system_lock_take(system_lock *lock);
void system_lock_release(system_lock *lock);

// Releases the lock until another thread calls system_lock_wake, then takes it again. May also return without a wake.
void system_lock_wait(system_lock *lock);
void system_lock_wake(system_lock *lock);

// ---- Folders and files -------------------------------------------------------------------------------------------

bool system_is_folder(const char *path);

// Makes a folder unless it exists. On failure, returns false with the reason in errno.
bool system_make_folder(const char *path);

// Calls `visit` with the name of each entry in a folder, in any order, until it returns false. If the folder can't be
// read, returns false with the reason in errno.
bool system_list_folder(const char *path, bool (*visit)(const char *name, void *user), void *user);

// Opens a file for reading and writing that disappears when it's closed or the program ends. On failure, returns NULL
// with the reason in errno.
FILE *system_open_scratch(void);

#endif
