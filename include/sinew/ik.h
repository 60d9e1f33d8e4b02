/// Inverse kinematics: turning the joints of a pose so that a hand, a foot or a gaze gets where it is wanted.
///
/// Solvers edit a local pose. They read the model matrices of the nodes that they name, and of those in between and just
/// above, which must be current: what sinew_pose_to_model makes of the pose. Each frame:
///
///     sinew_mixer_advance(mixer, dt);
///     sinew_mixer_evaluate(mixer);
///     sinew_pose *pose = sinew_mixer_edit_pose(mixer);
///     sinew_pose_to_model(pose, model);
///     sinew_ik_solve(solvers, count, pose, model); // `model` stays current: skin with it
///
/// Places and directions are in model space, in metres. Angles are radians. Weights are from 0, which keeps the bits of the
/// pose, to 1; what is beyond is brought to the nearer of the two. What there is no answer to (a number that is not finite,
/// a node scaled to nothing) changes nothing.
///
/// All is computed in the space in which the turned joint's rotation is rigid, its parent's: ancestors may be scaled
/// unevenly, or mirrored. Nothing takes memory or fails, and the bits are the same on every machine. A pose and its
/// matrices belong to one thread at a time; definitions are only read.
#ifndef SINEW_IK_H
#define SINEW_IK_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Limbs ---------------------------------------------------------------------------------------------------

/// What the last node of a limb does, the hand or the foot, while the limb bends.
typedef enum sinew_ik_limb_end {
    SINEW_IK_LIMB_END_FOLLOW, ///< turns along with the lower bone
    SINEW_IK_LIMB_END_KEEP,   ///< stays turned in model space as it was
    SINEW_IK_LIMB_END_ROTATE  ///< is turned as `end_rotation` says
} sinew_ik_limb_end;

/// A limb of two bones whose end is brought to a target: an arm, a leg. Start from sinew_ik_two_bone_from_rest.
///
/// The end comes to a target that the limb can reach, to within rounding (a few millionths of the limb's length), and otherwise
/// to the nearest place that it can, as the parent of `upper` sees distances: the limb is straight towards a target too far
/// away, and folded where it is too near. Where `upper` or a node between it and `lower` is scaled unevenly, bending makes the
/// lower bone longer or shorter; then the bend is looked for in steps, which takes some microseconds, lands as well,
/// and knows no softness.
typedef struct sinew_ik_two_bone {
    int32_t upper; ///< the node at the start of the limb: thigh, upper arm
    int32_t lower; ///< the one in the middle, below `upper`: shin, forearm
    int32_t end;   ///< the one at the end, below `lower`: foot, hand. There may be nodes between the three
    /// The way in which the limb bends: the axis of the middle joint in the lower node's own axes, about which the lower bone
    /// turns, by the right hand, as the limb bends further. Need not be unit. It is what tells a limb that is straight, or
    /// bent too far back, which way to go. {0}: in the plane in which it is bent already; a straight one then bends anyhow.
    sinew_vec3 bend_axis;
    sinew_vec3 target; ///< where the end is to be
    /// A place that the middle joint is turned towards, about the line from the start to the target, as far as pole_weight
    /// says. For a direction, the place of the start plus it. Keep it away from that line: on it, it says nothing, and near it
    /// a small step of either turns the limb far.
    sinew_vec3 pole;
    float pole_weight; ///< default 0: the limb swings to the target by the shortest way, without rolling
    /// From 0, the default, to 1: the part of the limb's length over which it slows down as it becomes straight. Within it the
    /// end stays behind the target, as a limb that is never quite straight does not snap. With s this part in metres,
    /// and the target x s beyond the limb's length less s, the end goes s (1 - (1 + x / 4)^-4) beyond: value and slope are
    /// those of the target where x is 0, and 0.41 s are missing where a limb would be straight.
    float softness;
    float weight;               ///< rotations blend as by sinew_pose_blend, the end's in model space; default 1
    sinew_ik_limb_end end_mode; ///< default SINEW_IK_LIMB_END_FOLLOW
    sinew_quat end_rotation; ///< of the end in model space, as sinew_affine_decompose tells it; unit; default none
    uint32_t cookie;         ///< private: set by sinew_ik_two_bone_from_rest
} sinew_ik_two_bone;

/// The defaults above for a limb of these nodes, of which each is below the one before (asserted), with the bend axis that
/// the rest pose shows; {0} where that is straight, to within a degree. The target is {0} and must be given. Any thread.
SINEW_API sinew_ik_two_bone sinew_ik_two_bone_from_rest(const sinew_skeleton *skeleton, int32_t upper,
                                                        int32_t lower, int32_t end);

/// Turns upper, lower and, where it is asked to, end. Their matrices are not brought up to date: sinew_ik_solve does that,
/// or sinew_pose_to_model_below for `upper`.
SINEW_API void sinew_ik_two_bone_solve(const sinew_ik_two_bone *limb, const sinew_affine *model, sinew_pose *pose);

// ---- Aiming --------------------------------------------------------------------------------------------------

/// A node that is turned so that it, or one that hangs on it, points at a target: a head, an eye, a turret; a spine that helps
/// a gun point. Start from sinew_ik_aim_from_rest. For a turn that spine, neck and head share, solve one after the other for the
/// same eye, with ever larger weights, the last of 1.
///
/// Without a limit the node turns by the shortest arc, which is not continuous for a target straight behind: near it a small
/// step of the target turns the node by up to 1 / cos(a / 2) times the step, where a is the angle of the turn. Give a limit to
/// every aim whose target may pass behind, whatever its weight.
///
/// Limits. The target's direction is clamped first, then the node turns once, from the pose's own forward. The limit is an
/// elliptic cone about `middle` in the node's parent's space. Pitch is the angle along `limit_up`, yaw the angle sideways. The
/// turn does not roll about `middle`: the pose keeps its own roll. Within the limit `forward` points at the target. Beyond
/// it, `forward` stays on the limit, on the target's side. In the cone of 60 degrees about straight behind (180 degrees less
/// `limit` if that is smaller) the weight falls linearly to 0, back to the pose.
///
/// So the turn is a continuous function of the target. If the target's direction, from the node and in its parent's space,
/// moves by a small angle, the node turns by at most 3 times that angle for a limit up to 1.2 (69 degrees), pitch limits of at
/// least half of it and a pose whose own forward is within 40 degrees of `middle`. In general the factor is at most
///
///     max(h (1 + T^2), (2 / r) sqrt((1.16 h T)^2 + (T + O)^2))
///
/// with T = tan(limit / 2), O = tan(o / 2), where o is the angle between the pose's own forward and `middle`, r = min(1,
/// 2 cos(limit / 2)) and h = (k + 1 / k) / 2, where k is T over the tangent of half the smallest pitch limit. It holds for
/// up_weight 0 and an eye at the node; an eye elsewhere adds its parallax. The whole turn is at most max(limit, o) + o, and so
/// is the tilt of `up`: a head whose clip looks ahead stays upright. A pose whose own forward is in the cone behind turns less,
/// one whose forward is straight behind not at all.
typedef struct sinew_ik_aim {
    int32_t node;        ///< which is turned
    int32_t tip;         ///< which is to point: the node or one below it
    sinew_vec3 forward;  ///< the direction in the eye's own axes that is to point at the target; need not be unit
    sinew_vec3 origin;   ///< where it points from, in the eye's own space, metres: a muzzle; default {0}
    sinew_vec3 target;   ///< what it is to point at
    sinew_vec3 up;       ///< a direction in the eye's own axes that is to point to the sky; default +Y
    sinew_vec3 world_up; ///< where that is, in model space; default +Y
    /// How far `up` is turned towards the sky, about the line from the node to the target; default 0: the node turns to
    /// the target by the shortest way, without rolling. So it does where `up` or the sky lies on that line; and near it a
    /// small step turns far, unless there is a limit: then the part falls to 0 over the last 30 degrees.
    float up_weight;
    /// The largest angle between `forward` and `middle`, radians. Default: no limit (3.14 or more). See "Limits" above. With a
    /// limit, angles above 2.6 (150 degrees) count as that.
    float limit;
    float pitch_up; ///< the same for targets above, along `limit_up`; at most `limit`; default: no limit of its own
    float pitch_down; ///< the same for targets below
    /// From 0, the default, to 1: the part of the limit over which the turn slows down towards it. As for limbs, for the
    /// tangents of half the angles.
    float softness;
    sinew_vec3
        limit_axis; ///< of the limit's cone, as the node's parent sees it; default: `forward` in the rest pose
    float weight;   ///< without a limit, rotations blend as by sinew_pose_blend; default 1
    /// The direction of positive pitch in the node's parent's space. Need not be unit or at right angles to `middle`, but must
    /// not be parallel to it. Default: model space's +Y in the rest pose. Ignored unless a pitch limit is below `limit`.
    sinew_vec3 limit_up;
    /// The time constant of sinew_ik_aim_follow, seconds; default 0.15. Half of a jump takes 1.7 time constants, 90 % of it 3.9.
    /// 0: at once.
    float settle_time;
    uint32_t cookie; ///< private: set by sinew_ik_aim_from_rest
} sinew_ik_aim;

/// The defaults above for a node and an eye, which is the same or below it (asserted). The target is {0} and must be given.
/// Any thread.
SINEW_API sinew_ik_aim sinew_ik_aim_from_rest(const sinew_skeleton *skeleton, int32_t node, int32_t eye,
                                              sinew_vec3 forward);

/// Turns the node. Its matrices are not brought up to date: sinew_ik_solve does that, or sinew_pose_to_model_below.
SINEW_API void sinew_ik_aim_solve(const sinew_ik_aim *aim, const sinew_affine *model, sinew_pose *pose);

/// What an aim turns its node to. Written by sinew_ik_aim_follow.
typedef struct sinew_ik_aim_goal {
    sinew_vec3 point; ///< tangent of half the angle from `middle`, times the weight; in the node's parent's space
    float weight;     ///< 0 to 1: 1 but for targets near straight behind
} sinew_ik_aim_goal;

/// The state of an aim that follows its target smoothly. The caller owns it, one for each aim and character: {0} at first, which
/// is the unchanged pose. Plain numbers: a copy is a snapshot, and the same state and calls give the same bits.
typedef struct sinew_ik_aim_state {
    sinew_ik_aim_goal last;  ///< of the call before
    sinew_ik_aim_goal once;  ///< smoothed
    sinew_ik_aim_goal twice; ///< smoothed again: what the node is turned to
} sinew_ik_aim_state;

/// Turns the node like sinew_ik_aim_solve with a limit, smoothed over `settle_time`; `dt` is the time since the last call, seconds
/// (0 or more: asserted). Without a limit a limit of 150 degrees applies.
///
/// A target that passes behind is followed round the front, within the limit. After a target has rested and then jumps,
/// the node turns at most at 1.5 (tan(limit / 2) + tan(o / 2)) / settle_time radians a second, with o as above. The target is
/// taken to move linearly between two calls, so a target that rests gives the same poses at every frame rate, and one that
/// moves at 1 rad/s is followed at 30, 60 and 240 Hz to within 0.05 degrees.
///
/// The state follows the target at weight 0, too. An infinite `dt` settles at once; a `dt` of 0 means that the target has
/// jumped. Input without an answer changes neither pose nor state. Matrices are not brought up to date:
/// sinew_pose_to_model_below does that for the node.
SINEW_API void sinew_ik_aim_follow(const sinew_ik_aim *aim, float dt, sinew_ik_aim_state *state,
                                   const sinew_affine *model, sinew_pose *pose);

// ---- A stack -------------------------------------------------------------------------------------------------

/// Which solver it is.
typedef enum sinew_ik_kind {
    SINEW_IK_TWO_BONE, ///< two_bone
    SINEW_IK_AIM       ///< aim
} sinew_ik_kind;

/// A solver of either kind; the other's definition is not looked at.
typedef struct sinew_ik {
    sinew_ik_kind kind;         ///< which of the two
    sinew_ik_two_bone two_bone; ///< for SINEW_IK_TWO_BONE
    sinew_ik_aim aim;           ///< for SINEW_IK_AIM
} sinew_ik;

/// Runs solvers one after the other, each on what those before it have made. The model matrices, current when it begins, are
/// so when it ends: the same bits that sinew_pose_to_model would write. Costs, beside the solvers, a product for each node
/// that hangs on a node that was turned. `solvers` may be NULL where `count` is 0.
SINEW_API void sinew_ik_solve(const sinew_ik *solvers, int32_t count, sinew_pose *pose, sinew_affine *model);

// ---- Feet on the ground --------------------------------------------------------------------------------------

/// The most legs that one character's feet are placed for.
#define SINEW_MAX_LEGS 8

/// The most places of a sole.
#define SINEW_MAX_SOLE_PLACES 8

/// A place on the underside of a foot that is kept above the ground.
typedef struct sinew_ik_sole_point {
    int32_t node;     ///< the foot or one that hangs on it
    sinew_vec3 point; ///< in its own space, metres
} sinew_ik_sole_point;

/// One leg. Start from sinew_ik_leg_from_rest.
typedef struct sinew_ik_leg {
    sinew_ik_two_bone limb; ///< thigh, shin and foot, bend axis, pole and softness; the rest of it is not looked at
    sinew_ik_sole_point sole[SINEW_MAX_SOLE_PLACES]; ///< heel, ball, ...
    int32_t sole_count;                              ///< 0 to SINEW_MAX_SOLE_PLACES
    uint32_t cookie;                                 ///< private: set by sinew_ik_leg_from_rest
} sinew_ik_leg;

/// The limb's defaults, and of the sole what lies below the foot's joint and, unless it is SINEW_NO_NODE, the toes' joint in
/// the rest pose, on the ground that goes through model space's origin, at right angles to `up` (unit). On steps and edges
/// it takes the corners, too: see sinew_ik_leg_add_sole_point. Any thread.
SINEW_API sinew_ik_leg sinew_ik_leg_from_rest(const sinew_skeleton *skeleton, int32_t thigh, int32_t shin,
                                              int32_t foot, int32_t toes, sinew_vec3 up);

/// Adds a place of the sole that moves with a node, the foot or one that hangs on it: where it is in model space in the
/// rest pose. At most SINEW_MAX_SOLE_PLACES (asserted). Any thread.
SINEW_API void sinew_ik_leg_add_sole_point(sinew_ik_leg *leg, const sinew_skeleton *skeleton, int32_t node,
                                           sinew_vec3 place);

/// The ground above or below a place.
typedef struct sinew_ik_ground {
    float height;      ///< above model space's origin, along `up`, metres
    sinew_vec3 normal; ///< unit, in model space; a wall, steeper than 80 degrees, counts as level ground
} sinew_ik_ground;

/// Feet that stand on the ground there is, where their clip has them on level ground through model space's origin.
///
/// What a foot does over the level ground it does over the real one: it is carried there, raised by as much as that is higher
/// and turned as it slopes, and the leg is solved for it. No place of the sole is left below the ground, and the pelvis goes
/// down as far as the legs need to reach, and up by what all feet are raised. Over level ground of height 0 nothing changes
/// but for rounding. Start from sinew_ik_foot_placement_default.
typedef struct sinew_ik_foot_placement {
    int32_t pelvis;           ///< the node that is moved, above all legs; SINEW_NO_NODE: none
    const sinew_ik_leg *legs; ///< [leg_count]
    int32_t leg_count;        ///< 0 to SINEW_MAX_LEGS
    /// Finds the ground straight above or below a place in model space, finite; false where there is none. Must be given.
    /// Called for each leg once, and once more for each place of its sole.
    bool (*ground)(sinew_vec3 place, sinew_ik_ground *ground, void *user);
    void *user;    ///< given to `ground`; never looked at
    sinew_vec3 up; ///< in model space, unit; default +Y
    /// How high model space's origin is in the world, metres. What settles does so in the world, so that a character whose
    /// origin is set up a step takes neither feet nor pelvis along at once. Default 0.
    float elevation;
    float step; ///< ground that is further up or down than this from the level one is none, metres; default 0.5
    /// A foot in the air is the less carried the higher its clip has it, and at this height of its lowest sole place, metres,
    /// not at all, so that a jump over a ditch stays a jump; default 0.4.
    float lift;
    float tilt;        ///< the most that a foot is turned to follow a slope, radians; default 0.7, 40 degrees
    float foot_time;   ///< seconds in which feet settle by two thirds; default 0.06; 0: at once
    float pelvis_time; ///< the same of the pelvis as it goes up; default 0.15
    float weight;      ///< of all of it; default 1
    uint32_t cookie;   ///< private: set by sinew_ik_foot_placement_default
} sinew_ik_foot_placement;

/// The defaults above; what has none must be given. Any thread.
SINEW_API sinew_ik_foot_placement sinew_ik_foot_placement_default(void);

/// A height that settles: smoothed once, and that once more. What it shows is twice the first less the second, which does
/// not stay behind on a steady climb.
typedef struct sinew_ik_settling {
    float once;  ///< metres in the world
    float twice; ///< metres in the world
} sinew_ik_settling;

/// What settles, from frame to frame; the caller's, one for each character: {0} at first, and where a character is set
/// elsewhere. Plain numbers: a copy is a snapshot, and from the same state and calls come the same bits.
typedef struct sinew_ik_foot_placement_state {
    bool started;                           ///< false: there is nothing yet to settle from
    sinew_ik_settling pelvis;               ///< how high the pelvis is carried
    sinew_ik_settling feet[SINEW_MAX_LEGS]; ///< the ground under each foot
    sinew_vec3 normals[SINEW_MAX_LEGS];     ///< and which way it slopes
} sinew_ik_foot_placement_state;

/// Places the feet, `dt` seconds (0 or more: asserted) after the call before. Model matrices as for sinew_ik_solve.
SINEW_API void sinew_ik_foot_placement_solve(const sinew_ik_foot_placement *placement, float dt,
                                             sinew_ik_foot_placement_state *state, sinew_pose *pose,
                                             sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
