// SPDX-License-Identifier: MIT
// Steps whole spring chains as ropes: massless rods between points of equal mass, which pull each other in both
// directions. Included by spring_rows.h.
//
// A substep uses the energy-momentum method (Gonzalez 1999). Let b be the rods before it and b + y after it. Points
// move by the mean of their velocities before and after, and rods pull along b + y / 2. A rod keeps its length if (b +
// y / 2) · y = 0, and then rods do no work. Forces that stay constant over the substep change the energy by exactly
// the work they do, at every stiffness and substep length. The only errors are rounding and the iteration's remainder.
//
// An iteration solves for all y at once. The rods' pulls μ (b + y / 2) are linear in the change of y, with the
// last μ, so taut rods are stable too. Rods are eliminated from tip to root. That leaves each row with the mass
// (3x3) and the momentum of all points below it, like articulated bodies (Featherstone 1983). From root to tip,
// the motions follow.
//
// Motions are per substep, in meters. So forces are motions too.
#ifndef SINEWI_SPRING_ROPE_H
#define SINEWI_SPRING_ROPE_H

#include "body/spring_lanes.h"

#define ROPE_ITERATIONS 2

// The planes of a row's work.
enum {
    ROPE_LENGTH = 0,   // of the rod; if 0, the tail moves with the row above
    ROPE_AIM = 1,      // the rod in this step's pose, 3 planes
    ROPE_LAST_AIM = 4, // the rod in the last step's pose, 3
    ROPE_TRAVEL = 7,   // motion of the tail in the pose, 3
    ROPE_ROD = 10,     // 3
    ROPE_MOTION = 13,  // of the tail, 3
    ROPE_TENSION = 16, // μ
    ROPE_TURN = 17,    // y, 3
    ROPE_FREE = 20,    // motion without rods, 3
    ROPE_MASS = 23,    // of the row and everything below it, 6
    ROPE_PUSH = 29,    // momentum of the row and everything below it, 3
    ROPE_YIELD = 32,   // y per momentum, 6
    ROPE_SHARE = 38,   // tension per momentum, 3
    ROPE_WORK = SINEWI_SPRING_WORK
};

// A symmetric matrix.
typedef struct sym3 {
    vec xx, yy, zz, xy, xz, yz;
} sym3;

SIMD_INLINE sym3 sym3_add_diagonal(sym3 m, vec d) {
    m.xx = vec_add(m.xx, d), m.yy = vec_add(m.yy, d), m.zz = vec_add(m.zz, d);
    return m;
}

SIMD_INLINE vec3 sym3_transform(const sym3 *m, vec3 v) {
    return (vec3){vec_add(vec_add(vec_mul(m->xx, v.x), vec_mul(m->xy, v.y)), vec_mul(m->xz, v.z)),
                  vec_add(vec_add(vec_mul(m->xy, v.x), vec_mul(m->yy, v.y)), vec_mul(m->yz, v.z)),
                  vec_add(vec_add(vec_mul(m->xz, v.x), vec_mul(m->yz, v.y)), vec_mul(m->zz, v.z))};
}

SIMD_INLINE sym3 sym3_invert(const sym3 *m) {
    const vec xx = vec_sub(vec_mul(m->yy, m->zz), vec_mul(m->yz, m->yz));
    const vec xy = vec_sub(vec_mul(m->xz, m->yz), vec_mul(m->xy, m->zz));
    const vec xz = vec_sub(vec_mul(m->xy, m->yz), vec_mul(m->xz, m->yy));
    const vec sum = vec_add(vec_add(vec_mul(m->xx, xx), vec_mul(m->xy, xy)), vec_mul(m->xz, xz));
    const vec f = vec_div(vec_splat(1.0f), sum);
    return (sym3){vec_mul(xx, f),
                  vec_mul(vec_sub(vec_mul(m->xx, m->zz), vec_mul(m->xz, m->xz)), f),
                  vec_mul(vec_sub(vec_mul(m->xx, m->yy), vec_mul(m->xy, m->xy)), f),
                  vec_mul(xy, f),
                  vec_mul(xz, f),
                  vec_mul(vec_sub(vec_mul(m->xy, m->xz), vec_mul(m->xx, m->yz)), f)};
}

// m in the lanes of the mask, 0 in the others.
SIMD_INLINE sym3 sym3_select(vec_mask mask, const sym3 *m) {
    const vec zero = vec_splat(0.0f);
    return (sym3){vec_select(mask, m->xx, zero), vec_select(mask, m->yy, zero), vec_select(mask, m->zz, zero),
                  vec_select(mask, m->xy, zero), vec_select(mask, m->xz, zero), vec_select(mask, m->yz, zero)};
}

// m - v vᵀ f
SIMD_INLINE sym3 sym3_without(const sym3 *m, vec3 v, vec f) {
    const vec3 s = vec3_scale(v, f);
    return (sym3){vec_sub(m->xx, vec_mul(v.x, s.x)), vec_sub(m->yy, vec_mul(v.y, s.y)),
                  vec_sub(m->zz, vec_mul(v.z, s.z)), vec_sub(m->xy, vec_mul(v.x, s.y)),
                  vec_sub(m->xz, vec_mul(v.x, s.z)), vec_sub(m->yz, vec_mul(v.y, s.z))};
}

// d - d p d
SIMD_INLINE sym3 sym3_reduce(const sym3 *d, const sym3 *p) {
    const vec3 x = {d->xx, d->xy, d->xz}, y = {d->xy, d->yy, d->yz}, z = {d->xz, d->yz, d->zz};
    const vec3 px = sym3_transform(p, x), py = sym3_transform(p, y), pz = sym3_transform(p, z);
    return (sym3){vec_sub(d->xx, vec3_dot(x, px)), vec_sub(d->yy, vec3_dot(y, py)),
                  vec_sub(d->zz, vec3_dot(z, pz)), vec_sub(d->xy, vec3_dot(x, py)),
                  vec_sub(d->xz, vec3_dot(x, pz)), vec_sub(d->yz, vec3_dot(y, pz))};
}

// ---- Rows ----------------------------------------------------------------------------------------------------

// The work and the constants of a row, at the lanes being solved.
typedef struct rope_row {
    float *work;
    const float *constants;
    size_t lane_count;
} rope_row;

SIMD_INLINE rope_row rope_row_of(const sinewi_spring_job *job, int32_t row, size_t lane) {
    const size_t before = (size_t)row * job->lane_count;
    return (rope_row){job->work + before * ROPE_WORK + lane,
                      job->all_constants + before * SINEWI_SPRING_CONSTANTS + lane, job->lane_count};
}

SIMD_INLINE vec rope_load(const rope_row *r, size_t plane) {
    return vec_load(r->work + plane * r->lane_count);
}

SIMD_INLINE vec3 rope_load3(const rope_row *r, size_t plane) {
    return load_vec3(r->work + plane * r->lane_count, r->lane_count, 0);
}

SIMD_INLINE sym3 rope_load6(const rope_row *r, size_t plane) {
    return (sym3){rope_load(r, plane),     rope_load(r, plane + 1), rope_load(r, plane + 2),
                  rope_load(r, plane + 3), rope_load(r, plane + 4), rope_load(r, plane + 5)};
}

SIMD_INLINE void rope_store(const rope_row *r, size_t plane, vec v) {
    vec_store(r->work + plane * r->lane_count, v);
}

SIMD_INLINE void rope_store3(const rope_row *r, size_t plane, vec3 v) {
    rope_store(r, plane, v.x), rope_store(r, plane + 1, v.y), rope_store(r, plane + 2, v.z);
}

SIMD_INLINE void rope_store6(const rope_row *r, size_t plane, const sym3 *m) {
    rope_store(r, plane, m->xx), rope_store(r, plane + 1, m->yy), rope_store(r, plane + 2, m->zz);
    rope_store(r, plane + 3, m->xy), rope_store(r, plane + 4, m->xz), rope_store(r, plane + 5, m->yz);
}

SIMD_INLINE vec rope_constant(const rope_row *r, size_t plane) {
    return vec_load(r->constants + plane * r->lane_count);
}

// The simulated part of a substep, its middle as a part of the step, and the root's motion during it.
typedef struct rope_step {
    vec part, middle;
    vec3 root;
} rope_step;

// ---- Friction and tension ------------------------------------------------------------------------------------

// Applies half of a substep's friction. Called before and after the substep.
SIMD_INLINE void slow_rows(const sinewi_spring_job *job, size_t lane, const rope_step *step) {
    const vec one = vec_splat(1.0f);
    const vec3 wind = vec3_scale(vec3_splat(job->wind), step->part);
    for (int32_t i = 0; i < job->row_count; i++) {
        const rope_row r = rope_row_of(job, i, lane);
        const vec damping = rope_constant(&r, SINEWI_SPRING_DAMPING), drag = rope_constant(&r, SINEWI_SPRING_DRAG);
        const vec3 motion = rope_load3(&r, ROPE_MOTION), travel = rope_load3(&r, ROPE_TRAVEL);
        const vec kept = vec_sub(one, vec_mul(vec_sub(one, damping), step->part));
        vec3 m = vec3_add(travel, vec3_scale(vec3_sub(motion, travel), kept));
        m = vec3_select(vec_less(damping, one), m, motion);
        m = vec3_scale(m, vec_sub(one, vec_mul(vec_sub(one, drag), step->part)));
        m = vec3_add(m, vec3_scale(wind, rope_constant(&r, SINEWI_SPRING_WIND)));
        rope_store3(&r, ROPE_MOTION, m);
    }
}

// Direction of a rod. 0 if it has no length.
SIMD_INLINE vec3 rope_direction(const rope_row *r) {
    const vec zero = vec_splat(0.0f), length = rope_load(r, ROPE_LENGTH);
    const vec f = vec_select(vec_less(zero, length), vec_div(vec_splat(1.0f), length), zero);
    return vec3_scale(rope_load3(r, ROPE_ROD), f);
}

// Removes the motion along rods that they can't follow, like inelastic rods. It appears when the root moves
// differently than in the last step, or when tails touched colliders. A tridiagonal system gives the impulses. This
// only loses energy.
SIMD_INLINE void tighten_rows(const sinewi_spring_job *job, size_t lane, vec3 root) {
    const vec zero = vec_splat(0.0f), one = vec_splat(1.0f);
    vec3 below = {zero, zero, zero};
    vec solved = zero, inverse = zero; // of the row below
    for (int32_t i = job->row_count - 1; i >= 0; i--) {
        const rope_row r = rope_row_of(job, i, lane), above = rope_row_of(job, i > 0 ? i - 1 : 0, lane);
        const vec3 direction = rope_direction(&r), of_head = i > 0 ? rope_load3(&above, ROPE_MOTION) : root;
        const vec apart = vec3_dot(direction, vec3_sub(rope_load3(&r, ROPE_MOTION), of_head));
        const vec coupling = vec3_dot(direction, below); // the system contains its negative
        const vec diagonal = vec_sub(vec_splat(i > 0 ? 2.0f : 1.0f), vec_mul(vec_mul(coupling, coupling), inverse));
        inverse = vec_select(vec_less(zero, rope_load(&r, ROPE_LENGTH)), vec_div(one, diagonal), one);
        solved = vec_mul(vec_add(apart, vec_mul(coupling, solved)), inverse);
        rope_store(&r, ROPE_PUSH, solved);
        rope_store(&r, ROPE_PUSH + 1, inverse);
        below = direction;
    }
    vec3 last = {zero, zero, zero}, motion = last;
    vec impulse = zero;
    for (int32_t i = 0; i < job->row_count; i++) {
        const rope_row r = rope_row_of(job, i, lane), above = rope_row_of(job, i > 0 ? i - 1 : 0, lane);
        const vec3 direction = rope_direction(&r);
        const vec carried = vec_mul(vec_mul(vec3_dot(last, direction), impulse), rope_load(&r, ROPE_PUSH + 1));
        impulse = vec_add(rope_load(&r, ROPE_PUSH), carried);
        const vec3 change = vec3_scale(direction, impulse);
        if (i > 0) rope_store3(&above, ROPE_MOTION, vec3_add(motion, change));
        motion = vec3_sub(rope_load3(&r, ROPE_MOTION), change);
        rope_store3(&r, ROPE_MOTION, motion);
        last = direction;
    }
}

// ---- A substep -----------------------------------------------------------------------------------------------

// The pull of a row's stiffness on its tail. The row above gets the opposite, so a chain without gravity
// rests in its pose.
SIMD_INLINE vec3 pull_of(const rope_row *r, vec middle) {
    const vec zero = vec_splat(0.0f), length = rope_load(r, ROPE_LENGTH);
    const vec3 aim = vec3_mix(rope_load3(r, ROPE_LAST_AIM), rope_load3(r, ROPE_AIM), middle);
    const vec pull = vec_div(rope_constant(r, SINEWI_SPRING_PULL), length);
    return vec3_scale(aim, vec_select(vec_less(zero, length), pull, zero));
}

// A rod that turns by more than a radian in a substep is solved as if it turned by one radian.
SIMD_INLINE vec3 clamp_turn(vec3 turn, vec length) {
    const vec square = vec3_dot(turn, turn);
    const vec_mask is_far = vec_less(vec_mul(length, length), square);
    return vec3_select(is_far, vec3_scale(turn, vec_div(length, vec_sqrt(square))), turn);
}

// Computes the motions without rods, and a first guess of how the rods turn.
SIMD_INLINE void free_rows(const sinewi_spring_job *job, size_t lane, const rope_step *step) {
    const vec zero = vec_splat(0.0f), part = step->part, square = vec_mul(part, part);
    const vec half_square = vec_mul(vec_splat(0.5f), square);
    vec3 below = {zero, zero, zero};
    for (int32_t i = job->row_count - 1; i >= 0; i--) {
        const rope_row r = rope_row_of(job, i, lane), above = rope_row_of(job, i > 0 ? i - 1 : 0, lane);
        const vec3 pull = pull_of(&r, step->middle);
        const vec3 fall = load_vec3(r.constants + SINEWI_SPRING_FALL * r.lane_count, r.lane_count, 0);
        const vec3 force = vec3_add(fall, vec3_sub(pull, below));
        const vec3 motion = vec3_scale(rope_load3(&r, ROPE_MOTION), part);
        const vec3 of_head = i > 0 ? vec3_scale(rope_load3(&above, ROPE_MOTION), part) : step->root;
        rope_store3(&r, ROPE_FREE, vec3_add(motion, vec3_scale(force, half_square)));
        rope_store3(&r, ROPE_TURN, clamp_turn(vec3_sub(motion, of_head), rope_load(&r, ROPE_LENGTH)));
        rope_store(&r, ROPE_TENSION, vec_mul(rope_load(&r, ROPE_TENSION), square));
        below = pull;
    }
}

// Tip to root: leaves each row with the mass and momentum of everything below it.
SIMD_INLINE void gather_masses(const sinewi_spring_job *job, size_t lane) {
    const vec zero = vec_splat(0.0f), one = vec_splat(1.0f);
    sym3 mass = {zero, zero, zero, zero, zero, zero};
    vec3 push = {zero, zero, zero};
    for (int32_t i = job->row_count - 1; i >= 0; i--) {
        const rope_row r = rope_row_of(job, i, lane);
        const vec own = rope_constant(&r, SINEWI_SPRING_MASS), tension = rope_load(&r, ROPE_TENSION);
        const vec taut = vec_mul(vec_splat(0.5f), vec_select(vec_less(zero, tension), tension, zero));
        const vec3 turn = rope_load3(&r, ROPE_TURN);
        mass = sym3_add_diagonal(mass, own);
        push = vec3_add(push, vec3_scale(rope_load3(&r, ROPE_FREE), own));
        const sym3 stiff =
            sym3_add_diagonal(mass, vec_add(taut, vec_sub(one, own))); // identity for rows without a joint
        const sym3 yield = sym3_invert(&stiff);
        const vec3 rod = vec3_add(rope_load3(&r, ROPE_ROD), vec3_scale(turn, vec_splat(0.5f)));
        const vec3 along = sym3_transform(&yield, rod), total = vec3_add(push, vec3_scale(turn, taut));
        const vec_mask has_rod = vec_less(zero, rope_load(&r, ROPE_LENGTH));
        const vec factor = vec_select(has_rod, vec_div(one, vec3_dot(rod, along)), zero);
        sym3 across = sym3_without(&yield, along, factor);
        across = sym3_select(has_rod, &across);
        rope_store6(&r, ROPE_MASS, &mass);
        rope_store3(&r, ROPE_PUSH, total);
        rope_store6(&r, ROPE_YIELD, &across);
        rope_store3(&r, ROPE_SHARE, vec3_scale(along, factor));
        push = vec3_sub(push, sym3_transform(&mass, sym3_transform(&across, total)));
        mass = sym3_reduce(&mass, &across);
    }
}

// Root to tip: the turns of the rods, and their tensions.
SIMD_INLINE void turn_rows(const sinewi_spring_job *job, size_t lane, const rope_step *step) {
    vec3 of_head = step->root;
    for (int32_t i = 0; i < job->row_count; i++) {
        const rope_row r = rope_row_of(job, i, lane);
        const sym3 mass = rope_load6(&r, ROPE_MASS), yield = rope_load6(&r, ROPE_YIELD);
        const vec3 push = vec3_sub(rope_load3(&r, ROPE_PUSH), sym3_transform(&mass, of_head));
        const vec3 turn = sym3_transform(&yield, push);
        rope_store3(&r, ROPE_TURN, turn);
        rope_store(&r, ROPE_TENSION, vec3_dot(rope_load3(&r, ROPE_SHARE), push));
        of_head = vec3_add(of_head, turn);
    }
}

SIMD_INLINE void clamp_turns(const sinewi_spring_job *job, size_t lane) {
    for (int32_t i = 0; i < job->row_count; i++) {
        const rope_row r = rope_row_of(job, i, lane);
        rope_store3(&r, ROPE_TURN, clamp_turn(rope_load3(&r, ROPE_TURN), rope_load(&r, ROPE_LENGTH)));
    }
}

// The motion after a substep is twice the mean motion minus the motion before. If a rod turned so far that the
// iteration hasn't converged, the mean is used if it's slower, so no energy is gained.
SIMD_INLINE vec3 next_motion(vec3 before, vec3 mean, vec3 root, vec_mask is_far) {
    const vec3 next = vec3_sub(vec3_add(mean, mean), before);
    if (!vec_any(is_far)) return next;
    const vec3 slow = vec3_sub(mean, root), fast = vec3_sub(next, root);
    const vec_mask is_faster = vec_less(vec3_dot(slow, slow), vec3_dot(fast, fast));
    return vec3_select(is_far, vec3_select(is_faster, mean, next), next);
}

// How much energy rounding may add: through the motions, and through forces working on rods with rounded directions.
#define ROPE_MOTION_ROUNDING 2e-6f
#define ROPE_WORK_ROUNDING   1e-6f

// Twice the kinetic energy relative to the root: after the substep, and how much it may be.
typedef struct rope_energy {
    vec after, allowed;
} rope_energy;

// Turns the rods. They keep their lengths.
SIMD_INLINE rope_energy move_rows(const sinewi_spring_job *job, size_t lane, const rope_step *step) {
    const vec zero = vec_splat(0.0f);
    vec3 of_head = step->root, next = step->root;
    rope_energy energy = {zero, zero};
    for (int32_t i = 0; i < job->row_count; i++) {
        const rope_row r = rope_row_of(job, i, lane);
        const vec length = rope_load(&r, ROPE_LENGTH), whole = vec_mul(length, length);
        const vec3 rod_before = rope_load3(&r, ROPE_ROD), turn = rope_load3(&r, ROPE_TURN);
        const vec3 turned = vec3_add(rod_before, turn);
        const vec square = vec3_dot(turned, turned);
        vec3 rod = vec3_scale(turned, vec_div(length, vec_sqrt(square)));
        rod = vec3_select(vec_less(square, vec_mul(vec_splat(1e-12f), whole)), rod_before, rod);
        const vec_mask has_rod = vec_less(zero, length);
        rod = vec3_select(has_rod, rod, rod_before);
        of_head = vec3_add(of_head, vec3_sub(rod, rod_before));
        const vec3 before = rope_load3(&r, ROPE_MOTION),
                   force = vec3_sub(rope_load3(&r, ROPE_FREE), before); // half of the force
        const vec_mask is_far = vec_less(vec_mul(vec_splat(0.25f), whole), vec3_dot(turn, turn));
        next = vec3_select(has_rod, next_motion(before, of_head, step->root, is_far), next);
        rope_store3(&r, ROPE_ROD, rod);
        rope_store3(&r, ROPE_MOTION, next);
        const vec mass = rope_constant(&r, SINEWI_SPRING_MASS);
        const vec3 slow = vec3_sub(before, step->root), fast = vec3_sub(next, step->root);
        const vec work = vec_mul(vec_splat(4.0f), vec3_dot(force, vec3_sub(of_head, step->root)));
        const vec kept = vec_mul(vec3_dot(slow, slow), vec_splat(1.0f + ROPE_MOTION_ROUNDING));
        const vec rounding =
            vec_mul(vec_mul(vec_splat(ROPE_WORK_ROUNDING), length), vec_sqrt(vec3_dot(force, force)));
        energy.after = vec_add(energy.after, vec_mul(mass, vec3_dot(fast, fast)));
        energy.allowed = vec_add(energy.allowed, vec_mul(mass, vec_add(kept, vec_add(work, rounding))));
    }
    return energy;
}

// The iteration's remainder must not add energy, so the motions relative to the root are slowed down if it did.
SIMD_INLINE void limit_energy(const sinewi_spring_job *job, size_t lane, const rope_step *step,
                              const rope_energy *energy) {
    const vec zero = vec_splat(0.0f);
    const vec_mask is_over = vec_less(energy->allowed, energy->after);
    if (!vec_any(is_over)) return;
    const vec allowed = vec_select(vec_less(zero, energy->allowed), energy->allowed, zero);
    const vec factor = vec_select(is_over, vec_sqrt(vec_div(allowed, energy->after)), vec_splat(1.0f));
    for (int32_t i = 0; i < job->row_count; i++) {
        const rope_row r = rope_row_of(job, i, lane);
        const vec3 motion = rope_load3(&r, ROPE_MOTION);
        const vec3 slowed = vec3_add(step->root, vec3_scale(vec3_sub(motion, step->root), factor));
        rope_store3(&r, ROPE_MOTION, vec3_select(is_over, slowed, motion));
    }
}

SIMD_INLINE void solve_rope(const sinewi_spring_job *job, size_t lane, const rope_step *step) {
    free_rows(job, lane, step);
    for (int i = 0; i < ROPE_ITERATIONS; i++) {
        if (i > 0) clamp_turns(job, lane);
        gather_masses(job, lane);
        turn_rows(job, lane, step);
    }
    const rope_energy energy = move_rows(job, lane, step);
    limit_energy(job, lane, step, &energy);
}

// Runs a step's substeps. The last one may be partial, and nothing follows it then.
static void swing_rows(sinewi_spring_job *job) {
    const float count = job->fraction * (float)job->substeps; // number of substeps
    for (size_t lane = 0; lane < job->lane_count; lane += SIMD_WIDTH) {
        if (((job->lanes >> lane) & SPRING_ALL_LANES) == 0) continue;
        const vec3 root = load_vec3(job->root[0], SINEWI_SPRING_LANES, lane);
        float done = 0.0f;
        do {
            const float part = count - done < 1.0f ? count - done : 1.0f, all = count > 0.0f ? 1.0f / count : 1.0f;
            const float of_root = count > 0.0f ? part * all : 1.0f;
            const rope_step step = {vec_splat(part), vec_splat((done + 0.5f * part) * all),
                                    vec3_scale(root, vec_splat(of_root))};
            if (done == 0.0f) tighten_rows(job, lane, vec3_scale(root, vec_splat(count > 0.0f ? all : 0.0f)));
            slow_rows(job, lane, &step);
            solve_rope(job, lane, &step);
            slow_rows(job, lane, &step);
            done += 1.0f;
        } while (done < count);
    }
}

#endif
