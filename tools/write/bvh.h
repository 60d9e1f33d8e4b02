// SPDX-License-Identifier: MIT
// Writing a clip as BVH.
#ifndef WRITE_BVH_H
#define WRITE_BVH_H

#include "lint/edit.h"

#include <sinew/clip.h>

typedef struct write_bvh_def {
    double units; // per metre: 100 for centimetres
    double rate;  // frames per second; 0: that of the clip's most frequent keys
} write_bvh_def;

// Appends a clip as BVH: the whole skeleton, each node with a rotation, "Zrotation Xrotation Yrotation", roots and nodes
// with an animated translation with a position. Scales and weights are left out. The rest pose of the file has no
// rotations: its offsets are those between the positions of the rest pose. A leaf that is named after its parent with
// "_end" is an End Site. Returns false if memory runs out, or the clip has more than a million frames.
bool write_bvh(const sinew_clip *clip, const write_bvh_def *def, lint_text *out);

#endif
