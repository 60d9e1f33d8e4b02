// SPDX-License-Identifier: MIT
/// A scene is a hierarchy of nodes and animated instances. It takes care of world matrices, attachments, culling
/// and picking.
///
/// A *node* is anything you add to a scene. An *instance* is a node that shows an asset (asset.h). You can have
/// many instances of the same asset. In this header, a *joint* is any node in an instance's skeleton, even if no
/// skin uses it. Joints have handles and world matrices. They can also be parents. For example, you can make a hand
/// the parent of a sword. A node whose parent is a joint is called an *attachment*. Node counts and limits include
/// instances and attachments but not joints.
///
/// A node's local transform is relative to its parent. *Model space* is the space of an instance's own node. The
/// instance's poses, model matrices and palettes are in model space. *World space* is the space of nodes that don't
/// have a parent.
///
/// Call sinew_scene_update once per frame. It updates mixers, edits, solvers and springs, model matrices, palettes,
/// world matrices and bounds, in that order. This means that attachments follow the current pose without lag. If
/// you change the hierarchy or a transform, world matrices are updated by the next sinew_scene_update or
/// sinew_scene_update_world, unless a comment says otherwise.
///
/// Root motion isn't applied for you. If you use it, call sinew_scene_update first. Then get sinew_mixer_root_delta
/// from sinew_scene_mixer, move the instance with sinew_scene_set_transform, and call sinew_scene_update_world.
///
/// The handle {0} is called *none*. Any handle with a generation of 0 means the same. If you pass none as a parent or
/// as `top`, it means the scene. A handle becomes *stale* when its node is removed. All functions accept stale handles,
/// and their comments say what happens. None is treated like a stale handle unless it means the scene, and so is a
/// joint that doesn't exist in the skeleton. Handles from a different scene aren't detected.
///
/// Only one thread at a time can use a scene and everything in it. A scene only allocates when you create it, add an
/// instance or replace a mixer. When a function fails, it writes the reason to `error`, which may be NULL. `scene` must
/// not be NULL (asserted; undefined with NDEBUG). Lengths are in meters and angles are in radians.
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

typedef struct sinew_scene sinew_scene; ///< a scene; see sinew_scene_create

/// A handle to a node or to one of an instance's joints. Handles are never reused, even after the node is removed.
typedef struct sinew_scene_node {
    uint32_t index;      ///< slot in the scene's memory
    uint32_t generation; ///< incremented when the slot is reused; 0 means none
    int32_t joint;       ///< node in the instance's skeleton, or SINEW_NO_NODE (-1) for the node itself
} sinew_scene_node;

// ---- Creating and updating -------------------------------------------------------------------------------------

/// Options for creating a scene. Start from sinew_scene_default.
typedef struct sinew_scene_def {
    int32_t max_nodes;         ///< nodes and instances, not joints; 1 to SINEW_MAX_NODES (skeleton.h), default 1024
    bool skip_unseen;          ///< only pose the instances visible in sinew_scene_cull; default false
    sinew_allocator allocator; ///< memory for the scene and its mixers; defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_scene_default
} sinew_scene_def;

/// Returns the default options.
SINEW_API sinew_scene_def sinew_scene_default(void);

/// Creates an empty scene. Free it with sinew_scene_destroy. `def` may be NULL for the defaults. On failure
/// `*scene` is NULL. Fails with SINEW_ERROR_ARGUMENT if max_nodes is out of range, or with
/// SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_scene_create(const sinew_scene_def *def, sinew_scene **scene, sinew_error *error);

/// Destroys a scene, including its nodes, instances and mixers. Assets aren't freed. `scene` may be NULL.
SINEW_API void sinew_scene_destroy(sinew_scene *scene);

/// Advances all instances by `dt` seconds, then updates poses, palettes, world matrices and bounds. `dt` must be finite
/// and at least 0 (asserted; treated as 0 with NDEBUG). Apart from mixers and poses, the cost is proportional to the
/// number of nodes that moved. Uses up to 170 KB of stack.
///
/// During the update, your callbacks (sinew_instance_edit and the mixers' on_event) must not add, remove or
/// reparent nodes, replace mixers, or update or destroy the scene. This is asserted. In NDEBUG builds these calls
/// are no-ops, and return SINEW_ERROR_ARGUMENT if they have a result. Make these changes after the update.
SINEW_API void sinew_scene_update(sinew_scene *scene, float dt);

/// Updates the world matrices and bounds of nodes that moved since the last update. These are the last two steps of
/// sinew_scene_update.
SINEW_API void sinew_scene_update_world(sinew_scene *scene);

// ---- Nodes -----------------------------------------------------------------------------------------------------

/// Options for adding a node. Start from sinew_scene_node_default.
typedef struct sinew_scene_node_def {
    const char *name;          ///< UTF-8; not copied, so it must outlive the node; default NULL, same as ""
    sinew_scene_node parent;   ///< a node or joint; the default, none, is the scene
    sinew_transform transform; ///< local transform; the rotation must be unit length; default identity
    void *user;                ///< your own data, see sinew_scene_user; default NULL
    uint32_t cookie;           ///< private: set by sinew_scene_node_default
} sinew_scene_node_def;

/// Returns the default options.
SINEW_API sinew_scene_node_def sinew_scene_node_default(void);

/// Adds a node as the last child of its parent. `def` may be NULL for the defaults. Its world matrix is computed
/// immediately from its parent's current world matrix. On failure `*node` is none. Fails with SINEW_ERROR_ARGUMENT
/// if the parent is stale or the transform isn't finite, or with SINEW_ERROR_LIMIT if there are already max_nodes
/// nodes.
SINEW_API sinew_result sinew_scene_add_node(sinew_scene *scene, const sinew_scene_node_def *def,
                                            sinew_scene_node *node, sinew_error *error);

/// Removes a node or an instance immediately. This also removes all of its descendants and attachments. No-op for a
/// stale handle. You can't remove a joint (asserted; no-op with NDEBUG). An instance's mixer is destroyed unless
/// other instances share its pose. In that case the mixer keeps going, but without the removed instance's edit and
/// solvers.
SINEW_API void sinew_scene_remove(sinew_scene *scene, sinew_scene_node node);

/// Is this handle valid? A valid handle isn't none or stale, and its joint exists in the skeleton. A joint's handle
/// stays valid as long as its instance's handle does.
SINEW_API bool sinew_scene_has(const sinew_scene *scene, sinew_scene_node node);

/// Returns true if two handles are equal.
SINEW_API bool sinew_scene_node_equals(sinew_scene_node a, sinew_scene_node b);

/// What stays the same when you change a node's parent.
typedef enum sinew_reparent_mode {
    /// The local transform. The node moves along with its new parent.
    SINEW_REPARENT_KEEP_LOCAL,
    /// The world matrix, including scale and shear. The node gets a local matrix, as if you had called
    /// sinew_scene_set_matrix.
    SINEW_REPARENT_KEEP_WORLD
} sinew_reparent_mode;

/// Moves a node to a new parent, as its last child. The parent can be a node, a joint, or none for the scene. The
/// cost is proportional to the number of descendants. SINEW_REPARENT_KEEP_WORLD calls sinew_scene_update_world
/// first.
///
/// Fails with SINEW_ERROR_ARGUMENT if either handle is stale, `node` is a joint, the parent is the node itself or
/// one of its descendants, or `mode` is invalid. SINEW_REPARENT_KEEP_WORLD also fails if the parent is scaled to 0
/// along an axis. On failure nothing changes.
SINEW_API sinew_result sinew_scene_set_parent(sinew_scene *scene, sinew_scene_node node, sinew_scene_node parent,
                                              sinew_reparent_mode mode, sinew_error *error);

/// Returns the parent of a node or joint. For one of the skeleton's root joints, this is the instance. Returns none if
/// the node's parent is the scene or the handle is stale.
SINEW_API sinew_scene_node sinew_scene_parent(const sinew_scene *scene, sinew_scene_node node);

/// Finds the first descendant of `top` with this name. Returns none if there isn't one or `top` is stale. The search
/// goes through nodes and joints, depth first, and doesn't include `top` itself. `top` can be a node, a joint, or none
/// for the whole scene. Names are case-sensitive. If you pass "", you get the first node without a name. The cost is
/// linear in the number of nodes and joints searched, and for each joint it also scans all of the instance's
/// attachments.
SINEW_API sinew_scene_node sinew_scene_find(const sinew_scene *scene, sinew_scene_node top, const char *name);

/// Returns the handle of a joint in an instance. `joint` is a node index in the skeleton, not a joint index in a skin.
/// If you pass SINEW_NO_NODE, you get the instance. `instance` can also be a handle to any of its joints. This doesn't
/// check anything. Use sinew_scene_has to find out if the handle is valid.
SINEW_API sinew_scene_node sinew_scene_joint(sinew_scene_node instance, int32_t joint);

/// Finds the first joint with this name in an instance. Returns none if there isn't one, or if `instance` is a
/// plain node.
SINEW_API sinew_scene_node sinew_scene_find_joint(const sinew_scene *scene, sinew_scene_node instance,
                                                  const char *name);

/// Returns the name of a node or joint. Returns "" if it doesn't have a name or the handle is stale. For a node,
/// this is the pointer from its definition. For a joint, it's owned by the skeleton.
SINEW_API const char *sinew_scene_name(const sinew_scene *scene, sinew_scene_node node);

/// Returns the user pointer from a node's definition. For a joint, this is its instance's user pointer. Returns NULL
/// for a stale handle.
SINEW_API void *sinew_scene_user(const sinew_scene *scene, sinew_scene_node node);

// ---- Transforms ------------------------------------------------------------------------------------------------

/// Sets a node's local transform. It takes effect in the next update. The rotation must be a unit quaternion (not
/// checked). The transform must be finite, and the node must not be a joint (both asserted; no-op with NDEBUG).
/// No-op for a stale handle.
SINEW_API void sinew_scene_set_transform(sinew_scene *scene, sinew_scene_node node, sinew_transform transform);

/// Sets a node's local transform to a matrix. The matrix can have shear. Otherwise this is like
/// sinew_scene_set_transform.
SINEW_API void sinew_scene_set_matrix(sinew_scene *scene, sinew_scene_node node, sinew_affine matrix);

/// Returns a node's local transform exactly as you set it, even before the next update. If you set a matrix, you get
/// the result of sinew_affine_decompose, without shear. For a joint, the transform is computed from the model matrices
/// in the last update. It isn't finite if the joint's parent is scaled to 0. Returns the identity for a stale handle.
SINEW_API sinew_transform sinew_scene_transform(const sinew_scene *scene, sinew_scene_node node);

/// Returns the world matrix of a node or joint from the last update. Returns the identity for a stale handle. If
/// you added the node after that update, you get its parent's world matrix × the local transform from its
/// definition.
///
/// Matrices are multiplied with sinew_affine_multiply in this order. Joints use instance × model[joint].
/// Attachments use parent instance × (model[joint] × local). All other nodes use parent × local.
SINEW_API sinew_affine sinew_scene_world(const sinew_scene *scene, sinew_scene_node node);

/// Sets whether a node inherits its parent's scale, starting with the next update. Default true. If false, the node
/// only uses the translation and rotation of its parent's world matrix, from sinew_affine_decompose. The node must
/// not be a joint (asserted; no-op with NDEBUG). No-op for a stale handle.
SINEW_API void sinew_scene_set_inherits_scale(sinew_scene *scene, sinew_scene_node node, bool inherits);

// ---- Attachments -----------------------------------------------------------------------------------------------

/// Attaches `object`, which is a node or an instance, to the first joint named `joint` in another instance. `offset`
/// becomes the object's local transform, relative to the joint. On failure nothing changes. Fails with
/// SINEW_ERROR_ARGUMENT if:
///   - either handle is stale, `object` is a joint, or `instance` is a plain node
///   - `joint` is NULL or can't be found
///   - `offset` isn't finite
///   - `instance` is the object itself or one of its descendants
SINEW_API sinew_result sinew_scene_attach(sinew_scene *scene, sinew_scene_node object, sinew_scene_node instance,
                                          const char *joint, sinew_transform offset, sinew_error *error);

/// Detaches a node, so its parent becomes the scene. No-op for a joint or a stale handle.
SINEW_API void sinew_scene_detach(sinew_scene *scene, sinew_scene_node object, sinew_reparent_mode mode);

/// Swaps two nodes, such as a sword in a hand and a bow on the back. Each node becomes the last child of the other
/// node's parent, and takes over the other node's local transform and sinew_scene_set_inherits_scale setting.
/// Swapping a node with itself is a no-op. Fails with SINEW_ERROR_ARGUMENT if one of them is stale, a joint, or a
/// descendant of the other. On failure nothing changes.
SINEW_API sinew_result sinew_scene_swap(sinew_scene *scene, sinew_scene_node a, sinew_scene_node b,
                                        sinew_error *error);

// ---- Instances -------------------------------------------------------------------------------------------------
//
// Wherever a parameter is named `instance`, you can also pass one of the instance's joints. A *plain node* is a node
// that isn't an instance.

/// Where an instance's pose comes from.
typedef enum sinew_instance_pose {
    SINEW_INSTANCE_POSE_OWN,   ///< its own mixer
    SINEW_INSTANCE_POSE_SHARE, ///< another instance's pose; useful for hair and armor on the same body
    SINEW_INSTANCE_POSE_REST   ///< the rest pose, or what you pass to sinew_scene_use_model; there is no mixer
} sinew_instance_pose;

/// Callback that edits an instance's pose. It's called by every update that poses the instance, after the pose is
/// evaluated and before palettes are computed. You can change `pose`. `model` contains the model matrices for `pose`,
/// computed with sinew_pose_to_model. Return true if they still match the pose, for example after sinew_ik_solve or
/// sinew_foot_placement_solve. Return false if you want them recomputed. `dt` comes from the update, and `user` comes
/// from the instance's node definition.
///
/// To transform a world position into model space, use the inverse of sinew_scene_world for `instance`. World matrices
/// are from the last update. If you've moved the instance since then, call sinew_scene_update_world before
/// sinew_scene_update. If the instance is attached to another instance's joint, you get that joint's position from the
/// last update.
typedef bool (*sinew_instance_edit)(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose,
                                    sinew_affine *model, float dt, void *user);

/// Options for adding an instance. Start from sinew_instance_default. Fields marked POSE_OWN or POSE_SHARE are only
/// used with that `pose`.
typedef struct sinew_instance_def {
    /// Required. The asset must outlive the instance and all instances that share its pose. An asset without
    /// `bounds` or without vertices is never visible and never hit.
    const sinew_asset *asset;
    sinew_scene_node_def node; ///< name, parent, transform and user pointer for the instance's node
    sinew_instance_pose pose;  ///< default SINEW_INSTANCE_POSE_OWN
    /// POSE_OWN: Optional mixer definition. Its skeleton and allocator are replaced with the asset's skeleton and
    /// the scene's allocator. Default NULL, which means sinew_mixer_default.
    const sinew_mixer_def *mixer;
    /// POSE_SHARE: The instance whose pose you want to share. It can be sharing a pose itself.
    sinew_scene_node share;
    sinew_instance_edit edit; ///< POSE_OWN: optional callback that edits the pose; default NULL
    /// POSE_OWN: [solver_count], optional solvers that run after `edit`, using sinew_ik_solve. They aren't copied.
    /// They're read on each update, so you can move their targets. Default NULL.
    const sinew_ik *solvers;
    int32_t solver_count; ///< default 0
    /// POSE_OWN: Optional springs for the asset's skeleton. They run after `solvers`, with the instance's new world
    /// matrix and the scene's wind. Each instance has its own spring state. The springs must outlive the instance
    /// and all instances that share its pose. Default NULL.
    const sinew_springs *springs;
    uint32_t cookie; ///< private: set by sinew_instance_default
} sinew_instance_def;

/// Returns the default options. The instance has its own mixer and is at the origin. You must set `asset`.
SINEW_API sinew_instance_def sinew_instance_default(void);

/// Adds an instance as the last child of its parent. It starts in the rest pose.
///
/// If you use POSE_SHARE and both instances use the same asset, they share their pose, matrices and palettes. If the
/// assets are different, each joint copies the model matrix of the joint with the same name. If several match, it
/// prefers one below its parent's counterpart, and otherwise uses the first. A joint without a counterpart keeps its
/// rest transform relative to its parent. Morph weights aren't shared between different assets and stay at rest.
///
/// On failure `*instance` is none. Fails with:
///   - SINEW_ERROR_ARGUMENT if there is no asset, the parent is stale, or the transform isn't finite.
///   - SINEW_ERROR_ARGUMENT if `share` is stale, or a POSE_REST instance that never used sinew_scene_use_model.
///   - SINEW_ERROR_ARGUMENT if `solvers` is NULL but solver_count is above 0, the springs use a different skeleton,
///     or sinew_mixer_create doesn't accept the mixer definition.
///   - SINEW_ERROR_LIMIT if there are already max_nodes nodes.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_scene_add_instance(sinew_scene *scene, const sinew_instance_def *def,
                                                sinew_scene_node *instance, sinew_error *error);

/// Returns the number of instances in the scene.
SINEW_API int32_t sinew_scene_instance_count(const sinew_scene *scene);

/// Returns an instance by index. The index must be at least 0 and below the count (asserted; returns none with NDEBUG).
/// This is also the instance's bit in the result of sinew_scene_cull. Note that removing an instance can change another
/// instance's index.
SINEW_API sinew_scene_node sinew_scene_instance(const sinew_scene *scene, int32_t index);

/// Returns an instance's asset. Returns NULL for a plain node or a stale handle.
SINEW_API const sinew_asset *sinew_scene_asset(const sinew_scene *scene, sinew_scene_node instance);

/// Sets the wind for all springs. This is the air velocity in world space, in meters per second. Default {0}. Must be
/// finite (asserted; no-op with NDEBUG).
SINEW_API void sinew_scene_set_wind(sinew_scene *scene, sinew_vec3 wind);

/// Returns the mixer that poses an instance. Use it to play clips. The mixer can belong to this instance or be shared.
/// sinew_scene_update updates it for you. Returns NULL for a POSE_REST instance, a plain node, or a stale handle. The
/// scene owns the mixer, unless you set it with sinew_scene_use_mixer. The pointer is valid until you replace the mixer
/// or remove the last instance that uses this pose.
SINEW_API sinew_mixer *sinew_scene_mixer(const sinew_scene *scene, sinew_scene_node instance);

/// Replaces an instance's mixer with a new one. Use this to add layers or root motion, for example. `def` works like
/// `mixer` in sinew_instance_def. Pass NULL for the defaults. The old mixer is destroyed. The new mixer doesn't play
/// anything yet, so the instance goes to the rest pose. Matrices and palettes change immediately. Bounds and
/// attachments follow in the next update. The instance keeps its edit, solvers and attachments. Instances that share
/// the pose also get the new mixer.
///
/// Fails with SINEW_ERROR_ARGUMENT if the instance doesn't have its own mixer or sinew_mixer_create doesn't accept
/// the definition, or with SINEW_ERROR_OUT_OF_MEMORY. On failure nothing changes.
SINEW_API sinew_result sinew_scene_set_mixer(sinew_scene *scene, sinew_scene_node instance,
                                             const sinew_mixer_def *def, sinew_error *error);

/// Replaces an instance's mixer with a mixer that you own, such as an animator's (sinew_animator_mixer). The scene
/// advances and evaluates it, but doesn't destroy it. Keep the mixer alive until you destroy the scene, remove the
/// last instance that uses this pose, or replace the mixer with this function or sinew_scene_set_mixer. If you use
/// an animator, call sinew_animator_advance once per frame before sinew_scene_update, with the same `dt`.
///
/// Otherwise this is like sinew_scene_set_mixer. It also fails with SINEW_ERROR_ARGUMENT if the mixer doesn't use
/// the asset's skeleton, or if it's already posing another instance. Use POSE_SHARE for that.
SINEW_API sinew_result sinew_scene_use_mixer(sinew_scene *scene, sinew_scene_node instance, sinew_mixer *mixer,
                                             sinew_error *error);

/// Shows model matrices that you compute yourself, such as a character's (sinew_character_model). The instance must
/// be a POSE_REST one, so there's no mixer that does the same work.
///
/// `model` [node_count of its asset's skeleton] is in model space. `weights` [weight_count] are morph weights, usually
/// from sinew_mixer_morph_weights. NULL means the rest pose's. Both are yours. They're read now and by each
/// sinew_scene_update, so update your character first. Keep them alive until you pass other ones, remove the last
/// instance that uses this pose, or destroy the scene. Pass NULL as `model` to go back to the rest pose.
///
/// Matrices and palettes change immediately. Bounds and attachments follow in the next update. Instances that share
/// the pose also follow. The instance's own transform is still up to you, so call sinew_scene_set_transform with
/// sinew_character_world. Fails with SINEW_ERROR_ARGUMENT if `instance` is a plain node, a stale handle, or an instance
/// that has a mixer or shares a pose. On failure nothing changes.
SINEW_API sinew_result sinew_scene_use_model(sinew_scene *scene, sinew_scene_node instance,
                                             const sinew_affine *model, const float *weights, sinew_error *error);

/// Returns an instance's model matrices from the last update, [node_count of its asset's skeleton]. Before the first
/// update you get the rest pose. Returns NULL for a plain node or a stale handle. The scene owns the matrices. The
/// pointer stays valid as long as the one from sinew_scene_mixer does. If the instance doesn't have a mixer, it stays
/// valid as long as the instance exists. After sinew_scene_use_model, these are your own matrices.
SINEW_API const sinew_affine *sinew_scene_model_matrices(const sinew_scene *scene, sinew_scene_node instance);

/// Returns an instance's morph weights from the last update, [weight_count of its asset's skeleton]. Otherwise this
/// is like sinew_scene_model_matrices.
SINEW_API const float *sinew_scene_weights(const sinew_scene *scene, sinew_scene_node instance);

/// Returns the palette (skin.h) for a skin in an instance's asset from the last update, [joint_count of the skin].
/// The palette transforms vertices to model space. For world space, use world matrix × palette matrix × vertex.
/// Instances of the same asset that share a pose also share the palette. `skin` must be at least 0 and below the
/// asset's skin_count (asserted; NULL with NDEBUG). Returns NULL for a plain node or a stale handle. The scene owns
/// the palette. It's valid until you remove the last instance that shares it.
SINEW_API const sinew_affine *sinew_scene_palette(const sinew_scene *scene, sinew_scene_node instance,
                                                  int32_t skin);

// ---- Culling and picking ---------------------------------------------------------------------------------------

/// Returns an instance's bounds in world space from the last update. They are empty for a plain node, a stale
/// handle, or an asset without vertices.
SINEW_API sinew_box sinew_scene_bounds(const sinew_scene *scene, sinew_scene_node instance);

/// Finds the instances that a camera might see, using their bounds from the last update. Bit i of the result is for
/// sinew_scene_instance(scene, i). You can read it with sinew_is_visible. The result has SINEW_VISIBLE_WORDS(instance
/// count) words. The scene owns it. It's valid until the next call, or until you add or remove an instance.
///
/// If `skip_unseen` is on, updates only pose instances that were visible in the last call, have a visible attachment or
/// descendant, or were added since then. Other mixers still advance, so you get events and root motion, but edits and
/// solvers don't run. Instances that aren't posed keep their last pose's bounds in model space. If your clips move
/// characters far from their node, use a larger frustum. Only the last call before an update matters. If you cull for
/// several views, such as a camera and a shadow map, make sure the last frustum encloses all of them.
SINEW_API const uint32_t *sinew_scene_cull(sinew_scene *scene, const sinew_frustum *frustum);

/// Describes the first thing that a ray (pick.h) hits.
typedef struct sinew_scene_hit {
    /// The joint with the largest skin weight at the hit, or the mesh's node if there's no skin. For
    /// SINEW_PICK_BOUNDS, this is the instance.
    sinew_scene_node node;
    float distance;        ///< distance along the ray, in multiples of its direction's length
    sinew_vec3 position;   ///< position of the hit in world space
    sinew_asset_hit asset; ///< the hit in the instance's model space; zero for SINEW_PICK_BOUNDS
} sinew_scene_hit;

/// What to test the ray against.
typedef enum sinew_pick_mode {
    /// Skinned triangles. Only instances whose bounds are hit get skinned. Not available in SINEW_NO_SKINNING
    /// builds (asserted; never hits with NDEBUG).
    SINEW_PICK_TRIANGLES,
    SINEW_PICK_BOUNDS ///< only the bounds of each instance
} sinew_pick_mode;

/// Finds the first thing that a world-space ray hits, as of the last update. Returns false if the ray doesn't hit
/// anything. `hit` must not be NULL. It's only written on a hit. Uses up to 36 KB of stack.
SINEW_API bool sinew_scene_pick(sinew_scene *scene, sinew_ray ray, sinew_pick_mode mode, sinew_scene_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
