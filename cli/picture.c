// Pictures in memory.
#include "picture.h"

#include <stdlib.h>
#include <string.h>

bool cli_picture_create(cli_picture *picture, int width, int height) {
    *picture = (cli_picture){.width = width, .height = height};
    picture->rgba = calloc((size_t)width * (size_t)height, 4);
    return picture->rgba != NULL;
}

void cli_picture_free(cli_picture *picture) {
    free(picture->rgba);
    *picture = (cli_picture){0};
}

void cli_picture_paste(cli_picture *into, const cli_picture *from, int x, int y) {
    for (int row = 0; row < from->height; row++) {
        size_t to = ((size_t)(y + row) * (size_t)into->width + (size_t)x) * 4;
        size_t source = (size_t)row * (size_t)from->width * 4;
        memcpy(into->rgba + to, from->rgba + source, (size_t)from->width * 4);
    }
}
