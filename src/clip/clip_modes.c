// SPDX-License-Identifier: MIT
// Finds the modes of a clip: functions of time of which the motion of every lane is a sum (kernels/layout.h).
//
// A set has the translations, rotations or scales of one timeline. Its values, without their mean, are a matrix of
// components (one of a lane's x, y, z and w) and keys. A mode is its dominant singular vector, found by power iteration;
// it is rounded to 16 bits, subtracted from all components, and the next one is that of the residual. Components are
// weighted by their leverage, the distance by which a unit of them moves the farthest point behind their joint: so modes
// explain what is seen. SINEW_NO_COMPRESSION leaves this file out.
#include "clip/clip_modes.h"

#ifndef SINEW_NO_COMPRESSION

#include <math.h>
#include <string.h>

// Power iterations for one mode. They need not converge: any vector near the dominant ones serves.
#define ITERATIONS 10

// The largest distance of rounding, as a multiple of that which is planned: the roundings of several modes partly cancel.
#define MAX_ROUNDING 20.0

// The part of the tolerance up to which the weights of rotations are interpolated.
#define MAX_SLERP_DISTANCE 0.5

// The strips that share the weights of modes, for comparing sizes.
#define WEIGHT_SHARE 4

// The largest weight of a mode, and the largest sum of a lane's coefficients: products then fit 31 bits.
#define MAX_WEIGHT          32767.0
#define MAX_COEFFICIENT_SUM 65000.0

// The most values of a set, to bound the time: long clips of many joints stay as they are.
#define MAX_SET_VALUES (1 << 24)

// Used instead of fmax in reductions: gcc 12 for 64-bit ARM fails on those with an internal error.
static double larger_of(double a, double b) {
    return a > b ? a : b;
}

// ---- Leverages -----------------------------------------------------------------------------------------------

// The longest column of a matrix: the most by which it scales.
static double matrix_scale(sinew_affine a) {
    double most = 0.0;
    for (int c = 0; c < 3; c++) {
        double x = (double)a.m[0][c], y = (double)a.m[1][c], z = (double)a.m[2][c];
        most = larger_of(most, sqrt(x * x + y * y + z * z));
    }
    return most;
}

static double matrix_distance(sinew_affine a, sinew_affine b) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        double d = (double)a.m[i][3] - (double)b.m[i][3];
        square += d * d;
    }
    return sqrt(square);
}

// What moves in model space, in the rest pose.
typedef struct lever {
    double parent_scale; // of a translation
    double reach;        // to the farthest virtual point of the node's subtree, along its bones, metres
} lever;

static lever *find_levers(const sinew_skeleton *skeleton, double distance, sinew_arena *arena) {
    size_t count = (size_t)skeleton->node_count;
    lever *levers = sinew_arena_array(arena, lever, count);
    sinew_affine *model = sinew_arena_array(arena, sinew_affine, count);
    if (!levers || !model) return NULL;
    for (size_t i = 0; i < count; i++) {
        const int32_t parent = skeleton->parents[i];
        sinew_affine local = sinew_affine_from_transform(skeleton->rest[i]);
        model[i] = parent < 0 ? local : sinew_affine_multiply(model[parent], local);
        levers[i].parent_scale = parent < 0 ? 1.0 : matrix_scale(model[parent]);
        levers[i].reach = distance * matrix_scale(model[i]);
    }
    for (size_t i = count; i-- > 1;) {
        const int32_t parent = skeleton->parents[i];
        if (parent < 0) continue;
        double reach = levers[i].reach + matrix_distance(model[i], model[parent]);
        levers[parent].reach = larger_of(levers[parent].reach, reach);
    }
    return levers;
}

// The distance by which a unit of a target's component moves a point. The rotation of a quaternion is by twice its
// angle. A very small leverage would let a value have any error.
static double find_leverage(const sinew_skeleton *skeleton, const lever *levers, int32_t node,
                            sinew_channel_target target) {
    double leverage = levers[node].parent_scale;
    if (target == SINEW_TARGET_ROTATION) leverage = 2.0 * levers[node].reach;
    if (target == SINEW_TARGET_SCALE) {
        sinew_vec3 s = skeleton->rest[node].scale;
        double size = larger_of(larger_of(fabs((double)s.x), fabs((double)s.y)), fabs((double)s.z));
        leverage = levers[node].reach / larger_of(size, 1e-3);
    }
    return isfinite(leverage) ? larger_of(leverage, 1e-6) : 1e6;
}

// ---- Sets ----------------------------------------------------------------------------------------------------

static int count_lanes(const sinew_strip_plan *strip) {
    int count = 0;
    for (int l = 0; l < SINEW_LANES; l++) count += strip->channels[l] != SINEW_NO_CHANNEL;
    return count;
}

static bool can_have_modes(const sinew_strip_plan *strip) {
    return strip->strip.rows != SINEW_ON_TRACKS && strip->strip.interpolation == SINEW_INTERPOLATION_LINEAR &&
           strip->target != SINEW_TARGET_WEIGHTS;
}

static int32_t key_count_of(const sinew_clip_plan *plan, int32_t row) {
    return plan->def->channels[plan->first_user[plan->row_timeline[row]]].key_count;
}

// Assigns each strip to the set of its target and timeline.
static void assign_sets(sinew_mode_finder *f, const sinew_clip_plan *plan) {
    for (int32_t i = 0; i < plan->strip_count; i++) {
        const sinew_strip_plan *strip = &plan->strips[i];
        f->strips[i].set = -1;
        if (!can_have_modes(strip)) continue;
        int32_t set = strip->strip.rows * SINEW_GROUPS + (int32_t)strip->target;
        int32_t added = count_lanes(strip) * sinew_target_width(strip->target);
        int64_t values = (int64_t)(f->sets[set].component_count + added) * key_count_of(plan, strip->strip.rows);
        if (values > MAX_SET_VALUES) continue;
        f->strips[i].set = set;
        f->strips[i].component = f->sets[set].component_count;
        f->sets[set].component_count += added;
    }
}

static bool allocate_sets(sinew_mode_finder *f, const sinew_clip_plan *plan) {
    for (int32_t i = 0; i < f->set_count; i++) {
        sinew_mode_set *set = &f->sets[i];
        set->row = i / SINEW_GROUPS;
        set->target = (sinew_channel_target)(i % SINEW_GROUPS);
        set->key_count = key_count_of(plan, set->row);
        size_t keys = (size_t)set->key_count, components = (size_t)set->component_count;
        set->weights = sinew_arena_array(&f->arena, uint16_t, keys * SINEW_MAX_MODES);
        set->coefficients = sinew_arena_array(&f->arena, double, components *SINEW_MAX_MODES);
        set->values = sinew_arena_array(&f->arena, double, components *keys);
        if (!set->weights || !set->coefficients || !set->values) return false;
    }
    return true;
}

// Copies a channel's component without its mean, which is returned.
static float copy_component(const sinew_channel_def *channel, int32_t component, double *values) {
    int32_t width = sinew_target_width(channel->target);
    double sum = 0.0;
    for (int32_t k = 0; k < channel->key_count; k++) sum += (double)channel->values[k * width + component];
    float mean = (float)(sum / channel->key_count);
    for (int32_t k = 0; k < channel->key_count; k++)
        values[k] = (double)channel->values[k * width + component] - (double)mean;
    return mean;
}

// Rotations between keys that are far apart are slerps, which a sum of modes is not: the largest distance of the two.
// By the series of core/slerp.h, it is at most 0.004 times the cube of the angle, in radians.
static double slerp_distance(const sinew_channel_def *channel, double leverage) {
    double widest = 0.0;
    for (int32_t k = 0; k + 1 < channel->key_count; k++) {
        const float *p = channel->values + 4 * (ptrdiff_t)k, *q = p + 4;
        double square = 0.0;
        for (int i = 0; i < 4; i++) square += ((double)p[i] - (double)q[i]) * ((double)p[i] - (double)q[i]);
        widest = larger_of(widest, 2.0 * sqrt(square)); // the chord of half the angle
    }
    return 0.004 * widest * widest * widest * 0.5 * leverage;
}

static void copy_strip(sinew_mode_finder *f, const sinew_clip_plan *plan, const lever *levers, int32_t index) {
    sinew_mode_strip *strip = &f->strips[index];
    const sinew_strip_plan *strip_plan = &plan->strips[index];
    const sinew_mode_set *set = &f->sets[strip->set];
    const int32_t width = sinew_target_width(set->target);
    double *values = set->values + (size_t)strip->component * (size_t)set->key_count;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (strip_plan->channels[l] == SINEW_NO_CHANNEL) continue;
        const sinew_channel_def *channel = &plan->def->channels[strip_plan->channels[l]];
        strip->leverages[l] = find_leverage(plan->def->skeleton, levers, channel->node, set->target);
        for (int32_t i = 0; i < width; i++, values += set->key_count)
            strip->means[i * SINEW_LANES + l] = copy_component(channel, i, values);
        if (set->target == SINEW_TARGET_ROTATION)
            strip->slerp_distance = larger_of(strip->slerp_distance, slerp_distance(channel, strip->leverages[l]));
    }
}

// ---- Modes ---------------------------------------------------------------------------------------------------

static double dot(const double *a, const double *b, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// Scales a vector so that its largest element is `largest`. Returns false for zero.
static bool scale_to(double *u, int32_t count, double largest) {
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) most = larger_of(most, fabs(u[i]));
    if (!(most > 1e-300)) return false;
    for (int32_t i = 0; i < count; i++) u[i] *= largest / most;
    return true;
}

// Finds the dominant function of time of the residual, from the component that has the most of it. `squares`
// [component_count] are squared leverages.
static bool find_mode(const sinew_mode_set *set, const double *squares, double *u, double *next) {
    const int32_t keys = set->key_count;
    double most = 0.0;
    const double *start = NULL;
    for (int32_t c = 0; c < set->component_count; c++) {
        const double *values = set->values + (size_t)c * (size_t)keys;
        double energy = squares[c] * dot(values, values, keys);
        if (energy > most) most = energy, start = values;
    }
    if (!start) return false;
    memcpy(u, start, (size_t)keys * sizeof *u);
    for (int i = 0; i < ITERATIONS && scale_to(u, keys, 1.0); i++) {
        memset(next, 0, (size_t)keys * sizeof *next);
        for (int32_t c = 0; c < set->component_count; c++) {
            const double *values = set->values + (size_t)c * (size_t)keys;
            double part = squares[c] * dot(values, u, keys);
            for (int32_t k = 0; k < keys; k++) next[k] += part * values[k];
        }
        memcpy(u, next, (size_t)keys * sizeof *u);
    }
    return scale_to(u, keys, MAX_WEIGHT);
}

// Quantizes a mode, and subtracts it from all components.
static void subtract_mode(sinew_mode_set *set, double *u) {
    const int32_t keys = set->key_count;
    uint16_t *weights = set->weights + (size_t)set->count * (size_t)keys;
    double *coefficients = set->coefficients + (size_t)set->count * (size_t)set->component_count;
    for (int32_t k = 0; k < keys; k++) {
        u[k] = floor(u[k] + 0.5);
        weights[k] = (uint16_t)(u[k] + 32768.0);
    }
    double square = dot(u, u, keys);
    for (int32_t c = 0; c < set->component_count; c++) {
        double *values = set->values + (size_t)c * (size_t)keys;
        coefficients[c] = dot(values, u, keys) / square;
        for (int32_t k = 0; k < keys; k++) values[k] -= coefficients[c] * u[k];
    }
    set->count++;
}

// The largest distance of the values of a strip, by their leverages, at any key. They are of lane after lane.
static double largest_distance(const sinew_mode_strip *strip, const sinew_strip_plan *plan,
                               const sinew_mode_set *set, const double *values) {
    const int32_t width = sinew_target_width(set->target);
    const size_t keys = (size_t)set->key_count;
    double most = 0.0;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (plan->channels[l] == SINEW_NO_CHANNEL) continue;
        for (size_t k = 0; k < keys; k++) {
            double square = 0.0;
            for (int32_t i = 0; i < width; i++)
                square += values[(size_t)i * keys + k] * values[(size_t)i * keys + k];
            most = larger_of(most, strip->leverages[l] * sqrt(square));
        }
        values += (size_t)width * keys;
    }
    return most;
}

// Notes what the modes so far leave of each strip of a set. Returns the largest.
static double note_residuals(sinew_mode_finder *f, const sinew_clip_plan *plan, int32_t index) {
    const sinew_mode_set *set = &f->sets[index];
    double most = 0.0;
    for (int32_t i = 0; i < plan->strip_count; i++) {
        sinew_mode_strip *strip = &f->strips[i];
        if (strip->set != index) continue;
        const double *values = set->values + (size_t)strip->component * (size_t)set->key_count;
        strip->residuals[set->count] = largest_distance(strip, &plan->strips[i], set, values);
        most = larger_of(most, strip->residuals[set->count]);
    }
    return most;
}

static void find_squares(const sinew_mode_finder *f, const sinew_clip_plan *plan, int32_t index, double *squares) {
    const int32_t width = sinew_target_width(f->sets[index].target);
    for (int32_t i = 0; i < plan->strip_count; i++) {
        const sinew_mode_strip *strip = &f->strips[i];
        if (strip->set != index) continue;
        double *to = squares + strip->component;
        for (int l = 0; l < SINEW_LANES; l++) {
            if (plan->strips[i].channels[l] == SINEW_NO_CHANNEL) continue;
            for (int32_t c = 0; c < width; c++) *to++ = strip->leverages[l] * strip->leverages[l];
        }
    }
}

static bool find_modes_of_set(sinew_mode_finder *f, const sinew_clip_plan *plan, int32_t index) {
    sinew_mode_set *set = &f->sets[index];
    double *squares = sinew_arena_array(&f->arena, double, (size_t)set->component_count);
    double *u = sinew_arena_array(&f->arena, double, (size_t)set->key_count);
    double *next = sinew_arena_array(&f->arena, double, (size_t)set->key_count);
    if (!squares || !u || !next) return false;
    find_squares(f, plan, index, squares);
    while (note_residuals(f, plan, index) > f->smallest && set->count < SINEW_MAX_MODES) {
        if (!find_mode(set, squares, u, next)) break;
        subtract_mode(set, u);
    }
    return true;
}

static bool find_modes(sinew_mode_finder *f, const sinew_clip_plan *plan) {
    f->is_ready = true;
    f->set_count = plan->row_count * SINEW_GROUPS;
    f->sets = sinew_arena_zeros(&f->arena, sinew_mode_set, (size_t)f->set_count);
    f->strips = sinew_arena_zeros(&f->arena, sinew_mode_strip, (size_t)plan->strip_count);
    const lever *levers = find_levers(plan->def->skeleton, f->distance, &f->arena);
    if (!f->sets || !f->strips || !levers) return false;
    assign_sets(f, plan);
    if (!allocate_sets(f, plan)) return false;
    for (int32_t i = 0; i < plan->strip_count; i++)
        if (f->strips[i].set >= 0) copy_strip(f, plan, levers, i);
    for (int32_t i = 0; i < f->set_count; i++)
        if (!find_modes_of_set(f, plan, i)) return false;
    return true;
}

// ---- Strips --------------------------------------------------------------------------------------------------

// The coefficient of a mode in a lane and plane. `component` is the strip's first one of the lane.
static double coefficient_of(const sinew_mode_set *set, int32_t mode, int32_t component) {
    return set->coefficients[(size_t)mode * (size_t)set->component_count + (size_t)component];
}

// The modes of a strip, while they are planned.
typedef struct mode_choice {
    const sinew_mode_strip *strip;
    const sinew_mode_set *set;
    const sinew_strip_plan *plan;
    int32_t width, count; // of modes
    double leverage;      // the largest of the strip
    sinew_modes modes;
    size_t size; // bytes
} mode_choice;

// The step of a plane: as the tolerance for rounding allows, and such that no sum of products overflows.
static double choose_step(const mode_choice *m, int32_t plane, double tolerance) {
    double step = 2.0 * tolerance / (m->leverage * MAX_WEIGHT * sqrt((double)(m->count * m->width)));
    int32_t component = m->strip->component + plane;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (m->plan->channels[l] == SINEW_NO_CHANNEL) continue;
        double sum = 0.0;
        for (int32_t j = 0; j < m->count; j++) {
            double coefficient = fabs(coefficient_of(m->set, j, component));
            sum += coefficient;
            step = larger_of(step, coefficient / (MAX_WEIGHT - 1.0));
        }
        step = larger_of(step, sum / MAX_COEFFICIENT_SUM);
        component += m->width;
    }
    return step;
}

static double round_coefficient(const mode_choice *m, int32_t mode, int32_t component, int32_t plane) {
    return floor(coefficient_of(m->set, mode, component) / (double)m->modes.steps[plane] + 0.5);
}

// The pairs of modes of which a coefficient in a plane needs 16 bits.
static int32_t count_word_pairs(const mode_choice *m, int32_t plane) {
    int32_t words = 0, component = m->strip->component + plane;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (m->plan->channels[l] == SINEW_NO_CHANNEL) continue;
        for (int32_t j = words; j < m->count; j++)
            if (fabs(round_coefficient(m, j, component, plane)) > 127.0) words = j + 1;
        component += m->width;
    }
    return (words + 1) / 2;
}

// The largest distance by which rounding moves a lane at any time: half a step of each coefficient, by the largest
// weight, and half a unit of each weight, by the coefficient.
static double rounding_distance(const mode_choice *m) {
    double most = 0.0;
    int32_t component = m->strip->component;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (m->plan->channels[l] == SINEW_NO_CHANNEL) continue;
        double square = 0.0;
        for (int32_t plane = 0; plane < m->width; plane++, component++) {
            double step = (double)m->modes.steps[plane], sum = 0.0;
            for (int32_t j = 0; j < m->count; j++) sum += fabs(coefficient_of(m->set, j, component)) / step;
            double error = 0.5 * step * (MAX_WEIGHT * sqrt((double)m->count) + sum);
            square += error * error;
        }
        most = larger_of(most, m->strip->leverages[l] * sqrt(square));
    }
    return most;
}

// Chooses the steps for a number of modes. Returns false if they leave no tolerance for rounding.
static bool choose_steps(mode_choice *m, int32_t count, double tolerance) {
    double rounding = tolerance - m->strip->residuals[count];
    m->count = count;
    if (!(rounding > 0.1 * tolerance)) return false;
    for (int32_t i = 0; i < m->width; i++) m->modes.steps[i] = (float)choose_step(m, i, rounding);
    if (rounding_distance(m) > MAX_ROUNDING * rounding) return false;
    m->modes.pairs = (uint8_t)((count + 1) / 2);
    m->modes.word_pairs[0] = m->modes.word_pairs[1] = 0;
    for (int32_t i = 0; i < m->width; i++) {
        uint8_t *most = &m->modes.word_pairs[i == 3 ? 1 : 0];
        int32_t words = count_word_pairs(m, i);
        if (words > *most) *most = (uint8_t)words;
    }
    m->size = sinew_mode_words(&m->modes, m->width) * sizeof(int16_t) + sinew_mode_bytes(&m->modes, m->width) +
              (size_t)m->set->key_count * (size_t)m->modes.pairs * sizeof(uint32_t) / WEIGHT_SHARE;
    return true;
}

// Chooses the number of modes that takes the least memory: with more modes, coefficients may be less exact.
static bool choose_modes(mode_choice *m, double tolerance) {
    mode_choice best = {.size = SIZE_MAX};
    for (int32_t count = 1; count <= m->set->count; count++)
        if (choose_steps(m, count, tolerance) && m->size < best.size) best = *m;
    if (best.size == SIZE_MAX) return false;
    *m = best;
    return true;
}

// Writes the coefficients of one lane and plane.
static void write_lane(const mode_choice *m, int32_t plane, int lane, int32_t component, int16_t *words,
                       int8_t *bytes) {
    const sinew_mode_lane at = sinew_mode_lane_of(&m->modes, plane, lane);
    for (int32_t j = 0; j < m->count; j++) {
        double rounded = round_coefficient(m, j, component, plane);
        if (j / 2 < at.word_pairs) {
            words[at.words + (size_t)(j / 2) * at.stride + (size_t)(j % 2)] = (int16_t)rounded;
        } else {
            bytes[at.bytes + (size_t)(j / 2 - at.word_pairs) * at.stride + (size_t)(j % 2)] = (int8_t)rounded;
        }
    }
}

// Writes the coefficients of all lanes. Idle ones have zeros.
static bool write_coefficients(mode_choice *m, sinew_arena *scratch) {
    int16_t *words = sinew_arena_zeros(scratch, int16_t, sinew_mode_words(&m->modes, m->width));
    int8_t *bytes = sinew_arena_zeros(scratch, int8_t, sinew_mode_bytes(&m->modes, m->width));
    if (!words || !bytes) return false;
    int32_t component = m->strip->component;
    for (int l = 0; l < SINEW_LANES; l++) {
        if (m->plan->channels[l] == SINEW_NO_CHANNEL) continue;
        for (int32_t plane = 0; plane < m->width; plane++) write_lane(m, plane, l, component + plane, words, bytes);
        component += m->width;
    }
    m->modes.words = words;
    m->modes.bytes = bytes;
    return true;
}

// Gives a strip modes, if they stay within the tolerance and take less memory than its keys.
static bool plan_strip(const sinew_mode_finder *f, sinew_clip_plan *plan, int32_t index) {
    sinew_strip_plan *strip_plan = &plan->strips[index];
    mode_choice m = {.strip = &f->strips[index], .plan = strip_plan};
    strip_plan->has_modes = false;
    if (m.strip->set < 0) return true;
    m.modes.slerps = m.strip->slerp_distance > MAX_SLERP_DISTANCE * f->tolerance;
    m.set = &f->sets[m.strip->set];
    m.width = sinew_target_width(m.set->target);
    for (int l = 0; l < SINEW_LANES; l++) m.leverage = larger_of(m.leverage, m.strip->leverages[l]);
    if (!choose_modes(&m, f->tolerance)) return true;
    size_t size_of_keys = (size_t)m.set->key_count * (size_t)m.width * SINEW_LANES * sizeof(float);
    if (m.size + sizeof(sinew_modes) >= size_of_keys) return true;
    if (!write_coefficients(&m, &plan->scratch)) return false;
    strip_plan->has_modes = true;
    strip_plan->modes = m.modes;
    strip_plan->means = m.strip->means;
    return true;
}

// ---- Rows ----------------------------------------------------------------------------------------------------

// The modes of a set that some strip has.
static int32_t count_used_modes(const sinew_mode_finder *f, const sinew_clip_plan *plan, int32_t set) {
    int32_t most = 0;
    for (int32_t i = 0; i < plan->strip_count; i++) {
        const sinew_modes *modes = &plan->strips[i].modes;
        if (f->strips[i].set != set || !plan->strips[i].has_modes) continue;
        int32_t count = 2 * modes->pairs;
        most = count > most ? count : most;
    }
    return most;
}

static void place_weights(const sinew_clip_plan *plan, sinew_strip_plan *strip, size_t offset) {
    strip->strip.offset = (uint32_t)offset;
    strip->modes.first_weight = (uint16_t)((offset - plan->row_weights[strip->strip.rows]) / sizeof(uint16_t));
}

// A row has the values of strips without modes, then the weights of each set.
static bool plan_rows(const sinew_mode_finder *f, sinew_clip_plan *plan) {
    memset(plan->row_stride, 0, (size_t)plan->row_count * sizeof *plan->row_stride);
    for (int32_t i = 0; i < plan->strip_count; i++) {
        sinew_strip_plan *strip = &plan->strips[i];
        if (strip->has_modes || strip->strip.rows == SINEW_ON_TRACKS) continue;
        size_t *stride = &plan->row_stride[strip->strip.rows];
        strip->strip.offset = (uint32_t)*stride;
        *stride += (size_t)sinew_target_width(strip->target) *
                   (size_t)sinew_parts((sinew_interpolation)strip->strip.interpolation) * SINEW_LANES *
                   sizeof(float);
    }
    plan->mode_rows = sinew_arena_array(&plan->scratch, sinew_mode_rows, (size_t)f->set_count);
    plan->row_weights = sinew_arena_array(&plan->scratch, uint32_t, (size_t)plan->row_count);
    if (!plan->mode_rows || !plan->row_weights) return false;
    for (int32_t s = 0; s < f->set_count; s++) {
        const sinew_mode_set *set = &f->sets[s];
        int32_t count = count_used_modes(f, plan, s);
        if (s % SINEW_GROUPS == 0) plan->row_weights[set->row] = (uint32_t)plan->row_stride[set->row];
        if (count == 0) continue;
        size_t *stride = &plan->row_stride[set->row];
        plan->mode_rows[plan->mode_row_count++] = (sinew_mode_rows){
            set->row, (uint32_t)*stride, count < set->count ? count : set->count, set->key_count, set->weights};
        for (int32_t i = 0; i < plan->strip_count; i++)
            if (plan->strips[i].has_modes && f->strips[i].set == s) place_weights(plan, &plan->strips[i], *stride);
        *stride += (size_t)count * sizeof(uint16_t);
    }
    return true;
}

bool sinew_modes_plan(sinew_mode_finder *finder, sinew_clip_plan *plan) {
    if (!finder->is_ready && !find_modes(finder, plan)) return false;
    for (int32_t i = 0; i < plan->strip_count; i++)
        if (!plan_strip(finder, plan, i)) return false;
    return plan_rows(finder, plan);
}

#endif
