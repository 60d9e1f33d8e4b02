// SPDX-License-Identifier: MIT
// Moves a character to the ground: the median height of its planted feet becomes 0. Single frames with a foot in the
// floor don't matter.
#include "takes/takes.h"

void takes_ground(take *t, const takes_body *body, const takes_contacts *contacts) {
    for (int32_t f = 0; f < t->count; f++) {
        take_pose(t, f);
        take_move(t, f, body->hips, (sinew_vec3){0, -contacts->level, 0});
    }
}
