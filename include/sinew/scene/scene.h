// SPDX-License-Identifier: MIT
/// Scenes: a hierarchy of nodes and animated instances, with world matrices, attachments, culling and picking.
///
/// A *node* is anything that you add to a scene. An *instance* is a node that shows an asset (asset.h); an asset
/// can have many instances. A *joint*, in this header, is a node of an instance's skeleton, whether or not a skin
/// uses it. Joints have handles and world matrices, and they can be parents: make a hand the parent of a sword. A
/// node with a joint as parent is an *attachment*. Node counts and limits include instances and attachments, but
/// not joints.
///
/// A node's local transform is in its parent's space. An instance's *model space* is the space of its own node;
/// its poses, model matrices and palettes are in that space. *World space* is the space of nodes without a
/// parent.
///
/// Call sinew_scene_update once a frame. It updates mixers, edits, solvers and springs, model matrices, palettes,
/// world matrices and bounds, in this order. So attachments follow the current pose without lag. Changes to the
/// hierarchy and to transforms reach world matrices at the next sinew_scene_update or sinew_scene_update_world,
/// unless a comment says otherwise.
///
/// The scene doesn't apply root motion to nodes. To use it, read sinew_mixer_root_delta of sinew_scene_mixer
/// after sinew_scene_update, move the instance with sinew_scene_set_transform, and call sinew_scene_update_world.
///
/// The handle {0}, like any handle with a generation of 0, means *none*. As a parent or `top`, none means the
/// scene. A handle becomes *stale* when its node is removed. All functions accept stale handles and say what they do
/// with them. They treat none the same way, unless it means the scene. They also treat a joint that the skeleton
/// doesn't have the same way. A handle of another scene isn't detected.
///
/// Only one thread at a time may use a scene and everything in it. A scene allocates when you create it, add an
/// instance or replace a mixer, and at no other time. Functions that fail say why in `error`, which may be NULL.
/// `scene` must not be NULL (asserted; undefined with NDEBUG). Lengths are metres, angles radians.
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

/// A handle to a node, or to a joint of an instance. Handles are never reused, even after the node is removed.
typedef struct sinew_scene_node {
    uint32_t index;      ///< slot in the scene's memory
    uint32_t generation; ///< grows when the slot is reused; 0: none
    int32_t joint;       ///< node of the instance's skeleton; SINEW_NO_NODE (-1): the node itself
} sinew_scene_node;

// ---- Creating and updating -------------------------------------------------------------------------------------

/// The definition of a scene. Start from sinew_scene_default.
typedef struct sinew_scene_def {
    int32_t max_nodes; ///< nodes and instances, without joints: 1 to SINEW_MAX_NODES (skeleton.h); default 1024
    bool skip_unseen;  ///< pose only instances that sinew_scene_cull found visible; default false
    sinew_allocator allocator; ///< for the scene and its mixers; default zeros: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_scene_default
} sinew_scene_def;

/// Returns the defaults above.
SINEW_API sinew_scene_def sinew_scene_default(void);

/// Creates an empty scene. Free it with sinew_scene_destroy. `def` may be NULL for the defaults. Fails with
/// SINEW_ERROR_ARGUMENT if max_nodes is out of range, or with SINEW_ERROR_OUT_OF_MEMORY. On failure `*scene` is
/// NULL.
SINEW_API sinew_result sinew_scene_create(const sinew_scene_def *def, sinew_scene **scene, sinew_error *error);

/// Frees a scene with its nodes, instances and mixers, or nothing if NULL. It doesn't free assets.
SINEW_API void sinew_scene_destroy(sinew_scene *scene);

/// Advances all instances by `dt` seconds, then updates poses, palettes, world matrices and bounds. `dt` must be
/// finite and 0 or more (asserted; 0 with NDEBUG). Besides mixers and poses, the cost is proportional to the
/// number of nodes that moved. Uses up to 170 KB of stack.
///
/// During the update, your callbacks (sinew_instance_edit, and a mixer's on_event) must not add, remove or
/// reparent nodes, replace mixers, or update or destroy the scene. This is asserted. With NDEBUG such a call is a
/// no-op and returns SINEW_ERROR_ARGUMENT if it has a result. Make these changes after the update.
SINEW_API void sinew_scene_update(sinew_scene *scene, float dt);

/// Updates world matrices and bounds of nodes that moved since the last update. These are the last two steps of
/// sinew_scene_update.
SINEW_API void sinew_scene_update_world(sinew_scene *scene);

// ---- Nodes -----------------------------------------------------------------------------------------------------

/// The definition of a node. Start from sinew_scene_node_default.
typedef struct sinew_scene_node_def {
    const char *name;          ///< UTF-8, not copied; must outlive the node; default NULL, same as ""
    sinew_scene_node parent;   ///< a node or joint; default none: the scene
    sinew_transform transform; ///< local transform with a unit rotation; default identity
    void *user;                ///< for sinew_scene_user; default NULL
    uint32_t cookie;           ///< private: set by sinew_scene_node_default
} sinew_scene_node_def;

/// Returns the defaults above.
SINEW_API sinew_scene_node_def sinew_scene_node_default(void);

/// Adds a node as the last child of its parent. `def` may be NULL for the defaults. The node has a world matrix
/// immediately, computed from its parent's current one. Fails with SINEW_ERROR_ARGUMENT if the parent is stale or
/// the transform isn't finite, or with SINEW_ERROR_LIMIT if max_nodes are in use. On failure `*node` is none.
SINEW_API sinew_result sinew_scene_add_node(sinew_scene *scene, const sinew_scene_node_def *def,
                                            sinew_scene_node *node, sinew_error *error);

/// Removes a node or an instance immediately, with all descendants and attachments. No-op for a stale handle. Must not
/// be a joint (asserted; no-op with NDEBUG). An instance's mixer is destroyed, unless other instances share the
/// pose. In that case the mixer stays, but the removed instance's edit and solvers stop.
SINEW_API void sinew_scene_remove(sinew_scene *scene, sinew_scene_node node);

/// Returns true if a handle is valid: not none, not stale, and its joint exists in the skeleton. A joint's handle
/// is valid as long as its instance's.
SINEW_API bool sinew_scene_has(const sinew_scene *scene, sinew_scene_node node);

/// Returns true if two handles are equal.
SINEW_API bool sinew_scene_node_equals(sinew_scene_node a, sinew_scene_node b);

/// What to keep when a node's parent changes.
typedef enum sinew_reparent_mode {
    /// The local transform, so the node moves with its new parent.
    SINEW_REPARENT_KEEP_LOCAL,
    /// The world matrix, with scale and shear. The node gets a local matrix, like from sinew_scene_set_matrix.
    SINEW_REPARENT_KEEP_WORLD
} sinew_reparent_mode;

/// Makes a node the last child of another parent: a node, a joint, or none for the scene. The cost is
/// proportional to the number of descendants. SINEW_REPARENT_KEEP_WORLD calls sinew_scene_update_world first.
///
/// Fails with SINEW_ERROR_ARGUMENT if either handle is stale, `node` is a joint, the parent is the node or its
/// descendant, or `mode` is invalid. KEEP_WORLD also fails if the parent is scaled to 0 along an axis. On failure
/// nothing changes.
SINEW_API sinew_result sinew_scene_set_parent(sinew_scene *scene, sinew_scene_node node, sinew_scene_node parent,
                                              sinew_reparent_mode mode, sinew_error *error);

/// Returns the parent of a node or joint. The parent of a skeleton's root is its instance. Returns none for a
/// child of the scene and for a stale handle.
SINEW_API sinew_scene_node sinew_scene_parent(const sinew_scene *scene, sinew_scene_node node);

/// Returns the first descendant of `top` with that name, or none. Searches nodes and joints depth first, without
/// `top` itself. `top` is a node, a joint, or none for the whole scene. Names are case-sensitive; "" finds the
/// first node without a name. Returns none if `top` is stale. The cost is linear in the nodes and joints searched,
/// but each joint also scans all attachments of its instance.
SINEW_API sinew_scene_node sinew_scene_find(const sinew_scene *scene, sinew_scene_node top, const char *name);

/// Returns the handle of an instance's joint. `joint` is a node index in the skeleton, not a joint index in a
/// skin; SINEW_NO_NODE returns the instance. `instance` may also be the handle of another joint. Nothing is
/// checked: use sinew_scene_has to find out if the handle is valid.
SINEW_API sinew_scene_node sinew_scene_joint(sinew_scene_node instance, int32_t joint);

/// Returns an instance's first joint with that name; none if there isn't one, and for a plain node.
SINEW_API sinew_scene_node sinew_scene_find_joint(const sinew_scene *scene, sinew_scene_node instance,
                                                  const char *name);

/// Returns the name of a node or joint; "" without a name and for a stale handle. A node's name is the pointer from its
/// definition. A joint's name belongs to the skeleton.
SINEW_API const char *sinew_scene_name(const sinew_scene *scene, sinew_scene_node node);

/// Returns `user` from a node's definition; for a joint, its instance's. NULL for a stale handle.
SINEW_API void *sinew_scene_user(const sinew_scene *scene, sinew_scene_node node);

// ---- Transforms ------------------------------------------------------------------------------------------------

/// Sets a node's local transform, for the next update. The rotation must be a unit quaternion (not checked). The transform
/// must be finite, and the node must not be a joint (both asserted; no-op with NDEBUG). No-op for a stale
/// handle.
SINEW_API void sinew_scene_set_transform(sinew_scene *scene, sinew_scene_node node, sinew_transform transform);

/// Sets a node's local transform to a matrix, which can have shear. Otherwise like sinew_scene_set_transform.
SINEW_API void sinew_scene_set_matrix(sinew_scene *scene, sinew_scene_node node, sinew_affine matrix);

/// Returns a node's local transform exactly as it was set, even before the next update. For a matrix it returns
/// sinew_affine_decompose's result, without shear. A joint's transform is computed from the model matrices of the
/// last update; it isn't finite if the joint's parent is scaled to 0. Returns the identity for a stale handle.
SINEW_API sinew_transform sinew_scene_transform(const sinew_scene *scene, sinew_scene_node node);

/// Returns the world matrix of a node or joint from the last update; the identity for a stale handle. A node added
/// since then has its parent's world matrix from that update × the local transform in its definition.
///
/// The products are computed by sinew_affine_multiply in this order. For a joint: instance × model[joint]. For an
/// attachment: parent instance × (model[joint] × local). For any other node: parent × local.
SINEW_API sinew_affine sinew_scene_world(const sinew_scene *scene, sinew_scene_node node);

/// Sets whether a node inherits its parent's scale, starting with the next update. The default is true. If false, only
/// translation and rotation of the parent's world matrix are used, from sinew_affine_decompose. The node must not
/// be a joint (asserted; no-op with NDEBUG). No-op for a stale handle.
SINEW_API void sinew_scene_set_inherits_scale(sinew_scene *scene, sinew_scene_node node, bool inherits);

// ---- Attachments -----------------------------------------------------------------------------------------------

/// Attaches a node or an instance, `object`, to the first joint named `joint` of another instance. `offset`
/// becomes its local transform in the joint's space. On failure nothing changes. Fails with SINEW_ERROR_ARGUMENT
/// if:
///   - either handle is stale, `object` is a joint, or `instance` is a plain node
///   - `joint` is NULL or not found
///   - `offset` isn't finite
///   - the instance is the object or its descendant
SINEW_API sinew_result sinew_scene_attach(sinew_scene *scene, sinew_scene_node object, sinew_scene_node instance,
                                          const char *joint, sinew_transform offset, sinew_error *error);

/// Makes a node a child of the scene. No-op for a joint and a stale handle.
SINEW_API void sinew_scene_detach(sinew_scene *scene, sinew_scene_node object, sinew_reparent_mode mode);

/// Swaps two nodes, such as the sword in a hand and the bow on the back. Each becomes the last child of the
/// other's parent, with the other's local transform and sinew_scene_set_inherits_scale setting. Swapping a node
/// with itself is a no-op. Fails with SINEW_ERROR_ARGUMENT if one is stale, a joint, or a descendant of the other.
/// On failure nothing changes.
SINEW_API sinew_result sinew_scene_swap(sinew_scene *scene, sinew_scene_node a, sinew_scene_node b,
                                        sinew_error *error);

// ---- Instances -------------------------------------------------------------------------------------------------
//
// Parameters named `instance` also accept a joint of the instance. A *plain node* is a node that isn't an instance.

/// Where an instance's pose comes from.
typedef enum sinew_instance_pose {
    SINEW_INSTANCE_POSE_OWN,   ///< its own mixer
    SINEW_INSTANCE_POSE_SHARE, ///< another instance's pose, for hair and armour on one body
    SINEW_INSTANCE_POSE_REST   ///< always the rest pose, without a mixer
} sinew_instance_pose;

/// Edits an instance's pose. Every update that poses the instance calls it, after evaluating the pose and before
/// computing palettes. It may change `pose`. `model` holds the model matrices of `pose`, from
/// sinew_pose_to_model. Return true if they still match the pose, for example after sinew_ik_solve or
/// sinew_foot_placement_solve. Return false to have them recomputed. `dt` is the update's, `user` the instance
/// node's.
///
/// To bring a world position into model space, use the inverse of sinew_scene_world of `instance`. World matrices
/// are from the last update. If you moved the instance since, call sinew_scene_update_world before
/// sinew_scene_update. An instance on another instance's joint is still where that joint was in the last update.
typedef bool (*sinew_instance_edit)(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose,
                                    sinew_affine *model, float dt, void *user);

/// The definition of an instance. Start from sinew_instance_default. Fields marked POSE_OWN or POSE_SHARE are
/// ignored with another `pose`.
typedef struct sinew_instance_def {
    /// The asset; must be set. It must outlive the instance and all instances that share its pose. An asset
    /// without `bounds`, because it has no vertices, is never visible and never hit.
    const sinew_asset *asset;
    sinew_scene_node_def node; ///< name, parent, transform and user of the instance's node
    sinew_instance_pose pose;  ///< default SINEW_INSTANCE_POSE_OWN
    /// POSE_OWN: the mixer's definition; NULL (default): sinew_mixer_default. The asset's skeleton and the
    /// scene's allocator replace those in the definition.
    const sinew_mixer_def *mixer;
    /// POSE_SHARE: the instance to share the pose with. It may itself share.
    sinew_scene_node share;
    sinew_instance_edit edit; ///< POSE_OWN: edits the pose; default NULL
    /// POSE_OWN: [solver_count], solved by sinew_ik_solve after `edit`. Not copied: each update reads them, so
    /// you can move their targets. Default NULL.
    const sinew_ik *solvers;
    int32_t solver_count; ///< default 0
    /// POSE_OWN: springs of the asset's skeleton, solved after `solvers` with the instance's new world matrix and
    /// the scene's wind. Each instance has its own spring state. They must outlive the instance and all instances
    /// that share its pose. Default NULL.
    const sinew_springs *springs;
    uint32_t cookie; ///< private: set by sinew_instance_default
} sinew_instance_def;

/// Returns the defaults: an instance with its own mixer, at the origin. `asset` must be set.
SINEW_API sinew_instance_def sinew_instance_default(void);

/// Adds an instance as the last child of its parent, in the rest pose.
///
/// POSE_SHARE with an instance of the same asset shares pose, matrices and palettes. With another asset, each
/// joint copies the model matrix of the joint with the same name. If several have the name, it prefers one below
/// its parent's counterpart, else the first. A joint without a counterpart keeps its rest transform below its
/// parent. Morph weights aren't shared between assets; they stay at rest.
///
/// On failure `*instance` is none. Fails with:
///   - SINEW_ERROR_ARGUMENT for no asset, a stale parent, or a transform that isn't finite.
///   - SINEW_ERROR_ARGUMENT for a `share` that is stale or always in the rest pose.
///   - SINEW_ERROR_ARGUMENT for NULL solvers with a solver_count above 0, springs of another skeleton, or a mixer
///     definition that sinew_mixer_create refuses.
///   - SINEW_ERROR_LIMIT if max_nodes are in use.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_scene_add_instance(sinew_scene *scene, const sinew_instance_def *def,
                                                sinew_scene_node *instance, sinew_error *error);

/// Returns the number of instances.
SINEW_API int32_t sinew_scene_instance_count(const sinew_scene *scene);

/// Returns an instance by index, 0 <= index < count (asserted; none with NDEBUG). The index is the instance's bit
/// in the result of sinew_scene_cull. Removing an instance can change the index of another.
SINEW_API sinew_scene_node sinew_scene_instance(const sinew_scene *scene, int32_t index);

/// Returns an instance's asset; NULL for a plain node and a stale handle.
SINEW_API const sinew_asset *sinew_scene_asset(const sinew_scene *scene, sinew_scene_node instance);

/// Sets the wind for all springs: the air's velocity in world space, m/s. Default {0}. Must be finite (asserted;
/// no-op with NDEBUG).
SINEW_API void sinew_scene_set_wind(sinew_scene *scene, sinew_vec3 wind);

/// Returns the mixer that poses an instance, its own or shared, to play clips with. sinew_scene_update updates
/// it. NULL for an instance that is always in the rest pose, for a plain node and a stale handle. The
/// scene owns the mixer, unless sinew_scene_use_mixer set it. The pointer is valid until the mixer is replaced or
/// the last instance with this pose is removed.
SINEW_API sinew_mixer *sinew_scene_mixer(const sinew_scene *scene, sinew_scene_node instance);

/// Replaces an instance's mixer with a new one, for example to add layers or root motion. `def` is like in
/// sinew_instance_def, and NULL uses the defaults. The old mixer is destroyed. The new one plays nothing, so the
/// instance is in the rest pose: its matrices and palettes immediately, bounds and attachments after the next
/// update. Edit, solvers and attachments stay, and instances that share the pose follow.
///
/// Fails with SINEW_ERROR_ARGUMENT if the instance doesn't have its own mixer or sinew_mixer_create refuses the
/// definition, or with SINEW_ERROR_OUT_OF_MEMORY. On failure nothing changes.
SINEW_API sinew_result sinew_scene_set_mixer(sinew_scene *scene, sinew_scene_node instance,
                                             const sinew_mixer_def *def, sinew_error *error);

/// Replaces an instance's mixer with one that you own, such as an animator's (sinew_animator_mixer). The scene
/// advances and evaluates it, but doesn't destroy it. It must outlive the scene or the last instance with this
/// pose, unless you replace it with this function or sinew_scene_set_mixer. For an animator, call
/// sinew_animator_advance once a frame before sinew_scene_update, with the same `dt`.
///
/// Otherwise like sinew_scene_set_mixer. Also fails with SINEW_ERROR_ARGUMENT if the mixer's skeleton isn't the
/// asset's, or the mixer already poses another instance. Use POSE_SHARE for that.
SINEW_API sinew_result sinew_scene_use_mixer(sinew_scene *scene, sinew_scene_node instance, sinew_mixer *mixer,
                                             sinew_error *error);

/// Returns an instance's model matrices from the last update, [node_count of its asset's skeleton]. Before the
/// first update they are the rest pose's. NULL for a plain node and a stale handle. The scene owns
/// them. The pointer is valid as long as sinew_scene_mixer's, or as long as the instance if it has no mixer.
SINEW_API const sinew_affine *sinew_scene_model_matrices(const sinew_scene *scene, sinew_scene_node instance);

/// Returns an instance's morph weights from the last update, [weight_count of its asset's skeleton]. Otherwise
/// like sinew_scene_model_matrices.
SINEW_API const float *sinew_scene_weights(const sinew_scene *scene, sinew_scene_node instance);

/// Returns the palette (skin.h) for one skin of an instance's asset from the last update, [joint_count of the
/// skin]. It brings vertices to model space; in the world a vertex is world matrix × palette matrix × vertex.
/// Instances of one asset with a shared pose return the same palette. 0 <= skin < skin_count (asserted; NULL with
/// NDEBUG). NULL for a plain node and a stale handle. The scene owns the palette. It is valid until
/// the last instance that shares it is removed.
SINEW_API const sinew_affine *sinew_scene_palette(const sinew_scene *scene, sinew_scene_node instance,
                                                  int32_t skin);

// ---- Culling and picking ---------------------------------------------------------------------------------------

/// Returns an instance's world bounds from the last update; empty for a plain node, a stale handle,
/// and for an asset without vertices.
SINEW_API sinew_box sinew_scene_bounds(const sinew_scene *scene, sinew_scene_node instance);

/// Finds the instances that a camera may see, with their bounds from the last update. Bit i of the result belongs
/// to sinew_scene_instance(scene, i); read it with sinew_is_visible. The result has SINEW_VISIBLE_WORDS(instance
/// count) words. The scene owns it. It is valid until the next call, or until an instance is added or removed.
///
/// With `skip_unseen`, updates pose only the instances found visible by the last call, instances with a visible
/// attachment or descendant, and instances added since. Other mixers still advance, so events and root motion
/// continue, but edits and solvers don't run. Unposed instances keep the bounds of their last pose, in model
/// space. Use a larger frustum if clips move far from the node. If you cull for several views, such as a camera
/// and a shadow map, only the last call before the update counts. Give it a frustum that encloses all views.
SINEW_API const uint32_t *sinew_scene_cull(sinew_scene *scene, const sinew_frustum *frustum);

/// The first hit of a ray (pick.h).
typedef struct sinew_scene_hit {
    /// The joint with the largest skin weight at the hit, or the mesh's node. SINEW_PICK_BOUNDS: the instance.
    sinew_scene_node node;
    float distance;        ///< along the ray, in multiples of its direction's length
    sinew_vec3 position;   ///< in world space
    sinew_asset_hit asset; ///< the hit in the instance's model space; zeros for SINEW_PICK_BOUNDS
} sinew_scene_hit;

/// What to test a ray against.
typedef enum sinew_pick_mode {
    /// The skinned triangles of the instances whose bounds are hit. Must not be used in a SINEW_NO_SKINNING build
    /// (asserted; no hits with NDEBUG).
    SINEW_PICK_TRIANGLES,
    SINEW_PICK_BOUNDS ///< the instances' bounds
} sinew_pick_mode;

/// Finds a world-space ray's first hit, as of the last update. Returns false if there is none. `hit` must not be
/// NULL; it is written only for a hit. Uses up to 36 KB of stack.
SINEW_API bool sinew_scene_pick(sinew_scene *scene, sinew_ray ray, sinew_pick_mode mode, sinew_scene_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
