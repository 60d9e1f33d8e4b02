// SPDX-License-Identifier: MIT
// The tables of kernels, by level.
#include "kernels/kernels.h"

const sinew_kernels *sinew_kernels_of(sinew_simd_level level) {
    if (!sinew_simd_level_runs(level)) return NULL;
    switch (level) {
    case SINEW_SIMD_128:
#if defined(SINEW_HAS_SSE2)
        return &sinew_kernels_sse2;
#elif defined(SINEW_HAS_NEON)
        return &sinew_kernels_neon;
#elif defined(SINEW_HAS_SIMD128)
        return &sinew_kernels_wasm;
#endif
#if defined(SINEW_HAS_AVX)
    case SINEW_SIMD_AVX2:
        return &sinew_kernels_avx2;
    case SINEW_SIMD_AVX512:
        return &sinew_kernels_avx512;
#endif
    default:
        return &sinew_kernels_plain;
    }
}

// NULL until the first call. Threads that call at the same time choose the same table.
static const sinew_kernels *used;

const sinew_kernels *sinew_kernels_used(void) {
#if defined(__GNUC__)
    const sinew_kernels *kernels = __atomic_load_n(&used, __ATOMIC_RELAXED);
    if (!kernels) __atomic_store_n(&used, kernels = sinew_kernels_of(sinew_simd_level_used()), __ATOMIC_RELAXED);
#else
    const sinew_kernels *volatile *address = &used;
    const sinew_kernels *kernels = *address;
    if (!kernels) *address = kernels = sinew_kernels_of(sinew_simd_level_used());
#endif
    return kernels;
}
