// SPDX-License-Identifier: MIT
// Blend spaces' triangles: against integers, brute force, and their allowed slopes.
#include "support/blend_samples.h"

__extension__ typedef __int128 wide; // holds each product of the exact arithmetic below

// ---- Triangles, in whole numbers -----------------------------------------------------------------------------

// Points with integer x, and y in multiples of 2^-shift.
typedef struct lattice {
    int64_t x[MOST], y[MOST];
    int32_t count;
    int shift;
} lattice;

static bool lattice_has(const lattice *l, int64_t x, int64_t y) {
    for (int32_t i = 0; i < l->count; i++) {
        if (l->x[i] == x && l->y[i] == y) return true;
    }
    return false;
}

static void lattice_add(lattice *l, int64_t x, int64_t y) {
    if (l->count == MOST || lattice_has(l, x, y)) return;
    l->x[l->count] = x;
    l->y[l->count++] = y;
}

static void lattice_shuffle(lattice *l, uint64_t *random) {
    for (int32_t i = l->count - 1; i > 0; i--) {
        int32_t j = random_below(random, i + 1);
        int64_t x = l->x[i], y = l->y[i];
        l->x[i] = l->x[j];
        l->y[i] = l->y[j];
        l->x[j] = x;
        l->y[j] = y;
    }
}

static sinew_blend_space *lattice_space(const lattice *l) {
    place places[MOST];
    for (int32_t i = 0; i < l->count; i++) {
        places[i] = (place){(float)l->x[i], (float)ldexp((double)l->y[i], -l->shift)};
        assert_true((int64_t)places[i].x == l->x[i]); // exactly
    }
    return make_space(SINEW_BLEND_SPACE_TRIANGLES, places, l->count);
}

static int64_t turn_of(const lattice *l, int32_t a, int32_t b, int32_t c) {
    return (l->x[b] - l->x[a]) * (l->y[c] - l->y[a]) - (l->y[b] - l->y[a]) * (l->x[c] - l->x[a]);
}

static wide lifted(const lattice *l, int32_t i) {
    return ((wide)(l->x[i] * l->x[i]) << (2 * l->shift)) + (wide)l->y[i] * l->y[i];
}

// Above 0 where d is inside the circle through a, b and c.
static wide circle_of(const lattice *l, const int32_t t[3], int32_t d) {
    int32_t a = t[0], b = t[1], c = t[2];
    return lifted(l, a) * turn_of(l, b, c, d) - lifted(l, b) * turn_of(l, a, c, d) +
           lifted(l, c) * turn_of(l, a, b, d) - lifted(l, d) * turn_of(l, a, b, c);
}

// Twice the area of the convex hull: on the way round, the next corner has all points to the left.
static int64_t hull_area(const lattice *l) {
    int32_t first = 0;
    for (int32_t i = 1; i < l->count; i++) {
        if (l->x[i] < l->x[first] || (l->x[i] == l->x[first] && l->y[i] < l->y[first])) first = i;
    }
    int64_t area = 0;
    int32_t at = first;
    do {
        int32_t next = at == 0 ? 1 : 0;
        for (int32_t i = 0; i < l->count; i++) {
            int64_t turn = turn_of(l, at, next, i);
            bool further = turn == 0 && llabs(l->x[i] - l->x[at]) + llabs(l->y[i] - l->y[at]) >
                                            llabs(l->x[next] - l->x[at]) + llabs(l->y[next] - l->y[at]);
            if (i != at && (turn < 0 || further)) next = i;
        }
        area += turn_of(l, first, at, next);
        at = next;
    } while (at != first);
    return area;
}

// Counter-clockwise, with nothing inside their circles, and together as large as the hull: so they overlap nowhere,
// or they would leave a hole elsewhere, where an edge has no triangle on its other side and is not on the hull.
static void check_delaunay(const lattice *l, const sinew_blend_space *space) {
    int64_t area = 0;
    bool used[MOST] = {false};
    for (int32_t t = 0; t < space->triangle_count; t++) {
        const int32_t *corner = space->triangles[t].corners;
        assert_true(turn_of(l, corner[0], corner[1], corner[2]) > 0);
        area += turn_of(l, corner[0], corner[1], corner[2]);
        for (int i = 0; i < 3; i++) used[corner[i]] = true;
        for (int32_t d = 0; d < l->count; d++) assert_true(circle_of(l, corner, d) <= 0);
        for (int32_t u = 0; u < t; u++) { // no edge has two triangles on one side
            for (int i = 0; i < 9; i++) {
                const int32_t *other = space->triangles[u].corners;
                bool same = other[i % 3] == corner[i / 3] && other[(i + 1) % 3] == corner[(i / 3 + 1) % 3];
                assert_false(same);
            }
        }
    }
    assert_true(area == hull_area(l));
    for (int32_t i = 0; i < l->count; i++) assert_true(used[i]);
}

// The point of the hull that is nearest to (x, y), outside of it: on one of all lines from sample to sample.
static void nearest_on_segments(const sinew_blend_space *space, double x, double y, double nearest[2]) {
    double least = HUGE_VAL;
    for (int32_t i = 0; i < space->sample_count; i++) {
        for (int32_t j = 0; j < i; j++) {
            double ax = space->samples[i].x, ay = space->samples[i].y;
            double bx = space->samples[j].x - ax, by = space->samples[j].y - ay;
            double t = fmin(1, fmax(0, ((x - ax) * bx + (y - ay) * by) / (bx * bx + by * by)));
            double distance = hypot(ax + t * bx - x, ay + t * by - y);
            if (distance >= least) continue;
            least = distance;
            nearest[0] = ax + t * bx;
            nearest[1] = ay + t * by;
        }
    }
}

static bool is_in_a_triangle(const sinew_blend_space *space, const double *weights) {
    for (int32_t t = 0; t < space->triangle_count; t++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) sum += weights[space->triangles[t].corners[i]];
        if (sum > 1 - 1e-6) return true;
    }
    return false;
}

// Weighted, the corners are the parameter; or, outside, the nearest point of the hull.
static void check_mean_is_the_parameter(const sinew_blend_space *space, float x, float y, double tolerance) {
    double weights[MOST], mean[2] = {0, 0}, inside[2] = {0, 0}, expected[2] = {x, y};
    weigh(space, x, y, weights);
    for (int32_t i = 0; i < space->sample_count; i++) {
        mean[0] += weights[i] * space->samples[i].x;
        mean[1] += weights[i] * space->samples[i].y;
    }
    assert_true(is_in_a_triangle(space, weights));
    for (int32_t t = 0; t < space->triangle_count; t++) { // by Cramer's rule
        const sinew_blend_sample *c[3];
        for (int i = 0; i < 3; i++) c[i] = &space->samples[space->triangles[t].corners[i]];
        double ux = (double)c[1]->x - c[0]->x, uy = (double)c[1]->y - c[0]->y, vx = (double)c[2]->x - c[0]->x,
               vy = (double)c[2]->y - c[0]->y, px = (double)x - c[0]->x, py = (double)y - c[0]->y;
        double area = ux * vy - uy * vx, u = (px * vy - py * vx) / area, v = (ux * py - uy * px) / area;
        if (u >= 0 && v >= 0 && u + v <= 1) inside[0] = 1;
    }
    if (inside[0] == 0) nearest_on_segments(space, x, y, expected);
    check_near(mean[0], expected[0], tolerance);
    check_near(mean[1], expected[1], tolerance);
}

static void test_circles_of_triangles_are_empty(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 120; round++) {
        lattice l = {.shift = 0};
        int32_t count = 3 + random_below(&random, round % 10 == 0 ? 62 : 15), kind = round % 3;
        int32_t range = kind == 0 ? 2000 : kind == 1 ? 6 : 40; // few whole numbers: many on one line or circle
        lattice_add(&l, 0, 0);
        lattice_add(&l, 1, 0);
        lattice_add(&l, 1, 2);
        while (l.count < count && l.count < range * range) {
            lattice_add(&l, random_below(&random, range) - range / 2, random_below(&random, range) - range / 2);
        }
        lattice_shuffle(&l, &random);
        sinew_blend_space *space = lattice_space(&l);
        check_delaunay(&l, space);
        check_samples_are_alone_at_their_points(space);
        for (int i = 0; i < 60; i++) {
            float far = i % 2 ? (float)range : 0.6f * (float)range;
            float x = random_float(&random, -far, far), y = random_float(&random, -far, far);
            check_mean_is_the_parameter(space, x, y, 1e-6 * range);
        }
        sinew_blend_space_destroy(space);
    }
}

// Thirty-six points on one circle, and then its centre.
static void test_points_of_one_circle_have_one_triangulation(void **state) {
    (void)state;
    uint64_t random = 4;
    lattice l = {.shift = 0};
    for (int64_t x = -65; x <= 65; x++) {
        for (int64_t y = -65; y <= 65; y++) {
            if (x * x + y * y == (int64_t)65 * 65) lattice_add(&l, x, y);
        }
    }
    assert_int_equal(l.count, 36);
    for (int round = 0; round < 4; round++) {
        if (round == 2) lattice_add(&l, 0, 0);
        lattice_shuffle(&l, &random);
        sinew_blend_space *space = lattice_space(&l);
        check_delaunay(&l, space);
        assert_int_equal(space->triangle_count, round < 2 ? 34 : 36);
        sinew_blend_space_destroy(space);
    }
}

// So flat, and so nearly on lines and circles, that doubles alone would say anything.
static void test_flat_points_are_told_apart(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 60; round++) {
        lattice l = {.shift = 10 + round % 31};
        int32_t count = 4 + random_below(&random, 24);
        lattice_add(&l, 0, 0);
        lattice_add(&l, 1, 1);
        lattice_add(&l, 2, 0);
        while (l.count < count) lattice_add(&l, random_below(&random, 40), random_below(&random, 3));
        sinew_blend_space *space = lattice_space(&l);
        check_delaunay(&l, space);
        check_samples_are_alone_at_their_points(space);
        float unit = (float)ldexp(1, -l.shift);
        for (int i = 0; i < 60; i++) {
            float x = (float)random_below(&random, 400) / 8 - 5,
                  y = (float)(random_below(&random, 40) - 10) / 8 * unit;
            double weights[MOST], mean = 0;
            weigh(space, x, y, weights);
            assert_true(is_in_a_triangle(space, weights));
            for (int32_t s = 0; s < l.count; s++) mean += weights[s] * (double)l.x[s];
            double low = 40, high = 0;
            for (int32_t s = 0; s < l.count; s++) {
                low = fmin(low, (double)l.x[s]);
                high = fmax(high, (double)l.x[s]);
            }
            check_near(mean, fmin(high, fmax(low, x)), 1e-2 + 40 * unit); // nothing is further off in y than unit
        }
        sinew_blend_space_destroy(space);
    }
}

static bool has_triangle(const sinew_blend_space *space, const place p[3]) {
    for (int32_t t = 0; t < space->triangle_count; t++) {
        int found = 0;
        for (int i = 0; i < 9; i++) {
            const sinew_blend_sample *corner = &space->samples[space->triangles[t].corners[i / 3]];
            found += corner->x == p[i % 3].x && corner->y == p[i % 3].y;
        }
        if (found == 3) return true;
    }
    return false;
}

static place corner_of(const sinew_blend_space *space, int32_t t, int i, float mirror) {
    const sinew_blend_sample *corner = &space->samples[space->triangles[t].corners[i]];
    return (place){mirror * corner->x, corner->y};
}

// A grid has a choice of diagonals in each cell: they do not depend on the order of the samples, and left mirrors
// right.
static void test_a_grid_has_the_same_diagonals_in_any_order(void **state) {
    (void)state;
    uint64_t random = 6;
    lattice l = {.shift = 0};
    for (int64_t x = -3; x <= 3; x++) {
        for (int64_t y = -3; y <= 3; y++) lattice_add(&l, x, y);
    }
    sinew_blend_space *space = lattice_space(&l);
    assert_int_equal(space->triangle_count, 72);
    for (int round = 0; round < 5; round++) {
        lattice_shuffle(&l, &random);
        sinew_blend_space *other = lattice_space(&l);
        check_delaunay(&l, other);
        for (int32_t t = 0; t < 72; t++) {
            for (int mirror = -1; mirror <= 1; mirror += 2) {
                place p[3];
                for (int i = 0; i < 3; i++) p[i] = corner_of(space, t, i, (float)mirror);
                assert_true(has_triangle(other, p));
            }
        }
        sinew_blend_space_destroy(other);
    }
    assert_true(has_triangle(space, (place[3]){{1, 1}, {2, 2}, {2, 1}})); // from the corner nearest to (0, 0)
    assert_true(has_triangle(space, (place[3]){{-1, 1}, {-2, 2}, {-2, 1}}));
    sinew_blend_space_destroy(space);
}

static void test_far_parameters_are_at_the_outline(void **state) {
    (void)state;
    const place places[5] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    sinew_blend_space *space = make_space(SINEW_BLEND_SPACE_TRIANGLES, places, 5);
    for (int exponent = 2; exponent < 127; exponent += 3) {
        const float far = ldexpf(1, exponent);
        double weights[MOST];
        weigh(space, far, 0, weights);
        check_near(weights[1], 1, 0);
        weigh(space, -far, far, weights); // the middle of an edge
        check_near(weights[2], 0.5, 1e-7);
        check_near(weights[3], 0.5, 1e-7);
        weigh(space, 0.25f * far, -far, weights);
        check_near(weights[4], 1, 0);
    }
    sinew_blend_space_destroy(space);
}

// ---- Continuity ----------------------------------------------------------------------------------------------

// In a triangle a weight goes from 0 to 1 over its height; the nearest point of a convex outline moves no faster
// than the parameter.
static double slope_of_triangles(const sinew_blend_space *space) {
    double slope = 0;
    for (int32_t t = 0; t < space->triangle_count; t++) {
        const sinew_blend_sample *c[3];
        for (int i = 0; i < 3; i++) c[i] = &space->samples[space->triangles[t].corners[i]];
        double area = fabs(((double)c[1]->x - c[0]->x) * ((double)c[2]->y - c[0]->y) -
                           ((double)c[1]->y - c[0]->y) * ((double)c[2]->x - c[0]->x));
        for (int i = 0; i < 3; i++) {
            const sinew_blend_sample *a = c[i], *b = c[(i + 1) % 3];
            slope = fmax(slope, hypot((double)a->x - b->x, (double)a->y - b->y) / area);
        }
    }
    return slope;
}

static void test_weights_in_triangles_are_continuous(void **state) {
    (void)state;
    uint64_t random = 11;
    for (int round = 0; round < 12; round++) {
        lattice l = {.shift = 0};
        while (l.count < 4 + 2 * round) lattice_add(&l, random_below(&random, 9) - 4, random_below(&random, 9) - 4);
        sinew_blend_space *space = lattice_space(&l);
        check_continuity(space, slope_of_triangles(space), 6, &random);
        sinew_blend_space_destroy(space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circles_of_triangles_are_empty),
        cmocka_unit_test(test_points_of_one_circle_have_one_triangulation),
        cmocka_unit_test(test_flat_points_are_told_apart),
        cmocka_unit_test(test_a_grid_has_the_same_diagonals_in_any_order),
        cmocka_unit_test(test_far_parameters_are_at_the_outline),
        cmocka_unit_test(test_weights_in_triangles_are_continuous),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
