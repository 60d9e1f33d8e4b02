// SPDX-License-Identifier: MIT
// The demo models: what their clips promise (feet that don't slide, loops that close, a sword that hits nobody).
// Reads them with the importer, and from the file's JSON if only that has the answer.
#include "support/model_file.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

enum { RATE = 120 }; // samples a second: every key and the middle between two

static file hero, sword, windmill;

static int open_files(void **state) {
    (void)state;
    open_file(&hero, "hero.glb");
    open_file(&sword, "sword.glb");
    open_file(&windmill, "windmill.glb");
    return 0;
}

static int close_files(void **state) {
    (void)state;
    close_file(&hero);
    close_file(&sword);
    close_file(&windmill);
    return 0;
}

// ---- Motion -----------------------------------------------------------------------------------------------------

// The hero at one moment: its nodes and its skin.
typedef struct body {
    sinew_pose *pose;
    sinew_affine *model;
    sinew_affine palette[256];
    const sinew_primitive *skin;
    float *points; // [vertex_count × 3]
} body;

static body begin_body(void) {
    body b = {.skin = &hero.asset->meshes[0].primitives[0]};
    assert_int_equal(sinew_pose_create(hero.asset->skeleton, NULL, &b.pose), SINEW_OK);
    b.model = aligned_alloc(64, ((size_t)hero.asset->skeleton->node_count * sizeof *b.model + 63) / 64 * 64);
    b.points = calloc((size_t)b.skin->vertex_count * 3, sizeof *b.points);
    assert_true(hero.asset->skins[0].joint_count <= 256);
    return b;
}

static void end_body(body *b) {
    sinew_pose_destroy(b->pose);
    free(b->model);
    free(b->points);
}

static void move_nodes(body *b, const sinew_clip *clip, double time) {
    sinew_clip_sample(clip, (float)time, b->pose);
    sinew_pose_to_model(b->pose, b->model);
}

static void move_body(body *b, const sinew_clip *clip, double time) {
    move_nodes(b, clip, time);
    sinew_skin_palette(&hero.asset->skins[0], b->model, b->palette);
    sinew_skin_job job = sinew_primitive_skin_job(b->skin);
    job.out_positions = b->points;
    sinew_skin_vertices(&job, b->palette, 0, b->skin->vertex_count);
}

static int32_t node_of(const char *name) {
    int32_t node = sinew_skeleton_find(hero.asset->skeleton, name);
    if (node < 0) fail_msg("the hero has no node %s", name);
    return node;
}

static sinew_vec3 place(const body *b, const char *name) {
    const sinew_affine *m = &b->model[node_of(name)];
    return (sinew_vec3){m->m[0][3], m->m[1][3], m->m[2][3]};
}

static double distance(sinew_vec3 a, sinew_vec3 b) {
    return sqrt(pow((double)a.x - b.x, 2) + pow((double)a.y - b.y, 2) + pow((double)a.z - b.z, 2));
}

static double leg_length(const body *b) {
    return distance(place(b, "UpperLeg_L"), place(b, "LowerLeg_L")) +
           distance(place(b, "LowerLeg_L"), place(b, "Foot_L"));
}

// ---- What is in the files ---------------------------------------------------------------------------------------

static void test_files(void **state) {
    (void)state;
    const file *files[] = {&hero, &sword, &windmill};
    for (int i = 0; i < COUNT(files); i++) {
        assert_int_equal(files[i]->log_lines, 0);
        assert_true(files[i]->size < 1200000);
    }
    static const char *const names[] = {"Turn", "Gust"};
    for (int i = 0; i < COUNT(names); i++) assert_non_null(sinew_asset_find_clip(windmill.asset, names[i]));
    assert_int_equal(sword.asset->clip_count, 0);
}

// Names, lengths and whether they loop: what a game is written against.
typedef struct promise {
    const char *name;
    double duration, speed;
    bool loops;
    double yaw;  // of the whole hero from the first pose to the last, degrees to the left
    double left; // the direction of travel, degrees from ahead
} promise;

static const promise promises[] = {
    {"Idle", 4.0, 0, true, 0, 0},
    {"Walk", 32.0 / 30, 1.15, true, 0, 0},
    {"Run", 22.0 / 30, 3.1, true, 0, 0},
    {"Attack", 1.1, 0, false, 0, 0},
    {"Wave", 2.2, 0, false, 0, 0},
    {"Jump", 38.0 / 30, 0, false, 0, 0},
    {"Turn", 40.0 / 30, 0, false, 90, 0},
    {"WalkBack", 28.0 / 30, 1.15, true, 0, 180},
    {"StrafeLeft", 28.0 / 30, 1.15, true, 0, 90},
    {"StrafeRight", 28.0 / 30, 1.15, true, 0, -90},
    {"Hit", 0.8, 0, false, 0, 0},
};

static const sinew_clip *clip_of(const promise *p) {
    const sinew_clip *clip = sinew_asset_find_clip(hero.asset, p->name);
    if (!clip) fail_msg("the hero has no clip %s", p->name);
    return clip;
}

static double speed_of(const promise *p) {
    int speed = member(&hero, member(&hero, animation(&hero, p->name), "extras"), "speed");
    return speed < 0 ? 0.0 : number(&hero, speed);
}

static void test_clips(void **state) {
    (void)state;
    assert_int_equal(hero.asset->clip_count, COUNT(promises));
    for (int i = 0; i < COUNT(promises); i++) {
        const promise *p = &promises[i];
        check_near(clip_of(p)->duration, p->duration, 1e-5);
        int extras = member(&hero, animation(&hero, p->name), "extras");
        assert_true(has_text(&hero, member(&hero, extras, "loop"), p->loops ? "true" : "false"));
        check_near(speed_of(p), p->speed, 1e-6);
    }
}

// All clips end as they began: loops, and also those that play once, which a game may chain.
static void test_ends_meet(void **state) {
    (void)state;
    body first = begin_body(), last = begin_body();
    for (int i = 0; i < COUNT(promises); i++) {
        const sinew_clip *clip = clip_of(&promises[i]);
        move_nodes(&first, clip, 0.0);
        move_nodes(&last, clip, clip->duration);
        sinew_transform turn = sinew_transform_identity();
        turn.rotation = about_y(promises[i].yaw * PI / 180);
        for (int32_t n = 0; n < hero.asset->skeleton->node_count; n++) {
            sinew_affine expected = sinew_affine_multiply(sinew_affine_from_transform(turn), first.model[n]);
            if (strcmp(hero.asset->skeleton->names[n], "Body") == 0) expected = first.model[n];
            for (int k = 0; k < 12; k++) {
                double off = (double)last.model[n].m[k / 4][k % 4] - (double)expected.m[k / 4][k % 4];
                if (fabs(off) <= 1e-4) continue;
                fail_msg("%s ends with %s off by %g", promises[i].name, hero.asset->skeleton->names[n], off);
            }
        }
    }
    end_body(&first);
    end_body(&last);
}

// Keys are unit, and neighbours in the same hemisphere and less than 60 degrees apart: any player takes the same way.
static void test_rotation_keys(void **state) {
    (void)state;
    int all = member(&hero, 0, "animations"), rows = 0;
    for (int a = 0; a < hero.tokens[all].size; a++) {
        int samplers = member(&hero, element(&hero, all, a), "samplers");
        for (int s = 0; s < hero.tokens[samplers].size; s++) {
            int output = (int)number(&hero, member(&hero, element(&hero, samplers, s), "output")), count;
            int accessor = element(&hero, member(&hero, 0, "accessors"), output);
            if (!has_text(&hero, member(&hero, accessor, "type"), "VEC4")) continue;
            const uint8_t *bytes = floats_of(&hero, output, &count);
            float last[4] = {0}, q[4];
            for (int k = 0; k < count; k++, memcpy(last, q, sizeof q)) {
                memcpy(q, bytes + (size_t)k * sizeof q, sizeof q);
                double square = 0.0, dot = 0.0;
                for (int c = 0; c < 4; c++) square += (double)q[c] * q[c], dot += (double)q[c] * last[c];
                check_near(square, 1.0, 1e-6);
                if (k > 0) assert_true(dot > cos(30 * PI / 180));
                rows++;
            }
        }
    }
    assert_true(rows > 1000);
}

static void test_weights(void **state) {
    (void)state;
    const sinew_primitive *p = &hero.asset->meshes[0].primitives[0];
    assert_int_equal(hero.asset->mesh_count, 1);
    assert_int_equal(hero.asset->meshes[0].primitive_count, 1);
    assert_int_equal(p->influences, 4);
    for (int32_t v = 0; v < p->vertex_count; v++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++) sum += (double)p->weights[4 * v + k];
        check_near(sum, 1.0, 1e-6);
    }
}

static void check_height(const file *f, double low, double high) {
    double bottom = 1e9, top = -1e9;
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(f->asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_affine *model = aligned_alloc(64, (size_t)(f->asset->skeleton->node_count + 3) / 4 * 4 * sizeof *model);
    sinew_pose_to_model(pose, model);
    for (int32_t i = 0; i < f->asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &f->asset->mesh_nodes[i];
        const sinew_mesh *mesh = &f->asset->meshes[mesh_node->mesh];
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            for (int32_t v = 0; v < mesh->primitives[k].vertex_count; v++) {
                const float *at = mesh->primitives[k].positions + 3 * (size_t)v;
                sinew_vec3 point = {at[0], at[1], at[2]};
                double y = sinew_affine_point(model[mesh_node->node], point).y;
                bottom = fmin(bottom, y), top = fmax(top, y);
            }
        }
    }
    check_near(bottom, low, 0.01);
    check_near(top, high, 0.01);
    free(model);
    sinew_pose_destroy(pose);
}

static void test_sizes(void **state) {
    (void)state;
    check_height(&hero, 0.0, 1.796);
    check_height(&sword, -0.118, 0.765);
    check_height(&windmill, 0.0, 6.747);
}

// ---- How the hero moves -----------------------------------------------------------------------------------------

// A point of a sole, and where it came down, as the ground sees it.
typedef struct sole_point {
    int32_t vertex;
    int foot; // 0 left, 1 right
    bool stands;
    double x, z;
} sole_point;

static int soles_of(const body *b, sole_point *points, int space) {
    const uint16_t *joints = b->skin->joints;
    int count = 0;
    for (int32_t v = 0; v < b->skin->vertex_count; v++) {
        const char *name = hero.asset->skeleton->names[hero.asset->skins[0].joints[joints[(ptrdiff_t)4 * v]]];
        bool of_foot = strncmp(name, "Foot_", 5) == 0 || strncmp(name, "Toes_", 5) == 0;
        if (!of_foot || b->skin->positions[3 * v + 1] > 0.004f) continue;
        assert_true(count < space);
        points[count++] = (sole_point){.vertex = v, .foot = name[5] == 'R'};
    }
    return count;
}

// The farthest that any point of a sole gets from where it came down, over ground that runs at `speed` against the travel. A point
// stands while it is within 2.5 mm of the ground. `standing` is the share of the time that each foot does.
static double measure_slide(body *b, const promise *p, double speed, double standing[2], double *when) {
    enum { SPACE = 512 };
    sole_point points[SPACE];
    const sinew_clip *clip = clip_of(p);
    int count = soles_of(b, points, SPACE),
        frames = (int)lround((double)clip->duration * RATE) * (p->loops ? 2 : 1);
    assert_true(count > 40);
    double farthest = 0.0, left = p->left * PI / 180;
    standing[0] = standing[1] = 0.0;
    for (int i = 0; i <= frames; i++) {
        double time = (double)i / RATE;
        move_body(b, clip, p->loops ? fmod(time, (double)clip->duration) : time);
        bool stands[2] = {false, false};
        for (int k = 0; k < count; k++) {
            sole_point *s = &points[k];
            const float *at = b->points + 3 * (size_t)s->vertex;
            double x = at[0] + speed * time * sin(left), z = at[2] + speed * time * cos(left);
            bool low = at[1] < 0.0025f;
            if (low && !s->stands) s->x = x, s->z = z;
            if (low && hypot(x - s->x, z - s->z) > farthest) {
                farthest = hypot(x - s->x, z - s->z);
                *when = time;
            }
            s->stands = low;
            stands[s->foot] |= low;
        }
        for (int f = 0; f < 2; f++) standing[f] += stands[f] ? 1.0 / (frames + 1) : 0.0;
    }
    return farthest;
}

static void test_feet_do_not_slide(void **state) {
    (void)state;
    body b = begin_body();
    move_nodes(&b, clip_of(&promises[0]), 0.0);
    double leg = leg_length(&b);
    for (int i = 0; i < COUNT(promises); i++) {
        double standing[2], when = 0.0;
        double slide = measure_slide(&b, &promises[i], speed_of(&promises[i]), standing, &when);
        print_message("%s: %.2f %% of the leg, the feet stand %.0f %% and %.0f %% of the time\n", promises[i].name,
                      100 * slide / leg, 100 * standing[0], 100 * standing[1]);
        if (slide > 0.01 * leg)
            fail_msg("%s, %.2f s: a foot slides by %.1f mm", promises[i].name, when, 1000 * slide);
        for (int f = 0; f < 2; f++) assert_true(standing[f] > 0.25); // or there was nothing to measure
    }
    end_body(&b);
}

static double lowest_of_foot(body *b, int foot) {
    sole_point points[512];
    int count = soles_of(b, points, 512);
    double lowest = 1e9;
    for (int k = 0; k < count; k++)
        if (points[k].foot == foot) lowest = fmin(lowest, (double)b->points[3 * points[k].vertex + 1]);
    return lowest;
}

// A marker "Foot_L" or "Foot_R" is where that foot comes down: there it is on the ground, and shortly before it is not.
static void test_markers(void **state) {
    (void)state;
    body b = begin_body();
    int met = 0;
    for (int i = 0; i < COUNT(promises); i++) {
        const sinew_clip *clip = clip_of(&promises[i]);
        int markers = member(&hero, member(&hero, animation(&hero, promises[i].name), "extras"), "markers");
        for (int k = 0; markers >= 0 && k < hero.tokens[markers].size; k++) {
            int marker = element(&hero, markers, k), name = member(&hero, marker, "name");
            double time = number(&hero, member(&hero, marker, "time"));
            assert_true(time >= 0.0 && time < (double)clip->duration);
            int foot = has_text(&hero, name, "Foot_L") ? 0 : has_text(&hero, name, "Foot_R") ? 1 : -1;
            if (foot < 0) continue;
            move_body(&b, clip, time);
            double height = lowest_of_foot(&b, foot);
            if (height > 0.004) fail_msg("%s, %.2f s: %.1f mm high", promises[i].name, time, 1000 * height);
            move_body(&b, clip, fmod(time - 0.1 + (double)clip->duration, (double)clip->duration));
            height = lowest_of_foot(&b, foot);
            if (height < 0.012) fail_msg("%s, %.2f s: %.1f mm low", promises[i].name, time - 0.1, 1000 * height);
            met++;
        }
    }
    assert_int_equal(met, 13);
    end_body(&b);
}

static void test_ground(void **state) {
    (void)state;
    body b = begin_body();
    for (int i = 0; i < COUNT(promises); i++) {
        const sinew_clip *clip = clip_of(&promises[i]);
        for (int k = 0; k <= (int)lround((double)clip->duration * RATE); k++) {
            move_body(&b, clip, (double)k / RATE);
            for (int32_t v = 0; v < b.skin->vertex_count; v++) {
                if (b.points[3 * v + 1] >= -0.005f) continue;
                fail_msg("%s, %.2f s: %s is %.1f mm below the ground", promises[i].name, (double)k / RATE,
                         hero.asset->skeleton->names[hero.asset->skins[0].joints[b.skin->joints[(ptrdiff_t)4 * v]]],
                         -1000.0 * (double)b.points[3 * v + 1]);
            }
        }
    }
    end_body(&b);
}

// Torn or crumpled skin is found by its edges. Skirt, scarf and the folds of shoulder and groin stretch most.
#define MOST_STRETCH 2.75
#define LEAST_EDGE   0.003 // metres; what is shorter bends the number and not the picture

static double edge(const float *points, uint32_t a, uint32_t b) {
    const float *p = points + 3 * (size_t)a, *q = points + 3 * (size_t)b;
    return sqrt(pow((double)p[0] - q[0], 2) + pow((double)p[1] - q[1], 2) + pow((double)p[2] - q[2], 2));
}

static void test_stretch(void **state) {
    (void)state;
    body b = begin_body();
    for (int i = 0; i < COUNT(promises); i++) {
        const sinew_clip *clip = clip_of(&promises[i]);
        double most = 0.0, when = 0.0;
        uint32_t where = 0;
        for (int k = 0; k <= (int)lround((double)clip->duration * RATE / 2); k++) {
            move_body(&b, clip, 2.0 * k / RATE);
            for (int32_t t = 0; t < b.skin->index_count; t++) {
                uint32_t from = b.skin->indices[t], to = b.skin->indices[t % 3 == 2 ? t - 2 : t + 1];
                double rest = edge(b.skin->positions, from, to);
                double stretch = rest < LEAST_EDGE ? 0.0 : edge(b.points, from, to) / rest;
                if (stretch > most) most = stretch, where = from, when = 2.0 * k / RATE;
            }
        }
        const float *at = b.skin->positions + 3 * (size_t)where;
        print_message("%s: an edge at (%.2f, %.2f, %.2f) stretches %.2f times at %.2f s\n", promises[i].name,
                      (double)at[0], (double)at[1], (double)at[2], most, when);
        assert_true(most < MOST_STRETCH);
    }
    end_body(&b);
}

// ---- The sword --------------------------------------------------------------------------------------------------

// A limb as a capsule, a little thinner than it is: what the blade may not pass through.
typedef struct capsule {
    const char *from, *to;
    double radius;
} capsule;

static const capsule limbs[] = {
    {"UpperLeg_L", "LowerLeg_L", 0.070},
    {"LowerLeg_L", "Foot_L", 0.055},
    {"UpperLeg_R", "LowerLeg_R", 0.070},
    {"LowerLeg_R", "Foot_R", 0.055},
    {"Hips", "Chest", 0.115},
    {"Chest", "UpperChest", 0.115},
    {"UpperChest", "Neck", 0.090},
    {"UpperArm_L", "LowerArm_L", 0.042},
    {"LowerArm_L", "Hand_L", 0.038},
    {"Hand_L", "Middle2_L", 0.035},
    {"UpperArm_R", "LowerArm_R", 0.042},
};

static sinew_vec3 between(sinew_vec3 a, sinew_vec3 b, double t) {
    return (sinew_vec3){(float)(a.x + (b.x - a.x) * t), (float)(a.y + (b.y - a.y) * t),
                        (float)(a.z + (b.z - a.z) * t)};
}

// Of point `p` from the segment a..b.
static double from_segment(sinew_vec3 p, sinew_vec3 a, sinew_vec3 b) {
    double length = distance(a, b), dot = (double)(p.x - a.x) * (b.x - a.x) + (double)(p.y - a.y) * (b.y - a.y) +
                                          (double)(p.z - a.z) * (b.z - a.z);
    return distance(p, between(a, b, fmax(0.0, fmin(1.0, dot / (length * length)))));
}

static void check_blade(const body *b, const char *clip, double time) {
    enum { STEPS = 24 };
    sinew_affine grip = b->model[node_of("Grip_R")];
    sinew_vec3 guard = sinew_affine_point(grip, (sinew_vec3){0, 0.09f, 0});
    sinew_vec3 tip = sinew_affine_point(grip, (sinew_vec3){0, 0.765f, 0});
    sinew_vec3 head = sinew_affine_point(b->model[node_of("Head")], (sinew_vec3){0, 0.125f, 0});
    for (int s = 0; s <= STEPS; s++) {
        sinew_vec3 at = between(guard, tip, (double)s / STEPS);
        if (at.y < 0.02f) fail_msg("%s, %.2f s: the blade is %.0f mm above the ground", clip, time, 1000.0 * at.y);
        if (distance(at, head) < 0.115) fail_msg("%s, %.2f s: the blade is in the head", clip, time);
        for (int i = 0; i < COUNT(limbs); i++) {
            double away = from_segment(at, place(b, limbs[i].from), place(b, limbs[i].to)) - limbs[i].radius;
            if (away < 0.0) {
                fail_msg("%s, %.2f s: the blade is %.0f mm inside of %s", clip, time, -1000 * away, limbs[i].from);
            }
        }
    }
}

static void test_sword_hits_nobody(void **state) {
    (void)state;
    body b = begin_body();
    for (int i = 0; i < COUNT(promises); i++) {
        const sinew_clip *clip = clip_of(&promises[i]);
        for (int k = 0; k <= (int)lround((double)clip->duration * RATE); k++) {
            move_nodes(&b, clip, (double)k / RATE);
            check_blade(&b, promises[i].name, (double)k / RATE);
        }
    }
    end_body(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_ends_meet),
        cmocka_unit_test(test_rotation_keys),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_feet_do_not_slide),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_ground),
        cmocka_unit_test(test_stretch),
        cmocka_unit_test(test_sword_hits_nobody),
    };
    return cmocka_run_group_tests(tests, open_files, close_files);
}
