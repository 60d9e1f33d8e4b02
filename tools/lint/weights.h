// SPDX-License-Identifier: MIT
// The joints and weights of a primitive's vertices, with all sets.
#ifndef LINT_WEIGHTS_H
#define LINT_WEIGHTS_H

#include "lint/subject.h"

// The most sets that are read. Exporters write at most two.
#define LINT_MAX_SETS 4

typedef struct lint_influences {
    int32_t vertex_count;
    int32_t sets;                     // 0: the primitive is not skinned
    int32_t accessors[LINT_MAX_SETS]; // of the weights
    int32_t joint_accessors[LINT_MAX_SETS];
    int32_t component_type;              // of the first weights
    const double *joints[LINT_MAX_SETS]; // [vertex_count × 4]
    const double *weights[LINT_MAX_SETS];
} lint_influences;

// Whether a primitive is compressed with Draco. Such vertices are neither checked nor fixed.
bool lint_is_compressed(const lint_subject *s, sinewi_json_value primitive);

// Reads the sets of a primitive; none if they cannot be read or are compressed.
lint_influences lint_read_influences(lint_subject *s, sinewi_json_value primitive);

// Returns the weight of influence `i` (0 to 4 × sets - 1) of a vertex.
double lint_weight(const lint_influences *influences, int32_t vertex, int32_t i);

// Whether all weights of a vertex are finite.
bool lint_weights_finite(const lint_influences *influences, int32_t vertex);

// Returns the sum of a vertex's weights, negative ones counted as 0; 0 if one of them is not finite: the vertex is
// then weightless, as for the importer.
double lint_weight_sum(const lint_influences *influences, int32_t vertex);

// Whether a vertex's weights are valid: none negative, and the sum 1 except for rounding.
bool lint_weights_good(const lint_influences *influences, int32_t vertex);

#endif
