// Sampling: finding keys on a timeline, and interpolating between two rows.
#include "anim/clip_data.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Keys ----------------------------------------------------------------------------------------------------

// The last key at or before `time`, which lies in [times[0], times[last]).
static int32_t search(const float *times, int32_t count, float time) {
    int32_t low = 0, high = count - 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Uniform timelines were admitted with keys at most a quarter of a step off their place, so the guess is at most
// one key off.
static int32_t guess(const sinew_timeline *timeline, float keys_a_second, float time) {
    const float *times = timeline->times;
    int32_t last = timeline->key_count - 2;
    int32_t k = (int32_t)((time - times[0]) * keys_a_second);
    if (k > last) k = last;
    if (time < times[k]) return k - 1;
    if (time >= times[k + 1]) return k + 1;
    return k;
}

static bool holds(const float *times, int32_t k, float time) {
    return times[k] <= time && time < times[k + 1];
}

static int32_t search_near(const sinew_timeline *timeline, float time, uint32_t *hint) {
    const float *times = timeline->times;
    int32_t last = timeline->key_count - 2;
    int32_t k = *hint <= (uint32_t)last ? (int32_t)*hint : 0;
    if (!holds(times, k, time)) {
        if (k < last && holds(times, k + 1, time)) {
            k++;
        } else if (k > 0 && holds(times, k - 1, time)) {
            k--;
        } else {
            k = search(times, timeline->key_count, time);
        }
    }
    *hint = (uint32_t)k;
    return k;
}

static sinew_key key_at(const sinew_clip *clip, int32_t timeline, int32_t k, float u) {
    const sinew_rows *rows = &clip->data->rows[timeline];
    const float *times = clip->timelines[timeline].times;
    const float *row = rows->keys + (size_t)k * rows->stride;
    return (sinew_key){
        .row0 = row,
        .row1 = row + rows->stride,
        .u = u,
        .interval = times[k + 1] - times[k],
        .slerp = sinew_slerp_parameter_at(u),
        .slerp_half = sinew_slerp_parameter_at(u < 0.5f ? 2.0f * u : 2.0f * u - 1.0f),
    };
}

sinew_key sinew_find_key(const sinew_clip *clip, int32_t timeline, float time, uint32_t *hint) {
    const sinew_timeline *line = &clip->timelines[timeline];
    const float *times = line->times;
    // Outside its keys a channel holds its first or last value (glTF 2.0, section 3.11).
    if (!(time > times[0])) return key_at(clip, timeline, 0, 0.0f);
    if (time >= times[line->key_count - 1]) return key_at(clip, timeline, line->key_count - 2, 1.0f);

    int32_t k;
    if (line->uniform) {
        k = guess(line, clip->data->rows[timeline].keys_a_second, time);
    } else if (hint) {
        k = search_near(line, time, hint);
    } else {
        k = search(times, line->key_count, time);
    }
    float u = (time - times[k]) / (times[k + 1] - times[k]);
    // Rounding must not reach the next key before its time: STEP would show it.
    return key_at(clip, timeline, k, u < 1.0f ? u : 0x1.fffffep-1f);
}

void sinew_find_keys(const sinew_clip *clip, float time, uint32_t *hints, int32_t count, sinew_key *keys) {
    if (count > clip->timeline_count) count = clip->timeline_count;
    for (int32_t i = 0; i < count; i++) keys[i] = sinew_find_key(clip, i, time, hints ? &hints[i] : NULL);
}

// ---- Interpolation -------------------------------------------------------------------------------------------
// Each of these computes `width` planes of a strip into `out`; the caller keeps the lanes of the mask.

typedef float lanes[SINEW_LANES];

static const float *plane(const float *strip, int32_t index) {
    return strip + (ptrdiff_t)index * SINEW_LANES;
}

static void interpolate_step(const sinew_key *key, const float *a, const float *b, int32_t width, lanes *out) {
    memcpy(out, key->u < 1.0f ? a : b, (size_t)width * sizeof *out);
}

static void interpolate_linear(const sinew_key *key, const float *a, const float *b, int32_t width, lanes *out) {
    float t = key->u, s = 1.0f - t;
    for (int32_t p = 0; p < width; p++) {
        const float *from = plane(a, p), *to = plane(b, p);
        for (int l = 0; l < SINEW_LANES; l++) out[p][l] = s * from[l] + t * to[l];
    }
}

static void normalize(lanes *q) {
    for (int l = 0; l < SINEW_LANES; l++) {
        float x = q[0][l], y = q[1][l], z = q[2][l], w = q[3][l];
        float length = sqrtf(x * x + y * y + z * z + w * w);
        // A sum that cancelled out has no direction; any rotation is as good, and it must be finite.
        float scale = length > 0.0f ? 1.0f / length : 0.0f;
        q[0][l] = x * scale, q[1][l] = y * scale, q[2][l] = z * scale;
        q[3][l] = length > 0.0f ? w * scale : 1.0f;
    }
}

// Rotation keys lie in strips as unit quaternions, each on the side of the one before, so the arc between
// neighbours is the shorter one (glTF 2.0, appendix C.4) without a look at signs.
static void interpolate_slerp(const sinew_key *key, const float *a, const float *b, lanes *out) {
    const float *ax = a, *ay = plane(a, 1), *az = plane(a, 2), *aw = plane(a, 3);
    const float *bx = b, *by = plane(b, 1), *bz = plane(b, 2), *bw = plane(b, 3);
    bool second_half = key->u >= 0.5f;
    for (int l = 0; l < SINEW_LANES; l++) {
        sinew_quat p = {ax[l], ay[l], az[l], aw[l]}, q = {bx[l], by[l], bz[l], bw[l]};
        float d = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
        const sinew_slerp_parameter *parameter = &key->slerp;
        if (d < SINEW_SLERP_MIN_COSINE) {
            sinew_quat middle = sinew_quat_normalize((sinew_quat){p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w});
            if (second_half) {
                p = middle;
            } else {
                q = middle;
            }
            d = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
            parameter = &key->slerp_half;
        }
        float t = sinew_slerp_corrected(parameter, d), s = 1.0f - t;
        out[0][l] = s * p.x + t * q.x;
        out[1][l] = s * p.y + t * q.y;
        out[2][l] = s * p.z + t * q.z;
        out[3][l] = s * p.w + t * q.w;
    }
    normalize(out);
}

// The cubic Hermite spline of glTF 2.0, appendix C.5: tangents are per second, so they are scaled by the interval.
static void interpolate_cubic(const sinew_key *key, const float *a, const float *b, int32_t width, lanes *out) {
    float t = key->u, t2 = t * t, t3 = t2 * t;
    float v0 = 2.0f * t3 - 3.0f * t2 + 1.0f, v1 = 3.0f * t2 - 2.0f * t3;
    float m0 = key->interval * (t3 - 2.0f * t2 + t), m1 = key->interval * (t3 - t2);
    for (int32_t p = 0; p < width; p++) {
        const float *value0 = plane(a, width + p), *out_tangent0 = plane(a, 2 * width + p);
        const float *in_tangent1 = plane(b, p), *value1 = plane(b, width + p);
        for (int l = 0; l < SINEW_LANES; l++) {
            out[p][l] = v0 * value0[l] + m0 * out_tangent0[l] + v1 * value1[l] + m1 * in_tangent1[l];
        }
    }
}

static void interpolate(const sinew_strip *strip, const sinew_key *key, lanes *out) {
    const float *a = key->row0 + strip->offset, *b = key->row1 + strip->offset;
    int32_t width = sinew_path_width((sinew_path)strip->path);
    bool rotation = strip->path == SINEW_PATH_ROTATION;
    switch ((sinew_interpolation)strip->interpolation) {
    case SINEW_STEP:
        interpolate_step(key, a, b, width, out);
        return;
    case SINEW_LINEAR:
        if (rotation) {
            interpolate_slerp(key, a, b, out);
        } else {
            interpolate_linear(key, a, b, width, out);
        }
        return;
    case SINEW_CUBICSPLINE:
        interpolate_cubic(key, a, b, width, out);
        if (rotation) normalize(out);
        return;
    }
}

// ---- Blocks --------------------------------------------------------------------------------------------------

static void sample_strip(const sinew_sampler *sampler, const sinew_strip *strip, lanes *planes) {
    sinew_key found;
    const sinew_key *key = &found;
    if (strip->timeline < sampler->key_count) {
        key = &sampler->keys[strip->timeline];
    } else {
        found = sinew_find_key(sampler->clip, strip->timeline, sampler->time, NULL);
    }
    if (strip->mask == 0xffff) {
        interpolate(strip, key, planes);
        return;
    }
    lanes values[4];
    interpolate(strip, key, values);
    int32_t width = sinew_path_width((sinew_path)strip->path);
    for (int32_t p = 0; p < width; p++) {
        for (int l = 0; l < SINEW_LANES; l++) {
            planes[p][l] = strip->mask >> l & 1 ? values[p][l] : planes[p][l];
        }
    }
}

void sinew_sample_block(const sinew_sampler *sampler, size_t block, sinew_block *out) {
    const sinew_clip_data *data = sampler->clip->data;
    *out = data->base[block];
    for (int32_t i = data->block_strips[block]; i < data->block_strips[block + 1]; i++) {
        const sinew_strip *strip = &data->strips[i];
        sample_strip(sampler, strip, &out->lane[sinew_path_plane((sinew_path)strip->path)]);
    }
}

void sinew_sample_weights(const sinew_sampler *sampler, size_t weight_block, float *out) {
    const sinew_clip_data *data = sampler->clip->data;
    size_t block = sinew_block_count(sampler->clip->skeleton->node_count) + weight_block;
    lanes values;
    memcpy(values, data->base_weights + weight_block * SINEW_LANES, sizeof values);
    for (int32_t i = data->block_strips[block]; i < data->block_strips[block + 1]; i++) {
        sample_strip(sampler, &data->strips[i], &values);
    }
    memcpy(out, values, sizeof values);
}

void sinew_block_store(const sinew_block *block, const sinew_planes *planes, size_t index) {
    for (int p = 0; p < SINEW_PLANES; p++) {
        memcpy(planes->plane[p] + index * SINEW_LANES, block->lane[p], sizeof block->lane[p]);
    }
}

// ---- One clip ------------------------------------------------------------------------------------------------

// Timelines whose keys are found once for all blocks; clips with more find the others strip by strip.
#define SHARED_KEYS 16

void sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose) {
    assert(pose->skeleton == clip->skeleton);
    sinew_key keys[SHARED_KEYS];
    sinew_find_keys(clip, time, NULL, SHARED_KEYS, keys);
    sinew_sampler sampler = {clip, time, keys, SHARED_KEYS};

    sinew_planes planes = sinew_pose_planes(pose);
    size_t blocks = sinew_block_count(clip->skeleton->node_count);
    for (size_t i = 0; i < blocks; i++) {
        sinew_block block;
        sinew_sample_block(&sampler, i, &block);
        sinew_block_store(&block, &planes, i);
    }
    size_t weight_blocks = sinew_block_count(clip->skeleton->weight_count);
    for (size_t i = 0; i < weight_blocks; i++) {
        sinew_sample_weights(&sampler, i, pose->weights + i * SINEW_LANES);
    }
}
