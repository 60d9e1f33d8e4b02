// SPDX-License-Identifier: MIT
// The ground of a take: the height of planted feet in the motion, which need not be their height in the rest pose.
#ifndef RETARGETING_GROUND_H
#define RETARGETING_GROUND_H

#include <sinew/asset.h>

// Moves the hips of a character's rest pose until the feet are as high as in its only clip. Does nothing for several clips,
// for feet that are not on the ground in the clip, and for a character without legs below its hips. Returns false if memory
// runs out.
bool retargeting_stand_on_motion(const sinew_asset *asset, const sinew_humanoid *humanoid, sinew_pose *rest);

#endif
