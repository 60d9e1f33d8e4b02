// SPDX-License-Identifier: MIT
// Pitfall 18, with files: posed bounds contain every drawn vertex at every time of every clip, and aren't much larger
// than needed. Mistakes: the rest pose's bounds, which lose whatever moves; using the transform of a skinned mesh's
// node; leaving out morph targets; making bounds before the file is turned.
#include "support/files.h"
#include "support/posed_asset.h"
#include "support/trials.h"

#include <stdio.h>

// Times of a clip, without its end.
enum { TIMES = TRIALS(64, 16) };

// ---- Boxes -------------------------------------------------------------------------------------------------------

static void grow(double box[6], const double v[3]) {
    for (int k = 0; k < 3; k++) {
        box[k] = fmin(box[k], v[k]);
        box[3 + k] = fmax(box[3 + k], v[k]);
    }
}

static double surface(const double box[6]) {
    double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
    return 2 * (x * y + y * z + z * x);
}

// Strictly, without any tolerance.
static bool holds(const sinew_box *box, const double v[3]) {
    return v[0] >= box->min.x && v[1] >= box->min.y && v[2] >= box->min.z && v[0] <= box->max.x &&
           v[1] <= box->max.y && v[2] <= box->max.z;
}

static bool sphere_holds(const sinew_sphere *s, const double v[3]) {
    double x = v[0] - s->center.x, y = v[1] - s->center.y, z = v[2] - s->center.z;
    return sqrt(x * x + y * y + z * z) <= s->radius;
}

// The drawn vertices of a pose that neither lose: how many a box and a sphere do not hold, and the tightest box.
typedef struct count {
    int vertices, outside_box, outside_sphere;
    double tight[6];
} count;

static void count_vertex(count *c, const sinew_box *box, const sinew_sphere *sphere, const double v[3]) {
    c->vertices++;
    c->outside_box += !holds(box, v);
    c->outside_sphere += !sphere_holds(sphere, v);
    grow(c->tight, v);
}

static count count_vertices(posed *p, const sinew_box *box, const sinew_sphere *sphere) {
    count c = {.tight = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < p->asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &p->asset->mesh_nodes[i];
        const sinew_mesh *mesh = &p->asset->meshes[mesh_node->mesh];
        if (!mesh_node->in_scene || !mesh_node->visible) continue;
        for (int32_t k = 0; k < mesh->primitive_count; k++) {
            const sinew_primitive *of = &mesh->primitives[k];
            if (of->vertex_count == 0) continue;
            posed_move(p, mesh_node, of);
            for (int32_t n = 0; n < of->index_count; n++) {
                const ptrdiff_t v = of->indices[n];
                const double moved[3] = {p->moved[3 * v], p->moved[3 * v + 1], p->moved[3 * v + 2]};
                count_vertex(&c, box, sphere, moved);
                count_vertex(&c, box, sphere, p->exact + 3 * v);
            }
        }
    }
    return c;
}

// ---- Clips -------------------------------------------------------------------------------------------------------

typedef struct ratios {
    double sum, most;       // of surfaces: the bounds' and the tightest box's
    double sphere, upright; // radii: the sphere's, and half the diagonals of the bounds
    int samples;
} ratios;

static void check_pose(posed *p, const char *name, const char *clip, double time, ratios *found) {
    sinew_box box;
    sinew_sphere sphere;
    sinew_pose_to_model(p->pose, p->model);
    sinew_bounds_pose(p->asset->bounds, p->model, p->pose->weights, &box, &sphere);
    count c = count_vertices(p, &box, &sphere);
    if (c.vertices == 0) {
        assert_true(sinew_box_is_empty(box));
        return;
    }
    if (c.outside_box + c.outside_sphere > 0)
        fail_msg("%s, %s at %g s: of %d vertices, the box does not hold %d, the sphere %d", name, clip, time,
                 c.vertices, c.outside_box, c.outside_sphere);
    const double all[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    double x = all[3] - all[0], y = all[4] - all[1], z = all[5] - all[2];
    double ratio = surface(all) / surface(c.tight);
    found->sum += ratio;
    found->most = fmax(found->most, ratio);
    found->sphere += sphere.radius;
    found->upright += sqrt(x * x + y * y + z * z) / 2;
    found->samples++;
}

static ratios check_clips(const char *name, const sinew_asset *asset) {
    posed p = posed_make(asset);
    ratios found = {0};
    check_pose(&p, name, "the rest pose", 0, &found);
    for (int32_t i = 0; i < asset->clip_count; i++) {
        const sinew_clip *clip = &asset->clips[i];
        for (int t = 0; t <= TIMES; t++) {
            float time = t < TIMES ? clip->duration * (float)t / TIMES : clip->duration;
            sinew_pose_reset(p.pose);
            sinew_clip_sample(clip, time, p.pose);
            check_pose(&p, name, clip->name, (double)time, &found);
        }
    }
    posed_free(&p);
    return found;
}

static int checked_files, checked_poses;

static void check_file(const char *path) {
    if (strstr(path, "meshopt") && !posed_can_decode) return;
    const char *name = strrchr(path, '/') + 1;
    for (int up = SINEW_UP_Y; up <= SINEW_UP_Z; up++) {
        sinew_asset *asset = posed_load(path, (sinew_up)up);
        ratios found = check_clips(name, asset);
        if (up == SINEW_UP_Y && found.samples > 0)
            print_message("%-34s %3d boxes %6zu bytes, surface %.3f times the tightest, at most %.3f; sphere %.3f "
                          "times the diagonal's\n",
                          name, asset->bounds->box_count, asset->bounds->memory, found.sum / found.samples,
                          found.most, found.sphere / found.upright);
        checked_poses += found.samples;
        sinew_asset_destroy(asset);
    }
    checked_files++;
}

static void check_folder(const char *folder) {
    checked_files = checked_poses = 0;
    for_each_file(folder, ".glb .gltf", check_file);
    print_message("%s: %d files, %d poses\n", folder, checked_files, checked_poses);
    assert_true(checked_poses > 100);
}

static void test_models(void **state) {
    (void)state;
    check_folder(SINEW_MODELS);
}

static void test_assets(void **state) {
    (void)state;
    check_folder(other_peoples_files());
}

// ---- What this would not see if it were blind --------------------------------------------------------------------

static void test_bounds_are_tight_on_the_hero(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    ratios found = check_clips("hero.glb", asset);
    assert_true(found.samples > 7 * TIMES);
    assert_true(found.most <= 1.5);
    assert_true(found.sphere < 0.95 * found.upright);
    sinew_asset_destroy(asset);
}

// The mistake itself: the box of the rest pose loses vertices in each clip but the one that stands still.
static void test_a_rest_pose_box_loses_the_hero(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    posed p = posed_make(asset);
    sinew_box rest;
    sinew_sphere around;
    sinew_pose_to_model(p.pose, p.model);
    sinew_bounds_pose(asset->bounds, p.model, p.pose->weights, &rest, &around);
    assert_int_equal(count_vertices(&p, &rest, &around).outside_box, 0);
    static const char *const moving[] = {"Walk", "Run", "Attack", "Wave", "Jump"};
    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++) {
        const sinew_clip *clip = sinew_asset_find_clip(asset, moving[i]);
        int outside = 0;
        for (int t = 0; t < TIMES; t++) {
            sinew_clip_sample(clip, clip->duration * (float)t / TIMES, p.pose);
            sinew_pose_to_model(p.pose, p.model);
            outside += count_vertices(&p, &rest, &around).outside_box;
        }
        if (outside == 0) fail_msg("%s stays inside of the rest pose's box", moving[i]);
    }
    posed_free(&p);
    sinew_asset_destroy(asset);
}

// Of rigid meshes there is one box on each node that is drawn, and none on others.
static void test_what_is_hidden_has_no_bounds(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("conformance/node-visibility.gltf");
    int32_t hidden = 0;
    bool drawn[64] = {false};
    assert_true(asset->skeleton->node_count <= 64);
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        assert_int_equal(mesh_node->skin, -1);
        drawn[mesh_node->node] = mesh_node->in_scene && mesh_node->visible;
        hidden += !drawn[mesh_node->node];
    }
    assert_true(hidden > 0);
    assert_int_equal(asset->bounds->box_count, asset->mesh_node_count - hidden);
    for (int32_t i = 0; i < asset->bounds->box_count; i++) assert_true(drawn[asset->bounds->nodes[i]]);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assets),
        cmocka_unit_test(test_bounds_are_tight_on_the_hero),
        cmocka_unit_test(test_a_rest_pose_box_loses_the_hero),
        cmocka_unit_test(test_what_is_hidden_has_no_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
