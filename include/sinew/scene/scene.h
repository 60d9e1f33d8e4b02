// SPDX-License-Identifier: MIT
/// A scene: a hierarchy of nodes and instances of assets, with world matrices, attachments, culling and picking.
///
/// Terms. A *node* is what sinew_scene_add_node adds. An *instance* is a node that shows an asset (asset.h), added by
/// sinew_scene_add_instance; the asset is what a file holds, and may have many instances. A *joint* is a node of an
/// instance's skeleton (skeleton.h), whether or not a skin uses it. Joints have handles and world matrices and can be
/// parents: a sword is attached to a hand by making the hand its parent. An *attachment* is a node whose parent is a
/// joint. Counts and limits of nodes include instances and attachments, but not joints.
///
/// Spaces. The local transform of a node is in the space of its parent. The *model space* of an instance is the space
/// of its own node, in which the poses, model matrices and palettes of mixer.h and skin.h are. *World space* is the
/// space of the nodes without a parent.
///
/// sinew_scene_update, once a frame, updates in this order: mixers, edits, solvers and springs, model matrices,
/// palettes, world matrices, bounds. An attachment therefore follows the current pose of its joint, without a frame of
/// delay. Changes of the hierarchy and of transforms take effect in the world with the next sinew_scene_update or
/// sinew_scene_update_world; a comment says so where one is immediate.
///
/// Root motion is not applied to nodes. After sinew_scene_update, a program that uses it reads sinew_mixer_root_delta
/// of sinew_scene_mixer, moves the instance with sinew_scene_set_transform, and calls sinew_scene_update_world.
///
/// Handles. {0}, and every handle with a generation of 0, is *none*; where a parent or a `top` is expected it means
/// the scene. A handle whose node was removed is *gone*. Functions accept a handle that is gone and say what they do
/// with it. They do the same with none, where it does not mean the scene, and with the handle of a joint that the
/// skeleton does not have. A handle of another scene is not detected.
///
/// A scene, with everything in it, may be used by one thread at a time. It takes memory when it is created, when
/// an instance is added and when an instance gets another mixer; nothing else allocates. `scene` must not be NULL
/// (asserted, and undefined with NDEBUG). Lengths are metres, angles radians.
#ifndef SINEW_SCENE_H
#define SINEW_SCENE_H

#include "../asset.h"
#include "cull.h"
#include "../body/ik.h"
#include "../mixer.h"
#include "pick.h"
#include "../body/spring.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_scene sinew_scene; ///< see sinew_scene_create

/// A handle of a node, or of a joint of an instance. It is never used for another node, also after its node is
/// removed.
typedef struct sinew_scene_node {
    uint32_t index;      ///< of the node in the scene's memory
    uint32_t generation; ///< increased each time the memory is used for another node; 0: none
    int32_t joint;       ///< node of the instance's skeleton; SINEW_NO_NODE (-1): the instance or node itself
} sinew_scene_node;

// ---- Creating and updating -------------------------------------------------------------------------------------

/// The definition of a scene.
typedef struct sinew_scene_def {
    /// The largest number of nodes, instances included, joints not: 1 to SINEW_MAX_NODES (skeleton.h); default 1024.
    int32_t max_nodes;
    bool skip_unseen; ///< poses only instances that the last sinew_scene_cull saw: see there; default false
    sinew_allocator allocator; ///< of the scene and of its mixers; default zeros: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_scene_default
} sinew_scene_def;

/// Returns the defaults above.
SINEW_API sinew_scene_def sinew_scene_default(void);

/// Creates an empty scene, to be freed with sinew_scene_destroy. `def` of NULL is the default. SINEW_ERROR_ARGUMENT for
/// a max_nodes below 1 or above SINEW_MAX_NODES; SINEW_ERROR_OUT_OF_MEMORY. On failure `*scene` is NULL, and `error`,
/// which may be NULL, says why.
SINEW_API sinew_result sinew_scene_create(const sinew_scene_def *def, sinew_scene **scene, sinew_error *error);

/// Frees a scene with its nodes, instances and mixers. Assets belong to the caller. NULL is allowed.
SINEW_API void sinew_scene_destroy(sinew_scene *scene);

/// Advances all instances by `dt` seconds and updates their poses, palettes, world matrices and bounds. `dt` is 0 or
/// more and finite (asserted; 0 with NDEBUG). The functions of the program that it calls (sinew_instance_edit, and
/// on_event of a mixer) must not add nodes, remove them, change their parents or mixers, update the scene or destroy it
/// (asserted; with NDEBUG such a call does nothing and returns SINEW_ERROR_ARGUMENT if it has a result). Note what to
/// do, and do it after the update. The cost, in addition to that of mixers and poses, is proportional to the nodes that
/// moved. Uses up to 170 KB of stack.
SINEW_API void sinew_scene_update(sinew_scene *scene, float dt);

/// Updates the world matrices and bounds of the nodes that were moved since the last update: the last two steps of
/// sinew_scene_update.
SINEW_API void sinew_scene_update_world(sinew_scene *scene);

// ---- Nodes -----------------------------------------------------------------------------------------------------

/// The definition of a node.
typedef struct sinew_scene_node_def {
    const char *name;          ///< UTF-8; not copied: it must outlive the node; default NULL, the same as ""
    sinew_scene_node parent;   ///< a node or joint; default none: the scene
    sinew_transform transform; ///< local transform, in the parent's space; the rotation unit; default the identity
    void *user;                ///< the caller's, returned by sinew_scene_user, and not changed; default NULL
    uint32_t cookie;           ///< private: set by sinew_scene_node_default
} sinew_scene_node_def;

/// Returns the default definition of a node: no name, no parent, the identity transform.
SINEW_API sinew_scene_node_def sinew_scene_node_default(void);

/// Adds a node as the last child of its parent. `def` of NULL is the default. It has a world matrix at once, from the
/// one that its parent has. SINEW_ERROR_ARGUMENT for a parent that is gone or a transform that is not finite,
/// SINEW_ERROR_LIMIT if max_nodes are in use. On failure `*node` is none, and `error`, which may be NULL, says why.
SINEW_API sinew_result sinew_scene_add_node(sinew_scene *scene, const sinew_scene_node_def *def,
                                            sinew_scene_node *node, sinew_error *error);

/// Removes a node or an instance, at once, with all its descendants and attachments. An instance's mixer is
/// destroyed, unless other instances share its pose: then the mixer stays, without the edit and the solvers of the
/// removed instance. A joint cannot be removed: it is asserted, and ignored with NDEBUG. No-op for a handle that is
/// gone.
SINEW_API void sinew_scene_remove(sinew_scene *scene, sinew_scene_node node);

/// Returns whether a handle is valid: not none, not gone, and no joint that the skeleton does not have. The handle of
/// a joint is valid as long as that of its instance.
SINEW_API bool sinew_scene_has(const sinew_scene *scene, sinew_scene_node node);

/// Returns whether two handles are equal.
SINEW_API bool sinew_scene_node_equals(sinew_scene_node a, sinew_scene_node b);

/// Which transform of a node stays the same when its parent changes.
typedef enum sinew_reparent_mode {
    /// The local transform stays, so the node moves with its new parent.
    SINEW_REPARENT_KEEP_LOCAL,
    /// The world matrix stays, with scale and shear: the node gets a local matrix, as by sinew_scene_set_matrix.
    SINEW_REPARENT_KEEP_WORLD
} sinew_reparent_mode;

/// Makes a node the last child of another parent, a node or joint; none: the scene. The cost is proportional to the
/// node's descendants. SINEW_REPARENT_KEEP_WORLD calls sinew_scene_update_world first.
///
/// SINEW_ERROR_ARGUMENT if either handle is gone, the node is a joint, the parent is the node itself or one of its
/// descendants, `mode` is not valid, or no local matrix keeps the world matrix because the parent is scaled to 0
/// along an axis. The hierarchy is unchanged then, and `error`, which may be NULL, says why.
SINEW_API sinew_result sinew_scene_set_parent(sinew_scene *scene, sinew_scene_node node, sinew_scene_node parent,
                                              sinew_reparent_mode mode, sinew_error *error);

/// Returns the parent of a node or joint. That of a skeleton's root is its instance. None for a child of the scene
/// and for a handle that is gone.
SINEW_API sinew_scene_node sinew_scene_parent(const sinew_scene *scene, sinew_scene_node node);

/// Finds the first node or joint of a name among the descendants of `top`, which is a node or joint and is not tested
/// itself, or in the whole scene if `top` is none, in depth-first order. Names are case-sensitive; "" finds the first
/// node without a name. None if no node has the name, or `top` is gone. The cost is linear in the nodes and joints
/// that are searched; each joint also searches all nodes that are attached to its instance.
SINEW_API sinew_scene_node sinew_scene_find(const sinew_scene *scene, sinew_scene_node top, const char *name);

/// Returns the handle of a joint of an instance, by the joint's node index in the skeleton (not its index in a skin);
/// with SINEW_NO_NODE that of the instance. `instance` may be the handle of another joint. Nothing is checked: if the
/// skeleton has no such node, the handle is not valid (see sinew_scene_has).
SINEW_API sinew_scene_node sinew_scene_joint(sinew_scene_node instance, int32_t joint);

/// Finds the first joint of a name in an instance; none if the instance has no such joint, and for plain nodes.
SINEW_API sinew_scene_node sinew_scene_find_joint(const sinew_scene *scene, sinew_scene_node instance,
                                                  const char *name);

/// Returns the name of a node or joint; "" if it has none or is gone. That of a node is the pointer of its
/// definition; that of a joint belongs to the skeleton.
SINEW_API const char *sinew_scene_name(const sinew_scene *scene, sinew_scene_node node);

/// Returns the `user` of a node's definition, for a joint that of its instance; NULL for a handle that is gone.
SINEW_API void *sinew_scene_user(const sinew_scene *scene, sinew_scene_node node);

// ---- Transforms ------------------------------------------------------------------------------------------------

/// Sets the local transform of a node, which takes effect with the next update. The rotation must be unit, which is
/// not checked. A joint, or a transform that is not finite, is asserted, and ignored with NDEBUG. No-op for a handle
/// that is gone.
SINEW_API void sinew_scene_set_transform(sinew_scene *scene, sinew_scene_node node, sinew_transform transform);

/// Sets the local transform of a node as a matrix, which may have shear; otherwise as sinew_scene_set_transform.
SINEW_API void sinew_scene_set_matrix(sinew_scene *scene, sinew_scene_node node, sinew_affine matrix);

/// Returns the local transform of a node: the bits that were set, at once; for a matrix, its sinew_affine_decompose,
/// without shear. That of a joint is computed from the model matrices of the last update; it is not finite if the
/// joint's parent is scaled to 0. The identity for a handle that is gone.
SINEW_API sinew_transform sinew_scene_transform(const sinew_scene *scene, sinew_scene_node node);

/// Returns the world matrix of a node or joint as of the last update. That of a node that was added since is its
/// parent's of the last update, times the local transform of its definition. The identity for a handle that is gone.
/// It is multiplied by sinew_affine_multiply in this order: for a node whose parent is a joint, parent instance ×
/// (model[joint] × local); for another node, parent × local; for a joint, instance × model[joint].
SINEW_API sinew_affine sinew_scene_world(const sinew_scene *scene, sinew_scene_node node);

/// Sets whether a node inherits the scale of its parent, which is the default; it takes effect with the next update.
/// If not, the parent's world matrix is used with its translation and rotation, as found by sinew_affine_decompose,
/// and a scale of 1. A joint is asserted, and ignored with NDEBUG. No-op for a handle that is gone.
SINEW_API void sinew_scene_set_inherits_scale(sinew_scene *scene, sinew_scene_node node, bool inherits);

// ---- Attachments -----------------------------------------------------------------------------------------------

/// Attaches a node or an instance, `object`, to the first joint of the name `joint` of another instance, with
/// `offset` as its local transform in the joint's space: sinew_scene_find_joint, sinew_scene_set_parent and
/// sinew_scene_set_transform in one call. SINEW_ERROR_ARGUMENT if either handle is gone, the object is a joint,
/// `instance` is a plain node, no joint has the name or it is NULL, the offset is not finite, or the instance is the
/// object or one of its descendants. The scene is unchanged then, and `error`, which may be NULL, says why.
SINEW_API sinew_result sinew_scene_attach(sinew_scene *scene, sinew_scene_node object, sinew_scene_node instance,
                                          const char *joint, sinew_transform offset, sinew_error *error);

/// Makes a node a child of the scene, as sinew_scene_set_parent with none. No-op for a joint and for a handle that is
/// gone.
SINEW_API void sinew_scene_detach(sinew_scene *scene, sinew_scene_node object, sinew_reparent_mode mode);

/// Swaps two nodes: each becomes the last child of the other's parent, with the other's local transform and its
/// setting of sinew_scene_set_inherits_scale. It exchanges a sword in the hand and a bow on the back in one call.
/// SINEW_ERROR_ARGUMENT if one is gone, a joint, or a descendant of the other. The scene is unchanged then, and
/// `error`, which may be NULL, says which. A swap of a node with itself is a no-op.
SINEW_API sinew_result sinew_scene_swap(sinew_scene *scene, sinew_scene_node a, sinew_scene_node b,
                                        sinew_error *error);

// ---- Instances -------------------------------------------------------------------------------------------------
//
// Parameters named `instance` accept the handle of a joint of the instance, too. A *plain node* is one that is no
// instance.

/// The source of an instance's pose.
typedef enum sinew_instance_pose {
    SINEW_INSTANCE_POSE_OWN,   ///< a mixer of its own
    SINEW_INSTANCE_POSE_SHARE, ///< another instance's pose: for hair and armour on one body
    SINEW_INSTANCE_POSE_REST   ///< the rest pose, always: it has no mixer
} sinew_instance_pose;

/// Edits the pose of an instance. It is called in each update that poses the instance, after the pose is evaluated
/// and before palettes are made. `pose` may be changed. `model` are the model matrices of `pose`, as
/// sinew_pose_to_model computes them. Return true if they still fit the pose, as after sinew_ik_solve and
/// sinew_foot_placement_solve; false to have them computed again. `instance` is the instance, `dt` that of the
/// update, and `user` that of the instance's node. Nodes must not be added, removed or reparented during the call.
///
/// To bring a target from the world into model space, use the inverse of sinew_scene_world of `instance`. World
/// matrices are those of the last update: if the program moved the instance in this frame, it must call
/// sinew_scene_update_world before sinew_scene_update. An instance below a joint of another one is still where that
/// joint was in the last update.
typedef bool (*sinew_instance_edit)(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose,
                                    sinew_affine *model, float dt, void *user);

/// The definition of an instance.
typedef struct sinew_instance_def {
    /// The asset; default NULL, must be set. It must outlive the instance, and all instances that share its pose. If
    /// its `bounds` are NULL (an asset without vertices), the instance is never visible and never hit.
    const sinew_asset *asset;
    sinew_scene_node_def node; ///< name, parent, transform and user of the instance's node
    sinew_instance_pose pose;  ///< default SINEW_INSTANCE_POSE_OWN
    /// For SINEW_INSTANCE_POSE_OWN, otherwise ignored: the definition of the mixer, as for sinew_mixer_create; NULL,
    /// the default: sinew_mixer_default. The asset's skeleton and the scene's allocator replace those given here.
    const sinew_mixer_def *mixer;
    /// For SINEW_INSTANCE_POSE_SHARE: the instance whose pose is shared. It may itself share.
    sinew_scene_node share;
    sinew_instance_edit edit; ///< for SINEW_INSTANCE_POSE_OWN, otherwise ignored; default NULL: none
    /// For SINEW_INSTANCE_POSE_OWN, otherwise ignored: [solver_count], run by sinew_ik_solve after `edit`. Not
    /// copied: they are read in each update, so that the program can set targets. Default NULL.
    const sinew_ik *solvers;
    int32_t solver_count; ///< default 0
    /// For SINEW_INSTANCE_POSE_OWN, otherwise ignored: springs of the asset's skeleton, solved after `solvers` with the
    /// instance's world matrix of this frame and the scene's wind. The instance has a state of its own. They must
    /// outlive the instance, and all instances that share its pose. Default NULL: none.
    const sinew_springs *springs;
    uint32_t cookie; ///< private: set by sinew_instance_default
} sinew_instance_def;

/// Returns the default definition of an instance: a mixer of its own, at the origin of the scene.
SINEW_API sinew_instance_def sinew_instance_default(void);

/// Adds an instance of an asset, as the last child of its parent, in the rest pose. An asset may have any number of
/// instances.
///
/// With SINEW_INSTANCE_POSE_SHARE, an instance of the same asset has the same pose, matrices and palettes as the other.
/// In an instance of another asset, each joint has the model matrix of the other's joint of the same name; of several,
/// the one below the counterpart of its parent, or else the first. A joint without a counterpart keeps its rest
/// transform below its parent. All morph weights of such an instance are those of the rest pose.
///
/// SINEW_ERROR_ARGUMENT for a definition that is not valid: no asset, a parent that is gone, a transform that is not
/// finite, an instance to share with that is gone or always in the rest pose, solvers of NULL with a solver_count above
/// 0, springs of another skeleton, or a mixer definition that sinew_mixer_create refuses. SINEW_ERROR_LIMIT if
/// max_nodes are in use. SINEW_ERROR_OUT_OF_MEMORY. On failure `*instance` is none, and `error`, which may be NULL,
/// says why.
SINEW_API sinew_result sinew_scene_add_instance(sinew_scene *scene, const sinew_instance_def *def,
                                                sinew_scene_node *instance, sinew_error *error);

/// Returns the number of instances.
SINEW_API int32_t sinew_scene_instance_count(const sinew_scene *scene);

/// Returns an instance by its index, 0 <= index < count (asserted; none with NDEBUG). The index is the number of the
/// instance's bit in the result of sinew_scene_cull; it may change when another instance is removed.
SINEW_API sinew_scene_node sinew_scene_instance(const sinew_scene *scene, int32_t index);

/// Returns the asset of an instance; NULL for plain nodes and handles that are gone.
SINEW_API const sinew_asset *sinew_scene_asset(const sinew_scene *scene, sinew_scene_node instance);

/// Sets the wind for the springs of all instances: the velocity of the air, m/s, in the world; default {0}. Ignored
/// unless finite (asserted).
SINEW_API void sinew_scene_set_wind(sinew_scene *scene, sinew_vec3 wind);

/// Returns the mixer that poses an instance, its own or the one that it shares; NULL for an instance that is always
/// in the rest pose, for plain nodes and handles that are gone. Play clips with it; sinew_scene_update updates it. It
/// belongs to the scene, unless sinew_scene_use_mixer set it, and is valid until it is replaced and until the last
/// instance of the pose is removed.
SINEW_API sinew_mixer *sinew_scene_mixer(const sinew_scene *scene, sinew_scene_node instance);

/// Replaces the mixer of an instance by a new one, made from a definition as in sinew_scene_add_instance: with more
/// layers, or with root motion. `def` may be NULL for the defaults. The new mixer plays nothing and is in the rest
/// pose: matrices and palettes of the instance at once, bounds and attachments with the next update. The old mixer is
/// destroyed. The edit and the solvers stay, attachments stay on their joints, and instances that share the pose
/// follow. SINEW_ERROR_ARGUMENT for an instance without a mixer of its own and for a definition that
/// sinew_mixer_create refuses; SINEW_ERROR_OUT_OF_MEMORY. The scene is unchanged then, and `error`, which may be
/// NULL, says why.
SINEW_API sinew_result sinew_scene_set_mixer(sinew_scene *scene, sinew_scene_node instance,
                                             const sinew_mixer_def *def, sinew_error *error);

/// Poses an instance by a mixer of the caller from now on, such as that of an animator (sinew_animator_mixer), instead
/// of by its own. The scene advances and evaluates the mixer, but does not destroy it: it must outlive the scene or the
/// last instance of the pose, or be replaced by this function or sinew_scene_set_mixer. Once a frame call
/// sinew_animator_advance, then sinew_scene_update with the same `dt`. Otherwise as sinew_scene_set_mixer.
/// SINEW_ERROR_ARGUMENT also for a mixer of another skeleton than the asset's, and for one that poses another instance:
/// SINEW_INSTANCE_POSE_SHARE shares it.
SINEW_API sinew_result sinew_scene_use_mixer(sinew_scene *scene, sinew_scene_node instance, sinew_mixer *mixer,
                                             sinew_error *error);

/// Returns the model matrices of an instance as of the last update, [node_count of its asset's skeleton], before the
/// first update those of the rest pose; NULL for plain nodes and handles that are gone. They belong to the scene; the
/// pointer is valid as long as that of sinew_scene_mixer, and without a mixer as long as the instance.
SINEW_API const sinew_affine *sinew_scene_model_matrices(const sinew_scene *scene, sinew_scene_node instance);

/// Returns the morph weights of an instance as of the last update, [weight_count of its asset's skeleton]; otherwise
/// as sinew_scene_model_matrices.
SINEW_API const float *sinew_scene_weights(const sinew_scene *scene, sinew_scene_node instance);

/// Returns the palette (skin.h) of a skin of an instance's asset as of the last update, [joint_count of the skin]. It
/// brings vertices to model space: a vertex in the world is world matrix × palette matrix × vertex. Instances of one
/// asset that share a pose share it. NULL for plain nodes and handles that are gone. 0 <= skin < skin_count
/// (asserted; NULL with NDEBUG). It belongs to the scene and is valid until the last instance that shares it is
/// removed.
SINEW_API const sinew_affine *sinew_scene_palette(const sinew_scene *scene, sinew_scene_node instance,
                                                  int32_t skin);

// ---- Culling and picking ---------------------------------------------------------------------------------------

/// Returns the bounds of an instance in the world as of the last update; empty for plain nodes, handles that are gone
/// and assets without vertices.
SINEW_API sinew_box sinew_scene_bounds(const sinew_scene *scene, sinew_scene_node instance);

/// Finds the instances that a camera may see, by their bounds as of the last update. Bit i of the result is that of
/// sinew_scene_instance(scene, i); see sinew_is_visible. There are SINEW_VISIBLE_WORDS(instance count) words, which
/// belong to the scene and are valid until the next call, and until an instance is added or removed.
///
/// With `skip_unseen`, updates pose only the instances that the last call found visible, those with a visible
/// attachment or descendant, and those that were added since. The mixers of the others only advance in time: their
/// events and root motion continue, their edits and solvers are not run. For several views, such as a camera and a
/// shadow map, make the last call before the update with a frustum that holds all of them. An instance that is not
/// posed keeps, in its model space, the bounds of the last pose: if clips move far from the node, use a larger
/// frustum.
SINEW_API const uint32_t *sinew_scene_cull(sinew_scene *scene, const sinew_frustum *frustum);

/// The first hit of a ray (pick.h).
typedef struct sinew_scene_hit {
    /// The joint with the largest skin weight at the hit, or the mesh's node; for SINEW_PICK_BOUNDS the instance.
    sinew_scene_node node;
    float distance;        ///< along the ray, as a multiple of the length of its direction
    sinew_vec3 position;   ///< in the world
    sinew_asset_hit asset; ///< the hit in the asset, in the instance's model space; zeros for SINEW_PICK_BOUNDS
} sinew_scene_hit;

/// What a ray is tested against.
typedef enum sinew_pick_mode {
    /// The skinned triangles of the instances whose bounds it hits. A library that is built with SINEW_NO_SKINNING
    /// hits none (asserted).
    SINEW_PICK_TRIANGLES,
    SINEW_PICK_BOUNDS ///< the bounds of the instances
} sinew_pick_mode;

/// Finds the first hit of a ray in the world, as of the last update. Returns false if there is none; `hit`, which
/// must not be NULL, is written only if there is one. Uses up to 36 KB of stack.
SINEW_API bool sinew_scene_pick(sinew_scene *scene, sinew_ray ray, sinew_pick_mode mode, sinew_scene_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
