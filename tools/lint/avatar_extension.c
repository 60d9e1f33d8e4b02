// SPDX-License-Identifier: MIT
// Makes VRM data count as read. The tools' WebAssembly modules leave it out to save space: see web/files.c.
#include "lint/subject.h"

#include <sinew/humanoid/vrm.h>

const sinew_gltf_extension *lint_avatar_extension(void) {
    return sinew_vrm_extension();
}
