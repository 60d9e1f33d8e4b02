// SPDX-License-Identifier: MIT
// The arguments of `sinew retarget`.
#include "cli/retarget.h"

#include "cli/output.h"

#include "system/system.h"

#include <string.h>

static const char help[] =
    "usage: sinew retarget SOURCE... --onto TARGET [OPTIONS] [-o OUT]\n"
    "\n"
    "Plays the motion of one character on another, with other proportions, axes and names, and writes it as clips\n"
    "into a copy of the target's file. Nodes are paired by their roles, which come from VRM data, from map files "
    "or\n"
    "from names and shape ('sinew humanoid' prints them), and by equal names; those of animals also by the chains "
    "of\n"
    "their shape. Prints the pairs without -o.\n"
    "SOURCE is a .glb, .gltf, .vrm, .vrma or .bvh file, or a folder of them; TARGET a .glb, .gltf or .vrm file.\n"
    "With several sources there is a line for each; those that fail are listed at the end, the others are "
    "written,\n"
    "and the exit status is 1. docs/howto/retarget.md has pictures.\n"
    "\n"
    "  -o OUT               the output; not an input file. OUT.glb: the target's file; OUT.gltf: the same as JSON, "
    "with\n"
    "                       the buffer inside; OUT.bvh: the target's skeleton with one clip; OUT.vrma: a VRM "
    "animation\n"
    "                       of one clip, for a TARGET that is a VRM avatar\n"
    "  --clip NAME          a clip of the source, by name or as #0, #1, ...; may be repeated; default: all\n"
    "  --as NAME            the name of the one clip in OUT (default: its own, or the file's if that is "
    "\"animation\")\n"
    "  --range A..B         only from A to B seconds; A.. to the end, ..B from the start\n"
    "  --only               leaves out the target's own clips\n"
    "  --rate N             keys a second, at least (default 30)\n"
    "  --jobs N             sources at a time (default: one for each processor); the output is the same for any N\n"
    "  --json               prints JSON (docs/json.md)\n"
    "\n"
    "roles and references:\n"
    "  --source-map MAP     the source's roles and chains, from a map file of 'sinew humanoid --map'\n"
    "  --target-map MAP     the target's\n"
    "  --chain SOURCE=TARGET, --chain FIRST..LAST=FIRST..LAST\n"
    "                       pairs a node, or the nodes from FIRST to LAST, of the source with the target's: a "
    "tail, a leg\n"
    "                       of an animal; may be repeated\n"
    "  --source-pose POSE, --target-pose POSE\n"
    "                       the reference pose: CLIP[@S], a clip at S seconds (0); bind; rest; or FILE or\n"
    "                       FILE#CLIP[@S] for another file's with the same nodes. Default: the first that is a T\n"
    "                       or an A of bind pose, rest pose and the clips' frames, or else the most upright\n"
    "\n"
    "motion:\n"
    "  --no-feet            does not move the feet to where the source has them\n"
    "  --hands              also moves the hands: for grips and contacts\n"
    "  --fixed-lengths      ignores translations of the source but those of the hips and the node above them\n"
    "  --scale K            the size of the motion (default: the ratio of the leg lengths)\n"
    "\n"
    "of .bvh sources:\n"
    "  --unit U             the unit: m, cm, mm, in or a number of metres (default: guessed, and printed)\n"
    "  --file-up y|z        the axis that points up (default: guessed, and printed)\n"
    "\n"
    "examples:\n"
    "  sinew retarget hero.glb --onto golem.glb --clip Walk --clip Run -o walking-golem.glb\n"
    "  sinew retarget takes/ --onto hero.glb -o library.glb\n";

// Reads an option; false if it is none of the command's.
static bool read_option(retarget_args *r, cli_args *args) {
    if (cli_args_is(args, "--onto")) {
        r->target.path = cli_args_file(args);
    } else if (cli_args_is(args, "-o")) {
        r->out = cli_args_file(args);
    } else if (cli_args_is(args, "--clip") && r->clip_count < RETARGET_MAX_CLIPS) {
        r->clips[r->clip_count++] = cli_args_value(args);
    } else if (cli_args_is(args, "--chain") && r->chain_count < RETARGET_MAX_CHAINS) {
        r->chains[r->chain_count++] = cli_args_value(args);
    } else if (cli_args_is(args, "--as")) {
        r->name = cli_args_value(args);
    } else if (cli_args_is(args, "--range")) {
        (void)cli_args_range(args, &r->start, &r->end);
    } else if (cli_args_is(args, "--source-map")) {
        r->source.map = cli_args_file(args);
    } else if (cli_args_is(args, "--target-map")) {
        r->target.map = cli_args_file(args);
    } else if (cli_args_is(args, "--source-pose")) {
        r->source.pose_arg = cli_args_value(args);
    } else if (cli_args_is(args, "--target-pose")) {
        r->target.pose_arg = cli_args_value(args);
    } else if (cli_args_is(args, "--rate")) {
        (void)cli_args_float(args, 1.0f, 1000.0f, &r->rate);
    } else if (cli_args_is(args, "--scale")) {
        (void)cli_args_float(args, 1e-6f, 1e6f, &r->scale);
    } else if (cli_args_is(args, "--jobs")) {
        (void)cli_args_int(args, 1, 256, &r->jobs);
    } else {
        return false;
    }
    return true;
}

static bool read_flag(retarget_args *r, cli_args *args) {
    if (cli_args_flag(args, "--only")) {
        r->only = true;
    } else if (cli_args_flag(args, "--json")) {
        r->json = true;
    } else if (cli_args_flag(args, "--no-feet")) {
        r->no_feet = true;
    } else if (cli_args_flag(args, "--hands")) {
        r->hands = true;
    } else if (cli_args_flag(args, "--fixed-lengths")) {
        r->fixed_lengths = true;
    } else {
        return false;
    }
    return true;
}

// A .vrm or .vrma target is copied under its own ending; any other is a .vrma that is made.
static bool is_vrma(const retarget_args *r) {
    return cli_has_suffix(r->out, ".vrma") && !cli_has_suffix(r->target.path, ".vrma");
}

static int check_output(retarget_args *r) {
    const cli_output_def output = {"retarget", "-o", r->out};
    if (is_vrma(r)) {
        r->form = RETARGET_VRMA;
    } else if (!cli_output_has_ending(&output, ".glb .gltf .bvh .vrma", r->target.path)) {
        return CLI_USAGE;
    } else if (cli_is_bvh(r->out)) {
        r->form = RETARGET_BVH;
    } else if (cli_has_suffix(r->out, ".gltf")) {
        r->form = RETARGET_GLTF;
    }
    if (r->form < RETARGET_BVH || r->takes.count == 1) return CLI_GOOD;
    return cli_usage("retarget", "-o %s: has one clip; give one SOURCE, or write a .glb", r->out);
}

static int check(retarget_args *r) {
    if (!r->takes.paths) return cli_usage("retarget", "SOURCE is missing");
    if (!r->target.path) return cli_usage("retarget", "--onto TARGET is missing");
    if (r->name && r->takes.count > 1)
        return cli_usage("retarget", "--as %s: is for one clip of one SOURCE", r->name);
    return r->out ? check_output(r) : CLI_GOOD;
}

static int add_take(retarget_args *r, const char *path) {
    const char *reason = batch_add(&r->takes, path, ".bvh .glb .gltf .vrm .vrma");
    return reason ? cli_fail("%s: %s", path, reason) : CLI_GOOD;
}

int retarget_read_args(retarget_args *r, int argc, char **argv) {
    r->source.side = "source";
    r->target.side = "target";
    r->rate = 30.0f;
    r->jobs = system_processors();
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return -1;
        }
        if (read_flag(r, &args) || read_option(r, &args)) continue;
        if (args.option) return cli_args_unknown(&args);
        if (add_take(r, args.value) != CLI_GOOD) return CLI_BAD_INPUT;
    }
    return args.failed ? CLI_USAGE : check(r);
}
