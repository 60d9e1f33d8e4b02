// Mixing what few frames have: blocks that are not plain, rows of 16 bits, and morph weights.
// Included behind blend.h: see kernels.h.
#ifndef SINEW_MIX_REST_H
#define SINEW_MIX_REST_H

// Apart, so that what they need does not push what is common out of the registers.
SINEW_NOINLINE void blend_run_of_any(const sinew_share *shares, int32_t count, size_t first, size_t end,
                                     float *const out[SINEW_PLANES], size_t to) {
    blend_run(shares, count, first, end, SINEW_NOT_PLAIN, out, to);
}

SINEW_NOINLINE void blend_run_of_words(const sinew_share *shares, int32_t count, size_t first, size_t end,
                                       float *const out[SINEW_PLANES], size_t to) {
    blend_run(shares, count, first, end, SINEW_PLAIN_16, out, to);
}

// As blend_run, for all but plain floats.
static void blend_rest(const sinew_share *shares, int32_t count, size_t first, size_t end, sinew_plainness plain,
                       float *const out[SINEW_PLANES], size_t to) {
    if (plain == SINEW_PLAIN_16) {
        blend_run_of_words(shares, count, first, end, out, to);
    } else {
        blend_run_of_any(shares, count, first, end, out, to);
    }
}

// ---- Morph weights -------------------------------------------------------------------------------------------

SINEW_INLINE value put_layer_of_weights(const sinew_mix_layer *layer, value below, spot at) {
    const sinew_channel_target path = SINEW_TARGET_WEIGHTS;
    if (!layer->additive) {
        value above = blend(layer->shares, layer->count, at, path, SINEW_NOT_PLAIN);
        return put_on(layer, below, above, cover(layer, layer->weight, at, path), path);
    }
    for (int32_t i = 0; i < layer->count; i++) {
        value above = sample(&layer->shares[i], at, path, SINEW_NOT_PLAIN, true);
        below = put_on(layer, below, above, cover(layer, layer->shares[i].weight, at, path), path);
    }
    return below;
}

SINEW_INLINE value blend_weights(const sinew_mix *mix, spot at) {
    value sum = blend(mix->shares, mix->count, at, SINEW_TARGET_WEIGHTS, SINEW_NOT_PLAIN);
    for (int32_t i = 0; i < mix->layer_count; i++) sum = put_layer_of_weights(&mix->layers[i], sum, at);
    return sum;
}

static void mix_weights(const sinew_mix *mix, size_t first, size_t end, float *out) {
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        value w = blend_weights(mix, spot_at(first * SINEW_LANES + to));
        vec_store(out + to, w.c[0]);
    }
}

#endif
