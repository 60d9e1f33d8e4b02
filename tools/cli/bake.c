// SPDX-License-Identifier: MIT
// sinew bake: writes clips into a copy of a file.
#include "cli/cli.h"

#include "cli/mirror.h"
#include "cli/output.h"
#include "cli/recorded.h"
#include "cli/takes.h"
#include "write/bvh.h"
#include "write/edit_clip.h"
#include "write/sampled.h"
#include "write/write.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew bake FILE [--clip NAME] [OPTIONS] [--clip NAME [OPTIONS]]... -o OUT.glb|OUT.bvh\n"
    "\n"
    "Writes clips into a copy of a glTF file. A clip replaces the file's clip with the same name, or is\n"
    "added. Meshes, nodes and everything else keep every byte. You can also prepare takes, such as motion\n"
    "capture: see docs/howto/motion-capture.md.\n"
    "\n"
    "  --clip NAME          picks a clip by name, or as #0, #1, ...; repeatable (default: the only clip)\n"
    "  --recording REC      bakes a recorded mixer of FILE instead of a clip, with one key per frame\n"
    "  --only               leaves out the other clips in FILE\n"
    "  --map MAP            reads FILE's roles from a map file that 'sinew humanoid --map' wrote\n"
    "                       (default: VRM data, or a guess from names)\n"
    "  -o OUT               writes OUT.glb, or OUT.bvh with the skeleton and one clip. OUT must not be an\n"
    "                       input file. Not needed with --find-loop\n"
    "\n"
    "These options belong to the clip or recording before them:\n"
    "  --bind OTHER         takes the clip from OTHER, a glTF or BVH file, and binds it to FILE's nodes by\n"
    "                       name. Nodes with equal names are told apart by parents, then by order\n"
    "  --ignore-prefixes    with --bind: ignores prefixes such as 'mixamorig:' in names\n"
    "  --rotations-only     with --bind: drops translations, scales and weights\n"
    "  --min-match S        with --bind: requires this fraction of the channels to match, 0 to 1\n"
    "                       (default 0.5)\n"
    "  --as NAME            names the clip in OUT\n"
    "\n"
    "These run in this order, and print what they measured:\n"
    "  --find-loop          lists the best loops in the take or its --range, with the seam of each\n"
    "  --range A..B         keeps the time from A to B seconds; A.. is to the end, ..B from the start\n"
    "  --split WHERE        cuts the clip into NAME_1, NAME_2, ...: at 'pauses' of half a second, or at\n"
    "                       'markers'\n"
    "  --reverse            plays the clip backward\n"
    "  --mirror             swaps left and right by roles and names, including in marker names\n"
    "  --smooth HZ          removes motion faster than HZ without delay (a Butterworth filter, run forward\n"
    "                       and backward)\n"
    "  --fps N              resamples to N keys per second\n"
    "  --ground             moves the hips up or down so planted soles have a median height of 0\n"
    "  --plant-feet         bends the legs to stop planted feet from sliding\n"
    "  --in-place           removes travel along the ground from the hips, or from the node above that\n"
    "                       travels. A loop's hips lose their mean velocity, other hips their whole path.\n"
    "                       Heights and turns stay\n"
    "  --root-motion NODE   moves NODE, the hips or a node above, as fast as planted feet slide\n"
    "                       back. With --in-place, NODE gets exactly the travel that was removed\n"
    "  --close              closes the loop. Adds the last frame if only that is missing. Otherwise spreads\n"
    "                       the difference between the last pose and the first over the clip. A character\n"
    "                       that walks away still does\n"
    "\n"
    "To leave out keys within a millimeter, run 'sinew optimize' on OUT.\n"
    "\n"
    "examples:\n"
    "  sinew bake hero.glb --clip Walk --reverse --as WalkBack -o hero2.glb\n"
    "  sinew bake hero.glb --clip StrafeLeft --mirror --as StrafeRight -o hero2.glb\n"
    "  sinew bake hero.glb --bind mocap.bvh --rotations-only --as Dance -o hero2.glb\n"
    "  sinew bake take.bvh --find-loop\n"
    "  sinew bake take.bvh --range 2.1..3.2 --smooth 8 --ground --in-place --close -o walk.bvh\n";

enum { MAX_ITEMS = 64 };

// One clip in the output.
typedef struct bake_item {
    const char *clip, *recording; // at most one is set; neither means the only clip
    const char *from;             // NULL for FILE
    const char *name;             // NULL to keep the clip's name
    float start, end;
    float min_match;
    bool ignore_prefixes, rotations_only, binds, reverse, close, mirror;
    cli_take_args take;
} bake_item;

typedef struct bake_args {
    const char *file, *output; // no output: only lists loops
    const char *map;           // NULL to find the roles
    bool only;
    bake_item items[MAX_ITEMS];
    int item_count;
} bake_args;

// ---- Arguments -----------------------------------------------------------------------------------------------

static bake_item default_item(void) {
    return (bake_item){.min_match = 0.5f};
}

// Reads an option that belongs to a clip. Returns false for other options.
static bool parse_item_option(cli_args *args, bake_item *item) {
    if (cli_args_is(args, "--bind")) {
        item->from = cli_args_file(args);
    } else if (cli_args_flag(args, "--ignore-prefixes")) {
        item->ignore_prefixes = item->binds = true;
    } else if (cli_args_flag(args, "--rotations-only")) {
        item->rotations_only = item->binds = true;
    } else if (cli_args_is(args, "--min-match")) {
        item->binds = cli_args_float(args, 0.0f, 1.0f, &item->min_match);
    } else if (cli_args_is(args, "--range")) {
        cli_args_range(args, &item->start, &item->end);
    } else if (cli_args_flag(args, "--reverse")) {
        item->reverse = true;
    } else if (cli_args_flag(args, "--close")) {
        item->close = true;
    } else if (cli_args_flag(args, "--mirror")) {
        item->mirror = true;
    } else if (cli_args_is(args, "--as")) {
        item->name = cli_args_value(args);
    } else {
        return cli_take_arg(args, &item->take);
    }
    return true;
}

// Starts the next clip. The first one already exists, because options before any --clip belong to it.
static void start_item(cli_args *args, bake_args *bake, bool is_recording) {
    const char *value = is_recording ? cli_args_file(args) : cli_args_value(args);
    if (!value) return;
    bake_item *item = &bake->items[bake->item_count - 1];
    if (item->clip || item->recording) {
        if (bake->item_count == MAX_ITEMS) {
            cli_usage("bake", "more than %d clips", MAX_ITEMS);
            args->failed = true;
            return;
        }
        item = &bake->items[bake->item_count++];
        *item = default_item();
    }
    if (is_recording) {
        item->recording = value;
    } else {
        item->clip = value;
    }
}

static int check_item(const bake_item *item) {
    if (item->binds && !item->from) {
        return cli_usage("bake", "--ignore-prefixes, --rotations-only and --min-match need --bind");
    }
    if (item->from && item->recording)
        return cli_usage("bake", "--bind needs --clip: a recording already "
                                 "belongs to FILE");
    return CLI_GOOD;
}

static bool is_bvh_output(const bake_args *bake) {
    return bake->output && cli_is_bvh(bake->output);
}

// Returns whether the command only lists loops.
static bool only_lists(const bake_args *bake) {
    for (int i = 0; i < bake->item_count; i++)
        if (!bake->items[i].take.find_loop) return false;
    return !bake->output;
}

static int check_args(const bake_args *bake) {
    if (!bake->file) return cli_usage("bake", "FILE is missing");
    if (!bake->output && !only_lists(bake)) return cli_usage("bake", "-o is missing");
    for (int i = 0; i < bake->item_count; i++) {
        const int status = check_item(&bake->items[i]);
        if (status != CLI_GOOD) return status;
    }
    if (!bake->output) return CLI_GOOD;
    const cli_output_def output = {"bake", "-o", bake->output};
    if (!cli_output_has_ending(&output, ".glb .bvh", bake->file)) return CLI_USAGE;
    if (is_bvh_output(bake) && bake->item_count > 1) return cli_usage("bake", "-o: a .bvh can hold only one clip");
    return CLI_GOOD;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// The clips made for the output.
typedef struct baker {
    const bake_args *args;
    sinew_asset *others[MAX_ITEMS]; // [other_count]; files from --bind, each once
    const char *other_paths[MAX_ITEMS];
    int other_count;
    sinew_asset *asset;
    sinew_mirror *mirror; // NULL until a clip needs it
    cli_body body;
    sinew_clip **clips; // [clip_count]
    int clip_count;
} baker;

static sinew_clip *record(const baker *b, const bake_item *item) {
    cli_recorded recorded = {0};
    sampled_poses poses = {.skeleton = b->asset->skeleton};
    sinew_clip *clip = NULL;
    sinew_error error = {SINEW_OK, ""};
    bool good = cli_recorded_open(b->asset, item->recording, &recorded), has_memory = true;
    double before = 0.0, first = -1.0;
    while (good && has_memory && recorded.replay->calls_made < recorded.replay->call_count) {
        cli_call_line line;
        good = cli_recorded_step(item->recording, recorded.replay, &line);
        const double now = recorded.replay->seconds;
        if (!good || now <= before) continue;
        before = now;
        if (first < 0.0) first = now;
        has_memory = sampled_add(&poses, (float)(now - first), sinew_mixer_pose(recorded.replay->mixer));
    }
    if (good && !has_memory) cli_fail("%s: out of memory", item->recording);
    if (good && has_memory && sampled_create(&poses, "Recording", &clip, &error) != SINEW_OK) {
        cli_fail("%s: %s", item->recording, error.message);
    }
    sampled_free(&poses);
    cli_recorded_close(&recorded);
    return clip;
}

static const sinew_asset *find_other(const baker *b, const char *path) {
    for (int i = 0; i < b->other_count; i++)
        if (strcmp(b->other_paths[i], path) == 0) return b->others[i];
    return NULL;
}

static bool load_others(baker *b) {
    for (int i = 0; i < b->args->item_count; i++) {
        const char *path = b->args->items[i].from;
        if (!path || find_other(b, path)) continue;
        sinew_asset *other = cli_load_authored(path);
        if (!other) return false;
        b->other_paths[b->other_count] = path;
        b->others[b->other_count++] = other;
    }
    return true;
}

// Loads FILE with the other files' curves. With a recording, loads no other curves, because it needs FILE's own
// skeleton.
static bool load_file(baker *b) {
    bool has_recording = false;
    for (int i = 0; i < b->args->item_count; i++) has_recording = has_recording || b->args->items[i].recording;
    const int count = has_recording ? 0 : b->other_count;
    b->asset = cli_load_with_curves(b->args->file, (const sinew_asset *const *)b->others, count);
    return b->asset != NULL;
}

// Warns in one line about the clip's curves that FILE lacks. They animate properties of the other file, such as
// materials.
static void warn_of_curves(const baker *b, const bake_item *item, const sinew_clip *clip) {
    const char *first = NULL;
    int count = 0;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        if (clip->channels[i].target != SINEW_TARGET_CURVE) continue;
        const char *name = clip->skeleton->curve_names[clip->channels[i].node];
        if (sinew_skeleton_find_curve(b->asset->skeleton, name) != SINEW_NO_CURVE) continue;
        if (!first) first = name;
        count++;
    }
    if (count == 0) return;
    char shown[128];
    sinew_escape(first, shown, sizeof shown);
    cli_warn("%s: '%s': dropped %d %s that %s does not have: %s%s", item->from, clip->name, count,
             count == 1 ? "curve" : "curves", b->args->file, shown, count == 1 ? "" : ", ...");
}

// Warns about nodes that share a name, which could only be matched by their order.
static void warn_of_order(const baker *b, const bake_item *item, const sinew_clip *clip,
                          const sinew_bind_report *report) {
    const int32_t count = report->ordered_name_count;
    if (count == 0) return;
    cli_warn("%s: '%s': several nodes are named '%s', so they were matched with those in %s by order%s", item->from,
             clip->name, report->ordered_names[0], b->args->file, count == 1 ? "" : "; so were other names");
}

static sinew_clip *bind_other(const baker *b, const bake_item *item) {
    const sinew_asset *other = find_other(b, item->from);
    const sinew_clip *clip = other ? cli_find_clip(other, item->from, item->clip) : NULL;
    sinew_clip *bound = NULL;
    if (clip) {
        sinew_bind_def def = sinew_bind_default();
        def.ignore_prefixes = item->ignore_prefixes;
        def.rotations_only = item->rotations_only;
        def.min_match = item->min_match;
        sinew_error error;
        sinew_bind_report report;
        if (sinew_clip_bind(clip, b->asset->skeleton, &def, &bound, &report, &error) != SINEW_OK) {
            cli_fail("%s: %s", item->from, error.message);
        }
        if (bound) warn_of_curves(b, item, clip);
        if (bound) warn_of_order(b, item, clip, &report);
    }
    return bound;
}

// Makes an item's clip, or sets `own` to one of the asset's clips.
static sinew_clip *make_source(const baker *b, const bake_item *item, const sinew_clip **own) {
    *own = NULL;
    if (item->recording) return record(b, item);
    if (item->from) return bind_other(b, item);
    *own = cli_find_clip(b->asset, b->args->file, item->clip);
    return NULL;
}

// Replaces a clip with its mirror image.
static bool mirror_clip(baker *b, sinew_clip **clip) {
    if (!b->mirror) b->mirror = cli_mirror_create(b->asset, b->args->file);
    if (!b->mirror) return false;
    sinew_clip *mirrored;
    sinew_error error;
    if (sinew_clip_mirror(b->mirror, *clip, NULL, NULL, &mirrored, &error) != SINEW_OK) {
        cli_fail("%s: %s", b->args->file, error.message);
        return false;
    }
    sinew_clip_destroy(*clip);
    *clip = mirrored;
    return true;
}

// Prints the reason if a clip can't be made.
static bool succeed(const baker *b, const sinew_clip *clip, sinew_result result, const sinew_error *error) {
    if (result != SINEW_OK) cli_fail("%s: clip '%s': %s", b->args->file, clip->name, error->message);
    return result == SINEW_OK;
}

// Replaces a clip with an edited copy.
static bool edit(const baker *b, sinew_clip **clip, const edit_clip_def *def) {
    sinew_clip *edited;
    sinew_error error;
    if (!succeed(b, *clip, edit_clip(*clip, def, &edited, &error), &error)) return false;
    sinew_clip_destroy(*clip);
    *clip = edited;
    return true;
}

static bool close_loop(baker *b, sinew_clip **clip, lint_text *said) {
    const takes_body *body = cli_body_of(&b->body, *clip);
    const float before = (*clip)->duration;
    takes_seam seam, closed;
    sinew_error error;
    if (!body || !succeed(b, *clip, takes_seam_of_clip(*clip, body, 0.0f, before, &seam, &error), &error))
        return false;
    if (!edit(b, clip, &(edit_clip_def){.close = true})) return false;
    const float added = (*clip)->duration - before;
    if (!succeed(b, *clip, takes_seam_of_clip(*clip, body, 0.0f, (*clip)->duration, &closed, &error), &error))
        return false;
    cli_take_say_closed(&seam, seam.turn - closed.turn, added, said);
    return true;
}

// Prepares a clip, closes it and prints what was done.
static bool prepare(baker *b, const bake_item *item, sinew_clip **clip) {
    lint_text said = {0};
    bool good = cli_take_apply(&b->body, &item->take, clip, &said);
    good = good && (!item->close || close_loop(b, clip, &said));
    if (good && said.failed) good = cli_fail("%s: out of memory", b->args->file) == CLI_GOOD;
    if (good && said.size > 0) printf("%s: %.*s\n", cli_short_text((*clip)->name), (int)said.size, said.data);
    lint_text_free(&said);
    return good;
}

// Makes a clip from part of the source. `number` is the piece's number, or 0 if there's only one.
static bool make_piece(baker *b, const bake_item *item, const sinew_clip *source, takes_piece piece, int number) {
    char name[256];
    const size_t count = (size_t)b->clip_count + 1;
    sinew_clip **clips = realloc(b->clips, count * sizeof *clips); // NOLINT(bugprone-sizeof-expression): pointers
    if (!clips) return cli_fail("%s: out of memory", b->args->file) == CLI_GOOD;
    b->clips = clips;
    const char *base = item->name ? item->name : source->name;
    if (number > 0) snprintf(name, sizeof name, "%.200s_%d", base, number);
    const edit_clip_def def = {
        .name = number > 0 ? name : base, .start = piece.start, .end = piece.end, .reverse = item->reverse};
    sinew_error error;
    sinew_clip **clip = &b->clips[b->clip_count];
    if (!succeed(b, source, edit_clip(source, &def, clip, &error), &error)) return false;
    b->clip_count++;
    return (!item->mirror || mirror_clip(b, clip)) && prepare(b, item, clip);
}

// Makes the pieces of a source. Without --split, that's one piece.
static bool make_pieces(baker *b, const bake_item *item, const sinew_clip *source) {
    const takes_piece whole = {item->start, item->end};
    takes_pieces pieces = {0};
    if (!item->take.split) return make_piece(b, item, source, whole, 0);
    bool good = cli_take_split(&b->body, &item->take, source, whole, &pieces);
    for (int32_t i = 0; i < pieces.count && good; i++) good = make_piece(b, item, source, pieces.list[i], i + 1);
    free(pieces.list);
    return good;
}

static bool make_clip(baker *b, const bake_item *item) {
    const sinew_clip *own;
    sinew_clip *made = make_source(b, item, &own);
    const sinew_clip *source = made ? made : own;
    if (!source) return false;
    bool good =
        !item->take.find_loop || cli_take_list_loops(&b->body, source, (takes_piece){item->start, item->end});
    if (good && b->args->output) good = make_pieces(b, item, source);
    sinew_clip_destroy(made);
    return good;
}

// Finds the nodes that items name, and the roles if an item needs them.
static bool find_body(baker *b) {
    b->body = (cli_body){.asset = b->asset, .path = b->args->file, .map = b->args->map};
    for (int i = 0; i < b->args->item_count; i++)
        if (!cli_take_check(&b->body, &b->args->items[i].take)) return false;
    return true;
}

// ---- Output --------------------------------------------------------------------------------------------------

static bool write_glb(const baker *b, FILE *file) {
    write_result result;
    const write_def def = {.path = b->args->file,
                           .clips = (const sinew_clip *const *)b->clips,
                           .clip_count = b->clip_count,
                           .asset = b->asset,
                           .only = b->args->only,
                           .decode = cli_decode_meshopt};
    const bool good = write_clips(&result, &def);
    if (good) {
        fwrite(result.glb, 1, result.size, file); // closing the file finds errors
    } else {
        cli_fail("%s", result.error);
    }
    write_end(&result);
    return good;
}

static bool write_motion(const baker *b, FILE *file) {
    const write_bvh_def def = {.units = 100.0};
    lint_text text = {0};
    const bool good = write_bvh(b->clips[0], &def, &text);
    if (good) {
        fwrite(text.data, 1, text.size, file);
    } else {
        cli_fail("%s: out of memory, or more than a million frames", b->args->file);
    }
    lint_text_free(&text);
    return good;
}

static int write_output(const baker *b, const cli_output_def *def) {
    cli_output output;
    const int opened = cli_output_open(&output, def);
    if (opened != CLI_GOOD) return opened;
    const bool good = is_bvh_output(b->args) ? write_motion(b, output.file) : write_glb(b, output.file);
    if (!good) {
        cli_output_discard(&output);
        return CLI_BAD_INPUT;
    }
    return cli_output_close(&output);
}

// Makes the clips. Writes them if there's an output.
static int make_all(baker *b) {
    const bake_args *bake = b->args;
    const cli_output_def output = {"bake", "-o", bake->output};
    if (bake->output) {
        const int status = cli_output_check(&output);
        if (status != CLI_GOOD) return status;
    }
    if (!find_body(b)) return CLI_BAD_INPUT;
    for (int i = 0; i < bake->item_count; i++)
        if (!make_clip(b, &bake->items[i])) return CLI_BAD_INPUT;
    if (is_bvh_output(bake) && b->clip_count != 1)
        return cli_fail("%s: --split makes %d clips, but a .bvh can hold only one", bake->file, b->clip_count);
    const int status = bake->output ? write_output(b, &output) : CLI_GOOD;
    return status == CLI_GOOD && !cli_flush_stdout() ? CLI_BAD_INPUT : status;
}

static int run(const bake_args *bake) {
    if (bake->output && !is_bvh_output(bake) &&
        !cli_check_gltf(bake->file, "its clips can only be written to a .bvh file, or to a glTF file with "
                                    "--bind")) {
        return CLI_BAD_INPUT;
    }
    baker b = {.args = bake};
    const int status = load_others(&b) && load_file(&b) ? make_all(&b) : CLI_BAD_INPUT;
    for (int i = 0; i < b.clip_count; i++) sinew_clip_destroy(b.clips[i]);
    free(b.clips);
    sinew_mirror_destroy(b.mirror);
    sinew_asset_destroy(b.asset);
    for (int i = 0; i < b.other_count; i++) sinew_asset_destroy(b.others[i]);
    return status;
}

int cli_bake(int argc, char **argv) {
    bake_args bake = {.items = {default_item()}, .item_count = 1};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (cli_args_is(&args, "--clip")) {
            start_item(&args, &bake, false);
        } else if (cli_args_is(&args, "--recording")) {
            start_item(&args, &bake, true);
        } else if (cli_args_flag(&args, "--only")) {
            bake.only = true;
        } else if (cli_args_is(&args, "--map")) {
            bake.map = cli_args_file(&args);
        } else if (cli_args_is(&args, "-o")) {
            bake.output = cli_args_file(&args);
        } else if (!args.option && !bake.file) {
            bake.file = args.value;
        } else if (!parse_item_option(&args, &bake.items[bake.item_count - 1])) {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    const int status = check_args(&bake);
    return status == CLI_GOOD ? run(&bake) : status;
}
