// The one place where stb's headers become code. They are compiled without warnings.
#include "draw/picture.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

#define STB_TRUETYPE_IMPLEMENTATION // not static: draw/text.c calls it
#include <stb/stb_truetype.h>

bool draw_picture_decode(draw_picture *picture, const uint8_t *bytes, size_t size, const char **reason) {
    *picture = (draw_picture){0};
    *reason = "too large";
    if (size > INT_MAX) return false;
    int channels;
    picture->rgba = stbi_load_from_memory(bytes, (int)size, &picture->width, &picture->height, &channels, 4);
    if (!picture->rgba) *reason = stbi_failure_reason();
    return picture->rgba != NULL;
}

static void write_bytes(void *file, void *data, int size) {
    fwrite(data, 1, (size_t)size, file);
}

bool draw_picture_write_png(const draw_picture *picture, FILE *file) {
    return stbi_write_png_to_func(write_bytes, file, picture->width, picture->height, 4, picture->rgba,
                                  picture->width * 4);
}
