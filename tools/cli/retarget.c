// SPDX-License-Identifier: MIT
// sinew retarget: retargets other characters' clips and writes them into a copy of the target's file.
#include "cli/retarget.h"

#include "cli/output.h"
#include "files/files.h"

#include <stdlib.h>
#include <string.h>

typedef struct run {
    retarget_args args;
    retarget_take *takes; // [args.takes.count]
    retarget_output output;
    int finished, failed; // number of takes
} run;

// Returns whether a single file was given. It's reported in detail.
static bool is_one(const run *r) {
    return !r->args.takes.is_many;
}

// ---- The takes -----------------------------------------------------------------------------------------------

static void show_clips(int done, int total) {
    cli_progress("retargeting", done, total);
}

static void work(void *user, int item) {
    run *r = user;
    retarget_make(&r->takes[item], is_one(r) ? show_clips : NULL);
}

static void finish(void *user, int item) {
    run *r = user;
    retarget_take *take = &r->takes[item];
    retarget_output_add(&r->output, take);
    r->failed += !take->is_done;
    if (is_one(r)) return;
    retarget_release(take);
    cli_progress("retargeting", ++r->finished, r->args.takes.count);
}

static bool run_takes(run *r) {
    const int count = r->args.takes.count;
    r->takes = calloc((size_t)count, sizeof *r->takes);
    const batch_def def = {count, r->args.jobs, work, finish, r};
    for (int i = 0; r->takes && i < count; i++)
        r->takes[i] = (retarget_take){.path = r->args.takes.paths[i], .args = &r->args, .target = &r->args.target};
    if (r->takes && batch_run(&def)) return true;
    cli_fail("%s: out of memory", r->args.target.path);
    return false;
}

// Prints what was assumed about a single source. With many sources, each one's line says it.
static void print_notes(const retarget_take *take) {
    for (size_t at = 0; at < take->notes.size; at += strlen(take->notes.data + at) + 1)
        fprintf(stderr, "%s: %s\n", cli_text(take->path), cli_text(take->notes.data + at));
}

static void print_failures(const run *r) {
    for (int i = 0; i < r->args.takes.count; i++)
        if (!r->takes[i].is_done) cli_fail("%s", r->takes[i].error);
}

// ---- The command ---------------------------------------------------------------------------------------------

static bool load_target(run *r) {
    char error[1024];
    if (retarget_load(&r->args.target, NULL, NULL, error, sizeof error)) return true;
    cli_fail("%s", error);
    return false;
}

// Compares the output with the sources before doing anything.
static int check_files(const retarget_args *args) {
    const cli_output_def def = {"retarget", "-o", args->out};
    if (!args->out) return CLI_GOOD;
    if (args->form < RETARGET_BVH && !cli_check_gltf(args->target.path, "retarget writes clips into a glTF file"))
        return CLI_BAD_INPUT;
    for (int i = 0; i < args->takes.count; i++)
        if (!files_note(args->takes.paths[i])) return cli_fail("%s: out of memory", args->takes.paths[i]);
    return cli_output_check(&def);
}

static bool print(const run *r) {
    const int count = r->args.takes.count;
    if (r->args.json)
        return is_one(r) ? retarget_print_one_json(r->takes, &r->output)
                         : retarget_print_many_json(r->takes, count, &r->output);
    if (is_one(r)) {
        retarget_print_one(r->takes, &r->output);
    } else {
        retarget_print_many(r->takes, count, &r->output);
    }
    return true;
}

static int retarget(run *r) {
    const int checked = check_files(&r->args);
    if (checked != CLI_GOOD) return checked;
    if (!load_target(r) || !retarget_output_open(&r->output, &r->args) || !run_takes(r)) return CLI_BAD_INPUT;
    if (is_one(r)) print_notes(r->takes);
    const bool has_output = r->args.out && r->failed < r->args.takes.count;
    const int written = has_output ? retarget_output_write(&r->output) : CLI_GOOD;
    if (written != CLI_GOOD) return written;
    const bool is_printed = (is_one(r) && r->failed > 0) || print(r);
    print_failures(r);
    return is_printed && r->failed == 0 && cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

static void free_run(run *r) {
    retarget_output_close(&r->output);
    for (int i = 0; r->takes && i < r->args.takes.count; i++) retarget_free(&r->takes[i]);
    free(r->takes);
    sinew_humanoid_chains_destroy(r->args.target.chains);
    sinew_pose_destroy(r->args.target.pose);
    sinew_asset_destroy(r->args.target.asset);
    batch_list_free(&r->args.takes);
}

int cli_retarget(int argc, char **argv) {
    static run r; // too large for some stacks
    memset(&r, 0, sizeof r);
    int status = retarget_read_args(&r.args, argc, argv);
    if (status == CLI_GOOD) status = retarget(&r);
    free_run(&r);
    return status < 0 ? CLI_GOOD : status;
}
