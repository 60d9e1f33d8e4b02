// SPDX-License-Identifier: MIT
// Finds the keys for a time on a timeline, and the weights of modes between them.
#include "base/simd_base.h"
#include "kernels/layout.h"

#include <string.h>

int32_t sinewi_search_keys(const float *times, int32_t first, int32_t last, float time) {
    int32_t low = first, high = last + 1;
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

// The key times of uniform timelines are off by at most a quarter of the spacing, so the guess is off by at most one
// key.
static int32_t guess(const sinewi_rows *rows, float time) {
    const float *times = rows->times;
    int32_t last = rows->key_count - 2;
    int32_t k = (int32_t)((time - times[0]) * rows->keys_a_second);
    if (k > last) k = last;
    if (time < times[k]) return k - 1;
    if (time >= times[k + 1]) return k + 1;
    return k;
}

static bool contains(const float *times, int32_t k, float time) {
    return times[k] <= time && time < times[k + 1];
}

static int32_t search_near(const sinewi_rows *rows, float time, uint32_t *hint) {
    const float *times = rows->times;
    int32_t last = rows->key_count - 2;
    int32_t k = *hint <= (uint32_t)last ? (int32_t)*hint : 0;
    if (!contains(times, k, time)) {
        if (k < last && contains(times, k + 1, time)) {
            k++;
        } else if (k > 0 && contains(times, k - 1, time)) {
            k--;
        } else {
            k = sinewi_search_keys(times, 0, last, time);
        }
    }
    *hint = (uint32_t)k;
    return k;
}

// Writes each field to its final address. Copying a whole struct would stall the reader.
static void set_key(sinewi_key *key, const sinewi_rows *rows, int32_t k, float u) {
    key->row0 = rows->keys + (size_t)k * rows->stride;
    key->row1 = key->row0 + rows->stride;
    key->weights = NULL;
    key->u = u;
    key->interval = rows->times[k + 1] - rows->times[k];
    key->slerp = sinewi_slerp_parameter_at(u);
}

void sinewi_find_key(const sinewi_rows *rows, float time, uint32_t *hint, sinewi_key *key) {
    const float *times = rows->times;
    // Outside its keys, a channel holds its first or last value (glTF 2.0, section 3.11).
    if (!(time > times[0])) {
        set_key(key, rows, 0, 0.0f);
        return;
    }
    if (time >= times[rows->key_count - 1]) {
        set_key(key, rows, rows->key_count - 2, 1.0f);
        return;
    }
    int32_t k;
    if (rows->uniform) {
        k = guess(rows, time);
    } else if (hint) {
        k = search_near(rows, time, hint);
    } else {
        k = sinewi_search_keys(times, 0, rows->key_count - 2, time);
    }
    float u = (time - times[k]) / (times[k + 1] - times[k]);
    // Rounding must not give 1 before the next key's time, because STEP would then return the next key.
    set_key(key, rows, k, u < 1.0f ? u : 0x1.fffffep-1f);
}

// The weights of two rows, 16-bit or 8-bit. An 8-bit weight is the high byte of the 16-bit one.
typedef struct row_weights {
    const char *row0, *row1;
    bool bytes;
} row_weights;

SINEWI_INLINE vec load_weights(const char *row, uint32_t at, bool bytes) {
    if (bytes) return vec_mul(vec_splat(256.0f), vec_load_u8((const uint8_t *)row + at));
    return vec_load_u16((const uint16_t *)(const void *)row + at);
}

SINEWI_INLINE void interpolate_weights(row_weights rows, uint32_t at, vec u, int16_t *weights) {
    const vec a = load_weights(rows.row0, at, rows.bytes), b = load_weights(rows.row1, at, rows.bytes);
    const vec weight = vec_add(a, vec_mul(u, vec_sub(b, a)));
    vec_store_i16(weights + at, vec_sub(weight, vec_splat(32768.0f)));
}

// Like interpolate_weights for two weights.
SINEWI_INLINE void interpolate_pair(row_weights rows, vec u, int16_t *weights) {
    const size_t size = rows.bytes ? 2 * sizeof(uint8_t) : 2 * sizeof(uint16_t);
    char row0[4 * sizeof(uint16_t)] = {0}, row1[4 * sizeof(uint16_t)] = {0};
    int16_t found[4];
    memcpy(row0, rows.row0, size);
    memcpy(row1, rows.row1, size);
    interpolate_weights((row_weights){row0, row1, rows.bytes}, 0, u, found);
    memcpy(weights, found, 2 * sizeof *found);
}

// Weights come in pairs. The last vector may overlap the previous one.
SINEWI_INLINE void interpolate_row(row_weights rows, uint32_t count, vec u, int16_t *weights) {
    if (count == 0) return;
    if (count < SIMD_WIDTH) { // at most four
        interpolate_pair(rows, u, weights);
        return;
    }
    const uint32_t last = count - SIMD_WIDTH;
    for (uint32_t at = 0; at < last; at += SIMD_WIDTH) interpolate_weights(rows, at, u, weights);
    interpolate_weights(rows, last, u, weights);
}

// Stores whole vectors. Kernels load weights in pairs, and a load that spans two recent stores would stall.
void sinewi_weigh_modes(const sinewi_rows *rows, const sinewi_key *key, float u, int16_t *weights) {
    const vec at = vec_splat(u);
    row_weights words = {key->row0 + rows->weight_offset, key->row1 + rows->weight_offset, false};
    for (int i = 0; i < SINEWI_GROUPS; i++) {
        const sinewi_weight_counts counts = rows->weight_counts[i];
        const size_t size = counts.words * sizeof(uint16_t);
        const row_weights bytes = {words.row0 + size, words.row1 + size, true};
        interpolate_row(words, counts.words, at, weights);
        interpolate_row(bytes, counts.bytes, at, weights + counts.words);
        weights += counts.words + counts.bytes;
        words.row0 = bytes.row0 + counts.bytes, words.row1 = bytes.row1 + counts.bytes;
    }
}

void sinewi_find_track_key(const sinewi_mix_input *input, const sinewi_strip *strip, int planes, int32_t lane,
                           sinewi_track_keys *found) {
    const float now = input->time;
    const size_t at = strip->offset + (size_t)lane;
    uint32_t key = input->track_starts[at] + input->track_row[at];
    const float *times = input->clip->tracks.times + key;
    const uint32_t passed = 2 - (uint32_t)(now < times[1]) - (uint32_t)(now < times[2]);
    const float earlier = times[passed], later = times[passed + 1], interval = later - earlier;
    float u = (now - earlier) / interval;
    if (!(u < 0x1.fffffep-1f)) u = 0x1.fffffep-1f;
    if (!(now < later)) u = 1.0f;
    found->u[lane] = earlier < now ? u : 0.0f;
    found->interval[lane] = interval;
    found->at[lane] = strip->track_values + (key + passed) * (uint32_t)planes;
}

bool sinewi_find_mode_weights(const sinewi_rows *rows, sinewi_key *key, sinewi_mode_weights *weights) {
    const uint32_t count = sinewi_weight_count(rows->weight_counts);
    if (count == 0) return true;
    if (count > SINEWI_MODE_WEIGHTS - weights->count) return false;
    key->weights = weights->values + weights->count;
    sinewi_weigh_modes(rows, key, key->u, weights->values + weights->count);
    weights->count += count;
    return true;
}
