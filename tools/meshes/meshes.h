// SPDX-License-Identifier: MIT
// Codes the vertices and indices of a file for EXT_meshopt_compression: values are rounded within a displacement that is
// bounded over all clips (tools/compare), and vertices and triangles are in the order that takes the fewest bytes.
#ifndef MESHES_MESHES_H
#define MESHES_MESHES_H

#include "optimize/meshes.h"

// See optimize_code_meshes.
bool meshes_code(optimize_meshes *meshes, const optimize_meshes_def *def);

#endif
