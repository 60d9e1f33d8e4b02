// SPDX-License-Identifier: MIT
// Skins vertices on the CPU. This file checks the job, and kernels/skin.h has the kernels. Building with
// SINEW_NO_SKINNING leaves out both.
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

// Checks the job, replaces joint and weight strides of 0 with tight packing, and calls the kernel. Skips normals and
// tangents without an output. Without asserts, breaking an asserted rule is undefined. The exception is a job that
// doesn't come from its default function: it writes nothing.
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
