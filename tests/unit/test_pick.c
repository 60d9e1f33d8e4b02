// SPDX-License-Identifier: MIT
// Picking: rays against boxes, triangles and assets, checked with different arithmetic in double. Mistakes: dividing
// a ray along an axis by 0; cracks between triangles; a mesh's far side, or hits behind the ray's start; picking
// meshes in their rest pose; picking what isn't drawn.
#include "support/posed_asset.h"

#include <stdio.h>

// ---- Double --------------------------------------------------------------------------------------------------------

typedef struct dray {
    double o[3], d[3];
} dray;

static dray wide(const sinew_ray *ray) {
    return (dray){{ray->origin.x, ray->origin.y, ray->origin.z},
                  {ray->direction.x, ray->direction.y, ray->direction.z}};
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Where a ray meets a triangle, by solving o + t d = a + u (b - a) + v (c - a): what comes out is how far inside it is,
// as the least barycentric; -INFINITY where it runs along the plane, or meets it behind its start.
static double meet_exactly(const dray *ray, const double *a, const double *b, const double *c, double *distance) {
    double ab[3], ac[3], p[3], s[3], q[3];
    for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], ac[k] = c[k] - a[k], s[k] = ray->o[k] - a[k];
    cross(ray->d, ac, p);
    double determinant = dot(ab, p);
    if (determinant == 0) return -INFINITY;
    cross(s, ab, q);
    double u = dot(s, p) / determinant, v = dot(ray->d, q) / determinant;
    *distance = dot(ac, q) / determinant;
    return *distance < 0 ? -INFINITY : fmin(fmin(u, v), 1 - u - v);
}

// ---- Boxes ---------------------------------------------------------------------------------------------------------

static sinew_ray ray_of(float ox, float oy, float oz, float dx, float dy, float dz) {
    return (sinew_ray){{ox, oy, oz}, {dx, dy, dz}};
}

static void test_boxes_by_hand(void **state) {
    (void)state;
    const sinew_box unit = {{0, 0, 0}, {1, 1, 1}};
    const struct {
        sinew_ray ray;
        float distance; // -1: it misses
    } cases[] = {
        {ray_of(-1, 0.5f, 0.5f, 1, 0, 0), 1},
        {ray_of(-1, 0.5f, 0.5f, 0.5f, -0.0f, 0), 2}, // in lengths of its direction
        {ray_of(-1, 0.5f, 0.5f, -1, 0, 0), -1},      // away
        {ray_of(0.5f, 0.5f, 0.5f, 0, 0, 1), 0},      // starts inside
        {ray_of(2, 0.5f, 0.5f, -1, 0, 0), 1},
        {ray_of(-1, 0, 0.5f, 1, 0, 0), 1}, // along a face
        {ray_of(-1, 1, 1, 1, 0, 0), 1},    // along an edge
        {ray_of(0, 0, -1, 0, 0, 1), 1},
        {ray_of(-1, 1.0001f, 0.5f, 1, 0, 0), -1},
        {ray_of(-1, -1, -1, 1, 1, 1), 1}, // through corners
        {ray_of(-1, 3.001f, 0.5f, 1, -1, 0), -1},
        {ray_of(-1, 3, 0.5f, 1, -1, 0), 2}, // touches an edge
        {ray_of(-1, 2, 0.5f, 1, -1, 0), 1},
        {ray_of(1, 1, 1, 1, 1, 1), 0},
        {ray_of(0.5f, 0.5f, 3, 1e-44f, 0, -1), 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float distance = -1;
        bool met = sinew_ray_box(cases[i].ray, unit, &distance);
        if (met != (cases[i].distance >= 0) || fabsf(distance - cases[i].distance) > 1e-6f)
            fail_msg("case %zu: %d at %g", i, (int)met, (double)distance);
        assert_true(sinew_ray_box(cases[i].ray, unit, NULL) == met);
    }
    sinew_ray ray = ray_of(0, 0, 0, 1, 0, 0);
    sinew_box box = sinew_box_empty();
    assert_false(sinew_ray_box(ray, box, NULL));
    box = (sinew_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    float distance = -1;
    assert_true(sinew_ray_box(ray, box, &distance) && distance == 0);
    box = (sinew_box){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    assert_true(sinew_ray_box(ray, box, &distance) && distance == 0);
    box = (sinew_box){{2, -1, -1}, {2, 1, 1}}; // flat
    assert_true(sinew_ray_box(ray, box, &distance) && distance == 2);
}

// Rays that exactly touch just an edge of a box: in steps of 2^-24, three times the direction leads from the start to
// the edge. The difference of the two is rounded, on its own axis.
static void test_no_box_is_missed_by_a_rounding(void **state) {
    (void)state;
    uint64_t random = 1;
    int rounded = 0;
    for (int i = 0; i < 100000; i++) {
        sinew_ray ray = {{0, 0, 0}, {0, 0, 0}};
        sinew_box box = {{-1, -1, -1}, {1, 1, 1}};
        for (int k = 0; k < 2; k++) {
            int32_t step = 1 + (int32_t)(random_next(&random) % 10000000);
            int32_t edge = (1 << 24) - 1 - (int32_t)(random_next(&random) % 3000000);
            if (edge - 3 * step < 1 - (1 << 24)) step = edge / 3;
            (&ray.origin.x)[k] = ldexpf((float)(edge - 3 * step), -24);
            (&ray.direction.x)[k] = ldexpf((float)step, -24);
            float at = ldexpf((float)edge, -24), difference = at - (&ray.origin.x)[k];
            rounded += difference != 3.0 * (&ray.direction.x)[k];
            (&box.min.x)[k] = k == 0 ? at : at - 0.25f; // it comes in where it goes out
            (&box.max.x)[k] = k == 0 ? at + 0.25f : at;
        }
        if (!sinew_ray_box(ray, box, NULL)) fail_msg("ray %d slips past", i);
    }
    assert_true(rounded > 10000);
}

// ---- Triangles -------------------------------------------------------------------------------------------------------

enum { TRIANGLES = 40 };

// A soup of triangles; the first that a ray meets, unless that can hardly be told.
static void test_triangles_against_double(void **state) {
    (void)state;
    uint64_t random = 2;
    int hits = 0, misses = 0;
    for (int round = 0; round < 4000; round++) {
        float positions[9 * TRIANGLES];
        double exact[9 * TRIANGLES];
        uint32_t indices[3 * TRIANGLES];
        for (int i = 0; i < 9 * TRIANGLES; i++) exact[i] = positions[i] = random_float(&random, -1, 1);
        for (uint32_t i = 0; i < 3 * TRIANGLES; i++) indices[i] = 3 * TRIANGLES - 1 - i;
        sinew_ray ray;
        for (int k = 0; k < 3; k++) {
            (&ray.origin.x)[k] = random_float(&random, -2, 2);
            (&ray.direction.x)[k] = random_next(&random) % 8 ? random_float(&random, -3, 3) : 0;
        }
        if (ray.direction.x == 0 && ray.direction.y == 0 && ray.direction.z == 0) continue;
        dray d = wide(&ray);
        double nearest = INFINITY;
        int which = -1;
        bool unsure = false;
        for (int t = 0; t < TRIANGLES; t++) {
            const double *a = exact + 3 * (ptrdiff_t)indices[(ptrdiff_t)3 * t], *b = a - 3, *c = a - 6;
            double distance = 0, inside = meet_exactly(&d, a, b, c, &distance);
            unsure = unsure || fabs(inside) < 1e-4;
            if (inside >= 0 && distance < nearest) nearest = distance, which = t;
        }
        if (unsure) continue;
        sinew_triangle_hit hit = {.triangle = -1};
        bool met = sinew_pick_triangles(ray, positions, indices, 3 * TRIANGLES, INFINITY, &hit);
        assert_int_equal(met, which >= 0);
        assert_int_equal(hit.triangle, which);
        hits += met, misses += !met;
        if (!met) continue;
        check_near(hit.distance, nearest, 1e-4 * (1 + nearest));
        check_near(hit.barycentrics[0] + hit.barycentrics[1] + hit.barycentrics[2], 1, 1e-6);
        for (int k = 0; k < 3; k++) { // the place by the corners and along the ray
            double at = 0;
            for (int c = 0; c < 3; c++) at += hit.barycentrics[c] * exact[3 * indices[3 * which + c] + (uint32_t)k];
            check_near(at, d.o[k] + nearest * d.d[k], 1e-4 * (1 + nearest));
        }
        assert_false(sinew_pick_triangles(ray, positions, indices, 3 * TRIANGLES, 0.999f * (float)nearest, &hit));
    }
    assert_true(hits > 500 && misses > 500);
}

static void test_triangles_that_are_none(void **state) {
    (void)state;
    const sinew_ray ray = ray_of(0.25f, 0.25f, 1, 0, 0, -1);
    const uint32_t order[3] = {0, 1, 2}, back[3] = {0, 2, 1};
    float good[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    sinew_triangle_hit hit;
    assert_true(sinew_pick_triangles(ray, good, order, 3, INFINITY, &hit) && hit.distance == 1);
    assert_true(sinew_pick_triangles(ray, good, back, 3, INFINITY, &hit) && hit.distance == 1); // from behind
    check_near(hit.barycentrics[0], 0.5, 1e-7);
    assert_false(sinew_pick_triangles(ray, good, order, 0, INFINITY, &hit));
    const sinew_ray away = ray_of(0.25f, 0.25f, 1, 0, 0, 1);
    assert_false(sinew_pick_triangles(away, good, order, 3, INFINITY, &hit));
    const float line[9] = {0.25f, 0, 0, 0.25f, 1, 0, 0.25f, 0.5f, 0},
                point[9] = {0.25f, 0.25f, 0, 0.25f, 0.25f, 0, 0.25f, 0.25f, 0};
    assert_false(sinew_pick_triangles(ray, line, order, 3, INFINITY, &hit));
    assert_false(sinew_pick_triangles(ray, point, order, 3, INFINITY, &hit));
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int w = 0; w < 3; w++) {
        for (int i = 0; i < 9; i++) {
            float kept = good[i];
            good[i] = wrong[w];
            assert_false(sinew_pick_triangles(ray, good, order, 3, INFINITY, &hit));
            good[i] = kept;
        }
    }
    const sinew_ray near = ray_of(0.25f, 0.25f, 0.25f, 0, 0, -1);
    float wide[9] = {-3, -3, 0, 3, -3, 0, 0, 3, 0};
    for (int i = 0; i < 9; i++) { // so large that its area is beyond all numbers
        float kept = wide[i];
        wide[i] *= 3e37f;
        bool met = sinew_pick_triangles(near, wide, order, 3, INFINITY, &hit);
        if (met) check_near(hit.barycentrics[0] + hit.barycentrics[1] + hit.barycentrics[2], 1.0, 1e-6);
        wide[i] = kept;
    }
}

// A crumpled sheet, seen through its own corners and edges: a ray to any of its places meets it.
static void test_there_are_no_cracks(void **state) {
    (void)state;
    enum { SIDE = 24 };
    uint64_t random = 3;
    float positions[3 * SIDE * SIDE];
    uint32_t indices[6 * (SIDE - 1) * (SIDE - 1)];
    int32_t count = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE;
        bool rim = x == 0 || x == SIDE - 1 || y == 0 || y == SIDE - 1;
        positions[(ptrdiff_t)3 * i] = (float)x + (rim ? 0 : random_float(&random, -0.3f, 0.3f));
        positions[3 * i + 1] = (float)y + (rim ? 0 : random_float(&random, -0.3f, 0.3f));
        positions[3 * i + 2] = random_float(&random, -0.5f, 0.5f);
    }
    for (uint32_t y = 0; y + 1 < SIDE; y++) {
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            const uint32_t a = y * SIDE + x, quad[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
            memcpy(indices + count, quad, sizeof quad);
            count += 6;
        }
    }
    for (int n = 0; n < 20000; n++) {
        uint32_t x = 2 + random_next(&random) % (SIDE - 4), y = 2 + random_next(&random) % (SIDE - 4);
        const float *a = positions + 3 * (size_t)(y * SIDE + x), *b = a + (ptrdiff_t)3 * (n % 2 ? 1 : SIDE);
        float part = n % 3 ? random_float(&random, 0, 1) : 0;
        sinew_vec3 at = {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])};
        sinew_ray ray = {{at.x, at.y, 40}, {0, 0, -1}};
        if (n % 5 > 0) { // not only straight down
            ray.origin.x = random_float(&random, 0, SIDE), ray.origin.y = random_float(&random, 0, SIDE);
            ray.direction = (sinew_vec3){at.x - ray.origin.x, at.y - ray.origin.y, at.z - ray.origin.z};
        }
        sinew_triangle_hit hit;
        if (!sinew_pick_triangles(ray, positions, indices, count, INFINITY, &hit))
            fail_msg("ray %d falls through", n);
    }
}

// ---- Assets ------------------------------------------------------------------------------------------------------------

typedef struct nearest {
    double distance, inside, normal[3];
    double second; // the distance of the one behind it
    int32_t mesh_node, primitive, triangle;
} nearest;

static void meet_primitive(posed *p, const dray *ray, int32_t mesh_node, int32_t primitive, nearest *n) {
    const sinew_mesh_node *at = &p->asset->mesh_nodes[mesh_node];
    const sinew_primitive *of = &p->asset->meshes[at->mesh].primitives[primitive];
    if (of->vertex_count == 0) return;
    posed_move(p, at, of);
    for (int32_t t = 0; t < of->index_count / 3; t++) {
        const double *c[3];
        double distance = 0, ab[3], ac[3];
        for (int k = 0; k < 3; k++) c[k] = p->exact + 3 * (size_t)of->indices[3 * t + k];
        double inside = meet_exactly(ray, c[0], c[1], c[2], &distance);
        if (inside < -1e-3) continue;
        if (distance >= n->distance || inside < 0) {
            n->second = fmin(n->second, distance);
            continue;
        }
        *n = (nearest){distance, inside, {0}, n->distance, mesh_node, primitive, t};
        for (int k = 0; k < 3; k++) ab[k] = c[1][k] - c[0][k], ac[k] = c[2][k] - c[0][k];
        cross(ab, ac, n->normal);
    }
}

static nearest meet_asset(posed *p, const sinew_ray *ray) {
    nearest n = {.distance = INFINITY, .second = INFINITY, .mesh_node = -1};
    dray d = wide(ray);
    for (int32_t i = 0; i < p->asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &p->asset->mesh_nodes[i];
        if (!mesh_node->in_scene || !mesh_node->visible) continue;
        for (int32_t k = 0; k < p->asset->meshes[mesh_node->mesh].primitive_count; k++)
            meet_primitive(p, &d, i, k, &n);
    }
    return n;
}

// The sum of the weights that a node has at the place.
static double weight_of(const sinew_asset *asset, const sinew_asset_hit *hit, int32_t node) {
    const sinew_mesh_node *mesh_node = &asset->mesh_nodes[hit->mesh_node];
    const sinew_primitive *p = &asset->meshes[mesh_node->mesh].primitives[hit->primitive];
    double sum = 0;
    for (int32_t c = 0; c < 3; c++) {
        size_t vertex = p->indices[3 * hit->triangle + c];
        for (int32_t i = 0; i < p->influences; i++) {
            size_t at = vertex * (size_t)p->influences + (size_t)i;
            if (asset->skins[mesh_node->skin].joints[p->joints[at]] == node)
                sum += (double)hit->barycentrics[c] * p->weights[at];
        }
    }
    return sum;
}

static void check_node(const sinew_asset *asset, const sinew_asset_hit *hit) {
    const sinew_mesh_node *mesh_node = &asset->mesh_nodes[hit->mesh_node];
    const sinew_primitive *p = &asset->meshes[mesh_node->mesh].primitives[hit->primitive];
    if (mesh_node->skin < 0 || p->influences == 0) {
        assert_int_equal(hit->node, mesh_node->node);
        return;
    }
    double mine = weight_of(asset, hit, hit->node);
    assert_true(mine > 0);
    for (int32_t i = 0; i < asset->skins[mesh_node->skin].joint_count; i++)
        assert_true(weight_of(asset, hit, asset->skins[mesh_node->skin].joints[i]) <= mine + 1e-6);
}

static void check_hit(const posed *p, const sinew_ray *ray, const nearest *wanted, const sinew_asset_hit *hit) {
    double size = 1 + wanted->distance;
    check_near(hit->distance, wanted->distance, 1e-4 * size);
    const dray d = wide(ray);
    const double normal[3] = {hit->normal.x, hit->normal.y, hit->normal.z};
    for (int k = 0; k < 3; k++) check_near((&hit->position.x)[k], d.o[k] + wanted->distance * d.d[k], 2e-4 * size);
    check_near(dot(normal, normal), 1, 1e-5);
    assert_true(dot(normal, d.d) <= 0);
    check_node(p->asset, hit);
    if (wanted->inside < 1e-2 || wanted->second - wanted->distance < 1e-3) return; // another may be the one
    assert_int_equal(hit->mesh_node, wanted->mesh_node);
    assert_int_equal(hit->primitive, wanted->primitive);
    assert_int_equal(hit->triangle, wanted->triangle);
    double length = sqrt(dot(wanted->normal, wanted->normal));
    check_near(fabs(dot(normal, wanted->normal)) / length, 1, 1e-3);
}

typedef struct found {
    int hits, misses;
    bool nodes[1024];
} found;

// Rays from around the model to somewhere near it.
static void check_rays(posed *p, int count, found *f, uint64_t *random) {
    void *scratch =
        malloc(sinew_asset_pick_size(p->asset)); // the exact size, so a sanitizer sees the byte after it
    sinew_box box;
    sinew_pose_to_model(p->pose, p->model);
    sinew_bounds_pose(p->asset->bounds, p->model, p->pose->weights, &box, NULL);
    for (int i = 0; i < count; i++) {
        sinew_ray ray;
        for (int k = 0; k < 3; k++) {
            float min = (&box.min.x)[k], max = (&box.max.x)[k], middle = (min + max) / 2, size = max - min + 0.1f;
            (&ray.origin.x)[k] = middle + random_float(random, -2, 2) * size;
            (&ray.direction.x)[k] = middle + random_float(random, -0.5f, 0.5f) * size - (&ray.origin.x)[k];
        }
        nearest wanted = meet_asset(p, &ray);
        sinew_asset_hit hit;
        bool met = sinew_asset_pick(p->asset, p->model, p->pose->weights, ray, scratch, &hit);
        if (met != (wanted.mesh_node >= 0) && (met || wanted.inside > 1e-3)) fail_msg("ray %d: %d", i, (int)met);
        if (met && wanted.mesh_node >= 0) {
            check_hit(p, &ray, &wanted, &hit);
            f->nodes[hit.node] = true;
        }
        f->hits += met, f->misses += !met;
    }
    free(scratch);
}

static found check_model(const char *name, int count) {
    sinew_asset *asset = posed_load_model(name);
    posed p = posed_make(asset);
    found f = {0};
    uint64_t random = 7;
    check_rays(&p, count, &f, &random);
    for (int32_t i = 0; i < asset->clip_count; i++) {
        sinew_pose_reset(p.pose);
        sinew_clip_sample(&asset->clips[i], 0.37f * asset->clips[i].duration, p.pose);
        check_rays(&p, count, &f, &random);
    }
    posed_free(&p);
    sinew_asset_destroy(asset);
    return f;
}

static void test_assets_against_double(void **state) {
    (void)state;
    found hero = check_model("hero.glb", 40), windmill = check_model("windmill.glb", 40);
    int nodes = 0;
    for (int i = 0; i < 1024; i++) nodes += hero.nodes[i];
    print_message("%d rays meet the hero, on %d joints, and %d miss it; %d and %d the windmill\n", hero.hits, nodes,
                  hero.misses, windmill.hits, windmill.misses);
    assert_true(hero.hits > 40 && hero.misses > 20 && nodes > 8);
    assert_true(windmill.hits > 20 && windmill.misses > 10);
    static const char *const small[] = {"morph-before-skin.gltf",      "morph-two-primitives.gltf",
                                        "two-skins-one-skeleton.gltf", "eight-influences.gltf",
                                        "mirrored-joint.gltf",         "node-visibility.gltf",
                                        "roots-above-the-skin.gltf"};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "conformance/%s", small[i]);
        if (check_model(path, 60).hits == 0) fail_msg("nothing of %s is met", path);
    }
}

// In the pose and not at rest: a ray at where a hand is in a wave, and where it is not at rest.
static void test_what_moved_is_met_where_it_is(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    posed p = posed_make(asset);
    int32_t hand = sinew_skeleton_find(asset->skeleton, "Hand_R");
    assert_true(hand >= 0);
    sinew_pose_to_model(p.pose, p.model);
    const sinew_affine at_rest = p.model[hand];
    sinew_clip_sample(sinew_asset_find_clip(asset, "Wave"), 1, p.pose);
    sinew_pose_to_model(p.pose, p.model);
    void *scratch = malloc(sinew_asset_pick_size(asset));
    sinew_asset_hit hit;
    sinew_ray ray = {{p.model[hand].m[0][3], p.model[hand].m[1][3], 5}, {0, 0, -1}};
    assert_true(sinew_asset_pick(asset, p.model, p.pose->weights, ray, scratch, &hit));
    assert_true(hit.position.z < 5 && fabsf(hit.position.z - p.model[hand].m[2][3]) < 0.2f);
    ray.origin.x = at_rest.m[0][3], ray.origin.y = at_rest.m[1][3];
    bool met = sinew_asset_pick(asset, p.model, p.pose->weights, ray, scratch, &hit);
    assert_true(!met || hit.node != hand);
    free(scratch);
    posed_free(&p);
    sinew_asset_destroy(asset);
}

// Bounds may contain more: a drawn mesh's joints also move what isn't drawn.
static void test_what_is_not_drawn_is_not_met(void **state) {
    (void)state;
    sinew_asset *asset = posed_load_model("hero.glb");
    posed p = posed_make(asset);
    sinew_pose_to_model(p.pose, p.model);
    void *scratch = malloc(sinew_asset_pick_size(asset));
    const sinew_ray ray = {{0.02f, 1.2f, 5}, {0, 0, -1}};
    sinew_asset_hit hit;
    assert_true(sinew_asset_pick(asset, p.model, NULL, ray, scratch, &hit));
    sinew_mesh_node *nodes = calloc((size_t)asset->mesh_node_count, sizeof *nodes);
    memcpy(nodes, asset->mesh_nodes, (size_t)asset->mesh_node_count * sizeof *nodes);
    sinew_asset changed = *asset;
    changed.mesh_nodes = nodes;
    assert_true(sinew_asset_pick(&changed, p.model, NULL, ray, scratch, &hit));
    int32_t first = hit.mesh_node;
    nodes[first].visible = false;
    assert_true(!sinew_asset_pick(&changed, p.model, NULL, ray, scratch, &hit) || hit.mesh_node != first);
    nodes[first].visible = true, nodes[first].in_scene = false;
    assert_true(!sinew_asset_pick(&changed, p.model, NULL, ray, scratch, &hit) || hit.mesh_node != first);
    free(nodes);
    free(scratch);
    posed_free(&p);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_by_hand),
        cmocka_unit_test(test_no_box_is_missed_by_a_rounding),
        cmocka_unit_test(test_triangles_against_double),
        cmocka_unit_test(test_triangles_that_are_none),
        cmocka_unit_test(test_there_are_no_cracks),
        cmocka_unit_test(test_assets_against_double),
        cmocka_unit_test(test_what_moved_is_met_where_it_is),
        cmocka_unit_test(test_what_is_not_drawn_is_not_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
