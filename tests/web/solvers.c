// SPDX-License-Identifier: MIT
// Solves springs, a chain and a body, and writes the results that the package must also get: solvers SPRITE HERO
// FRAMES. Each line is a frame: the hash of the model matrices, first the avatar's and then the hero's.
#include <sinew/all.h>

#include "../support/avatar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(sinew_result result, const sinew_error *error) {
    if (result == SINEW_OK) return;
    fprintf(stderr, "%s\n", error ? error->message : "out of memory");
    exit(1);
}

static uint32_t hash_of(const void *data, size_t size) {
    const unsigned char *bytes = (const unsigned char *)data;
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 16777619;
    return hash;
}

// ---- The character ---------------------------------------------------------------------------------------------

typedef struct character {
    sinew_asset *asset;
    sinew_mixer *mixer;
    sinew_springs *springs;
    sinew_spring_state *state;
    sinew_affine *model;
} character;

static void load(character *c, const char *path) {
    sinew_error error;
    check(sinew_gltf_load_file(path, with_avatars(), &c->asset, &error), &error);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = c->asset->skeleton;
    check(sinew_mixer_create(&def, &c->mixer, NULL), NULL);
    sinew_mixer_update(c->mixer, 0.0f); // as the package's
    c->model = malloc((size_t)c->asset->skeleton->node_count * sizeof *c->model);
    if (!c->model) check(SINEW_ERROR_OUT_OF_MEMORY, NULL);
}

static void start_springs(character *c) {
    c->state = malloc(sinew_springs_state_size(c->springs));
    if (!c->state) check(SINEW_ERROR_OUT_OF_MEMORY, NULL);
    sinew_springs_reset(c->springs, c->state);
}

static void unload(character *c) {
    sinew_springs_destroy(c->springs);
    sinew_mixer_destroy(c->mixer);
    sinew_asset_destroy(c->asset);
    free(c->state);
    free(c->model);
}

static int32_t node(const character *c, const char *name) {
    return sinew_skeleton_find(c->asset->skeleton, name);
}

// The time step, the position and the wind of a frame. All are exact in single precision.
static float dt_of(int frame) {
    static const float steps[] = {0.015625f, 0.015625f, 0.03125f, 0.0f, 0.015625f, 0.0078125f};
    return steps[frame % 6];
}

static sinew_springs_input input_of(int frame) {
    sinew_springs_input input = sinew_springs_input_default();
    const int phase = frame % 128;
    input.world.m[0][3] = (float)(phase < 64 ? phase : 128 - phase) / 64.0f;
    input.world.m[2][3] = frame % 256 > 250 ? 8.0f : 0.0f; // a teleport
    input.wind = (sinew_vec3){(float)(frame % 90 - 30) / 16.0f, 0.0f, 0.5f};
    input.weight = frame % 200 < 180 ? 1.0f : 0.5f;
    return input;
}

static void solve_springs(character *c, int frame) {
    const sinew_springs_input input = input_of(frame);
    sinew_pose *pose = sinew_mixer_edit_pose(c->mixer);
    sinew_pose_to_model(pose, c->model);
    sinew_springs_solve(c->springs, &input, dt_of(frame), c->state, pose, c->model);
    sinew_mixer_finish_pose(c->mixer);
}

static void write_hash(const character *c) {
    const size_t size = (size_t)c->asset->skeleton->node_count * sizeof(sinew_affine);
    printf("%08" PRIx32, hash_of(sinew_mixer_model_matrices(c->mixer), size));
}

// ---- The hero --------------------------------------------------------------------------------------------------

static void make_springs(character *c) {
    static const char *const names[2][3] = {{"Hair1", "Hair2", "Hair3"}, {"Scarf1", "Scarf2", "Scarf3"}};
    sinew_spring_joint joints[2][3];
    sinew_spring_chain chains[2];
    const int32_t indices[] = {0, 1};
    for (int i = 0; i < 2; i++) {
        chains[i] = sinew_spring_chain_default();
        for (int k = 0; k < 3; k++) {
            joints[i][k] = sinew_spring_joint_default();
            joints[i][k].node = node(c, names[i][k]);
            joints[i][k].stiffness = i == 0 ? 8.0f : 3.0f;
            joints[i][k].radius = 0.02f;
        }
        chains[i].joints = joints[i];
        chains[i].joint_count = 3;
        chains[i].tail = (sinew_vec3){0.0f, 0.125f, 0.0f};
        chains[i].colliders = indices;
        chains[i].collider_count = 2;
        chains[i].from_rest = i == 0;
    }
    joints[1][2].damping = INFINITY;
    joints[1][2].limit = 0.5f;
    chains[1].center = node(c, "Hips");
    sinew_spring_collider colliders[] = {sinew_spring_collider_default(), sinew_spring_collider_default()};
    colliders[0].node = node(c, "Head");
    colliders[0].offset = (sinew_vec3){0.0f, 0.125f, 0.0f};
    colliders[0].radius = 0.125f;
    colliders[1].shape = SINEW_SPRING_SHAPE_CAPSULE;
    colliders[1].node = node(c, "UpperChest");
    colliders[1].tail = (sinew_vec3){0.0f, 0.25f, 0.0f};
    colliders[1].radius = 0.125f;
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = c->asset->skeleton;
    def.chains = chains;
    def.chain_count = 2;
    def.colliders = colliders;
    def.collider_count = 2;
    sinew_error error;
    check(sinew_springs_create(&def, &c->springs, &error), &error);
}

static void solve_body(character *c, int frame) {
    static const char *const names[] = {"Hips", "Hand_L", "Foot_L", "Foot_R", "Head"};
    sinew_ik_effector effectors[5];
    for (int i = 0; i < 5; i++) {
        effectors[i] = sinew_ik_effector_default();
        effectors[i].node = node(c, names[i]);
        effectors[i].pin = i == 2 || i == 3;
    }
    effectors[0].position_weight = 0.0f;
    effectors[1].target = (sinew_vec3){0.25f, 1.0f + (float)(frame % 64) / 128.0f, 0.375f};
    effectors[4].position_weight = 0.0f;
    effectors[4].rotation_weight = 0.5f;
    effectors[4].rotation = (sinew_quat){0.0f, 0.0f, 0.0f, 1.0f};
    effectors[4].pull = 0.25f;
    sinew_ik_limit limit = sinew_ik_limit_from_rest(c->asset->skeleton, node(c, "Spine"), node(c, "Chest"));
    limit.kind = SINEW_IK_LIMIT_CONE;
    limit.cone = 0.5f;
    limit.stiffness = 0.25f;
    sinew_ik_body body = sinew_ik_body_default();
    body.root = node(c, "Hips");
    body.effectors = effectors;
    body.effector_count = 5;
    body.limits = &limit;
    body.limit_count = 1;
    body.root_stiffness = 0.25f;
    sinew_pose *pose = sinew_mixer_edit_pose(c->mixer);
    sinew_pose_to_model(pose, c->model);
    sinew_ik_body_solve(&body, pose, c->model);
    sinew_mixer_finish_pose(c->mixer);
}

static void solve_chain(character *c, int frame) {
    static const sinew_ik_chain_method methods[] = {SINEW_IK_CHAIN_METHOD_LEAST_SQUARES,
                                                    SINEW_IK_CHAIN_METHOD_FABRIK, SINEW_IK_CHAIN_METHOD_CCD};
    sinew_ik_limit limit = sinew_ik_limit_from_rest(c->asset->skeleton, node(c, "LowerArm_R"), node(c, "Hand_R"));
    limit.kind = SINEW_IK_LIMIT_HINGE;
    limit.axis = (sinew_vec3){1.0f, 0.0f, 0.0f};
    limit.angle_min = -2.5f;
    limit.angle_max = 0.0f;
    sinew_ik_chain chain = sinew_ik_chain_from_rest(c->asset->skeleton, node(c, "UpperArm_R"), node(c, "Hand_R"));
    chain.limits = &limit;
    chain.limit_count = 1;
    chain.method = methods[frame / 100 % 3];
    chain.target = (sinew_vec3){-0.25f, 1.25f, 0.25f + (float)(frame % 32) / 128.0f};
    chain.pole = (sinew_vec3){-1.0f, 0.5f, 0.0f};
    chain.pole_weight = 0.5f;
    chain.softness = 0.125f;
    chain.weight = 0.75f;
    chain.restarts = 2;
    sinew_pose *pose = sinew_mixer_edit_pose(c->mixer);
    sinew_pose_to_model(pose, c->model);
    sinew_ik_chain_solve(&chain, pose, c->model);
    sinew_mixer_finish_pose(c->mixer);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    character sprite = {NULL, NULL, NULL, NULL, NULL}, hero = sprite;
    load(&sprite, argv[1]);
    check(sinew_springs_create_from_vrm(sprite.asset->vrm, NULL, &sprite.springs), NULL);
    start_springs(&sprite);
    load(&hero, argv[2]);
    make_springs(&hero);
    start_springs(&hero);
    sinew_mixer_play(hero.mixer, sinew_clip_source(sinew_asset_find_clip(hero.asset, "Walk")), NULL);
    const long frames = strtol(argv[3], NULL, 10);
    for (int frame = 0; frame < frames; frame++) {
        sinew_mixer_update(sprite.mixer, dt_of(frame));
        solve_springs(&sprite, frame);
        write_hash(&sprite);
        sinew_mixer_update(hero.mixer, dt_of(frame));
        solve_body(&hero, frame);
        solve_chain(&hero, frame);
        solve_springs(&hero, frame);
        printf(" ");
        write_hash(&hero);
        printf("\n");
    }
    unload(&sprite);
    unload(&hero);
    return 0;
}
