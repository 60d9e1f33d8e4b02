// SPDX-License-Identifier: MIT
// Random sets of spring chains: solving them in groups, one lane each, gives the same bits as chain by chain.
#include "support/random_rig.h"

#include <stdio.h>

enum { BODIES = 4, MAX_CHAINS = 40, MAX_STRAND = 12, MAX_NODES = BODIES + MAX_CHAINS * MAX_STRAND, COLLIDERS = 6 };

// ---- Random chains -------------------------------------------------------------------------------------------

// Bodies, and a strand of nodes for each chain, below a body or below a node of an earlier strand.
typedef struct forest {
    sinew_node_def nodes[MAX_NODES];
    char names[MAX_NODES][16];
    int32_t node_count;
    int32_t strands[MAX_CHAINS][MAX_STRAND]; // nodes of the skeleton
    int32_t lengths[MAX_CHAINS];
    sinew_skeleton *skeleton;
    sinew_spring_joint joints[MAX_CHAINS][MAX_STRAND];
    sinew_spring_chain chains[MAX_CHAINS];
    int32_t chain_count;
    sinew_spring_collider colliders[COLLIDERS];
    int32_t lists[MAX_CHAINS][COLLIDERS];
} forest;

static int32_t add_node(forest *f, uint64_t *random, int32_t parent) {
    const int32_t index = f->node_count++;
    snprintf(f->names[index], sizeof f->names[index], "n%d", (int)index);
    f->nodes[index] = (sinew_node_def){.name = f->names[index], .parent = parent};
    f->nodes[index].rest = sinew_transform_identity();
    f->nodes[index].rest.rotation = random_quat(random);
    for (int i = 0; i < 3; i++) (&f->nodes[index].rest.translation.x)[i] = random_float(random, -0.3f, 0.3f);
    return index;
}

static void make_skeleton(forest *f, uint64_t *random, bool nested) {
    for (int32_t i = 0; i < BODIES; i++) add_node(f, random, i - 1);
    for (int32_t c = 0; c < f->chain_count; c++) {
        const bool is_nested = nested && c > 0 && random_next(random) % 3 == 0;
        int32_t parent = draw_count(random, 0, BODIES - 1);
        if (is_nested) {
            const int32_t other = draw_count(random, 0, c - 1);
            parent = f->strands[other][draw_count(random, 0, f->lengths[other] - 1)];
        }
        f->lengths[c] = draw_count(random, 2, MAX_STRAND);
        for (int32_t i = 0; i < f->lengths[c]; i++) parent = f->strands[c][i] = add_node(f, random, parent);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = f->nodes;
    def.node_count = f->node_count;
    assert_int_equal(sinew_skeleton_create(&def, &f->skeleton, NULL), SINEW_OK);
    for (int32_t c = 0; c < f->chain_count; c++) {
        for (int32_t i = 0; i < f->lengths[c]; i++)
            f->strands[c][i] = sinew_skeleton_find(f->skeleton, f->names[f->strands[c][i]]);
    }
}

static int32_t draw_body(const forest *f, uint64_t *random) {
    return sinew_skeleton_find(f->skeleton, f->names[draw_count(random, 0, BODIES - 1)]);
}

static void draw_joint(uint64_t *random, sinew_spring_joint *joint) {
    joint->stiffness = random_float(random, 0, 60);
    joint->damping = random_next(random) % 3 ? random_float(random, 0, 1) : INFINITY;
    joint->drag = random_next(random) % 3 ? random_float(random, 0, 1) : INFINITY;
    joint->limit = random_next(random) % 2 ? random_float(random, 0.2f, 2) : 4;
    joint->radius = random_next(random) % 2 ? 0.03f : 0;
}

// Some of a strand's nodes aren't joints, so there are nodes between joints.
static void draw_chain(forest *f, uint64_t *random, int32_t c) {
    sinew_spring_chain *chain = &f->chains[c];
    *chain = sinew_spring_chain_default();
    chain->joints = f->joints[c];
    const bool has_gaps = random_next(random) % 4 == 0;
    for (int32_t i = 0; i < f->lengths[c]; i++) {
        if (i > 0 && has_gaps && random_next(random) % 3 == 0) continue;
        sinew_spring_joint *joint = &f->joints[c][chain->joint_count++];
        *joint = sinew_spring_joint_default();
        draw_joint(random, joint);
        joint->node = f->strands[c][i];
    }
    if (random_next(random) % 2) chain->tail = (sinew_vec3){0, 0.2f, 0.1f};
    if (random_next(random) % 3 == 0) chain->center = draw_body(f, random);
    chain->from_rest = random_next(random) % 2;
    chain->vrm = random_next(random) % 4 == 0;
    chain->weight = random_next(random) % 6 == 0 ? random_float(random, 0, 1) : random_next(random) % 9 > 0;
    chain->colliders = f->lists[c];
    chain->collider_count = random_next(random) % 2 ? draw_count(random, 0, COLLIDERS) : 0;
    for (int32_t i = 0; i < chain->collider_count; i++) f->lists[c][i] = draw_count(random, 0, COLLIDERS - 1);
}

static void draw_forest(forest *f, uint64_t *random, bool nested) {
    memset(f, 0, sizeof *f);
    f->chain_count = draw_count(random, 1, MAX_CHAINS);
    make_skeleton(f, random, nested);
    for (int32_t c = 0; c < f->chain_count; c++) draw_chain(f, random, c);
    for (int i = 0; i < COLLIDERS; i++) {
        f->colliders[i] = sinew_spring_collider_default();
        f->colliders[i].shape = (sinew_spring_shape)(i % 3);
        f->colliders[i].node = i == 5 ? SINEW_NO_NODE : draw_body(f, random);
        f->colliders[i].inside = i == 3;
        f->colliders[i].radius = i == 3 ? 1.5f : 0.15f;
        f->colliders[i].offset.y = i % 3 == 2 ? -1 : 0.1f;
        f->colliders[i].tail = (sinew_vec3){0.2f, 0.1f, 0.2f};
    }
}

// ---- Characters ----------------------------------------------------------------------------------------------

// The springs of `count` chains from `first`, and a state.
typedef struct swinging {
    sinew_springs *springs;
    sinew_spring_state *state;
} swinging;

static swinging make_swinging(const forest *f, int32_t first, int32_t count) {
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = f->skeleton;
    def.chains = f->chains + first;
    def.chain_count = count;
    def.colliders = f->colliders;
    def.collider_count = COLLIDERS;
    swinging s;
    sinew_error error = {0};
    if (sinew_springs_create(&def, &s.springs, &error) != SINEW_OK) fail_msg("%s", error.message);
    s.state = malloc(sinew_springs_state_size(s.springs));
    sinew_springs_reset(s.springs, s.state);
    return s;
}

static void end_swinging(swinging *s) {
    sinew_springs_destroy(s->springs);
    free(s->state);
}

// Bodies rotate and are scaled, sometimes mirrored; joints rotate a little. Every tenth frame repeats the pose.
static void draw_pose(const forest *f, uint64_t *random, sinew_pose *pose) {
    for (int32_t i = 0; i < f->skeleton->node_count; i++) {
        sinew_transform t = f->skeleton->rest[i];
        const sinew_quat turned = {random_float(random, -0.1f, 0.1f), random_float(random, -0.1f, 0.1f), 0, 1};
        t.rotation = sinew_quat_normalize(sinew_quat_multiply(t.rotation, turned));
        if (random_next(random) % 20 == 0)
            t.scale = (sinew_vec3){random_next(random) % 2 ? -1.0f : 1.0f, 1.2f, 0.9f};
        sinew_pose_set(pose, i, t);
    }
}

// Changes the input, and returns the time step.
static float draw_input(uint64_t *random, sinew_springs_input *input) {
    float dt = random_next(random) % 3 ? 1.0f / 60 : random_float(random, 0, 0.05f);
    if (random_next(random) % 20 == 0) dt = 3;
    const float far = random_next(random) % 10 == 0 ? 20.0f : 0.05f;
    for (int i = 0; i < 3; i++) input->world.m[i][3] += random_float(random, -far, far);
    input->wind = (sinew_vec3){random_float(random, -3, 3), 0, random_float(random, -3, 3)};
    return dt;
}

// All chains in one definition, against a definition for each: earlier chains may move later ones, as in the skeleton.
static void check_forest(uint64_t seed, bool nested) {
    static forest f;
    uint64_t random = seed;
    draw_forest(&f, &random, nested);
    swinging all = make_swinging(&f, 0, f.chain_count), each[MAX_CHAINS];
    for (int32_t c = 0; c < f.chain_count; c++) each[c] = make_swinging(&f, c, 1);
    sinew_pose *together, *apart;
    assert_int_equal(sinew_pose_create(f.skeleton, NULL, &together), SINEW_OK);
    assert_int_equal(sinew_pose_create(f.skeleton, NULL, &apart), SINEW_OK);
    static sinew_affine model[MAX_NODES], other[MAX_NODES];
    sinew_springs_input input = sinew_springs_input_default();
    for (int frame = 0; frame < 30; frame++) {
        draw_pose(&f, &random, together);
        sinew_pose_copy(apart, together);
        const float dt = draw_input(&random, &input);
        sinew_pose_to_model(together, model);
        sinew_pose_to_model(apart, other);
        sinew_springs_solve(all.springs, &input, dt, all.state, together, model);
        for (int32_t c = 0; c < f.chain_count; c++)
            sinew_springs_solve(each[c].springs, &input, dt, each[c].state, apart, other);
        assert_int_equal(add_bits_of_pose(BITS_NONE, together), add_bits_of_pose(BITS_NONE, apart));
        assert_memory_equal(model, other, (size_t)f.skeleton->node_count * sizeof *model);
        sinew_pose_to_model(together, other);
        assert_memory_equal(model, other, (size_t)f.skeleton->node_count * sizeof *model);
    }
    end_swinging(&all);
    for (int32_t c = 0; c < f.chain_count; c++) end_swinging(&each[c]);
    sinew_pose_destroy(together);
    sinew_pose_destroy(apart);
    sinew_skeleton_destroy(f.skeleton);
}

// ---- Tests ---------------------------------------------------------------------------------------------------

static void test_chains_side_by_side(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) check_forest(seed, false);
}

static void test_chains_that_move_others(void **state) {
    (void)state;
    for (uint64_t seed = 101; seed <= 160; seed++) check_forest(seed, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains_side_by_side),
        cmocka_unit_test(test_chains_that_move_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
