// SPDX-License-Identifier: MIT
// Reads tracks: which keys may be left out, and by how much the values then differ.
#include "optimize/plan.h"

#include <math.h>
#include <string.h>

// ---- Effects -------------------------------------------------------------------------------------------------------

static const double origin[3] = {0.0, 0.0, 0.0};

static double distance(const double *a, const double *b) {
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// The largest scale of a world matrix.
static double scale_of(const double *world) {
    return fmax(distance(world, origin), fmax(distance(world + 4, origin), distance(world + 8, origin)));
}

// The largest distance of a group's points from its node.
static double radius_of(const compare_body *body, const compare_group *group, const ref_pose rest[2]) {
    double radius = 0.0;
    for (int32_t i = 0; i < group->point_count; i++) {
        double positions[2][3];
        compare_positions(body, rest, group->points[i], positions);
        radius = fmax(radius, distance(positions[0], rest[0].worlds + 16 * (ptrdiff_t)group->node + 12));
    }
    return radius;
}

// Marks the ancestors of the bones of a group with the group's number plus 1; returns how many are new.
static int32_t mark_ancestors(const compare_body *body, int32_t g, int32_t *marks, int32_t *list) {
    const compare_group *group = &body->groups[g];
    int32_t count = 0;
    for (int32_t r = 0; r < group->reach_count; r++) {
        int32_t node = body->bones[group->reaches[r].bone].nodes[0];
        for (; node >= 0 && marks[node] != g + 1; node = body->models[0]->nodes[node].parent) {
            marks[node] = g + 1;
            list[count++] = node;
        }
    }
    // A mesh is morphed by the weights of its own node, which need not be above its joints.
    for (int32_t i = 0; i < group->part_count; i++) {
        const int32_t node = body->parts[group->parts[i]].nodes[0];
        if (marks[node] == g + 1) continue;
        marks[node] = g + 1;
        list[count++] = node;
    }
    return count;
}

static void measure_scales(const plan *p, const ref_pose *rest, double *above, double *own) {
    const ref_model *model = p->body->models[0];
    for (ptrdiff_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->nodes[i].parent;
        above[i] = parent >= 0 ? scale_of(rest->worlds + 16 * (ptrdiff_t)parent) : 1.0;
        const double *scale = rest->locals + 10 * i + 7;
        own[i] = fmax(1e-6, fmin(fabs(scale[0]), fmin(fabs(scale[1]), fabs(scale[2]))));
    }
}

// The limit of pairs of a node and a group that it moves: a chain of very many nodes has the square of their number.
#define MAX_EFFECTS (1 << 22)

bool plan_list_effects(plan *p) {
    const compare_body *body = p->body;
    const size_t nodes = (size_t)body->models[0]->node_count;
    int32_t *first = sinew_arena_zeros(p->arena, int32_t, nodes + 2),
            *marks = sinew_arena_zeros(p->arena, int32_t, nodes),
            *list = sinew_arena_array(p->arena, int32_t, nodes);
    double *above = sinew_arena_array(p->arena, double, nodes), *own = sinew_arena_array(p->arena, double, nodes);
    ref_pose rest[2];
    if (!first || !marks || !list || !above || !own || !ref_make_pose(p->arena, body->models[0], &rest[0]))
        return false;
    ref_evaluate(body->models[0], NULL, 0.0, &rest[0]);
    rest[1] = rest[0];
    measure_scales(p, rest, above, own);
    int64_t total = 0;
    for (int32_t g = 0; g < body->group_count; g++) {
        const int32_t count = mark_ancestors(body, g, marks, list);
        for (int32_t i = 0; i < count; i++) first[list[i] + 2]++;
        total += count;
        p->too_long = total > MAX_EFFECTS;
        if (p->too_long) return false;
    }
    for (size_t i = 2; i < nodes + 2; i++) first[i] += first[i - 1];
    plan_effect *effects = sinew_arena_array(p->arena, plan_effect, (size_t)first[nodes + 1]);
    if (!effects) return false;
    memset(marks, 0, nodes * sizeof *marks);
    for (int32_t g = 0; g < body->group_count; g++) {
        const int32_t count = mark_ancestors(body, g, marks, list);
        const double radius = radius_of(body, &body->groups[g], rest);
        const double *center = rest[0].worlds + 16 * (ptrdiff_t)body->groups[g].node + 12;
        for (int32_t i = 0; i < count; i++) {
            const double *joint = rest[0].worlds + 16 * (ptrdiff_t)list[i] + 12;
            effects[first[list[i] + 1]++] = (plan_effect){g, distance(center, joint) + radius};
        }
    }
    p->first_effect = first;
    p->effects = effects;
    p->scale_above = above;
    p->own_scale = own;
    return true;
}

// ---- Values --------------------------------------------------------------------------------------------------------

static const double *value_of(const ref_channel *channel, int32_t key) {
    const ptrdiff_t width = channel->width;
    return channel->values + (channel->interpolation == REF_CUBICSPLINE ? 3 * (ptrdiff_t)key + 1 : key) * width;
}

// The difference of two values: the angle of rotations in radians, else the length; of weights the largest.
static double difference(const ref_channel *channel, const double *a, const double *b) {
    double dot = 0.0, aa = 0.0, bb = 0.0, square = 0.0, largest = 0.0;
    for (int32_t i = 0; i < channel->width; i++) {
        dot += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        square += (a[i] - b[i]) * (a[i] - b[i]);
        largest = fmax(largest, fabs(a[i] - b[i]));
    }
    if (channel->path == REF_WEIGHTS) return largest;
    if (channel->path != REF_ROTATION) return sqrt(square);
    if (!(aa > 0.0 && bb > 0.0)) return 4.0;
    const double lengths = sqrt(aa * bb), cosine = fabs(dot) / lengths;
    return 2.0 * atan2(sqrt(fmax(0.0, 1.0 - cosine * cosine)), cosine);
}

static bool is_kept(const ref_channel *channel, const plan_level *level, int32_t key) {
    return key % level->step == 0 || key == channel->key_count - 1;
}

// The difference at the authored keys that a level leaves out.
static double reduction_error(const ref_channel *channel, const plan_level *level) {
    double largest = 0.0;
    double times[2], values[8], found[4];
    ref_channel line = {.path = channel->path,
                        .interpolation = REF_LINEAR,
                        .key_count = 2,
                        .width = channel->width,
                        .times = times,
                        .values = values};
    for (int32_t from = 0; from + 1 < channel->key_count; from += level->step) {
        const int32_t to = from + level->step < channel->key_count ? from + level->step : channel->key_count - 1;
        times[0] = channel->times[from];
        times[1] = channel->times[to];
        memcpy(values, value_of(channel, from), (size_t)channel->width * sizeof *values);
        memcpy(values + channel->width, value_of(channel, to), (size_t)channel->width * sizeof *values);
        for (int32_t k = from + 1; k < to; k++) {
            ref_sample(&line, channel->times[k], found);
            largest = fmax(largest, difference(channel, found, value_of(channel, k)));
        }
    }
    return largest;
}

static double change_of(const ref_channel *channel, const plan_level *level) {
    const int32_t parts = channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
    double sum = 0.0;
    int32_t before = 0;
    for (int32_t k = 1; k < channel->key_count; k++) {
        if (!is_kept(channel, level, k)) continue;
        const double *a = value_of(channel, before), *b = value_of(channel, k);
        double dot = 0.0;
        for (int32_t i = 0; i < channel->width; i++) dot += a[i] * b[i];
        const double side = channel->path == REF_ROTATION && dot < 0.0 ? -1.0 : 1.0;
        for (int32_t i = 0; i < channel->width; i++) sum += (b[i] - side * a[i]) * (b[i] - side * a[i]);
        before = k;
    }
    const double count = (double)(level->key_count - 1) * channel->width;
    return parts * (count > 0.0 ? sqrt(sum / count) : 0.0);
}

// ---- Levels --------------------------------------------------------------------------------------------------------

static void add_level(plan_track *track, plan_level level) {
    track->levels[track->level_count++] = level;
}

// Every second key, every fourth, ...: only of LINEAR translations, rotations and scales.
static void add_reductions(plan_track *track) {
    const ref_channel *channel = track->source;
    if (channel->interpolation != REF_LINEAR || channel->path == REF_WEIGHTS) return;
    for (int32_t step = 2; step < channel->key_count && track->level_count < PLAN_MAX_LEVELS - 1; step *= 2) {
        plan_level level = {.step = step, .key_count = (channel->key_count - 2) / step + 2};
        level.error = reduction_error(channel, &level);
        level.change = change_of(channel, &level);
        add_level(track, level);
    }
}

// The middle of the values; of rotations their mean, on the side of the first.
static void find_constant(plan_track *track) {
    const ref_channel *channel = track->source;
    double least[4] = {0.0}, most[4], mean[4] = {0.0, 0.0, 0.0, 0.0};
    memcpy(least, value_of(channel, 0), (size_t)channel->width * sizeof *least);
    memcpy(most, least, sizeof most);
    for (int32_t k = 0; k < channel->key_count; k++) {
        const double *value = value_of(channel, k), *first = value_of(channel, 0);
        double dot = 0.0;
        for (int32_t i = 0; i < channel->width; i++) {
            least[i] = fmin(least[i], value[i]);
            most[i] = fmax(most[i], value[i]);
            dot += first[i] * value[i];
        }
        for (int32_t i = 0; i < channel->width; i++) mean[i] += dot < 0.0 ? -value[i] : value[i];
    }
    for (int32_t i = 0; i < channel->width; i++)
        track->constant[i] = channel->path == REF_ROTATION ? mean[i] : 0.5 * (least[i] + most[i]);
    if (channel->path != REF_ROTATION) return;
    const double length = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2] + mean[3] * mean[3]);
    for (int32_t i = 0; i < 4; i++) track->constant[i] = length > 0.0 ? mean[i] / length : value_of(channel, 0)[i];
}

static double error_of_value(const ref_channel *channel, const double *value) {
    double largest = 0.0;
    for (int32_t k = 0; k < channel->key_count; k++)
        largest = fmax(largest, difference(channel, value, value_of(channel, k)));
    return largest;
}

// Whether all tangents are 0 or there are none: only then keys alone tell how far a track is from a value.
static bool stays_at_keys(const ref_channel *channel) {
    if (channel->interpolation != REF_CUBICSPLINE) return true;
    for (ptrdiff_t k = 0; k < channel->key_count; k++) {
        for (ptrdiff_t i = 0; i < channel->width; i++) {
            const double *key = channel->values + 3 * k * channel->width;
            if (key[i] != 0.0 || key[2 * channel->width + i] != 0.0) return false;
        }
    }
    return true;
}

static const double *rest_of(const ref_model *model, const ref_channel *channel) {
    const ref_node *node = &model->nodes[channel->node];
    switch (channel->path) {
    case REF_TRANSLATION:
        return node->translation;
    case REF_ROTATION:
        return node->rotation;
    case REF_SCALE:
        return node->scale;
    case REF_WEIGHTS:
        return model->rest_weights + node->first_weight;
    }
    return NULL;
}

static void read_track(plan *p, const ref_channel *channel, int32_t index, plan_track *track) {
    *track = (plan_track){.channel = index, .source = channel};
    const int32_t parts = channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
    const ptrdiff_t numbers = (ptrdiff_t)channel->key_count * channel->width * parts;
    for (ptrdiff_t i = 0; i < numbers; i++) track->largest = fmax(track->largest, fabs(channel->values[i]));
    plan_level all = {.step = 1, .key_count = channel->key_count};
    all.change = change_of(channel, &all);
    add_level(track, all);
    add_reductions(track);
    track->dropped_error = (double)INFINITY;
    if (!stays_at_keys(channel)) return;
    track->dropped_error = error_of_value(channel, rest_of(p->body->models[0], channel));
    if (channel->path == REF_WEIGHTS || channel->key_count < 2) return;
    find_constant(track);
    add_level(track, (plan_level){.key_count = 2, .error = error_of_value(channel, track->constant)});
}

bool plan_read_tracks(plan *p, int32_t animation) {
    const ref_animation *source = &p->body->models[0]->animations[animation];
    plan_track *tracks = sinew_arena_zeros(p->arena, plan_track, (size_t)source->channel_count);
    if (!tracks) return false;
    for (int32_t c = 0; c < source->channel_count; c++) read_track(p, &source->channels[c], c, &tracks[c]);
    p->tracks[animation] = tracks;
    return true;
}
