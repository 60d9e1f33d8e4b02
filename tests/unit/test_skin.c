// SPDX-License-Identifier: MIT
// Skins: palettes, CPU skinning against arithmetic in double, morph targets.
#include "support/check.h"

static sinew_affine random_matrix(uint64_t *random, bool mirrored) {
    sinew_transform t = {
        {random_float(random, -1, 1), random_float(random, -1, 1), random_float(random, -1, 1)},
        random_quat(random),
        {random_float(random, 0.5f, 2), random_float(random, 0.5f, 2), random_float(random, 0.5f, 2)}};
    if (mirrored) t.scale.y = -t.scale.y;
    return sinew_affine_from_transform(t);
}

// ---- Palette -------------------------------------------------------------------------------------------------

static void test_palette_is_model_times_inverse_bind(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(4);
    const int32_t joints[2] = {3, 1};
    sinew_affine binds[2];
    for (int i = 0; i < 2; i++) {
        sinew_transform t = sinew_transform_identity();
        t.translation.y = (float)-joints[i]; // the rest pose's own inverse
        binds[i] = sinew_affine_from_transform(t);
    }
    sinew_skin_def def = sinew_skin_default();
    def.name = "Body";
    def.skeleton = skeleton;
    def.joint_count = 2;
    def.joints = joints;
    def.inverse_binds = binds;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&def, &skin, NULL), SINEW_OK);
    assert_string_equal(skin->name, "Body");

    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    sinew_affine model[4], palette[2];
    sinew_pose_to_model(pose, model);
    sinew_skin_palette(skin, model, palette);
    for (int i = 0; i < 2; i++) { // at rest a vertex stays where it is
        check_vec3(sinew_affine_point(palette[i], (sinew_vec3){1, 2, 3}), 1, 2, 3, 1e-6);
    }
    sinew_transform bent = sinew_pose_get(pose, 2);
    bent.rotation = about_z(PI / 2);
    sinew_pose_set(pose, 2, bent);
    sinew_pose_to_model(pose, model);
    sinew_skin_palette(skin, model, palette);
    // n3 now stands to the left of n2, which is at (0, 2, 0): a vertex 1 m above n3 is at (-2, 2, 0).
    check_vec3(sinew_affine_point(palette[0], (sinew_vec3){0, 4, 0}), -2, 2, 0, 1e-6);
    check_vec3(sinew_affine_point(palette[1], (sinew_vec3){0, 4, 0}), 0, 4, 0, 1e-6);
    const sinew_mat4 columns[2] = {sinew_mat4_from_affine(palette[0]), sinew_mat4_from_affine(palette[1])};
    check_near(columns[0].m[12], palette[0].m[0][3], 0);
    check_near(columns[0].m[1], palette[0].m[1][0], 0);
    check_near(columns[1].m[15], 1, 0);
    sinew_pose_destroy(pose);
    sinew_skin_destroy(skin);
    sinew_skeleton_destroy(skeleton);
}

static void test_missing_inverse_binds_are_identities(void **state) {
    (void)state; // pitfall 3
    sinew_skeleton *skeleton = make_chain(2);
    const int32_t joints[1] = {1};
    sinew_skin_def def = sinew_skin_default();
    def.skeleton = skeleton;
    def.joint_count = 1;
    def.joints = joints;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&def, &skin, NULL), SINEW_OK);
    assert_string_equal(skin->name, "");
    sinew_affine identity = sinew_affine_identity();
    assert_memory_equal(&skin->inverse_binds[0], &identity, sizeof identity);
    sinew_skin_destroy(skin);
    sinew_skeleton_destroy(skeleton);
}

static void test_bad_skins_are_refused(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(2);
    int32_t joints[2] = {0, 2};
    sinew_affine binds[2] = {sinew_affine_identity(), sinew_affine_identity()};
    counting c = {0};
    sinew_skin_def def = sinew_skin_default();
    def.skeleton = skeleton;
    def.joint_count = 2;
    def.joints = joints;
    def.inverse_binds = binds;
    def.allocator = counting_allocator(&c);
    sinew_skin *skin;
    sinew_error error;
    assert_int_equal(sinew_skin_create(&def, &skin, &error), SINEW_ERROR_ARGUMENT);
    assert_null(skin);
    assert_non_null(strstr(error.message, "joints[1]: node 2, but the skeleton has 2 nodes"));
    joints[1] = -1;
    assert_int_equal(sinew_skin_create(&def, &skin, &error), SINEW_ERROR_ARGUMENT);
    joints[1] = 1;
    binds[1].m[1][2] = NAN;
    assert_int_equal(sinew_skin_create(&def, &skin, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "inverse_binds[1]"));
    binds[1].m[1][2] = 0;
    c.fail_at = 1;
    assert_int_equal(sinew_skin_create(&def, &skin, &error), SINEW_ERROR_OUT_OF_MEMORY);
    c.fail_at = 0;
    assert_int_equal(sinew_skin_create(&def, &skin, &error), SINEW_OK);
    sinew_skin_destroy(skin);
    sinew_skin_destroy(NULL);
    assert_int_equal(c.live, 0);
    def.joints = NULL;
    assert_int_equal(sinew_skin_create(&def, &skin, NULL), SINEW_ERROR_ARGUMENT);
    sinew_skeleton_destroy(skeleton);
}

// ---- Vertices ------------------------------------------------------------------------------------------------

enum { VERTICES = 67, JOINTS = 300 }; // an odd number of vertices, more joints than a byte counts

typedef struct soup {
    sinew_affine palette[JOINTS];
    uint16_t joints[VERTICES * 8];
    float weights[VERTICES * 8];
    float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
} soup;

static void unit(float *v) {
    float l = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) v[i] /= l;
}

// MIXED: every other joint mirrors, and a vertex goes with joints of one kind: a blend of both would be flat.
typedef enum hands { AS_AUTHORED, MIRRORED, MIXED } hands;

static void make_soup(soup *s, int influences, hands hand) {
    uint64_t random = (uint64_t)influences;
    for (int i = 0; i < JOINTS; i++)
        s->palette[i] = random_matrix(&random, hand == MIRRORED || (hand == MIXED && i % 2 == 1));
    for (int v = 0; v < VERTICES; v++) {
        float sum = 0;
        for (int i = 0; i < influences; i++) {
            uint32_t joint = random_next(&random) % JOINTS;
            if (hand == MIXED) joint = joint / 2 * 2 + (uint32_t)v % 2;
            s->joints[v * influences + i] = (uint16_t)joint;
            sum += s->weights[v * influences + i] = i == v % influences ? 6 : random_float(&random, 0, 0.3f);
        }
        for (int i = 0; i < influences; i++) s->weights[v * influences + i] /= sum;
        for (int i = 0; i < 3; i++) {
            s->positions[3 * v + i] = random_float(&random, -1, 1);
            s->normals[3 * v + i] = random_float(&random, -1, 1);
            s->tangents[4 * v + i] = random_float(&random, -1, 1);
        }
        unit(&s->normals[(ptrdiff_t)3 * v]);
        unit(&s->tangents[(ptrdiff_t)4 * v]);
        s->tangents[4 * v + 3] = v % 2 ? 1.0f : -1.0f;
    }
}

// What a vertex must become: the blended matrix in double; the normal by its inverse transpose, which is the
// definition and keeps a normal on its side of a mirrored surface.
typedef struct expected_vertex {
    double position[3], normal[3], tangent[3], determinant;
} expected_vertex;

static void solve3(double a[3][3], const double *b, double *x, double *determinant) { // Cramer: a x = b
    *determinant = 0;
    for (int i = 0; i < 3; i++) {
        *determinant += a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3]);
    }
    for (int c = 0; c < 3; c++) {
        double m[3][3], d = 0;
        for (int i = 0; i < 9; i++) m[i / 3][i % 3] = i % 3 == c ? b[i / 3] : a[i / 3][i % 3];
        for (int i = 0; i < 3; i++) {
            d += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
        }
        x[c] = d / *determinant;
    }
}

static void normalize_double(double *v) {
    double l = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) v[i] /= l;
}

static expected_vertex skin_exactly(const soup *s, int v, int influences) {
    expected_vertex e = {{0}, {0}, {0}, 0};
    double m[3][4] = {{0}}, transpose[3][3], n[3];
    for (int i = 0; i < influences; i++) {
        const sinew_affine *joint = &s->palette[s->joints[v * influences + i]];
        for (int k = 0; k < 12; k++) {
            m[k / 4][k % 4] += (double)s->weights[v * influences + i] * (double)joint->m[k / 4][k % 4];
        }
    }
    for (int r = 0; r < 3; r++) {
        e.position[r] = m[r][3];
        for (int k = 0; k < 3; k++) {
            e.position[r] += m[r][k] * (double)s->positions[3 * v + k];
            e.tangent[r] += m[r][k] * (double)s->tangents[4 * v + k];
            transpose[r][k] = m[k][r];
        }
        n[r] = (double)s->normals[3 * v + r];
    }
    solve3(transpose, n, e.normal, &e.determinant); // Mᵀ x = n
    normalize_double(e.normal);
    normalize_double(e.tangent);
    return e;
}

static void check_soup(int influences, hands hand) {
    static soup s;
    static float positions[VERTICES * 5], normals[VERTICES * 3], tangents[VERTICES * 4];
    make_soup(&s, influences, hand);
    int turned = 0;
    sinew_skin_job job = sinew_skin_job_default();
    job.influences = influences;
    job.joints = s.joints, job.weights = s.weights;
    job.positions = s.positions, job.normals = s.normals, job.tangents = s.tangents;
    job.out_positions = positions, job.out_normals = normals, job.out_tangents = tangents;
    job.out_position_stride = 5 * sizeof(float);
    for (int i = 0; i < VERTICES * 5; i++) positions[i] = 77;
    sinew_skin_vertices(&job, s.palette, 0, 30); // in two ranges, as a job system would
    sinew_skin_vertices(&job, s.palette, 30, VERTICES - 30);
    for (int v = 0; v < VERTICES; v++) {
        expected_vertex e = skin_exactly(&s, v, influences);
        for (int i = 0; i < 3; i++) {
            check_near(positions[5 * v + i], e.position[i], 4e-6);
            check_near(normals[3 * v + i], e.normal[i], 2e-5);
            check_near(tangents[4 * v + i], e.tangent[i], 2e-5);
        }
        assert_true(positions[5 * v + 3] == 77 && positions[5 * v + 4] == 77); // what lies between is left alone
        float side = e.determinant < 0 ? -1.0f : 1.0f;
        turned += e.determinant < 0;
        assert_true(tangents[4 * v + 3] == side * s.tangents[4 * v + 3]);
    }
    assert_int_equal(turned, hand == AS_AUTHORED ? 0 : hand == MIRRORED ? VERTICES : VERTICES / 2);
}

static void test_vertices_agree_with_double(void **state) {
    (void)state; // pitfall 13: normals by the blended matrix's cofactors, also where it mirrors
    for (int hand = AS_AUTHORED; hand <= MIXED; hand++) {
        check_soup(4, (hands)hand);
        check_soup(8, (hands)hand);
    }
}

static void test_only_what_is_asked_for_is_written(void **state) {
    (void)state;
    static soup s;
    make_soup(&s, 4, AS_AUTHORED);
    float positions[3], normals[3] = {9, 9, 9}, tangents[4] = {9, 9, 9, 9};
    sinew_skin_job job = sinew_skin_job_default();
    job.joints = s.joints, job.weights = s.weights, job.positions = s.positions, job.out_positions = positions;
    job.normals = s.normals, job.out_tangents = tangents; // neither has its other half
    sinew_skin_vertices(&job, s.palette, 0, 1);
    assert_true(normals[0] == 9 && tangents[0] == 9);
    job.out_normals = normals;
    sinew_skin_vertices(&job, s.palette, 0, 1);
    assert_true(normals[0] != 9 && tangents[0] == 9);
    positions[0] = 9;
    sinew_skin_vertices(&job, s.palette, 0, 0);
    sinew_skin_vertices(&job, s.palette, 1, -1);
    assert_true(positions[0] == 9);
}

static void test_a_flattened_vertex_is_finite(void **state) {
    (void)state;
    static soup s;
    make_soup(&s, 4, AS_AUTHORED);
    for (int i = 0; i < JOINTS; i++) s.palette[i] = (sinew_affine){{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
    float positions[3], normals[3], tangents[4];
    sinew_skin_job job = sinew_skin_job_default();
    job.joints = s.joints, job.weights = s.weights;
    job.positions = s.positions, job.normals = s.normals, job.tangents = s.tangents;
    job.out_positions = positions, job.out_normals = normals, job.out_tangents = tangents;
    sinew_skin_vertices(&job, s.palette, 0, 1);
    check_near(positions[2], 3, 1e-6);
    for (int i = 0; i < 3; i++) assert_true(normals[i] == 0 && tangents[i] == 0);
}

// The textbook's mistakes of pitfall 13, by hand: a plane leaning by 45° under a scale of 4 along y. Its normal leans
// the other way than its points do; blending inverse transposes of two scales is not the blend's inverse transpose;
// mirroring along x turns x of the normal, and nothing else.
static void test_normals_by_hand(void **state) {
    (void)state;
    const float h = sqrtf(0.5f);
    sinew_affine palette[3] = {sinew_affine_identity(), sinew_affine_identity(), sinew_affine_identity()};
    palette[0].m[1][1] = 4;
    palette[1].m[1][1] = 2;
    palette[2].m[0][0] = -1;
    const float positions[9] = {0}, normals[9] = {h, h, 0, h, h, 0, h, h, 0};
    const uint16_t joints[12] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0};
    const float weights[12] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0};
    float out_positions[9], out[9];
    sinew_skin_job job = sinew_skin_job_default();
    job.joints = joints, job.weights = weights, job.positions = positions, job.normals = normals;
    job.out_positions = out_positions, job.out_normals = out;
    sinew_skin_vertices(&job, palette, 0, 3);
    check_vec3(((sinew_vec3){out[0], out[1], out[2]}), 4 / sqrt(17), 1 / sqrt(17), 0, 1e-6);
    check_vec3(((sinew_vec3){out[3], out[4], out[5]}), 3 / sqrt(10), 1 / sqrt(10), 0, 1e-6); // scaled by 3 in all
    check_vec3(((sinew_vec3){out[6], out[7], out[8]}), -h, h, 0, 1e-6);
}

static void test_morph_adds_weighted_deltas(void **state) {
    (void)state; // pitfall 16: weights are their own thing; a weight of 0 or a missing target is not read
    const float base[4] = {1, 2, 3, 4}, up[4] = {0, 1, 0, 2}, side[4] = {10, 0, 0, -10},
                broken[4] = {NAN, NAN, NAN, NAN};
    const float *deltas[4] = {up, broken, side, NULL};
    const float weights[4] = {0.5f, 0, -0.25f, 1};
    float out[4], in_place[4] = {1, 2, 3, 4};
    sinew_morph(base, deltas, weights, 4, 4, out);
    const float expected[4] = {-1.5f, 2.5f, 3, 7.5f};
    assert_memory_equal(out, expected, sizeof out);
    sinew_morph(in_place, deltas, weights, 4, 4, in_place);
    assert_memory_equal(in_place, expected, sizeof out);
    sinew_morph(base, NULL, NULL, 0, 4, out);
    assert_memory_equal(out, base, sizeof out);
}

static void test_morph_of_tangents_keeps_handedness(void **state) {
    (void)state;
    const float base[8] = {1, 0, 0, -1, 0, 1, 0, 1}, up[6] = {0, 2, 0, 0, 0, 4}, broken[6] = {NAN};
    const float *deltas[3] = {up, broken, NULL}, weights[3] = {0.25f, 0, 1};
    const float expected[8] = {1, 0.5f, 0, -1, 0, 1, 1, 1};
    float out[8], in_place[8];
    sinew_morph_tangents(base, deltas, weights, 3, 2, out);
    assert_memory_equal(out, expected, sizeof out);
    memcpy(in_place, base, sizeof base);
    sinew_morph_tangents(in_place, deltas, weights, 3, 2, in_place);
    assert_memory_equal(in_place, expected, sizeof out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_palette_is_model_times_inverse_bind),
        cmocka_unit_test(test_missing_inverse_binds_are_identities),
        cmocka_unit_test(test_bad_skins_are_refused),
        cmocka_unit_test(test_vertices_agree_with_double),
        cmocka_unit_test(test_only_what_is_asked_for_is_written),
        cmocka_unit_test(test_a_flattened_vertex_is_finite),
        cmocka_unit_test(test_normals_by_hand),
        cmocka_unit_test(test_morph_adds_weighted_deltas),
        cmocka_unit_test(test_morph_of_tangents_keeps_handedness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
