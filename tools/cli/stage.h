// SPDX-License-Identifier: MIT
// The scene in `sinew render`, frame by frame and without drawing: a character that plays clips or a graph, and other
// files.
#ifndef CLI_STAGE_H
#define CLI_STAGE_H

#include "render/all_clips.h"
#include "render/camera.h"
#include "cli/pose_warps.h"
#include "cli/script.h"

// A file from --attach or --with.
typedef struct cli_actor_arg {
    char path[1024];
    char node[256]; // the carrier's node to attach to; empty if not attached
    int carrier;    // actor index
    sinew_vec3 at;  // position if not attached, in meters, +Y up
    float turn;     // degrees to the actor's left
    char clip[256]; // its clip if not attached; empty for the first one
} cli_actor_arg;

// A file on the stage.
typedef struct cli_actor {
    const cli_actor_arg *arg; // NULL for the first
    const char *path;
    sinew_asset *asset;
    sinew_affine upright;   // makes the model upright, and a humanoid face +Z
    const sinew_clip *clip; // its own clip, or NULL; the first actor plays the stage's clips
    sinew_scene_node node;
} cli_actor;

// A cross-fade to another clip.
typedef struct cli_crossfade {
    const sinew_clip *clip;
    float start; // seconds since the first frame
    float duration;
    bool once; // play to the end and hold it instead of looping
} cli_crossfade;

enum { CLI_MAX_ACTORS = 17, CLI_MAX_CROSSFADES = 32 };

typedef struct cli_stage {
    sinew_up up;                      // up axis of the loaded files
    cli_actor actors[CLI_MAX_ACTORS]; // the first one plays
    int actor_count;
    sinew_scene *scene;                           // holds the actors
    const cli_script *script;                     // the first actor plays it; NULL to play clips
    draw_all_clips all;                           // clips that the first actor plays; if empty, it plays one clip
    sinew_animator *animator;                     // the script's
    graph_actor *actor;                           // owns the animator; NULL without a rig
    sinew_character_replay *replay;               // owns the animator when playing a recording, or NULL
    const cli_pose_warps *warps;                  // for the first actor; may be NULL
    sinew_stride_warp_state stride;               // state of the warps
    const sinew_clip *clip;                       // the first clip in `all`; NULL for the rest pose
    float clip_time;                              // first frame's time in the clip or script, in seconds
    cli_crossfade crossfades[CLI_MAX_CROSSFADES]; // sorted by start
    int crossfade_count;
    float step;  // seconds between frames
    float delay; // how many seconds an echo is behind the stage; 0 for the stage itself
    float wait;  // seconds that an echo holds the start, from the first frame
    int frame;   // the current frame
    int next_crossfade;
    int next_input;           // the script's next input
    float script_time;        // seconds since the script started
    sinew_affine turn;        // of a recorded world, so the character first faces +Z
    const sinew_clip *newest; // the clip last played or faded to
    sinew_springs *springs;   // the first actor's; may be NULL
    sinew_vec3 wind;          // for the springs
    bool echo;                // borrows another stage's assets and springs
} cli_stage;

// Loads a file into the stage. Without `arg`, it's the first actor. On failure, prints the reason and returns false.
// `path` and `arg` must outlive the stage.
bool cli_stage_add(cli_stage *stage, const char *path, const cli_actor_arg *arg);
void cli_stage_free(cli_stage *stage);

// Warns about clips that `all` leaves out.
void cli_warn_left_out(const draw_all_clips *all, const char *path);

// Makes a stage that is `delay` seconds behind another one and borrows its assets. If the clip is a loop, times before
// the first frame wrap. Otherwise the start is held. If memory runs out, prints the reason and returns false. Call
// cli_stage_free either way, before freeing the other stage.
bool cli_stage_echo(cli_stage *echo, const cli_stage *stage, float delay);

// Pose the actors for the first frame, or for the next one.
bool cli_stage_start(cli_stage *stage);
void cli_stage_advance(cli_stage *stage);

// Returns the world matrix of an actor's node.
sinew_affine cli_stage_world(const cli_stage *stage, const cli_actor *actor, int32_t node);

// Describes what the first actor plays: "Walk 0.53 s", or during a fade "Idle → Walk 40%". A script's states look like
// "Move + Wave 2.50 s", and all clips like "All clips 0.53 s". Empty without an action.
void cli_stage_describe(const cli_stage *stage, char *text, size_t room);

// Returns whether a file has clips but no meshes, like motion capture. It's drawn as a skeleton.
bool cli_is_motion(const sinew_asset *asset);

// Adds the frame's vertices to the framing, and the nodes of files without meshes. If memory runs out, prints the
// reason and returns false.
bool cli_stage_frame(const cli_stage *stage, draw_framing *framing);

#endif
