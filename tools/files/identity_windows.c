// SPDX-License-Identifier: MIT
// What a file is under any name, on Windows, whose stat has no number of a file.
#include "files/files.h"

#include <io.h>
#include <windows.h>

static bool identify(HANDLE file, files_identity *identity) {
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle(file, &found)) return false;
    *identity =
        (files_identity){found.dwVolumeSerialNumber, (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow};
    return true;
}

bool files_identify(const char *path, files_identity *identity) {
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE file = CreateFileA(path, 0, shared, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) return false;
    const bool good = identify(file, identity);
    CloseHandle(file);
    return good;
}

bool files_identify_stream(FILE *stream, files_identity *identity) {
    return identify((HANDLE)_get_osfhandle(_fileno(stream)), identity);
}
