// SPDX-License-Identifier: MIT
// The kernels of every level that runs here compute plain C's bits.
#include "support/random_rig.h"
#include "support/trials.h"

#include "core/pose_block.h"
#include "core/clip_sample.h"
#include "core/skeleton_object.h"
#include "kernels/kernels.h"

#include <stdio.h>

// ---- Comparing -----------------------------------------------------------------------------------------------

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool same_bits(float a, float b) {
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static void check_floats(const float *got, const float *wanted, size_t count, const char *kernel,
                         sinewi_simd_level level) {
    for (size_t i = 0; i < count; i++) {
        if (same_bits(got[i], wanted[i])) continue;
        fail_msg("%s of %s: float %zu is %a, and %a by plain C", kernel, sinewi_simd_level_name(level), i,
                 (double)got[i], (double)wanted[i]);
    }
}

static void check_matrices(const sinew_affine *got, const sinew_affine *wanted, size_t count, const char *kernel,
                           sinewi_simd_level level) {
    for (size_t i = 0; i < count; i++) check_floats(got[i].m[0], wanted[i].m[0], 12, kernel, level);
}

// The next level above `level` that runs here, or SINEWI_SIMD_LEVELS.
static sinewi_simd_level next_level(sinewi_simd_level level) {
    int next = (int)level + 1;
    while (next < SINEWI_SIMD_LEVELS && !sinewi_mix_kernels_of((sinewi_simd_level)next)) next++;
    return (sinewi_simd_level)next;
}

static void *take(size_t count, size_t size) {
    void *memory = malloc(count * size + 1);
    assert_non_null(memory);
    memset(memory, 0x7e, count * size); // finite, and nobody's result
    return memory;
}

// ---- Mixes ---------------------------------------------------------------------------------------------------

#define MOST_SHARES 5

enum {
    MIXES = TRIALS(3, 1),            // of each number of nodes
    ONE_COMPRESSED_OF = TRIALS(3, 9) // clips: sanitizers make compression slow
};

// Counts what was drawn, to make sure that all ways of storing clips occur.
static struct {
    int rows_16, one_timeline, own_timelines, steps, cubic, strip_by_strip, overrides, additives, sides;
    int modes, fast_modes, slerps, unweighted;
} seen;

static void look_at(const sinewi_mix_input *share, const sinew_clip *clip) {
    seen.rows_16 += clip->key_format == SINEW_KEYS_U16;
    seen.one_timeline += clip->timeline_count == 1;
    seen.own_timelines += clip->timeline_count > 2 * SINEW_LANES; // that many cannot all be rows
    for (int32_t i = 0; i < clip->channel_count; i++) {
        seen.steps += clip->channels[i].interpolation == SINEW_INTERPOLATION_STEP;
        seen.cubic += clip->channels[i].interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    }
    seen.strip_by_strip += share->key_count < clip->data->row_count;
    const sinew_clip_data *data = clip->data;
    for (int32_t i = 0; i < data->group_strips[data->node_groups]; i++) {
        if (!data->strips[i].modes) continue;
        seen.modes++;
        seen.slerps += data->strips[i].modes->slerps;
        seen.unweighted += data->strips[i].rows >= share->key_count;
    }
    for (int32_t i = 0; i < data->node_groups / SINEWI_GROUPS; i++)
        seen.fast_modes += data->fast_paths[i] == SINEWI_FAST_PATH_MODES;
}

// Some clips are compressed, with errors that leave few modes, and many.
static sinew_clip *draw_compressed(uint64_t seed, sinew_clip *clip) {
    uint64_t own = seed ^ 0xc0de, *state = &own;
    if (random_next(state) % ONE_COMPRESSED_OF != 0) return clip;
    static const float errors[] = {1e-2f, 1.0f, 1e2f, 1e30f};
    sinew_compress_def def = sinew_compress_default();
    def.max_error = errors[random_next(state) % 4];
    sinew_clip *compressed;
    assert_int_equal(sinew_clip_compress(clip, &def, &compressed, NULL), SINEW_OK);
    sinew_clip_destroy(clip);
    return compressed;
}

typedef struct drawn_mix {
    sinew_skeleton *skeleton;
    sinew_clip *clips[MOST_SHARES];
    sinewi_mix_input shares[MOST_SHARES];
    sinewi_key keys[SINEWI_MIX_KEYS];
    sinewi_mode_weights weights;
    sinewi_mix_layer layers[MOST_SHARES];
    float *masks;    // [padded nodes], then [padded weights]: of all layers that have one
    uint16_t *sides; // [node blocks] each: of the shares, their wraps, and the layers
    sinewi_mix mix;
} drawn_mix;

static float draw_time(uint64_t *state, const sinew_clip *clip) {
    if (clip->timeline_count == 0) return 0.3f;
    const sinew_timeline *line = &clip->timelines[draw_count(state, 0, clip->timeline_count - 1)];
    switch (random_next(state) % 6) {
    case 0:
        return sinew_timeline_time(line, draw_count(state, 0, line->key_count - 1));
    case 1:
        return nextafterf(sinew_timeline_time(line, draw_count(state, 0, line->key_count - 1)), 0.0f);
    case 2:
        return random_next(state) % 2 ? 0.0f : clip->duration + 1;
    default:
        return random_float(state, 0, clip->duration);
    }
}

static float draw_weight(uint64_t *state, bool extreme) {
    static const float weights[] = {0, 1, 0.5f, 0.25f, 1e-30f, 1e-45f};
    return extreme ? weights[random_next(state) % 6] : random_float(state, 0, 1);
}

// A row of sides, or none.
static const uint16_t *draw_row(uint64_t *state, drawn_mix *drawn, size_t row) {
    size_t blocks = sinewi_block_count(drawn->skeleton->node_count);
    uint16_t *sides = drawn->sides + row * blocks;
    for (size_t b = 0; b < blocks; b++) sides[b] = (uint16_t)(random_next(state) >> 7);
    bool is_drawn = random_next(state) % 3 != 0;
    seen.sides += is_drawn;
    return is_drawn ? sides : NULL;
}

static void draw_sides(uint64_t seed, drawn_mix *drawn) {
    uint64_t own = seed ^ 0x51de, *state = &own;
    if (random_next(state) % 4 == 0) return;
    for (int32_t i = 0; i < drawn->mix.total; i++) {
        drawn->shares[i].sides = draw_row(state, drawn, (size_t)i);
        drawn->shares[i].wraps = draw_row(state, drawn, MOST_SHARES + (size_t)i);
    }
    for (int32_t i = 0; i < drawn->mix.layer_count; i++) {
        drawn->layers[i].sides = draw_row(state, drawn, (size_t)2 * MOST_SHARES + (size_t)i);
    }
}

static void draw_masks(uint64_t *state, drawn_mix *drawn) {
    size_t lanes = sinewi_padded(drawn->skeleton->node_count) + sinewi_padded(drawn->skeleton->weight_count);
    drawn->masks = take(lanes, sizeof *drawn->masks);
    for (size_t i = 0; i < lanes; i++) {
        drawn->masks[i] = random_next(state) % 2 ? random_float(state, 0, 1) : (float)(random_next(state) % 2);
    }
}

// Leaves the first shares to the base layer and gives the others to layers over it.
static void draw_layers(uint64_t *state, drawn_mix *drawn) {
    sinewi_mix *mix = &drawn->mix;
    draw_masks(state, drawn);
    mix->layers = drawn->layers;
    mix->count = draw_count(state, 1, mix->total);
    for (int32_t at = mix->count; at < mix->total;) {
        sinewi_mix_layer *layer = &drawn->layers[mix->layer_count++];
        *layer = (sinewi_mix_layer){.inputs = drawn->shares + at, .count = draw_count(state, 1, mix->total - at)};
        layer->additive = random_next(state) % 2 == 0;
        layer->weight = random_next(state) % 3 ? random_float(state, 0, 1) : 1.0f;
        if (random_next(state) % 2) layer->node_mask = drawn->masks;
        if (layer->node_mask) layer->weight_mask = drawn->masks + sinewi_padded(drawn->skeleton->node_count);
        at += layer->count;
        seen.overrides += !layer->additive;
        seen.additives += layer->additive;
    }
}

static void draw_mix(uint64_t *state, drawn_mix *drawn, int32_t nodes, bool extreme) {
    drawn->skeleton = draw_skeleton(state, nodes, extreme);
    int32_t shares = draw_count(state, 1, MOST_SHARES), keys = 0;
    int32_t room = random_next(state) % 3 == 0 ? draw_count(state, 0, 20) : SINEWI_MIX_KEYS;
    drawn->mix = (sinewi_mix){.inputs = drawn->shares, .count = shares, .total = shares, .keys_found = true};
    drawn->masks = NULL;
    drawn->weights.count = keys == room % 3 ? SINEWI_MODE_WEIGHTS - 40 : 0;
    for (int32_t i = 0; i < shares; i++) {
        random_clip_options options = {draw_count(state, 0, 3), draw_count(state, 0, 3) * 40, extreme,
                                       random_next(state) % 6 == 0 ? SINEW_KEYS_U16 : SINEW_KEYS_FLOAT};
        sinew_clip *clip = draw_compressed(*state, draw_clip(state, drawn->skeleton, options));
        drawn->clips[i] = clip;
        sinewi_mix_input *share = &drawn->shares[i];
        *share = (sinewi_mix_input){.clip = clip->data, .time = draw_time(state, clip)};
        share->weight = draw_weight(state, extreme);
        keys += sinewi_mix_input_find_keys(share, drawn->keys + keys, room - keys, &drawn->weights, NULL, 0);
        if (share->key_count < clip->data->row_count) drawn->mix.keys_found = false;
        look_at(share, clip);
    }
    if (random_next(state) % 3 == 0) draw_layers(state, drawn);
    drawn->sides = take((size_t)3 * MOST_SHARES * sinewi_block_count(nodes), sizeof *drawn->sides);
    draw_sides(*state, drawn);
}

static void free_mix(drawn_mix *drawn) {
    for (int32_t i = 0; i < drawn->mix.total; i++) sinew_clip_destroy(drawn->clips[i]);
    sinew_skeleton_destroy(drawn->skeleton);
    free(drawn->masks);
    free(drawn->sides);
}

// What the kernels make of blocks [first, end) of a mix.
typedef struct mixed {
    float *planes;
    float *base; // planes of the base layer
    sinew_affine *local;
    size_t lanes;
} mixed;

static mixed run_mix(sinewi_simd_level level, const sinewi_mix *mix, size_t first, size_t end) {
    mixed out = {.lanes = (end - first) * SINEW_LANES};
    out.planes = take(out.lanes * SINEWI_PLANES, sizeof *out.planes);
    out.base = take(out.lanes * SINEWI_PLANES, sizeof *out.base);
    out.local = take(out.lanes, sizeof *out.local);
    float *planes[SINEWI_PLANES], *base[SINEWI_PLANES];
    for (size_t p = 0; p < SINEWI_PLANES; p++) {
        planes[p] = out.planes + p * out.lanes;
        base[p] = out.base + p * out.lanes;
    }
    sinewi_mix_kernels_of(level)->mix_to_pose(mix, first, end, planes);
    sinewi_blend_kernels_of(level)->blend_to_pose(mix, first, end, base);
    sinewi_mix_kernels_of(level)->mix_to_local(mix, first, end, out.local);
    return out;
}

// A mix without its layers. Those are inputs after the base layer's, so `total` is `count`.
static sinewi_mix without_layers(const sinewi_mix *mix) {
    sinewi_mix base = *mix;
    base.total = base.count;
    base.layer_count = 0;
    return base;
}

static void free_mixed(mixed out) {
    free(out.planes);
    free(out.base);
    free(out.local);
}

static void check_nodes(const sinewi_mix *mix, size_t first, size_t end) {
    const sinewi_mix base = without_layers(mix);
    mixed wanted = run_mix(SINEWI_SIMD_SCALAR, mix, first, end);
    mixed wanted_base = run_mix(SINEWI_SIMD_SCALAR, &base, first, end);
    check_floats(wanted.base, wanted_base.planes, wanted.lanes * SINEWI_PLANES, "blend_to_pose",
                 SINEWI_SIMD_SCALAR);
    for (sinewi_simd_level l = next_level(SINEWI_SIMD_SCALAR); l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
        mixed got = run_mix(l, mix, first, end);
        check_floats(got.planes, wanted.planes, got.lanes * SINEWI_PLANES, "mix_to_pose", l);
        check_floats(got.base, wanted.base, got.lanes * SINEWI_PLANES, "blend_to_pose", l);
        check_matrices(got.local, wanted.local, got.lanes, "mix_to_local", l);
        free_mixed(got);
    }
    free_mixed(wanted_base);
    free_mixed(wanted);
}

typedef void weights_kernel(const sinewi_mix *mix, size_t first, size_t end, float *out);

static void check_weights_of(weights_kernel *const kernels[SINEWI_SIMD_LEVELS], const sinewi_mix *mix, size_t first,
                             size_t end, const float *wanted, const char *name) {
    size_t lanes = (end - first) * SINEW_LANES;
    float *got = take(lanes, sizeof *got);
    for (sinewi_simd_level l = SINEWI_SIMD_SCALAR; l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
        memset(got, 0x7e, lanes * sizeof *got);
        assert_non_null(kernels[l]);
        kernels[l](mix, first, end, got);
        check_floats(got, wanted, lanes, name, l);
    }
    free(got);
}

static void check_weights(const sinewi_mix *mix, size_t first, size_t end) {
    weights_kernel *mixes[SINEWI_SIMD_LEVELS] = {NULL}, *blends[SINEWI_SIMD_LEVELS] = {NULL};
    for (sinewi_simd_level l = SINEWI_SIMD_SCALAR; l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
        mixes[l] = sinewi_mix_kernels_of(l)->mix_weights;
        blends[l] = sinewi_blend_kernels_of(l)->blend_weights;
    }
    const sinewi_mix base = without_layers(mix);
    float *wanted = take((end - first) * SINEW_LANES, sizeof *wanted);
    sinewi_mix_kernels_plain.mix_weights(mix, first, end, wanted);
    check_weights_of(mixes, mix, first, end, wanted, "mix_weights");
    sinewi_mix_kernels_plain.mix_weights(&base, first, end, wanted);
    check_weights_of(blends, mix, first, end, wanted, "blend_weights");
    free(wanted);
}

static void check_mix(uint64_t *state, int32_t nodes, bool extreme) {
    drawn_mix drawn;
    draw_mix(state, &drawn, nodes, extreme);
    size_t blocks = sinewi_block_count(nodes), weight_blocks = sinewi_block_count(drawn.skeleton->weight_count);
    check_nodes(&drawn.mix, 0, blocks);
    check_nodes(&drawn.mix, blocks / 2, blocks);
    if (weight_blocks > 0) check_weights(&drawn.mix, 0, weight_blocks);
    if (weight_blocks > 0) check_weights(&drawn.mix, weight_blocks / 2, weight_blocks);
    free_mix(&drawn);
}

static void mixes_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    uint64_t state = 1;
    for (int32_t nodes = 1; nodes <= 67; nodes++) {
        for (int i = 0; i < MIXES; i++) check_mix(&state, nodes, false);
    }
}

static void extreme_mixes_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    uint64_t state = 2;
    for (int32_t nodes = 1; nodes <= 67; nodes++) {
        for (int i = 0; i < MIXES; i++) check_mix(&state, nodes, true);
    }
}

static void mixes_were_of_every_kind(void **unused) {
    (void)unused;
    assert_true(seen.rows_16 > 33 * MIXES);
    assert_true(seen.one_timeline > 33 * MIXES);
    assert_true(seen.own_timelines > 33 * MIXES);
    assert_true(seen.steps > 33 * MIXES);
    assert_true(seen.cubic > 33 * MIXES);
    assert_true(seen.strip_by_strip > 33 * MIXES);
    assert_true(seen.overrides > 10 * MIXES && seen.additives > 10 * MIXES);
    assert_true(seen.sides > 166 * MIXES);
    print_message("modes: %d strips, %d with slerps, %d without found weights, %d blocks on the fast path\n",
                  seen.modes, seen.slerps, seen.unweighted, seen.fast_modes);
    const int least = 50 * MIXES / ONE_COMPRESSED_OF;
    assert_true(seen.modes > TRIALS(15, 10) * least && seen.slerps > least && seen.fast_modes > 2 * least);
    assert_true(seen.unweighted > TRIALS(1, -1) * least); // of a few clips perhaps none
}

// One key everywhere, in shares that add up to nothing, or to less.
static void check_sum(const sinew_skeleton *skeleton, const sinew_quat *rotations, const float *weights,
                      int32_t count) {
    sinew_clip *clips[MOST_SHARES];
    sinewi_mix_input shares[MOST_SHARES];
    const float time = 0;
    for (int32_t s = 0; s < count; s++) {
        float move[3] = {s % 2 ? -1e20f : 1e20f, s % 2 ? 1e-40f : -1e-40f, s % 2 ? -0.0f : 0.0f};
        sinew_channel_def channels[2] = {
            {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 1, &time, move},
            {0, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 1, &time, &rotations[s].x},
        };
        clips[s] = make_clip(skeleton, "", channels, 2);
        shares[s] = (sinewi_mix_input){.clip = clips[s]->data, .weight = weights[s]};
    }
    sinewi_mix mix = {.inputs = shares, .count = count, .total = count, .keys_found = true};
    check_nodes(&mix, 0, 1);
    for (int32_t s = 0; s < count; s++) sinew_clip_destroy(clips[s]);
}

static void sums_that_cancel_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    sinew_skeleton *skeleton = make_chain(1);
    const sinew_quat one = {0, 0, 0, 1}, turned = {1, 0, 0, 0}, opposite = {0, 0, 0, -1};
    const sinew_quat halves[3] = {one, turned, opposite};
    const float even[5] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f}, none[5] = {0},
                negative[5] = {0.5f, -0.5f, 0.5f, -0.5f, 0};
    for (int i = 0; i < 3 * 3 * 3; i++) {
        const sinew_quat rotations[5] = {halves[i % 3], halves[i / 3 % 3], halves[i / 9], halves[i % 3], one};
        for (int32_t count = 1; count <= 5; count++) {
            check_sum(skeleton, rotations, even, count);
            check_sum(skeleton, rotations, none, count);
            check_sum(skeleton, rotations, negative, count);
        }
    }
    sinew_skeleton_destroy(skeleton);
}

// The bits of the base layer do not depend on the key formats of the layers over it: check_nodes compares.
static void base_layers_have_the_bits_without_the_others(void **unused) {
    (void)unused;
    static const sinew_key_format formats[2][3] = {{SINEW_KEYS_FLOAT, SINEW_KEYS_FLOAT, SINEW_KEYS_U16},
                                                   {SINEW_KEYS_U16, SINEW_KEYS_U16, SINEW_KEYS_FLOAT}};
    uint64_t state = 3;
    for (int trial = 0; trial < TRIALS(40, 4); trial++) {
        drawn_mix drawn = {.skeleton = draw_skeleton(&state, 40, false)};
        int32_t keys = 0;
        for (int i = 0; i < 3; i++) {
            const random_clip_options options = {1, 100, false, formats[trial % 2][i]};
            drawn.clips[i] = draw_clip(&state, drawn.skeleton, options);
            drawn.shares[i] = (sinewi_mix_input){.clip = drawn.clips[i]->data, .weight = 0.3f};
            drawn.shares[i].time = draw_time(&state, drawn.clips[i]);
            keys += sinewi_mix_input_find_keys(&drawn.shares[i], drawn.keys + keys, SINEWI_MIX_KEYS - keys,
                                               &drawn.weights, NULL, 0);
        }
        drawn.layers[0] = (sinewi_mix_layer){.inputs = drawn.shares + 2, .count = 1, .additive = true, .weight = 1};
        drawn.mix = (sinewi_mix){drawn.shares, 2, 3, true, drawn.layers, 1};
        check_nodes(&drawn.mix, 0, sinewi_block_count(40));
        free_mix(&drawn);
    }
}

// ---- Ranges --------------------------------------------------------------------------------------------------

static bool is_untouched(const void *memory, size_t size) {
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0x7e) return false;
    }
    return true;
}

// A range gives what the whole gives there, and leaves the rest alone.
static void check_range(const drawn_mix *drawn, sinewi_range range, const mixed *whole, const float *weights) {
    const sinew_skeleton *skeleton = drawn->skeleton;
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    sinewi_planes planes = sinewi_pose_planes(pose);
    size_t first = (size_t)range.first, count = (size_t)(range.end - range.first), lanes = whole->lanes;
    sinew_affine *local = take(lanes, sizeof *local), *again = take(lanes, sizeof *again);
    for (int p = 0; p < SINEWI_PLANES; p++) memset(planes.plane[p], 0x7e, lanes * sizeof(float));
    sinewi_mix_to_pose(&drawn->mix, range, pose);
    sinewi_mix_to_local(&drawn->mix, range, local);
    sinewi_pose_to_local(pose, range, again);
    for (size_t p = 0; p < SINEWI_PLANES; p++) {
        const float *plane = planes.plane[p];
        check_floats(plane + first, whole->planes + p * lanes + first, count, "a range", sinewi_simd_level_used());
        assert_true(is_untouched(plane, first * sizeof(float)));
        assert_true(is_untouched(plane + first + count, (lanes - first - count) * sizeof(float)));
    }
    check_matrices(local + first, whole->local + first, count, "a range", sinewi_simd_level_used());
    check_matrices(again + first, whole->local + first, count, "a pose", sinewi_simd_level_used());
    assert_true(is_untouched(local, first * sizeof *local) && is_untouched(again, first * sizeof *again));
    assert_true(is_untouched(local + first + count, (lanes - first - count) * sizeof *local));
    assert_true(is_untouched(again + first + count, (lanes - first - count) * sizeof *again));

    size_t from = (size_t)skeleton->weight_offsets[range.first], to = (size_t)skeleton->weight_offsets[range.end];
    size_t padded = sinewi_padded(skeleton->weight_count);
    memset(pose->weights, 0x7e, padded * sizeof(float));
    sinewi_mix_to_weights(&drawn->mix, skeleton, range, pose->weights);
    check_floats(pose->weights + from, weights + from, to - from, "a range's weights", sinewi_simd_level_used());
    assert_true(is_untouched(pose->weights, from * sizeof(float)));
    assert_true(is_untouched(pose->weights + to, (padded - to) * sizeof(float)));
    free(local);
    free(again);
    sinew_pose_destroy(pose);
}

static void ranges_are_parts_of_the_whole(void **unused) {
    (void)unused;
    uint64_t state = 3;
    for (int32_t nodes = 1; nodes <= 67; nodes += TRIALS(3, 9)) {
        drawn_mix drawn;
        draw_mix(&state, &drawn, nodes, false);
        size_t weight_blocks = sinewi_block_count(drawn.skeleton->weight_count);
        mixed whole = run_mix(SINEWI_SIMD_SCALAR, &drawn.mix, 0, sinewi_block_count(nodes));
        float *weights = take(weight_blocks * SINEW_LANES, sizeof *weights);
        if (weight_blocks > 0) sinewi_mix_kernels_plain.mix_weights(&drawn.mix, 0, weight_blocks, weights);
        for (int i = 0; i < 12; i++) {
            sinewi_range range = {draw_count(&state, 0, nodes), nodes};
            if (i % 2) range.end = draw_count(&state, range.first, nodes);
            check_range(&drawn, range, &whole, weights);
        }
        free(weights);
        free_mixed(whole);
        free_mix(&drawn);
    }
}

// ---- Matrices ------------------------------------------------------------------------------------------------

static void draw_floats(uint64_t *state, float *to, size_t count, bool extreme) {
    for (size_t i = 0; i < count; i++) to[i] = draw_value(state, extreme);
}

static void local_matrices_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    uint64_t state = 4;
    for (size_t blocks = 1; blocks <= 5; blocks++) {
        size_t lanes = blocks * SINEW_LANES;
        float *in = take(lanes * SINEWI_PLANES, sizeof *in);
        sinew_affine *wanted = take(lanes, sizeof *wanted), *got = take(lanes, sizeof *got);
        const float *planes[SINEWI_PLANES];
        for (size_t p = 0; p < SINEWI_PLANES; p++) planes[p] = in + p * lanes;
        for (int i = 0; i < 40; i++) {
            draw_floats(&state, in, lanes * SINEWI_PLANES, i % 2);
            sinewi_model_kernels_plain.pose_to_local(planes, blocks, wanted);
            for (sinewi_simd_level l = next_level(SINEWI_SIMD_SCALAR); l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
                memset(got, 0x7e, lanes * sizeof *got);
                sinewi_model_kernels_of(l)->pose_to_local(planes, blocks, got);
                check_matrices(got, wanted, lanes, "pose_to_local", l);
            }
        }
        free(in);
        free(wanted);
        free(got);
    }
}

// As sinew_affine_from_transform and sinew_affine_multiply have it.
static void matrices_are_those_of_one_at_a_time(void **unused) {
    (void)unused;
    uint64_t state = 5;
    sinew_skeleton *skeleton = draw_skeleton(&state, 50, false);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    sinew_affine model[64], wanted[64];
    sinew_pose_to_model(pose, model);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        wanted[i] = sinew_affine_from_transform(skeleton->rest[i]);
        int32_t parent = skeleton->parents[i];
        if (parent != SINEW_NO_NODE) wanted[i] = sinew_affine_multiply(wanted[parent], wanted[i]);
    }
    check_matrices(model, wanted, (size_t)skeleton->node_count, "sinew_pose_to_model", sinewi_simd_level_used());
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(skeleton);
}

#define MOST_MODELS 5

static void draw_matrices(uint64_t *state, sinew_affine *to, size_t count, bool extreme) {
    for (size_t i = 0; i < count; i++) draw_floats(state, to[i].m[0], 12, extreme);
    if (count > 3) memset(&to[3], 0, sizeof to[3]);
}

static void check_models(uint64_t *state, int32_t nodes, int32_t models, bool extreme) {
    sinew_skeleton *skeleton = draw_skeleton(state, nodes, false);
    const sinewi_skeleton_object *object = (const sinewi_skeleton_object *)skeleton;
    sinew_affine *locals[MOST_MODELS], *wanted[MOST_MODELS], *got[MOST_MODELS];
    size_t size = (size_t)nodes * sizeof(sinew_affine);
    for (int32_t m = 0; m < models; m++) {
        locals[m] = take((size_t)nodes, sizeof(sinew_affine));
        wanted[m] = take((size_t)nodes, sizeof(sinew_affine));
        got[m] = take((size_t)nodes, sizeof(sinew_affine));
        draw_matrices(state, locals[m], (size_t)nodes, extreme);
        memcpy(wanted[m], locals[m], size);
    }
    sinewi_model_kernels_plain.local_to_model(object->links, object->link_count, wanted, models);
    for (sinewi_simd_level l = next_level(SINEWI_SIMD_SCALAR); l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
        for (int32_t m = 0; m < models; m++) memcpy(got[m], locals[m], size);
        sinewi_model_kernels_of(l)->local_to_model(object->links, object->link_count, got, models);
        for (int32_t m = 0; m < models; m++) check_matrices(got[m], wanted[m], (size_t)nodes, "local_to_model", l);
    }
    for (int32_t m = 0; m < models; m++) {
        free(locals[m]);
        free(wanted[m]);
        free(got[m]);
    }
    sinew_skeleton_destroy(skeleton);
}

static void model_matrices_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    uint64_t state = 6;
    for (int32_t nodes = 1; nodes <= 67; nodes++) {
        for (int32_t models = 1; models <= MOST_MODELS; models++) {
            check_models(&state, nodes, models, false);
            check_models(&state, nodes, models, true);
        }
    }
}

static void palettes_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    enum { MOST = 67 };
    uint64_t state = 7;
    for (int32_t count = 0; count <= MOST; count++) {
        sinew_affine model[MOST], binds[MOST], wanted[MOST];
        _Alignas(16) sinew_affine got[MOST];
        int32_t joints[MOST];
        for (int i = 0; i < MOST; i++) joints[i] = draw_count(&state, 0, MOST - 1);
        draw_matrices(&state, model, MOST, count % 2);
        draw_matrices(&state, binds, MOST, count % 2);
        memset(wanted, 0x7e, sizeof wanted);
        sinewi_palette_kernels_plain.palette(joints, count, model, binds, wanted);
        for (sinewi_simd_level l = next_level(SINEWI_SIMD_SCALAR); l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
            memset(got, 0x7e, sizeof got);
            sinewi_palette_kernels_of(l)->palette(joints, count, model, binds, got);
            check_matrices(got, wanted, MOST, "palette", l);
            memset(got, 0x7e, sizeof got);
            sinewi_palette_kernels_of(l)->stream_palette(joints, count, model, binds, got);
            sinewi_palette_kernels_of(l)->end_palettes();
            check_matrices(got, wanted, MOST, "streamed palette", l);
        }
    }
}

// ---- Transitions ---------------------------------------------------------------------------------------------

enum { TRANSITION_BLOCKS = 3, TRANSITION_LANES = TRANSITION_BLOCKS * SINEW_LANES };

// What the kernels of transitions read, drawn at random.
typedef struct drawn_transition {
    sinewi_offset_block offsets[TRANSITION_BLOCKS];
    sinewi_weight_offset_block weight_offsets[TRANSITION_BLOCKS];
    sinewi_held_block held[TRANSITION_BLOCKS];
    sinewi_held_weight_block held_weights[TRANSITION_BLOCKS];
    float pose[SINEWI_PLANES][TRANSITION_LANES], weights[TRANSITION_LANES];
} drawn_transition;

// What they make of it: first the pose, then its weights.
typedef struct transition_result {
    float offset[SINEWI_PLANES + 1][TRANSITION_LANES], held[SINEWI_PLANES + 1][TRANSITION_LANES];
} transition_result;

static void draw_durations(uint64_t *state, float *to) {
    for (int i = 0; i < SINEW_LANES; i++) to[i] = random_next(state) % 4 == 0 ? 0 : random_float(state, 0, 1);
}

static void draw_transition(uint64_t *state, drawn_transition *drawn, bool extreme) {
    draw_floats(state, (float *)(void *)drawn, sizeof *drawn / sizeof(float), extreme);
    for (int b = 0; b < TRANSITION_BLOCKS; b++) {
        for (int i = 0; i < SINEWI_GROUPS; i++) draw_durations(state, drawn->offsets[b].decays[i].duration);
        draw_durations(state, drawn->weight_offsets[b].duration);
    }
}

static transition_result run_transition(const sinewi_transition_kernels *kernels, const drawn_transition *drawn,
                                        float t, size_t first, size_t end) {
    transition_result r;
    memset(&r, 0x7e, sizeof r);
    float *offset[SINEWI_PLANES], *held[SINEWI_PLANES];
    size_t size = (end - first) * SINEW_LANES * sizeof(float), from = first * SINEW_LANES;
    for (int i = 0; i < SINEWI_PLANES; i++) {
        offset[i] = r.offset[i], held[i] = r.held[i];
        memcpy(offset[i], drawn->pose[i] + from, size);
    }
    memcpy(r.offset[SINEWI_PLANES], drawn->weights + from, size);
    kernels->add_offsets(drawn->offsets, t, first, end, offset);
    kernels->add_weight_offsets(drawn->weight_offsets, t, first, end, r.offset[SINEWI_PLANES]);
    kernels->extrapolate(drawn->held, t, first, end, held);
    kernels->extrapolate_weights(drawn->held_weights, t, first, end, r.held[SINEWI_PLANES]);
    return r;
}

static void check_transition(const drawn_transition *drawn, float t, size_t first, size_t end) {
    transition_result wanted = run_transition(&sinewi_transition_kernels_plain, drawn, t, first, end);
    for (sinewi_simd_level l = next_level(SINEWI_SIMD_SCALAR); l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
        transition_result got = run_transition(sinewi_transition_kernels_of(l), drawn, t, first, end);
        for (int i = 0; i <= SINEWI_PLANES; i++) {
            check_floats(got.offset[i], wanted.offset[i], TRANSITION_LANES, "add_offsets", l);
            check_floats(got.held[i], wanted.held[i], TRANSITION_LANES, "extrapolate", l);
        }
    }
}

static void transitions_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    uint64_t state = 8;
    drawn_transition drawn;
    for (int round = 0; round < 200; round++) {
        draw_transition(&state, &drawn, round % 2);
        float t = round % 10 == 0 ? 0 : random_float(&state, 0, 1.1f);
        check_transition(&drawn, t, 0, TRANSITION_BLOCKS);
        check_transition(&drawn, t, 1, TRANSITION_BLOCKS);
        check_transition(&drawn, t, 1, 2);
    }
}

// The start of a transition, of one block.
typedef struct transition_start {
    sinewi_block_change change;
    sinewi_weight_change weight_change;
    sinewi_block other;
    float other_weights[SINEW_LANES];
} transition_start;

// What the kernels make of it, and of the offsets and the held pose of a drawn transition.
typedef struct started_transition {
    sinewi_offset_block offsets;
    sinewi_weight_offset_block weight_offsets;
    sinewi_held_block held;
    sinewi_held_weight_block held_weights;
    sinewi_block mirrored, moved;
    float moved_weights[SINEW_LANES];
} started_transition;

// Rotations are unit; some are opposite, and some vectors the same.
static void draw_block(uint64_t *state, bool extreme, sinewi_block *to) {
    draw_floats(state, to->lane[0], sizeof *to / sizeof(float), extreme);
    for (int lane = 0; lane < SINEW_LANES && !extreme; lane++) {
        sinew_quat q = random_quat(state);
        const float values[4] = {q.x, q.y, q.z, q.w};
        for (int i = 0; i < 4; i++) to->lane[SINEWI_RX + i][lane] = values[i];
    }
}

static void draw_start(uint64_t *state, bool extreme, transition_start *drawn) {
    sinewi_block_change *change = &drawn->change;
    draw_block(state, extreme, &change->source);
    draw_block(state, extreme, &change->source_before);
    draw_block(state, extreme, &change->target);
    draw_block(state, extreme, &change->target_after);
    draw_block(state, extreme, &drawn->other);
    for (int i = 0; i < SINEWI_PLANES; i++) { // without an offset; and past half a turn, or none
        change->source_before.lane[i][3] = change->source.lane[i][3] = change->target.lane[i][3];
        change->target_after.lane[i][3] = change->target.lane[i][3];
        change->target_after.lane[i][5] = change->source.lane[i][5];
    }
    draw_floats(state, drawn->weight_change.source, sizeof drawn->weight_change / sizeof(float), extreme);
    draw_floats(state, drawn->other_weights, SINEW_LANES, extreme);
    drawn->weight_change.source[3] = drawn->weight_change.target[3];
}

static started_transition run_start(const sinewi_transition_kernels *kernels, const transition_start *start,
                                    const drawn_transition *drawn, float dt) {
    started_transition r;
    memset(&r, 0x7e, sizeof r);
    r.held.pose = start->change.source;
    r.mirrored = r.moved = start->other;
    memcpy(r.held_weights.weight, start->weight_change.source, sizeof r.held_weights.weight);
    memcpy(r.moved_weights, start->other_weights, sizeof r.moved_weights);
    kernels->start_offsets(&start->change, 0.02f, 0.4f, &r.offsets);
    kernels->start_weight_offsets(&start->weight_change, 0.02f, 0.4f, &r.weight_offsets);
    kernels->start_held(&start->other, dt, 0.13f, &r.held);
    kernels->start_held_weights(start->other_weights, dt, 0.13f, &r.held_weights);
    kernels->mirror(&start->change.source, &r.mirrored);
    kernels->add_offsets_on_line(drawn->offsets, 0.25f, dt, &r.moved);
    kernels->add_weight_offsets_on_line(drawn->weight_offsets, 0.25f, dt, r.moved_weights);
    return r;
}

static void starts_of_transitions_have_the_bits_of_plain_c(void **unused) {
    (void)unused;
    uint64_t state = 10;
    transition_start start;
    drawn_transition drawn;
    for (int round = 0; round < 200; round++) {
        draw_start(&state, round % 2, &start);
        draw_transition(&state, &drawn, round % 2);
        float dt = round % 4 < 2 ? 0.02f : -0.02f;
        started_transition wanted = run_start(&sinewi_transition_kernels_plain, &start, &drawn, dt);
        for (sinewi_simd_level l = next_level(SINEWI_SIMD_SCALAR); l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
            started_transition got = run_start(sinewi_transition_kernels_of(l), &start, &drawn, dt);
            check_floats((const float *)(const void *)&got, (const float *)(const void *)&wanted,
                         sizeof got / sizeof(float), "the start of a transition", l);
        }
    }
}

// A range gives what the whole gives there, and leaves the rest alone.
static void parts_of_transitions_are_parts_of_the_whole(void **unused) {
    (void)unused;
    uint64_t state = 9;
    drawn_transition drawn;
    draw_transition(&state, &drawn, false);
    const sinewi_transition_kernels *kernels = sinewi_transition_kernels_used();
    transition_result whole = run_transition(kernels, &drawn, 0.25f, 0, TRANSITION_BLOCKS);
    transition_result part = run_transition(kernels, &drawn, 0.25f, 1, 2);
    for (int i = 0; i <= SINEWI_PLANES; i++) {
        assert_memory_equal(part.offset[i], whole.offset[i] + SINEW_LANES, SINEW_LANES * sizeof(float));
        assert_memory_equal(part.held[i], whole.held[i] + SINEW_LANES, SINEW_LANES * sizeof(float));
        assert_true(is_untouched(part.offset[i] + SINEW_LANES, (TRANSITION_LANES - SINEW_LANES) * sizeof(float)));
        assert_true(is_untouched(part.held[i] + SINEW_LANES, (TRANSITION_LANES - SINEW_LANES) * sizeof(float)));
    }
}

// ---- Which level ---------------------------------------------------------------------------------------------

static void the_level_is_the_widest_or_the_one_wished_for(void **unused) {
    (void)unused;
    sinewi_simd_level widest = SINEWI_SIMD_SCALAR, used = sinewi_simd_level_used();
    const char *wish = getenv("SINEW_SIMD");
    assert_ptr_equal(sinewi_mix_kernels_of(SINEWI_SIMD_SCALAR), &sinewi_mix_kernels_plain);
    assert_string_equal(sinewi_simd_level_name(SINEWI_SIMD_SCALAR), "scalar");
    for (sinewi_simd_level l = SINEWI_SIMD_SCALAR; l < SINEWI_SIMD_LEVELS; l = next_level(l)) {
        if (l != SINEWI_SIMD_SCALAR) {
            assert_true(sinewi_mix_kernels_of(l)->mix_to_pose != sinewi_mix_kernels_of(widest)->mix_to_pose);
        }
        widest = l;
        if (wish && strcmp(wish, sinewi_simd_level_name(l)) == 0) break;
    }
    assert_int_equal(used, widest);
    assert_string_equal(sinew_simd(), sinewi_simd_level_name(used));
    assert_ptr_equal(sinewi_mix_kernels_used(), sinewi_mix_kernels_of(used));
    print_message("          %s\n", sinew_simd());
}

// With SINEW_SIMD set, only what depends on it: the other tests run kernels of every level.
int main(void) {
    const struct CMUnitTest of_used[] = {
        cmocka_unit_test(ranges_are_parts_of_the_whole),
        cmocka_unit_test(matrices_are_those_of_one_at_a_time),
        cmocka_unit_test(parts_of_transitions_are_parts_of_the_whole),
        cmocka_unit_test(the_level_is_the_widest_or_the_one_wished_for),
    };
    const struct CMUnitTest of_every[] = {
        cmocka_unit_test(mixes_have_the_bits_of_plain_c),
        cmocka_unit_test(extreme_mixes_have_the_bits_of_plain_c),
        cmocka_unit_test(mixes_were_of_every_kind),
        cmocka_unit_test(sums_that_cancel_have_the_bits_of_plain_c),
        cmocka_unit_test(base_layers_have_the_bits_without_the_others),
        cmocka_unit_test(local_matrices_have_the_bits_of_plain_c),
        cmocka_unit_test(model_matrices_have_the_bits_of_plain_c),
        cmocka_unit_test(palettes_have_the_bits_of_plain_c),
        cmocka_unit_test(transitions_have_the_bits_of_plain_c),
        cmocka_unit_test(starts_of_transitions_have_the_bits_of_plain_c),
    };
    int failed = cmocka_run_group_tests(of_used, NULL, NULL);
    if (!getenv("SINEW_SIMD")) failed += cmocka_run_group_tests(of_every, NULL, NULL);
    return failed;
}
