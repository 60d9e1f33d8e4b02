// SPDX-License-Identifier: MIT
/// The importer of BVH, the text format of motion capture: a hierarchy of joints with offsets, and one motion. It gives
/// an asset (asset.h) with a skeleton and one clip, without meshes.
///
/// A joint becomes a node whose rest transform is its OFFSET, without rotation. An "End Site" becomes a node, too,
/// named after its joint with "_end", so that the last bone of a chain has a length. Rotation channels, in degrees, are
/// applied in the order of the file: "Zrotation Xrotation Yrotation" is the rotation Z × X × Y. They become one
/// rotation channel of quaternions, LINEAR, with a key for each frame. Position channels replace the OFFSET's component
/// of that axis, as in files of MotionBuilder, Blender and the LAFAN1 data set; they become a translation channel.
/// Numbers are converted in double precision by functions of this library, so that clips have the same bits on every
/// machine.
///
/// A root whose OFFSET is 0 0 0, and whose position is in the motion, rests on the ground of the motion, where the
/// lowest node is in most frames. Such files do not say where the character stands; retargeting has to know.
///
/// Files are untrusted: counts, names and numbers are checked, and an error message starts with the line. Memory and
/// time are in proportion to the file. All functions may be called from any thread.
#ifndef SINEW_BVH_H
#define SINEW_BVH_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The options of a load. Start from sinew_bvh_default.
typedef struct sinew_bvh_options {
    /// Metres per unit of the file: 0.01 for centimetres. BVH does not state its unit. Default 0: it is guessed from
    /// the longest side of the rest pose, with a log line, as if a person of 1.75 m: below 7 units they are metres,
    /// below 46 the unit of the converted CMU data set (2.54 cm / 0.45), below 110 inches, below 550 centimetres, else
    /// millimetres.
    float scale;
    sinew_up file_up; ///< the axis that points up in the file; default SINEW_UP_Y
    /// Default true: a file whose character is upright along +Z, in its motion and not along +Y in its rest pose, is
    /// taken as SINEW_UP_Z, with a log line.
    bool guess_up;
    sinew_up up;           ///< the axis that points up in the asset; default SINEW_UP_Y
    const char *clip_name; ///< default NULL: the name of the file without folder and suffix; "motion" for memory
    sinew_key_format key_format; ///< how the clip stores keys (clip.h): default SINEW_KEYS_FLOAT
    /// The clip is compressed within this error, metres: as of sinew_gltf_options; default 0: not.
    float compress_error;
    size_t memory_limit;       ///< the largest number of bytes that the import may hold at a time; default 2 GiB
    sinew_log log;             ///< receives a line for the guessed unit and each ignored element; silent by default
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bvh_default
} sinew_bvh_options;

/// Returns the default options: those stated above.
SINEW_API sinew_bvh_options sinew_bvh_default(void);

/// Loads a .bvh file into an asset; free it with sinew_asset_destroy. A file of 0 frames has no clip. `path` is passed
/// to fopen; on Windows it is UTF-8. `options`, NULL for the defaults, need not outlive the call, and `error` may be
/// NULL. On failure `*asset` is NULL and nothing is leaked: SINEW_ERROR_IO for a file that cannot be read,
/// SINEW_ERROR_FORMAT for one that is no BVH or is damaged, SINEW_ERROR_LIMIT for more than SINEW_MAX_NODES joints,
/// names of more than 255 bytes, or if memory_limit is exceeded, SINEW_ERROR_OUT_OF_MEMORY, SINEW_ERROR_ARGUMENT for a
/// path of NULL, options that sinew_bvh_default did not make, and a scale that is negative or not finite.
SINEW_API sinew_result sinew_bvh_load_file(const char *path, const sinew_bvh_options *options, sinew_asset **asset,
                                           sinew_error *error);

/// Loads a file from `size` bytes of memory, which may be freed afterwards. Otherwise like sinew_bvh_load_file.
SINEW_API sinew_result sinew_bvh_load_memory(const void *data, size_t size, const sinew_bvh_options *options,
                                             sinew_asset **asset, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
