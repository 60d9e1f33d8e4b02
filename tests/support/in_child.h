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

// Its result, or minus the signal that it died of. What it prints is lost.
static inline int run_in_child(int (*function)(void *data), void *data) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int signals[4] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
        for (int i = 0; i < 4; i++) signal(signals[i], SIG_DFL); // cmocka has handlers
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        _exit(function(data));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

#endif
