// SPDX-License-Identifier: MIT
// sinew retarget: clips of one character on another, written into a copy of its file.
#include "cli/cli.h"

#include "cli/output.h"

#include "write/write.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew retarget SOURCE --onto TARGET [OPTIONS] [-o OUT.glb]\n"
    "\n"
    "Plays the motion of one character on another, with other proportions, axes and names, and writes it as clips\n"
    "into a copy of the target's file. Nodes are paired by their roles, which come from VRM data, from map files "
    "or\n"
    "from names and shape ('sinew humanoid' prints them), and by equal names. Prints the pairs without -o.\n"
    "SOURCE is a .glb, .gltf or .bvh file, TARGET a .glb or .gltf file. docs/howto/retarget.md has pictures.\n"
    "\n"
    "  -o OUT.glb           the output; not an input file\n"
    "  --clip NAME          a clip of the source, by name or as #0, #1, ...; may be repeated; default: all\n"
    "  --only               leaves out the target's own clips\n"
    "  --rate N             keys a second, at least (default 30)\n"
    "  --json               prints JSON (docs/json.md)\n"
    "\n"
    "roles and references:\n"
    "  --source-map MAP     the source's roles, from a map file of 'sinew humanoid --map'\n"
    "  --target-map MAP     the target's roles\n"
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

enum { MAX_CLIPS = 1024 };

// A character: its file, roles and reference.
typedef struct character {
    const char *side; // "source" or "target", for messages
    const char *path, *map, *pose_arg;
    sinew_asset *asset;
    sinew_humanoid humanoid;
    sinew_pose *reference; // NULL: the rest pose
} character;

typedef struct retarget_args {
    character source, target;
    const char *out;
    const char *clips[MAX_CLIPS]; // by name
    int clip_count;
    bool only, json, no_feet, hands, fixed_lengths;
    float rate, scale;
} retarget_args;

typedef struct run {
    retarget_args args;
    sinew_retarget *map;
    sinew_clip *clips[MAX_CLIPS]; // retargeted
    int clip_count;
    write_result written;
} run;

// ---- Characters ----------------------------------------------------------------------------------------------

static bool find_roles(character *c) {
    sinew_error error;
    sinew_result result = SINEW_OK;
    if (c->map) {
        result = sinew_humanoid_read_file(c->map, c->asset->skeleton, NULL, &c->humanoid, &error);
        if (result != SINEW_OK) cli_fail("%s", error.message);
    } else if (c->asset->humanoid) {
        c->humanoid = *c->asset->humanoid;
    } else {
        result = sinew_humanoid_guess(c->asset->skeleton, c->asset->up, NULL, &c->humanoid, NULL, &error);
        if (result != SINEW_OK) {
            cli_fail("%s: %s; write the roles with 'sinew humanoid --map' and pass them with --%s-map", c->path,
                     error.message, c->side);
        }
    }
    return result == SINEW_OK;
}

// Samples the reference, "Clip" or "Clip@0.5".
static bool sample_reference(character *c) {
    char name[256];
    const char *at = strrchr(c->pose_arg, '@');
    float time = 0.0f;
    size_t length = at ? (size_t)(at - c->pose_arg) : strlen(c->pose_arg);
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, c->pose_arg, length);
    name[length] = '\0';
    if (at) {
        char *end;
        time = strtof(at + 1, &end);
        if (*end || end == at + 1 || !(time >= 0.0f && time < 1e6f)) {
            cli_usage("retarget", "--%s-pose %s: '%s' is no time in seconds", c->side, c->pose_arg, at + 1);
            return false;
        }
    }
    const sinew_clip *clip = cli_find_clip(c->asset, c->path, name);
    if (!clip) return false;
    if (sinew_pose_create(c->asset->skeleton, NULL, &c->reference) != SINEW_OK) {
        cli_fail("%s: out of memory", c->path);
        return false;
    }
    sinew_clip_sample(clip, time, c->reference);
    return true;
}

static bool load_character(character *c) {
    c->asset = cli_load(c->path);
    return c->asset && find_roles(c) && (!c->pose_arg || sample_reference(c));
}

static void free_character(character *c) {
    sinew_pose_destroy(c->reference);
    sinew_asset_destroy(c->asset);
}

// ---- Retargeting ---------------------------------------------------------------------------------------------

static bool make_map(run *r) {
    const retarget_args *args = &r->args;
    sinew_error error;
    sinew_retarget_def def = sinew_retarget_default();
    def.source = args->source.asset->skeleton;
    def.target = args->target.asset->skeleton;
    def.source_humanoid = &args->source.humanoid;
    def.target_humanoid = &args->target.humanoid;
    def.source_reference = args->source.reference;
    def.target_reference = args->target.reference;
    def.scale = args->scale;
    def.foot_weight = args->no_feet ? 0.0f : 1.0f;
    def.hand_weight = args->hands ? 1.0f : 0.0f;
    if (args->fixed_lengths) def.translations = SINEW_RETARGET_TRANSLATIONS_FIXED;
    if (sinew_retarget_create(&def, &r->map, &error) == SINEW_OK) return true;
    cli_fail("%s onto %s: %s", args->source.path, args->target.path, error.message);
    return false;
}

static bool retarget_clip(run *r, const sinew_clip *clip) {
    sinew_error error;
    sinew_retarget_clip_def def = sinew_retarget_clip_default();
    def.rate = r->args.rate;
    if (sinew_clip_retarget(r->map, clip, &def, &r->clips[r->clip_count], &error) != SINEW_OK) {
        cli_fail("%s: %s", r->args.source.path, error.message);
        return false;
    }
    r->clip_count++;
    return true;
}

static bool retarget_clips(run *r) {
    const sinew_asset *source = r->args.source.asset;
    const int count = r->args.clip_count > 0 ? r->args.clip_count : source->clip_count;
    if (count > MAX_CLIPS) {
        cli_fail("%s: %d clips, and at most %d are retargeted at once; choose some by --clip", r->args.source.path,
                 count, MAX_CLIPS);
        return false;
    }
    for (int i = 0; i < count; i++) {
        const sinew_clip *clip = r->args.clip_count == 0
                                     ? &source->clips[i]
                                     : cli_find_clip(source, r->args.source.path, r->args.clips[i]);
        if (!clip || !retarget_clip(r, clip)) return false;
        cli_progress("retargeting", i + 1, count);
    }
    return true;
}

// ---- Writing -------------------------------------------------------------------------------------------------

static bool make_file(run *r) {
    const sinew_clip *clips[MAX_CLIPS];
    for (int i = 0; i < r->clip_count; i++) clips[i] = r->clips[i];
    const write_def def = {r->args.target.path, clips, r->clip_count, r->args.only, cli_decode_meshopt, NULL};
    if (write_clips(&r->written, &def)) return true;
    cli_fail("%s", r->written.error);
    return false;
}

static int write_file(run *r) {
    const retarget_args *args = &r->args;
    const char *const inputs[] = {args->source.path, args->target.path, args->source.map, args->target.map};
    const char *given[4];
    int count = 0;
    for (int i = 0; i < 4; i++) {
        if (inputs[i]) given[count++] = inputs[i];
    }
    const cli_output_def def = {"retarget", "-o", args->out, given, count};
    cli_output output;
    const int opened = cli_output_open(&output, &def);
    if (opened != CLI_GOOD) return opened;
    if (!make_file(r)) {
        cli_output_discard(&output);
        return CLI_BAD_INPUT;
    }
    (void)fwrite(r->written.glb, 1, r->written.size, output.file);
    return cli_output_close(&output) ? CLI_GOOD : CLI_BAD_INPUT;
}

// ---- Printing ------------------------------------------------------------------------------------------------

static void print_pairs(const run *r) {
    for (int32_t i = 0; i < r->map->pair_count; i++) {
        const sinew_retarget_pair *pair = &r->map->pairs[i];
        printf("  %-24s %-32s %s\n", pair->role == SINEW_NO_ROLE ? "" : sinew_humanoid_role_name(pair->role),
               cli_short_text(r->map->target->names[pair->target]),
               cli_short_text(r->map->source->names[pair->source]));
    }
}

static void print_text(const run *r) {
    const retarget_args *args = &r->args;
    printf("%s onto %s: %d pairs, size %.3f; roles by %s and by %s\n", cli_text(args->source.path),
           cli_text(args->target.path), (int)r->map->pair_count, (double)r->map->scale,
           cli_humanoid_source_texts[args->source.humanoid.source],
           cli_humanoid_source_texts[args->target.humanoid.source]);
    if (!args->out) {
        print_pairs(r);
        return;
    }
    for (int i = 0; i < r->clip_count; i++) {
        printf("  %s: %.3f s, %d channel%s\n", cli_short_text(r->clips[i]->name), (double)r->clips[i]->duration,
               (int)r->clips[i]->channel_count, cli_plural(r->clips[i]->channel_count));
    }
    printf("%s: %d added, %d replaced, %d removed, ", cli_text(args->out), (int)r->written.added,
           (int)r->written.replaced, (int)r->written.removed);
    cli_print_bytes(r->written.size);
    printf("\n");
}

static void print_json_pairs(const run *r) {
    const sinew_retarget *map = r->map;
    printf(",\"pairs\":[");
    for (int32_t i = 0; i < map->pair_count; i++) {
        const sinew_retarget_pair *pair = &map->pairs[i];
        printf("%s\n{\"source\":%d,\"target\":%d,\"role\":", i ? "," : "",
               (int)map->source->source_of_node[pair->source], (int)map->target->source_of_node[pair->target]);
        if (pair->role == SINEW_NO_ROLE) {
            printf("null}");
        } else {
            printf("\"%s\"}", sinew_humanoid_role_name(pair->role));
        }
    }
    printf("]");
}

static void print_json(const run *r) {
    printf("{\"source\":");
    cli_json_string(stdout, r->args.source.path);
    printf(",\"target\":");
    cli_json_string(stdout, r->args.target.path);
    printf(",\"scale\":%.9g,\"sourceRoles\":\"%s\",\"targetRoles\":\"%s\"", (double)r->map->scale,
           cli_humanoid_sources[r->args.source.humanoid.source],
           cli_humanoid_sources[r->args.target.humanoid.source]);
    print_json_pairs(r);
    printf(",\"clips\":[");
    for (int i = 0; i < r->clip_count; i++) {
        printf("%s\n{\"name\":", i ? "," : "");
        cli_json_string(stdout, r->clips[i]->name);
        printf(",\"duration\":%.9g,\"channels\":%d}", (double)r->clips[i]->duration,
               (int)r->clips[i]->channel_count);
    }
    printf("],\"bytes\":%zu}\n", r->written.size);
}

// ---- The command ---------------------------------------------------------------------------------------------

static int retarget(run *r) {
    retarget_args *args = &r->args;
    if (!load_character(&args->source) || !load_character(&args->target) || !make_map(r)) return CLI_BAD_INPUT;
    if (args->out) {
        if (!retarget_clips(r)) return CLI_BAD_INPUT;
        const int status = write_file(r);
        if (status != CLI_GOOD) return status;
    }
    if (args->json) {
        print_json(r);
    } else {
        print_text(r);
    }
    return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

static void free_run(run *r) {
    for (int i = 0; i < r->clip_count; i++) sinew_clip_destroy(r->clips[i]);
    sinew_retarget_destroy(r->map);
    free_character(&r->args.source);
    free_character(&r->args.target);
    write_end(&r->written);
}

// Reads an option; false if it is none of the command's.
static bool read_option(retarget_args *r, cli_args *args) {
    if (cli_args_is(args, "--onto")) {
        r->target.path = cli_args_file(args);
    } else if (cli_args_is(args, "-o")) {
        r->out = cli_args_file(args);
    } else if (cli_args_is(args, "--clip") && r->clip_count < MAX_CLIPS) {
        r->clips[r->clip_count++] = cli_args_value(args);
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
    const int status = retarget(&r);
    free_run(&r);
    return status;
}
