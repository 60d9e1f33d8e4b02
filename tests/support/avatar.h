// SPDX-License-Identifier: MIT
// Loads glTF files including their VRM data.
#ifndef SUPPORT_AVATAR_H
#define SUPPORT_AVATAR_H

#include <sinew/humanoid/vrm.h>

// The default options with a VRM reader. Valid until the next call.
static inline const sinew_gltf_options *with_avatars(void) {
    static sinew_gltf_options options;
    options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    return &options;
}

#endif
