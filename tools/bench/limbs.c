// SPDX-License-Identifier: MIT
// Targets for the limbs and the head of the measured skeleton, and the solves.
#include "bench/limbs.h"

#include "bench/memory.h"

#include <math.h>
#include <string.h>

// ---- Characters ----------------------------------------------------------------------------------------------

// The knees' axis. In the rest pose the legs are straight, so it doesn't define one.
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

// Draws targets near the foot. One in eight is out of the leg's reach, 0.85 m.
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

// ---- Chains and bodies ---------------------------------------------------------------------------------------

static void prepare_chain(bench_limbs *limbs, const sinew_skeleton *skeleton) {
    static const char *const names[BENCH_JOINTS + 1] = {"Spine1",     "Spine2",    "Spine3", "Clavicle_L",
                                                        "UpperArm_L", "ForeArm_L", "Hand_L"};
    for (int i = 0; i < BENCH_JOINTS; i++) {
        int32_t node = sinew_skeleton_find(skeleton, names[i]), child = sinew_skeleton_find(skeleton, names[i + 1]);
        limbs->limits[i] = sinew_ik_limit_from_rest(skeleton, node, child);
        limbs->limits[i].kind = SINEW_IK_LIMIT_CONE;
        limbs->limits[i].cone = i < 3 ? 0.3f : 1.4f;
        limbs->limits[i].angle_min = -0.3f;
        limbs->limits[i].angle_max = 0.3f;
    }
    limbs->chain =
        sinew_ik_chain_from_rest(skeleton, limbs->limits[0].node, sinew_skeleton_find(skeleton, "Hand_L"));
    limbs->chain.limits = limbs->limits;
    limbs->chain.limit_count = BENCH_JOINTS;
}

static void prepare_body(bench_limbs *limbs, const sinew_skeleton *skeleton) {
    static const char *const names[BENCH_EFFECTORS] = {"Hand_L", "Hand_R", "Head", "Hips", "Foot_L", "Foot_R"};
    static const char *const hinges[4] = {"Shin_L", "Shin_R", "ForeArm_L", "ForeArm_R"};
    for (int i = 0; i < BENCH_EFFECTORS; i++) {
        limbs->effectors[i] = sinew_ik_effector_default();
        limbs->effectors[i].node = sinew_skeleton_find(skeleton, names[i]);
        limbs->effectors[i].pin = i >= 4;
    }
    for (int i = 0; i < 4; i++) {
        limbs->hinges[i] =
            sinew_ik_limit_from_rest(skeleton, sinew_skeleton_find(skeleton, hinges[i]), SINEW_NO_NODE);
        limbs->hinges[i].kind = SINEW_IK_LIMIT_HINGE;
        limbs->hinges[i].axis = i < 2 ? knee : (sinew_vec3){0, 1, 0};
    }
    limbs->body = sinew_ik_body_default();
    limbs->body.root = limbs->effectors[3].node;
    limbs->body.effectors = limbs->effectors;
    limbs->body.effector_count = BENCH_EFFECTORS;
    limbs->body.limits = limbs->hinges;
    limbs->body.limit_count = 4;
}

static void prepare_steps(bench_limbs *limbs) {
    bench_random random = {11};
    for (int i = 0; i < BENCH_TARGETS; i++)
        limbs->steps[i] = sinew_vec3_scale(random_direction(&random), bench_random_float(&random, 0.0f, 0.2f));
}

// ---- Feet ----------------------------------------------------------------------------------------------------

static bool slope(sinew_vec3 position, sinew_foot_ground *ground, void *user) {
    (void)user;
    const sinew_vec3 normal = {-0.09950372f, 0.99503719f, 0.0f};
    *ground = (sinew_foot_ground){0.1f * position.x, normal};
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
            sinew_foot_from_rest(skeleton, leg[i][THIGH], leg[i][SHIN], leg[i][FOOT], leg[i][TOES], up);
        limbs->feet[i].leg.bend_axis = knee;
    }
    draw_targets(limbs, skeleton, leg[0]);
    limbs->placement = sinew_foot_placement_default();
    limbs->placement.pelvis = sinew_skeleton_find(skeleton, "Hips");
    limbs->placement.feet = limbs->feet;
    limbs->placement.foot_count = 2;
    limbs->placement.ground = slope;
    limbs->lock = sinew_foot_lock_default();
    limbs->lock.feet = limbs->feet;
    limbs->lock.foot_count = 2;
    limbs->lock.height = 1.0f; // in any pose
    prepare_chain(limbs, skeleton);
    prepare_body(limbs, skeleton);
    prepare_steps(limbs);
}

// ---- Warps ---------------------------------------------------------------------------------------------------

static void prepare_pose_warps(bench_limbs *limbs, const sinew_skeleton *skeleton) {
    limbs->orientation = sinew_orientation_warp_default();
    limbs->orientation.settle_time = 0.0f;
    limbs->orientation.hips = sinew_skeleton_find(skeleton, "Hips");
    int32_t spine[3] = {sinew_skeleton_find(skeleton, "Spine1"), sinew_skeleton_find(skeleton, "Spine2"),
                        sinew_skeleton_find(skeleton, "Spine3")};
    for (int i = 0; i < 3; i++) {
        if (spine[i] != SINEW_NO_NODE) limbs->orientation.spine[limbs->orientation.spine_count++] = spine[i];
    }
    limbs->stride = sinew_stride_warp_default();
    limbs->stride.pelvis = limbs->orientation.hips;
    limbs->stride.feet = limbs->feet;
    limbs->stride.foot_count = 2;
}

static bool prepare_aim_offset(bench_limbs *limbs, const bench_world *world) {
    static const float angles[3] = {-1, 0, 1};
    const sinew_clip *clips[9];
    for (int i = 0; i < 9; i++) clips[i] = world->clips[i % BENCH_POSED];
    sinew_aim_offset_def def = sinew_aim_offset_default();
    def.skeleton = world->skeleton;
    def.yaw_count = def.pitch_count = 3;
    def.yaws = def.pitches = angles;
    def.clips = clips;
    return sinew_aim_offset_create(&def, &limbs->aim_offset, NULL) == SINEW_OK;
}

static bool prepare_root_warp(bench_limbs *limbs, const bench_world *world) {
    limbs->root_motion = sinew_root_motion_default();
    limbs->root_motion.skeleton = world->skeleton;
    limbs->root_motion.node = sinew_skeleton_find(world->skeleton, "Hips");
    limbs->warp_def = sinew_root_warp_default();
    limbs->warp_def.clip = world->clips[0];
    limbs->warp_def.root_motion = &limbs->root_motion;
    limbs->warp_def.end = world->clips[0]->duration;
    limbs->warp_def.added_speed = 1.0f;
    sinew_root_warp_transform start = {{0, 0, 0}, {0, 0, 0, 1}}, goal = {{0.3f, 0, 0.5f}, {0, 0, 0, 1}};
    return sinew_root_warp_begin(&limbs->warp_def, 0.0f, start, goal, &limbs->warp, NULL) == SINEW_OK;
}

bench_limbs *bench_limbs_create(const bench_world *world) {
    bench_limbs *limbs = bench_allocate(1, sizeof *limbs);
    limbs->legs = bench_allocate(BENCH_TARGETS, sizeof *limbs->legs);
    limbs->heads = bench_allocate(BENCH_TARGETS, sizeof *limbs->heads);
    limbs->steps = bench_allocate(BENCH_TARGETS, sizeof *limbs->steps);
    for (int i = 0; i < BENCH_POSED; i++) {
        if (pose_one(&limbs->posed[i], world, i)) continue;
        bench_limbs_destroy(limbs);
        return NULL;
    }
    prepare(limbs, world->skeleton);
    prepare_pose_warps(limbs, world->skeleton);
    if (prepare_aim_offset(limbs, world) && prepare_root_warp(limbs, world)) return limbs;
    bench_limbs_destroy(limbs);
    return NULL;
}

void bench_limbs_destroy(bench_limbs *limbs) {
    if (!limbs) return;
    for (int i = 0; i < BENCH_POSED; i++) {
        sinew_pose_destroy(limbs->posed[i].pose);
        sinew_pose_destroy(limbs->posed[i].before);
        bench_release(limbs->posed[i].model);
        bench_release(limbs->posed[i].model_before);
    }
    sinew_aim_offset_destroy(limbs->aim_offset);
    bench_release(limbs->legs);
    bench_release(limbs->heads);
    bench_release(limbs->steps);
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
        sinew_ik_two_bone_solve(leg, one->pose, one->model);
        put_back(one, leg->upper);
        put_back(one, leg->lower);
    }
}

static void aim_heads(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        const bench_posed *one = &limbs->posed[i % BENCH_POSED];
        sinew_ik_aim_solve(&limbs->heads[i], one->pose, one->model);
        put_back(one, limbs->heads[i].node);
    }
}

static void place_feet(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        sinew_foot_placement_solve(&limbs->placement, 1.0f / 60.0f, &one->state, one->pose, one->model);
        put_all_back(one);
    }
}

static void lock_feet(bench_limbs *limbs, int32_t first, int32_t end) {
    static const float contacts[2] = {1.0f, 1.0f};
    sinew_affine world = sinew_affine_identity();
    for (int32_t i = first; i < end; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        world.m[2][3] = 0.1f * (float)i / BENCH_TARGETS;
        sinew_foot_lock_solve(&limbs->lock, &world, contacts, 1.0f / 60.0f, &one->locked, one->pose, one->model);
        put_all_back(one);
    }
}

static void turn_hips(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        sinew_orientation_warp_state state = {0};
        sinew_orientation_warp_solve(&limbs->orientation, 0.5f, 0.0f, &state, one->pose, one->model);
        put_all_back(one);
    }
}

static void scale_strides(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        sinew_stride_warp_solve(&limbs->stride, 1.2f, 1.0f / 60.0f, &one->stride, one->pose, one->model);
        put_all_back(one);
    }
}

static void add_aim_offset(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        bench_posed *one = &limbs->posed[i % BENCH_POSED];
        float yaw = 2.0f * (float)i / BENCH_TARGETS - 1.0f;
        sinew_aim_offset_apply(limbs->aim_offset, yaw, -yaw, 0.5f, one->pose, one->model);
        put_all_back(one);
    }
}

static void warp_root(bench_limbs *limbs, int32_t first, int32_t end) {
    float duration = limbs->warp_def.end, sum = 0.0f;
    for (int32_t i = first; i < end; i++) {
        float time = duration * (float)i / BENCH_TARGETS;
        sum += sinew_root_warp_delta(&limbs->warp_def, &limbs->warp, time, time + 1.0f / 60.0f).yaw;
    }
    limbs->posed[0].stride.velocity = sum; // makes it be computed
}

// Returns a node's position before the solve, moved by part of a step.
static sinew_vec3 moved_position(const bench_posed *one, int32_t node, sinew_vec3 step, float part) {
    const sinew_affine *model = &one->model_before[node];
    return sinew_vec3_add((sinew_vec3){model->m[0][3], model->m[1][3], model->m[2][3]},
                          sinew_vec3_scale(step, part));
}

static void solve_chains(bench_limbs *limbs, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        const bench_posed *one = &limbs->posed[i % BENCH_POSED];
        limbs->chain.target = moved_position(one, limbs->chain.tip, limbs->steps[i], 1.0f);
        sinew_ik_chain_solve(&limbs->chain, one->pose, one->model);
        for (int k = 0; k < BENCH_JOINTS; k++) put_back(one, limbs->limits[k].node);
    }
}

// Solves whole bodies. The hands move in opposite directions, and the head and hips less.
static void solve_bodies(bench_limbs *limbs, int32_t first, int32_t end) {
    static const float parts[4] = {1.0f, -1.0f, 0.3f, -0.2f};
    sinew_ik solver = {.kind = SINEW_IK_BODY, .body = limbs->body};
    for (int32_t i = first; i < end; i++) {
        const bench_posed *one = &limbs->posed[i % BENCH_POSED];
        for (int k = 0; k < 4; k++)
            limbs->effectors[k].target = moved_position(one, limbs->effectors[k].node, limbs->steps[i], parts[k]);
        sinew_ik_solve(&solver, 1, one->pose, one->model);
        put_all_back(one);
    }
}

void bench_limbs_solve(bench_limbs *limbs, bench_solver solver, int64_t count) {
    static void (*const solve[])(bench_limbs * limbs, int32_t first,
                                 int32_t end) = {[BENCH_TWO_BONE] = solve_legs,
                                                 [BENCH_AIM] = aim_heads,
                                                 [BENCH_FOOT] = place_feet,
                                                 [BENCH_FOOT_LOCK] = lock_feet,
                                                 [BENCH_ORIENTATION_WARP] = turn_hips,
                                                 [BENCH_STRIDE_WARP] = scale_strides,
                                                 [BENCH_AIM_OFFSET] = add_aim_offset,
                                                 [BENCH_ROOT_WARP] = warp_root,
                                                 [BENCH_CHAIN] = solve_chains,
                                                 [BENCH_BODY] = solve_bodies};
    while (count > 0) {
        int32_t left = BENCH_TARGETS - limbs->next, some = count < left ? (int32_t)count : left;
        solve[solver](limbs, limbs->next, limbs->next + some);
        limbs->next = (limbs->next + some) % BENCH_TARGETS;
        count -= some;
    }
}
