// SPDX-License-Identifier: MIT
// Compiles the kernels as plain C.
#include "kernels/kernels.h"

#include "base/simd_plain.h"
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

const sinewi_blend_kernels sinewi_blend_kernels_plain = {blend_to_pose, blend_weights};
const sinewi_mix_kernels sinewi_mix_kernels_plain = {mix_to_pose, mix_to_local, mix_weights};
const sinewi_model_kernels sinewi_model_kernels_plain = {pose_to_local, local_to_model};
const sinewi_palette_kernels sinewi_palette_kernels_plain = {palette, stream_palette, end_palettes};
const sinewi_transition_kernels sinewi_transition_kernels_plain = {
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
const sinewi_bound_kernels sinewi_bound_kernels_plain = {bound_boxes, bound_square, cull_boxes};

#ifndef SINEW_NO_SKINNING
#include "kernels/skin.h"

const sinewi_skin_kernels sinewi_skin_kernels_plain = {skin_vertices};
#endif

static float *put(float *to, value v, int width) {
    for (int i = 0; i < width; i++) *to++ = v.c[i];
    return to;
}

void sinewi_sample_node(const sinewi_mix_input *input, int32_t node, float out[SINEWI_PLANES]) {
    lane_position position = lane_position_at((size_t)node);
    out = put(out, sample(input, position, SINEW_TARGET_TRANSLATION, SINEWI_FAST_PATH_NONE, true), 3);
    out = put(out, sample(input, position, SINEW_TARGET_ROTATION, SINEWI_FAST_PATH_NONE, true), 4);
    put(out, sample(input, position, SINEW_TARGET_SCALE, SINEWI_FAST_PATH_NONE, true), 3);
}
