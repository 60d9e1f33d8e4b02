// SPDX-License-Identifier: MIT
// The displacement between two models with the same nodes at one time, from the evaluator's own vertices and without
// bounds.
#ifndef DISPLACEMENT_H
#define DISPLACEMENT_H

#include "support/check.h"

#include "reference/evaluate.h"

// The largest displacement of any vertex at a time.
static inline double displacement_at(const ref_model *models[2], int32_t clip, double time, sinewi_arena *arena) {
    double largest = 0.0;
    ref_pose poses[2];
    for (int side = 0; side < 2; side++) {
        assert_true(ref_make_pose(arena, models[side], &poses[side]));
        ref_evaluate(models[side], &models[side]->animations[clip], time, &poses[side]);
    }
    for (int32_t n = 0; n < models[0]->node_count; n++) {
        const ref_node *node = &models[0]->nodes[n];
        for (int32_t p = 0; node->mesh >= 0 && p < models[0]->meshes[node->mesh].primitive_count; p++) {
            const ref_primitive *primitive = &models[0]->meshes[node->mesh].primitives[p];
            const ref_primitive *other = &models[1]->meshes[models[1]->nodes[n].mesh].primitives[p];
            assert_int_equal(primitive->vertex_count, other->vertex_count);
            double *moved[2];
            for (int side = 0; side < 2; side++) {
                double *palette = sinewi_arena_array(arena, double, (size_t)16 * 256);
                if (node->skin >= 0) ref_palette(&models[side]->skins[node->skin], &poses[side], palette);
                moved[side] = sinewi_arena_array(arena, double, 3 * (size_t)primitive->vertex_count);
                ref_move_vertices(models[side], &poses[side], n, side == 0 ? primitive : other, palette,
                                  &(ref_vertices){.positions = moved[side]});
            }
            for (ptrdiff_t v = 0; v < primitive->vertex_count; v++) {
                double sum = 0.0;
                for (int i = 0; i < 3; i++) sum += pow(moved[0][3 * v + i] - moved[1][3 * v + i], 2.0);
                largest = fmax(largest, sqrt(sum));
            }
        }
    }
    return largest;
}

#endif
