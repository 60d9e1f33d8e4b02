// SPDX-License-Identifier: MIT
// sinew lint: reports errors and waste in a file and fixes them.
#include "cli/cli.h"

#include "cli/output.h"

#include "batch/batch.h"
#include "lint/lint.h"
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew lint FILE... [--json] [--fix OUT.glb] [--jobs N]\n"
    "\n"
    "Reports errors and waste in glTF files: where, why it matters and what to do. The exit status is 1 for\n"
    "errors and warnings, but not for notes. FILE may be a folder: its .glb, .gltf, .vrm and .vrma files\n"
    "are checked. Findings are printed in the order of the files.\n"
    "\n"
    "  --fix OUT.glb    fixes what can be fixed without changing the motion, writes one .glb with all\n"
    "                   buffers inside, and reports on that file. Works with one FILE. OUT.glb must not\n"
    "                   be an input file\n"
    "  --jobs N         checks N files at a time (default: one per processor)\n"
    "  --json           prints all findings as JSON (docs/json.md)\n"
    "\n"
    "example: sinew lint hero.glb\n"
    "\n"
    "The rules ('fix': --fix can fix it; docs/lint.md has more):\n";

// How many findings of one rule the text shows.
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

// Prints a word, then a paragraph broken into lines.
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
    if (rule->fixable) printf("        'sinew lint --fix OUT.glb' does this.\n");
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
        printf("No data was removed, because the extension %s may refer to it.\n", cli_text(fixed->kept_for));
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
    batch_list files;
    const char *out;
    bool json;
    int jobs;
} lint_args;

// Prints a file's report. Returns whether it has no errors or warnings.
static bool print_file(const lint_args *lint, const lint_report *report, const char *path,
                       const lint_fixed *fixed) {
    if (lint->json) {
        print_json(report, fixed, path);
    } else {
        if (fixed) print_fixed(fixed, lint->files.paths[0], path);
        print_report(report, path);
    }
    return report->of_severity[LINT_ERROR] + report->of_severity[LINT_WARNING] == 0;
}

// Prints the report on `path`. After a fix, that's OUT.
static int check_file(const lint_args *lint, const char *path, const lint_fixed *fixed) {
    lint_report report;
    int status = CLI_BAD_INPUT;
    if (!lint_file(&report, path, cli_decode_meshopt, NULL)) {
        cli_fail("%s", report.error);
    } else {
        const bool good = print_file(lint, &report, path, fixed);
        if (cli_flush_stdout() && good) status = CLI_GOOD;
    }
    lint_end(&report);
    return status;
}

// Writes the fixed file to the open `output` and closes it.
static int fix(const lint_args *lint, cli_output *output) {
    lint_fixed fixed;
    int status = CLI_BAD_INPUT;
    if (!lint_fix(&fixed, lint->files.paths[0], cli_decode_meshopt, NULL)) {
        cli_fail("%s", fixed.error);
        cli_output_discard(output);
    } else {
        fwrite(fixed.glb, 1, fixed.size, output->file); // closing the file finds errors
        status = cli_output_close(output);
        if (status == CLI_GOOD) status = check_file(lint, lint->out, &fixed);
    }
    lint_fixed_end(&fixed);
    return status;
}

static int run_one(const lint_args *lint) {
    const char *file = lint->files.paths[0];
    if (!cli_check_gltf(file, "lint reads glTF files")) return CLI_BAD_INPUT;
    if (!lint->out) return check_file(lint, file, NULL);
    const cli_output_def def = {"lint", "--fix", lint->out};
    cli_output output;
    const int opened = cli_output_open(&output, &def);
    return opened == CLI_GOOD ? fix(lint, &output) : opened;
}

// ---- Many files ----------------------------------------------------------------------------------------------------

typedef struct checked_file {
    lint_report report;
    bool is_read;
} checked_file;

typedef struct many {
    const lint_args *lint;
    checked_file **files; // [count]; each lives from its work to its finish
    int bad, printed;     // number of files
} many;

static void work(void *user, int item) {
    many *m = user;
    const char *path = m->lint->files.paths[item];
    checked_file *file = calloc(1, sizeof *file);
    m->files[item] = file;
    if (file && !cli_is_baked(path) && !cli_is_bvh(path))
        file->is_read = lint_file(&file->report, path, cli_decode_meshopt, NULL);
}

// Prints why a file wasn't read.
static void print_unread(const checked_file *file, const char *path) {
    if (!file) {
        cli_fail("%s: out of memory", path);
    } else if (cli_check_gltf(path, "lint reads glTF files")) {
        cli_fail("%s", file->report.error);
    }
}

static void finish(void *user, int item) {
    many *m = user;
    checked_file *file = m->files[item];
    const char *path = m->lint->files.paths[item];
    if (file && file->is_read) {
        if (m->lint->json && m->printed > 0) printf(",");
        m->bad += !print_file(m->lint, &file->report, path, NULL);
        m->printed++;
    } else {
        print_unread(file, path);
        m->bad++;
    }
    if (file) lint_end(&file->report);
    free(file);
    m->files[item] = NULL;
}

static int run_many(const lint_args *lint) {
    many m = {.lint = lint};
    const batch_def def = {lint->files.count, lint->jobs, work, finish, &m};
    m.files = calloc((size_t)def.count + 1, sizeof *m.files); // NOLINT(bugprone-sizeof-expression): pointers
    if (lint->json) printf("[");
    const bool has_memory = m.files && batch_run(&def);
    if (lint->json) printf("]\n");
    free((void *)m.files);
    if (!has_memory) return cli_fail("%s: out of memory", lint->files.paths[0]);
    if (!lint->json) printf("%d of %d files have no errors or warnings\n", def.count - m.bad, def.count);
    return cli_flush_stdout() && m.bad == 0 ? CLI_GOOD : CLI_BAD_INPUT;
}

// ---- Arguments -----------------------------------------------------------------------------------------------------

static int check(const lint_args *lint) {
    if (!lint->files.paths) {
        cli_usage("lint", "FILE is missing");
        return CLI_USAGE;
    }
    if (!lint->out) return CLI_GOOD;
    if (lint->files.is_many) return cli_usage("lint", "--fix %s: works with one FILE only", lint->out);
    if (strcmp(lint->out, "-") == 0)
        return cli_usage("lint", "--fix needs a file name, not '-'; the report goes to standard output");
    const cli_output_def output = {"lint", "--fix", lint->out};
    return cli_output_has_ending(&output, ".glb", lint->files.paths[0]) ? CLI_GOOD : CLI_USAGE;
}

static int parse(lint_args *lint, cli_args *args) {
    while (cli_args_next(args)) {
        if (cli_args_flag(args, "--help")) {
            print_help();
            return -1;
        }
        if (cli_args_flag(args, "--json")) {
            lint->json = true;
        } else if (cli_args_is(args, "--fix")) {
            lint->out = cli_args_file(args);
        } else if (cli_args_is(args, "--jobs")) {
            cli_args_int(args, 1, 256, &lint->jobs);
        } else if (args->option) {
            cli_args_unknown(args);
            return CLI_USAGE;
        } else {
            const char *reason = batch_add(&lint->files, args->value, ".glb .gltf .vrm .vrma");
            if (reason) {
                cli_fail("%s: %s", args->value, reason);
                return CLI_BAD_INPUT;
            }
        }
    }
    return args->failed ? CLI_USAGE : check(lint);
}

int cli_lint(int argc, char **argv) {
    lint_args lint = {.jobs = system_processors()};
    cli_args args = cli_args_start(argc, argv);
    int status = parse(&lint, &args);
    if (status == CLI_GOOD) status = lint.files.is_many ? run_many(&lint) : run_one(&lint);
    batch_list_free(&lint.files);
    return status < 0 ? CLI_GOOD : status;
}
