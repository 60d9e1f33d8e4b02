// SPDX-License-Identifier: MIT
// Targets for the limbs and the head of the measured skeleton, and the solves.
#include "bench/limbs.h"

#include "bench/memory.h"

#include <math.h>
#include <string.h>

// ---- Characters ----------------------------------------------------------------------------------------------

// The axis of the knees. The rest pose has straight legs and does not define it.
static const sinew_vec3 knee = {1, 0, 0};

static void bend_knee(sinew_pose *pose, const char *shin) {
    const sinew_quat by_80_degrees = {0.64278761f, 0, 0, 0.76604444f};
    int32_t node = sinew_skeleton_find(pose->skeleton, shin);
    sinew_transform t = sinew_pose_get(pose, node);
    t.rotation = by_80_degrees;
    sinew_pose_set(pose, node, t);
}

static bool pose_one(bench_posed *one, const bench_world *world, int index) {
    const sinew_skeleton *skeleton = world->skeleton;
    one->model = bench_allocate((size_t)skeleton->node_count, sizeof *one->model);
    one->model_before = bench_allocate((size_t)skeleton->node_count, sizeof *one->model_before);
    if (sinew_pose_create(skeleton, NULL, &one->pose) != SINEW_OK) return false;
    if (sinew_pose_create(skeleton, NULL, &one->before) != SINEW_OK) return false;
    sinew_clip_sample(world->clips[index], 0.7f, one->pose);
    bend_knee(one->pose, "Shin_L");
    bend_knee(one->pose, "Shin_R");
    sinew_pose_copy(one->before, one->pose);
    sinew_pose_to_model(one->pose, one->model);
    sinew_pose_to_model(one->pose, one->model_before);
    return true;
}

static sinew_vec3 random_direction(bench_random *random) {
    sinew_vec3 v;
    float square;
    do {
        v = (sinew_vec3){bench_random_float(random, -1.0f, 1.0f), bench_random_float(random, -1.0f, 1.0f),
                         bench_random_float(random, -1.0f, 1.0f)};
        square = sinew_vec3_dot(v, v);
    } while (square < 0.01f || square > 1.0f);
    return sinew_vec3_normalize(v);
}

static sinew_vec3 target_from(const sinew_affine *model, bench_random *random, float nearest, float farthest) {
    sinew_vec3 way = random_direction(random);
    float far = bench_random_float(random, nearest, farthest);
    return (sinew_vec3){model->m[0][3] + far * way.x, model->m[1][3] + far * way.y, model->m[2][3] + far * way.z};
}

// ---- Targets -------------------------------------------------------------------------------------------------

enum { THIGH, SHIN, FOOT, TOES, LEG_NODES };

static void find_leg(const sinew_skeleton *skeleton, const char *const names[LEG_NODES], int32_t nodes[LEG_NODES]) {
    for (int i = 0; i < LEG_NODES; i++) nodes[i] = sinew_skeleton_find(skeleton, names[i]);
}

// A target near the foot; one in eight is out of reach of the leg of 0.85 m.
static void draw_targets(bench_limbs *limbs, const sinew_skeleton *skeleton, const int32_t leg[LEG_NODES]) {
    bench_random random = {7};
    int32_t head = sinew_skeleton_find(skeleton, "Head");
    for (int i = 0; i < BENCH_TARGETS; i++) {
        const sinew_affine *model = limbs->posed[i % BENCH_POSED].model;
        sinew_ik_two_bone *limb = &limbs->legs[i];
        *limb = sinew_ik_two_bone_from_rest(skeleton, leg[THIGH], leg[SHIN], leg[FOOT]);
        limb->bend_axis = knee;
        limb->target = target_from(&model[leg[FOOT]], &random, 0.0f, 0.2f);
        if (i % 8 == 0) limb->target = target_from(&model[leg[FOOT]], &random, 2.0f, 3.0f);
        limbs->heads[i] = sinew_ik_aim_from_rest(skeleton, head, head, (sinew_vec3){0, 0, 1});
        limbs->heads[i].target = target_from(&model[head], &random, 0.5f, 10.0f);
    }
}

static bool slope(sinew_vec3 position, sinew_ik_ground *ground, void *user) {
    (void)user;
    const sinew_vec3 normal = {-0.09950372f, 0.99503719f, 0.0f};
    *ground = (sinew_ik_ground){0.1f * position.x, normal};
    return true;
}

static void prepare(bench_limbs *limbs, const sinew_skeleton *skeleton) {
    static const char *const names[2][LEG_NODES] = {{"Thigh_L", "Shin_L", "Foot_L", "Toes_L"},
                                                    {"Thigh_R", "Shin_R", "Foot_R", "Toes_R"}};
    const sinew_vec3 up = {0, 1, 0};
    int32_t leg[2][LEG_NODES];
    for (int i = 0; i < 2; i++) {
        find_leg(skeleton, names[i], leg[i]);
        limbs->feet[i] =
            sinew_ik_leg_from_rest(skeleton, leg[i][THIGH], leg[i][SHIN], leg[i][FOOT], leg[i][TOES], up);
        limbs->feet[i].limb.bend_axis = knee;
    }
    draw_targets(limbs, skeleton, leg[0]);
    limbs->placement = sinew_ik_foot_placement_default();
    limbs->placement.pelvis = sinew_skeleton_find(skeleton, "Hips");
    limbs->placement.legs = limbs->feet;
    limbs->placement.leg_count = 2;
    limbs->placement.ground = slope;
    limbs->lock = sinew_ik_foot_lock_default();
    limbs->lock.legs = limbs->feet;
    limbs->lock.leg_count = 2;
}

bench_limbs *bench_limbs_create(const bench_world *world) {
    bench_limbs *limbs = bench_allocate(1, sizeof *limbs);
    limbs->legs = bench_allocate(BENCH_TARGETS, sizeof *limbs->legs);
    limbs->heads = bench_allocate(BENCH_TARGETS, sizeof *limbs->heads);
    for (int i = 0; i < BENCH_POSED; i++) {
        if (pose_one(&limbs->posed[i], world, i)) continue;
        bench_limbs_destroy(limbs);
        return NULL;
    }
    prepare(limbs, world->skeleton);
    return limbs;
}

void bench_limbs_destroy(bench_limbs *limbs) {
    if (!limbs) return;
    for (int i = 0; i < BENCH_POSED; i++) {
        sinew_pose_destroy(limbs->posed[i].pose);
        sinew_pose_destroy(limbs->posed[i].before);
        bench_release(limbs->posed[i].model);
        bench_release(limbs->posed[i].model_before);
    }
    bench_release(limbs->legs);
    bench_release(limbs->heads);
    bench_release(limbs);
}

// ---- Solving -------------------------------------------------------------------------------------------------

static void put_back(const bench_posed *one, int32_t node) {
    one->pose->rx[node] = one->before->rx[node];
    one->pose->ry[node] = one->before->ry[node];
    one->pose->rz[node] = one->before->rz[node];
    one->pose->rw[node] = one->before->rw[node];
}

static void put_all_back(const bench_posed *one) {
    sinew_pose_copy(one->pose, one->before);
    memcpy(one->model, one->model_before, (size_t)one->pose->skeleton->node_count * sizeof *one->model);
}

static void solve_legs(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        const bench_posed *one = &limbs->posed[i % BENCH_POSED];
        const sinew_ik_two_bone *leg = &limbs->legs[i];
        sinew_ik_two_bone_solve(leg, one->model, one->pose);
        put_back(one, leg->upper);
        put_back(one, leg->lower);
    }
}

static void aim_heads(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        const bench_posed *one = &limbs->posed[i % BENCH_POSED];
        sinew_ik_aim_solve(&limbs->heads[i], one->model, one->pose);
        put_back(one, limbs->heads[i].node);
    }
}

static void place_feet(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        sinew_ik_foot_placement_solve(&limbs->placement, 1.0f / 60.0f, &one->state, one->pose, one->model);
        put_all_back(one);
    }
}

static void lock_feet(bench_limbs *limbs, int32_t first, int32_t end) {
    static const float contacts[2] = {1.0f, 1.0f};
    sinew_affine world = sinew_affine_identity();
    for (int32_t i = first; i < end; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        world.m[2][3] = 0.1f * (float)i / BENCH_TARGETS;
        sinew_ik_foot_lock_solve(&limbs->lock, 1.0f / 60.0f, &world, contacts, &one->locked, one->pose, one->model);
        put_all_back(one);
    }
}

void bench_limbs_solve(bench_limbs *limbs, bench_solver solver, int64_t count) {
    static void (*const solve[])(bench_limbs * limbs, int32_t first, int32_t end) = {[BENCH_TWO_BONE] = solve_legs,
                                                                                     [BENCH_AIM] = aim_heads,
                                                                                     [BENCH_FOOT] = place_feet,
                                                                                     [BENCH_FOOT_LOCK] = lock_feet};
    while (count > 0) {
        int32_t left = BENCH_TARGETS - limbs->next, some = count < left ? (int32_t)count : left;
        solve[solver](limbs, limbs->next, limbs->next + some);
        limbs->next = (limbs->next + some) % BENCH_TARGETS;
        count -= some;
    }
}
