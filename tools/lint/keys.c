// SPDX-License-Identifier: MIT
// Analyzes keys: constant tracks, redundant tracks, keys that interpolation reproduces, and duplicate arrays.
#include "lint/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The longest run of removed keys. This keeps the search linear.
#define MAX_RUN 256

// The smallest cosine of half the angle between rotation keys that become neighbors. Rounding must not change which arc
// is shorter.
#define MIN_COSINE 0.5

double lint_dot4(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

bool lint_is_unit(double length, int32_t component_type) {
    double tolerance = component_type == REF_I8 ? 2.0 / 127.0 : 1e-4; // bytes have large steps
    return fabs(length - 1.0) <= tolerance;
}

bool lint_flips_sign(const double *before, const double *q) {
    return lint_dot4(before, q) < -1e-3;
}

size_t lint_component_size(int32_t component_type) {
    const int64_t size = ref_component_size(component_type);
    return size > 0 ? (size_t)size : 4;
}

size_t lint_value_size(const lint_sampler *sampler) {
    return (size_t)sampler->width * lint_component_size(sampler->component_type);
}

size_t lint_key_size(const lint_sampler *sampler) {
    return (size_t)sampler->parts * lint_value_size(sampler);
}

double lint_rounding_tolerance(const lint_sampler *sampler) {
    double largest = 1.0;
    size_t count = (size_t)sampler->key_count * (size_t)sampler->parts * (size_t)sampler->width;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(sampler->values[i]));
    return 1e-7 * largest;
}

// ---- Distances -----------------------------------------------------------------------------------------------------

static void normalized4(const double *q, double out[4]) {
    double length = sqrt(lint_dot4(q, q));
    for (int i = 0; i < 4; i++) out[i] = length > 0.0 ? q[i] / length : 0.0;
}

// Returns the distance between two rotations, whatever their signs and lengths.
static double rotation_distance(const double *a, const double *b) {
    double p[4], q[4], plus = 0.0, minus = 0.0;
    normalized4(a, p);
    normalized4(b, q);
    for (int i = 0; i < 4; i++) {
        plus = fmax(plus, fabs(p[i] - q[i]));
        minus = fmax(minus, fabs(p[i] + q[i]));
    }
    return fmin(plus, minus);
}

static double distance(const lint_sampler *sampler, const double *a, const double *b) {
    // Splines interpolate keys without normalizing them.
    if (sampler->path == SINEW_TARGET_ROTATION && sampler->parts == 1) return rotation_distance(a, b);
    double largest = 0.0;
    for (int32_t i = 0; i < sampler->width; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

// ---- Constant tracks -----------------------------------------------------------------------------------------------

static bool has_tangents(const lint_sampler *sampler, int32_t key) {
    if (sampler->parts == 1) return false;
    const double *value = lint_key(sampler, key), *in = value - sampler->width, *out = value + sampler->width;
    for (int32_t i = 0; i < sampler->width; i++) {
        if (in[i] != 0.0 || out[i] != 0.0) return true;
    }
    return false;
}

bool lint_is_constant(const lint_sampler *sampler) {
    if (sampler->key_count < 2) return sampler->key_count == 1;
    double tolerance = lint_rounding_tolerance(sampler);
    for (int32_t k = 0; k < sampler->key_count; k++) {
        if (has_tangents(sampler, k)) return false;
        if (distance(sampler, lint_key(sampler, 0), lint_key(sampler, k)) > tolerance) return false;
    }
    return true;
}

// ---- Redundant tracks ----------------------------------------------------------------------------------------------

static bool has_elements(const sinewi_json *json, sinewi_json_value array) {
    return sinewi_json_first(json, array) != SINEWI_JSON_ABSENT;
}

// Reads a node's rest weights: its own, its mesh's, or zeros.
static bool rest_weights(lint_subject *s, const lint_node *node, int32_t count, double *out) {
    const sinewi_json *json = &s->document->json;
    sinewi_json_value weights = sinewi_json_get(json, node->value, "weights");
    memset(out, 0, (size_t)count * sizeof *out);
    if (!has_elements(json, weights)) {
        if (node->mesh < 0) return false;
        weights = s->mesh_weights[node->mesh];
        if (!has_elements(json, weights)) return true;
    }
    return ref_array_numbers(s->document, weights, count, out);
}

static bool is_redundant(lint_subject *s, const lint_animation *animation, const lint_channel *channel) {
    const lint_sampler *sampler = &animation->samplers[channel->sampler];
    const lint_node *node = &s->nodes[channel->node];
    if (node->has_matrix || channel->repeated || !lint_is_constant(sampler)) return false;
    const double *rest = node->rest[channel->path % 3];
    if (channel->path == SINEW_TARGET_WEIGHTS) {
        double *weights = lint_array(s, double, sampler->width);
        if (!weights || !rest_weights(s, node, sampler->width, weights)) return false;
        rest = weights;
    }
    if (channel->path == SINEW_TARGET_ROTATION) return rotation_distance(rest, lint_key(sampler, 0)) <= 1e-7;
    return distance(sampler, rest, lint_key(sampler, 0)) <= lint_rounding_tolerance(sampler);
}

bool lint_mark_redundant(lint_subject *s, const lint_animation *animation, bool *marks) {
    double start = HUGE_VAL, end = -HUGE_VAL; // of the channels that are kept
    int32_t redundant = 0;
    for (int32_t i = 0; i < animation->channel_count; i++) {
        const lint_channel *channel = &animation->channels[i];
        marks[i] = channel->node >= 0 && is_redundant(s, animation, channel);
        redundant += marks[i];
        if (marks[i] || channel->node < 0) continue;
        const lint_sampler *sampler = &animation->samplers[channel->sampler];
        start = fmin(start, sampler->times[0]);
        end = fmax(end, sampler->times[sampler->key_count - 1]);
    }
    for (int32_t i = 0; i < animation->channel_count; i++) {
        if (!marks[i]) continue;
        const lint_sampler *sampler = &animation->samplers[animation->channels[i].sampler];
        double first = sampler->times[0], last = sampler->times[sampler->key_count - 1];
        bool needed = (first == animation->start && start > first) || (last == animation->end && end < last);
        if (!needed) continue;
        marks[i] = false;
        redundant--;
        start = fmin(start, first);
        end = fmax(end, last);
    }
    return redundant > 0;
}

// ---- Keys between keys ---------------------------------------------------------------------------------------------

// Slerp as specified (appendix C.4), along the shorter arc.
static void slerp(const double *a, const double *b, double t, double out[4]) {
    double p[4], q[4];
    normalized4(a, p);
    normalized4(b, q);
    double d = lint_dot4(p, q), sign = d < 0.0 ? -1.0 : 1.0, angle = acos(fmin(1.0, fabs(d)));
    double u = 1.0 - t, v = t;
    if (angle > 1e-4) { // below that, linear interpolation is equal to within 1e-9
        u = sin(u * angle) / sin(angle);
        v = sin(v * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++) p[i] = u * p[i] + sign * v * q[i];
    normalized4(p, out);
}

static bool is_between(const lint_sampler *sampler, int32_t a, int32_t key, int32_t b, double tolerance) {
    const double *from = lint_key(sampler, a), *to = lint_key(sampler, b), *value = lint_key(sampler, key);
    const double *times = sampler->times;
    double t = (times[key] - times[a]) / (times[b] - times[a]);
    if (sampler->path == SINEW_TARGET_ROTATION) {
        double q[4];
        slerp(from, to, t, q);
        return rotation_distance(q, value) <= tolerance;
    }
    for (int32_t i = 0; i < sampler->width; i++) {
        if (!(fabs(from[i] + t * (to[i] - from[i]) - value[i]) <= tolerance)) return false;
    }
    return true;
}

static bool may_be_neighbours(const lint_sampler *sampler, int32_t a, int32_t b) {
    if (sampler->path != SINEW_TARGET_ROTATION) return true;
    double p[4], q[4];
    normalized4(lint_key(sampler, a), p);
    normalized4(lint_key(sampler, b), q);
    return fabs(lint_dot4(p, q)) >= MIN_COSINE;
}

static bool can_skip(const lint_sampler *const *samplers, const double *tolerances, int32_t count, int32_t a,
                     int32_t b) {
    if (b - a > MAX_RUN) return false;
    for (int32_t i = 0; i < count; i++) {
        if (!may_be_neighbours(samplers[i], a, b)) return false;
        for (int32_t key = b - 1; key > a; key--) {
            if (!is_between(samplers[i], a, key, b, tolerances[i])) return false;
        }
    }
    return true;
}

int32_t lint_mark_needed_keys(const lint_sampler *const *samplers, const double *tolerances, int32_t count,
                              bool *keep) {
    int32_t keys = samplers[0]->key_count, last = 0, kept = 1;
    memset(keep, 0, (size_t)keys * sizeof *keep);
    keep[0] = true;
    for (int32_t k = 1; k < keys; k++) {
        if (k + 1 < keys && can_skip(samplers, tolerances, count, last, k + 1)) continue;
        keep[k] = true;
        last = k;
        kept++;
    }
    return kept;
}

// ---- Duplicates ----------------------------------------------------------------------------------------------------

typedef struct content {
    uint64_t hash;
    int32_t accessor;
    int32_t use; // 1 for times, 2 for values
    ref_accessor data;
} content;

static size_t size_of_content(const content *c) {
    return (size_t)c->data.count * (size_t)c->data.components * sizeof(double);
}

static uint64_t hash_of(const content *c) { // FNV-1a
    uint64_t hash = UINT64_C(14695981039346656037);
    const uint8_t *bytes = (const uint8_t *)c->data.values;
    for (size_t i = 0; i < size_of_content(c); i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static int compare_numbers(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int compare_contents(const content *a, const content *b) {
    int order = a->hash < b->hash ? -1 : a->hash > b->hash;
    if (order == 0) order = compare_numbers(a->use, b->use);
    if (order == 0) order = compare_numbers(a->data.component_type, b->data.component_type);
    if (order == 0) order = compare_numbers(a->data.normalized, b->data.normalized);
    if (order == 0) order = compare_numbers(a->data.components, b->data.components);
    if (order == 0) order = compare_numbers(a->data.count, b->data.count);
    return order != 0 ? order : memcmp(a->data.values, b->data.values, size_of_content(a));
}

static int compare_for_sort(const void *a, const void *b) {
    int order = compare_contents((const content *)a, (const content *)b);
    if (order != 0) return order;
    return compare_numbers(((const content *)a)->accessor, ((const content *)b)->accessor);
}

const int32_t *lint_find_duplicates(lint_subject *s) {
    int32_t accessors = s->document->accessors.count, count = 0;
    int32_t *firsts = lint_array(s, int32_t, accessors), *uses = lint_array(s, int32_t, accessors);
    content *contents = lint_array(s, content, accessors);
    if (!firsts || !uses || !contents) return NULL;
    for (int32_t i = 0; i < s->animation_count; i++) {
        for (int32_t k = 0; k < s->animations[i].sampler_count; k++) {
            const lint_sampler *sampler = &s->animations[i].samplers[k];
            if (sampler->key_count == 0) continue;
            uses[sampler->input] |= 1;
            uses[sampler->output] |= 2;
        }
    }
    for (int32_t i = 0; i < accessors; i++) {
        firsts[i] = i;
        content *c = &contents[count];
        if (uses[i] == 0 || !ref_read_accessor(s->document, i, &c->data)) continue;
        c->accessor = i;
        c->use = uses[i];
        c->hash = hash_of(c);
        count++;
    }
    qsort(contents, (size_t)count, sizeof *contents, compare_for_sort);
    for (int32_t i = 1; i < count; i++) {
        if (compare_contents(&contents[i - 1], &contents[i]) == 0) {
            firsts[contents[i].accessor] = firsts[contents[i - 1].accessor];
        }
    }
    return firsts;
}
