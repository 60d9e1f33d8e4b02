// SPDX-License-Identifier: MIT
// The scene of `sinew render`, frame by frame, without the drawing: a character that plays clips or a graph, and other
// files.
#ifndef CLI_STAGE_H
#define CLI_STAGE_H

#include "render/all_clips.h"
#include "render/camera.h"
#include "cli/pose_warps.h"
#include "cli/script.h"

// A file of --attach or --with.
typedef struct cli_actor_arg {
    char path[1024];
    char node[256]; // of the carrier, to which it is attached; empty: not attached
    int carrier;    // the index of an actor
    sinew_vec3 at;  // its position if not attached, metres, +Y up
    float turn;     // degrees to its left
    char clip[256]; // its clip if not attached; empty: the first one
} cli_actor_arg;

// A file on the stage.
typedef struct cli_actor {
    const cli_actor_arg *arg; // NULL for the first
    const char *path;
    sinew_asset *asset;
    const sinew_clip *clip; // its own clip; NULL: none. The first actor plays the clips of the stage
    sinew_scene_node node;
} cli_actor;

// A cross-fade to another clip.
typedef struct cli_crossfade {
    const sinew_clip *clip;
    float start; // seconds from the first frame
    float duration;
    bool once; // plays to its end and holds it, instead of looping
} cli_crossfade;

enum { CLI_MAX_ACTORS = 17, CLI_MAX_CROSSFADES = 32 };

typedef struct cli_stage {
    sinew_up up;                      // of the loaded files
    cli_actor actors[CLI_MAX_ACTORS]; // the first one plays
    int actor_count;
    sinew_scene *scene;                           // of the actors
    const cli_script *script;                     // that the first actor plays; NULL: it plays clips
    draw_all_clips all;                           // that it plays; without clips: one clip
    sinew_animator *animator;                     // of the script
    graph_actor *actor;                           // that the animator belongs to; NULL without a rig
    sinew_character_replay *replay;               // the same, of a recording; NULL: none
    const cli_pose_warps *warps;                  // of the first actor; NULL: none
    sinew_stride_warp_state stride;               // their state
    const sinew_clip *clip;                       // of `all` the first; NULL: the rest pose
    float clip_time;                              // of the first frame in the clip or in the script, seconds
    cli_crossfade crossfades[CLI_MAX_CROSSFADES]; // in the order of their starts
    int crossfade_count;
    float step;  // seconds from frame to frame
    float delay; // seconds by which an echo is behind the stage; 0 for the stage itself
    float wait;  // seconds from the first frame during which an echo holds the start
    int frame;   // the current frame
    int next_crossfade;
    int next_input;           // of the script
    float script_time;        // seconds since its start
    const sinew_clip *newest; // the clip last played or faded to
    sinew_springs *springs;   // of the first actor; NULL: none
    sinew_vec3 wind;          // for its springs
    bool echo;                // borrows the assets and the springs of another stage
} cli_stage;

// Loads a file into the stage: the first actor, without an `arg`, or another one. Returns false, with the reason printed,
// if that fails. `path` and `arg` must outlive the stage.
bool cli_stage_add(cli_stage *stage, const char *path, const cli_actor_arg *arg);
void cli_stage_free(cli_stage *stage);

// Says which clips are left out of all, if any.
void cli_warn_left_out(const draw_all_clips *all, const char *path);

// Makes a stage that is `delay` seconds behind another one, whose assets it borrows. Times before the first frame wrap if
// the clip is a loop; otherwise the start is held. Returns false, with the reason printed, if memory runs out.
// Freed with cli_stage_free in both cases, before the other one.
bool cli_stage_echo(cli_stage *echo, const cli_stage *stage, float delay);

// Poses the actors for the first frame; or for the next frame.
bool cli_stage_start(cli_stage *stage);
void cli_stage_advance(cli_stage *stage);

// The world matrix of a node of an actor.
sinew_affine cli_stage_world(const cli_stage *stage, const cli_actor *actor, int32_t node);

// Describes the first actor's playback: "Walk 0.53 s", or during a fade "Idle → Walk 40%"; of a script the states,
// "Move + Wave 2.50 s"; of all clips "All clips 0.53 s". Empty without an action.
void cli_stage_describe(const cli_stage *stage, char *text, size_t room);

// Whether a file has clips but no meshes, such as motion capture: it is drawn as a skeleton.
bool cli_is_motion(const sinew_asset *asset);

// Adds every vertex of the frame, and every node of a file without meshes, to the framing. False, with the reason printed, if memory runs out.
bool cli_stage_frame(const cli_stage *stage, draw_framing *framing);

#endif
