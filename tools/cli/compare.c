// SPDX-License-Identifier: MIT
// sinew compare: finds the largest difference between two files of one character.
#include "cli/displacement.h"
#include "cli/output.h"
#include "cli/render_args.h"

#include <math.h>
#include <string.h>

static const char help[] =
    "usage: sinew compare A B [--error E] [--json] [--picture OUT.png]\n"
    "\n"
    "Compares two glTF files of one character, such as a file before and after an optimizer. Finds the\n"
    "largest displacement of a vertex, or of a point on a node without a mesh, over all clips and times.\n"
    "Also prints a bound that no time exceeds, each clip's worst moment, the ten worst joints, differences\n"
    "in durations, markers, extras and names, and the sizes in bytes. Lengths are in millimeters, with the\n"
    "model scaled to 1.8 m.\n"
    "\n"
    "  --error E          makes the exit status 1 if the bound exceeds E, such as 1mm or 0.5mm, or if\n"
    "                     anything but motion differs\n"
    "  --json             prints everything as JSON (docs/json.md)\n"
    "  --picture OUT.png  draws the worst moment, A on the left and B on the right\n"
    "\n"
    "example: sinew compare hero.glb hero-small.glb\n";

typedef struct compare_args {
    const char *files[2];
    const char *picture;
    double error; // millimeters; 0 to allow any
    bool json;
} compare_args;

static bool is_same(const comparison *c, double error) {
    return comparison_millimetres(c, c->worst.bound) <= error && c->difference_count == 0 &&
           c->body.unmatched_vertices == 0;
}

static int report(const comparison *c, const compare_args *arguments) {
    if (arguments->json) {
        lint_text json = {0};
        lint_append(&json, "{", 1);
        comparison_append_json(c, &json);
        lint_append(&json, "}", 1);
        if (!cli_print_json(&json)) return CLI_BAD_INPUT;
    } else {
        cli_comparison_print(c);
    }
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    if (arguments->error == 0.0 || is_same(c, arguments->error)) return CLI_GOOD;
    return cli_fail("%s: differs from %s: at most %.4g mm, %d other differences, %d vertices without a counterpart",
                    arguments->files[1], arguments->files[0], comparison_millimetres(c, c->worst.bound),
                    c->difference_count, c->body.unmatched_vertices);
}

// Draws both files at the worst moment, with B to the right of A.
static int draw(const comparison *c, const compare_args *arguments) {
    const compare_worst *worst = &c->worst;
    const int32_t clip = worst->clip >= 0 ? worst->clip : 0;
    const double before_end = fmax(0.0, worst->time - 1e-6); // a loop's end is its start
    char name[32];
    snprintf(name, sizeof name, "#%d", (int)clip);
    cli_render_args render = {.file = arguments->files[0],
                              .clip = c->files[0].model.animation_count > 0 ? name : NULL,
                              .time = (float)before_end,
                              .other_count = 1,
                              .width = 1280,
                              .height = 720,
                              .stride = 1.0f,
                              .pitch = 8.0f,
                              .output = arguments->picture};
    cli_actor_arg *other = &render.others[0];
    snprintf(other->path, sizeof other->path, "%s", arguments->files[1]);
    if (render.clip) snprintf(other->clip, sizeof other->clip, "#%d", (int)c->clip_of[clip]);
    other->at.x = (float)(1.1 * c->body.size);
    return cli_render_draw(&render);
}

static int compare(const compare_args *arguments) {
    const comparison_input input = cli_comparison_input();
    comparison c = {.out_of_memory = false};
    bool good = true;
    for (int side = 0; side < 2 && good; side++)
        good = comparison_open(&c, side, &input, arguments->files[side], NULL, 0);
    good = good && comparison_measure(&c, &input, arguments->error);
    int status = good ? report(&c, arguments) : cli_fail("%s", c.error);
    if (good && arguments->picture) {
        const int drawn = draw(&c, arguments);
        if (status == CLI_GOOD) status = drawn;
    }
    comparison_free(&c);
    return status;
}

// The picture is drawn last, so this checks its name before anything is measured.
static int check_picture(const compare_args *arguments) {
    if (strcmp(arguments->picture, "-") == 0)
        return cli_usage("compare", "--picture needs a file name, not '-'; the report goes to standard output");
    const cli_output_def def = {"compare", "--picture", arguments->picture};
    return cli_output_check(&def);
}

int cli_compare(int argc, char **argv) {
    compare_args arguments = {.json = false};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (cli_args_is(&args, "--error")) {
            cli_args_millimetres(&args, &arguments.error);
        } else if (cli_args_flag(&args, "--json")) {
            arguments.json = true;
        } else if (cli_args_is(&args, "--picture")) {
            arguments.picture = cli_args_file(&args);
        } else if (!args.option && !arguments.files[1]) {
            arguments.files[arguments.files[0] ? 1 : 0] = args.value;
        } else {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments.files[1]) return cli_usage("compare", "two files are needed");
    const cli_output_def picture = {"compare", "--picture", arguments.picture};
    if (arguments.picture && !cli_output_has_ending(&picture, ".png", NULL)) return CLI_USAGE;
    for (int side = 0; side < 2; side++) {
        if (!cli_check_compared(arguments.files[side])) return CLI_BAD_INPUT;
    }
    const int checked = arguments.picture ? check_picture(&arguments) : CLI_GOOD;
    return checked == CLI_GOOD ? compare(&arguments) : checked;
}
