// SPDX-License-Identifier: MIT
// Finds whether a loop lacks its last frame. Exporters leave it out because it repeats the first one.
#ifndef LINT_LOOP_H
#define LINT_LOOP_H

#include <stdbool.h>

// The four keys around a channel's seam: the last two and the first two.
typedef struct lint_seam_keys {
    const double *before_last, *last, *first, *second; // [3], or [4] for a rotation
} lint_seam_keys;

// Sums of squares over channels, and counts. Start with {0}.
typedef struct lint_seam {
    double moved;  // from the last key to the first
    double missed; // how far that differs from one frame's motion before and after the seam
    int moving;    // channels that visibly move at the seam
    int fitting;   // how many of them move like in one frame
} lint_seam;

void lint_seam_add(lint_seam *seam, const lint_seam_keys *keys, bool is_rotation);

// Returns whether the seam is one more frame of motion. A seam without any difference is closed, not short.
bool lint_seam_is_short(const lint_seam *seam);

#endif
