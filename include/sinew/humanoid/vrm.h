// SPDX-License-Identifier: MIT
/// VRM: the data of avatars beyond glTF, and what they do to a pose: node constraints, gaze, expressions.
///
/// With sinew_vrm_extension, the importer (gltf.h) reads the extensions VRMC_vrm, VRMC_node_constraint, VRMC_springBone
/// and VRMC_vrm_animation of VRM 1.0, and VRM of VRM 0.x, into `vrm` of sinew_asset; the roles of the nodes are its
/// `humanoid` (humanoid.h). VRM 0.x data have the same structs. Spring bones are data here; body/spring.h simulates them.
/// docs/vrm.md says what is read and how it is applied.
///
/// A frame of an avatar, after its pose is sampled, retargeted or mixed:
///
///     gaze = sinew_vrm_gaze_at(vrm, model, target);     // model matrices of the last frame, or of this pose
///     sinew_vrm_gaze_apply(vrm, gaze, pose, weights);   // eyes, or the expressions lookUp, lookDown, ...
///     sinew_vrm_expressions_apply(vrm, weights, pose);  // morph weights
///     sinew_vrm_constraints_apply(vrm, pose);           // twist bones, sleeves
///     sinew_pose_to_model(pose, model);
///
/// The data are const after loading. All functions may be called from any thread, only one at a time on a pose. They
/// cannot fail, allocate nothing and give the same bits on every machine. Arguments are asserted. Lengths are metres,
/// angles radians.
#ifndef SINEW_VRM_H
#define SINEW_VRM_H

#include "../body/spring.h"
#include "../gltf.h"
#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the avatar's data.
typedef enum sinew_vrm_version {
    SINEW_VRM_VERSION_NONE, ///< no avatar: a .vrma animation, or only node constraints or spring bones
    SINEW_VRM_VERSION_0,    ///< the extension VRM (VRM 0.x); the character faces -Z of the file
    SINEW_VRM_VERSION_1     ///< the extension VRMC_vrm (VRM 1.0); the character faces +Z of the file
} sinew_vrm_version;

/// Who made the avatar, and its licence. Strings of the file; "" if it has none.
typedef struct sinew_vrm_meta {
    const char *name;           ///< 1.0: name; 0.x: title
    const char *version;        ///< of the avatar
    int32_t author_count;       ///< how many authors
    const char *const *authors; ///< [author_count]
    const char *copyright;      ///< 1.0: copyrightInformation; 0.x: ""
    const char *contact;        ///< contactInformation
    const char *license;        ///< 1.0: licenseUrl; 0.x: licenseName, such as "CC_BY"
    const char *other_license;  ///< otherLicenseUrl
} sinew_vrm_meta;

// ---- Node constraints ----------------------------------------------------------------------------------------

/// The effect of a node constraint (VRMC_node_constraint 1.0).
typedef enum sinew_vrm_constraint_kind {
    SINEW_VRM_CONSTRAINT_ROLL,    ///< the node takes the source's rotation from its rest about the axis
    SINEW_VRM_CONSTRAINT_AIM,     ///< the axis points at the source, by the shortest rotation from the rest pose
    SINEW_VRM_CONSTRAINT_ROTATION ///< the node takes the source's rotation from its rest, local to local
} sinew_vrm_constraint_kind;

/// A node constraint: sets the rotation of a node.
typedef struct sinew_vrm_constraint {
    sinew_vrm_constraint_kind kind; ///< its effect
    int32_t node;                   ///< the constrained node
    int32_t source;                 ///< the node that constrains it
    sinew_vec3 axis;                ///< roll and aim: a unit vector along a local axis of the node; else 0
    float weight;                   ///< 0 to 1: from the node's rest rotation to that of the constraint
} sinew_vrm_constraint;

// ---- Expressions ---------------------------------------------------------------------------------------------

/// The expressions that VRM 1.0 names. Presets of VRM 0.x are mapped: joy is happy, sorrow is sad, fun is relaxed.
typedef enum sinew_vrm_preset {
    SINEW_VRM_PRESET_CUSTOM,      ///< none of them: the expression has a name of its own
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

/// No expression: what a search returns that finds none.
#define SINEW_NO_EXPRESSION (-1)

/// The effect of an expression on the expressions of a group: mouth, blink or gaze.
typedef enum sinew_vrm_override {
    SINEW_VRM_OVERRIDE_NONE,  ///< none
    SINEW_VRM_OVERRIDE_BLOCK, ///< their weight is 0 while the expression's is above 0
    SINEW_VRM_OVERRIDE_BLEND  ///< their weight is multiplied by 1 - the expression's
} sinew_vrm_override;

/// A morph target that an expression moves.
typedef struct sinew_vrm_morph_bind {
    int32_t node;   ///< the node that owns the morph weight
    int32_t target; ///< the morph target of its mesh
    float weight;   ///< the morph weight at an expression weight of 1
} sinew_vrm_morph_bind;

/// The colour of a material that an expression changes. The last two are of VRMC_materials_mtoon.
typedef enum sinew_vrm_color_target {
    SINEW_VRM_COLOR_TARGET_BASE,     ///< "color": base_color of sinew_material
    SINEW_VRM_COLOR_TARGET_EMISSION, ///< "emissionColor"
    SINEW_VRM_COLOR_TARGET_SHADE,    ///< "shadeColor"
    SINEW_VRM_COLOR_TARGET_MATCAP,   ///< "matcapColor"
    SINEW_VRM_COLOR_TARGET_RIM,      ///< "rimColor"
    SINEW_VRM_COLOR_TARGET_OUTLINE   ///< "outlineColor"
} sinew_vrm_color_target;

/// A colour of a material that an expression changes: data for the program's renderer. The colour is the sum of the
/// material's own and, for each expression, weight × (value - own).
typedef struct sinew_vrm_color_bind {
    int32_t material;              ///< index into materials of the asset
    sinew_vrm_color_target target; ///< which of its colours
    float value[4];                ///< at an expression weight of 1, linear light
} sinew_vrm_color_bind;

/// A texture transform of a material that an expression changes: data for the program's renderer, as colours.
typedef struct sinew_vrm_texture_bind {
    int32_t material; ///< index into materials of the asset
    float scale[2];   ///< of texture coordinates, at an expression weight of 1
    float offset[2];  ///< of texture coordinates, at an expression weight of 1
} sinew_vrm_texture_bind;

/// An expression: a weight from 0 to 1 that moves morph targets and changes materials.
typedef struct sinew_vrm_expression {
    const char *name;                       ///< of a preset its name in VRM 1.0, such as "blinkLeft"; else its own
    sinew_vrm_preset preset;                ///< which preset, or SINEW_VRM_PRESET_CUSTOM
    bool binary;                            ///< its weight counts as 1 above 0.5, and else as 0
    sinew_vrm_override override_mouth;      ///< its effect on AA, IH, OU, EE and OH
    sinew_vrm_override override_blink;      ///< its effect on BLINK, BLINK_LEFT and BLINK_RIGHT
    sinew_vrm_override override_look_at;    ///< its effect on LOOK_UP, LOOK_DOWN, LOOK_LEFT and LOOK_RIGHT
    int32_t morph_count;                    ///< how many morph targets
    int32_t color_count;                    ///< how many colours
    int32_t texture_count;                  ///< how many texture transforms
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

/// The effect of an angle of the gaze: from 0 to input_max it rises linearly from 0 to output, and stays there.
typedef struct sinew_vrm_range {
    float input_max; ///< radians, above 0
    float output;    ///< bones: radians; expressions: a weight
} sinew_vrm_range;

/// An eye. Its rotation is that about `up` by the yaw, after that about `left` by the pitch, after the rest rotation.
typedef struct sinew_vrm_eye {
    int32_t node;        ///< the eye's node, or SINEW_NO_NODE
    sinew_vec3 up, left; ///< unit: the character's directions in the rest pose, in the space of the node's parent
} sinew_vrm_eye;

/// The gaze at a point (VRMC_vrm 1.0, lookAt.md). The gaze starts at `offset` from the head.
typedef struct sinew_vrm_look_at {
    sinew_vrm_look_at_type type; ///< what a gaze moves
    int32_t head;                ///< the head's node; SINEW_NO_NODE only for SINEW_VRM_LOOK_AT_NONE
    sinew_vec3 offset;           ///< from the head to between the eyes, in the head's local space
    sinew_vec3 forward, up;      ///< unit: directions of the gaze at yaw 0 and pitch 0, in the head's local space
    sinew_vrm_eye left_eye;      ///< the left eye
    sinew_vrm_eye right_eye;     ///< the right eye
    sinew_vrm_range horizontal_inner; ///< of bones: the eye turns towards the nose
    sinew_vrm_range
        horizontal_outer;          ///< of bones: the eye turns away from the nose; of expressions: left and right
    sinew_vrm_range vertical_down; ///< down
    sinew_vrm_range vertical_up;   ///< up
} sinew_vrm_look_at;

/// A direction of the gaze, relative to the head.
typedef struct sinew_vrm_gaze {
    float yaw;   ///< radians, -pi to pi, to the character's left; the azimuth
    float pitch; ///< radians, -pi/2 to pi/2, down; the negative altitude
} sinew_vrm_gaze;

/// The cameras that see a mesh node, for programs whose camera is in the avatar's head.
typedef enum sinew_vrm_first_person {
    /// The camera in the head sees the triangles of which no vertex is moved by the head or its descendants; others
    /// see all.
    SINEW_VRM_FIRST_PERSON_AUTO,
    SINEW_VRM_FIRST_PERSON_BOTH,              ///< all cameras
    SINEW_VRM_FIRST_PERSON_THIRD_PERSON_ONLY, ///< all except the one in the head
    SINEW_VRM_FIRST_PERSON_FIRST_PERSON_ONLY  ///< only the one in the head
} sinew_vrm_first_person;

// ---- Spring bones --------------------------------------------------------------------------------------------

/// The shape of a collider.
typedef enum sinew_vrm_collider_shape {
    SINEW_VRM_COLLIDER_SHAPE_SPHERE,  ///< a sphere at `offset`
    SINEW_VRM_COLLIDER_SHAPE_CAPSULE, ///< a capsule from `offset` to `tail`
    SINEW_VRM_COLLIDER_SHAPE_PLANE    ///< the half space behind the plane through `offset`
} sinew_vrm_collider_shape;

/// A volume that springs collide with (VRMC_springBone 1.0, and VRMC_springBone_extended_collider 1.0, whose shape
/// replaces the collider's own).
typedef struct sinew_vrm_collider {
    int32_t node;                   ///< the node that it moves with
    sinew_vrm_collider_shape shape; ///< its shape
    bool inside;                    ///< spheres and capsules: springs stay inside instead
    sinew_vec3 offset, tail;        ///< in the node's local space; tail is offset, except of a capsule
    sinew_vec3 normal;              ///< of a plane, towards the allowed side, in the node's local space; else 0
    float radius;                   ///< metres; 0 for a plane
} sinew_vrm_collider;

/// A list of colliders.
typedef struct sinew_vrm_collider_group {
    const char *name;         ///< "" if the file has none, and in VRM 0.x
    int32_t collider_count;   ///< how many colliders
    const int32_t *colliders; ///< [collider_count] indices into colliders
} sinew_vrm_collider_group;

/// A joint of a spring.
typedef struct sinew_vrm_spring_joint {
    int32_t node;        ///< the node
    float hit_radius;    ///< of the sphere that collides, metres
    float stiffness;     ///< the force back to the rest pose
    float gravity_power; ///< the size of the gravity
    sinew_vec3 gravity;  ///< its direction in world space, as in the file: need not be unit
    float drag;          ///< 0 to 1: the fraction by which the velocity decays
} sinew_vrm_spring_joint;

/// A spring: nodes that sway.
typedef struct sinew_vrm_spring {
    const char *name; ///< 1.0: name; 0.x: comment; "" if the file has none
    /// VRM 1.0: false; the joints are a chain, each an ancestor of the next, and the last one does not rotate. VRM 0.x:
    /// true; all nodes of the joints' subtrees sway with the joint's values, the last of each branch with a tail of
    /// 0.07 m.
    bool subtrees;
    int32_t center;                       ///< the node in whose space the springs move, or SINEW_NO_NODE: the world
    int32_t joint_count;                  ///< how many joints
    int32_t group_count;                  ///< how many collider groups
    const sinew_vrm_spring_joint *joints; ///< [joint_count]
    const int32_t *groups;                ///< [group_count] indices into collider_groups
} sinew_vrm_spring;

// ---- Animations ----------------------------------------------------------------------------------------------

/// A node of a .vrma file whose translation animates an expression: see sinew_vrm_track_weight.
typedef struct sinew_vrm_track {
    const char *name;        ///< as that of sinew_vrm_expression
    sinew_vrm_preset preset; ///< which preset, or SINEW_VRM_PRESET_CUSTOM
    int32_t node;            ///< the node
} sinew_vrm_track;

/// The animations of a .vrma file (VRMC_vrm_animation 1.0): the clips of the asset move the nodes of its humanoid,
/// which retarget.h plays on any other, and these nodes.
typedef struct sinew_vrm_animation {
    int32_t track_count;           ///< how many expressions are animated
    const sinew_vrm_track *tracks; ///< [track_count]
    int32_t gaze_node;             ///< the node whose rotation animates the gaze, or SINEW_NO_NODE
    sinew_vec3 offset;             ///< from the head to between the eyes, in the head's local space
} sinew_vrm_animation;

// ---- The data ------------------------------------------------------------------------------------------------

/// The VRM data of a file. Its arrays belong to the asset.
typedef struct sinew_vrm {
    sinew_vrm_version version;      ///< of the avatar
    const sinew_skeleton *skeleton; ///< the asset's
    sinew_up up;                    ///< the asset's
    sinew_vrm_meta meta;            ///< who made it
    int32_t constraint_count;       ///< how many node constraints
    int32_t expression_count;       ///< how many expressions
    /// [constraint_count], in an order in which they can be applied: each after those that move its source, and, if it
    /// aims, after those that move an ancestor of its node or source. Constraints of a circular dependency are left
    /// out.
    const sinew_vrm_constraint *constraints;
    const sinew_vrm_expression *expressions; ///< [expression_count], in the file's order, presets first
    /// The index of the expression of each preset, or SINEW_NO_EXPRESSION; that of SINEW_VRM_PRESET_CUSTOM is none.
    int32_t expression_of_preset[SINEW_VRM_PRESET_COUNT];
    sinew_vrm_look_at look_at;                       ///< the gaze
    const sinew_vrm_first_person *first_person;      ///< one for each of the asset's mesh nodes, in their order
    int32_t collider_count;                          ///< how many colliders
    int32_t collider_group_count;                    ///< how many collider groups
    int32_t spring_count;                            ///< how many springs
    const sinew_vrm_collider *colliders;             ///< [collider_count]
    const sinew_vrm_collider_group *collider_groups; ///< [collider_group_count]
    const sinew_vrm_spring *springs;                 ///< [spring_count]
    sinew_vrm_animation animation;                   ///< of a .vrma file; else nothing
} sinew_vrm;

// ---- Functions -----------------------------------------------------------------------------------------------

#ifndef SINEW_NO_GLTF

/// Reads VRM data from glTF files into an asset's `humanoid` and `vrm`: set it as `extension` of sinew_gltf_options.
/// Without it both are NULL. Static storage.
SINEW_API const sinew_gltf_extension *sinew_vrm_extension(void);

#endif

/// Returns the index of the first expression of that name, or SINEW_NO_EXPRESSION. Case-sensitive. Linear in the number
/// of expressions: look names up once, not in each frame.
SINEW_API int32_t sinew_vrm_find_expression(const sinew_vrm *vrm, const char *name);

/// Applies all node constraints to a pose of the skeleton (VRMC_node_constraint 1.0), in their order. Sets the
/// rotations of the constrained nodes; what the pose had there is ignored. With R the rest rotation and Q the pose's
/// rotation of the source, r the rest rotation of the node and a its axis:
///
///     rotation    slerp(r, r × R⁻¹ × Q, weight)
///     roll        slerp(r, r × shortest(D a, a) × D, weight), D = r⁻¹ × Q × R⁻¹ × r
///     aim         slerp(r, shortest(r a, d) × r, weight), d: from the node to the source, in the space of its parent
///
/// The direction of an aim constraint is that between the nodes in model space, in each hierarchy of scales. If the
/// source is at the node's position, or a scale of the parent is 0, the node gets its rest rotation. Within 1e-5
/// of the formulas.
SINEW_API void sinew_vrm_constraints_apply(const sinew_vrm *vrm, sinew_pose *pose);

/// Returns the gaze at a point of model space, for a pose whose model matrices, [node_count] of the skeleton, are
/// `model` (VRMC_vrm 1.0, lookAt.md): the azimuth and altitude of the target in look-at space, which is that of the
/// head, at the offset, without the head's rest rotation. {0, 0} without look-at data, for a target at the offset, and
/// for a head whose matrix cannot be inverted. Within 1e-5 rad.
SINEW_API sinew_vrm_gaze sinew_vrm_gaze_at(const sinew_vrm *vrm, const sinew_affine *model, sinew_vec3 target);

/// Applies a gaze by the ranges of the look-at data: sets the rotations of the eyes, or the weights of the expressions
/// lookUp, lookDown, lookLeft and lookRight that exist. `weights` is [expression_count], one for each expression; it
/// may be NULL if the type is not SINEW_VRM_LOOK_AT_EXPRESSION, and `pose` if it is not SINEW_VRM_LOOK_AT_BONE.
SINEW_API void sinew_vrm_gaze_apply(const sinew_vrm *vrm, sinew_vrm_gaze gaze, sinew_pose *pose, float *weights);

/// Computes the weights that expressions have after isBinary and overrides (VRMC_vrm 1.0, expressions.md). Both arrays
/// are [expression_count] and may be the same. Weights are clamped to [0, 1]; NaN counts as 0. A binary expression that
/// is overridden at all has the weight 0. An override of an expression's own group is ignored. For materials, which the
/// program applies; sinew_vrm_expressions_apply resolves the weights itself.
SINEW_API void sinew_vrm_expressions_resolve(const sinew_vrm *vrm, const float *weights, float *resolved);

/// Applies expressions to the morph weights of a pose: sets each morph weight that an expression moves to the sum, over
/// the expressions, of the resolved weight × the bind's weight. Other morph weights are not changed. `weights` is
/// [expression_count], as for sinew_vrm_expressions_resolve.
SINEW_API void sinew_vrm_expressions_apply(const sinew_vrm *vrm, const float *weights, sinew_pose *pose);

/// Returns the weight of an animated expression in a pose of the .vrma's skeleton: the x of the node's translation,
/// clamped to [0, 1].
SINEW_API float sinew_vrm_track_weight(const sinew_vrm_track *track, const sinew_pose *pose);

/// Returns the animated gaze in a pose of the .vrma's skeleton: yaw and pitch of the gaze node's rotation. {0, 0}
/// without a gaze node.
SINEW_API sinew_vrm_gaze sinew_vrm_track_gaze(const sinew_vrm *vrm, const sinew_pose *pose);

/// Creates springs from the spring bones of a VRM file, 1.0 or 0.x, with the update rule of VRMC_springBone 1.0, which
/// return to the rest pose. At 60 frames a second, each frame is one step of the specification's reference algorithm.
/// At other rates the steps stay 1/60 s, while the specification's algorithm, whose steps are the frames, depends on
/// the rate.
///
/// stiffness and gravityPower become accelerations: divided by the step's 1/60 s. dragForce becomes the half-life of
/// the motion relative to the air: 1 - dragForce is left of it after 1/60 s. Values that are negative or not finite
/// count as 0, and a dragForce above 1 as 1. Joints that are in two springs, and springs whose joints are not in order,
/// are left out from the second on. In VRM 0.x each branch of a subtree is a chain.
///
/// `vrm` is the data of an asset (asset.h), whose skeleton must outlive the springs. `allocator` may be NULL. The only
/// failure is SINEW_ERROR_OUT_OF_MEMORY; `*springs` is NULL then. Any thread.
SINEW_API sinew_result sinew_springs_create_from_vrm(const sinew_vrm *vrm, const sinew_allocator *allocator,
                                                     sinew_springs **springs);

#ifdef __cplusplus
}
#endif
#endif
