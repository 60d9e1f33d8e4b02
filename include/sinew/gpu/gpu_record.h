// SPDX-License-Identifier: MIT
/// GPU records store one character's data in the layout that the skinning shaders read.
///
/// A *record* contains everything that a shader reads for one character, including its *palette*, which has one
/// matrix per joint (see sinew_skin_palette in skin.h). A GPU *resource*, such as a buffer or a texture, holds the
/// records of one or more characters, one after another. A record is an array of *texels*. Each texel has four
/// floats (16 bytes), so records fit in uniform blocks, storage buffers, buffer textures and texture rows. A
/// record has these parts, in this order:
///
///     world      3 texels: rows of the character's world matrix; only with per_instance_transform
///     joints     3, 4 or 2 texels each, depending on the layout; 2 in total for SINEW_GPU_RECORD_BAKED
///     weights    morph weights, four per texel; the last texel is padded with 0
///
/// In OpenGL, sinew-gl (sinew/gpu/gl.h) uploads records for you. In other renderers, write them to your own buffers
/// with sinew_gpu_record_write, and read them with the shaders in sinew/gpu/shader.h.
///
/// You can call all functions from any thread. Only sinew_gpu_record_check_layout can fail.
#ifndef SINEW_GPU_RECORD_H
#define SINEW_GPU_RECORD_H

#include "../asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a record stores a joint's matrix. Vectors are columns.
typedef enum sinew_gpu_record_layout {
    /// Three texels (48 bytes): the rows of a 3x4 matrix, like in sinew_affine. This is the fastest to write.
    SINEW_GPU_RECORD_ROWS,
    SINEW_GPU_RECORD_MAT4, ///< four texels (64 bytes): the columns of a 4x4 matrix, like in sinew_mat4
    /// Two texels (32 bytes): (translation, scale) and (rotation). Doesn't support every skin. See
    /// sinew_gpu_record_check_layout.
    SINEW_GPU_RECORD_TRS,
    /// No matrices. Instead, two texels select and weight frames in an animation texture (sinew/gpu/bake.h).
    /// Requires per_instance_transform.
    SINEW_GPU_RECORD_BAKED
} sinew_gpu_record_layout;

/// The format of records in a resource. {0} is SINEW_GPU_RECORD_ROWS without joints, weights or a world matrix.
typedef struct sinew_gpu_record_format {
    sinew_gpu_record_layout layout; ///< how joints are stored
    int32_t joint_count;            ///< 0 or more; ignored for SINEW_GPU_RECORD_BAKED
    int32_t weight_count;           ///< number of morph weights, 0 or more; can be all or part of the skeleton's
    bool per_instance_transform;    ///< records start with a world matrix that the shader applies
} sinew_gpu_record_format;

/// Returns a record's size in texels, which is also the stride between records. Returns -1 if a count is negative
/// or the record has more than 2^24 texels, because larger indices aren't exact in a float.
SINEW_API int32_t sinew_gpu_record_texel_count(const sinew_gpu_record_format *format);

/// Returns the offset of the morph weights in a record, in floats. Returns -1 in the same cases as
/// sinew_gpu_record_texel_count. For a draw, you need this offset plus the mesh's own first weight.
/// sinew_gl_mesh_draw_many adds them for you.
SINEW_API int32_t sinew_gpu_record_first_weight(const sinew_gpu_record_format *format);

/// Writes a record to `out`, which has sinew_gpu_record_texel_count × 4 floats and must be 4-byte aligned. `out`
/// can be mapped GPU memory, because each float is written once, in order, and never read back.
///
/// `world` maps model space to world space. It's ignored if there's no per_instance_transform. `joints`
/// [joint_count] is the palette, and may be NULL if joint_count is 0. It's ignored for SINEW_GPU_RECORD_BAKED. In
/// that case, write the two texels with sinew_bake_write, right after the world matrix at `out` + 12. `weights`
/// [weight_count] may be NULL if weight_count is 0.
///
/// SINEW_GPU_RECORD_TRS can store every matrix that sinew_gpu_record_check_layout accepts. Other matrices are
/// approximated with the mean of the three scales and without shear.
SINEW_API void sinew_gpu_record_write(const sinew_gpu_record_format *format, sinew_affine world,
                                      const sinew_affine *joints, const float *weights, float *out);

/// Checks if a layout can store all of a skin's poses. Call this at load time. `skin` is an index into the asset's
/// skins. Only SINEW_GPU_RECORD_TRS has restrictions: it doesn't support shear, and x, y and z scales must be
/// equal to within a relative error of 1e-5. This function checks the rest pose, all clips in the asset and the
/// inverse bind matrices. It can't check poses that you make yourself. Returns SINEW_ERROR_UNSUPPORTED if the
/// layout doesn't fit. The message then includes the node or joint, the clip and time, and the scale. Returns
/// SINEW_ERROR_ARGUMENT if the skin doesn't exist. `error` may be NULL.
SINEW_API sinew_result sinew_gpu_record_check_layout(const sinew_asset *asset, int32_t skin,
                                                     sinew_gpu_record_layout layout, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
