// SPDX-License-Identifier: MIT
// How much planted feet slide: the quality of a retargeted clip, and of its source.
#ifndef CLI_RETARGET_SLIDE_H
#define CLI_RETARGET_SLIDE_H

#include <sinew/clip.h>
#include <sinew/humanoid/humanoid.h>

// The mean speed over the ground of the points of both soles that are near the ground, metres a second. A foot is near it
// within 2 % of the character's height above its lowest position in the clip. A clip that walks on the spot has its ground
// speed. +Y is up. Negative if the feet aren't known, never near the ground, or memory runs out. Any thread.
double cli_retarget_slide(const sinew_clip *clip, const sinew_humanoid *humanoid);

#endif
