// SPDX-License-Identifier: MIT
// The form of a file: .glb, or .gltf with its buffer inside.
#ifndef WRITE_CONTAINER_H
#define WRITE_CONTAINER_H

#include "write/keys.h"

// In the JSON of a .gltf, the byte that the base64 of the buffer replaces. Valid JSON has no such byte.
#define WRITE_DATA_HOLE '\x01'

typedef struct write_container {
    lint_text *json;
    const void *bytes; // [size]: the start of the first buffer; it is padded
    size_t size;
    const write_accessors *added; // the rest of it
    write_put put;                // receives the file
    void *user;
} write_container;

// The size of the first buffer.
size_t write_container_size(const write_container *c);

// Writes a .glb (section 4.4). Returns false if memory runs out, the added bytes can't be read, or, with nothing put, if it would
// exceed 4 GiB.
bool write_container_glb(const write_container *c);

// Writes the JSON with the buffer instead of its hole. Returns false if the added bytes can't be read.
bool write_container_gltf(const write_container *c);

#endif
