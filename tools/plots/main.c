// SPDX-License-Identifier: MIT
// main.c - writes all plots for docs/mixing.md: make-plots HERO.glb FOLDER
#include "plots/plots.h"

#include <errno.h>
#include <string.h>

static _Noreturn void die_of_file(const char *path) {
    char message[1200];
    snprintf(message, sizeof message, "%s: cannot be written: %s", path, strerror(errno));
    die(message);
}

static void write_plot(const named_plot *what, const char *folder, const stage *s) {
    char path[1024];
    if (snprintf(path, sizeof path, "%s/%s.svg", folder, what->name) >= (int)sizeof path)
        die("the path is too long");
    FILE *file = fopen(path, "wb");
    if (!file) die_of_file(path);
    what->draw(file, s);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) die_of_file(path);
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage: make-plots HERO.glb FOLDER");
    stage s;
    stage_make(&s, argv[1]);
    for (int i = 0; i < plot_count; i++) write_plot(&plots[i], argv[2], &s);
    stage_free(&s);
    return 0;
}
