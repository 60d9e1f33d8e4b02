// SPDX-License-Identifier: MIT
// Copies models, and reorders primitives' vertices.
#include "reference/model.h"

#include <string.h>

const ref_model *ref_copy_model(sinewi_arena *arena, const ref_model *model, ref_primitive ***primitives) {
    ref_model *copy = sinewi_arena_array(arena, ref_model, 1);
    ref_mesh *meshes = sinewi_arena_array(arena, ref_mesh, (size_t)model->mesh_count);
    *primitives = sinewi_arena_array(arena, ref_primitive *, (size_t)model->mesh_count);
    if (!copy || !meshes || !*primitives) return NULL;
    for (int32_t m = 0; m < model->mesh_count; m++) {
        const size_t count = (size_t)model->meshes[m].primitive_count;
        ref_primitive *copies = sinewi_arena_array(arena, ref_primitive, count);
        if (!copies) return NULL;
        if (count > 0) memcpy(copies, model->meshes[m].primitives, count * sizeof *copies);
        (*primitives)[m] = copies;
        meshes[m] = model->meshes[m];
        meshes[m].primitives = copies;
    }
    *copy = *model;
    copy->meshes = meshes;
    return copy;
}

const double *ref_reorder(sinewi_arena *arena, const double *vectors, const uint32_t *order, size_t count,
                          size_t width) {
    double *out = sinewi_arena_array(arena, double, count *width);
    for (size_t i = 0; out && i < count; i++)
        memcpy(out + width * i, vectors + width * order[i], width * sizeof *out);
    return out;
}

bool ref_reorder_positions(sinewi_arena *arena, ref_primitive *primitive, const uint32_t *order) {
    const size_t count = (size_t)primitive->vertex_count;
    ref_attributes *targets = sinewi_arena_zeros(arena, ref_attributes, (size_t)primitive->target_count);
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
