// SPDX-License-Identifier: MIT
// Tells whether a loop lacks its last frame: exporters leave it out, since it repeats the first one.
#ifndef LINT_LOOP_H
#define LINT_LOOP_H

#include <stdbool.h>

// The four keys around the seam of a channel: the last two and the first two.
typedef struct lint_seam_keys {
    const double *before_last, *last, *first, *second; // [3] or, of a rotation, [4]
} lint_seam_keys;

// Sums of squares over channels, and counts. Start from {0}.
typedef struct lint_seam {
    double moved;  // from the last key to the first
    double missed; // the difference of that from the motion of one frame, as it is before and after the seam
    int moving;    // channels that visibly move at the seam
    int fitting;   // those that move as by one frame
} lint_seam;

void lint_seam_add(lint_seam *seam, const lint_seam_keys *keys, bool is_rotation);

// Whether the seam is one more frame of the motion. One without a difference is closed, and not short.
bool lint_seam_is_short(const lint_seam *seam);

#endif
