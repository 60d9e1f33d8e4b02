// SPDX-License-Identifier: MIT
// Writing clips into a glTF file: everything else of the file stays as it is, byte for byte.
#ifndef WRITE_WRITE_H
#define WRITE_WRITE_H

#include "write/animation.h"

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

// ---- One clip at a time --------------------------------------------------------------------------------------------

// A file that clips are added to. With a scratch, memory doesn't grow with their keys.
typedef struct write_copy write_copy;

typedef struct write_source {
    const char *path;  // of the original
    const void *bytes; // [size]: those of a .glb, if there is no such file; NULL: it is read
    size_t size;
    bool only;
    sinew_meshopt_decode decode;
    void *decode_user;
    write_scratch scratch; // has the keys; {0}: they are kept in memory
} write_source;

// Opens the original. Returns NULL, with the reason in result->error. `result` and what `source` has must outlive it.
write_copy *write_copy_open(const write_source *source, write_result *result);

// Adds a clip of the original's nodes by that name, as write_clips does. `animation` is the clip's (write_animation_make), and
// is emptied. Returns false with an error; the clip is left out then. One thread at a time.
bool write_copy_add(write_copy *copy, const sinew_clip *clip, const char *name, write_animation *animation);

// Writes the file, piece by piece, and sets result->size. `is_gltf`: as a .gltf with its buffer inside. Returns false with an
// error.
bool write_copy_finish(write_copy *copy, bool is_gltf, write_put put, void *user);

void write_copy_close(write_copy *copy);

#endif
