// SPDX-License-Identifier: MIT
// Frustum culling, against clip space in double. A box with all corners outside one plane is culled. A box with any
// point inside never is. Mistakes: planes from rows instead of columns; the other API's depth range; an infinite far
// plane that hides everything; testing only a box's center; bits after the last box; rounding that hides what's
// barely visible.
#include "support/check.h"

#include "kernels/kernels.h"

enum { MOST = 300 };

// ---- Projections -------------------------------------------------------------------------------------------------

static void multiply(const double a[16], const double b[16], double out[16]) {
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            out[4 * c + r] = 0;
            for (int i = 0; i < 4; i++) out[4 * c + r] += a[4 * i + r] * b[4 * c + i];
        }
}

typedef enum kind { PERSPECTIVE, ORTHOGRAPHIC, INFINITE, REVERSED, REVERSED_INFINITE, KINDS } kind;

// Written down from what each API asks of clip space, column after column. Reversed depth needs 0 to 1.
static void projection(kind k, bool zero_to_one, double near, double far, double out[16]) {
    const double wide = k == ORTHOGRAPHIC ? 16 : 0.8, high = k == ORTHOGRAPHIC ? 10 : 0.5; // half sizes, or slopes
    memset(out, 0, 16 * sizeof *out);
    out[0] = 1 / wide, out[5] = 1 / high;
    if (k == ORTHOGRAPHIC) {
        out[10] = zero_to_one ? -1 / (far - near) : -2 / (far - near);
        out[14] = zero_to_one ? -near / (far - near) : -(far + near) / (far - near);
        out[15] = 1;
        return;
    }
    out[11] = -1; // w is the distance before the camera
    if (k == PERSPECTIVE) {
        out[10] = zero_to_one ? -far / (far - near) : -(far + near) / (far - near);
        out[14] = zero_to_one ? -far * near / (far - near) : -2 * far * near / (far - near);
    } else if (k == INFINITE) {
        out[10] = -1;
        out[14] = zero_to_one ? -near : -2 * near;
    } else if (k == REVERSED) {
        out[10] = near / (far - near);
        out[14] = far * near / (far - near);
    } else {
        out[14] = near;
    }
}

static bool has_zero_to_one(kind k, int round) {
    return k == REVERSED || k == REVERSED_INFINITE || round % 2 == 1;
}

// A camera somewhere, looking anywhere; what comes out is what a program would have: floats.
static sinew_mat4 draw_camera(kind k, bool zero_to_one, float far_away, uint64_t *random) {
    sinew_transform t = sinew_transform_identity();
    t.rotation = random_quat(random);
    for (int i = 0; i < 3; i++) (&t.translation.x)[i] = random_float(random, -far_away, far_away);
    sinew_mat4 view = sinew_mat4_from_affine(sinew_affine_inverse(sinew_affine_from_transform(t))), out;
    double wide_view[16], perspective[16], product[16];
    for (int i = 0; i < 16; i++) wide_view[i] = view.m[i];
    projection(k, zero_to_one, 0.1, 50, perspective);
    multiply(perspective, wide_view, product);
    for (int i = 0; i < 16; i++) out.m[i] = (float)product[i];
    return out;
}

// ---- Clip space in double ----------------------------------------------------------------------------------------

// How far a place is inside each of the six planes, and how large the terms of that sum are.
static void sides(const sinew_mat4 *m, bool zero_to_one, const double v[3], double inside[6], double *terms) {
    double clip[4];
    *terms = 0;
    for (int r = 0; r < 4; r++) {
        clip[r] = m->m[r] * v[0] + m->m[4 + r] * v[1] + m->m[8 + r] * v[2] + m->m[12 + r];
        double sum = fabs(m->m[r] * v[0]) + fabs(m->m[4 + r] * v[1]) + fabs(m->m[8 + r] * v[2]);
        *terms = fmax(*terms, sum + fabs((double)m->m[12 + r]));
    }
    for (int i = 0; i < 3; i++) {
        inside[(ptrdiff_t)2 * i] = i == 2 && zero_to_one ? clip[2] : clip[3] + clip[i];
        inside[2 * i + 1] = clip[3] - clip[i];
    }
}

typedef enum verdict { OUTSIDE, UNSURE, INSIDE } verdict;

// OUTSIDE: all corners are beyond one side, by more than rounding. INSIDE: a place of it is within all sides.
static verdict judge(const sinew_mat4 *m, bool zero_to_one, const sinew_box *box, uint64_t *random) {
    bool within[6] = {false};
    for (int n = 0; n < 64; n++) {
        double v[3], inside[6], terms;
        for (int k = 0; k < 3; k++) {
            double min = (&box->min.x)[k], max = (&box->max.x)[k], part = (double)random_float(random, 0, 1);
            v[k] = n < 8 ? (n >> k & 1 ? max : min) : min + part * (max - min);
        }
        sides(m, zero_to_one, v, inside, &terms);
        bool all = true;
        for (int s = 0; s < 6; s++) {
            all = all && inside[s] >= 0;
            within[s] = within[s] || inside[s] >= -1e-5 * terms;
        }
        if (all) return INSIDE;
    }
    for (int s = 0; s < 6; s++)
        if (!within[s]) return OUTSIDE;
    return UNSURE;
}

// ---- Many boxes --------------------------------------------------------------------------------------------------

typedef struct planar {
    float arrays[6][MOST];
    sinew_boxes boxes;
} planar;

static void make_planar(planar *p) {
    p->boxes = (sinew_boxes){p->arrays[0], p->arrays[1], p->arrays[2], p->arrays[3], p->arrays[4], p->arrays[5]};
}

static sinew_box draw_box(float far_away, uint64_t *random) {
    sinew_box box;
    float size = random_next(random) % 4 ? 1.0f : 20.0f;
    bool point = random_next(random) % 8 == 0;
    for (int k = 0; k < 3; k++) {
        float at = random_float(random, -far_away - 20, far_away + 20);
        (&box.min.x)[k] = at;
        (&box.max.x)[k] = point ? at : at + random_float(random, 0, size);
    }
    return box;
}

static void check_camera(kind k, int round, float far_away, int found[3], uint64_t *random) {
    static planar p;
    make_planar(&p);
    sinew_box boxes[MOST];
    uint32_t visible[SINEW_VISIBLE_WORDS(MOST)];
    bool zero_to_one = has_zero_to_one(k, round);
    sinew_mat4 camera = draw_camera(k, zero_to_one, far_away, random);
    sinew_frustum frustum =
        sinew_frustum_from_matrix(camera, zero_to_one ? SINEW_DEPTH_ZERO_TO_ONE : SINEW_DEPTH_MINUS_ONE_TO_ONE);
    for (int i = 0; i < MOST; i++) sinew_boxes_set(&p.boxes, i, boxes[i] = draw_box(far_away, random));
    sinew_cull_boxes(&frustum, &p.boxes, 0, MOST, visible);
    for (int i = 0; i < MOST; i++) {
        verdict v = judge(&camera, zero_to_one, &boxes[i], random);
        found[v]++;
        if (v != UNSURE && sinew_is_visible(visible, i) != (v == INSIDE))
            fail_msg("kind %d, round %d: box %d is %s", (int)k, round, i, v == INSIDE ? "hidden" : "kept");
    }
}

static void test_every_projection(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < KINDS; k++) {
        int found[3] = {0};
        for (int round = 0; round < 120; round++)
            check_camera((kind)k, round, round % 3 ? 5 : 2000, found, &random);
        print_message("kind %d: %d outside, %d unsure, %d inside\n", k, found[OUTSIDE], found[UNSURE],
                      found[INSIDE]);
        assert_true(found[OUTSIDE] > 1000 && found[INSIDE] > 1000);
    }
}

static double least_side(const sinew_mat4 *m, bool zero_to_one, const double v[3]) {
    double inside[6], terms, least = INFINITY;
    sides(m, zero_to_one, v, inside, &terms);
    for (int s = 0; s < 6; s++) least = fmin(least, inside[s]);
    return least;
}

// A place that is just inside: on the way from one that is not to one that is, as near to the former as floats go.
static void draw_edge(const sinew_mat4 *m, bool zero_to_one, double out[3], uint64_t *random) {
    double outside[3], middle[3];
    do {
        for (int k = 0; k < 3; k++) out[k] = random_float(random, -60, 60);
    } while (least_side(m, zero_to_one, out) < 0);
    do {
        for (int k = 0; k < 3; k++) outside[k] = random_float(random, -900, 900);
    } while (least_side(m, zero_to_one, outside) >= 0);
    for (int step = 0; step < 60; step++) {
        for (int k = 0; k < 3; k++) middle[k] = (float)((outside[k] + out[k]) / 2);
        memcpy(least_side(m, zero_to_one, middle) < 0 ? outside : out, middle, sizeof middle);
    }
}

// A box with one corner there.
static sinew_box box_at(const double corner[3], uint64_t *random) {
    sinew_box box;
    for (int k = 0; k < 3; k++) {
        float at = (float)corner[k], other = at + random_float(random, -1, 1);
        (&box.min.x)[k] = fminf(at, other);
        (&box.max.x)[k] = fmaxf(at, other);
    }
    return box;
}

// Boxes that touch the frustum with nothing but a corner.
static void test_what_is_barely_seen_is_kept(void **state) {
    (void)state;
    uint64_t random = 2;
    static planar p;
    make_planar(&p);
    for (int round = 0; round < 20 * KINDS; round++) {
        kind k = (kind)(round % KINDS);
        bool zero_to_one = has_zero_to_one(k, round);
        sinew_mat4 camera = draw_camera(k, zero_to_one, 30, &random);
        sinew_frustum frustum =
            sinew_frustum_from_matrix(camera, zero_to_one ? SINEW_DEPTH_ZERO_TO_ONE : SINEW_DEPTH_MINUS_ONE_TO_ONE);
        for (int i = 0; i < MOST; i++) {
            double corner[3];
            draw_edge(&camera, zero_to_one, corner, &random);
            sinew_boxes_set(&p.boxes, i, box_at(corner, &random));
        }
        uint32_t visible[SINEW_VISIBLE_WORDS(MOST)];
        assert_int_equal(sinew_cull_boxes(&frustum, &p.boxes, 0, MOST, visible), MOST);
    }
}

// ---- Planes ------------------------------------------------------------------------------------------------------

static void check_plane(const float plane[4], double x, double y, double z, double rest) {
    const double wanted[4] = {x, y, z, rest};
    for (int i = 0; i < 4; i++) check_near(plane[i], wanted[i], 1e-6);
}

// By hand: a cube from -1 to 1, moved by (10, 0, 0), and depth of both kinds.
static void test_planes_by_hand(void **state) {
    (void)state;
    sinew_mat4 m = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -10, 0, 0, 1}};
    sinew_frustum f = sinew_frustum_from_matrix(m, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    check_plane(f.planes[0], 1, 0, 0, -9);
    check_plane(f.planes[1], -1, 0, 0, 11);
    check_plane(f.planes[2], 0, 1, 0, 1);
    check_plane(f.planes[3], 0, -1, 0, 1);
    check_plane(f.planes[4], 0, 0, 1, 1);
    check_plane(f.planes[5], 0, 0, -1, 1);
    f = sinew_frustum_from_matrix(m, SINEW_DEPTH_ZERO_TO_ONE);
    check_plane(f.planes[4], 0, 0, 1, 0);
    check_plane(f.planes[5], 0, 0, -1, 1);
}

// The far plane of an infinite projection has no direction; what rounding leaves of its rest must not hide anything.
static void test_a_plane_without_direction_hides_nothing(void **state) {
    (void)state;
    double p[16];
    sinew_mat4 m;
    projection(INFINITE, false, -0.1, 50, p); // a rest of less than 0, as rounding can make it
    for (int i = 0; i < 16; i++) m.m[i] = (float)p[i];
    sinew_frustum f = sinew_frustum_from_matrix(m, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    check_plane(f.planes[5], 0, 0, 0, 0);
    float arrays[6] = {0, 0, -1e6f, 1, 1, 1};
    sinew_boxes boxes = {&arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &arrays[5]};
    uint32_t visible;
    assert_int_equal(sinew_cull_boxes(&f, &boxes, 0, 1, &visible), 1);
}

// ---- What is not an ordinary box -----------------------------------------------------------------------------------

static void test_empty_boxes_are_hidden_and_odd_ones_kept(void **state) {
    (void)state;
    sinew_mat4 m = sinew_mat4_from_affine(sinew_affine_identity()); // sees from -1 to 1
    sinew_frustum f = sinew_frustum_from_matrix(m, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    const sinew_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const struct {
        sinew_box box;
        bool seen;
    } cases[] = {
        {{{-1, -1, -1}, {1, 1, 1}}, true},
        {{{1, 1, 1}, {2, 2, 2}}, true}, // touches
        {{{1.001f, 0, 0}, {2, 1, 1}}, false},
        {sinew_box_empty(), false},
        {{{0.5f, -1, -1}, {0.25f, 1, 1}}, false}, // empty along one axis
        {{{-1, 2e30f, -1}, {1, -2e30f, 1}}, false},
        {all, true},
        {{{-INFINITY, 0, 0}, {INFINITY, 0, 0}}, true},
        {{{NAN, NAN, NAN}, {NAN, NAN, NAN}}, true},
        {{{50, NAN, 50}, {51, 60, 51}}, true},
        {{{50, 50, 50}, {51, 60, NAN}}, true},
        {{{-3e38f, -3e38f, -3e38f}, {3e38f, 3e38f, 3e38f}}, true},
        {{{3e38f, 3e38f, 3e38f}, {3e38f, 3e38f, 3e38f}}, false},
    };
    enum { CASES = sizeof cases / sizeof cases[0] };
    static planar p;
    make_planar(&p);
    for (int i = 0; i < CASES; i++) sinew_boxes_set(&p.boxes, i, cases[i].box);
    uint32_t visible;
    sinew_cull_boxes(&f, &p.boxes, 0, CASES, &visible);
    for (int i = 0; i < CASES; i++)
        if (sinew_is_visible(&visible, i) != cases[i].seen) fail_msg("case %d is wrong", i);
}

// ---- Bits ----------------------------------------------------------------------------------------------------------

static void draw_odd_boxes(planar *p, uint64_t *random) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 1e-40f, 3e38f, -1.0f};
    make_planar(p);
    for (int i = 0; i < MOST; i++) {
        sinew_boxes_set(&p->boxes, i, draw_box(5, random));
        if (random_next(random) % 8 == 0) p->arrays[random_next(random) % 6][i] = odd[random_next(random) % 7];
    }
}

static void test_every_width_any_count_and_any_range_give_the_same_bits(void **state) {
    (void)state;
    uint64_t random = 3;
    static planar p;
    const float *const in[6] = {p.arrays[0], p.arrays[1], p.arrays[2], p.arrays[3], p.arrays[4], p.arrays[5]};
    for (int count = 0; count <= MOST; count += count < 70 ? 1 : 23) {
        for (int k = 0; k < KINDS; k++) {
            draw_odd_boxes(&p, &random);
            sinew_mat4 camera = draw_camera((kind)k, true, 5, &random);
            const sinew_frustum f = sinew_frustum_from_matrix(camera, SINEW_DEPTH_ZERO_TO_ONE);
            size_t words = (size_t)SINEW_VISIBLE_WORDS(count);
            uint32_t wanted[SINEW_VISIBLE_WORDS(MOST) + 1], got[SINEW_VISIBLE_WORDS(MOST) + 1];
            memset(wanted, 0xa5, sizeof wanted);
            if (count > 0)
                sinewi_bound_kernels_of(SINEWI_SIMD_SCALAR)->cull_boxes(f.planes, in, 0, (size_t)count, wanted);
            assert_int_equal(wanted[words], 0xa5a5a5a5u); // nothing behind it is written
            int seen = 0;
            for (int i = 0; i < (int)words * 32; i++) {
                seen += sinew_is_visible(wanted, i);
                assert_false(i >= count && sinew_is_visible(wanted, i));
            }
            for (int level = SINEWI_SIMD_128; level < SINEWI_SIMD_LEVELS && count > 0; level++) {
                const sinewi_bound_kernels *kernels = sinewi_bound_kernels_of((sinewi_simd_level)level);
                if (!kernels) continue;
                memset(got, 0xa5, sizeof got);
                kernels->cull_boxes(f.planes, in, 0, (size_t)count, got);
                assert_memory_equal(got, wanted, sizeof got);
            }
            memset(got, 0xa5, sizeof got);
            int32_t half = count / 2 / 32 * 32;
            int32_t found = sinew_cull_boxes(&f, &p.boxes, half, count - half, got);
            found += sinew_cull_boxes(&f, &p.boxes, 0, half, got);
            assert_int_equal(found, seen);
            assert_memory_equal(got, wanted, sizeof got);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_projection),
        cmocka_unit_test(test_what_is_barely_seen_is_kept),
        cmocka_unit_test(test_planes_by_hand),
        cmocka_unit_test(test_a_plane_without_direction_hides_nothing),
        cmocka_unit_test(test_empty_boxes_are_hidden_and_odd_ones_kept),
        cmocka_unit_test(test_every_width_any_count_and_any_range_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
