// SPDX-License-Identifier: MIT
// Foot placement.
//
// In the clip the feet walk on level ground through model space's origin. Each foot is moved from there to the real
// ground as a rigid body: from the level ground point below its joint to the real ground point above or below that,
// and rotated about it by the slope. So a foot that rests on level ground rests on the real one, and a raised foot
// stays raised by as much. If the rotation is limited, or the ground is not a plane, a sole point may be below the
// ground; the foot is then raised by the depth.
#include <sinew/ik.h>

#include "ik/foot_decay.h"
#include "ik/ik_math.h"
#include "pose/skeleton_object.h"
#include "core/def_cookie.h"
#include "core/finite.h"

#include <assert.h>

// The goal of one leg.
typedef struct foot_goal {
    sinew_vec3 joint; // the new position of the foot's joint
    sinew_quat turn;  // the rotation to apply to the foot, in model space
    float raised;     // the height that is added to the foot
    float bound;      // the highest pelvis offset at which the leg still reaches the ground
} foot_goal;

// ---- Smoothing -----------------------------------------------------------------------------------------------

// How heights settle in this frame.
typedef struct foot_settling {
    foot_decay decay;
    double dt;           // seconds
    double acceleration; // a target that accelerates by at most this is followed exactly, metres per second squared
    double climbed;      // how far the origin was raised in the world since the last frame, metres
} foot_settling;

// A height at rest that settles by a quarter of `step` starts with the acceleration that is the limit for targets.
static foot_settling settling_of(const sinew_ik_foot_placement *p, float dt, float seconds, float climbed) {
    double time = (double)seconds, step = (double)p->step;
    return (foot_settling){
        .decay = foot_decay_of(dt, seconds),
        .dt = (double)dt,
        .acceleration = seconds > 0.0f ? 0.25 * step / (time * time) : 0.0,
        .climbed = (double)climbed,
    };
}

// The velocity of a target that moved by `change` in the world. A target that jumps keeps its velocity in the first
// frame. If the next frame does not confirm the old velocity, the target moves fast: its velocity is approached.
static double target_velocity(sinew_ik_settling *settling, const foot_settling *s, double change) {
    double was = (double)settling->velocity, limit = s->acceleration * s->dt;
    if (!(s->dt > 0.0)) return was;
    double gained = change / s->dt - was;
    bool jumped_before = settling->jumped;
    settling->jumped = !(fabs(gained) <= limit);
    if (!settling->jumped) return was + gained;
    if (!jumped_before) return was;
    return gained > 0.0 ? was + limit : was - limit;
}

// Follows a target height above model space's origin, in world heights, and returns the height above the origin.
// What the target moves beyond its velocity is taken back by the offset, which decays from the next frame on: the height
// and its velocity are continuous, and the frame in which the target jumps moves nothing, however long it is. The changes are summed in double precision, because floats have large steps at great
// heights. Not a number for a target that is none, which changes neither pose nor state.
static float settle_height(sinew_ik_settling *settling, const foot_settling *s, float target) {
    double change = (double)target - (double)settling->target + s->climbed;
    if (!isfinite((float)change)) return NAN;
    double velocity = target_velocity(settling, s, change);
    foot_decay_step(&s->decay, &settling->offset, &settling->offset_velocity);
    if (s->decay.rate > 0.0f) settling->offset -= (float)(change - velocity * s->dt);
    settling->velocity = (float)velocity;
    settling->target = target;
    return target + settling->offset;
}

static void start_height(sinew_ik_settling *settling, float target) {
    if (isfinite(target)) *settling = (sinew_ik_settling){.target = target};
}

// Turns a foot's normal towards the ground's. The frame in which the ground's changes turns nothing.
static sinew_vec3 settle_normal(sinew_ik_settling_normal *settling, const foot_settling *s, sinew_vec3 target) {
    foot_decay_step(&s->decay, &settling->offset.x, &settling->velocity.x);
    foot_decay_step(&s->decay, &settling->offset.y, &settling->velocity.y);
    foot_decay_step(&s->decay, &settling->offset.z, &settling->velocity.z);
    if (s->decay.rate > 0.0f) {
        settling->offset = ik_add(settling->offset, ik_subtract(settling->target, target));
    }
    settling->target = target;
    return ik_normalize(ik_add(target, settling->offset));
}

// ---- The ground ----------------------------------------------------------------------------------------------

// Calls the program's `ground`; false without ground, or if it is out of the range of `step`.
static bool find_ground(const sinew_ik_foot_placement *p, sinew_vec3 position, sinew_ik_ground *ground) {
    return sinew_vec3_is_finite(position) && p->ground(position, ground, p->user) &&
           fabsf(ground->height) <= p->step;
}

// The ground that a foot is moved to. Of a wall the height is used, but the normal is replaced by level ground's.
static sinew_ik_ground ground_under(const sinew_ik_foot_placement *p, sinew_vec3 joint) {
    const float steepest = 0.1736f; // the cosine of 80 degrees
    sinew_ik_ground ground;
    if (!find_ground(p, joint, &ground)) return (sinew_ik_ground){0.0f, p->up};
    if (!(ik_dot(ground.normal, p->up) > steepest) || !sinew_vec3_is_finite(ground.normal)) ground.normal = p->up;
    return ground;
}

// The weight of the ground's effect on a foot: 1 on the level ground and 0 from the height `lift`, by smoothstep.
static float ground_weight(const sinew_ik_foot_placement *p, float height) {
    float x = ik_clamp01(height / p->lift);
    return 1.0f - x * x * (3.0f - 2.0f * x);
}

// The rotation from level ground to the slope, limited to `tilt` and scaled by `part`, in tangents of half angles.
static sinew_quat slope_turn(const sinew_ik_foot_placement *p, sinew_vec3 normal, float part) {
    sinew_vec3 up = p->up, axis = ik_cross(up, normal);
    float upright = 1.0f + ik_dot(up, normal), sine = ik_length(axis);
    if (!(upright > 0.0f) || !(sine > 0.0f)) return ik_identity;
    float limit = ik_half_tangent(p->tilt < 3.14f ? p->tilt : 3.14f), tangent = sine / upright;
    float held = part * (tangent < limit ? tangent : limit);
    return ik_quat_normalize(ik_axis_quat(ik_scale(axis, 1.0f / sine), held, 1.0f));
}

// ---- One foot ------------------------------------------------------------------------------------------------

static sinew_vec3 sole_point(const sinew_ik_sole_point *sole, const sinew_affine *model) {
    const sinew_affine *node = &model[sole->node];
    return sinew_affine_point(*node, sole->point);
}

// The height of the lowest sole point above the level ground.
static float lowest_sole_height(const sinew_ik_leg *leg, sinew_vec3 up, const sinew_affine *model) {
    float lowest = ik_dot(ik_position(&model[leg->limb.end]), up);
    for (int32_t i = 0; i < leg->sole_count; i++) {
        float height = ik_dot(sole_point(&leg->sole[i], model), up);
        if (i == 0 || height < lowest) lowest = height;
    }
    return lowest;
}

// How far the moved foot must be raised so that no sole point is below the ground; 0 if none is. Heights are
// measured from the plane of the ground under the joint: the lowest sole point must be above the highest ground
// under any of them, so that no edge of the ground between two points cuts into the sole.
static float depth_below_ground(const sinew_ik_foot_placement *p, const sinew_ik_leg *leg, const foot_goal *foot,
                                sinew_ik_ground plane, const sinew_affine *model) {
    sinew_vec3 joint = ik_position(&model[leg->limb.end]);
    float steep = ik_dot(plane.normal, p->up), highest = -FLT_MAX, lowest = FLT_MAX;
    for (int32_t i = 0; i < leg->sole_count; i++) {
        sinew_vec3 from_joint = ik_subtract(sole_point(&leg->sole[i], model), joint);
        sinew_vec3 point = ik_add(foot->joint, ik_rotate(foot->turn, from_joint));
        sinew_ik_ground ground;
        if (!find_ground(p, point, &ground)) continue;
        float height = ik_dot(point, p->up);
        float on_plane =
            plane.height -
            ik_dot(plane.normal, ik_subtract(ik_reject(point, p->up), ik_reject(joint, p->up))) / steep;
        if (ground.height - on_plane > highest) highest = ground.height - on_plane;
        if (height - on_plane < lowest) lowest = height - on_plane;
    }
    return highest > lowest ? highest - lowest : 0.0f;
}

static void place_foot(const sinew_ik_foot_placement *p, int32_t which, const foot_settling *s,
                       sinew_ik_foot_placement_state *state, const sinew_affine *model, foot_goal *foot) {
    const sinew_ik_leg *leg = &p->legs[which];
    sinew_vec3 joint = ik_position(&model[leg->limb.end]), up = p->up;
    float height = ik_dot(joint, up), part = ground_weight(p, lowest_sole_height(leg, up, model));
    sinew_ik_ground ground = ground_under(p, joint);
    sinew_ik_settling_normal *settling = &state->normals[which];
    if (!state->started) *settling = (sinew_ik_settling_normal){.target = ground.normal};
    sinew_vec3 normal = settle_normal(settling, s, ground.normal);

    foot->turn = slope_turn(p, normal, part);
    foot->raised = part * ground.height;
    sinew_vec3 ground_point = ik_add(joint, ik_scale(up, foot->raised - height));
    foot->joint = ik_add(ground_point, ik_rotate(foot->turn, ik_scale(up, height)));
    float target = foot->raised + depth_below_ground(p, leg, foot, ground, model);
    if (!state->started) start_height(&state->feet[which], target);
    float settled = settle_height(&state->feet[which], s, target);
    foot->joint = ik_add(foot->joint, ik_scale(up, settled - foot->raised));
    foot->raised = settled;
}

// ---- The pelvis ----------------------------------------------------------------------------------------------

// A leg is not extended beyond this fraction of its length, or beyond its extension in the clip.
static const float stretched = 0.98f;

static float highest_pelvis(const sinew_ik_foot_placement *p, const sinew_ik_leg *leg, const foot_goal *foot,
                            const sinew_affine *model) {
    sinew_vec3 hip = ik_position(&model[leg->limb.upper]), knee = ik_position(&model[leg->limb.lower]);
    sinew_vec3 ankle = ik_position(&model[leg->limb.end]), to_foot = ik_subtract(foot->joint, hip);
    float length = ik_length(ik_subtract(knee, hip)) + ik_length(ik_subtract(ankle, knee));
    float reach = ik_length(ik_subtract(ankle, hip));
    if (reach < stretched * length) reach = stretched * length;
    float along = ik_dot(to_foot, p->up), square = reach * reach - ik_dot(to_foot, to_foot) + along * along;
    return along + (square > 0.0f ? sqrtf(square) : 0.0f);
}

// The height to add to the pelvis; negative to lower it.
static float pelvis_move(const sinew_ik_foot_placement *p, const foot_settling *s,
                         sinew_ik_foot_placement_state *state, const foot_goal *feet) {
    float lowest = p->leg_count > 0 ? feet[0].raised : 0.0f, bound = p->step;
    for (int32_t i = 0; i < p->leg_count; i++) {
        if (feet[i].raised < lowest) lowest = feet[i].raised;
        if (feet[i].bound < bound) bound = feet[i].bound;
    }
    if (bound < -p->step) bound = -p->step;
    float raise = lowest > 0.0f ? lowest : 0.0f, target = raise < bound ? raise : bound;
    if (!state->started) start_height(&state->pelvis, target);
    float move = settle_height(&state->pelvis, s, target);
    if (!(move > bound)) return move;
    state->pelvis.offset -= move - bound; // at once: the feet that need it move smoothly
    return bound;
}

static void move_pelvis(const sinew_ik_foot_placement *p, float move, sinew_pose *pose, sinew_affine *model) {
    ik_matrix into = ik_to_local(model, pose->skeleton->parents[p->pelvis]);
    sinew_vec3 by = ik_scale(ik_transform(into, p->up), move / into.determinant);
    if (!sinew_vec3_is_finite(by)) return;
    pose->tx[p->pelvis] += by.x, pose->ty[p->pelvis] += by.y, pose->tz[p->pelvis] += by.z;
    sinew_pose_to_model_below(pose, p->pelvis, model);
}

// ---- Solving -------------------------------------------------------------------------------------------------

static void solve_leg(const sinew_ik_leg *leg, const foot_goal *foot, sinew_pose *pose, sinew_affine *model) {
    sinew_ik_two_bone limb = leg->limb;
    limb.target = foot->joint;
    limb.weight = 1.0f;
    limb.end_mode = SINEW_IK_LIMB_END_ROTATE;
    limb.end_rotation = ik_multiply(foot->turn, sinew_affine_decompose(model[limb.end]).rotation);
    sinew_ik_two_bone_solve(&limb, model, pose);
    sinew_pose_to_model_below(pose, limb.upper, model);
}

// Blends a foot's goal with its current pose by the weight `part`.
static void blend_from_pose(const sinew_ik_leg *leg, float part, foot_goal *foot, const sinew_affine *model) {
    sinew_vec3 was = ik_position(&model[leg->limb.end]);
    foot->joint = ik_add(was, ik_scale(ik_subtract(foot->joint, was), part));
    foot->turn = ik_blend(ik_identity, foot->turn, part);
}

// Whether the placement and its legs were made by their default functions; asserted.
static bool is_defined(const sinew_ik_foot_placement *p) {
    if (!SINEW_IS_DEF(p, "sinew_ik_foot_placement: start from sinew_ik_foot_placement_default()")) return false;
    for (int32_t i = 0; i < p->leg_count; i++) {
        if (!SINEW_IS_DEF(&p->legs[i], "sinew_ik_leg: start from sinew_ik_leg_from_rest()")) return false;
    }
    return true;
}

void sinew_ik_foot_placement_solve(const sinew_ik_foot_placement *p, float dt, sinew_ik_foot_placement_state *state,
                                   sinew_pose *pose, sinew_affine *model) {
    assert(p && state && pose && model);
    if (!is_defined(p)) return;
    assert(p->legs || p->leg_count == 0);
    assert(dt >= 0.0f && isfinite(dt));
    assert(p->ground && p->leg_count >= 0 && p->leg_count <= SINEW_MAX_LEGS);
    foot_goal feet[SINEW_MAX_LEGS];
    float climbed = state->started ? p->elevation - state->elevation : 0.0f;
    foot_settling of_feet = settling_of(p, dt, p->foot_time, climbed);
    foot_settling of_pelvis = settling_of(p, dt, p->pelvis_time, climbed);
    for (int32_t i = 0; i < p->leg_count; i++) {
        place_foot(p, i, &of_feet, state, model, &feet[i]);
        feet[i].bound = highest_pelvis(p, &p->legs[i], &feet[i], model);
    }
    float move = pelvis_move(p, &of_pelvis, state, feet), weight = ik_clamp01(p->weight);
    if (isfinite(p->elevation)) state->elevation = p->elevation;
    state->started = true;
    if (!(weight > 0.0f)) return;
    if (weight < 1.0f) {
        for (int32_t i = 0; i < p->leg_count; i++) blend_from_pose(&p->legs[i], weight, &feet[i], model);
    }
    if (p->pelvis != SINEW_NO_NODE) move_pelvis(p, weight * move, pose, model);
    for (int32_t i = 0; i < p->leg_count; i++) solve_leg(&p->legs[i], &feet[i], pose, model);
}

// ---- Defaults ------------------------------------------------------------------------------------------------

static sinew_affine rest_model(const sinew_skeleton *skeleton, int32_t node) {
    sinew_affine matrix = sinew_skeleton_rest_local(skeleton, node);
    for (int32_t i = skeleton->parents[node]; i != SINEW_NO_NODE; i = skeleton->parents[i]) {
        matrix = sinew_affine_multiply(sinew_skeleton_rest_local(skeleton, i), matrix);
    }
    return matrix;
}

void sinew_ik_leg_add_sole_point(sinew_ik_leg *leg, const sinew_skeleton *skeleton, int32_t node,
                                 sinew_vec3 point) {
    assert(leg && skeleton && node >= 0 && node < skeleton->node_count);
    assert(leg->sole_count >= 0 && leg->sole_count < SINEW_MAX_SOLE_POINTS);
    sinew_affine into = sinew_affine_inverse(rest_model(skeleton, node));
    leg->sole[leg->sole_count++] = (sinew_ik_sole_point){node, sinew_affine_point(into, point)};
}

static sinew_vec3 ground_below(const sinew_skeleton *skeleton, int32_t node, sinew_vec3 up) {
    sinew_affine model = rest_model(skeleton, node);
    return ik_reject(ik_position(&model), up);
}

static const sinew_ik_leg no_leg = {
    .limb = {.upper = SINEW_NO_NODE, .lower = SINEW_NO_NODE, .end = SINEW_NO_NODE},
};

sinew_ik_leg sinew_ik_leg_from_rest(const sinew_skeleton *skeleton, int32_t thigh, int32_t shin, int32_t foot,
                                    int32_t toes, sinew_vec3 up) {
    sinew_ik_leg leg = {.limb = sinew_ik_two_bone_from_rest(skeleton, thigh, shin, foot)};
    bool has_toes = toes != SINEW_NO_NODE;
    if (has_toes && !ik_is_at_or_below(skeleton, toes, foot)) leg.limb.upper = SINEW_NO_NODE;
    if (leg.limb.upper == SINEW_NO_NODE) return no_leg;
    leg.cookie = SINEW_DEF_COOKIE;
    sinew_ik_leg_add_sole_point(&leg, skeleton, foot, ground_below(skeleton, foot, up));
    if (has_toes) sinew_ik_leg_add_sole_point(&leg, skeleton, toes, ground_below(skeleton, toes, up));
    return leg;
}

sinew_ik_foot_placement sinew_ik_foot_placement_default(void) {
    return (sinew_ik_foot_placement){
        .pelvis = SINEW_NO_NODE,
        .up = {0, 1, 0},
        .step = 0.5f,
        .lift = 0.4f,
        .tilt = 0.7f,
        .foot_time = 0.05f,
        .pelvis_time = 0.12f,
        .weight = 1.0f,
        .cookie = SINEW_DEF_COOKIE,
    };
}
