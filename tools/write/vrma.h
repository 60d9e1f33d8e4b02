// SPDX-License-Identifier: MIT
// Writes a VRM animation file (VRMC_vrm_animation 1.0) without its animation.
#ifndef WRITE_VRMA_H
#define WRITE_VRMA_H

#include "lint/edit.h"

#include <sinew/humanoid/humanoid.h>

// Appends a .glb with a skeleton's nodes in their rest pose, and the roles. With `turned`, the character faces -Z like
// in VRM 0.x, and nodes at the root turn it to +Z. Returns false if memory runs out. Pass the result to
// write_copy_open.
bool write_vrma(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid, bool turned, lint_text *glb);

#endif
