// SPDX-License-Identifier: MIT
// The files that the tools read. Each is a regular file and is noted before it is opened, so an output can be compared
// with all inputs. Nothing else in the tools opens a file to read it. Files are noted and read on any thread.
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The most that the library reads of a graph or a map.
#define FILES_MAX_TEXT ((size_t)64 << 20)

// What a file is under any name: ./a.glb, a link, or A.GLB on a file system that ignores case.
typedef struct files_identity {
    uint64_t device, number;
} files_identity;

bool files_are_same(files_identity a, files_identity b);

// Identifies a file of any kind; false if there isn't one.
bool files_identify(const char *path, files_identity *identity);

// The same for what an open stream writes to.
bool files_identify_stream(FILE *stream, files_identity *identity);

// What a file was at a moment. It differs once the file has been written again; no padding, so memcmp compares two.
typedef struct files_version {
    files_identity identity;
    uint64_t size, time; // bytes; when it was written, by the file system's clock
} files_version;

// Finds what a file is now; false if there isn't one.
bool files_find_version(const char *path, files_version *version);

// A file that was noted.
typedef struct files_input {
    char *path; // as it was opened
    files_identity identity;
} files_input;

// The number of files that were noted.
int files_input_count(void);

// File `index`, in the order in which they were noted. Its path is valid until files_forget.
files_input files_input_at(int index);

// Forgets all of them, between two runs in one process: no other thread may use this header meanwhile.
void files_forget(void);

// Notes a file that something else opens. Only regular files are noted. False if memory runs out.
bool files_note(const char *path);

// Notes a file and finds its size. Returns NULL, or why it can't be read: "this is a device, not a regular file".
const char *files_size(const char *path, size_t *size);

// Reads the first `size` bytes of a file, after files_size. Returns NULL, or why they can't be read.
const char *files_read(const char *path, void *data, size_t size);

// Notes a file and reads all of it, at most `most` bytes, into memory of malloc. Returns NULL, or why it can't be read.
const char *files_read_all(const char *path, size_t most, char **data, size_t *size);

#endif
