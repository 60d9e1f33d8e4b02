// SPDX-License-Identifier: MIT
/// GPU records: the numbers of a character in the layout that the skinning shaders read.
///
/// A *palette* is an array of matrices on the CPU, one for each joint of a skin (sinew_skin_palette in skin.h). A
/// *record* is all that a shader reads of one character, the palette among it. A GPU *resource*, such as a buffer or
/// a texture, holds the records of one or more characters, one after another. A record is an array of *texels* (four
/// floats, 16 bytes each), so that it fits a uniform block, a storage buffer, a buffer texture and the rows of a
/// texture. Its parts, in this order:
///
///     world      3 texels, the rows of the character's world matrix: only with per_instance_transform
///     joints     3, 4 or 2 texels each, by layout; or 2 in all for SINEW_GPU_RECORD_BAKED
///     weights    morph weights, four a texel; the last texel is filled with 0
///
/// sinew-gl (sinew/gpu/gl.h) uploads records. Other renderers write them with sinew_gpu_record_write into buffers of
/// their own and read them with the shader text of sinew/gpu/shader.h.
///
/// All functions may be called from any thread. Only sinew_gpu_record_check_layout can fail.
#ifndef SINEW_GPU_RECORD_H
#define SINEW_GPU_RECORD_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The layout of a joint's matrix in a record. Vectors are columns.
typedef enum sinew_gpu_record_layout {
    SINEW_GPU_RECORD_ROWS, ///< three texels, the rows of the upper 3x4, as in sinew_affine: 48 bytes. Fastest to write
    SINEW_GPU_RECORD_MAT4, ///< four, the columns of the 4x4, as in sinew_mat4: 64 bytes
    SINEW_GPU_RECORD_TRS, ///< two, (translation, scale) and (rotation): 32 bytes; see sinew_gpu_record_check_layout
    /// None: two texels have the frames of an animation texture and their weights (sinew/gpu/bake.h). The shaders support
    /// it only with per_instance_transform.
    SINEW_GPU_RECORD_BAKED
} sinew_gpu_record_layout;

/// The format of a resource's records. Zero-initialized it is SINEW_GPU_RECORD_ROWS without joints, weights and
/// world.
typedef struct sinew_gpu_record_format {
    sinew_gpu_record_layout layout; ///< of joints
    int32_t joint_count;            ///< 0 or more; ignored for SINEW_GPU_RECORD_BAKED
    int32_t weight_count;           ///< morph weights, 0 or more: all of the skeleton, or a part of them
    bool per_instance_transform;    ///< records begin with a world matrix, which the shader applies
} sinew_gpu_record_format;

/// Returns the size of a record in texels, which is also the distance from one record to the next. -1 for a format
/// with a negative count, or with a record of more than 2^24 texels: larger indices are not exact in a float.
SINEW_API int32_t sinew_gpu_record_texel_count(const sinew_gpu_record_format *format);

/// Returns the offset of the morph weights in a record, in floats; -1 as sinew_gpu_record_texel_count. The shader's
/// draw needs it, with the mesh's own first weight added to it (sinew_gl_mesh_draw_many does it).
SINEW_API int32_t sinew_gpu_record_first_weight(const sinew_gpu_record_format *format);

/// Writes a record to `out`, the caller's sinew_gpu_record_texel_count × 4 floats, 4-byte aligned. It may be mapped
/// GPU memory: each float is written once, in order, and none is read back.
///
/// `world`, from model space to the world, is ignored without per_instance_transform. `joints`, [joint_count], is the
/// palette; it may be NULL if joint_count is 0. It is ignored for SINEW_GPU_RECORD_BAKED, whose two texels the caller
/// writes with sinew_bake_write: after the world matrix, at `out` + 12. `weights`, [weight_count], may be NULL if
/// weight_count is 0. SINEW_GPU_RECORD_TRS holds matrices that sinew_gpu_record_check_layout accepts; others are
/// approximated, with the mean of the three scales and without shear.
SINEW_API void sinew_gpu_record_write(const sinew_gpu_record_format *format, sinew_affine world,
                                      const sinew_affine *joints, const float *weights, float *out);

/// Checks whether a layout holds every pose of a skin, an index into the asset's skins; for load time. Only
/// SINEW_GPU_RECORD_TRS has restrictions: no shear, and only scales that are the same in x, y and z (within a
/// relative 1e-5), in the rest pose, in all clips of the asset and in inverse bind matrices. SINEW_ERROR_UNSUPPORTED
/// otherwise: `error`, which may be NULL, has the name of the node or joint, the clip and time, and the scale.
/// SINEW_ERROR_ARGUMENT for a skin that the asset does not have. Poses that a program makes itself are not checked.
SINEW_API sinew_result sinew_gpu_record_check_layout(const sinew_asset *asset, int32_t skin,
                                                     sinew_gpu_record_layout layout, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
