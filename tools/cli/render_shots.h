// SPDX-License-Identifier: MIT
// The frames of `sinew render`: one shot, or one for each clip of a file.
#ifndef CLI_RENDER_SHOTS_H
#define CLI_RENDER_SHOTS_H

#include "cli/render_args.h"

// Consecutive frames.
typedef struct cli_shot {
    const sinew_clip *clip; // NULL: the rest pose
    float step;             // seconds from frame to frame
    int frame_count;
} cli_shot;

typedef struct cli_shots {
    cli_shot shots[CLI_MAX_CLIP_ROWS];
    int count;
    int frame_count; // of all
    int columns, rows;
} cli_shots;

// Chooses the shots, finds the clips and sets the cross-fades of the stage, whose actors are loaded. Returns false, with
// the reason printed, if a clip is missing.
bool cli_shots_choose(cli_shots *shots, cli_stage *stage, const cli_render_args *args);

// Prepares the stage for a shot.
void cli_shot_set(const cli_shot *shot, cli_stage *stage);

// The duration of a shot's clip and cross-fades or of its script, seconds.
float cli_shot_span(const cli_shot *shot, const cli_stage *stage);

#endif
