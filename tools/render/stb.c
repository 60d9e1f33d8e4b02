// SPDX-License-Identifier: MIT
// Implements stb's headers. Compiled without warnings.
#include "render/picture.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS DRAW_MAX_IMAGE_SIDE

// Room for 16-bit channels and a filter byte per row. Compressed data that expands beyond this is rejected.
#define MAX_BYTES ((size_t)DRAW_MAX_IMAGE_PIXELS * 8 + 2 * DRAW_MAX_IMAGE_SIDE)

static void *allocate_limited(size_t size) {
    return size <= MAX_BYTES ? malloc(size) : NULL;
}

static void *reallocate_limited(void *memory, size_t size) {
    return size <= MAX_BYTES ? realloc(memory, size) : NULL;
}

#define STBI_MALLOC(size)          allocate_limited(size)
#define STBI_REALLOC(memory, size) reallocate_limited(memory, size)
#define STBI_FREE(memory)          free(memory)
#include <stb/stb_image.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

#define STB_TRUETYPE_IMPLEMENTATION // not static: tools/render/text.c calls it
#include <stb/stb_truetype.h>

// Turns stb's reasons into words.
static const char *failure_reason(void) {
    const char *reason = stbi_failure_reason();
    if (strcmp(reason, "too large") == 0) return "it is wider or higher than 16384 pixels";
    return strcmp(reason, "outofmem") == 0 ? "decoding it needs too much memory" : reason;
}

// Returns why not to decode an image, or NULL to decode it. The decoder itself reports headers that it can't read.
static const char *find_obstacle(const uint8_t *bytes, size_t size, int64_t pixels_left) {
    int width, height, channels;
    if (size == 0) return "the file is empty";
    if (size > INT_MAX) return "the file is larger than 2 GiB";
    if (!stbi_info_from_memory(bytes, (int)size, &width, &height, &channels)) return NULL;
    if ((int64_t)width * height > DRAW_MAX_IMAGE_PIXELS) return "it has more than 64 megapixels";
    return (int64_t)width * height > pixels_left ? "the images have more than 256 megapixels in total" : NULL;
}

bool draw_picture_decode(draw_picture *picture, const uint8_t *bytes, size_t size, int64_t pixels_left,
                         const char **reason) {
    *picture = (draw_picture){0};
    *reason = find_obstacle(bytes, size, pixels_left);
    if (*reason) return false;
    int channels;
    picture->rgba = stbi_load_from_memory(bytes, (int)size, &picture->width, &picture->height, &channels, 4);
    if (!picture->rgba) *reason = failure_reason();
    return picture->rgba != NULL;
}

static void write_bytes(void *file, void *data, int size) {
    fwrite(data, 1, (size_t)size, file);
}

bool draw_picture_write_png(const draw_picture *picture, FILE *file) {
    return stbi_write_png_to_func(write_bytes, file, picture->width, picture->height, 4, picture->rgba,
                                  picture->width * 4);
}
