// SPDX-License-Identifier: MIT
/// Springs: chains of joints that sway, such as hair, scarves, skirts and tails.
///
/// They edit a local pose (pose.h) after the mixer and inverse kinematics. Each frame, with your own array of
/// model matrices:
///
///     sinew_mixer_advance(mixer, dt);
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_springs_input input = sinew_springs_input_default();
///     input.world = world;                                // the character's transform in this frame
///     sinew_springs_solve(springs, &input, dt, state, pose, model); // keeps `model` current: skin with it
///
/// In a scene, use sinew_instance_def.springs instead (scene/scene.h).
///
/// A chain swings like a rope of rods. Each joint has a *tail*: the position of the chain's next joint. All tails
/// have the same mass. They have inertia, fall, are pulled towards the pose, and stay out of colliders.
///
/// sinew_springs is the compiled definition for one skeleton. It is const, and all characters and threads can
/// share it. sinew_spring_state is one character's state: sinew_springs_state_size bytes of your memory, plain
/// data without pointers. A copy of these bytes is a snapshot. The same state and calls give the same bits on
/// every machine.
///
/// Time: the simulation takes steps of fixed length, and carries the rest of a frame over to the next. The pose
/// shows the frame's own time, between two steps. The character's motion is interpolated from the last frame. So
/// 30, 60 and 240 Hz agree, apart from motion that a lower rate misses.
///
/// Spaces: the simulation runs in world space, where gravity and wind are. sinew_springs_input.world is the
/// character's transform from model space. On a moving platform, pass the transform to the platform's space.
/// Joint and collider lengths (tail, radius, offset) are in their node's local space and scale with it. Lengths
/// are in metres, angles in radians. Positions are floats: beyond 1 km from the origin their resolution is 0.1
/// mm.
///
/// What to expect of the physics:
///   - Joints pull each other in both directions. Without friction, in a still pose, a chain of any length never
///     has more energy than at the start. It is stable at every stiffness.
///   - Stiffness pulls each bone towards its direction in the pose, as hard as gravity of that strength would. At
///     rest a bone points along the sum of stiffness and gravity, however long the chain is. The pose's direction
///     doesn't turn with the joints above.
///   - Angle limits are in world space, and exact in each frame.
///   - Only tails collide, as spheres; the bones between them don't. A tail stays out of a collider to within
///     1e-4 of the bone's length, unless the bone can't reach outside, or a limit or another collider prevents
///     it.
///   - Non-uniform and negative scale are allowed. Under non-uniform scale, colliders are approximate. Shear in a
///     chain's nodes (shear_nodes of the skeleton) is ignored. A bone that changes its length keeps its
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
    SINEW_SPRING_SHAPE_SPHERE,  ///< a sphere about `offset`
    SINEW_SPRING_SHAPE_CAPSULE, ///< a capsule from `offset` to `tail`
    SINEW_SPRING_SHAPE_PLANE    ///< the half space behind a plane through `offset`
} sinew_spring_shape;

/// A volume that tails don't enter. Start from sinew_spring_collider_default.
typedef struct sinew_spring_collider {
    sinew_spring_shape shape; ///< default SINEW_SPRING_SHAPE_SPHERE
    int32_t node;             ///< the node that it moves with; default SINEW_NO_NODE: fixed in the world
    bool inside;              ///< spheres and capsules: tails stay inside instead; default false
    sinew_vec3 offset;        ///< in the node's local space, or in the world without a node; default {0}
    sinew_vec3 tail;          ///< capsules: the other end, in the same space; default {0}
    sinew_vec3 normal;        ///< planes: towards the allowed side, in the same space; of any length; default +Y
    float radius; ///< spheres, capsules: 0 or more; default 0. Scales with the node's largest scale, unless `vrm`
    uint32_t cookie; ///< private: set by sinew_spring_collider_default
} sinew_spring_collider;

/// A joint of a chain. Start from sinew_spring_joint_default.
typedef struct sinew_spring_joint {
    int32_t node; ///< the node that rotates; must be set
    /// The pull towards the pose, as an acceleration, m/s², 0 or more; default 20. 9.81 is as strong as gravity.
    /// Without gravity, a chain of one bone of length L swings with a period of 2 pi sqrt(L / stiffness).
    float stiffness;
    /// Internal friction: the half-life of motion relative to the pose, seconds; default 0.15. 0: the tail never
    /// overshoots. INFINITY: no friction.
    float damping;
    /// Air friction: the half-life of motion relative to the air, seconds; default 0.5. The tail falls behind a
    /// character that moves. 0: the tail moves with the air. INFINITY: no friction.
    float drag;
    sinew_vec3 gravity; ///< acceleration in the world, m/s²; default (0, -9.81, 0)
    float wind;         ///< the fraction of the wind that reaches the joint, by drag; default 1
    float limit;  ///< max angle between bone and pose, 0 to pi; default pi: no limit. Turns with the joints above
    float radius; ///< the tail's, for collisions, in the joint's local space (`vrm`: world), 0 or more; default 0
    uint32_t cookie; ///< private: set by sinew_spring_joint_default
} sinew_spring_joint;

/// A chain of joints. Start from sinew_spring_chain_default.
typedef struct sinew_spring_chain {
    /// [joint_count], root to tip, each an ancestor of the next. Nodes between two joints keep their local
    /// transforms. A node may be in one chain only.
    const sinew_spring_joint *joints;
    int32_t joint_count; ///< 1 or more
    /// The last joint's tail, in its local space. Default {0}: the last joint doesn't rotate, it is only the tail
    /// of the joint before.
    sinew_vec3 tail;
    /// Measures inertia relative to this node; default SINEW_NO_NODE: relative to the world. With the hips as
    /// center, running doesn't throw the hair, only movements of the body do. Must not be moved by a chain. Its
    /// scale is ignored.
    int32_t center;
    const int32_t *colliders; ///< [collider_count], indices into the definition's colliders; chains may share it
    int32_t collider_count;   ///< default 0
    /// Blends from the pose (0) to the springs (1); default 1. A chain of weight 0 keeps the pose's bits and
    /// isn't simulated. It starts at rest in the pose when its weight rises.
    float weight;
    /// Joints return to the rest pose and ignore their rotations in the pose. For clips with a hand-keyed chain.
    /// Default false.
    bool from_rest;
    /// Follows the update rule of VRMC_springBone 1.0: a joint's pose turns with the joints above, a child never
    /// moves its parent, a collider pushes once, and radii are in the world, unscaled. Long chains whip. Default
    /// false.
    bool vrm;
    uint32_t cookie; ///< private: set by sinew_spring_chain_default
} sinew_spring_chain;

/// Parameters for sinew_springs_create. Start from sinew_springs_default.
typedef struct sinew_springs_def {
    const sinew_skeleton *skeleton;         ///< must be set, and outlive the springs
    const sinew_spring_chain *chains;       ///< [chain_count]
    int32_t chain_count;                    ///< 0 or more
    const sinew_spring_collider *colliders; ///< [collider_count]
    int32_t collider_count;                 ///< default 0
    float step;                             ///< the simulation's step, seconds, 0.001 to 0.1; default 1/60
    /// The maximum number of steps in a frame, 1 to 1000; default 8. A longer frame takes that many at its end.
    /// Before them, chains move rigidly with their parents and keep their own motion.
    int32_t max_steps;
    /// A chain's parent that moves further than this in a frame was teleported, metres in the world; default 2.
    /// The chain then keeps its shape and motion, as if the parent had come at its last velocity. If that
    /// velocity explains the distance, it isn't a teleport.
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

/// Compiled springs. Const: any number of characters and threads may use them.
typedef struct sinew_springs sinew_springs;

/// Creates springs. Free them with sinew_springs_destroy. The definition is copied; the skeleton is referenced.
/// On failure `*springs` is NULL. `error` may be NULL. Any thread.
///
/// Fails with SINEW_ERROR_OUT_OF_MEMORY or SINEW_ERROR_ARGUMENT. `error` names the chain and joint, or the collider:
///   - a struct that its default function didn't make
///   - a node or index out of range
///   - joints out of order, or a node in two chains
///   - a center that a chain moves
///   - a number that must not be negative or infinite
SINEW_API sinew_result sinew_springs_create(const sinew_springs_def *def, sinew_springs **springs,
                                            sinew_error *error);

/// Frees springs. NULL is allowed. States need no freeing.
SINEW_API void sinew_springs_destroy(sinew_springs *springs);

/// Returns the number of joints that rotate, of all chains. Any thread.
SINEW_API int32_t sinew_springs_joint_count(const sinew_springs *springs);

// ---- State ---------------------------------------------------------------------------------------------------

/// The state of a character's springs, in your own memory.
typedef struct sinew_spring_state sinew_spring_state;

/// Returns the size of a state, bytes. It needs the alignment of a float. Any thread.
///
/// The size is about 120 per joint, 130 per chain, and 160 per joint of the 16 longest chains. It is larger if
/// chains differ in length, or if their number isn't a multiple of 4.
SINEW_API size_t sinew_springs_state_size(const sinew_springs *springs);

/// Initializes or resets a state: at the next solve, chains start at rest in the pose. Call it for a new
/// character, and after a seek or a teleport that must not keep any motion.
SINEW_API void sinew_springs_reset(const sinew_springs *springs, sinew_spring_state *state);

/// The input of a solve. Start from sinew_springs_input_default.
typedef struct sinew_springs_input {
    sinew_affine world; ///< the character's transform from model space to the world; default the identity
    sinew_vec3 wind;    ///< the air's velocity in the world, m/s; default {0}
    float weight;       ///< multiplies the weights of all chains, 0 to 1; default 1
    uint32_t cookie;    ///< private: set by sinew_springs_input_default
} sinew_springs_input;

/// Returns the defaults above. Any thread.
SINEW_API sinew_springs_input sinew_springs_input_default(void);

/// Advances the springs by `dt` seconds, 0 or more, and rotates the joints. `pose` must be of the springs'
/// skeleton (asserted). `model`, [node_count], must be current and stays current. `state` must have been reset
/// with the same springs (asserted if it was never reset). Never allocates or fails. Uses about 17 KB of stack.
/// Only one thread at a time may use a state, a pose and its matrices.
///
/// A chain at rest falls asleep while nothing around it changes: it keeps its bits and costs almost nothing.
/// Weights are clamped to [0, 1]; NaN counts as 0. Non-finite input or a negative `dt` changes neither pose nor
/// state. A chain with a non-finite pose is left unchanged and starts again at rest.
SINEW_API void sinew_springs_solve(const sinew_springs *springs, const sinew_springs_input *input, float dt,
                                   sinew_spring_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
