// SPDX-License-Identifier: MIT
// The functions of the meshoptimizer library that tools/optimize calls, for WebAssembly, where the library cannot be
// linked: vertex_codec.c and vertex_filters.c have implementations that give the same bytes.
//
// Formats: EXT_meshopt_compression, appendices A (bitstream, version 0 of mode ATTRIBUTES) and B (filters).
// https://github.com/KhronosGroup/glTF/blob/main/extensions/2.0/Vendor/EXT_meshopt_compression/README.md
#ifndef WEB_MESHOPT_MESHOPTIMIZER_H
#define WEB_MESHOPT_MESHOPTIMIZER_H

#include <stddef.h>

// `vertex_size` is a multiple of 4, from 4 to 256.

// The largest size of an encoded buffer.
size_t meshopt_encodeVertexBufferBound(size_t vertex_count, size_t vertex_size);

// Returns the size of the encoded buffer; 0 if it exceeds `buffer_size`.
size_t meshopt_encodeVertexBuffer(unsigned char *buffer, size_t buffer_size, const void *vertices,
                                  size_t vertex_count, size_t vertex_size);

// Returns 0 if the buffer is whole.
int meshopt_decodeVertexBuffer(void *destination, size_t vertex_count, size_t vertex_size,
                               const unsigned char *buffer, size_t buffer_size);

// Quaternions of four 16-bit numbers: `stride` is 8.
void meshopt_encodeFilterQuat(void *destination, size_t count, size_t stride, int bits, const float *data);
void meshopt_decodeFilterQuat(void *buffer, size_t count, size_t stride);

// Floats with a shared layout of 8 bits of exponent and 24 of mantissa: `stride` is a multiple of 4.
void meshopt_decodeFilterExp(void *buffer, size_t count, size_t stride);

#endif
