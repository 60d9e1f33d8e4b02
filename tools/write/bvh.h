// SPDX-License-Identifier: MIT
// Writes a clip as BVH.
#ifndef WRITE_BVH_H
#define WRITE_BVH_H

#include "lint/edit.h"

#include <sinew/clip.h>

typedef struct write_bvh_def {
    double units; // per meter: 100 for centimeters
    double rate;  // frames per second; 0 for the clip's most frequent keys
} write_bvh_def;

// Appends a clip as BVH with the whole skeleton. Each node has a rotation, "Zrotation Xrotation Yrotation". Roots and
// nodes with animated translations also have a position. Scales and weights are left out. The rest pose in the file has
// no rotations; its offsets lie between the rest pose's positions. A leaf named like its parent plus "_end" becomes an
// End Site. Returns false if memory runs out or the clip has more than a million frames.
bool write_bvh(const sinew_clip *clip, const write_bvh_def *def, lint_text *out);

#endif
