// SPDX-License-Identifier: MIT
/// A scene: a hierarchy of nodes and instances of assets, with world matrices, attachments, culling and picking.
///
/// Every skeleton node of an instance, called a *joint* here whether or not a skin uses it, can be a parent: a sword is
/// attached to a hand by making the hand its parent. An *attachment* is a node whose parent is a joint. Joints have handles
/// and world matrices; counts of nodes do not include them.
/// sinew_scene_update, once a frame, updates in this order: mixers, edits and solvers, model matrices, palettes, world
/// matrices, bounds. An attachment therefore follows the current pose of its joint, without a frame of delay.
///
/// A handle that is no longer valid because its node was removed is *gone*. Functions accept it and say what they do
/// with it. The handle of zeros is *none*.
///
/// A scene, with everything in it, may be used by one thread at a time. It takes memory when it is created, when
/// an instance is added and when an instance gets another mixer; nothing else allocates. Lengths are metres, angles radians.
#ifndef SINEW_SCENE_H
#define SINEW_SCENE_H

#include "asset.h"
#include "cull.h"
#include "ik.h"
#include "mixer.h"
#include "pick.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_scene sinew_scene; ///< see sinew_scene_create

/// A handle of a node, or of a joint of an instance. It is never used for another node, also after its node is removed.
typedef struct sinew_scene_node {
    uint32_t index;      ///< of the node in the scene's memory
    uint32_t generation; ///< increased each time the memory is used for another node; 0: none
    int32_t joint;       ///< node of the instance's skeleton; SINEW_NO_NODE: the instance or node itself
} sinew_scene_node;

// ---- Creating and updating -------------------------------------------------------------------------------------

/// The definition of a scene.
typedef struct sinew_scene_def {
    int32_t max_nodes; ///< nodes and instances, without the instances' joints: 1 to SINEW_MAX_NODES; default 1024
    bool skip_unseen;  ///< default false; see sinew_scene_cull
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_scene_default
} sinew_scene_def;

/// Returns the default definition of a scene.
SINEW_API sinew_scene_def sinew_scene_default(void);

/// Creates an empty scene, to be freed with sinew_scene_destroy. SINEW_ERROR_ARGUMENT for a max_nodes below 1 or above
/// SINEW_MAX_NODES; SINEW_ERROR_OUT_OF_MEMORY. On failure `*scene` is NULL, and `error`, which may be NULL, says why.
SINEW_API sinew_result sinew_scene_create(const sinew_scene_def *def, sinew_scene **scene, sinew_error *error);

/// Frees a scene with its nodes, instances and mixers. Assets belong to the caller. NULL is allowed.
SINEW_API void sinew_scene_destroy(sinew_scene *scene);

/// Advances all instances by `dt` seconds and updates their poses, palettes, world matrices and bounds. `dt` is 0 or
/// more and finite (asserted; 0 with NDEBUG). Edits and mixer events that it calls must not add nodes, remove them or
/// change their parents. The cost, in addition to that of mixers and poses, is proportional to the nodes that moved.
SINEW_API void sinew_scene_update(sinew_scene *scene, float dt);

/// Updates the world matrices and bounds of the nodes that were moved since the last update: the last two steps of
/// sinew_scene_update.
SINEW_API void sinew_scene_update_world(sinew_scene *scene);

// ---- Nodes -----------------------------------------------------------------------------------------------------

/// The definition of a node.
typedef struct sinew_scene_node_def {
    const char *name;          ///< not copied: it must outlive the node; NULL is the same as ""
    sinew_scene_node parent;   ///< a node or joint; none: the scene
    sinew_transform transform; ///< local transform, in the parent's space
    void *user;                ///< the caller's, returned by sinew_scene_user
    uint32_t cookie;           ///< private: set by sinew_scene_node_default
} sinew_scene_node_def;

/// Returns the default definition of a node: no name, no parent, the identity transform.
SINEW_API sinew_scene_node_def sinew_scene_node_default(void);

/// Adds a node as the last child of its parent. SINEW_ERROR_ARGUMENT for a parent that is gone or a transform that is
/// not finite, SINEW_ERROR_LIMIT if max_nodes are in use. On failure `*node` is none, and `error`, which may be NULL,
/// says why.
SINEW_API sinew_result sinew_scene_add_node(sinew_scene *scene, const sinew_scene_node_def *def,
                                            sinew_scene_node *node, sinew_error *error);

/// Removes a node or an instance, with all its descendants and attachments. A pose that other instances share
/// continues without the edit and the solvers of the removed instance. A joint cannot be removed: it is asserted, and
/// ignored with NDEBUG. No-op for a handle that is gone.
SINEW_API void sinew_scene_remove(sinew_scene *scene, sinew_scene_node node);

/// Returns whether a handle is valid. That of a joint is valid as long as its instance.
SINEW_API bool sinew_scene_has(const sinew_scene *scene, sinew_scene_node node);

/// Returns whether two handles are equal.
SINEW_API bool sinew_scene_node_equals(sinew_scene_node a, sinew_scene_node b);

/// Returns the number of nodes and instances, without joints.
SINEW_API int32_t sinew_scene_node_count(const sinew_scene *scene);

/// Which transform of a node stays the same when its parent changes.
typedef enum sinew_reparent_mode {
    SINEW_REPARENT_KEEP_LOCAL, ///< the local transform: the node moves to the new parent
    SINEW_REPARENT_KEEP_WORLD  ///< the world transform, as it is now, with its scale. Shear stays in the matrix
} sinew_reparent_mode;

/// Makes a node the last child of another parent, a node or joint; none: the scene. The cost is proportional to the
/// node's descendants. SINEW_REPARENT_KEEP_WORLD calls sinew_scene_update_world first.
/// SINEW_ERROR_ARGUMENT if either handle is gone, the node is a joint, the parent is the node itself or one of its
/// descendants, or no local matrix keeps the world transform because the parent is scaled to 0 along an axis. The
/// hierarchy is unchanged then, and `error`, which may be NULL, says which.
SINEW_API sinew_result sinew_scene_set_parent(sinew_scene *scene, sinew_scene_node node, sinew_scene_node parent,
                                              sinew_reparent_mode mode, sinew_error *error);

/// Returns the parent of a node or joint. That of a skeleton's root is its instance. None for a child of the scene and
/// for a handle that is gone.
SINEW_API sinew_scene_node sinew_scene_parent(const sinew_scene *scene, sinew_scene_node node);

/// Returns the first child of a node or joint, or of the scene if `node` is none. Children are the joints, then the
/// added nodes in the order in which they were added. None if there is no child.
SINEW_API sinew_scene_node sinew_scene_first_child(const sinew_scene *scene, sinew_scene_node node);

/// Returns the next child of a node's parent; none after the last.
SINEW_API sinew_scene_node sinew_scene_next_sibling(const sinew_scene *scene, sinew_scene_node node);

/// Finds the first node or joint of a name below `top`, or in the scene if `top` is none, in depth-first order. None
/// if no node has the name. The cost is linear in the nodes and joints that are searched; each joint also searches
/// all nodes that are attached to its instance.
SINEW_API sinew_scene_node sinew_scene_find(const sinew_scene *scene, sinew_scene_node top, const char *name);

/// Finds a node or joint below `top` by the names from parent to child, separated by '/': "hero/Hips/Spine". At each
/// step the first child of the name is taken. None if there is no such path.
SINEW_API sinew_scene_node sinew_scene_find_path(const sinew_scene *scene, sinew_scene_node top, const char *path);

/// Returns the handle of a joint of an instance, by its node in the skeleton; with SINEW_NO_NODE that of the
/// instance. It is not checked: the handle of a node that the skeleton does not have is not valid (see
/// sinew_scene_has).
SINEW_API sinew_scene_node sinew_scene_joint(sinew_scene_node instance, int32_t joint);

/// Finds the first joint of a name in an instance; none if the instance has no such joint.
SINEW_API sinew_scene_node sinew_scene_find_joint(const sinew_scene *scene, sinew_scene_node instance,
                                                  const char *name);

/// Returns the name of a node or joint; "" if it has none or is gone.
SINEW_API const char *sinew_scene_name(const sinew_scene *scene, sinew_scene_node node);

/// Returns the `user` of a node's definition, for a joint that of its instance; NULL for a handle that is gone.
SINEW_API void *sinew_scene_user(const sinew_scene *scene, sinew_scene_node node);

// ---- Transforms ------------------------------------------------------------------------------------------------

/// Sets the local transform of a node, which takes effect with the next update. A joint, or a transform that is not
/// finite, is asserted, and ignored with NDEBUG. No-op for a handle that is gone.
SINEW_API void sinew_scene_set_transform(sinew_scene *scene, sinew_scene_node node, sinew_transform transform);

/// Sets the local transform of a node as a matrix, which may have shear; otherwise as sinew_scene_set_transform.
SINEW_API void sinew_scene_set_matrix(sinew_scene *scene, sinew_scene_node node, sinew_affine matrix);

/// Returns the local transform of a node: the bits that were set; for a matrix, its sinew_affine_decompose. That of a
/// joint is computed from the model matrices of the last update; it is not finite if the joint's parent is scaled to 0.
/// The identity for a handle that is gone.
SINEW_API sinew_transform sinew_scene_transform(const sinew_scene *scene, sinew_scene_node node);

/// Returns the world matrix of a node or joint as of the last update. For a node that was added since, the parent's of
/// the last update is used. The identity for a handle that is gone. It is multiplied by sinew_affine_multiply in this
/// order: for a node whose parent is a joint, parent instance × (model[joint] × local); for another node,
/// parent × local; for a joint, instance × model[joint].
SINEW_API sinew_affine sinew_scene_world(const sinew_scene *scene, sinew_scene_node node);

/// Sets whether a node inherits the scale of its parent, which is the default. If not, the parent's world matrix is
/// used with a scale of 1 (as sinew_affine_decompose finds scale), with its translation and rotation. A joint is
/// asserted, and ignored with NDEBUG. No-op for a handle that is gone.
SINEW_API void sinew_scene_set_inherits_scale(sinew_scene *scene, sinew_scene_node node, bool inherits);

// ---- Attachments -----------------------------------------------------------------------------------------------

/// Attaches an object to a joint of an instance, found by name, with `offset` as its local transform.
/// SINEW_ERROR_ARGUMENT if either handle is gone, `instance` is a plain node, no joint has the name, the offset is not
/// finite, or the instance is a descendant of the object. The scene is unchanged then, and `error`, which may be NULL,
/// says why.
SINEW_API sinew_result sinew_scene_attach(sinew_scene *scene, sinew_scene_node object, sinew_scene_node instance,
                                          const char *joint, sinew_transform offset, sinew_error *error);

/// Makes a node a child of the scene: takes it off its parent. With SINEW_REPARENT_KEEP_WORLD it keeps its world
/// transform. No-op for a joint and for a handle that is gone.
SINEW_API void sinew_scene_detach(sinew_scene *scene, sinew_scene_node object, sinew_reparent_mode mode);

/// Swaps two nodes: each becomes the last child of the other's parent, with the other's local transform and its
/// setting of sinew_scene_set_inherits_scale. It exchanges a sword in the hand and a bow on the back in one call.
/// SINEW_ERROR_ARGUMENT if one is gone, a joint, or a descendant of the other. The scene is unchanged then, and
/// `error`, which may be NULL, says which.
SINEW_API sinew_result sinew_scene_swap(sinew_scene *scene, sinew_scene_node a, sinew_scene_node b,
                                        sinew_error *error);

// ---- Instances -------------------------------------------------------------------------------------------------

/// The source of an instance's pose.
typedef enum sinew_instance_pose {
    SINEW_INSTANCE_POSE_OWN,   ///< a mixer of its own
    SINEW_INSTANCE_POSE_SHARE, ///< another instance's pose: for hair and armour on one body
    SINEW_INSTANCE_POSE_REST   ///< the rest pose, always: it has no mixer
} sinew_instance_pose;

/// Edits the pose of an instance. It is called in each update, after the pose is evaluated and before palettes are
/// made. `pose` may be changed. `model` is its sinew_pose_to_model: return true if it still fits the pose (as
/// sinew_ik_solve and sinew_ik_foot_placement_solve leave it), false to have it computed again. `user` is that of the
/// instance's node. World matrices are those of the last update; to bring a target into model space, use the world
/// matrix that the instance will have. Nodes must not be added, removed or reparented during the call.
typedef bool (*sinew_instance_edit)(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose,
                                    sinew_affine *model, float dt, void *user);

/// The definition of an instance.
typedef struct sinew_instance_def {
    /// The asset. It must outlive the instance, and all instances that share its pose. With `bounds` of NULL it has
    /// empty bounds: it is never visible and never hit.
    const sinew_asset *asset;
    sinew_scene_node_def node; ///< name, parent, transform and user of the instance's node
    sinew_instance_pose pose;  ///< default SINEW_INSTANCE_POSE_OWN
    /// For SINEW_INSTANCE_POSE_OWN; NULL: sinew_mixer_default. Its skeleton and allocator are replaced.
    const sinew_mixer_def *mixer;
    sinew_scene_node share;   ///< for SINEW_INSTANCE_POSE_SHARE: the instance whose pose is shared
    sinew_instance_edit edit; ///< for SINEW_INSTANCE_POSE_OWN; may be NULL
    const sinew_ik *solvers;  ///< for SINEW_INSTANCE_POSE_OWN: run after `edit`; not copied, read in each update
    int32_t solver_count;     ///< of solvers
    uint32_t cookie;          ///< private: set by sinew_instance_default
} sinew_instance_def;

/// Returns the default definition of an instance: a mixer of its own. The asset must be given.
SINEW_API sinew_instance_def sinew_instance_default(void);

/// Adds an instance of an asset, as the last child of its parent. An asset may have any number of instances.
///
/// With SINEW_INSTANCE_POSE_SHARE, an instance of the same asset has the same pose, matrices and palettes as the
/// other. In an instance of another asset each node has the model matrix of the other's node of the same name; nodes
/// without one are in the rest pose below their parents, and so are its morph weights.
///
/// SINEW_ERROR_ARGUMENT for an asset of NULL, a parent or an instance to share with that is gone, an instance to share
/// with that is in the rest pose, or a mixer definition that is not valid; SINEW_ERROR_LIMIT if max_nodes are in use;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*instance` is none, and `error`, which may be NULL, says why.
SINEW_API sinew_result sinew_scene_add_instance(sinew_scene *scene, const sinew_instance_def *def,
                                                sinew_scene_node *instance, sinew_error *error);

/// Returns the number of instances.
SINEW_API int32_t sinew_scene_instance_count(const sinew_scene *scene);

/// Returns an instance by its index, 0 <= index < count (asserted; none with NDEBUG). The index is the number of the
/// instance's bit in the result of sinew_scene_cull; it may change when another instance is removed.
SINEW_API sinew_scene_node sinew_scene_instance(const sinew_scene *scene, int32_t index);

/// Returns the asset of an instance, or of a joint's instance; NULL for other nodes.
SINEW_API const sinew_asset *sinew_scene_asset(const sinew_scene *scene, sinew_scene_node instance);

/// Returns the mixer that poses an instance, its own or the one that it shares; NULL in the rest pose and for other
/// nodes. Play clips with it; sinew_scene_update updates it.
SINEW_API sinew_mixer *sinew_scene_mixer(const sinew_scene *scene, sinew_scene_node instance);

/// Replaces the mixer of an instance by a new one, made from a definition as in sinew_scene_add_instance: with more
/// layers, or with root motion. Attachments stay on their joints, and instances that share the pose follow. The new
/// mixer plays nothing; the old one is destroyed. SINEW_ERROR_ARGUMENT for an instance without a mixer of its own and
/// for a definition that is not valid; SINEW_ERROR_OUT_OF_MEMORY. The scene is unchanged then, and `error`, which may
/// be NULL, says why.
SINEW_API sinew_result sinew_scene_set_mixer(sinew_scene *scene, sinew_scene_node instance,
                                             const sinew_mixer_def *def, sinew_error *error);

/// Returns the model matrices of an instance as of the last update, [node_count of its asset's skeleton]; NULL for
/// other nodes. They belong to the scene.
SINEW_API const sinew_affine *sinew_scene_model_matrices(const sinew_scene *scene, sinew_scene_node instance);

/// Returns the morph weights of an instance as of the last update, [weight_count of its asset's skeleton]; NULL for
/// other nodes. They belong to the scene.
SINEW_API const float *sinew_scene_weights(const sinew_scene *scene, sinew_scene_node instance);

/// Returns the palette of a skin of an instance's asset, [joint_count], in model space: a vertex in the world is
/// world matrix × palette matrix × vertex. Instances that share a pose share it. NULL for other nodes.
/// 0 <= skin < skin_count (asserted; NULL with NDEBUG).
SINEW_API const sinew_affine *sinew_scene_palette(const sinew_scene *scene, sinew_scene_node instance,
                                                  int32_t skin);

// ---- Culling and picking ---------------------------------------------------------------------------------------

/// Returns the bounds of an instance in the world as of the last update; empty for other nodes and for assets without
/// vertices.
SINEW_API sinew_box sinew_scene_bounds(const sinew_scene *scene, sinew_scene_node instance);

/// Finds the instances that a camera may see. Bit i of the result is that of sinew_scene_instance(scene, i); see
/// sinew_is_visible. The result belongs to the scene and is valid until the next call, and until an instance is added
/// or removed.
///
/// With `skip_unseen`, the next update poses only visible instances and those with a visible attachment or descendant;
/// the others advance in time. Bounds of an instance that is not posed stay the same in its own space: enlarge them for
/// clips that move far from the node. An instance counts as visible when it is added.
SINEW_API const uint32_t *sinew_scene_cull(sinew_scene *scene, const sinew_frustum *frustum);

/// The first hit of a ray.
typedef struct sinew_scene_hit {
    sinew_scene_node node; ///< the joint of the largest weight at the hit; for SINEW_PICK_BOUNDS the instance
    float distance;        ///< along the ray, in lengths of its direction
    sinew_vec3 position;   ///< in the world
    sinew_asset_hit asset; ///< the hit in the asset, in model space; zeros for SINEW_PICK_BOUNDS
} sinew_scene_hit;

/// What a ray is tested against.
typedef enum sinew_pick_mode {
    SINEW_PICK_TRIANGLES, ///< the skinned triangles of the instances whose bounds it hits
    SINEW_PICK_BOUNDS     ///< the bounds of the instances
} sinew_pick_mode;

/// Finds the first hit of a ray in the world, as of the last update. Returns false if there is none; `hit` is written
/// only if there is one.
SINEW_API bool sinew_scene_pick(sinew_scene *scene, sinew_ray ray, sinew_pick_mode mode, sinew_scene_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
