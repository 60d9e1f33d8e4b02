// SPDX-License-Identifier: MIT
// bytes.c - allocation, growing text and bytes, and files.
#include "bytes.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *must_realloc(void *block, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        fprintf(stderr, "a size overflows\n");
        exit(1);
    }
    void *grown = realloc(block, count * size + 1);
    if (!grown) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return grown;
}

void *must_alloc(size_t count, size_t size) {
    void *block = calloc(count + 1, size);
    if (!block) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return block;
}

// ---- growing text and bytes ----

static void reserve(buffer *b, size_t more) {
    if (b->length + more <= b->space) {
        return;
    }
    b->space = (b->length + more) * 2 + 256;
    b->data = must_realloc(b->data, b->space, 1);
}

void free_buffer(buffer *b) {
    free(b->data);
    *b = (buffer){0};
}

void put(buffer *b, const void *data, size_t length) {
    if (length == 0) {
        return;
    }
    reserve(b, length);
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

void pad(buffer *b, char with) {
    while (b->length % 4 != 0) {
        put(b, &with, 1);
    }
}

void put_u32(buffer *b, size_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    put(b, bytes, sizeof bytes);
}

void put_float(buffer *b, double value) {
    float f = (float)value + 0.0F;
    put(b, &f, sizeof f);
}

void say(buffer *b, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof text) {
        fprintf(stderr, "a piece of JSON is too long\n");
        exit(1);
    }
    put(b, text, (size_t)length);
}

int next_item(buffer *b) {
    if (b->items > 0) {
        put(b, ",", 1);
    }
    return b->items++;
}

// ---- files ----

void put_chunk(buffer *file, const char type[4], const buffer *content) {
    put_u32(file, content->length);
    put(file, type, 4);
    put(file, content->data, content->length);
}

void put_glb(buffer *file, const buffer *json, const buffer *bin) {
    size_t bin_chunk = bin->length > 0 ? 8 + bin->length : 0;
    put(file, "glTF", 4);
    put_u32(file, 2);
    put_u32(file, 12 + 8 + json->length + bin_chunk);
    put_chunk(file, "JSON", json);
    if (bin_chunk > 0) {
        put_chunk(file, "BIN\0", bin);
    }
}

bool write_file(const char *path, const buffer *content) {
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(content->data, 1, content->length, file) == content->length;
    if (file && fclose(file) != 0) {
        written = false;
    }
    if (!written) {
        fprintf(stderr, "cannot write %s\n", path);
    }
    return written;
}
