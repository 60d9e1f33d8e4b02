// SPDX-License-Identifier: MIT
// The file of a VRM animation (VRMC_vrm_animation 1.0) before its animation is added.
#ifndef WRITE_VRMA_H
#define WRITE_VRMA_H

#include "lint/edit.h"

#include <sinew/humanoid/humanoid.h>

// Appends a .glb with the nodes of a skeleton in their rest pose, and the roles. `turned`: the character faces -Z, as in VRM 0.x,
// and is turned to +Z by nodes at the root. Returns false if memory runs out. Pass it to write_copy_open.
bool write_vrma(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, bool turned, lint_text *glb);

#endif
