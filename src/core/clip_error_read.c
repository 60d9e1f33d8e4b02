// SPDX-License-Identifier: MIT
// Reads the keys of two clips for clip_error_tracks.c. The exact clip is read once and can be compared with many
// others.
#include "core/clip_error_tracks.h"
#include "base/merge_sort.h"

#include <math.h>
#include <string.h>

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

// Returns the largest magnitude of a cubic polynomial in [0, 1]. It is at an end, or where the derivative is 0.
static double largest_of_cubic(const double p[4]) {
    const double a = p[1] - p[0], b = p[2] - p[1] - a, c = p[3] - p[2] - p[1] + p[0] - 2.0 * b;
    // The derivative is 3 (a + 2 b u + c u²).
    const double root = sqrt(larger_of(0.0, b * b - a * c)), q = -(b + (b < 0.0 ? -root : root));
    const double at[2] = {q / c, a / q};
    double most = larger_of(fabs(p[0]), fabs(p[3]));
    for (int i = 0; i < 2; i++) {
        const double u = at[i], v = 1.0 - u;
        if (!(u > 0.0 && u < 1.0)) continue;
        most = larger_of(most, fabs(v * v * (v * p[0] + 3.0 * u * p[1]) + u * u * (3.0 * v * p[2] + u * p[3])));
    }
    return most;
}

// Returns the largest difference of a weight or curve over all times.
static double compare_weights(const sinewi_error_tracks *s, const sinew_channel *channel, const float *a,
                              const float *b, size_t width) {
    const size_t parts = (size_t)sinewi_parts(channel->interpolation), value = parts == 3 ? width : 0,
                 count = channel->timeline < 0 ? 1 : (size_t)channel->key_count, stride = parts * width;
    double most = 0.0;
    for (size_t k = 0; k < count; k++) {
        const size_t at = k * stride + value, next = k + 1 < count ? at + stride : at;
        double third = 0.0;
        if (parts == 3 && k + 1 < count) {
            const sinew_timeline *timeline = &s->exact->timelines[channel->timeline];
            third = ((double)sinew_timeline_time(timeline, (int32_t)k + 1) -
                     (double)sinew_timeline_time(timeline, (int32_t)k)) /
                    3.0;
        }
        for (size_t i = 0; i < width; i++) {
            const double from = (double)a[at + i] - (double)b[at + i],
                         to = (double)a[next + i] - (double)b[next + i];
            double p[4] = {from, from, to, to};
            if (third > 0.0) {
                p[1] += third * ((double)a[at + width + i] - (double)b[at + width + i]);
                p[2] -= third * ((double)a[next - width + i] - (double)b[next - width + i]);
            }
            most = larger_of(most, largest_of_cubic(p));
        }
    }
    return most;
}

static const float identity_rotation[4] = {0, 0, 0, 1}, identity_scale[3] = {1, 1, 1};

// Every property starts with the rest value, or with no difference from it.
static void set_rest(sinewi_error_tracks *s) {
    const bool additive = s->exact->additive;
    for (int32_t i = 0; i < s->exact->skeleton->node_count; i++) {
        const sinew_transform *rest = &s->exact->skeleton->rest[i];
        const float *const values[2][SINEWI_GROUPS] = {
            {&rest->translation.x, &rest->rotation.x, &rest->scale.x},
            {identity_rotation, identity_rotation, identity_scale}}; // the first three numbers are 0
        for (int k = 0; k < SINEWI_GROUPS; k++) {
            sinewi_error_track *t = &s->of_nodes[SINEWI_GROUPS * (ptrdiff_t)i + k];
            t->keys[0] = t->keys[1] = values[additive][k];
            t->width = (uint8_t)sinewi_target_width((sinew_channel_target)k);
            t->interpolation = SINEW_INTERPOLATION_LINEAR;
            t->timeline = -1;
        }
    }
}

// Adds a channel of one of the clips. The exact clip already knows its timeline.
static void add_channel(sinewi_error_tracks *s, const sinew_clip *clip, int32_t index, int side,
                        const float *values) {
    const sinew_channel *channel = &clip->channels[index];
    sinewi_error_track *t = &s->of_nodes[SINEWI_GROUPS * (ptrdiff_t)channel->node + (ptrdiff_t)channel->target];
    t->moves[side] = channel->timeline >= 0;
    t->keys[side] = values;
    if (side == 0 && channel->timeline >= 0) {
        t->timeline = channel->timeline;
        t->interpolation = (uint8_t)channel->interpolation;
    }
    if (channel->timeline < 0 && channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE)
        t->keys[side] += t->width;
}

// Reads the modes of one of the other clip's channels. Weights between two keys are rounded to the nearest integer.
static bool add_modes(sinewi_error_tracks *s, const sinew_clip *clip, int32_t index, sinewi_arena *arena) {
    const sinew_channel *channel = &clip->channels[index];
    const sinewi_mode_line line = sinewi_clip_mode_line(clip, index);
    sinewi_error_track *t = &s->of_nodes[SINEWI_GROUPS * (ptrdiff_t)channel->node + (ptrdiff_t)channel->target];
    if (line.count == 0) return true;
    double *parts = sinewi_arena_array(arena, double, 3 * (size_t)line.count), square = 0.0;
    if (!parts) return false;
    sinewi_clip_read_mode_parts(clip, index, parts);
    const float *rest = &s->exact->skeleton->rest[channel->node].scale.x;
    const bool scales = s->exact->additive && channel->target == SINEW_TARGET_SCALE;
    for (int32_t i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int32_t k = 0; k < line.count; k++) {
            if (scales) parts[3 * k + i] *= (double)rest[i];
            sum += fabs(parts[3 * k + i]);
        }
        square += sum * sum;
    }
    t->projects = line.projects;
    t->steps = SINEWI_ERROR_HALF_STEP * sqrt(square);
    t->parts = parts;
    t->first_part = line.first;
    t->part_count = line.count;
    memcpy(t->center, line.center, sizeof t->center);
    return true;
}

static bool are_equal(const sinewi_error_tracks *s, const sinewi_error_track *t) {
    size_t count = t->width;
    if (t->moves[0] != t->moves[1] || t->projects || t->steps > 0.0) return false;
    if (t->moves[0])
        count *= (size_t)s->exact->timelines[t->timeline].key_count *
                 (size_t)sinewi_parts((sinew_interpolation)t->interpolation);
    return memcmp(t->keys[0], t->keys[1], count * sizeof(float)) == 0;
}

// Lists the nodes that differ, the nodes below them, and the nodes above them.
static bool list_nodes(sinewi_error_tracks *s, sinewi_arena *arena) {
    const sinew_skeleton *skeleton = s->exact->skeleton;
    const int32_t count = skeleton->node_count;
    bool *listed = sinewi_arena_zeros(arena, bool, (size_t)count);
    s->nodes = sinewi_arena_array(arena, int32_t, (size_t)count);
    if (!listed || !s->nodes) return false;
    for (int32_t i = 0; i < count; i++) {
        const int32_t parent = skeleton->parents[i];
        listed[i] = parent >= 0 && listed[parent];
        for (int k = 0; k < SINEWI_GROUPS; k++) {
            sinewi_error_track *t = &s->of_nodes[SINEWI_GROUPS * (ptrdiff_t)i + k];
            t->equal = are_equal(s, t);
            if (!t->equal) listed[i] = true;
        }
    }
    for (int32_t i = count; i-- > 0;)
        if (listed[i] && skeleton->parents[i] >= 0) listed[skeleton->parents[i]] = true;
    for (int32_t i = 0; i < count; i++)
        if (listed[i]) s->nodes[s->count++] = i;
    return true;
}

static bool is_same_property(const sinew_channel *a, const sinew_channel *b) {
    return a->node == b->node && a->target == b->target;
}

// Reads one of the other clip's channels.
static bool add_other(sinewi_error_tracks *s, const sinew_clip *clip, int32_t index, int32_t of_exact,
                      const float *exact_keys, sinewi_arena *arena) {
    const sinew_channel *channel = &s->exact->channels[of_exact];
    sinew_channel_def unused;
    const float *keys = sinewi_clip_read_stored_channel(clip, index, arena, &unused);
    if (!keys) return false;
    if (!sinewi_has_weight_lanes(channel->target)) {
        add_channel(s, clip, index, 1, keys);
        return add_modes(s, clip, index, arena);
    }
    const size_t width = (size_t)sinewi_channel_width(s->exact->skeleton, channel->node, channel->target);
    s->weight_error = larger_of(s->weight_error, compare_weights(s, channel, exact_keys, keys, width));
    return true;
}

bool sinewi_error_tracks_read(sinewi_error_tracks *s, const sinewi_exact_clip *exact, const sinew_clip *clip,
                              sinewi_arena *arena) {
    *s = (sinewi_error_tracks){.exact = exact->clip};
    const size_t nodes = (size_t)exact->clip->skeleton->node_count;
    s->of_nodes = sinewi_arena_zeros(arena, sinewi_error_track, SINEWI_GROUPS * nodes);
    if (!s->of_nodes) return false;
    for (int32_t i = 0; i < clip->data->row_count; i++)
        s->part_count += (int32_t)sinewi_weight_count(clip->data->rows[i].weight_counts);
    set_rest(s);
    int32_t other = 0;
    for (int32_t i = 0; i < exact->clip->channel_count; i++) {
        const sinew_channel *channel = &exact->clip->channels[i];
        if (!sinewi_has_weight_lanes(channel->target)) add_channel(s, exact->clip, i, 0, exact->keys[i]);
        if (other == clip->channel_count || !is_same_property(channel, &clip->channels[other])) continue;
        if (!add_other(s, clip, other++, i, exact->keys[i], arena)) return false;
    }
    return list_nodes(s, arena);
}

// ---- The exact clip ----------------------------------------------------------------------------------------------

static int compare_times(const void *a, const void *b, const void *context) {
    (void)context;
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *sinewi_error_sort_times(double *times, size_t *count, sinewi_arena *arena) {
    double *other = sinewi_arena_array(arena, double, *count);
    if (!other) return NULL;
    double *sorted = (double *)sinewi_merge_sort(times, other, *count, sizeof *times, compare_times, NULL);
    size_t different = 0;
    for (size_t i = 0; i < *count; i++)
        if (different == 0 || sorted[i] > sorted[different - 1]) sorted[different++] = sorted[i];
    *count = different;
    return sorted;
}

// Lists all key times. Reserves memory for the poses there, unless that's much more than the clip takes.
static bool make_poses(sinewi_exact_clip *e) {
    const sinew_clip *clip = e->clip;
    for (int32_t i = 0; i < clip->timeline_count; i++) e->time_count += (size_t)clip->timelines[i].key_count;
    double *times = sinewi_arena_array(&e->arena, double, e->time_count);
    if (!times) return false;
    size_t count = 0;
    for (int32_t i = 0; i < clip->timeline_count; i++)
        for (int32_t k = 0; k < clip->timelines[i].key_count; k++)
            times[count++] = (double)sinew_timeline_time(&clip->timelines[i], k);
    e->times = sinewi_error_sort_times(times, &e->time_count, &e->arena);
    if (!e->times) return false;
    const size_t nodes = (size_t)clip->skeleton->node_count;
    const double bytes = (double)e->time_count * (double)nodes * (double)sizeof *e->models;
    if (bytes > SINEWI_ERROR_POSE_BYTES * (double)clip->memory) return true;
    e->models = sinewi_arena_array(&e->arena, sinewi_error_matrix, e->time_count * nodes);
    e->known = sinewi_arena_zeros(&e->arena, bool, e->time_count);
    return e->models && e->known;
}

bool sinewi_exact_clip_read(sinewi_exact_clip *e, const sinew_clip *clip, const sinew_allocator *allocator) {
    *e = (sinewi_exact_clip){.clip = clip};
    sinewi_arena_init(&e->arena, allocator);
    sinew_channel_def unused;
    e->keys = sinewi_arena_array(&e->arena, const float *, (size_t)clip->channel_count);
    if (!e->keys) return false;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        e->keys[i] = sinewi_clip_read_stored_channel(clip, i, &e->arena, &unused);
        if (!e->keys[i]) return false;
    }
    return make_poses(e);
}

void sinewi_exact_clip_free(sinewi_exact_clip *e) {
    sinewi_arena_free(&e->arena);
}
