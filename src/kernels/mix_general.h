// SPDX-License-Identifier: MIT
// Mixes the less common blocks: blocks without a fast path, 16-bit rows, and morph weights. Include after blend.h. See
// kernels.h.
#ifndef SINEWI_MIX_GENERAL_H
#define SINEWI_MIX_GENERAL_H

// Not inlined, to avoid spills in the common case.
SINEWI_NOINLINE void blend_run_general(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                                       float *const out[SINEWI_PLANES], size_t to) {
    blend_run(inputs, count, first, end, SINEWI_FAST_PATH_NONE, out, to);
}

SINEWI_NOINLINE void blend_run_u16(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                                   float *const out[SINEWI_PLANES], size_t to) {
    blend_run(inputs, count, first, end, SINEWI_FAST_PATH_U16, out, to);
}

#ifndef SINEW_NO_COMPRESSION
SINEWI_NOINLINE void blend_run_modes(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                                     float *const out[SINEWI_PLANES], size_t to) {
    if (SUM_VECTORS > 1) {
        blend_run_of_sums(inputs, count, first, end, out, to);
    } else {
        blend_run(inputs, count, first, end, SINEWI_FAST_PATH_MODES, out, to);
    }
}
#endif

// Like blend_run, for everything except the float fast path.
static void blend_general(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                          sinewi_fast_path fast, float *const out[SINEWI_PLANES], size_t to) {
    if (fast == SINEWI_FAST_PATH_U16) {
        blend_run_u16(inputs, count, first, end, out, to);
#ifndef SINEW_NO_COMPRESSION
    } else if (fast == SINEWI_FAST_PATH_MODES) {
        blend_run_modes(inputs, count, first, end, out, to);
#endif
    } else {
        blend_run_general(inputs, count, first, end, out, to);
    }
}

// ---- Morph weights -------------------------------------------------------------------------------------------

SIMD_INLINE value apply_layer_to_weights(const sinewi_mix_layer *layer, value below, lane_position position) {
    const sinew_channel_target target = SINEW_TARGET_WEIGHTS;
    value above = blend(layer->inputs, layer->count, position, target, SINEWI_FAST_PATH_NONE, NULL);
    return apply_layer(layer, below, above, layer_coverage(layer, layer->weight, position, target), position,
                       target);
}

static void blend_weights(const sinewi_mix *mix, size_t first, size_t end, float *out) {
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        lane_position position = lane_position_at(first * SINEW_LANES + to);
        value w = blend(mix->inputs, mix->count, position, SINEW_TARGET_WEIGHTS, SINEWI_FAST_PATH_NONE, NULL);
        vec_store(out + to, w.c[0]);
    }
}

static void mix_weights(const sinewi_mix *mix, size_t first, size_t end, float *out) {
    blend_weights(mix, first, end, out);
    if (mix->layer_count == 0) return;
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        lane_position position = lane_position_at(first * SINEW_LANES + to);
        value w = {{vec_load(out + to)}};
        for (int32_t i = 0; i < mix->layer_count; i++) w = apply_layer_to_weights(&mix->layers[i], w, position);
        vec_store(out + to, w.c[0]);
    }
}

#endif
