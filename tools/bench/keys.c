// SPDX-License-Identifier: MIT
// The channels of the measured clips: sines with whole periods on every joint, each about its own axis, so clips loop.
// Or a file's channels.
#include "bench/keys.h"

#include "bench/memory.h"

#include <math.h>
#include <string.h>

enum { UNIFORM_KEYS = 61, MIN_KEYS = 20, MAX_KEYS = 61 };

static const float duration = 2.0f; // seconds
static const float turn = 6.2831853f;

// ---- Making --------------------------------------------------------------------------------------------------

static void write_uniform_times(float *times) {
    for (int i = 0; i < UNIFORM_KEYS; i++) times[i] = duration * (float)i / (UNIFORM_KEYS - 1);
}

// Writes times from 0 to the clip's end. The longest step is three times the shortest.
static int32_t write_sparse_times(bench_random *random, float *times) {
    int32_t count = MIN_KEYS + (int32_t)(bench_random_next(random) % 21);
    times[0] = 0.0f;
    for (int32_t i = 1; i < count; i++) times[i] = times[i - 1] + bench_random_float(random, 0.5f, 1.5f);
    float scale = duration / times[count - 1];
    for (int32_t i = 1; i < count; i++) times[i] *= scale;
    times[count - 1] = duration;
    return count;
}

// Writes some of the uniform times, including the first and last.
static int32_t write_grid_times(bench_random *random, float *times) {
    float all[UNIFORM_KEYS];
    int32_t left = MIN_KEYS + (int32_t)(bench_random_next(random) % 21), count = 0;
    write_uniform_times(all);
    times[count++] = all[0];
    left -= 2;
    for (int i = 1; i + 1 < UNIFORM_KEYS; i++) {
        if ((int32_t)(bench_random_next(random) % (uint64_t)(UNIFORM_KEYS - 1 - i)) >= left) continue;
        times[count++] = all[i];
        left--;
    }
    times[count++] = all[UNIFORM_KEYS - 1];
    return count;
}

// A swing. Its period divides the clip's duration.
typedef struct wave {
    float size, turns, start;
} wave;

static wave draw_wave(bench_random *random, float least, float most) {
    float size = bench_random_float(random, least, most);
    float turns = (float)(1 + bench_random_next(random) % 3);
    return (wave){size, turns, bench_random_float(random, 0.0f, turn)};
}

static float wave_at(const wave *w, float time) {
    return w->size * sinf(w->turns * turn * time / duration + w->start);
}

static sinew_vec3 draw_axis(bench_random *random) {
    sinew_vec3 a;
    float square;
    do {
        a.x = bench_random_float(random, -1.0f, 1.0f);
        a.y = bench_random_float(random, -1.0f, 1.0f);
        a.z = bench_random_float(random, -1.0f, 1.0f);
        square = sinew_vec3_dot(a, a);
    } while (square < 0.01f || square > 1.0f);
    return sinew_vec3_normalize(a);
}

static void write_rotations(bench_random *random, const float *times, int32_t count, float *values) {
    sinew_vec3 axis = draw_axis(random);
    wave w = draw_wave(random, 0.1f, 0.5f); // radians
    for (int32_t i = 0; i < count; i++) {
        sinew_quat rotation = sinew_quat_from_axis_angle(axis, wave_at(&w, times[i]));
        memcpy(values + (ptrdiff_t)4 * i, &rotation, sizeof rotation);
    }
}

static void write_vectors(bench_random *random, sinew_vec3 middle, float size, const float *times, int32_t count,
                          float *values) {
    const float centre[3] = {middle.x, middle.y, middle.z};
    for (int axis = 0; axis < 3; axis++) {
        wave w = draw_wave(random, 0.3f * size, size);
        for (int32_t i = 0; i < count; i++) values[(ptrdiff_t)3 * i + axis] = centre[axis] + wave_at(&w, times[i]);
    }
}

static bool is_moved(bench_keys keys, int32_t node, sinew_channel_target path) {
    if (keys != BENCH_KEYS_GAME || path == SINEW_TARGET_ROTATION) return true;
    return path == SINEW_TARGET_TRANSLATION && node < 2;
}

static bench_channels allocate_channels(size_t most, size_t numbers) {
    return (bench_channels){
        .channels = bench_allocate(most, sizeof(sinew_channel_def)),
        .numbers = bench_allocate(numbers, sizeof(float)),
    };
}

// Writes times and values to `numbers`. Returns their end.
static float *add_channel(bench_channels *all, const sinew_skeleton *skeleton, bench_keys keys, int32_t node,
                          sinew_channel_target path, bench_random *random, float *numbers) {
    float *times = numbers;
    int32_t count = UNIFORM_KEYS;
    if (keys == BENCH_KEYS_SPARSE) {
        count = write_sparse_times(random, times);
    } else if (keys == BENCH_KEYS_GRID) {
        count = write_grid_times(random, times);
    } else {
        write_uniform_times(times);
    }
    float *values = times + count;
    const sinew_transform *rest = &skeleton->rest[node];
    if (path == SINEW_TARGET_ROTATION) {
        write_rotations(random, times, count, values);
    } else if (path == SINEW_TARGET_TRANSLATION) {
        write_vectors(random, rest->translation, 0.02f, times, count, values); // meters
    } else {
        write_vectors(random, rest->scale, 0.05f, times, count, values);
    }
    all->channels[all->count++] = (sinew_channel_def){node, path, SINEW_INTERPOLATION_LINEAR, count, times, values};
    return values + (ptrdiff_t)count * (path == SINEW_TARGET_ROTATION ? 4 : 3);
}

bench_channels bench_channels_make(const sinew_skeleton *skeleton, bench_keys keys, int clip) {
    size_t most = 3 * (size_t)skeleton->node_count;
    bench_channels all = allocate_channels(most, most * MAX_KEYS * 5);
    float *numbers = all.numbers;
    bench_random random = {(uint64_t)clip + 1};
    for (int32_t node = 0; node < skeleton->node_count; node++) {
        for (int path = SINEW_TARGET_TRANSLATION; path <= SINEW_TARGET_SCALE; path++) {
            if (!is_moved(keys, node, (sinew_channel_target)path)) continue;
            numbers = add_channel(&all, skeleton, keys, node, (sinew_channel_target)path, &random, numbers);
        }
    }
    return all;
}

// ---- Reading -------------------------------------------------------------------------------------------------

// Reads a key by sampling at its time, which returns it exactly. That includes the last key, which is held after the
// end.
static void read_key(const sinew_pose *pose, const sinew_channel_def *channel, int32_t key, float *values) {
    sinew_transform t = sinew_pose_get(pose, channel->node);
    sinew_vec3 v = channel->target == SINEW_TARGET_TRANSLATION ? t.translation : t.scale;
    if (channel->target == SINEW_TARGET_ROTATION) {
        memcpy(values + (ptrdiff_t)4 * key, (float[]){t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w},
               4 * sizeof(float));
    } else {
        memcpy(values + (ptrdiff_t)3 * key, (float[]){v.x, v.y, v.z}, 3 * sizeof(float));
    }
}

static int32_t keys_of(const sinew_channel *channel) {
    return channel->timeline < 0 ? 1 : channel->key_count;
}

static void read_channel(const sinew_clip *clip, const sinew_channel *from, sinew_channel_def *to, float *numbers,
                         sinew_pose *pose) {
    float *times = numbers, *values = numbers + keys_of(from);
    *to = (sinew_channel_def){from->node, from->target, from->interpolation, keys_of(from), times, values};
    for (int32_t key = 0; key < to->key_count; key++) {
        times[key] = from->timeline < 0 ? 0.0f : sinew_timeline_time(&clip->timelines[from->timeline], key);
        sinew_clip_sample(clip, times[key], pose);
        read_key(pose, to, key, values);
    }
}

bench_channels bench_channels_read(const sinew_clip *clip) {
    size_t numbers = 0;
    for (int32_t i = 0; i < clip->channel_count; i++) numbers += 5 * (size_t)keys_of(&clip->channels[i]);
    bench_channels all = allocate_channels((size_t)clip->channel_count, numbers);
    sinew_pose *pose;
    if (sinew_pose_create(clip->skeleton, NULL, &pose) != SINEW_OK) return all;
    float *next = all.numbers;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *from = &clip->channels[i];
        if (from->target == SINEW_TARGET_WEIGHTS) continue;
        read_channel(clip, from, &all.channels[all.count++], next, pose);
        next += 5 * (ptrdiff_t)keys_of(from);
    }
    sinew_pose_destroy(pose);
    return all;
}

void bench_channels_free(bench_channels *channels) {
    bench_release(channels->channels);
    bench_release(channels->numbers);
}
