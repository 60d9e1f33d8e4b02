// SPDX-License-Identifier: MIT
// Vertex joints and weights (glTF 2.0, section 3.7.3.3). There are one or two sets of four influences. They are
// normalized to sum to 1.
//
// An influence is a joint of the skin and its weight. `width` is the number of influences per vertex, 4 or 8. A vertex
// is weightless if all its weights are 0 or if one of them isn't finite. It gets weight 1 for joint 0, so skinning,
// shaders, bounds and picking don't need a special case.
#include "core/gltf_import.h"

#include <math.h>
#include <string.h>

// Log sums that differ from 1 by more than this.
#define WEIGHT_TOLERANCE 1e-4

#define MAX_SETS 2

// Finds a set's accessors, JOINTS_n and WEIGHTS_n. -1 if the set is absent. Having just one of them is an error.
static bool find_set(sinewi_import *g, sinewi_json_value attributes, int set, int32_t vertex_count,
                     int32_t accessors[2]) {
    static const char *const names[MAX_SETS][2] = {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}};
    for (int i = 0; i < 2; i++) {
        const char *name = names[set][i];
        if (!sinewi_gltf_get_index(g, attributes, name, g->accessor_count, "accessors", &accessors[i]))
            return false;
        if (accessors[i] < 0) continue;
        sinewi_json_value location = sinewi_json_get(&g->json, attributes, name);
        if (!sinewi_gltf_expect_type(g, location, accessors[i], SINEWI_GLTF_VEC4)) return false;
        if (!sinewi_gltf_expect_count(g, location, accessors[i], vertex_count)) return false;
    }
    if ((accessors[0] < 0) == (accessors[1] < 0)) return true;
    return sinewi_gltf_fail(g, attributes, SINEW_ERROR_FORMAT, "%s is present, but %s is missing",
                            names[set][accessors[0] < 0], names[set][accessors[0] >= 0]);
}

// Copies a set to its four of each vertex's `width` influences.
static bool copy_set(sinewi_import *g, const int32_t accessors[2], size_t set, size_t width, size_t vertex_count,
                     uint16_t *joints, float *weights) {
    const uint32_t *in_joints;
    const float *in_weights;
    if (!sinewi_gltf_read_integers(g, accessors[0], &in_joints)) return false;
    if (!sinewi_gltf_read_floats(g, accessors[1], SINEWI_GLTF_FOR_WEIGHTS, &in_weights)) return false;
    const sinewi_gltf_accessor *a = &g->accessors[accessors[0]];
    if (a->largest_integer > UINT16_MAX)
        return sinewi_gltf_fail(g, a->value, SINEW_ERROR_FORMAT, "%u is too large for a joint index",
                                (unsigned)a->largest_integer);
    for (size_t i = 0; i < vertex_count; i++)
        for (size_t k = 0; k < 4; k++) {
            joints[i * width + set * 4 + k] = (uint16_t)in_joints[i * 4 + k];
            weights[i * width + set * 4 + k] = in_weights[i * 4 + k];
        }
    return true;
}

// The number of repaired vertices for each fault.
typedef struct repair_counts {
    int32_t negative, not_finite, unnormalized, weightless;
} repair_counts;

// Clears all of a vertex's weights if one isn't finite. The others don't mean anything after a division by 0.
static bool clear_if_not_finite(float *weights, size_t width) {
    bool finite = true;
    for (size_t k = 0; k < width; k++) finite &= isfinite(weights[k]) != 0;
    if (!finite) memset(weights, 0, width * sizeof *weights);
    return !finite;
}

// Sets a vertex's negative weights to 0 and returns the sum of the rest.
static double clamp_and_sum(float *weights, size_t width, repair_counts *found) {
    double sum = 0.0;
    bool negative = false;
    for (size_t k = 0; k < width; k++) {
        negative |= weights[k] < 0.0f;
        if (!(weights[k] > 0.0f)) weights[k] = 0.0f; // also -0
        sum += (double)weights[k];
    }
    found->negative += negative;
    return sum;
}

// Normalizes a vertex's weights. `integers` means that they are integers without the normalized flag.
static void repair_vertex(uint16_t *joints, float *weights, size_t width, bool integers, repair_counts *found) {
    bool not_finite = clear_if_not_finite(weights, width);
    double sum = clamp_and_sum(weights, width, found);
    if (sum == 0.0) {
        joints[0] = 0; // usually the root joint
        weights[0] = 1.0f;
        found->not_finite += not_finite;
        found->weightless += !not_finite;
    } else if (sum != 1.0) {
        // Integers without the normalized flag sum to about 255 or 65535. Scale them without logging.
        found->unnormalized += !integers && fabs(sum - 1.0) > WEIGHT_TOLERANCE;
        for (size_t k = 0; k < width; k++) weights[k] = (float)((double)weights[k] / sum);
    }
    for (size_t k = 0; k < width; k++)
        if (weights[k] == 0.0f) joints[k] = 0; // joints without a weight may be arbitrary
}

// Repairs all vertices, finds the largest joint, and logs how many vertices had each fault.
static void repair_vertices(sinewi_import *g, const char *location, size_t vertex_count, bool integers,
                            sinewi_gltf_influences *in, uint16_t *joints, float *weights) {
    repair_counts found = {0};
    size_t width = (size_t)in->count;
    for (size_t i = 0; i < vertex_count; i++)
        repair_vertex(joints + i * width, weights + i * width, width, integers, &found);
    for (size_t i = 0; i < vertex_count * width; i++)
        if (joints[i] > in->largest_joint) in->largest_joint = joints[i];
    int total = (int)vertex_count;
    if (found.negative > 0)
        sinewi_gltf_log(g, "%s: %d of %d vertices have negative weights, which are set to 0", location,
                        (int)found.negative, total);
    if (found.not_finite > 0)
        sinewi_gltf_log(g, "%s: %d of %d vertices have weights that are not finite; they get weight 1 for joint 0",
                        location, (int)found.not_finite, total);
    if (found.unnormalized > 0)
        sinewi_gltf_log(g, "%s: %d of %d vertices have weights that do not sum to 1; they are normalized", location,
                        (int)found.unnormalized, total);
    if (found.weightless > 0)
        sinewi_gltf_log(g, "%s: %d of %d vertices have no weights; they get weight 1 for joint 0", location,
                        (int)found.weightless, total);
}

// Reads one or two sets into asset memory.
static bool read_sets(sinewi_import *g, const char *location, size_t vertex_count, sinewi_gltf_influences *in) {
    size_t width = in->accessors[2] >= 0 ? 8 : 4;
    in->count = (int32_t)width;
    in->largest_joint = -1;
    uint16_t *joints = (uint16_t *)sinewi_gltf_take(g, g->arena, vertex_count, width * sizeof *joints);
    float *weights = (float *)sinewi_gltf_take(g, g->arena, vertex_count, width * sizeof *weights);
    if (!joints || !weights) return false;
    for (size_t set = 0; set < width / 4; set++)
        if (!copy_set(g, in->accessors + 2 * set, set, width, vertex_count, joints, weights)) return false;
    const sinewi_gltf_accessor *first = &g->accessors[in->accessors[1]];
    bool integers = first->component != SINEWI_GLTF_F32 && !first->normalized;
    repair_vertices(g, location, vertex_count, integers, in, joints, weights);
    in->joints = joints;
    in->weights = weights;
    return true;
}

// Reads a primitive's joints and weights if it has any.
bool sinewi_gltf_read_influences(sinewi_import *g, sinewi_json_value attributes, const char *location,
                                 sinew_primitive *p, int32_t *largest_joint) {
    sinewi_gltf_influences in = {.accessors = {-1, -1, -1, -1}};
    if (!p->positions) return true;
    for (int set = 0; set < MAX_SETS; set++)
        if (!find_set(g, attributes, set, p->vertex_count, in.accessors + 2 * (size_t)set)) return false;
    if (in.accessors[0] < 0) return true;
    if (sinewi_json_get(&g->json, attributes, "JOINTS_2") != SINEWI_JSON_ABSENT)
        sinewi_gltf_log(g, "%s: only the first 8 joints of each vertex are used", location);

    const sinewi_gltf_influences *last = &g->last_influences; // primitives of a mesh often share them
    if (!last->joints || memcmp(last->accessors, in.accessors, sizeof in.accessors) != 0) {
        if (!read_sets(g, location, (size_t)p->vertex_count, &in)) return false;
        g->last_influences = in;
    }
    p->influences = last->count;
    p->joints = last->joints;
    p->weights = last->weights;
    *largest_joint = last->largest_joint;
    return true;
}
