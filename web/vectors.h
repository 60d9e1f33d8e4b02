// The SIMD layer of the module's kernels. They are the library's, in two files with different optimisation:
// kernels_fast.c and kernels_small.c.
#ifndef SINEW_WEB_VECTORS_H
#define SINEW_WEB_VECTORS_H

#include "kernels/kernels.h"

#ifdef SINEW_HAS_SIMD128
#include "core/simd_wasm.h"
#else
#include "core/simd_plain.h"
#endif

// blend_rest of mix_rest.h, compiled in kernels_small.c.
void web_blend_rest(const sinew_share *shares, int32_t count, size_t first, size_t end, sinew_plainness plain,
                    float *const out[SINEW_PLANES], size_t to);

#endif
