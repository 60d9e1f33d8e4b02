// SPDX-License-Identifier: MIT
// Node constraints and gaze, against the formulas of VRMC_node_constraint 1.0 and VRMC_vrm 1.0's lookAt.md. The test
// computes them in double, with matrices, Rodrigues' rotations and the C library's trigonometry.
#include "support/gltf_builder.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---- Matrices ------------------------------------------------------------------------------------------------

typedef struct mat {
    double m[3][3];
} mat;

typedef struct vec {
    double v[3];
} vec;

// From a space to model space: a point p becomes linear × p + position.
typedef struct placement {
    mat linear;
    vec position;
} placement;

static const mat identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static mat times(mat a, mat b) {
    mat c = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static mat transposed(mat a) {
    mat b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) b.m[i][j] = a.m[j][i];
    return b;
}

static vec apply(mat a, vec v) {
    vec w;
    for (int i = 0; i < 3; i++) w.v[i] = a.m[i][0] * v.v[0] + a.m[i][1] * v.v[1] + a.m[i][2] * v.v[2];
    return w;
}

static vec sum(vec a, double f, vec b) {
    return (vec){{a.v[0] + f * b.v[0], a.v[1] + f * b.v[1], a.v[2] + f * b.v[2]}};
}

static double dot(vec a, vec b) {
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

static vec cross(vec a, vec b) {
    return (vec){
        {a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

static vec unit(vec a) {
    return sum((vec){{0}}, 1.0 / sqrt(dot(a, a)), a);
}

static vec from_vec3(sinew_vec3 v) {
    return (vec){{(double)v.x, (double)v.y, (double)v.z}};
}

// Rodrigues' formula; the axis is unit.
static mat turn(vec axis, double angle) {
    const double x = axis.v[0], y = axis.v[1], z = axis.v[2], s = sin(angle), c = 1 - cos(angle);
    return (mat){{{1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y},
                  {c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x},
                  {c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y)}}};
}

// A fraction of a rotation, by its axis and angle.
static mat fraction(mat r, double t) {
    const vec axis = {{r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]}};
    const double sine = sqrt(dot(axis, axis)), angle = atan2(sine, r.m[0][0] + r.m[1][1] + r.m[2][2] - 1);
    return sine > 1e-9 ? turn(unit(axis), t * angle) : identity;
}

// The shortest rotation between two directions.
static mat shortest(vec from, vec to) {
    const vec axis = cross(from, to);
    const double sine = sqrt(dot(axis, axis));
    return sine > 1e-12 ? turn(unit(axis), atan2(sine, dot(from, to))) : identity;
}

static mat inverse(mat a) {
    const vec x = {{a.m[0][0], a.m[1][0], a.m[2][0]}}, y = {{a.m[0][1], a.m[1][1], a.m[2][1]}},
              z = {{a.m[0][2], a.m[1][2], a.m[2][2]}}, rows[3] = {cross(y, z), cross(z, x), cross(x, y)};
    mat b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) b.m[i][j] = rows[i].v[j] / dot(x, rows[0]);
    return b;
}

// The matrix of a quaternion: where it takes the axes.
static mat of_quat(sinew_quat q) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return (mat){{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                  {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                  {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

static mat rest_of(const sinew_skeleton *s, int32_t node) {
    return of_quat(s->rest[node].rotation);
}

static mat rotation_of(const sinew_pose *pose, int32_t node) {
    return of_quat(sinew_pose_get(pose, node).rotation);
}

// The product of the rotations of a node and its ancestors.
static mat world_rotation(const sinew_pose *pose, int32_t node) {
    return node == SINEW_NO_NODE
               ? identity
               : times(world_rotation(pose, pose->skeleton->parents[node]), rotation_of(pose, node));
}

static placement world_of(const sinew_pose *pose, int32_t node) {
    if (node == SINEW_NO_NODE) return (placement){identity, {{0}}};
    const sinew_transform t = sinew_pose_get(pose, node);
    const placement parent = world_of(pose, pose->skeleton->parents[node]);
    const mat scale = {{{(double)t.scale.x, 0, 0}, {0, (double)t.scale.y, 0}, {0, 0, (double)t.scale.z}}};
    return (placement){times(parent.linear, times(of_quat(t.rotation), scale)),
                       sum(apply(parent.linear, from_vec3(t.translation)), 1, parent.position)};
}

// The largest difference of two matrices' elements: for rotations about the angle between them.
static double difference(mat a, mat b) {
    double most = 0;
    for (int i = 0; i < 9; i++) {
        const double apart = fabs(a.m[i / 3][i % 3] - b.m[i / 3][i % 3]);
        if (!(apart <= most)) most = apart; // NaN stays
        if (isnan(most)) break;
    }
    return most;
}

// ---- A random character --------------------------------------------------------------------------------------

enum { NODES = 8 };
static const char *const children[NODES] = {"1,5", "2,4", "3", "", "", "6,7", "", ""};

static float number(uint64_t *state, float most) {
    return random_float(state, -most, most);
}

// Eight nodes in two branches with random rest poses and scales; node 4 has the extensions.
static sinew_asset *load_character(uint64_t *state, const char *extensions, const char *root, sinew_up up) {
    gltf_builder b = gltf_begin();
    gltf_text nodes = {NULL, 0, 0};
    for (int i = 0; i < NODES; i++) {
        char text[1024], list[64] = "";
        const sinew_quat q = random_quat(state);
        if (children[i][0]) snprintf(list, sizeof list, "'children':[%s],", children[i]);
        int size =
            snprintf(text, sizeof text,
                     "%s{%s'translation':[%.9g,%.9g,%.9g],'rotation':[%.9g,%.9g,%.9g,%.9g],'scale':[%.9g,%.9g,"
                     "%.9g]%s%s%s}",
                     i ? "," : "", list, number(state, 1), number(state, 1), number(state, 1), q.x, q.y, q.z, q.w,
                     1 + i * 0.05, 1 + i * 0.05, 1 + i * 0.05, i == 4 ? ",'extensions':{" : "",
                     i == 4 ? extensions : "", i == 4 ? "}" : "");
        gltf_append(&nodes, text, (size_t)size);
    }
    gltf_section(&b, "'nodes':[%s]", nodes.data);
    if (root) gltf_section(&b, "'extensions':{%s}", root);
    free(nodes.data);
    return gltf_load_turned(&b, up);
}

static sinew_pose *random_pose(uint64_t *state, const sinew_asset *asset) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    for (int32_t i = 0; i < NODES; i++) {
        sinew_transform t = sinew_pose_get(pose, i);
        t.rotation = random_quat(state);
        t.translation = (sinew_vec3){number(state, 1), number(state, 1), number(state, 1)};
        sinew_pose_set(pose, i, t);
    }
    return pose;
}

// ---- Node constraints ----------------------------------------------------------------------------------------

typedef mat (*formula)(const sinew_pose *pose, int32_t node, int32_t source, vec axis);

// targetQuat of the rotation constraint.
static mat rotation_formula(const sinew_pose *pose, int32_t node, int32_t source, vec axis) {
    (void)axis;
    return times(rest_of(pose->skeleton, node),
                 times(transposed(rest_of(pose->skeleton, source)), rotation_of(pose, source)));
}

// targetQuat of the roll constraint.
static mat roll_formula(const sinew_pose *pose, int32_t node, int32_t source, vec axis) {
    const mat source_rest = rest_of(pose->skeleton, source), rest = rest_of(pose->skeleton, node);
    const mat delta = times(transposed(source_rest), rotation_of(pose, source));
    const mat in_parent = times(source_rest, times(delta, transposed(source_rest)));
    const mat in_node = times(transposed(rest), times(in_parent, rest));
    const mat from_to = shortest(axis, apply(in_node, axis));
    return times(rest, times(transposed(from_to), in_node));
}

// targetQuat of the aim constraint.
static mat aim_formula(const sinew_pose *pose, int32_t node, int32_t source, vec axis) {
    const mat rest = rest_of(pose->skeleton, node);
    const mat parent = world_rotation(pose, pose->skeleton->parents[node]);
    const vec from = apply(times(parent, rest), axis);
    const vec to = unit(sum(world_of(pose, source).position, -1, world_of(pose, node).position));
    return times(transposed(parent), times(shortest(from, to), times(parent, rest)));
}

static const struct {
    const char *json;
    formula target;
    int32_t source; // the file's index
    double axis[3];
    double weight;
} constraint_cases[] = {
    {"'roll':{'source':1,'rollAxis':'X'}", roll_formula, 1, {1, 0, 0}, 1},
    {"'roll':{'source':2,'rollAxis':'Y','weight':0.3}", roll_formula, 2, {0, 1, 0}, 0.3},
    {"'roll':{'source':5,'rollAxis':'Z','weight':0.75}", roll_formula, 5, {0, 0, 1}, 0.75},
    {"'aim':{'source':3,'aimAxis':'PositiveX'}", aim_formula, 3, {1, 0, 0}, 1},
    {"'aim':{'source':7,'aimAxis':'NegativeX','weight':0.5}", aim_formula, 7, {-1, 0, 0}, 0.5},
    {"'aim':{'source':0,'aimAxis':'PositiveY'}", aim_formula, 0, {0, 1, 0}, 1},
    {"'aim':{'source':2,'aimAxis':'NegativeY','weight':0.9}", aim_formula, 2, {0, -1, 0}, 0.9},
    {"'aim':{'source':6,'aimAxis':'PositiveZ','weight':0.1}", aim_formula, 6, {0, 0, 1}, 0.1},
    {"'aim':{'source':1,'aimAxis':'NegativeZ'}", aim_formula, 1, {0, 0, -1}, 1},
    {"'rotation':{'source':3}", rotation_formula, 3, {0}, 1},
    {"'rotation':{'source':7,'weight':0.6}", rotation_formula, 7, {0}, 0.6},
    {"'rotation':{'source':0,'weight':0}", rotation_formula, 0, {0}, 0},
};

// A vector of the file in an asset with +Z up.
static vec to_z_up(vec v) {
    return (vec){{v.v[0], -v.v[2], v.v[1]}};
}

static void check_constraint(size_t i, uint64_t seed, sinew_up up) {
    char extension[256];
    snprintf(extension, sizeof extension, "'VRMC_node_constraint':{'specVersion':'1.0','constraint':{%s}}",
             constraint_cases[i].json);
    sinew_asset *asset = load_character(&seed, extension, NULL, up);
    assert_non_null(asset->vrm);
    assert_int_equal(asset->vrm->constraint_count, 1);
    const int32_t node = asset->skeleton->node_of_source[4];
    const int32_t source = asset->skeleton->node_of_source[constraint_cases[i].source];
    vec axis = {{constraint_cases[i].axis[0], constraint_cases[i].axis[1], constraint_cases[i].axis[2]}};
    if (up == SINEW_UP_Z) axis = to_z_up(axis);
    for (int k = 0; k < 20; k++) {
        sinew_pose *pose = random_pose(&seed, asset);
        const mat rest = rest_of(asset->skeleton, node),
                  target = constraint_cases[i].target(pose, node, source, axis);
        const mat expected = times(rest, fraction(times(transposed(rest), target), constraint_cases[i].weight));
        sinew_vrm_constraints_apply(asset->vrm, pose);
        if (!(difference(rotation_of(pose, node), expected) <= 1e-5))
            fail_msg("%s: %g apart", constraint_cases[i].json, difference(rotation_of(pose, node), expected));
        const sinew_transform once = sinew_pose_get(pose, node);
        sinew_vrm_constraints_apply(asset->vrm, pose); // it depends on the sources alone
        const sinew_transform twice = sinew_pose_get(pose, node);
        assert_memory_equal(&once, &twice, sizeof once);
        sinew_pose_destroy(pose);
    }
    sinew_asset_destroy(asset);
}

static void test_constraints(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(constraint_cases); i++)
        for (uint64_t seed = 1; seed <= 20; seed++) check_constraint(i, seed, seed % 4 ? SINEW_UP_Y : SINEW_UP_Z);
}

// Under scales that differ by axis and mirror, the axis points at the source in model space.
static void test_aim_under_scales(void **state) {
    (void)state;
    uint64_t seed = 5;
    sinew_asset *asset =
        load_character(&seed, "'VRMC_node_constraint':{'constraint':{'aim':{'source':7,'aimAxis':'PositiveY'}}}",
                       NULL, SINEW_UP_Y);
    const int32_t node = asset->skeleton->node_of_source[4], source = asset->skeleton->node_of_source[7];
    for (int k = 0; k < 200; k++) {
        sinew_pose *pose = random_pose(&seed, asset);
        for (int32_t i = 0; i < NODES; i++) {
            pose->sx[i] = 0.3f + fabsf(number(&seed, 2));
            pose->sy[i] = (k % 2 ? -1.0f : 1.0f) * (0.3f + fabsf(number(&seed, 2)));
            pose->sz[i] = 0.3f + fabsf(number(&seed, 2));
        }
        sinew_vrm_constraints_apply(asset->vrm, pose);
        const placement self = world_of(pose, node), parent = world_of(pose, asset->skeleton->parents[node]);
        const vec axis = apply(times(parent.linear, rotation_of(pose, node)), (vec){{0, 1, 0}});
        const vec to = unit(sum(world_of(pose, source).position, -1, self.position));
        const vec missed = cross(unit(axis), to);
        check_near(sqrt(dot(missed, missed)), 0, 1e-5);
        assert_true(dot(axis, to) > 0);
        sinew_pose_destroy(pose);
    }
    sinew_asset_destroy(asset);
}

// What the formulas do not define keeps the rest rotation.
static void test_degenerate_constraints(void **state) {
    (void)state;
    uint64_t seed = 9;
    sinew_asset *asset =
        load_character(&seed, "'VRMC_node_constraint':{'constraint':{'aim':{'source':7,'aimAxis':'PositiveX'}}}",
                       NULL, SINEW_UP_Y);
    const int32_t node = asset->skeleton->node_of_source[4], parent = asset->skeleton->parents[node];
    sinew_pose *pose = random_pose(&seed, asset);
    pose->sx[parent] = 0.0f;
    sinew_vrm_constraints_apply(asset->vrm, pose);
    check_near(difference(rotation_of(pose, node), rest_of(asset->skeleton, node)), 0, 1e-6);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);

    // The source at the node's position.
    asset =
        load_character(&seed, "'VRMC_node_constraint':{'constraint':{'aim':{'source':2,'aimAxis':'PositiveX'}}}",
                       NULL, SINEW_UP_Y);
    pose = random_pose(&seed, asset);
    const int32_t sibling = asset->skeleton->node_of_source[2], own = asset->skeleton->node_of_source[4];
    pose->tx[own] = pose->tx[sibling], pose->ty[own] = pose->ty[sibling], pose->tz[own] = pose->tz[sibling];
    sinew_vrm_constraints_apply(asset->vrm, pose);
    check_near(difference(rotation_of(pose, own), rest_of(asset->skeleton, own)), 0, 1e-6);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

// ---- Gaze ----------------------------------------------------------------------------------------------------

#define RANGES                                                                                                     \
    "'rangeMapHorizontalInner':{'inputMaxValue':60,'outputScale':8},'rangeMapHorizontalOuter':{'inputMaxValue':"   \
    "80,"                                                                                                          \
    "'outputScale':12},'rangeMapVerticalDown':{'inputMaxValue':40,'outputScale':9},'rangeMapVerticalUp':{"         \
    "'inputMaxValue':70,'outputScale':11}"
#define ROLES "'humanoid':{'humanBones':{'head':{'node':1},'leftEye':{'node':2},'rightEye':{'node':4}}}"
#define ROLES_0                                                                                                    \
    "'humanoid':{'humanBones':[{'bone':'head','node':1},{'bone':'leftEye','node':2},{'bone':'rightEye','node':4}]" \
    "}"
#define RANGES_0                                                                                                   \
    "'lookAtHorizontalInner':{'xRange':60,'yRange':8},'lookAtHorizontalOuter':{'xRange':80,'yRange':12},"          \
    "'lookAtVerticalDown':{'xRange':40,'yRange':9},'lookAtVerticalUp':{'xRange':70,'yRange':11}"

static const char bone_1[] =
    "'VRMC_vrm':{" ROLES ",'lookAt':{'type':'bone','offsetFromHeadBone':[0.01,0.06,0.02]," RANGES "}}";
static const char bone_0[] =
    "'VRM':{" ROLES_0 ",'firstPerson':{'lookAtTypeName':'Bone','firstPersonBoneOffset':{'x':"
    "0.01,'y':0.06,'z':-0.02}," RANGES_0 "}}";

typedef struct angles {
    double yaw, pitch; // degrees
} angles;

// CalcYawPitch of the specification: the target in look-at space, which is the head's, translated by the offset and
// rotated by the inverse of the head's rest rotation in model space. VRM 0.x faces -Z: the space is turned by half.
static angles calc_yaw_pitch(const sinew_pose *pose, const sinew_pose *rest, int32_t head, vec offset, vec target,
                             bool is_0) {
    const placement h = world_of(pose, head);
    const vec in_head = sum(apply(inverse(h.linear), sum(target, -1, h.position)), -1, offset);
    vec local = apply(world_rotation(rest, head), in_head);
    if (is_0) local = (vec){{-local.v[0], local.v[1], -local.v[2]}};
    const double x = local.v[0], y = local.v[1], z = local.v[2];
    return (angles){atan2(x, z) * 180 / PI, atan2(-y, sqrt(x * x + z * z)) * 180 / PI};
}

static double range_map(double value, double input_max, double output) {
    return fmin(fabs(value), input_max) / input_max * output;
}

// The local rotation of an eye: Euler angles YXZ in the character's directions, which the bones have in the rest pose of
// a normalized character; here the bones have a rest rotation, so it is applied from the parent's rest space.
static mat eye_formula(const sinew_pose *rest, int32_t eye, double yaw, double pitch, bool is_0) {
    const double side = is_0 ? -1 : 1;
    const mat euler = times(turn((vec){{0, 1, 0}}, yaw * PI / 180), turn((vec){{side, 0, 0}}, pitch * PI / 180));
    const mat parent = world_rotation(rest, rest->skeleton->parents[eye]);
    return times(transposed(parent), times(euler, times(parent, rotation_of(rest, eye))));
}

static void check_gaze(uint64_t seed, bool is_0) {
    sinew_asset *asset = load_character(&seed, "'none':{}", is_0 ? bone_0 : bone_1, SINEW_UP_Y);
    sinew_pose *rest, *pose = random_pose(&seed, asset);
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &rest), SINEW_OK);
    const int32_t *nodes = asset->skeleton->node_of_source;
    const vec target = {{3 * number(&seed, 1), 3 * number(&seed, 1), 3 * number(&seed, 1)}};
    const angles a = calc_yaw_pitch(pose, rest, nodes[1], (vec){{0.01, 0.06, 0.02}}, target, is_0);
    sinew_affine model[NODES];
    sinew_pose_to_model(pose, model);
    const sinew_vrm_gaze gaze = sinew_vrm_gaze_at(
        asset->vrm, model, (sinew_vec3){(float)target.v[0], (float)target.v[1], (float)target.v[2]});
    check_near(gaze.yaw, a.yaw * PI / 180, 1e-5);
    check_near(gaze.pitch, a.pitch * PI / 180, 1e-5);

    sinew_vrm_gaze_apply(asset->vrm, gaze, pose, NULL);
    const double pitch = a.pitch > 0 ? range_map(a.pitch, 40, 9) : -range_map(a.pitch, 70, 11);
    const double left = a.yaw > 0 ? range_map(a.yaw, 80, 12) : -range_map(a.yaw, 60, 8);
    const double right = a.yaw > 0 ? range_map(a.yaw, 60, 8) : -range_map(a.yaw, 80, 12);
    check_near(difference(rotation_of(pose, nodes[2]), eye_formula(rest, nodes[2], left, pitch, is_0)), 0, 1e-5);
    check_near(difference(rotation_of(pose, nodes[4]), eye_formula(rest, nodes[4], right, pitch, is_0)), 0, 1e-5);
    sinew_pose_destroy(rest);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

static void test_gaze(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) check_gaze(seed, seed % 3 == 0);
}

// A head without rotation: angles by hand. Left is +X of VRM 1.0, and -X of VRM 0.x, which faces -Z.
static void test_directions(void **state) {
    (void)state;
    static const char *const files[] = {
        "'VRMC_vrm':{'humanoid':{'humanBones':{'head':{'node':0}}},'lookAt':{'offsetFromHeadBone':[0,0,0]}}",
        "'VRM':{'humanoid':{'humanBones':[{'bone':'head','node':0}]},'firstPerson':{'firstPersonBoneOffset':{'y':0}"
        "}}"};
    static const struct {
        sinew_vec3 target;
        double yaw, pitch;
    } cases[] = {
        {{0, 0, 1}, 0, 0},       {{1, 0, 0}, PI / 2, 0},  {{-1, 0, 1}, -PI / 4, 0},
        {{0, 1, 1}, 0, -PI / 4}, {{0, -1, 0}, 0, PI / 2}, {{1, -1.41421356f, 1}, PI / 4, PI / 4},
        {{0, 0, 0}, 0, 0},       {{0, 0, 1e30f}, 0, 0},   {{1e-30f, 0, 0}, PI / 2, 0},
    };
    for (int version = 1; version >= 0; version--) {
        gltf_builder b = gltf_begin();
        gltf_section(&b, "'nodes':[{}],'extensions':{%s}", files[1 - version]);
        sinew_asset *asset = gltf_load(&b, NULL);
        const sinew_affine model = sinew_affine_identity();
        for (size_t i = 0; i < COUNT(cases); i++) {
            sinew_vec3 target = cases[i].target;
            if (version == 0) target.x = -target.x, target.z = -target.z;
            const sinew_vrm_gaze gaze = sinew_vrm_gaze_at(asset->vrm, &model, target);
            check_near(gaze.yaw, cases[i].yaw, 1e-6);
            check_near(gaze.pitch, cases[i].pitch, 1e-6);
        }
        const sinew_affine flat = {{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}}};
        const sinew_vrm_gaze none = sinew_vrm_gaze_at(asset->vrm, &flat, (sinew_vec3){1, 1, 1});
        assert_true(none.yaw == 0.0f && none.pitch == 0.0f);
        sinew_asset_destroy(asset);
    }
}

// With +Z up the same gaze has the same angles, and the eyes the converted rotations.
static void test_z_up(void **state) {
    (void)state;
    for (int version = 0; version < 2; version++) {
        sinew_asset *assets[2];
        sinew_pose *poses[2];
        for (int i = 0; i < 2; i++) {
            uint64_t seed = 77;
            assets[i] = load_character(&seed, "'none':{}", version ? bone_1 : bone_0, i ? SINEW_UP_Z : SINEW_UP_Y);
            assert_int_equal(sinew_pose_create(assets[i]->skeleton, NULL, &poses[i]), SINEW_OK);
            sinew_affine model[NODES];
            sinew_pose_to_model(poses[i], model);
            const sinew_vec3 target = i ? (sinew_vec3){0.5f, -2.0f, 1.0f} : (sinew_vec3){0.5f, 1.0f, 2.0f};
            const sinew_vrm_gaze gaze = sinew_vrm_gaze_at(assets[i]->vrm, model, target);
            sinew_vrm_gaze_apply(assets[i]->vrm, gaze, poses[i], NULL);
        }
        for (int source = 2; source <= 4; source += 2) {
            const sinew_quat y = sinew_pose_get(poses[0], assets[0]->skeleton->node_of_source[source]).rotation;
            const sinew_quat z = sinew_pose_get(poses[1], assets[1]->skeleton->node_of_source[source]).rotation;
            check_near(angle_between(z, (sinew_quat){y.x, -y.z, y.y, y.w}), 0, 1e-6);
        }
        for (int i = 0; i < 2; i++) {
            sinew_pose_destroy(poses[i]);
            sinew_asset_destroy(assets[i]);
        }
    }
}

// The weights of expressions: left and right use the outer range. Missing expressions and a missing head are harmless.
static void test_gaze_of_expressions(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(
        &b, "'nodes':[{}],'extensions':{'VRMC_vrm':{'humanoid':{'humanBones':{'head':{'node':0}}},'expressions':"
            "{'preset':{'lookUp':{},'lookDown':{},'lookLeft':{},'happy':{}}},'lookAt':{'type':'expression',"
            "'rangeMapHorizontalInner':{'inputMaxValue':1,'outputScale':0.1},'rangeMapHorizontalOuter':{"
            "'inputMaxValue':60,'outputScale':0.8},'rangeMapVerticalDown':{'inputMaxValue':40},"
            "'rangeMapVerticalUp':{'inputMaxValue':0}}}}");
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->vrm->look_at.type, SINEW_VRM_LOOK_AT_EXPRESSION);
    float weights[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    sinew_vrm_gaze_apply(asset->vrm, (sinew_vrm_gaze){(float)PI / 6, (float)PI / 18}, NULL, weights);
    check_floats(weights, (float[4]){0, 0.25f, 0.4f, 0.5f}, 4, 1e-6f);
    sinew_vrm_gaze_apply(asset->vrm, (sinew_vrm_gaze){-(float)PI / 2, -0.001f}, NULL, weights);
    check_floats(weights, (float[4]){1, 0, 0, 0.5f}, 4, 1e-6f); // lookRight is missing; a range of 0 is a step
    sinew_vrm_gaze_apply(asset->vrm, (sinew_vrm_gaze){0.0f, 0.0f}, NULL, weights);
    check_floats(weights, (float[4]){0, 0, 0, 0.5f}, 4, 0);
    sinew_asset_destroy(asset);

    b = gltf_begin();
    gltf_lines lines = {.count = 0};
    gltf_section(&b, "'nodes':[{}],'extensions':{'VRMC_vrm':{'lookAt':{'type':'bone'}}}");
    asset = gltf_load(&b, &lines);
    assert_int_equal(asset->vrm->look_at.type, SINEW_VRM_LOOK_AT_NONE);
    check_contains(lines.text, "there is no head");
    const sinew_affine model = sinew_affine_identity();
    const sinew_vrm_gaze gaze = sinew_vrm_gaze_at(asset->vrm, &model, (sinew_vec3){1, 2, 3});
    assert_true(gaze.yaw == 0.0f && gaze.pitch == 0.0f);
    sinew_vrm_gaze_apply(asset->vrm, gaze, NULL, NULL);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_aim_under_scales),
        cmocka_unit_test(test_degenerate_constraints),
        cmocka_unit_test(test_gaze),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_z_up),
        cmocka_unit_test(test_gaze_of_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
