// SPDX-License-Identifier: MIT
// The SIMD layer of the module's kernels. They are the library's, in two files with different optimisation:
// kernels_fast.c and kernels_small.c.
#ifndef SINEW_WEB_VECTORS_H
#define SINEW_WEB_VECTORS_H

#include "core/simd_base.h"
#include "kernels/kernels.h"

// Those of mix_general.h, in kernels_small.c.
void web_blend_general(const sinew_mix_input *inputs, int32_t count, size_t first, size_t end, sinew_fast_path fast,
                       float *const out[SINEW_PLANES], size_t to);
void web_blend_weights(const sinew_mix *mix, size_t first, size_t end, float *out);
void web_mix_weights(const sinew_mix *mix, size_t first, size_t end, float *out);

#endif
