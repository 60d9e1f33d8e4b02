// SPDX-License-Identifier: MIT
// Opens, checks and closes outputs.
#include "cli/output.h"

#include "cli/cli.h"
#include "cli/temporary.h"

#include "files/files.h"
#include "reference/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Inputs --------------------------------------------------------------------------------------------------

typedef struct search {
    files_identity output;
    char *found; // the input that would be overwritten; NULL if memory ran out
} search;

static bool is_other_file(const char *path, void *user) {
    search *s = user;
    files_identity identity;
    if (!files_identify(path, &identity) || !files_are_same(s->output, identity)) return true;
    s->found = strdup(path);
    return false;
}

// Returns whether a file may be glTF: it starts with "glTF", white space, a byte order mark or '{'.
static bool may_name_files(const char *path) {
    char start[4] = "";
    size_t size;
    if (files_size(path, &size) || size < sizeof start || files_read(path, start, sizeof start)) return false;
    return memcmp(start, "glTF", 4) == 0 || strchr(" \t\r\n{\xEF", start[0]);
}

// Compares the output with an input and the files it names.
static bool is_apart(const char *path, files_identity identity, search *s) {
    if (files_are_same(s->output, identity)) {
        s->found = strdup(path);
        return false;
    }
    return !may_name_files(path) || ref_visit_files(path, is_other_file, s);
}

// Fails if an existing output is one of the inputs starting at `first`.
static int check_inputs(const cli_output_def *def, files_identity output, int first) {
    search s = {.output = output};
    const int count = files_input_count(); // meanwhile, the files they name are recorded after these
    for (int i = first; i < count; i++) {
        const files_input input = files_input_at(i);
        if (is_apart(input.path, input.identity, &s)) continue;
        if (!s.found) return cli_fail("%s: out of memory", input.path);
        cli_usage(def->command, "%s %s would overwrite the input %s; choose another file", def->option, def->path,
                  s.found);
        free(s.found);
        return CLI_USAGE;
    }
    return CLI_GOOD;
}

static bool is_standard_output(const char *path) {
    return strcmp(path, "-") == 0;
}

static bool find_identity(const char *path, files_identity *identity) {
    return is_standard_output(path) ? files_identify_stream(stdout, identity) : files_identify(path, identity);
}

static int check_from(const cli_output_def *def, int first) {
    files_identity identity;
    return find_identity(def->path, &identity) ? check_inputs(def, identity, first) : CLI_GOOD;
}

int cli_output_check(const cli_output_def *def) {
    return check_from(def, 0);
}

// ---- Endings -------------------------------------------------------------------------------------------------

// Returns a name's ending, such as ".glb", or NULL.
static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot : NULL;
}

static bool is_listed(const char *path, const char *endings) {
    while (*endings) {
        char ending[16];
        const size_t length = strcspn(endings, " ");
        snprintf(ending, sizeof ending, "%.*s", (int)length, endings);
        if (cli_has_suffix(path, ending)) return true;
        endings += length + strspn(endings + length, " ");
    }
    return false;
}

static bool is_avatar_like(const char *path, const char *source) {
    static const char *const endings[] = {".vrm", ".vrma"};
    for (int i = 0; source && i < 2; i++) {
        if (cli_has_suffix(path, endings[i]) && cli_has_suffix(source, endings[i])) return true;
    }
    return false;
}

bool cli_output_has_ending(const cli_output_def *def, const char *endings, const char *source) {
    if (!ending_of(def->path) || is_listed(def->path, endings) || is_avatar_like(def->path, source)) return true;
    char list[64] = "";
    for (const char *ending = endings; *ending;) {
        const size_t length = strcspn(ending, " "), size = strlen(list);
        const char *next = ending + length + strspn(ending + length, " ");
        const char *separator = ending == endings ? "" : *next ? ", " : " or ";
        snprintf(list + size, sizeof list - size, "%s%.*s", separator, (int)length, ending);
        ending = next;
    }
    cli_usage(def->command, "%s must end in %s, not '%s'", def->option, list, def->path);
    return false;
}

// ---- Opening -------------------------------------------------------------------------------------------------

// Returns whether to write an output directly. Devices, pipes and open descriptors have no folder for a temporary file.
static bool is_direct(const char *path, const struct stat *status) {
    return !S_ISREG(status->st_mode) || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           strcmp(path, "/dev/stderr") == 0;
}

// Returns whether a path is standard output under any name, such as /dev/stdout.
static bool leads_to_standard_output(const char *path) {
    files_identity identity, standard;
    if (is_standard_output(path)) return true;
    return files_identify(path, &identity) && files_identify_stream(stdout, &standard) &&
           files_are_same(identity, standard);
}

static void forget(cli_output *output) {
    cli_temporary_forget();
    free(output->temporary);
    free(output->target);
    *output = (cli_output){0};
}

static int fail_to_write(cli_output *output, const char *why) {
    cli_fail("%s: cannot be written: %s", output->def.path, why);
    forget(output);
    return CLI_BAD_INPUT;
}

static int open_temporary(cli_output *output) {
    output->target = cli_temporary_target(output->def.path);
    if (output->target) output->file = cli_temporary_open(output->target, &output->temporary);
    return output->file ? CLI_GOOD : fail_to_write(output, strerror(errno));
}

static int open_existing(cli_output *output, const struct stat *status) {
    const char *path = output->def.path;
    if (S_ISDIR(status->st_mode)) return fail_to_write(output, strerror(EISDIR));
    if (is_direct(path, status)) {
        output->file = fopen(path, "wb");
        return output->file ? CLI_GOOD : fail_to_write(output, strerror(errno));
    }
    return access(path, W_OK) == 0 ? open_temporary(output) : fail_to_write(output, strerror(errno));
}

int cli_output_open(cli_output *output, const cli_output_def *def) {
    return cli_output_open_apart(output, def, 0);
}

int cli_output_open_apart(cli_output *output, const cli_output_def *def, int compared) {
    struct stat status;
    const int inputs = files_input_count();
    *output = (cli_output){.def = *def};
    const int checked = check_from(def, compared);
    if (checked != CLI_GOOD) return checked;
    const bool exists = stat(def->path, &status) == 0;
    output->checked = exists ? inputs : 0;
    if (leads_to_standard_output(def->path)) {
        output->file = stdout;
        return CLI_GOOD;
    }
    return exists ? open_existing(output, &status) : open_temporary(output);
}

// ---- Closing -------------------------------------------------------------------------------------------------

// Flushes a file. On failure, errno is the reason, or the reason of an earlier failed write.
static bool flush(FILE *file) {
    bool good = fflush(file) == 0 && !ferror(file);
    const int reason = errno;
    if (fclose(file) != 0 && good) return false;
    errno = reason;
    return good;
}

// Replaces the target, after comparing it with inputs that were read while the output was open.
static int replace_target(cli_output *output) {
    const int checked = check_from(&output->def, output->checked);
    if (checked != CLI_GOOD || cli_temporary_replace(output->temporary, output->target)) return checked;
    return cli_fail("%s: cannot be written: %s", output->def.path, strerror(errno));
}

int cli_output_close(cli_output *output) {
    if (output->file == stdout) {
        *output = (cli_output){0};
        return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
    }
    int status = CLI_GOOD;
    if (!flush(output->file)) {
        status =
            cli_fail("%s: not everything could be written: %s", output->def.path, strerror(errno ? errno : EIO));
    } else if (output->target) {
        status = replace_target(output);
    }
    if (status != CLI_GOOD && output->target) cli_temporary_remove(output->temporary);
    forget(output);
    return status;
}

void cli_output_discard(cli_output *output) {
    if (!output->file) return;
    if (output->file != stdout) (void)fclose(output->file);
    if (output->target) cli_temporary_remove(output->temporary);
    forget(output);
}

// ---- Named files ---------------------------------------------------------------------------------------------

static bool note(const char *path, void *user) {
    (void)user;
    return files_note(path);
}

bool cli_note_named_files(const char *path) {
    return ref_visit_files(path, note, NULL);
}
