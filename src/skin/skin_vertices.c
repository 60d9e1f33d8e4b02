// Linear-blend skinning on the CPU, and morph targets.
#include <sinew/skin.h>

#include <assert.h>
#include <math.h>
#include <string.h>

sinew_skin_job sinew_skin_job_default(void) {
    return (sinew_skin_job){
        .influences = 4,
        .position_stride = 3 * sizeof(float),
        .normal_stride = 3 * sizeof(float),
        .tangent_stride = 4 * sizeof(float),
        .out_position_stride = 3 * sizeof(float),
        .out_normal_stride = 3 * sizeof(float),
        .out_tangent_stride = 4 * sizeof(float),
    };
}

static const float *element(const float *base, size_t stride, size_t index) {
    return (const float *)(const void *)((const char *)base + stride * index);
}

static float *out_element(float *base, size_t stride, size_t index) {
    return (float *)(void *)((char *)base + stride * index);
}

static sinew_affine blend_matrices(const sinew_affine *palette, const uint16_t *joints, const float *weights,
                                   int32_t influences) {
    sinew_affine sum = {{{0}}};
    for (int32_t i = 0; i < influences; i++) {
        const float *matrix = &palette[joints[i]].m[0][0];
        float *to = &sum.m[0][0];
        for (int e = 0; e < 12; e++) to[e] += weights[i] * matrix[e];
    }
    return sum;
}

static sinew_vec3 row(const sinew_affine *m, int i) {
    return (sinew_vec3){m->m[i][0], m->m[i][1], m->m[i][2]};
}

static sinew_vec3 cross(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// A vector that a singular matrix brought to nothing stays zero.
static sinew_vec3 normalize(sinew_vec3 v) {
    float length = sqrtf(dot(v, v));
    float scale = length > 0.0f ? 1.0f / length : 0.0f;
    return (sinew_vec3){v.x * scale, v.y * scale, v.z * scale};
}

static void store(float *to, sinew_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static sinew_vec3 load(const float *from) {
    return (sinew_vec3){from[0], from[1], from[2]};
}

// The rows of the cofactor matrix of M's 3x3 are cross products of M's rows. It equals det(M) × inverse transpose,
// but exists for singular matrices too. Where M mirrors, det < 0, and the sign is taken out again so that a normal
// that pointed out of the surface still does.
typedef struct normal_matrix {
    sinew_vec3 rows[3];
    float side; // 1, or -1 where M mirrors
} normal_matrix;

static normal_matrix normal_matrix_of(const sinew_affine *m) {
    sinew_vec3 r0 = row(m, 0), r1 = row(m, 1), r2 = row(m, 2);
    normal_matrix n = {{cross(r1, r2), cross(r2, r0), cross(r0, r1)}, 1.0f};
    if (dot(r0, n.rows[0]) < 0.0f) n.side = -1.0f;
    return n;
}

static sinew_vec3 transform_normal(const normal_matrix *n, sinew_vec3 v) {
    return normalize(
        (sinew_vec3){n->side * dot(n->rows[0], v), n->side * dot(n->rows[1], v), n->side * dot(n->rows[2], v)});
}

static void skin_vertex(const sinew_skin_job *job, const sinew_affine *palette, size_t i) {
    size_t influences = (size_t)job->influences;
    sinew_affine m =
        blend_matrices(palette, job->joints + i * influences, job->weights + i * influences, job->influences);
    store(out_element(job->out_positions, job->out_position_stride, i),
          sinew_affine_point(m, load(element(job->positions, job->position_stride, i))));

    bool normals = job->normals && job->out_normals, tangents = job->tangents && job->out_tangents;
    if (!normals && !tangents) return;
    normal_matrix n = normal_matrix_of(&m);
    if (normals) {
        store(out_element(job->out_normals, job->out_normal_stride, i),
              transform_normal(&n, load(element(job->normals, job->normal_stride, i))));
    }
    if (tangents) {
        const float *tangent = element(job->tangents, job->tangent_stride, i);
        float *out = out_element(job->out_tangents, job->out_tangent_stride, i);
        store(out, normalize(sinew_affine_direction(m, load(tangent))));
        out[3] = tangent[3] * n.side;
    }
}

void sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first, int32_t count) {
    assert(job->influences == 4 || job->influences == 8);
    for (int32_t i = first; i < first + count; i++) skin_vertex(job, palette, (size_t)i);
}

void sinew_morph(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                 size_t float_count, float *out) {
    if (out != base) memcpy(out, base, float_count * sizeof(float));
    for (int32_t t = 0; t < target_count; t++) {
        if (weights[t] == 0.0f || !deltas[t]) continue;
        for (size_t i = 0; i < float_count; i++) out[i] += weights[t] * deltas[t][i];
    }
}
