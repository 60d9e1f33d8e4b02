// What `sinew render` shows, frame by frame, before anything is drawn: a character that plays clips, and the
// objects that it carries.
#ifndef CLI_STAGE_H
#define CLI_STAGE_H

#include "render/camera.h"
#include "cli/cli.h"

// A file that is to come onto the stage, as it was asked for.
typedef struct cli_actor_arg {
    char path[1024];
    char node[256]; // of the carrier, which carries it; empty: it stands on the ground
    int carrier;    // which of the actors
    sinew_vec3 at;  // where it stands, metres, +Y up
    float turn;     // degrees to its left
    char clip[256]; // that it plays where it stands; empty: the first one
} cli_actor_arg;

// A file on the stage.
typedef struct cli_actor {
    const cli_actor_arg *arg; // NULL for the first
    const char *path;
    sinew_asset *asset;
    const sinew_clip *clip; // that it plays for itself; NULL: none. The first plays what the stage says
    sinew_scene_node node;
} cli_actor;

// A change of clips on the way.
typedef struct cli_crossfade {
    const sinew_clip *clip;
    float start; // seconds from the first frame
    float duration;
    bool once; // plays to its end and holds it, instead of looping
} cli_crossfade;

enum { CLI_MAX_ACTORS = 17, CLI_MAX_CROSSFADES = 32 };

typedef struct cli_stage {
    sinew_up up;                      // of the files that are loaded
    cli_actor actors[CLI_MAX_ACTORS]; // the first plays
    int actor_count;
    sinew_scene *scene;                           // in which the actors are, and everything has its matrices
    const sinew_clip *clip;                       // NULL: the rest pose
    float clip_time;                              // where in the clip the first frame is
    cli_crossfade crossfades[CLI_MAX_CROSSFADES]; // in the order of their starts
    int crossfade_count;
    float step;  // seconds from frame to frame
    float delay; // how many seconds ago it shows; 0 but for an echo
    float wait;  // seconds from the first frame for which an echo shows the clip's start
    int frame;   // that the actors are posed for
    int next_crossfade;
    const sinew_clip *newest; // the clip last played or faded to
    bool echo;                // its assets are another's
} cli_stage;

// Loads a file onto the stage: the first actor, where there is no `arg`, or another one. False, with the reason
// printed, when that fails. `path` and `arg` must outlive the stage.
bool cli_stage_add(cli_stage *stage, const char *path, const cli_actor_arg *arg);
void cli_stage_free(cli_stage *stage);

// A stage that shows what another one, whose assets it borrows, showed `delay` seconds before; before the first frame
// that is the clip, backward round its loop, or its start where it is no loop. False, with the reason printed, when memory runs out. Freed with
// cli_stage_free in both cases, before the other one.
bool cli_stage_echo(cli_stage *echo, const cli_stage *of, float delay);

// Poses the actors for the first frame, from the beginning; for the frame after the one they are posed for.
bool cli_stage_start(cli_stage *stage);
void cli_stage_advance(cli_stage *stage);

// The world matrix of a node of an actor.
sinew_affine cli_stage_world(const cli_stage *stage, const cli_actor *actor, int32_t node);

// What the first actor plays: "Walk 0.53 s", or in a fade "Idle → Walk 40%". Empty when it plays nothing.
void cli_stage_describe(const cli_stage *stage, char *text, size_t room);

// Takes every vertex of the frame up into the framing. False, with the reason printed, when memory runs out.
bool cli_stage_frame(const cli_stage *stage, draw_framing *framing);

#endif
