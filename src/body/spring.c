// SPDX-License-Identifier: MIT
// Solving springs: a frame's steps, sleep, and teleports.
//
// Chains are solved in groups of up to 16, one per lane (spring_step.c). If a frame ends between two steps, each tail
// is shown on the straight line from its position at the last step to where a step with this frame's pose would put it.
// That last step isn't stored.
#include "body/spring_step.h"

#include "base/def_cookie.h"
#include "base/finite.h"
#include "base/fnv.h"
#include "body/ik_math.h"

#include <assert.h>
#include <string.h>

// A chain falls asleep after this many steps without movement.
#define STILL_STEPS 30

// ---- State ---------------------------------------------------------------------------------------------------

static size_t round_up(size_t size) {
    return (size + sizeof(float) - 1) / sizeof(float) * sizeof(float);
}

spring_state_parts sinewi_spring_state_parts(const sinew_springs *springs, sinew_spring_state *state) {
    spring_state_parts parts;
    char *at = (char *)state + round_up(sizeof *state);
    parts.chains = (spring_chain_state *)(void *)at;
    parts.rows = (float *)(void *)(parts.chains + springs->chain_count);
    parts.last_volumes = (sinewi_spring_volume *)(void *)(parts.rows + springs->state_count);
    parts.volumes = parts.last_volumes + springs->collider_count;
    parts.work = (float *)(void *)(parts.volumes + springs->collider_count);
    return parts;
}

size_t sinewi_spring_kept_size(const sinew_springs *springs) {
    return round_up(sizeof(sinew_spring_state)) + (size_t)springs->chain_count * sizeof(spring_chain_state) +
           springs->state_count * sizeof(float) +
           2 * (size_t)springs->collider_count * sizeof(sinewi_spring_volume);
}

size_t sinew_springs_state_size(const sinew_springs *springs) {
    assert(springs);
    return sinewi_spring_kept_size(springs) + springs->work_count * sizeof(float);
}

uint64_t sinewi_spring_fingerprint(const sinew_springs *springs) {
    uint64_t hash = SINEWI_FNV_START;
    sinewi_fnv_number(&hash, (uint32_t)springs->chain_count);
    sinewi_fnv_number(&hash, springs->state_count);
    for (int32_t i = 0; i < springs->joint_count; i++)
        sinewi_fnv_string(&hash, springs->skeleton->names[springs->joints[i].node]);
    return hash;
}

static bool are_finite(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

// The floats of a chain's state follow its two counts.
static bool is_chain_state(const spring_chain_state *chain) {
    const size_t floats = (sizeof *chain - offsetof(spring_chain_state, root)) / sizeof(float);
    const bool has_counts = (chain->started == 0 || chain->started == 1) && chain->still_steps >= 0 &&
                            chain->still_steps < INT32_MAX / 2;
    return has_counts && are_finite((const float *)&chain->root, floats);
}

bool sinewi_spring_is_state(const sinew_springs *springs, sinew_spring_state *state) {
    const spring_state_parts parts = sinewi_spring_state_parts(springs, state);
    const size_t volume = sizeof(sinewi_spring_volume) / sizeof(float);
    if (state->cookie != SINEWI_DEF_COOKIE || !(state->remainder >= 0.0f && state->remainder <= springs->step) ||
        !sinewi_vec3_is_finite(state->wind))
        return false;
    for (int32_t i = 0; i < springs->chain_count; i++) {
        if (!is_chain_state(&parts.chains[i])) return false;
    }
    return are_finite(parts.rows, springs->state_count) &&
           are_finite((const float *)parts.last_volumes, 2 * (size_t)springs->collider_count * volume);
}

void sinew_springs_reset(const sinew_springs *springs, sinew_spring_state *state) {
    assert(springs && state);
    memset(state, 0, sinew_springs_state_size(springs));
    state->cookie = SINEWI_DEF_COOKIE;
}

// ---- Sleep ---------------------------------------------------------------------------------------------------

static bool is_same_vec(sinew_vec3 a, sinew_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The lanes whose colliders have moved.
static uint32_t lanes_of_moved_colliders(const spring_solver *s) {
    uint32_t lanes = 0;
    for (int32_t i = 0; i < s->group->collision_count; i++) {
        const sinewi_spring_collision *c = &s->springs->collisions[s->group->first_collision + i];
        const sinewi_spring_volume *now = &s->parts.volumes[c->volume], *last = &s->parts.last_volumes[c->volume];
        if (memcmp(now, last, sizeof *now) != 0) lanes |= c->lanes;
    }
    return lanes;
}

static bool is_still(const spring_lane *lane) {
    return lane->state->still_steps >= STILL_STEPS &&
           memcmp(&lane->root, &lane->state->root, sizeof lane->root) == 0 &&
           memcmp(&lane->center, &lane->state->center, sizeof lane->center) == 0;
}

// The running lanes whose chains are asleep.
static uint32_t sleeping_lanes(spring_solver *s, const sinew_spring_state *state) {
    if (!is_same_vec(s->wind, state->wind)) return 0;
    uint32_t asleep = 0;
    for (int32_t l = 0; l < s->group->chain_count; l++) {
        if (s->running >> l & 1 && is_still(&s->lanes[l])) asleep |= 1u << l;
    }
    if (asleep) asleep &= ~lanes_of_moved_colliders(s);
    return asleep ? asleep & ~sinewi_spring_changed_lanes(s, asleep) : 0;
}

// A chain that wakes up stays awake until it is still again, even if this frame has no step that moves it.
static void wake_lanes(spring_solver *s) {
    for (int32_t l = 0; s->running >> l; l++) {
        int32_t *still = &s->lanes[l].state->still_steps;
        if (s->running >> l & 1 && *still >= STILL_STEPS) *still = 0;
    }
}

// ---- A frame -------------------------------------------------------------------------------------------------

// A frame's steps. The remainders are the time since the last step, before and after the frame.
typedef struct spring_frame {
    float dt, remainder_before, remainder;
    int32_t steps;
    bool is_late; // more steps than max_steps: takes the last ones, and skips the time before them
    float start;  // where the first step starts, as a part of the frame; 0 if the frame isn't late
} spring_frame;

// If a frame ends within 1e-4 steps of a step, it includes that step. So 60 Hz gets one step per frame in
// spite of rounding.
static spring_frame plan_frame(const sinew_springs *springs, float remainder, float dt) {
    spring_frame f = {.dt = dt, .remainder_before = remainder};
    const float steps = floorf((remainder + dt) / springs->step + 1e-4f);
    f.is_late = !(steps <= (float)springs->max_steps);
    if (f.is_late) {
        f.steps = springs->max_steps;
        f.start = 1.0f - (float)f.steps * springs->step / dt;
        if (!(f.start > 0.0f)) f.start = 0.0f;
        return f;
    }
    f.steps = (int32_t)steps;
    f.remainder = (remainder + dt) - steps * springs->step;
    if (!(f.remainder > 1e-4f * springs->step)) f.remainder = 0.0f;
    return f;
}

// Time of a step in the frame, 0 to 1.
static float time_of_step(const sinew_springs *springs, const spring_frame *f, int32_t index) {
    if (index + 1 == f->steps && f->remainder == 0.0f) return 1.0f;
    const float before = f->is_late ? f->dt - (float)f->steps * springs->step : -f->remainder_before;
    const float time = before + (float)(index + 1) * springs->step;
    return time < f->dt ? (time > 0.0f ? time / f->dt : 0.0f) : 1.0f;
}

// ---- Teleports -----------------------------------------------------------------------------------------------

static void move_origin(sinew_affine *frame, sinew_vec3 by) {
    for (int i = 0; i < 3; i++) frame->m[i][3] += i == 0 ? by.x : i == 1 ? by.y : by.z;
}

// The motion of a lane's parent in this frame, without the motion of its center.
static sinew_vec3 moved_in_frame(const spring_lane *lane) {
    sinew_vec3 from = ik_position(&lane->state->root);
    if (lane->chain->center != SINEW_NO_NODE) {
        const spring_rigid of_center = sinewi_spring_motion(&lane->state->center, &lane->center);
        from = sinewi_spring_move(&of_center, from);
    }
    return ik_subtract(ik_position(&lane->root), from);
}

// Moves a lane's bones with their center from the last step to the last frame. Then moves them like a space that moved
// in this frame, and further along the velocity for the given seconds. Returns the rotation.
static sinew_quat move_along(spring_solver *s, int32_t l, const sinew_affine *from, const sinew_affine *to,
                             sinew_vec3 velocity, float seconds) {
    const spring_rigid before = sinewi_spring_rigid_of(from), now = sinewi_spring_rigid_of(to);
    spring_rigid motion = sinewi_spring_motion(&before, &now);
    motion.translation = ik_add(motion.translation, ik_scale(ik_rotate(motion.rotation, velocity), seconds));
    const spring_chain_state *state = s->lanes[l].state;
    const spring_rigid of_center = sinewi_spring_motion(&state->step_center, &state->center);
    sinewi_spring_move_bones(s, l, &of_center);
    sinewi_spring_move_bones(s, l, &motion);
    return motion.rotation;
}

// Teleports a chain with its parent. The parent is assumed to have kept its last velocity up to its new place.
// The chain has that velocity too, so it doesn't swing. Steps are taken from the frame's start, or are the last
// ones of a late frame.
static void follow_teleport(spring_solver *s, const spring_frame *f, int32_t l) {
    spring_lane *lane = &s->lanes[l];
    spring_chain_state *state = lane->state;
    const float simulated = f->is_late ? (float)f->steps * s->springs->step - f->remainder_before : f->dt;
    const sinew_quat turned = move_along(s, l, &state->root, &lane->root, state->velocity, -simulated);
    state->velocity = ik_rotate(turned, state->velocity);
    state->root = lane->root;
    move_origin(&state->root, ik_scale(state->velocity, -f->dt));
    state->center = state->step_center = lane->center;
}

// Moves a lane along with its parent over the part of a late frame that is skipped. The bones lagged behind the parent
// by the time since the last step.
static void follow_late(spring_solver *s, const spring_frame *f, int32_t l) {
    const spring_lane *lane = &s->lanes[l];
    const sinew_affine start = sinewi_spring_root_at(lane, f->start);
    move_along(s, l, &lane->state->root, &start, lane->state->velocity, f->remainder_before);
    lane->state->step_center = sinewi_spring_center_at(lane, f->start);
}

// Whether the parent moved by more than the teleport distance, and not just because it's that fast.
static bool is_teleport(const spring_solver *s, const spring_frame *f, const spring_lane *lane, sinew_vec3 moved) {
    const float distance = s->springs->teleport_distance * s->springs->teleport_distance;
    const sinew_vec3 jump = ik_subtract(moved, ik_scale(lane->state->velocity, f->dt));
    return ik_dot(moved, moved) > distance && ik_dot(jump, jump) > distance;
}

static void follow_parent(spring_solver *s, const spring_frame *f, int32_t l) {
    spring_lane *lane = &s->lanes[l];
    const sinew_vec3 moved = moved_in_frame(lane);
    if (is_teleport(s, f, lane, moved)) {
        follow_teleport(s, f, l);
        return;
    }
    if (f->is_late) follow_late(s, f, l);
    if (f->dt > 0.0f) lane->state->velocity = ik_scale(moved, 1.0f / f->dt);
}

static void run(spring_solver *s, const spring_step *step) {
    sinewi_spring_run_step(s, step);
    if (!step->stores) return;
    const uint32_t moved = step->starts ? s->running : s->job.moved;
    for (int32_t l = 0; l < s->group->chain_count; l++) {
        int32_t *still = &s->lanes[l].state->still_steps;
        if (!(s->running >> l & 1)) continue;
        *still = moved >> l & 1 ? 0 : *still + (*still < STILL_STEPS);
    }
}

// Runs a frame's steps for the lanes that are started and awake.
static void run_frame(spring_solver *s, const spring_frame *f) {
    const bool has_part = f->remainder > 0.0f || f->steps == 0;
    const spring_step skip = {.alpha = f->start, .skips = true};
    if (f->is_late && !s->group->is_vrm) sinewi_spring_run_step(s, &skip);
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
    lane->state->velocity = (sinew_vec3){0.0f, 0.0f, 0.0f};
    lane->state->still_steps = 0;
    lane->state->started = 1;
}

// Runs the lanes that start at rest, then those that are started and awake.
static void run_lanes(spring_solver *s, const sinew_spring_state *state, const spring_frame *f) {
    const spring_step first = {.alpha = 1.0f, .fraction = 1.0f, .starts = true, .stores = true, .writes = true};
    uint32_t started = 0;
    for (int32_t l = 0; l < s->group->chain_count; l++) {
        if (s->lanes[l].state->started) started |= 1u << l;
    }
    s->running = s->solved & ~started;
    for (int32_t l = 0; s->running >> l; l++) {
        if (s->running >> l & 1) start_lane(&s->lanes[l]);
    }
    if (s->running) run(s, &first);
    s->running = s->solved & started;
    if (s->running) s->running &= ~sleeping_lanes(s, state);
    wake_lanes(s);
    for (int32_t l = 0; s->running >> l; l++) {
        if (s->running >> l & 1) follow_parent(s, f, l);
    }
    if (s->running) run_frame(s, f);
}

static void solve_group(spring_solver *s, const sinew_spring_state *state, const spring_frame *f) {
    s->job.broken = 0;
    if (s->solved) run_lanes(s, state, f);
    const uint32_t written = s->solved & ~s->job.broken;
    for (int32_t l = 0; l < s->group->chain_count; l++) {
        spring_lane *lane = &s->lanes[l];
        lane->state->root = lane->root;
        lane->state->center = lane->center;
        if (!(written >> l & 1)) lane->state->started = 0;
    }
    if (written) sinewi_spring_write_results(s, written);
}

static spring_rigid center_in_world(const spring_chain *chain, const sinew_affine *world,
                                    const sinew_affine *model) {
    if (chain->center == SINEW_NO_NODE) return (spring_rigid){ik_identity, {0.0f, 0.0f, 0.0f}};
    const sinew_affine matrix = sinew_affine_multiply(*world, model[chain->center]);
    return sinewi_spring_rigid_of(&matrix);
}

// Computes a lane's space. Returns false if the lane isn't solved, because its weight is 0 or its parent isn't finite.
static bool begin_lane(const sinew_springs_input *input, const sinew_affine *model, spring_lane *lane) {
    const spring_chain *chain = lane->chain;
    const bool is_root = chain->parent == SINEW_NO_NODE;
    lane->root = is_root ? input->world : sinew_affine_multiply(input->world, model[chain->parent]);
    lane->center = center_in_world(chain, &input->world, model);
    lane->weight = ik_clamp01(chain->weight) * ik_clamp01(input->weight);
    return lane->weight > 0.0f && sinewi_affine_is_finite(&lane->root);
}

static bool is_same_space(const spring_chain *a, const spring_chain *b) {
    return a->parent == b->parent && a->center == b->center && a->weight == b->weight;
}

static void begin_group(spring_solver *s, const spring_group *group, const sinew_springs_input *input,
                        const sinew_affine *model) {
    s->group = group;
    s->kernels = sinewi_spring_kernels_for((size_t)group->lane_count);
    s->solved = 0;
    bool is_solved = false;
    for (int32_t l = 0; l < group->chain_count; l++) {
        spring_lane *lane = &s->lanes[l];
        const spring_chain *chain = &s->springs->chains[group->first_chain + l];
        const bool is_same = l > 0 && is_same_space(chain, lane[-1].chain); // true for most locks of hair
        if (is_same) *lane = lane[-1];
        lane->chain = chain;
        lane->state = &s->parts.chains[group->first_chain + l];
        if (!is_same) is_solved = begin_lane(input, model, lane);
        if (is_solved) s->solved |= 1u << l;
    }
}

// Updates the model matrices of the nodes that a level's chains move.
static void update_model(const sinew_springs *springs, const spring_level *level, const sinew_pose *pose,
                         sinew_affine *model) {
    for (int32_t i = 0; i < level->range_count; i++) {
        const sinewi_range nodes = springs->ranges[level->first_range + i];
        sinewi_pose_to_local(pose, nodes, model);
        sinewi_apply_shears(springs->skeleton, nodes, &model, 1);
    }
    sinewi_model_kernels_used()->local_to_model(springs->products + level->first_product, level->product_count,
                                                &model, 1);
}

static bool is_valid_input(const sinew_springs_input *input, float dt) {
    return SINEWI_IS_DEF(input, "sinew_springs_input: start from sinew_springs_input_default()") &&
           sinewi_affine_is_finite(&input->world) && dt >= 0.0f && dt <= FLT_MAX &&
           ik_dot(input->wind, input->wind) <= FLT_MAX;
}

void sinew_springs_solve(const sinew_springs *springs, const sinew_springs_input *input, float dt,
                         sinew_spring_state *state, sinew_pose *pose, sinew_affine *model) {
    assert(springs && state && pose && model && pose->skeleton == springs->skeleton);
    assert(state->cookie == SINEWI_DEF_COOKIE && "sinew_spring_state: call sinew_springs_reset first");
    if (!is_valid_input(input, dt) || state->cookie != SINEWI_DEF_COOKIE) return;

    const spring_frame f = plan_frame(springs, state->remainder, dt);
    spring_solver s;
    memset(&s.job, 0, sizeof s.job); // unused lanes are computed too
    s.springs = springs;
    s.parts = sinewi_spring_state_parts(springs, state);
    s.pose = pose;
    s.wind = input->wind;
    sinewi_spring_place_colliders(springs, &input->world, model, s.parts.volumes);
    bool moves = false;
    for (int32_t i = 0; i < springs->level_count; i++) {
        const spring_level *level = &springs->levels[i];
        for (int32_t k = 0; k < level->group_count; k++) {
            begin_group(&s, &springs->groups[level->first_group + k], input, model);
            solve_group(&s, state, &f);
            moves |= s.solved != 0;
        }
        if (moves) update_model(springs, level, pose, model);
    }
    memcpy(s.parts.last_volumes, s.parts.volumes, (size_t)springs->collider_count * sizeof *s.parts.volumes);
    state->remainder = f.remainder;
    state->wind = input->wind;
}
