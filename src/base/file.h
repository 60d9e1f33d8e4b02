// SPDX-License-Identifier: MIT
// Reading of regular files. Paths are UTF-8. Reasons do not repeat the path: the callers put it in front.
#ifndef SINEWI_FILE_H
#define SINEWI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a file, folder or device of that path exists, readable or not.
bool sinewi_file_exists(const char *path);

// Finds the size of a regular file. Returns NULL, or why it cannot be read.
const char *sinewi_file_size(const char *path, size_t *size);

// The same for a file of text that people write: a graph or a map. Larger ones than 64 MiB are refused.
const char *sinewi_file_text_size(const char *path, size_t *size);

// Reads the first `size` bytes of a regular file. Returns NULL, or why they cannot be read.
const char *sinewi_file_read(const char *path, void *data, size_t size);

#endif
