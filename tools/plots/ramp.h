// SPDX-License-Identifier: MIT
// ramp.h - the slope as an asset: a glass wedge. Parts below the ground stay visible in it.
#ifndef PLOTS_RAMP_H
#define PLOTS_RAMP_H

#include <sinew/asset.h>

/// Returns the slope's height in meters. Axes are the picture's: +X right (ahead), +Y up, +Z toward the viewer.
double slope_height(double ahead);

/// The ramp's extent across and along, and the bottom of its side, in meters.
#define RAMP_LEFT   (-1.6f)
#define RAMP_RIGHT  1.75f
#define RAMP_FAR    (-0.75f)
#define RAMP_NEAR   0.42f
#define RAMP_BOTTOM (-1.1f)

/// Alternating light and dark tiles across the slope. One more quad is the side.
enum { RAMP_TILES = 14, RAMP_QUADS = RAMP_TILES + 1 };

typedef struct ramp {
    float positions[4 * RAMP_QUADS][3], normals[4 * RAMP_QUADS][3], colors[4 * RAMP_QUADS][4];
    uint32_t indices[RAMP_QUADS][6];
    sinew_material glass;
    sinew_primitive primitive;
    sinew_mesh mesh;
    sinew_mesh_node mesh_node;
    sinew_skeleton skeleton; ///< a single node
    sinew_asset asset;       ///< made of all the above
} ramp;

/// Makes the ramp. Don't move it in memory.
void ramp_make(ramp *r);

#endif
