// SPDX-License-Identifier: MIT
/// Skinning: joint palettes, CPU skinning and morph targets.
///
/// Each frame, do this for every mesh node in an asset (asset.h):
///
///     const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i]; // mesh_node->skin is -1 if there's no skin
///     const sinew_primitive *primitive = &asset->meshes[mesh_node->mesh].primitives[p];
///     sinew_skin_palette(&asset->skins[mesh_node->skin], sinew_mixer_model_matrices(mixer), palette);
///     sinew_skin_job job = sinew_primitive_skin_job(primitive); // if primitive->influences > 0
///     job.out_positions = positions;                            // [3 × primitive->vertex_count]
///     sinew_skin_vertices(&job, palette, 0, primitive->vertex_count);
///
/// If the mesh has morph targets, call sinew_morph first and use its output as job.positions.
///
/// A *joint* is a skeleton node (skeleton.h) that a skin uses. Joint indices are relative to the skin. A *palette*
/// has one matrix per joint. These matrices map vertices from mesh space, where they're stored, to model space
/// (pose.h). The *bind pose* is the pose that the mesh had when it was bound to its joints. It can differ from the
/// rest pose.
///
/// You can call these functions from any thread, as long as no thread writes memory that another thread is using. Only
/// sinew_skin_create can fail. The other functions assert their arguments. With NDEBUG, invalid arguments are
/// undefined behavior. Matrices only need float alignment. Lengths are in meters.
///
/// If your program skins on the GPU, you can build the library with SINEW_NO_SKINNING, which leaves out
/// sinew_skin_vertices.
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A list of joints and their inverse bind matrices. Skins can share a skeleton, and meshes can share a skin.
/// Read-only after creation.
typedef struct sinew_skin {
    const char *name;               ///< UTF-8, never NULL
    const sinew_skeleton *skeleton; ///< the joints' skeleton
    int32_t joint_count;            ///< number of joints
    const int32_t *joints;          ///< [joint_count], node indices
    /// [joint_count], inverse bind matrices. They map mesh space to each joint's own space in the bind pose.
    const sinew_affine *inverse_binds;
} sinew_skin;

/// Defines a skin. Everything except the skeleton is copied. Start from sinew_skin_default.
typedef struct sinew_skin_def {
    const char *name;                  ///< UTF-8; NULL means ""
    const sinew_skeleton *skeleton;    ///< required; must outlive the skin
    int32_t joint_count;               ///< 0 or more
    const int32_t *joints;             ///< [joint_count], node indices
    const sinew_affine *inverse_binds; ///< [joint_count]; NULL means identity matrices
    sinew_allocator allocator;         ///< defaults to the C library's heap
    uint32_t cookie;                   ///< private: set by sinew_skin_default
} sinew_skin_def;

/// Returns the default definition: no skeleton, no joints, and the C library's heap.
SINEW_API sinew_skin_def sinew_skin_default(void);

/// Creates a skin. Free it with sinew_skin_destroy. `error` may be NULL. On failure, `*skin` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: the skeleton or joints are missing, a joint isn't a node in the skeleton, or a matrix
///     isn't finite. The message identifies the joint.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_skin_create(const sinew_skin_def *def, sinew_skin **skin, sinew_error *error);

/// Frees a skin from sinew_skin_create. NULL is allowed. Don't pass an asset's skin, because the asset frees it.
SINEW_API void sinew_skin_destroy(sinew_skin *skin);

/// Computes a palette: palette[i] = model[joints[i]] × inverse_binds[i] (glTF 2.0, section 3.7.3.1). `model`
/// contains the skeleton's model matrices, from sinew_pose_to_model or sinew_mixer_model_matrices. `palette` is
/// [joint_count] and must not overlap `model`. The mesh node's own transform is ignored. glTF requires this,
/// because a skinned mesh only moves with its joints. For GPUs that need 4x4 matrices, see sinew_mat4_from_affine.
SINEW_API void sinew_skin_palette(const sinew_skin *skin, const sinew_affine *model, sinew_affine *palette);

#ifndef SINEW_NO_SKINNING
/// The data type of joint indices.
typedef enum sinew_joint_format {
    SINEW_JOINTS_U16, ///< uint16_t, 2-byte aligned
    SINEW_JOINTS_U8   ///< uint8_t
} sinew_joint_format;

/// The data type of skinning weights. Integers are normalized (glTF 2.0, section 3.6.2.2).
typedef enum sinew_weight_format {
    SINEW_WEIGHTS_FLOAT, ///< float, 4-byte aligned
    SINEW_WEIGHTS_U8,    ///< uint8_t, value / 255
    SINEW_WEIGHTS_U16    ///< uint16_t, value / 65535, 2-byte aligned
} sinew_weight_format;

/// The inputs and outputs of sinew_skin_vertices. Start from sinew_primitive_skin_job (asset.h), which fills in the
/// inputs, or from sinew_skin_job_default. All arrays start at vertex 0. Normals and tangents are skipped if their
/// input or output is NULL.
///
/// A stride is the number of bytes from one vertex to the next. It must be at least the size of a vertex's data
/// (asserted). Only joint_stride and weight_stride may be 0, which means tightly packed. Floats must be 4-byte
/// aligned.
///
/// Arrays can be interleaved, even inputs with outputs. An output can be the same array as its input if the strides
/// are equal. No other overlap is allowed. Only the requested vertices are written, and nothing past the last
/// vertex is read. Tightly packed arrays with float weights are the fastest. Interleaved outputs are faster if the
/// normal comes right after the position.
typedef struct sinew_skin_job {
    int32_t influences;  ///< joints per vertex: 4 (default) or 8 (asserted)
    const void *joints;  ///< [vertices × influences], indices into the palette, not checked
    const void *weights; ///< [vertices × influences], should sum to 1 for each vertex; other sums scale the vertex
    sinew_joint_format joint_format;   ///< default SINEW_JOINTS_U16
    sinew_weight_format weight_format; ///< default SINEW_WEIGHTS_FLOAT
    size_t joint_stride;               ///< in bytes; 0, the default, means tightly packed
    size_t weight_stride;              ///< in bytes; 0, the default, means tightly packed

    const float *positions;                                ///< x, y, z in mesh space, in meters
    const float *normals;                                  ///< x, y, z of any length; or NULL
    const float *tangents;                                 ///< x, y, z and a handedness of 1 or -1; or NULL
    size_t position_stride, normal_stride, tangent_stride; ///< in bytes; at least the defaults of 12, 12 and 16

    float *out_positions; ///< x, y, z in model space, in meters; required (asserted)
    float *out_normals;   ///< normalized; or NULL
    float *out_tangents;  ///< normalized, with the handedness negated if the vertex's matrix mirrors; or NULL
    size_t out_position_stride, out_normal_stride, out_tangent_stride; ///< in bytes; defaults are 12, 12 and 16
    uint32_t cookie;                                                   ///< private: set by sinew_skin_job_default
} sinew_skin_job;

/// Returns the defaults above, with all pointers NULL.
SINEW_API sinew_skin_job sinew_skin_job_default(void);

/// Skins vertices [first, first + count) from mesh space to model space. You get the same bits no matter how you
/// split the range across threads. `first` must be at least 0 (asserted). Does nothing if `count` is 0 or less.
/// `palette` needs a matrix for every joint index in the data. Uses up to 35 KB of stack.
///
/// Each vertex is transformed by M = sum of weights[i] × palette[joints[i]]. Normals use M's cofactor matrix, which
/// handles non-uniform scale and keeps normals pointing outward on mirrored meshes. Tangents use M. Both are
/// normalized as long as M's scale is between 1e-9 and 1e9. A vector that M maps to 0 becomes 0.
SINEW_API void sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first,
                                   int32_t count);
#endif

/// Applies morph targets to positions or normals: out = base + sum of weights[t] × deltas[t] (glTF 2.0, section
/// 3.7.2.2). Call this before skinning. Arrays are tightly packed, so `float_count` is three times the number of
/// vertices.
///
/// `weights` and `deltas` are [target_count]. The weights start at weights + weight_offsets[node] in a pose, where
/// `node` is the mesh's node. Targets are skipped if their weight is 0 or their array is NULL. `out` can be `base`.
/// It must not overlap `base` in any other way, and must not overlap the deltas. Normals aren't normalized here,
/// because skinning does that.
SINEW_API void sinew_morph(const float *base, const float *const *deltas, const float *weights,
                           int32_t target_count, int32_t float_count, float *out);

/// Applies morph targets to [vertex_count] tangents. `base` and `out` have x, y, z and the handedness, which is
/// copied. The deltas only have x, y, z. Otherwise, this is the same as sinew_morph.
SINEW_API void sinew_morph_tangents(const float *base, const float *const *deltas, const float *weights,
                                    int32_t target_count, int32_t vertex_count, float *out);

#ifdef __cplusplus
}
#endif
#endif
