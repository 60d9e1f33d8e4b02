// SPDX-License-Identifier: MIT
// Output files of the program that writes shaders.
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>
#include <stdlib.h>

static inline FILE *open_output(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file) return file;
    perror(path);
    exit(1);
}

static inline void close_output(FILE *file) {
    if (fclose(file) == 0) return;
    perror("writing");
    exit(1);
}

// `parts` end with NULL.
static inline void write_text(const char *folder, const char *name, const char *const *parts) {
    FILE *file = open_output(folder, name);
    for (; *parts; parts++) fputs(*parts, file);
    close_output(file);
}

#endif
