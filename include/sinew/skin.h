// SPDX-License-Identifier: MIT
/// Skinning: joint palettes from model matrices, CPU skinning and morph targets. All functions may be called from
/// any thread, as long as no two write to the same memory. Per-frame functions cannot fail. Lengths are metres.
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joints of a skeleton and their inverse bind matrices. Any number of skins may share a skeleton, and any number
/// of meshes a skin. Read-only after creation.
typedef struct sinew_skin {
    const char *name;                  ///< UTF-8, never NULL
    const sinew_skeleton *skeleton;    ///< the skeleton of the joints
    int32_t joint_count;               ///< number of joints
    const int32_t *joints;             ///< [joint_count], node indices of the skeleton
    const sinew_affine *inverse_binds; ///< [joint_count], from mesh space to joint space in the bind pose
} sinew_skin;

/// The definition of a skin. Everything but the skeleton is copied.
typedef struct sinew_skin_def {
    const char *name;                  ///< NULL is the same as ""
    const sinew_skeleton *skeleton;    ///< must outlive the skin
    int32_t joint_count;               ///< 0 or more
    const int32_t *joints;             ///< [joint_count], node indices of the skeleton
    const sinew_affine *inverse_binds; ///< [joint_count]; NULL: identity matrices
    sinew_allocator allocator;         ///< zero: the C library's heap
    uint32_t cookie;                   ///< private: set by sinew_skin_default
} sinew_skin_def;

/// No joints, the C library's heap.
SINEW_API sinew_skin_def sinew_skin_default(void);

/// Creates a skin; free it with sinew_skin_destroy. The skeleton must outlive it. Returns SINEW_ERROR_ARGUMENT,
/// with the joint in `error`, for a joint that is no node of the skeleton or a matrix that is not finite; or
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*skin` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_skin_create(const sinew_skin_def *def, sinew_skin **skin, sinew_error *error);

/// Frees a skin that sinew_skin_create made; those of an asset are freed with the asset. NULL is allowed.
SINEW_API void sinew_skin_destroy(sinew_skin *skin);

/// Computes palette[i] = model[joints[i]] × inverse_binds[i] for every joint (glTF 2.0, section 3.7.3.1). `model`
/// are model matrices, as from sinew_pose_to_model or sinew_mixer_model_matrices. The transform of the node that
/// carries the mesh is not applied: the specification says so. `palette` is [joint_count], the caller's, and must
/// not overlap `model`.
SINEW_API void sinew_skin_palette(const sinew_skin *skin, const sinew_affine *model, sinew_affine *palette);

/// Converts `count` palette matrices to column-major 4x4 matrices, for GPU layouts that need them. `out` is the
/// caller's, and must not overlap `palette`.
SINEW_API void sinew_palette_to_mat4(const sinew_affine *palette, int32_t count, sinew_mat4 *out);

/// The number type of joint indices.
typedef enum sinew_joint_format {
    SINEW_JOINTS_U16, ///< uint16_t, 2-byte aligned
    SINEW_JOINTS_U8   ///< uint8_t
} sinew_joint_format;

/// The number type of weights. Integers are normalized, as in glTF 2.0, section 3.6.2.2.
typedef enum sinew_weight_format {
    SINEW_WEIGHTS_FLOAT, ///< float, 4-byte aligned
    SINEW_WEIGHTS_U8,    ///< uint8_t, value / 255
    SINEW_WEIGHTS_U16    ///< uint16_t, value / 65535, 2-byte aligned
} sinew_weight_format;

/// The input and output arrays of sinew_skin_vertices. Each array starts with vertex 0. A stride is the number of
/// bytes from one vertex to the next, at least the size of a vertex's data (asserted; joints and weights also accept 0,
/// tightly packed). Arrays may be interleaved, also inputs with outputs, as long as no byte is both. Floats must be 4-byte aligned. Only the bytes of the requested vertices
/// are written, and no byte after the last of them is read. Normals and tangents are skipped if their input or
/// output is NULL. The fastest arrays are tightly packed, with 16-bit joints and float weights.
typedef struct sinew_skin_job {
    int32_t influences;  ///< joints per vertex: 4 or 8 (asserted)
    const void *joints;  ///< [vertices × influences] indices into the palette
    const void *weights; ///< [vertices × influences], summing to 1 for each vertex; other sums are used as they are
    sinew_joint_format joint_format;   ///< of joints
    sinew_weight_format weight_format; ///< of weights
    size_t joint_stride;               ///< bytes; 0: tightly packed
    size_t weight_stride;              ///< bytes; 0: tightly packed

    const float *positions;                                ///< x, y, z, metres
    const float *normals;                                  ///< x, y, z, of any length; or NULL
    const float *tangents;                                 ///< x, y, z, handedness; or NULL
    size_t position_stride, normal_stride, tangent_stride; ///< bytes; at least 12, 12 and 16

    float *out_positions; ///< x, y, z, metres
    float *out_normals;   ///< unit; or NULL
    float *out_tangents;  ///< unit, with the handedness negated if the vertex's matrix mirrors; or NULL
    size_t out_position_stride, out_normal_stride, out_tangent_stride; ///< bytes; at least 12, 12 and 16
    uint32_t cookie;                                                   ///< private: set by sinew_skin_job_default
} sinew_skin_job;

/// Tightly packed arrays, 4 influences, 16-bit joints, float weights, all pointers NULL.
SINEW_API sinew_skin_job sinew_skin_job_default(void);

/// Skins vertices [first, first + count). A job system can split the work: the bits do not depend on how it is
/// split. Each vertex is transformed by M = sum of weights[i] × palette[joints[i]]. Normals use M's cofactor
/// matrix, which is correct under non-uniform scale, with its sign chosen so that a mirrored mesh keeps its outward
/// normals. Tangents use M. A normal or tangent that M maps to 0 becomes 0. Both are unit for an M that scales by
/// 1e-9 to 1e9. No byte of the output may be input. Joint indices are not checked against the palette. Does nothing for
/// a count of 0 or less.
SINEW_API void sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first,
                                   int32_t count);

/// Applies morph targets, before skinning (glTF 2.0, section 3.7.2.2): out = base + sum of weights[t] × deltas[t],
/// for each of float_count floats. Targets with a weight of 0 or a NULL array are not read. `out` may be `base`.
SINEW_API void sinew_morph(const float *base, const float *const *deltas, const float *weights,
                           int32_t target_count, int32_t float_count, float *out);

/// Applies morph targets to [vertex_count] tangents: x, y, z, handedness in `base` and `out`; x, y, z in the
/// deltas. The handedness is copied. The result is not normalized: skinning does that. Otherwise like sinew_morph.
SINEW_API void sinew_morph_tangents(const float *base, const float *const *deltas, const float *weights,
                                    int32_t target_count, int32_t vertex_count, float *out);

#ifdef __cplusplus
}
#endif
#endif
