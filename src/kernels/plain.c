// SPDX-License-Identifier: MIT
// The kernels for plain C.
#include "kernels/kernels.h"

#include "core/simd_plain.h"
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
#include "kernels/springs.h"

const sinew_blend_kernels sinew_blend_kernels_plain = {blend_to_pose, blend_weights};
const sinew_mix_kernels sinew_mix_kernels_plain = {mix_to_pose, mix_to_local, mix_weights};
const sinew_model_kernels sinew_model_kernels_plain = {pose_to_local, local_to_model};
const sinew_palette_kernels sinew_palette_kernels_plain = {palette, stream_palette, end_palettes};
const sinew_transition_kernels sinew_transition_kernels_plain = {
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
const sinew_bound_kernels sinew_bound_kernels_plain = {bound_boxes, bound_square, cull_boxes};
const sinew_spring_kernels sinew_spring_kernels_plain = {solve_row, aim_row, swing_rows, gather_rows,
                                                         changed_lanes};

#ifndef SINEW_NO_SKINNING
#include "kernels/skin.h"

const sinew_skin_kernels sinew_skin_kernels_plain = {skin_vertices};
#endif

static float *put(float *to, value v, int width) {
    for (int i = 0; i < width; i++) *to++ = v.c[i];
    return to;
}

void sinew_sample_node(const sinew_mix_input *input, int32_t node, float out[SINEW_PLANES]) {
    lane_position position = lane_position_at((size_t)node);
    out = put(out, sample(input, position, SINEW_TARGET_TRANSLATION, SINEW_FAST_PATH_NONE, true), 3);
    out = put(out, sample(input, position, SINEW_TARGET_ROTATION, SINEW_FAST_PATH_NONE, true), 4);
    put(out, sample(input, position, SINEW_TARGET_SCALE, SINEW_FAST_PATH_NONE, true), 3);
}
