// ramp.h - the slope as a thing to draw: a wedge of glass, in which one sees what is in the ground.
#ifndef PLOTS_RAMP_H
#define PLOTS_RAMP_H

#include <sinew/asset.h>

/// How high the slope is there, metres. The world is the picture's: +X to the right, which is ahead, +Y up, +Z to whoever
/// looks.
double slope_height(double ahead);

/// Where there is a ramp, across and along, and how far down its side is seen; metres.
#define RAMP_LEFT   (-1.6f)
#define RAMP_RIGHT  1.75f
#define RAMP_FAR    (-0.75f)
#define RAMP_NEAR   0.42f
#define RAMP_BOTTOM (-1.1f)

/// Tiles lie across the slope, a light and a dark one in turn; one more quad is the side.
enum { RAMP_TILES = 14, RAMP_QUADS = RAMP_TILES + 1 };

typedef struct ramp {
    float positions[4 * RAMP_QUADS][3], normals[4 * RAMP_QUADS][3], colors[4 * RAMP_QUADS][4];
    uint32_t indices[RAMP_QUADS][6];
    sinew_material glass;
    sinew_primitive primitive;
    sinew_mesh mesh;
    sinew_mesh_instance instance;
    sinew_asset asset; ///< of all that is above
} ramp;

/// It must not be moved.
void ramp_make(ramp *r);

#endif
