// SPDX-License-Identifier: MIT
// Many files in one call: which they are, and several of them at a time.
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stddef.h>

// ---- Which files -------------------------------------------------------------------------------------------------

typedef struct batch_list {
    char **paths; // [count]
    int count, capacity;
    bool is_many; // more than one file was given, or a folder
} batch_list;

// Adds a file, or the files in a folder whose names end in one of `endings`, ".glb .bvh", in lower case, sorted by their
// names; those in folders of the folder are left out. Returns NULL, or why there are none.
const char *batch_add(batch_list *list, const char *path, const char *endings);
void batch_list_free(batch_list *list);

// The name of a file without folder and ending, to be freed; NULL if memory runs out.
char *batch_name(const char *path);

// ---- Several at a time -------------------------------------------------------------------------------------------

typedef struct batch_def {
    int count; // of items
    int jobs;  // items that are worked on at a time; at least 1
    // Works on an item, on any thread, while others are worked on.
    void (*work)(void *user, int item);
    // Takes an item that is worked on. Items are finished in their order, one at a time, so what is written and printed is
    // the same with any number of jobs. At most 4 items for each job wait for it.
    void (*finish)(void *user, int item);
    void *user;
} batch_def;

// Returns when all items are finished. False if memory runs out before the first.
bool batch_run(const batch_def *def);

#endif
