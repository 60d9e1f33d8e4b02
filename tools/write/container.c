// SPDX-License-Identifier: MIT
// Writes a file piece by piece, so the whole buffer is never in memory.
#include "write/container.h"

#include <string.h>

static void put(const write_container *c, const void *data, size_t size) {
    if (size > 0) c->put(data, size, c->user);
}

static size_t padding_of(size_t size) {
    return (4 - size % 4) % 4;
}

size_t write_container_size(const write_container *c) {
    return c->size + padding_of(c->size) + c->added->size;
}

// Passes on the buffer's bytes in order. Returns false if the added bytes can't be read.
static bool visit_buffer(const write_container *c, write_put visit, void *user) {
    char part[16384];
    if (c->size > 0) visit(c->bytes, c->size, user);
    if (padding_of(c->size) > 0) visit("\0\0\0", padding_of(c->size), user);
    for (size_t at = 0, size = 0; at < c->added->size; at += size) {
        size = c->added->size - at < sizeof part ? c->added->size - at : sizeof part;
        if (!write_read_bytes(c->added, at, part, size)) return false;
        visit(part, size, user);
    }
    return true;
}

// ---- .glb ----------------------------------------------------------------------------------------------------------

static void put_u32(const write_container *c, size_t value) {
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
    put(c, bytes, sizeof bytes);
}

bool write_container_glb(const write_container *c) {
    while (c->json->size % 4 != 0 && !c->json->failed) lint_append(c->json, " ", 1);
    const size_t buffer = write_container_size(c);
    const size_t total = 12 + 8 + c->json->size + (buffer > 0 ? 8 + buffer : 0);
    if (c->json->failed || total > UINT32_MAX) return false;
    put(c, "glTF", 4);
    put_u32(c, 2);
    put_u32(c, total);
    put_u32(c, c->json->size);
    put(c, "JSON", 4);
    put(c, c->json->data, c->json->size);
    if (buffer == 0) return true;
    put_u32(c, buffer);
    put(c, "BIN", 4); // includes the zero byte
    return visit_buffer(c, c->put, c->user);
}

// ---- .gltf ---------------------------------------------------------------------------------------------------------

typedef struct base64 {
    const write_container *to;
    uint32_t bits;
    int count; // number of bytes in `bits`, 0 to 2
    char text[4096];
    size_t size;
} base64;

static void put_group(base64 *b, int digits) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 4; i++) b->text[b->size++] = i < digits ? alphabet[b->bits >> (18 - 6 * i) & 63] : '=';
    b->bits = 0;
    b->count = 0;
    if (b->size < sizeof b->text) return;
    put(b->to, b->text, b->size);
    b->size = 0;
}

static void put_base64(const void *data, size_t size, void *user) {
    base64 *b = user;
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        b->bits |= (uint32_t)bytes[i] << (16 - 8 * b->count++);
        if (b->count == 3) put_group(b, 4);
    }
}

bool write_container_gltf(const write_container *c) {
    const char *start = c->json->data, *hole = memchr(start, WRITE_DATA_HOLE, c->json->size);
    const char *end = start + c->json->size;
    base64 b = {.to = c};
    put(c, start, (size_t)((hole ? hole : end) - start));
    if (hole) {
        if (!visit_buffer(c, put_base64, &b)) return false;
        if (b.count > 0) put_group(&b, b.count + 1);
        put(c, b.text, b.size);
        put(c, hole + 1, (size_t)(end - hole - 1));
    }
    put(c, "\n", 1);
    return true;
}
