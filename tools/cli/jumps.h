// SPDX-License-Identifier: MIT
// Finds the jumps in a recording. In these frames, a node moves further than its clips do and further than in the
// frames before and after.
#ifndef CLI_JUMPS_H
#define CLI_JUMPS_H

#include "cli/recorded_character.h"

enum { CLI_JUMP_CALLS = 8, CLI_MAX_JUMPS = 100, CLI_PERCENTILES = 3 };

// What made a frame's largest step.
typedef enum cli_jump_kind {
    CLI_JUMP_POP, // moves further than the clips: a call or a transition made it
    CLI_JUMP_CLIP // the clip itself jumps
} cli_jump_kind;

// What moved.
typedef enum cli_jump_part { CLI_JUMP_NODE, CLI_JUMP_ROOT, CLI_JUMP_WEIGHT } cli_jump_part;

// A frame's largest jump. Steps are in meters, or a change in morph weight.
typedef struct cli_jump {
    int64_t frame;  // from 0
    int64_t call;   // the call that shows the frame, or a character's update
    double seconds; // the mixer's time
    cli_jump_kind kind;
    cli_jump_part part;
    int32_t index;          // of the node or morph weight
    float step;             // the largest step of the node's virtual points
    float clips;            // the largest step at that node of the clips that contribute
    float excess;           // beyond the clips; for a clip's own jump, beyond the frames around it
    const sinew_clip *clip; // the clip that moves most there, or NULL
    int32_t call_count;     // calls made between the previous frame and this one
    struct {
        int64_t number;
        char text[160];
    } calls[CLI_JUMP_CALLS]; // the first of them
} cli_jump;

typedef struct cli_jumps {
    int64_t frames;
    double seconds;
    float size, height; // meters
    float acceleration[CLI_PERCENTILES],
        jerk[CLI_PERCENTILES];     // 50th, 95th and 99th, in m/s^2 and m/s^3
    int64_t pops, clip_jumps;      // number of frames
    cli_jump worst[CLI_MAX_JUMPS]; // pops first, then by `excess`
    int32_t worst_count;
} cli_jumps;

// Replays a recording and measures every frame. A jump is larger than a joint rotation by `degrees`, measured at a
// tenth of the model's height. On failure, prints the reason and returns false.
bool cli_find_jumps(const char *path, const sinew_asset *asset, sinew_replay *replay, float degrees,
                    cli_jumps *jumps);

// Like cli_find_jumps, for a character's recording. Each update is a frame. Leaves out nodes that swing.
bool cli_find_character_jumps(const cli_cast *cast, cli_take *take, float degrees, cli_jumps *jumps);

// ---- Frame by frame ------------------------------------------------------------------------------------------

// Measures a mixer's frames as it plays.
typedef struct cli_jump_finder cli_jump_finder;

// Returns NULL if memory runs out.
cli_jump_finder *cli_jump_finder_create(const sinew_skeleton *skeleton, float degrees);
void cli_jump_finder_destroy(cli_jump_finder *finder);

// Sets the layers' masks, [count]; NULL for a layer without one. They must outlive the finder. Without masks, all nodes
// of a clip count.
void cli_jump_finder_set_masks(cli_jump_finder *finder, const sinew_mask *const *masks, int32_t count);

// Leaves out a node from now on. Use this for nodes that move by themselves, like swinging ones.
void cli_jump_finder_leave_out(cli_jump_finder *finder, int32_t node);

// Leaves out the nodes that a rig's springs move.
void cli_jump_finder_leave_out_swinging(cli_jump_finder *finder, const graph_stand *stand);

// Starts with another mixer, or after an intended cut. The next frame is the first one. Jumps are added to `jumps`.
void cli_jump_finder_start(cli_jump_finder *finder, const sinew_mixer *mixer, cli_jumps *jumps);

// Splits the next frame's step. Call it after the frame's calls and before updating the mixer by `dt`. Then whatever
// transitions move (the even part in docs/mixing.md) and layers add up to isn't a pop. Doesn't change the mixer. All
// mixers must have the same definition. Returns false if memory runs out.
bool cli_jump_finder_split(cli_jump_finder *finder, sinew_mixer *mixer, float dt);

// Measures the mixer's current pose, `dt` seconds after the last one. `jump` has the frame's number, time and calls. A
// frame is judged once the four frames after it are known.
void cli_jump_finder_add(cli_jump_finder *finder, const cli_jump *jump, float dt);

#endif
