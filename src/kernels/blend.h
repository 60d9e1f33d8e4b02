// SPDX-License-Identifier: MIT
// Samples and blends SIMD_WIDTH nodes or weights. All inputs of a mix stay in registers. Include after rotations.h and
// modes.h. See kernels.h.
#ifndef SINEWI_BLEND_H
#define SINEWI_BLEND_H

#include "kernels/layout.h"

// ---- Keys ----------------------------------------------------------------------------------------------------

// A time on a strip. It lies between two rows, or between two keys of each lane.
typedef struct key_span {
    const sinewi_strip *strip;
    int32_t lane; // first of the SIMD_WIDTH lanes
    const char *row0, *row1;
    const vec *track_planes; // planes of two keys
    int track_size;          // planes per key
    slerp_parameter u;       // 0 at the earlier key, 1 at the later one
    vec interval;
} key_span;

SIMD_INLINE const sinewi_key *find_key(const sinewi_mix_input *input, const sinewi_strip *strip,
                                       sinewi_key *found) {
    if (strip->rows < input->key_count) return &input->keys[strip->rows];
    sinewi_find_key(&input->clip->rows[strip->rows], input->time, NULL, found);
    return found;
}

SIMD_INLINE key_span key_span_on_rows(const sinewi_mix_input *input, const sinewi_strip *strip, int32_t lane) {
    sinewi_key found;
    const sinewi_key *key = find_key(input, strip, &found);
    key_span span = {
        .strip = strip, .lane = lane, .row0 = key->row0 + strip->offset, .row1 = key->row1 + strip->offset};
    span.u = slerp_of_key(key);
    span.interval = vec_splat(key->interval);
    return span;
}

// A rotation with its tangents has the most planes per key.
#define MAX_TRACK_PLANES (3 * 4)

// Like sinewi_find_track_key for SIMD_WIDTH lanes.
SIMD_INLINE void find_track_vector(const sinewi_mix_input *input, const sinewi_strip *strip, int planes,
                                   int32_t lane, sinewi_track_keys *found) {
    const vec now = vec_splat(input->time), almost = vec_splat(0x1.fffffep-1f);
    uint32_t *at = found->at + lane;
    vec t[4];
    vec_ints key = vec_ints_add(vec_ints_load(input->track_starts + strip->offset + lane),
                                vec_ints_load_u8(input->track_row + strip->offset + lane));
    vec_ints_store(at, key);
    vec_load_records(input->clip->tracks.times, at, SINEWI_TRACK_KEYS, t);
    // Does the earlier key come first? Does it come first or second?
    const vec_mask first = vec_less(now, t[1]), second = vec_less(now, t[2]);
    key = vec_ints_decrement(vec_ints_decrement(vec_ints_add(key, vec_ints_splat(2)), first), second);
    key = vec_ints_multiply(key, (uint32_t)planes);
    vec_ints_store(at, vec_ints_add(key, vec_ints_splat((int32_t)strip->track_values)));
    const vec earlier = vec_select(first, t[0], vec_select(second, t[1], t[2])),
              later = vec_select(first, t[1], vec_select(second, t[2], t[3]));
    const vec interval = vec_sub(later, earlier);
    vec u = vec_div(vec_sub(now, earlier), interval);
    u = vec_select(vec_less(u, almost), u, almost);
    u = vec_select(vec_less(now, later), u, vec_splat(1.0f));
    vec_store(found->u + lane, vec_select(vec_less(earlier, now), u, vec_splat(0.0f)));
    vec_store(found->interval + lane, interval);
}

// Finds the keys for lanes [first, end).
SINEWI_NOINLINE void find_track_keys(const sinewi_mix_input *input, const sinewi_strip *strip, int planes,
                                     int32_t first, int32_t end, sinewi_track_keys *found) {
#if SIMD_WIDTH == 1 || defined(__OPTIMIZE_SIZE__)
    for (int32_t lane = first; lane < end; lane++) sinewi_find_track_key(input, strip, planes, lane, found);
#else
    for (int32_t lane = first; lane < end; lane += SIMD_WIDTH) find_track_vector(input, strip, planes, lane, found);
#endif
}

// Loads the planes of two keys on tracks for SIMD_WIDTH lanes.
SIMD_INLINE key_span key_span_on_tracks(const sinewi_mix_input *input, const sinewi_track_keys *found, int32_t lane,
                                        int size, vec planes[2 * MAX_TRACK_PLANES]) {
    const int floats = size == 1 ? 2 + SINEWI_TRACK_OVERREAD : 2 * size;
    key_span span = {.track_planes = planes, .track_size = size};
    vec_load_records(input->clip->tracks.values, found->at + lane, floats, planes);
    span.interval = vec_load(found->interval + lane);
    span.u = slerp_parameter_at(vec_load(found->u + lane));
    return span;
}

// Loads a row's planes from `plane` on, in the lanes from `lane` on.
SIMD_INLINE value read_floats(const char *row, size_t plane, int32_t lane, int width) {
    value v = {{vec_splat(0.0f)}};
    const float *from = (const float *)(const void *)row + plane * SINEW_LANES + lane;
    for (int i = 0; i < width; i++) v.c[i] = vec_load(from + i * PLANE);
    return v;
}

SIMD_INLINE value read_words(const char *row, const float *ranges, size_t plane, int32_t lane, int width) {
    value v = {{vec_splat(0.0f)}};
    const uint16_t *from = (const uint16_t *)(const void *)row + plane * SINEW_LANES + lane;
    const float *low = ranges + 2 * plane * SINEW_LANES + lane, *step = low + SINEW_LANES;
    for (int i = 0; i < width; i++) {
        vec steps = vec_load_u16(from + i * PLANE);
        v.c[i] = vec_add(vec_load(low + 2 * (i * PLANE)), vec_mul(steps, vec_load(step + 2 * (i * PLANE))));
    }
    return v;
}

// Loads the components of value `part` from the earlier (0) or later (1) key.
SIMD_INLINE value read_rows(const key_span *span, int which, int part, int width) {
    const char *row = which == 0 ? span->row0 : span->row1;
    size_t plane = (size_t)part * (size_t)width;
    if (!span->strip->ranges) return read_floats(row, plane, span->lane, width);
    return read_words(row, span->strip->ranges, plane, span->lane, width);
}

SIMD_INLINE value read_tracks(const key_span *span, int which, int part, int width) {
    const vec *first = span->track_planes + (which * span->track_size + part * width);
    value v = {{vec_splat(0.0f)}};
    for (int i = 0; i < width; i++) v.c[i] = first[i];
    return v;
}

SIMD_INLINE value read_key(const key_span *span, int which, int part, int width, bool tracks) {
    return tracks ? read_tracks(span, which, part, width) : read_rows(span, which, part, width);
}

// ---- Interpolation (glTF 2.0, appendix C) --------------------------------------------------------------------

SINEWI_MAY_INLINE value step(const key_span *span, int width, bool tracks) {
    value a = read_key(span, 0, 0, width, tracks), b = read_key(span, 1, 0, width, tracks);
    vec_mask before = vec_less(span->u.t, vec_splat(1.0f));
    for (int i = 0; i < width; i++) a.c[i] = vec_select(before, a.c[i], b.c[i]);
    return a;
}

// Doesn't normalize rotations.
SIMD_INLINE value mix_linear(value a, value b, slerp_parameter u, int width) {
    if (width == 4) return slerp_unnormalized(a, b, u);
    vec s = vec_sub(vec_splat(1.0f), u.t);
    for (int i = 0; i < width; i++) a.c[i] = vec_add(vec_mul(s, a.c[i]), vec_mul(u.t, b.c[i]));
    return a;
}

// Only normalizes rotations if `unit` is set.
SIMD_INLINE value linear(const key_span *span, int width, bool tracks, bool unit) {
    value a = read_key(span, 0, 0, width, tracks), b = read_key(span, 1, 0, width, tracks);
    value v = mix_linear(a, b, span->u, width);
    return width == 4 && unit ? normalize_slerp(v) : v;
}

// The cubic Hermite spline of appendix C.5. Tangents are per second, so multiply them by the key interval.
SINEWI_MAY_INLINE value cubic(const key_span *span, int width, bool tracks) {
    const vec one = vec_splat(1.0f), two = vec_splat(2.0f), three = vec_splat(3.0f);
    vec t = span->u.t, t2 = vec_mul(t, t), t3 = vec_mul(t2, t);
    vec v0 = vec_add(vec_sub(vec_mul(two, t3), vec_mul(three, t2)), one);
    vec v1 = vec_sub(vec_mul(three, t2), vec_mul(two, t3));
    vec m0 = vec_mul(span->interval, vec_add(vec_sub(t3, vec_mul(two, t2)), t));
    vec m1 = vec_mul(span->interval, vec_sub(t3, t2));
    value from = read_key(span, 0, 1, width, tracks), out_tangent = read_key(span, 0, 2, width, tracks);
    value in_tangent = read_key(span, 1, 0, width, tracks), to = read_key(span, 1, 1, width, tracks);
    for (int i = 0; i < width; i++) {
        vec sum = vec_add(vec_mul(v0, from.c[i]), vec_mul(m0, out_tangent.c[i]));
        sum = vec_add(sum, vec_mul(v1, to.c[i]));
        from.c[i] = vec_add(sum, vec_mul(m1, in_tangent.c[i]));
    }
    return width == 4 ? normalize(from) : from;
}

// ---- Strips --------------------------------------------------------------------------------------------------

SIMD_INLINE bool has_modes(const sinewi_strip *strip) {
#ifdef SINEW_NO_COMPRESSION
    (void)strip;
    return false;
#else
    return strip->modes != NULL;
#endif
}

// Samples a vector of a strip. If the mix didn't find the weights, finds them for this strip only.
SINEWI_MAY_INLINE value sample_modes(const sinewi_mix_input *input, const sinewi_strip *strip, const float *base,
                                     int width, int32_t lane) {
    sinewi_key found;
    int16_t own[SINEWI_MAX_ROW_WEIGHTS];
    mode_strip of_strip = {NULL, NULL, strip->modes, base};
    if (strip->rows != SINEWI_ON_TRACKS) {
        of_strip.rows = &input->clip->rows[strip->rows];
        of_strip.key = find_key(input, strip, &found);
    }
    const int16_t *weights = weights_of(&of_strip);
    if (of_strip.key && !weights) {
        sinewi_weigh_modes(of_strip.rows, of_strip.key, of_strip.key->u, own);
        weights = own + strip->modes->first_weight;
    }
    return sample_lanes(&of_strip, weights, width, 1, lane).of[0];
}

SINEWI_MAY_INLINE value sample_rows(const sinewi_mix_input *input, const sinewi_strip *strip, int32_t lane,
                                    int width) {
    key_span span = key_span_on_rows(input, strip, lane);
    if (strip->interpolation == SINEW_INTERPOLATION_STEP) return step(&span, width, false);
    if (strip->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) return cubic(&span, width, false);
    return linear(&span, width, false, true);
}

// Like the fast path, this only normalizes rotations between LINEAR keys if `unit` is set.
SINEWI_MAY_INLINE value sample_tracks(const sinewi_mix_input *input, const sinewi_strip *strip, int32_t lane,
                                      int width, bool unit) {
    const bool is_cubic = strip->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    sinewi_track_keys keys;
    vec planes[2 * MAX_TRACK_PLANES];
    find_track_keys(input, strip, is_cubic ? 3 * width : width, lane, lane + SIMD_WIDTH, &keys);
    if (is_cubic) {
        key_span span = key_span_on_tracks(input, &keys, lane, 3 * width, planes);
        return cubic(&span, width, true);
    }
    key_span span = key_span_on_tracks(input, &keys, lane, width, planes);
    if (strip->interpolation == SINEW_INTERPOLATION_STEP) return step(&span, width, true);
    return linear(&span, width, true, unit);
}

// ---- Groups --------------------------------------------------------------------------------------------------

SIMD_INLINE bool is_on_tracks(const sinewi_strip *strip) {
    return strip->rows == SINEWI_ON_TRACKS && !has_modes(strip);
}

// Samples one group of one input. Starts with the base, then overwrites it with the strips. `base` is the group's first
// plane.
SIMD_INLINE value sample_strips(const sinewi_mix_input *input, size_t group, const float *base, int width,
                                int32_t lane, bool unit) {
    const int32_t *bounds = input->clip->group_strips + group;
    value out = {{vec_splat(0.0f)}};
    for (int i = 0; i < width; i++) out.c[i] = vec_load(base + i * PLANE + lane);
    for (int32_t s = bounds[0]; s < bounds[1]; s++) {
        const sinewi_strip *strip = &input->clip->strips[s];
        value moved = has_modes(strip)      ? sample_modes(input, strip, base, width, lane)
                      : is_on_tracks(strip) ? sample_tracks(input, strip, lane, width, unit)
                                            : sample_rows(input, strip, lane, width);
        if (strip->mask == 0xffff) return moved;
        vec_mask mask = vec_mask_from_bits((uint32_t)strip->mask >> lane);
        for (int i = 0; i < width; i++) out.c[i] = vec_select(mask, moved.c[i], out.c[i]);
    }
    return out;
}

// Not inlined, which keeps the fast path in registers.
SINEWI_NOINLINE value sample_vectors(const sinewi_mix_input *input, size_t group, const float *base, int32_t lane) {
    return sample_strips(input, group, base, 3, lane, true);
}

SINEWI_NOINLINE value sample_rotations(const sinewi_mix_input *input, size_t group, const float *base, int32_t lane,
                                       bool unit) {
    return sample_strips(input, group, base, 4, lane, unit);
}

SINEWI_NOINLINE value sample_weights(const sinewi_mix_input *input, size_t group, const float *base, int32_t lane) {
    return sample_strips(input, group, base, 1, lane, true);
}

SIMD_INLINE value sample_any(const sinewi_mix_input *input, size_t group, const float *base, int width,
                             int32_t lane, bool unit) {
    if (width == 4) return sample_rotations(input, group, base, lane, unit);
    return width == 3 ? sample_vectors(input, group, base, lane) : sample_weights(input, group, base, lane);
}

// Reads the earlier (0) or later (1) key of a group on the fast path.
SIMD_INLINE value read_fast(const sinewi_key *key, int which, const sinewi_group *one_strip, int width,
                            int32_t lane, bool words) {
    const char *row = (which == 0 ? key->row0 : key->row1) + one_strip->offset;
    return words ? read_words(row, one_strip->ranges, 0, lane, width) : read_floats(row, 0, lane, width);
}

// Not inlined, and reads the keys again. This avoids spilling registers in the common case.
SINEWI_NOINLINE value slerp_fast_wide(const sinewi_key *key, const sinewi_group *one_strip, int32_t lane,
                                      bool words) {
    value a = read_fast(key, 0, one_strip, 4, lane, words), b = read_fast(key, 1, one_strip, 4, lane, words);
    return slerp_wide(a, b, dot4(a, b), slerp_of_key(key));
}

SIMD_INLINE value mix_fast(const sinewi_key *key, const sinewi_group *one_strip, int width, int32_t lane,
                           bool words) {
    value a = read_fast(key, 0, one_strip, width, lane, words),
          b = read_fast(key, 1, one_strip, width, lane, words);
    if (width != 4) return mix_linear(a, b, slerp_of_key(key), width);
    vec d = dot4(a, b);
    if (vec_any(is_wide(d))) return slerp_fast_wide(key, one_strip, lane, words);
    return slerp_narrow(a, b, d, slerp_of_key(key));
}

// Samples a group with modes on the fast path. Lanes without channels get the base.
SIMD_INLINE value sample_fast_modes(const sinewi_mix_input *input, const sinewi_group *one_strip, const float *base,
                                    int width, int32_t lane) {
    mode_strip strip = {NULL, NULL, one_strip->modes, base};
    if (one_strip->rows >= 0) {
        strip.rows = &input->clip->rows[one_strip->rows];
        strip.key = &input->keys[one_strip->rows];
    }
    return sample_lanes(&strip, weights_of(&strip), width, 1, lane).of[0];
}

// Samples a group on the fast path. Only normalizes rotations if `unit` is set.
SIMD_INLINE value sample_fast(const sinewi_mix_input *input, size_t group, const float *base, int width,
                              int32_t lane, sinewi_fast_path fast, bool unit) {
    const sinewi_group *one_strip = &input->clip->groups[group];
    value v = {{vec_splat(0.0f)}};
    if (fast == SINEWI_FAST_PATH_MODES && one_strip->modes)
        return sample_fast_modes(input, one_strip, base, width, lane);
    if (one_strip->rows == SINEWI_GROUP_CONSTANT) {
        for (int i = 0; i < width; i++) v.c[i] = vec_load(base + i * PLANE + lane);
        return v;
    }
    v = mix_fast(&input->keys[one_strip->rows], one_strip, width, lane, fast == SINEWI_FAST_PATH_U16);
    if (width == 4 && unit) v = normalize_slerp(v);
    if (one_strip->mask == 0xffff) return v;
    vec_mask mask = vec_mask_from_bits((uint32_t)one_strip->mask >> lane);
    for (int i = 0; i < width; i++) v.c[i] = vec_select(mask, v.c[i], vec_load(base + i * PLANE + lane));
    return v;
}

// Where SIMD_WIDTH nodes or morph weights are: their block, and their first lane in it.
typedef struct lane_position {
    size_t block;
    int32_t lane;
} lane_position;

SIMD_INLINE lane_position lane_position_at(size_t at) {
    // The compiler can't tell that the widest vectors always start at a block's first lane.
    lane_position s = {at / SINEW_LANES, SIMD_WIDTH == SINEW_LANES ? 0 : (int32_t)(at % SINEW_LANES)};
    return s;
}

// Returns the lanes of a block whose rotations are negated before adding.
SIMD_INLINE uint32_t side_bits(const uint16_t *sides, const uint16_t *wraps, size_t block) {
    uint32_t bits = sides ? (uint32_t)sides[block] : 0;
    return wraps ? bits ^ (uint32_t)wraps[block] : bits;
}

SIMD_INLINE vec_mask other_side(const sinewi_mix_input *input, lane_position position) {
    return vec_mask_from_bits(side_bits(input->sides, input->wraps, position.block) >> position.lane);
}

// Returns the signed weight of each lane's rotation.
SIMD_INLINE vec side_weight(const sinewi_mix_input *input, lane_position position) {
    return vec_select(other_side(input, position), vec_splat(-input->weight), vec_splat(input->weight));
}

SIMD_INLINE value with_side(value q, const sinewi_mix_input *input, lane_position position) {
    vec_mask other = other_side(input, position);
    for (int i = 0; i < 4; i++) q.c[i] = vec_select(other, vec_sub(vec_splat(0.0f), q.c[i]), q.c[i]);
    return q;
}

SIMD_INLINE value weighted(value one, vec w, int width) {
    for (int i = 0; i < width; i++) one.c[i] = vec_mul(w, one.c[i]);
    return one;
}

SIMD_INLINE value add_weighted(value sum, value one, vec w, int width) {
    for (int i = 0; i < width; i++) sum.c[i] = vec_add(sum.c[i], vec_mul(w, one.c[i]));
    return sum;
}

SIMD_INLINE const float *base_of(const sinewi_mix_input *input, size_t block, sinew_channel_target target) {
    if (target == SINEW_TARGET_WEIGHTS) return input->clip->base_weights + block * SINEW_LANES;
    return input->clip->base[block].lane[sinewi_target_plane(target)];
}

SIMD_INLINE value sample(const sinewi_mix_input *input, lane_position position, sinew_channel_target target,
                         sinewi_fast_path fast, bool unit) {
    bool weights = target == SINEW_TARGET_WEIGHTS;
    size_t group = weights ? (size_t)input->clip->node_groups + position.block
                           : position.block * SINEWI_GROUPS + (size_t)target;
    const float *base = base_of(input, position.block, target);
    int width = sinewi_target_width(target);
    if (fast == SINEWI_FAST_PATH_NONE) return sample_any(input, group, base, width, position.lane, unit);
    return sample_fast(input, group, base, width, position.lane, fast, unit);
}

// Returns an input's weight in each lane. For rotations it also normalizes.
SIMD_INLINE vec weight_of(const sinewi_mix_input *input, value one, lane_position position, int width,
                          sinewi_fast_path fast) {
    if (width != 4 || fast == SINEWI_FAST_PATH_MODES) return vec_splat(input->weight);
    vec weight = fast == SINEWI_FAST_PATH_NONE ? side_weight(input, position) : vec_splat(input->weight);
    return vec_div(weight, vec_sqrt(dot4(one, one)));
}

// ---- Tracks of a block ---------------------------------------------------------------------------------------

// Groups with a single strip of LINEAR tracks are sampled a whole block at a time, before blending. This finds the keys
// of all groups first and then samples all groups, which lets the processor overlap their loads.

// Code compiled for size samples tracks like any other strip.
#ifdef __OPTIMIZE_SIZE__
#define TRACKS_FIRST false
#else
#define TRACKS_FIRST true
#endif

// Only this many inputs are sampled ahead, starting with the first.
#define TRACK_INPUTS 4

typedef struct block_tracks {
    const sinewi_strip *strips[TRACK_INPUTS][SINEWI_GROUPS]; // NULL for other groups
    sinewi_track_keys keys[TRACK_INPUTS][SINEWI_GROUPS];
    sinewi_block samples[TRACK_INPUTS];
} block_tracks;

// Returns the group's strip if it is the only one and has LINEAR tracks, otherwise NULL.
SIMD_INLINE const sinewi_strip *only_linear_tracks(const sinew_clip_data *clip, size_t group) {
    const int32_t *bounds = clip->group_strips + group;
    if (bounds[1] - bounds[0] != 1) return NULL;
    const sinewi_strip *strip = &clip->strips[bounds[0]];
    return is_on_tracks(strip) && strip->interpolation == SINEW_INTERPOLATION_LINEAR ? strip : NULL;
}

SIMD_INLINE void find_block_keys(const sinewi_mix_input *inputs, int32_t count, size_t block,
                                 block_tracks *tracks) {
    for (int32_t i = 0; i < count; i++) {
        for (int target = SINEW_TARGET_TRANSLATION; target <= SINEW_TARGET_SCALE; target++) {
            const sinewi_strip *strip = only_linear_tracks(inputs[i].clip, block * SINEWI_GROUPS + (size_t)target);
            const int width = sinewi_target_width((sinew_channel_target)target);
            tracks->strips[i][target] = strip;
            if (strip) find_track_keys(&inputs[i], strip, width, 0, SINEW_LANES, &tracks->keys[i][target]);
        }
    }
}

// `base` and `out` point to the group's first plane.
SIMD_INLINE void sample_block_group(const sinewi_mix_input *input, const sinewi_strip *strip,
                                    const sinewi_track_keys *keys, const float *base, int width, bool unit,
                                    float *out) {
    for (int32_t lane = 0; lane < SINEW_LANES; lane += SIMD_WIDTH) {
        vec planes[2 * MAX_TRACK_PLANES];
        key_span span = key_span_on_tracks(input, keys, lane, width, planes);
        value v = linear(&span, width, true, unit);
        if (strip->mask != 0xffff) {
            vec_mask mask = vec_mask_from_bits((uint32_t)strip->mask >> lane);
            for (int i = 0; i < width; i++) v.c[i] = vec_select(mask, v.c[i], vec_load(base + i * PLANE + lane));
        }
        for (int i = 0; i < width; i++) vec_store(out + i * PLANE + lane, v.c[i]);
    }
}

SINEWI_NOINLINE void sample_block_vectors(const sinewi_mix_input *input, const sinewi_strip *strip,
                                          const sinewi_track_keys *keys, const float *base, float *out) {
    sample_block_group(input, strip, keys, base, 3, true, out);
}

SINEWI_NOINLINE void sample_block_rotations(const sinewi_mix_input *input, const sinewi_strip *strip,
                                            const sinewi_track_keys *keys, const float *base, bool unit,
                                            float *out) {
    sample_block_group(input, strip, keys, base, 4, unit, out);
}

SIMD_INLINE void sample_block_tracks(const sinewi_mix_input *inputs, int32_t count, size_t block,
                                     block_tracks *tracks) {
    const bool unit = count == 1;
    if (count > TRACK_INPUTS) count = TRACK_INPUTS;
    find_block_keys(inputs, count, block, tracks);
    for (int32_t i = 0; i < count; i++) {
        for (int target = SINEW_TARGET_TRANSLATION; target <= SINEW_TARGET_SCALE; target++) {
            const sinewi_strip *strip = tracks->strips[i][target];
            if (!strip) continue;
            const sinewi_track_keys *keys = &tracks->keys[i][target];
            const float *base = base_of(&inputs[i], block, (sinew_channel_target)target);
            float *out = tracks->samples[i].lane[sinewi_target_plane((sinew_channel_target)target)];
            if (target == SINEW_TARGET_ROTATION) {
                sample_block_rotations(&inputs[i], strip, keys, base, unit, out);
            } else {
                sample_block_vectors(&inputs[i], strip, keys, base, out);
            }
        }
    }
}

SIMD_INLINE value sample_input(const sinewi_mix_input *inputs, int32_t i, lane_position position,
                               sinew_channel_target target, sinewi_fast_path fast, bool unit,
                               const block_tracks *tracks) {
    if (!tracks || i >= TRACK_INPUTS || !tracks->strips[i][target])
        return sample(&inputs[i], position, target, fast, unit);
    const float *from = tracks->samples[i].lane[sinewi_target_plane(target)] + position.lane;
    value v = {{vec_splat(0.0f)}};
    for (int p = 0; p < sinewi_target_width(target); p++) v.c[p] = vec_load(from + p * PLANE);
    return v;
}

// ---- Blending ------------------------------------------------------------------------------------------------

// Blends all inputs. `fast` is the fast path of all their groups and becomes a constant after inlining. `tracks` holds
// the groups that were sampled ahead. It may be NULL.
SIMD_INLINE value blend(const sinewi_mix_input *inputs, int32_t count, lane_position position,
                        sinew_channel_target target, sinewi_fast_path fast, const block_tracks *tracks) {
    int width = sinewi_target_width(target);
    value sum = {{vec_splat(0.0f)}};
    if (count == 1) {
        sum = sample_input(inputs, 0, position, target, fast, true, tracks);
        return fast == SINEWI_FAST_PATH_NONE && width == 4 ? with_side(sum, inputs, position) : sum;
    }
    // In the common case, sample two inputs before adding them. The other cases have too much sampling code for this.
    int32_t s = 0;
    if (fast == SINEWI_FAST_PATH_FLOAT) {
        value first = sample_input(inputs, 0, position, target, fast, false, tracks),
              second = sample_input(inputs, 1, position, target, fast, false, tracks);
        vec w0 = weight_of(&inputs[0], first, position, width, fast);
        vec w1 = weight_of(&inputs[1], second, position, width, fast);
        sum = add_weighted(weighted(first, w0, width), second, w1, width);
        s = 2;
    }
    for (; s < count; s++) {
        const value one = sample_input(inputs, s, position, target, fast, false, tracks);
        const vec weight = weight_of(&inputs[s], one, position, width, fast);
        sum = s == 0 ? weighted(one, weight, width) : add_weighted(sum, one, weight, width);
    }
    return width == 4 ? normalize(sum) : sum;
}

// ---- Layers --------------------------------------------------------------------------------------------------

// Returns a layer's weight in each lane, which is its own weight times the mask.
SIMD_INLINE vec layer_coverage(const sinewi_mix_layer *layer, float weight, lane_position position,
                               sinew_channel_target target) {
    const float *mask = target == SINEW_TARGET_WEIGHTS ? layer->weight_mask : layer->node_mask;
    if (!mask) return vec_splat(weight);
    return vec_mul(vec_splat(weight), vec_load(mask + position.block * SINEW_LANES + position.lane));
}

// Lanes with weight 0 keep the bits of `below`.
SIMD_INLINE value select_covered(vec factor, value over, value below, int width) {
    vec_mask covered = vec_less(vec_splat(0.0f), factor);
    for (int i = 0; i < width; i++) over.c[i] = vec_select(covered, over.c[i], below.c[i]);
    return over;
}

SIMD_INLINE value replace(const sinewi_mix_layer *layer, value below, value over, vec factor,
                          lane_position position, int width) {
    vec rest = vec_sub(vec_splat(1.0f), factor), to = factor;
    if (width == 4) {
        vec_mask other = vec_mask_from_bits(side_bits(layer->sides, NULL, position.block) >> position.lane);
        to = vec_select(other, vec_sub(vec_splat(0.0f), factor), factor);
    }
    for (int i = 0; i < width; i++) over.c[i] = vec_add(vec_mul(rest, below.c[i]), vec_mul(to, over.c[i]));
    if (width == 4) over = normalize(over);
    return select_covered(factor, over, below, width);
}

// Like sinew_pose_add, but the difference may be negated.
SIMD_INLINE value add_difference(value below, value difference, vec factor, sinew_channel_target target) {
    const vec one = vec_splat(1.0f);
    int width = sinewi_target_width(target);
    value out = difference;
    if (target == SINEW_TARGET_ROTATION) {
        for (int i = 0; i < 4; i++) out.c[i] = vec_mul(factor, difference.c[i]);
        out.c[3] = vec_add(vec_sub(one, factor), out.c[3]);
        out = normalize(quat_mul(below, normalize(out)));
    } else if (target == SINEW_TARGET_SCALE) {
        for (int i = 0; i < 3; i++) {
            out.c[i] = vec_mul(below.c[i], vec_add(one, vec_mul(factor, vec_sub(difference.c[i], one))));
        }
    } else {
        for (int i = 0; i < width; i++) out.c[i] = vec_add(below.c[i], vec_mul(factor, difference.c[i]));
    }
    return select_covered(factor, out, below, width);
}

// Applies a layer on top of the layers below.
SIMD_INLINE value apply_layer(const sinewi_mix_layer *layer, value below, value above, vec factor,
                              lane_position position, sinew_channel_target target) {
    if (layer->additive) return add_difference(below, above, factor, target);
    return replace(layer, below, above, factor, position, sinewi_target_width(target));
}

// ---- Runs of blocks ------------------------------------------------------------------------------------------

// Stores come last because the compiler must assume that they modify the inputs.
SIMD_INLINE void store_pose(float *const out[SINEWI_PLANES], size_t to, value t, value r, value s) {
    for (int i = 0; i < 3; i++) vec_store(out[SINEWI_TX + i] + to, t.c[i]);
    for (int i = 0; i < 4; i++) vec_store(out[SINEWI_RX + i] + to, r.c[i]);
    for (int i = 0; i < 3; i++) vec_store(out[SINEWI_SX + i] + to, s.c[i]);
}

// Blends inputs in blocks [first, end), which share a fast path. `to` is where the first block goes in the output.
SIMD_INLINE void blend_run(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                           sinewi_fast_path fast, float *const out[SINEWI_PLANES], size_t to) {
    block_tracks room, *tracks = fast == SINEWI_FAST_PATH_NONE && TRACKS_FIRST ? &room : NULL;
    for (size_t at = first * SINEW_LANES; at < end * SINEW_LANES; at += SIMD_WIDTH, to += SIMD_WIDTH) {
        const lane_position here = lane_position_at(at);
        if (tracks && here.lane == 0) sample_block_tracks(inputs, count, here.block, tracks);
        value r = blend(inputs, count, here, SINEW_TARGET_ROTATION, fast, tracks); // first, because it takes the
                                                                                   // longest
        value t = blend(inputs, count, here, SINEW_TARGET_TRANSLATION, fast, tracks);
        value s = blend(inputs, count, here, SINEW_TARGET_SCALE, fast, tracks);
        store_pose(out, to, t, r, s);
    }
}

#endif
