// SPDX-License-Identifier: MIT
// All clips of a file at once, each on the nodes that it moves.
#ifndef RENDER_ALL_CLIPS_H
#define RENDER_ALL_CLIPS_H

#include <sinew/all.h>

typedef struct draw_all_clips {
    sinew_clip **clips; // [count]: the first is for the base, the others for an additive layer
    int32_t count;
    int32_t left_out_count;     // clips that move what an earlier one moves
    const sinew_clip *left_out; // the first of these; NULL: none
    int32_t longest;            // the clip of the file whose duration the first one has; -1: none
} draw_all_clips;

// Combines the clips of an asset, which must outlive them. Returns false, with the reason in `error`, if they have more
// durations than a mixer plays, or memory runs out. Freed with draw_all_clips_free in both cases.
bool draw_all_clips_make(draw_all_clips *all, const sinew_asset *asset, sinew_error *error);
void draw_all_clips_free(draw_all_clips *all);

// The time in a clip when one that started with it is at `time`; also for times before the start.
float draw_all_clips_time(const sinew_clip *clip, float time);

// Plays all but the first in a layer, which becomes additive, with the first at `time`. `actions` [count] are set but for the
// first.
void draw_all_clips_play(const draw_all_clips *all, sinew_mixer *mixer, const sinew_play_def *def, float time,
                         sinew_action *actions);

#endif
