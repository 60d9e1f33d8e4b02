// SPDX-License-Identifier: MIT
/// Springs: chains of joints that sway, such as hair, scarves, skirts and tails.
///
/// A chain swings like a rope of rods. Each joint has a *tail*, the position of the chain's next joint, and all tails
/// have the same mass. They keep their velocities, fall, are pulled towards the pose, and stay out of colliders.
/// Springs edit a local pose (pose.h), after the mixer and inverse kinematics. Each frame, with a `model` of the
/// caller:
///
///     sinew_mixer_advance(mixer, dt);
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_springs_input input = sinew_springs_input_default();
///     input.world = world;                                // of the character, in this frame
///     sinew_springs_solve(springs, &input, dt, state, pose, model); // `model` stays current: skin with it
///
/// In a scene the same is done by sinew_instance_def.springs (scene/scene.h).
///
/// Objects. sinew_springs is a compiled definition for one skeleton: const, shared by all characters, usable from any
/// thread. sinew_spring_state is the state of one character: sinew_springs_state_size bytes of the caller's memory,
/// plain numbers without pointers. A copy of these bytes is a snapshot. The same state and calls give the same bits on
/// every machine.
///
/// Time. The simulation runs in steps of fixed length and carries the rest of a frame's time to the next frame. The
/// pose shows the frame's time, between two steps. Within a frame the character's motion is interpolated from the last
/// frame. So 30, 60 and 240 Hz agree, except for what a lower rate doesn't know of the motion.
///
/// Spaces. The simulation is in world space: `world` of the input is the character's transform from model space. On a
/// moving platform, pass the transform to the platform's space. Lengths of joints and colliders (tail, radius, offset)
/// are in the local space of their node and scale with it. A bone that grows or shrinks keeps its direction.
/// Accelerations and wind are in the world. Lengths are metres, angles radians. Positions are floats: beyond 1 km from
/// the origin they have steps of 0.1 mm.
///
/// Joints pull each other in both directions. A chain of any length gains no energy: without friction, in a pose that
/// doesn't move, its energy never rises above the start's. Stiffness pulls each bone towards its direction in the pose,
/// as hard as a gravity of that strength would. At rest each bone points along the sum of stiffness and gravity,
/// however long the chain is. The pose's direction doesn't turn with the springs of the joints above. A chain is stable
/// at every stiffness.
///
/// Angle limits are exact at each frame. A tail stays out of a collider to within 1e-4 of the bone's length, where the
/// bone can reach a position outside of it and no angle limit and no other collider prevents it. Only tails collide, as
/// spheres, not the bones between them.
///
/// The shear of nodes of a chain (shear_nodes of the skeleton) is ignored by the simulation. Non-uniform or negative
/// scale is allowed everywhere; under non-uniform scale, colliders are approximate. Angle limits are in world space.
#ifndef SINEW_SPRING_H
#define SINEW_SPRING_H

#include "../pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Definitions ---------------------------------------------------------------------------------------------

/// The shape of a collider.
typedef enum sinew_spring_shape {
    SINEW_SPRING_SHAPE_SPHERE,  ///< a sphere about `offset`
    SINEW_SPRING_SHAPE_CAPSULE, ///< a capsule from `offset` to `tail`
    SINEW_SPRING_SHAPE_PLANE    ///< the half space behind a plane through `offset`
} sinew_spring_shape;

/// A volume that tails do not enter. Start from sinew_spring_collider_default.
typedef struct sinew_spring_collider {
    sinew_spring_shape shape; ///< default SINEW_SPRING_SHAPE_SPHERE
    int32_t node;             ///< the node that it moves with; default SINEW_NO_NODE: fixed in the world
    bool inside;              ///< spheres and capsules: tails stay inside instead; default false
    sinew_vec3 offset;        ///< in the node's local space, or in the world; default {0}
    sinew_vec3 tail;          ///< capsules: the other end, in the same space; default {0}
    sinew_vec3 normal;        ///< planes: towards the allowed side, in the same space; need not be unit; default +Y
    /// Spheres and capsules: 0 or more; default 0. It scales with the node's largest scale, except for chains with
    /// `vrm`.
    float radius;
    uint32_t cookie; ///< private: set by sinew_spring_collider_default
} sinew_spring_collider;

/// A joint of a chain. Start from sinew_spring_joint_default.
typedef struct sinew_spring_joint {
    int32_t node; ///< the node that rotates; must be set
    /// The pull towards the direction in the pose, as an acceleration, m/s², 0 or more; default 20. One of 9.81 is as
    /// strong as gravity. Without gravity, a chain of one bone of length L swings about its direction with a period of
    /// 2 pi sqrt(L / stiffness).
    float stiffness;
    /// The half-life of motion relative to the pose, seconds: internal friction. Default 0.15; 0: the tail never
    /// overshoots; INFINITY: none.
    float damping;
    /// The half-life of motion relative to the air, seconds: the tail falls behind a character that moves. Default 0.5;
    /// 0: the tail moves with the air; INFINITY: none.
    float drag;
    sinew_vec3 gravity; ///< the acceleration of gravity, in the world, m/s²; default (0, -9.81, 0)
    float wind;         ///< the fraction of the wind that reaches the joint, by drag; default 1
    /// The largest angle between the bone and its direction in the pose, 0 to pi; default pi: no limit. Unlike
    /// stiffness, it turns with the joints above.
    float limit;
    /// Of the tail's sphere for collisions, in the joint's local space, 0 or more; default 0. In the world for chains
    /// with `vrm`.
    float radius;
    uint32_t cookie; ///< private: set by sinew_spring_joint_default
} sinew_spring_joint;

/// A chain of joints. Start from sinew_spring_chain_default.
typedef struct sinew_spring_chain {
    /// [joint_count], root to tip, each an ancestor of the next. Nodes between two joints keep their local transforms.
    /// A node may be in one chain only.
    const sinew_spring_joint *joints;
    int32_t joint_count; ///< 1 or more
    /// The tail of the last joint, in its local space. Default {0}: the last joint does not rotate, it is only the tail
    /// of the one before.
    sinew_vec3 tail;
    /// The node in whose space inertia is measured, which is not moved by a chain; default SINEW_NO_NODE: the world.
    /// With the hips as its center, hair is not thrown by running, only by movements of the body. The node's scale is
    /// ignored.
    int32_t center;
    const int32_t
        *colliders;         ///< [collider_count], indices of the definition's colliders; chains may share an array
    int32_t collider_count; ///< default 0
    /// Blends from the pose (0) to the springs (1); default 1. A chain of weight 0 keeps the bits of the pose and is
    /// not simulated; it starts at rest in the pose when its weight rises.
    float weight;
    /// Joints return to the rest pose instead of the pose, whose rotations of the joints are ignored. For clips in
    /// which the chain is keyed by hand. Default false.
    bool from_rest;
    /// Follows the update rule of VRMC_springBone 1.0. A joint's pose turns with the joints above, a child never moves
    /// its parent, a collider pushes once, and radii are in the world: they don't scale. Long chains whip. Default
    /// false.
    bool vrm;
    uint32_t cookie; ///< private: set by sinew_spring_chain_default
} sinew_spring_chain;

/// The definition of springs. Start from sinew_springs_default.
typedef struct sinew_springs_def {
    const sinew_skeleton *skeleton;         ///< must be set, and outlive the springs
    const sinew_spring_chain *chains;       ///< [chain_count]
    int32_t chain_count;                    ///< 0 or more
    const sinew_spring_collider *colliders; ///< [collider_count]
    int32_t collider_count;                 ///< default 0
    float step;                             ///< the length of a step, seconds, 0.001 to 0.1; default 1/60
    /// The largest number of steps in a frame, 1 to 1000; default 8. A longer frame takes that many, at its end. For
    /// the time before, chains move rigidly with their parents, and keep their own motion.
    int32_t max_steps;
    /// A parent that moves by more than this in a frame was teleported, metres in the world; default 2. Its chain keeps
    /// its shape and its motion, as if the parent had come at its last velocity. A parent whose last velocity explains
    /// the distance wasn't teleported.
    float teleport_distance;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_springs_default
} sinew_springs_def;

/// Returns the defaults above. Any thread.
SINEW_API sinew_spring_collider sinew_spring_collider_default(void);

/// Returns the defaults above; `node` must be set. Any thread.
SINEW_API sinew_spring_joint sinew_spring_joint_default(void);

/// Returns the defaults above; `joints` and `joint_count` must be set. Any thread.
SINEW_API sinew_spring_chain sinew_spring_chain_default(void);

/// Returns the defaults above; `skeleton` and `chains` must be set. Any thread.
SINEW_API sinew_springs_def sinew_springs_default(void);

// ---- Springs -------------------------------------------------------------------------------------------------

/// A compiled definition. Const: any number of characters and threads may use it.
typedef struct sinew_springs sinew_springs;

/// Creates springs; free them with sinew_springs_destroy. The definition is copied, the skeleton is referenced.
/// SINEW_ERROR_ARGUMENT, with the chain and the joint in `error`, for a definition that its function did not make, a
/// node or an index out of range, joints that are not in order, a node in two chains, a center that a chain moves, and
/// a number that is negative or not finite where that is not allowed. SINEW_ERROR_OUT_OF_MEMORY. On failure `*springs`
/// is NULL. `error` may be NULL. Any thread.
SINEW_API sinew_result sinew_springs_create(const sinew_springs_def *def, sinew_springs **springs,
                                            sinew_error *error);

/// Frees springs. NULL is allowed. States need no freeing.
SINEW_API void sinew_springs_destroy(sinew_springs *springs);

/// Returns the number of joints that rotate, of all chains. Any thread.
SINEW_API int32_t sinew_springs_joint_count(const sinew_springs *springs);

// ---- State ---------------------------------------------------------------------------------------------------

/// The state of a character's springs, in the caller's memory.
typedef struct sinew_spring_state sinew_spring_state;

/// Returns the size of a state, bytes: some 120 a joint and 130 a chain, for chains of equal lengths whose number is a
/// multiple of 4, and 160 for each joint of the 16 longest chains. More for others. It needs the alignment of a float.
/// Any thread.
SINEW_API size_t sinew_springs_state_size(const sinew_springs *springs);

/// Initializes a state, or resets it: in the next solve, chains start at rest in its pose. For a new character, and
/// after a seek or a teleport after which nothing of the old motion may be left.
SINEW_API void sinew_springs_reset(const sinew_springs *springs, sinew_spring_state *state);

/// The input of a solve. Start from sinew_springs_input_default.
typedef struct sinew_springs_input {
    sinew_affine world; ///< the character's transform from model space to the world; default the identity
    sinew_vec3 wind;    ///< the velocity of the air, in the world, m/s; default {0}
    float weight;       ///< multiplies the weights of all chains, 0 to 1; default 1
    uint32_t cookie;    ///< private: set by sinew_springs_input_default
} sinew_springs_input;

/// Returns the defaults above. Any thread.
SINEW_API sinew_springs_input sinew_springs_input_default(void);

/// Advances the springs by `dt` seconds, 0 or more, and rotates the joints. `pose` is of the springs' skeleton
/// (asserted), and `model`, [node_count], its model matrices, which must be current and stay so. `state` was
/// initialized by sinew_springs_reset with the same springs (asserted). Never allocates or fails. Uses about 17 KB of
/// stack.
///
/// A chain at rest, whose surroundings did not change, is asleep: it keeps its bits and costs almost nothing. Weights
/// are clamped to [0, 1], and NaN counts as 0. Input that is not finite, or a dt that is negative or not finite,
/// changes neither pose nor state. A chain whose pose is not finite is left unchanged and starts again at rest. Only
/// one thread at a time may use a state, a pose and its matrices.
SINEW_API void sinew_springs_solve(const sinew_springs *springs, const sinew_springs_input *input, float dt,
                                   sinew_spring_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
