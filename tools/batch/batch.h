// SPDX-License-Identifier: MIT
// Handles many files in one call: lists them, and works on several at a time.
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stddef.h>

// ---- Which files -------------------------------------------------------------------------------------------------

typedef struct batch_list {
    char **paths; // [count]
    int count, capacity;
    bool is_many; // several files or a folder were given
} batch_list;

// Adds a file, or the files in a folder, sorted by name. Their names must end in one of `endings`, like ".glb .bvh" in
// lower case. Ignores folders inside the folder. Returns NULL, or why there aren't any.
const char *batch_add(batch_list *list, const char *path, const char *endings);
void batch_list_free(batch_list *list);

// Returns a file's name without folder and ending, which the caller frees, or NULL if memory runs out.
char *batch_name(const char *path);

// ---- Several at a time -------------------------------------------------------------------------------------------

typedef struct batch_def {
    int count; // number of items
    int jobs;  // items to work on at a time; at least 1
    // Works on an item, on any thread, in parallel with other items.
    void (*work)(void *user, int item);
    // Finishes an item after the work on it. Items are finished in order and one at a time, so the number of jobs
    // doesn't change what's written and printed. At most 4 items per job wait for this.
    void (*finish)(void *user, int item);
    void *user;
} batch_def;

// Returns when all items are finished. Returns false if memory runs out before the first.
bool batch_run(const batch_def *def);

#endif
