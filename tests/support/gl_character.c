// SPDX-License-Identifier: MIT
// The numbers are random, but not hard to compute with: joints turn by up to a radian and scale by 0.7 to 1.9. That
// keeps their blends far from singular, and normals well defined.
#include "support/gl_character.h"

#include "support/check.h"

#include <float.h>

static uint64_t random_state;

static float between(float low, float high) {
    return random_float(&random_state, low, high);
}

static sinew_vec3 within(float size) {
    sinew_vec3 v;
    v.x = between(-size, size);
    v.y = between(-size, size);
    v.z = between(-size, size);
    return v;
}

static sinew_vec3 unit(sinew_vec3 v) {
    float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) + FLT_MIN;
    return (sinew_vec3){v.x / length, v.y / length, v.z / length};
}

// ---- Vertices ------------------------------------------------------------------------------------------------

static void put(float *array, int index, sinew_vec3 v) {
    array[(ptrdiff_t)3 * index] = v.x;
    array[3 * index + 1] = v.y;
    array[3 * index + 2] = v.z;
}

static void make_influences(random_crowd *crowd, int vertex, int influences) {
    const int first = vertex % crowd->joint_count;
    uint16_t *joints = &crowd->joints[(ptrdiff_t)vertex * influences];
    float *weights = &crowd->weights[(ptrdiff_t)vertex * influences], sum = 0.0f;
    for (int i = 0; i < influences; i++) {
        int any = (int)(random_next(&random_state) % (uint32_t)crowd->joint_count);
        int other = any % 2 == first % 2 ? any : any ^ 1; // of one hand: a blend of both would be flat
        joints[i] = (uint16_t)(i == 0 || other >= crowd->joint_count ? first : other);
        weights[i] = between(0.1f, 2.0f);
        sum += weights[i];
    }
    for (int i = 0; i < influences; i++) weights[i] /= sum;
}

static void make_vertex(random_crowd *crowd, int vertex) {
    put(crowd->positions, vertex, within(1.0f));
    put(crowd->normals, vertex, unit(within(1.0f)));
    sinew_vec3 t = unit(within(1.0f));
    const float tangent[4] = {t.x, t.y, t.z, vertex % 3 == 0 ? -1.0f : 1.0f};
    memcpy(&crowd->tangents[4 * (size_t)vertex], tangent, sizeof tangent);
    for (int target = 0; target < TARGETS; target++) {
        put(crowd->deltas[0][target], vertex, within(0.5f));
        put(crowd->deltas[1][target], vertex, within(0.1f));
        put(crowd->deltas[2][target], vertex, within(0.1f));
    }
}

static void describe(random_crowd *crowd, int influences, bool morph) {
    for (int target = 0; target < TARGETS; target++) {
        for (int which = 0; which < 3; which++) crowd->target_arrays[which][target] = crowd->deltas[which][target];
    }
    crowd->target_arrays[1][2] = NULL;
    crowd->primitive = (sinew_primitive){.vertex_count = crowd->vertex_count,
                                         .positions = crowd->positions,
                                         .normals = crowd->normals,
                                         .tangents = crowd->tangents,
                                         .influences = influences,
                                         .joints = crowd->joints,
                                         .weights = crowd->weights,
                                         .index_count = crowd->vertex_count,
                                         .indices = crowd->indices,
                                         .material = -1};
    if (!morph) return;
    crowd->primitive.target_count = TARGETS;
    crowd->primitive.target_positions = crowd->target_arrays[0];
    crowd->primitive.target_normals = crowd->target_arrays[1];
    crowd->primitive.target_tangents = crowd->target_arrays[2];
}

void make_vertices(random_crowd *crowd, int vertex_count, int joint_count, int influences, bool morph) {
    assert_in_range(vertex_count, 3, MOST_VERTICES);
    assert_in_range(joint_count, 1, MOST_JOINTS);
    random_state = (uint64_t)joint_count * 10 + (uint64_t)influences;
    crowd->vertex_count = vertex_count;
    crowd->joint_count = joint_count;
    for (int i = 0; i < vertex_count; i++) {
        make_vertex(crowd, i);
        make_influences(crowd, i, influences);
        crowd->indices[i] = (uint32_t)(vertex_count - 1 - i);
    }
    describe(crowd, influences, morph);
}

// ---- Poses ---------------------------------------------------------------------------------------------------

static sinew_vec3 random_scale(scale_kind kind, bool mirrored) {
    sinew_vec3 scale = {between(0.7f, 1.9f), between(0.7f, 1.9f), between(0.7f, 1.9f)};
    if (kind == SCALE_UNIFORM || kind == SCALE_MIRRORED_UNIFORM) scale.y = scale.z = scale.x;
    if (!mirrored) return scale;
    if (kind == SCALE_MIRRORED) scale.x = -scale.x;
    if (kind == SCALE_MIRRORED_UNIFORM) scale = (sinew_vec3){-scale.x, -scale.y, -scale.z};
    return scale;
}

static sinew_affine random_matrix(scale_kind kind, bool mirrored, float translation) {
    sinew_vec3 turn = within(0.3f);
    sinew_transform t = {within(translation), sinew_quat_normalize((sinew_quat){turn.x, turn.y, turn.z, 1.0f}),
                         random_scale(kind, mirrored)};
    return sinew_affine_from_transform(t);
}

void make_poses(random_crowd *crowd, scale_kind scale) {
    for (int character = 0; character < MOST_CHARACTERS; character++) {
        crowd->places[character] = random_matrix(scale, character % 2 == 1, 5.0f);
        for (int i = 0; i < crowd->joint_count; i++) {
            crowd->palettes[character][i] = random_matrix(scale, i % 2 == 1, 2.0f);
        }
        for (int i = 0; i < WEIGHTS; i++) crowd->morph_weights[character][i] = between(-0.5f, 1.0f);
        crowd->morph_weights[character][FIRST_WEIGHT + character % TARGETS] = 0.0f;
    }
}

// ---- On the CPU ----------------------------------------------------------------------------------------------

static void morph_on_cpu(const random_crowd *crowd, int character, skinned_vertices *out) {
    const sinew_primitive *p = &crowd->primitive;
    const float *weights = &crowd->morph_weights[character][FIRST_WEIGHT];
    const size_t vertices = (size_t)crowd->vertex_count, floats = 3 * vertices;
    sinew_morph(p->positions, crowd->target_arrays[0], weights, p->target_count, (int32_t)floats, out->positions);
    sinew_morph(p->normals, crowd->target_arrays[1], weights, p->target_count, (int32_t)floats, out->normals);
    sinew_morph_tangents(p->tangents, crowd->target_arrays[2], weights, p->target_count, (int32_t)vertices,
                         out->tangents);
}

static sinew_affine joint_matrix(const random_crowd *crowd, int character, int joint, bool placed) {
    const sinew_affine matrix = crowd->palettes[character][joint];
    return placed ? sinew_affine_multiply(crowd->places[character], matrix) : matrix;
}

void skin_on_cpu(const random_crowd *crowd, int character, bool placed, skinned_vertices *out) {
    static skinned_vertices morphed;
    static sinew_affine palette[MOST_JOINTS];
    for (int i = 0; i < crowd->joint_count; i++) palette[i] = joint_matrix(crowd, character, i, placed);
    morph_on_cpu(crowd, character, &morphed);
    sinew_skin_job job = sinew_skin_job_default();
    job.influences = crowd->primitive.influences;
    job.joints = crowd->joints;
    job.weights = crowd->weights;
    job.positions = morphed.positions;
    job.normals = morphed.normals;
    job.tangents = morphed.tangents;
    job.out_positions = out->positions;
    job.out_normals = out->normals;
    job.out_tangents = out->tangents;
    sinew_skin_vertices(&job, palette, 0, crowd->vertex_count);
}

float size_of(const random_crowd *crowd, int character, bool placed, const skinned_vertices *vertices) {
    float size = 1.0f;
    for (int i = 0; i < 3 * crowd->vertex_count; i++) size = fmaxf(size, fabsf(vertices->positions[i]));
    for (int i = 0; i < crowd->joint_count; i++) {
        const sinew_affine matrix = joint_matrix(crowd, character, i, placed);
        for (int row = 0; row < 3; row++) size = fmaxf(size, fabsf(matrix.m[row][3]));
    }
    return size;
}
