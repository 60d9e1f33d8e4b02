// SPDX-License-Identifier: MIT
/// An importer for BVH, a text format for motion capture. It creates an asset (asset.h) that has a skeleton and one
/// clip, but no meshes.
///
/// Each joint becomes a node. The node's rest transform is the joint's OFFSET, without rotation. An "End Site" also
/// becomes a node, so the last bone in a chain has a length. Its name is the joint's name plus "_end". Rotation
/// channels are in degrees and apply in file order, so "Zrotation Xrotation Yrotation" means Z × X × Y. They become one
/// LINEAR quaternion channel with a key for each frame. Position channels become a translation channel, and replace the
/// OFFSET along their axes. This is how files from MotionBuilder, Blender and LAFAN1 work. Numbers are converted in
/// double precision without the C library, so clips are bit-identical on every machine.
///
/// If the root has position channels and an OFFSET of 0 0 0, the file doesn't define where the character stands.
/// Retargeting needs this, so the importer puts the rest pose on the motion's ground, which is where the lowest
/// node is in most frames.
///
/// Files aren't trusted, so counts, names and numbers are checked. Error messages start with the line number. Memory
/// use and load time are proportional to the file size. All functions can be called from any thread.
#ifndef SINEW_BVH_H
#define SINEW_BVH_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options for loading. Start from sinew_bvh_default.
typedef struct sinew_bvh_options {
    /// Meters per file unit, for example 0.01 for centimeters. BVH files don't specify their unit. Default 0: the unit
    /// is guessed and logged. The guess is based on the longest side of the rest pose, and assumes a person 1.75 m
    /// tall. Below 7 units, the file is in meters. Below 46, it uses the converted CMU data set's unit (2.54 cm /
    /// 0.45). Below 110 means inches, and below 550 means centimeters. Anything larger is in millimeters.
    float scale;
    sinew_up file_up; ///< the file's up axis; default SINEW_UP_Y
    /// Uses SINEW_UP_Z if the character's motion is upright along +Z, and its rest pose isn't upright along +Y.
    /// This is logged. Default true.
    bool guess_up;
    sinew_up up;                 ///< the asset's up axis; default SINEW_UP_Y
    const char *clip_name;       ///< default NULL: file name without its folder or suffix, or "motion" for memory
    sinew_key_format key_format; ///< how the clip stores keys (clip.h); default SINEW_KEYS_FLOAT
    /// Compresses the clip to within this error in meters, as in sinew_gltf_options. Default 0: no compression.
    float compress_error;
    size_t memory_limit; ///< the most memory to use at any time, in bytes; default 2 GiB
    sinew_log log;       ///< receives a line for the guessed unit and for each ignored element; silent by default
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bvh_default
} sinew_bvh_options;

/// Returns the defaults above.
SINEW_API sinew_bvh_options sinew_bvh_default(void);

/// Loads a .bvh file into an asset. Free it with sinew_asset_destroy. If the file has 0 frames, the asset doesn't
/// have a clip. `path` is passed to fopen. On Windows, it's UTF-8. `options` may be NULL to use the defaults, and
/// doesn't have to outlive the call. `error` may be NULL. On failure, `*asset` is NULL. Errors:
///   - SINEW_ERROR_IO: the file can't be read.
///   - SINEW_ERROR_FORMAT: the file isn't BVH or is damaged.
///   - SINEW_ERROR_LIMIT: there are more than SINEW_MAX_NODES joints, a name is longer than 255 bytes, or the load
///     needs more memory than memory_limit.
///   - SINEW_ERROR_OUT_OF_MEMORY.
///   - SINEW_ERROR_ARGUMENT: `path` is NULL, the options weren't made by sinew_bvh_default, or the scale is
///     negative or not finite.
SINEW_API sinew_result sinew_bvh_load_file(const char *path, const sinew_bvh_options *options, sinew_asset **asset,
                                           sinew_error *error);

/// Loads a file from `size` bytes of memory. You can free the memory afterwards. Otherwise, this is the same as
/// sinew_bvh_load_file.
SINEW_API sinew_result sinew_bvh_load_memory(const void *data, size_t size, const sinew_bvh_options *options,
                                             sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
