// SPDX-License-Identifier: MIT
// The targets' libFuzzer mutator: changes JSON as JSON or bytes as bytes, and reassembles a .glb with correct
// lengths.
#include "fuzz/mutate.h"

#include "fuzz/fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { HEAD = 20, CHUNK = 8 }; // a .glb's header with its first chunk's header; a chunk header

// The parts of an input: `size` bytes of JSON at `data` + `start`, and the bytes after them.
typedef struct parts {
    size_t start, size, rest_start, rest_size;
    bool glb;
} parts;

static uint32_t get_u32(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(uint8_t *at, size_t value) {
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static parts take_apart(const uint8_t *data, size_t size) {
    bool glb = size >= HEAD && memcmp(data, "glTF", 4) == 0;
    parts p = {.glb = glb, .start = glb ? HEAD : 0, .rest_start = size};
    p.size = glb ? get_u32(data + 12) : fuzz_text_size(data, size);
    if (p.size > size - p.start) p.size = size - p.start;
    size_t between = glb ? CHUNK : 1, behind = p.start + p.size;
    if (size - behind <= between) return p;
    p.rest_start = behind + between;
    p.rest_size = size - p.rest_start;
    return p;
}

// Writes an input of these parts. Returns its size, or 0 if it does not fit in `most` bytes.
static size_t put_together(uint8_t *data, size_t most, const parts *p, const uint8_t *text, size_t text_size,
                           const uint8_t *rest, size_t rest_size) {
    size_t between = p->glb ? CHUNK : 1, room = most - p->start;
    if (text_size + between + rest_size > room) return 0;
    memcpy(data + p->start, text, text_size);
    uint8_t *at = data + p->start + text_size;
    if (p->glb) {
        put_u32(data + 8, p->start + text_size + between + rest_size);
        put_u32(data + 12, text_size);
        put_u32(at, rest_size);
        memcpy(at + 4, "BIN", 4);
    } else {
        *at = 0;
    }
    memcpy(at + between, rest, rest_size);
    return p->start + text_size + between + rest_size;
}

static size_t change_part(uint8_t *part, size_t size, size_t most, bool json, uint64_t *random) {
    if (!json) return LLVMFuzzerMutate(part, size, most);
    for (int i = (int)(*random >> 60) % 3; i >= 0; i--) size = mutate_json((char *)part, size, most, random);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15);
    unsigned choice = (unsigned)(random >> 61); // of 8
    if (choice == 0) return LLVMFuzzerMutate(data, size, most);
    parts p = take_apart(data, size);
    uint8_t *text = malloc(most), *rest = malloc(most);
    if (!text || !rest) abort();
    memcpy(text, data + p.start, p.size);
    memcpy(rest, data + p.rest_start, p.rest_size);
    size_t text_size = p.size, rest_size = p.rest_size;
    if (choice == 1) {
        rest_size = change_part(rest, rest_size, most, false, &random);
    } else {
        text_size = change_part(text, text_size, most, choice > 2, &random);
    }
    size_t together = put_together(data, most, &p, text, text_size, rest, rest_size);
    free(text);
    free(rest);
    return together > 0 ? together : LLVMFuzzerMutate(data, size, most);
}
