// SPDX-License-Identifier: MIT
/// VRM avatars: node constraints, gaze, expressions, and the other data that VRM adds to glTF.
///
/// A frame of an avatar, after you sample, retarget or mix its pose:
///
///     gaze = sinew_vrm_gaze_at(vrm, model, target);     // model matrices of the last frame, or of this pose
///     sinew_vrm_gaze_apply(vrm, gaze, pose, weights);   // eyes, or the expressions lookUp, lookDown, ...
///     sinew_vrm_expressions_apply(vrm, weights, pose);  // morph weights
///     sinew_vrm_constraints_apply(vrm, pose);           // twist bones, sleeves
///     sinew_pose_to_model(pose, model);
///
/// With sinew_vrm_extension, the importer (gltf.h) reads VRM data into `vrm` of sinew_asset, and roles into
/// `humanoid` (humanoid.h). It reads VRMC_vrm, VRMC_node_constraint, VRMC_springBone and VRMC_vrm_animation from
/// VRM 1.0, and VRM from VRM 0.x, into the same structs. Spring bones are only data here; body/spring.h simulates
/// them. docs/vrm.md says what is read and how it is applied.
///
/// The data is const after loading. All functions are safe to call from any thread, but only one at a time on a
/// pose. They don't allocate, can't fail, and give the same bits on every machine, unless a comment says
/// otherwise. Arguments are asserted. Lengths are metres, angles radians.
#ifndef SINEW_VRM_H
#define SINEW_VRM_H

#include "../body/spring.h"
#include "../gltf.h"
#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of an avatar's data.
typedef enum sinew_vrm_version {
    SINEW_VRM_VERSION_NONE, ///< no avatar: a .vrma animation, or only node constraints or spring bones
    SINEW_VRM_VERSION_0,    ///< VRM 0.x (extension VRM); the character faces -Z in the file
    SINEW_VRM_VERSION_1     ///< VRM 1.0 (extension VRMC_vrm); the character faces +Z in the file
} sinew_vrm_version;

/// Who made the avatar, and its licence. A string that the file doesn't have is "".
typedef struct sinew_vrm_meta {
    const char *name;           ///< 1.0: name; 0.x: title
    const char *version;        ///< the avatar's version
    int32_t author_count;       ///< number of authors
    const char *const *authors; ///< [author_count]
    const char *copyright;      ///< 1.0: copyrightInformation; 0.x: ""
    const char *contact;        ///< contactInformation
    const char *license;        ///< 1.0: licenseUrl; 0.x: licenseName, such as "CC_BY"
    const char *other_license;  ///< otherLicenseUrl
} sinew_vrm_meta;

// ---- Node constraints ----------------------------------------------------------------------------------------

/// What a node constraint does (VRMC_node_constraint 1.0).
typedef enum sinew_vrm_constraint_kind {
    SINEW_VRM_CONSTRAINT_ROLL,    ///< copies the source's rotation from its rest, only about the axis
    SINEW_VRM_CONSTRAINT_AIM,     ///< points the axis at the source, by the shortest rotation from the rest pose
    SINEW_VRM_CONSTRAINT_ROTATION ///< copies the source's rotation from its rest, local to local
} sinew_vrm_constraint_kind;

/// A node constraint. It sets a node's rotation.
typedef struct sinew_vrm_constraint {
    sinew_vrm_constraint_kind kind; ///< what it does
    int32_t node;                   ///< the constrained node
    int32_t source;                 ///< the node that controls it
    sinew_vec3 axis;                ///< ROLL and AIM: a unit vector along a local axis of the node; else 0
    float weight;                   ///< 0 to 1: blends from the node's rest rotation to the constraint's
} sinew_vrm_constraint;

// ---- Expressions ---------------------------------------------------------------------------------------------

/// The expressions that VRM 1.0 names. VRM 0.x presets are mapped to them.
typedef enum sinew_vrm_preset {
    SINEW_VRM_PRESET_CUSTOM,      ///< not a preset; the expression has its own name
    SINEW_VRM_PRESET_HAPPY,       ///< emotion; 0.x: joy
    SINEW_VRM_PRESET_ANGRY,       ///< emotion
    SINEW_VRM_PRESET_SAD,         ///< emotion; 0.x: sorrow
    SINEW_VRM_PRESET_RELAXED,     ///< emotion; 0.x: fun
    SINEW_VRM_PRESET_SURPRISED,   ///< emotion; not in 0.x
    SINEW_VRM_PRESET_AA,          ///< mouth; 0.x: a
    SINEW_VRM_PRESET_IH,          ///< mouth; 0.x: i
    SINEW_VRM_PRESET_OU,          ///< mouth; 0.x: u
    SINEW_VRM_PRESET_EE,          ///< mouth; 0.x: e
    SINEW_VRM_PRESET_OH,          ///< mouth; 0.x: o
    SINEW_VRM_PRESET_BLINK,       ///< both eyelids
    SINEW_VRM_PRESET_BLINK_LEFT,  ///< the left eyelid
    SINEW_VRM_PRESET_BLINK_RIGHT, ///< the right eyelid
    SINEW_VRM_PRESET_LOOK_UP,     ///< gaze
    SINEW_VRM_PRESET_LOOK_DOWN,   ///< gaze
    SINEW_VRM_PRESET_LOOK_LEFT,   ///< gaze, to the character's left
    SINEW_VRM_PRESET_LOOK_RIGHT,  ///< gaze, to the character's right
    SINEW_VRM_PRESET_NEUTRAL      ///< the face at rest
} sinew_vrm_preset;

/// The number of values of sinew_vrm_preset.
#define SINEW_VRM_PRESET_COUNT 19

/// No expression: the result of a search that finds nothing.
#define SINEW_NO_EXPRESSION (-1)

/// How an expression affects the mouth, blink or gaze expressions.
typedef enum sinew_vrm_override {
    SINEW_VRM_OVERRIDE_NONE,  ///< not at all
    SINEW_VRM_OVERRIDE_BLOCK, ///< their weights are 0 while its own is above 0
    SINEW_VRM_OVERRIDE_BLEND  ///< their weights are multiplied by 1 - its own
} sinew_vrm_override;

/// A morph target that an expression moves.
typedef struct sinew_vrm_morph_bind {
    int32_t node;   ///< the node with the morph weight
    int32_t target; ///< the morph target of its mesh
    float weight;   ///< the morph weight when the expression's weight is 1
} sinew_vrm_morph_bind;

/// A material colour that an expression can change. The last four belong to VRMC_materials_mtoon.
typedef enum sinew_vrm_color_target {
    SINEW_VRM_COLOR_TARGET_BASE,     ///< "color": base_color of sinew_material
    SINEW_VRM_COLOR_TARGET_EMISSION, ///< "emissionColor"
    SINEW_VRM_COLOR_TARGET_SHADE,    ///< "shadeColor"
    SINEW_VRM_COLOR_TARGET_MATCAP,   ///< "matcapColor"
    SINEW_VRM_COLOR_TARGET_RIM,      ///< "rimColor"
    SINEW_VRM_COLOR_TARGET_OUTLINE   ///< "outlineColor"
} sinew_vrm_color_target;

/// A material colour that an expression changes, for your renderer to apply. The result is the material's own
/// colour plus, for each expression, weight × (value - own).
typedef struct sinew_vrm_color_bind {
    int32_t material;              ///< index into the asset's materials
    sinew_vrm_color_target target; ///< which colour
    float value[4];                ///< linear colour when the expression's weight is 1
} sinew_vrm_color_bind;

/// A texture transform that an expression changes, for your renderer to apply. It is combined like colours.
typedef struct sinew_vrm_texture_bind {
    int32_t material; ///< index into the asset's materials
    float scale[2];   ///< of texture coordinates, when the expression's weight is 1
    float offset[2];  ///< of texture coordinates, when the expression's weight is 1
} sinew_vrm_texture_bind;

/// An expression. Its weight, 0 to 1, moves morph targets and changes materials.
typedef struct sinew_vrm_expression {
    const char *name;                       ///< a preset's VRM 1.0 name, such as "blinkLeft"; else its own
    sinew_vrm_preset preset;                ///< which preset, or SINEW_VRM_PRESET_CUSTOM
    bool binary;                            ///< weights above 0.5 count as 1, others as 0
    sinew_vrm_override override_mouth;      ///< its effect on AA, IH, OU, EE and OH
    sinew_vrm_override override_blink;      ///< its effect on BLINK, BLINK_LEFT and BLINK_RIGHT
    sinew_vrm_override override_look_at;    ///< its effect on LOOK_UP, LOOK_DOWN, LOOK_LEFT and LOOK_RIGHT
    int32_t morph_count;                    ///< number of morph targets
    int32_t color_count;                    ///< number of colours
    int32_t texture_count;                  ///< number of texture transforms
    const sinew_vrm_morph_bind *morphs;     ///< [morph_count]
    const sinew_vrm_color_bind *colors;     ///< [color_count]; none in VRM 0.x
    const sinew_vrm_texture_bind *textures; ///< [texture_count]; none in VRM 0.x
} sinew_vrm_expression;

// ---- Gaze ----------------------------------------------------------------------------------------------------

/// What a gaze moves.
typedef enum sinew_vrm_look_at_type {
    SINEW_VRM_LOOK_AT_NONE,      ///< nothing: the file has no look-at data, or no head
    SINEW_VRM_LOOK_AT_BONE,      ///< the rotations of the eyes
    SINEW_VRM_LOOK_AT_EXPRESSION ///< the weights of the expressions lookUp, lookDown, lookLeft and lookRight
} sinew_vrm_look_at_type;

/// Maps a gaze angle to its effect, which rises linearly from 0 at angle 0 to `output` at `input_max`, then stays
/// there.
typedef struct sinew_vrm_range {
    float input_max; ///< radians, above 0
    float output;    ///< bones: radians; expressions: a weight
} sinew_vrm_range;

/// An eye. A gaze applies, after the rest rotation, the pitch about `left`, then the yaw about `up`.
typedef struct sinew_vrm_eye {
    int32_t node;        ///< the eye's node, or SINEW_NO_NODE
    sinew_vec3 up, left; ///< the character's directions in the rest pose, unit, in the parent's space
} sinew_vrm_eye;

/// How an avatar looks at a point (VRMC_vrm 1.0, lookAt.md).
typedef struct sinew_vrm_look_at {
    sinew_vrm_look_at_type type;      ///< what a gaze moves
    int32_t head;                     ///< the head's node; SINEW_NO_NODE only for SINEW_VRM_LOOK_AT_NONE
    sinew_vec3 offset;                ///< where a gaze starts, between the eyes, in the head's local space
    sinew_vec3 forward, up;           ///< gaze directions at yaw 0 and pitch 0, unit, in the head's local space
    sinew_vrm_eye left_eye;           ///< the left eye
    sinew_vrm_eye right_eye;          ///< the right eye
    sinew_vrm_range horizontal_inner; ///< bones: an eye turns towards the nose
    /// Bones: an eye turns away from the nose. Expressions: left and right.
    sinew_vrm_range horizontal_outer;
    sinew_vrm_range vertical_down; ///< down
    sinew_vrm_range vertical_up;   ///< up
} sinew_vrm_look_at;

/// A gaze direction relative to the head.
typedef struct sinew_vrm_gaze {
    float yaw;   ///< radians, -pi to pi, positive to the character's left
    float pitch; ///< radians, -pi/2 to pi/2, positive down
} sinew_vrm_gaze;

/// Which cameras see a mesh node, if you have a camera in the avatar's head.
typedef enum sinew_vrm_first_person {
    /// All cameras, but the one in the head doesn't see triangles with a vertex that the head or a node below it
    /// moves.
    SINEW_VRM_FIRST_PERSON_AUTO,
    SINEW_VRM_FIRST_PERSON_BOTH,              ///< all cameras
    SINEW_VRM_FIRST_PERSON_THIRD_PERSON_ONLY, ///< all but the one in the head
    SINEW_VRM_FIRST_PERSON_FIRST_PERSON_ONLY  ///< only the one in the head
} sinew_vrm_first_person;

// ---- Spring bones --------------------------------------------------------------------------------------------

/// A collider's shape.
typedef enum sinew_vrm_collider_shape {
    SINEW_VRM_COLLIDER_SHAPE_SPHERE,  ///< a sphere at `offset`
    SINEW_VRM_COLLIDER_SHAPE_CAPSULE, ///< a capsule from `offset` to `tail`
    SINEW_VRM_COLLIDER_SHAPE_PLANE    ///< the half space behind the plane through `offset`
} sinew_vrm_collider_shape;

/// A volume that springs collide with (VRMC_springBone 1.0). A shape from VRMC_springBone_extended_collider 1.0
/// replaces the collider's own.
typedef struct sinew_vrm_collider {
    int32_t node;                   ///< the node that it moves with
    sinew_vrm_collider_shape shape; ///< its shape
    bool inside;                    ///< spheres and capsules: keeps springs inside instead
    sinew_vec3 offset, tail;        ///< in the node's local space; tail equals offset unless it is a capsule
    sinew_vec3 normal;              ///< plane: towards the allowed side, in the node's local space; else 0
    float radius;                   ///< metres; 0 for a plane
} sinew_vrm_collider;

/// A list of colliders.
typedef struct sinew_vrm_collider_group {
    const char *name;         ///< "" if the file has none, and in VRM 0.x
    int32_t collider_count;   ///< number of colliders
    const int32_t *colliders; ///< [collider_count] indices into colliders
} sinew_vrm_collider_group;

/// A joint of a spring.
typedef struct sinew_vrm_spring_joint {
    int32_t node;        ///< the node
    float hit_radius;    ///< radius of the colliding sphere, metres
    float stiffness;     ///< force back to the rest pose
    float gravity_power; ///< gravity's magnitude
    sinew_vec3 gravity;  ///< gravity's direction in world space, from the file; may not be unit
    float drag;          ///< 0 to 1: how much the velocity decays
} sinew_vrm_spring_joint;

/// A spring: nodes that sway.
typedef struct sinew_vrm_spring {
    const char *name; ///< 1.0: name; 0.x: comment; "" if the file has none
    /// False in VRM 1.0: joints are a chain, each below the one before, and the last doesn't rotate. True in VRM
    /// 0.x: all nodes in the joints' subtrees sway with the joint's values, and each branch ends with a tail of
    /// 0.07 m.
    bool subtrees;
    int32_t center;                       ///< the node in whose space springs move; SINEW_NO_NODE: the world
    int32_t joint_count;                  ///< number of joints
    int32_t group_count;                  ///< number of collider groups
    const sinew_vrm_spring_joint *joints; ///< [joint_count]
    const int32_t *groups;                ///< [group_count] indices into collider_groups
} sinew_vrm_spring;

// ---- Animations ----------------------------------------------------------------------------------------------

/// A node in a .vrma file with a translation that animates an expression; see sinew_vrm_track_weight.
typedef struct sinew_vrm_track {
    const char *name;        ///< like in sinew_vrm_expression
    sinew_vrm_preset preset; ///< which preset, or SINEW_VRM_PRESET_CUSTOM
    int32_t node;            ///< the node
} sinew_vrm_track;

/// A .vrma file's animation of expressions and gaze (VRMC_vrm_animation 1.0). The asset's clips move these nodes
/// and the nodes of its humanoid; retarget.h plays them on other characters.
typedef struct sinew_vrm_animation {
    int32_t track_count;           ///< number of animated expressions
    const sinew_vrm_track *tracks; ///< [track_count]
    int32_t gaze_node;             ///< the node with a rotation that animates the gaze, or SINEW_NO_NODE
    sinew_vec3 offset;             ///< from the head to between the eyes, in the head's local space
} sinew_vrm_animation;

// ---- The data ------------------------------------------------------------------------------------------------

/// A file's VRM data. The asset owns the arrays.
typedef struct sinew_vrm {
    sinew_vrm_version version;      ///< the avatar's data version
    const sinew_skeleton *skeleton; ///< the asset's
    sinew_up up;                    ///< the asset's
    sinew_vrm_meta meta;            ///< who made it, and its licence
    int32_t constraint_count;       ///< number of node constraints
    int32_t expression_count;       ///< number of expressions
    /// [constraint_count], in an order that works: a constraint comes after those that move its source. An AIM
    /// also comes after those that move ancestors of its node or source. Circular constraints are left out.
    const sinew_vrm_constraint *constraints;
    const sinew_vrm_expression *expressions; ///< [expression_count], in the file's order, presets first
    /// Expression index by preset, or SINEW_NO_EXPRESSION; always SINEW_NO_EXPRESSION for
    /// SINEW_VRM_PRESET_CUSTOM.
    int32_t expression_of_preset[SINEW_VRM_PRESET_COUNT];
    sinew_vrm_look_at look_at;                       ///< the gaze
    const sinew_vrm_first_person *first_person;      ///< one per mesh node of the asset, in the same order
    int32_t collider_count;                          ///< number of colliders
    int32_t collider_group_count;                    ///< number of collider groups
    int32_t spring_count;                            ///< number of springs
    const sinew_vrm_collider *colliders;             ///< [collider_count]
    const sinew_vrm_collider_group *collider_groups; ///< [collider_group_count]
    const sinew_vrm_spring *springs;                 ///< [spring_count]
    sinew_vrm_animation animation;                   ///< a .vrma file's animation; else empty
} sinew_vrm;

// ---- Functions -----------------------------------------------------------------------------------------------

#ifndef SINEW_NO_GLTF

/// Returns the glTF extension that reads VRM data into an asset's `humanoid` and `vrm`. Set it as `extension` of
/// sinew_gltf_options; without it both are NULL. Static storage.
SINEW_API const sinew_gltf_extension *sinew_vrm_extension(void);

#endif

/// Returns the first expression with that name, or SINEW_NO_EXPRESSION. Case-sensitive. It searches all
/// expressions, so call it once, not every frame.
SINEW_API int32_t sinew_vrm_find_expression(const sinew_vrm *vrm, const char *name);

/// Applies all node constraints to a pose of the skeleton, in order (VRMC_node_constraint 1.0). It overwrites the
/// rotations of the constrained nodes. With R the source's rest rotation, Q its rotation in the pose, r the
/// node's rest rotation and a the axis:
///
///     rotation    slerp(r, r × R⁻¹ × Q, weight)
///     roll        slerp(r, r × shortest(D a, a) × D, weight), D = r⁻¹ × Q × R⁻¹ × r
///     aim         slerp(r, shortest(r a, d) × r, weight), d: from the node to the source, in the space of its parent
///
/// An aim's direction is measured between the nodes in model space, and is correct in any hierarchy of scales. If
/// the source is at the node's position, or the parent has a scale of 0, the node gets its rest rotation. Results
/// are within 1e-5 of the formulas.
SINEW_API void sinew_vrm_constraints_apply(const sinew_vrm *vrm, sinew_pose *pose);

/// Returns the gaze at a point in model space (VRMC_vrm 1.0, lookAt.md). `model` has the pose's model matrices,
/// [node_count] of the skeleton. Yaw and pitch are the target's azimuth and negative altitude in look-at space:
/// the head's space, at the offset, without the head's rest rotation. Returns {0, 0} without look-at data, for a
/// target at the offset, and for a head matrix without an inverse. Within 1e-5 rad.
SINEW_API sinew_vrm_gaze sinew_vrm_gaze_at(const sinew_vrm *vrm, const sinew_affine *model, sinew_vec3 target);

/// Applies a gaze through the ranges in the look-at data. It sets the rotations of the eyes, or the weights of
/// the expressions lookUp, lookDown, lookLeft and lookRight, if they exist. `weights` is [expression_count]; it
/// may be NULL unless the type is SINEW_VRM_LOOK_AT_EXPRESSION. `pose` may be NULL unless the type is
/// SINEW_VRM_LOOK_AT_BONE.
SINEW_API void sinew_vrm_gaze_apply(const sinew_vrm *vrm, sinew_vrm_gaze gaze, sinew_pose *pose, float *weights);

/// Computes expression weights after `binary` and overrides (VRMC_vrm 1.0, expressions.md), to apply materials
/// yourself. sinew_vrm_expressions_apply calls it for you. Both arrays are [expression_count] and may be the
/// same. Weights are clamped to 0 to 1; NaN counts as 0. A binary expression with any override on it gets 0. An
/// expression's override of its own group is ignored.
SINEW_API void sinew_vrm_expressions_resolve(const sinew_vrm *vrm, const float *weights, float *resolved);

/// Applies expressions to a pose's morph weights. Each morph weight that an expression moves becomes the sum of
/// resolved weight × bind weight over all expressions. Other morph weights don't change. `weights` is
/// [expression_count], unresolved.
SINEW_API void sinew_vrm_expressions_apply(const sinew_vrm *vrm, const float *weights, sinew_pose *pose);

/// Returns the weight of an animated expression in a pose of the .vrma's skeleton: x of the node's translation,
/// clamped to 0 to 1.
SINEW_API float sinew_vrm_track_weight(const sinew_vrm_track *track, const sinew_pose *pose);

/// Returns the animated gaze in a pose of the .vrma's skeleton: yaw and pitch of the gaze node's rotation.
/// Returns {0, 0} without a gaze node.
SINEW_API sinew_vrm_gaze sinew_vrm_track_gaze(const sinew_vrm *vrm, const sinew_pose *pose);

/// Creates springs from a file's spring bones, VRM 1.0 or 0.x. `vrm` is an asset's data (asset.h); the asset's
/// skeleton must outlive the springs. `allocator` may be NULL. Fails only with SINEW_ERROR_OUT_OF_MEMORY, and
/// then `*springs` is NULL.
///
/// The springs follow the update rule of VRMC_springBone 1.0 and return to the rest pose. Steps are always 1/60
/// s. At 60 frames per second each frame is one step of the specification's reference algorithm, which depends on
/// the frame rate.
///
/// Stiffness and gravityPower become accelerations: they are divided by the step's 1/60 s. dragForce becomes the
/// half-life of motion relative to the air: 1 - dragForce is left after 1/60 s. Values that are negative or not
/// finite count as 0, a dragForce above 1 as 1.
///
/// A node can sway in one spring only. A VRM 1.0 spring is left out if a node from its first joint to its last
/// already does. It is also left out with fewer than two joints, or with joints out of order. In VRM 0.x each
/// branch of a subtree is a chain.
SINEW_API sinew_result sinew_springs_create_from_vrm(const sinew_vrm *vrm, const sinew_allocator *allocator,
                                                     sinew_springs **springs);

#ifdef __cplusplus
}
#endif
#endif
