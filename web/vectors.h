// SPDX-License-Identifier: MIT
// The SIMD layer for the module's kernels. They're the library's, split into two files with different optimization:
// kernels_fast.c and kernels_small.c.
#ifndef SINEW_WEB_VECTORS_H
#define SINEW_WEB_VECTORS_H

#include "base/simd_base.h"
#include "kernels/kernels.h"

// mix_general.h's functions, compiled in kernels_small.c.
void web_blend_general(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                       sinewi_fast_path fast, float *const out[SINEWI_PLANES], size_t to);
void web_blend_weights(const sinewi_mix *mix, size_t first, size_t end, float *out);
void web_mix_weights(const sinewi_mix *mix, size_t first, size_t end, float *out);

#endif
