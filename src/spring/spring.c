// SPDX-License-Identifier: MIT
// Solving springs: the steps of a frame, sleep, and teleports.
//
// Chains are solved in groups of up to 16, a lane each (spring_step.c). A frame at a time between two steps shows each tail on
// the straight line between its position at the last step and that of a step with the frame's pose. That step is not stored.
#include "spring/spring_step.h"

#include "core/def_cookie.h"
#include "core/finite.h"
#include "ik/ik_math.h"

#include <assert.h>
#include <string.h>

// A chain sleeps after so many steps in which nothing moved.
#define STILL_STEPS 30

// ---- State ---------------------------------------------------------------------------------------------------

static size_t round_up(size_t size) {
    return (size + sizeof(float) - 1) / sizeof(float) * sizeof(float);
}

spring_state_parts sinew_spring_state_parts(const sinew_springs *springs, sinew_spring_state *state) {
    spring_state_parts parts;
    char *at = (char *)state + round_up(sizeof *state);
    parts.chains = (spring_chain_state *)(void *)at;
    parts.joints = (spring_joint_state *)(void *)(parts.chains + springs->chain_count);
    parts.last_volumes = (spring_volume *)(void *)(parts.joints + springs->joint_count);
    parts.volumes = parts.last_volumes + springs->collider_count;
    return parts;
}

size_t sinew_springs_state_size(const sinew_springs *springs) {
    assert(springs);
    return round_up(sizeof(sinew_spring_state)) + (size_t)springs->chain_count * sizeof(spring_chain_state) +
           (size_t)springs->joint_count * sizeof(spring_joint_state) +
           2 * (size_t)springs->collider_count * sizeof(spring_volume);
}

void sinew_springs_reset(const sinew_springs *springs, sinew_spring_state *state) {
    assert(springs && state);
    memset(state, 0, sinew_springs_state_size(springs));
    state->cookie = SINEW_DEF_COOKIE;
}

// ---- Sleep ---------------------------------------------------------------------------------------------------

static bool is_same_vec(sinew_vec3 a, sinew_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_same_joint(const spring_joint_state *last, const sinew_spring_pose *p) {
    const sinew_quat a = last->rotation, b = p->rotation;
    return is_same_vec(last->translation, p->translation) && is_same_vec(last->bone, p->bone) && a.x == b.x &&
           a.y == b.y && a.z == b.z && a.w == b.w;
}

static bool is_pose_same(const spring_solver *s, const spring_lane *lane) {
    for (int32_t i = 0; i < lane->chain->joint_count; i++) {
        const spring_joint *joint = &s->springs->joints[lane->chain->first_joint + i];
        const sinew_spring_pose p = sinew_spring_read_joint(s->springs, joint, s->pose, lane->chain->from_rest);
        if (!is_same_joint(&lane->joints[i], &p)) return false;
    }
    return true;
}

static bool are_colliders_same(const spring_solver *s, const spring_lane *lane) {
    for (int32_t i = 0; i < lane->chain->collider_count; i++) {
        const int32_t index = s->springs->collider_indices[lane->chain->first_collider + i];
        if (memcmp(&s->parts.volumes[index], &s->parts.last_volumes[index], sizeof(spring_volume)) != 0)
            return false;
    }
    return true;
}

static bool is_asleep(const spring_solver *s, const spring_lane *lane, const sinew_spring_state *state) {
    return lane->state->still_steps >= STILL_STEPS && is_same_vec(s->wind, state->wind) &&
           memcmp(&lane->root, &lane->state->root, sizeof lane->root) == 0 &&
           memcmp(&lane->center, &lane->state->center, sizeof lane->center) == 0 && are_colliders_same(s, lane) &&
           is_pose_same(s, lane);
}

static void write_last_result(const spring_solver *s, const spring_lane *lane) {
    for (int32_t i = 0; i < lane->chain->joint_count; i++) {
        const int32_t node = s->springs->joints[lane->chain->first_joint + i].node;
        ik_set_rotation(s->pose, node, lane->joints[i].result, lane->weight);
    }
}

// ---- A frame -------------------------------------------------------------------------------------------------

// The steps of a frame. Its time since the last step is `remainder` before and after.
typedef struct spring_frame {
    float dt, remainder_before, remainder;
    int32_t steps;
    bool is_late; // more than max_steps: the rest of the time is skipped
} spring_frame;

// A frame that ends within 1e-4 steps of a step has it, so that 60 Hz has one step in each frame in spite of rounding.
static spring_frame plan_frame(const sinew_springs *springs, float remainder, float dt) {
    spring_frame f = {.dt = dt, .remainder_before = remainder};
    const float steps = floorf((remainder + dt) / springs->step + 1e-4f);
    f.is_late = !(steps <= (float)springs->max_steps);
    if (f.is_late) {
        f.steps = springs->max_steps;
        return f;
    }
    f.steps = (int32_t)steps;
    f.remainder = (remainder + dt) - steps * springs->step;
    if (!(f.remainder > 1e-4f * springs->step)) f.remainder = 0.0f;
    return f;
}

// The time of a step in the frame, 0 to 1.
static float time_of_step(const sinew_springs *springs, const spring_frame *f, int32_t index) {
    if (f->is_late || (index + 1 == f->steps && f->remainder == 0.0f)) return 1.0f;
    const float time = (float)(index + 1) * springs->step - f->remainder_before;
    return time < f->dt ? (time > 0.0f ? time / f->dt : 0.0f) : 1.0f;
}

// Moves a chain along with its parent, if that was teleported relative to the center or the frame's time is skipped.
static void follow_teleport(const sinew_springs *springs, spring_lane *lane, bool is_late) {
    const sinew_vec3 from = ik_position(&lane->state->root), to = ik_position(&lane->root);
    const spring_rigid of_center = sinew_spring_motion(&lane->state->center, &lane->center);
    const sinew_vec3 moved = ik_subtract(to, sinew_spring_move(&of_center, from));
    const float distance = springs->teleport_distance;
    if (!is_late && ik_dot(moved, moved) <= distance * distance) return;
    const spring_rigid before = sinew_spring_rigid_of(&lane->state->root), now = sinew_spring_rigid_of(&lane->root);
    const spring_rigid motion = sinew_spring_motion(&before, &now);
    for (int32_t i = 0; i < lane->chain->joint_count; i++) sinew_spring_move_tail(&motion, &lane->joints[i].tail);
    lane->state->root = lane->root;
    lane->state->center = lane->state->step_center = lane->center;
}

static spring_rigid interpolate_rigid(const spring_rigid *a, const spring_rigid *b, float t) {
    if (t >= 1.0f) return *b;
    return (spring_rigid){ik_blend(a->rotation, b->rotation, t),
                          sinew_vec3_lerp(a->translation, b->translation, t)};
}

static void run(spring_solver *s, const spring_step *step) {
    for (int i = 0; i < s->lane_count; i++) {
        spring_lane *lane = &s->lanes[i];
        lane->has_motion = lane->runs && lane->chain->center != SINEW_NO_NODE;
        if (!lane->has_motion) continue;
        const spring_rigid center = interpolate_rigid(&lane->state->center, &lane->center, step->alpha);
        lane->motion = sinew_spring_motion(&lane->state->step_center, &center);
        if (step->stores) lane->state->step_center = center;
    }
    sinew_spring_run_step(s, step);
    for (int i = 0; i < s->lane_count && step->stores; i++) {
        spring_lane *lane = &s->lanes[i];
        if (!lane->runs) continue;
        const bool is_still = !lane->moves && !step->starts;
        lane->state->still_steps =
            is_still ? lane->state->still_steps + (lane->state->still_steps < STILL_STEPS) : 0;
    }
}

// Runs the steps of a frame for the lanes that are started and awake.
static void run_frame(spring_solver *s, const spring_frame *f) {
    const bool has_part = f->remainder > 0.0f || f->steps == 0;
    for (int32_t i = 0; i < f->steps; i++) {
        spring_step whole = {.fraction = 1.0f, .stores = true, .writes = !has_part && i + 1 == f->steps};
        whole.alpha = time_of_step(s->springs, f, i);
        run(s, &whole);
    }
    if (!has_part) return;
    const spring_step part = {.alpha = 1.0f, .fraction = f->remainder / s->springs->step, .writes = true};
    run(s, &part);
}

static void start_lane(spring_lane *lane) {
    lane->state->root = lane->root;
    lane->state->center = lane->state->step_center = lane->center;
    lane->state->still_steps = 0;
    lane->state->started = 1;
}

// Chooses the lanes that run; `starts`: those that start at rest. Returns whether there are any.
static bool choose_lanes(spring_solver *s, const sinew_spring_state *state, const spring_frame *f, bool starts) {
    bool runs = false;
    for (int i = 0; i < s->lane_count; i++) {
        spring_lane *lane = &s->lanes[i];
        lane->runs = lane->weight > 0.0f && !lane->is_done && (lane->state->started == 0) == starts;
        if (!lane->runs) continue;
        lane->is_done = true;
        if (starts) {
            start_lane(lane);
        } else if (is_asleep(s, lane, state)) {
            write_last_result(s, lane);
            lane->runs = false;
        } else {
            follow_teleport(s->springs, lane, f->is_late);
        }
        runs |= lane->runs;
    }
    return runs;
}

static void solve_group(spring_solver *s, const sinew_spring_state *state, const spring_frame *f,
                        sinew_affine *model) {
    const spring_step first = {.alpha = 1.0f, .fraction = 1.0f, .starts = true, .stores = true, .writes = true};
    if (choose_lanes(s, state, f, true)) run(s, &first);
    if (choose_lanes(s, state, f, false)) run_frame(s, f);
    for (int i = 0; i < s->lane_count; i++) {
        spring_lane *lane = &s->lanes[i];
        lane->state->root = lane->root;
        lane->state->center = lane->center;
        if (!lane->is_done || lane->is_broken) lane->state->started = 0;
        if (!lane->is_done || s->springs->updates_whole_model) continue;
        sinew_pose_to_model_below(s->pose, s->springs->joints[lane->chain->first_joint].node, model);
    }
}

static spring_rigid center_in_world(const spring_chain *chain, const sinew_affine *world,
                                    const sinew_affine *model) {
    if (chain->center == SINEW_NO_NODE) return (spring_rigid){ik_identity, {0.0f, 0.0f, 0.0f}};
    const sinew_affine matrix = sinew_affine_multiply(*world, model[chain->center]);
    return sinew_spring_rigid_of(&matrix);
}

// Adds a chain to the group. One of weight 0, or whose parent is not finite, is not solved.
static void add_lane(spring_solver *s, const spring_chain *chain, const sinew_springs_input *input,
                     const sinew_affine *model) {
    spring_lane *lane = &s->lanes[s->lane_count++];
    *lane = (spring_lane){.chain = chain, .state = &s->parts.chains[chain - s->springs->chains]};
    lane->joints = s->parts.joints + chain->first_joint;
    lane->root =
        chain->parent == SINEW_NO_NODE ? input->world : sinew_affine_multiply(input->world, model[chain->parent]);
    lane->center = center_in_world(chain, &input->world, model);
    if (sinew_affine_is_finite(&lane->root)) lane->weight = ik_clamp01(chain->weight) * ik_clamp01(input->weight);
}

static bool is_valid_input(const sinew_springs_input *input) {
    return SINEW_IS_DEF(input, "sinew_springs_input: start from sinew_springs_input_default()") &&
           sinew_affine_is_finite(&input->world) && input->time_step >= 0.0f && input->time_step <= FLT_MAX &&
           ik_dot(input->wind, input->wind) <= FLT_MAX;
}

void sinew_springs_solve(const sinew_springs *springs, const sinew_springs_input *input, sinew_spring_state *state,
                         sinew_pose *pose, sinew_affine *model) {
    assert(springs && state && pose && model && pose->skeleton == springs->skeleton);
    assert(state->cookie == SINEW_DEF_COOKIE && "sinew_spring_state: call sinew_springs_reset first");
    if (!is_valid_input(input) || state->cookie != SINEW_DEF_COOKIE) return;

    const spring_frame f = plan_frame(springs, state->remainder, input->time_step);
    const spring_state_parts parts = sinew_spring_state_parts(springs, state);
    sinew_spring_place_colliders(springs, &input->world, model, parts.volumes);
    spring_solver s = {.springs = springs, .parts = parts, .pose = pose, .wind = input->wind};
    for (int32_t i = 0; i < springs->chain_count; i++) {
        if (springs->chains[i].starts_group && s.lane_count > 0) {
            solve_group(&s, state, &f, model);
            s.lane_count = 0;
        }
        if (springs->chains[i].joint_count > 0) add_lane(&s, &springs->chains[i], input, model);
    }
    if (s.lane_count > 0) solve_group(&s, state, &f, model);
    if (springs->updates_whole_model) sinew_pose_to_model(pose, model);
    memcpy(parts.last_volumes, parts.volumes, (size_t)springs->collider_count * sizeof(spring_volume));
    state->remainder = f.remainder;
    state->wind = input->wind;
}
