// SPDX-License-Identifier: MIT
// Stubs for C library functions that need an operating system: files and environment variables. The C library's own
// would import a dozen WASI functions from the page. No page can call sinew_gltf_load_file; it would find no files.
#include <errno.h>
#include <math.h>
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

// Sine and cosine for KHR_texture_transform, which uses small angles. The C library's functions are accurate for all
// angles and take six kilobytes.
static double sine(double angle) {
    const double turn = 6.283185307179586;
    double x = fmod(angle, turn);
    if (x > turn / 2) x -= turn;
    if (x < -turn / 2) x += turn;
    double square = x * x, sum = 0.0;
    for (int i = 27; i > 1; i -= 2)
        sum = (sum + 1.0) * -square / (i * (i - 1)); // the last term, x^27 / 27!, is at most 3e-15
    return x * (sum + 1.0);
}

float sinf(float angle) {
    return (float)sine((double)angle);
}

float cosf(float angle) {
    return (float)sine((double)angle + 1.5707963267948966);
}
