// SPDX-License-Identifier: MIT
// Compares a loop's seam with the frames around it. If a loop lacks its last frame, the step from the last key to the
// first is between the steps before and after it. In a closed loop it's 0, and in a clip that doesn't loop it's far
// from both. Hair and cloth swing too fast for that, so less than half of the joints need to fit. In walks and runs
// that lack one frame, 44 to 71% of the joints fit. If they lack two frames, 5 to 25% do.
#include "lint/loop.h"

#include <math.h>

// The step may be off by half its size. Eight frames of a sine are off by a third.
#define MOST_MISSED 0.5

#define VISIBLE     0.005 // radians
#define LEAST_MOVES 4     // channels
#define LEAST_PART  0.4   // fraction of them that must fit

// Computes the rotation vector from one unit quaternion to another.
static void turn_between(const double *a, const double *b, double turn[3]) {
    const double x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
    const double y = a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0];
    const double z = a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3];
    const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sine = sqrt(x * x + y * y + z * z);
    const double scale = sine > 0.0 ? 2.0 * atan2(sine, fabs(w)) / (w < 0.0 ? -sine : sine) : 0.0;
    turn[0] = scale * x;
    turn[1] = scale * y;
    turn[2] = scale * z;
}

static void step_between(const double *a, const double *b, bool is_rotation, double step[3]) {
    if (is_rotation) {
        turn_between(a, b, step);
        return;
    }
    for (int i = 0; i < 3; i++) step[i] = b[i] - a[i];
}

void lint_seam_add(lint_seam *seam, const lint_seam_keys *keys, bool is_rotation) {
    double before[3], across[3], after[3];
    step_between(keys->before_last, keys->last, is_rotation, before);
    step_between(keys->last, keys->first, is_rotation, across);
    step_between(keys->first, keys->second, is_rotation, after);
    double moved = 0.0, missed = 0.0;
    for (int i = 0; i < 3; i++) {
        const double difference = across[i] - 0.5 * (before[i] + after[i]);
        moved += across[i] * across[i];
        missed += difference * difference;
    }
    seam->moved += moved;
    seam->missed += missed;
    if (!is_rotation || moved <= VISIBLE * VISIBLE) return;
    seam->moving++;
    seam->fitting += missed <= MOST_MISSED * MOST_MISSED * moved;
}

bool lint_seam_is_short(const lint_seam *seam) {
    if (seam->moving >= LEAST_MOVES && seam->fitting >= LEAST_PART * seam->moving) return true;
    return seam->moved > 0.0 && seam->missed <= MOST_MISSED * MOST_MISSED * seam->moved;
}
