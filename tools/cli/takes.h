// SPDX-License-Identifier: MIT
// The options of `sinew bake` that prepare takes.
#ifndef CLI_TAKES_H
#define CLI_TAKES_H

#include "cli/cli.h"
#include "takes/takes.h"

// The options of one clip.
typedef struct cli_take_args {
    float smooth, fps; // 0: not given
    bool ground, plant, in_place, find_loop;
    const char *root;  // of --root-motion; NULL: not given
    const char *split; // "pauses" or "markers"; NULL: not given
} cli_take_args;

// Reads the option just read. Returns false for any other option.
bool cli_take_arg(cli_args *args, cli_take_args *options);

// The character of a file. Set `asset`, `path` and `map`; the rest is found when it is needed.
typedef struct cli_body {
    const sinew_asset *asset;
    const char *path, *map;
    bool is_searched, has_roles;
    bool is_unfit; // the roles are found, and feet aren't below the shins
    takes_body body;
} cli_body;

// Functions that return false print the reason.

// Finds the roles if the options need them, and checks the node of --root-motion.
bool cli_take_check(cli_body *body, const cli_take_args *options);

// The body by roles, or without those by the clip. NULL, with the reason printed, if memory runs out.
const takes_body *cli_body_of(cli_body *body, const sinew_clip *clip);

// Prints the loops of a clip. An `end` of 0 is the clip's.
bool cli_take_list_loops(cli_body *body, const sinew_clip *clip, takes_piece range);

// Cuts a clip. `pieces->list` is freed by the caller, in either case.
bool cli_take_split(cli_body *body, const cli_take_args *options, const sinew_clip *clip, takes_piece range,
                    takes_pieces *pieces);

// Replaces a clip by the prepared one, and appends what was done.
bool cli_take_apply(cli_body *body, const cli_take_args *options, sinew_clip **clip, lint_text *said);

// Appends how a loop was closed: the seam before, the turn that is gone, radians, and how much longer the clip is.
void cli_take_say_closed(const takes_seam *seam, float turn, float added, lint_text *said);

#endif
