// SPDX-License-Identifier: MIT
// Compiles the kernels for AVX-512. A matrix has twelve floats and doesn't fill a sixteen-float vector, so the matrix
// products use AVX2. They take three quarters of the time on Zen 4.
#include "kernels/kernels.h"

#ifdef SINEWI_HAS_AVX512
#include "base/simd_avx512.h"
#include "kernels/model.h"
#include "kernels/rotations.h"
#include "kernels/modes.h"
#include "kernels/blend.h"
#include "kernels/mix_general.h"
#include "kernels/mix.h"
#include "kernels/offsets.h"
#include "kernels/bounds.h"
#include "kernels/cull.h"

const sinewi_blend_kernels sinewi_blend_kernels_avx512 = {blend_to_pose, blend_weights};
const sinewi_mix_kernels sinewi_mix_kernels_avx512 = {mix_to_pose, mix_to_local, mix_weights};
const sinewi_model_kernels sinewi_model_kernels_avx512 = {pose_to_local, sinewi_local_to_model_avx2};
const sinewi_transition_kernels sinewi_transition_kernels_avx512 = {
    add_offsets,
    add_weight_offsets,
    extrapolate,
    extrapolate_weights,
    start_offsets,
    start_weight_offsets,
    add_offsets_on_line,
    add_weight_offsets_on_line,
    start_held,
    start_held_weights,
    mirror,
};

const sinewi_bound_kernels sinewi_bound_kernels_avx512 = {bound_boxes, bound_square, cull_boxes};

#ifndef SINEW_NO_SKINNING
#include "kernels/skin.h"

// Strided vertices are loaded and stored one at a time, which is faster with half-size vectors.
static void skin_by_stride(const sinew_skin_job *job, const sinew_affine *matrices, size_t first, size_t count) {
    if (is_tight(job))
        skin_vertices(job, matrices, first, count);
    else
        sinewi_skin_strided_avx2(job, matrices, first, count);
}

const sinewi_skin_kernels sinewi_skin_kernels_avx512 = {skin_by_stride};
#endif

SIMD_END
#endif
