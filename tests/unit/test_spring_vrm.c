// SPDX-License-Identifier: MIT
// VRM files' springs, against the formulas of VRMC_springBone 1.0 and VRMC_springBone_extended_collider 1.0 in
// double.
//
// The reference keeps world matrices of 4x3 doubles. For each joint it applies inertia, stiffness and gravity; the
// length; the colliders in order, with the length after each; and the rotation from the rest direction to the tail
// (README.md of the extension, "SpringBone Algorithm").
#include "support/gltf_samples.h"
#include "support/exact.h"
#include "support/random_rig.h"
#include "support/avatar.h"

#include <stdio.h>

enum { MAX_NODES = 128, MAX_JOINTS = 64 };

static sinew_asset *load_sample(const char *name) {
    for (int i = 0; i < gltf_sample_count; i++) {
        if (strcmp(gltf_samples[i].name, name) != 0) continue;
        gltf_builder b = gltf_samples[i].make();
        return gltf_load_turned(&b, SINEW_UP_Y);
    }
    fail_msg("no sample %s", name);
    return NULL;
}

static sinew_asset *load_model(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, name);
    sinew_asset *asset = load_gltf(path, with_avatars());
    assert_non_null(asset->vrm);
    return asset;
}

// ---- Vectors and matrices in double --------------------------------------------------------------------------

typedef struct mat {
    double m[3][4];
} mat;

static exact_vec3 unit(exact_vec3 a) {
    return exact_length(a) > 0 ? exact_scaled(a, 1 / exact_length(a)) : a;
}

static mat matrix_of(sinew_transform t) {
    const double x = t.rotation.x, y = t.rotation.y, z = t.rotation.z, w = t.rotation.w;
    const double n = 2 / (x * x + y * y + z * z + w * w);
    const double r[3][3] = {{1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w)},
                            {n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w)},
                            {n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y)}};
    const double s[3] = {t.scale.x, t.scale.y, t.scale.z};
    const double p[3] = {t.translation.x, t.translation.y, t.translation.z};
    mat m;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) m.m[i][k] = r[i][k] * s[k];
        m.m[i][3] = p[i];
    }
    return m;
}

static mat multiply(mat a, mat b) {
    mat c;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            c.m[i][k] = a.m[i][0] * b.m[0][k] + a.m[i][1] * b.m[1][k] + a.m[i][2] * b.m[2][k];
            if (k == 3) c.m[i][k] += a.m[i][3];
        }
    }
    return c;
}

static exact_vec3 direction(mat a, exact_vec3 v) {
    return (exact_vec3){a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                        a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                        a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

static exact_vec3 origin_of(mat a) {
    return (exact_vec3){a.m[0][3], a.m[1][3], a.m[2][3]};
}

static exact_vec3 point(mat a, exact_vec3 v) {
    return exact_add(direction(a, v), origin_of(a), 1);
}

// Of a rotation with a uniform scale.
static exact_vec3 inverse_direction(mat a, exact_vec3 v) {
    const double s = a.m[0][0] * a.m[0][0] + a.m[1][0] * a.m[1][0] + a.m[2][0] * a.m[2][0];
    return (exact_vec3){(a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z) / s,
                        (a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z) / s,
                        (a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z) / s};
}

// The rotation matrix of the shortest rotation between unit vectors (Rodrigues).
static mat between(exact_vec3 a, exact_vec3 b) {
    const exact_vec3 v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    const double c = exact_dot(a, b), k = 1 / (1 + c);
    return (mat){{{v.x * v.x * k + c, v.x * v.y * k - v.z, v.x * v.z * k + v.y, 0},
                  {v.x * v.y * k + v.z, v.y * v.y * k + c, v.y * v.z * k - v.x, 0},
                  {v.x * v.z * k - v.y, v.y * v.z * k + v.x, v.z * v.z * k + c, 0}}};
}

// ---- The reference -------------------------------------------------------------------------------------------

typedef struct reference {
    const sinew_vrm *vrm;
    const sinew_skeleton *skeleton;
    mat local[MAX_NODES], world[MAX_NODES];
    exact_vec3 tail[MAX_JOINTS], last[MAX_JOINTS]; // in the center's space
    mat root;
} reference;

static void update_world(reference *r, int32_t node) {
    const int32_t parent = r->skeleton->parents[node];
    r->world[node] = multiply(parent == SINEW_NO_NODE ? r->root : r->world[parent], r->local[node]);
}

// The pose as the program left it: rest transforms for spring joints.
static void take_pose(reference *r, const sinew_pose *pose, const sinew_affine *root) {
    for (int i = 0; i < 12; i++) r->root.m[i / 4][i % 4] = root->m[i / 4][i % 4];
    for (int32_t i = 0; i < r->skeleton->node_count; i++) {
        r->local[i] = matrix_of(sinew_pose_get(pose, i));
        update_world(r, i);
    }
}

static exact_vec3 to_center(const reference *r, const sinew_vrm_spring *spring, exact_vec3 p) {
    if (spring->center == SINEW_NO_NODE) return p;
    return inverse_direction(r->world[spring->center], exact_add(p, origin_of(r->world[spring->center]), -1));
}

static exact_vec3 from_center(const reference *r, const sinew_vrm_spring *spring, exact_vec3 p) {
    return spring->center == SINEW_NO_NODE ? p : point(r->world[spring->center], p);
}

// The tail of a joint in its local space, in the rest pose: the next joint may be below other nodes.
static exact_vec3 rest_tail(const reference *r, int32_t head, int32_t tail) {
    exact_vec3 p = {0, 0, 0};
    for (; tail != head; tail = r->skeleton->parents[tail]) p = point(matrix_of(r->skeleton->rest[tail]), p);
    return p;
}

static exact_vec3 collide(const reference *r, const sinew_vrm_collider *c, exact_vec3 tail, double radius,
                          double *depth) {
    const mat m = r->world[c->node];
    exact_vec3 delta = exact_add(tail, point(m, exact_vec(c->offset)), -1);
    if (c->shape == SINEW_VRM_COLLIDER_SHAPE_PLANE) {
        const exact_vec3 normal = unit(direction(m, exact_vec(c->normal)));
        *depth = exact_dot(delta, normal) - radius;
        return normal;
    }
    if (c->shape == SINEW_VRM_COLLIDER_SHAPE_CAPSULE) {
        const exact_vec3 axis = exact_add(point(m, exact_vec(c->tail)), point(m, exact_vec(c->offset)), -1);
        const double along = exact_dot(axis, delta), square = exact_dot(axis, axis);
        if (along > square)
            delta = exact_add(delta, axis, -1);
        else if (along > 0)
            delta = exact_add(delta, exact_scaled(axis, along / square), -1);
    }
    *depth = c->inside ? c->radius - radius - exact_length(delta) : exact_length(delta) - c->radius - radius;
    return c->inside ? exact_scaled(unit(delta), -1) : unit(delta);
}

static void step_joint(reference *r, const sinew_vrm_spring *spring, int32_t i, int32_t slot, double dt,
                       bool starts) {
    const sinew_vrm_spring_joint *joint = &spring->joints[i];
    const int32_t node = joint->node, parent = r->skeleton->parents[node];
    const mat parent_world = parent == SINEW_NO_NODE ? r->root : r->world[parent];
    const mat rest = matrix_of(r->skeleton->rest[node]), frame = multiply(parent_world, rest);
    const exact_vec3 bone = rest_tail(r, node, spring->joints[i + 1].node), head = origin_of(frame);
    const double size = exact_length(direction(frame, bone));
    if (starts) {
        r->tail[slot] = r->last[slot] = to_center(r, spring, point(frame, bone));
        return;
    }
    const exact_vec3 inertia = exact_scaled(exact_add(r->tail[slot], r->last[slot], -1), 1 - (double)joint->drag);
    exact_vec3 next = from_center(r, spring, exact_add(r->tail[slot], inertia, 1));
    next = exact_add(next, exact_scaled(unit(direction(frame, bone)), dt * joint->stiffness), 1);
    next = exact_add(next, exact_scaled(exact_vec(joint->gravity), dt * joint->gravity_power), 1);
    next = exact_add(head, exact_scaled(unit(exact_add(next, head, -1)), size), 1);
    for (int32_t g = 0; g < spring->group_count; g++) {
        const sinew_vrm_collider_group *group = &r->vrm->collider_groups[spring->groups[g]];
        for (int32_t k = 0; k < group->collider_count; k++) {
            double depth;
            const exact_vec3 away =
                collide(r, &r->vrm->colliders[group->colliders[k]], next, joint->hit_radius, &depth);
            if (depth >= 0) continue;
            next = exact_add(next, exact_scaled(away, depth), -1);
            next = exact_add(head, exact_scaled(unit(exact_add(next, head, -1)), size), 1);
        }
    }
    r->last[slot] = r->tail[slot];
    r->tail[slot] = to_center(r, spring, next);
    const mat turn = between(unit(bone), unit(inverse_direction(frame, exact_add(next, head, -1))));
    r->local[node] = multiply(rest, turn);
    for (int32_t below = node; below < r->skeleton->subtree_ends[node]; below++) update_world(r, below);
}

static void step_reference(reference *r, double dt, bool starts) {
    int32_t slot = 0;
    for (int32_t s = 0; s < r->vrm->spring_count; s++) {
        for (int32_t i = 0; i + 1 < r->vrm->springs[s].joint_count; i++) {
            step_joint(r, &r->vrm->springs[s], i, slot++, dt, starts);
        }
    }
}

// ---- Comparing -----------------------------------------------------------------------------------------------

// The bones of a motion that is neither small nor slow.
static void dance(sinew_pose *pose, const sinew_skeleton *skeleton, double t) {
    sinew_pose_reset(pose);
    static const char *const names[] = {"J_Bip_C_Hips", "J_Bip_C_Chest", "J_Bip_C_Head"};
    for (int i = 0; i < 3; i++) {
        const int32_t node = sinew_skeleton_find(skeleton, names[i]);
        assert_int_not_equal(node, SINEW_NO_NODE);
        sinew_transform transform = sinew_pose_get(pose, node);
        const sinew_quat turn = sinew_quat_multiply(about_y(0.7 * sin(2.9 * t + i)), about_x(0.4 * sin(4.1 * t)));
        transform.rotation = sinew_quat_multiply(transform.rotation, turn);
        sinew_pose_set(pose, node, transform);
    }
}

// Returns the largest distance between nodes of the springs, as a fraction of the model's size.
static double compare(const sinew_vrm *vrm, int frames, float scale) {
    static reference r;
    const sinew_skeleton *skeleton = vrm->skeleton;
    assert_true(skeleton->node_count <= MAX_NODES);
    r = (reference){.vrm = vrm, .skeleton = skeleton};
    sinew_springs *springs;
    sinew_pose *pose;
    assert_int_equal(sinew_springs_create_from_vrm(vrm, NULL, &springs), SINEW_OK);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    assert_true(sinew_springs_joint_count(springs) > 0);
    sinew_spring_state *state = malloc(sinew_springs_state_size(springs));
    sinew_springs_reset(springs, state);
    sinew_affine model[MAX_NODES];
    double largest = 0;
    for (int i = 0; i <= frames; i++) {
        const double t = i / 60.0;
        dance(pose, skeleton, t);
        sinew_springs_input input = sinew_springs_input_default();
        input.world = sinew_affine_from_transform(
            (sinew_transform){{(float)(0.3 * sin(3 * t)), (float)(0.1 * sin(7 * t)), (float)(0.2 * t)},
                              about_y(0.5 * t),
                              {scale, scale, scale}});
        take_pose(&r, pose, &input.world);
        step_reference(&r, (double)(1.0f / 60), i == 0);
        sinew_pose_to_model(pose, model);
        sinew_springs_solve(springs, &input, i > 0 ? 1.0f / 60 : 0, state, pose, model);
        for (int32_t node = 0; node < skeleton->node_count; node++) {
            const sinew_vec3 p = sinew_affine_point(
                input.world, (sinew_vec3){model[node].m[0][3], model[node].m[1][3], model[node].m[2][3]});
            largest = fmax(largest, exact_length(exact_add(exact_vec(p), origin_of(r.world[node]), -1)));
        }
    }
    free(state);
    sinew_pose_destroy(pose);
    sinew_springs_destroy(springs);
    return largest;
}

static void test_sprite_follows_the_formulas(void **state) {
    (void)state;
    sinew_asset *asset = load_model("sprite.vrm");
    const double largest = compare(asset->vrm, 600, 1);
    print_message("largest distance from the formulas: %.2g m\n", largest);
    assert_true(largest < 4e-6);
    sinew_asset_destroy(asset);
}

// Lengths of bones and offsets of colliders scale with the character. Radii are in the world and don't.
static void test_scaled_characters_follow_the_formulas(void **state) {
    (void)state;
    sinew_asset *asset = load_model("sprite.vrm");
    sinew_vrm vrm = *asset->vrm;
    sinew_vrm_collider colliders[16];
    assert_true(vrm.collider_count <= 16);
    memcpy(colliders, vrm.colliders, (size_t)vrm.collider_count * sizeof *colliders);
    for (int32_t i = 0; i < vrm.collider_count; i++) colliders[i].radius *= 1.5f;
    vrm.colliders = colliders;
    static const float scales[] = {0.5f, 1.8f};
    for (int i = 0; i < 2; i++) {
        const double largest = compare(&vrm, 600, scales[i]);
        print_message("scale %.1f: largest distance from the formulas: %.2g m\n", (double)scales[i], largest);
        assert_true(largest < 4e-6);
    }
    sinew_asset_destroy(asset);
}

// The same springs in the space of the hips, with each kind of collider.
static void test_center_and_extended_colliders_follow_the_formulas(void **state) {
    (void)state;
    sinew_asset *asset = load_model("sprite.vrm");
    sinew_vrm vrm = *asset->vrm;
    sinew_vrm_collider colliders[16];
    sinew_vrm_spring springs[16];
    assert_true(vrm.collider_count == 5 && vrm.spring_count <= 16);
    memcpy(colliders, vrm.colliders, 5 * sizeof *colliders);
    memcpy(springs, vrm.springs, (size_t)vrm.spring_count * sizeof *springs);
    const int32_t head = colliders[0].node;
    colliders[1] = (sinew_vrm_collider){
        .node = head, .shape = SINEW_VRM_COLLIDER_SHAPE_PLANE, .offset = {0, 0, -0.05f}, .normal = {0, 0.1f, 0.9f}};
    colliders[2] = (sinew_vrm_collider){.node = head, .inside = true, .radius = 0.4f, .offset = {0, 0.1f, 0}};
    colliders[3] = (sinew_vrm_collider){.node = head,
                                        .shape = SINEW_VRM_COLLIDER_SHAPE_CAPSULE,
                                        .inside = true,
                                        .radius = 0.35f,
                                        .tail = {0, 0.2f, 0}};
    vrm.colliders = colliders;
    vrm.springs = springs;
    for (int32_t i = 0; i < vrm.spring_count; i++)
        springs[i].center = sinew_skeleton_find(vrm.skeleton, "J_Bip_C_Hips");
    const double largest = compare(&vrm, 600, 1);
    print_message("largest distance from the formulas: %.2g m\n", largest);
    assert_true(largest < 4e-6);
    sinew_asset_destroy(asset);
}

// ---- VRM 0.x, and faults -------------------------------------------------------------------------------------

static void test_branches_of_vrm_0_are_chains(void **state) {
    (void)state;
    sinew_asset *asset = load_sample("vrm-0");
    sinew_springs *springs;
    assert_int_equal(sinew_springs_create_from_vrm(asset->vrm, NULL, &springs), SINEW_OK);
    int32_t below = 0;
    for (int32_t i = 0; i < asset->vrm->springs[0].joint_count; i++) {
        const int32_t node = asset->vrm->springs[0].joints[i].node;
        below += asset->skeleton->subtree_ends[node] - node;
    }
    assert_int_equal(sinew_springs_joint_count(springs), below); // leaves rotate, too
    sinew_springs_destroy(springs);
    sinew_asset_destroy(asset);
}

static void test_faults_of_files_are_left_out(void **state) {
    (void)state;
    sinew_asset *asset = load_model("sprite.vrm");
    sinew_vrm vrm = *asset->vrm;
    sinew_vrm_spring_joint joints[3];
    memcpy(joints, vrm.springs[0].joints, sizeof joints);
    joints[0].stiffness = NAN, joints[0].drag = 7, joints[0].gravity_power = INFINITY, joints[0].hit_radius = -1;
    sinew_vrm_spring springs[4] = {vrm.springs[0], vrm.springs[0], vrm.springs[1], vrm.springs[2]};
    springs[0].joints = joints;                        // springs[1] has the same nodes
    springs[3].center = vrm.springs[2].joints[1].node; // which it moves
    const sinew_vrm_spring_joint swapped[2] = {vrm.springs[1].joints[1], vrm.springs[1].joints[0]};
    springs[2].joints = swapped, springs[2].joint_count = 2;
    vrm.springs = springs;
    vrm.spring_count = 4;
    sinew_springs *made;
    assert_int_equal(sinew_springs_create_from_vrm(&vrm, NULL, &made), SINEW_OK);
    assert_int_equal(sinew_springs_joint_count(made), 2 + vrm.springs[3].joint_count - 1);
    sinew_springs_destroy(made);
    counting c = {0};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    const sinew_allocator allocator = counting_allocator(&c);
    while (fail_next(&c, result)) {
        result = sinew_springs_create_from_vrm(asset->vrm, &allocator, &made);
        assert_int_equal(made != NULL, result == SINEW_OK);
        sinew_springs_destroy(made);
    }
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sprite_follows_the_formulas),
        cmocka_unit_test(test_scaled_characters_follow_the_formulas),
        cmocka_unit_test(test_center_and_extended_colliders_follow_the_formulas),
        cmocka_unit_test(test_branches_of_vrm_0_are_chains),
        cmocka_unit_test(test_faults_of_files_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
