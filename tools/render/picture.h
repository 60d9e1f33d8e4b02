// SPDX-License-Identifier: MIT
// Pictures in memory, and their files.
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Rows from top to bottom, each pixel R, G, B, A in sRGB with straight alpha.
typedef struct draw_picture {
    int width, height;
    uint8_t *rgba;
} draw_picture;

// A transparent picture; false when memory runs out. Freed with draw_picture_free in both cases.
bool draw_picture_create(draw_picture *picture, int width, int height);
void draw_picture_free(draw_picture *picture);

// Copies a picture into a larger one with its upper left corner at (x, y); it must fit.
void draw_picture_paste(draw_picture *into, const draw_picture *from, int x, int y);

// Blends a colour 0xRRGGBB over one pixel with the opacity `cover` / 255; a no-op outside the picture.
void draw_picture_blend(draw_picture *picture, int x, int y, uint32_t color, int cover);

// Limits of decoded images: 64 megapixels each, which take 256 MB, and about four times that during decoding; and of
// all images of a file together.
enum { DRAW_MAX_IMAGE_SIDE = 16384, DRAW_MAX_IMAGE_PIXELS = 64000000, DRAW_MAX_FILE_PIXELS = 256000000 };

// Decodes a PNG or JPEG file in memory. Returns false, with the reason in `reason`, if it cannot be read, or has more
// pixels than `pixels_left` (of DRAW_MAX_FILE_PIXELS) or the limit of an image, which is checked before decoding. Freed
// with draw_picture_free in both cases.
bool draw_picture_decode(draw_picture *picture, const uint8_t *bytes, size_t size, int64_t pixels_left,
                         const char **reason);

// Writes a PNG; false if memory runs out. Write errors are left to ferror.
bool draw_picture_write_png(const draw_picture *picture, FILE *file);

// An encoder of an animated WebP: lossy, looping forever.
typedef struct draw_webp {
    struct WebPAnimEncoder *encoder;
    int width, height;
} draw_webp;

bool draw_webp_begin(draw_webp *webp, int width, int height);

// Adds a frame that is shown from `milliseconds` on.
bool draw_webp_add(draw_webp *webp, const draw_picture *picture, int milliseconds);

// Ends the last frame at `milliseconds` and writes it all.
bool draw_webp_write(draw_webp *webp, int milliseconds, FILE *file);

// The reason of the last failure of the three functions above.
const char *draw_webp_reason(const draw_webp *webp);

// Frees the encoder, also after a failure.
void draw_webp_free(draw_webp *webp);

#endif
