// SPDX-License-Identifier: MIT
// The joints and weights of a primitive's vertices, in all sets.
#ifndef LINT_WEIGHTS_H
#define LINT_WEIGHTS_H

#include "lint/subject.h"

// The maximum number of sets to read. Exporters write at most two.
#define LINT_MAX_SETS 4

typedef struct lint_influences {
    int32_t vertex_count;
    int32_t sets;                     // 0 if the primitive isn't skinned
    int32_t accessors[LINT_MAX_SETS]; // of weights
    int32_t joint_accessors[LINT_MAX_SETS];
    int32_t component_type;              // of the first weights
    const double *joints[LINT_MAX_SETS]; // [vertex_count × 4]
    const double *weights[LINT_MAX_SETS];
} lint_influences;

// Returns whether a primitive is compressed with Draco. Such vertices aren't checked or fixed.
bool lint_is_compressed(const lint_subject *s, sinewi_json_value primitive);

// Reads a primitive's sets. There are none if they can't be read or are compressed.
lint_influences lint_read_influences(lint_subject *s, sinewi_json_value primitive);

// Returns the weight of a vertex's influence `i` (0 to 4 × sets - 1).
double lint_weight(const lint_influences *influences, int32_t vertex, int32_t i);

bool lint_weights_finite(const lint_influences *influences, int32_t vertex);

// Returns the sum of a vertex's weights, counting negative ones as 0. If one isn't finite, returns 0, because the
// importer then treats the vertex as weightless.
double lint_weight_sum(const lint_influences *influences, int32_t vertex);

// Returns whether a vertex's weights are valid: none is negative, and the sum is 1 except for rounding.
bool lint_weights_good(const lint_influences *influences, int32_t vertex);

#endif
