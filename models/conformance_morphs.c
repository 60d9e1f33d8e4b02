// conformance_morphs.c - cases about morph targets and their weights.
#include "conformance.h"

static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const double lifts[] = {0, 0, 1, 0, 0, 2, 0, 0, 3};
static const double slides[] = {1, 0, 0, 0, 0.5, 0, -1, 0, 0};

/// A triangle with two targets that move its vertices.
static int add_morphing(document *d) {
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    primitive *p = &d->meshes[m].primitives[0];
    p->target_positions[p->target_count++] = add_positions(d, F32, false, 3, lifts);
    p->target_positions[p->target_count++] = add_positions(d, F32, false, 3, slides);
    return m;
}

static int add_carrier(document *d, int mesh_index) {
    int n = add_node(d, NULL, NONE);
    d->nodes[n].mesh = mesh_index;
    return n;
}

static void add_weights(document *d, enum interpolation interpolation, int rows, const double *weights) {
    int n = add_carrier(d, add_morphing(d)), c = add_clip(d, "morph");
    int times = add_times(d, 3, (const double[]){0, 0.5, 2});
    add_channel(d, c, n, WEIGHTS, interpolation, times, add_floats(d, 1, rows, weights));
    expect_poses(d, c, 6, (const double[]){-1, 0, 0.25, 0.5, 1.25, 3});
}

static void step_weights(document *d) {
    add_weights(d, STEP, 6, (const double[]){0, 1, 0.5, -1, 2, 0.25});
}

static void linear_weights(document *d) {
    add_weights(d, LINEAR, 6, (const double[]){0, 1, 0.5, -1, 2, 0.25});
}

static void cubic_weights(document *d) {
    add_weights(d, CUBICSPLINE, 18, (const double[]){9, 8, 0, 1, 1, -1, 2, 0, 0.5, -1, 0, 3, -1, 1, 2, 0.25, 7, 6});
}

static void all_attributes(document *d) {
    static const double most[] = {0.75};
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    primitive *p = &d->meshes[m].primitives[0];
    p->normal = add_vertices(d, F32, false, 3, 3, (const double[]){0, 0, 1, 0, 0, 1, 0, 0.6, 0.8});
    p->tangent = add_vertices(d, F32, false, 4, 3, (const double[]){1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1});
    p->target_positions[0] = add_positions(d, F32, false, 3, lifts);
    p->target_normals[0] = add_vertices(d, F32, false, 3, 3, (const double[]){1, 0, 0, 0, 2, -1, 0, 0.4, -0.8});
    p->target_tangents[0] = add_vertices(d, F32, false, 3, 3, (const double[]){0, 1, 0, -1, 0, 1, 0, 0, 0});
    p->target_count = 1;
    d->meshes[m].weights = most;
    int n = add_carrier(d, m), c = add_clip(d, "morph"), times = add_times(d, 2, (const double[]){0, 1});
    turn(d, n, q_axis(v3(1, 1, 0), 35 * DEG));
    stretch(d, n, 1, 3, 1);
    add_channel(d, c, n, WEIGHTS, LINEAR, times, add_floats(d, 1, 2, (const double[]){0, 1}));
    expect_rest(d);
    expect_poses(d, c, 2, (const double[]){0.25, 1});
    expect_z_up(d, c, 0.25);
}

static void some_attributes(document *d) {
    static const double both[] = {1, 0.5};
    int m = add_mesh(d, add_positions(d, F32, false, 3, corners));
    primitive *p = &d->meshes[m].primitives[0];
    p->normal = add_vertices(d, F32, false, 3, 3, (const double[]){0, 0, 1, 0, 0, 1, 0, 0, 1});
    p->target_positions[0] = add_positions(d, F32, false, 3, lifts);
    p->target_normals[1] = add_vertices(d, F32, false, 3, 3, (const double[]){2, 0, 0, 0, 2, 0, 0, 0, 2});
    p->target_count = 2;
    d->meshes[m].weights = both;
    add_carrier(d, m);
    expect_rest(d);
}

static void whose_weights(document *d) {
    static const double of_mesh[] = {0.25, 0.5}, of_node[] = {1, -1};
    int m = add_morphing(d), plain = add_morphing(d);
    d->meshes[m].weights = of_mesh;
    add_carrier(d, m);
    int own = add_carrier(d, m), moved = add_carrier(d, m), c = add_clip(d, "morph");
    d->nodes[own].weights = of_node;
    add_carrier(d, plain);
    int times = add_times(d, 2, (const double[]){0, 1});
    add_channel(d, c, moved, WEIGHTS, LINEAR, times, add_floats(d, 1, 4, (const double[]){0, 0, 2, 4}));
    expect_rest(d);
    expect_poses(d, c, 1, (const double[]){0.5});
}

static void before_the_skin(document *d) {
    int m = add_morphing(d), hip = add_node(d, NULL, NONE), knee = add_node(d, NULL, hip);
    primitive *p = &d->meshes[m].primitives[0];
    p->joints[0] = add_vertices(d, U8, false, 4, 3, (const double[]){0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
    p->weights[0] = add_vertices(d, F32, false, 4, 3, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0});
    move(d, hip, 0, 1, 0);
    turn(d, hip, q_x(90 * DEG));
    move(d, knee, 0, 0, 1);
    turn(d, knee, q_y(45 * DEG));
    const int joints[] = {hip, knee};
    int s = add_skin(d, 2, joints, NONE), n = add_carrier(d, m), c = add_clip(d, "morph");
    d->nodes[n].skin = s;
    int times = add_times(d, 2, (const double[]){0, 1});
    add_channel(d, c, n, WEIGHTS, LINEAR, times, add_floats(d, 1, 4, (const double[]){0, 0, 1, 2}));
    add_channel(d, c, knee, ROTATION, LINEAR, times,
                add_floats(d, 4, 2, (const double[]){0, 0, 0, 1, 0, 0, 0.6, 0.8}));
    expect_poses(d, c, 2, (const double[]){0.5, 1});
}

static void not_scale(document *d) {
    int n = add_carrier(d, add_morphing(d)), c = add_clip(d, "both"),
        times = add_times(d, 2, (const double[]){0, 1});
    add_channel(d, c, n, SCALE, LINEAR, times, add_floats(d, 3, 2, (const double[]){1, 1, 1, 2, 3, 4}));
    add_channel(d, c, n, WEIGHTS, STEP, times, add_floats(d, 1, 4, (const double[]){0.5, 0, 0, 0.25}));
    expect_poses(d, c, 3, (const double[]){0, 0.5, 1});
}

static void two_primitives(document *d) {
    static const double both[] = {1, 0.5};
    int m = add_morphing(d);
    primitive *p = add_primitive(d, m, add_positions(d, F32, false, 3, slides));
    p->target_positions[1] = d->meshes[m].primitives[0].target_positions[0];
    p->target_positions[0] = d->meshes[m].primitives[0].target_positions[1];
    p->target_count = 2;
    d->meshes[m].weights = both;
    add_carrier(d, m);
    expect_rest(d);
}

static const conformance_case cases[] = {
    {"morph-weights-step.gltf", "STEP on two weights", "using one target's weights as keys of all", step_weights,
     false},
    {"morph-weights-linear.gltf", "LINEAR on two weights, some outside 0..1, with uneven keys", "clamping weights",
     linear_weights, false},
    {"morph-weights-cubic.gltf", "CUBICSPLINE on two weights: in-tangents, values, out-tangents",
     "reading them target by target", cubic_weights, false},
    {"morph-normals-tangents.gltf", "targets with positions, normals and tangents",
     "morphing only positions; normalizing too early; morphing the handedness", all_attributes, false},
    {"morph-some-attributes.gltf", "a target with only positions, one with only normals",
     "shifting targets into the gaps", some_attributes, false},
    {"morph-whose-weights.gltf", "weights of a mesh, of nodes and of a clip",
     "sharing weights between a mesh's nodes", whose_weights, false},
    {"morph-before-skin.gltf", "a skinned mesh with targets", "adding them after skinning", before_the_skin, false},
    {"morph-weights-are-no-scale.gltf", "scale and weights channels on one node",
     "writing weights to scale, or using its timeline", not_scale, false},
    {"morph-two-primitives.gltf", "two primitives that share weights", "using the first one's targets for both",
     two_primitives, false},
};

const conformance_group morph_cases = {"Morph targets", cases, sizeof cases / sizeof cases[0]};
