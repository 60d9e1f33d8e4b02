// SPDX-License-Identifier: MIT
// Measures how far a character moves from one frame to the next.
#include "continuity/continuity.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINT_DISTANCE 0.1f // fraction of the model's height

enum {
    POINTS = 4, // a node's points: its origin and one on each axis
    // A histogram with 32 bins per power of 2, from 2^-24 to 2^40.
    OCTAVE_BINS = 32,
    LOWEST_EXPONENT = -24,
    OCTAVES = 64,
    BINS = OCTAVES * OCTAVE_BINS,
    RATES = SINEW_CONTINUITY_JERK + 1
};

typedef struct node_state {
    sinew_vec3 points[POINTS], velocities[POINTS], accelerations[POINTS]; // in the last frame
    sinew_vec3 axes[3];                                                   // unit
    float reach[3]; // distance of the points on the axes, divided by the length of the model matrix's columns
    float step;     // the largest of its points' in the last frame, in model sizes
} node_state;

typedef struct histogram {
    uint64_t count, bins[BINS];
} histogram;

struct sinew_continuity {
    const sinew_skeleton *skeleton;
    sinew_allocator allocator;
    size_t memory; // size of this object
    float size, height;
    int32_t frames; // measured since the start or a restart, up to 3
    node_state *nodes;
    float *weights;              // [weight_count]; in the last frame
    sinew_vec3 root_velocity;    // in the last frame
    float root_turning;          // radians per second
    histogram histograms[RATES]; // in model sizes
};

static sinew_vec3 difference(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static sinew_vec3 scaled(sinew_vec3 v, float factor) {
    return (sinew_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static float length(sinew_vec3 v) {
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static sinew_vec3 column(const sinew_affine *matrix, int c) {
    return (sinew_vec3){matrix->m[0][c], matrix->m[1][c], matrix->m[2][c]};
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void *take_memory(const sinew_allocator *allocator, size_t size) {
    if (!allocator || !allocator->allocate) return malloc(size);
    return allocator->allocate(size, sizeof(void *), allocator->user);
}

static void give_memory_back(const sinew_allocator *allocator, void *memory, size_t size) {
    if (!allocator || !allocator->release) {
        free(memory);
    } else if (memory) {
        allocator->release(memory, size, sizeof(void *), allocator->user);
    }
}

// ---- Size ----------------------------------------------------------------------------------------------------

// Returns the largest distance between a position and the mean of all positions, or 1 if that's 0.
static float radius_of(const sinew_affine *model, int32_t count) {
    double x = 0.0, y = 0.0, z = 0.0;
    for (int32_t i = 0; i < count; i++) {
        sinew_vec3 p = column(&model[i], 3);
        x += (double)p.x, y += (double)p.y, z += (double)p.z;
    }
    sinew_vec3 mean = {(float)(x / count), (float)(y / count), (float)(z / count)};
    float radius = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float distance = length(difference(column(&model[i], 3), mean));
        if (distance > radius) radius = distance;
    }
    return radius > 0.0f ? radius : 1.0f;
}

// Returns the longest side of the box around all positions, or 1 if that's 0.
static float height_of(const sinew_affine *model, int32_t count) {
    float longest = 0.0f;
    for (int row = 0; row < 3; row++) {
        float low = HUGE_VALF, high = -HUGE_VALF;
        for (int32_t i = 0; i < count; i++) {
            low = fminf(low, model[i].m[row][3]);
            high = fmaxf(high, model[i].m[row][3]);
        }
        longest = fmaxf(longest, high - low);
    }
    return longest > 0.0f ? longest : 1.0f;
}

static void compute_rest(const sinew_skeleton *skeleton, sinew_affine *model) {
    for (int32_t i = 0, shear = 0; i < skeleton->node_count; i++) {
        sinew_affine local = sinew_affine_from_transform(skeleton->rest[i]);
        bool has_shear = shear < skeleton->shear_count && skeleton->shear_nodes[shear] == i;
        if (has_shear) local = sinew_affine_multiply(local, skeleton->shears[shear++]);
        int32_t parent = skeleton->parents[i];
        model[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(model[parent], local);
    }
}

// Measures the model in its rest pose. Returns false if there's no memory for its model matrices.
static bool measure_rest(sinew_continuity *continuity, const sinew_allocator *allocator) {
    int32_t count = continuity->skeleton->node_count;
    if (count == 0) return true;
    size_t size = (size_t)count * sizeof(sinew_affine);
    sinew_affine *model = (sinew_affine *)take_memory(allocator, size);
    if (!model) return false;
    compute_rest(continuity->skeleton, model);
    continuity->size = radius_of(model, count);
    continuity->height = height_of(model, count);
    for (int32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            float axis = length(column(&model[i], c));
            continuity->nodes[i].reach[c] = axis > 0.0f ? POINT_DISTANCE * continuity->height / axis : 0.0f;
        }
    }
    give_memory_back(allocator, model, size);
    return true;
}

// ---- The object ----------------------------------------------------------------------------------------------

sinew_result sinew_continuity_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                     sinew_continuity **continuity) {
    assert(skeleton && continuity);
    *continuity = NULL;
    size_t nodes = (size_t)skeleton->node_count, weights = (size_t)skeleton->weight_count;
    size_t memory = sizeof(sinew_continuity) + nodes * sizeof(node_state) + weights * sizeof(float);
    sinew_continuity *made = (sinew_continuity *)take_memory(allocator, memory);
    if (!made) return SINEW_ERROR_OUT_OF_MEMORY;
    memset(made, 0, memory);
    made->skeleton = skeleton;
    made->memory = memory;
    made->size = made->height = 1.0f;
    made->nodes = (node_state *)(void *)(made + 1);
    made->weights = (float *)(void *)(made->nodes + nodes);
    if (allocator) made->allocator = *allocator;
    if (!measure_rest(made, allocator)) {
        give_memory_back(allocator, made, memory);
        return SINEW_ERROR_OUT_OF_MEMORY;
    }
    *continuity = made;
    return SINEW_OK;
}

void sinew_continuity_destroy(sinew_continuity *continuity) {
    if (!continuity) return;
    sinew_allocator allocator = continuity->allocator;
    give_memory_back(&allocator, continuity, continuity->memory);
}

float sinew_continuity_size(const sinew_continuity *continuity) {
    assert(continuity);
    return continuity->size;
}

float sinew_continuity_height(const sinew_continuity *continuity) {
    assert(continuity);
    return continuity->height;
}

// ---- Percentiles ---------------------------------------------------------------------------------------------

// Returns the bin of a value that isn't negative. If it's too large or not finite, that's the last bin.
static int32_t bin_of(float value) {
    if (!(value <= FLT_MAX)) return BINS - 1;
    int exponent = 0;
    float mantissa = frexpf(value, &exponent); // 0.5 to 1
    if (!(value > 0.0f) || exponent < LOWEST_EXPONENT) return 0;
    int32_t bin = (exponent - LOWEST_EXPONENT) * OCTAVE_BINS + (int32_t)((mantissa - 0.5f) * 2.0f * OCTAVE_BINS);
    return bin < BINS - 1 ? bin : BINS - 1;
}

static float middle_of(int32_t bin) {
    if (bin == 0) return 0.0f;
    float mantissa = 0.5f + ((float)(bin % OCTAVE_BINS) + 0.5f) / (2.0f * OCTAVE_BINS);
    return ldexpf(mantissa, bin / OCTAVE_BINS + LOWEST_EXPONENT);
}

static void count_value(histogram *in, float value) {
    in->bins[bin_of(value)]++;
    in->count++;
}

float sinew_continuity_percentile(const sinew_continuity *continuity, sinew_continuity_rate rate, float percent) {
    assert(continuity);
    assert(percent >= 0.0f && percent <= 100.0f);
    const histogram *of = &continuity->histograms[rate];
    uint64_t below = 0, wanted = (uint64_t)((double)percent / 100.0 * (double)of->count);
    for (int32_t i = 0; i < BINS && of->count > 0; i++) {
        below += of->bins[i];
        if (below > wanted || below == of->count) return middle_of(i);
    }
    return 0.0f;
}

// ---- Measuring -----------------------------------------------------------------------------------------------

void sinew_continuity_restart(sinew_continuity *continuity) {
    assert(continuity);
    continuity->frames = 0;
}

float sinew_continuity_node_step(const sinew_continuity *continuity, int32_t node) {
    assert(continuity && node >= 0 && node < continuity->skeleton->node_count);
    return continuity->frames > 0 ? continuity->nodes[node].step : 0.0f;
}

static void keep_largest(float *largest, int32_t *largest_node, float value, int32_t node) {
    if (!isfinite(value)) value = HUGE_VALF;
    if (!(value > *largest)) return;
    *largest = value;
    *largest_node = node;
}

static float larger(float a, float b) {
    return b <= a ? a : b; // also if one isn't a number
}

// The largest values among a node's points.
typedef struct point_rates {
    float step, velocity, acceleration, jerk;
} point_rates;

// Moves a point and includes its rates of change in its node's.
static void move_point(const sinew_continuity *continuity, node_state *node, int p, sinew_vec3 to, float dt,
                       point_rates *largest) {
    sinew_vec3 step = difference(to, node->points[p]), velocity = scaled(step, 1.0f / dt);
    sinew_vec3 change = difference(velocity, node->velocities[p]), acceleration = scaled(change, 1.0f / dt);
    sinew_vec3 jerk = scaled(difference(acceleration, node->accelerations[p]), 1.0f / dt);
    node->points[p] = to;
    if (continuity->frames == 0) return;
    largest->step = larger(largest->step, length(step));
    node->velocities[p] = velocity;
    if (continuity->frames == 1) return;
    largest->velocity = larger(largest->velocity, length(change));
    largest->acceleration = larger(largest->acceleration, length(acceleration));
    node->accelerations[p] = acceleration;
    if (continuity->frames == 2) return;
    largest->jerk = larger(largest->jerk, length(jerk));
}

// Turns a node's axes and returns by how many degrees. Axes without a length keep their direction.
static float turn_axes(node_state *node, const sinew_affine *model) {
    float square = 0.0f;
    for (int c = 0; c < 3; c++) {
        sinew_vec3 axis = column(model, c);
        float longest = length(axis);
        if (!(longest > 0.0f)) continue;
        axis = scaled(axis, 1.0f / longest);
        float chord = length(difference(axis, node->axes[c]));
        square += chord * chord;
        node->axes[c] = axis;
    }
    // A rotation's chords add up to 8 sin²(angle / 2).
    float sine = sqrtf(square / 8.0f);
    return sine < 1.0f ? 2.0f * asinf(sine) * 57.2957795f : 180.0f;
}

static void measure_node(sinew_continuity *continuity, int32_t i, const sinew_affine *model, float dt,
                         sinew_jump *jump) {
    node_state *node = &continuity->nodes[i];
    float size = continuity->size;
    point_rates largest = {0, 0, 0, 0};
    sinew_vec3 origin = column(model, 3), before = node->points[0];
    move_point(continuity, node, 0, origin, dt, &largest);
    for (int c = 0; c < 3; c++) {
        sinew_vec3 reach = scaled(column(model, c), node->reach[c]);
        sinew_vec3 to = {origin.x + reach.x, origin.y + reach.y, origin.z + reach.z};
        move_point(continuity, node, 1 + c, to, dt, &largest);
    }
    float degrees = turn_axes(node, model);
    if (continuity->frames == 0) return;
    node->step = largest.step / size;
    keep_largest(&jump->point, &jump->point_node, node->step, i);
    keep_largest(&jump->position, &jump->position_node, length(difference(origin, before)) / size, i);
    keep_largest(&jump->rotation, &jump->rotation_node, degrees, i);
    if (continuity->frames == 1) return;
    keep_largest(&jump->velocity, &jump->velocity_node, largest.velocity / size, i);
    count_value(&continuity->histograms[SINEW_CONTINUITY_ACCELERATION], largest.acceleration / size);
    if (continuity->frames == 2) return;
    count_value(&continuity->histograms[SINEW_CONTINUITY_JERK], largest.jerk / size);
}

static void measure_weights(sinew_continuity *continuity, const float *weights, sinew_jump *jump) {
    for (int32_t i = 0; weights && i < continuity->skeleton->weight_count; i++) {
        float change = fabsf(weights[i] - continuity->weights[i]);
        continuity->weights[i] = weights[i];
        if (continuity->frames > 0) keep_largest(&jump->weight, &jump->weight_index, change, i);
    }
}

static void measure_root(sinew_continuity *continuity, const sinew_continuity_frame *frame, sinew_jump *jump) {
    sinew_vec3 velocity = scaled(frame->root.translation, 1.0f / frame->dt);
    float turning = frame->root.yaw / frame->dt;
    float moved = length(difference(velocity, continuity->root_velocity)) * frame->dt;
    float turned = fabsf(turning - continuity->root_turning) * frame->dt;
    continuity->root_velocity = velocity;
    continuity->root_turning = turning;
    if (continuity->frames < 2) return;
    jump->root = (moved + turned * POINT_DISTANCE * continuity->height) / continuity->size;
    if (!isfinite(jump->root)) jump->root = HUGE_VALF;
}

sinew_jump sinew_continuity_measure(sinew_continuity *continuity, const sinew_continuity_frame *frame) {
    assert(continuity && frame && frame->model);
    assert(frame->dt > 0.0f && isfinite(frame->dt));
    sinew_jump jump = {.point_node = SINEW_NO_NODE,
                       .position_node = SINEW_NO_NODE,
                       .rotation_node = SINEW_NO_NODE,
                       .weight_index = -1,
                       .velocity_node = SINEW_NO_NODE};
    for (int32_t i = 0; i < continuity->skeleton->node_count; i++)
        measure_node(continuity, i, &frame->model[i], frame->dt, &jump);
    measure_weights(continuity, frame->weights, &jump);
    measure_root(continuity, frame, &jump);
    if (continuity->frames < 3) continuity->frames++;
    return jump;
}
