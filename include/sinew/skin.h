/// From model matrices to vertices: the palette, and skinning on the CPU. All functions may be called from any
/// thread, as long as no two write to the same memory. Those that run in a frame cannot fail. Lengths are metres.
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A list of joints into a skeleton, with inverse bind matrices. Any number of skins may share a skeleton, and any
/// number of meshes a skin. Read-only after creation and safe to read from any thread.
typedef struct sinew_skin {
    const char *name;                  ///< UTF-8, never NULL
    const sinew_skeleton *skeleton;    ///< the one that it was made for
    int32_t joint_count;               ///< how many joints
    const int32_t *joints;             ///< [joint_count], node indices of the skeleton
    const sinew_affine *inverse_binds; ///< [joint_count], from the mesh's space into the joint's
} sinew_skin;

/// What a skin is made from. All of it is copied, but for the skeleton.
typedef struct sinew_skin_def {
    const char *name;                  ///< NULL is the same as ""
    const sinew_skeleton *skeleton;    ///< must outlive the skin
    int32_t joint_count;               ///< 0 or more
    const int32_t *joints;             ///< [joint_count], node indices of the skeleton
    const sinew_affine *inverse_binds; ///< [joint_count], or NULL for identities
    sinew_allocator allocator;         ///< zero: the C library's heap
    uint32_t cookie;                   ///< private: set by sinew_skin_default
} sinew_skin_def;

/// No joints, the C library's heap.
SINEW_API sinew_skin_def sinew_skin_default(void);

/// Makes a skin, to be freed with sinew_skin_destroy; the skeleton must outlive it.
/// SINEW_ERROR_ARGUMENT, with the joint in `error`, for a joint that is no node of the skeleton or a matrix that
/// is not finite; SINEW_ERROR_OUT_OF_MEMORY. Then `*skin` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_skin_create(const sinew_skin_def *def, sinew_skin **skin, sinew_error *error);

/// Frees what sinew_skin_create made; those of an asset go with the asset. NULL is allowed.
SINEW_API void sinew_skin_destroy(sinew_skin *skin);

/// palette[i] = model[joints[i]] × inverse_binds[i], for [joint_count] joints (glTF 2.0, section 3.7.3.1).
/// `model` is what sinew_pose_to_model or sinew_mixer_model_matrices gave. The transform of the node that carries
/// the mesh takes no part: the specification says so. `palette` is the caller's, and may not overlap `model`.
SINEW_API void sinew_skin_palette(const sinew_skin *skin, const sinew_affine *model, sinew_affine *palette);

/// The palette as [count] column-major 4x4 matrices, for GPU layouts that want them. `out` is the caller's, and may
/// not overlap `palette`.
SINEW_API void sinew_palette_to_mat4(const sinew_affine *palette, int32_t count, sinew_mat4 *out);

/// What joint indices are stored as.
typedef enum sinew_joint_format {
    SINEW_JOINTS_U16, ///< uint16_t, 2-byte aligned
    SINEW_JOINTS_U8   ///< uint8_t
} sinew_joint_format;

/// What weights are stored as. Integers mean what they mean in a file (glTF 2.0, section 3.6.2.2).
typedef enum sinew_weight_format {
    SINEW_WEIGHTS_FLOAT, ///< float, 4-byte aligned
    SINEW_WEIGHTS_U8,    ///< uint8_t, value / 255
    SINEW_WEIGHTS_U16    ///< uint16_t, value / 65535, 2-byte aligned
} sinew_weight_format;

/// Where sinew_skin_vertices reads and writes. An array begins with vertex 0, and its stride is the bytes from one
/// vertex to the next, no fewer than a vertex has (asserted): arrays may lie interleaved, inputs beside outputs, too.
/// Floats must be 4-byte aligned; nothing needs more. No byte is written but those of the vertices that were asked
/// for, and nothing behind the last of them is read. Normals and tangents are left out where their input or output is
/// NULL. Tightly packed arrays, with 16-bit joints and weights as floats, are the fastest.
typedef struct sinew_skin_job {
    int32_t influences;  ///< joints a vertex: 4 or 8 (asserted)
    const void *joints;  ///< [vertices × influences] indices into the palette
    const void *weights; ///< [vertices × influences], summing to 1 for each vertex; any sum is used as is
    sinew_joint_format joint_format;   ///< of joints
    sinew_weight_format weight_format; ///< of weights
    size_t joint_stride;               ///< of joints; 0: tightly packed
    size_t weight_stride;              ///< of weights; 0: tightly packed

    const float *positions;                                ///< x, y, z, metres
    const float *normals;                                  ///< x, y, z, of any length; or NULL
    const float *tangents;                                 ///< x, y, z, handedness; or NULL
    size_t position_stride, normal_stride, tangent_stride; ///< of that input

    float *out_positions; ///< x, y, z, metres
    float *out_normals;   ///< unit; or NULL
    float *out_tangents;  ///< unit, handedness turned where the vertex is mirrored; or NULL
    size_t out_position_stride, out_normal_stride, out_tangent_stride; ///< of that output
    uint32_t cookie;                                                   ///< private: set by sinew_skin_job_default
} sinew_skin_job;

/// Tightly packed arrays, 4 influences, 16-bit joints, weights as floats, everything else NULL.
SINEW_API sinew_skin_job sinew_skin_job_default(void);

/// Skins vertices [first, first + count), so that a job system can split the work; however it is split, the same bits
/// come out. Each vertex is M = sum of weights[i] × palette[joints[i]] applied to the position; normals use M's
/// cofactor matrix, which is right under non-uniform scale, on the side that mirroring leaves outward; tangents use M.
/// Where M leaves nothing of a normal or a tangent, it is 0. Both are unit for an M that scales by 1e-9 to 1e9.
/// Output must not overlap input. Joints past the palette's end are not looked for: indices must be right. A count of
/// 0 or less is nothing to do.
SINEW_API void sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first,
                                   int32_t count);

/// out = base + sum of weights[t] × deltas[t], element by element: morph targets, applied before skinning
/// (glTF 2.0, section 3.7.2.2). A target of weight 0 or whose array is NULL is not read. `out` may be `base`.
SINEW_API void sinew_morph(const float *base, const float *const *deltas, const float *weights,
                           int32_t target_count, size_t float_count, float *out);

/// The same for [vertex_count] tangents: x, y, z, handedness in `base` and `out`, and x, y, z in the deltas. Handedness
/// stays as it is. The sum of x, y, z is not made unit: skinning does that.
SINEW_API void sinew_morph_tangents(const float *base, const float *const *deltas, const float *weights,
                                    int32_t target_count, size_t vertex_count, float *out);

#ifdef __cplusplus
}
#endif
#endif
