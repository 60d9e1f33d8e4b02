// SPDX-License-Identifier: MIT
// Helpers for tests of sub-commands that read recordings. For POSIX systems: define _POSIX_C_SOURCE as 200809L before
// the first include.
#ifndef RECORDED_COMMAND_H
#define RECORDED_COMMAND_H

#include "support/recorded.h"

#include <stdio.h>

static inline void write_recording(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// Runs `command sub_command arguments`. `printed` gets its output, including errors. Returns the exit status, or -1
// if it crashed.
static inline int run_command(const char *command, const char *sub_command, const char *arguments,
                              char printed[8192]) {
    char line[1024];
    snprintf(line, sizeof line, "'%s' %s %s 2>&1", command, sub_command, arguments);
    FILE *pipe = popen(line, "r"); // NOLINT(cert-env33-c): the test's own words
    assert_non_null(pipe);
    size_t size = fread(printed, 1, 8191, pipe);
    printed[size] = '\0';
    char rest[4096];
    while (fread(rest, 1, sizeof rest, pipe) > 0) continue; // so it can print the rest
    int status = pclose(pipe);
    return status % 256 ? -1 : status / 256;
}

static inline void check_prints(const char *printed, const char *part) {
    if (!strstr(printed, part)) fail_msg("'%s' lacks '%s'", printed, part);
}

#endif
