// SPDX-License-Identifier: MIT
// picture_main.c - draws a picture for docs/howto/ik.md to a WebP file: make-slope, make-gaze or make-body HERO.glb
// OUT.webp
//
// PICTURE is the function that draws it: slope_picture, gaze_picture or body_picture. PROGRAM is the program's name.
#include "plots/body_picture.h"
#include "plots/die.h"
#include "plots/gaze_picture.h"
#include "plots/slope.h"

#include <sinew/gltf.h>

#include <errno.h>
#include <string.h>

static _Noreturn void die_of_file(const char *path, const char *reason) {
    char message[1200];
    snprintf(message, sizeof message, "%s: cannot be written: %s", path, reason);
    die(message);
}

static void write_webp(const draw_picture *picture, const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) die_of_file(path, strerror(errno));
    draw_webp webp;
    const bool encoded = draw_webp_begin(&webp, picture->width, picture->height) &&
                         draw_webp_add(&webp, picture, 0) && draw_webp_write(&webp, 1000, file);
    if (!encoded) die_of_file(path, draw_webp_reason(&webp));
    draw_webp_free(&webp);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) die_of_file(path, strerror(errno));
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage: " PROGRAM " HERO.glb OUT.webp");
    sinew_asset *hero;
    sinew_error error;
    if (sinew_gltf_load_file(argv[1], NULL, &hero, &error) != SINEW_OK) die(error.message);
    draw_picture picture = PICTURE(hero);
    write_webp(&picture, argv[2]);
    draw_picture_free(&picture);
    sinew_asset_destroy(hero);
    return 0;
}
