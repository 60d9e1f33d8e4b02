// SPDX-License-Identifier: MIT
// An asset in a pose, with its vertices computed by the library, and in double precision by the specification.
#ifndef POSED_ASSET_H
#define POSED_ASSET_H

#include "support/check.h"

extern const bool posed_can_decode; // whether compressed files can be loaded

sinew_asset *posed_load(const char *path, sinew_up up);
sinew_asset *posed_load_model(const char *name); // a demo model

typedef struct posed {
    const sinew_asset *asset;
    sinew_pose *pose;
    sinew_affine *model, *palette; // the caller fills `model`
    float *morphed, *moved;        // the last moved primitive's
    double *exact;                 // the same in double
} posed;

posed posed_make(const sinew_asset *asset);
void posed_free(posed *p);

// Moves a primitive's vertices.
void posed_move(posed *p, const sinew_mesh_node *mesh_node, const sinew_primitive *of);

#endif
