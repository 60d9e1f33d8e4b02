// SPDX-License-Identifier: MIT
// Identifies files under any name.
#include "files/files.h"

#include <sys/stat.h>

static void identify(const struct stat *status, files_identity *identity) {
    *identity = (files_identity){(uint64_t)status->st_dev, (uint64_t)status->st_ino};
}

bool files_identify(const char *path, files_identity *identity) {
    struct stat status;
    if (stat(path, &status) != 0) return false;
    identify(&status, identity);
    return true;
}

bool files_identify_stream(FILE *stream, files_identity *identity) {
    struct stat status;
    if (fstat(fileno(stream), &status) != 0) return false;
    identify(&status, identity);
    return true;
}

bool files_find_version(const char *path, files_version *version) {
    struct stat status;
    if (stat(path, &status) != 0) return false;
    identify(&status, &version->identity);
    version->size = (uint64_t)status.st_size;
    version->time = (uint64_t)status.st_mtime;
    return true;
}
