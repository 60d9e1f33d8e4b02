// SPDX-License-Identifier: MIT
// Finds the jumps in a recording: frames in which a node moves further than its clips do, and further than in the frames
// before and after.
#ifndef CLI_JUMPS_H
#define CLI_JUMPS_H

#include "cli/recorded.h"

enum { CLI_JUMP_CALLS = 8, CLI_MAX_JUMPS = 100, CLI_PERCENTILES = 3 };

// What made the largest step of a frame.
typedef enum cli_jump_kind {
    CLI_JUMP_POP, // further than the clips: a call, or a transition
    CLI_JUMP_CLIP // a clip itself
} cli_jump_kind;

// What moved.
typedef enum cli_jump_part { CLI_JUMP_NODE, CLI_JUMP_ROOT, CLI_JUMP_WEIGHT } cli_jump_part;

// The largest jump of a frame. Steps are in metres, or of a morph weight.
typedef struct cli_jump {
    int64_t frame;  // from 0
    int64_t call;   // the call that shows the frame
    double seconds; // of the mixer
    cli_jump_kind kind;
    cli_jump_part part;
    int32_t index;          // of the node or the morph weight
    float step;             // largest of the node's virtual points
    float clips;            // the largest step of the clips that contribute, at that node
    float excess;           // beyond the clips, or for a clip's own jump beyond the frames around it
    const sinew_clip *clip; // the clip that moves most there; NULL: none
    int32_t call_count;     // calls made between the frame before and this one
    struct {
        int64_t number;
        char text[160];
    } calls[CLI_JUMP_CALLS]; // the first of them
} cli_jump;

typedef struct cli_jumps {
    int64_t frames;
    double seconds;
    float size, height; // metres
    float acceleration[CLI_PERCENTILES],
        jerk[CLI_PERCENTILES];     // 50, 95 and 99 %, in metres a second squared, cubed
    int64_t pops, clip_jumps;      // frames
    cli_jump worst[CLI_MAX_JUMPS]; // pops first, then by `excess`
    int32_t worst_count;
} cli_jumps;

// Replays a recording and measures every frame. A jump is larger than `degrees` of rotation of a joint, at a tenth of
// the model's height. False, with the reason printed, if that fails.
bool cli_find_jumps(const char *path, const sinew_asset *asset, sinew_replay *replay, float degrees,
                    cli_jumps *jumps);

// ---- Frame by frame ------------------------------------------------------------------------------------------

// Measures the frames of a mixer as it plays.
typedef struct cli_jump_finder cli_jump_finder;

// Returns NULL if memory runs out.
cli_jump_finder *cli_jump_finder_create(const sinew_skeleton *skeleton, float degrees);
void cli_jump_finder_destroy(cli_jump_finder *finder);

// Gives the masks of the layers, [count], NULL for a layer without one; they must outlive the finder. Without them, clips
// count with all their nodes.
void cli_jump_finder_set_masks(cli_jump_finder *finder, const sinew_mask *const *masks, int32_t count);

// Leaves out a node from now on, such as one that swings: it moves by itself.
void cli_jump_finder_leave_out(cli_jump_finder *finder, int32_t node);

// Starts with another mixer, or after an intended cut: the next frame is the first. Jumps are added to `jumps`.
void cli_jump_finder_start(cli_jump_finder *finder, const sinew_mixer *mixer, cli_jumps *jumps);

// Splits the step of the next frame: call it after the calls before the frame, and before the mixer is updated by `dt`.
// What transitions move in it (the even part of docs/mixing.md) is no pop then, nor what layers add up to. The mixer does
// not change. All mixers must have the same definition. False if memory runs out.
bool cli_jump_finder_split(cli_jump_finder *finder, sinew_mixer *mixer, float dt);

// Measures the mixer's current pose, `dt` seconds after the last one. `jump` has the frame's number, time and calls. A
// frame is judged when the four frames after it are known.
void cli_jump_finder_add(cli_jump_finder *finder, const cli_jump *jump, float dt);

#endif
