// SPDX-License-Identifier: MIT
// Runs a function in a child process, which may abort or crash.
#ifndef IN_CHILD_H
#define IN_CHILD_H

#include "support/check.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// The same. `said` gets the start of its standard error, terminated.
static inline int run_in_child_heard(int (*function)(void *data), void *data, char *said, size_t size) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); // overrides cmocka's handler
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (dup2(ends[1], STDERR_FILENO) < 0) _exit(1);
        _exit(function(data));
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while (length + 1 < size && (got = read(ends[0], said + length, size - 1 - length)) > 0) length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// Returns its result, or minus the signal that killed it. Discards its output.
static inline int run_in_child(int (*function)(void *data), void *data) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int signals[4] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
        for (int i = 0; i < 4; i++) signal(signals[i], SIG_DFL); // overrides cmocka's handlers
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        _exit(function(data));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

#endif
