// SPDX-License-Identifier: MIT
// Measures the largest jump of a character's nodes from one frame to the next.
#include "continuity/continuity.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct sinew_continuity {
    const sinew_skeleton *skeleton;
    sinew_allocator allocator;
    size_t memory; // bytes of this object
    float size;
    int32_t frames;                     // measured since the start or a restart, up to 2
    sinew_vec3 *positions, *velocities; // [nodes], of the last frame
};

static sinew_vec3 difference(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static float length(sinew_vec3 v) {
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static sinew_vec3 translation_of(sinew_affine matrix) {
    return (sinew_vec3){matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]};
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

// The largest distance of a position from the mean of all; 1 if it is 0.
static float radius_of(const sinew_affine *model, int32_t count) {
    double x = 0.0, y = 0.0, z = 0.0;
    for (int32_t i = 0; i < count; i++) {
        sinew_vec3 p = translation_of(model[i]);
        x += (double)p.x, y += (double)p.y, z += (double)p.z;
    }
    sinew_vec3 mean = {(float)(x / count), (float)(y / count), (float)(z / count)};
    float radius = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float distance = length(difference(translation_of(model[i]), mean));
        if (distance > radius) radius = distance;
    }
    return radius > 0.0f ? radius : 1.0f;
}

// The size of a model in its rest pose; 0 if there is no memory for its model matrices.
static float measure_size(const sinew_skeleton *skeleton, const sinew_allocator *allocator) {
    if (skeleton->node_count == 0) return 1.0f;
    size_t size = (size_t)skeleton->node_count * sizeof(sinew_affine);
    sinew_affine *model = (sinew_affine *)take_memory(allocator, size);
    if (!model) return 0.0f;
    for (int32_t i = 0, shear = 0; i < skeleton->node_count; i++) {
        sinew_affine local = sinew_affine_from_transform(skeleton->rest[i]);
        bool has_shear = shear < skeleton->shear_count && skeleton->shear_nodes[shear] == i;
        if (has_shear) local = sinew_affine_multiply(local, skeleton->shears[shear++]);
        int32_t parent = skeleton->parents[i];
        model[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(model[parent], local);
    }
    float radius = radius_of(model, skeleton->node_count);
    give_memory_back(allocator, model, size);
    return radius;
}

// ---- The object ----------------------------------------------------------------------------------------------

sinew_result sinew_continuity_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                     sinew_continuity **continuity) {
    assert(skeleton && continuity);
    *continuity = NULL;
    float size = measure_size(skeleton, allocator);
    if (!(size > 0.0f)) return SINEW_ERROR_OUT_OF_MEMORY;
    size_t nodes = (size_t)skeleton->node_count;
    size_t memory = sizeof(sinew_continuity) + 2 * nodes * sizeof(sinew_vec3);
    sinew_continuity *made = (sinew_continuity *)take_memory(allocator, memory);
    if (!made) return SINEW_ERROR_OUT_OF_MEMORY;
    sinew_vec3 *positions = (sinew_vec3 *)(void *)(made + 1);
    *made = (sinew_continuity){.skeleton = skeleton,
                               .memory = memory,
                               .size = size,
                               .positions = positions,
                               .velocities = positions + nodes};
    if (allocator) made->allocator = *allocator;
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

// ---- Measuring -----------------------------------------------------------------------------------------------

void sinew_continuity_restart(sinew_continuity *continuity) {
    assert(continuity);
    continuity->frames = 0;
}

static void keep_largest(float *largest, int32_t *largest_node, float value, int32_t node) {
    if (!isfinite(value)) value = HUGE_VALF;
    if (!(value > *largest)) return;
    *largest = value;
    *largest_node = node;
}

sinew_jump sinew_continuity_measure(sinew_continuity *continuity, const sinew_affine *model, float dt) {
    assert(continuity && model);
    assert(dt > 0.0f && isfinite(dt));
    sinew_jump jump = {.position_node = SINEW_NO_NODE, .velocity_node = SINEW_NO_NODE};
    float size = continuity->size;
    for (int32_t i = 0; i < continuity->skeleton->node_count; i++) {
        sinew_vec3 position = translation_of(model[i]), *last = &continuity->positions[i],
                   *last_velocity = &continuity->velocities[i];
        if (continuity->frames > 0) {
            sinew_vec3 step = difference(position, *last);
            sinew_vec3 velocity = {step.x / dt, step.y / dt, step.z / dt};
            keep_largest(&jump.position, &jump.position_node, length(step) / size, i);
            float change = length(difference(velocity, *last_velocity)) / size;
            if (continuity->frames > 1) keep_largest(&jump.velocity, &jump.velocity_node, change, i);
            *last_velocity = velocity;
        }
        *last = position;
    }
    if (continuity->frames < 2) continuity->frames++;
    return jump;
}
