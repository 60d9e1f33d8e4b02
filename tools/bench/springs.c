// SPDX-License-Identifier: MIT
// Hair and a coat on springs.
#include "bench/springs.h"

#include "bench/memory.h"

#include <stdio.h>

enum { HAIR = 7, COAT = 8, HAIR_JOINTS = 8, COAT_JOINTS = 7, CHAINS = HAIR + COAT, COLLIDERS = 3 };

typedef struct definition {
    sinew_spring_joint joints[CHAINS][HAIR_JOINTS];
    sinew_spring_chain chains[CHAINS];
    sinew_spring_collider colliders[COLLIDERS];
} definition;

static void set_chain(definition *d, const sinew_skeleton *skeleton, int32_t index, const char *name,
                      int32_t count) {
    int32_t node = sinew_skeleton_find(skeleton, name);
    for (int32_t i = 0; i < count; i++) { // a chain's nodes are consecutive
        d->joints[index][i] = sinew_spring_joint_default();
        d->joints[index][i].node = node + i;
        d->joints[index][i].radius = 0.02f;
    }
    d->chains[index] = sinew_spring_chain_default();
    d->chains[index].joints = d->joints[index];
    d->chains[index].joint_count = count;
}

static void set_colliders(definition *d, const sinew_skeleton *skeleton) {
    static const char *const names[COLLIDERS] = {"Head", "Thigh_L", "Thigh_R"};
    static const int32_t of_hair[1] = {0}, of_coat[2] = {1, 2};
    for (int i = 0; i < COLLIDERS; i++) {
        d->colliders[i] = sinew_spring_collider_default();
        d->colliders[i].node = sinew_skeleton_find(skeleton, names[i]);
        d->colliders[i].radius = 0.1f;
        d->colliders[i].shape = i > 0 ? SINEW_SPRING_SHAPE_CAPSULE : SINEW_SPRING_SHAPE_SPHERE;
        d->colliders[i].tail = (sinew_vec3){0, -0.4f, 0};
    }
    for (int i = 0; i < CHAINS; i++) {
        d->chains[i].colliders = i < HAIR ? of_hair : of_coat;
        d->chains[i].collider_count = i < HAIR ? 1 : 2;
    }
}

static bool make_springs(bench_springs *b, const sinew_skeleton *skeleton, bool colliders) {
    definition d;
    char name[16];
    for (int i = 0; i < CHAINS; i++) {
        const bool is_hair = i < HAIR;
        snprintf(name, sizeof name, "%s%c1", is_hair ? "Hair" : "Coat", 'A' + (is_hair ? i : i - HAIR));
        set_chain(&d, skeleton, i, name, is_hair ? HAIR_JOINTS : COAT_JOINTS);
    }
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = skeleton;
    def.chains = d.chains;
    def.chain_count = CHAINS;
    if (colliders) {
        set_colliders(&d, skeleton);
        def.colliders = d.colliders;
        def.collider_count = COLLIDERS;
    }
    return sinew_springs_create(&def, &b->springs, NULL) == SINEW_OK;
}

static bool make_characters(bench_springs *b, const bench_world *world) {
    if (sinew_pose_create(world->skeleton, NULL, &b->pose) != SINEW_OK) return false;
    for (int i = 0; i < BENCH_SWAYING; i++) {
        b->states[i] = bench_allocate(1, sinew_springs_state_size(b->springs));
        b->models[i] = bench_allocate((size_t)world->skeleton->node_count, sizeof *b->models[i]);
        if (sinew_pose_create(world->skeleton, NULL, &b->poses[i]) != SINEW_OK) return false;
        sinew_clip_sample(world->clips[i], 0.7f, b->poses[i]);
        sinew_pose_to_model(b->poses[i], b->models[i]);
        sinew_springs_reset(b->springs, b->states[i]);
    }
    return true;
}

bench_springs *bench_springs_create(const bench_world *world, bool colliders) {
    bench_springs *b = bench_allocate(1, sizeof *b);
    if (make_springs(b, world->skeleton, colliders) && make_characters(b, world)) return b;
    bench_springs_destroy(b);
    return NULL;
}

void bench_springs_destroy(bench_springs *b) {
    if (!b) return;
    for (int i = 0; i < BENCH_SWAYING; i++) {
        bench_release(b->states[i]);
        bench_release(b->models[i]);
        sinew_pose_destroy(b->poses[i]);
    }
    sinew_pose_destroy(b->pose);
    sinew_springs_destroy(b->springs);
    bench_release(b);
}

void bench_springs_solve(bench_springs *b, int64_t count) {
    sinew_springs_input input = sinew_springs_input_default();
    for (; count > 0; count--) {
        const int32_t i = b->next;
        b->next = (i + 1) % BENCH_SWAYING;
        b->frame += i == 0;
        const float sway = 0.02f * (float)(b->frame % 50); // the character moves, and turns back at once
        input.world.m[0][3] = b->frame / 50 % 2 ? 1.0f - sway : sway;
        sinew_pose_copy(b->pose, b->poses[i]);
        sinew_springs_solve(b->springs, &input, 1.0f / 60.0f, b->states[i], b->pose, b->models[i]);
    }
}
