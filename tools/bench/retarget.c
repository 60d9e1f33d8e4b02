// SPDX-License-Identifier: MIT
// The measured skeleton's roles, a target with shorter legs, and the measured loop.
#include "bench/retarget.h"

#include "bench/memory.h"

#include <stdio.h>
#include <string.h>

// ---- The target ----------------------------------------------------------------------------------------------

// Copies a skeleton with translations scaled by 0.8, and by 0.7 below the hips.
static sinew_skeleton *make_target(const sinew_skeleton *source) {
    sinew_node_def *nodes = bench_allocate((size_t)source->node_count, sizeof *nodes);
    int32_t first_leg = sinew_skeleton_find(source, "Thigh_L");
    for (int32_t i = 0; i < source->node_count; i++) {
        float factor = strstr(source->names[i], "Thigh") || i > first_leg ? 0.7f : 0.8f;
        nodes[i] =
            (sinew_node_def){.name = source->names[i], .parent = source->parents[i], .rest = source->rest[i]};
        nodes[i].rest.translation = sinew_vec3_scale(nodes[i].rest.translation, factor);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = source->node_count;
    def.nodes = nodes;
    sinew_skeleton *target = NULL;
    sinew_skeleton_create(&def, &target, NULL);
    bench_release(nodes);
    return target;
}

// ---- Roles ---------------------------------------------------------------------------------------------------

static void set_role(sinew_humanoid *humanoid, const sinew_skeleton *skeleton, const char *role, const char *node) {
    humanoid->nodes[sinew_humanoid_find_role(role)] = sinew_skeleton_find(skeleton, node);
}

static sinew_humanoid roles_of(const sinew_skeleton *skeleton) {
    static const char *const middle[][2] = {{"hips", "Hips"},         {"spine", "Spine1"}, {"chest", "Spine2"},
                                            {"upperChest", "Spine3"}, {"neck", "Neck"},    {"head", "Head"}};
    static const char *const sides[][2] = {
        {"Shoulder", "Clavicle"}, {"UpperArm", "UpperArm"}, {"LowerArm", "ForeArm"}, {"Hand", "Hand"},
        {"UpperLeg", "Thigh"},    {"LowerLeg", "Shin"},     {"Foot", "Foot"},        {"Toes", "Toes"}};
    static const char *const fingers[] = {"Index", "Middle", "Ring", "Little"};
    static const char *const phalanges[] = {"Proximal", "Intermediate", "Distal"};
    sinew_humanoid humanoid = sinew_humanoid_empty();
    for (int i = 0; i < 6; i++) set_role(&humanoid, skeleton, middle[i][0], middle[i][1]);
    for (int side = 0; side < 2; side++) {
        const char *word = side ? "right" : "left";
        char role[64], node[64], letter = side ? 'R' : 'L';
        for (int i = 0; i < 8; i++) {
            snprintf(role, sizeof role, "%s%s", word, sides[i][0]);
            snprintf(node, sizeof node, "%s_%c", sides[i][1], letter);
            set_role(&humanoid, skeleton, role, node);
        }
        for (int i = 0; i < 12; i++) {
            snprintf(role, sizeof role, "%s%s%s", word, fingers[i / 3], phalanges[i % 3]);
            snprintf(node, sizeof node, "%s%d_%c", fingers[i / 3], i % 3 + 1, letter);
            set_role(&humanoid, skeleton, role, node);
        }
    }
    return humanoid;
}

// ---- The map and its poses -----------------------------------------------------------------------------------

static bool make_map(bench_retarget *r, const sinew_skeleton *source) {
    r->skeleton = make_target(source);
    if (!r->skeleton) return false;
    sinew_humanoid from = roles_of(source), to = roles_of(r->skeleton);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = source;
    def.target = r->skeleton;
    def.source_humanoid = &from;
    def.target_humanoid = &to;
    if (sinew_retarget_create(&def, &r->map, NULL) != SINEW_OK) return false;
    return sinew_pose_create(r->skeleton, NULL, &r->target) == SINEW_OK;
}

static bool make_poses(bench_retarget *r, const bench_world *world) {
    size_t count = (size_t)world->skeleton->node_count;
    r->model = bench_allocate(count, sizeof *r->model);
    for (int i = 0; i < BENCH_RETARGETED; i++) {
        r->source_models[i] = bench_allocate(count, sizeof *r->source_models[i]);
        if (sinew_pose_create(world->skeleton, NULL, &r->sources[i]) != SINEW_OK) return false;
        sinew_clip_sample(world->clips[i], 0.7f, r->sources[i]);
        sinew_pose_to_model(r->sources[i], r->source_models[i]);
    }
    return true;
}

bench_retarget *bench_retarget_create(const bench_world *world) {
    bench_retarget *r = bench_allocate(1, sizeof *r);
    if (make_map(r, world->skeleton) && make_poses(r, world)) return r;
    bench_retarget_destroy(r);
    return NULL;
}

void bench_retarget_destroy(bench_retarget *r) {
    if (!r) return;
    for (int i = 0; i < BENCH_RETARGETED; i++) {
        sinew_pose_destroy(r->sources[i]);
        bench_release(r->source_models[i]);
    }
    sinew_pose_destroy(r->target);
    bench_release(r->model);
    sinew_retarget_destroy(r->map);
    sinew_skeleton_destroy(r->skeleton);
    bench_release(r);
}

void bench_retarget_poses(bench_retarget *r, bool limbs, int64_t count) {
    for (; count > 0; count--) {
        int32_t i = r->next;
        r->next = (i + 1) % BENCH_RETARGETED;
        sinew_retarget_pose(r->map, r->sources[i], r->target);
        if (!limbs) continue;
        sinew_pose_to_model(r->target, r->model);
        sinew_retarget_limbs(r->map, r->source_models[i], r->target, r->model);
    }
}
