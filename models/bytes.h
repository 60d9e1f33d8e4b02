// SPDX-License-Identifier: MIT
// bytes.h - allocation that never fails, growing text and bytes, and files.
#ifndef MODELS_BYTES_H
#define MODELS_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/// Allocates zeroed memory. Ends the program with a message if there is none.
void *must_alloc(size_t count, size_t size);
void *must_realloc(void *block, size_t count, size_t size);

/// Growing text or bytes. `items` counts the elements of a JSON array in it.
typedef struct buffer {
    char *data;
    size_t length, space;
    int items;
} buffer;

void free_buffer(buffer *b);

void put(buffer *b, const void *data, size_t length);

/// Pads to a multiple of four.
void pad(buffer *b, char with);

void put_u32(buffer *b, size_t value);

/// Appends a 32-bit float; -0 becomes 0, which is easier to read in dumps.
void put_float(buffer *b, double value);

/// Appends text, at most a kilobyte a call.
void say(buffer *b, const char *format, ...);

/// Starts the next element of the JSON array that `b` holds and returns its index.
int next_item(buffer *b);

/// Appends a whole .glb file: its header, a JSON chunk and, if `bin` is not empty, a binary chunk.
void put_glb(buffer *file, const buffer *json, const buffer *bin);

/// Appends one chunk, without a change of the length in the file's header.
void put_chunk(buffer *file, const char type[4], const buffer *content);

/// Returns false, after a message, if the file cannot be written.
bool write_file(const char *path, const buffer *content);

#endif
