// SPDX-License-Identifier: MIT
// sinew optimize: makes animations smaller and bounds the error in the body.
#include "cli/depfile.h"
#include "cli/optimize.h"
#include "cli/output.h"

#include "meshes/meshes.h"
#include "system/system.h"

#include <string.h>

static const char help[] =
    "usage: sinew optimize FILE -o OUT.glb [--error E | --tight] [--meshes] [--khr | --plain] [--json]\n"
    "       sinew optimize FILE... -o FOLDER [the same options] [--jobs N]\n"
    "\n"
    "Makes a glTF file's animations smaller. No vertex, and no point on a node, moves by more than E at any\n"
    "time of any clip, with the model scaled to 1.8 m. The command measures its result like 'sinew compare',\n"
    "and prints the measurement. Skins, nodes, names, extras, markers and durations stay. So do meshes,\n"
    "unless you use --meshes. Keys keep their authored times. If the result isn't smaller, OUT.glb is FILE\n"
    "unchanged, in one file.\n"
    "\n"
    "If you pass several files, or a folder of .glb, .gltf, .vrm and .vrma files, each becomes\n"
    "FOLDER/NAME.glb and prints a line. If some fail, the others are still written, the failures are listed\n"
    "at the end, and the exit status is 1.\n"
    "\n"
    "  -o OUT.glb     writes this file; it must not be an input file\n"
    "  --error E      sets the largest displacement: 1mm (default), 0.5mm, ...\n"
    "  --tight        is the same as --error 0.15mm\n"
    "  --meshes       also makes meshes smaller: quantizes vertices and inverse bind matrices within E,\n"
    "                 merges equal vertices, sorts vertices and triangles, and drops texture coordinates\n"
    "                 and tangents that no material needs\n"
    "  --khr          writes KHR_meshopt_compression instead of EXT_meshopt_compression; same bytes\n"
    "  --plain        writes without EXT_meshopt_compression, for viewers that lack it; larger\n"
    "  --depfile OUT.d  also lists the files that OUT.glb was made from, for make, ninja and CMake\n"
    "  --jobs N       works on N files at a time (default: one per processor); the output is the same\n"
    "  --json         prints the measurement as JSON (docs/json.md)\n"
    "\n"
    "examples:\n"
    "  sinew optimize hero.glb -o hero-small.glb\n"
    "  sinew optimize hero.glb -o hero-small.glb --error 0.5mm\n"
    "  sinew optimize characters/ -o small --meshes\n";

#define DEFAULT_ERROR 1.0
#define TIGHT_ERROR   0.15

// ---- The report --------------------------------------------------------------------------------------------

static void print_tracks(const shrink_work *o) {
    const ref_model *model = &o->comparison.files[0].model;
    optimize_clip all = {0};
    int32_t limited = 0;
    for (int32_t i = 0; i < model->animation_count && o->result.clips; i++) {
        const optimize_clip *clip = &o->result.clips[i];
        all.tracks += clip->tracks;
        all.dropped += clip->dropped;
        all.constant += clip->constant;
        all.reduced += clip->reduced;
        limited += clip->limited;
        if (clip->untouched)
            printf("clip '%s' is unchanged, because an extension animates it\n",
                   cli_text(model->animations[i].name));
    }
    if (limited > 0)
        printf("%d of %d clips could be smaller: the search stopped, because work is limited by the file size\n",
               (int)limited, (int)model->animation_count);
    printf("%d tracks: %d dropped, %d constant, %d with fewer keys\n", all.tracks, all.dropped, all.constant,
           all.reduced);
}

static void print_meshes(const shrink_work *o) {
    const optimize_meshes *meshes = &o->meshes;
    for (int32_t i = 0; i < meshes->kept_count; i++)
        printf("mesh accessor %d is unchanged: %s\n", meshes->kept[i].accessor, meshes->kept[i].why);
    if (meshes->exact) printf("positions and weights are not rounded: %s\n", meshes->exact);
    if (!meshes->model) {
        printf("meshes: none would get smaller\n");
        return;
    }
    printf("meshes: %d accessors, %zu bytes and %zu bytes", meshes->accessor_count, meshes->bytes[0],
           meshes->bytes[1]);
    if (meshes->step > 0.0) printf("; positions rounded to %.4g", meshes->step);
    if (meshes->weight_bits > 0) printf("; %d-bit weights", meshes->weight_bits);
    if (meshes->reordered > 0) printf("; %d vertices reordered", meshes->reordered);
    if (meshes->merged > 0) printf("; %d merged with equal ones", meshes->merged);
    if (meshes->dropped_count > 0) printf("; %d attributes dropped that no material needs", meshes->dropped_count);
    printf("; moved by at most %.3f mm\n", comparison_millimetres(&o->comparison, meshes->error));
}

static bool report(const shrink_work *o, const optimize_args *arguments) {
    if (arguments->json) {
        lint_text json = {0};
        shrink_append_json(o, &json);
        return cli_print_json(&json);
    }
    if (o->kept) {
        printf("%s: not made smaller: %s\n", cli_text(o->def.path), o->kept);
        return true;
    }
    print_tracks(o);
    if (arguments->meshes) print_meshes(o);
    cli_comparison_print(&o->comparison);
    return true;
}

// ---- The command -------------------------------------------------------------------------------------------

static void show_progress(int32_t done, int32_t total) {
    cli_progress("optimizing", done, total);
}

static optimize_extension extension_of(const optimize_args *arguments) {
    if (arguments->plain) return OPTIMIZE_PLAIN;
    return arguments->khr ? OPTIMIZE_KHR : OPTIMIZE_EXT;
}

shrink_def cli_optimize_def(const optimize_args *arguments, const comparison_input *input) {
    return (shrink_def){.error = arguments->error,
                        .extension = extension_of(arguments),
                        .code_meshes = arguments->meshes ? meshes_code : NULL,
                        .input = input};
}

static int run(const optimize_args *arguments, cli_output *output) {
    const comparison_input input = cli_comparison_input();
    shrink_def def = cli_optimize_def(arguments, &input);
    def.path = arguments->files.paths[0];
    def.output = arguments->output;
    def.progress = show_progress;
    shrink_work o;
    int status;
    if (shrink_run(&o, &def)) {
        fwrite(o.bytes, 1, o.size, output->file); // closing the file finds errors
        status = cli_output_close(output);
        if (status == CLI_GOOD) status = cli_write_depfile("optimize", arguments->depfile, arguments->output);
        if (status == CLI_GOOD && !(report(&o, arguments) && cli_flush_stdout())) status = CLI_BAD_INPUT;
    } else {
        status = cli_fail("%s", o.error);
    }
    shrink_end(&o);
    return status;
}

static bool read_option(optimize_args *arguments, cli_args *args) {
    if (cli_args_is(args, "--error")) {
        cli_args_millimetres(args, &arguments->error);
    } else if (cli_args_flag(args, "--tight")) {
        arguments->tight = true;
    } else if (cli_args_flag(args, "--meshes")) {
        arguments->meshes = true;
    } else if (cli_args_flag(args, "--khr")) {
        arguments->khr = true;
    } else if (cli_args_flag(args, "--plain")) {
        arguments->plain = true;
    } else if (cli_args_flag(args, "--json")) {
        arguments->json = true;
    } else if (cli_args_is(args, "--jobs")) {
        cli_args_int(args, 1, 256, &arguments->jobs);
    } else if (cli_args_is(args, "--depfile")) {
        arguments->depfile = cli_args_file(args);
    } else if (cli_args_is(args, "-o")) {
        arguments->output = cli_args_file(args);
    } else {
        return false;
    }
    return true;
}

static int check(optimize_args *arguments) {
    if (!arguments->files.paths) {
        cli_usage("optimize", "FILE is missing");
        return CLI_USAGE;
    }
    if (!arguments->output) return cli_usage("optimize", "-o is missing");
    if (strcmp(arguments->output, "-") == 0)
        return cli_usage("optimize", "-o needs a file name, not '-'; the report goes to standard output");
    if (arguments->tight && arguments->error > 0.0)
        return cli_usage("optimize", "--tight and --error cannot be used together: --tight is --error 0.15mm");
    if (arguments->khr && arguments->plain)
        return cli_usage("optimize", "--plain and --khr cannot be used together: --plain doesn't use an extension");
    if (arguments->meshes && arguments->plain)
        return cli_usage("optimize", "--plain and --meshes cannot be used together: --meshes needs an extension");
    if (arguments->error == 0.0) arguments->error = arguments->tight ? TIGHT_ERROR : DEFAULT_ERROR;
    arguments->files.is_many |= system_is_folder(arguments->output);
    if (arguments->depfile && arguments->files.is_many)
        return cli_usage("optimize", "--depfile %s: works with one FILE only", arguments->depfile);
    return CLI_GOOD;
}

static int parse(optimize_args *arguments, cli_args *args) {
    while (cli_args_next(args)) {
        if (cli_args_flag(args, "--help")) {
            printf("%s", help);
            return -1;
        }
        if (read_option(arguments, args)) continue;
        if (args->option) {
            cli_args_unknown(args);
            return CLI_USAGE;
        }
        const char *reason = batch_add(&arguments->files, args->value, ".glb .gltf .vrm .vrma");
        if (reason) {
            cli_fail("%s: %s", args->value, reason);
            return CLI_BAD_INPUT;
        }
    }
    return args->failed ? CLI_USAGE : check(arguments);
}

static int optimize_one(const optimize_args *arguments) {
    const char *file = arguments->files.paths[0];
    const cli_output_def def = {"optimize", "-o", arguments->output};
    if (!cli_output_has_ending(&def, ".glb", file)) return CLI_USAGE;
    if (!cli_check_compared(file)) return CLI_BAD_INPUT;
    cli_output output;
    const int opened = cli_output_open(&output, &def);
    if (opened != CLI_GOOD) return opened;
    const int status = run(arguments, &output);
    cli_output_discard(&output); // no-op if it was written
    return status;
}

int cli_optimize(int argc, char **argv) {
    optimize_args arguments = {.jobs = system_processors()};
    cli_args args = cli_args_start(argc, argv);
    int status = parse(&arguments, &args);
    if (status == CLI_GOOD)
        status = arguments.files.is_many ? cli_optimize_many(&arguments) : optimize_one(&arguments);
    batch_list_free(&arguments.files);
    return status < 0 ? CLI_GOOD : status;
}
