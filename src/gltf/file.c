// SPDX-License-Identifier: MIT
// Reads a regular file as a whole. Directories, pipes and devices are refused before they are opened.
//
// Paths are UTF-8. Errors do not repeat the path: the callers put it in front.
//
// `g` is the import in progress (gltf/import.h): the options, the JSON, the asset being made, and the error. Functions
// return false once the error is set.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): POSIX's name, which declares stat
#endif
#include "gltf/import.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef enum file_kind { KIND_REGULAR, KIND_DIRECTORY, KIND_SPECIAL, KIND_ABSENT, KIND_DENIED } file_kind;

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN // without sockets and their names
#endif
#include <wchar.h>
#include <windows.h>

#define PATH_LENGTH 4096

// Opens a UTF-8 path, which Windows requires as UTF-16.
static FILE *open_file(const char *path) {
    wchar_t wide[PATH_LENGTH];
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_LENGTH)) return NULL;
    return _wfopen(wide, L"rb");
}

static file_kind find_file_kind(const char *path, uint64_t *size) {
    wchar_t wide[PATH_LENGTH];
    struct _stat64 status;
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_LENGTH)) return KIND_ABSENT;
    if (_wstat64(wide, &status) != 0) return errno == EACCES ? KIND_DENIED : KIND_ABSENT;
    *size = (uint64_t)status.st_size;
    if ((status.st_mode & _S_IFMT) == _S_IFDIR) return KIND_DIRECTORY;
    return (status.st_mode & _S_IFMT) == _S_IFREG ? KIND_REGULAR : KIND_SPECIAL;
}
#else
static FILE *open_file(const char *path) {
    return fopen(path, "rb");
}

static file_kind find_file_kind(const char *path, uint64_t *size) {
    struct stat status;
    if (stat(path, &status) != 0) return errno == EACCES ? KIND_DENIED : KIND_ABSENT;
    *size = (uint64_t)status.st_size;
    if (S_ISDIR(status.st_mode)) return KIND_DIRECTORY;
    return S_ISREG(status.st_mode) ? KIND_REGULAR : KIND_SPECIAL;
}
#endif

static bool fail_reading(sinew_import *g, const char *reason) {
    return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_IO, "%s", reason);
}

// Fails unless the path is a regular file.
static bool check_readable(sinew_import *g, const char *path, uint64_t *size) {
    switch (find_file_kind(path, size)) {
    case KIND_REGULAR:
        return true;
    case KIND_DIRECTORY:
        return fail_reading(g, "this is a directory");
    case KIND_SPECIAL:
        return fail_reading(g, "this is not a regular file");
    case KIND_DENIED:
        return fail_reading(g, "permission denied");
    case KIND_ABSENT:
        break;
    }
    return fail_reading(g, "there is no such file");
}

bool sinew_gltf_file_exists(const char *path) {
    uint64_t size;
    return find_file_kind(path, &size) != KIND_ABSENT;
}

bool sinew_gltf_read_file(sinew_import *g, const char *path, sinew_arena *arena, sinew_gltf_bytes *bytes) {
    uint64_t size = 0;
    if (!check_readable(g, path, &size)) return false;
    if (size >= SIZE_MAX / 2) return fail_reading(g, "the file is too large");
    if (!sinew_gltf_count_read(g, path, (size_t)size)) return false;
    uint8_t *data = sinew_gltf_array(g, arena, uint8_t, (size_t)size + 1);
    if (!data) return false;

    FILE *file = open_file(path);
    if (!file) return fail_reading(g, errno == EACCES ? "permission denied" : "the file cannot be opened");
    size_t bytes_read = fread(data, 1, (size_t)size, file);
    (void)fclose(file); // read-only: an error has no effect
    if (bytes_read != size) return fail_reading(g, "the file cannot be read to its end");
    data[size] = 0;
    *bytes = (sinew_gltf_bytes){.data = data, .size = (size_t)size};
    return true;
}
