// Decoding of meshes that KHR_draco_mesh_compression holds.
#ifndef CLI_DRACO_H
#define CLI_DRACO_H

#include <sinew/gltf.h>

#ifdef __cplusplus
extern "C" {
#endif

// A decoder, which takes no `user`; NULL where this build has no libdraco.
sinew_draco_decode cli_draco_decoder(void);

#ifdef __cplusplus
}
#endif
#endif
