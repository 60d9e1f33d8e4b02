// SPDX-License-Identifier: MIT
// The second part of creating a clip. Allocates its memory block and fills it using clip_build.c's plan.
//
// `plan` is this plan, and `a` has the clip's arrays. A strip consists of planes. A plane is one component, such as the
// x of a value or tangent, for SINEW_LANES lanes, one lane per node. A lane without a channel is idle. A row has one
// key of all its strips. Tracks have all keys of one lane after another, and an index by equal stretches of time, the
// buckets. The base has the values of everything constant. See kernels/layout.h for details.
#include "core/clip_build.h"
#include "core/skeleton_object.h"
#include "base/authored.h"
#include "base/fail.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The clip's arrays while they are being filled.
typedef struct clip_arrays {
    sinewi_clip_object *object;
    const char *name;
    sinew_channel *channels;
    sinew_marker *markers;
    sinew_timeline *timelines;
    sinewi_rows *rows;
    sinewi_strip *strips;
    int32_t *group_strips;
    sinewi_group *groups;
    uint8_t *fast_paths;
    uint16_t *wraps;
    float *track_times, *track_values;
    uint8_t *track_index;
    uint32_t *track_starts;
    size_t tracks_written; // in keys
    sinewi_block *base;
    float *base_weights;
    float *mode_memory;
    size_t mode_floats;
    sinewi_exact_end *ends;
} clip_arrays;

// ---- Timelines -----------------------------------------------------------------------------------------------

float sinewi_key_rate(const sinew_timeline *timeline) {
    float last = timeline->times[(ptrdiff_t)(timeline->key_count - 1) * timeline->stride];
    float span = last - timeline->times[0];
    return (float)(timeline->key_count - 1) / span;
}

// Float times such as k / 30 aren't evenly spaced to the last bit. They don't have to be, because sampling compares
// with the times themselves.
bool sinewi_has_uniform_times(const sinew_timeline *timeline) {
    float rate = sinewi_key_rate(timeline);
    const float *time = timeline->times;
    for (int32_t k = 0; k < timeline->key_count; k++, time += timeline->stride) {
        float position = (*time - timeline->times[0]) * rate;
        if (!(fabsf(position - (float)k) < 0.25f)) return false;
    }
    return timeline->key_count < 1 << 22; // beyond this, floats can't represent a quarter of a step
}

// ---- Buckets of tracks ---------------------------------------------------------------------------------------

// Makes tracks that divide the clip's duration into equal buckets, without memory.
sinewi_tracks sinewi_tracks_with(const sinewi_clip_plan *plan, int32_t bucket_count) {
    return (sinewi_tracks){.bucket_count = bucket_count, .buckets_a_second = (float)bucket_count / plan->duration};
}

// Returns the first of a bucket's four keys. This is the last key before the bucket, or the first key. It is never one
// of the last three keys. Tracks have at least four. `key` is the previous bucket's result.
static int32_t find_first_key(const sinewi_tracks *tracks, const sinew_channel_def *channel, int32_t bucket,
                              int32_t key) {
    while (key < channel->key_count - SINEWI_TRACK_KEYS &&
           sinewi_tracks_bucket(tracks, channel->times[key + 1]) < bucket) {
        key++;
    }
    return key;
}

// Returns whether the four keys from `first` on are enough for any time in a bucket. The fourth must be after the
// bucket, or the last key.
static bool covers_bucket(const sinewi_tracks *tracks, const sinew_channel_def *channel, int32_t bucket,
                          int32_t first) {
    int32_t beyond = first + SINEWI_TRACK_KEYS - 1;
    return beyond >= channel->key_count - 1 || sinewi_tracks_bucket(tracks, channel->times[beyond]) > bucket;
}

bool sinewi_tracks_fit(const sinewi_tracks *tracks, const sinew_channel_def *channel) {
    int32_t key = 0;
    for (int32_t bucket = 0; bucket < tracks->bucket_count; bucket++) {
        key = find_first_key(tracks, channel, bucket, key);
        if (!covers_bucket(tracks, channel, bucket, key)) return false;
    }
    return true;
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Places the key times and rows of each timeline that has rows, and copies the times. Other timelines only have times
// in the tracks.
static void lay_out_timelines(sinewi_layout *layout, const sinewi_clip_plan *plan, clip_arrays *a) {
    for (int32_t t = 0; t < plan->timeline_count; t++) {
        const sinew_channel_def *user = &plan->def->channels[plan->first_user[t]]; // any channel with this timeline
        sinew_timeline as_given = {user->times, user->key_count, 1, false};
        bool uniform = layout->base && sinewi_has_uniform_times(&as_given);
        if (layout->base) a->timelines[t] = (sinew_timeline){.key_count = user->key_count, .uniform = uniform};
        int32_t r = plan->row_of[t];
        if (r < 0) continue;
        size_t keys = (size_t)user->key_count;
        float *times = sinewi_layout_array(layout, float, keys, sizeof(float));
        char *rows = (char *)sinewi_layout_take(layout, keys, plan->row_stride[r], SINEWI_ALIGNMENT);
        if (!layout->base) continue;
        memcpy(times, user->times, keys * sizeof(float));
        a->timelines[t].times = times;
        a->timelines[t].stride = 1;
        a->rows[r] = (sinewi_rows){.times = times,
                                   .keys = rows,
                                   .stride = plan->row_stride[r],
                                   .keys_a_second = sinewi_key_rate(&as_given),
                                   .key_count = user->key_count,
                                   .uniform = uniform};
        if (!plan->row_weights) continue;
        a->rows[r].weight_offset = plan->row_weights[r].offset;
        memcpy(a->rows[r].weight_counts, plan->row_weights[r].counts, sizeof plan->row_weights[r].counts);
    }
}

// Returns the number of planes in one key of a strip.
static size_t count_planes(const sinewi_strip_plan *strip) {
    sinew_interpolation interpolation = (sinew_interpolation)strip->strip.interpolation;
    return (size_t)sinewi_target_width(strip->target) * (size_t)sinewi_parts(interpolation);
}

// Copies the arrays of a strip with modes.
static const float *lay_out_mode_arrays(sinewi_layout *layout, const sinewi_strip_plan *strip) {
    const int32_t width = sinewi_target_width(strip->target);
    const size_t constants = (size_t)width * strip->modes.constant_count,
                 floats = sinewi_mode_floats(&strip->modes, width);
    const bool is_aligned = strip->modes.lane_count == SINEW_LANES;
    sinewi_layout_array(layout, float, constants, sizeof(float));
    float *to = sinewi_layout_array(layout, float, floats, is_aligned ? SINEWI_ALIGNMENT : sizeof(float));
    if (!layout->base) return NULL;
    memcpy(to - constants, strip->modes.memory - constants, (constants + floats) * sizeof *to);
    return to;
}

// Copies the planned modes: first the structs, then their arrays.
static void lay_out_modes(sinewi_layout *layout, const sinewi_clip_plan *plan, clip_arrays *a) {
    size_t count = 0;
    for (int32_t i = 0; i < plan->strip_count; i++) count += plan->strips[i].has_modes;
    if (count == 0) return;
    sinewi_modes *modes = sinewi_layout_array(layout, sinewi_modes, count, sizeof(void *));
    a->mode_memory = sinewi_layout_array(layout, float, 0, SINEWI_ALIGNMENT);
    const size_t start = layout->size;
    for (int32_t i = 0; i < plan->strip_count; i++) {
        if (!plan->strips[i].has_modes) continue;
        const float *memory = lay_out_mode_arrays(layout, &plan->strips[i]);
        if (!layout->base) continue;
        *modes = plan->strips[i].modes;
        modes->memory = memory;
        a->strips[i].modes = modes++;
    }
    sinewi_layout_array(layout, float, SINEWI_MODES_OVERREAD, sizeof(float));
    a->mode_floats = (layout->size - start) / sizeof(float);
}

// Copies the planned strips and reserves ranges for 16-bit ones.
static void lay_out_strips(sinewi_layout *layout, const sinewi_clip_plan *plan, const clip_arrays *a) {
    for (int32_t i = 0; i < plan->strip_count; i++) {
        const sinewi_strip_plan *strip_plan = &plan->strips[i];
        sinewi_strip strip = strip_plan->strip;
        if (strip.rows != SINEWI_ON_TRACKS && plan->def->key_format == SINEW_KEYS_U16) {
            strip.ranges =
                sinewi_layout_array(layout, float, count_planes(strip_plan) * 2 * SINEW_LANES, SINEWI_ALIGNMENT);
        }
        if (layout->base) a->strips[i] = strip;
    }
}

static void lay_out_tracks(sinewi_layout *layout, const sinewi_clip_plan *plan, clip_arrays *a) {
    size_t stride = plan->tracks.stride, buckets = (size_t)plan->tracks.bucket_count;
    if (buckets == 0) return;
    size_t chapters = (size_t)sinewi_tracks_chapters(&plan->tracks);
    const size_t keys = plan->tracks.key_count, values = (size_t)plan->tracks.value_count + SINEWI_TRACK_OVERREAD;
    a->track_times = sinewi_layout_array(layout, float, keys, SINEWI_ALIGNMENT);
    a->track_values = sinewi_layout_array(layout, float, values, SINEWI_ALIGNMENT);
    a->track_starts = (uint32_t *)sinewi_layout_take(layout, chapters, stride * sizeof(uint32_t), SINEWI_ALIGNMENT);
    a->track_index = (uint8_t *)sinewi_layout_take(layout, buckets, stride, SINEWI_ALIGNMENT);
}

static void lay_out_markers(sinewi_layout *layout, const sinewi_clip_plan *plan, clip_arrays *a) {
    a->markers = sinewi_layout_array(layout, sinew_marker, (size_t)plan->def->marker_count, sizeof(void *));
    for (int32_t i = 0; i < plan->def->marker_count; i++) {
        sinew_marker marker = {sinewi_layout_string(layout, plan->markers[i].name), plan->markers[i].time};
        if (layout->base) a->markers[i] = marker;
    }
}

// Places all arrays in the clip's memory block. In the measuring pass, they are NULL.
static clip_arrays lay_out(sinewi_layout *layout, const sinewi_clip_plan *plan) {
    const sinew_skeleton *skeleton = plan->def->skeleton;
    clip_arrays a = {0};
    a.object = sinewi_layout_array(layout, sinewi_clip_object, 1, SINEWI_ALIGNMENT);
    a.timelines = sinewi_layout_array(layout, sinew_timeline, (size_t)plan->timeline_count, sizeof(void *));
    a.rows = sinewi_layout_array(layout, sinewi_rows, (size_t)plan->row_count, sizeof(void *));
    a.strips = sinewi_layout_array(layout, sinewi_strip, (size_t)plan->strip_count, sizeof(void *));
    a.group_strips = sinewi_layout_array(layout, int32_t, sinewi_group_count(skeleton) + 1, sizeof(int32_t));
    a.groups = sinewi_layout_array(layout, sinewi_group, sinewi_group_count(skeleton), sizeof(void *));
    a.fast_paths = sinewi_layout_array(layout, uint8_t, sinewi_node_blocks(skeleton), sizeof(uint8_t));
    a.wraps = sinewi_layout_array(layout, uint16_t, sinewi_node_blocks(skeleton), sizeof(uint16_t));
    if (!plan->shares_base)
        a.base = sinewi_layout_array(layout, sinewi_block, sinewi_node_blocks(skeleton), SINEWI_ALIGNMENT);
    a.base_weights = (float *)sinewi_layout_take(layout, sinewi_weight_blocks(skeleton),
                                                 SINEW_LANES * sizeof(float), SINEWI_ALIGNMENT);
    lay_out_timelines(layout, plan, &a);
    lay_out_strips(layout, plan, &a);
    lay_out_modes(layout, plan, &a);
    lay_out_tracks(layout, plan, &a);
    a.channels = sinewi_layout_array(layout, sinew_channel, (size_t)plan->def->channel_count, sizeof(int32_t));
    a.ends = sinewi_layout_array(layout, sinewi_exact_end, (size_t)plan->end_count, sizeof(int32_t));
    lay_out_markers(layout, plan, &a);
    a.name = sinewi_layout_string(layout, plan->def->name);
    return a;
}

// ---- Keys ----------------------------------------------------------------------------------------------------

// Normalizes four floats as a quaternion. A unit quaternion keeps its bits.
static sinew_quat normalize_rotation(const float values[4]) {
    return sinewi_quat_as_authored((sinew_quat){values[0], values[1], values[2], values[3]});
}

// Iterates over a channel's keys and converts them to the form that a lane stores.
typedef struct key_walk {
    const sinew_channel_def *channel;
    size_t channel_width; // floats per value of the channel
    size_t width;         // floats per value in a lane
    int32_t component;    // first of these floats. Only morph weights use other values than 0.
    int32_t parts;
    bool normalizes;  // normalize rotations. Not for CUBICSPLINE, because its tangents belong to the original
                      // values.
    bool is_verbatim; // keys already have the lane's form
    sinewi_key_limits limits;
    sinew_quat previous; // previous key's rotation with its original sign
    bool is_negated;     // the previous key was negated
} key_walk;

// Prepares to read a channel's keys in order. For morph weights, reads one component, because each has its own lane.
static key_walk start_walk(const sinewi_clip_plan *plan, const sinew_channel_def *channel, int32_t component) {
    bool cubic = channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    size_t channel_width = (size_t)sinewi_channel_width(plan->def->skeleton, channel->node, channel->target);
    size_t width = (size_t)sinewi_target_width(channel->target);
    key_walk walk = {
        .channel = channel,
        .channel_width = channel_width,
        .width = width,
        .component = component,
        .parts = sinewi_parts(channel->interpolation),
        .normalizes = channel->target == SINEW_TARGET_ROTATION && !cubic && !plan->source,
        .limits = sinewi_key_limits_of(channel, channel_width, (size_t)component, width,
                                       plan->def->key_format == SINEW_KEYS_U16),
    };
    walk.is_verbatim = !walk.normalizes && !walk.limits.needed && width == channel_width;
    return walk;
}

// Copies a lane's [parts × width] floats from a key of its channel.
static void copy_key(const key_walk *walk, const float *key, float out[12]) {
    for (size_t part = 0; part < (size_t)walk->parts; part++) {
        const float *from = key + part * walk->channel_width + walk->component;
        memcpy(out + part * walk->width, from, walk->width * sizeof(float));
    }
}

// Returns whether the shorter arc leads to the negated next rotation. Products of floats are exact in double. Keys half
// a turn apart have two shortest arcs, and their own signs decide.
static bool are_opposite(sinew_quat p, sinew_quat q) {
    return (double)p.x * (double)q.x + (double)p.y * (double)q.y + (double)p.z * (double)q.z +
               (double)p.w * (double)q.w <
           0.0;
}

// Normalizes a rotation and moves it to the previous key's hemisphere, so interpolation takes the shorter arc. Compares
// the keys' original signs, because negated ones would pick the other side of a half turn.
static void continue_rotation(key_walk *walk, const float *key, float out[4]) {
    const sinew_quat q = normalize_rotation(key);
    walk->is_negated ^= are_opposite(walk->previous, q);
    walk->previous = q;
    const sinew_quat kept = walk->is_negated ? (sinew_quat){-q.x, -q.y, -q.z, -q.w} : q;
    memcpy(out, &kept, sizeof kept);
}

// Converts a key whose form differs from the channel's.
static void convert_key(key_walk *walk, int32_t k, const float *key, float out[12]) {
    if (walk->normalizes) {
        continue_rotation(walk, key, out);
        return;
    }
    copy_key(walk, key, out);
    if (walk->limits.needed) sinewi_limit_key(&walk->limits, k, out);
}

// Returns the [parts × width] floats of key k in the form that a lane stores: limited (clip_keys.c), with unit
// rotations. Points into the channel if it already has this form, otherwise into `room`. You must request keys in
// order.
static inline const float *read_key(key_walk *walk, int32_t k, float room[12]) {
    const float *key = walk->channel->values + (size_t)k * walk->channel_width * (size_t)walk->parts;
    if (walk->is_verbatim) return key;
    convert_key(walk, k, key, room);
    return room;
}

// Writes one lane of the index, which has each bucket's first key.
static void fill_index(const clip_arrays *a, const sinewi_strip *strip, int lane,
                       const sinew_channel_def *channel) {
    const sinewi_tracks *tracks = &a->object->data.tracks;
    size_t at = strip->offset + (size_t)lane;
    int32_t key = 0, first = 0; // first key of the chapter
    for (int32_t bucket = 0; bucket < tracks->bucket_count; bucket++) {
        key = find_first_key(tracks, channel, bucket, key);
        if (bucket % SINEWI_TRACK_CHAPTER == 0) {
            first = key;
            a->track_starts[(size_t)(bucket / SINEWI_TRACK_CHAPTER) * tracks->stride + at] =
                (uint32_t)a->tracks_written + (uint32_t)first;
        }
        a->track_index[(size_t)bucket * tracks->stride + at] = (uint8_t)(key - first);
    }
}

// Appends a channel's keys. Repeats the last one to get at least a bucket's number of keys. The copies are at the same
// time, so none is before a time that you sample.
static void fill_track(clip_arrays *a, const sinewi_clip_plan *plan, const sinewi_strip *strip, int lane,
                       key_walk walk) {
    const sinew_channel_def *channel = walk.channel;
    const size_t planes = (size_t)walk.parts * walk.width;
    fill_index(a, strip, lane, channel);
    float room[12], *time = a->track_times + a->tracks_written;
    float *value = a->track_values + (strip->track_values + (uint32_t)(a->tracks_written * planes));
    const float *key = read_key(&walk, 0, room);
    sinew_timeline *timeline = &a->timelines[plan->timeline_of[channel - plan->def->channels]];
    if (!timeline->times) timeline->times = time, timeline->stride = 1;
    for (int32_t k = 0; k < channel->key_count || k < SINEWI_TRACK_KEYS; k++, value += planes) {
        if (k > 0 && k < channel->key_count) key = read_key(&walk, k, room);
        *time++ = channel->times[k < channel->key_count ? k : channel->key_count - 1];
        memcpy(value, key, planes * sizeof(float));
    }
    a->tracks_written = (size_t)(time - a->track_times);
}

// Writes a channel's keys to its lane.
static void fill_float_lane(const sinewi_rows *rows, const sinewi_strip *strip, int lane, key_walk walk) {
    size_t planes = (size_t)walk.parts * walk.width;
    float *row = (float *)(void *)(rows->keys + strip->offset) + lane;
    for (int32_t k = 0; k < walk.channel->key_count; k++, row += rows->stride / sizeof(float)) {
        float room[12];
        const float *key = read_key(&walk, k, room);
        for (size_t i = 0; i < planes; i++) row[i * SINEW_LANES] = key[i];
    }
}

// Finds each plane's minimum in a lane and the size of its 65,535 steps. A 16-bit key counts steps from the minimum.
static void find_ranges(const sinewi_strip *strip, int lane, key_walk walk) {
    size_t planes = (size_t)walk.parts * walk.width;
    float low[12] = {0}, high[12] = {0};
    for (int32_t k = 0; k < walk.channel->key_count; k++) {
        float room[12];
        const float *key = read_key(&walk, k, room);
        for (size_t i = 0; i < planes; i++) {
            low[i] = k == 0 ? key[i] : fminf(low[i], key[i]);
            high[i] = k == 0 ? key[i] : fmaxf(high[i], key[i]);
        }
    }
    float *ranges = strip->ranges + lane;
    for (size_t i = 0; i < planes; i++) {
        ranges[2 * i * SINEW_LANES] = low[i];
        ranges[(2 * i + 1) * SINEW_LANES] = high[i] / 65535.0f - low[i] / 65535.0f; // the difference itself may
                                                                                    // overflow
    }
}

// Writes a channel's keys to its lane, rounded to steps.
static void fill_16_bit_lane(const sinewi_rows *rows, const sinewi_strip *strip, int lane, key_walk walk) {
    find_ranges(strip, lane, walk);
    const float *ranges = strip->ranges + lane;
    size_t planes = (size_t)walk.parts * walk.width;
    for (int32_t k = 0; k < walk.channel->key_count; k++) {
        float room[12];
        const float *key = read_key(&walk, k, room);
        uint16_t *row = (uint16_t *)(void *)(rows->keys + (size_t)k * rows->stride + strip->offset) + lane;
        for (size_t i = 0; i < planes; i++) {
            float low = ranges[2 * i * SINEW_LANES], step = ranges[(2 * i + 1) * SINEW_LANES];
            double steps = step > 0.0f ? ((double)key[i] - (double)low) / (double)step : 0.0;
            row[i * SINEW_LANES] = (uint16_t)(steps < 65535.0 ? floor(steps + 0.5) : 65535.0);
        }
    }
}

// Returns the base values of a group, [components][SINEW_LANES].
static const float *find_base(const clip_arrays *a, sinew_channel_target target, size_t group) {
    const sinewi_block *base = a->object->data.base;
    if (target != SINEW_TARGET_WEIGHTS) return base[group / SINEWI_GROUPS].lane[sinewi_target_plane(target)];
    return a->base_weights + (group - (size_t)a->object->data.node_groups) * SINEW_LANES;
}

// Fills a strip's idle lanes with the base. Sampling reads them and discards the result, so they must be finite. In
// 16-bit rows the minimum is the base, and the keys stay 0.
static void fill_idle_lanes(const clip_arrays *a, const sinewi_clip_plan *plan, size_t group, int32_t index) {
    const sinewi_strip *strip = &a->strips[index];
    const sinewi_strip_plan *strip_plan = &plan->strips[index];
    size_t width = (size_t)sinewi_target_width(strip_plan->target),
           parts = (size_t)sinewi_parts((sinew_interpolation)strip->interpolation);
    const float *base = find_base(a, strip_plan->target, group);
    size_t first = parts == 3 ? width : 0; // CUBICSPLINE tangents stay 0
    for (size_t l = 0; l < SINEW_LANES; l++) {
        if (strip_plan->channels[l] != SINEWI_NO_CHANNEL) continue;
        for (size_t i = 0; i < width; i++) {
            size_t element = (first + i) * SINEW_LANES + l;
            if (strip->ranges) {
                strip->ranges[2 * (first + i) * SINEW_LANES + l] = base[i * SINEW_LANES + l];
                continue;
            }
            const sinewi_rows *rows = &a->rows[strip->rows];
            for (int32_t k = 0; k < rows->key_count; k++) {
                float *row = (float *)(void *)(rows->keys + (size_t)k * rows->stride + strip->offset);
                row[element] = base[i * SINEW_LANES + l];
            }
        }
    }
}

// Makes idle lanes use the keys of a lane with a channel. Sampling discards the result, but it must be finite.
static void fill_idle_tracks(const clip_arrays *a, const sinewi_strip *strip, const sinewi_strip_plan *strip_plan) {
    const sinewi_tracks *tracks = &a->object->data.tracks;
    int used = 0;
    while (strip_plan->channels[used] == SINEWI_NO_CHANNEL) used++;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (strip_plan->channels[l] != SINEWI_NO_CHANNEL) continue;
        for (int32_t i = 0; i < tracks->bucket_count; i++) {
            uint8_t *row = a->track_index + (size_t)i * tracks->stride + strip->offset;
            row[l] = row[used];
        }
        for (int32_t i = 0; i < sinewi_tracks_chapters(tracks); i++) {
            uint32_t *row = a->track_starts + (size_t)i * tracks->stride + strip->offset;
            row[l] = row[used];
        }
    }
}

// Returns the rounded high byte of a weight.
static uint8_t high_byte(uint16_t weight) {
    return (uint8_t)(weight > UINT16_MAX - 0x80 ? 0xff : (weight + 0x80) >> 8);
}

// Writes the mode weights to the rows.
static void fill_mode_rows(const clip_arrays *a, const sinewi_clip_plan *plan) {
    for (int32_t i = 0; i < plan->mode_row_count; i++) {
        const sinewi_mode_rows *from = &plan->mode_rows[i];
        const sinewi_rows *rows = &a->rows[from->row];
        for (int32_t k = 0; k < from->key_count; k++) {
            uint16_t *words = (uint16_t *)(void *)(rows->keys + (size_t)k * rows->stride + from->offset);
            uint8_t *bytes = (uint8_t *)(words + from->word_count);
            for (int32_t j = 0; j < from->count; j++) {
                const uint16_t weight = from->weights[(size_t)j * (size_t)from->key_count + (size_t)k];
                if (j < from->word_count) {
                    words[j] = weight;
                } else {
                    bytes[j - from->word_count] = high_byte(weight);
                }
            }
        }
    }
}

// Writes the keys of all channels in a strip, then its idle lanes.
static void fill_strip(clip_arrays *a, const sinewi_clip_plan *plan, size_t group, int32_t index) {
    const sinewi_strip *strip = &a->strips[index];
    const sinewi_strip_plan *strip_plan = &plan->strips[index];
    if (strip->modes) return;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (strip_plan->channels[l] == SINEWI_NO_CHANNEL) continue;
        const sinew_channel_def *channel = &plan->def->channels[strip_plan->channels[l]];
        int32_t component = 0;
        if (strip_plan->target == SINEW_TARGET_WEIGHTS) {
            size_t weight = (group - (size_t)a->object->data.node_groups) * SINEW_LANES + (size_t)l;
            component = (int32_t)weight - sinewi_first_weight(plan->def->skeleton, channel->node, channel->target);
        }
        key_walk walk = start_walk(plan, channel, component);
        if (strip->rows == SINEWI_ON_TRACKS) {
            fill_track(a, plan, strip, l, walk);
        } else if (strip->ranges) {
            fill_16_bit_lane(&a->rows[strip->rows], strip, l, walk);
        } else {
            fill_float_lane(&a->rows[strip->rows], strip, l, walk);
        }
    }
    if (strip->rows == SINEWI_ON_TRACKS) {
        fill_idle_tracks(a, strip, strip_plan);
    } else {
        fill_idle_lanes(a, plan, group, index);
    }
}

// ---- Groups --------------------------------------------------------------------------------------------------

// Describes a group for the fast path in the kernels. It is constant, or a single strip of LINEAR rows, or
// SINEWI_GROUP_GENERAL for anything else. A strip with only a base has SINEWI_ON_TRACKS as rows, which is the same as
// SINEWI_GROUP_CONSTANT.
static sinewi_group describe_group(const sinewi_strip *strips, int32_t count) {
    if (count == 0) return (sinewi_group){.rows = SINEWI_GROUP_CONSTANT};
    bool on_rows = count == 1 && (strips->modes || strips->rows != SINEWI_ON_TRACKS);
    if (!on_rows || strips->interpolation != SINEW_INTERPOLATION_LINEAR || strips->rows > INT16_MAX) {
        return (sinewi_group){.rows = SINEWI_GROUP_GENERAL};
    }
    return (sinewi_group){(int16_t)strips->rows, strips->mask, strips->offset, strips->ranges, strips->modes};
}

// Returns the fast path that a block's groups can take. Constant groups allow any. If all are constant, the clip's key
// format decides.
static sinewi_fast_path find_fast_path(const sinewi_group *groups, sinew_key_format format) {
    const sinewi_fast_path of_keys = format == SINEW_KEYS_U16 ? SINEWI_FAST_PATH_U16 : SINEWI_FAST_PATH_FLOAT;
    bool has_keys = false, has_modes = false;
    for (int i = 0; i < SINEWI_GROUPS; i++) {
        if (groups[i].rows == SINEWI_GROUP_GENERAL) return SINEWI_FAST_PATH_NONE;
        if (groups[i].rows == SINEWI_GROUP_CONSTANT && !groups[i].modes) continue;
        *(groups[i].modes ? &has_modes : &has_keys) = true;
    }
    if (has_keys && has_modes) return SINEWI_FAST_PATH_NONE;
    return has_keys || format != SINEW_KEYS_COMPRESSED ? of_keys : SINEWI_FAST_PATH_MODES;
}

void sinewi_clip_describe_groups(const sinew_clip_data *data, sinew_key_format format, size_t group_count,
                                 sinewi_group *groups, uint8_t *fast_paths) {
    const int32_t *bounds = data->group_strips;
    size_t node_groups = (size_t)data->node_groups;
    for (size_t g = 0; g < group_count; g++)
        groups[g] = describe_group(data->strips + bounds[g], bounds[g + 1] - bounds[g]);
    for (size_t i = 0; i < node_groups / SINEWI_GROUPS; i++)
        fast_paths[i] = (uint8_t)find_fast_path(groups + i * SINEWI_GROUPS, format);
}

// ---- The base ------------------------------------------------------------------------------------------------

// Writes a constant channel's value to the base. A CUBICSPLINE key is in-tangent, value, out-tangent.
static void fill_constant(const clip_arrays *a, const sinewi_clip_plan *plan, const sinew_channel_def *channel) {
    const bool is_spline = channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE; // keys may have any length
    int32_t width = sinewi_channel_width(plan->def->skeleton, channel->node, channel->target);
    const float *value = channel->values + (is_spline ? width : 0);
    if (sinewi_has_weight_lanes(channel->target)) {
        float *to = a->base_weights + sinewi_first_weight(plan->def->skeleton, channel->node, channel->target);
        for (int32_t i = 0; i < width; i++) to[i] = sinewi_limited_value(value[i]);
        return;
    }
    float copy[4] = {0};
    memcpy(copy, value, (size_t)width * sizeof(float));
    if (channel->target == SINEW_TARGET_ROTATION) {
        sinew_quat unit = normalize_rotation(value);
        if (!plan->source || is_spline) memcpy(copy, &unit, sizeof unit);
    } else {
        for (int32_t i = 0; i < width; i++) copy[i] = sinewi_limited_value(copy[i]);
    }
    if (plan->shares_base) return; // it is in a strip with modes
    sinewi_block *block = &a->base[channel->node / SINEW_LANES];
    int32_t plane = sinewi_target_plane(channel->target);
    for (int32_t p = 0; p < width; p++) block->lane[plane + p][channel->node % SINEW_LANES] = copy[p];
}

// Writes the base for everything without a channel. This is the rest pose, or the identity in an additive clip.
static void fill_base(const clip_arrays *a, const sinewi_clip_plan *plan) {
    const sinew_clip_def *def = plan->def;
    const sinew_clip_data *rest = sinewi_skeleton_rest(def->skeleton);
    size_t blocks = sinewi_node_blocks(def->skeleton), weights = sinewi_padded(sinewi_value_count(def->skeleton));
    if (!def->additive) {
        if (!plan->shares_base) memcpy(a->base, rest->base, blocks * sizeof *a->base);
        memcpy(a->base_weights, rest->base_weights, weights * sizeof(float));
        return;
    }
    assert(a->base);
    for (size_t i = 0; i < blocks * SINEW_LANES; i++) { // everything else stays 0, like all of the clip's new
                                                        // memory
        sinewi_block *block = &a->base[i / SINEW_LANES];
        for (int p = SINEWI_RW; p < SINEWI_PLANES; p++) block->lane[p][i % SINEW_LANES] = 1.0f; // w and the scales
    }
}

// Writes the clip's public channels in slot order and returns their number.
static int32_t fill_channels(const clip_arrays *a, const sinewi_clip_plan *plan) {
    int32_t count = 0;
    for (size_t slot = 0; slot < sinewi_channel_slots(plan->def->skeleton); slot++) {
        if (plan->channel_of[slot] == SINEWI_NO_CHANNEL) continue;
        const sinew_channel_def *channel = &plan->def->channels[plan->channel_of[slot]];
        int32_t timeline = plan->timeline_of[plan->channel_of[slot]];
        a->channels[count++] =
            (sinew_channel){channel->node, channel->target, channel->interpolation, channel->key_count, timeline};
        if (timeline < 0) fill_constant(a, plan, channel);
    }
    return count;
}

// Finds the rotations that continue with the opposite sign when the clip loops.
static void find_wraps(const clip_arrays *a) {
    const sinew_clip *clip = &a->object->clip;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->target != SINEW_TARGET_ROTATION || channel->timeline < 0) continue;
        sinew_quat first = sinew_clip_sample_node(clip, 0.0f, channel->node).rotation;
        sinew_quat last = sinew_clip_sample_node(clip, clip->duration, channel->node).rotation;
        bool wraps = first.x * last.x + first.y * last.y + first.z * last.z + first.w * last.w < 0.0f;
        if (wraps) a->wraps[channel->node / SINEW_LANES] |= (uint16_t)(1u << channel->node % SINEW_LANES);
    }
}

// ---- The clip ------------------------------------------------------------------------------------------------

size_t sinewi_clip_plan_bytes(const sinewi_clip_plan *plan) {
    sinewi_layout measure = {0};
    lay_out(&measure, plan);
    return measure.size;
}

// Measures and allocates the clip's memory block, then fills it. The base comes before the strips, because idle lanes
// copy it.
sinew_result sinewi_clip_fill(const sinewi_clip_plan *plan, sinew_clip **clip, sinew_error *error) {
    const sinew_skeleton *skeleton = plan->def->skeleton;
    const size_t size = sinewi_clip_plan_bytes(plan);
    sinewi_layout layout = {(char *)sinewi_allocate(&plan->def->allocator, size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    memset(layout.base, 0, size);
    clip_arrays a = lay_out(&layout, plan);
    size_t groups = sinewi_group_count(skeleton);
    memcpy(a.group_strips, plan->group_strips, (groups + 1) * sizeof(int32_t));
    fill_base(&a, plan);
    int32_t channel_count = fill_channels(&a, plan);

    sinew_clip_data data = {
        .rows = a.rows,
        .strips = a.strips,
        .group_strips = a.group_strips,
        .groups = a.groups,
        .fast_paths = a.fast_paths,
        .base = plan->shares_base ? sinewi_skeleton_rest(skeleton)->base : a.base,
        .base_weights = a.base_weights,
        .wraps = a.wraps,
        .row_count = plan->row_count,
        .node_groups = (int32_t)(SINEWI_GROUPS * sinewi_node_blocks(skeleton)),
    };
    data.mode_memory = a.mode_memory;
    data.mode_floats = (uint32_t)a.mode_floats;
    if (plan->end_count > 0) memcpy(a.ends, plan->ends, (size_t)plan->end_count * sizeof *a.ends);
    data.ends = a.ends;
    data.end_count = plan->end_count;
    data.tracks = plan->tracks;
    data.tracks.times = a.track_times;
    data.tracks.values = a.track_values;
    data.tracks.index = a.track_index;
    data.tracks.starts = a.track_starts;
    sinewi_clip_describe_groups(&data, plan->def->key_format, groups, a.groups, a.fast_paths);
    *a.object = (sinewi_clip_object){.data = data, .allocator = plan->def->allocator};
    fill_mode_rows(&a, plan);
    for (size_t g = 0; g < groups; g++) {
        for (int32_t i = plan->group_strips[g]; i < plan->group_strips[g + 1]; i++) fill_strip(&a, plan, g, i);
    }
    a.object->clip = (sinew_clip){
        .name = a.name,
        .skeleton = skeleton,
        .duration = plan->duration,
        .channel_count = channel_count,
        .channels = a.channels,
        .timeline_count = plan->timeline_count,
        .timelines = a.timelines,
        .marker_count = plan->def->marker_count,
        .markers = a.markers,
        .memory = size,
        .key_format = plan->def->key_format,
        .additive = plan->def->additive,
        .data = &a.object->data,
    };
    find_wraps(&a);
    *clip = &a.object->clip;
    return SINEW_OK;
}
