// SPDX-License-Identifier: MIT
// Plays all clips in a file at once, each on the nodes that it moves.
#ifndef RENDER_ALL_CLIPS_H
#define RENDER_ALL_CLIPS_H

#include <sinew/all.h>

typedef struct draw_all_clips {
    sinew_clip **clips; // [count]; the first is for the base, the others for an additive layer
    int32_t count;
    int32_t left_out_count;     // clips that move something that an earlier clip moves
    const sinew_clip *left_out; // the first of these, or NULL
    int32_t longest;            // the file's clip with the first one's duration, or -1
} draw_all_clips;

// Combines an asset's clips. The asset must outlive them. On failure, returns false with the reason in `error`: a mixer
// can't play that many different durations, or memory ran out. Call draw_all_clips_free either way.
bool draw_all_clips_make(draw_all_clips *all, const sinew_asset *asset, sinew_error *error);
void draw_all_clips_free(draw_all_clips *all);

// Returns a clip's time when another clip, started together with it, is at `time`. Also works before the start.
float draw_all_clips_time(const sinew_clip *clip, float time);

// Plays all but the first in an additive layer, with the first at `time`. Sets `actions` [count] except for the first.
void draw_all_clips_play(const draw_all_clips *all, sinew_mixer *mixer, const sinew_play_def *def, float time,
                         sinew_action *actions);

#endif
