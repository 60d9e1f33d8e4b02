// SPDX-License-Identifier: MIT
// The files that the tools read. Each must be a regular file and is recorded before it's opened, to compare outputs
// with all inputs. The tools don't open files for reading in any other way. You can record and read files on any
// thread.
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The largest graph or map that the library reads.
#define FILES_MAX_TEXT ((size_t)64 << 20)

// Identifies a file under any name: ./a.glb, a link, or A.GLB on a file system that ignores case.
typedef struct files_identity {
    uint64_t device, number;
} files_identity;

bool files_are_same(files_identity a, files_identity b);

// Identifies a file of any kind. Returns false if it doesn't exist.
bool files_identify(const char *path, files_identity *identity);

// Like files_identify, but for the file that an open stream writes to.
bool files_identify_stream(FILE *stream, files_identity *identity);

// A file at a point in time. It changes when the file is written again. There's no padding, so you can use memcmp.
typedef struct files_version {
    files_identity identity;
    uint64_t size, time; // bytes; when it was written, by the file system's clock
} files_version;

// Finds a file's current version. Returns false if it doesn't exist.
bool files_find_version(const char *path, files_version *version);

// A recorded file.
typedef struct files_input {
    char *path; // as it was opened
    files_identity identity;
} files_input;

// Returns how many files were recorded.
int files_input_count(void);

// Returns file `index`, in the order they were recorded. Its path is valid until files_forget.
files_input files_input_at(int index);

// Forgets all files, between two runs in one process. No other thread may use this header meanwhile.
void files_forget(void);

// Records a file that something else opens. Ignores anything that isn't a regular file. Returns false if memory runs
// out.
bool files_note(const char *path);

// Records a file and finds its size. Returns NULL, or why it can't be read: "this is a device, not a regular file".
const char *files_size(const char *path, size_t *size);

// Reads the first `size` bytes of a file, after files_size. Returns NULL, or why they can't be read.
const char *files_read(const char *path, void *data, size_t size);

// Records a file and reads all of it, at most `most` bytes, into memory from malloc. Returns NULL, or why it can't be
// read.
const char *files_read_all(const char *path, size_t most, char **data, size_t *size);

#endif
