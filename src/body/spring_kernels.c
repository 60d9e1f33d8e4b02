// SPDX-License-Identifier: MIT
// The tables of spring kernels, by level.
#include "body/spring_kernels.h"

static const sinewi_spring_kernels *const spring_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_spring_kernels_plain, SINEWI_IF_128(&sinewi_spring_kernels_128),
    SINEWI_IF_AVX2(&sinewi_spring_kernels_avx2), SINEWI_IF_AVX512(&sinewi_spring_kernels_avx512)};

const sinewi_spring_kernels *sinewi_spring_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? spring_tables[level] : NULL;
}

const sinewi_spring_kernels *sinewi_spring_kernels_for(size_t lane_count) {
    const int used = (int)sinewi_simd_level_chosen();
    const int widest = lane_count < 8 ? SINEWI_SIMD_128 : lane_count < 16 ? SINEWI_SIMD_AVX2 : SINEWI_SIMD_AVX512;
    return spring_tables[used < widest ? used : widest];
}
