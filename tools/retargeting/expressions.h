// SPDX-License-Identifier: MIT
// The face in a .vrma file: its expressions and gaze, as tracks for a VRM character.
#ifndef RETARGETING_EXPRESSIONS_H
#define RETARGETING_EXPRESSIONS_H

#include <sinew/asset.h>
#include <sinew/humanoid/vrm.h>

typedef struct retargeting_face {
    const sinew_vrm *source, *target; // NULL without VRM data
    float rate;                       // at least this many keys per second
} retargeting_face;

// Replaces a retargeted clip with one that also has the face from `motion`, the source clip that it was made from.
// Expressions that both files have become morph weights. A gaze turns the eyes or becomes morph weights, following the
// target's own rules (vrm.h). Keeps the clip if there's neither, or on failure.
sinew_result retargeting_add_face(const retargeting_face *face, const sinew_clip *motion, sinew_clip **clip,
                                  sinew_error *error);

// Returns the name of the source's next expression that moves nothing on the target. `*next` starts at 0 and advances
// with each call. The gaze is "lookAt". Returns NULL if there are no more.
const char *retargeting_dropped(const retargeting_face *face, int32_t *next);

#endif
