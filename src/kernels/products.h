// SPDX-License-Identifier: MIT
// Matrix products: local to model, and model to palette. Include after the vectors of an instruction set. See
// kernels.h.
#ifndef SINEWI_PRODUCTS_H
#define SINEWI_PRODUCTS_H

#include "kernels/layout.h"

SIMD_INLINE void multiply_by_parent(sinewi_link link, sinew_affine *model) {
    affine_store(&model[link.node], affine_multiply(affine_load(&model[link.parent]), &model[link.node]));
}

static void local_to_model(const sinewi_link *links, int32_t link_count, sinew_affine *const *models,
                           int32_t model_count) {
    if (model_count == 1) {
        for (int32_t i = 0; i < link_count; i++) multiply_by_parent(links[i], models[0]);
        return;
    }
    for (int32_t i = 0; i < link_count; i++) {
        for (int32_t m = 0; m < model_count; m++) multiply_by_parent(links[i], models[m]);
    }
}

SIMD_INLINE affine palette_matrix(const sinew_affine *model, int32_t joint, const sinew_affine *inverse_bind) {
    return affine_multiply(affine_load(&model[joint]), inverse_bind);
}

static void palette(const int32_t *joints, int32_t count, const sinew_affine *model,
                    const sinew_affine *inverse_binds, sinew_affine *out) {
    for (int32_t i = 0; i < count; i++) affine_store(&out[i], palette_matrix(model, joints[i], &inverse_binds[i]));
}

static void stream_palette(const int32_t *joints, int32_t count, const sinew_affine *model,
                           const sinew_affine *inverse_binds, sinew_affine *out) {
    for (int32_t i = 0; i < count; i++) affine_stream(&out[i], palette_matrix(model, joints[i], &inverse_binds[i]));
}

static void end_palettes(void) {
    end_stream();
}

#endif
