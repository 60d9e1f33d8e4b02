// SPDX-License-Identifier: MIT
// The private data of a retarget map, and the builder that fills it.
//
// A *slot* is an entry of a list of nodes whose model transforms a frame computes: paired nodes and their ancestors.
// Parents precede their children. Rotations S of the source include the rotation from its model space to the target's.
#ifndef SINEWI_RETARGET_DATA_H
#define SINEWI_RETARGET_DATA_H

#include <sinew/body/ik.h>
#include <sinew/humanoid/retarget.h>

#include "base/memory.h"
#include "humanoid/retarget_math.h"

#define RT_NONE (-1)

// A node of a skeleton and the slot of its parent, or RT_NONE.
typedef struct rt_slot {
    int32_t node, parent;
    int32_t drive; // of the target: index into `drives`, or RT_NONE
    int32_t
        twist; // of the target: index into `twists`, or RT_NONE; without both the node keeps its local transform
    bool has_rotation; // its rotation in model space is needed
    bool has_position; // its position and scale in model space are needed, and then its rotation
} rt_slot;

// How a target node is computed from the source. In model space: T = S × post, and for a distributed chain the blend
// of two of these. Where the parents are a pair as well, the local rotations are related without model space:
// t = T_parent⁻¹ × T = post_parent⁻¹ × S_parent⁻¹ × S × post = pre × s × post.
typedef struct rt_drive {
    int32_t source, second; // slots of the source; `second` only if second_part is not 0
    int32_t source_node;    // of the slot
    bool is_relative;       // by `pre`; else by model space
    double second_part;
    rt_quat pre, post, second_post;
    // The translation: an offset from a space, which is that of the parent pair or model space.
    bool is_local; // both spaces are the parents of their nodes: the offsets are local translations
    int32_t space_source, space_target;  // slots; RT_NONE: model space
    bool follows;                        // the change of the source's offset is added, scaled
    rt_vec source_offset, target_offset; // in the references
    rt_quat offset_rotation;             // from the source's space to the target's
    double offset_scale;
    sinew_vec3 scale, scale_factor; // the node's local scale: scale + scale_factor × the source's, by component
} rt_drive;

// A twist joint of the target, a child of a limb's joint: it takes a part of the rotation about the bone.
//
// Between the lower joint and the end it follows the end: the part is how far along the bone it is. Between the upper
// joint and the lower one it is turned back towards the joint above: so the mesh at the shoulder does not twist.
typedef struct rt_twist {
    int32_t limb;      // slot of the limb's joint
    int32_t end;       // drive of the limb's end, or RT_NONE
    int32_t above;     // slot of the joint above the limb, where `end` is RT_NONE
    rt_quat reference; // the rotation of the end relative to the limb's joint, or of that relative to the one above
    rt_vec axis;       // unit, the direction of the bone in the local space of the limb's joint
    double part;       // negative: turned back
    rt_quat rest;      // the local rotation in the reference
} rt_twist;

// Morph weights that are copied.
typedef struct rt_weights {
    int32_t node;                  // of the target
    int32_t source, target, count; // offsets
} rt_weights;

// A curve that is copied.
typedef struct rt_curve {
    int32_t source, target; // indices in the skeletons
} rt_curve;

// A leg or an arm whose end is moved to the source's position.
typedef struct rt_limb {
    sinew_ik_two_bone solver; // without target
    float weight;
    int32_t source, target; // the ends: foot, hand
    bool detached;          // the target's end is not a descendant of the limb
    bool is_at_tip;         // the detached end is where the limb ends, and stays there out of reach
    // Points of a sole or a palm, in the local spaces of both ends: the heel and the ball of a foot. A hand has its own
    // position twice. In the target's model space, a target's point is at scale × the source's, moved as the hips are, and by
    // its offset.
    rt_vec source_points[2], target_points[2], offsets[2];
    // The offsets of a foot rotate about the vertical as the node of their point does, the foot or its toes: what is planted
    // does not turn. Two level directions of the reference, in the node's local space, tell by how much.
    int32_t turns_with[2];
    rt_vec level[2][2];
    bool is_leg;
    double length; // of the target's limb
    double ground; // of the source: the height of the sole in the reference
    // The target's sole, if it is known: points that stay above `floor`, the height of the ground in the reference.
    int32_t sole_count;
    sinew_foot_point sole[SINEW_MAX_FOOT_POINTS];
    double floor;
    double blend_height; // of the source: the difference in height over which the lower point takes over
} rt_limb;

#define RT_MAX_LIMBS 16

typedef struct sinew_retarget_data {
    int32_t source_count, target_count, drive_count, twist_count, weights_count, curve_count, limb_count;
    const rt_slot *source_slots; // [source_count]
    const rt_slot *target_slots; // [target_count], in the order of computation
    const rt_drive *drives;      // [drive_count]: of pairs[i]
    const rt_twist *twists;      // [twist_count]
    const rt_weights *weights;   // [weights_count]
    const rt_curve *curves;      // [curve_count], of equal names
    rt_quat rotation;            // from the source's model space to the target's
    rt_vec up;                   // unit, in the target's model space
    double scale;
    rt_vec moved; // in the target's model space, from scale × the source's hips to the target's
    int32_t hips; // of the target, which legs that are too short pull down; or RT_NONE
    rt_limb limbs[RT_MAX_LIMBS];
} sinew_retarget_data;

// ---- Building ------------------------------------------------------------------------------------------------

// How the reference of a target node is aligned with the source's.
typedef enum rt_alignment {
    RT_ALIGN_PARENT, // as its parent pair
    RT_ALIGN_NONE,   // not
    RT_ALIGN_BONE,   // by the direction from `from` to `to`
    RT_ALIGN_LEVEL,  // by that direction about the vertical: feet
    RT_ALIGN_PALM    // by that direction and `across`
} rt_alignment;

// The directions that an alignment compares, as nodes of the source and the target.
typedef struct rt_direction {
    int32_t source_from, source_to, target_from, target_to;
} rt_direction;

// The driver of a target node.
typedef struct rt_link {
    int32_t source; // RT_NONE: the node is not driven
    int32_t second; // RT_NONE: `source` alone
    double part;    // of `second`
    int32_t role;   // or SINEW_NO_ROLE
    bool named;     // paired by name
    bool moves;     // its translation always follows: the hips and the nodes above
    rt_alignment alignment;
    rt_direction along, across;
    int32_t parent;  // the target node of the parent pair, or RT_NONE
    bool detached;   // `parent` is not an ancestor
    bool twists;     // a twist joint; `parent` is the limb's joint
    bool is_aligned; // `aligned` is set
    rt_quat aligned; // the rotation of the alignment, in the target's model space
} rt_link;

// A leg without roles: a chain that reaches the ground. Nodes of the target, but for those of the source.
typedef struct rt_leg {
    int32_t root, upper, lower, tip; // the chain's first node, and the joints that bend
    int32_t end, source_end;         // the tip, or a foot that is not below the leg
    int32_t ball, source_ball;       // the front of the foot, or RT_NONE if one has none
    double length, source_length;    // of the whole chains
    double ground, source_ground;    // heights
} rt_leg;

typedef struct rt_builder {
    const sinew_retarget_def *def;
    sinew_error *error;
    sinewi_arena scratch;
    rt_link *links; // [nodes of the target]
    rt_similarity *source_reference,
        *target_reference;                    // [nodes]: model transforms, both in the target's model space
    int32_t *source_slot_of, *target_slot_of; // [nodes]: or RT_NONE
    sinew_pose *source_pose, *target_pose;    // the references
    rt_quat rotation;
    double scale;
    double sole_raise; // from the target's reference to the one whose known soles are on the ground
    // Without humanoids: legs, and the lowest driven node above all of them, or RT_NONE.
    rt_leg legs[RT_MAX_LIMBS];
    int32_t leg_count, hips;
    sinew_retarget_chain *chains; // [chain_count]: the definition's, then those of equal names
    int32_t chain_count;
} rt_builder;

// Finds the driver of each target node. Fails for a wrong chain, and if there is none.
sinew_result sinewi_retarget_find_links(rt_builder *b);

// Marks the twist joints of the target's limbs that have no driver.
void sinewi_retarget_find_twists(rt_builder *b);

// Returns the twist of a twist joint; `end_drive` is the drive of the limb's end, or RT_NONE for an upper joint.
rt_twist sinewi_retarget_make_twist(const rt_builder *b, int32_t target, int32_t end_drive);

// Returns the role of a limb's end if the role is that of its lower joint, else SINEW_NO_ROLE.
int32_t sinewi_retarget_limb_end(int32_t role);

// Returns the local rotation of a twist joint. `limb` is the rotation of the limb's joint and `other` that of its end or of
// the joint above.
rt_quat sinewi_retarget_twist_rotation(const rt_twist *twist, rt_quat limb, rt_quat other);

// Lists the chains of the definition, and after them those of equal names. False if there is no memory.
bool sinewi_retarget_list_chains(rt_builder *b);

// Computes the model transforms of both references, each in its own model space.
void sinewi_retarget_compute_references(rt_builder *b);

// Finds the legs among the chains of skeletons without roles, and drives feet that are not below them.
void sinewi_retarget_find_legs(rt_builder *b);

// Makes such feet follow the tips of their legs.
void sinewi_retarget_detach_feet(rt_builder *b);

// Returns the rotation about the vertical that brings the paired nodes of skeletons without roles together. `upright` brings
// the up axes together.
rt_quat sinewi_retarget_chain_facing(const rt_builder *b, rt_quat upright);

// Returns the ratio of the lengths of the legs, or of all paired bones if there are none.
double sinewi_retarget_chain_size(const rt_builder *b);

// Sets the parent pairs.
void sinewi_retarget_find_parents(rt_builder *b);

// Makes a node a child of its nearest driven ancestor, and no longer a detached one.
void sinewi_retarget_attach(rt_builder *b, int32_t target);

// Computes rotation, scale, reference transforms and alignments.
void sinewi_retarget_align(rt_builder *b);

// Returns the length of both legs, thighs and shins, or 0 if a joint is missing.
double sinewi_retarget_leg_length(const sinew_humanoid *humanoid, const rt_similarity *reference);

// Returns the position of a driven node of the target in the aligned reference.
rt_vec sinewi_retarget_aligned_position(const rt_builder *b, int32_t target);

// Returns the height by which the hips of the aligned target must move so that its feet keep their height.
double sinewi_retarget_hips_shift(const rt_builder *b);

// Checks `target_soles`.
sinew_result sinewi_retarget_check_soles(const sinew_retarget_def *def, sinew_error *error);

// Returns the height of the ground below a reference, by its joints: 0, unless the feet are far from there.
double sinewi_retarget_ground_height(const sinew_humanoid *humanoid, const rt_similarity *reference, rt_vec up);

// Returns the height of the target's soles in its reference: of the lowest known point, or else of the ground.
double sinewi_retarget_sole_height(const rt_builder *b);

// Returns by how much the target's reference must be raised until its soles are on the ground; 0 if they are not known.
double sinewi_retarget_sole_raise(const rt_builder *b);

// Returns the known sole of a foot, with at least one point, or NULL.
const sinew_foot *sinewi_retarget_sole(const rt_builder *b, int32_t node);

// Returns the position of a point of a sole in the target's reference.
rt_vec sinewi_retarget_sole_point(const rt_builder *b, const sinew_foot_point *point);

// Returns where the ball of a sole without toes is, straight ahead of the ankle, in the aligned reference.
rt_vec sinewi_retarget_sole_ball(const rt_builder *b, int32_t target, const sinew_foot *sole, rt_vec forward);

// Copies the points of a sole; NULL: none.
void sinewi_retarget_set_sole(const sinew_foot *sole, rt_limb *limb);

// Fills the limbs.
void sinewi_retarget_make_limbs(const rt_builder *b, double shift, sinew_retarget_data *data);

// Returns the node of a role that both skeletons have paired, or RT_NONE.
int32_t sinewi_retarget_role_target(const rt_builder *b, int32_t role);

// Returns whether a node is a descendant of another.
static inline bool rt_is_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node > above && node < skeleton->subtree_ends[above];
}

#endif
