// SPDX-License-Identifier: MIT
// Small files that together contain everything the importer reads. They are truncated, patched and fuzzed.
#ifndef GLTF_SAMPLES_H
#define GLTF_SAMPLES_H

#include "support/gltf_builder.h"

// Meshes with and without a skin, morph targets, a sparse accessor, images, a material, a clip.
gltf_builder sample_everything(void);

// Two clips of many keys, with markers. Compression within 1 mm stores their rotations as modes, with and without
// slerps. STEP keys, morph weights and a translation keep their floats.
gltf_builder sample_motion(void);

// A clip with LINEAR rotations and CUBICSPLINE scales of three nodes. Each node has its own times, so they're stored
// on tracks.
gltf_builder sample_own_times(void);

typedef struct gltf_sample {
    const char *name;
    gltf_builder (*make)(void); // the caller writes and ends it
} gltf_sample;

// sample_everything and more, each about one thing. All of them load.
extern const gltf_sample gltf_samples[];
extern const int gltf_sample_count;

#endif
