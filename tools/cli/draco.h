// SPDX-License-Identifier: MIT
// Decodes KHR_draco_mesh_compression.
#ifndef CLI_DRACO_H
#define CLI_DRACO_H

#include <sinew/gltf.h>

#ifdef __cplusplus
extern "C" {
#endif

// Returns the decoder, which ignores `user`, or NULL in a build without libdraco.
sinew_draco_decode cli_draco_decoder(void);

#ifdef __cplusplus
}
#endif
#endif
