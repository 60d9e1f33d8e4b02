// SPDX-License-Identifier: MIT
// Clips of one character on another, written into a copy of its file: `sinew retarget`. Characters without roles, such as
// animals, are paired by chains and by equal names.
#ifndef RETARGETING_RETARGETING_H
#define RETARGETING_RETARGETING_H

#include "retargeting/chains.h"
#include "retargeting/expressions.h"
#include "retargeting/roles.h"
#include "write/write.h"

#include <sinew/humanoid/reference.h>
#include <sinew/humanoid/retarget.h>

typedef struct retargeting_character {
    const char *path; // of the file; of the target, the one that is copied
    const sinew_asset *asset;
    const sinew_humanoid *humanoid;      // NULL: without roles, and then also the other
    const sinew_humanoid_chains *chains; // of a map file; NULL: those of an animal are guessed
    const sinew_pose *pose;              // the reference pose; NULL: chosen (sinew_reference_find)
} retargeting_character;

// The reference pose of a character.
typedef struct retargeting_reference {
    bool is_given;
    sinew_reference found; // of a given one, only the score
} retargeting_reference;

typedef struct retargeting_def {
    retargeting_character source, target; // they must outlive the retargeting
    const char *const *chains;            // [chain_count]: pairs of chains as on the command line (pairing.h)
    int32_t chain_count;
    bool feet, hands, fixed_lengths;
    float rate;       // keys a second, at least
    float scale;      // 0: the ratio of the leg lengths
    const char *name; // of the retargeted clip; NULL: the clip's own, or the file's
} retargeting_def;

typedef struct retargeting {
    retargeting_def def;
    retargeting_reference source, target;
    sinew_retarget *map;
    sinew_retarget_chain *chains;                    // [def.chain_count]
    retargeting_chains source_chains, target_chains; // guessed
    sinew_clip **clips;                              // [clip_count]: of the target
    int32_t clip_count;
    write_result written;
    char error[1024]; // set by functions below that return false
} retargeting;

// Samples a clip of an asset at a time; NULL if memory runs out. Free it with sinew_pose_destroy.
sinew_pose *retargeting_sample(const sinew_asset *asset, const sinew_clip *clip, float time);

// Writes where a reference pose comes from, such as "the rest pose (score 0.98)", truncated to `size` bytes.
void retargeting_reference_text(const sinew_asset *asset, const retargeting_reference *reference, char *text,
                                size_t size);

// Makes the map between the two characters. Returns false with an error. Call retargeting_end in either case.
bool retargeting_begin(retargeting *r, const retargeting_def *def);

// The face of the source and of the target.
retargeting_face retargeting_face_of(const retargeting *r);

// Retargets clips of the source, and the faces of a .vrma file. `progress`, which may be NULL, is called after each.
bool retargeting_make_clips(retargeting *r, const sinew_clip *const *clips, int32_t clip_count,
                            void (*progress)(int done, int total));

// Writes the retargeted clips into a copy of the target's file. `only` leaves out the target's own clips.
bool retargeting_write(retargeting *r, bool only, sinew_meshopt_decode decode, void *decode_user);

// Appends the JSON of `sinew retarget --json`: the references, the pairs, the retargeted clips, the dropped expressions and the
// size of what was written.
void retargeting_append_json(const retargeting *r, lint_text *out);

void retargeting_end(retargeting *r);

#endif
