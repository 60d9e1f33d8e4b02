// SPDX-License-Identifier: MIT
/// GPU records: one character's data, in the layout that the skinning shaders read.
///
/// A *record* has all that a shader reads for one character, with its *palette*: one matrix per joint of a skin
/// (sinew_skin_palette in skin.h). A GPU *resource*, such as a buffer or a texture, holds the records of one or
/// more characters in a row. A record is an array of *texels*, four floats (16 bytes) each, so it fits a uniform
/// block, a storage buffer, a buffer texture and texture rows. Its parts, in this order:
///
///     world      3 texels: rows of the character's world matrix; only with per_instance_transform
///     joints     3, 4 or 2 texels each, by layout; 2 in all for SINEW_GPU_RECORD_BAKED
///     weights    morph weights, four per texel; the last texel is padded with 0
///
/// sinew-gl (sinew/gpu/gl.h) uploads records. In another renderer, write them to your own buffers with
/// sinew_gpu_record_write, and read them with the shaders in sinew/gpu/shader.h.
///
/// All functions are safe to call from any thread. Only sinew_gpu_record_check_layout can fail.
#ifndef SINEW_GPU_RECORD_H
#define SINEW_GPU_RECORD_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a record stores a joint's matrix. Vectors are columns.
typedef enum sinew_gpu_record_layout {
    SINEW_GPU_RECORD_ROWS, ///< three texels, the rows of a 3x4 matrix, like sinew_affine: 48 bytes. Fastest to write
    SINEW_GPU_RECORD_MAT4, ///< four texels, the columns of a 4x4 matrix, like sinew_mat4: 64 bytes
    /// Two texels, (translation, scale) and (rotation): 32 bytes. See sinew_gpu_record_check_layout.
    SINEW_GPU_RECORD_TRS,
    /// No matrices: two texels select and weight frames of an animation texture (sinew/gpu/bake.h). Needs
    /// per_instance_transform.
    SINEW_GPU_RECORD_BAKED
} sinew_gpu_record_layout;

/// The format of records in a resource. {0} is SINEW_GPU_RECORD_ROWS without joints, weights and world.
typedef struct sinew_gpu_record_format {
    sinew_gpu_record_layout layout; ///< layout of joints
    int32_t joint_count;            ///< 0 or more; ignored for SINEW_GPU_RECORD_BAKED
    int32_t weight_count;           ///< morph weights, 0 or more: all or part of the skeleton's
    bool per_instance_transform;    ///< records start with a world matrix, and the shader applies it
} sinew_gpu_record_format;

/// Returns a record's size in texels, which is also the stride between records. Returns -1 if a count is negative
/// or the record has more than 2^24 texels, because larger indices aren't exact in a float.
SINEW_API int32_t sinew_gpu_record_texel_count(const sinew_gpu_record_format *format);

/// Returns the offset of the morph weights in a record, in floats; -1 in the same cases as
/// sinew_gpu_record_texel_count. Shader draws need it plus the mesh's own first weight. sinew_gl_mesh_draw_many
/// adds them for you.
SINEW_API int32_t sinew_gpu_record_first_weight(const sinew_gpu_record_format *format);

/// Writes a record to `out`, sinew_gpu_record_texel_count × 4 floats with 4-byte alignment. `out` can be mapped
/// GPU memory: each float is written once, in order, and never read back.
///
/// `world` maps model space to world space. It is ignored without per_instance_transform. `joints` is the
/// palette, [joint_count]; it may be NULL if joint_count is 0. It is ignored for SINEW_GPU_RECORD_BAKED: write
/// those two texels with sinew_bake_write, behind the world matrix at `out` + 12. `weights`, [weight_count], may
/// be NULL if weight_count is 0.
///
/// SINEW_GPU_RECORD_TRS stores matrices that sinew_gpu_record_check_layout accepts. It approximates others, with
/// the mean of the three scales and without shear.
SINEW_API void sinew_gpu_record_write(const sinew_gpu_record_format *format, sinew_affine world,
                                      const sinew_affine *joints, const float *weights, float *out);

/// Checks at load time that a layout can store all poses of a skin. `skin` is an index into the asset's skins.
/// Only SINEW_GPU_RECORD_TRS has restrictions: no shear, and scales equal in x, y and z within a relative 1e-5.
/// It checks the rest pose, all clips of the asset and inverse bind matrices, but not poses that you make
/// yourself. Fails with SINEW_ERROR_UNSUPPORTED if the layout doesn't fit; `error`, which may be NULL, names the
/// node or joint, the clip and time, and the scale. Fails with SINEW_ERROR_ARGUMENT if the skin doesn't exist.
SINEW_API sinew_result sinew_gpu_record_check_layout(const sinew_asset *asset, int32_t skin,
                                                     sinew_gpu_record_layout layout, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
