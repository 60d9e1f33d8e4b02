// SPDX-License-Identifier: MIT
// The temporary file behind an output: what signals leave, and what's dropped. Each case runs in a child process.
#include "cli/output.h"

#include "cli/cli.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TARGET "test_output.txt"

static void write_target(const char *text) {
    FILE *file = fopen(TARGET, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect_target(const char *expected) {
    char text[64] = "";
    FILE *file = fopen(TARGET, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static int visit_temporaries(bool drop) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (strncmp(entry->d_name, ".sinew", 6) != 0) continue;
        count++;
        if (drop) remove(entry->d_name);
    }
    closedir(folder);
    return count;
}

static int count_temporaries(void) {
    return visit_temporaries(false);
}

// What a failed run left.
static int drop_temporaries(void **state) {
    (void)state;
    visit_temporaries(true);
    return 0;
}

static void open_target(cli_output *output) {
    const cli_output_def def = {"test", "-o", TARGET};
    if (cli_output_open(output, &def) != CLI_GOOD) _exit(90);
    fputs("new", output->file);
    fflush(output->file); // half of it is on the disk
    if (count_temporaries() != 1) _exit(91);
}

// How a child ends that runs `body` with a signal.
static int run_child(void (*body)(int signal_number), int signal_number) {
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        body(signal_number);
        _exit(92);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void interrupt_writing(int signal_number) {
    cli_output output;
    open_target(&output);
    raise(signal_number);
}

// Catches a half-written target, a temporary file that stays, and a signal that no longer ends the program.
static void a_signal_leaves_the_old_file(void **state) {
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        write_target("old");
        const int status = run_child(interrupt_writing, numbers[i]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), numbers[i]);
        expect_target("old");
        assert_int_equal(count_temporaries(), 0);
    }
}

static void ignore_and_write(int signal_number) {
    cli_output output;
    signal(signal_number, SIG_IGN);
    open_target(&output);
    raise(signal_number);
    _exit(cli_output_close(&output) == CLI_GOOD ? 0 : 93);
}

// Catches nohup that no longer keeps a program alive.
static void an_ignored_signal_stays_ignored(void **state) {
    (void)state;
    write_target("old");
    const int status = run_child(ignore_and_write, SIGHUP);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    expect_target("new");
    assert_int_equal(count_temporaries(), 0);
}

static void write_and_interrupt(int signal_number) {
    cli_output output;
    open_target(&output);
    if (cli_output_close(&output) != CLI_GOOD || count_temporaries() != 0) _exit(93);
    raise(signal_number);
}

static void a_signal_after_the_end_changes_nothing(void **state) {
    (void)state;
    write_target("old");
    assert_true(WIFSIGNALED(run_child(write_and_interrupt, SIGINT)));
    expect_target("new");
}

static void discard(int signal_number) {
    (void)signal_number;
    cli_output output;
    open_target(&output);
    cli_output_discard(&output);
    cli_output_discard(&output); // no-op
    _exit(0);
}

static void what_is_discarded_leaves_the_old_file(void **state) {
    (void)state;
    write_target("old");
    const int status = run_child(discard, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    expect_target("old");
    assert_int_equal(count_temporaries(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_leaves_the_old_file),
        cmocka_unit_test(an_ignored_signal_stays_ignored),
        cmocka_unit_test(a_signal_after_the_end_changes_nothing),
        cmocka_unit_test(what_is_discarded_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, drop_temporaries, NULL);
}
