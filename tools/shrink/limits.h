// SPDX-License-Identifier: MIT
// The limit of the work for a file. Nodes may share meshes and skins, so that a pose of a small file can have very many
// vertices.
#ifndef SHRINK_LIMITS_H
#define SHRINK_LIMITS_H

#include <sinew/asset.h>

// The amount of numbers in a pose with all its vertices: of nodes, joints, vertices and their morph targets.
double limits_pose_work(const sinew_asset *asset);

// The limit of numbers for a file: 256 for each byte, plus 4 Mi.
double limits_allowed_work(const sinew_asset *asset, const char *path);

// Whether a pose with all its vertices is within the limit. Writes the reason to error[size] if not.
bool limits_allow_pose(const sinew_asset *asset, const char *path, char *error, size_t size);

#endif
