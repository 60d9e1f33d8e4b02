// SPDX-License-Identifier: MIT
// Limits the work for a file. Nodes can share meshes and skins, so a pose of a small file may have very many vertices.
#ifndef SHRINK_LIMITS_H
#define SHRINK_LIMITS_H

#include <sinew/asset.h>

// Returns how many numbers a pose with all its vertices has: nodes, joints, vertices and their morph targets.
double limits_pose_work(const sinew_asset *asset);

// Returns the limit for a file: 256 numbers per byte, plus 4 Mi.
double limits_allowed_work(const sinew_asset *asset, const char *path);

// Returns whether a pose with all its vertices is within the limit. If not, writes the reason to error[size].
bool limits_allow_pose(const sinew_asset *asset, const char *path, char *error, size_t size);

#endif
