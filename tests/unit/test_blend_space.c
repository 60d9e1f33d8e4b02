// SPDX-License-Identifier: MIT
// Blend spaces: what's refused, weights on a line and by direction, and the damped parameter.
#include "support/blend_samples.h"

#include "core/blend_space_data.h"
#include "base/angle.h"
#include "base/decay.h"

#include <float.h>

static double length_of(double x, double y) {
    return hypot(x, y);
}

static double angle_of(double x, double y) {
    return atan2(y, x);
}

// ---- Own functions in place of libm's ------------------------------------------------------------------------

static void test_decay_is_the_exponential_function(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 200000; i++) {
        double a = i < 100000 ? (double)random_float(&random, 0, 708) : i * 1e-5;
        double expected = (double)expl(-(long double)a);
        check_near(sinewi_decay(a), expected, 3e-16 * expected);
    }
    assert_true(sinewi_decay(0) == 1);
    assert_true(sinewi_decay(1e-300) == 1);
    assert_true(sinewi_decay(707.9999) > DBL_MIN);
    assert_true(sinewi_decay(708) == 0);
    assert_true(sinewi_decay(HUGE_VAL) == 0);
}

static void test_angle_is_that_of_the_direction(void **state) {
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 200000; i++) {
        double turn = (i - 100000) / 100000.0 * PI, length = (double)random_float(&random, 1e-20f, 1e20f);
        double x = i % 3 ? length * cos(turn) : (double)random_float(&random, -1e-3f, 1e-3f);
        double y = i % 3 ? length * sin(turn) : (double)random_float(&random, -1, 1);
        check_near(sinewi_angle(x, y), (double)atan2l(y, x), 5e-16);
    }
    const double extremes[5] = {0, 1e-45, 1, 3e38, -1};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            double expected = atan2(extremes[i], extremes[j]);
            check_near(sinewi_angle(extremes[j], extremes[i]), expected, 5e-16);
        }
    }
}

// ---- Making --------------------------------------------------------------------------------------------------

static void test_what_is_refused_is_named(void **state) {
    (void)state;
    enum { LINE = SINEW_BLEND_SPACE_LINE, TRIANGLES = SINEW_BLEND_SPACE_TRIANGLES };
    enum { DIRECTIONAL = SINEW_BLEND_SPACE_DIRECTIONAL };
    sinew_blend_sample line[3] = {{w.clip, 0, NAN, 1}, {w.clip, 1, 0, 1}, {w.clip, 2, 0, 1}};
    sinew_blend_sample twice[3] = {{w.clip, 0, 1, 1}, {w.clip, 1, 0, 1}, {w.clip, 0, 2, 1}};
    sinew_blend_sample zeros[4] = {
        {w.clip, 0, 0, 1}, {w.clip, 1, 0, 1}, {w.clip, 0, 1, 1}, {w.clip, -0.0f, -0.0f, 1}};
    sinew_blend_sample unplaced[2] = {{w.clip, 0, 0, 1}, {w.clip, 1, NAN, 1}};
    sinew_blend_sample endless[2] = {{w.clip, 0, 0, 1}, {w.clip, INFINITY, 0, 1}};
    sinew_blend_sample unpaced[1] = {{w.clip, 0, 0, NAN}};
    sinew_blend_sample still[2] = {{w.clip, 0, 0, 1}, {.clip = w.clip, .x = 1}};
    sinew_blend_sample backward[2] = {{w.clip, 0, 0, 1}, {w.clip, 1, 0, -1}};
    sinew_blend_sample clipless[2] = {{w.clip, 0, 0, 1}, {NULL, 1, 0, 1}};
    sinew_blend_sample foreign[2] = {{w.clip, 0, 0, 1}, {w.foreign, 1, 0, 1}};
    sinew_blend_sample aslant[3] = {{w.clip, 0, 0, 1}, {w.clip, 3, 1, 1}, {w.clip, -6, -2, 1}};
    sinew_blend_sample running[2] = {{w.clip, 0, 1, 1}, {w.clip, 1, 0, 1}};
    sinew_blend_sample hair[3] = {{w.clip, 0, 0, 1}, {w.clip, 0, 1, 1}, {w.clip, 1e-40f, 1, 1}};
    sinew_blend_sample many[65];
    for (int i = 0; i < 65; i++) many[i] = (sinew_blend_sample){w.clip, (float)i, (float)(i * i), 1};
    const char *const names[2] = {"L", NULL};
    const struct {
        sinew_blend_sample *samples;
        int32_t count, kind;
        sinew_result result;
        const char *says;
    } cases[] = {
        {line, 3, LINE, SINEW_OK, NULL}, // y is not looked at
        {many, 64, LINE, SINEW_OK, NULL},
        {many, 64, TRIANGLES, SINEW_OK, NULL},
        {many, 32, DIRECTIONAL, SINEW_OK, NULL},
        {twice, 3, TRIANGLES, SINEW_OK, NULL},
        {line, 0, LINE, SINEW_ERROR_ARGUMENT, "no samples"},
        {line, -1, LINE, SINEW_ERROR_ARGUMENT, "no samples"},
        {NULL, 1, LINE, SINEW_ERROR_ARGUMENT, "no samples"},
        {line, 3, 3, SINEW_ERROR_ARGUMENT, "unknown kind 3"},
        {line, 3, -1, SINEW_ERROR_ARGUMENT, "unknown kind -1"},
        {many, 65, LINE, SINEW_ERROR_LIMIT, "65 samples, but this kind can have at most 64"},
        {many, 65, TRIANGLES, SINEW_ERROR_LIMIT, "65 samples, but this kind can have at most 64"},
        {many, 33, DIRECTIONAL, SINEW_ERROR_LIMIT, "33 samples, but this kind can have at most 32"},
        {twice, 3, LINE, SINEW_ERROR_ARGUMENT, "samples[2] is at the same point as samples[0]"},
        {zeros, 4, TRIANGLES, SINEW_ERROR_ARGUMENT, "samples[3] is at the same point as samples[0]"},
        {unplaced, 2, TRIANGLES, SINEW_ERROR_ARGUMENT, "samples[1]: x, y or speed"},
        {endless, 2, LINE, SINEW_ERROR_ARGUMENT, "samples[1]: x, y or speed"},
        {unpaced, 1, LINE, SINEW_ERROR_ARGUMENT, "samples[0]: x, y or speed"},
        {still, 2, LINE, SINEW_ERROR_ARGUMENT, "samples[1].speed must not be 0"},
        {backward, 2, LINE, SINEW_OK, NULL},
        {clipless, 2, LINE, SINEW_ERROR_ARGUMENT, "samples[1]: no clip"},
        {foreign, 2, LINE, SINEW_ERROR_ARGUMENT, "samples[1]: its clip 'foreign' belongs to a different skeleton"},
        {aslant, 3, TRIANGLES, SINEW_ERROR_ARGUMENT, "are on one line"},
        {running, 2, TRIANGLES, SINEW_ERROR_ARGUMENT, "are on one line"},
        {running, 2, DIRECTIONAL, SINEW_ERROR_ARGUMENT, "no sample at (0, 0)"},
        {aslant, 1, DIRECTIONAL, SINEW_ERROR_ARGUMENT, "no sample except at (0, 0)"},
        {hair, 3, DIRECTIONAL, SINEW_ERROR_ARGUMENT, "samples[1] and samples[2] are too close"},
    };
    counting c = {0};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.allocator = counting_allocator(&c);
    sinew_blend_space *space;
    sinew_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        def.skeleton = w.skeleton;
        def.samples = cases[i].samples;
        def.sample_count = cases[i].count;
        def.kind = (sinew_blend_space_kind)cases[i].kind;
        assert_int_equal(sinew_blend_space_create(&def, &space, &error), cases[i].result);
        if (!cases[i].says) {
            sinew_blend_space_destroy(space);
        } else {
            assert_null(space);
            if (!strstr(error.message, cases[i].says)) fail_msg("'%s', not '%s'", error.message, cases[i].says);
            assert_int_equal(sinew_blend_space_create(&def, &space, NULL), cases[i].result);
        }
        assert_int_equal(c.live, 0);
    }

    def = sinew_blend_space_default();
    def.samples = line;
    def.sample_count = 3;
    assert_int_equal(sinew_blend_space_create(&def, &space, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "no skeleton"));
    def.skeleton = w.skeleton;
    const float dampings[4] = {-0.1f, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        def.damping = dampings[i];
        assert_int_equal(sinew_blend_space_create(&def, &space, &error), SINEW_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "damping is"));
    }
    def.damping = 0;
    def.sync_names = names;
    def.sync_name_count = 2;
    assert_int_equal(sinew_blend_space_create(&def, &space, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "sync_names[1] is NULL"));
    const struct {
        const char *const *names;
        int32_t count;
    } wrong[3] = {{NULL, 1}, {names, -1}, {names, 65}};
    for (int i = 0; i < 3; i++) {
        def.sync_names = wrong[i].names;
        def.sync_name_count = wrong[i].count;
        assert_int_equal(sinew_blend_space_create(&def, &space, &error), SINEW_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "sync names"));
    }
    sinew_blend_space_destroy(NULL);
}

static void test_all_is_copied_into_one_piece_of_memory(void **state) {
    (void)state;
    for (int kind = SINEW_BLEND_SPACE_LINE; kind <= SINEW_BLEND_SPACE_DIRECTIONAL; kind++) {
        counting c = {0};
        sinew_blend_sample samples[4] = {
            {w.clip, 0, 0, 1}, {w.clip, 2, 0, 2}, {w.clip, 1, 1, 3}, {w.clip, 3, 1, 4}};
        sinew_blend_space_def def = sinew_blend_space_default();
        def.skeleton = w.skeleton;
        def.kind = (sinew_blend_space_kind)kind;
        def.samples = samples;
        def.sample_count = 4;
        def.damping = 0.25f;
        def.allocator = counting_allocator(&c);
        sinew_blend_space *space;
        assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
        memset(samples, 0, sizeof samples);
        assert_int_equal(c.allocations, 1);
        assert_int_equal(c.bytes, space->memory);
        assert_ptr_equal(space->skeleton, w.skeleton);
        assert_int_equal(space->kind, kind);
        assert_int_equal(space->sample_count, 4);
        assert_true(space->damping == 0.25f);
        for (int i = 0; i < 4; i++) {
            assert_ptr_equal(space->samples[i].clip, w.clip);
            assert_true(space->samples[i].speed == (float)(i + 1));
        }
        check_samples_are_alone_at_their_points(space);
        sinew_blend_space_destroy(space);
        assert_int_equal(c.live, 0);

        c = (counting){.fail_at = 1};
        sinew_error error;
        place_samples((place[4]){{0, 0}, {2, 0}, {1, 1}, {3, 1}}, 4, samples);
        assert_int_equal(sinew_blend_space_create(&def, &space, &error), SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_null(space);
    }
}

static void test_samples_have_their_clips_steps(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    char left[] = "Foot_L", right[] = "Foot_R";
    const char *const names[2] = {left, right};
    const sinew_blend_sample samples[3] = {{sinew_asset_find_clip(asset, "Idle"), 0, 0, 1},
                                           {sinew_asset_find_clip(asset, "Walk"), 1.5f, 0, 1},
                                           {sinew_asset_find_clip(asset, "Run"), 4, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = asset->skeleton;
    def.samples = samples;
    def.sample_count = 3;
    def.sync_names = names;
    def.sync_name_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    memset(left, 0, sizeof left);
    // Idle has no steps of its own. It gets as many pairs as bring it closest to its own pace.
    double pace = 4.0 / ((double)samples[1].clip->duration + (double)samples[2].clip->duration);
    const int counts[3] = {2 * (int)lround((double)samples[0].clip->duration * pace / 2), 2, 2};
    assert_true(counts[0] > 2);
    for (int i = 0; i < 3; i++) assert_int_equal(space->data->intervals[i].count, counts[i]);
    sinew_blend_space_destroy(space);
    sinew_asset_destroy(asset);
}

// ---- On a line -----------------------------------------------------------------------------------------------

static void test_neighbours_on_a_line_share(void **state) {
    (void)state;
    const place places[4] = {{4, 9}, {-1, 9}, {1.5f, 9}, {0, 9}}; // in no order
    sinew_blend_space *space = make_space(SINEW_BLEND_SPACE_LINE, places, 4);
    const struct {
        float x;
        double weights[4];
    } cases[] = {
        {-1e30f, {0, 1, 0, 0}}, {-1.5f, {0, 1, 0, 0}},     {-1, {0, 1, 0, 0}},   {-0.75f, {0, 0.75, 0, 0.25}},
        {0, {0, 0, 0, 1}},      {0.75f, {0, 0, 0.5, 0.5}}, {1.5f, {0, 0, 1, 0}}, {2, {0.2, 0, 0.8, 0}},
        {4, {1, 0, 0, 0}},      {FLT_MAX, {1, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double weights[MOST];
        weigh(space, cases[i].x, NAN, weights);
        for (int s = 0; s < 4; s++) check_near(weights[s], cases[i].weights[s], 1e-7);
    }
    check_samples_are_alone_at_their_points(space);
    sinew_blend_space_destroy(space);

    space = make_space(SINEW_BLEND_SPACE_LINE, places, 1);
    double weights[MOST];
    assert_int_equal(weigh(space, -3, 0, weights), 1);
    sinew_blend_space_destroy(space);
}

// ---- By direction --------------------------------------------------------------------------------------------

// The sample at (0, 0), and some at each of some speeds all round.
static int32_t compass(place *places, int directions, const float *speeds, int speed_count) {
    int32_t count = 1;
    places[0] = (place){0, 0};
    for (int s = 0; s < speed_count; s++) {
        for (int d = 0; d < directions; d++) {
            double angle = 2 * PI * d / directions;
            places[count++] = (place){(float)(speeds[s] * cos(angle)), (float)(speeds[s] * sin(angle))};
        }
    }
    return count;
}

static void test_direction_and_length_interpolate_apart(void **state) {
    (void)state;
    const float speeds[2] = {1.5f, 4};
    place places[MOST];
    int32_t count = compass(places, 8, speeds, 2);
    sinew_blend_space *space = make_space(SINEW_BLEND_SPACE_DIRECTIONAL, places, count);
    check_samples_are_alone_at_their_points(space);
    uint64_t random = 7;
    for (int i = 0; i < 5000; i++) {
        int d = random_below(&random, 8);
        double u = random_float(&random, 0, 1), length = random_float(&random, 0, 5);
        double angle = 2 * PI * (d + u) / 8, weights[MOST], expected[MOST] = {0};
        int32_t count_given = weigh(space, (float)(length * cos(angle)), (float)(length * sin(angle)), weights);
        // In a cell of the grid each corner's share falls as the greater of both distances grows.
        double v = fmin(1, fmax(0, (length - 1.5) / 2.5)), moving = fmin(1, length / 1.5);
        double share[4] = {1 - fmax(u, v), 1 - fmax(1 - u, v), 1 - fmax(u, 1 - v), 1 - fmax(1 - u, 1 - v)};
        double sum = share[0] + share[1] + share[2] + share[3];
        for (int s = 0; s < 4; s++) expected[1 + s / 2 * 8 + (d + s % 2) % 8] += moving * share[s] / sum;
        expected[0] = 1 - moving;
        for (int32_t s = 0; s < count; s++) check_near(weights[s], expected[s], 3e-6);
        assert_in_range(count_given, 1, 5); // five a float's width from the rim
    }
    sinew_blend_space_destroy(space);
}

// Velocities of all kinds that are not too near each other.
static int32_t scatter(place *places, uint64_t *random) {
    int32_t count = 1, wanted = 2 + random_below(random, 11);
    places[0] = (place){0, 0};
    while (count < wanted) {
        double angle = random_float(random, -3.14f, 3.14f), length = random_float(random, 1, 4);
        place p = {(float)(length * cos(angle)), (float)(length * sin(angle))};
        bool near = false;
        for (int32_t i = 1; i < count; i++) near |= length_of(p.x - places[i].x, p.y - places[i].y) < 0.4;
        if (!near) places[count++] = p;
    }
    return count;
}

// The same in another way, by libm: each velocity is many points of a plane, one a turn, and the bands go between
// them all.
static void share_in_plane(const sinew_blend_space *space, double angle, double length, double shares[MOST]) {
    enum { TURNS = 4, POINTS = MOST * (2 * TURNS + 1) };
    static double along[POINTS], around[POINTS];
    int32_t owner[POINTS], points = 0, moving = space->sample_count - 1;
    double mean = 0, sum = 0;
    for (int32_t i = 1; i <= moving; i++) mean += length_of(space->samples[i].x, space->samples[i].y) / moving;
    for (int32_t i = 1; i <= moving; i++) {
        for (int turn = -TURNS; turn <= TURNS; turn++) {
            along[points] = length_of(space->samples[i].x, space->samples[i].y) / mean;
            around[points] = 2 * (angle_of(space->samples[i].x, space->samples[i].y) + 2 * PI * turn);
            owner[points++] = i;
        }
    }
    double px = length / mean, py = 2 * angle;
    memset(shares, 0, MOST * sizeof *shares);
    for (int32_t i = 0; i < points; i++) {
        double least = 1;
        for (int32_t j = 0; j < points; j++) {
            double ux = along[j] - along[i], uy = around[j] - around[i];
            if (j != i)
                least = fmin(least, 1 - ((px - along[i]) * ux + (py - around[i]) * uy) / (ux * ux + uy * uy));
        }
        shares[owner[i]] += fmax(0, least);
        sum += fmax(0, least);
    }
    for (int32_t i = 1; i <= moving; i++) shares[i] /= sum;
}

static void weigh_in_plane(const sinew_blend_space *space, double x, double y, double weights[MOST]) {
    double shortest = HUGE_VAL, longest = 0, rim = 0, length = length_of(x, y), angle = atan2(y, x);
    for (int32_t i = 1; i < space->sample_count; i++) {
        shortest = fmin(shortest, length_of(space->samples[i].x, space->samples[i].y));
        longest = fmax(longest, length_of(space->samples[i].x, space->samples[i].y));
    }
    share_in_plane(space, angle, shortest, weights);
    for (int32_t i = 1; i < space->sample_count; i++) {
        rim += weights[i] * length_of(space->samples[i].x, space->samples[i].y);
    }
    share_in_plane(space, angle, fmin(longest, fmax(shortest, length)), weights);
    double moving = fmin(1, length / rim);
    for (int32_t i = 1; i < space->sample_count; i++) weights[i] *= moving;
    weights[0] = 1 - moving;
}

static void test_bands_reach_round_the_circle(void **state) {
    (void)state;
    uint64_t random = 8;
    for (int round = 0; round < 100; round++) {
        place places[MOST];
        int32_t count = scatter(places, &random);
        sinew_blend_space *space = make_space(SINEW_BLEND_SPACE_DIRECTIONAL, places, count);
        check_samples_are_alone_at_their_points(space);
        for (int i = 0; i < 50; i++) {
            double expected[MOST], weights[MOST];
            float x = random_float(&random, -5, 5), y = random_float(&random, -5, 5);
            weigh(space, x, y, weights);
            weigh_in_plane(space, x, y, expected);
            for (int32_t s = 0; s < count; s++) check_near(weights[s], expected[s], 2e-6);
        }
        sinew_blend_space_destroy(space);
    }
}

// Within all others what stands still takes just so much that they are as slow as asked; beyond them, nothing.
static void test_a_blend_is_as_slow_as_its_parameter(void **state) {
    (void)state;
    uint64_t random = 9;
    for (int round = 0; round < 100; round++) {
        place places[MOST];
        int32_t count = scatter(places, &random);
        sinew_blend_space *space = make_space(SINEW_BLEND_SPACE_DIRECTIONAL, places, count);
        double shortest = HUGE_VAL, longest = 0;
        for (int32_t i = 1; i < count; i++) {
            shortest = fmin(shortest, length_of(places[i].x, places[i].y));
            longest = fmax(longest, length_of(places[i].x, places[i].y));
        }
        for (int i = 0; i < 100; i++) {
            float x = random_float(&random, -4, 4), y = random_float(&random, -4, 4);
            double weights[MOST], speed = 0, asked = length_of(x, y);
            weigh(space, x, y, weights);
            for (int32_t s = 1; s < count; s++) speed += weights[s] * length_of(places[s].x, places[s].y);
            if (asked < shortest) check_near(speed, asked, 1e-5);
            if (asked > longest) check_near(weights[0], 0, 0);
        }
        sinew_blend_space_destroy(space);
    }
}

// ---- Continuity ----------------------------------------------------------------------------------------------

// Between two neighbours a weight goes from 0 to 1.
static void test_weights_on_a_line_are_continuous(void **state) {
    (void)state;
    uint64_t random = 10;
    const place places[6] = {{-2, 0}, {-1.5f, 0}, {0, 0}, {1, 0}, {3, 0}, {3.25f, 0}};
    sinew_blend_space *space = make_space(SINEW_BLEND_SPACE_LINE, places, 6);
    check_continuity(space, 1 / 0.25, 4, &random);
    sinew_blend_space_destroy(space);
}

// Of n velocities that are at least D apart in the strip a band changes by 1/D at most, a share, in which two turns
// may count, by 2/D, and, as the shares sum to 1/2 or more, a share of all by 4 (n + 1) / D. The strip is at most
// sqrt(1/mean² + (2/l)²) as wide as the plane, l being the length; what the others have in all is at most l over
// the shortest, so that for their weights it is G = sqrt(1/mean² + (2/shortest)²). What they have in all, l / rim,
// changes by 1/shortest and by what the rim changes.
static double slope_of_directions(const sinew_blend_space *space) {
    int32_t n = space->sample_count - 1;
    double shortest = HUGE_VAL, longest = 0, mean = 0, apart = 2 * 2 * PI; // a velocity is a turn from itself
    for (int32_t i = 1; i <= n; i++) {
        double length = length_of(space->samples[i].x, space->samples[i].y);
        shortest = fmin(shortest, length);
        longest = fmax(longest, length);
        mean += length / n;
    }
    for (int32_t i = 1; i <= n; i++) {
        for (int32_t j = 1; j < i; j++) {
            const sinew_blend_sample *a = &space->samples[i], *b = &space->samples[j];
            double along = (length_of(a->x, a->y) - length_of(b->x, b->y)) / mean;
            double around = 2 * fabs(angle_of(a->x, a->y) - angle_of(b->x, b->y));
            apart = fmin(apart, length_of(along, fmin(around, 4 * PI - around)));
        }
    }
    double of_shares = 4 * (n + 1) / apart * length_of(1 / mean, 2 / shortest);
    return 1 / shortest + (1 + n * longest / shortest) * of_shares;
}

static void test_weights_by_direction_are_continuous(void **state) {
    (void)state;
    uint64_t random = 12;
    for (int round = 0; round < 24; round++) {
        place places[MOST];
        const float speeds[2] = {1, 3};
        int32_t count = round < 6 ? compass(places, round + 1, speeds, 2) : scatter(places, &random);
        sinew_blend_space *space = make_space(SINEW_BLEND_SPACE_DIRECTIONAL, places, count);
        double slope = slope_of_directions(space);
        check_continuity(space, slope, 4, &random);
        for (int i = 0; i < 100; i++) { // across the ray behind each sample, where the angle comes round
            const sinew_blend_sample *s = &space->samples[1 + random_below(&random, count - 1)];
            float back = -random_float(&random, 0.1f, 2), side = random_float(&random, 0, 0.3f);
            place from = {back * s->x - side * s->y, back * s->y + side * s->x};
            check_no_jump(space, from, (place){back * s->x + side * s->y, back * s->y - side * s->x}, slope);
        }
        sinew_blend_space_destroy(space);
    }
}

static void test_extreme_points_have_weights(void **state) {
    (void)state;
    const place huge[5] = {{0, 0}, {FLT_MAX, FLT_MAX}, {-FLT_MAX, FLT_MAX}, {FLT_MAX, -1}, {1e-45f, -FLT_MAX}};
    const place tiny[5] = {{0, 0}, {1e-45f, 1e-45f}, {-1e-45f, 1e-45f}, {3e-45f, -1e-45f}, {1e-38f, -1e-30f}};
    const place both[5] = {{0, 0}, {1e-45f, 0}, {0, FLT_MAX}, {-FLT_MAX, 1e-45f}, {1, -1}};
    const place *const sets[3] = {huge, tiny, both};
    for (int set = 0; set < 3; set++) {
        for (int kind = SINEW_BLEND_SPACE_TRIANGLES; kind <= SINEW_BLEND_SPACE_DIRECTIONAL; kind++) {
            sinew_blend_space *space = make_space((sinew_blend_space_kind)kind, sets[set], 5);
            check_samples_are_alone_at_their_points(space);
            const float at[9] = {0, 1e-45f, -1e-45f, 1e-30f, -1, 1, 1e30f, -FLT_MAX, FLT_MAX};
            for (int i = 0; i < 81; i++) {
                double weights[MOST];
                weigh(space, at[i / 9], at[i % 9], weights);
            }
            sinew_blend_space_destroy(space);
        }
    }
}

// ---- The parameter -------------------------------------------------------------------------------------------

static sinew_blend_space *make_damped(sinew_blend_space_kind kind, float damping) {
    const sinew_blend_sample samples[3] = {{w.clip, 0, 0, 1}, {w.clip, 1, 2, 1}, {w.clip, 4, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = w.skeleton;
    def.kind = kind;
    def.samples = samples;
    def.sample_count = 3;
    def.damping = damping;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

static void test_a_parameter_is_half_way_after_its_half_life(void **state) {
    (void)state;
    sinew_blend_space *space = make_damped(SINEW_BLEND_SPACE_TRIANGLES, 0.25f);
    for (int frames = 1; frames <= 4096; frames *= 4) {
        sinew_blend_parameter p = {0};
        for (int half_life = 1; half_life <= 4; half_life++) {
            for (int i = 0; i < frames; i++) {
                assert_true(sinew_blend_parameter_follow(&p, space, 3, -2, 0.25f / (float)frames));
            }
            // A critically damped spring that is half-way after a half-life, by libm: (1 + a) e^-a, 1/2 at a =
            // 1.678.
            double a = 1.6783469900166607 * half_life, left = (1 + a) * exp(-a);
            if (half_life == 1) check_near(left, 0.5, 1e-15);
            check_near(p.x, 3 - 3 * left, 1e-11);
            check_near(p.y, -2 + 2 * left, 1e-11);
            check_near(p.vx, 3 * a / half_life / 0.25 * a * exp(-a), 1e-9); // the derivative
        }
    }
    sinew_blend_space_destroy(space);
}

static void test_a_parameter_never_goes_past_its_target(void **state) {
    (void)state;
    sinew_blend_space *space = make_damped(SINEW_BLEND_SPACE_TRIANGLES, 0.1f);
    uint64_t random = 13;
    for (int round = 0; round < 200; round++) {
        sinew_blend_parameter p = {0};
        double low = 0, high = 0;
        for (int change = 0; change < 20; change++) {
            float target = random_float(&random, -4, 4);
            low = fmin(low, target);
            high = fmax(high, target);
            if (change % 5 == 4) p.vx = 1000 * (target - p.x); // much too fast
            for (int frame = random_below(&random, 30); frame >= 0; frame--) {
                double before = target - p.x;
                sinew_blend_parameter_follow(&p, space, target, 0, random_float(&random, 0, 0.05f));
                double after = target - p.x;
                if (before * p.vx >= 0 && fabs(before) > 1e-12) assert_true(before * after >= 0);
                assert_true(p.x >= low - 1e-12 && p.x <= high + 1e-12); // however often it changes its mind
            }
        }
    }
    sinew_blend_space_destroy(space);
}

static void test_a_parameter_arrives(void **state) {
    (void)state;
    sinew_blend_space *space = make_damped(SINEW_BLEND_SPACE_TRIANGLES, 0.1f);
    const float dts[3] = {1.0f / 1000, 1.0f / 60, 3}, targets[4] = {2.3f, 0, 1000, 1e30f};
    for (int i = 0; i < 12; i++) {
        sinew_blend_parameter p = {.x = 1, .y = -1, .vx = 1};
        double seconds = 0;
        float x = targets[i / 3], y = -3.1f, dt = dts[i % 3];
        while (sinew_blend_parameter_follow(&p, space, x, y, dt)) {
            seconds += dt;
            assert_true(seconds < 5);
        }
        assert_true(p.x == x && p.y == y && p.vx == 0 && p.vy == 0);
        assert_false(sinew_blend_parameter_follow(&p, space, x, y, dt));
        assert_false(sinew_blend_parameter_follow(&p, space, x + 1, y, 0)); // no time, no way
        assert_true(sinew_blend_parameter_follow(&p, space, x + 0.5f * x + 1, y, dt));
    }
    sinew_blend_space_destroy(space);
}

static void test_a_parameter_without_damping_is_there(void **state) {
    (void)state;
    sinew_blend_space *space = make_damped(SINEW_BLEND_SPACE_TRIANGLES, 0),
                      *line = make_damped(SINEW_BLEND_SPACE_LINE, 0);
    sinew_blend_space *damped = make_damped(SINEW_BLEND_SPACE_LINE, 0.1f);
    sinew_blend_parameter p = {.vx = 5};
    assert_true(sinew_blend_parameter_follow(&p, space, 1, 2, 0));
    assert_true(p.x == 1 && p.y == 2 && p.vx == 0);
    assert_false(sinew_blend_parameter_follow(&p, space, 1, 2, 1));
    p.y = 7; // along a line y stays
    assert_true(sinew_blend_parameter_follow(&p, line, 3, NAN, 1));
    assert_true(sinew_blend_parameter_follow(&p, damped, 4, NAN, 0.1f));
    assert_true(p.y == 7 && p.vy == 0);
    check_near(p.x, 3.5, 1e-7);
    sinew_blend_space_destroy(space);
    sinew_blend_space_destroy(line);
    sinew_blend_space_destroy(damped);
}

// ---- Bits ----------------------------------------------------------------------------------------------------

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u; // FNV-1a
    return hash;
}

// What came out of one machine and compiler must come out of them all.
static void test_weights_have_the_same_bits_everywhere(void **state) {
    (void)state;
    const place places[9] = {{0, 0},     {1.5f, 0}, {1, 1.125f}, {-0.25f, 1.375f}, {-1.25f, -0.5f},
                             {0.5f, -1}, {4, 0.5f}, {2.5f, 3},   {-1, 3.75f}};
    uint64_t hash = 14695981039346656037u;
    for (int kind = SINEW_BLEND_SPACE_LINE; kind <= SINEW_BLEND_SPACE_DIRECTIONAL; kind++) {
        sinew_blend_space *space = make_space((sinew_blend_space_kind)kind, places, 9);
        sinew_blend_parameter at = {0};
        uint64_t random = 15;
        for (int i = 0; i < 4000; i++) {
            float x = random_float(&random, -5, 5), y = random_float(&random, -5, 5);
            sinew_blend_parameter_follow(&at, space, x, y, random_float(&random, 0, 0.1f));
            sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
            int32_t count = sinew_blend_space_weights(space, (float)at.x, (float)at.y, weights);
            hash = hash_bytes(hash, weights, (size_t)count * sizeof *weights);
            hash = hash_bytes(hash, &at, sizeof at);
        }
        sinew_blend_space_destroy(space);
    }
    if (hash != 0xfdb3411ff7b76e4fu) fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decay_is_the_exponential_function),
        cmocka_unit_test(test_angle_is_that_of_the_direction),
        cmocka_unit_test(test_what_is_refused_is_named),
        cmocka_unit_test(test_all_is_copied_into_one_piece_of_memory),
        cmocka_unit_test(test_samples_have_their_clips_steps),
        cmocka_unit_test(test_neighbours_on_a_line_share),
        cmocka_unit_test(test_direction_and_length_interpolate_apart),
        cmocka_unit_test(test_bands_reach_round_the_circle),
        cmocka_unit_test(test_a_blend_is_as_slow_as_its_parameter),
        cmocka_unit_test(test_weights_on_a_line_are_continuous),
        cmocka_unit_test(test_weights_by_direction_are_continuous),
        cmocka_unit_test(test_extreme_points_have_weights),
        cmocka_unit_test(test_a_parameter_is_half_way_after_its_half_life),
        cmocka_unit_test(test_a_parameter_never_goes_past_its_target),
        cmocka_unit_test(test_a_parameter_arrives),
        cmocka_unit_test(test_a_parameter_without_damping_is_there),
        cmocka_unit_test(test_weights_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
