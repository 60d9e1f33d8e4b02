// SPDX-License-Identifier: MIT
// Fuzzes a humanoid map file for a skeleton. It's refused, or its nodes belong to the skeleton, each once. Then it's
// written and read back equal, including chains, and makes maps for retargeting and mirroring.
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 16384 };

static void fail(const char *fault) {
    fprintf(stderr, "%s\n", fault);
    abort();
}

// A T-pose of a few joints: names that several nodes have, and one with characters that JSON escapes.
static sinew_skeleton *make_skeleton(void) {
    static const sinew_vec3 up = {0, 0.3f, 0}, down = {0, -0.4f, 0}, left = {0.2f, 0, 0}, right = {-0.2f, 0, 0};
    const struct {
        const char *name;
        int32_t parent;
        sinew_vec3 position;
    } rows[] = {{"Root", -1, {0, 0, 0}},
                {"Hips", 0, up},
                {"Spine", 1, up},
                {"Head", 2, up},
                {"Arm_L", 2, left},
                {"Hand_L", 4, left},
                {"Arm_R", 2, right},
                {"Hand_R", 6, right},
                {"Leg_L", 1, left},
                {"Shin_L", 8, down},
                {"Leg_R", 1, right},
                {"Shin_R", 10, down},
                {"twice", 9, down},
                {"twice", 11, down},
                {"a\"b\\\n\xc3\xa9", 3, up},
                {"#2", 3, up}};
    enum { COUNT = sizeof rows / sizeof rows[0] };
    sinew_node_def nodes[COUNT];
    for (int i = 0; i < COUNT; i++) {
        nodes[i] =
            (sinew_node_def){.name = rows[i].name, .parent = rows[i].parent, .rest = sinew_transform_identity()};
        nodes[i].rest.translation = rows[i].position;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = COUNT;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    if (sinew_skeleton_create(&def, &skeleton, NULL) != SINEW_OK) fail("no skeleton");
    return skeleton;
}

static void check_writing(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid) {
    static char text[MOST_TEXT];
    sinew_humanoid again;
    const size_t size = sinew_humanoid_write(skeleton, humanoid, NULL, text, sizeof text);
    if (size >= sizeof text) fail("a map that is too long");
    if (sinew_humanoid_read_memory(text, size, skeleton, NULL, &again, NULL, NULL) != SINEW_OK)
        fail("a map is not read back");
    if (memcmp(again.nodes, humanoid->nodes, sizeof again.nodes) != 0) fail("a map reads back to other roles");
}

static void check_chain(const sinew_skeleton *skeleton, const sinew_humanoid_chain *chain) {
    if (chain->node_count < 1 || chain->name[0] == '\0') fail("an empty chain");
    for (int32_t i = 0; i < chain->node_count; i++) {
        const int32_t node = chain->nodes[i], above = i > 0 ? chain->nodes[i - 1] : SINEW_NO_NODE;
        if (node < 0 || node >= skeleton->node_count) fail("a chain without a node");
        if (i > 0 && (node <= above || node >= skeleton->subtree_ends[above])) fail("a chain that isn't one");
    }
}

static void check_equal(const sinew_humanoid_chains *a, const sinew_humanoid_chains *b) {
    if (a->count != b->count) fail("chains read back to another number");
    for (int32_t i = 0; i < a->count; i++) {
        const sinew_humanoid_chain *first = &a->chains[i], *second = &b->chains[i];
        if (strcmp(first->name, second->name) != 0 || first->node_count != second->node_count ||
            memcmp(first->nodes, second->nodes, (size_t)first->node_count * sizeof *first->nodes) != 0)
            fail("chains read back to others");
    }
}

// Checks the chains of a map, with its roles: read, written and read back, and used for retargeting.
static void check_chains(const uint8_t *data, size_t size, const sinew_skeleton *skeleton) {
    static char text[MOST_TEXT];
    sinew_humanoid_chains *chains, *again;
    if (sinew_humanoid_read_memory((const char *)data, size, skeleton, NULL, NULL, &chains, NULL) != SINEW_OK)
        fail("roles without chains");
    for (int32_t i = 0; i < chains->count; i++) check_chain(skeleton, &chains->chains[i]);
    const size_t length = sinew_humanoid_write(skeleton, NULL, chains, text, sizeof text);
    if (length < sizeof text) { // names may be long
        if (sinew_humanoid_read_memory(text, length, skeleton, NULL, NULL, &again, NULL) != SINEW_OK)
            fail("chains are not read back");
        check_equal(chains, again);
        sinew_humanoid_chains_destroy(again);
    }
    sinew_retarget_def def = sinew_retarget_default();
    sinew_retarget *map;
    def.source = def.target = skeleton;
    def.source_chains = def.target_chains = chains;
    if (sinew_retarget_create(&def, &map, NULL) != SINEW_OK) fail("chains without a map");
    sinew_retarget_destroy(map);
    sinew_humanoid_chains_destroy(chains);
}

static void check_maps(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid) {
    sinew_error error = {SINEW_OK, ""};
    sinew_mirror_def mirror_def = sinew_mirror_default();
    mirror_def.skeleton = skeleton;
    mirror_def.humanoid = humanoid;
    sinew_mirror *mirror;
    const sinew_result mirrored = sinew_mirror_create(&mirror_def, &mirror, &error);
    if (mirrored != SINEW_OK && mirrored != SINEW_ERROR_ARGUMENT && mirrored != SINEW_ERROR_UNSUPPORTED)
        fail("mirror");
    sinew_mirror_destroy(mirror);
    sinew_retarget_def def = sinew_retarget_default();
    def.source = def.target = skeleton;
    def.source_humanoid = def.target_humanoid = humanoid;
    sinew_retarget *map;
    const sinew_result retargeted = sinew_retarget_create(&def, &map, &error);
    if (retargeted != SINEW_OK && retargeted != SINEW_ERROR_ARGUMENT) fail("retarget");
    sinew_retarget_destroy(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static sinew_skeleton *skeleton;
    if (!skeleton) skeleton = make_skeleton();
    sinew_humanoid humanoid = sinew_humanoid_empty();
    sinew_error error = {SINEW_OK, ""};
    const sinew_result result =
        sinew_humanoid_read_memory((const char *)data, size, skeleton, NULL, &humanoid, NULL, &error);
    if (result != SINEW_OK) {
        if (result != SINEW_ERROR_FORMAT || strlen(error.message) < 5 || strchr(error.message, '\n'))
            fail(error.message);
        return 0;
    }
    sinew_humanoid_report report;
    if (sinew_humanoid_check(skeleton, SINEW_UP_Y, &humanoid, &report, NULL) != SINEW_OK)
        fail("a role without a node");
    if (!(report.score >= 0.0f && report.score <= 1.0f)) fail("a score out of range");
    check_writing(skeleton, &humanoid);
    check_chains(data, size, skeleton);
    check_maps(skeleton, &humanoid);
    return 0;
}
