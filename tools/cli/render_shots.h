// SPDX-License-Identifier: MIT
// The frames in `sinew render`: one shot, or one for each clip in a file.
#ifndef CLI_RENDER_SHOTS_H
#define CLI_RENDER_SHOTS_H

#include "cli/render_args.h"

// Consecutive frames.
typedef struct cli_shot {
    const sinew_clip *clip; // NULL for the rest pose
    float step;             // seconds between frames
    int frame_count;
} cli_shot;

typedef struct cli_shots {
    cli_shot shots[CLI_MAX_CLIP_ROWS];
    int count;
    int frame_count; // in all shots
    int columns, rows;
} cli_shots;

// Chooses the shots, finds the clips and sets the stage's cross-fades. Load the actors first. If a clip is missing,
// prints the reason and returns false.
bool cli_shots_choose(cli_shots *shots, cli_stage *stage, const cli_render_args *args);

// Prepares the stage for a shot.
void cli_shot_set(const cli_shot *shot, cli_stage *stage);

// Returns the duration of a shot's clip and cross-fades, or of its script, in seconds.
float cli_shot_span(const cli_shot *shot, const cli_stage *stage);

#endif
