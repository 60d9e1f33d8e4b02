// SPDX-License-Identifier: MIT
// Encodes a file's vertices and indices for EXT_meshopt_compression. Values are rounded, and the displacement is
// bounded over all clips (tools/compare). Vertices and triangles get the order that takes the fewest bytes.
#ifndef MESHES_MESHES_H
#define MESHES_MESHES_H

#include "optimize/meshes.h"

// See optimize_code_meshes.
bool meshes_code(optimize_meshes *meshes, const optimize_meshes_def *def);

#endif
