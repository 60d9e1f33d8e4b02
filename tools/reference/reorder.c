// SPDX-License-Identifier: MIT
// Puts the vertices of primitives in another order.
#include "reference/model.h"

#include <string.h>

const double *ref_reorder(sinew_arena *arena, const double *vectors, const uint32_t *order, size_t count,
                          size_t width) {
    double *out = sinew_arena_array(arena, double, count *width);
    for (size_t i = 0; out && i < count; i++)
        memcpy(out + width * i, vectors + width * order[i], width * sizeof *out);
    return out;
}

bool ref_reorder_positions(sinew_arena *arena, ref_primitive *primitive, const uint32_t *order) {
    const size_t count = (size_t)primitive->vertex_count;
    ref_attributes *targets = sinew_arena_zeros(arena, ref_attributes, (size_t)primitive->target_count);
    if (!targets) return false;
    for (int32_t t = 0; t < primitive->target_count; t++) {
        if (!primitive->targets[t].positions) continue;
        targets[t].positions = ref_reorder(arena, primitive->targets[t].positions, order, count, 3);
        if (!targets[t].positions) return false;
    }
    primitive->targets = targets;
    primitive->base = (ref_attributes){.positions = ref_reorder(arena, primitive->base.positions, order, count, 3)};
    return primitive->base.positions;
}
