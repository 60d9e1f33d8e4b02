// SPDX-License-Identifier: MIT
// Retargets a clip: samples it at its key times, retargets each pose, and makes tracks of whatever changes.
#include "core/clip_build.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/merge_sort.h"
#include "humanoid/retarget_data.h"

#include <math.h>
#include <string.h>

#define MAX_KEYS   1000000
#define MAX_FLOATS ((size_t)1 << 27) // over the keys of all tracks, half a gigabyte

// The keys to write: a translation, a rotation and a scale for each pair, then the morph weights.
// Curve keys are copied.
typedef struct maker {
    const sinew_retarget *map;
    const sinew_clip *clip;
    const sinew_retarget_clip_def *def;
    sinew_error *error;
    sinewi_arena scratch;
    sinew_pose *source, *target;
    sinew_affine *source_model, *model;
    int64_t time_count;
    float *times;
    float *values; // [time_count × width] for each channel
    sinew_channel_def *channels;
    int32_t channel_count;
} maker;

// ---- Times ---------------------------------------------------------------------------------------------------

static int compare_times(const void *a, const void *b, const void *context) {
    (void)context;
    float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

// Whether a timeline has a node's channel, and whether one of them jumps at its keys.
static bool moves_nodes(const sinew_clip *clip, int32_t timeline, bool *jumps) {
    bool moves = false;
    *jumps = false;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->timeline != timeline || channel->target == SINEW_TARGET_CURVE) continue;
        moves = true;
        if (channel->interpolation == SINEW_INTERPOLATION_STEP) *jumps = true;
    }
    return moves;
}

// Collects all key times, sorted and unique, and the moment before each jump. Returns false if memory runs out.
static bool collect_key_times(maker *m, float **times, int64_t *count) {
    const sinew_clip *clip = m->clip;
    int64_t total = 1;
    for (int32_t i = 0; i < clip->timeline_count; i++) total += 2 * (int64_t)clip->timelines[i].key_count;
    float *all = sinewi_arena_array(&m->scratch, float, (size_t)total);
    float *other = sinewi_arena_array(&m->scratch, float, (size_t)total);
    if (!all || !other) return false;
    int64_t n = 0;
    all[n++] = clip->duration;
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        bool is_step;
        if (!moves_nodes(clip, i, &is_step)) continue;
        for (int32_t k = 0; k < clip->timelines[i].key_count; k++) {
            float time = sinew_timeline_time(&clip->timelines[i], k);
            all[n++] = time;
            if (is_step && k > 0) all[n++] = nextafterf(time, 0.0f);
        }
    }
    all = (float *)sinewi_merge_sort(all, other, (size_t)n, sizeof *all, compare_times, NULL);
    int64_t unique = 1;
    for (int64_t i = 1; i < n; i++) {
        if (all[i] > all[unique - 1]) all[unique++] = all[i];
    }
    *times = all, *count = unique;
    return true;
}

// How many intervals to divide the time between two keys into. A thousandth of an interval too much doesn't count.
static int64_t intervals(float from, float to, float rate) {
    double steps = ceil(((double)to - (double)from) * (double)rate - 1e-3);
    return steps < 1.0 ? 1 : steps > MAX_KEYS ? MAX_KEYS + 1 : (int64_t)steps;
}

static sinew_result make_times(maker *m) {
    float *keys;
    int64_t key_count, count = 1;
    if (!collect_key_times(m, &keys, &key_count)) return sinewi_fail_memory(m->error);
    for (int64_t i = 1; i < key_count && count <= MAX_KEYS; i++)
        count += intervals(keys[i - 1], keys[i], m->def->rate);
    if (count > MAX_KEYS) {
        return sinewi_fail(m->error, SINEW_ERROR_LIMIT,
                           "clip '%s': more than %d keys at %g per second; lower the rate", m->clip->name, MAX_KEYS,
                           (double)m->def->rate);
    }
    m->times = sinewi_arena_array(&m->scratch, float, (size_t)count);
    if (!m->times) return sinewi_fail_memory(m->error);
    m->times[m->time_count++] = keys[0];
    for (int64_t i = 1; i < key_count; i++) {
        int64_t steps = intervals(keys[i - 1], keys[i], m->def->rate);
        double from = (double)keys[i - 1], step = ((double)keys[i] - from) / (double)steps;
        for (int64_t k = 1; k < steps; k++) m->times[m->time_count++] = (float)(from + (double)k * step);
        m->times[m->time_count++] = keys[i];
    }
    return SINEW_OK;
}

// ---- Values --------------------------------------------------------------------------------------------------

static int32_t width_of(const maker *m, const sinew_channel_def *channel) {
    return sinewi_channel_width(m->map->target, channel->node, channel->target);
}

static void add_channel(maker *m, int32_t node, sinew_channel_target target, size_t *floats) {
    sinew_channel_def *channel = &m->channels[m->channel_count++];
    memset(channel, 0, sizeof *channel);
    channel->node = node;
    channel->target = target;
    channel->interpolation = SINEW_INTERPOLATION_LINEAR;
    channel->key_count = (int32_t)m->time_count;
    channel->times = m->times;
    *floats += (size_t)m->time_count * (size_t)width_of(m, channel);
}

static void list_channels(maker *m, size_t *floats) {
    const sinew_retarget_data *data = m->map->data;
    for (int32_t i = 0; i < m->map->pair_count; i++) {
        for (int target = SINEW_TARGET_TRANSLATION; target <= SINEW_TARGET_SCALE; target++) {
            add_channel(m, m->map->pairs[i].target, (sinew_channel_target)target, floats);
        }
    }
    for (int32_t i = 0; i < data->weights_count; i++) {
        add_channel(m, data->weights[i].node, SINEW_TARGET_WEIGHTS, floats);
    }
}

// Lists all channels that the map can write, and reserves their values.
static sinew_result make_channels(maker *m) {
    const sinew_retarget_data *data = m->map->data;
    size_t count = 3 * (size_t)m->map->pair_count + (size_t)data->weights_count + (size_t)data->curve_count;
    size_t floats = 0;
    m->channels = sinewi_arena_array(&m->scratch, sinew_channel_def, count);
    if (!m->channels) return sinewi_fail_memory(m->error);
    list_channels(m, &floats);
    if (floats > MAX_FLOATS) {
        return sinewi_fail(
            m->error, SINEW_ERROR_LIMIT,
            "clip '%s': %lld keys for %d tracks are too many; lower the rate, or retarget part of the clip",
            m->clip->name, (long long)m->time_count, m->channel_count);
    }
    float *values = m->values = sinewi_arena_array(&m->scratch, float, floats);
    if (!values) return sinewi_fail_memory(m->error);
    for (int32_t i = 0; i < m->channel_count; i++) {
        m->channels[i].values = values;
        values += (size_t)m->time_count * (size_t)width_of(m, &m->channels[i]);
    }
    return SINEW_OK;
}

static void read_value(const sinew_pose *pose, const sinew_channel_def *channel, int32_t width, float *value) {
    sinew_transform t = sinew_pose_get(pose, channel->node);
    switch (channel->target) {
    case SINEW_TARGET_TRANSLATION:
        memcpy(value, &t.translation, sizeof t.translation);
        break;
    case SINEW_TARGET_ROTATION:
        memcpy(value, &t.rotation, sizeof t.rotation);
        break;
    case SINEW_TARGET_SCALE:
        memcpy(value, &t.scale, sizeof t.scale);
        break;
    default:
        memcpy(value, &pose->weights[pose->skeleton->weight_offsets[channel->node]], (size_t)width * sizeof(float));
    }
}

// Retargets the clip at one time, and stores the values of all channels.
static void sample_at(maker *m, int64_t key) {
    sinew_clip_sample(m->clip, m->times[key], m->source);
    sinew_retarget_pose(m->map, m->source, m->target);
    if (m->def->limbs) {
        sinew_pose_to_model(m->source, m->source_model);
        sinew_pose_to_model(m->target, m->model);
        sinew_retarget_limbs(m->map, m->source_model, m->target, m->model);
    }
    float *values = m->values;
    for (int32_t i = 0; i < m->channel_count; i++) {
        int32_t width = width_of(m, &m->channels[i]);
        read_value(m->target, &m->channels[i], width, values + key * width);
        values += (size_t)m->time_count * (size_t)width;
    }
}

// ---- Tracks --------------------------------------------------------------------------------------------------

// Whether two values are equal within the rounding of a retargeted pose.
static bool is_near(const float *a, const float *b, int32_t width) {
    const float rounding = 1e-6f;
    float difference = 0.0f, size = 0.0f;
    for (int32_t i = 0; i < width; i++) {
        difference += fabsf(a[i] - b[i]);
        size += fabsf(a[i]);
    }
    return difference <= rounding * (size > 0.01f ? size : 0.01f);
}

static bool is_rest(const maker *m, const sinew_channel_def *channel, int32_t width) {
    float *rest = (float *)m->model; // scratch memory, because the matrices aren't needed anymore
    sinew_pose_reset(m->target);
    read_value(m->target, channel, width, rest);
    return is_near(channel->values, rest, width);
}

// Reduces constant channels to a single key, and drops those that match the rest pose.
static void drop_constant(maker *m) {
    int32_t kept = 0;
    for (int32_t i = 0; i < m->channel_count; i++) {
        sinew_channel_def channel = m->channels[i];
        int32_t width = width_of(m, &channel);
        int64_t k = 1;
        while (k < m->time_count && is_near(channel.values, channel.values + k * width, width)) k++;
        if (k == m->time_count) {
            if (is_rest(m, &channel, width)) continue;
            channel.key_count = 1;
        }
        m->channels[kept++] = channel;
    }
    m->channel_count = kept;
}

// Copies the channels of curves that the target has, bit-identically. In the source, they are the last channels.
static sinew_result copy_curves(maker *m) {
    const sinew_retarget_data *data = m->map->data;
    for (int32_t i = 0; i < m->clip->channel_count; i++) {
        if (m->clip->channels[i].target != SINEW_TARGET_CURVE) continue;
        const char *name = m->map->source->curve_names[m->clip->channels[i].node];
        const int32_t curve =
            data->curve_count > 0 ? sinew_skeleton_find_curve(m->map->target, name) : SINEW_NO_CURVE;
        if (curve == SINEW_NO_CURVE) continue;
        sinew_channel_def *channel = &m->channels[m->channel_count++];
        if (!sinewi_clip_read_channel(m->clip, i, &m->scratch, channel)) return sinewi_fail_memory(m->error);
        channel->node = curve;
    }
    return SINEW_OK;
}

// ---- All -----------------------------------------------------------------------------------------------------

static sinew_result allocate(maker *m) {
    const sinew_allocator *allocator = &m->def->allocator;
    sinew_result result = sinew_pose_create(m->map->source, allocator, &m->source);
    if (result == SINEW_OK) result = sinew_pose_create(m->map->target, allocator, &m->target);
    if (result != SINEW_OK) return sinewi_fail_memory(m->error);
    m->source_model = sinewi_arena_array(&m->scratch, sinew_affine, (size_t)m->map->source->node_count);
    m->model = sinewi_arena_array(&m->scratch, sinew_affine, (size_t)m->map->target->node_count);
    return m->source_model && m->model ? SINEW_OK : sinewi_fail_memory(m->error);
}

static sinew_result make_clip(maker *m, sinew_clip **retargeted) {
    sinew_result result = allocate(m);
    if (result == SINEW_OK) result = make_times(m);
    if (result != SINEW_OK) return result;
    result = make_channels(m);
    if (result != SINEW_OK) return result;
    for (int64_t i = 0; i < m->time_count; i++) sample_at(m, i);
    drop_constant(m);
    result = copy_curves(m);
    if (result != SINEW_OK) return result;
    sinew_clip_def def = sinew_clip_default();
    def.name = m->def->name ? m->def->name : m->clip->name;
    def.skeleton = m->map->target;
    def.channel_count = m->channel_count;
    def.channels = m->channels;
    def.duration = m->clip->duration;
    def.marker_count = m->clip->marker_count;
    def.markers = m->clip->markers;
    def.allocator = m->def->allocator;
    return sinewi_clip_create_from(&def, m->clip, retargeted, m->error);
}

static sinew_result check_arguments(const sinew_clip *clip, const sinew_retarget_clip_def *def,
                                    sinew_error *error) {
    sinew_result result =
        SINEWI_CHECK_DEF(def, "sinew_retarget_clip_def: start from sinew_retarget_clip_default()", error);
    if (result != SINEW_OK) return result;
    if (clip->additive) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "clip '%s' is additive; retarget the clip that it was made from, and make that additive",
                           clip->name);
    }
    if (def->rate > 0.0f && isfinite(def->rate)) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "rate is %g; it must be above 0", (double)def->rate);
}

sinew_retarget_clip_def sinew_retarget_clip_default(void) {
    sinew_retarget_clip_def def = {0};
    def.limbs = true;
    def.rate = 30.0f;
    def.cookie = SINEWI_DEF_COOKIE;
    return def;
}

sinew_result sinew_clip_retarget(const sinew_retarget *map, const sinew_clip *clip,
                                 const sinew_retarget_clip_def *def, sinew_clip **retargeted, sinew_error *error) {
    assert(map && clip && retargeted);
    assert(clip->skeleton == map->source);
    *retargeted = NULL;
    const sinew_retarget_clip_def default_def = sinew_retarget_clip_default();
    if (!def) def = &default_def;
    sinew_result result = check_arguments(clip, def, error);
    if (result != SINEW_OK) return result;
    maker m;
    memset(&m, 0, sizeof m);
    m.map = map;
    m.clip = clip;
    m.def = def;
    m.error = error;
    sinewi_arena_init(&m.scratch, &def->allocator);
    result = make_clip(&m, retargeted);
    sinew_pose_destroy(m.source);
    sinew_pose_destroy(m.target);
    sinewi_arena_free(&m.scratch);
    return result;
}
