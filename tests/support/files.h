// SPDX-License-Identifier: MIT
// The files that tests go through: demo models and other people's.
#ifndef SINEW_TESTS_FILES_H
#define SINEW_TESTS_FILES_H

#include "support/check.h"

#include <stdlib.h>

// The folder named by SINEW_ASSETS. If it isn't set, skips the test and doesn't return.
static inline const char *other_peoples_files(void) {
    const char *folder = getenv("SINEW_ASSETS");
    if (!folder) {
        print_message("SINEW_ASSETS is not set: other people's files are left out\n");
        skip();
    }
    return folder;
}

// Calls `visit` for each file in a folder or below whose name has one of these endings, separated by blanks. Leaves
// out the conformance set's files that must be refused. Needs POSIX.
void for_each_file(const char *folder, const char *endings, void (*visit)(const char *path));

#endif
