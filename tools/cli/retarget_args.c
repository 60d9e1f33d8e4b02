// SPDX-License-Identifier: MIT
// Reads the arguments of `sinew retarget`.
#include "cli/retarget.h"

#include "cli/output.h"

#include "system/system.h"

#include <string.h>

static const char help[] =
    "usage: sinew retarget SOURCE... --onto TARGET [OPTIONS] [-o OUT]\n"
    "\n"
    "Plays one character's motion on another with different proportions, axes and names, and writes it as\n"
    "clips into a copy of the target's file. Nodes pair by roles and by equal names; animals also pair by\n"
    "the chains of their shape. Roles come from VRM data, from map files, or from names and shape ('sinew\n"
    "humanoid' prints them). Without -o, prints the pairs.\n"
    "\n"
    "SOURCE is a .glb, .gltf, .vrm, .vrma or .bvh file, or a folder of them. TARGET is a .glb, .gltf or\n"
    ".vrm file. If you pass several sources, each prints a line. If some fail, the others are still\n"
    "written, the failures are listed at the end, and the exit status is 1. docs/howto/retarget.md has\n"
    "pictures.\n"
    "\n"
    "  -o OUT               writes one of these, which must not be an input file:\n"
    "                       OUT.glb, the target's file; OUT.gltf, the same as JSON with the buffer inside;\n"
    "                       OUT.bvh, the target's skeleton with one clip; OUT.vrma, a VRM animation with\n"
    "                       one clip, if TARGET is a VRM avatar\n"
    "  --clip NAME          picks a source clip by name, or as #0, #1, ...; repeatable (default: all)\n"
    "  --as NAME            names the one clip in OUT (default: its own name, or the file's if that is\n"
    "                       \"animation\")\n"
    "  --range A..B         keeps the time from A to B seconds; A.. is to the end, ..B from the start\n"
    "  --only               leaves out the target's own clips\n"
    "  --rate N             writes at least N keys per second (default 30)\n"
    "  --jobs N             works on N sources at a time (default: one per processor); the output is the\n"
    "                       same\n"
    "  --json               prints JSON (docs/json.md)\n"
    "\n"
    "roles and references:\n"
    "  --source-map MAP     reads the source's roles and chains from a map file ('sinew humanoid --map')\n"
    "  --target-map MAP     reads the target's\n"
    "  --chain SOURCE=TARGET, --chain FIRST..LAST=FIRST..LAST\n"
    "                       pairs a source node, or the nodes from FIRST to LAST, with the target's, such\n"
    "                       as a tail or an animal's leg. Repeatable\n"
    "  --source-pose POSE, --target-pose POSE\n"
    "                       sets the reference pose. POSE is CLIP[@S], a clip at S seconds (default 0);\n"
    "                       bind; rest; or FILE or FILE#CLIP[@S], another file's pose with the same nodes.\n"
    "                       Default: the first T or A pose among the bind pose, the rest pose and the\n"
    "                       clips' frames, otherwise the most upright pose\n"
    "\n"
    "motion:\n"
    "  --no-feet            doesn't move the feet to where the source has them\n"
    "  --hands              also moves the hands, for grips and contacts\n"
    "  --fixed-lengths      ignores source translations, except at the hips and the node above them\n"
    "  --scale K            scales the motion by K (default: the ratio of the leg lengths)\n"
    "\n"
    "for .bvh sources:\n"
    "  --unit U             sets the unit: m, cm, mm, in, or a number of meters (default: guessed and\n"
    "                       printed)\n"
    "  --file-up y|z        sets the axis that points up (default: guessed and printed)\n"
    "\n"
    "examples:\n"
    "  sinew retarget hero.glb --onto golem.glb --clip Walk --clip Run -o walking-golem.glb\n"
    "  sinew retarget takes/ --onto hero.glb -o library.glb\n";

// Reads an option. Returns false if the command doesn't have it.
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

// Returns whether to make a new .vrma. A .vrma target is copied instead.
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
    return cli_usage("retarget", "-o %s: can hold only one clip; give one SOURCE, or write a .glb", r->out);
}

static int check(retarget_args *r) {
    if (!r->takes.paths) return cli_usage("retarget", "SOURCE is missing");
    if (!r->target.path) return cli_usage("retarget", "--onto TARGET is missing");
    if (r->name && r->takes.count > 1)
        return cli_usage("retarget", "--as %s: works with one clip from one SOURCE only", r->name);
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
