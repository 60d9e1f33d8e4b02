// SPDX-License-Identifier: MIT
// Makes new clips from a clip: trimmed, reversed, closed.
#ifndef WRITE_EDIT_CLIP_H
#define WRITE_EDIT_CLIP_H

#include <sinew/clip.h>

typedef struct edit_clip_def {
    const char *name; // NULL for the clip's name
    float start, end; // seconds, start < end; an `end` of 0 means the whole clip
    bool reverse;     // play backward
    // Closes a loop. If it lacks its last frame (lint/loop.h), adds it: the clip gets a frame longer, and its last pose
    // is the first one. Otherwise spreads the difference between the last and first pose evenly. STEP channels don't
    // change. A node walks away if it moves along the ground by more than a tenth of the size of the skeleton's rest
    // pose. Such a node keeps this motion, and any turn about +Y of more than 10 degrees. Only its height is closed.
    // The ground is perpendicular to +Y.
    bool close;
} edit_clip_def;

// Creates the clip. Free it with sinew_clip_destroy. Keys inside the range keep their values and interpolation. If the
// range starts or ends between two keys, a new key is added there, and the motion stays the same.
sinew_result edit_clip(const sinew_clip *clip, const edit_clip_def *def, sinew_clip **edited, sinew_error *error);

#endif
