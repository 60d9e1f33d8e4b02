// SPDX-License-Identifier: MIT
/// Springs: chains of joints that sway, such as hair, scarves, skirts and tails.
///
/// Springs edit a local pose (pose.h) after the mixer and inverse kinematics. You need your own array of model
/// matrices. Each frame:
///
///     sinew_mixer_advance(mixer, dt);
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_springs_input input = sinew_springs_input_default();
///     input.world = world;                                // the character's transform this frame
///     sinew_springs_solve(springs, &input, dt, state, pose, model); // also updates `model`
///
/// If you use a scene, use sinew_instance_def.springs instead (scene/scene.h).
///
/// A chain swings like a rope made of rods. Each joint has a *tail*, which is the position of the next joint in
/// the chain. All tails have the same mass. They have inertia, fall, get pulled toward the pose, and stay out of
/// colliders.
///
/// sinew_springs is the compiled definition for a skeleton. It is read-only, so all characters and threads can
/// share it. sinew_spring_state is one character's state. It lives in your own memory and needs
/// sinew_springs_state_size bytes. The state is plain data without pointers, so you can copy the bytes to take a
/// snapshot. Repeating the same calls from the same state gives bit-identical results on every machine.
///
/// Time: the simulation uses a fixed time step, and carries the remainder of a frame over to the next frame. The
/// pose is interpolated between steps, so it matches the frame's exact time. The character's motion is
/// interpolated from the last frame. As a result, you get the same motion at 30, 60 and 240 Hz, except for details
/// that lower frame rates miss.
///
/// Spaces: the simulation runs in world space. Gravity and wind are also in world space. sinew_springs_input.world
/// is the character's transform from model space to world space. If the character stands on a moving platform,
/// pass the transform to the platform's space instead. Lengths in joints and colliders (tail, radius, offset) are
/// in the local space of their node and scale with it. Lengths are in meters and angles are in radians. Positions
/// are floats, so their resolution is only 0.1 mm once you're more than 1 km from the origin.
///
/// What you can expect from the physics:
///   - Joints pull on each other in both directions. If there is no friction and the pose doesn't move, a chain's
///     energy never exceeds its initial energy, no matter how long the chain is. Chains are stable at any
///     stiffness.
///   - Stiffness pulls each bone toward its direction in the pose, as hard as gravity with the same strength. A
///     bone at rest points along the sum of stiffness and gravity, no matter how long the chain is. The direction
///     in the pose doesn't rotate with the bone's parent joints.
///   - Angle limits are in world space, and are met exactly on every frame.
///   - Only the tails collide, as spheres. The bones connecting them don't. A tail stays out of a collider to
///     within 1e-4 of the bone's length, unless the bone is too short to get out, or a limit or a second collider
///     gets in the way.
///   - Non-uniform and negative scale are allowed, but colliders are only approximate if the scale is non-uniform.
///     Shear in a chain's nodes (see shear_nodes in the skeleton) is ignored. A bone that changes length keeps its
///     direction.
#ifndef SINEW_SPRING_H
#define SINEW_SPRING_H

#include "../pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Definitions ---------------------------------------------------------------------------------------------

/// The shape of a collider.
typedef enum sinew_spring_shape {
    SINEW_SPRING_SHAPE_SPHERE,  ///< a sphere centered at `offset`
    SINEW_SPRING_SHAPE_CAPSULE, ///< a capsule from `offset` to `tail`
    SINEW_SPRING_SHAPE_PLANE    ///< the half-space behind a plane through `offset`
} sinew_spring_shape;

/// A volume that tails stay out of. Start from sinew_spring_collider_default.
typedef struct sinew_spring_collider {
    sinew_spring_shape shape; ///< default SINEW_SPRING_SHAPE_SPHERE
    int32_t node;             ///< the node it moves with; SINEW_NO_NODE (default) means fixed in the world
    bool inside;              ///< spheres and capsules: keep tails inside instead; default false
    sinew_vec3 offset;        ///< in the node's local space, or in the world if there is no node; default {0}
    sinew_vec3 tail;          ///< capsules: the other end, in the same space; default {0}
    /// Planes: points toward the allowed side, in the same space; can have any length; default +Y.
    sinew_vec3 normal;
    /// Spheres and capsules: the radius, 0 or more. Default 0. Scales with the node's largest scale, unless the
    /// chain has `vrm` set.
    float radius;
    uint32_t cookie; ///< private: set by sinew_spring_collider_default
} sinew_spring_collider;

/// A joint in a chain. Start from sinew_spring_joint_default.
typedef struct sinew_spring_joint {
    int32_t node; ///< the node that rotates; must be set
    /// How hard the joint is pulled toward the pose. This is an acceleration in m/s², 0 or more. Default 20. A
    /// value of 9.81 is as strong as gravity. If there's no gravity, a chain with a single bone of length L swings
    /// with a period of 2 pi sqrt(L / stiffness).
    float stiffness;
    /// Internal friction: the half-life of motion relative to the pose, in seconds. Default 0.15. If this is 0,
    /// the tail never overshoots. INFINITY disables the friction.
    float damping;
    /// Air friction: the half-life of motion relative to the air, in seconds. Default 0.5. It makes the tail lag
    /// behind when the character moves. If this is 0, the tail moves with the air. INFINITY disables the
    /// friction.
    float drag;
    sinew_vec3 gravity; ///< acceleration in the world, in m/s²; default (0, -9.81, 0)
    float wind;         ///< how much of the wind reaches the joint; wind acts through `drag`; default 1
    /// Maximum angle between the bone and the pose, from 0 to pi. The limit rotates with the parent joints.
    /// Default pi, which means no limit.
    float limit;
    /// Radius of the tail for collisions, 0 or more. Default 0. It is in the joint's local space, or in world
    /// space if the chain has `vrm` set.
    float radius;
    uint32_t cookie; ///< private: set by sinew_spring_joint_default
} sinew_spring_joint;

/// A chain of joints. Start from sinew_spring_chain_default.
typedef struct sinew_spring_chain {
    /// [joint_count], from root to tip. Each joint must be an ancestor of the next. Nodes between two joints keep
    /// their local transforms. A node can only be in one chain.
    const sinew_spring_joint *joints;
    int32_t joint_count; ///< 1 or more
    /// The last joint's tail, in its local space. If it's {0} (default), the last joint doesn't rotate and only
    /// serves as the previous joint's tail.
    sinew_vec3 tail;
    /// Inertia is relative to this node. SINEW_NO_NODE (default) means relative to the world. For example, use the
    /// hips if you want hair to react to body movement but not to running. This can't be a node that a chain
    /// moves. Its scale is ignored.
    int32_t center;
    /// [collider_count], indices into the definition's colliders; chains can share this array.
    const int32_t *colliders;
    int32_t collider_count; ///< default 0
    /// Blends from the pose (0) to the springs (1). Default 1. If the weight is 0, the chain isn't simulated and
    /// the pose isn't touched. When you raise the weight again, the chain starts at rest in the pose.
    float weight;
    /// Makes joints return to the rest pose and ignore their rotations in the pose. This is useful for clips that
    /// contain hand-keyed motion for the chain. Default false.
    bool from_rest;
    /// Use the update rule from VRMC_springBone 1.0. A joint's pose rotates with its parents, children never move
    /// their parents, each collider only pushes once, and radii are in world space and don't scale. Long chains
    /// tend to whip. Default false.
    bool vrm;
    uint32_t cookie; ///< private: set by sinew_spring_chain_default
} sinew_spring_chain;

/// Parameters for sinew_springs_create. Start from sinew_springs_default.
typedef struct sinew_springs_def {
    const sinew_skeleton *skeleton;         ///< required; must outlive the springs
    const sinew_spring_chain *chains;       ///< [chain_count]
    int32_t chain_count;                    ///< 0 or more
    const sinew_spring_collider *colliders; ///< [collider_count]
    int32_t collider_count;                 ///< default 0
    float step;                             ///< time step of the simulation in seconds, 0.001 to 0.1; default 1/60
    /// The maximum number of steps per frame, from 1 to 1000. Default 8. If a frame is longer than that, only the
    /// end of the frame is simulated. For the rest of the frame, chains move rigidly with their parents and keep
    /// their own motion.
    int32_t max_steps;
    /// If a chain's parent moves farther than this in one frame, it's treated as a teleport. In meters, in world
    /// space. Default 2. After a teleport the chain keeps its shape and motion, as if the parent had arrived at
    /// its last velocity. If the parent's last velocity accounts for the distance, it isn't a teleport.
    float teleport_distance;
    sinew_allocator allocator; ///< zero (default) means the C library's heap
    uint32_t cookie;           ///< private: set by sinew_springs_default
} sinew_springs_def;

/// Returns the defaults above. Any thread.
SINEW_API sinew_spring_collider sinew_spring_collider_default(void);

/// Returns the defaults above. You must set `node`. Any thread.
SINEW_API sinew_spring_joint sinew_spring_joint_default(void);

/// Returns the defaults above. You must set `joints` and `joint_count`. Any thread.
SINEW_API sinew_spring_chain sinew_spring_chain_default(void);

/// Returns the defaults above. You must set `skeleton` and `chains`. Any thread.
SINEW_API sinew_springs_def sinew_springs_default(void);

// ---- Springs -------------------------------------------------------------------------------------------------

/// Compiled springs. Read-only, so any number of characters and threads can share them.
typedef struct sinew_springs sinew_springs;

/// Creates springs. Free them with sinew_springs_destroy. The definition is copied, except for the skeleton. On
/// failure `*springs` is NULL. `error` may be NULL. Any thread.
///
/// Fails with SINEW_ERROR_OUT_OF_MEMORY. Fails with SINEW_ERROR_ARGUMENT, and names the chain, joint or collider
/// in `error`, if:
///   - a struct wasn't initialized with its default function
///   - a node or an index is out of range
///   - joints are out of order, or a node is in two chains
///   - a chain moves a `center` node
///   - a number is negative or infinite where that isn't allowed
SINEW_API sinew_result sinew_springs_create(const sinew_springs_def *def, sinew_springs **springs,
                                            sinew_error *error);

/// Frees springs. NULL is allowed. You don't have to free states.
SINEW_API void sinew_springs_destroy(sinew_springs *springs);

/// Returns the total number of rotating joints in all chains. Any thread.
SINEW_API int32_t sinew_springs_joint_count(const sinew_springs *springs);

// ---- State ---------------------------------------------------------------------------------------------------

/// The state of a character's springs. It lives in your own memory.
typedef struct sinew_spring_state sinew_spring_state;

/// Returns the size of a state in bytes. The memory must be aligned like a float. Any thread.
///
/// The size is about 120 bytes per joint, 130 bytes per chain, and another 160 bytes per joint in the 16 longest
/// chains. It's larger if the chains have different lengths, or if the number of chains isn't a multiple of 4.
SINEW_API size_t sinew_springs_state_size(const sinew_springs *springs);

/// Initializes or resets a state. At the next solve, all chains start at rest in the pose. Call this for a new
/// character. Also call it after a seek or a teleport if the chains shouldn't keep their motion.
SINEW_API void sinew_springs_reset(const sinew_springs *springs, sinew_spring_state *state);

/// The input for a solve. Start from sinew_springs_input_default.
typedef struct sinew_springs_input {
    sinew_affine world; ///< transform from the character's model space to world space; default identity
    sinew_vec3 wind;    ///< air velocity in world space, in m/s; default {0}
    float weight;       ///< multiplies the weights of all chains, 0 to 1; default 1
    uint32_t cookie;    ///< private: set by sinew_springs_input_default
} sinew_springs_input;

/// Returns the defaults above. Any thread.
SINEW_API sinew_springs_input sinew_springs_input_default(void);

/// Advances the springs by `dt` seconds and rotates the joints. `dt` must be 0 or more. `pose` must use the same
/// skeleton as the springs (asserted). `model` has [node_count] matrices, which must be up to date and are kept
/// up to date. `state` must have been reset with the same springs (asserted if it was never reset).
///
/// This never allocates or fails, and uses about 17 KB of stack. Only one thread at a time can use a state, a
/// pose and its matrices.
///
/// A chain at rest goes to sleep as long as nothing around it changes. A sleeping chain stays bit-identical and
/// costs almost nothing. Weights are clamped to [0, 1], and NaN is treated as 0. If the input isn't finite or `dt`
/// is negative, the pose and the state don't change. If a chain's pose isn't finite, the chain is skipped and then
/// starts over at rest.
SINEW_API void sinew_springs_solve(const sinew_springs *springs, const sinew_springs_input *input, float dt,
                                   sinew_spring_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
