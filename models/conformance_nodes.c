// conformance_nodes.c - cases about the hierarchy, and about skins in it.
#include "conformance.h"

/// Adds a clip of one rotation about z, from 0 to some degrees in a second.
static int add_bend(document *d, int node_index, double degrees) {
    quat to = q_z(degrees * DEG);
    int times = add_times(d, 2, (const double[]){0, 1}), c = add_clip(d, "bend");
    int turns = add_floats(d, 4, 2, (const double[]){0, 0, 0, 1, to.x, to.y, to.z, to.w});
    add_channel(d, c, node_index, ROTATION, LINEAR, times, turns);
    return c;
}

/// Adds three vertices along a limb: of the first joint, of both, of the last joint.
static int add_limb(document *d, int first, int last) {
    int mesh_index = add_mesh(d, add_positions(d, F32, false, 3, (const double[]){0, 0, 0, 0.25, 1, 0, 0, 2, 0.5}));
    primitive *p = &d->meshes[mesh_index].primitives[0];
    const double joints[] = {first, 0, 0, 0, first, last, 0, 0, last, 0, 0, 0};
    p->normal = add_vertices(d, F32, false, 3, 3, (const double[]){1, 0, 0, 0, 0, 1, 0.6, 0, 0.8});
    p->joints[0] = add_vertices(d, U8, false, 4, 3, joints);
    p->weights[0] = add_vertices(d, F32, false, 4, 3, (const double[]){1, 0, 0, 0, 0.25, 0.75, 0, 0, 1, 0, 0, 0});
    return mesh_index;
}

/// Adds the node of the limb.
static int add_skinned(document *d, int parent, int mesh_index, int skin_index) {
    int n = add_node(d, NULL, parent);
    d->nodes[n].mesh = mesh_index;
    d->nodes[n].skin = skin_index;
    return n;
}

static const double halves[] = {0, 0.5, 1};

// ---- hierarchy ----

static void children_first(document *d) {
    for (int i = 0; i < 4; i++) {
        add_node(d, NULL, i < 3 ? i + 1 : NONE); // the last is the root
        move(d, i, 0, 1, 0);
    }
    turn(d, 2, q_x(30 * DEG));
    expect_rest(d);
    expect_poses(d, add_bend(d, 3, 90), 3, halves);
}

static void matrix_nodes(document *d) {
    static matrix whole, quarter;
    whole = from_parts(v3(1, 2, 3), q_axis(v3(1, 1, 1), 40 * DEG), v3(2, 0.5, 1.5));
    quarter = from_parts(v3(0, 1, 0), q_x(90 * DEG), v3(1, 1, 1));
    int root = add_node(d, NULL, NONE), middle = add_node(d, NULL, root), leaf = add_node(d, NULL, middle);
    d->nodes[root].whole = &whole;
    move(d, middle, 0, 1, 0);
    d->nodes[leaf].whole = &quarter;
    expect_rest(d);
    expect_z_up(d, NONE, 0);
    expect_poses(d, add_bend(d, middle, 90), 3, halves);
}

static void mirrored_matrix(document *d) {
    static matrix mirror;
    mirror = from_parts(v3(0, 0, 1), q_axis(v3(0, 1, 1), 50 * DEG), v3(1, -2, 1));
    int root = add_node(d, NULL, NONE);
    d->nodes[root].whole = &mirror;
    move(d, add_node(d, NULL, root), 1, 1, 0);
    int mesh_index = add_mesh(d, add_positions(d, F32, false, 3, (const double[]){0, 0, 0, 1, 0, 0, 0, 1, 0}));
    primitive *p = &d->meshes[mesh_index].primitives[0];
    p->normal = add_vertices(d, F32, false, 3, 3, (const double[]){0, 0, 1, 0, 1, 0, 0.6, 0.8, 0});
    p->tangent = add_vertices(d, F32, false, 4, 3, (const double[]){1, 0, 0, 1, 1, 0, 0, -1, 0, 0, 1, 1});
    d->nodes[root].mesh = mesh_index;
    expect_rest(d);
    expect_z_up(d, NONE, 0);
}

static void shearing_scale(document *d) {
    int root = add_node(d, NULL, NONE), child = add_node(d, NULL, root), leaf = add_node(d, NULL, child);
    stretch(d, root, 3, 1, 0.5);
    move(d, child, 0, 1, 0);
    turn(d, child, q_z(30 * DEG));
    stretch(d, child, 1, 2, 1);
    move(d, leaf, 1, 1, 1);
    int c = add_bend(d, child, 80);
    expect_rest(d);
    expect_poses(d, c, 3, halves);
    expect_z_up(d, c, 0.5);
}

// ---- skins ----

static void joints_shuffled(document *d) {
    int hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip), foot = add_node(d, "foot", knee);
    move(d, knee, 0, 1, 0);
    move(d, foot, 0, 1, 0);
    const int joints[] = {foot, hip, knee};
    int s = add_skin(d, 3, joints, add_inverse_binds(d, 3, joints));
    add_skinned(d, NONE, add_limb(d, 1, 2), s);
    expect_rest(d);
    expect_poses(d, add_bend(d, knee, 90), 3, halves);
}

static void between_joints(document *d) {
    int hip = add_node(d, "hip", NONE), helper = add_node(d, "helper", hip), knee = add_node(d, "knee", helper);
    move(d, helper, 0.5, 0.5, 0);
    turn(d, helper, q_z(20 * DEG));
    move(d, knee, 0, 0.5, 0);
    const int joints[] = {hip, knee};
    int s = add_skin(d, 2, joints, add_inverse_binds(d, 2, joints));
    add_skinned(d, NONE, add_limb(d, 0, 1), s);
    expect_rest(d);
    expect_poses(d, add_bend(d, helper, 60), 3, halves);
}

static void above_the_skin(document *d) {
    int armature = add_node(d, "armature", NONE), hip = add_node(d, "hip", armature),
        knee = add_node(d, "knee", hip);
    move(d, armature, 0, 0, 2);
    turn(d, armature, q_x(-90 * DEG));
    stretch(d, armature, 0.5, 0.5, 0.5);
    move(d, knee, 0, 1, 0);
    const int joints[] = {hip, knee};
    const matrix binds[] = {from_parts(v3(0, 0, 0), q_identity(), v3(1, 1, 1)),
                            from_parts(v3(0, -1, 0), q_identity(), v3(1, 1, 1))};
    int s = add_skin(d, 2, joints, add_matrices(d, 2, binds));
    d->skins[s].skeleton = hip;
    add_skinned(d, NONE, add_limb(d, 0, 1), s);
    expect_rest(d);
    expect_poses(d, add_bend(d, armature, 90), 3, halves);
}

static void own_transform_ignored(document *d) {
    int carrier = add_node(d, "carrier", NONE), hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip);
    move(d, carrier, 10, 0, 0);
    move(d, knee, 0, 1, 0);
    const int joints[] = {hip, knee};
    int s = add_skin(d, 2, joints, add_inverse_binds(d, 2, joints));
    int n = add_skinned(d, carrier, add_limb(d, 0, 1), s);
    move(d, n, 0, 5, 0);
    turn(d, n, q_y(90 * DEG));
    stretch(d, n, 2, 2, 2);
    expect_rest(d);
    expect_poses(d, add_bend(d, carrier, 90), 3, halves);
}

static void two_skins(document *d) {
    int hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip), foot = add_node(d, "foot", knee);
    move(d, knee, 0, 1, 0);
    move(d, foot, 0, 1, 0);
    const int legs[] = {hip, knee}, shoes[] = {foot, knee};
    const matrix binds[] = {from_parts(v3(0, -2, 0), q_identity(), v3(1, 1, 1)),
                            from_parts(v3(0, -1, 1), q_y(90 * DEG), v3(1, 1, 1))};
    int leg = add_skin(d, 2, legs, add_inverse_binds(d, 2, legs));
    int shoe = add_skin(d, 2, shoes, add_matrices(d, 2, binds));
    int mesh_index = add_limb(d, 0, 1);
    add_skinned(d, NONE, mesh_index, leg);
    add_skinned(d, NONE, mesh_index, shoe);
    expect_poses(d, add_bend(d, knee, 90), 3, halves);
}

static void no_inverse_binds(document *d) {
    int hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip);
    move(d, hip, 0, 0.5, 0);
    move(d, knee, 1, 0, 0);
    const int joints[] = {hip, knee};
    add_skinned(d, NONE, add_limb(d, 0, 1), add_skin(d, 2, joints, NONE));
    expect_rest(d);
    expect_poses(d, add_bend(d, hip, 90), 3, halves);
}

static void spare_inverse_binds(document *d) {
    int hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip);
    move(d, knee, 0, 1, 0);
    const int joints[] = {hip, knee}, three[] = {hip, knee, hip};
    int s = add_skin(d, 2, joints, add_inverse_binds(d, 3, three));
    add_skinned(d, NONE, add_limb(d, 0, 1), s);
    expect_poses(d, add_bend(d, knee, 90), 3, halves);
}

static void bind_order(document *d) {
    int hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip);
    move(d, hip, 1, 0, 0);
    turn(d, hip, q_x(40 * DEG));
    move(d, knee, 0, 1, 0);
    turn(d, knee, q_z(70 * DEG));
    const int joints[] = {hip, knee};
    const matrix binds[] = {from_parts(v3(0, -1, 0.5), q_y(30 * DEG), v3(1, 2, 1)),
                            from_parts(v3(0.5, -1, 0), q_axis(v3(1, 0, 1), 50 * DEG), v3(2, 1, 1))};
    int s = add_skin(d, 2, joints, add_matrices(d, 2, binds));
    add_skinned(d, NONE, add_limb(d, 0, 1), s);
    int c = add_bend(d, knee, 90);
    expect_rest(d);
    expect_poses(d, c, 2, halves);
    expect_z_up(d, c, 0.5);
}

static void normals_under_scale(document *d) {
    int hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip);
    stretch(d, hip, 4, 1, 0.5);
    move(d, knee, 0, 1, 0);
    turn(d, knee, q_z(50 * DEG));
    stretch(d, knee, 1, 3, 1);
    const int joints[] = {hip, knee};
    add_skinned(d, NONE, add_limb(d, 0, 1), add_skin(d, 2, joints, NONE));
    expect_rest(d);
    expect_poses(d, add_bend(d, knee, 90), 3, halves);
}

static void mirrored_joint(document *d) {
    int hip = add_node(d, "hip", NONE), knee = add_node(d, "knee", hip);
    move(d, knee, 0, 1, 0);
    stretch(d, knee, -1, 1, 1);
    const int joints[] = {hip, knee};
    int mesh_index = add_limb(d, 0, 1);
    primitive *p = &d->meshes[mesh_index].primitives[0];
    p->tangent = add_vertices(d, F32, false, 4, 3, (const double[]){0, 1, 0, 1, 1, 0, 0, -1, 0, 1, 0, 1});
    add_skinned(d, NONE, mesh_index, add_skin(d, 2, joints, NONE));
    int c = add_bend(d, knee, 40);
    expect_rest(d);
    expect_poses(d, c, 2, halves);
    expect_z_up(d, c, 0.5);
}

static const conformance_case hierarchy[] = {
    {"children-before-parents.gltf", "nodes listed leaf first", "processing nodes in file order", children_first,
     false},
    {"matrix-nodes.gltf", "`matrix` above and below an animated node", "ignoring it; reading rows as columns",
     matrix_nodes, false},
    {"mirrored-matrix.gltf", "a `matrix` with negative determinant above normals and tangents",
     "decomposing without negative scale; inverted normals; unchanged handedness", mirrored_matrix, false},
    {"scale-shears-rotated-child.gltf", "non-uniform scale above a rotated node",
     "composing T, R and S instead of matrices", shearing_scale, false},
};

static const conformance_case skins[] = {
    {"joints-out-of-order.gltf", "a skin that lists children before parents",
     "processing joints in order; using JOINTS_0 as nodes", joints_shuffled, false},
    {"node-between-joints.gltf", "an animated node that isn't a joint, between two joints",
     "building the hierarchy from joints only", between_joints, false},
    {"roots-above-the-skin.gltf", "an animated node above the first joint, and `skeleton` below it",
     "ignoring nodes above the joints or `skeleton`", above_the_skin, false},
    {"skinned-mesh-ignores-its-node.gltf", "a skinned mesh on a transformed node", "applying the node's transform",
     own_transform_ignored, false},
    {"two-skins-one-skeleton.gltf", "two skins that share joints with other order and binds",
     "storing inverse binds per joint instead of per skin", two_skins, false},
    {"inverse-binds-missing.gltf", "a skin without inverse bind matrices",
     "computing them from the rest pose; using zeros", no_inverse_binds, false},
    {"inverse-binds-to-spare.gltf", "more inverse bind matrices than joints", "refusing the file",
     spare_inverse_binds, false},
    {"inverse-bind-comes-first.gltf", "inverse binds that rotate and scale",
     "multiplying in reverse order; reading rows as columns", bind_order, false},
    {"normals-by-cofactors.gltf", "normals under non-uniform scale, between two joints",
     "transforming normals by the matrix; blending inverse transposes", normals_under_scale, false},
    {"mirrored-joint.gltf", "a joint with scale -1", "inverted normals; unchanged handedness", mirrored_joint,
     false},
};

const conformance_group node_cases = {"Nodes", hierarchy, sizeof hierarchy / sizeof hierarchy[0]};
const conformance_group skin_cases = {"Skins", skins, sizeof skins / sizeof skins[0]};
