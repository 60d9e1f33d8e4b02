// SPDX-License-Identifier: MIT
// Retargets one character's clips to another and writes them into a copy of its file, for `sinew retarget`. Characters
// without roles, such as animals, are paired by chains and equal names.
#ifndef RETARGETING_RETARGETING_H
#define RETARGETING_RETARGETING_H

#include "retargeting/chains.h"
#include "retargeting/expressions.h"
#include "retargeting/roles.h"
#include "write/write.h"

#include <sinew/humanoid/reference.h>
#include <sinew/humanoid/retarget.h>

typedef struct retargeting_character {
    const char *path; // path of the file; the target's is copied
    const sinew_asset *asset;
    const sinew_humanoid *humanoid;      // NULL without roles; then the other's must also be NULL
    const sinew_humanoid_chains *chains; // from a map file; NULL to guess an animal's
    const sinew_pose *pose;              // the reference pose; NULL to choose one (sinew_reference_find)
} retargeting_character;

// A character's reference pose.
typedef struct retargeting_reference {
    bool is_given;
    sinew_reference found; // if given, only the score is set
} retargeting_reference;

typedef struct retargeting_def {
    retargeting_character source, target; // both must outlive the retargeting
    const char *const *chains;            // [chain_count]; pairs of chains as on the command line (pairing.h)
    int32_t chain_count;
    bool feet, hands, fixed_lengths;
    float rate;       // at least this many keys per second
    float scale;      // 0 for the ratio of the leg lengths
    const char *name; // of the retargeted clip; NULL for the clip's own, or the file's
} retargeting_def;

typedef struct retargeting {
    retargeting_def def;
    retargeting_reference source, target;
    sinew_retarget *map;
    sinew_retarget_chain *chains;                    // [def.chain_count]
    retargeting_chains source_chains, target_chains; // guessed
    sinew_clip **clips;                              // [clip_count]; the target's
    int32_t clip_count;
    write_result written;
    char error[1024]; // set by the functions below that return false
} retargeting;

// Samples one of an asset's clips at a time. Returns NULL if memory runs out. Free it with sinew_pose_destroy.
sinew_pose *retargeting_sample(const sinew_asset *asset, const sinew_clip *clip, float time);

// Writes where a reference pose comes from, such as "the rest pose (score 0.98)", truncated to `size` bytes.
void retargeting_reference_text(const sinew_asset *asset, const retargeting_reference *reference, char *text,
                                size_t size);

// Makes the map between the two characters. Returns false with an error. Call retargeting_end in either case.
bool retargeting_begin(retargeting *r, const retargeting_def *def);

// Returns the source's and target's face.
retargeting_face retargeting_face_of(const retargeting *r);

// Retargets the source's clips, including faces from a .vrma file. `progress` is called after each; it may be NULL.
bool retargeting_make_clips(retargeting *r, const sinew_clip *const *clips, int32_t clip_count,
                            void (*progress)(int done, int total));

// Writes the retargeted clips into a copy of the target's file. `only` leaves out the target's own clips.
bool retargeting_write(retargeting *r, bool only, sinew_meshopt_decode decode, void *decode_user);

// Appends the JSON for `sinew retarget --json`: the references, pairs, retargeted clips, dropped expressions, and the
// size of what was written.
void retargeting_append_json(const retargeting *r, lint_text *out);

void retargeting_end(retargeting *r);

#endif
