// SPDX-License-Identifier: MIT
// Compiles the kernels for 128-bit vectors: SSE2, NEON or WebAssembly's simd128.
#include "kernels/kernels.h"

#ifdef SINEWI_HAS_128
#include "base/simd_base.h"
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

const sinewi_blend_kernels sinewi_blend_kernels_128 = {blend_to_pose, blend_weights};
const sinewi_mix_kernels sinewi_mix_kernels_128 = {mix_to_pose, mix_to_local, mix_weights};
const sinewi_model_kernels sinewi_model_kernels_128 = {pose_to_local, local_to_model};
const sinewi_palette_kernels sinewi_palette_kernels_128 = {palette, stream_palette, end_palettes};
const sinewi_transition_kernels sinewi_transition_kernels_128 = {
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
const sinewi_bound_kernels sinewi_bound_kernels_128 = {bound_boxes, bound_square, cull_boxes};

#ifndef SINEW_NO_SKINNING
#include "kernels/skin.h"

const sinewi_skin_kernels sinewi_skin_kernels_128 = {skin_vertices};
#endif
#endif
