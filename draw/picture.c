// Pictures in memory.
#include "draw/picture.h"

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
