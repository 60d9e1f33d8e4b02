// Linear-blend skinning on the CPU, and morph targets.
#include <sinew/skin.h>

#include <assert.h>
#include <string.h>

#include "core/def_cookie.h"
#include "kernels/kernels.h"

sinew_skin_job sinew_skin_job_default(void) {
    return (sinew_skin_job){
        .influences = 4,
        .position_stride = 3 * sizeof(float),
        .normal_stride = 3 * sizeof(float),
        .tangent_stride = 4 * sizeof(float),
        .out_position_stride = 3 * sizeof(float),
        .out_normal_stride = 3 * sizeof(float),
        .out_tangent_stride = 4 * sizeof(float),
        .cookie = SINEW_DEF_COOKIE,
    };
}

static size_t joint_size(sinew_joint_format format) {
    return format == SINEW_JOINTS_U8 ? sizeof(uint8_t) : sizeof(uint16_t);
}

static size_t weight_size(sinew_weight_format format) {
    if (format == SINEW_WEIGHTS_FLOAT) return sizeof(float);
    return format == SINEW_WEIGHTS_U8 ? sizeof(uint8_t) : sizeof(uint16_t);
}

void sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first, int32_t count) {
    assert(job && first >= 0);
    bool is_def = SINEW_IS_DEF(job, "sinew_skin_job: start from sinew_skin_job_default()");
    assert(job->influences == 4 || job->influences == 8);
    if (count <= 0 || !is_def) return;
    sinew_skin_job full = *job;
    size_t joints_size = (size_t)job->influences * joint_size(job->joint_format);
    size_t weights_size = (size_t)job->influences * weight_size(job->weight_format);
    if (full.joint_stride == 0) full.joint_stride = joints_size;
    if (full.weight_stride == 0) full.weight_stride = weights_size;
    if (!full.out_normals) full.normals = NULL;
    if (!full.out_tangents) full.tangents = NULL;
    assert(full.joint_stride >= joints_size && full.weight_stride >= weights_size);
    assert(full.position_stride >= 3 * sizeof(float) && full.out_position_stride >= 3 * sizeof(float));
    assert(!full.normals ||
           (full.normal_stride >= 3 * sizeof(float) && full.out_normal_stride >= 3 * sizeof(float)));
    assert(!full.tangents ||
           (full.tangent_stride >= 4 * sizeof(float) && full.out_tangent_stride >= 4 * sizeof(float)));
    sinew_kernels_used()->skin_vertices(&full, palette, (size_t)first, (size_t)count);
}

void sinew_morph(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                 int32_t float_count, float *out) {
    assert(float_count >= 0 && ((base && out) || float_count == 0));
    const size_t count = (size_t)float_count;
    if (out != base) memcpy(out, base, count * sizeof(float));
    for (int32_t t = 0; t < target_count; t++) {
        if (weights[t] == 0.0f || !deltas[t]) continue;
        for (size_t i = 0; i < count; i++) out[i] += weights[t] * deltas[t][i];
    }
}

void sinew_morph_tangents(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                          int32_t vertex_count, float *out) {
    assert(vertex_count >= 0 && ((base && out) || vertex_count == 0));
    const size_t count = (size_t)vertex_count;
    if (out != base) memcpy(out, base, count * 4 * sizeof(float));
    for (int32_t t = 0; t < target_count; t++) {
        if (weights[t] == 0.0f || !deltas[t]) continue;
        for (size_t v = 0; v < count; v++)
            for (size_t k = 0; k < 3; k++) out[4 * v + k] += weights[t] * deltas[t][3 * v + k];
    }
}
