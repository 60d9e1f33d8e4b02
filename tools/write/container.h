// SPDX-License-Identifier: MIT
// Writes files as .glb, or as .gltf with the buffer inside.
#ifndef WRITE_CONTAINER_H
#define WRITE_CONTAINER_H

#include "write/keys.h"

// In a .gltf's JSON, this byte is replaced with the buffer's base64. Valid JSON doesn't contain it.
#define WRITE_DATA_HOLE '\x01'

typedef struct write_container {
    lint_text *json;
    const void *bytes; // [size]; where the first buffer starts; it's padded
    size_t size;
    const write_accessors *added; // the rest of the buffer
    write_put put;                // receives the file
    void *user;
} write_container;

// Returns the first buffer's size.
size_t write_container_size(const write_container *c);

// Writes a .glb (section 4.4). Returns false if memory runs out or the added bytes can't be read. If it would exceed 4
// GiB, writes nothing and returns false.
bool write_container_glb(const write_container *c);

// Writes the JSON with the buffer in its hole. Returns false if the added bytes can't be read.
bool write_container_gltf(const write_container *c);

#endif
