// SPDX-License-Identifier: MIT
// ramp.h - the slope as an asset: a wedge of glass, in which parts below the ground stay visible.
#ifndef PLOTS_RAMP_H
#define PLOTS_RAMP_H

#include <sinew/asset.h>

/// The height of the slope, metres. The axes are those of the picture: +X to the right, which is ahead, +Y up, +Z to the
/// viewer.
double slope_height(double ahead);

/// The extent of the ramp, across and along, and the bottom of its side; metres.
#define RAMP_LEFT   (-1.6f)
#define RAMP_RIGHT  1.75f
#define RAMP_FAR    (-0.75f)
#define RAMP_NEAR   0.42f
#define RAMP_BOTTOM (-1.1f)

/// Light and dark tiles across the slope, in turn; one more quad is the side.
enum { RAMP_TILES = 14, RAMP_QUADS = RAMP_TILES + 1 };

typedef struct ramp {
    float positions[4 * RAMP_QUADS][3], normals[4 * RAMP_QUADS][3], colors[4 * RAMP_QUADS][4];
    uint32_t indices[RAMP_QUADS][6];
    sinew_material glass;
    sinew_primitive primitive;
    sinew_mesh mesh;
    sinew_mesh_node mesh_node;
    sinew_skeleton skeleton; ///< of one node
    sinew_asset asset;       ///< of all the above
} ramp;

/// Fills the ramp, which must not be moved in memory.
void ramp_make(ramp *r);

#endif
