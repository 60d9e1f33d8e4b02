// Arguments, output and failing: what every sub-command does in the same way.
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- Failing -------------------------------------------------------------------------------------------------

int cli_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "sinew: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_usage(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "sinew %s: ", command);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " (see 'sinew %s --help')\n", command);
    va_end(arguments);
    return CLI_USAGE;
}

// ---- Arguments -----------------------------------------------------------------------------------------------

cli_args cli_args_start(int argc, char **argv) {
    return (cli_args){.command = argv[0], .argc = argc, .argv = argv, .next = 1};
}

bool cli_args_next(cli_args *args) {
    if (args->failed || args->next >= args->argc) return false;
    const char *argument = args->argv[args->next++];
    if (strcmp(argument, "-h") == 0) argument = "--help";
    args->option = NULL;
    args->flag = false;
    args->value = argument;
    if (argument[0] != '-' || argument[1] == '\0') return true; // "-" alone is a file: the standard stream

    const char *equals = strchr(argument, '=');
    size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
    if (length >= sizeof args->name) length = sizeof args->name - 1; // longer than any option: unknown anyway
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
    cli_usage(args->command, "%s wants a value", args->option);
    return NULL;
}

bool cli_args_float(cli_args *args, float least, float most, float *number) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    char *end;
    *number = strtof(text, &end);
    if (end != text && *end == '\0' && isfinite(*number) && *number >= least && *number <= most) return true;
    args->failed = true;
    if (most >= 1e6f) { // there to be some limit
        cli_usage(args->command, "%s wants a number of %g or more, not '%s'", args->option, (double)least, text);
    } else {
        cli_usage(args->command, "%s wants a number from %g to %g, not '%s'", args->option, (double)least,
                  (double)most, text);
    }
    return false;
}

bool cli_args_int(cli_args *args, int least, int most, int *number) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end != text && *end == '\0' && errno == 0 && value >= least && value <= most) {
        *number = (int)value;
        return true;
    }
    args->failed = true;
    cli_usage(args->command, "%s wants a whole number from %d to %d, not '%s'", args->option, least, most, text);
    return false;
}

void cli_args_up(cli_args *args, sinew_up *up) {
    const char *text = cli_args_value(args);
    if (!text) return;
    *up = strcmp(text, "z") == 0 ? SINEW_UP_Z : SINEW_UP_Y;
    if (*up == SINEW_UP_Z || strcmp(text, "y") == 0) return;
    args->failed = true;
    cli_usage(args->command, "%s wants y or z, not '%s'", args->option, text);
}

int cli_args_unknown(cli_args *args) {
    args->failed = true;
    const bool flag = args->flag || cli_args_is(args, "--quiet"); // which without a value does not come this far
    if (flag) return cli_usage(args->command, "%s takes no value, not '%s'", args->option, args->value);
    if (args->option) return cli_usage(args->command, "unknown option %s", args->option);
    return cli_usage(args->command, "'%s' is neither an option nor the one file that is wanted", args->value);
}

// ---- Output --------------------------------------------------------------------------------------------------

const char *cli_plural(int32_t count) {
    return count == 1 ? "" : "s";
}

void cli_print_bytes(size_t bytes) {
    if (bytes < 10000) {
        printf("%zu bytes", bytes);
    } else if (bytes < (size_t)10 << 20) {
        printf("%.0f KiB", (double)bytes / 1024.0);
    } else {
        printf("%.1f MiB", (double)bytes / 1048576.0);
    }
}

FILE *cli_open_output(const char *path, const char *mode) {
    if (strcmp(path, "-") == 0) return stdout;
    FILE *file = fopen(path, mode);
    if (!file) cli_fail("%s: cannot be written: %s", path, strerror(errno));
    return file;
}

bool cli_close_output(FILE *file, const char *path) {
    bool good = fflush(file) == 0 && !ferror(file);
    int reason = errno;
    if (file != stdout && fclose(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (!good) cli_fail("%s: not everything could be written: %s", path, strerror(reason));
    return good;
}

void cli_json_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c < 0x20) {
            fprintf(out, "\\u%04x", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
}

void cli_json_floats(FILE *out, const float *numbers, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        if (isfinite(numbers[i])) {
            fprintf(out, "%.9g", (double)numbers[i]);
        } else {
            fputs("null", out);
        }
    }
    fputc(']', out);
}

bool cli_quiet;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// From how long it took since the first call; nothing is said of a few seconds.
static void print_time_left(int done, int total) {
    static double start;
    static int done_at_start;
    const double now = seconds_now();
    if (done <= 1 || done < done_at_start) {
        start = now;
        done_at_start = done;
    }
    double left = done > done_at_start ? (now - start) * (total - done) / (done - done_at_start) : 0.0;
    if (left > 5.0) fprintf(stderr, ", %.0f s left", left);
    fputs("\x1b[K", stderr); // what the line before had more
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
