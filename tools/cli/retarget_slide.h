// SPDX-License-Identifier: MIT
// Measures how much planted feet slide, which shows the quality of a retargeted clip and its source.
#ifndef CLI_RETARGET_SLIDE_H
#define CLI_RETARGET_SLIDE_H

#include <sinew/clip.h>
#include <sinew/humanoid/humanoid.h>

// Returns the mean speed over the ground, in m/s, of both soles' points that are near the ground. A foot is near the
// ground if it's within 2% of the character's height above its lowest position in the clip. For a clip that walks on
// the spot, this is its ground speed. +Y is up. Returns a negative value if the feet aren't known or never near the
// ground, or if memory runs out. Any thread.
double cli_retarget_slide(const sinew_clip *clip, const sinew_humanoid *humanoid);

#endif
