// SPDX-License-Identifier: MIT
// The measured skeletons, as a table of joint chains.
#include "bench/rig.h"

#include "bench/memory.h"

#include <sinew/pose.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MAX_JOINTS = 200, NAME_ROOM = 32 };

// A chain of `count` joints, starting at an existing joint. If there are several, their names get numbers: Spine1.
typedef struct chain {
    const char *name, *parent;
    int count;
    sinew_vec3 step; // meters from each joint to the next
} chain;

static const chain trunk[] = {
    {"Hips", "", 1, {0, 1.0f, 0}},
    {"Spine", "Hips", 3, {0, 0.14f, 0}},
    {"Neck", "Spine3", 1, {0, 0.16f, 0}},
    {"Head", "Neck", 1, {0, 0.12f, 0}},
};

// The left side. The right side is its mirror image.
static const chain side[] = {
    {"Clavicle", "Spine3", 1, {0.06f, 0.1f, 0}},
    {"UpperArm", "Clavicle", 1, {0.14f, 0, 0}},
    {"UpperArmTwist", "UpperArm", 1, {0.13f, 0, 0}},
    {"ForeArm", "UpperArm", 1, {0.27f, 0, 0}},
    {"ForeArmTwist", "ForeArm", 1, {0.12f, 0, 0}},
    {"Hand", "ForeArm", 1, {0.25f, 0, 0}},
    {"Thumb", "Hand", 3, {0.03f, 0, 0.02f}},
    {"Index", "Hand", 3, {0.04f, 0, 0.01f}},
    {"Middle", "Hand", 3, {0.04f, 0, 0}},
    {"Ring", "Hand", 3, {0.04f, 0, -0.01f}},
    {"Little", "Hand", 3, {0.03f, 0, -0.015f}},
    {"Thigh", "Hips", 1, {0.1f, -0.05f, 0}},
    {"ThighTwist", "Thigh", 1, {0, -0.2f, 0}},
    {"Shin", "Thigh", 1, {0, -0.43f, 0}},
    {"ShinTwist", "Shin", 1, {0, -0.2f, 0}},
    {"Foot", "Shin", 1, {0, -0.42f, 0}},
    {"Toes", "Foot", 1, {0, -0.06f, 0.13f}},
};

typedef struct rig {
    sinew_node_def nodes[MAX_JOINTS];
    char names[MAX_JOINTS][NAME_ROOM];
    int32_t count;
} rig;

static int32_t find(const rig *r, const char *name) {
    for (int32_t i = 0; i < r->count; i++) {
        if (strcmp(r->names[i], name) == 0) return i;
    }
    return SINEW_NO_NODE;
}

static int32_t add_joint(rig *r, const char *name, int32_t parent, sinew_vec3 step) {
    assert(r->count < MAX_JOINTS);
    int32_t joint = r->count++;
    snprintf(r->names[joint], NAME_ROOM, "%s", name);
    r->nodes[joint] =
        (sinew_node_def){.name = r->names[joint], .parent = parent, .rest = sinew_transform_identity()};
    r->nodes[joint].rest.translation = step;
    return joint;
}

static void add_chain(rig *r, const chain *c, const char *ending, bool mirror) {
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "%.16s%.2s", c->parent, ending);
    int32_t parent = find(r, name);
    if (parent == SINEW_NO_NODE) parent = find(r, c->parent); // a side's parent may be in the trunk
    sinew_vec3 step = c->step;
    if (mirror) step.x = -step.x;
    for (int i = 1; i <= c->count; i++) {
        if (c->count == 1) {
            snprintf(name, sizeof name, "%.16s%.2s", c->name, ending);
        } else {
            snprintf(name, sizeof name, "%.16s%d%.2s", c->name, i, ending);
        }
        parent = add_joint(r, name, parent, step);
    }
}

// Adds seven locks of hair, eight coat panels and 28 face joints: 140 joints.
static void add_extras(rig *r) {
    char name[NAME_ROOM];
    for (int i = 0; i < 7; i++) {
        snprintf(name, sizeof name, "Hair%c", 'A' + i);
        add_chain(r, &(chain){name, "Head", 8, {0.01f * (float)(i - 3), -0.04f, -0.02f}}, "", false);
    }
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "Coat%c", 'A' + i);
        add_chain(r, &(chain){name, "Hips", 7, {0.02f * (float)(i - 4), -0.09f, 0.01f}}, "", false);
    }
    for (int i = 0; i < 28; i++) {
        snprintf(name, sizeof name, "Face%d", i);
        add_joint(r, name, find(r, "Head"), (sinew_vec3){0.01f * (float)(i % 7 - 3), 0.02f * (float)(i % 4), 0.1f});
    }
}

sinew_skeleton *bench_rig_create(int32_t joint_count) {
    assert(joint_count == 60 || joint_count == 200);
    rig *r = bench_allocate(1, sizeof *r);
    for (size_t i = 0; i < sizeof trunk / sizeof *trunk; i++) add_chain(r, &trunk[i], "", false);
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) add_chain(r, &side[i], "_L", false);
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) add_chain(r, &side[i], "_R", true);
    if (joint_count > r->count) add_extras(r);
    assert(r->count == joint_count);

    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = r->count;
    def.nodes = r->nodes;
    sinew_skeleton *skeleton = NULL;
    sinew_skeleton_create(&def, &skeleton, NULL);
    bench_release(r);
    return skeleton;
}

sinew_skin *bench_rig_bind(const sinew_skeleton *skeleton) {
    size_t count = (size_t)skeleton->node_count;
    sinew_affine *model = bench_allocate(count, sizeof *model);
    int32_t *joints = bench_allocate(count, sizeof *joints);
    sinew_pose *rest = NULL;
    sinew_skin *skin = NULL;
    if (sinew_pose_create(skeleton, NULL, &rest) == SINEW_OK) {
        sinew_pose_to_model(rest, model);
        for (size_t i = 0; i < count; i++) {
            joints[i] = (int32_t)i;
            model[i] = sinew_affine_inverse(model[i]);
        }
        sinew_skin_def def = sinew_skin_default();
        def.skeleton = skeleton;
        def.joint_count = skeleton->node_count;
        def.joints = joints;
        def.inverse_binds = model;
        sinew_skin_create(&def, &skin, NULL);
    }
    sinew_pose_destroy(rest);
    bench_release(joints);
    bench_release(model);
    return skin;
}
