// SPDX-License-Identifier: MIT
// Folders of files that tests go through: the demo models, and other people's.
#ifndef SINEW_TESTS_FILES_H
#define SINEW_TESTS_FILES_H

#include "support/check.h"

#include <stdlib.h>

// The folder that SINEW_ASSETS names. Without it the test is skipped, and ends here.
static inline const char *other_peoples_files(void) {
    const char *folder = getenv("SINEW_ASSETS");
    if (!folder) {
        print_message("SINEW_ASSETS is not set: other people's files are left out\n");
        skip();
    }
    return folder;
}

// Calls `visit` for each file below a folder whose name has one of these endings, separated by blanks. Files of the
// conformance set that must be refused are left out. Needs POSIX.
void for_each_file(const char *folder, const char *endings, void (*visit)(const char *path));

#endif
