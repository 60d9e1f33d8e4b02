// SPDX-License-Identifier: MIT
// The soles of a character: the outermost vertices below its feet, which joints do not tell.
#ifndef RETARGETING_SOLES_H
#define RETARGETING_SOLES_H

#include <sinew/asset.h>
#include <sinew/clip_speed.h>

// Finds the soles of both feet in a pose; NULL: the rest pose. A foot without vertices, and one without a role, has no points;
// feet->foot_count is 0 if that is so of both. Returns false if memory runs out.
bool retargeting_find_soles(const sinew_asset *asset, const sinew_humanoid *humanoid, const sinew_pose *pose,
                            sinew_feet *feet);

#endif
