// SPDX-License-Identifier: MIT
// Chooses the SIMD level. This is the instruction set whose kernels (src/kernels) run on this machine.
//
// A level is a vector width such as SINEWI_SIMD_128 (see base/simd.h). Its name is the instruction set that provides
// this width on this kind of processor, such as sse2.
#include "base/simd.h"

#include <stdlib.h>
#include <string.h>

// Returns NULL if this build doesn't contain the level.
const char *sinewi_simd_level_name(sinewi_simd_level level) {
    switch (level) {
    case SINEWI_SIMD_SCALAR:
        return "scalar";
#if defined(SINEWI_HAS_SSE2)
    case SINEWI_SIMD_128:
        return "sse2";
#elif defined(SINEWI_HAS_NEON)
    case SINEWI_SIMD_128:
        return "neon";
#elif defined(SINEWI_HAS_SIMD128)
    case SINEWI_SIMD_128:
        return "simd128";
#endif
#if defined(SINEWI_HAS_AVX2)
    case SINEWI_SIMD_AVX2:
        return "avx2";
#endif
#if defined(SINEWI_HAS_AVX512)
    case SINEWI_SIMD_AVX512:
        return "avx512";
#endif
    default:
        return NULL;
    }
}

// Not every x86-64 processor has AVX2 or AVX-512, so ask the processor.
bool sinewi_simd_level_runs(sinewi_simd_level level) {
#if defined(SINEWI_HAS_AVX2)
    if (level == SINEWI_SIMD_AVX2) return __builtin_cpu_supports("avx2") != 0;
#endif
#if defined(SINEWI_HAS_AVX512)
    if (level == SINEWI_SIMD_AVX512) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    }
#endif
    return sinewi_simd_level_name(level) != NULL;
}

// The environment variable SINEW_SIMD overrides the widest level that runs.
sinewi_simd_level sinewi_simd_level_used(void) {
    const char *requested = getenv("SINEW_SIMD");
    sinewi_simd_level best = SINEWI_SIMD_SCALAR;
    for (int level = 0; level < SINEWI_SIMD_LEVELS; level++) {
        if (!sinewi_simd_level_runs((sinewi_simd_level)level)) continue;
        best = (sinewi_simd_level)level;
        if (requested && strcmp(requested, sinewi_simd_level_name(best)) == 0) break;
    }
    return best;
}

// SINEWI_SIMD_LEVELS until the first call. Threads that race here all choose the same level.
static int chosen = SINEWI_SIMD_LEVELS;

sinewi_simd_level sinewi_simd_level_chosen(void) {
#if defined(__GNUC__)
    int level = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (level == SINEWI_SIMD_LEVELS)
        __atomic_store_n(&chosen, level = (int)sinewi_simd_level_used(), __ATOMIC_RELAXED);
#else
    volatile int *address = &chosen;
    int level = *address;
    if (level == SINEWI_SIMD_LEVELS) *address = level = (int)sinewi_simd_level_used();
#endif
    return (sinewi_simd_level)level;
}

const char *sinew_simd(void) {
    return sinewi_simd_level_name(sinewi_simd_level_used());
}
