// SPDX-License-Identifier: MIT
// Draws random skeletons and clips.
#include "support/random_rig.h"

#include <float.h>

#define MOST_KEYS      12
#define MOST_TIMELINES 3

int32_t draw_count(uint64_t *state, int32_t low, int32_t high) {
    return low + (int32_t)(random_next(state) % (uint32_t)(high - low + 1));
}

float draw_value(uint64_t *state, bool extreme) {
    static const float values[] = {0.0f,     -0.0f,   1.0f,  -1.0f,  1e-45f,      -3e-41f,      FLT_MIN,
                                   1e-20f,   -1e-20f, 1e20f, -1e20f, FLT_MAX / 4, -FLT_MAX / 4, 16777216.0f,
                                   0.33333f, -123.4f, 2e-3f, 7e4f,   FLT_EPSILON, -FLT_MIN};
    if (!extreme || random_next(state) % 2 == 0) return random_float(state, -2, 2);
    return values[random_next(state) % (sizeof values / sizeof *values)];
}

sinew_skeleton *draw_skeleton(uint64_t *state, int32_t node_count, bool extreme) {
    sinew_node_def *nodes = calloc((size_t)node_count, sizeof *nodes);
    assert_non_null(nodes);
    for (int32_t i = 0; i < node_count; i++) {
        nodes[i].parent = i == 0 || random_next(state) % 10 == 0 ? SINEW_NO_NODE : draw_count(state, 0, i - 1);
        if (random_next(state) % 3 == 0) nodes[i].parent = i - 1; // long chains, too
        nodes[i].rest.translation = (sinew_vec3){draw_value(state, extreme), draw_value(state, extreme), 1};
        nodes[i].rest.rotation = random_quat(state);
        nodes[i].rest.scale = (sinew_vec3){draw_value(state, extreme), 1, 1};
        if (random_next(state) % 4 == 0) nodes[i].weight_count = draw_count(state, 1, 19);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = node_count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    free(nodes);
    return skeleton;
}

uint64_t add_bits(uint64_t bits, const float *floats, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, &floats[i], sizeof word);
        for (int shift = 0; shift < 32; shift += 8)
            bits = (bits ^ (word >> shift & 0xff)) * UINT64_C(1099511628211);
    }
    return bits;
}

uint64_t add_bits_of_pose(uint64_t bits, const sinew_pose *pose) {
    const float *planes[10] = {pose->tx, pose->ty, pose->tz, pose->rx, pose->ry,
                               pose->rz, pose->rw, pose->sx, pose->sy, pose->sz};
    for (int i = 0; i < 10; i++) bits = add_bits(bits, planes[i], (size_t)pose->skeleton->node_count);
    return add_bits(bits, pose->weights, (size_t)pose->skeleton->weight_count);
}

void check_bits(uint64_t bits, uint64_t pinned) {
    if (bits == pinned) return;
    fail_msg("the bits come to 0x%016llx, not 0x%016llx", (unsigned long long)bits, (unsigned long long)pinned);
}

// ---- Keys ----------------------------------------------------------------------------------------------------

typedef struct key_times {
    int32_t count;
    float times[MOST_KEYS];
} key_times;

// Key times: evenly spaced, random, or dense at the start.
static key_times draw_times(uint64_t *state) {
    key_times drawn = {.count = draw_count(state, 2, MOST_KEYS)};
    int style = draw_count(state, 0, 2);
    float time = random_float(state, 0, 0.5f), step = 0.01f;
    for (int32_t k = 0; k < drawn.count; k++) {
        drawn.times[k] = style == 0 ? (float)k * 0.25f : time;
        step *= 2.0f;
        time += style == 1 ? random_float(state, 0.01f, 0.5f) : step;
    }
    return drawn;
}

// The rotation key after `before`: q, -q, a rotation by 180° or by nearly 90°, or a random one.
static sinew_quat draw_rotation(uint64_t *state, sinew_quat before) {
    switch (random_next(state) % 6) {
    case 0:
        return before;
    case 1:
        return (sinew_quat){-before.x, -before.y, -before.z, -before.w};
    case 2:
        return sinew_quat_multiply(before, (sinew_quat){0, 1, 0, 0});
    case 3:
        return sinew_quat_multiply(before, about_x(PI / 2 + (double)random_float(state, -1e-6f, 1e-6f)));
    case 4:
        return sinew_quat_multiply(before, about_z((double)random_float(state, 0, 1e-3f)));
    default:
        return random_quat(state);
    }
}

static void draw_rotations(uint64_t *state, float *values, int32_t count) {
    sinew_quat q = random_quat(state);
    for (int32_t k = 0; k < count; k++, values += 4) {
        q = draw_rotation(state, q);
        values[0] = q.x, values[1] = q.y, values[2] = q.z, values[3] = q.w;
    }
}

static float *draw_keys(uint64_t *state, const sinew_channel_def *channel, int32_t width, bool extreme) {
    int32_t count = channel->key_count * (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1);
    float *values = calloc((size_t)count * (size_t)width, sizeof *values);
    assert_non_null(values);
    if (channel->target == SINEW_TARGET_ROTATION && random_next(state) % 8 != 0) {
        draw_rotations(state, values, count);
        return values;
    }
    for (int32_t i = 0; i < count * width; i++) values[i] = draw_value(state, extreme);
    return values;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

typedef struct drawn_channels {
    sinew_channel_def *channels;
    key_times *own_times;
    int32_t count;
} drawn_channels;

static int32_t width_of(const sinew_skeleton *skeleton, int32_t node, sinew_channel_target path) {
    if (path == SINEW_TARGET_ROTATION) return 4;
    if (path != SINEW_TARGET_WEIGHTS) return 3;
    return skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
}

static drawn_channels draw_channels(uint64_t *state, const sinew_skeleton *skeleton, random_clip_options options,
                                    const key_times shared[MOST_TIMELINES]) {
    size_t most = 4 * (size_t)skeleton->node_count;
    drawn_channels drawn = {calloc(most, sizeof *drawn.channels), calloc(most, sizeof *drawn.own_times), 0};
    assert_non_null(drawn.channels);
    assert_non_null(drawn.own_times);
    bool one_kind = random_next(state) % 2 == 0; // makes full strips, or strips that share their groups
    for (int32_t i = 0; i < (int32_t)most; i++) {
        int32_t node = i / 4, width = width_of(skeleton, node, (sinew_channel_target)(i % 4));
        if (width == 0 || draw_count(state, 1, 100) > options.percent) continue;
        drawn.own_times[i] = draw_times(state);
        const key_times *times = &drawn.own_times[i];
        if (options.timelines > 0) times = &shared[random_next(state) % (uint32_t)options.timelines];
        sinew_channel_def *channel = &drawn.channels[drawn.count++];
        *channel = (sinew_channel_def){
            .node = node, .target = (sinew_channel_target)(i % 4), .interpolation = SINEW_INTERPOLATION_LINEAR};
        if (!one_kind) channel->interpolation = (sinew_interpolation)draw_count(state, 0, 2);
        channel->times = times->times;
        channel->key_count = times->count;
        channel->values = draw_keys(state, channel, width, options.extreme);
    }
    return drawn;
}

sinew_clip *draw_clip(uint64_t *state, const sinew_skeleton *skeleton, random_clip_options options) {
    key_times shared[MOST_TIMELINES];
    for (int i = 0; i < MOST_TIMELINES; i++) shared[i] = draw_times(state);
    drawn_channels drawn = draw_channels(state, skeleton, options, shared);
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channels = drawn.channels;
    def.channel_count = drawn.count;
    def.key_format = options.rows;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    for (int32_t i = 0; i < drawn.count; i++) free((void *)(uintptr_t)drawn.channels[i].values);
    free(drawn.channels);
    free(drawn.own_times);
    return clip;
}
