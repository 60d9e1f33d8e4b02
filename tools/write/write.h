// SPDX-License-Identifier: MIT
// Writes clips into a glTF file. Everything else in the file stays the same, byte for byte.
#ifndef WRITE_WRITE_H
#define WRITE_WRITE_H

#include "write/animation.h"

#include <sinew/asset.h>
#include <sinew/gltf.h>

typedef struct write_def {
    const char *path; // the original's, .glb or .gltf
    // [clip_count]; clips of an asset loaded from `path`, whole, with +Y up. Not additive.
    const sinew_clip *const *clips;
    int32_t clip_count;
    const sinew_asset *asset; // that asset; its animated properties become channels again
    bool only;                // remove the original's other animations
    sinew_meshopt_decode decode;
    void *decode_user;
} write_def;

// A .glb in memory.
typedef struct write_result {
    uint8_t *glb; // [size]; from malloc
    size_t size;
    int32_t replaced, added, removed; // number of animations
    bool keeps_data;                  // nothing was dropped, because an unknown extension may refer to any data
    char error[512];                  // why there's no result, if write_clips returned false
} write_result;

// Writes a .glb: the original with the clips as animations. A clip replaces the animation with its name, or is
// appended.
//
// If the original is a .glb with one buffer, its bytes don't move, and new ones come after them. Other originals are
// packed first (lint_pack). Accessors with equal bytes are shared. Data at the end of the file is dropped if only
// replaced or removed animations used it. So writing the same clips twice gives the same bytes. `sinew lint --fix`
// removes other unused data. A constant channel has one key, or two if no other channel has a key at the clip's end.
// Animated nodes get translation, rotation and scale instead of a matrix. If the matrix has shear, that's an error.
// Returns false with an error. Call write_end either way.
bool write_clips(write_result *result, const write_def *def);
void write_end(write_result *result);

// ---- One clip at a time --------------------------------------------------------------------------------------------

// A file that clips are added to. With a scratch, their keys don't take up memory.
typedef struct write_copy write_copy;

typedef struct write_source {
    const char *path;  // the original's
    const void *bytes; // [size]; a .glb's bytes if there's no such file; NULL to read the file
    size_t size;
    bool only;
    sinew_meshopt_decode decode;
    void *decode_user;
    write_scratch scratch; // stores the keys; {0} to keep them in memory
} write_source;

// Opens the original. On failure, returns NULL with the reason in result->error. `result` and everything in `source`
// must outlive it.
write_copy *write_copy_open(const write_source *source, write_result *result);

// Adds a clip of the original's nodes with that name, like write_clips does. `animation` is the clip's
// (write_animation_make) and gets emptied. If it fails, returns false with an error and leaves out the clip. One thread
// at a time.
bool write_copy_add(write_copy *copy, const sinew_clip *clip, const char *name, write_animation *animation);

// Writes the file piece by piece and sets result->size. `is_gltf` writes a .gltf with its buffer inside. Returns false
// with an error.
bool write_copy_finish(write_copy *copy, bool is_gltf, write_put put, void *user);

void write_copy_close(write_copy *copy);

#endif
