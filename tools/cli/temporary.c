// SPDX-License-Identifier: MIT
// The temporary file behind an output. Handles symbolic links, permissions and signals.
#include "cli/temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Names ---------------------------------------------------------------------------------------------------

// Returns the length of a path's folder including the slash, or 0.
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// Returns `name` in the folder of `path`, or NULL if memory runs out.
static char *put_beside(const char *path, const char *name) {
    const size_t folder = name[0] == '/' ? 0 : folder_length(path), size = strlen(name) + 1;
    char *whole = malloc(folder + size);
    if (!whole) return NULL;
    memcpy(whole, path, folder);
    memcpy(whole + folder, name, size);
    return whole;
}

// Returns where a symbolic link leads, or NULL with errno. EINVAL means it isn't a link.
static char *read_link(const char *path) {
    char name[4096];
    const ssize_t length = readlink(path, name, sizeof name);
    if (length == (ssize_t)sizeof name) errno = ENAMETOOLONG;
    if (length < 0 || length == (ssize_t)sizeof name) return NULL;
    name[length] = '\0';
    return put_beside(path, name);
}

char *cli_temporary_target(const char *path) {
    enum { MAX_LINKS = 40 };
    char *target = strdup(path);
    for (int i = 0; target && i < MAX_LINKS; i++) {
        char *next = read_link(target);
        if (!next && (errno == EINVAL || errno == ENOENT)) return target;
        free(target);
        target = next;
    }
    if (target) errno = ELOOP;
    free(target);
    return NULL;
}

// ---- Interruption --------------------------------------------------------------------------------------------

// The temporary file to remove if a signal ends the program.
static const char *volatile interrupted_file;

static const int ending_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

// Removes the file, then lets the signal take its default action: SA_RESETHAND restores it, and the signal is raised
// again.
static void remove_interrupted(int signal_number) {
    if (interrupted_file) (void)unlink(interrupted_file);
    (void)raise(signal_number);
}

// Catches signals. Ignored signals stay ignored, and the write then fails or continues.
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = remove_interrupted, .sa_flags = (int)SA_RESETHAND}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            (void)sigaction(ending_signals[i], &action, NULL);
        }
    }
}

// ---- The file ------------------------------------------------------------------------------------------------

// Gives the new file the permissions of the file it replaces, or a new file's permissions.
static void give_permissions(int file, const char *target) {
    struct stat old;
    if (stat(target, &old) == 0) {
        if (fchown(file, old.st_uid, old.st_gid) != 0)
            errno = 0; // requires the owner or root; write the file anyway
        (void)fchmod(file, old.st_mode & 0777);
        return;
    }
    const mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(file, 0666 & ~mask);
}

// Blocks signals until the file is registered for removal.
static int create(char *path) {
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

FILE *cli_temporary_open(const char *target, char **name) {
    *name = put_beside(target, ".sinew-XXXXXX");
    if (!*name) return NULL;
    catch_signals();
    const int file = create(*name);
    if (file < 0) return NULL;
    give_permissions(file, target);
    FILE *stream = fdopen(file, "wb");
    if (stream) return stream;
    (void)unlink(*name);
    (void)close(file);
    return NULL;
}

bool cli_temporary_replace(const char *name, const char *target) {
    return rename(name, target) == 0;
}

void cli_temporary_remove(const char *name) {
    (void)unlink(name);
}

void cli_temporary_forget(void) {
    interrupted_file = NULL;
}
