// SPDX-License-Identifier: MIT
// Sorts each vertex's influences by weight. This makes neighbors similar and more vertices equal. Joints without a
// weight become 0.
#include "meshes/internal.h"

#include <math.h>
#include <string.h>

// Which accessors are always used together.
typedef struct influence_pairs {
    int32_t *weights; // [accessors]; the joints' weights; -1 if unknown, -2 if there are several
    int32_t *joints;  // [accessors]; the weights' joints
} influence_pairs;

static void pair(int32_t *of, int32_t index, int32_t with) {
    of[index] = of[index] == -1 || of[index] == with ? with : -2;
}

static void pair_primitive(const mesh_coder *c, sinewi_json_value primitive, influence_pairs *pairs) {
    const sinewi_json *json = &c->def->document->json;
    const sinewi_json_value attributes = sinewi_json_get(json, primitive, "attributes");
    const mesh_accessor *joints = mesh_member(c, attributes, "JOINTS_0"),
                        *weights = mesh_member(c, attributes, "WEIGHTS_0");
    const bool single = sinewi_json_get(json, attributes, "JOINTS_1") == SINEWI_JSON_ABSENT;
    const int32_t j = joints ? (int32_t)(joints - c->accessors) : -1,
                  w = weights ? (int32_t)(weights - c->accessors) : -1;
    if (joints) pair(pairs->weights, j, single && weights ? w : -2);
    if (weights) pair(pairs->joints, w, single && joints ? j : -2);
}

static bool find_pairs(const mesh_coder *c, influence_pairs *pairs) {
    ref_document *document = c->def->document;
    const size_t count = (size_t)document->accessors.count;
    pairs->weights = sinewi_arena_array(c->arena, int32_t, count);
    pairs->joints = sinewi_arena_array(c->arena, int32_t, count);
    if (!pairs->weights || !pairs->joints) return false;
    for (size_t i = 0; i < count; i++) pairs->weights[i] = pairs->joints[i] = -1;
    for (int32_t m = 0; m < document->meshes.count; m++) {
        const ref_list primitives = ref_elements(document, document->meshes.values[m], "primitives");
        for (int32_t p = 0; p < primitives.count; p++) pair_primitive(c, primitives.values[p], pairs);
    }
    return true;
}

static uint16_t joint_at(const mesh_accessor *accessor, size_t vertex, size_t i) {
    const uint8_t *at = accessor->data + vertex * accessor->stride;
    uint16_t joint;
    if (accessor->component_type == REF_U8) return at[i];
    memcpy(&joint, at + 2 * i, sizeof joint);
    return joint;
}

// Sorts by weight, and equal ones by joint.
static void sort_vertex(double weights[4], uint16_t joints[4]) {
    for (int i = 1; i < 4; i++) {
        for (int k = i;
             k > 0 && (weights[k] > weights[k - 1] || (weights[k] == weights[k - 1] && joints[k] < joints[k - 1]));
             k--) {
            const double weight = weights[k];
            const uint16_t joint = joints[k];
            weights[k] = weights[k - 1];
            joints[k] = joints[k - 1];
            weights[k - 1] = weight;
            joints[k - 1] = joint;
        }
    }
}

static bool sort_influences(const mesh_coder *c, mesh_accessor *joints, mesh_accessor *weights) {
    const size_t count = (size_t)joints->count;
    double *values = sinewi_arena_array(c->arena, double, 4 * count);
    uint16_t *sorted = sinewi_arena_array(c->arena, uint16_t, 4 * count);
    if (!values || !sorted) return false;
    memcpy(values, weights->values, 4 * count * sizeof *values);
    for (size_t v = 0; v < count; v++) {
        for (size_t i = 0; i < 4; i++) sorted[4 * v + i] = values[4 * v + i] > 0.0 ? joint_at(joints, v, i) : 0;
        sort_vertex(values + 4 * v, sorted + 4 * v);
    }
    weights->values = values;
    joints->joints = sorted;
    return true;
}

static bool may_sort(const mesh_accessor *joints, const mesh_accessor *weights) {
    return joints->use == MESH_JOINTS && !joints->kept && joints->components == 4 && weights->use == MESH_WEIGHTS &&
           weights->values && weights->components == 4 && joints->count == weights->count &&
           (joints->component_type == REF_U8 || joints->component_type == REF_U16);
}

bool mesh_sort_influences(mesh_coder *c) {
    influence_pairs pairs;
    if (!find_pairs(c, &pairs)) return false;
    for (int32_t j = 0; j < c->def->document->accessors.count; j++) {
        const int32_t w = pairs.weights[j];
        if (w < 0 || pairs.joints[w] != j || !may_sort(&c->accessors[j], &c->accessors[w])) continue;
        if (!sort_influences(c, &c->accessors[j], &c->accessors[w])) return false;
    }
    return true;
}
