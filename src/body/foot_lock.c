// SPDX-License-Identifier: MIT
// Foot locking.
//
// A correction moves a foot as a rigid body: it rotates the foot about `up` through its pivot and offsets it on the
// ground plane. The pivot is the lowest sole point, first the heel and later the toes. While the foot is locked, the
// correction holds the pivot at its planted position and the foot at its planted heading. After that it decays,
// starting at the velocity it had. This is inertialization of a single foot. Offsets are in world space, so moving and
// turning the character doesn't disturb them. The angle is in model space.
//
// A foot steps if it's about to get too far from its pose while its contact lasts. It is lifted where it stands and
// released in the air, so a planted foot doesn't slide over the ground. But a foot that is alone on the ground doesn't
// step: it slides to its pose once it's too far. Otherwise both feet would be in the air.
//
// The reach of a leg is bounded softly. As the foot gets too far away, its heel rises faster and faster, then the whole
// foot, and the knee stops short of straight. So the moment of release doesn't show.
#include <sinew/body/foot_lock.h>

#include "base/def_cookie.h"
#include "base/finite.h"
#include "base/rotation_vector.h"
#include "body/feet_data.h"
#include "body/foot_decay.h"
#include "body/ik_math.h"

#include <assert.h>

// ---- The character in the world ------------------------------------------------------------------------------

typedef struct character {
    const sinew_foot_lock *lock;
    const sinew_affine *model, *world;
    sinew_affine to_model;
    sinew_vec3 up;       // in the world, unit length
    sinew_quat rotation; // of the world matrix
    bool mirrored;
    bool steps;  // a foot is being lifted
    bool alone;  // none of the other feet is on the ground
    float scale; // from model space to the world
} character;

static character character_of(const sinew_foot_lock *lock, const sinew_affine *world, const sinew_affine *model) {
    sinew_transform parts = sinew_affine_decompose(*world);
    sinew_vec3 up = ik_direction(world, lock->up);
    return (character){
        .lock = lock,
        .model = model,
        .world = world,
        .to_model = sinew_affine_inverse(*world),
        .up = ik_normalize(up),
        .rotation = parts.rotation,
        .mirrored = parts.scale.x < 0.0f,
        .scale = ik_length(up),
    };
}

// sinew_affine_decompose puts a reflection into the x scale. That negates rotations about y and z.
static sinew_quat mirror_if(bool mirrored, sinew_quat q) {
    return mirrored ? (sinew_quat){q.x, -q.y, -q.z, q.w} : q;
}

static sinew_quat rotation_to_world(const character *c, sinew_quat q) {
    return ik_multiply(c->rotation, mirror_if(c->mirrored, q));
}

static sinew_quat rotation_to_model(const character *c, sinew_quat q) {
    return mirror_if(c->mirrored, ik_multiply(ik_inverse(c->rotation), q));
}

// ---- One foot in its pose ------------------------------------------------------------------------------------

// A foot before the correction, in model space.
typedef struct posed_foot {
    const sinew_foot *def;
    sinew_vec3 hip, joint;
    sinew_quat rotation;
    float length;      // of the leg: thigh plus shin
    float reach;       // from the hip to the joint, in the pose
    sinew_vec3 center; // of the roll: the joint of the toes, or the tip of the foot
    bool has_toes;
    float roll; // maximum angle of the roll, radians
} posed_foot;

// Position of the pivot. For a foot without sole points it's the foot's joint.
static sinew_vec3 pivot_position(const character *c, const posed_foot *foot, int32_t pivot) {
    if (pivot < 0 || pivot >= foot->def->point_count) return foot->joint;
    const sinew_foot_point *sole = &foot->def->points[pivot];
    return ik_point(&c->model[sole->node], sole->point);
}

static bool is_on_toes(const posed_foot *foot, int32_t point) {
    return foot->def->points[point].node != foot->def->leg.end;
}

// Finds the center of the roll. It's the joint of the toes or, without toes, the sole point furthest from the foot's
// joint. It doesn't depend on the pivot.
static void find_roll_center(const character *c, posed_foot *foot) {
    float furthest = 0.0f;
    foot->center = foot->joint;
    for (int32_t i = 0; i < foot->def->point_count && !foot->has_toes; i++) {
        sinew_vec3 point = pivot_position(c, foot, i), away = ik_subtract(point, foot->joint);
        foot->has_toes = is_on_toes(foot, i);
        if (foot->has_toes) foot->center = ik_position(&c->model[foot->def->points[i].node]);
        if (foot->has_toes || !(ik_dot(away, away) > furthest)) continue;
        foot->center = point;
        furthest = ik_dot(away, away);
    }
}

// A foot whose tip is above its heel in the pose rolls less. From 6% of the leg's length on it doesn't roll at all.
static float largest_roll(const character *c, const posed_foot *foot) {
    float lowest = FLT_MAX, of_center = foot->has_toes ? FLT_MAX : ik_dot(foot->center, c->lock->up);
    for (int32_t i = 0; i < foot->def->point_count; i++) {
        float height = ik_dot(pivot_position(c, foot, i), c->lock->up);
        if (height < lowest) lowest = height;
        if (foot->has_toes && is_on_toes(foot, i) && height < of_center) of_center = height;
    }
    float x = ik_clamp01((of_center - lowest) / (0.06f * foot->length));
    return c->lock->roll * (1.0f - x * x * (3.0f - 2.0f * x));
}

static posed_foot foot_of(const character *c, const sinew_foot *def) {
    sinew_vec3 hip = ik_position(&c->model[def->leg.upper]), knee = ik_position(&c->model[def->leg.lower]);
    sinew_vec3 joint = ik_position(&c->model[def->leg.end]);
    posed_foot foot = {
        .def = def,
        .hip = hip,
        .joint = joint,
        .rotation = sinew_affine_decompose(c->model[def->leg.end]).rotation,
        .length = ik_length(ik_subtract(knee, hip)) + ik_length(ik_subtract(joint, knee)),
        .reach = ik_length(ik_subtract(joint, hip)),
    };
    find_roll_center(c, &foot);
    foot.roll = largest_roll(c, &foot);
    return foot;
}

// Finds the lowest sole point. To replace `pivot`, a point must be lower by 1% of the leg's length, so a flat foot
// keeps its pivot. Pass SINEW_NO_NODE if there is no pivot yet.
static int32_t lowest_point(const character *c, const posed_foot *foot, int32_t pivot) {
    float lowest = FLT_MAX;
    if (pivot >= 0 && pivot < foot->def->point_count) {
        lowest = ik_dot(pivot_position(c, foot, pivot), c->lock->up) - 0.01f * foot->length;
    }
    for (int32_t i = 0; i < foot->def->point_count; i++) {
        float height = ik_dot(pivot_position(c, foot, i), c->lock->up);
        if (height < lowest) lowest = height, pivot = i;
    }
    return pivot;
}

// ---- The correction ------------------------------------------------------------------------------------------

static sinew_quat yaw_turn(const character *c, float yaw) {
    return sinewi_rotation_exponential(ik_scale(c->lock->up, yaw));
}

// Twist angle of a rotation about `up`, in [-pi, pi].
static float yaw_of(const character *c, sinew_quat q) {
    sinew_quat twist = ik_axis_quat(c->lock->up, ik_dot((sinew_vec3){q.x, q.y, q.z}, c->lock->up), q.w);
    float square = ik_quat_square(twist);
    if (!ik_is_normalizable(square)) return 0.0f;
    return ik_dot(sinewi_rotation_logarithm(ik_quat_scale_to_unit(twist, square)), c->lock->up);
}

// Switches the pivot to another sole point without moving the foot.
static void change_pivot(const character *c, const posed_foot *foot, sinew_locked_foot *state, int32_t pivot) {
    sinew_vec3 from_old = ik_subtract(pivot_position(c, foot, pivot), pivot_position(c, foot, state->pivot));
    sinew_vec3 turned = ik_rotate(yaw_turn(c, state->yaw), from_old);
    state->offset = ik_add(state->offset, ik_direction(c->world, ik_subtract(turned, from_old)));
    state->pivot = pivot;
}

// ---- Rolling -------------------------------------------------------------------------------------------------

// A corrected foot in model space. If the leg can't reach it, the foot rolls over the joint of its toes, or over its
// tip. That raises the heel and leaves the toes on the ground.
typedef struct corrected_foot {
    sinew_vec3 joint;
    sinew_quat turn, roll; // relative to the pose
    float raised;          // how far the leg pulls up the whole foot
    bool is_reached;
} corrected_foot;

// The angle at the center of the roll, between the hip and the foot's joint.
typedef struct roll_angle {
    sinew_vec3 to_hip, across; // unit length, perpendicular to each other
    float cosine, sine;        // the joint is along cosine × to_hip + sine × across
} roll_angle;

// Distances from the hip to the foot's joint.
typedef struct leg_reach {
    float soft;  // up to here the leg reaches the foot exactly
    float hard;  // up to here a locked foot is held
    float limit; // the leg never extends further
} leg_reach;

// The knee stops within 6% of the leg's length, or within a quarter of what the pose leaves. The pose may be straighter
// than that. The further the foot has moved from its pose, the less that counts.
static leg_reach reach_of(const character *c, const posed_foot *foot, sinew_vec3 moved) {
    const float softness = 0.06f, near = 0.15f;
    float stretch = c->lock->stretch * foot->length, soft = stretch - softness * foot->length;
    float own = ik_fade(foot->reach, soft, ik_length(moved) / (near * foot->length));
    float limit = own + 0.25f * (foot->length - own);
    return (leg_reach){
        .soft = soft < own ? own : soft,
        .hard = stretch < foot->reach ? foot->reach : stretch,
        .limit = stretch < limit ? limit : stretch,
    };
}

// Maximum roll angle. Rolling starts when the hip gets ahead of the center.
static float roll_of(const character *c, const posed_foot *foot, sinew_vec3 lever, sinew_vec3 to_hip) {
    sinew_vec3 back = ik_reject(lever, c->lock->up);
    float length = ik_length(back);
    if (!(length > 0.0f)) return 0.0f;
    return foot->roll * ik_clamp01(-ik_dot(back, to_hip) / (0.1f * foot->length * length));
}

// Maximum cosine after a roll. The angle shrinks by at most `roll`, and the joint stops straight above the center
// because the heel must not come down again.
static float largest_cosine(const character *c, const roll_angle *angle, float roll) {
    sinew_vec3 level = ik_reject(angle->to_hip, c->lock->up);
    float hip = ik_dot(level, angle->to_hip), across = ik_dot(level, angle->across);
    if (angle->cosine * hip + angle->sine * across >= 0.0f) return angle->cosine;
    float above = -across / sqrtf(hip * hip + across * across);
    sinew_quat most = sinewi_rotation_exponential((sinew_vec3){roll, 0.0f, 0.0f});
    float cosine = 1.0f - 2.0f * most.x * most.x, sine = 2.0f * most.x * most.w;
    if (angle->cosine >= cosine) return above;
    float rolled = angle->cosine * cosine + angle->sine * sine;
    return rolled < above ? rolled : above;
}

// The cosine that puts the joint at distance `reach` from the hip.
static float cosine_for(float lever, float distance, float reach) {
    return (lever * lever + distance * distance - reach * reach) / (2.0f * lever * distance);
}

// Rolls the foot until its joint is within `reach` of the hip, or as far as it can.
static void roll_over(const character *c, const posed_foot *of, sinew_vec3 center, float reach, float hard,
                      corrected_foot *foot) {
    sinew_vec3 lever = ik_subtract(foot->joint, center), to_hip = ik_subtract(of->hip, center);
    float length = ik_length(lever), distance = ik_length(to_hip);
    if (!(length > 0.01f * reach && distance > 0.01f * reach)) return;
    roll_angle angle = {.to_hip = ik_scale(to_hip, 1.0f / distance)};
    angle.cosine = ik_dot(lever, angle.to_hip) / length;
    angle.across = ik_subtract(ik_scale(lever, 1.0f / length), ik_scale(angle.to_hip, angle.cosine));
    angle.sine = ik_length(angle.across);
    float roll = roll_of(c, of, lever, to_hip);
    if (!(angle.sine > 1e-3f && roll > 0.0f)) return;
    angle.across = ik_scale(angle.across, 1.0f / angle.sine);
    float needed = cosine_for(length, distance, reach), most = largest_cosine(c, &angle, roll);
    float cosine = needed < most ? needed : most;
    if (cosine_for(length, distance, hard) <= most) foot->is_reached = true;
    if (!(cosine > angle.cosine)) return;
    sinew_vec3 along = ik_scale(angle.to_hip, cosine * length);
    sinew_vec3 rolled = ik_add(along, ik_scale(angle.across, sqrtf(1.0f - cosine * cosine) * length));
    sinew_quat between = ik_rotation_between(lever, rolled, length * length, c->lock->up);
    foot->roll = ik_quat_scale_to_unit(between, ik_quat_square(between));
    foot->joint = ik_add(center, rolled);
}

// Applies a model-space offset, and an angle about `up`, to a foot.
static corrected_foot correct(const character *c, const posed_foot *foot, int32_t sole, sinew_vec3 offset,
                              float yaw) {
    sinew_vec3 pivot = pivot_position(c, foot, sole), moved = ik_add(pivot, offset);
    corrected_foot result = {.turn = yaw_turn(c, yaw), .roll = ik_identity, .is_reached = true};
    result.joint = ik_add(moved, ik_rotate(result.turn, ik_subtract(foot->joint, pivot)));
    leg_reach leg = reach_of(c, foot, ik_subtract(result.joint, foot->joint));
    float far = ik_length(ik_subtract(result.joint, foot->hip));
    if (!(far > leg.soft)) return result;
    result.is_reached = far <= leg.hard;
    float reach = ik_soften(far, leg.soft, leg.limit);
    sinew_vec3 center = ik_add(moved, ik_rotate(result.turn, ik_subtract(foot->center, pivot)));
    roll_over(c, foot, center, reach, leg.hard, &result);
    sinew_vec3 to_hip = ik_subtract(foot->hip, result.joint);
    if (!(ik_length(to_hip) > reach)) return result; // rolling was enough
    sinew_vec3 lifted = ik_lift_to_reach(result.joint, to_hip, c->lock->up, reach);
    result.raised = ik_dot(ik_subtract(lifted, result.joint), c->lock->up);
    result.joint = lifted;
    return result;
}

// Counters the foot's roll at the toes, which keeps them flat.
static void keep_toes(const posed_foot *foot, sinew_quat roll, sinew_pose *pose, sinew_affine *model) {
    int32_t node = SINEW_NO_NODE;
    for (int32_t i = 0; i < foot->def->point_count && node == SINEW_NO_NODE; i++) {
        if (is_on_toes(foot, i)) node = foot->def->points[i].node;
    }
    if (node == SINEW_NO_NODE) return;
    sinew_vec3 axis = {-roll.x, -roll.y, -roll.z};
    sinew_vec3 local = ik_transform(ik_to_local(model, pose->skeleton->parents[node]), axis);
    float length = ik_length(local);
    if (!(length > 0.0f && isfinite(length))) return;
    sinew_quat back = ik_axis_quat(ik_scale(local, 1.0f / length), ik_length(axis), roll.w);
    ik_set_rotation(pose, node, ik_quat_normalize(ik_multiply(back, ik_get_rotation(pose, node))), 1.0f);
    sinew_pose_to_model_below(pose, node, model);
}

// ---- Locking and releasing -----------------------------------------------------------------------------------

static sinew_vec3 world_pivot(const character *c, const posed_foot *foot, const sinew_locked_foot *state) {
    return ik_point(c->world, pivot_position(c, foot, state->pivot));
}

// Plants the foot where the correction puts it.
static void plant(const character *c, const posed_foot *foot, sinew_locked_foot *state) {
    state->position = ik_add(world_pivot(c, foot, state), state->offset);
    state->rotation = rotation_to_world(c, ik_multiply(yaw_turn(c, state->yaw), foot->rotation));
}

// Returns the slower of two velocities. A cut in the clip shows up as a velocity for a single frame, and this drops it.
static sinew_vec3 slower(sinew_vec3 a, sinew_vec3 b) {
    return ik_dot(a, a) < ik_dot(b, b) ? a : b;
}

// A correction and its rate of change per second.
typedef struct correction {
    sinew_vec3 offset, velocity;
    float yaw, yaw_velocity;
} correction;

// The correction that keeps a locked foot in place.
static correction correction_of(const character *c, const posed_foot *foot, float dt,
                                const sinew_locked_foot *state) {
    correction now = {
        .offset = ik_reject(ik_subtract(state->position, world_pivot(c, foot, state)), c->up),
        .velocity = state->velocity,
        .yaw = yaw_of(c, ik_multiply(rotation_to_model(c, state->rotation), ik_inverse(foot->rotation))),
        .yaw_velocity = state->yaw_velocity,
    };
    if (dt > 0.0f) {
        now.velocity = ik_scale(ik_subtract(now.offset, state->offset), 1.0f / dt);
        now.yaw_velocity = (now.yaw - state->yaw) / dt;
    }
    return now;
}

// The same, with the lower of its velocity and the previous frame's.
static correction without_cuts(correction now, const sinew_locked_foot *state) {
    now.velocity = slower(now.velocity, state->velocity);
    if (fabsf(state->yaw_velocity) <= fabsf(now.yaw_velocity)) now.yaw_velocity = state->yaw_velocity;
    return now;
}

// The correction `seconds` from now, at constant velocity.
static correction correction_after(correction now, float seconds) {
    now.offset = ik_add(now.offset, ik_scale(now.velocity, seconds));
    now.yaw += now.yaw_velocity * seconds;
    return now;
}

static bool is_reached(const character *c, const posed_foot *foot, int32_t sole, const correction *of_foot) {
    return correct(c, foot, sole, ik_direction(&c->to_model, of_foot->offset), of_foot->yaw).is_reached;
}

// While another foot steps, this one waits if the leg still reaches it. Otherwise the character would hop.
static bool is_too_far(const character *c, const posed_foot *foot, const sinew_locked_foot *state,
                       const correction *of_foot) {
    bool waits = c->steps && !state->waiting;
    bool is_beyond =
        ik_length(of_foot->offset) > c->lock->distance * c->scale || fabsf(of_foot->yaw) > c->lock->turn;
    return (is_beyond && !waits) || !is_reached(c, foot, state->pivot, of_foot);
}

// The correction decays from its current velocity. The velocity is limited, so it adds at most a fifth of the leg's
// length and 0.4 radians.
static void release(const character *c, const posed_foot *foot, sinew_locked_foot *state) {
    float length = ik_length(state->velocity), time = c->lock->release_time;
    float limit = time > 0.0f ? 0.5f * foot->length * c->scale / time : 0.0f;
    if (length > limit) state->velocity = ik_scale(state->velocity, limit / length);
    float yaw_limit = time > 0.0f ? 1.0f / time : 0.0f;
    if (fabsf(state->yaw_velocity) > yaw_limit) state->yaw_velocity = copysignf(yaw_limit, state->yaw_velocity);
    state->locked = false;
}

// ---- Stepping ------------------------------------------------------------------------------------------------

// A step lands when its lift has fallen to a quarter of its height. That takes this many times lift_time.
static const float landing = 5.5f;

// How long a foot is lifted before it is released, in seconds.
static float lead_time(const sinew_foot_lock *lock) {
    return 0.5f * lock->release_time;
}

// Time constant of the lift in seconds. If it were shorter, the foot would land before it reached its pose.
static float lift_time(const sinew_foot_lock *lock) {
    return 0.75f * lock->release_time;
}

// Half of the distance that the foot travels to its pose, minus the tenth of `distance` that needs no step. The toes
// are a fifth of the leg's length ahead, so they travel further if the foot turns.
static float lift_height(const character *c, const posed_foot *foot, const correction *now) {
    float length = foot->length * c->scale, most = c->lock->lift_height * length;
    correction goal = correction_after(*now, landing * lift_time(c->lock));
    float here = ik_length(now->offset), there = ik_length(goal.offset), turn = 0.2f * length * fabsf(goal.yaw);
    float path = (here < there ? there : here) + turn - 0.1f * c->lock->distance * c->scale;
    return 0.5f * path < most ? 0.5f * path : most;
}

static void begin_step(const character *c, const posed_foot *foot, const correction *now,
                       sinew_locked_foot *state) {
    if (c->alone) return;
    float time = lift_time(c->lock), height = lift_height(c, foot, now);
    if (!(time > 0.0f && height > 0.0f)) return;
    state->lift_push = foot_lift_push(height, time);
    state->waiting = true;
}

// Stops lifting a foot. If it's still planted, it can step again later.
static void call_off_step(sinew_locked_foot *state) {
    if (state->lift_push == 0.0f) return;
    state->lift_push = 0.0f;
    if (state->locked) state->waiting = false;
}

// A foot that is alone comes down, twice as fast.
static void decay_lift(const character *c, const posed_foot *foot, float dt, sinew_locked_foot *state) {
    if (c->alone) call_off_step(state);
    if (state->lift == 0.0f && state->lift_push == 0.0f) return;
    float time = c->alone ? 0.5f * lift_time(c->lock) : lift_time(c->lock), least = 1e-5f * foot->length * c->scale;
    foot_decay decay = foot_decay_of(dt, time);
    foot_lift_step(&decay, &state->lift, &state->lift_velocity, &state->lift_push);
    if (state->lift + time * (fabsf(state->lift_velocity) + time * state->lift_push) < least)
        state->lift = state->lift_velocity = state->lift_push = 0.0f;
}

// Whether a step began at least `time` ago. The lift is lift_push × t² / 2, with t the time since the step began.
static bool has_stepped_for(const sinew_locked_foot *state, float time) {
    return state->waiting && state->lift_push > 0.0f && state->lift >= 0.5f * time * time * state->lift_push;
}

// ---- In a frame ----------------------------------------------------------------------------------------------

// Starts lifting a locked foot that is too far away, or will be after lead_time. Returns true if the foot can't be held
// until it is lifted.
static bool lift_or_give_up(const character *c, const posed_foot *foot, const correction *now,
                            const correction *steady, sinew_locked_foot *state) {
    correction soon = correction_after(*steady, lead_time(c->lock));
    bool too_far = is_too_far(c, foot, state, now);
    if (!state->waiting && (too_far || is_too_far(c, foot, state, &soon))) begin_step(c, foot, steady, state);
    return too_far && (!state->waiting || !is_reached(c, foot, state->pivot, now));
}

// A foot that was planted in motion comes to rest at a constant rate, as if by friction: 150 lengths of the leg per
// second squared. From 1.6 m/s, an adult's foot slides 1 cm in 13 ms.
static void brake(const character *c, const posed_foot *foot, float dt, sinew_locked_foot *state) {
    float speed = ik_length(state->slide), change = 150.0f * foot->length * c->scale * dt;
    if (!(speed > 0.0f && change > 0.0f)) return;
    bool stops = speed <= change;
    sinew_vec3 before = state->slide;
    state->slide = stops ? (sinew_vec3){0, 0, 0} : ik_scale(before, 1.0f - change / speed);
    float time = stops ? dt * (speed / change) : dt;
    state->position = ik_add(state->position, ik_scale(ik_add(before, state->slide), 0.5f * time));
}

// Keeps a locked foot in place, or releases it.
static void hold_or_release(const character *c, const posed_foot *foot, float dt, float contact,
                            sinew_locked_foot *state) {
    brake(c, foot, dt, state);
    correction now = correction_of(c, foot, dt, state), steady = without_cuts(now, state);
    if (ik_length(now.offset) > foot->length * c->scale) { // a teleport
        *state = (sinew_locked_foot){.locked = false};
        return;
    }
    bool ends = !(contact >= c->lock->contact_off);
    bool gives_up = !ends && lift_or_give_up(c, foot, &now, &steady, state);
    state->offset = now.offset;
    state->yaw = now.yaw;
    if (ends || gives_up || has_stepped_for(state, lead_time(c->lock))) {
        state->velocity = steady.velocity;
        state->yaw_velocity = steady.yaw_velocity;
        state->waiting = !ends;
        release(c, foot, state);
        return;
    }
    state->velocity = now.velocity;
    state->yaw_velocity = now.yaw_velocity;
    int32_t pivot = lowest_point(c, foot, state->pivot);
    if (pivot == state->pivot) return;
    change_pivot(c, foot, state, pivot);
    plant(c, foot, state);
}

// Height of the lowest sole point after the correction. A roll raises all points except those on the toes.
static float corrected_height(const character *c, const posed_foot *foot, const corrected_foot *goal) {
    float lowest = FLT_MAX;
    for (int32_t i = 0; i < foot->def->point_count; i++) {
        sinew_vec3 point = pivot_position(c, foot, i), lever = ik_subtract(point, foot->center);
        sinew_vec3 turned = ik_rotate(goal->turn, lever);
        if (!is_on_toes(foot, i)) point = ik_add(point, ik_subtract(ik_rotate(goal->roll, turned), turned));
        float height = ik_dot(point, c->lock->up);
        if (height < lowest) lowest = height;
    }
    return lowest + goal->raised;
}

// Whether the sole is low enough to lock the foot. Always true without sole points.
static bool is_low(const character *c, const posed_foot *foot, const sinew_locked_foot *state) {
    if (foot->def->point_count <= 0) return true;
    sinew_vec3 offset = ik_direction(&c->to_model, ik_add(state->offset, ik_scale(c->up, state->lift)));
    corrected_foot goal = correct(c, foot, state->pivot, offset, state->yaw);
    return corrected_height(c, foot, &goal) + state->lift / c->scale <= c->lock->height;
}

// How fast the correction would change if the foot were locked now: the foot stops while its pose moves on. `state` is
// from the last frame.
static sinew_vec3 velocity_of_lock(const character *c, const posed_foot *foot, float dt,
                                   const sinew_locked_foot *state) {
    bool is_first = ik_quat_square(state->rotation) == 0.0f;
    if (is_first || !(dt > 0.0f)) return (sinew_vec3){0, 0, 0};
    sinew_vec3 before = ik_subtract(state->position, state->offset); // the pivot in the pose
    return ik_scale(ik_reject(ik_subtract(before, world_pivot(c, foot, state)), c->up), 1.0f / dt);
}

// The velocity a foot lands with: at most 3 lengths of the leg per second, because a pose that jumps looks faster.
static sinew_vec3 landing_velocity(const character *c, const posed_foot *foot, sinew_vec3 velocity) {
    float speed = ik_length(velocity), most = 3.0f * foot->length * c->scale;
    return speed > most ? ik_scale(velocity, most / speed) : velocity;
}

// Locks the foot if it's on the ground, unless it would have to be released at once. That happens after a transition,
// while the pose still moves a foot that the clip has planted.
static void begin_lock(const character *c, const posed_foot *foot, sinew_vec3 velocity, sinew_locked_foot *state) {
    change_pivot(c, foot, state, lowest_point(c, foot, SINEW_NO_NODE));
    correction now = {.offset = state->offset, .velocity = velocity, .yaw = state->yaw};
    correction soon = correction_after(now, lead_time(c->lock));
    if (!is_low(c, foot, state) || is_too_far(c, foot, state, &soon)) return;
    state->slide = landing_velocity(c, foot, ik_subtract(state->velocity, velocity));
    state->velocity = velocity;
    state->locked = true;
}

static void decay_correction(const character *c, const posed_foot *foot, float dt, sinew_locked_foot *state) {
    float time = c->lock->release_time;
    foot_decay decay = foot_decay_of(dt, time);
    foot_decay_step(&decay, &state->offset.x, &state->velocity.x);
    foot_decay_step(&decay, &state->offset.y, &state->velocity.y);
    foot_decay_step(&decay, &state->offset.z, &state->velocity.z);
    foot_decay_step(&decay, &state->yaw, &state->yaw_velocity);
    float reach = ik_length(state->offset) + ik_length(state->velocity) * time;
    float turn = fabsf(state->yaw) + fabsf(state->yaw_velocity) * time;
    if (reach < 1e-5f * foot->length * c->scale && turn < 1e-5f) {
        state->offset = state->velocity = (sinew_vec3){0, 0, 0};
        state->yaw = state->yaw_velocity = 0.0f;
    }
}

// Decays the correction of an unlocked foot, and locks the foot when its contact begins.
static void decay_or_lock(const character *c, const posed_foot *foot, float dt, float contact,
                          sinew_locked_foot *state) {
    const sinew_foot_lock *lock = c->lock;
    sinew_vec3 velocity = velocity_of_lock(c, foot, dt, state);
    decay_correction(c, foot, dt, state);
    bool has_settled =
        ik_length(state->offset) <= 0.1f * lock->distance * c->scale && fabsf(state->yaw) <= 0.1f * lock->turn;
    bool has_landed = has_stepped_for(state, landing * lift_time(lock));
    if (has_settled || has_landed || !(contact >= lock->contact_off)) state->waiting = false;
    if (contact >= lock->contact_on && !state->waiting) begin_lock(c, foot, velocity, state);
    plant(c, foot, state);
}

// ---- Solving -------------------------------------------------------------------------------------------------

static void solve_leg(const character *c, const posed_foot *foot, const sinew_locked_foot *state, float weight,
                      sinew_pose *pose, sinew_affine *model) {
    sinew_vec3 of_pivot = ik_add(state->offset, ik_scale(c->up, state->lift));
    sinew_vec3 offset = ik_direction(&c->to_model, of_pivot);
    if (!sinewi_vec3_is_finite(offset)) return;
    corrected_foot goal = correct(c, foot, state->pivot, offset, state->yaw);
    sinew_ik_two_bone limb = foot->def->leg;
    limb.target = goal.joint;
    limb.weight = weight;
    limb.end_mode = SINEW_IK_LIMB_END_ROTATE;
    limb.end_rotation = ik_multiply(goal.roll, ik_multiply(goal.turn, foot->rotation));
    sinew_ik_two_bone_solve(&limb, pose, model);
    sinew_pose_to_model_below(pose, limb.upper, model);
    keep_toes(foot, ik_blend(ik_identity, goal.roll, weight), pose, model);
}

static bool is_finite_foot(const character *c, const posed_foot *foot) {
    return sinewi_vec3_is_finite(ik_point(c->world, foot->joint)) &&
           sinewi_vec3_is_finite(ik_direction(&c->to_model, c->lock->up)) &&
           isfinite(ik_quat_square(foot->rotation)) && isfinite(foot->length);
}

static bool is_corrected(const sinew_locked_foot *state) {
    return ik_dot(state->offset, state->offset) > 0.0f || state->yaw != 0.0f || state->lift != 0.0f;
}

// Whether the lock comes from its default function and the feet have legs. Asserts both.
static bool is_defined(const sinew_foot_lock *lock) {
    if (!SINEWI_IS_DEF(lock, "sinew_foot_lock: start from sinew_foot_lock_default()")) return false;
    return sinewi_feet_have_legs(lock->feet, lock->foot_count);
}

static bool is_any_lifted(const sinew_foot_lock *lock, const sinew_foot_lock_state *state) {
    for (int32_t i = 0; i < lock->foot_count; i++) {
        if (state->feet[i].waiting && state->feet[i].lift_push > 0.0f) return true;
    }
    return false;
}

// Whether none of the other feet is on the ground. A foot counts if its contact lasts, planted or sliding to its pose,
// and its lift is below 2% of the leg's length. A character's only foot is never alone.
static bool is_alone(const character *c, const posed_foot *foot, int32_t index,
                     const sinew_foot_lock_state *state) {
    float low = 0.02f * foot->length * c->scale;
    for (int32_t i = 0; i < c->lock->foot_count; i++) {
        const sinew_locked_foot *other = &state->feet[i];
        if (i != index && (other->locked || other->waiting) && other->lift < low) return false;
    }
    return c->lock->foot_count > 1;
}

void sinew_foot_lock_solve(const sinew_foot_lock *lock, const sinew_affine *world, const float *contacts, float dt,
                           sinew_foot_lock_state *state, sinew_pose *pose, sinew_affine *model) {
    assert(lock && world && contacts && state && pose && model);
    if (!is_defined(lock)) return;
    assert(lock->feet || lock->foot_count == 0);
    assert(lock->foot_count >= 0 && lock->foot_count <= SINEW_MAX_FEET);
    assert(dt >= 0.0f && isfinite(dt));
    character c = character_of(lock, world, model);
    float weight = ik_clamp01(lock->weight);
    for (int32_t i = 0; i < lock->foot_count; i++) {
        sinew_locked_foot *of_foot = &state->feet[i];
        posed_foot foot = foot_of(&c, &lock->feet[i]);
        if (!is_finite_foot(&c, &foot)) continue;
        c.alone = is_alone(&c, &foot, i, state);
        decay_lift(&c, &foot, dt, of_foot);
        c.steps = is_any_lifted(lock, state);
        if (of_foot->locked) {
            hold_or_release(&c, &foot, dt, contacts[i], of_foot);
        } else {
            decay_or_lock(&c, &foot, dt, contacts[i], of_foot);
        }
        if (weight > 0.0f && is_corrected(of_foot)) solve_leg(&c, &foot, of_foot, weight, pose, model);
    }
}

void sinew_foot_lock_release(sinew_foot_lock_state *state) {
    assert(state);
    for (int32_t i = 0; i < SINEW_MAX_FEET; i++) {
        if (state->feet[i].locked) state->feet[i].waiting = true;
        state->feet[i].locked = false;
    }
}

sinew_foot_lock sinew_foot_lock_default(void) {
    return (sinew_foot_lock){
        .up = {0, 1, 0},
        .contact_on = 0.5f,
        .contact_off = 0.4f,
        .distance = 0.5f,
        .turn = 0.8f,
        .stretch = 0.99f,
        .roll = 0.6f,
        .lift_height = 0.1f,
        .release_time = 0.08f,
        .weight = 1.0f,
        .height = 0.02f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}
