// SPDX-License-Identifier: MIT
// The parts of `sinew retarget`: its arguments, one take, the output, the report.
#ifndef CLI_RETARGET_H
#define CLI_RETARGET_H

#include "batch/batch.h"
#include "cli/cli.h"
#include "retargeting/retargeting.h"
#include "write/write.h"

// ---- Arguments -----------------------------------------------------------------------------------------------

enum { RETARGET_MAX_CLIPS = 1024, RETARGET_MAX_CHAINS = 256 };

// A character: its file, roles and reference.
typedef struct retarget_character {
    const char *side; // "source" or "target", for messages
    const char *path, *map, *pose_arg;
    sinew_asset *asset;
    retargeting_roles roles;
    sinew_humanoid_chains *chains; // from the map file, or NULL
    sinew_pose *pose;              // the reference; NULL to choose it
} retarget_character;

typedef enum retarget_form { RETARGET_GLB, RETARGET_GLTF, RETARGET_BVH, RETARGET_VRMA } retarget_form;

typedef struct retarget_args {
    retarget_character source, target; // the source has no path: its options are for all takes
    batch_list takes;
    const char *out, *name;
    const char *clips[RETARGET_MAX_CLIPS]; // clip names
    int clip_count;
    const char *chains[RETARGET_MAX_CHAINS];
    int chain_count;
    bool only, json, no_feet, hands, fixed_lengths;
    float rate, scale;
    float start, end; // the range in seconds; an `end` of 0 means the whole clip
    int jobs;
    retarget_form form; // format of `out`
} retarget_args;

// Reads and checks the arguments. Returns CLI_GOOD, another exit status, or -1 if it printed the help.
int retarget_read_args(retarget_args *arguments, int argc, char **argv);

// ---- A take --------------------------------------------------------------------------------------------------

typedef struct retarget_clip {
    char *name;     // in the output
    float duration; // seconds
    int32_t channel_count;
    double slides[2];          // the source's, scaled, and the target's, in m/s; negative if unknown
    write_animation animation; // for glTF
} retarget_clip;

typedef struct retarget_take {
    const char *path;
    const retarget_args *args;
    const retarget_character *target; // shared by all takes
    retarget_character source, own;   // `own` is the target with the source's curves, if it has any
    lint_text notes; // what was assumed about the source: zero-terminated lines, one after the other
    retargeting work;
    const sinew_clip **chosen; // [clip_count]; the source's clips
    sinew_clip **ranges;       // [clip_count]; trimmed copies, or NULL without a range
    retarget_clip *clips;      // [clip_count]
    int32_t clip_count, pair_count;
    float scale;
    char references[2][256]; // where the source's and the target's reference poses come from
    bool has_roles;          // both characters have roles
    bool is_done;
    char error[1024]; // why is_done is false
} retarget_take;

const retarget_character *retarget_target_of(const retarget_take *take);

// Loads a character, with another asset's curves and with notes. Both may be NULL. Returns false with an error.
bool retarget_load(retarget_character *c, const sinew_asset *curves_of, const sinew_log *notes, char *error,
                   size_t size);

// Loads the source and makes its clips, unless there's no output. Sets is_done or the error. `progress` is called after
// each clip; it may be NULL. Doesn't print anything. Any thread.
void retarget_make(retarget_take *take, void (*progress)(int done, int total));

// Frees everything that's only needed to write clips. Keeps the report.
void retarget_release(retarget_take *take);
void retarget_free(retarget_take *take);

// ---- The output ----------------------------------------------------------------------------------------------

typedef struct retarget_output {
    const retarget_args *args;
    write_copy *copy; // for .glb, .gltf and .vrma
    write_result result;
    FILE *scratch;
    lint_text text; // .bvh text, or the .glb that a .vrma starts from
    char **names;   // [name_count]; names of clips in earlier takes
    int name_count, name_capacity;
    int clip_count;
} retarget_output;

// Opens the target's file. On failure, prints the reason and returns false.
bool retarget_output_open(retarget_output *output, const retarget_args *args);

// Adds a take's clips. Appends a number to names that an earlier take has. On failure, sets the take's error.
void retarget_output_add(retarget_output *output, retarget_take *take);

// Writes the file. Returns an exit status. Prints the reason if it isn't CLI_GOOD.
int retarget_output_write(retarget_output *output);
void retarget_output_close(retarget_output *output);

// ---- The report ----------------------------------------------------------------------------------------------

// Prints one take with its pairs or clips.
void retarget_print_one(const retarget_take *take, const retarget_output *output);
bool retarget_print_one_json(const retarget_take *take, const retarget_output *output);

// Prints a line for each of many takes, then the output.
void retarget_print_many(const retarget_take *takes, int count, const retarget_output *output);
bool retarget_print_many_json(const retarget_take *takes, int count, const retarget_output *output);

#endif
