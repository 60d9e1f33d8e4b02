// SPDX-License-Identifier: MIT
// Reads the chains and colliders of a rig's springs. See docs/rig.md.
#include <sinew/motion/rig.h>

#include "motion/graph_read.h"

#include <float.h>

// ---- Colliders -----------------------------------------------------------------------------------------------

enum {
    COLLIDER_NODE,
    COLLIDER_SHAPE,
    COLLIDER_INSIDE,
    COLLIDER_OFFSET,
    COLLIDER_TAIL,
    COLLIDER_NORMAL,
    COLLIDER_RADIUS
};
static const sinewi_graph_keys collider_keys = {"a collider",
                                                {"node", "shape", "inside", "offset", "tail", "normal", "radius"}};

static bool read_shape(sinewi_graph_text *t, sinewi_json_value value, sinew_spring_collider *collider) {
    static const char *const words[] = {"sphere", "capsule", "plane", NULL};
    int word = (int)collider->shape;
    if (!sinewi_graph_read_word(t, value, words, &word)) return false;
    collider->shape = (sinew_spring_shape)word;
    return true;
}

// A key that the shape doesn't have would be a mistake that nobody sees.
static bool check_shape(sinewi_graph_text *t, const sinewi_graph_members *m, sinew_spring_shape shape) {
    const bool is_plane = shape == SINEW_SPRING_SHAPE_PLANE;
    return sinewi_graph_allow(t, m, COLLIDER_TAIL, shape == SINEW_SPRING_SHAPE_CAPSULE, "capsules") &&
           sinewi_graph_allow(t, m, COLLIDER_NORMAL, is_plane, "planes") &&
           sinewi_graph_allow(t, m, COLLIDER_INSIDE, !is_plane, "spheres and capsules") &&
           sinewi_graph_allow(t, m, COLLIDER_RADIUS, !is_plane, "spheres and capsules");
}

static bool check_normal(sinewi_graph_text *t, sinewi_json_value value, sinew_vec3 normal) {
    if (normal.x != 0.0f || normal.y != 0.0f || normal.z != 0.0f) return true;
    return sinewi_graph_fail(t, value, "the normal is 0; it must point away from the plane");
}

static bool read_collider(sinewi_graph_reader *r, sinewi_json_value value, sinew_rig_collider *collider) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    *collider = (sinew_rig_collider){.settings = sinew_spring_collider_default()};
    sinew_spring_collider *settings = &collider->settings;
    return sinewi_graph_read_members(t, value, &collider_keys, &m) &&
           sinewi_graph_read_string(t, m.values[COLLIDER_NODE], &collider->node) &&
           read_shape(t, m.values[COLLIDER_SHAPE], settings) && check_shape(t, &m, settings->shape) &&
           sinewi_graph_read_bool(t, m.values[COLLIDER_INSIDE], &settings->inside) &&
           sinewi_rig_read_vector(r, m.values[COLLIDER_OFFSET], &settings->offset) &&
           sinewi_rig_read_vector(r, m.values[COLLIDER_TAIL], &settings->tail) &&
           sinewi_rig_read_vector(r, m.values[COLLIDER_NORMAL], &settings->normal) &&
           check_normal(t, m.values[COLLIDER_NORMAL], settings->normal) &&
           sinewi_rig_read_number(t, m.values[COLLIDER_RADIUS], 0.0f, FLT_MAX, &settings->radius);
}

bool sinewi_rig_read_colliders(sinewi_graph_reader *r, sinewi_json_value array, sinew_rig_springs *springs) {
    int32_t count;
    if (array == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_check_array(&r->text, array, "an array of colliders", &count)) return false;
    sinew_rig_collider *colliders = sinewi_graph_scratch(&r->text, sinew_rig_collider, (size_t)count);
    if (!colliders) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (!read_collider(r, element, &colliders[i])) return false;
    }
    springs->colliders = colliders;
    springs->collider_count = count;
    return true;
}

// ---- Chains --------------------------------------------------------------------------------------------------

enum {
    CHAIN_ROOT,
    CHAIN_TIP,
    CHAIN_TAIL,
    CHAIN_STIFFNESS,
    CHAIN_DAMPING,
    CHAIN_DRAG,
    CHAIN_GRAVITY,
    CHAIN_WIND,
    CHAIN_LIMIT,
    CHAIN_RADIUS,
    CHAIN_CENTER,
    CHAIN_FROM_REST,
    CHAIN_COLLIDERS
};
static const sinewi_graph_keys chain_keys = {"a chain",
                                             {"root", "tip", "tail", "stiffness", "damping", "drag", "gravity",
                                              "wind", "limit", "radius", "center", "fromRest", "colliders"}};

// Reads indices of the step's colliders.
static bool read_indices(sinewi_graph_reader *r, sinewi_json_value array, int32_t collider_count,
                         sinew_rig_spring *chain) {
    sinewi_graph_text *t = &r->text;
    int32_t count;
    if (array == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_check_array(t, array, "an array of indices", &count)) return false;
    int32_t *indices = sinewi_graph_scratch(t, int32_t, (size_t)count);
    if (!indices) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (!sinewi_graph_read_integer(t, element, 0, &indices[i])) return false;
        if (indices[i] >= collider_count)
            return sinewi_graph_fail(t, element, "there is no collider %d; the step has %d", (int)indices[i],
                                     (int)collider_count);
    }
    chain->colliders = indices;
    chain->collider_count = count;
    return true;
}

static bool read_joint(sinewi_graph_reader *r, const sinewi_graph_members *m, sinew_spring_joint *joint) {
    sinewi_graph_text *t = &r->text;
    return sinewi_rig_read_number(t, m->values[CHAIN_STIFFNESS], 0.0f, FLT_MAX, &joint->stiffness) &&
           sinewi_graph_read_seconds(t, m->values[CHAIN_DAMPING], &joint->damping) &&
           sinewi_graph_read_seconds(t, m->values[CHAIN_DRAG], &joint->drag) &&
           sinewi_rig_read_vector(r, m->values[CHAIN_GRAVITY], &joint->gravity) &&
           sinewi_graph_read_float(t, m->values[CHAIN_WIND], &joint->wind) &&
           sinewi_rig_read_number(t, m->values[CHAIN_LIMIT], 0.0f, 3.1415927f, &joint->limit) &&
           sinewi_rig_read_number(t, m->values[CHAIN_RADIUS], 0.0f, FLT_MAX, &joint->radius);
}

static bool read_chain(sinewi_graph_reader *r, sinewi_json_value value, int32_t collider_count,
                       sinew_rig_spring *chain) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    *chain = (sinew_rig_spring){.joint = sinew_spring_joint_default()};
    return sinewi_graph_read_members(t, value, &chain_keys, &m) && sinewi_graph_require(t, &m, CHAIN_ROOT) &&
           sinewi_graph_read_string(t, m.values[CHAIN_ROOT], &chain->root) &&
           sinewi_graph_read_string(t, m.values[CHAIN_TIP], &chain->tip) &&
           sinewi_rig_read_vector(r, m.values[CHAIN_TAIL], &chain->tail) && read_joint(r, &m, &chain->joint) &&
           sinewi_graph_read_string(t, m.values[CHAIN_CENTER], &chain->center) &&
           sinewi_graph_read_bool(t, m.values[CHAIN_FROM_REST], &chain->from_rest) &&
           read_indices(r, m.values[CHAIN_COLLIDERS], collider_count, chain);
}

bool sinewi_rig_read_chains(sinewi_graph_reader *r, sinewi_json_value array, sinew_rig_springs *springs) {
    int32_t count;
    if (array == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_check_array(&r->text, array, "an array of chains", &count)) return false;
    sinew_rig_spring *chains = sinewi_graph_scratch(&r->text, sinew_rig_spring, (size_t)count);
    if (!chains) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (!read_chain(r, element, springs->collider_count, &chains[i])) return false;
    }
    springs->chains = chains;
    springs->chain_count = count;
    return true;
}
