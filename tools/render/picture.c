// SPDX-License-Identifier: MIT
// Pictures in memory.
#include "render/picture.h"

#include <stdlib.h>
#include <string.h>

bool draw_picture_create(draw_picture *picture, int width, int height) {
    *picture = (draw_picture){.width = width, .height = height};
    picture->rgba = calloc((size_t)width * (size_t)height, 4);
    return picture->rgba != NULL;
}

void draw_picture_free(draw_picture *picture) {
    free(picture->rgba);
    *picture = (draw_picture){0};
}

void draw_picture_paste(draw_picture *into, const draw_picture *from, int x, int y) {
    for (int row = 0; row < from->height; row++) {
        size_t to = ((size_t)(y + row) * (size_t)into->width + (size_t)x) * 4;
        size_t source = (size_t)row * (size_t)from->width * 4;
        memcpy(into->rgba + to, from->rgba + source, (size_t)from->width * 4);
    }
}

void draw_picture_blend(draw_picture *picture, int x, int y, uint32_t color, int cover) {
    if (x < 0 || y < 0 || x >= picture->width || y >= picture->height || cover <= 0) return;
    uint8_t *pixel = picture->rgba + 4 * ((size_t)y * (size_t)picture->width + (size_t)x);
    const int below = pixel[3] * (255 - cover); // what remains of the pixel itself, in 1 / 255²
    const int alpha = cover * 255 + below;
    for (int i = 0; i < 3; i++) {
        const int channel = (int)(color >> (16 - 8 * i) & 255u);
        pixel[i] = (uint8_t)((channel * cover * 255 + pixel[i] * below + alpha / 2) / alpha);
    }
    pixel[3] = (uint8_t)((alpha + 127) / 255);
}
