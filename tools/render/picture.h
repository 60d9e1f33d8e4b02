// SPDX-License-Identifier: MIT
// Pictures in memory and in files.
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Rows from top to bottom. Each pixel is RGBA in sRGB with straight alpha.
typedef struct draw_picture {
    int width, height;
    uint8_t *rgba;
} draw_picture;

// Creates a transparent picture. Returns false if memory runs out. Call draw_picture_free either way.
bool draw_picture_create(draw_picture *picture, int width, int height);
void draw_picture_free(draw_picture *picture);

// Copies a picture into a larger one, with its upper left corner at (x, y). It must fit.
void draw_picture_paste(draw_picture *into, const draw_picture *from, int x, int y);

// Blends a color 0xRRGGBB over one pixel with the opacity `cover` / 255. No-op outside the picture.
void draw_picture_blend(draw_picture *picture, int x, int y, uint32_t color, int cover);

// Limits for decoding images: 64 megapixels each, and a total per file. 64 megapixels take 256 MB, and about four times
// that while decoding.
enum { DRAW_MAX_IMAGE_SIDE = 16384, DRAW_MAX_IMAGE_PIXELS = 64000000, DRAW_MAX_FILE_PIXELS = 256000000 };

// Decodes a PNG or JPEG file in memory. On failure, returns false with the reason in `reason`. Checks the size before
// decoding: it must be within the limits above and `pixels_left` (of DRAW_MAX_FILE_PIXELS). Call draw_picture_free
// either way.
bool draw_picture_decode(draw_picture *picture, const uint8_t *bytes, size_t size, int64_t pixels_left,
                         const char **reason);

// Writes a PNG. Returns false if memory runs out. Check ferror for write errors.
bool draw_picture_write_png(const draw_picture *picture, FILE *file);

// Encodes an animated WebP: lossy, looping forever.
typedef struct draw_webp {
    struct WebPAnimEncoder *encoder;
    int width, height;
} draw_webp;

bool draw_webp_begin(draw_webp *webp, int width, int height);

// Adds a frame that's shown from `milliseconds` on.
bool draw_webp_add(draw_webp *webp, const draw_picture *picture, int milliseconds);

// Ends the last frame at `milliseconds` and writes the file.
bool draw_webp_write(draw_webp *webp, int milliseconds, FILE *file);

// Returns why one of the three functions above failed last.
const char *draw_webp_reason(const draw_webp *webp);

// Frees the encoder, even after a failure.
void draw_webp_free(draw_webp *webp);

#endif
