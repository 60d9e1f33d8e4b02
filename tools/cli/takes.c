// SPDX-License-Identifier: MIT
// The options of `sinew bake` that prepare takes: reads them, finds roles and prints what was done.
#include "cli/takes.h"

#include "files/load.h"
#include "retargeting/roles.h"

#include <math.h>
#include <string.h>

#define DEGREES 57.29577951308232

// ---- Arguments -----------------------------------------------------------------------------------------------

static void parse_split(cli_args *args, cli_take_args *options) {
    options->split = cli_args_value(args);
    if (!options->split || strcmp(options->split, "pauses") == 0 || strcmp(options->split, "markers") == 0) return;
    cli_usage("bake", "--split %s: must be pauses or markers", options->split);
    args->failed = true;
}

bool cli_take_arg(cli_args *args, cli_take_args *options) {
    if (cli_args_is(args, "--smooth")) {
        cli_args_float(args, 0.01f, 10000.0f, &options->smooth);
    } else if (cli_args_is(args, "--fps")) {
        cli_args_float(args, 0.01f, 10000.0f, &options->fps);
    } else if (cli_args_flag(args, "--ground")) {
        options->ground = true;
    } else if (cli_args_flag(args, "--plant-feet")) {
        options->plant = true;
    } else if (cli_args_flag(args, "--in-place")) {
        options->in_place = true;
    } else if (cli_args_flag(args, "--find-loop")) {
        options->find_loop = true;
    } else if (cli_args_is(args, "--root-motion")) {
        options->root = cli_args_value(args);
    } else if (cli_args_is(args, "--split")) {
        parse_split(args, options);
    } else {
        return false;
    }
    return true;
}

static takes_def def_of(const cli_take_args *options, int32_t root) {
    return (takes_def){.smooth = options->smooth,
                       .rate = options->fps,
                       .ground = options->ground,
                       .plant = options->plant,
                       .in_place = options->in_place,
                       .root = root};
}

// ---- Roles ---------------------------------------------------------------------------------------------------

// Finds the roles. If there aren't any, writes the reason.
static bool find_roles(const cli_body *body, retargeting_roles *roles) {
    if (!body->map) return retargeting_find_roles(roles, body->asset) && retargeting_can_use(roles);
    sinew_humanoid given;
    if (files_load_humanoid(body->map, body->asset->skeleton, &given, NULL, &roles->error) != SINEW_OK)
        return false;
    retargeting_give_roles(roles, body->asset, &given);
    return true;
}

static bool find_body(cli_body *body, sinew_error *error) {
    retargeting_roles roles;
    body->is_searched = true;
    const bool is_found = find_roles(body, &roles);
    *error = roles.error;
    if (!is_found) return false;
    const sinew_result made = takes_body_from_roles(&body->body, body->asset->skeleton, &roles.humanoid, error);
    body->has_roles = made == SINEW_OK;
    body->is_unfit = made == SINEW_ERROR_UNSUPPORTED;
    return body->has_roles;
}

bool cli_take_check(cli_body *body, const cli_take_args *options) {
    const takes_def def = def_of(options, options->root ? 0 : SINEW_NO_NODE);
    sinew_error error;
    if (!takes_needs_roles(&def) && !body->map) return true;
    if (!body->has_roles && !find_body(body, &error)) {
        const char *hint =
            "; write the roles of hips and legs with 'sinew humanoid --map' and pass them with --map";
        cli_fail("%s: %s%s", body->map ? body->map : body->path, error.message, body->is_unfit ? "" : hint);
        return false;
    }
    if (!options->root) return true;
    const int32_t node = cli_find_node(body->asset, body->path, options->root);
    if (node == SINEW_NO_NODE) return false;
    if (body->body.hips >= node && body->body.hips < body->asset->skeleton->subtree_ends[node]) return true;
    cli_fail("%s: --root-motion %s: must be the hips, '%s', or a node above them", body->path, options->root,
             body->asset->skeleton->names[body->body.hips]);
    return false;
}

const takes_body *cli_body_of(cli_body *body, const sinew_clip *clip) {
    sinew_error error;
    if (!body->is_searched && !find_body(body, &error) && error.result == SINEW_ERROR_OUT_OF_MEMORY) {
        cli_fail("%s: %s", body->path, error.message);
        return NULL;
    }
    if (!body->has_roles) body->body = takes_body_from_clip(clip);
    return &body->body;
}

// ---- Loops and pieces ----------------------------------------------------------------------------------------

static bool succeed(const cli_body *body, const sinew_clip *clip, sinew_result result, const sinew_error *error) {
    if (result != SINEW_OK) cli_fail("%s: clip '%s': %s", body->path, clip->name, error->message);
    return result == SINEW_OK;
}

static void show_progress(int done, int total) {
    cli_progress("searching", done, total);
}

// Clamps a range to a clip.
static bool limit(const cli_body *body, const sinew_clip *clip, takes_piece *range) {
    if (range->end == 0.0f || range->end > clip->duration) range->end = clip->duration;
    if (range->start < range->end || range->start == 0.0f) return true;
    cli_fail("%s: clip '%s': the range is outside the clip", body->path, clip->name);
    return false;
}

static void print_loop(const sinew_skeleton *skeleton, const takes_loop *loop) {
    const takes_seam *seam = &loop->seam;
    printf("  --range %.3f..%.3f  %6.3f s  seam %5.2f degrees (%s), %5.1f mm (%s)", (double)loop->start,
           (double)loop->end, (double)loop->end - (double)loop->start, (double)seam->degrees,
           cli_short_text(skeleton->names[seam->turned_node]), 1000.0 * (double)seam->metres,
           cli_short_text(skeleton->names[seam->moved_node]));
    const double travel = (double)sinew_vec3_length(seam->travel), turn = DEGREES * (double)seam->turn;
    if (travel >= 0.01) printf(", travels %.2f m", travel);
    if (fabs(turn) >= 0.5) printf(", turns %.0f degrees", turn);
    printf("\n");
}

bool cli_take_list_loops(cli_body *body, const sinew_clip *clip, takes_piece range) {
    takes_loop loops[TAKES_LOOPS];
    int32_t count;
    sinew_error error;
    const takes_body *of_clip = limit(body, clip, &range) ? cli_body_of(body, clip) : NULL;
    if (!of_clip) return false;
    const bool shows = clip->duration > 30.0f;
    const sinew_result result = takes_find_loops(clip, of_clip, range.start, range.end,
                                                 shows ? show_progress : NULL, loops, &count, &error);
    if (!succeed(body, clip, result, &error)) return false;
    printf("%s: %d loop%s\n", cli_short_text(clip->name), (int)count, cli_plural(count));
    for (int32_t i = 0; i < count; i++) print_loop(clip->skeleton, &loops[i]);
    return true;
}

bool cli_take_split(cli_body *body, const cli_take_args *options, const sinew_clip *clip, takes_piece range,
                    takes_pieces *pieces) {
    sinew_error error;
    if (!limit(body, clip, &range)) return false;
    const bool at_markers = strcmp(options->split, "markers") == 0;
    if (at_markers && clip->marker_count == 0) {
        cli_fail("%s: clip '%s': has no markers to split at; try --split pauses", body->path, clip->name);
        return false;
    }
    const takes_body *of_clip = cli_body_of(body, clip);
    if (!of_clip) return false;
    const sinew_result result = at_markers
                                    ? takes_split_at_markers(clip, range.start, range.end, pieces, &error)
                                    : takes_split_at_pauses(clip, of_clip, range.start, range.end, pieces, &error);
    if (!succeed(body, clip, result, &error)) return false;
    printf("%s: %d piece%s\n", cli_short_text(clip->name), (int)pieces->count, cli_plural(pieces->count));
    for (int32_t i = 0; i < pieces->count; i++)
        printf("  _%d  %.3f..%.3f\n", (int)i + 1, (double)pieces->list[i].start, (double)pieces->list[i].end);
    return true;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

bool cli_take_apply(cli_body *body, const cli_take_args *options, sinew_clip **clip, lint_text *said) {
    const int32_t root = options->root ? cli_find_node(body->asset, body->path, options->root) : SINEW_NO_NODE;
    const takes_def def = def_of(options, root);
    sinew_clip *made;
    sinew_error error;
    if (!takes_has_work(&def)) return true;
    const takes_body *of_clip = cli_body_of(body, *clip);
    if (!of_clip) return false;
    const sinew_result result = takes_make(*clip, of_clip, &def, said, &made, &error);
    if (!succeed(body, *clip, result, &error)) return false;
    sinew_clip_destroy(*clip);
    *clip = made;
    return true;
}

void cli_take_say_closed(const takes_seam *seam, float turn, float added, lint_text *said) {
    const char *separator = said->size > 0 ? "; " : "";
    const double degrees = DEGREES * (double)turn;
    if (added > 0.0f) {
        lint_append_format(said, "%sadded the last frame, %.4g s", separator, (double)added);
    } else {
        lint_append_format(said, "%sclosed a seam of %.2f degrees and %.1f mm", separator, (double)seam->degrees,
                           1000.0 * (double)seam->metres);
        if (fabs(degrees) >= 1.0) lint_append_format(said, ", and a turn by %.0f degrees", degrees);
    }
}
