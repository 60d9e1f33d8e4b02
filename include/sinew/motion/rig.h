// SPDX-License-Identifier: MIT
/// Rigs list what happens to a character's pose after the mixer: which feet stay planted, where the head looks, what
/// the hands hold, what swings. A character (character.h) runs the list every frame.
///
///     sinew_graph_load_file("hero.graph.json", NULL, &graph, &error); // with a "rig" member (docs/rig.md)
///     sinew_gltf_load_file("hero.glb", NULL, &asset, &error);
///     sinew_rig_def def = sinew_rig_default();
///     def.graph = graph;
///     def.asset = asset;
///     sinew_rig_create(&def, &rig, &error);                           // all characters with this skeleton share it
///
/// A *step* is one entry of the list. It is data, a part of a graph (graph.h), and refers to nodes, clips and
/// parameters by name. A *rig* has looked up these names in an asset. Steps run in the order in which you list them.
/// Springs come last, because they swing after everything else has moved.
///
/// Each step has a weight from 0 to 1. The step is off if its weight is 0. The weight comes from a condition, a
/// parameter and a curve, and `damping` smooths it. While your program sets the pose, the weight falls without damping,
/// because the pose you start from already contains the steps (docs/howto/physics.md).
///
/// A node's name can start with "role:". It then names a humanoid role (humanoid/humanoid.h), such as
/// "role:leftHand". This way, one graph fits every humanoid. If a humanoid has no upper chest, this role means its chest.
/// If it has no chest either, both mean its spine. If such a role repeats a node of a list, it is left out.
///
/// You can't change rigs after you create them. All functions are thread-safe. `error` may be NULL. Lengths are in
/// meters, angles in radians and durations in seconds.
#ifndef SINEW_RIG_H
#define SINEW_RIG_H

#include "../asset.h"
#include "../body/aim_offset.h"
#include "../body/foot_lock.h"
#include "../body/foot_placement.h"
#include "../body/ik.h"
#include "../body/pose_warp.h"
#include "../body/root_warp.h"
#include "../body/spring.h"
#include "../humanoid/humanoid.h"
#include "../humanoid/retarget.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a name starts with if it's a humanoid role. Graphs accept it in masks and in rigs.
#define SINEW_ROLE_PREFIX "role:"

// ---- The data ------------------------------------------------------------------------------------------------

/// What a step does. The comments tell you what the step's `nodes`, `input` and `goal` are for.
typedef enum sinew_rig_kind {
    /// Moves the character to `goal` while a clip plays (body/root_warp.h). Root warps come first in the list, because
    /// they run before the pose is computed.
    SINEW_RIG_ROOT_WARP,
    SINEW_RIG_AIM_OFFSET, ///< adds poses for aiming (body/aim_offset.h); `input` is a VECTOR2 with yaw and pitch
    SINEW_RIG_ORIENTATION_WARP, ///< turns the hips (body/pose_warp.h); `input` is a FLOAT; nodes: hips, then the spine
    SINEW_RIG_STRIDE_WARP,      ///< scales the strides (body/pose_warp.h); `input` is a FLOAT; nodes: pelvis
    SINEW_RIG_FOOT_LOCK,        ///< keeps planted feet in place (body/foot_lock.h)
    SINEW_RIG_FOOT_PLACEMENT, ///< puts the feet on the ground (body/foot_placement.h); nodes: pelvis
    SINEW_RIG_LIMB,    ///< an arm or leg that reaches for `goal` (body/ik.h); nodes: end, or upper, lower, end
    SINEW_RIG_CHAIN,   ///< a chain that reaches for `goal` (body/ik_chain.h); nodes: root, tip
    SINEW_RIG_BODY,    ///< a whole body that reaches for its effectors' goals (body/ik_body.h); nodes: root
    SINEW_RIG_AIM,     ///< a node that points at `goal` (sinew_ik_aim_follow in body/ik.h); nodes: node, then tip
    SINEW_RIG_SPRINGS, ///< hair, tails and cloth that swing (body/spring.h)
    SINEW_RIG_CALLBACK ///< calls your program (sinew_character_def.step)
} sinew_rig_kind;

/// Rig limits.
#define SINEW_MAX_RIG_STEPS 64 ///< maximum number of steps
#define SINEW_MAX_RIG_NODES 9  ///< maximum number of nodes in a step

/// A place that a step reaches for or looks at. It comes from a parameter or from a node.
typedef struct sinew_rig_goal {
    int32_t parameter; ///< a VECTOR3 or TRANSFORM; default SINEW_GRAPH_NONE
    /// A node to follow instead, such as the grip on a weapon that the other hand carries. Its matrix at the time of
    /// the step counts. Default NULL.
    const char *node;
    /// Added to the place, along its own axes if it has a rotation. In meters: of the world for root warps and
    /// parameters in world space, otherwise of model space. A node's scale has no effect. Default {0}.
    sinew_vec3 offset;
    sinew_quat rotation; ///< the goal's rotation relative to the parameter's or node's; default identity
} sinew_rig_goal;

/// One of the effectors of a SINEW_RIG_BODY. See sinew_ik_effector.
typedef struct sinew_rig_effector {
    const char *node;    ///< the effector; required
    sinew_rig_goal goal; ///< where it goes; required unless `pin` is set
    bool rotate;         ///< also turn it to the goal's rotation; default false
    float pull;          ///< 0 to 1, default 1
    bool pin;            ///< keep it where it is in the pose; default false
} sinew_rig_effector;

/// A collider of a SINEW_RIG_SPRINGS. See sinew_spring_collider.
typedef struct sinew_rig_collider {
    const char *node;               ///< the node it moves with; NULL means fixed in the world
    sinew_spring_collider settings; ///< start from sinew_spring_collider_default; `node` is ignored
} sinew_rig_collider;

/// A chain of a SINEW_RIG_SPRINGS, from a node down to a tip. See sinew_spring_chain.
typedef struct sinew_rig_spring {
    const char *root; ///< the first node that swings; required
    const char *tip;  ///< the last node; NULL (default) follows first children down to the last
    sinew_vec3 tail;  ///< see sinew_spring_chain; default {0}
    /// The node that inertia is relative to. NULL (default) means the world.
    const char *center;
    bool from_rest;           ///< ignore how clips animate the chain; default false
    int32_t collider_count;   ///< default 0
    const int32_t *colliders; ///< [collider_count], indices into the step's colliders
    /// Settings for each joint. `node` is ignored. The default gravity is (0, 0, -9.81) if +Z is up.
    sinew_spring_joint joint;
} sinew_rig_spring;

/// The grid of a SINEW_RIG_AIM_OFFSET. See sinew_aim_offset_def.
typedef struct sinew_rig_grid {
    int32_t yaw_count, pitch_count; ///< 1 to SINEW_MAX_AIM_POSES
    const float *yaws, *pitches;    ///< [yaw_count], [pitch_count], in increasing order; units are up to you
    const char *const *clips;       ///< [pitch_count × yaw_count], clips whose first frame counts
    const char *reference;          ///< a clip whose first frame aims straight ahead; NULL means the rest pose
    int32_t part_count;             ///< default 0, which means all nodes
    const sinew_mask_part *parts;   ///< [part_count], the nodes to turn; other nodes have a factor of 0
} sinew_rig_grid;

/// The settings of a SINEW_RIG_ROOT_WARP.
typedef struct sinew_rig_root_warp {
    sinew_root_warp_def settings; ///< its `clip` and `root_motion` are ignored
    const char *clip;             ///< the clip's name; required
    /// Markers in the clip, which replace the settings' `start` and `end` (sinew_root_warp_window). Default NULL.
    const char *window;
} sinew_rig_root_warp;

/// The settings of a SINEW_RIG_BODY.
typedef struct sinew_rig_body {
    sinew_ik_body settings;              ///< its `root`, `effectors` and `limits` are ignored
    int32_t effector_count;              ///< 1 to SINEW_MAX_EFFECTORS
    const sinew_rig_effector *effectors; ///< [effector_count]
} sinew_rig_body;

/// The chains of a SINEW_RIG_SPRINGS, and what they collide with.
typedef struct sinew_rig_springs {
    int32_t chain_count;                 ///< default 0, which uses a VRM avatar's own springs, if there are any
    const sinew_rig_spring *chains;      ///< [chain_count]
    int32_t collider_count;              ///< default 0
    const sinew_rig_collider *colliders; ///< [collider_count]
} sinew_rig_springs;

/// A step. Start from sinew_rig_step_of_kind.
///
/// The union has the settings, mostly in the structs that you would use without a rig. Their nodes, targets, weights
/// and everything else that changes during a game are ignored, because the rig and the character fill them in.
/// sinew_graph_create checks the rest: numbers must be finite and in the ranges that the parts document.
typedef struct sinew_rig_step {
    const char *name;         ///< must be unique and not ""
    sinew_rig_kind kind;      ///< what it does
    const char *when;         ///< condition without times and markers; NULL (default) is always true
    float weight;             ///< 0 to 1, default 1
    int32_t weight_parameter; ///< a FLOAT that `weight` is multiplied by; default SINEW_GRAPH_NONE
    const char *weight_curve; ///< a curve that `weight` is multiplied by; default NULL
    /// Smooths the weight, including changes of `when`, with this half-life in seconds. 0 or more. Default 0.1. On a
    /// pose from sinew_mixer_set_pose, the weight falls at once.
    float damping;
    /// The step is off for characters with less significance (sinew_character_set_significance). Finite, 0 or more.
    /// Default 0.
    float significance;
    int32_t input;            ///< a parameter, see sinew_rig_kind; default SINEW_GRAPH_NONE
    sinew_rig_goal goal;      ///< for ROOT_WARP (a TRANSFORM), LIMB, CHAIN and AIM
    sinew_rig_goal pole;      ///< for LIMB and CHAIN; optional
    int32_t node_count;       ///< 0 to SINEW_MAX_RIG_NODES
    const char *const *nodes; ///< [node_count], see sinew_rig_kind; nodes that you leave out are the humanoid's
    union {
        sinew_rig_root_warp root_warp;
        sinew_rig_grid aim_offset;
        sinew_orientation_warp orientation_warp;
        sinew_stride_warp stride_warp; ///< {0} as `direction` means forward
        sinew_foot_lock foot_lock;
        sinew_foot_placement foot_placement;
        sinew_ik_two_bone limb; ///< {0} as `bend_axis` takes it from the rest pose
        sinew_ik_chain chain;   ///< `limits` are ignored; `restarts` is 0 by default, so nothing jumps
        sinew_rig_body body;
        sinew_ik_aim aim; ///< {0} as `forward` is where the character faces in the rest pose
        sinew_rig_springs springs;
    };
    int32_t line;    ///< line in the file, or 0 if there is no file
    int32_t column;  ///< column in that line in bytes, starting at 1, or 0
    uint32_t cookie; ///< private: set by sinew_rig_step_of_kind
} sinew_rig_step;

/// Returns a step of a kind with the defaults above and the kind's own. You must set the name.
SINEW_API sinew_rig_step sinew_rig_step_of_kind(sinew_rig_kind kind);

/// Returns a goal without a parameter or node.
SINEW_API sinew_rig_goal sinew_rig_goal_empty(void);

/// A leg, for the steps that move feet. Without any, a humanoid's legs are used.
typedef struct sinew_rig_foot {
    const char *thigh, *shin, *foot; ///< required
    const char *toes;                ///< NULL if there aren't any
    const char *down, *up; ///< markers for contacts (body/feet.h); both NULL if contacts come from the motion
} sinew_rig_foot;

// ---- The rig -------------------------------------------------------------------------------------------------

/// Options for sinew_rig_create. Start from sinew_rig_default.
typedef struct sinew_rig_def {
    const sinew_graph *graph; ///< required without `binding`; must outlive the rig
    const sinew_asset *asset; ///< the character; required without `binding`; must outlive the rig
    /// The asset's roles. It is copied. NULL (default) means what sinew_humanoid_find finds, or none.
    const sinew_humanoid *humanoid;
    /// Finds clips that the asset doesn't have, such as another file's. See sinew_graph_binding_def. Only called while
    /// the rig is created. Default NULL.
    const sinew_clip *(*find_clip)(const char *name, void *user);
    void *user; ///< passed to `find_clip`
    /// A binding of your own, instead of all of the above, such as for a skeleton without an asset. It must outlive the
    /// rig. Default NULL.
    const sinew_graph_binding *binding;
    /// From the character that the graph was made for, if it's a different one. Goals on nodes then move to where they
    /// are on this one: nodes can be named as in the map's source, and offsets and rotations are along its axes and in
    /// its size. Only used while the rig is created. Default NULL.
    const sinew_retarget *retarget;
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_rig_default
} sinew_rig_def;

/// A rig for a skeleton. Read-only. Create it with sinew_rig_create.
typedef struct sinew_rig {
    const sinew_graph_binding *binding;  ///< the graph's, from the def or made for the rig
    int32_t foot_count;                  ///< number of feet; 0 if no step moves them
    const sinew_foot *feet;              ///< [foot_count], with legs and soles
    const sinew_foot_contacts *contacts; ///< for the clips that the graph plays; NULL if no step locks feet
    size_t state_size;                   ///< bytes that a character needs for its steps
    size_t memory;                       ///< total size in bytes
    const struct sinew_rig_data *data;   ///< private
} sinew_rig;

/// Returns the default options. You must set `graph` and `asset`, or `binding`.
SINEW_API sinew_rig_def sinew_rig_default(void);

/// Creates a rig from the graph's steps. Free it with sinew_rig_destroy. On failure `*rig` is NULL. Takes a while if
/// feet are locked, because clips without contact markers are sampled. Uses about 40 KB of stack.
///
/// Steps of springs without chains use the asset's own, if it's a VRM avatar that was loaded with sinew_vrm_extension.
///
/// Fails with SINEW_ERROR_ARGUMENT if a node, role or clip can't be found or a part refuses its settings. `error` then
/// starts with the file, line and column of the step. Can also fail like sinew_graph_bind.
SINEW_API sinew_result sinew_rig_create(const sinew_rig_def *def, sinew_rig **rig, sinew_error *error);

/// Destroys a rig. `rig` may be NULL. Destroy its characters first.
SINEW_API void sinew_rig_destroy(sinew_rig *rig);

#ifdef __cplusplus
}
#endif
#endif
