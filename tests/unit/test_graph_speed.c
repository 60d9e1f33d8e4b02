// SPDX-License-Identifier: MIT
// The hero walks by its graph at speeds between its clips'. The program moves it by the graph's value. The test
// measures how far feet slide, from the shown pose's sole points: the lowest point of both feet is on the ground, and
// must not move in the world.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 240, FRAMES = 4 * RATE };

static sinew_asset *hero;

static const char graph_text[] =
    "{\"sinewGraph\":1,\"syncMarkers\":[\"Foot_L\",\"Foot_R\"],\"parameters\":{\"move\":{\"type\":\"vector2\"}},"
    "\"layers\":[{\"name\":\"Base\",\"states\":{\"Move\":{\"blend\":{\"kind\":\"directional\",\"x\":\"move\","
    "\"damping\":0%s,\"samples\":[{\"clip\":\"Idle\"},{\"clip\":\"Walk\",\"y\":1.15},{\"clip\":\"Run\",\"y\":3.1}]}"
    "}}}]}";

static sinew_animator *make_animator(const char *key, sinew_graph **graph, sinew_graph_binding **binding) {
    char text[1024];
    sinew_error error;
    int length = snprintf(text, sizeof text, graph_text, key);
    if (sinew_graph_load_memory(text, (size_t)length, NULL, graph, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_graph_binding_def bind = sinew_graph_binding_default();
    bind.graph = *graph, bind.skeleton = hero->skeleton;
    bind.clips = hero->clips, bind.clip_count = hero->clip_count;
    assert_int_equal(sinew_graph_bind(&bind, binding, NULL), SINEW_OK);
    sinew_animator_def def = sinew_animator_default();
    def.binding = *binding;
    sinew_animator *animator;
    assert_int_equal(sinew_animator_create(&def, &animator, NULL), SINEW_OK);
    return animator;
}

// Two points below the joints of each foot, which the pose moves, in model space.
enum { SOLES = 4 };
static const char *const sole_nodes[SOLES] = {"Foot_L", "Toes_L", "Foot_R", "Toes_R"};

static void find_soles(sinew_vec3 local[SOLES], int32_t nodes[SOLES]) {
    sinew_pose *rest;
    assert_int_equal(sinew_pose_create(hero->skeleton, NULL, &rest), SINEW_OK);
    sinew_affine *model = calloc((size_t)hero->skeleton->node_count, sizeof *model);
    sinew_pose_to_model(rest, model);
    for (int i = 0; i < SOLES; i++) {
        nodes[i] = sinew_skeleton_find(hero->skeleton, sole_nodes[i]);
        assert_true(nodes[i] >= 0);
        const sinew_affine *m = &model[nodes[i]];
        local[i] = sinew_affine_point(sinew_affine_inverse(*m), (sinew_vec3){m->m[0][3], 0, m->m[2][3]});
    }
    free(model);
    sinew_pose_destroy(rest);
}

static int compare_speeds(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

// The median speed at which the character overtakes the foot that carries it, metres per second. A foot that touches
// down or pushes off must move.
static double slide_at(const char *key, float speed) {
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *animator = make_animator(key, &graph, &binding);
    sinew_vec3 local[SOLES], before[SOLES], now[SOLES];
    int32_t nodes[SOLES], planted = 0;
    find_soles(local, nodes);
    static double speeds[FRAMES];
    for (int frame = 0; frame < FRAMES; frame++) {
        sinew_animator_set_vector2(animator, 0, 0.0f, speed);
        sinew_animator_update(animator, 1.0f / (float)RATE);
        const sinew_affine *model = sinew_mixer_model_matrices(sinew_animator_mixer(animator));
        int lowest = 0;
        for (int i = 0; i < SOLES; i++) {
            now[i] = sinew_affine_point(model[nodes[i]], local[i]);
            if (now[i].y < now[lowest].y) lowest = i;
        }
        if (frame >= FRAMES / 2 && now[lowest].y < 0.01f) { // on the ground: a run flies in between
            speeds[planted++] = (double)(before[lowest].z - now[lowest].z) * (double)RATE;
        }
        memcpy(before, now, sizeof now);
    }
    sinew_animator_destroy(animator);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
    assert_true(planted > RATE / 4);
    qsort(speeds, (size_t)planted, sizeof *speeds, compare_speeds);
    return (double)speed - speeds[planted / 2];
}

static void test_feet_do_not_slide(void **state) {
    (void)state;
    const char *path = SINEW_MODELS "/hero.glb";
    hero = load_gltf(path, NULL);
    double most = 0.0, most_without = 0.0;
    for (int i = 0; i < 13; i++) {
        const float speed = 1.15f + 0.15f * (float)i;
        double without = slide_at("", speed), with = slide_at(",\"matchSpeed\":true", speed);
        print_message("%.2f m/s: feet slide by %+.3f m/s, with matchSpeed %+.3f\n", (double)speed, without, with);
        most = fmax(most, fabs(with)), most_without = fmax(most_without, fabs(without));
    }
    assert_true(most_without > 0.1);
    assert_true(most < 0.05);
    sinew_asset_destroy(hero);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_feet_do_not_slide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
