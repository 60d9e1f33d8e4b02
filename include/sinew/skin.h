// SPDX-License-Identifier: MIT
/// Skinning: joint palettes from model matrices, CPU skinning and morph targets.
///
/// Terms. A *joint* is a node of the skeleton (skeleton.h) that a skin uses; a joint index counts in the skin, not in
/// the skeleton. The *palette* of a skin has one matrix per joint, which brings a vertex from mesh space, in which it
/// is stored, to model space, in which the model matrices (pose.h) are. The *bind pose* is the one in which the mesh
/// was bound to the joints; it need not be the rest pose.
///
/// In each frame, for each node of an asset (asset.h) that has a skinned mesh:
///
///     const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i]; // mesh_node->skin is -1 without a skin
///     const sinew_primitive *primitive = &asset->meshes[mesh_node->mesh].primitives[p];
///     sinew_skin_palette(&asset->skins[mesh_node->skin], sinew_mixer_model_matrices(mixer), palette);
///     sinew_skin_job job = sinew_primitive_skin_job(primitive); // if primitive->influences > 0
///     job.out_positions = positions;                            // [3 × primitive->vertex_count]
///     sinew_skin_vertices(&job, palette, 0, primitive->vertex_count);
///
/// If the mesh has morph targets, sinew_morph comes first, and its output replaces job.positions.
///
/// All functions may be called from any thread, as long as none reads or writes memory that another writes. Only
/// sinew_skin_create can fail. Arguments of the others are asserted, and wrong ones are undefined with NDEBUG.
/// Matrices need no more alignment than a float. Lengths are metres.
///
/// A library that is built with SINEW_NO_SKINNING has no sinew_skin_vertices, for programs whose GPU skins.
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joints of a skeleton and their inverse bind matrices. Any number of skins may share a skeleton, and any number
/// of meshes a skin. Read-only after creation.
typedef struct sinew_skin {
    const char *name;               ///< UTF-8, never NULL
    const sinew_skeleton *skeleton; ///< the skeleton of the joints
    int32_t joint_count;            ///< number of joints
    const int32_t *joints;          ///< [joint_count], node indices of the skeleton
    /// [joint_count]: inverse bind matrices, from mesh space to the joint's own space in the bind pose.
    const sinew_affine *inverse_binds;
} sinew_skin;

/// The definition of a skin. Everything but the skeleton is copied.
typedef struct sinew_skin_def {
    const char *name;                  ///< UTF-8; NULL is the same as ""
    const sinew_skeleton *skeleton;    ///< must be set, and outlive the skin
    int32_t joint_count;               ///< 0 or more
    const int32_t *joints;             ///< [joint_count], node indices of the skeleton
    const sinew_affine *inverse_binds; ///< [joint_count]; NULL: identity matrices
    sinew_allocator allocator;         ///< zero: the C library's heap
    uint32_t cookie;                   ///< private: set by sinew_skin_default
} sinew_skin_def;

/// Returns the default definition of a skin: no skeleton, no joints, the C library's heap.
SINEW_API sinew_skin_def sinew_skin_default(void);

/// Creates a skin; free it with sinew_skin_destroy. SINEW_ERROR_ARGUMENT for no skeleton, a negative joint_count,
/// `joints` of NULL with a joint_count above 0, and, with the joint in `error`, for an index that is not a node of
/// the skeleton or a matrix that is not finite; SINEW_ERROR_OUT_OF_MEMORY. On failure `*skin` is NULL. `error` may be
/// NULL.
SINEW_API sinew_result sinew_skin_create(const sinew_skin_def *def, sinew_skin **skin, sinew_error *error);

/// Frees a skin that sinew_skin_create made; those of an asset (asset.h) are freed with the asset. NULL is allowed.
SINEW_API void sinew_skin_destroy(sinew_skin *skin);

/// Computes the palette: palette[i] = model[joints[i]] × inverse_binds[i] for every joint (glTF 2.0, section
/// 3.7.3.1). `model` is the array of model matrices of the skeleton, as from sinew_pose_to_model or
/// sinew_mixer_model_matrices. The transform of the node that has the mesh is ignored, as the specification demands:
/// a skinned mesh is where its joints are. `palette` is [joint_count], the caller's, and must not overlap `model`.
SINEW_API void sinew_skin_palette(const sinew_skin *skin, const sinew_affine *model, sinew_affine *palette);

/// Converts `count` palette matrices to column-major 4x4 matrices, for GPU layouts that need them. `out` is the
/// caller's, and must not overlap `palette`. No-op for a count of 0 or less.
SINEW_API void sinew_palette_to_mat4(const sinew_affine *palette, int32_t count, sinew_mat4 *out);

#ifndef SINEW_NO_SKINNING
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

/// The input and output arrays of sinew_skin_vertices. Start from sinew_primitive_skin_job (asset.h), which sets the
/// inputs, or from sinew_skin_job_default. Each array starts with vertex 0. Normals and tangents are skipped if their
/// input or output is NULL.
///
/// A stride is the number of bytes from one vertex to the next, at least the size of a vertex's data (asserted). That
/// size depends on the formats for joints and weights, so their default is 0, which means tightly packed; the other
/// strides have the packed size as their default, and 0 is not allowed. Arrays may be interleaved, also inputs with
/// outputs. An output may be its own input, with the same stride; otherwise no byte may be both. Floats must be 4-byte
/// aligned. Only the bytes of the requested vertices are written, and no input byte after the data of the last
/// requested vertex is read. The fastest arrays are tightly packed, with float weights; interleaved outputs are faster
/// if the normal follows the position.
typedef struct sinew_skin_job {
    int32_t influences; ///< joints per vertex: 4, the default, or 8 (asserted)
    const void *joints; ///< [vertices × influences]: indices into the palette, which are not checked
    /// [vertices × influences]. They should sum to 1 for each vertex; other sums are used unchanged, so they scale.
    const void *weights;
    sinew_joint_format joint_format;   ///< of joints; default SINEW_JOINTS_U16
    sinew_weight_format weight_format; ///< of weights; default SINEW_WEIGHTS_FLOAT
    size_t joint_stride;               ///< bytes; 0, the default: tightly packed
    size_t weight_stride;              ///< bytes; 0, the default: tightly packed

    const float *positions;                                ///< x, y, z in mesh space, metres
    const float *normals;                                  ///< x, y, z, of any length; or NULL
    const float *tangents;                                 ///< x, y, z, handedness (1 or -1); or NULL
    size_t position_stride, normal_stride, tangent_stride; ///< bytes; at least 12, 12 and 16, the defaults

    float *out_positions; ///< x, y, z in model space, metres; must be set (asserted)
    float *out_normals;   ///< unit; or NULL
    float *out_tangents;  ///< unit, with the handedness negated if the vertex's matrix mirrors; or NULL
    size_t out_position_stride, out_normal_stride, out_tangent_stride; ///< bytes; as those of the inputs
    uint32_t cookie;                                                   ///< private: set by sinew_skin_job_default
} sinew_skin_job;

/// Returns the defaults above; all pointers are NULL.
SINEW_API sinew_skin_job sinew_skin_job_default(void);

/// Skins vertices [first, first + count), from mesh space to the space of the palette: model space. first >= 0
/// (asserted); no-op for a count of 0 or less. A job system can split the work: the bits do not depend on how it is
/// split. `palette` has a matrix for every joint index that occurs. Uses up to 35 KB of stack.
///
/// Each vertex is transformed by M = sum of weights[i] × palette[joints[i]]. Normals use M's cofactor matrix, which
/// is correct under non-uniform scale, with its sign chosen so that a mirrored mesh keeps its outward normals.
/// Tangents use M. A normal or tangent that M maps to 0 becomes 0. Both are unit for an M that scales by 1e-9 to 1e9.
SINEW_API void sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first,
                                   int32_t count);
#endif

/// Applies morph targets, before skinning (glTF 2.0, section 3.7.2.2): out = base + sum of weights[t] × deltas[t],
/// for each of float_count floats: tightly packed positions or normals, three floats per vertex. `weights` and
/// `deltas` are [target_count]; the weights are those of the node that has the mesh, weights + weight_offsets[node]
/// of a pose. Targets with a weight of 0 or a NULL array are not read. `out` may be `base`; it must not overlap it
/// otherwise, nor a delta. Normals are not normalized: skinning does that.
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
