// SPDX-License-Identifier: MIT
// Posed bounds of random meshes: they contain every vertex computed in double, and are no larger than the boxes
// they're made of. Mistakes: a joint's box in the mesh's space; leaving out vertices with small weights; morph
// weights that only work between 0 and 1; ignoring rounding; an order of sums that depends on the vector width.
#include "support/check.h"

#include "kernels/kernels.h"
#include "core/bounds_object.h"

enum { NODES = 40, MOST_MESHES = 6, VERTICES = 60, TARGETS = 5, INFLUENCES = 8, CARRIERS = 3 };

// ---- What is drawn -------------------------------------------------------------------------------------------------

typedef struct drawn_mesh {
    float positions[3 * VERTICES], weights[VERTICES * INFLUENCES], deltas[TARGETS][3 * VERTICES];
    uint16_t joints[VERTICES * INFLUENCES];
    const float *targets[TARGETS];
    int32_t nodes[CARRIERS];
} drawn_mesh;

typedef struct world {
    sinew_skeleton *skeleton;
    sinew_skin *skins[2];
    drawn_mesh drawn[MOST_MESHES];
    sinew_bounds_mesh meshes[MOST_MESHES];
    int32_t mesh_count;
    double deviation; // the furthest that a vertex's weights are from summing to 1
    sinew_affine model[NODES];
    float weights[NODES * TARGETS];
} world;

static sinew_affine random_matrix(uint64_t *random, float far) {
    sinew_transform t = {.rotation = random_quat(random)};
    for (int i = 0; i < 3; i++) {
        (&t.translation.x)[i] = random_float(random, -far, far);
        (&t.scale.x)[i] = random_float(random, 0.25f, 2);
        if (random_next(random) % 4 == 0) (&t.scale.x)[i] *= -1; // mirrored
        if (random_next(random) % 16 == 0) (&t.scale.x)[i] = 0;  // flattened
    }
    return sinew_affine_from_transform(t);
}

static void make_skeleton(world *w, uint64_t *random) {
    sinew_node_def nodes[NODES] = {0};
    for (int32_t i = 0; i < NODES; i++) {
        nodes[i].parent = i == 0 ? SINEW_NO_NODE : (int32_t)(random_next(random) % (uint32_t)i);
        nodes[i].rest = sinew_transform_identity();
        nodes[i].weight_count = TARGETS;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = NODES;
    def.nodes = nodes;
    assert_int_equal(sinew_skeleton_create(&def, &w->skeleton, NULL), SINEW_OK);
}

static void make_skins(world *w, float far, uint64_t *random) {
    for (int s = 0; s < 2; s++) {
        int32_t joints[NODES];
        sinew_affine inverse_binds[NODES];
        for (int32_t i = 0; i < NODES; i++) {
            joints[i] = (int32_t)(random_next(random) % NODES);
            inverse_binds[i] = random_matrix(random, far);
        }
        sinew_skin_def def = sinew_skin_default();
        def.skeleton = w->skeleton;
        def.joint_count = NODES - 10 * s;
        def.joints = joints;
        def.inverse_binds = inverse_binds;
        assert_int_equal(sinew_skin_create(&def, &w->skins[s], NULL), SINEW_OK);
    }
}

// Weights that sum to 1 + `off`. Some are 0, some very small.
static void draw_weights(world *w, float *weights, int32_t influences, float off, uint64_t *random) {
    float sum = 0.0f;
    for (int32_t i = 0; i < influences; i++) {
        uint32_t kind = random_next(random) % 4;
        weights[i] = kind == 0 ? 0.0f : kind == 1 ? 1e-6f : random_float(random, 0, 1);
        sum += weights[i];
    }
    if (sum == 0.0f) weights[0] = sum = 1.0f;
    double again = 0.0;
    for (int32_t i = 0; i < influences; i++) {
        weights[i] = weights[i] / sum * (1.0f + off);
        again += (double)weights[i];
    }
    w->deviation = fmax(w->deviation, fabs(again - 1.0));
}

static void draw_vectors(float *to, float far, float size, uint64_t *random) {
    const float at[3] = {random_float(random, -far, far), random_float(random, -far, far),
                         random_float(random, -far, far)};
    for (int i = 0; i < 3 * VERTICES; i++) to[i] = at[i % 3] + random_float(random, -size, size);
}

static void draw_mesh(world *w, int index, float far, float off, uint64_t *random) {
    drawn_mesh *d = &w->drawn[index];
    sinew_bounds_mesh *mesh = &w->meshes[index];
    *mesh = (sinew_bounds_mesh){.node_count = 1 + (int32_t)(random_next(random) % CARRIERS),
                                .nodes = d->nodes,
                                .skin = random_next(random) % 4 ? w->skins[index % 2] : NULL,
                                .vertex_count = 1 + (int32_t)(random_next(random) % VERTICES),
                                .positions = d->positions,
                                .influences = (int32_t)(random_next(random) % (INFLUENCES + 1)),
                                .joints = d->joints,
                                .weights = d->weights,
                                .target_count = (int32_t)(random_next(random) % 3 * 2),
                                .target_positions = d->targets};
    for (int i = 0; i < CARRIERS; i++) d->nodes[i] = (int32_t)(random_next(random) % NODES);
    draw_vectors(d->positions, far, 1, random);
    for (int t = 0; t < TARGETS; t++) {
        draw_vectors(d->deltas[t], 0.5f, 0.5f, random);
        d->targets[t] = random_next(random) % 3 ? d->deltas[t] : NULL;
    }
    for (int v = 0; v < VERTICES && mesh->skin && mesh->influences > 0; v++) {
        int32_t first = v * mesh->influences;
        draw_weights(w, d->weights + first, mesh->influences, random_float(random, -off, off), random);
        for (int32_t i = 0; i < mesh->influences; i++)
            d->joints[first + i] = (uint16_t)(random_next(random) % (uint32_t)(mesh->skin->joint_count));
    }
}

static void draw_pose(world *w, float far, uint64_t *random) {
    for (int i = 0; i < NODES; i++) w->model[i] = random_matrix(random, far);
    for (int i = 0; i < NODES * TARGETS; i++) {
        w->weights[i] = random_float(random, -2, 3);
        if (random_next(random) % 3 == 0) w->weights[i] = 0.0f;
    }
}

static void make_world(world *w, float far, float off, uint64_t *random) {
    memset(w, 0, sizeof *w);
    make_skeleton(w, random);
    make_skins(w, far, random);
    w->mesh_count = 1 + (int32_t)(random_next(random) % MOST_MESHES);
    for (int i = 0; i < w->mesh_count; i++) draw_mesh(w, i, far, off, random);
    draw_pose(w, far, random);
}

static sinew_bounds *make_bounds(const world *w) {
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = w->skeleton;
    def.meshes = w->meshes;
    def.mesh_count = w->mesh_count;
    sinew_bounds *bounds;
    sinew_error error = {0};
    if (sinew_bounds_create(&def, &bounds, &error) != SINEW_OK) fail_msg("%s", error.message);
    return bounds;
}

static void free_world(world *w) {
    sinew_skin_destroy(w->skins[0]);
    sinew_skin_destroy(w->skins[1]);
    sinew_skeleton_destroy(w->skeleton);
}

// ---- The same in double ----------------------------------------------------------------------------------------------

static void multiply_point(const sinew_affine *m, const double v[3], double w, double out[3]) {
    for (int r = 0; r < 3; r++) out[r] = m->m[r][0] * v[0] + m->m[r][1] * v[1] + m->m[r][2] * v[2] + m->m[r][3] * w;
}

// A vertex or a difference (w = 0) as one of its joints has it: in the space of the joint's node.
static void in_joint(const sinew_bounds_mesh *mesh, int32_t joint, const float *vector, double w, double out[3]) {
    const double v[3] = {vector[0], vector[1], vector[2]};
    memcpy(out, v, sizeof v);
    if (joint >= 0) multiply_point(&mesh->skin->inverse_binds[joint], v, w, out);
}

static bool is_skinned(const sinew_bounds_mesh *mesh) {
    return mesh->skin && mesh->influences > 0;
}

static void exact_vertex(const world *w, const sinew_bounds_mesh *mesh, int32_t carrier, int32_t v, double out[3]) {
    const float *weights = w->weights + w->skeleton->weight_offsets[carrier];
    double at[3], bound[3], moved[3];
    for (int k = 0; k < 3; k++) {
        at[k] = mesh->positions[3 * v + k];
        for (int32_t t = 0; t < mesh->target_count; t++)
            if (mesh->target_positions[t]) at[k] += (double)weights[t] * mesh->target_positions[t][3 * v + k];
    }
    if (!is_skinned(mesh)) {
        multiply_point(&w->model[carrier], at, 1, out);
        return;
    }
    out[0] = out[1] = out[2] = 0;
    for (int32_t i = v * mesh->influences; i < (v + 1) * mesh->influences; i++) {
        multiply_point(&mesh->skin->inverse_binds[mesh->joints[i]], at, 1, bound);
        multiply_point(&w->model[mesh->skin->joints[mesh->joints[i]]], bound, 1, moved);
        for (int k = 0; k < 3; k++) out[k] += (double)mesh->weights[i] * moved[k];
    }
}

typedef struct dbox {
    double min[3], max[3];
} dbox;

static dbox nothing(void) {
    return (dbox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void grow(dbox *box, const double v[3]) {
    for (int k = 0; k < 3; k++) {
        box->min[k] = fmin(box->min[k], v[k]);
        box->max[k] = fmax(box->max[k], v[k]);
    }
}

static bool holds(const sinew_box *box, const double v[3]) {
    return v[0] >= box->min.x && v[1] >= box->min.y && v[2] >= box->min.z && v[0] <= box->max.x &&
           v[1] <= box->max.y && v[2] <= box->max.z;
}

// The box of what a joint (-1: the node) has of a mesh, of its positions or of a target's differences.
static dbox box_in_joint(const sinew_bounds_mesh *mesh, int32_t joint, const float *vectors, double w) {
    dbox box = nothing();
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        bool mine = joint < 0;
        for (int32_t i = 0; i < mesh->influences && joint >= 0; i++) {
            int32_t at = v * mesh->influences + i;
            mine = mine || (mesh->joints[at] == joint && mesh->weights[at] > 0);
        }
        double at[3];
        in_joint(mesh, joint, vectors + 3 * (ptrdiff_t)v, w, at);
        if (mine) grow(&box, at);
    }
    return box;
}

static bool is_empty(const dbox *box) {
    return box->min[0] > box->max[0];
}

// Corner by corner.
static void grow_by_moved(const world *w, const dbox *box, int32_t node, dbox *all) {
    for (int corner = 0; corner < 8 && !is_empty(box); corner++) {
        double at[3], moved[3];
        for (int k = 0; k < 3; k++) at[k] = corner >> k & 1 ? box->max[k] : box->min[k];
        multiply_point(&w->model[node], at, 1, moved);
        grow(all, moved);
    }
}

// What the header says bounds are: what holds the moved boxes. Those without morph targets are one on each node, and the
// others are larger by the live weights of theirs.
static void grow_by_joint(const world *w, const sinew_bounds_mesh *mesh, int32_t carrier, int32_t joint,
                          dbox still[NODES], dbox *all) {
    const float *weights = w->weights + w->skeleton->weight_offsets[carrier];
    const int32_t node = joint < 0 ? carrier : mesh->skin->joints[joint];
    dbox box = box_in_joint(mesh, joint, mesh->positions, 1);
    bool morphed = false;
    if (is_empty(&box)) return;
    for (int32_t t = 0; t < mesh->target_count; t++) {
        if (!mesh->target_positions[t]) continue;
        morphed = true;
        dbox delta = box_in_joint(mesh, joint, mesh->target_positions[t], 0);
        for (int k = 0; k < 3; k++) {
            double a = weights[t] * delta.min[k], b = weights[t] * delta.max[k];
            box.min[k] += fmin(a, b);
            box.max[k] += fmax(a, b);
        }
    }
    if (morphed) {
        grow_by_moved(w, &box, node, all);
    } else {
        grow(&still[node], box.min);
        grow(&still[node], box.max);
    }
}

static dbox expected_box(const world *w) {
    dbox all = nothing(), still[NODES];
    for (int i = 0; i < NODES; i++) still[i] = nothing();
    for (int32_t m = 0; m < w->mesh_count; m++) {
        const sinew_bounds_mesh *mesh = &w->meshes[m];
        for (int32_t n = 0; n < mesh->node_count; n++) {
            if (!is_skinned(mesh)) grow_by_joint(w, mesh, mesh->nodes[n], -1, still, &all);
            for (int32_t j = 0; is_skinned(mesh) && j < mesh->skin->joint_count; j++)
                grow_by_joint(w, mesh, mesh->nodes[n], j, still, &all);
        }
    }
    for (int32_t i = 0; i < NODES; i++) grow_by_moved(w, &still[i], i, &all);
    return all;
}

// ---- They hold ---------------------------------------------------------------------------------------------------------

static void check_vertices(const world *w, const sinew_box *box, const sinew_sphere *sphere) {
    for (int32_t m = 0; m < w->mesh_count; m++) {
        const sinew_bounds_mesh *mesh = &w->meshes[m];
        for (int32_t n = 0; n < mesh->node_count; n++) {
            for (int32_t v = 0; v < mesh->vertex_count; v++) {
                double at[3];
                exact_vertex(w, mesh, mesh->nodes[n], v, at);
                assert_true(holds(box, at));
                double x = at[0] - sphere->center.x, y = at[1] - sphere->center.y, z = at[2] - sphere->center.z;
                assert_true(sqrt(x * x + y * y + z * z) <= sphere->radius);
            }
        }
    }
}

// `far` is how far from their origins meshes and joints are: there, rounding takes away more.
static void check_worlds(float far, float off, int count, uint64_t seed) {
    uint64_t random = seed;
    for (int i = 0; i < count; i++) {
        static world w;
        make_world(&w, far, off, &random);
        sinew_bounds *bounds = make_bounds(&w);
        sinew_box box;
        sinew_sphere sphere;
        sinew_bounds_pose(bounds, w.model, w.weights, &box, &sphere);
        check_vertices(&w, &box, &sphere);

        dbox expected = expected_box(&w);
        const float *min = &box.min.x, *max = &box.max.x;
        double diagonal = 0, reach = 3 * 2 * (3 * 2 * (2 * far + 1) + far) + far; // of any sum on the way
        double margin = 2 * (2e-5 + 1.1 * w.deviation) * (reach + TARGETS * 3 * 20);
        for (int k = 0; k < 3; k++) {
            check_near(min[k], expected.min[k], margin);
            check_near(max[k], expected.max[k], margin);
            diagonal += (expected.max[k] - expected.min[k]) * (expected.max[k] - expected.min[k]);
        }
        assert_true(sphere.radius <= sqrt(diagonal) / 2 + 2 * margin);
        sinew_bounds_destroy(bounds);
        free_world(&w);
    }
}

static void test_they_hold_every_vertex_and_no_more_than_they_must(void **state) {
    (void)state;
    check_worlds(1, 0, 200, 1);
    check_worlds(0, 0, 50, 2);
    check_worlds(1000, 0, 100, 3);
    check_worlds(1e6f, 0, 100, 4);
    check_worlds(1, 9e-4f, 100, 5); // weights that do not quite sum to 1
}

// Squares of lengths end far before lengths do, on either side.
static void test_spheres_of_any_size(void **state) {
    (void)state;
    uint64_t random = 19;
    for (int exponent = 0; exponent <= 208; exponent += 2) {
        const float size = ldexpf(1e-30f, exponent); // to 4e32
        static world w;
        make_world(&w, 1, 0, &random);
        for (int i = 0; i < 12 * NODES; i++) w.model[i / 12].m[i / 4 % 3][i % 4] *= size;
        sinew_bounds *bounds = make_bounds(&w);
        sinew_box box;
        sinew_sphere sphere;
        sinew_bounds_pose(bounds, w.model, w.weights, &box, &sphere);
        check_vertices(&w, &box, &sphere);
        double x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z;
        assert_true(sphere.radius <= 0.501 * sqrt(x * x + y * y + z * z));
        sinew_bounds_destroy(bounds), free_world(&w);
    }
}

// One vertex and one rotation: the box is the vertex plus the margin that the header documents.
static void test_the_margin_is_what_it_is_said_to_be(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const float place[3] = {1, 2, 3};
    const int32_t node = 0;
    const sinew_bounds_mesh mesh = {.node_count = 1, .nodes = &node, .vertex_count = 1, .positions = place};
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = skeleton, def.meshes = &mesh, def.mesh_count = 1;
    sinew_bounds *bounds;
    assert_int_equal(sinew_bounds_create(&def, &bounds, NULL), SINEW_OK);
    sinew_affine model = sinew_affine_identity();
    sinew_box box;
    sinew_sphere sphere;
    sinew_bounds_pose(bounds, &model, NULL, &box, &sphere);
    check_vec3(box.min, 1, 2, 3, 4e-6 * 3);
    check_vec3(box.max, 1, 2, 3, 4e-6 * 3);
    check_near(sphere.radius, 0, 1e-5 * 3);
    assert_true(box.min.x < 1 && box.max.z > 3 && sphere.radius > 0);
    sinew_bounds_destroy(bounds);
    sinew_skeleton_destroy(skeleton);
}

static void test_each_box_by_itself(void **state) {
    (void)state;
    uint64_t random = 11;
    for (int i = 0; i < 40; i++) {
        static world w;
        make_world(&w, 1, 0, &random);
        sinew_bounds *bounds = make_bounds(&w);
        sinew_box *boxes = calloc((size_t)bounds->box_count + 1, sizeof *boxes), all, together = sinew_box_empty();
        boxes[bounds->box_count] = (sinew_box){{7, 7, 7}, {7, 7, 7}}; // stays
        sinewi_bounds_pose_boxes(bounds, w.model, w.weights, boxes);
        for (int32_t b = 0; b < bounds->box_count; b++) {
            together = sinew_box_union(together, boxes[b]);
            sinew_box moved = sinew_box_transform(bounds->boxes[b], w.model[bounds->nodes[b]]);
            sinew_box both = sinew_box_union(moved, boxes[b]);
            sinewi_bounds_pose_boxes(bounds, w.model, NULL, boxes); // without morph targets
            check_vec3(boxes[b].min, moved.min.x, moved.min.y, moved.min.z, 1e-3);
            check_vec3(boxes[b].max, moved.max.x, moved.max.y, moved.max.z, 1e-3);
            sinewi_bounds_pose_boxes(bounds, w.model, w.weights, boxes);
            assert_false(sinew_box_is_empty(both));
        }
        check_vec3(boxes[bounds->box_count].min, 7, 7, 7, 0);
        sinew_bounds_pose(bounds, w.model, w.weights, &all, NULL);
        check_vec3(together.min, all.min.x, all.min.y, all.min.z, 1e-3);
        check_vec3(together.max, all.max.x, all.max.y, all.max.z, 1e-3);
        free(boxes);
        sinew_bounds_destroy(bounds);
        free_world(&w);
    }
}

// Boxes on one node are one, unless morph targets move them.
static void test_boxes_are_united(void **state) {
    (void)state;
    sinew_node_def node = {.parent = SINEW_NO_NODE, .rest = sinew_transform_identity(), .weight_count = 2};
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.nodes = &node, skeleton_def.node_count = 1;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    const float near[3] = {0, 0, 0}, far[3] = {1, 2, 3}, still[3] = {0, 0, 0}, moving[3] = {0, 0.5f, 0};
    const float *const two[2] = {still, NULL}, *const other[2] = {NULL, moving};
    const int32_t root = 0;
    sinew_bounds_mesh meshes[4] = {
        {.node_count = 1, .nodes = &root, .vertex_count = 1, .positions = near},
        {.node_count = 1, .nodes = &root, .vertex_count = 1, .positions = far},
        {.node_count = 1, .nodes = &root, .vertex_count = 1, .positions = far, .target_count = 2},
        {.node_count = 1, .nodes = &root, .vertex_count = 1, .positions = far, .target_count = 2},
    };
    meshes[2].target_positions = two;
    meshes[3].target_positions = other;
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = skeleton, def.meshes = meshes, def.mesh_count = 4;
    sinew_bounds *bounds;
    assert_int_equal(sinew_bounds_create(&def, &bounds, NULL), SINEW_OK);
    assert_int_equal(bounds->box_count, 2);
    check_vec3(bounds->boxes[0].min, 0, 0, 0, 0);
    check_vec3(bounds->boxes[0].max, 1, 2, 3, 0);
    check_vec3(bounds->boxes[1].min, 1, 2, 3, 0);
    sinew_affine model = sinew_affine_identity();
    const float weights[2] = {100, -8};
    sinew_box box;
    sinew_bounds_pose(bounds, &model, weights, &box, NULL);
    check_vec3(box.min, 0, -2, 0, 1e-3);
    check_vec3(box.max, 1, 2, 3, 1e-3);
    sinew_bounds_destroy(bounds);
    sinew_skeleton_destroy(skeleton);
}

// ---- The same bits -------------------------------------------------------------------------------------------------------

static void draw_blocks(sinewi_bound_block *blocks, int count, uint64_t *random) {
    for (int b = 0; b < count; b++) {
        for (int l = 0; l < SINEW_LANES; l++) {
            for (int k = 0; k < 3; k++) {
                blocks[b].center[k][l] = random_float(random, -1, 1);
                blocks[b].half[k][l] = random_next(random) % 5 ? random_float(random, 0, 1) : 0;
            }
            blocks[b].size[l] = random_float(random, 1, 2);
            blocks[b].nodes[l] = (int32_t)(random_next(random) % NODES);
        }
    }
}

static void draw_matrices(sinew_affine *model, uint64_t *random) {
    static const float odd[] = {0.0f, -0.0f, 1e-42f, 1e30f, NAN, INFINITY};
    for (int i = 0; i < NODES; i++) {
        for (int e = 0; e < 12; e++) model[i].m[e / 4][e % 4] = random_float(random, -1, 1);
        if (random_next(random) % 4 == 0)
            model[i].m[random_next(random) % 3][random_next(random) % 4] = odd[random_next(random) % 4];
        if (random_next(random) % 100 == 0)
            model[i].m[random_next(random) % 3][random_next(random) % 4] = odd[4 + random_next(random) % 2];
    }
}

// Of 0 and -0, which comes out depends on the order; what is made of them does not tell them apart.
static void check_bits(float got, float wanted) {
    got += 0.0f, wanted += 0.0f;
    assert_memory_equal(&got, &wanted, sizeof got);
}

static void test_every_width_gives_the_bits_of_plain_c(void **state) {
    (void)state;
    uint64_t random = 21;
    const sinewi_extent nothing_yet = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0f, true};
    int infinite = 0;
    for (int round = 0; round < 300; round++) {
        static sinewi_bound_block blocks[5];
        sinew_affine model[NODES];
        size_t count = (size_t)(round % 6);
        draw_blocks(blocks, 5, &random);
        draw_matrices(model, &random);
        sinewi_extent wanted = nothing_yet;
        const sinewi_bound_kernels *plain = sinewi_bound_kernels_of(SINEWI_SIMD_SCALAR);
        plain->bound_boxes(blocks, count, model, &wanted);
        const float center[3] = {0.25f, -0.5f, 1};
        float square = plain->bound_square(blocks, count, model, center, 0.125f);
        infinite += !wanted.finite;
        for (int level = SINEWI_SIMD_128; level < SINEWI_SIMD_LEVELS; level++) {
            const sinewi_bound_kernels *kernels = sinewi_bound_kernels_of((sinewi_simd_level)level);
            if (!kernels) continue;
            sinewi_extent got = nothing_yet;
            kernels->bound_boxes(blocks, count, model, &got);
            assert_int_equal(got.finite, wanted.finite);
            for (int k = 0; k < 3; k++) {
                check_bits(got.min[k], wanted.min[k]);
                check_bits(got.max[k], wanted.max[k]);
            }
            check_bits(got.reach, wanted.reach);
            check_bits(kernels->bound_square(blocks, count, model, center, 0.125f), square);
        }
    }
    assert_true(infinite > 20 && infinite < 280); // both kinds were there
}

// ---- What is not there, or not finite ------------------------------------------------------------------------------------

static void check_all_of_space(sinew_box box) {
    for (int k = 0; k < 3; k++) assert_true((&box.min.x)[k] == -INFINITY && (&box.max.x)[k] == INFINITY);
}

static void test_no_boxes_hold_nothing(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(3);
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = skeleton;
    sinew_bounds *bounds;
    assert_int_equal(sinew_bounds_create(&def, &bounds, NULL), SINEW_OK);
    assert_int_equal(bounds->box_count, 0);
    sinew_affine model[3];
    sinew_box box;
    sinew_sphere sphere;
    for (int i = 0; i < 3; i++) model[i] = sinew_affine_identity();
    sinew_bounds_pose(bounds, model, NULL, &box, &sphere);
    assert_true(sinew_box_is_empty(box));
    assert_true(sphere.radius == -INFINITY);
    sinewi_bounds_pose_boxes(bounds, model, NULL, NULL);
    sinew_bounds_destroy(bounds);
    sinew_bounds_destroy(NULL);
    sinew_skeleton_destroy(skeleton);
}

static void test_what_is_not_finite_is_all_of_space(void **state) {
    (void)state;
    uint64_t random = 31;
    static world w;
    do {
        if (w.skeleton) free_world(&w);
        make_world(&w, 1, 0, &random);
    } while (w.mesh_count < 5);
    sinew_bounds *bounds = make_bounds(&w);
    static const float wrong[] = {NAN, INFINITY, -INFINITY, 3e38f};
    bool used[NODES] = {false};
    for (int32_t b = 0; b < bounds->box_count; b++) used[bounds->nodes[b]] = true;
    int unused = 0;
    for (int node = 0; node < NODES; node++) {
        for (int e = 0; e < 12; e++) {
            float *element = &w.model[node].m[e / 4][e % 4], kept = *element;
            sinew_box box;
            sinew_sphere sphere;
            *element = wrong[(node + e) % 4];
            sinew_bounds_pose(bounds, w.model, NULL, &box, &sphere);
            if (used[node]) {
                check_all_of_space(box);
                assert_true(sphere.radius == INFINITY);
            } else { // it moves nothing
                assert_true(isfinite(box.min.x) && isfinite(sphere.radius));
            }
            *element = kept;
        }
        unused += !used[node];
    }
    assert_true(unused > 0 && unused < NODES);
    sinew_box box;
    int seen = 0;
    for (int i = 0; i < NODES * TARGETS; i++) {
        float kept = w.weights[i];
        w.weights[i] = i % 2 ? NAN : -INFINITY;
        sinew_bounds_pose(bounds, w.model, w.weights, &box, NULL);
        if (!isfinite(box.min.x)) {
            check_all_of_space(box);
            seen++;
        }
        w.weights[i] = kept;
    }
    assert_true(seen > 0);
    sinew_bounds_destroy(bounds);
    free_world(&w);
}

// A vertex that its inverse bind sends further than floats go may come back in the pose.
static void test_what_overflows_on_the_way_is_all_of_space(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(1);
    const int32_t joint = 0;
    sinew_affine inverse_bind = sinew_affine_identity();
    inverse_bind.m[0][0] = 1e30f, inverse_bind.m[0][1] = -1e30f;
    sinew_skin_def skin_def = sinew_skin_default();
    skin_def.skeleton = skeleton, skin_def.joint_count = 1;
    skin_def.joints = &joint, skin_def.inverse_binds = &inverse_bind;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&skin_def, &skin, NULL), SINEW_OK);
    const float places[6] = {1e30f, 1e30f, 0, 1e30f, 1e30f, 0}, weights[8] = {1, 0, 0, 0, 1};
    const uint16_t joints[8] = {0};
    const sinew_bounds_mesh mesh = {.node_count = 1,
                                    .nodes = &joint,
                                    .skin = skin,
                                    .vertex_count = 2,
                                    .positions = places,
                                    .influences = 4,
                                    .joints = joints,
                                    .weights = weights};
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = skeleton, def.meshes = &mesh, def.mesh_count = 1;
    sinew_bounds *bounds;
    assert_int_equal(sinew_bounds_create(&def, &bounds, NULL), SINEW_OK);
    sinew_affine model = sinew_affine_identity();
    sinew_box box;
    sinew_bounds_pose(bounds, &model, NULL, &box, NULL);
    check_all_of_space(box);
    check_all_of_space(bounds->boxes[0]);
    sinew_bounds_destroy(bounds);
    sinew_skin_destroy(skin);
    sinew_skeleton_destroy(skeleton);
}

// ---- Boxes -----------------------------------------------------------------------------------------------------------------

static void test_unions(void **state) {
    (void)state;
    sinew_box empty = sinew_box_empty(), a = {{0, 0, 0}, {1, 1, 1}}, b = {{-1, 0.5f, 2}, {0, 0.75f, 3}};
    sinew_box half_empty = {{-9, 9, -9}, {9, -9, 9}};
    assert_true(sinew_box_is_empty(empty) && sinew_box_is_empty(half_empty) && !sinew_box_is_empty(a));
    assert_true(sinew_box_is_empty(sinew_box_union(empty, empty)));
    const sinew_box nothing_added[] = {sinew_box_union(a, empty), sinew_box_union(empty, a),
                                       sinew_box_union(a, half_empty), sinew_box_union(half_empty, a)};
    for (int i = 0; i < 4; i++) assert_memory_equal(&nothing_added[i], &a, sizeof a);
    sinew_box both = sinew_box_union(a, b);
    check_vec3(both.min, -1, 0, 0, 0);
    check_vec3(both.max, 1, 1, 3, 0);
    sinew_box odd = a;
    odd.min.y = NAN;
    assert_true(!sinew_box_is_empty(odd));
    assert_true(isnan(sinew_box_union(a, odd).min.y) && isnan(sinew_box_union(odd, a).min.y));
}

static void test_transformed_boxes_hold_their_places_to_the_last_bit(void **state) {
    (void)state;
    uint64_t random = 41;
    for (int i = 0; i < 2000; i++) {
        sinew_affine m = random_matrix(&random, i % 2 ? 1 : 1e5f);
        sinew_box box;
        for (int k = 0; k < 3; k++) {
            float a = random_float(&random, -2, 2), b = random_float(&random, -2, 2);
            (&box.min.x)[k] = fminf(a, b), (&box.max.x)[k] = fmaxf(a, b);
        }
        sinew_box moved = sinew_box_transform(box, m);
        dbox tight = nothing();
        for (int n = 0; n < 40; n++) {
            sinew_vec3 at;
            for (int k = 0; k < 3; k++) {
                float min = (&box.min.x)[k], max = (&box.max.x)[k], between = random_float(&random, 0, 1);
                float inside = min + between * (max - min);
                (&at.x)[k] = n < 8 ? (n >> k & 1 ? max : min) : inside < min ? min : inside > max ? max : inside;
            }
            sinew_vec3 there = sinew_affine_point(m, at);
            const double v[3] = {there.x, there.y, there.z};
            assert_true(holds(&moved, v));
            grow(&tight, v);
        }
        check_vec3(moved.min, tight.min[0], tight.min[1], tight.min[2], 0); // the corners are enough
        check_vec3(moved.max, tight.max[0], tight.max[1], tight.max[2], 0);
    }
    assert_true(sinew_box_is_empty(sinew_box_transform(sinew_box_empty(), sinew_affine_identity())));
    sinew_box box = {{0, 0, 0}, {1, 1, 1}};
    sinew_affine m = sinew_affine_identity();
    m.m[2][1] = NAN;
    check_all_of_space(sinew_box_transform(box, m));
    m = sinew_affine_identity();
    box.max.y = INFINITY;
    check_all_of_space(sinew_box_transform(box, m));
}

// ---- Making them -------------------------------------------------------------------------------------------------------------

static void check_refused(const sinew_bounds_def *def, const char *message) {
    sinew_bounds *bounds = (sinew_bounds *)(void *)&def;
    sinew_error error = {0};
    assert_int_equal(sinew_bounds_create(def, &bounds, &error), SINEW_ERROR_ARGUMENT);
    assert_null(bounds);
    if (!strstr(error.message, message)) fail_msg("'%s' does not say '%s'", error.message, message);
    assert_int_equal(sinew_bounds_create(def, &bounds, NULL), SINEW_ERROR_ARGUMENT);
}

static void test_what_is_wrong_is_refused(void **state) {
    (void)state;
    uint64_t random = 51;
    static world w, other;
    make_world(&w, 1, 0, &random);
    make_world(&other, 1, 0, &random);
    drawn_mesh *d = &w.drawn[0];
    sinew_bounds_mesh *mesh = &w.meshes[0];
    *mesh = (sinew_bounds_mesh){.node_count = 2, .nodes = d->nodes, .skin = w.skins[0], .vertex_count = 20};
    mesh->positions = d->positions, mesh->joints = d->joints, mesh->weights = d->weights, mesh->influences = 4;
    mesh->target_count = 2, mesh->target_positions = d->targets;
    d->targets[0] = NULL, d->targets[1] = d->deltas[1];
    for (int v = 0; v < 20; v++) draw_weights(&w, d->weights + 4 * (ptrdiff_t)v, 4, 0, &random);
    for (int i = 0; i < 80; i++) d->joints[i] = (uint16_t)(i % NODES);
    sinew_bounds_def def = sinew_bounds_default();
    check_refused(&def, "bounds: skeleton is NULL");
    def.skeleton = w.skeleton, def.mesh_count = 1;
    check_refused(&def, "meshes is NULL but mesh_count is not 0");
    def.meshes = w.meshes;
    sinew_bounds *bounds;
    assert_int_equal(sinew_bounds_create(&def, &bounds, NULL), SINEW_OK);
    sinew_bounds_destroy(bounds);

    const sinew_bounds_mesh good = *mesh;
    const drawn_mesh good_arrays = *d;
    mesh->vertex_count = -1;
    check_refused(&def, "meshes[0]: a count is negative");
    *mesh = good, mesh->positions = NULL;
    check_refused(&def, "meshes[0]: a count is negative, or an array is NULL");
    *mesh = good, mesh->weights = NULL;
    check_refused(&def, "meshes[0]: has influences, but no joints or weights");
    *mesh = good, d->nodes[1] = NODES;
    check_refused(&def, "meshes[0].nodes[1]: node 40, but the skeleton has 40 nodes");
    *d = good_arrays, mesh->target_count = TARGETS + 1;
    check_refused(&def, "meshes[0]: 6 morph targets, but nodes[0], node ");
    *mesh = good, mesh->skin = other.skins[0];
    check_refused(&def, "meshes[0].skin: belongs to a different skeleton");
    *mesh = good, d->positions[31] = NAN;
    check_refused(&def, "meshes[0].positions: vertex 10 is not finite");
    *d = good_arrays, d->deltas[1][5] = INFINITY;
    check_refused(&def, "meshes[0].target_positions: vertex 1 is not finite");
    *d = good_arrays, d->joints[9] = NODES;
    check_refused(&def, "meshes[0].joints: vertex 2 uses joint 40, but the skin has 40 joints");
    const uint32_t some[3] = {0, 3, 20};
    *d = good_arrays, mesh->indices = some, mesh->index_count = 3;
    check_refused(&def, "meshes[0].indices[2]: vertex 20 is out of range; there are 20 vertices");
    mesh->index_count = 1, d->positions[31] = NAN; // nobody looks at it
    assert_int_equal(sinew_bounds_create(&def, &bounds, NULL), SINEW_OK);
    check_vec3(bounds->boxes[0].min, bounds->boxes[0].max.x, bounds->boxes[0].max.y, bounds->boxes[0].max.z, 0);
    sinew_bounds_destroy(bounds);
    *mesh = good, *d = good_arrays, d->weights[13] = -0.25f;
    check_refused(&def, "meshes[0].weights: vertex 3 has a weight of -0.25; it must be 0 or more");
    *d = good_arrays, d->weights[13] = NAN;
    check_refused(&def, "meshes[0].weights: vertex 3 has a weight of ");
    *d = good_arrays;
    for (int i = 16; i < 20; i++) d->weights[i] = 0.2505f;
    check_refused(&def, "meshes[0].weights: the weights of vertex 4 sum to 1.002, not 1");
    for (int i = 16; i < 20; i++) d->weights[i] = 0.25f;
    assert_int_equal(sinew_bounds_create(&def, &bounds, NULL), SINEW_OK);
    sinew_bounds_destroy(bounds);
    free_world(&w);
    free_world(&other);
}

static void test_memory_that_runs_out(void **state) {
    (void)state;
    uint64_t random = 61;
    static world w;
    make_world(&w, 1, 0, &random);
    counting counted = {0};
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = w.skeleton, def.meshes = w.meshes, def.mesh_count = w.mesh_count;
    def.allocator = counting_allocator(&counted);
    sinew_bounds *bounds;
    sinew_error error = {0};
    assert_int_equal(sinew_bounds_create(&def, &bounds, &error), SINEW_OK);
    assert_int_equal(counted.live, 1);
    assert_int_equal(counted.bytes, bounds->memory);
    sinew_bounds_destroy(bounds);
    int needed = counted.allocations;
    assert_true(needed >= 2);
    for (int i = 1; i <= needed; i++) {
        counted = (counting){.fail_at = i};
        assert_int_equal(sinew_bounds_create(&def, &bounds, &error), SINEW_ERROR_OUT_OF_MEMORY);
        assert_null(bounds);
        assert_int_equal(counted.live, 0);
    }
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_they_hold_every_vertex_and_no_more_than_they_must),
        cmocka_unit_test(test_the_margin_is_what_it_is_said_to_be),
        cmocka_unit_test(test_each_box_by_itself),
        cmocka_unit_test(test_boxes_are_united),
        cmocka_unit_test(test_every_width_gives_the_bits_of_plain_c),
        cmocka_unit_test(test_no_boxes_hold_nothing),
        cmocka_unit_test(test_what_is_not_finite_is_all_of_space),
        cmocka_unit_test(test_what_overflows_on_the_way_is_all_of_space),
        cmocka_unit_test(test_spheres_of_any_size),
        cmocka_unit_test(test_unions),
        cmocka_unit_test(test_transformed_boxes_hold_their_places_to_the_last_bit),
        cmocka_unit_test(test_what_is_wrong_is_refused),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
