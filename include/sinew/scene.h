/// The scene: nodes that hang on each other, files placed as instances, and what follows from where they are.
///
/// Every joint of an instance is a node of the scene, so a sword is put into a hand by giving it another parent. One
/// call a frame, sinew_scene_update, brings everything up to date in this order: mixers, edits and solvers, model
/// matrices, palettes, world matrices, bounds. What hangs on a joint is where that joint is now, and not where it was a
/// frame ago.
///
/// A scene belongs to one thread at a time, with everything in it. It takes its memory when it is made, an instance
/// when it is placed; nothing else allocates. Lengths are metres, angles radians.
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

/// A node of a scene, or a joint of an instance in it. The one of zeros is no node. A handle that was given stays that
/// node's for ever: once it has been removed, all calls see that it is gone.
typedef struct sinew_scene_node {
    uint32_t index;      ///< where it is kept
    uint32_t generation; ///< which of those that were kept there; 0: none
    int32_t joint;       ///< a node of that instance's skeleton; SINEW_NO_NODE: the node itself
} sinew_scene_node;

// ---- Making a scene --------------------------------------------------------------------------------------------

/// What a scene is made from.
typedef struct sinew_scene_def {
    int32_t max_nodes; ///< with instances, without their joints: at least 1; default 1024
    bool skip_unseen;  ///< what the last sinew_scene_cull did not see only goes on in time: no poses, no bounds
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_scene_default
} sinew_scene_def;

/// The defaults above.
SINEW_API sinew_scene_def sinew_scene_default(void);

/// Makes an empty scene, to be freed with sinew_scene_destroy. SINEW_ERROR_ARGUMENT for a max_nodes below 1 or above
/// SINEW_MAX_NODES; SINEW_ERROR_OUT_OF_MEMORY. Then `*scene` is NULL, and `error`, which may be NULL, says why.
SINEW_API sinew_result sinew_scene_create(const sinew_scene_def *def, sinew_scene **scene, sinew_error *error);

/// Frees a scene and what it has made: nodes, instances and their mixers. Assets are the caller's. NULL is allowed.
SINEW_API void sinew_scene_destroy(sinew_scene *scene);

/// Brings everything up to date, `dt` seconds (0 or more, finite: asserted; 0 with NDEBUG) on. What it calls, edits and the mixers' events,
/// must add nothing to the scene, remove nothing and hang nothing elsewhere. Costs, beside what mixers and poses
/// cost, as much as there is to bring up to date.
SINEW_API void sinew_scene_update(sinew_scene *scene, float dt);

/// World matrices and bounds alone, of what was moved since: the part of sinew_scene_update behind the poses.
SINEW_API void sinew_scene_update_world(sinew_scene *scene);

// ---- Nodes -----------------------------------------------------------------------------------------------------

/// What a node is made from.
typedef struct sinew_scene_node_def {
    const char *name;          ///< kept, not copied: it must outlive the node; NULL is the same as ""
    sinew_scene_node parent;   ///< a node or joint; none: the scene itself
    sinew_transform transform; ///< in the parent's space
    void *user;                ///< whatever the caller likes; never looked at
    uint32_t cookie;           ///< private: set by sinew_scene_node_default
} sinew_scene_node_def;

/// No name, no parent, no transform to speak of.
SINEW_API sinew_scene_node_def sinew_scene_node_default(void);

/// Adds a node, behind its parent's other children. SINEW_ERROR_ARGUMENT for a parent that is gone or a transform that is
/// not finite, SINEW_ERROR_LIMIT where the scene is full. Then `*node` is none, and `error`, which may be NULL, says why.
SINEW_API sinew_result sinew_scene_add_node(sinew_scene *scene, const sinew_scene_node_def *def,
                                            sinew_scene_node *node, sinew_error *error);

/// Removes a node or an instance with all that hangs on it or on its joints. A pose that another instance shares
/// lives on, without the edit and the solvers of the one that is gone. A joint cannot be removed: it is asserted, and ignored
/// with NDEBUG. Nothing happens where the node is gone.
SINEW_API void sinew_scene_remove(sinew_scene *scene, sinew_scene_node node);

/// Whether a node is still there; a joint is while its instance is.
SINEW_API bool sinew_scene_has(const sinew_scene *scene, sinew_scene_node node);

/// Whether two handles are the same node's.
SINEW_API bool sinew_scene_node_equals(sinew_scene_node a, sinew_scene_node b);

/// How many nodes there are, without joints.
SINEW_API int32_t sinew_scene_node_count(const sinew_scene *scene);

/// What keeps its place when a node gets another parent.
typedef enum sinew_reparent_mode {
    SINEW_REPARENT_KEEP_LOCAL, ///< the transform in the parent's space: the node moves with the new parent
    SINEW_REPARENT_KEEP_WORLD  ///< the place in the world, as it is now, with its scale. Shear stays in the matrix
} sinew_reparent_mode;

/// Gives a node another parent, a node or a joint; none: the scene itself. It comes behind that one's other children.
/// Costs as much as what hangs on the node; SINEW_REPARENT_KEEP_WORLD calls sinew_scene_update_world before.
/// SINEW_ERROR_ARGUMENT, and nothing else happens, where either is gone, the node is a joint, the parent is the node
/// itself or hangs on it, or no matrix keeps the node's place, since the parent is scaled to 0 along an axis. `error`,
/// which may be NULL, says which.
SINEW_API sinew_result sinew_scene_set_parent(sinew_scene *scene, sinew_scene_node node, sinew_scene_node parent,
                                              sinew_reparent_mode mode, sinew_error *error);

/// The parent of a node or joint; that of a skeleton's roots is their instance. None at the top, and where it is gone.
SINEW_API sinew_scene_node sinew_scene_parent(const sinew_scene *scene, sinew_scene_node node);

/// The first of a node's children, or of the scene's where `node` is none: joints, and then what was added, in the
/// order in which it came. None where there are none.
SINEW_API sinew_scene_node sinew_scene_first_child(const sinew_scene *scene, sinew_scene_node node);

/// The next of the parent's children; none behind the last.
SINEW_API sinew_scene_node sinew_scene_next_sibling(const sinew_scene *scene, sinew_scene_node node);

/// The first node or joint of that name below `from`, or in the scene where that is none, in depth-first order. None
/// where there is none. Linear in what there is, and each joint looks through all that hangs on its instance.
SINEW_API sinew_scene_node sinew_scene_find(const sinew_scene *scene, sinew_scene_node from, const char *name);

/// The same by names from parent to child with '/' between: "hero/Hips/Spine". Each is the first child of that name.
SINEW_API sinew_scene_node sinew_scene_find_path(const sinew_scene *scene, sinew_scene_node from, const char *path);

/// A joint of an instance by its number in the skeleton, which is not looked up: what has none of that number is as good
/// as gone (see sinew_scene_has). With SINEW_NO_NODE the instance of a joint.
SINEW_API sinew_scene_node sinew_scene_joint(sinew_scene_node instance, int32_t joint);

/// The first joint of an instance of that name; none where there is none.
SINEW_API sinew_scene_node sinew_scene_find_joint(const sinew_scene *scene, sinew_scene_node instance,
                                                  const char *name);

/// The name of a node or joint; "" where it has none or is gone.
SINEW_API const char *sinew_scene_name(const sinew_scene *scene, sinew_scene_node node);

/// What `user` was; of a joint that of its instance; NULL where it is gone.
SINEW_API void *sinew_scene_user(const sinew_scene *scene, sinew_scene_node node);

// ---- Places ----------------------------------------------------------------------------------------------------

/// Where a node is in its parent's space, from the next update on. A joint, or a transform that is not finite, is asserted,
/// and ignored with NDEBUG. Nothing happens where the node is gone.
SINEW_API void sinew_scene_set_transform(sinew_scene *scene, sinew_scene_node node, sinew_transform transform);

/// The same as a matrix, which may have shear.
SINEW_API void sinew_scene_set_matrix(sinew_scene *scene, sinew_scene_node node, sinew_affine matrix);

/// Where a node is in its parent's space: the bits that were set; of a matrix what sinew_affine_decompose makes of
/// it. Of a joint what its model matrices say, as of the last update; not finite where its parent is scaled to 0. The
/// identity where it is gone.
SINEW_API sinew_transform sinew_scene_transform(const sinew_scene *scene, sinew_scene_node node);

/// The world matrix, as of the last update; of what was added since, on what its parent was then. The identity where
/// the node is gone. That of a node whose parent is a joint
/// is parent instance × (model[joint] × own), multiplied in this order by sinew_affine_multiply; of another node
/// parent × own; of a joint instance × model[joint].
SINEW_API sinew_affine sinew_scene_world(const sinew_scene *scene, sinew_scene_node node);

/// Whether the scale of what a node hangs on reaches it: it does unless this says otherwise. Without, the parent's
/// world matrix has a scale of 1 for it (as sinew_affine_decompose tells scale), and its place and turn stay.
SINEW_API void sinew_scene_set_inherits_scale(sinew_scene *scene, sinew_scene_node node, bool inherits);

// ---- Attaching -------------------------------------------------------------------------------------------------

/// Hangs an object on a joint of an instance, found by name, `offset` from it. SINEW_ERROR_ARGUMENT, with what is
/// missing in `error` (which may be NULL), where either is gone, no joint has that name, or the instance hangs on the
/// object; nothing happens then.
SINEW_API sinew_result sinew_scene_attach(sinew_scene *scene, sinew_scene_node object, sinew_scene_node instance,
                                          const char *joint, sinew_transform offset, sinew_error *error);

/// Takes a node off whatever it hangs on. With SINEW_REPARENT_KEEP_WORLD it stays where it is.
SINEW_API void sinew_scene_detach(sinew_scene *scene, sinew_scene_node object, sinew_reparent_mode mode);

/// Two nodes change places: each gets the other's parent, behind its other children, and the other's transform and say
/// about scale. A sword in the hand and a bow on the back, in one call. SINEW_ERROR_ARGUMENT, and nothing happens, where
/// one is gone, a joint, or hangs on the other. `error`, which may be NULL, says which.
SINEW_API sinew_result sinew_scene_swap(sinew_scene *scene, sinew_scene_node a, sinew_scene_node b,
                                        sinew_error *error);

// ---- Instances -------------------------------------------------------------------------------------------------

/// Where an instance has its pose from.
typedef enum sinew_instance_pose {
    SINEW_INSTANCE_POSE_OWN,   ///< a mixer of its own
    SINEW_INSTANCE_POSE_SHARE, ///< another instance's: hair and armour on one body
    SINEW_INSTANCE_POSE_REST   ///< the rest pose, for ever: it has no mixer
} sinew_instance_pose;

/// Called with each pose of an instance, once it has been evaluated: change it as you like. `model` is what
/// sinew_pose_to_model made of it; return true where it still is (as sinew_ik_solve and sinew_ik_foot_placement_solve
/// leave it), false to have it made again. `user` is that of the instance's node. World matrices are still those of
/// the last update, so what is wanted in the world is brought into model space by where the instance will be. Nothing
/// may be added to the scene, removed or re-parented meanwhile.
typedef bool (*sinew_instance_edit)(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose,
                                    sinew_affine *model, float dt, void *user);

/// What an instance is made from.
typedef struct sinew_instance_def {
    /// Must outlive the instance, and whoever shares its pose. Its `bounds` may be NULL: nothing to see or to hit.
    const sinew_asset *asset;
    sinew_scene_node_def node; ///< its own node: name, parent, transform, user
    sinew_instance_pose pose;  ///< default SINEW_INSTANCE_POSE_OWN
    const sinew_mixer_def
        *mixer; ///< for SINEW_INSTANCE_POSE_OWN; NULL: the default one. Skeleton and allocator are put in
    sinew_scene_node share;   ///< for SINEW_INSTANCE_POSE_SHARE: whose
    sinew_instance_edit edit; ///< for SINEW_INSTANCE_POSE_OWN; or NULL
    const sinew_ik *solvers;  ///< for SINEW_INSTANCE_POSE_OWN: run behind `edit`; the caller's, read in each update
    int32_t solver_count;     ///< of solvers
    uint32_t cookie;          ///< private: set by sinew_instance_default
} sinew_instance_def;

/// No asset, a mixer of its own.
SINEW_API sinew_instance_def sinew_instance_default(void);

/// Places an asset. Any number of instances may be of one asset. With SINEW_INSTANCE_POSE_SHARE an instance of the same
/// asset has the very pose, matrices and palettes of the other; one of another asset has each of its nodes where the
/// other's node of the same name is in model space, and those that it has alone hang on their parents as at rest, as
/// its morph weights are. SINEW_ERROR_ARGUMENT, with what is wrong in `error` (which may be NULL), for no asset, a
/// parent or an instance to share with that is not there or is at rest, or a mixer definition that is not valid;
/// SINEW_ERROR_LIMIT where the scene is full; SINEW_ERROR_OUT_OF_MEMORY. `*instance` is none then.
SINEW_API sinew_result sinew_scene_add_instance(sinew_scene *scene, const sinew_instance_def *def,
                                                sinew_scene_node *instance, sinew_error *error);

/// How many instances there are.
SINEW_API int32_t sinew_scene_instance_count(const sinew_scene *scene);

/// Each of them, 0 <= index < count (asserted; none with NDEBUG). An instance's index, the number of its bit in what sinew_scene_cull
/// tells, may change when another one is removed.
SINEW_API sinew_scene_node sinew_scene_instance(const sinew_scene *scene, int32_t index);

/// What an instance, or the instance of a joint, was placed with; NULL for what is none.
SINEW_API const sinew_asset *sinew_scene_asset(const sinew_scene *scene, sinew_scene_node instance);

/// The mixer that moves an instance, which may be another's; NULL at rest, and for what is no instance. Play with it as
/// you like; sinew_scene_update updates it.
SINEW_API sinew_mixer *sinew_scene_mixer(const sinew_scene *scene, sinew_scene_node instance);

/// Gives an instance that has a mixer of its own another one, made anew from a definition as in sinew_scene_add_instance: with
/// more layers, or with root motion. What hangs on its joints stays there, and whoever shares the pose follows. The new
/// mixer plays nothing yet; the one before it is destroyed. SINEW_ERROR_ARGUMENT, with what is wrong in `error` (which may
/// be NULL), for what has no mixer of its own and for a definition that is not valid; SINEW_ERROR_OUT_OF_MEMORY. All
/// stays as it was then.
SINEW_API sinew_result sinew_scene_set_mixer(sinew_scene *scene, sinew_scene_node instance,
                                             const sinew_mixer_def *def, sinew_error *error);

/// The model matrices of an instance, [node_count of its asset's skeleton]; NULL for what is no instance. They are the
/// scene's, and those of the last update.
SINEW_API const sinew_affine *sinew_scene_model_matrices(const sinew_scene *scene, sinew_scene_node instance);

/// The morph weights of an instance, [weight_count of its asset's skeleton]; otherwise as its model matrices.
SINEW_API const float *sinew_scene_weights(const sinew_scene *scene, sinew_scene_node instance);

/// The palette of a skin of an instance's asset, [joint_count], in model space: the world matrix of the instance goes
/// in front of it. Instances that share a pose share it. NULL for what is no instance; 0 <= skin < skin_count
/// (asserted; NULL with NDEBUG).
SINEW_API const sinew_affine *sinew_scene_palette(const sinew_scene *scene, sinew_scene_node instance,
                                                  int32_t skin);

// ---- Seeing and picking ----------------------------------------------------------------------------------------

/// What holds an instance in the world, as of the last update; empty for what is none and what has no vertices.
SINEW_API sinew_box sinew_scene_bounds(const sinew_scene *scene, sinew_scene_node instance);

/// Finds which instances a camera may see: bit i of what comes back for sinew_scene_instance(scene, i). It is the
/// scene's, until the next call and until an instance is placed or removed; see sinew_is_visible. With
/// `skip_unseen`, the next update leaves out what is not seen, unless something that is seen hangs on it; its
/// bounds stay what they were in its own space, so give it room where its clips lead far away from its node. What has
/// just been placed counts as seen.
SINEW_API const uint32_t *sinew_scene_cull(sinew_scene *scene, const sinew_frustum *frustum);

/// What a ray hits.
typedef struct sinew_scene_hit {
    sinew_scene_node node; ///< the joint that moves the place that was hit most; of mere bounds the instance
    float distance;        ///< along the ray, in lengths of its direction
    sinew_vec3 position;   ///< in the world
    sinew_asset_hit on;    ///< what of the asset, in its model space; zeros for mere bounds
} sinew_scene_hit;

/// How closely is looked.
typedef enum sinew_pick_mode {
    SINEW_PICK_TRIANGLES, ///< at the skinned triangles of what has its bounds on the ray
    SINEW_PICK_BOUNDS     ///< at the bounds alone
} sinew_pick_mode;

/// What a ray in the world hits first, as of the last update; false: nothing. `hit` is written only where true.
SINEW_API bool sinew_scene_pick(sinew_scene *scene, const sinew_ray *ray, sinew_pick_mode mode,
                                sinew_scene_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
