// SPDX-License-Identifier: MIT
// Makes fopen and stat find the files that the page hands over.
#include "files.h"

#include "lint/subject.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const web_file *files;
static int32_t file_count;

void web_files_set(const web_file *given, int32_t count) {
    files = given;
    file_count = count;
}

static const web_file *find_file(const char *path) {
    for (int32_t i = 0; i < file_count; i++) {
        if (strcmp(files[i].name, path) == 0) return &files[i];
    }
    errno = ENOENT;
    return NULL;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    const web_file *file = find_file(path);
    return file ? fmemopen(file->data, file->size, mode) : NULL;
}

int stat(const char *restrict path, struct stat *restrict status) {
    const web_file *file = find_file(path);
    if (!file) return -1;
    *status = (struct stat){.st_mode = S_IFREG, .st_size = (off_t)file->size};
    return 0;
}

// VRM data isn't read: its readers would make the modules larger.
const sinew_gltf_extension *lint_avatar_extension(void) {
    return NULL;
}
