// SPDX-License-Identifier: MIT
// A retarget map's private data, and the builder that fills it.
//
// A *slot* is an entry in a list of nodes whose model transforms are computed each frame: paired nodes and
// their ancestors. Parents precede their children. The source's rotations S include the rotation from its model
// space to the target's.
#ifndef SINEWI_RETARGET_DATA_H
#define SINEWI_RETARGET_DATA_H

#include <sinew/body/ik.h>
#include <sinew/humanoid/retarget.h>

#include "base/memory.h"
#include "humanoid/retarget_math.h"

#define RT_NONE (-1)

// A skeleton's node, and its parent's slot or RT_NONE.
typedef struct rt_slot {
    int32_t node, parent;
    int32_t drive; // in the target: index into `drives`, or RT_NONE
    int32_t
        twist; // in the target: index into `twists`, or RT_NONE; with neither, the node keeps its local transform
    bool has_rotation; // its model-space rotation is needed
    bool has_position; // its model-space position and scale are needed, and therefore its rotation
} rt_slot;

// How a target node is computed from the source. In model space: T = S × post, and for a distributed chain, the blend
// of two of these. If the parents are also a pair, the local rotations are related without model space: t =
// T_parent⁻¹ × T = post_parent⁻¹ × S_parent⁻¹ × S × post = pre × s × post.
typedef struct rt_drive {
    int32_t source, second; // slots in the source; `second` is valid if second_part isn't 0
    int32_t source_node;    // the slot's node
    bool is_relative;       // true to use `pre`, false to go through model space
    double second_part;
    rt_quat pre, post, second_post;
    // The translation is an offset from a space: the parent pair's, or model space.
    bool is_local;                       // both spaces are their nodes' parents, so offsets are local translations
    int32_t space_source, space_target;  // slots; RT_NONE means model space
    bool follows;                        // adds the change of the source's offset, scaled
    rt_vec source_offset, target_offset; // in the references
    rt_quat offset_rotation;             // from the source's space to the target's
    double offset_scale;
    sinew_vec3 scale, scale_factor; // the node's local scale is scale + scale_factor × the source's, by component
} rt_drive;

// A twist joint of the target, which is a child of a limb's joint. It takes part of the rotation about the bone.
//
// Between the lower joint and the end, it follows the end, by how far along the bone it sits. Between the upper and the
// lower joint, it turns back towards the joint above, so the mesh at the shoulder doesn't twist.
typedef struct rt_twist {
    int32_t limb;      // slot of the limb's joint
    int32_t end;       // drive of the limb's end, or RT_NONE
    int32_t above;     // slot of the joint above the limb, if `end` is RT_NONE
    rt_quat reference; // of the end relative to the limb's joint, or of that joint relative to the one above
    rt_vec axis;       // unit direction of the bone in the local space of the limb's joint
    double part;       // negative to turn back
    rt_quat rest;      // local rotation in the reference
} rt_twist;

// Morph weights to copy.
typedef struct rt_weights {
    int32_t node;                  // in the target
    int32_t source, target, count; // offsets
} rt_weights;

// A curve to copy.
typedef struct rt_curve {
    int32_t source, target; // indices into the skeletons
} rt_curve;

// A leg or an arm whose end moves to the source's position.
typedef struct rt_limb {
    sinew_ik_two_bone solver; // without a target
    float weight;
    int32_t source, target; // the ends: foot or hand
    bool detached;          // the target's end isn't a descendant of the limb
    bool is_at_tip;         // the detached end is where the limb ends, and stays there when out of reach
    // Points in the local spaces of both ends. A foot has its heel and ball, and a hand has its own position twice. In
    // the target's model space, a target's point is at scale × the source's, moved like the hips, plus its offset.
    rt_vec source_points[2], target_points[2], offsets[2];
    // A foot's offset rotates about the vertical with the node of its point (the foot or its toes), so a planted foot
    // doesn't turn. Two horizontal directions of the reference, in the node's local space, show by how much.
    int32_t turns_with[2];
    rt_vec level[2][2];
    bool is_leg;
    double length; // of the target's limb
    double ground; // height of the source's sole in the reference
    // The target's sole, if known: points that stay above `floor`, which is the ground's height in the reference.
    int32_t sole_count;
    sinew_foot_point sole[SINEW_MAX_FOOT_POINTS];
    double floor;
    double blend_height; // on the source, the height difference over which the lower point takes over
} rt_limb;

#define RT_MAX_LIMBS 16

typedef struct sinew_retarget_data {
    int32_t source_count, target_count, drive_count, twist_count, weights_count, curve_count, limb_count;
    const rt_slot *source_slots; // [source_count]
    const rt_slot *target_slots; // [target_count], in the order they are computed
    const rt_quat *source_turns; // [source_count], model rotations in the reference
    const rt_drive *drives;      // [drive_count], for pairs[i]
    const rt_twist *twists;      // [twist_count]
    const rt_weights *weights;   // [weights_count]
    const rt_curve *curves;      // [curve_count], with equal names
    rt_quat rotation;            // from the source's model space to the target's
    rt_vec up;                   // unit length, in the target's model space
    double scale;
    rt_vec moved; // from scale × the source's hips to the target's, in the target's model space
    int32_t hips; // in the target, pulled down by legs that are too short; or RT_NONE
    rt_limb limbs[RT_MAX_LIMBS];
    sinew_humanoid source_humanoid, target_humanoid; // empty without roles
} sinew_retarget_data;

// ---- Building ------------------------------------------------------------------------------------------------

// How a target node's reference is aligned with the source's.
typedef enum rt_alignment {
    RT_ALIGN_PARENT, // like its parent pair
    RT_ALIGN_NONE,   // not at all
    RT_ALIGN_BONE,   // along the direction from `from` to `to`
    RT_ALIGN_LEVEL,  // along that direction, but only about the vertical: feet
    RT_ALIGN_PALM    // along that direction and `across`
} rt_alignment;

// The directions that an alignment compares, as nodes of the source and the target.
typedef struct rt_direction {
    int32_t source_from, source_to, target_from, target_to;
} rt_direction;

// The driver of a target node.
typedef struct rt_link {
    int32_t source; // RT_NONE if the node isn't driven
    int32_t second; // RT_NONE for `source` alone
    double part;    // share of `second`
    int32_t role;   // may be SINEW_NO_ROLE
    bool named;     // paired by name
    bool moves;     // its translation always follows: for the hips and the nodes above
    rt_alignment alignment;
    rt_direction along, across;
    int32_t parent;  // target node of the parent pair, or RT_NONE
    bool detached;   // `parent` isn't an ancestor
    bool twists;     // it's a twist joint, and `parent` is the limb's joint
    bool is_aligned; // `aligned` is set
    rt_quat aligned; // rotation of the alignment, in the target's model space
} rt_link;

// A leg without roles: a chain that reaches the ground. Nodes are the target's, unless they start with source_.
typedef struct rt_leg {
    int32_t root, upper, lower, tip; // the chain's first node, the joints that bend, and the chain's tip
    int32_t end, source_end;         // the tip, or a foot that isn't below the leg
    int32_t ball, source_ball;       // the front of the foot; RT_NONE if either foot has none
    double length, source_length;    // of the entire chains
    double ground, source_ground;    // heights
} rt_leg;

typedef struct rt_builder {
    const sinew_retarget_def *def;
    sinew_error *error;
    sinewi_arena scratch;
    rt_link *links; // [node count of the target]
    rt_similarity *source_reference,
        *target_reference;                    // [node count], model transforms, both in the target's model space
    int32_t *source_slot_of, *target_slot_of; // [node count], may be RT_NONE
    sinew_pose *source_pose, *target_pose;    // the references
    rt_quat rotation;
    double scale;
    double sole_raise; // raises the target's reference until its known soles are on the ground
    // Without humanoids: legs, and the lowest driven node above all of them or RT_NONE.
    rt_leg legs[RT_MAX_LIMBS];
    int32_t leg_count, hips;
    sinew_retarget_chain *chains; // [chain_count]: the definition's, then those with equal names
    int32_t chain_count;
} rt_builder;

// Finds each target node's driver. Fails if a chain is wrong, and if no node has a driver.
sinew_result sinewi_retarget_find_links(rt_builder *b);

// Marks the twist joints of the target's limbs that have no driver.
void sinewi_retarget_find_twists(rt_builder *b);

// Returns the twist of a twist joint. `end_drive` is the drive of the limb's end, or RT_NONE for an upper joint.
rt_twist sinewi_retarget_make_twist(const rt_builder *b, int32_t target, int32_t end_drive);

// If a role is a limb's lower joint, returns the role of the limb's end. Otherwise returns SINEW_NO_ROLE.
int32_t sinewi_retarget_limb_end(int32_t role);

// Returns a twist joint's local rotation. `limb` is the rotation of the limb's joint. `other` is the rotation of the
// limb's end or of the joint above.
rt_quat sinewi_retarget_twist_rotation(const rt_twist *twist, rt_quat limb, rt_quat other);

// Lists the definition's chains, then those with equal names. Returns false if memory runs out.
bool sinewi_retarget_list_chains(rt_builder *b);

// Computes the model transforms of both references, each in its own model space.
void sinewi_retarget_compute_references(rt_builder *b);

// Finds legs among the chains of skeletons without roles, and drives feet that aren't below them.
void sinewi_retarget_find_legs(rt_builder *b);

// Makes those feet follow the tips of their legs.
void sinewi_retarget_detach_feet(rt_builder *b);

// Returns the rotation about the vertical that aligns the paired nodes of skeletons without roles. `upright`
// aligns the up axes.
rt_quat sinewi_retarget_chain_facing(const rt_builder *b, rt_quat upright);

// Returns the ratio of leg lengths or, without legs, of all paired bones.
double sinewi_retarget_chain_size(const rt_builder *b);

// Sets the parent pairs.
void sinewi_retarget_find_parents(rt_builder *b);

// Makes a node a child of its nearest driven ancestor, so it isn't detached anymore.
void sinewi_retarget_attach(rt_builder *b, int32_t target);

// Computes rotation, scale, reference transforms and alignments.
void sinewi_retarget_align(rt_builder *b);

// Returns the total length of both legs (thighs and shins), or 0 if a joint is missing.
double sinewi_retarget_leg_length(const sinew_humanoid *humanoid, const rt_similarity *reference);

// Returns a driven target node's position in the aligned reference.
rt_vec sinewi_retarget_aligned_position(const rt_builder *b, int32_t target);

// Returns how far the aligned target's hips must move up for its feet to keep their height.
double sinewi_retarget_hips_shift(const rt_builder *b);

sinew_result sinewi_retarget_check_soles(const sinew_retarget_def *def, sinew_error *error);

// Returns the ground height below a reference, judged by its joints. It's 0, unless the feet are far from there.
double sinewi_retarget_ground_height(const sinew_humanoid *humanoid, const rt_similarity *reference, rt_vec up);

// Returns the height of the target's soles in its reference: their lowest known point, or else the ground.
double sinewi_retarget_sole_height(const rt_builder *b);

// Returns how far to raise the target's reference for its soles to be on the ground. 0 if they aren't known.
double sinewi_retarget_sole_raise(const rt_builder *b);

// Returns a foot's known sole, which has at least one point, or NULL.
const sinew_foot *sinewi_retarget_sole(const rt_builder *b, int32_t node);

// Returns the position of a sole's point in the target's reference.
rt_vec sinewi_retarget_sole_point(const rt_builder *b, const sinew_foot_point *point);

// Returns the ball of a sole without toes, straight ahead of the ankle, in the aligned reference.
rt_vec sinewi_retarget_sole_ball(const rt_builder *b, int32_t target, const sinew_foot *sole, rt_vec forward);

// Copies a sole's points. `sole` may be NULL.
void sinewi_retarget_set_sole(const sinew_foot *sole, rt_limb *limb);

void sinewi_retarget_make_limbs(const rt_builder *b, double shift, sinew_retarget_data *data);

// Returns the target's node of a role that both skeletons have paired, or RT_NONE.
int32_t sinewi_retarget_role_target(const rt_builder *b, int32_t role);

// Returns whether a node is a descendant of another.
static inline bool rt_is_below(const sinew_skeleton *skeleton, int32_t node, int32_t above) {
    return node > above && node < skeleton->subtree_ends[above];
}

#endif
