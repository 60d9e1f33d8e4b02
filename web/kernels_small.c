// SPDX-License-Identifier: MIT
// The other kernels, compiled for size. None skins vertices: the page's GPU does that.
#include "vectors.h"

#include "kernels/rotations.h"
#include "kernels/modes.h"
#include "kernels/blend.h"
#include "kernels/mix_general.h"
#include "kernels/offsets.h"
#include "kernels/bounds.h"
#include "kernels/cull.h"

const sinewi_transition_kernels *sinewi_transition_kernels_used(void) {
    static const sinewi_transition_kernels kernels = {
        .add_offsets = add_offsets,
        .add_weight_offsets = add_weight_offsets,
        .extrapolate = extrapolate,
        .extrapolate_weights = extrapolate_weights,
        .start_offsets = start_offsets,
        .start_weight_offsets = start_weight_offsets,
        .add_offsets_on_line = add_offsets_on_line,
        .add_weight_offsets_on_line = add_weight_offsets_on_line,
        .start_held = start_held,
        .start_held_weights = start_held_weights,
        .mirror = mirror,
    };
    return &kernels;
}

const sinewi_bound_kernels *sinewi_bound_kernels_used(void) {
    static const sinewi_bound_kernels kernels = {
        .bound_boxes = bound_boxes,
        .bound_square = bound_square,
        .cull_boxes = cull_boxes,
    };
    return &kernels;
}

void web_blend_general(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                       sinewi_fast_path fast, float *const out[SINEWI_PLANES], size_t to) {
    blend_general(inputs, count, first, end, fast, out, to);
}

void web_blend_weights(const sinewi_mix *mix, size_t first, size_t end, float *out) {
    blend_weights(mix, first, end, out);
}

void web_mix_weights(const sinewi_mix *mix, size_t first, size_t end, float *out) {
    mix_weights(mix, first, end, out);
}

static float *put(float *to, value v, int width, size_t lane) {
    for (int i = 0; i < width; i++) {
        float lanes[SIMD_WIDTH];
        vec_store(lanes, v.c[i]);
        *to++ = lanes[lane];
    }
    return to;
}

void sinewi_sample_node(const sinewi_mix_input *input, int32_t node, float out[SINEWI_PLANES]) {
    size_t lane = (size_t)node % SIMD_WIDTH;
    lane_position position = lane_position_at((size_t)node - lane);
    out = put(out, sample(input, position, SINEW_TARGET_TRANSLATION, SINEWI_FAST_PATH_NONE, true), 3, lane);
    out = put(out, sample(input, position, SINEW_TARGET_ROTATION, SINEWI_FAST_PATH_NONE, true), 4, lane);
    put(out, sample(input, position, SINEW_TARGET_SCALE, SINEWI_FAST_PATH_NONE, true), 3, lane);
}
