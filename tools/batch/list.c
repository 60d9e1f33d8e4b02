// SPDX-License-Identifier: MIT
// Lists the files that were given, and those in the given folders.
#include "batch/batch.h"

#include "system/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_separator(char c) {
#ifdef _WIN32
    if (c == '\\' || c == ':') return true;
#endif
    return c == '/';
}

static const char *name_in(const char *path) {
    const char *name = path;
    for (const char *c = path; *c; c++)
        if (is_separator(*c)) name = c + 1;
    return name;
}

char *batch_name(const char *path) {
    const char *start = name_in(path), *dot = strrchr(start, '.');
    const size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    char *name = malloc(length + 1);
    if (!name) return NULL;
    memcpy(name, start, length);
    name[length] = '\0';
    return name;
}

// ---- Endings -----------------------------------------------------------------------------------------------------

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool ends_in(const char *name, const char *ending, size_t length) {
    const size_t size = strlen(name);
    if (size <= length) return false;
    for (size_t i = 0; i < length; i++)
        if (lower(name[size - length + i]) != ending[i]) return false;
    return true;
}

static bool has_ending(const char *name, const char *endings) {
    while (*endings) {
        const size_t length = strcspn(endings, " ");
        if (ends_in(name, endings, length)) return true;
        endings += length + strspn(endings + length, " ");
    }
    return false;
}

// ---- The list ----------------------------------------------------------------------------------------------------

static bool add(batch_list *list, char *path) {
    if (path && list->count == list->capacity) {
        const int capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        char **paths = realloc(list->paths, (size_t)capacity * sizeof *paths); // NOLINT(bugprone-sizeof-expression)
        if (paths) {
            list->paths = paths;
            list->capacity = capacity;
        }
    }
    if (!path || list->count == list->capacity) {
        free(path);
        return false;
    }
    list->paths[list->count++] = path;
    return true;
}

typedef struct search {
    batch_list *list;
    const char *folder, *endings;
    bool has_memory;
} search;

// Skips hidden files, because they may be another call's temporary files.
static bool visit(const char *name, void *user) {
    search *s = user;
    if (name[0] == '.' || !has_ending(name, s->endings)) return true;
    const size_t folder = strlen(s->folder), size = strlen(name) + 1;
    const bool has_slash = folder > 0 && is_separator(s->folder[folder - 1]);
    char *path = malloc(folder + 1 + size);
    if (path) snprintf(path, folder + 1 + size, "%s%s%s", s->folder, has_slash ? "" : "/", name);
    s->has_memory = add(s->list, path);
    return s->has_memory;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *add_folder(batch_list *list, const char *path, const char *endings) {
    search s = {list, path, endings, true};
    const int first = list->count;
    if (!system_list_folder(path, visit, &s)) return strerror(errno);
    if (!s.has_memory) return "out of memory";
    if (list->count == first) return "the folder has no files that this command reads";
    qsort(list->paths + first, (size_t)(list->count - first), sizeof *list->paths, compare);
    return NULL;
}

const char *batch_add(batch_list *list, const char *path, const char *endings) {
    const bool is_folder = system_is_folder(path);
    list->is_many |= is_folder || list->count > 0;
    if (is_folder) return add_folder(list, path, endings);
    const size_t size = strlen(path) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, path, size);
    return add(list, copy) ? NULL : "out of memory";
}

void batch_list_free(batch_list *list) {
    for (int i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
    *list = (batch_list){0};
}
