/// Palettes as GPU resources hold them: which numbers, in which order. sinew-gl uploads such records; renderers with
/// buffers of their own write them with sinew_gpu_record_write, and read them with the text of sinew/shader.h.
///
/// A resource holds the records of one or more characters, one after another. A record is a run of texels (four floats,
/// 16 bytes each), so that it can stand in a uniform block, a storage buffer, a buffer texture or the rows of a texture:
///
///     place      3 texels: the rows of the character's world matrix; only where the format is placed
///     joints     3, 4 or 2 texels each, by layout; or 2 in all, where the joints are baked into an animation texture
///     weights    morph weights, four a texel, the last texel filled up with 0
///
/// All functions may be called from any thread.
#ifndef SINEW_GPU_RECORD_H
#define SINEW_GPU_RECORD_H

#include "asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a joint's matrix stands in a record. Vectors are columns.
typedef enum sinew_gpu_record_layout {
    SINEW_GPU_RECORD_ROWS, ///< three texels, the rows of the upper 3x4, as in sinew_affine: 48 bytes. The fastest to write
    SINEW_GPU_RECORD_MAT4, ///< four, the columns of the 4x4, as in sinew_mat4: 64 bytes
    SINEW_GPU_RECORD_TRS, ///< two, (translation, scale) and (rotation): 32 bytes; see sinew_gpu_record_check_layout
    SINEW_GPU_RECORD_BAKED ///< none; the record says which frames of an animation texture to blend: see sinew/bake.h
} sinew_gpu_record_layout;

/// What the records of a resource are.
typedef struct sinew_gpu_record_format {
    sinew_gpu_record_layout layout; ///< of joints
    int32_t joint_count;            ///< 0 or more; not looked at for SINEW_GPU_RECORD_BAKED
    int32_t weight_count;           ///< morph weights, 0 or more: all of the skeleton, or those of some nodes
    bool per_instance_transform;    ///< records begin with a place, and the shader multiplies by it
} sinew_gpu_record_format;

/// A character's place in a record, and what stands between it and the next: in texels, or -1 for a format whose
/// numbers are negative or whose record would be larger than 2^24 texels, beyond which no index is exact in a float.
SINEW_API int32_t sinew_gpu_record_texel_count(const sinew_gpu_record_format *format);

/// Where the morph weights of a record begin, in floats from its start: what the shader's draw wants of a mesh, with
/// the mesh's own first weight added to it.
SINEW_API int32_t sinew_gpu_record_first_weight(const sinew_gpu_record_format *format);

/// Writes a record to `out`, sinew_gpu_record_texel_count x 4 floats, the caller's, 4-byte aligned; it may be mapped GPU
/// memory: each float is written once, in order, and none is read back. `place` is not looked at where the format is
/// not placed, `joints` ([joint_count]) where it is baked (the caller writes those two texels: sinew_bake_write), and
/// `weights` ([weight_count]) may be NULL where there are none. SINEW_GPU_RECORD_TRS wants matrices that it can hold
/// (sinew_gpu_record_check_layout); of others it keeps the nearest that a quick look finds.
SINEW_API void sinew_gpu_record_write(const sinew_gpu_record_format *format, const sinew_affine *world,
                                      const sinew_affine *joints, const float *weights, float *out);

/// Whether a layout holds every pose of a skin of an asset: SINEW_GPU_RECORD_TRS holds only scales that are the same in x,
/// y and z, in the rest pose, in all clips and in inverse bind matrices, and no shear. SINEW_ERROR_UNSUPPORTED otherwise,
/// with the name of the node or joint, where it was found and what it is. (Poses that a program makes itself are not known.)
SINEW_API sinew_result sinew_gpu_record_check_layout(const sinew_asset *asset, int32_t skin,
                                                     sinew_gpu_record_layout layout, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
