// SPDX-License-Identifier: MIT
// main.c - writes the demo models: make-models OUTDIR
#include "models.h"

#include <stdio.h>
#include <string.h>

typedef struct model {
    const char *file;
    bool (*make)(const char *path);
} model;

static const model models[] = {
    {"sword.glb", make_sword},   {"windmill.glb", make_windmill}, {"golem.glb", make_golem},
    {"sprite.vrm", make_sprite}, {"scout.glb", make_scout},       {"hero.glb", make_hero},
};

static bool make_in(const char *directory, const model *m) {
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s", directory, m->file);
    if (length < 0 || (size_t)length >= sizeof path) {
        fprintf(stderr, "make-models: the path is too long: %s/%s\n", directory, m->file);
        return false;
    }
    return m->make(path);
}

int main(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "--help") == 0) {
        fprintf(stderr,
                "usage: make-models OUTDIR\n"
                "Writes hero.glb, golem.glb, scout.glb, sprite.vrm, windmill.glb and sword.glb into OUTDIR.\n");
        return argc == 2 ? 0 : 2;
    }
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (!make_in(argv[1], &models[i])) {
            return 1;
        }
    }
    return 0;
}
