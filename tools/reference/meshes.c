// SPDX-License-Identifier: MIT
// Reads meshes: vertex attributes, morph targets, joints and weights (glTF 2.0, sections 3.7.2, 3.7.3.3 and 5.24).
#include "reference/internal.h"
#include "reference/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Reads an attribute. `*out` stays NULL if it's absent.
static bool read_attribute(ref_document *document, sinewi_json_value attributes, const char *name, int32_t width,
                           int32_t vertex_count, const double **out) {
    ref_accessor accessor;
    if (sinewi_json_get(&document->json, attributes, name) == SINEWI_JSON_ABSENT) return true;
    if (!ref_read_accessor(document, ref_index(document, attributes, name), &accessor)) return false;
    if (accessor.components != width || accessor.count != vertex_count)
        return ref_fail(document, attributes, "%s must have %d numbers for each of %d vertices", name, (int)width,
                        (int)vertex_count);
    *out = accessor.values;
    return true;
}

static bool read_attributes(ref_document *document, sinewi_json_value value, int32_t tangent_width,
                            int32_t vertex_count, ref_attributes *out) {
    return read_attribute(document, value, "POSITION", 3, vertex_count, &out->positions) &&
           read_attribute(document, value, "NORMAL", 3, vertex_count, &out->normals) &&
           read_attribute(document, value, "TANGENT", tangent_width, vertex_count, &out->tangents);
}

static bool read_targets(ref_document *document, sinewi_json_value value, ref_primitive *primitive) {
    ref_list list = ref_elements(document, value, "targets");
    ref_attributes *targets = sinewi_arena_zeros(&document->arena, ref_attributes, (size_t)list.count);
    if (!targets) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < list.count; i++) {
        if (!read_attributes(document, list.values[i], 3, primitive->vertex_count, &targets[i])) return false;
    }
    primitive->target_count = list.count;
    primitive->targets = targets;
    return true;
}

// ---- Joints and weights (section 3.7.3.3) --------------------------------------------------------------------------

enum { MAX_SETS = 8 };

// Counts the sets of joints: JOINTS_0, JOINTS_1, ...
static int32_t count_sets(const ref_document *document, sinewi_json_value attributes) {
    int32_t sets = 0;
    for (char name[24];; sets++) {
        snprintf(name, sizeof name, "JOINTS_%d", (int)sets);
        if (sets == MAX_SETS || sinewi_json_get(&document->json, attributes, name) == SINEWI_JSON_ABSENT)
            return sets;
    }
}

static bool copy_set(ref_document *document, sinewi_json_value attributes, int32_t set,
                     const ref_primitive *primitive, int32_t *joints, double *weights) {
    char joints_name[24], weights_name[24];
    const double *in_joints = NULL, *in_weights = NULL;
    snprintf(joints_name, sizeof joints_name, "JOINTS_%d", (int)set);
    snprintf(weights_name, sizeof weights_name, "WEIGHTS_%d", (int)set);
    if (!read_attribute(document, attributes, joints_name, 4, primitive->vertex_count, &in_joints)) return false;
    if (!read_attribute(document, attributes, weights_name, 4, primitive->vertex_count, &in_weights)) return false;
    if (!in_joints || !in_weights) return ref_fail(document, attributes, "%s is missing", weights_name);
    for (ptrdiff_t v = 0; v < primitive->vertex_count; v++) {
        for (ptrdiff_t i = 0; i < 4; i++) {
            ptrdiff_t to = v * primitive->influences + (ptrdiff_t)4 * set + i;
            double joint = in_joints[4 * v + i];
            joints[to] = joint >= 0.0 && joint <= 65535.0 ? (int32_t)joint : -1;
            weights[to] = in_weights[4 * v + i];
        }
    }
    return true;
}

// Normalizes a vertex's weights, because the specification requires a sum of 1 and no negative weights. If all weights
// are 0 or one isn't finite, the vertex gets weight 1 for its skin's first joint.
static void normalize_weights(int32_t influences, int32_t *joints, double *weights) {
    double sum = 0.0;
    bool finite = true;
    for (int32_t i = 0; i < influences; i++) {
        finite &= isfinite(weights[i]) != 0;
        if (!(weights[i] > 0.0)) weights[i] = 0.0;
        sum += weights[i];
    }
    if (!finite) sum = 0.0;
    if (sum == 0.0) joints[0] = 0;
    for (int32_t i = 0; i < influences; i++) weights[i] = sum > 0.0 ? weights[i] / sum : (i == 0 ? 1.0 : 0.0);
}

// The sets' accessors, with joints before weights.
typedef struct set_accessors {
    int32_t count;
    int32_t accessors[2 * MAX_SETS];
} set_accessors;

static set_accessors find_sets(const ref_document *document, sinewi_json_value attributes) {
    set_accessors sets = {.count = count_sets(document, attributes)};
    for (int32_t set = 0; set < sets.count; set++) {
        char name[24];
        snprintf(name, sizeof name, "JOINTS_%d", (int)set);
        sets.accessors[(ptrdiff_t)2 * set] = ref_index(document, attributes, name);
        snprintf(name, sizeof name, "WEIGHTS_%d", (int)set);
        sets.accessors[2 * set + 1] = ref_index(document, attributes, name);
    }
    return sets;
}

// The previous primitive's influences. Neighboring primitives often share them.
typedef struct last_influences {
    set_accessors sets;
    ref_primitive primitive;
} last_influences;

static bool take_last(const last_influences *last, const set_accessors *sets, ref_primitive *primitive) {
    if (memcmp(&last->sets, sets, sizeof *sets) != 0 || last->primitive.vertex_count != primitive->vertex_count)
        return false;
    primitive->influences = last->primitive.influences;
    primitive->joints = last->primitive.joints;
    primitive->weights = last->primitive.weights;
    primitive->largest_joint = last->primitive.largest_joint;
    return true;
}

static bool read_sets(ref_document *document, sinewi_json_value attributes, int32_t sets,
                      ref_primitive *primitive) {
    primitive->influences = 4 * sets;
    primitive->largest_joint = -1;
    size_t count = (size_t)primitive->vertex_count * (size_t)primitive->influences;
    int32_t *joints = sinewi_arena_array(&document->arena, int32_t, count);
    double *weights = sinewi_arena_array(&document->arena, double, count);
    if (!joints || !weights) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t set = 0; set < sets; set++) {
        if (!copy_set(document, attributes, set, primitive, joints, weights)) return false;
    }
    for (size_t first = 0; first < count; first += (size_t)primitive->influences) {
        normalize_weights(primitive->influences, joints + first, weights + first);
    }
    for (size_t i = 0; i < count; i++) {
        if (weights[i] == 0.0) continue;
        if (joints[i] < 0) return ref_fail(document, attributes, "a joint index is invalid");
        if (joints[i] > primitive->largest_joint) primitive->largest_joint = joints[i];
    }
    primitive->joints = joints;
    primitive->weights = weights;
    return true;
}

static bool read_influences(ref_document *document, sinewi_json_value attributes, last_influences *last,
                            ref_primitive *primitive) {
    set_accessors sets = find_sets(document, attributes);
    if (sets.count > 0 && take_last(last, &sets, primitive)) return true;
    if (!read_sets(document, attributes, sets.count, primitive)) return false;
    *last = (last_influences){sets, *primitive};
    return true;
}

// ---- Primitives --------------------------------------------------------------------------------------------------

static bool read_primitive(ref_document *document, sinewi_json_value value, last_influences *last,
                           ref_primitive *primitive) {
    ref_accessor positions;
    sinewi_json_value attributes = sinewi_json_get(&document->json, value, "attributes");
    bool empty = false;
    primitive->largest_joint = -1;
    primitive->target_count =
        sinewi_json_count(&document->json, sinewi_json_get(&document->json, value, "targets"));
    if (!ref_decode_draco(document, value, &empty)) return false;
    if (empty) return true;
    if (sinewi_json_get(&document->json, attributes, "POSITION") == SINEWI_JSON_ABSENT) return true;
    if (!ref_read_accessor(document, ref_index(document, attributes, "POSITION"), &positions)) return false;
    primitive->vertex_count = positions.count;
    return read_attributes(document, attributes, 4, positions.count, &primitive->base) &&
           read_targets(document, value, primitive) && read_influences(document, attributes, last, primitive);
}

bool ref_read_meshes(ref_document *document, ref_model *model) {
    model->mesh_count = document->meshes.count;
    ref_mesh *meshes = sinewi_arena_zeros(&document->arena, ref_mesh, (size_t)model->mesh_count);
    if (!meshes) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    last_influences last = {.sets = {.count = 0}};
    for (int32_t m = 0; m < model->mesh_count; m++) {
        ref_list list = ref_elements(document, document->meshes.values[m], "primitives");
        ref_primitive *primitives = sinewi_arena_zeros(&document->arena, ref_primitive, (size_t)list.count);
        if (!primitives) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
        for (int32_t i = 0; i < list.count; i++) {
            if (!read_primitive(document, list.values[i], &last, &primitives[i])) return false;
            if (primitives[i].target_count != primitives[0].target_count)
                return ref_fail(document, list.values[i],
                                "the primitive must have as many morph targets as the first");
        }
        meshes[m] = (ref_mesh){list.count, primitives, list.count > 0 ? primitives[0].target_count : 0, -1};
        for (int32_t i = 0; i < list.count; i++) {
            if (primitives[i].largest_joint > meshes[m].largest_joint)
                meshes[m].largest_joint = primitives[i].largest_joint;
        }
    }
    model->meshes = meshes;
    return true;
}
