// SPDX-License-Identifier: MIT
// A scene's bounds, culling and picking, against all vertices and triangles of everything in it, in double.
//
// Mistakes: bounds of where something was; another instance's bounds after one is removed; ray distances after the
// ray was normalized or scaled into an instance; picking what's attached to a hand where its own file has it.
#include "support/posed_asset.h"
#include "support/scene_order.h"

enum { CROWD = 12, FRAMES = 8, RAYS = 40 };

typedef struct crowd {
    sinew_asset *assets[3];
    posed posed[3];
    sinew_scene *scene;
    sinew_scene_node nodes[CROWD]; // those that were removed are gone
    uint64_t random;
} crowd;

static sinew_transform draw_place(uint64_t *random) {
    sinew_transform t = {.rotation = random_quat(random), .scale = {1, 1, 1}};
    for (int i = 0; i < 3; i++) (&t.translation.x)[i] = random_float(random, -6, 6);
    for (int i = 0; i < 3 && random_next(random) % 2; i++) (&t.scale.x)[i] = random_float(random, 0.5f, 2.0f);
    if (random_next(random) % 4 == 0) t.scale.x = -t.scale.x;
    return t;
}

// Heroes, swords and windmills; every third thing hangs on the one before, where that has such a joint.
static void place_all(crowd *c) {
    for (int i = 0; i < CROWD; i++) {
        sinew_instance_def def = sinew_instance_default();
        def.asset = c->assets[i % 3];
        def.node.transform = draw_place(&c->random);
        if (i % 3 == 1) {
            def.node.parent = sinew_scene_find_joint(c->scene, c->nodes[i - 1], "Hand_R");
            def.node.transform.translation = (sinew_vec3){0.1f, 0.2f, 0.0f};
        }
        assert_int_equal(sinew_scene_add_instance(c->scene, &def, &c->nodes[i], NULL), SINEW_OK);
        sinew_mixer *mixer = sinew_scene_mixer(c->scene, c->nodes[i]);
        if (def.asset->clip_count == 0) continue;
        sinew_mixer_play(
            mixer, sinew_clip_source(&def.asset->clips[random_next(&c->random) % (uint32_t)def.asset->clip_count]),
            NULL);
    }
}

static crowd make_crowd(uint64_t seed) {
    static const char *const names[3] = {"hero.glb", "sword.glb", "windmill.glb"};
    crowd c = {.random = seed};
    for (int i = 0; i < 3; i++) {
        c.assets[i] = posed_load_model(names[i]);
        c.posed[i] = posed_make(c.assets[i]);
    }
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = CROWD + 4;
    assert_int_equal(sinew_scene_create(&def, &c.scene, NULL), SINEW_OK);
    place_all(&c);
    return c;
}

static void free_crowd(crowd *c) {
    sinew_scene_destroy(c->scene);
    for (int i = 0; i < 3; i++) {
        posed_free(&c->posed[i]);
        sinew_asset_destroy(c->assets[i]);
    }
}

static void move_some(crowd *c) {
    for (int i = 0; i < CROWD; i++) {
        if (i % 3 == 1 || random_next(&c->random) % 3 > 0) continue;
        if (sinew_scene_has(c->scene, c->nodes[i]))
            sinew_scene_set_transform(c->scene, c->nodes[i], draw_place(&c->random));
    }
    sinew_scene_update(c->scene, random_float(&c->random, 0, 0.5f));
}

// Puts the pose that an instance shows before the functions that know no scene.
static posed *pose_of(crowd *c, int i) {
    posed *p = &c->posed[i % 3];
    size_t nodes = (size_t)p->asset->skeleton->node_count, weights = (size_t)p->asset->skeleton->weight_count;
    memcpy(p->model, sinew_scene_model_matrices(c->scene, c->nodes[i]), nodes * sizeof *p->model);
    if (weights > 0) memcpy(p->pose->weights, sinew_scene_weights(c->scene, c->nodes[i]), weights * sizeof(float));
    return p;
}

// ---- Bounds and culling --------------------------------------------------------------------------------------

static bool sees(const sinew_frustum *frustum, sinew_vec3 v) {
    for (int i = 0; i < 6; i++) {
        const float *p = frustum->planes[i];
        if ((double)p[0] * v.x + (double)p[1] * v.y + (double)p[2] * v.z + p[3] < 0.0) return false;
    }
    return true;
}

static bool holds(const sinew_box *box, sinew_vec3 v) {
    return v.x >= box->min.x && v.x <= box->max.x && v.y >= box->min.y && v.y <= box->max.y && v.z >= box->min.z &&
           v.z <= box->max.z;
}

// Every vertex lies within the bounds, which are not far larger. Returns whether one of them is seen.
static bool check_vertices(crowd *c, int i, const sinew_frustum *frustum) {
    posed *p = pose_of(c, i);
    sinew_affine world = sinew_scene_world(c->scene, c->nodes[i]);
    sinew_box box = sinew_scene_bounds(c->scene, c->nodes[i]), own, tight = sinew_box_empty();
    sinew_bounds_pose(p->asset->bounds, p->model, p->pose->weights, &own, NULL);
    bool is_seen = false;
    for (int32_t k = 0; k < p->asset->mesh_node_count; k++) {
        const sinew_mesh_node *mesh_node = &p->asset->mesh_nodes[k];
        const sinew_mesh *mesh = &p->asset->meshes[mesh_node->mesh];
        for (int32_t m = 0; m < mesh->primitive_count; m++) {
            posed_move(p, mesh_node, &mesh->primitives[m]);
            for (int32_t v = 0; v < mesh->primitives[m].vertex_count; v++) {
                const float *at = p->moved + 3 * (ptrdiff_t)v;
                sinew_vec3 vertex = sinew_affine_point(world, (sinew_vec3){at[0], at[1], at[2]});
                assert_true(holds(&box, vertex));
                tight = sinew_box_union(tight, (sinew_box){vertex, vertex});
                is_seen = is_seen || sees(frustum, vertex);
            }
        }
    }
    for (int k = 0; k < 3;
         k++) { // a turned box is at most three times as wide as what it holds, and bounds half more
        double width = (&tight.max.x)[k] - (&tight.min.x)[k], most = 0;
        for (int j = 0; j < 3; j++) most += fabsf(world.m[k][j]) * ((&own.max.x)[j] - (&own.min.x)[j]);
        assert_true((&box.max.x)[k] - (&box.min.x)[k] <= 1.001 * most);
        assert_true(width <= most);
    }
    return is_seen;
}

static sinew_frustum draw_frustum(uint64_t *random) {
    sinew_frustum frustum;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) frustum.planes[i][k] = random_float(random, -1, 1);
        frustum.planes[i][3] = random_float(random, 1, 5);
    }
    return frustum;
}

static int in_sight, out_of_sight, vertices_in_sight;

static int index_of(const crowd *c, sinew_scene_node node) {
    int i = 0;
    while (!sinew_scene_node_equals(c->nodes[i], node)) i++;
    return i;
}

// The bits match the boxes one by one.
static const uint32_t *check_bits(const crowd *c, const sinew_frustum *frustum) {
    const uint32_t *visible = sinew_scene_cull(c->scene, frustum);
    int32_t count = 0;
    for (int i = 0; i < CROWD; i++) count += sinew_scene_has(c->scene, c->nodes[i]);
    assert_int_equal(sinew_scene_instance_count(c->scene), count);
    for (int32_t bit = 0; bit < count; bit++) {
        float numbers[6];
        sinew_boxes one = {&numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4], &numbers[5]};
        uint32_t expected;
        sinew_boxes_set(&one, 0, sinew_scene_bounds(c->scene, sinew_scene_instance(c->scene, bit)));
        sinew_cull_boxes(frustum, &one, 0, 1, &expected);
        assert_int_equal(sinew_is_visible(visible, bit), expected);
        in_sight += expected != 0, out_of_sight += expected == 0;
    }
    return visible;
}

// Nothing with a visible vertex may be left out.
static void check_culling(crowd *c) {
    sinew_frustum frustum = draw_frustum(&c->random);
    const uint32_t *visible = check_bits(c, &frustum);
    for (int32_t bit = 0; bit < sinew_scene_instance_count(c->scene); bit++) {
        if (!check_vertices(c, index_of(c, sinew_scene_instance(c->scene, bit)), &frustum)) continue;
        assert_true(sinew_is_visible(visible, bit));
        vertices_in_sight++;
    }
}

static void test_bounds_hold_and_culling_keeps_what_is_seen(void **state) {
    (void)state;
    crowd c = make_crowd(1);
    for (int frame = 0; frame < FRAMES; frame++) {
        move_some(&c);
        check_culling(&c);
        sinew_scene_remove(c.scene, c.nodes[random_next(&c.random) % CROWD]);
        for (int i = 0; i < 50; i++) { // before anything has been updated
            sinew_frustum frustum = draw_frustum(&c.random);
            check_bits(&c, &frustum);
        }
    }
    assert_true(in_sight > 500 && out_of_sight > 500 && vertices_in_sight > 10);
    free_crowd(&c);
}

// ---- Picking -------------------------------------------------------------------------------------------------

// What a ray meets first: the nearest triangle of all.
typedef struct nearest {
    int of; // in the crowd; -1: nothing
    int32_t instance, primitive, triangle;
    double distance;
    double inside; // 0: some triangle is met at its edge, and rounding may miss it
    bool is_close; // another is met at as good as the same distance
} nearest;

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// o + t d = a + u (b - a) + v (c - a), by Cramer's rule. Returns the least of u, v and 1 - u - v.
static double meet(const sinew_ray *ray, double corners[3][3], double *distance) {
    double ab[3], ac[3], s[3], p[3], q[3], d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = (&ray->direction.x)[k];
        ab[k] = corners[1][k] - corners[0][k], ac[k] = corners[2][k] - corners[0][k];
        s[k] = (&ray->origin.x)[k] - corners[0][k];
    }
    cross(d, ac, p);
    cross(s, ab, q);
    double determinant = dot(ab, p), u = dot(s, p) / determinant, v = dot(d, q) / determinant;
    *distance = dot(ac, q) / determinant;
    return determinant == 0.0 || *distance < 0.0 ? -INFINITY : fmin(fmin(u, v), 1.0 - u - v);
}

static void meet_triangle(double corners[3][3], const sinew_ray *ray, nearest *found, nearest candidate) {
    candidate.inside = meet(ray, corners, &candidate.distance);
    if (fabs(candidate.inside) < 1e-3) found->inside = 0.0;
    if (candidate.inside < 0.0 || candidate.distance >= found->distance + 1e-3) return;
    candidate.is_close = fabs(candidate.distance - found->distance) < 1e-3;
    candidate.inside = found->inside;
    if (candidate.distance < found->distance)
        *found = candidate;
    else
        found->is_close = true;
}

// All triangles of a primitive, which `p` has moved.
static void meet_primitive(const crowd *c, const posed *p, const sinew_primitive *of, const sinew_ray rays[RAYS],
                           nearest found[RAYS], nearest candidate) {
    sinew_affine world = sinew_scene_world(c->scene, c->nodes[candidate.of]);
    for (candidate.triangle = 0; 3 * candidate.triangle < of->index_count; candidate.triangle++) {
        double corners[3][3];
        for (int k = 0; k < 3; k++) {
            const double *at = p->exact + 3 * (ptrdiff_t)of->indices[3 * candidate.triangle + k];
            for (int r = 0; r < 3; r++) {
                const float *row = world.m[r];
                corners[k][r] = row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3];
            }
        }
        for (int i = 0; i < RAYS; i++) meet_triangle(corners, &rays[i], &found[i], candidate);
    }
}

static void meet_all(crowd *c, const sinew_ray rays[RAYS], nearest found[RAYS]) {
    for (int i = 0; i < RAYS; i++) found[i] = (nearest){.of = -1, .distance = INFINITY, .inside = 1.0};
    for (int i = 0; i < CROWD; i++) {
        if (!sinew_scene_has(c->scene, c->nodes[i])) continue;
        posed *p = pose_of(c, i);
        for (int32_t k = 0; k < p->asset->mesh_node_count; k++) {
            const sinew_mesh_node *mesh_node = &p->asset->mesh_nodes[k];
            const sinew_mesh *mesh = &p->asset->meshes[mesh_node->mesh];
            for (int32_t m = 0; m < mesh->primitive_count; m++) {
                posed_move(p, mesh_node, &mesh->primitives[m]);
                nearest candidate = {.of = i, .instance = k, .primitive = m};
                meet_primitive(c, p, &mesh->primitives[m], rays, found, candidate);
            }
        }
    }
}

// The joint with the most of the three corners, by how near each is; -1 where two have about as much.
static int32_t joint_of(const crowd *c, const nearest *found, const float barycentrics[3]) {
    const sinew_asset *asset = c->assets[found->of % 3];
    const sinew_mesh_node *mesh_node = &asset->mesh_nodes[found->instance];
    const sinew_primitive *of = &asset->meshes[mesh_node->mesh].primitives[found->primitive];
    if (mesh_node->skin < 0 || of->influences == 0) return mesh_node->node;
    double shares[256] = {0};
    int32_t best = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t v = of->indices[3 * found->triangle + k];
        for (int32_t i = 0; i < of->influences; i++) {
            size_t at = (size_t)v * (size_t)of->influences + (size_t)i;
            shares[of->joints[at]] += (double)barycentrics[k] * of->weights[at];
        }
    }
    for (int32_t i = 0; i < 256; i++) best = shares[i] > shares[best] ? i : best;
    for (int32_t i = 0; i < 256; i++) {
        if (i != best && shares[i] > shares[best] - 1e-3) return -1;
    }
    return asset->skins[mesh_node->skin].joints[best];
}

static sinew_ray draw_ray(crowd *c) {
    sinew_ray ray;
    float stretch = random_float(&c->random, 0.2f, 5.0f); // distances are in its lengths
    for (int k = 0; k < 3; k++) {
        float from = random_float(&c->random, -12, 12), to = random_float(&c->random, -6, 6);
        (&ray.origin.x)[k] = from;
        (&ray.direction.x)[k] = stretch * (to - from);
    }
    int i = (int)(random_next(&c->random) % CROWD);
    sinew_box box = sinew_scene_bounds(c->scene, c->nodes[i]);
    if (sinew_box_is_empty(box)) return ray;
    for (int k = 0; k < 3; k++) {
        float to = random_float(&c->random, (&box.min.x)[k], (&box.max.x)[k]);
        (&ray.direction.x)[k] = stretch * (to - (&ray.origin.x)[k]);
    }
    return ray;
}

static void check_hit(const crowd *c, const sinew_ray *ray, const nearest *wanted, const sinew_scene_hit *hit) {
    check_near(hit->distance, wanted->distance, 1e-4 * (1.0 + wanted->distance));
    for (int k = 0; k < 3; k++) {
        double at = (&ray->origin.x)[k] + wanted->distance * (double)(&ray->direction.x)[k];
        check_near((&hit->position.x)[k], at, 1e-3);
    }
    if (wanted->is_close) return;
    assert_true(sinew_scene_node_equals(hit->node, sinew_scene_joint(c->nodes[wanted->of], hit->asset.node)));
    assert_int_equal(hit->asset.mesh_node, wanted->instance);
    assert_int_equal(hit->asset.primitive, wanted->primitive);
    assert_int_equal(hit->asset.triangle, wanted->triangle);
    int32_t joint = joint_of(c, wanted, hit->asset.barycentrics);
    if (joint >= 0) assert_int_equal(hit->asset.node, joint);
}

typedef struct tally {
    int of[3], misses; // of heroes, swords and windmills
} tally;

static void pick_triangles(crowd *c, tally *counts) {
    sinew_ray rays[RAYS];
    nearest wanted[RAYS];
    for (int i = 0; i < RAYS; i++) rays[i] = draw_ray(c);
    meet_all(c, rays, wanted);
    for (int i = 0; i < RAYS; i++) {
        sinew_scene_hit hit = {.distance = -1};
        bool met = sinew_scene_pick(c->scene, rays[i], SINEW_PICK_TRIANGLES, &hit);
        if (wanted[i].inside == 0.0) continue;
        assert_int_equal(met, wanted[i].of >= 0);
        counts->misses += !met;
        if (!met) assert_true(hit.distance == -1); // untouched
        if (!met) continue;
        check_hit(c, &rays[i], &wanted[i], &hit);
        counts->of[wanted[i].of % 3]++;
    }
}

static void test_triangles_are_picked(void **state) {
    (void)state;
    crowd c = make_crowd(2);
    tally counts = {{0}, 0};
    for (int round = 0; round < 6; round++) {
        move_some(&c);
        pick_triangles(&c, &counts);
        sinew_scene_remove(c.scene, c.nodes[random_next(&c.random) % CROWD]);
    }
    print_message("%d heroes are met, %d swords, %d windmills, and %d rays miss all\n", counts.of[0], counts.of[1],
                  counts.of[2], counts.misses);
    assert_true(counts.of[0] > 5 && counts.of[1] > 0 && counts.of[2] > 20 && counts.misses > 20);
    free_crowd(&c);
}

static void test_bounds_are_picked(void **state) {
    (void)state;
    crowd c = make_crowd(3);
    sinew_scene_update(c.scene, 0.3f);
    int hits = 0;
    for (int i = 0; i < 10 * RAYS; i++) {
        sinew_ray ray = draw_ray(&c);
        float least = INFINITY, distance;
        int which = -1;
        for (int k = 0; k < CROWD; k++) {
            sinew_box box = sinew_scene_bounds(c.scene, c.nodes[k]);
            if (sinew_ray_box(ray, box, &distance) && distance < least) least = distance, which = k;
        }
        sinew_scene_hit hit;
        assert_int_equal(sinew_scene_pick(c.scene, ray, SINEW_PICK_BOUNDS, &hit), which >= 0);
        if (which < 0) continue;
        hits++;
        assert_true(sinew_scene_node_equals(hit.node, c.nodes[which]) && hit.distance == least);
        for (int k = 0; k < 3; k++) {
            double at = (&ray.origin.x)[k] + (double)least * (double)(&ray.direction.x)[k];
            check_near((&hit.position.x)[k], at, 1e-4);
        }
    }
    assert_true(hits > 5 * RAYS);
    free_crowd(&c);
}

// What is scaled to nothing has no inside that a ray could be seen from.
static void test_what_is_flat_does_no_harm(void **state) {
    (void)state;
    crowd c = make_crowd(4);
    for (int i = 0; i < CROWD; i++) {
        sinew_transform t = sinew_transform_identity();
        t.scale = i % 2 ? (sinew_vec3){0, 0, 0} : (sinew_vec3){1, 0, 1};
        sinew_scene_set_transform(c.scene, c.nodes[i], t);
    }
    sinew_scene_update(c.scene, 0.1f);
    sinew_ray ray = {{0, 1, 0}, {0, -1, 0}};
    sinew_scene_hit hit = {.distance = -1};
    assert_false(sinew_scene_pick(c.scene, ray, SINEW_PICK_TRIANGLES, &hit));
    assert_true(hit.distance == -1);
    free_crowd(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_hold_and_culling_keeps_what_is_seen),
        cmocka_unit_test(test_triangles_are_picked),
        cmocka_unit_test(test_bounds_are_picked),
        cmocka_unit_test(test_what_is_flat_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
