// SPDX-License-Identifier: MIT
// Optimizes many files in one call. Each is written to the folder when it's done.
#include "cli/optimize.h"

#include "cli/output.h"
#include "files/files.h"
#include "system/system.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct item {
    const char *path;
    char *output;
    shrink_work *work; // until it's written
    bool is_good;
    lint_text report; // a line, or JSON
    char error[1024];
} item;

typedef struct run {
    const optimize_args *args;
    comparison_input input;
    item *items; // [count]
    int count, finished, failed;
    int inputs; // number of inputs that were compared with the outputs
} run;

// ---- Outputs -------------------------------------------------------------------------------------------------

// Returns FOLDER/NAME.glb. Avatars keep their ending.
static char *name_output(const char *folder, const char *path) {
    const char *ending = cli_has_suffix(path, ".vrm") ? ".vrm" : cli_has_suffix(path, ".vrma") ? ".vrma" : ".glb";
    char *name = batch_name(path);
    const size_t size = name ? strlen(folder) + strlen(name) + 8 : 0;
    char *output = name ? malloc(size) : NULL;
    if (output) snprintf(output, size, "%s/%s%s", folder, name, ending);
    free(name);
    return output;
}

static int by_output(const void *a, const void *b) {
    return strcmp((*(item *const *)a)->output, (*(item *const *)b)->output);
}

// Fails if two files would be written to the same output.
static int check_names(const run *r) {
    item **sorted = malloc((size_t)r->count * sizeof *sorted); // NOLINT(bugprone-sizeof-expression): pointers
    int status = CLI_GOOD;
    if (!sorted) return cli_fail("%s: out of memory", r->args->output);
    for (int i = 0; i < r->count; i++) sorted[i] = &r->items[i];
    qsort(sorted, (size_t)r->count, sizeof *sorted, by_output); // NOLINT(bugprone-sizeof-expression): pointers
    for (int i = 1; i < r->count && status == CLI_GOOD; i++)
        if (by_output(&sorted[i - 1], &sorted[i]) == 0)
            status = cli_usage("optimize", "%s and %s would both be written to %s; write them to different folders",
                               sorted[i - 1]->path, sorted[i]->path, sorted[i]->output);
    free(sorted);
    return status;
}

// Compares all outputs with all inputs and the files they name. Inputs read later are compared when each output is
// written.
static int check_outputs(run *r) {
    for (int i = 0; i < r->count; i++)
        if (!files_note(r->items[i].path) || !cli_note_named_files(r->items[i].path))
            return cli_fail("%s: out of memory", r->items[i].path);
    r->inputs = files_input_count();
    for (int i = 0; i < r->count; i++) {
        files_identity output;
        if (!files_identify(r->items[i].output, &output)) continue;
        for (int k = 0; k < r->inputs; k++) {
            const files_input input = files_input_at(k);
            if (files_are_same(input.identity, output))
                return cli_usage("optimize", "-o %s: %s would overwrite the input %s; choose another folder",
                                 r->args->output, r->items[i].output, input.path);
        }
    }
    return CLI_GOOD;
}

// ---- One file ------------------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static void fail(item *it, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(it->error, sizeof it->error, format, arguments);
    va_end(arguments);
    it->is_good = false;
}

static void work(void *user, int index) {
    run *r = user;
    item *it = &r->items[index];
    shrink_def def = cli_optimize_def(r->args, &r->input);
    def.path = it->path;
    def.output = it->output;
    it->work = calloc(1, sizeof *it->work);
    if (!it->work) {
        fail(it, "%s: out of memory", it->path);
    } else if (cli_is_baked(it->path) || cli_is_bvh(it->path)) {
        fail(it, "%s: isn't a glTF file", it->path);
    } else {
        it->is_good = shrink_run(it->work, &def);
        if (!it->is_good) fail(it, "%s", it->work->error);
    }
}

static void report(const run *r, item *it) {
    const comparison *c = &it->work->comparison;
    if (r->args->json) {
        shrink_append_json(it->work, &it->report);
        return;
    }
    lint_append_format(&it->report, "%zu bytes became %zu", c->files[0].size, it->work->size);
    if (it->work->kept) {
        lint_append_format(&it->report, ": not made smaller: %s", it->work->kept);
    } else {
        lint_append_format(&it->report, ", moved by at most %.3f mm", comparison_millimetres(c, c->worst.bound));
    }
}

static bool write(const run *r, item *it) {
    const cli_output_def def = {"optimize", "-o", it->output};
    cli_output output;
    if (cli_output_open_apart(&output, &def, r->inputs) != CLI_GOOD) return false;
    fwrite(it->work->bytes, 1, it->work->size, output.file); // closing the file finds errors
    return cli_output_close(&output) == CLI_GOOD;
}

static void finish(void *user, int index) {
    run *r = user;
    item *it = &r->items[index];
    if (it->is_good) report(r, it);
    if (it->is_good && !write(r, it)) fail(it, "%s: was not written", it->path);
    if (it->work) shrink_end(it->work);
    free(it->work);
    it->work = NULL;
    r->failed += !it->is_good;
    cli_progress("optimizing", ++r->finished, r->count);
}

// ---- All files -----------------------------------------------------------------------------------------------

static bool print_json(const run *r) {
    lint_text json = {0};
    lint_append_format(&json, "[");
    for (int i = 0; i < r->count; i++) {
        const item *it = &r->items[i];
        lint_append(&json, ",\n", i > 0 ? 2 : 0);
        if (it->is_good) {
            lint_append(&json, it->report.data, it->report.size);
            json.failed |= it->report.failed;
        } else {
            lint_append_format(&json, "{\"files\":[{\"path\":");
            lint_append_json_string(&json, it->path);
            lint_append_format(&json, "}],\"failed\":");
            lint_append_json_string(&json, it->error);
            lint_append_format(&json, "}");
        }
    }
    lint_append_format(&json, "]");
    return cli_print_json(&json);
}

static void print_lines(const run *r) {
    for (int i = 0; i < r->count; i++) {
        const item *it = &r->items[i];
        if (it->is_good) printf("%s: %.*s\n", cli_text(it->output), (int)it->report.size, it->report.data);
    }
    printf("%d of %d files written to %s\n", r->count - r->failed, r->count, cli_text(r->args->output));
}

static int optimize_all(run *r) {
    if (!system_make_folder(r->args->output))
        return cli_fail("%s: the folder cannot be created: %s", r->args->output, strerror(errno));
    const batch_def def = {r->count, r->args->jobs, work, finish, r};
    if (!batch_run(&def)) return cli_fail("%s: out of memory", r->args->output);
    bool is_printed = true;
    if (r->args->json) {
        is_printed = print_json(r);
    } else {
        print_lines(r);
    }
    for (int i = 0; i < r->count; i++)
        if (!r->items[i].is_good) cli_fail("%s", r->items[i].error);
    return is_printed && r->failed == 0 && cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

// Returns false if memory runs out.
static bool make_items(run *r) {
    r->items = calloc((size_t)r->count + 1, sizeof *r->items);
    for (int i = 0; r->items && i < r->count; i++) {
        r->items[i].path = r->args->files.paths[i];
        r->items[i].output = name_output(r->args->output, r->items[i].path);
        if (!r->items[i].output) return false;
    }
    return r->items != NULL;
}

int cli_optimize_many(const optimize_args *arguments) {
    run r = {.args = arguments, .input = cli_comparison_input(), .count = arguments->files.count};
    r.input.progress = NULL; // for clips
    int status = CLI_BAD_INPUT;
    if (!make_items(&r)) {
        cli_fail("%s: out of memory", arguments->output);
    } else {
        status = check_names(&r);
        if (status == CLI_GOOD) status = check_outputs(&r);
        if (status == CLI_GOOD) status = optimize_all(&r);
    }
    for (int i = 0; r.items && i < r.count; i++) {
        lint_text_free(&r.items[i].report);
        free(r.items[i].output);
    }
    free(r.items);
    return status;
}
