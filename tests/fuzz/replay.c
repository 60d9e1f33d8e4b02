// SPDX-License-Identifier: MIT
// Runs a fuzz target on each file in some folders, without libFuzzer: replay-TARGET FOLDER... It prints each name
// first, so if it crashes, the last name is the file's.
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-*): nftw
#endif
#include "fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static int count;

static int replay(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)where;
    if (kind != FTW_F) return 0;
    size_t size = (size_t)status->st_size;
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (!file || !data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    (void)fclose(file);
    printf("%s\n", path);
    (void)fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    count++;
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (nftw(argv[i], replay, 16, FTW_PHYS) == 0) continue;
        fprintf(stderr, "%s cannot be read\n", argv[i]);
        return 1;
    }
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1; // an empty folder is a mistake in the call
}
