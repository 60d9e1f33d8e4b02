// SPDX-License-Identifier: MIT
// Writes the recorded inputs (files/files.h) in the format that make, ninja and CMake read.
#include "cli/depfile.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "files/files.h"

// Escapes spaces, '#' and '$', which have a meaning in such files. On Windows, replaces backslashes with slashes.
static void put_path(FILE *file, const char *path) {
    for (const char *c = path; *c; c++) {
        if (*c == ' ' || *c == '#') fputc('\\', file);
        if (*c == '$') fputc('$', file);
#ifdef _WIN32
        fputc(*c == '\\' ? '/' : *c, file);
#else
        fputc(*c, file);
#endif
    }
}

// Records the files that the inputs name, because the library opens buffers and images itself.
static bool note_named_files(void) {
    const int count = files_input_count();
    for (int i = 0; i < count; i++)
        if (!cli_note_named_files(files_input_at(i).path)) return false;
    return true;
}

int cli_write_depfile(const char *command, const char *path, const char *target) {
    const cli_output_def def = {command, "--depfile", path};
    cli_output output;
    if (!path) return CLI_GOOD;
    if (!note_named_files()) return cli_fail("%s: out of memory", path);
    const int opened = cli_output_open(&output, &def);
    if (opened != CLI_GOOD) return opened;
    put_path(output.file, target);
    fputc(':', output.file);
    for (int i = 0; i < files_input_count(); i++) {
        fputs(" \\\n  ", output.file);
        put_path(output.file, files_input_at(i).path);
    }
    fputc('\n', output.file);
    return cli_output_close(&output);
}
