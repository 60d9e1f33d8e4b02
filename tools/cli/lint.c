// SPDX-License-Identifier: MIT
// sinew lint: reports errors and waste in a file, and fixes them.
#include "cli/cli.h"

#include "cli/output.h"

#include "lint/lint.h"

#include <string.h>

static const char help[] =
    "usage: sinew lint FILE [--json] [--fix OUT.glb]\n"
    "\n"
    "Reports errors and waste in a glTF file: what, where, why it matters and what to do. Errors and warnings "
    "make\n"
    "the exit status 1; notes do not.\n"
    "\n"
    "  --fix OUT.glb    fixes the problems that can be fixed without changing the motion, writes one .glb with "
    "all\n"
    "                   buffers inside, and reports on that file. OUT.glb must not be an input file\n"
    "  --json           prints every finding as JSON (docs/json.md)\n"
    "\n"
    "example: sinew lint hero.glb\n"
    "\n"
    "The rules ('fix': --fix can fix it; docs/lint.md describes them):\n";

// The number of findings of one rule in the text.
#define MAX_SHOWN 5

static void print_help(void) {
    printf("%s", help);
    for (int i = 0; i < LINT_RULE_COUNT; i++) {
        const lint_rule *rule = &lint_rules[i];
        printf("  %-22s %-8s %-4s %s\n", rule->id, lint_severity_name(rule->severity), rule->fixable ? "fix" : "",
               rule->title);
    }
}

// ---- Text ----------------------------------------------------------------------------------------------------------

// Prints a word and a paragraph after it, broken into lines.
static void print_paragraph(const char *word, const char *text) {
    enum { WIDTH = 100, INDENT = 8 };
    int column = printf("    %s", word);
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > WIDTH) column = printf("\n%*s", INDENT - 1, "") - 1;
        column += printf(" %.*s", length, text);
        text += length;
        text += *text == ' ';
    }
    printf("\n");
}

static size_t bytes_of(const lint_report *report, int rule) {
    size_t bytes = 0;
    for (int32_t i = 0; i < report->count; i++) {
        if ((int)report->findings[i].rule == rule) bytes += report->findings[i].bytes;
    }
    return bytes;
}

static void print_rule(const lint_report *report, int index) {
    const lint_rule *rule = &lint_rules[index];
    const int32_t count = report->of_rule[index];
    const size_t bytes = bytes_of(report, index);
    int32_t shown = 0;
    printf("%s %s: %s", lint_severity_name(rule->severity), rule->id, rule->title);
    if (bytes > 0) {
        printf(" (");
        cli_print_bytes(bytes);
        printf(")");
    }
    printf("\n");
    for (int32_t i = 0; i < report->count && shown < MAX_SHOWN; i++) {
        const lint_finding *finding = &report->findings[i];
        if ((int)finding->rule != index) continue;
        printf("  %s: %s\n", cli_text(finding->location), cli_text(finding->message));
        shown++;
    }
    if (count > shown) printf("  and %d more\n", count - shown);
    print_paragraph("Why:", rule->why);
    print_paragraph("Do:", rule->advice);
    if (rule->fixable) printf("        'sinew lint --fix OUT.glb' does it.\n");
    printf("\n");
}

static void print_verdict(const lint_report *report, const char *path) {
    const int32_t *counts = report->of_severity;
    if (report->count == 0) {
        printf("%s: no findings\n", cli_text(path));
        return;
    }
    printf("%s: %d error%s, %d warning%s, %d note%s\n", cli_text(path), counts[LINT_ERROR],
           cli_plural(counts[LINT_ERROR]), counts[LINT_WARNING], cli_plural(counts[LINT_WARNING]),
           counts[LINT_NOTE], cli_plural(counts[LINT_NOTE]));
}

// Prints errors first, then warnings, then notes.
static void print_report(const lint_report *report, const char *path) {
    for (int severity = LINT_ERROR; severity <= LINT_NOTE; severity++) {
        for (int i = 0; i < LINT_RULE_COUNT; i++) {
            if ((int)lint_rules[i].severity == severity && report->of_rule[i] > 0) print_rule(report, i);
        }
    }
    print_verdict(report, path);
}

static void print_fixed(const lint_fixed *fixed, const char *path, const char *out) {
    printf("%s -> %s:", cli_text(path), cli_text(out));
    int rules = 0;
    for (int i = 0; i < LINT_RULE_COUNT; i++) {
        if (fixed->of_rule[i] == 0) continue;
        printf("%s %d %s", rules++ > 0 ? "," : " fixed", fixed->of_rule[i], lint_rules[i].id);
    }
    printf("%s; %zu bytes became %zu\n", rules > 0 ? "" : " nothing to fix", fixed->size_before, fixed->size);
    if (fixed->kept_for) {
        printf("No data was removed: the extension %s may refer to it.\n", cli_text(fixed->kept_for));
    }
    printf("\n");
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void print_json_findings(const lint_report *report) {
    printf("\"findings\":[");
    for (int32_t i = 0; i < report->count; i++) {
        const lint_finding *finding = &report->findings[i];
        const lint_rule *rule = &lint_rules[finding->rule];
        printf("%s\n{\"rule\":\"%s\",\"severity\":\"%s\",\"location\":", i ? "," : "", rule->id,
               lint_severity_name(rule->severity));
        cli_json_string(stdout, finding->location);
        printf(",\"message\":");
        cli_json_string(stdout, finding->message);
        printf(",\"bytes\":%zu,\"fixable\":%s}", finding->bytes, rule->fixable ? "true" : "false");
    }
    printf("]");
}

static void print_json_fixed(const lint_fixed *fixed) {
    printf("\"fixed\":{");
    int rules = 0;
    for (int i = 0; i < LINT_RULE_COUNT; i++) {
        if (fixed->of_rule[i] > 0)
            printf("%s\"%s\":%d", rules++ > 0 ? "," : "", lint_rules[i].id, fixed->of_rule[i]);
    }
    printf("},\"bytesBefore\":%zu,\"bytesAfter\":%zu,\"keptFor\":", fixed->size_before, fixed->size);
    if (fixed->kept_for) {
        cli_json_string(stdout, fixed->kept_for);
    } else {
        printf("null");
    }
    printf(",\n");
}

static void print_json(const lint_report *report, const lint_fixed *fixed, const char *path) {
    printf("{\"file\":");
    cli_json_string(stdout, path);
    printf(",\"errors\":%d,\"warnings\":%d,\"notes\":%d,\n", report->of_severity[LINT_ERROR],
           report->of_severity[LINT_WARNING], report->of_severity[LINT_NOTE]);
    if (fixed) print_json_fixed(fixed);
    print_json_findings(report);
    printf("}\n");
}

// ---- The command ---------------------------------------------------------------------------------------------------

typedef struct lint_args {
    const char *file, *out;
    bool json;
} lint_args;

// Prints the report of `path`, which is OUT after a fix.
static int print_file(const lint_args *lint, const char *path, const lint_fixed *fixed) {
    lint_report report;
    int status = CLI_BAD_INPUT;
    if (!lint_file(&report, path, cli_decode_meshopt, NULL)) {
        cli_fail("%s", report.error);
    } else {
        if (lint->json) {
            print_json(&report, fixed, path);
        } else {
            if (fixed) print_fixed(fixed, lint->file, path);
            print_report(&report, path);
        }
        bool good = report.of_severity[LINT_ERROR] + report.of_severity[LINT_WARNING] == 0;
        if (cli_flush_stdout() && good) status = CLI_GOOD;
    }
    lint_end(&report);
    return status;
}

// Writes the fixed file to `output`, which is open, and closes it.
static int fix(const lint_args *lint, cli_output *output) {
    lint_fixed fixed;
    int status = CLI_BAD_INPUT;
    if (!lint_fix(&fixed, lint->file, cli_decode_meshopt, NULL)) {
        cli_fail("%s", fixed.error);
        cli_output_discard(output);
    } else {
        fwrite(fixed.glb, 1, fixed.size, output->file); // errors are found when it is closed
        status = cli_output_close(output);
        if (status == CLI_GOOD) status = print_file(lint, lint->out, &fixed);
    }
    lint_fixed_end(&fixed);
    return status;
}

static int run(const lint_args *lint) {
    if (!cli_check_gltf(lint->file, "lint reads glTF files")) return CLI_BAD_INPUT;
    if (!lint->out) return print_file(lint, lint->file, NULL);
    const cli_output_def def = {"lint", "--fix", lint->out};
    cli_output output;
    const int opened = cli_output_open(&output, &def);
    return opened == CLI_GOOD ? fix(lint, &output) : opened;
}

int cli_lint(int argc, char **argv) {
    lint_args lint = {0};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            print_help();
            return CLI_GOOD;
        }
        if (cli_args_flag(&args, "--json")) {
            lint.json = true;
        } else if (cli_args_is(&args, "--fix")) {
            lint.out = cli_args_file(&args);
        } else if (!args.option && !lint.file) {
            lint.file = args.value;
        } else {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!lint.file) return cli_usage("lint", "FILE is missing");
    if (lint.out && strcmp(lint.out, "-") == 0) {
        return cli_usage("lint", "--fix needs a file name, not '-'; the report goes to standard output");
    }
    const cli_output_def output = {"lint", "--fix", lint.out};
    if (lint.out && !cli_output_has_ending(&output, ".glb", lint.file)) return CLI_USAGE;
    return run(&lint);
}
