// SPDX-License-Identifier: MIT
/// The importer for BVH, a text format for motion capture. It loads an asset (asset.h) with a skeleton and one
/// clip, without meshes.
///
/// Each joint becomes a node. Its rest transform is its OFFSET, without rotation. An "End Site" becomes a node
/// named after its joint with "_end", so the last bone of a chain has a length. Rotation channels, in degrees,
/// apply in file order: "Zrotation Xrotation Yrotation" means Z × X × Y. They become one LINEAR channel of
/// quaternions with a key per frame. Position channels become a translation channel. Each replaces the OFFSET
/// along its axis, like in files from MotionBuilder, Blender and LAFAN1. Numbers are converted in double
/// precision without the C library, so clips have the same bits on every machine.
///
/// If the root has position channels and an OFFSET of 0 0 0, the file doesn't say where the character stands, but
/// retargeting needs to know. The importer rests it on the motion's ground, where the lowest node is in most
/// frames.
///
/// Files are untrusted: counts, names and numbers are checked. Error messages start with the line. Memory and
/// time are proportional to the file. All functions are safe to call from any thread.
#ifndef SINEW_BVH_H
#define SINEW_BVH_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options for loading. Start from sinew_bvh_default.
typedef struct sinew_bvh_options {
    /// Metres per file unit, such as 0.01 for centimetres. BVH doesn't state its unit. Default 0: guessed and
    /// logged. The guess assumes a person of 1.75 m and uses the longest side of the rest pose. Below 7 units it
    /// is metres, below 46 the converted CMU data set's unit (2.54 cm / 0.45), below 110 inches, below 550
    /// centimetres, else millimetres.
    float scale;
    sinew_up file_up; ///< the file's up axis; default SINEW_UP_Y
    /// Uses SINEW_UP_Z, and logs it, if the character is upright along +Z in its motion and not along +Y in its
    /// rest pose. Default true.
    bool guess_up;
    sinew_up up;                 ///< the asset's up axis; default SINEW_UP_Y
    const char *clip_name;       ///< default NULL: file name without folder and suffix; "motion" for memory
    sinew_key_format key_format; ///< how the clip stores keys (clip.h); default SINEW_KEYS_FLOAT
    /// Compresses the clip within this error in metres, like in sinew_gltf_options. Default 0: no compression.
    float compress_error;
    size_t memory_limit;       ///< the most bytes to hold at a time; default 2 GiB
    sinew_log log;             ///< gets a line for the guessed unit and for each ignored element; silent by default
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bvh_default
} sinew_bvh_options;

/// Returns the defaults above.
SINEW_API sinew_bvh_options sinew_bvh_default(void);

/// Loads a .bvh file into an asset. Free it with sinew_asset_destroy. A file with 0 frames gives no clip. `path`
/// is passed to fopen; on Windows it is UTF-8. `options` may be NULL for the defaults and needn't outlive the
/// call. `error` may be NULL. On failure `*asset` is NULL. Fails with:
///   - SINEW_ERROR_IO if the file can't be read.
///   - SINEW_ERROR_FORMAT if it isn't BVH or is damaged.
///   - SINEW_ERROR_LIMIT for more than SINEW_MAX_NODES joints, names longer than 255 bytes, or more memory than
///     memory_limit.
///   - SINEW_ERROR_OUT_OF_MEMORY.
///   - SINEW_ERROR_ARGUMENT for a NULL path, options that sinew_bvh_default didn't make, or a scale that is
///     negative or not finite.
SINEW_API sinew_result sinew_bvh_load_file(const char *path, const sinew_bvh_options *options, sinew_asset **asset,
                                           sinew_error *error);

/// Loads a file from `size` bytes of memory. You can free the memory afterwards. Otherwise like
/// sinew_bvh_load_file.
SINEW_API sinew_result sinew_bvh_load_memory(const void *data, size_t size, const sinew_bvh_options *options,
                                             sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
