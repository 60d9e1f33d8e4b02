// SPDX-License-Identifier: MIT
/// VRM avatars: node constraints, gaze, expressions, and all the other data that VRM adds to glTF.
///
/// Each frame, after you sample, retarget or mix the avatar's pose:
///
///     gaze = sinew_vrm_gaze_at(vrm, model, target);     // model matrices from last frame or for this pose
///     sinew_vrm_gaze_apply(vrm, gaze, pose, weights);   // eyes, or the expressions lookUp, lookDown, ...
///     sinew_vrm_expressions_apply(vrm, weights, pose);  // morph weights
///     sinew_vrm_constraints_apply(vrm, pose);           // twist bones, sleeves
///     sinew_pose_to_model(pose, model);
///
/// If you load a file with sinew_vrm_extension, the importer (gltf.h) stores its VRM data in the `vrm` member of
/// sinew_asset, and its roles in `humanoid` (humanoid.h). It reads the VRM 1.0 extensions VRMC_vrm,
/// VRMC_node_constraint, VRMC_springBone and VRMC_vrm_animation, and the VRM 0.x extension VRM. Both versions use
/// the same structs. This header only has the data for spring bones. Use body/spring.h to simulate them. See
/// docs/vrm.md for what's read and how it's applied.
///
/// The data never changes after loading. You can call all functions from any thread, but only one thread at a
/// time can use a pose. Unless noted otherwise, functions don't allocate and can't fail, and results are
/// bit-identical on every machine. Arguments are asserted. Lengths are in meters and angles are in radians.
#ifndef SINEW_VRM_H
#define SINEW_VRM_H

#include "../body/spring.h"
#include "../gltf.h"
#include "humanoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An avatar's VRM version.
typedef enum sinew_vrm_version {
    SINEW_VRM_VERSION_NONE, ///< not an avatar, but a .vrma animation, or only node constraints or spring bones
    SINEW_VRM_VERSION_0,    ///< VRM 0.x (extension VRM); the character faces -Z in the file
    SINEW_VRM_VERSION_1     ///< VRM 1.0 (extension VRMC_vrm); the character faces +Z in the file
} sinew_vrm_version;

/// The avatar's authors and license. Strings that are missing from the file are "".
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
    /// Copy the source's rotation relative to its rest rotation, but only about the axis.
    SINEW_VRM_CONSTRAINT_ROLL,
    SINEW_VRM_CONSTRAINT_AIM,     ///< point the axis at the source with the shortest rotation from the rest pose
    SINEW_VRM_CONSTRAINT_ROTATION ///< copy the source's rotation relative to its rest rotation, local to local
} sinew_vrm_constraint_kind;

/// A node constraint, which sets a node's rotation.
typedef struct sinew_vrm_constraint {
    sinew_vrm_constraint_kind kind; ///< what it does
    int32_t node;                   ///< the constrained node
    int32_t source;                 ///< the node that controls it
    sinew_vec3 axis;                ///< for ROLL and AIM, one of `node`'s local axes, unit length; otherwise 0
    float weight;                   ///< blends from the node's rest rotation (0) to the constraint's result (1)
} sinew_vrm_constraint;

// ---- Expressions ---------------------------------------------------------------------------------------------

/// The standard expressions in VRM 1.0. VRM 0.x presets are mapped to them.
typedef enum sinew_vrm_preset {
    SINEW_VRM_PRESET_CUSTOM,      ///< not a preset; the expression has a custom name
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

/// The number of values in sinew_vrm_preset.
#define SINEW_VRM_PRESET_COUNT 19

/// Returned by searches that don't find an expression.
#define SINEW_NO_EXPRESSION (-1)

/// How an expression affects mouth, blink or gaze expressions.
typedef enum sinew_vrm_override {
    SINEW_VRM_OVERRIDE_NONE,  ///< not at all
    SINEW_VRM_OVERRIDE_BLOCK, ///< their weights are 0 while its own weight is above 0
    SINEW_VRM_OVERRIDE_BLEND  ///< their weights are multiplied by 1 minus its own weight
} sinew_vrm_override;

/// A morph target that an expression moves.
typedef struct sinew_vrm_morph_bind {
    int32_t node;   ///< the node with the morph weight
    int32_t target; ///< the morph target in the node's mesh
    float weight;   ///< the morph weight when the expression's weight is 1
} sinew_vrm_morph_bind;

/// The material colors that an expression can change. The last four are part of VRMC_materials_mtoon.
typedef enum sinew_vrm_color_target {
    SINEW_VRM_COLOR_TARGET_BASE,     ///< "color": base_color of sinew_material
    SINEW_VRM_COLOR_TARGET_EMISSION, ///< "emissionColor"
    SINEW_VRM_COLOR_TARGET_SHADE,    ///< "shadeColor"
    SINEW_VRM_COLOR_TARGET_MATCAP,   ///< "matcapColor"
    SINEW_VRM_COLOR_TARGET_RIM,      ///< "rimColor"
    SINEW_VRM_COLOR_TARGET_OUTLINE   ///< "outlineColor"
} sinew_vrm_color_target;

/// A material color that an expression changes. Your renderer has to apply it. Start with the material's own
/// color, and add weight × (value - own) for each expression.
typedef struct sinew_vrm_color_bind {
    int32_t material;              ///< index into the asset's materials
    sinew_vrm_color_target target; ///< which color
    float value[4];                ///< linear color when the expression's weight is 1
} sinew_vrm_color_bind;

/// A texture transform that an expression changes. Your renderer has to apply it. Combine these the same way as
/// colors.
typedef struct sinew_vrm_texture_bind {
    int32_t material; ///< index into the asset's materials
    float scale[2];   ///< for texture coordinates when the expression's weight is 1
    float offset[2];  ///< for texture coordinates when the expression's weight is 1
} sinew_vrm_texture_bind;

/// An expression. Its weight ranges from 0 to 1. It moves morph targets and changes materials.
typedef struct sinew_vrm_expression {
    const char *name;                  ///< VRM 1.0 name for a preset, such as "blinkLeft", otherwise a custom name
    sinew_vrm_preset preset;           ///< which preset, or SINEW_VRM_PRESET_CUSTOM
    bool binary;                       ///< weights are rounded: above 0.5 to 1, otherwise to 0
    sinew_vrm_override override_mouth; ///< effect on AA, IH, OU, EE and OH
    sinew_vrm_override override_blink; ///< effect on BLINK, BLINK_LEFT and BLINK_RIGHT
    sinew_vrm_override override_look_at;    ///< effect on LOOK_UP, LOOK_DOWN, LOOK_LEFT and LOOK_RIGHT
    int32_t morph_count;                    ///< number of morph targets
    int32_t color_count;                    ///< number of colors
    int32_t texture_count;                  ///< number of texture transforms
    const sinew_vrm_morph_bind *morphs;     ///< [morph_count]
    const sinew_vrm_color_bind *colors;     ///< [color_count]; empty in VRM 0.x
    const sinew_vrm_texture_bind *textures; ///< [texture_count]; empty in VRM 0.x
} sinew_vrm_expression;

// ---- Gaze ----------------------------------------------------------------------------------------------------

/// What moves when the avatar looks at something.
typedef enum sinew_vrm_look_at_type {
    SINEW_VRM_LOOK_AT_NONE,      ///< nothing, because the file has no look-at data or no head
    SINEW_VRM_LOOK_AT_BONE,      ///< the eyes rotate
    SINEW_VRM_LOOK_AT_EXPRESSION ///< the weights of lookUp, lookDown, lookLeft and lookRight change
} sinew_vrm_look_at_type;

/// Maps a gaze angle to its effect. The effect rises linearly from 0 at angle 0 to `output` at `input_max`. For
/// larger angles it stays there.
typedef struct sinew_vrm_range {
    float input_max; ///< in radians, above 0
    float output;    ///< in radians for bones, a weight for expressions
} sinew_vrm_range;

/// An eye. The gaze is applied on top of the rest rotation, first the pitch about `left`, then the yaw about
/// `up`.
typedef struct sinew_vrm_eye {
    int32_t node;        ///< the eye's node, or SINEW_NO_NODE
    sinew_vec3 up, left; ///< the character's directions in the rest pose; unit vectors in the parent's space
} sinew_vrm_eye;

/// How an avatar looks at a point (VRMC_vrm 1.0, lookAt.md).
typedef struct sinew_vrm_look_at {
    sinew_vrm_look_at_type type;      ///< what moves
    int32_t head;                     ///< the head's node; SINEW_NO_NODE only for SINEW_VRM_LOOK_AT_NONE
    sinew_vec3 offset;                ///< where the gaze starts, between the eyes, in the head's local space
    sinew_vec3 forward, up;           ///< directions for yaw 0 and pitch 0; unit vectors in the head's local space
    sinew_vrm_eye left_eye;           ///< the left eye
    sinew_vrm_eye right_eye;          ///< the right eye
    sinew_vrm_range horizontal_inner; ///< for bones, when an eye turns toward the nose
    /// For bones, when an eye turns away from the nose. For expressions, left and right.
    sinew_vrm_range horizontal_outer;
    sinew_vrm_range vertical_down; ///< down
    sinew_vrm_range vertical_up;   ///< up
} sinew_vrm_look_at;

/// A gaze direction relative to the head.
typedef struct sinew_vrm_gaze {
    float yaw;   ///< in radians, -pi to pi, positive to the character's left
    float pitch; ///< in radians, -pi/2 to pi/2, positive down
} sinew_vrm_gaze;

/// Which cameras can see a mesh node. This matters if you have a camera in the avatar's head.
typedef enum sinew_vrm_first_person {
    /// All cameras, but the camera in the head doesn't see triangles with any vertex that moves with the head or
    /// one of its descendants.
    SINEW_VRM_FIRST_PERSON_AUTO,
    SINEW_VRM_FIRST_PERSON_BOTH,              ///< all cameras
    SINEW_VRM_FIRST_PERSON_THIRD_PERSON_ONLY, ///< all cameras except the one in the head
    SINEW_VRM_FIRST_PERSON_FIRST_PERSON_ONLY  ///< only the camera in the head
} sinew_vrm_first_person;

// ---- Spring bones --------------------------------------------------------------------------------------------

/// A collider's shape.
typedef enum sinew_vrm_collider_shape {
    SINEW_VRM_COLLIDER_SHAPE_SPHERE,  ///< a sphere with its center at `offset`
    SINEW_VRM_COLLIDER_SHAPE_CAPSULE, ///< a capsule from `offset` to `tail`
    SINEW_VRM_COLLIDER_SHAPE_PLANE    ///< the half-space behind the plane through `offset`
} sinew_vrm_collider_shape;

/// A volume that springs collide with (VRMC_springBone 1.0). If the collider uses
/// VRMC_springBone_extended_collider 1.0, this is the extended shape.
typedef struct sinew_vrm_collider {
    int32_t node;                   ///< the node it moves with
    sinew_vrm_collider_shape shape; ///< its shape
    bool inside;                    ///< spheres and capsules: keep springs inside instead
    sinew_vec3 offset, tail; ///< in the node's local space; tail is the same as offset unless this is a capsule
    sinew_vec3 normal;       ///< for planes, points toward the allowed side, in the node's local space; otherwise 0
    float radius;            ///< in meters; 0 for a plane
} sinew_vrm_collider;

/// A list of colliders.
typedef struct sinew_vrm_collider_group {
    const char *name;         ///< "" if there is no name, or in VRM 0.x
    int32_t collider_count;   ///< number of colliders
    const int32_t *colliders; ///< [collider_count] indices into colliders
} sinew_vrm_collider_group;

/// A joint in a spring.
typedef struct sinew_vrm_spring_joint {
    int32_t node;        ///< the node
    float hit_radius;    ///< radius of the sphere that collides, in meters
    float stiffness;     ///< force that pulls it back to the rest pose
    float gravity_power; ///< magnitude of gravity
    sinew_vec3 gravity;  ///< direction of gravity in world space; same as in the file, so not always a unit vector
    float drag;          ///< 0 to 1: how much the velocity decays
} sinew_vrm_spring_joint;

/// A spring, which is a group of nodes that sway.
typedef struct sinew_vrm_spring {
    const char *name; ///< 1.0: name; 0.x: comment; "" if the file has none
    /// False for VRM 1.0, where joints form a chain. Each joint is a descendant of the one before, and the last
    /// one doesn't rotate. True for VRM 0.x, where all nodes in a joint's subtree sway with the joint's values,
    /// and each branch ends in a tail 0.07 m long.
    bool subtrees;
    int32_t center;                       ///< springs move relative to this node; SINEW_NO_NODE means the world
    int32_t joint_count;                  ///< number of joints
    int32_t group_count;                  ///< number of collider groups
    const sinew_vrm_spring_joint *joints; ///< [joint_count]
    const int32_t *groups;                ///< [group_count] indices into collider_groups
} sinew_vrm_spring;

// ---- Animations ----------------------------------------------------------------------------------------------

/// Animates an expression with a node's translation in a .vrma file. See sinew_vrm_track_weight.
typedef struct sinew_vrm_track {
    const char *name;        ///< same as in sinew_vrm_expression
    sinew_vrm_preset preset; ///< which preset, or SINEW_VRM_PRESET_CUSTOM
    int32_t node;            ///< the node
} sinew_vrm_track;

/// The expression and gaze animation in a .vrma file (VRMC_vrm_animation 1.0). The asset's clips move these nodes
/// and the nodes in its humanoid. Use retarget.h to play the clips on other characters.
typedef struct sinew_vrm_animation {
    int32_t track_count;           ///< number of animated expressions
    const sinew_vrm_track *tracks; ///< [track_count]
    int32_t gaze_node;             ///< the node whose rotation animates the gaze, or SINEW_NO_NODE
    sinew_vec3 offset;             ///< from the head to the point between the eyes, in the head's local space
} sinew_vrm_animation;

// ---- The data ------------------------------------------------------------------------------------------------

/// The VRM data in a file. The asset owns the arrays.
typedef struct sinew_vrm {
    sinew_vrm_version version;      ///< the VRM version
    const sinew_skeleton *skeleton; ///< the asset's
    sinew_up up;                    ///< the asset's
    sinew_vrm_meta meta;            ///< the avatar's authors and license
    int32_t constraint_count;       ///< number of node constraints
    int32_t expression_count;       ///< number of expressions
    /// [constraint_count], sorted so they can be applied in order. Each constraint comes after the constraints
    /// that move its source. AIM constraints also come after the ones that move ancestors of their node or
    /// source. Circular constraints are left out.
    const sinew_vrm_constraint *constraints;
    const sinew_vrm_expression *expressions; ///< [expression_count], presets first, then in file order
    /// The index of the expression for each preset, or SINEW_NO_EXPRESSION. Always SINEW_NO_EXPRESSION for
    /// SINEW_VRM_PRESET_CUSTOM.
    int32_t expression_of_preset[SINEW_VRM_PRESET_COUNT];
    sinew_vrm_look_at look_at;                       ///< the gaze
    const sinew_vrm_first_person *first_person;      ///< one for each mesh node in the asset, in the same order
    int32_t collider_count;                          ///< number of colliders
    int32_t collider_group_count;                    ///< number of collider groups
    int32_t spring_count;                            ///< number of springs
    const sinew_vrm_collider *colliders;             ///< [collider_count]
    const sinew_vrm_collider_group *collider_groups; ///< [collider_group_count]
    const sinew_vrm_spring *springs;                 ///< [spring_count]
    sinew_vrm_animation animation;                   ///< only used for .vrma files
} sinew_vrm;

// ---- Functions -----------------------------------------------------------------------------------------------

#ifndef SINEW_NO_GLTF

/// Returns the glTF extension that reads VRM data into an asset's `humanoid` and `vrm` members. Set it as the
/// `extension` in sinew_gltf_options. If you don't, both members are NULL. The extension is static.
SINEW_API const sinew_gltf_extension *sinew_vrm_extension(void);

#endif

/// Returns the first expression with this name, or SINEW_NO_EXPRESSION. Case-sensitive. This is a linear search,
/// so you shouldn't call it every frame.
SINEW_API int32_t sinew_vrm_find_expression(const sinew_vrm *vrm, const char *name);

/// Applies all node constraints to a pose in order (VRMC_node_constraint 1.0). This overwrites the rotations of
/// the constrained nodes. Let R be the source's rest rotation, Q its rotation in the pose, r the node's rest
/// rotation, and a the axis. The results are:
///
///     rotation    slerp(r, r × R⁻¹ × Q, weight)
///     roll        slerp(r, r × shortest(D a, a) × D, weight), D = r⁻¹ × Q × R⁻¹ × r
///     aim         slerp(r, shortest(r a, d) × r, weight), d: from the node to the source, in the space of its parent
///
/// The direction of an aim constraint is measured between the nodes in model space, so it's correct for any scale
/// in the hierarchy. If the source is at the same position as the node, or if the parent has a scale of 0, the
/// node gets its rest rotation. Results are accurate to 1e-5.
SINEW_API void sinew_vrm_constraints_apply(const sinew_vrm *vrm, sinew_pose *pose);

/// Returns the gaze that looks at a point in model space (VRMC_vrm 1.0, lookAt.md). `model` has [node_count] model
/// matrices for the pose. Yaw and pitch are the target's azimuth and negative altitude in look-at space. This is
/// the head's space, moved to the offset and without the head's rest rotation. The result is accurate to 1e-5 rad.
/// Returns {0, 0} if there is no look-at data, if the target is at the offset, or if the head's matrix isn't
/// invertible.
SINEW_API sinew_vrm_gaze sinew_vrm_gaze_at(const sinew_vrm *vrm, const sinew_affine *model, sinew_vec3 target);

/// Applies a gaze, using the ranges in the look-at data. Depending on the type, this rotates the eyes, or sets
/// the weights of lookUp, lookDown, lookLeft and lookRight if these expressions exist. `weights` has
/// [expression_count] entries, and can be NULL unless the type is SINEW_VRM_LOOK_AT_EXPRESSION. `pose` can be
/// NULL unless the type is SINEW_VRM_LOOK_AT_BONE.
SINEW_API void sinew_vrm_gaze_apply(const sinew_vrm *vrm, sinew_vrm_gaze gaze, sinew_pose *pose, float *weights);

/// Computes the final expression weights after applying `binary` and overrides (VRMC_vrm 1.0, expressions.md). Use
/// these to apply material changes yourself. You don't need this for sinew_vrm_expressions_apply, which does it
/// internally. Both arrays have [expression_count] entries and can be the same array. Weights are clamped to [0,
/// 1], and NaN is treated as 0. A binary expression that is overridden at all gets a weight of 0. If an expression
/// overrides its own group, the override is ignored.
SINEW_API void sinew_vrm_expressions_resolve(const sinew_vrm *vrm, const float *weights, float *resolved);

/// Applies expressions to the morph weights in a pose. Each morph weight that an expression uses is set to the sum
/// of resolved weight × bind weight over all expressions. Other morph weights don't change. `weights` has
/// [expression_count] entries. Pass your own weights here, not the resolved ones.
SINEW_API void sinew_vrm_expressions_apply(const sinew_vrm *vrm, const float *weights, sinew_pose *pose);

/// Returns the weight of an animated expression in a pose with the .vrma file's skeleton. This is the x component
/// of the node's translation, clamped to [0, 1].
SINEW_API float sinew_vrm_track_weight(const sinew_vrm_track *track, const sinew_pose *pose);

/// Returns the animated gaze in a pose with the .vrma file's skeleton. This is the yaw and pitch of the gaze
/// node's rotation. Returns {0, 0} if there is no gaze node.
SINEW_API sinew_vrm_gaze sinew_vrm_track_gaze(const sinew_vrm *vrm, const sinew_pose *pose);

/// Creates springs from the spring bones in a VRM 1.0 or 0.x file. `vrm` must come from an asset (asset.h). The
/// asset's skeleton must outlive the springs. `allocator` may be NULL. This can only fail with
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*springs` is NULL.
///
/// The springs use the update rule from VRMC_springBone 1.0 and return to the rest pose. The reference algorithm
/// in the specification depends on the frame rate, so the time step is always 1/60 s. At 60 frames per second,
/// each frame is one step of that algorithm.
///
/// Stiffness and gravityPower are divided by the time step to turn them into accelerations. dragForce is
/// converted to the half-life of motion relative to the air, so 1 - dragForce of the motion is left after 1/60 s.
/// Values that are negative or not finite are treated as 0, and a dragForce above 1 is treated as 1.
///
/// A node can only sway in one spring. A VRM 1.0 spring is left out if any node from its first to its last joint
/// is already part of a different spring, if it has fewer than two joints, or if its joints are out of order. In
/// VRM 0.x each branch of a subtree becomes a chain.
SINEW_API sinew_result sinew_springs_create_from_vrm(const sinew_vrm *vrm, const sinew_allocator *allocator,
                                                     sinew_springs **springs);

#ifdef __cplusplus
}
#endif
#endif
