// SPDX-License-Identifier: MIT
// Reads MOTION: for each frame, one number per channel, in the order of the joints. A joint's numbers become keys right
// away: a translation in meters, and a rotation.
#include "io/bvh_read.h"
#include "base/angle.h"

#include <math.h>
#include <string.h>

// ---- The head ------------------------------------------------------------------------------------------------

static bool expect(sinewi_bvh_import *b, const char *expected) {
    sinewi_bvh_word word = sinewi_bvh_next_word(&b->text);
    return sinewi_bvh_word_is(word, expected) || sinewi_bvh_fail_expected(b, word, expected);
}

// Counts the numbers from here to another word or the end of the file.
static size_t count_numbers(const sinewi_bvh_import *b, bool *ends_file) {
    sinewi_bvh_text ahead = b->text;
    size_t count = 0;
    for (;;) {
        const sinewi_bvh_word word = sinewi_bvh_next_word(&ahead);
        double unused;
        *ends_file = word.length == 0;
        if (*ends_file || !sinewi_bvh_read_number(word, &unused)) return count;
        count++;
    }
}

// Files may have fewer or more frames than they announce. The frames that are there count.
static bool find_frames(sinewi_bvh_import *b, sinewi_bvh_motion *m) {
    if (b->channel_count == 0) return true;
    bool ends_file;
    const size_t numbers = count_numbers(b, &ends_file), frames = numbers / b->channel_count;
    const bool lacks = frames < (size_t)m->frame_count;
    if (frames == (size_t)m->frame_count || frames > INT32_MAX) return true;
    if (lacks && (!ends_file || frames == 0)) { // reading on will report what's wrong
        m->frame_count = (int32_t)frames + 1;
        return true;
    }
    sinewi_bvh_note(b, "line %d: the frame count is %d, but the file has %zu",
                    sinewi_bvh_line(&b->text, sinewi_bvh_peek_word(&b->text)), (int)m->frame_count, frames);
    m->frame_count = (int32_t)frames;
    return true;
}

static bool read_frame_count(sinewi_bvh_import *b, sinewi_bvh_motion *m) {
    if (!expect(b, "Frames")) return false;
    sinewi_bvh_word word = sinewi_bvh_peek_word(&b->text);
    double count;
    if (!sinewi_bvh_next_number(b, &count)) return false;
    if (!(count >= 0.0 && count <= INT32_MAX && count == floor(count)))
        return sinewi_bvh_fail(b, word, SINEW_ERROR_FORMAT, "%.15g frames", count);
    m->frame_count = (int32_t)count;
    return true;
}

static bool read_frame_time(sinewi_bvh_import *b, sinewi_bvh_motion *m) {
    if (!expect(b, "Frame") || !expect(b, "Time")) return false;
    sinewi_bvh_word word = sinewi_bvh_peek_word(&b->text);
    if (!sinewi_bvh_next_number(b, &m->frame_time)) return false;
    double last = m->frame_time * (double)m->frame_count;
    if (m->frame_count <= 1 || (m->frame_time > 0.0 && isfinite((float)last))) return true;
    return sinewi_bvh_fail(
        b, word, SINEW_ERROR_FORMAT,
        "the frame time is %g s for %d frames; it must be above 0 and within the range of floats", m->frame_time,
        (int)m->frame_count);
}

static bool make_times(sinewi_bvh_import *b, sinewi_bvh_motion *m) {
    bool has_keys = b->channel_count > 0;
    m->times = sinewi_arena_array(&b->scratch, float, has_keys ? (size_t)m->frame_count : 0);
    if (!m->times) return sinewi_bvh_fail_memory(b);
    for (int32_t f = 0; f < m->frame_count && has_keys; f++) {
        m->times[f] = f > 0 ? (float)((double)f * m->frame_time) : 0.0f;
        if (f == 0 || m->times[f] > m->times[f - 1]) continue;
        return sinewi_bvh_fail(
            b, sinewi_bvh_peek_word(&b->text), SINEW_ERROR_FORMAT,
            "the frame time of %g s is too short: frames %d and %d end up at the same time as 32-bit floats",
            m->frame_time, (int)f - 1, (int)f);
    }
    return true;
}

static bool has_channel(const sinewi_bvh_joint *joint, bool rotation) {
    for (int i = 0; i < joint->channel_count; i++) {
        if ((joint->channels[i] >= SINEWI_BVH_ROTATION_X) == rotation) return true;
    }
    return false;
}

static bool make_keys(sinewi_bvh_import *b, sinewi_bvh_motion *m) {
    m->keys = sinewi_arena_zeros(&b->scratch, sinewi_bvh_keys, (size_t)b->joint_count);
    if (!m->keys) return sinewi_bvh_fail_memory(b);
    size_t frames = (size_t)m->frame_count;
    for (int32_t j = 0; j < b->joint_count; j++) {
        sinewi_bvh_keys *keys = &m->keys[j];
        bool moves = has_channel(&b->joints[j], false), turns = has_channel(&b->joints[j], true);
        if (moves) keys->translations = sinewi_arena_array(&b->scratch, sinew_vec3, frames);
        if (turns) keys->rotations = sinewi_arena_array(&b->scratch, sinew_quat, frames);
        if ((moves && !keys->translations) || (turns && !keys->rotations)) return sinewi_bvh_fail_memory(b);
    }
    return true;
}

// ---- Frames --------------------------------------------------------------------------------------------------

// A rotation in double precision.
typedef struct rotation {
    double x, y, z, w;
} rotation;

// `r` times a rotation about axis 0, 1 or 2, by an angle in degrees. A quaternion repeats after 720 degrees.
static rotation rotate(rotation r, int axis, double degrees) {
    const double radians_per_degree = 0x1.1df46a2529d39p-6; // pi / 180
    sinewi_sine_cosine half = sinewi_sine_cosine_of(0.5 * radians_per_degree * fmod(degrees, 720.0));
    double s = half.sine, c = half.cosine;
    if (axis == 0) return (rotation){r.x * c + r.w * s, r.y * c + r.z * s, r.z * c - r.y * s, r.w * c - r.x * s};
    if (axis == 1) return (rotation){r.x * c - r.z * s, r.y * c + r.w * s, r.z * c + r.x * s, r.w * c - r.y * s};
    return (rotation){r.x * c + r.y * s, r.y * c - r.x * s, r.z * c + r.w * s, r.w * c - r.z * s};
}

static bool check_metres(sinewi_bvh_import *b, const sinewi_bvh_joint *joint, sinewi_bvh_word word, sinew_vec3 t) {
    if (isfinite(t.x) && isfinite(t.y) && isfinite(t.z)) return true;
    return sinewi_bvh_fail(b, word, SINEW_ERROR_FORMAT, "a position of '%s' is too large", joint->name);
}

// Reads one joint's numbers for one frame.
static bool read_joint_frame(sinewi_bvh_import *b, const sinewi_bvh_joint *joint, sinewi_bvh_keys *keys,
                             int32_t frame) {
    double position[3] = {joint->offset[0], joint->offset[1], joint->offset[2]}, value;
    rotation r = {0, 0, 0, 1};
    sinewi_bvh_word word = sinewi_bvh_peek_word(&b->text);
    for (int i = 0; i < joint->channel_count; i++) {
        if (!sinewi_bvh_next_number(b, &value)) return false;
        int axis = joint->channels[i] % 3;
        if (joint->channels[i] < SINEWI_BVH_ROTATION_X) {
            position[axis] = value;
        } else {
            r = rotate(r, axis, value);
        }
    }
    if (keys->translations) {
        sinew_vec3 t = sinewi_bvh_turned(b, b->scale * position[0], b->scale * position[1], b->scale * position[2]);
        if (!check_metres(b, joint, word, t)) return false;
        keys->translations[frame] = t;
    }
    if (keys->rotations) {
        sinew_vec3 v = sinewi_bvh_turned(b, r.x, r.y, r.z);
        keys->rotations[frame] = (sinew_quat){v.x, v.y, v.z, (float)r.w};
    }
    return true;
}

static bool read_frames(sinewi_bvh_import *b, sinewi_bvh_motion *m) {
    for (int32_t f = 0; f < m->frame_count && b->channel_count > 0; f++) {
        for (int32_t j = 0; j < b->joint_count; j++) {
            if (!read_joint_frame(b, &b->joints[j], &m->keys[j], f)) return false;
        }
    }
    sinewi_bvh_word word = sinewi_bvh_next_word(&b->text);
    if (word.length > 0) {
        sinewi_bvh_note(b, "line %d: text after the last frame is ignored", sinewi_bvh_line(&b->text, word));
    }
    return true;
}

// ---- The clip ------------------------------------------------------------------------------------------------

static int32_t collect_channels(const sinewi_bvh_import *b, const sinewi_bvh_motion *m,
                                sinew_channel_def *channels) {
    int32_t count = 0;
    for (int32_t j = 0; j < b->joint_count; j++) {
        sinew_channel_def channel = {
            .node = b->data->asset.skeleton->node_of_source[j],
            .interpolation = SINEW_INTERPOLATION_LINEAR,
            .key_count = m->frame_count,
            .times = m->times,
        };
        if (m->keys[j].translations) {
            channel.target = SINEW_TARGET_TRANSLATION;
            channel.values = &m->keys[j].translations->x;
            channels[count++] = channel;
        }
        if (m->keys[j].rotations) {
            channel.target = SINEW_TARGET_ROTATION;
            channel.values = &m->keys[j].rotations->x;
            channels[count++] = channel;
        }
    }
    return count;
}

// Replaces the clip with a compressed copy, if the options ask for it.
static sinew_result compress_clip(const sinewi_bvh_import *b, sinew_clip **clip, sinew_error *error) {
    if (b->options.compress_error == 0.0f) return SINEW_OK;
    sinew_compress_def def = sinew_compress_default();
    def.max_error = b->options.compress_error;
    def.allocator = sinewi_asset_allocator(b->data);
    sinew_clip *exact = *clip;
    sinew_result result = sinew_clip_compress(exact, &def, clip, error);
    sinew_clip_destroy(exact);
    return result;
}

static bool make_clip(sinewi_bvh_import *b, const sinewi_bvh_motion *m) {
    sinew_channel_def *channels = sinewi_arena_array(&b->scratch, sinew_channel_def, 2 * (size_t)b->joint_count);
    sinew_clip *clips = sinewi_arena_array(&b->data->arena, sinew_clip, 1);
    if (!channels || !clips) return sinewi_bvh_fail_memory(b);
    sinew_clip_def def = sinew_clip_default();
    def.name = b->clip_name;
    def.skeleton = b->data->asset.skeleton;
    def.channels = channels;
    def.channel_count = collect_channels(b, m, channels);
    def.duration = m->frame_count > 1 ? (float)((double)(m->frame_count - 1) * m->frame_time) : 0.0f;
    def.key_format = b->options.key_format;
    def.allocator = sinewi_asset_allocator(b->data);
    sinew_clip *clip;
    sinew_error inner;
    sinew_result result = sinew_clip_create(&def, &clip, &inner);
    if (result == SINEW_OK) result = compress_clip(b, &clip, &inner);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_bvh_fail_memory(b);
    if (result != SINEW_OK) {
        sinewi_fail(b->error, result, "MOTION: %s", inner.message);
        return false;
    }
    *clips = *clip; // the asset owns its arrays
    b->data->asset.clips = clips;
    b->data->asset.clip_count = 1;
    return true;
}

bool sinewi_bvh_make_clip(sinewi_bvh_import *b) {
    return b->motion.frame_count == 0 || make_clip(b, &b->motion);
}

bool sinewi_bvh_read_motion(sinewi_bvh_import *b) {
    sinewi_bvh_motion *m = &b->motion;
    if (!read_frame_count(b, m) || !read_frame_time(b, m) || !find_frames(b, m) || !make_times(b, m)) return false;
    return make_keys(b, m) && read_frames(b, m);
}
