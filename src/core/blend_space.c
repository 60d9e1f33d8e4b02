// SPDX-License-Identifier: MIT
// Creates blend spaces, computes the samples' weights at a parameter, and damps the parameter.
//
// A blend space is a set of clips, its samples, each placed at a point. The parameter is also a point: x on a line, (x,
// y) in the other kinds. The weights say how much of each sample to blend there. The damped parameter follows the
// requested one with a critically damped spring, so a jump of the input doesn't pop.
#include "core/blend_space_data.h"
#include "base/critical_spring.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The arrays of a blend space and its data, still writable.
typedef struct space_arrays {
    sinew_blend_space *space;
    sinew_blend_space_data *data;
    sinew_blend_sample *samples;
    sinewi_sync_intervals *intervals;
    const char **names;
    int32_t *order; // by_x for a line. For triangles, ranks that are only used during creation.
    sinew_blend_triangle *triangles;
    blend_edge *outline;
    blend_velocity *velocities;
    blend_band *bands;
} space_arrays;

sinew_blend_space_def sinew_blend_space_default(void) {
    return (sinew_blend_space_def){.kind = SINEW_BLEND_SPACE_LINE,
                                   .damping = 0.1f,
                                   .min_rate = 0.8f,
                                   .max_rate = 1.25f,
                                   .cookie = SINEWI_DEF_COOKIE};
}

// ---- Checking ------------------------------------------------------------------------------------------------

static sinew_result check_counts(const sinew_blend_space_def *def, sinew_error *error) {
    if (def->kind < SINEW_BLEND_SPACE_LINE || def->kind > SINEW_BLEND_SPACE_DIRECTIONAL) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "blend space: unknown kind %d", (int)def->kind);
    }
    if (!def->skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "blend space: no skeleton");
    if (def->sample_count < 1 || !def->samples) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "blend space: no samples; it needs at least one");
    }
    int32_t most = def->kind == SINEW_BLEND_SPACE_DIRECTIONAL ? SINEW_MAX_BLEND_WEIGHTS : SINEW_MAX_BLEND_SAMPLES;
    if (def->sample_count > most) {
        return sinewi_fail(error, SINEW_ERROR_LIMIT, "blend space: %d samples, but this kind can have at most %d",
                           (int)def->sample_count, (int)most);
    }
    if (!(def->damping >= 0.0f) || !isfinite(def->damping)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "blend space: damping is %g s; it must be 0 or more",
                           (double)def->damping);
    }
    if (!(def->min_rate > 0.0f && def->min_rate <= 1.0f && def->max_rate >= 1.0f) || !isfinite(def->max_rate)) {
        return sinewi_fail(
            error, SINEW_ERROR_ARGUMENT,
            "blend space: the rates are %g to %g; min_rate must be above 0 and at most 1, max_rate 1 "
            "or more",
            (double)def->min_rate, (double)def->max_rate);
    }
    return SINEW_OK;
}

static sinew_result check_names(const sinew_blend_space_def *def, sinew_error *error) {
    if (def->sync_name_count < 0 || def->sync_name_count > SINEWI_MAX_SYNC_MARKERS ||
        (def->sync_name_count > 0 && !def->sync_names)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "blend space: %d sync names%s; there must be 0 to %d",
                           (int)def->sync_name_count, def->sync_names ? "" : ", but sync_names is NULL",
                           SINEWI_MAX_SYNC_MARKERS);
    }
    for (int32_t i = 0; i < def->sync_name_count; i++) {
        if (def->sync_names[i]) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "blend space: sync_names[%d] is NULL", (int)i);
    }
    return SINEW_OK;
}

sinew_result sinewi_blend_fail_speed(int32_t sample, sinew_error *error) {
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "samples[%d].speed must not be 0; 1 is the clip's own speed",
                       (int)sample);
}

// Each sample needs a finite point of its own, and a clip for this skeleton that moves.
static sinew_result check_sample(const sinew_blend_space_def *def, int32_t i, sinew_error *error) {
    const sinew_blend_sample *sample = &def->samples[i];
    if (!sample->clip) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "samples[%d]: no clip", (int)i);
    if (sample->clip->skeleton != def->skeleton) {
        return sinewi_fail(
            error, SINEW_ERROR_ARGUMENT,
            "samples[%d]: its clip '%s' belongs to a different skeleton; bind it with sinew_clip_bind", (int)i,
            sample->clip->name);
    }
    bool has_y = def->kind != SINEW_BLEND_SPACE_LINE;
    if (!isfinite(sample->x) || (has_y && !isfinite(sample->y)) || !isfinite(sample->speed)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "samples[%d]: x, y or speed is not finite", (int)i);
    }
    if (sample->speed == 0.0f) return sinewi_blend_fail_speed(i, error);
    for (int32_t j = 0; j < i; j++) {
        if (def->samples[j].x != sample->x || (has_y && def->samples[j].y != sample->y)) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "samples[%d] is at the same point as samples[%d]", (int)i,
                           (int)j);
    }
    return SINEW_OK;
}

// A directional space needs an idle sample at (0, 0) and at least one other sample. check_sample already found
// duplicate points. The other kinds don't need more checks here, because triangulation rejects samples that don't form
// a triangle.
static sinew_result check_directional_samples(const sinew_blend_space_def *def, sinew_error *error) {
    if (def->kind != SINEW_BLEND_SPACE_DIRECTIONAL) return SINEW_OK;
    int32_t idle_count = 0;
    for (int32_t i = 0; i < def->sample_count; i++)
        idle_count += def->samples[i].x == 0.0f && def->samples[i].y == 0.0f;
    if (idle_count == 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "blend space: no sample at (0, 0); directional spaces need an idle there");
    }
    if (def->sample_count > 1) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                       "blend space: no sample except at (0, 0); directional spaces need one that moves");
}

static sinew_result check_def(const sinew_blend_space_def *def, sinew_error *error) {
    sinew_result result = check_counts(def, error);
    if (result == SINEW_OK) result = check_names(def, error);
    for (int32_t i = 0; result == SINEW_OK && i < def->sample_count; i++) result = check_sample(def, i, error);
    return result == SINEW_OK ? check_directional_samples(def, error) : result;
}

// ---- Creating ------------------------------------------------------------------------------------------------

// Places all arrays in the space's memory block. In the measuring pass, they are NULL.
static space_arrays lay_out(sinewi_layout *layout, const sinew_blend_space_def *def) {
    size_t count = (size_t)def->sample_count;
    space_arrays a = {.space = sinewi_layout_array(layout, sinew_blend_space, 1, SINEWI_ALIGNMENT)};
    a.data = sinewi_layout_array(layout, sinew_blend_space_data, 1, alignof(sinew_blend_space_data));
    a.samples = sinewi_layout_array(layout, sinew_blend_sample, count, alignof(sinew_blend_sample));
    a.intervals = sinewi_layout_array(layout, sinewi_sync_intervals, count, alignof(sinewi_sync_intervals));
    size_t names = (size_t)def->sync_name_count;
    a.names = sinewi_layout_array(layout, const char *, names, alignof(const char *));
    for (size_t i = 0; i < names; i++) {
        const char *name = sinewi_layout_string(layout, def->sync_names[i]);
        if (layout->base) a.names[i] = name;
    }
    if (def->kind == SINEW_BLEND_SPACE_DIRECTIONAL) {
        a.velocities = sinewi_layout_array(layout, blend_velocity, count - 1, alignof(blend_velocity));
        a.bands = sinewi_layout_array(layout, blend_band, sinewi_blend_band_count(def->sample_count),
                                      alignof(blend_band));
        return a;
    }
    a.order = sinewi_layout_array(layout, int32_t, count, alignof(int32_t));
    if (def->kind == SINEW_BLEND_SPACE_TRIANGLES) {
        a.triangles = sinewi_layout_array(layout, sinew_blend_triangle, 2 * count, alignof(sinew_blend_triangle));
        a.outline = sinewi_layout_array(layout, blend_edge, count, alignof(blend_edge));
    }
    return a;
}

// Insertion sort, because there are few samples.
static void sort_by_x(const sinew_blend_space_def *def, int32_t *by_x) {
    for (int32_t i = 0; i < def->sample_count; i++) {
        int32_t slot = i;
        for (; slot > 0 && def->samples[i].x < def->samples[by_x[slot - 1]].x; slot--) by_x[slot] = by_x[slot - 1];
        by_x[slot] = i;
    }
}

// Returns the longer side of the box around all samples, in parameter units.
static double extent_of(const sinew_blend_space_def *def) {
    double extent = 0.0;
    for (int32_t i = 0; i < def->sample_count; i++) {
        for (int32_t j = 0; j < i; j++) {
            const sinew_blend_sample *a = &def->samples[i], *b = &def->samples[j];
            double x = fabs((double)a->x - (double)b->x), y = fabs((double)a->y - (double)b->y);
            if (x > extent) extent = x;
            if (def->kind != SINEW_BLEND_SPACE_LINE && y > extent) extent = y;
        }
    }
    return extent;
}

// Fills what depends on the kind: an order, velocities or triangles. Fails if the samples don't suit the kind.
static sinew_result fill_by_kind(const space_arrays *a, const sinew_blend_space_def *def, sinew_error *error) {
    if (def->kind == SINEW_BLEND_SPACE_LINE) {
        sort_by_x(def, a->order);
        a->data->by_x = a->order;
        return SINEW_OK;
    }
    if (def->kind == SINEW_BLEND_SPACE_DIRECTIONAL) {
        int32_t i, j;
        if (sinewi_blend_find_velocities(def->samples, def->sample_count, a->velocities, a->bands, a->data, &i, &j))
            return SINEW_OK;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "samples[%d] and samples[%d] are too close to differ in angle or length", (int)i,
                           (int)j);
    }
    a->space->triangle_count = sinewi_blend_triangulate(def->samples, def->sample_count, a->triangles, a->order);
    a->space->triangles = a->triangles;
    if (a->space->triangle_count == 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "blend space: its %d samples are on one line and form no triangle; use "
                           "SINEW_BLEND_SPACE_LINE",
                           (int)def->sample_count);
    }
    a->data->outline = a->outline;
    a->data->outline_count = sinewi_blend_outline(a->triangles, a->space->triangle_count, a->outline);
    return SINEW_OK;
}

// Finds the sync intervals of the samples' clips. A clip without sync markers, such as an idle pose, gets intervals of
// the others' mean rate.
static void find_intervals(const sinew_blend_space_def *def, sinewi_sync_intervals *intervals) {
    double interval_sum = 0.0, seconds = 0.0;
    for (int32_t i = 0; i < def->sample_count; i++) {
        const sinew_clip *clip = def->samples[i].clip;
        intervals[i] = sinewi_sync_find_intervals(clip, def->sync_names, def->sync_name_count);
        if (intervals[i].marker_bits == 0) continue;
        interval_sum += (double)intervals[i].count;
        seconds += (double)clip->duration;
    }
    if (!(seconds > 0.0)) return;
    for (int32_t i = 0; i < def->sample_count; i++) {
        sinewi_sync_divide(def->samples[i].clip, &intervals[i], interval_sum / seconds, def->sync_name_count);
    }
}

sinew_result sinew_blend_space_create(const sinew_blend_space_def *def, sinew_blend_space **space,
                                      sinew_error *error) {
    *space = NULL;
    sinew_result result =
        SINEWI_CHECK_DEF(def, "sinew_blend_space_def: start from sinew_blend_space_default()", error);
    if (result == SINEW_OK) result = check_def(def, error);
    if (result != SINEW_OK) return result;

    sinewi_layout measure = {0};
    lay_out(&measure, def);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    space_arrays a = lay_out(&layout, def);

    for (int32_t i = 0; i < def->sample_count; i++) a.samples[i] = def->samples[i];
    find_intervals(def, a.intervals);
    *a.data = (sinew_blend_space_data){
        .intervals = a.intervals,
        .sync_names = a.names,
        .sync_name_count = def->sync_name_count,
        .extent = extent_of(def),
        .pull = def->damping > 0.0f ? SINEWI_CRITICAL_SPRING_HALF_WAY / (double)def->damping
                                    : 0.0, // `damping` is the time to cover half the distance
        .allocator = def->allocator,
    };
    *a.space = (sinew_blend_space){.skeleton = def->skeleton,
                                   .kind = def->kind,
                                   .sample_count = def->sample_count,
                                   .samples = a.samples,
                                   .damping = def->damping,
                                   .match_speed = def->match_speed,
                                   .min_rate = def->min_rate,
                                   .max_rate = def->max_rate,
                                   .memory = measure.size,
                                   .data = a.data};
    result = fill_by_kind(&a, def, error);
    if (result == SINEW_OK) {
        *space = a.space;
    } else {
        sinew_blend_space_destroy(a.space);
    }
    return result;
}

void sinew_blend_space_destroy(sinew_blend_space *space) {
    if (!space) return;
    sinew_allocator allocator = space->data->allocator;
    sinewi_release(&allocator, space, space->memory, SINEWI_ALIGNMENT);
}

// ---- Weights -------------------------------------------------------------------------------------------------

// Interpolates linearly between the two samples around x. Outside of all samples, uses the nearest one. The `raw`
// weights don't have to sum to 1.
static void add_line_weights(const sinew_blend_space *space, double x, double *raw) {
    const int32_t *by_x = space->data->by_x;
    int32_t upper = 0;
    while (upper < space->sample_count && (double)space->samples[by_x[upper]].x < x) upper++;
    if (upper == 0 || upper == space->sample_count) {
        raw[by_x[upper == 0 ? 0 : upper - 1]] = 1.0;
        return;
    }
    double from = (double)space->samples[by_x[upper - 1]].x, to = (double)space->samples[by_x[upper]].x;
    raw[by_x[upper - 1]] = (to - x) / (to - from);
    raw[by_x[upper]] = (x - from) / (to - from);
}

// Normalizes the weights, drops those below 2^-24 of the sum, and returns how many are left.
static int32_t normalize_weights(const double *raw, int32_t sample_count, sinew_blend_weight *weights) {
    double sum = 0.0, kept = 0.0;
    for (int32_t i = 0; i < sample_count; i++) sum += raw[i];
    double least = sum * 0x1p-24;
    for (int32_t i = 0; i < sample_count; i++) {
        if (raw[i] >= least) kept += raw[i];
    }
    int32_t count = 0;
    for (int32_t i = 0; i < sample_count; i++) {
        if (raw[i] >= least) weights[count++] = (sinew_blend_weight){i, (float)(raw[i] / kept)};
    }
    return count;
}

// The raw weights depend on the kind of space.
int32_t sinew_blend_space_weights(const sinew_blend_space *space, float x, float y,
                                  sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]) {
    assert(space && weights);
    assert(isfinite(x) && (space->kind == SINEW_BLEND_SPACE_LINE || isfinite(y)));
    double raw[SINEW_MAX_BLEND_SAMPLES] = {0.0};
    switch (space->kind) {
    case SINEW_BLEND_SPACE_LINE:
        add_line_weights(space, (double)x, raw);
        break;
    case SINEW_BLEND_SPACE_TRIANGLES:
        sinewi_blend_triangle_weights(space, x, y, raw);
        break;
    case SINEW_BLEND_SPACE_DIRECTIONAL:
        sinewi_blend_direction_weights(space, x, y, raw);
        break;
    }
    return normalize_weights(raw, space->sample_count, weights);
}

// ---- The parameter -------------------------------------------------------------------------------------------

// Moves the damped parameter toward (x, y) over dt seconds. Returns whether it has moved. Without damping, it jumps.
bool sinew_blend_parameter_follow(sinew_blend_parameter *parameter, const sinew_blend_space *space, float x,
                                  float y, float dt) {
    assert(parameter && space);
    bool has_y = space->kind != SINEW_BLEND_SPACE_LINE;
    assert(isfinite(x) && (!has_y || isfinite(y)) && dt >= 0.0f && isfinite(dt));
    const sinew_blend_parameter before = *parameter;
    double to_x = (double)x, to_y = has_y ? (double)y : 0.0, extent = space->data->extent;
    if (!(space->data->pull > 0.0)) {
        *parameter = (sinew_blend_parameter){.x = to_x, .y = has_y ? to_y : before.y};
    } else {
        sinewi_critical_spring spring = {.pull = space->data->pull, .dt = (double)dt};
        spring.decay = sinewi_decay(spring.pull * spring.dt);
        spring.near = fmax(extent, fmax(fabs(to_x), fabs(to_y))) * 0x1p-20;
        sinewi_critical_spring_follow(&spring, to_x, &parameter->x, &parameter->vx);
        if (has_y) sinewi_critical_spring_follow(&spring, to_y, &parameter->y, &parameter->vy);
    }
    return parameter->x != before.x || parameter->y != before.y;
}
