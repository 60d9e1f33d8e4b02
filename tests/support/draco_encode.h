// SPDX-License-Identifier: MIT
// Encodes meshes with libdraco for the decoder's tests, and counts C++ code's heap memory.
#ifndef DRACO_ENCODE_H
#define DRACO_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct draco_attribute {
    const char *kind;     // "POSITION", "NORMAL", "TEX_COORD", "COLOR" or "GENERIC"
    int32_t component;    // glTF's number: 5121, 5123 or 5126
    int32_t width;        // numbers per vertex
    int32_t quantization; // bits; 0: none
    uint32_t id;          // its unique id
    const void *data;     // [vertices × width]
} draco_attribute;

// Returns the encoded bytes, or NULL. The caller frees them. `edgebreaker` changes the order of vertices and
// triangles.
uint8_t *draco_encode(int32_t vertex_count, int32_t triangle_count, const uint32_t *indices,
                      int32_t attribute_count, const draco_attribute *attributes, int edgebreaker, size_t *size);

// The largest block that C++ code allocated since the last call; 0 under sanitizers, which have their own heap.
size_t draco_largest_allocation(void);

#ifdef __cplusplus
}
#endif
#endif
