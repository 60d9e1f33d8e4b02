// SPDX-License-Identifier: MIT
// The functions of the meshoptimizer library that tools/optimize and tools/meshes call, for WebAssembly, where the library
// cannot be linked: vertex_codec.c, index_codec.c and vertex_filters.c have implementations that give the same bytes.
//
// Formats: EXT_meshopt_compression, appendices A (bitstream: version 0 of mode ATTRIBUTES, version 1 of modes TRIANGLES and
// INDICES) and B (filters).
// https://github.com/KhronosGroup/glTF/blob/main/extensions/2.0/Vendor/EXT_meshopt_compression/README.md
#ifndef WEB_MESHOPT_MESHOPTIMIZER_H
#define WEB_MESHOPT_MESHOPTIMIZER_H

#include <stddef.h>

// The library has meshopt_decodeFilterColor from 250 on.
#define MESHOPTIMIZER_VERSION 0

// These do nothing: each codec has the one version.
void meshopt_encodeVertexVersion(int version);
void meshopt_encodeIndexVersion(int version);

// `vertex_size` is a multiple of 4, from 4 to 256.

// The largest size of an encoded buffer.
size_t meshopt_encodeVertexBufferBound(size_t vertex_count, size_t vertex_size);

// Returns the size of the encoded buffer; 0 if it exceeds `buffer_size`.
size_t meshopt_encodeVertexBuffer(unsigned char *buffer, size_t buffer_size, const void *vertices,
                                  size_t vertex_count, size_t vertex_size);

// Returns 0 if the buffer is whole.
int meshopt_decodeVertexBuffer(void *destination, size_t vertex_count, size_t vertex_size,
                               const unsigned char *buffer, size_t buffer_size);

// Indices of triangles; `index_count` is a multiple of 3. The bound is that of indices less than `vertex_count`.
size_t meshopt_encodeIndexBufferBound(size_t index_count, size_t vertex_count);

// Returns the size of the encoded buffer; 0 if it exceeds `buffer_size`. A triangle may start at another of its corners.
size_t meshopt_encodeIndexBuffer(unsigned char *buffer, size_t buffer_size, const unsigned int *indices,
                                 size_t index_count);

// Returns 0 if the buffer is whole. `index_size` is 2 or 4.
int meshopt_decodeIndexBuffer(void *destination, size_t index_count, size_t index_size, const unsigned char *buffer,
                              size_t buffer_size);

// The same of any sequence of indices.
size_t meshopt_encodeIndexSequenceBound(size_t index_count, size_t vertex_count);
size_t meshopt_encodeIndexSequence(unsigned char *buffer, size_t buffer_size, const unsigned int *indices,
                                   size_t index_count);
int meshopt_decodeIndexSequence(void *destination, size_t index_count, size_t index_size,
                                const unsigned char *buffer, size_t buffer_size);

// Unit vectors with a fourth component, as numbers of `bits` bits: `stride` is 4 or 8.
void meshopt_encodeFilterOct(void *destination, size_t count, size_t stride, int bits, const float *data);
void meshopt_decodeFilterOct(void *buffer, size_t count, size_t stride);

// Quaternions of four 16-bit numbers: `stride` is 8.
void meshopt_encodeFilterQuat(void *destination, size_t count, size_t stride, int bits, const float *data);
void meshopt_decodeFilterQuat(void *buffer, size_t count, size_t stride);

// Floats with a shared layout of 8 bits of exponent and 24 of mantissa: `stride` is a multiple of 4.
void meshopt_decodeFilterExp(void *buffer, size_t count, size_t stride);

#endif
