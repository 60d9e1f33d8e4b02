// Making a clip: channels as their author wrote them in, timelines and rows out.
#include "anim/clip_data.h"
#include "base/authored.h"
#include "base/fail.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

#define PATHS      4
#define NO_CHANNEL (-1)

// What is worked out about the channels before the clip's memory is taken.
typedef struct build {
    const sinew_clip_def *def;
    sinew_arena scratch;
    int32_t *channel_of;  // [node_count × PATHS]: channel of a node's path, or NO_CHANNEL
    int32_t *timeline_of; // [channel_count]: -1 for constant channels
    int32_t timeline_count;
    int32_t *first_user; // [timeline_count]: a channel whose times the timeline has
    int32_t *buckets;    // hash table of timelines: chains through `next`
    int32_t *next;
    uint32_t bucket_count; // a power of two
    size_t *row_stride;    // [timeline_count]
    sinew_strip *strips;
    int32_t strip_count;
    int32_t *block_strips;
    float duration;
} build;

sinew_clip_def sinew_clip_default_def(void) {
    return (sinew_clip_def){0};
}

static int32_t channel_width(const sinew_clip_def *def, const sinew_channel_def *channel) {
    if (channel->path != SINEW_PATH_WEIGHTS) return sinew_path_width(channel->path);
    const int32_t *offsets = def->skeleton->weight_offsets;
    return offsets[channel->node + 1] - offsets[channel->node];
}

// Floats from one key to the next: CUBICSPLINE keys are three values.
static size_t key_stride(const sinew_clip_def *def, const sinew_channel_def *channel) {
    size_t width = (size_t)channel_width(def, channel);
    return channel->interpolation == SINEW_CUBICSPLINE ? 3 * width : width;
}

// ---- Checking ------------------------------------------------------------------------------------------------

static sinew_result check_times(const sinew_channel_def *channel, int32_t index, sinew_error *error) {
    for (int32_t k = 0; k < channel->key_count; k++) {
        float time = channel->times[k];
        if (!isfinite(time) || time < 0.0f) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: key %d is at %g s", index, k,
                              (double)time);
        }
        if (k > 0 && !(time > channel->times[k - 1])) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                              "channels[%d]: key %d is at %g s, not after key %d at %g s", index, k, (double)time,
                              k - 1, (double)channel->times[k - 1]);
        }
    }
    return SINEW_OK;
}

static sinew_result check_channel(const sinew_clip_def *def, int32_t index, sinew_error *error) {
    const sinew_channel_def *channel = &def->channels[index];
    if (channel->node < 0 || channel->node >= def->skeleton->node_count) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: node %d, but the skeleton has %d nodes",
                          index, channel->node, def->skeleton->node_count);
    }
    if ((unsigned)channel->path >= PATHS || (unsigned)channel->interpolation > SINEW_CUBICSPLINE) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: unknown path or interpolation", index);
    }
    if (channel_width(def, channel) == 0) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: node %d has no morph weights", index,
                          channel->node);
    }
    if (channel->key_count < 1 || !channel->times || !channel->values) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: no keys", index);
    }
    sinew_result result = check_times(channel, index, error);
    if (result != SINEW_OK) return result;
    size_t stride = key_stride(def, channel), count = stride * (size_t)channel->key_count;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(channel->values[i])) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: key %zu is not finite", index,
                              i / stride);
        }
    }
    return SINEW_OK;
}

static sinew_result check_channels(build *b, sinew_error *error) {
    const sinew_clip_def *def = b->def;
    size_t slots = (size_t)def->skeleton->node_count * PATHS;
    b->channel_of = sinew_arena_array(&b->scratch, int32_t, slots);
    if (!b->channel_of) return sinew_fail_memory(error);
    for (size_t i = 0; i < slots; i++) b->channel_of[i] = NO_CHANNEL;

    for (int32_t i = 0; i < def->channel_count; i++) {
        sinew_result result = check_channel(def, i, error);
        if (result != SINEW_OK) return result;
        const sinew_channel_def *channel = &def->channels[i];
        int32_t *slot = &b->channel_of[(size_t)channel->node * PATHS + (size_t)channel->path];
        if (*slot != NO_CHANNEL) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                              "channels[%d]: channels[%d] moves the same path of node %d", i, *slot, channel->node);
        }
        *slot = i;
        b->duration = fmaxf(b->duration, channel->times[channel->key_count - 1]);
    }
    return SINEW_OK;
}

// ---- Timelines -----------------------------------------------------------------------------------------------

static bool is_constant(const sinew_clip_def *def, const sinew_channel_def *channel) {
    if (channel->key_count == 1) return true;
    size_t width = (size_t)channel_width(def, channel), stride = key_stride(def, channel);
    bool cubic = channel->interpolation == SINEW_CUBICSPLINE;
    const float *first = channel->values + (cubic ? width : 0);
    for (int32_t k = 0; k < channel->key_count; k++) {
        const float *key = channel->values + (size_t)k * stride, *value = key + (cubic ? width : 0);
        for (size_t i = 0; i < width; i++) {
            if (value[i] != first[i]) return false;
            if (cubic && (key[i] != 0.0f || value[width + i] != 0.0f)) return false;
        }
    }
    return true;
}

// FNV-1a over the words of the key times.
static uint32_t hash_times(const sinew_channel_def *channel) {
    uint32_t hash = 2166136261u ^ (uint32_t)channel->key_count;
    for (int32_t k = 0; k < channel->key_count; k++) {
        uint32_t word;
        memcpy(&word, &channel->times[k], sizeof word);
        hash = (hash ^ word) * 16777619u;
    }
    return hash ^ hash >> 15;
}

static bool same_times(const sinew_channel_def *a, const sinew_channel_def *b) {
    if (a->key_count != b->key_count) return false;
    return a->times == b->times || memcmp(a->times, b->times, (size_t)a->key_count * sizeof(float)) == 0;
}

// The timeline with a channel's key times, new if no channel before had them.
static int32_t timeline_for(build *b, int32_t channel) {
    const sinew_channel_def *channels = b->def->channels;
    int32_t newest = b->timeline_count - 1;
    // Exporters let neighbouring channels share one array: no need to read it again.
    if (newest >= 0 && channels[b->first_user[newest]].times == channels[channel].times &&
        same_times(&channels[b->first_user[newest]], &channels[channel])) {
        return newest;
    }
    int32_t *bucket = &b->buckets[hash_times(&channels[channel]) & (b->bucket_count - 1)];
    for (int32_t t = *bucket; t >= 0; t = b->next[t]) {
        if (same_times(&channels[b->first_user[t]], &channels[channel])) return t;
    }
    int32_t timeline = b->timeline_count++;
    b->first_user[timeline] = channel;
    b->next[timeline] = *bucket;
    *bucket = timeline;
    return timeline;
}

static sinew_result find_timelines(build *b, sinew_error *error) {
    size_t count = (size_t)b->def->channel_count;
    b->bucket_count = 16;
    while (b->bucket_count < count) b->bucket_count *= 2;
    b->timeline_of = sinew_arena_array(&b->scratch, int32_t, count);
    b->first_user = sinew_arena_array(&b->scratch, int32_t, count);
    b->next = sinew_arena_array(&b->scratch, int32_t, count);
    b->buckets = sinew_arena_array(&b->scratch, int32_t, b->bucket_count);
    if (!b->timeline_of || !b->first_user || !b->next || !b->buckets) return sinew_fail_memory(error);
    for (uint32_t i = 0; i < b->bucket_count; i++) b->buckets[i] = -1;
    for (int32_t i = 0; i < b->def->channel_count; i++) {
        b->timeline_of[i] = is_constant(b->def, &b->def->channels[i]) ? -1 : timeline_for(b, i);
    }
    return SINEW_OK;
}

static float keys_a_second(const sinew_channel_def *channel) {
    float span = channel->times[channel->key_count - 1] - channel->times[0];
    return (float)(channel->key_count - 1) / span;
}

// True where the key before a time can be computed to within one key. Times written as k / 30 in float are not
// evenly spaced to the last bit, and need not be: sampling looks at the times themselves.
static bool is_uniform(const sinew_channel_def *channel) {
    float rate = keys_a_second(channel);
    for (int32_t k = 0; k < channel->key_count; k++) {
        float place = (channel->times[k] - channel->times[0]) * rate;
        if (!(fabsf(place - (float)k) < 0.25f)) return false;
    }
    return channel->key_count < 1 << 22; // beyond, float cannot tell neighbouring places apart
}

// ---- Strips --------------------------------------------------------------------------------------------------

static size_t node_blocks(const build *b) {
    return sinew_block_count(b->def->skeleton->node_count);
}

static size_t weight_blocks(const build *b) {
    return sinew_block_count(b->def->skeleton->weight_count);
}

// The strip of the block under construction (whose strips start at `first`) that the channel belongs to. At most
// 48 strips share a block, so a look at each is no search.
static void add_to_strip(build *b, int32_t first, int32_t channel_index, int lane) {
    const sinew_channel_def *channel = &b->def->channels[channel_index];
    int32_t timeline = b->timeline_of[channel_index];
    for (int32_t i = first; i < b->strip_count; i++) {
        sinew_strip *strip = &b->strips[i];
        if (strip->timeline == timeline && strip->path == (uint8_t)channel->path &&
            strip->interpolation == (uint8_t)channel->interpolation) {
            strip->mask |= (uint16_t)(1u << lane);
            return;
        }
    }
    size_t planes = (size_t)sinew_path_width(channel->path) * (channel->interpolation == SINEW_CUBICSPLINE ? 3 : 1);
    b->strips[b->strip_count++] = (sinew_strip){
        .timeline = timeline,
        .offset = (uint32_t)b->row_stride[timeline],
        .mask = (uint16_t)(1u << lane),
        .path = (uint8_t)channel->path,
        .interpolation = (uint8_t)channel->interpolation,
    };
    b->row_stride[timeline] += planes * SINEW_LANES;
}

static void make_node_strips(build *b, size_t block) {
    int32_t first = b->strip_count;
    for (int32_t path = 0; path < SINEW_PATH_WEIGHTS; path++) {
        for (int lane = 0; lane < SINEW_LANES; lane++) {
            size_t node = block * SINEW_LANES + (size_t)lane;
            if (node >= (size_t)b->def->skeleton->node_count) break;
            int32_t channel = b->channel_of[node * PATHS + (size_t)path];
            if (channel != NO_CHANNEL && b->timeline_of[channel] >= 0) add_to_strip(b, first, channel, lane);
        }
    }
}

// Weights lie in node order, so one walk over the nodes meets the blocks one after the other.
static void make_weight_strips(build *b) {
    const sinew_skeleton *skeleton = b->def->skeleton;
    int32_t first = b->strip_count, weight = 0;
    int32_t *block_start = &b->block_strips[node_blocks(b)];
    for (int32_t node = 0; node < skeleton->node_count; node++) {
        int32_t channel = b->channel_of[(size_t)node * PATHS + SINEW_PATH_WEIGHTS];
        for (; weight < skeleton->weight_offsets[node + 1]; weight++) {
            if (weight % SINEW_LANES == 0) *block_start++ = first = b->strip_count;
            if (channel == NO_CHANNEL || b->timeline_of[channel] < 0) continue;
            add_to_strip(b, first, channel, weight % SINEW_LANES);
        }
    }
    *block_start = b->strip_count;
}

static size_t most_strips(const build *b) {
    size_t most = 0;
    for (int32_t i = 0; i < b->def->channel_count; i++) {
        const sinew_channel_def *channel = &b->def->channels[i];
        bool weights = channel->path == SINEW_PATH_WEIGHTS;
        most += weights ? (size_t)channel_width(b->def, channel) / SINEW_LANES + 2 : 1;
    }
    return most;
}

static sinew_result make_strips(build *b, sinew_error *error) {
    size_t blocks = node_blocks(b) + weight_blocks(b);
    b->strips = sinew_arena_array(&b->scratch, sinew_strip, most_strips(b));
    b->block_strips = sinew_arena_array(&b->scratch, int32_t, blocks + 1);
    b->row_stride = sinew_arena_zeros(&b->scratch, size_t, (size_t)b->timeline_count);
    if (!b->strips || !b->block_strips || !b->row_stride) return sinew_fail_memory(error);
    for (size_t block = 0; block < node_blocks(b); block++) {
        b->block_strips[block] = b->strip_count;
        make_node_strips(b, block);
    }
    make_weight_strips(b);
    for (int32_t t = 0; t < b->timeline_count; t++) {
        if (b->row_stride[t] <= UINT32_MAX) continue;
        return sinew_fail(error, SINEW_ERROR_LIMIT, "clip: timeline %d moves more than one row of 4 GiB can hold",
                          t);
    }
    return SINEW_OK;
}

// ---- Memory --------------------------------------------------------------------------------------------------

// The clip's arrays while they are being filled.
typedef struct clip_arrays {
    sinew_clip *clip;
    sinew_clip_data *data;
    const char *name;
    sinew_channel *channels;
    sinew_timeline *timelines;
    sinew_rows *rows;
    sinew_strip *strips;
    int32_t *block_strips;
    sinew_block *base;
    float *base_weights;
} clip_arrays;

static clip_arrays lay_out(sinew_layout *layout, const build *b) {
    clip_arrays a = {0};
    size_t timelines = (size_t)b->timeline_count;
    a.clip = sinew_layout_array(layout, sinew_clip, 1, SINEW_ALIGNMENT);
    a.data = sinew_layout_array(layout, sinew_clip_data, 1, sizeof(void *));
    a.timelines = sinew_layout_array(layout, sinew_timeline, timelines, sizeof(void *));
    a.rows = sinew_layout_array(layout, sinew_rows, timelines, sizeof(void *));
    a.strips = sinew_layout_array(layout, sinew_strip, (size_t)b->strip_count, sizeof(int32_t));
    a.block_strips = sinew_layout_array(layout, int32_t, node_blocks(b) + weight_blocks(b) + 1, sizeof(int32_t));
    a.base = sinew_layout_array(layout, sinew_block, node_blocks(b), SINEW_ALIGNMENT);
    a.base_weights =
        (float *)sinew_layout_take(layout, weight_blocks(b), SINEW_LANES * sizeof(float), SINEW_ALIGNMENT);
    for (int32_t t = 0; t < b->timeline_count; t++) {
        const sinew_channel_def *user = &b->def->channels[b->first_user[t]];
        size_t keys = (size_t)user->key_count;
        float *times = sinew_layout_array(layout, float, keys, sizeof(float));
        float *row = (float *)sinew_layout_take(layout, keys, b->row_stride[t] * sizeof(float), SINEW_ALIGNMENT);
        if (!layout->base) continue;
        memcpy(times, user->times, keys * sizeof(float));
        a.timelines[t] = (sinew_timeline){user->key_count, times, is_uniform(user)};
        a.rows[t] = (sinew_rows){row, b->row_stride[t], keys_a_second(user)};
    }
    a.channels = sinew_layout_array(layout, sinew_channel, (size_t)b->def->channel_count, sizeof(int32_t));
    a.name = sinew_layout_string(layout, b->def->name);
    return a;
}

// ---- Filling -------------------------------------------------------------------------------------------------

// Lanes without a channel are computed too, and must come out finite: their rotation is the identity.
static void clear_rows(const clip_arrays *a, const build *b) {
    for (int32_t t = 0; t < b->timeline_count; t++) {
        size_t count = (size_t)a->timelines[t].key_count * a->rows[t].stride;
        memset(a->rows[t].keys, 0, count * sizeof(float));
    }
    for (int32_t i = 0; i < b->strip_count; i++) {
        const sinew_strip *strip = &b->strips[i];
        if (strip->path != SINEW_PATH_ROTATION) continue;
        const sinew_rows *rows = &a->rows[strip->timeline];
        uint32_t w = strip->offset + sinew_strip_value_offset(strip) + 3 * SINEW_LANES;
        for (int32_t k = 0; k < a->timelines[strip->timeline].key_count; k++) {
            float *lane = rows->keys + (size_t)k * rows->stride + w;
            for (int l = 0; l < SINEW_LANES; l++) lane[l] = 1.0f;
        }
    }
}

static void normalize4(float *values) {
    sinew_quat q = sinew_quat_as_authored((sinew_quat){values[0], values[1], values[2], values[3]});
    values[0] = q.x, values[1] = q.y, values[2] = q.z, values[3] = q.w;
}

// The keys of one lane of a strip: `values` has `width` planes at `stride` floats a key; `component` is which of
// the channel's own floats lane `lane` starts at (0 but for morph weights).
static void fill_lane(const clip_arrays *a, const build *b, const sinew_strip *strip, int lane,
                      const sinew_channel_def *channel, int32_t component) {
    const sinew_rows *rows = &a->rows[strip->timeline];
    size_t width = (size_t)sinew_path_width(channel->path);
    size_t channel_values = (size_t)channel_width(b->def, channel);
    size_t parts = channel->interpolation == SINEW_CUBICSPLINE ? 3 : 1;
    bool unit = channel->path == SINEW_PATH_ROTATION && channel->interpolation != SINEW_CUBICSPLINE;
    float before[4] = {0};
    for (int32_t k = 0; k < channel->key_count; k++) {
        float *row = rows->keys + (size_t)k * rows->stride + strip->offset + lane;
        const float *key = channel->values + (size_t)k * key_stride(b->def, channel);
        for (size_t part = 0; part < parts; part++) {
            float value[4] = {0};
            memcpy(value, key + part * channel_values + component, width * sizeof(float));
            if (unit) {
                normalize4(value);
                // Each key on the side of the one before: then the way between them is the shorter one.
                float d = value[0] * before[0] + value[1] * before[1] + value[2] * before[2] + value[3] * before[3];
                for (int p = 0; p < 4; p++) before[p] = value[p] = d < 0.0f ? -value[p] : value[p];
            }
            for (size_t p = 0; p < width; p++) row[(part * width + p) * SINEW_LANES] = value[p];
        }
    }
}

static sinew_strip *find_strip(const clip_arrays *a, size_t block, const sinew_channel_def *channel,
                               int32_t timeline) {
    sinew_strip *strip = &a->strips[a->block_strips[block]];
    while (strip->timeline != timeline || strip->path != (uint8_t)channel->path ||
           strip->interpolation != (uint8_t)channel->interpolation) {
        strip++; // it is there: make_strips put it there
    }
    return strip;
}

static void fill_moving(const clip_arrays *a, const build *b, const sinew_channel_def *channel, int32_t timeline) {
    if (channel->path != SINEW_PATH_WEIGHTS) {
        size_t block = (size_t)channel->node / SINEW_LANES;
        const sinew_strip *strip = find_strip(a, block, channel, timeline);
        fill_lane(a, b, strip, channel->node % SINEW_LANES, channel, 0);
        return;
    }
    int32_t first = b->def->skeleton->weight_offsets[channel->node];
    for (int32_t i = 0; i < channel_width(b->def, channel); i++) {
        size_t block = node_blocks(b) + (size_t)(first + i) / SINEW_LANES;
        const sinew_strip *strip = find_strip(a, block, channel, timeline);
        fill_lane(a, b, strip, (first + i) % SINEW_LANES, channel, i);
    }
}

// A CUBICSPLINE key is in-tangent, value, out-tangent: a constant one is its value.
static void fill_constant(const clip_arrays *a, const build *b, const sinew_channel_def *channel) {
    int32_t width = channel_width(b->def, channel);
    const float *value = channel->values + (channel->interpolation == SINEW_CUBICSPLINE ? width : 0);
    if (channel->path == SINEW_PATH_WEIGHTS) {
        float *to = a->base_weights + b->def->skeleton->weight_offsets[channel->node];
        memcpy(to, value, (size_t)width * sizeof(float));
        return;
    }
    float copy[4] = {0};
    memcpy(copy, value, (size_t)width * sizeof(float));
    if (channel->path == SINEW_PATH_ROTATION) normalize4(copy);
    sinew_block *block = &a->base[channel->node / SINEW_LANES];
    int32_t plane = sinew_path_plane(channel->path);
    for (int32_t p = 0; p < width; p++) block->lane[plane + p][channel->node % SINEW_LANES] = copy[p];
}

static void fill_base_from_rest(const clip_arrays *a, const build *b) {
    const sinew_skeleton *skeleton = b->def->skeleton;
    for (size_t i = 0; i < node_blocks(b); i++) sinew_block_rest(skeleton, i, &a->base[i]);
    for (size_t i = 0; i < weight_blocks(b) * SINEW_LANES; i++) {
        a->base_weights[i] = i < (size_t)skeleton->weight_count ? skeleton->rest_weights[i] : 0.0f;
    }
}

static void fill(const clip_arrays *a, const build *b, size_t size) {
    if (b->strip_count > 0) memcpy(a->strips, b->strips, (size_t)b->strip_count * sizeof *a->strips);
    memcpy(a->block_strips, b->block_strips, (node_blocks(b) + weight_blocks(b) + 1) * sizeof(int32_t));
    fill_base_from_rest(a, b);
    clear_rows(a, b);
    int32_t count = 0;
    for (size_t slot = 0; slot < (size_t)b->def->skeleton->node_count * PATHS; slot++) {
        if (b->channel_of[slot] == NO_CHANNEL) continue;
        const sinew_channel_def *channel = &b->def->channels[b->channel_of[slot]];
        int32_t timeline = b->timeline_of[b->channel_of[slot]];
        a->channels[count++] =
            (sinew_channel){channel->node, channel->path, channel->interpolation, channel->key_count, timeline};
        if (timeline < 0) {
            fill_constant(a, b, channel);
        } else {
            fill_moving(a, b, channel, timeline);
        }
    }
    *a->data =
        (sinew_clip_data){b->def->allocator, size, a->rows, a->strips, a->block_strips, a->base, a->base_weights};
    *a->clip = (sinew_clip){a->name,           b->def->skeleton, b->duration, count,  a->channels,
                            b->timeline_count, a->timelines,     size,        a->data};
}

// ---- The clip ------------------------------------------------------------------------------------------------

static sinew_result build_clip(build *b, sinew_clip **clip, sinew_error *error) {
    sinew_result result = check_channels(b, error);
    if (result == SINEW_OK) result = find_timelines(b, error);
    if (result == SINEW_OK) result = make_strips(b, error);
    if (result != SINEW_OK) return result;

    sinew_layout measure = {0};
    lay_out(&measure, b);
    sinew_layout layout = {(char *)sinew_allocate(&b->def->allocator, measure.size, SINEW_ALIGNMENT), 0};
    if (!layout.base) return sinew_fail_memory(error);
    clip_arrays arrays = lay_out(&layout, b);
    fill(&arrays, b, measure.size);
    *clip = arrays.clip;
    return SINEW_OK;
}

sinew_result sinew_clip_build(const sinew_clip_def *def, float least_duration, sinew_clip **clip,
                              sinew_error *error) {
    *clip = NULL;
    if (!def->skeleton || def->channel_count < 0 || (def->channel_count > 0 && !def->channels)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip: no skeleton, or no channels where some were counted");
    }
    build b = {.def = def, .duration = least_duration};
    sinew_arena_init(&b.scratch, &def->allocator);
    sinew_result result = build_clip(&b, clip, error);
    sinew_arena_free(&b.scratch);
    return result;
}

sinew_result sinew_clip_create(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error) {
    return sinew_clip_build(def, 0.0f, clip, error);
}

void sinew_clip_destroy(sinew_clip *clip) {
    if (!clip) return;
    sinew_allocator allocator = clip->data->allocator;
    sinew_release(&allocator, clip, clip->data->size, SINEW_ALIGNMENT);
}
