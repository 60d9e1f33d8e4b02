// SPDX-License-Identifier: MIT
// Identifies files under any name on Windows, where stat doesn't return a file number.
#include "files/files.h"

#include <io.h>
#include <windows.h>

static uint64_t join(DWORD high, DWORD low) {
    return (uint64_t)high << 32 | low;
}

static bool find(HANDLE file, files_version *version) {
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle(file, &found)) return false;
    version->identity =
        (files_identity){found.dwVolumeSerialNumber, join(found.nFileIndexHigh, found.nFileIndexLow)};
    version->size = join(found.nFileSizeHigh, found.nFileSizeLow);
    version->time = join(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime);
    return true;
}

bool files_find_version(const char *path, files_version *version) {
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE file = CreateFileA(path, 0, shared, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) return false;
    const bool good = find(file, version);
    CloseHandle(file);
    return good;
}

bool files_identify(const char *path, files_identity *identity) {
    files_version version;
    if (!files_find_version(path, &version)) return false;
    *identity = version.identity;
    return true;
}

bool files_identify_stream(FILE *stream, files_identity *identity) {
    files_version version;
    if (!find((HANDLE)_get_osfhandle(_fileno(stream)), &version)) return false;
    *identity = version.identity;
    return true;
}
