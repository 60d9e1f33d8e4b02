// SPDX-License-Identifier: MIT
// sinew bench: measures each stage on this machine.
#include "bench/bench.h"
#include "cli/bench_budget.h"
#include "cli/cli.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew bench [FILE] [--filter TEXT]... [--json] [-o OUT]\n"
    "       sinew bench --budget MS [FILE] [--json] [-o OUT]\n"
    "       sinew bench --gpu [--filter TEXT]... [--json] [-o OUT]\n"
    "\n"
    "Measures each stage on one core of this machine, for one character and for crowds, next to a textbook\n"
    "implementation. FILE is a model with a skin and two clips (default: models/hero.glb, if it exists).\n"
    "This takes one to two minutes. Leave the machine idle until it's done.\n"
    "\n"
    "  --budget MS      measures 10,000 characters with a budget of MS milliseconds per frame instead, for\n"
    "                   10,000 frames. Prints how many frames kept it, and the largest palette error by\n"
    "                   distance. Without it, the budget is 4 ms for 1,000 frames\n"
    "  --gpu            measures 1,000 characters drawn by OpenGL instead, for each GPU resource that can\n"
    "                   hold palettes. Needs no display and takes no FILE\n"
    "  --filter TEXT    measures only rows whose 'stage joints data characters implementation' contains\n"
    "                   TEXT, as in 'everything 60 all 1000 sinew'; repeatable\n"
    "  --json           prints JSON instead of a table (docs/json.md)\n"
    "  -o OUT           also writes the JSON to a file\n"
    "\n"
    "data: all      every joint's translation, rotation and scale move, 61 keys at 30 Hz\n"
    "      game     rotations and two joints' translations move, nothing is scaled\n"
    "      all-16, game-16   the same, with Sinew's 16-bit keys\n"
    "      sparse   like all, but each channel has 20 to 40 keys at its own times\n"
    "      sparse-grid   like all, but each channel has only 20 to 40 of the keys; the import adds the rest\n"
    "      for vertices: influences, and the vertices' memory layout\n"
    "      for scene: how many of 10,000 instances move in a frame\n"
    "      for load and read: how many clips a generated .glb has, 0.2 MB each\n"
    "      for gpu-frame and gpu-send: the palettes' GPU resource and layout (docs/performance.md)\n"
    "\n"
    "examples: sinew bench --filter everything\n"
    "          sinew bench --gpu --filter storage\n";

enum { MAX_FILTERS = 16 };

static const char DEFAULT_FILE[] = "models/hero.glb";

typedef struct bench_args {
    const char *file, *output;
    const char *filters[MAX_FILTERS];
    int filter_count;
    float budget_ms;
    bool gpu, json;
} bench_args;

static bool has_gpu(const bench_report *report) {
    return report->gpu.renderer[0] != '\0';
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_json_ceilings(FILE *out, const bench_machine *machine) {
    fprintf(out, ",\"gflops\":%.4g,\"vectorBytes\":%d,\"levels\":[", machine->operations, machine->vector_width);
    for (int i = 0; i < BENCH_LEVELS; i++) {
        const bench_memory_level *level = &machine->levels[i];
        fprintf(out, "%s\n{\"name\":\"%s\",\"bytes\":%zu,\"readGbs\":%.4g,\"writeGbs\":%.4g}", i ? "," : "",
                level->name, level->bytes, level->read, level->write);
    }
    fprintf(out, "]");
}

static void print_json_gpu(FILE *out, const bench_gpu *gpu) {
    fprintf(out, ",\n\"gpu\":{\"renderer\":");
    cli_json_string(out, gpu->renderer);
    fprintf(out, ",\"version\":");
    cli_json_string(out, gpu->version);
    fprintf(out, ",\"software\":%s,\"vertices\":%d,\"triangles\":%d,\"pixels\":%d}",
            gpu->software ? "true" : "false", gpu->vertices, gpu->triangles, gpu->pixels);
}

static void print_json_machine(FILE *out, const bench_report *report) {
    const bench_machine *machine = &report->machine;
    fprintf(out, "{\"machine\":{\"cpu\":");
    cli_json_string(out, machine->cpu);
    fprintf(out, ",\"compiler\":");
    cli_json_string(out, machine->compiler);
    fprintf(out, ",\"simd\":");
    cli_json_string(out, machine->simd);
    if (machine->core < 0) {
        fprintf(out, ",\"core\":null");
    } else {
        fprintf(out, ",\"core\":%d", machine->core);
    }
    fprintf(out, ",\"ghz\":%.4g", machine->clock);
    if (has_gpu(report)) {
        print_json_gpu(out, &report->gpu);
    } else {
        print_json_ceilings(out, machine);
    }
    fprintf(out, "},\n");
}

static void print_json_floor(FILE *out, const bench_floor *floor) {
    if (floor->nanoseconds == 0.0) return;
    fprintf(out,
            ",\"floor\":{\"ns\":%.6g,\"limit\":\"%s\",\"level\":\"%s\",\"operations\":%.6g,\"readBytes\":%.6g,"
            "\"writtenBytes\":%.6g}",
            floor->nanoseconds, floor->limit, floor->level, floor->operations, floor->read, floor->written);
}

static void print_json_row(FILE *out, const bench_row *row) {
    fprintf(out, "{\"stage\":\"%s\",\"joints\":%d,\"data\":", row->stage, row->joints);
    cli_json_string(out, row->data);
    fprintf(out,
            ",\"characters\":%d,\"implementation\":\"%s\",\"simd\":\"%s\",\"unit\":\"%s\",\"medianNs\":%.6g,"
            "\"minNs\":%.6g,\"maxNs\":%.6g,\"runs\":%d,\"disturbed\":%d,\"quiet\":%s",
            row->characters, row->implementation, row->simd, row->unit, row->timing.median, row->timing.least,
            row->timing.most, row->timing.runs, row->timing.disturbed, row->timing.quiet ? "true" : "false");
    print_json_floor(out, &row->floor);
    if (row->draws > 0) fprintf(out, ",\"bytes\":%zu,\"draws\":%d", row->bytes, row->draws);
    fprintf(out, "}");
}

static void print_json_missing(FILE *out, const bench_report *report) {
    fprintf(out, "],\n\"missing\":[");
    for (int i = 0; i < report->missing_count; i++) {
        fprintf(out, "%s\n{\"data\":\"%s\",\"why\":", i ? "," : "", report->missing[i].data);
        cli_json_string(out, report->missing[i].why);
        fprintf(out, "}");
    }
}

static void print_json_size(FILE *out, const bench_size *size) {
    fprintf(out, "{\"joints\":%d,\"data\":", size->joints);
    cli_json_string(out, size->data);
    fprintf(out,
            ",\"implementation\":\"%s\",\"clipBytes\":%zu,\"outputBytes\":%zu,\"stateBytes\":%zu,"
            "\"actionBytes\":%zu}",
            size->implementation, size->clip, size->outputs, size->state, size->action);
}

static void print_json(FILE *out, const bench_report *report) {
    print_json_machine(out, report);
    fprintf(out, "\"rows\":[");
    for (int i = 0; i < report->row_count; i++) {
        fprintf(out, "%s\n", i ? "," : "");
        print_json_row(out, &report->rows[i]);
    }
    fprintf(out, "],\n\"memory\":[");
    for (int i = 0; i < report->size_count; i++) {
        fprintf(out, "%s\n", i ? "," : "");
        print_json_size(out, &report->sizes[i]);
    }
    if (has_gpu(report)) print_json_missing(out, report);
    fprintf(out, "]");
    cli_print_budget_json(out, &report->budget);
    fprintf(out, "}\n");
}

// ---- Table ---------------------------------------------------------------------------------------------------

static void print_machine(const bench_machine *machine) {
    printf("%s, %.2f GHz, ", machine->cpu, machine->clock);
    if (machine->core < 0) {
        printf("not pinned to a core");
    } else {
        printf("core %d", machine->core);
    }
    printf("; %s; kernels: %s\n", machine->compiler, machine->simd);
}

static void print_ceilings(const bench_machine *machine) {
    printf("peak with %d-byte vectors: %.0f GFLOP/s\n", machine->vector_width, machine->operations);
    for (int i = 0; i < BENCH_LEVELS; i++) {
        const bench_memory_level *level = &machine->levels[i];
        printf("  %-5s %8zu KiB  read %4.0f GB/s  write %4.0f GB/s\n", level->name, level->bytes >> 10, level->read,
               level->write);
    }
}

static bool same_case(const bench_row *a, const bench_row *b) {
    return strcmp(a->stage, b->stage) == 0 && strcmp(a->data, b->data) == 0 && a->joints == b->joints &&
           a->characters == b->characters;
}

static void print_timing(const bench_row *row) {
    if (!row) {
        printf("  %9s %16s ", "", "");
        return;
    }
    char range[32];
    snprintf(range, sizeof range, "(%.2f-%.2f)", row->timing.least, row->timing.most);
    printf("  %9.2f %-16s%c", row->timing.median, range, row->timing.quiet ? ' ' : '!');
}

// Prints the floor, and how many times longer the row takes.
static void print_floor(const bench_row *row) {
    if (!row || row->floor.nanoseconds == 0.0) return;
    printf(" %8.2f %6.1f x  %s%s%s", row->floor.nanoseconds, row->timing.median / row->floor.nanoseconds,
           row->floor.limit, row->floor.level[0] ? " " : "", row->floor.level);
}

static bool print_case(const bench_report *report, int at) {
    const bench_row *row = &report->rows[at];
    bool is_textbook = strcmp(row->implementation, "textbook") == 0;
    if (is_textbook && at > 0 && same_case(row, row - 1)) return true; // printed in the previous line
    const bench_row *sinew = is_textbook ? NULL : row;
    const bench_row *textbook = bench_textbook_row(report, row);
    printf("%-14s %6d %-19s %10d %-6s", row->stage, row->joints, row->data, row->characters, row->unit);
    print_timing(sinew);
    print_timing(textbook);
    if (sinew && textbook) {
        printf(" %6.1f x", textbook->timing.median / sinew->timing.median);
    } else {
        printf(" %8s", "");
    }
    print_floor(sinew);
    printf("\n");
    return (!sinew || sinew->timing.quiet) && (!textbook || textbook->timing.quiet);
}

static void print_sizes(const bench_report *report) {
    printf("\n%6s %-19s %-9s %12s %22s %10s %10s\n", "joints", "data", "bytes of", "a clip",
           "a character's outputs", "its state", "an action");
    for (int i = 0; i < report->size_count; i++) {
        const bench_size *size = &report->sizes[i];
        printf("%6d %-19s %-9s %12zu %22zu %10zu %10zu\n", size->joints, size->data, size->implementation,
               size->clip, size->outputs, size->state, size->action);
    }
}

static bool is_of_file(const bench_row *row) {
    return strcmp(row->unit, "MB") == 0;
}

static void print_files(const bench_report *report) {
    printf("\n"
           "MB per second: loading files with that many clips, and reading their bytes from a cold disk\n"
           "\n");
    for (int i = 0; i < report->row_count; i++) {
        const bench_row *row = &report->rows[i];
        if (!is_of_file(row)) continue;
        printf("%-14s %6d %-19s %8.0f (%.0f-%.0f)\n", row->stage, row->joints, row->data, 1e9 / row->timing.median,
               1e9 / row->timing.most, 1e9 / row->timing.least);
    }
}

// ---- The GPU's table -----------------------------------------------------------------------------------------

static const bench_row *find_row(const bench_report *report, const char *stage, const char *data) {
    for (int i = 0; i < report->row_count; i++) {
        const bench_row *row = &report->rows[i];
        if (strcmp(row->stage, stage) == 0 && strcmp(row->data, data) == 0) return row;
    }
    return NULL;
}

// Prints the time for 1,000 characters in milliseconds. One character's nanoseconds are 1,000 characters' microseconds.
static void print_milliseconds(const bench_row *row) {
    if (!row) {
        printf("  %9s %-17s", "", "");
        return;
    }
    char range[32];
    snprintf(range, sizeof range, "(%.3f-%.3f)", row->timing.least / 1e3, row->timing.most / 1e3);
    printf("  %9.3f %-17s", row->timing.median / 1e3, range);
}

// Prints a path's whole frame and upload in one line.
static void print_path(const bench_report *report, const bench_row *row) {
    const bench_row *frame = find_row(report, "gpu-frame", row->data);
    const bench_row *send = find_row(report, "gpu-send", row->data);
    if (row == send && frame) return;
    printf("%-18s", row->data);
    print_milliseconds(frame);
    print_milliseconds(send);
    const double of_thousand = 1000.0 / row->characters;
    printf("%10.0f %6.0f\n", of_thousand * (double)row->bytes, of_thousand * row->draws);
}

static void print_gpu(const bench_gpu *gpu) {
    printf("%s\nOpenGL %s\n%s\n", gpu->renderer, gpu->version,
           gpu->software ? "software: rendered on the CPU" : "hardware");
    printf("each character: %d vertices, %d triangles; picture: %d x %d pixels\n", gpu->vertices, gpu->triangles,
           gpu->pixels, gpu->pixels);
}

static void print_gpu_table(const bench_report *report) {
    print_machine(&report->machine);
    print_gpu(&report->gpu);
    printf("\n"
           "Milliseconds for 1,000 characters: median of all runs (minimum-maximum)\n"
           "\n");
    printf("%-18s  %9s %-17s  %9s %-17s%10s %6s\n", "palettes", "a frame", "", "sending", "", "bytes", "draws");
    for (int i = 0; i < report->row_count; i++) {
        if (report->rows[i].draws > 0) print_path(report, &report->rows[i]);
    }
    const bench_row *pose = find_row(report, "gpu-pose", "palettes");
    if (pose)
        printf("\n"
               "Posing them on one thread: %.3f ms\n",
               pose->timing.median / 1e3);
    for (int i = 0; i < report->missing_count; i++) {
        printf("%s%s: not available: %s\n", i ? "" : "\n", report->missing[i].data, report->missing[i].why);
    }
}

// ---- The table of stages -------------------------------------------------------------------------------------

static void print_table(const bench_report *report) {
    print_machine(&report->machine);
    print_ceilings(&report->machine);
    printf("\n"
           "Nanoseconds per joint, vertex or solve: median of all runs (minimum-maximum)\n"
           "\n");
    printf("%-14s %6s %-19s %10s %-6s  %9s %16s   %9s %16s  %8s %8s %8s  %s\n", "stage", "joints", "data",
           "characters", "unit", "sinew", "", "textbook", "", "ratio", "floor", "x floor", "set by");
    bool quiet = true;
    int files = 0;
    for (int i = 0; i < report->row_count; i++) {
        files += is_of_file(&report->rows[i]);
        if (!is_of_file(&report->rows[i])) quiet = print_case(report, i) && quiet;
    }
    if (!quiet) printf("! too few undisturbed runs\n");
    if (files) print_files(report);
    if (report->size_count) print_sizes(report);
    cli_print_budget(&report->budget);
}

// ---- The command ---------------------------------------------------------------------------------------------

// Returns false if the command should exit at once with `status`.
static bool read_args(bench_args *bench, int argc, char **argv, int *status) {
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            *status = CLI_GOOD;
            return false;
        }
        if (cli_args_flag(&args, "--json")) {
            bench->json = true;
        } else if (cli_args_flag(&args, "--gpu")) {
            bench->gpu = true;
        } else if (cli_args_is(&args, "--budget")) {
            cli_args_float(&args, 0.1f, 1000.0f, &bench->budget_ms);
        } else if (cli_args_is(&args, "--filter") && bench->filter_count < MAX_FILTERS) {
            bench->filters[bench->filter_count] = cli_args_value(&args);
            if (bench->filters[bench->filter_count]) bench->filter_count++;
        } else if (cli_args_is(&args, "-o")) {
            bench->output = cli_args_file(&args);
        } else if (!args.option && !bench->file) {
            bench->file = args.value;
        } else {
            *status = cli_args_unknown(&args);
            return false;
        }
    }
    *status = CLI_USAGE;
    if (!args.failed && bench->gpu && bench->file) {
        *status = cli_usage("bench", "--gpu cannot be used with a FILE such as '%s'", bench->file);
        return false;
    }
    if (!args.failed && bench->budget_ms > 0.0f && (bench->gpu || bench->filter_count > 0)) {
        *status = cli_usage("bench", "--budget cannot be used with --gpu or --filter");
        return false;
    }
    return !args.failed;
}

// Writes the JSON to `output` and closes it.
static int write_json(const bench_report *report, cli_output *output) {
    print_json(output->file, report);
    return cli_output_close(output);
}

static int print_report(const bench_args *args, const bench_report *report, cli_output *output) {
    if (report->row_count == 0 && report->missing_count == 0) {
        return cli_fail("--filter: no row contains this text; a row's name looks like '%s'",
                        args->gpu ? "gpu-frame 60 storage-rows 1000 sinew" : "everything 60 all 1000 sinew");
    }
    const int written = output->file ? write_json(report, output) : CLI_GOOD;
    if (written != CLI_GOOD) return written;
    if (args->json) {
        print_json(stdout, report);
    } else if (has_gpu(report)) {
        print_gpu_table(report);
    } else {
        print_table(report);
    }
    return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

static int run(const bench_args *args, const sinew_asset *file, const char *path, const char *why,
               cli_output *output) {
    bench_options options = {
        .budget_ms = args->budget_ms,
        .gpu = args->gpu,
        .file = file,
        .file_path = path,
        .file_why = why,
        .needs_file = args->file != NULL,
        .filters = args->filters,
        .filter_count = args->filter_count,
        .progress = cli_progress,
    };
    bench_report *report = malloc(sizeof *report);
    if (!report) return cli_fail("bench: out of memory");
    const char *failed = bench_run(&options, report);
    int status =
        failed ? cli_fail("%s: %s", args->file ? path : "bench", failed) : print_report(args, report, output);
    if (status == CLI_GOOD && report->file_why) cli_warn("bench: cannot measure %s: %s", path, report->file_why);
    free(report);
    return status;
}

// Opens the output before measuring, so an invalid one fails at once.
static int run_to_output(const bench_args *args, const sinew_asset *file, const char *path, const char *why) {
    const cli_output_def def = {"bench", "-o", args->output};
    cli_output output = {0};
    int status = args->output ? cli_output_open(&output, &def) : CLI_GOOD;
    if (status == CLI_GOOD) status = run(args, file, path, why, &output);
    cli_output_discard(&output); // no-op if it was written
    return status;
}

static int run_with_file(const bench_args *args) {
    if (args->gpu) return run_to_output(args, NULL, NULL, NULL);
    const char *path = args->file ? args->file : DEFAULT_FILE;
    sinew_asset *asset;
    sinew_error error = {0};
    if (!cli_read(path, &asset, &error) && args->file) return cli_fail("%s", error.message);
    const int status = run_to_output(args, asset, path, asset ? NULL : "it cannot be read");
    sinew_asset_destroy(asset);
    return status;
}

int cli_bench(int argc, char **argv) {
    bench_args args = {0};
    int status;
    if (!read_args(&args, argc, argv, &status)) return status;
    const cli_output_def output = {"bench", "-o", args.output};
    if (args.output && !cli_output_has_ending(&output, ".json", NULL)) return CLI_USAGE;
    return run_with_file(&args);
}
