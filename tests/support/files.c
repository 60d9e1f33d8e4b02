// SPDX-License-Identifier: MIT
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): nftw
#endif
#include "support/files.h"

#include <ftw.h>
#include <string.h>

static struct { // nftw hands nothing on
    const char *endings;
    void (*visit)(const char *path);
} walk;

static bool has_ending(const char *path) {
    const char *dot = strrchr(path, '.');
    if (!dot) return false;
    const size_t length = strlen(dot);
    for (const char *at = walk.endings; (at = strstr(at, dot)) != NULL; at += length) {
        if (at[length] == '\0' || at[length] == ' ') return true;
    }
    return false;
}

static int visit_entry(const char *path, const struct stat *status, int kind, struct FTW *position) {
    (void)status, (void)position;
    if (kind == FTW_F && has_ending(path) && !strstr(path, "/refused-")) walk.visit(path);
    return 0;
}

void for_each_file(const char *folder, const char *endings, void (*visit)(const char *path)) {
    walk.endings = endings;
    walk.visit = visit;
    assert_int_equal(nftw(folder, visit_entry, 16, FTW_PHYS), 0);
}
