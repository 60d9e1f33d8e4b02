// SPDX-License-Identifier: MIT
// Reads regular files. Directories, pipes and devices are rejected before opening them.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier,cert-*): POSIX's name, which declares stat
#endif
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef enum file_kind {
    KIND_REGULAR,
    KIND_DIRECTORY,
    KIND_DEVICE,
    KIND_PIPE,
    KIND_SOCKET,
    KIND_ABSENT,
    KIND_DENIED
} file_kind;

#ifdef _WIN32
// Don't include <windows.h>: it defines near, far and other common words as macros for the whole amalgamated file.
#include <wchar.h>

#include "base/utf8.h"

#define PATH_LENGTH 4096

// Converts a path to UTF-16 for Windows. Returns false if it is invalid UTF-8 or too long.
static bool widen_path(const char *path, wchar_t wide[PATH_LENGTH]) {
    const unsigned char *rest = (const unsigned char *)path;
    for (size_t count = 0; count < PATH_LENGTH - 1;) {
        uint32_t code;
        const size_t length = sinewi_utf8_decode(rest, &code);
        if (length == 0) return false;
        rest += length;
        if (code > 0xFFFF) wide[count++] = (wchar_t)(0xD7C0 + (code >> 10)); // the first of a surrogate pair
        wide[count++] = (wchar_t)(code > 0xFFFF ? 0xDC00 | (code & 0x3FF) : code);
        if (code == 0) return true;
    }
    return false;
}

static FILE *open_file(const char *path) {
    wchar_t wide[PATH_LENGTH];
    return widen_path(path, wide) ? _wfopen(wide, L"rb") : NULL;
}

static file_kind find_file_kind(const char *path, uint64_t *size) {
    wchar_t wide[PATH_LENGTH];
    struct _stat64 status;
    if (!widen_path(path, wide)) return KIND_ABSENT;
    if (_wstat64(wide, &status) != 0) return errno == EACCES ? KIND_DENIED : KIND_ABSENT;
    *size = (uint64_t)status.st_size;
    switch (status.st_mode & _S_IFMT) {
    case _S_IFREG:
        return KIND_REGULAR;
    case _S_IFDIR:
        return KIND_DIRECTORY;
    case _S_IFIFO:
        return KIND_PIPE;
    default:
        return KIND_DEVICE;
    }
}
#else
static FILE *open_file(const char *path) {
    return fopen(path, "rb");
}

static file_kind find_file_kind(const char *path, uint64_t *size) {
    struct stat status;
    if (stat(path, &status) != 0) return errno == EACCES ? KIND_DENIED : KIND_ABSENT;
    *size = (uint64_t)status.st_size;
    if (S_ISREG(status.st_mode)) return KIND_REGULAR;
    if (S_ISDIR(status.st_mode)) return KIND_DIRECTORY;
    if (S_ISFIFO(status.st_mode)) return KIND_PIPE;
    return S_ISSOCK(status.st_mode) ? KIND_SOCKET : KIND_DEVICE;
}
#endif

bool sinewi_file_exists(const char *path) {
    uint64_t size;
    return find_file_kind(path, &size) != KIND_ABSENT;
}

const char *sinewi_file_size(const char *path, size_t *size) {
    uint64_t whole = 0;
    switch (find_file_kind(path, &whole)) {
    case KIND_REGULAR:
        *size = (size_t)whole;
        return whole < SIZE_MAX / 2 ? NULL : "the file is too large";
    case KIND_DIRECTORY:
        return "this is a directory";
    case KIND_DEVICE:
        return "this is a device, not a regular file";
    case KIND_PIPE:
        return "this is a pipe, not a regular file";
    case KIND_SOCKET:
        return "this is a socket, not a regular file";
    case KIND_DENIED:
        return "permission denied";
    case KIND_ABSENT:
        break;
    }
    return "there is no such file";
}

const char *sinewi_file_text_size(const char *path, size_t *size) {
    const char *reason = sinewi_file_size(path, size);
    if (reason) return reason;
    return *size <= (size_t)64 << 20 ? NULL : "the file is larger than the limit of 64 MiB";
}

const char *sinewi_file_read(const char *path, void *data, size_t size) {
    FILE *file = open_file(path);
    if (!file && errno == ENOMEM) return "out of memory";
    if (!file) return errno == EACCES ? "permission denied" : "the file cannot be opened";
    size_t bytes_read = fread(data, 1, size, file);
    (void)fclose(file); // opened for reading only, so an error here has no effect
    return bytes_read == size ? NULL : "the file cannot be read completely";
}
