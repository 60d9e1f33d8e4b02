// SPDX-License-Identifier: MIT
// Foot placement.
//
// In the clip, the feet walk on level ground through the origin of model space. Each foot moves from there to the real
// ground as a rigid body. It moves from the level ground point below its joint to the real ground point above or below,
// and rotates about that point by the slope. So a foot that rests on level ground rests on the real ground, and a
// raised foot stays just as high above it. A limited rotation or uneven ground can push a sole point deeper into the
// ground than in the clip. The foot is then raised by the difference. A swinging foot rises above the edges on its path
// before it gets there.
//
// The pelvis follows the feet, weighted by how near they are to the ground. It's smoothed, so it may lag behind. If a
// leg can't reach its foot in the meantime, the foot is lifted.
#include <sinew/body/foot_placement.h>

#include "body/feet_data.h"
#include "body/foot_decay.h"
#include "body/ik_math.h"
#include "base/def_cookie.h"
#include "base/finite.h"

#include <assert.h>

// The goal of one foot.
typedef struct foot_goal {
    sinew_vec3 joint; // the new position of the foot's joint
    sinew_quat turn;  // the rotation to apply to the foot, in model space
    float raised;     // height added to the foot
    float bound;      // the highest pelvis offset at which the leg still reaches the ground
    float length;     // of the leg: thigh plus shin
    float extension;  // from the hip to the joint in the clip
    float height;     // of the lowest sole point in the clip, above level ground
    float fall;       // how fast that point sinks, meters per second
    int32_t lowest;   // index of that point, or SINEW_NO_NODE for the joint
    float planted;    // the foot's weight for the height of the pelvis: 1 on the ground, near 0 in the air
    float reach;      // how far from the hip the leg reaches easily
} foot_goal;

// ---- Smoothing -----------------------------------------------------------------------------------------------

// How heights settle during this frame.
typedef struct foot_settling {
    foot_decay decay;
    double dt;           // seconds
    double acceleration; // a target that accelerates by at most this is followed exactly, meters per second squared
    double approach;     // otherwise the velocity approaches the target's at this rate, same unit
    double climbed;      // how far the origin rose in the world since the last frame, meters
} foot_settling;

static foot_settling settling_of(const sinew_foot_placement *p, float dt, float seconds, float climbed) {
    double time = (double)seconds, unit = time > 0.0 ? (double)p->max_stair / (time * time) : 0.0;
    return (foot_settling){
        .decay = foot_decay_of(dt, seconds),
        .dt = (double)dt,
        .acceleration = unit,
        .approach = unit,
        .climbed = (double)climbed,
    };
}

// Feet approach slowly, because raising a foot by 1 cm turns the knee of a nearly straight leg by 18 degrees.
static foot_settling settling_of_feet(const sinew_foot_placement *p, float dt, float climbed) {
    foot_settling s = settling_of(p, dt, p->foot_time, climbed);
    s.acceleration *= 0.2, s.approach *= 0.13;
    return s;
}

// A resting height that has a quarter of `max_stair` to settle starts with this acceleration.
static foot_settling settling_of_pelvis(const sinew_foot_placement *p, float dt, float climbed) {
    foot_settling s = settling_of(p, dt, p->pelvis_time, climbed);
    s.acceleration *= 0.25, s.approach *= 0.25;
    return s;
}

// Velocity of a target that moved by `change` in the world. If the target jumps, the first frame keeps the
// old velocity. If the next frame doesn't confirm it, the target really is that fast, and the velocity
// approaches the target's.
static double target_velocity(sinew_foot_settling *settling, const foot_settling *s, double change) {
    double was = (double)settling->velocity, limit = s->acceleration * s->dt, step = s->approach * s->dt;
    if (!(s->dt > 0.0)) return was;
    double gained = change / s->dt - was;
    bool jumped_before = settling->jumped;
    settling->jumped = !(fabs(gained) <= limit);
    if (!settling->jumped) return was + gained;
    if (!jumped_before) return was;
    return gained > 0.0 ? was + step : was - step;
}

// Follows a target height above the origin of model space and returns the smoothed height. Velocities are relative to
// the world, because the origin may climb. Motion beyond the tracked velocity goes into an offset that decays from the
// next frame on. So height and velocity are continuous, and the frame with the jump moves nothing, however long it is.
// Changes are summed in double, because floats are coarse at great heights. If the target isn't finite, returns NaN and
// leaves the state alone.
static float settle_height(sinew_foot_settling *settling, const foot_settling *s, float target) {
    double change = (double)target - (double)settling->target + s->climbed;
    if (!isfinite((float)change)) return NAN;
    double velocity = target_velocity(settling, s, change);
    foot_decay_step(&s->decay, &settling->offset, &settling->offset_velocity);
    if (s->decay.rate > 0.0f) settling->offset -= (float)(change - velocity * s->dt);
    settling->velocity = (float)velocity;
    settling->target = target;
    return target + settling->offset;
}

static void start_height(sinew_foot_settling *settling, float target) {
    if (isfinite(target)) *settling = (sinew_foot_settling){.target = target};
}

// Turns a foot's normal towards the ground's. When the ground's normal changes, that frame turns nothing.
static sinew_vec3 settle_normal(sinew_foot_settling_normal *settling, const foot_settling *s, sinew_vec3 target) {
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

// Calls the user's `ground` callback. Returns false if there is no ground, or if it's out of the range of `max_stair`.
static bool find_ground(const sinew_foot_placement *p, sinew_vec3 position, sinew_foot_ground *ground) {
    return sinewi_vec3_is_finite(position) && p->ground(position, ground, p->user) &&
           fabsf(ground->height) <= p->max_stair;
}

// The ground to move a foot to. A wall counts with its height, but its normal is replaced by `up`.
static sinew_foot_ground ground_under(const sinew_foot_placement *p, sinew_vec3 joint) {
    const float steepest = 0.1736f; // the cosine of 80 degrees
    sinew_foot_ground ground;
    if (!find_ground(p, joint, &ground)) return (sinew_foot_ground){0.0f, p->up};
    if (!(ik_dot(ground.normal, p->up) > steepest) || !sinewi_vec3_is_finite(ground.normal)) ground.normal = p->up;
    return ground;
}

// How much the ground affects a foot: 1 on level ground, 0 from the height `lift` on (smoothstep).
static float ground_weight(const sinew_foot_placement *p, float height) {
    float x = ik_clamp01(height / p->lift);
    return 1.0f - x * x * (3.0f - 2.0f * x);
}

// The rotation from level ground to the slope, limited to `tilt` and scaled by `part`. Works with half-angle tangents.
static sinew_quat slope_turn(const sinew_foot_placement *p, sinew_vec3 normal, float part) {
    sinew_vec3 up = p->up, axis = ik_cross(up, normal);
    float upright = 1.0f + ik_dot(up, normal), sine = ik_length(axis);
    if (!(upright > 0.0f) || !(sine > 0.0f)) return ik_identity;
    float limit = ik_half_tangent(p->tilt < 3.14f ? p->tilt : 3.14f), tangent = sine / upright;
    float held = part * (tangent < limit ? tangent : limit);
    return ik_quat_normalize(ik_axis_quat(ik_scale(axis, 1.0f / sine), held, 1.0f));
}

// ---- One foot ------------------------------------------------------------------------------------------------

static sinew_vec3 sole_point(const sinew_foot_point *sole, const sinew_affine *model) {
    const sinew_affine *node = &model[sole->node];
    return sinew_affine_point(*node, sole->point);
}

// Position of a sole point, or of the foot's joint if there is no such point.
static sinew_vec3 sole_or_joint(const sinew_foot *foot, int32_t point, const sinew_affine *model) {
    bool is_sole = point >= 0 && point < foot->point_count;
    return is_sole ? sole_point(&foot->points[point], model) : ik_position(&model[foot->leg.end]);
}

// 1 on level ground, falling to 0.5 at the height `half`, which is a fraction of the leg's length.
static float nearness_to_ground(const foot_goal *goal, float half) {
    float above = goal->height > 0.0f ? goal->height / (half * goal->length) : 0.0f, square = above * above;
    return 1.0f / (1.0f + square * square);
}

// Measures the leg in the clip. A foot counts as on the ground up to about 6% of the leg's length.
static void measure_leg(const sinew_foot *foot, sinew_vec3 up, const sinew_affine *model, foot_goal *goal) {
    const float lifted = 0.06f;
    sinew_vec3 hip = ik_position(&model[foot->leg.upper]), knee = ik_position(&model[foot->leg.lower]);
    sinew_vec3 ankle = ik_position(&model[foot->leg.end]);
    goal->length = ik_length(ik_subtract(knee, hip)) + ik_length(ik_subtract(ankle, knee));
    goal->extension = ik_length(ik_subtract(ankle, hip));
    goal->lowest = SINEW_NO_NODE, goal->fall = 0.0f;
    goal->height = foot->point_count > 0 ? FLT_MAX : ik_dot(ankle, up);
    for (int32_t i = 0; i < foot->point_count; i++) {
        float height = ik_dot(sole_point(&foot->points[i], model), up);
        if (height < goal->height) goal->height = height, goal->lowest = i;
    }
    goal->planted = nearness_to_ground(goal, lifted);
}

// How far to raise the moved foot so none of its sole points is deeper in the ground than in the clip. The clip's own
// depth counts up to 1% of the leg's length. Heights are relative to the ground plane under the joint. The lowest sole
// point must clear the highest ground under any of them, or an edge between two points would cut into the sole.
static float depth_below_ground(const sinew_foot_placement *p, const sinew_foot *foot, const foot_goal *goal,
                                sinew_foot_ground plane, const sinew_affine *model) {
    sinew_vec3 joint = ik_position(&model[foot->leg.end]);
    float steep = ik_dot(plane.normal, p->up), highest = -FLT_MAX, lowest = FLT_MAX;
    for (int32_t i = 0; i < foot->point_count; i++) {
        sinew_vec3 from_joint = ik_subtract(sole_point(&foot->points[i], model), joint);
        sinew_vec3 point = ik_add(goal->joint, ik_rotate(goal->turn, from_joint));
        sinew_foot_ground ground;
        if (!find_ground(p, point, &ground)) continue;
        float height = ik_dot(point, p->up);
        float on_plane =
            plane.height -
            ik_dot(plane.normal, ik_subtract(ik_reject(point, p->up), ik_reject(joint, p->up))) / steep;
        if (ground.height - on_plane > highest) highest = ground.height - on_plane;
        if (height - on_plane < lowest) lowest = height - on_plane;
    }
    float depth = highest - lowest, own = goal->height < 0.0f ? -goal->height : 0.0f, most = 0.01f * goal->length;
    float kept = own < most ? own : most;
    return depth > kept ? depth - kept : 0.0f;
}

// ---- The path of a foot ---------------------------------------------------------------------------------------

// How well a velocity agrees with the last ground velocity. A foot that swings just above the ground doesn't.
static float agreement(sinew_vec3 velocity, sinew_vec3 of_ground) {
    const float apart = 0.3f; // meters per second
    sinew_vec3 difference = ik_subtract(velocity, of_ground);
    return 1.0f / (1.0f + ik_dot(difference, difference) / (apart * apart));
}

// Tracks the velocity of the ground relative to model space. Each foot contributes with the sole point that was lowest
// in the last frame. While no foot is on the ground, the last velocity stays.
static void follow_ground(const sinew_foot_placement *p, float dt, foot_goal *goals, const sinew_affine *model,
                          sinew_foot_placement_state *state) {
    const float time = 0.03f, touching = 0.008f; // as a fraction of the leg's length
    sinew_vec3 sum = {0, 0, 0};
    float weight = 0.0f, planted = 0.0f;
    for (int32_t i = 0; i < p->foot_count; i++) {
        sinew_foot_motion *motion = &state->motions[i];
        sinew_vec3 lowest = sole_or_joint(&p->feet[i], goals[i].lowest, model);
        sinew_vec3 joint = ik_position(&model[p->feet[i].leg.end]);
        if (!sinewi_vec3_is_finite(ik_add(lowest, joint))) continue;
        sinew_foot_motion before = *motion;
        motion->joint = joint, motion->sole = lowest, motion->lowest = goals[i].lowest;
        if (state->started && dt > 0.0f) {
            goals[i].fall = (ik_dot(before.sole, p->up) - goals[i].height) / dt;
            motion->velocity = ik_reject(ik_scale(ik_subtract(joint, before.joint), 1.0f / dt), p->up);
            sinew_vec3 was_lowest = sole_or_joint(&p->feet[i], before.lowest, model);
            sinew_vec3 velocity = ik_reject(ik_scale(ik_subtract(was_lowest, before.sole), 1.0f / dt), p->up);
            float on = nearness_to_ground(&goals[i], touching);
            float part = on * agreement(velocity, state->ground_velocity);
            if (!(part > 0.0f)) continue;
            sum = ik_add(sum, ik_scale(velocity, part));
            weight += part, planted += on;
        }
    }
    if (!(planted > 0.5f && weight > 0.0f)) return;
    float left = (float)sinewi_decay((double)dt / (double)time);
    sinew_vec3 gained = ik_subtract(ik_scale(sum, 1.0f / weight), state->ground_velocity);
    state->ground_velocity = ik_add(state->ground_velocity, ik_scale(gained, 1.0f - left));
}

// Velocity of a foot over the ground. It comes from the character's velocity or, if that is 0, from the planted feet. A
// foot on the ground is itself planted then, so its velocity fades to 0.
static sinew_vec3 velocity_over_ground(const sinew_foot_placement *p, const foot_goal *goal,
                                       const sinew_foot_motion *motion, sinew_vec3 of_ground) {
    const float lifted = 0.005f; // as a fraction of the leg's length
    bool is_given = sinewi_vec3_is_finite(p->velocity) && ik_dot(p->velocity, p->velocity) > 0.0f;
    if (is_given) return ik_add(motion->velocity, ik_reject(p->velocity, p->up));
    float part = ik_clamp01(goal->height / (lifted * goal->length));
    return ik_scale(ik_subtract(motion->velocity, of_ground), part);
}

// The sole point that is furthest along a direction.
static sinew_vec3 foremost_point(const sinew_foot *foot, sinew_vec3 direction, const sinew_affine *model) {
    sinew_vec3 foremost = ik_position(&model[foot->leg.end]);
    for (int32_t i = 0; i < foot->point_count; i++) {
        sinew_vec3 point = sole_point(&foot->points[i], model);
        if (ik_dot(ik_subtract(point, foremost), direction) > 0.0f) foremost = point;
    }
    return foremost;
}

// The path ahead of a foot, from its foremost sole point to as far as it looks.
typedef struct foot_path {
    sinew_vec3 from, path;   // level
    sinew_vec3 joint;        // of the foot
    sinew_foot_ground plane; // the ground under the joint
} foot_path;

// How far the ground rises at a fraction of the path above the plane under the foot. Returns
// `otherwise` without ground.
static float ground_above(const sinew_foot_placement *p, const foot_path *w, float part, float otherwise) {
    sinew_vec3 point = ik_add(w->from, ik_scale(w->path, part));
    sinew_foot_ground ground;
    if (!find_ground(p, point, &ground)) return otherwise;
    sinew_vec3 level = ik_reject(ik_subtract(point, w->joint), p->up);
    return ground.height - w->plane.height + ik_dot(w->plane.normal, level) / ik_dot(w->plane.normal, p->up);
}

// Where the ground rises to `high` between two fractions of the path, by bisection. Beyond the path if
// the rise is gradual.
static float find_edge(const sinew_foot_placement *p, const foot_path *w, float from, float low, float to,
                       float high) {
    enum { HALVINGS = 5 };
    float rise = high - low;
    for (int i = 0; i < HALVINGS; i++) {
        float middle = 0.5f * (from + to), height = ground_above(p, w, middle, low);
        if (height - low > high - height)
            to = middle, high = height;
        else
            from = middle, low = height;
    }
    const float beyond = 2.0f;
    return high - low > 0.5f * rise ? to : beyond;
}

// 1 near the foot, falling to 0 at the end of the path.
static float nearness(float part) {
    float x = ik_clamp01((part - 0.1f) / 0.9f);
    return 1.0f - x * x * (3.0f - 2.0f * x);
}

// How far ahead a foot looks, in seconds. A foot that is coming down looks only to where it lands, because edges beyond
// would keep it off the ground. A foot on the ground rolls, so a slow descent doesn't count.
static float time_ahead(const sinew_foot_placement *p, const foot_goal *goal) {
    const float slow = 0.3f; // leg lengths a second
    float longest = 5.0f * p->foot_time, height = goal->height > 0.0f ? goal->height : 0.0f;
    float fall = goal->fall - slow * goal->length;
    return height < longest * fall ? height / fall : longest;
}

// Height of the edges on the foot's path above the ground plane under it. Nearer edges count more, so the foot rises
// like on a ramp and has cleared the edge when it gets there.
static float edges_on_path(const sinew_foot_placement *p, const sinew_foot *foot, const foot_goal *goal,
                           sinew_foot_ground plane, sinew_vec3 velocity, const sinew_affine *model) {
    enum { PLACES = 4 };
    const float shortest = 0.01f, furthest = 1.3f, edge = 0.02f; // as fractions of the leg's length
    foot_path w = {.joint = ik_position(&model[foot->leg.end]), .plane = plane};
    w.path = ik_scale(velocity, time_ahead(p, goal));
    float length = ik_length(w.path), most = furthest * goal->length;
    if (!(length > shortest * goal->length)) return 0.0f;
    if (length > most) w.path = ik_scale(w.path, most / length);
    w.from = foremost_point(foot, w.path, model);
    float before = ground_above(p, &w, 0.0f, 0.0f), highest = before > 0.0f ? before : 0.0f;
    for (int k = 1; k <= PLACES; k++) {
        float part = (float)k / (float)PLACES, height = ground_above(p, &w, part, before);
        if (height - before > edge * goal->length) {
            float at = find_edge(p, &w, part - 1.0f / (float)PLACES, before, part, height),
                  above = height * nearness(at);
            if (above > highest) highest = above;
        }
        before = height;
    }
    return highest;
}

static void place_foot(const sinew_foot_placement *p, int32_t which, const foot_settling *s,
                       sinew_foot_placement_state *state, const sinew_affine *model, foot_goal *goal) {
    const sinew_foot *foot = &p->feet[which];
    sinew_vec3 joint = ik_position(&model[foot->leg.end]), up = p->up;
    float height = ik_dot(joint, up), part = ground_weight(p, goal->height);
    sinew_foot_ground ground = ground_under(p, joint);
    sinew_foot_settling_normal *settling = &state->normals[which];
    if (!state->started) *settling = (sinew_foot_settling_normal){.target = ground.normal};
    sinew_vec3 normal = settle_normal(settling, s, ground.normal);

    goal->turn = slope_turn(p, normal, part);
    goal->raised = part * ground.height;
    sinew_vec3 ground_point = ik_add(joint, ik_scale(up, goal->raised - height));
    goal->joint = ik_add(ground_point, ik_rotate(goal->turn, ik_scale(up, height)));
    sinew_vec3 velocity = velocity_over_ground(p, goal, &state->motions[which], state->ground_velocity);
    float edge = state->started ? part * edges_on_path(p, foot, goal, ground, velocity, model) : 0.0f;
    float depth = depth_below_ground(p, foot, goal, ground, model);
    float target = goal->raised + (depth > edge ? depth : edge);
    if (!state->started) start_height(&state->feet[which], target);
    float settled = settle_height(&state->feet[which], s, target);
    goal->joint = ik_add(goal->joint, ik_scale(up, settled - goal->raised));
    goal->raised = settled;
}

// ---- The pelvis ----------------------------------------------------------------------------------------------

// The pelvis is just low enough for the legs to reach the planted feet with the first fraction of their length. From
// there a leg extends ever less, up to the last fraction. A leg whose foot is in the air starts at the second one.
static const float stretched = 0.96f, hanging = 0.9f, longest = 0.99f;

static float highest_pelvis(const sinew_foot_placement *p, const sinew_foot *foot, const foot_goal *goal,
                            const sinew_affine *model) {
    sinew_vec3 to_foot = ik_subtract(goal->joint, ik_position(&model[foot->leg.upper]));
    float along = ik_dot(to_foot, p->up),
          square = goal->reach * goal->reach - ik_dot(to_foot, to_foot) + along * along;
    return along + (square > 0.0f ? sqrtf(square) : 0.0f);
}

// Seconds. Time constant of the pelvis rising back between steps.
static const double held_seconds = 1.0;

// The largest weight of any foot.
static float most_planted(const sinew_foot_placement *p, const foot_goal *goals) {
    float most = 0.0f;
    for (int32_t i = 0; i < p->foot_count; i++) most = goals[i].planted > most ? goals[i].planted : most;
    return most;
}

// How far the feet raise the pelvis, 0 or more. It's the smallest height of the feet on the ground. Lifted feet count
// less, and a lowered foot counts as not raised.
static float pelvis_raise(const sinew_foot_placement *p, const foot_goal *goals) {
    float sum = 0.0f, weight = 0.0f, lower = 0.0f, most = most_planted(p, goals);
    for (int32_t i = 0; i < p->foot_count; i++) {
        sum += goals[i].raised > 0.0f ? goals[i].planted * goals[i].raised : 0.0f;
        weight += goals[i].planted;
    }
    float mean = weight > 0.0f ? sum / weight : 0.0f;
    for (int32_t i = 0; i < p->foot_count; i++) {
        float raised = goals[i].raised > 0.0f ? goals[i].raised : 0.0f;
        float below = (raised - mean) * goals[i].planted / most;
        if (below < lower) lower = below;
    }
    return mean + lower;
}

// The leg may be straighter in the clip. The more the foot moves relative to the others, the less that counts.
static void find_reach(float raise, foot_goal *goal) {
    const float near = 0.15f;
    float reach = (hanging + (stretched - hanging) * goal->planted) * goal->length;
    float moved = fabsf(goal->raised - raise);
    float own = ik_fade(goal->extension, reach, moved / (near * goal->length));
    goal->reach = reach < own ? own : reach;
}

// How far the pelvis must drop from the raised height for the legs to reach the feet on the ground. Following the need
// of each moment would make the pelvis bob with every step. So the largest need is held, and fades slowly.
static float pelvis_drop(const sinew_foot_placement *p, float raise, float dt, const foot_goal *goals, float kept) {
    float drop = kept * (float)sinewi_decay((double)dt / held_seconds), most = most_planted(p, goals);
    for (int32_t i = 0; i < p->foot_count; i++) {
        float needed = (raise - goals[i].bound) * goals[i].planted / most;
        if (needed > drop) drop = needed;
    }
    return drop;
}

// Height to add to the pelvis. Negative lowers it.
static float pelvis_move(const sinew_foot_placement *p, const foot_settling *s, float dt, float raise,
                         sinew_foot_placement_state *state, const foot_goal *goals) {
    float drop = pelvis_drop(p, raise, dt, goals, state->drop);
    if (!isfinite(raise - drop)) return NAN;
    float target = raise - drop;
    target = target < -p->max_stair ? -p->max_stair : target > p->max_stair ? p->max_stair : target;
    state->drop = raise - target > 0.0f ? raise - target : 0.0f;
    if (!state->started) start_height(&state->pelvis, target);
    return settle_height(&state->pelvis, s, target);
}

static void move_pelvis(const sinew_foot_placement *p, float move, sinew_pose *pose, sinew_affine *model) {
    ik_matrix into = ik_to_local(model, pose->skeleton->parents[p->pelvis]);
    sinew_vec3 by = ik_scale(ik_transform(into, p->up), move / into.determinant);
    if (!sinewi_vec3_is_finite(by)) return;
    pose->tx[p->pelvis] += by.x, pose->ty[p->pelvis] += by.y, pose->tz[p->pelvis] += by.z;
    sinew_pose_to_model_below(pose, p->pelvis, model);
}

// ---- Solving -------------------------------------------------------------------------------------------------

// Lifts a goal that is out of the leg's reach. The shortfall starts at 0, so nothing pops.
static void hold_in_reach(const sinew_foot *foot, sinew_vec3 up, const sinew_affine *model, foot_goal *goal) {
    sinew_vec3 to_hip = ik_subtract(ik_position(&model[foot->leg.upper]), goal->joint);
    float far = ik_length(to_hip);
    if (!(far > goal->reach)) return;
    float limit = goal->reach + 0.25f * (goal->length - goal->reach), fixed = longest * goal->length;
    float reach = ik_soften(far, goal->reach, limit < fixed ? fixed : limit);
    goal->joint = ik_lift_to_reach(goal->joint, to_hip, up, reach);
}

static void solve_leg(const sinew_foot *foot, const foot_goal *goal, float weight, sinew_pose *pose,
                      sinew_affine *model) {
    sinew_ik_two_bone limb = foot->leg;
    limb.target = goal->joint;
    limb.weight = weight;
    limb.end_mode = SINEW_IK_LIMB_END_ROTATE;
    limb.end_rotation = ik_multiply(goal->turn, sinew_affine_decompose(model[limb.end]).rotation);
    sinew_ik_two_bone_solve(&limb, pose, model);
    sinew_pose_to_model_below(pose, limb.upper, model);
}

// Whether the placement comes from its default function and the feet have legs. Asserts both.
static bool is_defined(const sinew_foot_placement *p) {
    if (!SINEWI_IS_DEF(p, "sinew_foot_placement: start from sinew_foot_placement_default()")) return false;
    return sinewi_feet_have_legs(p->feet, p->foot_count);
}

void sinew_foot_placement_solve(const sinew_foot_placement *p, float dt, sinew_foot_placement_state *state,
                                sinew_pose *pose, sinew_affine *model) {
    assert(p && state && pose && model);
    if (!is_defined(p)) return;
    assert(p->feet || p->foot_count == 0);
    assert(dt >= 0.0f && isfinite(dt));
    assert(p->ground && p->foot_count >= 0 && p->foot_count <= SINEW_MAX_FEET);
    foot_goal goals[SINEW_MAX_FEET];
    float climbed = state->started ? p->elevation - state->elevation : 0.0f;
    foot_settling of_feet = settling_of_feet(p, dt, climbed);
    foot_settling of_pelvis = settling_of_pelvis(p, dt, climbed);
    for (int32_t i = 0; i < p->foot_count; i++) measure_leg(&p->feet[i], p->up, model, &goals[i]);
    follow_ground(p, dt, goals, model, state);
    for (int32_t i = 0; i < p->foot_count; i++) {
        place_foot(p, i, &of_feet, state, model, &goals[i]);
    }
    float raise = pelvis_raise(p, goals);
    for (int32_t i = 0; i < p->foot_count; i++) {
        find_reach(raise, &goals[i]);
        goals[i].bound = highest_pelvis(p, &p->feet[i], &goals[i], model);
    }
    float move = pelvis_move(p, &of_pelvis, dt, raise, state, goals), weight = ik_clamp01(p->weight);
    if (isfinite(p->elevation)) state->elevation = p->elevation;
    state->started = true;
    if (!(weight > 0.0f)) return;
    bool has_pelvis = p->pelvis != SINEW_NO_NODE;
    if (has_pelvis) move_pelvis(p, move, pose, model);
    for (int32_t i = 0; i < p->foot_count; i++) {
        hold_in_reach(&p->feet[i], p->up, model, &goals[i]);
        solve_leg(&p->feet[i], &goals[i], weight, pose, model);
    }
    if (has_pelvis && weight < 1.0f)
        move_pelvis(p, (weight - 1.0f) * move, pose, model); // blend the result with the pose
}

// ---- Defaults ------------------------------------------------------------------------------------------------

sinew_foot_placement sinew_foot_placement_default(void) {
    return (sinew_foot_placement){
        .pelvis = SINEW_NO_NODE,
        .up = {0, 1, 0},
        .max_stair = 0.5f,
        .lift = 0.4f,
        .tilt = 0.7f,
        .foot_time = 0.06f,
        .pelvis_time = 0.12f,
        .weight = 1.0f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}
