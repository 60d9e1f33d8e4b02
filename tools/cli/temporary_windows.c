// SPDX-License-Identifier: MIT
// The temporary file behind an output, on Windows. It can be deleted while it's open.
#include "cli/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { MAX_LENGTH = 4096 };

// ---- Names ---------------------------------------------------------------------------------------------------

static size_t folder_length(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && !strchr("/\\:", path[length - 1])) length--;
    return length;
}

static void set_errno(void) {
    switch (GetLastError()) {
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
        break;
    }
}

// Follows a link, to replace the file behind it.
char *cli_temporary_target(const char *path) {
    const DWORD attributes = GetFileAttributesA(path);
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_REPARSE_POINT)) return _strdup(path);
    const HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        set_errno();
        return NULL;
    }
    char target[MAX_LENGTH];
    const DWORD length = GetFinalPathNameByHandleA(file, target, sizeof target, 0);
    CloseHandle(file);
    if (length > 0 && length < sizeof target) return _strdup(target);
    errno = ENAMETOOLONG;
    return NULL;
}

// ---- Interruption --------------------------------------------------------------------------------------------

// The temporary file to remove if the console ends the program.
static const char *volatile interrupted_file;

static BOOL WINAPI remove_interrupted(DWORD event) {
    (void)event;
    if (interrupted_file) (void)DeleteFileA(interrupted_file);
    return FALSE; // now the event ends the program
}

// ---- The file ------------------------------------------------------------------------------------------------

// Creates a file with a new name. `end` is the part of the name that changes.
static HANDLE create(const char *path, char *end) {
    enum { TRIES = 100 };
    HANDLE file = INVALID_HANDLE_VALUE;
    unsigned number = (unsigned)GetTickCount() * 1000u + (unsigned)GetCurrentProcessId();
    for (int i = 0; i < TRIES && file == INVALID_HANDLE_VALUE; i++, number += 7919u) {
        snprintf(end, 9, "%08x", number);
        file = CreateFileA(path, GENERIC_WRITE | DELETE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, CREATE_NEW,
                           FILE_ATTRIBUTE_NORMAL, NULL);
        if (file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS) break;
    }
    return file;
}

static FILE *open_stream(HANDLE file) {
    const int descriptor = _open_osfhandle((intptr_t)file, _O_BINARY);
    return descriptor >= 0 ? _fdopen(descriptor, "wb") : NULL;
}

FILE *cli_temporary_open(const char *target, char **name) {
    static const char start[] = ".sinew-";
    const size_t folder = folder_length(target);
    *name = malloc(folder + sizeof start + 8);
    if (!*name) return NULL;
    memcpy(*name, target, folder);
    memcpy(*name + folder, start, sizeof start);
    (void)SetConsoleCtrlHandler(remove_interrupted, TRUE);
    const HANDLE file = create(*name, *name + folder + sizeof start - 1);
    if (file == INVALID_HANDLE_VALUE) {
        set_errno();
        return NULL;
    }
    interrupted_file = *name;
    FILE *stream = open_stream(file);
    if (stream) return stream;
    (void)DeleteFileA(*name);
    CloseHandle(file);
    return NULL;
}

bool cli_temporary_replace(const char *name, const char *target) {
    if (MoveFileExA(name, target, MOVEFILE_REPLACE_EXISTING)) return true;
    set_errno();
    return false;
}

void cli_temporary_remove(const char *name) {
    (void)DeleteFileA(name);
}

void cli_temporary_forget(void) {
    interrupted_file = NULL;
}
