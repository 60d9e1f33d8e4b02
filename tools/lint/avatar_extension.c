// SPDX-License-Identifier: MIT
// VRM data count as read. The WebAssembly modules of the tools leave them out, for their size: web/files.c.
#include "lint/subject.h"

#include <sinew/humanoid/vrm.h>

const sinew_gltf_extension *lint_avatar_extension(void) {
    return sinew_vrm_extension();
}
