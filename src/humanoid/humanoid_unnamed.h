// SPDX-License-Identifier: MIT
// Roles by shape alone, for rigs whose names mean nothing.
#ifndef SINEWI_HUMANOID_UNNAMED_H
#define SINEWI_HUMANOID_UNNAMED_H

#include "base/memory.h"

#include <sinew/humanoid/humanoid.h>

// Finds roles from the hierarchy and the rest pose: a node with two legs and a trunk, and the trunk has two arms
// and a head. Without those, or without toes to tell left from right, `humanoid` doesn't change. Returns false
// if memory runs out.
bool sinewi_humanoid_find_unnamed(const sinew_skeleton *skeleton, sinew_up up, sinewi_arena *scratch,
                                  sinew_humanoid *humanoid);

#endif
