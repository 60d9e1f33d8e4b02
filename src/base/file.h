// SPDX-License-Identifier: MIT
// Reads regular files. Paths are UTF-8. The returned reasons don't include the path: callers prepend it.
#ifndef SINEWI_FILE_H
#define SINEWI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns whether a file, folder or device exists at this path, even if it can't be read.
bool sinewi_file_exists(const char *path);

// Gets the size of a regular file. Returns NULL on success, otherwise the reason for the failure.
const char *sinewi_file_size(const char *path, size_t *size);

// Like sinewi_file_size, for graphs, maps and other text that people write by hand. Rejects files above 64 MiB.
const char *sinewi_file_text_size(const char *path, size_t *size);

// Reads the first `size` bytes of a regular file. Returns NULL on success, otherwise the reason for the failure.
const char *sinewi_file_read(const char *path, void *data, size_t size);

#endif
