// SPDX-License-Identifier: MIT
// Removes noise above a frequency: a second-order Butterworth filter, run forward and then backward to avoid a delay.
//
// Together the two passes halve the power at the user's frequency F. At f, with R frames per second, they leave 1 / (1
// + (sqrt(2) - 1) (tan(pi f / R) / tan(pi F / R))^4) of the amplitude. Signals continue beyond their ends: a loop
// repeats, and other signals are rotated by half a turn about the end. Quaternions are filtered as four numbers on one
// hemisphere.
#include "takes/takes.h"

#include "takes/fail.h"
#include "takes/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct filter {
    double b0, b1, b2, a1, a2;
} filter;

typedef struct smoother {
    take *take;
    filter filter;
    bool is_loop;
    int32_t pad;    // frames beyond each end
    double *signal; // [count + 2 × pad]
} smoother;

static filter design(double frequency, double rate) {
    const double pi = 3.14159265358979323846;
    const double w = tan(pi * frequency / rate) / pow(sqrt(2.0) - 1.0, 0.25), k = sqrt(2.0) * w;
    const double norm = 1.0 / (1.0 + k + w * w);
    return (filter){w * w * norm, 2.0 * w * w * norm, w * w * norm, 2.0 * (w * w - 1.0) * norm,
                    (1.0 - k + w * w) * norm};
}

// Runs one pass. It starts as if the first number had always been there.
static void run_filter(const filter *f, double *x, int32_t count, int32_t step) {
    double *at = step > 0 ? x : x + count - 1;
    double in1 = *at, in2 = *at, out1 = *at, out2 = *at;
    for (int32_t i = 0; i < count; i++, at += step) {
        const double in = *at, out = f->b0 * in + f->b1 * in1 + f->b2 * in2 - f->a1 * out1 - f->a2 * out2;
        in2 = in1, in1 = in, out2 = out1, out1 = out;
        *at = out;
    }
}

// Filters signal[pad .. pad + count). With `repeats`, the last number is the first one, except for a drift.
static void filter_signal(const smoother *s, bool repeats) {
    const int32_t count = s->take->count, pad = s->pad, last = count - 1;
    double *x = s->signal + pad;
    if (last < 1) return;
    const double drift = x[last] - x[0];
    for (int32_t i = 1; i <= pad; i++) {
        const int32_t loops = (i + last - 1) / last, from = loops * last - i, inside = i < last ? i : last;
        x[-i] = repeats ? x[from] - drift * (double)loops : 2.0 * x[0] - x[inside];
        x[last + i] = repeats ? x[last - from] + drift * (double)loops : 2.0 * x[last] - x[last - inside];
    }
    run_filter(&s->filter, s->signal, count + 2 * pad, 1);
    run_filter(&s->filter, s->signal, count + 2 * pad, -1);
}

static void smooth_component(const smoother *s, int32_t node, size_t offset, bool repeats) {
    for (int32_t f = 0; f < s->take->count; f++)
        s->signal[s->pad + f] = (double)*(float *)((char *)take_transform(s->take, f, node) + offset);
    filter_signal(s, repeats);
    for (int32_t f = 0; f < s->take->count; f++)
        *(float *)((char *)take_transform(s->take, f, node) + offset) = (float)s->signal[s->pad + f];
}

static void smooth_translation(const smoother *s, int32_t node) {
    const size_t start = offsetof(sinew_transform, translation);
    for (size_t i = 0; i < 3; i++) smooth_component(s, node, start + i * sizeof(float), s->is_loop);
    s->take->changed[node] |= 1U << SINEW_TARGET_TRANSLATION;
}

static float dot4(sinew_quat a, sinew_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static void smooth_rotation(const smoother *s, int32_t node) {
    const size_t start = offsetof(sinew_transform, rotation);
    const take *t = s->take;
    for (int32_t f = 1; f < t->count; f++) {
        sinew_quat *q = &take_transform(t, f, node)->rotation;
        if (dot4(*q, take_transform(t, f - 1, node)->rotation) < 0.0f)
            *q = (sinew_quat){-q->x, -q->y, -q->z, -q->w};
    }
    const float ends = dot4(take_transform(t, 0, node)->rotation, take_transform(t, t->count - 1, node)->rotation);
    const bool repeats = s->is_loop && ends > 0.999f; // within 5 degrees
    for (size_t i = 0; i < 4; i++) smooth_component(s, node, start + i * sizeof(float), repeats);
    for (int32_t f = 0; f < t->count; f++) {
        sinew_quat *q = &take_transform(t, f, node)->rotation;
        *q = sinew_quat_normalize(*q);
    }
    s->take->changed[node] |= 1U << SINEW_TARGET_ROTATION;
}

static void smooth_channels(const smoother *s) {
    const sinew_clip *clip = s->take->clip;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *c = &clip->channels[i];
        if (c->timeline < 0 || c->interpolation == SINEW_INTERPOLATION_STEP) continue;
        if (c->target == SINEW_TARGET_TRANSLATION) smooth_translation(s, c->node);
        if (c->target == SINEW_TARGET_ROTATION) smooth_rotation(s, c->node);
    }
}

sinew_result takes_smooth(take *t, const takes_body *body, double frequency, sinew_error *error) {
    const double end = (double)t->times[t->count - 1];
    double rate = (double)(t->count - 1) / end;
    if (!takes_is_even(t)) {
        const sinew_result result = takes_make_even(t, rate, error);
        if (result != SINEW_OK) return result;
        rate = (double)(t->count - 1) / end;
    }
    if (!(frequency < 0.5 * rate)) {
        return takes_fail(error, SINEW_ERROR_ARGUMENT,
                          "--smooth %g: must be less than half the key rate, which is %.4g per second", frequency,
                          rate);
    }
    const double pad = fmin(ceil(3.0 * rate / frequency), 1e6); // the filter settles in this many
    smoother s = {.take = t, .filter = design(frequency, rate), .pad = (int32_t)pad};
    const sinew_result result = takes_is_loop(t, body, &s.is_loop, NULL, error);
    if (result != SINEW_OK) return result;
    s.signal = malloc(((size_t)t->count + 2 * (size_t)s.pad) * sizeof *s.signal);
    if (!s.signal) return takes_fail_memory(error);
    smooth_channels(&s);
    free(s.signal);
    return SINEW_OK;
}
