// SPDX-License-Identifier: MIT
// Resamples a take.
#include "takes/takes.h"

#include "takes/fail.h"
#include "takes/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 1000000.0
#define MAX_BYTES  ((size_t)1 << 30) // for all poses

// Computes a take's pose at a time. `frame` must not be later than that, and moves forward.
static void pose_between(const take *t, float time, int32_t *frame, sinew_transform *out) {
    while (*frame + 2 < t->count && t->times[*frame + 1] <= time) (*frame)++;
    const float from = t->times[*frame], to = t->times[*frame + 1];
    const float u = fminf(fmaxf((time - from) / (to - from), 0.0f), 1.0f);
    for (int32_t n = 0; n < t->skeleton->node_count; n++) {
        const sinew_transform *a = take_transform(t, *frame, n), *b = take_transform(t, *frame + 1, n);
        out[n].translation = sinew_vec3_lerp(a->translation, b->translation, u);
        out[n].rotation = u == 0.0f ? a->rotation : sinew_quat_slerp(a->rotation, b->rotation, u);
        out[n].scale = sinew_vec3_lerp(a->scale, b->scale, u);
    }
}

sinew_result takes_resample_to(take *t, float *times, int32_t count, sinew_error *error) {
    const size_t nodes = (size_t)t->skeleton->node_count;
    if ((size_t)count * (nodes + 1) * sizeof *t->transforms > MAX_BYTES) {
        free(times);
        return takes_fail(error, SINEW_ERROR_LIMIT, "has too many keys at that rate; use --range");
    }
    sinew_transform *transforms = times ? malloc(((size_t)count * nodes + 1) * sizeof *transforms) : NULL;
    if (!transforms) {
        free(times);
        return takes_fail_memory(error);
    }
    int32_t frame = 0;
    for (int32_t f = 0; f < count; f++) pose_between(t, times[f], &frame, transforms + (size_t)f * nodes);
    free(t->transforms);
    free(t->times);
    t->transforms = transforms;
    t->times = times;
    t->count = count;
    return SINEW_OK;
}

bool takes_is_even(const take *t) {
    const double step = (double)t->times[t->count - 1] / (double)(t->count - 1);
    for (int32_t f = 1; f < t->count; f++)
        if (fabs((double)t->times[f] - step * (double)f) > 0.01 * step) return false;
    return true;
}

sinew_result takes_make_even(take *t, double rate, sinew_error *error) {
    const double end = (double)t->times[t->count - 1], steps = fmax(1.0, floor(end * rate + 0.5));
    if (!(steps < MAX_FRAMES)) return takes_fail(error, SINEW_ERROR_LIMIT, "has more than a million frames");
    const int32_t count = (int32_t)steps + 1;
    float *times = malloc((size_t)count * sizeof *times);
    for (int32_t f = 0; times && f < count; f++) times[f] = (float)(end * (double)f / steps);
    return takes_resample_to(t, times, count, error);
}

// Samples the clip's morph weights and curves.
static bool sample_weights(take *t) {
    const size_t width = (size_t)t->skeleton->weight_count + (size_t)t->skeleton->curve_count;
    free(t->weights);
    t->weights = malloc(((size_t)t->count * width + 1) * sizeof *t->weights);
    for (int32_t f = 0; t->weights && width > 0 && f < t->count; f++) {
        sinew_clip_sample(t->clip, t->times[f], t->pose);
        memcpy(t->weights + (size_t)f * width, t->pose->weights, width * sizeof *t->weights);
    }
    return t->weights != NULL;
}

sinew_result takes_resample(take *t, double rate, sinew_error *error) {
    const double end = (double)t->times[t->count - 1], steps = floor(end * rate + 1e-3);
    if (!(steps < MAX_FRAMES))
        return takes_fail(error, SINEW_ERROR_LIMIT, "--fps: gives more than a million frames");
    const bool has_rest = steps < 1.0 || end - steps / rate > 1e-3 / rate;
    const int32_t count = (int32_t)steps + 1 + (has_rest ? 1 : 0);
    float *times = malloc((size_t)count * sizeof *times);
    for (int32_t f = 0; times && f < count; f++) times[f] = (float)fmin((double)f / rate, end);
    const sinew_result result = takes_resample_to(t, times, count, error);
    if (result != SINEW_OK) return result;
    t->times[count - 1] = (float)end;
    t->is_resampled = true;
    return sample_weights(t) ? SINEW_OK : takes_fail_memory(error);
}
