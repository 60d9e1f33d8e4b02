// Sampling and blending one vector of nodes or weights: every share in turn, in registers.
// Included behind the vectors of one instruction set: see kernels.h.
#ifndef SINEW_BLEND_H
#define SINEW_BLEND_H

#include "kernels/layout.h"

#include <float.h>

// Floats from plane to plane.
#define PLANE ((ptrdiff_t)SINEW_LANES)

// A value of up to four components in SIMD_WIDTH lanes. How many are meant is `width`, a constant once inlined.
typedef struct value {
    vec c[4];
} value;

// ---- Rotations -----------------------------------------------------------------------------------------------

SINEW_INLINE vec dot4(value a, value b) {
    vec xy = vec_add(vec_mul(a.c[0], b.c[0]), vec_mul(a.c[1], b.c[1]));
    return vec_add(vec_add(xy, vec_mul(a.c[2], b.c[2])), vec_mul(a.c[3], b.c[3]));
}

SINEW_INLINE value scale(value q, vec factor) {
    for (int i = 0; i < 4; i++) q.c[i] = vec_mul(q.c[i], factor);
    return q;
}

// A sum that cancelled out has no direction; any rotation is as good, and it must be unit. So has one whose squared length
// is no normal float: that has lost the bits which say how long it is.
SINEW_INLINE value normalize(value q) {
    vec zero = vec_splat(0.0f), one = vec_splat(1.0f), square = dot4(q, q);
    vec_mask has_length = vec_less(vec_splat(FLT_MIN), square);
    q = scale(q, vec_select(has_length, vec_div(one, vec_sqrt(square)), zero));
    q.c[3] = vec_select(has_length, q.c[3], one);
    return q;
}

// See base/slerp.h.
typedef struct slerp_parameter {
    vec t, c1, c2, c3;
} slerp_parameter;

SINEW_INLINE vec slerp_series(const float c[3], vec base, vec s) {
    vec inner = vec_add(vec_splat(c[1]), vec_mul(s, vec_splat(c[2])));
    return vec_mul(base, vec_add(vec_splat(c[0]), vec_mul(s, inner)));
}

SINEW_INLINE slerp_parameter slerp_parameter_at(vec t) {
    vec h = vec_sub(t, vec_splat(0.5f)), s = vec_mul(h, h);
    vec base = vec_mul(vec_mul(t, h), vec_sub(t, vec_splat(1.0f)));
    slerp_parameter p = {t, slerp_series(sinew_slerp_series[0], base, s),
                         slerp_series(sinew_slerp_series[1], base, s),
                         slerp_series(sinew_slerp_series[2], base, s)};
    return p;
}

SINEW_INLINE vec_mask is_wide(vec d) {
    return vec_less(d, vec_splat(SINEW_SLERP_MIN_COSINE));
}

// Slerp between keys whose cosine, `d`, slerp.h's series reaches.
SINEW_INLINE value slerp_narrow(value p, value q, vec d, slerp_parameter parameter) {
    vec e = vec_sub(vec_splat(1.0f), d);
    vec c = vec_add(parameter.c2, vec_mul(e, parameter.c3));
    c = vec_add(parameter.c1, vec_mul(e, c));
    vec t = vec_add(parameter.t, vec_mul(e, c)), s = vec_sub(vec_splat(1.0f), t);
    for (int i = 0; i < 4; i++) p.c[i] = vec_add(vec_mul(s, p.c[i]), vec_mul(t, q.c[i]));
    return p;
}

// Slerp between keys some of which are further apart: their middle takes the place of the one on the other side.
SINEW_INLINE value slerp_wide(value p, value q, vec d, slerp_parameter parameter) {
    vec_mask wide = is_wide(d);
    value middle;
    for (int i = 0; i < 4; i++) middle.c[i] = vec_add(p.c[i], q.c[i]);
    middle = normalize(middle);
    vec two_u = vec_mul(vec_splat(2.0f), parameter.t);
    vec_mask first = vec_less(parameter.t, vec_splat(0.5f));
    slerp_parameter half = slerp_parameter_at(vec_select(first, two_u, vec_sub(two_u, vec_splat(1.0f))));
    for (int i = 0; i < 4; i++) {
        vec from = vec_select(first, p.c[i], middle.c[i]), to = vec_select(first, middle.c[i], q.c[i]);
        p.c[i] = vec_select(wide, from, p.c[i]);
        q.c[i] = vec_select(wide, to, q.c[i]);
    }
    d = vec_select(wide, dot4(p, q), d);
    parameter.t = vec_select(wide, half.t, parameter.t);
    parameter.c1 = vec_select(wide, half.c1, parameter.c1);
    parameter.c2 = vec_select(wide, half.c2, parameter.c2);
    parameter.c3 = vec_select(wide, half.c3, parameter.c3);
    return slerp_narrow(p, q, d, parameter);
}

// Rotation keys lie in strips as unit quaternions, each on the side of the one before, so the arc between
// neighbours is the shorter one (glTF 2.0, appendix C.4) without a look at signs. The result is not unit yet, and
// longer than 0.9.
SINEW_INLINE value slerp_unnormalized(value p, value q, slerp_parameter parameter) {
    vec d = dot4(p, q);
    return vec_any(is_wide(d)) ? slerp_wide(p, q, d, parameter) : slerp_narrow(p, q, d, parameter);
}

SINEW_INLINE value normalize_slerp(value q) {
    return scale(q, vec_div(vec_splat(1.0f), vec_sqrt(dot4(q, q))));
}

// ---- Keys ----------------------------------------------------------------------------------------------------

// Where a time falls on a strip: between two rows, or between two keys of each lane.
typedef struct place {
    const sinew_strip *strip;
    int32_t lane; // the first of those that are worked on
    const char *row0, *row1;
    const float *track_values; // of the first of a row's keys
    vec_mask before1, before2; // the second, the third of them is still to come
    slerp_parameter u;         // 0 at the earlier key, 1 at the later one
    vec interval;
} place;

SINEW_INLINE slerp_parameter slerp_of_key(const sinew_key *key) {
    slerp_parameter p = {vec_splat(key->u), vec_splat(key->slerp.c1), vec_splat(key->slerp.c2),
                         vec_splat(key->slerp.c3)};
    return p;
}

SINEW_INLINE const sinew_key *key_of(const sinew_share *share, const sinew_strip *strip, sinew_key *found) {
    if (strip->rows < share->key_count) return &share->keys[strip->rows];
    sinew_find_key(&share->clip->rows[strip->rows], share->time, NULL, found);
    return found;
}

SINEW_INLINE place place_on_rows(const sinew_share *share, const sinew_strip *strip, int32_t lane) {
    sinew_key found;
    const sinew_key *key = key_of(share, strip, &found);
    place at = {.strip = strip, .lane = lane, .row0 = key->row0 + strip->offset, .row1 = key->row1 + strip->offset};
    at.u = slerp_of_key(key);
    at.interval = vec_splat(key->interval);
    return at;
}

// As sinew_find_key, for each lane.
SINEW_INLINE place place_on_tracks(const sinew_share *share, const sinew_strip *strip, int32_t lane) {
    const float *row = (const float *)(const void *)(share->track_row + strip->offset) + lane;
    const float *times = row + SINEW_LANES;
    vec key[SINEW_TRACK_KEYS];
    for (int i = 0; i < SINEW_TRACK_KEYS; i++) key[i] = vec_load(times + i * PLANE);
    vec t = vec_splat(share->time), last_before = vec_load(row);
    vec within = vec_select(vec_less(t, last_before), t, last_before);
    place at = {.strip = strip, .lane = lane, .track_values = row + SINEW_TRACK_TIME_PLANES * PLANE};
    at.before1 = vec_less(within, key[1]);
    at.before2 = vec_less(within, key[2]);
    vec t0 = vec_select(at.before1, key[0], vec_select(at.before2, key[1], key[2]));
    vec t1 = vec_select(at.before1, key[1], vec_select(at.before2, key[2], key[3]));
    const vec almost = vec_splat(0x1.fffffep-1f), zero = vec_splat(0.0f), one = vec_splat(1.0f);
    at.interval = vec_sub(t1, t0);
    vec u = vec_div(vec_sub(t, t0), at.interval);
    u = vec_select(vec_less(u, almost), u, almost);
    u = vec_select(vec_less(t, t1), u, one);
    at.u = slerp_parameter_at(vec_select(vec_less(t0, t), u, zero));
    return at;
}

// The planes of a row from `plane` on, in lanes from `lane` on.
SINEW_INLINE value read_floats(const char *row, size_t plane, int32_t lane, int width) {
    value v = {{vec_splat(0.0f)}};
    const float *from = (const float *)(const void *)row + plane * SINEW_LANES + lane;
    for (int i = 0; i < width; i++) v.c[i] = vec_load(from + i * PLANE);
    return v;
}

SINEW_INLINE value read_words(const char *row, const float *ranges, size_t plane, int32_t lane, int width) {
    value v = {{vec_splat(0.0f)}};
    const uint16_t *from = (const uint16_t *)(const void *)row + plane * SINEW_LANES + lane;
    const float *low = ranges + 2 * plane * SINEW_LANES + lane, *step = low + SINEW_LANES;
    for (int i = 0; i < width; i++) {
        vec steps = vec_load_u16(from + i * PLANE);
        v.c[i] = vec_add(vec_load(low + 2 * (i * PLANE)), vec_mul(steps, vec_load(step + 2 * (i * PLANE))));
    }
    return v;
}

// The components of the `part`-th value of the earlier (0) or later (1) key.
SINEW_INLINE value read_rows(const place *at, int which, int part, int width) {
    const char *row = which == 0 ? at->row0 : at->row1;
    size_t plane = (size_t)part * (size_t)width;
    if (!at->strip->ranges) return read_floats(row, plane, at->lane, width);
    return read_words(row, at->strip->ranges, plane, at->lane, width);
}

SINEW_INLINE value read_tracks(const place *at, int which, int part, int width) {
    ptrdiff_t planes = at->strip->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 * (ptrdiff_t)width : width;
    const float *first = at->track_values + (which * planes + part * (ptrdiff_t)width) * PLANE;
    value v = {{vec_splat(0.0f)}};
    for (int i = 0; i < width; i++, first += SINEW_LANES) {
        vec second = vec_load(first + planes * PLANE), third = vec_load(first + 2 * planes * PLANE);
        v.c[i] = vec_select(at->before1, vec_load(first), vec_select(at->before2, second, third));
    }
    return v;
}

SINEW_INLINE value read_key(const place *at, int which, int part, int width, bool tracks) {
    return tracks ? read_tracks(at, which, part, width) : read_rows(at, which, part, width);
}

// ---- Interpolation (glTF 2.0, appendix C) --------------------------------------------------------------------

SINEW_INLINE value step(const place *at, int width, bool tracks) {
    value a = read_key(at, 0, 0, width, tracks), b = read_key(at, 1, 0, width, tracks);
    vec_mask before = vec_less(at->u.t, vec_splat(1.0f));
    for (int i = 0; i < width; i++) a.c[i] = vec_select(before, a.c[i], b.c[i]);
    return a;
}

// Rotations are left for the caller to normalise.
SINEW_INLINE value mix_linear(value a, value b, slerp_parameter u, int width) {
    if (width == 4) return slerp_unnormalized(a, b, u);
    vec s = vec_sub(vec_splat(1.0f), u.t);
    for (int i = 0; i < width; i++) a.c[i] = vec_add(vec_mul(s, a.c[i]), vec_mul(u.t, b.c[i]));
    return a;
}

SINEW_INLINE value linear(const place *at, int width, bool tracks) {
    value a = read_key(at, 0, 0, width, tracks), b = read_key(at, 1, 0, width, tracks);
    value v = mix_linear(a, b, at->u, width);
    return width == 4 ? normalize_slerp(v) : v;
}

// The cubic Hermite spline of appendix C.5: tangents are per second, so they are scaled by the interval.
SINEW_INLINE value cubic(const place *at, int width, bool tracks) {
    const vec one = vec_splat(1.0f), two = vec_splat(2.0f), three = vec_splat(3.0f);
    vec t = at->u.t, t2 = vec_mul(t, t), t3 = vec_mul(t2, t);
    vec v0 = vec_add(vec_sub(vec_mul(two, t3), vec_mul(three, t2)), one);
    vec v1 = vec_sub(vec_mul(three, t2), vec_mul(two, t3));
    vec m0 = vec_mul(at->interval, vec_add(vec_sub(t3, vec_mul(two, t2)), t));
    vec m1 = vec_mul(at->interval, vec_sub(t3, t2));
    value from = read_key(at, 0, 1, width, tracks), out_tangent = read_key(at, 0, 2, width, tracks);
    value in_tangent = read_key(at, 1, 0, width, tracks), to = read_key(at, 1, 1, width, tracks);
    for (int i = 0; i < width; i++) {
        vec sum = vec_add(vec_mul(v0, from.c[i]), vec_mul(m0, out_tangent.c[i]));
        sum = vec_add(sum, vec_mul(v1, to.c[i]));
        from.c[i] = vec_add(sum, vec_mul(m1, in_tangent.c[i]));
    }
    return width == 4 ? normalize(from) : from;
}

SINEW_INLINE value interpolate(const place *at, int width, bool tracks) {
    switch ((sinew_interpolation)at->strip->interpolation) {
    case SINEW_INTERPOLATION_STEP:
        return step(at, width, tracks);
    case SINEW_INTERPOLATION_CUBICSPLINE:
        return cubic(at, width, tracks);
    case SINEW_INTERPOLATION_LINEAR:
    default:
        return linear(at, width, tracks);
    }
}

SINEW_INLINE value on_rows(const sinew_share *share, const sinew_strip *strip, int32_t lane, int width) {
    place at = place_on_rows(share, strip, lane);
    return interpolate(&at, width, false);
}

SINEW_INLINE value on_tracks(const sinew_share *share, const sinew_strip *strip, int32_t lane, int width) {
    place at = place_on_tracks(share, strip, lane);
    return interpolate(&at, width, true);
}

// ---- Groups --------------------------------------------------------------------------------------------------

// One group of one share: the base, and the strips over it. `base` is its first plane.
SINEW_INLINE value sample_strips(const sinew_share *share, size_t group, const float *base, int width,
                                 int32_t lane) {
    const int32_t *bounds = share->clip->group_strips + group;
    value out = {{vec_splat(0.0f)}};
    for (int i = 0; i < width; i++) out.c[i] = vec_load(base + i * PLANE + lane);
    for (int32_t s = bounds[0]; s < bounds[1]; s++) {
        const sinew_strip *strip = &share->clip->strips[s];
        value moved = strip->rows == SINEW_ON_TRACKS ? on_tracks(share, strip, lane, width)
                                                     : on_rows(share, strip, lane, width);
        if (strip->mask == 0xffff) return moved;
        vec_mask mask = vec_mask_from_bits((uint32_t)strip->mask >> lane);
        for (int i = 0; i < width; i++) out.c[i] = vec_select(mask, moved.c[i], out.c[i]);
    }
    return out;
}

// Apart, so that what is common stays in registers.
SINEW_NOINLINE value sample_vectors(const sinew_share *share, size_t group, const float *base, int32_t lane) {
    return sample_strips(share, group, base, 3, lane);
}

SINEW_NOINLINE value sample_rotations(const sinew_share *share, size_t group, const float *base, int32_t lane) {
    return sample_strips(share, group, base, 4, lane);
}

SINEW_NOINLINE value sample_weights(const sinew_share *share, size_t group, const float *base, int32_t lane) {
    return sample_strips(share, group, base, 1, lane);
}

SINEW_INLINE value sample_any(const sinew_share *share, size_t group, const float *base, int width, int32_t lane) {
    if (width == 4) return sample_rotations(share, group, base, lane);
    return width == 3 ? sample_vectors(share, group, base, lane) : sample_weights(share, group, base, lane);
}

// The earlier (0) or later (1) key of a plain group.
SINEW_INLINE value read_plain(const sinew_key *key, int which, const sinew_group *plain, int width, int32_t lane,
                              bool words) {
    const char *row = (which == 0 ? key->row0 : key->row1) + plain->offset;
    return words ? read_words(row, plain->ranges, 0, lane, width) : read_floats(row, 0, lane, width);
}

// Apart, and reading the keys again, so that for its sake nothing leaves the registers.
SINEW_NOINLINE value slerp_plain_wide(const sinew_key *key, const sinew_group *plain, int32_t lane, bool words) {
    value a = read_plain(key, 0, plain, 4, lane, words), b = read_plain(key, 1, plain, 4, lane, words);
    return slerp_wide(a, b, dot4(a, b), slerp_of_key(key));
}

SINEW_INLINE value mix_plain(const sinew_key *key, const sinew_group *plain, int width, int32_t lane, bool words) {
    value a = read_plain(key, 0, plain, width, lane, words), b = read_plain(key, 1, plain, width, lane, words);
    if (width != 4) return mix_linear(a, b, slerp_of_key(key), width);
    vec d = dot4(a, b);
    if (vec_any(is_wide(d))) return slerp_plain_wide(key, plain, lane, words);
    return slerp_narrow(a, b, d, slerp_of_key(key));
}

// A plain group. Rotations may come out longer or shorter than 1: `unit` says that they must not.
SINEW_INLINE value sample_plain(const sinew_share *share, size_t group, const float *base, int width, int32_t lane,
                                bool words, bool unit) {
    const sinew_group *plain = &share->clip->groups[group];
    value v = {{vec_splat(0.0f)}};
    if (plain->rows == SINEW_GROUP_CONSTANT) {
        for (int i = 0; i < width; i++) v.c[i] = vec_load(base + i * PLANE + lane);
        return v;
    }
    v = mix_plain(&share->keys[plain->rows], plain, width, lane, words);
    if (width == 4 && unit) v = normalize_slerp(v);
    if (plain->mask == 0xffff) return v;
    vec_mask mask = vec_mask_from_bits((uint32_t)plain->mask >> lane);
    for (int i = 0; i < width; i++) v.c[i] = vec_select(mask, v.c[i], vec_load(base + i * PLANE + lane));
    return v;
}

// The weight of each lane's rotation: negative where it lies on the other hemisphere than the sum.
SINEW_INLINE vec side_weight(value sum, value q, float weight) {
    vec_mask other_side = vec_less(dot4(sum, q), vec_splat(0.0f));
    return vec_select(other_side, vec_splat(-weight), vec_splat(weight));
}

SINEW_INLINE value add_weighted(value sum, value one, vec w, int width) {
    for (int i = 0; i < width; i++) sum.c[i] = vec_add(sum.c[i], vec_mul(w, one.c[i]));
    return sum;
}

SINEW_INLINE const float *base_of(const sinew_share *share, size_t block, sinew_channel_target path) {
    if (path == SINEW_TARGET_WEIGHTS) return share->clip->base_weights + block * SINEW_LANES;
    return share->clip->base[block].lane[sinew_path_plane(path)];
}

// Where a vector of nodes, or of morph weights, lies.
typedef struct spot {
    size_t block;
    int32_t lane;
} spot;

SINEW_INLINE spot spot_at(size_t at) {
    spot s = {at / SINEW_LANES, (int32_t)(at % SINEW_LANES)};
    return s;
}

SINEW_INLINE value sample(const sinew_share *share, spot at, sinew_channel_target path, sinew_plainness plain,
                          bool unit) {
    bool weights = path == SINEW_TARGET_WEIGHTS;
    size_t group = weights ? (size_t)share->clip->node_groups + at.block : at.block * SINEW_GROUPS + (size_t)path;
    const float *base = base_of(share, at.block, path);
    int width = sinew_path_width(path);
    if (plain == SINEW_NOT_PLAIN) return sample_any(share, group, base, width, at.lane);
    return sample_plain(share, group, base, width, at.lane, plain == SINEW_PLAIN_16, unit);
}

// The weight of a share in each lane. The first share of a sum is on the side of its own.
SINEW_INLINE vec weight_in(value sum, value one, const sinew_share *share, int width, sinew_plainness plain) {
    if (width != 4) return vec_splat(share->weight);
    if (plain == SINEW_NOT_PLAIN && share->held) return side_weight(sum, one, share->weight);
    return vec_div(side_weight(sum, one, share->weight), vec_sqrt(dot4(one, one)));
}

// `plain`, a constant once inlined, is what the groups of all shares are.
SINEW_INLINE value blend(const sinew_share *shares, int32_t count, spot at, sinew_channel_target path,
                         sinew_plainness plain) {
    int width = sinew_path_width(path);
    if (count == 1) {
        value one = sample(shares, at, path, plain, true);
        return plain == SINEW_NOT_PLAIN && width == 4 && shares->held ? normalize(one) : one;
    }
    value first = sample(&shares[0], at, path, plain, false), second = sample(&shares[1], at, path, plain, false);
    vec w0 = vec_splat(shares[0].weight);
    if (width == 4 && !(plain == SINEW_NOT_PLAIN && shares->held)) w0 = vec_div(w0, vec_sqrt(dot4(first, first)));
    vec w1 = weight_in(first, second, &shares[1], width, plain);
    value sum = first;
    for (int i = 0; i < width; i++) sum.c[i] = vec_mul(w0, first.c[i]);
    sum = add_weighted(sum, second, w1, width);
    for (int32_t s = 2; s < count; s++) {
        value one = sample(&shares[s], at, path, plain, false);
        sum = add_weighted(sum, one, weight_in(sum, one, &shares[s], width, plain), width);
    }
    return width == 4 ? normalize(sum) : sum;
}

// ---- Layers --------------------------------------------------------------------------------------------------

// How much of each lane a layer covers.
SINEW_INLINE vec cover(const sinew_mix_layer *layer, float weight, spot at, sinew_channel_target path) {
    const float *mask = path == SINEW_TARGET_WEIGHTS ? layer->weight_mask : layer->node_mask;
    if (!mask) return vec_splat(weight);
    return vec_mul(vec_splat(weight), vec_load(mask + at.block * SINEW_LANES + at.lane));
}

// Lanes that are not covered keep their bits.
SINEW_INLINE value where_covered(vec factor, value over, value below, int width) {
    vec_mask covered = vec_less(vec_splat(0.0f), factor);
    for (int i = 0; i < width; i++) over.c[i] = vec_select(covered, over.c[i], below.c[i]);
    return over;
}

SINEW_INLINE value replace(value below, value over, vec factor, int width) {
    vec rest = vec_sub(vec_splat(1.0f), factor), to = factor;
    if (width == 4) {
        vec_mask other_side = vec_less(dot4(below, over), vec_splat(0.0f));
        to = vec_select(other_side, vec_sub(vec_splat(0.0f), factor), factor);
    }
    for (int i = 0; i < width; i++) over.c[i] = vec_add(vec_mul(rest, below.c[i]), vec_mul(to, over.c[i]));
    if (width == 4) over = normalize(over);
    return where_covered(factor, over, below, width);
}

// As sinew_quat_multiply, in its order.
SINEW_INLINE value turn(value a, value b) {
    const vec x = a.c[0], y = a.c[1], z = a.c[2], w = a.c[3];
    value c;
    c.c[0] = vec_add(vec_add(vec_mul(w, b.c[0]), vec_mul(x, b.c[3])), vec_mul(y, b.c[2]));
    c.c[0] = vec_sub(c.c[0], vec_mul(z, b.c[1]));
    c.c[1] = vec_add(vec_add(vec_mul(w, b.c[1]), vec_mul(y, b.c[3])), vec_mul(z, b.c[0]));
    c.c[1] = vec_sub(c.c[1], vec_mul(x, b.c[2]));
    c.c[2] = vec_add(vec_add(vec_mul(w, b.c[2]), vec_mul(z, b.c[3])), vec_mul(x, b.c[1]));
    c.c[2] = vec_sub(c.c[2], vec_mul(y, b.c[0]));
    c.c[3] = vec_sub(vec_sub(vec_mul(w, b.c[3]), vec_mul(x, b.c[0])), vec_mul(y, b.c[1]));
    c.c[3] = vec_sub(c.c[3], vec_mul(z, b.c[2]));
    return c;
}

// As sinew_pose_add.
SINEW_INLINE value add_difference(value below, value difference, vec factor, sinew_channel_target path) {
    const vec zero = vec_splat(0.0f), one = vec_splat(1.0f);
    int width = sinew_path_width(path);
    value out = difference;
    if (path == SINEW_TARGET_ROTATION) {
        vec_mask other_side = vec_less(difference.c[3], zero);
        vec to = vec_select(other_side, vec_sub(zero, factor), factor);
        for (int i = 0; i < 4; i++) out.c[i] = vec_mul(to, difference.c[i]);
        out.c[3] = vec_add(vec_sub(one, factor), out.c[3]);
        out = normalize(turn(below, normalize(out)));
    } else if (path == SINEW_TARGET_SCALE) {
        for (int i = 0; i < 3; i++) {
            out.c[i] = vec_mul(below.c[i], vec_add(one, vec_mul(factor, vec_sub(difference.c[i], one))));
        }
    } else {
        for (int i = 0; i < width; i++) out.c[i] = vec_add(below.c[i], vec_mul(factor, difference.c[i]));
    }
    return where_covered(factor, out, below, width);
}

// What a layer, or one of an additive layer's shares, makes of what is below.
SINEW_INLINE value put_on(const sinew_mix_layer *layer, value below, value above, vec factor,
                          sinew_channel_target path) {
    if (layer->additive) return add_difference(below, above, factor, path);
    return replace(below, above, factor, sinew_path_width(path));
}

// ---- Runs of blocks ------------------------------------------------------------------------------------------

// Stores come last: they might write into what the shares point to, for all that the compiler knows.
SINEW_INLINE void store_pose(float *const out[SINEW_PLANES], size_t to, value t, value r, value s) {
    for (int i = 0; i < 3; i++) vec_store(out[SINEW_TX + i] + to, t.c[i]);
    for (int i = 0; i < 4; i++) vec_store(out[SINEW_RX + i] + to, r.c[i]);
    for (int i = 0; i < 3; i++) vec_store(out[SINEW_SX + i] + to, s.c[i]);
}

// Blends shares in blocks [first, end), which are of one plainness; `to` is where the first of them goes.
SINEW_INLINE void blend_run(const sinew_share *shares, int32_t count, size_t first, size_t end,
                            sinew_plainness plain, float *const out[SINEW_PLANES], size_t to) {
    for (size_t at = first * SINEW_LANES; at < end * SINEW_LANES; at += SIMD_WIDTH, to += SIMD_WIDTH) {
        const spot here = spot_at(at);
        value r = blend(shares, count, here, SINEW_TARGET_ROTATION, plain); // first: it takes longest
        value t = blend(shares, count, here, SINEW_TARGET_TRANSLATION, plain);
        value s = blend(shares, count, here, SINEW_TARGET_SCALE, plain);
        store_pose(out, to, t, r, s);
    }
}

#endif
