// SPDX-License-Identifier: MIT
// sinew optimize: smaller animations, with an error that is bounded in the body.
#include "cli/comparison.h"
#include "cli/output.h"

#include "lint/lint.h"
#include "optimize/optimize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew optimize FILE -o OUT.glb [--error E | --tight] [--plain] [--json]\n"
    "\n"
    "Makes the animations of a glTF file smaller. No vertex, and no point on a node, is displaced by more than E "
    "at any\n"
    "time of any clip, with the model scaled to 1.8 m: the result is measured as 'sinew compare' does, and the\n"
    "measurement is printed. Meshes, skins, nodes, names, extras, markers and durations stay; key times are "
    "authored\n"
    "ones. A result that is not smaller is not written: OUT.glb is then FILE in one file.\n"
    "\n"
    "  -o OUT.glb     the output; not an input file\n"
    "  --error E      the largest displacement: 1mm (the default), 0.5mm, ...\n"
    "  --tight        the same as --error 0.15mm\n"
    "  --plain        without EXT_meshopt_compression, for viewers that lack it: larger\n"
    "  --json         prints the measurement as JSON (docs/json.md)\n"
    "\n"
    "examples:\n"
    "  sinew optimize hero.glb -o hero-small.glb\n"
    "  sinew optimize hero.glb -o hero-small.glb --error 0.5mm\n";

#define DEFAULT_ERROR 1.0
#define TIGHT_ERROR   0.15

// The limit of the poses that are evaluated, as a multiple of those of a comparison.
#define ROUNDS 32.0

typedef struct optimize_args {
    const char *file, *output;
    double error; // millimetres; 0: not given
    bool tight, plain, json;
} optimize_args;

// A file to write.
typedef struct written {
    const uint8_t *bytes;
    size_t size;
    bool kept;       // the original
    const char *why; // it is
    uint8_t *file;   // the bytes of the original; or NULL
    lint_fixed packed;
    bool is_packed;
} written;

// ---- The original ------------------------------------------------------------------------------------------

// Whether a file is one .glb.
static bool is_whole(const ref_document *document) {
    for (int32_t i = 0; i < document->buffers.count; i++) {
        if (sinew_json_get(&document->json, document->buffers.values[i], "uri") != SINEW_JSON_ABSENT) return false;
    }
    return document->binary;
}

static uint8_t *read_whole(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = file ? malloc(size + 1) : NULL;
    if (bytes && fread(bytes, 1, size, file) != size) {
        free(bytes);
        bytes = NULL;
    }
    if (file) fclose(file);
    return bytes;
}

static bool keep_original(const cli_compared *original, written *out, const char *why) {
    out->kept = true;
    out->why = why;
    if (is_whole(&original->document)) {
        out->file = read_whole(original->path, original->size);
        out->bytes = out->file;
        out->size = original->size;
    } else {
        out->is_packed = true;
        if (lint_pack(&out->packed, original->path, cli_decode_meshopt, NULL)) {
            out->bytes = out->packed.glb;
            out->size = out->packed.size;
        }
    }
    if (!out->bytes) cli_fail("%s: cannot be read again", original->path);
    return out->bytes != NULL;
}

// The error of an earlier optimization, in millimetres; 0: none.
static double earlier_error(cli_compared *original) {
    const sinew_json *json = &original->document.json;
    const char *generator = ref_string(&original->document, sinew_json_get(json, 0, "asset"), "generator");
    const char *mark = strstr(generator, OPTIMIZE_MARK);
    const double error = mark ? strtod(mark + strlen(OPTIMIZE_MARK), NULL) : 0.0;
    return isfinite(error) && error > 0.0 ? error : 0.0;
}

// ---- Optimizing --------------------------------------------------------------------------------------------

static void show_progress(int32_t done, int32_t total) {
    cli_progress("optimizing", done, total);
}

// Fills `out` with the smaller file, or the original.
static bool optimize(cli_compared *original, const optimize_args *arguments, optimize_result *result,
                     written *out) {
    const double earlier = earlier_error(original), error = arguments->error - earlier;
    char mark[64];
    snprintf(mark, sizeof mark, OPTIMIZE_MARK "%.6g mm", arguments->error);
    if (error <= 1e-9) return keep_original(original, out, "it was optimized before, with this error");
    if (original->model.animation_count == 0) return keep_original(original, out, "it has no animation");
    const optimize_def def = {.path = original->path,
                              .document = &original->document,
                              .model = &original->model,
                              .error = error / CLI_SCALED_SIZE,
                              .plain = arguments->plain,
                              .mark = mark,
                              .max_poses = (int64_t)fmin(1e15, ROUNDS * cli_compared_poses(original)),
                              .decode = cli_decode_meshopt,
                              .progress = show_progress};
    if (!optimize_file(result, &def)) {
        cli_fail("%s", result->error);
        return false;
    }
    if (!result->glb) return keep_original(original, out, "none of its animations can be changed");
    if (result->size >= original->size) return keep_original(original, out, "no smaller file was found");
    out->bytes = result->glb;
    out->size = result->size;
    return true;
}

// ---- The report --------------------------------------------------------------------------------------------

static void print_clips_json(const cli_comparison *c, const optimize_result *result) {
    printf(",\n\"tracks\":[");
    for (int32_t i = 0; i < c->files[0].model.animation_count && result->clips; i++) {
        const optimize_clip *clip = &result->clips[i];
        printf("%s{\"clip\":%d,\"all\":%d,\"dropped\":%d,\"constant\":%d,\"reduced\":%d,\"untouched\":%s}",
               i ? "," : "", i, clip->tracks, clip->dropped, clip->constant, clip->reduced,
               clip->untouched ? "true" : "false");
    }
    printf("]");
}

static void print_tracks(const cli_comparison *c, const optimize_result *result) {
    optimize_clip all = {0};
    for (int32_t i = 0; i < c->files[0].model.animation_count && result->clips; i++) {
        const optimize_clip *clip = &result->clips[i];
        all.tracks += clip->tracks;
        all.dropped += clip->dropped;
        all.constant += clip->constant;
        all.reduced += clip->reduced;
        if (clip->untouched)
            printf("clip '%s' is as it was: an extension animates it\n",
                   cli_text(c->files[0].model.animations[i].name));
    }
    printf("%d tracks: %d dropped, %d constant, %d with fewer keys\n", all.tracks, all.dropped, all.constant,
           all.reduced);
}

static void report(const cli_comparison *c, const optimize_args *arguments, const optimize_result *result,
                   const written *out) {
    if (arguments->json) {
        printf("{\"error\":%.9g,\"kept\":", arguments->error);
        if (out->kept) {
            cli_json_string(stdout, out->why);
        } else {
            printf("null");
        }
        printf(",");
        cli_comparison_json(c);
        print_clips_json(c, out->kept ? &(optimize_result){.glb = NULL} : result);
        printf("}\n");
        return;
    }
    if (out->kept) {
        printf("%s: nothing is gained: %s\n", cli_text(arguments->file), out->why);
        return;
    }
    print_tracks(c, result);
    cli_comparison_print(c);
}

// ---- The command -------------------------------------------------------------------------------------------

// Measures what was made, from its bytes.
static bool check(cli_comparison *c, const optimize_args *arguments, written *out) {
    if (!cli_compared_open(&c->files[1], arguments->output, out->bytes, out->size) ||
        !cli_comparison_measure(c, 0.0))
        return false;
    if (out->kept || cli_comparison_millimetres(c, c->worst.bound) <= arguments->error * (1.0 + 1e-6)) return true;
    cli_fail("%s: the result is displaced by %.6g mm; please report this", arguments->file,
             cli_comparison_millimetres(c, c->worst.bound));
    return false;
}

static bool run(const optimize_args *arguments, cli_output *output) {
    cli_comparison c = {.out_of_memory = false};
    optimize_result result = {.glb = NULL};
    written out = {.bytes = NULL};
    bool good = cli_compared_open(&c.files[0], arguments->file, NULL, 0) &&
                optimize(&c.files[0], arguments, &result, &out) && check(&c, arguments, &out);
    if (good) {
        fwrite(out.bytes, 1, out.size, output->file); // errors are found when it is closed
        good = cli_output_close(output);
        if (good) report(&c, arguments, &result, &out);
    }
    if (out.is_packed) lint_fixed_end(&out.packed);
    free(out.file);
    cli_comparison_free(&c);
    optimize_end(&result);
    return good && cli_flush_stdout();
}

static int parse(optimize_args *arguments, cli_args *args) {
    while (cli_args_next(args)) {
        if (cli_args_flag(args, "--help")) {
            printf("%s", help);
            return -1;
        }
        if (cli_args_is(args, "--error")) {
            cli_args_millimetres(args, &arguments->error);
        } else if (cli_args_flag(args, "--tight")) {
            arguments->tight = true;
        } else if (cli_args_flag(args, "--plain")) {
            arguments->plain = true;
        } else if (cli_args_flag(args, "--json")) {
            arguments->json = true;
        } else if (cli_args_is(args, "-o")) {
            arguments->output = cli_args_file(args);
        } else if (!args->option && !arguments->file) {
            arguments->file = args->value;
        } else {
            return cli_args_unknown(args);
        }
    }
    if (args->failed) return CLI_USAGE;
    if (!arguments->file) return cli_usage("optimize", "FILE is missing");
    if (!arguments->output) return cli_usage("optimize", "-o is missing");
    if (strcmp(arguments->output, "-") == 0)
        return cli_usage("optimize", "-o needs a file name, not '-'; the report goes to standard output");
    if (arguments->tight && arguments->error > 0.0)
        return cli_usage("optimize", "--tight is an --error of 0.15mm: give one of them");
    if (arguments->error == 0.0) arguments->error = arguments->tight ? TIGHT_ERROR : DEFAULT_ERROR;
    return CLI_GOOD;
}

int cli_optimize(int argc, char **argv) {
    optimize_args arguments = {.json = false};
    cli_args args = cli_args_start(argc, argv);
    const int parsed = parse(&arguments, &args);
    if (parsed != CLI_GOOD) return parsed < 0 ? CLI_GOOD : parsed;
    const cli_output_def def = {"optimize", "-o", arguments.output, &arguments.file, 1};
    cli_output output;
    const int opened = cli_output_open(&output, &def);
    if (opened != CLI_GOOD) return opened;
    const bool good = run(&arguments, &output);
    cli_output_discard(&output); // unless it was written
    return good ? CLI_GOOD : CLI_BAD_INPUT;
}
