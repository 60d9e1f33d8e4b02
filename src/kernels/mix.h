// SPDX-License-Identifier: MIT
// Mixes blocks of nodes. Starts with the base layer's inputs, then applies layer after layer to a few blocks at a time.
// Include after model.h, blend.h and a definition of blend_general. mix_general.h has one. You can also define one that
// calls it elsewhere.
#ifndef SINEWI_MIX_H
#define SINEWI_MIX_H

// ---- Runs of blocks with the same fast path ------------------------------------------------------------------

// Returns a block's fast path for the first `count` inputs, which are either all inputs or the base layer's. Fast paths
// add all rotations unchanged, because few blocks have a negated one.
SIMD_INLINE sinewi_fast_path fast_path_of(const sinewi_mix *mix, int32_t count, size_t block) {
    if (!mix->keys_found) return SINEWI_FAST_PATH_NONE;
    uint8_t first = mix->inputs[0].clip->fast_paths[block];
    uint32_t sides = 0;
    for (int32_t i = 0; i < count; i++) {
        const sinewi_mix_input *input = &mix->inputs[i];
        if (input->clip->fast_paths[block] != first) return SINEWI_FAST_PATH_NONE;
        sides |= side_bits(input->sides, input->wraps, block);
    }
    return sides == 0 ? (sinewi_fast_path)first : SINEWI_FAST_PATH_NONE;
}

// Returns the end of the blocks that share the fast path of `block`.
SIMD_INLINE size_t end_of_run(const sinewi_mix *mix, int32_t count, size_t block, size_t end,
                              sinewi_fast_path fast) {
    size_t run_end = block + 1;
    while (run_end < end && fast_path_of(mix, count, run_end) == fast) run_end++;
    return run_end;
}

static void blend_inputs(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                         sinewi_fast_path fast, float *const out[SINEWI_PLANES], size_t to) {
    if (fast == SINEWI_FAST_PATH_FLOAT) {
        blend_run(inputs, count, first, end, SINEWI_FAST_PATH_FLOAT, out, to);
    } else {
        blend_general(inputs, count, first, end, fast, out, to);
    }
}

// ---- Layers --------------------------------------------------------------------------------------------------

// Applies `over`, the blended inputs of a layer, to `out`. Handles one target in blocks [first, first + blocks). Both
// arrays start with the first block.
SIMD_INLINE void apply_blended(const sinewi_mix_layer *layer, float weight, sinew_channel_target target,
                               size_t first, size_t blocks, float *const over[SINEWI_PLANES],
                               float *const out[SINEWI_PLANES]) {
    int width = sinewi_target_width(target), plane = sinewi_target_plane(target);
    for (size_t at = 0; at < blocks * SINEW_LANES; at += SIMD_WIDTH) {
        value below = {{vec_splat(0.0f)}}, above = below;
        for (int i = 0; i < width; i++) {
            below.c[i] = vec_load(out[plane + i] + at);
            above.c[i] = vec_load(over[plane + i] + at);
        }
        lane_position position = lane_position_at(first * SINEW_LANES + at);
        vec factor = layer_coverage(layer, weight, position, target);
        below = apply_layer(layer, below, above, factor, position, target);
        for (int i = 0; i < width; i++) vec_store(out[plane + i] + at, below.c[i]);
    }
}

// The number of blocks in each stage. It is large enough to hide the latency of a stage's long dependency chain, and
// small enough to stay in the L1 cache.
#define BLOCKS_AT_ONCE 4

// Blends a layer's inputs and applies them to a run of blocks.
static void apply_layer_to_blocks(const sinewi_mix_layer *layer, size_t first, size_t end, sinewi_fast_path fast,
                                  float *const out[SINEWI_PLANES], size_t to) {
    float blended[SINEWI_PLANES][BLOCKS_AT_ONCE * SINEW_LANES], *over[SINEWI_PLANES], *below[SINEWI_PLANES];
    for (int i = 0; i < SINEWI_PLANES; i++) over[i] = blended[i];
    for (size_t b = first; b < end; b += BLOCKS_AT_ONCE, to += (size_t)BLOCKS_AT_ONCE * SINEW_LANES) {
        size_t blocks = end - b < BLOCKS_AT_ONCE ? end - b : BLOCKS_AT_ONCE;
        for (int i = 0; i < SINEWI_PLANES; i++) below[i] = out[i] + to;
        blend_inputs(layer->inputs, layer->count, b, b + blocks, fast, over, 0);
        apply_blended(layer, layer->weight, SINEW_TARGET_TRANSLATION, b, blocks, over, below);
        apply_blended(layer, layer->weight, SINEW_TARGET_ROTATION, b, blocks, over, below);
        apply_blended(layer, layer->weight, SINEW_TARGET_SCALE, b, blocks, over, below);
    }
}

// ---- Kernels -------------------------------------------------------------------------------------------------

// The inputs of other layers must not affect the path, because other paths round differently.
static void blend_to_pose(const sinewi_mix *mix, size_t first, size_t end, float *const out[SINEWI_PLANES]) {
    for (size_t b = first; b < end;) {
        sinewi_fast_path fast = fast_path_of(mix, mix->count, b);
        size_t run_end = end_of_run(mix, mix->count, b, end, fast);
        blend_inputs(mix->inputs, mix->count, b, run_end, fast, out, (b - first) * SINEW_LANES);
        b = run_end;
    }
}

static void mix_to_pose(const sinewi_mix *mix, size_t first, size_t end, float *const out[SINEWI_PLANES]) {
    for (size_t b = first; b < end;) {
        sinewi_fast_path fast = fast_path_of(mix, mix->total, b);
        size_t run_end = end_of_run(mix, mix->total, b, end, fast), to = (b - first) * SINEW_LANES;
        blend_inputs(mix->inputs, mix->count, b, run_end, fast, out, to);
        for (int32_t i = 0; i < mix->layer_count; i++)
            apply_layer_to_blocks(&mix->layers[i], b, run_end, fast, out, to);
        b = run_end;
    }
}

// Keeps a few blocks of the pose in memory. Ten planes and the temporaries for composing don't fit in registers.
static void mix_to_local(const sinewi_mix *mix, size_t first, size_t end, sinew_affine *out) {
    float pose[SINEWI_PLANES][BLOCKS_AT_ONCE * SINEW_LANES], *planes[SINEWI_PLANES];
    for (int i = 0; i < SINEWI_PLANES; i++) planes[i] = pose[i];
    for (size_t b = first; b < end; b += BLOCKS_AT_ONCE) {
        size_t count = end - b < BLOCKS_AT_ONCE ? end - b : BLOCKS_AT_ONCE;
        mix_to_pose(mix, b, b + count, planes);
        pose_to_local((const float *const *)planes, count, out + (b - first) * SINEW_LANES);
    }
}

#endif
