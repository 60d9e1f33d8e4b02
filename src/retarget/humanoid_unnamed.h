// SPDX-License-Identifier: MIT
// Roles by shape alone, for rigs whose names say nothing.
#ifndef SINEW_HUMANOID_UNNAMED_H
#define SINEW_HUMANOID_UNNAMED_H

#include "core/memory.h"

#include <sinew/humanoid.h>

// Finds roles by the hierarchy and the rest pose: a node with two legs and a trunk, which has two arms and a head. Without
// them, or without toes, which tell left from right, `humanoid` is not changed. Returns false if memory runs out.
bool sinew_humanoid_find_unnamed(const sinew_skeleton *skeleton, sinew_up up, sinew_arena *scratch,
                                 sinew_humanoid *humanoid);

#endif
