// bytes.h - memory that is there or ends the program, text and bytes that grow, and files.
#ifndef MODELS_BYTES_H
#define MODELS_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/// Memory set to zero, or the program ends with a message: nothing here can go on without.
void *must_alloc(size_t count, size_t size);
void *must_realloc(void *block, size_t count, size_t size);

/// Text or bytes that grow; `items` counts what was put in as one element of a JSON array.
typedef struct buffer {
    char *data;
    size_t length, space;
    int items;
} buffer;

void free_buffer(buffer *b);

void put(buffer *b, const void *data, size_t length);

/// Fills up to a multiple of four.
void pad(buffer *b, char with);

void put_u32(buffer *b, size_t value);

/// As a 32-bit float; -0 becomes 0, which reads better in dumps.
void put_float(buffer *b, double value);

/// Text, at most a kilobyte a call.
void say(buffer *b, const char *format, ...);

/// Starts the next element of the JSON array that `b` holds and returns its index.
int next_item(buffer *b);

/// A whole .glb file: its head, a JSON chunk and, where `bin` is not empty, a binary one.
void put_glb(buffer *file, const buffer *json, const buffer *bin);

/// One chunk of it; the length in the file's head is not looked at.
void put_chunk(buffer *file, const char type[4], const buffer *content);

/// False, after a message, if the file cannot be written.
bool write_file(const char *path, const buffer *content);

#endif
