// SPDX-License-Identifier: MIT
// The options of `sinew bake` that prepare takes.
#ifndef CLI_TAKES_H
#define CLI_TAKES_H

#include "cli/cli.h"
#include "takes/takes.h"

// One clip's options.
typedef struct cli_take_args {
    float smooth, fps; // 0 if not given
    bool ground, plant, in_place, find_loop;
    const char *root;  // node name from --root-motion, or NULL
    const char *split; // "pauses", "markers" or NULL
} cli_take_args;

// Reads the current option. Returns false for any other option.
bool cli_take_arg(cli_args *args, cli_take_args *options);

// A file's character. Set `asset`, `path` and `map`. The rest is found when it's needed.
typedef struct cli_body {
    const sinew_asset *asset;
    const char *path, *map;
    bool is_searched, has_roles;
    bool is_unfit; // the roles are known, but the feet aren't below the shins
    takes_body body;
} cli_body;

// Functions that return false print the reason.

// Finds the roles if the options need them, and checks the node of --root-motion.
bool cli_take_check(cli_body *body, const cli_take_args *options);

// Returns the body from its roles, or from the clip if it has none. If memory runs out, prints the reason and returns
// NULL.
const takes_body *cli_body_of(cli_body *body, const sinew_clip *clip);

// Prints a clip's loops. An `end` of 0 means the clip's end.
bool cli_take_list_loops(cli_body *body, const sinew_clip *clip, takes_piece range);

// Cuts a clip. The caller frees `pieces->list` either way.
bool cli_take_split(cli_body *body, const cli_take_args *options, const sinew_clip *clip, takes_piece range,
                    takes_pieces *pieces);

// Replaces a clip with the prepared one, and appends what was done.
bool cli_take_apply(cli_body *body, const cli_take_args *options, sinew_clip **clip, lint_text *said);

// Appends how a loop was closed: the seam before closing, the removed turn in radians, and how much longer the clip
// got.
void cli_take_say_closed(const takes_seam *seam, float turn, float added, lint_text *said);

#endif
