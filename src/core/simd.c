// SPDX-License-Identifier: MIT
// Chooses the SIMD level: the instruction set whose kernels (src/kernels) run on this machine.
//
// A level (core/simd.h) is a vector width, such as SINEW_SIMD_128; its name is that of the instruction set that has
// this width on this kind of processor, such as sse2.
#include "core/simd.h"

#include <stdlib.h>
#include <string.h>

// NULL for a level that is not compiled in for this processor.
const char *sinew_simd_level_name(sinew_simd_level level) {
    switch (level) {
    case SINEW_SIMD_SCALAR:
        return "scalar";
#if defined(SINEW_HAS_SSE2)
    case SINEW_SIMD_128:
        return "sse2";
#elif defined(SINEW_HAS_NEON)
    case SINEW_SIMD_128:
        return "neon";
#elif defined(SINEW_HAS_SIMD128)
    case SINEW_SIMD_128:
        return "simd128";
#endif
#if defined(SINEW_HAS_AVX2)
    case SINEW_SIMD_AVX2:
        return "avx2";
#endif
#if defined(SINEW_HAS_AVX512)
    case SINEW_SIMD_AVX512:
        return "avx512";
#endif
    default:
        return NULL;
    }
}

// An x86 processor of the same family may lack AVX2 or AVX-512, so these are asked of the processor.
bool sinew_simd_level_runs(sinew_simd_level level) {
#if defined(SINEW_HAS_AVX2)
    if (level == SINEW_SIMD_AVX2) return __builtin_cpu_supports("avx2") != 0;
#endif
#if defined(SINEW_HAS_AVX512)
    if (level == SINEW_SIMD_AVX512) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    }
#endif
    return sinew_simd_level_name(level) != NULL;
}

// The widest level that runs, or the one that the environment variable SINEW_SIMD names.
sinew_simd_level sinew_simd_level_used(void) {
    const char *requested = getenv("SINEW_SIMD");
    sinew_simd_level best = SINEW_SIMD_SCALAR;
    for (int level = 0; level < SINEW_SIMD_LEVELS; level++) {
        if (!sinew_simd_level_runs((sinew_simd_level)level)) continue;
        best = (sinew_simd_level)level;
        if (requested && strcmp(requested, sinew_simd_level_name(best)) == 0) break;
    }
    return best;
}

const char *sinew_simd(void) {
    return sinew_simd_level_name(sinew_simd_level_used());
}
