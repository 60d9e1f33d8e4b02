// SPDX-License-Identifier: MIT
// Messages, arguments, standard output and progress, for all sub-commands.
#include "cli/cli.h"

#include "numbers/numbers.h"
#include "system/system.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- Messages ------------------------------------------------------------------------------------------------

// Prints one line, cut to 4095 bytes. Escapes it, because it may contain file names and names from files.
static void print_message(const char *format, va_list arguments) {
    char text[4096], escaped[2 * sizeof text];
    vsnprintf(text, sizeof text, format, arguments);
    sinew_escape(text, escaped, sizeof escaped);
    fputs(escaped, stderr);
}

static void print_line(const char *format, va_list arguments) {
    fputs("sinew: ", stderr);
    print_message(format, arguments);
    fputc('\n', stderr);
}

void cli_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

int cli_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

bool cli_note(cli_message to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to.text, to.size, format, arguments);
    va_end(arguments);
    return false;
}

int cli_usage(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "sinew %s: ", command);
    print_message(format, arguments);
    fprintf(stderr, " (see 'sinew %s --help')\n", command);
    va_end(arguments);
    return CLI_USAGE;
}

// ---- Arguments -----------------------------------------------------------------------------------------------

cli_args cli_args_start(int argc, char **argv) {
    return (cli_args){.command = argv[0], .argc = argc, .argv = argv, .next = 1};
}

static bool refuse_empty(cli_args *args) {
    args->failed = true;
    cli_usage(args->command, "the file name is empty");
    return false;
}

bool cli_args_next(cli_args *args) {
    if (args->failed || args->next >= args->argc) return false;
    const char *argument = args->argv[args->next++];
    if (!args->only_files && strcmp(argument, "--") == 0) {
        args->only_files = true;
        return cli_args_next(args);
    }
    args->option = NULL;
    args->flag = false;
    args->value = argument;
    if (argument[0] == '\0') return refuse_empty(args);
    if (args->only_files || argument[0] != '-' || argument[1] == '\0') return true; // "-" alone is a file name
    if (strcmp(argument, "-h") == 0) argument = "--help";

    const char *equals = strchr(argument, '=');
    size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
    if (length >= sizeof args->name) length = sizeof args->name - 1; // longer than any option, so unknown
    memcpy(args->name, argument, length);
    args->name[length] = '\0';
    args->option = args->name;
    args->value = equals ? equals + 1 : NULL;
    return true;
}

bool cli_args_is(const cli_args *args, const char *option) {
    return args->option && strcmp(args->option, option) == 0;
}

bool cli_args_flag(cli_args *args, const char *option) {
    if (!cli_args_is(args, option)) return false;
    args->flag = true;
    return args->value == NULL;
}

const char *cli_args_value(cli_args *args) {
    if (args->value) return args->value;
    if (args->next < args->argc) return args->value = args->argv[args->next++];
    args->failed = true;
    cli_usage(args->command, "%s needs a value", args->option);
    return NULL;
}

const char *cli_args_file(cli_args *args) {
    const char *path = cli_args_value(args);
    if (!path || path[0]) return path;
    args->failed = true;
    cli_usage(args->command, "%s needs a file name, not ''", args->option);
    return NULL;
}

// Formats a range's limit. Integers get all their digits.
static const char *format_limit(float limit, char text[24]) {
    snprintf(text, 24, limit == floorf(limit) ? "%.0f" : "%g", (double)limit);
    return text;
}

bool cli_args_float(cli_args *args, float least, float most, float *number) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    const char *end = text;
    char from[24], to[24];
    if (numbers_read_float(&end, least, most, number) && *end == '\0') return true;
    args->failed = true;
    cli_usage(args->command, "%s must be between %s and %s, not '%s'", args->option, format_limit(least, from),
              format_limit(most, to), text);
    return false;
}

bool cli_args_int(cli_args *args, int least, int most, int *number) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    const char *end = text;
    if (numbers_read_whole(&end, least, most, number) && *end == '\0') return true;
    args->failed = true;
    cli_usage(args->command, "%s must be a whole number between %d and %d, not '%s'", args->option, least, most,
              text);
    return false;
}

bool cli_args_range(cli_args *args, float *start, float *end) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    if (numbers_read_range(text, start, end)) return true;
    args->failed = true;
    cli_usage(args->command, "%s needs A..B, A.. or ..B in seconds, 0 <= A < B, such as 0.5..2, not '%s'",
              args->option, text);
    return false;
}

void cli_args_up(cli_args *args, sinew_up *up) {
    const char *text = cli_args_value(args);
    if (!text) return;
    *up = strcmp(text, "z") == 0 ? SINEW_UP_Z : SINEW_UP_Y;
    if (*up == SINEW_UP_Z || strcmp(text, "y") == 0) return;
    args->failed = true;
    cli_usage(args->command, "%s must be y or z, not '%s'", args->option, text);
}

int cli_args_unknown(cli_args *args) {
    args->failed = true;
    const bool flag = args->flag || cli_args_is(args, "--quiet"); // main takes --quiet if it has no value
    if (flag) return cli_usage(args->command, "%s takes no value, not '%s'", args->option, args->value);
    if (args->option) return cli_usage(args->command, "%s: unknown option", args->option);
    return cli_usage(args->command, "'%s': unexpected argument", args->value);
}

// ---- Names ---------------------------------------------------------------------------------------------------

bool cli_has_suffix(const char *path, const char *suffix) {
    const size_t length = strlen(path), suffix_length = strlen(suffix);
    if (length < suffix_length) return false;
    for (size_t i = 0; i < suffix_length; i++) {
        const char c = path[length - suffix_length + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != suffix[i]) return false;
    }
    return true;
}

// ---- Standard output -----------------------------------------------------------------------------------------

static bool text_is_lost;

void cli_lose_text(void) {
    text_is_lost = true;
}

bool cli_flush_stdout(void) {
    static bool failed; // report it only once
    if (failed) return false;
    const bool is_written = fflush(stdout) == 0 && !ferror(stdout);
    if (is_written && !text_is_lost) return true;
    failed = true;
    const char *reason = is_written ? "out of memory" : strerror(errno ? errno : EIO);
    cli_fail("standard output: not everything could be written: %s", reason);
    return false;
}

// ---- Progress ------------------------------------------------------------------------------------------------

bool cli_quiet;

// Estimates the remaining time from the time since the first call. Prints it if it's more than five seconds.
static void print_time_left(int done, int total) {
    static double start;
    static int done_at_start;
    const double now = system_seconds();
    if (done <= 1 || done < done_at_start) {
        start = now;
        done_at_start = done;
    }
    double left = done > done_at_start ? (now - start) * (total - done) / (done - done_at_start) : 0.0;
    if (left > 5.0) fprintf(stderr, ", %.0f s left", left);
    fputs("\x1b[K", stderr); // clear the rest of the line
}

void cli_progress(const char *what, int done, int total) {
    enum { WIDTH = 32 };
    if (cli_quiet || !isatty(STDERR_FILENO) || total <= 0) return;
    int filled = (int)((long long)WIDTH * done / total);
    fprintf(stderr, "\r%s [", what);
    for (int i = 0; i < WIDTH; i++) fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %d/%d", done, total);
    print_time_left(done, total);
    if (done == total) fputc('\n', stderr);
    fflush(stderr);
}
