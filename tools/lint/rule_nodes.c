// SPDX-License-Identifier: MIT
// Nodes: matrices, numbers of morph weights, and scene roots.
#include "lint/subject.h"

#include <math.h>

// Columns aren't orthogonal if their cosine is larger than this.
#define SHEAR_COSINE 1e-3

static const double degrees = 57.295779513082323;

static const char *node_place(lint_subject *s, int32_t node, const char *member) {
    return lint_location(s, "nodes[%d]%s", (int)node, member);
}

// ---- Matrices ------------------------------------------------------------------------------------------------------

static double cosine_of(const double *a, const double *b) {
    double lengths = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
    return lengths > 0.0 ? fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths : 0.0;
}

static void check_shear(lint_subject *s, int32_t index) {
    double m[16];
    if (!ref_numbers(s->document, s->nodes[index].value, "matrix", 16, m)) return;
    double cosine = fmax(cosine_of(m, m + 4), fmax(cosine_of(m + 4, m + 8), cosine_of(m + 8, m)));
    if (!(cosine > SHEAR_COSINE)) return;
    lint_add(s, LINT_MATRIX_SHEAR, 0, node_place(s, index, ".matrix"),
             "the axes of %s are %.1f degrees apart instead of 90", lint_node_label(s, index),
             90.0 - asin(fmin(1.0, cosine)) * degrees);
}

static void check_members(lint_subject *s, int32_t index) {
    static const char *const members[] = {"translation", "rotation", "scale"};
    const sinewi_json *json = &s->document->json;
    for (int i = 0; i < 3; i++) {
        if (sinewi_json_get(json, s->nodes[index].value, members[i]) == SINEWI_JSON_ABSENT) continue;
        lint_add(s, LINT_MATRIX_AND_TRS, 0, node_place(s, index, ""), "%s has a matrix and a %s",
                 lint_node_label(s, index), members[i]);
        return;
    }
}

// ---- Morph weights -------------------------------------------------------------------------------------------------

static int32_t target_count_of(const lint_subject *s, sinewi_json_value mesh) {
    ref_list primitives = ref_elements(s->document, mesh, "primitives");
    return primitives.count > 0 ? ref_elements(s->document, primitives.values[0], "targets").count : 0;
}

static int32_t *count_targets(lint_subject *s) {
    ref_list meshes = s->document->meshes;
    int32_t *counts = lint_array(s, int32_t, meshes.count);
    for (int32_t i = 0; counts && i < meshes.count; i++) counts[i] = target_count_of(s, meshes.values[i]);
    return counts;
}

static int32_t weight_count_of(const lint_subject *s, sinewi_json_value object) {
    return ref_elements(s->document, object, "weights").count;
}

static void check_mesh_weights(lint_subject *s, int32_t mesh, int32_t targets) {
    int32_t weights = weight_count_of(s, s->document->meshes.values[mesh]);
    if (weights == 0 || weights == targets) return;
    lint_add(s, LINT_WEIGHTS_COUNT, 0, lint_location(s, "meshes[%d].weights", (int)mesh),
             "%d weights for %d morph targets", (int)weights, (int)targets);
}

static void check_node_weights(lint_subject *s, int32_t index, const int32_t *targets) {
    const lint_node *node = &s->nodes[index];
    int32_t weights = weight_count_of(s, node->value);
    if (weights == 0 || (node->mesh >= 0 && weights == targets[node->mesh])) return;
    const char *location = node_place(s, index, ".weights");
    if (node->mesh < 0) {
        lint_add(s, LINT_WEIGHTS_COUNT, 0, location, "%d weights, but %s has no mesh", (int)weights,
                 lint_node_label(s, index));
        return;
    }
    lint_add(s, LINT_WEIGHTS_COUNT, 0, location, "%d weights for %d morph targets of meshes[%d]", (int)weights,
             (int)targets[node->mesh], (int)node->mesh);
}

// ---- Scenes --------------------------------------------------------------------------------------------------------

static void check_scene(lint_subject *s, int32_t scene) {
    ref_list roots = ref_elements(s->document, s->document->scenes.values[scene], "nodes");
    for (int32_t i = 0; i < roots.count; i++) {
        int32_t node = lint_element(s, roots, i);
        if (node < 0 || s->nodes[node].parent < 0) continue;
        lint_add(s, LINT_SCENE_ROOTS, 0, lint_location(s, "scenes[%d].nodes[%d]", (int)scene, (int)i),
                 "%s is a child of %s", lint_node_label(s, node), lint_node_label(s, s->nodes[node].parent));
    }
}

// ---- The rules -----------------------------------------------------------------------------------------------------

void lint_check_nodes(lint_subject *s) {
    const int32_t *targets = count_targets(s);
    if (!targets) return;
    for (int32_t i = 0; i < s->document->meshes.count; i++) check_mesh_weights(s, i, targets[i]);
    for (int32_t i = 0; i < s->node_count; i++) {
        check_node_weights(s, i, targets);
        if (!s->nodes[i].has_matrix) continue;
        check_shear(s, i);
        check_members(s, i);
    }
    for (int32_t i = 0; i < s->document->scenes.count; i++) check_scene(s, i);
}
