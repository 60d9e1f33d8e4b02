// SPDX-License-Identifier: MIT
// Compiles the kernels for AVX2.
#include "kernels/kernels.h"

#ifdef SINEWI_HAS_AVX2
#include "base/simd_avx2.h"
#include "kernels/model.h"
#include "kernels/products.h"
#include "kernels/rotations.h"
#include "kernels/modes.h"
#include "kernels/blend.h"
#include "kernels/mix_general.h"
#include "kernels/mix.h"
#include "kernels/offsets.h"
#include "kernels/bounds.h"
#include "kernels/cull.h"

void sinewi_local_to_model_avx2(const sinewi_link *links, int32_t link_count, sinew_affine *const *models,
                                int32_t model_count) {
    local_to_model(links, link_count, models, model_count);
}

const sinewi_blend_kernels sinewi_blend_kernels_avx2 = {blend_to_pose, blend_weights};
const sinewi_mix_kernels sinewi_mix_kernels_avx2 = {mix_to_pose, mix_to_local, mix_weights};
const sinewi_model_kernels sinewi_model_kernels_avx2 = {pose_to_local, sinewi_local_to_model_avx2};
const sinewi_palette_kernels sinewi_palette_kernels_avx2 = {palette, stream_palette, end_palettes};
const sinewi_transition_kernels sinewi_transition_kernels_avx2 = {
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
const sinewi_bound_kernels sinewi_bound_kernels_avx2 = {bound_boxes, bound_square, cull_boxes};

#ifndef SINEW_NO_SKINNING
#include "kernels/skin.h"

void sinewi_skin_strided_avx2(const sinew_skin_job *job, const sinew_affine *matrices, size_t first, size_t count) {
    skin_vertices(job, matrices, first, count);
}

const sinewi_skin_kernels sinewi_skin_kernels_avx2 = {skin_vertices};
#endif

SIMD_END
#endif
