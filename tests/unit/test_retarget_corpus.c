// SPDX-License-Identifier: MIT
// Other people's motion on characters: where hips and soles are, where limbs point, how fast planted feet slide, and
// whether a take's heading matters. Prints a line for each pair. SINEW_CORPUS names the takes' folder.
#include "support/retarget_rig.h"

#include <sinew/io/bvh.h>
#include <sinew/humanoid/reference.h>

#include <stdio.h>

enum { TAKES = 10, TARGETS = 4, MAX_FRAMES = 700, ARMS = 4, BONES = 8 };

static const char *const takes[TAKES] = {"ad_cmu_jj",   "ad_fair_dab", "ad_rokoko", "ak_14_08",     "geno_bind",
                                         "geno_stance", "oh_freebvh",  "oh_walk01", "pb_bvh_test1", "pymo_8walk"};
static const character_kind targets[TARGETS] = {HERO, GOLEM, SPRITE, SCOUT};

// The bones that are compared, by the role at their start; each ends at the next role. Arms first.
static const int32_t bones[BONES] = {SINEW_HUMANOID_LEFT_UPPER_ARM,  SINEW_HUMANOID_LEFT_LOWER_ARM,
                                     SINEW_HUMANOID_RIGHT_UPPER_ARM, SINEW_HUMANOID_RIGHT_LOWER_ARM,
                                     SINEW_HUMANOID_LEFT_UPPER_LEG,  SINEW_HUMANOID_LEFT_LOWER_LEG,
                                     SINEW_HUMANOID_RIGHT_UPPER_LEG, SINEW_HUMANOID_RIGHT_LOWER_LEG};
static const int32_t feet[2] = {SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_RIGHT_FOOT};

// ---- Bodies --------------------------------------------------------------------------------------------------

typedef struct body {
    const sinew_asset *asset;
    sinew_humanoid roles;
    sinew_pose *pose, *reference;
    sinew_affine *model;
    exact_vec3
        balls[2]; // on the ground below the toes' joint in the reference, or below the ankle; in the foot's space
    double leg;   // the mean length of a thigh and a shin
} body;

// What is compared of a frame.
typedef struct frame {
    exact_vec3 bones[BONES];
    exact_vec3 ankles[2], balls[2];
    double legs_start; // the mean height of the upper legs
} frame;

static exact_vec3 position_of(const exact_node *nodes, const body *b, int32_t role) {
    return exact_position(&nodes[b->roles.nodes[role]]);
}

static frame measure(const body *b) {
    frame f;
    exact_node *nodes = exact_model(b->pose);
    for (int i = 0; i < BONES; i++)
        f.bones[i] = exact_add(position_of(nodes, b, bones[i] + 1), position_of(nodes, b, bones[i]), -1);
    for (int side = 0; side < 2; side++) {
        const exact_node *foot = &nodes[b->roles.nodes[feet[side]]];
        f.ankles[side] = exact_position(foot);
        f.balls[side] = exact_add(f.ankles[side], exact_rotate(foot->rotation, b->balls[side]), 1);
    }
    f.legs_start = 0.5 * (position_of(nodes, b, SINEW_HUMANOID_LEFT_UPPER_LEG).y +
                          position_of(nodes, b, SINEW_HUMANOID_RIGHT_UPPER_LEG).y);
    free(nodes);
    return f;
}

// Finds the balls of the feet in the reference; the ground is at the lowest node.
static void find_balls(body *b) {
    sinew_pose_copy(b->pose, b->reference);
    exact_node *nodes = exact_model(b->pose);
    double ground = INFINITY;
    for (int32_t i = 0; i < b->asset->skeleton->node_count; i++) ground = fmin(ground, exact_position(&nodes[i]).y);
    for (int side = 0; side < 2; side++) {
        const int32_t foot = b->roles.nodes[feet[side]], toes = b->roles.nodes[feet[side] + 1];
        exact_vec3 ball = exact_position(&nodes[toes == SINEW_NO_NODE ? foot : toes]);
        ball.y = b->asset->skin_count > 0 ? 0 : ground;
        const exact_vec3 from = exact_add(ball, exact_position(&nodes[foot]), -1);
        b->balls[side] = exact_rotate(exact_conjugate(nodes[foot].rotation), from);
    }
    free(nodes);
}

static body make_body(const sinew_asset *asset) {
    body b = {.asset = asset};
    sinew_error error;
    if (sinew_humanoid_find(asset, NULL, &b.roles, NULL, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &b.pose), SINEW_OK);
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &b.reference), SINEW_OK);
    if (sinew_reference_find(asset, &b.roles, NULL, b.reference, NULL, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    b.model = calloc((size_t)asset->skeleton->node_count, sizeof *b.model);
    find_balls(&b);
    sinew_pose_reset(b.pose);
    const frame rest = measure(&b);
    for (int i = ARMS; i < BONES; i++) b.leg += 0.5 * exact_length(rest.bones[i]);
    return b;
}

static void free_body(body *b) {
    sinew_pose_destroy(b->pose);
    sinew_pose_destroy(b->reference);
    free(b->model);
}

// ---- Retargeting ---------------------------------------------------------------------------------------------

typedef struct motion {
    frame source[MAX_FRAMES], target[MAX_FRAMES];
    int count;
} motion;

static sinew_retarget *make_map(const body *source, const body *target) {
    sinew_retarget_def def = sinew_retarget_default();
    def.source = source->asset->skeleton, def.target = target->asset->skeleton;
    def.source_humanoid = &source->roles, def.target_humanoid = &target->roles;
    def.source_reference = source->reference, def.target_reference = target->reference;
    sinew_retarget *map;
    sinew_error error;
    if (sinew_retarget_create(&def, &map, &error) != SINEW_OK) fail_msg("%s", error.message);
    return map;
}

static void retarget(body *source, body *target, motion *m) {
    sinew_retarget *map = make_map(source, target);
    const sinew_clip *clip = &source->asset->clips[0];
    m->count = 0;
    for (; m->count < MAX_FRAMES && (double)m->count / 30 <= (double)clip->duration; m->count++) {
        sinew_clip_sample(clip, (float)m->count / 30.0f, source->pose);
        sinew_retarget_pose(map, source->pose, target->pose);
        sinew_pose_to_model(source->pose, source->model);
        sinew_pose_to_model(target->pose, target->model);
        sinew_retarget_limbs(map, source->model, target->pose, target->model);
        m->source[m->count] = measure(source);
        m->target[m->count] = measure(target);
    }
    sinew_retarget_destroy(map);
}

// ---- Measuring -----------------------------------------------------------------------------------------------

typedef struct result {
    double arms, legs, worst_leg; // degrees
    double hips, soles;           // of the leg: the worst, and the planted one
    double slide;                 // metres a second per metre of leg, above the source's own
} result;

// Whether a leg of the target is at its limit of reach.
static bool is_stretched(const frame *f, int side) {
    const exact_vec3 thigh = f->bones[ARMS + 2 * side], shin = f->bones[ARMS + 2 * side + 1];
    return exact_length(exact_add(thigh, shin, 1)) > 0.9995 * (exact_length(thigh) + exact_length(shin));
}

// The angle about +Y from the source's motion to the target's: a reference may face elsewhere.
static double heading_of(const motion *m) {
    double cosine = 0, sine = 0;
    for (int f = 0; f < m->count; f++) {
        for (int i = 0; i < ARMS; i++) {
            const exact_vec3 a = m->source[f].bones[i], b = m->target[f].bones[i];
            cosine += a.x * b.x + a.z * b.z, sine += a.z * b.x - a.x * b.z;
        }
    }
    return atan2(sine, cosine);
}

static exact_vec3 turned(exact_vec3 v, double heading) {
    return exact_rotate((exact_quat){0, sin(0.5 * heading), 0, cos(0.5 * heading)}, v);
}

static int compare_doubles(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

// The height of planted ankles: the lowest twentieth.
static double planted_height(const frame *frames, int count) {
    static double heights[2 * MAX_FRAMES];
    for (int i = 0; i < 2 * count; i++) heights[i] = frames[i / 2].ankles[i % 2].y;
    qsort(heights, 2 * (size_t)count, sizeof *heights, compare_doubles);
    return heights[2 * count / 20];
}

static void add_directions(const motion *m, result *r) {
    const double heading = heading_of(m), degrees = 180 / PI;
    for (int f = 0; f < m->count; f++) {
        for (int i = 0; i < BONES; i++) {
            const double angle =
                degrees * angle_of_directions(turned(m->source[f].bones[i], heading), m->target[f].bones[i]);
            *(i < ARMS ? &r->arms : &r->legs) += angle / (ARMS * m->count);
            if (i >= ARMS) r->worst_leg = fmax(r->worst_leg, angle);
        }
    }
}

static double speed_of(exact_vec3 before, exact_vec3 now, double leg) {
    return 30 * hypot(now.x - before.x, now.z - before.z) / leg;
}

// Of balls that hardly move on the source, with the ankle down.
static void add_slide(const motion *m, const body *source, const body *target, double ground, result *r) {
    double sum = 0;
    int count = 0;
    for (int f = 1; f < m->count; f++) {
        for (int side = 0; side < 2; side++) {
            const double own = speed_of(m->source[f - 1].balls[side], m->source[f].balls[side], source->leg);
            if (is_stretched(&m->target[f], side) || is_stretched(&m->target[f - 1], side)) continue;
            if (own > 0.15 || m->source[f].ankles[side].y > ground + 0.03 * source->leg) continue;
            sum += speed_of(m->target[f - 1].balls[side], m->target[f].balls[side], target->leg) - own;
            count++;
        }
    }
    r->slide = count ? sum / count : 0;
}

static result compare(const motion *m, const body *source, const body *target) {
    result r = {0};
    add_directions(m, &r);
    const double from = planted_height(m->source, m->count), to = planted_height(m->target, m->count);
    for (int f = 0; f < m->count; f++) {
        const double a = (m->source[f].legs_start - from) / source->leg;
        const double b = (m->target[f].legs_start - to) / target->leg;
        if (fabs(b - a) > fabs(r.hips)) r.hips = b - a;
    }
    sinew_pose_copy(target->pose, target->reference);
    const frame stands = measure(target);
    r.soles = (to - 0.5 * (stands.ankles[0].y + stands.ankles[1].y)) / target->leg;
    add_slide(m, source, target, from, &r);
    return r;
}

// ---- Takes ---------------------------------------------------------------------------------------------------

static sinew_asset *load_take(const char *name) {
    char path[1024];
    sinew_asset *asset;
    sinew_error error;
    snprintf(path, sizeof path, "%s/bvh/%s.bvh", getenv("SINEW_CORPUS"), name);
    if (sinew_bvh_load_file(path, NULL, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    return asset;
}

// A take at another heading: every key of its root is turned.
typedef struct turned_take {
    sinew_asset asset;
    sinew_clip *clip;
} turned_take;

static turned_take turn_take(const sinew_asset *take, double heading) {
    const sinew_skeleton *skeleton = take->skeleton;
    const int32_t count = skeleton->node_count;
    const int keys = (int)(take->clips[0].duration * 30) + 1;
    const exact_quat turn = {0, sin(0.5 * heading), 0, cos(0.5 * heading)};
    float *times = calloc((size_t)keys, sizeof *times);
    float *values = calloc((size_t)keys * (size_t)count * 7, sizeof *values);
    sinew_channel_def *channels = calloc((size_t)count * 2, sizeof *channels);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    for (int32_t i = 0; i < count; i++) {
        float *rotations = &values[(size_t)i * (size_t)keys * 7], *translations = rotations + (size_t)keys * 4;
        channels[2 * (ptrdiff_t)i] =
            (sinew_channel_def){i, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, keys, times, translations};
        channels[2 * i + 1] =
            (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, keys, times, rotations};
    }
    for (int k = 0; k < keys; k++) {
        times[k] = (float)k / 30.0f;
        sinew_clip_sample(&take->clips[0], times[k], pose);
        for (int32_t i = 0; i < count; i++) {
            sinew_transform t = sinew_pose_get(pose, i);
            if (skeleton->parents[i] == SINEW_NO_NODE) {
                t.rotation = rounded(exact_multiply(turn, exact_rotation(t.rotation)));
                t.translation = vec3_along(exact_rotate(turn, exact_vec(t.translation)), 1);
            }
            float *rotations = &values[(size_t)i * (size_t)keys * 7], *translations = rotations + (size_t)keys * 4;
            memcpy(&rotations[4 * (ptrdiff_t)k], &t.rotation, sizeof t.rotation);
            memcpy(&translations[3 * (ptrdiff_t)k], &t.translation, sizeof t.translation);
        }
    }
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton, def.channel_count = 2 * count, def.channels = channels;
    turned_take turned_one = {.asset = *take};
    assert_int_equal(sinew_clip_create(&def, &turned_one.clip, NULL), SINEW_OK);
    turned_one.asset.clips = turned_one.clip;
    sinew_pose_destroy(pose);
    free(channels);
    free(values);
    free(times);
    return turned_one;
}

// ---- Tests ---------------------------------------------------------------------------------------------------

static void skip_without_corpus(void) {
    if (getenv("SINEW_CORPUS")) return;
    print_message("SINEW_CORPUS is not set\n");
    skip();
}

static void check_pair(const char *take, const char *target, const result *r) {
    print_message("%-14s %-8s legs %5.2f / %4.1f degrees, hips %+.3f, soles %+.3f, slide %+.3f\n", take, target,
                  r->legs, r->worst_leg, r->hips, r->soles, r->slide);
    assert_true(r->arms < 0.05);
    assert_true(fabs(r->hips) < 0.065);
    if (strcmp(take, "ad_rokoko") != 0) assert_true(fabs(r->soles) < 0.03); // which climbs
    assert_true(r->legs < 9 && r->worst_leg < 40);                          // feet of other lengths, and short legs
    assert_true(r->slide < 0.06);
}

static void test_every_take_on_every_character(void **state) {
    (void)state;
    static motion m;
    skip_without_corpus();
    for (int i = 0; i < TAKES; i++) {
        sinew_asset *take = load_take(takes[i]);
        body source = make_body(take);
        for (int k = 0; k < TARGETS; k++) {
            character c;
            assert_true(load_character(targets[k], &c));
            body target = make_body(c.asset);
            retarget(&source, &target, &m);
            const result r = compare(&m, &source, &target);
            check_pair(takes[i], character_names[targets[k]], &r);
            free_body(&target);
            free_character(&c);
        }
        free_body(&source);
        sinew_asset_destroy(take);
    }
}

// The largest distance between the ankles of two motions, the second one turned back and moved to the start of the first:
// some rest poses are elsewhere in the room.
static double apart(const motion *a, const motion *b, double heading) {
    const exact_vec3 start = exact_add(a->target[0].ankles[0], turned(b->target[0].ankles[0], -heading), -1);
    double most = fabs(start.y);
    for (int f = 0; f < a->count; f++) {
        for (int side = 0; side < 2; side++) {
            const exact_vec3 back = exact_add(turned(b->target[f].ankles[side], -heading), start, 1);
            most = fmax(most, exact_length(exact_add(a->target[f].ankles[side], back, -1)));
        }
    }
    return most;
}

static void test_the_heading_of_a_take_does_not_matter(void **state) {
    (void)state;
    static motion ahead, aside;
    skip_without_corpus();
    character hero;
    assert_true(load_character(HERO, &hero));
    body target = make_body(hero.asset);
    for (int i = 0; i < TAKES; i++) {
        sinew_asset *take = load_take(takes[i]);
        for (int quarter = 0; quarter < 4; quarter++) {
            turned_take take_at = turn_take(take, quarter * PI / 2);
            body source = make_body(&take_at.asset);
            motion *m = quarter == 0 ? &ahead : &aside;
            retarget(&source, &target, m);
            const double most = quarter == 0 ? 0 : apart(&ahead, &aside, quarter * PI / 2);
            if (most > 1e-4) fail_msg("%s at %d degrees: %g m apart", takes[i], 90 * quarter, most);
            free_body(&source);
            sinew_clip_destroy(take_at.clip);
        }
        sinew_asset_destroy(take);
    }
    free_body(&target);
    free_character(&hero);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_take_on_every_character),
        cmocka_unit_test(test_the_heading_of_a_take_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
