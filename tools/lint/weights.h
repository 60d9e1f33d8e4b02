// The joints and weights of a primitive's vertices, all sets side by side.
#ifndef LINT_WEIGHTS_H
#define LINT_WEIGHTS_H

#include "lint/subject.h"

// More sets than this nobody has been seen to write.
#define LINT_MOST_SETS 4

typedef struct lint_influences {
    int32_t vertex_count;
    int32_t sets;                      // 0: the primitive is not skinned
    int32_t accessors[LINT_MOST_SETS]; // of the weights
    int32_t joint_accessors[LINT_MOST_SETS];
    int32_t component_type;               // of the first weights
    const double *joints[LINT_MOST_SETS]; // [vertex_count × 4]
    const double *weights[LINT_MOST_SETS];
} lint_influences;

// Whether Draco holds a primitive's vertices. No rule looks into these, and they are not mended.
bool lint_is_compressed(const lint_subject *s, sinew_json_value primitive);

// The sets that a primitive has; none where they cannot be read or are compressed.
lint_influences lint_read_influences(lint_subject *s, sinew_json_value primitive);

// The weight of influence `i` (0 to 4 × sets - 1) of a vertex.
double lint_weight(const lint_influences *influences, int32_t vertex, int32_t i);

// Whether all weights of a vertex are finite.
bool lint_weights_finite(const lint_influences *influences, int32_t vertex);

// What a vertex's weights sum to, negative ones counted as 0. 0 where one of them is not finite: the vertex is
// weightless, as the importer has it.
double lint_weight_sum(const lint_influences *influences, int32_t vertex);

// Whether a vertex's weights are as they should be: none negative, the sum 1 but for rounding.
bool lint_weights_good(const lint_influences *influences, int32_t vertex);

#endif
