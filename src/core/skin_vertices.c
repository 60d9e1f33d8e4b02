// SPDX-License-Identifier: MIT
// Skinning of vertices on the CPU: the checks of a job. The kernels are in kernels/skin.h. A library that is built with
// SINEW_NO_SKINNING has neither.
#include <sinew/skin.h>

#include "base/def_cookie.h"
#include "kernels/kernels.h"

#include <assert.h>

sinew_skin_job sinew_skin_job_default(void) {
    return (sinew_skin_job){
        .influences = 4,
        .position_stride = 3 * sizeof(float),
        .normal_stride = 3 * sizeof(float),
        .tangent_stride = 4 * sizeof(float),
        .out_position_stride = 3 * sizeof(float),
        .out_normal_stride = 3 * sizeof(float),
        .out_tangent_stride = 4 * sizeof(float),
        .cookie = SINEWI_DEF_COOKIE,
    };
}

static size_t weight_size(sinew_weight_format format) {
    if (format == SINEW_WEIGHTS_FLOAT) return sizeof(float);
    return format == SINEW_WEIGHTS_U8 ? sizeof(uint8_t) : sizeof(uint16_t);
}

// Checks the job, fills in the strides of joints and weights that are 0, which means tightly packed, and calls the
// kernel. Normals and tangents without an output are not computed. What is asserted is undefined without asserts,
// except a job that was not made by its default function: then nothing is written.
void sinew_skin_vertices(const sinew_skin_job *job, const sinew_affine *palette, int32_t first, int32_t count) {
    assert(job && first >= 0);
    bool is_def = SINEWI_IS_DEF(job, "sinew_skin_job: start from sinew_skin_job_default()");
    assert(job->influences == 4 || job->influences == 8);
    if (count <= 0 || !is_def) return;
    sinew_skin_job checked = *job;
    size_t joint_size = job->joint_format == SINEW_JOINTS_U8 ? sizeof(uint8_t) : sizeof(uint16_t);
    size_t joints_size = (size_t)job->influences * joint_size;
    size_t weights_size = (size_t)job->influences * weight_size(job->weight_format);
    if (checked.joint_stride == 0) checked.joint_stride = joints_size;
    if (checked.weight_stride == 0) checked.weight_stride = weights_size;
    if (!checked.out_normals) checked.normals = NULL;
    if (!checked.out_tangents) checked.tangents = NULL;
    assert(checked.joint_stride >= joints_size && checked.weight_stride >= weights_size);
    assert(checked.position_stride >= 3 * sizeof(float) && checked.out_position_stride >= 3 * sizeof(float));
    assert(!checked.normals ||
           (checked.normal_stride >= 3 * sizeof(float) && checked.out_normal_stride >= 3 * sizeof(float)));
    assert(!checked.tangents ||
           (checked.tangent_stride >= 4 * sizeof(float) && checked.out_tangent_stride >= 4 * sizeof(float)));
    sinewi_skin_kernels_used()->skin_vertices(&checked, palette, (size_t)first, (size_t)count);
}
