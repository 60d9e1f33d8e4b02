// SPDX-License-Identifier: MIT
// Node constraints (VRMC_node_constraint 1.0), and the order to apply them in.
//
// The order comes from a graph with two vertices per node: its rotation and its world transform. A world transform
// depends on the node's rotation and on the parent's world transform. A constrained rotation depends on the source's
// rotation or, if the node aims, on the world transforms of the source and of the node's parent. A vertex is resolved
// after everything that it depends on. Circular dependencies are never resolved.
//
// `g` is the import in progress (core/gltf_import.h). Functions return false once the error is set.
#include "humanoid/vrm_read.h"

// ---- Reading -------------------------------------------------------------------------------------------------------

// Reads rollAxis or aimAxis: X, Y, Z, or PositiveX, NegativeX and so on.
static bool read_axis(sinewi_import *g, sinewi_json_value object, sinew_vrm_constraint *c) {
    static const char *const rolls[] = {"X", "Y", "Z", NULL};
    static const char *const aims[] = {"PositiveX", "PositiveY", "PositiveZ", "NegativeX",
                                       "NegativeY", "NegativeZ", NULL};
    bool aim = c->kind == SINEW_VRM_CONSTRAINT_AIM;
    int word = -1;
    float axis[3] = {0.0f, 0.0f, 0.0f};
    if (!sinewi_gltf_get_word(g, object, aim ? "aimAxis" : "rollAxis", aim ? aims : rolls, &word)) return false;
    if (word < 0)
        return sinewi_gltf_fail(g, object, SINEW_ERROR_FORMAT, "%s is not %s", aim ? "aimAxis" : "rollAxis",
                                aim ? "PositiveX, NegativeX, ..." : "X, Y or Z");
    axis[word % 3] = word < 3 ? 1.0f : -1.0f;
    if (g->options.up == SINEW_UP_Z) sinewi_gltf_vectors_to_z_up(axis, 1, 3);
    c->axis = (sinew_vec3){axis[0], axis[1], axis[2]};
    return true;
}

// Reads a weight, and clamps it to [0, 1].
static bool read_weight(sinewi_import *g, sinewi_json_value object, int32_t source, float *weight) {
    *weight = 1.0f;
    if (!sinewi_gltf_get_float(g, object, "weight", weight)) return false;
    if (*weight >= 0.0f && *weight <= 1.0f) return true;
    sinewi_gltf_log(g, "nodes[%d]: the constraint's weight, %.9g, is clamped to [0, 1]", (int)source,
                    (double)*weight);
    *weight = *weight > 1.0f ? 1.0f : 0.0f;
    return true;
}

// Reads the constraint of a node, given by the file's index. `*found` tells whether there is one. If the node or the
// source isn't loaded, there isn't.
static bool read_constraint(sinewi_import *g, int32_t index, sinew_vrm_constraint *c, bool *found) {
    static const char *const kinds[] = {"roll", "aim", "rotation"};
    sinewi_json_value extensions, extension, constraint, object = SINEWI_JSON_ABSENT;
    int kind = 0;
    *found = false;
    if (!sinewi_gltf_get_object(g, g->node_values.values[index], "extensions", &extensions) ||
        !sinewi_gltf_get_object(g, extensions, "VRMC_node_constraint", &extension) ||
        !sinewi_gltf_get_object(g, extension, "constraint", &constraint))
        return false;
    for (kind = 0; kind < 3 && object == SINEWI_JSON_ABSENT; kind++)
        if (!sinewi_gltf_get_object(g, constraint, kinds[kind], &object)) return false;
    if (object == SINEWI_JSON_ABSENT) return true;
    *c = (sinew_vrm_constraint){.kind = (sinew_vrm_constraint_kind)(kind - 1)};
    c->node = g->asset->skeleton->node_of_source[index];
    if (!sinewi_gltf_get_node(g, object, "source", &c->source) || !read_weight(g, object, index, &c->weight))
        return false;
    if (c->kind != SINEW_VRM_CONSTRAINT_ROTATION && !read_axis(g, object, c)) return false;
    *found = c->node != SINEW_NO_NODE && c->source != SINEW_NO_NODE;
    return true;
}

// ---- Order ---------------------------------------------------------------------------------------------------------

// Vertex n is node n's rotation, and vertex node_count + n its world transform.
typedef struct graph {
    const sinew_skeleton *skeleton;
    const sinew_vrm_constraint *constraints;
    const int32_t *constraint_of_node; // [nodes], or -1
    int32_t *pending;                  // [vertices], dependencies that aren't resolved
    int32_t *first;                    // [vertices + 1], into dependents
    int32_t *dependents;               // the vertices that depend on each vertex
} graph;

// Lists what a vertex depends on. Returns how many.
static int list_dependencies(const graph *d, int32_t vertex, int32_t to[2]) {
    const int32_t nodes = d->skeleton->node_count, *parents = d->skeleton->parents;
    int count = 0;
    if (vertex >= nodes) {
        int32_t node = vertex - nodes;
        to[count++] = node;
        if (parents[node] != SINEW_NO_NODE) to[count++] = nodes + parents[node];
        return count;
    }
    if (d->constraint_of_node[vertex] < 0) return 0;
    const sinew_vrm_constraint *c = &d->constraints[d->constraint_of_node[vertex]];
    bool aim = c->kind == SINEW_VRM_CONSTRAINT_AIM;
    to[count++] = aim ? nodes + c->source : c->source;
    if (aim && parents[vertex] != SINEW_NO_NODE) to[count++] = nodes + parents[vertex];
    return count;
}

// Fills `first` (with counts, then ends, then starts of the lists) and `dependents`, backward.
static void fill_dependents(graph *d) {
    int32_t vertices = 2 * d->skeleton->node_count, to[2];
    for (int32_t v = 0; v < vertices; v++) {
        d->pending[v] = list_dependencies(d, v, to);
        for (int i = 0; i < d->pending[v]; i++) d->first[to[i]]++;
    }
    for (int32_t v = 1; v <= vertices; v++) d->first[v] += d->first[v - 1]; // turns counts into ends
    for (int32_t v = vertices - 1; v >= 0; v--) {
        int count = list_dependencies(d, v, to);
        for (int i = 0; i < count; i++) d->dependents[--d->first[to[i]]] = v;
    }
}

// Each vertex has at most two dependencies.
static bool make_graph(sinewi_import *g, graph *d) {
    size_t vertices = 2 * (size_t)d->skeleton->node_count;
    d->pending = sinewi_gltf_array(g, &g->scratch, int32_t, vertices);
    d->first = sinewi_gltf_zeros(g, &g->scratch, int32_t, vertices + 1);
    d->dependents = sinewi_gltf_array(g, &g->scratch, int32_t, 2 * vertices);
    if (!d->pending || !d->first || !d->dependents) return false;
    fill_dependents(d);
    return true;
}

// Writes the constraints in the order that their nodes' rotations are resolved. Returns how many are.
static int32_t resolve(const graph *d, int32_t *queue, sinew_vrm_constraint *out) {
    int32_t nodes = d->skeleton->node_count, queued = 0, count = 0;
    for (int32_t v = 0; v < 2 * nodes; v++)
        if (d->pending[v] == 0) queue[queued++] = v;
    for (int32_t next = 0; next < queued; next++) {
        int32_t vertex = queue[next];
        if (vertex < nodes && d->constraint_of_node[vertex] >= 0)
            out[count++] = d->constraints[d->constraint_of_node[vertex]];
        for (int32_t i = d->first[vertex]; i < d->first[vertex + 1]; i++)
            if (--d->pending[d->dependents[i]] == 0) queue[queued++] = d->dependents[i];
    }
    return count;
}

static void log_circular(const sinewi_import *g, const graph *d) {
    for (int32_t node = 0; node < d->skeleton->node_count; node++)
        if (d->constraint_of_node[node] >= 0 && d->pending[node] > 0)
            sinewi_gltf_log(g, "nodes[%d]: the constraint is ignored, because it depends on itself",
                            (int)d->skeleton->source_of_node[node]);
}

// Sorts `count` constraints into `out`. Drops circular dependencies.
static bool sort_constraints(sinewi_import *g, const sinew_vrm_constraint *constraints, int32_t count,
                             sinew_vrm *out) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    int32_t *constraint_of_node = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)skeleton->node_count);
    int32_t *queue = sinewi_gltf_array(g, &g->scratch, int32_t, 2 * (size_t)skeleton->node_count);
    sinew_vrm_constraint *sorted = sinewi_gltf_array(g, g->arena, sinew_vrm_constraint, (size_t)count);
    if (!constraint_of_node || !queue || !sorted) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) constraint_of_node[i] = -1;
    for (int32_t i = 0; i < count; i++) constraint_of_node[constraints[i].node] = i;
    graph d = {.skeleton = skeleton, .constraints = constraints, .constraint_of_node = constraint_of_node};
    if (!make_graph(g, &d)) return false;
    out->constraint_count = resolve(&d, queue, sorted);
    out->constraints = sorted;
    log_circular(g, &d);
    return true;
}

bool sinewi_gltf_read_vrm_constraints(sinewi_import *g, sinew_vrm *out) {
    sinew_vrm_constraint *constraints = NULL;
    int32_t count = 0;
    for (int32_t i = 0; i < g->node_values.count; i++) {
        sinew_vrm_constraint c;
        bool found;
        if (!read_constraint(g, i, &c, &found)) return false;
        if (!found) continue;
        if (!constraints)
            constraints = sinewi_gltf_array(g, &g->scratch, sinew_vrm_constraint, (size_t)g->node_values.count);
        if (!constraints) return false;
        constraints[count++] = c;
    }
    return count == 0 || sort_constraints(g, constraints, count, out);
}
