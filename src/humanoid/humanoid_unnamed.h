// SPDX-License-Identifier: MIT
// Roles by shape alone, for rigs whose names say nothing.
#ifndef SINEWI_HUMANOID_UNNAMED_H
#define SINEWI_HUMANOID_UNNAMED_H

#include "base/memory.h"

#include <sinew/humanoid/humanoid.h>

// Finds roles by the hierarchy and the rest pose: a node with two legs and a trunk, which has two arms and a head. Without
// them, or without toes, which tell left from right, `humanoid` is not changed. Returns false if memory runs out.
bool sinewi_humanoid_find_unnamed(const sinew_skeleton *skeleton, sinew_up up, sinewi_arena *scratch,
                                  sinew_humanoid *humanoid);

#endif
