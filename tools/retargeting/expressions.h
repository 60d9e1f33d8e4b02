// SPDX-License-Identifier: MIT
// The face of a .vrma file: its expressions and its gaze as tracks of a VRM character.
#ifndef RETARGETING_EXPRESSIONS_H
#define RETARGETING_EXPRESSIONS_H

#include <sinew/asset.h>
#include <sinew/humanoid/vrm.h>

typedef struct retargeting_face {
    const sinew_vrm *source, *target; // NULL: no VRM data
    float rate;                       // keys a second, at least
} retargeting_face;

// Replaces a retargeted clip by one with the face of `motion`, the clip of the source that it was made from. Expressions that
// both files have become morph weights, and a gaze turns the eyes, or becomes morph weights, by the target's own rules
// (vrm.h). Keeps the clip if there is nothing of both. On failure the clip is kept.
sinew_result retargeting_add_face(const retargeting_face *face, const sinew_clip *motion, sinew_clip **clip,
                                  sinew_error *error);

// Returns the name of the next expression of the source that moves nothing on the target, after those that were returned before:
// `*next` starts at 0. The gaze is "lookAt". NULL: there are no more.
const char *retargeting_dropped(const retargeting_face *face, int32_t *next);

#endif
