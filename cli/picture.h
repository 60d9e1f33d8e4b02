// Pictures in memory, and in and out of files.
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Rows from top to bottom, each pixel R, G, B, A in sRGB with straight alpha.
typedef struct cli_picture {
    int width, height;
    uint8_t *rgba;
} cli_picture;

// A transparent picture; false when memory runs out. Freed with cli_picture_free in both cases.
bool cli_picture_create(cli_picture *picture, int width, int height);
void cli_picture_free(cli_picture *picture);

// Copies a picture into a larger one with its upper left corner at (x, y); it must fit.
void cli_picture_paste(cli_picture *into, const cli_picture *from, int x, int y);

// A PNG, JPEG, ... file in memory. On failure false, and `reason` says why. Freed with cli_picture_free in both
// cases.
bool cli_picture_decode(cli_picture *picture, const uint8_t *bytes, size_t size, const char **reason);

// As PNG; false when memory runs out. What the file could not take is left to ferror.
bool cli_picture_write_png(const cli_picture *picture, FILE *file);

// An animated WebP on its way: lossy, looping forever.
typedef struct cli_webp {
    struct WebPAnimEncoder *encoder;
    int width, height;
} cli_webp;

bool cli_webp_begin(cli_webp *webp, int width, int height);

// Adds a frame that is shown from `milliseconds` on.
bool cli_webp_add(cli_webp *webp, const cli_picture *picture, int milliseconds);

// Ends the last frame at `milliseconds` and writes it all.
bool cli_webp_write(cli_webp *webp, int milliseconds, FILE *file);

// Why the last of the three calls above answered false.
const char *cli_webp_reason(const cli_webp *webp);

// Frees what cli_webp_begin made, whether or not it went well.
void cli_webp_free(cli_webp *webp);

#endif
