// SPDX-License-Identifier: MIT
// Poses: reading, copying, blending, adding, and model matrices.
#include "support/check.h"

// Nodes of every kind in one chain: rotated, scaled, some of them joints of nothing.
static sinew_skeleton *make_bent_chain(void) {
    sinew_node_def nodes[20];
    uint64_t random = 5;
    for (int32_t i = 0; i < 20; i++) {
        nodes[i] = (sinew_node_def){.name = "", .parent = i - 1 - (i % 3 == 2), .rest = sinew_transform_identity()};
        nodes[i].rest.translation = (sinew_vec3){random_float(&random, -1, 1), 1, random_float(&random, -1, 1)};
        nodes[i].rest.rotation = random_quat(&random);
        nodes[i].rest.scale = (sinew_vec3){random_float(&random, 0.8f, 1.2f), 1, random_float(&random, 0.8f, 1.2f)};
        nodes[i].weight_count = i == 7 ? 20 : 0;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.nodes = nodes;
    def.node_count = 20;
    sinew_skeleton *s;
    assert_int_equal(sinew_skeleton_create(&def, &s, NULL), SINEW_OK);
    return s;
}

static void test_a_new_pose_is_the_rest_pose(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain();
    sinew_pose *pose;
    counting c = {0};
    sinew_allocator allocator = counting_allocator(&c);
    assert_int_equal(sinew_pose_create(s, &allocator, &pose), SINEW_OK);
    for (int32_t i = 0; i < s->node_count; i++) {
        sinew_transform t = sinew_pose_get(pose, i);
        assert_memory_equal(&t, &s->rest[i], sizeof t);
    }
    assert_int_equal((uintptr_t)pose->tx % 64, 0);
    assert_int_equal((uintptr_t)pose->rw % 64, 0);
    assert_true(pose->rw[31] == 1 && pose->sx[31] == 1 && pose->tx[31] == 0); // padding is harmless
    sinew_pose_destroy(pose);
    assert_int_equal(c.live, 0);
    c.fail_at = 1, c.allocations = 0;
    assert_int_equal(sinew_pose_create(s, &allocator, &pose), SINEW_ERROR_OUT_OF_MEMORY);
    assert_null(pose);
    sinew_pose_destroy(NULL);
    sinew_skeleton_destroy(s);
}

static void test_model_matrices_multiply_down_the_chain(void **state) {
    (void)state; // pitfall 2: every node takes part, joint or not
    sinew_skeleton *s = make_bent_chain();
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    sinew_affine model[20];
    sinew_pose_to_model(pose, model);
    for (int32_t i = 0; i < 20; i++) { // a point taken up through each ancestor, by quaternions instead of matrices
        sinew_vec3 p = {0.3f, -0.2f, 0.7f};
        for (int32_t n = i; n != SINEW_NO_NODE; n = s->parents[n]) {
            sinew_transform t = s->rest[n];
            p = sinew_quat_rotate(t.rotation, (sinew_vec3){p.x * t.scale.x, p.y * t.scale.y, p.z * t.scale.z});
            p = (sinew_vec3){p.x + t.translation.x, p.y + t.translation.y, p.z + t.translation.z};
        }
        check_vec3(sinew_affine_point(model[i], (sinew_vec3){0.3f, -0.2f, 0.7f}), p.x, p.y, p.z, 2e-5);
    }
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(s);
}

static void test_blend_meets_both_ends_and_the_middle(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain();
    sinew_pose *a, *b, *out;
    assert_int_equal(sinew_pose_create(s, NULL, &a), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &b), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &out), SINEW_OK);
    sinew_transform from = sinew_transform_identity(), to = from;
    from.rotation = about_x(0.2);
    to.rotation = about_x(1.2);
    to.rotation = (sinew_quat){-to.rotation.x, -to.rotation.y, -to.rotation.z, -to.rotation.w}; // the other sign
    to.translation.z = 8;
    to.scale.y = 3;
    sinew_pose_set(a, 5, from);
    sinew_pose_set(b, 5, to);
    a->weights[3] = 1;
    b->weights[3] = 5;

    sinew_pose_blend(out, a, b, 0.5f, NULL);
    sinew_transform t = sinew_pose_get(out, 5);
    assert_true(angle_between(t.rotation, about_x(0.7)) < 1e-6);
    check_near(t.translation.z, 4, 1e-6);
    check_near(t.scale.y, 2, 1e-6);
    check_near(out->weights[3], 3, 1e-6);

    sinew_pose_blend(out, a, b, 0, NULL);
    t = sinew_pose_get(out, 5);
    assert_memory_equal(&t, &from, sizeof t);
    sinew_pose_blend(out, a, b, 1, NULL);
    assert_true(angle_between(sinew_pose_get(out, 5).rotation, to.rotation) < 1e-6);

    float mask[20] = {0}; // only node 7, whose weights these are
    mask[7] = 0.25f;
    sinew_pose_copy(out, a);
    sinew_pose_blend(out, a, b, 1, mask);
    t = sinew_pose_get(out, 5);
    assert_memory_equal(&t, &from, sizeof t);
    check_near(out->weights[3], 2, 1e-6);

    sinew_pose_copy(out, b);
    t = sinew_pose_get(out, 5);
    assert_memory_equal(&t, &to, sizeof t);
    assert_true(out->weights[3] == 5);
    sinew_pose_reset(out);
    t = sinew_pose_get(out, 5);
    assert_memory_equal(&t, &s->rest[5], sizeof t);
    assert_true(out->weights[3] == 0);
    sinew_pose_destroy(a);
    sinew_pose_destroy(b);
    sinew_pose_destroy(out);
    sinew_skeleton_destroy(s);
}

static void test_a_difference_is_added_in_part(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain();
    sinew_pose *base, *difference, *out;
    assert_int_equal(sinew_pose_create(s, NULL, &base), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &difference), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &out), SINEW_OK);
    const double angle = 1.2;
    sinew_transform from = {{1, -2, 3}, about_x(0.5), {2, 1, 0.5f}}, d = {{4, 8, -4}, about_z(angle), {3, 1, -1}};
    sinew_pose_set(base, 7, from);
    sinew_pose_set(difference, 7, d);
    base->weights[3] = 0.25f, difference->weights[3] = 0.5f;

    const float parts[] = {0.25f, 1, 1.5f, -0.5f};
    for (int i = 0; i < 4; i++) {
        double f = parts[i];
        sinew_pose_add(out, base, difference, parts[i], NULL);
        sinew_transform t = sinew_pose_get(out, 7);
        check_vec3(t.translation, 1 + 4 * f, -2 + 8 * f, 3 - 4 * f, 1e-6);
        check_vec3(t.scale, 2 * (1 + 2 * f), 1, 0.5 * (1 - 2 * f), 1e-6);
        check_near(out->weights[3], 0.25 + 0.5 * f, 1e-7);
        // No rotation and d, in the proportion 1 - f to f: z and w of what the base is turned on by, before it is unit.
        double z = f * sin(angle / 2), w = 1 - f + f * cos(angle / 2), part = 2 * atan2(z, w);
        double half = 0.25, x1 = sin(half), w1 = cos(half), z2 = sin(part / 2), w2 = cos(part / 2);
        sinew_quat turned = {(float)(x1 * w2), (float)(-x1 * z2), (float)(w1 * z2), (float)(w1 * w2)};
        assert_true(angle_between(t.rotation, turned) < 1e-6);
    }
    sinew_pose_destroy(base);
    sinew_pose_destroy(difference);
    sinew_pose_destroy(out);
    sinew_skeleton_destroy(s);
}

static void test_a_difference_is_added_the_shorter_way(void **state) {
    (void)state;
    sinew_skeleton *s = make_chain(1);
    sinew_pose *base, *difference;
    assert_int_equal(sinew_pose_create(s, NULL, &base), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &difference), SINEW_OK);
    sinew_quat d = about_y(0.8);
    difference->ry[0] = -d.y, difference->rw[0] = -d.w; // the same rotation
    sinew_pose_add(base, base, difference, 0.5f, NULL);
    assert_true(angle_between(sinew_pose_get(base, 0).rotation, about_y(0.4)) < 1e-6);
    sinew_pose_destroy(base);
    sinew_pose_destroy(difference);
    sinew_skeleton_destroy(s);
}

static void test_adding_nothing_keeps_the_bits(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain();
    sinew_pose *base, *difference, *out;
    assert_int_equal(sinew_pose_create(s, NULL, &base), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &difference), SINEW_OK);
    assert_int_equal(sinew_pose_create(s, NULL, &out), SINEW_OK);
    const sinew_transform odd = {{-0.0f, 1e-45f, 3e38f}, {0.6f, 0, 0, 0.81f}, {-0.0f, 1, 7}}; // not even unit
    const sinew_transform d = {{3e38f, 3e38f, 3e38f}, {0, 1, 0, 0}, {9, 9, 9}};
    for (int32_t i = 0; i < 20; i++) {
        sinew_pose_set(base, i, odd);
        sinew_pose_set(difference, i, d);
        base->weights[i] = -0.0f, difference->weights[i] = 1;
    }
    float mask[20] = {0};
    for (int how = 0; how < 2; how++) { // weight 0, and a mask of 0
        sinew_pose_add(out, base, difference, how == 0 ? 0 : 1, how == 0 ? NULL : mask);
        for (int32_t i = 0; i < 20; i++) {
            sinew_transform t = sinew_pose_get(out, i);
            assert_memory_equal(&t, &odd, sizeof t);
        }
        assert_memory_equal(out->weights, base->weights, 20 * sizeof(float));
    }

    mask[7] = 0.5f; // the node of the weights, and no other; 0.5 of 0.5
    base->tx[7] = 1, difference->tx[7] = 8;
    sinew_pose_add(out, base, difference, 0.5f, mask);
    check_near(out->tx[7], 3, 1e-6);
    check_near(out->sy[7], 3, 1e-6);
    check_near(out->weights[19], 0.25, 1e-7);
    sinew_transform t = sinew_pose_get(out, 8);
    assert_memory_equal(&t, &odd, sizeof t);

    sinew_pose_copy(base, out); // and into the place of either
    sinew_pose_add(out, base, difference, 1, mask);
    float expected = out->tx[7], weight = out->weights[4];
    sinew_quat q = sinew_pose_get(out, 7).rotation;
    sinew_pose_copy(out, difference);
    sinew_pose_add(out, base, out, 1, mask);
    assert_true(out->tx[7] == expected && out->weights[4] == weight && out->rz[7] == q.z && out->rw[7] == q.w);
    sinew_pose_add(base, base, difference, 1, mask);
    assert_true(base->tx[7] == expected && base->weights[4] == weight && base->rz[7] == q.z && base->rw[7] == q.w);
    sinew_pose_destroy(base);
    sinew_pose_destroy(difference);
    sinew_pose_destroy(out);
    sinew_skeleton_destroy(s);
}

// Two children of one root, each with two nodes below: what changes in one of them leaves the other's matrices alone.
static void test_a_subtree_alone(void **state) {
    (void)state;
    enum { NODES = 7 };
    uint64_t seed = 3;
    sinew_node_def nodes[NODES];
    static const int32_t parents[NODES] = {SINEW_NO_NODE, 0, 1, 2, 0, 4, 5};
    for (int i = 0; i < NODES; i++) {
        sinew_vec3 away = {random_float(&seed, -1, 1), 1, random_float(&seed, -1, 1)};
        nodes[i] = (sinew_node_def){.parent = parents[i], .rest = {away, random_quat(&seed), {1, 2, 1}}};
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    sinew_skeleton *s;
    assert_int_equal(sinew_skeleton_create(&def, &s, NULL), SINEW_OK);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    for (int32_t changed = 0; changed < NODES; changed++) {
        sinew_affine model[NODES], whole[NODES];
        sinew_pose_to_model(pose, model);
        sinew_transform t = sinew_pose_get(pose, changed);
        t.rotation = random_quat(&seed);
        sinew_pose_set(pose, changed, t);
        sinew_pose_to_model(pose, whole);
        memset(&model[changed], 0xee, (size_t)(s->subtree_ends[changed] - changed) * sizeof *model);
        sinew_pose_to_model_below(pose, changed, model);
        assert_memory_equal(model, whole, sizeof model);
        memset(model, 0xee, sizeof model);
        if (changed > 0) model[s->parents[changed]] = whole[s->parents[changed]];
        sinew_pose_to_model_below(pose, changed, model);
        for (int32_t i = 0; i < NODES; i++) {
            bool is_below = i >= changed && i < s->subtree_ends[changed];
            const unsigned char *byte = (const unsigned char *)&model[i];
            if (is_below)
                assert_memory_equal(&model[i], &whole[i], sizeof *model);
            else if (changed == 0 || i != s->parents[changed])
                assert_true(byte[0] == 0xee && byte[47] == 0xee);
        }
    }
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(s);
}

static void test_attaching_is_one_product(void **state) {
    (void)state; // a sword in a hand: model[node] × offset
    sinew_skeleton *s = make_chain(3);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    sinew_transform bent = sinew_pose_get(pose, 1);
    bent.rotation = about_z(PI / 2);
    sinew_pose_set(pose, 1, bent);
    sinew_affine model[3];
    sinew_pose_to_model(pose, model);
    sinew_transform offset = sinew_transform_identity();
    offset.translation.x = 0.25f;
    sinew_affine world =
        sinew_affine_multiply(model[sinew_skeleton_find(s, "n2")], sinew_affine_from_transform(offset));
    // n1 is at (0, 1, 0) and turned by 90 degrees: n2 stands 1 m to its left, the offset 0.25 m above that.
    check_vec3(sinew_affine_point(world, (sinew_vec3){0, 0, 0}), -1, 1.25, 0, 1e-6);
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(s);
}

// Poses other than the rest pose, with morph weights.
static sinew_pose *make_random_pose(const sinew_skeleton *s, uint64_t random) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s, NULL, &pose), SINEW_OK);
    for (int32_t i = 0; i < s->node_count; i++) {
        sinew_transform t = sinew_transform_identity();
        t.translation = (sinew_vec3){random_float(&random, -1, 1), 2, random_float(&random, -1, 1)};
        t.rotation = random_quat(&random);
        t.scale.y = random_float(&random, 0.5f, 2);
        sinew_pose_set(pose, i, t);
    }
    for (int32_t i = 0; i < s->weight_count + s->curve_count; i++) pose->weights[i] = random_float(&random, 0, 1);
    return pose;
}

static void check_poses_equal(const sinew_pose *a, const sinew_pose *b) {
    const sinew_skeleton *s = a->skeleton;
    for (int32_t i = 0; i < s->node_count; i++) {
        const sinew_transform x = sinew_pose_get(a, i), y = sinew_pose_get(b, i);
        assert_memory_equal(&x, &y, sizeof x);
    }
    assert_memory_equal(a->weights, b->weights, (size_t)(s->weight_count + s->curve_count) * sizeof(float));
}

static void test_a_saved_pose_comes_back(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain();
    sinew_pose *pose = make_random_pose(s, 3), *kept = make_random_pose(s, 3), *other = make_random_pose(s, 4);
    const size_t size = sinew_pose_save(pose, NULL, 0);
    assert_int_equal(size, 16 + 40 * s->node_count + 4 * (s->weight_count + s->curve_count));
    char *memory = malloc(size + 1);
    assert_non_null(memory);
    memset(memory, 'x', size + 1);
    assert_int_equal(sinew_pose_save(pose, memory + 1, size - 1), size); // no room
    assert_true(memory[1] == 'x' && memory[size] == 'x');
    assert_int_equal(sinew_pose_save(pose, memory + 1, size), size); // not aligned
    assert_int_equal(memory[0], 'x');
    sinew_pose_reset(pose);
    assert_true(sinew_pose_restore(pose, memory + 1, size));
    check_poses_equal(pose, kept);
    assert_true(sinew_pose_restore(other, memory + 1, size));
    check_poses_equal(other, kept);
    assert_true(pose->rw[31] == 1 && pose->sx[31] == 1 && pose->tx[31] == 0); // the padding stays as it is
    free(memory);
    sinew_pose_destroy(pose);
    sinew_pose_destroy(kept);
    sinew_pose_destroy(other);
    sinew_skeleton_destroy(s);
}

static void test_what_is_no_saved_pose_is_refused(void **state) {
    (void)state;
    sinew_skeleton *s = make_bent_chain(), *longer = make_chain(21);
    sinew_pose *pose = make_random_pose(s, 3), *kept = make_random_pose(s, 3),
               *strange = make_random_pose(longer, 5);
    const size_t size = sinew_pose_save(pose, NULL, 0);
    char *memory = malloc(2 * size);
    assert_non_null(memory);
    sinew_pose_save(pose, memory, size);
    for (size_t wrong = 0; wrong < 2 * size; wrong++) {
        char *exact = malloc(wrong + 1); // so a sanitizer sees reads past it
        assert_non_null(exact);
        memcpy(exact, memory, wrong < size ? wrong : size);
        if (wrong != size) assert_false(sinew_pose_restore(pose, exact, wrong));
        free(exact);
    }
    assert_false(sinew_pose_restore(pose, NULL, size));
    assert_false(sinew_pose_restore(pose, memory, SIZE_MAX));
    assert_false(sinew_pose_restore(strange, memory, size));
    for (int i = 0; i < 16; i++) { // the head
        memory[i] ^= 1;
        assert_false(sinew_pose_restore(pose, memory, size));
        memory[i] ^= 1;
    }
    check_poses_equal(pose, kept);
    free(memory);
    sinew_pose_destroy(pose);
    sinew_pose_destroy(kept);
    sinew_pose_destroy(strange);
    sinew_skeleton_destroy(s);
    sinew_skeleton_destroy(longer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_new_pose_is_the_rest_pose),
        cmocka_unit_test(test_model_matrices_multiply_down_the_chain),
        cmocka_unit_test(test_blend_meets_both_ends_and_the_middle),
        cmocka_unit_test(test_a_difference_is_added_in_part),
        cmocka_unit_test(test_a_difference_is_added_the_shorter_way),
        cmocka_unit_test(test_adding_nothing_keeps_the_bits),
        cmocka_unit_test(test_a_subtree_alone),
        cmocka_unit_test(test_attaching_is_one_product),
        cmocka_unit_test(test_a_saved_pose_comes_back),
        cmocka_unit_test(test_what_is_no_saved_pose_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
