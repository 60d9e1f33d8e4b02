// SPDX-License-Identifier: MIT
// sinew bake-asset: writes a file that loads without parsing.
#include "cli/cli.h"

#include "cli/displacement.h"
#include "cli/depfile.h"
#include "cli/output.h"

static const char help[] =
    "usage: sinew bake-asset FILE -o OUT.sinew [--up y|z] [--compress LENGTH] [--u16] [--depfile OUT.d]\n"
    "                        [--json]\n"
    "\n"
    "Converts a glTF or BVH file into Sinew's own format, which loads without parsing. Poses stay\n"
    "identical to the bit, unless you use --compress or --u16. The output only works with this version of\n"
    "Sinew and can't be edited: keep FILE, and bake it again for the next version. Every command that only\n"
    "loads a file accepts the output.\n"
    "\n"
    "  -o OUT.sinew       writes this file; it must not be an input file\n"
    "  --up y|z           sets the up axis: y, as in the file (default), or z\n"
    "  --compress LENGTH  compresses clips: no joint, and no point 3 cm from one, moves by more than\n"
    "                     LENGTH, such as 0.1mm. FILE must be in meters\n"
    "  --u16              stores keys in 16 bits: half the memory, inexact\n"
    "  --depfile OUT.d    also lists the files that OUT.sinew was made from, for make, ninja and CMake\n"
    "  --json             prints JSON (docs/json.md)\n"
    "\n"
    "example: sinew bake-asset hero.glb -o hero.sinew\n";

typedef struct bake_asset_args {
    const char *file, *output, *depfile;
    sinew_up up;
    double compress_error; // millimeters; 0 to keep clips uncompressed
    bool u16, json;
} bake_asset_args;

static void print_result(const bake_asset_args *arguments, const sinew_asset *asset, size_t size) {
    if (arguments->json) {
        printf("{\"file\":");
        cli_json_string(stdout, arguments->file);
        printf(",\"output\":");
        cli_json_string(stdout, arguments->output);
        printf(",\"bytes\":%zu,\"clips\":%d,\"meshes\":%d}\n", size, (int)asset->clip_count,
               (int)asset->mesh_count);
    } else {
        printf("%s: ", cli_text(arguments->output));
        cli_print_bytes(size);
        printf(", %d clips, %d meshes\n", (int)asset->clip_count, (int)asset->mesh_count);
    }
}

// Writes the bytes to the output. On failure, leaves the output unchanged.
static int write_baked(const bake_asset_args *arguments, const sinew_asset *asset, const sinew_baked_asset *baked) {
    const cli_output_def def = {"bake-asset", "-o", arguments->output};
    cli_output output = {0};
    int status = cli_write_depfile("bake-asset", arguments->depfile, arguments->output);
    if (status == CLI_GOOD) status = cli_output_open(&output, &def);
    if (status != CLI_GOOD) return status;
    (void)fwrite(baked->data, 1, baked->size, output.file); // closing the file finds errors
    status = cli_output_close(&output);
    if (status == CLI_GOOD) print_result(arguments, asset, baked->size);
    return status;
}

static int run(const bake_asset_args *arguments) {
    if (cli_is_baked(arguments->file)) return cli_fail("%s: is already baked", arguments->file);
    const cli_storage storage = {.keys = arguments->u16 ? SINEW_KEYS_U16 : SINEW_KEYS_FLOAT,
                                 .compress_error = (float)(arguments->compress_error / 1000.0)};
    sinew_asset *asset = cli_load_stored(arguments->file, arguments->up, &storage);
    if (!asset) return CLI_BAD_INPUT;
    sinew_baked_asset *baked;
    sinew_error error;
    const bool good = sinew_baked_asset_create(asset, NULL, &baked, &error) == SINEW_OK;
    const int status =
        good ? write_baked(arguments, asset, baked) : cli_fail("%s: %s", arguments->file, error.message);
    sinew_baked_asset_destroy(baked);
    sinew_asset_destroy(asset);
    return status;
}

int cli_bake_asset(int argc, char **argv) {
    bake_asset_args arguments = {0};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (cli_args_is(&args, "-o")) {
            arguments.output = cli_args_file(&args);
        } else if (cli_args_is(&args, "--up")) {
            cli_args_up(&args, &arguments.up);
        } else if (cli_args_is(&args, "--compress")) {
            cli_args_millimetres(&args, &arguments.compress_error);
        } else if (cli_args_is(&args, "--depfile")) {
            arguments.depfile = cli_args_file(&args);
        } else if (cli_args_flag(&args, "--u16")) {
            arguments.u16 = true;
        } else if (cli_args_flag(&args, "--json")) {
            arguments.json = true;
        } else if (!args.option && !arguments.file) {
            arguments.file = args.value;
        } else {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments.file || !arguments.output) return cli_usage("bake-asset", "FILE and -o OUT.sinew are required");
    const cli_output_def output = {"bake-asset", "-o", arguments.output};
    if (!cli_output_has_ending(&output, ".sinew", NULL)) return CLI_USAGE;
    return run(&arguments);
}
