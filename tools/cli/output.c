// SPDX-License-Identifier: MIT
// Outputs: the identity of files, the check against inputs, and the temporary file.
#include "cli/output.h"

#include "cli/cli.h"

#include "reference/document.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Identity ------------------------------------------------------------------------------------------------

// Device and inode identify a file under any name: ./a.glb, a link, or A.GLB on a file system that ignores case.
static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

typedef struct search {
    const struct stat *output;
    char *found; // the path of the input that is the output
    bool out_of_memory;
} search;

static bool is_other_file(const char *path, void *user) {
    search *s = user;
    struct stat status;
    if (stat(path, &status) != 0 || !is_same_file(s->output, &status)) return true;
    s->found = strdup(path);
    return false;
}

// Fails if an existing output is one of the inputs.
static int check_inputs(const cli_output_def *def, const struct stat *output) {
    for (int i = 0; i < def->input_count; i++) {
        search s = {.output = output};
        if (ref_visit_files(def->inputs[i], is_other_file, &s)) continue;
        if (!s.found) return cli_fail("%s: out of memory", def->inputs[i]);
        cli_usage(def->command, "%s %s would overwrite the input %s; choose another file", def->option, def->path,
                  s.found);
        free(s.found);
        return CLI_USAGE;
    }
    return CLI_GOOD;
}

// ---- Interruption --------------------------------------------------------------------------------------------

// The temporary file to remove when a signal ends the program.
static char *volatile interrupted_file;

static const int ending_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

// The signal's own action follows: SA_RESETHAND brings it back, and the signal is raised again.
static void remove_interrupted(int signal_number) {
    if (interrupted_file) (void)unlink(interrupted_file);
    (void)raise(signal_number);
}

// Ignored signals stay ignored: the write then fails or continues.
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = remove_interrupted, .sa_flags = (int)SA_RESETHAND}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            (void)sigaction(ending_signals[i], &action, NULL);
        }
    }
}

// ---- The temporary file --------------------------------------------------------------------------------------

// "folder/.sinew-XXXXXX" for "folder/name"; NULL when memory runs out.
static char *name_temporary(const char *target) {
    static const char name[] = ".sinew-XXXXXX";
    const char *slash = strrchr(target, '/');
    const size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    char *path = malloc(folder + sizeof name);
    if (!path) return NULL;
    memcpy(path, target, folder);
    memcpy(path + folder, name, sizeof name);
    return path;
}

// The permissions of the file that is replaced, or those of a new file.
static void give_permissions(int file, const struct stat *old) {
    if (old) {
        if (fchown(file, old->st_uid, old->st_gid) != 0)
            errno = 0; // requires the owner or root; the file is written anyway
        (void)fchmod(file, old->st_mode & 0777);
        return;
    }
    const mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(file, 0666 & ~mask);
}

// Signals are blocked until the file is registered for removal.
static int create_temporary(char *path) {
    sigset_t all, old;
    sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &old);
    const int file = mkstemp(path);
    const int reason = errno;
    if (file >= 0) interrupted_file = path;
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
    errno = reason;
    return file;
}

static void forget_temporary(cli_output *output) {
    interrupted_file = NULL;
    free(output->temporary);
    free(output->target);
    *output = (cli_output){0};
}

static bool open_temporary(cli_output *output, const struct stat *old) {
    output->target = old ? realpath(output->path, NULL) : strdup(output->path);
    output->temporary = output->target ? name_temporary(output->target) : NULL;
    if (!output->temporary) return false;
    catch_signals();
    const int file = create_temporary(output->temporary);
    if (file < 0) return false;
    give_permissions(file, old);
    output->file = fdopen(file, "wb");
    if (output->file) return true;
    (void)unlink(output->temporary);
    (void)close(file);
    return false;
}

// ---- Opening -------------------------------------------------------------------------------------------------

// Whether an output is written directly: a device, a pipe or an open descriptor, which have no folder for a temporary
// file.
static bool is_direct(const char *path, const struct stat *status) {
    return !S_ISREG(status->st_mode) || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           strcmp(path, "/dev/stderr") == 0;
}

static bool is_standard_output(const char *path, const struct stat *status) {
    struct stat standard;
    if (strcmp(path, "-") == 0) return true;
    return status && fstat(STDOUT_FILENO, &standard) == 0 && is_same_file(status, &standard);
}

static int fail_to_write(cli_output *output, const char *why) {
    cli_fail("%s: cannot be written: %s", output->path, why);
    forget_temporary(output);
    return CLI_BAD_INPUT;
}

static int open_existing(cli_output *output, const struct stat *status) {
    if (S_ISDIR(status->st_mode)) return fail_to_write(output, strerror(EISDIR));
    if (is_direct(output->path, status)) {
        output->file = fopen(output->path, "wb");
        return output->file ? CLI_GOOD : fail_to_write(output, strerror(errno));
    }
    if (access(output->path, W_OK) != 0) return fail_to_write(output, strerror(errno));
    return open_temporary(output, status) ? CLI_GOOD : fail_to_write(output, strerror(errno));
}

static bool find_existing(const char *path, struct stat *status) {
    return strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, status) == 0 : stat(path, status) == 0;
}

int cli_output_check(const cli_output_def *def) {
    struct stat status;
    return find_existing(def->path, &status) ? check_inputs(def, &status) : CLI_GOOD;
}

int cli_output_open(cli_output *output, const cli_output_def *def) {
    struct stat status;
    const bool exists = find_existing(def->path, &status);
    *output = (cli_output){.path = def->path};
    const int checked = exists ? check_inputs(def, &status) : CLI_GOOD;
    if (checked != CLI_GOOD) return checked;
    if (is_standard_output(def->path, exists ? &status : NULL)) {
        output->file = stdout;
        return CLI_GOOD;
    }
    if (exists) return open_existing(output, &status);
    return open_temporary(output, NULL) ? CLI_GOOD : fail_to_write(output, strerror(errno));
}

// ---- Closing -------------------------------------------------------------------------------------------------

// Flushes and closes a file. If that fails, errno is the reason, or that of an earlier failed write.
static bool flush(FILE *file) {
    bool good = fflush(file) == 0 && !ferror(file);
    const int reason = errno;
    if (fclose(file) != 0 && good) return false;
    errno = reason;
    return good;
}

bool cli_output_close(cli_output *output) {
    if (output->file == stdout) {
        output->file = NULL;
        return cli_flush_stdout();
    }
    bool good = flush(output->file);
    if (good && output->target) good = rename(output->temporary, output->target) == 0;
    if (!good) {
        cli_fail("%s: not everything could be written: %s", output->path, strerror(errno ? errno : EIO));
        if (output->target) (void)unlink(output->temporary);
    }
    forget_temporary(output);
    return good;
}

void cli_output_discard(cli_output *output) {
    if (!output->file) return;
    if (output->file != stdout) (void)fclose(output->file);
    if (output->target) (void)unlink(output->temporary);
    forget_temporary(output);
}
