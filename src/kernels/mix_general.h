// SPDX-License-Identifier: MIT
// Mixing the less common blocks: those without a fast path, 16-bit rows, and morph weights.
// Included after blend.h: see kernels.h.
#ifndef SINEW_MIX_GENERAL_H
#define SINEW_MIX_GENERAL_H

// Not inlined, so that they do not cause spills in the common case.
SINEW_NOINLINE void blend_run_general(const sinew_mix_input *inputs, int32_t count, size_t first, size_t end,
                                      float *const out[SINEW_PLANES], size_t to) {
    blend_run(inputs, count, first, end, SINEW_FAST_PATH_NONE, out, to);
}

SINEW_NOINLINE void blend_run_u16(const sinew_mix_input *inputs, int32_t count, size_t first, size_t end,
                                  float *const out[SINEW_PLANES], size_t to) {
    blend_run(inputs, count, first, end, SINEW_FAST_PATH_U16, out, to);
}

#ifndef SINEW_NO_COMPRESSION
SINEW_NOINLINE void blend_run_modes(const sinew_mix_input *inputs, int32_t count, size_t first, size_t end,
                                    float *const out[SINEW_PLANES], size_t to) {
    if (SUM_VECTORS > 1) {
        blend_run_of_sums(inputs, count, first, end, out, to);
    } else {
        blend_run(inputs, count, first, end, SINEW_FAST_PATH_MODES, out, to);
    }
}
#endif

// Like blend_run, for everything but the fast path of floats.
static void blend_general(const sinew_mix_input *inputs, int32_t count, size_t first, size_t end,
                          sinew_fast_path fast, float *const out[SINEW_PLANES], size_t to) {
    if (fast == SINEW_FAST_PATH_U16) {
        blend_run_u16(inputs, count, first, end, out, to);
#ifndef SINEW_NO_COMPRESSION
    } else if (fast == SINEW_FAST_PATH_MODES) {
        blend_run_modes(inputs, count, first, end, out, to);
#endif
    } else {
        blend_run_general(inputs, count, first, end, out, to);
    }
}

// ---- Morph weights -------------------------------------------------------------------------------------------

SINEW_INLINE value apply_layer_to_weights(const sinew_mix_layer *layer, value below, lane_position position) {
    const sinew_channel_target target = SINEW_TARGET_WEIGHTS;
    value above = blend(layer->inputs, layer->count, position, target, SINEW_FAST_PATH_NONE, NULL);
    return apply_layer(layer, below, above, layer_coverage(layer, layer->weight, position, target), position,
                       target);
}

static void blend_weights(const sinew_mix *mix, size_t first, size_t end, float *out) {
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        lane_position position = lane_position_at(first * SINEW_LANES + to);
        value w = blend(mix->inputs, mix->count, position, SINEW_TARGET_WEIGHTS, SINEW_FAST_PATH_NONE, NULL);
        vec_store(out + to, w.c[0]);
    }
}

static void mix_weights(const sinew_mix *mix, size_t first, size_t end, float *out) {
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
