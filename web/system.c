// The module has no system below it: no files, no environment. These stand in for the C library's functions, which
// would ask a page for a dozen of WASI's; sinew_gltf_load_file, which no page can call, finds nothing.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

char *getenv(const char *name) {
    (void)name;
    return NULL;
}

int stat(const char *restrict path, struct stat *restrict status) {
    (void)path;
    (void)status;
    errno = ENOENT;
    return -1;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
    (void)path;
    (void)mode;
    errno = ENOENT;
    return NULL;
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file) {
    (void)to;
    (void)size;
    (void)count;
    (void)file;
    return 0;
}

int fclose(FILE *file) {
    (void)file;
    return EOF;
}
