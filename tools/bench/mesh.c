// SPDX-License-Identifier: MIT
// The measured mesh: vertices around one joint after the other, like in an optimized mesh.
#include "bench/mesh.h"

#include "bench/memory.h"

#include <math.h>
#include <string.h>

enum { MAX_INFLUENCES = 8 };

typedef struct mesh_format {
    int32_t influences;
    sinew_joint_format joints;
    sinew_weight_format weights;
    bool interleaved;
} mesh_format;

static const mesh_format formats[BENCH_LAYOUTS] = {
    [BENCH_LAYOUT_4] = {4, SINEW_JOINTS_U16, SINEW_WEIGHTS_FLOAT, false},
    [BENCH_LAYOUT_8] = {8, SINEW_JOINTS_U16, SINEW_WEIGHTS_FLOAT, false},
    [BENCH_LAYOUT_4_U8_FLOAT] = {4, SINEW_JOINTS_U8, SINEW_WEIGHTS_FLOAT, false},
    [BENCH_LAYOUT_4_U8_U16] = {4, SINEW_JOINTS_U8, SINEW_WEIGHTS_U16, false},
    [BENCH_LAYOUT_BYTES] = {4, SINEW_JOINTS_U8, SINEW_WEIGHTS_U8, false},
    [BENCH_LAYOUT_8_BYTES] = {8, SINEW_JOINTS_U8, SINEW_WEIGHTS_U8, false},
    [BENCH_LAYOUT_INTERLEAVED] = {4, SINEW_JOINTS_U16, SINEW_WEIGHTS_FLOAT, true},
    [BENCH_LAYOUT_INTERLEAVED_BYTES] = {4, SINEW_JOINTS_U8, SINEW_WEIGHTS_U8, true},
};

// ---- Vertices ------------------------------------------------------------------------------------------------

typedef struct vertex {
    float position[3], normal[3], tangent[4];
    uint16_t joints[MAX_INFLUENCES];
    float weights[MAX_INFLUENCES]; // heaviest first, sum is 1
} vertex;

static void draw_unit(bench_random *random, float *v) {
    float square;
    do {
        square = 0.0f;
        for (int i = 0; i < 3; i++) {
            v[i] = bench_random_float(random, -1.0f, 1.0f);
            square += v[i] * v[i];
        }
    } while (square < 0.01f || square > 1.0f);
    for (int i = 0; i < 3; i++) v[i] /= sqrtf(square);
}

// Chooses influences: the joint and those before it, which are its neighbors in depth-first order.
static void draw_influences(bench_random *random, int32_t joint, int32_t influences, vertex *v) {
    float sum = 0.0f, weight = 1.0f;
    for (int32_t i = 0; i < influences; i++) {
        v->joints[i] = (uint16_t)(joint >= i ? joint - i : 0);
        v->weights[i] = weight;
        sum += weight;
        weight *= bench_random_float(random, 0.2f, 0.7f);
    }
    for (int32_t i = 0; i < influences; i++) v->weights[i] /= sum;
}

static vertex draw_vertex(bench_random *random, const sinew_affine *rest, int32_t joint, int32_t influences) {
    vertex v = {.position = {0}};
    for (int i = 0; i < 3; i++) v.position[i] = rest[joint].m[i][3] + bench_random_float(random, -0.05f, 0.05f);
    draw_unit(random, v.normal);
    draw_unit(random, v.tangent);
    v.tangent[3] = bench_random_next(random) % 2 ? 1.0f : -1.0f;
    draw_influences(random, joint, influences, &v);
    return v;
}

static vertex *draw_vertices(const bench_world *world, const sinew_affine *rest, int32_t influences) {
    vertex *vertices = bench_allocate(BENCH_VERTICES, sizeof *vertices);
    bench_random random = {1};
    for (int32_t i = 0; i < BENCH_VERTICES; i++) {
        int32_t joint = (int32_t)((int64_t)i * world->skin->joint_count / BENCH_VERTICES);
        vertices[i] = draw_vertex(&random, rest, joint, influences);
    }
    return vertices;
}

// ---- Arrays --------------------------------------------------------------------------------------------------

static void *keep(bench_mesh *mesh, size_t count, size_t size) {
    for (size_t i = 0; i < sizeof mesh->memory / sizeof *mesh->memory; i++) {
        if (!mesh->memory[i]) return mesh->memory[i] = bench_allocate(count, size);
    }
    return NULL;
}

// Each attribute's first float, and the stride in floats.
typedef struct streams {
    float *positions, *normals, *tangents;
    size_t stride, tangent_stride;
} streams;

static streams lay_out(bench_mesh *mesh, bench_parts parts, bool interleaved) {
    if (!interleaved) {
        return (streams){
            .positions = keep(mesh, BENCH_VERTICES, 3 * sizeof(float)),
            .normals = parts >= BENCH_NORMAL ? keep(mesh, BENCH_VERTICES, 3 * sizeof(float)) : NULL,
            .tangents = parts >= BENCH_TANGENT ? keep(mesh, BENCH_VERTICES, 4 * sizeof(float)) : NULL,
            .stride = 3,
            .tangent_stride = 4,
        };
    }
    size_t stride = parts == BENCH_POSITION ? 3 : parts == BENCH_NORMAL ? 6 : 10;
    float *all = keep(mesh, BENCH_VERTICES, stride * sizeof(float));
    return (streams){
        .positions = all,
        .normals = parts >= BENCH_NORMAL ? all + 3 : NULL,
        .tangents = parts >= BENCH_TANGENT ? all + 6 : NULL,
        .stride = stride,
        .tangent_stride = stride,
    };
}

static void fill(const streams *to, const vertex *vertices) {
    for (size_t i = 0; i < BENCH_VERTICES; i++) {
        const vertex *v = &vertices[i];
        memcpy(to->positions + i * to->stride, v->position, sizeof v->position);
        if (to->normals) memcpy(to->normals + i * to->stride, v->normal, sizeof v->normal);
        if (to->tangents) memcpy(to->tangents + i * to->tangent_stride, v->tangent, sizeof v->tangent);
    }
}

static void set_streams(bench_mesh *mesh, const streams *in, const streams *out) {
    sinew_skin_job *job = &mesh->job;
    job->positions = in->positions, job->normals = in->normals, job->tangents = in->tangents;
    job->position_stride = job->normal_stride = in->stride * sizeof(float);
    job->tangent_stride = in->tangent_stride * sizeof(float);
    job->out_positions = out->positions, job->out_normals = out->normals, job->out_tangents = out->tangents;
    job->out_position_stride = job->out_normal_stride = out->stride * sizeof(float);
    job->out_tangent_stride = out->tangent_stride * sizeof(float);

    textbook_mesh *textbook = &mesh->textbook;
    textbook->positions = in->positions, textbook->normals = in->normals, textbook->tangents = in->tangents;
    textbook->stride = in->stride, textbook->tangent_stride = in->tangent_stride;
    textbook->out_positions = out->positions;
    textbook->out_normals = out->normals, textbook->out_tangents = out->tangents;
    textbook->out_stride = out->stride, textbook->out_tangent_stride = out->tangent_stride;
}

static void set_influences(bench_mesh *mesh, const vertex *vertices, int32_t influences) {
    size_t each = (size_t)influences, count = each * BENCH_VERTICES;
    uint16_t *joints = keep(mesh, count, sizeof *joints);
    float *weights = keep(mesh, count, sizeof *weights);
    for (size_t i = 0; i < BENCH_VERTICES; i++) {
        memcpy(joints + i * each, vertices[i].joints, each * sizeof *joints);
        memcpy(weights + i * each, vertices[i].weights, each * sizeof *weights);
    }
    mesh->job.influences = mesh->textbook.influences = influences;
    mesh->job.joints = mesh->textbook.joints = joints;
    mesh->job.weights = mesh->textbook.weights = weights;
}

// Sets byte joints for Sinew. The textbook keeps its 16-bit joints.
static void set_byte_joints(bench_mesh *mesh, size_t count) {
    uint8_t *joints = keep(mesh, count, 1);
    for (size_t i = 0; i < count; i++) joints[i] = (uint8_t)mesh->textbook.joints[i];
    mesh->job.joints = joints, mesh->job.joint_format = SINEW_JOINTS_U8;
}

// Rounds weights to steps of 1/255 or 1/65535. The first one is what's left to 1. The textbook has the same values as
// floats.
static void set_integer_weights(bench_mesh *mesh, size_t count, size_t each, sinew_weight_format format) {
    const int one = format == SINEW_WEIGHTS_U8 ? 255 : 65535;
    const float *exact = mesh->textbook.weights;
    float *floats = keep(mesh, count, sizeof *floats);
    uint8_t *bytes = keep(mesh, count, 1);
    uint16_t *words = keep(mesh, count, sizeof *words);
    for (size_t first = 0; first < count; first += each) {
        int left = one;
        for (size_t k = first + each; k-- > first;) {
            int weight = k == first ? left : (int)(exact[k] * (float)one);
            left -= weight;
            bytes[k] = (uint8_t)weight, words[k] = (uint16_t)weight;
            floats[k] = (float)weight / (float)one;
        }
    }
    mesh->textbook.weights = floats;
    mesh->job.weights = format == SINEW_WEIGHTS_U8 ? (const void *)bytes : words;
    mesh->job.weight_format = format;
}

// ---- The mesh ------------------------------------------------------------------------------------------------

// Computes the palette at a time in the first clip, and the rest pose's model matrices.
static bool pose_mesh(bench_mesh *mesh, const bench_world *world, sinew_affine *rest) {
    size_t nodes = (size_t)world->skeleton->node_count, joints = (size_t)world->skin->joint_count;
    sinew_pose *pose;
    if (sinew_pose_create(world->skeleton, NULL, &pose) != SINEW_OK) return false;
    sinew_pose_to_model(pose, rest);
    sinew_clip_sample(world->clips[0], 0.3f, pose);
    sinew_affine *model = bench_allocate(nodes, sizeof *model);
    sinew_pose_to_model(pose, model);
    mesh->palette = keep(mesh, joints, sizeof *mesh->palette);
    sinew_skin_palette(world->skin, model, mesh->palette);
    mesh->mat4s = keep(mesh, joints, sizeof *mesh->mat4s);
    for (size_t i = 0; i < joints; i++) mesh->mat4s[i] = sinew_mat4_from_affine(mesh->palette[i]);
    bench_release(model);
    sinew_pose_destroy(pose);
    return true;
}

bench_mesh *bench_mesh_create(const bench_world *world, bench_parts parts, bench_layout layout) {
    const mesh_format *format = &formats[layout];
    size_t each = (size_t)format->influences, count = each * BENCH_VERTICES;
    bench_mesh *mesh = bench_allocate(1, sizeof *mesh);
    mesh->job = sinew_skin_job_default();
    sinew_affine *rest = bench_allocate((size_t)world->skeleton->node_count, sizeof *rest);
    if (!pose_mesh(mesh, world, rest)) {
        bench_release(rest);
        bench_mesh_destroy(mesh);
        return NULL;
    }
    vertex *vertices = draw_vertices(world, rest, format->influences);
    streams in = lay_out(mesh, parts, format->interleaved), out = lay_out(mesh, parts, format->interleaved);
    fill(&in, vertices);
    set_streams(mesh, &in, &out);
    set_influences(mesh, vertices, format->influences);
    if (format->joints == SINEW_JOINTS_U8) set_byte_joints(mesh, count);
    if (format->weights != SINEW_WEIGHTS_FLOAT) set_integer_weights(mesh, count, each, format->weights);
    bench_release(vertices);
    bench_release(rest);
    return mesh;
}

void bench_mesh_destroy(bench_mesh *mesh) {
    if (!mesh) return;
    for (size_t i = 0; i < sizeof mesh->memory / sizeof *mesh->memory; i++) bench_release(mesh->memory[i]);
    bench_release(mesh);
}
