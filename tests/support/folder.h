// SPDX-License-Identifier: MIT
// A temporary folder for a test's files. It is removed with its contents when the program ends, even if tests fail.
// For POSIX systems: define _POSIX_C_SOURCE as 200809L before the first include.
#ifndef SINEW_TESTS_FOLDER_H
#define SINEW_TESTS_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct folder {
    char path[256];
} folder;

enum { MOST_FOLDERS = 64 };
static folder made_folders[MOST_FOLDERS];
static int made_folder_count;

// Removes a file, or a folder with everything in it.
static inline void remove_all(const char *path) {
    DIR *list = remove(path) == 0 ? NULL : opendir(path);
    if (!list) return;
    const struct dirent *entry;
    while ((entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char inner[1024];
        const int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (length < (int)sizeof inner) remove_all(inner);
    }
    closedir(list);
    remove(path);
}

static inline void remove_made_folders(void) {
    for (int i = 0; i < made_folder_count; i++) remove_all(made_folders[i].path);
}

// Makes a temporary folder with a name that begins with `start`.
static inline folder make_folder(const char *start) {
    const char *parent = getenv("TMPDIR");
    folder f;
    snprintf(f.path, sizeof f.path, "%s/%s-XXXXXX", parent && *parent ? parent : "/tmp", start);
    assert_true(made_folder_count < MOST_FOLDERS);
    assert_non_null(mkdtemp(f.path));
    if (made_folder_count == 0) atexit(remove_made_folders);
    made_folders[made_folder_count++] = f;
    return f;
}

// Makes a folder the current one, for tests that use file names without a folder.
static inline void enter_folder(const char *start) {
    const folder f = make_folder(start);
    assert_int_equal(chdir(f.path), 0);
}

// Valid until the next call.
static inline const char *in_folder(const folder *f, const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    return path;
}

static inline void write_file(const folder *f, const char *name, const void *data, size_t size) {
    FILE *file = fopen(in_folder(f, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

#endif
