// SPDX-License-Identifier: MIT
// The subject's nodes: parents, rest poses, world transforms, and uses.
#include "lint/subject.h"

#include <math.h>
#include <string.h>

// ---- Matrices, column-major ----------------------------------------------------------------------------------------

static void identity(double m[16]) {
    memset(m, 0, 16 * sizeof *m);
    for (size_t i = 0; i < 4; i++) m[5 * i] = 1.0;
}

static void multiply(double out[16], const double a[16], const double b[16]) {
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 4; r++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++) sum += a[4 * k + r] * b[4 * c + k];
            out[4 * c + r] = sum;
        }
    }
}

static void compose(double m[16], const double translation[3], const double rotation[4], const double scale[3]) {
    double length = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2] +
                         rotation[3] * rotation[3]);
    double f = length > 0.0 ? 1.0 / length : 0.0;
    double x = rotation[0] * f, y = rotation[1] * f, z = rotation[2] * f, w = rotation[3] * f;
    const double turn[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)},
        {2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)},
        {2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)},
    }; // by column
    identity(m);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) m[4 * c + r] = turn[c][r] * scale[c];
        m[12 + c] = translation[c];
    }
}

// ---- Nodes ---------------------------------------------------------------------------------------------------------

// Reads a node. node->world is its local matrix until compute_worlds.
static void read_node(lint_subject *s, int32_t index) {
    ref_document *document = s->document;
    lint_node *node = &s->nodes[index];
    *node =
        (lint_node){.value = document->nodes.values[index], .parent = -1, .rest = {{0}, {0, 0, 0, 1}, {1, 1, 1}}};
    node->name = ref_string(document, node->value, "name");
    node->children = ref_elements(document, node->value, "children");
    node->mesh = lint_index(document, node->value, "mesh", document->meshes.count);
    node->skin = lint_index(document, node->value, "skin", document->skins.count);
    node->has_matrix = ref_numbers(document, node->value, "matrix", 16, node->world);
    if (node->has_matrix) return;
    ref_numbers(document, node->value, "translation", 3, node->rest[SINEW_TARGET_TRANSLATION]);
    ref_numbers(document, node->value, "rotation", 4, node->rest[SINEW_TARGET_ROTATION]);
    ref_numbers(document, node->value, "scale", 3, node->rest[SINEW_TARGET_SCALE]);
    compose(node->world, node->rest[SINEW_TARGET_TRANSLATION], node->rest[SINEW_TARGET_ROTATION],
            node->rest[SINEW_TARGET_SCALE]);
}

int32_t lint_element(const lint_subject *s, ref_list list, int32_t index) {
    if (sinewi_json_kind_of(&s->document->json, list.values[index]) != SINEWI_JSON_NUMBER) return -1;
    double number = sinewi_json_number(&s->document->json, list.values[index]);
    return number >= 0.0 && number < s->node_count ? (int32_t)number : -1;
}

static void find_parents(lint_subject *s) {
    for (int32_t i = 0; i < s->node_count; i++) {
        for (int32_t k = 0; k < s->nodes[i].children.count; k++) {
            int32_t child = lint_element(s, s->nodes[i].children, k);
            if (child >= 0) s->nodes[child].parent = i;
        }
    }
}

// ---- The hierarchy -------------------------------------------------------------------------------------------------

// Lists a subtree's nodes, parents first. Returns how many there are. The library has already checked for cycles.
static int32_t list_below(const lint_subject *s, int32_t root, int32_t *order) {
    int32_t count = 0;
    order[count++] = root;
    for (int32_t cursor = 0; cursor < count; cursor++) {
        const lint_node *node = &s->nodes[order[cursor]];
        for (int32_t k = 0; k < node->children.count; k++) {
            int32_t child = lint_element(s, node->children, k);
            if (child >= 0) order[count++] = child;
        }
    }
    return count;
}

static void compute_worlds(lint_subject *s, int32_t *order) {
    for (int32_t root = 0; root < s->node_count; root++) {
        if (s->nodes[root].parent >= 0) continue;
        int32_t count = list_below(s, root, order);
        s->nodes[root].root = root;
        for (int32_t i = 1; i < count; i++) {
            lint_node *node = &s->nodes[order[i]];
            double local[16];
            node->root = root;
            memcpy(local, node->world, sizeof local);
            multiply(node->world, s->nodes[node->parent].world, local);
        }
    }
}

static void mark_scenes(lint_subject *s, int32_t *order) {
    ref_document *document = s->document;
    for (int32_t i = 0; i < document->scenes.count; i++) {
        ref_list roots = ref_elements(document, document->scenes.values[i], "nodes");
        for (int32_t k = 0; k < roots.count; k++) {
            int32_t root = lint_element(s, roots, k);
            if (root < 0 || s->nodes[root].in_scene) continue;
            int32_t count = list_below(s, root, order);
            for (int32_t n = 0; n < count; n++) s->nodes[order[n]].in_scene = true;
        }
    }
}

static void mark_joints(lint_subject *s) {
    ref_document *document = s->document;
    for (int32_t i = 0; i < document->skins.count; i++) {
        ref_list joints = ref_elements(document, document->skins.values[i], "joints");
        for (int32_t k = 0; k < joints.count; k++) {
            int32_t joint = lint_element(s, joints, k);
            if (joint < 0) continue;
            s->nodes[joint].joint = true;
            for (int32_t n = joint; n >= 0 && !s->nodes[n].chain; n = s->nodes[n].parent) s->nodes[n].chain = true;
        }
    }
}

double lint_scale_above(const lint_subject *s, int32_t node) {
    int32_t parent = s->nodes[node].parent;
    if (parent < 0) return 1.0;
    double largest = 0.0;
    for (size_t c = 0; c < 3; c++) {
        const double *column = s->nodes[parent].world + 4 * c;
        largest = fmax(largest, sqrt(column[0] * column[0] + column[1] * column[1] + column[2] * column[2]));
    }
    return largest > 0.0 ? largest : 1.0;
}

// ---- Size ----------------------------------------------------------------------------------------------------------

// An accessor's or mesh's min and max, as given in the file.
typedef struct bounds {
    bool read, known;
    double corners[2][3];
} bounds;

// Reads an accessor's bounds once, because many primitives may share it.
static const bounds *read_bounds(lint_subject *s, int32_t accessor, bounds *of_accessors) {
    bounds *b = &of_accessors[accessor];
    if (b->read) return b;
    sinewi_json_value value = s->document->accessors.values[accessor];
    b->read = true;
    b->known = ref_numbers(s->document, value, "min", 3, b->corners[0]) &&
               ref_numbers(s->document, value, "max", 3, b->corners[1]);
    return b;
}

static void extend(bounds *mesh, const bounds *by) {
    for (int r = 0; r < 3; r++) {
        mesh->corners[0][r] = mesh->known ? fmin(mesh->corners[0][r], by->corners[0][r]) : by->corners[0][r];
        mesh->corners[1][r] = mesh->known ? fmax(mesh->corners[1][r], by->corners[1][r]) : by->corners[1][r];
    }
    mesh->known = true;
}

static void measure_mesh(lint_subject *s, int32_t mesh, bounds *of_accessors, bounds *out) {
    ref_document *document = s->document;
    ref_list primitives = ref_elements(document, document->meshes.values[mesh], "primitives");
    out->read = true;
    for (int32_t p = 0; p < primitives.count; p++) {
        sinewi_json_value attributes = sinewi_json_get(&document->json, primitives.values[p], "attributes");
        int32_t positions = lint_index(document, attributes, "POSITION", document->accessors.count);
        const bounds *b = positions >= 0 ? read_bounds(s, positions, of_accessors) : NULL;
        if (b && b->known) extend(out, b);
    }
}

static void add_corners(lint_subject *s, const lint_node *node, const bounds *mesh) {
    for (int corner = 0; corner < 8; corner++) {
        for (int r = 0; r < 3; r++) {
            double coordinate = node->world[12 + r];
            for (int c = 0; c < 3; c++) coordinate += node->world[4 * c + r] * mesh->corners[corner >> c & 1][c];
            if (isfinite(coordinate)) s->size = fmax(s->size, fabs(coordinate));
        }
    }
}

// Measures the model: the largest coordinate of any node and any unskinned mesh's bounds.
static void measure(lint_subject *s) {
    bounds *meshes = lint_array(s, bounds, s->document->meshes.count);
    bounds *accessors = lint_array(s, bounds, s->document->accessors.count);
    if (s->out_of_memory) return;
    s->size = 1e-3;
    for (int32_t i = 0; i < s->node_count; i++) {
        const lint_node *node = &s->nodes[i];
        for (int k = 12; k < 15; k++) s->size = fmax(s->size, fabs(node->world[k]));
        if (node->mesh < 0 || node->skin >= 0) continue;
        bounds *mesh = &meshes[node->mesh];
        if (!mesh->read) measure_mesh(s, node->mesh, accessors, mesh);
        if (mesh->known) add_corners(s, node, mesh);
    }
}

static void find_mesh_weights(lint_subject *s) {
    ref_document *document = s->document;
    sinewi_json_value *weights = lint_array(s, sinewi_json_value, document->meshes.count);
    for (int32_t i = 0; weights && i < document->meshes.count; i++)
        weights[i] = sinewi_json_get(&document->json, document->meshes.values[i], "weights");
    s->mesh_weights = weights;
}

void lint_read_nodes(lint_subject *s) {
    s->node_count = s->document->nodes.count;
    s->nodes = lint_array(s, lint_node, s->node_count);
    int32_t *order = lint_array(s, int32_t, s->node_count);
    if (s->out_of_memory) return;
    for (int32_t i = 0; i < s->node_count; i++) read_node(s, i);
    find_parents(s);
    compute_worlds(s, order);
    mark_scenes(s, order);
    mark_joints(s);
    measure(s);
    find_mesh_weights(s);
}
