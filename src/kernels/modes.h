// SPDX-License-Identifier: MIT
// Samples and blends compressed clips, which are sums of modes. Include after rotations.h. See kernels.h.
//
// A strip's modes are summed in packed lanes. The sums are then moved to their final lanes. The fast path sums a few
// vectors together and loads each pair of weights once for all of them. `vectors` is the number of vectors and `width`
// the number of components. Both become constants after inlining.
#ifndef SINEWI_MODES_H
#define SINEWI_MODES_H

#include "kernels/layout.h"

// How many vectors and lanes the fast path sums together. More wouldn't fit in registers. If this is 1, blend.h blends
// modes like other clips, and builds for size don't need a second code path.
#if defined(__OPTIMIZE_SIZE__)
#define SUM_VECTORS 1
#else
#define SUM_VECTORS (SIMD_WIDTH == 4 || SIMD_WIDTH == 8 ? 2 : 1)
#endif
#define SUM_LANES ((size_t)SUM_VECTORS * SIMD_WIDTH)

// The values of SUM_LANES lanes.
typedef struct lane_values {
    value of[SUM_VECTORS];
} lane_values;

// A strip with modes. Its group has the same data on the fast path.
typedef struct mode_strip {
    const sinewi_rows *rows;
    const sinewi_key *key;     // NULL without modes
    const sinewi_modes *modes; // NULL if all lanes have the base
    const float *base;         // the base's first plane
} mode_strip;

// ---- Sums ----------------------------------------------------------------------------------------------------

// The sums of one plane.
typedef struct plane_sums {
    vec_ints of[SUM_VECTORS];
} plane_sums;

SINEWI_INLINE plane_sums zero_sums(int vectors) {
    plane_sums sums;
    for (int v = 0; v < vectors; v++) sums.of[v] = vec_ints_splat(0);
    return sums;
}

// Adds a pair of modes with 16-bit coefficients.
SINEWI_INLINE void add_words(plane_sums *sums, int vectors, const char *at, const int16_t *weights) {
    const int16_t *pairs = (const int16_t *)(const void *)at;
    for (int v = 0; v < vectors; v++)
        sums->of[v] = vec_dot_i16(sums->of[v], pairs + (ptrdiff_t)2 * v * SIMD_WIDTH, weights);
}

SINEWI_INLINE void add_bytes(plane_sums *sums, int vectors, const char *at, const int16_t *weights) {
    const int8_t *pairs = (const int8_t *)(const void *)at;
    for (int v = 0; v < vectors; v++)
        sums->of[v] = vec_dot_i8(sums->of[v], pairs + (ptrdiff_t)2 * v * SIMD_WIDTH, weights);
}

// Scales the sums of one plane. `scales` starts at the first lane.
SINEWI_INLINE void move_plane(lane_values *to, int plane, const plane_sums *sums, int vectors,
                              const float *scales) {
    for (int v = 0; v < vectors; v++)
        to->of[v].c[plane] = vec_mul(vec_load(scales + v * (ptrdiff_t)SIMD_WIDTH), vec_from_ints(sums->of[v]));
}

// Returns the rotation that `m` projects from a center. See layout.h.
SINEWI_INLINE value unproject(value center, value m) {
    const vec one = vec_splat(1.0f), two = vec_splat(2.0f);
    const vec square = vec_add(vec_add(vec_mul(m.c[0], m.c[0]), vec_mul(m.c[1], m.c[1])), vec_mul(m.c[2], m.c[2]));
    const vec factor = vec_div(two, vec_add(one, square));
    for (int i = 0; i < 3; i++) m.c[i] = vec_mul(factor, m.c[i]);
    m.c[3] = vec_sub(factor, one);
    return quat_mul(center, m);
}

// Adds the means to the sums. Rotations have centers instead.
SINEWI_INLINE lane_values move_means(lane_values moved, const float *means, ptrdiff_t lanes, int width,
                                     int vectors) {
    for (int v = 0; v < vectors; v++) {
        value mean = {{vec_splat(0.0f)}};
        for (int i = 0; i < width; i++) mean.c[i] = vec_load(means + i * lanes + v * (ptrdiff_t)SIMD_WIDTH);
        if (width == 4) moved.of[v] = unproject(mean, moved.of[v]);
        for (int i = 0; width != 4 && i < width; i++) moved.of[v].c[i] = vec_add(mean.c[i], moved.of[v].c[i]);
    }
    return moved;
}

// Sums the lanes from packed lane `packed` on. `weights` starts at the first mode. Scales, means and coefficients
// follow each other, see sinewi_mode_arrays_of. This doesn't loop over an array of planes because compilers would keep
// it in memory.
SINEWI_INLINE lane_values sum_modes(const sinewi_modes *modes, const int16_t *weights, int width, int vectors,
                                    ptrdiff_t packed) {
    const ptrdiff_t lanes = modes->lane_count, plane = 2 * lanes;
    const float *scales = modes->memory + packed, *means = scales + lanes;
    const char *at = (const char *)(const void *)(means - packed + width * lanes);
    plane_sums x = zero_sums(vectors), y = x, z = x;
    lane_values moved;
    at += 4 * packed;
    for (int n = modes->word_pairs; n > 0; n--, weights += 2, at += 6 * plane) {
        add_words(&x, vectors, at, weights);
        add_words(&y, vectors, at + 2 * plane, weights);
        add_words(&z, vectors, at + 4 * plane, weights);
    }
    at -= 2 * packed;
    for (int n = modes->pairs - modes->word_pairs; n > 0; n--, weights += 2, at += 3 * plane) {
        add_bytes(&x, vectors, at, weights);
        add_bytes(&y, vectors, at + plane, weights);
        add_bytes(&z, vectors, at + 2 * plane, weights);
    }
    move_plane(&moved, 0, &x, vectors, scales);
    move_plane(&moved, 1, &y, vectors, scales);
    move_plane(&moved, 2, &z, vectors, scales);
    for (int v = 0; v < vectors; v++) moved.of[v].c[3] = moved.of[v].c[2];
    return move_means(moved, means, lanes, width, vectors);
}

// Slerps between the keys. Not inlined, because few strips turn by large angles between keys.
SINEWI_NOINLINE lane_values slerp_modes(const mode_strip *strip, int vectors, ptrdiff_t packed) {
    int16_t weights[SINEWI_MAX_ROW_WEIGHTS];
    const int16_t *first = weights + strip->modes->first_weight;
    sinewi_weigh_modes(strip->rows, strip->key, 0.0f, weights);
    lane_values a = sum_modes(strip->modes, first, 4, SUM_VECTORS, packed);
    sinewi_weigh_modes(strip->rows, strip->key, 1.0f, weights);
    const lane_values b = sum_modes(strip->modes, first, 4, SUM_VECTORS, packed);
    for (int v = 0; v < vectors; v++)
        a.of[v] = normalize_slerp(slerp_unnormalized(a.of[v], b.of[v], slerp_of_key(strip->key)));
    return a;
}

// ---- Lanes ---------------------------------------------------------------------------------------------------

// Returns the lanes without modes: the strip's own constants, and the clip's base for the rest.
SINEWI_INLINE value idle_lanes(const mode_strip *strip, int width, int32_t lane) {
    const sinewi_modes *modes = strip->modes;
    value v = {{vec_splat(0.0f)}};
    for (int i = 0; i < width; i++) v.c[i] = vec_load(strip->base + i * PLANE + lane);
    if (!modes || modes->constant_lanes == 0) return v;
    const vec_lanes lanes = vec_lanes_from_bits((uint32_t)modes->constant_lanes >> lane);
    const float *constants = modes->memory - width * (ptrdiff_t)modes->constant_count;
    constants += sinewi_lane_rank(modes->constant_lanes, lane);
    for (int i = 0; i < width; i++, constants += modes->constant_count)
        v.c[i] = vec_expand(lanes, vec_load(constants), v.c[i]);
    return v;
}

// Moves packed lanes to their final lanes. Ignores anything after the last packed lane.
SINEWI_INLINE value unpack_vector(uint32_t bits, int32_t lane, value packed, value idle, int width) {
    const bool has_gaps = (bits & (bits + 1)) != 0;
    const vec_lanes lanes = vec_lanes_from_bits(bits >> lane);
    const vec_mask mask = vec_mask_from_bits(bits >> lane);
    for (int i = 0; i < width; i++) {
        packed.c[i] =
            has_gaps ? vec_expand(lanes, packed.c[i], idle.c[i]) : vec_select(mask, packed.c[i], idle.c[i]);
    }
    return packed;
}

// Realigns two vectors of packed lanes: the second one becomes the vector that starts at lane `from`.
SINEWI_INLINE void realign_vectors(lane_values *packed, int width, int32_t from) {
    float planes[4][SUM_LANES + SIMD_WIDTH];
    for (int v = 0; v < SUM_VECTORS; v++)
        for (int i = 0; i < width; i++) vec_store(planes[i] + (ptrdiff_t)v * SIMD_WIDTH, packed->of[v].c[i]);
    for (int i = 0; i < width; i++) packed->of[SUM_VECTORS - 1].c[i] = vec_load(planes[i] + from);
}

// Unpacks the vectors from `lane` on. The second vector's packed lanes may start anywhere, but usually follow the
// first's.
SINEWI_INLINE lane_values unpack_lanes(const mode_strip *strip, int32_t lane, lane_values packed, int width,
                                       int vectors) {
    const uint32_t bits = strip->modes->lanes;
    const uint32_t of_first = bits >> lane & ((1u << SIMD_WIDTH) - 1);
    if (vectors > 1 && of_first != (1u << SIMD_WIDTH) - 1)
        realign_vectors(&packed, width, sinewi_lane_rank(of_first, SIMD_WIDTH));
    for (int v = 0; v < vectors; v++, lane += SIMD_WIDTH)
        packed.of[v] = unpack_vector(bits, lane, packed.of[v], idle_lanes(strip, width, lane), width);
    return packed;
}

// Samples vectors of a strip from `lane` on. `weights` starts at the strip's first mode.
SINEWI_INLINE lane_values sample_lanes(const mode_strip *strip, const int16_t *weights, int width, int vectors,
                                       int32_t lane) {
    const sinewi_modes *modes = strip->modes;
    lane_values v;
    if (!strip->key) {
        for (int i = 0; i < vectors; i++) v.of[i] = idle_lanes(strip, width, lane + i * SIMD_WIDTH);
        return v;
    }
    const ptrdiff_t packed = sinewi_lane_rank(modes->lanes, lane);
    v = width == 4 && modes->slerps ? slerp_modes(strip, vectors, packed)
                                    : sum_modes(modes, weights, width, vectors, packed);
    return modes->lanes == 0xffff ? v : unpack_lanes(strip, lane, v, width, vectors);
}

// Returns the weights found for a strip. NULL without modes, or if they didn't fit.
SINEWI_INLINE const int16_t *weights_of(const mode_strip *strip) {
    return strip->key && strip->key->weights ? strip->key->weights + strip->modes->first_weight : NULL;
}

// ---- Blocks --------------------------------------------------------------------------------------------------

SINEWI_INLINE mode_strip strip_of_group(const sinewi_mix_input *input, size_t block, sinew_channel_target target) {
    const sinewi_group *group = &input->clip->groups[block * SINEWI_GROUPS + (size_t)target];
    mode_strip strip = {NULL, NULL, group->modes, input->clip->base[block].lane[sinewi_target_plane(target)]};
    if (group->rows >= 0) strip.rows = &input->clip->rows[group->rows], strip.key = &input->keys[group->rows];
    return strip;
}

// Multiplies by an input's weight.
SINEWI_INLINE lane_values weigh_lanes(const sinewi_mix_input *input, lane_values v, int width) {
    const vec weight = vec_splat(input->weight);
    for (int i = 0; i < SUM_VECTORS; i++)
        for (int c = 0; c < width; c++) v.of[i].c[c] = vec_mul(weight, v.of[i].c[c]);
    return v;
}

SINEWI_INLINE lane_values add_lanes(lane_values sum, lane_values one, int width) {
    for (int i = 0; i < SUM_VECTORS; i++)
        for (int c = 0; c < width; c++) sum.of[i].c[c] = vec_add(sum.of[i].c[c], one.of[i].c[c]);
    return sum;
}

// Blends all inputs. A single input has full weight.
SINEWI_INLINE lane_values blend_lanes(const sinewi_mix_input *inputs, int32_t count, size_t block, int32_t lane,
                                      sinew_channel_target target, int width) {
    lane_values sum;
    for (int32_t s = 0; s < count; s++) {
        const mode_strip strip = strip_of_group(&inputs[s], block, target);
        lane_values one = sample_lanes(&strip, weights_of(&strip), width, SUM_VECTORS, lane);
        if (count == 1) return one;
        one = weigh_lanes(&inputs[s], one, width);
        sum = s == 0 ? one : add_lanes(sum, one, width);
    }
    for (int i = 0; width == 4 && i < SUM_VECTORS; i++) sum.of[i] = normalize(sum.of[i]);
    return sum;
}

SINEWI_INLINE void store_planes(const lane_values *v, int width, float *const out[], size_t to) {
    for (int i = 0; i < SUM_VECTORS; i++, to += SIMD_WIDTH)
        for (int c = 0; c < width; c++) vec_store(out[c] + to, v->of[i].c[c]);
}

// Like blend_run, for blocks of compressed clips.
SINEWI_INLINE void blend_run_of_sums(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                                     float *const out[SINEWI_PLANES], size_t to) {
    for (size_t at = first * SINEW_LANES; at < end * SINEW_LANES; at += SUM_LANES, to += SUM_LANES) {
        const size_t block = at / SINEW_LANES;
        const int32_t lane = SUM_LANES == SINEW_LANES ? 0 : (int32_t)(at % SINEW_LANES);
        const lane_values r = blend_lanes(inputs, count, block, lane, SINEW_TARGET_ROTATION, 4),
                          t = blend_lanes(inputs, count, block, lane, SINEW_TARGET_TRANSLATION, 3),
                          s = blend_lanes(inputs, count, block, lane, SINEW_TARGET_SCALE, 3);
        store_planes(&r, 4, out + SINEWI_RX, to);
        store_planes(&t, 3, out + SINEWI_TX, to);
        store_planes(&s, 3, out + SINEWI_SX, to);
    }
}

#endif
