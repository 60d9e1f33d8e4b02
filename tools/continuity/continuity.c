// How far nodes jump from one frame to the next.
#include "continuity/continuity.h"

#include "pose/skeleton_object.h"
#include "core/float_rules.h"
#include "core/memory.h"

#include <assert.h>
#include <math.h>

struct sinew_continuity {
    const sinew_skeleton *skeleton;
    sinew_allocator allocator;
    size_t memory;
    float size;
    int32_t frames;                  // taken so far; 2 is many
    sinew_vec3 *places, *velocities; // of the last frame
};

static sinew_vec3 difference(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static float length(sinew_vec3 v) {
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static sinew_vec3 place_of(sinew_affine matrix) {
    return (sinew_vec3){matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]};
}

// ---- Size ----------------------------------------------------------------------------------------------------

static float radius_of(const sinew_affine *model, int32_t count) {
    double x = 0.0, y = 0.0, z = 0.0;
    for (int32_t i = 0; i < count; i++) {
        sinew_vec3 p = place_of(model[i]);
        x += (double)p.x, y += (double)p.y, z += (double)p.z;
    }
    sinew_vec3 middle = {(float)(x / count), (float)(y / count), (float)(z / count)};
    float radius = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float distance = length(difference(place_of(model[i]), middle));
        if (distance > radius) radius = distance;
    }
    return radius > 0.0f ? radius : 1.0f;
}

// 0 where there is no memory for the matrices.
static float size_of(const sinew_skeleton *skeleton, const sinew_allocator *allocator) {
    size_t size = (size_t)skeleton->node_count * sizeof(sinew_affine);
    if (size == 0) return 1.0f;
    sinew_affine *model = (sinew_affine *)sinew_allocate(allocator, size, SINEW_ALIGNMENT);
    if (!model) return 0.0f;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinew_affine local = sinew_skeleton_rest_local(skeleton, i);
        int32_t parent = skeleton->parents[i];
        model[i] = parent == SINEW_NO_NODE ? local : sinew_affine_multiply(model[parent], local);
    }
    float radius = radius_of(model, skeleton->node_count);
    sinew_release(allocator, model, size, SINEW_ALIGNMENT);
    return radius;
}

// ---- The object ----------------------------------------------------------------------------------------------

static sinew_continuity *lay_out(sinew_layout *layout, size_t nodes, sinew_continuity *fields) {
    sinew_continuity *continuity = sinew_layout_array(layout, sinew_continuity, 1, SINEW_ALIGNMENT);
    fields->places = sinew_layout_array(layout, sinew_vec3, nodes, sizeof(float));
    fields->velocities = sinew_layout_array(layout, sinew_vec3, nodes, sizeof(float));
    return continuity;
}

sinew_result sinew_continuity_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                     sinew_continuity **continuity) {
    assert(skeleton && continuity);
    *continuity = NULL;
    sinew_continuity fields = {.skeleton = skeleton, .size = size_of(skeleton, allocator)};
    if (allocator) fields.allocator = *allocator;
    if (!(fields.size > 0.0f)) return SINEW_ERROR_OUT_OF_MEMORY;
    sinew_layout measure = {0};
    lay_out(&measure, (size_t)skeleton->node_count, &fields);
    sinew_layout layout = {(char *)sinew_allocate(allocator, measure.size, SINEW_ALIGNMENT), 0};
    if (!layout.base) return SINEW_ERROR_OUT_OF_MEMORY;
    *continuity = lay_out(&layout, (size_t)skeleton->node_count, &fields);
    fields.memory = measure.size;
    **continuity = fields;
    return SINEW_OK;
}

void sinew_continuity_destroy(sinew_continuity *continuity) {
    if (!continuity) return;
    sinew_allocator allocator = continuity->allocator;
    sinew_release(&allocator, continuity, continuity->memory, SINEW_ALIGNMENT);
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

static void take_largest(float *largest, int32_t *whose, float value, int32_t node) {
    if (!isfinite(value)) value = HUGE_VALF;
    if (!(value > *largest)) return;
    *largest = value;
    *whose = node;
}

sinew_jump sinew_continuity_measure(sinew_continuity *continuity, const sinew_affine *model, float dt) {
    assert(continuity && model);
    assert(dt > 0.0f && isfinite(dt));
    sinew_jump jump = {.position_node = SINEW_NO_NODE, .velocity_node = SINEW_NO_NODE};
    float size = continuity->size;
    for (int32_t i = 0; i < continuity->skeleton->node_count; i++) {
        sinew_vec3 place = place_of(model[i]), *before = &continuity->places[i],
                   *velocity = &continuity->velocities[i];
        if (continuity->frames > 0) {
            sinew_vec3 step = difference(place, *before);
            sinew_vec3 now = {step.x / dt, step.y / dt, step.z / dt};
            take_largest(&jump.position, &jump.position_node, length(step) / size, i);
            float change = length(difference(now, *velocity)) / size;
            if (continuity->frames > 1) take_largest(&jump.velocity, &jump.velocity_node, change, i);
            *velocity = now;
        }
        *before = place;
    }
    if (continuity->frames < 2) continuity->frames++;
    return jump;
}
