// SPDX-License-Identifier: MIT
// New clips from a clip: trimmed, reversed, closed.
#ifndef WRITE_EDIT_CLIP_H
#define WRITE_EDIT_CLIP_H

#include <sinew/clip.h>

typedef struct edit_clip_def {
    const char *name; // NULL: that of the clip
    float start, end; // seconds, start < end; an `end` of 0: the whole clip
    bool reverse;     // played backward
    // A loop. One that lacks its last frame (lint/loop.h) gets it: the clip is a frame longer, and its last pose is the
    // first one. Of any other clip, the difference between the last pose and the first one is spread evenly. Channels of
    // interpolation STEP are not changed. A node that walks away keeps its motion along the ground, which is
    // perpendicular to +Y, and only its height is closed: its last position is further from its first one along the
    // ground than a tenth of the size of the skeleton's rest pose. Such a node also keeps a turn of more than 10 degrees about +Y.
    bool close;
} edit_clip_def;

// Creates the clip; free it with sinew_clip_destroy. Keys that are not at the ends of the range keep their values and
// interpolation; at an end between two keys there is a new key, by which the motion stays the same.
sinew_result edit_clip(const sinew_clip *clip, const edit_clip_def *def, sinew_clip **edited, sinew_error *error);

#endif
