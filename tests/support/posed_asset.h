// SPDX-License-Identifier: MIT
// An asset in a pose, with its vertices as the library computes them and in double precision by the specification.
#ifndef POSED_ASSET_H
#define POSED_ASSET_H

#include "support/check.h"

extern const bool posed_can_decode; // compressed files can be loaded

sinew_asset *posed_load(const char *path, sinew_up up);
sinew_asset *posed_load_model(const char *name); // one of the demo models

typedef struct posed {
    const sinew_asset *asset;
    sinew_pose *pose;
    sinew_affine *model, *palette; // `model` is the caller's to fill
    float *morphed, *moved;        // of the primitive that was moved last
    double *exact;                 // the same in double
} posed;

posed posed_make(const sinew_asset *asset);
void posed_free(posed *p);

// Moves the vertices of a primitive of a mesh node.
void posed_move(posed *p, const sinew_mesh_node *mesh_node, const sinew_primitive *of);

#endif
