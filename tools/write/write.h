// SPDX-License-Identifier: MIT
// Writing clips into a glTF file: everything else of the file stays as it is, byte for byte.
#ifndef WRITE_WRITE_H
#define WRITE_WRITE_H

#include <sinew/asset.h>
#include <sinew/gltf.h>

typedef struct write_def {
    const char *path; // of the original: .glb or .gltf
    // [clip_count]: clips of the skeleton of an asset that was loaded from `path`, whole, with +Y up. Not additive.
    const sinew_clip *const *clips;
    int32_t clip_count;
    const sinew_asset *asset; // that asset: its animated properties become channels again
    bool only;                // remove the original's other animations
    sinew_meshopt_decode decode;
    void *decode_user;
} write_def;

// A .glb in memory.
typedef struct write_result {
    uint8_t *glb; // [size], by malloc
    size_t size;
    int32_t replaced, added, removed; // animations
    bool keeps_data;                  // nothing was dropped, because an unknown extension may refer to any data
    char error[512];                  // why there is none, if write_clips returned false
} write_result;

// Writes a .glb: the original with the clips as animations. A clip replaces the animation of its name, or is appended.
//
// Of a .glb whose bytes are in one buffer, all bytes stay where they are; the new ones follow. Other originals are packed
// first (lint_pack). Accessors with equal bytes are shared. Data at the end of the file that only replaced or removed
// animations used are dropped, so that writing the same clips twice gives the same bytes; other unused data are left for
// `sinew lint --fix`. A constant channel has one key, and a second one at the end of the clip where no other key is.
// A node that a clip animates has translation, rotation and scale afterwards, instead of a matrix; one whose matrix has shear
// is an error. Returns false with an error. Call write_end in either case.
bool write_clips(write_result *result, const write_def *def);
void write_end(write_result *result);

#endif
