// SPDX-License-Identifier: MIT
// sinew retarget: clips of one character on another, written into a copy of its file.
#include "cli/cli.h"

#include "cli/output.h"

#include "files/load.h"
#include "numbers/numbers.h"
#include "retargeting/retargeting.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew retarget SOURCE --onto TARGET [OPTIONS] [-o OUT.glb]\n"
    "\n"
    "Plays the motion of one character on another, with other proportions, axes and names, and writes it as clips\n"
    "into a copy of the target's file. Nodes are paired by their roles, which come from VRM data, from map files "
    "or\n"
    "from names and shape ('sinew humanoid' prints them), and by equal names; those of animals also by the chains "
    "of\n"
    "their shape. Prints the pairs without -o.\n"
    "SOURCE is a .glb, .gltf, .vrm, .vrma or .bvh file, TARGET a .glb, .gltf or .vrm file. docs/howto/retarget.md\n"
    "has pictures.\n"
    "\n"
    "  -o OUT.glb           the output; not an input file\n"
    "  --clip NAME          a clip of the source, by name or as #0, #1, ...; may be repeated; default: all\n"
    "  --as NAME            the name of the one clip in OUT (default: its own, or the file's if that is "
    "\"animation\")\n"
    "  --only               leaves out the target's own clips\n"
    "  --rate N             keys a second, at least (default 30)\n"
    "  --json               prints JSON (docs/json.md)\n"
    "\n"
    "roles and references:\n"
    "  --source-map MAP     the source's roles and chains, from a map file of 'sinew humanoid --map'\n"
    "  --target-map MAP     the target's\n"
    "  --chain SOURCE=TARGET, --chain FIRST..LAST=FIRST..LAST\n"
    "                       pairs a node, or the nodes from FIRST to LAST, of the source with the target's: a "
    "tail, a leg\n"
    "                       of an animal; may be repeated\n"
    "  --source-pose CLIP[@S], --target-pose CLIP[@S]\n"
    "                       the reference pose: a clip at S seconds (default 0) instead of the rest pose, if\n"
    "                       that is not a posture that both can share\n"
    "\n"
    "motion:\n"
    "  --no-feet            does not move the feet to where the source has them\n"
    "  --hands              moves the hands, too: for grips and contacts\n"
    "  --fixed-lengths      ignores translations of the source but those of the hips and the node above them\n"
    "  --scale K            the size of the motion (default: the ratio of the leg lengths)\n"
    "\n"
    "example: sinew retarget hero.glb --onto golem.glb --clip Walk --clip Run -o walking-golem.glb\n";

enum { MAX_CLIPS = 1024, MAX_CHAINS = 256 };

// A character: its file, roles and reference.
typedef struct character {
    const char *side; // "source" or "target", for messages
    const char *path, *map, *pose_arg;
    sinew_asset *asset;
    retargeting_roles roles;
    sinew_humanoid_chains *chains; // of the map file, or NULL
    const sinew_clip *pose_clip;   // NULL: the rest pose
    float pose_time;
} character;

typedef struct retarget_args {
    character source, target;
    const char *out, *name;
    const char *clips[MAX_CLIPS]; // by name
    int clip_count;
    const char *chains[MAX_CHAINS];
    int chain_count;
    bool only, json, no_feet, hands, fixed_lengths;
    float rate, scale;
} retarget_args;

typedef struct run {
    retarget_args args;
    retargeting work;
} run;

// ---- Characters ----------------------------------------------------------------------------------------------

static bool read_map(character *c) {
    sinew_humanoid given;
    sinew_error error;
    if (files_load_humanoid(c->map, c->asset->skeleton, &given, &error) != SINEW_OK ||
        files_load_chains(c->map, c->asset->skeleton, &c->chains, &error) != SINEW_OK) {
        cli_fail("%s", error.message);
        return false;
    }
    retargeting_give_roles(&c->roles, c->asset, &given);
    return true;
}

static bool find_roles(character *c) {
    if (c->map) return read_map(c);
    if (!retargeting_find_roles(&c->roles, c->asset)) {
        cli_fail("%s: %s", c->path, c->roles.error.message);
        return false;
    }
    return true;
}

static bool fail_roles(const character *c) {
    cli_fail("%s: %s; write the roles with 'sinew humanoid --map' and pass them with --%s-map, or pair nodes with "
             "--chain",
             c->path, c->roles.error.message, c->side);
    return false;
}

// Whether a character has chains of its map file.
static bool has_chains(const character *c) {
    return c->chains && c->chains->count > 0;
}

// Characters are paired by roles if both have them, and by chains and names if the user states chains or neither has
// roles. A humanoid and another character without roles need a map.
static bool check_roles(const retarget_args *args) {
    const character *source = &args->source, *target = &args->target;
    const bool is_source = retargeting_can_use(&source->roles), is_target = retargeting_can_use(&target->roles);
    if (is_source == is_target || args->chain_count > 0 || has_chains(source) || has_chains(target)) return true;
    return fail_roles(is_source ? target : source);
}

// Reads the reference, "Clip" or "Clip@0.5".
static bool find_reference(character *c) {
    char name[256];
    const char *at = strrchr(c->pose_arg, '@');
    size_t length = at ? (size_t)(at - c->pose_arg) : strlen(c->pose_arg);
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, c->pose_arg, length);
    name[length] = '\0';
    if (at) {
        const char *end = at + 1;
        if (!numbers_read_float(&end, 0.0f, 1e6f, &c->pose_time) || *end) {
            cli_usage("retarget", "--%s-pose %s: '%s' is no time in seconds", c->side, c->pose_arg, at + 1);
            return false;
        }
    }
    c->pose_clip = cli_find_clip(c->asset, c->path, name);
    return c->pose_clip != NULL;
}

// `from` has curves that the character gets; NULL: none.
static bool load_character(character *c, const sinew_asset *from) {
    c->asset = from ? cli_load_with_curves(c->path, &from, 1) : cli_load_authored(c->path);
    return c->asset && find_roles(c) && (!c->pose_arg || find_reference(c));
}

// ---- Retargeting ---------------------------------------------------------------------------------------------

// Prints the reason for a failure.
static bool succeed(const run *r, bool is_done) {
    if (!is_done) cli_fail("%s", r->work.error);
    return is_done;
}

static retargeting_character describe(const character *c) {
    return (retargeting_character){
        .path = c->path,
        .asset = c->asset,
        .humanoid = retargeting_can_use(&c->roles) ? &c->roles.humanoid : NULL,
        .chains = has_chains(c) ? c->chains : NULL,
        .pose_clip = c->pose_clip,
        .pose_time = c->pose_time,
    };
}

static bool make_map(run *r) {
    const retarget_args *args = &r->args;
    const retargeting_def def = {
        .source = describe(&args->source),
        .target = describe(&args->target),
        .chains = args->chains,
        .chain_count = args->chain_count,
        .feet = !args->no_feet,
        .hands = args->hands,
        .fixed_lengths = args->fixed_lengths,
        .rate = args->rate,
        .scale = args->scale,
        .name = args->name,
    };
    return succeed(r, retargeting_begin(&r->work, &def));
}

static void show_progress(int done, int total) {
    cli_progress("retargeting", done, total);
}

// Fills clips[] with the clips to retarget.
static bool find_clips(const retarget_args *args, int count, const sinew_clip **clips) {
    const sinew_asset *source = args->source.asset;
    for (int i = 0; i < count; i++) {
        clips[i] =
            args->clip_count == 0 ? &source->clips[i] : cli_find_clip(source, args->source.path, args->clips[i]);
        if (!clips[i]) return false;
    }
    return true;
}

static bool retarget_clips(run *r) {
    const retarget_args *args = &r->args;
    const int count = args->clip_count > 0 ? args->clip_count : args->source.asset->clip_count;
    if (args->name && count != 1) {
        cli_fail("--as %s: is for one clip, but %d are retargeted; choose one with --clip", args->name, count);
        return false;
    }
    const sinew_clip **clips =
        calloc((size_t)count + 1, sizeof *clips); // NOLINT(bugprone-sizeof-expression): pointers
    if (!clips) {
        cli_fail("%s: out of memory", args->source.path);
        return false;
    }
    const bool is_done =
        find_clips(args, count, clips) && succeed(r, retargeting_make_clips(&r->work, clips, count, show_progress));
    free(clips);
    return is_done;
}

// ---- Writing -------------------------------------------------------------------------------------------------

static int write_file(run *r) {
    const retarget_args *args = &r->args;
    const cli_output_def def = {"retarget", "-o", args->out};
    cli_output output;
    const int opened = cli_output_open(&output, &def);
    if (opened != CLI_GOOD) return opened;
    if (!succeed(r, retargeting_write(&r->work, args->only, cli_decode_meshopt, NULL))) {
        cli_output_discard(&output);
        return CLI_BAD_INPUT;
    }
    (void)fwrite(r->work.written.glb, 1, r->work.written.size, output.file);
    return cli_output_close(&output);
}

// ---- Printing ------------------------------------------------------------------------------------------------

static void print_pairs(const sinew_retarget *map) {
    for (int32_t i = 0; i < map->pair_count; i++) {
        const sinew_retarget_pair *pair = &map->pairs[i];
        printf("  %-24s %-32s %s\n", pair->role == SINEW_NO_ROLE ? "" : sinew_humanoid_role_name(pair->role),
               cli_short_text(map->target->names[pair->target]), cli_short_text(map->source->names[pair->source]));
    }
}

// The names of the chains that both characters without roles have.
static void print_chains(const retargeting *work) {
    const sinew_humanoid_chains *source = work->def.source.chains, *target = work->def.target.chains;
    printf("no roles: by names and by chains");
    for (int32_t i = 0; i < target->count; i++)
        for (int32_t k = 0; k < source->count; k++)
            if (strcmp(target->chains[i].name, source->chains[k].name) == 0)
                printf(" %s", cli_short_text(target->chains[i].name));
    printf("\n");
}

static void print_text(const run *r) {
    const retarget_args *args = &r->args;
    const retargeting *work = &r->work;
    printf("%s onto %s: %d pairs, size %.3f; ", cli_text(args->source.path), cli_text(args->target.path),
           (int)work->map->pair_count, (double)work->map->scale);
    if (work->def.source.humanoid) {
        printf("roles by %s and by %s\n", retargeting_source_texts[args->source.roles.humanoid.source],
               retargeting_source_texts[args->target.roles.humanoid.source]);
    } else {
        print_chains(work);
    }
    if (!args->out) {
        print_pairs(work->map);
        return;
    }
    for (int32_t i = 0; i < work->clip_count; i++) {
        const sinew_clip *clip = work->clips[i];
        printf("  %s: %.3f s, %d channel%s\n", cli_short_text(clip->name), (double)clip->duration,
               (int)clip->channel_count, cli_plural(clip->channel_count));
    }
    printf("%s: %d added, %d replaced, %d removed, ", cli_text(args->out), (int)work->written.added,
           (int)work->written.replaced, (int)work->written.removed);
    cli_print_bytes(work->written.size);
    printf("\n");
}

static bool print_json(const run *r) {
    lint_text json = {0};
    retargeting_append_json(&r->work, &json);
    return cli_print_json(&json);
}

// ---- The command ---------------------------------------------------------------------------------------------

static int retarget(run *r) {
    retarget_args *args = &r->args;
    if (args->out && !cli_check_gltf(args->target.path, "clips are written into a glTF file")) return CLI_BAD_INPUT;
    if (!load_character(&args->source, NULL) || !load_character(&args->target, args->source.asset) ||
        !check_roles(args) || !make_map(r))
        return CLI_BAD_INPUT;
    if (args->out) {
        if (!retarget_clips(r)) return CLI_BAD_INPUT;
        const int status = write_file(r);
        if (status != CLI_GOOD) return status;
    }
    if (args->json) {
        if (!print_json(r)) return CLI_BAD_INPUT;
    } else {
        print_text(r);
    }
    return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

static void free_run(run *r) {
    retargeting_end(&r->work);
    sinew_humanoid_chains_destroy(r->args.source.chains);
    sinew_humanoid_chains_destroy(r->args.target.chains);
    sinew_asset_destroy(r->args.source.asset);
    sinew_asset_destroy(r->args.target.asset);
}

// Reads an option; false if it is none of the command's.
static bool read_option(retarget_args *r, cli_args *args) {
    if (cli_args_is(args, "--onto")) {
        r->target.path = cli_args_file(args);
    } else if (cli_args_is(args, "-o")) {
        r->out = cli_args_file(args);
    } else if (cli_args_is(args, "--clip") && r->clip_count < MAX_CLIPS) {
        r->clips[r->clip_count++] = cli_args_value(args);
    } else if (cli_args_is(args, "--chain") && r->chain_count < MAX_CHAINS) {
        r->chains[r->chain_count++] = cli_args_value(args);
    } else if (cli_args_is(args, "--as")) {
        r->name = cli_args_value(args);
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

int cli_retarget(int argc, char **argv) {
    static run r; // too large for some stacks
    memset(&r, 0, sizeof r);
    retarget_args *arguments = &r.args;
    arguments->source.side = "source";
    arguments->target.side = "target";
    arguments->rate = 30.0f;
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (read_flag(arguments, &args) || read_option(arguments, &args)) continue;
        if (args.option || arguments->source.path) return cli_args_unknown(&args);
        arguments->source.path = args.value;
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments->source.path) return cli_usage("retarget", "SOURCE is missing");
    if (!arguments->target.path) return cli_usage("retarget", "--onto TARGET is missing");
    const cli_output_def output = {"retarget", "-o", arguments->out};
    if (arguments->out && !cli_output_has_ending(&output, ".glb", arguments->target.path)) return CLI_USAGE;
    const int status = retarget(&r);
    free_run(&r);
    return status;
}
