// SPDX-License-Identifier: MIT
// Finds the modes of a clip. These are functions of time, and every lane's motion is a sum of them (see
// kernels/layout.h).
//
// A set has the translations, rotations or scales of one timeline. Without their mean, its values form a matrix of
// components (one of a lane's three) and keys. Rotations are projected from a center (see kernels/layout.h). A mode is
// the matrix's dominant singular vector, found by power iteration. It is rounded to 16 bits and subtracted from all
// components, and the next mode comes from the residual. Components are weighted by their leverage, the distance that
// one unit moves the farthest point behind their joint. This way modes capture visible motion first.
//
// Each lane has a step that depends on its leverage. Its coefficients are multiples of this step. Define
// SINEW_NO_COMPRESSION to leave this file out.
#include "core/clip_modes.h"

#ifndef SINEW_NO_COMPRESSION

#include <math.h>
#include <string.h>

// Power iterations per mode. They don't have to converge: any vector near the dominant ones works.
#define ITERATIONS 30

// Components per lane.
#define COMPONENTS 3

// The smallest w of a rotation relative to its center, because the projection divides by 1 + w. A turn by 300 degrees
// has -0.87.
#define MIN_W (-0.9)

// Rounding may reach this multiple of its planned distance, because the rounding errors of several modes partly cancel.
#define MAX_ROUNDING 10.0

// How many strips share a mode's weights, for comparing sizes.
#define WEIGHT_SHARE 4

// The largest mode weight, and the largest sum of a lane's coefficients. Products fit 31 bits with these. The weight's
// high byte is 127 or -127.
#define MAX_WEIGHT          32512.0
#define MAX_COEFFICIENT_SUM 65000.0

// The most values in a set. This bounds the time. Long clips with many joints stay uncompressed.
#define MAX_SET_VALUES (1 << 24)

// Use this instead of fmax in reductions. gcc 12 for 64-bit ARM fails with an internal error on fmax.
static double larger_of(double a, double b) {
    return a > b ? a : b;
}

// ---- Leverages -----------------------------------------------------------------------------------------------

// Returns a matrix's longest column, which is the most that it scales.
static double matrix_scale(sinew_affine a) {
    double most = 0.0;
    for (int c = 0; c < 3; c++) {
        double x = (double)a.m[0][c], y = (double)a.m[1][c], z = (double)a.m[2][c];
        most = larger_of(most, sqrt(x * x + y * y + z * z));
    }
    return most;
}

// What moves in model space. Uses the rest pose, but with the longest translations of the clip.
typedef struct lever {
    double scale, parent_scale; // of the node, and of a translation
    double length;              // longest translation in meters in model space
    double reach;               // to the farthest virtual point in the node's subtree, along its bones, in meters
} lever;

static double longest_translation(const sinew_channel_def *channel) {
    double most = 0.0;
    for (int32_t k = 0; k < channel->key_count; k++) {
        const float *t = channel->values + 3 * (ptrdiff_t)k;
        double x = (double)t[0], y = (double)t[1], z = (double)t[2];
        most = larger_of(most, sqrt(x * x + y * y + z * z));
    }
    return most;
}

// An additive clip's keys are added to the rest pose.
static void lengthen_levers(const sinew_clip_def *def, lever *levers) {
    for (int32_t i = 0; i < def->channel_count; i++) {
        const sinew_channel_def *channel = &def->channels[i];
        if (channel->target != SINEW_TARGET_TRANSLATION ||
            channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE)
            continue;
        lever *moved = &levers[channel->node];
        double length = moved->parent_scale * longest_translation(channel);
        moved->length = def->additive ? moved->length + length : larger_of(moved->length, length);
    }
}

static lever *find_levers(const sinew_clip_def *def, double distance, sinewi_arena *arena) {
    const sinew_skeleton *skeleton = def->skeleton;
    size_t count = (size_t)skeleton->node_count;
    lever *levers = sinewi_arena_array(arena, lever, count);
    sinew_affine *model = sinewi_arena_array(arena, sinew_affine, count);
    if (!levers || !model) return NULL;
    for (size_t i = 0; i < count; i++) {
        const int32_t parent = skeleton->parents[i];
        const sinew_vec3 t = skeleton->rest[i].translation;
        sinew_affine local = sinew_affine_from_transform(skeleton->rest[i]);
        model[i] = parent < 0 ? local : sinew_affine_multiply(model[parent], local);
        levers[i].parent_scale = parent < 0 ? 1.0 : levers[parent].scale;
        levers[i].scale = matrix_scale(model[i]);
        double x = (double)t.x, y = (double)t.y, z = (double)t.z;
        levers[i].length = levers[i].parent_scale * sqrt(x * x + y * y + z * z);
        levers[i].reach = distance * levers[i].scale;
    }
    lengthen_levers(def, levers);
    for (size_t i = count; i-- > 1;) {
        const int32_t parent = skeleton->parents[i];
        if (parent >= 0) levers[parent].reach = larger_of(levers[parent].reach, levers[i].reach + levers[i].length);
    }
    return levers;
}

// Returns the distance that one unit of a target's component moves a point. For rotations this is a unit of the
// projection. A very small leverage would let a value have any error, so it has a minimum.
static double find_leverage(const sinew_skeleton *skeleton, const lever *levers, int32_t node,
                            sinew_channel_target target) {
    double leverage = levers[node].parent_scale;
    if (target == SINEW_TARGET_ROTATION) leverage = 4.0 * levers[node].reach;
    if (target == SINEW_TARGET_SCALE) {
        sinew_vec3 s = skeleton->rest[node].scale;
        double size = larger_of(larger_of(fabs((double)s.x), fabs((double)s.y)), fabs((double)s.z));
        leverage = levers[node].reach / larger_of(size, 1e-3);
    }
    return isfinite(leverage) ? larger_of(leverage, 1e-6) : 1e6;
}

// ---- Still channels ------------------------------------------------------------------------------------------

// Returns the largest distance by which a channel leaves a value. A unit of a quaternion turns half as far as a unit of
// its projection.
static double distance_from(const sinew_channel_def *channel, const float *value, double leverage) {
    const int32_t width = sinewi_target_width(channel->target);
    double most = 0.0;
    if (channel->target == SINEW_TARGET_ROTATION) leverage *= 0.5;
    for (int32_t k = 0; k < channel->key_count; k++) {
        double square = 0.0;
        for (int32_t i = 0; i < width; i++) {
            double d = (double)channel->values[k * width + i] - (double)value[i];
            square += d * d;
        }
        most = larger_of(most, leverage * sqrt(square));
    }
    return most;
}

static void read_rest(const sinew_clip_def *def, const sinew_channel_def *channel, float value[4]) {
    const sinew_transform none = sinew_transform_identity(),
                          rest = def->additive ? none : def->skeleton->rest[channel->node];
    const float *from = channel->target == SINEW_TARGET_TRANSLATION ? &rest.translation.x
                        : channel->target == SINEW_TARGET_ROTATION  ? &rest.rotation.x
                                                                    : &rest.scale.x;
    memcpy(value, from, (size_t)sinewi_target_width(channel->target) * sizeof *value);
}

bool sinewi_modes_simplify(sinewi_mode_finder *finder, sinew_clip_def *def, sinew_channel_def *channels,
                           double tolerance) {
    const lever *levers = find_levers(def, finder->distance, &finder->arena);
    if (!levers) return false;
    int32_t count = 0;
    for (int32_t i = 0; i < def->channel_count; i++) {
        sinew_channel_def *channel = &channels[count];
        *channel = channels[i];
        count++;
        if (sinewi_has_weight_lanes(channel->target) || channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE)
            continue;
        const double leverage = find_leverage(def->skeleton, levers, channel->node, channel->target);
        float rest[4];
        read_rest(def, channel, rest);
        if (distance_from(channel, rest, leverage) <= tolerance) {
            count--;
        } else if (distance_from(channel, channel->values, leverage) <= tolerance) {
            channel->key_count = 1;
        }
    }
    def->channel_count = count;
    return true;
}

// ---- Rotations -----------------------------------------------------------------------------------------------

typedef struct double_quat {
    double x, y, z, w;
} double_quat;

static double_quat rotation_key(const sinew_channel_def *channel, int32_t key) {
    const float *q = channel->values + 4 * (ptrdiff_t)key;
    return (double_quat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static double rotation_length(double_quat q) {
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

static double_quat normalized(double_quat q) {
    const double length = rotation_length(q);
    return length > 0.0 ? (double_quat){q.x / length, q.y / length, q.z / length, q.w / length} : q;
}

// Returns the rotation halfway between two with the same sign. Returns p if they cancel out.
static double_quat halfway(double_quat p, double_quat q) {
    const double_quat sum = {p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w};
    return rotation_length(sum) > 0.0 ? normalized(sum) : p;
}

// Finds the mean direction of the keys. Uses the middle key if they cancel out.
static void find_center(const sinew_channel_def *channel, float center[4]) {
    double_quat sum = {0};
    for (int32_t k = 0; k < channel->key_count; k++) {
        const double_quat q = rotation_key(channel, k);
        sum = (double_quat){sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
    }
    if (rotation_length(sum) < 0.1 * channel->key_count) sum = rotation_key(channel, channel->key_count / 2);
    sum = normalized(sum);
    center[0] = (float)sum.x, center[1] = (float)sum.y, center[2] = (float)sum.z, center[3] = (float)sum.w;
}

// Returns a key relative to the center: conj(center) × key.
static double_quat rotation_from(const float center[4], double_quat q) {
    const double x = (double)center[0], y = (double)center[1], z = (double)center[2], w = (double)center[3];
    const double_quat r = {w * q.x - x * q.w - y * q.z + z * q.y, w * q.y - y * q.w - z * q.x + x * q.z,
                           w * q.z - z * q.w - x * q.y + y * q.x, w * q.w + x * q.x + y * q.y + z * q.z};
    return normalized(r);
}

// See kernels/layout.h.
static void project(double_quat from_center, double m[COMPONENTS]) {
    const double factor = 1.0 / (1.0 + from_center.w);
    m[0] = factor * from_center.x, m[1] = factor * from_center.y, m[2] = factor * from_center.z;
}

static double_quat unproject(const double m[COMPONENTS]) {
    const double factor = 2.0 / (1.0 + m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    return (double_quat){factor * m[0], factor * m[1], factor * m[2], factor - 1.0};
}

// Returns whether all keys of a channel can be projected.
static bool can_project(const sinew_channel_def *channel) {
    float center[4];
    find_center(channel, center);
    for (int32_t k = 0; k < channel->key_count; k++)
        if (!(rotation_from(center, rotation_key(channel, k)).w > MIN_W)) return false;
    return true;
}

// Returns the distance between two unit rotations, as half the angle.
static double rotation_distance(double_quat p, double_quat q) {
    return rotation_length((double_quat){p.x - q.x, p.y - q.y, p.z - q.z, p.w - q.w});
}

// Returns the largest distance between a slerp and the line between its projected ends. Tests the middle and the
// quarters.
static double line_distance(double_quat p, double_quat q) {
    const double_quat middle = halfway(p, q);
    const double_quat slerps[3] = {halfway(p, middle), middle, halfway(middle, q)};
    double a[COMPONENTS], b[COMPONENTS], line[COMPONENTS], most = 0.0;
    project(p, a);
    project(q, b);
    for (int quarter = 1; quarter <= 3; quarter++) {
        for (int i = 0; i < COMPONENTS; i++) line[i] = a[i] + 0.25 * quarter * (b[i] - a[i]);
        most = larger_of(most, rotation_distance(unproject(line), slerps[quarter - 1]));
    }
    return most;
}

// Copies the projections of a channel's keys. Returns the largest distance between lines and slerps.
static double copy_projections(const sinew_channel_def *channel, const float center[4], double *values) {
    const size_t keys = (size_t)channel->key_count;
    double_quat previous = {0};
    double most = 0.0;
    for (size_t k = 0; k < keys; k++) {
        const double_quat q = rotation_from(center, rotation_key(channel, (int32_t)k));
        double m[COMPONENTS];
        project(q, m);
        for (size_t i = 0; i < COMPONENTS; i++) values[i * keys + k] = m[i];
        if (k > 0) most = larger_of(most, line_distance(previous, q));
        previous = q;
    }
    return most;
}

// ---- Sets ----------------------------------------------------------------------------------------------------

static void list_lanes(const sinewi_strip_plan *plan, sinewi_mode_strip *strip) {
    for (int l = 0; l < SINEW_LANES; l++)
        if (plan->channels[l] != SINEWI_NO_CHANNEL) strip->lanes[strip->lane_count++] = (uint8_t)l;
}

static bool can_have_modes(const sinewi_clip_plan *plan, const sinewi_strip_plan *strip) {
    if (strip->strip.rows == SINEWI_ON_TRACKS || strip->strip.interpolation != SINEW_INTERPOLATION_LINEAR ||
        strip->target == SINEW_TARGET_WEIGHTS)
        return false;
    for (int l = 0; l < SINEW_LANES && strip->target == SINEW_TARGET_ROTATION; l++) {
        const int32_t channel = strip->channels[l];
        if (channel != SINEWI_NO_CHANNEL && !can_project(&plan->def->channels[channel])) return false;
    }
    return true;
}

static int32_t key_count_of(const sinewi_clip_plan *plan, int32_t row) {
    return plan->def->channels[plan->first_user[plan->row_timeline[row]]].key_count;
}

// Assigns each strip to the set for its target and timeline.
static void assign_sets(sinewi_mode_finder *f, const sinewi_clip_plan *plan) {
    for (int32_t i = 0; i < plan->strip_count; i++) {
        const sinewi_strip_plan *strip = &plan->strips[i];
        f->strips[i].set = -1;
        if (!can_have_modes(plan, strip)) continue;
        list_lanes(strip, &f->strips[i]);
        int32_t set = strip->strip.rows * SINEWI_GROUPS + (int32_t)strip->target;
        int32_t added = f->strips[i].lane_count * COMPONENTS;
        int64_t values = (int64_t)(f->sets[set].component_count + added) * key_count_of(plan, strip->strip.rows);
        if (values > MAX_SET_VALUES) continue;
        f->strips[i].set = set;
        f->strips[i].component = f->sets[set].component_count;
        f->sets[set].component_count += added;
    }
}

static bool allocate_sets(sinewi_mode_finder *f, const sinewi_clip_plan *plan) {
    for (int32_t i = 0; i < f->set_count; i++) {
        sinewi_mode_set *set = &f->sets[i];
        set->row = i / SINEWI_GROUPS;
        set->target = (sinew_channel_target)(i % SINEWI_GROUPS);
        set->key_count = key_count_of(plan, set->row);
        size_t keys = (size_t)set->key_count, components = (size_t)set->component_count;
        set->weights = sinewi_arena_array(&f->arena, uint16_t, keys * SINEWI_MAX_MODES);
        set->coefficients = sinewi_arena_array(&f->arena, double, components *SINEWI_MAX_MODES);
        set->values = sinewi_arena_array(&f->arena, double, components *keys);
        if (!set->weights || !set->coefficients || !set->values) return false;
    }
    return true;
}

// Copies a channel's component without its mean, and returns the mean.
static float copy_component(const sinew_channel_def *channel, int32_t component, double *values) {
    double sum = 0.0;
    for (int32_t k = 0; k < channel->key_count; k++) sum += (double)channel->values[k * COMPONENTS + component];
    float mean = (float)(sum / channel->key_count);
    for (int32_t k = 0; k < channel->key_count; k++)
        values[k] = (double)channel->values[k * COMPONENTS + component] - (double)mean;
    return mean;
}

static void copy_strip(sinewi_mode_finder *f, const sinewi_clip_plan *plan, const lever *levers, int32_t index) {
    sinewi_mode_strip *strip = &f->strips[index];
    const sinewi_strip_plan *strip_plan = &plan->strips[index];
    const sinewi_mode_set *set = &f->sets[strip->set];
    double *values = set->values + (size_t)strip->component * (size_t)set->key_count;
    for (int32_t n = 0; n < strip->lane_count; n++, values += COMPONENTS * (ptrdiff_t)set->key_count) {
        const sinew_channel_def *channel = &plan->def->channels[strip_plan->channels[strip->lanes[n]]];
        strip->leverages[n] = find_leverage(plan->def->skeleton, levers, channel->node, set->target);
        if (set->target == SINEW_TARGET_ROTATION) {
            find_center(channel, strip->means[n]);
            double distance = copy_projections(channel, strip->means[n], values);
            strip->slerp_distance = larger_of(strip->slerp_distance, 0.5 * strip->leverages[n] * distance);
            continue;
        }
        for (int32_t i = 0; i < COMPONENTS; i++)
            strip->means[n][i] = copy_component(channel, i, values + i * (ptrdiff_t)set->key_count);
    }
}

// ---- Modes ---------------------------------------------------------------------------------------------------

static double dot(const double *a, const double *b, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// Scales a vector to make its largest element `largest`. Returns false for zero.
static bool scale_to(double *u, int32_t count, double largest) {
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) most = larger_of(most, fabs(u[i]));
    if (!(most > 1e-300)) return false;
    for (int32_t i = 0; i < count; i++) u[i] *= largest / most;
    return true;
}

// Finds the residual's dominant function of time. Starts from the component with the largest residual. `squares`
// [component_count] are squared leverages.
static bool find_mode(const sinewi_mode_set *set, const double *squares, double *u, double *next) {
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

// Quantizes a mode and subtracts it from all components.
static void subtract_mode(sinewi_mode_set *set, double *u) {
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

// Returns the largest distance in a strip at any key, using the leverages. The values are ordered lane by lane.
static double largest_distance(const sinewi_mode_strip *strip, const sinewi_mode_set *set, const double *values) {
    const size_t keys = (size_t)set->key_count;
    double most = 0.0;
    for (int32_t n = 0; n < strip->lane_count; n++, values += COMPONENTS * keys) {
        for (size_t k = 0; k < keys; k++) {
            double square = 0.0;
            for (size_t i = 0; i < COMPONENTS; i++) square += values[i * keys + k] * values[i * keys + k];
            most = larger_of(most, strip->leverages[n] * sqrt(square));
        }
    }
    return most;
}

// Records what the modes so far leave of each strip in a set. Returns the largest.
static double note_residuals(sinewi_mode_finder *f, const sinewi_clip_plan *plan, int32_t index) {
    const sinewi_mode_set *set = &f->sets[index];
    double most = 0.0;
    for (int32_t i = 0; i < plan->strip_count; i++) {
        sinewi_mode_strip *strip = &f->strips[i];
        if (strip->set != index) continue;
        const double *values = set->values + (size_t)strip->component * (size_t)set->key_count;
        strip->residuals[set->count] = largest_distance(strip, set, values);
        most = larger_of(most, strip->residuals[set->count]);
    }
    return most;
}

static void find_squares(const sinewi_mode_finder *f, const sinewi_clip_plan *plan, int32_t index,
                         double *squares) {
    for (int32_t i = 0; i < plan->strip_count; i++) {
        const sinewi_mode_strip *strip = &f->strips[i];
        if (strip->set != index) continue;
        double *to = squares + strip->component;
        for (int32_t n = 0; n < strip->lane_count * COMPONENTS; n++) {
            const double leverage = strip->leverages[n / COMPONENTS];
            to[n] = leverage * leverage;
        }
    }
}

static bool find_modes_of_set(sinewi_mode_finder *f, const sinewi_clip_plan *plan, int32_t index) {
    sinewi_mode_set *set = &f->sets[index];
    double *squares = sinewi_arena_array(&f->arena, double, (size_t)set->component_count);
    double *u = sinewi_arena_array(&f->arena, double, (size_t)set->key_count);
    double *next = sinewi_arena_array(&f->arena, double, (size_t)set->key_count);
    if (!squares || !u || !next) return false;
    find_squares(f, plan, index, squares);
    while (note_residuals(f, plan, index) > f->smallest && set->count < SINEWI_MAX_MODES) {
        if (!find_mode(set, squares, u, next)) break;
        subtract_mode(set, u);
    }
    return true;
}

static bool find_modes(sinewi_mode_finder *f, const sinewi_clip_plan *plan) {
    f->is_ready = true;
    f->set_count = plan->row_count * SINEWI_GROUPS;
    f->sets = sinewi_arena_zeros(&f->arena, sinewi_mode_set, (size_t)f->set_count);
    f->strips = sinewi_arena_zeros(&f->arena, sinewi_mode_strip, (size_t)plan->strip_count);
    const lever *levers = find_levers(plan->def, f->distance, &f->arena);
    if (!f->sets || !f->strips || !levers) return false;
    f->strip_count = plan->strip_count;
    for (int32_t i = 0; i < plan->strip_count; i++) f->strips[i].tolerance_factor = 1.0;
    assign_sets(f, plan);
    if (!allocate_sets(f, plan)) return false;
    for (int32_t i = 0; i < plan->strip_count; i++)
        if (f->strips[i].set >= 0) copy_strip(f, plan, levers, i);
    for (int32_t i = 0; i < f->set_count; i++)
        if (!find_modes_of_set(f, plan, i)) return false;
    return true;
}

// ---- Strips --------------------------------------------------------------------------------------------------

// `component` counts all components of the set.
static double coefficient_of(const sinewi_mode_set *set, int32_t mode, int32_t component) {
    return set->coefficients[(size_t)mode * (size_t)set->component_count + (size_t)component];
}

// A strip's modes while planning.
typedef struct mode_choice {
    const sinewi_mode_strip *strip;
    const sinewi_mode_set *set;
    int32_t width; // of the target
    int32_t count; // number of modes
    sinewi_modes modes;
    float scales[SINEW_LANES]; // per lane
    size_t size;               // in bytes
} mode_choice;

static int32_t component_of(const mode_choice *m, int32_t lane, int32_t plane) {
    return m->strip->component + lane * COMPONENTS + plane;
}

// Returns a lane's step. It satisfies the rounding tolerance and keeps sums of products from overflowing.
static double choose_step(const mode_choice *m, int32_t lane, double tolerance) {
    double least = 0.0;
    for (int32_t i = 0; i < COMPONENTS; i++) {
        double sum = 0.0;
        for (int32_t j = 0; j < m->count; j++) {
            double coefficient = fabs(coefficient_of(m->set, j, component_of(m, lane, i)));
            sum += coefficient;
            least = larger_of(least, coefficient / (MAX_WEIGHT - 1.0));
        }
        least = larger_of(least, sum / MAX_COEFFICIENT_SUM);
    }
    double distance = m->strip->leverages[lane] * MAX_WEIGHT * sqrt((double)(m->count * COMPONENTS));
    return larger_of(2.0 * tolerance / distance, least);
}

static double round_coefficient(const mode_choice *m, int32_t mode, int32_t lane, int32_t plane) {
    const double step = (double)m->scales[lane];
    return step > 0.0 ? floor(coefficient_of(m->set, mode, component_of(m, lane, plane)) / step + 0.5) : 0.0;
}

// Counts the pairs up to the last one with a coefficient that doesn't fit 8 bits.
static uint8_t count_word_pairs(const mode_choice *m) {
    int32_t count = 0;
    for (int32_t n = 0; n < m->strip->lane_count; n++) {
        for (int32_t i = 0; i < COMPONENTS; i++) {
            for (int32_t j = count; j < m->count; j++)
                if (fabs(round_coefficient(m, j, n, i)) > 127.0) count = j + 1;
        }
    }
    return (uint8_t)((count + 1) / 2);
}

// Returns the largest distance that rounding moves a lane at any time. This is half a step of each coefficient times
// the largest weight, plus half a unit of each weight times the coefficient.
static double rounding_distance(const mode_choice *m) {
    double most = 0.0;
    for (int32_t n = 0; n < m->strip->lane_count; n++) {
        double square = 0.0;
        const double step = (double)m->scales[n];
        for (int32_t i = 0; i < COMPONENTS && step > 0.0; i++) {
            double sum = 0.0;
            for (int32_t j = 0; j < m->count; j++)
                sum += fabs(coefficient_of(m->set, j, component_of(m, n, i))) / step;
            double error = 0.5 * step * (MAX_WEIGHT * sqrt((double)m->count) + sum);
            square += error * error;
        }
        most = larger_of(most, m->strip->leverages[n] * sqrt(square));
    }
    return most;
}

// Chooses the steps for a number of modes. Returns false if they leave no tolerance for rounding.
static bool choose_steps(mode_choice *m, int32_t count, double tolerance) {
    double rounding = m->strip->residuals[count] < tolerance
                          ? sqrt(tolerance * tolerance - m->strip->residuals[count] * m->strip->residuals[count])
                          : 0.0;
    m->count = count;
    if (!(rounding > 0.1 * tolerance)) return false;
    for (int32_t n = 0; n < m->strip->lane_count; n++) m->scales[n] = (float)choose_step(m, n, rounding);
    if (rounding_distance(m) > MAX_ROUNDING * rounding) return false;
    m->modes.pairs = (uint8_t)((count + 1) / 2);
    m->modes.word_pairs = count_word_pairs(m);
    m->size = sinewi_mode_floats(&m->modes, m->width) * sizeof(float) +
              (size_t)m->set->key_count * ((size_t)m->modes.pairs + m->modes.word_pairs) * sizeof(uint16_t) /
                  WEIGHT_SHARE;
    return true;
}

// Chooses the number of modes that takes the least memory. With more modes, coefficients may be less exact.
static bool choose_modes(mode_choice *m, double tolerance) {
    mode_choice best = {.size = SIZE_MAX};
    for (int32_t count = 1; count <= m->set->count; count++)
        if (choose_steps(m, count, tolerance) && m->size < best.size) best = *m;
    if (best.size == SIZE_MAX) return false;
    *m = best;
    return true;
}

// Gives a strip modes if they stay within the tolerance and take less memory than its keys.
static bool choose_strip(const sinewi_mode_finder *f, mode_choice *m) {
    if (m->strip->set < 0 || !choose_modes(m, f->tolerance * m->strip->tolerance_factor)) return false;
    size_t size_of_keys = (size_t)m->set->key_count * (size_t)m->width * SINEW_LANES * sizeof(float);
    return m->size + sizeof(sinewi_modes) < size_of_keys;
}

// Finds a strip's lanes with modes and its constant lanes.
static void choose_lanes(mode_choice *m, const sinewi_constant_lanes *constants) {
    for (int32_t n = 0; n < m->strip->lane_count; n++) m->modes.lanes |= (uint16_t)(1u << m->strip->lanes[n]);
    m->modes.constant_lanes = constants->mask;
    m->modes.lane_count = (uint8_t)m->strip->lane_count;
    m->modes.constant_count = (uint8_t)sinewi_lane_rank(constants->mask, SINEW_LANES);
}

static void write_constants(const mode_choice *m, const sinewi_constant_lanes *constants, float *to) {
    for (int32_t i = 0; i < m->width; i++)
        for (int32_t l = 0; l < SINEW_LANES; l++)
            if (constants->mask >> l & 1) *to++ = constants->values[i][l];
}

static void write_means(const mode_choice *m, float *to) {
    for (int32_t i = 0; i < m->width; i++)
        for (int32_t n = 0; n < m->strip->lane_count; n++) *to++ = m->strip->means[n][i];
}

// Writes the coefficients of one lane and plane.
static void write_lane(const mode_choice *m, int32_t lane, int32_t plane, const sinewi_mode_arrays *arrays) {
    const int32_t words = m->modes.word_pairs;
    const size_t first = 2 * ((size_t)plane * m->modes.lane_count + (size_t)lane);
    const size_t stride = (size_t)COMPONENTS * m->modes.lane_count * 2; // between pairs
    int16_t *word = (int16_t *)(uintptr_t)arrays->words + first;
    int8_t *byte = (int8_t *)(uintptr_t)arrays->bytes + first;
    for (int32_t j = 0; j < m->count; j++) {
        const double rounded = round_coefficient(m, j, lane, plane);
        if (j / 2 < words) {
            word[(size_t)(j / 2) * stride + (size_t)(j % 2)] = (int16_t)rounded;
        } else {
            byte[(size_t)(j / 2 - words) * stride + (size_t)(j % 2)] = (int8_t)rounded;
        }
    }
}

// Writes a strip's arrays to scratch memory.
static bool write_strip(mode_choice *m, const sinewi_constant_lanes *constants, sinewi_arena *scratch) {
    const size_t constant_floats = (size_t)m->width * m->modes.constant_count;
    float *memory = sinewi_arena_zeros(scratch, float, constant_floats + sinewi_mode_floats(&m->modes, m->width));
    if (!memory) return false;
    write_constants(m, constants, memory);
    memory += constant_floats;
    m->modes.memory = memory;
    memcpy(memory, m->scales, (size_t)m->strip->lane_count * sizeof(float));
    write_means(m, memory + m->strip->lane_count);
    const sinewi_mode_arrays arrays = sinewi_mode_arrays_of(&m->modes, m->width);
    for (int32_t n = 0; n < m->strip->lane_count; n++)
        for (int32_t i = 0; i < COMPONENTS; i++) write_lane(m, n, i, &arrays);
    return true;
}

// Plans a strip, with modes or with its keys. A group's first strip with modes also takes the group's constant
// channels.
static bool plan_strip(const sinewi_mode_finder *f, sinewi_clip_plan *plan, int32_t index,
                       sinewi_constant_lanes *constants) {
    sinewi_strip_plan *strip_plan = &plan->strips[index];
    mode_choice m = {.strip = &f->strips[index]};
    const bool is_constant = strip_plan->strip.rows == SINEWI_ON_TRACKS && strip_plan->strip.mask == 0;
    m.width = sinewi_target_width(strip_plan->target);
    m.modes.slerps = m.strip->slerp_distance > f->max_slerp_distance;
    choose_lanes(&m, constants);
    if (m.strip->set >= 0) m.set = &f->sets[m.strip->set];
    strip_plan->has_modes = is_constant || choose_strip(f, &m);
    if (!strip_plan->has_modes) return true;
    if (!write_strip(&m, constants, &plan->scratch)) return false;
    constants->mask = 0;
    strip_plan->modes = m.modes;
    strip_plan->strip.mask |= m.modes.lanes | m.modes.constant_lanes;
    return true;
}

// Plans the strips of a node group. Constant channels without a strip need a base.
static bool plan_group(const sinewi_mode_finder *f, sinewi_clip_plan *plan, size_t group) {
    sinewi_constant_lanes constants = sinewi_clip_find_constants(plan, group);
    if (plan->def->additive) constants.mask = 0;
    for (int32_t i = plan->group_strips[group]; i < plan->group_strips[group + 1]; i++)
        if (!plan_strip(f, plan, i, &constants)) return false;
    if (constants.mask != 0) plan->shares_base = false;
    return true;
}

// ---- Rows ----------------------------------------------------------------------------------------------------

// Counts the weights for a set's modes that some strip uses. If any strip has a 16-bit coefficient for a mode, its
// weights have 16 bits. For the other modes, rounding a weight to 8 bits moves a lane at most as far as rounding its
// coefficient.
static sinewi_weight_counts count_weights(const sinewi_mode_finder *f, const sinewi_clip_plan *plan, int32_t set) {
    int32_t words = 0, all = 0;
    for (int32_t i = 0; i < plan->strip_count; i++) {
        const sinewi_modes *modes = &plan->strips[i].modes;
        if (f->strips[i].set != set || !plan->strips[i].has_modes) continue;
        all = 2 * modes->pairs > all ? 2 * modes->pairs : all;
        words = 2 * modes->word_pairs > words ? 2 * modes->word_pairs : words;
    }
    return (sinewi_weight_counts){(uint8_t)words, (uint8_t)(all - words)};
}

// Plans the floats of each row, which are the values of strips without modes.
static void plan_row_floats(sinewi_clip_plan *plan) {
    memset(plan->row_stride, 0, (size_t)plan->row_count * sizeof *plan->row_stride);
    for (int32_t i = 0; i < plan->strip_count; i++) {
        sinewi_strip_plan *strip = &plan->strips[i];
        if (strip->has_modes || strip->strip.rows == SINEWI_ON_TRACKS) continue;
        size_t *stride = &plan->row_stride[strip->strip.rows];
        strip->strip.offset = (uint32_t)*stride;
        *stride += (size_t)sinewi_target_width(strip->target) *
                   (size_t)sinewi_parts((sinew_interpolation)strip->strip.interpolation) * SINEW_LANES *
                   sizeof(float);
    }
}

// Plans a set's weights, after the row's earlier sets.
static void plan_weights(const sinewi_mode_finder *f, sinewi_clip_plan *plan, int32_t index) {
    const sinewi_mode_set *set = &f->sets[index];
    sinewi_row_weights *row = &plan->row_weights[set->row];
    const sinewi_weight_counts counts = count_weights(f, plan, index);
    const int32_t count = counts.words + counts.bytes;
    const uint32_t first = sinewi_weight_count(row->counts);
    plan->mode_rows[plan->mode_row_count++] = (sinewi_mode_rows){.row = set->row,
                                                                 .offset = (uint32_t)plan->row_stride[set->row],
                                                                 .count = count < set->count ? count : set->count,
                                                                 .key_count = set->key_count,
                                                                 .word_count = counts.words,
                                                                 .weights = set->weights};
    for (int32_t i = 0; i < plan->strip_count; i++) {
        sinewi_strip_plan *strip = &plan->strips[i];
        if (!strip->has_modes || f->strips[i].set != index) continue;
        strip->strip.offset = 0;
        strip->modes.first_weight = (uint16_t)first;
    }
    row->counts[set->target] = counts;
    plan->row_stride[set->row] += counts.words * sizeof(uint16_t) + counts.bytes;
}

// A row has the values of strips without modes, then the weights of each set.
static bool plan_rows(const sinewi_mode_finder *f, sinewi_clip_plan *plan) {
    plan->mode_rows = sinewi_arena_array(&plan->scratch, sinewi_mode_rows, (size_t)f->set_count);
    plan->row_weights = sinewi_arena_zeros(&plan->scratch, sinewi_row_weights, (size_t)plan->row_count);
    if (!plan->mode_rows || !plan->row_weights) return false;
    plan_row_floats(plan);
    for (int32_t r = 0; r < plan->row_count; r++) plan->row_weights[r].offset = (uint32_t)plan->row_stride[r];
    for (int32_t s = 0; s < f->set_count; s++) plan_weights(f, plan, s);
    for (int32_t r = 0; r < plan->row_count; r++)
        plan->row_stride[r] = sinewi_row_stride(plan->row_weights[r].offset, plan->row_weights[r].counts);
    return true;
}

bool sinewi_modes_plan(sinewi_mode_finder *finder, sinewi_clip_plan *plan) {
    if (!finder->is_ready && !find_modes(finder, plan)) return false;
    const size_t groups = SINEWI_GROUPS * sinewi_node_blocks(plan->def->skeleton);
    plan->shares_base = !plan->def->additive;
    for (size_t g = 0; g < groups; g++)
        if (!plan_group(finder, plan, g)) return false;
    return plan_rows(finder, plan);
}

#endif
